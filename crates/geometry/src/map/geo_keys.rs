//! The geo tags of a TIFF: position of pixels, coordinate system, body.
//!
//! OGC 19-008r4, *GeoTIFF Standard* 1.1: tags 33550, 33922, 34264 place the pixels; 34735 to 34737 hold the keys. Key numbers below are those of
//! its annexes; 32767 means "defined here, by the other keys".

use super::MapError;
use super::place::{Ellipsoid, Equirectangular, Place, Unit};

const DEFINED_HERE: u16 = 32767;
/// WGS 84 and GRS 80, equator and pole, m: used for geographic codes of the Earth without given axes.
const EARTH: [f64; 2] = [6_378_137.0, 6_356_752.314];
/// Such codes that occur in files: WGS 84, NAD83, ETRS89.
const EARTH_CODES: [u16; 3] = [4326, 4269, 4258];

/// Offset per pixel below which a rotation is only rounding.
const UPRIGHT: f64 = 1e-9;

/// The tags as stored in a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GeoTags {
    /// 33550: size of a pixel along x, y and z.
    pub pixel_scale: Vec<f64>,
    /// 33922: places in the picture and in its coordinates, in pairs of three.
    pub tie_points: Vec<f64>,
    /// 34264: a matrix in place of the two above.
    pub transformation: Vec<f64>,
    /// 34735: the keys.
    pub directory: Vec<u16>,
    /// 34736: numeric values of keys.
    pub doubles: Vec<f64>,
    /// 34737: text values of keys.
    pub ascii: String,
}

impl GeoTags {
    /// Metres about a site without a globe: the north-western corner of the first pixel, the size of a pixel,
    /// and a name.
    pub fn local(corner: [f64; 2], pixel: f64, name: &str) -> GeoTags {
        let ascii: String =
            name.chars().filter(char::is_ascii).filter(|c| *c != '|').collect::<String>() + "|";
        let metre = 9001;
        let length = ascii.len() as u16;
        // Model: projected; pixels are areas; citation; coordinate system and unit: defined here, metres.
        let keys = [
            [1024, 0, 1, 1],
            [1025, 0, 1, 1],
            [1026, 34737, length, 0],
            [3072, 0, 1, DEFINED_HERE],
            [3076, 0, 1, metre],
        ];
        let directory = [1, 1, 0, keys.len() as u16].into_iter().chain(keys.into_iter().flatten()).collect();
        GeoTags {
            pixel_scale: vec![pixel, pixel, 0.0],
            tie_points: vec![0.0, 0.0, 0.0, corner[0], corner[1], 0.0],
            directory,
            ascii,
            ..GeoTags::default()
        }
    }
}

/// Content of the tags.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Georeference {
    /// `None` if not given.
    pub place: Option<Place>,
    pub coordinates: Option<String>,
    /// The first row is the southern one.
    pub south_first: bool,
    /// Heights belong to the middle of pixels, not to their corners.
    pub pixel_is_area: bool,
    /// Unit of heights and its size, m.
    pub height_unit: Option<(String, f64)>,
    pub cautions: Vec<String>,
}

/// Place of raster coordinates 0, 0, and the offset from one column and from one row to the next.
struct Corner {
    first: [f64; 2],
    column: [f64; 2],
    row: [f64; 2],
}

impl GeoTags {
    fn key(&self, key: u16) -> Option<&[u16]> {
        self.directory.get(4..)?.chunks_exact(4).find(|entry| entry[0] == key)
    }

    fn short(&self, key: u16) -> Option<u16> {
        self.key(key).filter(|entry| entry[1] == 0).map(|entry| entry[3])
    }

    fn double(&self, key: u16) -> Option<f64> {
        let entry = self.key(key).filter(|entry| entry[1] == 34736)?;
        self.doubles.get(usize::from(entry[3])).copied().filter(|x| x.is_finite())
    }

    fn text(&self, key: u16) -> Option<String> {
        let entry = self.key(key).filter(|entry| entry[1] == 34737)?;
        let (from, length) = (usize::from(entry[3]), usize::from(entry[2]));
        let bytes = self.ascii.as_bytes().get(from..(from + length).min(self.ascii.len()))?;
        let text = String::from_utf8_lossy(bytes).replace(|c: char| c.is_control(), " ");
        let text = text.trim().trim_end_matches('|').replace('|', ", ");
        (!text.is_empty()).then_some(text)
    }

    /// Content of the tags for a picture with this number of rows.
    pub(super) fn georeference(&self, rows: usize) -> Result<Georeference, MapError> {
        let pixel_is_area = self.short(1025) != Some(2);
        let mut found = Georeference { pixel_is_area, ..Georeference::default() };
        found.coordinates = self.coordinates();
        found.height_unit = self.height_unit()?;
        let Some(Corner { first, column, row }) = self.corner()? else { return Ok(found) };
        let is_upright = column[1].abs() <= UPRIGHT * column[0] && row[0].abs() <= UPRIGHT * row[1].abs();
        if !is_upright || column[0] <= 0.0 || row[1] == 0.0 || !row[1].is_finite() {
            return Err(MapError::Rotated { column, row });
        }
        // Raster coordinates run from the corner of the first pixel; its middle, where the height belongs, is half a pixel inside.
        let inside = if pixel_is_area { 0.5 } else { 0.0 };
        let node = [first[0] + inside * column[0], first[1] + inside * row[1]];
        found.south_first = row[1] > 0.0;
        let north = if found.south_first { node[1] + (rows - 1) as f64 * row[1] } else { node[1] };
        let unit = self.unit(&mut found.cautions)?;
        let place = Place {
            first: [node[0], north],
            step: [column[0], row[1].abs()],
            unit,
            equirectangular: self.equirectangular(),
        };
        if ![place.first[0], place.first[1], place.step[0]].iter().all(|x| x.is_finite()) {
            return Err(damaged("its place is not finite"));
        }
        found.place = Some(place);
        Ok(found)
    }

    fn corner(&self) -> Result<Option<Corner>, MapError> {
        if let [a, b, _, x, d, e, _, y, ..] = self.transformation[..] {
            return Ok(Some(Corner { first: [x, y], column: [a, d], row: [b, e] }));
        }
        match (&self.pixel_scale[..], &self.tie_points[..]) {
            ([sx, sy, ..], [i, j, _, x, y, _]) => {
                let first = [x - i * sx, y + j * sy];
                Ok(Some(Corner { first, column: [*sx, 0.0], row: [0.0, -sy] }))
            }
            ([], []) => Ok(None),
            ([], [..]) | ([_, _, ..], [_, _, _, _, _, _, _, ..]) => Err(MapError::Unsupported {
                format: "GeoTIFF",
                found: format!("{} tie points", self.tie_points.len() / 6),
                allowed: "one tie point with a pixel scale, or a transformation",
                hint: "gdalwarp IN.tif OUT.tif turns control points into a place",
            }),
            _ => Err(damaged("its geo tags have the wrong length")),
        }
    }

    fn unit(&self, cautions: &mut Vec<String>) -> Result<Unit, MapError> {
        if self.short(1024) == Some(2) {
            return self.degrees().map(Unit::Degrees);
        }
        if self.short(1024) == Some(3) {
            return Err(MapError::Unsupported {
                format: "GeoTIFF",
                found: "geocentric coordinates".into(),
                allowed: "projected or geographic ones",
                hint: "gdalwarp -t_srs with a projection around the site",
            });
        }
        match self.short(3076) {
            Some(DEFINED_HERE) => {
                let size = self.double(3077).filter(|size| *size > 0.0);
                let size = size.ok_or(damaged("its unit of length has no size"))?;
                Ok(if size == 1.0 {
                    Unit::Length("m".into(), 1.0)
                } else {
                    Unit::Length("units of the file".into(), size)
                })
            }
            Some(code) => length_unit(code).map(|(name, size)| Unit::Length(name.into(), size)),
            None => {
                cautions.push("the file names no unit of its coordinates; metres are taken".into());
                Ok(Unit::Length("m".into(), 1.0))
            }
        }
    }

    fn degrees(&self) -> Result<Ellipsoid, MapError> {
        if self.short(2054).is_some_and(|code| code != 9102 && code != 9122) {
            return Err(MapError::Unsupported {
                format: "GeoTIFF",
                found: format!("angles in the unit of code {}", self.short(2054).unwrap_or(0)),
                allowed: "degrees (9102)",
                hint: "gdalwarp -t_srs with a projection around the site",
            });
        }
        self.ellipsoid().ok_or(MapError::Unsupported {
            format: "GeoTIFF",
            found: "geographic coordinates on a body without radius".into(),
            allowed: "an ellipsoid with its axes, or WGS 84",
            hint: "gdalwarp -t_srs with a projection around the site",
        })
    }

    fn ellipsoid(&self) -> Option<Ellipsoid> {
        let Some(equator) = self.double(2057).filter(|a| *a > 0.0) else {
            let is_earth = self.short(2048).is_some_and(|code| EARTH_CODES.contains(&code));
            return is_earth.then(|| Ellipsoid::new(EARTH[0], EARTH[1]));
        };
        let flattening = self.double(2059).filter(|f| *f > 1.0).map(|f| equator * (1.0 - 1.0 / f));
        let pole =
            self.double(2058).filter(|b| *b > 0.0 && *b <= 1.5 * equator).or(flattening).unwrap_or(equator);
        Some(Ellipsoid::new(equator, pole))
    }

    fn equirectangular(&self) -> Option<Equirectangular> {
        let is_it = self.short(3075) == Some(17);
        let radius = self.ellipsoid().filter(|_| is_it)?.equator;
        let zero = [self.double(3089).or(self.double(3081)).unwrap_or(0.0), self.double(3083).unwrap_or(0.0)];
        Some(Equirectangular { radius, true_at: self.double(3078).unwrap_or(0.0), zero })
    }

    fn height_unit(&self) -> Result<Option<(String, f64)>, MapError> {
        match self.short(4099) {
            None | Some(0 | DEFINED_HERE) => Ok(None),
            Some(code) => length_unit(code).map(|(name, size)| Some((name.to_string(), size))),
        }
    }

    /// The coordinate system in words: names that the file gives, projection, axes of the body.
    fn coordinates(&self) -> Option<String> {
        let mut parts: Vec<String> = Vec::new();
        let citations = [3073, 1026, 2049].iter().filter_map(|key| self.text(*key));
        for text in citations.map(|text| readable(&text)) {
            if !parts.contains(&text) {
                parts.push(text);
            }
        }
        for key in [3072, 2048] {
            parts.extend(
                self.short(key)
                    .filter(|code| *code != DEFINED_HERE && *code != 0)
                    .map(|code| format!("EPSG:{code}")),
            );
        }
        parts.extend(self.short(3075).filter(|code| *code != DEFINED_HERE).map(projection));
        if let Some(body) = self.ellipsoid() {
            let pole = body.equator * (1.0 - body.eccentricity2).sqrt();
            parts.push(format!("radius {} m at the equator, {} m at the poles", body.equator, pole.round()));
        }
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}

/// A citation without its markup.
fn readable(text: &str) -> String {
    /// Longer texts are whole definitions.
    const LONGEST: usize = 160;
    let named = text.strip_prefix("ESRI PE String = ").and_then(|wkt| wkt.split('"').nth(1)).unwrap_or(text);
    match named.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &named[..end]),
        None => named.trim_end_matches([',', ' ']).to_string(),
    }
}

/// Name and size of a unit of length by its EPSG code.
fn length_unit(code: u16) -> Result<(&'static str, f64), MapError> {
    match code {
        9001 => Ok(("m", 1.0)),
        9002 => Ok(("ft", 0.3048)),
        9003 => Ok(("US survey ft", 1200.0 / 3937.0)),
        9036 => Ok(("km", 1000.0)),
        _ => Err(MapError::Unsupported {
            format: "GeoTIFF",
            found: format!("lengths in the unit of code {code}"),
            allowed: "metres (9001), feet (9002, 9003), kilometres (9036)",
            hint: "gdalwarp -t_srs with a projection in metres",
        }),
    }
}

fn projection(code: u16) -> String {
    match code {
        1 => "transverse Mercator".into(),
        7 => "Mercator".into(),
        8 => "Lambert conformal conic".into(),
        10 => "Lambert azimuthal equal-area".into(),
        12 => "azimuthal equidistant".into(),
        14 | 16 => "stereographic".into(),
        15 => "polar stereographic".into(),
        17 => "equirectangular".into(),
        21 => "orthographic".into(),
        24 => "sinusoidal".into(),
        other => format!("projection {other}"),
    }
}

fn damaged(why: &str) -> MapError {
    MapError::Damaged { format: "GeoTIFF", why: why.into() }
}
