//! The anchor of one element: displacement of the soil's skeleton, elastic below yield. Pure.

use super::params::IntrusionSoil;
use crate::soil::direction::traction;
use touchdown_math::{Elementary, Mat3, Vec3, rotation};

/// Slower than this an element has no direction of motion, m/s.
const STILL: f64 = 1e-12;

/// An element where it is: depth, axes and motion.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub depth: f64,
    /// Outward normal of the element, and up out of the ground.
    pub n: Vec3,
    pub up: Vec3,
    pub v: Vec3,
}

/// Result of an anchor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    /// Displacement at the end of the step, m, and its rate, m/s.
    pub e: Vec3,
    pub rate: Vec3,
    /// Whether all of the motion is taken up elastically.
    pub holds: bool,
    /// Traction on the element, Pa.
    pub traction: Vec3,
    /// Its derivative by the velocity, and its relative growth with depth, 1/m.
    pub by_velocity: Mat3,
    pub by_depth: f64,
}

impl Held {
    fn free(base: &Vec3, h: f64) -> Held {
        let zero = Vec3::zeros();
        let rate = if h > 0.0 { -base / h } else { zero };
        let holds = *base == zero;
        Held { e: zero, rate, holds, traction: zero, by_velocity: Mat3::zeros(), by_depth: 0.0 }
    }
}

/// Yield traction of an element that moves along a unit vector, Pa.
pub(super) fn yield_traction(soil: &IntrusionSoil, place: &Place, along: &Vec3) -> Vec3 {
    // The law's vertical is the normal of the ground.
    let turn = if place.up.z < 1.0 { rotation::onto(&place.up, &Vec3::z()) } else { Mat3::identity() };
    let (n, v) = (turn * place.n, turn * along);
    let whole = turn.transpose() * traction(&n, &v) * soil.pressure(place.depth);
    // Soil presses; its friction on the surface limits the tangential part.
    let pressing = whole.dot(&place.n).min(0.0);
    let rubbing = whole - place.n * whole.dot(&place.n);
    let (most, size) = (-soil.friction_angle.tangent() * pressing, rubbing.norm());
    let rubbing = if size > most { rubbing * (most / size) } else { rubbing };
    let sum = place.n * pressing + rubbing;
    // It never drives.
    sum - along * sum.dot(along).max(0.0)
}

/// Displacement, rate and traction for a motion, from the displacement before: with h = 0 the continuous form, else the solution of e = base + h ė.
pub(super) fn hold(soil: &IntrusionSoil, place: &Place, base: &Vec3, h: f64) -> Held {
    if place.depth <= 0.0 {
        return Held::free(base, h);
    }
    let k = soil.elastic_stiffness;
    let speed = place.v.norm();
    if speed < STILL {
        let e = pressed(soil, *base, &place.n);
        let by_velocity = -follows(soil, base, &place.n) * (k * (h + soil.relaxation));
        let holds = e == *base;
        return Held { e, rate: Vec3::zeros(), holds, traction: -e * k, by_velocity, by_depth: 0.0 };
    }
    let along = place.v / speed;
    let trial = base + place.v * h;
    let reached = trial.dot(&along);
    // A face that leaves the soil has no yield: it unloads, and its remaining pressure limits its friction.
    let leaves = place.n.dot(&along) < 0.0;
    let steady = if leaves { Vec3::zeros() } else { -yield_traction(soil, place, &along) / k };
    let limit = steady.dot(&along);
    if leaves || reached < limit {
        let e = pressed(soil, trial, &place.n);
        // With the anchor the damping stays below yield.
        let room = k * (limit - reached).max(0.0);
        let damping = if leaves { 0.0 } else { (k * soil.relaxation * speed).min(room) };
        let free = if !leaves && damping < room { k * soil.relaxation } else { 0.0 };
        let by_velocity = -follows(soil, &trial, &place.n) * (k * h + free);
        let rate = if h > 0.0 { (e - base) / h } else { place.v };
        let traction = pushed(-e * k - along * damping, &place.n);
        let holds = !leaves && e == trial;
        return Held { e, rate, holds, traction, by_velocity, by_depth: 0.0 };
    }
    let (across, steady_across) = (trial - along * reached, steady - along * limit);
    let length = steady.norm().max(steady_across.norm_squared() / (4.0 * limit).max(f64::MIN_POSITIVE));
    let e = if h > 0.0 {
        // The part of the step beyond yield.
        let slid = (reached - limit).min(h * speed);
        // Backward Euler, which dissipates as the continuous form does.
        let left = if length > 0.0 { length / (length + slid) } else { 0.0 };
        pressed(soil, along * limit + steady_across + (across - steady_across) * left, &place.n)
    } else {
        pressed(soil, *base, &place.n)
    };
    let rate = if h > 0.0 {
        (e - base) / h
    } else {
        let ease = if length > 0.0 { speed / length } else { 0.0 };
        -(across - steady_across) * ease - along * ((reached - limit) * ease)
    };
    let turning = k * h.min(limit / speed);
    let by_velocity = (along * along.transpose() - Mat3::identity()) * turning;
    let by_depth = soil.exponent / place.depth;
    Held { e, rate, holds: false, traction: -e * k, by_velocity, by_depth }
}

/// Soil does not pull, and its pressure limits its friction: any displacement beyond is removed.
fn pressed(soil: &IntrusionSoil, e: Vec3, n: &Vec3) -> Vec3 {
    let into = e.dot(n).max(0.0);
    let across = e - n * e.dot(n);
    let (most, size) = (soil.friction_angle.tangent() * into, across.norm());
    n * into + if size > most { across * (most / size) } else { across }
}

/// How a displacement follows a motion: fully while it presses and sticks, only along the normal where it
/// slides, not at all where it would pull.
fn follows(soil: &IntrusionSoil, e: &Vec3, n: &Vec3) -> Mat3 {
    let into = e.dot(n);
    let across = (e - n * into).norm();
    if into <= 0.0 {
        Mat3::zeros()
    } else if across > soil.friction_angle.tangent() * into {
        n * n.transpose()
    } else {
        Mat3::identity()
    }
}

/// A pressing traction, or the part of it along the face.
fn pushed(traction: Vec3, n: &Vec3) -> Vec3 {
    traction - n * traction.dot(n).max(0.0)
}
