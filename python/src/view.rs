//! `Simulation.view`: the 3-D page of the runs that follow, on 127.0.0.1.

use crate::errors::RecordError;
use crate::simulation::PySimulation;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use touchdown_record::Scene;
use touchdown_record::replay::{self, Live};
use touchdown_serve::{Server, Shown};
use touchdown_sim::sink::{Frame, Progress, Sink, SinkError, SoilNode};

/// Takes results and keeps none.
pub struct Nothing;

impl Sink for Nothing {
    fn series(&mut self, _: &[f64]) -> Result<(), SinkError> {
        Ok(())
    }

    fn frame(&mut self, _: &Frame) -> Result<(), SinkError> {
        Ok(())
    }

    fn checkpoint(&mut self, _: &[u8], _: u64, _: u64) -> Result<(), SinkError> {
        Ok(())
    }

    fn surface(&mut self, _: &[SoilNode]) -> Result<(), SinkError> {
        Ok(())
    }

    fn progress(&mut self, _: Progress) {}
}

/// A page that is shown.
#[pyclass(name = "View", module = "touchdown", frozen)]
pub struct PyView {
    url: String,
    server: Mutex<Option<Server>>,
}

#[pymethods]
impl PyView {
    /// Where a browser of this machine finds it; whoever knows this address can read along.
    #[getter]
    fn url(&self) -> &str {
        &self.url
    }

    /// Ends the page.
    fn close(&self, py: Python<'_>) {
        let server = self.server.lock().unwrap_or_else(PoisonError::into_inner).take();
        py.detach(|| drop(server));
    }
}

/// Starts a page, and the sink that feeds it.
pub fn start(this: &PySimulation, port: Option<u16>) -> PyResult<(PyView, Live<Nothing>)> {
    let sim = this.lock()?;
    let info = crate::run::info(this, &sim);
    let (live, source) = replay::live(Nothing, &info, sim.columns(), &Scene::of(&sim));
    // A run in memory has no folder; nothing lies below this one.
    let shown = Shown { source, folder: PathBuf::from("/dev/null") };
    let server = Server::start(shown, port).map_err(|error| RecordError::new_err(error.to_string()))?;
    Ok((PyView { url: server.url(), server: Mutex::new(Some(server)) }, live))
}
