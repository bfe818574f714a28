//! The report: what stands in it.

#[path = "../common/mod.rs"]
mod common;
mod damaged;
mod hostile;
mod large;

use common::*;
use std::fs;
use std::path::Path;
use touchdown_record::report;
use touchdown_record::{
    Assumed, InputFile, KnobEntry, Options, RecordError, Recorder, Refinement, ReportSpec, RunInfo, Scene,
    Sensitivity, Stamp, Swing,
};
use touchdown_sim::figure::{Figure, FigureKind, PhaseSpan, Points, Trace};
use touchdown_sim::sink::{Cell, Check, Column, NamedValue, Outcome, Table, TableColumn};

const ROWS: u64 = 600;
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
                .map(|(c, l)| Trace { column: c.to_string(), label: l.to_string(), measured: false })
                .collect(),
            points: Vec::new(),
        },
    }
}

fn spec() -> ReportSpec {
    ReportSpec {
        question: "How high?".into(),
        reproduces: "A paper & its figures".into(),
        answer: "distance_m".into(),
        figures: vec![lines("Height of the chassis", "time_s", &[("body.chassis.z_m", "chassis")])],
        phases: vec![PhaseSpan { label: "first half".into(), from: 0.0, to: 6.0 }],
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

/// Knobs that were changed stand first, with the value of the file; settings of other keys beside them; date and build at the top; published
/// points go to the script with their source.
#[test]
fn a_report_shows_its_inputs_and_published_points() {
    let dir = tempfile::tempdir().expect("a folder");
    let knob = |name: &str, value: &str, default: &str| KnobEntry {
        name: name.into(),
        path: format!("rig.{name}"),
        value: value.into(),
        default: default.into(),
        unit: "N".into(),
        about: "pushes the wheel".into(),
    };
    let mut spec = spec();
    if let FigureKind::Lines { points, .. } = &mut spec.figures[0].kind {
        let (x, y, y_error) = (vec![0.5], vec![1100.0], vec![20.0]);
        let (label, source) = ("test bed".to_string(), "Table 9 of the paper".to_string());
        points.push(Points { label, source, x, y, x_error: vec![], y_error });
    }
    let info = RunInfo {
        report: spec,
        began: "2026-03-01T12:30:00Z".into(),
        knobs: vec![knob("kept_n", "5", "5"), knob("load_n", "300", "200")],
        settings: vec!["load_n=300".into(), "terrain.sweeps=4".into()],
        ..info()
    };
    record_run(dir.path(), &info, &columns(), &scene(), &checked());
    let (page, _) = render(dir.path());
    let seen = markup(&page).replace("<wbr>", "");
    let place = |text: &str| seen.find(text).unwrap_or_else(|| panic!("no {text:?} in:\n{seen}"));
    assert!(place("2026-03-01") < place("How high?"));
    assert!(place("id=\"inputs\"") < place("load_n") && place("load_n") < place("kept_n"));
    for text in
        ["(in the file: 200)", "terrain.sweeps", "2026-03-01 12:30:00 UTC", "Points: Table 9 of the paper"]
    {
        place(text);
    }
    let points = &data(&page, "figures")["figures"][0]["points"][0];
    assert_eq!(
        (&points["y"][0], &points["y_error"][0], &points["label"]),
        (&1100.0.into(), &20.0.into(), &"test bed".into())
    );
}

/// What is answered in words stands before the pictures, what is answered in numbers behind them.
#[test]
fn words_come_before_pictures_and_numbers_behind() {
    let dir = tempfile::tempdir().expect("a folder");
    let table = |title: &str, cell: Cell| Table {
        title: title.into(),
        about: String::new(),
        columns: vec![TableColumn { name: "answer".into(), unit: "1".into() }],
        rows: vec![vec![cell]],
    };
    let docked =
        NamedValue { name: "distance_m".into(), value: 1.0, unit: "1".into(), about: "1 if docked".into() };
    let tables = vec![table("In numbers", Cell::Number(3.5)), table("In words", Cell::Text("gently".into()))];
    let outcome = Outcome { tables, quantities: vec![docked], ..checked() };
    record_run(dir.path(), &RunInfo { report: spec(), ..info() }, &columns(), &scene(), &outcome);
    let seen = markup(&render(dir.path()).0);
    let place = |text: &str| seen.find(text).unwrap_or_else(|| panic!("no {text:?} in:\n{seen}"));
    let order = ["<data value=\"1\">yes<", "In words", "gently", "id=\"charts\"", "In numbers"];
    assert!(order.windows(2).all(|pair| place(pair[0]) < place(pair[1])));
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
fn a_sensitivity_study_is_shown_only_for_the_same_inputs() {
    let dir = tempfile::tempdir().expect("a folder");
    run(dir.path());
    let study = |hash: &str, input: &str| Sensitivity {
        scenario: "made-up".into(),
        resolved_blake3: hash.into(),
        version: "0.1.0".into(),
        quantity: "distance_m".into(),
        unit: "m".into(),
        value: 1.25,
        swings: vec![Swing {
            input: input.into(),
            tried: ["1 kg".into(), "2 kg".into(), "3 kg".into()],
            values: [Some(1.0), None],
            deviation: 0.25,
            about: "one standard deviation".into(),
            missing: "it fell over".into(),
        }],
        together: 0.25,
        verdict: format!("{input} moves it most"),
    };
    let own = blake3_of(&info().resolved_toml);
    for (name, hash, input) in
        [("sensitivity.json", own.as_str(), "mass"), ("sensitivity-2.json", "0000", "colour")]
    {
        fs::write(dir.path().join(name), serde_json::to_vec(&study(hash, input)).expect("JSON"))
            .expect("written");
    }
    let seen = markup(&render(dir.path()).0);
    assert!(
        seen.contains("mass moves it most")
            && seen.contains("it fell over")
            && seen.contains("± 0.25\u{a0}m"),
        "{seen}"
    );
    assert!(seen.contains("With the scatter of its inputs") && !seen.contains("colour"), "{seen}");
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
