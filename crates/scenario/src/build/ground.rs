//! Rigid ground: a plane, or a smooth surface from a formula, from hills made by the seed, or from a map.

use super::Builder;
use crate::read::{Record, Text, Value};
use crate::table::{
    GroundKeys, GroundShapeWord, HillsKeys, Keys, MapKeys, ScenarioKeys, Section, SurfaceWord, Words,
};
use crate::unit::{ANGLE, LENGTH};
use touchdown_geometry::Raster;
use touchdown_geometry::surface::{Expression, HeightForm, HeightSurface, Smoothness};
use touchdown_math::Elementary;
use touchdown_math::Vec3;
use touchdown_sim::description::Ground;

/// Spacing and size of a sampled map if none are given, m: a wheel's radius, and some lengths of a rover.
const SPACING: f64 = 0.1;
const SIZE: f64 = 20.0;
/// Most nodes of a sampled map: 200 MB of heights. More is a slip of a unit.
const MOST_NODES: f64 = 25e6;

/// Puts in what follows from the shape.
pub(crate) fn fill_ground(record: &mut Record) {
    let Some(ground) = record.table_mut(ScenarioKeys::ground) else { return };
    let shape = ground.get(GroundKeys::shape).unwrap_or(GroundShapeWord::Plane);
    if shape == GroundShapeWord::Plane {
        ground.fill(GroundKeys::slope, Value::Number(0.0, &ANGLE));
        ground.fill(GroundKeys::uphill, Value::Number(0.0, &ANGLE));
    }
    let by_nodes = matches!(shape, GroundShapeWord::Procedural | GroundShapeWord::Map);
    let surface = if by_nodes { SurfaceWord::C2 } else { SurfaceWord::Analytic };
    ground.fill(GroundKeys::surface, Value::Text(surface.word().into()));
    let smooth = ground.get(GroundKeys::surface).is_some_and(|s| s != SurfaceWord::Analytic);
    if shape != GroundShapeWord::Map && smooth {
        ground.fill(GroundKeys::spacing, Value::Number(SPACING, &LENGTH));
        ground.fill(GroundKeys::size, Value::Numbers(vec![(SIZE, &LENGTH)]));
        ground.fill(GroundKeys::centre, Value::Numbers(vec![(0.0, &LENGTH); 2]));
    }
}

/// The form of rigid ground.
enum GroundShape<'k> {
    Plane { slope: f64, uphill: f64 },
    Paraboloid([f64; 2]),
    Expression(&'k Text),
    Procedural(&'k HillsKeys),
    Map(&'k MapKeys),
}

impl Builder<'_> {
    /// The ground of `[ground]`; nothing after a mistake or without one.
    pub fn rigid_ground(&mut self) -> Option<Ground> {
        let keys = self.root.ground.as_ref()?.keys.as_ref()?;
        let shape = self.ground_shape(keys)?;
        let smoothness = match keys.surface? {
            SurfaceWord::Analytic => None,
            SurfaceWord::C1 => Some(Smoothness::C1),
            SurfaceWord::C2 => Some(Smoothness::C2),
        };
        let surface = match (shape, smoothness) {
            (GroundShape::Plane { slope, uphill }, None) => return Some(plane(keys.height, slope, uphill)),
            (GroundShape::Map(_) | GroundShape::Procedural(_), None) => {
                let what = format!("cannot be analytic: {} has no formula", keys.shape.word());
                let (loc, path) =
                    (keys.here.loc_of(GroundKeys::surface), keys.here.path_of(GroundKeys::surface));
                self.issues
                    .at(loc, path, what)
                    .hint("c2 has continuous curvatures, c1 continuous slopes; leave it out for c2");
                return None;
            }
            (GroundShape::Map(map), Some(smoothness)) => on_map(self.map(map, keys.height)?, smoothness),
            (GroundShape::Procedural(hills), Some(smoothness)) => {
                let hills = self.hills(hills, keys.height, (keys.here.loc, &keys.here.path))?;
                self.sampled(keys, smoothness, |x, y| hills.height(x, y))?
            }
            (shape, smoothness) => {
                let formula = self.formula(keys.height, &shape)?;
                match smoothness {
                    None => formula,
                    Some(smoothness) => {
                        self.sampled(keys, smoothness, |x, y| formula.jet(x, y).ok().map(|jet| jet.z))?
                    }
                }
            }
        };
        Some(Ground::Surface(Box::new(surface)))
    }

    /// The shape with what belongs to it; keys that it has no use for are mistakes.
    fn ground_shape<'k>(&mut self, keys: &'k GroundKeys) -> Option<GroundShape<'k>> {
        let needed = match keys.shape {
            GroundShapeWord::Plane => vec![],
            GroundShapeWord::Paraboloid => {
                vec![(GroundKeys::coefficients.name(), keys.here.has(GroundKeys::coefficients))]
            }
            GroundShapeWord::Expression => {
                vec![(GroundKeys::expression.name(), keys.here.has(GroundKeys::expression))]
            }
            GroundShapeWord::Procedural => keys.hills.needed(),
            GroundShapeWord::Map => keys.map.needed(),
        };
        let word = keys.shape.word();
        for (key, _) in needed.iter().filter(|(_, given)| !given) {
            let what = format!("needs {key}, because its shape is {word}");
            self.issues.at(keys.here.loc, &keys.here.path, what);
        }
        for (key, loc, path) in keys.here.given() {
            let shapes = shapes_of(key);
            if !shapes.contains(&keys.shape) {
                let shapes: Vec<&str> = shapes.iter().map(|shape| shape.word()).collect();
                self.issues
                    .at(loc, path, format!("means nothing in {word} ground"))
                    .hint(format!("shape = \"{}\" has it", shapes.join("\" or \"")));
            }
        }
        Some(match keys.shape {
            GroundShapeWord::Plane => GroundShape::Plane { slope: keys.slope?, uphill: keys.uphill? },
            GroundShapeWord::Paraboloid => {
                GroundShape::Paraboloid(one_or_two(keys.coefficients.as_deref()?)?)
            }
            GroundShapeWord::Expression => GroundShape::Expression(keys.expression.as_ref()?),
            GroundShapeWord::Procedural => GroundShape::Procedural(&keys.hills),
            GroundShapeWord::Map => GroundShape::Map(&keys.map),
        })
    }

    /// Ground with a formula, evaluated by it.
    fn formula(&mut self, height: f64, shape: &GroundShape) -> Option<HeightSurface> {
        let form = match shape {
            GroundShape::Plane { slope, uphill } => {
                let rise = slope.tangent();
                HeightForm::Plane { height, gradient: [rise * uphill.cosine(), rise * uphill.sine()] }
            }
            GroundShape::Paraboloid(coefficients) => {
                HeightForm::Paraboloid { height, coefficients: *coefficients }
            }
            GroundShape::Expression(text) => {
                let raised =
                    if height == 0.0 { text.to_string() } else { format!("({text}) + ({height:e})") };
                match Expression::parse(text).and_then(|_| Expression::parse(&raised)) {
                    Ok(expression) => HeightForm::Expression(expression),
                    Err(error) => {
                        self.issues.at(text.loc, &text.path, "cannot be read").found(error);
                        return None;
                    }
                }
            }
            GroundShape::Procedural(_) | GroundShape::Map(_) => return None,
        };
        Some(HeightSurface::new(form))
    }

    /// A map of a height over the rectangle that the keys name, under patches.
    fn sampled(
        &mut self,
        keys: &GroundKeys,
        smoothness: Smoothness,
        height: impl Fn(f64, f64) -> Option<f64>,
    ) -> Option<HeightSurface> {
        let (spacing, size) = (keys.spacing?, one_or_two(keys.size.as_deref()?)?);
        let [centre_x, centre_y] = keys.centre?;
        // As many cells to either side of the centre: it is a node, and the map reaches at least as far as asked for.
        let half = size.map(|s| (0.5 * s / spacing - 1e-9).ceil().max(1.0));
        if (2.0 * half[0] + 1.0) * (2.0 * half[1] + 1.0) > MOST_NODES {
            let (loc, path) = (keys.here.loc_of(GroundKeys::spacing), keys.here.path_of(GroundKeys::spacing));
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
                self.issues.at(keys.here.loc, &keys.here.path, "cannot be sampled").found(error);
                None
            }
        }
    }
}

/// The ground plane.
fn plane(height: f64, slope: f64, uphill: f64) -> Ground {
    // The surface rises towards `uphill`, so its normal leans the other way.
    let normal = Vec3::new(-slope.sine() * uphill.cosine(), -slope.sine() * uphill.sine(), slope.cosine());
    Ground::Plane { point: Vec3::new(0.0, 0.0, height), normal }
}

fn on_map(raster: Raster, smoothness: Smoothness) -> HeightSurface {
    HeightSurface::new(HeightForm::Map { raster, smoothness })
}

/// Two numbers, or one for both.
pub(super) fn one_or_two(list: &[f64]) -> Option<[f64; 2]> {
    match list {
        [both] => Some([*both; 2]),
        [x, y] => Some([*x, *y]),
        _ => None,
    }
}

/// The shapes of ground that have a key.
fn shapes_of(key: &str) -> &'static [GroundShapeWord] {
    use GroundShapeWord::{Expression, Map, Paraboloid, Plane, Procedural};
    let own = |keys: &[&str]| keys.contains(&key);
    let has = |section: &Section| section.fields().any(|field| field.key == key);
    if own(&[GroundKeys::slope.name(), GroundKeys::uphill.name()]) {
        &[Plane]
    } else if own(&[GroundKeys::coefficients.name()]) {
        &[Paraboloid]
    } else if own(&[GroundKeys::expression.name()]) {
        &[Expression]
    } else if has(HillsKeys::SECTION) {
        &[Procedural]
    } else if has(MapKeys::SECTION) {
        &[Map]
    } else if own(&[GroundKeys::spacing.name(), GroundKeys::size.name(), GroundKeys::centre.name()]) {
        &[Plane, Paraboloid, Expression, Procedural]
    } else {
        &[Plane, Paraboloid, Expression, Procedural, Map]
    }
}
