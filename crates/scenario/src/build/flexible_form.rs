//! Forms of flexible bodies: plates, wheels and mesh files ⇒ meshes.

use super::Builder;
use crate::error::nearest;
use crate::table::{FlexibleFormKeys, FlexibleKeys, FormWord, HoldWord, Key, LockingWord, Words};
use touchdown_math::Vec3;
use touchdown_multibody::flex::FlexError;
use touchdown_multibody::flex::material::{Damping, Locking, Material};
use touchdown_multibody::flex::mesh::{Fix, FlexMesh, MeshBuilder};
use touchdown_multibody::flex::sheet::{Sheet, SheetForm};
use touchdown_multibody::flex::wheel::WheelForm;
use touchdown_sim::description::FlexWheel;

/// A mesh built from a form, with the data that its users need.
pub(super) struct Made {
    pub mesh: FlexMesh,
    /// Nodes fixed to a body, and whether with their gradients.
    pub carried: Vec<usize>,
    pub gradients: bool,
    pub faces: Vec<(usize, f64)>,
    pub wheel: Option<FlexWheel>,
    pub sheet: Option<(Sheet, [usize; 2])>,
}

impl<'a> Builder<'a> {
    /// The form that a flexible body names: from its own machine, else from the scenario.
    pub fn flexible_form(&mut self, scope: usize, keys: &FlexibleKeys) -> Option<&'a FlexibleFormKeys> {
        let wanted = &keys.form;
        let forms = || [scope, 0].into_iter().flat_map(|s| self.scopes[s].parts.flexible_form);
        if let Some(form) = forms().find(|f| f.name == **wanted) {
            return form.keys.as_ref();
        }
        let near = nearest(wanted, forms().map(|f| f.name.as_str())).map(str::to_string);
        let issue = self
            .issues
            .at(wanted.loc, &wanted.path, "names a flexible_form that does not exist")
            .found(format!("\"{wanted}\""));
        issue.hint(near.map_or("add [flexible_form.NAME]".into(), |n| format!("did you mean \"{n}\"?")));
        None
    }

    /// The mesh of a form; `carried` by a body, or fixed in the world as the body's keys state.
    pub(super) fn make(
        &mut self,
        form: &FlexibleFormKeys,
        keys: &FlexibleKeys,
        carried: bool,
    ) -> Option<Made> {
        let made = match form.kind {
            FormWord::Plate => self.make_plate(form, keys.hold, carried)?,
            FormWord::Wheel => self.make_wheel(form)?,
            FormWord::File => self.make_from_file(form)?,
        };
        match made {
            Ok(made) => Some(made),
            Err(problem) => {
                self.issues.at(form.here.loc, &form.here.path, problem);
                None
            }
        }
    }

    /// Values that a type of form requires.
    fn needs_all<const N: usize>(
        &mut self,
        form: &FlexibleFormKeys,
        values: [(Key<FlexibleFormKeys, f64>, Option<f64>); N],
    ) -> Option<[f64; N]> {
        let missing: Vec<&str> =
            values.iter().filter(|(key, _)| !form.here.has(*key)).map(|(key, _)| key.name()).collect();
        if !missing.is_empty() {
            let what = format!("needs {}, because its type is {}", missing.join(", "), form.kind.word());
            self.issues.at(form.here.loc, &form.here.path, what);
            return None;
        }
        let values: Option<Vec<f64>> = values.into_iter().map(|(_, value)| value).collect();
        values?.try_into().ok()
    }

    pub fn material(&mut self, form: &FlexibleFormKeys) -> Option<Material> {
        let [young, density] = self.needs_all(
            form,
            [
                (FlexibleFormKeys::young_modulus, form.young_modulus),
                (FlexibleFormKeys::density, form.density),
            ],
        )?;
        let time = form.damping_time;
        // Elements of a wheel are curved, and few: without a remedy they carry a multiple of what they should.
        let usual = if form.kind == FormWord::Wheel { LockingWord::Assumed } else { LockingWord::None };
        let locking = form.locking.unwrap_or(usual).remedy();
        let damping = if time > 0.0 { Damping::KelvinVoigt { time } } else { Damping::None };
        Some(Material { locking, damping, ..Material::elastic(young, form.poisson_ratio, density) })
    }

    /// Dimensions of a plate.
    pub(super) fn sheet_form(&mut self, form: &FlexibleFormKeys) -> Option<SheetForm> {
        let [length, width, thickness] = self.needs_all(
            form,
            [
                (FlexibleFormKeys::length, form.length),
                (FlexibleFormKeys::width, form.width),
                (FlexibleFormKeys::thickness, form.thickness),
            ],
        )?;
        let elements = [usize::try_from(form.elements_x).ok()?, usize::try_from(form.elements_y).ok()?];
        Some(SheetForm { length, width, thickness, elements })
    }

    fn make_plate(
        &mut self,
        form: &FlexibleFormKeys,
        hold: HoldWord,
        carried: bool,
    ) -> Option<Result<Made, FlexError>> {
        let material = self.material(form)?;
        let form_of_sheet = self.sheet_form(form)?;
        let elements = form_of_sheet.elements;
        Some((|| {
            let mut builder = MeshBuilder::new();
            let material = builder.material(material);
            let sheet = form_of_sheet.add_to(&mut builder, material)?;
            let edge: Vec<usize> = (0..=elements[1]).map(|j| sheet.node(0, j)).collect();
            let (held, gradients) = match hold {
                HoldWord::Edge => (edge, true),
                HoldWord::EdgePosition => (edge, false),
                HoldWord::Corner => (vec![sheet.node(0, 0)], false),
                HoldWord::Nothing => (vec![], true),
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

    fn make_wheel(&mut self, form: &FlexibleFormKeys) -> Option<Result<Made, FlexError>> {
        let material = self.material(form)?;
        let wheel = self.wheel_form(form)?;
        let rolling_share = form.rolling_share;
        Some((|| {
            let (mesh, parts) = wheel.mesh(&material)?;
            let shown = FlexWheel {
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
                wheel: Some(shown),
                sheet: None,
            })
        })())
    }

    /// Dimensions and counts of a wheel.
    pub fn wheel_form(&mut self, form: &FlexibleFormKeys) -> Option<WheelForm> {
        let [radius, width, hub_radius, rim_thickness, spoke_thickness] = self.needs_all(
            form,
            [
                (FlexibleFormKeys::radius, form.radius),
                (FlexibleFormKeys::width, form.width),
                (FlexibleFormKeys::hub_radius, form.hub_radius),
                (FlexibleFormKeys::rim_thickness, form.rim_thickness),
                (FlexibleFormKeys::spoke_thickness, form.spoke_thickness),
            ],
        )?;
        Some(WheelForm {
            radius,
            width,
            hub_radius,
            rim_thickness,
            spoke_thickness,
            elements_per_quadrant: usize::try_from(form.elements_per_quadrant).ok()?,
            elements_per_spoke: form.elements_per_spoke.and_then(|n| usize::try_from(n).ok()),
            elements_across: usize::try_from(form.elements_across).ok()?,
            spokes: usize::try_from(form.spokes).ok()?,
            spoke_sweep: form.spoke_sweep,
            orientation: form.orientation,
        })
    }
}

impl LockingWord {
    /// What it names.
    pub(super) fn remedy(self) -> Locking {
        match self {
            LockingWord::None => Locking::None,
            LockingWord::Split => Locking::Split,
            LockingWord::PlaneStress => Locking::PlaneStress,
            LockingWord::Assumed => Locking::Assumed,
        }
    }
}
