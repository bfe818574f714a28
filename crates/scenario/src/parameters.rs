//! Knobs: `[parameters]` gives short names to dotted paths; `--set NAME=VALUE` (or a full path) changes their
//! values.
//!
//! Works on the tree before it is read, so that a changed value is checked exactly like a written one.

mod target;
mod turn;

use crate::error::Issues;
use crate::node::{self, Data, Entry, Node};
use crate::read::{Item, Record, Spot, Value, format_number, read_kind};
use crate::source::{Loc, Sources};
use crate::table::{
    IntegratorKeys, KeyKind, Need, ParameterKeys, SCENARIO, ScenarioKeys, SoilKeys, TerrainKeys,
};
use crate::unit::{ANGLE, Dim, SPIN};
use target::{Target, find_target};

/// A knob of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Short name, for `--set`.
    pub name: String,
    /// The dotted path that it sets.
    pub path: String,
    /// SI unit of its value; empty for pure numbers, words and counts.
    pub unit: String,
    /// Its default value.
    pub default: String,
    /// Its present value.
    pub value: String,
    /// A one-line description.
    pub about: String,
}

/// A knob and its target.
pub(crate) struct Knob {
    name: String,
    path: String,
    target: Target,
    default: String,
    about: String,
}

/// Inserts defaults and settings into the tree; returns the knobs, and a line for each setting without
/// effect.
pub(crate) fn apply(root: &mut Node, sets: &[Setting], issues: &mut Issues) -> (Vec<Knob>, Vec<String>) {
    let mut knobs = collect(root, issues);
    for knob in &mut knobs {
        let degrees = in_which_degrees(&knob.target, &knob.name);
        let value = current(root, &knob.target);
        knob.default = match (value, &knob.target.field.need) {
            (Some(value), _) => show(&value, degrees).0,
            (None, Need::Derived(how)) if find(root, &knob.target.segments).is_none() => how.to_string(),
            _ => String::new(),
        };
    }
    let idle = turn::turn_all(root, sets, &knobs, issues);
    (knobs, idle)
}

/// Machine files chosen by `--set` must be known before machine files are read; mistakes are reported by
/// [`apply`].
pub(crate) fn apply_files(root: &mut Node, sets: &[Setting]) {
    let mut quiet = Issues::default();
    for (set, source) in sets {
        let Some((name, value)) = set.split_once('=') else { continue };
        let knob = root
            .get(ScenarioKeys::parameters.name())
            .and_then(|p| p.get(name.trim())?.get(ParameterKeys::path.name()));
        let path = match knob.map(|n| &n.data) {
            Some(Data::Text(path)) => path.clone(),
            _ => name.trim().to_string(),
        };
        if path.ends_with(".use") || path.ends_with(".urdf") {
            let loc = Loc::new(*source, name.len() + 1..set.len());
            if let Some(target) = find_target(root, &path, loc, "", &mut quiet) {
                insert(root, &target, name, node::parse_value(value, loc));
            }
        }
    }
}

/// A `--set` argument and the source it was given.
pub(crate) type Setting = (String, u32);

/// Gives every `--set` argument a source of its own.
pub(crate) fn settings(sets: &[String], sources: &mut Sources) -> Vec<Setting> {
    sets.iter().map(|set| (set.clone(), sources.add(&format!("--set {set}"), set))).collect()
}

/// The knobs with their present values, once the tree has been read.
pub(crate) fn finish(knobs: Vec<Knob>, record: &Record) -> Vec<Parameter> {
    let list = knobs.into_iter().map(|mut knob| {
        let item = lookup(record, &knob.target.segments);
        let degrees = in_which_degrees(&knob.target, &knob.name);
        let (value, unit) = item.and_then(|i| i.value.as_ref()).map(|v| show(v, degrees)).unwrap_or_default();
        // For a value that follows from others, the result is shown instead of the rule.
        if item.is_some_and(|i| !i.given) {
            knob.default = value.clone();
        }
        // A value that is neither given nor filled in is shown by the description of its key ("the soil's
        // own"), since it was not changed.
        let value =
            if item.is_none_or(|i| !i.given && i.value.is_none()) { knob.default.clone() } else { value };
        let unit = match (unit.as_str(), degrees) {
            ("", Some(degrees)) => degrees.into(),
            ("", None) => knob.target.field.kind.dims().first().map_or("", |d| d.unit).into(),
            _ => unit,
        };
        Parameter { value, unit, name: knob.name, path: knob.path, default: knob.default, about: knob.about }
    });
    list.collect()
}

fn collect(root: &mut Node, issues: &mut Issues) -> Vec<Knob> {
    let mut knobs = Vec::new();
    let entries: Vec<Entry> =
        root.get(ScenarioKeys::parameters.name()).map(|n| n.entries().to_vec()).unwrap_or_default();
    for entry in &entries {
        // A knob without a path is reported when the tree is read.
        let Some(Node { data: Data::Text(path), loc }) = entry.node.get(ParameterKeys::path.name()) else {
            continue;
        };
        let own_path = format!("parameters.{}", entry.key);
        let own = format!("{own_path}.path");
        let target = find_target(root, path, *loc, &own, issues);
        let Some(target) = target.filter(|target| !target.refuses_knob(*loc, &own, issues)) else { continue };
        let about = match entry.node.get("about").map(|n| &n.data) {
            Some(Data::Text(about)) => about.clone(),
            _ => target.field.about.to_string(),
        };
        if let Some(default) = entry.node.get(ParameterKeys::default.name()) {
            if find(root, &target.segments).is_some() {
                issues
                    .at(default.loc, format!("{own_path}.default"), format!("is also said at {path}"))
                    .hint("keep one of the two");
                continue;
            }
            insert(root, &target, &entry.key, default.clone());
        }
        knobs.push(Knob {
            name: entry.key.clone(),
            path: path.clone(),
            target,
            default: String::new(),
            about,
        });
    }
    if !knobs.iter().any(|k| k.name == "duration_s") {
        let loc = root.loc;
        if let Some(target) = find_target(root, "duration", loc, "", issues) {
            let about = "simulated time".to_string();
            let (name, path) = ("duration_s".to_string(), "duration".to_string());
            knobs.push(Knob { name, path, target, default: String::new(), about });
        }
    }
    knobs
}

/// The entry at a path, in any spelling.
fn find<'a>(root: &'a Node, segments: &[String]) -> Option<&'a Entry> {
    let (last, above) = segments.split_last()?;
    let mut node = root;
    let mut section = Some(SCENARIO);
    let mut named = false;
    for segment in above {
        node = node.get(segment)?;
        (section, named) = step(section, named, segment);
    }
    let field = section.and_then(|s| s.find(last)).map(|f| f.0.key);
    node.entries().iter().find(|e| match (section, field) {
        (Some(s), Some(key)) if !named => s.find(&e.key).is_some_and(|f| f.0.key == key),
        _ => e.key == *last,
    })
}

/// Follows the table of keys by one segment; `named` means that the next segment is a name, not a key.
fn step(
    section: Option<&'static crate::table::Section>,
    named: bool,
    segment: &str,
) -> (Option<&'static crate::table::Section>, bool) {
    if named {
        return (section, false);
    }
    match section.and_then(|s| s.find(segment)).map(|f| &f.0.kind) {
        Some(KeyKind::Map(below)) => (Some(*below), true),
        Some(kind) => (kind.section(), false),
        None => (None, false),
    }
}

/// Writes a value at a path, replacing any spelling of it.
fn insert(root: &mut Node, target: &Target, name: &str, value: Node) {
    let loc = value.loc;
    let Some((_, above)) = target.segments.split_last() else { return };
    let mut node = root;
    let mut from = "";
    for segment in above {
        lengthen(node, from);
        let Some(entries) = node.entries_mut() else { return };
        let at = entries.iter().position(|e| e.key == *segment).unwrap_or_else(|| {
            entries.push(Entry {
                key: segment.clone(),
                key_loc: loc,
                node: Node::new(loc, Data::Table(Vec::new())),
            });
            entries.len() - 1
        });
        node = &mut entries[at].node;
        from = segment;
    }
    lengthen(node, from);
    let Some(entries) = node.entries_mut() else { return };
    entries.retain(|e| target.field.spelled(&e.key).is_none());
    let value = in_degrees(target, name, value);
    let key = written_key(target, name, &value);
    entries.push(Entry { key, key_loc: loc, node: value });
}

/// The short forms `integrator = "explicit"` and `soil = "lete-sand"` are expanded to tables when one of
/// their keys is set.
fn lengthen(node: &mut Node, key: &str) {
    if let Data::Text(word) = &node.data {
        let word = Entry {
            key: if key == TerrainKeys::soil.name() {
                SoilKeys::uses.name()
            } else {
                IntegratorKeys::name.name()
            }
            .into(),
            key_loc: node.loc,
            node: Node::new(node.loc, Data::Text(word.clone())),
        };
        node.data = Data::Table(vec![word]);
    }
}

/// The unit of plain numbers given to a knob whose name ends in degrees: an angle in `_deg`, an angular speed
/// in `_deg_per_s`.
fn in_which_degrees(target: &Target, name: &str) -> Option<&'static str> {
    let has = |dim: &Dim| target.field.kind.dims().contains(&dim) && target.dim.is_none();
    let units = [(&ANGLE, "_deg", "deg"), (&SPIN, "_deg_per_s", "deg/s")];
    units.into_iter().find(|(dim, end, _)| has(dim) && name.ends_with(end)).map(|(_, _, unit)| unit)
}

/// Converts plain numbers given to such a knob into texts with a unit.
fn in_degrees(target: &Target, name: &str, mut value: Node) -> Node {
    let Some(unit) = in_which_degrees(target, name) else { return value };
    let degrees = |node: &mut Node| {
        if let Some(x) = node.number() {
            node.data = Data::Text(format!("{} {unit}", format_number(x)));
        }
    };
    match &mut value.data {
        Data::Array(list) => list.iter_mut().for_each(degrees),
        _ => degrees(&mut value),
    }
    value
}

/// A plain number has the unit in which the knob's name (or the path) ends.
fn written_key(target: &Target, name: &str, value: &Node) -> String {
    let field = target.field;
    let plain = match &value.data {
        Data::Array(list) => list.iter().all(|n| n.number().is_some()),
        _ => value.number().is_some(),
    };
    let by_name = field
        .kind
        .dims()
        .iter()
        .filter(|d| !d.suffix.is_empty() && name.ends_with(&format!("_{}", d.suffix)));
    let dim = target.dim.or_else(|| by_name.max_by_key(|d| d.suffix.len()).copied());
    match dim {
        Some(dim) if plain => format!("{}_{}", field.key, dim.suffix),
        _ => field.key.to_string(),
    }
}

/// The value at a path in the tree, or its default; `None` if it follows from others.
fn current(root: &Node, target: &Target) -> Option<Value> {
    let field = target.field;
    let mut quiet = Issues::default();
    let mut read = |node: &Node, dim: Option<&'static Dim>| {
        read_kind(node, &field.kind, Spot { path: "", field, dim }, &mut quiet)
    };
    if let Some(entry) = find(root, &target.segments) {
        return read(&entry.node, field.spelled(&entry.key).flatten());
    }
    match field.need {
        Need::Default(text) => read(&node::parse_value(text, root.loc), None),
        _ => None,
    }
}

/// The item at a path of a record.
pub(crate) fn lookup<'a>(record: &'a Record, segments: &[String]) -> Option<&'a Item> {
    let (key, rest) = segments.split_first()?;
    let field = record.section.find(key)?.0;
    let item = record.item(field)?;
    match (item.value.as_ref()?, rest) {
        (_, []) => Some(item),
        (Value::Table(table), rest) => lookup(table, rest),
        (Value::Map(list), [name, rest @ ..]) => lookup(&list.iter().find(|n| n.name == *name)?.record, rest),
        _ => None,
    }
}

/// A value as text, and its unit; angles in degrees if requested.
fn show(value: &Value, degrees: Option<&str>) -> (String, String) {
    let turned = |x: f64, dim: &Dim| degrees.is_some() && (*dim == ANGLE || *dim == SPIN) && x.is_finite();
    // Rounded, because the conversion to degrees changes the last digits.
    let number = |x: f64, dim: &Dim| match turned(x, dim) {
        true => format_number((x.to_degrees() * 1e9).round() / 1e9),
        false => format_number(x),
    };
    let unit_of = |dim: &Dim| degrees.filter(|_| turned(0.0, dim)).unwrap_or(dim.unit).to_string();
    let list = |items: Vec<String>| format!("[{}]", items.join(", "));
    match value {
        Value::Text(text) => (text.clone(), String::new()),
        Value::Texts(texts) => (list(texts.iter().map(|t| t.0.clone()).collect()), String::new()),
        Value::Flag(flag) => (flag.to_string(), String::new()),
        Value::Count(count) => (count.to_string(), String::new()),
        Value::Number(x, dim) => (number(*x, dim), unit_of(dim)),
        Value::Numbers(numbers) => {
            let unit = numbers.first().map(|n| unit_of(n.1)).unwrap_or_default();
            (list(numbers.iter().map(|n| number(n.0, n.1)).collect()), unit)
        }
        Value::Places(places, dim) => {
            let place = |p: &[f64; 2]| list(p.iter().map(|x| number(*x, dim)).collect());
            (list(places.iter().map(place).collect()), unit_of(dim))
        }
        Value::Axis(a) => (list(a.iter().map(|x| format_number(*x)).collect()), String::new()),
        Value::Signal(touchdown_math::Signal::Constant(c), dim) => (format_number(*c), dim.unit.into()),
        Value::Signal(_, dim) => ("a function of time".into(), dim.unit.into()),
        _ => ("a table".into(), String::new()),
    }
}
