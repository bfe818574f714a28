//! What a minimum is worth: covariance from the Jacobian, intervals, correlations, and what the data cannot tell.

use crate::fit::{Fit, FitOptions, Loss, NO_NOISE, descend};
use crate::lack::lack_of_fit;
use crate::problem::{Parameter, Problem};
use nalgebra::DMatrix;
use touchdown_math::Elementary;

/// How well a parameter is known.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Its interval is narrow against its value.
    Determined,
    /// Its interval is wider than its value: the data hardly say.
    Weak,
    /// It ended on a bound.
    AtBound,
    /// The data do not change with it.
    NoInfluence,
    /// Only a combination with these others is determined.
    Combined(Vec<String>),
    /// The model does not describe the data: its parameters mean nothing.
    Doubtful,
}

impl Verdict {
    /// Whether the value may be used.
    pub fn is_identifiable(&self) -> bool {
        matches!(self, Verdict::Determined | Verdict::Weak)
    }

    /// In words.
    pub fn text(&self) -> String {
        match self {
            Verdict::Determined => "determined".into(),
            Verdict::Weak => "weak: its interval is wider than its value".into(),
            Verdict::AtBound => "not identifiable: it ended on its bound".into(),
            Verdict::NoInfluence => "not identifiable: the data do not change with it".into(),
            Verdict::Combined(others) => {
                format!("not identifiable alone: only its combination with {} is", others.join(", "))
            }
            Verdict::Doubtful => "doubtful: the model does not describe these data".into(),
        }
    }
}

/// A parameter that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: f64,
    /// Standard deviation; infinite where it is not identifiable.
    pub deviation: f64,
    /// Ends of the interval.
    pub interval: [f64; 2],
    /// How well it is known.
    pub verdict: Verdict,
}

/// Ratio of the smallest to the largest singular value of the scaled Jacobian below which a combination is not determined: differences are good to 1e-8.
const RANK: f64 = 1e-7;
/// Share of a singular direction above which a parameter takes part in it.
const PART: f64 = 0.2;

pub(crate) fn conclude(problem: &Problem, options: &FitOptions, x: &[f64], sigma: &[f64]) -> Option<Fit> {
    let free = x.len();
    let prediction = (problem.model)(x)?;
    let residuals = problem.residuals(x, sigma)?;
    let cost = 0.5 * residuals.iter().map(|r| r * r).sum::<f64>();
    let jacobian = jacobian(problem, x, sigma)?;
    let rows = problem.count();
    // Columns scaled to one: what is left is how parallel they are.
    let norms: Vec<f64> = (0..free).map(|k| jacobian.column(k).norm()).collect();
    let sizes: Vec<f64> = x.iter().zip(&problem.parameters).map(|(x, p)| size(*x, p)).collect();
    let strongest = norms.iter().zip(&sizes).map(|(n, s)| n * s).fold(0.0, f64::max);
    let silent: Vec<bool> =
        norms.iter().zip(&sizes).map(|(n, s)| n * s <= 1e-9 * strongest || *n == 0.0).collect();
    let scaled =
        DMatrix::from_fn(rows, free, |i, k| if silent[k] { 0.0 } else { jacobian[(i, k)] / norms[k] });
    let svd = scaled.svd(false, true);
    let v_t = svd.v_t?;
    let largest = svd.singular_values.iter().fold(0.0f64, |a, b| a.max(*b));
    let mut verdicts = vec![Verdict::Determined; free];
    let mut covariance = DMatrix::<f64>::zeros(free, free);
    for (s, row) in svd.singular_values.iter().zip(v_t.row_iter()) {
        let taking: Vec<usize> = (0..free).filter(|&k| row[k].abs() > PART && !silent[k]).collect();
        if *s <= RANK * largest {
            for &k in &taking {
                let others = taking.iter().filter(|&&o| o != k).map(|&o| problem.parameters[o].name.clone());
                verdicts[k] = Verdict::Combined(others.collect());
            }
            continue;
        }
        for a in 0..free {
            for b in 0..free {
                if !silent[a] && !silent[b] {
                    covariance[(a, b)] += row[a] * row[b] / (s * s * norms[a] * norms[b]);
                }
            }
        }
    }
    let degrees = rows - free;
    // Sigma was measured over all series: t instead of normal accounts for that.
    let t = student(options.confidence, degrees);
    let mut remarks = Vec::new();
    let mut evaluations = 2 * free + 1;
    let mut estimates = Vec::with_capacity(free);
    for k in 0..free {
        let p = &problem.parameters[k];
        if silent[k] {
            verdicts[k] = Verdict::NoInfluence;
        } else if is_at_bound(x[k], p) {
            verdicts[k] = Verdict::AtBound;
        }
        let known = verdicts[k] == Verdict::Determined;
        let deviation = if known { covariance[(k, k)].sqrt() } else { f64::INFINITY };
        let mut interval = [(x[k] - t * deviation).max(p.min), (x[k] + t * deviation).min(p.max)];
        if known && t * deviation > x[k].abs() && x[k] != 0.0 {
            verdicts[k] = Verdict::Weak;
        }
        let curved = t * deviation > 1e-6 * sizes[k];
        if known && options.profile && options.loss == Loss::Squares && curved && free > 1 {
            let (followed, more) = profile(problem, sigma, x, k, (deviation, t), cost);
            (interval, evaluations) = (followed, evaluations + more);
        }
        if verdicts[k] != Verdict::Determined {
            remarks.push(format!("{}: {}", p.name, verdicts[k].text()));
        }
        let (name, value) = (p.name.clone(), x[k]);
        estimates.push(Estimate { name, value, deviation, interval, verdict: verdicts[k].clone() });
    }
    let lack = lack_of_fit(problem, options, &residuals, sigma);
    for estimate in estimates.iter_mut().filter(|e| !lack.is_empty() && e.verdict.is_identifiable()) {
        estimate.verdict = Verdict::Doubtful;
    }
    remarks.extend(lack.iter().map(|lack| lack.text()));
    let correlation = |a: usize, b: usize| {
        let scale = (covariance[(a, a)] * covariance[(b, b)]).sqrt();
        if scale > 0.0 { covariance[(a, b)] / scale } else { f64::from(u8::from(a == b)) }
    };
    let correlations: Vec<Vec<f64>> =
        (0..free).map(|a| (0..free).map(|b| correlation(a, b)).collect()).collect();
    for a in 0..free {
        for b in 0..a {
            if correlations[a][b].abs() > 0.99 {
                let (one, two) = (&problem.parameters[b].name, &problem.parameters[a].name);
                remarks.push(format!(
                    "{one} and {two} are nearly interchangeable: correlation {:.4}",
                    correlations[a][b]
                ));
            }
        }
    }
    let noisy = problem.series.iter().zip(sigma).any(|(s, sigma)| *sigma > 10.0 * NO_NOISE * s.scale());
    if !noisy {
        remarks.push("the data have no noise: intervals are those of round-off".into());
    }
    Some(Fit {
        estimates,
        correlations,
        sigma: sigma.to_vec(),
        prediction,
        degrees_of_freedom: degrees,
        cost,
        minima: 1,
        evaluations,
        lack,
        remarks,
    })
}

/// Size against which a change of a parameter counts.
fn size(x: f64, p: &Parameter) -> f64 {
    let range =
        if p.min.is_finite() && p.max.is_finite() { 1e-3 * (p.max - p.min) } else { 1e-3 * p.start.abs() };
    x.abs().max(range).max(f64::MIN_POSITIVE)
}

fn is_at_bound(x: f64, p: &Parameter) -> bool {
    let near = |bound: f64| {
        bound.is_finite() && (x - bound).abs() <= 1e-6 * (p.start - bound).abs().max(bound.abs())
    };
    near(p.min) || near(p.max)
}

/// Central differences of the residuals.
fn jacobian(problem: &Problem, x: &[f64], sigma: &[f64]) -> Option<DMatrix<f64>> {
    let mut columns = Vec::with_capacity(x.len());
    for (k, p) in problem.parameters.iter().enumerate() {
        let step = 1e-5 * size(x[k], p);
        let (mut up, mut down) = (x.to_vec(), x.to_vec());
        up[k] = (x[k] + step).min(p.max);
        down[k] = (x[k] - step).max(p.min);
        let width = up[k] - down[k];
        let (up, down) = (problem.residuals(&up, sigma)?, problem.residuals(&down, sigma)?);
        columns.push(up.iter().zip(&down).map(|(a, b)| (a - b) / width).collect::<Vec<f64>>());
    }
    Some(DMatrix::from_fn(problem.count(), x.len(), |i, k| columns[k][i]))
}

/// Interval of a parameter where the best fit of all others costs t²/2 more than the minimum; also the number of fits. Where the linearised interval is exact it
/// is the same; where the model bends it is not symmetric.
fn profile(
    problem: &Problem,
    sigma: &[f64],
    x: &[f64],
    k: usize,
    (deviation, t): (f64, f64),
    cost: f64,
) -> ([f64; 2], usize) {
    let p = &problem.parameters[k];
    let mut evaluations = 0;
    let mut excess = |value: f64, from: &mut Vec<f64>| {
        let full = |others: &[f64]| {
            let mut all = others.to_vec();
            all.insert(k, value);
            all
        };
        let model = |others: &[f64]| (problem.model)(&full(others));
        let mut parameters = problem.parameters.clone();
        parameters.remove(k);
        for (p, x) in parameters.iter_mut().zip(from.iter()) {
            p.start = *x;
        }
        let rest = Problem { parameters, series: problem.series.clone(), model: &model };
        let (best, more) = descend(&rest, sigma, Loss::Squares, from)?;
        evaluations += more;
        let r = rest.residuals(&best, sigma)?;
        *from = best;
        Some((2.0 * (0.5 * r.iter().map(|r| r * r).sum::<f64>() - cost)).max(0.0).sqrt())
    };
    let mut ends = [x[k] - t * deviation, x[k] + t * deviation];
    for (side, end) in ends.iter_mut().enumerate() {
        let sign = if side == 0 { -1.0 } else { 1.0 };
        let bound = if side == 0 { p.min } else { p.max };
        let mut others = x.to_vec();
        others.remove(k);
        // The root of the excess is nearly linear in the distance: secants from the origin.
        let (mut low, mut high) = (0.0, f64::INFINITY);
        let mut offset = t * deviation;
        for _ in 0..12 {
            let value = x[k] + sign * offset;
            if (value - bound) * sign >= 0.0 && bound.is_finite() {
                // Does the bound itself cost enough? If not the interval ends there.
                offset = (bound - x[k]).abs() * 0.999_999;
            }
            let Some(found) = excess(x[k] + sign * offset, &mut others) else { break };
            if (found / t - 1.0).abs() < 1e-3 {
                break;
            }
            if found < t {
                low = offset
            } else {
                high = offset
            }
            if found < t && bound.is_finite() && offset >= (bound - x[k]).abs() * 0.999 {
                break;
            }
            let next = offset * t / found.max(0.05 * t);
            offset = if next > low && next < high { next } else { 0.5 * (low + high.min(4.0 * offset)) };
        }
        *end = x[k] + sign * offset;
    }
    (ends, evaluations)
}

/// Two-sided quantile of Student's t for a probability: Cornish and Fisher's expansion about the normal one, exact for one and two degrees of freedom.
pub fn student(confidence: f64, degrees: usize) -> f64 {
    let tail = 0.5 * (1.0 - confidence);
    let v = degrees as f64;
    if degrees <= 1 {
        return 1.0 / (std::f64::consts::PI * tail).tangent();
    }
    if degrees == 2 {
        let a = 4.0 * tail * (1.0 - tail);
        return 2.0 * (0.5 - tail) * (2.0 / a).sqrt();
    }
    let z = normal(tail);
    let (z3, z5, z7, z9) = (z.whole_power(3), z.whole_power(5), z.whole_power(7), z.whole_power(9));
    z + (z3 + z) / (4.0 * v)
        + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * v * v)
        + (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / (384.0 * v.whole_power(3))
        + (79.0 * z9 + 776.0 * z7 + 1482.0 * z5 - 1920.0 * z3 - 945.0 * z) / (92_160.0 * v.whole_power(4))
}

/// Upper quantile of the normal distribution: Newton's method on the tail.
fn normal(tail: f64) -> f64 {
    let mut z = (-2.0 * tail.natural_log()).sqrt();
    for _ in 0..50 {
        let density = (-0.5 * z * z).exponential() / (2.0 * std::f64::consts::PI).sqrt();
        let step = (upper_tail(z) - tail) / density;
        z += step;
        if step.abs() < 1e-14 {
            break;
        }
    }
    z
}

/// P(Z > z), z ≥ 0, by the series of the integral from zero (z below 6 here).
pub(crate) fn upper_tail(z: f64) -> f64 {
    let (mut term, mut sum, mut k) = (z, z, 1.0);
    while term.abs() > 1e-18 && k < 400.0 {
        term *= z * z / (2.0 * k + 1.0);
        sum += term;
        k += 1.0;
    }
    0.5 - sum * (-0.5 * z * z).exponential() / (2.0 * std::f64::consts::PI).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Quantiles of the tables.
    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (degrees, expected) in
            [(1, 12.706), (2, 4.303), (3, 3.182), (5, 2.571), (23, 2.069), (100, 1.984), (100_000, 1.960)]
        {
            let found = student(0.95, degrees);
            assert!((found / expected - 1.0).abs() < 5e-3, "{degrees} {found}");
        }
        assert!((student(0.90, 10) - 1.812).abs() < 1e-3);
    }
}
