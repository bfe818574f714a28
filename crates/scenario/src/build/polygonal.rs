//! Polygonal contact: elastic layers on bodies of revolution, meshes and ground.

use super::Builder;
use super::names::glob;
use super::polygonal_form::PolygonalForm;
use super::tree::turned;
use crate::read::{NamedRecord, Record, Value};
use crate::unit::{NUMBER, SPEED};
use std::sync::Arc;
use touchdown_contact::polygonal::mesh::{MeshPair, Reference};
use touchdown_contact::polygonal::{
    AreaOf, Faces, Friction, Layer, PairLaw, ParameterError, RevolutionPair, Separation,
};
use touchdown_geometry::TriangleMesh;
use touchdown_geometry::surface::{HeightForm, HeightSurface};
use touchdown_math::{Pose, Vec3};
use touchdown_multibody::description::BodyRef;
use touchdown_sim::description::{Ground, PolygonalContact, PolygonalPair, PolygonalSide};

/// Poisson's ratio, and speed of friction (m/s), if none are given.
const POISSON: f64 = 0.3;
const FRICTION_SPEED: f64 = 1e-3;

/// Puts in what follows from other keys.
pub(crate) fn fill_polygonal(record: &mut Record) {
    for contact in record.map_mut("polygonal") {
        let r = &mut contact.record;
        fill_layer(r);
        if let Some(other) = r.table_mut("other_side") {
            fill_layer(other);
        }
        let rubs = r.number("friction").is_some_and(|friction| friction > 0.0);
        let law = if rubs { "stick-slip" } else { "none" };
        r.fill("friction_law", Value::Text(law.into()));
        let law = r.text("friction_law").unwrap_or("none").to_string();
        if law != "none" {
            r.fill("friction_speed", Value::Number(FRICTION_SPEED, &SPEED));
        }
        if law == "stick-slip"
            && let Some(friction) = r.number("friction")
        {
            r.fill("friction_min", Value::Number(friction, &NUMBER));
        }
    }
}

fn fill_layer(r: &mut Record) {
    if r.has("modulus") {
        r.fill("poisson", Value::Number(POISSON, &NUMBER));
    }
}

/// A side on its way to a contact: its record, where it is, its form (none is the ground) and its layer.
struct Described<'a> {
    record: &'a Record,
    body: BodyRef,
    X_BS: Pose,
    form: Option<PolygonalForm>,
    layer: Layer,
}

impl Builder<'_> {
    /// Polygonal contacts of the scenario.
    pub fn collect_polygonal(&mut self) {
        let record = self.scopes[0].record;
        for named in record.map("polygonal") {
            for (name, record) in self.for_each_body(named) {
                self.remember("polygonal", &name, &record);
                if let Some(contact) = self.polygonal_contact(name, &record) {
                    self.polygonal.push(contact);
                }
            }
        }
    }

    /// A contact for every body that a name with `*` stands for, called NAME_BODY.
    fn for_each_body(&mut self, named: &NamedRecord) -> Vec<(String, Record)> {
        let record = &named.record;
        let Some(pattern) = record.text("body").filter(|text| text.contains('*')) else {
            return vec![(named.name.clone(), record.clone())];
        };
        let bodies: Vec<String> =
            self.mechanism.bodies.iter().map(|b| b.name.clone()).filter(|name| glob(pattern, name)).collect();
        if bodies.is_empty() {
            self.issues.at(record.loc_of("body"), record.path_of("body"), "matches no body");
        }
        let one = |body: String| {
            let mut record = record.clone();
            if let Some(item) = record.items.get_mut("body") {
                item.value = Some(Value::Text(body.clone()));
            }
            (format!("{}_{}", named.name, body.rsplit('/').next().unwrap_or(&body)), record)
        };
        bodies.into_iter().map(one).collect()
    }

    fn polygonal_contact(&mut self, name: String, record: &Record) -> Option<PolygonalContact> {
        let at = self.body_point(0, record);
        let tells_reference = record.text("reference")? == "body";
        let form = self.polygonal_form(record, !tells_reference);
        let layer = self.layer(record);
        let other = self.other_described(record);
        let (at, other) = (at?, other?);
        let X_BS = Pose { R: turned(record), p: at.X_BF.p };
        let own = Described { record, body: at.body, X_BS, form: Some(form?), layer: layer? };
        if own.body == other.body {
            let (loc, path) = (record.loc_of("other"), record.path_of("other"));
            self.issues.at(loc, path, "is the body itself").hint("name another body, world or ground");
            return None;
        }
        let [faces, reference] = if tells_reference { [&other, &own] } else { [&own, &other] };
        let law = self.polygonal_law(record, faces, reference)?;
        let pair = self.polygonal_pair(record, faces, reference, law)?;
        let side = |d: &Described| PolygonalSide {
            body: d.body,
            X_BS: d.X_BS,
            mesh: d.form.as_ref().map_or_else(TriangleMesh::default, PolygonalForm::drawn),
        };
        let sides = [side(faces), side(reference)];
        let threshold = record.number("threshold")?;
        // What carries the faces does not change; neither does the ground.
        self.opening(faces.record, false)?;
        let opening = match &reference.form {
            Some(_) => self.opening(reference.record, true)?,
            None => None,
        };
        Some(PolygonalContact { name, sides, pair, tells_reference, threshold, opening, group: None })
    }

    fn other_described<'r>(&mut self, record: &'r Record) -> Option<Described<'r>> {
        let (loc, path) = (record.loc_of("other"), record.path_of("other"));
        let body = self.body(0, record.text("other")?, loc, &path)?;
        match record.table("other_side") {
            Some(table) => {
                let carries = record.text("reference") == Some("body");
                let form = self.polygonal_form(table, carries);
                let layer = self.layer(table);
                let p = table.vec3("position").unwrap_or_else(Vec3::zeros);
                let X_BS = Pose { R: turned(table), p };
                Some(Described { record: table, body, X_BS, form: Some(form?), layer: layer? })
            }
            None if body.is_none()
                && matches!(self.ground, Some(Ground::Plane { .. } | Ground::Surface(_))) =>
            {
                Some(Described { record, body, X_BS: Pose::identity(), form: None, layer: Layer::RIGID })
            }
            None if body.is_none() => {
                let hint = "add [ground], or other = \"world\" with other_side = { disc = \"1 m\" }";
                self.issues.at(record.loc, &record.path, "has nothing to touch").hint(hint);
                None
            }
            None => {
                let what = "needs other_side, the form of that body";
                self.issues.at(loc, path, what).hint("other_side = { disc = \"1 m\" }");
                None
            }
        }
    }

    /// The layer of a side; rigid where none is given.
    fn layer(&mut self, record: &Record) -> Option<Layer> {
        let mut layer = match (record.number("modulus"), record.number("stiffness")) {
            (Some(_), Some(_)) => {
                let (loc, path) = (record.loc_of("stiffness"), record.path_of("stiffness"));
                self.issues
                    .at(loc, path, "says the same as modulus")
                    .hint("keep one of modulus and stiffness");
                return None;
            }
            (Some(modulus), None) => {
                let Some(depth) = record.number("depth") else {
                    self.issues.at(record.loc, &record.path, "needs depth, because it has modulus");
                    return None;
                };
                match Layer::from_material(modulus, record.number("poisson")?, depth) {
                    Ok(layer) => layer,
                    Err(problems) => {
                        self.law_problems(record, &problems);
                        return None;
                    }
                }
            }
            (None, Some(stiffness)) => {
                let depth = record.number("depth").unwrap_or(f64::INFINITY);
                Layer { depth, ..Layer::given(stiffness) }
            }
            (None, None) => {
                for key in ["depth", "poisson", "tangential_stiffness"] {
                    if record.has(key) {
                        let what = "means nothing without modulus or stiffness";
                        self.issues.at(record.loc_of(key), record.path_of(key), what);
                    }
                }
                return Some(Layer::RIGID);
            }
        };
        layer.damping = record.number("damping")?;
        layer.shear_damping = record.number("tangential_damping")?;
        if let Some(stiffness) = record.number("tangential_stiffness") {
            layer.shear_stiffness = stiffness;
        }
        Some(layer)
    }

    fn polygonal_law(
        &mut self,
        record: &Record,
        faces: &Described,
        reference: &Described,
    ) -> Option<PairLaw> {
        if faces.layer == Layer::RIGID && reference.layer == Layer::RIGID {
            self.issues
                .at(record.loc, &record.path, "needs a layer: both sides are rigid")
                .hint("modulus = \"2 MPa\", depth = \"5 mm\", or stiffness_n_per_m3 = 1e9");
            return None;
        }
        let friction_law = record.text("friction_law")?;
        let needed = friction_law != "none";
        let rubs = record.number("friction").is_some_and(|friction| friction > 0.0);
        if needed && !record.has("friction") || !needed && rubs {
            let what = if needed {
                format!("needs friction, because its friction_law is {friction_law}")
            } else {
                "has friction, but its friction_law is none".into()
            };
            self.issues.at(record.loc, &record.path, what);
            return None;
        }
        let friction = match friction_law {
            "none" => Friction::None,
            "stick-slip" => Friction::StickSlip {
                stick: record.number("friction")?,
                slip: record.number("friction_min")?,
                release_speed: record.number("friction_speed")?,
            },
            _ => Friction::Regularised {
                coefficient: record.number("friction")?,
                speed: record.number("friction_speed")?,
            },
        };
        match PairLaw::in_series(&faces.layer, &reference.layer, record.number("damping_depth")?, friction) {
            Ok(mut law) => {
                if record.text("separation") == Some("literal") {
                    law.separation = Separation::Literal;
                }
                Some(law)
            }
            Err(problems) => {
                self.law_problems(record, &problems);
                None
            }
        }
    }

    fn law_problems(&mut self, record: &Record, problems: &[ParameterError]) {
        for problem in problems {
            self.issues.at(record.loc, &record.path, problem.to_string());
        }
    }

    fn polygonal_pair(
        &mut self,
        record: &Record,
        faces: &Described,
        reference: &Described,
        law: PairLaw,
    ) -> Option<PolygonalPair> {
        let area_of = if record.text("area")? == "reference" { AreaOf::Reference } else { AreaOf::Body };
        let Some(form) = &faces.form else {
            self.issues.at(
                record.loc_of("reference"),
                record.path_of("reference"),
                "must be other: ground has no faces",
            );
            return None;
        };
        if let Some(PolygonalForm::Revolved { section, .. }) = &reference.form {
            let made = match form {
                PolygonalForm::Revolved { section, segments } => {
                    Faces::revolved(&section.mesh(&section.resolution(*segments)))
                }
                PolygonalForm::Mesh(mesh) => Faces::new(mesh, None, None),
            };
            let made = made.map_err(|problem| problem.to_string()).and_then(|faces| {
                RevolutionPair::new(faces, (**section).clone(), law).map_err(|problems| {
                    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
                })
            });
            return match made {
                Ok(mut pair) => {
                    pair.area_of = area_of;
                    Some(PolygonalPair::Revolution(Box::new(pair)))
                }
                Err(why) => {
                    self.issues.at(faces.record.loc, &faces.record.path, "cannot carry contact").found(why);
                    None
                }
            };
        }
        let mesh = self.solid(faces.record, &form.mesh());
        let other = match &reference.form {
            Some(form) => Reference::Mesh(self.solid(reference.record, &form.mesh())?),
            None => Reference::Ground(Arc::new(self.ground_surface()?)),
        };
        let mut pair = MeshPair::new(mesh?, other, law);
        pair.area_of = area_of;
        Some(PolygonalPair::Mesh(Box::new(pair)))
    }

    /// The rigid ground as a smooth surface.
    fn ground_surface(&self) -> Option<HeightSurface> {
        match self.ground.as_ref()? {
            Ground::Surface(surface) => Some((**surface).clone()),
            Ground::Plane { point, normal } if normal.z > 0.0 => {
                let gradient = [-normal.x / normal.z, -normal.y / normal.z];
                let height = point.z - gradient[0] * point.x - gradient[1] * point.y;
                Some(HeightSurface::new(HeightForm::Plane { height, gradient }))
            }
            _ => None,
        }
    }
}
