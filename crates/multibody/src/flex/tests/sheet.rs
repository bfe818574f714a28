//! Sheets: cantilevers, natural frequencies, the falling pendulum, energy, Cholesky coordinates.

use super::{runge_kutta, sheet};
use crate::flex::coordinates::MassFactor;
use crate::flex::material::{Damping, Locking, Material};
use crate::flex::mesh::{Fix, MeshBuilder};
use crate::flex::modes;
use crate::flex::quadrature::Order;
use crate::flex::sheet::{Sheet, SheetForm};
use crate::flex::statics::{DeadLoad, Search, solve};
use touchdown_math::Vec3;

fn clamp(builder: &mut MeshBuilder, sheet: &Sheet, across: usize) {
    (0..=across).for_each(|j| builder.fix(sheet.node(0, j), Fix::All));
}

/// Deflection of a corner at the free end under a force spread over the tip line by the shape functions.
pub fn tip(form: SheetForm, material: Material, order: Order, force: f64) -> f64 {
    let [nx, ny] = form.elements;
    let (mut mesh, s) = sheet(form, material, order, |b, s| clamp(b, s, ny));
    let mut load = vec![0.0; mesh.coordinates()];
    // A line load by quadrature along the tip of each element: exact for its cubic functions.
    for j in 0..ny {
        for (eta, share) in crate::flex::quadrature::gauss(3) {
            let point = mesh.point(s.plate(nx - 1, j), [1.0, eta, 0.0]);
            mesh.add_point_force(&point, &Vec3::new(0.0, 0.0, force * share / ny as f64), &mut load);
        }
    }
    let mut q = mesh.reference().to_vec();
    solve(&mut mesh, &mut q, &mut DeadLoad(load), &Search::default()).unwrap();
    mesh.node_position(&q, s.node(nx, 0)).z
}

/// A thin cantilever with n elements is too stiff by 1/(4n²): the curvature of an element is linear, its shear quadratic.
#[test]
fn thin_cantilever() {
    let (length, width, thickness, young): (f64, f64, f64, f64) = (1.0, 0.1, 0.01, 2.1e11);
    let inertia = width * thickness * thickness * thickness / 12.0;
    // Values measured elsewhere, under a load that was not recorded.
    for (n, measured) in [(1, 0.750029), (2, 0.937527), (4, 0.984409), (8, 0.996141)] {
        let form = SheetForm { length, width, thickness, elements: [n, 1] };
        // Deflection 2e-3 of the thickness: a coarse element that bends stretches, by the square of it.
        let force = 0.1;
        let z = tip(form, Material::elastic(young, 0.0, 7850.0), Order::EXACT, force);
        let ratio = z / (force * length.powi(3) / (3.0 * young * inertia));
        assert!((ratio - measured).abs() < 3e-5, "{n}: {ratio} {measured}");
        // Beside the locking, the shear of the beam: P·L/(G·A) with G = E/2.
        let shear = 0.5 * (thickness / length).powi(2);
        assert!((ratio - 1.0 + 0.25 / (n * n) as f64 - shear).abs() < 1e-5, "{n}: {ratio}");
    }
}

/// Poisson's ratio locks the thickness: a square cantilever of steel on the stated meshes.
#[test]
fn square_cantilever_locks() {
    for (n, expected) in [(1, -1.06161e-4), (2, -1.32628e-4), (4, -1.39437e-4), (8, -1.44668e-4)] {
        let form = SheetForm { length: 1.0, width: 1.0, thickness: 0.01, elements: [n, n] };
        // The linear deflection: a thousandth of the load, which bends a coarse element without stretching it.
        let z = 1e3 * tip(form, Material::elastic(2.1e11, 0.3, 7850.0), Order::EXACT, -1e-2);
        assert!((z / expected - 1.0).abs() < 1e-5, "{n}: {z} {expected}");
    }
}

/// λ = ω·a²·√(ρt/D) of a free square plate of side 1 m, modes 7 to 12 (six rigid ones come first).
fn free_plate(thickness: f64, n: usize, locking: Locking) -> Vec<f64> {
    let material = Material { locking, ..Material::elastic(2.1e11, 0.3, 7850.0) };
    let form = SheetForm { length: 1.0, width: 1.0, thickness, elements: [n, n] };
    let (mesh, _) = sheet(form, material, Order::EXACT, |_, _| {});
    let modes = modes::lowest(&mesh, mesh.reference(), 12).unwrap();
    // Rigid motions: zero to the round-off of the stiffness.
    assert!(
        modes[..6].iter().all(|m| m.square.abs() < 1e-6 * modes[6].square),
        "{:?}",
        modes.iter().map(|m| m.square).collect::<Vec<_>>()
    );
    modes[6..].iter().map(|m| m.frequency).collect()
}

/// Frequencies of the free square plate on the stated meshes, Hz.
#[test]
fn free_plate_frequencies() {
    let cases: [(f64, usize, &[f64]); 5] = [
        (0.01, 1, &[35.3618, 55.9045, 88.3796]),
        (0.01, 2, &[35.3563, 55.9022, 88.3703, 196.552, 196.552]),
        (0.01, 4, &[35.0220, 51.0427, 71.9210, 136.973, 136.973, 193.928]),
        (0.01, 8, &[34.1009, 50.1462, 69.2930, 93.5090, 93.5090, 172.722]),
        (0.1, 8, &[325.459, 484.407, 663.095, 839.515, 839.515, 1492.695]),
    ];
    for (thickness, n, expected) in cases {
        let found = free_plate(thickness, n, Locking::None);
        for (f, e) in found.iter().zip(expected) {
            assert!((f / e - 1.0).abs() < 4e-6, "{thickness} {n}: {found:?}");
        }
    }
}

/// The thin-plate law takes thickness locking away: the third mode comes within 2 % of Kirchhoff's.
#[test]
fn remedies_against_locking() {
    let d: f64 = 2.1e11 * 1e-6 / (12.0 * 0.91);
    let lambda = |f: f64| f * std::f64::consts::TAU * (7850.0 * 0.01 / d).sqrt();
    let third = |locking| lambda(free_plate(0.01, 8, locking)[2]);
    assert!(third(Locking::None) > 1.14 * 24.27);
    assert!((third(Locking::PlaneStress) / 24.27 - 1.0).abs() < 0.02);
    assert!((third(Locking::Split) / 24.27 - 1.0).abs() < 0.02);
}

/// The falling plate pendulum, position of the corner opposite to the pin, on the stated meshes with 4 × 4 × 2 points.
fn pendulum(n: usize, order: Order, times: &[f64]) -> Vec<[f64; 3]> {
    let form = SheetForm { length: 0.3, width: 0.3, thickness: 0.01, elements: [n, n] };
    let material = Material::elastic(1e5, 0.3, 7810.0);
    let (mesh, s) = sheet(form, material, order, |b, s| b.fix(s.node(0, 0), Fix::Position));
    let gravity = Vec3::new(0.0, 0.0, -9.81);
    let (mut q, mut v) = (mesh.reference().to_vec(), vec![0.0; mesh.coordinates()]);
    let (h, mut now) = (1e-4, 0.0);
    let mut out = Vec::new();
    for time in times {
        let steps = ((time - now) / h).round() as usize;
        let drift = runge_kutta(&mesh, &gravity, &mut q, &mut v, h, steps);
        assert!(drift < 1e-9, "energy drifts by {drift} J");
        now = *time;
        let r = mesh.node_position(&q, s.node(n, n));
        out.push([r.x, r.y, r.z]);
    }
    out
}

const TIMES: [f64; 5] = [0.10, 0.15, 0.20, 0.25, 0.30];

fn compare(found: &[[f64; 3]], expected: &[[f64; 2]]) {
    for (f, e) in found.iter().zip(expected) {
        assert!((f[0] - f[1]).abs() < 1e-9, "the diagonal is a plane of symmetry: {f:?}");
        assert!((f[0] - e[0]).abs() < 6e-7 && (f[2] - e[1]).abs() < 6e-7, "{found:?}");
    }
}

/// Large motion of a soft plate, with its digits.
#[test]
fn falling_pendulum() {
    let one = [
        [0.299949, -0.053507],
        [0.298527, -0.096598],
        [0.283809, -0.151078],
        [0.273410, -0.338250],
        [0.159447, -0.540462],
    ];
    compare(&pendulum(1, Order::REDUCED, &TIMES), &one);
    let two = [
        [0.300016, -0.046806],
        [0.299502, -0.119307],
        [0.294997, -0.212050],
        [0.259411, -0.263718],
        [0.222199, -0.489932],
    ];
    compare(&pendulum(2, Order::REDUCED, &TIMES), &two);
    let exact = pendulum(2, Order::EXACT, &[0.30]);
    assert!((exact[0][0] - 0.2221656).abs() < 6e-8 && (exact[0][2] + 0.4899997).abs() < 6e-8, "{exact:?}");
}

/// The same on 16 elements.
#[test]
fn falling_pendulum_of_sixteen_elements() {
    let four = [
        [0.299997, -0.048476],
        [0.299680, -0.113887],
        [0.293833, -0.185641],
        [0.270060, -0.330217],
        [0.216282, -0.409714],
    ];
    compare(&pendulum(4, Order::REDUCED, &TIMES), &four);
}

/// A soft free sheet, bent, spun and let go: energy to 1e-9, momentum to round-off; and the same in Cholesky coordinates.
#[test]
fn energy_momentum_and_cholesky_coordinates() {
    let form = SheetForm { length: 0.3, width: 0.3, thickness: 0.01, elements: [2, 2] };
    let (mesh, _) = sheet(form, Material::elastic(1e5, 0.3, 7810.0), Order::EXACT, |_, _| {});
    let none = Vec3::zeros();
    let (mut q, mut v) = (mesh.reference().to_vec(), vec![0.0; mesh.coordinates()]);
    mesh.set_rigid_rate(0, &q, &Vec3::zeros(), &Vec3::new(0.1, 0.2, 0.0), &Vec3::new(1.0, 2.0, 0.5), &mut v);
    // Bent to a shallow bowl.
    for node in 0..mesh.nodes().len() {
        let X = mesh.nodes()[node].position - Vec3::new(0.15, 0.15, 0.0);
        let at = 12 * node;
        q[at + 2] += X.x * X.x + 0.5 * X.y * X.y;
        q[at + 5] += 2.0 * X.x;
        q[at + 8] += X.y;
    }
    let (q0, v0, before) = (q.clone(), v.clone(), mesh.momentum(&v));
    let mut scratch = vec![0.0; q.len()];
    let elastic = mesh.forces(&q, &v, &mut scratch).elastic;
    let total = elastic + mesh.kinetic_energy(&v);
    let (h, steps) = (1e-5, 20_000);
    let drift = runge_kutta(&mesh, &none, &mut q, &mut v, h, steps);
    assert!(drift < 1e-9 * total, "{drift} of {total} J, {elastic} J elastic");
    assert!((mesh.momentum(&v) - before).norm() < 1e-13);

    // p = Lᵀe, p̈ = L⁻¹Q: leapfrog steps in both, which are the same map if the coordinates are right.
    let mut factor = MassFactor::new(&mesh).unwrap();
    let (mut e, mut w) = (q0.clone(), v0.clone());
    let (mut p, mut u) = (q0, v0);
    factor.to_cholesky(&mut p);
    factor.to_cholesky(&mut u);
    for _ in 0..2000 {
        let mut a = vec![0.0; e.len()];
        mesh.forces(&e, &w, &mut a);
        factor.solve(&mut a);
        for i in 0..e.len() {
            w[i] += h * a[i];
            e[i] += h * w[i];
        }
        let mut at = p.clone();
        factor.to_nodal(&mut at);
        let mut b = vec![0.0; p.len()];
        mesh.forces(&at, &w, &mut b);
        factor.force_to_cholesky(&mut b);
        for i in 0..p.len() {
            u[i] += h * b[i];
            p[i] += h * u[i];
        }
    }
    factor.to_nodal(&mut p);
    let gap = p.iter().zip(&e).fold(0.0f64, |m, (a, b)| m.max((a - b).abs()));
    assert!(gap < 1e-9, "{gap}");
}

/// Kelvin–Voigt stress damps a mode of angular frequency ω with the ratio γω/2: its heat is γω² times the square of the modal speed.
#[test]
fn modal_damping() {
    let time = 1e-4;
    let form = SheetForm { length: 1.0, width: 0.8, thickness: 0.01, elements: [3, 3] };
    let damping = Damping::KelvinVoigt { time };
    let material = Material { damping, ..Material::elastic(2.1e11, 0.3, 7850.0) };
    let (mesh, _) = sheet(form, material, Order::EXACT, |_, _| {});
    let q = mesh.reference();
    for mode in &modes::lowest(&mesh, q, 10).unwrap()[6..] {
        let heat = mesh.forces(q, &mode.shape, &mut vec![0.0; q.len()]).dissipated;
        assert!((heat / (time * mode.square) - 1.0).abs() < 1e-6, "{heat} {}", time * mode.square);
        assert!((2.0 * mesh.kinetic_energy(&mode.shape) - 1.0).abs() < 1e-12);
    }
}

/// Both laws of damping only ever take energy, and leave a spinning sheet at rest in its own frame spinning.
#[test]
fn damping_takes_energy() {
    for damping in [Damping::KelvinVoigt { time: 2e-3 }, Damping::NavierStokes { bulk: 20.0, shear: 100.0 }] {
        let form = SheetForm { length: 0.3, width: 0.3, thickness: 0.01, elements: [1, 1] };
        let material = Material { damping, ..Material::elastic(1e5, 0.3, 7810.0) };
        let (mesh, _) = sheet(form, material, Order::REDUCED, |_, _| {});
        let (mut q, mut v) = (mesh.reference().to_vec(), vec![0.0; mesh.coordinates()]);
        mesh.set_rigid_rate(0, &q, &Vec3::zeros(), &Vec3::zeros(), &Vec3::new(0.0, 0.0, 2.0), &mut v);
        let before = (mesh.momentum(&v), mesh.kinetic_energy(&v));
        assert!(mesh.forces(&q, &v, &mut vec![0.0; q.len()]).dissipated.abs() < 1e-20);
        let mut last = before.1;
        for _ in 0..40 {
            runge_kutta(&mesh, &Vec3::zeros(), &mut q, &mut v, 1e-4, 50);
            let energy = mesh.kinetic_energy(&v) + mesh.forces(&q, &v, &mut vec![0.0; q.len()]).elastic;
            // The steps themselves are good to far less than what is lost.
            assert!(energy < last * (1.0 + 1e-12), "{energy} {last}");
            last = energy;
        }
        // What is left after the sheet has settled to its stretched form is the spin.
        assert!(last < before.1 && last > 0.8 * before.1, "{last} of {}", before.1);
        assert!((mesh.momentum(&v) - before.0).norm() < 1e-13);
    }
}
