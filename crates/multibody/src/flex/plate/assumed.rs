//! Assumed natural strains of a plate: the remedy against locking of thin and curved elements. Rows over
//! products of nodal vectors ⇒ [`Gram`](super::gram::Gram).
//!
//! # Model
//! Strains are taken in the element's own coordinates x, y, z and sampled where they can all vanish in bending without stretch, then interpolated:
//!
//! | strain | sampled at | over the element |
//! |---|---|---|
//! | E_xx (E_yy likewise), mid-surface | ends and middle of both edges along x | parabola along x, line along y |
//! | E_xy, mid-surface | everywhere | as the coordinates give it: no other strain resists the rotation of a node about the normal |
//! | E_xx, E_yy, E_xy, part that grows with z | everywhere, from director and tangents, less the shear bubble of the edges | discrete Kirchhoff: slopes along edges are parabolas |
//! | E_xz, E_yz | corners | bilinear |
//! | E_zz | corners | bilinear; a part that grows with z is condensed out, so that Poisson's effect in bending is free |
//!
//! All of it is linear in the products of nodal vectors, hence objective, and the energy stays a quadratic form with constant K. A uniform
//! strain of a flat element is reproduced exactly; patches of parallelograms pass the patch test, in bending those of any quadrilaterals.
//!
//! # References
//! E. Dvorkin, K.-J. Bathe: A continuum mechanics based four-node shell element (1984): sampled shear. J.-L. Batoz, M. Ben Tahar: Evaluation of a new
//! quadrilateral thin plate bending element (1982): slopes of edges. P. Betsch, E. Stein: An assumed strain approach avoiding artificial thickness straining (1995):
//! thickness at corners. J. Simo, M. Rifai: A class of mixed assumed strain methods (1990): condensed part of E_zz.

use super::products::{FREE, PAIRS, Products, SOURCE, dot, pair, reduce, squares};
use super::{Nodal, PlateTables, VECTORS, jacobian, plate_axes, shape};
use crate::flex::material::Moduli;
use crate::flex::quadrature::Order;
use touchdown_math::{Mat3, Vec3};

/// Six strains over the products of nodal vectors, in the plate's axes: Voigt order 11, 22, 33, 12, 13, 23 with engineering shear.
pub type Rows = [[f64; PAIRS]; 6];
/// Weights of the nodal vectors in a vector.
type Weighted = [f64; VECTORS];

/// Corners in (ξ, η), in the order of the nodes.
const CORNERS: [[f64; 2]; 4] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];

/// Adds `factor`·a·b, where a and b are sums of nodal vectors that are invariant to a common translation.
fn add(row: &mut [f64; PAIRS], factor: f64, a: &Weighted, b: &Weighted) {
    for i in 0..FREE {
        let (ai, bi) = (a[SOURCE[i]], b[SOURCE[i]]);
        for k in 0..i {
            row[pair(i, k)] += factor * (ai * b[SOURCE[k]] + a[SOURCE[k]] * bi);
        }
        row[pair(i, i)] += factor * ai * bi;
    }
}

/// Vectors of the mid-surface at a point: r_x, r_y, r_z, and the derivatives of r_z along x and y.
struct Middle {
    tangent: [Weighted; 2],
    director: Weighted,
    turn: [Weighted; 2],
}

fn middle(sizes: [f64; 3], xi: f64, eta: f64) -> Middle {
    let (s, top) = (shape(sizes, [xi, eta, 0.0]), shape(sizes, [xi, eta, 0.5]));
    let turn = [0, 1].map(|d| {
        let mut out = [0.0; VECTORS];
        (0..VECTORS).for_each(|i| out[i] = (top.slope[d][i] - s.slope[d][i]) / (0.5 * sizes[2]));
        out
    });
    Middle { tangent: [s.slope[0], s.slope[1]], director: s.slope[2], turn }
}

/// A sum of nodal vectors.
fn place(e: &Nodal, weights: &Weighted) -> Vec3 {
    Vec3::from_fn(|c, _| (0..VECTORS).map(|i| e[c][i] * weights[i]).sum())
}

/// Interpolation between the corners.
fn bilinear(xi: f64, eta: f64) -> [f64; 4] {
    [(1.0 - xi) * (1.0 - eta), xi * (1.0 - eta), xi * eta, (1.0 - xi) * eta]
}

/// Strains in the element's coordinates at (ξ, η) and z = ζ·t: xx, yy, zz, 2xy, 2xz, 2yz.
fn natural(sizes: [f64; 3], reference: &Nodal, [xi, eta, zeta]: [f64; 3]) -> Box<Rows> {
    let mut rows: Box<Rows> = Box::new([[0.0; PAIRS]; 6]);
    let z = zeta * sizes[2];
    let here = middle(sizes, xi, eta);
    let along = [xi, eta];
    let base = here.tangent.map(|t| place(reference, &t));
    for d in 0..2 {
        // Position along the edges in direction d (u) and between them (v).
        let (u, v) = (along[d], along[1 - d]);
        let at = |s: f64, edge: f64| if d == 0 { [s, edge] } else { [edge, s] };
        let parabola = [(1.0 - u) * (1.0 - 2.0 * u), 4.0 * u * (1.0 - u), u * (2.0 * u - 1.0)];
        for (edge, share) in [(0.0, 1.0 - v), (1.0, v)] {
            // Directors turn towards the edge, not across it: neighbours of any form then agree.
            let [x, y] = at(0.5, edge);
            let T = place(reference, &middle(sizes, x, y).tangent[d]);
            let T = T / T.norm_squared();
            let mut by = [0.0; 2];
            by[d] = share * 4.0 * (1.0 - 2.0 * u) / sizes[d];
            by[1 - d] = (2.0 * edge - 1.0) * 4.0 * u * (1.0 - u) / sizes[1 - d];
            let factors = [by[0] * T.dot(&base[0]), by[1] * T.dot(&base[1])];
            let shear = by[1] * T.dot(&base[0]) + by[0] * T.dot(&base[1]);
            for (s, line) in [0.0, 0.5, 1.0].into_iter().zip(parabola) {
                let [x, y] = at(s, edge);
                let m = middle(sizes, x, y);
                add(&mut rows[d], 0.5 * share * line, &m.tangent[d], &m.tangent[d]);
                // Slopes along the edge are parabolas, that of the director is linear: their difference is
                // bending, not shear.
                let bubble = if s == 0.5 { 1.0 } else { -0.5 };
                for (row, factor) in [(0, factors[0]), (1, factors[1]), (3, shear)] {
                    add(&mut rows[row], -z * factor * bubble, &m.tangent[d], &m.director);
                }
            }
        }
        // Opposite edges of unequal direction: the square of their difference is a parabola between them.
        let mut twist = [0.0; VECTORS];
        for (k, sign) in [1.0, -1.0, 1.0, -1.0].into_iter().enumerate() {
            twist[4 * k] = sign / sizes[d];
        }
        add(&mut rows[d], -0.5 * v * (1.0 - v), &twist, &twist);
        add(&mut rows[d], z, &here.tangent[d], &here.turn[d]);
        add(&mut rows[d], 0.5 * z * z, &here.turn[d], &here.turn[d]);
        add(&mut rows[3], z, &here.tangent[d], &here.turn[1 - d]);
    }
    add(&mut rows[3], z * z, &here.turn[0], &here.turn[1]);
    add(&mut rows[3], 1.0, &here.tangent[0], &here.tangent[1]);
    let (weights, by_x, by_y) =
        (bilinear(xi, eta), [eta - 1.0, 1.0 - eta, eta, -eta], [xi - 1.0, -xi, xi, 1.0 - xi]);
    for (k, [x, y]) in CORNERS.into_iter().enumerate() {
        let m = middle(sizes, x, y);
        for d in 0..2 {
            add(&mut rows[4 + d], weights[k], &m.tangent[d], &m.director);
        }
        add(&mut rows[2], 0.5 * weights[k], &m.director, &m.director);
        add(&mut rows[4], 0.5 * z * by_x[k] / sizes[0], &m.director, &m.director);
        add(&mut rows[5], 0.5 * z * by_y[k] / sizes[1], &m.director, &m.director);
    }
    rows
}

/// Axes of the six strains.
const VOIGT: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];

/// From the element's coordinates to the plate's axes: E = TᵀET with T = J₀⁻¹·axes.
fn to_plate(rows: &Rows, J0: &Mat3) -> Box<Rows> {
    // Volume was found positive before, so the inverse exists.
    let T = J0.try_inverse().unwrap_or_else(Mat3::identity) * plate_axes(J0);
    let mut out: Box<Rows> = Box::new([[0.0; PAIRS]; 6]);
    for (m, (a, b)) in VOIGT.into_iter().enumerate() {
        for (n, (d, e)) in VOIGT.into_iter().enumerate() {
            // Engineering shear: both orders of a pair in one number, halved when read and doubled when written.
            let both = if d == e {
                T[(d, a)] * T[(d, b)]
            } else {
                0.5 * (T[(d, a)] * T[(e, b)] + T[(e, a)] * T[(d, b)])
            };
            let factor = if a == b { both } else { 2.0 * both };
            if factor != 0.0 {
                (0..PAIRS).for_each(|p| out[m][p] += factor * rows[n][p]);
            }
        }
    }
    out
}

/// A point with its strains over the products.
#[derive(Clone, Debug)]
pub struct AssumedPoint {
    /// Share of the stress-free volume, m³.
    pub weight: f64,
    /// Strains.
    pub rows: Box<Rows>,
}

/// The strains of a stack of points through the thickness at (ξ, η), as the element's coordinates give them.
fn stack(tables: &PlateTables, xi: f64, eta: f64, through: &[(f64, f64)]) -> Vec<AssumedPoint> {
    let box_volume: f64 = tables.sizes.iter().product();
    let point = |(zeta, share): &(f64, f64)| {
        let at = [xi, eta, *zeta];
        let J0 = jacobian(&tables.reference, &shape(tables.sizes, at).slope);
        let rows = to_plate(&natural(tables.sizes, &tables.reference, at), &J0);
        AssumedPoint { weight: share * box_volume * J0.determinant(), rows }
    };
    through.iter().map(point).collect()
}

/// The α of least energy under the moduli D, for which E_zz has a part ζ·α.
fn condensed(points: &[AssumedPoint], D: &Moduli, through: &[(f64, f64)]) -> [f64; PAIRS] {
    let square: f64 = points.iter().zip(through).map(|(p, (zeta, _))| p.weight * zeta * zeta * D[2][2]).sum();
    let mut alpha = [0.0; PAIRS];
    // A single point in the middle is not affected by it.
    if square > 0.0 {
        for (point, (zeta, _)) in points.iter().zip(through) {
            for n in 0..6 {
                let factor = -point.weight * zeta * D[2][n] / square;
                if factor != 0.0 {
                    (0..PAIRS).for_each(|p| alpha[p] += factor * point.rows[n][p]);
                }
            }
        }
    }
    alpha
}

/// ζ and shares of the points through the thickness.
fn through(order: Order) -> Vec<(f64, f64)> {
    let line = Order { plane: 1, thickness: order.thickness }.points();
    line.into_iter().map(|([_, _, zeta], share)| (zeta, share)).collect()
}

/// All points of the tables' quadrature, under the moduli D.
pub fn points(tables: &PlateTables, D: &Moduli) -> Vec<AssumedPoint> {
    let through = through(tables.order);
    let plane = Order { plane: tables.order.plane, thickness: 1 }.points();
    let mut out = Vec::with_capacity(plane.len() * through.len());
    for ([xi, eta, _], share) in plane {
        let mut points = stack(tables, xi, eta, &through);
        let alpha = condensed(&points, D, &through);
        for (point, (zeta, _)) in points.iter_mut().zip(&through) {
            point.weight *= share;
            (0..PAIRS).for_each(|p| point.rows[2][p] += zeta * alpha[p]);
        }
        out.extend(points);
    }
    out
}

/// Strain at a point of an element with nodal vectors e, in the plate's axes with engineering shear: for output.
pub fn strain(tables: &PlateTables, D: &Moduli, e: &Nodal, [xi, eta, zeta]: [f64; 3]) -> [f64; 6] {
    let through = through(tables.order);
    let alpha = condensed(&stack(tables, xi, eta, &through), D, &through);
    let (now, rest) = (squares(&reduce(e)), squares(&reduce(&tables.reference)));
    let change: Products = std::array::from_fn(|p| now[p] - rest[p]);
    let mut here = stack(tables, xi, eta, &[(zeta, 1.0)]);
    let Some(here) = here.pop() else { return [0.0; 6] };
    let mut out = here.rows.each_ref().map(|row| dot(row, &change));
    out[2] += zeta * dot(&alpha, &change);
    out
}
