//! Geometry of a `foxglove.SceneUpdate` back into visuals: exactly what `scene` wrote.

use super::ground::vec3;
use super::proto::{Color, Pose as PoseMessage, SceneEntity, SceneUpdate, TriangleListPrimitive};
use touchdown_geometry::{Shape, TriangleMesh};
use touchdown_math::{Pose, Vec3, rotation};
use touchdown_sim::description::Visual;

/// The forms of an update; invalid ones are left out.
pub(crate) fn visuals(bodies: &[String], update: &SceneUpdate) -> Vec<Visual> {
    update.entities.iter().filter_map(|entity| visual(bodies, entity)).collect()
}

fn visual(bodies: &[String], entity: &SceneEntity) -> Option<Visual> {
    let (shape, pose, color) = shape(entity)?;
    Some(Visual {
        name: entity.id.clone(),
        body: bodies.iter().position(|name| *name == entity.frame_id),
        X_BG: pose_of(pose)?,
        shape,
        colour: colour_of(color),
    })
}

fn shape(entity: &SceneEntity) -> Option<(Shape, Option<PoseMessage>, Option<Color>)> {
    if let Some(cube) = entity.cubes.first() {
        return Some((Shape::Box { size: vec3(cube.size)? }, cube.pose, cube.color));
    }
    if let Some(sphere) = entity.spheres.first() {
        return Some((Shape::Sphere { radius: 0.5 * vec3(sphere.size)?.x }, sphere.pose, sphere.color));
    }
    if let Some(cylinder) = entity.cylinders.first() {
        let size = vec3(cylinder.size)?;
        let shape = Shape::Cylinder { radius: 0.5 * size.x, length: size.z };
        return Some((shape, cylinder.pose, cylinder.color));
    }
    let triangles = entity.triangles.first()?;
    Some((Shape::Mesh(mesh(triangles)?), triangles.pose, triangles.color))
}

fn mesh(triangles: &TriangleListPrimitive) -> Option<TriangleMesh> {
    let vertices: Vec<Vec3> = triangles.points.iter().map(|p| Vec3::new(p.x, p.y, p.z)).collect();
    let corners = triangles.indices.as_chunks::<3>().0.to_vec();
    let inside = corners.iter().flatten().all(|n| (*n as usize) < vertices.len());
    inside.then_some(TriangleMesh { vertices, triangles: corners })
}

fn pose_of(pose: Option<PoseMessage>) -> Option<Pose> {
    let pose = pose?;
    let q = pose.orientation?;
    let R = rotation::from_quaternion(&[q.w, q.x, q.y, q.z]);
    R.iter().all(|r| r.is_finite()).then_some(Pose { R, p: vec3(pose.position)? })
}

fn colour_of(color: Option<Color>) -> [f32; 4] {
    let Color { r, g, b, a } = color.unwrap_or(Color { r: 0.5, g: 0.5, b: 0.5, a: 1.0 });
    [r as f32, g as f32, b as f32, a as f32]
}
