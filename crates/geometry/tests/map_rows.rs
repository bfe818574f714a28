//! Maps read row by row are the maps read whole: heights, place, account and refusals of every file of `maps`.

use std::io::Cursor;
use touchdown_geometry::map::{
    self, Cog, CogLayout, Crop, Fill, Halving, MapError, MapOptions, MapRows, Stored,
};

/// Too large to be read whole; row by row it is not.
const GIGANTIC: &str = "gigantic.tif";

fn files() -> Vec<(String, Vec<u8>)> {
    let dir = format!("{}/tests/maps", env!("CARGO_MANIFEST_DIR"));
    let mut names: Vec<String> = std::fs::read_dir(&dir)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
        .filter(|name| !name.ends_with(".py") && !name.ends_with(".md"))
        .collect();
    names.sort();
    names
        .into_iter()
        .map(|name| {
            let bytes = std::fs::read(format!("{dir}/{name}")).expect("a file");
            (name, bytes)
        })
        .collect()
}

/// Rows from the north, and the account.
fn by_rows(
    bytes: &[u8],
    name: &str,
    options: &MapOptions,
) -> Result<(Vec<Vec<f64>>, map::MapAudit), MapError> {
    let mut rows = MapRows::open(Cursor::new(bytes), name, options)?;
    let mut heights = Vec::new();
    while let Some(row) = rows.next_row()? {
        heights.push(row.to_vec());
    }
    assert_eq!(heights.len(), rows.rows());
    Ok((heights, rows.finish()?))
}

/// Strips, tiles and whole formats, all options: the same heights to the bit, the same account, the same refusal.
#[test]
fn rows_are_those_of_the_whole_map() {
    let settings = [
        MapOptions::default(),
        MapOptions { crop: Some(Crop::Nodes { columns: [2, 18], rows: [5, 17] }), ..MapOptions::default() },
        MapOptions { spacing: Some(2.0), scale: Some(0.5), offset: Some(3.0), ..MapOptions::default() },
        MapOptions { fill: Fill::Error, ..MapOptions::default() },
        MapOptions { fill: Fill::Height(1.5), zero_height: 2.0, ..MapOptions::default() },
    ];
    let mut compared = 0;
    for (name, bytes) in files().iter().filter(|(name, _)| name != GIGANTIC) {
        for options in &settings {
            match (map::read(bytes, name, options), by_rows(bytes, name, options)) {
                (Ok(whole), Ok((rows, audit))) => {
                    assert_eq!(whole.audit, audit, "{name}");
                    let last = whole.raster.rows() - 1;
                    for (row, line) in rows.iter().enumerate() {
                        for (column, height) in line.iter().enumerate() {
                            let known = (!height.is_nan()).then_some(*height);
                            assert_eq!(known, whole.raster.node(column, last - row), "{name} {column} {row}");
                        }
                    }
                    compared += 1;
                }
                (Err(whole), Err(rows)) => assert_eq!(whole, rows, "{name}"),
                (whole, rows) => panic!("{name}: {:?} and {:?}", whole.err(), rows.err()),
            }
        }
    }
    assert!(compared > 40, "{compared}");
}

/// A picture written with the tags of a map lies where the map lies, in the same coordinate system, also when a part was cut out.
#[test]
fn tags_keep_the_place() {
    let crop = Crop::Nodes { columns: [2, 18], rows: [5, 17] };
    for (name, bytes) in files() {
        for crop in [None, Some(crop)] {
            let options = MapOptions { crop, ..MapOptions::default() };
            let Ok(whole) = map::read(&bytes, &name, &options) else { continue };
            let rows = MapRows::open(Cursor::new(&bytes), &name, &options).expect("a map");
            let layout = CogLayout {
                columns: rows.columns(),
                rows: rows.rows(),
                stored: Stored::Float,
                no_data: None,
                halving: Halving::Mean,
                bands: vec!["height".into()],
                place: rows.geo_tags(),
            };
            let mut cog = Cog::new(layout, || Ok(Cursor::new(Vec::new()))).expect("a layout");
            for row in 0..rows.rows() {
                let [x, y] = rows.place(0, row);
                assert!((x - whole.audit.extent.x[0]).abs() < 1e-9 * x.abs().max(1.0), "{name}");
                assert!(y <= whole.audit.extent.y[1] && y >= whole.audit.extent.y[0], "{name}");
                cog.row(&vec![1.0; rows.columns()]).expect("a row");
            }
            let mut copy = Vec::new();
            cog.finish(&mut copy).expect("a file");
            let copy = map::read(&copy, "copy.tif", &MapOptions::default()).expect("a map");
            assert_eq!(copy.audit.extent, whole.audit.extent, "{name}");
            if whole.audit.coordinates.is_some() {
                assert_eq!(copy.audit.coordinates, whole.audit.coordinates, "{name}");
            }
        }
    }
}

/// A single row or column has no slopes and is refused.
#[test]
fn a_single_row_is_refused() {
    let layout = |columns, rows| CogLayout {
        columns,
        rows,
        stored: Stored::Float,
        no_data: None,
        halving: Halving::Mean,
        bands: vec!["height".into()],
        place: map::GeoTags::local([0.0, 0.0], 1.0, "a line"),
    };
    for (columns, rows) in [(30, 1), (1, 30)] {
        let mut cog = Cog::new(layout(columns, rows), || Ok(Cursor::new(Vec::new()))).expect("a layout");
        for _ in 0..rows {
            cog.row(&vec![1.0; columns]).expect("a row");
        }
        let mut bytes = Vec::new();
        cog.finish(&mut bytes).expect("a file");
        let error = by_rows(&bytes, "line.tif", &MapOptions::default()).expect_err("no map");
        assert!(error.to_string().contains(&format!("{columns} columns and {rows} rows")), "{error}");
    }
}
