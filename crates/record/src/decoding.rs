//! Decoders of other crates panic on some damaged files (parquet 60: a page of split bytes that is shorter than its header claims). Here such a panic is an
//! error like any other, and prints nothing.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    /// Whether this thread decodes, so that a panic is reported as an error and not printed.
    static DECODES: Cell<bool> = const { Cell::new(false) };
}

/// Does what a decoder does; a panic in it becomes an error. What the decoder held must not be used again after one.
pub fn decoded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let print = take_hook();
        set_hook(Box::new(move |panic| {
            if !DECODES.get() {
                print(panic);
            }
        }));
    });
    let outer = DECODES.replace(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    DECODES.set(outer);
    done.map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("no reason given");
        format!("it is damaged, and its decoder stopped: {text}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A result passes; a panic has its words; afterwards panics are printed again.
    #[test]
    fn a_panic_is_an_error() {
        assert_eq!(decoded(|| 7), Ok(7));
        let short: &[u8] = &[];
        let found = decoded(|| short[std::hint::black_box(3)]);
        assert!(found.is_err_and(|why| why.contains("index out of bounds")));
        assert!(!DECODES.get());
    }
}
