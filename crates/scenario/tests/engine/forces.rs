//! Force elements against closed forms: springs, bushings, actuators, limits, friction, loads, central gravity.

use super::common::{Checks, run_text};
use super::{CLOSE, DOWN, NONE, Run, others_agree, others_agree_at_jumps, run_checked, scenario};
use touchdown_oracle::ballistics::SlidingBlock;
use touchdown_oracle::kepler;
use touchdown_oracle::oscillator::{CoupledMasses, Motion, Oscillator};

/// A mass of 2 kg on a guide along `axis`, with more tables after it.
fn guided(axis: &str, start: &str, more: &str) -> String {
    format!(
        "[body.mass]\nmass_kg = 2\nuniform = {{ sphere = \"0.1 m\" }}\n[joint.guide]\ntype = \"prismatic\"\nchild = \"mass\"\naxis = {axis}\n{start}\n{more}"
    )
}

/// A function of time.
type Law<'a> = &'a dyn Fn(f64) -> f64;

/// Largest difference of a column from a function of time.
fn off(run: &Run, column: &str, wanted: impl Fn(f64) -> f64) -> f64 {
    let found = run.column("time_s").into_iter().zip(run.column(column));
    found.map(|(t, x)| (x - wanted(t)).abs()).fold(0.0, f64::max)
}

/// A mass hung on a spring and damper moves as the damped oscillator about its equilibrium, under- and over-damped.
#[test]
fn spring_and_damper_are_an_oscillator() {
    let mut checks = Checks::default();
    for (label, damping) in [("under-damped", 3.0), ("over-damped", 60.0)] {
        let spring = format!(
            "[spring.s]\nbetween = [{{ body = \"world\", position_m = [0, 0, 1] }}, \"mass\"]\nstiffness = \"200 N/m\"\ndamping = \"{damping} N s/m\"\nrest_length_m = 0.9\npreload = \"4 N\"\n"
        );
        let text = scenario(2.0, DOWN, &guided("[0, 0, 1]", "position_m = 0.2\nrate_m_per_s = 1", &spring));
        let run = run_checked(label, &text, &mut checks);
        // Tension 200 (1 − z − 0.9) + 4 carries the weight.
        let rest = 0.1 - (2.0 * 9.81 - 4.0) / 200.0;
        let law = Oscillator { mass_kg: 2.0, stiffness_n_per_m: 200.0, damping_ns_per_m: damping };
        let start = Motion { position_m: 0.2 - rest, velocity_m_per_s: 1.0 };
        let error = off(&run, "joint.guide.position_m", |t| rest + law.at(start, t).position_m);
        checks.below(&format!("spring {label}, m"), error, CLOSE);
        others_agree(label, &text, &["joint.guide.position_m"], &run, &mut checks);
    }
    checks.finish();
}

/// A rope does not push: a mass released from a stretched rope leaves it after a quarter period with A ω and then flies straight. A spring
/// that is slack at first lets the mass pass until then.
#[test]
fn ropes_pull_only_and_slack_springs_wait() {
    let mut checks = Checks::default();
    let rope = "[spring.rope]\nbetween = [{ body = \"world\", position_m = [-2, 0, 0] }, \"mass\"]\nstiffness = \"200 N/m\"\nrest_length_m = 2\nacts = \"pulls-only\"\n";
    let text = scenario(0.5, NONE, &guided("[1, 0, 0]", "position_m = 0.1", rope));
    let run = run_checked("rope", &text, &mut checks);
    let quarter = 0.25 * std::f64::consts::TAU / 10.0;
    let wanted = |t: f64| if t < quarter { 0.1 * (10.0 * t).cos() } else { -(t - quarter) };
    checks.below("rope, m", off(&run, "joint.guide.position_m", wanted), CLOSE);
    others_agree("rope", &text, &["joint.guide.position_m"], &run, &mut checks);
    let late = rope.replace("acts = \"pulls-only\"", "slack_until = \"0.2 s\"");
    let text = scenario(1.0, NONE, &guided("[1, 0, 0]", "position_m = 0.1\nrate_m_per_s = 0.5", &late));
    let run = super::run_text(&text, &[]);
    let wanted = |t: f64| {
        let (x, late) = (0.1 + 0.5 * t.min(0.2), 10.0 * (t - 0.2).max(0.0));
        x * late.cos() + 0.05 * late.sin()
    };
    checks.below("slack until 0.2 s, m", off(&run, "joint.guide.position_m", wanted), CLOSE);
    checks.finish();
}

/// A body on a bushing alone: each translation and each rotation about a principal axis is its own damped oscillator.
#[test]
fn bushing_is_six_oscillators() {
    let mut checks = Checks::default();
    for (k, axis) in ["x", "y", "z"].iter().enumerate() {
        let mut spin = [0.0; 3];
        spin[k] = 1.0;
        let text = scenario(
            2.0,
            NONE,
            &format!(
                r#"
[body.block]
mass_kg = 2
inertia_kg_m2 = [0.1, 0.2, 0.25]
[joint.free]
type = "free"
child = "block"
velocity_m_per_s = [0.3, 0.2, -0.1]
angular_velocity_rad_per_s = {spin:?}
[bushing.mount]
between = ["world", "block"]
stiffness = ["100 N/m", "200 N/m", "300 N/m"]
damping = ["2 N s/m", "4 N s/m", "60 N s/m"]
turning_stiffness = ["5 N m/rad", "8 N m/rad", "10 N m/rad"]
turning_damping = ["0.1 N m s/rad", "0.3 N m s/rad", "4 N m s/rad"]
"#
            ),
        );
        let run = run_checked("bushing", &text, &mut checks);
        let straight = Oscillator {
            mass_kg: 2.0,
            stiffness_n_per_m: [100.0, 200.0, 300.0][k],
            damping_ns_per_m: [2.0, 4.0, 60.0][k],
        };
        let start = Motion { position_m: 0.0, velocity_m_per_s: [0.3, 0.2, -0.1][k] };
        let error = off(&run, &format!("body.block.{axis}_m"), |t| straight.at(start, t).position_m);
        checks.below(&format!("bushing along {axis}, m"), error, CLOSE);
        let turning = Oscillator {
            mass_kg: [0.1, 0.2, 0.25][k],
            stiffness_n_per_m: [5.0, 8.0, 10.0][k],
            damping_ns_per_m: [0.1, 0.3, 4.0][k],
        };
        let start = Motion { position_m: 0.0, velocity_m_per_s: 1.0 };
        let angle = ["roll", "pitch", "yaw"][k];
        let error = off(&run, &format!("body.block.{angle}_rad"), |t| turning.at(start, t).position_m);
        checks.below(&format!("bushing about {axis}, rad"), error, CLOSE);
        let columns = [format!("body.block.{axis}_m"), format!("body.block.{angle}_rad")];
        others_agree("bushing", &text, &columns.each_ref().map(String::as_str), &run, &mut checks);
    }
    checks.finish();
}

/// A linear actuator: a given push accelerates, a target speed is approached exponentially, a target length is an oscillator about it.
#[test]
fn actuator_follows_force_speed_or_length() {
    let mut checks = Checks::default();
    let ends = "[actuator.a]\nbetween = [{ body = \"world\", position_m = [-1, 0, 0] }, \"mass\"]\n";
    let law = Oscillator { mass_kg: 2.0, stiffness_n_per_m: 50.0, damping_ns_per_m: 4.0 };
    let start = Motion { position_m: -0.3, velocity_m_per_s: 0.0 };
    let cases: [(&str, &str, Law); 3] = [
        ("actuator, force", "force = \"3 N\"\n", &|t| 0.75 * t * t),
        ("actuator, speed", "speed = \"0.4 m/s\"\ngain = \"5 N s/m\"\n", &|t| {
            0.4 * (t - (1.0 - (-2.5 * t).exp()) / 2.5)
        }),
        ("actuator, length", "length = \"1.3 m\"\nstiffness = \"50 N/m\"\ndamping = \"4 N s/m\"\n", &|t| {
            0.3 + law.at(start, t).position_m
        }),
    ];
    for (label, command, wanted) in cases {
        let text = scenario(1.0, NONE, &guided("[1, 0, 0]", "", &format!("{ends}{command}")));
        let run = run_checked(label, &text, &mut checks);
        checks.below(&format!("{label}, m"), off(&run, "joint.guide.position_m", wanted), CLOSE);
        others_agree(label, &text, &["joint.guide.position_m"], &run, &mut checks);
    }
    checks.finish();
}

/// A mass that runs into a stop leaves it when the stop would pull: half a wave of the damped oscillator, and no force after it.
#[test]
fn joint_limit_bounces_a_damped_half_wave() {
    let mut checks = Checks::default();
    for damping in [0.0, 10.0] {
        let limits = format!(
            "limits = {{ lower_m = -1, upper_m = 0.5, stiffness = \"800 N/m\", damping = \"{damping} N s/m\" }}"
        );
        let text = scenario(1.0, NONE, &guided("[1, 0, 0]", &format!("rate_m_per_s = 1\n{limits}"), ""));
        let label = format!("limit, damping {damping}");
        let run = run_checked(&label, &text, &mut checks);
        let law = Oscillator { mass_kg: 2.0, stiffness_n_per_m: 800.0, damping_ns_per_m: damping };
        let at = |t: f64| law.at(Motion { position_m: 0.0, velocity_m_per_s: 1.0 }, t);
        let push = |t: f64| 800.0 * at(t).position_m + damping * at(t).velocity_m_per_s;
        // The push ends between the deepest point and the full half wave.
        let half = std::f64::consts::PI / (400.0 - (damping / 4.0).powi(2)).sqrt();
        let (mut low, mut high) = (0.5 * half, 1.01 * half);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if push(middle) > 0.0 { low = middle } else { high = middle }
        }
        let left = at(low);
        let wanted = |t: f64| match t - 0.5 {
            c if c < 0.0 => t,
            c if c < low => 0.5 + at(c).position_m,
            c => 0.5 + left.position_m + left.velocity_m_per_s * (c - low),
        };
        checks.below(&format!("{label}, m"), off(&run, "joint.guide.position_m", wanted), CLOSE);
        let speed = run.end("joint.guide.rate_m_per_s");
        checks.below(&format!("{label}, restitution"), (speed - left.velocity_m_per_s).abs(), CLOSE);
        // With damping the stop's force begins with a jump.
        let agree = if damping > 0.0 { others_agree_at_jumps } else { others_agree };
        agree(&label, &text, &["joint.guide.position_m"], &run, &mut checks);
    }
    checks.finish();
}

/// Dry friction in a guide brings a mass to rest as Coulomb's block; the smooth transition below 0.1 mm/s adds at most
/// (transition²/a) ln(2 v/transition) of travel.
#[test]
fn joint_friction_stops_like_coulombs_block() {
    let mut checks = Checks::default();
    let friction = "friction = { coulomb = \"4 N\", transition = \"0.1 mm/s\" }";
    let text = scenario(1.0, NONE, &guided("[1, 0, 0]", &format!("rate_m_per_s = 1\n{friction}"), ""));
    let run = run_checked("friction", &text, &mut checks);
    let block = SlidingBlock { speed_m_per_s: 1.0, friction: 0.2, slope_rad: 0.0, gravity: 10.0 };
    let added = 1e-8 / 2.0 * (2.0 / 1e-4f64).ln();
    checks.below(
        "friction, travel, m",
        off(&run, "joint.guide.position_m", |t| block.at(t).travel_m),
        added.max(CLOSE),
    );
    let error = off(&run, "energy.dissipated_j", |t| 2.0 * block.at(t).dissipated_j_per_kg);
    checks.below("friction, heat, J", error, 4.0 * added.max(CLOSE));
    let viscous = "friction = { viscous = \"3 N s/m\" }";
    let text = scenario(1.0, NONE, &guided("[1, 0, 0]", &format!("rate_m_per_s = 1\n{viscous}"), ""));
    let run = run_checked("viscous friction", &text, &mut checks);
    checks.below(
        "viscous friction, m",
        off(&run, "joint.guide.position_m", |t| (1.0 - (-1.5 * t).exp()) / 1.5),
        CLOSE,
    );
    others_agree("viscous friction", &text, &["joint.guide.position_m"], &run, &mut checks);
    checks.finish();
}

/// A thrust fixed to a spinning body turns with it: v = F/(m ω) (sin ωt, 1 − cos ωt); one fixed in the world does not.
#[test]
fn loads_act_in_the_world_or_with_the_body() {
    let mut checks = Checks::default();
    for follows in [true, false] {
        let text = scenario(
            2.0,
            NONE,
            &format!(
                "[body.craft]\nmass_kg = 2\nuniform = {{ sphere = \"0.3 m\" }}\n[joint.free]\ntype = \"free\"\nchild = \"craft\"\nangular_velocity_rad_per_s = [0, 0, 3]\n\
             [load.thrust]\non = \"craft:centre_of_mass\"\nforce = {{ x = \"1.5 N\" }}\nfollows_body = {follows}\n"
            ),
        );
        let label = format!("load, follows {follows}");
        let run = run_checked(&label, &text, &mut checks);
        let wanted: [Law; 2] = if follows {
            [&|t| 0.25 * (3.0 * t).sin(), &|t| 0.25 * (1.0 - (3.0 * t).cos())]
        } else {
            [&|t| 0.75 * t, &|_| 0.0]
        };
        for (axis, wanted) in ["x", "y"].iter().zip(wanted) {
            let error = off(&run, &format!("body.craft.v{axis}_m_per_s"), wanted);
            checks.below(&format!("{label}, v{axis}, m/s"), error, CLOSE);
        }
        others_agree(&label, &text, &["body.craft.x_m", "body.craft.y_m"], &run, &mut checks);
    }
    checks.finish();
}

const PAIR: &str = r#"
[body.a]
mass_kg = 2
inertia_kg_m2 = [0.1, 0.2, 0.25]
[joint.a]
type = "free"
child = "a"
velocity_m_per_s = [0.5, 0, 0]
[body.b]
mass_kg = 3
inertia_kg_m2 = [0.3, 0.2, 0.25]
[joint.b]
type = "free"
child = "b"
placed = { position_m = [1.2, 0, 0] }
"#;

/// Two free bodies on a spring swing as two coupled masses; a spring and damper between points off their centres changes neither
/// momentum nor angular momentum.
#[test]
fn internal_forces_keep_momentum() {
    let mut checks = Checks::default();
    let centred = "[spring.s]\nbetween = [\"a\", \"b\"]\nstiffness = \"120 N/m\"\nrest_length_m = 1\n";
    let text = scenario(2.0, NONE, &format!("{PAIR}{centred}"));
    let run = run_checked("pair", &text, &mut checks);
    let law = CoupledMasses { masses_kg: [2.0, 3.0], stiffnesses_n_per_m: [0.0, 120.0, 0.0] };
    // About the unstretched pair: a is at rest at 0, b is 0.2 m out.
    let start = [
        Motion { position_m: 0.0, velocity_m_per_s: 0.5 },
        Motion { position_m: 0.2, velocity_m_per_s: 0.0 },
    ];
    // The free pair drifts: a uniform motion, which the law's zero frequency stands for.
    for (k, (body, rest)) in [("a", 0.0), ("b", 1.0)].iter().enumerate() {
        let error = off(&run, &format!("body.{body}.x_m"), |t| rest + law.at(start, t)[k].position_m);
        checks.below(&format!("pair, {body}, m"), error, CLOSE);
    }
    let skew = "[spring.s]\nbetween = [{ body = \"a\", position_m = [0.1, 0.3, -0.2] }, { body = \"b\", position_m = [-0.3, 0.2, 0.1] }]\nstiffness = \"120 N/m\"\ndamping = \"2 N s/m\"\nrest_length_m = 0.5\n";
    let text = scenario(2.0, NONE, &format!("{PAIR}{skew}"));
    let run = run_checked("skew pair", &text, &mut checks);
    checks.below("skew pair, change of momentum, N s", run.quantity("momentum_change_max_n_s"), CLOSE);
    checks.below(
        "skew pair, change of angular momentum, N m s",
        run.quantity("angular_momentum_change_max_n_m_s"),
        CLOSE,
    );
    others_agree("skew pair", &text, &["body.a.x_m", "body.b.y_m"], &run, &mut checks);
    // A step of first order is wrong in everything but momentum, which nothing from outside changes.
    let coarse = run_text(&text, &["integrator={name=\"realtime\", step=\"10 ms\"}"]);
    for quantity in ["momentum_change_max_n_s", "angular_momentum_change_max_n_m_s"] {
        checks.below(&format!("skew pair, realtime, {quantity}"), coarse.quantity(quantity), CLOSE);
    }
    checks.finish();
}

/// A body under central gravity follows Kepler's ellipse.
#[test]
fn central_gravity_is_keplers() {
    let mut checks = Checks::default();
    let text = scenario(10.0, NONE, "[body.moon]\nmass_kg = 5\nuniform = { sphere = \"0.1 m\" }\n[joint.free]\ntype = \"free\"\nchild = \"moon\"\nplaced = { position_m = [2, 1, 0.5] }\nvelocity_m_per_s = [0.1, 1.2, 0.6]\n")
        .replace("gravity_m_per_s2 = [0.0, 0.0, 0.0]", "gravity = { centre_m = [0.5, 0, 0], mu = \"4 m^3/s^2\" }");
    let run = run_checked("central gravity", &text, &mut checks);
    let start = kepler::Orbit { position_m: [1.5, 1.0, 0.5], velocity_m_per_s: [0.1, 1.2, 0.6] };
    for t in [2.0, 5.0, 10.0] {
        let Some(wanted) = kepler::at(4.0, &start, t) else { panic!("the orbit is bound") };
        let error = ["x", "y", "z"].iter().zip(wanted.position_m).zip([0.5, 0.0, 0.0]);
        let worst = error
            .map(|((a, w), c)| (run.at(&format!("body.moon.{a}_m"), t) - c - w).abs())
            .fold(0.0, f64::max);
        checks.below(&format!("central gravity at {t} s, m"), worst, CLOSE);
    }
    others_agree("central gravity", &text, &["body.moon.x_m", "body.moon.y_m"], &run, &mut checks);
    checks.finish();
}
