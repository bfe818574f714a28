//! Map files written by other programs (`maps/make.py`): place, heights and account of each; files that must be refused, and how.

use touchdown_geometry::map::{self, Anchor, Crop, Fill, Map, MapError, MapOptions};

const COLUMNS: usize = 24;
const ROWS: usize = 20;
/// Nodes without data: column, row from the north.
const HOLES: [(usize, usize); 4] = [(3, 4), (23, 0), (10, 19), (11, 19)];
/// South-western node of the maps of Mars, m: half a pixel of 2 m inside the corner.
const MARS: [f64; 2] = [-172_399.0, 1_087_211.0];

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/tests/maps/{name}", env!("CARGO_MANIFEST_DIR"))).expect(name)
}

fn read_with(name: &str, options: MapOptions) -> Result<Map, MapError> {
    map::read(&bytes(name), name, &options)
}

fn read(name: &str) -> Map {
    read_with(name, MapOptions::default()).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The formula of `make.py`, m; column from the west, row from the north.
fn formula(column: usize, row: usize) -> f64 {
    let (c, r) = (column as f64, row as f64);
    12.0 * (0.31 * c).sin() + 7.0 * (0.23 * r).cos() + 0.05 * c * r
}

/// Every node has the formula's height to `tolerance`, or is a hole where there should be one.
fn assert_heights(map: &Map, holes: &[(usize, usize)], tolerance: f64) {
    assert_eq!((map.raster.columns(), map.raster.rows()), (COLUMNS, ROWS));
    for (column, row) in (0..ROWS).flat_map(|row| (0..COLUMNS).map(move |column| (column, row))) {
        let found = map.raster.node(column, ROWS - 1 - row);
        if holes.contains(&(column, row)) {
            assert_eq!(found, None, "column {column}, row {row}");
        } else {
            let error = (found.expect("a height") - formula(column, row)).abs();
            assert!(error <= tolerance, "column {column}, row {row}: {found:?}");
        }
    }
    assert_eq!(map.audit.no_data, holes.len());
}

/// Half the last digit of a 32-bit float of at most 64 m.
const F32: f64 = 64.0 * f32::EPSILON as f64 / 2.0;

/// A tiled, compressed map of Mars with holes lies where its coordinate system says, to the bit; extent and range follow from the formula.
#[test]
fn mars_in_tiles() {
    let map = read("mars_f32_tiled_deflate.tif");
    assert_heights(&map, &HOLES, F32);
    assert_eq!((map.raster.origin(), map.raster.spacing()), (MARS, 2.0));
    let audit = &map.audit;
    assert_eq!((audit.extent.x, audit.extent.y), ([-172_399.0, -172_353.0], [1_087_211.0, 1_087_249.0]));
    let nodes = (0..ROWS).flat_map(|row| (0..COLUMNS).map(move |column| (column, row)));
    let heights = nodes.filter(|node| !HOLES.contains(node)).map(|(column, row)| formula(column, row));
    let [low, high] = heights.fold([f64::MAX, f64::MIN], |[low, high], z| [low.min(z), high.max(z)]);
    assert!((audit.heights[0] - low).abs() <= F32 && (audit.heights[1] - high).abs() <= F32, "{audit:?}");
    let coordinates = audit.coordinates.as_deref().expect("named");
    for part in ["Equirectangular MARS", "GCS_MARS", "equirectangular", "3396190 m at the equator"] {
        assert!(coordinates.contains(part), "{coordinates}");
    }
    assert!(
        audit.format.contains("f32, tiles of 16 × 16, Deflate with floating differences, pixel is area"),
        "{}",
        audit.format
    );
    assert!(audit.no_data_rule.contains("-3.402823466e38; left as holes"), "{}", audit.no_data_rule);
    // 18.34 degrees north: the projection is true at the equator, and a metre to the east is less there.
    let latitude = 1_087_230.0_f64 / 3_396_190.0;
    let stretch = format!("{:.3} times", 1.0 / latitude.cos());
    assert!(audit.cautions.len() == 1 && audit.cautions[0].contains(&stretch), "{:?}", audit.cautions);
}

/// Whole numbers become metres by the file's own scale and offset, and the account says so; the pole's projection places them.
#[test]
fn moon_in_counts() {
    let map = read("moon_i16_lzw_scaled.tif");
    assert_heights(&map, &HOLES, 0.005 + 1e-12);
    assert_eq!((map.raster.origin(), map.raster.spacing()), ([-2997.5, 2000.0 - 97.5], 5.0));
    assert!(
        map.audit
            .coordinates
            .as_deref()
            .is_some_and(|text| text.contains("polar stereographic") && text.contains("1737400"))
    );
    assert_eq!(map.audit.conversions, ["heights are stored values × 0.01 + -100, as the file says"]);
    assert!(map.audit.cautions.is_empty());
}

/// Layouts of other programs and machines hold the same map.
#[test]
fn layouts() {
    let big = read("bigtiff_f64.tif");
    assert_heights(&big, &[], 0.0);
    assert_eq!(big.raster.origin(), MARS);
    assert_heights(&read("big_endian_f32_strips.tif"), &[], F32);
    let south_up = read("south_up.tif");
    assert_heights(&south_up, &[], F32);
    assert_eq!(south_up.raster.origin(), MARS);
    let other = read("tifffile_f32.tif");
    assert_heights(&other, &[], F32);
    assert_eq!(other.raster.origin(), [500.0, 900.0 - 2.0 * (ROWS - 1) as f64]);
    let bytes = read("earth_u8.tif");
    assert_eq!(bytes.raster.node(0, ROWS - 1), Some((formula(0, 0) + 60.0).round()));
    assert!(bytes.audit.coordinates.as_deref().is_some_and(|text| text.contains("EPSG:32633")));
}

/// ZSTD and LERC, alone and in Deflate or ZSTD, hold the same map: without loss to the last bit of the file's numbers, with a permitted error
/// within it.
#[test]
fn newer_compressions() {
    assert_heights(&read("zstd.tif"), &HOLES, F32);
    let lerc = read("lerc.tif");
    assert_heights(&lerc, &[], F32);
    assert_eq!(lerc.raster.origin(), MARS);
    assert!(lerc.audit.format.contains("strips of 7 rows, LERC, pixel is area"), "{}", lerc.audit.format);
    let holes = read("lerc_zstd_holes.tif");
    assert_heights(&holes, &HOLES, F32);
    assert!(holes.audit.format.contains("LERC in ZSTD"), "{}", holes.audit.format);
    let rounded = read("lerc_deflate_f64.tif");
    assert_heights(&rounded, &[], 0.01);
    let exact = rounded.raster.node(5, ROWS - 1 - 5).is_some_and(|z| z == formula(5, 5));
    assert!(rounded.audit.format.contains("LERC in Deflate") && !exact, "{}", rounded.audit.format);
}

/// A LERC blob of other dimensions than its strip is refused before its heights are used.
#[test]
fn blobs_of_wrong_size_are_refused() {
    let mut bytes = bytes("lerc.tif");
    let at = bytes.windows(6).position(|part| part == b"Lerc2 ").expect("a blob");
    // Rows and columns follow the name, the version and the checksum of a blob.
    bytes[at + 14] = 200;
    let error = map::read(&bytes, "lerc.tif", &MapOptions::default()).expect_err("damaged");
    assert!(matches!(error, MapError::Damaged { .. }), "{error}");
}

/// GDAL keeps the corner of the first pixel even where the height belongs to a point: its tie point is then half a pixel further in.
#[test]
fn pixel_is_point() {
    let map = read("point_u16.tif");
    assert_heights(&map, &[], 0.005 + 1e-12);
    assert_eq!(map.raster.origin(), [-2997.5, 2000.0 - 97.5]);
    assert!(map.audit.format.contains("pixel is point"));
}

/// Units of heights and coordinates become metres, with a line for each.
#[test]
fn units_become_metres() {
    let map = read("i32_millimetres.tif");
    assert_heights(&map, &[], 0.0005 + 1e-12);
    assert_eq!(map.audit.conversions, ["heights from mm to m: × 0.001"]);
    let feet = read("feet.tif");
    assert!((feet.raster.spacing() - 3.048).abs() < 1e-12 && (feet.raster.origin()[0] - 1.524).abs() < 1e-12);
    assert_eq!(feet.audit.conversions, ["coordinates from ft to m: × 0.3048"]);
}

/// Degrees become metres where that leaves cells square; elsewhere the map is refused.
#[test]
fn degrees_become_metres_where_cells_stay_square() {
    let map = read("mars_degrees.tif");
    assert_heights(&map, &[], F32);
    // One metre by the formula of the fixture; GDAL stores the flattening with 15 digits.
    assert!((map.raster.spacing() - 1.0).abs() < 1e-9, "{}", map.raster.spacing());
    assert_eq!(map.raster.origin(), [0.0, 0.0]);
    assert!(
        map.audit.extent.unit == "deg"
            && map.audit.conversions[0].contains("equirectangular around latitude"),
        "{:?}",
        map.audit
    );
    let refused = read_with("mars_degrees_north.tif", MapOptions::default()).expect_err("not square");
    assert!(matches!(refused, MapError::NotSquare { x, y, .. } if x < 0.75 * y), "{refused}");
    assert!(refused.hint().is_some_and(|hint| hint.contains("gdalwarp")));
}

/// Tiles that were never written are holes, and are counted.
#[test]
fn sparse_tiles_are_holes() {
    let map = read("sparse.tif");
    assert_eq!((map.raster.columns(), map.raster.rows()), (64, 64));
    assert!((map.raster.node(19, 63 - 19).expect("a height") - formula(19, 19)).abs() < F32);
    assert_eq!((map.raster.node(40, 40), map.raster.node(0, 0)), (None, None));
    // Three tiles of four, and what GDAL filled up in the first with the mark for no data or zero.
    assert!(map.audit.no_data >= 3 * 32 * 32, "{}", map.audit.no_data);
}

/// A crop in coordinates or nodes reads just those nodes; the world's zero is where the user puts it; heights are counted from the file's.
#[test]
fn crop_and_origin() {
    let crop = Crop::Coordinates { x: [-172_390.0, -172_360.0], y: [1_087_220.0, 1_087_240.0] };
    let whole = read("mars_f32_tiled_deflate.tif");
    let zero = [-172_381.0, 1_087_229.0];
    let options = MapOptions {
        crop: Some(crop),
        anchor: Anchor::Zero(zero),
        zero_height: 5.0,
        ..MapOptions::default()
    };
    let part = read_with("mars_f32_tiled_deflate.tif", options).expect("fits");
    // Nodes at odd metres: the first one inside lies at -172389, 1087221.
    assert_eq!((part.raster.columns(), part.raster.rows(), part.raster.origin()), (15, 10, [-8.0, -8.0]));
    for (column, row) in (0..10).flat_map(|row| (0..15).map(move |column| (column, row))) {
        assert_eq!(part.raster.node(column, row), whole.raster.node(column + 5, row + 5).map(|z| z - 5.0));
    }
    assert_eq!(part.audit.zero, [zero[0], zero[1], 5.0]);
    assert!(part.audit.crop.as_deref().is_some_and(|text| text.contains("15 × 10 of 24 × 20")));
    let nodes = Crop::Nodes { columns: [5, 19], rows: [5, 14] };
    let options = MapOptions {
        crop: Some(nodes),
        anchor: Anchor::SouthWest([-8.0, -8.0]),
        zero_height: 5.0,
        ..MapOptions::default()
    };
    assert_eq!(read_with("mars_f32_tiled_deflate.tif", options).expect("fits").raster, part.raster);
}

/// A crop that leaves the map, is turned around or holds a single line is refused with what the map covers.
#[test]
fn crops_that_do_not_fit() {
    let at = |x, y| Crop::Coordinates { x, y };
    for crop in [
        at([0.0, 10.0], [1_087_220.0, 1_087_240.0]),
        at([-172_390.0, -172_300.0], [1_087_220.0, 1_087_240.0]),
        at([-172_360.0, -172_390.0], [1_087_220.0, 1_087_240.0]),
        at([-172_390.0, -172_389.5], [1_087_220.0, 1_087_240.0]),
        at([f64::NAN, -172_360.0], [1_087_220.0, 1_087_240.0]),
        Crop::Nodes { columns: [0, 24], rows: [0, 3] },
        Crop::Nodes { columns: [3, 3], rows: [0, 3] },
    ] {
        let options = MapOptions { crop: Some(crop), ..MapOptions::default() };
        let refused = read_with("mars_f32_tiled_deflate.tif", options).expect_err("does not fit");
        assert!(matches!(refused, MapError::Crop { .. }), "{refused}");
    }
}

/// Holes stay, are refused, or are filled, as the user wants; a mark that the file does not name may be given.
#[test]
fn fill_as_asked_for() {
    let with = |fill| read_with("moon_i16_lzw_scaled.tif", MapOptions { fill, ..MapOptions::default() });
    let filled = with(Fill::Height(-3.0)).expect("filled");
    assert_eq!((filled.raster.node(3, ROWS - 5), filled.audit.no_data), (Some(-3.0), HOLES.len()));
    assert!(
        filled.audit.no_data_rule.contains("filled with a height of -3 m"),
        "{}",
        filled.audit.no_data_rule
    );
    let refused = with(Fill::Error).expect_err("holes");
    assert_eq!(refused, MapError::Missing { count: 4, nodes: COLUMNS * ROWS, column: 23, row: 0 });
    let text = b"0 0 1\n1 0 -9999\n0 1 2\n1 1 3\n";
    let unmarked = map::read(text, "a.xyz", &MapOptions::default()).expect("a map");
    assert!(
        unmarked.audit.no_data == 0 && unmarked.audit.cautions[0].contains("-9999"),
        "{:?}",
        unmarked.audit
    );
    let marked = map::read(text, "a.xyz", &MapOptions { no_data: Some(-9999.0), ..MapOptions::default() })
        .expect("a map");
    assert!(marked.raster.node(1, 0).is_none() && marked.audit.cautions.is_empty());
}

/// Files that are no map are refused with what was found, what is allowed, and what to do about it.
#[test]
fn files_that_are_refused() {
    for (name, part) in [
        ("rotated.tif", "turned or sheared"),
        ("not_square.tif", "2 apart along x and 2.5 along y"),
        ("not_georeferenced.tif", "does not say where its nodes lie"),
        ("two_bands.tif", "2 bands"),
        ("complex.tif", "complex numbers"),
        ("palette.tif", "palette"),
        ("masked.tif", "a mask of valid pixels"),
        ("all_no_data.tif", "none of the 480 nodes has a height"),
        ("lzma.tif", "the compression LZMA"),
        ("gigantic.tif", "200000 × 150000 nodes would be read, allowed: 100000000"),
        ("counts_u16.png", "the scale is missing"),
        ("f4.npy", "does not say where its nodes lie"),
        ("make.py", "line 3: found"),
    ] {
        let refused = read_with(name, MapOptions::default()).expect_err(name);
        assert!(refused.to_string().contains(part), "{name}: {refused}");
    }
    let nothing = map::read(b"\x00\x01binary\xff", "x.bin", &MapOptions::default()).expect_err("unknown");
    assert!(nothing.to_string().contains("allowed: GeoTIFF"), "{nothing}");
}

/// Files without place get one by the user's spacing; a spacing that contradicts the file is refused.
#[test]
fn spacing_by_the_user() {
    let spaced = |scale, offset| MapOptions { spacing: Some(0.5), scale, offset, ..MapOptions::default() };
    let picture = read_with("not_georeferenced.tif", spaced(None, None)).expect("placed");
    assert_heights(&picture, &[], F32);
    assert_eq!((picture.raster.origin(), picture.raster.spacing()), ([0.0, 0.0], 0.5));
    let counts = read_with("counts_u16.png", spaced(Some(0.01), Some(-200.0))).expect("placed");
    assert_heights(&counts, &[], 0.005 + 1e-12);
    assert_eq!(counts.audit.conversions, ["heights × 0.01 + -200 m, as asked for"]);
    assert_heights(&read_with("f4.npy", spaced(None, None)).expect("placed"), &[], F32);
    assert_heights(
        &read_with("fortran_i2.npy", spaced(Some(0.01), None)).expect("placed"),
        &[],
        0.005 + 1e-12,
    );
    assert_heights(&read_with("big_endian_f8.npy", spaced(None, None)).expect("placed"), &HOLES, 0.0);
    let turned = MapOptions { south_first: true, ..spaced(None, None) };
    assert_eq!(
        read_with("f4.npy", turned).expect("placed").raster.node(3, 0),
        picture.raster.node(3, ROWS - 1)
    );
    let refused = read_with("feet.tif", spaced(None, None)).expect_err("contradicts");
    assert!(refused.to_string().contains("the file says 3.048 m itself"), "{refused}");
}

/// Points in any order, parted in any way, with names, remarks and further columns, with gaps and rounded coordinates, make the same map.
#[test]
fn points_make_a_grid() {
    let point = |k: usize| {
        let node = (k * 7) % (COLUMNS * ROWS);
        let (column, row) = (node % COLUMNS, node / COLUMNS);
        (column, row, 100.0 + column as f64 / 3.0, 50.0 - row as f64 / 3.0)
    };
    // 7 has no divisor in common with 480: every node comes once.
    let text = |mark: &str, heading: &str| {
        let lines =
            (0..COLUMNS * ROWS).map(point).filter(|(column, row, ..)| !HOLES.contains(&(*column, *row)));
        let lines = lines.map(|(c, r, x, y)| format!("{x:.3}{mark}{y:.3}{mark}{}\n", formula(c, r)));
        heading.to_string() + &lines.collect::<String>()
    };
    for (mark, heading) in [
        (" ", ""),
        (", ", "X,Y,Z\n"),
        (";", "# a survey\n\"easting\";\"northing\";\"height\"\n"),
        ("\t", "a b c\n"),
    ] {
        let map =
            map::read(text(mark, heading).as_bytes(), "points.csv", &MapOptions::default()).expect(heading);
        assert_heights(&map, &HOLES, 0.0);
        assert!(
            (map.raster.spacing() - 1.0 / 3.0).abs() < 1e-4 && map.raster.origin()[0] == 100.0,
            "{:?}",
            map.audit
        );
    }
    let swapped = "z,x,y,quality\n1,0,0,9\n2,1,0,9\n3,0,1,9\n4,1,1,9\n";
    let map = map::read(swapped.as_bytes(), "points.csv", &MapOptions::default()).expect("named");
    assert!(
        map.raster.node(1, 0) == Some(2.0)
            && map.audit.conversions == ["1 further columns of numbers are left out"]
    );
    for (text, part) in [
        ("0 0 1\n1 0 1\n0 1 1\n0.4 0.6 1\n", "no regular grid"),
        ("0 0 1\n1 0 1\n0 1 1\n0 1 2\n", "has the heights 1 and 2"),
        ("0 0 1\n1 0\n", "line 2: found `1 0`"),
        ("lon,lat,z\n0,0,1\n", "not degrees"),
        ("0 0 1\n1 0 1\n2 0 1\n3 0 1\n", "all have the same y"),
        ("0 0 1\n1 0 1\n0 1 1\n1000000 1000000 1\n", "no regular grid"),
        ("0 0 1\n1 0 inf\n0 1 1\n1 1 1\n", "is inf, allowed"),
    ] {
        let refused = map::read(text.as_bytes(), "points.xyz", &MapOptions::default()).expect_err(text);
        assert!(refused.to_string().contains(part), "{refused}");
    }
}

/// An ASCII grid read as a map is the one that its own reader makes.
#[test]
fn ascii_grids_are_maps() {
    let text =
        "ncols 3\nnrows 2\nxllcorner 10\nyllcorner 20\ncellsize 2\nNODATA_value -9999\n1 2 3\n4 -9999 6.5\n";
    let map = map::read(text.as_bytes(), "site.asc", &MapOptions::default()).expect("a map");
    assert_eq!(map.raster, touchdown_geometry::parse_ascii_grid(text).expect("a map"));
    assert_eq!((map.audit.no_data, map.audit.extent.y), (1, [21.0, 23.0]));
    let gigantic = text.replace("ncols 3", "ncols 300000").replace("nrows 2", "nrows 300000");
    let refused = map::read(gigantic.as_bytes(), "site.asc", &MapOptions::default()).expect_err("gigantic");
    assert!(matches!(refused, MapError::Gigantic { columns: 300_000, .. }), "{refused}");
}

/// 16 million heights are read in seconds; how many is printed (`--nocapture`).
#[test]
fn large_maps_are_quick() {
    let n = 4000;
    let mut file = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    file.extend(
        format!("{:<117}\n", format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({n}, {n}), }}"))
            .into_bytes(),
    );
    file.extend((0..n * n).flat_map(|k| ((k % 977) as f32 * 0.01).to_le_bytes()));
    let begin = std::time::Instant::now();
    let map = map::read(&file, "large.npy", &MapOptions { spacing: Some(1.0), ..MapOptions::default() })
        .expect("a map");
    println!("{n} × {n} heights in {:.2} s", begin.elapsed().as_secs_f64());
    assert_eq!(map.raster.node(1, n - 1), Some(f64::from(0.01f32)));
}
