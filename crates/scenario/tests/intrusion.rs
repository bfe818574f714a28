//! Bodies that move through soil, in the loop: a foot that stands, a probe that is pushed in and pulled out, a walk in which buried feet feel the soil.

mod common;

use common::{Checks, Run, built_in, run, run_text, run_world, world};

/// A ball of 2 kg on a vertical rail, let go where it touches; Earth's gravity.
fn ball(integrator: &str, seconds: f64) -> String {
    format!(
        "title = \"t\"\nduration_s = {seconds}\ngravity = \"earth\"\nintegrator = {integrator}\nrecord = {{ series_every_s = 0.05 }}\n\
         [ground]\nshape = \"plane\"\n\
         [soil.seeds]\ntitle = \"linear in depth\"\nexponent = 1\ncohesive_modulus = 0\nfrictional_modulus = 2.48e5\ncohesion_pa = 0\nfriction_angle = \"30 deg\"\n\
         [body.ball]\nmass_kg = 2\nuniform = {{ sphere_m = 0.05 }}\n\
         [joint.rail]\ntype = \"prismatic\"\naxis = [0, 0, 1]\nchild = \"ball\"\nat_m = [0, 0, 0.05]\n\
         [intruder.ball]\nbody = \"ball\"\nsphere_m = 0.05\nsoil = \"seeds\"\nwidth_m = 0.05\n"
    )
}

fn end(run: &Run, column: &str) -> f64 {
    *run.column(column).last().unwrap_or(&f64::NAN)
}

/// A ball that is let go sinks in, stops, and stays: from 2 s to 60 s it does not move by a micrometre, and the soil carries its weight. Depth and ledger follow the step to first order: it stops
/// within 0.1 s, so that steps of a millisecond leave about a hundredth, quarters of it a quarter of that.
#[test]
fn a_ball_sinks_and_stands() {
    let mut checks = Checks::default();
    let mut depths = Vec::new();
    for (name, integrator, seconds, left) in [
        ("realtime", "{ name = \"realtime\", step = \"1 ms\" }", 60.0, 2e-2),
        ("realtime, finer", "{ name = \"realtime\", step = \"0.25 ms\" }", 3.0, 5e-3),
    ] {
        let run = run_text(&ball(integrator, seconds), &[]);
        let (z, at) = (run.column("body.ball.z_m"), run.column("time_s"));
        let rest: Vec<f64> = z.iter().zip(&at).filter(|(_, t)| **t > 2.0).map(|(z, _)| *z).collect();
        let spread =
            rest.iter().copied().fold(f64::MIN, f64::max) - rest.iter().copied().fold(f64::MAX, f64::min);
        checks.below(&format!("{name}: creep, m"), spread, 1e-6);
        let weight = 2.0 * 9.81;
        checks.below(
            &format!("{name}: load"),
            (end(&run, "intruder.ball.force_z_n") / weight - 1.0).abs(),
            1e-3,
        );
        checks.below(&format!("{name}: energy"), run.quantity("energy_residual_relative"), left);
        depths.push(end(&run, "intruder.ball.depth_m"));
    }
    // First order in the step.
    checks.below("depth by the step", (depths[0] / depths[1] - 1.0).abs(), 0.02);
    checks.between("depth, m", depths[1], 0.005, 0.05);
    checks.finish();
}

/// A plate that is pushed in at a given speed meets ζ d A at every depth; pulled out it meets nothing: soil does not pull.
#[test]
fn a_plate_is_pushed_in_and_pulled_out() {
    let mut checks = Checks::default();
    let text = "title = \"t\"\nduration_s = 8\ngravity = \"none\"\nintegrator = { name = \"realtime\", step = \"1 ms\" }\nrecord = { series_every_s = 0.1 }\n\
         [ground]\nshape = \"plane\"\n\
         [soil.seeds]\ntitle = \"linear in depth\"\nexponent = 1\ncohesive_modulus = 0\nfrictional_modulus = 2.48e5\ncohesion_pa = 0\nfriction_angle = \"30 deg\"\n\
         [body.plate]\nmass_kg = 1\nuniform = { box_m = [0.1, 0.1, 0.002] }\n\
         [joint.rail]\ntype = \"prismatic\"\naxis = [0, 0, 1]\nchild = \"plate\"\nat_m = [0, 0, 0.001]\n\
         [constraint.push]\ntype = \"prescribed\"\njoint = \"rail\"\nmotion = { table = [[\"0 s\", \"0 m\"], [\"5 s\", \"-0.05 m\"], [\"8 s\", \"0.02 m\"]] }\n\
         [intruder.plate]\nbody = \"plate\"\nbox_m = [0.1, 0.1, 0.002]\nsoil = \"seeds\"\nwidth_m = 0.1\n";
    let run = run_text(text, &[]);
    let (t, force) = (run.column("time_s"), run.column("intruder.plate.force_z_n"));
    for (t, force) in t.iter().zip(&force) {
        let down = 0.01 * t;
        if (1.0..4.9).contains(t) {
            checks.below(&format!("push at {t:.1} s"), (force / (2.48e5 * down * 0.01) - 1.0).abs(), 0.02);
        } else if *t > 5.2 {
            // Its upper side lifts the soil above it; nothing holds the lower one.
            checks.below(&format!("pull at {t:.1} s"), *force, 1e-9);
        }
    }
    checks.below("energy", run.quantity("energy_residual_relative"), 5e-3);
    checks.finish();
}

/// Feet that swing below the surface of snow feel it: the walk costs more where they move through soil, and a foot that is deep and unloaded meets a drag. With laws of their own they move through it
/// as if it were air.
#[test]
fn buried_feet_feel_the_soil() {
    let mut checks = Checks::default();
    let sets = |feet: &str| {
        vec!["soil=snow-sweden".to_string(), "duration_s=4".to_string(), format!("ground={feet}")]
    };
    let walk = |feet: &str| {
        let owned = sets(feet);
        run("hexapod-walk", &owned.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let (law, through) = (walk("model"), walk("intrusion"));
    let drag = |run: &Run| {
        let names = ["lf", "lm", "lr", "rf", "rm", "rr"];
        let column = |name: &str, what: &str| run.column(&format!("foot.{name}.{what}"));
        let of = |name: &&str| {
            let (sinkage, slip, force) = (
                column(name, "sinkage_m"),
                column(name, "slip_speed_m_per_s"),
                column(name, "tangential_force_n"),
            );
            let moving =
                sinkage.iter().zip(slip.iter().zip(&force)).filter(|(d, (v, _))| **d > 0.02 && **v > 0.1);
            moving.map(|(_, (_, f))| *f).fold((0.0, 0), |(sum, n), f| (sum + f, n + 1))
        };
        let (sum, n) = names.iter().map(of).fold((0.0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        if n > 0 { sum / f64::from(n) } else { 0.0 }
    };
    println!("drag of buried swinging feet: {} N with a law, {} N through soil", drag(&law), drag(&through));
    checks.below("law: drag, N", drag(&law), 1.0);
    checks.between("through soil: drag, N", drag(&through), 2.0, 1e3);
    checks.below("through soil: energy", through.quantity("energy_residual_relative"), 0.01);
    checks.finish();
}

/// Stopped in the middle and resumed, it continues with the same bits: anchors are states.
#[test]
fn anchors_are_part_of_the_state() {
    let scenario = built_in("hexapod-walk", &["ground=intrusion", "duration_s=1.2"]);
    let whole = run_world(world(&scenario));
    let mut first = world(&scenario);
    first.advance_steps(1500).expect("it walks");
    let mut second = world(&scenario);
    second.resume(&first.checkpoint()).expect("the same world");
    let mut sink = common::Memory::default();
    second.run(&mut sink).expect("it walks on");
    let last = |rows: &[Vec<f64>]| rows.last().map(|row| row.iter().map(|x| x.to_bits()).collect::<Vec<_>>());
    assert_eq!(last(&whole.rows), last(&sink.rows));
}

/// A tall block on a sole, which leans beyond its edge and falls on the sand: nothing feeds energy in, so that its energy never rises, with `[ground] feet = "intrusion"` or with `[intruder]`, in any method of fixed
/// steps. The soil stops it at some 20 rad/s, in steps of backward Euler: they are off by h times that of the energy of the fall, in the balance and in what the energy rises. (Implicit steps made 7 MJ of 340 J.)
#[test]
fn a_tall_block_falls_and_gains_nothing() {
    let mut checks = Checks::default();
    let sole = "[ground]\nfeet = \"intrusion\"\n[foot_law.sole]\nshape = \"flat-rectangular\"\nwidth_m = 0.3\nlength_m = 0.3\nsoil = \"dry-sand-lll\"\n\
         [foot.f]\nbody = \"b\"\nlaw = \"sole\"\n";
    let whole = "[ground]\n[intruder.b]\nbody = \"b\"\nbox_m = [0.3, 0.3, 1.2]\nposition_m = [0, 0, 0.6]\nsoil = \"dry-sand-lll\"\nwidth_m = 0.3\n";
    for (what, ground) in [("sole", sole), ("whole", whole)] {
        for (integrator, share) in [
            ("{ name = \"implicit\", step = \"1 ms\" }", 0.02),
            ("{ name = \"implicit\", step = \"0.5 ms\", spectral_radius = 0.5 }", 0.01),
            ("{ name = \"realtime\", step = \"1 ms\" }", 0.02),
        ] {
            let text = format!(
                "title = \"t\"\nduration = \"3 s\"\ngravity = \"earth\"\nintegrator = {integrator}\nrecord = {{ series_every_s = 0.005, frames_every_s = 10 }}\n{ground}\
                 [body.b]\nmass_kg = 60\ncentre_of_mass_m = [0, 0, 0.6]\nuniform = {{ box_m = [0.3, 0.3, 1.2] }}\n\
                 [joint.j]\ntype = \"free\"\nchild = \"b\"\nplaced = {{ position_m = [0, 0, 0.001], pitch = \"18 deg\" }}\n"
            );
            let run = run_text(&text, &[]);
            let name = format!("{what}, {integrator}");
            let parts = ["energy.kinetic_j", "energy.potential_j", "energy.elastic_j"].map(|c| run.column(c));
            let energy: Vec<f64> = (0..parts[0].len()).map(|i| parts.iter().map(|p| p[i]).sum()).collect();
            let mut least = f64::INFINITY;
            let rise = energy.iter().fold(0.0, |most: f64, e| {
                least = least.min(*e);
                most.max(e - least)
            });
            let fallen = 60.0 * 9.81 * 0.6;
            checks.below(&format!("{name}: rise of the energy"), rise / fallen, share);
            checks.below(&format!("{name}: balance"), run.quantity("energy_residual_relative"), share);
        }
    }
    checks.finish();
}

/// On the stand a foot that moves through soil meets the pressure of plates, as its own law does: it sinks by as much more as the area of its sixteen sides is less than the circle's. Dragged it meets a resistance; a soft foot is refused.
#[test]
fn feet_on_stands_move_through_soil() {
    let mut checks = Checks::default();
    let through = "ground.feet=intrusion";
    let [own, whole] = [&[][..], &[through][..]].map(|sets: &[&str]| run("foot-press", sets));
    let sides: f64 = 16.0;
    let area = (std::f64::consts::TAU / sides).sin() * sides / std::f64::consts::TAU;
    let expected = own.quantity("sinkage_max_m") * area.powf(-1.0 / 1.1);
    checks.below("sinkage", (whole.quantity("sinkage_max_m") / expected - 1.0).abs(), 2e-3);
    checks.below("load", (whole.quantity("force_max_n") / 200.0 - 1.0).abs(), 5e-3);
    let drag = run("foot-drag", &[through, "mass_kg=20"]);
    checks.between("drag, N", drag.quantity("tangential_force_max_n"), 20.0, 200.0);
    let drop = run("foot-drop", &[through, "integrator={ name = \"realtime\", step = \"0.5 ms\" }"]);
    checks.below("balance of a drop", drop.quantity("energy_residual_relative"), 0.01);
    checks.finish();
    let soft = touchdown_scenario::load("foot-press", &[through.into(), "foot_stiffness_n_per_m=1e4".into()]);
    let said = soft.err().map(|problem| problem.to_string()).unwrap_or_default();
    assert!(said.contains("foot_rig") && said.contains("it needs soil and a hard foot"), "{said}");
}
