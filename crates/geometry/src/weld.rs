//! Corners at the same place made one, so that neighbouring triangles know each other: files of loose triangles repeat theirs.

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

#[cfg(test)]
mod tests {
    use super::*;

    /// Each corner is named after the first at its place, whatever the sign of its zeros.
    #[test]
    fn corners_at_the_same_place_share_a_label() {
        let p = |x: f64, y: f64| Vec3::new(x, y, 1.0);
        let vertices = [p(2.0, 0.0), p(1.0, 0.0), p(2.0, -0.0), p(1.0, 1e-300), p(1.0, 0.0)];
        assert_eq!(weld_labels(&vertices), [0, 1, 0, 3, 1]);
        assert!(weld_labels(&[]).is_empty());
    }
}
