//! `touchdown campaign`: plan, run, submit, status, cancel, assess, report.

pub mod args;
mod assess;
pub mod compare;
mod progress;
pub mod run;
pub mod submit;
pub mod sweep;

use crate::failure::Failure;
use crate::identity;
use crate::output::{count, print, print_json};
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
            CampaignError::Interrupted { .. } => Failure::Other { what, hint: Some("run the same command again to continue".into()) },
            CampaignError::Engine(_) | CampaignError::Other(_) => Failure::Other { what, hint: None },
        }
    }
}

/// Carries out a command.
pub fn campaign(command: &CampaignCommand) -> Result<(), Failure> {
    match command {
        CampaignCommand::Plan { study, out, json } => plan(study, out, *json),
        CampaignCommand::Run(args) => run::run(args),
        CampaignCommand::Submit { dir, engine, shards, threads, options, until_decided, json } => {
            submit::submit(
                dir,
                *engine,
                &submit::Parts { shards: *shards, threads: *threads, options, until_decided: *until_decided },
                *json,
            )
        }
        CampaignCommand::Status { dir, json } => submit::status(dir, *json),
        CampaignCommand::Cancel { dir, json } => submit::cancel(dir, *json),
        CampaignCommand::Assess { dir, json } => assess::assess(dir, *json),
        CampaignCommand::Report { dir, maps, json } => report(dir, maps.as_deref(), *json),
    }
}

fn plan(study: &Path, out: &Path, json: bool) -> Result<(), Failure> {
    let study = read_study(study)?;
    let store = Store::create(out, make(&study, identity::VERSION, identity::build())?)?;
    let plan = &store.planned.plan;
    let file = out.join("plan.json");
    if json {
        return print_json(&serde_json::json!({
            "plan": file, "scenario": plan.scenario, "cases": plan.cases, "sampling": plan.sampling.name(),
            "requirements": plan.requirements, "warnings": plan.warnings,
        }));
    }
    let mut text = format!(
        "{} of {} ({}), {}\n",
        count(plan.cases as usize, "case"),
        plan.scenario,
        plan.sampling.name(),
        count(plan.requirements.len(), "requirement")
    );
    for warning in &plan.warnings {
        text += &format!("note: {warning}\n");
    }
    print(&format!("{text}plan: {}\nrun it: touchdown campaign run {}\n", file.display(), out.display()))
}

/// Writes the page of a campaign; says where it is.
pub fn write_report(store: &Store) -> Result<std::path::PathBuf, Failure> {
    Ok(touchdown_campaign::report::write(store)?)
}

fn report(dir: &Path, maps: Option<&Path>, json: bool) -> Result<(), Failure> {
    let store = Store::open(dir)?;
    let path = write_report(&store)?;
    let maps = match maps {
        Some(folder) => touchdown_campaign::report::write_maps(&store, folder)?,
        None => Vec::new(),
    };
    if json {
        return print_json(&serde_json::json!({ "report": path, "maps": maps }));
    }
    let mut text = format!("report: {}\n", path.display());
    for map in maps {
        text += &format!("map: {}\n", map.display());
    }
    print(&text)
}
