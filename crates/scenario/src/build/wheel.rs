//! What touches soil: wheels and other surfaces, the vehicles that they make up, and how high these stand at the start.

use super::Builder;
use super::feet_grid::{feet_leave_terrain, feet_on_grid};
use super::tree::turned;
use crate::read::{NamedRecord, Record};
use touchdown_contact::soil::{Grousers, SoilShape, SoilSurface};
use touchdown_geometry::{Relief, Shape};
use touchdown_math::{Mat3, Pose, Vec3, rotation};
use touchdown_multibody::description::JointKind;
use touchdown_sim::description::{SoilBody, Vehicle};

/// Triangles around a full circle of a cylinder or sphere that touches soil: chords within 0.1 % of the radius.
const SEGMENTS: u32 = 72;

impl Builder<'_> {
    /// Wheels and other surfaces of every scope; they are called by their own names while only one machine has any.
    pub fn collect_soil_bodies(&mut self) {
        let keys = ["wheel", "soil_contact"];
        let touches = |record: &Record| keys.iter().any(|k| !record.map(k).is_empty());
        let with_any = self.scopes.iter().filter(|s| touches(s.record)).count();
        for s in 0..self.scopes.len() {
            let record = self.scopes[s].record;
            let prefix = if with_any > 1 { self.scopes[s].prefix.clone() } else { String::new() };
            for (key, named) in keys.iter().flat_map(|k| record.map(k).iter().map(move |n| (*k, n))) {
                self.soil_body(s, key, &prefix, named);
            }
        }
        self.check_surface_touched();
    }

    fn soil_body(&mut self, scope: usize, key: &str, prefix: &str, named: &NamedRecord) {
        let name = format!("{prefix}{}", named.name);
        self.remember(key, &name, &named.record);
        if self.soil_bodies.iter().any(|b| b.name == name) {
            self.issues.at(named.loc, &named.record.path, "has the name of another body that touches soil");
        }
        let made = match key {
            "wheel" => self.wheel(scope, &named.record),
            _ => self.soil_contact(scope, &named.record),
        };
        if let Some((body, X_BS, surface)) = made {
            self.soil_bodies.push(SoilBody { name, body, X_BS, surface, skin: None });
        }
    }

    fn wheel(&mut self, scope: usize, record: &Record) -> Option<(usize, Pose, SoilSurface)> {
        let body = self.moving_body(scope, record)?;
        let grousers = record.table("grousers").and_then(|table| {
            Some(Grousers {
                count: u32::try_from(table.count("count")?).ok()?,
                height: table.number("height")?,
                thickness: table.number("thickness")?,
            })
        });
        let carried_layer = record.number("carried_layer").or(grousers.map(|g| g.height)).unwrap_or(0.0);
        let X_BS = Pose { R: y_onto(&record.vec3("axis")?), p: record.vec3("centre")? };
        let (radius, width) = (record.number("radius")?, record.number("width")?);
        Some((
            body,
            X_BS,
            SoilSurface { shape: SoilShape::Wheel { radius, width, grousers }, carried_layer, bedded: false },
        ))
    }

    fn soil_contact(&mut self, scope: usize, record: &Record) -> Option<(usize, Pose, SoilSurface)> {
        let body = self.moving_body(scope, record);
        let shape = self.form(record);
        let at = self.body_point(scope, record);
        let X_BS = Pose { R: turned(record), p: at?.X_BF.p };
        let shape = SoilShape::Mesh(shape?.triangulate(SEGMENTS));
        Some((
            body?,
            X_BS,
            SoilSurface { shape, carried_layer: record.number("carried_layer")?, bedded: false },
        ))
    }

    /// The body of a record, which must not be the world.
    pub fn moving_body(&mut self, scope: usize, record: &Record) -> Option<usize> {
        let (loc, path) = (record.loc_of("body"), record.path_of("body"));
        let body = self.body(scope, record.text("body")?, loc, &path)?;
        if body.is_none() {
            self.issues.at(loc, path, "cannot be the world");
        }
        body
    }

    /// Tyres roll on ground, wheels in soil; what the surface has no use for is left out.
    fn check_surface_touched(&mut self) {
        let record = self.scopes[0].record;
        let ground = record.has("ground");
        let terrain = record.table("terrain").filter(|_| !feet_leave_terrain(record));
        if let Some(terrain) = terrain {
            self.tyres.clear();
            let pressed = record.table("study").is_some_and(|s| s.text("kind") == Some("wheel-press"));
            let feet = feet_on_grid(record);
            let touched = !self.soil_bodies.is_empty() || !terrain.map("heap").is_empty() || pressed || feet;
            if !touched && self.issues.is_empty() {
                self.issues
                    .at(terrain.loc, &terrain.path, "has nothing that touches it")
                    .hint("add [wheel.NAME] or [soil_contact.NAME] to a body, or [terrain.heap.NAME]");
            }
            return;
        }
        if !ground && !record.map("polygonal").is_empty() {
            // Its wheels touch by polygonal contact.
            self.tyres.clear();
            self.soil_bodies.clear();
            return;
        }
        let first = |keys: &[&str]| {
            let of = |s: &super::Scope<'_>| keys.iter().find_map(|k| s.record.map(k).first().cloned());
            self.scopes.iter().find_map(of)
        };
        let (tyre, sinking) = (first(&["tyre"]), first(&["wheel", "soil_contact"]));
        match (tyre, sinking) {
            (Some(tyre), _) if !ground => {
                let issue = self.issues.at(tyre.loc, &tyre.record.path, "needs a ground to roll on");
                issue.hint("add [ground]");
            }
            (None, Some(sinking)) if !ground => {
                let issue = self.issues.at(sinking.loc, &sinking.record.path, "needs soil to touch");
                issue.hint("add [terrain]");
            }
            (None, Some(sinking)) => self.warnings.push(format!(
                "{} touches soil only, and falls through plane ground; [terrain] would hold it",
                sinking.record.path
            )),
            _ => {}
        }
        self.soil_bodies.clear();
    }

    /// A grid coarser than a wheel cannot see it.
    pub fn check_spacing(&mut self) {
        let Some(terrain) = self.scopes[0].record.table("terrain") else { return };
        let Some(spacing) = terrain.number("spacing") else { return };
        for body in &self.soil_bodies {
            let size = match &body.surface.shape {
                SoilShape::Wheel { radius, width, .. } => radius.min(*width),
                SoilShape::Mesh(mesh) => crate::mesh::extent(&mesh.vertices),
            };
            if spacing > size {
                self.issues
                    .at(
                        terrain.loc_of("spacing"),
                        terrain.path_of("spacing"),
                        format!("is larger than {}", body.name),
                    )
                    .found(format!("{spacing} m against {size} m"))
                    .hint("a tenth of the wheel's radius or less sees its contact; spacing = \"10 mm\"");
            }
        }
    }

    /// Machines on soil wheels: named after the machine, moving with the body on their free joint.
    pub fn vehicles(&self) -> Vec<Vehicle> {
        let mut vehicles = Vec::new();
        for (s, scope) in self.scopes.iter().enumerate().skip(1) {
            let mine = |b: &&SoilBody| {
                self.scope_of_body[b.body] == s && matches!(b.surface.shape, SoilShape::Wheel { .. })
            };
            let wheels: Vec<usize> =
                self.soil_bodies.iter().enumerate().filter(|(_, b)| mine(b)).map(|(i, _)| i).collect();
            let free = self.mechanism.joints.iter().find(|j| {
                j.kind == JointKind::Free && j.parent.is_none() && self.scope_of_body[j.child] == s
            });
            if let (Some(joint), false) = (free, wheels.is_empty()) {
                let name = scope.prefix.trim_end_matches('/').to_string();
                vehicles.push(Vehicle { name, body: joint.child, wheels });
            }
        }
        vehicles
    }

    /// Gap between undisturbed soil and the lowest body of a machine in its initial position, along the surface's normal, and
    /// the vertical part of that normal; `None` off the map.
    pub fn lowest_soil_body(&self, scope: usize, relief: &Relief) -> Option<(f64, f64)> {
        let poses = self.initial_poses();
        let mut lowest = (f64::INFINITY, 1.0);
        for body in self.soil_bodies.iter().filter(|b| self.scope_of_body[b.body] == scope) {
            let X_WS = poses[body.body].compose(&body.X_BS);
            let (x, y) = (X_WS.p.x, X_WS.p.y);
            let (height, normal) = (relief.height(x, y)?, relief.normal(x, y)?);
            let centre = normal.dot(&(X_WS.p - Vec3::new(x, y, height)));
            let gap = centre - reach(&body.surface.shape, &(X_WS.R.transpose() * normal));
            if gap < lowest.0 {
                lowest = (gap, normal.z);
            }
        }
        Some(lowest)
    }
}

/// How far a form reaches against a direction, from its origin.
fn reach(shape: &SoilShape, n_S: &Vec3) -> f64 {
    match shape {
        SoilShape::Wheel { radius, width, grousers } => {
            let radius = radius + grousers.map_or(0.0, |g| g.height);
            radius * (1.0 - n_S.y * n_S.y).max(0.0).sqrt() + 0.5 * width * n_S.y.abs()
        }
        SoilShape::Mesh(mesh) => mesh.vertices.iter().map(|v| -n_S.dot(v)).fold(f64::NEG_INFINITY, f64::max),
    }
}

/// Turns y, the axis of a wheel's frame, onto a unit vector.
fn y_onto(axis: &Vec3) -> Mat3 {
    let across = Vec3::y().cross(axis);
    let turn = if across.norm() > 0.0 { across.normalize() } else { Vec3::z() };
    rotation::about_axis(&turn, across.norm().atan2(axis.y))
}

/// A form as a visual.
pub(crate) fn drawn(shape: &SoilShape) -> (Shape, Mat3) {
    match shape {
        SoilShape::Wheel { radius, width, .. } => {
            (Shape::Cylinder { radius: *radius, length: *width }, super::visual::onto(&Vec3::y()))
        }
        SoilShape::Mesh(mesh) => (Shape::Mesh(mesh.clone()), Mat3::identity()),
    }
}
