//! Gauss–Legendre rules on [0, 1].

use touchdown_math::Elementary;

/// The most points of a rule.
pub const MOST: usize = 10;

/// Points and weights of the rule with n points (1 to [`MOST`]) on [0, 1]; exact for polynomials of degree 2n − 1.
pub fn gauss(n: usize) -> Vec<(f64, f64)> {
    let n = n.clamp(1, MOST);
    (0..n)
        .map(|k| {
            // Newton's method on the Legendre polynomial from Tricomi's estimate of its root.
            let mut x = (std::f64::consts::PI * (k as f64 + 0.75) / (n as f64 + 0.5)).cosine();
            let mut slope = 1.0;
            for _ in 0..100 {
                let (mut p, mut q) = (1.0, 0.0);
                for j in 0..n {
                    let next = ((2 * j + 1) as f64 * x * p - j as f64 * q) / (j + 1) as f64;
                    (q, p) = (p, next);
                }
                slope = n as f64 * (x * p - q) / (x * x - 1.0);
                let step = p / slope;
                x -= step;
                if step.abs() < 1e-16 {
                    break;
                }
            }
            (0.5 * (1.0 - x), 1.0 / ((1.0 - x * x) * slope * slope))
        })
        .collect()
}

/// How many Gauss points an element has along ξ and η, and through its thickness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Order {
    /// Along each side.
    pub plane: usize,
    /// Through the thickness.
    pub thickness: usize,
}

impl Order {
    /// 7 × 7 × 3: exact for the quartic energy of a parallelepiped (degree 12 in the plane, 4 through the thickness).
    pub const EXACT: Order = Order { plane: 7, thickness: 3 };
    /// 4 × 4 × 2, usual in the literature: a little too few for large strains.
    pub const REDUCED: Order = Order { plane: 4, thickness: 2 };

    /// The smaller number of points in each direction.
    pub fn at_most(self, other: Order) -> Order {
        Order { plane: self.plane.min(other.plane), thickness: self.thickness.min(other.thickness) }
    }

    /// Points (ξ, η in [0, 1]; ζ in [−½, ½]) with weights that add up to 1.
    pub fn points(self) -> Vec<([f64; 3], f64)> {
        let (plane, through) = (gauss(self.plane), gauss(self.thickness));
        let mut out = Vec::with_capacity(plane.len() * plane.len() * through.len());
        for (xi, wx) in &plane {
            for (eta, wy) in &plane {
                for (zeta, wz) in &through {
                    out.push(([*xi, *eta, zeta - 0.5], wx * wy * wz));
                }
            }
        }
        out
    }
}

impl Default for Order {
    fn default() -> Self {
        Order::EXACT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A rule with n points integrates x^(2n−1) exactly, and not x^(2n).
    #[test]
    fn degree_of_exactness() {
        for n in 1..=MOST {
            let moment = |d: i32| gauss(n).iter().map(|(x, w)| w * x.powi(d)).sum::<f64>() * f64::from(d + 1);
            for d in 0..2 * n as i32 {
                assert!((moment(d) - 1.0).abs() < 1e-13, "{n} {d} {}", moment(d));
            }
            if n < 6 {
                assert!((moment(2 * n as i32) - 1.0).abs() > 1e-7);
            }
        }
    }
}
