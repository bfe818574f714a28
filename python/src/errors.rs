//! Exceptions: one class for each kind of mistake, with the words of the command line.

use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use touchdown::campaign::CampaignError as Campaign;
use touchdown_sim::{AdvanceError, CheckpointError, InputError, ObserveError, PacedError, RunError};

create_exception!(
    touchdown,
    Error,
    PyException,
    "Anything that touchdown refuses; its text says where, what and how to mend it."
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
    CampaignError,
    Error,
    "A campaign whose plan, program or results are not what they were."
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
    m.add("CampaignError", py.get_type::<CampaignError>())?;
    m.add("RecordError", py.get_type::<RecordError>())?;
    m.add("BusyError", py.get_type::<BusyError>())
}

/// Of a scenario, world or name.
pub fn of_world(error: touchdown::Error) -> PyErr {
    match error {
        touchdown::Error::Unknown { .. } => UnknownName::new_err(error.to_string()),
        other => ScenarioError::new_err(other.to_string()),
    }
}

/// Of an input.
pub fn of_input(error: InputError) -> PyErr {
    match error {
        InputError::Unknown { .. } => UnknownName::new_err(error.to_string()),
        other => CommandError::new_err(other.to_string()),
    }
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
    match error {
        ObserveError::Unknown { .. } => UnknownName::new_err(error.to_string()),
        other => AdvanceFailed::new_err(other.to_string()),
    }
}

/// Of a state.
pub fn of_state(error: CheckpointError) -> PyErr {
    StateError::new_err(error.to_string())
}

/// Of a run.
pub fn of_run(error: RunError) -> PyErr {
    RecordError::new_err(error.to_string())
}

/// Of a campaign.
pub fn of_campaign(error: Campaign) -> PyErr {
    let text = error.to_string();
    match error {
        Campaign::Mistakes(_) => ScenarioError::new_err(text),
        Campaign::Record(_) => RecordError::new_err(text),
        _ => CampaignError::new_err(text),
    }
}
