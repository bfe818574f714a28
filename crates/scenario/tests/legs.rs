//! Machines on legs under control, and bodies that touch the ground with their collision shapes.

mod common;

use common::{Checks, Run, built_in, inline, run, run_text, run_world, world};
use touchdown_math::rotation;
use touchdown_multibody::description::{Body, Gravity};
use touchdown_sim::Simulation;

const FEET: [&str; 4] = ["lf", "rf", "lr", "rr"];

fn largest(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::MIN, f64::max)
}

/// The trot goes 5 m without falling on three soils, on the Moon and on Mars; energy adds up within half a percent, and no torque exceeds its motor's.
#[test]
fn a_quadruped_trots() {
    let mut checks = Checks::default();
    for gravity in ["moon", "mars"] {
        for soil in ["dlr-simulant-a", "lunar-nominal", "dry-sand-lll"] {
            let run = run("quadruped-trot", &[&format!("gravity={gravity}"), &format!("soil={soil}")]);
            let name = |what: &str| format!("{gravity}, {soil}: {what}");
            checks.between(&name("distance, m"), run.quantity("distance_m"), 5.0, 6.5);
            checks.below(&name("fallen"), run.quantity("fallen"), 0.5);
            checks.below(&name("energy"), run.quantity("energy_residual_relative"), 5e-3);
            checks.between(&name("cost of transport"), run.quantity("cost_of_transport"), 0.05, 1.5);
        }
    }
    checks.finish();
}

/// Its feet carry its weight: over whole cycles of a steady trot the mean of their vertical forces is the weight, because momentum neither grows nor falls.
#[test]
fn feet_carry_the_weight_on_average() {
    let run = run("quadruped-trot", &["duration=16 s"]);
    let t = run.column("time_s");
    let mut sum = vec![0.0; t.len()];
    for foot in FEET {
        sum.iter_mut().zip(run.column(&format!("foot.{foot}.force_z_n"))).for_each(|(sum, f)| *sum += f);
    }
    // From 2 s to 16 s, twenty cycles of 0.7 s: samples every 20 ms, 35 to a cycle.
    let steady: Vec<f64> =
        sum.iter().zip(&t).filter(|(_, t)| **t > 2.0 && **t < 16.0 + 1e-9).map(|(f, _)| *f).collect();
    let mean = steady.iter().sum::<f64>() / steady.len() as f64;
    let weight = 38.2 * 1.62;
    // Samples catch forces that rise within some milliseconds: a hundredth.
    assert!((mean / weight - 1.0).abs() < 0.02, "{mean} of {weight} N");
}

/// Where the centre of mass of all bodies lies at the end, seen from above.
fn centre_of_mass(run: &Run, bodies: &[Body]) -> [f64; 2] {
    let total: f64 = bodies.iter().map(|body| body.mass).sum();
    let centre = |body: &Body| {
        let at = |c: &str| run.end(&format!("body.{}.{c}", body.name));
        let p = rotation::from_quaternion(&["qw", "qx", "qy", "qz"].map(at)) * body.com;
        [at("x_m") + p.x, at("y_m") + p.y].map(|x| x * body.mass / total)
    };
    bodies.iter().map(centre).fold([0.0; 2], |sum, c| [sum[0] + c[0], sum[1] + c[1]])
}

/// Standing up: the body ends at its height, level and at rest; the feet carry the weight, and their loads act together under the centre of mass, as statics asks.
#[test]
fn a_quadruped_stands_up() {
    let scenario = built_in("quadruped-stand", &[]);
    let world = world(&scenario);
    let g = match &scenario.description.mechanism.gravity {
        Gravity::Uniform(g) => g.norm(),
        Gravity::Central { .. } => panic!("uniform"),
    };
    let bodies = &scenario.description.mechanism.bodies;
    let mass: f64 = bodies.iter().map(|b| b.mass).sum();
    let run = run_world(world);
    let mut checks = Checks::default();
    checks.below("height", (run.quantity("height_m") - 0.53).abs(), 1e-3);
    checks.below("fallen", run.quantity("fallen"), 0.5);
    checks.below("speed", run.end("body.quadruped/body.vz_m_per_s").abs(), 1e-6);
    checks.below("energy", run.quantity("energy_residual_relative"), 5e-3);
    let load = |foot: &str| run.end(&format!("foot.{foot}.force_z_n"));
    let total: f64 = FEET.iter().map(|foot| load(foot)).sum();
    checks.below("weight", (total / (mass * g) - 1.0).abs(), 1e-6);
    // The knees point back, and round feet roll forwards while the shanks rise: neither the centre of mass nor the feet's middle lies below the body's origin.
    // Pulls along the ground act at heights that differ by the feet's sinkage: a millimetre times some thousandths of the weight.
    for (axis, centre) in ["x_m", "y_m"].into_iter().zip(centre_of_mass(&run, bodies)) {
        let place = |foot: &str| run.end(&format!("body.quadruped/foot_{foot}.{axis}"));
        let pressure = FEET.iter().map(|foot| load(foot) * place(foot)).sum::<f64>() / total;
        checks.below(&format!("centre of pressure, {axis}"), (pressure - centre).abs(), 1e-4);
    }
    checks.finish();
}

/// Commands are followed: forwards, sideways, a turn; with none it stops on its feet.
#[test]
fn velocities_are_followed() {
    let mut world = world(&built_in(
        "quadruped-trot",
        &["duration=60 s", "speed_m_per_s=0", "gravity=mars", "soil=dry-sand-lll"],
    ));
    let mut checks = Checks::default();
    let place = |world: &mut Simulation| {
        ["x_m", "y_m"].map(|c| world.observe_one(&format!("body.quadruped/body.{c}")).expect("a column"))
    };
    let mut time = 2.0;
    world.advance_to(time).expect("it stands");
    let still = place(&mut world);
    checks.below("before a command, m", still[0].hypot(still[1]), 0.01);
    for (input, value, expected) in [("forward", 0.2, [1.0, 0.0]), ("sideways", 0.1, [0.0, 0.5])] {
        let before = place(&mut world);
        world.command(&format!("quadruped.{input}"), value).expect("an input");
        time += 5.0;
        world.advance_to(time).expect("it walks");
        world.command(&format!("quadruped.{input}"), 0.0).expect("an input");
        time += 3.0;
        world.advance_to(time).expect("it stops");
        let after = place(&mut world);
        // 5 s at the speed, which rises and falls by the same ramp; a leash of 5 cm, and feet that slip by a few per cent.
        for k in 0..2 {
            checks.below(&format!("{input}, axis {k}, m"), (after[k] - before[k] - expected[k]).abs(), 0.07);
        }
        checks.between(
            "feet that stand",
            world.observe_one("legs.quadruped.feet_planned").expect("a column"),
            4.0,
            4.0,
        );
    }
    world.command("quadruped.turn", 0.2).expect("an input");
    world.advance_to(time + 5.0).expect("it turns");
    let rate = world.observe_one("legs.quadruped.turn_rad_per_s").expect("a column");
    checks.below("rate of turn", (rate - 0.2).abs(), 1e-9);
    checks.below("lean", world.observe_one("walker.quadruped_body.lean_rad").expect("a column"), 0.15);
    checks.finish();
}

/// The same machine crawls and goes in ripples.
#[test]
fn other_gaits_walk() {
    let mut checks = Checks::default();
    let crawl = ["gait=crawl", "legs.quadruped.duty=0.85", "speed_m_per_s=0.08", "period_s=2"];
    for (name, settings, least) in [
        ("crawl", &crawl[..], 1.5),
        ("ripple", &["gait=ripple", "legs.quadruped.duty=0.7", "speed_m_per_s=0.1"][..], 2.0),
    ] {
        let run = run("quadruped-trot", settings);
        checks.between(&format!("{name}: distance, m"), run.quantity("distance_m"), least, 3.0);
        checks.below(&format!("{name}: fallen"), run.quantity("fallen"), 0.5);
    }
    checks.finish();
}

/// The machine without control, let go above the ground on its side.
fn dropped(ground: &str) -> Run {
    run_text(
        &format!(
            "title = \"t\"\nduration = \"4 s\"\ngravity = \"mars\"\nintegrator = {{ name = \"realtime\", step = \"0.5 ms\" }}\n{ground}\n\
             [machine.q]\nurdf = \"machines/quadruped.urdf\"\nplace = {{ z = \"0.5 m\", roll = \"80 deg\" }}\n\
             [drive.limp]\njoints = \"q/*_*\"\nspeed = \"0 rad/s\"\ngain = \"5 N m s/rad\"\n"
        ),
        &[],
    )
}

/// A machine that falls over lies on the ground with its body and legs, rigid or soil: it comes to rest above it, and nothing passes through.
#[test]
fn a_fallen_machine_lies_on_the_ground() {
    let mut checks = Checks::default();
    for (name, ground, deepest) in [
        // The layer of the shapes gives by some millimetres.
        ("rigid", "[ground]", -0.02),
        ("soil", "[ground]\n[touch]\nsoil = \"dry-sand-lll\"", -0.1),
    ] {
        let run = dropped(ground);
        for body in ["body", "thigh_lf", "thigh_rr", "shank_rf"] {
            checks.between(
                &format!("{name}: {body}, m"),
                run.end(&format!("body.q/{body}.z_m")),
                deepest,
                0.75,
            );
        }
        let speed = ["vx", "vy", "vz"].map(|v| run.end(&format!("body.q/body.{v}_m_per_s")).abs());
        checks.below(&format!("{name}: speed at the end"), largest(&speed), 0.05);
    }
    checks.finish();
}

/// Bodies with a foot of their own touch with it alone, an empty list lets nothing touch, and without ground nothing does.
#[test]
fn shapes_touch_once() {
    let trot = built_in("quadruped-trot", &[]);
    let touching: Vec<&str> = trot.description.intruders.iter().map(|on| on.name.as_str()).collect();
    assert_eq!(touching.len(), 9, "{touching:?}");
    assert!(touching.contains(&"quadruped/body_0") && !touching.iter().any(|name| name.contains("foot")));
    let text = |more: &str| {
        format!("title = \"t\"\nduration = \"1 s\"\n[machine.q]\nurdf = \"machines/quadruped.urdf\"\n{more}")
    };
    assert_eq!(inline(&text("[ground]\n"), &[]).description.polygonal.len(), 13);
    assert_eq!(
        inline(&text("[ground]\n[touch]\nbodies = \"q/shank_*\"\n"), &[]).description.polygonal.len(),
        4
    );
    assert_eq!(inline(&text("[ground]\n[touch]\nbodies = []\n"), &[]).description.polygonal.len(), 0);
    assert_eq!(inline(&text(""), &[]).description.polygonal.len(), 0);
}

/// Who stands makes no steps: their time and height are not asked for, and reported as meaningless where they are given; who walks needs them.
#[test]
fn a_stand_needs_no_steps() {
    let stand = built_in("quadruped-stand", &[]);
    assert!(stand.warnings.iter().all(|w| !w.contains("means nothing")), "{:?}", stand.warnings);
    let given = built_in("quadruped-trot", &["gait=stand"]);
    for key in ["legs.quadruped.period", "legs.quadruped.step_height"] {
        let said = |w: &String| w.contains(key) && w.contains("means nothing with gait = \"stand\"");
        assert!(given.warnings.iter().any(said), "{key}: {:?}", given.warnings);
    }
    let walks = touchdown_scenario::load("quadruped-stand", &["legs.quadruped.gait=trot".into()]);
    let said = walks.err().map(|problem| problem.to_string()).unwrap_or_default();
    assert!(said.contains("needs period") && said.contains("needs step_height"), "{said}");
}
