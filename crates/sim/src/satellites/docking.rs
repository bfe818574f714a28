//! A docking in the loop: sensors read the state of the world at ticks, the sequence decides, and boom and crown follow until the next tick.
//!
//! Between ticks the boom's length and the crown's opening are functions of time; like all commands they change only at the end of an accepted step.

mod books;
pub(super) mod columns;
mod findings;
mod sight;

pub(crate) use books::Books;
pub(crate) use findings::tables;

use crate::description::{Docking, DockingContacts, MOST_BRACKETS, WorldDescription};
use crate::engine::system::{Instant, System};
use serde::{Deserialize, Serialize};
use sight::Sight;
use touchdown_math::{Pose, Vec3, Wrench};
use touchdown_multibody::rigid::kinematics;
use touchdown_spacecraft::camera::{CameraState, Rim};
use touchdown_spacecraft::clock::Clock;
use touchdown_spacecraft::control::AocsMode;
use touchdown_spacecraft::range::DistanceState;
use touchdown_spacecraft::sequence::{Phase, Ramp, Readings, SequenceState};
use touchdown_spacecraft::switch::SwitchState;

/// A docking.
#[derive(Clone, Debug)]
pub(crate) struct DockingInLoop {
    pub description: Docking,
    /// Length of the run, s.
    duration: f64,
}

/// All that a docking remembers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct DockingState {
    clock: Clock,
    pub sequence: SequenceState,
    camera: CameraState,
    distance: DistanceState,
    /// Nose, shoulder, brackets.
    switches: Vec<SwitchState>,
    boom: BoomDrive,
    crown: CrownDrive,
    pub sight: Sight,
    pub books: Books,
}

/// Length of the boom in time, since the last tick.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct BoomDrive {
    since: f64,
    length: f64,
    rate: Ramp,
}

impl BoomDrive {
    fn at(&self, t: f64) -> (f64, f64) {
        (self.length + self.rate.travel(t) - self.rate.travel(self.since), self.rate.at(t).0)
    }
}

/// Way of the crown's drive in time, since the last tick, m: 0 stowed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct CrownDrive {
    since: f64,
    way: f64,
    rate: f64,
    /// Longest way, m.
    end: f64,
}

impl CrownDrive {
    /// Way and its rate; it stops at its ends.
    fn at(&self, t: f64) -> (f64, f64) {
        let way = self.way + self.rate * (t - self.since);
        if (0.0..=self.end).contains(&way) { (way, self.rate) } else { (way.clamp(0.0, self.end), 0.0) }
    }
}

impl DockingInLoop {
    /// That of a description.
    pub fn new(description: &WorldDescription) -> Option<DockingInLoop> {
        let docking = description.satellites.docking.clone()?;
        Some(DockingInLoop { description: docking, duration: description.duration })
    }

    /// What it remembers at rest.
    pub fn start(&self) -> DockingState {
        let docking = &self.description;
        let switches = 2 + docking.contacts.brackets.len();
        DockingState {
            clock: Clock::new(1.0 / docking.sequence.period),
            sequence: docking.sequence.start(),
            camera: docking.camera.start(),
            distance: docking.distance.start(),
            switches: vec![SwitchState::default(); switches],
            boom: BoomDrive { since: 0.0, length: docking.sequence.boom.length_start, rate: Ramp::default() },
            crown: CrownDrive { since: 0.0, way: 0.0, rate: 0.0, end: docking.crown_end },
            sight: Sight::default(),
            books: Books::default(),
        }
    }
}

impl DockingState {
    /// The next time at which something ticks.
    pub fn next_tick(&self) -> f64 {
        self.clock.next_time()
    }
}

/// What a tick of the docking asks of attitude control.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Guidance {
    pub mode: AocsMode,
    /// Place and velocity of the chaser against what they should be, chaser's axes.
    pub offset_B: Option<Vec3>,
    pub velocity_B: Option<Vec3>,
}

impl System {
    /// Sets boom and crown as the docking commands them at `t`, before their forces are evaluated.
    pub(crate) fn follow_docking(&mut self, at: &Instant) {
        let (Some(docking), Some(state)) = (&self.acts.devices.docking, &at.held.acts.devices.docking) else {
            return;
        };
        let (length, rate) = state.boom.at(at.t);
        self.acts.booms[docking.description.boom].set_length(length, rate);
        let (way, speed) = state.crown.at(at.t);
        self.acts.polygonal.list[docking.description.contacts.crown].set_opening(way, speed);
    }

    /// Wrench of the nozzle on the tool through a contact, about a point of the world.
    pub(crate) fn wrench_on_tool(&self, contact: usize, client: usize, p_W: &Vec3) -> Wrench {
        let (origin, W) = self.polygonal_side_wrench(contact);
        let W = W.shifted(&(p_W - origin));
        if self.polygonal_bodies(contact)[0] == Some(client) { Wrench { t: -W.t, f: -W.f } } else { W }
    }

    /// The frame of the crown, which is the tool's: reference of the crown's contact.
    pub(crate) fn crown_frame(&self, docking: &Docking) -> Pose {
        self.polygonal_frames(docking.contacts.crown)[1]
    }

    /// The nozzle's frame: reference of the tool's contact, z out of the nozzle.
    pub(crate) fn nozzle_frame(&self, docking: &Docking) -> Pose {
        self.polygonal_frames(docking.contacts.tool)[1]
    }

    /// Sum over tool, crown and bolt of the nozzle's wrench on the tool, in the crown's frame about its origin.
    pub(crate) fn nozzle_on_tool(&self, docking: &Docking) -> Wrench {
        let X_WC = self.crown_frame(docking);
        let DockingContacts { tool, crown, bolt, .. } = docking.contacts;
        let mut sum = Wrench::zero();
        for contact in [tool, crown, bolt] {
            sum += self.wrench_on_tool(contact, docking.client, &X_WC.p);
        }
        let Rt = X_WC.R.transpose();
        Wrench::new(Rt * sum.t, Rt * sum.f)
    }

    /// Force of the nozzle on the crown along the tool's axis, N: positive when the crown is pulled out of the tool, against the shoulder.
    pub(crate) fn crown_pull(&self, docking: &Docking) -> f64 {
        let X_WC = self.crown_frame(docking);
        let W = self.wrench_on_tool(docking.contacts.crown, docking.client, &X_WC.p);
        (X_WC.R.transpose() * W.f).z
    }

    /// Lets the docking tick if it is due at `t`. Needs kinematics and the forces of the accepted state.
    pub(super) fn tick_docking(&self, t: f64, held: &mut Option<DockingState>) -> Option<Guidance> {
        let (docking, state) = (self.acts.devices.docking.as_deref()?, held.as_mut()?);
        state.clock.due(t).map(|_| self.docking_tick(docking, state, t))
    }

    /// Books an accepted step of a docking. Needs its kinematics and forces.
    pub(crate) fn book_docking(&self, held: &mut Option<DockingState>) {
        if let (Some(docking), Some(state)) = (&self.acts.devices.docking, held) {
            state.books.book_step(self, &docking.description);
        }
    }

    fn docking_tick(&self, docking: &DockingInLoop, state: &mut DockingState, t: f64) -> Guidance {
        let d = &docking.description;
        let X_WA = kinematics::body_pose(&self.model, &self.cache, d.chaser);
        let X_WN = self.nozzle_frame(d);
        let X_AN = X_WA.inverse().compose(&X_WN);
        let exit = Vec3::z() * d.sequence.geometry.exit_a;
        let rim = Rim { centre: X_AN.point(&exit), axis: X_AN.R * Vec3::z() };
        if d.camera.tick(&mut state.camera, t, &rim)
            && let Some(fix) = state.camera.fix()
        {
            state.sight.see(fix);
            state.books.book_sight(fix, &rim);
        }
        let X_NT = X_WN.inverse().compose(&self.crown_frame(d));
        if let Some(section) = self.polygonal_section(d.contacts.tool) {
            d.distance.tick(&mut state.distance, t, section, &X_NT);
        }
        let boom = &self.acts.booms[d.boom];
        let crown_force = self.crown_pull(d);
        let push = |contact: usize| self.acts.polygonal.list[contact].force.normal_force;
        let touched = [push(d.contacts.bolt), push(d.contacts.tool)];
        let forces = touched.into_iter().chain(d.contacts.brackets.iter().map(|c| push(*c)));
        let mut closed = [false; 2 + MOST_BRACKETS];
        for ((switch, force), closed) in state.switches.iter_mut().zip(forces).zip(&mut closed) {
            *closed = d.switch.tick(switch, force);
        }
        let (length, _) = state.boom.at(t);
        let (way, _) = state.crown.at(t);
        let readings = Readings {
            camera: state.camera.fix(),
            distances: &state.distance.readings,
            nose: closed[0],
            shoulder: closed[1],
            brackets: &closed[2..state.switches.len()],
            crown_force,
            crown_stowed: way <= 0.0,
            boom_length: length,
            boom_force: boom.force.tension,
            boom_lateral_force: boom.force.wrench.f.x.hypot(boom.force.wrench.f.y),
            spring_travel: boom.force.travel,
            client_rate: state.sight.rate(t),
            separation_speed: state.sight.separation(t),
        };
        let commands = d.sequence.tick(&mut state.sequence, t, &readings);
        // The drive gives way at its limit and holds by itself.
        let (rate, tension) = (commands.boom_rate.at(t).0, boom.force.tension);
        let stalls = if rate > 0.0 { -tension > commands.boom_force } else { tension > commands.boom_force };
        let rate = if stalls { Ramp::default() } else { commands.boom_rate };
        state.boom = BoomDrive { since: t, length, rate };
        let full = commands.crown > 0.0 && crown_force >= commands.crown_force;
        let speed = if full { 0.0 } else { commands.crown * d.crown_speed };
        state.crown = CrownDrive { since: t, way, rate: speed, end: d.crown_end };
        let near_end = t >= docking.duration - d.average_over;
        state.books.book_tick(self, d, (t, state.sequence.phase, near_end), crown_force);
        state.sight.guide(&commands, t)
    }
}

/// Number of a phase in the columns, in the order of a docking.
fn phase_number(phase: Phase) -> f64 {
    match phase {
        Phase::Centre => 0.0,
        Phase::Extend => 1.0,
        Phase::Insert => 2.0,
        Phase::Lock => 3.0,
        Phase::Retract => 4.0,
        Phase::Seat => 5.0,
        Phase::Tension => 6.0,
        Phase::Docked => 7.0,
        Phase::Abort => -1.0,
        Phase::Retreat => -2.0,
        Phase::Retreated => -3.0,
    }
}
