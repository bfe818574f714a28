//! Converts records to the structs of the table: the location of a section, and its keys as values.

use super::values::{BodyName, Found, KeyValue};
use super::{Item, Record, Spot, Value, read_kind};
use crate::error::Issues;
use crate::node::parse_value;
use crate::source::Loc;
use crate::table::{Key, Keys, Need};
use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::sync::Arc;

/// Locations of a section and its values.
pub(crate) struct Here<S> {
    pub loc: Loc,
    pub path: String,
    /// The value of its key `about`.
    pub about: Option<String>,
    /// The value of its key `assumed`.
    pub assumed: Option<String>,
    items: Arc<BTreeMap<&'static str, Written>>,
    of: PhantomData<fn() -> S>,
}

#[derive(Debug)]
struct Written {
    loc: Loc,
    key: String,
    given: bool,
    wrong: bool,
}

impl<S> Clone for Here<S> {
    fn clone(&self) -> Self {
        Here {
            loc: self.loc,
            path: self.path.clone(),
            about: self.about.clone(),
            assumed: self.assumed.clone(),
            items: self.items.clone(),
            of: PhantomData,
        }
    }
}

impl<S> std::fmt::Debug for Here<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Here").field(&self.path).finish()
    }
}

impl<S> Here<S> {
    pub fn of(record: &Record) -> Self {
        let written = |item: &Item| Written {
            loc: item.loc,
            key: item.key.clone(),
            given: item.given,
            wrong: item.value.is_none(),
        };
        let items = record.items.iter().map(|(key, item)| (*key, written(item))).collect();
        Here {
            loc: record.loc,
            path: record.path.clone(),
            about: record.about.clone(),
            assumed: record.assumed.clone(),
            items: Arc::new(items),
            of: PhantomData,
        }
    }

    /// Written by the user.
    pub fn has<T>(&self, key: Key<S, T>) -> bool {
        self.items.get(key.name()).is_some_and(|i| i.given)
    }

    /// Whether one of these keys had a mistake, which has been reported.
    pub fn any_wrong(&self, mut keys: impl Iterator<Item = &'static str>) -> bool {
        keys.any(|key| self.items.get(key).is_some_and(|item| item.wrong))
    }

    /// Every key that was written: its name, place and path.
    pub fn given(&self) -> impl Iterator<Item = (&'static str, Loc, String)> {
        let given = self.items.iter().filter(|(_, item)| item.given);
        given.map(|(key, item)| (*key, item.loc, super::join(&self.path, &item.key)))
    }

    /// Location of a value, or of the section if it was filled in or is missing.
    pub fn loc_of<T>(&self, key: Key<S, T>) -> Loc {
        self.items.get(key.name()).map_or(self.loc, |i| i.loc)
    }

    /// Path of a value, as the user wrote it.
    pub fn path_of<T>(&self, key: Key<S, T>) -> String {
        let written = self.items.get(key.name()).map_or(key.name(), |i| i.key.as_str());
        super::join(&self.path, written)
    }
}

/// A table of a map such as `[body.NAME]`.
#[derive(Clone, Debug)]
pub(crate) struct Named<T> {
    pub name: String,
    pub loc: Loc,
    pub path: String,
    /// `None` after a mistake in one of its keys.
    pub keys: Option<T>,
    /// After a mistake: the bodies named by its other keys.
    pub bodies: Vec<BodyName>,
}

/// A table of its own such as `[ground]`.
#[derive(Clone, Debug)]
pub(crate) struct Part<T> {
    pub loc: Loc,
    pub path: String,
    /// `None` after a mistake in one of its keys.
    pub keys: Option<T>,
    /// After a mistake: the bodies named by its other keys.
    pub bodies: Vec<BodyName>,
}

/// The struct of a record, or the bodies that it names.
fn read_or_name<T: Keys>(record: &Record) -> (Option<T>, Vec<BodyName>) {
    let keys = T::read(record);
    let bodies = if keys.is_none() { T::bodies(record) } else { Vec::new() };
    (keys, bodies)
}

impl Record {
    /// A value; `None` where it is missing or a mistake has been reported.
    pub fn get<S, T: KeyValue>(&self, key: Key<S, T>) -> Option<T> {
        let item = self.items.get(key.name())?;
        T::of(Found { value: item.value.as_ref()?, item, record: self })
    }

    /// A value that has a default, which also replaces a wrong one, so that further mistakes are found.
    pub fn or_default<S, T: KeyValue>(&self, key: Key<S, T>) -> Option<T> {
        self.get(key).or_else(|| {
            let field = self.section.find(key.name())?.0;
            let Need::Default(text) = field.need else { return None };
            let spot = Spot { path: field.key, field, dim: None };
            let node = parse_value(text, self.loc);
            let value = read_kind(&node, &field.kind, spot, &mut Issues::default())?;
            let item = Item { value: None, loc: self.loc, key: field.key.into(), given: false };
            T::of(Found { value: &value, item: &item, record: self })
        })
    }

    /// Bodies that a value names.
    pub fn bodies<S, T: KeyValue>(&self, key: Key<S, T>) -> Vec<BodyName> {
        let Some(item) = self.items.get(key.name()) else { return Vec::new() };
        item.value.as_ref().map_or(Vec::new(), |value| T::bodies(Found { value, item, record: self }))
    }

    /// Named tables; none where there are none.
    pub fn named<S, T: Keys>(&self, key: Key<S, T>) -> Vec<Named<T>> {
        let one = |n: &super::NamedRecord| {
            let (keys, bodies) = read_or_name(&n.record);
            Named { name: n.name.clone(), loc: n.loc, path: n.record.path.clone(), keys, bodies }
        };
        match self.items.get(key.name()).and_then(|i| i.value.as_ref()) {
            Some(Value::Map(list)) => list.iter().map(one).collect(),
            _ => Vec::new(),
        }
    }

    /// A table, including one with mistakes.
    pub fn part<S, T: Keys>(&self, key: Key<S, T>) -> Option<Part<T>> {
        match self.items.get(key.name())?.value.as_ref()? {
            Value::Table(r) => {
                let (keys, bodies) = read_or_name(r);
                Some(Part { loc: r.loc, path: r.path.clone(), keys, bodies })
            }
            _ => None,
        }
    }
}
