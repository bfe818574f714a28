//! Inputs that would hang, abort or mislead: refused or shown safely, each within bounds of memory and work.
#![cfg(unix)]

mod common;

use common::*;
use std::path::Path;
use std::process::Command;

/// Runs the command with at most so much address space, KiB: an attempt to take more ends in an abort.
fn confined(dir: &Path, kib: u64, args: &str) -> (i32, String) {
    let line = format!("ulimit -v {kib}; ulimit -t 60; exec {} {args}", env!("CARGO_BIN_EXE_touchdown"));
    let output = Command::new("sh").args(["-c", &line]).current_dir(dir).output().expect("a shell");
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    (output.status.code().unwrap_or_else(|| panic!("{args}: {}\n{text}", output.status)), text)
}

fn file(dir: &Path, name: &str, text: &str) {
    std::fs::write(dir.join(name), text).expect("room on disk");
}

#[test]
fn the_longest_chain_fits() {
    // Without constraints the cost of a chain grows with its links: the longest that is allowed is checked in 2 GB.
    let dir = temporary();
    let (code, text) = confined(dir.path(), 2_000_000, "check pendulum-chain --set links=100000");
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("100000 degrees of freedom"), "{text}");
    // Implicit steps need a matrix over all of them; that is reported before it is tried.
    let args = "check pendulum-chain --set links=100000 --set integrator=implicit --memory-limit 1GiB";
    let (code, text) = confined(dir.path(), 2_000_000, args);
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("GiB of memory") && text.contains("1.0 GiB, --memory-limit"), "{text}");
}

#[test]
fn long_machine_files_cost_in_proportion() {
    // Points, springs and overridden bodies are found by name, not by walking past all others.
    let dir = temporary();
    let (mut machine, mut scenario) =
        (String::new(), "title = \"c\"\nduration = \"1 s\"\n[machine.m]\nuse = \"m.toml\"\n".to_string());
    let links = 20_000;
    for i in 0..links {
        let parent = if i > 0 { format!("parent = \"b{}\"\n", i - 1) } else { String::new() };
        machine += &format!(
            "[body.b{i}]\nmass_kg = 1\npoint_mass = true\ncentre_of_mass_m = [1, 0, 0]\n[joint.j{i}]\ntype = \"revolute\"\n{parent}child = \"b{i}\"\naxis = [0, 0, 1]\n"
        );
        machine += &format!(
            "[point.p{i}]\nbody = \"b{i}\"\nposition_m = [0, 0, 0]\n[spring.s{i}]\nbetween = [\"b{i}:p{i}\", \"world\"]\nstiffness_n_per_m = 1\nrest_length_m = 1\n"
        );
        scenario += &format!("[machine.m.body.b{i}]\nmass_kg = 2\n");
    }
    file(dir.path(), "m.toml", &machine);
    file(dir.path(), "s.toml", &scenario);
    // 60 s of processor time is the shell's limit above; in proportion it takes three.
    let (code, text) = confined(dir.path(), 4_000_000, "check s.toml");
    assert_eq!(code, 0, "{text}");
}

#[test]
fn soil_beyond_measure_is_refused() {
    let dir = temporary();
    let (code, text) = confined(dir.path(), 2_000_000, "check wheel-spin --set width_m=10000");
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("nodes of soil"), "{text}");
}

#[test]
fn mistakes_far_out_in_a_line_are_shown() {
    // A line of 70 000 characters is cut, and the message keeps its column.
    let dir = temporary();
    let text = format!(
        "title = \"t\"\nduration = \"1 s\"\nrecord = {{ series_every = \"1 ms\"{}, nonsense = 3 }}\n",
        " ".repeat(70_000)
    );
    file(dir.path(), "long.toml", &text);
    let ended = touchdown(dir.path(), &["check", "long.toml"]);
    assert_eq!(ended.code, 2, "{}", ended.stderr);
    assert!(ended.stderr.contains("long.toml:3:70035") && ended.stderr.len() < 5_000, "{}", ended.stderr);
}

#[test]
fn files_cannot_command_the_terminal() {
    // Titles, names in messages and the source itself reach the terminal with escapes spelt out.
    let dir = temporary();
    let title = "title = \"a\\u001b[2Jb\\u202ec\"\nduration = \"1 s\"\n";
    let body = "[body.a]\nmass = \"1 kg\"\npoint_mass = true\ncentre_of_mass_m = [1, 0, 0]\n[joint.j]\ntype = \"revolute\"\nchild = \"a\"\naxis = [0, 0, 1]\n";
    file(dir.path(), "good.toml", &format!("{title}{body}"));
    let wrong = "[body.b]\nmass = \"\u{9b}31m\\u001b[31m\"\nx = \"\u{7f}\"\n";
    file(dir.path(), "bad.toml", &format!("{title}{body}{wrong}"));
    let escapes =
        |text: &str| text.chars().any(|c| (c.is_control() && c != '\n' && c != '\t') || c == '\u{202e}');
    for args in [
        &["check", "good.toml"][..],
        &["show", "good.toml"],
        &["run", "good.toml", "--out", "r"],
        &["check", "bad.toml"],
    ] {
        let ended = touchdown(dir.path(), args);
        assert!(
            !escapes(&ended.stdout) && !escapes(&ended.stderr),
            "{args:?}: {}{}",
            ended.stdout,
            ended.stderr
        );
    }
    assert!(good(dir.path(), &["check", "good.toml"]).contains("a\\u{1b}[2Jb\\u{202e}c"));
}

#[test]
fn only_plain_files_are_read() {
    // A pipe without a writer, a device without end and a folder are named as what they are; nothing waits.
    let dir = temporary();
    assert!(Command::new("mkfifo").arg(dir.path().join("pipe")).status().expect("mkfifo").success());
    let study = "data = \"pipe\"\n[columns]\nforce = \"F_N\"\ndeformation = \"d_m\"\n[model]\nkind = \"press\"\n[free]\nk = { start = 1 }\n";
    file(dir.path(), "s.toml", study);
    std::fs::create_dir(dir.path().join("folder.toml")).expect("room on disk");
    for (args, what) in [
        ("identify s.toml", "a pipe"),
        ("identify pipe", "a pipe"),
        ("identify s.toml --data /dev/zero", "a device"),
        ("identify /dev/zero", "a device"),
        ("check ./pipe", "a pipe"),
        ("check folder.toml", "a folder"),
        ("terrain pipe", "a pipe"),
        ("terrain /dev/zero", "a device"),
    ] {
        let (code, text) = confined(dir.path(), 2_000_000, args);
        assert_eq!(code, 2, "{args}: {text}");
        assert!(text.contains("is not a plain file") && text.contains(what), "{args}: {text}");
    }
}

#[test]
fn a_fit_keeps_its_bounds() {
    // A search that would evaluate its model more often than it may ends without a result, and names the bound.
    let dir = temporary();
    let rows: String = (0..40)
        .map(|i| format!("{},{}\n", f64::from(i) * 1e-3, f64::from(i * i) + f64::from(i % 7)))
        .collect();
    file(dir.path(), "d.csv", &format!("d_m,F_N\n{rows}"));
    let study = |fit: &str| {
        format!(
            "data = \"d.csv\"\n[columns]\nforce = \"F_N\"\ndeformation = \"d_m\"\n[model]\nkind = \"press\"\n[free]\nk = {{ start = 1e4, min = 1, max = 1e9 }}\nn = {{ start = 1, min = 0.5, max = 4 }}\n[fit]\n{fit}\n"
        )
    };
    file(dir.path(), "few.toml", &study("starts = 50\nevaluations = 30"));
    let ended = touchdown(dir.path(), &["identify", "few.toml", "--out", "few"]);
    assert_eq!(ended.code, 1, "{}", ended.stderr);
    assert!(ended.stderr.contains("within 30 evaluations of the model, fit.evaluations"), "{}", ended.stderr);
    assert!(!dir.path().join("few").exists());
    file(dir.path(), "quick.toml", &study("starts = 5000\nseconds = 1e-6"));
    let ended = touchdown(dir.path(), &["identify", "quick.toml", "--out", "quick"]);
    assert_eq!(ended.code, 1, "{}", ended.stderr);
    assert!(ended.stderr.contains("fit.seconds"), "{}", ended.stderr);
    file(dir.path(), "all.toml", &study(""));
    let said = good(dir.path(), &["identify", "all.toml", "--out", "all"]);
    assert!(said.contains("evaluations of the model (at most 100000, 600 s)"), "{said}");
}
