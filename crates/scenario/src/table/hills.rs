//! The table, shared part: the keys of hills generated from the seed, for every section whose ground can
//! consist of them.

use super::typed::{count, number};
use super::{NOT_NEGATIVE, POSITIVE, section};
use crate::unit::LENGTH;

section! {
    pub(crate) struct HillsKeys "hills": "hills made from the seed";
    optional wavelength: f64 = number(&[&LENGTH], POSITIVE), "procedural: size of the largest hills";
    optional amplitude: f64 = number(&[&LENGTH], NOT_NEGATIVE), "procedural: root mean square of the heights";
    derived("procedural: 4") octaves: u64 = count(1, 16),
        "procedural: how often hills of half the size are added; hills finer than the spacing are not seen";
}

impl HillsKeys {
    /// Required keys of hills, and whether each is given.
    pub fn needed(&self) -> Vec<(&'static str, bool)> {
        vec![
            (HillsKeys::wavelength.name(), self.here.has(HillsKeys::wavelength)),
            (HillsKeys::amplitude.name(), self.here.has(HillsKeys::amplitude)),
        ]
    }
}
