//! Columns of a device: each with its value.

use crate::books::channels::Columns;
use crate::sink::Column;

/// The columns of a device, `BASE.SUFFIX`.
#[derive(Clone, Debug)]
pub(crate) struct Shown<V> {
    base: String,
    list: Columns<V>,
}

impl<V: Copy> Shown<V> {
    pub fn new(base: &str) -> Shown<V> {
        Shown { base: base.into(), list: Columns::default() }
    }

    /// One column: value, suffix, then unit, frame and meaning.
    pub fn put(&mut self, value: V, suffix: &str, (unit, frame): (&'static str, &'static str), about: &str) {
        self.list.put(value, &format!("{}.{suffix}", self.base), unit, frame, about);
    }

    /// Three columns, `STEM_x_SUFFIX` to `STEM_z_SUFFIX`.
    pub fn put_axes(
        &mut self,
        value: impl Fn(usize) -> V,
        (stem, suffix): (&str, &str),
        (unit, frame): (&'static str, &'static str),
        about: &str,
    ) {
        let stem = format!("{}.{stem}", self.base);
        self.list.put_axes((&stem, suffix), (unit, frame, about), value);
    }

    /// Value of a column.
    pub fn value(&self, column: usize) -> V {
        self.list.value(column)
    }

    pub fn columns(&self) -> Vec<Column> {
        self.list.clone().into_iter().map(|(_, column)| column).collect()
    }
}
