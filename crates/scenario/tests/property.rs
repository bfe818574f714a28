//! No input makes the reader panic: arbitrary texts, arbitrary TOML of known keys, arbitrary settings.

use proptest::prelude::*;
use std::path::Path;
use touchdown_scenario::{load, load_str};

/// Words that a scenario is made of, in any order.
fn word() -> impl Strategy<Value = String> {
    let words = [
        "title",
        "duration",
        "duration_s",
        "gravity",
        "body",
        "joint",
        "chain",
        "machine",
        "a",
        "b",
        "use",
        "urdf",
        "place",
        "mass_kg",
        "inertia_kg_m2",
        "point_mass",
        "type",
        "parent",
        "child",
        "axis",
        "links",
        "length",
        "position",
        "locks",
        "drive",
        "joints",
        "torque",
        "spring",
        "between",
        "parameters",
        "path",
        "quantity",
        "column",
        "study",
        "kind",
    ];
    prop::sample::select(words.to_vec()).prop_map(String::from)
}

fn value() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        any::<i64>().prop_map(|i| i.to_string()),
        any::<f64>().prop_map(|x| format!("{x:?}").replace("NaN", "nan")),
        any::<bool>().prop_map(|b| b.to_string()),
        prop::sample::select(vec![
            "\"1 m\"",
            "\"revolute\"",
            "\"free\"",
            "\"a\"",
            "\"world\"",
            "\"a:b\"",
            "\"3 deg\"",
            "\"*\"",
            "\"chain.a.links\""
        ])
        .prop_map(String::from),
        "[a-zA-Z0-9 /^*.:-]{0,12}".prop_map(|s| format!("\"{s}\"")),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|v| format!("[{}]", v.join(", "))),
            prop::collection::vec((word(), inner), 0..3).prop_map(|v| {
                let parts: Vec<String> = v.iter().map(|(k, v)| format!("{k} = {v}")).collect();
                format!("{{ {} }}", parts.join(", "))
            }),
        ]
    })
}

fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        (word(), value()).prop_map(|(k, v)| format!("{k} = {v}")),
        prop::collection::vec(word(), 1..4).prop_map(|w| format!("[{}]", w.join("."))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any text is read or refused.
    #[test]
    fn arbitrary_text(text in "\\PC{0,200}") {
        let _ = load_str("x.toml", &text, Path::new("."), &[]);
    }

    /// Any arrangement of known keys and odd values is read or refused, and refusals print.
    #[test]
    fn arbitrary_tables(lines in prop::collection::vec(line(), 0..12)) {
        if let Err(errors) = load_str("x.toml", &lines.join("\n"), Path::new("."), &[]) {
            prop_assert!(!errors.to_string().is_empty());
        }
    }

    /// Any setting is taken or refused.
    #[test]
    fn arbitrary_settings(name in "[a-z._]{0,20}", value in "\\PC{0,20}") {
        let _ = load("pendulum-chain", &[format!("{name}={value}"), format!("links={value}")]);
        let _ = load("pendulum", &[format!("{name}{value}")]);
    }

    /// Any robot description is read or refused.
    #[test]
    fn arbitrary_urdf(inner in "(<(link|joint|origin|mass|inertia|axis|limit|visual|geometry|mesh|/link|/joint) ?(name|xyz|type|value|lower)?=?[\"']?[a-z0-9 .-]{0,6}[\"']?/?>){0,8}") {
        let folder = std::env::temp_dir().join(format!("touchdown-urdf-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("r.urdf"), format!("<robot name=\"r\">{inner}</robot>")).unwrap();
        let text = "title = \"t\"\nduration = \"1 s\"\n[machine.m]\nurdf = \"r.urdf\"\n";
        let _ = load_str("x.toml", text, &folder, &[]);
    }
}
