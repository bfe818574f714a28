//! `--set NAME=VALUE`: each setting changes the value that it names or is refused; one without effect is
//! reported.

use super::target::{Target, find_target};
use super::{Knob, Setting, current, insert};
use crate::error::{Issues, nearest};
use crate::node::{self, Node};
use crate::read::Value;
use crate::resolve::written;
use crate::source::Loc;
use crate::table::SCENARIO;

/// A setting that was applied.
struct Turned<'a> {
    /// As given, `NAME=VALUE`.
    set: &'a str,
    aim: Aim<'a>,
    /// The value before any setting, in SI as TOML; `None` if it was not given or is a table.
    before: Option<String>,
}

/// Applies all settings to the tree in order; returns a line for each one without effect.
pub(super) fn turn_all(
    root: &mut Node,
    sets: &[Setting],
    knobs: &[Knob],
    issues: &mut Issues,
) -> Vec<String> {
    let Some(original) = (!sets.is_empty()).then(|| root.clone()) else { return Vec::new() };
    let value = |root: &Node, target: &Target| current(root, target).as_ref().and_then(text);
    let mut turned: Vec<Turned> = Vec::new();
    for (set, source) in sets {
        let Some((aim, name, node)) = aim(root, set, *source, knobs, issues) else { continue };
        let before = value(&original, aim.get());
        insert(root, aim.get(), name, node);
        turned.push(Turned { set, aim, before });
    }
    let mut lines = Vec::new();
    for (i, Turned { set, aim, before }) in turned.iter().enumerate() {
        let later = turned[i + 1..].iter().rfind(|other| other.aim.get().is_same(aim.get()));
        let after = value(root, aim.get()).filter(|after| Some(after) == before.as_ref());
        match (later, after) {
            (Some(later), _) => {
                lines.push(format!("--set {set} changes nothing: --set {} comes after it", later.set));
            }
            (None, Some(value)) => {
                let path = aim.get().path();
                lines.push(format!("--set {set} changes nothing: {path} is {value} without it"));
            }
            (None, None) => {}
        }
    }
    lines
}

/// A target of a knob, or one found by its path.
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

/// The target of a setting, its name and its value; `None` after a mistake.
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

/// A value as in the resolved scenario; `None` for tables.
fn text(value: &Value) -> Option<String> {
    let (unit, text) = written(value);
    match value {
        Value::Table(_) | Value::Map(_) => None,
        _ => Some(format!("{text} {unit}").trim_end().to_string()),
    }
}
