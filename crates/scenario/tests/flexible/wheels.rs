//! Wheels of one's own: curved spokes, and mesh files beside the built-in form.

use super::WHEEL;
use super::common::{Checks, run_world, world};
use touchdown_multibody::flex::material::Material;
use touchdown_multibody::flex::press::{Follow, Press};
use touchdown_multibody::flex::quadrature::Order;
use touchdown_multibody::flex::wheel::{WheelForm, default_material};
use touchdown_scenario::load_str;

/// The wheel of `WHEEL` as a mesh file: a hub, four rim plates with their gradients, four flat spokes.
fn wheel_file() -> String {
    let (middle, hub, half) = (0.1425 - 0.01316, 0.06, 0.06);
    let outward = |k: usize| [[0.0, -1.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]][k % 4];
    let vector = |v: [f64; 2], size: f64, y: f64| format!("[{}, {y}, {}]", v[0] * size, v[1] * size);
    let ring = |r: f64| -> Vec<String> {
        (0..8).map(|n| vector(outward(n / 2), r, if n % 2 == 0 { half } else { -half })).collect()
    };
    let nodes = [vec!["[0, 0, 0]".to_string()], ring(middle), ring(hub)].concat().join(", ");
    let mut text = format!(
        "nodes_m = [{nodes}]\n[[material]]\nyoung_modulus_pa = 280e3\ndensity_kgpm3 = 1500.0\ndamping_time_s = 0.005\n"
    );
    let step = std::f64::consts::FRAC_PI_2;
    // The length of a tangent with which a cubic is the best arc.
    let tangent = 4.0 * (step / 4.0).tan() / step;
    let frame = |k: usize| {
        format!("[{}, [0, -1, 0], {}]", vector(outward(k + 1), tangent, 0.0), vector(outward(k), 1.0, 0.0))
    };
    for k in 0..4 {
        let at = |k: usize, m: usize| 1 + 2 * (k % 4) + m;
        text += &format!(
            "[[plate]]\nnodes = [{}, {}, {}, {}]\nthickness_m = 0.02632\nsize_m = [{}, 0.12]\ngradients = [{}, {}, {}, {}]\n\
             [[plate]]\nnodes = [{}, {}, {}, {}]\nthickness_m = 0.02632\n",
            at(k, 0),
            at(k + 1, 0),
            at(k + 1, 1),
            at(k, 1),
            middle * step,
            frame(k),
            frame(k + 1),
            frame(k + 1),
            frame(k),
            8 + at(k, 0),
            at(k, 0),
            at(k, 1),
            8 + at(k, 1),
        );
    }
    text + "[[tie]]\nto = 0\nnodes = [9, 10, 11, 12, 13, 14, 15, 16]\n"
}

/// A mesh from a file with a radius and a width is a wheel: it stands on its tread, has a wheel's columns, and is the built-in wheel where its plates are; a radius beyond all plates is refused.
#[test]
fn a_mesh_file_can_be_a_wheel() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("wheel.toml"), wheel_file()).unwrap();
    let text = |form: &str| {
        format!(
            "title = \"t\"\nduration = \"0.1 s\"\ngravity_m_per_s2 = [0, 0, -3.711]\nstart = \"equilibrium\"\n\
             integrator = {{ name = \"implicit\", step = \"2 ms\" }}\nrecord = {{ series_every = \"50 ms\" }}\n[ground]\n\
             [body.load]\nmass = \"48.891 kg\"\npoint_mass = true\n\
             [joint.slide]\ntype = \"prismatic\"\nchild = \"load\"\naxis = [0, 0, 1]\nposition = \"143 mm\"\n\
             {form}[flexible.wheel]\nform = \"airless\"\nbody = \"load\"\n"
        )
    };
    let file = |radius: &str| {
        let contact = WHEEL.lines().last().unwrap();
        format!(
            "[flexible_form.airless]\ntype = \"file\"\nfile = \"wheel.toml\"\nradius = \"{radius}\"\nwidth = \"120 mm\"\n{contact}\n"
        )
    };
    let read = |form: &str| load_str("inline.toml", &text(form), dir.path(), &[]);
    let runs = [WHEEL, &file("142.5 mm")].map(|form| run_world(world(&read(form).unwrap())));
    let mut checks = Checks::default();
    for column in ["deformation_m", "normal_force_n", "tractive_force_n", "elastic_energy_j"] {
        let [own, filed] = [0, 1].map(|k: usize| runs[k].end(&format!("flexible.wheel.{column}")));
        // The nodes have other numbers, and sums another order.
        checks.below(column, (own - filed).abs(), 1e-7 * own.abs().max(1.0));
    }
    checks.between("deformation", runs[1].end("flexible.wheel.deformation_m"), 0.021, 0.026);
    let refused = read(&file("200 mm")).expect_err("no tread").to_string();
    assert!(refused.contains("nine tenths"), "{refused}");
    checks.finish();
}

/// The steel wheel of the tutorial, 0.35 m across, of 16 spokes on which the angle grows with the radius.
fn curved(spoke_sweep: f64) -> WheelForm {
    WheelForm {
        radius: 0.175,
        hub_radius: 0.05,
        rim_thickness: 0.001,
        spoke_thickness: 0.0006,
        elements_per_quadrant: 8,
        elements_per_spoke: Some(8),
        spokes: 16,
        spoke_sweep,
        ..WheelForm::default()
    }
}

/// Curved spokes begin on the hub and have the mass of their arcs: with u = σ·r the length of the middle line is (u·√(H² + u²) + H²·ln(u + √(H² + u²)))/(2Hσ)
/// between the two ends. Directors that turn by less than 12° over an element are shorter by less than 1 − cos 6° between its nodes.
#[test]
fn curved_spokes_have_the_mass_of_their_arcs() {
    let material = default_material();
    let mut checks = Checks::default();
    let (straight, _) = curved(0.0).mesh(&material).unwrap();
    for sweep in [0.3, 0.8, -0.8_f64] {
        let form = curved(sweep);
        let (mesh, _) = form.mesh(&material).unwrap();
        let (height, sigma) = (form.middle() - form.hub_radius, sweep.abs());
        let at = |r: f64| {
            let (u, root) = (sigma * r, (height * height + sigma * sigma * r * r).sqrt());
            (u * root + height * height * (u + root).ln()) / (2.0 * height * sigma)
        };
        let length = at(form.middle()) - at(form.hub_radius);
        checks.below(&format!("{sweep}, length"), (form.spoke_length() / length - 1.0).abs(), 1e-6);
        let section = 16.0 * material.density * form.spoke_thickness * form.width;
        let more = (mesh.total_mass() - straight.total_mass()) / section;
        checks.below(&format!("{sweep}, mass"), (more - (length - height)).abs() / length, 0.0055);
        let inner = mesh.nodes().iter().filter(|n| n.tied_to.is_some());
        let off =
            inner.map(|n| (n.position.x.hypot(n.position.z) - form.hub_radius).abs()).fold(0.0, f64::max);
        checks.below(&format!("{sweep}, inner ends"), off, 1e-12);
    }
    checks.finish();
}

/// A wheel and its mirror image are pressed alike, and curved spokes, which bend, carry less than straight ones, which are compressed.
#[test]
fn curved_spokes_bend() {
    let at = |sweep: f64| {
        let (form, follow) = (curved(sweep), Follow::Stable);
        let material = Material::elastic(200e9, 0.0, 7800.0);
        let press = Press { form, material, order: Order::EXACT, points: [6; 2], stiffness: 2e9, follow };
        let curve = press.curve(&[0.000_25, 0.000_5, 0.000_75]).unwrap();
        assert_eq!((curve.ended, curve.points.len()), (None, 3), "{sweep}");
        curve.points[2].force
    };
    let [straight, left, right] = [0.0, 0.8, -0.8].map(at);
    let mut checks = Checks::default();
    checks.below("mirror images", (left / right - 1.0).abs(), 1e-6);
    checks.below("curved over straight", left / straight, 1.0);
    checks.finish();
}
