//! The built-in scenarios: each reads, and what it becomes is what its paper says.

use std::path::Path;
use touchdown_scenario::{EntryKind, catalogue, load, load_str};
use touchdown_sim::Simulation;

/// Every built-in scenario reads without a mistake, and its resolved form reads back to the same description.
#[test]
fn built_in_scenarios_read_and_resolve() {
    for entry in catalogue().iter().filter(|e| e.kind == EntryKind::Scenario) {
        let scenario = load(&entry.name, &[]).unwrap_or_else(|e| panic!("{}:\n{e}", entry.name));
        assert!(!scenario.title.is_empty());
        let again = load_str("resolved.toml", &scenario.resolved_toml, Path::new("."), &[])
            .unwrap_or_else(|e| panic!("{} resolved:\n{e}\n{}", entry.name, scenario.resolved_toml));
        assert_eq!(
            format!("{:?}", scenario.description),
            format!("{:?}", again.description),
            "{}",
            entry.name
        );
        assert_eq!(scenario.report, again.report, "{}", entry.name);
    }
}

/// Every built-in scenario compiles into a world, and all its quantities and figures name columns that the world writes.
#[test]
fn built_in_scenarios_name_existing_columns() {
    for entry in catalogue().iter().filter(|e| e.kind == EntryKind::Scenario) {
        let scenario = load(&entry.name, &[]).unwrap();
        let world =
            Simulation::build(&scenario.description).unwrap_or_else(|e| panic!("{}: {e:?}", entry.name));
        scenario.check_columns(world.columns()).unwrap_or_else(|e| panic!("{e}"));
        let figures = scenario.figures(world.columns());
        assert_eq!((figures.drawn.len(), figures.left_out.len()), (scenario.report.figures.len(), 0));
        assert!(!figures.drawn.is_empty(), "{} has no figure", entry.name);
    }
}

/// Every knob takes back what it shows: plain numbers are in the unit that its name ends with.
#[test]
fn knobs_take_back_what_they_show() {
    for entry in catalogue().iter().filter(|e| e.kind == EntryKind::Scenario) {
        let scenario = load(&entry.name, &[]).unwrap();
        for knob in scenario.parameters.iter().filter(|knob| knob.value.parse::<f64>().is_ok()) {
            let set = format!("{}={}", knob.name, knob.value);
            let again = load(&entry.name, std::slice::from_ref(&set))
                .unwrap_or_else(|e| panic!("{} {set}:\n{e}", entry.name));
            let shown =
                again.parameters.iter().find(|other| other.name == knob.name).map(|k| k.value.clone());
            assert_eq!(shown.as_ref(), Some(&knob.value), "{} {set}", entry.name);
        }
    }
}

/// Nothing is changed where nothing is set: also a knob whose key the file leaves out has its default as its value, in words where it has no number.
#[test]
fn knobs_that_nothing_sets_have_their_defaults() {
    let mut in_words = 0;
    for entry in catalogue().iter().filter(|e| e.kind == EntryKind::Scenario) {
        for knob in load(&entry.name, &[]).unwrap().parameters {
            assert_eq!(knob.value, knob.default, "{} {}", entry.name, knob.name);
            in_words += usize::from(knob.value == "the soil's own");
        }
    }
    assert!(in_words > 0);
    let set = load("rover-drawbar-pull", &["friction_angle_deg=30".to_string()]).unwrap();
    let knob = set.parameters.iter().find(|knob| knob.name == "friction_angle_deg").unwrap();
    assert_eq!((knob.value.as_str(), knob.default.as_str()), ("30.0", "the soil's own"));
}
