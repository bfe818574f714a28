//! What a foot's ground remembers between evaluations, and how an accepted step changes it.
//!
//! Five contact states travel with the integrator ([`STATES`]): the pressed sinkage m, the deformation of a spring in soil and the tangential deflection. Beside them the soil knows where it was
//! pressed ([`FootprintMemory`]): a foot that comes back to its footprint finds firm soil, elsewhere it finds fresh soil.

use super::{Foot, FootMotion, GroundPlane};
use serde::{Deserialize, Serialize};
use touchdown_math::Vec3;

/// Contact states of a foot: pressed sinkage m (m), deformation of its spring in soil (m; zero elsewhere), tangential deflection (m, world axes).
pub const STATES: usize = 5;

/// Where the last footprint is. Plain data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FootprintMemory {
    /// Place of the last contact, world, m; none before the first.
    pub place: Option<[f64; 3]>,
    /// Footprints so far.
    pub count: u64,
}

impl Foot {
    /// States of a foot that was pressed slowly to where it is: soil and spring share the depth (Eqs. 48 and 49), no shear.
    pub fn settled(&self, motion: &FootMotion, ground: &GroundPlane) -> [f64; STATES] {
        let depth = (-self.calc_outline_gap(motion, ground)).max(0.0);
        let mut states = [0.0; STATES];
        let Some(bearing) = &self.bearing else { return states };
        states[0] = depth;
        if let Some(spring) = self.params.spring {
            // m + x(m) grows: halve the interval until it is round-off.
            let (mut low, mut high) = (0.0, depth);
            for _ in 0..80 {
                let m = 0.5 * (low + high);
                let x = (bearing.at(m).force / spring.k).powf(1.0 / spring.n);
                if m + x < depth { low = m } else { high = m }
            }
            (states[0], states[1]) = (low, depth - low);
        }
        states
    }

    /// Accepts a step. In contact the footprint follows the foot; a foot above the untouched ground that is farther from its footprint than half its size
    /// ([`super::FootShape::reach`]) gets fresh soil below it: its states become zero. Below it, a foot that goes sideways makes a furrow: it stays in its footprint.
    pub fn commit(
        &self,
        motion: &FootMotion,
        ground: &GroundPlane,
        memory: &mut FootprintMemory,
        z: &mut [f64; STATES],
    ) {
        let sole = super::detect::Sole::calc(&self.params.shape, motion, ground);
        if self.calc_gap(motion, ground, z) < 0.0 {
            memory.count += u64::from(memory.place.is_none());
            memory.place = Some(sole.p_W.into());
        } else if let (Some(place), true) = (memory.place, sole.depth <= 0.0) {
            let away = sole.p_W - Vec3::from(place);
            let along = away - ground.normal * ground.normal.dot(&away);
            if along.norm() > self.params.shape.reach() {
                memory.place = None;
                *z = [0.0; STATES];
            }
        }
    }
}
