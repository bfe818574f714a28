//! Campaigns: thousands of runs that answer one question.
//!
//! A study file (`study`) names a scenario, what varies and what is required ⇒ `make` compares it with the scenario ⇒ a plan (`plan`), immutable, in which a case is a function
//! of seed and index (`sampling`, `marginal`) ⇒ `run` (a `shard`, its cases on threads by `workers`, each by `case`) ⇒ `store` (journal ⇒ parts ⇒ `cases.parquet`) ⇒ `assess` (`stats`) ⇒ `report`.
//! Results depend on plan and index only: not on threads, shards, order or interruptions.
//!
//! ```
//! use touchdown_campaign::{RunOptions, Store, assess, make, read_study_text, run};
//!
//! let study = read_study_text("study.toml", r#"
//!     scenario = "pendulum"
//!     cases = 8
//!     sampling = "sobol"
//!     [vary]
//!     duration_s = { uniform = [0.5, 1.0] }
//! "#, std::path::Path::new("."))?;
//! let folder = std::env::temp_dir().join(format!("touchdown-campaign-{}", std::process::id()));
//! let store = Store::create(&folder, make(&study, "0.1.0", Default::default())?)?;
//! let options = RunOptions { threads: 2, shard: (0, 1), until_decided: false, accept_changes: false, program: ("0.1.0", ""), stop: &|| false };
//! run(&store, &options, &mut |_| {})?;
//! assert_eq!(assess(&store)?.cases, 8);
//! # std::fs::remove_dir_all(&folder).ok();
//! # Ok::<(), touchdown_campaign::CampaignError>(())
//! ```

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod assess;
mod case;
pub mod engine;
mod error;
mod kept;
mod make;
mod marginal;
mod normal;
mod plan;
pub mod report;
mod run;
mod sampling;
mod shard;
pub mod stats;
mod store;
mod study;
mod workers;

pub use assess::{Assessed, Assessment, Counts, Tracker, Trouble, Verdict, assess};
pub use case::{Row, Status, Surroundings, run_case};
pub use error::CampaignError;
pub use kept::{kept, worst};
pub use make::make;
pub use marginal::{Correlated, Marginal, Setting, Vary};
pub use normal::{normal_cdf, normal_density, normal_quantile};
pub use plan::{Named, Plan, Planned};
pub use run::{Ended, Progress, RunOptions, run, try_finish};
pub use sampling::{Sampling, hash::bits as random_bits};
pub use store::{BLOCK, Finished, PLAN, RESULT, Store, Timing, schema};
pub use study::{
    Bound, CaseTable, Chance, Keep, Requirement, STUDY_SCHEMA, Study, read as read_study,
    read_str as read_study_text,
};
