//! A wheel pressed on flat rigid ground: force–deflection curves.
//!
//! Points on the outer faces of the rim are springs against the ground, along its normal (z), without friction; the hub is held. Equilibrium at each
//! deflection is where the one before left off.

use super::FlexError;
use super::material::Material;
use super::mesh::{Fix, FlexMesh, MeshBuilder, Slot, SurfacePoint};
use super::quadrature::Order;
use super::statics::{Found, Loads, Search, solve};
use super::wheel::{Wheel, WheelForm};
use touchdown_math::{Mat3, Vec3};

/// The rig.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Press {
    /// The wheel; its orientation says which part is down.
    pub form: WheelForm,
    /// Its material.
    pub material: Material,
    /// Quadrature of the elastic forces.
    pub order: Order,
    /// Contact points along and across a rim element.
    pub points: [usize; 2],
    /// Stiffness of each point, N/m.
    pub stiffness: f64,
}

/// A point of the curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pressed {
    /// How far the ground has come towards the hub since it touched the nominal radius, m.
    pub deflection: f64,
    /// Force on the ground, N.
    pub force: f64,
    /// Its slope by a unit of deflection, from the last step, N/m.
    pub stiffness: f64,
    /// Points that touch.
    pub touching: usize,
    /// How deep the deepest of them is in the ground, m.
    pub penetration: f64,
    /// Force of the wheel on its hub, N: the force on the ground again.
    pub hub_force: Vec3,
    /// Energy in the springs of the points, J.
    pub contact_energy: f64,
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
    /// Why deflections are missing.
    pub ended: Option<FlexError>,
}

/// Ground below the wheel, rising with the load.
#[derive(Clone, Debug)]
pub struct Ground {
    /// Where it may touch.
    pub points: Vec<SurfacePoint>,
    /// Stiffness of each point, N/m.
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
        let normal = Mat3::from_diagonal(&Vec3::new(0.0, 0.0, self.stiffness));
        (self.force, self.energy, self.touching, self.penetration) = (0.0, 0.0, 0, 0.0);
        for s in &self.points {
            let depth = height - mesh.point_position(&s.point, q).z;
            if depth > 0.0 {
                self.touching += 1;
                self.penetration = self.penetration.max(depth);
                self.force += self.stiffness * depth;
                self.energy += 0.5 * self.stiffness * depth * depth;
                mesh.add_point_force(&s.point, &Vec3::new(0.0, 0.0, self.stiffness * depth), force);
                if let Some(values) = tangent.as_deref_mut() {
                    mesh.add_point_stiffness(&s.point, &normal, values);
                }
            }
        }
    }
}

impl Press {
    /// The wheel with its hub held at the origin.
    pub fn mesh(&self) -> Result<(FlexMesh, Wheel), FlexError> {
        let mut builder = MeshBuilder::new();
        builder.set_order(self.order);
        let material = builder.material(self.material);
        let wheel = self.form.add_to(&mut builder, material, &Vec3::zeros())?;
        builder.fix(wheel.hub, Fix::All);
        Ok((builder.build()?, wheel))
    }

    /// Presses the wheel to each of the deflections (rising, m) in turn.
    pub fn curve(&self, deflections: &[f64]) -> Result<Curve, FlexError> {
        self.curve_with(deflections, &mut |_, _, _| {})
    }

    /// The same; hands over the mesh and its coordinates at each of them, the ground having risen to the hub.
    pub fn curve_with(
        &self,
        deflections: &[f64],
        each: &mut dyn FnMut(&Pressed, &FlexMesh, &[f64]),
    ) -> Result<Curve, FlexError> {
        let (mut mesh, wheel) = self.mesh()?;
        let mut ground = Ground {
            points: wheel.rim.iter().flat_map(|e| mesh.surface(*e, self.points, 0.5)).collect(),
            stiffness: self.stiffness,
            height: [-self.form.radius; 2],
            force: 0.0,
            energy: 0.0,
            touching: 0,
            penetration: 0.0,
        };
        let mut q = mesh.reference().to_vec();
        let mut curve = Curve { points: Vec::new(), mass: mesh.total_mass(), ended: None };
        let (mut last, mut last_force) = (0.0, 0.0);
        for deflection in deflections {
            ground.height = [ground.height[1], deflection - self.form.radius];
            match solve(&mut mesh, &mut q, &mut ground, &Search::default()) {
                Ok(found) => {
                    let step = deflection - last;
                    let slope = if step > 0.0 { (ground.force - last_force) / step } else { 0.0 };
                    (last, last_force) = (*deflection, ground.force);
                    let mut support = vec![0.0; mesh.prescribed().len()];
                    mesh.support_forces(&q, &vec![0.0; q.len()], &mut support);
                    let hub_force = Vec3::from_fn(|c, _| match mesh.slot(wheel.hub, 0, c) {
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
                        found,
                    };
                    each(&pressed, &mesh, &q);
                    curve.points.push(pressed);
                }
                Err(why) => {
                    curve.ended = Some(why);
                    break;
                }
            }
        }
        Ok(curve)
    }
}
