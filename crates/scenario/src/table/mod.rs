//! The one table of sections and keys that reading, `schema`, `check --resolved` and the reference all follow.
//!
//! Types here; the table itself in `run` (the scenario), `ground` (rigid ground), `contact` (smooth contact), `polygonal`
//! (polygonal contact), `machine` (bodies, joints),
//! `element` (forces, drives), `boom` (booms), `bumper` (bumpers), `collision` (collision shapes), `latch` (latches, magnets), `sequence` (sequences), `equipment` (tyres, points, visuals), `flexible` (flexible bodies), `foot` (feet, their stand, gaits), `soil` (soils, terrain, wheels), `rig` (test stands), `spacecraft` (satellites), `device` (sensors, controllers), `docking`, `capture` (nozzle, capture tool, brackets), `report` (figures,
//! phases), `converge` (convergence studies) and `place`, `hills` and `map` (keys that sections share); `section` makes structs of it.

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
    /// One line of meaning.
    pub about: &'static str,
    /// Its keys, in the order in which they are written out.
    pub lines: &'static [Line],
}

/// A line of a section.
#[derive(Debug)]
pub enum Line {
    /// A key.
    Key(Field),
    /// Keys that several sections share, as if each had them itself.
    Group(&'static Section),
}

/// A key of a section.
#[derive(Debug)]
pub struct Field {
    /// The key without unit.
    pub key: &'static str,
    /// What it holds.
    pub kind: KeyKind,
    /// Whether it must be there, and what it is if not.
    pub need: Need,
    /// One line of meaning.
    pub about: &'static str,
}

/// Whether a key must be there.
#[derive(Debug)]
pub enum Need {
    /// Must be given.
    Required,
    /// May be missing.
    Optional,
    /// The value it has if missing, as TOML.
    Default(&'static str),
    /// If missing, it follows from others in this way.
    Derived(&'static str),
}

/// Allowed numbers.
#[derive(Debug, Clone, Copy)]
pub struct Range {
    /// Smallest.
    pub min: f64,
    /// Largest.
    pub max: f64,
    /// The smallest itself is not allowed.
    pub open: bool,
}

/// Numbers beyond this, in SI, are slips: it leaves room for orbits (m³/s² of the Sun: 1.3e20) and nothing else.
pub const HUGE: f64 = 1e21;

/// Any number that is not absurd.
pub const ANY: Range = Range { min: -HUGE, max: HUGE, open: false };
/// Zero or more.
pub const NOT_NEGATIVE: Range = Range { min: 0.0, max: HUGE, open: false };
/// More than zero.
pub const POSITIVE: Range = Range { min: 0.0, max: HUGE, open: true };
/// From 0 to 1.
pub const FRACTION: Range = Range { min: 0.0, max: 1.0, open: false };

/// What a key holds.
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
    /// A list of quantities, from `min` to `max` of them; a single one may stand without brackets.
    Numbers {
        /// Allowed dimensions.
        dims: &'static [&'static Dim],
        /// Allowed values.
        range: Range,
        /// Allowed lengths.
        lengths: &'static [usize],
    },
    /// Places in the plane, two quantities each.
    Places(&'static [&'static Dim]),
    /// Three numbers, a direction; its length does not matter.
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
    /// The first kind that suits what is written.
    OneOf(&'static [KeyKind]),
}

impl KeyKind {
    /// The dimensions of a number, list or signal; none for other kinds.
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

    /// The section below this key, if it holds a table.
    pub fn section(&self) -> Option<&'static Section> {
        match self {
            KeyKind::Table(section) | KeyKind::Map(section) => Some(section),
            KeyKind::OneOf(kinds) => kinds.iter().find_map(KeyKind::section),
            _ => None,
        }
    }
}

impl Section {
    /// Its keys, those of its groups among them, in the order in which they are written out.
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

    /// The field that a key belongs to, and the dimension its ending names. Keys that were renamed are found by their former names, too.
    pub fn find(&self, key: &str) -> Option<(&'static Field, Option<&'static Dim>)> {
        let whole = self.fields().find(|field| field.key == key).map(|field| (field, None));
        whole.or_else(|| self.fields().find_map(|field| field.spelled(key).map(|dim| (field, dim))))
    }
}

impl Field {
    /// Whether a key is a spelling of this one, with the ending of a dimension or by a former name: then the dimension that it names, if any.
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

/// Keys that were renamed, by their former names. Files that use those still read.
const RENAMED: [(&str, &str); 3] =
    [("spread_way", "spread_travel"), ("longest_way", "longest_travel"), ("way", "travel")];

/// Keys that every table may have.
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

    /// The table is sound: every key has a meaning, none appears twice, and no unit ending makes one key look like another.
    #[test]
    fn the_table_is_sound() {
        let mut seen = Vec::new();
        visit(SCENARIO, &mut seen);
        assert!(seen.len() > 20, "{seen:?}");
    }
}
