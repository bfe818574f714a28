//! Columns of flexible bodies.

use super::FlexPart;
use crate::books::channels::{AXES, Columns};
use crate::description::WorldDescription;
use crate::engine::system::System;

/// A number of a flexible body.
pub(crate) type FlexibleValue = (usize, OfBody);

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum OfBody {
    Elastic,
    MaterialHeat,
    ContactHeat,
    Centre(usize),
    Force(usize),
    Normal,
    Points,
    Penetration,
    Deformation,
    Deflection,
    Traction,
    Lateral,
    Moment,
    AxleMomentum,
    PointPosition(usize, usize),
    PointVelocity(usize, usize),
}

/// Adds the columns of all bodies.
pub(super) fn add(parts: &[FlexPart], description: &WorldDescription, out: &mut Columns<FlexibleValue>) {
    use OfBody::*;
    for (i, (part, flexible)) in parts.iter().zip(&description.flexible).enumerate() {
        let base = format!("flexible.{}", part.name);
        let mut put = |value, suffix: &str, unit: &'static str, frame: &'static str, about: &str| {
            out.put((i, value), &format!("{base}.{suffix}"), unit, frame, about);
        };
        put(Elastic, "elastic_energy_j", "J", "-", "energy of the deformation");
        put(MaterialHeat, "material_heat_w", "W", "-", "power that the material's viscosity turns into heat");
        for (k, axis) in AXES.iter().enumerate() {
            put(Centre(k), &format!("centre_{axis}_m"), "m", "world", "centre of mass");
        }
        for (p, (name, ..)) in flexible.points.iter().enumerate() {
            for (k, axis) in AXES.iter().enumerate() {
                put(PointPosition(p, k), &format!("{name}.{axis}_m"), "m", "world", "position of the point");
            }
            for (k, axis) in AXES.iter().enumerate() {
                let suffix = format!("{name}.v{axis}_m_per_s");
                put(PointVelocity(p, k), &suffix, "m/s", "world", "velocity of the point");
            }
        }
        if part.contact.is_some() {
            for (k, axis) in AXES.iter().enumerate() {
                put(Force(k), &format!("force_{axis}_n"), "N", "world", "force of the ground on the body");
            }
            let about = "power that contact points turn into heat: dampers and sliding";
            put(ContactHeat, "contact_heat_w", "W", "-", about);
            put(Normal, "normal_force_n", "N", "-", "normal forces of all points, added up");
            put(Points, "contact_points", "1", "-", "points that press on the ground");
            put(Penetration, "penetration_max_m", "m", "-", "deepest point below the ground; 0 when apart");
        }
        if part.skin.is_some() && part.wheel.is_some() {
            let about = "free radius less the height of the hub above the rim's lowest point";
            put(Deflection, "deflection_m", "m", "-", about);
        }
        if part.contact.is_some() && part.wheel.is_some() {
            let about = "free radius less the height of the hub above the ground; 0 when apart";
            put(Deformation, "deformation_m", "m", "-", about);
            let about = "force of the ground along the direction in which the wheel rolls";
            put(Traction, "tractive_force_n", "N", "-", about);
            put(Lateral, "lateral_force_n", "N", "-", "force of the ground along the axle");
            let about = "moment of the ground's forces about the axle; negative holds a wheel back that rolls forward";
            put(Moment, "ground_moment_n_m", "N m", "-", about);
            let about = "angular momentum of the mesh about the axle, seen from the hub";
            put(AxleMomentum, "axle_momentum_n_m_s", "N m s", "-", about);
        }
    }
}

/// One value. Needs an evaluation.
pub(super) fn value(system: &System, (i, value): FlexibleValue) -> f64 {
    let part = &system.acts.flexible[i];
    let sum = part.ground_force();
    let wheel = || system.flexible_wheel(i);
    match value {
        OfBody::Elastic => part.energies.elastic,
        OfBody::MaterialHeat => part.energies.dissipated,
        OfBody::ContactHeat => sum.dissipated,
        OfBody::Centre(k) => part.centre()[k],
        OfBody::Force(k) => sum.force[k],
        OfBody::Normal => sum.normal,
        OfBody::Points => sum.points as f64,
        OfBody::Penetration => sum.penetration.max(0.0),
        OfBody::Deformation => wheel().map_or(f64::NAN, |w| w.deformation),
        OfBody::Deflection => system.deflection_in_soil(i).unwrap_or(f64::NAN),
        OfBody::Traction => wheel().map_or(f64::NAN, |w| sum.force.dot(&w.forward_W)),
        OfBody::Lateral => wheel().map_or(f64::NAN, |w| sum.force.dot(&w.axis_W)),
        OfBody::Moment => {
            wheel().map_or(f64::NAN, |w| (sum.moment - w.p_WC.cross(&sum.force)).dot(&w.axis_W))
        }
        OfBody::AxleMomentum => system.axle_momentum(i).unwrap_or(f64::NAN),
        OfBody::PointPosition(p, k) => part.mesh.point_position(&part.points[p], &part.e)[k],
        OfBody::PointVelocity(p, k) => part.mesh.point_velocity(&part.points[p], &part.e_rate)[k],
    }
}
