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
    let score = |candidate: &Candidate| {
        let [low, high] = surrogate.slip_at(&candidate.place).distribution.interval(surrogate.slip_level());
        (high - low) * weight(candidate.slope_deg).max(0.0)
    };
    let scores: Vec<f64> = candidates.iter().map(score).collect();
    let mut apart = vec![1.0; candidates.len()];
    let mut chosen: Vec<usize> = Vec::with_capacity(count);
    for _ in 0..count.min(candidates.len()) {
        let left = (0..candidates.len()).filter(|k| !chosen.contains(k));
        let worth = |k: usize| scores[k] * apart[k];
        let best = left.reduce(|best, k| if worth(k) > worth(best) { k } else { best });
        let Some(best) = best else { break };
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
    use crate::surrogate::tests::{FRAME, cases, points};

    /// The rover of the tests is stuck from a = 0.4 on. The intervals where new cases go are wider than where they would go by chance, some of them lie on the boundary,
    /// none where the map has no area, and no two in one place.
    #[test]
    fn new_cases_go_where_the_answer_is_open() {
        let surrogate = Surrogate::draft(&cases(80, 0), FRAME, None).unwrap();
        let candidate = |u: Vec<f64>| Candidate { slope_deg: u[1], place: vec![2.0 * u[0] - 1.0, u[1]] };
        let candidates: Vec<Candidate> = points(300, 2, 4).into_iter().map(candidate).collect();
        let chosen = choose(&candidates, &surrogate, &|slope| f64::from(u8::from(slope < 0.5)), 12);
        let width = |k: usize| {
            let slip = surrogate.at(&candidates[k].place).slip;
            slip.high - slip.low
        };
        let by_chance = (0..300).map(width).sum::<f64>() / 300.0;
        let found = chosen.iter().map(|k| width(*k)).sum::<f64>() / 12.0;
        assert!(found > by_chance, "{found} {by_chance}");
        assert!(chosen.iter().any(|k| (candidates[*k].place[0] - 0.4).abs() < 0.1));
        assert!(chosen.iter().all(|k| candidates[*k].slope_deg < 0.5));
        let mut each = chosen.clone();
        each.sort_unstable();
        each.dedup();
        assert_eq!(each.len(), 12);
    }

    /// Without any area there are still as many cases as were asked for, each once.
    #[test]
    fn a_map_without_such_slopes_gets_its_cases_too() {
        let surrogate = Surrogate::draft(&cases(30, 0), FRAME, None).unwrap();
        let candidates = vec![Candidate { slope_deg: 1.0, place: vec![0.0, 0.0] }; 3];
        assert_eq!(choose(&candidates, &surrogate, &|_| 0.0, 5), [0, 1, 2]);
    }
}
