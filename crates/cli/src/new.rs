//! `touchdown new`: a commented scenario to start from; and the greeting of `touchdown` alone.

use crate::args::{NewArgs, Template};
use crate::failure::Failure;
use crate::output::print;
use std::fs::OpenOptions;
use std::io::Write;

/// What the program says when it is asked nothing.
const GREETING: &str = "\
touchdown simulates contact for space robots: wheels in soil, feet, flexible
tyres, hard parts and docking. The first three commands:

  touchdown run pendulum       run a scenario; the answer is printed
  touchdown list               all scenarios, machines and soils
  touchdown new rover my.toml  a commented scenario of your own

touchdown help shows every command.
";

/// Greets.
pub fn greet() -> Result<(), Failure> {
    print(GREETING)
}

fn text(template: Template) -> &'static str {
    match template {
        Template::Wheel => include_str!("new/wheel.toml"),
        Template::Rover => include_str!("new/rover.toml"),
        Template::Docking => include_str!("new/docking.toml"),
        Template::Legs => include_str!("new/legs.toml"),
    }
}

/// Writes a template where no file is.
pub fn new(args: &NewArgs) -> Result<(), Failure> {
    let path = args.file.display();
    let mut file = OpenOptions::new().write(true).create_new(true).open(&args.file).map_err(|error| {
        let exists = error.kind() == std::io::ErrorKind::AlreadyExists;
        let hint = exists.then(|| "choose another name; a file is never replaced".to_string());
        Failure::BadInput { what: format!("{path}: {error}"), hint }
    })?;
    file.write_all(text(args.template).as_bytes())
        .map_err(|error| Failure::other(format!("writing {path}: {error}")))?;
    print(&format!("{path}: written\n  touchdown check {path}\n  touchdown run {path}\n"))
}
