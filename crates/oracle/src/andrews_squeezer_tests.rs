//! Tests of the squeezer's reference: published digits, the published mass matrix, energy and closure.
//! Included by `andrews_squeezer.rs`; a file of its own because the published forms are long.

use super::*;

/// The published state at 0.03 s (Test Set for IVP Solvers; PSIDE with tolerances 1e-14).
const PUBLISHED_ANGLES: [f64; 7] = [
    15.810_771_196_299_04,
    -15.756_371_059_842_98,
    0.040_822_240_130_731_01,
    -0.534_730_116_322_694_8,
    0.524_409_965_880_530_4,
    0.534_730_116_322_694_8,
    1.048_080_741_042_263,
];
const PUBLISHED_RATES: [f64; 7] = [
    1_139.920_302_151_208,
    -1_424.379_294_994_111,
    11.032_912_219_371_34,
    19.293_374_644_213_85,
    0.573_569_928_479_080_8,
    -19.293_374_644_213_85,
    0.323_179_165_802_695_5,
];
/// The same state computed once in 40-digit decimal arithmetic from the published mass matrix, forces and loop equations
/// (seven angles, six multipliers, no reduction), extrapolated with local tolerances 1e-18 and 1e-22: they agree to 3e-18.
const FORTY_DIGIT_ANGLES: [f64; 7] = [
    15.810_771_195_153_707,
    -15.756_371_058_411_84,
    0.040_822_240_119_645_8,
    -0.534_730_116_342_079_6,
    0.524_409_965_879_954_1,
    0.534_730_116_342_079_6,
    1.048_080_741_041_938,
];
const FORTY_DIGIT_RATES: [f64; 7] = [
    1_139.920_302_259_106,
    -1_424.379_295_177_54,
    11.032_911_910_618_594,
    19.293_374_105_032_04,
    0.573_569_914_829_502_5,
    -19.293_374_105_032_04,
    0.323_179_149_249_130_9,
];
/// The published state belongs to a time this much later than 0.03 s: the phase error of the published integration, s.
const PUBLISHED_LATENESS: f64 = 1.0047e-12;

/// The seven angles and rates at 0.03 s are those of the same mechanism in 40-digit arithmetic. Rates of 1e3 rad/s with
/// local errors of 2e-14 of them over about a hundred steps of 3e-4 s leave some 1e-12 rad and, through accelerations of
/// 6e5 rad/s² at rates of 1e3, some 1e-12 · 6e5/1e3 rad/s.
#[test]
fn ends_in_the_forty_digit_state() {
    let end = at(0.03);
    for k in 0..7 {
        let angle = end.angles_rad[k] - FORTY_DIGIT_ANGLES[k];
        let rate = end.rates_rad_per_s[k] - FORTY_DIGIT_RATES[k];
        assert!(angle.abs() < 1e-12, "angle {k}: {angle:e}");
        assert!(rate.abs() < 6e-10, "rate {k}: {rate:e}");
    }
}

/// The published angles are reached to 2e-9, and all of what is missing is one common lateness of a picosecond: moved by
/// it along their own rates, our angles are the published ones to 1e-12.
#[test]
fn ends_in_the_published_state() {
    let end = at(0.03);
    for k in 0..7 {
        let difference = PUBLISHED_ANGLES[k] - end.angles_rad[k];
        assert!(difference.abs() < 2e-9, "angle {k}: {difference:e}");
        let unexplained = difference - PUBLISHED_LATENESS * PUBLISHED_RATES[k];
        assert!(unexplained.abs() < 1e-12, "angle {k}: {unexplained:e}");
    }
}

/// At the start β̈ and Θ̈ have the published values and the other angles do not accelerate (P is at its turning point).
#[test]
fn starts_with_the_published_acceleration() {
    let mut y = START.to_vec();
    y.push(0.0);
    let mut f = [0.0; 8];
    slope(&y, &mut f);
    let path = path_through(&START);
    let published = [14_222.443_919_954_114, -10_666.832_939_965_585, 0.0, 0.0, 0.0, 0.0, 0.0];
    for k in 0..7 {
        // The start angles are consistent to rounding; at the turning point that leaves slopes of 1e-13.
        assert!((path[k].d * f[7] - published[k]).abs() < 1e-7, "{k}: {}", path[k].d * f[7]);
    }
}

/// Energy put in by the torque is found again in the motion and the spring, and the loops stay closed.
#[test]
fn energy_balances_and_loops_close() {
    let times: Vec<f64> = (0..=30).map(|k| 1e-3 * k as f64).collect();
    let samples = trajectory(&times);
    let largest = samples.iter().map(|s| s.kinetic_j).fold(0.0, f64::max);
    for s in samples {
        assert!(s.energy_residual_j.abs() < 1e-11 * largest, "{:e} of {largest}", s.energy_residual_j);
        assert!(s.closure_residual_m < 1e-16);
    }
}

/// Kinetic energy from the mass matrix printed in the test set, with its own names for the lengths.
fn published_kinetic_energy(q: &[f64; 7], v: &[f64; 7]) -> f64 {
    let [m1, m2, m3, m4, m5, m6, m7] = MASSES;
    let [i1, i2, i3, i4, i5, i6, i7] = INERTIAS;
    let (rr, ra, da, sa, sb) = (0.007, 0.00092, 0.0115, 0.01874, 0.01043);
    let (e, ea, zt, ta, tb) = (0.02, 0.01421, 0.04, 0.02308, 0.00916);
    let (zf, fa, u, ua, ub) = (0.02, 0.01421, 0.04, 0.01228, 0.00449);
    let (x4, x6) = (e - ea, zf - fa);
    let mut m = [[0.0; 7]; 7];
    m[0][0] = m1 * ra * ra + m2 * (rr * rr - 2.0 * da * rr * q[1].cos() + da * da) + i1 + i2;
    m[0][1] = m2 * (da * da - da * rr * q[1].cos()) + i2;
    m[1][1] = m2 * da * da + i2;
    m[2][2] = m3 * (sa * sa + sb * sb) + i3;
    m[3][3] = m4 * x4 * x4 + i4;
    m[3][4] = m4 * (x4 * x4 + zt * x4 * q[3].sin()) + i4;
    m[4][4] = m4 * (zt * zt + 2.0 * zt * x4 * q[3].sin() + x4 * x4) + m5 * (ta * ta + tb * tb) + i4 + i5;
    m[5][5] = m6 * x6 * x6 + i6;
    m[5][6] = m6 * (x6 * x6 - u * x6 * q[5].sin()) + i6;
    m[6][6] = m6 * (x6 * x6 - 2.0 * u * x6 * q[5].sin() + u * u) + m7 * (ua * ua + ub * ub) + i6 + i7;
    let mut energy = 0.0;
    for i in 0..7 {
        energy += 0.5 * m[i][i] * v[i] * v[i];
        energy += (i + 1..7).map(|j| m[i][j] * v[i] * v[j]).sum::<f64>();
    }
    energy
}

/// The bodies of the header have the published mass matrix: kinetic energy from the velocities of their centres equals
/// the printed quadratic form, for angles and rates that need not even close the loops.
#[test]
fn bodies_have_the_published_mass_matrix() {
    for seed in 0..20 {
        let wave = |k: usize, f: f64| ((seed * 7 + k) as f64 * f).sin();
        let q: [f64; 7] = std::array::from_fn(|k| 3.0 * wave(k, 1.3));
        let v: [f64; 7] = std::array::from_fn(|k| 100.0 * wave(k, 2.1));
        let moving: [Jet; 7] = std::array::from_fn(|k| Jet::new(q[k], v[k], 0.0));
        let from_centres = 0.5 * reduced(&moving).inertia;
        let published = published_kinetic_energy(&q, &v);
        assert!((from_centres - published).abs() < 1e-14 * published);
    }
}
