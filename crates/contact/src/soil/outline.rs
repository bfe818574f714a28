//! The outline of a contact: covered parts of loaded cells ⇒ the patch whose width enters the pressure law.

use super::BekkerWidth;
use touchdown_math::Elementary;

/// A contact patch: the convex hull of what the body covers of the loaded cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Patch {
    /// m².
    pub area: f64,
    /// m.
    pub perimeter: f64,
    /// Short side of the narrowest rectangle around it, m: the least distance of two parallel lines that hold it. Unlike the rectangle of
    /// least area it changes continuously with the patch.
    pub short_side: f64,
}

/// The width b of a patch, m.
pub(super) fn bekker_width(rule: BekkerWidth, patch: &Patch) -> f64 {
    match rule {
        BekkerWidth::Given(width) => width,
        BekkerWidth::Footprint => patch.short_side,
        BekkerWidth::Perimeter => 2.0 * patch.area / patch.perimeter,
    }
}

/// Appends the corners of a box [x_min, x_max, y_min, y_max].
pub(super) fn add_corners(points: &mut Vec<[f64; 2]>, [x0, x1, y0, y1]: [f64; 4]) {
    points.extend([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]);
}

/// The patch of a set of points, which is replaced by its convex hull (counter-clockwise); `None` where they span no area.
/// Works in the vector given: it grows by the points on its outline, at most to twice its length.
pub(super) fn patch(points: &mut Vec<[f64; 2]>) -> Option<Patch> {
    points.retain(|p| p[0].is_finite() && p[1].is_finite());
    drop_inner(points);
    replace_by_hull(points);
    let (n, hull) = (points.len(), &points[..]);
    let (mut twice_area, mut perimeter, mut short_side) = (0.0, 0.0, f64::INFINITY);
    // Rotating calipers: the corner farthest from an edge moves on as the edge does. The first is sought among all, because near the edge
    // itself rounding decides which of two corners is farther.
    let mut far = farthest_from_first_edge(hull);
    for i in 0..n {
        let (p, q) = (hull[i], hull[(i + 1) % n]);
        let length = (q[0] - p[0]).hypotenuse(q[1] - p[1]);
        let mut height = cross(p, q, hull[far % n]);
        for _ in 0..n {
            let next = cross(p, q, hull[(far + 1) % n]);
            if next < height {
                break;
            }
            (far, height) = (far + 1, next);
        }
        twice_area += cross(hull[0], p, q);
        perimeter += length;
        short_side = f64::min(short_side, height / length);
    }
    (twice_area > 0.0).then_some(Patch { area: 0.5 * twice_area, perimeter, short_side })
}

/// Index of the corner farthest from the first edge of a hull.
fn farthest_from_first_edge(hull: &[[f64; 2]]) -> usize {
    let height = |i: &usize| cross(hull[0], hull[1], hull[*i]);
    (2..hull.len()).max_by(|a, b| height(a).total_cmp(&height(b))).unwrap_or(0)
}

/// Twice the signed area of a triangle; positive when counter-clockwise.
#[inline]
fn cross(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// Drops the points inside the quadrilateral of the four that lie farthest along the diagonals: most of a filled patch, before sorting.
fn drop_inner(points: &mut Vec<[f64; 2]>) {
    let Some(&first) = points.first() else { return };
    let (mut a, mut b, mut c, mut d) = (first, first, first, first);
    for &p in points.iter() {
        let (sum, difference) = (p[0] + p[1], p[0] - p[1]);
        a = if sum < a[0] + a[1] { p } else { a };
        b = if difference > b[0] - b[1] { p } else { b };
        c = if sum > c[0] + c[1] { p } else { c };
        d = if difference < d[0] - d[1] { p } else { d };
    }
    let is_inside =
        |p| cross(a, b, p) > 0.0 && cross(b, c, p) > 0.0 && cross(c, d, p) > 0.0 && cross(d, a, p) > 0.0;
    points.retain(|&p| !is_inside(p));
}

/// Andrew's monotone chain; the hull grows behind the sorted points, which are then removed.
fn replace_by_hull(points: &mut Vec<[f64; 2]>) {
    points.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    points.dedup();
    let n = points.len();
    if n < 3 {
        return;
    }
    for i in 0..n {
        extend_chain(points, n, i);
    }
    let base = points.len() - 1;
    for i in (0..n - 1).rev() {
        extend_chain(points, base, i);
    }
    points.pop();
    points.drain(..n);
}

/// Appends a point to the chain that starts at `base`, after removing the points that it leaves to the right or on a straight line.
fn extend_chain(points: &mut Vec<[f64; 2]>, base: usize, i: usize) {
    let point = points[i];
    while let &[.., a, b] = &points[base..]
        && cross(a, b, point) <= 0.0
    {
        points.pop();
    }
    points.push(point);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The parts of a grid's cells inside a rectangle: corner, sides along its own axes, turned by `angle`; by sampling its outline where
    /// it is turned, exactly where it is not.
    fn cells(ds: f64, corner: [f64; 2], size: [f64; 2], angle: f64) -> Vec<[f64; 4]> {
        let (s, c) = angle.sin_cos();
        let place = |u: f64, v: f64| [corner[0] + c * u - s * v, corner[1] + s * u + c * v];
        let steps = 400;
        let mut boxes = std::collections::BTreeMap::new();
        for i in 0..=steps {
            for j in 0..=steps {
                let [x, y] = place(
                    size[0] * f64::from(i) / f64::from(steps),
                    size[1] * f64::from(j) / f64::from(steps),
                );
                let cell = ((x / ds).round() as i64, (y / ds).round() as i64);
                let b: &mut [f64; 4] = boxes.entry(cell).or_insert([x, x, y, y]);
                *b = [b[0].min(x), b[1].max(x), b[2].min(y), b[3].max(y)];
            }
        }
        boxes.into_values().collect()
    }

    fn patch_of(boxes: &[[f64; 4]]) -> Option<Patch> {
        let mut points = Vec::new();
        boxes.iter().for_each(|&b| add_corners(&mut points, b));
        patch(&mut points)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        /// A rectangle along the grid has its own area, perimeter and short side, wherever its edges fall in the cells.
        #[test]
        fn rectangles_along_the_grid_are_exact(x in -3.0..3.0f64, y in -3.0..3.0f64, a in 0.02..0.3f64, b in 0.02..0.3f64) {
            let patch = patch_of(&cells(0.01, [x, y], [a, b], 0.0)).unwrap();
            // Coordinates of 3 m are rounded to 4e-16 m.
            prop_assert!((patch.area - a * b).abs() < 1e-13);
            prop_assert!((patch.perimeter - 2.0 * (a + b)).abs() < 1e-12);
            prop_assert!((patch.short_side - a.min(b)).abs() < 1e-12);
        }

        /// Boxes stick out of a turned rectangle by less than a cell: all three numbers are within O(ds), from above.
        #[test]
        fn turned_rectangles_are_within_a_cell(angle in 0.0..1.6f64, x in 0.0..0.01f64) {
            let (ds, a, b) = (0.01, 0.2, 0.1);
            let patch = patch_of(&cells(ds, [x, 0.3 * x], [a, b], angle)).unwrap();
            // No point of a box is farther than a cell's diagonal from the rectangle; sampling takes off at most a/400.
            let (out, slack) = (2f64.sqrt() * ds, a / 400.0);
            let perimeter = 2.0 * (a + b);
            prop_assert!(patch.short_side > b - slack && patch.short_side < b + 2.0 * out);
            prop_assert!(patch.perimeter > perimeter - 8.0 * slack);
            prop_assert!(patch.perimeter < perimeter + 2.0 * std::f64::consts::PI * out);
            prop_assert!(patch.area > a * b - perimeter * slack);
            prop_assert!(patch.area < a * b + perimeter * out + std::f64::consts::PI * out * out);
        }

        /// The hull holds every point, its corners turn left, and no direction is narrower than the short side.
        #[test]
        fn hull_and_width_by_brute_force(points in prop::collection::vec([-1.0..1.0f64, -1.0..1.0f64], 3..60)) {
            let mut hull = points.clone();
            let patch = patch(&mut hull).unwrap();
            let n = hull.len();
            for (i, &p) in hull.iter().enumerate() {
                prop_assert!(cross(p, hull[(i + 1) % n], hull[(i + 2) % n]) > 0.0);
                prop_assert!(points.iter().all(|&q| cross(p, hull[(i + 1) % n], q) > -1e-15));
            }
            let width = |k: u32| {
                let (s, c) = (std::f64::consts::PI * f64::from(k) / 2000.0).sin_cos();
                let along = |p: &[f64; 2]| c * p[0] + s * p[1];
                let max = points.iter().map(along).fold(f64::NEG_INFINITY, f64::max);
                max - points.iter().map(along).fold(f64::INFINITY, f64::min)
            };
            let narrowest = (0..2000).map(width).fold(f64::INFINITY, f64::min);
            // A direction off by half a step of π/2000 sees a hull of diameter up to 2√2 wider by less than 0.0023.
            prop_assert!(patch.short_side <= narrowest + 1e-12 && narrowest < patch.short_side + 0.0023);
        }
    }

    /// A right triangle with sides 3, 4, 5 is 2.4 wide; a plate 0.05 by 0.2 has 2A/P = 0.04.
    #[test]
    fn hand_computed_widths() {
        let triangle = patch(&mut vec![[0.0, 0.0], [3.0, 0.0], [1.0, 1.0], [0.0, 4.0], [0.0, 2.0]]).unwrap();
        assert!((triangle.area - 6.0).abs() < 1e-15 && (triangle.perimeter - 12.0).abs() < 1e-14);
        assert!((triangle.short_side - 2.4).abs() < 1e-15);
        let plate = patch_of(&[[0.0, 0.2, 0.0, 0.05]]).unwrap();
        assert!((bekker_width(BekkerWidth::Perimeter, &plate) - 0.04).abs() < 1e-15);
        assert!((bekker_width(BekkerWidth::Footprint, &plate) - 0.05).abs() < 1e-15);
        assert_eq!(bekker_width(BekkerWidth::Given(0.1), &plate), 0.1);
    }

    /// Points without area make no patch, and none of them panics.
    #[test]
    fn flat_sets_have_no_patch() {
        let line = |n: u32| (0..n).map(|i| [f64::from(i), 2.0 * f64::from(i)]).collect::<Vec<_>>();
        for n in 0..6 {
            assert_eq!(patch(&mut line(n)), None);
        }
        assert_eq!(patch(&mut vec![[0.3, 0.1]; 9]), None);
        assert_eq!(patch(&mut vec![[f64::NAN, 0.0], [1.0, f64::INFINITY], [0.0, 0.0]]), None);
    }

    /// Once the vector has grown, another patch of the same kind allocates nothing.
    #[test]
    fn works_in_the_vector_given() {
        let boxes = cells(0.01, [0.004, 0.003], [0.2, 0.1], 0.3);
        let mut points = Vec::new();
        let mut capacity = 0;
        for round in 0..3 {
            points.clear();
            boxes.iter().for_each(|&b| add_corners(&mut points, b));
            patch(&mut points);
            assert!(round == 0 || points.capacity() == capacity);
            capacity = points.capacity();
        }
    }
}
