//! The engine stepped from outside: states as values, looks that change nothing, commands, forks.

mod common;

use common::{Memory, built_in, inline, world};
use touchdown_scenario::{EntryKind, Scenario, catalogue};
use touchdown_sim::description::{Input, InputTarget, Integrator, StepControl, Study};
use touchdown_sim::{AdvanceError, InputError, ObserveError, Simulation, State};

/// Steps of a run that is cut short.
const STEPS: u64 = 60;

/// Scenarios that run in time, cut short.
fn in_time() -> Vec<Scenario> {
    let all =
        catalogue().iter().filter(|e| e.kind == EntryKind::Scenario).map(|entry| built_in(&entry.name, &[]));
    all.filter(|s| matches!(s.description.study, None | Some(Study::Gradability(_)))).collect()
}

/// The same scenario with another integrator, cut to what a few steps reach; nothing where those fail.
fn cut(scenario: &Scenario, integrator: Integrator) -> Option<Scenario> {
    let mut cut = scenario.clone();
    cut.description.integrator = integrator;
    let mut world = Simulation::build(&cut.description).ok()?;
    world.advance_steps(STEPS).ok()?;
    cut.description.duration = world.time();
    (world.time() > 0.0).then_some(cut)
}

/// The state at the end of a run that is recorded, or not at all.
fn state_after(scenario: &Scenario, record: Option<(f64, f64)>) -> Result<State, String> {
    let mut scenario = scenario.clone();
    if let Some((series, frames)) = record {
        (scenario.description.record.series_every, scenario.description.record.frames_every) =
            (series, frames);
    }
    let mut world = Simulation::build(&scenario.description).map_err(|e| format!("{e:?}"))?;
    match record {
        None => drop(world.advance_steps(u64::MAX).map_err(|e| e.to_string())?),
        Some(_) => {
            let outcome = world.run(&mut Memory::default()).map_err(|e| e.to_string())?;
            outcome.stopped_because.map_or(Ok(()), Err)?;
        }
    }
    Ok(world.save())
}

fn unlike(scenario: &Scenario) -> Option<String> {
    let plain = state_after(scenario, None);
    let h = scenario.description.duration;
    for record in [(h / 7.3, h / 3.1), (h / 23.0, h / 1.7)] {
        match (&plain, &state_after(scenario, Some(record))) {
            (Ok(plain), Ok(recorded)) if plain == recorded => {}
            // A run that fails does so with and without rows.
            (Err(_), Err(_)) => {}
            (plain, recorded) => {
                let why = |s: &Result<State, String>| s.as_ref().err().cloned().unwrap_or_default();
                return Some(format!("{} {record:?} {} {}", scenario.name, why(plain), why(recorded)));
            }
        }
    }
    None
}

/// Two unrelated recording intervals and none at all give the same final state, bit for bit, in every scenario with its own integrator.
#[test]
fn recording_changes_no_bit_of_any_scenario() {
    let wrong: Vec<String> =
        in_time().iter().filter_map(|s| unlike(&cut(s, s.description.integrator)?)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The same with the other integrators. Flexible bodies and hard layers are too stiff for steps that adapt.
#[test]
fn recording_changes_no_bit_with_any_integrator() {
    let mut wrong = Vec::new();
    for scenario in in_time() {
        let d = &scenario.description;
        let adaptive = StepControl::Adaptive { relative: 1e-6, absolute: 1e-6, longest: 1.0 };
        let implicit = Integrator::Implicit { step: adaptive, spectral_radius: 0.8 };
        let mut others = vec![Integrator::Realtime { step: 1e-3 }];
        if d.flexible.is_empty() {
            others.push(implicit);
            if d.polygonal.is_empty() {
                others.push(Integrator::Explicit { step: adaptive });
            }
        }
        wrong.extend(others.into_iter().filter_map(|i| unlike(&cut(&scenario, i)?)));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Scenarios with one kind of thing each that remembers.
const TEN: [&str; 10] = [
    "single-wheel",
    "rover-drawbar-pull",
    "rover-straight-brush",
    "ball-in-bowl",
    "stick-slip-block",
    "hexapod-walk",
    "docking-lock",
    "satellite-attitude",
    "rock-drop",
    "pendulum",
];

/// A scenario with everything that can be commanded as an input.
fn commanded(name: &str) -> Scenario {
    let mut scenario = built_in(name, &[]);
    let d = &mut scenario.description;
    for (name, target) in InputTarget::commands_of(&d.mechanism) {
        let unit = target.unit(&d.mechanism);
        d.inputs.push(Input { name, target, unit, lower: -1e3, upper: 1e3 });
    }
    scenario
}

/// A number from 0 to 1 for each count, the same on every machine.
fn number(count: u64) -> f64 {
    let mut x = count.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    x ^= x >> 31;
    x = x.wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (x >> 40) as f64 / (1u64 << 24) as f64
}

/// A hundred times: save, command, advance, go back, do it again: the same bits.
#[test]
fn what_is_rolled_back_happens_again_bit_for_bit() {
    for (k, name) in TEN.iter().enumerate() {
        let scenario = commanded(name);
        let mut world = world(&scenario);
        for round in 0..10 {
            let seed = (k * 100 + round) as u64;
            assert!(world.advance_steps(1 + (20.0 * number(seed)) as u64).is_ok(), "{name}");
            let saved = world.save();
            let go_on = |world: &mut Simulation| {
                if let Some(input) = world.inputs().get(seed as usize % 7 % world.inputs().len().max(1)) {
                    let (name, value) = (input.name.clone(), 0.02 * (number(seed + 5) - 0.5));
                    world.command(&name, value).unwrap_or_else(|e| panic!("{e}"));
                }
                // A command may be more than the numbers bear; then it is so every time.
                (world.advance_steps(1 + (30.0 * number(seed + 9)) as u64), world.save())
            };
            let first = go_on(&mut world);
            assert_eq!(world.restore(saved.clone()), Ok(()), "{name}");
            assert!(first == go_on(&mut world), "{name}, round {round}");
            assert_eq!(world.restore(saved), Ok(()), "{name}");
        }
    }
}

/// Splitting an advance at multiples of a fixed step changes nothing; with adaptive steps, at multiples of `exchange_every`.
#[test]
fn split_advances_end_with_the_same_bits() {
    let adaptive = StepControl::Adaptive { relative: 1e-8, absolute: 1e-8, longest: 1.0 };
    for (name, integrator) in [
        ("single-wheel", None),
        ("docking-lock", None),
        ("double-pendulum", Some(Integrator::Explicit { step: adaptive })),
        ("double-pendulum", Some(Integrator::Implicit { step: adaptive, spectral_radius: 0.9 })),
    ] {
        let mut scenario = built_in(name, &[]);
        let d = &mut scenario.description;
        d.integrator = integrator.unwrap_or(d.integrator);
        d.exchange_every = Some(0.03);
        let end = 0.3;
        let mut whole = world(&scenario);
        whole.advance_to(end).unwrap_or_else(|e| panic!("{name}: {e}"));
        let mut split = world(&scenario);
        for k in 1..=10 {
            split.advance_to(0.03 * f64::from(k)).unwrap_or_else(|e| panic!("{name}: {e}"));
        }
        assert!(whole.save() == split.save(), "{name} {integrator:?}");
        let mut stepped = world(&scenario);
        while stepped.time() < end - 1e-9 {
            stepped.step().unwrap_or_else(|e| panic!("{name}: {e}"));
        }
        assert!(whole.save() == stepped.save(), "{name} {integrator:?} by steps");
    }
}

/// A fork continues independently; where it is not steered it does what its origin does. Copies share the ground that neither has touched.
#[test]
fn forks_do_not_see_each_other() {
    let scenario = commanded("rover-drawbar-pull");
    let mut origin = world(&scenario);
    assert_eq!(origin.advance_steps(300), Ok(300));
    let mut twin = origin.fork();
    let mut other = origin.fork();
    let name = other.inputs()[0].name.clone();
    assert_eq!(other.command(&name, 0.0), Ok(()));
    for world in [&mut origin, &mut twin, &mut other] {
        assert_eq!(world.advance_steps(100), Ok(100));
    }
    assert!(origin.save() == twin.save());
    assert!(origin.save() != other.save());
    let (a, b) = (origin.soil().expect("soil"), other.soil().expect("soil"));
    assert!(a.tiles_shared_with(b) > 0, "{} tiles, none shared", a.tile_count());
}

/// Two simulations on two threads of one process end as they would alone.
#[test]
fn simulations_on_two_threads_do_not_meet() {
    let scenario = built_in("single-wheel", &[]);
    let run = || {
        let mut world = world(&scenario);
        world.advance_steps(400).unwrap_or_else(|e| panic!("{e}"));
        world.save()
    };
    let alone = run();
    let both = std::thread::scope(|scope| {
        let one = scope.spawn(run);
        let two = scope.spawn(run);
        [one.join().expect("ends"), two.join().expect("ends")]
    });
    assert!(both.iter().all(|state| *state == alone));
}

/// Threads of this process that help an evaluation.
#[cfg(target_os = "linux")]
fn helpers() -> usize {
    let tasks = std::fs::read_dir("/proc/self/task").expect("Linux lists the threads of a process").flatten();
    let name =
        |task: std::fs::DirEntry| std::fs::read_to_string(task.path().join("comm")).unwrap_or_default();
    tasks
        .filter(|task| task.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(name)
        .filter(|name| name.trim() == "crew")
        .count()
}

/// Two rovers on two threads, six wheels in soil each, step without helpers; with two threads allowed one helps.
#[cfg(target_os = "linux")]
#[test]
fn simulations_start_no_threads_unless_they_are_allowed_to() {
    let scenario = built_in("rover-drawbar-pull", &[]);
    let step = || {
        let mut world = world(&scenario);
        world.advance_steps(200).unwrap_or_else(|e| panic!("{e}"));
        world
    };
    let mut both = std::thread::scope(|scope| {
        let one = scope.spawn(step);
        let two = scope.spawn(step);
        [one.join().expect("ends"), two.join().expect("ends")]
    });
    assert_eq!(helpers(), 0);
    both[0].use_threads(2);
    // A thread takes its name when it begins to run.
    let mut steps = (0..500).map(|_| both[0].advance_steps(1));
    assert!(steps.any(|step| step.is_ok() && helpers() == 1));
}

/// Looking between steps changes nothing, and what is seen is what the row of the series shows.
#[test]
fn observing_changes_nothing() {
    let scenario = built_in("rover-straight-brush", &[]);
    let (mut plain, mut watched) = (world(&scenario), world(&scenario));
    let names = ["time_s", "energy.kinetic_j", "body.rover/chassis.x_m"];
    let columns: Vec<usize> =
        names.iter().map(|n| watched.column(n).unwrap_or_else(|e| panic!("{e}"))).collect();
    let mut out = [0.0; 3];
    for _ in 0..50 {
        assert_eq!((plain.step(), watched.step()), (Ok(()), Ok(())));
        watched.observe(&columns, &mut out).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(out[0], watched.time());
    }
    assert!(plain.save() == watched.save());
}

/// A mass on a rail under a force that is commanded: v = Σ F·Δt/m, and the ledger has its work.
const RAIL: &str = r#"
title = "a mass on a rail"
duration_s = 2
gravity = "none"
integrator = { name = "NAME", step = "1 ms" }

[body.mass]
mass_kg = 2
point_mass = true

[joint.rail]
type = "prismatic"
child = "mass"
axis = [1, 0, 0]

[drive.push]
joints = ["rail"]
force = "0 N"
input = true
"#;

#[test]
fn a_commanded_force_accelerates_and_its_work_is_booked() {
    // Forces of 3, −1 and 0 N over half a second each: v = 0.5 m/s, kinetic energy 0.25 J, all of it work of the drive.
    for integrator in ["realtime", "implicit"] {
        let mut world = world(&inline(&RAIL.replace("NAME", integrator), &[]));
        assert_eq!(world.inputs()[0].unit, "N");
        for (k, force) in [3.0, -1.0, 0.0].into_iter().enumerate() {
            world.command("push", force).unwrap_or_else(|e| panic!("{e}"));
            world.advance_to(0.5 * (k + 1) as f64).unwrap_or_else(|e| panic!("{e}"));
        }
        let column = world.column("joint.rail.rate_m_per_s").unwrap_or_else(|e| panic!("{e}"));
        let mut v = [0.0];
        world.observe(&[column], &mut v).unwrap_or_else(|e| panic!("{e}"));
        assert!((v[0] - 0.5).abs() < 1e-9, "{integrator}: {}", v[0]);
        let outcome = world.outcome();
        let work = outcome.ledger.iter().find(|e| e.name == "drive_work_j").map_or(f64::NAN, |e| e.value);
        // The trapezoidal rule is exact for a constant force and a rate that grows linearly; realtime moves the rate first, an error of F·a·h/2 a step.
        assert!((work - 0.25).abs() < 2e-3, "{integrator}: {work}");
    }
}

/// Bad commands and questions are refused with what is allowed, and the simulation goes on.
#[test]
fn refusals_teach_and_change_nothing() {
    let mut scenario = inline(&RAIL.replace("NAME", "realtime"), &[]);
    (scenario.description.inputs[0].lower, scenario.description.inputs[0].upper) = (-5.0, 5.0);
    let mut world = world(&scenario);
    let before = world.save();
    let unknown = world.command("pull", 1.0);
    assert!(
        matches!(&unknown, Err(InputError::Unknown { known, .. }) if known == &["push".to_string()]),
        "{unknown:?}"
    );
    for value in [f64::NAN, f64::INFINITY, 5.1, -6.0] {
        let refused = world.command("push", value).expect_err("outside");
        assert!(refused.to_string().contains("between -5 and 5 N"), "{refused}");
    }
    let column = world.column("joint.rail.rate_m_per_h").expect_err("no such column");
    assert!(
        matches!(&column, ObserveError::Unknown { nearest: Some(n), .. } if n == "joint.rail.rate_m_per_s"),
        "{column}"
    );
    assert!(world.observe(&[100_000], &mut [0.0]).is_err());
    assert!(matches!(world.advance_to(-1.0), Err(AdvanceError::Time { .. })));
    assert!(matches!(world.advance_to(f64::NAN), Err(AdvanceError::Time { .. })));
    let other = common::world(&built_in("pendulum", &[]));
    assert!(world.restore(other.save()).is_err());
    assert!(world.save() == before);
    world.advance_to(2.0).unwrap_or_else(|e| panic!("{e}"));
    assert!(matches!(world.step(), Err(AdvanceError::Over { .. })));
    world.reset(None);
    assert!(world.save() == before);
    assert_eq!(world.step(), Ok(()));
}

/// A table of commands does what the same commands by hand do, also after it was stopped and taken up.
#[test]
fn a_schedule_is_followed() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("push.csv");
    std::fs::write(&file, "time_s,push\n0,1\n0.25,-2\n0.5,\n0.75,0.5\n").expect("written");
    let text = RAIL.replace("NAME", "realtime");
    let set = format!("commands={:?}", file.display().to_string());
    let mut scheduled = world(&inline(&text, &[&set]));
    let mut by_hand = world(&inline(&text, &[]));
    for (until, force) in [(0.25, 1.0), (0.75, -2.0), (1.0, 0.5)] {
        by_hand.command("push", force).unwrap_or_else(|e| panic!("{e}"));
        by_hand.advance_to(until).unwrap_or_else(|e| panic!("{e}"));
        scheduled.advance_to(until).unwrap_or_else(|e| panic!("{e}"));
        let bytes = scheduled.checkpoint();
        scheduled = world(&inline(&text, &[&set]));
        assert_eq!(scheduled.resume(&bytes), Ok(()));
    }
    assert_eq!(scheduled.state().q, by_hand.state().q);
    assert_eq!(scheduled.state().v, by_hand.state().v);
}

/// Columns that need no more than kinematics or a single body in soil are evaluated by themselves, with the bits that all forces together give.
#[test]
fn single_columns_are_those_of_the_whole() {
    for name in ["rover-drawbar-pull", "rover-drop-brush", "boom-bending", "four-bar"] {
        let mut sim = world(&built_in(name, &[]));
        // Between two samples: whoever looks has seen another state last.
        sim.advance_to(0.505).unwrap_or_else(|e| panic!("{name}: {e}"));
        let mut other = sim.fork();
        let names: Vec<String> = sim.columns().iter().map(|c| c.name.clone()).collect();
        let soil = names.iter().filter(|name| name.starts_with("soil.")).count();
        assert!(name != "rover-drawbar-pull" || soil >= 60, "six wheels with ten columns each, found {soil}");
        let look = |sim: &mut Simulation, columns: &[usize]| {
            let mut out = vec![f64::NAN; columns.len()];
            sim.observe(columns, &mut out).unwrap_or_else(|e| panic!("{name}: {e}"));
            out.iter().map(|x| x.to_bits()).collect::<Vec<u64>>()
        };
        let all: Vec<usize> = (0..names.len()).collect();
        let whole = look(&mut other, &all);
        // What needs least first, so that nothing stands there from another column; then one by one in another order.
        let light = |k: &usize| {
            let ends = ["sinkage_m", "slip_drive", "travel_reduction"];
            ends.iter().any(|end| names[*k].ends_with(end))
        };
        for k in all.iter().copied().filter(light).chain(all.iter().copied().rev()) {
            assert_eq!(look(&mut sim, &[k])[0], whole[k], "{name}: {}", names[k]);
        }
    }
}

/// A state that is saved right after a command, which takes effect with the next step, continues with the same bits when it is put back: also its energy ledger.
#[test]
fn commands_that_wait_are_part_of_the_state() {
    for name in ["realtime", "implicit", "explicit"] {
        let text = RAIL.replace("NAME", name);
        let mut straight = world(&inline(&text, &[]));
        straight.advance_to(0.5).unwrap_or_else(|e| panic!("{e}"));
        straight.command("push", 3.0).unwrap_or_else(|e| panic!("{e}"));
        let waiting = straight.save();
        straight.advance_to(1.0).unwrap_or_else(|e| panic!("{e}"));
        let mut restored = world(&inline(&text, &[]));
        assert_eq!(restored.restore(waiting), Ok(()));
        restored.advance_to(1.0).unwrap_or_else(|e| panic!("{e}"));
        assert!(restored.save() == straight.save(), "{name}");
    }
}
