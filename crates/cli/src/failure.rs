//! Failures of commands: how they are reported, and their exit codes.
//!
//! Mistakes of a scenario are shown with the line of the file underlined; the first line of each always reads
//! `scenario FILE:LINE: …`, so that scripts and editors find it.

use crate::excerpt::Excerpt;
use crate::output::{count, is_coloured, plain};
use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteDiagnostic, Severity};
use std::io::IsTerminal;
use touchdown_record::RecordError;
use touchdown_scenario::{Diagnostic, ScenarioErrors};

/// Exit code of everything that has no code of its own below.
pub const OTHER: u8 = 1;
/// Exit code of a bad scenario, a name that nothing has, a folder that holds no run or not ours, a run that cannot be resumed.
const BAD_INPUT: u8 = 2;
/// Exit code of a run that failed numerically.
const NUMERICAL: u8 = 3;
/// Exit code of a run with a failed validity check under `--strict`.
const CHECKS: u8 = 4;
/// Exit code of a wrong option or argument, as `sysexits.h` has it.
pub const USAGE: u8 = 64;
/// Exit code of a run that a signal stopped: this and the signal's number, as shells have it.
const SIGNAL: u8 = 128;

/// Why a command ended without its work done.
#[derive(Debug)]
pub enum Failure {
    /// The scenario has mistakes.
    Scenario(Vec<ScenarioErrors>),
    /// The numbers went wrong; what was recorded stays.
    Numerical {
        /// Time, body and joint.
        reason: String,
        /// Where the results up to there are; empty if nothing was recorded.
        kept: String,
    },
    /// Validity checks failed in a strict run.
    Checks {
        /// Their names.
        failed: String,
    },
    /// What was asked for does not exist.
    BadInput {
        /// What is wrong with it.
        what: String,
        /// What was meant, perhaps.
        hint: Option<String>,
    },
    /// A signal stopped the run, which can go on.
    Interrupted {
        /// Number of the signal.
        signal: u8,
        /// Simulated time, s.
        time: f64,
        /// The run folder.
        dir: String,
    },
    /// A signal stopped work that can go on.
    Stopped {
        /// Number of the signal.
        signal: u8,
        /// How far it came.
        what: String,
        /// What goes on with it.
        hint: String,
    },
    /// The work was done, and its answer is an exit code.
    Verdict {
        /// The exit code.
        code: u8,
        /// The answer in words.
        what: String,
    },
    /// Anything else: a full disk, a missing folder.
    Other {
        /// What went wrong.
        what: String,
        /// What to do about it.
        hint: Option<String>,
    },
}

impl From<ScenarioErrors> for Failure {
    fn from(errors: ScenarioErrors) -> Self {
        Failure::Scenario(vec![errors])
    }
}

impl From<RecordError> for Failure {
    fn from(error: RecordError) -> Self {
        if matches!(error, RecordError::NoRun { .. }) {
            let hint = "a run folder has manifest.json, series.parquet and summary.json; touchdown run SCENARIO makes one below runs/";
            return Failure::BadInput { what: error.to_string(), hint: Some(hint.into()) };
        }
        if matches!(error, RecordError::Foreign { .. }) {
            let hint = "results go where nothing is, or where touchdown's own are; choose another place";
            return Failure::BadInput { what: error.to_string(), hint: Some(hint.into()) };
        }
        if matches!(error, RecordError::Refused { .. } | RecordError::Changed { .. }) {
            return Failure::BadInput { what: error.to_string(), hint: None };
        }
        let hint = match &error {
            RecordError::Exists { dir } => {
                Some(format!("--force replaces it, touchdown resume {} continues it", dir.display()))
            }
            _ => None,
        };
        Failure::Other { what: error.to_string(), hint }
    }
}

impl Failure {
    /// With a message and no hint.
    pub fn other(what: impl Into<String>) -> Self {
        Failure::Other { what: what.into(), hint: None }
    }

    /// The exit code.
    pub fn code(&self) -> u8 {
        match self {
            Failure::Scenario(_) | Failure::BadInput { .. } => BAD_INPUT,
            Failure::Numerical { .. } => NUMERICAL,
            Failure::Checks { .. } => CHECKS,
            Failure::Interrupted { signal, .. } | Failure::Stopped { signal, .. } => SIGNAL + signal,
            Failure::Verdict { code, .. } => *code,
            Failure::Other { .. } => OTHER,
        }
    }

    /// The message for stderr, ready for a terminal.
    pub fn render(&self) -> String {
        let text = match self {
            Failure::Scenario(lists) => return render_mistakes(lists),
            Failure::Numerical { reason, kept } if kept.is_empty() => {
                format!("error: a run stopped: {reason}")
            }
            Failure::Numerical { reason, kept } => {
                format!("error: the run stopped: {reason}\n  what was recorded up to there: {kept}")
            }
            Failure::Checks { failed } => {
                format!(
                    "error: validity checks fail: {failed}\n  hint: the report explains each; without --strict they do not change the exit code"
                )
            }
            Failure::Interrupted { time, dir, .. } => {
                format!("interrupted at t = {time:.6} s\n  hint: touchdown resume {dir} continues from there")
            }
            Failure::Stopped { what, hint, .. } => format!("{what}\n  hint: {hint}"),
            Failure::Verdict { what, .. } => what.clone(),
            Failure::Other { what, hint } | Failure::BadInput { what, hint } => match hint {
                Some(hint) => format!("error: {what}\n  hint: {hint}"),
                None => format!("error: {what}"),
            },
        };
        plain(&text).into_owned()
    }
}

fn render_mistakes(lists: &[ScenarioErrors]) -> String {
    let theme = if is_coloured(std::io::stderr().is_terminal()) {
        GraphicalTheme::default()
    } else {
        GraphicalTheme::none()
    };
    let handler = GraphicalReportHandler::new_themed(theme).with_wrap_lines(false).with_context_lines(1);
    let mut text = String::new();
    let mut total = 0;
    for errors in lists {
        for mistake in &errors.diagnostics {
            text += &render_mistake(&handler, errors, mistake);
        }
        total += errors.diagnostics.len() + errors.left_out;
        if errors.left_out > 0 {
            text += &format!("and {} more\n", errors.left_out);
        }
    }
    text + &format!("{} in the scenario; nothing was run", count(total, "mistake"))
}

fn render_mistake(handler: &GraphicalReportHandler, errors: &ScenarioErrors, mistake: &Diagnostic) -> String {
    let message = Diagnostic { hint: None, ..mistake.clone() }.to_string();
    let source = errors.sources.0.get(mistake.source);
    let mut report = MietteDiagnostic::new(plain(&message)).with_severity(Severity::Error);
    report.help = mistake.hint.as_deref().map(|hint| plain(hint).into_owned());
    let Some(source) = source.filter(|s| !s.text.is_empty() && mistake.span.start <= s.text.len()) else {
        return plain(&format!("error: {mistake}\n\n")).into_owned();
    };
    let excerpt = Excerpt::new(&source.name, &source.text, mistake.span.clone());
    report.labels = Some(vec![LabeledSpan::underline(excerpt.marked())]);
    let report = miette::Report::new(report).with_source_code(excerpt);
    let mut text = String::new();
    match handler.render_report(&mut text, report.as_ref()) {
        Ok(()) => text + "\n",
        Err(_) => plain(&format!("error: {mistake}\n\n")).into_owned(),
    }
}
