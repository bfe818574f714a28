//! `--set`: a value in place of a table is refused in words that teach, and a setting that changes nothing is reported.

use touchdown_scenario::{EntryKind, catalogue, load};

fn set(name: &str, sets: &[&str]) -> Result<Vec<String>, String> {
    let sets: Vec<String> = sets.iter().map(|s| s.to_string()).collect();
    load(name, &sets).map(|scenario| scenario.warnings).map_err(|errors| errors.to_string())
}

/// No table can be replaced by a number: the message names its tables, its keys and the knobs that turn something in it.
#[test]
fn tables_are_not_replaced_by_numbers() {
    for entry in catalogue().iter().filter(|e| e.kind == EntryKind::Scenario && e.text.len() < 4_000) {
        for key in ["drive", "body", "wheel", "quantity", "machine", "record", "parameters"] {
            let text = set(&entry.name, &[&format!("{key}=3")]).expect_err(&entry.name);
            assert!(text.contains("found 3") && text.contains("KEY: "), "{}: {text}", entry.name);
        }
    }
    let text = set("pendulum-chain", &["chain=3"]).unwrap_err();
    assert!(text.contains("chain holds named tables") && text.contains("NAME: rods"), "{text}");
    assert!(
        text.contains("links, length, mass") && text.contains("knobs that turn a value of it: links"),
        "{text}"
    );
    let text = set("pendulum-chain", &["chain.rods=3"]).unwrap_err();
    assert!(text.contains("chain.rods is a table") && text.contains("chain.rods.KEY"), "{text}");
    let text = set("pendulum-chain", &["chain.rod.links=3"]).unwrap_err();
    assert!(text.contains("did you mean rods?"), "{text}");
    // A table in place of a table is a change like any other.
    assert!(set("pendulum-chain", &["record={ series_every = \"5 ms\" }"]).is_ok());
}

/// A setting that leaves its value as it was, or that a later one overrides, is reported; one that changes something is not.
#[test]
fn idle_settings_are_reported() {
    let idle = |sets: &[&str]| set("pendulum-chain", sets).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(idle(&["links=50"]), ["--set links=50 changes nothing: chain.rods.links is 50 without it"]);
    assert_eq!(
        idle(&["links=20", "links=30"]),
        ["--set links=20 changes nothing: --set links=30 comes after it"]
    );
    assert_eq!(idle(&["chain.rods.length=\"100 mm\""]).len(), 1);
    assert_eq!(idle(&["chain.rods.mass=\"100 g\"", "chain.rods.hinge=[0,0,2]"]).len(), 2);
    assert_eq!(idle(&["integrator=explicit"]).len(), 1);
    assert!(idle(&["links=51"]).is_empty() && idle(&["integrator=implicit"]).is_empty());
    assert!(idle(&["duration_s=3", "links=3"]).is_empty());
}
