//! Motion of the ends and length ⇒ wrench, energy, powers, derivatives. Pure.

use super::axial::Elongation;
use super::column::{BUCKLED, Coefficients, coefficients};
use super::rotation::{RateMap, rotation_vector};
use super::{BoomParameters, SLOPE_LIMIT};
use nalgebra::SVector;
use touchdown_math::{Elementary, Mat3, Mat6, Vec3, Wrench};

type Vec6 = SVector<f64, 6>;

/// Pose and motion of the tip frame in the root frame, in the root's axes.
#[derive(Clone, Copy, Debug)]
pub struct EndMotion {
    /// Offset of the tip, m.
    pub d: Vec3,
    /// Rotation of the tip.
    pub R: Mat3,
    /// Velocity of the tip relative to the root, m/s.
    pub d_dot: Vec3,
    /// Angular velocity of the tip against the root, rad/s.
    pub w: Vec3,
}

/// Result of a boom.
#[derive(Clone, Copy, Debug)]
pub struct BoomForce {
    /// On the tip, about the tip, in the root's axes; its opposite acts on the root, about the same point.
    pub wrench: Wrench,
    /// Torque on the root about the root, N m, in its axes.
    pub root_torque: Vec3,
    /// Tension of the elastic column, N; compression is negative.
    pub tension: f64,
    /// Travel of the safety spring, m.
    pub travel: f64,
    /// Shortening of the boom by bending, m.
    pub shortening: f64,
    /// Rotation vector of the tip, rad.
    pub theta: Vec3,
    /// Stored, J.
    pub elastic_energy: f64,
    /// Lost, W.
    pub dissipated_power: f64,
    /// Force of the length drive, positive when it pushes the boom out, N.
    pub drive_force: f64,
    /// Power of the length drive, W.
    pub drive_power: f64,
    /// Compression over the load that buckles a boom with a free end; negative in tension.
    pub buckling_share: f64,
    /// Largest slope or deflection per length.
    pub slope: f64,
}

impl BoomForce {
    /// Whether slopes are small and compression stays below buckling.
    pub fn in_range(&self) -> bool {
        self.slope <= SLOPE_LIMIT && self.buckling_share <= 1.0
    }
}

/// Derivatives of the tip's wrench (torque, force; root axes, about the tip) by a turn and a displacement of the tip, and by its velocities.
#[derive(Clone, Copy, Debug)]
pub struct BoomTangent {
    /// By turn and displacement at constant velocities.
    pub K: Mat6,
    /// By angular velocity and velocity.
    pub D: Mat6,
}

/// Share of the buckling load between clamped ends at which the axial force is limited.
const COLLAPSE: f64 = 0.9;

/// Coordinates are (θ, d). Planes: deflection d_x with slope θ_y; d_y with −θ_x.
const PLANES: [(usize, usize, f64); 2] = [(3, 1, 1.0), (4, 0, -1.0)];

/// Axial force with what depends on it.
struct Solved {
    n: f64,
    columns: Coefficients,
    elongation: Elongation,
    /// Derivative of the equation's residual; infinite if the force is limited.
    slope: f64,
    shortening: f64,
}

impl BoomParameters {
    /// Wrench, energy and powers at this motion, length and rate of length.
    pub fn evaluate(&self, motion: &EndMotion, length: (f64, f64)) -> BoomForce {
        self.calc(motion, length, None)
    }

    /// The same with derivatives of the wrench.
    pub fn evaluate_with_tangent(&self, motion: &EndMotion, length: (f64, f64)) -> (BoomForce, BoomTangent) {
        let mut tangent = BoomTangent { K: Mat6::zeros(), D: Mat6::zeros() };
        let force = self.calc(motion, length, Some(&mut tangent));
        (force, tangent)
    }

    fn calc(
        &self,
        motion: &EndMotion,
        (L, L_dot): (f64, f64),
        tangent: Option<&mut BoomTangent>,
    ) -> BoomForce {
        let theta = rotation_vector(&motion.R);
        let map = RateMap::new(&theta);
        let theta_dot = map.J * motion.w;
        let q = stack(&theta, &motion.d);
        let q_dot = stack(&theta_dot, &motion.d_dot);
        let planes = PLANES.map(|(v, beta, sign)| (q[v], sign * q[beta] * L));
        let solved = self.tension(&planes, motion.d.z, L);
        let (EI, n) = (self.bending_stiffness, solved.n);
        let scale = EI / L.whole_power(3);

        // Gradient and energy.
        let bend = |c: &Coefficients, k: usize| planes.iter().map(|p| c.form(k, p.0, p.1)).sum::<f64>();
        let twist = self.torsion_stiffness / L;
        let mut gradient = Vec6::zeros();
        for ((v, beta, sign), plane) in PLANES.iter().zip(&planes) {
            let [f, m] = solved.columns.gradient(0, plane.0, plane.1);
            gradient[*v] = scale * f;
            gradient[*beta] = scale * m * L * sign;
        }
        gradient[2] = twist * theta.z;
        gradient[5] = n;
        let complementary = 0.5 * n * n * L / self.axial_stiffness + solved.elongation.complementary;
        let energy = 0.5 * scale * bend(&solved.columns, 0) + n * (motion.d.z - L) - complementary
            + 0.5 * twist * theta.z * theta.z;

        // Work per length at constant ends: ∂U/∂L.
        let mixed: f64 = planes
            .iter()
            .map(|(v, turn)| {
                let c = &solved.columns;
                -3.0 * c.force[0] * v * v + 4.0 * c.cross[0] * v * turn - c.moment[0] * turn * turn
            })
            .sum();
        let by_length = 0.5 * scale / L * mixed + 2.0 * n * solved.shortening / L
            - n
            - 0.5 * n * n / self.axial_stiffness
            - 0.5 * twist / L * theta.z * theta.z;

        // Damping.
        let tau = self.damping_time(L);
        let stiffness = self.unloaded_stiffness(L);
        let (axial, axial_by_n) = self.axial_damping_at(&solved, L);
        let stretch = motion.d_dot.z - L_dot;
        let mut damping = stiffness * q_dot * tau;
        let dissipated_power = damping.dot(&q_dot) + axial * stretch * stretch;
        damping[5] += axial * stretch;

        let total = gradient + damping;
        let moment: Vec3 = total.fixed_rows::<3>(0).into();
        let force: Vec3 = -total.fixed_rows::<3>(3);
        let wrench = Wrench::new(-(map.J.transpose() * moment), force);
        let drive_force = by_length - axial * stretch;

        if let Some(out) = tangent {
            let (H, mut C) = (self.second_derivative(&solved, &planes, L), stiffness * tau);
            C[(5, 5)] += axial;
            // Damping of the axis follows the force: its coefficient is that of the safety spring only while that moves.
            let by_axis = axial_by_n * stretch * self.force_gradient(&solved, &planes, L);
            let mut A = H;
            A.row_mut(5).iter_mut().zip(by_axis.iter()).for_each(|(a, b)| *a += b);
            *out = turn_tangent(&map, &A, &C, &moment, &motion.w);
        }
        BoomForce {
            wrench,
            root_torque: -(wrench.t + motion.d.cross(&wrench.f)),
            tension: n,
            travel: solved.elongation.travel,
            shortening: solved.shortening,
            theta,
            elastic_energy: energy,
            dissipated_power,
            drive_force,
            drive_power: drive_force * L_dot,
            buckling_share: -n / self.buckling_load(L),
            slope: theta.x.hypotenuse(theta.y).max(motion.d.x.hypotenuse(motion.d.y) / L),
        }
    }

    /// Elongation = axial law − shortening: the root in N of a monotone function, by Newton's method within brackets.
    fn tension(&self, planes: &[(f64, f64); 2], d_z: f64, L: f64) -> Solved {
        let per_mu = L * L / (4.0 * self.bending_stiffness);
        let column = self.axial_stiffness / L;
        let at = |n: f64| {
            let columns = coefficients(n * per_mu);
            let elongation = self.safety_spring.map(|s| s.elongation(n)).unwrap_or_default();
            let form = |k: usize| planes.iter().map(|p| columns.form(k, p.0, p.1)).sum::<f64>();
            let shortening = form(1) / (8.0 * L);
            let residual = n / column + elongation.travel - shortening - (d_z - L);
            let slope = 1.0 / column + elongation.compliance[0] - form(2) / (8.0 * L) * per_mu;
            (residual, Solved { n, columns, elongation, slope, shortening })
        };
        let lowest = COLLAPSE * BUCKLED / per_mu;
        let (residual, unloaded) = at(0.0);
        // Without shortening the tension is at most that of the column alone.
        let (mut low, mut high) = if residual <= 0.0 { (0.0, -residual * column) } else { (lowest, 0.0) };
        let guess = self.safety_spring.map_or(-residual * column, |s| s.tension_at(-residual, column));
        if low < 0.0 {
            let (residual, mut held) = at(low);
            if residual >= 0.0 {
                held.slope = f64::INFINITY;
                return held;
            }
        }
        let mut best = unloaded;
        let mut n = guess.clamp(low, high);
        for _ in 0..80 {
            let (residual, solved) = at(n);
            if residual > 0.0 {
                high = n
            } else {
                low = n
            }
            let next = n - residual / solved.slope;
            // Lengths are known to round-off, so the force is not better known than this.
            let tolerance = 2.0 * f64::EPSILON * (n.abs() + L / solved.slope);
            best = solved;
            if residual == 0.0 || (next - n).abs() <= tolerance || high - low <= tolerance {
                break;
            }
            n = if next > low && next < high { next } else { 0.5 * (low + high) };
        }
        best
    }

    /// K(N = 0) of all coordinates except the axial one, which has its own dampers.
    fn unloaded_stiffness(&self, L: f64) -> Mat6 {
        let mut K = bending(&coefficients(0.0), self.bending_stiffness, L);
        K[(2, 2)] = self.torsion_stiffness / L;
        K
    }

    /// Damping coefficient of the axis, N s/m, and its derivative by the tension: column and safety spring share the rate as they share the elongation.
    fn axial_damping_at(&self, solved: &Solved, L: f64) -> (f64, f64) {
        let a = L / self.axial_stiffness;
        let [c, c_n] = solved.elongation.compliance;
        let share = a / (a + c);
        let share_n = -a * c_n / ((a + c) * (a + c));
        let spring = self.safety_spring.map_or(0.0, |s| s.damping);
        let coefficient = self.axial_damping * share * share + spring * (1.0 - share) * (1.0 - share);
        let slope = 2.0 * share_n * (self.axial_damping * share - spring * (1.0 - share));
        (coefficient, slope)
    }

    /// ∂N/∂(θ, d).
    fn force_gradient(&self, solved: &Solved, planes: &[(f64, f64); 2], L: f64) -> Vec6 {
        let mut h = Vec6::zeros();
        for ((v, beta, sign), plane) in PLANES.iter().zip(planes) {
            let [f, m] = solved.columns.gradient(1, plane.0, plane.1);
            h[*v] = f / (4.0 * L);
            h[*beta] = m / 4.0 * sign;
        }
        h[5] = 1.0;
        h / solved.slope
    }

    fn second_derivative(&self, solved: &Solved, planes: &[(f64, f64); 2], L: f64) -> Mat6 {
        let mut H = bending(&solved.columns, self.bending_stiffness, L);
        H[(2, 2)] = self.torsion_stiffness / L;
        if solved.slope.is_finite() {
            let h = self.force_gradient(solved, planes, L);
            H += h * h.transpose() * solved.slope;
        }
        H
    }
}

fn stack(angular: &Vec3, linear: &Vec3) -> Vec6 {
    Vec6::new(angular.x, angular.y, angular.z, linear.x, linear.y, linear.z)
}

/// Both planes' stiffness in (θ, d).
fn bending(c: &Coefficients, EI: f64, L: f64) -> Mat6 {
    let mut K = Mat6::zeros();
    for (v, beta, sign) in PLANES {
        K[(v, v)] = c.force[0] * EI / L.whole_power(3);
        K[(v, beta)] = -sign * c.cross[0] * EI / (L * L);
        K[(beta, v)] = K[(v, beta)];
        K[(beta, beta)] = c.moment[0] * EI / L;
    }
    K
}

/// Derivatives in coordinates θ, d ⇒ derivatives of the wrench by turns and displacements.
fn turn_tangent(map: &RateMap, A: &Mat6, C: &Mat6, moment: &Vec3, w: &Vec3) -> BoomTangent {
    let block = |M: &Mat6, i: usize, j: usize| -> Mat3 { M.fixed_view::<3, 3>(3 * i, 3 * j).into() };
    let (J, Jt) = (&map.J, map.J.transpose());
    // θ' = J(θ) w changes with θ.
    let rate = map.by_theta(w) * J;
    let (tt, td) = (block(A, 0, 0) * J + block(C, 0, 0) * rate, block(A, 0, 1));
    let (dt, dd) = (block(A, 1, 0) * J + block(C, 1, 0) * rate, block(A, 1, 1));
    let mut K = Mat6::zeros();
    let put = |M: &mut Mat6, i: usize, j: usize, value: Mat3| {
        M.fixed_view_mut::<3, 3>(3 * i, 3 * j).copy_from(&value);
    };
    put(&mut K, 0, 0, -(Jt * tt) - map.transposed_by_theta(moment) * J);
    put(&mut K, 0, 1, -(Jt * td));
    put(&mut K, 1, 0, -dt);
    put(&mut K, 1, 1, -dd);
    let mut D = Mat6::zeros();
    put(&mut D, 0, 0, -(Jt * block(C, 0, 0) * J));
    put(&mut D, 0, 1, -(Jt * block(C, 0, 1)));
    put(&mut D, 1, 0, -(block(C, 1, 0) * J));
    put(&mut D, 1, 1, -block(C, 1, 1));
    BoomTangent { K, D }
}
