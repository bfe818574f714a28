//! Random legal worlds: bodies on random joints, springs, drives, contacts with grounds of all kinds, soils, maps, each with every
//! integrator (built-in ones with their own). None may panic, end well with numbers that are none, change the momentum of what nothing holds, or differ from its twin
//! with half the step or a tolerance a hundred times as fine while every check of validity holds.
//!
//! World n is the same on every machine. `make fuzz-worlds` runs WORLDS of them from WORLDS_FROM on.

mod common;

use common::Memory;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use touchdown_multibody::description::{Gravity, JointKind};
use touchdown_scenario::{Scenario, load, load_str};
use touchdown_sim::Simulation;
use touchdown_sim::description::{Integrator, StepControl};
use touchdown_sim::sink::Outcome;

/// Worlds in CI.
const WORLDS: u64 = 320;
/// Simulated time of a world, s.
const SECONDS: f64 = 0.25;
/// Steps after which a world is left: some are so stiff that `explicit` takes millions.
const STEPS: u64 = 20_000;

/// Seeded dice (splitmix64).
struct Dice(u64);

impl Dice {
    fn of_world(n: u64) -> Self {
        Dice(n.wrapping_mul(0xd134_2543_de82_ef95))
    }
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
    /// Spread evenly over decades.
    fn about(&mut self, low: f64, high: f64) -> f64 {
        (self.between(low.ln(), high.ln())).exp()
    }
    fn vector(&mut self, most: f64) -> String {
        let [x, y, z] = [0; 3].map(|_| self.between(-most, most));
        format!("[{x:.3}, {y:.3}, {z:.3}]")
    }
}

/// A built-in world with random settings: soil, feet, maps, tyres, polygons.
fn built_in(dice: &mut Dice) -> (String, Vec<String>) {
    let (name, keys): (&str, &[(&str, f64, f64)]) = dice.pick(&[
        ("single-wheel", &[("friction_angle_deg", 15.0, 40.0)][..]),
        ("plate-sinkage", &[][..]),
        ("foot-drop", &[][..]),
        ("ball-on-map", &[][..]),
        ("ball-in-bowl", &[("mass_kg", 0.1, 10.0), ("friction", 0.01, 1.0)][..]),
        ("rover-drop-brush", &[][..]),
        ("stick-slip-block", &[][..]),
        ("double-pendulum", &[][..]),
        ("ellipsoid-on-map", &[][..]),
    ]);
    let mut sets = vec![format!("duration_s={SECONDS}")];
    sets.extend(keys.iter().map(|(key, low, high)| format!("{key}={}", dice.about(*low, *high))));
    (name.into(), sets)
}

/// A world of its own: a forest of bodies with what may act on them.
fn made(dice: &mut Dice) -> String {
    let gravity = dice.pick(&["none", "earth", "moon", "mars"]);
    let mut text = format!(
        "title = \"world\"\nduration = \"{SECONDS} s\"\ngravity = \"{gravity}\"\nrecord = {{ series_every = \"50 ms\", frames_every = \"1 s\" }}\n"
    );
    text += dice.pick(&[
        "[ground]\n",
        "[ground]\nshape = \"paraboloid\"\ncoefficients_per_m = [0.1, 0.2]\nsurface = \"analytic\"\nsize = \"40 m\"\n",
        "",
    ]);
    let grounded = text.contains("[ground]");
    let bodies = 1 + dice.below(4);
    for k in 0..bodies {
        let (radius, mass) = (dice.between(0.05, 0.3), dice.about(0.1, 50.0));
        let _ = writeln!(
            text,
            "[body.b{k}]\nmass = \"{mass:.4} kg\"\nuniform = {{ sphere = \"{radius:.4} m\" }}"
        );
        let parent = if k > 0 && dice.below(3) > 0 {
            format!("parent = \"b{}\"\n", dice.below(k))
        } else {
            String::new()
        };
        let kind = dice.pick(&["revolute", "prismatic", "free", "spherical"]);
        let _ = writeln!(text, "[joint.j{k}]\ntype = \"{kind}\"\nchild = \"b{k}\"\n{parent}");
        match kind {
            "free" => {
                let [x, y] = [0; 2].map(|_| dice.between(-1.0, 1.0));
                let _ = writeln!(
                    text,
                    "placed = {{ position_m = [{x:.3}, {y:.3}, {:.3}] }}\nvelocity_m_per_s = {}",
                    radius + dice.between(0.3, 0.6),
                    dice.vector(1.0)
                );
                if grounded && dice.below(3) > 0 {
                    let _ = writeln!(
                        text,
                        "[contact.c{k}]\nbody = \"b{k}\"\nstiffness = \"{:.1} N/m\"\ndamping = \"{:.2} N s/m\"\nfriction = {:.2}\nfriction_speed = \"10 mm/s\"\nthreshold = \"2 m\"\nmost = 1",
                        dice.about(1e3, 1e5),
                        dice.about(1.0, 100.0),
                        dice.between(0.0, 1.0)
                    );
                }
            }
            "spherical" => {}
            _ => {
                let axis = dice.pick(&["[1, 0, 0]", "[0, 1, 0]", "[0, 0, 1]"]);
                let _ = writeln!(text, "axis = {axis}");
                act(dice, &mut text, k, kind);
            }
        }
    }
    if bodies > 1 && dice.below(2) == 0 {
        let _ = writeln!(
            text,
            "[spring.s]\nbetween = [\"b0\", {{ body = \"ground\", position_m = {} }}]\nstiffness = \"{:.1} N/m\"\ndamping = \"{:.2} N s/m\"\nrest_length = \"0.5 m\"",
            dice.vector(2.0),
            dice.about(10.0, 1e5),
            dice.about(0.01, 100.0)
        );
    }
    text
}

/// What acts on a joint: a drive with or without a limit.
fn act(dice: &mut Dice, text: &mut String, k: u64, kind: &str) {
    let turns = kind == "revolute";
    let (speed, gain, force) = if turns { ("rad/s", "N m s/rad", "N m") } else { ("m/s", "N s/m", "N") };
    if dice.below(2) == 0 {
        let _ = writeln!(
            text,
            "[drive.d{k}]\njoints = \"j{k}\"\nspeed = \"{:.3} {speed}\"\ngain = \"{:.2} {gain}\"",
            dice.between(-2.0, 2.0),
            dice.about(0.1, 1e4)
        );
        if dice.below(2) == 0 {
            let _ = writeln!(text, "limit = \"{:.3} {force}\"", dice.about(0.1, 100.0));
        }
    }
}

/// Integrators of a world.
const INTEGRATORS: [&str; 3] = [
    "{ name = \"explicit\", tolerance = 1e-8 }",
    "{ name = \"implicit\", tolerance = 1e-5 }",
    "{ name = \"realtime\", step = \"1 ms\" }",
];

/// Whether world n is a built-in one, which runs with its own integrator alone.
fn is_built_in(n: u64) -> bool {
    n % 4 == 3
}

/// World n with one of the integrators.
fn world(n: u64, with: usize) -> Result<Scenario, String> {
    let mut dice = Dice::of_world(n);
    let scenario = if is_built_in(n) {
        let (name, sets) = built_in(&mut dice);
        load(&name, &sets)
    } else {
        let sets = [format!("integrator={}", INTEGRATORS[with])];
        load_str(&format!("world-{n}.toml"), &made(&mut dice), Path::new("."), &sets)
    };
    scenario.map_err(|e| e.to_string())
}

/// The same with half the step, or a hundredth of the tolerance.
fn refine(scenario: &mut Scenario) {
    let control = |step: StepControl| match step {
        StepControl::Fixed(h) => StepControl::Fixed(0.5 * h),
        StepControl::Adaptive { relative, absolute, longest } => {
            StepControl::Adaptive { relative: 0.01 * relative, absolute: 0.01 * absolute, longest }
        }
    };
    scenario.description.integrator = match scenario.description.integrator {
        Integrator::Explicit { step } => Integrator::Explicit { step: control(step) },
        Integrator::Implicit { step, spectral_radius } => {
            Integrator::Implicit { step: control(step), spectral_radius }
        }
        Integrator::Realtime { step } => Integrator::Realtime { step: 0.5 * step },
    };
}

/// By how much the momentum of a world changes that nothing holds: by its weight; `None` where something may hold it.
fn weight_alone(scenario: &Scenario) -> Option<f64> {
    let d = &scenario.description;
    let floats = d.mechanism.joints.iter().all(|j| j.parent.is_some() || j.kind == JointKind::Free);
    let Gravity::Uniform(g) = d.mechanism.gravity else { return None };
    let mass: f64 = d.mechanism.bodies.iter().map(|body| body.mass).sum();
    (floats && d.ground.is_none() && d.mechanism.elements.is_empty()).then_some(mass * g.norm() * SECONDS)
}

/// What is missing of the momentum, over the largest that the world's energy can have.
fn momentum_missing(outcome: &Outcome, expected: f64) -> f64 {
    let value = |name: &str| {
        let all = outcome.ledger.iter().chain(&outcome.quantities);
        all.filter(|entry| entry.name == name).map(|entry| entry.value).next().unwrap_or(f64::NAN)
    };
    let largest = (2.0 * value("total_mass_kg") * value("kinetic_max_j")).sqrt();
    (value("momentum_change_max_n_s") - expected).abs() / largest
}

/// A run that ended: names of its columns, its rows, and a check that does not hold.
type Ran = (Vec<String>, Memory, Option<String>);

/// Runs a world; nothing where it said why it stopped.
fn rows(scenario: &Scenario) -> Result<Option<Ran>, String> {
    let expected = weight_alone(scenario);
    let mut world = Simulation::build(&scenario.description).map_err(|e| format!("{e:?}"))?;
    let mut memory = Memory::default();
    let outcome = if scenario.description.study.is_some() {
        world.run(&mut memory).map_err(|e| e.to_string())?
    } else {
        let mut steps = 0;
        let mut go_on = || {
            steps += 1;
            steps < STEPS
        };
        let reached = world.advance_while(scenario.description.duration, Some(&mut memory), &mut go_on);
        if !reached.map_err(|e| e.to_string())? {
            return Ok(None);
        }
        world.outcome()
    };
    if !outcome.finished {
        return Ok(None);
    }
    if let Some(entry) = outcome.ledger.iter().find(|entry| !entry.value.is_finite()) {
        return Err(format!("finished with {} = {}", entry.name, entry.value));
    }
    let broken = outcome.validity.iter().find(|check| !check.holds()).map(|check| check.name.clone());
    let missing = expected.map_or(0.0, |expected| momentum_missing(&outcome, expected));
    if broken.is_none() && (missing > MOMENTUM || missing.is_nan()) {
        return Err(format!("finished with {missing:.3} of its momentum missing, checks green"));
    }
    Ok(Some((world.columns().iter().map(|c| c.name.clone()).collect(), memory, broken)))
}

/// How a world went.
enum Went {
    /// To its end, all checks green; the worst disagreement with its twin, over the travel of the coordinate.
    Well(f64, String),
    /// To its end, with a check that does not hold.
    Warned(String),
    /// It stopped with a reason, or was refused.
    Stopped,
}

/// Positions of joints at the end against those of the twin, over their travel. Green checks promise speeds within `promised` of the largest ones: what hardly
/// moves may be off by that part of what moves most (and a millimetre or milliradian).
fn disagreement(columns: &[String], rows: &Memory, twin: &Memory, promised: f64) -> (f64, String) {
    let (Some(end), Some(other)) = (rows.rows.last(), twin.rows.last()) else { return (0.0, String::new()) };
    let mut worst = (0.0, String::new());
    let compared = |name: &str| {
        let body =
            name.starts_with("body.") && [".x_m", ".y_m", ".z_m"].iter().any(|end| name.ends_with(end));
        body || name.starts_with("joint.") && name.contains("position")
    };
    let travel = |k: usize| rows.rows.iter().map(|row| (row[k] - rows.rows[0][k]).abs()).fold(0.0, f64::max);
    let all = || columns.iter().enumerate().filter(|(_, name)| compared(name));
    let least = all().map(|(k, _)| promised / APART * travel(k)).fold(1e-3, f64::max);
    for (k, name) in all() {
        let travel = travel(k).max(least);
        let apart = (end[k] - other[k]).abs() / travel;
        if apart > worst.0 || apart.is_nan() {
            worst = (apart, name.clone());
        }
    }
    worst
}

fn judge(n: u64, with: usize) -> Result<Went, String> {
    let Ok(mut scenario) = world(n, with) else { return Ok(Went::Stopped) };
    let ran = rows(&scenario).or_else(|why| if why.starts_with("finished") { Err(why) } else { Ok(None) })?;
    let Some((columns, memory, broken)) = ran else { return Ok(Went::Stopped) };
    if let Some(check) = broken {
        return Ok(Went::Warned(check));
    }
    refine(&mut scenario);
    let Some((_, twin, _)) = rows(&scenario)? else { return Ok(Went::Stopped) };
    let promised = match scenario.description.integrator {
        Integrator::Realtime { .. } => 0.05,
        Integrator::Explicit { .. } | Integrator::Implicit { .. } => 0.01,
    };
    let (worst, column) = disagreement(&columns, &memory, &twin, promised);
    Ok(Went::Well(worst, column))
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Travel that a run with all checks green may be off from its twin: first order with steps of 1 ms over a quarter of a second.
const APART: f64 = 0.2;
/// Momentum that may be missing: as much as energy may, over the largest that there can be.
const MOMENTUM: f64 = 0.01;

/// Writes the worlds of findings to `target/fuzz`, for a look at each.
fn leave(findings: &[String]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/fuzz");
    for finding in findings {
        let number = finding.strip_prefix("world ").and_then(|rest| rest.split('/').next()?.parse().ok());
        let Some(n) = number.filter(|n| !is_built_in(*n)) else { continue };
        let text = made(&mut Dice::of_world(n));
        let file = folder.join(format!("world-{n}.toml"));
        if std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, text)).is_ok() {
            println!("{} has the world of {finding}", file.display());
        }
    }
}

#[test]
fn random_worlds_do_not_lie() {
    let (count, from) = (number("WORLDS").unwrap_or(WORLDS), number("WORLDS_FROM").unwrap_or(0));
    let runs = INTEGRATORS.len() as u64;
    let (next, found) = (AtomicUsize::new(0), Mutex::new((Vec::new(), [0u64; 3], BTreeMap::new())));
    let begun = std::time::Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let n = next.fetch_add(1, Ordering::Relaxed) as u64;
                    if n >= runs * count {
                        break;
                    }
                    let (n, with) = (from + n / runs, (n % runs) as usize);
                    if is_built_in(n) && with > 0 {
                        continue;
                    }
                    let went = catch_unwind(AssertUnwindSafe(|| judge(n, with)));
                    let mut found = found.lock().expect("no worker panics");
                    match went {
                        Ok(Ok(Went::Well(worst, column))) => {
                            found.1[0] += 1;
                            if worst > APART || worst.is_nan() {
                                found.0.push(format!("world {n}/{with}: {column} is {worst:.3} of its travel from its twin, checks green"));
                            }
                        }
                        Ok(Ok(Went::Warned(check))) => {
                            found.1[1] += 1;
                            *found.2.entry((check, with)).or_default() += 1;
                        }
                        Ok(Ok(Went::Stopped)) => found.1[2] += 1,
                        Ok(Err(why)) => found.0.push(format!("world {n}/{with}: {why}")),
                        Err(_) => found.0.push(format!("world {n}/{with}: panic")),
                    }
                }
            });
        }
    });
    let (findings, [well, warned, stopped], broken) = found.into_inner().expect("no worker panics");
    println!(
        "{count} worlds, {} runs, {well} checks green, {warned} with a check that does not hold, {stopped} stopped or refused, {} findings, {:.0} s",
        well + warned + stopped,
        findings.len(),
        begun.elapsed().as_secs_f64()
    );
    for ((check, with), count) in &broken {
        let count: &u64 = count;
        println!("{count} times {check} with {}", INTEGRATORS[*with]);
    }
    leave(&findings);
    assert!(findings.is_empty(), "{}", findings.join("\n"));
    // Most worlds run: a generator whose worlds are refused tests nothing.
    assert!(warned + well > stopped, "{well} and {warned} ran, {stopped} did not");
}
