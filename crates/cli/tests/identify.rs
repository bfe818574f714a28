//! `touchdown identify`: the paper's numbers from its data, and every kind of bad data refused with its row.

mod common;

use common::{json, temporary, touchdown};
use std::path::Path;

const STUDIES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../studies/feet");

fn quantity(dir: &Path, name: &str) -> f64 {
    json(dir, "summary.json")["quantities"][name]["value"].as_f64().unwrap_or(f64::NAN)
}

fn identify(dir: &Path, study: &str, more: &[&str]) -> (i32, String, String) {
    let mut args = vec!["identify", study, "--out", "out"];
    args.extend(more);
    let ended = touchdown(dir, &args);
    (ended.code, ended.stdout, ended.stderr)
}

/// Group 1 of the test bed: 11 945 N/m and 52.99 N on the printed averages, nearly the same on the single rows.
#[test]
fn the_spring_of_the_test_foot() {
    let dir = temporary();
    let study = format!("{STUDIES}/group-1.toml");
    let (code, stdout, stderr) = identify(dir.path(), &study, &[]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("weight") && stdout.contains("correlation"), "{stdout}");
    let out = dir.path().join("out");
    assert!((quantity(&out, "k") - 11_945.0).abs() < 0.5 && (quantity(&out, "weight") - 52.99).abs() < 0.005);
    assert!(quantity(&out, "k_ci95_low") < 11_945.0 && quantity(&out, "k_ci95_high") > 11_945.0);
    for file in ["fit.csv", "figures/force-fit.svg", "figures/force-residual.png"] {
        assert!(out.join(file).exists(), "{file}");
    }
    let rows = format!("{STUDIES}/foot_group1_steady.csv");
    assert_eq!(identify(dir.path(), &study, &["--data", &rows]).0, 0);
    assert!(
        (quantity(&out, "k") - 11_945.62).abs() < 0.01 && (quantity(&out, "weight") - 52.9575).abs() < 1e-4
    );
}

/// b, p and q of the paper's simulation: to 1e-6 from exact forces that another program computed, within the intervals from noisy ones.
#[test]
fn the_damping_of_a_foot() {
    let dir = temporary();
    let (study, out) = (format!("{STUDIES}/drop.toml"), dir.path().join("out"));
    let truth = [("b", 500.0), ("p", 0.3), ("q", 1.1)];
    let exact = format!("{STUDIES}/force_exact.csv");
    let (code, _, stderr) = identify(dir.path(), &study, &["--data", &exact, "--quiet"]);
    assert_eq!(code, 0, "{stderr}");
    for (name, value) in truth {
        assert!((quantity(&out, name) / value - 1.0).abs() < 1e-6, "{name} {}", quantity(&out, name));
    }
    assert_eq!(identify(dir.path(), &study, &[]).0, 0);
    for (name, value) in truth {
        let [low, high] = ["low", "high"].map(|end| quantity(&out, &format!("{name}_ci95_{end}")));
        assert!(low < value && value < high, "{name} {low} {high}");
    }
    assert!((quantity(&out, "noise_force") / (10.0 / 3f64.sqrt()) - 1.0).abs() < 0.2);
    assert!(quantity(&out, "hold_out_rms_force") < 0.02);
}

/// Any scenario can be the model, any recorded column the data: the damping of a bouncing ball from its height.
#[test]
fn a_parameter_of_a_scenario() {
    let dir = temporary();
    let run = ["run", "ball-in-bowl", "--out", "recorded", "--no-report", "-q", "--set", "duration_s=1.2"];
    common::good(dir.path(), &run);
    let manifest = json(&dir.path().join("recorded"), "manifest.json");
    let columns = manifest["columns"].as_array().expect("columns");
    let height =
        columns.iter().filter_map(|c| c["name"].as_str()).find(|n| n.ends_with(".z_m")).expect("a height");
    let study = format!(
        "data = \"recorded\"\n[columns]\ntime = \"time_s\"\n\"{height}\" = \"{height}\"\n[model]\nkind = \"scenario\"\nscenario = \"ball-in-bowl\"\n\
         set = [\"duration_s=1.2\"]\n[free]\ndamping_n_s_per_m = {{ start = 20, min = 5, max = 100 }}\n"
    );
    std::fs::write(dir.path().join("study.toml"), study).expect("room on disk");
    let (code, stdout, stderr) = identify(dir.path(), "study.toml", &[]);
    assert_eq!(code, 0, "{stdout}{stderr}");
    let found = quantity(&dir.path().join("out"), "damping_n_s_per_m");
    assert!((found / 30.0 - 1.0).abs() < 1e-6, "{found}");
}

/// Bad data end with 2, name the row, and leave nothing behind.
#[test]
fn bad_data_are_refused_with_their_row() {
    let dir = temporary();
    let study = format!("{STUDIES}/drop.toml");
    let row = |i: usize| format!("{},{}", i as f64 * 0.02, 100.0 + i as f64);
    let good: Vec<String> = (0..30).map(row).collect();
    let with = |change: &dyn Fn(&mut Vec<String>)| {
        let mut rows = good.clone();
        change(&mut rows);
        format!("time_s,force_N\n{}\n", rows.join("\n"))
    };
    let cases = [
        (good.join("\n"), "no column"),
        (with(&|r| r[6] = "0.12,NaN".into()), "row 7 (line 8)"),
        (with(&|r| r[6] = "0.12,".into()), "row 7 (line 8)"),
        (with(&|r| r[6] = "0.12,0.106 kN".into()), "row 7 (line 8)"),
        (
            with(&|r| (15..30).for_each(|i| r[i] = format!("{},{}", i as f64 * 0.02, 0.1 + 1e-3 * i as f64))),
            "row 16 (line 17)",
        ),
        (
            with(&|r| {
                r.iter_mut().for_each(|row| *row = format!("{},5", row.split_once(',').expect("two cells").0))
            }),
            "constant",
        ),
        (with(&|r| r.truncate(3)), "too few"),
        (with(&|r| r.swap(10, 11)), "row 12 (line 13)"),
        ("time_s,force_N\n".into(), "no rows"),
        (String::new(), "no rows"),
    ];
    for (text, said) in cases {
        std::fs::write(dir.path().join("bad.csv"), &text).expect("room on disk");
        let (code, _, stderr) = identify(dir.path(), &study, &["--data", "bad.csv"]);
        assert!(code == 2 && stderr.contains(said), "{code} {stderr}\nexpected: {said}");
        assert!(!dir.path().join("out").exists());
    }
    assert_eq!(identify(dir.path(), "missing.toml", &[]).0, 2);
    std::fs::write(
        dir.path().join("bad.toml"),
        "data = \"x.csv\"\n[columns]\n[model]\nkind = \"jump\"\n[free]\n",
    )
    .expect("room on disk");
    let (code, _, stderr) = identify(dir.path(), "bad.toml", &[]);
    assert!(code == 2 && stderr.contains("jump"), "{stderr}");
}
