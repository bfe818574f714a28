//! All elements ⇒ wrench, energy, heat, rates of the states, derivatives. Pure.

use super::anchor::{Place, hold};
use super::{Element, Intruder, STATES};
use touchdown_math::{Mat3, Mat6, SurfaceMotion, Vec3, Wrench, cross_matrix};

/// Effect of the soil on a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IntrusionForce {
    /// Wrench on the body about the origin of its frame, world axes.
    pub wrench_S: Wrench,
    /// Depth of its deepest element, m; negative when above ground.
    pub depth: f64,
    /// Where the force acts: mean of its elements below ground, weighed by their loads, m; the origin without any.
    pub p_WQ: Vec3,
    /// Fastest element below ground, m/s.
    pub speed: f64,
    /// Energy stored in the anchors, J.
    pub elastic_energy: f64,
    /// Power turned into heat, W.
    pub dissipated_power: f64,
    /// Whether an element moved on through the soil, left it or let go: below yield all of them hold.
    pub yields: bool,
    /// Whether an element was where there is no ground: its place, m.
    pub off_ground: Option<[f64; 2]>,
}

/// Derivatives of the wrench, world axes; rows and columns 0–2 angular, 3–5 linear.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IntrusionTangent {
    /// With respect to a small rotation of the body and a displacement of its origin, world velocities held.
    pub K: Mat6,
    /// With respect to angular velocity and velocity of the origin.
    pub D: Mat6,
}

/// Height and normal of the undisturbed surface at a place, if there is ground.
pub type SurfaceAt<'a> = &'a dyn Fn(f64, f64) -> Option<(f64, Vec3)>;

impl Intruder {
    /// Force for a motion and the displacements `base` of the anchors. With h = 0 the continuous form; else the states solve e = base + h ė. States and rates are written to `states` and `rates`.
    /// With `tangent` its derivatives are added up as well.
    pub fn evaluate(
        &self,
        motion: &SurfaceMotion,
        surface: SurfaceAt,
        (base, h): (&[f64], f64),
        (states, rates): (&mut [f64], &mut [f64]),
        mut tangent: Option<&mut IntrusionTangent>,
    ) -> IntrusionForce {
        let mut sum = IntrusionForce::apart(motion.X_WS.p, f64::NEG_INFINITY);
        let (mut loads, mut moment) = (0.0, Vec3::zeros());
        let per_element = base.chunks_exact(STATES).zip(states.chunks_exact_mut(STATES));
        for (element, ((base, state), rate)) in
            self.elements.iter().zip(per_element.zip(rates.chunks_exact_mut(STATES)))
        {
            let arm = motion.X_WS.R * element.p_S;
            let p = motion.X_WS.p + arm;
            let Some((height, up)) = surface(p.x, p.y) else {
                sum.off_ground = Some([p.x, p.y]);
                continue;
            };
            let place = Place {
                depth: (height - p.z) * up.z,
                n: motion.X_WS.R * element.n_S,
                up,
                v: motion.v_WS + motion.w_WS.cross(&arm),
            };
            sum.depth = sum.depth.max(place.depth);
            let base = Vec3::new(base[0], base[1], base[2]);
            let held = hold(&self.soil, &place, &base, h);
            state.copy_from_slice(held.e.as_slice());
            rate.copy_from_slice(held.rate.as_slice());
            sum.yields |= !held.holds;
            if place.depth <= 0.0 {
                continue;
            }
            let force = held.traction * element.area;
            let wrench = Wrench::force_at(force, &arm);
            sum.wrench_S.t += wrench.t;
            sum.wrench_S.f += wrench.f;
            sum.speed = sum.speed.max(place.v.norm());
            let stiffness = self.soil.elastic_stiffness * element.area;
            sum.elastic_energy += 0.5 * stiffness * held.e.norm_squared();
            sum.dissipated_power -= force.dot(&place.v) + stiffness * held.e.dot(&held.rate);
            let load = force.norm();
            loads += load;
            moment += p * load;
            if let Some(tangent) = tangent.as_deref_mut() {
                let by_place = -held.traction * up.transpose() * held.by_depth;
                tangent.add(element, &arm, &force, (&by_place, &held.by_velocity));
            }
        }
        if loads > 0.0 {
            sum.p_WQ = moment / loads;
        }
        sum
    }
}

impl IntrusionForce {
    /// Without force: a body at a place, not deeper than that.
    pub fn apart(p: Vec3, depth: f64) -> IntrusionForce {
        IntrusionForce {
            wrench_S: Wrench::new(Vec3::zeros(), Vec3::zeros()),
            depth,
            p_WQ: p,
            speed: 0.0,
            elastic_energy: 0.0,
            dissipated_power: 0.0,
            yields: false,
            off_ground: None,
        }
    }
}

impl IntrusionTangent {
    /// None yet.
    pub fn zero() -> IntrusionTangent {
        IntrusionTangent { K: Mat6::zeros(), D: Mat6::zeros() }
    }

    /// Adds an element: its place moves with δp + δθ × r, its force acts at the arm r, which turns with the body.
    fn add(&mut self, element: &Element, arm: &Vec3, force: &Vec3, (by_place, by_velocity): (&Mat3, &Mat3)) {
        let r = cross_matrix(arm);
        for (sum, slope) in [(&mut self.K, by_place), (&mut self.D, by_velocity)] {
            let slope = slope * element.area;
            let turned = -slope * r;
            *sum += blocks(&(r * turned), &(r * slope), &turned, &slope);
        }
        let geometric = cross_matrix(force) * r;
        let mut block = self.K.fixed_view_mut::<3, 3>(0, 0);
        block += geometric;
    }
}

fn blocks(tt: &Mat3, tf: &Mat3, ft: &Mat3, ff: &Mat3) -> Mat6 {
    let mut m = Mat6::zeros();
    m.fixed_view_mut::<3, 3>(0, 0).copy_from(tt);
    m.fixed_view_mut::<3, 3>(0, 3).copy_from(tf);
    m.fixed_view_mut::<3, 3>(3, 0).copy_from(ft);
    m.fixed_view_mut::<3, 3>(3, 3).copy_from(ff);
    m
}
