//! Smooth contact in the loop: a ball in a bowl against a reference of its own integrator, maps against formulas, energy, restarts.

mod common;

use common::{Checks, Run, run, run_text};
use touchdown_oracle::ball::{Ball, Sample, bowl};

fn centre(run: &Run, t: f64) -> [f64; 3] {
    ["x", "y", "z"].map(|axis| run.at(&format!("body.ball.{axis}_m"), t))
}

fn distance(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt()
}

/// Bound of distances over 25 s: the tolerance of a step is 1e-12, and seven bounces and 60,000 steps let it grow.
const CLOSE: f64 = 1e-8;

/// The formula, the C¹ and the C² map give the same motion over 25 s, that of the reference, and their energy ledgers balance.
#[test]
fn a_ball_in_a_bowl_follows_the_reference_by_formula_and_by_map() {
    let mut checks = Checks::default();
    let times: Vec<f64> = (0..=2500).map(|k| 0.01 * f64::from(k)).collect();
    let reference: Vec<Sample> = Ball::in_bowl().at(&times, bowl);
    let runs = ["analytic", "c1", "c2"]
        .map(|surface| (surface, run("ball-in-bowl", &[&format!("surface={surface}")])));
    for (surface, run) in &runs {
        for until in [1.0, 2.2, 5.0, 10.0, 25.0] {
            let far = times.iter().zip(&reference).filter(|(t, _)| **t <= until);
            let off = far.map(|(t, s)| distance(&centre(run, *t), &s.position_m)).fold(0.0, f64::max);
            checks.below(&format!("{surface}, distance from the reference up to {until} s, m"), off, CLOSE);
        }
        let energy = run.quantity("energy_residual_relative");
        checks.below(&format!("{surface}, energy residual"), energy, 1e-12);
        let last = reference[2500];
        let touches = run.quantity("contacts") - f64::from(last.touches);
        checks.below(&format!("{surface}, touches of {} wrong by", last.touches), touches.abs(), 0.5);
        let depth = (run.quantity("penetration_max_m") / last.penetration_max_m - 1.0).abs();
        checks.below(&format!("{surface}, deepest penetration"), depth, 2e-5);
        let gap =
            times.iter().zip(&reference).map(|(t, s)| (run.at("surface.ball.gap_m", *t) - s.gap_m).abs());
        checks.below(&format!("{surface}, gap, m"), gap.fold(0.0, f64::max), CLOSE);
        let u = times
            .iter()
            .zip(&reference)
            .map(|(t, s)| (run.at("surface.ball.u_m", *t) - s.contact_m[0]).abs());
        checks.below(&format!("{surface}, contact coordinate u, m"), u.fold(0.0, f64::max), CLOSE);
    }
    let (_, formula) = &runs[0];
    for (surface, run) in &runs[1..] {
        let off = times.iter().map(|t| distance(&centre(run, *t), &centre(formula, *t))).fold(0.0, f64::max);
        checks.below(&format!("{surface} from the formula, m"), off, CLOSE);
    }
    checks.finish();
}

/// The positions with which the scenario's answer compares are those of the reference solution at the end, to the digits written.
#[test]
fn the_answer_compares_with_the_reference_and_not_with_ourselves() {
    let scenario = touchdown_scenario::load("ball-in-bowl", &[]).unwrap_or_else(|e| panic!("{e}"));
    let end = Ball::in_bowl().at(&[scenario.description.duration], bowl)[0].position_m;
    let limits: Vec<f64> = scenario
        .report
        .answer
        .yes_if
        .iter()
        .map(|condition| match &condition.limit {
            touchdown_scenario::Limit::Value(value, _) => *value,
            touchdown_scenario::Limit::Named(..) => panic!("{condition:?}"),
        })
        .collect();
    assert_eq!(limits.len(), 3);
    for (written, reference) in limits.iter().zip(end) {
        assert!((written - reference).abs() < 1e-7, "{written} against {reference}");
    }
}

/// On waves the difference between map and formula falls at third order with both kinds of patches, and the table says so.
#[test]
fn differences_on_waves_fall_at_the_order_of_the_patches() {
    let mut checks = Checks::default();
    let run = run("ball-on-waves", &[]);
    for name in ["order_c1", "order_c2"] {
        checks.between(name, run.quantity(name), 2.75, 3.25);
    }
    assert_eq!((run.quantity("contacts"), run.outcome.tables.len()), (1.0, 1));
    let table = &run.outcome.tables[0];
    assert_eq!((table.rows.len(), table.columns.len()), (4, 5));
    assert!(table.rows.iter().all(|row| row.len() == 5));
    checks.finish();
}

/// Two balls collide in space: momentum is kept to rounding, energy balances, and the linear law gives back what a mass on its spring and damper does.
const COLLISION: &str = "title = \"two balls\"\nduration_s = 0.3\ngravity = \"none\"\nintegrator = \"explicit\"\n\
    record = { series_every = \"1 ms\", frames_every = \"1 s\" }\n\
    [body.a]\nmass_kg = 2\nuniform = { sphere = \"0.1 m\" }\n[joint.a]\ntype = \"free\"\nchild = \"a\"\nvelocity_m_per_s = [1, 0, 0]\nangular_velocity_rad_per_s = [0, 3, 5]\n\
    [body.b]\nmass_kg = 3\nuniform = { sphere = \"0.15 m\" }\n[joint.b]\ntype = \"free\"\nchild = \"b\"\nplaced = { position_m = [0.3, 0.08, 0.03] }\n\
    [contact.pair]\nbody = \"b\"\nother = \"a\"\nother_form = { sphere = \"0.1 m\" }\nstiffness = \"20 kN/m\"\ndamping = \"20 N s/m\"\n";

#[test]
fn two_bodies_keep_their_momentum() {
    let mut checks = Checks::default();
    for law in [
        "friction = 0.4",
        "friction_law = \"stick-slip\"\nfriction = 0.4\ntangential_stiffness = \"10 kN/m\"\ntangential_damping = \"20 N s/m\"",
    ] {
        let text = format!("{COLLISION}{law}\n");
        let run = run_text(&text, &[]);
        assert_eq!(run.end("surface.pair.touches"), 1.0);
        // Momentum 2 N s along x at most 1e-15 of round-off a step; angular likewise.
        checks.below("momentum, N s", run.quantity("momentum_change_max_n_s"), 1e-12);
        checks.below("angular momentum, N m s", run.quantity("angular_momentum_change_max_n_m_s"), 1e-12);
        checks.below("energy", run.quantity("energy_residual_relative"), 1e-10);
        assert!(run.end("body.b.vx_m_per_s") > 0.3 && run.end("energy.dissipated_j") > 1e-3);
        // The other methods find the same, at their order; the touch itself is not stepped onto.
        for (name, close) in [("implicit", 2e-3), ("realtime", 2e-2)] {
            let other = run_text(&text, &[&format!("integrator={{name=\"{name}\", step=\"0.1 ms\"}}")]);
            for column in ["body.a.vx_m_per_s", "body.b.vy_m_per_s", "body.b.wz_rad_per_s"] {
                let off = (other.end(column) - run.end(column)).abs();
                checks.below(&format!("{name}, {column}"), off, close);
            }
        }
    }
    checks.finish();
}

/// Stick-slip friction holds a block on a slope below its angle of friction without creep, and lets it slide above; on a slope of tan θ = 0.3 it slides with
/// g (sin θ − μ cos θ).
#[test]
fn stick_slip_holds_and_slides() {
    let text = |friction: f64| {
        format!(
            "title = \"block\"\nduration_s = 2\ngravity = \"earth\"\nintegrator = \"explicit\"\nstart = \"as-given\"\n\
             [ground]\nslope = \"16.69924423399 deg\"\n\
             [body.block]\nmass_kg = 2\nuniform = {{ box_m = [0.4, 0.3, 0.1] }}\n[joint.free]\ntype = \"free\"\nchild = \"block\"\n\
             placed = {{ position_m = [-0.0172, 0, 0.0574], pitch = \"-16.69924423399 deg\" }}\n\
             [contact.block]\nbody = \"block\"\nbox_m = [0.4, 0.3, 0.1]\ncorner_radius_m = 0.01\nstiffness = \"50 kN/m\"\ndamping = \"400 N s/m\"\n\
             friction_law = \"stick-slip\"\nfriction = {friction}\ntangential_stiffness = \"50 kN/m\"\ntangential_damping = \"400 N s/m\"\n"
        )
    };
    let mut checks = Checks::default();
    let held = run_text(&text(0.4), &[]);
    checks.below(
        "creep of a held block, m",
        (held.end("body.block.x_m") - held.at("body.block.x_m", 1.0)).abs(),
        1e-9,
    );
    assert_eq!(held.end("surface.block.contacts"), 4.0);
    let slides = run_text(&text(0.1), &[]);
    let (sine, cosine) = (0.3 / 1.09f64.sqrt(), 1.0 / 1.09f64.sqrt());
    let speed = |t: f64| slides.at("body.block.vx_m_per_s", t).hypot(slides.at("body.block.vz_m_per_s", t));
    let found = speed(2.0) - speed(1.0);
    checks.below(
        "acceleration of a sliding block",
        (found / (9.81 * (sine - 0.1 * cosine)) - 1.0).abs(),
        1e-6,
    );
    checks.finish();
}

/// A body of 1 kg over a plane, 20 kN/m at each place of touch, its axis leant by `pitch`.
fn over_plane(form: &str, uniform: &str, z: f64, pitch: f64, more: &str) -> String {
    format!(
        "title = \"touching along lines\"\nduration_s = 3\ngravity = \"earth\"\nintegrator = {{ name = \"implicit\", step = \"0.5 ms\" }}\n\
        record = {{ series_every = \"10 ms\", frames_every = \"1 s\" }}\n[ground]\n[body.b]\nmass_kg = 1\n{uniform}\n\
        [joint.j]\ntype = \"free\"\nchild = \"b\"\nplaced = {{ position_m = [0, 0, {z}], pitch = \"{pitch} deg\" }}\n\
        [contact.c]\nbody = \"b\"\n{form}\nstiffness = \"20 kN/m\"\ndamping = \"50 N s/m\"\nfriction = 0.5\nfriction_speed = \"1 mm/s\"\n{more}"
    )
}

fn passed(run: &Run) -> f64 {
    let check = run.outcome.validity.iter().find(|c| c.name == "surface_passed_through");
    check.map_or(f64::NAN, |c| c.value)
}

const CYLINDER: [&str; 2] =
    ["cylinder_m = [0.1, 0.4]", "uniform = { cylinder_m = [0.1, 0.4], along = [0, 0, 1] }"];
const TORUS: [&str; 2] = ["torus_m = [0.3, 0.05]", "inertia_kg_m2 = [0.047, 0.047, 0.092]"];

/// A cylinder let down on a plane at any tilt, a torus that lies and one that stands come to rest on it: their middle ends no lower than their smallest
/// half thickness less the depth that carries them, and nothing has passed through.
#[test]
fn bodies_that_touch_along_lines_and_circles_rest() {
    let mut checks = Checks::default();
    for ([form, uniform], z, pitch, least) in [
        (CYLINDER, 0.21, 0.0, 0.2),
        (CYLINDER, 0.23, 45.0, 0.1),
        (CYLINDER, 0.15, 80.0, 0.1),
        (CYLINDER, 0.11, 89.0, 0.1),
        (CYLINDER, 0.11, 90.0, 0.1),
        (TORUS, 0.06, 0.0, 0.05),
        (TORUS, 0.36, 90.0, 0.35),
    ] {
        let run = run_text(&over_plane(form, uniform, z, pitch, ""), &[]);
        let name = format!("{form} at {pitch} deg");
        // Two places carry 9.81 N with 20 kN/m each at 0.25 mm; one at 0.5 mm.
        checks.between(&format!("{name}: height, m"), run.end("body.b.z_m"), least - 6e-4, z);
        checks.below(&format!("{name}: speed, m/s"), run.end("body.b.vz_m_per_s").abs(), 1e-3);
        checks.below(&format!("{name}: passed through, m"), passed(&run), 1e-300);
        // A fixed step is not cut where a touch begins: it misses at most the energy ½ k (v h)² of two springs over what it travels, k h²/m of that of the fall.
        let missed = 2.0 * 20e3 * 0.5e-3 * 0.5e-3;
        checks.below(&format!("{name}: energy"), run.quantity("energy_residual_relative"), missed);
    }
    checks.finish();
}

/// A cylinder rolls down a slope with g sin α/(1 + ½ (r/r_c)²), 2/3 g sin α where nothing is pressed in: it rolls on r_c = r − δ, and the line of contact
/// resists neither rolling nor leaning.
#[test]
fn a_cylinder_rolls_down_a_slope() {
    let mut checks = Checks::default();
    let more = "gravity_tilt";
    let rolling = 0.1 - 9.81 * 0.984_807_753 / 4e4;
    let text = over_plane(CYLINDER[0], CYLINDER[1], rolling, 0.0, "");
    let text = text
        .replace("pitch = \"0 deg\"", "roll = \"90 deg\"")
        .replace("[ground]\n", &format!("[{more}]\nangle = \"10 deg\"\n[ground]\n"))
        .replace("{ name = \"implicit\", step = \"0.5 ms\" }", "{ name = \"explicit\", tolerance = 1e-10 }");
    let run = run_text(&text, &[]);
    let v = |t: f64| run.at("body.b.vx_m_per_s", t);
    let expected = 9.81 * 10f64.to_radians().sin() / (1.0 + 0.5 * (0.1 / rolling).powi(2));
    checks.below("acceleration", ((v(3.0) - v(1.0)).abs() / 2.0 / expected - 1.0).abs(), 1e-6);
    checks.below("aside, m", run.end("body.b.y_m").abs(), 1e-9);
    checks.finish();
}

/// A ball that is so fast and so sparsely followed that it is found below the ground is reported.
#[test]
fn passing_through_is_reported() {
    let text =
        over_plane("sphere_m = 0.05", "uniform = { sphere_m = 0.05 }", 0.3, 0.0, "threshold = \"1 mm\"\n")
            .replace("duration_s = 3", "duration_s = 0.1")
            .replace("pitch = \"0 deg\" }", "pitch = \"0 deg\" }\nvelocity_m_per_s = [0, 0, -60]")
            .replace("step = \"0.5 ms\"", "step = \"10 ms\"");
    assert!(passed(&run_text(&text, &[])) > 0.1);
}

/// A box of 1 m lies on a bump of 15 cm under the middle of its face, by smooth contact and by its collision shape, on a map and on a formula; its corners reach no ground.
#[test]
fn a_bump_under_a_face_carries_a_box() {
    let mut checks = Checks::default();
    let smooth = "[contact.box]\nbody = \"box\"\nbox_m = [1, 1, 0.2]\ncorner_radius = \"10 mm\"\nstiffness = \"100 kN/m\"\ndamping = \"2 kN s/m\"\nfriction = 0.5\n";
    let shape = "[collision.box]\nbody = \"box\"\nbox_m = [1, 1, 0.2]\n";
    let map = "surface = \"c2\"\nspacing = \"50 mm\"\nsize_m = [4, 4]";
    for (contact, round, name) in [(smooth, 0.01, "smooth"), (shape, 0.0, "collision shape")] {
        for (surface, on) in [(map, "map"), ("", "formula")] {
            let run = run_text(
                &format!(
                    "title = \"t\"\nduration = \"2 s\"\ngravity = \"mars\"\nintegrator = {{ name = \"realtime\", step = \"1 ms\" }}\n\
                     [ground]\nshape = \"expression\"\nexpression = \"0.15 * exp(-(x^2 + y^2) / 0.08)\"\n{surface}\n\
                     [body.box]\nmass = \"10 kg\"\nuniform = {{ box_m = [1, 1, 0.2] }}\n\
                     [joint.box]\ntype = \"free\"\nchild = \"box\"\nplaced = {{ position_m = [0, 0, 0.27] }}\n{contact}"
                ),
                &[],
            );
            // Springs and layers give by less than 5 mm under 37 N; the smooth box is thicker by its rounding.
            let up = run.end("body.box.z_m") - 0.25 - round;
            checks.between(&format!("{name} on a {on}: above the bump, m"), up, -5e-3, 1e-3);
            checks.below(
                &format!("{name} on a {on}: speed, m/s"),
                run.end("body.box.vz_m_per_s").abs(),
                0.02,
            );
        }
    }
    checks.finish();
}
