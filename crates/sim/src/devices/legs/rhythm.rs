//! When legs step: phases of the gaits, and the path of a foot in the air. Pure.

use crate::description::LegGait;
use touchdown_math::Vec3;

/// Phase offset of each leg, as a share of the cycle, from the positions of the hips: rows are counted from
/// the front, per side.
pub(super) fn offsets(gait: LegGait, hips: &[[f64; 2]]) -> Vec<f64> {
    let side = |hip: &[f64; 2]| usize::from(hip[1] < 0.0);
    let row = |hip: &[f64; 2]| hips.iter().filter(|o| side(o) == side(hip) && o[0] > hip[0] + 1e-9).count();
    let rows = |hip: &[f64; 2]| hips.iter().filter(|o| side(o) == side(hip)).count();
    let of = |hip: &[f64; 2]| {
        let (side, row, rows) = (side(hip), row(hip), rows(hip));
        let from_rear = (rows - 1 - row) as f64;
        match gait {
            LegGait::Stand => 0.0,
            LegGait::Trot => 0.5 * ((side + row) % 2) as f64,
            // Ahead by less is later: the rear leg of a side steps first, then the one before it.
            LegGait::Crawl => {
                let place = from_rear + (side * (hips.len() - rows)) as f64;
                (1.0 - place / hips.len() as f64) % 1.0
            }
            LegGait::Ripple => (2.0 - from_rear / rows as f64 - 0.5 * side as f64) % 1.0,
        }
    };
    hips.iter().map(of).collect()
}

/// Position, velocity and acceleration of a foot at the share `s` of its swing of the length `time`: from one
/// place to another, with a lift between them.
pub(super) fn swing(from: &Vec3, to: &Vec3, lift: f64, (s, time): (f64, f64)) -> [Vec3; 3] {
    let s = s.clamp(0.0, 1.0);
    let (s2, s3) = (s * s, s * s * s);
    let along = [
        s3 * (10.0 + s * (-15.0 + 6.0 * s)),
        30.0 * s2 * (1.0 + s * (s - 2.0)),
        60.0 * s * (1.0 + s * (2.0 * s - 3.0)),
    ];
    // 16 s² (1 − s)²: level at both ends, 1 in the middle.
    let up = [
        16.0 * s2 * (1.0 - s) * (1.0 - s),
        32.0 * s * (1.0 + s * (2.0 * s - 3.0)),
        32.0 * (1.0 + 6.0 * s * (s - 1.0)),
    ];
    let (way, z) = (to - from, Vec3::z() * lift);
    let per = [1.0, 1.0 / time, 1.0 / (time * time)];
    let jet = |k: usize| (way * along[k] + z * up[k]) * per[k];
    [from + jet(0), jet(1), jet(2)]
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOUR: [[f64; 2]; 4] = [[0.3, 0.1], [0.3, -0.1], [-0.3, 0.1], [-0.3, -0.1]];
    const SIX: [[f64; 2]; 6] = [[0.3, 0.1], [0.0, 0.1], [-0.3, 0.1], [0.3, -0.1], [0.0, -0.1], [-0.3, -0.1]];

    /// Legs in the air at a time when each is on the ground for a share of the cycle.
    fn in_air(offsets: &[f64], duty: f64, phase: f64) -> Vec<usize> {
        (0..offsets.len()).filter(|k| (phase + offsets[*k]) % 1.0 >= duty).collect()
    }

    /// A trot swings diagonals of four legs and tripods of six; a crawl never swings two legs; the legs of a ripple on one side step from rear to front.
    #[test]
    fn gaits_step_in_their_order() {
        assert_eq!(offsets(LegGait::Trot, &FOUR), [0.0, 0.5, 0.5, 0.0]);
        assert_eq!(offsets(LegGait::Trot, &SIX), [0.0, 0.5, 0.0, 0.5, 0.0, 0.5]);
        for legs in [&FOUR[..], &SIX[..]] {
            let crawl = offsets(LegGait::Crawl, legs);
            let duty = 1.0 - 1.0 / legs.len() as f64;
            let mut order = Vec::new();
            for k in 0..1000 {
                let air = in_air(&crawl, duty, (f64::from(k) + 0.5) * 1e-3);
                assert_eq!(air.len(), 1, "{k}: {air:?}");
                if order.last() != Some(&air[0]) {
                    order.push(air[0]);
                }
            }
            order.dedup();
            // The rear left leg, then the ones before it, then the right side.
            let start = order.iter().position(|k| legs[*k] == [-0.3, 0.1]).expect("it steps");
            let turned: Vec<[f64; 2]> =
                (0..legs.len()).map(|k| legs[order[(start + k) % order.len()]]).collect();
            assert!(turned.windows(2).all(|w| w[0][1] != w[1][1] || w[0][0] < w[1][0]), "{turned:?}");
        }
        let ripple = offsets(LegGait::Ripple, &SIX);
        for side in [0, 3] {
            let apart = |a: usize, b: usize| (ripple[side + a] - ripple[side + b] + 2.0) % 1.0;
            // The one behind is a third of a cycle ahead.
            assert!((apart(2, 1) - 1.0 / 3.0).abs() < 1e-12 && (apart(1, 0) - 1.0 / 3.0).abs() < 1e-12);
        }
        assert!(((ripple[0] - ripple[3]).abs() - 0.5).abs() < 1e-12);
    }

    /// The path begins and ends at rest at its ends, is highest in the middle, and its rates are those of its places.
    #[test]
    fn feet_fly_smoothly() {
        let (from, to) = (Vec3::new(0.1, 0.2, 0.0), Vec3::new(0.4, 0.1, 0.05));
        let at = |s: f64| swing(&from, &to, 0.08, (s, 0.3));
        assert_eq!((at(0.0)[0], at(1.0)[0]), (from, to));
        assert!(at(0.0)[1].norm() < 1e-15 && at(1.0)[1].norm() < 1e-14);
        assert!((at(0.5)[0].z - 0.105).abs() < 1e-15);
        for s in [0.1, 0.37, 0.8] {
            let d = 1e-5;
            let (before, after) = (at(s - d), at(s + d));
            for k in 0..2 {
                // Central differences: d² times a third derivative of the order of 1e3.
                let rate = (after[k] - before[k]) / (2.0 * d * 0.3);
                assert!((rate - at(s)[k + 1]).norm() < 1e-5, "{s} {k}");
            }
        }
    }
}
