//! Draws the picture of the README from a run folder of `rover-drop-brush`: `make picture` does both.
//!
//! Run folder and built-in scenario ⇒ `scene` (the rover at rest) and `chart` (tyres against time) ⇒ one SVG file. The dashed
//! lines are not the ends of the curves: they are the static equilibrium, solved by Newton's method in a second world.

mod chart;
mod faces;
mod scene;
mod svg;

use chart::{Chart, Curve};
use std::path::Path;
use svg::{Style, Svg};
use touchdown_record::{Series, read_series};
use touchdown_scenario::Scenario;
use touchdown_sim::World;
use touchdown_sim::sink::{Frame, Progress, Sink, SinkError};

const INK: &str = "#1f2430";
const MUTED: &str = "#5c6370";
const PANEL: (&str, &str) = ("#fbfaf6", "#d9d5cb");
const SIZE: (f64, f64) = (1200.0, 560.0);
/// One side; the other is its mirror image and its curves lie on these.
const WHEELS: [(&str, &str); 3] = [("rear", "#0b7285"), ("front", "#d9480f"), ("middle", "#5f3dc4")];
const SCENARIO: &str = "rover-drop-brush";

/// What the picture is drawn from.
pub struct Run {
    scenario: Scenario,
    series: Series,
    statics: FirstRow,
}

impl Run {
    fn read(dir: &Path) -> Result<Run, String> {
        let scenario = touchdown_scenario::load(SCENARIO, &[]).map_err(|e| e.to_string())?;
        let series = read_series(dir).map_err(|e| e.to_string())?;
        Ok(Run { scenario, series, statics: static_row()? })
    }

    fn column(&self, name: &str) -> Result<&[f64], String> {
        self.series
            .column(name)
            .ok_or_else(|| format!("the run has no column {name}: is it one of {SCENARIO}?"))
    }

    /// The last value of a column.
    fn last(&self, column: &str) -> Result<f64, String> {
        self.column(column)?.last().copied().ok_or_else(|| format!("the run has no rows in {column}"))
    }

    fn curve<'a>(
        &self,
        column: &str,
        factor: f64,
        colour: &'a str,
        label: String,
    ) -> Result<Curve<'a>, String> {
        let times = self.column("time_s")?;
        let values = self.column(column)?;
        let points =
            times.iter().zip(values).filter(|(t, _)| **t <= LAST_TIME).map(|(t, y)| (*t, factor * y));
        let target = factor * self.statics.value(column)?;
        Ok(Curve { label, colour, points: points.collect(), target })
    }
}

/// End of the time axis, s; by then the tyres have settled to a hundredth.
const LAST_TIME: f64 = 6.0;

/// The first row of a run.
#[derive(Default)]
struct FirstRow {
    names: Vec<String>,
    row: Vec<f64>,
}

impl FirstRow {
    fn value(&self, column: &str) -> Result<f64, String> {
        let at = self.names.iter().position(|n| n == column);
        at.and_then(|i| self.row.get(i)).copied().ok_or_else(|| format!("no static value of {column}"))
    }
}

impl Sink for FirstRow {
    fn series(&mut self, row: &[f64]) -> Result<(), SinkError> {
        if self.row.is_empty() {
            self.row = row.to_vec();
        }
        Ok(())
    }
    fn frame(&mut self, _: &Frame) -> Result<(), SinkError> {
        Ok(())
    }
    fn checkpoint(&mut self, _: &[u8], _: u64, _: u64) -> Result<(), SinkError> {
        Ok(())
    }
    fn progress(&mut self, _: Progress) {}
}

/// The same rover in static equilibrium: solved, not waited for.
fn static_row() -> Result<FirstRow, String> {
    let sets = ["start=equilibrium", "drop_height_m=0", "duration=1 ms"].map(String::from);
    let scenario = touchdown_scenario::load(SCENARIO, &sets).map_err(|e| e.to_string())?;
    let mut world = World::build(&scenario.description)
        .map_err(|all| all.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))?;
    let names = world.columns().iter().map(|c| c.name.clone()).collect();
    let mut first = FirstRow { names, row: Vec::new() };
    world.run(&mut first).map_err(|e| e.to_string())?;
    Ok(first)
}

fn charts(run: &Run) -> Result<[Chart<'static>; 2], String> {
    let mut deformations = Vec::new();
    let mut loads = Vec::new();
    for (wheel, colour) in WHEELS {
        let column = format!("tyre.{wheel}_left.deformation_m");
        let label = format!("{wheel} {:.1} mm", 1e3 * run.last(&column)?);
        deformations.push(run.curve(&column, 1e3, colour, label)?);
        let column = format!("tyre.{wheel}_left.normal_force_n");
        let label = format!("{wheel} {:.1} N", run.last(&column)?);
        loads.push(run.curve(&column, 1.0, colour, label)?);
    }
    let x = (0.0, LAST_TIME, 1.0);
    Ok([
        Chart {
            title: "Tyre deformation, mm",
            area: (722.0, 132.0, 318.0, 150.0),
            x,
            y: (0.0, 30.0, 10.0),
            x_label: None,
            note: None,
            curves: deformations,
        },
        Chart {
            title: "Wheel load, N",
            area: (722.0, 342.0, 318.0, 150.0),
            x,
            y: (0.0, 300.0, 100.0),
            x_label: Some("time, s"),
            note: Some(((0.3, 258.0), "at touchdown: a peak off the scale")),
            curves: loads,
        },
    ])
}

fn draw(run: &Run) -> Result<String, String> {
    let mut svg = Svg::new(SIZE);
    svg.panel(PANEL.0, PANEL.1);
    scene::draw(&mut svg, run)?;
    scene::caption(&mut svg, run)?;
    svg.text((690.0, 46.0), Style::heading(22.0, INK), "Its tyres settle without rebound");
    svg.text((690.0, 71.0), Style::plain(16.0, MUTED), "dashed: static equilibrium, solved directly");
    for chart in charts(run)? {
        chart.draw(&mut svg);
    }
    Ok(svg.finish("A six-wheeled rover at rest with the ground's force on each wheel; tyre deformations and wheel loads against time."))
}

fn main() -> Result<(), String> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [dir, out] = &args[..] else { return Err("give a run folder and the SVG file to write".into()) };
    let picture = draw(&Run::read(Path::new(dir))?)?;
    std::fs::write(out, picture).map_err(|e| format!("writing {out}: {e}"))
}
