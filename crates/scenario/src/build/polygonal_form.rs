//! Forms of polygonal contact: bodies of revolution by their sections, and meshes.

use super::Builder;
use super::parts::Placed;
use crate::read::Text;
use crate::source::Loc;
use crate::table::{Key, SideKeys, UpWord};
use std::sync::Arc;
use touchdown_geometry::revolution::{Family, Path, Point, Section, Side};
use touchdown_geometry::{
    MeshAudit, MeshFormat, MeshOptions, Rock, Shape, SolidMesh, TriangleMesh, UpAxis, read_mesh,
};
use touchdown_math::Vec3;
use touchdown_sim::description::Opening;

/// Most triangles of a refined mesh.
const MOST_TRIANGLES: usize = 2_000_000;
/// Most triangles of a body of revolution: these and their tree take a gigabyte.
const MOST_REVOLVED: usize = 4_000_000;
/// Edge of a box's triangles relative to its shortest edge, if not given.
const BOX_EDGE: f64 = 0.05;

/// A side's form.
#[derive(Clone, Debug)]
pub(super) enum PolygonalForm {
    Revolved { section: Box<Section>, segments: u32 },
    Mesh(TriangleMesh),
}

impl PolygonalForm {
    /// Its triangles at its resolution.
    pub fn mesh(&self) -> TriangleMesh {
        match self {
            PolygonalForm::Revolved { section, segments } => {
                section.mesh(&section.resolution(*segments)).mesh
            }
            PolygonalForm::Mesh(mesh) => mesh.clone(),
        }
    }

    /// Its triangles for drawing.
    pub fn drawn(&self) -> TriangleMesh {
        match self {
            PolygonalForm::Revolved { section, .. } => section.mesh(&section.resolution(DRAWN_SEGMENTS)).mesh,
            PolygonalForm::Mesh(mesh) => mesh.clone(),
        }
    }
}

/// Corners around a body of revolution in pictures.
const DRAWN_SEGMENTS: u32 = 96;

/// A form according to its keys.
enum GivenForm<'k> {
    Sphere(f64),
    Cylinder([f64; 2]),
    Cone(Vec3),
    Disc(f64),
    Section(&'k Text),
    Box(Vec3),
    Mesh(&'k Text),
    Rock(Vec3),
}

/// Forms that the keys give.
fn forms(keys: &SideKeys) -> [(Key<SideKeys, ()>, Option<GivenForm<'_>>); 8] {
    [
        (SideKeys::sphere.any(), keys.sphere.map(GivenForm::Sphere)),
        (SideKeys::cylinder.any(), keys.cylinder.map(GivenForm::Cylinder)),
        (SideKeys::cone.any(), keys.cone.map(GivenForm::Cone)),
        (SideKeys::disc.any(), keys.disc.map(GivenForm::Disc)),
        (SideKeys::section.any(), keys.section.as_ref().map(GivenForm::Section)),
        (SideKeys::cuboid.any(), keys.cuboid.map(GivenForm::Box)),
        (SideKeys::mesh.any(), keys.mesh.as_ref().map(GivenForm::Mesh)),
        (SideKeys::rock.any(), keys.rock.map(GivenForm::Rock)),
    ]
}

impl Builder<'_> {
    /// The single form of a side; meshes that carry the faces are refined, a reference can be coarse.
    pub(super) fn polygonal_form(&mut self, keys: &SideKeys, carries: bool) -> Option<PolygonalForm> {
        let key = forms(keys).into_iter().find_map(|(key, form)| form.map(|_| key));
        // A press with a mistake could not fill in the form.
        if key.is_none() && self.root.press.as_ref().is_some_and(|press| press.keys.is_none()) {
            return None;
        }
        let named = forms(keys).map(|(key, form)| (key.name(), form));
        let form = self.one_given(&keys.here, "must be one form", named)?;
        let key = key?;
        let can_be_hollow =
            matches!(form, GivenForm::Section(_) | GivenForm::Cylinder(_) | GivenForm::Cone(_));
        if keys.cavity && !can_be_hollow {
            let what = format!("means nothing to a {}", key.name());
            let cavity = SideKeys::cavity;
            self.issues.at(keys.here.loc_of(cavity), keys.here.path_of(cavity), what);
        }
        let path = match form {
            GivenForm::Box(size) => {
                let mesh = Shape::Box { size }.triangulate(3);
                let edge = keys.edge.or(carries.then_some(BOX_EDGE * size.min()));
                return Some(PolygonalForm::Mesh(refined(mesh, edge)));
            }
            GivenForm::Rock(size) => {
                let rock = Rock { roughness: keys.roughness, ..Rock::new(keys.rock_seed, size) };
                return Some(PolygonalForm::Mesh(refined(rock.mesh(), keys.edge)));
            }
            GivenForm::Mesh(file) => {
                return Some(PolygonalForm::Mesh(refined(self.audited_mesh(file, keys)?, keys.edge)));
            }
            GivenForm::Sphere(r) => Path::from([-r, 0.0]).arc([0.0, r], [r, 0.0]),
            GivenForm::Disc(r) => Path::from([0.0, r]).line([0.0, 0.0]),
            GivenForm::Cylinder([r, length]) => Path::from([-0.5 * length, r]).line([0.5 * length, r]),
            GivenForm::Cone(n) => Path::from([0.0, n.x]).line([n.z, n.y]),
            GivenForm::Section(text) => self.written_section(text)?,
        };
        let segments = u32::try_from(keys.resolution).ok()?;
        match Section::new(&path, side_of(keys)) {
            Ok(section) => {
                let place = (keys.here.loc_of(key), keys.here.path_of(key));
                self.check_triangles(&section, segments, place)?;
                Some(PolygonalForm::Revolved { section: Box::new(section), segments })
            }
            Err(problem) => {
                self.issues
                    .at(keys.here.loc_of(key), keys.here.path_of(key), "is no body of revolution")
                    .found(problem.to_string());
                None
            }
        }
    }

    /// Refuses a body of revolution with too many triangles for memory and search: one much longer than it is
    /// wide.
    pub(super) fn check_triangles(
        &mut self,
        section: &Section,
        segments: u32,
        (loc, path): (Loc, String),
    ) -> Option<()> {
        let most = [segments, DRAWN_SEGMENTS].map(|n| section.triangles_at(&section.resolution(n)));
        let count = most[0].max(most[1]);
        if count <= MOST_REVOLVED {
            return Some(());
        }
        self.issues
            .at(loc, &path, format!("must not need more than {MOST_REVOLVED} triangles"))
            .found(count.to_string())
            .hint(
                "its edges are as long along the axis as around it: a shorter body, or a smaller resolution",
            );
        None
    }

    fn written_section(&mut self, text: &Text) -> Option<Path> {
        match parse_section(text) {
            Ok(path) => Some(path),
            Err(why) => {
                self.issues
                    .at(text.loc, &text.path, "cannot be read")
                    .found(why)
                    .hint("\"0 0.03, 0.05 0.0434\" or \"0 0; arc 0.01 0.02, 0.03 0.03; line 0.1 0.03\"");
                None
            }
        }
    }

    /// How a section changes over time; the outer `None` is a mistake.
    pub(super) fn opening(&mut self, keys: &SideKeys, is_reference: bool) -> Option<Option<Opening>> {
        let sections = [SideKeys::section, SideKeys::section_open].map(|key| key.name());
        if keys.here.any_wrong(sections.into_iter().chain([SideKeys::opening.name()])) {
            return None;
        }
        let (key, what) = match (&keys.section_open, &keys.opening, &keys.section) {
            (None, None, _) => return Some(None),
            (Some(open), Some(opening), Some(shut)) if is_reference => {
                let (shut, opened) = (self.written_section(shut)?, self.written_section(open)?);
                return match Family::new(vec![(0.0, shut), (1.0, opened)], side_of(keys)) {
                    Ok(family) => {
                        let parameter = opening.signal.clone();
                        Some(Some(Opening { family: Arc::new(family), parameter }))
                    }
                    Err(problem) => {
                        let what = "does not fit section";
                        self.issues.at(open.loc, &open.path, what).found(problem.to_string());
                        None
                    }
                };
            }
            (Some(_), None, _) => {
                (SideKeys::section_open.any(), "needs the other one of section_open and opening")
            }
            (None, Some(_), _) => {
                (SideKeys::opening.any(), "needs the other one of section_open and opening")
            }
            (Some(_), Some(_), None) => {
                (SideKeys::section_open.any(), "needs section, what it is when opening is 0")
            }
            (Some(_), Some(_), Some(_)) => (
                SideKeys::section_open.any(),
                "is for the reference only: let the other side carry the faces",
            ),
        };
        let hint = "section = \"0 0.03, 0.05 0.03\", section_open = \"0 0.03, 0.05 0.04\", opening = { ramp = [0, 1], from = \"1 s\", to = \"2 s\" }";
        self.issues.at(keys.here.loc_of(key), keys.here.path_of(key), what).hint(hint);
        None
    }

    /// A mesh file, with the audit's findings as errors and warnings.
    fn audited_mesh(&mut self, file: &Text, keys: &SideKeys) -> Option<TriangleMesh> {
        let scale = match keys.scale[..] {
            [x, y, z] => Vec3::new(x, y, z),
            _ => Vec3::repeat(*keys.scale.first()?),
        };
        let format = MeshFormat::of_name(file);
        let up = keys.up.map(|up| match up {
            UpWord::X => UpAxis::X,
            UpWord::Y => UpAxis::Y,
            UpWord::Z => UpAxis::Z,
        });
        let options = MeshOptions { scale, up, ..MeshOptions::default() };
        let read = self.library.open(file.loc.source, file).map_err(|e| e.message).and_then(|(bytes, _)| {
            let format = format.ok_or("its name ends in none of stl, obj, gltf, glb")?;
            read_mesh(&bytes, format, &options).map_err(|e| e.to_string())
        });
        let mesh = match read {
            Ok(mesh) => mesh,
            Err(why) => {
                self.issues.at(file.loc, &file.path, "cannot be read").found(format!("\"{file}\": {why}"));
                return None;
            }
        };
        let audit = MeshAudit::new(&mesh);
        let errors: Vec<String> = audit.errors().take(3).map(|p| p.to_string()).collect();
        if !errors.is_empty() {
            self.issues
                .at(file.loc, &file.path, "cannot carry contact")
                .found(format!("\"{file}\": {}", errors.join("; ")));
            return None;
        }
        let warnings: Vec<String> = audit.warnings().take(3).map(|p| p.to_string()).collect();
        if !warnings.is_empty() {
            self.warnings.push(format!("{}: \"{file}\": {}", file.path, warnings.join("; ")));
        }
        Some(mesh)
    }

    /// A mesh prepared for contact; equal meshes are prepared once.
    pub(super) fn solid(&mut self, at: &impl Placed, mesh: &TriangleMesh) -> Option<Arc<SolidMesh>> {
        if let Some((_, solid)) = self.solids.iter().find(|(made, _)| made == mesh) {
            return Some(solid.clone());
        }
        match SolidMesh::new(mesh) {
            Ok(solid) => {
                let solid = Arc::new(solid);
                self.solids.push((mesh.clone(), solid.clone()));
                Some(solid)
            }
            Err(problem) => {
                self.issues.at(at.loc(), at.path(), "cannot carry contact").found(problem.to_string());
                None
            }
        }
    }
}

/// The side of a section on which the material is.
fn side_of(keys: &SideKeys) -> Side {
    if keys.cavity { Side::Cavity } else { Side::Solid }
}

/// A mesh with edges no longer than the given length, if there is one.
pub(super) fn refined(mesh: TriangleMesh, edge: Option<f64>) -> TriangleMesh {
    match edge {
        Some(edge) => mesh.refined(edge, MOST_TRIANGLES),
        None => mesh,
    }
}

/// Reads points "z r" and the words line, arc and spline.
fn parse_section(text: &str) -> Result<Path, String> {
    let mut path: Option<Path> = None;
    for part in text.split(';').map(str::trim).filter(|part| !part.is_empty()) {
        let word = part.split_whitespace().next().unwrap_or("");
        let (word, rest) = match word {
            "line" | "arc" | "spline" => (word, &part[word.len()..]),
            _ => ("line", part),
        };
        let mut points = Vec::new();
        for pair in rest.split(',') {
            let numbers: Vec<&str> = pair.split_whitespace().collect();
            let [z, r] = numbers[..] else { return Err(format!("\"{}\" is not two numbers", pair.trim())) };
            let number = |x: &str| x.parse::<f64>().map_err(|_| format!("\"{x}\" is not a number"));
            points.push([number(z)?, number(r)?]);
        }
        let mut points: &[Point] = &points;
        let mut so_far = match path.take() {
            Some(path) => path,
            None if word == "line" => {
                let first = points[0];
                points = &points[1..];
                Path::from(first)
            }
            None => return Err("it must begin with a point".into()),
        };
        so_far = match word {
            "line" => points.iter().fold(so_far, |path, p| path.line(*p)),
            "spline" => so_far.spline(points),
            _ => {
                let [via, to] = points else { return Err("an arc needs two points: through and to".into()) };
                so_far.arc(*via, *to)
            }
        };
        path = Some(so_far);
    }
    path.ok_or_else(|| "it is empty".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_are_read_and_mistakes_named() {
        let path = parse_section("0 0.03, 0.05 0.04; arc 0.06 0.045, 0.07 0.04; spline 0.08 0.03, 0.09 0.02")
            .unwrap();
        let same = Path::from([0.0, 0.03])
            .line([0.05, 0.04])
            .arc([0.06, 0.045], [0.07, 0.04])
            .spline(&[[0.08, 0.03], [0.09, 0.02]]);
        assert_eq!(path, same);
        assert!(parse_section("").unwrap_err().contains("empty"));
        assert!(parse_section("0 1, 2").unwrap_err().contains("not two numbers"));
        assert!(parse_section("0 x").unwrap_err().contains("not a number"));
        assert!(parse_section("arc 0 1, 1 1").unwrap_err().contains("begin with a point"));
        assert!(parse_section("0 1; arc 1 1").unwrap_err().contains("two points"));
    }
}
