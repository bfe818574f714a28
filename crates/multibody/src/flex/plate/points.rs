//! Elastic and viscous forces by quadrature at every call.

use super::{Blocks, Energies, Nodal, PlateTables, QuadraturePoint, VECTORS, Weights};
use crate::flex::material::Damping;
use touchdown_math::Mat3;

/// ∂r/∂X in the axes of the plate.
#[inline]
pub(crate) fn gradient(e: &Nodal, point: &QuadraturePoint) -> [[f64; 3]; 3] {
    let mut F = [[0.0; 3]; 3];
    for c in 0..3 {
        for d in 0..3 {
            let mut sums = [0.0; 4];
            for k in 0..VECTORS / 4 {
                for l in 0..4 {
                    sums[l] += e[c][4 * k + l] * point.slope[d][4 * k + l];
                }
            }
            F[c][d] = (sums[0] + sums[1]) + (sums[2] + sums[3]);
        }
    }
    F
}

/// Axes of the six strains.
const VOIGT: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];

/// Green–Lagrange strain in Voigt order with engineering shear.
#[inline]
pub(crate) fn strain(F: &[[f64; 3]; 3]) -> [f64; 6] {
    let dot = |a: usize, b: usize| F[0][a] * F[0][b] + F[1][a] * F[1][b] + F[2][a] * F[2][b];
    let mut E = VOIGT.map(|(a, b)| dot(a, b));
    for a in 0..3 {
        E[a] = 0.5 * (E[a] - 1.0);
    }
    E
}

/// Rate of the Green–Lagrange strain, engineering shear.
#[inline]
fn strain_rate(F: &[[f64; 3]; 3], rate: &[[f64; 3]; 3]) -> [f64; 6] {
    let dot = |a: usize, b: usize| F[0][a] * rate[0][b] + F[1][a] * rate[1][b] + F[2][a] * rate[2][b];
    let mut E = VOIGT.map(|(a, b)| dot(a, b) + dot(b, a));
    E[..3].iter_mut().for_each(|x| *x *= 0.5);
    E
}

#[inline]
pub(crate) fn times(D: &[[f64; 6]; 6], E: &[f64; 6]) -> [f64; 6] {
    std::array::from_fn(|m| (0..6).map(|n| D[m][n] * E[n]).sum())
}

/// Forces, energies and, if requested, derivatives, for every stress of the material.
pub fn evaluate(
    tables: &PlateTables,
    e: &Nodal,
    rate: &Nodal,
    force: &mut Nodal,
    mut tangent: Option<(Weights, &mut Blocks)>,
) -> Energies {
    let mut energies = Energies::default();
    let gamma = tables.material.damping_time();
    for point in &tables.points {
        let D = tables.moduli(point);
        let F = gradient(e, point);
        let E = strain(&F);
        let mut S = times(D, &E);
        energies.elastic += 0.5 * point.weight * (0..6).map(|m| S[m] * E[m]).sum::<f64>();
        let F_rate = if gamma > 0.0 { gradient(rate, point) } else { [[0.0; 3]; 3] };
        if gamma > 0.0 {
            let E_rate = strain_rate(&F, &F_rate);
            let viscous = times(D, &E_rate);
            for m in 0..6 {
                energies.dissipated += gamma * point.weight * viscous[m] * E_rate[m];
                S[m] += gamma * viscous[m];
            }
        }
        let S = [[S[0], S[3], S[4]], [S[3], S[1], S[5]], [S[4], S[5], S[2]]];
        for c in 0..3 {
            for d in 0..3 {
                let t = point.weight * (F[c][0] * S[0][d] + F[c][1] * S[1][d] + F[c][2] * S[2][d]);
                (0..VECTORS).for_each(|i| force[c][i] -= t * point.slope[d][i]);
            }
        }
        if let Some((weights, tangent)) = &mut tangent {
            add_elastic_tangent(point, D, (&F, &F_rate, &S), gamma, *weights, tangent);
        }
    }
    energies.dissipated = energies.dissipated.max(0.0) + add_fluid(tables, e, rate, force, tangent);
    energies
}

type Rows = [[f64; 3]; 3];

fn add_elastic_tangent(
    point: &QuadraturePoint,
    D: &[[f64; 6]; 6],
    (F, F_rate, S): (&Rows, &Rows, &Rows),
    gamma: f64,
    weights: Weights,
    tangent: &mut Blocks,
) {
    // Variation of the strain by vector i is row B[m][c][i]; by the weighted stress's argument, R[n][c][i].
    let mut right = [[0.0; 3]; 3];
    for c in 0..3 {
        for d in 0..3 {
            right[c][d] =
                weights.position * (F[c][d] + gamma * F_rate[c][d]) + weights.velocity * gamma * F[c][d];
        }
    }
    let g = &point.slope;
    let variation = |F: &Rows| -> [[[f64; VECTORS]; 3]; 6] {
        let mut out = [[[0.0; VECTORS]; 3]; 6];
        for (m, (a, b)) in VOIGT.into_iter().enumerate() {
            for c in 0..3 {
                for i in 0..VECTORS {
                    out[m][c][i] =
                        if a == b { F[c][a] * g[a][i] } else { F[c][a] * g[b][i] + F[c][b] * g[a][i] };
                }
            }
        }
        out
    };
    let (B, R) = (variation(F), variation(&right));
    let mut DR = [[[0.0; VECTORS]; 3]; 6];
    for m in 0..6 {
        for n in 0..6 {
            let d = point.weight * D[m][n];
            if d != 0.0 {
                for c in 0..3 {
                    (0..VECTORS).for_each(|i| DR[m][c][i] += d * R[n][c][i]);
                }
            }
        }
    }
    for i in 0..VECTORS {
        let Sg: [f64; 3] = std::array::from_fn(|d| (0..3).map(|a| S[a][d] * g[a][i]).sum());
        for j in 0..VECTORS {
            let geometric =
                weights.position * point.weight * (Sg[0] * g[0][j] + Sg[1] * g[1][j] + Sg[2] * g[2][j]);
            let block = &mut tangent[i][j];
            for a in 0..3 {
                for b in 0..3 {
                    let sum: f64 = (0..6).map(|m| B[m][a][i] * DR[m][b][j]).sum();
                    block[3 * a + b] -= sum;
                }
                block[4 * a] -= geometric;
            }
        }
    }
}

fn matrix(F: &Rows) -> Mat3 {
    Mat3::from_fn(|c, d| F[c][d])
}

/// Adds the forces of a viscous fluid and their derivatives; returns the power turned into heat, W.
///
/// First Piola–Kirchhoff stress P = τ·F⁻ᵀ with τ = J·(λ·tr(d)·1 + 2μ·d), d the symmetric part of L = Ḟ·F⁻¹: equal to the pulled-back form.
pub fn add_fluid(
    tables: &PlateTables,
    e: &Nodal,
    rate: &Nodal,
    force: &mut Nodal,
    mut tangent: Option<(Weights, &mut Blocks)>,
) -> f64 {
    let Damping::NavierStokes { bulk, shear } = tables.material.damping else { return 0.0 };
    let stress = |L: &Mat3| -> Mat3 {
        let d = 0.5 * (L + L.transpose());
        Mat3::identity() * (bulk * d.trace()) + d * (2.0 * shear)
    };
    let mut power = 0.0;
    for point in &tables.fluid_points {
        let (F, F_rate) = (matrix(&gradient(e, point)), matrix(&gradient(rate, point)));
        // A point without volume has no rate of strain; the check of the mesh reports it.
        let Some(inverse) = F.try_inverse() else { continue };
        let (J, L) = (F.determinant(), F_rate * inverse);
        let tau = stress(&L) * J;
        power += point.weight * tau.dot(&(0.5 * (L + L.transpose())));
        let P = tau * inverse.transpose();
        for c in 0..3 {
            for d in 0..3 {
                let t = point.weight * P[(c, d)];
                (0..VECTORS).for_each(|i| force[c][i] -= t * point.slope[d][i]);
            }
        }
        let Some((weights, tangent)) = &mut tangent else { continue };
        for b in 0..3 {
            for d in 0..3 {
                // Unit change of F (and, weighted, of Ḟ) in entry (b, d).
                let mut unit = Mat3::zeros();
                unit[(b, d)] = 1.0;
                let forward = unit * inverse;
                let dL = weights.velocity * forward - weights.position * (L * forward);
                let dtau = stress(&dL) * J + tau * (weights.position * forward.trace());
                let dP = dtau * inverse.transpose() - weights.position * (P * (inverse * unit).transpose());
                for a in 0..3 {
                    for i in 0..VECTORS {
                        let left = point.weight
                            * (dP[(a, 0)] * point.slope[0][i]
                                + dP[(a, 1)] * point.slope[1][i]
                                + dP[(a, 2)] * point.slope[2][i]);
                        for j in 0..VECTORS {
                            tangent[i][j][3 * a + b] -= left * point.slope[d][j];
                        }
                    }
                }
            }
        }
    }
    power.max(0.0)
}
