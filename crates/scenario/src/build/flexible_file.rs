//! Flexible bodies from mesh files: our own TOML, and shell meshes of finite-element programs.

use super::Builder;
use super::flexible_form::Made;
use crate::read::Text;
use crate::table::{FlexibleFormKeys, LockingWord, UnitsWord};
use touchdown_math::{Elementary, Vec3};
use touchdown_multibody::flex::FlexError;
use touchdown_multibody::flex::describe::{self, MaterialDescription, MeshDescription};
use touchdown_multibody::flex::import::{MaterialUse, ShellFormat, ShellOptions, Units, read_shell};
use touchdown_multibody::flex::mesh::{FlexMesh, MeshElementKind};
use touchdown_sim::description::FlexWheel;

/// Plates of a mesh file whose corners lie beyond this share of the radius are the tread of a wheel.
const TREAD: f64 = 0.9;

impl Builder<'_> {
    /// What a mesh file describes, turned about the y axis.
    pub(super) fn described(&mut self, form: &FlexibleFormKeys) -> Option<MeshDescription> {
        let Some(file) = &form.file else {
            self.issues.at(form.here.loc, &form.here.path, "needs file, because its type is file");
            return None;
        };
        let bytes = self.library.open(file.loc.source, file).map_err(|e| e.message);
        let text = bytes.and_then(|(bytes, _)| String::from_utf8(bytes).map_err(|_| "it is not text".into()));
        let described = match ShellFormat::of_name(file) {
            Some(format) => text.and_then(|text| self.shell_of(form, file, (format, &text))),
            None => text.and_then(|text| {
                self.means_nothing(form)?;
                toml_edit::de::from_str::<MeshDescription>(&text).map_err(|e| e.to_string())
            }),
        };
        match described {
            Ok(mut described) => {
                described.turn(form.orientation);
                Some(described)
            }
            Err(why) => {
                let found = format!("\"{file}\": {}", why.trim());
                self.issues.at(file.loc, &file.path, "cannot be read").found(found);
                None
            }
        }
    }

    pub(super) fn make_from_file(&mut self, form: &FlexibleFormKeys) -> Option<Result<Made, FlexError>> {
        let described = self.described(form)?;
        let mut hubs: Vec<usize> = described.tie.iter().map(|t| t.to).collect();
        hubs.sort_unstable();
        hubs.dedup();
        let wheel = form.radius.zip(form.width).map(|(radius, width)| FlexWheel {
            radius,
            width,
            centre: Vec3::zeros(),
            axis: Vec3::y(),
            rolling_share: form.rolling_share,
        });
        let mesh = match described.build() {
            Ok(mesh) => mesh,
            Err(problem) => return Some(Err(problem)),
        };
        let faces = tread(&mesh, wheel.as_ref().map(|w| w.radius));
        if wheel.is_some() && faces.is_empty() {
            let what = "makes the mesh a wheel, but none of its plates lies beyond nine tenths of it";
            let (loc, path) =
                (form.here.loc_of(FlexibleFormKeys::radius), form.here.path_of(FlexibleFormKeys::radius));
            self.issues.at(loc, path, what).hint("a wheel turns about the y axis through the mesh's origin");
            return None;
        }
        Some(Ok(Made { faces, carried: hubs, gradients: true, wheel, sheet: None, mesh }))
    }

    /// Keys of shell meshes beside a file that says these things itself.
    fn means_nothing(&self, form: &FlexibleFormKeys) -> Result<(), String> {
        let given = [
            (FlexibleFormKeys::hub.name(), form.hub.is_some()),
            (FlexibleFormKeys::units.name(), form.units.is_some()),
        ];
        let given: Vec<&str> = given.iter().filter(|(_, given)| *given).map(|(name, _)| *name).collect();
        if given.is_empty() {
            return Ok(());
        }
        Err(format!("keys of shell meshes (.inp, .msh, .vtk) mean nothing beside it: {}", given.join(", ")))
    }

    /// The shells of a file of another program.
    fn shell_of(
        &mut self,
        form: &FlexibleFormKeys,
        file: &Text,
        (format, text): (ShellFormat, &str),
    ) -> Result<MeshDescription, String> {
        let locking = match form.locking.unwrap_or(LockingWord::Assumed) {
            LockingWord::None => describe::LockingWord::None,
            LockingWord::Split => describe::LockingWord::Split,
            LockingWord::PlaneStress => describe::LockingWord::PlaneStress,
            LockingWord::Assumed => describe::LockingWord::Assumed,
        };
        let usual = MaterialUse { locking, damping_time_s: form.damping_time };
        let material = match (form.young_modulus, form.density) {
            (None, None) => None,
            (Some(young_modulus_pa), Some(density_kgpm3)) => Some(MaterialDescription {
                young_modulus_pa,
                poisson_ratio: form.poisson_ratio,
                density_kgpm3,
                locking,
                damping_time_s: usual.damping_time_s,
                bulk_viscosity_pas: 0.0,
                shear_viscosity_pas: 0.0,
            }),
            _ => return Err("young_modulus and density go together".into()),
        };
        let units = match form.units {
            Some(UnitsWord::Millimetre) => Units::Millimetre,
            Some(UnitsWord::Metre) | None => Units::Metre,
        };
        let options = ShellOptions {
            units,
            hub: form.hub.as_ref().map(|hub| hub.to_string()),
            thickness: form.thickness,
            material,
            usual,
            outwards: form.radius.is_some(),
        };
        let read = read_shell(format, text, &options).map_err(|e| e.to_string())?;
        if !read.passed_over.is_empty() {
            let all = read.passed_over.join(", ");
            self.warnings.push(format!("{}: \"{file}\" has parts that are not read: {all}", file.path));
        }
        Ok(read.mesh)
    }
}

/// The plates of a mesh that touch: of a wheel those of its tread, otherwise all.
pub(super) fn tread(mesh: &FlexMesh, radius: Option<f64>) -> Vec<(usize, f64)> {
    let touches = |e: &usize| {
        let element = &mesh.elements()[*e];
        let is_tread = |n: &usize| {
            let p = mesh.nodes()[*n].position;
            radius.is_none_or(|radius| p.x.hypotenuse(p.z) >= TREAD * radius)
        };
        matches!(element.kind, MeshElementKind::Plate(..)) && element.nodes.iter().all(is_tread)
    };
    (0..mesh.elements().len()).filter(touches).map(|e| (e, 0.5)).collect()
}
