//! Types that a key's value is converted to: numbers, texts, signals, points, with their locations.

use super::{AttachSpec, Item, Record, Value};
use crate::source::Loc;
use crate::table::Keys;
use crate::unit::Dim;
use std::ops::Deref;
use touchdown_math::{Signal, Vec3};

/// A value found under a key.
#[derive(Clone, Copy)]
pub(crate) struct Found<'a> {
    pub(super) value: &'a Value,
    pub(super) item: &'a Item,
    pub(super) record: &'a Record,
}

/// A type that a key's value is converted to; `None` for another kind of value, or for a table with a
/// mistake.
pub(crate) trait KeyValue: Sized {
    fn of(found: Found) -> Option<Self>;

    /// Bodies that the value names.
    fn bodies(_: Found) -> Vec<BodyName> {
        Vec::new()
    }
}

impl<'a> Found<'a> {
    /// The path of the value as written by the user.
    fn path(&self) -> String {
        self.record.path_to(&self.item.key)
    }

    /// A word of a choice.
    pub fn word(&self) -> Option<&'a str> {
        match self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Bodies named by a table of its own section.
    pub fn bodies_of_table<T: Keys>(&self) -> Vec<BodyName> {
        match self.value {
            Value::Table(record) => T::bodies(record),
            _ => Vec::new(),
        }
    }

    /// A table of its own section.
    pub fn table<T: Keys>(&self) -> Option<T> {
        match self.value {
            Value::Table(record) => T::read(record),
            _ => None,
        }
    }
}

/// A text and its location.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub text: String,
    pub loc: Loc,
    pub path: String,
}

impl std::fmt::Display for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

/// The name of a body or of the world, and its location.
#[derive(Clone, Debug)]
pub(crate) struct BodyName(Text);

impl Deref for BodyName {
    type Target = Text;

    fn deref(&self) -> &Text {
        &self.0
    }
}

/// A number in SI that can have one of several dimensions, and its location.
#[derive(Clone, Debug)]
pub(crate) struct Quantity {
    pub value: f64,
    pub dim: &'static Dim,
    pub loc: Loc,
    pub path: String,
}

/// A function of time, the dimension of its values, and its location.
#[derive(Clone, Debug)]
pub(crate) struct Timed {
    pub signal: Signal,
    pub dim: &'static Dim,
    pub loc: Loc,
    pub path: String,
}

impl KeyValue for Text {
    fn of(found: Found) -> Option<Self> {
        Some(Text { text: found.word()?.into(), loc: found.item.loc, path: found.path() })
    }
}

impl KeyValue for BodyName {
    fn of(found: Found) -> Option<Self> {
        Text::of(found).map(BodyName)
    }

    fn bodies(found: Found) -> Vec<BodyName> {
        BodyName::of(found).into_iter().collect()
    }
}

impl KeyValue for Vec<Text> {
    fn of(found: Found) -> Option<Self> {
        let Value::Texts(texts) = found.value else { return None };
        let path = found.path();
        Some(texts.iter().map(|(t, loc)| Text { text: t.clone(), loc: *loc, path: path.clone() }).collect())
    }
}

impl KeyValue for bool {
    fn of(found: Found) -> Option<Self> {
        match found.value {
            Value::Flag(flag) => Some(*flag),
            _ => None,
        }
    }
}

impl KeyValue for u64 {
    fn of(found: Found) -> Option<Self> {
        match found.value {
            Value::Count(count) => Some(*count),
            _ => None,
        }
    }
}

impl KeyValue for f64 {
    fn of(found: Found) -> Option<Self> {
        match found.value {
            Value::Number(x, _) => Some(*x),
            _ => None,
        }
    }
}

impl KeyValue for Quantity {
    fn of(found: Found) -> Option<Self> {
        let Value::Number(value, dim) = *found.value else { return None };
        Some(Quantity { value, dim, loc: found.item.loc, path: found.path() })
    }
}

impl KeyValue for Vec<Quantity> {
    fn of(found: Found) -> Option<Self> {
        let Value::Numbers(list) = found.value else { return None };
        let one = |(value, dim): &(f64, &'static Dim)| Quantity {
            value: *value,
            dim,
            loc: found.item.loc,
            path: found.path(),
        };
        Some(list.iter().map(one).collect())
    }
}

impl KeyValue for Vec<f64> {
    fn of(found: Found) -> Option<Self> {
        match found.value {
            Value::Numbers(list) => Some(list.iter().map(|n| n.0).collect()),
            _ => None,
        }
    }
}

impl KeyValue for Vec<[f64; 2]> {
    fn of(found: Found) -> Option<Self> {
        match found.value {
            Value::Places(places, _) => Some(places.clone()),
            _ => None,
        }
    }
}

impl<const N: usize> KeyValue for [f64; N] {
    fn of(found: Found) -> Option<Self> {
        Vec::<f64>::of(found)?.try_into().ok()
    }
}

impl KeyValue for Vec3 {
    fn of(found: Found) -> Option<Self> {
        match found.value {
            Value::Axis(axis) => Some(*axis),
            _ => <[f64; 3]>::of(found).map(Vec3::from),
        }
    }
}

impl KeyValue for Timed {
    fn of(found: Found) -> Option<Self> {
        let Value::Signal(signal, dim) = found.value else { return None };
        Some(Timed { signal: signal.clone(), dim, loc: found.item.loc, path: found.path() })
    }
}

impl KeyValue for AttachSpec {
    fn of(found: Found) -> Option<Self> {
        match found.value {
            Value::Attach(spec) => Some(spec.clone()),
            _ => None,
        }
    }

    fn bodies(found: Found) -> Vec<BodyName> {
        AttachSpec::of(found).iter().map(|spec| body_of(spec, found.path())).collect()
    }
}

impl KeyValue for [AttachSpec; 2] {
    fn of(found: Found) -> Option<Self> {
        match found.value {
            Value::Pair(pair) => Some((**pair).clone()),
            _ => None,
        }
    }

    fn bodies(found: Found) -> Vec<BodyName> {
        <[AttachSpec; 2]>::of(found).iter().flatten().map(|spec| body_of(spec, found.path())).collect()
    }
}

fn body_of(spec: &AttachSpec, path: String) -> BodyName {
    BodyName(Text { text: spec.body.clone(), loc: spec.loc, path })
}
