//! Parts of grippers: ratchets, contacts that a sequence turns off, motors that are commanded within their limit; against closed forms, with every integrator.

mod common;

use common::{Checks, inline, run_text, world};
use touchdown_sim::Simulation;

const METHODS: [&str; 3] = [
    "{ name = \"explicit\", tolerance = 1e-10 }",
    "{ name = \"implicit\", step = \"0.5 ms\" }",
    "{ name = \"realtime\", step = \"0.5 ms\" }",
];

/// A slide on a spring k = 1 kN/m, pushed to 9 mm by a load that rises and falls in `sign` direction, with a ratchet of K = 1e5 N/m and teeth of 2 mm.
fn slide(integrator: &str, sign: f64, lets: &str) -> String {
    let most = 9.0 * sign;
    format!(
        r#"
title = "t"
duration = "5 s"
gravity = "none"
integrator = {integrator}
record = {{ series_every = "10 ms" }}
[body.slide]
mass = "1 kg"
uniform = {{ sphere = "50 mm" }}
[joint.slide]
type = "prismatic"
axis = [1, 0, 0]
child = "slide"
spring = {{ stiffness_n_per_m = 1000.0, damping_n_s_per_m = 60.0 }}
[load.push]
on = "slide"
force = {{ x = {{ smooth = [["0 s", "0 N"], ["1.5 s", "{most} N"], ["2 s", "{most} N"], ["3.5 s", "0 N"]] }} }}
[ratchet.pawl]
between = ["slide", {{ body = "world", position_m = [0.5, 0, 0] }}]
lets = "{lets}"
pitch = "2 mm"
stiffness_n_per_m = 1e5
damping_n_s_per_m = 200
input = true
"#
    )
}

/// A push that takes a slide to 9 mm leaves it behind the tooth at 8 mm, where spring and ratchet stand in series: x = 8 mm K/(K + k), both ways.
#[test]
fn a_ratchet_keeps_what_was_gained_to_its_last_tooth() {
    let mut checks = Checks::default();
    for integrator in METHODS {
        for (sign, lets) in [(1.0, "shorten"), (-1.0, "lengthen")] {
            let run = run_text(&slide(integrator, sign, lets), &[]);
            let what = |figure: &str| format!("{integrator}, {lets}: {figure}");
            let place = sign * 0.008 * 1e5 / 1.01e5;
            assert_eq!(run.end("ratchet.pawl.tooth"), 4.0, "{integrator} {lets}");
            // The slide's time constant is 0.06 s over its own spring; 1.5 s after the push little is left of it.
            checks.below(&what("place"), (run.end("joint.slide.position_m") - place).abs(), 1e-9);
            checks.below(&what("force"), (run.end("ratchet.pawl.force_n") - place.abs() * 1e3).abs(), 1e-4);
            // Steps of first order lose h/2 of the power's change: 0.5 ms against pushes of 1.5 s; catching the slide lasts 2 ms but holds 0.3 mJ of 40 mJ.
            checks.below(&what("energy"), run.quantity("energy_residual_relative"), 2e-3);
        }
    }
    checks.finish();
}

/// The other way round nothing is held: the slide follows its push and returns.
#[test]
fn a_ratchet_holds_one_way_only() {
    let run = run_text(&slide(METHODS[0], -1.0, "shorten"), &["ratchet.pawl.stiffness=1 N/m"]);
    assert!(run.column("joint.slide.position_m").iter().any(|x| *x < -8.5e-3));
    let held = run_text(&slide(METHODS[0], -1.0, "shorten"), &[]);
    // Spring and ratchet side by side take 9 N: 89 µm.
    let farthest = held.column("joint.slide.position_m").iter().fold(0.0_f64, |m, x| m.min(*x));
    assert!((farthest + 9.0 / 1.01e5).abs() < 2e-6, "{farthest}");
    assert_eq!(held.end("ratchet.pawl.tooth"), 0.0);
}

/// A pawl that is put in stands behind the tooth that was passed last; lifted, it lets the slide go back, and what it stored is booked.
#[test]
fn a_pawl_is_put_in_and_lifted_by_its_input() {
    let mut sim = world(&inline(&slide(METHODS[0], 1.0, "shorten"), &["ratchet.pawl.engaged=false"]));
    let advance = |sim: &mut Simulation, t: f64| sim.advance_to(t).unwrap_or_else(|e| panic!("{e}"));
    let read = |sim: &mut Simulation, name: &str| {
        let column = sim.columns().iter().position(|c| c.name == name).expect("a column");
        let mut value = [0.0];
        sim.observe(&[column], &mut value).unwrap_or_else(|e| panic!("{e}"));
        value[0]
    };
    advance(&mut sim, 2.0);
    assert!(read(&mut sim, "ratchet.pawl.tooth").is_nan());
    assert_eq!(sim.command("pawl", 1.0), Ok(()));
    advance(&mut sim, 4.0);
    assert_eq!(read(&mut sim, "ratchet.pawl.tooth"), 4.0);
    assert!((read(&mut sim, "joint.slide.position_m") - 0.008 * 1e5 / 1.01e5).abs() < 1e-6);
    assert_eq!(sim.command("pawl", 0.0), Ok(()));
    advance(&mut sim, 5.0);
    // The slide returns with 30 1/s: 1e-13 of its way is left after a second.
    assert!(read(&mut sim, "joint.slide.position_m").abs() < 1e-8);
    assert!(read(&mut sim, "ratchet.pawl.tooth").is_nan());
    assert!(read(&mut sim, "energy.residual_j").abs() < 1e-7);
}

/// Two bodies that float, turn and are tied by a ratchet between points off their centres keep momentum and angular momentum while its teeth hold them.
#[test]
fn a_ratchet_between_floating_bodies_keeps_their_momentum() {
    for integrator in METHODS {
        let text = format!(
            r#"
title = "t"
duration = "3 s"
gravity = "none"
integrator = {integrator}
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
velocity_m_per_s = [0.1, 0.03, -0.02]
angular_velocity_rad_per_s = [0.1, -0.2, 0.3]
[joint.b]
type = "free"
child = "b"
placed = {{ position_m = [0.5, 0.1, 0.05] }}
velocity_m_per_s = [-0.1, 0.0, 0.01]
[spring.apart]
between = ["a", "b"]
stiffness_n_per_m = 20
damping_n_s_per_m = 1
rest_length_m = 0.5
[ratchet.tie]
between = [{{ body = "a", position_m = [0.1, 0, 0.02] }}, {{ body = "b", position_m = [-0.15, 0.03, 0] }}]
pitch = "3 mm"
stiffness_n_per_m = 2e4
damping_n_s_per_m = 40
"#
        );
        let run = run_text(&text, &[]);
        assert!(run.end("ratchet.tie.tooth") > 3.0, "they came nearer and are held");
        assert!(run.column("ratchet.tie.force_n").iter().any(|f| *f > 0.3));
        // `realtime` damps the swings that the pawl catches by hω/2 = 0.026, ω = 103 rad/s, beside their own damping ratio of 0.10.
        let (lost, most) = (
            run.quantity("energy_residual_relative"),
            if integrator.contains("realtime") { 0.2 } else { 5e-3 },
        );
        assert!(lost < most, "{integrator}: {lost}");
        // `implicit` iterates to its tolerance, the others keep it to rounding.
        let rounding = if integrator.contains("implicit") { 1e-7 } else { 1e-9 };
        for name in ["momentum_change_max_n_s", "angular_momentum_change_max_n_m_s"] {
            let change = run.quantity(name);
            assert!(change < rounding, "{integrator} {name}: {change}");
        }
    }
}

/// A ball lies on a plate until a sequence switches the contact off: it falls freely from then on, and what the layer stored is booked as work.
#[test]
fn a_contact_that_is_switched_off_lets_its_ball_fall() {
    for integrator in METHODS {
        let text = format!(
            r#"
title = "t"
duration = "1 s"
gravity = "earth"
start = "as-given"
integrator = {integrator}
record = {{ series_every = "10 ms" }}
[body.ball]
mass = "2 kg"
uniform = {{ sphere = "50 mm" }}
[joint.ball]
type = "free"
child = "ball"
placed = {{ position_m = [0, 0, 0.05] }}
[polygonal.plate]
body = "ball"
sphere = "50 mm"
resolution = 90
stiffness_n_per_m3 = 1e9
damping_n_s_per_m3 = 2e7
friction = 0.3
other = "world"
other_side = {{ disc = "0.3 m" }}
switch = true
threshold = "20 mm"
[sequence.trap]
rate_hz = 100
[sequence.trap.phase.closed]
to = ["open after 0.8 s"]
[sequence.trap.phase.open]
commands = ["plate.on = 0"]
ends = "done"
"#
        );
        let run = run_text(&text, &[]);
        let (z, t) = (run.column("body.ball.z_m"), run.column("time_s"));
        let at = |time: f64| t.iter().position(|found| (found - time).abs() < 1e-6).expect("a row");
        let rest = z[at(0.8)];
        assert!((rest - 0.05).abs() < 1e-3, "{rest}");
        let fallen = rest - run.end("body.ball.z_m");
        // Steps of 0.5 ms of first order are off by g·t·h/2 = 0.5 mm.
        assert!((fallen - 0.5 * 9.80665 * 0.04).abs() < 6e-4, "{integrator}: {fallen}");
        assert_eq!(run.end("polygonal.plate.normal_force_n"), 0.0);
        let lost = run.quantity("energy_residual_relative");
        assert!(lost < 5e-3, "{integrator}: {lost}");
    }
}

/// The limit of a drive that follows a force is what may be commanded of it; it had no effect.
#[test]
fn a_motor_that_follows_a_force_is_commanded_within_its_limit() {
    let text = "title = \"t\"\nduration = \"1 s\"\ngravity = \"none\"\nintegrator = { name = \"explicit\", tolerance = 1e-8 }\n\
        [body.slide]\nmass = \"2 kg\"\nuniform = { sphere = \"50 mm\" }\n\
        [joint.slide]\ntype = \"prismatic\"\naxis = [1, 0, 0]\nchild = \"slide\"\n\
        [drive.motor]\njoints = [\"slide\"]\nforce = \"0 N\"\nlimit = \"200 N\"\ninput = true\n";
    let mut sim = world(&inline(text, &[]));
    assert!(sim.command("motor", 201.0).is_err());
    assert!(sim.command("motor", -201.0).is_err());
    assert_eq!(sim.command("motor", 200.0), Ok(()));
}
