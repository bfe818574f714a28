//! Sampling: index ⇒ one number of the unit interval for each dimension, a pure function of seed and index.

pub(crate) mod hash;
mod joe_kuo;
mod sobol;

use serde::{Deserialize, Serialize};
use sobol::Sobol;

pub(crate) use sobol::MOST_DIMENSIONS;

/// How cases are spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sampling {
    /// Every combination of listed values; the last knob varies fastest.
    Grid,
    /// Independent cases.
    Random,
    /// Each knob's range in as many equal parts as there are cases, one case in each.
    LatinHypercube,
    /// Sobol' points with Owen scrambling.
    Sobol,
    /// Saltelli's design for Sobol' indices: `samples`·(knobs + 2) cases.
    Saltelli,
}

impl Sampling {
    /// Name, as a study file has it.
    pub const NAMES: [(&'static str, Sampling); 5] = [
        ("grid", Sampling::Grid),
        ("random", Sampling::Random),
        ("latin-hypercube", Sampling::LatinHypercube),
        ("sobol", Sampling::Sobol),
        ("saltelli", Sampling::Saltelli),
    ];

    /// Name, as a study file has it.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, one)| *one == self).map_or("", |(name, _)| name)
    }
}

/// Sampler of all dimensions of a plan.
#[derive(Clone, Debug)]
pub(crate) struct Sampler {
    how: Sampling,
    seed: u64,
    cases: u64,
    dimensions: usize,
    sobol: Option<Sobol>,
}

impl Sampler {
    pub fn new(how: Sampling, seed: u64, cases: u64, dimensions: usize) -> Sampler {
        let sobol = match how {
            Sampling::Sobol => Some(Sobol::new(dimensions, seed)),
            Sampling::Saltelli => Some(Sobol::new(2 * dimensions, seed)),
            _ => None,
        };
        Sampler { how, seed, cases, dimensions, sobol }
    }

    /// Coordinates of a case in the unit cube. A grid has none: see [`digits`].
    pub fn point(&self, index: u64) -> Vec<f64> {
        let (sobol, n) = (self.sobol.as_ref(), self.dimensions);
        let net = |index: u64, d: usize| sobol.map_or(0.5, |sobol| sobol.coordinate(index, d));
        match self.how {
            Sampling::Grid => vec![0.5; n],
            Sampling::Random => (0..n).map(|d| hash::unit(hash::bits(self.seed, d as u64, index))).collect(),
            Sampling::LatinHypercube => (0..n).map(|d| self.latin(index, d)).collect(),
            Sampling::Sobol => (0..n).map(|d| net(index, d)).collect(),
            Sampling::Saltelli => {
                let (row, block) = saltelli_place(index, n);
                (0..n).map(|d| net(row, if block.takes_b(d) { n + d } else { d })).collect()
            }
        }
    }

    fn latin(&self, index: u64, dimension: usize) -> f64 {
        /// Streams of the permutations lie apart from those of the places inside the strata.
        const PERMUTATION: u64 = 1 << 32;
        let key = hash::bits(self.seed, PERMUTATION + dimension as u64, 0);
        let stratum = hash::permuted(index, self.cases, key);
        let inside = hash::unit(hash::bits(self.seed, dimension as u64, index));
        ((stratum as f64 + inside) / self.cases as f64).clamp(f64::MIN_POSITIVE, 1.0 - f64::EPSILON)
    }
}

/// Which matrix of Saltelli's design a case belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Block {
    /// The first sample.
    A,
    /// The second sample.
    B,
    /// The first with one column of the second.
    Mixed(usize),
}

impl Block {
    fn takes_b(self, dimension: usize) -> bool {
        self == Block::B || self == Block::Mixed(dimension)
    }
}

/// Row and block of a case of Saltelli's design: all blocks of a row follow each other.
pub(crate) fn saltelli_place(index: u64, dimensions: usize) -> (u64, Block) {
    let width = dimensions as u64 + 2;
    let block = match index % width {
        0 => Block::A,
        1 => Block::B,
        k => Block::Mixed(k as usize - 2),
    };
    (index / width, block)
}

/// Digits of an index in a mixed radix, the last varying fastest.
pub(crate) fn digits(index: u64, radices: &[u64]) -> Vec<u64> {
    let mut rest = index;
    let mut out: Vec<u64> = radices
        .iter()
        .rev()
        .map(|radix| {
            let digit = rest % (*radix).max(1);
            rest /= (*radix).max(1);
            digit
        })
        .collect();
    out.reverse();
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_latin_hypercube_has_one_case_in_each_part_of_each_range() {
        let n = 50;
        let sampler = Sampler::new(Sampling::LatinHypercube, 5, n, 3);
        for d in 0..3 {
            let mut seen = vec![false; n as usize];
            (0..n).for_each(|i| seen[(sampler.point(i)[d] * n as f64) as usize] = true);
            assert!(seen.iter().all(|s| *s));
        }
    }

    #[test]
    fn saltelli_changes_one_column_at_a_time() {
        let sampler = Sampler::new(Sampling::Saltelli, 5, 20, 3);
        let [a, b, first, third] = [0, 1, 2, 4].map(|k| sampler.point(5 + k));
        assert_eq!(first, [b[0], a[1], a[2]]);
        assert_eq!(third, [a[0], a[1], b[2]]);
    }

    #[test]
    fn a_grid_counts_like_a_clock() {
        assert_eq!(digits(7, &[2, 3, 4]), [0, 1, 3]);
        assert_eq!(
            (0..24).map(|i| digits(i, &[2, 3, 4])).collect::<std::collections::BTreeSet<_>>().len(),
            24
        );
    }
}
