//! Where the next cases go: where the interval of the slip is wide and the map has such slopes.

use crate::surrogate::Surrogate;

/// Lengths of the surrogate from which two new cases do not know of each other.
const APART: f64 = 0.5;

/// A place where a case could be made.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub slope_deg: f64,
    pub place: Vec<f64>,
}

/// The best candidates, one after the other: width of the interval times the weight of the slope, times the distance from the nearest that is chosen already, in lengths of
/// the surrogate and up to half a length: what a new case is about to say is not asked twice. Ties go to the first.
pub(crate) fn choose(
    candidates: &[Candidate],
    surrogate: &Surrogate,
    weight: &dyn Fn(f64) -> f64,
    count: usize,
) -> Vec<usize> {
    let level = surrogate.slip_level();
    let score = |candidate: &Candidate| {
        let [low, high] = surrogate.slip_at(&candidate.place).distribution.interval(level);
        (high - low) * weight(candidate.slope_deg).max(0.0)
    };
    let scores: Vec<f64> = candidates.iter().map(score).collect();
    let mut apart = vec![1.0; candidates.len()];
    let mut chosen = Vec::with_capacity(count);
    for _ in 0..count.min(candidates.len()) {
        let worth = |k: usize| scores[k] * apart[k];
        let best = (0..scores.len()).fold(0, |best, k| if worth(k) > worth(best) { k } else { best });
        chosen.push(best);
        for (k, candidate) in candidates.iter().enumerate() {
            let distance = surrogate.distance(&candidate.place, &candidates[best].place);
            apart[k] = (distance / APART).min(apart[k]);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surrogate::tests::{cases, points};

    /// The rover of the tests is stuck from a = 0.4 on: there the interval is wide. Of cases spread by chance a quarter would lie within 0.25 of it, of these
    /// twice as many do; none go where the map has no area.
    #[test]
    fn new_cases_go_where_the_answer_is_open() {
        let surrogate = Surrogate::fit(&cases(80, 0), true, None).unwrap();
        let candidate = |u: Vec<f64>| Candidate { slope_deg: u[1], place: vec![2.0 * u[0] - 1.0, u[1]] };
        let candidates: Vec<Candidate> = points(300, 2, 4).into_iter().map(candidate).collect();
        let chosen = choose(&candidates, &surrogate, &|slope| f64::from(u8::from(slope < 0.5)), 12);
        let near = chosen.iter().filter(|k| (candidates[**k].place[0] - 0.4).abs() < 0.25).count();
        assert!(near >= 6, "{near}");
        assert!(chosen.iter().all(|k| candidates[*k].slope_deg < 0.5));
        let mut each = chosen.clone();
        each.sort_unstable();
        each.dedup();
        assert_eq!(each.len(), 12);
    }
}
