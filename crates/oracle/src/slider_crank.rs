//! Slider-crank with a prescribed crank: reference for scenario `slider-crank`, kinematics and drive torque.
//! Closed form; derivatives are exact (truncated Taylor arithmetic), so velocity, acceleration and torque carry rounding only.
//!
//! Problem: plane xy, gravity 9.81 m/s² along −y. Crank of 0.5 m about the origin, θ = t · 1 rad/s about +z from +x;
//! connecting rod of 1 m from the crank pin to the slider; slider on the x axis, x > 0. Uniform slender rods: crank 1 kg,
//! connecting rod 2 kg (inertia m l²/12 about their centres), slider 3 kg.
//!
//! Derivation: x = a cos t + √(l² − a² sin² t); rod angle ψ about +z from +x, sin ψ = −(a/l) sin t. With one coordinate
//! and θ̇ = 1 the power balance per unit angle gives the torque of the drive (virtual work):
//! τ = Σ m r′·r″ + Σ J φ′φ″ + Σ m g y′, a prime meaning d/dθ.

use crate::GRAVITY;
use crate::numerics::jet::{Jet, Reduced};

/// Length of the crank, m.
pub const CRANK: f64 = 0.5;
/// Length of the connecting rod, m.
pub const ROD: f64 = 1.0;
/// Mass of the crank, kg.
pub const CRANK_MASS: f64 = 1.0;
/// Mass of the connecting rod, kg.
pub const ROD_MASS: f64 = 2.0;
/// Mass of the slider, kg.
pub const SLIDER_MASS: f64 = 3.0;

/// The slider-crank at one time.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Crank angle about +z from +x (equals the time).
    pub crank_rad: f64,
    /// Slider position along +x.
    pub x_m: f64,
    /// Slider velocity.
    pub velocity_m_per_s: f64,
    /// Slider acceleration.
    pub acceleration_m_per_s2: f64,
    /// Absolute angle of the connecting rod about +z from +x, seen from the crank pin towards the slider.
    pub rod_rad: f64,
    /// Rate of the connecting rod.
    pub rod_rate_rad_per_s: f64,
    /// Angular acceleration of the connecting rod.
    pub rod_acceleration_rad_per_s2: f64,
    /// Torque about +z that the drive must apply to the crank.
    pub torque_nm: f64,
    /// Kinetic plus potential energy.
    pub energy_j: f64,
}

/// The slider-crank at time `t`, s.
pub fn at(t: f64) -> Sample {
    let theta = Jet::new(t, 1.0, 0.0);
    let pin = [theta.cos() * CRANK, theta.sin() * CRANK];
    let x = pin[0] + (Jet::constant(ROD * ROD) - pin[1] * pin[1]).sqrt();
    let psi = (pin[1] * (-1.0 / ROD)).asin();
    let rod_centre = [(pin[0] + x) * 0.5, pin[1] * 0.5];

    let mut reduced = Reduced::default();
    reduced.add(CRANK_MASS * CRANK * CRANK / 3.0, theta);
    reduced.add(ROD_MASS, rod_centre[0]);
    reduced.add(ROD_MASS, rod_centre[1]);
    reduced.add(ROD_MASS * ROD * ROD / 12.0, psi);
    reduced.add(SLIDER_MASS, x);
    let potential = (pin[1] * (0.5 * CRANK_MASS) + rod_centre[1] * ROD_MASS) * GRAVITY;

    Sample {
        crank_rad: t,
        x_m: x.value,
        velocity_m_per_s: x.d,
        acceleration_m_per_s2: x.dd,
        rod_rad: psi.value,
        rod_rate_rad_per_s: psi.d,
        rod_acceleration_rad_per_s2: psi.dd,
        torque_nm: reduced.half_slope + potential.d,
        energy_j: 0.5 * reduced.inertia + potential.value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Position, velocity and acceleration are the textbook expressions of the slider-crank.
    #[test]
    fn kinematics_match_textbook_expressions() {
        for step in 0..50 {
            let t = 0.13 * step as f64;
            let (s, c) = t.sin_cos();
            let root = (ROD * ROD - CRANK * CRANK * s * s).sqrt();
            let velocity = -CRANK * s - CRANK * CRANK * s * c / root;
            let square = CRANK * CRANK;
            let acceleration =
                -CRANK * c - square * (c * c - s * s) / root - square * square * s * s * c * c / root.powi(3);
            let sample = at(t);
            assert!((sample.x_m - CRANK * c - root).abs() < 1e-15);
            assert!((sample.velocity_m_per_s - velocity).abs() < 1e-15);
            assert!((sample.acceleration_m_per_s2 - acceleration).abs() < 3e-15);
            // The rod closes the loop from the crank pin to the slider.
            assert!((CRANK * c + ROD * sample.rod_rad.cos() - sample.x_m).abs() < 1e-15);
            assert!((CRANK * s + ROD * sample.rod_rad.sin()).abs() < 3e-16);
        }
    }

    /// The drive's power is the rate of the energy: the integral of the torque over an interval (8-point Gauss–Legendre
    /// on short panels, error far below rounding) equals the change of kinetic plus potential energy.
    #[test]
    fn torque_is_the_slope_of_the_energy() {
        const NODES: [(f64, f64); 4] = [
            (0.183_434_642_495_649_8, 0.362_683_783_378_362),
            (0.525_532_409_916_329, 0.313_706_645_877_887_3),
            (0.796_666_477_413_626_7, 0.222_381_034_453_374_48),
            (0.960_289_856_497_536_3, 0.101_228_536_290_376_26),
        ];
        let (start, end, panels) = (0.2, 2.9, 40);
        let half = 0.5 * (end - start) / panels as f64;
        let mut work = 0.0;
        for panel in 0..panels {
            let middle = start + half * (2 * panel + 1) as f64;
            for (node, weight) in NODES {
                work +=
                    weight * half * (at(middle - half * node).torque_nm + at(middle + half * node).torque_nm);
            }
        }
        assert!((work - (at(end).energy_j - at(start).energy_j)).abs() < 1e-13);
    }

    /// At the outer dead point the rod stands still relative to its ends: torque is the weight of crank and rod alone.
    #[test]
    fn torque_at_the_dead_point() {
        // y′ of the crank's centre is a/2; the rod's centre is midway between pin (y′ = a) and slider.
        let weight = GRAVITY * (CRANK_MASS * CRANK / 2.0 + ROD_MASS * CRANK / 2.0);
        assert!((at(0.0).torque_nm - weight).abs() < 1e-14);
    }
}
