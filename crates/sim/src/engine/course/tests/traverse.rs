//! A slope at a heading.

use super::*;
use crate::description::Traverse;

fn traverse(heading_deg: f64) -> Gradability {
    let traverse = Traverse { heading: heading_deg.to_radians(), stuck_over: 0.5 };
    Gradability { traverse: Some(traverse), ..study(&[10.0]) }
}

/// Drives on a straight track with wheels at 0.1 m/s; `motion(t)` is the speed ahead and to the right, m/s.
fn run(study: &Gradability, lean: f64, motion: impl Fn(f64) -> [f64; 2]) -> (Vec<NamedValue>, f64) {
    let mut course = course(study);
    let mut at = Mark { sinkage: 0.02, power: 5.0, ..Mark::default() };
    for row in 0..10_000 {
        at.t = ROW * f64::from(row);
        if row > 0 {
            let [ahead, right] = motion(at.t);
            (at.climbed, at.aside, at.rolled) =
                (at.climbed + ROW * ahead, at.aside + ROW * right, at.rolled + ROW * 0.1);
        }
        at.lean = if at.t > 5.0 { lean } else { 0.0 };
        course.advance(study, at, at.t);
        if course.is_over() {
            return (course.quantities(study), at.t);
        }
    }
    panic!("the study never ends");
}

/// 0.06 m/s ahead and 0.03 m/s to the right with rims at 0.1 m/s and 5 W: slip 0.4, drift atan(1/2), 5 W/0.0671 m/s = 74.5 J/m.
#[test]
fn a_track_has_slip_drift_and_energy() {
    let study = traverse(90.0);
    let (answers, _) = run(&study, 0.2, |_| [0.06, 0.03]);
    let expected = [
        ("slip", 0.4),
        ("drift_deg", 0.5f64.atan().to_degrees()),
        ("energy_j_per_m", 5.0 / 0.06f64.hypot(0.03)),
        ("sinkage_m", 0.02),
        ("stuck", 0.0),
        ("tipped", 0.0),
    ];
    for (name, wanted) in expected {
        // Sums of two hundred rows: round-off.
        assert!((value(&answers, name) - wanted).abs() < 1e-9, "{name}: {}", value(&answers, name));
    }
}

/// Slip of 0.2 for 4 s of the slope, then of 0.9: the mean over the last 0.5 m rolled (5 s) is 0.8 when (0.8 − 0.2)/(0.9 − 0.2) of them slip by 0.9, after 4.29 s.
#[test]
fn stuck_is_decided_over_the_distance_rolled() {
    let study = traverse(0.0);
    let begin = 6.0;
    let (answers, end) = run(&study, 0.2, |t| if t <= begin { [0.08, 0.0] } else { [0.01, 0.0] });
    assert_eq!((value(&answers, "stuck"), value(&answers, "drift_deg")), (1.0, 0.0));
    let expected = begin + 5.0 * 0.6 / 0.7;
    // A row, and a window that is longer by a mark at most.
    assert!((end - expected).abs() < 2.0 * ROW, "{end} {expected}");
}

/// On the spot there is no track to speak of; neither a direction nor an energy for it.
#[test]
fn a_vehicle_on_the_spot_has_no_drift() {
    let (answers, _) = run(&traverse(0.0), 0.2, |_| [0.001, 0.0]);
    assert_eq!(value(&answers, "stuck"), 1.0);
    assert!(value(&answers, "drift_deg").is_nan() && value(&answers, "energy_j_per_m").is_nan());
}

#[test]
fn a_vehicle_that_leans_too_far_has_tipped() {
    let (answers, end) = run(&traverse(90.0), 1.3, |_| [0.08, 0.0]);
    assert_eq!((value(&answers, "tipped"), value(&answers, "stuck")), (1.0, 0.0));
    assert!(end < 5.0 + 2.5 * ROW, "{end}");
}
