//! The sequence of a docking: readings from the bus ⇒ boom and crown until the next tick, guidance of the
//! chaser on the bus.
//!
//! Between ticks the boom's length and the crown's opening are functions of time; like all commands they change only at the end of an accepted step.

use super::super::control::GuidancePorts;
use super::super::wiring::Wiring;
use super::super::{Bus, Effect, Fleet, Now, Seen, Setting, Shown, Tick, base};
use super::books::Books;
use super::columns::{self, DockingValue};
use super::findings;
use super::sensors::SensedPorts;
use crate::description::{Docking, MOST_BRACKETS};
use crate::engine::system::System;
use crate::sink::{Column, Table};
use serde::{Deserialize, Serialize};
use touchdown_math::Vec3;
use touchdown_spacecraft::clock::Clock;
use touchdown_spacecraft::sequence::{Commands, DockingPhase, Ramp, Readings, SequenceState};

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

/// Travel of the crown's drive in time, since the last tick, m: 0 stowed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct CrownDrive {
    since: f64,
    travel: f64,
    rate: f64,
    /// Longest travel, m.
    end: f64,
}

impl CrownDrive {
    /// Travel and its rate; it stops at its ends.
    fn at(&self, t: f64) -> (f64, f64) {
        let travel = self.travel + self.rate * (t - self.since);
        if (0.0..=self.end).contains(&travel) {
            (travel, self.rate)
        } else {
            (travel.clamp(0.0, self.end), 0.0)
        }
    }
}

/// A docking's sequence.
#[derive(Clone, Debug)]
pub(crate) struct DockingSequence {
    /// The docking's name on the bus.
    base: String,
    pub(super) docking: Docking,
    /// Length of the run, s.
    duration: f64,
    sensed: SensedPorts,
    guidance: GuidancePorts,
    shown: Shown<DockingValue>,
}

/// Its memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SequencerState {
    clock: Clock,
    pub(super) sequence: SequenceState,
    /// Last read distances.
    distances: Vec<Option<f64>>,
    boom: BoomDrive,
    crown: CrownDrive,
    pub(super) books: Books,
}

impl DockingSequence {
    /// From a description, for a run of given length.
    pub fn new(docking: &Docking, duration: f64, wiring: &mut Wiring) -> (DockingSequence, SequencerState) {
        let state = SequencerState {
            clock: Clock::new(1.0 / docking.sequence.period),
            sequence: docking.sequence.start(),
            distances: vec![None; docking.distance.azimuths.len()],
            boom: BoomDrive { since: 0.0, length: docking.sequence.boom.length_start, rate: Ramp::default() },
            crown: CrownDrive { since: 0.0, travel: 0.0, rate: 0.0, end: docking.crown_end },
            books: Books::default(),
        };
        let base = base("docking", &docking.name);
        let made = DockingSequence {
            docking: docking.clone(),
            duration,
            sensed: SensedPorts::read(docking, &format!("{base}.sensors"), wiring),
            guidance: GuidancePorts::write(wiring),
            shown: columns::shown(&base),
            base,
        };
        (made, state)
    }

    /// Reads the sensors and advances the sequence.
    fn decide(&self, state: &mut SequencerState, t: f64, bus: &Bus) -> Option<Commands> {
        let sensed = &self.sensed;
        let [crown_force, boom_force, boom_lateral_force, spring_travel] = bus.all(&sensed.drives)?;
        let [_, client_rate, separation_speed] = sensed.motion;
        let mut brackets = [false; MOST_BRACKETS];
        let count = sensed.brackets.len().min(MOST_BRACKETS);
        brackets.iter_mut().zip(&sensed.brackets).for_each(|(closed, port)| *closed = bus.flag(*port));
        let distances = state.distances.iter_mut().zip(&sensed.distances);
        distances.for_each(|(reading, port)| *reading = bus.get(*port));
        let readings = Readings {
            camera: sensed.rim(bus),
            distances: &state.distances,
            nose: bus.flag(sensed.touch[0]),
            shoulder: bus.flag(sensed.touch[1]),
            brackets: &brackets[..count],
            crown_force,
            crown_stowed: state.crown.at(t).0 <= 0.0,
            boom_length: state.boom.at(t).0,
            boom_force,
            boom_lateral_force,
            spring_travel,
            client_rate: bus.get(client_rate)?,
            separation_speed: bus.get(separation_speed)?,
            sureness: bus.all(&sensed.sureness),
        };
        let commands = self.docking.sequence.tick(&mut state.sequence, t, &readings);
        self.drive(state, t, &commands, (boom_force, crown_force));
        Some(commands)
    }

    /// Boom and crown until the next tick. The drives yield at their limits and hold without a command.
    fn drive(
        &self,
        state: &mut SequencerState,
        t: f64,
        commands: &Commands,
        (tension, crown_force): (f64, f64),
    ) {
        let d = &self.docking;
        let (length, _) = state.boom.at(t);
        let (travel, _) = state.crown.at(t);
        let rate = commands.boom_rate.at(t).0;
        let stalls = if rate > 0.0 { -tension > commands.boom_force } else { tension > commands.boom_force };
        let rate = if stalls { Ramp::default() } else { commands.boom_rate };
        state.boom = BoomDrive { since: t, length, rate };
        let full = commands.crown > 0.0 && crown_force >= commands.crown_force;
        let speed = if full { 0.0 } else { commands.crown * d.crown_speed };
        state.crown = CrownDrive { since: t, travel, rate: speed, end: d.crown_end };
    }

    /// Errors of position and velocity of the chaser against the target of the sequence: the nozzle on the
    /// docking axis at the first distance, or receding. Without a pose, it retreats as if it were at rest.
    fn guide(&self, commands: &Commands, bus: &mut Bus) {
        let (sensed, out) = (&self.sensed, &self.guidance);
        let place = bus.vector(&sensed.place);
        let velocity = bus.vector(&sensed.velocity).map(|velocity| -velocity);
        let (offset, velocity) = match commands.retreat_speed {
            Some(speed) => (None, Some(velocity.unwrap_or_else(Vec3::zeros) + Vec3::z() * speed)),
            None => {
                let distance = bus.get(sensed.motion[0]).unwrap_or(0.0);
                (place.map(|place| Vec3::z() * distance - place), velocity)
            }
        };
        bus.set(out.mode, f64::from(commands.aocs.code()));
        bus.set_all(&out.offset, offset.map(Into::into));
        bus.set_all(&out.velocity, velocity.map(Into::into));
    }
}

impl Tick for DockingSequence {
    type State = SequencerState;

    fn next_time(&self, state: &SequencerState) -> f64 {
        state.clock.next_time()
    }

    fn tick(&self, state: &mut SequencerState, now: &Now, bus: &mut Bus) -> Option<Effect> {
        state.clock.due(now.t)?;
        let before = state.sequence.phase;
        let commands = self.decide(state, now.t, bus)?;
        let (phase, aborted) = (state.sequence.phase, state.sequence.aborted);
        if phase != before {
            state.books.book_decision(now.system, &self.docking, phase, aborted);
        }
        let near_end = now.t >= self.duration - self.docking.average_over;
        let at = (now.t, state.sequence.phase, near_end);
        state.books.book_tick(now.system, &self.docking, at, bus.get(self.sensed.drives[0])?);
        self.guide(&commands, bus);
        Some(Effect::default())
    }

    fn set(&self, state: &SequencerState, t: f64, set: &mut impl FnMut(Setting)) {
        let (length, rate) = state.boom.at(t);
        set(Setting::Boom(self.docking.boom, length, rate));
        let (travel, speed) = state.crown.at(t);
        set(Setting::Opening(self.docking.contacts.crown, travel, speed));
    }

    fn book(&self, state: &mut SequencerState, system: &System) {
        state.books.book_step(system, &self.docking);
    }

    fn columns(&self) -> Vec<Column> {
        self.shown.columns()
    }

    fn value(&self, state: &SequencerState, column: usize, seen: &Seen) -> f64 {
        columns::value(self, state, self.shown.value(column), seen.system)
    }

    fn tables(&self, state: &SequencerState, fleet: &Fleet, t: f64) -> Vec<Table> {
        let ended = findings::Ended {
            docking: &self.docking,
            state,
            sight: fleet.docking_sensors(&self.base).map(|sensors| sensors.books),
            actuators: fleet.actuators_on(self.docking.chaser),
            t,
        };
        findings::tables(&ended)
    }

    fn warning(&self, state: &SequencerState) -> Option<String> {
        (state.sequence.phase != DockingPhase::Docked).then(|| state.sequence.verdict())
    }

    fn sizes(state: &SequencerState) -> [usize; 2] {
        [state.distances.len(), 0]
    }
}
