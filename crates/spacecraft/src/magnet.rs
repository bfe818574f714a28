//! Magnet pairs: two magnets as point dipoles, for docking plates and electromagnets.
//!
//! With r from the second dipole to the first, r its length, m₁ and m₂ their moments and μ₀ the magnetic constant (Landau & Lifshitz, The Classical Theory of
//! Fields, § 44; Yung, Landecker & Villani, Magnetic and Electrical Separation 9, 1998, for the force):
//!
//! `U = μ₀/(4π r³) [m₁·m₂ − 3 (m₁·r)(m₂·r)/r²]`
//! `F₁ = 3μ₀/(4π r⁵) [(m₁·r) m₂ + (m₂·r) m₁ + (m₁·m₂) r − 5 (m₁·r)(m₂·r) r/r²]`,  `F₂ = −F₁`
//! `τ₁ = m₁ × B₂`,  `B₂ = μ₀/(4π r³) [3 (m₂·r) r/r² − m₂]`,  `τ₂ = −τ₁ − r × F₁`
//!
//! Forces are the gradient of U, so that energy and both momenta are conserved exactly. Theory:
//! `docs/theory/magnets.md`.

use touchdown_math::{Mat3, Mat6, Vec3, Wrench, cross_matrix};

/// μ₀/4π, N/A²: 1e-7 to nine digits since the definitions of 2019 (CODATA 2018: μ₀/4π = 1.000 000 000 55e-7).
pub const MU_0_OVER_4_PI: f64 = 1e-7;

/// Forces between two dipoles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MagnetForce {
    /// On the first, about its own place, world axes.
    pub wrench: Wrench,
    /// Energy of the field, J: zero far apart, negative where they attract.
    pub energy: f64,
    /// Distance, m.
    pub distance: f64,
}

/// Force on a dipole `m1` (A m²) at `r` (m) from a dipole `m2`.
pub fn evaluate(r: &Vec3, m1: &Vec3, m2: &Vec3) -> MagnetForce {
    let (s, distance) = (r.norm_squared(), r.norm());
    let cube = MU_0_OVER_4_PI / (s * distance);
    let (a, b, c) = (m1.dot(r), m2.dot(r), m1.dot(m2));
    let force = (m2 * a + m1 * b + r * (c - 5.0 * a * b / s)) * (3.0 * cube / s);
    let field = (r * (3.0 * b / s) - m2) * cube;
    let energy = cube * (c - 3.0 * a * b / s);
    MagnetForce { wrench: Wrench::new(m1.cross(&field), force), energy, distance }
}

/// Derivatives of the wrench on the first by its own turn and displacement, the second held.
pub fn tangent(r: &Vec3, m1: &Vec3, m2: &Vec3) -> Mat6 {
    let s = r.norm_squared();
    let cube = MU_0_OVER_4_PI / (s * s.sqrt());
    let (a, b, c) = (m1.dot(r), m2.dot(r), m1.dot(m2));
    let (one, rt) = (Mat3::identity(), r.transpose());
    let bracket = m2 * a + m1 * b + r * (c - 5.0 * a * b / s);
    let by_place = (m2 * m1.transpose() + m1 * m2.transpose() + one * (c - 5.0 * a * b / s)
        - r * (m1 * b + m2 * a).transpose() * (5.0 / s)
        + r * rt * (10.0 * a * b / (s * s))
        - bracket * rt * (5.0 / s))
        * (3.0 * cube / s);
    // The force is linear in m₁, which turns with its body: δm₁ = δθ × m₁.
    let by_moment = (m2 * rt + one * b + r * m2.transpose() - r * rt * (5.0 * b / s)) * (3.0 * cube / s);
    let turning = -cross_matrix(m1);
    let field = (r * (3.0 * b / s) - m2) * cube;
    let field_by_place = ((one * b + r * m2.transpose()) * (3.0 / s) - r * rt * (15.0 * b / (s * s))
        + m2 * rt * (3.0 / s))
        * cube;
    let mut K = Mat6::zeros();
    K.fixed_view_mut::<3, 3>(3, 3).copy_from(&by_place);
    K.fixed_view_mut::<3, 3>(3, 0).copy_from(&(by_moment * turning));
    K.fixed_view_mut::<3, 3>(0, 3).copy_from(&(cross_matrix(m1) * field_by_place));
    K.fixed_view_mut::<3, 3>(0, 0).copy_from(&(-cross_matrix(&field) * turning));
    K
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchdown_math::rotation;

    /// Two dipoles on one axis, pointing the same way, attract with 3μ₀m₁m₂/(2πr⁴) (Griffiths, Introduction to Electrodynamics, problem 6.3); side by side they repel
    /// with half of it, and turned crosswise they push sideways and turn each other.
    #[test]
    fn forces_are_those_of_the_textbook() {
        let (m1, m2, d) = (Vec3::z() * 12.0, Vec3::z() * 8.0, 0.2_f64);
        let coaxial = 6.0e-7 * 96.0 / d.powi(4);
        let on_axis = evaluate(&(Vec3::z() * d), &m1, &m2);
        assert!((on_axis.wrench.f.z / -coaxial - 1.0).abs() < 1e-14, "{on_axis:?}");
        assert!((on_axis.energy / (-2e-7 * 96.0 / d.powi(3)) - 1.0).abs() < 1e-14);
        let beside = evaluate(&(Vec3::x() * d), &m1, &m2);
        assert!((beside.wrench.f.x / (0.5 * coaxial) - 1.0).abs() < 1e-14, "{beside:?}");
        // The first points across the axis: B₂ = 2μ₀m₂/(4πr³) turns it towards the axis.
        let across = evaluate(&(Vec3::z() * d), &(Vec3::x() * 12.0), &m2);
        assert!((across.wrench.t.y / (-2e-7 * 96.0 / d.powi(3)) - 1.0).abs() < 1e-14, "{across:?}");
        assert!((across.wrench.f.x / (3e-7 * 96.0 / d.powi(4)) - 1.0).abs() < 1e-14, "{across:?}");
    }

    fn case() -> (Vec3, Vec3, Vec3) {
        (Vec3::new(0.11, -0.07, 0.19), Vec3::new(3.0, -1.0, 9.0), Vec3::new(-2.0, 4.0, 7.0))
    }

    /// Force and torque are the gradient of the energy, and what acts on the second is the opposite about one point: the pair keeps energy and both momenta.
    #[test]
    fn forces_are_the_gradient_of_the_energy() {
        let (r, m1, m2) = case();
        let at = evaluate(&r, &m1, &m2);
        let h = 1e-5;
        for k in 0..3 {
            let e = Vec3::ith(k, h);
            let slope =
                (evaluate(&(r + e), &m1, &m2).energy - evaluate(&(r - e), &m1, &m2).energy) / (2.0 * h);
            assert!((at.wrench.f[k] + slope).abs() < 1e-7 * at.wrench.f.norm(), "force {k}");
            let turned = |sign: f64| rotation::exp(&(e * sign)) * m1;
            let slope = (evaluate(&r, &turned(1.0), &m2).energy - evaluate(&r, &turned(-1.0), &m2).energy)
                / (2.0 * h);
            assert!((at.wrench.t[k] + slope).abs() < 1e-7 * at.wrench.t.norm(), "torque {k}");
        }
        // Seen from the second: opposite forces, and torques that with the lever of the force add up to nothing.
        let other = evaluate(&-r, &m2, &m1);
        assert!((at.wrench.f + other.wrench.f).norm() < 1e-14 * at.wrench.f.norm());
        let sum = at.wrench.t + other.wrench.t + r.cross(&at.wrench.f);
        assert!(sum.norm() < 1e-14 * (at.wrench.t.norm() + r.norm() * at.wrench.f.norm()), "{sum}");
    }

    /// Derivatives of the wrench are those of differences, whose error is (h/r)² of them.
    #[test]
    fn derivatives_agree_with_differences() {
        let (r, m1, m2) = case();
        let K = tangent(&r, &m1, &m2);
        let h = 1e-5;
        for k in 0..6 {
            let e = Vec3::ith(k % 3, h);
            let at = |sign: f64| match k {
                0..3 => evaluate(&r, &(rotation::exp(&(e * sign)) * m1), &m2).wrench,
                _ => evaluate(&(r + e * sign), &m1, &m2).wrench,
            };
            let (plus, minus) = (at(1.0), at(-1.0));
            let (t, f) = ((plus.t - minus.t) / (2.0 * h), (plus.f - minus.f) / (2.0 * h));
            let column = K.column(k);
            let error_t = (Vec3::new(column[0], column[1], column[2]) - t).norm();
            let error_f = (Vec3::new(column[3], column[4], column[5]) - f).norm();
            assert!(error_t < 1e-7 * t.norm() && error_f < 1e-7 * f.norm(), "{k}: {error_t} {error_f}");
        }
    }
}
