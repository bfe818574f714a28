//! Independent parts of a mechanism: links that are connected to the others only through the world, which
//! takes any force. Energy is exchanged within a part and never between two parts, so that each has its own
//! balance. A joint with all six motions, on which nothing acts, is not a connection: it only measures one
//! body relative to another.

use super::elements::Powers;
use super::model::{Model, WORLD};
use crate::description::{BodyRef, ConstraintKind, ElementKind, JointAxis};

/// No part: for elements that act only on the world.
const NONE: usize = usize::MAX;

/// The parts of a mechanism, and the powers of each at one instant.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// Parts of links, elements, drives and constraints.
    of_link: Vec<usize>,
    of_element: Vec<usize>,
    of_drive: Vec<usize>,
    of_constraint: Vec<usize>,
    /// Energy stored in and powers of each part; none if the mechanism is one part. Cleared by
    /// `Cache::clear_forces`.
    powers: Vec<Powers>,
}

/// For each link the first link of its part. `ties` are pairs of bodies with interactions outside the model;
/// links in `loose` have joints to their parents that transmit nothing.
pub(super) fn first_links(model: &Model, ties: &[[BodyRef; 2]], loose: &[usize]) -> Vec<usize> {
    let mut first_of: Vec<usize> = Vec::with_capacity(model.links.len());
    for (i, link) in model.links.iter().enumerate() {
        let alone = link.parent == WORLD || loose.contains(&i);
        first_of.push(if alone { i } else { first_of[link.parent] });
    }
    let of_body = |body: BodyRef| body.map_or(WORLD, |b| model.bodies[b].link);
    let of_axis = |axis: JointAxis| link_of_axis(model, axis);
    let elements = model.elements.iter().filter_map(|e| match &e.kind {
        ElementKind::Spring { a, b, .. }
        | ElementKind::Bushing { a, b, .. }
        | ElementKind::Actuator { a, b, .. } => Some([a.body, b.body].map(of_body)),
        _ => None,
    });
    let constraints = model.constraints.iter().filter_map(|c| match &c.kind {
        ConstraintKind::Coincident { a, b } | ConstraintKind::Distance { a, b, .. } => {
            Some([a.body, b.body].map(of_body))
        }
        ConstraintKind::Parallel { a, b } | ConstraintKind::Perpendicular { a, b } => {
            Some([a.0, b.0].map(of_body))
        }
        ConstraintKind::Gear { driven, driver, .. } => Some([*driven, *driver].map(of_axis)),
        ConstraintKind::Prescribed { .. } => None,
    });
    for [a, b] in elements.chain(constraints).chain(ties.iter().map(|bodies| bodies.map(of_body))) {
        if a != WORLD && b != WORLD {
            let (first, other) = (first_of[a].min(first_of[b]), first_of[a].max(first_of[b]));
            first_of.iter_mut().filter(|link| **link == other).for_each(|link| *link = first);
        }
    }
    first_of
}

/// First links of joints with all six motions and no element on their coordinates.
fn loose_links(model: &Model) -> Vec<usize> {
    let elements = model.elements.iter().filter_map(|e| match &e.kind {
        ElementKind::JointSpring { axis, .. }
        | ElementKind::JointLimit { axis, .. }
        | ElementKind::JointFriction { axis, .. } => Some(axis.joint),
        _ => None,
    });
    let constraints = model.constraints.iter().flat_map(|c| match &c.kind {
        ConstraintKind::Gear { driven, driver, .. } => vec![driven.joint, driver.joint],
        ConstraintKind::Prescribed { axis, .. } => vec![axis.joint],
        _ => Vec::new(),
    });
    let drives = model.drives.iter().map(|drive| drive.axis.joint);
    let used: Vec<usize> = elements.chain(constraints).chain(drives).collect();
    let joints = model.joints.iter().enumerate();
    let free = joints.filter(|(j, slot)| slot.rates == 6 && !slot.locked && !used.contains(j));
    free.filter_map(|(_, slot)| model.links.iter().position(|link| link.v == slot.v)).collect()
}

/// The link that a coordinate moves; [`WORLD`] if it is locked.
fn link_of_axis(model: &Model, axis: JointAxis) -> usize {
    let slot = &model.joints[axis.joint];
    if slot.locked { WORLD } else { slot.link }
}

impl Parts {
    /// Those of a model with `ties` between pairs of its bodies; `others` more independent parts without
    /// links follow them.
    pub fn new(model: &Model, ties: &[[BodyRef; 2]], others: usize) -> Parts {
        let first_of = first_links(model, ties, &loose_links(model));
        let mut firsts = first_of.clone();
        firsts.sort_unstable();
        firsts.dedup();
        let count = firsts.len() + others;
        if count < 2 {
            return Parts::default();
        }
        let of_link: Vec<usize> =
            first_of.iter().map(|first| firsts.partition_point(|f| f < first)).collect();
        let part = |link: usize| of_link.get(link).copied().unwrap_or(NONE);
        let of_body = |body: BodyRef| part(body.map_or(WORLD, |b| model.bodies[b].link));
        let of_axis = |axis: JointAxis| part(link_of_axis(model, axis));
        let of_element = |kind: &ElementKind| match kind {
            ElementKind::Spring { a, b, .. }
            | ElementKind::Bushing { a, b, .. }
            | ElementKind::Actuator { a, b, .. } => of_body(a.body).min(of_body(b.body)),
            ElementKind::JointSpring { axis, .. }
            | ElementKind::JointLimit { axis, .. }
            | ElementKind::JointFriction { axis, .. } => of_axis(*axis),
            ElementKind::Load { at, .. } => of_body(at.body),
        };
        let of_constraint = |kind: &ConstraintKind| match kind {
            ConstraintKind::Prescribed { axis, .. } => of_axis(*axis),
            // No other constraint supplies energy.
            _ => NONE,
        };
        Parts {
            of_element: model.elements.iter().map(|e| of_element(&e.kind)).collect(),
            of_drive: model.drives.iter().map(|d| of_axis(d.axis)).collect(),
            of_constraint: model.constraints.iter().map(|c| of_constraint(&c.kind)).collect(),
            of_link,
            powers: vec![Powers::default(); count],
        }
    }

    /// Number of parts; none if the mechanism is one part.
    pub fn count(&self) -> usize {
        self.powers.len()
    }

    /// The part of a link; none (a number beyond all parts) for the world.
    pub fn of_link(&self, link: usize) -> usize {
        self.of_link.get(link).copied().unwrap_or(NONE)
    }

    /// The part of the links on both sides of a contact, which are connected.
    pub fn of_links(&self, [a, b]: [usize; 2]) -> usize {
        self.of_link(a).min(self.of_link(b))
    }

    /// The part of a force element.
    pub fn of_element(&self, element: usize) -> usize {
        self.of_element.get(element).copied().unwrap_or(NONE)
    }

    /// The part of a drive.
    pub fn of_drive(&self, drive: usize) -> usize {
        self.of_drive.get(drive).copied().unwrap_or(NONE)
    }

    /// The first link of a part; `None` for parts without links.
    pub fn first_link(&self, part: usize) -> Option<usize> {
        self.of_link.iter().position(|p| *p == part)
    }

    /// Energy stored in and powers of each part, as booked so far.
    pub fn powers(&self) -> &[Powers] {
        &self.powers
    }

    /// Adds powers to a part; does nothing if the mechanism is one part.
    #[inline]
    pub fn book(&mut self, part: usize, own: Powers) {
        if let Some(powers) = self.powers.get_mut(part) {
            *powers += own;
        }
    }

    pub(super) fn book_element(&mut self, element: usize, own: Powers) {
        if let Some(part) = self.of_element.get(element) {
            self.book(*part, own);
        }
    }

    pub(super) fn book_drive(&mut self, drive: usize, power: f64) {
        self.book(self.of_drive(drive), Powers { drives: power, ..Powers::default() });
    }

    pub(super) fn book_constraint(&mut self, constraint: usize, power: f64) {
        if let Some(part) = self.of_constraint.get(constraint) {
            self.book(*part, Powers { drives: power, ..Powers::default() });
        }
    }

    pub(super) fn clear(&mut self) {
        self.powers.fill(Powers::default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::{
        Attachment, Body, Constraint, Drive, DriveKind, ForceElement, Joint, JointKind,
    };
    use crate::description::{Command, Mechanism};
    use touchdown_math::{Mat3, Signal, Vec3};

    /// A hinge on the world, a hinge on it, a body that is only measured relative to the first, and another
    /// one attached to the world.
    fn mechanism() -> Mechanism {
        let mut m = Mechanism::default();
        let hinge = JointKind::Revolute { axis: Vec3::x() };
        let joints = [(hinge, None), (hinge, Some(0)), (JointKind::Free, Some(0)), (hinge, None)];
        for (i, (kind, parent)) in joints.into_iter().enumerate() {
            let (name, com, inertia) = (format!("b{i}"), Vec3::y(), Mat3::identity());
            m.bodies.push(Body { name, mass: 1.0, com, inertia });
            m.joints.push(Joint::new(&format!("j{i}"), kind, parent, i, Vec3::zeros()));
        }
        m
    }

    fn parts(m: &Mechanism, ties: &[[BodyRef; 2]], others: usize) -> (usize, [usize; 4]) {
        let model = Model::build(m).expect("it is sound");
        let parts = Parts::new(&model, ties, others);
        let of = |body: usize| parts.of_link(model.bodies[body].link);
        (parts.count(), [of(0), of(1), of(2), of(3)])
    }

    #[test]
    fn what_can_push_makes_one_part_of_two() {
        // Energy passes through hinges, springs, gears, drives of a free joint, and contacts; not through a joint that leaves all motions to its bodies, nor through the world.
        let plain = mechanism();
        assert_eq!(parts(&plain, &[], 0), (3, [0, 0, 1, 2]));
        assert_eq!(parts(&plain, &[], 2).0, 5);
        assert_eq!(parts(&plain, &[[Some(2), Some(3)], [Some(1), None]], 0), (2, [0, 0, 1, 1]));
        assert_eq!(
            parts(&plain, &[[Some(2), Some(3)], [Some(1), Some(3)]], 0).0,
            0,
            "one part needs no books"
        );
        let at = |body| Attachment { body, X_BF: touchdown_math::Pose::identity() };
        let mut sprung = mechanism();
        let kind =
            ElementKind::Bushing { a: at(Some(1)), b: at(Some(3)), stiffness: [1.0; 6], damping: [0.0; 6] };
        sprung.elements.push(ForceElement { name: "s".into(), kind });
        assert_eq!(parts(&sprung, &[], 0), (2, [0, 0, 1, 0]));
        let axis = |joint| JointAxis { joint, axis: 0 };
        let mut geared = mechanism();
        let kind = ConstraintKind::Gear { driven: axis(3), driver: axis(1), ratio: 1.0, offset: 0.0 };
        geared.constraints.push(Constraint { name: "g".into(), kind });
        assert_eq!(parts(&geared, &[], 0), (2, [0, 0, 1, 0]));
        let mut driven = mechanism();
        let kind = DriveKind::Follow(Command::Force(Signal::Constant(1.0)));
        driven.drives.push(Drive { name: "d".into(), axis: axis(2), kind, active_from: 0.0 });
        assert_eq!(parts(&driven, &[], 0), (2, [0, 0, 0, 1]));
    }
}
