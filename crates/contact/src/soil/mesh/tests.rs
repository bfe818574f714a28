//! Bodies, poses and reference implementations for the tests of meshes over the grid.

use super::*;
use touchdown_geometry::Shape;
use touchdown_math::Quat;

mod behaviour;
mod closed_forms;
mod references;

const SPACING: f64 = 0.01;

fn pose(turn: [f64; 3], p: [f64; 3]) -> Pose {
    Pose::new(&Quat::from_scaled_axis(Vec3::from(turn)), Vec3::from(p))
}

fn cuboid(x: f64, y: f64, z: f64) -> TriangleMesh {
    Shape::Box { size: Vec3::new(x, y, z) }.triangulate(3)
}

/// A wheel of radius 0.125 m and width 0.1 m about y.
fn wheel(segments: u32) -> TriangleMesh {
    let mut mesh = Shape::Cylinder { radius: 0.125, length: 0.1 }.triangulate(segments);
    mesh.vertices.iter_mut().for_each(|p| *p = Vec3::new(p.x, -p.z, p.y));
    mesh
}

/// Two bodies in one mesh.
fn joined(a: &TriangleMesh, b: &TriangleMesh, p_AB: [f64; 3]) -> TriangleMesh {
    let mut both = a.clone();
    let first = a.vertices.len() as u32;
    both.vertices.extend(b.vertices.iter().map(|p| p + Vec3::from(p_AB)));
    both.triangles.extend(b.triangles.iter().map(|t| t.map(|i| i + first)));
    both
}

fn columns(mesh: &TriangleMesh, X_WS: &Pose, ceiling: f64) -> Columns {
    let mut out = Columns::default();
    MeshUnderside::new(mesh).fill(X_WS, SPACING, ceiling, true, &mut MeshScratch::default(), &mut out);
    out
}

/// Each column with the place of its node, m.
fn places(columns: &Columns) -> impl Iterator<Item = (f64, f64, &Column)> {
    columns.at.iter().enumerate().map(|(k, column)| {
        let (i, j) = ((k % columns.nx) as i64, (k / columns.nx) as i64);
        ((columns.i0 + i) as f64 * SPACING, (columns.j0 + j) as f64 * SPACING, column)
    })
}

fn covered_area(columns: &Columns) -> f64 {
    columns.at.iter().map(|column| column.cover).sum::<f64>() * SPACING * SPACING
}
