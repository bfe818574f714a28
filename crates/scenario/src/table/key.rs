//! Typed keys: what `section!` generates from each line, and the traits of a section's struct and a word's
//! enum.

use super::Section;
use crate::read::{BodyName, Record};
use std::marker::PhantomData;

/// The struct of a section.
pub(crate) trait Keys: Sized {
    /// Its section in the table.
    const SECTION: &'static Section;

    /// Its values; `None` where a mistake in one of them has been reported.
    fn read(record: &Record) -> Option<Self>;

    /// Bodies named by its keys, for a table with a mistake.
    fn bodies(record: &Record) -> Vec<BodyName>;
}

/// The enum of a key that is one of a few words.
pub(crate) trait Words: Copy + 'static {
    /// The words, in the order of the list.
    const WORDS: &'static [&'static str];

    fn of_word(word: &str) -> Option<Self>;

    /// The word as in files.
    fn word(self) -> &'static str;
}

/// A key of the section `S` whose value is a `T`. Only the table creates keys.
pub(crate) struct Key<S, T> {
    name: &'static str,
    of: PhantomData<fn() -> (S, T)>,
}

impl<S, T> Clone for Key<S, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S, T> Copy for Key<S, T> {}

impl<S, T> Key<S, T> {
    pub(in crate::table) const fn new(name: &'static str) -> Self {
        Key { name, of: PhantomData }
    }

    /// The key as in files.
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// The key without the type of its value, for lists of keys.
    pub const fn any(self) -> Key<S, ()> {
        Key { name: self.name, of: PhantomData }
    }
}
