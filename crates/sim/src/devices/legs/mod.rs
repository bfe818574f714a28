//! A controller of a legged machine.
//!
//! | file | holds |
//! |---|---|
//! | `rhythm` | phases of the gaits, the path of a foot in the air |
//! | `robot` | places and speeds of joints, feet and mass; a force of a foot ⇒ torques |
//! | `balance` | wrench on the body ⇒ forces of the feet that stand |
//!
//! At each tick: commanded velocity ⇒ target of the body ⇒ the wrench that brings its height, lean and
//! velocity there (virtual model control: J. Pratt et al., Int. J. Robotics Research 20, 2001) ⇒ forces of
//! the feet on the ground ⇒ torques of their legs. A foot in the air is moved along its path to a foothold
//! below the middle of the next stance, shifted forward if the body is too fast (M. H. Raibert,
//! Legged Robots That Balance, 1986). Torques are held between ticks, within the limits of the motors. A
//! machine that leans by more than 60 degrees goes limp: its joints are only damped.

mod balance;
mod rhythm;
mod robot;

use super::bus::Port;
use super::sampled::check_rate;
use super::wiring::Wiring;
use super::{Bus, DeviceError, Effect, Now, Seen, Shown, Tick};
use crate::description::{Ground, InputTarget, LegController, LegGait, WorldDescription};
use crate::engine::gravity::up;
use crate::sink::Column;
use balance::{Support, distribute};
use rhythm::{offsets, swing};
use robot::{Robot, Whole};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use touchdown_math::{Elementary, Mat3, Pose, Vec3, rotation};
use touchdown_multibody::description::Gravity;
use touchdown_multibody::rigid::kinematics;
use touchdown_spacecraft::clock::Clock;

/// Most legs of a machine.
pub(super) const MOST_LEGS: usize = 8;
/// Largest lag of the body behind its target, m; beyond it the target waits.
const LEASH: f64 = 0.05;
/// Natural frequency of the body along the ground over that of its lean.
const LEVEL: f64 = 0.4;
/// Shares of critical damping: of the body, of a foot in the air.
const BODY_DAMPING: f64 = 0.9;
const FOOT_DAMPING: f64 = 0.8;
/// Share of a leg's mass that is effective at its foot.
const FOOT_MASS: f64 = 0.4;
/// Least and largest share of a stance over which a foot takes up and releases its load; and the least load,
/// over a full one.
const RAMP: [f64; 2] = [0.05, 0.3];
const LEAST_SHARE: f64 = 0.02;
/// A foot within this share of its distance from the body's middle is in its place and need not step: more than a round foot rolls and slides while it takes up its load.
const IN_PLACE: f64 = 0.15;
/// Forward shift of a foothold for each m/s of excess speed, over the time √(height/gravity), and its limit
/// over the height.
const AHEAD: f64 = 0.5;
const FARTHEST: f64 = 0.25;
/// Depth below the ground of the end of a foot's path, m, so that contact is certain.
const BELOW: f64 = 0.005;
/// Vertical force on the body between these parts of its weight.
const WEIGHTS: [f64; 2] = [0.3, 1.8];
/// Lean from which it goes limp: its cosine. And the damping then, as the time in which a torque at its limit brings a joint to 1 rad/s.
const LIMP: f64 = 0.5;
const LIMP_DAMPING: f64 = 0.05;

/// Signals: suffix, unit, meaning.
const SIGNALS: [(&str, &str, &str); 6] = [
    ("forward_m_per_s", "m/s", "velocity forwards that it follows"),
    ("sideways_m_per_s", "m/s", "velocity to the left that it follows"),
    ("turn_rad_per_s", "rad/s", "rate of turn to the left that it follows"),
    ("height_m", "m", "height of the body's origin over the ground that it follows"),
    ("feet_planned", "1", "feet that stand by its plan"),
    ("limp", "1", "1 while its joints are damped and nothing else, because it leans by more than 60 deg"),
];

/// A leg: its inputs with their limits, and its rhythm.
#[derive(Clone, Debug)]
struct Leg {
    inputs: Vec<(usize, f64)>,
    /// Coordinates and rates of its joints.
    coordinates: Vec<(usize, usize)>,
    rest: Vec<f64>,
    stance: Vec3,
    offset: f64,
}

/// A controller.
#[derive(Clone, Debug)]
pub(crate) struct Legs {
    is: LegController,
    robot: Robot,
    legs: Vec<Leg>,
    ground: Option<Arc<Ground>>,
    /// Inputs that replace velocity and height, if commanded.
    instead: [Option<usize>; 4],
    out: [Port; 6],
    shown: Shown<usize>,
}

/// Memory of a leg: where its foot left the ground, while it swings; its share of the load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct LegState {
    share: f64,
    from: Option<[f64; 3]>,
}

/// What it remembers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct LegsState {
    clock: Clock,
    last: Option<f64>,
    phase: f64,
    velocity: [f64; 3],
    /// Target of the body: x, y, height above the ground, heading.
    place: Option<[f64; 4]>,
    legs: Vec<LegState>,
    torques: Vec<f64>,
}

/// Data of a tick.
struct Moment<'a> {
    now: &'a Now<'a>,
    dt: f64,
    X_WB: Pose,
    v: Vec3,
    w: Vec3,
    gravity: Vec3,
    whole: Whole,
    /// Rotation about the vertical by the target heading.
    heading: Mat3,
}

impl Legs {
    /// That of a description.
    pub fn new(
        controller: &LegController,
        (index, device): (usize, &str),
        world: &WorldDescription,
        system: &crate::engine::system::System,
        wiring: &mut Wiring,
    ) -> Result<(Legs, LegsState), DeviceError> {
        check_rate(device, controller.rate)?;
        check_numbers(controller, device)?;
        let inputs = &world.inputs;
        let hips: Vec<[f64; 2]> = controller.legs.iter().map(|leg| leg.hip).collect();
        let ahead = offsets(controller.gait, &hips);
        let mut legs = Vec::with_capacity(controller.legs.len());
        for (leg, offset) in controller.legs.iter().zip(ahead) {
            let find = |joint: &crate::description::ControlledJoint| {
                let input = inputs.iter().position(|input| input.name == joint.input).ok_or_else(|| {
                    let known = inputs.iter().map(|input| input.name.clone()).collect();
                    DeviceError::NoInput { device: device.into(), input: joint.input.clone(), known }
                })?;
                Ok((input, joint.limit.min(inputs[input].upper)))
            };
            let at = |joint: &crate::description::ControlledJoint| {
                let compiled = &system.model.joints[joint.joint];
                (compiled.q, compiled.v)
            };
            legs.push(Leg {
                inputs: leg.joints.iter().map(find).collect::<Result<_, DeviceError>>()?,
                coordinates: leg.joints.iter().map(at).collect(),
                rest: leg.joints.iter().map(|joint| joint.rest).collect(),
                stance: Vec3::new(leg.stance[0], leg.stance[1], 0.0),
                offset,
            });
        }
        let Some(robot) = Robot::new(controller, world) else {
            let (device, what) = (device.into(), "the number of joints that neither turn nor slide");
            return Err(DeviceError::Number { device, what, found: 1.0, allowed: "0".into() });
        };
        let mut shown = Shown::new(device);
        for (k, (suffix, unit, about)) in SIGNALS.into_iter().enumerate() {
            shown.put(k, suffix, (unit, "-"), about);
        }
        let commanded = |part| inputs.iter().position(|input| input.target == InputTarget::Legs(index, part));
        let joints = legs.iter().map(|leg| leg.inputs.len()).sum();
        let state = LegsState {
            clock: Clock::new(controller.rate),
            last: None,
            phase: 0.0,
            velocity: [0.0; 3],
            place: None,
            legs: vec![LegState { share: 1.0, from: None }; legs.len()],
            torques: vec![0.0; joints],
        };
        let made = Legs {
            is: controller.clone(),
            robot,
            legs,
            ground: world.ground.clone().map(Arc::new),
            instead: [0, 1, 2, 3].map(commanded),
            out: wiring.write_all(SIGNALS.map(|(suffix, ..)| suffix)),
            shown,
        };
        Ok((made, state))
    }

    /// Height of the ground at a place; level with the world where there is none.
    fn ground(&self, p: &Vec3) -> f64 {
        self.ground.as_ref().and_then(|ground| ground.height(p.x, p.y)).map_or(0.0, |(z, _)| z)
    }

    /// Target velocity and height: commanded, or as described.
    fn wanted(&self, now: &Now) -> [f64; 4] {
        let [forward, sideways, turn] = self.is.velocity;
        let own = if now.t >= self.is.start { [forward, sideways, turn] } else { [0.0; 3] };
        let mut wanted = [own[0], own[1], own[2], self.is.height];
        for (wanted, input) in wanted.iter_mut().zip(self.instead) {
            let commanded = input.and_then(|input| now.system.inputs[input]);
            *wanted = commanded.map_or(*wanted, |commanded| commanded.value);
        }
        wanted
    }

    /// Advances velocity and position towards the target; returns the position.
    fn follow(
        &self,
        state: &mut LegsState,
        wanted: [f64; 4],
        (X_WB, under, dt): (&Pose, f64, f64),
    ) -> [f64; 4] {
        let yaw = X_WB.R[(1, 0)].arctangent2(X_WB.R[(0, 0)]);
        let reach = self.legs.iter().map(|leg| leg.stance.norm()).fold(0.0, f64::max);
        let change = self.is.acceleration * dt;
        let changes = [change, change, change / reach];
        for ((is, wanted), change) in state.velocity.iter_mut().zip(wanted).zip(changes) {
            *is += (wanted - *is).clamp(-change, change);
        }
        let [x, y, height, heading] = state.place.unwrap_or([X_WB.p.x, X_WB.p.y, X_WB.p.z - under, yaw]);
        let [forward, sideways, turn] = state.velocity;
        let (s, c) = heading.sine_cosine();
        let mut to =
            Vec3::new(x + (forward * c - sideways * s) * dt, y + (forward * s + sideways * c) * dt, 0.0);
        let lag = to - Vec3::new(X_WB.p.x, X_WB.p.y, 0.0);
        if lag.norm() > LEASH {
            to -= lag * (1.0 - LEASH / lag.norm());
        }
        let rise = (wanted[3] - height).clamp(-self.is.rise * dt, self.is.rise * dt);
        let place = [to.x, to.y, height + rise, heading + turn * dt];
        state.place = Some(place);
        place
    }

    /// Torque about the centre of mass and force that bring the body to its place, level and with its heading.
    fn wrench(&self, at: &Moment, velocity: [f64; 3], place: [f64; 4], under: f64) -> (Vec3, Vec3) {
        let omega = self.is.body_frequency;
        let (level, damped) = (LEVEL * omega, 2.0 * BODY_DAMPING);
        let v = at.heading * Vec3::new(velocity[0], velocity[1], 0.0);
        let weight = at.gravity.norm();
        let off = Vec3::new(place[0] - at.X_WB.p.x, place[1] - at.X_WB.p.y, 0.0);
        let mut a = (off * level + (v - at.v) * damped) * level;
        let z = omega * (omega * (under + place[2] - at.X_WB.p.z) - damped * at.v.z);
        // Along the ground at most the friction.
        let most = self.is.friction * weight;
        let size = a.xy().norm();
        a *= if size > most { most / size } else { 1.0 };
        let [least, largest] = WEIGHTS;
        a.z = z.clamp((least - 1.0) * weight, (largest - 1.0) * weight);
        let turn: Vec3 = (0..3).map(|k| at.X_WB.R.column(k).cross(&at.heading.column(k)) * 0.5).sum();
        let spin = Vec3::z() * velocity[2] - at.w;
        let torque = at.whole.inertia * ((turn * omega + spin * damped) * omega);
        (torque, (a - at.gravity) * self.robot.mass)
    }

    /// Foothold of a leg, if the body continues its motion for a time and then stands over it for another.
    fn foothold(
        &self,
        k: usize,
        at: &Moment,
        (velocity, place): ([f64; 3], [f64; 4]),
        (until, stand): (f64, f64),
    ) -> Vec3 {
        let wanted = at.heading * Vec3::new(velocity[0], velocity[1], 0.0);
        let v = Vec3::new(at.v.x, at.v.y, 0.0);
        let ahead = AHEAD * (place[2].max(0.0) / at.gravity.norm().max(f64::MIN_POSITIVE)).sqrt();
        let correction = (v - wanted) * ahead;
        let most = FARTHEST * place[2].max(0.0);
        let part = if correction.norm() > most { most / correction.norm() } else { 1.0 };
        let turned = rotation::about_axis(&Vec3::z(), velocity[2] * (until + 0.5 * stand)) * at.heading;
        let mut p =
            at.X_WB.p + turned * self.legs[k].stance + v * until + wanted * (0.5 * stand) + correction * part;
        p.z = self.ground(&p) + self.robot.limbs[k].above - BELOW;
        p
    }

    /// Advances the rhythm; returns the progress of each leg's swing, if any.
    fn step(&self, state: &mut LegsState, at: &Moment) -> [Option<f64>; MOST_LEGS] {
        let mut swings = [None; MOST_LEGS];
        if self.is.gait == LegGait::Stand {
            return swings;
        }
        let (period, duty) = (self.is.period, self.is.duty);
        let goes = state.velocity.iter().any(|v| *v != 0.0);
        let before = state.phase;
        state.phase = (before + at.dt / period) % 1.0;
        let ramp = ((duty - 0.5) / duty).clamp(RAMP[0], RAMP[1]);
        for (k, leg) in self.legs.iter().enumerate() {
            let share = |phase: f64| (phase + leg.offset) % 1.0;
            let (was, is) = (share(before), share(state.phase));
            let (p, _) = self.robot.foot(&self.robot.limbs[k], at.now.system);
            let own = &mut state.legs[k];
            let off = (p - at.X_WB.p - at.heading * leg.stance).xy().norm();
            let steps = goes || off > IN_PLACE * leg.stance.norm();
            if is < duty {
                own.from = None;
                let (up, down) = (is / duty / ramp, (1.0 - is / duty) / ramp);
                let first = if own.share < 1.0 { up } else { 1.0 };
                let wanted = if steps { first.min(down) } else { first };
                own.share = wanted.clamp(LEAST_SHARE, 1.0);
            } else if own.from.is_some() || (was < duty && steps) {
                own.from = Some(own.from.unwrap_or(p.into()));
                swings[k] = Some((is - duty) / (1.0 - duty));
                own.share = 0.0;
            } else {
                own.share = 1.0;
            }
        }
        swings
    }

    /// Torques of all joints.
    fn act(&self, state: &mut LegsState, at: &Moment, place: [f64; 4], under: f64) -> f64 {
        let swings = self.step(state, at);
        let velocity = state.velocity;
        let mut supports = [Support { arm: Vec3::zeros(), share: 0.0 }; MOST_LEGS];
        for (k, limb) in self.robot.limbs.iter().enumerate().filter(|(k, _)| swings[*k].is_none()) {
            let sole = self.robot.foot(limb, at.now.system).0 - Vec3::z() * limb.above;
            supports[k] = Support { arm: sole - at.whole.com, share: state.legs[k].share };
        }
        let (torque, force) = self.wrench(at, velocity, place, under);
        let forces = distribute(&supports[..self.legs.len()], (&torque, &force), self.is.friction);
        let air = (1.0 - self.is.duty) * self.is.period;
        let mut first = 0;
        for (k, limb) in self.robot.limbs.iter().enumerate() {
            let (p, v) = self.robot.foot(limb, at.now.system);
            let (place_of, push) = match (swings[k], state.legs[k].from) {
                (Some(s), Some(from)) => {
                    let stand = self.is.duty * self.is.period;
                    let to = self.foothold(k, at, (velocity, place), ((1.0 - s) * air, stand));
                    let [to_p, to_v, to_a] = swing(&from.into(), &to, self.is.step_height, (s, air));
                    let omega = self.is.foot_frequency;
                    let a = ((to_p - p) * omega + (to_v - v) * (2.0 * FOOT_DAMPING)) * omega + to_a;
                    (p, a * (FOOT_MASS * limb.mass))
                }
                _ => (p - Vec3::z() * limb.above, -forces[k]),
            };
            let out = &mut state.torques[first..first + limb.hinges.len()];
            self.robot.torques(limb, at.now.system, (&place_of, &push), &at.gravity, out);
            self.keep_rest(k, at, out);
            first += limb.hinges.len();
        }
        swings[..self.legs.len()].iter().filter(|s| s.is_none()).count() as f64
    }

    /// A leg with more than three joints keeps to its position at rest by a tenth of the stiffness of its feet.
    fn keep_rest(&self, k: usize, at: &Moment, out: &mut [f64]) {
        let leg = &self.legs[k];
        if leg.inputs.len() <= 3 {
            return;
        }
        let (omega, mass) = (self.is.body_frequency, self.robot.limbs[k].mass);
        let inertia = 0.1 * mass * self.is.height * self.is.height;
        for ((torque, (q, v)), rest) in out.iter_mut().zip(&leg.coordinates).zip(&leg.rest) {
            let (q, v) = (at.now.q[*q], at.now.v[*v]);
            *torque += inertia * omega * (omega * (rest - q) - 2.0 * v);
        }
    }

    /// Only damps the joints.
    fn go_limp(&self, state: &mut LegsState, now: &Now) {
        let joints = self.legs.iter().flat_map(|leg| leg.inputs.iter().zip(&leg.coordinates));
        for (torque, ((_, limit), (_, v))) in state.torques.iter_mut().zip(joints) {
            *torque = -LIMP_DAMPING * limit.min(1e3) * now.v[*v];
        }
        state.place = None;
    }
}

fn check_numbers(controller: &LegController, device: &str) -> Result<(), DeviceError> {
    let error = |what, found, allowed: &str| {
        Err(DeviceError::Number { device: device.into(), what, found, allowed: allowed.into() })
    };
    if !(2..=MOST_LEGS).contains(&controller.legs.len()) {
        return error("the number of its legs", controller.legs.len() as f64, "2 to 8");
    }
    for (what, found) in [
        ("period", controller.period),
        ("height", controller.height),
        ("rise", controller.rise),
        ("acceleration", controller.acceleration),
        ("friction", controller.friction),
        ("body_frequency", controller.body_frequency),
        ("foot_frequency", controller.foot_frequency),
    ] {
        if !(found > 0.0 && found.is_finite()) {
            return error(what, found, "more than zero");
        }
    }
    if !(controller.duty > 0.0 && controller.duty < 1.0) {
        return error("duty", controller.duty, "between 0 and 1");
    }
    Ok(())
}

impl Tick for Legs {
    type State = LegsState;

    fn next_time(&self, state: &LegsState) -> f64 {
        state.clock.next_time()
    }

    fn tick(&self, state: &mut LegsState, now: &Now, bus: &mut Bus) -> Option<Effect> {
        state.clock.due(now.t)?;
        let (model, cache) = (&now.system.model, &now.system.cache);
        let X_WB = kinematics::body_pose(model, cache, self.robot.body);
        let V = kinematics::body_velocity(model, cache, Some(self.robot.body));
        let dt = state.last.map_or(0.0, |last| now.t - last);
        state.last = Some(now.t);
        let stances = self.legs.iter().map(|leg| self.ground(&X_WB.point(&leg.stance)));
        let under = stances.sum::<f64>() / self.legs.len() as f64;
        let wanted = self.wanted(now);
        let limp = X_WB.R.column(2).dot(&up(&model.gravity, &X_WB.p)) < LIMP;
        let place = self.follow(state, wanted, (&X_WB, under, dt));
        let planned = if limp {
            self.go_limp(state, now);
            0.0
        } else {
            let at = Moment {
                now,
                dt,
                X_WB,
                v: kinematics::point_velocity(cache, &V, &X_WB.p),
                w: V.w,
                gravity: gravity(&model.gravity),
                whole: self.robot.whole(now.system),
                heading: rotation::about_axis(&Vec3::z(), place[3]),
            };
            self.act(state, &at, place, under)
        };
        let [forward, sideways, turn] = state.velocity;
        let said = [forward, sideways, turn, place[2], planned, f64::from(u8::from(limp))];
        bus.set_all(&self.out, Some(said));
        Some(Effect::default())
    }

    fn command(&self, state: &LegsState, _: &Bus, give: &mut impl FnMut(usize, f64)) {
        let inputs = self.legs.iter().flat_map(|leg| &leg.inputs);
        inputs
            .zip(&state.torques)
            .for_each(|((input, limit), torque)| give(*input, torque.clamp(-limit, *limit)));
    }

    fn columns(&self) -> Vec<Column> {
        self.shown.columns()
    }

    fn value(&self, _: &LegsState, column: usize, seen: &Seen) -> f64 {
        seen.bus.get(self.out[self.shown.value(column)]).unwrap_or(f64::NAN)
    }

    fn sizes(state: &LegsState) -> [usize; 2] {
        [state.legs.len(), state.torques.len()]
    }
}

/// Gravity near the ground; central gravity does not apply to legged machines.
fn gravity(gravity: &Gravity) -> Vec3 {
    match gravity {
        Gravity::Uniform(g) => *g,
        _ => Vec3::zeros(),
    }
}
