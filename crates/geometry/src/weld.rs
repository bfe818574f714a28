//! Merging of coincident corners, so that neighbouring triangles are connected: files of loose triangles
//! repeat them.

use crate::TriangleMesh;
use std::cmp::Ordering;
use touchdown_math::Vec3;

/// Order of places by x, then y, then z; −0 is 0, and NaN has a place as well.
fn compare(a: &Vec3, b: &Vec3) -> Ordering {
    // Adding zero turns −0 into 0.
    let by = |i: usize| (a[i] + 0.0).total_cmp(&(b[i] + 0.0));
    by(0).then_with(|| by(1)).then_with(|| by(2))
}

/// For each corner the first one at the same place.
pub fn weld_labels(vertices: &[Vec3]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..vertices.len() as u32).collect();
    let at = |i: u32| &vertices[i as usize];
    order.sort_unstable_by(|&i, &j| compare(at(i), at(j)).then(i.cmp(&j)));
    let mut label = vec![0; vertices.len()];
    let mut first = order.first().copied().unwrap_or(0);
    for &i in &order {
        if compare(at(first), at(i)).is_ne() {
            first = i;
        }
        label[i as usize] = first;
    }
    label
}

/// The mesh with each place once among its corners, in the order of their first use; unused corners are
/// removed. Triangles keep their order, including those with missing corners.
pub fn weld(mesh: &TriangleMesh) -> TriangleMesh {
    let label = weld_labels(&mesh.vertices);
    let mut new_index = vec![u32::MAX; mesh.vertices.len()];
    let mut vertices = Vec::new();
    let mut renamed = |i: u32| {
        let Some(&first) = label.get(i as usize) else { return u32::MAX };
        let slot = &mut new_index[first as usize];
        if *slot == u32::MAX {
            *slot = vertices.len() as u32;
            vertices.push(mesh.vertices[first as usize]);
        }
        *slot
    };
    let triangles = mesh.triangles.iter().map(|t| t.map(&mut renamed)).collect();
    TriangleMesh { vertices, triangles }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shape;

    /// Loose triangles of a box become the box again: eight corners, closed.
    #[test]
    fn loose_triangles_find_each_other() {
        let whole = Shape::Box { size: Vec3::new(1.0, 2.0, 3.0) }.triangulate(3);
        let vertices: Vec<Vec3> = (0..12).flat_map(|i| whole.corners(i)).collect();
        let triangles = (0..12).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let loose = TriangleMesh { vertices, triangles };
        assert!(!loose.is_closed());
        let welded = weld(&loose);
        assert_eq!(welded.vertices.len(), 8);
        assert!(welded.is_closed());
        assert_eq!(welded.volume(), whole.volume());
    }

    /// Each corner is named after the first at its place, whatever the sign of its zeros.
    #[test]
    fn corners_at_the_same_place_share_a_label() {
        let p = |x: f64, y: f64| Vec3::new(x, y, 1.0);
        let vertices = [p(2.0, 0.0), p(1.0, 0.0), p(2.0, -0.0), p(1.0, 1e-300), p(1.0, 0.0)];
        assert_eq!(weld_labels(&vertices), [0, 1, 0, 3, 1]);
        assert!(weld_labels(&[]).is_empty());
    }
}
