//! Running extremes of contacts, booked at every accepted step without allocating; part of the state.

use crate::system::System;
use serde::{Deserialize, Serialize};

/// What the contacts of a run went through so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Extremes {
    /// One for each body in soil.
    pub soil: Vec<SoilExtremes>,
    /// One for each tyre.
    pub tyres: Vec<TyreExtremes>,
}

/// Extremes of one body in soil, while it touched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct SoilExtremes {
    /// Largest vertical force, N.
    pub load: f64,
    /// Nodes that carried it.
    pub nodes: u32,
    /// Largest sinkage, m.
    pub sinkage: f64,
    /// Largest pressure, Pa.
    pub pressure: f64,
    /// Largest speed of any point of its surface, m/s.
    pub speed: f64,
    /// Longest horizontal way of its centre in one step, m.
    pub way: f64,
    /// Largest |sin| of a wheel's camber.
    pub camber: f64,
}

/// Extremes of one tyre.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct TyreExtremes {
    /// Largest deformation, m.
    pub deformation: f64,
    /// Largest |sin| of the camber while it touched.
    pub camber: f64,
    /// Narrowest hollow that it touched: its curvature times the radius.
    pub hollow: f64,
    /// Largest deformation at a second place, m.
    pub second: f64,
}

impl Extremes {
    /// Nothing booked yet.
    pub fn new(system: &System) -> Extremes {
        Extremes {
            soil: vec![SoilExtremes::default(); system.soil_bodies.len()],
            tyres: vec![TyreExtremes::default(); system.tyres.len()],
        }
    }

    /// Books an accepted state after a step of `h`; kinematics and forces of that state must stand in the system.
    pub fn book(&mut self, system: &System, h: f64) {
        for (i, (e, force)) in self.soil.iter_mut().zip(&system.soil_forces).enumerate() {
            if force.nodes == 0 {
                continue;
            }
            let (motion, on) = (system.soil_motion(i), &system.soil_bodies[i]);
            if force.wrench_C.f.z > e.load {
                (e.load, e.nodes) = (force.wrench_C.f.z, force.nodes);
            }
            e.sinkage = e.sinkage.max(force.sinkage);
            e.pressure = e.pressure.max(force.pressure_max);
            // A mesh has no radius, and `max` passes over what is not a number: its centre counts alone.
            let rim = motion.w_WB.norm() * on.tip_radius;
            e.speed = e.speed.max(motion.v_WC.norm() + rim.max(0.0));
            e.way = e.way.max(h * motion.v_WC.xy().norm());
            if on.is_wheel() {
                e.camber = e.camber.max(motion.axis_W.z.abs());
            }
        }
        for (i, (e, force)) in self.tyres.iter_mut().zip(&system.tyre_forces).enumerate() {
            if force.deformation > 0.0 {
                e.deformation = e.deformation.max(force.deformation);
                let (motion, footing) = (system.wheel_motion(i), &system.standings[i].footing);
                e.camber = e.camber.max(motion.axis_W.dot(&footing.plane.normal).abs());
                e.hollow = e.hollow.max(-footing.curvature(&motion) * system.tyres[i].tyre.params().radius);
                e.second = e.second.max(footing.second);
            }
        }
    }
}
