//! Columns of bodies in soil.
//!
//! Slip is defined as `slip_drive = 1 − v/(ω·r)` with the radius of the rim, `travel_reduction` the same with
//! the radius of the grousers' tips. v is the speed of the wheel's centre along the horizontal direction across its axle, ω its spin
//! about the axle (y of the surface's frame). A wheel whose rim moves slower than [`STANDSTILL`] has no slip: zero by definition.

use super::SoilOnLink;
use crate::books::channels::Columns;
use crate::books::vehicle::STANDSTILL;
use crate::engine::system::System;
use touchdown_contact::soil::SoilForce;
use touchdown_contact::tyre::WheelMotion;
use touchdown_math::Vec3;

/// Power at a wheel below which its efficiency is zero by definition, W.
const NO_POWER: f64 = 1e-9;

/// A number of a body.
pub(crate) type SoilValue = (usize, OfBody);

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum OfBody {
    Force(usize),
    Torque,
    Sinkage,
    Area,
    PressureMax,
    Nodes,
    SlipDrive,
    TravelReduction,
    TractiveEfficiency,
}

/// Data of its body that a column reads, in addition to its motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Needs {
    Force,
    Sinkage,
    Motion,
}

impl OfBody {
    pub(super) fn needs(self) -> Needs {
        match self {
            OfBody::Sinkage => Needs::Sinkage,
            OfBody::SlipDrive | OfBody::TravelReduction => Needs::Motion,
            OfBody::Force(_)
            | OfBody::Torque
            | OfBody::Area
            | OfBody::PressureMax
            | OfBody::Nodes
            | OfBody::TractiveEfficiency => Needs::Force,
        }
    }
}

/// Part of a body that is evaluated alone for columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub body: usize,
    pub needs: Needs,
}

impl Part {
    const KINDS: [Needs; 3] = [Needs::Force, Needs::Sinkage, Needs::Motion];

    /// Its number among the parts of `bodies` bodies.
    pub fn number(self, bodies: usize) -> usize {
        self.body + bodies * self.needs as usize
    }

    /// The part of a number.
    pub fn of(number: usize, bodies: usize) -> Part {
        Part { body: number % bodies, needs: Part::KINDS[number / bodies] }
    }
}

/// Adds the columns of all bodies.
pub(super) fn add(bodies: &[SoilOnLink], out: &mut Columns<SoilValue>) {
    use OfBody::{
        Area, Force, Nodes, PressureMax, Sinkage, SlipDrive, Torque, TractiveEfficiency, TravelReduction,
    };
    for (i, on) in bodies.iter().enumerate() {
        let base = format!("soil.{}", on.name);
        let source = |value| (i, value);
        let about = ("N", "world", "force of the soil on the body");
        out.put_axes((&format!("{base}.force"), "n"), about, |k| source(Force(k)));
        let always = [
            (
                Torque,
                "torque_n_m",
                "N m",
                "minus the soil's torque about the body's y axis: what a drive must push with",
            ),
            (
                Sinkage,
                "sinkage_m",
                "m",
                "depth below the undisturbed ground under the origin, along its normal",
            ),
            (Area, "area_m2", "m^2", "horizontal projection of the contact"),
            (PressureMax, "pressure_max_pa", "Pa", "largest pressure"),
            (Nodes, "nodes", "1", "nodes of the grid that carry"),
        ];
        let wheels = [
            (SlipDrive, "slip_drive", "1", "1 - v/(w r), r the radius of the rim; 0 at standstill"),
            (TravelReduction, "travel_reduction", "1", "1 - v/(w r), r the radius of the grousers' tips"),
            (
                TractiveEfficiency,
                "tractive_efficiency",
                "1",
                "F v/(T w), F the soil's force forward, T the torque of the drive; 0 at standstill",
            ),
        ];
        out.put_rows(&base, "ground", &always, source);
        if on.is_wheel() {
            out.put_rows(&base, "ground", &wheels, source);
        }
    }
}

/// A number of a body in soil. Needs kinematics and forces.
pub(super) fn value(system: &System, (i, value): SoilValue) -> f64 {
    let force = &system.acts.soil.forces[i];
    let on = &system.acts.soil.bodies[i];
    match value {
        OfBody::Force(k) => force.wrench_C.f[k],
        OfBody::Sinkage => force.sinkage,
        OfBody::Area => force.area,
        OfBody::PressureMax => force.pressure_max,
        OfBody::Nodes => f64::from(force.nodes),
        OfBody::Torque => Wheel::new(&system.soil_motion(i), force).torque,
        OfBody::SlipDrive => Wheel::new(&system.soil_motion(i), force).slip(on.radius),
        OfBody::TravelReduction => Wheel::new(&system.soil_motion(i), force).slip(on.tip_radius),
        OfBody::TractiveEfficiency => {
            Wheel::new(&system.soil_motion(i), force).tractive_efficiency(on.radius)
        }
    }
}

/// A wheel in soil, along its own directions.
struct Wheel {
    /// Speed of the centre forward, m/s.
    speed: f64,
    /// Spin, rad/s.
    spin: f64,
    /// Force of the soil forward, N.
    pull: f64,
    /// Torque required from a drive, N m.
    torque: f64,
}

impl Wheel {
    fn new(motion: &WheelMotion, force: &SoilForce) -> Wheel {
        // Rolling positively about an axle to the left moves forward; a wheel lying on its side has no
        // forward direction.
        let forward = motion.axis_W.cross(&Vec3::z()).try_normalize(1e-9).unwrap_or_else(Vec3::zeros);
        Wheel {
            speed: motion.v_WC.dot(&forward),
            spin: motion.w_WB.dot(&motion.axis_W),
            pull: force.wrench_C.f.dot(&forward),
            torque: -force.wrench_C.t.dot(&motion.axis_W),
        }
    }

    fn slip(&self, radius: f64) -> f64 {
        let rim = self.spin * radius;
        if rim.abs() < STANDSTILL { 0.0 } else { 1.0 - self.speed / rim }
    }

    fn tractive_efficiency(&self, radius: f64) -> f64 {
        let power = self.torque * self.spin;
        let stands = (self.spin * radius).abs() < STANDSTILL || power.abs() < NO_POWER;
        if stands { 0.0 } else { self.pull * self.speed / power }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchdown_math::{Quat, Wrench};

    /// A wheel that rolls along x turned by a yaw angle, with forces in its own directions.
    fn wheel(yaw: f64, speed: f64, spin: f64, pull: f64, torque: f64) -> Wheel {
        let R = Quat::from_axis_angle(&Vec3::z_axis(), yaw);
        let axis_W = R * Vec3::y();
        let motion = WheelMotion {
            p_WC: Vec3::new(3.0, 2.0, 0.1),
            axis_W,
            // Sinking and sliding sideways are no part of the forward speed; nor is yawing of the spin.
            v_WC: R * Vec3::new(speed, 0.02, -0.01),
            w_WB: axis_W * spin + Vec3::z() * 0.3,
        };
        let wrench_C = Wrench::new(-axis_W * torque + Vec3::z() * 5.0, R * Vec3::new(pull, 7.0, 200.0));
        Wheel::new(&motion, &SoilForce { wrench_C, ..SoilForce::default() })
    }

    #[test]
    fn slip_efficiency_and_torque_do_not_depend_on_the_heading() {
        // v = 0.04 m/s, ω = 0.4 rad/s, r = 0.125 m: ωr = 0.05 m/s, slip 0.2; tips at 0.16 m: 1 − 0.04/0.064 = 0.375;
        // 20 N pull against 6 N m: 20·0.04/(6·0.4) = 1/3.
        for yaw in [0.0, 0.7, 2.0, -3.0] {
            let wheel = wheel(yaw, 0.04, 0.4, 20.0, 6.0);
            assert!((wheel.slip(0.125) - 0.2).abs() < 1e-12);
            assert!((wheel.slip(0.16) - 0.375).abs() < 1e-12);
            assert!((wheel.tractive_efficiency(0.125) - 1.0 / 3.0).abs() < 1e-12);
            assert!((wheel.torque - 6.0).abs() < 1e-12);
        }
    }

    #[test]
    fn driving_backwards_slips_like_driving_forwards() {
        // Both speeds change their sign, and so do pull and torque: the same slip and efficiency.
        let (ahead, back) = (wheel(0.0, 0.04, 0.4, 20.0, 6.0), wheel(0.0, -0.04, -0.4, -20.0, -6.0));
        assert!((ahead.slip(0.125) - back.slip(0.125)).abs() < 1e-15);
        assert!((ahead.tractive_efficiency(0.125) - back.tractive_efficiency(0.125)).abs() < 1e-15);
    }

    #[test]
    fn a_standing_wheel_has_neither_slip_nor_efficiency() {
        // Pulled over the soil with locked wheel: zero by definition, never infinite or not a number.
        let locked = wheel(0.0, 0.05, 0.0, -30.0, 4.0);
        assert_eq!((locked.slip(0.125), locked.tractive_efficiency(0.125)), (0.0, 0.0));
        let idle = wheel(0.0, 0.05, 0.4, 0.0, 0.0);
        assert_eq!(idle.tractive_efficiency(0.125), 0.0);
        assert!(idle.slip(0.125).abs() < 1e-12);
    }
}
