//! Flexible bodies: forms and materials ⇒ meshes; the bodies that carry them; their contact.

use super::Builder;
use super::flexible_form::Made;
use super::plate_study::rolled;
use super::surface_law::LawKeys;
use super::tree::turned;
use crate::read::{NamedRecord, Record, Value};
use crate::table::{
    CoordinatesWord, FacesWord, FlexibleContactKeys, FlexibleFormKeys, FlexibleKeys, FlexibleNormalWord,
    FlexiblePointKeys, FrictionWord, MachineKeys, ScenarioKeys,
};
use crate::unit::{AREAL_DAMPING, AREAL_STIFFNESS, NUMBER, SPEED};
use touchdown_contact::soil::SoilShape;
use touchdown_math::{Pose, Vec3, rotation};
use touchdown_sim::description::{FlexCarrier, FlexContactDescription, Flexible, NodalCoordinates, SoilBody};

/// Exponent of Hunt and Crossley, speed of friction (m/s), and damping time of the tangential spring (s) if
/// not given.
const EXPONENT: f64 = 1.5;
const FRICTION_SPEED: f64 = 0.01;
const TANGENTIAL_TIME: f64 = 5e-3;

/// Fills in values that follow from the laws.
pub(crate) fn fill_flexible(record: &mut Record) {
    for machine in record.map_mut(ScenarioKeys::machine) {
        machine.record.map_mut(MachineKeys::flexible_form).iter_mut().for_each(fill_form);
    }
    record.map_mut(ScenarioKeys::flexible_form).iter_mut().for_each(fill_form);
}

fn fill_form(form: &mut NamedRecord) {
    let Some(r) = form.record.table_mut(FlexibleFormKeys::contact) else { return };
    if let Some(points) = r.get(FlexibleContactKeys::points) {
        r.fill(FlexibleContactKeys::points_across, Value::Count(points));
    }
    if r.get(FlexibleContactKeys::normal_law) == Some(FlexibleNormalWord::HuntCrossley) {
        r.fill(FlexibleContactKeys::exponent, Value::Number(EXPONENT, &NUMBER));
    }
    let friction_law = r.get(FlexibleContactKeys::friction_law);
    if friction_law.is_some_and(|law| law != FrictionWord::None) {
        r.fill(FlexibleContactKeys::friction_speed, Value::Number(FRICTION_SPEED, &SPEED));
    }
    if friction_law == Some(FrictionWord::StickSlip) {
        if let Some(friction) = r.get(FlexibleContactKeys::friction) {
            r.fill(FlexibleContactKeys::friction_min, Value::Number(friction, &NUMBER));
        }
        if let Some(stiffness) = r.get(FlexibleContactKeys::stiffness) {
            r.fill(FlexibleContactKeys::tangential_stiffness, Value::Number(stiffness, &AREAL_STIFFNESS));
        }
        if let Some(stiffness) = r.get(FlexibleContactKeys::tangential_stiffness) {
            let damping = Value::Number(TANGENTIAL_TIME * stiffness, &AREAL_DAMPING);
            r.fill(FlexibleContactKeys::tangential_damping, damping);
        }
    }
}

impl Builder<'_> {
    /// Flexible bodies of every scope. Their names have no prefix if only one scope has any.
    pub fn collect_flexible(&mut self) {
        let with_any = self.scopes.iter().filter(|s| !s.parts.flexible.is_empty()).count();
        for s in 0..self.scopes.len() {
            for named in self.scopes[s].parts.flexible {
                let prefix = if with_any > 1 { self.scopes[s].prefix.as_str() } else { "" };
                let name = format!("{prefix}{}", named.name);
                self.remember("flexible", &name, named);
                let Some(keys) = &named.keys else { continue };
                if keys.rigid {
                    self.check_rigid_stays(s, keys);
                } else if keys.instead_of_tyres {
                    self.replace_tyres(s, keys);
                } else if let Some(flexible) = self.flexible(s, name, keys) {
                    self.flexible.push(flexible);
                }
            }
        }
        // A flexible wheel replaces a tyre or wheel on its body.
        let carried: Vec<usize> =
            self.flexible.iter().filter_map(|f| Some(f.carrier.as_ref()?.body)).collect();
        self.tyres.retain(|t| !carried.contains(&t.body));
        self.soil_bodies.retain(|b| b.skin.is_some() || !carried.contains(&b.body));
        // Equal wheels share one set of matrices, which then stays in the processor's cache.
        for k in 1..self.flexible.len() {
            let (before, rest) = self.flexible.split_at_mut(k);
            before.iter().for_each(|other| rest[0].mesh.share_forms(&other.mesh));
        }
    }

    /// If a flexible body is omitted, a tyre or a wheel must take its place.
    fn check_rigid_stays(&mut self, scope: usize, keys: &FlexibleKeys) {
        let stays = if let Some(body) = &keys.body {
            let Some(body) = self.moving_body(scope, body) else { return };
            self.tyres.iter().any(|t| t.body == body) || self.soil_bodies.iter().any(|b| b.body == body)
        } else {
            keys.instead_of_tyres && !(self.tyres.is_empty() && self.soil_bodies.is_empty())
        };
        if !stays && self.issues.is_empty() {
            let (loc, path) = (keys.here.loc_of(FlexibleKeys::rigid), keys.here.path_of(FlexibleKeys::rigid));
            self.issues.at(loc, path, "leaves nothing that touches").hint("its body needs a tyre or a wheel");
        }
    }

    /// What flexible wheels replace: tyres, and in soil rigid wheels; each with the centre of the wheel in
    /// its body and its axis.
    fn replaceable(&self, scope: usize) -> Vec<(String, usize, Pose)> {
        let prefix = &self.scopes[scope].prefix;
        let bodies = &self.mechanism.bodies;
        let own = |body: usize| bodies[body].name.starts_with(prefix);
        let tyres =
            self.tyres.iter().filter(|t| own(t.body)).map(|t| {
                (t.name.clone(), t.body, Pose { R: rotation::onto(&Vec3::y(), &t.axis), p: t.centre })
            });
        let is_wheel = |b: &&SoilBody| matches!(b.surface.shape, SoilShape::Wheel { .. }) && b.skin.is_none();
        let wheels = self.soil_bodies.iter().filter(is_wheel).filter(|b| own(b.body));
        tyres.chain(wheels.map(|b| (b.name.clone(), b.body, b.X_BS))).collect()
    }

    /// Replaces every tyre, or in soil every rigid wheel, of a machine by a flexible wheel (of all machines,
    /// if the scenario itself requests it).
    fn replace_tyres(&mut self, scope: usize, keys: &FlexibleKeys) {
        let own = self.replaceable(scope);
        if own.is_empty() && self.issues.is_empty() {
            let key = FlexibleKeys::instead_of_tyres;
            let (loc, path) = (keys.here.loc_of(key), keys.here.path_of(key));
            self.issues
                .at(loc, path, "finds no tyres")
                .hint("give body instead, or a machine with tyres (on terrain: with wheels)");
        }
        for (name, body, X_BM) in own {
            let Some(form) = self.flexible_form(scope, keys) else { return };
            let Some(made) = self.make(form, keys, true) else { return };
            if made.wheel.is_none() {
                self.issues.at(keys.form.loc, &keys.form.path, "must be a wheel").found(&keys.form);
                return;
            }
            self.keep_rest_of_mass(body, made.mesh.total_mass());
            if let Some(flexible) = self.finish_flexible(name, keys, form, made, Some((body, X_BM))) {
                self.flexible.push(flexible);
            }
        }
    }

    fn flexible(&mut self, scope: usize, name: String, keys: &FlexibleKeys) -> Option<Flexible> {
        let form = self.flexible_form(scope, keys)?;
        let on = match &keys.body {
            Some(body) => Some((body, self.moving_body(scope, body)?)),
            None => None,
        };
        let made = self.make(form, keys, on.is_some())?;
        if let Some((body, _)) = on
            && made.carried.is_empty()
        {
            let what = "names a body, but nothing is held by it";
            let issue = self.issues.at(body.loc, &body.path, what);
            issue.hint("a plate needs hold, a mesh file ties to a reference node");
            return None;
        }
        if let (Some((_, body)), true) = (on, keys.mass_counts) {
            self.keep_rest_of_mass(body, made.mesh.total_mass());
        }
        self.finish_flexible(name, keys, form, made, on.map(|(_, body)| (body, placed(keys))))
    }

    /// Subtracts the mass of a mesh from the body that carries it.
    fn keep_rest_of_mass(&mut self, body: usize, mass: f64) {
        let body = &mut self.mechanism.bodies[body];
        let rest = (body.mass - mass).max(0.0);
        body.inertia *= if body.mass > 0.0 { rest / body.mass } else { 0.0 };
        body.mass = rest;
    }

    fn finish_flexible(
        &mut self,
        name: String,
        keys: &FlexibleKeys,
        form: &FlexibleFormKeys,
        made: Made,
        on: Option<(usize, Pose)>,
    ) -> Option<Flexible> {
        let in_soil = self.put_into_soil(&name, form, &made, on.as_ref())?;
        let contact = match &form.contact {
            Some(contact) if !in_soil => Some(self.flexible_contact(contact, &made)?),
            _ => None,
        };
        let points = self.flexible_points(keys, &made)?;
        let shape = match keys.rolled {
            0.0 => None,
            angle if made.sheet.is_some() && made.carried.is_empty() => {
                Some(rolled(&made.mesh, &self.sheet_form(form)?, angle))
            }
            _ => {
                let key = FlexibleKeys::rolled;
                let (loc, path) = (keys.here.loc_of(key), keys.here.path_of(key));
                self.issues.at(loc, path, "means nothing but for a plate that is free");
                return None;
            }
        };
        let coordinates = match keys.coordinates {
            CoordinatesWord::Cholesky => NodalCoordinates::Cholesky,
            CoordinatesWord::Plain => NodalCoordinates::Plain,
        };
        Some(Flexible {
            name,
            X_WM: placed(keys),
            velocity: keys.velocity.unwrap_or_else(Vec3::zeros),
            spin: keys.angular_velocity.unwrap_or_else(Vec3::zeros),
            carrier: on.map(|(body, X_BM)| FlexCarrier {
                body,
                X_BM,
                nodes: made.carried,
                gradients: made.gradients,
            }),
            shape,
            coordinates,
            contact,
            wheel: made.wheel,
            points,
            mesh: made.mesh,
        })
    }

    /// Points on the faces that touch rigid ground.
    fn flexible_contact(
        &mut self,
        keys: &FlexibleContactKeys,
        made: &Made,
    ) -> Option<FlexContactDescription> {
        let law = self.surface_law(&LawKeys::from(keys))?;
        if self.root.ground.is_none() && self.root.terrain.is_none() {
            self.issues
                .at(keys.here.loc, &keys.here.path, "needs rigid ground to touch")
                .hint("add [ground]");
            return None;
        }
        let points = [usize::try_from(keys.points).ok()?, usize::try_from(keys.points_across).ok()?];
        let touching = |(e, zeta): &(usize, f64)| match keys.faces {
            FacesWord::Outer => vec![(*e, *zeta)],
            FacesWord::Lower => vec![(*e, -zeta)],
            FacesWord::Both => vec![(*e, *zeta), (*e, -zeta)],
        };
        let faces = match made.wheel {
            Some(_) => made.faces.clone(),
            None => made.faces.iter().flat_map(touching).collect(),
        };
        Some(FlexContactDescription { faces, points, law })
    }

    fn flexible_points(
        &mut self,
        keys: &FlexibleKeys,
        made: &Made,
    ) -> Option<Vec<(String, usize, [f64; 3])>> {
        let mut points = Vec::new();
        for named in &keys.point {
            let point = named.keys.as_ref()?;
            let at = |k: usize| point.place.get(k).copied().unwrap_or(0.0);
            let (element, at) = match (point.element, &made.sheet) {
                (Some(element), _) => (usize::try_from(element).ok()?, [at(0), at(1), at(2)]),
                (None, Some((sheet, counts))) => {
                    let cell = |share: f64, n: usize| {
                        let i = ((share * n as f64) as usize).min(n - 1);
                        (i, share * n as f64 - i as f64)
                    };
                    let ((i, xi), (j, eta)) =
                        (cell(at(0).max(0.0), counts[0]), cell(at(1).max(0.0), counts[1]));
                    (sheet.plate(i, j), [xi, eta, at(2)])
                }
                (None, None) => {
                    self.issues.at(named.loc, &named.path, "needs element, the number of one");
                    return None;
                }
            };
            if element >= made.mesh.elements().len() {
                let key = FlexiblePointKeys::element;
                let (loc, path) = (point.here.loc_of(key), point.here.path_of(key));
                self.issues
                    .at(loc, path, "does not exist")
                    .found(element)
                    .allowed(format!("0 to {}", made.mesh.elements().len() - 1));
                return None;
            }
            points.push((named.name.clone(), element, at));
        }
        Some(points)
    }
}

/// The form's frame according to the keys.
fn placed(keys: &FlexibleKeys) -> Pose {
    Pose { R: turned(&keys.turn), p: keys.position.unwrap_or_else(Vec3::zeros) }
}
