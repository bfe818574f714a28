//! The page holds what it was given, loads nothing from elsewhere, and its pictures are those of the layers.

use super::*;
use crate::layers::tests::{ground, table};
use crate::layers::{HEADINGS, Layer, LayersJob, write_layers};
use crate::route::{Aim, RouteJob, Terrain, plan};
use crate::verify::{Found, Said, Why};
use std::path::Path;
use touchdown_record::Disk;

fn check(slip: f64, energy: f64) -> CheckedStretch {
    let said = Said {
        slip: 0.1,
        slip_interval: [0.05, 0.15],
        energy_j_per_m: 200.0,
        energy_interval_j_per_m: [190.0, 210.0],
        p_stuck: 0.02,
    };
    let found = Found { slip, energy_j_per_m: Some(energy), track_m: 4.5, stuck: false, arrived: true };
    let name = "stretch-01".into();
    CheckedStretch { name, why: Why::Risk, from_m: 0.0, to_m: 5.0, said, found: Some(found), failed: None }
}

pub(crate) fn example(dir: &Path, checks: &[CheckedStretch]) -> String {
    let (table, place) = (table(), Place::make(dir, &Disk::default()).expect("a folder"));
    let job = LayersJob { table: &table, layers: &Layer::ALL, threads: 2 };
    let layers = write_layers(ground(1.0), &job, &place, &mut |_, _| {}).expect("layers");
    let pictures = write_pictures(&layers, &Layer::ALL, &table, &place).expect("pictures");
    let ends = [[10.5, 10.5], [80.5, 60.5]];
    let terrain = Terrain::read(ground(1.0), ends).expect("terrain");
    let job = RouteJob {
        table: &table,
        from: ends[0],
        to: ends[1],
        aim: Aim::Energy,
        p_stuck_max: 0.5,
        turn_radius_m: 1.0,
        wheelbase_m: 1.3,
    };
    let route = plan(&terrain, &job).expect("a route");
    let input = PageInput {
        map: "site.tif",
        rover: "exomars-2009",
        table: &table,
        data: &[],
        layers: &layers,
        pictures: &pictures,
        route: Some(&route),
        checks,
        surrogate: &["a sentence about <errors>".into()],
        assumed: &[("roughness".into(), "0: nothing below the cell".into())],
        provenance: &[("site.tif".into(), "abc".into())],
        version: "0",
    };
    write_page(&input, &place).expect("a page");
    std::fs::read_to_string(dir.join(REPORT)).expect("a page")
}

/// A page with its pictures; disagreement is reported at the top and in the table.
#[test]
fn the_page_says_what_was_found() {
    let dir = tempfile::tempdir().expect("a folder");
    let page = example(dir.path(), &[check(0.1, 200.0)]);
    assert!(page.contains("✓ agrees") && !page.contains("✗"), "agreement");
    for layer in Layer::ALL {
        for heading in 0..HEADINGS {
            let name = format!("map/{}-{:03}.png", layer.name(), 45 * heading);
            assert!(dir.path().join(&name).exists(), "{name}");
        }
        assert!(page.contains(layer.about()));
    }
    assert!(page.contains("map/relief.png") && page.contains("roughness") && page.contains("&lt;errors&gt;"));
    assert!(!page.contains("src=\"http") && !page.contains("href=\"http"));
    let page = example(dir.path(), &[check(0.1, 200.0), check(0.2, 200.0), check(0.1, 300.0)]);
    assert!(page.contains("✗ disagrees") && page.contains("on 2 of 3 stretches in slip, on 2 in energy"));
}

/// A picture's pixel has the colour of the layer's value; no data is clear.
#[test]
fn pictures_have_the_colours_of_their_values() {
    let dir = tempfile::tempdir().expect("a folder");
    example(dir.path(), &[]);
    let read = |name: &str| {
        let file = std::fs::File::open(dir.path().join(name)).expect("a picture");
        let mut reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().expect("a picture");
        let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
        let info = reader.next_frame(&mut pixels).expect("pixels");
        assert_eq!((info.width, info.height), (90, 70));
        pixels
    };
    let stuck = read("map/p_stuck-090.png");
    // A step is impassable: the last colour; at the border nothing is known.
    assert_eq!((stuck[36 * 90 + 60], stuck[0]), (255, 0));
    let relief = read("map/relief.png");
    // The hole of the map.
    assert_eq!(relief[49 * 90 + 30], 0);
    assert!(relief[10 * 90 + 10] > 0);
}
