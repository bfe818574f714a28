//! A smooth patch over one cell of a map of heights, in local coordinates.
//!
//! Along a line of nodes with spacing Δ, the polynomial in s = (x − x_i)/Δ has at both ends the height of the node, the slope of the central
//! difference m = (z₊ − z₋)/2 and, where it is of class C², the second difference c = z₊ − 2z + z₋ (all in grid units). Cubic (C¹, Eqs. 1–2) or
//! quintic (C²). The patch is the tensor product of both directions (Eqs. 3–6), so that neighbours join as smoothly as the lines do. It is local:
//! 4 × 4 nodes. Quadratics are reproduced exactly by both; other surfaces at third order.
//!
//! Local coordinates, because the Vandermonde matrix of Eq. (2) in absolute ones is ill-conditioned far from the origin. The printed second
//! difference lacks a division by Δ/2: it is f″ = (z₊ − 2z + z₋)/Δ².
//!
//! **At the border** of the map, and beside a hole, a missing node is extrapolated by the quadratic through
//! the three nodes before it, z₋₁ = 3z₀ − 3z₁ + z₂, or the line through two where there are no three.

use super::HeightJet;
use crate::Raster;

/// Continuity of patches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Smoothness {
    /// Bicubic: slopes are continuous.
    C1,
    /// Biquintic: curvatures too.
    #[default]
    C2,
}

/// A patch over a cell of a map: z(s, t) = Σ c_ij s^i t^j, i and j to 3 or to 5.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patch {
    column: usize,
    row: usize,
    smoothness: Smoothness,
    /// Coefficients, i along x first: `c[j][i]`.
    c: [[f64; 6]; 6],
}

impl Patch {
    /// The patch over the cell whose south-western node is (column, row); `None` if the map has no such cell or one of its corners has no
    /// data.
    #[inline]
    pub fn build(map: &Raster, column: usize, row: usize, smoothness: Smoothness) -> Option<Patch> {
        let z = match map.nodes_around(column, row) {
            Some(z) => z,
            None => completed(map, column, row)?,
        };
        let c = match smoothness {
            Smoothness::C1 => product(&z, cubic),
            Smoothness::C2 => product(&z, quintic),
        };
        Some(Patch { column, row, smoothness, c })
    }

    /// The cell that it covers: column and row of its south-western node.
    #[inline]
    pub fn cell(&self) -> (usize, usize) {
        (self.column, self.row)
    }

    /// Height and derivatives at the local coordinates (s, t), 0 to 1 within the cell, of a map with this `spacing` (m).
    #[inline]
    pub fn jet(&self, s: f64, t: f64, spacing: f64) -> HeightJet {
        let [z, z_s, z_t, z_ss, z_st, z_tt] = match self.smoothness {
            Smoothness::C1 => self.derivatives::<4>(s, t),
            Smoothness::C2 => self.derivatives::<6>(s, t),
        };
        let (d, dd) = (1.0 / spacing, 1.0 / (spacing * spacing));
        HeightJet { z, gradient: [z_s * d, z_t * d], hessian: [z_ss * dd, z_st * dd, z_tt * dd] }
    }

    /// By Horner's rule along s, then along t, N coefficients each.
    #[inline(always)]
    fn derivatives<const N: usize>(&self, s: f64, t: f64) -> [f64; 6] {
        // All lines at once, so that the compiler can do two at a time.
        let (mut value, mut first, mut half_second) = ([0.0; N], [0.0; N], [0.0; N]);
        for j in 0..N {
            let c = &self.c[j];
            let (mut v, mut f, mut h) = (c[N - 1], 0.0, 0.0);
            for i in (0..N - 1).rev() {
                h = h * s + f;
                f = f * s + v;
                v = v * s + c[i];
            }
            (value[j], first[j], half_second[j]) = (v, f, h);
        }
        let (mut z, mut z_t, mut z_tt) = (value[N - 1], 0.0, 0.0);
        let (mut z_s, mut z_st) = (first[N - 1], 0.0);
        let mut z_ss = half_second[N - 1];
        for j in (0..N - 1).rev() {
            z_tt = z_tt * t + z_t;
            z_t = z_t * t + z;
            z = z * t + value[j];
            z_st = z_st * t + z_s;
            z_s = z_s * t + first[j];
            z_ss = z_ss * t + half_second[j];
        }
        [z, z_s, z_t, 2.0 * z_ss, z_st, 2.0 * z_tt]
    }
}

/// The tensor product of a line along x and along y: lines along x, then lines through their coefficients along y.
#[inline(always)]
fn product<const N: usize>(
    z: &[[f64; 4]; 4],
    line: impl Fn(f64, f64, f64, f64) -> [f64; N],
) -> [[f64; 6]; 6] {
    let along_x = z.map(|[before, z0, z1, after]| line(before, z0, z1, after));
    let mut c = [[0.0; 6]; 6];
    for i in 0..N {
        let along_y = line(along_x[0][i], along_x[1][i], along_x[2][i], along_x[3][i]);
        for j in 0..N {
            c[j][i] = along_y[j];
        }
    }
    c
}

/// Coefficients of the C¹ line between the second and the third of four nodes: with the second difference c of the second node and the third
/// difference t of all four, z + m s + (c − t)/2 s² + t/2 s³ has the heights and slopes of both. On quadratics t vanishes.
#[inline(always)]
fn cubic(before: f64, z0: f64, z1: f64, after: f64) -> [f64; 4] {
    let (m, c) = (0.5 * (z1 - before), z1 - 2.0 * z0 + before);
    let t = after - 2.0 * z1 + z0 - c;
    [z0, m, 0.5 * (c - t), 0.5 * t]
}

/// Coefficients of the C² line: z + m s + c/2 s² − t (3/2 s³ − 5/2 s⁴ + s⁵) has the heights, slopes and second differences of both.
#[inline(always)]
fn quintic(before: f64, z0: f64, z1: f64, after: f64) -> [f64; 6] {
    let (m, c) = (0.5 * (z1 - before), z1 - 2.0 * z0 + before);
    let t = after - 2.0 * z1 + z0 - c;
    [z0, m, 0.5 * c, -1.5 * t, 2.5 * t, -t]
}

/// Heights of the 4 × 4 nodes around a cell at the border or beside a hole, row by row from the south;
/// missing ones are extrapolated.
#[cold]
fn completed(map: &Raster, column: usize, row: usize) -> Option<[[f64; 4]; 4]> {
    let at = |i: usize, j: usize| {
        let (i, j) = ((column + i).checked_sub(1)?, (row + j).checked_sub(1)?);
        map.node(i, j)
    };
    let mut z = [[None; 4]; 4];
    for (j, line) in z.iter_mut().enumerate() {
        for (i, node) in line.iter_mut().enumerate() {
            *node = at(i, j);
        }
    }
    if z[1][1].is_none() || z[1][2].is_none() || z[2][1].is_none() || z[2][2].is_none() {
        return None;
    }
    // First along the two lines through the cell and its neighbours where these have two nodes, then across.
    for line in &mut z {
        complete(line);
    }
    let mut full = [[0.0; 4]; 4];
    for i in 0..4 {
        let mut across = [z[0][i], z[1][i], z[2][i], z[3][i]];
        complete(&mut across);
        for j in 0..4 {
            full[j][i] = across[j]?;
        }
    }
    Some(full)
}

/// Extrapolates missing ends of a line of four nodes whose inner two exist.
fn complete(z: &mut [Option<f64>; 4]) {
    let (Some(b), Some(c)) = (z[1], z[2]) else { return };
    let line = (2.0 * b - c, 2.0 * c - b);
    match (z[0], z[3]) {
        (None, None) => (z[0], z[3]) = (Some(line.0), Some(line.1)),
        (None, Some(d)) => z[0] = Some(3.0 * b - 3.0 * c + d),
        (Some(a), None) => z[3] = Some(3.0 * c - 3.0 * b + a),
        (Some(_), Some(_)) => {}
    }
}
