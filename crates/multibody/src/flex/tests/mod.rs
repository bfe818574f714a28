//! Tests of the flexible bodies, by what they check.

mod branch;
mod cable;
mod course;
mod errors;
mod mesh;
mod plate;
mod sheet;
mod wheel;

use super::material::Material;
use super::mesh::{FlexMesh, MeshBuilder};
use super::quadrature::Order;
use super::sheet::{Sheet, SheetForm};

/// A sheet with supports.
fn sheet(
    form: SheetForm,
    material: Material,
    order: Order,
    support: impl Fn(&mut MeshBuilder, &Sheet),
) -> (FlexMesh, Sheet) {
    let mut builder = MeshBuilder::new();
    builder.set_order(order);
    let material = builder.material(material);
    let sheet = form.add_to(&mut builder, material).unwrap();
    support(&mut builder, &sheet);
    (builder.build().unwrap(), sheet)
}

/// Classical Runge–Kutta steps of the mesh under gravity; returns largest drift of energy.
fn runge_kutta(
    mesh: &FlexMesh,
    gravity: &touchdown_math::Vec3,
    q: &mut [f64],
    v: &mut [f64],
    h: f64,
    steps: usize,
) -> f64 {
    let mut mass = super::coordinates::MassFactor::new(mesh).unwrap();
    let n = q.len();
    let energy_at = |q: &[f64], v: &[f64]| {
        let mut scratch = vec![0.0; n];
        mesh.forces(q, v, &mut scratch).elastic + mesh.kinetic_energy(v) + mesh.potential(gravity, q)
    };
    let start = energy_at(q, v);
    let mut drift: f64 = 0.0;
    let mut acceleration = |q: &[f64], v: &[f64], a: &mut [f64]| {
        a.fill(0.0);
        mesh.add_gravity(gravity, a);
        mesh.forces(q, v, a);
        mass.solve(a);
    };
    let (mut k, mut u) = (vec![vec![0.0; n]; 4], vec![vec![0.0; n]; 4]);
    let mut p = vec![0.0; n];
    for step in 0..steps {
        for s in 0..4 {
            let c = [0.0, 0.5 * h, 0.5 * h, h][s];
            u[s].copy_from_slice(v);
            p.copy_from_slice(q);
            if s > 0 {
                for i in 0..n {
                    u[s][i] += c * k[s - 1][i];
                    p[i] += c * u[s - 1][i];
                }
            }
            let (rates, a) = (&u[s], &mut k[s]);
            acceleration(&p, rates, a);
        }
        for i in 0..n {
            q[i] += h / 6.0 * (u[0][i] + 2.0 * (u[1][i] + u[2][i]) + u[3][i]);
            v[i] += h / 6.0 * (k[0][i] + 2.0 * (k[1][i] + k[2][i]) + k[3][i]);
        }
        if step % 50 == 49 || step + 1 == steps {
            drift = drift.max((energy_at(q, v) - start).abs());
        }
    }
    drift
}
