//! Stops of joints under every integrator: they store and take energy, and give none.

mod common;

use common::{Checks, Run, run_text};

const METHODS: [&str; 5] = [
    "\"explicit\"",
    "{ name = \"implicit\", step = \"1 ms\" }",
    "{ name = \"implicit\", step = \"0.25 ms\" }",
    "{ name = \"realtime\", step = \"1 ms\" }",
    "{ name = \"realtime\", step = \"0.25 ms\" }",
];

fn head(seconds: f64, integrator: &str) -> String {
    format!(
        "title = \"stops\"\nduration_s = {seconds}\ngravity = \"earth\"\nintegrator = {integrator}\nrecord = {{ series_every_s = 0.001, frames_every_s = 10 }}\n"
    )
}

/// A rod of a length (m) and mass (kg) on a hinge about y.
fn link(name: &str, parent: &str, (length, mass): (f64, f64), stop: &str) -> String {
    let own = mass * length * length / 12.0;
    format!(
        "[body.{name}]\nmass_kg = {mass}\ncentre_of_mass_m = [{}, 0, 0]\ninertia_kg_m2 = [{own}, {own}, {own}, 0, 0, 0]\n\
         [joint.{name}]\ntype = \"revolute\"\naxis = [0, 1, 0]\nchild = \"{name}\"\n{parent}\n{stop}\n",
        0.5 * length
    )
}

fn stop(lower: f64, upper: f64, stiffness: f64, damping: f64) -> String {
    format!(
        "limits = {{ lower_rad = {lower}, upper_rad = {upper}, stiffness_n_m_per_rad = {stiffness}, damping_n_m_s_per_rad = {damping} }}"
    )
}

/// Energy in motion, height and springs over time.
fn energy(run: &Run) -> Vec<f64> {
    let parts = ["energy.kinetic_j", "energy.potential_j", "energy.elastic_j"].map(|c| run.column(c));
    (0..parts[0].len()).map(|i| parts.iter().map(|p| p[i]).sum()).collect()
}

/// Largest rise of a series above anything before it.
fn rise(values: &[f64]) -> f64 {
    let mut least = f64::INFINITY;
    values.iter().fold(0.0, |most: f64, x| {
        least = least.min(*x);
        most.max(x - least)
    })
}

/// A pendulum of 0.5 kg and 0.3 m that is let go level falls on its stop at 0.5 rad, soft or so stiff and damped that the blow is over in a hundredth of a step. Nothing feeds energy in, so that it never rises but for the
/// error of the method: of explicit its tolerance; of the others that of a step of backward Euler at a blow, first order, h ω of the energy of the fall, with ω the rate of the swing, at most √(3 g/l) = 10 rad/s. As the blows
/// fall off, their errors in the balance add up to twice that. (Dead stops with implicit steps made 10⁵ J of 0.35 J.)
#[test]
fn a_pendulum_falls_on_its_stop() {
    let mut checks = Checks::default();
    let scale = 0.5 * 9.81 * 0.15;
    for (label, stiffness, damping) in
        [("soft", 200.0, 0.5), ("stiff", 1e5, 0.0), ("damped", 1e4, 1e2), ("dead", 1e6, 1e4)]
    {
        for method in METHODS {
            let text = head(3.0, method) + &link("rod", "", (0.3, 0.5), &stop(-0.2, 0.5, stiffness, damping));
            let run = run_text(&text, &[]);
            let h = if method.contains("0.25") { 0.25e-3 } else { 1e-3 };
            let share = if method.contains("explicit") { 1e-6 } else { 10.0 * h };
            let name = format!("{label}, {method}");
            checks.below(&format!("{name}: rise of the energy"), rise(&energy(&run)) / scale, share);
            let residual = run.quantity("energy_residual_max_j") / scale;
            checks.below(&format!("{name}: balance"), residual, 2.0 * share);
        }
    }
    checks.finish();
}

/// Seven links, the last ones a thousandth of the first in mass, fall with all their stops as stiff as for the first: blows pass along the chain and back. No method gains energy, and books close within the limits of
/// their check; the rise that is left is an error of first order at blows, a part of what the check allows. Dampers that stop the last links within 10⁻⁷ s are beyond explicit steps, which end there and say so.
#[test]
fn a_chain_of_light_links_falls_on_its_stops() {
    let mut checks = Checks::default();
    let limits = [1e-6, 0.01, 0.01, 0.05, 0.05];
    for (damping, first) in [(1.0, 0), (1e2, 1)] {
        let (mut chain, mut mass, mut scale) = (String::new(), 5.0, 0.0);
        for k in 0..7 {
            let parent = match k {
                0 => String::new(),
                _ => format!("parent = \"l{}\"\nparent_frame = {{ position_m = [0.2, 0, 0] }}", k - 1),
            };
            chain += &link(&format!("l{k}"), &parent, (0.2, mass), &stop(-0.6, 0.3, 1e4, damping));
            scale += mass * 9.81 * 0.2 * (f64::from(k) + 0.5);
            mass /= 3.2;
        }
        for (method, limit) in METHODS.into_iter().zip(limits).skip(first) {
            let run = run_text(&(head(2.0, method) + &chain), &[]);
            let name = format!("{damping} N m s/rad, {method}");
            let rise = rise(&energy(&run)) / scale;
            checks.below(&format!("{name}: rise of the energy"), rise, 0.2 * limit);
            checks.below(&format!("{name}: balance"), run.quantity("energy_residual_relative"), limit);
        }
    }
    checks.finish();
}

/// A finger of 15 g between stops that hold a tonne, thrown to and fro at 1 m/s without gravity: fixed steps see nothing of the blows, and take the energy instead of giving some. Backward Euler books what it takes to
/// rounding; of implicit that holds for the two steps of a blow, which leave 1/(1 + (h ω)²)² of the energy in the stop's spring, ω² = k/m, and its own steps can be wrong by that at most. (Damped stops with
/// implicit steps made 227 J of 7.5 mJ.)
#[test]
fn a_light_slide_is_not_thrown_back() {
    let mut checks = Checks::default();
    for (label, stiffness, damping) in [("elastic", 1e6, 0.0), ("damped", 1e6, 1e4)] {
        for method in METHODS {
            let text = head(1.0, method).replace("\"earth\"", "\"none\"")
                + "[body.finger]\nmass_kg = 0.015\npoint_mass = true\n[joint.slide]\ntype = \"prismatic\"\naxis = [0, 1, 0]\nchild = \"finger\"\nrate_m_per_s = 1\n"
                + &format!(
                    "limits = {{ lower_m = 0, upper_m = 0.0413, stiffness_n_per_m = {stiffness}, damping_n_s_per_m = {damping} }}\n"
                );
            let run = run_text(&text, &[]);
            let h = if method.contains("0.25") { 0.25e-3 } else { 1e-3 };
            let left = 1.0 + h * h * stiffness / 0.015;
            let share = match method {
                m if m.contains("implicit") => 1.0 / (left * left),
                m if m.contains("explicit") => 1e-6,
                _ => 1e-9,
            };
            let name = format!("{label}, {method}");
            checks.below(&format!("{name}: rise"), rise(&energy(&run)) / 0.0075, share);
            checks.below(&format!("{name}: balance"), run.quantity("energy_residual_max_j") / 0.0075, share);
        }
    }
    checks.finish();
}

/// A joint whose zero lies beyond its stops begins on the nearer one: no spring is bent at the start.
#[test]
fn an_imported_machine_begins_within_its_stops() {
    let text = head(0.01, "\"explicit\"")
        + "[machine.q]\nurdf = \"machines/quadruped.urdf\"\nplace = { z = \"2 m\" }\n";
    let run = run_text(&text, &[]);
    assert_eq!(run.column("joint.q/knee_lf.position_rad")[0], -0.1);
    assert_eq!(run.column("energy.elastic_j")[0], 0.0);
}

/// A machine that falls on its side and lies there, with the contact of its bodies as given by default: books close within the check's limit of the method in steps of a millisecond, and better in shorter ones.
#[test]
fn a_fallen_machine_closes_its_books() {
    let mut checks = Checks::default();
    for (step, most) in [("1 ms", 0.05), ("0.5 ms", 0.035)] {
        let text = format!(
            "title = \"fall\"\nduration = \"2 s\"\ngravity = \"mars\"\nintegrator = {{ name = \"realtime\", step = \"{step}\" }}\n\
             [ground]\n[machine.q]\nurdf = \"machines/quadruped.urdf\"\nplace = {{ z = \"0.5 m\", roll = \"80 deg\" }}\n\
             [drive.limp]\njoints = [\"q/abduct_*\", \"q/swing_*\", \"q/knee_*\"]\nspeed = \"0 rad/s\"\ngain = \"5 N m s/rad\"\n"
        );
        let run = run_text(&text, &[]);
        checks.below(&format!("{step}: balance"), run.quantity("energy_residual_relative"), most);
    }
    checks.finish();
}
