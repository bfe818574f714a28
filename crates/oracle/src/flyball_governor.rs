//! Stiff flyball governor, IFToMM benchmark A05: reference for scenario `flyball-governor`.
//! Three degrees of freedom (spin, slider, symmetric rods); spin eliminated, the rest by Radau collocation of order 9.
//!
//! Problem: z up, gravity 9.81 m/s² along −z, density 3000 kg/m³ throughout. Poses at the start, spin angle 0:
//!
//! | body | joint to its parent | mass kg | inertia about own centre kg m² (body axes) | points |
//! |---|---|---|---|---|
//! | shaft, 0.01 × 0.01 × 1 m | revolute, ground, axis +z at the origin | 0.3 | (0.0250025, 0.0250025, 5e-6) | centre (0, 0, 0.5), hinges (±0.05, 0, 1) |
//! | slider, 0.1 m cube | prismatic on the shaft, axis +z | 3 | (0.005, 0.005, 0.005) | centre (0, 0, s), s = 0.5; spring points ±0.05 along its x |
//! | rod +, 1 × 0.01 × 0.01 m | revolute, shaft (0.05, 0, 1), axis +y, angle θ = +30° | 0.3 | (5e-6, 0.0250025, 0.0250025) | lies along its +x from the hinge; centre and spring point (0.5, 0, 0) |
//! | ball + | fixed at the rod's tip (1, 0, 0) | 5 | point mass | – |
//! | rod −, ball − | the mirror image: hinge (−0.05, 0, 1), rod along its −x, axis +y, angle −30° | as above | as above | spring point (−0.5, 0, 0), tip (−1, 0, 0) |
//!
//! Rod + of angle θ points along (cos θ, 0, −sin θ) of the shaft: 30° below the horizontal at the start. Two springs with
//! dampers, 8e5 N/m, 4e4 N s/m, rest length 0.5 m: from the slider's point (0.05, 0, 0) to the middle of rod +, from
//! (−0.05, 0, 0) to the middle of rod −. Everything spins with 2π rad/s about +z; no other motion. Nothing drives or brakes
//! the spin, so the angular momentum about z is constant.
//!
//! Derivation: J(θ) = J₀ + 2[m (a + l c/2)² + I_x s² + I_z c² + M (a + l c)²], ω = L_z/J; with I_h a rod's moment about its
//! hinge, 2 I_h θ̈ = ½ J′ ω² + 2 g l c (m/2 + M) − 2 F ∂L/∂θ and m_s s̈ = −m_s g − 2 F ∂L/∂s, F = k (L − L₀) + d L̇,
//! L² = (l c/2)² + (1 − l s/2 − s)². Source: IFToMM library of computational benchmark problems.

use crate::GRAVITY;
use crate::numerics::collocation::Radau;
use crate::numerics::extrapolation::ascending;

/// Density of shaft, rods and slider, kg/m³.
pub const DENSITY: f64 = 3000.0;
/// Length of shaft and rods, m; the hinges are at this height.
pub const LENGTH: f64 = 1.0;
/// Edge of the square section of shaft and rods, m.
pub const EDGE: f64 = 0.01;
/// Edge of the cubic slider, m; half of it is the distance of hinges and spring points from the axis.
pub const SLIDER_EDGE: f64 = 0.1;
/// Point mass at the tip of each rod, kg.
pub const TIP_MASS: f64 = 5.0;
/// Stiffness of each spring, N/m.
pub const STIFFNESS: f64 = 8e5;
/// Damping of each spring, N s/m.
pub const DAMPING: f64 = 4e4;
/// Rest length of each spring, m.
pub const REST: f64 = 0.5;
/// Slider height at the start, m.
pub const START_SLIDER: f64 = 0.5;
/// Rod angle below the horizontal at the start, rad.
pub const START_ROD: f64 = std::f64::consts::FRAC_PI_6;
/// Spin at the start about +z, rad/s.
pub const START_SPIN: f64 = std::f64::consts::TAU;

const ROD_MASS: f64 = DENSITY * LENGTH * EDGE * EDGE;
const SLIDER_MASS: f64 = DENSITY * SLIDER_EDGE * SLIDER_EDGE * SLIDER_EDGE;
const HINGE: f64 = 0.5 * SLIDER_EDGE;
/// Shaft (as a rod about its long axis) and slider about z, kg m².
const AXIAL_INERTIA: f64 = ROD_INERTIA_LONG + SLIDER_MASS * SLIDER_EDGE * SLIDER_EDGE / 6.0;
const ROD_INERTIA_LONG: f64 = ROD_MASS * EDGE * EDGE / 6.0;
const ROD_INERTIA_ACROSS: f64 = ROD_MASS * (LENGTH * LENGTH + EDGE * EDGE) / 12.0;
/// Rod and ball about the hinge, kg m².
const HINGE_INERTIA: f64 = ROD_MASS * LENGTH * LENGTH / 4.0 + ROD_INERTIA_ACROSS + TIP_MASS * LENGTH * LENGTH;
/// Local error of the collocation relative to 1 + |y|: what its Newton iteration can resolve.
const TOLERANCE: f64 = 1e-13;

/// The governor at one time.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Height of the slider's centre.
    pub slider_m: f64,
    /// Velocity of the slider.
    pub slider_velocity_m_per_s: f64,
    /// Rate of the shaft about +z.
    pub spin_rad_per_s: f64,
    /// Angle of the shaft about +z from the start.
    pub spin_angle_rad: f64,
    /// Angle of rod + about +y below the horizontal (30° at the start).
    pub rod_rad: f64,
    /// Its rate.
    pub rod_rate_rad_per_s: f64,
    /// Length of the springs.
    pub spring_m: f64,
    /// Kinetic energy.
    pub kinetic_j: f64,
    /// Kinetic, gravitational, elastic and dissipated energy relative to the start: zero in exact arithmetic.
    pub energy_residual_j: f64,
}

/// The governor at time `t` ≥ 0, s.
pub fn at(t: f64) -> Sample {
    trajectory(&[t])[0]
}

/// The governor at each of `times`, s (any order, each ≥ 0).
pub fn trajectory(times: &[f64]) -> Vec<Sample> {
    let mut radau = Radau::new(start(), 1e-5, TOLERANCE, slope);
    let mut samples: Vec<Option<Sample>> = vec![None; times.len()];
    for index in ascending(times) {
        samples[index] = Some(read(radau.advance_to(times[index])));
    }
    samples.into_iter().flatten().collect()
}

/// State: s, θ, ṡ, θ̇, spin angle, dissipated energy.
fn start() -> Vec<f64> {
    vec![START_SLIDER, START_ROD, 0.0, 0.0, 0.0, 0.0]
}

fn slope(y: &[f64], f: &mut [f64]) {
    let (inertia, inertia_slope) = spin_inertia(y[1]);
    let spin = spin_inertia(START_ROD).0 * START_SPIN / inertia;
    let spring = Spring::new(y);
    let force = STIFFNESS * (spring.length - REST) + DAMPING * spring.rate;
    let weight = 2.0 * GRAVITY * LENGTH * (0.5 * ROD_MASS + TIP_MASS) * y[1].cos();
    f[0] = y[2];
    f[1] = y[3];
    f[2] = -GRAVITY - 2.0 * force * spring.by_slider / SLIDER_MASS;
    f[3] = (0.5 * inertia_slope * spin * spin + weight - 2.0 * force * spring.by_rod) / (2.0 * HINGE_INERTIA);
    f[4] = spin;
    f[5] = 2.0 * DAMPING * spring.rate * spring.rate;
}

/// Moment of inertia about the shaft and its derivative by θ.
fn spin_inertia(theta: f64) -> (f64, f64) {
    let (s, c) = theta.sin_cos();
    let (middle, tip) = (HINGE + 0.5 * LENGTH * c, HINGE + LENGTH * c);
    let rods = ROD_MASS * middle * middle + TIP_MASS * tip * tip;
    let own = ROD_INERTIA_LONG * s * s + ROD_INERTIA_ACROSS * c * c;
    let slope = -LENGTH * s * (ROD_MASS * middle + 2.0 * TIP_MASS * tip)
        + 2.0 * s * c * (ROD_INERTIA_LONG - ROD_INERTIA_ACROSS);
    (AXIAL_INERTIA + 2.0 * (rods + own), 2.0 * slope)
}

/// A spring's length, its rate and its derivatives by s and θ.
struct Spring {
    length: f64,
    rate: f64,
    by_slider: f64,
    by_rod: f64,
}

impl Spring {
    fn new(y: &[f64]) -> Spring {
        let (s, c) = y[1].sin_cos();
        // Hinge and slider point are equally far from the axis: only the rod's half length counts across.
        let (out, up) = (0.5 * LENGTH * c, LENGTH - 0.5 * LENGTH * s - y[0]);
        let length = out.hypot(up);
        let by_slider = -up / length;
        let by_rod = -0.5 * LENGTH * (out * s + up * c) / length;
        Spring { length, rate: by_slider * y[2] + by_rod * y[3], by_slider, by_rod }
    }
}

fn read(y: &[f64]) -> Sample {
    let (kinetic_j, potential) = energies(y);
    let (kinetic_start, potential_start) = energies(&start());
    Sample {
        slider_m: y[0],
        slider_velocity_m_per_s: y[2],
        spin_rad_per_s: spin_inertia(START_ROD).0 * START_SPIN / spin_inertia(y[1]).0,
        spin_angle_rad: y[4],
        rod_rad: y[1],
        rod_rate_rad_per_s: y[3],
        spring_m: Spring::new(y).length,
        kinetic_j,
        energy_residual_j: kinetic_j + potential - kinetic_start - potential_start + y[5],
    }
}

/// Kinetic, and gravitational plus elastic energy.
fn energies(y: &[f64]) -> (f64, f64) {
    let momentum = spin_inertia(START_ROD).0 * START_SPIN;
    let rotation = 0.5 * momentum * momentum / spin_inertia(y[1]).0;
    let kinetic = rotation + 0.5 * SLIDER_MASS * y[2] * y[2] + HINGE_INERTIA * y[3] * y[3];
    let stretch = Spring::new(y).length - REST;
    let height = -2.0 * LENGTH * (0.5 * ROD_MASS + TIP_MASS) * y[1].sin() + SLIDER_MASS * y[0];
    (kinetic, GRAVITY * height + STIFFNESS * stretch * stretch)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numerics::extrapolation::Extrapolation;

    /// Slider and spin pass the published values; seven digits are printed.
    #[test]
    fn passes_published_values() {
        let printed = [
            (0.5, 0.743_249_4, 5.103_415_4),
            (1.0, 0.501_420_9, 6.271_125_7),
            (2.0, 0.505_909_3, 6.236_223_6),
            (5.0, 0.535_563_1, 6.022_496_5),
            (10.0, 0.619_622_9, 5.548_203_6),
        ];
        let times = printed.map(|p| p.0);
        for (s, (t, slider, spin)) in trajectory(&times).iter().zip(printed) {
            assert!((s.slider_m - slider).abs() <= 0.6e-7, "t = {t}: {}", s.slider_m);
            assert!((s.spin_rad_per_s - spin).abs() <= 0.6e-7, "t = {t}: {}", s.spin_rad_per_s);
        }
    }

    /// What the dampers take is what kinetic, gravitational and elastic energy lose; the slider keeps to the published range.
    #[test]
    fn energy_balances_and_slider_stays_in_range() {
        let times: Vec<f64> = (0..=2000).map(|k| 5e-3 * k as f64).collect();
        let samples = trajectory(&times);
        let largest = samples.iter().map(|s| s.kinetic_j).fold(0.0, f64::max);
        let (mut low, mut high) = (f64::INFINITY, 0.0f64);
        for s in samples {
            assert!(s.energy_residual_j.abs() < 1e-11 * largest, "{:e}", s.energy_residual_j);
            (low, high) = (low.min(s.slider_m), high.max(s.slider_m));
        }
        // Sampled every 5 ms, near an extremum the slider is within a few 1e-5 m of it.
        assert!((low - 0.49991).abs() < 3e-5 && (high - 0.74357).abs() < 3e-5, "{low} {high}");
    }

    /// Implicit collocation and explicit extrapolation of the same equations agree through the stiff transient.
    #[test]
    fn two_integrators_agree() {
        let rhs = |_: f64, y: &[f64], f: &mut [f64]| slope(y, f);
        let mut explicit = Extrapolation::new(start(), 1e-5, 1e-12, rhs);
        let other = read(explicit.advance_to(0.5));
        let own = at(0.5);
        assert!((own.slider_m - other.slider_m).abs() < 1e-10, "{:e}", own.slider_m - other.slider_m);
        assert!((own.rod_rate_rad_per_s - other.rod_rate_rad_per_s).abs() < 1e-9);
    }

    /// The reduced moment of inertia is that of the bodies in the header: its parts summed mass by mass over fine slices of
    /// the rods (midpoint rule, error l²/(12 n²) of the second moment).
    #[test]
    fn spin_inertia_is_the_sum_over_the_masses() {
        let theta = 0.7f64;
        let (s, c) = theta.sin_cos();
        let slices = 4000;
        let mut sum = AXIAL_INERTIA + 2.0 * TIP_MASS * (HINGE + LENGTH * c).powi(2);
        for k in 0..slices {
            let along = LENGTH * (k as f64 + 0.5) / slices as f64;
            let radius = HINGE + along * c;
            // A slice's own section: w²/12 across (y) and w²/12 sin² of its other edge, seen along z.
            let section = EDGE * EDGE / 12.0 * (1.0 + s * s);
            sum += 2.0 * ROD_MASS / slices as f64 * (radius * radius + section);
        }
        assert!((spin_inertia(theta).0 - sum).abs() < 1e-8);
        let h = 1e-5;
        let difference = (spin_inertia(theta + h).0 - spin_inertia(theta - h).0) / (2.0 * h);
        assert!((spin_inertia(theta).1 - difference).abs() < 1e-8);
    }
}
