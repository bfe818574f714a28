//! `touchdown bench ancf`: flexible bodies. What the elastic force of a plate costs by constant matrices and by quadrature, with and without its derivatives,
//! and how the cost of a mesh grows with its elements.

use super::findings::Findings;
use super::jobs::{Job, WITHOUT_END, with};
use super::{ROUNDS, clock, slope};
use crate::failure::Failure;
use crate::output::table;
use std::hint::black_box;
use touchdown_math::Elementary;
use touchdown_math::Vec3;
use touchdown_multibody::flex::material::{Damping, Material};
use touchdown_multibody::flex::mesh::{FlexMesh, MeshBuilder};
use touchdown_multibody::flex::plate::{Evaluation, Weights};
use touchdown_multibody::flex::quadrature::Order;
use touchdown_multibody::flex::sheet::SheetForm;
use touchdown_multibody::flex::wheel::{WheelForm, default_material};

/// The most that the force of one element may cost, and the force with its derivatives, s.
const FORCE_TARGET: f64 = 5e-6;
const TANGENT_TARGET: f64 = 60e-6;
/// The most that a step of the plate may cost, mj.
const PLATE_TARGET: f64 = 90.0;
/// Steps before the plate is measured, and of a round.
const PLATE_STEPS: (u64, u64) = (50, 200);
/// The same of the rover: 15 s until it cruises, 2 s of cruising.
const ROVER_STEPS: (u64, u64) = (3_750, 500);
/// Elements along the side of square sheets: 64 to 10,000 elements.
const SIDES: [usize; 4] = [8, 20, 50, 100];
/// Elements that a round evaluates, about.
const WORK: usize = 20_000;
/// Kelvin–Voigt time of the damped rows, s.
const DAMPING: f64 = 1e-3;

/// A plate of 64 elements that swings, and the rover on six flexible wheels while it cruises.
pub fn jobs() -> Result<Vec<Job>, Failure> {
    let plate = with("ancf-ringing-plate", &[WITHOUT_END])?;
    let rover = with("rover-straight-ancf", &[WITHOUT_END])?;
    let rover = Job::on("rover on six flexible wheels, implicit 4 ms".into(), &rover, ROVER_STEPS)?;
    Ok(vec![
        Job::on("plate of 8 x 8 elements, implicit 1 ms".into(), &plate, PLATE_STEPS)?
            .with_target(PLATE_TARGET),
        rover.with_step(4e-3),
    ])
}

fn failed(why: &dyn std::fmt::Display) -> Failure {
    Failure::other(format!("a mesh cannot be made: {why}"))
}

/// Measures and writes the tables.
pub fn report(found: &mut Findings) -> Result<(), Failure> {
    elements(found)?;
    meshes(found)
}

/// Median times of the forces and of forces with derivatives, s an element; a deformed, moving form.
fn times(mesh: &FlexMesh) -> [f64; 2] {
    let wave = |x: &f64, k: usize| x + 1e-3 * (k as f64).sine();
    let q: Vec<f64> = mesh.reference().iter().enumerate().map(|(k, x)| wave(x, k)).collect();
    let v: Vec<f64> = (0..q.len()).map(|k| 0.1 * (k as f64).cosine()).collect();
    let (mut force, mut values) = (vec![0.0; q.len()], vec![0.0; mesh.pattern().entries()]);
    let weights = Weights { position: 1.0, velocity: 0.1 };
    let count = mesh.elements().len();
    let mut samples = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        for (which, list) in samples.iter_mut().enumerate() {
            let calls = (WORK / count / [1, 8][which]).max(1);
            let before = clock::cpu_time();
            for _ in 0..calls {
                force.fill(0.0);
                black_box(match which {
                    0 => mesh.forces(black_box(&q), &v, &mut force),
                    _ => {
                        values.fill(0.0);
                        mesh.tangent(black_box(&q), &v, weights, &mut force, &mut values)
                    }
                });
            }
            list.push((clock::cpu_time() - before) / (calls * count) as f64);
        }
    }
    samples.map(|list| clock::median(&list))
}

/// Six wheels of eight elements, each way of evaluating.
fn elements(found: &mut Findings) -> Result<(), Failure> {
    let mut rows =
        table(&["six wheels, 48 plates", "points", "us a force", "us with derivatives", "target", ""]);
    for (name, evaluation, order, damping) in [
        ("constant matrices", Evaluation::Gram, Order::EXACT, Damping::None),
        ("constant matrices, damped", Evaluation::Gram, Order::EXACT, Damping::KelvinVoigt { time: DAMPING }),
        ("quadrature at every call", Evaluation::Points, Order::EXACT, Damping::None),
        ("quadrature at every call", Evaluation::Points, Order::REDUCED, Damping::None),
    ] {
        let mut builder = MeshBuilder::new();
        builder.set_order(order);
        builder.set_evaluation(evaluation);
        let material = builder.material(Material { damping, ..default_material() });
        for k in 0..6 {
            let centre = Vec3::new(f64::from(k), 0.0, 0.0);
            WheelForm::default().add_to(&mut builder, material, &centre).map_err(|e| failed(&e))?;
        }
        let [force, tangent] = times(&builder.build().map_err(|e| failed(&e))?);
        let is_default = evaluation == Evaluation::default() && damping == Damping::None;
        let verdict = match (is_default, force <= FORCE_TARGET && tangent <= TANGENT_TARGET) {
            (false, _) => "",
            (true, true) => "met",
            (true, false) => "missed",
        };
        rows.add_row([
            name.to_string(),
            format!("{0} x {0} x {1}", order.plane, order.thickness),
            format!("{:.2}", 1e6 * force),
            format!("{:.1}", 1e6 * tangent),
            if is_default {
                format!("{:.0} us, {:.0} us", 1e6 * FORCE_TARGET, 1e6 * TANGENT_TARGET)
            } else {
                String::new()
            },
            verdict.into(),
        ]);
    }
    found.add(rows, &["an element, assembly into the sparse system included".into()]);
    Ok(())
}

/// Square sheets of ever more elements.
fn meshes(found: &mut Findings) -> Result<(), Failure> {
    let mut rows =
        table(&["sheet, elements", "coordinates", "us a force and element", "us with derivatives"]);
    let mut points = Vec::new();
    for side in SIDES {
        let mut builder = MeshBuilder::new();
        let material = builder.material(Material::elastic(2.1e11, 0.3, 7850.0));
        let form = SheetForm { length: 1.0, width: 1.0, thickness: 0.01, elements: [side, side] };
        form.add_to(&mut builder, material).map_err(|e| failed(&e))?;
        let mesh = builder.build().map_err(|e| failed(&e))?;
        let [force, tangent] = times(&mesh);
        let count = (side * side) as f64;
        points.push((count.natural_log(), (count * tangent).natural_log()));
        rows.add_row([
            format!("{side} x {side}"),
            mesh.coordinates().to_string(),
            format!("{:.2}", 1e6 * force),
            format!("{:.1}", 1e6 * tangent),
        ]);
    }
    found.add(rows, &[format!("cost grows with elements to the power {:.2}", slope(&points))]);
    Ok(())
}
