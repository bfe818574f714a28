//! Rows of the series as messages of one channel, nested as the names of columns are:
//! `soil.front_left.sinkage_m` is `/series.soil.front_left.sinkage_m` to Foxglove and
//! `/series/soil/front_left/sinkage_m` to PlotJuggler.
//!
//! All values are present in every message, so that its bytes have fixed places: a template is made once, and
//! numbers are written into a copy. The time is that of the message.

use prost::Message;
use prost::encoding::{WireType, encode_key, encode_varint};
use prost_types::field_descriptor_proto::{Label, Type};
use prost_types::{DescriptorProto, FieldDescriptorProto, FileDescriptorProto, FileDescriptorSet};
use std::collections::BTreeSet;
use touchdown_sim::sink::Column;

/// The channel, and its message.
pub(crate) const SERIES: (&str, &str) = ("/series", "touchdown.Series");

/// Field numbers that protobuf reserves.
const RESERVED: std::ops::Range<u32> = 19_000..20_000;

/// The conversion of rows into messages.
#[derive(Clone, Debug)]
pub(crate) struct Columns {
    /// Types of the message, the outermost first.
    types: Vec<DescriptorProto>,
    /// A message of zeros.
    template: Vec<u8>,
    /// Position of each number, and its column.
    slots: Vec<(usize, usize)>,
}

impl Columns {
    /// For a series; its first column is the time.
    pub fn of(columns: &[Column]) -> Columns {
        let mut root = Group::default();
        for (place, column) in columns.iter().enumerate().skip(1) {
            root.add(&column.name, place);
        }
        let mut types = Types::default();
        types.describe(&root, "Series");
        let (template, slots) = root.template();
        Columns { types: types.made, template, slots }
    }

    /// What a reader needs to decode it.
    pub fn descriptor(&self) -> Vec<u8> {
        let file = FileDescriptorProto {
            name: Some("touchdown/series.proto".into()),
            package: Some("touchdown".into()),
            message_type: self.types.clone(),
            syntax: Some("proto3".into()),
            ..Default::default()
        };
        FileDescriptorSet { file: vec![file] }.encode_to_vec()
    }

    /// The message of a row.
    pub fn message(&self, row: &[f64]) -> Vec<u8> {
        let mut bytes = self.template.clone();
        for &(at, column) in &self.slots {
            bytes[at..at + 8].copy_from_slice(&row[column].to_le_bytes());
        }
        bytes
    }
}

/// Columns that share a part of their names, in the order in which it appeared.
#[derive(Debug, Default)]
struct Group {
    fields: Vec<Field>,
    /// Names that readers would confuse: without underscores, in lower case.
    taken: BTreeSet<String>,
}

#[derive(Debug)]
struct Field {
    /// The part of the columns' names.
    part: String,
    /// The name as protobuf permits it.
    name: String,
    holds: Holds,
}

#[derive(Debug)]
enum Holds {
    Column(usize),
    Group(Group),
}

impl Group {
    fn add(&mut self, name: &str, column: usize) {
        let Some((part, rest)) = name.split_once('.') else {
            return self.push(name, Holds::Column(column));
        };
        let known = |field: &Field| field.part == part && matches!(field.holds, Holds::Group(_));
        let place = self.fields.iter().position(known).unwrap_or_else(|| {
            self.push(part, Holds::Group(Group::default()));
            self.fields.len() - 1
        });
        if let Holds::Group(group) = &mut self.fields[place].holds {
            group.add(rest, column);
        }
    }

    fn push(&mut self, part: &str, holds: Holds) {
        let name = unique(&mut self.taken, &identifier(part));
        self.fields.push(Field { part: part.into(), name, holds });
    }

    /// Bytes of a message of zeros, and the places of its numbers.
    fn template(&self) -> (Vec<u8>, Vec<(usize, usize)>) {
        let (mut bytes, mut slots) = (Vec::new(), Vec::new());
        for (number, field) in numbers().zip(&self.fields) {
            match &field.holds {
                Holds::Column(column) => {
                    encode_key(number, WireType::SixtyFourBit, &mut bytes);
                    slots.push((bytes.len(), *column));
                    bytes.extend([0; 8]);
                }
                Holds::Group(group) => {
                    let (inner, places) = group.template();
                    encode_key(number, WireType::LengthDelimited, &mut bytes);
                    encode_varint(inner.len() as u64, &mut bytes);
                    slots.extend(places.iter().map(|(at, column)| (bytes.len() + at, *column)));
                    bytes.extend(inner);
                }
            }
        }
        (bytes, slots)
    }
}

/// Message types under construction.
#[derive(Default)]
struct Types {
    made: Vec<DescriptorProto>,
    taken: BTreeSet<String>,
}

impl Types {
    /// Describes a group and those inside it; returns the name of its type.
    fn describe(&mut self, group: &Group, wish: &str) -> String {
        let name = unique(&mut self.taken, wish);
        let place = self.made.len();
        self.made.push(DescriptorProto { name: Some(name.clone()), ..Default::default() });
        let mut fields = Vec::with_capacity(group.fields.len());
        for (number, field) in numbers().zip(&group.fields) {
            let of = match &field.holds {
                Holds::Column(_) => None,
                Holds::Group(inner) => Some(self.describe(inner, &format!("{name}_{}", field.name))),
            };
            fields.push(FieldDescriptorProto {
                name: Some(field.name.clone()),
                // Fewer columns than 2³¹ fit into memory.
                number: Some(number as i32),
                label: Some(Label::Optional.into()),
                r#type: Some(if of.is_some() { Type::Message } else { Type::Double }.into()),
                type_name: of.map(|of| format!(".touchdown.{of}")),
                ..Default::default()
            });
        }
        self.made[place].field = fields;
        name
    }
}

fn numbers() -> impl Iterator<Item = u32> {
    (1..RESERVED.start).chain(RESERVED.end..)
}

/// A name in letters, digits and underscores that does not begin with a digit.
fn identifier(part: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = part.chars().map(plain).collect();
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) { name } else { format!("_{name}") }
}

/// The name itself, or with a number appended if it is taken.
fn unique(taken: &mut BTreeSet<String>, name: &str) -> String {
    let key = |name: &str| name.replace('_', "").to_ascii_lowercase();
    let numbered = |n: usize| if n == 1 { name.to_string() } else { format!("{name}_{n}") };
    // Among one more name than are taken, one is free.
    let free = (1..).map(numbered).find(|name| taken.insert(key(name)));
    free.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(names: &[&str]) -> Vec<Column> {
        names.iter().map(|name| Column::scalar(name, "1", "-")).collect()
    }

    /// Paths of the fields with their values, read with the description alone.
    fn decoded(columns: &Columns, bytes: &[u8]) -> Vec<(String, f64)> {
        fn walk(
            types: &[DescriptorProto],
            of: &str,
            path: &str,
            mut bytes: &[u8],
            out: &mut Vec<(String, f64)>,
        ) {
            let message = types.iter().find(|t| t.name() == of).expect("described");
            while !bytes.is_empty() {
                let (number, wire) = prost::encoding::decode_key(&mut bytes).expect("a key");
                let field = message.field.iter().find(|f| f.number() == number as i32).expect("described");
                let path = format!("{path}/{}", field.name());
                if wire == WireType::SixtyFourBit {
                    let (value, rest) = bytes.split_first_chunk().expect("eight bytes");
                    out.push((path, f64::from_le_bytes(*value)));
                    bytes = rest;
                } else {
                    let length = prost::encoding::decode_varint(&mut bytes).expect("a length") as usize;
                    let of = field.type_name().trim_start_matches(".touchdown.");
                    walk(types, of, &path, &bytes[..length], out);
                    bytes = &bytes[length..];
                }
            }
        }
        let set = FileDescriptorSet::decode(&columns.descriptor()[..]).expect("a description");
        let mut out = Vec::new();
        walk(&set.file[0].message_type, "Series", "", bytes, &mut out);
        out
    }

    #[test]
    fn columns_keep_their_names_as_paths_and_every_bit() {
        let names = [
            "time_s",
            "soil.front_left.sinkage_m",
            "soil.front_left.area_m2",
            "soil.rear.sinkage_m",
            "gravity",
            "body.rover/chassis.x_m",
        ];
        let columns = Columns::of(&columns(&names));
        let row = [7.0, 1e-300, -0.0, f64::INFINITY, 0.1, 1.0 / 3.0];
        let found = decoded(&columns, &columns.message(&row));
        let paths: Vec<&str> = found.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(
            paths,
            [
                "/soil/front_left/sinkage_m",
                "/soil/front_left/area_m2",
                "/soil/rear/sinkage_m",
                "/gravity",
                "/body/rover_chassis/x_m"
            ]
        );
        assert!(found.iter().zip(&row[1..]).all(|((_, value), given)| value.to_bits() == given.to_bits()));
    }

    #[test]
    fn names_that_readers_confuse_are_kept_apart() {
        // JSON names of protobuf drop underscores; a group and a column can have the same name; names must
        // not begin with a digit.
        let names = ["time_s", "a.x_m", "a.xM", "a", "a.x/m", "1.2", "Series.a", "ä.b"];
        let columns = Columns::of(&columns(&names));
        let row: Vec<f64> = (0..8).map(f64::from).collect();
        let mut found = decoded(&columns, &columns.message(&row));
        found.sort_by(|a, b| a.1.total_cmp(&b.1));
        let paths: BTreeSet<&str> = found.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(paths.len(), 7, "{found:?}");
        assert_eq!(found.iter().map(|(_, value)| *value).collect::<Vec<_>>(), row[1..]);
    }

    #[test]
    fn numbers_that_protobuf_reserves_are_left_out() {
        let names: Vec<String> =
            std::iter::once("time_s".into()).chain((0..20_000).map(|n| format!("c{n}"))).collect();
        let all: Vec<Column> = names.iter().map(|name| Column::scalar(name, "1", "-")).collect();
        let columns = Columns::of(&all);
        assert!(columns.types[0].field.iter().all(|field| !RESERVED.contains(&(field.number() as u32))));
        let row: Vec<f64> = (0..=20_000).map(f64::from).collect();
        assert_eq!(decoded(&columns, &columns.message(&row)).last(), Some(&("/c19999".into(), 20_000.0)));
    }
}
