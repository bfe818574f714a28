//! References of every element, drive and constraint of a description, for checks before it is compiled.

use crate::description::{BodyRef, ConstraintKind, ElementKind, ForceElement, JointAxis, Mechanism};

/// References of an element, drive or constraint: its name with its kind, its bodies, its joint axes.
pub(super) type Use = (String, Vec<BodyRef>, Vec<JointAxis>);

/// All references of a mechanism, for checking.
pub(super) fn uses(m: &Mechanism) -> Vec<Use> {
    let mut all: Vec<Use> = m.elements.iter().map(element_use).collect();
    all.extend(m.drives.iter().map(|d| (format!("drive \"{}\"", d.name), vec![], vec![d.axis])));
    all.extend(m.constraints.iter().map(|c| {
        let (bodies, axes) = match &c.kind {
            ConstraintKind::Coincident { a, b } | ConstraintKind::Distance { a, b, .. } => {
                (vec![a.body, b.body], vec![])
            }
            ConstraintKind::Parallel { a, b } | ConstraintKind::Perpendicular { a, b } => {
                (vec![a.0, b.0], vec![])
            }
            ConstraintKind::Gear { driven, driver, .. } => (vec![], vec![*driven, *driver]),
            ConstraintKind::Prescribed { axis, .. } => (vec![], vec![*axis]),
        };
        (format!("constraint \"{}\"", c.name), bodies, axes)
    }));
    all
}

fn element_use(element: &ForceElement) -> Use {
    let (bodies, axes) = match &element.kind {
        ElementKind::Spring { a, b, .. }
        | ElementKind::Bushing { a, b, .. }
        | ElementKind::Actuator { a, b, .. } => (vec![a.body, b.body], vec![]),
        ElementKind::JointSpring { axis, .. }
        | ElementKind::JointLimit { axis, .. }
        | ElementKind::JointFriction { axis, .. } => (vec![], vec![*axis]),
        ElementKind::Load { at, .. } => (vec![at.body], vec![]),
    };
    (format!("element \"{}\"", element.name), bodies, axes)
}
