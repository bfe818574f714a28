//! Sensitivity studies: known slopes are found, scatter adds like squares, and what cannot be moved is reported.

use touchdown_record::Sensitivity;
use touchdown_study::SubjectError;
use touchdown_study::sensitivity::{Options, Range, SensitivityError, sensitivity};

fn study(
    scenario: &str,
    sets: &[&str],
    quantity: &str,
    vary: &[(&str, &str, &str)],
) -> Result<Sensitivity, SensitivityError> {
    let range = |v: &(&str, &str, &str)| Range { key: v.0.into(), ends: [v.1.into(), v.2.into()] };
    let options = Options {
        quantity: Some(quantity.into()),
        ranges: vary.iter().map(range).collect(),
        threads: 2,
        version: "test".into(),
    };
    let sets: Vec<String> = sets.iter().map(|s| s.to_string()).collect();
    sensitivity(scenario, &sets, &options, &|_| {})
}

/// Bekker's plate under a load W sinks by z = (W/(A·K))^(1/n). With n = 1 depths are as the loads, to rounding, and the standard
/// deviation of a uniform load is half the difference over √3.
#[test]
fn the_slope_of_a_closed_form_is_found() {
    let own = ["soil=lunar-nominal"];
    let found =
        study("plate-sinkage", &own, "sinkage_m", &[("load_n", "900", "1100"), ("width_m", "0.1", "0.1")])
            .expect("it runs");
    let load = found.swings.iter().find(|s| s.input == "load_n").expect("the load");
    let [low, high] = load.values.map(|value| value.expect("a value"));
    assert!((high / low - 1100.0 / 900.0).abs() < 1e-12, "{low} {high}");
    assert!((load.deviation - (high - low) / 2.0 / 3f64.sqrt()).abs() < 1e-12);
    assert_eq!(found.swings[0].input, "load_n", "the largest comes first");
    assert!(found.verdict.contains("load_n moves it most"), "{}", found.verdict);
}

/// Without ranges the soil's own scatter is taken: five numbers, independent, adding like squares; a plate does not shear.
#[test]
fn the_scatter_of_the_soil_is_the_default() {
    let found = study("plate-sinkage", &["soil=lunar-nominal"], "sinkage_m", &[]).expect("it runs");
    assert_eq!(found.swings.len(), 5);
    let sum: f64 = found.swings.iter().map(|s| s.deviation.powi(2)).sum();
    assert!((found.together - sum.sqrt()).abs() < 1e-15);
    let shear = found.swings.iter().find(|s| s.input == "lunar-nominal: shear_length").expect("K");
    assert_eq!(shear.values, [Some(found.value); 2]);
    // Twenty per cent of the modulus: 1/(1 ± 0.2) of the depth, less the little of it that the cohesive modulus carries.
    let modulus =
        found.swings.iter().find(|s| s.input == "lunar-nominal: frictional_modulus").expect("k_phi");
    let [deep, shallow] = modulus.values.map(|v| v.expect("a value") / found.value);
    assert!((deep - 1.0 / 0.8).abs() < 0.02 && (shallow - 1.0 / 1.2).abs() < 0.02, "{deep} {shallow}");
}

/// Results do not depend on the number of threads; nothing to move and an unknown knob are reported, not run.
#[test]
fn what_cannot_be_moved_is_reported() {
    let nothing = study("pendulum", &[], "x_end_m", &[]).expect_err("no soil");
    assert!(matches!(nothing, SensitivityError::NothingToMove { .. }));
    let unknown = study("pendulum", &[], "x_end_m", &[("lenght_m", "0.9", "1.1")]).expect_err("no such knob");
    assert!(matches!(unknown, SensitivityError::Subject(SubjectError::Scenario(_))), "{unknown}");
    let quantity =
        study("pendulum", &[], "x_and_m", &[("length_m", "0.9", "1.1")]).expect_err("no such quantity");
    assert!(matches!(quantity, SensitivityError::Subject(SubjectError::NoQuantity { .. })), "{quantity}");
}
