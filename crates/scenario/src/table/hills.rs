//! The table, shared part: the keys of hills made from the seed, for every section whose ground may be made of them.

use super::{Field, Kind, NOT_NEGATIVE, Need, POSITIVE, field, number};
use crate::unit::{Dim, LENGTH};

// Constants may point at these, but not hold them.
static LENGTHS: [&Dim; 1] = [&LENGTH];

pub(super) const WAVELENGTH: Field =
    field("wavelength", number(&LENGTHS, POSITIVE), Need::Optional, "procedural: size of the largest hills");
pub(super) const AMPLITUDE: Field = field(
    "amplitude",
    number(&LENGTHS, NOT_NEGATIVE),
    Need::Optional,
    "procedural: root mean square of the heights",
);
pub(super) const OCTAVES: Field = field(
    "octaves",
    Kind::Count { min: 1, max: 16 },
    Need::Derived("procedural: 4"),
    "procedural: how often hills of half the size are added; hills finer than the spacing are not seen",
);
