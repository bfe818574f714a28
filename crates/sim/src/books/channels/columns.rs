//! Columns of one kind of interaction, as it adds them.

use super::AXES;
use crate::sink::Column;

/// Columns, each with the value that it shows.
#[derive(Clone, Debug)]
pub(crate) struct Columns<V> {
    list: Vec<(V, Column)>,
}

impl<V> Default for Columns<V> {
    fn default() -> Self {
        Columns { list: Vec::new() }
    }
}

impl<V> Columns<V> {
    /// One column.
    pub fn put(&mut self, value: V, name: &str, unit: &'static str, frame: &'static str, about: &str) {
        self.list.push((value, Column { name: name.into(), unit, frame, about: about.into() }));
    }

    /// Three columns, `STEM_x_SUFFIX` to `STEM_z_SUFFIX`.
    pub fn put_axes(
        &mut self,
        (stem, suffix): (&str, &str),
        (unit, frame, about): (&'static str, &'static str, &str),
        value: impl Fn(usize) -> V,
    ) {
        for (k, axis) in AXES.iter().enumerate() {
            self.put(value(k), &format!("{stem}_{axis}_{suffix}"), unit, frame, about);
        }
    }

    /// Columns of one part, `BASE.SUFFIX`: value, suffix, unit and meaning of each.
    pub fn put_rows<P: Copy>(
        &mut self,
        base: &str,
        frame: &'static str,
        rows: &[(P, &str, &'static str, &str)],
        value: impl Fn(P) -> V,
    ) {
        for (row, suffix, unit, about) in rows {
            self.put(value(*row), &format!("{base}.{suffix}"), unit, frame, about);
        }
    }
}

impl<V: Copy> Columns<V> {
    /// The value that a column shows.
    pub fn value(&self, column: usize) -> V {
        self.list[column].0
    }
}

impl<V> IntoIterator for Columns<V> {
    type Item = (V, Column);
    type IntoIter = std::vec::IntoIter<(V, Column)>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

/// Suffix of the name of a value with this unit; empty for plain numbers.
pub(crate) fn unit_suffix(unit: &str) -> String {
    match unit {
        "1" => String::new(),
        unit => format!("_{}", unit.to_lowercase().replace('/', "_per_").replace(' ', "_")),
    }
}
