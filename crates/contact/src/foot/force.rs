//! Loads of a foot: depth, velocity and states ⇒ normal force, tangential force, energy, heat. Pure.

use super::detect::Sole;
use super::params::{FootGround, FootParameters};
use super::plastic::{Press, calc_column};
use super::series::{Series, calc_series};
use super::{Bearing, FootForce, STATES};
use crate::law::shear::{Shear, ShearBristle};
use touchdown_math::{Elementary, Vec3, Wrench};

/// Loads of the ground on a foot, with intermediate values for the tangent.
pub(super) struct Loads {
    pub normal: f64,
    /// By depth and its rate.
    pub normal_slopes: [f64; 2],
    /// Derivatives of the strength by depth and its rate.
    pub strength_slopes: [f64; 2],
    pub shear: Shear,
    /// Of the pressed sinkage and of the spring in soil.
    pub rates: [f64; 2],
    pub energy: f64,
    pub heat: f64,
    pub spring: f64,
    pub strength: f64,
}

pub(super) fn calc_loads(
    p: &FootParameters,
    bearing: Option<&Bearing>,
    sole: &Sole,
    base: &[f64; STATES],
    h: f64,
) -> Loads {
    let press = Press { depth: sole.depth, rate: -sole.n.dot(&sole.v) };
    let (mut loads, length) = match (&p.ground, bearing) {
        (FootGround::Soil(soil), Some(bearing)) => {
            let both = match &p.spring {
                Some(law) => calc_series(law, (bearing, soil), &press, [base[0], base[1]], h),
                None => {
                    let column = calc_column(bearing, soil, &press, base[0], h);
                    Series { column, ..Series::default() }
                }
            };
            let column = both.column;
            let tan = soil.friction_angle.tangent();
            let strength = soil.cohesion * column.area + tan * column.force;
            let strength_slopes =
                [0, 1].map(|i| soil.cohesion * column.area_slopes[i] + tan * column.slopes[i]);
            let loads = Loads {
                normal: column.force,
                normal_slopes: column.slopes,
                strength_slopes,
                shear: Shear::none(),
                rates: [column.yield_rate, both.rate],
                energy: column.energy,
                heat: column.dissipated_power,
                spring: both.deformation,
                strength,
            };
            (loads, soil.shear_length)
        }
        (ground, _) => {
            let (mu, length) = match ground {
                FootGround::Hard { friction, shear_length } => (*friction, *shear_length),
                FootGround::Soil(soil) => (0.0, soil.shear_length),
            };
            let law = p.spring.map(|s| s.push(press.depth, press.rate)).unwrap_or_default();
            let slopes = [law.stiffness, law.damping];
            let loads = Loads {
                normal: law.force,
                normal_slopes: slopes,
                strength_slopes: slopes.map(|s| s * mu),
                shear: Shear::none(),
                rates: [0.0, 0.0],
                energy: law.energy,
                heat: law.dissipated_power,
                spring: press.depth.max(0.0),
                strength: mu * law.force,
            };
            (loads, length)
        }
    };
    let bristle = ShearBristle {
        curve: p.curve,
        length,
        stiffness: p.tangential_stiffness,
        damping: p.tangential_stiffness * p.tangential_relaxation,
    };
    // The plane may have turned since: only the part of the deflection along the ground remains.
    let e = Vec3::new(base[2], base[3], base[4]);
    let e = e - sole.n * sole.n.dot(&e);
    loads.shear = bristle.solve(loads.strength, (&e, h), &sole.v_t);
    loads
}

impl Loads {
    pub fn force(&self, n: &Vec3) -> Vec3 {
        n * self.normal - self.shear.force
    }

    pub fn report(&self, sole: &Sole, in_range: bool) -> FootForce {
        let f = self.force(&sole.n);
        let u = &self.shear.rate;
        FootForce {
            wrench_F: Wrench::force_at(f, &sole.arm),
            p_WQ: sole.p_W,
            normal_force: self.normal,
            tangential_W: -self.shear.force,
            strength: self.strength,
            depth: sole.depth,
            spring: self.spring,
            elastic_energy: self.energy + self.shear.energy,
            dissipated_power: self.heat + self.shear.dissipated_power,
            state_rate: [self.rates[0], self.rates[1], u.x, u.y, u.z],
            in_range,
        }
    }
}
