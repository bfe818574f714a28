//! Andrews' squeezing mechanism: reference for scenario `andrews-squeezer`, seven bodies with one degree of freedom.
//! One coordinate (the crank angle β); the other six angles follow from the loops by Newton in every evaluation.
//!
//! Problem: plane xy, no gravity, all joints revolute about +z, everything starts at rest. Ground points:
//! O (0, 0), A (−0.06934, −0.00227), B (−0.03635, 0.03273), C (0.014, 0.072) m. Each body frame has its origin at the
//! joint towards its parent and coincides with the world's axes when its absolute angle is zero. Points in metres:
//!
//! | body | parent, at | joint angle (start, rad) | mass kg | inertia about own centre kg m² | centre of mass | other points |
//! |---|---|---|---|---|---|---|
//! | K1 crank | ground O | β = −0.0617138900142764 | 0.04325 | 2.194e-6 | (0.00092, 0) | joint of K2 (0.007, 0) |
//! | K2 | K1 (0.007, 0) | Θ = 0 | 0.00365 | 4.410e-7 | (−0.0115, 0) | P (−0.028, 0) |
//! | K3 | ground B | γ = 0.455279819163070 | 0.02373 | 5.255e-6 | (0.01043, −0.01874) | P (0, −0.035), spring D (0.02, −0.018) |
//! | K4 | K5 (0.04, 0) | Φ = 0.222668390165886 | 0.00706 | 5.667e-7 | (0, −0.00579) | P (0, −0.02) |
//! | K5 | ground A | δ = 0.487364979543843 | 0.07050 | 1.169e-5 | (0.02308, 0.00916) | joint of K4 (0.04, 0) |
//! | K6 | K7 (0, −0.04) | Ω = −0.222668390165886 | 0.00706 | 5.667e-7 | (0.00579, 0) | P (0.02, 0) |
//! | K7 | ground A | ε = 1.23054744454982 | 0.05498 | 1.912e-5 | (−0.00449, −0.01228) | joint of K6 (0, −0.04) |
//!
//! β, γ, δ, ε are absolute; Θ is relative to K1, Φ to K5, Ω to K7. Loop closures: the points P of K2 and K3, of K2 and
//! K4, of K2 and K6 coincide. Spring from D on K3 to the ground point C: 4530 N/m, rest length 0.07785 m. A constant
//! torque of +0.033 N m about z acts on K1 from the ground. (Without gravity only the distance of the centres of K3, K5
//! and K7 from their ground joints matters.)
//!
//! Derivation: with every coordinate a function of β, M = Σ m r′·r′ + Σ J φ′², and M β̈ + ½ M′ β̇² = torque + spring force ·
//! D′. First and second derivatives by β follow from the linearised loop equations.
//! Source: Hairer & Wanner, *Solving Ordinary Differential Equations II*, VII.7; Test Set for IVP Solvers, problem "andrews".
//! The state published there for 0.03 s is late by 1.0 ps (β by 1.15e-9 rad, Θ by 1.43e-9 rad, the others below 2e-11): a
//! solution of the published equations in 40-digit arithmetic agrees with this file, not with the print. See the tests.

use crate::numerics::extrapolation::solve_at;
use crate::numerics::jet::{Jet, Reduced};
use crate::numerics::linear::Lu;

/// Ground joint of K5 and K7, m.
pub const A: [f64; 2] = [-0.06934, -0.00227];
/// Ground joint of K3, m.
pub const B: [f64; 2] = [-0.03635, 0.03273];
/// Ground end of the spring, m.
pub const C: [f64; 2] = [0.014, 0.072];
/// Angles at the start: β, Θ, γ, Φ, δ, Ω, ε, rad.
pub const START: [f64; 7] = [
    -0.061_713_890_014_276_45,
    0.0,
    0.455_279_819_163_070_4,
    0.222_668_390_165_885_88,
    0.487_364_979_543_842_55,
    -0.222_668_390_165_885_88,
    1.230_547_444_549_821_2,
];
/// Constant torque on K1 about +z, N m.
pub const TORQUE: f64 = 0.033;
/// Spring stiffness, N/m.
pub const SPRING_STIFFNESS: f64 = 4530.0;
/// Spring rest length, m.
pub const SPRING_REST: f64 = 0.07785;
/// Masses of K1 … K7, kg.
pub const MASSES: [f64; 7] = [0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498];
/// Moments of inertia of K1 … K7 about their own centres, kg m².
pub const INERTIAS: [f64; 7] = [2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5];
/// Centres of mass of K1 … K7 in their body frames, m.
pub const CENTRES: [[f64; 2]; 7] = [
    [0.00092, 0.0],
    [-0.0115, 0.0],
    [0.01043, -0.01874],
    [0.0, -0.00579],
    [0.02308, 0.00916],
    [0.00579, 0.0],
    [-0.00449, -0.01228],
];
/// Joint of K2 on K1, of K4 on K5, of K6 on K7, in the frame of the carrying body, m.
pub const CARRIED_JOINTS: [[f64; 2]; 3] = [[0.007, 0.0], [0.04, 0.0], [0.0, -0.04]];
/// Point P in the frames of K2, K3, K4, K6, m.
pub const CLOSURE_POINTS: [[f64; 2]; 4] = [[-0.028, 0.0], [0.0, -0.035], [0.0, -0.02], [0.02, 0.0]];
/// Spring end D in the frame of K3, m.
pub const SPRING_POINT: [f64; 2] = [0.02, -0.018];

/// The squeezer at one time; arrays in the order β, Θ, γ, Φ, δ, Ω, ε.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Joint angles.
    pub angles_rad: [f64; 7],
    /// Joint rates.
    pub rates_rad_per_s: [f64; 7],
    /// Common point P of K2, K3, K4 and K6.
    pub closure_point_m: [f64; 2],
    /// Largest gap of the three closures.
    pub closure_residual_m: f64,
    /// Kinetic energy.
    pub kinetic_j: f64,
    /// Kinetic plus spring energy minus work of the torque, relative to the start: zero in exact arithmetic.
    pub energy_residual_j: f64,
}

/// The squeezer at time `t` ≥ 0, s (the test set ends at 0.03 s).
pub fn at(t: f64) -> Sample {
    trajectory(&[t])[0]
}

/// The squeezer at each of `times`, s (any order, each ≥ 0).
pub fn trajectory(times: &[f64]) -> Vec<Sample> {
    // The state carries all seven angles so that Newton starts beside its root, and β̇.
    let mut start = START.to_vec();
    start.push(0.0);
    solve_at(times, start, 1e-5, |_, y, f| slope(y, f), read)
}

fn slope(y: &[f64], f: &mut [f64]) {
    let path = path_through(y);
    for (f, q) in f.iter_mut().zip(&path) {
        *f = q.d * y[7];
    }
    let force = TORQUE + spring_force(&path);
    f[7] = reduced(&path).acceleration(force, y[7]);
}

fn read(y: &[f64]) -> Sample {
    let path = path_through(y);
    let start = path_through(&START);
    let points = closure_points(&path);
    let gap = closures(&path).iter().map(|g| g.value.abs()).fold(0.0, f64::max);
    let kinetic_j = 0.5 * reduced(&path).inertia * y[7] * y[7];
    let work = TORQUE * (y[0] - START[0]);
    Sample {
        angles_rad: path.map(|q| q.value),
        rates_rad_per_s: path.map(|q| q.d * y[7]),
        closure_point_m: points[0].map(|x| x.value),
        closure_residual_m: gap,
        kinetic_j,
        energy_residual_j: kinetic_j + spring_energy(&path) - spring_energy(&start) - work,
    }
}

/// All seven angles with their derivatives by β, at β = `guess[0]`, on the branch of the guess.
fn path_through(guess: &[f64]) -> [Jet; 7] {
    let mut q = [0.0; 7];
    q.copy_from_slice(&guess[..7]);
    // The guess is within the integrator's error of the root: Newton reaches rounding in two or three rounds.
    for _ in 0..6 {
        let still = q.map(Jet::constant);
        let gaps = closures(&still).map(|g| g.value);
        if gaps.iter().all(|g| g.abs() < 1e-17) {
            break;
        }
        let correction = dependents(&q).solve(&gaps);
        (0..6).for_each(|k| q[k + 1] -= correction[k]);
    }
    let lu = dependents(&q);
    let mut path = q.map(Jet::constant);
    path[0].d = 1.0;
    let along_crank = closures(&path).map(|g| -g.d);
    let first = lu.solve(&along_crank);
    (0..6).for_each(|k| path[k + 1].d = first[k]);
    let curvature = closures(&path).map(|g| -g.dd);
    let second = lu.solve(&curvature);
    (0..6).for_each(|k| path[k + 1].dd = second[k]);
    path
}

/// The factored derivative of the loop equations by the six dependent angles.
fn dependents(q: &[f64; 7]) -> Lu {
    let mut matrix = vec![0.0; 36];
    for column in 0..6 {
        let mut seeded = q.map(Jet::constant);
        seeded[column + 1].d = 1.0;
        for (row, gap) in closures(&seeded).iter().enumerate() {
            matrix[row * 6 + column] = gap.d;
        }
    }
    Lu::factor(matrix, 6).expect("no dead point of the two dyads lies on the published motion")
}

/// `origin + R(angle) point`.
fn place(origin: [Jet; 2], angle: Jet, point: [f64; 2]) -> [Jet; 2] {
    let (s, c) = (angle.sin(), angle.cos());
    [origin[0] + c * point[0] - s * point[1], origin[1] + s * point[0] + c * point[1]]
}

/// Origin and absolute angle of each body frame.
fn frames(q: &[Jet; 7]) -> [([Jet; 2], Jet); 7] {
    let [beta, theta, gamma, phi, delta, omega, epsilon] = *q;
    let ground = |p: [f64; 2]| p.map(Jet::constant);
    [
        (ground([0.0, 0.0]), beta),
        (place(ground([0.0, 0.0]), beta, CARRIED_JOINTS[0]), beta + theta),
        (ground(B), gamma),
        (place(ground(A), delta, CARRIED_JOINTS[1]), delta + phi),
        (ground(A), delta),
        (place(ground(A), epsilon, CARRIED_JOINTS[2]), epsilon + omega),
        (ground(A), epsilon),
    ]
}

/// Point P on K2, K3, K4, K6.
fn closure_points(q: &[Jet; 7]) -> [[Jet; 2]; 4] {
    let frames = frames(q);
    [(1, 0), (2, 1), (3, 2), (5, 3)].map(|(body, k)| place(frames[body].0, frames[body].1, CLOSURE_POINTS[k]))
}

/// The six loop equations.
fn closures(q: &[Jet; 7]) -> [Jet; 6] {
    let p = closure_points(q);
    [
        p[0][0] - p[1][0],
        p[0][1] - p[1][1],
        p[0][0] - p[2][0],
        p[0][1] - p[2][1],
        p[0][0] - p[3][0],
        p[0][1] - p[3][1],
    ]
}

fn reduced(q: &[Jet; 7]) -> Reduced {
    let mut reduced = Reduced::default();
    for (k, (origin, angle)) in frames(q).into_iter().enumerate() {
        let centre = place(origin, angle, CENTRES[k]);
        reduced.add(MASSES[k], centre[0]);
        reduced.add(MASSES[k], centre[1]);
        reduced.add(INERTIAS[k], angle);
    }
    reduced
}

/// Length of the spring along the path.
fn spring_length(q: &[Jet; 7]) -> Jet {
    let d = place(B.map(Jet::constant), q[2], SPRING_POINT);
    let (x, y) = (d[0] - Jet::constant(C[0]), d[1] - Jet::constant(C[1]));
    (x * x + y * y).sqrt()
}

fn spring_energy(q: &[Jet; 7]) -> f64 {
    0.5 * SPRING_STIFFNESS * (spring_length(q).value - SPRING_REST).powi(2)
}

/// Generalised force of the spring along β.
fn spring_force(q: &[Jet; 7]) -> f64 {
    let length = spring_length(q);
    -SPRING_STIFFNESS * (length.value - SPRING_REST) * length.d
}

#[cfg(test)]
#[path = "andrews_squeezer_tests.rs"]
mod tests;
