//! Layers of a mobility map: what the table says about every cell and eight headings, one picture for each response.
//!
//! Strip of ground ([`crate::map::GroundRows`]) ⇒ for every cell and heading a [`Response`] ⇒ rows of each layer ⇒ Cloud-Optimised GeoTIFF. While one
//! strip is compressed the next one is made; which thread does what changes no byte. A file under its final name is complete.

mod make;
#[cfg(test)]
pub(crate) mod tests;

pub use make::{LayersAccount, LayersJob, Small, write_layers};

use crate::{Response, ResponseTable};
use serde::Serialize;

/// Headings of a map.
pub const HEADINGS: usize = 8;

/// A heading in degrees clockwise from north.
pub fn heading_deg(heading: usize) -> f64 {
    heading as f64 * 45.0
}

/// What a layer shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// Mean slip.
    Slip,
    /// Angle from the heading to the track, positive down the slope.
    DriftDeg,
    /// Energy of the drives for each metre of the track.
    EnergyJPerM,
    /// Probability of getting stuck.
    PStuck,
    /// Probability of tipping over.
    PTip,
    /// Width of the 90 % interval of the slip.
    Interval,
    /// Share of the runs nearby that stayed in the range of their models; 0 on slopes that no run was made for.
    Validity,
}

impl Layer {
    /// All of them, in the order in which people read them.
    pub const ALL: [Layer; 7] = [
        Layer::Slip,
        Layer::DriftDeg,
        Layer::EnergyJPerM,
        Layer::PStuck,
        Layer::PTip,
        Layer::Interval,
        Layer::Validity,
    ];

    /// Its name, which is that of its file without the ending.
    pub fn name(self) -> &'static str {
        match self {
            Layer::Slip => "slip",
            Layer::DriftDeg => "drift_deg",
            Layer::EnergyJPerM => "energy_j_per_m",
            Layer::PStuck => "p_stuck",
            Layer::PTip => "p_tip",
            Layer::Interval => "interval",
            Layer::Validity => "validity",
        }
    }

    /// The layer of a name.
    pub fn named(name: &str) -> Option<Layer> {
        Layer::ALL.into_iter().find(|layer| layer.name() == name)
    }

    /// What it shows, for people.
    pub fn about(self) -> &'static str {
        match self {
            Layer::Slip => "mean slip",
            Layer::DriftDeg => "drift down the slope, deg",
            Layer::EnergyJPerM => "energy, J/m",
            Layer::PStuck => "probability of getting stuck",
            Layer::PTip => "probability of tipping over",
            Layer::Interval => "width of the 90 % interval of the slip",
            Layer::Validity => "share of runs nearby within the range of their models",
        }
    }

    /// The file that it becomes.
    pub fn file(self) -> String {
        format!("{}.tif", self.name())
    }

    /// Its value in a response, of which `covered` says whether runs were made for the slope.
    pub fn value(self, response: &Response, covered: bool) -> f64 {
        match self {
            Layer::Slip => response.slip,
            Layer::DriftDeg => response.drift_deg,
            Layer::EnergyJPerM => response.energy_j_per_m,
            Layer::PStuck => response.p_stuck,
            Layer::PTip => response.p_tip,
            Layer::Interval => 2.0 * response.slip_half_width,
            Layer::Validity => {
                if covered {
                    response.valid
                } else {
                    0.0
                }
            }
        }
    }

    /// Its value on a step, which is impassable; nothing else is known.
    fn on_step(self) -> f32 {
        match self {
            Layer::PStuck => 1.0,
            Layer::Validity => 0.0,
            _ => f32::NAN,
        }
    }

    /// The value of one count in its file: fine for shares and angles; for energies so that the table's largest one fits.
    pub fn scale(self, table: &ResponseTable) -> f64 {
        match self {
            Layer::DriftDeg => 0.01,
            Layer::EnergyJPerM => {
                let largest = table.responses().iter().map(|r| r.energy_j_per_m.abs()).fold(0.0, f64::max);
                let steps = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0];
                steps.into_iter().find(|step| 32_000.0 * step >= largest).unwrap_or(100.0)
            }
            _ => 1e-4,
        }
    }
}
