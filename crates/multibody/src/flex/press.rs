//! A wheel pressed on flat rigid ground: force–deflection curves.
//!
//! Points on the outer faces of the rim are springs against the ground, along its normal (z), without
//! friction; the hub is held. The search for equilibrium at each deflection starts from the previous one;
//! where it loses its stability ([`super::branch`]) the stable branch is followed, or the unstable one on
//! request.

use super::FlexError;
use super::branch::{Loss, Potential, Stability};
use super::describe::MeshDescription;
use super::material::Material;
use super::mesh::{Fix, FlexMesh, MeshBuilder, Slot, SurfacePoint};
use super::quadrature::Order;
use super::statics::{Found, Loads, Search, solve};
use super::wheel::WheelForm;
use std::f64::consts::TAU;
use touchdown_math::{Mat3, Vec3};

/// A wheel that can be pressed, about the y axis through the origin.
#[derive(Clone, Debug, PartialEq)]
pub enum PressedWheel {
    /// By its form, whose orientation says which part is down, and its material.
    Form(WheelForm, Material),
    /// By its mesh.
    Mesh(Box<MeshWheel>),
}

/// A mesh with a hub and a tread.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshWheel {
    /// The mesh as it stands: z is up.
    pub mesh: MeshDescription,
    /// The node that is held.
    pub hub: usize,
    /// Plates that may touch, with ζ = ½ as their outer face.
    pub tread: Vec<usize>,
    /// Outer radius, m.
    pub radius: f64,
    /// Width, m.
    pub width: f64,
}

/// A wheel that was built: its hub, which is held, and the plates that may touch.
#[derive(Clone, Debug)]
pub struct HeldWheel {
    /// The mesh.
    pub mesh: FlexMesh,
    /// The node that is held.
    pub hub: usize,
    /// Plates that may touch.
    pub tread: Vec<usize>,
}

impl PressedWheel {
    /// Outer radius, m.
    pub fn radius(&self) -> f64 {
        match self {
            PressedWheel::Form(form, _) => form.radius,
            PressedWheel::Mesh(wheel) => wheel.radius,
        }
    }

    /// Width, m.
    pub fn width(&self) -> f64 {
        match self {
            PressedWheel::Form(form, _) => form.width,
            PressedWheel::Mesh(wheel) => wheel.width,
        }
    }

    /// Length of the longest plate of the tread along the rim, m; of a mesh that of its longest edge.
    pub fn longest_plate(&self) -> f64 {
        match self {
            PressedWheel::Form(form, _) => TAU * form.radius / (4 * form.elements_per_quadrant.max(1)) as f64,
            PressedWheel::Mesh(wheel) => {
                let at = |n: usize| Vec3::from_row_slice(&wheel.mesh.nodes_m[n]);
                let plates = wheel.tread.iter().filter_map(|e| wheel.mesh.plate.get(*e));
                let edges =
                    plates.flat_map(|p| (0..4).map(|k| (at(p.nodes[k]) - at(p.nodes[(k + 1) % 4])).norm()));
                edges.fold(0.0, f64::max)
            }
        }
    }

    fn build(&self, order: Order) -> Result<HeldWheel, FlexError> {
        let (mut builder, hub, tread) = match self {
            PressedWheel::Form(form, material) => {
                let mut builder = MeshBuilder::new();
                let material = builder.material(*material);
                let wheel = form.add_to(&mut builder, material, &Vec3::zeros())?;
                (builder, wheel.hub, wheel.rim)
            }
            PressedWheel::Mesh(wheel) => (wheel.mesh.builder()?, wheel.hub, wheel.tread.clone()),
        };
        builder.set_order(order);
        builder.fix(hub, Fix::All);
        Ok(HeldWheel { mesh: builder.build()?, hub, tread })
    }
}

/// The rig.
#[derive(Clone, Debug, PartialEq)]
pub struct Press {
    /// The wheel.
    pub wheel: PressedWheel,
    /// Quadrature of the elastic forces.
    pub order: Order,
    /// Contact points along and across a rim element.
    pub points: [usize; 2],
    /// Stiffness of the ground per area of the stress-free face, N/m³: neither the number of points nor that of elements changes it.
    pub stiffness: f64,
    /// Which equilibria are followed.
    pub follow: Follow,
}

/// Which equilibria are followed where the first ones lose their stability.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Follow {
    /// Stable ones: those of a real wheel.
    #[default]
    Stable,
    /// The branch that starts without load, also where it is unstable.
    Primary,
}

/// Where equilibrium loses its stability for the first time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lost {
    /// Deflection, m.
    pub deflection: f64,
    /// The kind of loss.
    pub by: Loss,
}

/// A point of the curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pressed {
    /// Travel of the ground towards the hub since it touched the nominal radius, m.
    pub deflection: f64,
    /// Force on the ground, N.
    pub force: f64,
    /// Its slope by a unit of deflection, from the last step, N/m.
    pub stiffness: f64,
    /// Points that touch.
    pub touching: usize,
    /// Depth of the deepest of them in the ground, m.
    pub penetration: f64,
    /// Force of the wheel on its hub, N: the force on the ground again.
    pub hub_force: Vec3,
    /// Energy in the springs of the points, J.
    pub contact_energy: f64,
    /// Negative pivots of the tangent: zero where equilibrium is stable.
    pub negative: usize,
    /// How equilibrium was found; its energy is that in the wheel.
    pub found: Found,
}

/// A curve, as far as it was found, and why it ends early if it does.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Rising deflections.
    pub points: Vec<Pressed>,
    /// Mass of the wheel, kg.
    pub mass: f64,
    /// Where the branch that begins without load loses its stability, if it does.
    pub lost: Option<Lost>,
    /// Why deflections are missing.
    pub ended: Option<FlexError>,
}

/// Ground below the wheel, rising with the load.
#[derive(Clone, Debug)]
pub struct Ground {
    /// Possible contact points.
    pub points: Vec<SurfacePoint>,
    /// Stiffness of the ground per area, N/m³.
    pub stiffness: f64,
    /// Height at load zero and at full load, m.
    pub height: [f64; 2],
    /// Sum of the forces at the last evaluation, N.
    pub force: f64,
    /// Energy in the points then, J.
    pub energy: f64,
    /// Points that touched then.
    pub touching: usize,
    /// Depth of the deepest, m.
    pub penetration: f64,
}

impl Loads for Ground {
    fn add(
        &mut self,
        load: f64,
        mesh: &FlexMesh,
        q: &[f64],
        force: &mut [f64],
        mut tangent: Option<&mut [f64]>,
    ) {
        let height = self.height[0] + load * (self.height[1] - self.height[0]);
        (self.force, self.energy, self.touching, self.penetration) = (0.0, 0.0, 0, 0.0);
        for s in &self.points {
            let depth = height - mesh.point_position(&s.point, q).z;
            if depth > 0.0 {
                self.touching += 1;
                self.penetration = self.penetration.max(depth);
                let stiffness = self.stiffness * s.area;
                self.force += stiffness * depth;
                self.energy += 0.5 * stiffness * depth * depth;
                mesh.add_point_force(&s.point, &Vec3::new(0.0, 0.0, stiffness * depth), force);
                if let Some(values) = tangent.as_deref_mut() {
                    let normal = Mat3::from_diagonal(&Vec3::new(0.0, 0.0, stiffness));
                    mesh.add_point_stiffness(&s.point, &normal, values);
                }
            }
        }
    }
}

impl Potential for Ground {
    fn energy(&self) -> f64 {
        self.energy
    }
}

/// No ground at all.
struct Weightless;

impl Loads for Weightless {
    fn add(&mut self, _: f64, _: &FlexMesh, _: &[f64], _: &mut [f64], _: Option<&mut [f64]>) {}
}

impl Potential for Weightless {
    fn energy(&self) -> f64 {
        0.0
    }
}

/// Share of the unloaded wheel's lowest ω² below which an equilibrium counts as nearly singular: at a limit
/// point it falls with the root of the distance, to 3 % after all halvings of a row.
const HARDLY: f64 = 0.2;
/// Halvings of the row in which stability is lost.
const HALVINGS: usize = 10;

/// Result of smaller steps within a row whose end is not stable.
enum Way {
    /// A stable branch continues to its end: coordinates there.
    Stable(Vec<f64>, Found),
    /// None continues: where it ends, if found.
    Lost(Option<Lost>),
}

/// The wheel while it is lowered.
struct Descent {
    mesh: FlexMesh,
    q: Vec<f64>,
    ground: Ground,
    stability: Stability,
    follow: Follow,
    /// Negative pivots at the row before.
    negative: usize,
    lost: Option<Lost>,
}

impl Descent {
    /// Equilibrium with the ground at this height.
    fn lower(&mut self, height: f64, radius: f64) -> Result<Found, FlexError> {
        self.ground.height = [self.ground.height[1], height];
        let (heights, before) = (self.ground.height, self.q.clone());
        let found = solve(&mut self.mesh, &mut self.q, &mut self.ground, &Search::default());
        let mut negative = match &found {
            Ok(_) => self.stability.negative(&self.mesh, &self.q, &mut self.ground),
            Err(_) => 0,
        };
        if self.negative == 0 && (negative > 0 || found.is_err()) {
            let beyond = found.is_ok().then(|| self.q.clone());
            let lost = match self.locate(&before, beyond, radius) {
                // In smaller steps the branch stays stable to the end: the large step had left it.
                Way::Stable(q, found) => {
                    self.q = q;
                    return Ok(found);
                }
                Way::Lost(lost) => lost,
            };
            self.lost = self.lost.or(lost);
            self.ground.height = heights;
            if self.follow == Follow::Stable {
                if found.is_err() {
                    self.q.copy_from_slice(&before);
                }
                let (mesh, ground) = (&mut self.mesh, &mut self.ground);
                let stable = self.stability.descend(mesh, &mut self.q, ground, &Search::default());
                // The failure of Newton's method is more informative than that of the descent.
                return stable.map_err(|why| found.err().unwrap_or(why));
            }
            if found.is_ok() {
                negative = self.stability.negative(&self.mesh, &self.q, &mut self.ground);
            }
        }
        self.negative = negative;
        found
    }

    /// Halves the row in which stability is lost; `before` is stable at its beginning, `beyond` what was found at its end.
    fn locate(&mut self, before: &[f64], mut beyond: Option<Vec<f64>>, radius: f64) -> Way {
        let [start, end] = self.ground.height;
        let at = |share: f64| start + share * (end - start);
        let (mut good, mut low, mut high) = (before.to_vec(), 0.0, 1.0);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            let mut trial = good.clone();
            match self.stable(&mut trial, [at(low), at(middle)]) {
                Ok(Some(_)) => (low, good) = (middle, trial),
                other => (high, beyond) = (middle, other.is_ok().then_some(trial)),
            }
        }
        if high == 1.0 {
            let mut trial = good.clone();
            if let Ok(Some(found)) = self.stable(&mut trial, [at(low), end]) {
                return Way::Stable(trial, found);
            }
        }
        Way::Lost(self.lost_between(&good, beyond, [at(low), at(high)], radius))
    }

    /// Equilibrium near q as the ground rises; nothing where it is unstable.
    fn stable(&mut self, q: &mut [f64], height: [f64; 2]) -> Result<Option<Found>, FlexError> {
        self.ground.height = height;
        let found = solve(&mut self.mesh, q, &mut self.ground, &Search::default())?;
        let negative = self.stability.negative(&self.mesh, q, &mut self.ground);
        Ok((negative == 0).then_some(found))
    }

    /// Kind of loss of stability between two heights of the ground, with the forms there; `None` if
    /// equilibrium is merely not found.
    fn lost_between(
        &mut self,
        good: &[f64],
        beyond: Option<Vec<f64>>,
        [low, high]: [f64; 2],
        radius: f64,
    ) -> Option<Lost> {
        let deflection = radius + 0.5 * (low + high);
        let Some(q) = beyond else {
            // No equilibrium is found beyond: a limit point if the last one is nearly singular; otherwise the
            // search itself failed.
            self.ground.height = [low; 2];
            let resists = self.stability.resistance(&self.mesh, good, &mut self.ground)?;
            let unloaded = self.stability.resistance(&self.mesh, self.mesh.reference(), &mut Weightless)?;
            return (resists < HARDLY * unloaded).then_some(Lost { deflection, by: Loss::LimitPoint });
        };
        // Derivative of the force by the height of the ground.
        let mut by_height = vec![0.0; q.len()];
        self.ground.height = [high, 2.0 * high - low];
        self.ground.add(1.0, &self.mesh, &q, &mut by_height, None);
        let mut there = vec![0.0; q.len()];
        self.ground.add(0.0, &self.mesh, &q, &mut there, None);
        by_height.iter_mut().zip(&there).for_each(|(f, g)| *f -= g);
        self.ground.height = [high; 2];
        let by = self.stability.loss(&self.mesh, &q, &mut self.ground, &by_height);
        Some(Lost { deflection, by })
    }
}

impl Press {
    /// The wheel with its hub held at the origin.
    pub fn held(&self) -> Result<HeldWheel, FlexError> {
        self.wheel.build(self.order)
    }

    /// Presses the wheel to each of the deflections (rising, m) in turn.
    pub fn curve(&self, deflections: &[f64]) -> Result<Curve, FlexError> {
        self.curve_with(deflections, &mut |_, _, _| {})
    }

    /// The same, with a call for the mesh and its coordinates at each of them, in the frame in which the
    /// ground rises to the hub.
    pub fn curve_with(
        &self,
        deflections: &[f64],
        each: &mut dyn FnMut(&Pressed, &FlexMesh, &[f64]),
    ) -> Result<Curve, FlexError> {
        let HeldWheel { mesh, hub, tread } = self.held()?;
        let radius = self.wheel.radius();
        let ground = Ground {
            points: tread.iter().flat_map(|e| mesh.surface(*e, self.points, 0.5)).collect(),
            stiffness: self.stiffness,
            height: [-radius; 2],
            force: 0.0,
            energy: 0.0,
            touching: 0,
            penetration: 0.0,
        };
        let (q, stability) = (mesh.reference().to_vec(), Stability::new(&mesh));
        let mut curve = Curve { points: Vec::new(), mass: mesh.total_mass(), lost: None, ended: None };
        let mut wheel_down =
            Descent { mesh, q, ground, stability, follow: self.follow, negative: 0, lost: None };
        let (mut last, mut last_force) = (0.0, 0.0);
        for deflection in deflections {
            match wheel_down.lower(deflection - radius, radius) {
                Ok(found) => {
                    let Descent { mesh, q, ground, negative, .. } = &wheel_down;
                    let step = deflection - last;
                    let slope = if step > 0.0 { (ground.force - last_force) / step } else { 0.0 };
                    (last, last_force) = (*deflection, ground.force);
                    let mut support = vec![0.0; mesh.prescribed().len()];
                    mesh.support_forces(q, &vec![0.0; q.len()], &mut support);
                    let hub_force = Vec3::from_fn(|c, _| match mesh.slot(hub, 0, c) {
                        Slot::Prescribed(i) => support[i],
                        Slot::Free(_) => 0.0,
                    });
                    let pressed = Pressed {
                        hub_force,
                        deflection: *deflection,
                        force: ground.force,
                        stiffness: slope,
                        touching: ground.touching,
                        penetration: ground.penetration,
                        contact_energy: ground.energy,
                        negative: *negative,
                        found,
                    };
                    each(&pressed, mesh, q);
                    curve.points.push(pressed);
                }
                Err(why) => {
                    curve.ended = Some(why);
                    break;
                }
            }
        }
        curve.lost = wheel_down.lost;
        Ok(curve)
    }
}
