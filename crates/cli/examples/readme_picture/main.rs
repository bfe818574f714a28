//! Draws the picture of the README from two run folders of `rover-drawbar-pull`, a whole one and one that ends sooner: `make picture`
//! does all.
//!
//! Run folders and built-in scenario ⇒ `scene` (the rover in its ruts at the end of the short run) and `chart` (the whole run: sinkage
//! against time, pull against slip; Krenn & Hirzinger, Figs. 18 and 20) ⇒ one SVG file.

mod camera;
mod chart;
mod faces;
mod ground;
mod light;
mod scene;
mod svg;

use chart::{Axis, Chart, Curve};
use ground::Ground;
use std::path::{Path, PathBuf};
use svg::Svg;
use touchdown_record::{Series, read_series};
use touchdown_scenario::Scenario;

const INK: &str = "#1f2430";
const MUTED: &str = "#5c6370";
const PANEL: (&str, &str) = ("#fbfaf6", "#d9d5cb");
const SIZE: (f64, f64) = (1200.0, 640.0);
/// Size of most of the text: seven pixels where the page is as narrow as a phone.
const TEXT: f64 = 24.0;
/// One side; the other is nearly its mirror image and its curves lie on these.
const WHEELS: [(&str, &str); 3] = [("rear", "#0b7285"), ("middle", "#5f3dc4"), ("front", "#d9480f")];
const SCENARIO: &str = "rover-drawbar-pull";

/// What the picture is drawn from.
pub struct Run {
    dir: PathBuf,
    scenario: Scenario,
    series: Series,
}

impl Run {
    fn read(dir: &Path) -> Result<Run, String> {
        let scenario = touchdown_scenario::load(SCENARIO, &[]).map_err(|e| e.to_string())?;
        let series = read_series(dir).map_err(|e| e.to_string())?;
        Ok(Run { dir: dir.to_path_buf(), scenario, series })
    }

    fn ground(&self) -> Result<Ground, String> {
        Ground::read(&self.dir)
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
}

fn sinkage_chart(run: &Run, shown: &Run) -> Result<Chart, String> {
    let mut curves = Vec::new();
    for (wheel, colour) in WHEELS {
        let name = format!("soil.{wheel}_right.sinkage_m");
        let sinkage = run.column(&name)?;
        let points = run.column("time_s")?.iter().zip(sinkage).map(|(t, z)| (*t, 1e3 * z)).collect();
        let mark = (shown.last("time_s")?, 1e3 * shown.last(&name)?);
        curves.push(Curve { label: Some(wheel), colour, points, mark });
    }
    let deepest = curves.iter().flat_map(|c| &c.points).map(|p| p.1).fold(0.0, f64::max);
    Ok(Chart {
        title: "Sinkage of the wheels, mm",
        area: (826.0, 84.0, 256.0, 186.0),
        x: Axis::new(run.last("time_s")?, 60.0),
        x_unit: "s",
        y: Axis::reaching(deepest),
        level: None,
        curves,
    })
}

fn pull_chart(run: &Run, shown: &Run) -> Result<Chart, String> {
    const SLIP: &str = "vehicle.rover.slip_drive";
    const PULL: &str = "spring.drawbar.force_n";
    let (slip, pull) = (run.column(SLIP)?, run.column(PULL)?);
    // The spring is slack while the rover climbs out of its first footprints.
    let taut = slip.iter().zip(pull).filter(|(_, force)| **force > 0.0);
    let points: Vec<_> = taut.map(|(slip, force)| (1e2 * slip, *force)).collect();
    let mark = (1e2 * shown.last(SLIP)?, shown.last(PULL)?);
    let most = pull.iter().copied().fold(0.0, f64::max);
    Ok(Chart {
        title: "Drawbar pull, N",
        area: (826.0, 394.0, 256.0, 186.0),
        x: Axis::new(100.0, 50.0),
        x_unit: "% slip",
        y: Axis::reaching(most),
        level: Some((most, format!("{most:.1} N"))),
        curves: vec![Curve { label: None, colour: INK, points, mark }],
    })
}

fn draw(run: &Run, shown: &Run) -> Result<String, String> {
    let mut svg = Svg::new(SIZE);
    svg.panel(PANEL.0, PANEL.1);
    scene::draw(&mut svg, shown)?;
    sinkage_chart(run, shown)?.draw(&mut svg);
    pull_chart(run, shown)?.draw(&mut svg);
    Ok(svg.finish("A six-wheeled rover in its ruts, held back by a spring; sinkage of its wheels against time, and drawbar pull against slip."))
}

fn main() -> Result<(), String> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [whole, shown, out] = &args[..] else {
        return Err("give the folders of the whole and the short run, and the SVG file to write".into());
    };
    let picture = draw(&Run::read(Path::new(whole))?, &Run::read(Path::new(shown))?)?;
    std::fs::write(out, picture).map_err(|e| format!("writing {out}: {e}"))
}
