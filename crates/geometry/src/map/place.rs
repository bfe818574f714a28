//! Positions of the nodes of a map: coordinates of the file, and metres.

use super::MapError;
use super::audit::short;
use touchdown_math::Elementary;

/// Distances along x and y of a map in metres may differ by this part: the rounding of writers. After a
/// thousand nodes it is a thousandth of one.
const SQUARE: f64 = 1e-6;
/// The same for maps in degrees, whose distances change over the map: 0.5 %.
const NEARLY_SQUARE: f64 = 5e-3;

/// Positions of the nodes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Place {
    /// The north-western node.
    pub first: [f64; 2],
    /// Distances along x and y, both > 0.
    pub step: [f64; 2],
    pub unit: Unit,
    /// If the projection is equirectangular: what determines its stretch.
    pub equirectangular: Option<Equirectangular>,
}

/// Unit of coordinates.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Unit {
    /// Its name and its size in m.
    Length(String, f64),
    /// Degrees on an ellipsoid.
    Degrees(Ellipsoid),
}

/// A body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ellipsoid {
    /// Radius of the equator, m.
    pub equator: f64,
    /// Square of the eccentricity of the meridians.
    pub eccentricity2: f64,
}

impl Ellipsoid {
    pub fn new(equator: f64, pole: f64) -> Ellipsoid {
        Ellipsoid { equator, eccentricity2: 1.0 - (pole / equator).whole_power(2) }
    }

    /// Metres per degree to the east and to the north at a latitude in degrees.
    /// Snyder, *Map Projections: A Working Manual*, USGS Professional Paper 1395 (1987), Eqs. (4-18), (4-20).
    pub fn metres_per_degree(&self, latitude: f64) -> [f64; 2] {
        let (sin, cos) = latitude.to_radians().sine_cosine();
        let w = 1.0 - self.eccentricity2 * sin * sin;
        let east = self.equator / w.sqrt() * cos;
        let north = self.equator * (1.0 - self.eccentricity2) / w.power(1.5);
        [east.to_radians(), north.to_radians()]
    }
}

/// An equirectangular projection: true distances to the east at one latitude only.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Equirectangular {
    /// Radius, m.
    pub radius: f64,
    /// Latitude of true distances, degrees.
    pub true_at: f64,
    /// Latitude at which y is zero, degrees, and y there, m.
    pub zero: [f64; 2],
}

/// The grid in metres.
pub(super) struct Metres {
    pub spacing: f64,
    /// Conversions and cautions, in words.
    pub conversions: Vec<String>,
    pub cautions: Vec<String>,
}

impl Place {
    pub fn unit_name(&self) -> &str {
        match &self.unit {
            Unit::Length(name, _) => name,
            Unit::Degrees(_) => "deg",
        }
    }

    /// x of a column.
    pub fn x(&self, column: usize) -> f64 {
        self.first[0] + column as f64 * self.step[0]
    }

    /// y of a row from the north.
    pub fn y(&self, row: usize) -> f64 {
        self.first[1] - row as f64 * self.step[1]
    }

    /// Spacing in metres of a part of the map between two y, if its cells are sufficiently square.
    pub fn in_metres(&self, [south, north]: [f64; 2]) -> Result<Metres, MapError> {
        let (mut conversions, mut cautions) = (Vec::new(), Vec::new());
        let [x, y] = self.step;
        let refuse =
            |x, y, unit: &str, tolerance| Err(MapError::NotSquare { x, y, unit: unit.into(), tolerance });
        match &self.unit {
            Unit::Length(name, metres) => {
                if (x / y - 1.0).abs() > SQUARE {
                    return refuse(x, y, name, SQUARE);
                }
                if *metres != 1.0 {
                    conversions.push(format!("coordinates from {name} to m: × {}", short(*metres)));
                }
                cautions.extend(self.equirectangular.and_then(|p| p.caution(0.5 * (south + north) * metres)));
                Ok(Metres { spacing: y * metres, conversions, cautions })
            }
            Unit::Degrees(body) => {
                let middle = 0.5 * (south + north);
                let at = |latitude: f64| {
                    let [east, north] = body.metres_per_degree(latitude);
                    [x * east, y * north]
                };
                let [east, northward] = at(middle);
                let spacing = (east * northward).sqrt();
                let off = [south, middle, north].into_iter().flat_map(at).map(|d| (d / spacing - 1.0).abs());
                let off = off.fold(0.0, f64::max);
                if off.is_nan() || off > NEARLY_SQUARE {
                    return refuse(east, northward, "m, from degrees", NEARLY_SQUARE);
                }
                conversions.push(format!(
                    "coordinates from degrees to m, equirectangular around latitude {} on a body of radius {} m; distances are true to {:.2} %",
                    short(middle),
                    short(body.equator),
                    100.0 * off,
                ));
                Ok(Metres { spacing, conversions, cautions })
            }
        }
    }
}

impl Equirectangular {
    /// Error of distances to the east at a y, m.
    fn caution(&self, y: f64) -> Option<String> {
        /// Smaller errors are within the accuracy of the map.
        const SEEN: f64 = 0.005;
        let latitude = self.zero[0] + ((y - self.zero[1]) / self.radius).to_degrees();
        let stretch = self.true_at.to_radians().cosine() / latitude.to_radians().cosine();
        let is_off = stretch.is_finite() && (stretch - 1.0).abs() > SEEN && latitude.abs() < 90.0;
        is_off.then(|| {
            format!(
                "the map's projection is true at latitude {}; here, at {latitude:.2}, distances to the east are {stretch:.3} times the real ones; gdalwarp -t_srs with a projection around the site corrects it",
                short(self.true_at)
            )
        })
    }
}
