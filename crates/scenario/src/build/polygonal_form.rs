//! Forms of polygonal contact: bodies of revolution by their sections, and meshes.

use super::Builder;
use crate::read::Record;
use std::sync::Arc;
use touchdown_geometry::revolution::{Family, Path, Point, Section, Side};
use touchdown_geometry::{
    MeshAudit, MeshFormat, MeshOptions, Rock, Shape, SolidMesh, TriangleMesh, UpAxis, read_mesh,
};
use touchdown_math::Vec3;
use touchdown_sim::description::Opening;

/// Keys that give a form.
pub(super) const FORMS: [&str; 8] = ["sphere", "cylinder", "cone", "disc", "section", "box", "mesh", "rock"];
/// Triangles of a refined mesh at most.
const MOST_TRIANGLES: usize = 2_000_000;
/// Edge of a box's triangles over its shortest edge, if none is given.
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

impl Builder<'_> {
    /// The one form that a record gives; meshes that carry the faces are refined, a reference may be coarse.
    pub(super) fn polygonal_form(&mut self, record: &Record, carries: bool) -> Option<PolygonalForm> {
        let given: Vec<&str> = FORMS.iter().copied().filter(|k| record.value(k).is_some()).collect();
        let [form] = given[..] else {
            let found = if given.is_empty() { "none".into() } else { given.join(" and ") };
            let what = "must be one form";
            self.issues.at(record.loc, &record.path, what).found(found).allowed(FORMS.join(", "));
            return None;
        };
        let hollow = record.flag("cavity");
        if hollow && !matches!(form, "section" | "cylinder" | "cone") {
            let what = format!("means nothing to a {form}");
            self.issues.at(record.loc_of("cavity"), record.path_of("cavity"), what);
        }
        let side = if hollow { Side::Cavity } else { Side::Solid };
        match form {
            "box" | "mesh" | "rock" => self.polygonal_mesh(record, form, carries).map(PolygonalForm::Mesh),
            _ => {
                let path = self.section_path(record, form)?;
                let segments = u32::try_from(record.count("resolution")?).ok()?;
                match Section::new(&path, side) {
                    Ok(section) => Some(PolygonalForm::Revolved { section: Box::new(section), segments }),
                    Err(problem) => {
                        let what = "is no body of revolution";
                        self.issues
                            .at(record.loc_of(form), record.path_of(form), what)
                            .found(problem.to_string());
                        None
                    }
                }
            }
        }
    }

    fn section_path(&mut self, record: &Record, form: &str) -> Option<Path> {
        let numbers = |key: &str| record.numbers(key).map(|n| n.iter().map(|x| x.0).collect::<Vec<f64>>());
        Some(match form {
            "sphere" => {
                let r = record.number("sphere")?;
                Path::from([-r, 0.0]).arc([0.0, r], [r, 0.0])
            }
            "disc" => Path::from([0.0, record.number("disc")?]).line([0.0, 0.0]),
            "cylinder" => {
                let n = numbers("cylinder")?;
                let half = 0.5 * n.get(1)?;
                Path::from([-half, n[0]]).line([half, n[0]])
            }
            "cone" => match numbers("cone")?[..] {
                [r0, r1, length] => Path::from([0.0, r0]).line([length, r1]),
                _ => return None,
            },
            _ => self.written_section(record, "section")?,
        })
    }

    fn written_section(&mut self, record: &Record, key: &str) -> Option<Path> {
        match parse_section(record.text(key)?) {
            Ok(path) => Some(path),
            Err(why) => {
                self.issues
                    .at(record.loc_of(key), record.path_of(key), "cannot be read")
                    .found(why)
                    .hint("\"0 0.03, 0.05 0.0434\" or \"0 0; arc 0.01 0.02, 0.03 0.03; line 0.1 0.03\"");
                None
            }
        }
    }

    /// How a section changes in time; the outer `None` is a mistake.
    pub(super) fn opening(&mut self, record: &Record, is_reference: bool) -> Option<Option<Opening>> {
        let (has_open, has_signal) = (record.has("section_open"), record.has("opening"));
        if !has_open && !has_signal {
            return Some(None);
        }
        let key = if has_open { "section_open" } else { "opening" };
        let what = if !(has_open && has_signal) {
            Some("needs the other one of section_open and opening")
        } else if !record.has("section") {
            Some("needs section, what it is when opening is 0")
        } else if !is_reference {
            Some("is for the reference only: let the other side carry the faces")
        } else {
            None
        };
        if let Some(what) = what {
            let hint = "section = \"0 0.03, 0.05 0.03\", section_open = \"0 0.03, 0.05 0.04\", opening = { ramp = [0, 1], from = \"1 s\", to = \"2 s\" }";
            self.issues.at(record.loc_of(key), record.path_of(key), what).hint(hint);
            return None;
        }
        let (shut, open) =
            (self.written_section(record, "section")?, self.written_section(record, "section_open")?);
        let side = if record.flag("cavity") { Side::Cavity } else { Side::Solid };
        match Family::new(vec![(0.0, shut), (1.0, open)], side) {
            Ok(family) => {
                let parameter = record.signal("opening")?.0.clone();
                Some(Some(Opening { family: Arc::new(family), parameter }))
            }
            Err(problem) => {
                let path = record.path_of("section_open");
                let what = "does not fit section";
                self.issues.at(record.loc_of("section_open"), path, what).found(problem.to_string());
                None
            }
        }
    }

    fn polygonal_mesh(&mut self, record: &Record, form: &str, carries: bool) -> Option<TriangleMesh> {
        let (mesh, edge) = match form {
            "box" => {
                let size = record.vec3("box")?;
                (Shape::Box { size }.triangulate(3), carries.then_some(BOX_EDGE * size.min()))
            }
            "rock" => {
                let seed = record.count("rock_seed")?;
                let rock =
                    Rock { roughness: record.number("roughness")?, ..Rock::new(seed, record.vec3("rock")?) };
                (rock.mesh(), None)
            }
            _ => (self.audited_mesh(record)?, None),
        };
        let edge = record.number("edge").or(edge);
        Some(match edge {
            Some(edge) => mesh.refined(edge, MOST_TRIANGLES),
            None => mesh,
        })
    }

    /// A mesh file, with what the audit says about it as errors and warnings.
    fn audited_mesh(&mut self, record: &Record) -> Option<TriangleMesh> {
        let (file, loc, path) = (record.text("mesh")?, record.loc_of("mesh"), record.path_of("mesh"));
        let scale = record.numbers("scale")?;
        let scale = if scale.len() == 3 { record.vec3("scale")? } else { Vec3::repeat(scale.first()?.0) };
        let format = MeshFormat::of_name(file);
        let up = match record.text("up") {
            Some("x") => Some(UpAxis::X),
            Some("y") => Some(UpAxis::Y),
            Some("z") => Some(UpAxis::Z),
            _ => None,
        };
        let options = MeshOptions { scale, up, ..MeshOptions::default() };
        let read = self.library.open(loc.source, file).map_err(|e| e.message).and_then(|(bytes, _)| {
            let format = format.ok_or("its name ends in none of stl, obj, gltf, glb")?;
            read_mesh(&bytes, format, &options).map_err(|e| e.to_string())
        });
        let mesh = match read {
            Ok(mesh) => mesh,
            Err(why) => {
                self.issues.at(loc, path, "cannot be read").found(format!("\"{file}\": {why}"));
                return None;
            }
        };
        let audit = MeshAudit::new(&mesh);
        let errors: Vec<String> = audit.errors().take(3).map(|p| p.to_string()).collect();
        if !errors.is_empty() {
            self.issues
                .at(loc, path, "cannot carry contact")
                .found(format!("\"{file}\": {}", errors.join("; ")));
            return None;
        }
        let warnings: Vec<String> = audit.warnings().take(3).map(|p| p.to_string()).collect();
        if !warnings.is_empty() {
            self.warnings.push(format!("{path}: \"{file}\": {}", warnings.join("; ")));
        }
        Some(mesh)
    }

    /// A mesh ready for contact; the same one where an equal mesh was asked for before.
    pub(super) fn solid(&mut self, record: &Record, mesh: &TriangleMesh) -> Option<Arc<SolidMesh>> {
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
                self.issues.at(record.loc, &record.path, "cannot carry contact").found(problem.to_string());
                None
            }
        }
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
