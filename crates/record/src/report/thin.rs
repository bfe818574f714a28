//! Fewer rows for display: a chart a thousand pixels wide cannot show nine thousand rows, but must show every
//! peak.
//!
//! The rows are divided into equal buckets. Of each bucket the rows are kept in which some line has its least
//! or its greatest value, and the first row without a value (a gap stays a gap). All lines of a figure share
//! their rows.

/// Indices of the rows to draw, rising, about `most` of them; all if there are no more.
pub(super) fn rows(lines: &[&[f64]], most: usize) -> Vec<usize> {
    let count = lines.iter().map(|line| line.len()).min().unwrap_or(0);
    if count <= most {
        return (0..count).collect();
    }
    let buckets = (most / (2 * lines.len())).max(1);
    let mut kept = vec![0];
    for bucket in 0..buckets {
        let (from, to) = (bucket * count / buckets, (bucket + 1) * count / buckets);
        let start = kept.len();
        for line in lines {
            add_extremes(&mut kept, &line[from..to], from);
        }
        kept[start..].sort_unstable();
    }
    kept.push(count - 1);
    kept.dedup();
    kept
}

fn add_extremes(kept: &mut Vec<usize>, values: &[f64], first: usize) {
    let finite = || values.iter().enumerate().filter(|(_, v)| v.is_finite());
    let least = finite().min_by(|a, b| a.1.total_cmp(b.1));
    let greatest = finite().max_by(|a, b| a.1.total_cmp(b.1));
    let gap = values.iter().enumerate().find(|(_, v)| !v.is_finite());
    kept.extend([least, greatest, gap].into_iter().flatten().map(|(i, _)| first + i));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_peak_and_the_ends_survive() {
        // Two lines with a spike of one row each, anywhere: the least and greatest values are kept exactly.
        let n = 9001;
        for spike in [1, 17, 4500, 8999] {
            let a: Vec<f64> =
                (0..n).map(|i| if i == spike { 50.0 } else { (i as f64 * 0.01).sin() }).collect();
            let b: Vec<f64> =
                (0..n).map(|i| if i == n - 1 - spike { -9.0 } else { i as f64 / n as f64 }).collect();
            let kept = rows(&[&a, &b], 2000);
            assert!(kept.len() <= 2002, "{}", kept.len());
            assert!(kept.windows(2).all(|pair| pair[0] < pair[1]));
            assert!(kept.contains(&spike) && kept.contains(&(n - 1 - spike)));
            assert_eq!((kept[0], kept[kept.len() - 1]), (0, n - 1));
        }
    }

    #[test]
    fn gaps_stay_and_few_rows_stay_all() {
        let few = [1.0, f64::NAN, 2.0];
        assert_eq!(rows(&[&few], 2000), [0, 1, 2]);
        let gap: Vec<f64> = (0..10_000).map(|i| if i == 5000 { f64::NAN } else { i as f64 }).collect();
        assert!(rows(&[&gap], 2000).contains(&5000));
        assert!(rows(&[], 2000).is_empty() && rows(&[&[]], 2000).is_empty());
        assert_eq!(rows(&[&vec![f64::NAN; 5000]], 10), [0, 1000, 2000, 3000, 4000, 4999]);
    }
}
