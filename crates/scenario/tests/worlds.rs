//! Random legal worlds: bodies on random joints, springs, drives, contacts with grounds of all kinds, soils, maps, each with every integrator that suits it. None may
//! panic, end well with numbers that are none, or differ in place or momentum from its twin with half the step, or a tolerance a hundred times as fine, while every check
//! of validity holds.
//!
//! World n is the same on every machine. `make fuzz-worlds` runs WORLDS of them from WORLDS_FROM on.

mod common;

use common::Memory;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use touchdown_scenario::{Scenario, load, load_str};
use touchdown_sim::Simulation;
use touchdown_sim::description::{Integrator, StepControl};
use touchdown_sim::sink::Outcome;

/// Worlds in CI.
const WORLDS: u64 = 320;
/// Simulated time of a world, s.
const SECONDS: f64 = 0.25;

/// Seeded dice (splitmix64).
struct Dice(u64);

impl Dice {
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

/// Integrators that every made world runs with.
const INTEGRATORS: [&str; 3] = [
    "{ name = \"explicit\", tolerance = 1e-8 }",
    "{ name = \"implicit\", tolerance = 1e-5 }",
    "{ name = \"realtime\", step = \"1 ms\" }",
];

/// World n with each integrator that suits it: a built-in one with its own, a made one with all three.
fn worlds(n: u64) -> Result<Vec<Scenario>, String> {
    let mut dice = Dice(n.wrapping_mul(0xd134_2543_de82_ef95));
    if n % 4 == 3 {
        let (name, sets) = built_in(&mut dice);
        return Ok(vec![load(&name, &sets).map_err(|e| e.to_string())?]);
    }
    let (file, text) = (format!("world-{n}.toml"), made(&mut dice));
    let with = |integrator: &&str| {
        load_str(&file, &text, Path::new("."), &[format!("integrator={integrator}")])
            .map_err(|e| e.to_string())
    };
    INTEGRATORS.iter().map(with).collect()
}

/// The same world with half the step, or a hundredth of the tolerance.
fn finer(scenario: &Scenario) -> Scenario {
    let control = |step: StepControl| match step {
        StepControl::Fixed(h) => StepControl::Fixed(0.5 * h),
        StepControl::Adaptive { relative, absolute, longest } => {
            StepControl::Adaptive { relative: 0.01 * relative, absolute: 0.01 * absolute, longest }
        }
    };
    let mut finer = scenario.clone();
    finer.description.integrator = match scenario.description.integrator {
        Integrator::Explicit { step } => Integrator::Explicit { step: control(step) },
        Integrator::Implicit { step, spectral_radius } => {
            Integrator::Implicit { step: control(step), spectral_radius }
        }
        Integrator::Realtime { step } => Integrator::Realtime { step: 0.5 * step },
    };
    finer
}

/// A run that ended.
struct Ran {
    columns: Vec<String>,
    memory: Memory,
    outcome: Outcome,
}

/// Runs a world; nothing where it said why it stopped, or could not be built.
fn ran(scenario: &Scenario) -> Result<Option<Ran>, String> {
    let Ok(mut world) = Simulation::build(&scenario.description) else { return Ok(None) };
    let mut memory = Memory::default();
    let outcome = world.run(&mut memory).map_err(|e| e.to_string())?;
    if !outcome.finished {
        return Ok(None);
    }
    if let Some(entry) = outcome.ledger.iter().find(|entry| !entry.value.is_finite()) {
        return Err(format!("finished with {} = {}", entry.name, entry.value));
    }
    Ok(Some(Ran { columns: world.columns().iter().map(|c| c.name.clone()).collect(), memory, outcome }))
}

/// How a world went.
enum Went {
    /// To its end, all checks green; the worst disagreement with its twin, over the travel of the coordinate.
    Well(f64, String),
    /// To its end, with a check that does not hold.
    Warned,
    /// It stopped with a reason, or was refused.
    Stopped,
}

/// Positions of joints at the end against those of the twin, over their travel (and a millimetre or milliradian).
fn disagreement(columns: &[String], rows: &Memory, twin: &Memory) -> (f64, String) {
    let (Some(end), Some(other)) = (rows.rows.last(), twin.rows.last()) else { return (0.0, String::new()) };
    let mut worst = (0.0, String::new());
    let compared = |name: &str| {
        let body =
            name.starts_with("body.") && [".x_m", ".y_m", ".z_m"].iter().any(|end| name.ends_with(end));
        body || name.starts_with("joint.") && name.contains("position")
    };
    for (k, name) in columns.iter().enumerate().filter(|(_, name)| compared(name)) {
        let travel = rows.rows.iter().map(|row| (row[k] - rows.rows[0][k]).abs()).fold(1e-3, f64::max);
        let apart = (end[k] - other[k]).abs() / travel;
        if apart > worst.0 || apart.is_nan() {
            worst = (apart, name.clone());
        }
    }
    worst
}

/// Linear and angular momentum at the end against that of the twin, over the largest change of it, what it is, and that of a gram at 1 m/s.
fn momentum_apart(run: &Outcome, twin: &Outcome) -> (f64, String) {
    let entry = |of: &Outcome, name: &str| {
        of.ledger.iter().find(|e| e.name == name).map_or(f64::NAN, |entry| entry.value)
    };
    let kinds = [("momentum", "n_s"), ("angular_momentum", "n_m_s")];
    let apart = kinds.map(|(kind, unit)| {
        let at = |of: &Outcome| ["x", "y", "z"].map(|axis| entry(of, &format!("{kind}_{axis}_end_{unit}")));
        let size = |p: [f64; 3]| p.iter().map(|x| x * x).sum::<f64>().sqrt();
        let (p, q) = (at(run), at(twin));
        let change = entry(run, &format!("{kind}_change_max_{unit}"));
        let apart = size([p[0] - q[0], p[1] - q[1], p[2] - q[2]]) / (size(p).max(size(q)).max(change) + 1e-3);
        (apart, kind.to_string())
    });
    if apart[1].0 > apart[0].0 { apart[1].clone() } else { apart[0].clone() }
}

fn judge(scenario: &Scenario) -> Result<Went, String> {
    let Some(run) = ran(scenario)? else { return Ok(Went::Stopped) };
    if !run.outcome.validity.iter().all(|check| check.holds()) {
        return Ok(Went::Warned);
    }
    let Some(twin) = ran(&finer(scenario))? else { return Ok(Went::Stopped) };
    let places = disagreement(&run.columns, &run.memory, &twin.memory);
    let momentum = momentum_apart(&run.outcome, &twin.outcome);
    let (worst, what) = if momentum.0 > places.0 || momentum.0.is_nan() { momentum } else { places };
    Ok(Went::Well(worst, what))
}

/// Everything about world n.
fn look_at(n: u64, found: &Mutex<(Vec<String>, [u64; 3])>) {
    let note = |k: usize| found.lock().expect("no worker panics").1[k] += 1;
    let finding = |what: String| found.lock().expect("no worker panics").0.push(format!("world {n}: {what}"));
    let Ok(scenarios) = worlds(n) else { return note(2) };
    for scenario in &scenarios {
        let integrator = scenario.description.integrator;
        match catch_unwind(AssertUnwindSafe(|| judge(scenario))) {
            Ok(Ok(Went::Well(worst, what))) => {
                note(0);
                if worst > APART || worst.is_nan() {
                    finding(format!("{integrator:?}: {what} is {worst:.3} from its twin, checks green"));
                }
            }
            Ok(Ok(Went::Warned)) => note(1),
            Ok(Ok(Went::Stopped)) => note(2),
            Ok(Err(why)) => finding(format!("{integrator:?}: {why}")),
            Err(_) => finding(format!("{integrator:?}: panic")),
        }
    }
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Travel that a run with all checks green may be off from its twin: first order with steps of 1 ms over a quarter of a second.
const APART: f64 = 0.2;

#[test]
fn random_worlds_do_not_lie() {
    let (count, from) = (number("WORLDS").unwrap_or(WORLDS), number("WORLDS_FROM").unwrap_or(0));
    let (next, found) = (AtomicUsize::new(0), Mutex::new((Vec::new(), [0u64; 3])));
    let begun = std::time::Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let n = next.fetch_add(1, Ordering::Relaxed) as u64;
                    if n >= count {
                        break;
                    }
                    look_at(from + n, &found);
                }
            });
        }
    });
    let (findings, [well, warned, stopped]) = found.into_inner().expect("no worker panics");
    println!(
        "{count} worlds; runs: {well} checks green, {warned} with a check that does not hold, {stopped} stopped or refused; {} findings, {:.0} s",
        findings.len(),
        begun.elapsed().as_secs_f64()
    );
    assert!(findings.is_empty(), "{}", findings.join("\n"));
    // Most worlds run: a generator whose worlds are refused tests nothing.
    assert!(well + warned > stopped, "{well} and {warned} ran, {stopped} did not");
}
