//! Feet in the loop: what soil carries, drops that stop, runs that resume, a machine that walks.

mod common;

use common::{Checks, Memory, built_in, run, run_text, run_world, world};

/// A dropped foot stops in plastic soil and is held with its load; on hard ground its spring vibrates and settles; with soil under the spring it vibrates less. The
/// energy ledger balances in all three.
#[test]
fn drops_stop_settle_and_balance_their_energy() {
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

/// A walk that is resumed from a checkpoint continues to the same bits: footprints are part of the state.
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
    second.resume(&bytes).unwrap();
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

/// Five seconds of walking: upright, forward by the strides within a few per cent, energy balanced; deeper with balls than with discs.
#[test]
fn a_hexapod_walks() {
    let mut checks = Checks::default();
    let mut sinkages = Vec::new();
    for (name, sets) in [
        ("balls", vec!["duration_s=5.5"]),
        ("discs", vec!["duration_s=5.5", "foot_shape=flat-circular"]),
        ("uphill", vec!["duration_s=5.5", "slope_deg=5"]),
    ] {
        let run = run_world(world(&built_in("hexapod-walk", &sets)));
        // The first cycle counts half: 4.5 strides of 0.2 m. The plan lets balls roll with their shins; uphill soil yields by a tenth.
        let least = if name == "uphill" { 0.75 } else { 0.86 };
        checks.between(&format!("{name}: travel, m"), run.quantity("distance_m"), least, 0.94);
        checks.below(&format!("{name}: fallen"), run.quantity("fallen"), 0.5);
        checks.below(&format!("{name}: energy residual"), run.quantity("energy_residual_relative"), 0.005);
        sinkages.push(run.quantity("sinkage_max_m"));
    }
    checks.below("sinkage of discs over that of balls", sinkages[1] / sinkages[0], 1.0);
    checks.finish();
}

/// On a grid of soil the same machine walks as far, leaves a footprint for every step, and makes no soil; resumed from a checkpoint it continues to the same bits.
#[test]
fn footprints_stay_in_the_grid() {
    let mut checks = Checks::default();
    let sets = ["ground=grid", "duration_s=3", "spacing_m=0.0125"];
    let whole = run("hexapod-walk", &sets);
    checks.between("travel, m", whole.quantity("distance_m"), 0.36, 0.44);
    checks.between("sinkage, m", whole.quantity("sinkage_max_m"), 0.015, 0.03);
    checks.below("energy residual", whole.quantity("energy_residual_relative"), 0.01);
    checks.below("soil lost or made", whole.quantity("soil_volume_error_relative"), 1e-12);
    // Places 10 mm deep, gathered where they are closer than a foot's radius: six feet stood, and each went on twice or more.
    let mut prints: Vec<[f64; 2]> = Vec::new();
    for node in whole.surface.iter().filter(|n| n.height < n.undisturbed - 0.01) {
        let new = |p: &[f64; 2]| (p[0] - node.x).hypot(p[1] - node.y) > 0.05;
        if prints.iter().all(new) {
            prints.push([node.x, node.y]);
        }
    }
    checks.between("footprints", prints.len() as f64, 12.0, 40.0);
    let scenario = built_in("hexapod-walk", &sets);
    let mut first = world(&scenario);
    first.advance_steps(3000).unwrap();
    let mut second = world(&scenario);
    second.resume(&first.checkpoint()).unwrap();
    let mut sink = Memory::default();
    second.run(&mut sink).unwrap();
    assert_eq!(whole.rows.last().unwrap()[1].to_bits(), sink.rows.last().unwrap()[1].to_bits());
    assert_eq!(whole.surface, sink.surface);
    checks.finish();
}

/// Over a map from a file the feet stand on its heights and the body follows: after a ramp it stands as much higher as the ramp rises, and leans on it as much as the ramp.
#[test]
fn the_gait_follows_a_map() {
    let mut checks = Checks::default();
    let dir = tempfile::tempdir().unwrap();
    // 0.15 m up between x = 0.7 m and x = 1.7 m: 8.5 degrees in the middle.
    let rise = |x: f64| {
        let s = (x - 0.7).clamp(0.0, 1.0);
        0.15 * s * s * (3.0 - 2.0 * s)
    };
    let (columns, rows, cell) = (100, 40, 0.05);
    let line: Vec<String> = (0..columns).map(|i| format!("{:.6}", rise(-1.5 + cell * i as f64))).collect();
    let heading = format!("ncols {columns}\nnrows {rows}\nxllcenter -1.5\nyllcenter -1.0\ncellsize {cell}\n");
    let map = heading + &(line.join(" ") + "\n").repeat(rows);
    let file = dir.path().join("ramp.asc");
    std::fs::write(&file, map).unwrap();
    // A built-in scenario reads no files; the same text does.
    let walk = include_str!("../../../scenarios/feet/hexapod-walk.toml");
    let path = format!("ground.file=\"{}\"", file.display());
    for (name, grid) in [("law", "ground=model"), ("grid", "ground=grid")] {
        let sets = ["ground.shape=map", path.as_str(), grid, "duration_s=12", "spacing_m=0.02"];
        let run = run_text(walk, &sets);
        let z = run.column("body.hexapod/body.z_m");
        // From rest in its footprints to the end, when the rear feet are up, too: 0.2 m/s for 11 s.
        let (before, after) = (run.at("body.hexapod/body.z_m", 1.0), z[z.len() - 1]);
        checks.between(&format!("{name}: travel, m"), run.quantity("distance_m"), 1.95, 2.3);
        checks.between(&format!("{name}: rise, m"), after - before, 0.13, 0.16);
        checks.between(&format!("{name}: largest lean, rad"), run.quantity("lean_max_rad"), 0.09, 0.25);
    }
    checks.finish();
}

/// What a grid cannot do is said: hard ground, a spring in the foot, no numbers of the grid, a surface said twice, a walk off the map.
#[test]
fn a_grid_says_what_it_cannot() {
    let message = |sets: &[&str]| {
        let sets: Vec<String> = sets.iter().map(|s| s.to_string()).collect();
        touchdown_scenario::load("hexapod-walk", &sets).err().map(|e| e.to_string()).unwrap_or_default()
    };
    let stiff = "foot_law.foot.stiffness=20 kN/m";
    assert!(message(&["ground=grid", "soil=hard", stiff]).contains("cannot press a grid"));
    assert!(message(&["ground=grid", stiff]).contains("cannot press a grid"));
    assert!(message(&["ground=grid", "terrain.shape=flat"]).contains("is said by the ground"));
    assert!(
        message(&["ground.shape=paraboloid", "ground.coefficients=0.01 1/m", "ground=grid"])
            .contains("has no grid")
    );
    let small =
        ["ground.shape=procedural", "ground.wavelength=3 m", "ground.amplitude=10 mm", "ground.size=4 m"];
    assert!(message(&small).contains("walks where there is no ground"));
}

/// A block of 60 kg on a flat sole of 0.3 m by 0.3 m, its weight `x` m ahead of the middle of the sole.
fn on_a_sole(law: &str, x: f64, lean: f64, duration: f64) -> String {
    format!(
        "title = \"a sole stands\"\nduration_s = {duration}\ngravity = \"earth\"\nintegrator = {{ name = \"implicit\", step = \"1 ms\" }}\n\
        record = {{ series_every = \"0.1 s\", frames_every = \"10 s\" }}\n[ground]\n\
        [body.b]\nmass_kg = 60\ncentre_of_mass_m = [{x}, 0, 0.4]\nuniform = {{ box_m = [0.3, 0.3, 0.8] }}\n\
        [joint.j]\ntype = \"free\"\nchild = \"b\"\nplaced = {{ position_m = [0, 0, 0.001], pitch = \"{lean} deg\" }}\n\
        [foot_law.sole]\nshape = \"flat-rectangular\"\nwidth_m = 0.3\nlength_m = 0.3\n{law}\n[foot.f]\nbody = \"b\"\nlaw = \"sole\"\n"
    )
}

const ON_ROCK: &str = "soil = \"hard\"\nstiffness = \"500 kN/m\"\ndamping = \"5 kN s/m\"\ncurve = \"stick\"";

/// A flat sole that is put down leaning by half a degree stands for 60 s, on hard ground and in soil, with the centre of pressure under the centre of mass.
#[test]
fn a_flat_sole_stands() {
    let mut checks = Checks::default();
    for (name, law) in [("hard", ON_ROCK), ("soil", "soil = \"dry-sand-lll\"")] {
        let run = run_text(&on_a_sole(law, 0.02, 0.5, 60.0), &[]);
        let lean = |t: f64| 2.0 * run.at("body.b.qy", t).asin();
        // In plastic soil it leans to where the pressure carries the weight, and stays.
        checks.below(&format!("{name}: lean, rad"), lean(60.0).abs(), 0.1);
        checks.below(&format!("{name}: lean in the last 30 s, rad"), (lean(60.0) - lean(30.0)).abs(), 1e-5);
        let under = 0.02 * lean(60.0).cos() + 0.4 * lean(60.0).sin();
        let centre = run.end("foot.f.pressure_x_m") * lean(60.0).cos();
        checks.below(&format!("{name}: centre of pressure"), (centre / under - 1.0).abs(), 0.01);
        checks.between(&format!("{name}: force, N"), run.end("foot.f.normal_force_n"), 588.0, 589.2);
        checks.below(&format!("{name}: energy"), run.quantity("energy_residual_relative"), 5e-3);
    }
    checks.finish();
}

/// The same on a grid of soil: it leans a little, stands without ringing, and its energy adds up.
#[test]
fn a_flat_sole_stands_on_a_grid() {
    let grid = "[ground]\nfeet = \"grid\"\n[terrain]\nspacing = \"25 mm\"\n";
    let text = on_a_sole("soil = \"dry-sand-lll\"", 0.02, 0.5, 60.0).replace("[ground]\n", grid);
    let run = run_text(&text, &[]);
    let mut checks = Checks::default();
    let lean = |t: f64| 2.0 * run.at("body.b.qy", t).asin();
    checks.below("lean, rad", lean(60.0).abs(), 0.1);
    checks.below("lean in the last 30 s, rad", (lean(60.0) - lean(30.0)).abs(), 1e-5);
    // At rest after 10 s: every sample after it is the weight, 588.6 N.
    let t = run.column("time_s");
    let loads = run.column("foot.f.normal_force_n");
    let late = loads.iter().zip(&t).filter(|(_, t)| **t > 10.0).map(|(force, _)| (force - 588.6).abs());
    checks.below("force from the weight after 10 s, N", late.fold(0.0, f64::max), 0.06);
    checks.below("largest force over the weight", loads.into_iter().fold(0.0, f64::max) / 588.6, 2.0);
    checks.below("energy", run.quantity("energy_residual_relative"), 5e-3);
    checks.finish();
}

/// On the hard grounds of Ding et al., Table 4, a rigid foot settles at load over stiffness: 200 N over 3.4e5 N/m on loose clay.
#[test]
fn hard_grounds_have_names() {
    let text = |word: &str| on_a_sole(&format!("soil = \"hard\"\nhard_ground = \"{word}\""), 0.0, 0.0, 2.0);
    for (word, stiffness) in [("loose-clay", 3.4e5), ("compact-clay", 1.7e6), ("gravel", 2.3e7)] {
        let run = run_text(&text(word), &[]);
        let expected = 60.0 * 9.81 / stiffness;
        assert!((run.end("foot.f.sinkage_m") / expected - 1.0).abs() < 1e-3, "{word}");
    }
}

/// `--set model=34` chooses the equation of that number, a foot is dropped on Mars with its weight there.
#[test]
fn settings_take_numbers_for_words_and_worlds() {
    let run34 = run("foot-press", &["shape=spherical", "model=34"]);
    assert!(run34.quantity("sinkage_max_m") > 0.0);
    let mars = run("foot-drop", &["gravity=mars", "duration_s=1"]);
    assert!((mars.quantity("force_end_n") / 200.0 - 1.0).abs() < 1e-3);
}
