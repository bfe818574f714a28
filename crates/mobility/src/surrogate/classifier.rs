//! The probability of yes: a Gaussian process on ±1, its value turned into a probability by a probit whose slope and offset are learnt from values that the
//! process did not see (Rasmussen & Williams 2006, section 6.5: least-squares classification with Platt's scaling by leave-one-out).

use super::process::{Belief, Data, Form, Process};
use super::search::climb;
use touchdown_campaign::{normal_cdf, normal_density};
use touchdown_math::Elementary;

/// Cases of the rarer answer that a boundary is drawn from at least.
const LEAST_OF_EACH: usize = 3;
/// Probabilities lie at least so far inside: what n cases can rule out is about 1/n.
const INSIDE: f64 = 1e-4;

/// A fitted classifier.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Classifier {
    /// Too few of one answer to draw a boundary: Laplace's rule of succession, (yes + 1)/(all + 2).
    Share(f64),
    /// A boundary.
    Boundary { process: Box<Process>, slope: f64, offset: f64 },
}

/// P(yes) for a value μ ± σ of the process: Φ((αμ + β)/√(1 + α²σ²)).
fn probit(belief: &Belief, slope: f64, offset: f64) -> f64 {
    let z = (slope * belief.mean + offset) / (1.0 + (slope * belief.sd).whole_power(2)).sqrt();
    normal_cdf(z).clamp(INSIDE, 1.0 - INSIDE)
}

impl Classifier {
    /// Fits a classifier; `near`: the process of one of nearly the same cases.
    pub fn fit(places: &[Vec<f64>], yes: &[bool], form: Form, near: Option<&Process>) -> Classifier {
        let (all, count) = (yes.len(), yes.iter().filter(|y| **y).count());
        let share = Classifier::Share((count as f64 + 1.0) / (all as f64 + 2.0));
        if count.min(all - count) < LEAST_OF_EACH {
            return share;
        }
        let values: Vec<f64> = yes.iter().map(|y| if *y { 1.0 } else { -1.0 }).collect();
        let data = Data { places: places.to_vec(), values };
        let Some(process) = Process::fit(&data, form, near.map(|p| &p.choice)) else { return share };
        let [slope, offset] = calibrate(&process.leave_one_out(&data.values), yes);
        Classifier::Boundary { process: Box::new(process), slope, offset }
    }

    /// The process behind a boundary.
    pub fn process(&self) -> Option<&Process> {
        match self {
            Classifier::Share(_) => None,
            Classifier::Boundary { process, .. } => Some(process),
        }
    }

    /// Probability of yes.
    pub fn at(&self, x: &[f64]) -> f64 {
        match self {
            Classifier::Share(p) => *p,
            Classifier::Boundary { process, slope, offset } => probit(&process.at(x), *slope, *offset),
        }
    }
}

/// Slope and offset of the largest likelihood, from a slope of two; weak normal densities about it keep separable cases from an endless slope.
fn calibrate(beliefs: &[Belief], yes: &[bool]) -> [f64; 2] {
    const START: [f64; 2] = [0.7, 0.0];
    let mut objective = |x: &[f64]| {
        let (slope, offset) = (x[0].exponential(), x[1]);
        let mut height = -0.5 * ((x[0] - START[0]).whole_power(2) + x[1] * x[1]);
        let mut gradient = vec![START[0] - x[0], -x[1]];
        for (belief, yes) in beliefs.iter().zip(yes) {
            let spread2 = 1.0 + (slope * belief.sd).whole_power(2);
            let z = (slope * belief.mean + offset) / spread2.sqrt();
            let sign = if *yes { 1.0 } else { -1.0 };
            let p = normal_cdf(sign * z).max(1e-300);
            height += p.natural_log();
            let by_z = sign * normal_density(z) / p;
            let by_slope = belief.mean / spread2.sqrt() - z * slope * belief.sd * belief.sd / spread2;
            gradient[0] += by_z * by_slope * slope;
            gradient[1] += by_z / spread2.sqrt();
        }
        height.is_finite().then_some((height, gradient))
    };
    let best = climb(&START, &mut objective);
    [best[0].exponential(), best[1]]
}

#[cfg(test)]
mod tests {
    use super::super::kernel::Parity;
    use super::super::tests::points;
    use super::*;

    const FORM: Form = Form { parity: Parity::None, rough: None };

    /// Yes beyond the line x + y = 1: new points farther than a tenth from it (twice the distance of two of 100 points) are all right; on it the answer is open.
    #[test]
    fn a_known_boundary_is_found() {
        let places = points(100, 2, 3);
        let yes: Vec<bool> = places.iter().map(|x| x[0] + x[1] > 1.0).collect();
        let classifier = Classifier::fit(&places, &yes, FORM, None);
        let (mut away, mut right) = (0, 0);
        for x in points(400, 2, 4) {
            let side = x[0] + x[1] - 1.0;
            if side.abs() > 0.1 * 2f64.sqrt() {
                away += 1;
                right += u32::from((classifier.at(&x) > 0.5) == (side > 0.0));
            }
        }
        assert!(away > 200 && right * 100 >= away * 99, "{right} of {away}");
        assert!((0.1..0.9).contains(&classifier.at(&[0.5, 0.5])));
    }

    /// Independent coins of 0.3 everywhere: the probability is about 0.3 everywhere. Its standard error with 200 of them is 0.03, locally more.
    #[test]
    fn chance_stays_chance() {
        let places = points(200, 2, 5);
        let yes: Vec<bool> = points(200, 1, 6).iter().map(|u| u[0] < 0.3).collect();
        let classifier = Classifier::fit(&places, &yes, FORM, None);
        let mean = points(100, 2, 7).iter().map(|x| classifier.at(x)).sum::<f64>() / 100.0;
        assert!((mean - 0.3).abs() < 0.1, "{mean}");
    }

    /// None of 8: (0 + 1)/(8 + 2).
    #[test]
    fn one_answer_alone_has_a_share() {
        let places = points(8, 2, 1);
        assert_eq!(Classifier::fit(&places, &[false; 8], FORM, None), Classifier::Share(0.1));
    }
}
