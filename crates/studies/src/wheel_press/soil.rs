//! A flexible wheel pressed into soil: the hub is lowered, wheel and soil share what it goes down; no time passes, so that nothing rubs.
//!
//! Beside it, each in soil of its own: the same form rigid, and a rigid cylinder of the wheel's radius. And the flexible wheel on rigid ground.

use super::{Frames, WheelPress};
use touchdown_contact::soil::{ContactState, Soil, SoilContact, SoilShape, SoilSurface, SurfaceMotion};
use touchdown_math::{Pose, Vec3};
use touchdown_multibody::flex::FlexError;
use touchdown_multibody::flex::mesh::FlexMesh;
use touchdown_multibody::flex::press::HeldWheel;
use touchdown_multibody::flex::statics::{Loads, Search, solve};
use touchdown_sim::sink::{Column, NamedValue, Outcome, Progress, Sink};
use touchdown_sim::{FlexBook, RimOnSoil, RunError, Simulation, broken_checks, energy_of_rows, soil_volume};

/// Cells across the face of a rim element: it is nearly straight there.
const ACROSS: usize = 4;
/// The tangent leaves out how areas and normals change, so that convergence is linear at best; in some soils it stalls above these bounds.
const SEARCH: Search = Search { steps: 1, tolerance: 1e-6, floor: 2e-4, iterations: 40 };

/// Columns of the study's series.
pub(super) fn columns() -> Vec<Column> {
    let column = |(name, unit, about): (&str, &'static str, &str)| Column::scalar(name, unit, about);
    [
        ("lowered_m", "m", "free radius less the height of the hub over the undisturbed ground"),
        ("force_n", "N", "vertical force of the soil on the wheel"),
        ("sinkage_m", "m", "depth of the rim's lowest point below the undisturbed ground"),
        ("deflection_m", "m", "how much deeper that point would be if the wheel were rigid"),
        ("deflection_share", "1", "deflection over deflection and sinkage"),
        ("area_m2", "m2", "horizontal area of the contact"),
        ("pressure_max_pa", "Pa", "largest pressure"),
        ("nodes", "1", "nodes of the soil that carry"),
        ("elastic_energy_j", "J", "energy of the wheel's deformation"),
        ("soil_work_j", "J", "work done on the soil: that of the hub less the wheel's energy"),
        (
            "energy_error_j",
            "J",
            "wheel's energy less the work of the soil's forces on it, by the trapezoidal rule",
        ),
        ("soil_volume_m3", "m3", "soil displaced so far"),
        ("rigid.force_n", "N", "force on the same form, rigid, with its hub as low"),
        ("rigid.sinkage_m", "m", "its sinkage"),
        ("cylinder.force_n", "N", "force on a rigid cylinder of the free radius, with its hub as low"),
        ("hard_ground.force_n", "N", "force of rigid ground on the flexible wheel, with its hub as low"),
    ]
    .map(column)
    .into()
}

/// A rigid cylinder in soil of its own.
struct Cylinder {
    soil: Soil,
    contact: SoilContact,
    held: ContactState,
}

impl Cylinder {
    fn new(soil: Soil, study: &WheelPress) -> Cylinder {
        let wheel = &study.press.wheel;
        let shape = SoilShape::Wheel { radius: wheel.radius(), width: wheel.width(), grousers: None };
        let surface = SoilSurface { shape, carried_layer: 0.0, bedded: false };
        Cylinder { soil, contact: SoilContact::new(&surface), held: ContactState::default() }
    }

    fn press(&mut self, height: f64, t: f64) -> f64 {
        let X_WS = Pose { p: Vec3::new(0.0, 0.0, height), ..Pose::identity() };
        let motion = SurfaceMotion::at_rest(X_WS);
        let force = self.contact.evaluate((&self.soil, &self.held), &motion, 0.0, None);
        self.soil.advance(t, std::iter::once((&mut self.contact, &mut self.held)));
        force.wrench_C.f.z
    }
}

/// The flexible wheel with the works done so far.
struct Pressed {
    mesh: FlexMesh,
    q: Vec<f64>,
    ground: RimOnSoil,
    /// Generalised forces of the soil, coordinates, vertical force and lowering of the row before.
    last: (Vec<f64>, Vec<f64>, f64, f64),
    /// Work of the hub, and of the soil's forces on the mesh, J.
    work: [f64; 2],
}

impl Pressed {
    /// Lowers the hub and lets the soil keep it; returns the wheel's energy.
    fn press(&mut self, lowered: f64, radius: f64, t: f64) -> Result<f64, FlexError> {
        self.ground.height = [radius - self.last.3, radius - lowered];
        let found = solve(&mut self.mesh, &mut self.q, &mut self.ground, &SEARCH)?;
        let mut forces = vec![0.0; self.q.len()];
        self.ground.add(1.0, &self.mesh, &self.q, &mut forces, None);
        let force = self.ground.force.wrench_C.f.z;
        let (before, q, force_before, lowered_before) = &self.last;
        self.work[0] += 0.5 * (force + force_before) * (lowered - lowered_before);
        for k in 0..forces.len() {
            self.work[1] += 0.5 * (forces[k] + before[k]) * (self.q[k] - q[k]);
        }
        self.last = (forces, self.q.clone(), force, lowered);
        self.ground.commit(t);
        Ok(found.energy)
    }
}

/// Runs the study. What was found before an equilibrium is missing stays.
pub(super) fn run(
    world: &mut Simulation,
    study: &WheelPress,
    soil: Soil,
    sink: &mut dyn Sink,
) -> Result<Outcome, RunError> {
    let mut outcome = Outcome::of_study();
    let (count, radius) = (study.rows.max(1), study.press.wheel.radius());
    let lowered: Vec<f64> = (0..=count).map(|k| study.deflection * k as f64 / count as f64).collect();
    let built = study.press.held().and_then(|built| Ok((built, study.press.curve(&lowered)?)));
    let (HeldWheel { mesh, tread, .. }, hard) = match built {
        Ok(built) => built,
        Err(why) => {
            (outcome.finished, outcome.stopped_because) = (false, Some(why.to_string()));
            return Ok(outcome);
        }
    };
    if let Some(why) = &hard.ended {
        outcome.warnings.push(format!("on rigid ground it ends after {} rows: {why}", hard.points.len()));
    }
    // Facets no longer than the soil's cells.
    let along = (study.press.wheel.longest_plate() / soil.spacing()).ceil().clamp(1.0, 1000.0) as usize;
    let mut rigid = RimOnSoil::new(soil.clone(), &mesh, &tread, [along, ACROSS]);
    let mut cylinder = Cylinder::new(soil, study);
    let (q, n) = (mesh.reference().to_vec(), mesh.coordinates());
    let (ground, last) = (rigid.clone(), (vec![0.0; n], q.clone(), 0.0, 0.0));
    let mut pressed = Pressed { mesh, q: q.clone(), ground, last, work: [0.0; 2] };
    let mut frames = Frames::new(world, study.wheel);
    let mut book = FlexBook::default();
    let mut stored = 0.0;
    for (k, lowered) in lowered.iter().enumerate() {
        let t = (k + 1) as f64;
        let elastic = match pressed.press(*lowered, radius, t) {
            Ok(energy) => energy,
            Err(why) => {
                (outcome.finished, outcome.stopped_because) = (false, Some(why.to_string()));
                break;
            }
        };
        book.look(&pressed.mesh.look(&pressed.q).unwrap_or_default(), 0.0);
        stored = elastic;
        rigid.evaluate(&pressed.mesh, &q, radius - lowered);
        rigid.commit(t);
        let [flexible, form] = [&pressed.ground.force, &rigid.force];
        let deflection = form.sinkage - flexible.sinkage;
        let depth = deflection + flexible.sinkage.max(0.0);
        let force = flexible.wrench_C.f.z;
        let row = [
            *lowered,
            force,
            flexible.sinkage,
            deflection,
            if depth > 0.0 { deflection / depth } else { 0.0 },
            flexible.area,
            flexible.pressure_max,
            f64::from(flexible.nodes),
            elastic,
            pressed.work[0] - elastic,
            elastic - pressed.work[1],
            pressed.ground.soil.volume_displaced().0,
            form.wrench_C.f.z,
            form.sinkage,
            cylinder.press(radius - lowered, t),
            hard.points.get(k).map_or(f64::NAN, |p| p.force),
        ];
        world.add_row(&row);
        sink.series(&row)?;
        let (mesh, q) = (&pressed.mesh, &pressed.q);
        frames.add(*lowered, force, |drawn, shift, out| drawn.displace_by(mesh, q, &shift, out));
        if let Some(frame) = frames.all.last() {
            sink.frame(frame)?;
        }
        outcome.steps = k as u64 + 1;
        sink.progress(Progress { time: t, duration: (count + 1) as f64, steps: outcome.steps });
    }
    outcome.quantities = world.row_quantities();
    let mut put = |name: &str, value: f64, unit: &str, about: &str| {
        let (name, unit, about) = (name.into(), unit.into(), about.into());
        outcome.quantities.push(NamedValue { name, value, unit, about });
    };
    put("mesh_mass_kg", hard.mass, "kg", "mass of the wheel's mesh");
    let soil = pressed.ground.soil;
    outcome.validity = book.checks(&world.description().flexible[study.wheel].name, None);
    outcome.validity.push(energy_of_rows(stored, pressed.work[1]));
    outcome.validity.push(soil_volume(&soil));
    outcome.warnings.extend(broken_checks(&outcome.validity));
    put("soil_volume_error_relative", soil.volume_error_relative(), "1", "soil lost or gained numerically");
    world.put_soil(soil);
    Ok(outcome)
}
