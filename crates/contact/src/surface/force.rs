//! Force: facing points, twists and contact states ⇒ wrenches, energy, heat and the rates of the states. A
//! pure function; `tangent.rs` differentiates it, using the values in `Loads`.

use super::kinematics::{Kinematics, Rates};
use super::params::{FrictionLaw, NormalLaw, SurfaceLaw};
use super::track::Facing;
use super::{ContactPoint, SurfaceMotion};
use crate::law::friction::{Bristle, BristleMotion, Regularised, bristle, falling_coefficient, regularised};
use crate::law::normal::{NormalForce, hertz_stiffness, hunt_crossley, linear};
use touchdown_math::{Motion, Vec3};

/// Friction at one candidate.
#[derive(Clone, Copy, Debug)]
pub(super) enum Friction {
    None,
    Regularised {
        coefficient: f64,
        law: Regularised,
    },
    StickSlip {
        law: Bristle,
        /// Stiffness k and d + h k.
        stiffness: f64,
        resistance: f64,
        /// μ and its slope over v².
        coefficient: (f64, f64),
        base: Vec3,
    },
}

/// Everything between facing points and forces, world axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Loads {
    pub facing: Facing,
    pub kinematics: Kinematics,
    pub n: Vec3,
    /// Arms from the origins of the sides to the closest point of side 1, m.
    pub arms: [Vec3; 2],
    /// Velocity of side 2 relative to side 1 at that point, m/s.
    pub v: Vec3,
    /// Its part across the normal.
    pub v_t: Vec3,
    pub rates: Rates,
    pub normal: NormalForce,
    pub friction: Friction,
    /// Force on side 2 across the normal, N.
    pub f_t: Vec3,
    /// Rate of the deflection, m/s.
    pub state_rate: Vec3,
    pub energy: f64,
    pub heat: f64,
}

/// Twist of a side about a point.
#[inline]
pub(super) fn twist_at(side: &SurfaceMotion, p_W: &Vec3) -> Motion {
    Motion { w: side.w_WS, v: side.v_WS + side.w_WS.cross(&(p_W - side.X_WS.p)) }
}

/// Loads at two facing points; `curvature` is the mean relative one when they last were apart.
#[inline]
pub(super) fn calc_loads(
    law: &SurfaceLaw,
    facing: &Facing,
    sides: &[SurfaceMotion; 2],
    curvature: f64,
    base: &Vec3,
    h: f64,
) -> Loads {
    let n: Vec3 = facing.frame_W.column(2).into();
    let p = facing.p_W;
    let [one, two] = [twist_at(&sides[0], &p), twist_at(&sides[1], &p)];
    let kinematics = Kinematics::new(facing);
    let rates = kinematics.rates(facing, &one, &two);
    let v = two.v - one.v;
    let v_t = v - n * n.dot(&v);
    let (s, s_rate) = (-facing.gap, -n.dot(&v));
    let normal = match law.normal {
        NormalLaw::Linear { stiffness, damping } => linear(stiffness, damping, s, s_rate),
        NormalLaw::HuntCrossley { stiffness, exponent, damping } => {
            hunt_crossley(stiffness, exponent, damping, s, s_rate)
        }
        NormalLaw::Hertz { modulus, damping } => {
            hunt_crossley(hertz_stiffness(modulus, curvature), 1.5, damping, s, s_rate)
        }
    };
    let mut loads = Loads {
        facing: *facing,
        kinematics,
        n,
        arms: [p - sides[0].X_WS.p, p - sides[1].X_WS.p],
        v,
        v_t,
        rates,
        normal,
        friction: Friction::None,
        f_t: Vec3::zeros(),
        state_rate: Vec3::zeros(),
        energy: normal.energy,
        heat: normal.dissipated_power,
    };
    match law.friction {
        FrictionLaw::Frictionless => {}
        FrictionLaw::Regularised { coefficient, speed } => {
            let law = regularised(coefficient * normal.force, speed, &v_t);
            loads.f_t = law.force;
            loads.heat += law.dissipated_power;
            loads.friction = Friction::Regularised { coefficient, law };
        }
        FrictionLaw::StickSlip { stick, slip, speed, stiffness, damping } => {
            let coefficient = falling_coefficient(stick, slip, speed, v_t.norm_squared());
            // The bristle turns with the normal.
            let W = n.cross(&rates.normal);
            let motion = BristleMotion { v: v_t, n, W };
            let law = bristle(stiffness, damping, coefficient.0 * normal.force, (base, h), &motion);
            loads.f_t = -law.force;
            loads.heat += law.dissipated_power;
            loads.energy += law.energy;
            // At the end of the step: z = base + h ż, the part along the normal too.
            let step = base + law.rate * h;
            let z =
                (step + h * W.cross(&step) + (h * h * W.dot(&step)) * W) / (1.0 + h * h * W.norm_squared());
            loads.state_rate = law.rate + W.cross(&z);
            let resistance = damping + h * stiffness;
            loads.friction = Friction::StickSlip { law, stiffness, resistance, coefficient, base: *base };
        }
    }
    loads
}

impl Loads {
    /// Force of side 1 on side 2, N.
    #[inline]
    pub fn force(&self) -> Vec3 {
        self.n * self.normal.force + self.f_t
    }

    /// Public data of the candidate in a slot.
    #[inline]
    pub fn report(&self, slot: usize, sides: &[SurfaceMotion; 2]) -> ContactPoint {
        let f = &self.facing;
        let own = |i: usize| sides[i].X_WS.R.tr_mul(&self.rates.w[i]);
        let G = f.frame_W.transpose();
        ContactPoint {
            slot,
            p_W: f.p_W,
            normal_W: self.n,
            places: f.places,
            rates: [own(0), own(1)],
            gap: f.gap,
            gap_rate: self.rates.gap,
            twist_G: Motion { w: G * (sides[1].w_WS - sides[0].w_WS), v: G * self.v },
            normal_force: self.normal.force,
            friction_W: self.f_t,
        }
    }
}
