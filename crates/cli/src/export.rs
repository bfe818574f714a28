//! `touchdown export`: a scenario for other simulators, as an FMU. No compiler is needed: the library comes with the program.

use crate::failure::Failure;
use crate::output::{count, print, print_json};
use clap::{Args, Subcommand, ValueEnum};
use std::path::{Path, PathBuf};
use touchdown_fmu::{Asked, ExportError, Fmi, Plan, Role, is_fmu};
use touchdown_record::{check_file, write_file};

/// What a scenario is exported as.
#[derive(Debug, Subcommand)]
pub enum ExportCommand {
    /// Write a functional mock-up unit (FMU) for co-simulation
    Fmu(FmuArgs),
}

/// Version of the standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Version {
    /// FMI 2.0
    #[value(name = "2")]
    Two,
    /// FMI 3.0
    #[value(name = "3")]
    Three,
}

#[derive(Debug, Args)]
pub struct FmuArgs {
    /// A built-in scenario (see `touchdown list`) or a file
    pub scenario: String,
    /// Inputs that become inputs of the FMU, with commas between them; `*` stands for any text [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub inputs: Vec<String>,
    /// Columns that become its outputs
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub outputs: Vec<String>,
    /// Knobs that become its parameters
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub parameters: Vec<String>,
    /// Set a knob, or any value by its dotted path, permanently
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub sets: Vec<String>,
    /// The file to write; replaces an FMU, and nothing else
    #[arg(long, short, value_name = "FILE.fmu")]
    pub out: PathBuf,
    /// Version of FMI
    #[arg(long, value_name = "VERSION", default_value = "3")]
    pub fmi: Version,
    /// The library libtouchdown_c [default: beside this program, or in lib beside its folder]
    #[arg(long, value_name = "PATH")]
    pub library: Option<PathBuf>,
    /// Print the variables as JSON
    #[arg(long)]
    pub json: bool,
}

/// Exports a scenario.
pub fn export(command: &ExportCommand) -> Result<(), Failure> {
    let ExportCommand::Fmu(args) = command;
    check_file(&args.out, is_fmu)?;
    let library = match &args.library {
        Some(path) => path.clone(),
        None => library()?,
    };
    let asked = Asked {
        inputs: args.inputs.clone(),
        outputs: args.outputs.clone(),
        parameters: args.parameters.clone(),
    };
    let plan = Plan::new(&args.scenario, &args.sets, &asked).map_err(refused)?;
    let fmi = match args.fmi {
        Version::Two => Fmi::Two,
        Version::Three => Fmi::Three,
    };
    let bytes = plan.archive(fmi, &library).map_err(refused)?;
    write_file(&args.out, &bytes, is_fmu)?;
    if args.json {
        let variables = serde_json::json!(plan.variables);
        return print_json(
            &serde_json::json!({ "fmu": args.out, "token": plan.token, "variables": variables }),
        );
    }
    let of = |role| plan.variables.iter().filter(|v| v.role == role).count();
    print(&format!(
        "{}: {}, {}, {}\n",
        args.out.display(),
        count(of(Role::Input), "input"),
        count(of(Role::Output), "output"),
        count(of(Role::Parameter), "parameter")
    ))
}

/// The library that came with this program.
fn library() -> Result<PathBuf, Failure> {
    let name = format!("{}touchdown_c{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let program = std::env::current_exe().map_err(|error| Failure::other(error.to_string()))?;
    let folder = program.parent().unwrap_or(Path::new("."));
    let places = [folder.join(&name), folder.join("../lib").join(&name)];
    places.into_iter().find(|path| path.is_file()).ok_or_else(|| Failure::BadInput {
        what: format!("the library {name} is not beside this program"),
        hint: Some(
            "cargo build --release -p touchdown-capi makes it; --library PATH says where it is".into(),
        ),
    })
}

fn refused(error: ExportError) -> Failure {
    match error {
        ExportError::Scenario(errors) => errors.into(),
        error => Failure::BadInput { what: error.to_string(), hint: None },
    }
}
