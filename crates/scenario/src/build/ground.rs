//! Rigid ground: a plane, or a smooth surface from a formula, from hills made by the seed, or from a map.

use super::Builder;
use crate::read::{Record, Value};
use crate::table::MAP_KEYS;
use crate::unit::{ANGLE, LENGTH};
use touchdown_geometry::Raster;
use touchdown_geometry::surface::{Expression, HeightForm, HeightSurface, Smoothness};
use touchdown_math::Vec3;
use touchdown_sim::description::Ground;

/// Spacing and size of a sampled map if none are given, m: a wheel's radius, and some lengths of a rover.
const SPACING: f64 = 0.1;
const SIZE: f64 = 20.0;
/// Most nodes of a sampled map: 200 MB of heights. More is a slip of a unit.
const MOST_NODES: f64 = 25e6;

/// Keys that belong to some shapes only, with those shapes.
const KEYS: &[(&str, &[&str])] = &[
    ("slope", &["plane"]),
    ("uphill", &["plane"]),
    ("coefficients", &["paraboloid"]),
    ("expression", &["expression"]),
    ("wavelength", &["procedural"]),
    ("amplitude", &["procedural"]),
    ("octaves", &["procedural"]),
    ("spacing", &["plane", "paraboloid", "expression", "procedural"]),
    ("size", &["plane", "paraboloid", "expression", "procedural"]),
    ("centre", &["plane", "paraboloid", "expression", "procedural"]),
];

/// Puts in what follows from the shape.
pub(crate) fn fill_ground(record: &mut Record) {
    let Some(ground) = record.table_mut("ground") else { return };
    let shape = ground.text("shape").unwrap_or("plane").to_string();
    if shape == "plane" {
        ground.fill("slope", Value::Number(0.0, &ANGLE));
        ground.fill("uphill", Value::Number(0.0, &ANGLE));
    }
    let surface = if matches!(shape.as_str(), "procedural" | "map") { "c2" } else { "analytic" };
    ground.fill("surface", Value::Text(surface.into()));
    if shape != "map" && ground.text("surface").is_some_and(|s| s != "analytic") {
        ground.fill("spacing", Value::Number(SPACING, &LENGTH));
        ground.fill("size", Value::Numbers(vec![(SIZE, &LENGTH)]));
        ground.fill("centre", Value::Numbers(vec![(0.0, &LENGTH); 2]));
    }
}

impl Builder<'_> {
    /// The ground of `[ground]`; nothing after a mistake or without one.
    pub fn rigid_ground(&mut self) -> Option<Ground> {
        let record = self.scopes[0].record;
        let table = record.table("ground")?;
        let shape = table.text("shape")?;
        self.check_ground_keys(table, shape);
        let smoothness = match table.text("surface")? {
            "c1" => Some(Smoothness::C1),
            "c2" => Some(Smoothness::C2),
            _ => None,
        };
        let surface = match (shape, smoothness) {
            ("plane", None) => return plane(table),
            ("map" | "procedural", None) => {
                let (loc, path) = (table.loc_of("surface"), table.path_of("surface"));
                self.issues
                    .at(loc, path, format!("cannot be analytic: {shape} has no formula"))
                    .hint("c2 has continuous curvatures, c1 continuous slopes; leave it out for c2");
                return None;
            }
            ("map", Some(smoothness)) => on_map(self.map(table)?, smoothness),
            ("procedural", Some(smoothness)) => {
                let hills = self.hills(record, table)?;
                self.sampled(table, smoothness, |x, y| hills.height(x, y))?
            }
            (_, smoothness) => {
                let formula = self.formula(table, shape)?;
                match smoothness {
                    None => formula,
                    Some(smoothness) => {
                        self.sampled(table, smoothness, |x, y| formula.jet(x, y).ok().map(|jet| jet.z))?
                    }
                }
            }
        };
        Some(Ground::Surface(Box::new(surface)))
    }

    /// Keys that the shape needs, and keys that it has no use for.
    fn check_ground_keys(&mut self, table: &Record, shape: &str) {
        let needed: &[&str] = match shape {
            "paraboloid" => &["coefficients"],
            "expression" => &["expression"],
            "procedural" => &["wavelength", "amplitude"],
            "map" => &["file"],
            _ => &[],
        };
        let of_maps = MAP_KEYS.iter().map(|key| (key, &["map"][..]));
        for (key, shapes) in KEYS.iter().map(|(key, shapes)| (key, *shapes)).chain(of_maps) {
            if needed.contains(key) && !table.has(key) {
                self.issues.at(table.loc, &table.path, format!("needs {key}, because its shape is {shape}"));
            } else if table.has(key) && !shapes.contains(&shape) {
                self.issues
                    .at(table.loc_of(key), table.path_of(key), format!("means nothing in {shape} ground"))
                    .hint(format!("shape = \"{}\" has it", shapes.join("\" or \"")));
            }
        }
    }

    /// Ground with a formula, evaluated by it.
    fn formula(&mut self, table: &Record, shape: &str) -> Option<HeightSurface> {
        let height = table.number("height")?;
        let form = match shape {
            "plane" => {
                let (rise, uphill) = (table.number("slope")?.tan(), table.number("uphill")?);
                HeightForm::Plane { height, gradient: [rise * uphill.cos(), rise * uphill.sin()] }
            }
            "paraboloid" => {
                HeightForm::Paraboloid { height, coefficients: one_or_two(table, "coefficients")? }
            }
            _ => {
                let text = table.text("expression")?;
                let raised =
                    if height == 0.0 { text.to_string() } else { format!("({text}) + ({height:e})") };
                match Expression::parse(text).and_then(|_| Expression::parse(&raised)) {
                    Ok(expression) => HeightForm::Expression(expression),
                    Err(error) => {
                        let (loc, path) = (table.loc_of("expression"), table.path_of("expression"));
                        self.issues.at(loc, path, "cannot be read").found(error);
                        return None;
                    }
                }
            }
        };
        Some(HeightSurface::new(form))
    }

    /// A map of a height over the rectangle that the keys name, under patches.
    fn sampled(
        &mut self,
        table: &Record,
        smoothness: Smoothness,
        height: impl Fn(f64, f64) -> Option<f64>,
    ) -> Option<HeightSurface> {
        let (spacing, size) = (table.number("spacing")?, one_or_two(table, "size")?);
        let [centre_x, centre_y] = one_or_two(table, "centre")?;
        // As many cells to either side of the centre: it is a node, and the map reaches at least as far as asked for.
        let half = size.map(|s| (0.5 * s / spacing - 1e-9).ceil().max(1.0));
        if (2.0 * half[0] + 1.0) * (2.0 * half[1] + 1.0) > MOST_NODES {
            let (loc, path) = (table.loc_of("spacing"), table.path_of("spacing"));
            self.issues
                .at(loc, path, "makes a map of too many nodes")
                .found(format!("{:.3e}", 4.0 * half[0] * half[1]))
                .hint(format!("at most {MOST_NODES:.1e}; a coarser spacing or a smaller size"));
            return None;
        }
        let origin = [centre_x - half[0] * spacing, centre_y - half[1] * spacing];
        let [columns, rows] = half.map(|n| 2 * n as usize + 1);
        let nodes = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
        let at = |(column, row): (usize, usize)| {
            let (x, y) = (column as f64 - half[0], row as f64 - half[1]);
            height(centre_x + x * spacing, centre_y + y * spacing).unwrap_or(f64::NAN)
        };
        match Raster::new(origin, spacing, columns, rows, nodes.map(at).collect()) {
            Ok(raster) => Some(on_map(raster, smoothness)),
            Err(error) => {
                self.issues.at(table.loc, &table.path, "cannot be sampled").found(error);
                None
            }
        }
    }
}

/// The ground plane.
fn plane(table: &Record) -> Option<Ground> {
    let (slope, uphill) = (table.number("slope")?, table.number("uphill")?);
    // The surface rises towards `uphill`, so its normal leans the other way.
    let normal = Vec3::new(-slope.sin() * uphill.cos(), -slope.sin() * uphill.sin(), slope.cos());
    Some(Ground::Plane { point: Vec3::new(0.0, 0.0, table.number("height")?), normal })
}

fn on_map(raster: Raster, smoothness: Smoothness) -> HeightSurface {
    HeightSurface::new(HeightForm::Map { raster, smoothness })
}

/// Two numbers, or one for both.
fn one_or_two(table: &Record, key: &str) -> Option<[f64; 2]> {
    match table.numbers(key)? {
        [both] => Some([both.0, both.0]),
        [x, y] => Some([x.0, y.0]),
        _ => None,
    }
}
