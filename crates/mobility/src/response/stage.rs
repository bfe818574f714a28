//! Which campaign is next, until the table is there. The caller runs the campaigns; nothing here waits.
//!
//! Each soil has a design (Sobol' points), refinements in batches of [`BATCH`], and held-out cases, each a campaign in `response/SOIL/`. A batch is chosen from the
//! finished campaigns before it, once, and its plan is written before it runs: who comes later finds the same plan.

use super::asked::{Asked, Refusal, written};
use super::cases::{Run, runs};
use super::export::{Batch, CASES, parquet};
use super::held_out::{HELD_OUT, compare};
use super::refine::{Candidate, choose};
use super::saved::{SURROGATE, Saved, SoilReport};
use super::space::{ROUGH, Space};
use super::tabulate::{OneSoil, axes, draws};
use crate::binding::hold;
use crate::surrogate::{Case, Frame, Surrogate};
use crate::table::ResponseTable;
use std::path::Path;
use touchdown_campaign::{
    CampaignError, CaseTable, PLAN, Planned, Sampling, Setting, Store, Study, make, read_study_text,
};
use touchdown_record::{Build, Place, RecordError};

/// Cases of a refinement.
const BATCH: u64 = 20;
/// Places among which a refinement chooses.
const CANDIDATES: u64 = 400;
/// Least cases of a design, if there are so many.
const LEAST_DESIGN: u64 = 20;
const ASKED: &str = "response.json";
const RESPONSE: &str = "response";
/// Name of the first campaign of a soil.
const DESIGN: &str = "design";
/// Left and right are mirror images, and noise grows with roughness.
const FRAME: Frame = Frame { mirrored: true, rough: Some(ROUGH) };

/// Which program plans, to the bit.
#[derive(Clone, Debug)]
pub struct Program {
    /// Version.
    pub version: String,
    /// Build.
    pub build: Build,
}

/// How much of the map each slope (degrees) of a soil has; for new cases, any scale.
pub type Weights<'a> = &'a dyn Fn(&str, f64) -> f64;

/// What is to be done next.
pub enum Next {
    /// This campaign is to be run to its end.
    Run(Box<Store>),
    /// All is there.
    Done(Box<Saved>),
}

/// Why a stage cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum StageError {
    /// What is asked makes no sense.
    #[error("{0}")]
    Refused(#[from] Refusal),
    /// A campaign cannot be planned or read.
    #[error("{0}")]
    Campaign(#[from] CampaignError),
    /// The disk refused, or a folder is not ours.
    #[error("{0}")]
    Record(#[from] RecordError),
}

/// The response stage of a folder.
#[derive(Debug)]
pub struct Stage {
    place: Place,
    asked: Asked,
    program: Program,
}

fn refused<T>(what: String, hint: &str) -> Result<T, StageError> {
    Err(Refusal { what, hint: Some(hint.into()) }.into())
}

impl Stage {
    /// Opens a folder for what is asked; one that was asked something else is refused.
    pub fn open(dir: &Path, asked: Asked, program: Program) -> Result<Stage, StageError> {
        asked.check()?;
        match hold(dir, ASKED, &asked)? {
            Ok(place) => Ok(Stage { place, asked, program }),
            Err(other) => refused(format!("{}: {}", other.file, other.why), "choose another folder"),
        }
    }

    /// What is next.
    pub fn next(&self, weights: Weights) -> Result<Next, StageError> {
        if let Some(saved) = Saved::read(&self.place).map_err(CampaignError::Other)? {
            return Ok(Next::Done(Box::new(saved)));
        }
        let mut all = Vec::new();
        for name in &self.asked.soils {
            let mut soil = OfSoil::open(self, name)?;
            if let Some(store) = soil.next(weights)? {
                return Ok(Next::Run(Box::new(store)));
            }
            all.push(soil);
        }
        self.finish(&all).map(|saved| Next::Done(Box::new(saved)))
    }

    fn finish(&self, all: &[OfSoil]) -> Result<Saved, StageError> {
        let (slopes, headings) = axes(self.asked.slope_max_deg);
        let (mut nodes, mut reports) = (Vec::new(), Vec::new());
        for soil in all {
            let (surrogate, cross_validation) =
                soil.fit(|cases| Surrogate::fit(cases, soil.design, FRAME))?;
            let draws = draws(soil.fitted.iter().map(|run| &run.scores), &self.asked);
            let one = OneSoil {
                surrogate: &surrogate,
                space: &soil.space,
                draws: &draws,
                roughness_m: self.asked.roughness_m,
            };
            let of_soil = one.nodes(&slopes, &headings);
            let count = |yes: fn(&Case) -> bool| soil.fitted.iter().filter(|run| yes(&run.case)).count();
            reports.push(SoilReport {
                soil: soil.name.into(),
                cases: soil.fitted.len(),
                stuck: count(|case| case.stuck),
                left_validity: count(|case| !case.valid),
                cross_validation,
                table: one.error(&of_soil, &slopes, &headings),
                held_out: compare(&surrogate, (&soil.fitted, soil.design), &soil.held_out),
            });
            nodes.extend(of_soil);
        }
        let table = ResponseTable::new(self.asked.soils.clone(), slopes, headings, nodes);
        let table = table.map_err(|e| CampaignError::Other(e.to_string()))?;
        let saved = Saved::new(self.asked.clone(), reports, table);
        let batches: Vec<Batch> = all
            .iter()
            .flat_map(|soil| {
                let batch = move |(batch, store)| Batch { soil: soil.name, batch, store };
                soil.stores.iter().map(|(name, store)| (name.clone(), store)).map(batch)
            })
            .collect();
        self.place.write(CASES, &parquet(&batches)?)?;
        self.place.write(SURROGATE, &saved.bytes()?)?;
        // As the file has it, to the bit: whoever reads it later makes the same map.
        let read = Saved::read(&self.place).map_err(CampaignError::Other)?;
        read.map_or_else(|| refused(format!("{SURROGATE} vanished"), "run the same command again"), Ok)
    }
}

/// One soil: its campaigns that have ended, and their runs.
struct OfSoil<'a> {
    stage: &'a Stage,
    name: &'a str,
    place: Place,
    space: Space,
    stores: Vec<(String, Store)>,
    fitted: Vec<Run>,
    /// How many of them are those of the design, which come first.
    design: usize,
    held_out: Vec<Run>,
}

impl<'a> OfSoil<'a> {
    fn open(stage: &'a Stage, name: &'a str) -> Result<OfSoil<'a>, StageError> {
        let place = stage.place.make_below(RESPONSE)?.make_below(name)?;
        let space = Space::new(stage.asked.roughness_max_m, &stage.asked.scatter(name)?);
        Ok(OfSoil {
            stage,
            name,
            place,
            space,
            stores: Vec::new(),
            fitted: Vec::new(),
            design: 0,
            held_out: Vec::new(),
        })
    }

    /// The campaign that is to be run next; none where all have ended.
    fn next(&mut self, weights: Weights) -> Result<Option<Store>, StageError> {
        let asked = &self.stage.asked;
        let design = (asked.cases * 3 / 5).max(LEAST_DESIGN.min(asked.cases));
        let plan = |s: &Self| Ok(s.plan(&s.study((design, asked.seed, "sobol"))?)?);
        if let Some(store) = self.campaign(DESIGN.into(), &plan)? {
            return Ok(Some(store));
        }
        let mut planned = design;
        for batch in 1.. {
            let count = BATCH.min(asked.cases.saturating_sub(planned));
            if count == 0 {
                break;
            }
            let plan = |s: &Self| s.refinement(batch, count, weights);
            if let Some(store) = self.campaign(format!("refined-{batch:02}"), &plan)? {
                return Ok(Some(store));
            }
            planned += count;
        }
        if asked.held_out == 0 {
            return Ok(None);
        }
        let seed = asked.seed.wrapping_add(1) ^ (1 << 40);
        let plan = |s: &Self| Ok(s.plan(&s.study((asked.held_out, seed, "random"))?)?);
        self.campaign(HELD_OUT.into(), &plan)
    }

    /// A campaign of this soil: returned if it has not ended, read if it has.
    fn campaign(
        &mut self,
        name: String,
        plan: &dyn Fn(&Self) -> Result<Planned, StageError>,
    ) -> Result<Option<Store>, StageError> {
        let dir = self.place.path_of(&name);
        let store =
            if dir.join(PLAN).exists() { Store::open(&dir)? } else { Store::create(&dir, plan(self)?)? };
        if store.finished()?.is_none() {
            return Ok(Some(store));
        }
        let found = runs(&store, &self.space)?;
        if name == HELD_OUT {
            self.held_out = found;
        } else {
            self.fitted.extend(found);
            if name == DESIGN {
                self.design = self.fitted.len();
            }
        }
        self.stores.push((name, store));
        Ok(None)
    }

    fn study(&self, how: (u64, u64, &str)) -> Result<Study, StageError> {
        let text = self.stage.asked.study(self.name, how)?;
        Ok(read_study_text("mobility", &text, Path::new(".")).map_err(CampaignError::from)?)
    }

    fn plan(&self, study: &Study) -> Result<Planned, CampaignError> {
        make(study, &self.stage.program.version, self.stage.program.build.clone())
    }

    /// What is fitted to the cases so far.
    fn fit<T>(&self, fit: impl FnOnce(&[Case]) -> Option<T>) -> Result<T, StageError> {
        let cases: Vec<Case> = self.fitted.iter().map(|run| run.case.clone()).collect();
        match fit(&cases) {
            Some(fitted) => Ok(fitted),
            None => refused(
                format!("no case on {} has an answer", self.name),
                "touchdown campaign assess DIR/response/SOIL/design says why",
            ),
        }
    }

    /// The plan of a batch of new cases: the best of many places for what is known so far.
    fn refinement(&self, batch: u64, count: u64, weights: Weights) -> Result<Planned, StageError> {
        let seed = self.stage.asked.seed.wrapping_add(batch) ^ (1 << 41);
        let mut study = self.study((CANDIDATES, seed, "sobol"))?;
        let all = self.plan(&study)?;
        let names = all.input_names();
        let candidate = |index: u64| {
            let inputs = all.inputs(index);
            let (place, _) = self.space.of_inputs(&names, &inputs)?;
            let slope = names.iter().position(|n| *n == "slope_deg")?;
            Some((Candidate { slope_deg: inputs[slope].number()?, place }, inputs))
        };
        let (candidates, inputs): (Vec<Candidate>, Vec<_>) = (0..CANDIDATES).filter_map(candidate).unzip();
        let weight = |slope: f64| weights(self.name, slope);
        let draft = self.fit(|cases| Surrogate::draft(cases, FRAME, None))?;
        let chosen = choose(&candidates, &draft, &weight, count as usize);
        let row = |k: usize| {
            inputs[k].iter().map(|v| v.number().map_or(v.clone(), |x| Setting::Number(written(x))))
        };
        let rows: Vec<Vec<Setting>> = chosen.into_iter().map(|k| row(k).collect()).collect();
        let lines: Vec<String> =
            rows.iter().map(|row| row.iter().map(|v| v.written("")).collect::<Vec<_>>().join(",")).collect();
        let blake3 = blake3::hash(lines.join("\n").as_bytes()).to_hex().to_string();
        let knobs = names.iter().map(|n| n.to_string()).collect();
        study.vary.clear();
        (study.sampling, study.cases) = (Sampling::Grid, rows.len() as u64);
        study.table = Some(CaseTable { knobs, rows, blake3 });
        Ok(self.plan(&study)?)
    }
}
