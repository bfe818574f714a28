//! Confidence of a proportion: Clopper–Pearson for a count fixed in advance, a confidence sequence for any time.

use statrs::function::beta::{beta_reg, ln_beta};
use touchdown_math::Elementary;

/// How a bound is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// Clopper & Pearson (1934), exact for a number of cases that was fixed before any was seen.
    FixedCount,
    /// Beta-binomial mixture (Robbins 1970, with a uniform prior): holds at all counts together, so one may look and stop at any.
    AnyTime,
}

/// Chance of `s` or more successes of `n` at a probability `p`.
fn at_least(s: u64, n: u64, p: f64) -> f64 {
    match s {
        0 => 1.0,
        s => beta_reg(s as f64, (n - s) as f64 + 1.0, p),
    }
}

/// Logarithm of the mixture martingale at `p`: how much better all probabilities together explain the counts than `p` does.
fn ln_evidence(s: u64, n: u64, p: f64) -> f64 {
    let (s, f) = (s as f64, (n - s) as f64);
    let cost = |count: f64, p: f64| if count == 0.0 { 0.0 } else { count * p.natural_log() };
    ln_beta(1.0 + s, 1.0 + f) - cost(s, p) - cost(f, 1.0 - p)
}

impl Rule {
    /// Whether `s` successes of `n` show, with a confidence, that the probability of success is above `p`.
    pub fn shows_above(self, s: u64, n: u64, p: f64, confidence: f64) -> bool {
        if n == 0 {
            return false;
        }
        match self {
            Rule::FixedCount => at_least(s, n, p) <= 1.0 - confidence,
            Rule::AnyTime => {
                s as f64 > p * n as f64 && ln_evidence(s, n, p) >= -(1.0 - confidence).natural_log()
            }
        }
    }

    /// Whether they show that it is below `p`.
    pub fn shows_below(self, s: u64, n: u64, p: f64, confidence: f64) -> bool {
        self.shows_above(n - s, n, 1.0 - p, confidence)
    }

    /// Lower and upper bound of the probability, each with the confidence.
    pub fn bounds(self, s: u64, n: u64, confidence: f64) -> [f64; 2] {
        let lower = |s: u64| {
            if n == 0 || s == 0 {
                return 0.0;
            }
            let (mut low, mut high) = (0.0, s as f64 / n as f64);
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if self.shows_above(s, n, middle, confidence) { low = middle } else { high = middle }
            }
            low
        };
        [lower(s), 1.0 - lower(n - s)]
    }

    /// How many more cases it takes to show one side or the other if successes go on as before; none if that cannot be said.
    pub fn more(self, s: u64, n: u64, p: f64, confidence: f64) -> Option<u64> {
        /// More cases than any campaign has.
        const MOST: u64 = 1_000_000_000;
        let share = if n == 0 { return None } else { s as f64 / n as f64 };
        let shows = |m: u64| {
            // Rounded against what is to be shown.
            let kept = share * m as f64;
            let (up, down) = (kept.floor() as u64, (kept.ceil() as u64).min(m));
            if share > p {
                self.shows_above(up, m, p, confidence)
            } else {
                self.shows_below(down, m, p, confidence)
            }
        };
        let mut high = n.max(1);
        while !shows(high) {
            high = high.checked_mul(2).filter(|h| *h <= MOST)?;
        }
        let mut low = n;
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if shows(middle) { high = middle } else { low = middle }
        }
        Some(high - n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::hash::{bits, unit};

    #[test]
    fn bounds_are_those_of_the_tables() {
        // Closed forms: 0 of n gives an upper bound 1 − α^(1/n); n of n a lower bound α^(1/n). And 8 of 10: 0.4931 at 95 % (Clopper & Pearson's tables).
        let rule = Rule::FixedCount;
        for n in [1u64, 5, 58, 299] {
            let expected = 0.05f64.power(1.0 / n as f64);
            assert!((rule.bounds(n, n, 0.95)[0] - expected).abs() < 1e-9, "{n}");
            assert!((rule.bounds(0, n, 0.95)[1] - (1.0 - expected)).abs() < 1e-9, "{n}");
        }
        assert!((rule.bounds(8, 10, 0.95)[0] - 0.493_099).abs() < 1e-5, "{:?}", rule.bounds(8, 10, 0.95));
        // 59 successes of 59 show 95 % with 95 %: the rule of every handbook; 58 do not.
        assert!(rule.shows_above(59, 59, 0.95, 0.95) && !rule.shows_above(58, 58, 0.95, 0.95));
        assert_eq!(rule.more(30, 30, 0.95, 0.95), Some(29));
    }

    /// Shares of simulated campaigns, with the true probability at the limit, that are declared PASS and FAIL though neither must be.
    fn wrong(rule: Rule, [p, confidence]: [f64; 2], looks: impl Fn(u64) -> bool, cases: u64) -> [f64; 2] {
        let mut wrong = [0u32; 2];
        for campaign in 0..CAMPAIGNS {
            let (mut s, mut said) = (0, [false; 2]);
            for k in 1..=cases {
                s += u64::from(unit(bits(2024, campaign, k)) < p);
                if looks(k) {
                    said[0] |= rule.shows_above(s, k, p, confidence);
                    said[1] |= rule.shows_below(s, k, p, confidence);
                }
            }
            wrong.iter_mut().zip(said).for_each(|(count, said)| *count += u32::from(said));
        }
        wrong.map(|count| f64::from(count) / CAMPAIGNS as f64)
    }

    const CAMPAIGNS: u64 = 1000;

    #[test]
    fn stated_confidence_is_met_by_a_thousand_campaigns() {
        for case @ [_, confidence] in [[0.9, 0.9], [0.5, 0.8], [0.99, 0.95]] {
            // At the limit itself a verdict is false; 1 − confidence of them may be, and by chance three standard errors of 1,000 campaigns more.
            let part = 1.0 - confidence;
            let allowed = part + 3.0 * (part * confidence / CAMPAIGNS as f64).sqrt();
            let fixed = wrong(Rule::FixedCount, case, |k| k == 500, 500);
            assert!(fixed.iter().all(|share| *share <= allowed), "fixed count, {case:?}: {fixed:?}");
            let any_time = wrong(Rule::AnyTime, case, |k| k % 25 == 0, 1500);
            assert!(any_time.iter().all(|share| *share <= allowed), "any time, {case:?}: {any_time:?}");
        }
        // Looking again and again with the rule for one look is what must not be done: about one in four is wrong.
        let [peeking, _] = wrong(Rule::FixedCount, [0.9, 0.9], |k| k % 25 == 0, 1500);
        assert!(peeking > 0.2, "peeking: {peeking}");
    }
}
