//! Reduces points without changing the picture: points that cannot be distinguished are left out, peaks are
//! kept.

use touchdown_math::Elementary;

/// Points closer than this, pixels, are indistinguishable.
const SAME: f64 = 0.35;

/// Thins a line given in pixels. Against time (x rising) every column of pixels keeps its first, lowest,
/// highest and last point; any other line loses points that coincide with the one before.
pub(super) fn thin(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    if points.windows(2).all(|pair| pair[0][0] <= pair[1][0]) {
        by_columns(points)
    } else {
        by_distance(points)
    }
}

fn by_columns(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut kept = Vec::new();
    for column in points.chunk_by(|a, b| a[0].floor() == b[0].floor()) {
        let at = |better: fn(f64, f64) -> bool| {
            (0..column.len()).fold(0, |best, i| if better(column[i][1], column[best][1]) { i } else { best })
        };
        let mut indices = [0, at(|a, b| a < b), at(|a, b| a > b), column.len() - 1];
        indices.sort_unstable();
        for (i, index) in indices.iter().enumerate() {
            if i == 0 || indices[i - 1] != *index {
                kept.push(column[*index]);
            }
        }
    }
    kept
}

fn by_distance(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut kept: Vec<[f64; 2]> = Vec::new();
    for (i, point) in points.iter().enumerate() {
        let far = |last: &[f64; 2]| (point[0] - last[0]).hypotenuse(point[1] - last[1]) > SAME;
        if kept.last().is_none_or(far) || i + 1 == points.len() {
            kept.push(*point);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A hundred thousand points over a hundred pixels become at most four each, and a single peak survives.
    #[test]
    fn peaks_survive() {
        let mut points: Vec<[f64; 2]> = (0..100_000).map(|i| [f64::from(i) * 1e-3, 50.0]).collect();
        points[54_321][1] = 3.0;
        let kept = thin(&points);
        assert!(kept.len() <= 400, "{}", kept.len());
        assert!(kept.contains(&[54.321, 3.0]));
        assert_eq!((kept.first(), kept.last()), (points.first(), points.last()));
    }

    /// A closed curve keeps its shape: no omitted point lies farther from a kept one than the eye can
    /// resolve.
    #[test]
    fn curves_keep_their_form() {
        let circle: Vec<[f64; 2]> =
            (0..50_000).map(|i| f64::from(i) * 1e-3).map(|a| [100.0 * a.cos(), 100.0 * a.sin()]).collect();
        let kept = thin(&circle);
        assert!(kept.len() < 20_000, "{}", kept.len());
        for point in circle.iter().step_by(97) {
            let nearest =
                kept.iter().map(|k| (k[0] - point[0]).hypot(k[1] - point[1])).fold(f64::INFINITY, f64::min);
            assert!(nearest <= SAME, "{nearest}");
        }
    }
}
