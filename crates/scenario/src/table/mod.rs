//! The table of sections and keys that reading, `schema`, `check --resolved` and the reference all use.
//!
//! This module has the types. The table itself is in `run` (the scenario), `ground` (rigid ground), `contact`
//! (smooth contact), `polygonal` (polygonal contact), `machine` (bodies, joints), `element` (forces, drives),
//! `boom` (booms), `bumper` (bumpers), `collision` (collision shapes), `latch` (latches, magnets), `sequence`
//! (sequences), `equipment` (tyres, points, visuals), `flexible` (flexible bodies), `foot` (feet, their
//! stand, gaits), `soil` (soils, terrain, wheels), `rig` (test stands), `spacecraft` (satellites), `device`
//! (sensors, controllers), `docking`, `capture` (nozzle, capture tool, brackets), `report` (figures, phases)
//! and `converge` (convergence studies). `place`, `hills` and `map` have keys that sections share; `section`
//! generates structs from the table.

mod boom;
mod bumper;
mod capture;
mod collision;
mod contact;
mod converge;
mod device;
mod docking;
mod element;
mod equipment;
mod flexible;
mod foot;
mod ground;
mod hills;
mod key;
mod latch;
mod machine;
mod map;
mod place;
mod polygonal;
mod report;
mod rig;
mod run;
mod section;
mod sequence;
mod soil;
mod spacecraft;
mod typed;

use crate::unit::Dim;
pub(crate) use key::{Key, Keys, Words};
pub(crate) use section::{section, words};
pub(crate) use typed::Typed;
pub(crate) use {
    boom::*, bumper::*, capture::*, collision::*, contact::*, converge::*, device::*, docking::*, element::*,
    equipment::*, flexible::*, foot::*, ground::*, hills::*, latch::*, machine::*, map::*, place::*,
    polygonal::*, report::*, rig::*, run::*, sequence::*, soil::*, spacecraft::*,
};

/// The section of a whole scenario.
pub static SCENARIO: &Section = ScenarioKeys::SECTION;
/// The section of a machine.
pub static MACHINE: &Section = MachineKeys::SECTION;
/// The section of a soil.
pub static SOIL: &Section = SoilKeys::SECTION;

/// A section: a TOML table with known keys.
#[derive(Debug)]
pub struct Section {
    /// Its name, as in `[spring.NAME]`.
    pub name: &'static str,
    /// A one-line description.
    pub about: &'static str,
    /// Its keys, in output order.
    pub lines: &'static [Line],
}

/// An entry of a section.
#[derive(Debug)]
pub enum Line {
    /// A key.
    Key(Field),
    /// Keys shared by several sections, as if each had its own.
    Group(&'static Section),
}

/// A key of a section.
#[derive(Debug)]
pub struct Field {
    /// The key without unit.
    pub key: &'static str,
    /// Kind of its value.
    pub kind: KeyKind,
    /// Whether it is required, and otherwise its default.
    pub need: Need,
    /// A one-line description.
    pub about: &'static str,
}

/// Whether a key is required.
#[derive(Debug)]
pub enum Need {
    /// Required.
    Required,
    /// Optional, without a default.
    Optional,
    /// The default, as TOML.
    Default(&'static str),
    /// The default follows from other values in this way.
    Derived(&'static str),
}

/// Permitted numbers.
#[derive(Debug, Clone, Copy)]
pub struct Range {
    /// Smallest.
    pub min: f64,
    /// Largest.
    pub max: f64,
    /// The smallest is excluded.
    pub open: bool,
}

/// Larger numbers, in SI, are typing errors: the limit leaves room for orbits (m³/s² of the Sun: 1.3e20).
pub const HUGE: f64 = 1e21;

/// Any plausible number.
pub const ANY: Range = Range { min: -HUGE, max: HUGE, open: false };
/// Zero or more.
pub const NOT_NEGATIVE: Range = Range { min: 0.0, max: HUGE, open: false };
/// More than zero.
pub const POSITIVE: Range = Range { min: 0.0, max: HUGE, open: true };
/// From 0 to 1.
pub const FRACTION: Range = Range { min: 0.0, max: 1.0, open: false };

/// Kind of the value of a key.
#[derive(Debug)]
pub enum KeyKind {
    /// A text.
    Text,
    /// One text or a list of texts.
    Texts,
    /// `true` or `false`, or the words `on` and `off`.
    Flag,
    /// A whole number.
    Count {
        /// Smallest.
        min: u64,
        /// Largest.
        max: u64,
    },
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A quantity of one of these dimensions.
    Number(&'static [&'static Dim], Range),
    /// A list of quantities with a permitted length; a single one can be written without brackets.
    Numbers {
        /// Permitted dimensions.
        dims: &'static [&'static Dim],
        /// Permitted values.
        range: Range,
        /// Permitted lengths.
        lengths: &'static [usize],
    },
    /// Positions in the plane, two quantities each.
    Places(&'static [&'static Dim]),
    /// Three numbers, a direction; its length is arbitrary.
    Axis,
    /// A function of time.
    Signal(&'static [&'static Dim]),
    /// A point of a body: `"BODY"`, `"BODY:POINT"` or a table.
    Attach,
    /// Two points.
    AttachPair,
    /// A table with known keys.
    Table(&'static Section),
    /// Named tables with the same known keys.
    Map(&'static Section),
    /// The first kind that matches the value.
    OneOf(&'static [KeyKind]),
}

impl KeyKind {
    /// The dimensions of a number, list or signal; empty for other kinds.
    pub fn dims(&self) -> &'static [&'static Dim] {
        match self {
            KeyKind::Number(dims, _)
            | KeyKind::Numbers { dims, .. }
            | KeyKind::Places(dims)
            | KeyKind::Signal(dims) => dims,
            KeyKind::OneOf(kinds) => kinds.iter().map(KeyKind::dims).find(|d| !d.is_empty()).unwrap_or(&[]),
            _ => &[],
        }
    }

    /// The section below this key, if its value is a table.
    pub fn section(&self) -> Option<&'static Section> {
        match self {
            KeyKind::Table(section) | KeyKind::Map(section) => Some(section),
            KeyKind::OneOf(kinds) => kinds.iter().find_map(KeyKind::section),
            _ => None,
        }
    }
}

impl Section {
    /// Its keys, including those of its groups, in output order.
    pub fn fields(&self) -> impl Iterator<Item = &'static Field> + use<> {
        let mut open = vec![self.lines.iter()];
        std::iter::from_fn(move || {
            loop {
                match open.last_mut()?.next() {
                    Some(Line::Key(field)) => return Some(field),
                    Some(Line::Group(group)) => open.push(group.lines.iter()),
                    None => drop(open.pop()),
                }
            }
        })
    }

    /// The field of a key, and the dimension that its ending names. Renamed keys are also found by their
    /// former names.
    pub fn find(&self, key: &str) -> Option<(&'static Field, Option<&'static Dim>)> {
        let whole = self.fields().find(|field| field.key == key).map(|field| (field, None));
        whole.or_else(|| self.fields().find_map(|field| field.spelled(key).map(|dim| (field, dim))))
    }
}

impl Field {
    /// Whether a text is a spelling of this key: with the ending of a dimension, or with a former name.
    /// Returns the dimension that it names, if any.
    pub fn spelled(&self, key: &str) -> Option<Option<&'static Dim>> {
        let former = RENAMED.iter().filter(|(_, now)| *now == self.key).map(|(former, _)| *former);
        std::iter::once(self.key).chain(former).find_map(|name| {
            let ending = key.strip_prefix(name)?;
            if ending.is_empty() {
                return Some(None);
            }
            let suffix = ending.strip_prefix('_')?;
            let dim = self.kind.dims().iter().find(|d| !d.suffix.is_empty() && d.suffix == suffix)?;
            Some(Some(*dim))
        })
    }
}

/// Renamed keys, by their former names. Files with former names can still be read.
const RENAMED: [(&str, &str); 3] =
    [("spread_way", "spread_travel"), ("longest_way", "longest_travel"), ("way", "travel")];

/// Keys that every table can have.
pub static COMMON: &[Field] = &[
    Field {
        key: "assumed",
        kind: KeyKind::Text,
        need: Need::Optional,
        about: "why a value of this table is a guess; listed with the results",
    },
    Field { key: "about", kind: KeyKind::Text, need: Need::Optional, about: "a line for the reader" },
];

#[cfg(test)]
mod tests {
    use super::*;

    fn visit(section: &'static Section, seen: &mut Vec<&'static str>) {
        if seen.contains(&section.name) {
            return;
        }
        seen.push(section.name);
        for (i, f) in section.fields().enumerate() {
            assert!(!f.about.is_empty(), "{}.{} needs a meaning", section.name, f.key);
            assert!(!section.fields().take(i).any(|g| g.key == f.key), "{}.{} twice", section.name, f.key);
            for dim in f.kind.dims().iter().filter(|d| !d.suffix.is_empty()) {
                let written = format!("{}_{}", f.key, dim.suffix);
                let found = section.find(&written).map(|(g, _)| g.key);
                assert_eq!(found, Some(f.key), "{}.{written} is ambiguous", section.name);
            }
            if let Some(below) = f.kind.section() {
                visit(below, seen);
            }
        }
    }

    /// The table is consistent: every key has a description, no key occurs twice, and no unit ending makes
    /// one key look like another.
    #[test]
    fn the_table_is_sound() {
        let mut seen = Vec::new();
        visit(SCENARIO, &mut seen);
        assert!(seen.len() > 20, "{seen:?}");
    }
}
