//! Polygonal contact: elastic layers on bodies of revolution, meshes and ground.

use super::Builder;
use super::contact::{PlaceInBody, place_in_body};
use super::names::glob;
use super::parts::Placed;
use super::polygonal_form::{PolygonalForm, refined};
use super::tree::turned;
use crate::read::{Record, Text, Value};
use crate::table::{
    AreaWord, PolygonalFrictionWord, PolygonalKeys, ReferenceWord, ScenarioKeys, SeparationWord, SideKeys,
    Words,
};
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
use touchdown_sim::description::{Ground, InputTarget, PolygonalContact, PolygonalPair, PolygonalSide};

/// Poisson's ratio, and speed of friction (m/s), if none are given.
const POISSON: f64 = 0.3;
const FRICTION_SPEED: f64 = 1e-3;

/// Fills in values that follow from other keys.
pub(crate) fn fill_polygonal(record: &mut Record) {
    for contact in record.map_mut(ScenarioKeys::polygonal) {
        let r = &mut contact.record;
        fill_layer(r);
        if let Some(other) = r.table_mut(PolygonalKeys::other_side) {
            fill_layer(other);
        }
        let friction = r.get(PolygonalKeys::friction);
        let rubs = friction.is_some_and(|friction| friction > 0.0);
        let law = if rubs { PolygonalFrictionWord::StickSlip } else { PolygonalFrictionWord::None };
        r.fill(PolygonalKeys::friction_law, Value::Text(law.word().into()));
        let law = r.get(PolygonalKeys::friction_law).unwrap_or(PolygonalFrictionWord::None);
        if law != PolygonalFrictionWord::None {
            r.fill(PolygonalKeys::friction_speed, Value::Number(FRICTION_SPEED, &SPEED));
        }
        if let (PolygonalFrictionWord::StickSlip, Some(friction)) = (law, friction) {
            r.fill(PolygonalKeys::friction_min, Value::Number(friction, &NUMBER));
        }
    }
}

fn fill_layer(r: &mut Record) {
    if r.has(SideKeys::modulus) {
        r.fill(SideKeys::poisson, Value::Number(POISSON, &NUMBER));
    }
}

/// A side of a contact under construction: its keys, its position, its form (`None` is the ground) and its
/// layer.
struct Described<'a> {
    keys: &'a SideKeys,
    body: BodyRef,
    X_BS: Pose,
    form: Option<PolygonalForm>,
    layer: Layer,
}

impl Builder<'_> {
    /// Polygonal contacts of the scenario.
    pub fn collect_polygonal(&mut self) {
        for named in &self.root.polygonal {
            let Some(keys) = &named.keys else { continue };
            for (name, body) in self.for_each_body(&named.name, keys) {
                self.remember("polygonal", &name, named);
                let contact = self.polygonal_contact(name, &body, keys);
                self.polygonal.extend(contact);
            }
        }
    }

    /// A contact for every body that matches a name with `*`, called NAME_BODY.
    fn for_each_body(&mut self, name: &str, keys: &PolygonalKeys) -> Vec<(String, Text)> {
        let pattern = &keys.body;
        if !pattern.contains('*') {
            return vec![(name.to_string(), pattern.clone())];
        }
        let bodies = self.mechanism.bodies.iter().map(|body| &body.name);
        let bodies: Vec<String> = bodies.filter(|body| glob(pattern, body)).cloned().collect();
        if bodies.is_empty() {
            self.issues.at(pattern.loc, &pattern.path, "matches no body");
        }
        let one = |body: String| {
            let contact = format!("{name}_{}", body.rsplit('/').next().unwrap_or(&body));
            (contact, Text { text: body, ..pattern.clone() })
        };
        bodies.into_iter().map(one).collect()
    }

    fn polygonal_contact(
        &mut self,
        name: String,
        body: &Text,
        keys: &PolygonalKeys,
    ) -> Option<PolygonalContact> {
        let at = self.body_point(0, &PlaceInBody { body, ..place_in_body!(keys, PolygonalKeys) });
        let tells_reference = keys.reference == ReferenceWord::Body;
        let form = self.polygonal_form(&keys.side, !tells_reference);
        let layer = self.layer(&keys.side);
        let other = self.other_described(keys);
        let (at, other) = (at?, other?);
        let X_BS = Pose { R: turned(&keys.turn), p: at.X_BF.p };
        let own = Described { keys: &keys.side, body: at.body, X_BS, form: Some(form?), layer: layer? };
        if own.body == other.body {
            self.issues
                .at(keys.other.loc, &keys.other.path, "is the body itself")
                .hint("name another body, world or ground");
            return None;
        }
        let [faces, reference] = if tells_reference { [&other, &own] } else { [&own, &other] };
        let law = self.polygonal_law(keys, faces, reference)?;
        let pair = self.polygonal_pair(keys, faces, reference, law)?;
        let side = |d: &Described| PolygonalSide {
            body: d.body,
            X_BS: d.X_BS,
            mesh: d.form.as_ref().map_or_else(TriangleMesh::default, PolygonalForm::drawn),
        };
        let sides = [side(faces), side(reference)];
        // The section of the side with the faces must not change; neither can the ground.
        self.opening(faces.keys, false)?;
        let opening = match &reference.form {
            Some(_) => self.opening(reference.keys, true)?,
            None => None,
        };
        if reference.keys.input {
            if opening.is_none() {
                let key = SideKeys::input;
                let (loc, path) = (reference.keys.here.loc_of(key), reference.keys.here.path_of(key));
                self.issues.at(loc, path, "means nothing without opening");
            }
            self.add_opening(&name, self.polygonal.len(), "1/s");
        }
        let threshold = keys.threshold;
        if keys.switch {
            let target = InputTarget::Contact(self.polygonal.len());
            self.add_limited(format!("{name}.on"), target, [0.0, 1.0]);
        }
        let on = keys.on;
        Some(PolygonalContact { name, sides, pair, tells_reference, threshold, opening, on, group: None })
    }

    fn other_described<'k>(&mut self, keys: &'k PolygonalKeys) -> Option<Described<'k>> {
        let body = self.body(0, &keys.other)?;
        match &keys.other_side {
            Some(other) => {
                let form = self.polygonal_form(&other.side, keys.reference == ReferenceWord::Body);
                let layer = self.layer(&other.side);
                let p = other.position.unwrap_or_else(Vec3::zeros);
                let X_BS = Pose { R: turned(&other.turn), p };
                Some(Described { keys: &other.side, body, X_BS, form: Some(form?), layer: layer? })
            }
            None if keys.here.has(PolygonalKeys::other_side) => None,
            None if body.is_none()
                && matches!(self.ground, Some(Ground::Plane { .. } | Ground::Surface(_))) =>
            {
                let X_BS = Pose::identity();
                Some(Described { keys: &keys.side, body, X_BS, form: None, layer: Layer::RIGID })
            }
            None if body.is_none() => {
                let hint = "add [ground], or other = \"world\" with other_side = { disc = \"1 m\" }";
                self.issues.at(keys.here.loc, &keys.here.path, "has nothing to touch").hint(hint);
                None
            }
            None => {
                self.issues
                    .at(keys.other.loc, &keys.other.path, "needs other_side, the form of that body")
                    .hint("other_side = { disc = \"1 m\" }");
                None
            }
        }
    }

    /// The layer of a side; rigid if not given.
    fn layer(&mut self, keys: &SideKeys) -> Option<Layer> {
        let here = &keys.here;
        let mut layer = match (keys.modulus, keys.stiffness) {
            (Some(_), Some(_)) => {
                let key = SideKeys::stiffness;
                self.issues
                    .at(here.loc_of(key), here.path_of(key), "says the same as modulus")
                    .hint("keep one of modulus and stiffness");
                return None;
            }
            (Some(modulus), None) => {
                let Some(depth) = keys.depth else {
                    self.issues.at(here.loc, &here.path, "needs depth, because it has modulus");
                    return None;
                };
                match Layer::from_material(modulus, keys.poisson?, depth) {
                    Ok(layer) => layer,
                    Err(problems) => {
                        self.law_problems(here, &problems);
                        return None;
                    }
                }
            }
            (None, Some(stiffness)) => {
                let depth = keys.depth.unwrap_or(f64::INFINITY);
                Layer { depth, ..Layer::given(stiffness) }
            }
            (None, None) => {
                let useless = [SideKeys::depth, SideKeys::poisson, SideKeys::tangential_stiffness];
                for key in useless.into_iter().filter(|key| here.has(*key)) {
                    let what = "means nothing without modulus or stiffness";
                    self.issues.at(here.loc_of(key), here.path_of(key), what);
                }
                return Some(Layer::RIGID);
            }
        };
        layer.damping = keys.damping;
        layer.shear_damping = keys.tangential_damping;
        if let Some(stiffness) = keys.tangential_stiffness {
            layer.shear_stiffness = stiffness;
        }
        Some(layer)
    }

    fn polygonal_law(
        &mut self,
        keys: &PolygonalKeys,
        faces: &Described,
        reference: &Described,
    ) -> Option<PairLaw> {
        let here = &keys.here;
        if faces.layer == Layer::RIGID && reference.layer == Layer::RIGID {
            self.issues
                .at(here.loc, &here.path, "needs a layer: both sides are rigid")
                .hint("modulus = \"2 MPa\", depth = \"5 mm\", or stiffness_n_per_m3 = 1e9");
            return None;
        }
        let needed = keys.friction_law != PolygonalFrictionWord::None;
        let rubs = keys.friction.is_some_and(|friction| friction > 0.0);
        if needed && !here.has(PolygonalKeys::friction) || !needed && rubs {
            let what = if needed {
                format!("needs friction, because its friction_law is {}", keys.friction_law.word())
            } else {
                "has friction, but its friction_law is none".into()
            };
            self.issues.at(here.loc, &here.path, what);
            return None;
        }
        let friction = match keys.friction_law {
            PolygonalFrictionWord::None => Friction::None,
            PolygonalFrictionWord::StickSlip => Friction::StickSlip {
                stick: keys.friction?,
                slip: keys.friction_min?,
                release_speed: keys.friction_speed?,
            },
            PolygonalFrictionWord::Regularised => {
                Friction::Regularised { coefficient: keys.friction?, speed: keys.friction_speed? }
            }
        };
        match PairLaw::in_series(&faces.layer, &reference.layer, keys.damping_depth, friction) {
            Ok(mut law) => {
                if keys.separation == SeparationWord::Literal {
                    law.separation = Separation::Literal;
                }
                Some(law)
            }
            Err(problems) => {
                self.law_problems(here, &problems);
                None
            }
        }
    }

    pub(super) fn law_problems(&mut self, at: &impl Placed, problems: &[ParameterError]) {
        for problem in problems {
            self.issues.at(at.loc(), at.path(), problem.to_string());
        }
    }

    fn polygonal_pair(
        &mut self,
        keys: &PolygonalKeys,
        faces: &Described,
        reference: &Described,
        law: PairLaw,
    ) -> Option<PolygonalPair> {
        let area_of = match keys.area {
            AreaWord::Reference => AreaOf::Reference,
            AreaWord::Faces => AreaOf::Body,
        };
        let Some(form) = &faces.form else {
            let key = PolygonalKeys::reference;
            let (loc, path) = (keys.here.loc_of(key), keys.here.path_of(key));
            self.issues.at(loc, path, "must be other: ground has no faces");
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
                    let here = &faces.keys.here;
                    self.issues.at(here.loc, &here.path, "cannot carry contact").found(why);
                    None
                }
            };
        }
        let mut own = form.mesh();
        if reference.form.is_none() && faces.keys.edge.is_none() {
            let edge = self.edge_on_ground(&own);
            own = refined(own, edge);
        }
        let mesh = self.solid(&faces.keys.here, &own);
        let other = match &reference.form {
            Some(form) => Reference::Mesh(self.solid(&reference.keys.here, &form.mesh())?),
            None => Reference::Ground(Arc::new(self.ground_surface()?)),
        };
        let mut pair = MeshPair::new(mesh?, other, law);
        pair.area_of = area_of;
        Some(PolygonalPair::Mesh(Box::new(pair)))
    }

    /// Longest edge of triangles with area on ground with peaks, so that a peak below a face meets corners:
    /// half the spacing of a map, an eighth of the body on a formula; no limit on a plane.
    pub(super) fn edge_on_ground(&self, mesh: &TriangleMesh) -> Option<f64> {
        let Some(Ground::Surface(surface)) = &self.ground else { return None };
        match surface.form() {
            HeightForm::Plane { .. } => None,
            HeightForm::Map { raster, .. } => Some(0.5 * raster.spacing()),
            _ => {
                let first = mesh.vertices.first()?;
                let box_of =
                    mesh.vertices.iter().fold([*first; 2], |[low, high], v| [low.inf(v), high.sup(v)]);
                Some((box_of[1] - box_of[0]).max() / 8.0)
            }
        }
    }

    /// The rigid ground as a smooth surface.
    pub(super) fn ground_surface(&self) -> Option<HeightSurface> {
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
