//! Cables: bending, natural frequencies, hanging, derivatives.

use crate::flex::cable::{CableBlocks, CableTables, Section};
use crate::flex::material::{Damping, Material};
use crate::flex::mesh::{CableElement, Fix, FlexMesh, MeshBuilder};
use crate::flex::modes;
use crate::flex::plate::Weights;
use crate::flex::statics::{DeadLoad, Search, solve};
use touchdown_math::Vec3;

/// A straight line of elements along x.
fn line(
    length: f64,
    n: usize,
    section: Section,
    material: Material,
    support: impl Fn(&mut MeshBuilder),
) -> FlexMesh {
    let mut builder = MeshBuilder::new();
    let material = builder.material(material);
    for k in 0..=n {
        builder.node(Vec3::new(length * k as f64 / n as f64, 0.0, 0.0));
    }
    (0..n).for_each(|k| {
        builder.cable(CableElement { nodes: [k, k + 1], section, material });
    });
    support(&mut builder);
    builder.build().unwrap()
}

/// The tip of a cantilever moves by P·L³/(3EI): cubic functions are exact.
#[test]
fn cantilever() {
    let (section, young) = (Section::round(0.01), 2.1e11);
    let mut mesh = line(1.0, 2, section, Material::elastic(young, 0.0, 7850.0), |b| b.fix(0, Fix::All));
    let mut load = vec![0.0; mesh.coordinates()];
    let tip = mesh.point(1, [1.0, 0.0, 0.0]);
    mesh.add_point_force(&tip, &Vec3::new(0.0, 0.0, -1e-3), &mut load);
    let mut q = mesh.reference().to_vec();
    solve(&mut mesh, &mut q, &mut DeadLoad(load), &Search::default()).unwrap();
    let expected = -1e-3 / (3.0 * young * section.inertia);
    assert!((mesh.point_position(&tip, &q).z / expected - 1.0).abs() < 1e-6);
}

/// Bending frequencies of a free beam: (βL)² √(EI/ρA)/(2πL²) with βL = 4.7300, 7.8532 (the roots of cos·cosh
/// = 1).
#[test]
fn free_beam_frequencies() {
    let (section, young, density, length) = (Section::round(0.01), 2.1e11, 7850.0, 1.0);
    let mesh = line(length, 12, section, Material::elastic(young, 0.0, density), |_| {});
    let found = modes::lowest(&mesh, mesh.reference(), 10).unwrap();
    let root = |mut x: f64| {
        for _ in 0..50 {
            let (f, d) = (x.cos() * x.cosh() - 1.0, x.cos() * x.sinh() - x.sin() * x.cosh());
            x -= f / d;
        }
        x
    };
    let wave = (young * section.inertia / (density * section.area)).sqrt()
        / (std::f64::consts::TAU * length * length);
    // Five rigid motions (no torsion), then pairs in both planes.
    for (k, x) in [(5, root(4.73)), (7, root(7.853))] {
        let expected = x * x * wave;
        for mode in &found[k..k + 2] {
            // Hermite beams converge with h⁴ from above: (βL/n)⁴/720 at n = 12.
            let error = mode.frequency / expected - 1.0;
            assert!(error > -1e-9 && error < (x / 12.0).powi(4) / 720.0, "{} {expected}", mode.frequency);
        }
    }
    assert!(found[4].square.abs() < 1e-6 * found[5].square);
}

/// A slack cable between two supports at the same height hangs in a catenary.
#[test]
fn catenary() {
    let (length, span, n) = (1.0, 0.8, 24);
    let diameter = 1e-3;
    let section = Section { inertia: 1e-20, ..Section::round(diameter) };
    let mut mesh = line(length, n, section, Material::elastic(1e9, 0.0, 1000.0), |b| {
        b.fix(0, Fix::Position);
        b.fix(n, Fix::Position);
    });
    // Starts as a parabola with this span, which is close enough for Newton's method.
    let mut q = mesh.reference().to_vec();
    let sag: f64 = 0.25;
    let crate::flex::mesh::Slot::Prescribed(end) = mesh.slot(n, 0, 0) else { panic!("the end is held") };
    mesh.prescribed_mut()[end] = span;
    for k in 0..=n {
        let s = k as f64 / n as f64;
        let values = [
            Vec3::new(span * s, 0.0, -4.0 * sag * s * (1.0 - s)),
            Vec3::new(span, 0.0, -4.0 * sag * (1.0 - 2.0 * s)).normalize(),
        ];
        for (v, value) in values.iter().enumerate() {
            for c in 0..3 {
                if let crate::flex::mesh::Slot::Free(i) = mesh.slot(k, v, c) {
                    q[i] = value[c];
                }
            }
        }
    }
    let mut load = vec![0.0; mesh.coordinates()];
    mesh.add_gravity(&Vec3::new(0.0, 0.0, -9.81), &mut load);
    struct Weight(Vec<f64>);
    impl crate::flex::statics::Loads for Weight {
        fn add(&mut self, _: f64, _: &FlexMesh, _: &[f64], force: &mut [f64], _: Option<&mut [f64]>) {
            force.iter_mut().zip(&self.0).for_each(|(f, g)| *f += g);
        }
    }
    let search = Search { iterations: 200, ..Search::default() };
    solve(&mut mesh, &mut q, &mut Weight(load), &search).unwrap();
    // L = 2c·sinh(span/2c).
    let mut c: f64 = 0.3;
    for _ in 0..100 {
        let f = 2.0 * c * (span / (2.0 * c)).sinh() - length;
        let d = 2.0 * (span / (2.0 * c)).sinh() - span / c * (span / (2.0 * c)).cosh();
        c -= f / d;
    }
    let expected = -c * ((span / (2.0 * c)).cosh() - 1.0);
    let middle = mesh.node_position(&q, n / 2);
    assert!((middle.z - expected).abs() < 2e-4 * length, "{middle:?} {expected}");
    assert!((middle.x - 0.5 * span).abs() < 1e-8);
}

/// Derivatives of a bent, stretched, moving cable are those of its forces; damping takes energy and rigid
/// spin does not.
#[test]
fn derivatives() {
    let material =
        Material { damping: Damping::KelvinVoigt { time: 0.01 }, ..Material::elastic(1e6, 0.0, 1000.0) };
    let t = CableTables::new(0, 0.5, Section::round(0.05), &material).unwrap();
    let e = [[0.0, 1.1, 0.5, 0.9], [0.0, 0.2, 0.1, -0.3], [0.0, 0.1, 0.05, 0.4]];
    let v = [[0.1, 1.0, -0.5, 0.3], [0.4, 0.2, 0.1, 0.3], [-0.2, 0.1, 0.6, 0.4]];
    let zero = [[0.0; 4]; 3];
    let force = |e: &_, v: &_| {
        let mut f = zero;
        let energies = t.evaluate(e, v, &mut f, None);
        (f, energies)
    };
    let only = [(1.0, 0.0), (0.0, 1.0)].map(|(position, velocity)| {
        let mut K: CableBlocks = [[[0.0; 9]; 4]; 4];
        t.evaluate(&e, &v, &mut zero.clone(), Some((Weights { position, velocity }, &mut K)));
        K
    });
    let h = 1e-6;
    for j in 0..4 {
        for b in 0..3 {
            for which in 0..2 {
                let at = |s: f64| {
                    let (mut p, mut r) = (e, v);
                    *(if which == 0 { &mut p[b][j] } else { &mut r[b][j] }) += s * h;
                    force(&p, &r).0
                };
                let (low, high) = (at(-1.0), at(1.0));
                for i in 0..4 {
                    for a in 0..3 {
                        let difference = (high[a][i] - low[a][i]) / (2.0 * h);
                        let found = only[which][i][j][3 * a + b];
                        assert!((found - difference).abs() < 1e-8 * 1e6, "{found} {difference}");
                    }
                }
            }
        }
    }
    assert!(force(&e, &v).1.dissipated > 0.0);
    // Spin about z.
    let spin = [e[1].map(|y| -3.0 * y), e[0].map(|x| 3.0 * x), [0.0; 4]];
    assert!(force(&e, &spin).1.dissipated < 1e-20);
}
