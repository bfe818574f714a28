//! Reliefs: heights at nodes and between them, slopes against differences, bounds, statistics, the same bits everywhere, edges and holes.

use super::*;
use proptest::prelude::*;

fn hills(octaves: u32) -> Relief {
    Relief::Procedural(Procedural::new(3, 0.5, 4.0, 0.2, octaves).expect("in range"))
}

/// Height of an uneven function for maps.
fn wavy(x: f64, y: f64) -> f64 {
    (1.3 * x).sin() * (0.9 * y).cos() + 0.1 * x
}

/// A map of `wavy` with 21 × 11 nodes every 0.25 m from (−2, 1); `holes` have no data.
fn map(holes: &[[usize; 2]]) -> Raster {
    let (origin, spacing) = ([-2.0, 1.0], 0.25);
    let node = |k: usize| {
        let at = [k % 21, k / 21];
        let [x, y] = [origin[0] + spacing * at[0] as f64, origin[1] + spacing * at[1] as f64];
        if holes.contains(&at) { f64::NAN } else { wavy(x, y) }
    };
    Raster::new(origin, spacing, 21, 11, (0..21 * 11).map(node).collect()).expect("well formed")
}

fn all() -> [Relief; 4] {
    let plane = Relief::Plane { height: 0.3, gradient: [0.2, -0.1] };
    [plane, hills(1), hills(5), Relief::Raster(map(&[]))]
}

/// A plane has its height and slope, stands upright on level ground, and is highest in a corner, also of a strip without end.
#[test]
fn planes_are_plane() {
    let plane = Relief::Plane { height: 1.0, gradient: [0.0, -0.5] };
    assert_eq!(plane.height(7.0, 2.0), Some(0.0));
    let normal = plane.normal(7.0, 2.0).expect("everywhere");
    assert!((normal - Vec3::new(0.0, 0.5, 1.0) / 1.25f64.sqrt()).norm() < 1e-15);
    assert_eq!(plane.highest(f64::NEG_INFINITY, f64::INFINITY, -4.0, 2.0), 3.0);
    assert_eq!(plane.why_missing(0.0, 0.0), None);
}

/// A map gives back its nodes (up to the rounding of their places) and is linear along the lines between them.
#[test]
fn maps_pass_their_nodes() {
    let raster = map(&[]);
    let relief = Relief::Raster(raster.clone());
    for (column, row) in [(0, 0), (20, 0), (0, 10), (20, 10), (7, 3), (19, 9)] {
        let [x, y] = [-2.0 + 0.25 * column as f64, 1.0 + 0.25 * row as f64];
        assert_eq!(relief.height(x, y), raster.node(column, row));
        assert_eq!(raster.node(column, row), Some(wavy(x, y)));
    }
    let (a, b) = (wavy(-0.5, 2.0), wavy(-0.25, 2.0));
    let between = relief.height(-0.5 + 0.25 * 0.3, 2.0).expect("inside");
    assert!((between - (0.7 * a + 0.3 * b)).abs() < 1e-15);
}

/// Maps at places and spacings that are no binary fractions still reach their last nodes, wherever they are moved.
#[test]
fn edges_belong_to_the_map() {
    for (origin, spacing) in [([0.1, -0.7], 0.1), ([637_214.3, 4_210_113.9], 0.3), ([-1e7, 1e7], 1.0 / 3.0)] {
        let heights = (0..70).map(f64::from).collect();
        let map = Raster::new([0.0; 2], spacing, 10, 7, heights).and_then(|map| map.with_origin(origin));
        let map = Relief::Raster(map.expect("well formed"));
        let [east, north] = [origin[0] + 9.0 * spacing, origin[1] + 6.0 * spacing];
        // One rounding of a coordinate shifts the place by up to 1e-9 m, on slopes of up to 10 m a cell.
        let corner = map.height(east, north).expect("the last node");
        assert!((corner - 69.0).abs() < 1e-6, "{corner}");
        for (x, y) in
            [(east + 0.01, north), (east, north + 0.01), (origin[0] - 0.01, north), (east, f64::NAN)]
        {
            assert_eq!(map.height(x, y), None);
            assert_eq!(map.normal(x, y), None);
            assert_eq!(map.why_missing(x, y), Some(Missing::OffMap));
        }
    }
}

/// A node without data takes its four cells away and no more; a map equals itself with its holes.
#[test]
fn holes_are_no_larger_than_their_cells() {
    let raster = map(&[[5, 4]]);
    assert_eq!(raster.node(5, 4), None);
    assert_eq!(raster, map(&[[5, 4]]));
    assert_ne!(raster, map(&[[5, 5]]));
    let relief = Relief::Raster(raster);
    let [x, y] = [-2.0 + 0.25 * 5.0, 1.0 + 0.25 * 4.0];
    for (dx, dy) in [(0.2, 0.2), (-0.2, 0.2), (-0.2, -0.2), (0.2, -0.2), (0.0, 0.0)] {
        assert_eq!(relief.height(x + dx, y + dy), None);
        assert_eq!(relief.why_missing(x + dx, y + dy), Some(Missing::Hole));
    }
    for (dx, dy) in [(0.3, 0.2), (-0.3, 0.2), (-0.2, -0.3), (0.2, 0.3)] {
        assert!(relief.height(x + dx, y + dy).is_some());
        assert_eq!(relief.why_missing(x + dx, y + dy), None);
    }
    // Bounds pass over holes: a rectangle within the hole knows its other nodes, one off the map nothing.
    let around: Vec<f64> = [(-0.25, 0.0), (0.25, 0.0), (0.0, 0.25), (0.25, 0.25), (-0.25, 0.25)]
        .iter()
        .map(|(dx, dy)| wavy(x + dx, y + dy))
        .collect();
    let highest = around.into_iter().fold(f64::NEG_INFINITY, f64::max);
    assert_eq!(relief.highest(x - 0.1, x + 0.1, y, y + 0.1), highest);
    assert_eq!(relief.highest(10.0, 11.0, 0.0, 1.0), f64::NEG_INFINITY);
    assert_eq!(relief.highest(1.0, 0.0, 1.0, 2.0), f64::NEG_INFINITY);
}

/// Maps that make no sense are refused with what is wrong.
#[test]
fn bad_maps_are_refused() {
    let make = |spacing, columns, rows, heights| Raster::new([0.0; 2], spacing, columns, rows, heights);
    assert_eq!(make(1.0, 3, 1, vec![0.0; 3]), Err(ReliefError::TooSmall { columns: 3, rows: 1 }));
    assert_eq!(make(1.0, 3, 2, vec![0.0; 5]), Err(ReliefError::Count { found: 5, columns: 3, rows: 2 }));
    assert!(matches!(make(1.0, usize::MAX, 2, vec![0.0; 5]), Err(ReliefError::Count { .. })));
    for spacing in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(make(spacing, 2, 2, vec![0.0; 4]), Err(ReliefError::Range { what: "spacing", .. })));
    }
    let mut heights = vec![0.0; 6];
    heights[4] = f64::INFINITY;
    let error = make(1.0, 3, 2, heights).expect_err("infinite");
    assert_eq!(error, ReliefError::Height { column: 1, row: 1, found: f64::INFINITY });
    assert!(map(&[]).with_origin([0.0, f64::NAN]).is_err());
    assert!(Raster::new([f64::INFINITY, 0.0], 1.0, 2, 2, vec![0.0; 4]).is_err());
}

/// Numbers of procedural ground outside their ranges are refused.
#[test]
fn bad_hills_are_refused() {
    for (height, wavelength, amplitude, octaves) in [
        (f64::NAN, 1.0, 0.1, 1),
        (0.0, 0.0, 0.1, 1),
        (0.0, f64::INFINITY, 0.1, 1),
        (0.0, 1.0, -0.1, 1),
        (0.0, 1.0, f64::NAN, 1),
        (0.0, 1.0, 0.1, 0),
        (0.0, 1.0, 0.1, 17),
    ] {
        let made = Procedural::new(0, height, wavelength, amplitude, octaves);
        assert!(matches!(made, Err(ReliefError::Range { .. })), "{made:?}");
    }
}

/// The same seed makes the same ground, bit for bit, on every machine: heights as an independent program in another language computes them.
#[test]
fn hills_are_the_same_everywhere() {
    let cases = [
        (1, [0.0, 5.0, 0.1], 1, [0.0, 0.0], 0xbfac_50d4_ae1b_b71a),
        (1, [0.0, 5.0, 0.1], 4, [12.34, -56.78], 0xbfb7_4d57_eb11_e468),
        (42, [-3.5, 0.7, 0.02], 6, [1e5, -2e5], 0xc00c_43d5_64d6_aa3e),
        (u64::MAX, [100.0, 20.0, 1.5], 16, [-7.25, 3.125], 0x4058_801f_ce39_1737),
        (7, [0.0, 3.0, 0.05], 3, [1e9 + 0.5, -1e9], 0xbfb1_988e_e1cf_007d),
    ];
    for (seed, [height, wavelength, amplitude], octaves, [x, y], bits) in cases {
        let hills = Procedural::new(seed, height, wavelength, amplitude, octaves).map(Relief::Procedural);
        let found = hills.expect("in range").height(x, y).expect("everywhere");
        assert_eq!(found.to_bits(), bits, "{found}");
    }
}

/// Heights scatter about their mean with the amplitude, and hills are a wavelength apart.
#[test]
fn hills_have_their_amplitude_and_wavelength() {
    for octaves in [1, 4] {
        let relief = Relief::Procedural(Procedural::new(11, -2.0, 3.0, 0.15, octaves).expect("in range"));
        // 500 × 500 places about two cells apart, so nearly independent: the mean scatters by 0.15/500, the variance by √2/500 of itself.
        let n = 500;
        let at = |k: i32| 2.9 * f64::from(k);
        let places = (0..n * n).map(|k| relief.height(at(k % n), at(k / n)).expect("everywhere") + 2.0);
        let (sum, squares) = places.fold((0.0, 0.0), |(s, q), z| (s + z, q + z * z));
        let [mean, variance] = [sum, squares].map(|s| s / f64::from(n * n));
        assert!(mean.abs() < 4.0 * 0.15 / f64::from(n), "{mean}");
        assert!((variance / 0.15f64.powi(2) - 1.0).abs() < 4.0 * 1.5 / f64::from(n), "{variance}");
    }
    let one = Relief::Procedural(Procedural::new(11, 0.0, 3.0, 0.15, 1).expect("in range"));
    // Across the lattice's lines, so that all distances from them are met.
    let (sin, cos) = 0.6f64.sin_cos();
    let is_hill =
        |k: i32| one.height(0.03 * f64::from(k) * cos, 0.03 * f64::from(k) * sin).expect("everywhere") > 0.0;
    let crossings = (0..200_000).filter(|&k| is_hill(k) != is_hill(k + 1)).count();
    // Some 4000 crossings: their number scatters by less than 2 %.
    let wavelength = 2.0 * 0.03 * 200_000.0 / crossings as f64;
    assert!((wavelength / 3.0 - 1.04).abs() < 0.05, "{wavelength}");
}

/// Other seeds make other ground.
#[test]
fn seeds_matter() {
    let height = |seed| {
        let hills = Procedural::new(seed, 0.0, 3.0, 0.1, 3).expect("in range");
        Relief::Procedural(hills).height(1.0, 2.0).expect("everywhere")
    };
    let mut heights: Vec<f64> = (0..100).map(height).collect();
    heights.sort_by(f64::total_cmp);
    assert!(heights.windows(2).all(|pair| pair[0] < pair[1]));
}

/// A thousand by a thousand nodes take eight bytes each, and copies none.
#[test]
fn copies_of_a_map_share_its_heights() {
    let raster = Raster::new([0.0; 2], 1.0, 1001, 1001, vec![0.0; 1001 * 1001]).expect("well formed");
    let copy = raster.clone();
    assert!(std::ptr::eq(raster.heights(), copy.heights()));
    assert!(size_of_val(raster.heights()) < 9_000_000);
}

proptest! {
    /// Ground does not jump: over a hundred-thousandth of a metre it rises by its slope times that and no more, across cells of maps and lattices.
    #[test]
    fn heights_are_continuous(x in -2.0..2.99f64, y in 1.0..3.49f64, angle in 0.0..6.3f64) {
        let step = 1e-5;
        let (sin, cos) = angle.sin_cos();
        let [there_x, there_y] = [(x + step * cos).clamp(-2.0, 3.0), (y + step * sin).clamp(1.0, 3.5)];
        for relief in all() {
            let (here, there) = (relief.height(x, y), relief.height(there_x, there_y));
            let rise = here.zip(there).map(|(a, b)| (a - b).abs());
            // The steepest of them are the five octaves: 0.2 m·5.7·3.9·5/2 m would be the bound, 11.
            prop_assert!(rise.is_some_and(|rise| rise <= 12.0 * step), "{rise:?}");
        }
    }

    /// Slopes are the derivatives of heights, and the normal is a unit vector across them.
    #[test]
    fn slopes_match_differences(x in -1.9..2.9f64, y in 1.1..3.4f64) {
        let step = 1e-6;
        for relief in all() {
            let height = |x, y| relief.height(x, y).unwrap_or(f64::NAN);
            let [along_x, along_y] = relief.gradient(x, y).expect("inside");
            let forward = (height(x + step, y) - height(x, y)) / step;
            let backward = (height(x, y) - height(x - step, y)) / step;
            // A map's slope is one-sided where it jumps. Curvature times step, and rounding over step: 1e-4 covers both.
            prop_assert!((along_x - forward).abs().min((along_x - backward).abs()) < 1e-4);
            let forward = (height(x, y + step) - height(x, y)) / step;
            let backward = (height(x, y) - height(x, y - step)) / step;
            prop_assert!((along_y - forward).abs().min((along_y - backward).abs()) < 1e-4);
            let normal = relief.normal(x, y).expect("inside");
            prop_assert!((normal.norm() - 1.0).abs() < 1e-15);
            prop_assert!((normal.x + along_x * normal.z).abs() < 1e-14 && (normal.y + along_y * normal.z).abs() < 1e-14);
        }
    }

    /// No place of a rectangle lies above its bound, and the bound of a small one is close.
    #[test]
    fn bounds_hold(x in -1.9..2.8f64, y in 1.1..3.3f64, w in 0.0..0.2f64, h in 0.0..0.2f64, s in 0.0..1.0f64, t in 0.0..1.0f64) {
        for relief in all() {
            let bound = relief.highest(x, x + w, y, y + h);
            let inside = relief.height(x + s * w, y + t * h).expect("inside");
            prop_assert!(inside <= bound + 1e-14, "{inside} {bound}");
            let point = relief.highest(x, x, y, y) - relief.height(x, y).expect("inside");
            // A map knows only nodes: within a cell they differ by at most slope (1.4) times diagonal.
            prop_assert!((-1e-14..0.5).contains(&point));
        }
    }

    /// The limits of procedural ground hold whatever the seed, from the smallest rectangle to the whole plane.
    #[test]
    fn hills_keep_to_their_limits(seed: u64, x in -1e6..1e6f64, y in -1e6..1e6f64, reach in 0.0..3.0f64, angle in 0.0..6.3f64) {
        for octaves in [1, 6] {
            let hills = Relief::Procedural(Procedural::new(seed, 0.0, 2.0, 1.0, octaves).expect("in range"));
            let (sin, cos) = angle.sin_cos();
            let there = hills.height(x + reach * cos, y + reach * sin).expect("everywhere");
            let corner = reach / 2f64.sqrt();
            let far = hills.highest(x - reach, x + reach, y - reach, y + reach);
            prop_assert!(there <= far);
            prop_assert!(hills.height(x + corner, y).expect("everywhere") <= hills.highest(x, x + reach, y - corner, y + reach));
            prop_assert!(far <= hills.highest(-1e9, 1e9, -1e9, 1e9));
        }
    }
}
