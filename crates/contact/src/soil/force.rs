//! Nodes that carry ⇒ wrench, power and tangent (Krenn & Hirzinger, Eqs. 3–5).

use super::contact::SoilContact;
use super::detect::Touch;
use super::law::Strength;
use super::params::FrictionLaw;
use super::state::Soil;
use super::tangent::{Sum, TangentWeights};
use super::{SoilForce, SurfaceMotion};
use nalgebra::Vector6;
use touchdown_math::{Mat6, Vec3, Wrench};

/// Shear on the body per unit of strength, and how it changes with the sliding velocity: −`drag`·(δv − ahead·v (v·δv)).
struct Shear {
    direction: Vec3,
    drag: f64,
    ahead: f64,
}

impl SoilContact {
    /// touches ⇒ wrench, power, tangent; each touch gets its normal, velocity and shear.
    pub(super) fn sum(
        &mut self,
        soil: &Soil,
        since: f64,
        tangent: Option<(TangentWeights, &mut Mat6)>,
        force: &mut SoilForce,
    ) {
        let (C, motion) = (self.motion.X_WS.p, self.motion);
        let (mut f, mut t, mut load, mut place) = (Vec3::zeros(), Vec3::zeros(), 0.0, Vec3::zeros());
        let mut sum = Sum::default();
        let mut touches = std::mem::take(&mut self.touches);
        for touch in &mut touches {
            let strength = self.strength(touch.soil);
            let (x, y) = (touch.x, touch.y);
            let slope = self.slope(touch.cell as usize, x, y);
            let area = self.area(touch, slope);
            let r = Vec3::new(x - C.x, y - C.y, touch.level - C.z);
            let v = motion.v_WC + motion.w_WB.cross(&r);
            let m = Vec3::new(-slope[0], -slope[1], 1.0);
            (touch.m, touch.v) = (m, v);
            let square = m.norm_squared();
            let rise = m.dot(&v);
            // Soil damping acts against penetration and never pulls.
            let p = (touch.pressure.p - strength.damping * rise).max(0.0);
            let v_t = v - m * (rise / square);
            let shear = match soil.options.friction {
                FrictionLaw::Coulomb { speed } => coulomb(&v_t, speed),
                FrictionLaw::Janosi => mobilise(touch, &v_t, since * strength.shear_rate),
            };
            // On the true area, so that the vertical part of the pressure is p·ds².
            let true_area = area * square.sqrt();
            let tau = strength.friction * p + strength.cohesion;
            let node_f = m * (area * p) + shear.direction * (tau * true_area);
            f += node_f;
            t += r.cross(&node_f);
            load += area * p;
            place += r * (area * p);
            force.pressure_max = force.pressure_max.max(p);
            force.area += area;
            if let Some((w, _)) = &tangent {
                let node = Node { r, m, v_t, p, area, true_area, tau, square };
                node.add_tangent(&mut sum, *w, touch, strength, &shear);
            }
        }
        self.touches = touches;
        if let Some((_, K)) = tangent {
            sum.finish(K);
        }
        force.nodes = self.touches.len() as u32;
        force.wrench_C = Wrench { t, f };
        force.dissipated_power = -(f.dot(&motion.v_WC) + t.dot(&motion.w_WB));
        if load > 0.0 {
            force.p_WQ = C + place / load;
        }
    }
}

impl SoilContact {
    /// Goes on from the last evaluation (which had this tangent) to a motion very near it, to first order: the force that a linearly
    /// implicit step applies, and the nodes' levels, pressures and shears that belong to it.
    pub fn follow(
        &mut self,
        soil: &Soil,
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
        let C = old.X_WS.p;
        let mut touches = std::mem::take(&mut self.touches);
        for touch in &mut touches {
            let r = Vec3::new(touch.x - C.x, touch.y - C.y, touch.level - C.z);
            let rise = touch.m.dot(&(shift + turn.cross(&r)));
            touch.level += rise;
            touch.pressure.move_by(rise);
            if soil.options.friction == FrictionLaw::Janosi {
                let v = motion.v_WC + motion.w_WB.cross(&r);
                let v_t = v - touch.m * (touch.m.dot(&v) / touch.m.norm_squared());
                let rate = since * self.strength(touch.soil).shear_rate;
                mobilise(touch, &v_t, rate);
            }
        }
        self.touches = touches;
    }
}

/// What the tangent of one node needs.
struct Node {
    r: Vec3,
    m: Vec3,
    v_t: Vec3,
    p: f64,
    area: f64,
    true_area: f64,
    tau: f64,
    square: f64,
}

impl Node {
    /// dp = slope·m·δu − damping·m·δv; the force grows by g per unit of pressure, and friction follows the sliding velocity.
    #[inline(always)]
    fn add_tangent(&self, sum: &mut Sum, w: TangentWeights, touch: &Touch, soil: &Strength, shear: &Shear) {
        let damping = if self.p > 0.0 { soil.damping } else { 0.0 };
        let g = self.m * self.area + shear.direction * (soil.friction * self.true_area);
        let drag = w.v * self.tau * self.true_area * shear.drag;
        let left = g * (w.q * touch.pressure.slope - w.v * damping) + self.m * (drag / self.square);
        sum.add_outer(&self.r, &left, &self.m);
        sum.add_drag(&self.r, drag);
        if shear.ahead > 0.0 {
            sum.add_outer(&self.r, &(self.v_t * (drag * shear.ahead)), &self.v_t);
        }
    }
}

/// Eq. 5, regularised at small speed.
#[inline(always)]
fn coulomb(v_t: &Vec3, speed: f64) -> Shear {
    let square = v_t.norm_squared() + speed * speed;
    let inverse = 1.0 / square.sqrt();
    Shear { direction: v_t * -inverse, drag: inverse, ahead: inverse * inverse }
}

/// Janosi and Hanamoto with direction: de/dj = v̂ − e over one step backwards in time, so that |e| = 1 − e^(−j/K) in steady shear
/// and nothing moves at rest. The touch keeps the new share.
#[inline(always)]
fn mobilise(touch: &mut Touch, v_t: &Vec3, rate: f64) -> Shear {
    let scale = 1.0 / (1.0 + v_t.norm() * rate);
    let e = [(touch.held[0] + v_t.x * rate) * scale, (touch.held[1] + v_t.y * rate) * scale];
    touch.shear = e;
    // In the plane of the underside.
    let direction = -Vec3::new(e[0], e[1], -(touch.m.x * e[0] + touch.m.y * e[1]));
    Shear { direction, drag: rate * scale, ahead: 0.0 }
}
