//! A program and a scenario file that say the same give the same bits; mistakes are errors that say what is allowed.

use touchdown::bumper::BumperLaw;
use touchdown::description::Bumper;
use touchdown::mechanism::Attachment;
use touchdown::prelude::*;

const FILE: &str = r#"
title = "A cart runs against its end stop"
duration = "2 s"
gravity = "none"
integrator = { name = "realtime", step = "1 ms" }

[body.cart]
mass = "5 kg"
uniform = { sphere = "0.1 m" }

[joint.rail]
type = "prismatic"
axis = [1, 0, 0]
child = "cart"
rate_m_per_s = 0.4

[bumper.stop]
between = ["cart", { body = "world", position_m = [0.5, 0, 0] }]
radii_m = [0.1, 0.05]
stiffness_n_per_m = 3000
damping_n_s_per_m = 60
"#;

fn program() -> World {
    let mut world = World::new();
    world.duration(2.0).realtime(1e-3);
    let cart = world.body("cart", 5.0, Solid::Sphere { radius: 0.1 });
    let rail = world.joint("rail", JointKind::Prismatic { axis: Vec3::x() }, None, cart, Vec3::zeros());
    world.joint_mut(rail).rate[0] = 0.4;
    world.add(Bumper {
        name: "stop".into(),
        between: [
            Attachment::point(Some(cart.0), Vec3::zeros()),
            Attachment::point(None, Vec3::new(0.5, 0.0, 0.0)),
        ],
        law: BumperLaw { radii: [0.1, 0.05], stiffness: 3000.0, damping: 60.0 },
    });
    world
}

#[test]
fn a_program_says_what_a_file_says() {
    let (mut a, mut b) =
        (program().simulate().expect("a world"), scenario_text(FILE).simulate().expect("a file"));
    a.advance_to(2.0).expect("steps");
    b.advance_to(2.0).expect("steps");
    assert_eq!((&a.state().q, &a.state().v), (&b.state().q, &b.state().v));
    assert!(a.state().v[0] < 0.0, "it rebounds");
}

/// A map makes the same ground for a program as for a file, rigid or of soil; a program continues from what a file says.
#[test]
fn maps_are_the_same_from_a_program_and_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let map = folder.path().join("hill.asc");
    let rows: String = (0..12)
        .map(|i| (0..12).map(|j| format!("{} ", 0.01 * f64::from(i * j % 7))).collect::<String>() + "\n")
        .collect();
    let head = "ncols 12\nnrows 12\nxllcorner -3\nyllcorner -3\ncellsize 0.5\n";
    std::fs::write(&map, format!("{head}{rows}")).expect("written");
    let map = map.to_str().expect("a plain path");
    let file = |keys: &str| {
        let body =
            "[body.b]\nmass_kg = 1\ninertia_kg_m2 = [1, 1, 1]\n[joint.b]\ntype = \"free\"\nchild = \"b\"\n";
        let text = format!("title = \"m\"\nduration_s = 1\n{keys}{body}");
        World::from_scenario(&scenario_text(&text)).unwrap_or_else(|e| panic!("{e}"))
    };
    let soil = format!(
        "[terrain]\nshape = \"map\"\nsoil = \"lunar-nominal\"\nspacing_m = 0.02\nfile = {map:?}\n[wheel.b]\nbody = \"b\"\nradius_m = 0.1\nwidth_m = 0.1\n"
    );
    let rigid = format!("[ground]\nshape = \"map\"\nfile = {map:?}\n");
    let (mut on_soil, mut on_rock) = (World::new(), World::new());
    on_soil.soil_on_map("lunar-nominal", 0.02, map).unwrap_or_else(|e| panic!("{e}"));
    on_rock.map(map).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(on_soil.description().ground, file(&soil).description().ground);
    assert_eq!(on_rock.description().ground, file(&rigid).description().ground);
    let missing = World::new().map("no-such.asc").err().map(|e| e.to_string());
    assert!(missing.is_some_and(|e| e.contains("no-such.asc")));
}

/// A machine of a few numbers is mounted whole: bodies, joints, what touches and what is drawn.
#[test]
fn machines_are_mounted_whole() {
    use touchdown::machines::Chain;
    let chain = |at: Vec3| Chain {
        links: 2,
        length: 0.5,
        mass: 1.0,
        at,
        along: -Vec3::z(),
        hinge: Vec3::y(),
        damping: 0.0,
    };
    let mut world = World::new();
    world.gravity(9.81).duration(1.0).mount(chain(Vec3::zeros()).kit("rope"), None);
    let end = BodyId(world.description().mechanism.bodies.len() - 1);
    world.mount(chain(Vec3::new(0.0, 0.0, -0.5)).kit("tail"), Some(end));
    assert_eq!(world.description().mechanism.bodies.len(), 4);
    assert!(!world.description().visuals.is_empty() && world.description().points.len() == 2);
    let mut sim = world.simulate().unwrap_or_else(|e| panic!("{e}"));
    sim.advance_to(1.0).expect("it hangs still");
    assert!(sim.state().v.iter().all(|v| v.abs() < 1e-12));
}

#[test]
fn mistakes_say_what_there_is() {
    let mut world = World::new();
    let error = world.soil("lunar", 0.01).unwrap_err().to_string();
    assert!(error.contains("lunar-nominal"), "{error}");
    let error = program().find_body("car").unwrap_err().to_string();
    assert!(error.contains("no body is called \"car\"") && error.contains("cart"), "{error}");
    let error = scenario("pendulum").set("length", "none").simulate().err().map(|e| e.to_string());
    assert!(error.is_some_and(|e| e.contains("length")));
    let mut sim = program().simulate().expect("a world");
    assert!(
        sim.observe_one("joint.rail.position").unwrap_err().to_string().contains("joint.rail.position_m")
    );
}
