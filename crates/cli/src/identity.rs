//! Identity of the program: `touchdown --version --json`.

use crate::failure::Failure;
use crate::output::print;
pub use touchdown_session::identity::{VERSION, build};

/// Whether the command line asks for the version as JSON.
pub fn is_asked_for() -> bool {
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    let has = |names: &[&str]| words.iter().any(|word| names.iter().any(|name| word == name));
    words.len() == 2 && has(&["--json"]) && has(&["--version", "-V"])
}

/// Prints version and build as JSON.
pub fn print_json() -> Result<(), Failure> {
    print(&format!("{:#}\n", touchdown_session::identity::json()))
}
