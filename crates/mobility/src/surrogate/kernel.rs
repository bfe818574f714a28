//! How alike two places are: Matérn 5/2 with a length for each coordinate, and mirror symmetry across the slope.
//!
//! A rover that drives with the slope to its left is the mirror image of one with the slope to its right. Slip, energy and sinkage are even in the slope across
//! the heading, drift is odd: k(x, y) = ½ (m(x, y) ± m(x, y′)) with y′ the mirror image of y. Every mean drawn from it has the symmetry exactly; an odd one is zero
//! straight uphill and downhill.

use touchdown_math::Elementary;

/// Coordinate that changes its sign in a mirror.
pub(crate) const MIRRORED: usize = 1;

/// What a mirror does to a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parity {
    Even,
    Odd,
    /// The coordinates have no mirror.
    None,
}

/// Matérn 5/2 at a scaled distance, and −(1/r)·dm/dr, from which all its derivatives follow (Rasmussen & Williams, Gaussian Processes for Machine Learning, 2006,
/// eq. 4.17).
fn matern(r2: f64) -> (f64, f64) {
    let s = (5.0 * r2).sqrt();
    let e = (-s).exponential();
    ((1.0 + s + s * s / 3.0) * e, 5.0 / 3.0 * (1.0 + s) * e)
}

/// A correlation with a length for each coordinate.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Kernel {
    pub parity: Parity,
    /// 1/length² of each coordinate.
    pub inverse_squares: Vec<f64>,
}

impl Kernel {
    pub fn new(parity: Parity, log_lengths: &[f64]) -> Kernel {
        Kernel { parity, inverse_squares: log_lengths.iter().map(|l| (-2.0 * l).exponential()).collect() }
    }

    /// Square of the scaled distance, and of the distance to the mirror image.
    fn distances(&self, x: &[f64], y: &[f64]) -> (f64, f64) {
        let (mut plain, mut mirrored) = (0.0, 0.0);
        for (k, w) in self.inverse_squares.iter().enumerate() {
            let d = w * (x[k] - y[k]) * (x[k] - y[k]);
            plain += d;
            mirrored += if k == MIRRORED { w * (x[k] + y[k]) * (x[k] + y[k]) } else { d };
        }
        (plain, mirrored)
    }

    /// Correlation of two places.
    pub fn at(&self, x: &[f64], y: &[f64]) -> f64 {
        let (plain, mirrored) = self.distances(x, y);
        let (m, image) = (matern(plain).0, || matern(mirrored).0);
        match self.parity {
            Parity::None => m,
            Parity::Even => 0.5 * (m + image()),
            Parity::Odd => 0.5 * (m - image()),
        }
    }

    /// Correlation, and its derivatives by the logarithms of the lengths added to `out` with a factor: dm/d ln ℓ = (d²/ℓ²)·(−m′/r).
    pub fn add_derivatives(&self, x: &[f64], y: &[f64], factor: f64, out: &mut [f64]) {
        let (plain, mirrored) = self.distances(x, y);
        let slope = matern(plain).1;
        let image = match self.parity {
            Parity::None => 0.0,
            Parity::Even => matern(mirrored).1,
            Parity::Odd => -matern(mirrored).1,
        };
        let half = if self.parity == Parity::None { 1.0 } else { 0.5 };
        for (k, w) in self.inverse_squares.iter().enumerate() {
            let d = w * (x[k] - y[k]) * (x[k] - y[k]);
            let e = if k == MIRRORED { w * (x[k] + y[k]) * (x[k] + y[k]) } else { d };
            out[k] += factor * half * (d * slope + e * image);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Central differences with a step of 1e-5: error h²/6 times a third derivative of order ten.
    #[test]
    fn derivatives_are_those_of_the_correlation() {
        let (x, y) = ([0.3, -0.4, 1.0], [-0.2, 0.7, 0.5]);
        for parity in [Parity::Even, Parity::Odd, Parity::None] {
            let lengths = [0.1, -0.3, 0.4];
            let mut found = [0.0; 3];
            Kernel::new(parity, &lengths).add_derivatives(&x, &y, 1.0, &mut found);
            for k in 0..3 {
                let at = |h: f64| {
                    let mut moved = lengths;
                    moved[k] += h;
                    Kernel::new(parity, &moved).at(&x, &y)
                };
                let difference = (at(1e-5) - at(-1e-5)) / 2e-5;
                assert!((difference - found[k]).abs() < 1e-8, "{parity:?} {k}: {difference} {}", found[k]);
            }
        }
    }

    #[test]
    fn mirror_images_are_alike_or_opposite() {
        let (x, y, image) = ([0.3, 0.4], [-0.2, 0.7], [-0.2, -0.7]);
        let of = |parity| Kernel::new(parity, &[0.0, 0.0]);
        assert_eq!(of(Parity::Even).at(&x, &y), of(Parity::Even).at(&x, &image));
        assert_eq!(of(Parity::Odd).at(&x, &y), -of(Parity::Odd).at(&x, &image));
        assert_eq!(of(Parity::Odd).at(&x, &[0.5, 0.0]), 0.0);
    }
}
