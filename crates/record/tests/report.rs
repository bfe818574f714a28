//! The report: what stands in it, what a damaged folder leaves of it, and that no name can break out of it.

mod common;

use common::*;
use std::fs;
use std::path::Path;
use touchdown_record::report;
use touchdown_record::{
    Assumed, Figure, FigureKind, InputFile, Options, Phase, RecordError, Recorder, Refinement, ReportSpec,
    RunInfo, Scene, Stamp, Trace,
};
use touchdown_sim::sink::{Check, Column, NamedValue, Outcome};

const ROWS: u64 = 600;
/// Ends a script, opens an element that runs a script, closes an attribute; each alone would do harm.
const HOSTILE: &str = "</script><img src=x onerror=alert(1)>\"'`--><!--";

fn lines(title: &str, x: &str, traces: &[(&str, &str)]) -> Figure {
    Figure {
        name: "a-figure".into(),
        title: title.into(),
        source: "A paper, Fig. 3".into(),
        kind: FigureKind::Lines {
            x: x.into(),
            x_label: "time".into(),
            x_unit: "s".into(),
            x_scale: 1.0,
            y_label: "height".into(),
            y_unit: "mm".into(),
            y_scale: 1000.0,
            traces: traces
                .iter()
                .map(|(c, l)| Trace { column: c.to_string(), label: l.to_string() })
                .collect(),
        },
    }
}

fn spec() -> ReportSpec {
    ReportSpec {
        question: "How high?".into(),
        reproduces: "A paper & its figures".into(),
        answer: "distance_m".into(),
        figures: vec![lines("Height of the chassis", "time_s", &[("body.chassis.z_m", "chassis")])],
        phases: vec![Phase { label: "first half".into(), from: 0.0, to: 6.0 }],
    }
}

fn checked() -> Outcome {
    let check = |name: &str, value: f64| Check {
        name: name.into(),
        value,
        limit: 8.0,
        at_most: false,
        unit: "1".into(),
        about: "cells under a radius".into(),
    };
    Outcome {
        validity: vec![check("fine", 15.0), check("coarse", 3.0), check("lost", f64::NAN)],
        ..outcome(ROWS, true)
    }
}

fn record_run(dir: &Path, info: &RunInfo, columns: &[Column], scene: &Scene, outcome: &Outcome) {
    let mut recorder =
        Recorder::create(dir, info, columns, scene, &Options::default()).expect("a fresh folder");
    record(&mut recorder, 0, ROWS, 100).expect("room on disk");
    recorder.finish(outcome, 0.5).expect("merged");
}

/// A whole run with a report's worth of words.
fn run(dir: &Path) {
    record_run(dir, &RunInfo { report: spec(), ..info() }, &columns(), &scene(), &checked());
}

fn render(dir: &Path) -> (String, Vec<String>) {
    report::render(dir).expect("a report")
}

/// The JSON inside an element.
fn data(page: &str, id: &str) -> serde_json::Value {
    let opening = format!("<script type=\"application/json\" id=\"{id}\">");
    let from = page.find(&opening).expect("the element") + opening.len();
    let to = from + page[from..].find("</script>").expect("its end");
    serde_json::from_str(&page[from..to]).expect("JSON")
}

/// The page without what lies inside scripts and styles: what the parser sees as markup.
fn markup(page: &str) -> String {
    let mut rest = page;
    let mut seen = String::new();
    for element in ["style", "script"] {
        let (open, close) = (format!("<{element}"), format!("</{element}>"));
        let mut kept = String::new();
        while let Some(from) = rest.find(&open) {
            let to = from + rest[from..].find(&close).expect("closed") + close.len();
            kept += &rest[..from];
            rest = &rest[to..];
        }
        seen = kept + rest;
        rest = Box::leak(seen.clone().into_boxed_str());
    }
    seen
}

#[test]
fn a_report_answers_first_and_says_why_to_believe_it() {
    let dir = tempfile::tempdir().expect("a folder");
    run(dir.path());
    let (page, missing) = render(dir.path());
    assert!(missing.is_empty(), "{missing:?}");
    let seen = markup(&page);
    let place = |text: &str| seen.find(text).unwrap_or_else(|| panic!("no {text:?} in:\n{seen}"));
    // Question, answer with unit and definition, end, checks: before any section.
    let order =
        ["How high?", "1.25", "distance_m", "✓ finished", "✗ fails 2 of 3 validity checks", "id=\"charts\""];
    assert!(order.windows(2).all(|pair| place(pair[0]) < place(pair[1])));
    assert!(seen.contains("A paper &amp; its figures"));
    for text in [
        "Height of the chassis",
        "A paper, Fig. 3",
        "one value is assumed",
        "at least <data value=\"8\">8<",
        "touchdown run made-up",
    ] {
        place(text);
    }
    // A number that is not one is said to be none, never printed as NaN.
    assert!(seen.contains("no value") && !seen.contains("NaN") && !seen.contains(">inf"));
    let manifest: serde_json::Value =
        serde_json::from_slice(&bytes(dir.path(), "manifest.json")).expect("JSON");
    assert!(seen.contains(manifest["resolved_blake3"].as_str().expect("a hash")));
    // Nothing is loaded from anywhere.
    for loads in ["src=\"http", "href=\"http", "url(http", "@import"] {
        assert!(!page.contains(loads), "{loads}");
    }
    assert_eq!(report::write(dir.path()).expect("written").path, dir.path().join("report.html"));
}

#[test]
fn figures_carry_scaled_data_with_their_peaks() {
    // 600 rows are few enough to be there all; metres become millimetres; phases travel along.
    let dir = tempfile::tempdir().expect("a folder");
    run(dir.path());
    let figures = data(&render(dir.path()).0, "figures");
    let figure = &figures["figures"][0];
    assert_eq!(figure["x"]["time"], true);
    assert_eq!((&figure["y"]["unit"], &figures["phases"][0]["label"]), (&"mm".into(), &"first half".into()));
    let line = &figure["y"]["lines"][0];
    assert_eq!(line["about"], "height of the chassis");
    let values = line["values"].as_array().expect("values");
    assert_eq!(values.len() as u64, ROWS);
    for (i, value) in (0..).zip(values) {
        let exact = 1000.0 * row(i)[1];
        assert!((value.as_f64().expect("a number") - exact).abs() <= 1e-6 * exact);
    }
}

#[test]
fn the_summary_tells_every_check() {
    // Scripts find value, limit, side and verdict of each check; a value that is not a number does not hold.
    let dir = tempfile::tempdir().expect("a folder");
    run(dir.path());
    let summary: serde_json::Value =
        serde_json::from_slice(&bytes(dir.path(), "summary.json")).expect("JSON");
    let check = |name: &str| summary["validity"][name].clone();
    assert_eq!(check("fine")["holds"], true);
    assert_eq!(check("coarse")["holds"], false);
    assert_eq!((&check("lost")["holds"], &check("lost")["value"]), (&false.into(), &serde_json::Value::Null));
    assert_eq!((&check("fine")["limit"], &check("fine")["at_most"]), (&8.0.into(), &false.into()));
}

#[test]
fn a_run_without_figures_gets_the_usual_ones() {
    // Also one of an older version, whose manifest knows nothing of reports.
    let dir = tempfile::tempdir().expect("a folder");
    straight(dir.path(), ROWS, 100, &Options::default());
    let path = dir.path().join("manifest.json");
    let mut manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(&path).expect("read")).expect("JSON");
    manifest.as_object_mut().expect("a table").remove("report");
    fs::write(&path, manifest.to_string()).expect("written");
    let figures = data(&render(dir.path()).0, "figures");
    let titles: Vec<&str> =
        figures["figures"].as_array().expect("a list").iter().filter_map(|f| f["title"].as_str()).collect();
    assert_eq!(titles, ["Loads of the tyres", "Heights of bodies"]);
}

#[test]
fn a_figure_of_columns_that_are_not_there_says_so() {
    let dir = tempfile::tempdir().expect("a folder");
    let figures = vec![
        lines("Half", "time_s", &[("body.chassis.z_m", "chassis"), ("body.gone.z_m", "gone")]),
        lines("None", "body.gone.z_m", &[("body.chassis.z_m", "chassis")]),
    ];
    let info = RunInfo { report: ReportSpec { figures, ..spec() }, ..info() };
    record_run(dir.path(), &info, &columns(), &scene(), &checked());
    let (page, _) = render(dir.path());
    assert!(markup(&page).matches("body.gone.z_m").count() >= 2);
    assert_eq!(data(&page, "figures")["figures"].as_array().expect("a list").len(), 1);
}

#[test]
fn each_lost_or_damaged_file_is_named_and_the_rest_is_shown() {
    for name in ["manifest.json", "summary.json", "series.parquet", "resolved.toml"] {
        for damage in [None, Some(&b"\x00garbage"[..]), Some(&b""[..])] {
            let dir = tempfile::tempdir().expect("a folder");
            run(dir.path());
            let path = dir.path().join(name);
            match damage {
                None => fs::remove_file(&path).expect("removed"),
                Some(bytes) => fs::write(&path, bytes).expect("damaged"),
            }
            let (page, missing) = render(dir.path());
            assert!(missing.iter().any(|line| line.starts_with(name)), "{name}: {missing:?}");
            let seen = markup(&page);
            assert!(seen.contains("not complete") && seen.contains(name));
            assert_eq!(seen.contains("✓ finished"), name != "summary.json");
            assert_eq!(seen.contains("How high?"), name != "manifest.json");
        }
    }
}

#[test]
fn files_cut_short_anywhere_never_panic() {
    // The first n bytes of each file, for n over its whole length, and single bytes turned over.
    let whole = tempfile::tempdir().expect("a folder");
    run(whole.path());
    let dir = tempfile::tempdir().expect("a folder");
    run(dir.path());
    for name in ["manifest.json", "summary.json", "series.parquet"] {
        let good = bytes(whole.path(), name);
        let path = dir.path().join(name);
        for n in (0..40).map(|k| good.len() * k / 40) {
            fs::write(&path, &good[..n]).expect("cut");
            render(dir.path());
            let mut turned = good.clone();
            turned[n] ^= 0xff;
            fs::write(&path, &turned).expect("turned");
            render(dir.path());
        }
        fs::write(&path, &good).expect("restored");
    }
}

#[test]
fn a_manifest_of_wrong_types_is_read_in_pieces() {
    let dir = tempfile::tempdir().expect("a folder");
    run(dir.path());
    let path = dir.path().join("manifest.json");
    let mut manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(&path).expect("read")).expect("JSON");
    manifest["seed"] = "many".into();
    manifest["columns"] = 3.into();
    fs::write(&path, manifest.to_string()).expect("written");
    let (page, missing) = render(dir.path());
    assert!(missing[0].contains("incomplete"), "{missing:?}");
    assert!(markup(&page).contains("How high?"));
    for nonsense in [
        "[]",
        "3",
        "null",
        "{\"quantities\": 7, \"ledger\": [1], \"validity\": {\"a\": 3}, \"warnings\": {}}",
    ] {
        fs::write(dir.path().join("summary.json"), nonsense).expect("written");
        fs::write(&path, nonsense).expect("written");
        render(dir.path());
    }
}

#[test]
fn a_killed_run_is_reported_from_its_parts() {
    let dir = tempfile::tempdir().expect("a folder");
    let info = RunInfo { report: spec(), ..info() };
    let mut recorder =
        Recorder::create(dir.path(), &info, &columns(), &scene(), &Options::default()).expect("created");
    record(&mut recorder, 0, 250, 100).expect("room on disk");
    drop(recorder);
    let (page, missing) = render(dir.path());
    assert!(missing.iter().any(|line| line.starts_with("summary.json")), "{missing:?}");
    assert!(markup(&page).contains("✗ no end recorded"));
    let values = data(&page, "figures")["figures"][0]["x"]["values"].as_array().expect("values").len();
    assert_eq!(values, 250);
}

#[test]
fn a_folder_without_a_run_is_refused() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::write(dir.path().join("notes.txt"), "mine").expect("written");
    for place in [dir.path().to_path_buf(), dir.path().join("nowhere"), dir.path().join("notes.txt")] {
        assert!(matches!(report::render(&place), Err(RecordError::NoRun { .. })), "{}", place.display());
    }
}

#[test]
fn no_name_breaks_out_of_the_page() {
    // Every text that a scenario, a file name or a stamp can bring is hostile; the page holds it as text and nothing else.
    let dir = tempfile::tempdir().expect("a folder");
    let nasty = || HOSTILE.to_string();
    let mut columns = columns();
    columns[1].name = format!("body.{HOSTILE}.z_m");
    columns[1].about = nasty();
    let mut scene = scene();
    scene.bodies[0] = nasty();
    scene.contacts[0].name = nasty();
    let figure = Figure {
        name: nasty(),
        title: nasty(),
        source: nasty(),
        kind: FigureKind::Lines {
            x: "time_s".into(),
            x_label: nasty(),
            x_unit: nasty(),
            x_scale: f64::MAX,
            y_label: nasty(),
            y_unit: nasty(),
            y_scale: 1.0,
            traces: vec![
                Trace { column: columns[1].name.clone(), label: nasty() },
                Trace { column: nasty(), label: nasty() },
            ],
        },
    };
    let info = RunInfo {
        scenario: nasty(),
        title: nasty(),
        version: nasty(),
        resolved_toml: nasty(),
        inputs: vec![InputFile { name: nasty(), blake3: nasty() }],
        seed: 1,
        threads: 1,
        command: nasty(),
        warnings: vec![nasty()],
        assumed: vec![Assumed { key: nasty(), value: nasty(), reason: nasty() }],
        maps: vec![touchdown_record::MapEntry { file: nasty(), lines: vec![(nasty(), nasty())] }],
        report: ReportSpec {
            question: nasty(),
            reproduces: nasty(),
            answer: nasty(),
            figures: vec![figure],
            phases: vec![Phase { label: nasty(), from: 0.0, to: 1.0 }],
        },
    };
    let value = NamedValue { name: nasty(), value: f64::NAN, unit: nasty(), about: nasty() };
    let check = Check {
        name: nasty(),
        value: f64::INFINITY,
        limit: f64::NAN,
        at_most: true,
        unit: nasty(),
        about: nasty(),
    };
    let outcome = Outcome {
        stopped_because: Some(nasty()),
        finished: false,
        tables: vec![],
        quantities: vec![value.clone()],
        ledger: vec![value],
        validity: vec![check],
        warnings: vec![nasty()],
        ..outcome(ROWS, false)
    };
    record_run(dir.path(), &info, &columns, &scene, &outcome);
    let refinement = Refinement {
        what: nasty(),
        key: nasty(),
        settings: vec![1.0],
        values: vec![1.0],
        order: None,
        error: 0.0,
        finding: nasty(),
    };
    let stamp = Stamp {
        scenario: nasty(),
        resolved_blake3: blake3_of(&nasty()),
        version: nasty(),
        quantity: nasty(),
        unit: nasty(),
        value: 1.0,
        estimate: 1.0,
        uncertainty: 0.1,
        refinements: vec![refinement],
        verdict: nasty(),
        trusted: true,
    };
    fs::write(dir.path().join("convergence.json"), serde_json::to_vec(&stamp).expect("JSON"))
        .expect("written");
    let (page, _) = render(dir.path());
    let seen = markup(&page);
    assert!(seen.contains("id=\"convergence\"") && seen.contains("&lt;img src=x onerror="));
    // Elements opened by the page itself: an image is not among them, and every script is one of its own.
    assert!(!seen.contains("<img") && !page.contains("<img src=x"));
    let own = page.matches("<script").count() - page.matches("\"<script").count();
    assert_eq!(page.matches("</script>").count(), own, "a script was opened or closed by a name");
    data(&page, "figures");
}

fn blake3_of(text: &str) -> String {
    InputFile::of("x", text.as_bytes()).blake3
}

#[test]
fn a_stamp_is_shown_only_for_the_same_inputs() {
    let parent = tempfile::tempdir().expect("a folder");
    let dir = parent.path().join("run");
    run(&dir);
    let stamp = |hash: &str, quantity: &str| Stamp {
        scenario: "made-up".into(),
        resolved_blake3: hash.into(),
        version: "0.1.0".into(),
        quantity: quantity.into(),
        unit: "m".into(),
        value: 1.25,
        estimate: 1.5,
        uncertainty: 0.25,
        refinements: vec![],
        verdict: format!("verdict on {quantity}"),
        trusted: true,
    };
    let beside = parent.path().join("convergence");
    fs::create_dir(&beside).expect("made");
    let own = blake3_of(&info().resolved_toml);
    for (name, hash) in [("distance_m", own.as_str()), ("other_m", "0000")] {
        let text = serde_json::to_vec(&stamp(hash, name)).expect("JSON");
        fs::write(beside.join(format!("{name}.json")), text).expect("written");
    }
    fs::write(beside.join("torn.json"), "{").expect("written");
    let seen = markup(&render(&dir).0);
    assert!(seen.contains("verdict on distance_m") && seen.contains("1.5\u{a0}m ± 0.25\u{a0}m"), "{seen}");
    assert!(!seen.contains("verdict on other_m"));
}

#[test]
fn a_former_report_does_not_outlive_its_run() {
    let dir = tempfile::tempdir().expect("a folder");
    run(dir.path());
    report::write(dir.path()).expect("written");
    create(dir.path(), &Options { overwrite: true, ..Options::default() });
    assert!(!dir.path().join("report.html").exists());
}

#[test]
fn figures_are_drawn_beside_the_report_and_go_with_their_run() {
    // Each as SVG and PNG under its name; a new run takes them away, and leaves the user's own file.
    let dir = tempfile::tempdir().expect("a folder");
    run(dir.path());
    let written = report::write_figures(dir.path()).expect("written");
    let names: Vec<_> = written.files.iter().filter_map(|f| f.file_name()?.to_str()).collect();
    assert_eq!(names, ["a-figure.svg", "a-figure.png"]);
    let text = fs::read_to_string(&written.files[0]).expect("readable");
    assert!(
        text.contains("Height of the chassis") && text.contains("height, mm") && text.contains("first half")
    );
    let own = dir.path().join("figures/mine.svg");
    fs::write(&own, "mine").expect("written");
    create(dir.path(), &Options { overwrite: true, ..Options::default() });
    assert!(written.files.iter().all(|file| !file.exists()) && own.exists());
}

#[test]
fn figures_of_a_damaged_run_are_named() {
    // Nothing to draw from is no failure: what is missing is said.
    let dir = tempfile::tempdir().expect("a folder");
    run(dir.path());
    fs::write(dir.path().join("series.parquet"), "torn").expect("written");
    fs::write(dir.path().join("soil.parquet"), "torn").expect("written");
    let written = report::write_figures(dir.path()).expect("as far as possible");
    assert!(written.files.is_empty());
    let notes = written.notes.join("\n");
    for said in ["series.parquet is damaged", "soil.parquet cannot be read", "is not drawn"] {
        assert!(notes.contains(said), "{notes}");
    }
}
