//! `touchdown terrain`: the account of a map file and its picture; files that are refused; a scenario on a GeoTIFF.

mod common;

use common::*;
use std::path::PathBuf;

/// A map file that another program wrote; the formula of its heights is in the folder's `make.py`.
fn fixture(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../geometry/tests/maps");
    folder.join(name).display().to_string()
}

#[test]
fn a_map_is_accounted_for_and_drawn() {
    // What the file says, what was done, and a picture beside it.
    let dir = temporary();
    let said = good(dir.path(), &["terrain", &fixture("mars_f32_tiled_deflate.tif")]);
    for part in [
        "24 × 20 nodes",
        "46 × 38 m",
        "-172399 to -172353 m",
        "4 of 480 nodes",
        "left as holes",
        "Equirectangular MARS",
        "caution",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let picture = std::fs::read(dir.path().join("mars_f32_tiled_deflate-relief.png")).expect("drawn");
    assert!(picture.starts_with(b"\x89PNG"));
    // Width and height of a PNG stand in its first chunk, most significant byte first.
    let size =
        |at: usize| u32::from_be_bytes([picture[at], picture[at + 1], picture[at + 2], picture[at + 3]]);
    assert!(size(16) == 1520 && size(20) > 800, "{} × {}", size(16), size(20));
}

#[test]
fn settings_change_the_account() {
    let dir = temporary();
    let moon = fixture("moon_i16_lzw_scaled.tif");
    let said = good(
        dir.path(),
        &[
            "terrain",
            &moon,
            "--crop=-2980,-2900,1910,1990",
            "--zero=-2950,1950,-7",
            "--fill=-3",
            "--out",
            "part.png",
        ],
    );
    for part in [
        "16 × 16 of 24 × 20 nodes",
        "heights raised by 7 m",
        "is x -2950, y 1950 m, height -7 m",
        "× 0.01 + -100",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(dir.path().join("part.png").is_file());
    let counts = good(
        dir.path(),
        &["terrain", &fixture("counts_u16.png"), "--spacing", "0.5", "--scale", "0.01", "--offset", "-200"],
    );
    assert!(counts.contains("heights × 0.01 + -200 m, as asked for"), "{counts}");
}

#[test]
fn bad_files_are_bad_input() {
    // Exit code 2, with what, found, allowed and a hint; no picture.
    let dir = temporary();
    for (name, what, hint) in [
        ("rotated.tif", "turned or sheared", "gdalwarp"),
        ("not_georeferenced.tif", "does not say where its nodes lie", "--spacing"),
        ("gigantic.tif", "allowed: 100000000", "--crop"),
    ] {
        let ended = touchdown(dir.path(), &["terrain", &fixture(name)]);
        assert_eq!(ended.code, 2, "{}", ended.stderr);
        assert!(
            ended.stderr.contains(what) && ended.stderr.contains("hint: ") && ended.stderr.contains(hint),
            "{}",
            ended.stderr
        );
    }
    let whole = std::fs::read(fixture("bigtiff_f64.tif")).expect("there");
    std::fs::write(dir.path().join("cut.tif"), &whole[..whole.len() / 2]).expect("room on disk");
    let ended = touchdown(dir.path(), &["terrain", "cut.tif"]);
    assert!(ended.code == 2 && ended.stderr.contains("damaged"), "{}", ended.stderr);
    assert_eq!(touchdown(dir.path(), &["terrain", "missing.tif"]).code, 2);
    assert_eq!(touchdown(dir.path(), &["terrain", "cut.tif", "--crop", "1,2,3"]).code, 64);
    let left = std::fs::read_dir(dir.path()).expect("a folder").count();
    assert_eq!(left, 1, "only cut.tif");
}

/// A site is three files that read back: heights as a map, classes beside them, and a legend that names soils of the library. The same seed
/// gives the same bytes; a file of another program is not replaced.
#[test]
fn a_site_is_made_from_a_seed() {
    let dir = temporary();
    let make = |out: &str| {
        good(dir.path(), &["terrain", "--make", "crater-field", "--size=300", "--spacing=2", "--out", out])
    };
    let said = make("site.tif");
    assert!(said.contains("150 × 150 nodes") && said.contains("site-soils.toml"), "{said}");
    make("again.tif");
    let bytes = |name: &str| std::fs::read(dir.path().join(name)).expect("a file");
    assert_eq!(bytes("site.tif").len(), bytes("again.tif").len());
    assert!(bytes("site-classes.tif") == bytes("again-classes.tif"));
    let account = good(dir.path(), &["terrain", "site.tif"]);
    assert!(account.contains("150 × 150 nodes") && account.contains("298 × 298 m"), "{account}");
    // Its own files may be replaced, others not.
    make("site.tif");
    std::fs::write(dir.path().join("mine.tif"), b"II*\0 mine").expect("written");
    let refused = touchdown(
        dir.path(),
        &["terrain", "--make", "crater-field", "--size=300", "--spacing=2", "--out=mine.tif"],
    );
    assert_eq!(refused.code, 2);
    assert_eq!(bytes("mine.tif"), b"II*\0 mine");
    for wrong in [["--size=5", "--spacing=1"], ["--size=300", "--spacing=0"]] {
        let args = [&["terrain", "--make", "crater-field", "--out=wrong.tif"], &wrong[..]].concat();
        assert_eq!(touchdown(dir.path(), &args).code, 2);
    }
}
