//! A run kept in memory, with a controller in the loop if there is one.

use crate::errors::{self, AdvanceFailed, Error};
use crate::simulation::PySimulation;
use crate::view::Nothing;
use crate::watch::Watch;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Instant;
use touchdown_record::replay::Live;
use touchdown_record::{RunInfo, Scene};
use touchdown_session::Kept;
use touchdown_sim::sink::{Column, Frame, NamedValue, Outcome, Progress, Sink, SinkError, SoilNode};
use touchdown_sim::{AdvanceError, PacedError, RunError, Simulation};

/// Results of a run.
#[pyclass(name = "RunData", module = "touchdown", frozen)]
pub struct PyRun {
    kept: Kept,
    columns: Vec<Column>,
    outcome: Outcome,
    info: RunInfo,
    scene: Scene,
    wall_time: f64,
}

#[pymethods]
impl PyRun {
    /// All rows: an array of rows × columns.
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        PyArray1::from_slice(py, self.kept.values()).reshape([self.kept.rows(), self.columns.len()])
    }

    /// Name, unit, frame and meaning of each column.
    fn column_table(&self) -> Vec<(String, String, String, String)> {
        let row = |c: &Column| (c.name.clone(), c.unit.into(), c.frame.into(), c.about.clone());
        self.columns.iter().map(row).collect()
    }

    /// Answers, ledger, checks and warnings, as JSON.
    fn outcome_json(&self) -> String {
        outcome_json(&self.outcome).to_string()
    }

    /// Name of the scenario.
    #[getter]
    fn name(&self) -> &str {
        &self.info.scenario
    }

    /// Title of the scenario.
    #[getter]
    fn title(&self) -> &str {
        &self.info.title
    }

    /// What the scenario asks, and the name of the quantity that answers.
    #[getter]
    fn question(&self) -> (String, String) {
        (self.info.report.question.clone(), self.info.report.answer.clone())
    }

    /// Time that the run took, s.
    #[getter]
    fn wall_time(&self) -> f64 {
        self.wall_time
    }

    /// Frames that were kept.
    #[getter]
    fn frame_count(&self) -> usize {
        self.kept.frames().len()
    }

    /// Writes the run folder.
    fn write(&self, py: Python<'_>, folder: PathBuf, overwrite: bool) -> PyResult<()> {
        let what = (&self.info, &self.columns[..], &self.scene);
        py.detach(|| self.kept.write(&folder, what, (&self.outcome, self.wall_time), overwrite))
            .map_err(|error| errors::RecordError::new_err(error.to_string()))
    }
}

/// Writes the report of a run folder.
#[pyfunction]
pub fn write_report(py: Python<'_>, folder: PathBuf) -> PyResult<()> {
    py.detach(|| touchdown_record::report::write(&folder))
        .map(|_| ())
        .map_err(|error| errors::RecordError::new_err(error.to_string()))
}

/// A page with the replay of a run folder in at most `budget` bytes, if there is anything to play.
#[pyfunction]
pub fn replay_page(py: Python<'_>, folder: PathBuf, budget: usize) -> Option<String> {
    py.detach(|| touchdown_record::report::replay_page(&folder, budget))
}

/// Where rows and frames go: into memory, and onto the page of a view.
struct Taken {
    kept: Kept,
    live: Option<Live<Nothing>>,
}

impl Sink for Taken {
    fn series(&mut self, row: &[f64]) -> Result<(), SinkError> {
        self.live.as_mut().map_or(Ok(()), |live| live.series(row))?;
        self.kept.series(row)
    }

    fn frame(&mut self, frame: &Frame) -> Result<(), SinkError> {
        self.live.as_mut().map_or(Ok(()), |live| live.frame(frame))?;
        self.kept.frame(frame)
    }

    fn checkpoint(&mut self, _: &[u8], _: u64, _: u64) -> Result<(), SinkError> {
        Ok(())
    }

    fn surface(&mut self, nodes: &[SoilNode]) -> Result<(), SinkError> {
        self.kept.surface(nodes)
    }

    fn progress(&mut self, _: Progress) {}
}

/// Keeps a run, and looks at signals meanwhile.
struct Watched<'a> {
    taken: Taken,
    watch: Watch,
    shown: Option<&'a mut (dyn FnMut(f64) -> PyResult<()> + Send)>,
}

impl Sink for Watched<'_> {
    fn series(&mut self, row: &[f64]) -> Result<(), SinkError> {
        self.taken.series(row)
    }

    fn frame(&mut self, frame: &Frame) -> Result<(), SinkError> {
        self.taken.frame(frame)
    }

    fn checkpoint(&mut self, _: &[u8], _: u64, _: u64) -> Result<(), SinkError> {
        Ok(())
    }

    fn surface(&mut self, nodes: &[SoilNode]) -> Result<(), SinkError> {
        self.taken.surface(nodes)
    }

    fn progress(&mut self, progress: Progress) {
        if self.watch.is_due()
            && let Some(show) = &mut self.shown
            && let Err(raised) = show(progress.time)
        {
            self.watch.raised = Some(raised);
        }
        self.watch.go_on();
    }

    fn is_stop_requested(&self) -> bool {
        self.watch.raised.is_some()
    }
}

/// Runs from the present state; a controller is called at multiples of `dt`, with the simulation free for it to use.
pub fn run(
    slf: &Bound<'_, PySimulation>,
    controller: Option<Bound<'_, PyAny>>,
    (dt, until): (Option<f64>, Option<f64>),
    frames: bool,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<PyRun> {
    let this = slf.get();
    let (columns, end, start) = {
        let sim = this.lock()?;
        (sim.columns().to_vec(), sim.description().duration, sim.time())
    };
    let until = until.unwrap_or(end);
    if !(until >= start && until <= end) {
        let error = AdvanceError::Time { found: until, now: start, end };
        return Err(errors::of_advance(error));
    }
    let progress = progress.map(Bound::unbind);
    let mut show = |t: f64| match &progress {
        Some(call) => Python::attach(|py| call.call1(py, (t, until)).map(|_| ())),
        None => Ok(()),
    };
    let shown: Option<&mut (dyn FnMut(f64) -> PyResult<()> + Send)> =
        if progress.is_some() { Some(&mut show) } else { None };
    let taken = Taken { kept: Kept::new(columns.len(), frames), live: this.take_live() };
    let mut watched = Watched { taken, watch: Watch::new(), shown };
    let clock = Instant::now();
    let made = run_watched(slf, controller.as_ref(), (dt, until, end), &mut watched);
    let Watched { taken: Taken { kept, mut live }, watch, .. } = watched;
    // The page goes on with the next run.
    live.iter_mut().for_each(Live::hand_over);
    this.put_live(live);
    let outcome = made?;
    watch.result()?;
    let sim = this.lock()?;
    let (info, scene) = (info(this, &sim), Scene::of(&sim));
    Ok(PyRun { kept, columns, outcome, info, scene, wall_time: clock.elapsed().as_secs_f64() })
}

/// Runs to `until`, with the controller if there is one.
fn run_watched(
    slf: &Bound<'_, PySimulation>,
    controller: Option<&Bound<'_, PyAny>>,
    (dt, until, end): (Option<f64>, f64, f64),
    watched: &mut Watched,
) -> PyResult<Outcome> {
    if let Some(controller) = controller {
        steer(slf, controller, (dt, until), watched)?;
    } else if until < end {
        hold(slf, until, watched)?;
    }
    let mut guard = slf.get().lock()?;
    let sim: &mut Simulation = &mut guard;
    if until < end && !sim.is_over() {
        return Ok(sim.outcome());
    }
    match slf.py().detach(|| sim.run(watched)) {
        Ok(outcome) => Ok(outcome),
        Err(RunError::Interrupted { time }) => {
            let said = || Error::new_err(format!("interrupted at t = {time:.6} s"));
            Err(watched.watch.raised.take().unwrap_or_else(said))
        }
        Err(error) => Err(errors::of_run(error)),
    }
}

/// What a manifest says of a run.
pub fn info(this: &PySimulation, sim: &Simulation) -> RunInfo {
    match &this.fixed.scenario {
        Some(scenario) => {
            touchdown_session::info(scenario, sim, 1, format!("touchdown.load({:?})", scenario.name))
        }
        None => touchdown_session::info_without_scenario(&this.fixed.name, 1, "touchdown.World()".into()),
    }
}

/// Calls the controller, commands what it returns, advances by `dt`, until the end.
fn steer(
    slf: &Bound<'_, PySimulation>,
    controller: &Bound<'_, PyAny>,
    (dt, until): (Option<f64>, f64),
    watched: &mut Watched,
) -> PyResult<()> {
    let dt = dt.unwrap_or(0.02);
    if !(dt > 0.0 && dt.is_finite()) {
        return Err(PyValueError::new_err(format!("dt must be a number of seconds above 0, found {dt}")));
    }
    let this = slf.get();
    let from = this.lock()?.time();
    for call in 1.. {
        let (now, over) = {
            let sim = this.lock()?;
            (sim.time(), sim.is_over())
        };
        if over || now >= until {
            return Ok(());
        }
        let commands = controller.call1((slf,))?;
        if !commands.is_none() {
            command(this, &commands)?;
        }
        // Counted from the start, so that no error builds up.
        if !hold(slf, (from + call as f64 * dt).min(until), watched)? {
            return Ok(());
        }
    }
    Ok(())
}

/// Commands a mapping of names to values.
fn command(this: &PySimulation, commands: &Bound<'_, PyAny>) -> PyResult<()> {
    let Ok(items) = commands.call_method0("items") else {
        let kind = commands.get_type().name()?;
        return Err(PyValueError::new_err(format!(
            "a controller returns None or a mapping of inputs to values, found {kind}"
        )));
    };
    let mut sim = this.lock()?;
    for item in items.try_iter()? {
        let (name, value): (String, f64) = item?.extract()?;
        sim.command(&name, value).map_err(errors::of_input)?;
    }
    Ok(())
}

/// Advances with recording, without Python's lock. Returns whether the numbers held.
fn hold(slf: &Bound<'_, PySimulation>, t: f64, watched: &mut Watched) -> PyResult<bool> {
    let mut guard = slf.get().lock()?;
    let sim: &mut Simulation = &mut guard;
    // What Python is asked for now and then lies beside the sink, since both are written.
    let nobody = Taken { kept: Kept::new(0, false), live: None };
    let mut sink = std::mem::replace(&mut watched.taken, nobody);
    let watch = &mut watched.watch;
    let made = slf.py().detach(|| sim.advance_while(t, Some(&mut sink), &mut || watch.go_on()));
    watched.taken = sink;
    if let Some(show) = &mut watched.shown
        && watched.watch.raised.is_none()
    {
        show(sim.time())?;
    }
    if let Some(raised) = watched.watch.raised.take() {
        return Err(raised);
    }
    match made {
        Ok(_) => Ok(true),
        // The run ends with this reason in its outcome: the next step fails in the same way.
        Err(PacedError::Advance(AdvanceError::Step { .. } | AdvanceError::Over { .. })) => Ok(false),
        Err(PacedError::Advance(error)) => Err(AdvanceFailed::new_err(error.to_string())),
        Err(error) => Err(errors::of_paced(error)),
    }
}

/// An outcome as JSON, with the keys of `summary.json`.
pub fn outcome_json(outcome: &Outcome) -> Value {
    let values = |list: &[NamedValue]| -> Vec<Value> {
        let one =
            |v: &NamedValue| json!({"name": v.name, "value": v.value, "unit": v.unit, "about": v.about});
        list.iter().map(one).collect()
    };
    let checks: Vec<Value> = outcome
        .validity
        .iter()
        .map(|c| {
            json!({"name": c.name, "value": c.value, "limit": c.limit, "at_most": c.at_most, "unit": c.unit,
                   "about": c.about, "holds": c.holds()})
        })
        .collect();
    let words =
        outcome.words.iter().map(|w| json!({"name": w.name, "value": w.word, "unit": "", "about": w.about}));
    let quantities: Vec<Value> = values(&outcome.quantities).into_iter().chain(words).collect();
    json!({
        "finished": outcome.finished,
        "stopped_because": outcome.stopped_because,
        "sim_time_s": outcome.sim_time,
        "steps": outcome.steps,
        "state_blake3": outcome.state_blake3,
        "quantities": quantities,
        "ledger": values(&outcome.ledger),
        "validity": checks,
        "warnings": outcome.warnings,
    })
}
