//! Wheels of one's own: curved spokes, and mesh files beside the built-in form.

use super::WHEEL;
use super::common::{Checks, run_world, world};
use std::f64::consts::PI;
use touchdown_multibody::flex::material::Material;
use touchdown_multibody::flex::press::{Follow, Press, PressedWheel};
use touchdown_multibody::flex::quadrature::Order;
use touchdown_multibody::flex::wheel::{WheelForm, default_material};
use touchdown_scenario::load_str;
use touchdown_sim::Simulation;

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
        let press = Press {
            wheel: PressedWheel::Form(form, material),
            order: Order::EXACT,
            points: [6; 2],
            stiffness: 2e9,
            follow,
        };
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

/// A mesh file that repeats a form is pressed as the form is, upright and turned by an eighth; a mesh cannot be refined.
#[test]
fn a_mesh_file_is_pressed() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("wheel.toml"), wheel_file()).unwrap();
    let contact = "contact = { points = 6, stiffness = \"3.786 MN/m^3\", friction_law = \"none\" }\n";
    let form = WHEEL.rsplit_once("contact").unwrap().0;
    let file = "[flexible_form.airless]\ntype = \"file\"\nfile = \"wheel.toml\"\nradius = \"142.5 mm\"\nwidth = \"120 mm\"\n";
    let read = |form: &str, beside: &str| {
        let text = format!(
            "title = \"t\"\nduration = \"1 s\"\ngravity = \"none\"\n[ground]\n{form}{contact}[flexible.wheel]\nform = \"airless\"\n\
             [study]\nkind = \"wheel-press\"\ndeflection_max = \"10 mm\"\nrows = 4\n[study.beside.turned]\n{beside}\n"
        );
        load_str("inline.toml", &text, dir.path(), &[])
    };
    let run = |form: &str| {
        run_world(world(&read(form, "orientation = \"45 deg\"").unwrap_or_else(|e| panic!("{e}"))))
    };
    let (own, filed) = (run(form), run(file));
    let mut checks = Checks::default();
    for column in ["force_n", "beside.turned.force_n"] {
        let (a, b) = (own.end(column), filed.end(column));
        // Newton's method ends at 1e-9 of the forces; nodes have other numbers, and sums another order.
        checks.below(column, (a - b).abs(), 1e-6 * a.abs());
        checks.between("load", a, 10.0, 1000.0);
    }
    checks.below("turned is not upright", 1.0, (own.end("force_n") - own.end("beside.turned.force_n")).abs());
    checks.finish();
    let refused = read(file, "elements_across = 2").expect_err("finer").to_string();
    assert!(refused.contains("a mesh from a file is not refined"), "{refused}");
}

/// A wheel of flat plates, twelve around the rim and four spokes: the places of its nodes (mm) and the corners of its plates, those of the spokes last.
fn flat_wheel() -> (Vec<[f64; 3]>, Vec<[usize; 4]>) {
    let at = |r: f64, k: usize, y: f64| {
        let (s, c) = (std::f64::consts::FRAC_PI_6 * k as f64).sin_cos();
        [r * s, y, -r * c]
    };
    let ring =
        |r: f64, step: usize| (0..12).step_by(step).flat_map(move |k| [at(r, k, 60.0), at(r, k, -60.0)]);
    let nodes = ring(129.0, 1).chain(ring(60.0, 3)).collect();
    let rim = (0..12).map(|k| [2 * k, (2 * k + 2) % 24, (2 * k + 3) % 24, 2 * k + 1]);
    let spokes = (0..4).map(|k| [24 + 2 * k, 6 * k, 6 * k + 1, 25 + 2 * k]);
    (nodes, rim.chain(spokes).collect())
}

/// A wheel from an Abaqus file in millimetres is the wheel of our own mesh file, also where its rim has its plates the wrong way round; a hub that the file does not have is refused.
#[test]
fn a_shell_mesh_can_be_a_wheel() {
    let (nodes, plates) = flat_wheel();
    let mut own = format!(
        "nodes_m = [{}, [0, 0, 0]]\n[[material]]\nyoung_modulus_pa = 280e3\ndensity_kgpm3 = 1500.0\ndamping_time_s = 0.005\nlocking = \"assumed\"\n",
        nodes.iter().map(|n| format!("{:?}", n.map(|x| x * 1e-3))).collect::<Vec<_>>().join(", ")
    );
    let mut inp = "*NODE\n".to_string();
    nodes.iter().enumerate().for_each(|(k, [x, y, z])| inp += &format!("{}, {x:?}, {y:?}, {z:?}\n", k + 1));
    inp += "*ELEMENT, TYPE=S4, ELSET=ALL\n";
    for (k, p) in plates.iter().enumerate() {
        // Outwards is the y axis times the direction of the rim: counter-clockwise seen from outside begins 0, 3, 2, 1 or 0, 1, 2, 3.
        own += &format!("[[plate]]\nnodes = {p:?}\nthickness_m = 0.02632\n");
        let [a, b, c, d] = p.map(|n| n + 1);
        let corners = if k % 2 == 0 { [a, b, c, d] } else { [a, d, c, b] };
        inp += &format!("{}, {}\n", k + 1, corners.map(|n| n.to_string()).join(", "));
    }
    own += "[[tie]]\nto = 32\nnodes = [24, 25, 26, 27, 28, 29, 30, 31]\n";
    inp += "*NSET, NSET=HUB, GENERATE\n25, 32, 1\n*SHELL SECTION, ELSET=ALL, MATERIAL=SOFT\n26.32\n*MATERIAL, NAME=SOFT\n*ELASTIC\n0.28, 0\n*DENSITY\n1.5e-9\n";
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("wheel.toml"), own).unwrap();
    std::fs::write(dir.path().join("wheel.inp"), inp).unwrap();
    let contact = WHEEL.lines().last().unwrap();
    let read_with = |mass: &str, keys: &str| {
        let text = format!(
            "title = \"t\"\nduration = \"0.1 s\"\ngravity_m_per_s2 = [0, 0, -3.711]\nstart = \"equilibrium\"\n\
             integrator = {{ name = \"implicit\", step = \"2 ms\" }}\nrecord = {{ series_every = \"50 ms\" }}\n[ground]\n\
             [body.load]\nmass = \"{mass}\"\npoint_mass = true\n\
             [joint.slide]\ntype = \"prismatic\"\nchild = \"load\"\naxis = [0, 0, 1]\nposition = \"143 mm\"\n\
             [flexible_form.airless]\ntype = \"file\"\nradius = \"142.5 mm\"\nwidth = \"120 mm\"\n{keys}\n{contact}\n\
             [flexible.wheel]\nform = \"airless\"\nbody = \"load\"\n"
        );
        load_str("inline.toml", &text, dir.path(), &[])
    };
    let read = |keys: &str| read_with("5 kg", keys);
    let shell = "file = \"wheel.inp\"\nunits = \"mm\"\nhub = \"hub\"\ndamping_time = \"5 ms\"";
    let runs = ["file = \"wheel.toml\"", shell]
        .map(|keys| run_world(world(&read(keys).unwrap_or_else(|e| panic!("{e}")))));
    let mut checks = Checks::default();
    for column in ["deformation_m", "normal_force_n", "elastic_energy_j"] {
        let [own, shell] = [0, 1].map(|k: usize| runs[k].end(&format!("flexible.wheel.{column}")));
        // Plates that begin at another corner sum in another order.
        checks.below(column, (own - shell).abs(), 1e-7 * own.abs().max(1.0));
    }
    // The load and the mesh: a rim of twelve flat plates and four spokes of 69 mm, 26.32 mm thick and 120 mm wide.
    let mass = 1500.0 * 0.02632 * 0.12 * (12.0 * 2.0 * 0.129 * (PI / 12.0).sin() + 4.0 * 0.069);
    checks.between(
        "load",
        runs[1].end("flexible.wheel.normal_force_n"),
        0.99 * (5.0 + mass) * 3.711,
        1.01 * (5.0 + mass) * 3.711,
    );
    checks.finish();
    // 20 kg are more than this soft wheel bears: forces would balance only with an element inside out, and that is no equilibrium.
    let heavy = read_with("20 kg", shell).unwrap_or_else(|e| panic!("{e}"));
    let refused = Simulation::build(&heavy.description)
        .err()
        .into_iter()
        .flatten()
        .map(|e| e.to_string())
        .collect::<String>();
    assert!(refused.contains("no static equilibrium"), "{refused}");
    let refused = read(&shell.replace("\"hub\"", "\"axle\"")).expect_err("no such set").to_string();
    assert!(refused.contains("no set of nodes \"axle\"; there are: HUB"), "{refused}");
    let refused = read("file = \"wheel.toml\"\nhub = \"HUB\"").expect_err("a key too many").to_string();
    assert!(refused.contains("mean nothing beside it: hub"), "{refused}");
}
