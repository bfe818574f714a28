//! Errors of a scenario: diagnostics with place, fault, value found, values allowed and a hint.
//!
//! Every stage of reading adds to one [`Issues`] list, so that all mistakes of a file are reported at once.

use crate::source::{Loc, Sources};
use std::fmt;
use std::ops::Range;

/// Further mistakes are counted but not listed, so that a damaged file does not fill memory.
const MOST_LISTED: usize = 100;

/// Similar names are searched among this many.
const MOST_CANDIDATES: usize = 2_000;

/// One mistake.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// File (or `--set` argument) as the user named it.
    pub file: String,
    /// Index of the file in [`ScenarioErrors::sources`].
    pub source: usize,
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// Byte range in the file.
    pub span: Range<usize>,
    /// Dotted path of the value, such as `body.crank.mass`; empty for the whole file.
    pub path: String,
    /// The fault.
    pub what: String,
    /// The value found, if that helps.
    pub found: Option<String>,
    /// The permitted values.
    pub allowed: Option<String>,
    /// How to correct it.
    pub hint: Option<String>,
}

/// All mistakes of a scenario.
#[derive(Clone, Debug, Default)]
pub struct ScenarioErrors {
    /// The texts that were read.
    pub sources: Sources,
    /// The mistakes, in order of file and line.
    pub diagnostics: Vec<Diagnostic>,
    /// How many more there were.
    pub left_out: usize,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.file.starts_with("--set") {
            write!(f, "scenario {}: ", self.file)?;
        } else {
            write!(f, "scenario {}:{}: ", self.file, self.line)?;
        }
        if !self.path.is_empty() {
            write!(f, "{} ", self.path)?;
        }
        write!(f, "{}", self.what)?;
        if let Some(found) = &self.found {
            write!(f, ", found {found}")?;
        }
        if let Some(allowed) = &self.allowed {
            write!(f, " (allowed: {allowed})")?;
        }
        match &self.hint {
            Some(hint) => write!(f, "\n  hint: {hint}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for ScenarioErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, d) in self.diagnostics.iter().enumerate() {
            write!(f, "{}{d}", if i > 0 { "\n" } else { "" })?;
        }
        if self.left_out > 0 {
            write!(f, "\nand {} more", self.left_out)?;
        }
        Ok(())
    }
}

impl std::error::Error for ScenarioErrors {}

/// A mistake before its place is turned into line and column.
#[derive(Clone, Debug)]
pub(crate) struct Issue {
    loc: Loc,
    path: String,
    what: String,
    found: Option<String>,
    allowed: Option<String>,
    hint: Option<String>,
}

impl Issue {
    pub fn found(&mut self, found: impl fmt::Display) -> &mut Self {
        self.found = Some(shorten(&found.to_string()));
        self
    }

    pub fn allowed(&mut self, allowed: impl fmt::Display) -> &mut Self {
        self.allowed = Some(allowed.to_string());
        self
    }

    pub fn hint(&mut self, hint: impl fmt::Display) -> &mut Self {
        self.hint = Some(hint.to_string());
        self
    }
}

/// The list to which every stage adds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Issues {
    list: Vec<Issue>,
    spare: Option<Issue>,
    left_out: usize,
}

impl Issues {
    /// Adds a mistake; details are chained onto the result.
    pub fn at(&mut self, loc: Loc, path: impl fmt::Display, what: impl fmt::Display) -> &mut Issue {
        let (path, what) = (shorten(&path.to_string()), what.to_string());
        let issue = Issue { loc, path, what, found: None, allowed: None, hint: None };
        if self.list.len() < MOST_LISTED {
            let at = self.list.len();
            self.list.push(issue);
            return &mut self.list[at];
        }
        self.left_out += 1;
        self.spare.insert(issue)
    }

    /// Whether further mistakes are only counted, so that costly suggestions need not be computed.
    pub fn is_full(&self) -> bool {
        self.list.len() >= MOST_LISTED
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Sorted by place, with lines and columns.
    pub fn into_errors(mut self, sources: Sources) -> ScenarioErrors {
        self.list.sort_by_key(|i| (i.loc.source, i.loc.start));
        let diagnostics = self.list.into_iter().map(|i| locate(i, &sources)).collect();
        ScenarioErrors { sources, diagnostics, left_out: self.left_out }
    }
}

fn locate(issue: Issue, sources: &Sources) -> Diagnostic {
    let (line, column) = sources.line_column(issue.loc);
    Diagnostic {
        file: sources.name(issue.loc).into(),
        source: issue.loc.source as usize,
        line,
        column,
        span: issue.loc.span(),
        path: issue.path,
        what: issue.what,
        found: issue.found,
        allowed: issue.allowed,
        hint: issue.hint,
    }
}

/// Long or multi-line values are cut: a message is one line.
pub(crate) fn shorten(text: &str) -> String {
    const MOST: usize = 160;
    let flat: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(MOST + 1).collect();
    match flat.char_indices().nth(MOST) {
        Some((cut, _)) => format!("{}…", &flat[..cut]),
        None => flat,
    }
}

/// The most similar of `candidates` to `word`, if it is similar enough for a typing error.
pub(crate) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word: String = word.chars().take(80).collect();
    let near = |c: &str| strsim::damerau_levenshtein(&word.to_lowercase(), &c.to_lowercase());
    let best = candidates.into_iter().take(MOST_CANDIDATES).map(|c| (near(c), c)).min_by_key(|(d, _)| *d)?;
    (best.0 <= 1 + word.chars().count().max(best.1.chars().count()) / 3).then_some(best.1)
}
