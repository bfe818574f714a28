//! Patches: what they reproduce, how fast they converge, how smoothly they join.

use super::*;

const BOTH: [Smoothness; 2] = [Smoothness::C1, Smoothness::C2];

fn surface(raster: &Raster, smoothness: Smoothness) -> HeightSurface {
    HeightSurface::new(HeightForm::Map { raster: raster.clone(), smoothness })
}

/// Both patches are exact on quadratics, in every cell with the borders, value and derivatives, also far from the origin.
#[test]
fn quadratics_are_exact() {
    for (origin, spacing) in [([-3.0, -2.0], 1.0), ([-3.0, -2.0], 0.3), ([1e6, -2e6], 1.0)] {
        let [x0, y0] = origin;
        let exact = |x: f64, y: f64| {
            let (x, y) = (x - x0 - 3.0, y - y0 - 2.0);
            let z = 0.7 + 0.3 * x - 0.2 * y + 0.2 * x * x + 0.1 * x * y - 0.15 * y * y;
            (z, [0.3 + 0.4 * x + 0.1 * y, -0.2 + 0.1 * x - 0.3 * y], [0.4, 0.1, -0.3])
        };
        let map = map_of(origin, spacing, [7, 6], |x, y| exact(x, y).0);
        for smoothness in BOTH {
            let ground = surface(&map, smoothness);
            for j in 0..=25 {
                for i in 0..=30 {
                    let (x, y) = (x0 + spacing * 0.2 * i as f64, y0 + spacing * 0.2 * j as f64);
                    let jet = ground.jet(x, y).expect("inside");
                    let (z, slope, bend) = exact(x, y);
                    assert!((jet.z - z).abs() < 1e-12, "{} {z}", jet.z);
                    // Nodes hold 16 digits of heights up to 10 m; derivatives divide their rounding by Δ and Δ².
                    assert!((0..2).all(|k| (jet.gradient[k] - slope[k]).abs() < 1e-12 / spacing));
                    assert!(
                        (0..3).all(|k| (jet.hessian[k] - bend[k]).abs() < 1e-11 / (spacing * spacing)),
                        "{jet:?}"
                    );
                }
            }
        }
    }
}

/// On sin(1.3x)·cos(0.9y) the error is of third order with the constant of the theory: the central difference misses the slope by Δ²f‴/6, and the
/// line takes it in with the weights of its end slopes, s − 3s² + 2s³ (C¹) and s − 10s³ + 15s⁴ − 6s⁵ (C²). The quintic is the less accurate one.
#[test]
fn convergence_is_of_third_order() {
    let f = |x: f64, y: f64| (1.3 * x).sin() * (0.9 * y).cos();
    let error = |cells: usize, smoothness: Smoothness| {
        let spacing = 4.0 / cells as f64;
        // Two cells of margin, so that the border's rule is not what is measured.
        let map = map_of([-2.0 - 2.0 * spacing; 2], spacing, [cells + 5; 2], f);
        let ground = surface(&map, smoothness);
        let mut most: f64 = 0.0;
        let n = 10 * cells;
        for j in 0..=n {
            for i in 0..=n {
                let (x, y) = (-2.0 + 4.0 * i as f64 / n as f64, -2.0 + 4.0 * j as f64 / n as f64);
                most = most.max((ground.jet(x, y).expect("inside").z - f(x, y)).abs());
            }
        }
        most
    };
    let largest =
        |weight: fn(f64) -> f64| (0..=10_000).map(|k| weight(k as f64 / 1e4).abs()).fold(0.0, f64::max);
    let constants = [
        (Smoothness::C1, largest(|s| s - 3.0 * s.powi(2) + 2.0 * s.powi(3))),
        (Smoothness::C2, largest(|s| s - 10.0 * s.powi(3) + 15.0 * s.powi(4) - 6.0 * s.powi(5))),
    ];
    for (smoothness, weight) in constants {
        let [coarse, fine] = [error(40, smoothness), error(80, smoothness)];
        let order = (coarse / fine).log2();
        assert!((2.9..3.1).contains(&order), "{smoothness:?}: order {order}");
        // The steepest third derivative is 1.3³; sampling at tenths of a cell and the next order leave some per cent.
        let expected = 1.3f64.powi(3) / 6.0 * weight * 1e-3;
        assert!((coarse / expected - 1.0).abs() < 0.05, "{smoothness:?}: {coarse:e}, expected {expected:e}");
    }
}

/// On a random map, slopes of both patches go on across the lines of nodes; second derivatives of the C² patch too, those of the C¹ patch jump.
#[test]
fn patches_join_as_smoothly_as_they_say() {
    let mut r = Random(9);
    let heights: Vec<f64> = (0..12 * 12).map(|_| 0.2 * r.next()).collect();
    let map = Raster::new([0.0, 0.0], 1.0, 12, 12, heights).expect("a valid map");
    for smoothness in BOTH {
        let mut jump: f64 = 0.0;
        for j in 0..11 {
            for i in 0..10 {
                let (west, east) =
                    (Patch::build(&map, i, j, smoothness), Patch::build(&map, i + 1, j, smoothness));
                let (south, north) =
                    (Patch::build(&map, j, i, smoothness), Patch::build(&map, j, i + 1, smoothness));
                for t in [0.0, 0.3, 0.5, 1.0] {
                    let pairs = [
                        (west.expect("there").jet(1.0, t, 1.0), east.expect("there").jet(0.0, t, 1.0)),
                        (south.expect("there").jet(t, 1.0, 1.0), north.expect("there").jet(t, 0.0, 1.0)),
                    ];
                    for (a, b) in pairs {
                        assert!(
                            (a.z - b.z).abs() < 1e-14
                                && (0..2).all(|k| (a.gradient[k] - b.gradient[k]).abs() < 1e-13)
                        );
                        jump = (0..3).fold(jump, |m, k| m.max((a.hessian[k] - b.hessian[k]).abs()));
                    }
                }
            }
        }
        match smoothness {
            Smoothness::C1 => assert!(jump > 0.3, "C1 should jump: {jump}"),
            Smoothness::C2 => assert!(jump < 1e-12, "C2 jumps by {jump:e}"),
        }
    }
}

/// The second difference is over Δ². The printed one, over 2Δ, is half of the curvature of the bowl 0.2x² + 0.2y² on a map with Δ = 1 m, and would put it
/// 12.5 mm off in the middle of a cell, where the C² patch is exact.
#[test]
fn second_difference_is_over_the_square_of_the_spacing() {
    let bowl = |x: f64, y: f64| 0.2 * x * x + 0.2 * y * y;
    let ground = surface(&map_of([-3.0, -3.0], 1.0, [7, 7], bowl), Smoothness::C2);
    let node = ground.jet(1.0, 1.0).expect("inside").hessian[0];
    assert!((node - 0.4).abs() < 1e-13);
    let printed = (bowl(2.0, 0.0) - 2.0 * bowl(1.0, 0.0) + bowl(0.0, 0.0)) / 2.0;
    // A quintic with heights and slopes held moves in its middle by 1/64 of the curvature at each end; two directions.
    let off = 2.0 * 2.0 * (node - printed) / 64.0;
    assert!((off - 0.0125).abs() < 1e-13, "{off}");
    assert!((ground.jet(0.5, 0.5).expect("inside").z - bowl(0.5, 0.5)).abs() < 1e-15);
}

/// A missing node is put where the quadratic through the three before it leads, so that borders and the rims of holes are exact on quadratics
/// along the line; a cell with an unknown corner is a hole.
#[test]
fn borders_and_holes_follow_the_rule() {
    let f = |x: f64, y: f64| 0.2 * x * x - 0.1 * y * y + 0.05 * x * y;
    let mut heights: Vec<f64> = (0..64).map(|k| f((k % 8) as f64, (k / 8) as f64)).collect();
    heights[3 * 8 + 3] = f64::NAN;
    let map = Raster::new([0.0, 0.0], 1.0, 8, 8, heights).expect("a valid map");
    for smoothness in BOTH {
        let ground = surface(&map, smoothness);
        for (x, y) in [(2.5, 2.5), (3.5, 3.5), (2.9, 3.1)] {
            assert_eq!(ground.jet(x, y), Err(crate::Missing::Hole));
        }
        assert_eq!(ground.jet(7.1, 3.0), Err(crate::Missing::OffMap));
        for (x, y) in [(1.5, 3.5), (4.5, 2.5), (3.5, 4.5), (4.7, 4.2), (1.2, 1.9), (0.1, 6.9)] {
            let jet = ground.jet(x, y).expect("beside the hole");
            assert!((jet.z - f(x, y)).abs() < 1e-13, "{x} {y}: {}", jet.z);
        }
    }
    // Two by two nodes are a bilinear cell.
    let smallest = map_of([0.0, 0.0], 1.0, [2, 2], |x, y| x * y);
    let jet = surface(&smallest, Smoothness::C2).jet(0.25, 0.5).expect("inside");
    assert!((jet.z - 0.125).abs() < 1e-15 && (jet.hessian[1] - 1.0).abs() < 1e-15);
}

/// The kept patch changes nothing but time.
#[test]
fn kept_patches_change_nothing() {
    let mut r = Random(4);
    let map = map_of([0.0, 0.0], 0.5, [20, 20], |x, y| (x * 1.1).sin() + (y * 0.7).cos());
    let ground = surface(&map, Smoothness::C2);
    let mut kept = None;
    for _ in 0..500 {
        let (x, y) = (4.7 + 4.6 * r.next(), 4.7 + 4.6 * r.next());
        assert_eq!(ground.jet_with(&mut kept, x, y), ground.jet(x, y));
    }
}

/// No patch exceeds the peak of its block: the search may trust them. The weights that bound the overshoot are found by sampling unit nodes.
#[test]
fn peaks_are_above_all_patches() {
    let mut negative: f64 = 0.0;
    for k in 0..=1000 {
        let s = k as f64 / 1000.0;
        for smoothness in BOTH {
            let weight = |node: usize| {
                let map = map_of([0.0, 0.0], 1.0, [4, 4], |x, _| if x as usize == node { 1.0 } else { 0.0 });
                surface(&map, smoothness).jet(1.0 + s, 1.5).expect("inside").z
            };
            negative = negative.max((0..4).map(|n| (-weight(n)).max(0.0)).sum());
        }
    }
    // Σ|w| = 1 + 2·negative along a line; of the product its square, and the negative part is half of what exceeds one.
    let product = (1.0 + 2.0 * negative).powi(2);
    assert!((product - 1.0) / 2.0 <= super::super::peaks::OVERSHOOT, "{negative} {}", (product - 1.0) / 2.0);
    let mut r = Random(2);
    let heights: Vec<f64> = (0..70 * 50).map(|_| r.next()).collect();
    let map = Raster::new([0.0, 0.0], 1.0, 70, 50, heights).expect("a valid map");
    for smoothness in BOTH {
        let ground = surface(&map, smoothness);
        for _ in 0..300 {
            let (x, y) = (34.5 + 32.0 * r.next(), 24.5 + 22.0 * r.next());
            let z = ground.jet(x, y).expect("inside").z;
            // A window around the place sees its block at any height up to the surface.
            let mut seen = false;
            ground.visit_nodes([x - 1.0, x + 1.0], [y - 1.0, y + 1.0], z, |columns, rows| {
                seen |= columns[0] < columns[1] && rows[0] < rows[1];
            });
            assert!(seen && z <= ground.top() && z <= ground.highest([x - 0.3, x + 0.1], [y - 0.2, y + 0.4]));
        }
        // Windows of any size name each node at most once and all nodes where nothing is culled.
        let mut count = 0;
        ground.visit_nodes([-5.0, 100.0], [3.0, 17.5], f64::NEG_INFINITY, |c, r| {
            count += (c[1] - c[0]) * (r[1] - r[0])
        });
        assert_eq!(count, 70 * 15);
    }
}

/// The lines have at both ends what they are made of: heights, central slopes, and for C² the second differences, whatever the nodes.
#[test]
fn lines_meet_their_conditions() {
    let mut r = Random(6);
    for _ in 0..50 {
        let nodes = [r.next(), r.next(), r.next(), r.next()];
        let map = map_of([0.0, 0.0], 1.0, [4, 4], |x, _| nodes[x as usize]);
        for smoothness in BOTH {
            let patch = Patch::build(&map, 1, 1, smoothness).expect("inside");
            for (s, k) in [(0.0, 1), (1.0, 2)] {
                let jet = patch.jet(s, 0.5, 1.0);
                let slope = 0.5 * (nodes[k + 1] - nodes[k - 1]);
                let bend = nodes[k + 1] - 2.0 * nodes[k] + nodes[k - 1];
                assert!((jet.z - nodes[k]).abs() < 1e-14 && (jet.gradient[0] - slope).abs() < 1e-14);
                assert!(
                    smoothness == Smoothness::C1 || (jet.hessian[0] - bend).abs() < 1e-13,
                    "{} {bend}",
                    jet.hessian[0]
                );
            }
        }
    }
}
