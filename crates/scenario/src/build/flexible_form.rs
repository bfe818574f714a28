//! Forms of flexible bodies: plates, wheels and mesh files ⇒ meshes.

use super::Builder;
use crate::read::Record;
use touchdown_math::Vec3;
use touchdown_multibody::flex::FlexError;
use touchdown_multibody::flex::describe::MeshDescription;
use touchdown_multibody::flex::material::{Damping, Locking, Material};
use touchdown_multibody::flex::mesh::{ElementKind, Fix, FlexMesh, MeshBuilder};
use touchdown_multibody::flex::sheet::{Sheet, SheetForm};
use touchdown_multibody::flex::wheel::WheelForm;
use touchdown_sim::description::FlexWheel;

/// A mesh that was built from a form, with what its users need to know.
pub(super) struct Made {
    pub mesh: FlexMesh,
    /// Nodes that a body carries, and whether with their gradients.
    pub carried: Vec<usize>,
    pub gradients: bool,
    pub faces: Vec<(usize, f64)>,
    pub wheel: Option<FlexWheel>,
    pub sheet: Option<(Sheet, [usize; 2])>,
}

impl Builder<'_> {
    pub fn flexible_form(&mut self, scope: usize, record: &Record) -> Option<(String, Record)> {
        let wanted = record.text("form")?.to_string();
        let forms = || [scope, 0].into_iter().flat_map(|s| self.scopes[s].record.map("flexible_form"));
        if let Some(form) = forms().find(|f| f.name == wanted) {
            return Some((wanted, form.record.clone()));
        }
        let near = crate::error::nearest(&wanted, forms().map(|f| f.name.as_str())).map(str::to_string);
        let (loc, path) = (record.loc_of("form"), record.path_of("form"));
        let issue = self
            .issues
            .at(loc, path, "names a flexible_form that does not exist")
            .found(format!("\"{wanted}\""));
        issue.hint(near.map_or("add [flexible_form.NAME]".into(), |n| format!("did you mean \"{n}\"?")));
        None
    }

    /// The mesh of a form; `carried` by a body, or held in the world as the body's record says.
    pub(super) fn make(&mut self, form: &Record, record: &Record, carried: bool) -> Option<Made> {
        let made = match form.text("type")? {
            "plate" => self.make_plate(form, record, carried)?,
            "wheel" => self.make_wheel(form)?,
            _ => self.make_from_file(form)?,
        };
        match made {
            Ok(made) => Some(made),
            Err(problem) => {
                self.issues.at(form.loc, &form.path, problem);
                None
            }
        }
    }

    /// Keys that a type of form needs.
    fn needs_all(&mut self, form: &Record, keys: &[&str]) -> Option<()> {
        let missing: Vec<&str> = keys.iter().copied().filter(|k| form.number(k).is_none()).collect();
        if missing.is_empty() {
            return Some(());
        }
        let what =
            format!("needs {}, because its type is {}", missing.join(", "), form.text("type").unwrap_or("?"));
        self.issues.at(form.loc, &form.path, what);
        None
    }

    pub fn material(&mut self, form: &Record) -> Option<Material> {
        self.needs_all(form, &["young_modulus", "density"])?;
        let time = form.number("damping_time")?;
        let locking = match form.text("locking")? {
            "split" => Locking::Split,
            "plane-stress" => Locking::PlaneStress,
            _ => Locking::None,
        };
        let damping = if time > 0.0 { Damping::KelvinVoigt { time } } else { Damping::None };
        let bare = Material::elastic(
            form.number("young_modulus")?,
            form.number("poisson_ratio")?,
            form.number("density")?,
        );
        Some(Material { locking, damping, ..bare })
    }

    /// Sizes of a plate.
    pub(super) fn sheet_form(&mut self, form: &Record) -> Option<SheetForm> {
        self.needs_all(form, &["length", "width", "thickness"])?;
        Some(SheetForm {
            length: form.number("length")?,
            width: form.number("width")?,
            thickness: form.number("thickness")?,
            elements: [
                usize::try_from(form.count("elements_x")?).ok()?,
                usize::try_from(form.count("elements_y")?).ok()?,
            ],
        })
    }

    fn make_plate(
        &mut self,
        form: &Record,
        record: &Record,
        carried: bool,
    ) -> Option<Result<Made, FlexError>> {
        let material = self.material(form)?;
        let form_of_sheet = self.sheet_form(form)?;
        let elements = form_of_sheet.elements;
        let hold = record.text("hold")?.to_string();
        Some((|| {
            let mut builder = MeshBuilder::new();
            let material = builder.material(material);
            let sheet = form_of_sheet.add_to(&mut builder, material)?;
            let edge: Vec<usize> = (0..=elements[1]).map(|j| sheet.node(0, j)).collect();
            let (held, gradients) = match hold.as_str() {
                "edge" => (edge, true),
                "edge-position" => (edge, false),
                "corner" => (vec![sheet.node(0, 0)], false),
                _ => (vec![], true),
            };
            if !carried {
                let fix = if gradients { Fix::All } else { Fix::Position };
                held.iter().for_each(|n| builder.fix(*n, fix));
            }
            let mesh = builder.build()?;
            let faces = (0..mesh.elements().len()).map(|e| (e, 0.5)).collect();
            Ok(Made { mesh, carried: held, gradients, faces, wheel: None, sheet: Some((sheet, elements)) })
        })())
    }

    fn make_wheel(&mut self, form: &Record) -> Option<Result<Made, FlexError>> {
        let material = self.material(form)?;
        let wheel = self.wheel_form(form)?;
        let rolling_share = form.number("rolling_share")?;
        Some((|| {
            let (mesh, parts) = wheel.mesh(&material)?;
            let told = FlexWheel {
                radius: wheel.radius,
                width: wheel.width,
                centre: Vec3::zeros(),
                axis: Vec3::y(),
                rolling_share,
            };
            let faces = parts.rim.iter().map(|e| (*e, 0.5)).collect();
            Ok(Made {
                mesh,
                carried: vec![parts.hub],
                gradients: true,
                faces,
                wheel: Some(told),
                sheet: None,
            })
        })())
    }

    /// Sizes and counts of a wheel.
    pub fn wheel_form(&mut self, form: &Record) -> Option<WheelForm> {
        self.needs_all(form, &["radius", "width", "hub_radius", "rim_thickness", "spoke_thickness"])?;
        let count = |key: &str| usize::try_from(form.count(key)?).ok();
        Some(WheelForm {
            radius: form.number("radius")?,
            width: form.number("width")?,
            hub_radius: form.number("hub_radius")?,
            rim_thickness: form.number("rim_thickness")?,
            spoke_thickness: form.number("spoke_thickness")?,
            elements_per_quadrant: count("elements_per_quadrant")?,
            elements_across: count("elements_across")?,
            spokes: count("spokes")?,
            orientation: form.number("orientation")?,
        })
    }

    fn make_from_file(&mut self, form: &Record) -> Option<Result<Made, FlexError>> {
        let Some(file) = form.text("file") else {
            self.issues.at(form.loc, &form.path, "needs file, because its type is file");
            return None;
        };
        let loc = form.loc_of("file");
        let bytes = self.library.open(loc.source, file).map_err(|e| e.message);
        let text = bytes.and_then(|(bytes, _)| String::from_utf8(bytes).map_err(|_| "it is not text".into()));
        let described = text
            .and_then(|text| toml_edit::de::from_str::<MeshDescription>(&text).map_err(|e| e.to_string()));
        let described = match described {
            Ok(described) => described,
            Err(why) => {
                let found = format!("\"{file}\": {}", why.trim());
                self.issues.at(loc, form.path_of("file"), "cannot be read").found(found);
                return None;
            }
        };
        let mut hubs: Vec<usize> = described.tie.iter().map(|t| t.to).collect();
        hubs.sort_unstable();
        hubs.dedup();
        Some(described.build().map(|mesh| {
            let is_plate = |e: &usize| matches!(mesh.elements()[*e].kind, ElementKind::Plate(..));
            let faces = (0..mesh.elements().len()).filter(is_plate).map(|e| (e, 0.5)).collect();
            Made { faces, carried: hubs, gradients: true, wheel: None, sheet: None, mesh }
        }))
    }
}
