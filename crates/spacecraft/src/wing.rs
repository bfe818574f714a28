//! A flexible, turning solar wing: a rigid thin plate hinged at its root, with one torsion and one bending coordinate on springs.
//!
//! The hinge is a universal joint: its first axis, y, carries the drive and torsion (the spring acts on the angle beyond that of the drive), its second, x,
//! bending. Clamped at the root the two motions are uncoupled at rest, so the stiffnesses follow from the frequencies alone:
//! k = I (2π f)², d = 2 ζ I (2π f), with I about the hinge. One mode each: higher ones of a real wing are left out.

use std::f64::consts::TAU;
use touchdown_math::{Mat3, Vec3};

/// Description of a wing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WingDescription {
    /// Mass, kg.
    pub mass: f64,
    /// Length along the wing, m.
    pub length: f64,
    /// Width, m.
    pub width: f64,
    /// On which side of the satellite: +1 along +y, −1 along −y.
    pub side: f64,
    /// Frequency of bending, root clamped, Hz.
    pub bending_hz: f64,
    /// Frequency of torsion, root clamped, Hz.
    pub torsion_hz: f64,
    /// Damping ratio of both.
    pub damping_ratio: f64,
    /// The drive.
    pub drive: WingDrive,
}

/// Angle of the drive about y: it turns at a constant rate from a start on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WingDrive {
    /// Angle at t = 0, rad.
    pub angle: f64,
    /// Rate, rad/s.
    pub rate: f64,
}

impl WingDrive {
    /// Angle (rad) and rate (rad/s) at `t`.
    pub fn at(&self, t: f64) -> (f64, f64) {
        (self.angle + self.rate * t, self.rate)
    }
}

/// A spring and damper on one coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hinge {
    /// Stiffness, N m/rad.
    pub stiffness: f64,
    /// Damping, N m s/rad.
    pub damping: f64,
}

/// Loads of a hinge at one instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HingeLoad {
    /// Torque on the wing about the hinge's axis, N m; the opposite acts on the satellite.
    pub torque: f64,
    /// Stored energy, J.
    pub elastic: f64,
    /// Power dissipated, W.
    pub dissipated: f64,
    /// Power of the drive, W.
    pub drive: f64,
}

impl Hinge {
    /// The hinge that gives an inertia (kg m²) this frequency (Hz) and damping ratio.
    pub fn tuned(inertia: f64, frequency_hz: f64, damping_ratio: f64) -> Hinge {
        let w = TAU * frequency_hz;
        Hinge { stiffness: inertia * w * w, damping: 2.0 * damping_ratio * inertia * w }
    }

    /// Torque at the angle and rate of the coordinate, with the rest angle and its rate (`target`).
    pub fn load(&self, angle: f64, rate: f64, target: (f64, f64)) -> HingeLoad {
        let (twist, speed) = (angle - target.0, rate - target.1);
        let torque = -self.stiffness * twist - self.damping * speed;
        HingeLoad {
            torque,
            elastic: 0.5 * self.stiffness * twist * twist,
            dissipated: self.damping * speed * speed,
            // The motor turns the rest angle against the reaction of the hinge.
            drive: torque * target.1,
        }
    }
}

/// A wing ready to be attached to a satellite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wing {
    /// Mass, kg.
    pub mass: f64,
    /// Centre of mass from the hinge, in the wing's axes, m.
    pub centre: Vec3,
    /// Inertia about the centre of mass, kg m².
    pub inertia: Mat3,
    /// Torsion about y, against the drive's angle.
    pub torsion: Hinge,
    /// Bending about x.
    pub bending: Hinge,
    /// The drive.
    pub drive: WingDrive,
    /// Area of one face, m².
    pub area: f64,
}

impl Wing {
    /// Builds the wing of a description. The plate lies in the xy plane of its own axes.
    pub fn new(d: &WingDescription) -> Wing {
        let (l2, w2) = (d.length * d.length, d.width * d.width);
        let plate = Vec3::new(l2, w2, l2 + w2) * (d.mass / 12.0);
        Wing {
            mass: d.mass,
            centre: Vec3::new(0.0, d.side * 0.5 * d.length, 0.0),
            inertia: Mat3::from_diagonal(&plate),
            torsion: Hinge::tuned(plate.y, d.torsion_hz, d.damping_ratio),
            bending: Hinge::tuned(d.mass * l2 / 3.0, d.bending_hz, d.damping_ratio),
            drive: d.drive,
            area: d.length * d.width,
        }
    }

    /// Torsion at angle and rate about y at time `t`.
    pub fn torsion_load(&self, angle: f64, rate: f64, t: f64) -> HingeLoad {
        self.torsion.load(angle, rate, self.drive.at(t))
    }

    /// Bending at angle and rate about x.
    pub fn bending_load(&self, angle: f64, rate: f64) -> HingeLoad {
        self.bending.load(angle, rate, (0.0, 0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client_wing(side: f64) -> Wing {
        Wing::new(&WingDescription {
            mass: 45.0,
            length: 8.0,
            width: 1.8,
            side,
            bending_hz: 0.12,
            torsion_hz: 0.25,
            damping_ratio: 0.005,
            drive: WingDrive { angle: 0.3, rate: 7e-5 },
        })
    }

    /// Two wings 1.2 m off the centre bring a hub of (1300, 1200, 1500) kg m² to about (4210, 1224, 4434): the parallel-axis theorem.
    #[test]
    fn wings_carry_the_inertia_of_plates() {
        let wing = client_wing(-1.0);
        let arm = wing.centre + Vec3::new(0.0, -1.2, 0.0);
        let about_hub =
            wing.inertia + (Mat3::identity() * arm.norm_squared() - arm * arm.transpose()) * wing.mass;
        let about_x = 45.0 * (64.0 / 12.0 + 5.2 * 5.2);
        assert!((about_hub[(0, 0)] - about_x).abs() < 1e-9);
        assert!((1300.0 + 2.0 * about_hub[(0, 0)] - 4210.0).abs() < 5.0);
        assert!((about_hub[(1, 1)] - 45.0 * 1.8 * 1.8 / 12.0).abs() < 1e-12);
    }

    /// Clamped at the root and let go, each coordinate swings with its frequency and decays with its damping ratio: zero crossings and
    /// amplitude over ten periods, by semi-implicit steps (their frequency is off by (ωh)²/24, 2e-7 here).
    #[test]
    fn clamped_modes_have_their_frequencies() {
        let wing = client_wing(1.0);
        let about_root = wing.mass * wing.centre.norm_squared() + wing.inertia[(0, 0)];
        for (hinge, inertia, hz) in
            [(wing.bending, about_root, 0.12), (wing.torsion, wing.inertia[(1, 1)], 0.25)]
        {
            let h = 1.0 / (hz * 3000.0);
            let (mut q, mut v, mut crossings, mut last, mut t) = (0.01, 0.0, 0, 0.0, 0.0);
            while crossings < 20 {
                let before = q;
                v += h * hinge.load(q, v, (0.0, 0.0)).torque / inertia;
                q += h * v;
                t += h;
                if before * q < 0.0 {
                    crossings += 1;
                    last = t - h * q / (q - before);
                }
            }
            // A quarter period to the first crossing, half a period each afterwards.
            let period = last / 9.75;
            let damped = hz * (1.0f64 - 0.005 * 0.005).sqrt();
            assert!((1.0 / period / damped - 1.0).abs() < 5e-4, "{period}");
            let decay = (-0.005 * TAU * hz * last).exp() * 0.01;
            let envelope = (v / (TAU * hz)).hypot(q);
            assert!((envelope / decay - 1.0).abs() < 5e-3, "{envelope} {decay}");
        }
    }

    /// What the drive feeds in and the motion takes is what the hinge stores and loses.
    #[test]
    fn power_of_the_hinge_balances() {
        let wing = client_wing(1.0);
        let (q, v, t) = (0.32, 0.004, 10.0);
        let load = wing.torsion_load(q, v, t);
        let (target, speed) = wing.drive.at(t);
        let stored_rate = wing.torsion.stiffness * (q - target) * (v - speed);
        // The torque does −torque·v on the hinge from the side of the wing.
        let fed = -load.torque * v + load.drive;
        assert!((fed - stored_rate - load.dissipated).abs() < 1e-15);
    }
}
