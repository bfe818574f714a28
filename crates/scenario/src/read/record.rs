//! What reading gives: records of typed SI values that remember where they came from and whether they were written or filled in.

use crate::source::Loc;
use crate::table::Section;
use crate::unit::Dim;
use std::collections::BTreeMap;
use touchdown_math::{Signal, Vec3};

/// A table that was read.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub section: &'static Section,
    pub path: String,
    pub loc: Loc,
    pub items: BTreeMap<&'static str, Item>,
    pub assumed: Option<String>,
    pub about: Option<String>,
}

/// A value of a record; `value` is `None` where a mistake has been reported.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub value: Option<Value>,
    pub loc: Loc,
    /// The key as written.
    pub key: String,
    /// Written by the user (true) or filled in (false).
    pub given: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum Value {
    Text(String),
    Texts(Vec<(String, Loc)>),
    Flag(bool),
    Count(u64),
    Number(f64, &'static Dim),
    Numbers(Vec<(f64, &'static Dim)>),
    Axis(Vec3),
    Signal(Signal, &'static Dim),
    Attach(AttachSpec),
    Pair(Box<[AttachSpec; 2]>),
    Table(Record),
    Map(Vec<NamedRecord>),
}

/// A named table of a map such as `[body.NAME]`.
#[derive(Clone, Debug)]
pub(crate) struct NamedRecord {
    pub name: String,
    pub loc: Loc,
    pub record: Record,
}

/// A point of a body, before the body has been looked up.
#[derive(Clone, Debug)]
pub(crate) struct AttachSpec {
    pub body: String,
    pub point: Option<String>,
    pub position: Option<Vec3>,
    pub at: Option<Vec3>,
    pub loc: Loc,
}

impl Record {
    pub fn new(section: &'static Section, path: &str, loc: Loc) -> Self {
        Record { section, path: path.into(), loc, items: BTreeMap::new(), assumed: None, about: None }
    }

    pub fn value(&self, key: &str) -> Option<&Value> {
        self.items.get(key)?.value.as_ref()
    }

    /// Written by the user, rightly or wrongly.
    pub fn has(&self, key: &str) -> bool {
        self.items.get(key).is_some_and(|i| i.given)
    }

    /// Place of a value, or of the table if it is missing.
    pub fn loc_of(&self, key: &str) -> Loc {
        self.items.get(key).map_or(self.loc, |i| i.loc)
    }

    /// Path of a value, as the user wrote it.
    pub fn path_of(&self, key: &str) -> String {
        self.path_to(self.items.get(key).map_or(key, |i| i.key.as_str()))
    }

    /// Path of a key as written.
    pub(super) fn path_to(&self, written: &str) -> String {
        super::join(&self.path, written)
    }

    pub fn text(&self, key: &str) -> Option<&str> {
        match self.value(key)? {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn texts(&self, key: &str) -> &[(String, Loc)] {
        match self.value(key) {
            Some(Value::Texts(texts)) => texts,
            _ => &[],
        }
    }

    pub fn flag(&self, key: &str) -> bool {
        matches!(self.value(key), Some(Value::Flag(true)))
    }

    pub fn count(&self, key: &str) -> Option<u64> {
        match self.value(key)? {
            Value::Count(count) => Some(*count),
            _ => None,
        }
    }

    pub fn number(&self, key: &str) -> Option<f64> {
        self.quantity(key).map(|q| q.0)
    }

    pub fn quantity(&self, key: &str) -> Option<(f64, &'static Dim)> {
        match self.value(key)? {
            Value::Number(x, dim) => Some((*x, dim)),
            _ => None,
        }
    }

    pub fn numbers(&self, key: &str) -> Option<&[(f64, &'static Dim)]> {
        match self.value(key)? {
            Value::Numbers(list) => Some(list),
            _ => None,
        }
    }

    pub fn vec3(&self, key: &str) -> Option<Vec3> {
        match self.value(key)? {
            Value::Numbers(list) if list.len() == 3 => Some(Vec3::new(list[0].0, list[1].0, list[2].0)),
            Value::Axis(axis) => Some(*axis),
            _ => None,
        }
    }

    pub fn signal(&self, key: &str) -> Option<(&Signal, &'static Dim)> {
        match self.value(key)? {
            Value::Signal(signal, dim) => Some((signal, dim)),
            _ => None,
        }
    }

    pub fn attach(&self, key: &str) -> Option<&AttachSpec> {
        match self.value(key)? {
            Value::Attach(spec) => Some(spec),
            _ => None,
        }
    }

    pub fn pair(&self, key: &str) -> Option<&[AttachSpec; 2]> {
        match self.value(key)? {
            Value::Pair(pair) => Some(pair),
            _ => None,
        }
    }

    pub fn table(&self, key: &str) -> Option<&Record> {
        match self.value(key)? {
            Value::Table(record) => Some(record),
            _ => None,
        }
    }

    pub fn table_mut(&mut self, key: &str) -> Option<&mut Record> {
        match self.items.get_mut(key)?.value.as_mut()? {
            Value::Table(record) => Some(record),
            _ => None,
        }
    }

    pub fn map(&self, key: &str) -> &[NamedRecord] {
        match self.value(key) {
            Some(Value::Map(list)) => list,
            _ => &[],
        }
    }

    pub fn map_mut(&mut self, key: &str) -> &mut [NamedRecord] {
        match self.items.get_mut(key).and_then(|i| i.value.as_mut()) {
            Some(Value::Map(list)) => list,
            _ => &mut [],
        }
    }

    /// Fills in a value that follows from others.
    pub fn fill(&mut self, key: &'static str, value: Value) {
        let loc = self.loc;
        let item = Item { value: Some(value), loc, key: key.into(), given: false };
        self.items.entry(key).or_insert(item);
    }
}
