//! Visuals and contact forces as primitives of a `foxglove.SceneUpdate`.
//!
//! Visuals become one entity per form, attached to its body's frame and written once; forces become arrows in
//! every frame.

use super::proto::{
    ArrowPrimitive, Color, CylinderPrimitive, Pose, Quaternion, SceneEntity, SceneUpdate, SizedPrimitive,
    TriangleListPrimitive, Vector3,
};
use prost_types::Timestamp;
use touchdown_geometry::{Shape, TriangleMesh};
use touchdown_math::{Quat, Vec3};
use touchdown_sim::description::Visual;

/// The frame in which everything is placed.
pub(crate) const WORLD: &str = "world";

/// Proportions of an arrow, relative to its length.
const HEAD_LENGTH: f64 = 0.2;
const SHAFT_DIAMETER: f64 = 0.04;
const HEAD_DIAMETER: f64 = 0.1;
/// Orange, opaque.
const ARROW_COLOUR: Color = Color { r: 1.0, g: 0.5, b: 0.0, a: 1.0 };

/// Visuals of the bodies of a scene, written once at the start.
pub(crate) fn forms(bodies: &[String], visuals: &[Visual]) -> SceneUpdate {
    SceneUpdate { entities: visuals.iter().map(|visual| entity(bodies, visual)).collect() }
}

fn entity(bodies: &[String], visual: &Visual) -> SceneEntity {
    // If the body is missing, the form is placed in the world instead of being lost.
    let frame = visual.body.and_then(|i| bodies.get(i)).map_or(WORLD, String::as_str);
    let pose = Some(pose(&visual.X_BG.p, &visual.X_BG.quaternion()));
    let color = Some(colour(&visual.colour));
    let mut entity = SceneEntity {
        timestamp: Some(Timestamp::default()),
        frame_id: frame.into(),
        id: visual.name.clone(),
        frame_locked: true,
        ..Default::default()
    };
    match &visual.shape {
        Shape::Box { size } => entity.cubes.push(SizedPrimitive { pose, size: Some(vector(size)), color }),
        Shape::Sphere { radius } => {
            let size = Some(vector(&Vec3::repeat(2.0 * radius)));
            entity.spheres.push(SizedPrimitive { pose, size, color });
        }
        Shape::Cylinder { radius, length } => {
            let size = Some(vector(&Vec3::new(2.0 * radius, 2.0 * radius, *length)));
            entity.cylinders.push(CylinderPrimitive { pose, size, bottom_scale: 1.0, top_scale: 1.0, color });
        }
        Shape::Mesh(mesh) => entity.triangles.push(triangles(mesh, pose, color)),
    }
    entity
}

fn triangles(mesh: &TriangleMesh, pose: Option<Pose>, color: Option<Color>) -> TriangleListPrimitive {
    TriangleListPrimitive {
        pose,
        points: mesh.vertices.iter().map(vector).collect(),
        color,
        indices: mesh.triangles.iter().flatten().copied().collect(),
    }
}

/// An arrow from `p_WC` along the force `f_W`; none for a force without a direction.
pub(crate) fn arrow(p_WC: &Vec3, f_W: &Vec3, m_per_n: f64) -> Option<ArrowPrimitive> {
    let length = m_per_n * f_W.norm();
    if !(length.is_finite() && length > 0.0 && p_WC.iter().all(|c| c.is_finite())) {
        return None;
    }
    // For the direction opposite to +x the axis of rotation is not unique: any perpendicular axis is valid.
    let rotation = Quat::rotation_between(&Vec3::x(), f_W)
        .unwrap_or_else(|| Quat::from_axis_angle(&Vec3::z_axis(), std::f64::consts::PI));
    Some(ArrowPrimitive {
        pose: Some(pose(p_WC, &rotation)),
        shaft_length: (1.0 - HEAD_LENGTH) * length,
        shaft_diameter: SHAFT_DIAMETER * length,
        head_length: HEAD_LENGTH * length,
        head_diameter: HEAD_DIAMETER * length,
        color: Some(ARROW_COLOUR),
    })
}

fn pose(p: &Vec3, q: &Quat) -> Pose {
    let orientation = Some(Quaternion { x: q.i, y: q.j, z: q.k, w: q.w });
    Pose { position: Some(vector(p)), orientation }
}

pub(crate) fn vector(v: &Vec3) -> Vector3 {
    Vector3 { x: v.x, y: v.y, z: v.z }
}

fn colour(&[r, g, b, a]: &[f32; 4]) -> Color {
    Color { r: r.into(), g: g.into(), b: b.into(), a: a.into() }
}
