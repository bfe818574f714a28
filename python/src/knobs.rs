//! Values of Python as the right-hand sides of `--set KEY=VALUE`.

use crate::errors::ScenarioError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};

/// `KEY=VALUE` for each entry.
pub fn settings(knobs: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<String>> {
    let Some(knobs) = knobs else { return Ok(Vec::new()) };
    let pair = |(key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        Ok(format!("{}={}", key.extract::<String>()?, spelled(&key, &value, false)?))
    };
    knobs.iter().map(pair).collect()
}

/// A value as TOML. A text stands bare at the top, as on the command line.
fn spelled(key: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>, inside: bool) -> PyResult<String> {
    if value.is_instance_of::<PyBool>() {
        return Ok(value.extract::<bool>()?.to_string());
    }
    if value.is_instance_of::<PyString>() {
        let text: String = value.extract()?;
        return Ok(if inside { format!("{text:?}") } else { text });
    }
    if value.is_instance_of::<PyInt>() {
        return Ok(value.str()?.to_string());
    }
    if value.is_instance_of::<PyFloat>() {
        return Ok(value
            .repr()?
            .to_string()
            .replace("numpy.float64(", "")
            .replace("np.float64(", "")
            .replace(')', ""));
    }
    if let Ok(list) = value.try_iter() {
        let items = list.map(|item| spelled(key, &item?, true)).collect::<PyResult<Vec<_>>>()?;
        return Ok(format!("[{}]", items.join(", ")));
    }
    if let Ok(number) = value.extract::<f64>() {
        return Ok(format!("{number:?}"));
    }
    let (key, kind) = (key.str()?.to_string(), value.get_type().name()?.to_string());
    Err(ScenarioError::new_err(format!(
        "knob {key} must be a number, a text, true or false, or a list of these, found {kind}"
    )))
}
