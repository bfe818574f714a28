//! The lint that keeps elementary functions of the system out of everything that computes: it fires, for each of them, and no crate goes without it.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Crates that compute nothing of a result: doors, pages, and reference solutions, which are to be other than what they check.
const EXEMPT: [&str; 6] = ["capi", "cli", "fmu", "oracle", "serve", "session"];
const LINT: &str = "#![cfg_attr(not(test), warn(clippy::disallowed_methods))]";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Names of the functions that `clippy.toml` refuses.
fn refused() -> Vec<String> {
    let text = fs::read_to_string(root().join("clippy.toml")).expect("the list");
    let name = |line: &str| Some(line.split("path = \"f64::").nth(1)?.split('"').next()?.to_string());
    text.lines().filter_map(name).collect()
}

/// clippy refuses every function of the list where a crate calls it. Without clippy there is nothing to try; `make lint` then fails by itself.
#[test]
fn every_elementary_function_of_the_system_is_refused() {
    let sysroot = Command::new("rustc").args(["--print", "sysroot"]).output().expect("rustc runs");
    let sysroot = String::from_utf8(sysroot.stdout).expect("a path");
    if !Command::new("clippy-driver").arg("--version").output().is_ok_and(|o| o.status.success()) {
        println!("clippy is not installed");
        return;
    }
    let names = refused();
    assert!(names.len() > 20, "{names:?}");
    let mut source = format!("{}\n", LINT.replace("warn", "deny"));
    for name in &names {
        let arguments = match name.as_str() {
            "atan2" | "powf" | "hypot" | "log" => ", 2.0",
            "powi" => ", 2",
            "mul_add" => ", 2.0, 3.0",
            _ => "",
        };
        writeln!(source, "pub fn f_{name}(x: f64) {{ let _ = f64::{name}(x{arguments}); }}").expect("room");
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lint");
    fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("probe.rs");
    fs::write(&file, source).expect("written");
    let output = Command::new("clippy-driver")
        .args(["--sysroot", sysroot.trim(), "--crate-type", "lib", "--edition", "2024", "--emit=metadata"])
        .arg("--out-dir")
        .arg(&folder)
        .arg(&file)
        .env("CLIPPY_CONF_DIR", root())
        .output()
        .expect("clippy runs");
    assert!(!output.status.success(), "clippy lets them pass");
    let said = String::from_utf8_lossy(&output.stderr);
    for name in &names {
        assert!(said.contains(&format!("disallowed method `f64::{name}`")), "{name} passes:\n{said}");
    }
}

/// Every crate that computes asks for the lint; CI denies its warnings.
#[test]
fn every_crate_that_computes_asks_for_the_lint() {
    for entry in fs::read_dir(root().join("crates")).expect("the crates") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let Ok(text) = fs::read_to_string(path.join("src/lib.rs")) else { continue };
        assert_eq!(text.contains(LINT), !EXEMPT.contains(&name.as_str()), "{name}");
    }
}
