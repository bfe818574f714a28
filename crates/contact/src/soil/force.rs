//! Nodes that carry ⇒ wrench, power and tangent (Krenn & Hirzinger, Eqs. 3–5).
//!
//! Nodes are taken two at a time, one in each lane; the lanes are added at the end, in this order, whatever the machine.

use super::contact::SoilContact;
use super::detect::Touch;
use super::law::Strength;
use super::params::FrictionLaw;
use super::state::Soil;
use super::tangent::{Sum, TangentWeights};
use super::{SoilForce, SurfaceMotion};
use nalgebra::Vector6;
use touchdown_math::{Mat6, Vec3, Wrench};
use wide::f64x2;

/// A vector in each lane.
pub(super) type V = [f64x2; 3];

#[inline(always)]
pub(super) fn cross(a: &V, b: &V) -> V {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[inline(always)]
fn dot(a: &V, b: &V) -> f64x2 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
fn splat(v: &Vec3) -> V {
    [f64x2::splat(v.x), f64x2::splat(v.y), f64x2::splat(v.z)]
}

#[inline(always)]
fn total(v: f64x2) -> f64 {
    let [a, b] = v.to_array();
    a + b
}

/// A number of both nodes.
#[inline(always)]
fn both(pair: &[&Touch; 2], number: impl Fn(&Touch) -> f64) -> f64x2 {
    f64x2::new([number(pair[0]), number(pair[1])])
}

/// Shear on the body per unit of strength, and how it changes with the sliding velocity: −`drag`·(δv − ahead·v (v·δv)).
struct Shear {
    direction: V,
    drag: f64x2,
    ahead: f64x2,
}

/// A small motion since the last evaluation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Followed {
    /// Origin of the frame before it, m.
    C: Vec3,
    /// Its displacement, m, and turn, rad.
    shift: Vec3,
    turn: Vec3,
    /// Time since the last commit, s.
    since: f64,
}

/// What all nodes of a contact share.
struct Common {
    C: V,
    v: V,
    w: V,
    friction: FrictionLaw,
    since: f64,
    weights: Option<TangentWeights>,
}

/// Sums over the nodes.
#[derive(Default)]
struct Totals {
    f: V,
    t: V,
    load: f64x2,
    place: V,
    area: f64x2,
    pressure: f64x2,
    tangent: Sum,
}

impl SoilContact {
    /// The second half of `evaluate`: touches ⇒ wrench, power, tangent; each touch gets its normal, area and shear.
    pub fn sum(
        &mut self,
        soil: &Soil,
        since: f64,
        tangent: Option<(TangentWeights, &mut Mat6)>,
        force: &mut SoilForce,
    ) {
        let mut touches = std::mem::take(&mut self.touches);
        for touch in &mut touches {
            let slope = self.slope(touch.cell as usize, touch.x, touch.y);
            touch.m = [-slope[0], -slope[1]];
            touch.area = self.area(touch, slope);
        }
        let motion = self.motion;
        let common = Common {
            C: splat(&motion.X_WS.p),
            v: splat(&motion.v_WC),
            w: splat(&motion.w_WB),
            friction: soil.options.friction,
            since,
            weights: tangent.as_ref().map(|(w, _)| *w),
        };
        let mut totals = Totals::default();
        for pair in touches.chunks_mut(2) {
            let (first, second) = pair.split_at_mut(1);
            match second.first_mut() {
                Some(second) => common.add(self, [&mut first[0], second], &mut totals),
                None => {
                    // The odd one out stands beside a node without area.
                    let mut nothing = Touch { area: 0.0, ..first[0] };
                    common.add(self, [&mut first[0], &mut nothing], &mut totals);
                }
            }
        }
        self.touches = touches;
        let [f, t, place] =
            [totals.f, totals.t, totals.place].map(|v| Vec3::new(total(v[0]), total(v[1]), total(v[2])));
        if let Some((_, K)) = tangent {
            totals.tangent.finish(K);
        }
        let [a, b] = totals.pressure.to_array();
        force.pressure_max = a.max(b);
        force.area = total(totals.area);
        force.nodes = self.touches.len() as u32;
        force.wrench_C = Wrench { t, f };
        force.dissipated_power = -(f.dot(&motion.v_WC) + t.dot(&motion.w_WB));
        let load = total(totals.load);
        if load > 0.0 {
            force.p_WQ = motion.X_WS.p + place / load;
        }
    }

    /// Velocity of the body's surface over the node of a touch, m/s.
    pub(super) fn velocity(&self, touch: &Touch) -> Vec3 {
        let C = self.motion.X_WS.p;
        let r = Vec3::new(touch.x - C.x, touch.y - C.y, touch.level - C.z);
        self.motion.v_WC + self.motion.w_WB.cross(&r)
    }
}

impl Common {
    #[inline(always)]
    fn add(&self, contact: &SoilContact, pair: [&mut Touch; 2], totals: &mut Totals) {
        let [first, second] = pair;
        let nodes = [&*first, &*second];
        let soils = [contact.strength(first.soil), contact.strength(second.soil)];
        let of = |number: fn(&Strength) -> f64| f64x2::new([number(soils[0]), number(soils[1])]);
        let one = f64x2::ONE;
        let r = [
            both(&nodes, |t| t.x) - self.C[0],
            both(&nodes, |t| t.y) - self.C[1],
            both(&nodes, |t| t.level) - self.C[2],
        ];
        let m = [both(&nodes, |t| t.m[0]), both(&nodes, |t| t.m[1]), one];
        let area = both(&nodes, |t| t.area);
        let spin = cross(&self.w, &r);
        let v = [self.v[0] + spin[0], self.v[1] + spin[1], self.v[2] + spin[2]];
        let square = dot(&m, &m);
        let inverse = one / square;
        let rise = dot(&m, &v);
        // Soil damping acts against penetration and never pulls.
        let damping = of(|s| s.damping);
        let p = (both(&nodes, |t| t.pressure.p) - damping * rise).max(f64x2::ZERO);
        let along = rise * inverse;
        let v_t = [v[0] - m[0] * along, v[1] - m[1] * along, v[2] - along];
        let shear = match self.friction {
            FrictionLaw::Coulomb { speed } => coulomb(&v_t, speed),
            FrictionLaw::Janosi => {
                let held = [both(&nodes, |t| t.held[0]), both(&nodes, |t| t.held[1])];
                let (shear, e) = mobilise(&held, &m, &v_t, f64x2::splat(self.since) * of(|s| s.shear_rate));
                let e = e.map(|e| e.to_array());
                (first.shear, second.shear) = ([e[0][0], e[1][0]], [e[0][1], e[1][1]]);
                shear
            }
        };
        // On the true area, so that the vertical part of the pressure is p·ds².
        let true_area = area * square.sqrt();
        let mut friction = of(|s| s.friction);
        // Soil that a body leaves may hold it by its cohesion, not by its friction: on steep places friction must not outweigh pressure.
        let draws = -shear.direction[2] * friction * square.sqrt();
        let pulls = draws.simd_gt(one) & rise.simd_gt(f64x2::ZERO);
        if pulls.any() {
            // A hair less than the pressure, against rounding.
            friction = pulls.select(friction * f64x2::splat(1.0 - 1e-12) / draws, friction);
        }
        let tau = friction * p + of(|s| s.cohesion);
        let (normal, tangential) = (area * p, tau * true_area);
        let f: V = std::array::from_fn(|k| m[k] * normal + shear.direction[k] * tangential);
        let t = cross(&r, &f);
        for k in 0..3 {
            totals.f[k] += f[k];
            totals.t[k] += t[k];
            totals.place[k] += r[k] * normal;
        }
        totals.load += normal;
        totals.area += area;
        totals.pressure = totals.pressure.max(p);
        let Some(w) = self.weights else { return };
        // dp = slope·m·δu − damping·m·δv; the force grows by g per unit of pressure, and friction follows the sliding velocity.
        let g_t = friction * true_area;
        let slope = f64x2::splat(w.q) * both(&[&*first, &*second], |t| t.pressure.slope);
        // Where damping has taken all of the pressure, a little more or less of it changes nothing.
        let by_motion = p.simd_gt(f64x2::ZERO).select(slope - f64x2::splat(w.v) * damping, f64x2::ZERO);
        let drag = f64x2::splat(w.v) * tangential * shear.drag;
        let left: V = std::array::from_fn(|k| {
            (m[k] * area + shear.direction[k] * g_t) * by_motion + m[k] * (drag * inverse)
        });
        totals.tangent.add_outer(&r, &left, &m);
        totals.tangent.add_drag(&r, drag);
        if let FrictionLaw::Coulomb { .. } = self.friction {
            totals.tangent.add_square(&r, &v_t, drag * shear.ahead);
        }
    }
}

impl SoilContact {
    /// Goes on from the last evaluation (which had this tangent) to a motion very near it, to first order: the force that a linearly
    /// implicit step applies, and the nodes' levels, pressures and shears that belong to it.
    pub fn follow(
        &mut self,
        motion: &SurfaceMotion,
        since: f64,
        (weights, tangent): (TangentWeights, &Mat6),
        force: &mut SoilForce,
    ) {
        let old = self.motion;
        self.motion = *motion;
        let (dv, dw) = (motion.v_WC - old.v_WC, motion.w_WB - old.w_WB);
        let change = tangent * (Vector6::new(dw.x, dw.y, dw.z, dv.x, dv.y, dv.z) / weights.v);
        force.wrench_C.t += Vec3::new(change[0], change[1], change[2]);
        force.wrench_C.f += Vec3::new(change[3], change[4], change[5]);
        force.dissipated_power = -(force.wrench_C.f.dot(&motion.v_WC) + force.wrench_C.t.dot(&motion.w_WB));
        let shift = motion.X_WS.p - old.X_WS.p;
        let turned = motion.X_WS.R * old.X_WS.R.transpose();
        let turn = 0.5
            * Vec3::new(
                turned[(2, 1)] - turned[(1, 2)],
                turned[(0, 2)] - turned[(2, 0)],
                turned[(1, 0)] - turned[(0, 1)],
            );
        force.sinkage -= shift.z;
        self.followed = Some(Followed { C: old.X_WS.p, shift, turn, since });
    }

    /// The touch as it is after what was last followed.
    #[inline(always)]
    pub(super) fn followed(&self, touch: &Touch, friction: FrictionLaw) -> Touch {
        let mut touch = *touch;
        let Some(Followed { C, shift, turn, since }) = self.followed else { return touch };
        let r = Vec3::new(touch.x - C.x, touch.y - C.y, touch.level - C.z);
        let m = Vec3::new(touch.m[0], touch.m[1], 1.0);
        let rise = m.dot(&(shift + turn.cross(&r)));
        touch.level += rise;
        touch.pressure.move_by(rise);
        if friction == FrictionLaw::Janosi {
            let v = self.motion.v_WC + self.motion.w_WB.cross(&r);
            let v_t = v - m * (m.dot(&v) / m.norm_squared());
            let rate = since * self.strength(touch.soil).shear_rate;
            let held = [f64x2::splat(touch.held[0]), f64x2::splat(touch.held[1])];
            let (_, e) = mobilise(&held, &splat(&m), &splat(&v_t), f64x2::splat(rate));
            touch.shear = [e[0].to_array()[0], e[1].to_array()[0]];
        }
        touch
    }
}

/// Eq. 5, regularised at small speed.
#[inline(always)]
fn coulomb(v_t: &V, speed: f64) -> Shear {
    let square = dot(v_t, v_t) + f64x2::splat(speed * speed);
    let drag = f64x2::ONE / square.sqrt();
    Shear { direction: [-v_t[0] * drag, -v_t[1] * drag, -v_t[2] * drag], drag, ahead: drag * drag }
}

/// Janosi and Hanamoto with direction: de/dj = v̂ − e over one step backwards in time, so that |e| = 1 − e^(−j/K) in steady shear
/// and nothing moves at rest. Also returns the new share.
#[inline(always)]
fn mobilise(held: &[f64x2; 2], m: &V, v_t: &V, rate: f64x2) -> (Shear, [f64x2; 2]) {
    let scale = f64x2::ONE / (f64x2::ONE + dot(v_t, v_t).sqrt() * rate);
    let e = [(held[0] + v_t[0] * rate) * scale, (held[1] + v_t[1] * rate) * scale];
    // In the plane of the underside.
    let direction = [-e[0], -e[1], m[0] * e[0] + m[1] * e[1]];
    (Shear { direction, drag: rate * scale, ahead: f64x2::ZERO }, e)
}
