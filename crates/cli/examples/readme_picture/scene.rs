//! The left half: the rover as it stands at the end of the run, with the force of the ground on every wheel.
//!
//! Recorded poses and the scenario's visuals ⇒ faces ⇒ parallel projection, shaded, with a shadow on the ground.

use super::faces::{self, Face};
use super::svg::{Anchor, Pen, Style, Svg};
use super::{INK, MUTED, PANEL, Run, WHEELS};
use touchdown_math::{Mat3, Pose, Vec3, rotation};

/// The viewer stands in front on the right: heading from x towards y, and height, rad.
const AZIMUTH: f64 = -0.92;
const ELEVATION: f64 = 0.36;
/// Pixels per metre, and where the world's origin lies on the page.
const SCALE: f64 = 186.0;
const ORIGIN: (f64, f64) = (340.0, 372.0);
/// Direction to the light, not normalised.
const LIGHT: Vec3 = Vec3::new(0.35, -0.62, 1.5);
/// Length of an arrow, m/N.
const ARROW: f64 = 1.5e-3;
/// The chassis hides this wheel of the far side; a stub of its arrow would only puzzle.
const HIDDEN_LEFT: &str = "rear";
const HUB_COLOUR: [f64; 3] = [0.62, 0.64, 0.68];
const TILE: &str = "#e9d3b8";
const TILE_SIDE: [&str; 2] = ["#cfae8a", "#bd9a75"];
const SHADOW: &str = "#cfb293";
const GRID: &str = "#ddc3a4";

/// Unit vector towards the viewer.
fn to_viewer() -> Vec3 {
    let (a, e) = (AZIMUTH, ELEVATION);
    Vec3::new(e.cos() * a.cos(), e.cos() * a.sin(), e.sin())
}

/// World ⇒ page.
fn project(p: &Vec3) -> (f64, f64) {
    let d = to_viewer();
    let right = Vec3::z().cross(&d).normalize();
    let up = d.cross(&right);
    (ORIGIN.0 + SCALE * right.dot(p), ORIGIN.1 - SCALE * up.dot(p))
}

fn on_page(corners: &[Vec3]) -> Vec<(f64, f64)> {
    corners.iter().map(project).collect()
}

pub fn draw(svg: &mut Svg, run: &Run) -> Result<(), String> {
    let faces = rover_faces(run)?;
    draw_ground(svg);
    draw_shadow(svg, &faces);
    // Arrows of the far side are painted first: what the rover hides stays hidden.
    for (wheel, colour) in WHEELS.iter().filter(|(wheel, _)| *wheel != HIDDEN_LEFT) {
        draw_arrow(svg, run, &format!("{wheel}_left"), colour)?;
    }
    for face in faces::back_to_front(faces, &to_viewer()) {
        svg.polygon(&on_page(&face.corners), &shade(&face));
    }
    for (wheel, colour) in WHEELS {
        let (force, tail) = draw_arrow(svg, run, &format!("{wheel}_right"), colour)?;
        let style = Style { size: 17.0, colour, bold: true, anchor: Anchor::Middle };
        svg.label((tail.0, tail.1 + 20.0), style, PANEL.0, &format!("{wheel} {force:.1} N"));
    }
    Ok(())
}

fn rover_faces(run: &Run) -> Result<Vec<Face>, String> {
    let mut all = Vec::new();
    for visual in &run.scenario.description.visuals {
        let X_WB = match visual.body {
            Some(b) => body_pose(run, &run.scenario.description.mechanism.bodies[b].name)?,
            None => Pose::identity(),
        };
        let [r, g, b, _] = visual.colour.map(f64::from);
        all.extend(faces::of_shape(&visual.shape, &X_WB.compose(&visual.X_BG), [r, g, b], HUB_COLOUR));
    }
    Ok(all)
}

/// The last recorded pose of a body.
fn body_pose(run: &Run, body: &str) -> Result<Pose, String> {
    let last = |part: &str| run.last(&format!("body.{body}.{part}"));
    let p = Vec3::new(last("x_m")?, last("y_m")?, last("z_m")?);
    let R: Mat3 = rotation::from_quaternion(&[last("qw")?, last("qx")?, last("qy")?, last("qz")?]);
    Ok(Pose { R, p })
}

fn draw_ground(svg: &mut Svg) {
    const X: f64 = 1.25;
    const Y: f64 = 1.2;
    const DEPTH: f64 = 0.07;
    let corner = |x: f64, y: f64, z: f64| Vec3::new(x, y, z);
    let (near, front) = (
        [corner(-X, -Y, 0.0), corner(X, -Y, 0.0), corner(X, -Y, -DEPTH), corner(-X, -Y, -DEPTH)],
        [corner(X, -Y, 0.0), corner(X, Y, 0.0), corner(X, Y, -DEPTH), corner(X, -Y, -DEPTH)],
    );
    svg.polygon(&on_page(&near), TILE_SIDE[0]);
    svg.polygon(&on_page(&front), TILE_SIDE[1]);
    svg.polygon(
        &on_page(&[corner(-X, -Y, 0.0), corner(X, -Y, 0.0), corner(X, Y, 0.0), corner(-X, Y, 0.0)]),
        TILE,
    );
    let pen = Pen { width: 1.0, colour: GRID, dash: 0.0 };
    for k in -2..=2 {
        let at = 0.5 * f64::from(k);
        svg.line(&on_page(&[corner(at, -Y, 0.0), corner(at, Y, 0.0)]), pen);
        svg.line(&on_page(&[corner(-X, at, 0.0), corner(X, at, 0.0)]), pen);
    }
}

/// Every lit face, thrown onto the ground along the light.
fn draw_shadow(svg: &mut Svg, faces: &[Face]) {
    let fall = |p: &Vec3| p - LIGHT * (p.z / LIGHT.z);
    let lit = faces.iter().filter(|f| f.normal.dot(&LIGHT) > 0.0);
    let thrown: Vec<_> = lit.map(|f| f.corners.iter().map(|p| project(&fall(p))).collect()).collect();
    svg.polygons(&thrown, SHADOW);
}

fn shade(face: &Face) -> String {
    let light = 0.60 + 0.46 * face.normal.dot(&LIGHT.normalize()).max(0.0);
    let [r, g, b] = face.colour.map(|c| (255.0 * (c * light).clamp(0.0, 1.0)).round() as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// The ground's push: an arrow whose head touches the tyre where it stands. Returns the force and the arrow's tail on the page.
fn draw_arrow(svg: &mut Svg, run: &Run, tyre: &str, colour: &str) -> Result<(f64, (f64, f64)), String> {
    let force = run.last(&format!("tyre.{tyre}.normal_force_n"))?;
    let wheel = body_pose(run, &format!("rover/wheel_{tyre}"))?.p;
    let head = project(&Vec3::new(wheel.x, wheel.y, 0.0));
    let tail = project(&Vec3::new(wheel.x, wheel.y, -ARROW * force));
    let neck = head.1 + 17.0;
    svg.line(&[tail, (head.0, neck)], Pen { width: 9.0, colour: PANEL.0, dash: 0.0 });
    svg.line(&[tail, (head.0, neck)], Pen { width: 5.0, colour, dash: 0.0 });
    svg.polygon(&[head, (head.0 - 8.5, neck + 2.0), (head.0 + 8.5, neck + 2.0)], colour);
    Ok((force, tail))
}

/// Title and what the half shows.
pub fn caption(svg: &mut Svg, run: &Run) -> Result<(), String> {
    svg.text((32.0, 46.0), Style::heading(22.0, INK), "A 320 kg rover, dropped 10 mm on Mars, at rest");
    let mut sum = 0.0;
    for tyre in &run.scenario.description.tyres {
        sum += run.last(&format!("tyre.{}.normal_force_n", tyre.name))?;
    }
    let text = format!("the ground pushes each wheel, left as right; together {sum:.1} N, its weight");
    svg.text((32.0, 71.0), Style::plain(16.0, MUTED), &text);
    Ok(())
}
