//! The rigid wheel against values computed independently, closed forms for n = 1, and its own work.

use super::*;
use crate::soil::plate::bekker_modulus;

/// Mars' gravity, m/s²; the rover's weight rests on six wheels.
const MARS: f64 = 3.711;

fn bekker(kc: f64, kphi: f64, exponent: f64, b: f64) -> Soil {
    Soil { modulus: bekker_modulus(kc, kphi, b), exponent, cohesion: 0.0, friction_angle: 0.0 }
}

/// The soil of Krenn & Hirzinger's Fig. 17 with its width b = 0.1 m; cohesion of DLR's soil simulant A.
fn fig_17(friction_deg: f64) -> Soil {
    Soil { cohesion: 188.0, friction_angle: friction_deg.to_radians(), ..bekker(2370.0, 60_300.0, 0.63, 0.1) }
}

fn is_close(found: f64, wanted: f64, relative: f64) -> bool {
    (found - wanted).abs() <= relative * wanted.abs()
}

/// Towed without friction under 190 N: sinkage and resistance as computed with 25 digits and tanh–sinh quadrature.
#[test]
fn towed_wheels_sink_as_tabulated() {
    let rows = [
        // Dry sand of the Land Locomotion Laboratory; lunar nominal soil; DLR simulant A on two wheels.
        ((990.0, 1_528_430.0, 1.1), 0.1425, 0.12, 26.825_261_427_528, 44.003_549_800_659),
        ((1400.0, 820e3, 1.0), 0.1425, 0.12, 31.291_570_763_162, 48.860_203_801_217),
        ((2370.0, 60_300.0, 0.63), 0.1425, 0.12, 76.823_465_257_11, 89.889_719_103_386),
        ((2370.0, 60_300.0, 0.63), 0.125, 0.10, 96.161_177_920_854, 113.339_505_683_08),
    ];
    for ((kc, kphi, n), radius, width, sinkage_mm, resistance) in rows {
        let soil = bekker(kc, kphi, n, width);
        let found = under_load(&soil, &Wheel { radius, width }, Shear::None, 190.0).expect("shallow");
        assert!(is_close(1e3 * found.sinkage_m, sinkage_mm, 1e-12), "{found:?}");
        assert!(is_close(found.forces.resistance_n, resistance, 1e-12), "{found:?}");
        assert!(found.forces.pull_n == -found.forces.resistance_n && found.forces.torque_n_m == 0.0);
        assert!(is_close(found.forces.load_n, 190.0, 1e-12));
    }
}

/// A wheel of the rover of Krenn & Hirzinger's Figs. 17–20 pulls as computed with 25 digits: mass, wheel, friction angle, then sinkage,
/// pull and torque. A light rover pulls with φ = 24.8°, a heavy one digs in.
#[test]
fn driven_wheels_pull_as_tabulated() {
    let rows = [
        (207.0, 0.125, 0.10, 24.8, 53.868_150_808_18, 7.140_825_961_043, 7.159_468_152_521),
        (207.0, 0.125, 0.10, 30.0, 52.079_466_410_90, 19.645_651_854_36, 8.540_210_906_333),
        (207.0, 0.125, 0.10, 35.0, 50.363_961_728_63, 32.009_645_666_30, 9.912_231_069_751),
        (240.0, 0.125, 0.10, 30.0, 59.222_516_878_32, 18.479_509_513_95, 9.889_080_878_321),
        (320.0, 0.1425, 0.12, 30.0, 61.483_817_377_15, 28.636_440_058_04, 15.014_339_624_45),
        (320.0, 0.125, 0.10, 24.8, 79.421_852_638_63, -7.751_135_789_831, 11.168_775_171_47),
    ];
    for (mass, radius, width, friction_deg, sinkage_mm, pull, torque) in rows {
        let wheel = Wheel { radius, width };
        let load = mass * MARS / 6.0;
        let found = under_load(&fig_17(friction_deg), &wheel, Shear::Mobilised, load).expect("shallow");
        assert!(is_close(1e3 * found.sinkage_m, sinkage_mm, 1e-11), "{found:?}");
        assert!(is_close(found.forces.pull_n, pull, 1e-10), "{found:?}");
        assert!(is_close(found.forces.torque_n_m, torque, 1e-11), "{found:?}");
    }
}

/// With n = 1 the integrals are elementary: W = ½ r² b K (θ₁ − sin θ₁ cos θ₁) and, with cohesion, T = r² b (c θ₁ + K r tan φ (sin θ₁ − θ₁ cos θ₁)).
#[test]
fn linear_soil_has_closed_forms() {
    let wheel = Wheel { radius: 0.15, width: 0.1 };
    let soil = Soil { modulus: 8.3e5, exponent: 1.0, cohesion: 170.0, friction_angle: 0.6 };
    for sinkage in [1e-6, 0.01, 0.06, 0.15] {
        let c = 1.0 - sinkage / wheel.radius;
        let entry: f64 = c.acos();
        let area = wheel.radius * wheel.width;
        let load = 0.5 * area * wheel.radius * soil.modulus * (entry - entry.sin() * c);
        let sum = entry.sin() - entry * c;
        let torque = wheel.radius
            * area
            * (soil.cohesion * entry + soil.modulus * wheel.radius * soil.friction_angle.tan() * sum);
        // The closed forms lose digits to cancellation: θ − sin θ cos θ ~ θ³ against θ.
        let relative = 1e-14 * (1.0 + wheel.radius / sinkage);
        let towed = at_sinkage(&soil, &wheel, Shear::None, sinkage);
        assert!(is_close(towed.load_n, load, relative), "{sinkage}: {} {load}", towed.load_n);
        let driven = at_sinkage(&soil, &wheel, Shear::Mobilised, sinkage);
        assert!(is_close(driven.torque_n_m, torque, relative), "{sinkage}: {} {torque}", driven.torque_n_m);
    }
}

/// Resistance times distance is the work of pressing the rut: R = b K zⁿ⁺¹/(n+1), whatever shear does; what rebounds elastically gives
/// back b p_max²/(2 k_e).
#[test]
fn resistance_is_the_work_on_the_rut() {
    let wheel = Wheel { radius: 0.15, width: 0.1 };
    let stiffness = 4e7;
    for exponent in [0.63, 1.0, 1.387] {
        let soil = Soil { modulus: 4e5, exponent, cohesion: 188.0, friction_angle: 0.5 };
        for sinkage in [0.003, 0.03, 0.1] {
            let work = wheel.width * soil.modulus * f64::powf(sinkage, exponent + 1.0) / (exponent + 1.0);
            let back = wheel.width * soil.pressure(sinkage).powi(2) / (2.0 * stiffness);
            for shear in [Shear::None, Shear::Mobilised] {
                let plastic = at_sinkage(&soil, &wheel, shear, sinkage);
                assert!(is_close(plastic.resistance_n, work, 1e-13));
                let elastic = at_sinkage_with_rebound(&soil, &wheel, shear, sinkage, stiffness);
                assert!(is_close(elastic.resistance_n, work - back, 1e-13));
            }
        }
    }
}

/// Rebounding soil behind the wheel carries, frictionless, r b k_e r/2·(θ₂ − sin θ₂ cos θ₂), the closed form of a linear soil of modulus k_e;
/// mobilised shear adds its thrust there and presses the wheel down. Stiffer soil returns less, as 1/√k_e.
#[test]
fn rebounding_arc_is_a_linear_soil_turned_around() {
    let wheel = Wheel { radius: 0.15, width: 0.1 };
    let soil = Soil { modulus: 84e3, exponent: 0.63, cohesion: 188.0, friction_angle: 0.43 };
    let sinkage = 0.05;
    for stiffness in [4e7, 4e8] {
        let turned = Soil { modulus: stiffness, exponent: 1.0, ..soil };
        let rise = soil.pressure(sinkage) / stiffness;
        let mirror = at_sinkage(&turned, &wheel, Shear::Mobilised, rise);
        let frictionless = at_sinkage(&turned, &wheel, Shear::None, rise);
        let plain = at_sinkage(&soil, &wheel, Shear::Mobilised, sinkage);
        let found = at_sinkage_with_rebound(&soil, &wheel, Shear::Mobilised, sinkage, stiffness);
        let load = plain.load_n + 2.0 * frictionless.load_n - mirror.load_n;
        assert!(is_close(found.load_n, load, 1e-13), "{} {load}", found.load_n);
        assert!(is_close(found.torque_n_m, plain.torque_n_m + mirror.torque_n_m, 1e-13));
        let pull = plain.pull_n + mirror.pull_n + 2.0 * mirror.resistance_n;
        assert!(is_close(found.pull_n, pull, 1e-12), "{} {pull}", found.pull_n);
    }
    // So soft that the soil still presses at the level of the axle: the push is b ∫₀ʳ (p_max − k_e y) dy.
    let (soft, greatest) = (5e4, soil.pressure(sinkage));
    let push = wheel.width * wheel.radius * (greatest - 0.5 * soft * wheel.radius);
    let plain = at_sinkage(&soil, &wheel, Shear::None, sinkage);
    let found = at_sinkage_with_rebound(&soil, &wheel, Shear::None, sinkage, soft);
    assert!(greatest / soft > wheel.radius && is_close(found.pull_n - plain.pull_n, push, 1e-12));
    let added = |stiffness| {
        at_sinkage_with_rebound(&soil, &wheel, Shear::None, sinkage, stiffness).load_n
            - at_sinkage(&soil, &wheel, Shear::None, sinkage).load_n
    };
    assert!((added(4e10) / added(4e12) / 10.0 - 1.0).abs() < 1e-3);
}

/// Under load, rebound lifts the wheel a little; a load that sinks the axle has no answer, nor has one that is not a number.
#[test]
fn loads_are_carried_or_refused() {
    let wheel = Wheel { radius: 0.15, width: 0.1 };
    let soil = fig_17(30.0);
    let plastic = under_load(&soil, &wheel, Shear::Mobilised, 200.0).expect("shallow");
    let elastic = under_load_with_rebound(&soil, &wheel, Shear::Mobilised, 200.0, 4e7).expect("shallow");
    assert!(is_close(elastic.forces.load_n, 200.0, 1e-12));
    assert!(elastic.sinkage_m < plastic.sinkage_m && elastic.sinkage_m > 0.8 * plastic.sinkage_m);
    let most = at_sinkage(&soil, &wheel, Shear::Mobilised, wheel.radius).load_n;
    assert!(under_load(&soil, &wheel, Shear::Mobilised, 1.001 * most).is_none());
    assert!(under_load(&soil, &wheel, Shear::Mobilised, f64::NAN).is_none());
}
