//! Columns of a device: each with the value that it shows.

use crate::books::channels::AXES;
use crate::sink::Column;

/// The columns of a device, `BASE.SUFFIX`.
#[derive(Clone, Debug)]
pub(crate) struct Shown<V> {
    base: String,
    list: Vec<(V, Column)>,
}

impl<V: Copy> Shown<V> {
    pub fn new(base: &str) -> Shown<V> {
        Shown { base: base.into(), list: Vec::new() }
    }

    /// One column: value, suffix, then unit, frame and meaning.
    pub fn put(&mut self, value: V, suffix: &str, (unit, frame): (&'static str, &'static str), about: &str) {
        let name = format!("{}.{suffix}", self.base);
        self.list.push((value, Column { name, unit, frame, about: about.into() }));
    }

    /// Three columns, `STEM_x_SUFFIX` to `STEM_z_SUFFIX`.
    pub fn put_axes(
        &mut self,
        value: impl Fn(usize) -> V,
        (stem, suffix): (&str, &str),
        labels: (&'static str, &'static str),
        about: &str,
    ) {
        for (k, axis) in AXES.iter().enumerate() {
            self.put(value(k), &format!("{stem}_{axis}_{suffix}"), labels, about);
        }
    }

    /// What a column shows.
    pub fn value(&self, column: usize) -> V {
        self.list[column].0
    }

    pub fn columns(&self) -> Vec<Column> {
        self.list.iter().map(|(_, column)| column.clone()).collect()
    }
}
