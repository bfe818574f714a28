//! Bodies in soil: wheels and other surfaces, the vehicles that they belong to, and their initial height.

use super::Builder;
use super::Scope;
use super::contact::place_in_body;
use super::feet_grid::{feet_leave_terrain, feet_on_grid};
use super::study::presses_wheel;
use super::tree::turned;
use crate::read::Named;
use crate::table::{SoilContactKeys, TerrainKeys, TerrainStressWord, WheelKeys};
use touchdown_contact::soil::{Grousers, SoilShape, SoilSurface};
use touchdown_geometry::{Relief, Shape};
use touchdown_math::{Mat3, Pose, Vec3, rotation};
use touchdown_multibody::description::{Joint, JointKind};
use touchdown_sim::description::{SoilBody, Vehicle};

/// Triangles around a full circle of a cylinder or sphere that touches soil: chords within 0.1 % of the
/// radius.
const SEGMENTS: u32 = 72;

impl Builder<'_> {
    /// Wheels and other surfaces of every scope. Their names have no prefix if only one machine has any.
    pub fn collect_soil_bodies(&mut self) {
        let touches = |s: &&Scope| !s.parts.wheel.is_empty() || !s.parts.soil_contact.is_empty();
        let with_any = self.scopes.iter().filter(touches).count();
        for s in 0..self.scopes.len() {
            let parts = self.scopes[s].parts;
            let prefix = if with_any > 1 { self.scopes[s].prefix.clone() } else { String::new() };
            for named in parts.wheel {
                let name = self.soil_body_name("wheel", &prefix, named);
                let made = named.keys.as_ref().and_then(|keys| self.wheel(s, keys));
                self.add_soil_body(name, made);
            }
            for named in parts.soil_contact {
                let name = self.soil_body_name("soil_contact", &prefix, named);
                let made = named.keys.as_ref().and_then(|keys| self.soil_contact(s, keys));
                self.add_soil_body(name, made);
            }
        }
        self.check_surface_touched();
    }

    fn soil_body_name<T>(&mut self, kind: &str, prefix: &str, named: &Named<T>) -> String {
        let name = format!("{prefix}{}", named.name);
        self.remember(kind, &name, named);
        if self.soil_bodies.iter().any(|b| b.name == name) {
            self.issues.at(named.loc, &named.path, "has the name of another body that touches soil");
        }
        name
    }

    fn add_soil_body(&mut self, name: String, made: Option<(usize, Pose, SoilSurface)>) {
        if let Some((body, X_BS, surface)) = made {
            self.soil_bodies.push(SoilBody { name, body, X_BS, surface, skin: None });
        }
    }

    fn wheel(&mut self, scope: usize, keys: &WheelKeys) -> Option<(usize, Pose, SoilSurface)> {
        let body = self.moving_body(scope, &keys.body)?;
        let grousers = keys.grousers.as_ref().and_then(|g| {
            Some(Grousers { count: u32::try_from(g.count).ok()?, height: g.height, thickness: g.thickness })
        });
        // With pressure by direction a sliding rim sinks without a carried layer.
        let digs = self.terrain_keys().is_some_and(|t| t.stress_law != TerrainStressWord::Directional);
        let layer = grousers.filter(|_| digs).map_or(0.0, |g| g.height);
        let carried_layer = keys.carried_layer.unwrap_or(layer);
        let X_BS = Pose { R: rotation::onto(&Vec3::y(), &keys.axis), p: keys.centre };
        let shape = SoilShape::Wheel { radius: keys.radius, width: keys.width, grousers };
        Some((body, X_BS, SoilSurface { shape, carried_layer, bedded: false }))
    }

    fn soil_contact(&mut self, scope: usize, keys: &SoilContactKeys) -> Option<(usize, Pose, SoilSurface)> {
        let body = self.moving_body(scope, &keys.body);
        let shape = self.form(&keys.form);
        let at = self.body_point(scope, &place_in_body!(keys, SoilContactKeys));
        let X_BS = Pose { R: turned(&keys.turn), p: at?.X_BF.p };
        let shape = SoilShape::Mesh(shape?.triangulate(SEGMENTS));
        Some((body?, X_BS, SoilSurface { shape, carried_layer: keys.carried_layer, bedded: false }))
    }

    /// Tyres require ground, wheels require soil; those that do not apply are left out.
    fn check_surface_touched(&mut self) {
        let root = self.root;
        let ground = root.ground.is_some();
        let terrain = root.terrain.as_ref().filter(|_| !feet_leave_terrain(root));
        if let Some(terrain) = terrain {
            self.tyres.clear();
            let heaped = terrain.keys.as_ref().is_some_and(|keys| !keys.heap.is_empty());
            let touched = !self.soil_bodies.is_empty() || heaped || presses_wheel(root) || feet_on_grid(root);
            if !touched && self.issues.is_empty() {
                self.issues
                    .at(terrain.loc, &terrain.path, "has nothing that touches it")
                    .hint("add [wheel.NAME] or [soil_contact.NAME] to a body, or [terrain.heap.NAME]");
            }
            return;
        }
        if !ground && !root.polygonal.is_empty() {
            // Its wheels use polygonal contact.
            self.tyres.clear();
            self.soil_bodies.clear();
            return;
        }
        let tyre = self.scopes.iter().find_map(|s| s.parts.tyre.first());
        let sinking = self.scopes.iter().find_map(|s| {
            let wheel = s.parts.wheel.first().map(|named| (named.loc, &named.path));
            wheel.or_else(|| s.parts.soil_contact.first().map(|named| (named.loc, &named.path)))
        });
        match (tyre, sinking) {
            (Some(tyre), _) if !ground => {
                let issue = self.issues.at(tyre.loc, &tyre.path, "needs a ground to roll on");
                issue.hint("add [ground]");
            }
            (None, Some((loc, path))) if !ground => {
                self.issues.at(loc, path, "needs soil to touch").hint("add [terrain]");
            }
            (None, Some((_, path))) => self.warnings.push(format!(
                "{path} touches soil only, and falls through plane ground; [terrain] would hold it"
            )),
            _ => {}
        }
        self.soil_bodies.clear();
    }

    /// A grid that is too coarse does not resolve a wheel.
    pub fn check_spacing(&mut self) {
        let Some(terrain) = self.terrain_keys() else { return };
        let spacing = terrain.spacing;
        for body in &self.soil_bodies {
            let size = match &body.surface.shape {
                SoilShape::Wheel { radius, width, .. } => radius.min(*width),
                SoilShape::Mesh(mesh) => crate::mesh::extent(&mesh.vertices),
            };
            if spacing > size {
                self.issues
                    .at(
                        terrain.here.loc_of(TerrainKeys::spacing),
                        terrain.here.path_of(TerrainKeys::spacing),
                        format!("is larger than {}", body.name),
                    )
                    .found(format!("{spacing} m against {size} m"))
                    .hint("a tenth of the wheel's radius or less sees its contact; spacing = \"10 mm\"");
            }
        }
    }

    /// Machines on wheels in soil: named after the machine, moving with the body on their free joint. Wheels
    /// outside machines belong to the body on a free joint that carries them, which gives the vehicle its
    /// name.
    pub fn vehicles(&self) -> Vec<Vehicle> {
        let mut vehicles = self.own_vehicles();
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

    /// Vehicles of bodies outside machines, in the order of their first wheels.
    fn own_vehicles(&self) -> Vec<Vehicle> {
        let mut vehicles: Vec<Vehicle> = Vec::new();
        for (i, touching) in self.soil_bodies.iter().enumerate() {
            let is_wheel = matches!(touching.surface.shape, SoilShape::Wheel { .. });
            if !is_wheel || self.scope_of_body[touching.body] != 0 {
                continue;
            }
            let root = self.outermost(touching.body);
            let floats = |joint: &Joint| joint.child == root && joint.kind == JointKind::Free;
            if root == touching.body || !self.mechanism.joints.iter().any(floats) {
                continue;
            }
            match vehicles.iter_mut().find(|vehicle| vehicle.body == root) {
                Some(vehicle) => vehicle.wheels.push(i),
                None => {
                    let name = self.mechanism.bodies[root].name.clone();
                    vehicles.push(Vehicle { name, body: root, wheels: vec![i] });
                }
            }
        }
        vehicles
    }

    /// The body at the root of the tree that a body belongs to. A cycle of parents, which is a separate
    /// error, ends after as many steps as there are bodies.
    pub(super) fn outermost(&self, body: usize) -> usize {
        let parent = |body: usize| {
            let joint = self.mechanism.joints.iter().find(|joint| joint.child == body);
            joint.and_then(|joint| joint.parent)
        };
        let mut at = body;
        for _ in 0..self.mechanism.bodies.len() {
            match parent(at) {
                Some(above) => at = above,
                None => break,
            }
        }
        at
    }

    /// Gap between undisturbed soil and the lowest body of a machine in its initial position, along the
    /// surface's normal, and the vertical part of that normal; `None` off the map.
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

/// Extent of a form opposite to a direction, from its origin.
fn reach(shape: &SoilShape, n_S: &Vec3) -> f64 {
    match shape {
        SoilShape::Wheel { radius, width, grousers } => {
            let radius = radius + grousers.map_or(0.0, |g| g.height);
            radius * (1.0 - n_S.y * n_S.y).max(0.0).sqrt() + 0.5 * width * n_S.y.abs()
        }
        SoilShape::Mesh(mesh) => mesh.vertices.iter().map(|v| -n_S.dot(v)).fold(f64::NEG_INFINITY, f64::max),
    }
}

/// A form as a visual.
pub(crate) fn drawn(shape: &SoilShape) -> (Shape, Mat3) {
    match shape {
        SoilShape::Wheel { radius, width, .. } => {
            (Shape::Cylinder { radius: *radius, length: *width }, rotation::onto(&Vec3::z(), &Vec3::y()))
        }
        SoilShape::Mesh(mesh) => (Shape::Mesh(mesh.clone()), Mat3::identity()),
    }
}
