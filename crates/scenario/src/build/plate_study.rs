//! Studies of plates without time: natural frequencies, and an increasing load at the far edge.

use super::Builder;
use crate::table::{FlexibleFormKeys, FlexibleKeys, FormWord, HoldWord, ShellWord, StudyKeys};
use touchdown_math::Elementary;
use touchdown_math::Vec3;
use touchdown_multibody::flex::course::Course;
use touchdown_multibody::flex::material::{Locking, Material};
use touchdown_multibody::flex::mesh::{FlexMesh, Slot};
use touchdown_multibody::flex::quadrature::gauss;
use touchdown_multibody::flex::sheet::SheetForm;
use touchdown_sim::description::Study;
use touchdown_studies::{Modes, ShellCourse, StaticLoad};

/// Points along the edge of an element at which a line load acts: exact for its cubic functions.
const EDGE_POINTS: usize = 3;

impl<'a> Builder<'a> {
    /// The study of natural frequencies.
    pub fn modes(&mut self, keys: &StudyKeys) -> Option<Study> {
        let (flexible, own, form) = self.studied_body(keys)?;
        let count = usize::try_from(keys.count?).ok()?;
        let mut study = Modes { flexible, count, thin_plate: None, beside: Vec::new() };
        if form.kind == FormWord::Plate {
            let (sheet, material) = (self.sheet_form(form)?, self.material(form)?);
            let D = material.young * sheet.thickness.whole_power(3)
                / (12.0 * (1.0 - material.poisson.whole_power(2)));
            let root = (material.density * sheet.thickness / D).sqrt();
            study.thin_plate = Some(std::f64::consts::TAU * sheet.length.whole_power(2) * root);
            let is_free = own.hold == HoldWord::Nothing;
            for (name, locking) in
                [("none", Locking::None), ("split", Locking::Split), ("plane_stress", Locking::PlaneStress)]
            {
                if is_free {
                    study.beside.push((name.into(), sheet, Material { locking, ..material }));
                }
            }
        }
        Some(Study::by(study))
    }

    /// The study of a plate that is clamped at one edge and loaded at the other.
    pub fn static_load(&mut self, keys: &StudyKeys) -> Option<Study> {
        let (flexible, own, form) = self.studied_body(keys)?;
        let held = own.hold != HoldWord::Nothing && own.body.is_none();
        if form.kind != FormWord::Plate || !held {
            self.issues
                .at(
                    own.here.loc,
                    &own.here.path,
                    "must be a plate that is held in the world, because it is loaded",
                )
                .hint("hold = \"edge\"");
            return None;
        }
        let force = Vec3::new(0.0, 0.0, self.needs(keys, StudyKeys::force, keys.force)?);
        let (sheet, material) = (self.sheet_form(form)?, self.material(form)?);
        let [nx, ny] = sheet.elements;
        let at = (0..ny).flat_map(|j| {
            let element = (nx - 1) * ny + j;
            gauss(EDGE_POINTS).into_iter().map(move |(eta, w)| (element, [1.0, eta, 0.0], w / ny as f64))
        });
        let inertia = sheet.width * sheet.thickness.whole_power(3) / 12.0;
        let across = self.flexible[flexible].X_WM.R.column(2).dot(&force).abs();
        let beam = across * sheet.length.whole_power(3) / (3.0 * material.young * inertia);
        let is_beam = own.hold == HoldWord::Edge && across >= (1.0 - 1e-12) * force.norm();
        Some(Study::by(StaticLoad {
            flexible,
            force,
            at: at.collect(),
            rows: usize::try_from(keys.rows?).ok()?,
            beam: is_beam.then_some(beam),
        }))
    }

    /// The study of a curved shell of the literature.
    pub fn shell_course(&mut self, keys: &StudyKeys) -> Option<Study> {
        let shell = match self.needs(keys, StudyKeys::shell, keys.shell)? {
            ShellWord::PinchedCylinder => Course::Cylinder,
            ShellWord::ScordelisLoRoof => Course::Roof,
            ShellWord::HemisphereWithHole => Course::Hemisphere,
        };
        let (elements, locking) = (usize::try_from(keys.elements?).ok()?, keys.locking?.remedy());
        Some(Study::by(ShellCourse { shell, elements, locking }))
    }

    /// Index of the body in question, named or the only one, with its keys and those of its form.
    fn studied_body(&mut self, keys: &StudyKeys) -> Option<(usize, &'a FlexibleKeys, &'a FlexibleFormKeys)> {
        let found = match &keys.flexible {
            Some(name) => self.flexible.iter().position(|f| f.name == **name),
            None if self.flexible.len() == 1 => Some(0),
            None => None,
        };
        let own = found.and_then(|i| {
            let name = &self.flexible[i].name;
            self.root.flexible.iter().find(|f| &f.name == name)
        });
        let (Some(found), Some(own)) = (found, own) else {
            let names: Vec<&str> = self.flexible.iter().map(|f| f.name.as_str()).collect();
            let names = names.join(", ");
            if self.issues.is_empty() {
                let key = StudyKeys::flexible;
                let (loc, path) = (keys.here.loc_of(key), keys.here.path_of(key));
                let issue = self.issues.at(loc, path, "must name a flexible body");
                if names.is_empty() {
                    issue.hint("add [flexible.NAME]")
                } else {
                    issue.allowed(names)
                };
            }
            return None;
        };
        let own = own.keys.as_ref()?;
        let form = self.flexible_form(0, own)?;
        Some((found, own, form))
    }
}

/// A sheet bent along x into an arc of an angle (rad), without stretching, about the normal at its centre:
/// free coordinates.
pub(super) fn rolled(mesh: &FlexMesh, sheet: &SheetForm, angle: f64) -> Vec<f64> {
    let mut q = mesh.reference().to_vec();
    let curvature = angle / sheet.length;
    for node in mesh.nodes() {
        let (sin, cos) = (curvature * (node.position.x - 0.5 * sheet.length)).sine_cosine();
        let (x, z) = (0.5 * sheet.length + sin / curvature, (1.0 - cos) / curvature);
        let vectors = [
            Vec3::new(x, node.position.y, z),
            Vec3::new(cos, 0.0, sin),
            Vec3::y(),
            Vec3::new(-sin, 0.0, cos),
        ];
        for (v, value) in vectors.iter().enumerate().take(node.vectors) {
            for c in 0..3 {
                if let Slot::Free(i) = mesh.slot_of(node.first_vector + v, c) {
                    q[i] = value[c];
                }
            }
        }
    }
    q
}
