//! An instance in its folder of resources, as an importing tool drives it.

use crate::instance::Instance;
use crate::plan::{Asked, PLAN, Plan, Start};

/// Importing tools set all start values before a run: also that of a knob which the scenario leaves to the soil, whose start value is no number.
#[test]
fn start_values_can_be_set_again() {
    let knobs = ["slip", "friction_angle_deg"].map(String::from).to_vec();
    let asked = Asked { outputs: vec!["soil.wheel.force_x_n".into()], parameters: knobs, ..Asked::default() };
    let plan = Plan::new("single-wheel", &["spacing_m=0.03".into()], &asked).expect("a plan");
    let folder = tempfile::tempdir().expect("room on disk");
    std::fs::write(folder.path().join(PLAN), plan.json()).expect("written");
    let run = |set: &mut dyn FnMut(&mut Instance)| {
        let mut instance = Instance::new(folder.path(), &plan.token).expect("an instance");
        set(&mut instance);
        instance.enter_initialization().expect("a world");
        instance.exit_initialization().expect("a start");
        instance.step(0.0, 2.0).expect("a step");
        let force = plan.variables.iter().find(|v| v.name == "soil.wheel.force_x_n").expect("an output");
        instance.number(force.reference).expect("a value")
    };
    let untouched = run(&mut |_| {});
    let again = run(&mut |instance| {
        for v in &plan.variables {
            match &v.start {
                Some(Start::Number(x)) => instance.set_number(v.reference, *x).expect("a number"),
                Some(Start::Text(text)) => instance.set_text(v.reference, text).expect("a text"),
                None => {}
            }
        }
    });
    assert_eq!(untouched.to_bits(), again.to_bits());
    let angle = plan.variables.iter().find(|v| v.name == "friction_angle_deg").expect("a knob");
    let softer = run(&mut |instance| instance.set_text(angle.reference, "10").expect("a text"));
    assert_ne!(untouched.to_bits(), softer.to_bits());
}
