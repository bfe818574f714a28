//! Result of reading: records of typed SI values with their locations; each value is marked as written or
//! filled in.

use crate::source::Loc;
use crate::table::{Field, Key, Section};
use crate::unit::Dim;
use std::collections::BTreeMap;
use touchdown_math::{Signal, Vec3};

/// A table that was read.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub section: &'static Section,
    pub path: String,
    pub loc: Loc,
    pub(super) items: BTreeMap<&'static str, Item>,
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
    Places(Vec<[f64; 2]>, &'static Dim),
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

    /// The entry of a key of the section.
    pub fn item(&self, field: &Field) -> Option<&Item> {
        self.items.get(field.key)
    }

    /// The value of a key of the section; `None` if it is missing or a mistake has been reported.
    pub fn value(&self, field: &Field) -> Option<&Value> {
        self.item(field)?.value.as_ref()
    }

    /// Written by the user, valid or not.
    pub fn has<S, T>(&self, key: Key<S, T>) -> bool {
        self.items.get(key.name()).is_some_and(|i| i.given)
    }

    /// Written or filled in, valid or not.
    pub fn is_there<S, T>(&self, key: Key<S, T>) -> bool {
        self.items.contains_key(key.name())
    }

    /// Written with a mistake, which has been reported.
    pub fn is_wrong<S, T>(&self, key: Key<S, T>) -> bool {
        self.items.get(key.name()).is_some_and(|i| i.value.is_none())
    }

    /// Location of a value, or of the table if it is missing.
    pub fn loc_of<S, T>(&self, key: Key<S, T>) -> Loc {
        self.items.get(key.name()).map_or(self.loc, |i| i.loc)
    }

    /// Path of a key as written.
    pub(super) fn path_to(&self, written: &str) -> String {
        super::join(&self.path, written)
    }

    pub fn table<S, T>(&self, key: Key<S, T>) -> Option<&Record> {
        match self.items.get(key.name())?.value.as_ref()? {
            Value::Table(record) => Some(record),
            _ => None,
        }
    }

    pub fn table_mut<S, T>(&mut self, key: Key<S, T>) -> Option<&mut Record> {
        match self.items.get_mut(key.name())?.value.as_mut()? {
            Value::Table(record) => Some(record),
            _ => None,
        }
    }

    pub fn map<S, T>(&self, key: Key<S, T>) -> &[NamedRecord] {
        match self.items.get(key.name()).and_then(|i| i.value.as_ref()) {
            Some(Value::Map(list)) => list,
            _ => &[],
        }
    }

    pub fn map_mut<S, T>(&mut self, key: Key<S, T>) -> &mut [NamedRecord] {
        match self.items.get_mut(key.name()).and_then(|i| i.value.as_mut()) {
            Some(Value::Map(list)) => list,
            _ => &mut [],
        }
    }

    /// Fills in a value that follows from others.
    pub fn fill<S, T>(&mut self, key: Key<S, T>, value: Value) {
        if !self.is_there(key) {
            self.replace(key, self.filled_in(key.name(), value));
        }
    }

    /// Replaces a default by a value; a written value is kept.
    pub fn put<S, T>(&mut self, key: Key<S, T>, value: Value) {
        if !self.has(key) {
            self.replace(key, self.filled_in(key.name(), value));
        }
    }

    /// Sets the entry of a key.
    pub fn replace<S, T>(&mut self, key: Key<S, T>, item: Item) {
        self.items.insert(key.name(), item);
    }

    /// Marks every value as written by the user only if the table itself was.
    pub fn written_if(&mut self, given: bool) {
        self.items.values_mut().for_each(|item| item.given &= given);
    }

    fn filled_in(&self, key: &str, value: Value) -> Item {
        Item { value: Some(value), loc: self.loc, key: key.into(), given: false }
    }
}
