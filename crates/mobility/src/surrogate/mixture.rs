//! A value that comes from one of several normal distributions: of a rover that moves, or of one that is stuck; on this soil or that.

use super::process::Belief;
use touchdown_campaign::normal_cdf;

/// Standard deviations within which a quantile is looked for.
const REACH: f64 = 9.0;
/// Halvings of that range: to a billionth of it.
const HALVINGS: usize = 34;

/// Normal distributions with their shares, which sum to one.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Mixture {
    parts: Vec<(f64, Belief)>,
}

impl Mixture {
    /// One distribution alone.
    pub fn one(belief: Belief) -> Mixture {
        Mixture { parts: vec![(1.0, belief)] }
    }

    /// Two, the second with a share.
    pub fn two([first, second]: [Belief; 2], share: f64) -> Mixture {
        Mixture { parts: vec![(1.0 - share, first), (share, second)] }
    }

    /// All of them with equal shares.
    pub fn pooled(all: Vec<Mixture>) -> Mixture {
        let share = 1.0 / all.len() as f64;
        let parts = all.into_iter().flat_map(|one| one.parts).map(|(w, belief)| (w * share, belief));
        Mixture { parts: parts.collect() }
    }

    pub fn mean(&self) -> f64 {
        self.parts.iter().map(|(share, part)| share * part.mean).sum()
    }

    /// Share of values below `x`.
    pub fn below(&self, x: f64) -> f64 {
        let part = |(share, part): &(f64, Belief)| {
            share * normal_cdf((x - part.mean) / part.sd.max(f64::MIN_POSITIVE))
        };
        self.parts.iter().map(part).sum()
    }

    /// The value below which a share `u` lies, by bisection until its digits end.
    pub fn quantile(&self, u: f64) -> f64 {
        let ends = |sign: f64| self.parts.iter().map(move |(_, part)| part.mean + sign * REACH * part.sd);
        let mut low = ends(-1.0).fold(f64::INFINITY, f64::min);
        let mut high = ends(1.0).fold(f64::NEG_INFINITY, f64::max);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if self.below(middle) < u {
                low = middle;
            } else {
                high = middle;
            }
        }
        0.5 * (low + high)
    }

    /// The central interval that holds a share of the values.
    pub fn interval(&self, share: f64) -> [f64; 2] {
        [self.quantile(0.5 * (1.0 - share)), self.quantile(0.5 * (1.0 + share))]
    }

    /// How far from the middle a value lies: the share of the smallest central interval that holds it.
    pub fn depth(&self, x: f64) -> f64 {
        (2.0 * self.below(x) - 1.0).abs()
    }
}

/// The share of central intervals that hold 90 % of new values, from the depths of values that were left out (split conformal prediction: the ⌈0.9 (n + 1)⌉-th of
/// them; Vovk, Gammerman & Shafer, Algorithmic Learning in a Random World, 2005).
pub(crate) fn calibrated(mut depths: Vec<f64>) -> f64 {
    const MOST: f64 = 1.0 - 1e-9;
    depths.sort_by(f64::total_cmp);
    let rank = (0.9 * (depths.len() as f64 + 1.0)).ceil() as usize;
    depths.get(rank.saturating_sub(1)).or(depths.last()).map_or(0.9, |depth| depth.min(MOST))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn belief(mean: f64, sd: f64) -> Belief {
        Belief { mean, sd, unknown: 0.0 }
    }

    /// 95 % of one normal distribution lie within 1.959964 of its standard deviations (tables).
    #[test]
    fn one_part_is_a_normal_distribution() {
        let one = Mixture::one(belief(2.0, 0.5));
        let [low, high] = one.interval(0.95);
        assert!((low - (2.0 - 0.5 * 1.959_963_985)).abs() < 1e-7);
        assert!((high - (2.0 + 0.5 * 1.959_963_985)).abs() < 1e-7);
        assert!((one.depth(high) - 0.95).abs() < 1e-7);
    }

    /// Two narrow parts: an interval of 90 % holds both where each has more than 5 %, and one of them where the other has less.
    #[test]
    fn two_parts_are_both_held() {
        let two = |share| Mixture::two([belief(0.2, 0.01), belief(1.0, 0.01)], share);
        let wide = two(0.3).interval(0.9);
        assert!(wide[0] < 0.2 && wide[1] > 0.99, "{wide:?}");
        let narrow = two(0.01).interval(0.9);
        assert!(narrow[0] > 0.15 && narrow[1] < 0.25, "{narrow:?}");
        assert!((two(0.25).mean() - 0.4).abs() < 1e-12);
        let pooled = Mixture::pooled(vec![two(0.0), two(1.0)]);
        assert!((pooled.below(0.6) - 0.5).abs() < 1e-12);
    }

    /// Of 19 depths the 18th (0.9·20) is taken.
    #[test]
    fn the_rank_is_that_of_the_theorem() {
        let depths: Vec<f64> = (1..=19).rev().map(|i| f64::from(i) / 20.0).collect();
        assert_eq!(calibrated(depths), 0.9);
        assert_eq!(calibrated(vec![0.3]), 0.3);
        assert_eq!(calibrated(Vec::new()), 0.9);
    }
}
