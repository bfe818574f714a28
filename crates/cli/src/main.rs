//! The `touchdown` command: arguments in, work done by the library crates, text and an exit code out.
//!
//! 0: the work was done; 2: a bad scenario or name, a folder or file that is not this program's, a run that cannot be resumed; 3: a run
//! that failed numerically; 4: a validity check failed under `--strict`, or cases that decide nothing; 64: a wrong option or argument;
//! 130, 143: a run that SIGINT or SIGTERM stopped; 1: anything else, a claim that does not hold and a damaged
//! folder included. Results go to stdout, progress and errors to stderr.

mod args;
mod bench;
mod campaign;
mod check;
mod converge;
mod excerpt;
mod export;
mod failure;
mod folder;
mod identify;
mod identity;
mod list;
mod located;
mod manual;
mod mobility;
mod new;
mod output;
mod progress;
mod report;
mod resume;
mod run;
mod sensitivity;
mod show;
mod signals;
mod summary;
mod terrain;
mod validate;
mod verify;
mod view;

use args::{Cli, Command};
use clap::Parser;
use failure::Failure;
use std::process::ExitCode;

fn main() -> ExitCode {
    if identity::is_asked_for() {
        return end(identity::print_json());
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let asked_for = !error.use_stderr();
            // A closed pipe is the reader's choice.
            let _ = error.print();
            return if asked_for { ExitCode::SUCCESS } else { ExitCode::from(failure::USAGE) };
        }
    };
    output::set_colour(cli.color);
    end(cli.command.map_or_else(new::greet, dispatch))
}

fn end(result: Result<(), Failure>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            output::say_styled(&failure.render());
            ExitCode::from(failure.code())
        }
    }
}

fn dispatch(command: Command) -> Result<(), Failure> {
    match command {
        Command::List { what, json } => list::list(what, json),
        Command::Show { name, json, sets } => show::show(&name, json, &sets),
        Command::Run(options) => run::run(&options),
        Command::Check(options) => check::check(&options),
        Command::Resume(options) => resume::resume(&options),
        Command::Verify { dir, json } => verify::verify(&dir, json),
        Command::Report { dir, figures, json } => report::report(&dir, figures, json),
        Command::View(options) => view::view(&options),
        Command::Validate(options) => validate::validate(&options),
        Command::Converge(options) => converge::converge(&options),
        Command::Sensitivity(options) => sensitivity::sensitivity(&options),
        Command::Sweep(options) => campaign::sweep::sweep(&options),
        Command::Campaign { command } => campaign::campaign(&command),
        Command::Mobility(options) => mobility::mobility(options),
        Command::Compare(options) => campaign::compare::compare(&options),
        Command::Identify(options) => identify::identify(&options),
        Command::Terrain(options) => terrain::terrain(&options),
        Command::Bench(options) => bench::bench(&options),
        Command::New(options) => new::new(&options),
        Command::Export { command } => export::export(&command),
        Command::Open { dir } => view::open(&dir),
        Command::Completions { shell } => manual::completions(shell),
        Command::Man { out } => manual::man(out.as_deref()),
        Command::Schema { what, text, markdown } => list::schema(what, text, markdown),
    }
}
