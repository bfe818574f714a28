//! Layers against the table they come from, cell by cell; the same bytes for any number of threads and after an interruption.

use super::*;
use crate::map::tests::{Bytes, file, rows};
use crate::map::{ClassRows, GroundRows, Legend, MapStageError, STEP_MAX, Soil};
use std::io::Cursor;
use std::path::Path;
use tiff::decoder::{Decoder, DecodingResult};
use touchdown_geometry::map::{MapOptions, Stored};
use touchdown_record::{Disk, Place};

/// A table by formulas, for two soils: nothing that a rover does, but different everywhere.
pub(crate) fn table() -> ResponseTable {
    let (slopes, headings): (Vec<f64>, Vec<f64>) =
        ((0..=6).map(|k| 5.0 * k as f64).collect(), (0..=12).map(|k| 15.0 * k as f64).collect());
    let mut responses = Vec::new();
    for soil in [1.0, 1.5] {
        for slope in &slopes {
            for heading in &headings {
                let (s, up) = (slope / 30.0, heading.to_radians().cos());
                responses.push(Response {
                    slip: 0.02 + 0.9 * soil * s * s * up.max(-0.2),
                    drift_deg: 12.0 * soil * s * heading.to_radians().sin(),
                    energy_j_per_m: 150.0 * soil + 400.0 * s * up,
                    p_stuck: (0.4 * soil * s * s * up.max(0.0)).min(1.0),
                    p_tip: 0.1 * s * s,
                    slip_half_width: 0.01 + 0.05 * s,
                    energy_interval_j_per_m: [130.0 * soil + 400.0 * s * up, 170.0 * soil + 400.0 * s * up],
                    valid: 1.0 - 0.3 * s,
                });
            }
        }
    }
    ResponseTable::new(vec!["sand".into(), "dust".into()], slopes, headings, responses).expect("a table")
}

fn relief(x: f64, y: f64) -> f64 {
    if (x, y) == (30.0, 20.0) {
        return f64::NAN;
    }
    if (x, y) == (60.0, 33.0) { 2.0 } else { 3.0 * (0.13 * x).sin() + 2.0 * (0.1 * y + 0.05 * x).cos() }
}

pub(crate) fn ground(spacing: f64) -> GroundRows<Bytes, Bytes> {
    let heights = rows(file(90, 70, spacing, Stored::Float, relief));
    GroundRows::new(heights, "site.tif", Soil::Same(0), 1.3, STEP_MAX).expect("ground")
}

fn write(dir: &Path, threads: usize, layers: &[Layer], ground: GroundRows<Bytes, Bytes>) -> LayersAccount {
    let table = table();
    let job = LayersJob { table: &table, layers, threads };
    let place = Place::make(dir, &Disk::default()).expect("a folder");
    write_layers(ground, &job, &place, &mut |_, _| {}).expect("layers")
}

fn counts(dir: &Path, layer: Layer) -> Vec<i16> {
    let bytes = std::fs::read(dir.join(layer.file())).expect("a file");
    let mut decoder = Decoder::new(Cursor::new(bytes)).expect("a TIFF");
    let DecodingResult::I16(values) = decoder.read_image().expect("pixels") else { panic!("whole numbers") };
    values
}

/// Every cell of every layer holds what the table says for the slope and direction of its ground, to half a count; unknown ground is no data in
/// all layers, and a step is impassable.
#[test]
fn layers_hold_what_the_table_says() {
    let dir = tempfile::tempdir().expect("a folder");
    let account = write(dir.path(), 2, &Layer::ALL, ground(1.0));
    let mut rows = ground(1.0);
    let strip = rows.next_strip(70).expect("ground").expect("rows");
    let table = table();
    let (mut unknown, mut steps) = (0, 0);
    for layer in Layer::ALL {
        let counts = counts(dir.path(), layer);
        assert_eq!(counts.len(), 90 * 70 * HEADINGS);
        for (k, count) in counts.iter().enumerate() {
            let (cell, heading) = (&strip.cells[k / HEADINGS], k % HEADINGS);
            let expected = if !cell.is_known() {
                unknown += 1;
                f64::NAN
            } else if cell.is_step {
                steps += 1;
                f64::from(layer.on_step())
            } else {
                let slope = f64::from(cell.slope_deg);
                let response = table.at(0, slope, 45.0 * heading as f64 - f64::from(cell.uphill_deg));
                layer.value(&response, table.covers(slope))
            };
            let scale = layer.scale(&table);
            if expected.is_nan() {
                assert_eq!(*count, i16::MIN, "{layer:?}");
            } else {
                // Half a count, and the digits of 32 bits.
                let off = (f64::from(*count) * scale - expected).abs();
                assert!(off <= 0.5 * scale + 1e-6 * expected.abs(), "{layer:?}: {count} for {expected}");
            }
        }
    }
    let [unknown, steps] = [unknown, steps].map(|n: u64| n / (7 * HEADINGS as u64));
    assert_eq!((account.ground.unknown, account.ground.steps), (unknown, steps));
    assert!(steps == 5 && unknown > 25, "{steps}, {unknown}");
    assert_eq!(account.ground.slopes.iter().sum::<u64>() + unknown, 90 * 70);
    assert_eq!((account.small.factor, account.small.columns, account.small.rows), (1, 90, 70));
}

/// Headings: on a slope that rises to the north, north is uphill and south downhill, and east and west are the same.
#[test]
fn headings_run_clockwise_from_north() {
    let dir = tempfile::tempdir().expect("a folder");
    let heights = rows(file(20, 20, 1.0, Stored::Float, |_, y| 0.2 * y));
    let ground = GroundRows::new(heights, "site.tif", Soil::Same(0), 1.3, STEP_MAX).expect("ground");
    write(dir.path(), 1, &[Layer::EnergyJPerM, Layer::DriftDeg], ground);
    let middle = (10 * 20 + 10) * HEADINGS;
    let energy = &counts(dir.path(), Layer::EnergyJPerM)[middle..middle + HEADINGS];
    assert!(energy[0] > energy[1] && energy[1] > energy[2] && energy[2] > energy[3] && energy[3] > energy[4]);
    assert_eq!((energy[1], energy[2], energy[3]), (energy[7], energy[6], energy[5]));
    let drift = &counts(dir.path(), Layer::DriftDeg)[middle..middle + HEADINGS];
    assert_eq!((drift[0], drift[4]), (0, 0));
    assert!(drift[2] > 0 && drift[2] == drift[6]);
}

/// One thread or four, all layers or one: the same bytes. A run that was killed leaves at most whole files and unfinished ones; started again it
/// ends with the same bytes, whatever lies there.
#[test]
fn bytes_do_not_depend_on_threads_or_interruptions() {
    let dirs: Vec<_> = (0..3).map(|_| tempfile::tempdir().expect("a folder")).collect();
    write(dirs[0].path(), 1, &Layer::ALL, ground(1.0));
    write(dirs[1].path(), 4, &[Layer::PStuck], ground(1.0));
    let read = |dir: usize, layer: Layer| std::fs::read(dirs[dir].path().join(layer.file())).expect("a file");
    assert_eq!(read(0, Layer::PStuck), read(1, Layer::PStuck));
    // What a process that was killed while it put a file in its place leaves: a part of it beside, and an older one in its place.
    let left = read(0, Layer::Slip);
    std::fs::write(dirs[2].path().join("slip.tif.tmp"), &left[..left.len() / 2]).expect("a file");
    std::fs::write(dirs[2].path().join("p_tip.tif"), &left).expect("a file");
    write(dirs[2].path(), 3, &Layer::ALL, ground(1.0));
    let names = |dir: usize| {
        let mut names: Vec<_> = std::fs::read_dir(dirs[dir].path())
            .expect("a folder")
            .map(|e| e.expect("an entry").file_name())
            .collect();
        names.sort();
        names
    };
    assert_eq!(names(2), names(0));
    assert!(Layer::ALL.into_iter().all(|layer| read(0, layer) == read(2, layer)));
}

/// Each class has the responses of its soil; classes on other nodes, and classes without a soil, are refused with what was found.
#[test]
fn classes_choose_the_soil() {
    let table = table();
    let legend = Legend::parse("[class.1]\nsoil = \"dust\"\n[class.2]\nsoil = \"sand\"\n", "l.toml")
        .expect("a legend");
    let class = |x: f64, _: f64| {
        if x < 10.0 {
            1.0
        } else if x < 20.0 {
            2.0
        } else {
            0.0
        }
    };
    let open = |bytes: Bytes, spacing: f64| {
        let heights = rows(file(30, 30, spacing, Stored::Float, |x, _| 0.1 * x));
        let classes =
            ClassRows::open((bytes, "c.tif"), (&legend, "l.toml"), &heights, &MapOptions::default(), &table)?;
        GroundRows::new(heights, "site.tif", Soil::Classes(Box::new(classes)), 1.3, STEP_MAX)
    };
    let mut ground = open(file(30, 30, 1.0, Stored::Class, class), 1.0).expect("ground");
    let strip = ground.next_strip(30).expect("ground").expect("rows");
    let line = &strip.cells[15 * 30..16 * 30];
    assert!(line[5].is_known() && line[15].is_known() && !line[25].is_known());
    assert_eq!((line[5].soil, line[15].soil), (1, 0));

    let refused =
        |result: Result<GroundRows<Bytes, Bytes>, MapStageError>| result.err().expect("refused").to_string();
    let other = refused(open(file(29, 30, 1.0, Stored::Class, class), 1.0));
    assert!(other.contains("29 × 30 nodes, the heights have 30 × 30"), "{other}");
    let other = refused(open(file(30, 30, 1.0, Stored::Class, class), 1.01));
    assert!(other.contains("allowed: the same first and last node"), "{other}");
    let mut ground =
        open(file(30, 30, 1.0, Stored::Class, |x, y| if (x, y) == (3.0, 27.0) { 9.0 } else { 1.0 }), 1.0)
            .expect("ground");
    let error = ground.next_strip(30).expect_err("no class").to_string();
    assert!(
        error.contains("class 9 at column 3, row 2 from the north") && error.contains("allowed: 1, 2"),
        "{error}"
    );
}
