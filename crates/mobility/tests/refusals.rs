//! Maps that a rover cannot be sent onto are refused with what is wrong, or handled with a line in the account: never wrong in silence.

use std::path::{Path, PathBuf};
use touchdown_geometry::map::{MapError, MapOptions};
use touchdown_mobility::map::MapStageError;
use touchdown_mobility::stage::survey;
use touchdown_mobility::verify::Footprint;

const ROVER: Footprint = Footprint { wheelbase_m: 1.469, track_m: 1.46, rim_m: 0.125, turn_radius_m: 1.04 };
const STEP: f64 = 0.25;

/// A file of the tests of map files; their `make.py` says what each holds.
fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../geometry/tests/maps").join(name)
}

fn refusal(name: &str, options: &MapOptions) -> MapStageError {
    survey(&file(name), options, &ROVER, STEP).expect_err(name)
}

/// No georeference, cells that are not square, a turned map, colours, two bands, no data at all, a strip of 30 billion nodes: refused, with the way out.
#[test]
fn what_is_no_map_is_refused() {
    for (name, part) in [
        ("not_georeferenced.tif", "does not say where its nodes lie"),
        ("not_square.tif", "apart along x"),
        ("rotated.tif", "turned or sheared"),
        ("palette.tif", "palette"),
        ("two_bands.tif", "2 bands"),
        ("masked.tif", "mask"),
        ("all_no_data.tif", "all are marked as no data"),
        ("gigantic.tif", "64 million nodes"),
        ("mars_degrees_north.tif", "apart along x"),
    ] {
        let error = refusal(name, &MapOptions::default());
        assert!(error.to_string().contains(part), "{name}: {error}");
        assert!(error.hint().is_some(), "{name}");
    }
    let error = survey(Path::new("no-such.tif"), &MapOptions::default(), &ROVER, STEP).expect_err("no file");
    assert!(error.to_string().contains("no-such.tif cannot be read"), "{error}");
}

/// What the user says where the file is silent is taken; what contradicts the file is refused.
#[test]
fn a_spacing_is_taken_where_the_file_has_none() {
    let options = MapOptions { spacing: Some(2.0), ..MapOptions::default() };
    let account = survey(&file("not_georeferenced.tif"), &options, &ROVER, STEP).expect("a map");
    assert_eq!(account.map.spacing, 2.0);
    let options = MapOptions { spacing: Some(3.0), ..MapOptions::default() };
    let error = refusal("moon_i16_lzw_scaled.tif", &options);
    assert!(matches!(error, MapStageError::Map { error: MapError::Setting { .. }, .. }), "{error}");
}

/// Feet become metres, degrees become metres where cells stay square, stored counts become heights, and the account has a line for each.
#[test]
fn conversions_have_their_line() {
    for (name, part) in [
        ("feet.tif", "ft to m"),
        ("mars_degrees.tif", "from degrees to m"),
        ("moon_i16_lzw_scaled.tif", "stored values × 0.01"),
    ] {
        let account = survey(&file(name), &MapOptions::default(), &ROVER, STEP).expect(name);
        assert!(
            account.map.conversions.iter().any(|line| line.contains(part)),
            "{name}: {:?}",
            account.map.conversions
        );
    }
}

/// Holes are counted, and with them the ground around them that a footprint would touch; where nodes lie further apart than the wheelbase, a
/// caution says what the map cannot show.
#[test]
fn holes_and_coarse_maps_have_their_line() {
    let account =
        survey(&file("mars_f32_tiled_deflate.tif"), &MapOptions::default(), &ROVER, STEP).expect("a map");
    assert_eq!((account.map.no_data, account.cells), (4, 24 * 20));
    // Two nodes to each side are needed: the border of 24 × 20 nodes, and what lies around the holes.
    assert!(account.unknown > 24 * 20 - 20 * 16 && account.unknown < account.cells);
    assert_eq!(account.slopes.iter().sum::<u64>() + account.unknown, account.cells);
    assert!(
        account.cautions.iter().any(|line| line.contains("further than the wheelbase")),
        "{:?}",
        account.cautions
    );
}

/// An invalid footprint is refused.
#[test]
fn senseless_measures_are_refused() {
    for wheelbase_m in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let rover = Footprint { wheelbase_m, ..ROVER };
        let error = survey(&file("zstd.tif"), &MapOptions::default(), &rover, STEP).expect_err("refused");
        assert!(error.to_string().contains("allowed: finite, > 0"), "{error}");
    }
}
