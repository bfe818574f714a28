//! `touchdown campaign`: plan, run, submit, status, cancel, assess, report.

pub mod args;
mod assess;
pub mod compare;
mod progress;
mod run;
mod submit;
pub mod sweep;

use crate::failure::Failure;
use crate::identity;
use crate::output::{count, print};
use args::CampaignCommand;
use std::path::Path;
use touchdown_campaign::{CampaignError, Store, make, read_study};
use touchdown_record::RecordError;

impl From<CampaignError> for Failure {
    fn from(error: CampaignError) -> Self {
        let what = error.to_string();
        match error {
            CampaignError::Mistakes(errors) => errors.into(),
            CampaignError::Record(RecordError::Busy { .. }) => Failure::Other {
                what,
                hint: Some("another process works on this shard; wait for it, or run another --shard".into()),
            },
            CampaignError::Record(error) => error.into(),
            CampaignError::Plan { .. } => Failure::BadInput {
                what,
                hint: Some("touchdown campaign plan STUDY --out ANOTHER_DIR makes a new one; results stay as they are".into()),
            },
            CampaignError::Store { .. } => Failure::BadInput { what, hint: None },
            CampaignError::Changed { .. } => Failure::BadInput {
                what,
                hint: Some("restore the files, plan again in another folder, or use --accept-changes".into()),
            },
            CampaignError::Interrupted { .. } => Failure::Other { what, hint: Some("the same command goes on".into()) },
            CampaignError::Engine(_) | CampaignError::Other(_) => Failure::Other { what, hint: None },
        }
    }
}

/// Carries out a command.
pub fn campaign(command: &CampaignCommand) -> Result<(), Failure> {
    match command {
        CampaignCommand::Plan { study, out } => plan(study, out),
        CampaignCommand::Run(args) => run::run(args),
        CampaignCommand::Submit { dir, engine, shards, threads, options, until_decided } => submit::submit(
            dir,
            *engine,
            &submit::Parts { shards: *shards, threads: *threads, options, until_decided: *until_decided },
        ),
        CampaignCommand::Status { dir, json } => submit::status(dir, *json),
        CampaignCommand::Cancel { dir } => submit::cancel(dir),
        CampaignCommand::Assess { dir, json } => assess::assess(dir, *json),
        CampaignCommand::Report { dir } => report(dir),
    }
}

fn plan(study: &Path, out: &Path) -> Result<(), Failure> {
    let study = read_study(study)?;
    let store = Store::create(out, make(&study, identity::VERSION, identity::build())?)?;
    let plan = &store.planned.plan;
    let mut text = format!(
        "{} of {} ({}), {} required\n",
        count(plan.cases as usize, "case"),
        plan.scenario,
        plan.sampling.name(),
        count(plan.requirements.len(), "thing")
    );
    for warning in &plan.warnings {
        text += &format!("note: {warning}\n");
    }
    print(&format!(
        "{text}plan: {}\nrun it: touchdown campaign run {}\n",
        out.join("plan.json").display(),
        out.display()
    ))
}

/// Writes the page of a campaign; says where it is.
pub fn write_report(store: &Store) -> Result<std::path::PathBuf, Failure> {
    Ok(touchdown_campaign::report::write(store)?)
}

fn report(dir: &Path) -> Result<(), Failure> {
    let store = Store::open(dir)?;
    let path = write_report(&store)?;
    print(&format!("report: {}\n", path.display()))
}
