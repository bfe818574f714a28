//! The header is what the sources say, and a program in C, compiled by the system's compiler, runs against the library, under valgrind where that is installed.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository is there")
}

#[test]
fn the_header_is_that_of_the_sources() {
    let crate_dir = env!("CARGO_MANIFEST_DIR");
    let config =
        cbindgen::Config::from_file(Path::new(crate_dir).join("cbindgen.toml")).expect("its settings");
    let made =
        cbindgen::Builder::new().with_crate(crate_dir).with_config(config).generate().expect("a header");
    let mut text = Vec::new();
    made.write(&mut text);
    let text = String::from_utf8(text).expect("text");
    let path = root().join("include/touchdown.h");
    if std::env::var_os("TOUCHDOWN_WRITE_HEADER").is_some() {
        std::fs::write(&path, &text).expect("room on disk");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == text,
        "include/touchdown.h is not that of the sources: TOUCHDOWN_WRITE_HEADER=1 cargo test -p touchdown-capi writes it"
    );
}

/// The folder with the library: beside this test, or one above.
fn library_folder() -> PathBuf {
    let test = std::env::current_exe().expect("this test");
    let folders = test.ancestors().skip(1).take(2);
    let found = folders.map(Path::to_path_buf).find(|folder| folder.join("libtouchdown_c.so").exists());
    found.expect("the library is built with its tests")
}

/// Compiles a program in C and runs it, under valgrind where that is installed; what it said, and how many wrong calls were refused.
#[cfg(target_os = "linux")]
fn run(name: &str) -> (String, u32) {
    let folder = tempfile::tempdir().expect("room on disk");
    let (program, lib) = (folder.path().join(name), library_folder());
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(format!("{name}.c"));
    let compiled = Command::new("cc")
        .args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-O1", "-o"])
        .arg(&program)
        .arg(source)
        .arg("-I")
        .arg(root().join("include"))
        .arg("-L")
        .arg(&lib)
        .args(["-ltouchdown_c", "-lm"])
        .arg(format!("-Wl,-rpath,{}", lib.display()))
        .status()
        .expect("a C compiler");
    assert!(compiled.success());
    let valgrind = Command::new("valgrind").arg("--version").output().is_ok();
    let mut command = match valgrind {
        true => {
            let mut command = Command::new("valgrind");
            command.args([
                "--quiet",
                "--error-exitcode=9",
                "--leak-check=full",
                "--errors-for-leak-kinds=definite",
            ]);
            command.arg(&program);
            command
        }
        false => Command::new(&program),
    };
    let ended = command.output().expect("it starts");
    let (said, wrong) = (String::from_utf8_lossy(&ended.stdout), String::from_utf8_lossy(&ended.stderr));
    assert!(ended.status.success(), "{said}{wrong}");
    let refused = said.split("; ").nth(1).and_then(|t| t.split(' ').next()).and_then(|n| n.parse().ok());
    (said.to_string(), refused.unwrap_or(0))
}

#[test]
#[cfg(target_os = "linux")]
fn a_program_in_c_steps_goes_back_and_is_refused_what_makes_no_sense() {
    let (said, refused) = run("wheel");
    assert!(refused >= 150, "{said}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_simulator_in_c_stands_on_our_soil() {
    let (said, refused) = run("soil");
    assert!(refused >= 70, "{said}");
}
