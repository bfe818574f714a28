//! The TOML tree with locations: the content of a file before it is checked against the table of keys.
//!
//! Second stage of reading: text → [`Node`]. Machine files, `--set` values and URDF imports become nodes too.

use crate::error::Issues;
use crate::source::{Loc, Sources};
use toml_edit::{Document, Item, Table, TableLike, Value};

/// A value and its place.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub loc: Loc,
    pub data: Data,
}

#[derive(Clone, Debug)]
pub(crate) enum Data {
    Text(String),
    Integer(i64),
    Float(f64),
    Flag(bool),
    Array(Vec<Node>),
    Table(Vec<Entry>),
    Date(String),
}

/// A key of a table with its value.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub key: String,
    pub key_loc: Loc,
    pub node: Node,
}

impl Node {
    pub fn new(loc: Loc, data: Data) -> Self {
        Node { loc, data }
    }

    /// A copy in another source.
    pub fn in_source(&self, source: u32) -> Node {
        let moved = |loc: Loc| Loc { source, ..loc };
        let data = match &self.data {
            Data::Array(list) => Data::Array(list.iter().map(|n| n.in_source(source)).collect()),
            Data::Table(entries) => {
                let moved = |e: &Entry| Entry {
                    key: e.key.clone(),
                    key_loc: moved(e.key_loc),
                    node: e.node.in_source(source),
                };
                Data::Table(entries.iter().map(moved).collect())
            }
            plain => plain.clone(),
        };
        Node { loc: moved(self.loc), data }
    }

    /// The entries of a table; empty for other values.
    pub fn entries(&self) -> &[Entry] {
        match &self.data {
            Data::Table(entries) => entries,
            _ => &[],
        }
    }

    pub fn entries_mut(&mut self) -> Option<&mut Vec<Entry>> {
        match &mut self.data {
            Data::Table(entries) => Some(entries),
            _ => None,
        }
    }

    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries().iter().find(|e| e.key == key).map(|e| &e.node)
    }

    /// The value as a user would write it, for messages.
    pub fn show(&self) -> String {
        match &self.data {
            Data::Text(s) => format!("\"{s}\""),
            Data::Integer(i) => i.to_string(),
            Data::Float(x) => x.to_string(),
            Data::Flag(b) => b.to_string(),
            Data::Array(list) => format!("a list of {}", list.len()),
            Data::Table(_) => "a table".into(),
            Data::Date(s) => s.clone(),
        }
    }

    pub fn number(&self) -> Option<f64> {
        match self.data {
            Data::Integer(i) => Some(i as f64),
            Data::Float(x) => Some(x),
            _ => None,
        }
    }
}

/// Parses a TOML text; `None` after a syntax error, which is reported.
pub(crate) fn parse(sources: &mut Sources, name: &str, text: &str, issues: &mut Issues) -> Option<Node> {
    let source = sources.add(name, text);
    match Document::parse(text) {
        Ok(document) => {
            let whole = Loc::new(source, 0..0);
            Some(table_node(document.as_table(), whole, source))
        }
        Err(error) => {
            let end = text.len();
            let span = error.span().unwrap_or(end..end);
            issues
                .at(Loc::new(source, span), "", format!("this is not TOML: {}", error.message()))
                .hint("texts need quotes, every [table] its closing bracket, every list its commas");
            None
        }
    }
}

/// Parses one TOML value, such as the right-hand side of `--set`; anything else is a text.
pub(crate) fn parse_value(text: &str, loc: Loc) -> Node {
    match text.trim().parse::<Value>() {
        Ok(value) => {
            let mut node = value_node(&value, loc, loc.source);
            relocate(&mut node, loc);
            node
        }
        Err(_) => Node::new(loc, Data::Text(text.trim().into())),
    }
}

fn relocate(node: &mut Node, loc: Loc) {
    node.loc = loc;
    match &mut node.data {
        Data::Array(list) => list.iter_mut().for_each(|n| relocate(n, loc)),
        Data::Table(entries) => {
            for entry in entries {
                entry.key_loc = loc;
                relocate(&mut entry.node, loc);
            }
        }
        _ => {}
    }
}

fn table_node(table: &Table, at: Loc, source: u32) -> Node {
    Node::new(at, Data::Table(entries_of(table, at, source)))
}

fn entries_of(table: &dyn TableLike, at: Loc, source: u32) -> Vec<Entry> {
    let mut entries = Vec::new();
    for (key, item) in table.iter() {
        let key_loc = table.key(key).and_then(|k| k.span()).map_or(at, |span| Loc::new(source, span));
        if let Some(node) = item_node(item, key_loc, source) {
            entries.push(Entry { key: key.into(), key_loc, node });
        }
    }
    entries
}

fn item_node(item: &Item, key_loc: Loc, source: u32) -> Option<Node> {
    let loc = item.span().map_or(key_loc, |span| Loc::new(source, span));
    match item {
        Item::None => None,
        Item::Value(value) => Some(value_node(value, key_loc, source)),
        // A table's location is its key: underlining all its lines would hide the relevant one.
        Item::Table(table) => Some(table_node(table, key_loc, source)),
        Item::ArrayOfTables(list) => {
            let tables = list.iter().map(|t| table_node(t, key_loc, source)).collect();
            Some(Node::new(loc, Data::Array(tables)))
        }
    }
}

fn value_node(value: &Value, at: Loc, source: u32) -> Node {
    let loc = value.span().map_or(at, |span| Loc::new(source, span));
    let data = match value {
        Value::String(s) => Data::Text(s.value().clone()),
        Value::Integer(i) => Data::Integer(*i.value()),
        Value::Float(x) => Data::Float(*x.value()),
        Value::Boolean(b) => Data::Flag(*b.value()),
        Value::Datetime(d) => Data::Date(d.value().to_string()),
        Value::Array(list) => Data::Array(list.iter().map(|v| value_node(v, loc, source)).collect()),
        Value::InlineTable(table) => Data::Table(entries_of(table, loc, source)),
    };
    Node::new(loc, data)
}
