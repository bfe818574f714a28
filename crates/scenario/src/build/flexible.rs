//! Flexible bodies: forms and materials ⇒ meshes; what carries them; where they touch.

use super::Builder;
use super::flexible_form::Made;
use super::plate_study::rolled;
use super::tree::turned;
use crate::read::{Record, Value};
use crate::unit::{DAMPING, NUMBER, SPEED, STIFFNESS};
use touchdown_math::{Mat3, Pose, Vec3};
use touchdown_sim::description::{FlexCarrier, FlexContactDescription, Flexible, NodalCoordinates};

/// Exponent of Hunt and Crossley, speed of friction (m/s), and time of the tangential spring's damping (s) if none are given.
const EXPONENT: f64 = 1.5;
const FRICTION_SPEED: f64 = 0.01;
const TANGENTIAL_TIME: f64 = 5e-3;

/// Puts in what follows from the laws.
pub(crate) fn fill_flexible(record: &mut Record) {
    record.map_mut("machine").iter_mut().for_each(|machine| fill_flexible(&mut machine.record));
    for form in record.map_mut("flexible_form") {
        let Some(r) = form.record.table_mut("contact") else { continue };
        if let Some(points) = r.count("points") {
            r.fill("points_across", Value::Count(points));
        }
        if r.text("normal_law") == Some("hunt-crossley") {
            r.fill("exponent", Value::Number(EXPONENT, &NUMBER));
        }
        if r.text("friction_law").is_some_and(|law| law != "none") {
            r.fill("friction_speed", Value::Number(FRICTION_SPEED, &SPEED));
        }
        if r.text("friction_law") == Some("stick-slip") {
            if let Some(friction) = r.number("friction") {
                r.fill("friction_min", Value::Number(friction, &NUMBER));
            }
            if let Some(stiffness) = r.number("stiffness") {
                r.fill("tangential_stiffness", Value::Number(stiffness, &STIFFNESS));
            }
            if let Some(stiffness) = r.number("tangential_stiffness") {
                r.fill("tangential_damping", Value::Number(TANGENTIAL_TIME * stiffness, &DAMPING));
            }
        }
    }
}

impl Builder<'_> {
    /// Flexible bodies of every scope; they are called by their own names while only one has any.
    pub fn collect_flexible(&mut self) {
        let with_any = self.scopes.iter().filter(|s| !s.record.map("flexible").is_empty()).count();
        for s in 0..self.scopes.len() {
            let record = self.scopes[s].record;
            for named in record.map("flexible") {
                let prefix = if with_any > 1 { self.scopes[s].prefix.as_str() } else { "" };
                let name = format!("{prefix}{}", named.name);
                self.remember("flexible", &name, &named.record);
                if named.record.flag("rigid") {
                    self.check_rigid_stays(s, &named.record);
                } else if named.record.flag("instead_of_tyres") {
                    self.replace_tyres(s, &named.record);
                } else if let Some(flexible) = self.flexible(s, name, &named.record) {
                    self.flexible.push(flexible);
                }
            }
        }
        // A flexible wheel takes the place of a tyre or wheel on its body.
        let carried: Vec<usize> =
            self.flexible.iter().filter_map(|f| Some(f.carrier.as_ref()?.body)).collect();
        self.tyres.retain(|t| !carried.contains(&t.body));
        self.soil_bodies.retain(|b| b.skin.is_some() || !carried.contains(&b.body));
        // Like wheels read one set of matrices, which then stays in the processor's cache.
        for k in 1..self.flexible.len() {
            let (before, rest) = self.flexible.split_at_mut(k);
            before.iter().for_each(|other| rest[0].mesh.share_forms(&other.mesh));
        }
    }

    /// Something must take the place of a flexible body that is left out.
    fn check_rigid_stays(&mut self, scope: usize, record: &Record) {
        let stays = if record.has("body") {
            let Some(body) = self.moving_body(scope, record) else { return };
            self.tyres.iter().any(|t| t.body == body) || self.soil_bodies.iter().any(|b| b.body == body)
        } else {
            record.flag("instead_of_tyres") && !(self.tyres.is_empty() && self.soil_bodies.is_empty())
        };
        if !stays && self.issues.is_empty() {
            let (loc, path) = (record.loc_of("rigid"), record.path_of("rigid"));
            self.issues.at(loc, path, "leaves nothing that touches").hint("its body needs a tyre or a wheel");
        }
    }

    /// A flexible wheel in the place of every tyre of a machine (of all machines, where the scenario itself asks for it).
    fn replace_tyres(&mut self, scope: usize, record: &Record) {
        let prefix = self.scopes[scope].prefix.clone();
        let bodies = &self.mechanism.bodies;
        let own: Vec<_> =
            self.tyres.iter().filter(|t| bodies[t.body].name.starts_with(&prefix)).cloned().collect();
        if own.is_empty() && self.issues.is_empty() {
            let (loc, path) = (record.loc_of("instead_of_tyres"), record.path_of("instead_of_tyres"));
            self.issues.at(loc, path, "finds no tyres").hint("give body instead, or a machine with tyres");
        }
        for tyre in own {
            let Some((form, form_record)) = self.flexible_form(scope, record) else { return };
            let Some(made) = self.make(&form_record, record, true) else { return };
            if made.wheel.is_none() {
                self.issues.at(record.loc_of("form"), record.path_of("form"), "must be a wheel").found(form);
                return;
            }
            let X_BM = Pose { R: y_onto(&tyre.axis), p: tyre.centre };
            self.keep_rest_of_mass(tyre.body, made.mesh.total_mass());
            if let Some(flexible) =
                self.finish_flexible(tyre.name.clone(), record, &form_record, made, Some((tyre.body, X_BM)))
            {
                self.flexible.push(flexible);
            }
        }
    }

    fn flexible(&mut self, scope: usize, name: String, record: &Record) -> Option<Flexible> {
        let (_, form) = self.flexible_form(scope, record)?;
        let body = if record.has("body") { Some(self.moving_body(scope, record)?) } else { None };
        let made = self.make(&form, record, body.is_some())?;
        let X = Pose { R: turned(record), p: record.vec3("position").unwrap_or_else(Vec3::zeros) };
        if body.is_some() && made.carried.is_empty() {
            let what = "names a body, but nothing is held by it";
            let issue = self.issues.at(record.loc_of("body"), record.path_of("body"), what);
            issue.hint("a plate needs hold, a mesh file ties to a reference node");
            return None;
        }
        if let (Some(body), true) = (body, record.flag("mass_counts")) {
            self.keep_rest_of_mass(body, made.mesh.total_mass());
        }
        self.finish_flexible(name, record, &form, made, body.map(|b| (b, X)))
    }

    /// Takes the mass of a mesh out of the body that carries it.
    fn keep_rest_of_mass(&mut self, body: usize, mass: f64) {
        let body = &mut self.mechanism.bodies[body];
        let rest = (body.mass - mass).max(0.0);
        body.inertia *= if body.mass > 0.0 { rest / body.mass } else { 0.0 };
        body.mass = rest;
    }

    fn finish_flexible(
        &mut self,
        name: String,
        record: &Record,
        form: &Record,
        made: Made,
        on: Option<(usize, Pose)>,
    ) -> Option<Flexible> {
        let in_soil = self.put_into_soil(&name, form, &made, on.as_ref())?;
        let contact = match form.table("contact") {
            None => None,
            Some(_) if in_soil => None,
            Some(table) => {
                let law = self.surface_law(table)?;
                let root = self.scopes[0].record;
                if !root.has("ground") && !root.has("terrain") {
                    self.issues
                        .at(table.loc, &table.path, "needs rigid ground to touch")
                        .hint("add [ground]");
                    return None;
                }
                let count = |key: &str| usize::try_from(table.count(key)?).ok();
                let points = [count("points")?, count("points_across")?];
                let both = |(e, zeta): &(usize, f64)| match table.text("faces") {
                    Some("lower") => vec![(*e, -zeta)],
                    Some("both") => vec![(*e, *zeta), (*e, -zeta)],
                    _ => vec![(*e, *zeta)],
                };
                let faces = match made.wheel {
                    Some(_) => made.faces.clone(),
                    None => made.faces.iter().flat_map(both).collect(),
                };
                Some(FlexContactDescription { faces, points, law })
            }
        };
        let points = self.flexible_points(record, &made)?;
        let shape = match record.number("rolled").filter(|angle| *angle != 0.0) {
            None => None,
            Some(angle) if made.sheet.is_some() && made.carried.is_empty() => {
                Some(rolled(&made.mesh, &self.sheet_form(form)?, angle))
            }
            Some(_) => {
                let (loc, path) = (record.loc_of("rolled"), record.path_of("rolled"));
                self.issues.at(loc, path, "means nothing but for a plate that is free");
                return None;
            }
        };
        let coordinates = match record.text("coordinates") {
            Some("cholesky") => NodalCoordinates::Cholesky,
            _ => NodalCoordinates::Plain,
        };
        Some(Flexible {
            name,
            X_WM: Pose { R: turned(record), p: record.vec3("position").unwrap_or_else(Vec3::zeros) },
            velocity: record.vec3("velocity").unwrap_or_else(Vec3::zeros),
            spin: record.vec3("angular_velocity").unwrap_or_else(Vec3::zeros),
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

    fn flexible_points(&mut self, record: &Record, made: &Made) -> Option<Vec<(String, usize, [f64; 3])>> {
        let mut points = Vec::new();
        for named in record.map("point") {
            let place = named.record.numbers("place")?;
            let at = |k: usize| place.get(k).map_or(0.0, |n| n.0);
            let (element, at) = match (named.record.count("element"), &made.sheet) {
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
                    self.issues.at(named.loc, &named.record.path, "needs element, the number of one");
                    return None;
                }
            };
            if element >= made.mesh.elements().len() {
                let (loc, path) = (named.record.loc_of("element"), named.record.path_of("element"));
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

/// Turns y, the axis of a wheel, onto a unit vector.
fn y_onto(axis: &Vec3) -> Mat3 {
    let across = Vec3::y().cross(axis);
    let turn = if across.norm() > 0.0 { across.normalize() } else { Vec3::x() };
    touchdown_math::rotation::about_axis(&turn, across.norm().atan2(axis.y))
}
