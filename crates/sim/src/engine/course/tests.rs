//! The stage logic as a state machine.

mod in_loop;
mod traverse;

use super::*;
use touchdown_math::Vec3;

const ROW: f64 = 0.1;

fn study(slopes: &[f64]) -> Gradability {
    Gradability {
        vehicle: 0,
        slopes: slopes.iter().map(|s| s.to_radians()).collect(),
        distance: 1.0,
        slip_limit: 0.8,
        time_limit: 60.0,
        turn_time: 2.0,
        traverse: None,
    }
}

fn course(study: &Gradability) -> Course {
    Course::new(Turn::first(&(Vec3::z() * -3.71), &Vec3::x(), study.slopes[0], study.turn_time), study)
}

/// Drives with wheels at 0.1 m/s and a slip that depends on the slope (deg) until the study is over; returns
/// the time of the end.
fn drive(study: &Gradability, course: &mut Course, slip: impl Fn(f64) -> f64) -> f64 {
    let (mut climbed, mut rolled) = (0.0, 0.0);
    for row in 0..10_000 {
        let t = ROW * f64::from(row);
        let slip = slip(course.turn.slope(t).0.to_degrees());
        if row > 0 {
            climbed += 0.1 * ROW * (1.0 - slip);
            rolled += 0.1 * ROW;
        }
        course.advance(
            study,
            Mark { t, climbed, rolled, slip, sinkage: 0.02, power: 5.0, ..Mark::default() },
            t,
        );
        if course.is_over() {
            return t;
        }
    }
    panic!("the study never ends");
}

fn value(list: &[NamedValue], name: &str) -> f64 {
    list.iter().find(|v| v.name == name).unwrap_or_else(|| panic!("{name} in {list:?}")).value
}

#[test]
fn the_steepest_slope_climbed_is_the_answer() {
    // Slip = slope/25°: 5, 10, 15° are climbed with 0.2, 0.4, 0.6; 20° slips 0.8 and is given up after 5 s;
    // 25° is not tried.
    let study = study(&[5.0, 10.0, 15.0, 20.0, 25.0]);
    let mut course = course(&study);
    let end = drive(&study, &mut course, |slope| slope / 25.0);
    let answers = course.quantities(&study);
    assert!((value(&answers, "gradability_deg") - 15.0).abs() < 1e-12);
    for (k, (climbed, slip)) in [(1.0, 0.2), (1.0, 0.4), (1.0, 0.6), (0.0, 0.8)].iter().enumerate() {
        assert_eq!(value(&answers, &format!("slope_{}_climbed", k + 1)), *climbed);
        // Sums of some hundred rows: round-off.
        assert!((value(&answers, &format!("slope_{}_slip", k + 1)) - slip).abs() < 1e-12);
        assert!((value(&answers, &format!("slope_{}_sinkage_m", k + 1)) - 0.02).abs() < 1e-14);
        assert!((value(&answers, &format!("slope_{}_power_w", k + 1)) - 5.0).abs() < 1e-12);
    }
    assert!((value(&answers, "slope_5_deg") - 25.0).abs() < 1e-12);
    assert!(value(&answers, "slope_5_climbed").is_nan() && value(&answers, "slope_5_slip").is_nan());
    assert_eq!(course.warning(&study), None);
    // Four turns of 2 s; 1 m at 0.08, 0.06, 0.04 m/s; 5 s of patience. Each stage may begin and end a row
    // late.
    let expected = 4.0 * 2.0 + 12.5 + 1.0 / 0.06 + 25.0 + 5.0;
    assert!(end >= expected - 1e-6 && end <= expected + 8.0 * ROW + 1e-6, "{end} {expected}");
}

#[test]
fn all_slopes_climbed_ends_the_study() {
    // The last one climbed is the answer; a slope below an earlier one does not lower it.
    let study = study(&[10.0, 20.0, 5.0]);
    let mut course = course(&study);
    drive(&study, &mut course, |_| 0.1);
    assert!((value(&course.quantities(&study), "gradability_deg") - 20.0).abs() < 1e-12);
}

#[test]
fn too_slow_is_not_climbed() {
    // Slip 0.7 is allowed, but 1 m at 0.03 m/s takes 33 s, and there are 20.
    let study = Gradability { time_limit: 20.0, ..study(&[10.0, 20.0]) };
    let mut course = course(&study);
    let end = drive(&study, &mut course, |_| 0.7);
    assert_eq!(value(&course.quantities(&study), "gradability_deg"), 0.0);
    assert!((end - 22.0).abs() < ROW + 1e-6, "{end}");
}

#[test]
fn slip_during_a_turn_and_for_less_than_the_patience_is_forgiven() {
    // Digging in while gravity turns, and 4 s of digging in at the begin of each slope, do not decide; the
    // mean does.
    let study = study(&[10.0]);
    let mut machine = course(&study);
    let (mut climbed, mut rolled) = (0.0, 0.0);
    for row in 0..400 {
        let t = ROW * f64::from(row);
        let slip = if t < 6.0 { 0.95 } else { 0.0 };
        climbed += 0.1 * ROW * (1.0 - slip);
        rolled += 0.1 * ROW;
        machine.advance(&study, Mark { t, climbed, rolled, slip, ..Mark::default() }, t);
    }
    let answers = machine.quantities(&study);
    assert_eq!(value(&answers, "slope_1_climbed"), 1.0);
    // 4 s at slip 0.95 gain 0.02 m of 0.4 m rolled; the other 0.98 m roll as far as they gain, one row more
    // or less.
    assert!((value(&answers, "slope_1_slip") - (1.0 - 1.0 / 1.38)).abs() < 0.02);
}

#[test]
fn a_vehicle_pulled_up_with_spinning_wheels_has_not_climbed() {
    // The distance is gained, but with a mean slip above the limit in bursts shorter than the patience.
    let study = Gradability { distance: 0.2, ..study(&[10.0]) };
    let mut machine = course(&study);
    let (mut climbed, mut rolled) = (0.0, 0.0);
    for row in 0..400 {
        let t = ROW * f64::from(row);
        climbed += 0.1 * ROW * 0.1;
        rolled += 0.1 * ROW;
        // The last second reports less now and then.
        let slip = if row % 40 == 0 { 0.5 } else { 0.9 };
        machine.advance(&study, Mark { t, climbed, rolled, slip, ..Mark::default() }, t);
    }
    assert!(machine.is_over());
    let answers = machine.quantities(&study);
    assert_eq!(value(&answers, "slope_1_climbed"), 0.0);
    assert!((value(&answers, "slope_1_slip") - 0.9).abs() < 1e-9);
}

#[test]
fn an_undecided_slope_is_named() {
    // A run that ends on the second slope reports it. The answer has no value: 0 would mean that no slope can
    // be climbed.
    let study = study(&[5.0, 10.0]);
    let mut machine = course(&study);
    let warning = machine.warning(&study).expect("nothing is decided");
    assert!(warning.contains("slope 1 of 2") && warning.contains("no slope was climbed"), "{warning}");
    assert!(value(&machine.quantities(&study), "gradability_deg").is_nan());
    machine.advance(&study, Mark { t: 2.0, ..Mark::default() }, 2.0);
    machine.advance(&study, Mark { t: 12.0, climbed: 1.0, rolled: 1.0, ..Mark::default() }, 12.0);
    let warning = machine.warning(&study).expect("one slope is left");
    assert!(warning.contains("slope 2 of 2") && warning.contains("10.00"), "{warning}");
    assert!(warning.starts_with("quantity \"gradability_deg\" has no value: "), "{warning}");
    assert!(warning.ends_with("the steepest climbed until then has 5.00 deg"), "{warning}");
    let answers = machine.quantities(&study);
    assert!(value(&answers, "gradability_deg").is_nan());
    assert_eq!(value(&answers, "slope_1_climbed"), 1.0);
}

#[test]
fn a_course_goes_on_from_a_checkpoint_with_the_same_bits() {
    // As bytes and back at any row.
    let study = study(&[5.0, 12.0, 21.0]);
    let (mut straight, mut resumed) = (course(&study), course(&study));
    let mut climbed = 0.0;
    for row in 0..800 {
        let t = ROW * f64::from(row);
        let slip = straight.turn.slope(t).0.to_degrees() / 25.0;
        climbed += 0.01 * (1.0 - slip);
        let at = Mark {
            t,
            climbed,
            rolled: 0.1 * t,
            slip,
            sinkage: 0.01 * slip,
            power: 3.0 + slip,
            ..Mark::default()
        };
        straight.advance(&study, at, t + 0.03);
        resumed.advance(&study, at, t + 0.03);
        let bytes = postcard::to_stdvec(&resumed).expect("plain data");
        resumed = postcard::from_bytes(&bytes).expect("the same data");
    }
    assert_eq!(straight, resumed);
    assert!(straight.is_over());
}
