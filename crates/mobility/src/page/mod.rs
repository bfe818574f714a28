//! The page of a mobility map, for a person: the map with layers to switch, the route and its profile, response curves, what full runs found beside
//! what the map said, and everything that was assumed.
//!
//! Layers (their overviews), relief, route, checks ⇒ pictures in the folder `map` and `report.html` beside it. Nothing on the page depends on the
//! clock, the machine or the number of threads.

mod curves;
mod data;
mod map;
mod pictures;
mod route;
mod sections;
#[cfg(test)]
mod tests;

pub use data::data_points;
pub use pictures::{Picture, write_pictures};

use crate::ResponseTable;
use crate::layers::LayersAccount;
use crate::map::MapStageError;
use crate::route::Route;
use crate::verify::CheckedStretch;
use maud::{PreEscaped, html};
use touchdown_record::Place;
use touchdown_record::page::page_with_pictures;

/// Name of the page.
const REPORT: &str = "report.html";
/// Folder of the pictures.
const PICTURES: &str = "map";
/// Rules of this page alone.
const STYLE: &str = include_str!("page.css");

/// A run that the table was made of.
#[derive(Clone, Debug, PartialEq)]
pub struct DataPoint {
    /// Its soil in the table.
    pub soil: String,
    /// Slope, degrees.
    pub slope_deg: f64,
    /// Heading against the ascent, degrees.
    pub heading_deg: f64,
    /// Mean slip.
    pub slip: f64,
    /// Energy per metre; none where it hardly moved.
    pub energy_j_per_m: Option<f64>,
}

/// What the page shows.
pub struct PageInput<'a> {
    /// Name of the elevation map, for the heading.
    pub map: &'a str,
    /// The machine.
    pub rover: &'a str,
    /// What the map was made of.
    pub table: &'a ResponseTable,
    /// Runs that it was made of; may be empty.
    pub data: &'a [DataPoint],
    /// What was found and written.
    pub layers: &'a LayersAccount,
    /// Pictures of the layers.
    pub pictures: &'a [Picture],
    /// The route, if one was asked for.
    pub route: Option<&'a Route>,
    /// What full runs found.
    pub checks: &'a [CheckedStretch],
    /// Statements about the surrogate: its errors, its intervals, its table.
    pub surrogate: &'a [String],
    /// What was assumed: what, and why.
    pub assumed: &'a [(String, String)],
    /// Names and hashes of what went in.
    pub provenance: &'a [(String, String)],
    /// The version of this program.
    pub version: &'a str,
}

/// Writes the page.
pub fn write_page(input: &PageInput, out: &Place) -> Result<(), MapStageError> {
    Ok(out.write(REPORT, render(input).as_bytes())?)
}

/// The whole page.
pub fn render(input: &PageInput) -> String {
    let title = format!("Where {} can go on {}", input.rover, input.map);
    let body = html! {
        style { (PreEscaped(STYLE)) }
        main class="mobility" {
            header {
                p.kicker { "touchdown " (input.version) " · mobility map of " code { (input.map) } }
                h1 { (title) }
            }
            (sections::answer(input))
            (map::section(input))
            @if let Some(route) = input.route { (route::section(route, input.table)) }
            (sections::checks(input.checks))
            (curves::section(input.table, input.data))
            (sections::statements("How sure the responses are", input.surrogate))
            (sections::ground(&input.layers.ground, input.layers.steeper))
            (sections::pairs("Assumed inputs", "Values that were neither measured nor published.", input.assumed))
            (sections::pairs("Provenance", "", input.provenance))
        }
    };
    page_with_pictures(&format!("{title} · touchdown"), &body)
}
