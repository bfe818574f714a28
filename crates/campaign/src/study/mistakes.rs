//! The list of mistakes of a study file, each with its place.

use std::ops::Range;
use touchdown_scenario::source::{Loc, Sources};
use touchdown_scenario::{Diagnostic, ScenarioErrors};

/// All that is wrong with a study file.
#[derive(Debug)]
pub(crate) struct Mistakes {
    sources: Sources,
    list: Vec<Diagnostic>,
}

impl Mistakes {
    pub fn new(file: &str, text: &str) -> Self {
        let mut sources = Sources::default();
        sources.add(file, text);
        Mistakes { sources, list: Vec::new() }
    }

    /// Adds one; details are set on what is returned.
    pub fn at(&mut self, span: Option<Range<usize>>, path: &str, what: impl Into<String>) -> &mut Diagnostic {
        let span = span.unwrap_or(0..0);
        let (line, column) = self.sources.line_column(Loc::new(0, span.clone()));
        let file = self.sources.0[0].name.clone();
        let at = self.list.len();
        self.list.push(Diagnostic {
            file,
            source: 0,
            line,
            column,
            span,
            path: path.into(),
            what: what.into(),
            found: None,
            allowed: None,
            hint: None,
        });
        &mut self.list[at]
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Sorted by place.
    pub fn into_errors(mut self) -> ScenarioErrors {
        self.list.sort_by_key(|d| d.span.start);
        ScenarioErrors { sources: self.sources, diagnostics: self.list, left_out: 0 }
    }
}

/// The nearest of some names, if it is near enough to be a slip of the finger.
pub(crate) fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let near = |name: &str| strsim::damerau_levenshtein(word, name);
    let (distance, name) = names.into_iter().map(|name| (near(name), name)).min()?;
    (distance <= 1 + word.chars().count().max(name.chars().count()) / 3).then(|| name.to_string())
}

/// A hint that names the nearest of some names, or lists them.
pub(crate) fn meant(word: &str, names: &[&str]) -> String {
    match nearest(word, names.iter().copied()) {
        Some(name) => format!("did you mean {name}?"),
        None => format!("there are: {}", names.join(", ")),
    }
}
