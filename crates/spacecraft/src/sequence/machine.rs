//! One tick of the sequence: read ⇒ abort? ⇒ transition? ⇒ command.

use super::{Commands, DockingPhase, Ramp, Readings, Reason, Sequence, SequenceState, Transition, Trigger};
use crate::camera::RimSeen;
use crate::control::AocsMode;
use touchdown_math::Elementary;
use touchdown_math::Vec3;

/// Places in [`SequenceState::held`].
const CROWN: usize = 0;
const BRACKETS: usize = 1;
const SPRING: usize = 2;
const PUSH: usize = 3;
const RATE: usize = 4;

/// Distance at which a resting drive has reached its mark in a retreat, m.
const AT_MARK: f64 = 3e-4;
/// Tolerance of camera and boom length for the shoulder to be at its mark, m: half of its remaining gap.
const AT_SEAT: f64 = 1e-3;
/// It is surely no farther before its mark than this, m.
const SURELY_AT_SEAT: f64 = 2e-3;
/// Standard deviations by which a place or a speed is sure.
const SURE: f64 = 2.0;
/// It moves along with the nozzle when their speeds agree to this, m/s.
const ALONG: f64 = 2e-3;
/// Most of the speed of insertion with which the boom goes along with a nozzle that goes away: the rest brings it nearer.
const FOLLOWED_SHARE: f64 = 0.8;
/// Time from the mark until the crown pulls, s: a nozzle that goes away must stay within the boom's reach so long.
const GRIPPING: f64 = 8.0;
/// Share of the gap that is left where a leaning shoulder would touch before the mark.
const LEANING_GAP: f64 = 0.5;
/// Of what an upright tool reaches behind the throat, a leaning one may miss this share: else its crown meets the throat before it is open. The reference tool locks with 14 mm less
/// (22 N of contact) and jams with 16 mm less (600 N); this is 11 mm.
const OPENING_SHARE: f64 = 0.4;
/// Angle of the tip of a beam over its deflection and length, for a force across its tip.
const TIP_ANGLE: f64 = 1.5;
/// A picture older than this does not tell where the nozzle is, s.
const RECENT: f64 = 2.0;
/// Distance from the mark within which the shoulder's switch stops the insertion, m; farther out the tool's
/// side touches the bell, and the boom continues.
const SHOULDER_NEAR: f64 = 2e-3;
/// A retreat ends after pushing for this long, s, even without a measured separation speed: near the brackets
/// the camera has no pose. Seven times what 2 N need for 1400 kg.
const LONGEST_PUSH: f64 = 100.0;
/// Share of the locking force from which on the crown counts as locked, and at which its drive rests.
const LOCKED_SHARE: f64 = 0.95;
const REST_SHARE: f64 = 0.99;
/// In the last part of the locking force, in shares of it, the crown's drive slows down in proportion.
const SLOW_SHARE: f64 = 0.2;
/// A distance sensor is in the throat below this share of the distance at which it has passed: so that noise
/// at the mark does not count as a passage.
const THROAT_SHARE: f64 = 0.75;
/// Share of its travel from which on the safety spring counts as at its stop.
const STOP_SHARE: f64 = 0.995;
/// Share of the target separation speed that ends the retreat.
const PARTED_SHARE: f64 = 0.9;

/// Reserved number of transitions of a docking, allocated before the first step.
const ROOM: usize = 16;

impl Sequence {
    /// The beginning: the approach is over, the boom rests at its first length.
    pub fn start(&self) -> SequenceState {
        let phase = match self.trigger {
            Trigger::Sensors => DockingPhase::Centre,
            Trigger::Clock { .. } => DockingPhase::Insert,
        };
        SequenceState {
            phase,
            entered: 0.0,
            transitions: Vec::with_capacity(ROOM),
            aborted: None,
            ramp: Ramp::default(),
            last: (0.0, self.boom.length_start),
            length_inserted: self.boom.length_inserted,
            early: 0.0,
            lateral_error: None,
            fixes: (-1.0, 0),
            in_throat: false,
            touched: false,
            gripped: false,
            held: [None; 5],
        }
    }

    /// Reads the sensors at `t`, makes a transition if its condition holds, and returns the commands until
    /// the next tick.
    pub fn tick(&self, state: &mut SequenceState, t: f64, readings: &Readings) -> Commands {
        if state.transitions.capacity() < ROOM {
            // A copy has no room to spare.
            state.transitions.reserve_exact(ROOM - state.transitions.len());
        }
        let length = self.look(state, t, readings);
        let next = match self.trigger {
            Trigger::Sensors => self.next_by_sensors(state, t, readings, length),
            Trigger::Clock { .. } => self.next_by_clock(state, t),
        };
        if let Some((to, reason)) = next {
            if let Reason::Wrong(why) = reason {
                state.aborted = Some(why);
            }
            state.transitions.push(Transition { time: t, from: state.phase, to, reason });
            (state.phase, state.entered) = (to, t);
            state.held = [None; 5];
        }
        state.ramp = self.drive_boom(state, t, readings, length);
        self.commands(state, readings, length)
    }

    /// Processes the readings; returns the length of the boom, m.
    fn look(&self, state: &mut SequenceState, t: f64, readings: &Readings) -> f64 {
        let distance = state.ramp.travel(t) - state.ramp.travel(state.last.0);
        state.last = (t, state.last.1 + distance);
        if let Trigger::Clock { .. } = self.trigger {
            return state.last.1;
        }
        state.gripped |=
            state.phase == DockingPhase::Lock && readings.crown_force > self.events.contact_force;
        if let Some(seen) = &readings.camera {
            self.see(state, seen);
        }
        state.touched |=
            readings.nose || readings.shoulder || readings.boom_force.abs() > self.events.contact_force;
        self.feel_throat(state, readings);
        readings.boom_length
    }

    /// Whether the distance sensors are in the throat or behind it. Near the wall of the bell single sensors
    /// may read as little as in the throat, but only in the throat all do at once. A tool that has passed the
    /// throat may also be withdrawn again, with readings like those of a passage.
    fn feel_throat(&self, state: &mut SequenceState, readings: &Readings) {
        let passed = self.events.throat_passed;
        let all = |test: &dyn Fn(f64) -> bool| {
            !readings.distances.is_empty() && readings.distances.iter().all(|d| d.is_some_and(test))
        };
        state.in_throat |= all(&|d| d < THROAT_SHARE * passed);
        let g = &self.geometry;
        // Distance of the shoulder from its mark when the nose is in the throat.
        let nose_in_throat = g.nose_q - g.shoulder_a - g.gap;
        let before = state.length_inserted + state.early - readings.boom_length;
        if all(&|d| d > passed) && before > nose_in_throat {
            state.in_throat = false;
        }
    }

    /// Where the nozzle is.
    pub(super) fn see(&self, state: &mut SequenceState, seen: &RimSeen) {
        let g = &self.geometry;
        let throat = seen.rim.point_on_axis(-g.exit_a);
        // Once the crown pulls, only the drive's own mark counts: a nozzle that the tool moves says nothing of the boom's length.
        if self.is_following(state) {
            let mark = throat.z + seen.rim.axis.z * g.shoulder_a - g.gap - g.boom_root_z;
            state.early = self.before_a_leaning_shoulder(&throat, &seen.rim.axis);
            state.length_inserted = mark - state.early;
        }
        if seen.time > state.fixes.0 {
            // The tool passes the rim first and the throat last: the larger error of both counts.
            let off = |p: Vec3| p.x.hypotenuse(p.y);
            state.lateral_error = Some(off(seen.rim.centre).max(off(throat)));
            state.fixes = (seen.time, state.fixes.1 + 1);
        }
    }

    /// How much before its mark the tool must stop, m, if one side of its shoulder touches earlier because it leans in the nozzle. The boom bends to where the throat is.
    fn before_a_leaning_shoulder(&self, throat: &Vec3, axis: &Vec3) -> f64 {
        let g = &self.geometry;
        let bent = TIP_ANGLE / (throat.z - g.boom_root_z);
        let lean = (axis.x + bent * throat.x).hypotenuse(axis.y + bent * throat.y);
        let most = OPENING_SHARE * (g.nose_q - g.shoulder_a - g.gap);
        (g.early_per_lean * lean - (1.0 - LEANING_GAP) * g.gap).clamp(0.0, most)
    }

    /// Whether the boom goes where the camera sees the nozzle: until the crown holds it.
    fn is_following(&self, state: &SequenceState) -> bool {
        use DockingPhase::{Centre, Extend, Insert, Lock};
        match state.phase {
            Centre | Extend | Insert => true,
            Lock => self.trigger == Trigger::Sensors && !state.gripped,
            _ => false,
        }
    }

    fn next_by_sensors(
        &self,
        state: &mut SequenceState,
        t: f64,
        readings: &Readings,
        length: f64,
    ) -> Option<(DockingPhase, Reason)> {
        let inserting = matches!(state.phase, DockingPhase::Extend | DockingPhase::Insert);
        let push = inserting && self.abort.is_push(readings.boom_force);
        let pushed_for = if inserting { hold(&mut state.held[PUSH], t, push) } else { None };
        let turns = readings.client_rate > self.abort.client_rate;
        let turned_for = hold(&mut state.held[RATE], t, turns);
        if let Some(why) = self.abort.check(state, t, readings, [pushed_for, turned_for]) {
            return Some((DockingPhase::Abort, Reason::Wrong(why)));
        }
        let e = &self.events;
        match state.phase {
            DockingPhase::Centre => {
                let off = state.lateral_error.filter(|off| *off <= e.lateral_tolerance)?;
                (state.fixes.1 >= e.centring_fixes).then_some((DockingPhase::Extend, Reason::Centred(off)))
            }
            DockingPhase::Extend => {
                let g = &self.geometry;
                let exit = state.length_inserted + state.early + g.shoulder_a + g.gap - g.exit_a - g.nose_q;
                (length >= exit).then_some((DockingPhase::Insert, Reason::AtExit(length)))
            }
            DockingPhase::Insert => {
                let before = self.before_mark(state, t, readings, length)?;
                Some((DockingPhase::Lock, Reason::Inserted(before)))
            }
            DockingPhase::Lock => {
                let locked = readings.crown_force >= LOCKED_SHARE * e.locking_force;
                let held = hold(&mut state.held[CROWN], t, locked)?;
                (held >= e.locked_for)
                    .then_some((DockingPhase::Retract, Reason::Locked(readings.crown_force)))
            }
            DockingPhase::Retract => {
                let first = readings.brackets.iter().position(|b| *b)?;
                Some((DockingPhase::Seat, Reason::FirstBracket(first as u32)))
            }
            DockingPhase::Seat => {
                let all = !readings.brackets.is_empty() && readings.brackets.iter().all(|b| *b);
                let held = hold(&mut state.held[BRACKETS], t, all)?;
                (held >= e.seated_for).then_some((DockingPhase::Tension, Reason::AllBrackets))
            }
            DockingPhase::Tension => {
                let stop = readings.spring_travel >= STOP_SHARE * self.boom.spring_travel;
                let held = hold(&mut state.held[SPRING], t, stop)?;
                (held >= e.docked_for)
                    .then_some((DockingPhase::Docked, Reason::SpringAtStop(readings.boom_force)))
            }
            DockingPhase::Abort if readings.crown_stowed => {
                Some((DockingPhase::Retreat, Reason::CrownStowed))
            }
            DockingPhase::Abort if t - state.entered > self.abort.stowing_timeout => {
                Some((DockingPhase::Retreat, Reason::CrownStuck))
            }
            DockingPhase::Retreat => {
                let pushed = hold(&mut state.held[PUSH], t, self.is_out(length))?;
                let speed = readings.separation_speed;
                if speed >= PARTED_SHARE * e.retreat_speed {
                    return Some((DockingPhase::Retreated, Reason::Parting(speed)));
                }
                (pushed > LONGEST_PUSH).then_some((DockingPhase::Retreated, Reason::Pushed(pushed)))
            }
            DockingPhase::Abort | DockingPhase::Docked | DockingPhase::Retreated => None,
        }
    }

    fn next_by_clock(&self, state: &SequenceState, t: f64) -> Option<(DockingPhase, Reason)> {
        let Trigger::Clock { inserted, locked, brackets, seated, docked } = self.trigger else { return None };
        let (time, to) = match state.phase {
            DockingPhase::Insert => (inserted, DockingPhase::Lock),
            DockingPhase::Lock => (locked, DockingPhase::Retract),
            DockingPhase::Retract => (brackets, DockingPhase::Seat),
            DockingPhase::Seat => (seated, DockingPhase::Tension),
            DockingPhase::Tension => (docked, DockingPhase::Docked),
            _ => return None,
        };
        // A millionth of a second for times that were rounded differently.
        (t >= time - 1e-6).then_some((to, Reason::Time))
    }

    /// How far the shoulder is before its mark, m, if the tool is in, by all that is known: the distance sensors have passed the throat inwards; camera and length of
    /// the boom surely agree, or the shoulder's switch is closed there; tool and nozzle surely move together; and the nozzle stays within the boom's reach.
    fn before_mark(&self, state: &SequenceState, t: f64, readings: &Readings, length: f64) -> Option<f64> {
        let is_passed = |d: &Option<f64>| d.is_some_and(|d| d > self.events.throat_passed);
        let passed = state.in_throat && readings.distances.iter().all(is_passed);
        let is_seen = readings.camera.is_some_and(|seen| t - seen.time < RECENT);
        let before = state.length_inserted - length;
        let [place, speed] = readings.sureness?;
        let surely = before.abs() < AT_SEAT && before + SURE * place < SURELY_AT_SEAT;
        let there = surely || self.is_seated(state, readings, length);
        let away = readings.separation_speed;
        let together = (state.ramp.at(t).0 - away).abs() < ALONG && SURE * speed < ALONG;
        let within_reach = length + GRIPPING * away < self.boom.length_limits[1];
        (passed && is_seen && there && together && within_reach).then_some(before)
    }

    /// Whether the shoulder sits in the nozzle.
    fn is_seated(&self, state: &SequenceState, readings: &Readings, length: f64) -> bool {
        readings.shoulder && (length - state.length_inserted - self.geometry.gap).abs() < SHOULDER_NEAR
    }

    /// Whether the boom is retracted enough for separation; a shorter boom keeps its length.
    fn is_out(&self, length: f64) -> bool {
        length <= self.boom.length_start + AT_MARK
    }

    fn drive_boom(&self, state: &SequenceState, t: f64, readings: &Readings, length: f64) -> Ramp {
        let b = &self.boom;
        let slope = b.insertion_speed / b.ramp;
        let rest = || state.ramp.towards(t, 0.0, slope, 0.0, self.period);
        match state.phase {
            DockingPhase::Extend | DockingPhase::Insert | DockingPhase::Lock
                if self.is_following(state) && !self.is_seated(state, readings, length) =>
            {
                let mark = state.length_inserted.clamp(b.length_limits[0], b.length_limits[1]);
                let along = if mark < b.length_limits[1] { self.followed_speed(readings) } else { 0.0 };
                let ramp = state.ramp.seen_from(along);
                let speed = b.insertion_speed - along;
                ramp.towards(t, speed, slope, mark - length, self.period).seen_from(-along)
            }
            DockingPhase::Retract if t - state.entered >= self.events.retraction_after - 1e-6 => {
                let slope = b.retraction_speed / b.retraction_ramp;
                let fast = -state.ramp.at(t).0;
                // From the fast to the slow speed: the distance of a ramp that ends where the slow part begins, and one more tick.
                let slowing = 0.5 * (fast * fast - b.approach_speed * b.approach_speed) / slope;
                let left = length - b.length_docked - b.approach_distance;
                // Once slow, it stays so.
                let slow = state.ramp.to == -b.approach_speed || left <= slowing + fast * self.period;
                let speed = if slow { b.approach_speed } else { b.retraction_speed };
                self.towards_rest(state, t, speed, slope, length - b.length_limits[0])
            }
            DockingPhase::Seat => self.towards_rest(
                state,
                t,
                b.approach_speed,
                b.approach_speed / b.ramp,
                length - b.length_limits[0],
            ),
            DockingPhase::Tension => {
                let distance = match self.trigger {
                    Trigger::Sensors => b.spring_travel - readings.spring_travel,
                    Trigger::Clock { .. } => length - (b.length_docked - b.spring_travel),
                };
                self.towards_rest(state, t, b.approach_speed, b.approach_speed / b.ramp, distance)
            }
            DockingPhase::Retreat if !self.is_out(length) => {
                self.towards_rest(state, t, b.insertion_speed, slope, length - b.length_start)
            }
            _ => rest(),
        }
    }

    /// Speed of the nozzle along the docking axis, as far as it is sure, m/s.
    fn followed_speed(&self, readings: &Readings) -> f64 {
        let (Trigger::Sensors, Some([_, sigma])) = (self.trigger, readings.sureness) else { return 0.0 };
        let most = FOLLOWED_SHARE * self.boom.insertion_speed;
        let away = readings.separation_speed;
        away.signum() * (away.abs() - SURE * sigma).clamp(0.0, most)
    }

    /// Inwards at a speed, and onto the mark that is `distance` off.
    fn towards_rest(&self, state: &SequenceState, t: f64, speed: f64, slope: f64, distance: f64) -> Ramp {
        state.ramp.towards(t, -speed, slope, distance, self.period)
    }

    fn commands(&self, state: &SequenceState, readings: &Readings, length: f64) -> Commands {
        let e = &self.events;
        let crown = match (state.phase, self.trigger) {
            (DockingPhase::Lock, Trigger::Clock { .. }) => 1.0,
            (DockingPhase::Lock, Trigger::Sensors)
                if readings.crown_force >= REST_SHARE * e.locking_force =>
            {
                0.0
            }
            (DockingPhase::Lock, Trigger::Sensors) => {
                let left = 1.0 - readings.crown_force / e.locking_force;
                (left / SLOW_SHARE).clamp(0.0, 1.0)
            }
            (DockingPhase::Abort | DockingPhase::Retreat, _) if !readings.crown_stowed => -1.0,
            _ => 0.0,
        };
        let away = state.phase == DockingPhase::Retreat && self.is_out(length);
        let aocs = match state.phase {
            DockingPhase::Centre | DockingPhase::Extend | DockingPhase::Insert if !state.touched => {
                AocsMode::Approach
            }
            DockingPhase::Docked => AocsMode::Mated,
            DockingPhase::Retreat if away => AocsMode::Approach,
            DockingPhase::Retreated => AocsMode::Hold,
            _ => AocsMode::Contact,
        };
        let gentle = self.is_following(state);
        Commands {
            boom_rate: state.ramp,
            boom_force: if gentle { self.boom.insertion_force } else { self.boom.force },
            crown,
            crown_force: e.locking_force,
            aocs,
            retreat_speed: away.then_some(e.retreat_speed),
        }
    }
}

/// Time for which a condition has held, s; `None` if it does not.
fn hold(since: &mut Option<f64>, t: f64, condition: bool) -> Option<f64> {
    *since = condition.then(|| since.unwrap_or(t));
    since.map(|since| t - since)
}
