//! Slopes over the footprint against closed forms; steps; classes; refusals.

use super::*;
use std::io::Cursor;
use touchdown_geometry::map::{Cog, CogLayout, GeoTags, Halving, MapOptions, MapRows, Stored};

pub(crate) type Bytes = Cursor<Vec<u8>>;

/// A map of a formula of x to the east and y to the north, m, from the south-western node.
pub(crate) fn file(
    columns: usize,
    rows: usize,
    spacing: f64,
    stored: Stored,
    z: impl Fn(f64, f64) -> f64,
) -> Bytes {
    let layout = CogLayout {
        columns,
        rows,
        stored,
        no_data: Some(if stored == Stored::Class { 0.0 } else { -32768.0 }),
        halving: Halving::First,
        bands: vec!["height, m".into()],
        place: GeoTags::local([0.0, rows as f64 * spacing], spacing, "a test"),
    };
    let mut cog = Cog::new(layout, || Ok(Cursor::new(Vec::new()))).expect("a layout");
    for row in 0..rows {
        let y = (rows - 1 - row) as f64 * spacing;
        let line: Vec<f32> = (0..columns).map(|column| z(column as f64 * spacing, y) as f32).collect();
        cog.row(&line).expect("a row");
    }
    let mut bytes = Vec::new();
    cog.finish(&mut bytes).expect("a file");
    Cursor::new(bytes)
}

pub(crate) fn rows(bytes: Bytes) -> MapRows<Bytes> {
    MapRows::open(bytes, "site.tif", &MapOptions::default()).expect("a map")
}

fn ground(bytes: Bytes, wheelbase: f64) -> Vec<Vec<Cell>> {
    let mut ground = GroundRows::<_, Bytes>::new(rows(bytes), "site.tif", Soil::Same(0), wheelbase, STEP_MAX)
        .expect("ground");
    let mut lines = Vec::new();
    while let Some(strip) = ground.next_strip(7).expect("a strip") {
        lines.extend(strip.cells.chunks_exact(strip.columns).map(<[Cell]>::to_vec));
    }
    lines
}

/// Gradient to the east and to the north of a cell.
fn gradient(cell: &Cell) -> [f64; 2] {
    let (sine, cosine) = f64::from(cell.uphill_deg).to_radians().sin_cos();
    let slope = f64::from(cell.slope_deg).to_radians().tan();
    [slope * sine, slope * cosine]
}

/// Heights of 32 bits of at most 64 m, differences of which are taken over a wheelbase; angles of 32 bits.
const F32: f64 = 64.0 * f32::EPSILON as f64 * 4.0;

/// A plane has its slope and its direction everywhere, whatever the wheelbase; the border, where the footprint leaves the map, is unknown.
#[test]
fn a_plane_is_exact() {
    for (wheelbase, reach) in [(1.3, 3), (2.0, 3), (0.4, 2), (5.7, 7)] {
        // Rises to the south-east: 135° clockwise from north.
        let cells = ground(file(40, 30, 0.5, Stored::Float, |x, y| 0.2 * x - 0.2 * y), wheelbase);
        assert_eq!(Stencil::new(wheelbase, 0.5).reach, reach);
        for (row, line) in cells.iter().enumerate() {
            for (column, cell) in line.iter().enumerate() {
                let inside = (reach..30 - reach).contains(&row) && (reach..40 - reach).contains(&column);
                assert_eq!(cell.is_known(), inside, "{column}, {row}");
                if inside {
                    let slope = (0.2 * 2.0_f64.sqrt()).atan().to_degrees();
                    assert!((f64::from(cell.slope_deg) - slope).abs() < 1e-3, "{cell:?}");
                    assert!((f64::from(cell.uphill_deg) - 135.0).abs() < 1e-3, "{cell:?}");
                    assert!(!cell.is_step);
                }
            }
        }
    }
}

/// The mean gradient of a quadratic over a square about a point is the gradient at the point.
#[test]
fn a_quadratic_is_exact() {
    let (a, b, c) = (0.01, -0.02, 0.015);
    let cells = ground(file(40, 30, 0.5, Stored::Float, |x, y| a * x * x + b * y * y + c * x * y), 2.3);
    for (row, line) in cells.iter().enumerate() {
        for (column, cell) in line.iter().enumerate().filter(|(_, cell)| cell.is_known()) {
            let (x, y) = (0.5 * column as f64, 0.5 * (29 - row) as f64);
            let exact = [2.0 * a * x + c * y, 2.0 * b * y + c * x];
            let found = gradient(cell);
            assert!((0..2).all(|k| (found[k] - exact[k]).abs() < F32), "{found:?} instead of {exact:?}");
        }
    }
}

/// Waves: the mean slope over the wheelbase L is that of the wave times sin(kL/2)/(kL/2), which differs from the slope at the point by
/// (kL)²/24: second order in L. Nodes twice as dense bring the stencil to it at third order or better.
#[test]
fn waves_are_smoothed_as_the_footprint_does() {
    let k = 0.5;
    let mean = |x: f64, wheelbase: f64| {
        0.3 * k * (k * x).cos() * (0.5 * k * wheelbase).sin() / (0.5 * k * wheelbase)
    };
    let worst = |spacing: f64, wheelbase: f64, exact: &dyn Fn(f64) -> f64| {
        let columns = (30.0 / spacing) as usize;
        let cells = ground(
            file(columns, 2 * Stencil::new(wheelbase, spacing).reach + 1, spacing, Stored::Float, |x, _| {
                0.3 * (k * x).sin()
            }),
            wheelbase,
        );
        let line = &cells[cells.len() / 2];
        let known = line.iter().enumerate().filter(|(_, cell)| cell.is_known());
        known
            .map(|(column, cell)| (gradient(cell)[0] - exact(spacing * column as f64)).abs())
            .fold(0.0, f64::max)
    };
    // Against the mean over the footprint, by spacing; its ends lie a third of a cell from a node in both maps.
    let wheelbase = 8.0 / 3.0;
    let [coarse, fine] = [1.0, 0.5].map(|spacing| worst(spacing, wheelbase, &|x| mean(x, wheelbase)));
    assert!(coarse < 2e-3 && fine < coarse / 7.0, "{coarse:e}, {fine:e}");
    // Against the slope at the point, by wheelbase: the leading term alone is off by (kL)²/80 of itself.
    for wheelbase in [1.0, 2.0] {
        let found = worst(0.125, wheelbase, &|x| 0.3 * k * (k * x).cos());
        let expected = 0.3 * k * (k * wheelbase).powi(2) / 24.0;
        assert!((found / expected - 1.0).abs() < 0.03, "{found:e} instead of {expected:e}");
    }
}

/// Cliffs and rocks have their height as a step; slopes, curvature and crests have none.
#[test]
fn steps_are_cliffs_and_rocks() {
    let steps = |z: &dyn Fn(f64, f64) -> f64| -> Vec<(usize, usize)> {
        let cells = ground(file(21, 21, 1.0, Stored::Float, z), 1.4);
        let all = (0..21).flat_map(|row| (0..21).map(move |column| (column, row)));
        all.filter(|(column, row)| cells[*row][*column].is_step).collect()
    };
    let cliff = |height: f64| move |x: f64, _: f64| if x > 9.5 { height + 0.1 * x } else { 0.1 * x };
    assert!(steps(&cliff(0.24)).is_empty());
    let found = steps(&cliff(0.26));
    assert!(
        found.iter().all(|(column, _)| [9, 10].contains(column)) && found.len() == 2 * (21 - 4),
        "{found:?}"
    );
    let rock = |height: f64| move |x: f64, y: f64| if (x, y) == (10.0, 10.0) { height } else { 0.0 };
    assert!(steps(&rock(0.24)).is_empty());
    assert_eq!(steps(&rock(0.26)), [(10, 9), (9, 10), (10, 10), (11, 10), (10, 11)]);
    assert!(steps(&|x, y| 0.6 * x - 0.4 * y).is_empty());
    assert!(steps(&|x, _| -0.5 * (x - 10.0).abs()).is_empty());
    assert!(steps(&|x, y| 0.2 * (x - 10.0).powi(2) + 0.1 * y * y).is_empty());
}

/// Nothing is known around a hole as far as the footprint reaches, and everything beyond.
#[test]
fn holes_are_unknown_ground() {
    let cells = ground(
        file(21, 21, 1.0, Stored::Float, |x, y| if (x, y) == (10.0, 10.0) { f64::NAN } else { x }),
        1.4,
    );
    let reach = Stencil::new(1.4, 1.0).reach;
    for (row, line) in cells.iter().enumerate() {
        for (column, cell) in line.iter().enumerate() {
            let near = row.abs_diff(10) <= reach && column.abs_diff(10) <= reach;
            let inside = (reach..21 - reach).contains(&row) && (reach..21 - reach).contains(&column);
            assert_eq!(cell.is_known(), inside && !near, "{column}, {row}");
        }
    }
}

/// Legends name a soil for each class; mistakes are shown with what is allowed.
#[test]
fn legends() {
    let legend =
        Legend::parse("[class.1]\nname = \"plain\"\nsoil = \"a\"\n[class.7]\nsoil = \"b\"\n", "l.toml")
            .expect("a legend");
    assert_eq!(legend.soils(), ["a", "b"]);
    for (text, part) in [
        ("", "class"),
        ("[class.x]\nsoil = \"a\"", "`x`"),
        ("[class.300]\nsoil = \"a\"", "`300`"),
        ("[class.1]\nsoil = 3", "soil"),
        ("[class.1]\nsoul = \"a\"", "soul"),
        ("[class]", "no class"),
    ] {
        let error = Legend::parse(text, "l.toml").expect_err("no legend").to_string();
        assert!(error.contains(part) && error.contains("allowed"), "{error}");
    }
}
