//! Bodies: mass, centre of mass and inertia, each checked for physical sense.

use super::Builder;
use crate::read::Record;
use std::collections::BTreeMap;
use touchdown_math::Pose;
use touchdown_math::{Mat3, Vec3};
use touchdown_multibody::description::Body;

/// Slack of the triangle inequality and of positive eigenvalues, relative: published inertias are rounded to a few digits.
const ROUNDING: f64 = 1e-9;

impl Builder<'_> {
    /// Bodies of every scope, still without their centres of mass where those need the tree.
    pub fn collect_bodies(&mut self) {
        for s in 0..self.scopes.len() {
            let (record, prefix) = (self.scopes[s].record, self.scopes[s].prefix.clone());
            for named in record.map("body") {
                let name = format!("{prefix}{}", named.name);
                let inertia = self.inertia(&named.record);
                let com = named.record.vec3("centre_of_mass").unwrap_or_else(Vec3::zeros);
                let mass = named.record.number("mass").unwrap_or(1.0);
                self.remember("body", &name, &named.record);
                self.add_body(s, Body { name, mass, com, inertia });
                if named.record.has("centre_of_mass") && named.record.has("centre_of_mass_at") {
                    let path = named.record.path_of("centre_of_mass_at");
                    self.issues
                        .at(named.record.loc_of("centre_of_mass_at"), path, "says the same as centre_of_mass")
                        .hint("keep one: centre_of_mass is in the body's frame, centre_of_mass_at in the machine's");
                }
            }
        }
    }

    pub fn add_body(&mut self, scope: usize, body: Body) -> usize {
        let index = self.mechanism.bodies.len();
        self.bodies.insert(body.name.clone(), index);
        self.mechanism.bodies.push(body);
        self.scope_of_body.push(scope);
        self.X_MB_zero.push(Pose::identity());
        index
    }

    /// Centres of mass given in the machine's frame, and masses with what hangs outboard, now that the tree is known.
    pub fn finish_bodies(&mut self) {
        let mut gross = BTreeMap::new();
        for s in 0..self.scopes.len() {
            let (record, prefix) = (self.scopes[s].record, self.scopes[s].prefix.clone());
            for named in record.map("body") {
                let Some(&i) = self.bodies.get(&format!("{prefix}{}", named.name)) else { continue };
                if let Some(at) = named.record.vec3("centre_of_mass_at") {
                    self.mechanism.bodies[i].com = self.in_body(s, Some(i), &at);
                }
                if named.record.flag("mass_includes_outboard") {
                    gross.insert(i, &named.record);
                }
            }
        }
        if gross.is_empty() {
            return;
        }
        // From the leaves on, so that masses outboard are bodies' own already.
        let mut outboard = vec![0.0; self.mechanism.bodies.len()];
        for planned in self.outward_order().into_iter().rev() {
            let joint = &self.mechanism.joints[self.planned[planned].joint];
            let (child, parent) = (joint.child, joint.parent);
            if let Some(record) = gross.get(&child) {
                self.take_out(child, outboard[child], record);
            }
            if let Some(parent) = parent {
                outboard[parent] += outboard[child] + self.mechanism.bodies[child].mass;
            }
        }
    }

    /// A mass that was given with all that hangs outboard becomes the body's own.
    fn take_out(&mut self, body: usize, outboard: f64, record: &Record) {
        let own = &mut self.mechanism.bodies[body].mass;
        if *own <= outboard {
            self.issues
                .at(record.loc_of("mass"), record.path_of("mass"), "is less than that of the bodies outboard")
                .found(format!("{own} kg"))
                .allowed(format!("more than {outboard} kg"));
        } else {
            *own -= outboard;
        }
    }

    fn inertia(&mut self, record: &Record) -> Mat3 {
        let ways = ["inertia", "uniform"].iter().filter(|k| record.has(k)).count()
            + usize::from(record.flag("point_mass"));
        let mass = record.number("mass").unwrap_or(1.0);
        if ways != 1 && !(ways == 0 && mass == 0.0) {
            let what = if ways == 0 { "needs its inertia" } else { "says its inertia more than once" };
            self.issues
                .at(record.loc, &record.path, what)
                .hint("one of inertia, uniform = { box | rod | sphere | cylinder }, point_mass = true");
            return Mat3::zeros();
        }
        if let Some(uniform) = record.table("uniform") {
            return self.uniform(uniform, mass);
        }
        let Some(list) = record.numbers("inertia") else { return Mat3::zeros() };
        let x: Vec<f64> = list.iter().map(|n| n.0).collect();
        let off = if x.len() == 6 { [x[3], x[4], x[5]] } else { [0.0; 3] };
        let I = Mat3::new(x[0], off[0], off[1], off[0], x[1], off[2], off[1], off[2], x[2]);
        self.check_inertia(record, &I);
        I
    }

    /// Principal moments must be positive and obey the triangle inequality: no distribution of mass breaks them.
    fn check_inertia(&mut self, record: &Record, I: &Mat3) {
        let mut moments: Vec<f64> = I.symmetric_eigenvalues().iter().copied().collect();
        moments.sort_by(f64::total_cmp);
        let (small, middle, large) = (moments[0], moments[1], moments[2]);
        let shown = format!("principal moments {small:.6}, {middle:.6}, {large:.6} kg m^2");
        let (loc, path) = (record.loc_of("inertia"), record.path_of("inertia"));
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

    /// Inertia of a solid of even density about its centre.
    fn uniform(&mut self, record: &Record, mass: f64) -> Mat3 {
        let keys = ["box", "rod", "sphere", "cylinder"];
        let given: Vec<&str> = keys.into_iter().filter(|k| record.has(k)).collect();
        if given.len() != 1 {
            self.issues
                .at(record.loc, &record.path, "must be one solid")
                .found(if given.is_empty() { "none".into() } else { given.join(" and ") })
                .allowed(keys.join(", "));
            return Mat3::zeros();
        }
        let a = record.vec3("along").unwrap_or_else(Vec3::x);
        let across = Mat3::identity() - a * a.transpose();
        if let Some(s) = record.vec3("box") {
            let q = s.component_mul(&s);
            return Mat3::from_diagonal(&Vec3::new(q.y + q.z, q.x + q.z, q.x + q.y)) * (mass / 12.0);
        }
        if let Some(length) = record.number("rod") {
            return across * (mass * length * length / 12.0);
        }
        if let Some(radius) = record.number("sphere") {
            return Mat3::identity() * (0.4 * mass * radius * radius);
        }
        match record.numbers("cylinder") {
            Some([(radius, _), (length, _)]) => {
                let r2 = radius * radius;
                a * a.transpose() * (0.5 * mass * r2) + across * (mass * (3.0 * r2 + length * length) / 12.0)
            }
            _ => Mat3::zeros(),
        }
    }
}
