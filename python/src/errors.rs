//! Exceptions: one class for each kind of mistake, with the words of the command line.

use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use touchdown_sim::{AdvanceError, CheckpointError, InputError, ObserveError, PacedError, RunError};

create_exception!(
    touchdown,
    Error,
    PyException,
    "Anything that touchdown refuses; its text states place, cause and remedy."
);
create_exception!(
    touchdown,
    ScenarioError,
    Error,
    "A scenario, knob or world with mistakes: all of them, each with its place."
);
create_exception!(touchdown, UnknownName, Error, "A column, input or body that does not exist.");
create_exception!(touchdown, CommandError, Error, "An input that is commanded outside its limits.");
create_exception!(
    touchdown,
    AdvanceFailed,
    Error,
    "Time that did not advance: past the end, backwards, or a step that failed."
);
create_exception!(touchdown, StateError, Error, "A state of another model or version, or damaged bytes.");
create_exception!(
    touchdown,
    ContactError,
    Error,
    "A call of a ground or contact that makes no sense: a motion that is none, an advance without an evaluation."
);
create_exception!(touchdown, RecordError, Error, "Results that could not be written.");
create_exception!(
    touchdown,
    BusyError,
    Error,
    "A simulation that another thread, or its own controller, is stepping."
);

/// Puts the classes into the module.
pub fn add(m: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = m.py();
    m.add("Error", py.get_type::<Error>())?;
    m.add("ScenarioError", py.get_type::<ScenarioError>())?;
    m.add("UnknownName", py.get_type::<UnknownName>())?;
    m.add("CommandError", py.get_type::<CommandError>())?;
    m.add("AdvanceFailed", py.get_type::<AdvanceFailed>())?;
    m.add("StateError", py.get_type::<StateError>())?;
    m.add("ContactError", py.get_type::<ContactError>())?;
    m.add("RecordError", py.get_type::<RecordError>())?;
    m.add("BusyError", py.get_type::<BusyError>())
}

/// Of a scenario, world or name.
pub fn of_world(error: touchdown::Error) -> PyErr {
    let is_unknown = matches!(error, touchdown::Error::Unknown { .. });
    unknown_or(is_unknown, &error, ScenarioError::new_err)
}

/// The class of a name that does not exist, or `otherwise`.
fn unknown_or<E: std::fmt::Display>(is_unknown: bool, error: &E, otherwise: fn(String) -> PyErr) -> PyErr {
    let words = error.to_string();
    if is_unknown { UnknownName::new_err(words) } else { otherwise(words) }
}

/// Of a ground for another simulator.
pub fn of_ground(error: touchdown::Error) -> PyErr {
    use touchdown::soil::GroundError::{NoSoil, Parameters, State};
    match &error {
        touchdown::Error::Ground(State(_)) => StateError::new_err(error.to_string()),
        touchdown::Error::Ground(Parameters { .. } | NoSoil(_)) => ScenarioError::new_err(error.to_string()),
        touchdown::Error::Ground(_) => ContactError::new_err(error.to_string()),
        _ => of_world(error),
    }
}

/// Of a hard contact for another simulator.
pub fn of_contact(error: touchdown::polygonal::ContactError) -> PyErr {
    use touchdown::polygonal::ContactError::{State, Unknown};
    match &error {
        State { .. } => StateError::new_err(error.to_string()),
        Unknown { .. } => UnknownName::new_err(error.to_string()),
        _ => ContactError::new_err(error.to_string()),
    }
}

/// Of an input.
pub fn of_input(error: InputError) -> PyErr {
    unknown_or(matches!(error, InputError::Unknown { .. }), &error, CommandError::new_err)
}

/// Of a step.
pub fn of_advance(error: AdvanceError) -> PyErr {
    AdvanceFailed::new_err(error.to_string())
}

/// Of a recorded advance.
pub fn of_paced(error: PacedError) -> PyErr {
    match error {
        PacedError::Advance(error) => of_advance(error),
        PacedError::Sink(error) => RecordError::new_err(error.to_string()),
    }
}

/// Of an observation.
pub fn of_observe(error: ObserveError) -> PyErr {
    unknown_or(matches!(error, ObserveError::Unknown { .. }), &error, AdvanceFailed::new_err)
}

/// Of a state.
pub fn of_state(error: CheckpointError) -> PyErr {
    StateError::new_err(error.to_string())
}

/// Of a run.
pub fn of_run(error: RunError) -> PyErr {
    RecordError::new_err(error.to_string())
}
