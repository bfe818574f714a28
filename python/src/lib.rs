//! The Python module `touchdown._touchdown`: thin bindings over the engine. What users see is in `python/touchdown`.

mod campaign;
mod errors;
mod folder;
mod knobs;
mod motion;
mod polygonal;
mod run;
mod simulation;
mod soil;
mod view;
mod watch;
mod world;

use pyo3::prelude::*;

/// The engine of touchdown.
#[pymodule]
fn _touchdown(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("__version__", touchdown_session::identity::VERSION)?;
    m.add("has_pages", cfg!(feature = "pages"))?;
    m.add_function(wrap_pyfunction!(build_json, m)?)?;
    m.add_function(wrap_pyfunction!(scenarios, m)?)?;
    m.add_function(wrap_pyfunction!(soils, m)?)?;
    m.add_function(wrap_pyfunction!(simulation::load, m)?)?;
    m.add_function(wrap_pyfunction!(run::replay_page, m)?)?;
    m.add_function(wrap_pyfunction!(run::write_report, m)?)?;
    m.add_function(wrap_pyfunction!(folder::read_folder, m)?)?;
    m.add_function(wrap_pyfunction!(campaign::campaign_plan, m)?)?;
    m.add_function(wrap_pyfunction!(campaign::campaign_cases, m)?)?;
    m.add_function(wrap_pyfunction!(campaign::campaign_run, m)?)?;
    m.add_function(wrap_pyfunction!(campaign::campaign_assess, m)?)?;
    m.add_function(wrap_pyfunction!(campaign::campaign_kept, m)?)?;
    m.add_function(wrap_pyfunction!(campaign::campaign_report, m)?)?;
    m.add_class::<simulation::PySimulation>()?;
    m.add_class::<simulation::PyState>()?;
    m.add_class::<run::PyRun>()?;
    m.add_class::<view::PyView>()?;
    m.add_class::<world::PyWorld>()?;
    m.add_class::<soil::PyGround>()?;
    m.add_class::<soil::PyGroundState>()?;
    m.add_class::<soil::PySoilForce>()?;
    m.add_class::<polygonal::PyHardContact>()?;
    m.add_class::<polygonal::PyHardForce>()?;
    m.add_class::<polygonal::PyHardState>()?;
    errors::add(m)
}

/// Version and build as JSON.
#[pyfunction]
fn build_json() -> String {
    touchdown_session::identity::json().to_string()
}

/// Names of the built-in scenarios.
#[pyfunction]
fn scenarios() -> Vec<String> {
    let entries = touchdown_scenario::catalogue().iter();
    entries.filter(|e| e.kind == touchdown_scenario::EntryKind::Scenario).map(|e| e.name.clone()).collect()
}

/// Names of the soils of the library.
#[pyfunction]
fn soils() -> Vec<String> {
    touchdown_scenario::soils().iter().map(|soil| soil.name.clone()).collect()
}
