//! Latches, magnets and sequences in the loop: captures against closed forms, with every integrator.

mod common;

use common::{Checks, Run, inline, run_text, run_world, world};
use std::path::Path;
use touchdown_scenario::load_str;
use touchdown_sim::Simulation;

/// Integrators, with the share of energy that each may lose in the swings after a capture, and the momentum that it may lose, N s and N m s. An adaptive one keeps its tolerance,
/// `implicit` loses by the square of hω = 0.026, the latch's frequency being 52 rad/s. `realtime` damps swings by hω/2 beside the latch's own damping ratio of 0.10, which takes
/// 0.11 of the energy of the swings.
const METHODS: [(&str, f64, f64); 3] = [
    ("{ name = \"explicit\", tolerance = 1e-10 }", 1e-7, 1e-9),
    ("{ name = \"implicit\", step = \"0.5 ms\" }", 2e-3, 1e-7),
    ("{ name = \"realtime\", step = \"0.5 ms\" }", 0.11, 1e-9),
];

/// Two balls that fly past each other and are caught by a latch off both their centres, in three dimensions; magnets pull and turn them before.
fn capture(integrator: &str, latch: &str) -> String {
    format!(
        r#"
title = "Two balls are caught"
duration = "1.5 s"
gravity = "none"
integrator = {integrator}
sample_every = "10 ms"
record = {{ series_every = "10 ms" }}

[body.a]
mass = "3 kg"
uniform = {{ sphere = "0.1 m" }}

[body.b]
mass = "5 kg"
uniform = {{ sphere = "0.15 m" }}

[joint.a]
type = "free"
child = "a"
placed = {{}}
velocity_m_per_s = [0.2, 0.03, -0.02]
angular_velocity_rad_per_s = [0.1, -0.2, 0.3]

[joint.b]
type = "free"
child = "b"
placed = {{ position_m = [0.35, 0.02, 0.01] }}
velocity_m_per_s = [-0.1, 0.0, 0.01]
angular_velocity_rad_per_s = [-0.1, 0.1, 0.05]

[magnet_pair.m]
between = ["a", "b"]
axis = [1, 0, 0]
moments_a_m2 = [30, 40]

[latch.l]
between = [{{ body = "a", position_m = [0.1, 0, 0] }}, {{ body = "b", position_m = [-0.15, 0, 0] }}]
axis = [1, 0, 0]
reach = "45 mm"
stiffness_n_per_m = 5000
damping_n_s_per_m = 20
{latch}
"#
    )
}

/// Momentum, and angular momentum about the world's origin.
fn momenta(run: &Run, row: usize) -> [f64; 6] {
    let mut sum = [0.0; 6];
    for (body, m, r) in [("a", 3.0, 0.1_f64), ("b", 5.0, 0.15)] {
        let get = |names: [&str; 3]| names.map(|name| run.column(&format!("body.{body}.{name}"))[row]);
        let (p, v) = (get(["x_m", "y_m", "z_m"]), get(["vx_m_per_s", "vy_m_per_s", "vz_m_per_s"]));
        let w = get(["wx_rad_per_s", "wy_rad_per_s", "wz_rad_per_s"]);
        for k in 0..3 {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            sum[k] += m * v[k];
            sum[3 + k] += m * (p[i] * v[j] - p[j] * v[i]) + 0.4 * m * r * r * w[k];
        }
    }
    sum
}

/// Nothing acts from outside: through pull, capture and swings momentum and angular momentum stay, and the energy that the latch took is booked.
#[test]
fn a_capture_keeps_momentum_and_books_its_energy() {
    let mut checks = Checks::default();
    for (integrator, lost, momentum) in METHODS {
        for latch in [
            "turning_stiffness_n_m_per_rad = 60\nturning_damping_n_m_s_per_rad = 0.3",
            "",
            "closing = \"elastic\"",
        ] {
            let run = run_text(&capture(integrator, latch), &[]);
            let what = |figure: &str| format!("{integrator}, {latch:?}: {figure}");
            assert_eq!(run.end("latch.l.state"), 1.0, "it closes");
            let (begin, end) = (momenta(&run, 0), momenta(&run, run.rows.len() - 1));
            for k in 0..6 {
                checks.below(&what("momentum"), (end[k] - begin[k]).abs(), momentum);
            }
            checks.below(&what("energy"), run.quantity("energy_residual_relative"), lost);
            let (took, impulse) =
                (run.end("latch.l.closing_energy_j"), run.end("latch.l.closing_impulse_n_s"));
            if latch.contains("elastic") {
                assert_eq!((took, impulse), (0.0, 0.0));
            } else {
                assert!(took > 0.0 && impulse > 0.0, "{took} {impulse}");
            }
        }
    }
    checks.finish();
}

/// Two carts on one rail that a latch catches at 0.5 m/s: it takes ½μv², its impulse is μv, and both go on with the speed of their momentum, while the latch's other directions are
/// held by the rail. An arm on a hinge whose tip meets a free cart: the same with I/r² for its mass.
#[test]
fn a_capture_takes_half_the_reduced_mass_times_the_square_of_the_speed() {
    let head = "title = \"t\"\nduration = \"0.6 s\"\ngravity = \"none\"\nintegrator = { name = \"explicit\", tolerance = 1e-10 }\nrecord = { series_every = \"10 ms\" }\n\
        [body.cart]\nmass = \"3 kg\"\nuniform = { sphere = \"50 mm\" }\n";
    let carts = format!(
        "{head}[body.other]\nmass = \"2 kg\"\nuniform = {{ sphere = \"50 mm\" }}\n\
         [joint.other]\ntype = \"prismatic\"\naxis = [0, 1, 0]\nchild = \"other\"\nposition_m = -0.2\nrate_m_per_s = 0.5\n\
         [joint.cart]\ntype = \"prismatic\"\naxis = [0, 1, 0]\nchild = \"cart\"\n\
         [latch.l]\nbetween = [\"other\", \"cart\"]\nreach = \"50 mm\"\nstiffness_n_per_m = 1e4\n"
    );
    let tip = format!(
        "{head}[body.arm]\nmass = \"1 kg\"\ninertia_kg_m2 = [2, 2, 2]\n\
         [joint.arm]\ntype = \"revolute\"\naxis = [0, 0, 1]\nchild = \"arm\"\nposition = \"-20 deg\"\nrate_rad_per_s = 0.8\n\
         [joint.cart]\ntype = \"free\"\nchild = \"cart\"\nplaced = {{ position_m = [1, 0, 0] }}\n\
         [latch.l]\nbetween = [{{ body = \"arm\", position_m = [1, 0, 0] }}, \"cart\"]\nreach = \"1 mm\"\nstiffness_n_per_m = 1e4\n"
    );
    for (text, mass, speed) in [(carts, 2.0, 0.5), (tip, 2.0, 0.8)] {
        let run = run_text(&text, &[]);
        let reduced = mass * 3.0 / (mass + 3.0);
        let (energy, impulse) = (run.end("latch.l.closing_energy_j"), run.end("latch.l.closing_impulse_n_s"));
        assert!((energy / (0.5 * reduced * speed * speed) - 1.0).abs() < 1e-9, "{energy}");
        assert!((impulse / (reduced * speed) - 1.0).abs() < 1e-9, "{impulse}");
        // The arm turns on by 52 mrad, which takes 0.14 % off; swings of the latch along the arm, 0.6 % of the speed, show by as little of that.
        let rate = run.end("body.cart.vy_m_per_s");
        assert!((rate / (speed * mass / (mass + 3.0)) - 1.0).abs() < 2e-3, "{rate}");
        assert!(run.quantity("energy_residual_relative") < 1e-7);
    }
}

const CART: &str = "title = \"t\"\ngravity = \"none\"\nintegrator = { name = \"explicit\", tolerance = 1e-10 }\nrecord = { series_every = \"10 ms\" }\n\
    [body.cart]\nmass = \"2 kg\"\nuniform = { sphere = \"50 mm\" }\n[joint.cart]\ntype = \"prismatic\"\naxis = [1, 0, 0]\nchild = \"cart\"\n\
    friction = { viscous_n_s_per_m = 400 }\n";

/// A hook that draws by d against a bumper presses with d·k·K/(k + K).
#[test]
fn a_hook_presses_with_its_draw_times_the_stiffness_in_series() {
    let text = format!(
        "duration = \"6 s\"\n{CART}[latch.hook]\nbetween = [\"cart\", \"world\"]\naxis = [-1, 0, 0]\nreach = \"1 mm\"\nstiffness_n_per_m = 2e4\ndraw_in = \"2 mm\"\ndraw_time = \"1 s\"\n\
         [bumper.seat]\nbetween = [{{ body = \"cart\", position_m = [-0.05, 0, 0] }}, {{ body = \"world\", position_m = [-0.1, 0, 0] }}]\nradii_m = [0.025, 0.025]\nstiffness_n_per_m = 6e4\n"
    );
    let run = run_text(&text, &[]);
    let preload = 0.002 * 2e4 * 6e4 / 8e4;
    assert!(
        (run.end("latch.hook.axial_n") / preload - 1.0).abs() < 1e-6,
        "{}",
        run.end("latch.hook.axial_n")
    );
    assert!((run.end("bumper.seat.push_n") / preload - 1.0).abs() < 1e-6);
    assert!(run.quantity("energy_residual_relative") < 1e-6);
}

/// A load that rises by 10 N/s breaks a latch of 4 N after 0.4 s and not before; let go by its input, it opens and what it stored is booked.
#[test]
fn a_latch_breaks_at_its_load_and_opens_on_command() {
    let latch = "[latch.l]\nbetween = [\"cart\", \"world\"]\nreach = \"1 mm\"\nstiffness_n_per_m = 2e4\ninput = true\n\
        [load.pull]\non = \"cart\"\nforce = { x = { table = [[\"0 s\", \"0 N\"], [\"1 s\", \"10 N\"]] } }\n";
    let run = run_text(&format!("duration = \"1 s\"\n{CART}{latch}"), &["latch.l.breaks_at=4 N"]);
    let state = run.column("latch.l.state");
    let broke = state.iter().position(|s| *s == 2.0).expect("it breaks");
    // The cart follows its load with the time constant of its damper and the latch, 400/2e4 s, which is what the force lags behind.
    let t = run.column("time_s")[broke];
    assert!((0.4..0.44).contains(&t), "{t}");
    assert!(state[..broke].iter().skip(1).all(|s| *s == 1.0) && state[broke..].iter().all(|s| *s == 2.0));
    assert!(run.quantity("energy_residual_relative") < 1e-6);

    let mut sim = world(&inline(&format!("duration = \"1 s\"\n{CART}{latch}"), &[]));
    let advance = |sim: &mut Simulation, t: f64| sim.advance_to(t).unwrap_or_else(|e| panic!("{e}"));
    advance(&mut sim, 0.5);
    let column = sim.columns().iter().position(|c| c.name == "latch.l.state").expect("a column");
    let read = |sim: &mut Simulation| {
        let mut value = [0.0];
        sim.observe(&[column], &mut value).unwrap_or_else(|e| panic!("{e}"));
        value[0]
    };
    assert_eq!(read(&mut sim), 1.0);
    assert_eq!(sim.command("l", 0.0), Ok(()));
    advance(&mut sim, 0.6);
    assert_eq!(read(&mut sim), 0.0);
}

/// A slide that a sequence drives: out at 0.2 m/s until it passes 0.501 m, a rest of 1 s, back, and the end. Phases begin at ticks of 0.02 s.
const SLIDE: &str = r#"
title = "A slide goes out and back"
duration = "10 s"
gravity = "none"
integrator = { name = "realtime", step = "5 ms" }

[body.slide]
mass = "2 kg"
uniform = { sphere = "50 mm" }

[joint.slide]
type = "prismatic"
axis = [1, 0, 0]
child = "slide"

[constraint.slide]
type = "prescribed"
joint = "slide"
motion = { line = { start = "0 m", rate = "0 m/s" } }
input = true

[sensor.place]
column = "joint.slide.position_m"
rate_hz = 50

[sequence.s]
rate_hz = 50

[sequence.s.phase.out]
commands = ["slide = 20 cm/s"]
signals = ["moving = 1"]
to = ["rest when sensor.place.value_m > 501 mm", "lost after 8 s"]

[sequence.s.phase.rest]
commands = ["slide = 0 m/s"]
signals = ["moving = 0"]
to = ["back when (abs(joint.slide.rate_m_per_s) < 1 mm/s and joint.slide.position_m > 0.1) for 1 s"]

[sequence.s.phase.back]
commands = ["slide = -0.2"]
signals = ["moving = 1"]
to = ["home when not joint.slide.position_m > 1 mm"]

[sequence.s.phase.home]
commands = ["slide = 0"]
signals = ["moving = 0"]
ends = "done"

[sequence.s.phase.lost]
ends = "aborted"
"#;

#[test]
fn a_sequence_goes_by_its_conditions() {
    let run = run_text(SLIDE, &[]);
    // 0.501 m after 2.505 s: the tick after it. At rest 1 s from the first look on, a tick later. Back from 0.504 m, at 1 mm after 2.515 s.
    let times = ["rest", "back", "home"].map(|phase| run.end(&format!("sequence.s.{phase}_at_s")));
    for (found, wanted) in times.iter().zip([2.52, 3.54, 6.06]) {
        assert!((found - wanted).abs() < 1e-9, "{times:?}");
    }
    assert!(run.end("sequence.s.lost_at_s").is_nan());
    assert_eq!((run.end("sequence.s.ending"), run.end("sequence.s.phase")), (1.0, 3.0));
    assert_eq!((run.at("sequence.s.moving", 1.0), run.at("sequence.s.moving", 3.0)), (1.0, 0.0));
    let titles: Vec<&str> = run.outcome.tables.iter().map(|table| table.title.as_str()).collect();
    assert_eq!(titles, ["Sequence s", "State chart of s"]);
    // With the slide held it is lost after 8 s.
    let held = run_text(SLIDE, &["sequence.s.phase.out.commands=[\"slide = 0\"]"]);
    assert!((held.end("sequence.s.lost_at_s") - 8.0).abs() < 1e-9 && held.end("sequence.s.ending") == -1.0);
}

/// Phases, durations that have begun, and latches are part of the state: a run that was saved and taken up by another world continues to the same bits.
#[test]
fn sequences_and_latches_are_part_of_the_state() {
    let scenarios = [SLIDE.to_string(), capture(METHODS[2].0, "turning_stiffness_n_m_per_rad = 60")];
    for (text, stops) in scenarios.iter().zip([[1.0, 3.0, 7.0], [0.1, 0.5, 1.2]]) {
        let scenario = inline(text, &[]);
        let advance = |sim: &mut Simulation, t: f64| sim.advance_to(t).unwrap_or_else(|e| panic!("{e}"));
        for stop in stops {
            let mut straight = world(&scenario);
            advance(&mut straight, stop);
            let saved = straight.save();
            advance(&mut straight, stop + 0.25);
            let mut other = world(&scenario);
            assert_eq!(other.restore(saved), Ok(()));
            advance(&mut other, stop + 0.25);
            assert!(other.save() == straight.save(), "{stop} s");
        }
    }
    // A world without them does not take such a state.
    let saved = world(&inline(SLIDE, &[])).save();
    let mut other = world(&inline(&capture(METHODS[2].0, ""), &[]));
    assert!(other.restore(saved).is_err());
}

/// What a sequence cannot do is refused, with the mistake in words.
#[test]
fn mistakes_of_sequences_are_reported() {
    for (set, reason) in [
        ("sequence.s.phase.out.to=[\"nowhere after 1 s\"]", "allowed: out, rest, back, home, lost"),
        ("sequence.s.phase.out.to=[\"rest when joint.slide.position_m > 1 N\"]", "is in m"),
        ("sequence.s.phase.out.to=[\"rest when joint.slid.position_m > 1 m\"]", "joint.slide.position_m"),
        ("sequence.s.phase.out.to=[\"rest when sensor.plac.value_m > 1\"]", "no device writes"),
        ("sequence.s.phase.out.to=[\"rest if it is there\"]", "PHASE when CONDITION"),
        ("sequence.s.phase.out.to=[\"rest after 1 s\"]", "nothing leads to the phase lost"),
        ("sequence.s.phase.out.commands=[\"slid = 1\"]", "slid"),
        ("sequence.s.phase.out.commands=[\"slide = 1 N\"]", "is in m/s"),
        ("sequence.s.phase.home.to=[\"out after 1 s\"]", "leads on"),
        ("sequence.s.start=nowhere", "names a phase"),
        ("sequence.s.phase.out.commands=[\"hold = 2\"]", "takes"),
    ] {
        let hold = "[latch.hold]\nbetween = [\"slide\", \"world\"]\nreach = \"1 mm\"\nstiffness_n_per_m = 1e4\ninput = true\n";
        let said =
            match load_str("inline.toml", &format!("{SLIDE}{hold}"), Path::new("."), &[set.to_string()]) {
                Err(error) => error.to_string(),
                Ok(scenario) => match Simulation::build(&scenario.description) {
                    Err(errors) => errors.iter().map(ToString::to_string).collect(),
                    Ok(_) => panic!("{set} was taken"),
                },
            };
        assert!(said.contains(reason), "{set}: {said}");
    }
}

/// Two magnets let go 0.3 m apart: speeds follow from the dipoles' energy, and their strength can be commanded: half of it, the work of which is booked.
#[test]
fn magnets_keep_their_energy_and_obey_commands() {
    let text = "title = \"t\"\nduration = \"20 s\"\ngravity = \"none\"\nintegrator = { name = \"explicit\", tolerance = 1e-10 }\nrecord = { series_every = \"50 ms\" }\n\
        [body.a]\nmass = \"4 kg\"\nuniform = { sphere = \"50 mm\" }\n[joint.a]\ntype = \"prismatic\"\naxis = [1, 0, 0]\nchild = \"a\"\nposition_m = 0.3\n\
        [magnet_pair.m]\nbetween = [\"a\", \"world\"]\nmoments_a_m2 = [-10, 10]\ninput = true\n";
    let energy = |r: f64| 2e-7 * 100.0 / r.powi(3);
    let run = run_text(text, &[]);
    let (x, v) = (run.end("joint.a.position_m"), run.end("joint.a.rate_m_per_s"));
    assert!(x > 0.35 && (2.0 * v * v / (energy(0.3) - energy(x)) - 1.0).abs() < 1e-8, "{x} {v}");
    let mut sim = world(&inline(text, &[]));
    assert_eq!(sim.command("m", 0.5), Ok(()));
    let run = run_world(sim);
    let (x, v) = (run.end("joint.a.position_m"), run.end("joint.a.rate_m_per_s"));
    assert!((2.0 * v * v / (0.5 * (energy(0.3) - energy(x))) - 1.0).abs() < 1e-8, "{x} {v}");
    assert!(run.quantity("energy_residual_relative") < 1e-8);
}
