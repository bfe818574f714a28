//! Limits of the models, as `validation/limits.toml` states them.

use super::error::ValidateError;
use super::library::limits_text;
use serde::Deserialize;

/// Where a model can be trusted, and where not.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Model {
    /// Its name.
    pub name: String,
    /// Topics of scenarios that use it.
    pub topics: Vec<String>,
    /// Theory page, below `docs/`.
    pub page: String,
    /// Sentences.
    pub limits: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    model: Vec<Model>,
}

/// All models.
pub(crate) fn models() -> Result<Vec<Model>, ValidateError> {
    let read: Result<File, _> = toml_edit::de::from_str(limits_text());
    read.map(|file| file.model).map_err(|error| ValidateError::File {
        file: "validation/limits.toml".into(),
        line: error.span().map_or(1, |span| limits_text()[..span.start].lines().count().max(1)),
        what: error.message().trim().into(),
    })
}
