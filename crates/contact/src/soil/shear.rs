//! Forces on a face from its motion: friction laws, and the pressure that depends on directions, both with
//! the node's memory of earlier motion. Between the motion of two nodes and the force on them (`force`), and
//! again at an accepted step (`follow`).

use super::direction::Resistance;
use super::lanes::{V, dot};
use super::params::{FrictionLaw, StressLaw};
use super::tile::Held;
use wide::f64x2;

/// Shear on the body per unit of strength, and how it changes with the sliding velocity: −`drag`·(δv − ahead·v (v·δv)).
pub(super) struct Shear {
    pub direction: V,
    /// See above.
    pub drag: f64x2,
    /// See above.
    pub ahead: f64x2,
}

/// Eq. 5, regularised at small speed.
#[inline(always)]
fn coulomb(v_t: &V, speed: f64) -> Shear {
    let square = dot(v_t, v_t) + f64x2::splat(speed * speed);
    let drag = f64x2::ONE / square.sqrt();
    Shear { direction: [-v_t[0] * drag, -v_t[1] * drag, -v_t[2] * drag], drag, ahead: drag * drag }
}

/// Distance over which a node adapts to the direction of a motion, m: far below the shear lengths of soils
/// (millimetres), so that a body at rest is held by an anchor that yields by less than a millimetre.
const ANCHOR: f64 = 2e-4;
/// Slower than this nothing slides, m/s.
const STILL: f64 = 1e-12;
/// A face that moves away from the soil (n·v < 0) meets no resistance; the law fades out over this range of
/// n·v.
const LEAVING: f64 = 0.05;

/// How forces follow from motion, and the time since the last commit, s.
#[derive(Clone, Copy)]
pub(super) struct Laws {
    pub friction: FrictionLaw,
    pub stress: StressLaw,
    pub since: f64,
}

/// [`Held`] of two nodes.
#[derive(Clone, Copy)]
pub(super) struct HeldPair {
    anchor: [f64x2; 2],
    share: f64x2,
    /// Pressure and drag over the pressure of a level plate pushed down.
    pub bearing: f64x2,
    /// See `bearing`.
    pub drag: f64x2,
}

impl HeldPair {
    fn new([a, b]: [Held; 2]) -> HeldPair {
        HeldPair {
            anchor: std::array::from_fn(|k| f64x2::new([a.anchor[k], b.anchor[k]])),
            share: f64x2::new([a.share, b.share]),
            bearing: f64x2::new([a.bearing, b.bearing]),
            drag: f64x2::new([a.drag, b.drag]),
        }
    }

    /// Of one of the two.
    #[inline(always)]
    pub fn of(&self, lane: usize) -> Held {
        let one = |v: f64x2| v.to_array()[lane];
        Held {
            anchor: self.anchor.map(one),
            share: one(self.share),
            bearing: one(self.bearing),
            drag: one(self.drag),
        }
    }
}

/// Results of the law of directions for two nodes, over the pressure of a level plate pushed down, and their
/// speed, m/s.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Faced {
    bearing: f64x2,
    drag: f64x2,
    speed: f64x2,
}

impl Faced {
    #[inline(always)]
    fn of((m, square): (&V, f64x2), v: &V) -> Faced {
        let one = f64x2::ONE;
        let outward = -one / square.sqrt();
        let found = Resistance::of(&[m[0] * outward, m[1] * outward, outward], v);
        let presses = (one + found.facing * f64x2::splat(1.0 / LEAVING)).fast_max(f64x2::ZERO).fast_min(one);
        Faced { bearing: found.bearing * presses, drag: found.drag, speed: found.speed }
    }
}

impl Laws {
    /// Shear of nodes with normals m (not normalised, and their squares) under surfaces that move with v,
    /// slide with v_t and rise along m, and the new memory of the nodes, by backward Euler over one step, so
    /// that nothing changes at rest. With 1/K and the factor that the pressure approaches by `peak`.
    /// `faced` is the result of the last evaluation; it is computed if there is none.
    #[inline(always)]
    pub fn advance(
        &self,
        held: [Held; 2],
        (m, square): (&V, f64x2),
        (v, v_t, rise): (&V, &V, f64x2),
        (shear_rate, factor): (f64x2, f64x2),
        faced: Option<Faced>,
    ) -> (Shear, HeldPair, Faced) {
        let (mut now, mut found) = (HeldPair::new(held), Faced::default());
        let shear = match self.friction {
            FrictionLaw::Coulomb { speed } => coulomb(v_t, speed),
            FrictionLaw::Janosi | FrictionLaw::JanosiRim => self.anchored(&mut now, m, v_t, Some(shear_rate)),
            FrictionLaw::Anchored => self.anchored(&mut now, m, v_t, None),
        };
        match self.stress {
            StressLaw::Bekker => {}
            StressLaw::Directional => {
                found = faced.unwrap_or_else(|| Faced::of((m, square), v));
                let follows = self.follows(found.speed);
                now.bearing += (found.bearing - now.bearing) * follows;
                now.drag += (found.drag - now.drag) * follows;
            }
            StressLaw::WongReece => {
                let speed = (dot(v_t, v_t) + rise * rise / square).sqrt();
                now.bearing += (factor - now.bearing) * self.follows(speed);
            }
        }
        (shear, now, found)
    }

    /// Against the sliding, to which the direction of a node adapts over a short distance; the share of the
    /// strength is one, or the share mobilised according to Janosi and Hanamoto: dS = (1 − S) dj/K with the
    /// shear displacement j, so that S = 1 − e^(−j/K).
    #[inline(always)]
    fn anchored(&self, now: &mut HeldPair, m: &V, v_t: &V, shear_rate: Option<f64x2>) -> Shear {
        let one = f64x2::ONE;
        let slid = dot(v_t, v_t).sqrt() * f64x2::splat(self.since);
        let rate = f64x2::splat(self.since / ANCHOR);
        let scale = one / (one + slid * f64x2::splat(1.0 / ANCHOR));
        let [x, y] = [0, 1].map(|k| (now.anchor[k] + v_t[k] * rate) * scale);
        // In the plane of the underside, as it is now.
        let z = -(m[0] * x + m[1] * y);
        let over = one / (x * x + y * y + z * z).sqrt().fast_max(one);
        now.anchor = [x * over, y * over];
        now.share = match shear_rate {
            Some(shear_rate) => (now.share + slid * shear_rate) / (one + slid * shear_rate),
            None => one,
        };
        let against = -now.share * over;
        let direction = [x * against, y * against, z * against];
        let drag = now.share * rate * scale;
        // Along the motion the direction saturates, and the share grows: −∂f/∂v = drag·(1 − v̂v̂ᵀ·(…)), exact where the anchor lies along the motion.
        let square = dot(v_t, v_t).fast_max(f64x2::splat(STILL * STILL));
        let grows = shear_rate.map_or(f64x2::ZERO, |rate| rate * (one - now.share) / (one + slid * rate));
        let saturates = now.share * scale * f64x2::splat(1.0 / ANCHOR) - grows;
        let along = -dot(&direction, v_t) / now.share.fast_max(f64x2::splat(f64::MIN_POSITIVE));
        let ahead = along * saturates * f64x2::splat(self.since) / (square * square.sqrt());
        Shear { direction, drag, ahead: ahead / drag.fast_max(f64x2::splat(f64::MIN_POSITIVE)) }
    }

    /// Part of a change that a node follows at this speed, by backward Euler.
    #[inline(always)]
    fn follows(&self, speed: f64x2) -> f64x2 {
        let moved = speed * f64x2::splat(self.since / ANCHOR);
        moved / (f64x2::ONE + moved)
    }
}
