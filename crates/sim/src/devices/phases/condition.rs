//! Compiled conditions: true, false, or unknown while a reading is missing (Kleene's logic, so that `not` of
//! a missing reading is not true).

use super::super::Bus;
use super::super::bus::Port;
use crate::description::Relation;

/// A condition whose readings are found.
#[derive(Clone, Debug)]
pub(super) enum Compiled {
    Compare(Reading, bool, Relation, f64),
    All(Vec<Compiled>),
    Any(Vec<Compiled>),
    Not(Box<Compiled>),
    /// The condition, its duration, and the index of the stored beginning.
    Held(Box<Compiled>, f64, usize),
    After(f64),
}

/// The compared value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reading {
    /// Place among the sampled columns.
    Sample(usize),
    Signal(Port),
}

/// Context of the evaluation of a condition.
pub(super) struct Looking<'a> {
    pub t: f64,
    /// When the phase began.
    pub since: f64,
    pub samples: &'a [f64],
    pub bus: &'a Bus,
}

/// Ticks are rounded times: a duration counts as passed this much early.
const EARLY: f64 = 1e-9;

impl Compiled {
    /// Whether it holds. Every part is evaluated, so that durations are counted in each.
    pub fn holds(&self, at: &Looking, held: &mut [Option<f64>]) -> Option<bool> {
        match self {
            Compiled::Compare(reading, magnitude, relation, value) => {
                let read = match reading {
                    Reading::Sample(slot) => Some(at.samples[*slot]),
                    Reading::Signal(port) => at.bus.get(*port),
                };
                let read = read.filter(|x| !x.is_nan())?;
                Some(relation.holds(if *magnitude { read.abs() } else { read }, *value))
            }
            Compiled::All(parts) => all(parts, |part| part.holds(at, held)),
            Compiled::Any(parts) => not(all(parts, |part| not(part.holds(at, held)))),
            Compiled::Not(part) => not(part.holds(at, held)),
            Compiled::Held(part, duration, slot) => {
                let now = part.holds(at, held)?;
                if !now {
                    held[*slot] = None;
                    return Some(false);
                }
                let since = *held[*slot].get_or_insert(at.t);
                Some(at.t - since >= duration - EARLY)
            }
            Compiled::After(duration) => Some(at.t - at.since >= duration - EARLY),
        }
    }
}

/// Whether a predicate holds for all parts; all are evaluated.
fn all(parts: &[Compiled], mut holds: impl FnMut(&Compiled) -> Option<bool>) -> Option<bool> {
    let mut all = Some(true);
    for part in parts {
        all = and(all, holds(part));
    }
    all
}

fn not(a: Option<bool>) -> Option<bool> {
    a.map(|a| !a)
}

fn and(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at<'a>(t: f64, samples: &'a [f64], bus: &'a Bus) -> Looking<'a> {
        Looking { t, since: 1.0, samples, bus }
    }

    fn above(slot: usize, value: f64) -> Compiled {
        Compiled::Compare(Reading::Sample(slot), false, Relation::Greater, value)
    }

    /// A missing reading decides nothing, unless the rest is sufficient.
    #[test]
    fn missing_readings_decide_nothing() {
        let bus = Bus::new(vec![None]);
        let missing = Compiled::Compare(Reading::Signal(Port(0)), false, Relation::Less, 1.0);
        let held = &mut [];
        for (condition, wanted) in [
            (missing.clone(), None),
            (Compiled::Not(Box::new(missing.clone())), None),
            (Compiled::All(vec![missing.clone(), above(0, 5.0)]), Some(false)),
            (Compiled::All(vec![missing.clone(), above(0, 1.0)]), None),
            (Compiled::Any(vec![missing.clone(), above(0, 1.0)]), Some(true)),
            (Compiled::Any(vec![missing, above(0, 5.0)]), None),
            (above(1, 0.0), None),
        ] {
            assert_eq!(condition.holds(&at(0.0, &[2.0, f64::NAN], &bus), held), wanted, "{condition:?}");
        }
    }

    /// A duration counts from the first look at which the condition holds, and again after every break; magnitudes compare without sign.
    #[test]
    fn durations_count_without_breaks() {
        let bus = Bus::new(vec![]);
        let magnitude = Compiled::Compare(Reading::Sample(0), true, Relation::AtLeast, 2.0);
        let condition = Compiled::Held(Box::new(magnitude), 0.3, 0);
        let mut held = [None];
        let values = [(0.0, 2.0), (0.2, -3.0), (0.3, -2.0), (0.4, 1.0), (0.5, 2.0), (0.7, 2.0), (0.8, 2.0)];
        let looks = values.map(|(t, x)| condition.holds(&at(t, &[x], &bus), &mut held) == Some(true));
        assert_eq!(looks, [false, false, true, false, false, false, true]);
        assert_eq!(Compiled::After(2.0).holds(&at(2.9, &[], &bus), &mut held), Some(false));
        assert_eq!(Compiled::After(2.0).holds(&at(3.0, &[], &bus), &mut held), Some(true));
    }
}
