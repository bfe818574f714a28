//! The scene in the format of the page: JSON of `viewer/FORMAT.md`.

use crate::figure::ReportSpec;
use crate::frames::Scene;
use crate::manifest::Manifest;
use serde_json::{Value, json};
use touchdown_geometry::Shape;
use touchdown_sim::description::Visual;
use touchdown_sim::figure::FigureKind;
use touchdown_sim::show::{GroundView, ReliefSample};

/// Format of the scene and the frames.
const FORMAT: u32 = 2;

/// The scene; `manifest` is absent in damaged folders. The notes name what else is missing.
pub(super) fn scene_json(manifest: Option<&Manifest>, scene: &Scene, notes: &[String]) -> String {
    let text = |get: fn(&Manifest) -> &String| manifest.map(get).cloned().unwrap_or_default();
    let contact =
        |c: &touchdown_sim::show::ContactName| json!({"name": c.name, "body": c.body, "soil": c.soil});
    let pretty = scene.visuals.iter().map(|visual| form(visual, false, None));
    let deforms = |n: usize| scene.deforming.iter().position(|form| *form == n);
    let touching = scene.contact_forms.iter().enumerate().map(|(n, visual)| form(visual, true, deforms(n)));
    let report = manifest.map(|m| m.report.clone()).unwrap_or_default();
    let columns = manifest.map_or(&[][..], |m| &m.columns[..]);
    let column = |c: &crate::manifest::ColumnEntry| json!({"name": c.name, "unit": c.unit, "about": c.about});
    let scene = json!({
        "format": FORMAT,
        "scenario": text(|m| &m.scenario),
        "title": text(|m| &m.title),
        "duration_s": scene.duration,
        "frames_every_s": scene.frames_every,
        "bodies": scene.bodies,
        "contacts": scene.contacts.iter().map(contact).collect::<Vec<_>>(),
        "forms": pretty.chain(touching).collect::<Vec<_>>(),
        "ground": scene.ground.as_ref().map(ground),
        "arrow_m_per_n": scene.arrow_m_per_n,
        "columns": columns.iter().map(column).collect::<Vec<_>>(),
        "phases": report.phases,
        "figures": figures(&report),
        "notes": notes,
    });
    scene.to_string()
}

/// Figures against time.
fn figures(report: &ReportSpec) -> Vec<Value> {
    let figure = |figure: &touchdown_sim::figure::Figure| match &figure.kind {
        FigureKind::Lines { x, traces, .. } if x == "time_s" => {
            let columns: Vec<&str> = traces.iter().map(|trace| trace.column.as_str()).collect();
            Some(json!({"title": figure.title, "columns": columns}))
        }
        _ => None,
    };
    report.figures.iter().filter_map(figure).collect()
}

fn form(visual: &Visual, contact: bool, deforms: Option<usize>) -> Value {
    let q = visual.X_BG.quaternion();
    json!({
        "name": visual.name,
        "body": visual.body,
        "contact": contact,
        "deforms": deforms,
        "colour": visual.colour,
        "position": visual.X_BG.p.as_slice(),
        "quaternion": [q.w, q.i, q.j, q.k],
        "shape": shape(&visual.shape),
    })
}

fn shape(shape: &Shape) -> Value {
    match shape {
        Shape::Box { size } => json!({"kind": "box", "size": size.as_slice()}),
        Shape::Sphere { radius } => json!({"kind": "sphere", "radius": radius}),
        Shape::Cylinder { radius, length } => {
            json!({"kind": "cylinder", "radius": radius, "length": length})
        }
        Shape::Mesh(mesh) => {
            let vertices: Vec<f32> = mesh.vertices.iter().flat_map(|p| p.iter().map(|x| *x as f32)).collect();
            let triangles: Vec<u32> = mesh.triangles.iter().flatten().copied().collect();
            json!({"kind": "mesh", "vertices": vertices, "triangles": triangles})
        }
    }
}

fn ground(view: &GroundView) -> Value {
    match view {
        GroundView::Plane { point, normal } => {
            json!({"kind": "plane", "point": point.as_slice(), "normal": normal.as_slice()})
        }
        GroundView::Relief { relief } => json!({"kind": "relief", "relief": heights(relief)}),
        GroundView::Soil { spacing, relief } => {
            json!({"kind": "soil", "spacing": spacing, "relief": heights(relief)})
        }
    }
}

fn heights(relief: &ReliefSample) -> Value {
    json!({
        "x0": relief.x0,
        "y0": relief.y0,
        "spacing": relief.spacing,
        "nx": relief.nx,
        "ny": relief.ny,
        // A height that is not a number becomes null.
        "heights": relief.heights,
    })
}
