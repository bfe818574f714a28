//! Why a validation could not be carried out at all. A claim that fails is a row of the report.

/// Why a validation could not be carried out.
#[derive(Debug, thiserror::Error)]
pub enum ValidateError {
    /// A file of claims cannot be read.
    #[error("{file}:{line}: {what}")]
    File {
        /// The file as it was named.
        file: String,
        /// Line, from 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// Nothing is called like this.
    #[error("no scenario or topic of the validation is called {name:?}")]
    Unknown {
        /// As the user wrote it.
        name: String,
        /// How to mend it.
        hint: String,
    },
}

impl ValidateError {
    /// How to mend it.
    pub fn hint(&self) -> Option<&str> {
        match self {
            ValidateError::Unknown { hint, .. } => Some(hint),
            ValidateError::File { .. } => None,
        }
    }
}

/// The nearest of `candidates` to `word`, if it is near enough to be a slip of the finger.
pub(crate) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word: String = word.chars().take(80).collect();
    let near = |c: &&str| strsim::damerau_levenshtein(&word, c);
    let best = candidates.into_iter().min_by_key(near)?;
    (near(&best) <= 1 + word.chars().count().max(best.chars().count()) / 3).then_some(best)
}
