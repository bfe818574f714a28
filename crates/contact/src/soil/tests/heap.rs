//! A heap of soil at rest.

use super::super::tile::UNIT;
use super::*;
use touchdown_oracle::soil::heap::cone;

/// A heap relaxes until no neighbours differ by more than 1.001 of their limit, keeps its volume to the last unit, and covers as much ground as
/// the ideal cone whose radius differs by less than a cell.
#[test]
fn heaps_become_cones() {
    for (spacing, angle, radius, height) in
        [(0.01, 30.0, 0.06, 0.12), (0.01, 24.8, 0.08, 0.08), (0.005, 35.0, 0.04, 0.06)]
    {
        let mut bench = Bench::new(spacing, ground(angle, 0.0, 1e9), full(), &[]);
        bench.soil.add_heap([0.0013, -0.0021], radius, height);
        let half = 60;
        let volume =
            |bench: &Bench| bench.heights(half).map(|(_, _, h)| (h / UNIT).round() as i128).sum::<i128>();
        let before = volume(&bench);
        let mut steps = 0;
        while bench.soil.active_nodes() > 0 {
            bench.step(0.01, &[]);
            steps += 1;
            assert!(steps < 20_000, "{} nodes still slide", bench.soil.active_nodes());
        }
        assert_eq!(volume(&bench), before);
        let limit = spacing * angle.to_radians().tan();
        let at = |x: f64, y: f64| bench.soil.surface(x, y).unwrap();
        for (x, y, h) in bench.heights(half - 1) {
            for (dx, dy) in [(1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, -1.0f64)] {
                let step = (h - at(x + dx * spacing, y + dy * spacing)).abs();
                assert!(step <= 1.001 * limit * dx.hypot(dy));
            }
        }
        let covered = bench.heights(half).filter(|(_, _, h)| *h > 0.5 * limit).count();
        let found = (covered as f64 / std::f64::consts::PI).sqrt() * spacing;
        let ideal = cone(before as f64 * UNIT * spacing * spacing, angle.to_radians());
        println!(
            "{angle}°, ds {spacing}: radius {:.1} mm, ideal {:.1} mm, after {steps} updates",
            1e3 * found,
            1e3 * ideal.radius_m
        );
        assert!((found - ideal.radius_m).abs() < spacing);
    }
}
