//! `touchdown.Simulation`: command, step, observe, save, restore, fork, reset, run.

use crate::errors::{self, BusyError, UnknownName};
use crate::knobs::settings;
use crate::run::{self, PyRun};
use crate::view::{self, Nothing, PyView};
use crate::watch::Watch;
use numpy::{PyArray1, PyArrayMethods, PyReadwriteArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use touchdown_record::replay::Live;
use touchdown_scenario::Scenario;
use touchdown_sim::{Simulation, State};

/// A state that was saved.
#[pyclass(name = "State", module = "touchdown", frozen)]
pub struct PyState(pub State);

#[pymethods]
impl PyState {
    /// From the bytes of `State.to_bytes`.
    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<PyState> {
        State::from_bytes(bytes).map(PyState).map_err(errors::of_state)
    }

    /// Simulated time, s.
    #[getter]
    fn time(&self) -> f64 {
        self.0.t
    }

    /// As bytes, for files and other processes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.to_bytes())
    }

    /// BLAKE3 hash: equal hashes go on with equal bits.
    fn blake3(&self) -> String {
        self.0.blake3()
    }

    fn __eq__(&self, other: &PyState) -> bool {
        self.0 == other.0
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        Ok((py.get_type::<PyState>().getattr("from_bytes")?, (self.to_bytes(py),)))
    }

    fn __repr__(&self) -> String {
        format!("<touchdown.State at t = {} s>", self.0.t)
    }
}

/// What does not change while a simulation runs.
pub struct Fixed {
    /// The scenario it came from; none for a world that a program put together.
    pub scenario: Option<Scenario>,
    /// What it is called in run folders.
    pub name: String,
    columns: HashMap<String, usize>,
    inputs: HashMap<String, usize>,
}

/// A running world.
#[pyclass(name = "Simulation", module = "touchdown", frozen)]
pub struct PySimulation {
    inner: Mutex<Simulation>,
    /// What feeds the page of a view, while no run does.
    live: Mutex<Option<Live<Nothing>>>,
    pub fixed: Arc<Fixed>,
}

impl PySimulation {
    pub fn new(sim: Simulation, scenario: Option<Scenario>, name: &str) -> PySimulation {
        let columns = sim.columns().iter().enumerate().map(|(k, c)| (c.name.clone(), k)).collect();
        let inputs = sim.inputs().iter().enumerate().map(|(k, i)| (i.name.clone(), k)).collect();
        let fixed = Arc::new(Fixed { scenario, name: name.into(), columns, inputs });
        PySimulation { inner: Mutex::new(sim), live: Mutex::default(), fixed }
    }

    /// The engine, unless another thread is stepping it.
    pub fn lock(&self) -> PyResult<MutexGuard<'_, Simulation>> {
        match self.inner.try_lock() {
            Ok(guard) => Ok(guard),
            Err(TryLockError::WouldBlock) => Err(BusyError::new_err(
                "this simulation is being stepped by another thread or by run(); give each thread its own (sim.fork())",
            )),
            // A panic of the engine leaves its state as it was at the last accepted step; it must not be used on.
            Err(TryLockError::Poisoned(_)) => {
                Err(BusyError::new_err("this simulation broke off in an earlier call; load it again"))
            }
        }
    }

    /// What feeds the page of a view; none where there is none.
    pub fn take_live(&self) -> Option<Live<Nothing>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// For the next run.
    pub fn put_live(&self, live: Option<Live<Nothing>>) {
        *self.live.lock().unwrap_or_else(PoisonError::into_inner) = live;
    }

    fn column_index(&self, sim: &Simulation, name: &str) -> PyResult<usize> {
        match self.fixed.columns.get(name) {
            Some(k) => Ok(*k),
            None => sim.column(name).map_err(errors::of_observe),
        }
    }

    fn columns_of(&self, sim: &Simulation, columns: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
        if let Ok(name) = columns.extract::<String>() {
            return Err(PyValueError::new_err(format!(
                "observe takes a list of columns, found the text {name:?}; sim[{name:?}] reads one"
            )));
        }
        let one = |item: PyResult<Bound<'_, PyAny>>| -> PyResult<usize> {
            let item = item?;
            if let Ok(name) = item.cast::<pyo3::types::PyString>() {
                return self.column_index(sim, name.to_str()?);
            }
            item.extract::<usize>().map_err(|_| {
                PyValueError::new_err(format!("a column is a name or an index of sim.columns, found {item}"))
            })
        };
        columns.try_iter()?.map(one).collect()
    }

    fn input_index(&self, sim: &Simulation, name: &str) -> PyResult<usize> {
        match self.fixed.inputs.get(name) {
            Some(k) => Ok(*k),
            None => sim.input(name).map_err(errors::of_input),
        }
    }
}

#[pymethods]
impl PySimulation {
    /// Simulated time, s.
    #[getter]
    fn time(&self) -> PyResult<f64> {
        Ok(self.lock()?.time())
    }

    /// Accepted steps so far.
    #[getter]
    fn steps(&self) -> PyResult<u64> {
        Ok(self.lock()?.state().steps)
    }

    /// The end, s.
    #[getter]
    fn duration(&self) -> PyResult<f64> {
        Ok(self.lock()?.description().duration)
    }

    /// Whether the end is reached.
    #[getter]
    fn is_over(&self) -> PyResult<bool> {
        Ok(self.lock()?.is_over())
    }

    /// Names of the columns.
    #[getter]
    fn columns(&self) -> PyResult<Vec<String>> {
        Ok(self.lock()?.columns().iter().map(|column| column.name.clone()).collect())
    }

    /// Unit, frame and meaning of a column.
    fn about(&self, column: &str) -> PyResult<(String, String, String)> {
        let sim = self.lock()?;
        let c = &sim.columns()[self.column_index(&sim, column)?];
        Ok((c.unit.into(), c.frame.into(), c.about.clone()))
    }

    /// Name, unit, lower and upper limit of each input.
    fn input_table(&self) -> PyResult<Vec<(String, String, f64, f64)>> {
        let sim = self.lock()?;
        Ok(sim.inputs().iter().map(|i| (i.name.clone(), i.unit.into(), i.lower, i.upper)).collect())
    }

    /// Name, unit, value and meaning of each knob.
    fn knob_table(&self) -> Vec<(String, String, String, String)> {
        let knobs = self.fixed.scenario.iter().flat_map(|s| &s.parameters);
        knobs.map(|p| (p.name.clone(), p.unit.clone(), p.value.clone(), p.about.clone())).collect()
    }

    /// Commands an input; it holds from the next step on.
    fn command(&self, name: &str, value: f64) -> PyResult<()> {
        let mut sim = self.lock()?;
        let index = self.input_index(&sim, name)?;
        sim.command_at(index, value).map_err(errors::of_input)
    }

    /// Commands several inputs at once, by their indices: all of them, or none where one is refused.
    fn command_all(&self, indices: Vec<usize>, values: Vec<f64>) -> PyResult<()> {
        let mut sim = self.lock()?;
        if indices.len() != values.len() {
            return Err(PyValueError::new_err(format!(
                "there are {} inputs to command, found {} values",
                indices.len(),
                values.len()
            )));
        }
        let before = sim.save();
        for (index, value) in indices.into_iter().zip(values) {
            if let Err(error) = sim.command_at(index, value) {
                sim.restore(before).map_err(errors::of_state)?;
                return Err(errors::of_input(error));
            }
        }
        Ok(())
    }

    /// Value of an input now.
    fn input_value(&self, name: &str) -> PyResult<f64> {
        let sim = self.lock()?;
        Ok(sim.input_value(self.input_index(&sim, name)?))
    }

    /// One step of the engine.
    fn step(&self, py: Python<'_>) -> PyResult<()> {
        let mut guard = self.lock()?;
        let sim: &mut Simulation = &mut guard;
        py.detach(|| sim.step()).map_err(errors::of_advance)
    }

    /// Advances by `dt`, s.
    fn advance(&self, py: Python<'_>, dt: f64) -> PyResult<()> {
        if dt.is_nan() || dt < 0.0 {
            return Err(PyValueError::new_err(format!(
                "dt must be a number of seconds, at least 0, found {dt}"
            )));
        }
        let t = self.lock()?.time() + dt;
        self.advance_to(py, t)
    }

    /// Steps until `t`, s, and not beyond.
    fn advance_to(&self, py: Python<'_>, t: f64) -> PyResult<()> {
        let mut guard = self.lock()?;
        let (sim, mut watch): (&mut Simulation, _) = (&mut guard, Watch::new());
        py.detach(|| sim.advance_while(t, None, &mut || watch.go_on())).map_err(errors::of_paced)?;
        watch.result()
    }

    fn __getitem__(&self, column: &str) -> PyResult<f64> {
        let mut sim = self.lock()?;
        let (k, mut out) = (self.column_index(&sim, column)?, [f64::NAN]);
        sim.observe(&[k], &mut out).map_err(errors::of_observe)?;
        Ok(out[0])
    }

    fn __contains__(&self, column: &str) -> bool {
        self.fixed.columns.contains_key(column)
    }

    /// Values of columns, by name or index; into `out` where it is given.
    #[pyo3(signature = (columns, out=None))]
    fn observe<'py>(
        &self,
        py: Python<'py>,
        columns: &Bound<'py, PyAny>,
        out: Option<Bound<'py, PyArray1<f64>>>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let mut sim = self.lock()?;
        let indices = self.columns_of(&sim, columns)?;
        let Some(out) = out else {
            let mut values = vec![f64::NAN; indices.len()];
            sim.observe(&indices, &mut values).map_err(errors::of_observe)?;
            return Ok(PyArray1::from_vec(py, values));
        };
        let writable = |_| PyValueError::new_err("out must be writable and not in use elsewhere");
        let mut view: PyReadwriteArray1<'py, f64> = out.try_readwrite().map_err(writable)?;
        let slice = view.as_slice_mut().map_err(|_| PyValueError::new_err("out must be contiguous"))?;
        if slice.len() != indices.len() {
            return Err(PyValueError::new_err(format!(
                "out must have room for {} values, found {}",
                indices.len(),
                slice.len()
            )));
        }
        sim.observe(&indices, slice).map_err(errors::of_observe)?;
        drop(view);
        Ok(out)
    }

    /// Index of a column, for `observe` in a loop.
    fn column(&self, name: &str) -> PyResult<usize> {
        self.column_index(&*self.lock()?, name)
    }

    /// Index of an input, for `command_all` in a loop.
    fn input(&self, name: &str) -> PyResult<usize> {
        self.input_index(&*self.lock()?, name)
    }

    /// The present state.
    fn save(&self) -> PyResult<PyState> {
        Ok(PyState(self.lock()?.save()))
    }

    /// Goes back to a state of the same model.
    fn restore(&self, state: &PyState) -> PyResult<()> {
        self.lock()?.restore(state.0.clone()).map_err(errors::of_state)
    }

    /// A second simulation that goes on from here by itself.
    fn fork(&self) -> PyResult<PySimulation> {
        let inner = Mutex::new(self.lock()?.fork());
        Ok(PySimulation { inner, live: Mutex::default(), fixed: Arc::clone(&self.fixed) })
    }

    /// Back to the start; with a seed, noise and bias of the sensors follow from it.
    #[pyo3(signature = (seed=None))]
    fn reset(&self, seed: Option<u64>) -> PyResult<()> {
        self.lock()?.reset(seed);
        Ok(())
    }

    /// Answers, ledger and checks so far, as JSON.
    fn outcome_json(&self) -> PyResult<String> {
        Ok(run::outcome_json(&self.lock()?.outcome()).to_string())
    }

    /// Runs to the end, or until `until`; see `touchdown.Simulation.run`.
    #[pyo3(signature = (controller, dt, until, frames, progress))]
    fn run_recorded(
        slf: &Bound<'_, Self>,
        controller: Option<Bound<'_, PyAny>>,
        dt: Option<f64>,
        until: Option<f64>,
        frames: bool,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<PyRun> {
        run::run(slf, controller, (dt, until), frames, progress)
    }

    /// A 3-D page that shows the runs that follow.
    #[pyo3(signature = (port=None))]
    fn view(&self, port: Option<u16>) -> PyResult<PyView> {
        let (view, live) = view::start(self, port)?;
        self.put_live(Some(live));
        Ok(view)
    }

    /// Name in run folders.
    #[getter]
    fn name(&self) -> &str {
        &self.fixed.name
    }

    /// The scenario with every default written out; empty for a world that a program put together.
    #[getter]
    fn resolved(&self) -> String {
        self.fixed.scenario.as_ref().map_or(String::new(), |s| s.resolved_toml.clone())
    }

    fn __repr__(&self) -> PyResult<String> {
        let sim = self.lock()?;
        let (t, end) = (sim.time(), sim.description().duration);
        Ok(format!(
            "<touchdown.Simulation {:?}: t = {t} s of {end} s, {} columns, {} inputs>",
            self.fixed.name,
            sim.columns().len(),
            sim.inputs().len()
        ))
    }
}

/// Loads a scenario by its name, file or text, or a URDF file, with knobs turned.
#[pyfunction]
#[pyo3(signature = (source, knobs=None, threads=1))]
pub fn load(
    py: Python<'_>,
    source: &str,
    knobs: Option<&Bound<'_, PyDict>>,
    threads: usize,
) -> PyResult<PySimulation> {
    let sets = settings(knobs)?;
    let wrong = |error: touchdown_scenario::ScenarioErrors| errors::ScenarioError::new_err(error.to_string());
    let (scenario, sim) = py.detach(|| -> PyResult<_> {
        let builder = if source.contains('\n') {
            touchdown::scenario_text(source)
        } else if source.to_lowercase().ends_with(".urdf") {
            touchdown::scenario_text(&urdf_text(source))
        } else {
            touchdown::scenario(source)
        };
        let scenario = builder.sets(&sets).load().map_err(errors::of_world)?;
        let sim = touchdown_session::build_world(&scenario, None, threads.max(1)).map_err(wrong)?;
        Ok((scenario, sim))
    })?;
    let name = scenario.name.clone();
    Ok(PySimulation::new(sim, Some(scenario), &name))
}

/// A scenario that holds the machine of a URDF file and nothing else.
fn urdf_text(path: &str) -> String {
    let stem = std::path::Path::new(path).file_stem().map_or("machine".into(), |s| s.to_string_lossy());
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' };
    let name: String = stem.chars().map(plain).collect();
    format!("title = \"{name}\"\nduration_s = 10\n[machine.{name}]\nurdf = {path:?}\n")
}

/// What was called that does not exist.
pub fn unknown(kind: &str, name: &str, known: &[String]) -> PyErr {
    UnknownName::new_err(format!("no {kind} is called \"{name}\"; there are: {}", known.join(", ")))
}
