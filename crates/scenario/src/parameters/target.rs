//! Looks up a dotted path in the table of keys: it leads to a value, or to a table that a value cannot
//! replace.

use super::Knob;
use crate::error::{Issues, nearest};
use crate::node::Node;
use crate::source::Loc;
use crate::table::{Field, KeyKind, SCENARIO, Section};
use crate::unit::Dim;

/// Most keys and names that a message lists.
const MOST_SHOWN: usize = 12;

/// A path in the table of keys.
pub(super) struct Target {
    pub segments: Vec<String>,
    pub field: &'static Field,
    pub dim: Option<&'static Dim>,
    pub holds: Holds,
}

/// The target of a path.
pub(super) enum Holds {
    /// A value, or a table with a short form.
    Value,
    /// A table with these keys.
    Table(&'static Section),
    /// A table of its own name, such as `drive.left`.
    Named(&'static Section),
    /// All tables of a kind, such as `drive`, with their names in the file.
    Group(&'static Section, Vec<String>),
}

/// Looks up a dotted path in the table of keys; names of bodies and other parts must exist in the file.
pub(super) fn find_target(
    root: &Node,
    path: &str,
    loc: Loc,
    own_path: &str,
    issues: &mut Issues,
) -> Option<Target> {
    let segments: Vec<String> = path.split('.').map(str::to_string).collect();
    let mut section = SCENARIO;
    let mut node = Some(root);
    let mut i = 0;
    while let Some(segment) = segments.get(i) {
        let Some((field, dim)) = section.find(segment) else {
            let near = nearest(segment, section.fields().map(|f| f.key));
            let issue =
                issues.at(loc, own_path, format!("names {segment}, which is not a key of {}", section.name));
            if let Some(near) = near {
                issue.hint(format!("did you mean {near}?"));
            }
            return None;
        };
        node = node.and_then(|n| n.get(segment));
        i += 1;
        let mut holds = match field.kind {
            KeyKind::Table(below) => Holds::Table(below),
            _ => Holds::Value,
        };
        if let KeyKind::Map(below) = field.kind {
            let names = || node.map_or(Vec::new(), |n| n.entries().iter().map(|e| e.key.clone()).collect());
            let Some(name) = segments.get(i) else {
                let holds = Holds::Group(below, names());
                return Some(Target { segments, field, dim, holds });
            };
            let named = node.and_then(|n| n.get(name));
            if named.is_none() {
                let what = format!("names {}.{name}, which is not in the file", segments[..i].join("."));
                let names: Vec<String> = names();
                let issue = issues.at(loc, own_path, what);
                match nearest(name, names.iter().map(String::as_str)) {
                    Some(near) => issue.hint(format!("did you mean {near}?")),
                    None if !names.is_empty() => issue.allowed(listed(names.iter().map(String::as_str))),
                    None => issue,
                };
                return None;
            }
            node = named;
            holds = Holds::Named(below);
            i += 1;
        }
        match (i == segments.len(), field.kind.section()) {
            (true, _) => return Some(Target { segments, field, dim, holds }),
            (false, Some(below)) => section = below,
            (false, None) => {
                issues.at(loc, own_path, format!("goes below {segment}, which holds no table"));
                return None;
            }
        }
    }
    None
}

impl Target {
    /// The path as given.
    pub fn path(&self) -> String {
        self.segments.join(".")
    }

    /// Whether both name the same value, in any unit.
    pub fn is_same(&self, other: &Target) -> bool {
        let above = |target: &Target| target.segments.split_last().map(|(_, above)| above.to_vec());
        above(self) == above(other) && self.field.key == other.field.key
    }

    /// A knob sets a single value: one that names a table is refused.
    pub fn refuses_knob(&self, loc: Loc, own_path: &str, issues: &mut Issues) -> bool {
        self.refuses((loc, own_path), None, &[], issues)
    }

    /// Refuses a value in place of a table; the message lists the keys of the table and the knobs that set
    /// one of them.
    pub fn refuses_value(
        &self,
        (loc, name): (Loc, &str),
        value: &Node,
        knobs: &[Knob],
        issues: &mut Issues,
    ) -> bool {
        // A table can be replaced by a table, whose keys are checked when it is read.
        let whole = matches!(self.holds, Holds::Table(_)) && !value.entries().is_empty();
        !whole && self.refuses((loc, name), Some(value), knobs, issues)
    }

    fn refuses(
        &self,
        (loc, own_path): (Loc, &str),
        value: Option<&Node>,
        knobs: &[Knob],
        issues: &mut Issues,
    ) -> bool {
        let path = self.path();
        let (what, section, allowed) = match &self.holds {
            Holds::Value => return false,
            Holds::Table(section) | Holds::Named(section) => {
                ("is a table: a single value cannot replace it", section, format!("{path}.KEY"))
            }
            Holds::Group(section, names) if names.is_empty() => {
                ("is not in this scenario, and holds named tables", section, format!("{path}.NAME.KEY"))
            }
            Holds::Group(section, names) => {
                let names = listed(names.iter().map(String::as_str));
                let allowed = format!("{path}.NAME.KEY with NAME: {names}");
                ("holds named tables: a single value cannot replace them", section, allowed)
            }
        };
        let keys = listed(section.fields().map(|f| f.key));
        let what = if own_path == path { what.to_string() } else { format!("names {path}, which {what}") };
        let issue = issues.at(loc, own_path, what);
        if let Some(value) = value {
            issue.found(value.show());
        }
        issue.allowed(format!("{allowed}; KEY: {keys}"));
        let below = format!("{path}.");
        let inside: Vec<&str> =
            knobs.iter().filter(|k| k.path.starts_with(&below)).map(|k| k.name.as_str()).collect();
        if !inside.is_empty() {
            issue.hint(format!("knobs that turn a value of it: {}", listed(inside.into_iter())));
        } else if let Some(near) = nearest(own_path, knobs.iter().map(|k| k.name.as_str())) {
            issue.hint(format!("did you mean the knob {near}?"));
        }
        true
    }
}

/// A list of words with commas, and the number of further ones.
fn listed<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let words: Vec<&str> = words.collect();
    let more = words.len().saturating_sub(MOST_SHOWN);
    let shown = words[..words.len() - more].join(", ");
    if more > 0 { format!("{shown} and {more} more") } else { shown }
}
