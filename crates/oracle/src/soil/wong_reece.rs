//! Wong & Reece's driven rigid wheel: pressure with its maximum ahead of bottom dead centre, shear mobilised by slip.
//! Reference for the shape of drawbar pull against slip.
//!
//! θ_m = (a₀ + a₁ s) θ₁. Ahead of it σ = K (r (cos θ − cos θ₁))ⁿ; behind it, down to the exit θ₂, the same at the mirrored angle
//! θ_e = θ₁ − (θ − θ₂)/(θ_m − θ₂)·(θ₁ − θ_m). With slip s = 1 − v/(ωr) the shear displacement is
//! j = r [(θ₁ − θ) − (1 − s)(sin θ₁ − sin θ)] and τ = (c + σ tan φ)(1 − e^(−j/k)).
//!
//! A wheel that also moves along its axle, at a slip angle, shears the soil by j_y = r a (θ₁ − θ) across, with a the sideways speed over that of the rim
//! (G. Ishigami et al., J. Field Robotics 24 (2007), without their ploughing of the wheel's side); the stress grows with √(j² + j_y²) and opposes it. A braked
//! wheel has j < 0 where the soil overtakes the rim. A locked wheel has no such history: `None`.
//!
//! Source: J. Y. Wong & A. R. Reece, "Prediction of rigid wheel performance based on the analysis of soil–wheel stresses", J. Terramechanics 4
//! (1967), parts I and II; shear law of Z. Janosi & B. Hanamoto (1961).

use super::{Forces, Soil, Wheel, solve_growing};
use crate::numerics::quadrature::Gauss;
use std::f64::consts::FRAC_PI_2;

/// What the model needs beside soil and wheel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// a₀ and a₁ of the angle of greatest pressure.
    pub peak: [f64; 2],
    /// Exit angle θ₂, rad; 0 or negative (behind bottom dead centre).
    pub exit_angle: f64,
    /// Shear deformation modulus k, m.
    pub shear_length: f64,
}

/// A driven wheel that carries its load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Driven {
    /// Entry angle θ₁, rad.
    pub entry_angle_rad: f64,
    /// Depth of its lowest point below the undisturbed surface, m.
    pub sinkage_m: f64,
    /// Forces there; `resistance_n` is the pressure's part.
    pub forces: Forces,
}

/// How the wheel's centre moves, as parts of the rim's speed ωr.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rolling {
    /// Along its heading: 1 − s of a driven wheel, above one of a braked one.
    pub ahead: f64,
    /// Along its axle.
    pub aside: f64,
}

impl Rolling {
    /// From speeds: of the rim, and of the centre at a slip angle (rad) to the heading; `None` if the rim stands.
    pub fn at_speeds(rim: f64, centre: f64, slip_angle: f64) -> Option<Rolling> {
        let (sin, cos) = slip_angle.sin_cos();
        (rim > 0.0).then(|| Rolling { ahead: centre * cos / rim, aside: centre * sin / rim })
    }

    /// Slip for the angle of greatest pressure: (ωr − v)/max(ωr, v), which is 1 − v/(ωr) of a driven wheel.
    fn slip(&self) -> f64 {
        (1.0 - self.ahead) / self.ahead.max(1.0)
    }
}

/// The wheel under a vertical `load` (N) at a `slip` in (0, 1]; `None` if it would sink deeper than its axle.
pub fn under_load(soil: &Soil, wheel: &Wheel, contact: &Contact, slip: f64, load: f64) -> Option<Driven> {
    rolling_under_load(soil, wheel, contact, Rolling { ahead: 1.0 - slip, aside: 0.0 }, load)
}

/// The same for any motion of its centre.
pub fn rolling_under_load(
    soil: &Soil,
    wheel: &Wheel,
    contact: &Contact,
    rolling: Rolling,
    load: f64,
) -> Option<Driven> {
    let gauss = Gauss::new();
    let forces = |entry| at_entry(&gauss, soil, wheel, contact, rolling, entry);
    let entry_angle_rad = solve_growing(load, FRAC_PI_2, |entry| forces(entry).load_n)?;
    let sinkage_m = 2.0 * wheel.radius * (0.5 * entry_angle_rad).sin().powi(2);
    Some(Driven { entry_angle_rad, sinkage_m, forces: forces(entry_angle_rad) })
}

/// Forces at an entry angle: two arcs, each integrated from its end without pressure.
fn at_entry(
    gauss: &Gauss,
    soil: &Soil,
    wheel: &Wheel,
    contact: &Contact,
    rolling: Rolling,
    entry: f64,
) -> Forces {
    let exit = contact.exit_angle;
    let peak = (contact.peak[0] + contact.peak[1] * rolling.slip()) * entry;
    let stress = |angle: f64, inside: f64| {
        let pressure = soil.pressure(wheel.depth_inside(entry, inside));
        let turned = entry - angle;
        let advance = 2.0 * (0.5 * (entry + angle)).cos() * (0.5 * turned).sin();
        let along = wheel.radius * (turned - rolling.ahead * advance);
        let across = wheel.radius * rolling.aside * turned;
        let sheared = along.hypot(across);
        let strength = -soil.shear_strength(pressure) * (-sheared / contact.shear_length).exp_m1();
        let part = |displaced: f64| if sheared > 0.0 { strength * displaced / sheared } else { 0.0 };
        [angle, pressure, part(along), part(across)]
    };
    let front = wheel.integrate_aside(gauss, entry - peak, |d| stress(entry - d, d));
    // The mirrored angle runs from θ₁ at the exit to θ_m at the peak.
    let stretch = (entry - peak) / (peak - exit);
    front + wheel.integrate_aside(gauss, peak - exit, |d| stress(exit + d, d * stretch))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::soil::plate::{bekker_modulus, reece_modulus};

    const USUAL: [f64; 2] = [0.4, 0.15];

    /// Soil, wheel, load and contact of one set of rows.
    struct Case {
        soil: Soil,
        wheel: Wheel,
        load: f64,
        contact: Contact,
    }

    fn case(
        modulus: f64,
        exponent: f64,
        strength: (f64, f64),
        wheel: Wheel,
        load: f64,
        shear_length: f64,
    ) -> Case {
        let (cohesion, friction_deg) = strength;
        let soil = Soil { modulus, exponent, cohesion, friction_angle: f64::to_radians(friction_deg) };
        Case { soil, wheel, load, contact: Contact { peak: USUAL, exit_angle: 0.0, shear_length } }
    }

    /// Asserts entry angle (deg), sinkage (mm), pull and torque at some slips, each to the last printed digit of the given places.
    fn assert_rows(case: &Case, places: [i32; 4], rows: &[(f64, [f64; 4])]) {
        for (slip, printed) in rows {
            let found =
                under_load(&case.soil, &case.wheel, &case.contact, *slip, case.load).expect("shallow");
            let values = [
                found.entry_angle_rad.to_degrees(),
                1e3 * found.sinkage_m,
                found.forces.pull_n,
                found.forces.torque_n_m,
            ];
            for k in 0..4 {
                let half = 0.51 * 10f64.powi(-places[k]);
                assert!(
                    (values[k] - printed[k]).abs() <= half,
                    "slip {slip}: {values:?}, printed {printed:?}"
                );
            }
        }
    }

    /// Dry sand of the Land Locomotion Laboratory and lunar nominal soil (*Lunar Sourcebook*) under two wheels; computed independently.
    #[test]
    fn wheels_on_sand_and_regolith() {
        let (large, small) = (Wheel { radius: 0.1425, width: 0.12 }, Wheel { radius: 0.13, width: 0.16 });
        let sand = bekker_modulus(990.0, 1_528_430.0, large.width);
        assert_rows(
            &case(sand, 1.1, (1040.0, 28.0), large, 190.0, 25e-3),
            [4, 4, 4, 5],
            &[
                (0.1, [40.0729, 33.4553, -23.3955, 5.70073]),
                (0.4, [40.4371, 34.0406, 0.7652, 9.32769]),
                (0.8, [41.4089, 35.6239, 13.3922, 11.60261]),
            ],
        );
        let lunar = |wheel: Wheel, load| {
            case(bekker_modulus(1400.0, 820e3, wheel.width), 1.0, (170.0, 35.0), wheel, load, 18e-3)
        };
        assert_rows(
            &lunar(large, 190.0),
            [4, 4, 4, 5],
            &[
                (0.1, [42.6024, 37.6101, -2.2984, 9.15429]),
                (0.4, [42.7630, 37.8809, 23.4895, 12.91775]),
                (0.8, [43.6867, 39.4544, 32.8461, 14.70199]),
            ],
        );
        assert_rows(
            &lunar(small, 64.7),
            [4, 4, 4, 5],
            &[(0.2, [28.7455, 16.0206, 1.5369, 2.20876]), (0.6, [29.1695, 16.4864, 12.6940, 3.72357])],
        );
    }

    /// The regolith simulant of G. Ishigami et al., J. Field Robotics 24 (2007), and a wheel of the Mars Exploration Rovers on Mojave Mars simulant
    /// in Reece's form, whose shear is mobilised within half a millimetre; computed independently.
    #[test]
    fn wheels_on_simulants() {
        let wheel = Wheel { radius: 0.092, width: 0.107 };
        let regolith = bekker_modulus(1370.0, 8.14e5, wheel.width);
        assert_rows(
            &case(regolith, 1.0, (800.0, 37.2), wheel, 64.7, 36e-3),
            [3, 3, 4, 4],
            &[(0.2, [42.325, 23.981, -8.8532, 1.3145]), (0.8, [43.423, 25.181, 2.8833, 2.5065])],
        );
        let wheel = Wheel { radius: 0.13, width: 0.16 };
        let mojave = reece_modulus(2.54e5, 0.0, 1.387, wheel.width);
        let mut case = case(mojave, 1.387, (139.28, 34.74), wheel, 130.0, 0.515e-3);
        case.contact.peak = [0.43, 0.32];
        assert_rows(
            &case,
            [3, 3, 3, 3],
            &[(0.1, [38.767, 28.639, 38.605, 10.297]), (0.4, [41.081, 32.009, 32.430, 10.202])],
        );
    }

    /// Quadrature and solution hold to 1e-11 against 25 digits and tanh–sinh quadrature, also with shear mobilised in half a millimetre.
    #[test]
    fn digits_beyond_the_table() {
        let wheel = Wheel { radius: 0.13, width: 0.16 };
        let soil = Soil {
            modulus: reece_modulus(2.54e5, 0.0, 1.387, wheel.width),
            exponent: 1.387,
            cohesion: 139.28,
            friction_angle: 34.74f64.to_radians(),
        };
        let contact = Contact { peak: [0.43, 0.32], exit_angle: 0.0, shear_length: 0.515e-3 };
        let found = under_load(&soil, &wheel, &contact, 0.4, 130.0).expect("shallow");
        assert!((found.entry_angle_rad.to_degrees() / 41.081_055_597_14 - 1.0).abs() < 1e-11);
        assert!((found.forces.pull_n / 32.429_614_581_78 - 1.0).abs() < 1e-11);
        assert!((found.forces.torque_n_m / 10.201_846_407_08 - 1.0).abs() < 1e-11);
        assert!((found.forces.load_n / 130.0 - 1.0).abs() < 1e-12);
    }

    /// With the greatest pressure at bottom dead centre and shear mobilised at once, the model is the plain rigid wheel.
    #[test]
    fn tends_to_the_mobilised_wheel() {
        use crate::soil::rigid_wheel::{self, Shear};
        let wheel = Wheel { radius: 0.15, width: 0.1 };
        let soil = Soil { modulus: 84e3, exponent: 0.63, cohesion: 188.0, friction_angle: 0.43 };
        let plain = rigid_wheel::under_load(&soil, &wheel, Shear::Mobilised, 200.0).expect("shallow");
        // A rear arc of 1e-9 of the contact changes forces by that much; shear over 1e-12 m by less than it.
        let contact = Contact { peak: [1e-9, 0.0], exit_angle: 0.0, shear_length: 1e-12 };
        let found = under_load(&soil, &wheel, &contact, 0.5, 200.0).expect("shallow");
        assert!((found.sinkage_m / plain.sinkage_m - 1.0).abs() < 1e-8);
        assert!((found.forces.pull_n - plain.forces.pull_n).abs() < 1e-8 * 200.0);
        assert!((found.forces.torque_n_m / plain.forces.torque_n_m - 1.0).abs() < 1e-8);
    }

    /// At a slip angle the side force opposes the sideways motion, the total shear stays within Mohr–Coulomb's, and both signs of the angle mirror each other.
    #[test]
    fn slip_angles_turn_the_shear() {
        let wheel = Wheel { radius: 0.0625, width: 0.06 };
        let soil = Soil { modulus: 7e6, exponent: 1.5, cohesion: 0.0, friction_angle: 0.5 };
        let contact = Contact { peak: USUAL, exit_angle: 0.0, shear_length: 10e-3 };
        let at = |degrees: f64| {
            let rolling = Rolling::at_speeds(0.02, 0.01, degrees.to_radians()).expect("the rim turns");
            rolling_under_load(&soil, &wheel, &contact, rolling, 24.5).expect("shallow").forces
        };
        let (straight, left, right) = (at(0.0), at(30.0), at(-30.0));
        let plain = under_load(&soil, &wheel, &contact, 0.5, 24.5).expect("shallow").forces;
        assert_eq!(straight, plain);
        assert_eq!((left.pull_n, left.side_n), (right.pull_n, -right.side_n));
        assert!(left.side_n > 0.0 && left.torque_n_m < straight.torque_n_m);
        // |∫ τ| ≤ ∫ |τ| ≤ tan φ ∫ σ; the pressure's integral over the rim is at most load and resistance together.
        let shear = (left.torque_n_m / wheel.radius).hypot(left.side_n);
        assert!(shear <= soil.friction_angle.tan() * (left.load_n + left.resistance_n));
        assert_eq!(Rolling::at_speeds(0.0, 0.01, 0.0), None);
    }

    /// A braked wheel is held back more than a free one, and all shear reversed is the limit: −tan φ of the pressure's integral.
    #[test]
    fn braked_wheels_are_dragged() {
        let wheel = Wheel { radius: 0.0625, width: 0.06 };
        let soil = Soil { modulus: 7e6, exponent: 1.5, cohesion: 0.0, friction_angle: 0.5 };
        let contact = Contact { peak: USUAL, exit_angle: 0.0, shear_length: 10e-3 };
        let pull = |ahead: f64| {
            let rolling = Rolling { ahead, aside: 0.0 };
            rolling_under_load(&soil, &wheel, &contact, rolling, 24.5).expect("shallow").forces.pull_n
        };
        let pulls = [1.0, 1.25, 2.0, 3.33].map(pull);
        assert!(pulls.windows(2).all(|w| w[1] < w[0]), "{pulls:?}");
    }
}
