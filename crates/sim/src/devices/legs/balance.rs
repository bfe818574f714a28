//! A wrench that a body needs ⇒ forces of its feet on the ground: least squares, feet that push and do not pull, within a cone of friction. Pure.

use super::MOST_LEGS;
use touchdown_math::{Mat3, Mat6, Vec3, cross_matrix};

/// Regularisation, relative to the capacity of the feet: torque, horizontal force, vertical force. A
/// horizontal force that two feet cannot provide without tipping the body is sacrificed first.
const SPARED: [f64; 3] = [1e-3, 3e-2, 1e-3];
/// Rounds in which feet that would pull are removed.
const ROUNDS: usize = 3;

/// A foot that may carry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Support {
    /// From the centre of mass, m.
    pub arm: Vec3,
    /// Its weight relative to the others; zero for none.
    pub share: f64,
}

/// Forces of the ground on the feet that together give a torque about the centre of mass and a force.
pub(super) fn distribute(
    supports: &[Support],
    (torque, force): (&Vec3, &Vec3),
    friction: f64,
) -> [Vec3; MOST_LEGS] {
    let mut shares = [0.0; MOST_LEGS];
    shares.iter_mut().zip(supports).for_each(|(share, on)| *share = on.share);
    let mut forces = [Vec3::zeros(); MOST_LEGS];
    for _ in 0..ROUNDS {
        forces = solve(supports, &shares, (torque, force));
        let mut pulls = false;
        for (share, f) in shares.iter_mut().zip(&forces) {
            if *share > 0.0 && f.z < 0.0 {
                (*share, pulls) = (0.0, true);
            }
        }
        if !pulls {
            break;
        }
    }
    for f in &mut forces {
        f.z = f.z.max(0.0);
        let (level, most) = (f.xy().norm(), friction * f.z);
        if level > most {
            let part = most / level;
            (f.x, f.y) = (f.x * part, f.y * part);
        }
    }
    forces
}

/// f = W Aᵀ (A W Aᵀ + E)⁻¹ b.
fn solve(
    supports: &[Support],
    shares: &[f64; MOST_LEGS],
    (torque, force): (&Vec3, &Vec3),
) -> [Vec3; MOST_LEGS] {
    let (mut gram, mut total, mut square) = (Mat6::zeros(), 0.0, 0.0);
    for (on, share) in supports.iter().zip(shares) {
        let r = cross_matrix(&on.arm);
        let mut block = |i: usize, j: usize, m: Mat3| {
            let mut part = gram.fixed_view_mut::<3, 3>(i, j);
            part += m * *share;
        };
        block(0, 0, r * r.transpose());
        block(0, 3, r);
        block(3, 0, r.transpose());
        block(3, 3, Mat3::identity());
        total += share;
        square += share * on.arm.norm_squared();
    }
    let mut forces = [Vec3::zeros(); MOST_LEGS];
    if total <= 0.0 {
        return forces;
    }
    let [turn, level, upright] = SPARED;
    let spared = [turn * square, turn * square, turn * square, level * total, level * total, upright * total];
    (0..6).for_each(|k| gram[(k, k)] += spared[k]);
    let mut wanted = gram.column(0).clone_owned();
    (0..3).for_each(|k| (wanted[k], wanted[k + 3]) = (torque[k], force[k]));
    let Some(factor) = gram.cholesky() else { return forces };
    let y = factor.solve(&wanted);
    let (y_t, y_f) = (Vec3::new(y[0], y[1], y[2]), Vec3::new(y[3], y[4], y[5]));
    for (f, (on, share)) in forces.iter_mut().zip(supports.iter().zip(shares)) {
        *f = (y_t.cross(&on.arm) + y_f) * *share;
    }
    forces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn four() -> Vec<Support> {
        let places = [[0.3, 0.2], [0.3, -0.2], [-0.3, 0.2], [-0.3, -0.2]];
        places.map(|[x, y]| Support { arm: Vec3::new(x, y, -0.4), share: 1.0 }).to_vec()
    }

    fn sum(supports: &[Support], forces: &[Vec3]) -> (Vec3, Vec3) {
        let each = supports.iter().zip(forces);
        each.fold((Vec3::zeros(), Vec3::zeros()), |(t, f), (on, g)| (t + on.arm.cross(g), f + g))
    }

    /// Four equal feet carry a quarter of the weight each, and meet a wrench within the regularisation.
    #[test]
    fn feet_give_the_wrench() {
        let feet = four();
        let forces = distribute(&feet, (&Vec3::zeros(), &Vec3::new(0.0, 0.0, 100.0)), 0.6);
        for f in &forces[..4] {
            // Regularisation: a thousandth of the weight.
            assert!((f - Vec3::new(0.0, 0.0, 25.0)).norm() < 0.03, "{f:?}");
        }
        let (torque, force) = (Vec3::new(3.0, -5.0, 1.0), Vec3::new(0.0, 0.0, 100.0));
        let (t, f) = sum(&feet, &distribute(&feet, (&torque, &force), 0.6));
        assert!((t - torque).norm() < 0.1 && (f - force).norm() < 1.0, "{t:?} {f:?}");
    }

    /// No foot pulls, none leaves its cone of friction, and a foot without a share has no force, for any
    /// demand.
    #[test]
    fn feet_only_push() {
        let mut feet = four();
        feet[2].share = 0.0;
        for torque in [Vec3::new(80.0, 0.0, 0.0), Vec3::new(-30.0, 60.0, 5.0)] {
            let forces = distribute(&feet, (&torque, &Vec3::new(40.0, -30.0, 100.0)), 0.5);
            for f in &forces {
                assert!(f.z >= 0.0 && f.xy().norm() <= 0.5 * f.z + 1e-12, "{f:?}");
            }
            assert_eq!(forces[2], Vec3::zeros());
        }
    }

    /// A diagonal below the centre of mass carries the weight alone; without feet there is no force.
    #[test]
    fn a_diagonal_carries() {
        let feet: Vec<Support> =
            four().into_iter().enumerate().filter(|(k, _)| [0, 3].contains(k)).map(|(_, f)| f).collect();
        let forces = distribute(&feet, (&Vec3::zeros(), &Vec3::new(0.0, 0.0, 100.0)), 0.6);
        let (t, f) = sum(&feet, &forces);
        assert!((f.z - 100.0).abs() < 0.5 && t.norm() < 0.1, "{f:?} {t:?}");
        assert_eq!(distribute(&[], (&Vec3::zeros(), &Vec3::z()), 0.6), [Vec3::zeros(); MOST_LEGS]);
    }
}
