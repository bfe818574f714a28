//! The table, part eight: keys for convergence studies of a scenario.

use super::typed::{number, text, texts};
use super::{FRACTION, POSITIVE, Range, section};
use crate::read::Text;
use crate::unit::NUMBER;

/// Ratio of two successive settings: smaller ratios are dominated by noise, larger ones leave the asymptotic
/// range.
const RATIO: Range = Range { min: 1.1, max: 10.0, open: false };

section! {
    /// Convergence studies.
    pub(crate) struct ConvergeKeys "converge":
        "what touchdown converge refines beside step and grid, and what its tolerance refers to";
    derived("the report's answer") quantity: Text = text(),
        "the quantity that is studied by default";
    optional domain: Vec<Text> = texts(),
        "paths of sizes that should not matter if they are large enough, such as rig.travel; they grow together";
    optional mesh: Vec<Text> = texts(), "paths of a mesh's resolution; sizes shrink, counts grow";
    derived("nothing: the tolerance refers to the value alone") scale: f64 = number(&[&NUMBER], POSITIVE),
        "least size that the tolerance refers to, in the unit of quantity: for values that cross zero";
    derived("0.05") tolerance: f64 = number(&[&NUMBER], FRACTION),
        "numerical error, over the value, up to which its settings count as fine enough";
    derived("2") step_ratio: f64 = number(&[&NUMBER], RATIO), "ratio of neighbouring steps";
    derived("the square root of 2") grid_ratio: f64 = number(&[&NUMBER], RATIO),
        "ratio of neighbouring spacings and mesh sizes";
}
