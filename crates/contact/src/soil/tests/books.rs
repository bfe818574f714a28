//! Volume: whatever happens, soil is neither made nor lost.

use super::*;
use proptest::prelude::*;

/// Leg of a body's path: where to, how fast it spins, whether it may be in the air.
fn leg() -> impl Strategy<Value = [f64; 5]> {
    [-0.15..0.15f64, -0.15..0.15f64, -0.06..0.02f64, -3.0..3.0f64, -5.0..5.0f64]
}

/// Options of all kinds.
pub(super) fn options() -> impl Strategy<Value = SoilOptions> {
    (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>(), 1..4u32).prop_map(
        |(deposition, erosion, janosi, directional, move_every)| SoilOptions {
            stress: if directional { StressLaw::Directional } else { StressLaw::Bekker },
            friction: if janosi { FrictionLaw::Janosi } else { FrictionLaw::Coulomb { speed: 0.01 } },
            deposition,
            erosion,
            move_every,
            ..full()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Three bodies wander, sink, spin, fly and meet; the run is saved and resumed in between. To the last
    /// unit, at every step: heights sum to what was added less what is compacted or carried, and the three
    /// parts of the displaced volume sum to it.
    #[test]
    fn volume_is_exact_over_random_motions(
        legs in prop::collection::vec([leg(), leg(), leg()], 2..5),
        options in options(),
        heap in 0.0..0.05f64,
        compaction in 0.0..1.0f64,
    ) {
        let surfaces =
            [carrying_wheel(), smooth_wheel(), SoilSurface { bedded: true, ..plate(0.1, 0.06) }];
        let mut bench = Bench::new(0.0125, SoilParameters { compaction, ..sand() }, options, &surfaces);
        bench.soil.add_heap([0.05, 0.0], 0.06, heap);
        let rest = [RADIUS, RADIUS, 0.01];
        let (h, steps) = (0.01, 20);
        let mut from = [[-0.1, 0.0, 0.02, 0.0, 0.0], [0.1, 0.05, 0.02, 0.0, 0.0], [0.0, -0.1, 0.02, 0.0, 0.0]];
        for to in legs {
            for k in 1..=steps {
                let s = f64::from(k) / f64::from(steps);
                let motions: [SurfaceMotion; 3] = std::array::from_fn(|b| {
                    let now: [f64; 5] = std::array::from_fn(|i| from[b][i] + s * (to[b][i] - from[b][i]));
                    let rate = |i: usize| (to[b][i] - from[b][i]) / (h * f64::from(steps));
                    let mut motion = rolling(now[3], Vec3::new(now[0], now[1], rest[b] + now[2]), 0.0, now[4]);
                    motion.v_WS = Vec3::new(rate(0), rate(1), rate(2));
                    motion.w_WS.z += rate(3);
                    motion
                });
                bench.step(h, &motions);
                prop_assert_eq!(bench.soil.volume_error_relative(), 0.0);
                prop_assert!(bench.soil.parts_are_whole());
            }
            bench.restore(bench.state());
            from = to;
        }
        let (displaced, parts) = bench.soil.volume_displaced();
        prop_assert!(displaced > 0.0 || parts == [0.0; 3]);
    }
}

/// A plate pressed straight down displaces its own volume, all of it by sinkage, and it comes to lie around
/// the plate: less what springs back.
#[test]
fn a_plate_displaces_its_volume() {
    let mut bench = Bench::new(0.01, sand(), SoilOptions { erosion: false, ..full() }, &[plate(0.1, 0.1)]);
    for k in 0..=40 {
        let z = 0.01 - 0.02 * f64::from(k) / 40.0;
        bench.step(0.01, &[sliding(Vec3::new(0.005, 0.005, z), Vec3::new(0.0, 0.0, -0.05))]);
    }
    let rebound = (2370.0 / 0.1 + 60_300.0) * 0.02f64.powf(0.63) / 1e9;
    let (displaced, parts) = bench.soil.volume_displaced();
    let expected = 0.01 * (0.02 - rebound);
    assert!((displaced / expected - 1.0).abs() < 1e-9, "{displaced} {expected}");
    assert_eq!(parts, [displaced, 0.0, 0.0]);
    let above: f64 = bench.heights(20).filter(|(_, _, h)| *h > 0.0).map(|(_, _, h)| h * 1e-4).sum();
    assert!((above / displaced - 1.0).abs() < 1e-9);
}

/// A soil that compacts a part of the displaced volume becomes denser by exactly that: the rest lies around
/// the plate, no unit is lost, and the sum over the nodes equals the account.
#[test]
fn compacted_soil_stays_in_the_ground() {
    let compaction = 0.3;
    let soil = SoilParameters { compaction, ..sand() };
    let mut bench = Bench::new(0.01, soil, SoilOptions { erosion: false, ..full() }, &[plate(0.1, 0.1)]);
    for k in 0..=40 {
        let z = 0.01 - 0.02 * f64::from(k) / 40.0;
        bench.step(0.01, &[sliding(Vec3::new(0.005, 0.005, z), Vec3::new(0.0, 0.0, -0.05))]);
    }
    let (displaced, _) = bench.soil.volume_displaced();
    let above: f64 = bench.heights(20).filter(|(_, _, h)| *h > 0.0).map(|(_, _, h)| h * 1e-4).sum();
    assert!((above / displaced - (1.0 - compaction)).abs() < 1e-9);
    assert!((bench.soil.volume_compacted() / displaced - compaction).abs() < 1e-9);
    let held: f64 = bench.soil.surface_nodes().map(|node| node.compacted * 1e-4).sum();
    assert!((held / bench.soil.volume_compacted() - 1.0).abs() < 1e-12);
    assert_eq!(bench.soil.volume_error_relative(), 0.0);
    // Under the plate alike, as far as a cell belongs to it.
    let under: Vec<f64> = bench.soil.surface_nodes().map(|n| n.compacted).filter(|c| *c > 0.0).collect();
    assert!(under.len() >= 100);
}
