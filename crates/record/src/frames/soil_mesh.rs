//! Patches of soil as entities of a `foxglove.SceneUpdate`: triangles, so that other viewers show the relief.
//! (`foxglove.Grid` is drawn flat, and only its latest message.) An entity is named after its first node: a
//! changed patch replaces its previous version, and all others remain.

use super::proto::{Color, Pose, Quaternion, SceneEntity, SceneUpdate, TriangleListPrimitive, Vector3};
use super::scene::WORLD;
use crate::patch::{HEIGHT_UNIT, Patch};
use prost_types::Timestamp;

/// Sand, opaque.
const COLOUR: Color = Color { r: 0.76, g: 0.62, b: 0.42, a: 1.0 };

/// Triangles of some patches.
pub(crate) fn surface<'a>(
    patches: impl Iterator<Item = &'a Patch>,
    spacing: f64,
    time: Timestamp,
) -> SceneUpdate {
    SceneUpdate { entities: patches.map(|patch| entity(patch, spacing, time)).collect() }
}

fn entity(patch: &Patch, spacing: f64, timestamp: Timestamp) -> SceneEntity {
    SceneEntity {
        timestamp: Some(timestamp),
        frame_id: WORLD.into(),
        // Indices of the first node: a name that does not depend on how a number is printed.
        id: format!("soil {} {}", patch.i, patch.j),
        triangles: vec![triangles(patch, spacing)],
        ..Default::default()
    }
}

/// Points relative to the first node: they repeat from patch to patch and so compress well. Cells with a
/// height that is not a number are left out.
fn triangles(patch: &Patch, spacing: f64) -> TriangleListPrimitive {
    let nx = patch.nx;
    let z = |n: usize| f64::from(patch.undisturbed[n]) + f64::from(patch.change[n]) * HEIGHT_UNIT;
    let point = |n: usize| Vector3 {
        x: (n % nx) as f64 * spacing,
        y: (n / nx) as f64 * spacing,
        z: if z(n).is_finite() { z(n) } else { 0.0 },
    };
    let mut indices = Vec::with_capacity(6 * nx.saturating_sub(1) * patch.ny.saturating_sub(1));
    for j in 1..patch.ny {
        for i in 1..nx {
            let (b, d) = (j * nx + i, (j - 1) * nx + i);
            let (a, c) = (b - 1, d - 1);
            if [a, b, c, d].iter().all(|n| z(*n).is_finite()) {
                // A grid has fewer nodes than 2³²; counter-clockwise seen from above.
                indices.extend([c, d, b, c, b, a].map(|n| n as u32));
            }
        }
    }
    let position = Some(Vector3 { x: f64::from(patch.i) * spacing, y: f64::from(patch.j) * spacing, z: 0.0 });
    let orientation = Some(Quaternion { x: 0.0, y: 0.0, z: 0.0, w: 1.0 });
    TriangleListPrimitive {
        pose: Some(Pose { position, orientation }),
        points: (0..patch.change.len()).map(point).collect(),
        color: Some(COLOUR),
        indices,
    }
}
