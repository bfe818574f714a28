use super::*;
use crate::camera::{Rim, RimSeen};
use touchdown_math::Vec3;

/// The reference manoeuvre.
fn sequence(trigger: Trigger) -> Sequence {
    Sequence {
        trigger,
        geometry: DockingGeometry {
            boom_root_z: 0.8,
            nose_q: 0.09,
            exit_a: 0.35,
            shoulder_a: 0.05965,
            gap: 0.002,
            early_per_lean: 0.176,
        },
        boom: BoomSettings {
            length_start: 0.97,
            length_inserted: 1.44835,
            length_docked: 0.6,
            length_limits: [0.5, 1.6],
            insertion_speed: 0.0126,
            retraction_speed: 0.0052,
            approach_speed: 0.0025,
            approach_distance: 0.015,
            ramp: 1.0,
            retraction_ramp: 5.0,
            insertion_force: 20.0,
            force: 260.0,
            spring_travel: 0.05,
        },
        events: EventSettings {
            centring_fixes: 3,
            lateral_tolerance: 0.06,
            throat_passed: 0.008,
            locking_force: 100.0,
            locked_for: 0.5,
            retraction_after: 1.0,
            seated_for: 1.0,
            docked_for: 1.0,
            retreat_speed: 0.02,
            contact_force: 5.0,
        },
        abort: AbortCriteria {
            insertion_timeout: 60.0,
            insertion_force: 20.0,
            insertion_force_for: 1.0,
            lateral_error: 0.06,
            locking_timeout: 25.0,
            boom_lateral_force: 80.0,
            client_rate: 1f64.to_radians(),
            client_rate_for: 1.0,
            retraction_timeout: 220.0,
            seating_timeout: 30.0,
            tension_timeout: 60.0,
            stowing_timeout: 30.0,
        },
        period: 0.1,
    }
}

/// What goes wrong in a manoeuvre.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    None,
    Offset(f64),
    BlockedTool,
    BlindSensors,
    SoftCrown,
    Lateral(f64),
    Tumbling(f64),
    NoBrackets,
    OneBracket,
    WeakSpring,
    /// The tool's side rubs along the bell: its switch is closed well before the shoulder is in.
    Rubbing,
    /// Given up near the brackets, where the camera is blind.
    Blind,
}

/// A plant of plain kinematics: drives do what they are commanded, the nozzle stays where it is.
struct Plant {
    fault: Fault,
    length: f64,
    /// Travel of the crown, 0 stowed to 1 locked at rest; 7.4 s at full speed.
    crown: f64,
    parting: f64,
    /// Whether the sequence is saved and read back after every tick.
    interrupted: bool,
}

impl Plant {
    fn new(fault: Fault) -> Plant {
        Plant { fault, length: 0.97, crown: 0.0, parting: 0.0, interrupted: false }
    }

    fn crown_force(&self) -> f64 {
        // The shoulder spring takes up 100 N in the last 1 mm of 14.75 mm.
        let force = ((self.crown - 0.93) * 14.75e-3 * 1e5).max(0.0);
        if self.fault == Fault::SoftCrown { force.min(60.0) } else { force }
    }

    fn spring(&self) -> f64 {
        let travel = (0.5995 - self.length).clamp(0.0, 0.05);
        if self.fault == Fault::WeakSpring { travel.min(0.03) } else { travel }
    }

    /// Runs until the end; returns the state and the mode and retreat seen in each tick.
    fn run(mut self, sequence: &Sequence, end: f64) -> (SequenceState, Vec<Commands>) {
        let mut state = sequence.start();
        let mut seen = Vec::new();
        for k in 0..(end / sequence.period) as usize {
            let t = k as f64 * sequence.period;
            let off = if let Fault::Offset(x) = self.fault { x } else { 0.01 };
            let fix = RimSeen {
                time: 0.5 * ((t - 0.2) / 0.5 + 1e-9).floor(),
                rim: Rim { centre: Vec3::new(off, 0.0, 1.96), axis: -Vec3::z() },
            };
            // Place of the sensors from the throat, and the nozzle's radius there.
            let a = 2.31 - (0.8 + self.length + 0.088);
            let radius = if a > 0.0 { 0.0082 + 0.4 * a } else { (0.0082 - 2.0 * a).min(0.025) };
            let distance = Some(radius - 0.0055).filter(|d| *d < 0.15 && self.fault != Fault::BlindSensors);
            let late = t > 60.0;
            let bracket = |at: f64| late && self.length < at && self.fault != Fault::NoBrackets;
            let all = self.fault != Fault::OneBracket && self.fault != Fault::Blind;
            let blocked = self.fault == Fault::BlockedTool && self.length > 1.2;
            let readings = Readings {
                camera: (t >= 0.2).then_some(fix),
                distances: &[distance; 3],
                nose: blocked,
                shoulder: self.fault == Fault::Rubbing && self.length > 1.3 && self.length < 1.42,
                brackets: &[bracket(0.6), all && bracket(0.597), all && bracket(0.596)],
                crown_force: self.crown_force(),
                crown_stowed: self.crown <= 0.0,
                boom_length: self.length,
                boom_force: if blocked { -20.0 } else { 0.0 },
                boom_lateral_force: if let Fault::Lateral(x) = self.fault { x } else { 17.0 },
                spring_travel: self.spring(),
                client_rate: if let Fault::Tumbling(x) = self.fault { x } else { 1e-4 },
                separation_speed: if self.fault == Fault::Blind { 0.0 } else { self.parting },
                sureness: Some([2e-4, 2e-4]),
            };
            let commands = sequence.tick(&mut state, t, &readings);
            if self.interrupted {
                state = postcard::from_bytes(&postcard::to_allocvec(&state).unwrap()).unwrap();
            }
            let next = t + sequence.period;
            let moved = commands.boom_rate.travel(next) - commands.boom_rate.travel(t);
            if !(blocked && moved > 0.0) {
                self.length += moved;
            }
            if self.crown_force() < commands.crown_force || commands.crown < 0.0 {
                self.crown = (self.crown + commands.crown * sequence.period / 7.4).clamp(0.0, 1.0);
            }
            self.parting += commands.retreat_speed.map_or(0.0, |_| 1.4e-3 * sequence.period);
            seen.push(commands);
        }
        (state, seen)
    }
}

/// The manoeuvre goes through its phases in order, by events, at the times of Krenn & Hirzinger to within 5 s.
#[test]
fn nominal_order_and_times() {
    let sequence = sequence(Trigger::Sensors);
    let (state, seen) = Plant::new(Fault::None).run(&sequence, 300.0);
    let order: Vec<DockingPhase> = state.transitions.iter().map(|x| x.to).collect();
    use DockingPhase::{Docked, Extend, Insert, Lock, Retract, Seat, Tension};
    assert_eq!(order, [Extend, Insert, Lock, Retract, Seat, Tension, Docked], "{:#?}", state.transitions);
    let at = |phase| state.time_of(phase).unwrap();
    for (phase, paper) in [(Lock, 40.0), (Retract, 50.0), (Seat, 220.0)] {
        assert!((at(phase) - paper).abs() < 5.0, "{phase:?} at {}", at(phase));
    }
    assert!(at(Docked) > 230.0 && at(Docked) < 300.0 && state.aborted.is_none());
    let modes = |t: f64| seen[(t / sequence.period) as usize].aocs;
    assert_eq!(modes(10.0), AocsMode::Approach);
    assert_eq!(modes(100.0), AocsMode::Contact);
    assert_eq!(modes(299.0), AocsMode::Mated);
    // The boom never breaks its limits, and rests while the crown locks and at the end.
    let rate = |t: f64| seen[(t / sequence.period) as usize].boom_rate.at(t).0;
    assert!(rate(at(Lock) + 1.0) == 0.0 && rate(299.0) == 0.0);
    assert!(seen.iter().all(|c| c.boom_rate.at(f64::MAX).0.abs() <= 0.0126));
}

/// Saved and read back after every tick, the sequence does bit for bit the same, docking or not.
#[test]
fn sequence_resumes() {
    let sequence = sequence(Trigger::Sensors);
    for fault in [Fault::None, Fault::SoftCrown] {
        let straight = Plant::new(fault).run(&sequence, 300.0);
        let interrupted = Plant { interrupted: true, ..Plant::new(fault) }.run(&sequence, 300.0);
        assert_eq!(straight, interrupted);
    }
}

/// The clock alone goes through the same phases at its own times, blind.
#[test]
fn timed_variant_needs_no_sensors() {
    let clock =
        Trigger::Clock { inserted: 40.0, locked: 50.0, brackets: 220.0, seated: 230.0, docked: 250.0 };
    let sequence = sequence(clock);
    let mut state = sequence.start();
    let blind = Readings {
        camera: None,
        distances: &[],
        nose: false,
        shoulder: false,
        brackets: &[],
        crown_force: 0.0,
        crown_stowed: false,
        boom_length: f64::NAN,
        boom_force: f64::NAN,
        boom_lateral_force: f64::NAN,
        spring_travel: f64::NAN,
        client_rate: f64::NAN,
        separation_speed: f64::NAN,
        sureness: None,
    };
    let mut length = 0.97;
    let mut lengths = Vec::new();
    for k in 0..3000 {
        let t = 0.1 * k as f64;
        let commands = sequence.tick(&mut state, t, &blind);
        length += commands.boom_rate.travel(t + 0.1) - commands.boom_rate.travel(t);
        lengths.push(length);
    }
    let times: Vec<f64> = state.transitions.iter().map(|x| x.time).collect();
    for (found, given) in times.iter().zip([40.0, 50.0, 220.0, 230.0, 250.0]) {
        assert!((found - given).abs() < 1e-9, "{times:?}");
    }
    assert_eq!(state.phase, DockingPhase::Docked);
    let at = |t: f64| lengths[(t * 10.0) as usize];
    assert!((at(40.0) - 1.44835).abs() < 2e-4 && (at(299.0) - 0.55).abs() < 1e-4, "{}", at(299.0));
    assert!((at(220.0) - 0.6).abs() < 0.003, "{}", at(220.0));
}

/// Every criterion stops the manoeuvre with its own reason, and ends in a safe retreat.
#[test]
fn each_abort_has_its_reason_and_ends_safely() {
    let degree = 1f64.to_radians();
    let cases = [
        (Fault::Offset(0.07), "lateral-error"),
        (Fault::BlockedTool, "insertion-force"),
        (Fault::BlindSensors, "insertion-timeout"),
        (Fault::SoftCrown, "locking-timeout"),
        (Fault::Lateral(81.0), "boom-lateral-force"),
        (Fault::Tumbling(1.1 * degree), "client-rate"),
        (Fault::NoBrackets, "retraction-timeout"),
        (Fault::OneBracket, "seating-timeout"),
        (Fault::WeakSpring, "tension-timeout"),
        (Fault::Blind, "seating-timeout"),
    ];
    for (fault, name) in cases {
        let (state, seen) = Plant::new(fault).run(&sequence(Trigger::Sensors), 480.0);
        assert_eq!(state.aborted.map(|x| x.name()), Some(name), "{fault:?}");
        let last: Vec<DockingPhase> = state.transitions.iter().rev().take(3).map(|x| x.to).collect();
        assert_eq!(last, [DockingPhase::Retreated, DockingPhase::Retreat, DockingPhase::Abort], "{fault:?}");
        // Nothing pushes before the crown is stowed and the boom is back.
        let retreat = state.time_of(DockingPhase::Retreat).unwrap();
        let pushing = seen.iter().position(|c| c.retreat_speed.is_some()).unwrap();
        assert!(0.1 * pushing as f64 >= retreat - 1e-9, "{fault:?}");
        assert!(seen.iter().all(|c| c.retreat_speed.is_none() || c.aocs == AocsMode::Approach));
        let reason = state.transitions.iter().find(|x| x.to == DockingPhase::Abort).unwrap().reason;
        assert_eq!(reason.to_string(), state.aborted.unwrap().to_string());
        assert!(
            state.verdict().contains(&reason.to_string())
                && state.verdict().ends_with("away from the client")
        );
    }
}

/// Short of a limit nothing happens: the same faults just below it dock.
#[test]
fn limits_are_not_passed_by_less() {
    let degree = 1f64.to_radians();
    for fault in [Fault::Offset(0.059), Fault::Lateral(79.0), Fault::Tumbling(0.99 * degree), Fault::Rubbing]
    {
        let (state, _) = Plant::new(fault).run(&sequence(Trigger::Sensors), 300.0);
        assert_eq!(state.phase, DockingPhase::Docked, "{fault:?}: {:#?}", state.transitions);
    }
}

/// The length of the boom comes from the camera: a nozzle 30 mm farther away is reached 30 mm later.
#[test]
fn length_follows_the_camera() {
    let sequence = sequence(Trigger::Sensors);
    let mut state = sequence.start();
    for k in 0..20u32 {
        let fix =
            RimSeen { time: f64::from(k), rim: Rim { centre: Vec3::new(0.0, 0.0, 1.99), axis: -Vec3::z() } };
        sequence.see(&mut state, &fix);
    }
    assert!((state.length_inserted - 1.47835).abs() < 1e-12, "{}", state.length_inserted);
}

/// A nozzle that leans is entered by a tool that leans in it: the boom stops half of the gap before one side of its shoulder touches. A boom that bends with it, by 3/2 of the
/// deflection over the length, takes the lean away; below half of the gap the mark stays.
#[test]
fn the_boom_stops_before_a_leaning_shoulder() {
    let sequence = sequence(Trigger::Sensors);
    let mark = |x: f64, lean: f64| {
        let mut state = sequence.start();
        let axis = Vec3::new(lean.sin(), 0.0, -lean.cos());
        let centre = Vec3::new(x, 0.0, 2.31) + axis * 0.35;
        sequence.see(&mut state, &RimSeen { time: 0.0, rim: Rim { centre, axis } });
        state.length_inserted + lean.cos() * 0.05965 + 0.002 - (2.31 - 0.8)
    };
    let two = 2f64.to_radians();
    for (x, lean, early) in [
        (0.0, 0.0, 0.0),
        (0.0, 0.3f64.to_radians(), 0.0),
        (0.0, two, 0.176 * two.sin() - 0.001),
        (0.0, -two, 0.176 * two.sin() - 0.001),
        // The crown needs three fifths of the 28.35 mm behind the throat to open.
        (0.0, 3.0 * two, 0.4 * 0.02835),
        (-0.0302, (1.5 * 0.0302 / 1.51f64).asin(), 0.0),
    ] {
        assert!((mark(x, lean) + early).abs() < 1e-12, "{x} {lean}: {}", mark(x, lean));
    }
}

/// While the crown opens the boom goes along with a nozzle that goes away, as far as the camera is sure; once the crown pulls, it rests.
#[test]
fn the_boom_follows_until_the_crown_pulls() {
    let sequence = sequence(Trigger::Sensors);
    let mut state = sequence.start();
    state.phase = DockingPhase::Lock;
    let mut length = 1.448;
    for k in 0..60u32 {
        let t = 0.1 * f64::from(k);
        // 6 mm/s away; from 4 s on the crown holds it.
        let readings = Readings {
            boom_length: length,
            crown_force: if k < 40 { 0.0 } else { 10.0 },
            ..inserting(t, &[Some(0.02); 3], 0.006 * t.min(4.0), 0.006)
        };
        let commands = sequence.tick(&mut state, t, &readings);
        length += commands.boom_rate.travel(t + 0.1) - commands.boom_rate.travel(t);
        if k == 39 {
            assert!((length - 1.448 - 0.006 * 4.0).abs() < 1e-3, "{length}");
            assert_eq!(commands.boom_force, 20.0, "no harder than during insertion");
        }
    }
    assert_eq!(state.ramp.at(6.0).0, 0.0);
    assert!((state.length_inserted - 1.448 - 0.0234).abs() < 1e-9, "{}", state.length_inserted);
}

/// What cannot work is refused with the reason; the reference is not.
#[test]
fn impossible_sequences_are_refused() {
    let good = sequence(Trigger::Sensors);
    assert_eq!(good.check(), Ok(()));
    let with = |change: fn(&mut Sequence)| {
        let mut bad = good;
        change(&mut bad);
        bad.check().unwrap_err()
    };
    assert!(matches!(with(|s| s.boom.length_inserted = 1.7), SequenceError::BeyondReach { .. }));
    assert!(matches!(with(|s| s.boom.length_docked = 0.52), SequenceError::TooShort { .. }));
    assert!(matches!(with(|s| s.boom.length_start = 0.55), SequenceError::Order { .. }));
    assert!(matches!(with(|s| s.boom.force = 10.0), SequenceError::Force(..)));
    for bad in [
        with(|s| s.boom.length_docked = -0.6),
        with(|s| s.boom.insertion_speed = 0.0),
        with(|s| s.events.locking_force = f64::NAN),
    ] {
        assert!(matches!(bad, SequenceError::NotPositive { .. }), "{bad}");
    }
    let times = |s: &mut Sequence| {
        s.trigger =
            Trigger::Clock { inserted: 40.0, locked: 30.0, brackets: 220.0, seated: 230.0, docked: 250.0 };
    };
    assert_eq!(with(times), SequenceError::Times(30.0, 40.0));
}

/// A tool that stops short of the throat, its sensors reading about the threshold with noise, is not inserted, wherever the boom thinks it is.
#[test]
fn noise_at_the_threshold_is_no_passage() {
    let sequence = sequence(Trigger::Sensors);
    let mut state = sequence.start();
    (state.phase, state.length_inserted) = (DockingPhase::Insert, 1.448);
    for k in 0..100 {
        let distance = Some(0.008 + if k % 2 == 0 { 3e-4 } else { -3e-4 });
        let readings = Readings {
            camera: None,
            distances: &[distance; 3],
            nose: true,
            shoulder: true,
            brackets: &[false; 3],
            crown_force: 0.0,
            crown_stowed: true,
            boom_length: 1.448,
            boom_force: -10.0,
            boom_lateral_force: 0.0,
            spring_travel: 0.0,
            client_rate: 0.0,
            separation_speed: 0.0,
            sureness: Some([2e-4, 2e-4]),
        };
        sequence.tick(&mut state, 0.1 * f64::from(k), &readings);
        assert_eq!(state.phase, DockingPhase::Insert);
    }
}

/// Readings of a tool that goes in: distances, and how far the camera sees the shoulder before its mark, m.
fn inserting<'a>(t: f64, distances: &'a [Option<f64>], before: f64, parting: f64) -> Readings<'a> {
    // Root of the boom, boom, gap, and the shoulder in the nozzle whose exit it looks out of.
    let z = 0.8 + 1.448 + before + 0.002 + 0.05965 - 0.35;
    Readings {
        camera: Some(RimSeen { time: t, rim: Rim { centre: Vec3::new(0.0, 0.0, z), axis: -Vec3::z() } }),
        distances,
        nose: false,
        shoulder: false,
        brackets: &[false; 3],
        crown_force: 0.0,
        crown_stowed: true,
        boom_length: 1.448,
        boom_force: 0.0,
        boom_lateral_force: 0.0,
        spring_travel: 0.0,
        client_rate: 0.0,
        separation_speed: parting,
        sureness: Some([2e-4, 2e-4]),
    }
}

/// Only what passes the throat inwards is in: sensors that come near the wall one after the other are not in the throat, and those that were and are left out of it again are
/// not behind it, whatever they read; nor is a tool inserted whose nozzle runs away, or that the camera sees elsewhere.
#[test]
fn insertion_has_a_signature() {
    let sequence = sequence(Trigger::Sensors);
    let (near, far) = (Some(0.0045), Some(0.012));
    let one_by_one = [[near, far, far], [far, near, far], [far, far, near], [far; 3]];
    let cases = [
        ("passes", vec![([near; 3], 0.026, 0.0), ([far; 3], 0.0005, 0.0)], true),
        ("one by one", one_by_one.map(|d| (d, 0.0005, 0.0)).to_vec(), false),
        (
            "left behind",
            vec![([near; 3], 0.026, 0.0), ([far; 3], 0.040, 0.0), ([far; 3], 0.0005, 0.0)],
            false,
        ),
        ("short", vec![([near; 3], 0.026, 0.0), ([far; 3], 0.0015, 0.0)], false),
        ("running away", vec![([near; 3], 0.026, 0.0), ([far; 3], 0.0005, 0.01)], false),
        ("place not sure", vec![([near; 3], 0.026, 0.0), ([far; 3], 0.0005, 0.0)], false),
        ("speed not sure", vec![([near; 3], 0.026, 0.0), ([far; 3], 0.0005, 0.0)], false),
    ];
    for (name, steps, is_in) in cases {
        let sureness = match name {
            "place not sure" => [8e-4, 2e-4],
            "speed not sure" => [2e-4, 1.1e-3],
            _ => [2e-4, 2e-4],
        };
        let mut state = sequence.start();
        state.phase = DockingPhase::Insert;
        for (k, (distances, before, parting)) in steps.iter().enumerate() {
            let t = 0.1 * k as f64;
            let readings = inserting(t, distances, *before, *parting);
            sequence.tick(&mut state, t, &Readings { sureness: Some(sureness), ..readings });
            // The boom rests: where it is driven to is not this test's.
            state.ramp = Ramp::default();
        }
        assert_eq!(state.phase == DockingPhase::Lock, is_in, "{name}: {state:?}");
    }
}
