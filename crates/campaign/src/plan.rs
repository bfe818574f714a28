//! The plan: everything that determines a case, written once and never changed. A case is a function of plan and index; no case is stored.

use crate::error::CampaignError;
use crate::marginal::{Correlated, Setting, Vary};
use crate::sampling::{Sampler, Sampling, digits};
use crate::study::{CaseTable, Keep, Requirement};
use serde::{Deserialize, Serialize};
use touchdown_record::Build;

/// Format of `plan.json`.
pub(crate) const FORMAT: u32 = 1;

/// A column of the result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    /// Name without the part before its first dot.
    pub name: String,
    /// Unit as printed; `1` where there is none.
    pub unit: String,
    /// What it is.
    pub about: String,
}

/// A file that the scenario reads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// Hash of its content.
    pub blake3: String,
}

/// A value that was assumed by the scenario.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssumedInput {
    /// Dotted path.
    pub path: String,
    /// The values, as text.
    pub values: String,
    /// The reason given.
    pub reason: String,
}

/// A plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Format of the file.
    pub format: u32,
    /// Version of the program.
    pub version: String,
    /// Which program it is, to the bit.
    pub build: Build,
    /// What is asked.
    pub title: String,
    /// A built-in scenario or a file.
    pub scenario: String,
    /// Its title.
    pub scenario_title: String,
    /// Settings of all cases.
    pub set: Vec<String>,
    /// Files that the scenario reads, with their hashes.
    pub inputs: Vec<Input>,
    /// What the scenario assumes.
    pub assumed: Vec<AssumedInput>,
    /// Number of cases.
    pub cases: u64,
    /// Seed of the draws.
    pub seed: u64,
    /// How cases are spread.
    pub sampling: Sampling,
    /// What varies.
    pub vary: Vec<Vary>,
    /// Units of what varies, in the same order.
    pub units: Vec<String>,
    /// What varies together.
    pub correlated: Vec<Correlated>,
    /// Cases from a table.
    pub table: Option<CaseTable>,
    /// What is required.
    pub requirements: Vec<Requirement>,
    /// Quantities of the result.
    pub quantities: Vec<Named>,
    /// The quantity that the report answers with, one of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// Columns whose last values are in the result.
    pub columns: Vec<String>,
    /// Checks of validity of the result.
    pub checks: Vec<Named>,
    /// Which runs are kept.
    pub keep: Keep,
    /// Cases between two looks.
    pub look_every: u64,
    /// What a reader should know.
    pub warnings: Vec<String>,
}

/// A plan ready to make cases.
#[derive(Clone, Debug)]
pub struct Planned {
    /// The plan.
    pub plan: Plan,
    /// Its hash, which every file of the campaign carries.
    pub hash: String,
    sampler: Sampler,
    radices: Vec<u64>,
}

/// The text between the content of a plan and its hash.
const SEAL: &str = ",\n  \"blake3\": \"";

impl Planned {
    /// Makes a plan ready.
    pub fn new(plan: Plan) -> Result<Planned, CampaignError> {
        let hash = blake3::hash(body(&plan)?.as_bytes()).to_hex().to_string();
        let dimensions = plan.vary.len() + usize::from(plan.table.is_some());
        let sampler = Sampler::new(plan.sampling, plan.seed, plan.cases, dimensions);
        let rows = plan.table.as_ref().map_or(1, |t| t.rows.len() as u64);
        let listed = plan.vary.iter().map(|v| v.values().map_or(1, |v| v.len() as u64));
        let radices = listed.chain(plan.table.is_some().then_some(rows)).collect();
        Ok(Planned { plan, hash, sampler, radices })
    }

    /// The file: the plan as JSON whose last entry is the hash of all before it.
    pub fn text(&self) -> Result<String, CampaignError> {
        let body = body(&self.plan)?;
        let open = body.strip_suffix("\n}\n").unwrap_or(&body);
        Ok(format!("{open}{SEAL}{}\"\n}}\n", self.hash))
    }

    /// Reads `plan.json`; one that was changed by hand is refused.
    pub fn read(bytes: &[u8], place: &std::path::Path) -> Result<Planned, CampaignError> {
        let refuse = |why: String| CampaignError::Plan { path: place.to_path_buf(), why };
        let text = std::str::from_utf8(bytes).map_err(|_| refuse("it is not text".into()))?;
        let (open, rest) =
            text.rsplit_once(SEAL).ok_or_else(|| refuse("it does not end with its hash".into()))?;
        let body = format!("{open}\n}}\n");
        let hash = blake3::hash(body.as_bytes()).to_hex().to_string();
        if rest != format!("{hash}\"\n}}\n") {
            return Err(refuse(
                "it was changed after it was written: its content does not match its hash".into(),
            ));
        }
        let plan: Plan = serde_json::from_str(&body).map_err(|e| refuse(e.to_string()))?;
        if plan.format != FORMAT {
            return Err(refuse(format!("its format is {}, this program knows {FORMAT}", plan.format)));
        }
        Planned::new(plan)
    }

    /// Names of the inputs, in the order of [`Planned::inputs`].
    pub fn input_names(&self) -> Vec<&str> {
        let table = self.plan.table.iter().flat_map(|t| &t.knobs);
        self.plan.vary.iter().map(|v| &v.name).chain(table).map(String::as_str).collect()
    }

    /// Values of all inputs of a case.
    pub fn inputs(&self, index: u64) -> Vec<Setting> {
        let plan = &self.plan;
        let row = |k: u64| plan.table.as_ref().map_or(Vec::new(), |t| t.rows[k as usize].clone());
        if plan.sampling == Sampling::Grid {
            let digits = digits(index, &self.radices);
            let pick = |(v, k): (&Vary, &u64)| v.values().map_or(v.at(0.5), |all| all[*k as usize].clone());
            let mut out: Vec<Setting> = plan.vary.iter().zip(&digits).map(pick).collect();
            out.extend(row(digits.last().copied().unwrap_or(0)));
            return out;
        }
        let mut point = self.sampler.point(index);
        plan.correlated.iter().for_each(|group| group.apply(&mut point));
        let mut out: Vec<Setting> = plan.vary.iter().zip(&point).map(|(v, u)| v.at(*u)).collect();
        if let Some(table) = &plan.table {
            let n = table.rows.len() as u64;
            let u = point.last().copied().unwrap_or(0.5);
            out.extend(row(((u * n as f64) as u64).min(n - 1)));
        }
        out
    }

    /// Settings of a case, as `--set` takes them.
    pub fn sets(&self, index: u64) -> Vec<String> {
        let units = self.plan.vary.iter().map(|v| v.unit.as_str()).chain(std::iter::repeat(""));
        let values = self.inputs(index);
        let names = self.input_names();
        let own = names
            .iter()
            .zip(units)
            .zip(&values)
            .map(|((name, unit), v)| format!("{name}={}", v.written(unit)));
        self.plan.set.iter().cloned().chain(own).collect()
    }

    /// Indices of a shard: the `i`-th of `n` equal parts.
    pub fn shard(&self, i: u64, n: u64) -> std::ops::Range<u64> {
        let cut = |k: u64| (u128::from(k) * u128::from(self.plan.cases) / u128::from(n)) as u64;
        cut(i)..cut(i + 1)
    }
}

fn body(plan: &Plan) -> Result<String, CampaignError> {
    let text = serde_json::to_string_pretty(plan);
    text.map(|t| t + "\n").map_err(|e| CampaignError::Other(format!("writing a plan: {e}")))
}
