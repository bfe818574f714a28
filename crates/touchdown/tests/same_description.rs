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
