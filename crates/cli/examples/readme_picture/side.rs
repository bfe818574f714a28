//! The moving picture: the rover from its right side while it digs in, with the section of the soil under its right wheels, true to scale.
//!
//! Recorded poses ⇒ a motion for each body; patches of soil of the recorded frames ⇒ the section at each moment.

use super::light::{self, HAZE};
use super::moving::Motion;
use super::svg::{Pen, Style, Svg};
use super::{INK, MUTED, Run, TEXT, WHEELS, pose_at};
use std::collections::BTreeMap;
use touchdown_geometry::Shape;
use touchdown_math::Vec3;
use touchdown_record::read_frames;

/// Left, top, right, bottom of the scene, pixels.
const FRAME: [f64; 4] = [14.0, 14.0, 1186.0, 366.0];
/// Ground shown behind and ahead of the rover, and below its level, m.
const BEHIND: f64 = 1.55;
const AHEAD: f64 = 0.25;
const BELOW: f64 = 0.22;
/// Distance of the points of the section, m: two cells of the soil.
const SECTION: f64 = 0.02;
/// Bodies whose middle lies farther to the left than this are hidden by those of the right side, m.
const HIDDEN: f64 = 0.12;
const SOIL: [&str; 2] = ["#d9a775", "#a97847"];

/// World ⇒ page, seen from the right.
struct View {
    x0: f64,
    scale: f64,
    level: f64,
}

impl View {
    /// Holds the rover at all moments.
    fn of(run: &Run, rows: &[usize]) -> Result<View, String> {
        let hub = |wheel: &str, row: usize| Ok::<f64, String>(pose_at(run, &body(wheel), row)?.p.x);
        let (first, last) = (rows[0], rows[rows.len() - 1]);
        let x0 = hub("rear", first)? - BEHIND;
        let scale = (FRAME[2] - FRAME[0]) / (hub("front", last)? + AHEAD - x0);
        Ok(View { x0, scale, level: FRAME[3] - BELOW * scale })
    }

    fn place(&self, p: &Vec3) -> (f64, f64) {
        (FRAME[0] + (p.x - self.x0) * self.scale, self.level - p.z * self.scale)
    }
}

fn body(wheel: &str) -> String {
    format!("rover/wheel_{wheel}_right")
}

/// Draws the scene at the moments of some rows of the series.
pub fn draw(svg: &mut Svg, run: &Run, rows: &[usize]) -> Result<(), String> {
    let view = View::of(run, rows)?;
    svg.begin_frame(FRAME, 10.0);
    let stops = [(0.0, "#f6efe4".to_string()), (1.0, light::hex(HAZE))];
    let sky = svg.gradient("sky", (FRAME[1], view.level), &stops);
    svg.form(&[corners(FRAME)], &sky);
    let stops = [(0.0, SOIL[0].to_string()), (1.0, SOIL[1].to_string())];
    let soil = svg.gradient("soil", (view.level - 20.0, FRAME[3]), &stops);
    svg.moving_polygon(&sections(run, rows, &view)?, &soil);
    let level = [(FRAME[0], view.level), (FRAME[2], view.level)];
    svg.line(&level, Pen { width: 1.2, colour: MUTED, dash: 5.0 });
    draw_spring(svg, run, rows, &view)?;
    draw_bodies(svg, run, rows, &view)?;
    svg.end_frame();
    let (left, top) = (FRAME[0] + 20.0, FRAME[1] + 42.0);
    svg.text((left, top), Style::heading(TEXT + 5.0, INK), "The ExoMars rover pulls,");
    svg.text((left, top + 34.0), Style::heading(TEXT + 5.0, INK), "slips, digs in");
    let lines = ["held back by a spring in soft soil;", "three minutes, ten times as fast"];
    for (line, text) in lines.iter().enumerate() {
        svg.text((left, top + 68.0 + 26.0 * line as f64), Style::plain(TEXT - 3.0, INK), text);
    }
    let below = (left, view.level + 32.0);
    svg.text(below, Style::plain(TEXT - 5.0, INK), "soil cut under the right wheels; dashed: untouched");
    Ok(())
}

fn corners([left, top, right, bottom]: [f64; 4]) -> Vec<(f64, f64)> {
    vec![(left, top), (right, top), (right, bottom), (left, bottom)]
}

/// The section at each moment as a polygon down to the edge of the scene.
fn sections(run: &Run, rows: &[usize], view: &View) -> Result<Vec<Vec<(f64, f64)>>, String> {
    let mut lines = 0.0;
    for (wheel, _) in WHEELS {
        lines += pose_at(run, &body(wheel), rows[0])?.p.y / WHEELS.len() as f64;
    }
    let times = run.column("time_s")?;
    let mut moments = rows.iter().map(|row| times[*row]).peekable();
    let mut heights: BTreeMap<i64, f64> = BTreeMap::new();
    let mut outlines = Vec::new();
    let read = read_frames(&run.dir, |frame| {
        while moments.next_if(|moment| *moment < frame.time - 1e-6).is_some() {
            outlines.push(outline(&heights, view));
        }
        for patch in &frame.soil {
            let row = ((lines - patch.y0) / patch.spacing).round();
            if row < 0.0 || row >= patch.ny as f64 {
                continue;
            }
            for i in 0..patch.nx {
                let x = patch.x0 + i as f64 * patch.spacing;
                let height = f64::from(patch.heights[row as usize * patch.nx + i]);
                heights.insert((x / SECTION * 2.0).round() as i64, height);
            }
        }
    });
    outlines.extend(moments.map(|_| outline(&heights, view)));
    if read.frames == 0 { Err(read.notes.join("; ")) } else { Ok(outlines) }
}

/// Heights of nodes, counted in half distances of the section's points.
fn outline(heights: &BTreeMap<i64, f64>, view: &View) -> Vec<(f64, f64)> {
    let points = ((FRAME[2] - FRAME[0]) / view.scale / SECTION).ceil() as i64;
    let first = (view.x0 / SECTION).floor() as i64;
    let mut outline: Vec<_> = (first..=first + points + 1)
        .map(|k| {
            let height = heights.get(&(2 * k)).copied().unwrap_or(0.0);
            view.place(&Vec3::new(k as f64 * SECTION, 0.0, height))
        })
        .collect();
    let bottom = FRAME[3] + 1.0;
    outline.extend([(FRAME[2] + 50.0, bottom), (FRAME[0] - 50.0, bottom)]);
    outline
}

/// Every body that is seen, far ones first.
fn draw_bodies(svg: &mut Svg, run: &Run, rows: &[usize], view: &View) -> Result<(), String> {
    let mut seen = Vec::new();
    for visual in &run.scenario.description.visuals {
        let Some(name) = visual.body.map(|b| run.scenario.description.mechanism.bodies[b].name.clone())
        else {
            continue;
        };
        let X_WG = pose_at(run, &name, rows[0])?.compose(&visual.X_BG);
        if X_WG.p.y < HIDDEN {
            seen.push((X_WG.p.y, name, visual, X_WG));
        }
    }
    seen.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (_, name, visual, X_WG) in seen {
        svg.begin_moving(&motion(run, &name, rows, view)?);
        let origin = pose_at(run, &name, rows[0])?.p;
        let flat = |p: &Vec3| ((p.x - origin.x) * view.scale, -(p.z - origin.z) * view.scale);
        let [r, g, b, _] = visual.colour.map(f64::from);
        let fill = light::hex(light::lit([r, g, b], &-Vec3::y(), 1.0, 1.15));
        match &visual.shape {
            Shape::Cylinder { radius, .. } if name.contains("wheel_") => {
                draw_wheel(svg, flat(&X_WG.p), radius * view.scale, &fill);
            }
            shape => {
                let points = shape.triangulate(24).vertices.iter().map(|p| flat(&X_WG.point(p))).collect();
                svg.polygon(&hull(points), &fill);
            }
        }
        svg.end_moving();
    }
    Ok(())
}

/// Spokes show how a wheel turns; they are for the eye.
fn draw_wheel(svg: &mut Svg, (x, y): (f64, f64), radius: f64, fill: &str) {
    const SPOKES: usize = 7;
    svg.dot((x, y), radius - 2.0, fill, INK);
    for k in 0..SPOKES {
        let (sin, cos) = (std::f64::consts::TAU * k as f64 / SPOKES as f64).sin_cos();
        let at = |part: f64| (x + part * radius * cos, y + part * radius * sin);
        svg.line(&[at(0.25), at(0.9)], Pen { width: 3.0, colour: "#c9ccd2", dash: 0.0 });
    }
    svg.dot((x, y), 0.2 * radius, "#c9ccd2", INK);
}

/// Place and turn of a body at the moments, turns counted from the first.
fn motion(run: &Run, body: &str, rows: &[usize], view: &View) -> Result<Motion, String> {
    let first = pose_at(run, body, rows[0])?.R;
    let mut motion = Motion { places: Vec::new(), turns: Vec::new() };
    let mut turn: f64 = 0.0;
    for row in rows {
        let pose = pose_at(run, body, *row)?;
        let R = pose.R * first.transpose();
        let angle = R[(0, 2)].atan2(R[(0, 0)]).to_degrees();
        turn += (angle - turn + 180.0).rem_euclid(360.0) - 180.0;
        motion.places.push(view.place(&pose.p));
        motion.turns.push(turn);
    }
    Ok(motion)
}

/// The spring from the hook to the edge of the scene.
fn draw_spring(svg: &mut Svg, run: &Run, rows: &[usize], view: &View) -> Result<(), String> {
    const PITCH: f64 = 14.0;
    const RADIUS: f64 = 8.0;
    let hook = |part: &str| run.column(&format!("point.rover/hook.{part}"));
    let (x, z) = (hook("x_m")?, hook("z_m")?);
    let places: Vec<_> = rows.iter().map(|row| view.place(&Vec3::new(x[*row], 0.0, z[*row]))).collect();
    let reach = places.iter().map(|p| p.0).fold(0.0, f64::max) - FRAME[0];
    let turns = vec![0.0; places.len()];
    let coils = (0..(reach / PITCH) as u32 + 1).map(|k| {
        let side = if k % 2 == 0 { RADIUS } else { -RADIUS };
        (-30.0 - PITCH * f64::from(k), side)
    });
    let points: Vec<_> = [(0.0, 0.0), (-24.0, 0.0)].into_iter().chain(coils).collect();
    svg.begin_moving(&Motion { places, turns });
    svg.line(&points, Pen { width: 3.0, colour: INK, dash: 0.0 });
    svg.end_moving();
    Ok(())
}

/// The convex outline of points (Andrew's monotone chain).
fn hull(mut points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let half = |points: &mut dyn Iterator<Item = &(f64, f64)>| {
        let mut kept: Vec<(f64, f64)> = Vec::new();
        for p in points {
            while let [.., a, b] = kept[..] {
                if (b.0 - a.0) * (p.1 - a.1) - (b.1 - a.1) * (p.0 - a.0) > 0.0 {
                    break;
                }
                kept.pop();
            }
            kept.push(*p);
        }
        kept.pop();
        kept
    };
    let mut outline = half(&mut points.iter());
    outline.extend(half(&mut points.iter().rev()));
    outline
}
