//! The left half: the rover in its ruts as it stands at the end of the run, and the spring that holds it back.
//!
//! Recorded poses and the scenario's visuals ⇒ faces; wheels and soil are painted in turns, so that each hides what it hides.

use super::camera::Camera;
use super::faces::{self, Face};
use super::ground::{Ground, HEAP};
use super::light::{self, Shadows};
use super::svg::{Pen, Style, Svg};
use super::{INK, PANEL, Run, TEXT, WHEELS, pose_at};
use touchdown_math::{Pose, Vec3};

/// Left, top, right, bottom of the picture, pixels.
const FRAME: [f64; 4] = [14.0, 14.0, 744.0, 626.0];
/// The eye stands behind the rover on its right; both from the middle of the rover, m.
const EYE: Vec3 = Vec3::new(-2.55, -2.75, 1.75);
const LOOKS_AT: Vec3 = Vec3::new(-0.02, -0.06, 0.26);
const FOCUS: f64 = 960.0;
const HUB_COLOUR: light::Colour = [0.62, 0.64, 0.68];

/// Faces that the soil can hide in part: a wheel with what reaches down to its hub.
struct Wheel {
    faces: Vec<Face>,
    low: Vec3,
    high: Vec3,
}

pub fn draw(svg: &mut Svg, run: &Run) -> Result<(), String> {
    let chassis = body_pose(run, "rover/chassis")?.p;
    let middle = Vec3::new(chassis.x, chassis.y, 0.0);
    let page = (0.5 * (FRAME[0] + FRAME[2]), 0.5 * (FRAME[1] + FRAME[3]));
    let camera = Camera::new(middle + EYE, middle + LOOKS_AT, FOCUS, page);
    let mut wheels = Vec::new();
    for name in WHEELS.iter().flat_map(|(name, _)| [format!("{name}_left"), format!("{name}_right")]) {
        wheels.push(wheel(run, &name)?);
    }
    let upper = faces_of(run, |body| !body.contains("wheel_") && !body.contains("spindle_"))?;
    let all: Vec<Face> = wheels.iter().flat_map(|w| w.faces.clone()).chain(upper.clone()).collect();
    let shadows = Shadows::of(&all);
    let mut ground = run.ground()?;
    for wheel in &wheels {
        let columns = ground.column(wheel.low.x)..ground.column(wheel.high.x) + 1;
        let (near, far) = (ground.row(wheel.low.y), ground.row(wheel.high.y));
        let left_out = ground.join_sides(columns, near, far);
        if left_out > HEAP {
            eprintln!("warning: soil {left_out:.2} m high in the cells at a wheel's sides is not drawn");
        }
    }
    ground.darken(&shadows);

    svg.begin_frame(FRAME, 10.0);
    ground.draw_level(svg, &camera, &shadows, FRAME);
    draw_in_turns(svg, &camera, &shadows, &ground, wheels);
    draw_spring(svg, &camera, run)?;
    draw_faces(svg, &camera, &shadows, upper);
    draw_labels(svg, &camera, run)?;
    svg.end_frame();
    let (left, top) = (FRAME[0] + 20.0, FRAME[1] + 44.0);
    svg.text((left, top), Style::heading(TEXT + 7.0, INK), "The ExoMars rover pulls, slips, digs in");
    let time = run.last("time_s")?;
    let text = format!("held back by a spring in soft soil, after {time:.0} s");
    svg.text((left, top + 34.0), Style::plain(TEXT - 1.0, INK), &text);
    Ok(())
}

/// The sinkage of each wheel of the near side, and the force of the spring.
fn draw_labels(svg: &mut Svg, camera: &Camera, run: &Run) -> Result<(), String> {
    for (wheel, colour) in WHEELS {
        let hub = body_pose(run, &format!("rover/wheel_{wheel}_right"))?.p;
        let from = camera.project(&(hub - Vec3::y() * 0.05));
        let to = camera.project(&Vec3::new(hub.x, hub.y - 0.36, 0.0));
        svg.line(&[from, to], Pen { width: 2.4, colour, dash: 0.0 });
        let sinkage = 1e3 * run.last(&format!("soil.{wheel}_right.sinkage_m"))?;
        svg.pill(to, Style::heading(TEXT, colour), PANEL.0, &format!("{sinkage:.0} mm"));
    }
    let pull = run.last("spring.drawbar.force_n")?;
    let hook = hook(run)?;
    let along = |x: f64| camera.project(&(hook + Vec3::new(x, 0.0, -0.14)));
    svg.arrow(along(-0.35), along(-0.95), 7.0, INK);
    let at = along(-0.72);
    svg.pill((at.0, at.1 + 44.0), Style::heading(TEXT, INK), PANEL.0, &format!("{pull:.1} N"));
    Ok(())
}

/// Soil and wheels, far ones first. A wheel follows the soil on the far side of its near side and of its rear, which planes
/// divide from the eye, and comes before all other soil.
fn draw_in_turns(svg: &mut Svg, camera: &Camera, shadows: &Shadows, ground: &Ground, wheels: Vec<Wheel>) {
    let (mut left, mut right): (Vec<_>, Vec<_>) = wheels.into_iter().partition(|w| w.low.y > 0.0);
    let mut last_row = ground.rows();
    for side in [&mut left, &mut right] {
        side.sort_by(|a, b| b.low.x.total_cmp(&a.low.x));
        let near = side.iter().map(|w| w.low.y).fold(f64::INFINITY, f64::min);
        let rows = ground.row(near)..last_row;
        let mut last_column = ground.columns();
        for wheel in side.drain(..) {
            let first = ground.column(wheel.low.x);
            ground.draw(svg, camera, first..last_column, rows.clone());
            draw_faces(svg, camera, shadows, wheel.faces);
            last_column = first;
        }
        ground.draw(svg, camera, 0..last_column, rows.clone());
        last_row = rows.start;
    }
    ground.draw(svg, camera, 0..ground.columns(), 0..last_row);
}

fn draw_faces(svg: &mut Svg, camera: &Camera, shadows: &Shadows, faces: Vec<Face>) {
    for face in faces::back_to_front(faces, &camera.eye) {
        let sun = if shadows.cover(&face.middle()) { 0.0 } else { 1.0 };
        let colour = light::lit(face.colour, &face.normal, sun, 0.85 + 0.15 * face.normal.z);
        svg.polygon(&camera.on_page(&face.corners), &light::hex(colour));
    }
}

fn wheel(run: &Run, name: &str) -> Result<Wheel, String> {
    let mut faces = faces_of(run, |body| body == format!("rover/wheel_{name}"))?;
    let corners = || faces.iter().flat_map(|f| &f.corners);
    let low = corners().fold(Vec3::repeat(f64::INFINITY), |low, p| low.inf(p));
    let high = corners().fold(Vec3::repeat(f64::NEG_INFINITY), |high, p| high.sup(p));
    faces.extend(faces_of(run, |body| body == format!("rover/spindle_{name}"))?);
    Ok(Wheel { faces, low, high })
}

/// The faces of some bodies.
fn faces_of(run: &Run, wanted: impl Fn(&str) -> bool) -> Result<Vec<Face>, String> {
    let mut all = Vec::new();
    for visual in &run.scenario.description.visuals {
        let Some(body) = visual.body.map(|b| &run.scenario.description.mechanism.bodies[b].name) else {
            continue;
        };
        if wanted(body) {
            let X_WG = body_pose(run, body)?.compose(&visual.X_BG);
            let [r, g, b, _] = visual.colour.map(f64::from);
            all.extend(faces::of_shape(&visual.shape, &X_WG, [r, g, b], HUB_COLOUR));
        }
    }
    Ok(all)
}

/// The last recorded pose of a body.
fn body_pose(run: &Run, body: &str) -> Result<Pose, String> {
    pose_at(run, body, run.last_row()?)
}

/// The drawbar spring, from the hook out of the picture.
fn draw_spring(svg: &mut Svg, camera: &Camera, run: &Run) -> Result<(), String> {
    const LENGTH: f64 = 1.6;
    const PITCH: f64 = 0.045;
    const RADIUS: f64 = 0.028;
    const STRAIGHT: f64 = 0.2;
    const STEPS: u32 = 16;
    let hook = hook(run)?;
    let turns = ((LENGTH - STRAIGHT) / PITCH) as u32;
    let coil = (0..turns * STEPS).map(|k| {
        let turn = f64::from(k) / f64::from(STEPS);
        let (sin, cos) = (std::f64::consts::TAU * turn).sin_cos();
        hook + Vec3::new(-STRAIGHT - PITCH * turn, RADIUS * sin, RADIUS * cos)
    });
    let points: Vec<Vec3> = [hook, hook - Vec3::x() * STRAIGHT].into_iter().chain(coil).collect();
    let points = camera.on_page(&points);
    svg.line(&points, Pen { width: 4.4, colour: INK, dash: 0.0 });
    svg.line(&points, Pen { width: 1.8, colour: "#e8eaee", dash: 0.0 });
    Ok(())
}

fn hook(run: &Run) -> Result<Vec3, String> {
    let last = |part: &str| run.last(&format!("point.rover/hook.{part}"));
    Ok(Vec3::new(last("x_m")?, last("y_m")?, last("z_m")?))
}
