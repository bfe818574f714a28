//! Bodies: mass, centre of mass and inertia, each checked for physical consistency.

use super::Builder;
use crate::read::Here;
use crate::table::{BodyKeys, UniformKeys};
use std::collections::BTreeMap;
use touchdown_math::Pose;
use touchdown_math::{Mat3, Vec3};
use touchdown_multibody::description::Body;

/// Relative tolerance of the triangle inequality and of positive eigenvalues: published inertias are rounded
/// to a few digits.
const ROUNDING: f64 = 1e-9;

impl Builder<'_> {
    /// Bodies of every scope, without the centres of mass that need the tree.
    pub fn collect_bodies(&mut self) {
        for s in 0..self.scopes.len() {
            let (parts, prefix) = (self.scopes[s].parts, self.scopes[s].prefix.clone());
            for named in parts.body {
                let name = format!("{prefix}{}", named.name);
                self.remember("body", &name, named);
                let body = match &named.keys {
                    Some(keys) => self.rigid_body(name, keys),
                    // A body with a mistake is still added, so that references to it are not reported as
                    // well.
                    None => Body { name, mass: 1.0, com: Vec3::zeros(), inertia: Mat3::zeros() },
                };
                self.add_body(s, body);
            }
        }
    }

    fn rigid_body(&mut self, name: String, keys: &BodyKeys) -> Body {
        if keys.here.has(BodyKeys::centre_of_mass) && keys.here.has(BodyKeys::centre_of_mass_at) {
            let at = BodyKeys::centre_of_mass_at;
            self.issues
                .at(keys.here.loc_of(at), keys.here.path_of(at), "says the same as centre_of_mass")
                .hint("keep one: centre_of_mass is in the body's frame, centre_of_mass_at in the machine's");
        }
        let com = keys.centre_of_mass.unwrap_or_else(Vec3::zeros);
        Body { name, mass: mass_of(keys), com, inertia: self.inertia(keys) }
    }

    pub fn add_body(&mut self, scope: usize, body: Body) -> usize {
        let index = self.mechanism.bodies.len();
        self.bodies.insert(body.name.clone(), index);
        self.mechanism.bodies.push(body);
        self.scope_of_body.push(scope);
        self.X_MB_zero.push(Pose::identity());
        index
    }

    /// Centres of mass given in the machine's frame, and masses that include everything outboard; these need
    /// the tree.
    pub fn finish_bodies(&mut self) {
        let mut gross = BTreeMap::new();
        for s in 0..self.scopes.len() {
            let (parts, prefix) = (self.scopes[s].parts, self.scopes[s].prefix.clone());
            for (named, keys) in parts.body.iter().filter_map(|n| Some((n, n.keys.as_ref()?))) {
                let Some(&i) = self.bodies.get(&format!("{prefix}{}", named.name)) else { continue };
                if let Some(at) = keys.centre_of_mass_at {
                    self.mechanism.bodies[i].com = self.in_body(s, Some(i), &at);
                }
                if keys.mass_includes_outboard {
                    gross.insert(i, &keys.here);
                }
            }
        }
        if gross.is_empty() {
            return;
        }
        // From the leaves on, so that masses outboard are already those of single bodies.
        let mut outboard = vec![0.0; self.mechanism.bodies.len()];
        for planned in self.outward_order().into_iter().rev() {
            let joint = &self.mechanism.joints[self.planned[planned].joint];
            let (child, parent) = (joint.child, joint.parent);
            if let Some(here) = gross.get(&child) {
                self.take_out(child, outboard[child], here);
            }
            if let Some(parent) = parent {
                outboard[parent] += outboard[child] + self.mechanism.bodies[child].mass;
            }
        }
    }

    /// Converts a mass that includes everything outboard into the body's own.
    fn take_out(&mut self, body: usize, outboard: f64, here: &Here<BodyKeys>) {
        let own = &mut self.mechanism.bodies[body].mass;
        if *own <= outboard {
            self.issues
                .at(
                    here.loc_of(BodyKeys::mass),
                    here.path_of(BodyKeys::mass),
                    "is less than that of the bodies outboard",
                )
                .found(format!("{own} kg"))
                .allowed(format!("more than {outboard} kg"));
        } else {
            *own -= outboard;
        }
    }

    fn inertia(&mut self, keys: &BodyKeys) -> Mat3 {
        let here = &keys.here;
        let given_forms = [here.has(BodyKeys::inertia), here.has(BodyKeys::uniform), keys.point_mass];
        let given_forms = given_forms.into_iter().filter(|given| *given).count();
        if given_forms != 1 && !(given_forms == 0 && mass_of(keys) == 0.0) {
            let what = if given_forms == 0 { "needs its inertia" } else { "says its inertia more than once" };
            self.issues
                .at(keys.here.loc, &keys.here.path, what)
                .hint("one of inertia, uniform = { box | rod | sphere | cylinder }, point_mass = true");
            return Mat3::zeros();
        }
        if let Some(uniform) = &keys.uniform {
            return self.uniform(uniform, mass_of(keys));
        }
        let Some(x) = &keys.inertia else { return Mat3::zeros() };
        let off = if x.len() == 6 { [x[3], x[4], x[5]] } else { [0.0; 3] };
        let I = Mat3::new(x[0], off[0], off[1], off[0], x[1], off[2], off[1], off[2], x[2]);
        self.check_inertia(&keys.here, &I);
        I
    }

    /// Principal moments must be positive and obey the triangle inequality, as for every distribution of
    /// mass.
    fn check_inertia(&mut self, here: &Here<BodyKeys>, I: &Mat3) {
        let mut moments: Vec<f64> = I.symmetric_eigenvalues().iter().copied().collect();
        moments.sort_by(f64::total_cmp);
        let (small, middle, large) = (moments[0], moments[1], moments[2]);
        let shown = format!("principal moments {small:.6}, {middle:.6}, {large:.6} kg m^2");
        let (loc, path) = (here.loc_of(BodyKeys::inertia), here.path_of(BodyKeys::inertia));
        if small < -ROUNDING * large.abs() || large < 0.0 {
            self.issues.at(loc, path, "must not be negative").found(shown);
        } else if small + middle < large * (1.0 - ROUNDING) {
            self.issues
                .at(loc, path, "breaks the triangle inequality: no body has it")
                .found(shown)
                .hint("the two smaller principal moments must add up to at least the largest");
        } else if middle <= ROUNDING * large {
            self.issues
                .at(loc, path, "is singular")
                .found(shown)
                .hint("point_mass = true says that it is zero on purpose");
        }
    }

    /// Inertia of a homogeneous solid about its centre.
    fn uniform(&mut self, keys: &UniformKeys, mass: f64) -> Mat3 {
        let Some(solid) = self.solid_of(keys) else { return Mat3::zeros() };
        let a = keys.along;
        let across = Mat3::identity() - a * a.transpose();
        match solid {
            Solid::Box(s) => {
                let q = s.component_mul(&s);
                Mat3::from_diagonal(&Vec3::new(q.y + q.z, q.x + q.z, q.x + q.y)) * (mass / 12.0)
            }
            Solid::Rod(length) => across * (mass * length * length / 12.0),
            Solid::Sphere(radius) => Mat3::identity() * (0.4 * mass * radius * radius),
            Solid::Cylinder([radius, length]) => {
                let r2 = radius * radius;
                a * a.transpose() * (0.5 * mass * r2) + across * (mass * (3.0 * r2 + length * length) / 12.0)
            }
        }
    }

    /// The one solid that the keys give.
    fn solid_of(&mut self, keys: &UniformKeys) -> Option<Solid> {
        let solids = [
            (UniformKeys::cuboid.name(), keys.cuboid.map(Solid::Box)),
            (UniformKeys::rod.name(), keys.rod.map(Solid::Rod)),
            (UniformKeys::sphere.name(), keys.sphere.map(Solid::Sphere)),
            (UniformKeys::cylinder.name(), keys.cylinder.map(Solid::Cylinder)),
        ];
        self.one_given(&keys.here, "must be one solid", solids)
    }
}

/// The mass; an arbitrary one if it was written wrongly.
fn mass_of(keys: &BodyKeys) -> f64 {
    keys.mass.unwrap_or(1.0)
}

/// A homogeneous solid.
enum Solid {
    Box(Vec3),
    Rod(f64),
    Sphere(f64),
    Cylinder([f64; 2]),
}
