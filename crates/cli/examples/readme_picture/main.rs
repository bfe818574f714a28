//! Draws the pictures of the README and of the documentation from two run folders of `rover-drawbar-pull`, a whole one and one that ends
//! sooner: `make picture` does all.
//!
//! Run folders and built-in scenario ⇒ `scene` (the rover in its ruts at the end of the short run) or `side` (the whole run, moving), and
//! `chart` (sinkage against time, pull against slip; Krenn & Hirzinger, Figs. 18 and 20) ⇒ two SVG files.

mod camera;
mod chart;
mod faces;
mod ground;
mod light;
mod moving;
mod scene;
mod side;
mod svg;

use chart::{Axis, Chart, Curve};
use ground::Ground;
use std::path::{Path, PathBuf};
use svg::Svg;
use touchdown_math::{Pose, Vec3, rotation};
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
/// Moments that the moving picture goes through.
const MOMENTS: usize = 61;
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

    fn last_row(&self) -> Result<usize, String> {
        self.column("time_s")?.len().checked_sub(1).ok_or_else(|| "the run has no rows".to_string())
    }

    /// The last value of a column.
    fn last(&self, column: &str) -> Result<f64, String> {
        Ok(self.column(column)?[self.last_row()?])
    }
}

/// The pose of a body in a row of the series.
fn pose_at(run: &Run, body: &str, row: usize) -> Result<Pose, String> {
    let value = |part: &str| Ok::<f64, String>(run.column(&format!("body.{body}.{part}"))?[row]);
    let p = Vec3::new(value("x_m")?, value("y_m")?, value("z_m")?);
    Ok(Pose { R: rotation::from_quaternion(&[value("qw")?, value("qx")?, value("qy")?, value("qz")?]), p })
}

/// Sinkage of the near wheels against time, and what it is in some rows of a run.
fn sinkage_chart(run: &Run, shown: (&Run, &[usize]), area: (f64, f64, f64, f64)) -> Result<Chart, String> {
    let mut curves = Vec::new();
    for (wheel, colour) in WHEELS {
        let name = format!("soil.{wheel}_right.sinkage_m");
        let points = pairs(run, "time_s", (&name, 1e3))?;
        let marks = at(&pairs(shown.0, "time_s", (&name, 1e3))?, shown.1);
        curves.push(Curve { label: Some(wheel), colour, points, marks });
    }
    let deepest = curves.iter().flat_map(|c| &c.points).map(|p| p.1).fold(0.0, f64::max);
    Ok(Chart {
        title: "Sinkage of the wheels, mm",
        area,
        x: Axis::new(run.last("time_s")?, 60.0),
        x_unit: "s",
        y: Axis::reaching(deepest),
        level: None,
        curves,
    })
}

/// Two columns, the second times a factor.
fn pairs(run: &Run, x: &str, (y, factor): (&str, f64)) -> Result<Vec<(f64, f64)>, String> {
    Ok(run.column(x)?.iter().zip(run.column(y)?).map(|(x, y)| (*x, factor * y)).collect())
}

fn at(points: &[(f64, f64)], rows: &[usize]) -> Vec<(f64, f64)> {
    rows.iter().map(|row| points[*row]).collect()
}

/// Pull against slip, and where it is in some rows of a run.
fn pull_chart(run: &Run, shown: (&Run, &[usize]), area: (f64, f64, f64, f64)) -> Result<Chart, String> {
    const PULL: &str = "spring.drawbar.force_n";
    let percent = |run: &Run| -> Result<Vec<(f64, f64)>, String> {
        let points = pairs(run, "vehicle.rover.slip_drive", (PULL, 1.0))?;
        Ok(points.into_iter().map(|(slip, force)| (1e2 * slip.clamp(0.0, 1.0), force)).collect())
    };
    // The spring is slack while the rover climbs out of its first footprints.
    let points: Vec<_> = percent(run)?.into_iter().filter(|(_, force)| *force > 0.0).collect();
    let marks = at(&percent(shown.0)?, shown.1);
    let most = points.iter().map(|p| p.1).fold(0.0, f64::max);
    Ok(Chart {
        title: "Drawbar pull, N",
        area,
        x: Axis::new(100.0, 50.0),
        x_unit: "% slip",
        y: Axis::reaching(most),
        level: Some((most, format!("{most:.1} N"))),
        curves: vec![Curve { label: None, colour: INK, points, marks }],
    })
}

fn draw(run: &Run, shown: &Run) -> Result<String, String> {
    let mut svg = Svg::new(SIZE);
    svg.panel(PANEL.0, PANEL.1);
    scene::draw(&mut svg, shown)?;
    let end = [shown.last_row()?];
    sinkage_chart(run, (shown, &end), (826.0, 84.0, 256.0, 186.0))?.draw(&mut svg);
    pull_chart(run, (shown, &end), (826.0, 394.0, 256.0, 186.0))?.draw(&mut svg);
    Ok(svg.finish("A six-wheeled rover in its ruts, held back by a spring; sinkage of its wheels against time, and drawbar pull against slip."))
}

fn draw_moving(run: &Run) -> Result<String, String> {
    let last = run.last_row()?;
    let rows: Vec<usize> = (0..MOMENTS).map(|k| k * last / (MOMENTS - 1)).collect();
    let mut svg = Svg::new(SIZE);
    svg.panel(PANEL.0, PANEL.1);
    side::draw(&mut svg, run, &rows)?;
    sinkage_chart(run, (run, &rows), (76.0, 432.0, 400.0, 150.0))?.draw(&mut svg);
    pull_chart(run, (run, &rows), (706.0, 432.0, 380.0, 150.0))?.draw(&mut svg);
    Ok(svg.finish("A six-wheeled rover seen from the side pulls a spring in soft soil: its wheels slip and dig in; sinkage of the wheels against time, and drawbar pull against slip."))
}

fn main() -> Result<(), String> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [whole, shown, still, moving] = &args[..] else {
        return Err("give the folders of the whole and the short run, and the SVG files to write: the still picture and the moving one".into());
    };
    let (whole, shown) = (Run::read(Path::new(whole))?, Run::read(Path::new(shown))?);
    for (out, picture) in [(still, draw(&whole, &shown)?), (moving, draw_moving(&whole)?)] {
        std::fs::write(out, picture).map_err(|e| format!("writing {out}: {e}"))?;
    }
    Ok(())
}
