//! Polygonal contact in the loop: two free bodies keep their momentum, methods agree, a block holds, runs resume to the bit.

mod common;

use common::{Checks, Run, built_in, run, run_text, world};

/// A ball flies at a free cone-shaped cup, off centre and spinning: both sides move.
fn meeting(integrator: &str) -> Run {
    let text = format!(
        "title = \"t\"\nduration = \"60 ms\"\ngravity = \"none\"\nintegrator = {integrator}\nrecord = {{ series_every = \"1 ms\" }}\n\
         [body.ball]\nmass = \"0.5 kg\"\nuniform = {{ sphere = \"50 mm\" }}\n\
         [body.cup]\nmass = \"0.8 kg\"\ninertia_kg_m2 = [2e-3, 2e-3, 1e-3]\n\
         [joint.ball]\ntype = \"free\"\nchild = \"ball\"\nplaced = {{ position_m = [0.004, -0.003, 0.056] }}\n\
         velocity_m_per_s = [0.02, 0, -0.3]\nangular_velocity_rad_per_s = [1, -2, 3]\n\
         [joint.cup]\ntype = \"free\"\nchild = \"cup\"\nangular_velocity_rad_per_s = [0.5, 0.3, -1]\n\
         [polygonal.ball]\nbody = \"ball\"\nsphere = \"50 mm\"\nresolution = 180\nother = \"cup\"\n\
         other_side = {{ cone_m = [0.02, 0.09, 0.07], cavity = true }}\nmodulus = \"2 MPa\"\ndepth = \"5 mm\"\n\
         damping_n_s_per_m3 = 2e5\ndamping_depth = \"0.2 mm\"\nfriction_law = \"regularised\"\nfriction = 0.3\nfriction_speed = \"10 mm/s\"\n"
    );
    run_text(&text, &[])
}

fn ledger(run: &Run, name: &str) -> f64 {
    run.outcome.ledger.iter().find(|entry| entry.name == name).unwrap().value
}

/// Action is reaction, about one point: momentum and angular momentum stay; the implicit method, which uses the derivatives of both sides, agrees with the
/// explicit one, and the energy ledger balances.
#[test]
fn two_free_bodies_keep_their_momentum() {
    let mut checks = Checks::default();
    let explicit = meeting("{ name = \"explicit\", tolerance = 1e-9 }");
    let implicit = meeting("{ name = \"implicit\", tolerance = 1e-8 }");
    for (name, run) in [("explicit", &explicit), ("implicit", &implicit)] {
        let touched = run.at("polygonal.ball.touches", 0.06);
        assert!(touched >= 1.0, "{name} never touched");
        checks.below(&format!("{name}, energy residual"), run.quantity("energy_residual_relative"), 5e-4);
        // p = 0.15 N s; angular momentum is about 2e-3 N m s.
        checks.below(
            &format!("{name}, change of momentum, N s"),
            ledger(run, "momentum_change_max_n_s"),
            1e-6,
        );
        let spin = ledger(run, "angular_momentum_change_max_n_m_s");
        checks.below(&format!("{name}, change of angular momentum, N m s"), spin, 1e-7);
    }
    for column in
        ["body.ball.vx_m_per_s", "body.ball.vz_m_per_s", "body.cup.vz_m_per_s", "body.cup.wy_rad_per_s"]
    {
        let (a, b) = (explicit.at(column, 0.06), implicit.at(column, 0.06));
        checks.below(&format!("{column}: implicit less explicit"), (a - b).abs(), 5e-4);
    }
    checks.finish();
}

/// Under nine tenths of the break-away force the block stays where it is for an hour, to the rounding of its place.
#[test]
fn a_block_under_load_does_not_creep() {
    let run = run(
        "stick-slip-block",
        &[
            "constraint.pull.motion={ ramp = [\"0 m\", \"44.145 mm\"], from = \"0.5 s\", to = \"1.5 s\" }",
            "duration=3600 s",
            // Nothing moves: steps may be long. Two triangles on the underside are enough for uniform pressure.
            "integrator.step=100 ms",
            "polygonal.block.edge=100 mm",
            "record={ series_every = \"20 s\", frames_every = \"600 s\" }",
        ],
    );
    let pull = run.at("spring.pull.force_n", 3600.0);
    assert!((pull / (0.9 * 0.5 * 9.81) - 1.0).abs() < 1e-3, "{pull}");
    let creep = run.at("joint.along.position_m", 3600.0) - run.at("joint.along.position_m", 20.0);
    println!("creep in an hour: {creep:e} m");
    assert!(creep.abs() < 1e-15, "{creep}");
}

/// A ball bounces off a plate without damping: its kinetic energy comes back.
#[test]
fn impacts_return_their_energy() {
    for integrator in ["implicit", "explicit"] {
        let set = format!("integrator={{ name = \"{integrator}\", tolerance = 1e-7 }}");
        let run = run("sphere-on-plate", &["mode=dynamic", "push_m=0", &set]);
        assert!(run.quantity("penetration_max_m") > 4e-4);
        assert_eq!(run.end("polygonal.ball.polygons"), 0.0);
        let back = ledger(&run, "kinetic_end_j") / ledger(&run, "kinetic_start_j");
        println!("{integrator}: {back} of its energy");
        assert!((back - 1.0).abs() < 1e-3, "{integrator} {back}");
    }
}

/// A flat block of 1 kg falls at 0.5 m/s on a layer of 1e5 N/m and 50 N s/m: Eq. (1) gives the speed after, as integrated on its own elsewhere.
#[test]
fn restitution_is_that_of_the_law() {
    for (depth, separation, expected) in [
        ("0 m", "literal", 0.7795),
        ("0 m", "clamped", 0.7893),
        ("0.1 mm", "literal", 0.7884),
        ("0.1 mm", "clamped", 0.7933),
    ] {
        for integrator in ["implicit", "explicit"] {
            let text = format!(
                "title = \"t\"\nduration = \"60 ms\"\ngravity = \"none\"\nintegrator = {{ name = \"{integrator}\", tolerance = 1e-8 }}\n\
                 record = {{ series_every = \"1 ms\" }}\n[ground]\n\
                 [body.block]\nmass = \"1 kg\"\nuniform = {{ box_m = [0.1, 0.1, 0.05] }}\n\
                 [joint.up]\ntype = \"prismatic\"\nchild = \"block\"\naxis = [0, 0, 1]\nposition = \"25.1 mm\"\nrate = \"-0.5 m/s\"\n\
                 [polygonal.block]\nbody = \"block\"\nbox_m = [0.1, 0.1, 0.05]\nedge = \"100 mm\"\narea = \"reference\"\n\
                 stiffness_n_per_m3 = 1e7\ndamping_n_s_per_m3 = 5e3\ndamping_depth = \"{depth}\"\nseparation = \"{separation}\"\n"
            );
            let run = run_text(&text, &[]);
            let e = run.end("joint.up.rate_m_per_s") / 0.5;
            println!("{integrator}, ramp {depth}, {separation}: {e:.5} of {expected}");
            // Four digits are known, and a step that ends within the contact's first or last touch costs as much as the last of them.
            assert!((e - expected).abs() < 5e-4, "{integrator} {depth} {separation}: {e}");
        }
    }
}

/// A run that continues from a checkpoint, anchors and all, is the run that was never interrupted.
#[test]
fn runs_resume_to_the_bit() {
    let scenario = built_in("rock-drop", &[]);
    let mut whole = world(&scenario);
    whole.advance_steps(500).unwrap();
    let bytes = whole.checkpoint();
    whole.advance_steps(200).unwrap();
    let mut resumed = world(&scenario);
    resumed.resume(&bytes).unwrap();
    resumed.advance_steps(200).unwrap();
    assert_eq!(whole.checkpoint(), resumed.checkpoint());
    // A checkpoint of another model is refused.
    assert!(world(&built_in("stick-slip-block", &[])).resume(&bytes).is_err());
}

const CROWN: &str = "title = \"t\"\nduration = \"30 ms\"\ngravity = \"none\"\nintegrator = { name = \"implicit\", step = \"0.05 ms\" }\n\
    record = { series_every = \"1 ms\" }\n\
    [body.pin]\nmass = \"1 kg\"\nuniform = { cylinder_m = [0.03, 0.1] }\n\
    [joint.flight]\ntype = \"free\"\nchild = \"pin\"\n\
    [polygonal.pin]\nbody = \"pin\"\ncylinder_m = [0.03, 0.1]\nresolution = 48\nother = \"world\"\nstiffness_n_per_m3 = 1e9\ndamping_n_s_per_m3 = 1e5\n\
    other_side = { section = \"-0.1 0.031, 0.1 0.031\", section_open = \"-0.1 0.0299, 0.1 0.0299\", cavity = true, OPENING }\n";

/// A ring that closes around a pin: its drive does the work that the layer stores and the damper burns.
#[test]
fn a_crown_that_closes_does_work() {
    let ramp = "opening = { smooth = [[\"5 ms\", 0], [\"25 ms\", 1]] }";
    let run = run_text(&CROWN.replace("OPENING", ramp), &[]);
    assert_eq!(run.at("polygonal.pin.polygons", 0.005), 0.0);
    // 0.1 mm deep all around, over the true area of the pin.
    let stored = 0.5 * 1e9 * std::f64::consts::TAU * 0.03 * 0.1 * 1e-8;
    assert!((run.end("polygonal.pin.stored_j") / stored - 1.0).abs() < 1e-9);
    let work = ledger(&run, "drive_work_j");
    let lost = ledger(&run, "dissipated_j");
    println!("work {work} J, stored {stored} J, lost {lost} J");
    // The ledger is of second order: 400 steps.
    assert!(lost > 0.0 && (work / (stored + lost) - 1.0).abs() < 1e-3, "{work} {stored} {lost}");
}

/// What is said about a scenario that is wrong.
fn mistakes(text: &str) -> String {
    let wrong = touchdown_scenario::load_str("test.toml", text, std::path::Path::new("."), &[]);
    wrong.err().map(|errors| errors.to_string()).unwrap_or_default()
}

/// Half of what a changing section needs is a mistake, as is another number of strokes.
#[test]
fn openings_are_checked() {
    let said = mistakes(&CROWN.replace(", OPENING", ""));
    assert!(said.contains("needs the other one of section_open and opening"), "{said}");
    let ramp = "opening = { smooth = [[\"5 ms\", 0], [\"25 ms\", 1]] }";
    let other = CROWN.replace("OPENING", ramp).replace("0.1 0.0299\"", "0 0.03, 0.1 0.0299\"");
    let said = mistakes(&other);
    assert!(said.contains("does not fit section"), "{said}");
}

/// Soil holds rocks and throws none out: on steep faces it pushes by their depth, not by their slope. One of 5 N got 913 N, and was thrown up at 3 m/s within
/// 0.36 s under shear by displacement.
#[test]
fn rocks_stay_in_their_beds() {
    for law in ["coulomb", "janosi", "anchored"] {
        for stress in ["bekker", "directional"] {
            let sets = [
                format!("terrain.friction_law={law}"),
                format!("terrain.stress_law={stress}"),
                "duration_s=0.5".into(),
            ];
            let sets: Vec<&str> = sets.iter().map(String::as_str).collect();
            let run = run("rover-rocks-and-sand", &sets);
            for k in 1..=12 {
                let z = run.column(&format!("body.rock_{k}.z_m"));
                let rise = z.iter().fold(f64::NEG_INFINITY, |a, z| a.max(*z)) - z[0];
                // Nothing but soil touches them yet: grains of a millimetre is what they may settle.
                assert!(rise < 1e-3, "{law}, {stress}: rock {k} rises by {rise} m");
            }
        }
    }
}
