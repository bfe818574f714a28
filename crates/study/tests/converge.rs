//! Convergence studies in the loop: known orders are found, intervals contain the exact value, and settings that are too coarse or too short are flagged.

use touchdown_record::{Refinement, Stamp};
use touchdown_study::SubjectError;
use touchdown_study::converge::{ConvergeError, Options, converge};
use touchdown_study::run_case;

fn options(quantity: &str, levels: usize) -> Options {
    Options { quantity: Some(quantity.into()), levels, tolerance: None, threads: 2, version: "test".into() }
}

fn sets(list: &[&str]) -> Vec<String> {
    list.iter().map(|s| s.to_string()).collect()
}

fn study(scenario: &str, quantity: &str, list: &[&str], levels: usize) -> Stamp {
    converge(scenario, &sets(list), &options(quantity, levels), &|_| {}).unwrap_or_else(|e| panic!("{e}"))
}

fn refinement<'a>(stamp: &'a Stamp, what: &str) -> &'a Refinement {
    let found = stamp.refinements.iter().find(|r| r.what == what);
    found.unwrap_or_else(|| panic!("no {what} in {stamp:?}"))
}

/// `realtime` is of first order and a fixed `implicit` step of second: the study finds them on a swinging pendulum, and its
/// interval holds the answer of `explicit`, whose error is nine digits smaller.
#[test]
fn orders_of_the_methods_are_found_and_the_interval_holds_the_truth() {
    let short = "duration_s=0.8";
    let exact = run_case("pendulum", &sets(&[short]))
        .expect("built in")
        .value("angle_1_end_rad")
        .expect("its answer");
    for (method, order) in [("realtime", 1.0), ("implicit", 2.0)] {
        let name = format!("integrator.name={method}");
        let stamp = study("pendulum", "angle_1_end_rad", &[short, &name, "integrator.step=4 ms"], 5);
        let step = refinement(&stamp, "step");
        let found = step.order.unwrap_or_else(|| panic!("{step:?}"));
        // Steps of up to 16 ms on a period of 2.4 s: the next term of the error is a per cent or so.
        assert!((found - order).abs() < 0.1, "{method}: {step:?}");
        assert!((stamp.estimate - exact).abs() <= stamp.uncertainty, "{method}: {exact} {stamp:?}");
        assert!((stamp.value - exact).abs() > 10.0 * (stamp.estimate - exact).abs(), "{method}: {stamp:?}");
        assert_eq!(step.settings.len(), 5);
    }
}

/// A tolerance far below what is asked for is trusted, one of 10 % is not; the reason names the key.
#[test]
fn a_loose_tolerance_is_flagged() {
    let fine = study("pendulum", "x_end_m", &[], 4);
    assert!(fine.trusted && fine.uncertainty < 1e-6, "{fine:?}");
    let loose =
        study("pendulum", "x_end_m", &["integrator.tolerance=0.05", "integrator.absolute_tolerance=0.05"], 4);
    assert!(!loose.trusted && loose.verdict.contains("integrator.tolerance"), "{loose:?}");
}

/// A wheel of 150 mm on cells of 50 mm: the pull is off by several per cent, and the grid is what is wrong.
#[test]
fn a_coarse_grid_is_flagged() {
    let stamp = study(
        "single-wheel",
        "drawbar_pull_n",
        &["spacing_m=0.05", "step_s=0.004", "terrain.move_every=5"],
        3,
    );
    assert!(!stamp.trusted, "{stamp:?}");
    assert!(stamp.verdict.contains("The grid of 50 mm (terrain.spacing) is too coarse"), "{}", stamp.verdict);
    assert!(!stamp.verdict.contains("The domain"), "{}", stamp.verdict);
}

/// A pull near zero is judged against its load: at a slip of 0.4 in lunar soil the smooth wheel pulls with next to nothing, and a change of some newtons is 2 % of 200 N, not
/// several times the value.
#[test]
fn a_pull_near_zero_is_held_against_its_load() {
    let list = [
        "soil=lunar-nominal",
        "slip=0.4",
        "spacing_m=0.02",
        "step_s=0.002",
        "travel_m=0.9",
        "terrain.move_every=5",
    ];
    let stamp = study("single-wheel", "drawbar_pull_n", &list, 3);
    let scale = |name: &str| {
        let scenario = touchdown_scenario::load("single-wheel", &sets(&["load_n=120"])).expect("built in");
        scenario.description.quantities.iter().find(|q| q.name == name).expect("its answer").scale
    };
    assert_eq!((scale("drawbar_pull_n"), scale("torque_n_m")), (Some(120.0), Some(120.0 * 0.15)));
    assert_eq!(scale("sinkage_m"), None);
    let off = (stamp.value - stamp.estimate).abs() + stamp.uncertainty;
    println!("off by {off} N of a pull of {} N: {}", stamp.value, stamp.verdict);
    assert!(stamp.value.abs() < 0.2 * 200.0, "{stamp:?}");
    assert_eq!(stamp.trusted, off <= 0.02 * 200.0, "{stamp:?}");
}

/// A wheel that is measured before it has left its first footprint pulls differently from one that rolls steadily.
#[test]
fn a_short_run_in_is_flagged() {
    let list = ["run_in_m=0.1", "travel_m=0.25", "spacing_m=0.015", "step_s=0.004", "terrain.move_every=5"];
    let stamp = study("single-wheel", "drawbar_pull_n", &list, 3);
    assert!(!stamp.trusted, "{stamp:?}");
    assert!(stamp.verdict.contains("The domain is too small: rig.run_in of 0.1 m"), "{}", stamp.verdict);
}

/// Studies without time have what they have: a plate its grid, a tilt study its resolution.
#[test]
fn studies_without_time_are_refined_too() {
    let plate = study("plate-sinkage", "sinkage_m", &[], 3);
    assert_eq!(plate.refinements.iter().map(|r| r.what.as_str()).collect::<Vec<_>>(), ["grid"]);
    let tilt = study("rover-tilt", "lift_angle_min_deg", &["study.directions=4"], 3);
    assert_eq!(refinement(&tilt, "step").key, "study.resolution");
}

/// One thread and three give the same stamp to the last bit.
#[test]
fn threads_do_not_change_a_stamp() {
    let made = |threads: usize| {
        let options = Options { threads, ..options("angle_1_end_rad", 3) };
        converge("pendulum", &sets(&["integrator.name=realtime"]), &options, &|_| {}).expect("it runs")
    };
    assert_eq!(made(1), made(3));
}

/// A name that nothing has is reported with its nearest, before anything runs; one that the run is too short for says that.
#[test]
fn unknown_quantities_are_reported() {
    let ask = |scenario: &str, quantity: &str, list: &[&str]| {
        let error =
            converge(scenario, &sets(list), &options(quantity, 3), &|_| {}).expect_err("no such quantity");
        match error {
            ConvergeError::Subject(SubjectError::NoQuantity { hint, .. }) => hint,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(ask("rover-drawbar-pull", "drawbar_pul_max_n", &[]), "did you mean drawbar_pull_max_n?");
    assert_eq!(ask("plate-sinkage", "sinkage", &[]), "did you mean sinkage_m?");
    assert!(ask("single-wheel", "drawbar_pull_n", &["duration_s=5"]).contains("the run ends at 5 s"));
}
