//! Drivers of vehicles in the loop: rovers on tyres follow routes in three ways, and others command what the driver wants.

mod common;

use common::{Checks, Run, inline, run_text, world};

/// The rover on rigid ground: what its wheels are given is what it drives, but for the slip of tyres.
fn rover(path: &str, seconds: f64) -> String {
    format!(
        "title = \"t\"\nduration_s = {seconds}\ngravity = \"mars\"\nintegrator = {{ name = \"realtime\", step = \"2 ms\" }}\n\
         record = {{ series_every_s = 0.5 }}\n[ground]\nshape = \"plane\"\n\
         [machine.rover]\nuse = \"machines/exomars-samarini.toml\"\nplace = {{ clearance = \"0 mm\" }}\nlocks = \"deployment_*\"\n\
         [machine.rover.drive.wheels]\njoints = \"drive_*\"\nrim_speed = \"0 m/s\"\ngain = \"100 N m s/rad\"\nlimit = \"40 N m\"\n\
         [machine.rover.drive.steering]\njoints = \"steering_*\"\nposition = \"0 rad\"\nstiffness = \"1000 N m/rad\"\ndamping = \"100 N m s/rad\"\nlimit = \"40 N m\"\n\
         [path.route]\nvehicle = \"rover\"\nspeed = \"0.15 m/s\"\n{path}"
    )
}

fn end(run: &Run, column: &str) -> f64 {
    *run.column(column).last().unwrap_or(&f64::NAN)
}

/// A rover comes to the end of a bent route in each of three ways and stops there: curves cut corners by less than half the distance of looking ahead, turns on the spot stay on
/// the legs, and sideways motion keeps the heading. The ledger closes to the first order of the step, of which commands that
/// jump 50 times a second make a hundredth.
#[test]
fn three_ways_lead_to_the_end() {
    let mut checks = Checks::default();
    for (mode, seconds, stray) in [("ackermann", 45.0, 0.5), ("point-turn", 110.0, 0.15), ("crab", 45.0, 0.5)]
    {
        let path = format!(
            "mode = \"{mode}\"\npoints_m = [[0, 0], [2, 0], [3.5, 1.5]]\nsteering_rate = \"20 deg/s\"\nturn_rate = \"4 deg/s\"\n"
        );
        let run = run_text(&rover(&path, seconds), &[]);
        let [x, y] = ["x", "y"].map(|axis| end(&run, &format!("body.rover/chassis.{axis}_m")));
        let off = run.column("path.route.cross_track_m").iter().map(|off| off.abs()).fold(0.0, f64::max);
        let yaw = end(&run, "body.rover/chassis.yaw_rad");
        checks.below(
            &format!("{mode}: from the last waypoint"),
            ((x - 3.5).powi(2) + (y - 1.5).powi(2)).sqrt(),
            0.2,
        );
        checks.below(&format!("{mode}: astray"), off, stray);
        checks.below(&format!("{mode}: not arrived"), 1.0 - end(&run, "path.route.arrived"), 0.5);
        let heading = if mode == "crab" { 0.0 } else { std::f64::consts::FRAC_PI_4 };
        checks.below(
            &format!("{mode}: heading"),
            (yaw - heading).abs(),
            if mode == "crab" { 0.02 } else { 0.2 },
        );
        checks.below(&format!("{mode}: moving"), end(&run, "path.route.forward_m_per_s").abs(), 1e-12);
        checks.below(&format!("{mode}: energy"), run.quantity("energy_residual_relative"), 2e-2);
    }
    checks.finish();
}

/// A file with the same points gives the same bits as the list.
#[test]
fn a_file_of_waypoints_is_the_same_route() {
    let dir = std::env::temp_dir().join(format!("touchdown-paths-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a folder for the test");
    let file = dir.join("route.csv");
    std::fs::write(&file, "# surveyed\nx, y\n0, 0\n1.5, 0\n2, 1\n").expect("written");
    let listed = run_text(
        &rover("points = [[\"0 m\", \"0 m\"], [\"150 cm\", \"0 m\"], [\"2 m\", \"1 m\"]]\n", 4.0),
        &[],
    );
    let read = run_text(&rover(&format!("file = \"{}\"\n", file.display()), 4.0), &[]);
    let _ = std::fs::remove_dir_all(&dir);
    let bits = |run: &Run| run.rows.concat().iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert!(bits(&listed) == bits(&read));
}

/// What the driver wants can be commanded in its place, each component separately: with the turn alone commanded it goes on at its own speed on a circle of radius speed over rate; with
/// all three at zero it stands.
#[test]
fn others_take_the_wheel() {
    let text = rover("points_m = [[0, 0], [20, 0]]\ninput = true\nsteering_rate = \"20 deg/s\"\n", 60.0);
    let mut sim = world(&inline(&text, &[]));
    let see = |sim: &mut touchdown_sim::Simulation, column: &str| {
        sim.observe_one(column).unwrap_or_else(|e| panic!("{column}: {e}"))
    };
    sim.command("route.turn", 0.05).expect("an input");
    sim.advance_to(20.0).expect("it drives");
    let (rate, speed) =
        (see(&mut sim, "body.rover/chassis.wz_rad_per_s"), see(&mut sim, "path.route.forward_m_per_s"));
    // Tyres creep sideways in a curve: per cent of its rate.
    assert!((rate - 0.05).abs() < 0.1 * 0.05 && (speed - 0.15).abs() < 1e-9, "{rate} {speed}");
    for input in ["route.forward", "route.sideways", "route.turn"] {
        sim.command(input, 0.0).expect("an input");
    }
    sim.advance_to(30.0).expect("it stops");
    let speed = ["x", "y"].map(|axis| see(&mut sim, &format!("body.rover/chassis.v{axis}_m_per_s")).abs());
    assert!(speed[0] < 1e-3 && speed[1] < 1e-3, "{speed:?}");
}

/// Stopped and resumed, a driven rover ends with the same bits: the driver's progress is part of the state.
#[test]
fn a_route_goes_on_from_a_saved_state() {
    let text = rover("points_m = [[0, 0], [1, 0], [1.5, 0.8]]\n", 12.0);
    let mut straight = world(&inline(&text, &[]));
    straight.advance_to(6.0).expect("it drives");
    let saved = straight.save();
    straight.advance_to(12.0).expect("it drives");
    let mut other = world(&inline(&text, &[]));
    other.restore(saved).expect("the same world");
    other.advance_to(12.0).expect("it drives");
    assert_eq!(straight.state(), other.state());
}

/// What cannot be driven is refused before the run, with what was found and what would do.
#[test]
fn wrong_routes_are_refused() {
    for (path, replaced, words) in [
        ("", "", "has no route"),
        ("points_m = [[0, 0], [1, 0]]\nfile = \"a.csv\"\n", "", "has two routes"),
        ("points_m = [[0, 0], [0, 0], [1, 0]]\n", "", "the same waypoint twice in a row"),
        ("points_m = [[0, 0]]\n", "", "needs two waypoints or more"),
        ("points_m = [[0, 0, 1]]\n", "", "places of two numbers each"),
        ("points = [[0, 0], [1, 0]]\n", "", "needs a unit"),
        ("points_m = [[0, 0], [1, 0]]\nmode = \"crabs\"\n", "", "did you mean \"crab\"?"),
        ("points_m = [[0, 0], [1, 0]]\nmode = \"crab\"\n", "steering", "with wheels that are not steered"),
        ("points_m = [[0, 0], [1, 0]]\n", "wheels", "of which no drive turns a wheel"),
        ("points_m = [[0, 0], [1, 0]]\n", "vehicle = \"rower\"", "did you mean \"rover\"?"),
    ] {
        let mut text = rover(path, 1.0);
        match replaced {
            "steering" => text = text.replace("joints = \"steering_*\"", "joints = \"steering_front_*\""),
            "wheels" => {
                text = text.replace("rim_speed = \"0 m/s\"\ngain = \"100 N m s/rad\"", "torque = \"0 N m\"")
            }
            "" => {}
            vehicle => text = text.replace("vehicle = \"rover\"", vehicle),
        }
        let refused = touchdown_scenario::load_str("inline.toml", &text, std::path::Path::new("."), &[]);
        let said = refused.err().map(|e| e.to_string()).unwrap_or_default();
        assert!(said.contains(words), "{words}: {said}");
    }
}
