//! Keys of a table of a study file: asked for by name; keys that were not asked for are mistakes.

use super::mistakes::{Mistakes, meant};
use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};
use toml_edit::{Item, TableLike, Value};

/// Where values stand, by dotted path.
pub(crate) type Spans = BTreeMap<String, Range<usize>>;

/// A table that is being read.
pub(super) struct Keys<'a, 'm> {
    table: &'a dyn TableLike,
    path: String,
    asked: Vec<String>,
    pub mistakes: &'m mut Mistakes,
}

impl<'a, 'm> Keys<'a, 'm> {
    pub fn new(table: &'a dyn TableLike, path: &str, mistakes: &'m mut Mistakes) -> Self {
        Keys { table, path: path.into(), asked: Vec::new(), mistakes }
    }

    fn path_of(&self, key: &str) -> String {
        if self.path.is_empty() { key.into() } else { format!("{}.{key}", self.path) }
    }

    pub fn take(&mut self, key: &str) -> Option<&'a Item> {
        self.asked.push(key.into());
        self.table.get(key).filter(|item| !item.is_none())
    }

    pub fn is_missing(&self, key: &str) -> bool {
        self.table.get(key).is_none()
    }

    /// Remembers where some of its keys stand.
    pub fn note(&self, spans: &mut Spans, keys: &[&str]) {
        for key in keys {
            if let Some(span) = self.table.get(key).and_then(Item::span) {
                spans.insert(self.path_of(key), span);
            }
        }
    }

    fn wrong(&mut self, key: &str, item: &Item, must: &str) {
        let path = self.path_of(key);
        self.mistakes.at(item.span(), &path, format!("must be {must}")).found = Some(shown(item));
    }

    pub fn text(&mut self, key: &str) -> Option<String> {
        let item = self.take(key)?;
        let text = item.as_str().map(str::to_string);
        if text.is_none() {
            self.wrong(key, item, "a text");
        }
        text
    }

    pub fn flag(&mut self, key: &str) -> Option<bool> {
        let item = self.take(key)?;
        if item.as_bool().is_none() {
            self.wrong(key, item, "true or false");
        }
        item.as_bool()
    }

    pub fn word(&mut self, key: &str, words: &[&'static str]) -> Option<&'static str> {
        let item = self.take(key)?;
        let found = item.as_str().and_then(|text| words.iter().find(|word| **word == text).copied());
        if found.is_none() {
            let path = self.path_of(key);
            let hint = item.as_str().map(|text| meant(text, words));
            let mistake = self.mistakes.at(item.span(), &path, "must be one of its words");
            (mistake.found, mistake.allowed, mistake.hint) =
                (Some(shown(item)), Some(words.join(", ")), hint);
        }
        found
    }

    pub fn texts(&mut self, key: &str) -> Option<Vec<String>> {
        let item = self.take(key)?;
        let list = item.as_array().map(|list| list.iter().map(|v| v.as_str().map(str::to_string)).collect());
        let texts: Option<Vec<String>> = list.unwrap_or(None);
        if texts.is_none() {
            self.wrong(key, item, "a list of texts");
        }
        texts
    }

    pub fn count(&mut self, key: &str, allowed: RangeInclusive<u64>) -> Option<u64> {
        let item = self.take(key)?;
        let n = item.as_integer().and_then(|n| u64::try_from(n).ok()).filter(|n| allowed.contains(n));
        if n.is_none() {
            self.wrong(key, item, &format!("a whole number from {} to {}", allowed.start(), allowed.end()));
        }
        n
    }

    pub fn number(&mut self, key: &str) -> Option<f64> {
        let item = self.take(key)?;
        let x = item.as_value().and_then(number);
        if x.is_none() {
            self.wrong(key, item, "a number");
        }
        x
    }

    pub fn numbers<const N: usize>(&mut self, key: &str) -> Option<[f64; N]> {
        let item = self.take(key)?;
        let list: Option<Vec<f64>> = item.as_array().and_then(|list| list.iter().map(number).collect());
        let found = list.and_then(|list| <[f64; N]>::try_from(list).ok());
        if found.is_none() {
            self.wrong(key, item, &format!("a list of {N} numbers"));
        }
        found
    }

    /// Reports keys that were not asked for.
    pub fn finish(self) {
        for (key, item) in self.table.iter().filter(|(key, _)| !self.asked.iter().any(|k| k == key)) {
            let known: Vec<&str> = self.asked.iter().map(String::as_str).collect();
            let span = self.table.key(key).and_then(|k| k.span()).or(item.span());
            let path = if self.path.is_empty() { key.to_string() } else { format!("{}.{key}", self.path) };
            self.mistakes.at(span, &path, "is not a key of a study").hint = Some(meant(key, &known));
        }
    }
}

/// A finite number.
pub(super) fn number(value: &Value) -> Option<f64> {
    let x = value.as_float().or_else(|| value.as_integer().map(|n| n as f64))?;
    x.is_finite().then_some(x)
}

/// A value as the user wrote it, in a line.
pub(super) fn shown(item: &Item) -> String {
    let text = item.to_string();
    let text = text.trim().replace('\n', " ");
    if text.chars().count() > 60 { text.chars().take(60).collect::<String>() + "…" } else { text }
}
