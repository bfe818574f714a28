//! The rules themselves; in the loop they are checked with scenarios.

use super::*;

#[test]
fn the_worst_of_several_counts_and_is_named() {
    // Too large is worst for an upper limit, too small for a lower one, and what is not a number for both.
    let values = [("left", 2.0), ("right", 3.0)];
    let upper = at_most("a", 2.5, "1", "why").worst(values.into_iter()).expect("there are values");
    assert_eq!((upper.value, upper.holds()), (3.0, false));
    assert!(upper.about.ends_with("worst: right"));
    let lower = at_least("a", 2.5, "1", "why").worst(values.into_iter()).expect("there are values");
    assert_eq!((lower.value, lower.holds()), (2.0, false));
    let broken = [("left", 2.0), ("right", f64::NAN), ("third", 9.0)];
    for rule in [at_most("a", 2.5, "1", "why"), at_least("a", 2.5, "1", "why")] {
        let check = rule.worst(broken.into_iter()).expect("there are values");
        assert!(check.value.is_nan() && !check.holds());
    }
    assert!(at_most("a", 2.5, "1", "why").worst(std::iter::empty()).is_none());
}

#[test]
fn only_broken_checks_warn() {
    // One line for each check on the wrong side, with value, limit and reason; tyres have a warning of their own with its time.
    let rule = at_least("cells_per_radius", 10.0, "1", "too coarse");
    let tyre = at_most("tyre_camber_deg", 45.0, "deg", "range");
    let lines: Vec<String> = warnings(&[rule.check(12.0), rule.check(3.0), tyre.check(60.0)]).collect();
    assert_eq!(lines, ["validity: cells_per_radius = 3.0000 is below its limit 10: too coarse"]);
}
