//! Force elements and drives: wrenches on bodies, generalised forces, powers, and their weighted tangents.
//!
//! Every element books its stored energy, its dissipation and its supplied power, so that
//! d(kinetic + potential + elastic)/dt = drives + loads − dissipated holds identically.

use super::constraint::{Side, coordinate, rate_index};
use super::limited::{Branch, bounded};
use super::model::{BodyOnLink, Model, WORLD};
use super::push::{add_block, add_dead_force, add_point_pair, lever_block};
use super::tangent::Weights;
use super::{Cache, bushing, stops};
use crate::description::{Acts, Attachment, Command, DriveKind, ElementKind, Gravity};
use std::ops::AddAssign;
use touchdown_math::{Elementary, Mat3, Vec3, Wrench};

/// Energy stored and powers exchanged by the elements at one instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Powers {
    /// Energy stored in springs, J.
    pub elastic: f64,
    /// Power dissipated in dampers and friction, W.
    pub dissipated: f64,
    /// Power supplied by drives and actuators, W.
    pub drives: f64,
    /// Power supplied by given loads, W.
    pub loads: f64,
}

impl AddAssign for Powers {
    fn add_assign(&mut self, other: Powers) {
        self.elastic += other.elastic;
        self.dissipated += other.dissipated;
        self.drives += other.drives;
        self.loads += other.loads;
    }
}

/// State and time at which the elements are evaluated.
#[derive(Clone, Copy, Debug)]
pub struct At<'a> {
    /// Time, s.
    pub t: f64,
    /// Coordinates.
    pub q: &'a [f64],
    /// Rates.
    pub v: &'a [f64],
    /// Rolling radius of the tyre that each drive turns, m; only `RimSpeed` drives read it.
    pub rolling_radius: &'a [f64],
    /// Present correction of the target rate of each `RimSpeed` drive, rad/s.
    pub correction: &'a [f64],
}

/// Adds all elements, drives and central gravity to `W_body` and `tau`; with weights also to the tangents `E`, `E_pair` and `e`.
pub fn update(model: &Model, at: &At, weights: Option<Weights>, cache: &mut Cache) -> Powers {
    let mut powers = Powers::default();
    let w = weights.unwrap_or(Weights { a: 0.0, v: 0.0, q: 0.0 });
    for (i, element) in model.elements.iter().enumerate() {
        let mut own = Powers::default();
        match &element.kind {
            ElementKind::Spring { a, b, .. } | ElementKind::Actuator { a, b, .. } => {
                let branch = cache.branches[model.drives.len() + i];
                line_element(model, at, (&element.kind, branch), (a, b), w, cache, &mut own);
            }
            ElementKind::Bushing { a, b, stiffness, damping } => {
                bushing::update(model, (a, b), (stiffness, damping), w, cache, &mut own);
            }
            ElementKind::Load { at: frame, force, torque, follows_body } => {
                let side = Side::new(model, cache, frame);
                let R = if *follows_body && side.link != WORLD {
                    cache.R_WL[side.link] * frame.X_BF.R
                } else {
                    Mat3::identity()
                };
                let value = |s: &[touchdown_math::Signal; 3]| {
                    R * Vec3::new(s[0].value(at.t), s[1].value(at.t), s[2].value(at.t))
                };
                let (f, m) = (value(force), value(torque));
                own.loads += f.dot(&side.velocity(cache)) + m.dot(&side.V.w);
                if let Some(body) = frame.body {
                    cache.W_body[body] +=
                        Wrench::force_at(f, &(side.p_W - cache.c)) + Wrench::new(m, Vec3::zeros());
                    add_dead_force(cache, &side, &f, w.q);
                }
            }
            joint_element => {
                let held = (cache.branches[model.drives.len() + i], cache.steps_book_stops);
                update_joint_element(model, at, (joint_element, held), w, cache, &mut own);
            }
        }
        powers += own;
        cache.parts.book_element(i, own);
    }
    for (i, drive) in model.drives.iter().enumerate() {
        if at.t >= drive.active_from {
            let force = drive_on_branch(model, i, at, cache.branches[i]);
            if let Some(k) = rate_index(model, drive.axis) {
                cache.tau[k] += force.value;
                if weights.is_some() {
                    cache.e[k] += w.q * force.stiffness + w.v * force.damping;
                }
                let power = force.value * at.v[k];
                powers.drives += power;
                cache.parts.book_drive(i, power);
            }
        }
    }
    add_central_gravity(model, w.q, cache);
    powers
}

/// A force on one coordinate with minus its derivatives.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AxisForce {
    /// N or N m.
    pub value: f64,
    /// −∂F/∂q.
    pub stiffness: f64,
    /// −∂F/∂v.
    pub damping: f64,
}

/// The force of drive `i` at this instant, zero before it is active or on a locked joint.
pub fn drive_force(model: &Model, i: usize, at: &At) -> AxisForce {
    drive_on_branch(model, i, at, Branch::Own)
}

/// The same on a branch of its law.
pub(super) fn drive_on_branch(model: &Model, i: usize, at: &At, branch: Branch) -> AxisForce {
    let drive = &model.drives[i];
    let Some(k) = rate_index(model, drive.axis) else { return AxisForce::default() };
    if at.t < drive.active_from {
        return AxisForce::default();
    }
    let (x, rate) = (coordinate(model, drive.axis, at.q), at.v[k]);
    match &drive.kind {
        DriveKind::Follow(command) => follow(command, at.t, (x, rate), branch),
        DriveKind::RimSpeed { speed, gain, limit, .. } => {
            let target = speed.value(at.t) / at.rolling_radius[i] + at.correction[i];
            bounded(speed_law(*gain, target - rate), *limit, branch)
        }
        DriveKind::Lock => AxisForce::default(),
    }
}

fn follow(command: &Command, t: f64, (x, rate): (f64, f64), branch: Branch) -> AxisForce {
    match command {
        Command::Force(signal) => AxisForce { value: signal.value(t), stiffness: 0.0, damping: 0.0 },
        Command::Speed { target, gain, limit } => {
            bounded(speed_law(*gain, target.value(t) - rate), *limit, branch)
        }
        Command::Position { target, stiffness, damping, limit } => {
            let [goal, goal_rate, _] = target.jet(t);
            let value = stiffness * (goal - x) + damping * (goal_rate - rate);
            bounded(AxisForce { value, stiffness: *stiffness, damping: *damping }, *limit, branch)
        }
    }
}

fn speed_law(gain: f64, lag: f64) -> AxisForce {
    AxisForce { value: gain * lag, stiffness: 0.0, damping: gain }
}

/// The push of an actuator between its points, on a branch of its law; nothing for other elements.
pub(super) fn actuator_force(
    model: &Model,
    cache: &Cache,
    at: &At,
    kind: &ElementKind,
    branch: Branch,
) -> AxisForce {
    let ElementKind::Actuator { a, b, command, .. } = kind else { return AxisForce::default() };
    let line = Line::new(cache, &Side::new(model, cache, a), &Side::new(model, cache, b));
    follow(command, at.t, (line.length, line.rate), branch)
}

/// Springs and actuators along the line between two points.
fn line_element(
    model: &Model,
    at: &At,
    (kind, branch): (&ElementKind, Branch),
    (a, b): (&Attachment, &Attachment),
    w: Weights,
    cache: &mut Cache,
    powers: &mut Powers,
) {
    let (sa, sb) = (Side::new(model, cache, a), Side::new(model, cache, b));
    let line = Line::new(cache, &sa, &sb);
    let tension = match kind {
        ElementKind::Spring { .. } => spring_tension(kind, at.t, &line, powers),
        ElementKind::Actuator { command, .. } => {
            let push = follow(command, at.t, (line.length, line.rate), branch);
            powers.drives += push.value * line.rate;
            AxisForce { value: -push.value, stiffness: push.stiffness, damping: push.damping }
        }
        _ => return,
    };
    let along = line.n * line.n.transpose();
    let slope = tension.stiffness * w.q + tension.damping * w.v;
    // Points that coincide have no direction to turn: the transverse stiffness F/L is left out there.
    let transverse = if line.length > 0.0 { w.q * tension.value / line.length } else { 0.0 };
    let stiffness = along * slope + (Mat3::identity() - along) * transverse;
    add_point_pair(cache, &sa, &sb, line.n * -tension.value, Some(stiffness), w.q);
}

/// Geometry of the line between two points.
struct Line {
    n: Vec3,
    length: f64,
    rate: f64,
}

impl Line {
    fn new(cache: &Cache, a: &Side, b: &Side) -> Line {
        let d = b.p_W - a.p_W;
        let length = d.norm();
        let n = if length > 0.0 { d / length } else { Vec3::zeros() };
        Line { n, length, rate: n.dot(&(b.velocity(cache) - a.velocity(cache))) }
    }
}

/// Tension of a spring (positive pulls the ends together) with its derivatives by length and rate.
fn spring_tension(kind: &ElementKind, t: f64, line: &Line, powers: &mut Powers) -> AxisForce {
    let ElementKind::Spring { stiffness, damping, rest_length, preload, acts, slack_until, .. } = kind else {
        return AxisForce::default();
    };
    if t < *slack_until {
        return AxisForce::default();
    }
    let stretch = line.length - rest_length;
    let elastic = stiffness * stretch + preload;
    let allowed = |f: f64| match acts {
        Acts::BothWays => true,
        Acts::PullsOnly => f > 0.0,
        Acts::PushesOnly => f < 0.0,
    };
    if !allowed(elastic) {
        return AxisForce::default();
    }
    // Energy measured from the force-free stretch, so that it is never negative.
    let energy = if *stiffness > 0.0 { elastic * elastic / (2.0 * stiffness) } else { preload * stretch };
    powers.elastic += energy;
    let total = elastic + damping * line.rate;
    if allowed(total) {
        powers.dissipated += damping * line.rate * line.rate;
        AxisForce { value: total, stiffness: *stiffness, damping: *damping }
    } else {
        // The damper alone would reverse the force: it is clamped at zero and the released energy is
        // dissipated.
        powers.dissipated -= elastic * line.rate;
        AxisForce::default()
    }
}

/// Springs, stops and friction on one joint coordinate.
fn update_joint_element(
    model: &Model,
    at: &At,
    (kind, held): (&ElementKind, (Branch, bool)),
    w: Weights,
    cache: &mut Cache,
    powers: &mut Powers,
) {
    let axis = match kind {
        ElementKind::JointSpring { axis, .. }
        | ElementKind::JointLimit { axis, .. }
        | ElementKind::JointFriction { axis, .. } => *axis,
        _ => return,
    };
    let Some(k) = rate_index(model, axis) else { return };
    let (x, rate) = (coordinate(model, axis, at.q), at.v[k]);
    let force = match kind {
        ElementKind::JointSpring { stiffness, damping, rest, .. } => {
            powers.elastic += 0.5 * stiffness * (x - rest) * (x - rest);
            powers.dissipated += damping * rate * rate;
            AxisForce {
                value: -stiffness * (x - rest) - damping * rate,
                stiffness: *stiffness,
                damping: *damping,
            }
        }
        ElementKind::JointLimit { .. } => stops::update(kind, (x, rate), held, powers),
        ElementKind::JointFriction { coulomb, viscous, transition, .. } => {
            let s = rate.hypotenuse(*transition);
            let force = coulomb * rate / s + viscous * rate;
            powers.dissipated += force * rate;
            let slope = coulomb * transition * transition / (s * s * s) + viscous;
            AxisForce { value: -force, stiffness: 0.0, damping: slope }
        }
        _ => return,
    };
    cache.tau[k] += force.value;
    cache.e[k] += w.q * force.stiffness + w.v * force.damping;
}

/// Attraction of every body's centre of mass to a point.
fn add_central_gravity(model: &Model, wq: f64, cache: &mut Cache) {
    let Gravity::Central { centre, mu } = model.gravity else { return };
    for (i, body) in model.bodies.iter().enumerate() {
        if body.link == WORLD {
            continue;
        }
        let p_W = cache.p_WL[body.link] + cache.R_WL[body.link] * body.X_LB.point(&body.com);
        let r = p_W - centre;
        let distance = r.norm();
        let f = r * (-mu * body.mass / (distance * distance * distance));
        cache.W_body[i] += Wrench::force_at(f, &(p_W - cache.c));
        if wq != 0.0 {
            let n = r / distance;
            let slope = (Mat3::identity() - n * n.transpose() * 3.0)
                * (wq * mu * body.mass / distance.whole_power(3));
            let side = Side { link: body.link, body: Some(i), p_W, V: cache.V[body.link] };
            add_dead_force(cache, &side, &f, wq);
            let arm = p_W - cache.c;
            add_block(cache, body.link, body.link, &lever_block(&arm, &slope, &arm));
        }
    }
}

/// Potential energy of gravity of all moving bodies, J (zero at the world's origin, or at infinity).
pub fn gravity_energy(model: &Model, cache: &Cache) -> f64 {
    match model.gravity {
        Gravity::Uniform(g) => -cache.I.iter().map(|I| g.dot(&(I.h + cache.c * I.m))).sum::<f64>(),
        Gravity::Central { centre, mu } => {
            let moving = model.bodies.iter().filter(|b| b.link != WORLD);
            moving.map(|b| attraction_energy(cache, b, &centre, mu)).sum()
        }
    }
}

/// The same for each link separately, with the link's index.
pub fn gravity_energy_of_links(model: &Model, cache: &Cache, mut each: impl FnMut(usize, f64)) {
    match model.gravity {
        Gravity::Uniform(g) => {
            cache.I.iter().enumerate().for_each(|(i, I)| each(i, -g.dot(&(I.h + cache.c * I.m))));
        }
        Gravity::Central { centre, mu } => {
            let moving = model.bodies.iter().filter(|b| b.link != WORLD);
            moving.for_each(|b| each(b.link, attraction_energy(cache, b, &centre, mu)));
        }
    }
}

fn attraction_energy(cache: &Cache, b: &BodyOnLink, centre: &Vec3, mu: f64) -> f64 {
    let p = cache.p_WL[b.link] + cache.R_WL[b.link] * b.X_LB.point(&b.com);
    -mu * b.mass / (p - centre).norm()
}

/// Tension (N) and length (m) of a spring or actuator, for recording.
pub fn line_force(model: &Model, cache: &Cache, at: &At, element: usize) -> Option<(f64, f64)> {
    let kind = &model.elements[element].kind;
    let (ElementKind::Spring { a, b, .. } | ElementKind::Actuator { a, b, .. }) = kind else { return None };
    let line = Line::new(cache, &Side::new(model, cache, a), &Side::new(model, cache, b));
    let tension = match kind {
        ElementKind::Actuator { command, .. } => {
            -follow(command, at.t, (line.length, line.rate), Branch::Own).value
        }
        _ => spring_tension(kind, at.t, &line, &mut Powers::default()).value,
    };
    Some((tension, line.length))
}
