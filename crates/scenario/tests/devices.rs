//! Devices on the bus: any number of them, seeds of their own, ticks that neither recording nor stepping disturbs.

mod common;

use common::{Checks, Memory, Run, inline, run_text, world};
use touchdown_sim::{Simulation, State};

const HEAD: &str = "title = \"t\"\nduration_s = 20\nrecord = { series_every_s = 0.1 }\n";
const FIXED: &str = "integrator = { name = \"realtime\", step = \"10 ms\" }\n";
const WHEEL: &str =
    "[reaction_wheel_law.small]\ninertia_kg_m2 = 0.02\nmomentum_max = \"20 N m s\"\ntorque_max_n_m = 0.2\n";

/// A satellite with three wheels that turns slowly.
fn satellite(name: &str, x: f64, turns: [f64; 3]) -> String {
    let wheels: String = ["x", "y", "z"]
        .iter()
        .zip(["[1, 0, 0]", "[0, 1, 0]", "[0, 0, 1]"])
        .map(|(axis, unit)| {
            format!("[reaction_wheel.{name}_{axis}]\nbody = \"{name}\"\nlaw = \"small\"\naxis = {unit}\n")
        })
        .collect();
    format!(
        "[body.{name}]\nmass_kg = 100\ninertia_kg_m2 = [20, 25, 15]\n\
         [joint.{name}]\ntype = \"free\"\nchild = \"{name}\"\nplaced = {{ position_m = [{x}, 0, 0] }}\nangular_velocity_rad_per_s = {turns:?}\n{wheels}"
    )
}

fn control(name: &str, more: &str) -> String {
    format!(
        "[attitude_control.{name}]\nbody = \"{name}\"\ncontrol_rate_hz = 10\nhold = {{ actuators = \"wheels\", bandwidth_hz = 0.05, damping = 0.7 }}\n\
         gyro = {{ rate_hz = 50, angle_walk_rad = 3e-6, bias_rad_per_s = 5e-6 }}\nstar_tracker = {{ rate_hz = 5, noise_rad = 5e-5 }}\n{more}"
    )
}

/// Steps that treat each tree by itself; Newton's iterations would carry what they leave over from one satellite to the other.
const APART: [&str; 2] = ["integrator = { name = \"explicit\", step = \"10 ms\" }\n", FIXED];

fn alone(integrator: &str, name: &str, x: f64, turns: [f64; 3]) -> String {
    format!("{HEAD}{integrator}{WHEEL}{}{}", satellite(name, x, turns), control(name, ""))
}

/// A disc that a motor turns against friction; the torque is an input.
const DISC: &str = "[body.disc]\nmass_kg = 2\ninertia_kg_m2 = [0.1, 0.1, 0.1]\n\
     [joint.disc]\ntype = \"revolute\"\nchild = \"disc\"\naxis = [0, 0, 1]\n\
     [joint.disc.friction]\nviscous_n_m_s_per_rad = 0.05\n\
     [drive.motor]\njoints = [\"disc\"]\ntorque_n_m = 0\ninput = true\n";

const TACHOMETER: &str = "[sensor.speed]\ncolumn = \"joint.disc.rate_rad_per_s\"\nrate_hz = 20\nbias = 0.01\nnoise = 0.02\nresolution = 0.001\n";

const SPEED_CONTROL: &str = "[controller.speed]\nreads = \"sensor.speed.value_rad_per_s\"\nset_point = 2\nrate_hz = 20\n\
     proportional = 0.3\nintegral = 0.5\nlower = -0.5\nupper = 0.5\ncommands = \"motor\"\n";

fn bits(run: &Run, column: &str) -> Vec<u64> {
    run.column(column).iter().map(|x| x.to_bits()).collect()
}

/// Two satellites are both controlled: each comes to rest at its own attitude, exactly as it does alone. `realtime` gives momentum back to each separately; it sums it about a point
/// 10 m away, where m·r·ω = 10 N s is rounded: 1e-15 N m s over 15 kg m² in each of 2000 steps is 1e-13 rad/s, and over 20 s less than 1e-11 rad.
#[test]
fn two_satellites_are_controlled_independently() {
    let (a, b) = ([0.01, -0.004, 0.006], [-0.008, 0.003, 0.002]);
    let mut checks = Checks::default();
    for integrator in APART {
        let text = format!(
            "{HEAD}{integrator}{WHEEL}{}{}{}{}",
            satellite("a", 0.0, a),
            satellite("b", 10.0, b),
            control("a", ""),
            control("b", "")
        );
        let both = run_text(&text, &[]);
        for (name, x, turns) in [("a", 0.0, a), ("b", 10.0, b)] {
            let one = run_text(&alone(integrator, name, x, turns), &[]);
            for column in ["error_rad", "estimate_error_x_rad", "rate_error_z_rad_per_s"] {
                let column = format!("aocs.{name}.{column}");
                if integrator == FIXED {
                    let pairs = both.column(&column).into_iter().zip(one.column(&column));
                    let most = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                    checks.below(&format!("{column}, both against one"), most, 1e-11);
                } else {
                    assert_eq!(bits(&both, &column), bits(&one, &column), "{column}");
                }
            }
            let column = format!("aocs.{name}.error_rad");
            let largest = both.column(&column).into_iter().fold(0.0, f64::max);
            checks.between(&format!("{name} is off its attitude at first"), largest, 1e-3, 0.2);
            checks.below(&format!("{name} at the end"), both.end(&column), 0.05 * largest);
        }
        assert_ne!(bits(&both, "aocs.a.estimate_error_x_rad"), bits(&both, "aocs.b.estimate_error_x_rad"));
    }
    checks.finish();
}

/// A device keeps its noise whatever other devices there are; a seed of its own replaces the one that follows from its name.
#[test]
fn noise_belongs_to_the_device() {
    let other = "[sensor.angle]\ncolumn = \"joint.disc.position_rad\"\nrate_hz = 20\nnoise = 0.1\n";
    let text = format!("{HEAD}{FIXED}{DISC}{TACHOMETER}");
    let column = "sensor.speed.value_rad_per_s";
    let one = bits(&run_text(&text, &[]), column);
    assert_eq!(one, bits(&run_text(&format!("{text}{other}"), &[]), column));
    assert_ne!(one, bits(&run_text(&text, &["seed=2"]), column));
    let own = format!("{text}seed = 7\n");
    let seeded = bits(&run_text(&own, &[]), column);
    assert_ne!(one, seeded);
    assert_eq!(seeded, bits(&run_text(&own, &["seed=2"]), column));
}

/// A speed controller on a noisy tachometer holds its set point, within its limits; what the motor does is in the ledger, with every integrator.
#[test]
fn a_controller_holds_a_speed() {
    for integrator in [
        FIXED,
        "integrator = { name = \"implicit\", step = \"10 ms\" }\n",
        "integrator = { name = \"explicit\", tolerance = 1e-9 }\n",
    ] {
        let run = run_text(&format!("{HEAD}{integrator}{DISC}{TACHOMETER}{SPEED_CONTROL}"), &[]);
        let mut checks = Checks::default();
        let torque = run.column("input.motor.value_n_m");
        checks.below("torque", torque.iter().fold(0.0, |m, u| f64::max(m, u.abs())), 0.5 + 1e-12);
        assert_eq!(torque[1..], run.column("controller.speed.output_n_m")[1..]);
        // Bias and a tenth of the noise are left: the loop averages over some samples.
        checks.between("speed", run.end("joint.disc.rate_rad_per_s"), 1.95, 2.05);
        checks.below("ledger", run.quantity("energy_residual_relative"), 1e-3);
        checks.finish();
    }
}

/// An outer loop may set the point of an inner one, in whatever order they are written.
#[test]
fn controllers_can_be_cascaded() {
    let text = format!(
        "{HEAD}{FIXED}{DISC}{TACHOMETER}\
         [sensor.angle]\ncolumn = \"joint.disc.position_rad\"\nrate_hz = 20\n\
         [controller.inner]\nreads = \"sensor.speed.value_rad_per_s\"\nset_point_from = \"controller.outer.output\"\nrate_hz = 20\n\
         proportional = 1\ncommands = \"motor\"\n\
         [controller.outer]\nreads = \"sensor.angle.value_rad\"\nset_point = 1.5\nrate_hz = 20\nproportional = 1\nlower = -1\nupper = 1\n"
    );
    let run = run_text(&text, &[]);
    let mut checks = Checks::default();
    checks.between("angle", run.end("joint.disc.position_rad"), 1.4, 1.6);
    checks.finish();
}

/// Wires that lead nowhere are refused, and the message says what there is.
#[test]
fn wrong_wires_are_refused() {
    let controller = |name: &str, more: &str| {
        format!("[controller.{name}]\nrate_hz = 20\nproportional = 1\nset_point = 0\n{more}\n")
    };
    let reads = "reads = \"sensor.speed.value_rad_per_s\"\n";
    for (text, words) in [
        (
            "[sensor.x]\ncolumn = \"joint.disc.rate_rad\"\nrate_hz = 1\n".to_string(),
            vec!["\"joint.disc.rate_rad\"", "nearest is \"joint.disc.rate_rad_per_s\""],
        ),
        (
            controller("c", "reads = \"sensor.speed.value\""),
            vec!["\"sensor.speed.value\", which no device writes", "sensor.speed.value_rad_per_s"],
        ),
        (controller("c", &format!("{reads}commands = \"disk\"")), vec!["\"disk\"", "inputs: motor"]),
        (
            controller("c", &format!("{reads}commands = \"motor\""))
                + &controller("d", &format!("{reads}commands = \"motor\"")),
            vec!["\"motor\" is commanded by controller.c and by controller.d"],
        ),
        (
            controller("c", "reads = \"controller.d.output\"")
                + &controller("d", "reads = \"controller.c.output\""),
            vec!["controller.c, controller.d wait for each other"],
        ),
        (
            controller("c", &format!("{reads}lower = 1\nupper = -1")),
            vec!["the upper limit must be at least the lower one, 1, found -1"],
        ),
    ] {
        let scenario = inline(&format!("{HEAD}{FIXED}{DISC}{TACHOMETER}{text}"), &[]);
        let errors = Simulation::build(&scenario.description).err().unwrap_or_default();
        let said = scenario.explain(&errors).to_string();
        for word in words {
            assert!(said.contains(word), "{word}:\n{said}");
        }
        assert!(said.contains("inline.toml:"), "{said}");
        for device in ["controller.c", "controller.d", "sensor.x"] {
            assert!(
                !said.contains(&format!("{device} {device}"))
                    && !said.contains(&format!("{device}: {device}")),
                "{said}"
            );
        }
    }
}

fn closed_loop(integrator: &str) -> String {
    format!(
        "{HEAD}{integrator}{DISC}{TACHOMETER}{SPEED_CONTROL}{WHEEL}{}{}",
        satellite("a", 5.0, [0.01, 0.0, 0.002]),
        control("a", "")
    )
}

/// Recording, splitting, saving and restoring change no bit of a world full of devices.
#[test]
fn devices_repeat_bit_for_bit() {
    for integrator in [FIXED, "integrator = { name = \"implicit\", step = \"10 ms\" }\n"] {
        let text = closed_loop(integrator);
        let recorded = |every: &str| {
            let mut world = world(&inline(&text, &["duration_s=3", every]));
            let outcome = world.run(&mut Memory::default()).unwrap_or_else(|e| panic!("{e}"));
            assert!(outcome.finished);
            world.save()
        };
        let plain = recorded("record.series_every_s=0.1");
        assert_eq!(plain, recorded("record.series_every_s=0.037"));
        let mut split = world(&inline(&text, &["duration_s=3"]));
        let advance = |world: &mut Simulation, t: f64| world.advance_to(t).unwrap_or_else(|e| panic!("{e}"));
        advance(&mut split, 0.73);
        let saved: State = split.save();
        advance(&mut split, 1.91);
        assert_eq!(split.restore(saved), Ok(()));
        let mut fork = split.fork();
        advance(&mut split, 3.0);
        advance(&mut fork, 3.0);
        assert_eq!(split.save(), plain);
        assert_eq!(fork.save(), plain);
        let other = world(&inline(&format!("{HEAD}{FIXED}{DISC}{TACHOMETER}"), &[]));
        assert!(split.restore(other.save()).is_err(), "another model's state");
    }
}

/// A seed gives every device noise of its own, the same each time; without one it is that of the description. The seed is part of the state.
#[test]
fn a_reset_takes_a_seed() {
    let text = format!("{HEAD}{FIXED}{DISC}{TACHOMETER}{SPEED_CONTROL}");
    let mut sim = world(&inline(&text, &[]));
    let mut run = |seed: Option<u64>| {
        sim.reset(seed);
        sim.advance_to(2.0).unwrap_or_else(|e| panic!("{e}"));
        sim.save()
    };
    let (described, seven, eight) = (run(None), run(Some(7)), run(Some(8)));
    assert!(described != seven && seven != eight);
    assert!(run(Some(7)) == seven && run(None) == described);
    let mut other = world(&inline(&text, &[]));
    assert_eq!(other.restore(seven), Ok(()));
    other.advance_to(3.0).unwrap_or_else(|e| panic!("{e}"));
    sim.reset(7);
    sim.advance_to(3.0).unwrap_or_else(|e| panic!("{e}"));
    assert!(other.save() == sim.save());
}

/// Attitude sensors follow the seed, too.
#[test]
fn satellites_take_a_seed() {
    let mut sim = world(&inline(&alone(APART[0], "a", 0.0, [0.01, -0.004, 0.006]), &[]));
    let mut run = |seed: Option<u64>| {
        sim.reset(seed);
        sim.advance_to(1.0).unwrap_or_else(|e| panic!("{e}"));
        sim.save().blake3()
    };
    let (described, one) = (run(None), run(Some(1)));
    assert_ne!(described, one);
    assert_eq!(run(Some(1)), one);
    assert_eq!(run(None), described);
}
