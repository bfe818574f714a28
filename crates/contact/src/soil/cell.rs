//! One cell of the grid cut by a straight line: the part inside the side of a wheel or the end of a contact.

/// Fraction of a unit square about the origin on the side n·x ≤ d of a straight line. With |n| = 1, `d` is the signed distance of the
/// line from the centre in units of the cell's side; n may have any length, and d the same.
///
/// With a ≥ b the magnitudes of n's components, the line leaves beyond it the corner triangle e²/(2ab), where e = (a + b)/2 − |d|, as
/// long as it cuts two adjacent sides (0 ≤ e ≤ b), and the trapezium (e − b/2)/a when it cuts opposite ones.
#[inline]
pub(super) fn half_plane_fraction(d: f64, nx: f64, ny: f64) -> f64 {
    let (nx, ny) = (nx.abs(), ny.abs());
    let (a, b) = if nx > ny { (nx, ny) } else { (ny, nx) };
    let e = 0.5 * (a + b) - d.abs();
    let beyond = if e <= 0.0 {
        0.0
    } else if e < b {
        0.5 * e * e / (a * b)
    } else {
        (e - 0.5 * b) / a
    };
    if d < 0.0 { beyond } else { 1.0 - beyond }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Area of the square on the line's side by clipping its outline, and the length of the cut.
    fn clipped(d: f64, nx: f64, ny: f64) -> (f64, f64) {
        let corners = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];
        let depth = |p: [f64; 2]| d - nx * p[0] - ny * p[1];
        let (mut kept, mut cut) = (Vec::new(), Vec::new());
        for i in 0..4 {
            let (p, q) = (corners[i], corners[(i + 1) % 4]);
            if depth(p) >= 0.0 {
                kept.push(p);
            }
            if (depth(p) >= 0.0) != (depth(q) >= 0.0) {
                let s = depth(p) / (depth(p) - depth(q));
                cut.push([p[0] + s * (q[0] - p[0]), p[1] + s * (q[1] - p[1])]);
                kept.extend(cut.last());
            }
        }
        let twice: f64 = (0..kept.len())
            .map(|i| (kept[i], kept[(i + 1) % kept.len()]))
            .map(|(p, q)| p[0] * q[1] - p[1] * q[0])
            .sum();
        let chord = if cut.len() == 2 { (cut[0][0] - cut[1][0]).hypot(cut[0][1] - cut[1][1]) } else { 0.0 };
        (0.5 * twice, chord)
    }

    proptest! {
        /// The formula is the area of the clipped square, to rounding; cutting from the other side leaves the rest.
        #[test]
        fn equals_the_clipped_square(d in -0.9..0.9f64, angle in -4.0..4.0f64) {
            let (ny, nx) = angle.sin_cos();
            let fraction = half_plane_fraction(d, nx, ny);
            // A sum of at most six products below one half.
            prop_assert!((fraction - clipped(d, nx, ny).0).abs() < 1e-15);
            prop_assert!((fraction + half_plane_fraction(-d, -nx, -ny) - 1.0).abs() < 1e-15);
            prop_assert!((fraction - half_plane_fraction(d, -ny, nx)).abs() < 1e-15);
        }

        /// Moving the line sweeps its chord: the derivative is the length of the cut. The chord changes by at most 1/(ab) per distance, so a
        /// central difference is off by less than step/(ab), and by rounding over the step.
        #[test]
        fn derivative_is_the_chord(d in -0.8..0.8f64, angle in -4.0..4.0f64) {
            let (ny, nx) = angle.sin_cos();
            let (step, ab) = (1e-6, (nx * ny).abs());
            prop_assume!(ab > 1e-3);
            let difference = half_plane_fraction(d + step, nx, ny) - half_plane_fraction(d - step, nx, ny);
            let slope = difference / (2.0 * step);
            prop_assert!((slope - clipped(d, nx, ny).1).abs() < step / ab + 1e-9, "{slope}");
        }
    }

    /// Lines along the sides and the diagonals, through the centre, beyond the corners.
    #[test]
    fn hand_computed_values() {
        let r = 0.5f64.sqrt();
        let cases = [
            (0.25, 1.0, 0.0, 0.75),
            (-0.25, 0.0, -1.0, 0.25),
            (0.0, 0.6, -0.8, 0.5),
            (0.5 * r, r, r, 0.875),
            (-r, r, -r, 0.0),
            (0.71, r, r, 1.0),
            (-3.0, 1.0, 0.0, 0.0),
            (0.5, 1.0, 1e-320, 1.0),
        ];
        for (d, nx, ny, expected) in cases {
            let fraction = half_plane_fraction(d, nx, ny);
            assert!((fraction - expected).abs() < 1e-15, "{d} {nx} {ny}: {fraction}");
            assert!((0.0..=1.0).contains(&fraction));
        }
    }
}
