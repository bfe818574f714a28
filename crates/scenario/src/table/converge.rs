//! The table, part eight: what a convergence study needs to know of a scenario.

use super::{FRACTION, Kind, Need, POSITIVE, Range, Section, field, number};
use crate::unit::NUMBER;

/// Ratio of two neighbouring settings: closer ones drown in noise, wider ones leave the range where an order shows.
const RATIO: Range = Range { min: 1.1, max: 10.0, open: false };

/// Convergence studies.
pub(super) static CONVERGE: Section = Section {
    name: "converge",
    about: "what touchdown converge refines beside step and grid, and what its tolerance refers to",
    fields: &[
        field(
            "quantity",
            Kind::Text,
            Need::Derived("the report's answer"),
            "the quantity that is studied if none is asked for",
        ),
        field(
            "domain",
            Kind::Texts,
            Need::Optional,
            "paths of sizes that should not matter if they are large enough, such as rig.travel; they grow together",
        ),
        field("mesh", Kind::Texts, Need::Optional, "paths of a mesh's resolution; sizes shrink, counts grow"),
        field(
            "scale",
            number(&[&NUMBER], POSITIVE),
            Need::Derived("nothing: the tolerance refers to the value alone"),
            "least size that the tolerance refers to, in the unit of quantity: for values that cross zero",
        ),
        field(
            "tolerance",
            number(&[&NUMBER], FRACTION),
            Need::Derived("0.05"),
            "numerical error, over the value, up to which its settings count as fine enough",
        ),
        field("step_ratio", number(&[&NUMBER], RATIO), Need::Derived("2"), "ratio of neighbouring steps"),
        field(
            "grid_ratio",
            number(&[&NUMBER], RATIO),
            Need::Derived("the square root of 2"),
            "ratio of neighbouring spacings and mesh sizes",
        ),
    ],
};
