//! Flexible bodies on links: coordinates in which a link and the mesh that it carries are not coupled by
//! mass.
//!
//! # Coordinates
//! A mesh has nodal vectors e (positions and gradients, in world axes) with a constant mass matrix M that
//! acts equally on each component. Some vectors t are tied to a link with pose (p, R): e_t = A·(p, R), four
//! columns, position and three axes. The others f are free. With B = M_ff⁻¹·M_ft·A the coordinates s = e_f +
//! B·(p, R) give the kinetic energy
//!
//! ```text
//! ½ ėᵀ·M·ė = ½ (ṗ, Ṙ)ᵀ·M̂·(ṗ, Ṙ) + ½ ṡᵀ·M_ff·ṡ,   M̂ = Aᵀ·M_tt·A − Bᵀ·M_ff·B
//! ```
//!
//! M̂ is 4 × 4 and constant: the first and second moments of a rigid body, which is added to the link. Tied
//! vectors are therefore eliminated exactly, at the level of positions, rates and accelerations, without
//! constraint rows; the rigid algorithms are unchanged; and the mass of s is M_ff, constant (the identity for
//! p = Lᵀ·s with M_ff = L·Lᵀ: Samarini et al., Eq. 7). With e = N·(p, R) + s on the free vectors, N = (A;
//! −B), a force Q on e acts as Nᵀ·Q on the link and as Q_f on s.
//!
//! Impulses and projections onto constraints change only the rates of rigid coordinates: this is
//! mass-orthogonal, because no mass couples the two.
//!
//! # Valid when
//! All tied vectors belong to one link (or to the world: then A·(p, R) is constant and the rest is
//! unchanged).

use touchdown_math::{Inertia, Mat3, Vec3};
use touchdown_solve::linear::sparse::{SparseCholesky, SparsePattern};

/// A nodal vector tied to a link: `a·p + R·x`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tie {
    /// Which vector.
    pub vector: usize,
    /// 1 for a position, 0 for a gradient.
    pub a: f64,
    /// In the link's frame: the place, m, or the gradient.
    pub x: Vec3,
}

/// Errors of a carried mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CarriedError {
    /// A free vector without mass.
    #[error("nodal vector {vector} has no mass")]
    Massless {
        /// Which.
        vector: usize,
    },
}

/// The mass of a mesh in the coordinates (p, R) and s.
#[derive(Clone, Debug)]
pub struct Carried {
    /// Free vectors, rising.
    pub free: Vec<usize>,
    /// Index of each vector among the free ones; `usize::MAX` if it is tied.
    pub place: Vec<usize>,
    /// N: how each vector follows p and the three axes of R.
    pub N: Vec<[f64; 4]>,
    /// Places of the entries of M_ff among the free vectors.
    pub pattern: SparsePattern,
    /// M_ff, which acts equally on each component.
    pub mass: Vec<f64>,
    /// Force of unit gravity on each free vector, kg (kg m).
    pub weight: Vec<f64>,
    /// Added to the link: M̂ as a rigid body in the link's frame, about its origin.
    pub inertia: Inertia,
    /// Total mass, kg.
    pub total: f64,
    factors: SparseCholesky,
}

impl Carried {
    /// From the mass matrix of all vectors (one number for each entry of a pattern), which of them are
    /// positions, and which are tied.
    pub fn new(
        pattern: &SparsePattern,
        mass: &[f64],
        is_position: &[bool],
        ties: &[Tie],
    ) -> Result<Carried, CarriedError> {
        let n = pattern.size();
        let mut A: Vec<Option<[f64; 4]>> = vec![None; n];
        ties.iter().for_each(|t| A[t.vector] = Some([t.a, t.x.x, t.x.y, t.x.z]));
        let free: Vec<usize> = (0..n).filter(|k| A[*k].is_none()).collect();
        let mut place = vec![usize::MAX; n];
        free.iter().enumerate().for_each(|(at, k)| place[*k] = at);
        let entries = || {
            (0..n).flat_map(|j| {
                pattern.rows(j).iter().zip(pattern.first(j)..).map(move |(i, k)| (*i as usize, j, k))
            })
        };
        let both_free = entries().filter(|(i, j, _)| place[*i] != usize::MAX && place[*j] != usize::MAX);
        let own = SparsePattern::new(free.len(), both_free.map(|(i, j, _)| (place[i], place[j])));
        let mut own_mass = vec![0.0; own.entries()];
        let mut weight = vec![0.0; free.len()];
        let (mut moments, mut total) = ([[0.0; 4]; 4], 0.0);
        // M_ft·A by columns, then B.
        let mut B = vec![vec![0.0; free.len()]; 4];
        for (i, j, k) in entries() {
            let m = mass[k];
            if is_position[i] && is_position[j] {
                total += m;
            }
            if is_position[j] && place[i] != usize::MAX {
                weight[place[i]] += m;
            }
            match (&A[i], &A[j]) {
                (None, None) => own.find(place[i], place[j]).into_iter().for_each(|at| own_mass[at] = m),
                (None, Some(x)) => (0..4).for_each(|c| B[c][place[i]] += m * x[c]),
                (Some(x), Some(y)) => {
                    (0..16).for_each(|c| moments[c / 4][c % 4] += m * x[c / 4] * y[c % 4]);
                }
                (Some(_), None) => {}
            }
        }
        let mut factors = SparseCholesky::new(&own);
        factors.factor(&own_mass).map_err(|k| CarriedError::Massless { vector: free[k] })?;
        let coupled = B.clone();
        B.iter_mut().for_each(|column| factors.solve(column));
        for a in 0..4 {
            for b in 0..4 {
                moments[a][b] -= coupled[a].iter().zip(&B[b]).map(|(x, y)| x * y).sum::<f64>();
            }
        }
        let N = (0..n).map(|k| A[k].unwrap_or_else(|| std::array::from_fn(|c| -B[c][place[k]]))).collect();
        Ok(Carried {
            free,
            place,
            N,
            pattern: own,
            mass: own_mass,
            weight,
            inertia: rigid(&moments),
            total,
            factors,
        })
    }

    /// Whether some vector is tied.
    pub fn is_tied(&self) -> bool {
        self.free.len() < self.place.len()
    }

    /// Factors of M_ff, on one component.
    pub fn factors(&self) -> &SparseCholesky {
        &self.factors
    }

    /// Coordinates of all nodal vectors from the vectors of the link (p and the axes of R, or their rates) and s.
    pub fn place_coordinates(&self, link: &[Vec3; 4], s: &[f64], e: &mut [f64]) {
        for ((N, place), e) in self.N.iter().zip(&self.place).zip(e.chunks_exact_mut(3)) {
            let x = link[0] * N[0] + link[1] * N[1] + link[2] * N[2] + link[3] * N[3];
            e.copy_from_slice(x.as_slice());
            if *place != usize::MAX {
                e.iter_mut().zip(&s[3 * place..]).for_each(|(e, s)| *e += s);
            }
        }
    }

    /// s of given nodal vectors.
    pub fn free_coordinates(&self, link: &[Vec3; 4], e: &[f64], s: &mut [f64]) {
        for (s, &k) in s.chunks_exact_mut(3).zip(&self.free) {
            let N = &self.N[k];
            let x = link[0] * N[0] + link[1] * N[1] + link[2] * N[2] + link[3] * N[3];
            (0..3).for_each(|c| s[c] = e[3 * k + c] - x[c]);
        }
    }

    /// Forces on the nodal vectors as forces on p and the axes of R.
    pub fn link_forces(&self, forces: &[f64]) -> [Vec3; 4] {
        let mut out = [Vec3::zeros(); 4];
        for (f, N) in forces.chunks_exact(3).zip(&self.N) {
            (0..4).for_each(|c| (0..3).for_each(|a| out[c][a] += f[a] * N[c]));
        }
        out
    }
}

/// The rigid body with these moments: mass, first and second moments of p and the axes.
fn rigid(m: &[[f64; 4]; 4]) -> Inertia {
    let second = Mat3::from_fn(|i, j| m[i + 1][j + 1]);
    Inertia {
        m: m[0][0],
        h: Vec3::new(m[0][1], m[0][2], m[0][3]),
        I: Mat3::from_diagonal_element(second.trace()) - second,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchdown_math::Motion;

    /// Kinetic energy and momentum of a mesh in the new coordinates are those of the nodal vectors, for any
    /// motion.
    #[test]
    fn kinetic_energy_is_that_of_the_nodal_vectors() {
        let n = 6;
        let pattern = SparsePattern::new(n, (0..n - 1).map(|k| (k, k + 1)).chain([(0, 3), (2, 5)]));
        let mass: Vec<f64> = (0..n)
            .flat_map(|j| {
                pattern.rows(j).iter().map(move |i| if *i as usize == j { 2.0 + j as f64 } else { 0.3 })
            })
            .collect();
        let is_position = [true, false, true, true, false, false];
        let ties = [
            Tie { vector: 0, a: 1.0, x: Vec3::new(0.2, -0.1, 0.4) },
            Tie { vector: 1, a: 0.0, x: Vec3::new(0.0, 1.0, 0.3) },
        ];
        let carried = Carried::new(&pattern, &mass, &is_position, &ties).unwrap();
        let (w, v) = (Vec3::new(0.3, -0.7, 0.2), Vec3::new(1.0, 0.5, -0.2));
        let R = touchdown_math::rotation::turned(&Mat3::identity(), &Vec3::new(0.48, 0.6, 0.64), 0.9);
        let link: [Vec3; 4] =
            [Vec3::new(1.0, 2.0, 3.0), R.column(0).into(), R.column(1).into(), R.column(2).into()];
        let rates = [v, w.cross(&link[1]), w.cross(&link[2]), w.cross(&link[3])];
        let s_rate: Vec<f64> = (0..12).map(|k| (k as f64 * 0.7).sin()).collect();
        let mut coordinates = vec![0.0; 3 * n];
        carried.place_coordinates(&rates, &s_rate, &mut coordinates);
        let e_rate: Vec<Vec3> = coordinates.chunks_exact(3).map(|c| Vec3::new(c[0], c[1], c[2])).collect();
        for tie in &ties {
            let x = R * tie.x;
            assert!((e_rate[tie.vector] - v * tie.a - w.cross(&x)).norm() < 1e-14);
        }
        let product = |m: &SparsePattern, values: &[f64], e: &[Vec3]| -> f64 {
            let entry = |i: usize, j: usize| m.find(i, j).map_or(0.0, |k| values[k]) * e[i].dot(&e[j]);
            (0..e.len()).flat_map(|i| (0..e.len()).map(move |j| (i, j))).map(|(i, j)| entry(i, j)).sum()
        };
        let whole = product(&pattern, &mass, &e_rate);
        let s: Vec<Vec3> = s_rate.chunks_exact(3).map(|c| Vec3::new(c[0], c[1], c[2])).collect();
        let own = product(&carried.pattern, &carried.mass, &s);
        let V = Motion::new(R.transpose() * w, R.transpose() * v);
        let rigid = V.dot(&carried.inertia.apply(&V));
        assert!((whole - own - rigid).abs() < 1e-12 * whole, "{whole} {own} {rigid}");
        // Momentum: a force of unit gravity on every position, times the rates.
        let mut momentum = Vec3::zeros();
        for j in 0..n {
            for i in (0..n).filter(|i| is_position[*i]) {
                momentum += e_rate[j] * pattern.find(i, j).map_or(0.0, |k| mass[k]);
            }
        }
        let own: Vec3 = s.iter().zip(&carried.weight).map(|(s, w)| s * *w).sum();
        let rigid = R * carried.inertia.apply(&V).f;
        assert!((momentum - own - rigid).norm() < 1e-12, "{momentum} {own} {rigid}");
        let mut back = vec![0.0; 12];
        carried.free_coordinates(&rates, &coordinates, &mut back);
        back.iter().zip(&s_rate).for_each(|(a, b)| assert!((a - b).abs() < 1e-14));
    }
}
