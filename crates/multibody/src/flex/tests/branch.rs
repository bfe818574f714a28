//! Stability and branches: Euler's column and the elastica.

use super::sheet;
use crate::flex::branch::{Loss, Potential, Stability};
use crate::flex::material::Material;
use crate::flex::mesh::{Fix, FlexMesh};
use crate::flex::quadrature::Order;
use crate::flex::sheet::SheetForm;
use crate::flex::statics::{Loads, Search, solve};
use std::f64::consts::PI;
use touchdown_math::Vec3;

const YOUNG: f64 = 2.1e11;

/// A constant force with its potential.
struct Weight {
    force: Vec<f64>,
    energy: f64,
}

impl Loads for Weight {
    fn add(&mut self, load: f64, _: &FlexMesh, q: &[f64], force: &mut [f64], _: Option<&mut [f64]>) {
        force.iter_mut().zip(&self.force).for_each(|(f, g)| *f += load * g);
        self.energy = -load * q.iter().zip(&self.force).map(|(q, g)| q * g).sum::<f64>();
    }
}

impl Potential for Weight {
    fn energy(&self) -> f64 {
        self.energy
    }
}

/// A column of length 1 along x, clamped at x = 0, pressed at its end by a share of Euler's load
/// π²·E·I/(4·L²): its mesh, the load, a node at the end.
fn column(share: f64, elements: usize) -> (FlexMesh, Weight, usize) {
    let form = SheetForm { length: 1.0, width: 0.1, thickness: 0.01, elements: [elements, 1] };
    let material = Material::elastic(YOUNG, 0.0, 7850.0);
    let (mesh, s) =
        sheet(form, material, Order::EXACT, |b, s| (0..2).for_each(|j| b.fix(s.node(0, j), Fix::All)));
    let inertia = form.width * form.thickness.powi(3) / 12.0;
    let euler = PI * PI * YOUNG * inertia / 4.0;
    let mut force = vec![0.0; mesh.coordinates()];
    for (eta, part) in crate::flex::quadrature::gauss(3) {
        let point = mesh.point(s.plate(elements - 1, 0), [1.0, eta, 0.0]);
        mesh.add_point_force(&point, &Vec3::new(-share * euler * part, 0.0, 0.0), &mut force);
    }
    let tip = s.node(elements, 0);
    (mesh, Weight { force, energy: 0.0 }, tip)
}

/// A straight column loses its stability at Euler's load, first in one bending direction, then in the other
/// (at 1 and 9 times it), by a bifurcation.
#[test]
fn a_column_loses_its_stability_at_eulers_load() {
    // Elements are too stiff in bending by 1/(4n²) = 0.1 %, in the second mode by nine times that.
    for (share, negative) in [(0.99, 0), (1.01, 1), (8.9, 1), (9.15, 2)] {
        let (mut mesh, mut weight, _) = column(share, 16);
        let mut q = mesh.reference().to_vec();
        solve(&mut mesh, &mut q, &mut weight, &Search::default()).unwrap();
        let mut stability = Stability::new(&mesh);
        assert_eq!(stability.negative(&mesh, &q, &mut weight), negative, "{share}");
        let square = stability.resistance(&mesh, &q, &mut weight).unwrap();
        assert_eq!(square < 0.0, negative > 0, "{share}: {square}");
        let by_load = weight.force.clone();
        if negative == 1 {
            assert_eq!(stability.loss(&mesh, &q, &mut weight, &by_load), Loss::Bifurcation);
        }
    }
}

/// Beyond it the descent leads to the elastica: with the angle α at its end, P = (2K/π)² of Euler's
/// load, deflected by 2p/K and as high as 2E/K − 1 (lengths over the column's), p = sin(α/2), K and E the
/// complete elliptic integrals.
#[test]
fn a_buckled_column_is_an_elastica() {
    let p = (60f64.to_radians() / 2.0).sin();
    let (k, e) = elliptic(p);
    let errors = [16, 32].map(|elements| {
        let (mut mesh, mut weight, tip) = column((2.0 * k / PI).powi(2), elements);
        let mut q = mesh.reference().to_vec();
        solve(&mut mesh, &mut q, &mut weight, &Search::default()).unwrap();
        assert!(mesh.node_position(&q, tip).z.abs() < 1e-9);
        let mut stability = Stability::new(&mesh);
        let straight = stability.negative(&mesh, &q, &mut weight);
        stability.descend(&mut mesh, &mut q, &mut weight, &Search::default()).unwrap();
        assert_eq!((straight, stability.negative(&mesh, &q, &mut weight)), (1, 0));
        let end = mesh.node_position(&q, tip);
        [end.z.abs() - 2.0 * p / k, end.x - (2.0 * e / k - 1.0)].map(f64::abs)
    });
    // Elements that bend far are too stiff by the square of their length.
    for (coarse, fine) in errors[0].iter().zip(&errors[1]) {
        assert!(coarse / fine > 3.4 && *fine < 0.008, "{errors:?}");
    }
}

/// K(p) and E(p) by the arithmetic-geometric mean.
fn elliptic(p: f64) -> (f64, f64) {
    let (mut a, mut b, mut c, mut sum, mut power) = (1.0, (1.0 - p * p).sqrt(), p, 0.0, 0.5);
    while f64::abs(c) > 1e-16 {
        sum += power * c * c;
        (a, b, c) = (0.5 * (a + b), (a * b).sqrt(), 0.5 * (a - b));
        power *= 2.0;
    }
    let k = PI / (2.0 * a);
    (k, k * (1.0 - sum))
}
