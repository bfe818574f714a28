//! Meshes: assembly, hubs, joints at angles, points, and the whole tangent.

use super::plate::noise;
use crate::flex::cable::Section;
use crate::flex::material::{Damping, Material};
use crate::flex::mesh::{CableElement, Fix, FlexMesh, MeshBuilder, PlateElement};
use crate::flex::plate::{Evaluation, PlateTables, Weights};
use crate::flex::quadrature::Order;
use crate::flex::statics::{DeadLoad, Search, solve};
use crate::flex::wheel::{Wheel, WheelForm, default_material};
use touchdown_math::{Mat3, Pose, Vec3};

/// A damped wheel with a cable from its hub to its rim, and some components of the rim held.
fn machine() -> (FlexMesh, Wheel) {
    let mut builder = MeshBuilder::new();
    let mut material = default_material();
    material.poisson = 0.3;
    material.damping = Damping::KelvinVoigt { time: 0.01 };
    let material = builder.material(material);
    let wheel = WheelForm::default().add_to(&mut builder, material, &Vec3::new(0.3, 0.0, 0.2)).unwrap();
    let steel = builder.material(Material::elastic(1e7, 0.0, 7850.0));
    builder.cable(CableElement { nodes: [wheel.hub, 4], section: Section::round(5e-3), material: steel });
    builder.fix(3, Fix::Components(std::array::from_fn(|k| k % 5 == 1)));
    (builder.build().unwrap(), wheel)
}

/// Nothing resists rigid motion of curved rims, angled joints and hubs.
#[test]
fn rigid_motion_is_free() {
    let (mesh, wheel) =
        WheelForm { elements_per_quadrant: 2, ..WheelForm::default() }.mesh(&default_material()).unwrap();
    let mut q = mesh.reference().to_vec();
    let turn = touchdown_math::Quat::from_scaled_axis(Vec3::new(0.3, 2.0, -1.0)).to_rotation_matrix();
    let pose = Pose { R: turn.into_inner(), p: Vec3::new(10.0, -3.0, 7.0) };
    mesh.place(0, &pose, &mut q);
    let mut v = vec![0.0; q.len()];
    let spin = Vec3::new(1.0, -5.0, 2.0);
    mesh.set_rigid_rate(0, &q, &pose.p, &Vec3::new(1.0, 0.0, 0.0), &spin, &mut v);
    let mut force = vec![0.0; q.len()];
    let energies = mesh.forces(&q, &v, &mut force);
    assert!(force.iter().all(|f| f.abs() < 1e-9) && energies.elastic < 1e-18, "{energies:?}");
    assert!((mesh.node_position(&q, wheel.hub) - pose.p).norm() < 1e-14);
    // Kinetic energy of a rigid wheel: the mass matrix contains its inertia.
    let m = mesh.total_mass();
    assert!((mesh.momentum(&v) - m * Vec3::new(1.0, 0.0, 0.0)).norm() < 1e-12);
    let energy = |spin: Vec3| {
        let mut v = vec![0.0; q.len()];
        mesh.set_rigid_rate(0, &q, &pose.p, &Vec3::zeros(), &spin, &mut v);
        mesh.kinetic_energy(&v)
    };
    let (axle, across) = (turn * Vec3::y(), turn * Vec3::x());
    // About the axle a ring of this mass has nearly m·r²; about a diameter half of it and the width's share.
    let ratio = energy(axle) / energy(across);
    assert!(ratio > 1.0 && ratio < 2.0, "{ratio}");
}

/// The assembled tangent is the derivative of the assembled forces, with ties, joints, cables and held
/// components.
#[test]
fn tangent_is_the_derivative() {
    let (mesh, _) = machine();
    let n = mesh.coordinates();
    let mut noise = noise(8);
    let q: Vec<f64> = mesh.reference().iter().map(|x| x + 0.01 * noise()).collect();
    let v: Vec<f64> = (0..n).map(|_| noise()).collect();
    let weights = Weights { position: 0.8, velocity: 0.3 };
    let (mut force, mut values) = (vec![0.0; n], vec![0.0; mesh.pattern().entries()]);
    let energies = mesh.tangent(&q, &v, weights, &mut force, &mut values);
    let mut alone = vec![0.0; n];
    assert_eq!(mesh.forces(&q, &v, &mut alone), energies);
    assert_eq!(alone, force);
    let scale = values.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    let h = 1e-5;
    for _ in 0..20 {
        let direction: Vec<f64> = (0..n).map(|_| noise()).collect();
        let mut image = vec![0.0; n];
        mesh.pattern().add_product(&values, &direction, &mut image);
        let at = |s: f64| {
            let moved = |x: &[f64], w: f64| -> Vec<f64> {
                x.iter().zip(&direction).map(|(x, d)| x + s * h * w * d).collect()
            };
            let mut f = vec![0.0; n];
            mesh.forces(&moved(&q, weights.position), &moved(&v, weights.velocity), &mut f);
            f
        };
        let (a, b, c, d) = (at(-2.0), at(-1.0), at(1.0), at(2.0));
        for i in 0..n {
            let difference = (a[i] - 8.0 * b[i] + 8.0 * c[i] - d[i]) / (12.0 * h);
            assert!((image[i] + difference).abs() < 1e-8 * scale, "{i}: {} {difference}", image[i]);
        }
    }
}

/// A force at a point does work on the point: rows, velocity and generalised force belong together.
#[test]
fn points_and_forces_are_dual() {
    let (mesh, wheel) = machine();
    let mut noise = noise(3);
    let q: Vec<f64> = mesh.reference().iter().map(|x| x + 0.01 * noise()).collect();
    let v: Vec<f64> = q.iter().map(|_| noise()).collect();
    let f = Vec3::new(3.0, -2.0, 5.0);
    let stiffness = Mat3::new(2.0, 0.1, 0.3, 0.0, 1.0, 0.2, 0.5, 0.0, 3.0);
    for s in
        mesh.surface(wheel.rim[2], [3; 2], 0.5).iter().chain(&mesh.surface(wheel.spokes[1], [2; 2], -0.5))
    {
        let mut force = vec![0.0; q.len()];
        mesh.add_point_force(&s.point, &f, &mut force);
        let power: f64 = force.iter().zip(&v).map(|(a, b)| a * b).sum();
        let velocity = mesh.point_velocity(&s.point, &v);
        assert!((power - f.dot(&velocity)).abs() < 1e-13);
        for c in 0..3 {
            let sum: f64 = mesh.point_row(&s.point, c).map(|(i, w)| w * v[i]).sum();
            assert!((sum - velocity[c]).abs() < 1e-15);
        }
        let mut values = vec![0.0; mesh.pattern().entries()];
        mesh.add_point_stiffness(&s.point, &stiffness, &mut values);
        let mut image = vec![0.0; q.len()];
        mesh.pattern().add_product(&values, &v, &mut image);
        let mut expected = vec![0.0; q.len()];
        mesh.add_point_force(&s.point, &(stiffness * velocity), &mut expected);
        image.iter().zip(&expected).for_each(|(a, b)| assert!((a - b).abs() < 1e-13));
    }
}

/// Points on the rim's outer face lie on the wheel, their normals point outwards, and their areas are the
/// tread's.
#[test]
fn surface_of_the_rim() {
    let form = WheelForm { elements_per_quadrant: 6, ..WheelForm::default() };
    let (mesh, wheel) = form.mesh(&default_material()).unwrap();
    let mut area = 0.0;
    for element in &wheel.rim {
        let local = mesh.gather(*element, mesh.reference());
        for s in mesh.surface(*element, [10; 2], 0.5) {
            let r = s.point.at(&local);
            let radius = r.x.hypot(r.z);
            // Linear thickness vectors cut the corner: 1 − cos(Δ/2) of half the thickness, Δ = 15°.
            assert!(
                radius < form.radius + 1e-6 && radius > form.radius - 0.009 * form.rim_thickness,
                "{radius}"
            );
            assert!(s.normal(&local).dot(&Vec3::new(r.x, 0.0, r.z).normalize()) > 0.999);
            area += s.area;
        }
    }
    let tread = std::f64::consts::TAU * form.radius * form.width;
    assert!((area / tread - 1.0).abs() < 2e-3, "{area} {tread}");
}

/// Weight on all coordinates is mass times gravity, and pressure on a face pushes inwards.
#[test]
fn weight_and_pressure() {
    let (mesh, wheel) = WheelForm::default().mesh(&default_material()).unwrap();
    let g = Vec3::new(0.0, 0.0, -3.711);
    let mut force = vec![0.0; mesh.coordinates()];
    mesh.add_gravity(&g, &mut force);
    let mut expected = vec![0.0; mesh.coordinates()];
    let mut uniform = vec![0.0; mesh.coordinates()];
    mesh.set_rigid_rate(0, mesh.reference(), &Vec3::zeros(), &g, &Vec3::zeros(), &mut uniform);
    mesh.add_mass_times(&uniform, &mut expected);
    force.iter().zip(&expected).for_each(|(a, b)| assert!((a - b).abs() < 1e-12));
    let mut push = vec![0.0; mesh.coordinates()];
    for element in &wheel.rim {
        mesh.add_pressure(*element, mesh.reference(), 0.5, 1e3, &mut push);
    }
    // A closed ring under pressure is in balance, and would shrink: work on the radial direction is negative.
    let radial: f64 = (0..mesh.nodes().len())
        .filter(|n| mesh.nodes()[*n].tied_to.is_none() && *n != wheel.hub)
        .map(|n| {
            let X = mesh.nodes()[n].position;
            let at = 3 * mesh.nodes()[n].first_vector;
            push[at] * X.x + push[at + 2] * X.z
        })
        .sum();
    assert!(radial < 0.0);
    let along: f64 = uniform.iter().zip(&push).map(|(a, b)| a * b).sum();
    assert!(along.abs() < 1e-9);
}

/// Two plates that meet at a right angle bend as a frame: the tip of the arm moves by P·a³/(3EI) and, because
/// the post turns, by P·a²·h/(EI).
#[test]
fn angled_joints_carry_moments() {
    let (arm, post, breadth, thickness, young, n) = (1.0, 0.5, 0.1, 0.02, 2e9, 8);
    let mut builder = MeshBuilder::new();
    let material = builder.material(Material::elastic(young, 0.0, 1000.0));
    let column =
        |builder: &mut MeshBuilder, X: Vec3| [builder.node(X), builder.node(X + Vec3::y() * breadth)];
    // Up the post (z), then out along the arm (x); each element's gradients are its own, the corner's nodes
    // belong to both.
    let mut pairs = Vec::new();
    (0..=n).for_each(|k| pairs.push(column(&mut builder, Vec3::z() * (post * k as f64 / n as f64))));
    (1..=n).for_each(|k| pairs.push(column(&mut builder, Vec3::new(arm * k as f64 / n as f64, 0.0, post))));
    let mut last = 0;
    for k in 0..2 * n {
        let (along, length) = if k < n { (Vec3::z(), post) } else { (Vec3::x(), arm) };
        let frame = Mat3::from_columns(&[along, Vec3::y(), along.cross(&Vec3::y())]);
        let ([a, d], [b, c]) = (pairs[k], pairs[k + 1]);
        let sizes = [length / n as f64, breadth, thickness];
        last = builder.plate(PlateElement { nodes: [a, b, c, d], sizes, gradients: [frame; 4], material });
    }
    pairs[0].iter().for_each(|node| builder.fix(*node, Fix::All));
    let mut mesh = builder.build().unwrap();
    let mut load = vec![0.0; mesh.coordinates()];
    let (force, tip) = (1e-4, mesh.point(last, [1.0, 0.5, 0.0]));
    mesh.add_point_force(&tip, &Vec3::new(0.0, 0.0, -force), &mut load);
    let mut q = mesh.reference().to_vec();
    solve(&mut mesh, &mut q, &mut DeadLoad(load), &Search::default()).unwrap();
    let flexural = young * breadth * thickness * thickness * thickness / 12.0;
    let expected = -force * (arm * arm * arm / 3.0 + arm * arm * post) / flexural;
    // Locking of 1/(4n²), and a corner of the size of the thickness that is stiff.
    let ratio = (mesh.point_position(&tip, &q).z - post) / expected;
    assert!((ratio - 1.0).abs() < 0.02, "{ratio}");
}

/// A mesh of many different forms is evaluated partly by quadrature, and gives the same forces.
#[test]
fn meshes_of_many_forms() {
    let build = |evaluation| {
        let mut builder = MeshBuilder::new();
        builder.set_order(Order::REDUCED);
        builder.set_evaluation(evaluation);
        let material = builder.material(default_material());
        let mut noise = noise(5);
        let side = 11;
        let at = |i: usize, j: usize| i * (side + 1) + j;
        for i in 0..=side {
            for j in 0..=side {
                builder.node(Vec3::new(i as f64 + 0.1 * noise(), j as f64 + 0.1 * noise(), 0.1 * noise()));
            }
        }
        for i in 0..side {
            for j in 0..side {
                let nodes = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
                builder.plate(PlateElement {
                    nodes,
                    sizes: [1.0, 1.0, 0.1],
                    gradients: [Mat3::identity(); 4],
                    material,
                });
            }
        }
        builder.build().unwrap()
    };
    let (gram, points) = (build(Evaluation::Gram), build(Evaluation::Points));
    let mut noise = noise(6);
    let q: Vec<f64> = gram.reference().iter().map(|x| x + 0.05 * noise()).collect();
    let rest = vec![0.0; q.len()];
    let (mut a, mut b) = (rest.clone(), rest.clone());
    let (left, right) = (gram.forces(&q, &rest, &mut a), points.forces(&q, &rest, &mut b));
    assert!((left.elastic / right.elastic - 1.0).abs() < 1e-12);
    let scale = a.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    a.iter().zip(&b).for_each(|(x, y)| assert!((x - y).abs() < 1e-11 * scale));
}

/// Wheels that were built apart can share their matrices; forces do not change, and other materials are left
/// alone.
#[test]
fn like_meshes_share_their_matrices() {
    let build = |orientation, material: &Material| {
        WheelForm { orientation, ..WheelForm::default() }.mesh(material).unwrap().0
    };
    let first = build(0.0, &default_material());
    let forms = |mesh: &FlexMesh| -> Vec<*const PlateTables> {
        mesh.elements()
            .iter()
            .filter_map(|e| e.kind.plate().map(|(tables, _)| std::ptr::from_ref(tables)))
            .collect()
    };
    let count = |mesh: &FlexMesh| forms(mesh).iter().collect::<std::collections::BTreeSet<_>>().len();
    assert_eq!(count(&first), 2, "one for the rim, one for the spokes");
    let mut second = build(0.7, &default_material());
    let mut noise = noise(2);
    let q: Vec<f64> = second.reference().iter().map(|x| x + 0.01 * noise()).collect();
    let force = |mesh: &FlexMesh| {
        let mut f = vec![0.0; q.len()];
        mesh.forces(&q, &vec![0.0; q.len()], &mut f);
        f
    };
    let before = force(&second);
    second.share_forms(&first);
    assert_eq!(forms(&second), forms(&first));
    before
        .iter()
        .zip(&force(&second))
        .for_each(|(a, b)| assert!((a - b).abs() < 1e-9 * a.abs().max(1.0), "{a} {b}"));
    let mut other = build(0.0, &Material::elastic(1e6, 0.0, 1500.0));
    other.share_forms(&first);
    assert!(forms(&other).iter().all(|f| !forms(&first).contains(f)));
}
