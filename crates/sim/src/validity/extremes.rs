//! Running extremes of contacts, booked at every accepted step without allocating; part of the state.

use crate::pairs::PairOnLinks;
use crate::system::System;
use crate::validity::{BoomExtremes, FlexExtremes, PolygonalExtremes};
use serde::{Deserialize, Serialize};

/// What the contacts of a run went through so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Extremes {
    /// One for each body in soil.
    pub soil: Vec<SoilExtremes>,
    /// One for each tyre.
    pub tyres: Vec<TyreExtremes>,
    /// One for each smooth contact.
    pub pairs: Vec<PairExtremes>,
    /// One for each polygonal contact.
    pub polygonal: Vec<PolygonalExtremes>,
    /// One for each boom.
    pub booms: Vec<BoomExtremes>,
    /// One for each flexible body.
    pub flexible: Vec<FlexExtremes>,
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

/// What one smooth contact went through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct PairExtremes {
    /// Separate times of touching.
    pub touches: u64,
    /// Whether it touched at the last accepted step.
    pub touching: bool,
    /// Smallest gap at the last accepted step, m, and its rate, m/s.
    pub gap: f64,
    pub gap_rate: f64,
    /// Deepest penetration, m.
    pub penetration: f64,
    /// Longest way of approach in one step, m.
    pub way: f64,
    /// Energy stored after the last commit, J.
    pub energy: f64,
    /// Energy that came and went where candidates were lost and found while touching, sizes added up, J.
    pub jumps: f64,
}

impl PairExtremes {
    /// Touches so far, with the one that a state between two accepted steps begins.
    pub fn touches_with(&self, touching: bool) -> u64 {
        self.touches + u64::from(touching && !self.touching)
    }

    /// Books an accepted state a step of `h` later.
    fn book(&mut self, p: &PairOnLinks, h: f64) {
        let touching = p.touching() > 0;
        self.touches = self.touches_with(touching);
        let (gap, rate) = p.nearest().map_or((f64::INFINITY, 0.0), |c| (c.gap, c.gap_rate));
        let depth =
            if self.touching && touching { deepest((self.gap, self.gap_rate), (gap, rate), h) } else { -gap };
        self.penetration = self.penetration.max(depth);
        if rate < 0.0 {
            self.way = self.way.max(-rate * h);
        }
        (self.touching, self.gap, self.gap_rate) = (touching, gap, rate);
        self.energy = p.force.elastic_energy;
    }
}

/// Deepest penetration between two states: of the cubic that has their gaps and rates.
fn deepest((g0, v0): (f64, f64), (g1, v1): (f64, f64), h: f64) -> f64 {
    let ends = (-g0).max(-g1);
    if !(v0 < 0.0 && v1 > 0.0) || h <= 0.0 {
        return ends;
    }
    // g(s) = g0 + a s + b s² + c s³ on [0, 1]; its least where a + 2 b s + 3 c s² = 0 with rising slope.
    let (a, rise) = (v0 * h, g1 - g0);
    let (b, c) = (3.0 * rise - (2.0 * v0 + v1) * h, (v0 + v1) * h - 2.0 * rise);
    let root = (b * b - 3.0 * a * c).max(0.0).sqrt();
    let s = (-a / (b + root)).clamp(0.0, 1.0);
    ends.max(-(g0 + s * (a + s * (b + s * c))))
}

impl Extremes {
    /// Nothing booked yet.
    pub fn new(system: &System) -> Extremes {
        Extremes {
            soil: vec![SoilExtremes::default(); system.soil_bodies.len()],
            tyres: vec![TyreExtremes::default(); system.tyres.len()],
            pairs: vec![PairExtremes::default(); system.pairs.len()],
            polygonal: vec![PolygonalExtremes::default(); system.polygonal.len()],
            booms: vec![BoomExtremes::default(); system.booms.len()],
            flexible: vec![FlexExtremes::default(); system.flexible.len()],
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
        self.booms.iter_mut().zip(&system.booms).for_each(|(e, boom)| e.book(boom));
        self.flexible.iter_mut().zip(&system.flexible).for_each(|(e, part)| e.book(part));
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

    /// Books the smooth contacts after rows inside the step were recorded, which count touches from the step's beginning. The accepted state must
    /// stand in the system.
    pub fn book_pairs(&mut self, system: &System, h: f64) {
        self.pairs.iter_mut().zip(&system.pairs).for_each(|(e, p)| e.book(p, h));
    }

    /// Energy that touching candidates took with them when they were lost in this step, J: no force gave it back.
    pub fn book_lost(&mut self, system: &System) -> f64 {
        let lost = |(e, p): (&mut PairExtremes, &PairOnLinks)| {
            let lost = if p.force.out_of_range > 0 { e.energy - p.force.elastic_energy } else { 0.0 };
            e.jumps += lost.abs();
            e.energy = p.force.elastic_energy;
            lost
        };
        self.pairs.iter_mut().zip(&system.pairs).map(lost).sum()
    }

    /// Energy that went with the candidates that a commit let go, less that of those it found, J.
    pub fn book_found(&mut self, system: &System) -> f64 {
        let gone = |(e, p): (&mut PairExtremes, &PairOnLinks)| {
            let gone = e.energy - p.force.elastic_energy;
            e.jumps += gone.abs();
            e.energy = p.force.elastic_energy;
            gone
        };
        self.pairs.iter_mut().zip(&system.pairs).map(gone).sum()
    }
}
