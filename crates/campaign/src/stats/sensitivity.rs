//! Sensitivity of an answer to its inputs: Sobol' indices of Saltelli's design with bootstrap intervals, and indices by ranks from any sample.

use crate::sampling::hash::bits;
use touchdown_math::Elementary;

/// An index with its interval.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Index {
    /// The estimate.
    pub value: f64,
    /// Ends of its 95 % bootstrap interval.
    pub interval: [f64; 2],
}

/// First-order and total index of an input.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct SobolIndices {
    /// Share of the variance that goes if the input is known.
    pub first: Index,
    /// Share of the variance that stays if all others are known.
    pub total: Index,
}

/// Resamples of the bootstrap.
const RESAMPLES: u64 = 500;

/// Answers of Saltelli's design: of both samples, and of the first with one column of the second.
#[derive(Clone, Debug, Default)]
pub struct Design {
    /// Answers of the first sample.
    pub a: Vec<f64>,
    /// Answers of the second sample.
    pub b: Vec<f64>,
    /// For each input, answers of the first sample with its column taken from the second.
    pub mixed: Vec<Vec<f64>>,
}

impl Design {
    /// Indices of all inputs: first order by Saltelli et al. (2010, Table 2 b), total by Jansen (1999).
    pub fn indices(&self) -> Vec<SobolIndices> {
        let rows: Vec<usize> = (0..self.a.len()).collect();
        let estimates: Vec<[f64; 2]> = (0..self.mixed.len()).map(|i| self.estimate(i, &rows)).collect();
        let mut spread: Vec<[Vec<f64>; 2]> = vec![Default::default(); self.mixed.len()];
        for resample in 0..RESAMPLES {
            let n = rows.len() as u64;
            let drawn: Vec<usize> = (0..n).map(|k| (bits(1, resample, k) % n.max(1)) as usize).collect();
            for (i, lists) in spread.iter_mut().enumerate() {
                let both = self.estimate(i, &drawn);
                lists.iter_mut().zip(both).for_each(|(list, x)| list.push(x));
            }
        }
        let finish = |value: f64, list: &mut Vec<f64>| {
            list.sort_by(f64::total_cmp);
            let at = |part: f64| list.get((part * list.len() as f64) as usize).copied().unwrap_or(f64::NAN);
            Index { value, interval: [at(0.025), at(0.975)] }
        };
        let pairs = estimates.into_iter().zip(&mut spread);
        pairs
            .map(|([s, t], [first, total])| SobolIndices { first: finish(s, first), total: finish(t, total) })
            .collect()
    }

    fn estimate(&self, input: usize, rows: &[usize]) -> [f64; 2] {
        let n = rows.len() as f64;
        let both = || rows.iter().flat_map(|r| [self.a[*r], self.b[*r]]);
        let mean = both().sum::<f64>() / (2.0 * n);
        let variance = both().map(|y| (y - mean).whole_power(2)).sum::<f64>() / (2.0 * n);
        let mixed = &self.mixed[input];
        // Centred: the mean says nothing about the variance, and costs digits.
        let first = rows.iter().map(|r| (self.b[*r] - mean) * (mixed[*r] - self.a[*r])).sum::<f64>() / n;
        let total = rows.iter().map(|r| (self.a[*r] - mixed[*r]).whole_power(2)).sum::<f64>() / (2.0 * n);
        [first / variance, total / variance]
    }
}

/// Indices by ranks of an input.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct RankIndices {
    /// Estimate of the first-order Sobol' index from ranks of the input (Gamboa, Gremaud, Klein & Lagnoux 2022), not below 0.
    pub first: f64,
    /// Spearman's correlation of the ranks: direction and strength of a monotonic influence.
    pub spearman: f64,
}

/// Indices by ranks of an input of any sample of independent inputs.
pub fn by_ranks(input: &[f64], answer: &[f64]) -> RankIndices {
    let n = input.len();
    let mut order: Vec<usize> = (0..n).collect();
    // Equal inputs in the order of a hash: their own order may go with the answer.
    order.sort_by(|a, b| {
        input[*a].total_cmp(&input[*b]).then(bits(3, 0, *a as u64).cmp(&bits(3, 0, *b as u64)))
    });
    let mean = answer.iter().sum::<f64>() / n as f64;
    let variance = answer.iter().map(|y| (y - mean).whole_power(2)).sum::<f64>() / n as f64;
    let neighbours = (0..n).map(|k| (answer[order[k]] - mean) * (answer[order[(k + 1) % n]] - mean));
    let first = neighbours.sum::<f64>() / n as f64 / variance;
    RankIndices { first: first.max(0.0), spearman: correlation(&ranks(input), &ranks(answer)) }
}

/// Ranks from 1; equal numbers share the mean of theirs.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut out = vec![0.0; values.len()];
    let mut from = 0;
    while from < order.len() {
        let same = order[from..].iter().take_while(|k| values[**k] == values[order[from]]).count().max(1);
        let rank = from as f64 + 0.5 * (same as f64 + 1.0);
        order[from..from + same].iter().for_each(|k| out[*k] = rank);
        from += same;
    }
    out
}

fn correlation(x: &[f64], y: &[f64]) -> f64 {
    let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len() as f64;
    let (mx, my) = (mean(x), mean(y));
    let sum = |f: &dyn Fn(f64, f64) -> f64| x.iter().zip(y).map(|(x, y)| f(x - mx, y - my)).sum::<f64>();
    sum(&|x, y| x * y) / (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::{Sampler, Sampling};
    use std::f64::consts::PI;

    /// Ishigami & Homma (1990) with a = 7, b = 0.1, inputs uniform from −π to π.
    fn ishigami(u: &[f64]) -> f64 {
        let [x, y, z] = [0, 1, 2].map(|k| PI * (2.0 * u[k] - 1.0));
        x.sine() + 7.0 * y.sine().whole_power(2) + 0.1 * z.whole_power(4) * x.sine()
    }

    /// First-order and total indices in closed form.
    fn closed_form() -> ([f64; 3], [f64; 3]) {
        let (a, b) = (7.0f64, 0.1f64);
        let v1 = 0.5 * (1.0 + b * PI.whole_power(4) / 5.0).whole_power(2);
        let v2 = a * a / 8.0;
        let v13 = b * b * PI.whole_power(8) * (1.0 / 18.0 - 1.0 / 50.0);
        let v = v1 + v2 + v13;
        ([v1 / v, v2 / v, 0.0], [(v1 + v13) / v, v2 / v, v13 / v])
    }

    #[test]
    fn sobol_indices_are_those_of_the_ishigami_function() {
        let n = 4096;
        let sampler = Sampler::new(Sampling::Saltelli, 17, n * 5, 3);
        let mut design = Design { mixed: vec![Vec::new(); 3], ..Design::default() };
        for row in 0..n {
            let at = |k: u64| ishigami(&sampler.point(row * 5 + k));
            design.a.push(at(0));
            design.b.push(at(1));
            (0..3).for_each(|i| design.mixed[i].push(at(2 + i as u64)));
        }
        let (first, total) = closed_form();
        for (i, found) in design.indices().iter().enumerate() {
            // The intervals are of random rows and wider than the error of the net, which stays below 0.01 here.
            assert!((found.first.value - first[i]).abs() < 0.01, "S{i}: {} {}", found.first.value, first[i]);
            assert!((found.total.value - total[i]).abs() < 0.01, "T{i}: {} {}", found.total.value, total[i]);
            assert!((found.first.interval[0]..=found.first.interval[1]).contains(&first[i]), "{found:?}");
            assert!((found.total.interval[0]..=found.total.interval[1]).contains(&total[i]), "{found:?}");
        }
    }

    #[test]
    fn ranks_find_the_same_from_a_plain_sample() {
        // The estimator's standard error is about 1/√n = 0.016 with 4,096 cases.
        let n = 4096;
        let sampler = Sampler::new(Sampling::Random, 4, n, 3);
        let points: Vec<Vec<f64>> = (0..n).map(|i| sampler.point(i)).collect();
        let answers: Vec<f64> = points.iter().map(|p| ishigami(p)).collect();
        for (i, expected) in closed_form().0.into_iter().enumerate() {
            let column: Vec<f64> = points.iter().map(|p| p[i]).collect();
            let found = by_ranks(&column, &answers);
            assert!((found.first - expected).abs() < 0.05, "{i}: {} {expected}", found.first);
        }
        let rising: Vec<f64> = (0..50).map(f64::from).collect();
        let falling: Vec<f64> = rising.iter().map(|x| -x.whole_power(3)).collect();
        assert!((by_ranks(&rising, &falling).spearman + 1.0).abs() < 1e-12);
    }
}
