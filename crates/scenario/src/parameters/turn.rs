//! `--set NAME=VALUE`: each setting goes to the value it names, or is refused; one that changes nothing is reported.

use super::target::{Target, find_target};
use super::{Knob, Setting, current, insert, lookup};
use crate::error::{Issues, nearest};
use crate::node::{self, Node};
use crate::read::{Record, Value};
use crate::resolve::written;
use crate::source::Loc;
use crate::table::SCENARIO;

/// A setting that was put in place.
pub(crate) struct Turned {
    /// As it was given, `NAME=VALUE`.
    set: String,
    segments: Vec<String>,
    /// Key without unit: `width` for `rig.width_m`.
    key: &'static str,
    /// The value before any setting, in SI as TOML; none where it was not given or is a table.
    before: Option<String>,
}

/// Puts all settings into the tree, in their order.
pub(super) fn turn_all(
    root: &mut Node,
    sets: &[Setting],
    knobs: &[Knob],
    issues: &mut Issues,
) -> Vec<Turned> {
    let original = if sets.is_empty() { None } else { Some(root.clone()) };
    let mut list = Vec::new();
    for (set, source) in sets {
        let Some((target, name, value)) = aim(root, set, *source, knobs, issues) else { continue };
        let before = original.as_ref().and_then(|root| current(root, target.get())).as_ref().and_then(text);
        let (segments, key) = (target.get().segments.clone(), target.get().field.key);
        insert(root, target.get(), name, value);
        list.push(Turned { set: set.clone(), segments, key, before });
    }
    list
}

/// A target of a knob, or one found for the purpose.
enum Aim<'a> {
    Knob(&'a Target),
    Path(Target),
}

impl Aim<'_> {
    fn get(&self) -> &Target {
        match self {
            Aim::Knob(target) => target,
            Aim::Path(target) => target,
        }
    }
}

/// What a setting names, its name and its value; none after a mistake.
fn aim<'a, 'b>(
    root: &Node,
    set: &'b str,
    source: u32,
    knobs: &'a [Knob],
    issues: &mut Issues,
) -> Option<(Aim<'a>, &'b str, Node)> {
    let Some((name, value)) = set.split_once('=') else {
        issues.at(Loc::new(source, 0..set.len()), set, "is not of the form NAME=VALUE");
        return None;
    };
    let value = node::parse_value(value, Loc::new(source, name.len() + 1..set.len()));
    let (at, name) = (Loc::new(source, 0..name.len()), name.trim());
    if let Some(knob) = knobs.iter().find(|k| k.name == name) {
        return Some((Aim::Knob(&knob.target), name, value));
    }
    if !name.contains('.') && SCENARIO.find(name).is_none() {
        let names: Vec<&str> = knobs.iter().map(|k| k.name.as_str()).collect();
        let issue = issues.at(at, name, "is neither a knob nor a path of this scenario");
        match nearest(name, names.iter().copied()) {
            Some(near) => issue.hint(format!("did you mean {near}?")),
            None => issue.allowed(names.join(", ")),
        };
        return None;
    }
    let target = find_target(root, name, at, name, issues)?;
    let refused = target.refuses_value((at, name), &value, knobs, issues);
    (!refused).then_some((Aim::Path(target), name, value))
}

/// Settings that left everything as it was, a line each.
pub(crate) fn idle(turned: &[Turned], record: &Record) -> Vec<String> {
    let mut lines = Vec::new();
    for (i, this) in turned.iter().enumerate() {
        let same = |other: &&Turned| {
            let n = this.segments.len();
            other.segments.len() == n
                && other.segments[..n - 1] == this.segments[..n - 1]
                && other.key == this.key
        };
        if let Some(later) = turned[i + 1..].iter().rfind(same) {
            lines.push(format!("--set {} changes nothing: --set {} comes after it", this.set, later.set));
            continue;
        }
        let after = lookup(record, &this.segments).and_then(|item| item.value.as_ref()).and_then(text);
        if after.is_some() && after == this.before {
            let path = this.segments.join(".");
            let value = after.unwrap_or_default();
            lines.push(format!("--set {} changes nothing: {path} is {value} without it", this.set));
        }
    }
    lines
}

/// A value as it stands in the resolved scenario; none for tables.
fn text(value: &Value) -> Option<String> {
    let (unit, text) = written(value);
    match value {
        Value::Table(_) | Value::Map(_) => None,
        _ => Some(format!("{text} {unit}").trim_end().to_string()),
    }
}
