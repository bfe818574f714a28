//! `touchdown converge`: the verdict, the stamp, and the report that shows it for exactly the same inputs.

mod common;

use common::*;

const SHORT: [&str; 6] =
    ["--set", "duration_s=0.5", "--set", "integrator.name=realtime", "--set", "integrator.step=2 ms"];

#[test]
fn a_stamp_is_left_and_the_report_of_the_same_inputs_shows_it() {
    // Same inputs: the report has the verdict. Another step: it does not, because the stamp is not about that run.
    let dir = temporary();
    let printed =
        good(dir.path(), &[&["converge", "pendulum", "--quantity", "angle_1_end_rad"][..], &SHORT].concat());
    assert!(
        printed.contains("fine enough: angle_1_end_rad = ") && printed.contains("order 1.0"),
        "{printed}"
    );
    let folder = dir.path().join("runs/convergence");
    let names: Vec<String> = std::fs::read_dir(&folder)
        .expect("the folder")
        .flatten()
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(names.len(), 1);
    assert!(names[0].starts_with("pendulum-angle_1_end_rad-"), "{names:?}");
    let stamp = json(&folder, &names[0]);
    assert_eq!(
        (&stamp["trusted"], stamp["refinements"][0]["values"].as_array().map(Vec::len)),
        (&true.into(), Some(5))
    );
    let verdict =
        stamp["verdict"].as_str().expect("a text").split(';').next().expect("its begin").to_string();
    good(dir.path(), &[&["run", "pendulum", "--out", "runs/same", "-q"][..], &SHORT].concat());
    let page = String::from_utf8(bytes(&dir.path().join("runs/same"), "report.html")).expect("UTF-8");
    assert!(page.contains(&verdict), "{verdict}");
    let other = ["run", "pendulum", "--out", "runs/other", "-q", "--set", "duration_s=0.5"];
    good(dir.path(), &other);
    let page = String::from_utf8(bytes(&dir.path().join("runs/other"), "report.html")).expect("UTF-8");
    assert!(!page.contains(&verdict));
}

#[test]
fn mistakes_end_with_two_and_leave_nothing() {
    // A quantity that does not exist is reported with its neighbour; a scenario's mistakes as everywhere; nothing is written.
    let dir = temporary();
    let ended = touchdown(dir.path(), &["converge", "pendulum", "--quantity", "x_and_m"]);
    assert_eq!(ended.code, 2);
    assert!(ended.stderr.contains("did you mean x_end_m?"), "{}", ended.stderr);
    // Where nothing is near, the hint lists what there is.
    let ended = touchdown(dir.path(), &["converge", "pendulum", "--quantity", "nope"]);
    assert!(ended.code == 2 && ended.stderr.contains("it has x_end_m, y_end_m"), "{}", ended.stderr);
    let ended = touchdown(dir.path(), &["converge", "single-wheel", "--set", "travel_m=0.3"]);
    assert_eq!(ended.code, 2);
    assert!(ended.stderr.contains("too short for a steady stretch"), "{}", ended.stderr);
    assert!(!dir.path().join("runs").exists());
}
