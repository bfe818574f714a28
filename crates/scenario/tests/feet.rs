//! Feet in the loop: what soil carries, drops that stop, runs that resume, a machine that walks.

mod common;

use common::{Checks, Memory, built_in, run, run_world, world};

/// A dropped foot stops in plastic soil and is held with its load; on hard ground its spring vibrates and settles; with soil under the spring it vibrates less. The
/// books close in all three.
#[test]
fn drops_stop_settle_and_keep_their_books() {
    let mut checks = Checks::default();
    let spring = "foot_stiffness_n_per_m=11945";
    let cases = [
        ("soil", run("foot-drop", &[])),
        ("spring on hard ground", run("foot-drop", &["soil=hard", spring, "duration_s=6"])),
        ("spring in soil", run("foot-drop", &[spring, "duration_s=6"])),
    ];
    for (name, run) in &cases {
        checks.below(&format!("{name}: energy residual"), run.quantity("energy_residual_relative"), 1e-6);
        checks.between(&format!("{name}: force at the end"), run.quantity("force_end_n"), 199.99, 200.01);
    }
    let [soil, hard, both] = cases.map(|(_, run)| run);
    // A thousandth of the sinkage springs back.
    let back = soil.quantity("sinkage_max_m") - soil.quantity("sinkage_end_m");
    checks.below("soil: rebound, m", back, 1.5e-3 * soil.quantity("sinkage_max_m"));
    let (alone, damped) = (hard.quantity("vibration_m"), both.quantity("vibration_m"));
    checks.below("vibration in soil over that on hard ground", damped / alone, 1.0);
    assert!(alone > 1e-3, "the spring does not vibrate: {alone}");
    // Without damping of the foot the soil is all that takes energy: W + sqrt(W^2 + 2 k W h) on hard ground, with the softer series in soil.
    let force = |sets: &[&str]| run("foot-drop", sets).quantity("force_max_n");
    let free = [spring, "foot_damping_n_s_per_m=0"];
    let peak = 200.0 + (4e4 + 2.0 * 11_945.0 * 200.0 * 0.02f64).sqrt();
    let bare = force(&[&free[..], &["soil=hard"]].concat());
    checks.below("hard ground: peak against the closed form", (bare / peak - 1.0).abs(), 1e-3);
    checks.below("peak in soil over that on hard ground", force(&free) / bare, 0.9);
    checks.finish();
}

/// The implicit method, which uses the tangents, sinks as deep as the explicit one; a ball sinks deeper than a disc.
#[test]
fn methods_agree_and_shapes_differ() {
    let sinkage = |sets: &[&str]| run("foot-drop", sets).quantity("sinkage_max_m");
    let step = "integrator={ name = \"implicit\", step = \"0.2 ms\" }";
    for shape in ["shape=flat-circular", "shape=cylindrical", "shape=spherical"] {
        let (explicit, implicit) = (sinkage(&[shape, "load_n=50"]), sinkage(&[shape, "load_n=50", step]));
        println!("{shape}: {explicit} {implicit}");
        assert!((explicit / implicit - 1.0).abs() < 2e-3, "{shape}: {explicit} {implicit}");
    }
    let of = |shape: &str| run("foot-press", &[shape]).quantity("sinkage_max_m");
    assert!(
        of("shape=spherical") > of("shape=cylindrical")
            && of("shape=cylindrical") > of("shape=flat-circular")
    );
}

/// A walk that is taken up from a checkpoint goes on to the same bits: footprints are part of the state.
#[test]
fn a_walk_resumes_to_the_bit() {
    let sets = ["duration_s=2.5"];
    let whole = run("hexapod-walk", &sets);
    let scenario = built_in("hexapod-walk", &sets);
    let mut first = world(&scenario);
    let mut sink = Memory::default();
    first.advance_steps(700).unwrap();
    let bytes = first.checkpoint();
    let mut second = world(&scenario);
    second.restore(&bytes).unwrap();
    second.run(&mut sink).unwrap();
    let (a, b) = (whole.rows.last().unwrap(), sink.rows.last().unwrap());
    let at = |row: &Vec<f64>, k: usize| row[k].to_bits();
    // Time and places; path lengths are summed over rows, which the first part did not record.
    for name in
        ["body.hexapod/body.x_m", "body.hexapod/body.z_m", "foot.lf.normal_force_n", "energy.dissipated_j"]
    {
        let k = second.columns().iter().position(|c| c.name == name).unwrap();
        assert_eq!(at(a, k), at(b, k), "{name}");
    }
}

/// Five seconds of walking: upright, forward by nearly the strides, books closed; deeper with balls than with discs, also on hills.
#[test]
fn a_hexapod_walks() {
    let mut checks = Checks::default();
    let hills =
        "ground={ shape = \"procedural\", wavelength = \"3 m\", amplitude = \"50 mm\", size = \"12 m\" }";
    let mut sinkages = Vec::new();
    for (name, sets) in [
        ("balls", vec!["duration_s=5.5"]),
        ("discs", vec!["duration_s=5.5", "foot_shape=flat-circular"]),
        ("uphill", vec!["duration_s=5.5", "slope_deg=5"]),
        ("hills", vec!["duration_s=5.5", hills]),
    ] {
        let run = run_world(world(&built_in("hexapod-walk", &sets)));
        // The first cycle counts half: 4.5 strides of 0.2 m. Balls roll on while the shin turns, by a tenth of that; uphill and on hills soil gives way.
        checks.between(&format!("{name}: way, m"), run.quantity("distance_m"), 0.8, 1.0);
        checks.below(&format!("{name}: fallen"), run.quantity("fallen"), 0.5);
        checks.below(&format!("{name}: energy residual"), run.quantity("energy_residual_relative"), 0.005);
        sinkages.push(run.quantity("sinkage_max_m"));
    }
    checks.below("sinkage of discs over that of balls", sinkages[1] / sinkages[0], 1.0);
    checks.finish();
}
