//! One element: rigid motion, uniform strain, mass, tangents, damping.

use crate::flex::material::{Damping, Locking, Material};
use crate::flex::plate::{Blocks, Evaluation, Nodal, PlateTables, VECTORS, Weights, recover};
use crate::flex::quadrature::Order;
use touchdown_math::{Mat3, Quat, Vec3};

/// Repeatable noise in [−1, 1].
pub fn noise(seed: u64) -> impl FnMut() -> f64 {
    let mut s = seed;
    move || {
        s = s.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (s >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// A flat plate in the xy plane.
fn flat([a, b, _]: [f64; 3]) -> Nodal {
    let mut e = [[0.0; VECTORS]; 3];
    for (k, [x, y]) in [[0.0, 0.0], [a, 0.0], [a, b], [0.0, b]].into_iter().enumerate() {
        (e[0][4 * k], e[1][4 * k]) = (x, y);
        (0..3).for_each(|d| e[d][4 * k + 1 + d] = 1.0);
    }
    e
}

/// A bent and skewed stress-free form.
fn curved(sizes: [f64; 3]) -> Nodal {
    let mut e = flat(sizes);
    let mut n = noise(4);
    for c in 0..3 {
        for i in 0..VECTORS {
            e[c][i] += if i % 4 == 0 { 0.1 * sizes[0] } else { 0.15 } * n();
        }
    }
    e
}

fn map(e: &Nodal, A: &Mat3, b: &Vec3) -> Nodal {
    let mut out = [[0.0; VECTORS]; 3];
    for i in 0..VECTORS {
        let v = A * Vec3::new(e[0][i], e[1][i], e[2][i]) + if i % 4 == 0 { *b } else { Vec3::zeros() };
        (0..3).for_each(|c| out[c][i] = v[c]);
    }
    out
}

fn shaken(e: &Nodal, scale: f64, seed: u64) -> Nodal {
    let mut n = noise(seed);
    std::array::from_fn(|c| std::array::from_fn(|i| e[c][i] + scale * n()))
}

fn largest(f: &Nodal) -> f64 {
    f.iter().flatten().fold(0.0, |m, x| x.abs().max(m))
}

const SIZES: [f64; 3] = [0.2, 0.12, 0.02];
const STILL: Nodal = [[0.0; VECTORS]; 3];
const BOTH: [Evaluation; 2] = [Evaluation::Gram, Evaluation::Points];

fn tables(reference: &Nodal, material: Material, order: Order, how: Evaluation) -> PlateTables {
    PlateTables::new(0, SIZES, reference, &material, order, how).unwrap()
}

/// First row of the mass matrix of a steel plate: the fractions of the cubic plate, which Project Chrono's stored matrix agrees with.
#[test]
fn mass_matrix() {
    let sizes = [1.0, 1.0, 0.01];
    let material = Material::elastic(2.1e11, 0.3, 7850.0);
    let t = PlateTables::new(0, sizes, &flat(sizes), &material, Order::EXACT, Evaluation::Points).unwrap();
    let fractions = [3454, 461, 461, 0, 1226, -274, 199, 0, 394, -116, -116, 0, 1226, 199, -274, 0];
    for i in 0..16 {
        let expected = 78.5 * f64::from(fractions[i]) / 25200.0;
        assert!((t.mass[0][i] - expected).abs() < 1e-12, "{i}: {} {expected}", t.mass[0][i]);
    }
    assert!((t.mass[0][0] - 10.759484127).abs() < 5e-10 && (t.mass[0][9] + 0.3613492063).abs() < 5e-11);
    let sum: f64 = (0..4).flat_map(|i| (0..4).map(move |j| (4 * i, 4 * j))).map(|(i, j)| t.mass[i][j]).sum();
    assert!((sum - 78.5).abs() < 1e-10 && (t.volume - 0.01).abs() < 1e-15);
}

/// No force in any rigid motion of any stress-free form, 100 m from the origin as well.
#[test]
fn rigid_motion_is_free() {
    for damping in [Damping::KelvinVoigt { time: 0.01 }, Damping::NavierStokes { bulk: 200.0, shear: 300.0 }]
    {
        for (how, locking) in
            [(BOTH[0], Locking::None), (BOTH[1], Locking::None), (BOTH[0], Locking::Assumed)]
        {
            let material = Material { damping, locking, ..Material::elastic(2.8e5, 0.3, 1500.0) };
            let reference = curved(SIZES);
            let t = tables(&reference, material, Order::REDUCED, how);
            let R = Quat::from_scaled_axis(Vec3::new(0.4, -1.1, 2.0)).to_rotation_matrix().into_inner();
            let e = map(&reference, &R, &Vec3::new(100.0, -30.0, 5.0));
            let spin = Vec3::new(3.0, -2.0, 5.0).cross_matrix();
            let rate = map(&e, &spin, &Vec3::new(1.0, 2.0, 3.0));
            let mut force = STILL;
            let energies = t.evaluate(&e, &rate, &mut force, None);
            // A strain of 1e-14 (100 m with 16 digits over 0.2 m) on a face of 0.2 m × 0.02 m, with room.
            assert!(largest(&force) < 2.8e5 * 4e-3 * 1e-12, "{how:?}: {}", largest(&force));
            assert!(energies.elastic < 1e-15 && energies.dissipated.abs() < 1e-15, "{energies:?}");
        }
    }
}

/// A uniform stretch has the energy density of the law, in every part of the element.
#[test]
fn uniform_stretch_is_exact() {
    for how in BOTH {
        let material = Material::elastic(2.8e5, 0.3, 1500.0);
        let (lambda, mu) = material.lame();
        let reference = flat(SIZES);
        let t = tables(&reference, material, Order::EXACT, how);
        let e = map(&reference, &Mat3::from_diagonal(&Vec3::new(1.1, 1.0, 1.0)), &Vec3::zeros());
        let density = (lambda / 2.0 + mu) * 0.105 * 0.105;
        let energy = t.evaluate(&e, &STILL, &mut STILL.clone(), None).elastic;
        assert!((energy / (t.volume * density) - 1.0).abs() < 1e-12);
        let r = recover(&t, &reference, &e, [0.3, 0.9, 0.2]);
        assert!((r.strain[0] - 0.105).abs() < 1e-14 && r.strain[1..].iter().all(|x| x.abs() < 1e-14));
        assert!((r.energy_density / density - 1.0).abs() < 1e-12);
        assert!((r.stress[1] - lambda * 0.105).abs() < 1e-8 * lambda);
        // Cauchy stress along the stretch: F·S·Fᵀ/J.
        assert!((r.cauchy[(0, 0)] / (1.1 * (lambda + 2.0 * mu) * 0.105) - 1.0).abs() < 1e-12);
    }
}

/// Constant matrices and quadrature are the same function, for curved forms and for all remedies and dampings.
#[test]
fn both_evaluations_agree() {
    for locking in [Locking::None, Locking::Split, Locking::PlaneStress, Locking::Assumed] {
        for damping in
            [Damping::KelvinVoigt { time: 0.02 }, Damping::NavierStokes { bulk: 20.0, shear: 30.0 }]
        {
            let material = Material { locking, damping, ..Material::elastic(2.8e5, 0.3, 1500.0) };
            if material.check().is_err() {
                assert_eq!(locking, Locking::Split);
                continue;
            }
            for reference in [curved(SIZES), flat(SIZES)] {
                let e = shaken(&reference, 0.02, 9);
                let rate = shaken(&STILL, 1.0, 10);
                let weights = Weights { position: 0.7, velocity: 0.3 };
                let (mut forces, mut tangents, mut energies) = (Vec::new(), Vec::new(), Vec::new());
                for how in BOTH {
                    let t = tables(&reference, material, Order::REDUCED, how);
                    let (mut f, mut K): (Nodal, Box<Blocks>) = (STILL, Box::new([[[0.0; 9]; 16]; 16]));
                    energies.push(t.evaluate(&e, &rate, &mut f, Some((weights, &mut K))));
                    let mut alone = STILL;
                    assert_eq!(energies.last(), Some(&t.evaluate(&e, &rate, &mut alone, None)));
                    assert_eq!(f, alone);
                    forces.push(f);
                    tangents.push(K);
                }
                let scale = largest(&forces[0]);
                let stiff = tangents[0].iter().flatten().flatten().fold(0.0f64, |m, x| x.abs().max(m));
                assert!((energies[0].elastic / energies[1].elastic - 1.0).abs() < 1e-11);
                assert!((energies[0].dissipated / energies[1].dissipated - 1.0).abs() < 1e-11);
                assert!(energies[0].dissipated > 0.0);
                for c in 0..3 {
                    for i in 0..16 {
                        assert!((forces[0][c][i] - forces[1][c][i]).abs() < 1e-11 * scale);
                    }
                }
                let pairs =
                    tangents[0].iter().flatten().flatten().zip(tangents[1].iter().flatten().flatten());
                pairs.for_each(|(a, b)| assert!((a - b).abs() < 1e-11 * stiff, "{a} {b}"));
            }
        }
    }
}

/// Derivatives are those of the forces, which are those of the energy; damping takes energy only.
#[test]
fn tangents_are_derivatives() {
    for (damping, locking) in [
        (Damping::None, Locking::None),
        (Damping::KelvinVoigt { time: 0.02 }, Locking::None),
        (Damping::NavierStokes { bulk: 2000.0, shear: 3000.0 }, Locking::None),
        (Damping::None, Locking::Assumed),
        (Damping::KelvinVoigt { time: 0.02 }, Locking::Assumed),
    ] {
        let material = Material { damping, locking, ..Material::elastic(2.8e5, 0.3, 1500.0) };
        let reference = curved(SIZES);
        let t = tables(&reference, material, Order::REDUCED, Evaluation::Gram);
        let (e, rate) = (shaken(&reference, 0.02, 11), shaken(&STILL, 1.0, 12));
        let force = |e: &Nodal, rate: &Nodal| {
            let mut f = STILL;
            let energies = t.evaluate(e, rate, &mut f, None);
            (f, energies)
        };
        let only = |position, velocity| {
            let (mut f, mut K): (Nodal, Box<Blocks>) = (STILL, Box::new([[[0.0; 9]; 16]; 16]));
            t.evaluate(&e, &rate, &mut f, Some((Weights { position, velocity }, &mut K)));
            K
        };
        let (by_position, by_rate) = (only(1.0, 0.0), only(0.0, 1.0));
        let scale = by_position.iter().flatten().flatten().fold(0.0f64, |m, x| x.abs().max(m));
        let h = 1e-5;
        for j in 0..16 {
            for b in 0..3 {
                // Differences of the fourth order: their error is below round-off over h.
                let difference = |which: usize| -> (Nodal, f64) {
                    let at = |s: f64| {
                        let (mut p, mut v) = (e, rate);
                        *(if which == 0 { &mut p[b][j] } else { &mut v[b][j] }) += s * h;
                        force(&p, &v)
                    };
                    let (a, b1, c, d) = (at(-2.0), at(-1.0), at(1.0), at(2.0));
                    let mix = |a: f64, b: f64, c: f64, d: f64| (a - 8.0 * b + 8.0 * c - d) / (12.0 * h);
                    let f = std::array::from_fn(|r| {
                        std::array::from_fn(|i| mix(a.0[r][i], b1.0[r][i], c.0[r][i], d.0[r][i]))
                    });
                    (f, mix(a.1.elastic, b1.1.elastic, c.1.elastic, d.1.elastic))
                };
                let (dp, du) = difference(0);
                let (dv, _) = difference(1);
                for i in 0..16 {
                    for a in 0..3 {
                        let (p, v) = (by_position[i][j][3 * a + b], by_rate[i][j][3 * a + b]);
                        assert!((p - dp[a][i]).abs() < 1e-8 * scale, "{damping:?} {p} {}", dp[a][i]);
                        assert!((v - dv[a][i]).abs() < 1e-8 * scale, "{damping:?} {v} {}", dv[a][i]);
                    }
                }
                if damping == Damping::None {
                    assert!((force(&e, &rate).0[b][j] + du).abs() < 1e-7, "{du}");
                }
            }
        }
        // Power of the forces is the loss of strain energy and the heat.
        let (f, energies) = force(&e, &rate);
        let power: f64 =
            (0..3).flat_map(|c| (0..16).map(move |i| (c, i))).map(|(c, i)| f[c][i] * rate[c][i]).sum();
        let elastic = {
            let bare = tables(
                &reference,
                Material { damping: Damping::None, ..material },
                Order::REDUCED,
                Evaluation::Gram,
            );
            let mut f = STILL;
            bare.evaluate(&e, &rate, &mut f, None);
            (0..3).flat_map(|c| (0..16).map(move |i| (c, i))).map(|(c, i)| f[c][i] * rate[c][i]).sum::<f64>()
        };
        assert!((power - elastic + energies.dissipated).abs() < 1e-9 * energies.dissipated.max(1.0));
        assert!(energies.dissipated >= 0.0);
    }
}

/// A follower pressure on one face of a flat plate pushes with pressure times area, spread over the corners.
#[test]
fn pressure_pushes() {
    let e = flat(SIZES);
    let t = tables(&e, Material::elastic(2.8e5, 0.3, 1500.0), Order::REDUCED, Evaluation::Points);
    let mut f = STILL;
    t.add_pressure(&e, 0.5, 1000.0, &mut f);
    let total: f64 = (0..4).map(|k| f[2][4 * k]).sum();
    assert!((total + 1000.0 * SIZES[0] * SIZES[1]).abs() < 1e-12);
}

/// In a uniform strain, the split law is the three-dimensional one; the thin-plate law lacks the coupling with the thickness.
#[test]
fn remedies_in_uniform_strain() {
    let reference = flat(SIZES);
    let stretch = Mat3::new(1.1, 0.03, 0.0, 0.0, 0.95, 0.0, 0.0, 0.0, 0.97);
    let energy = |locking| {
        let material = Material { locking, ..Material::elastic(2.8e5, 0.3, 1500.0) };
        let t = tables(&reference, material, Order::EXACT, Evaluation::Gram);
        t.evaluate(&map(&reference, &stretch, &Vec3::zeros()), &STILL, &mut STILL.clone(), None).elastic
    };
    let (full, split, thin) = (energy(Locking::None), energy(Locking::Split), energy(Locking::PlaneStress));
    assert!((split / full - 1.0).abs() < 1e-12);
    let E = 0.5 * (stretch.transpose() * stretch - Mat3::identity());
    let (young, nu) = (2.8e5, 0.3);
    let plane = young / (1.0 - nu * nu);
    let density = 0.5 * plane * (E[(0, 0)].powi(2) + E[(1, 1)].powi(2) + 2.0 * nu * E[(0, 0)] * E[(1, 1)])
        + 0.5 * young * E[(2, 2)].powi(2)
        + young / (1.0 + nu) * E[(0, 1)].powi(2);
    assert!((thin / (density * SIZES.iter().product::<f64>()) - 1.0).abs() < 1e-12);
}
