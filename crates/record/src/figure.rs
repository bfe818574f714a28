//! Content of a report: the question, the quantity that answers it, figures and phases. It is part of the
//! manifest, so that a report can be made again from the folder alone.

use serde::{Deserialize, Serialize};
use touchdown_sim::figure::{Figure, PhaseSpan};

/// What the report of a scenario shows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ReportSpec {
    /// The question that the scenario answers.
    #[serde(default)]
    pub question: String,
    /// The paper and figure it follows.
    #[serde(default)]
    pub reproduces: String,
    /// Name of the quantity that answers the question; empty if there is none.
    #[serde(default)]
    pub answer: String,
    /// Figures in the order of the page.
    #[serde(default)]
    pub figures: Vec<Figure>,
    /// Parts of the run, shaded in figures against time.
    #[serde(default)]
    pub phases: Vec<PhaseSpan>,
}
