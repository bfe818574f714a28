//! Sequences: phases with transitions on conditions over columns and signals; each phase has commands, and
//! signals for other devices.
//!
//! | file | holds |
//! |---|---|
//! | `condition` | compiled conditions: readings and memory |
//! | `fit` | description ⇒ device, with every mistake |
//! | `chart` | tables of a sequence: the state chart with its times |
//!
//! At a tick the conditions of the present phase are evaluated in their order; the first that holds is taken,
//! at most one per tick.

mod chart;
mod condition;
mod fit;

use super::bus::Port;
use super::{Bus, Effect, Fleet, Now, Seen, Shown, Tick};
use crate::description::Ending;
use crate::sink::{Column, Table};
use condition::{Compiled, Looking};
use serde::{Deserialize, Serialize};
use touchdown_spacecraft::clock::Clock;

/// Number of stored beginnings; later ones are only counted.
const KEPT: usize = 200;

/// A sequence.
#[derive(Clone, Debug)]
pub(crate) struct Phases {
    name: String,
    phases: Vec<PhaseOnBus>,
    start: usize,
    /// Number of the phase, for other devices.
    out: Port,
    shown: Shown<Value>,
    samples: bool,
}

/// A phase, wired.
#[derive(Clone, Debug)]
struct PhaseOnBus {
    name: String,
    about: String,
    commands: Vec<(usize, f64)>,
    signals: Vec<(Port, f64)>,
    ways: Vec<Way>,
    ending: Option<Ending>,
}

/// A transition, compiled.
#[derive(Clone, Debug)]
struct Way {
    to: usize,
    when: Compiled,
    text: String,
}

#[derive(Clone, Copy, Debug)]
enum Value {
    Phase,
    Since,
    Ending,
    Entered(usize),
    Signal(Port),
}

/// Beginning of a phase: time, phase, and the transition that led there.
type Beginning = (f64, usize, Option<(usize, usize)>);

/// Its memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PhasesState {
    clock: Clock,
    /// The present phase and its beginning; `None` before the first tick.
    phase: Option<(usize, f64)>,
    /// Times since which conditions with a duration have held, s.
    held: Vec<Option<f64>>,
    /// First beginning of each phase, s.
    first: Vec<Option<f64>>,
    log: Vec<Beginning>,
    /// Number of beginnings.
    count: u64,
}

impl Phases {
    /// Begins a phase: its signals are written to the bus, its commands follow.
    fn enter(
        &self,
        state: &mut PhasesState,
        (t, phase): (f64, usize),
        by: Option<(usize, usize)>,
        bus: &mut Bus,
    ) {
        state.phase = Some((phase, t));
        state.held.fill(None);
        state.first[phase].get_or_insert(t);
        state.count += 1;
        if state.log.len() < KEPT {
            state.log.push((t, phase, by));
        }
        bus.set(self.out, phase as f64);
        self.phases[phase].signals.iter().for_each(|(port, value)| bus.set(*port, *value));
    }

    /// The transition whose condition holds.
    fn way(
        &self,
        held: &mut [Option<f64>],
        (phase, since): (usize, f64),
        now: &Now,
        bus: &Bus,
    ) -> Option<usize> {
        let looking = Looking { t: now.t, since, samples: now.samples, bus };
        let mut open = None;
        for (k, way) in self.phases[phase].ways.iter().enumerate() {
            // All are evaluated, because those with a duration store since when they hold.
            if way.when.holds(&looking, held) == Some(true) {
                open = open.or(Some(k));
            }
        }
        open
    }
}

impl Tick for Phases {
    type State = PhasesState;

    fn next_time(&self, state: &PhasesState) -> f64 {
        state.clock.next_time()
    }

    fn samples(&self) -> bool {
        self.samples
    }

    fn tick(&self, state: &mut PhasesState, now: &Now, bus: &mut Bus) -> Option<Effect> {
        state.clock.due(now.t)?;
        let Some(present) = state.phase else {
            self.enter(state, (now.t, self.start), None, bus);
            return Some(Effect::default());
        };
        let way = self.way(&mut state.held, present, now, bus)?;
        let to = self.phases[present.0].ways[way].to;
        self.enter(state, (now.t, to), Some((present.0, way)), bus);
        Some(Effect::default())
    }

    fn command(&self, state: &PhasesState, _: &Bus, give: &mut impl FnMut(usize, f64)) {
        if let Some((phase, _)) = state.phase {
            self.phases[phase].commands.iter().for_each(|(input, value)| give(*input, *value));
        }
    }

    fn columns(&self) -> Vec<Column> {
        self.shown.columns()
    }

    fn value(&self, state: &PhasesState, column: usize, seen: &Seen) -> f64 {
        let phase = state.phase;
        let value = match self.shown.value(column) {
            Value::Phase => phase.map(|(phase, _)| phase as f64),
            Value::Since => phase.map(|(_, since)| seen.t - since),
            Value::Ending => Some(match phase.and_then(|(phase, _)| self.phases[phase].ending) {
                None => 0.0,
                Some(Ending::Done) => 1.0,
                Some(Ending::Aborted) => -1.0,
            }),
            Value::Entered(k) => state.first[k],
            Value::Signal(port) => seen.bus.get(port),
        };
        value.unwrap_or(f64::NAN)
    }

    fn tables(&self, state: &PhasesState, _: &Fleet, _t: f64) -> Vec<Table> {
        chart::tables(self, state)
    }

    fn warning(&self, state: &PhasesState) -> Option<String> {
        chart::warning(self, state)
    }

    fn sizes(state: &PhasesState) -> [usize; 2] {
        [state.first.len(), state.held.len()]
    }
}
