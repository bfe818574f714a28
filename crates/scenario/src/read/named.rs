//! Points of bodies, and maps of named tables.

use super::{AttachSpec, NamedRecord, Value, join, kind_in_words, read_table};
use crate::error::Issues;
use crate::node::{Data, Node};
use crate::source::Loc;
use crate::table::{AttachKeys, KeyKind, Keys, ParameterKeys, Section};

/// Longest name of a body, joint and so on.
const LONGEST_NAME: usize = 100;

pub(super) fn read_pair(node: &Node, path: &str, issues: &mut Issues) -> Option<Value> {
    match &node.data {
        Data::Array(list) if list.len() == 2 => {
            let first = read_attach(&list[0], path, issues);
            let second = read_attach(&list[1], path, issues);
            Some(Value::Pair(Box::new([first?, second?])))
        }
        _ => {
            issues
                .at(node.loc, path, "must be a list of two points")
                .found(node.show())
                .hint("such as between = [\"rover/chassis:hook\", \"world\"]");
            None
        }
    }
}

pub(super) fn read_attach(node: &Node, path: &str, issues: &mut Issues) -> Option<AttachSpec> {
    match &node.data {
        Data::Text(text) => {
            let (body, point) = match text.split_once(':') {
                Some((body, point)) => (body.to_string(), Some(point.to_string())),
                None => (text.clone(), None),
            };
            Some(AttachSpec { body, point, position: None, at: None, loc: node.loc })
        }
        Data::Table(_) => {
            let keys = AttachKeys::read(&read_table(node, AttachKeys::SECTION, path, issues))?;
            let (body, position, at) = (keys.body.to_string(), keys.position, keys.at);
            if position.is_some() && at.is_some() {
                issues.at(node.loc, path, "says its place twice").hint("keep one of position and at");
            }
            Some(AttachSpec { body, point: None, position, at, loc: node.loc })
        }
        _ => {
            let allowed = kind_in_words(&KeyKind::Attach);
            issues.at(node.loc, path, "must be a point of a body").found(node.show()).allowed(allowed);
            None
        }
    }
}

pub(super) fn read_map(
    node: &Node,
    section: &'static Section,
    path: &str,
    issues: &mut Issues,
) -> Vec<NamedRecord> {
    let Data::Table(entries) = &node.data else {
        issues
            .at(node.loc, path, format!("must hold named tables, [{path}.NAME]"))
            .found(node.show())
            .hint(section.about);
        return Vec::new();
    };
    let mut list = Vec::new();
    for entry in entries {
        let path = join(path, &entry.key);
        check_name(&entry.key, section, entry.key_loc, &path, issues);
        let mut record = read_table(&entry.node, section, &path, issues);
        record.loc = entry.key_loc;
        list.push(NamedRecord { name: entry.key.clone(), loc: entry.key_loc, record });
    }
    list
}

/// Knobs are not parts of the world, so their names can coincide with names of parts.
fn check_name(name: &str, section: &Section, loc: Loc, path: &str, issues: &mut Issues) {
    let good = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    if name.is_empty() || name.chars().count() > LONGEST_NAME || !name.chars().all(good) {
        issues
            .at(loc, path, "has a name that cannot be used")
            .found(format!("\"{name}\""))
            .allowed(format!("letters, digits, _ and -, at most {LONGEST_NAME}"));
    } else if (name == "world" || name == "ground") && section.name != ParameterKeys::SECTION.name {
        issues.at(loc, path, "cannot be called so: the name means the world");
    }
}
