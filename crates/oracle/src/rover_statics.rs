//! Static wheel loads of a triple-bogie rover: reference for the settled rover of the `rover-*` scenarios.
//! Rigid wheels: a linear balance of moments about the three pivots. Tyre springs: the nonlinear equilibrium by Newton.
//!
//! Problem: a chassis carries three bogies, each hinged to it about a horizontal axis and standing on two wheels (left and
//! right bogie: axis across, front and middle wheel; rear bogie: axis along, left and right wheel). Steering and deployment
//! joints are locked, wheels roll freely, the ground is flat and pushes straight up (z) through each wheel's centre.
//!
//! Derivation: six loads N_i. Whole rover: Σ N = W, ΣN x = ΣW x, ΣN y = ΣW y. Each bogie about its axis a through its pivot
//! p: Σ N_i a·((r_i − p) × e_z) = Σ w_j a·((c_j − p) × e_z) over its own wheels and masses. With tyres the unknowns are the
//! chassis' height, roll, pitch and three bogie angles; N_i = k δ_i, and the same balances are the stationary points of
//! Σ m g z + ½ k Σ δ². Source of the layout: Samarini et al., Table 1; wheel and joint positions of ESA's MaRTA, doubled.

use crate::numerics::linear::Lu;

/// A mass at a point of the undeformed rover: kg and position (chassis frame: x forward, y left, z up), m.
pub type PointMass = (f64, [f64; 3]);

/// A bogie with two wheels.
#[derive(Clone, Debug)]
pub struct Bogie {
    /// A point of its hinge, m.
    pub pivot: [f64; 3],
    /// Unit vector of its hinge, horizontal.
    pub axis: [f64; 3],
    /// Everything that turns with it, wheels included.
    pub masses: Vec<PointMass>,
    /// Centres of its two wheels, m.
    pub wheels: [[f64; 3]; 2],
}

/// A rover that stands on three bogies.
#[derive(Clone, Debug)]
pub struct Rover {
    /// What belongs to the chassis.
    pub chassis: Vec<PointMass>,
    /// The bogies; loads are returned in their order, two wheels each.
    pub bogies: [Bogie; 3],
    /// Gravity, m/s².
    pub gravity: f64,
}

/// The rover settled on its tyres.
#[derive(Clone, Copy, Debug)]
pub struct Settled {
    /// Wheel loads, bogie by bogie, N.
    pub loads_n: [[f64; 2]; 3],
    /// Tyre deformations, m.
    pub deformations_m: [[f64; 2]; 3],
    /// Chassis origin below its place over undeformed tyres, m.
    pub sink_m: f64,
    /// Chassis roll about x, rad.
    pub roll_rad: f64,
    /// Chassis pitch about y (positive: nose down), rad; rotation order pitch after roll.
    pub pitch_rad: f64,
    /// Bogie angles about their axes, rad.
    pub bogies_rad: [f64; 3],
}

/// The published rover. Masses: Samarini et al., Table 1. Positions: MaRTA's, doubled; centres of mass assumed midway between joints.
pub fn exomars() -> Rover {
    let leg = |deployment: [f64; 3], wheel: [f64; 3]| {
        let steering = [wheel[0], wheel[1], -0.072];
        let middle = |a: [f64; 3], b: [f64; 3]| std::array::from_fn(|i| 0.5 * (a[i] + b[i]));
        vec![(1.74699, middle(deployment, steering)), (4.27728, middle(steering, wheel)), (4.44157, wheel)]
    };
    let lateral = |side: f64| {
        let wheels = [[0.732, 0.73 * side, -0.249], [0.082, 0.73 * side, -0.249]];
        let mut masses = vec![(2.53122, [0.432, 0.6 * side, -0.02])];
        masses.extend(leg([0.692, 0.669 * side, -0.01], wheels[0]));
        masses.extend(leg([0.172, 0.669 * side, -0.01], wheels[1]));
        Bogie { pivot: [0.412, 0.532 * side, -0.03], axis: [0.0, 1.0, 0.0], masses, wheels }
    };
    let wheels = [[-0.737, 0.73, -0.249], [-0.737, -0.73, -0.249]];
    let mut masses = vec![(5.74456, [-0.6645, 0.0, -0.02])];
    masses.extend(leg([-0.697, 0.67, -0.01], wheels[0]));
    masses.extend(leg([-0.697, -0.67, -0.01], wheels[1]));
    let rear = Bogie { pivot: [-0.632, 0.0, -0.03], axis: [1.0, 0.0, 0.0], masses, wheels };
    Rover {
        chassis: vec![(246.39796, [0.0, 0.0, 0.2585])],
        bogies: [lateral(1.0), lateral(-1.0), rear],
        gravity: 3.711,
    }
}

/// Wheel loads with rigid wheels, N, bogie by bogie; `None` if the layout does not determine them.
pub fn rigid_loads(rover: &Rover) -> Option<[[f64; 2]; 3]> {
    let mut matrix = vec![0.0; 36];
    let mut rhs = [0.0; 6];
    let masses = rover.chassis.iter().chain(rover.bogies.iter().flat_map(|b| &b.masses));
    for (mass, c) in masses {
        for (row, arm) in [1.0, c[0], c[1]].into_iter().enumerate() {
            rhs[row] += mass * rover.gravity * arm;
        }
    }
    for (k, bogie) in rover.bogies.iter().enumerate() {
        for (w, wheel) in bogie.wheels.iter().enumerate() {
            let column = 2 * k + w;
            for (row, arm) in [1.0, wheel[0], wheel[1]].into_iter().enumerate() {
                matrix[row * 6 + column] = arm;
            }
            matrix[(3 + k) * 6 + column] = lift(bogie, wheel);
        }
        rhs[3 + k] = bogie.masses.iter().map(|(mass, c)| mass * rover.gravity * lift(bogie, c)).sum();
    }
    let loads = Lu::factor(matrix, 6)?.solve(&rhs);
    Some(std::array::from_fn(|k| [loads[2 * k], loads[2 * k + 1]]))
}

/// Moment about the bogie's axis of a unit force along −z (up to sign) at a point: how fast the point sinks per angle.
fn lift(bogie: &Bogie, point: &[f64; 3]) -> f64 {
    bogie.axis[0] * (point[1] - bogie.pivot[1]) - bogie.axis[1] * (point[0] - bogie.pivot[0])
}

/// The rover settled on vertical tyre springs of `stiffness`, N/m per wheel; `None` if Newton finds no equilibrium with all
/// wheels loaded. Wheels may have different heights only as far as they all touch the ground in the given layout.
pub fn settle(rover: &Rover, stiffness: f64) -> Option<Settled> {
    const ROUNDS: usize = 30;
    let mut q = [0.0; 6];
    for _ in 0..ROUNDS {
        let force = gradient(rover, stiffness, &q);
        let step = Lu::factor(hessian(rover, stiffness, &q), 6)?.solve(&force);
        (0..6).for_each(|k| q[k] -= step[k]);
        // Differences give the curvature to 1e-9: each round gains that factor, so a step below 1e-12 leaves rounding only.
        if step.iter().all(|s| s.abs() < 1e-12) {
            return settled(rover, stiffness, &q);
        }
    }
    None
}

fn settled(rover: &Rover, stiffness: f64, q: &[f64; 6]) -> Option<Settled> {
    let deformations_m: [[f64; 2]; 3] = std::array::from_fn(|k| {
        let bogie = &rover.bogies[k];
        bogie.wheels.map(|wheel| wheel[2] - height(q, Some((bogie, q[3 + k])), &wheel).0)
    });
    let settled = Settled {
        loads_n: deformations_m.map(|pair| pair.map(|d| stiffness * d)),
        deformations_m,
        sink_m: -q[0],
        roll_rad: q[1],
        pitch_rad: q[2],
        bogies_rad: [q[3], q[4], q[5]],
    };
    deformations_m.iter().flatten().all(|d| *d >= 0.0).then_some(settled)
}

/// Height of a point (given in the undeformed chassis frame) at q = (height, roll, pitch, bogie angles), and its
/// derivatives by height, roll, pitch and its bogie's angle.
fn height(q: &[f64; 6], bogie: Option<(&Bogie, f64)>, point: &[f64; 3]) -> (f64, [f64; 4]) {
    let ((sr, cr), (sp, cp)) = (q[1].sin_cos(), q[2].sin_cos());
    // World up in the chassis frame, R = R_y(pitch) R_x(roll), and its derivatives.
    let up = [-sp, cp * sr, cp * cr];
    let by_roll = [0.0, cp * cr, -cp * sr];
    let by_pitch = [-cp, -sp * sr, -sp * cr];
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let (place, turning) = match bogie {
        None => (*point, [0.0; 3]),
        Some((bogie, angle)) => {
            let arm: [f64; 3] = std::array::from_fn(|i| point[i] - bogie.pivot[i]);
            let turned = rotated(bogie.axis, angle, arm);
            (std::array::from_fn(|i| bogie.pivot[i] + turned[i]), cross(bogie.axis, turned))
        }
    };
    (q[0] + dot(up, place), [1.0, dot(by_roll, place), dot(by_pitch, place), dot(up, turning)])
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Rodrigues' formula for a unit axis.
fn rotated(axis: [f64; 3], angle: f64, v: [f64; 3]) -> [f64; 3] {
    let (s, c) = angle.sin_cos();
    let once = cross(axis, v);
    let twice = cross(axis, once);
    std::array::from_fn(|i| v[i] + s * once[i] + (1.0 - c) * twice[i])
}

/// Derivative of Σ m g z + ½ k Σ δ² by the six coordinates.
fn gradient(rover: &Rover, stiffness: f64, q: &[f64; 6]) -> [f64; 6] {
    let mut sum = [0.0; 6];
    for (mass, c) in &rover.chassis {
        let (_, slope) = height(q, None, c);
        (0..3).for_each(|k| sum[k] += mass * rover.gravity * slope[k]);
    }
    for (k, bogie) in rover.bogies.iter().enumerate() {
        let mut push = |force: f64, slope: [f64; 4]| {
            (0..3).for_each(|i| sum[i] += force * slope[i]);
            sum[3 + k] += force * slope[3];
        };
        for (mass, c) in &bogie.masses {
            push(mass * rover.gravity, height(q, Some((bogie, q[3 + k])), c).1);
        }
        for wheel in &bogie.wheels {
            let (z, slope) = height(q, Some((bogie, q[3 + k])), wheel);
            push(-stiffness * (wheel[2] - z), slope);
        }
    }
    sum
}

/// Central differences of the gradient.
fn hessian(rover: &Rover, stiffness: f64, q: &[f64; 6]) -> Vec<f64> {
    let step = 1e-5;
    let mut matrix = vec![0.0; 36];
    for column in 0..6 {
        let shifted = |h: f64| {
            let mut at = *q;
            at[column] += h;
            gradient(rover, stiffness, &at)
        };
        let (low, high) = (shifted(-step), shifted(step));
        for row in 0..6 {
            matrix[row * 6 + column] = (high[row] - low[row]) / (2.0 * step);
        }
    }
    matrix
}

#[cfg(test)]
mod tests {
    use super::*;

    const TYRE: f64 = 8250.0;

    /// The rigid rover carries 193.43 / 187.68 / 212.65 N on front, middle and rear wheels, 1187.52 N in all.
    #[test]
    fn rigid_loads_of_the_published_layout() {
        let loads = rigid_loads(&exomars()).unwrap();
        for (found, wanted) in loads.iter().zip([[193.43, 187.68], [193.43, 187.68], [212.65, 212.65]]) {
            assert!((0..2).all(|w| (found[w] - wanted[w]).abs() < 0.005), "{loads:?}");
        }
        let sum: f64 = loads.iter().flatten().sum();
        assert!((sum - 320.0 * 3.711).abs() < 1e-10);
    }

    /// Ever stiffer tyres carry the rigid loads: the difference falls in proportion to the compliance.
    #[test]
    fn stiff_tyres_tend_to_rigid_loads() {
        let rover = exomars();
        let rigid = rigid_loads(&rover).unwrap();
        let difference = |k: f64| settle(&rover, k).unwrap().loads_n[2][0] - rigid[2][0];
        let (soft, stiff) = (difference(1e5), difference(1e6));
        assert!(stiff.abs() < 0.1 && (soft / stiff - 10.0).abs() < 0.05, "{soft} {stiff}");
    }

    /// On its tyres the rover is in equilibrium: loads sum to the weight, every load is k δ, and left equals right.
    #[test]
    fn settled_rover_is_in_equilibrium() {
        let s = settle(&exomars(), TYRE).unwrap();
        let sum: f64 = s.loads_n.iter().flatten().sum();
        assert!((sum - 320.0 * 3.711).abs() < 1e-9, "{s:?}");
        assert!((0..2).all(|w| (s.loads_n[0][w] - s.loads_n[1][w]).abs() < 1e-9));
        assert!(s.roll_rad.abs() < 1e-12 && s.bogies_rad[2].abs() < 1e-12);
        assert!((s.loads_n[0][0] - TYRE * s.deformations_m[0][0]).abs() < 1e-12);
    }

    /// Without a determined layout (both wheels of a bogie on its hinge line) there is no answer rather than a wrong one.
    #[test]
    fn undetermined_layout_is_refused() {
        let mut rover = exomars();
        let pivot = rover.bogies[0].pivot;
        rover.bogies[0].wheels = [pivot; 2];
        assert!(rigid_loads(&rover).is_none());
    }
}
