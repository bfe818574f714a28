//! Memory of the ground under a foot between evaluations, and how an accepted step changes it.
//!
//! Five contact states travel with the integrator ([`STATES`]): the pressed sinkage m, the deformation of a
//! spring in soil and the tangential deflection. In addition, the soil stores the present footprint
//! ([`FootprintMemory`]) and earlier ones ([`Footprints`]): a foot that steps on a footprint, its own or
//! another's, meets firm soil; elsewhere it meets fresh soil.

use super::{Foot, GroundPlane, SurfaceMotion};
use serde::{Deserialize, Serialize};
use touchdown_math::Elementary;
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

/// Largest number of stored footprints; beyond it the oldest is dropped.
const MOST: usize = 1024;

/// A footprint that no foot stands over.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Footprint {
    place: [f64; 3],
    /// Up to where the soil was pressed, m.
    pressed: f64,
    /// Half the size of the foot that left it, m: it applies only to feet of this size.
    reach: f64,
    /// Which part of the sole left it: it applies to the same part of another foot.
    part: u32,
}

/// Footprints that feet left behind: plain data, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Footprints {
    kept: Vec<Footprint>,
}

impl Footprints {
    /// With room for all of them, so that a walk allocates nothing.
    pub fn with_room() -> Footprints {
        Footprints { kept: Vec::with_capacity(MOST) }
    }

    /// How many are kept.
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    fn keep(&mut self, footprint: Footprint) {
        if self.kept.len() == MOST {
            self.kept.remove(0);
        }
        self.kept.push(footprint);
    }

    /// Removes and returns the nearest one on which a foot of this size would stand.
    fn take(&mut self, p: &Vec3, normal: &Vec3, (reach, part): (f64, u32)) -> Option<Footprint> {
        let mut nearest: Option<(usize, f64)> = None;
        for (i, footprint) in self.kept.iter().enumerate().filter(|(_, f)| f.reach == reach && f.part == part)
        {
            let away = along(&(p - Vec3::from(footprint.place)), normal);
            if away <= reach && nearest.is_none_or(|(_, least)| away < least) {
                nearest = Some((i, away));
            }
        }
        nearest.map(|(i, _)| self.kept.remove(i))
    }
}

/// Length of a vector along the ground.
fn along(v: &Vec3, normal: &Vec3) -> f64 {
    (v - normal * normal.dot(v)).norm()
}

impl Foot {
    /// States of a foot that was pressed slowly to where it is: soil and spring share the depth (Eqs. 48 and 49), no shear.
    pub fn settled(&self, motion: &SurfaceMotion, ground: &GroundPlane) -> [f64; STATES] {
        let depth = (-self.calc_outline_gap(motion, ground)).max(0.0);
        let mut states = [0.0; STATES];
        let Some(bearing) = &self.bearing else { return states };
        states[0] = depth;
        if let Some(spring) = self.params.spring {
            // m + x(m) grows: halve the interval until it is round-off.
            let (mut low, mut high) = (0.0, depth);
            for _ in 0..80 {
                let m = 0.5 * (low + high);
                let x = (bearing.at(m).force / spring.k).power(1.0 / spring.n);
                if m + x < depth { low = m } else { high = m }
            }
            (states[0], states[1]) = (low, depth - low);
        }
        states
    }

    /// Accepts a step. In contact the footprint follows the foot. A foot above the untouched ground that is
    /// farther from its footprint than half its size ([`super::FootShape::reach`]) leaves it behind and takes
    /// another stored one, or fresh soil: its other states become zero. Below the untouched ground, a foot
    /// that moves sideways makes a furrow: it stays in its footprint.
    pub fn commit(
        &self,
        motion: &SurfaceMotion,
        ground: &GroundPlane,
        (memory, left): (&mut FootprintMemory, &mut Footprints),
        z: &mut [f64; STATES],
    ) {
        let sole = super::detect::Sole::calc(&self.params.shape, motion, ground);
        if self.calc_gap(motion, ground, z) < 0.0 {
            memory.count += u64::from(memory.place.is_none());
            memory.place = Some(sole.p_W.into());
            return;
        }
        if sole.depth > 0.0 {
            return;
        }
        let reach = self.params.shape.reach();
        if let Some(place) = memory.place {
            if along(&(sole.p_W - Vec3::from(place)), &ground.normal) <= reach {
                return;
            }
            if z[0] > 0.0 {
                left.keep(Footprint { place, pressed: z[0], reach, part: self.part.0 });
            }
            memory.place = None;
            *z = [0.0; STATES];
        }
        if let Some(found) = left.take(&sole.p_W, &ground.normal, (reach, self.part.0)) {
            memory.place = Some(found.place);
            z[0] = found.pressed;
        }
    }
}
