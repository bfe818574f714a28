//! Reading by the table: [`Node`] → [`Record`], every value checked for type, unit and range, every mistake
//! collected.
//!
//! Third stage. The values of a record are typed and in SI; `build` checks that names exist and that the
//! whole is consistent.

mod keys;
mod named;
mod number;
mod record;
mod signal;
mod values;

use crate::error::{Issues, nearest};
use crate::node::{Data, Entry, Node, parse_value};
use crate::source::Loc;
use crate::table::{COMMON, Field, KeyKind, Need, Section};
use crate::unit::Dim;
pub(crate) use keys::{Here, Named, Part};
pub(crate) use number::format_number;
pub(crate) use number::range_in_words;
pub(crate) use record::{AttachSpec, Item, NamedRecord, Record, Value};
pub(crate) use signal::FORMS as SIGNAL_FORMS;
pub(crate) use values::{BodyName, Found, KeyValue, Quantity, Text, Timed};

/// Most texts in a list.
const MOST_TEXTS: usize = 1_000;

/// A value being read: its location, its name, and the unit in its key.
#[derive(Clone, Copy)]
pub(crate) struct Spot<'a> {
    pub path: &'a str,
    pub field: &'static Field,
    pub dim: Option<&'static Dim>,
}

/// Reads a table by its section.
pub(crate) fn read_table(node: &Node, section: &'static Section, path: &str, issues: &mut Issues) -> Record {
    let mut record = Record::new(section, path, node.loc);
    let Data::Table(entries) = &node.data else {
        issues
            .at(node.loc, path, "must be a table")
            .found(node.show())
            .hint(format!("{}: {}", section.name, section.about));
        return record;
    };
    for entry in entries {
        read_entry(entry, &mut record, issues);
    }
    for field in section.fields() {
        if !record.items.contains_key(field.key) {
            fill_missing(field, &mut record, issues);
        }
    }
    record
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.into() } else { format!("{path}.{key}") }
}

fn read_entry(entry: &Entry, record: &mut Record, issues: &mut Issues) {
    let path = join(&record.path, &entry.key);
    let Some((field, dim)) = record.section.find(&entry.key) else {
        read_common(entry, &path, record, issues);
        return;
    };
    if let Some(before) = record.items.get(field.key) {
        let other = before.key.clone();
        issues
            .at(entry.key_loc, path, format!("says the same as {other}"))
            .hint(format!("keep one of {other} and {}", entry.key));
        return;
    }
    let spot = Spot { path: &path, field, dim };
    let value = read_kind(&entry.node, &field.kind, spot, issues);
    let item = Item { value, loc: entry.node.loc, key: entry.key.clone(), given: true };
    record.items.insert(field.key, item);
}

/// Keys that every table can have; any other key is unknown.
fn read_common(entry: &Entry, path: &str, record: &mut Record, issues: &mut Issues) {
    let text = match (&entry.node.data, COMMON.iter().any(|f| f.key == entry.key)) {
        (Data::Text(text), true) => text.clone(),
        (_, true) => {
            issues.at(entry.node.loc, path, "must be a text").found(entry.node.show());
            return;
        }
        _ => return unknown_key(entry, path, record.section, issues),
    };
    match entry.key.as_str() {
        "assumed" => record.assumed = Some(text),
        _ => record.about = Some(text),
    }
}

fn unknown_key(entry: &Entry, path: &str, section: &'static Section, issues: &mut Issues) {
    if issues.is_full() {
        issues.at(entry.key_loc, path, "is not a key");
        return;
    }
    let keys = || section.fields().chain(COMMON);
    // `stiffness_kn` is a known key with a wrong unit ending: the hint names the unit instead of a similar
    // key.
    let stem = keys()
        .filter(|f| {
            !f.kind.dims().is_empty() && entry.key.strip_prefix(f.key).is_some_and(|r| r.starts_with('_'))
        })
        .max_by_key(|f| f.key.len());
    let with_units: Vec<String> = keys().flat_map(written_forms).collect();
    let near = nearest(&entry.key, with_units.iter().map(String::as_str));
    let issue = issues.at(entry.key_loc, path, format!("is not a key of {}", section.name));
    match (stem, near) {
        (Some(field), _) => issue.hint(format!("write {}", forms_in_words(field))),
        (None, Some(near)) => issue.hint(format!("did you mean {near}?")),
        (None, None) => {
            let all: Vec<&str> = section.fields().map(|f| f.key).collect();
            issue.allowed(all.join(", "))
        }
    };
}

/// The spellings of a key: without and with each unit.
pub(crate) fn written_forms(field: &'static Field) -> Vec<String> {
    let suffixed = field.kind.dims().iter().filter(|d| !d.suffix.is_empty());
    std::iter::once(field.key.to_string())
        .chain(suffixed.map(|d| format!("{}_{}", field.key, d.suffix)))
        .collect()
}

/// Examples of a number with unit, for hints.
fn forms_in_words(field: &'static Field) -> String {
    let dims = field.kind.dims();
    let unit = dims.first().map_or("", |d| d.unit);
    let forms = written_forms(field)[1..].join(" or ");
    format!("{} = \"… {unit}\", or {forms} = a number", field.key)
}

fn fill_missing(field: &'static Field, record: &mut Record, issues: &mut Issues) {
    match field.need {
        Need::Required => {
            let example = match field.kind.dims().first() {
                Some(d) if !d.suffix.is_empty() => format!("{} (or {}_{})", field.key, field.key, d.suffix),
                _ => field.key.to_string(),
            };
            let path = if record.path.is_empty() { "the scenario".to_string() } else { record.path.clone() };
            issues
                .at(record.loc, path, format!("needs {example}"))
                .hint(format!("{}: {}", field.key, field.about));
        }
        Need::Default(text) => {
            let path = join(&record.path, field.key);
            let spot = Spot { path: &path, field, dim: None };
            let value = read_kind(&parse_value(text, record.loc), &field.kind, spot, issues);
            let item = Item { value, loc: record.loc, key: field.key.into(), given: false };
            record.items.insert(field.key, item);
        }
        Need::Optional | Need::Derived(_) => {}
    }
}

/// Reads a value of a given kind; `None` after a mistake, which has been reported.
pub(crate) fn read_kind(
    node: &Node,
    kind: &'static KeyKind,
    spot: Spot,
    issues: &mut Issues,
) -> Option<Value> {
    match kind {
        KeyKind::Text => read_text(node, spot.path, issues).map(Value::Text),
        KeyKind::Texts => read_texts(node, spot.path, issues),
        KeyKind::Flag => match &node.data {
            Data::Flag(flag) => Some(Value::Flag(*flag)),
            Data::Text(word) if word == "on" || word == "off" => Some(Value::Flag(word == "on")),
            _ => wrong_type(node, spot.path, "true or false", issues),
        },
        KeyKind::Count { min, max } => number::read_count(node, *min, *max, spot, issues),
        KeyKind::Choice(words) => read_choice(node, words, spot.path, issues),
        KeyKind::Number(dims, range) => {
            number::read_number(node, dims, *range, spot, issues).map(|(x, d)| Value::Number(x, d))
        }
        KeyKind::Numbers { dims, range, lengths } => {
            number::read_numbers(node, (dims, *range, lengths), spot, issues)
        }
        KeyKind::Places(dims) => number::read_places(node, dims, spot, issues),
        KeyKind::Axis => number::read_axis(node, spot, issues),
        KeyKind::Signal(dims) => {
            signal::read_signal(node, dims, spot, issues).map(|(s, d)| Value::Signal(s, d))
        }
        KeyKind::Attach => named::read_attach(node, spot.path, issues).map(Value::Attach),
        KeyKind::AttachPair => named::read_pair(node, spot.path, issues),
        KeyKind::Table(section) => Some(Value::Table(read_table(node, section, spot.path, issues))),
        KeyKind::Map(section) => Some(Value::Map(named::read_map(node, section, spot.path, issues))),
        KeyKind::OneOf(kinds) => read_one_of(node, kinds, spot, issues),
    }
}

/// Chooses the kind by the value: a table, a list, a flag, a word or a number.
fn read_one_of(node: &Node, kinds: &'static [KeyKind], spot: Spot, issues: &mut Issues) -> Option<Value> {
    let suits = |kind: &&KeyKind| {
        matches!(
            (&node.data, *kind),
            (Data::Table(_), KeyKind::Table(_) | KeyKind::Map(_))
                | (Data::Array(_), KeyKind::Numbers { .. })
                | (Data::Text(_), KeyKind::Text | KeyKind::Choice(_))
                | (Data::Flag(_), KeyKind::Flag)
                | (Data::Integer(_) | Data::Float(_), KeyKind::Number(..))
        )
    };
    match kinds.iter().find(suits) {
        Some(kind) => read_kind(node, kind, spot, issues),
        None => {
            let forms: Vec<String> = kinds.iter().map(kind_in_words).collect();
            issues.at(node.loc, spot.path, "has the wrong form").found(node.show()).allowed(forms.join("; "));
            None
        }
    }
}

/// Description of the permitted values.
pub(crate) fn kind_in_words(kind: &KeyKind) -> String {
    match kind {
        KeyKind::Text => "a text".into(),
        KeyKind::Texts => "a text or a list of texts".into(),
        KeyKind::Flag => "true or false".into(),
        KeyKind::Count { min, max } => format!("a whole number from {min} to {max}"),
        KeyKind::Choice(words) => words.iter().map(|w| format!("\"{w}\"")).collect::<Vec<_>>().join(", "),
        KeyKind::Number(dims, _) => number::dims_in_words(dims),
        KeyKind::Numbers { dims, lengths, .. } => {
            format!("a list of {} ({})", number::lengths_in_words(lengths), number::dims_in_words(dims))
        }
        KeyKind::Places(dims) => format!("a list of places [x, y] ({})", number::dims_in_words(dims)),
        KeyKind::Axis => "three numbers".into(),
        KeyKind::Signal(dims) => format!("{}, or a function of time", number::dims_in_words(dims)),
        KeyKind::Attach => "\"BODY\", \"BODY:POINT\" or a table with body and position".into(),
        KeyKind::AttachPair => "a list of two points".into(),
        KeyKind::Table(section) | KeyKind::Map(section) => {
            let keys: Vec<&str> = section.fields().map(|f| f.key).collect();
            format!("a table with {}", keys.join(", "))
        }
        KeyKind::OneOf(kinds) => kinds.iter().map(kind_in_words).collect::<Vec<_>>().join("; "),
    }
}

fn wrong_type(node: &Node, path: &str, expected: &str, issues: &mut Issues) -> Option<Value> {
    issues.at(node.loc, path, format!("must be {expected}")).found(node.show());
    None
}

fn read_text(node: &Node, path: &str, issues: &mut Issues) -> Option<String> {
    match &node.data {
        Data::Text(text) => Some(text.clone()),
        _ => {
            issues.at(node.loc, path, "must be a text").found(node.show());
            None
        }
    }
}

fn read_texts(node: &Node, path: &str, issues: &mut Issues) -> Option<Value> {
    match &node.data {
        Data::Text(text) => Some(Value::Texts(vec![(text.clone(), node.loc)])),
        Data::Array(list) if list.len() > MOST_TEXTS => {
            issues.at(node.loc, path, format!("must have at most {MOST_TEXTS} texts")).found(list.len());
            None
        }
        Data::Array(list) => {
            let texts: Vec<_> = list.iter().map(|n| (read_text(n, path, issues), n.loc)).collect();
            let all: Option<Vec<(String, Loc)>> = texts.into_iter().map(|(t, l)| t.map(|t| (t, l))).collect();
            all.map(Value::Texts)
        }
        _ => wrong_type(node, path, "a text or a list of texts", issues),
    }
}

fn read_choice(
    node: &Node,
    words: &'static [&'static str],
    path: &str,
    issues: &mut Issues,
) -> Option<Value> {
    let allowed = words.join(", ");
    // A word can look like a number: model = 34.
    let text = match &node.data {
        Data::Text(text) => Some(text.clone()),
        Data::Integer(number) => Some(number.to_string()).filter(|text| words.contains(&text.as_str())),
        _ => None,
    };
    let Some(text) = &text else {
        issues.at(node.loc, path, "must be one of these words").found(node.show()).allowed(allowed);
        return None;
    };
    if words.contains(&text.as_str()) {
        return Some(Value::Text(text.clone()));
    }
    let issue = issues.at(node.loc, path, "is not one of these words").found(node.show()).allowed(allowed);
    if let Some(near) = nearest(text, words.iter().copied()) {
        issue.hint(format!("did you mean \"{near}\"?"));
    }
    None
}
