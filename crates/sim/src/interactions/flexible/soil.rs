//! The rim of a wheel pressed into soil at rest: [`Skin`] and soil as loads of a static equilibrium.
//!
//! By the level of a node, −∂f/∂r = −(dp/dz)·A·m·mᵀ; changes of areas and normals are left out, so that
//! Newton's method converges linearly.

use super::skin::Skin;
use touchdown_contact::soil::{ContactState, Soil, SoilContact, SoilForce, SurfaceMotion, TangentWeights};
use touchdown_math::{Mat6, Pose, Vec3};
use touchdown_multibody::flex::mesh::FlexMesh;
use touchdown_multibody::flex::statics::Loads;

/// The outer faces of a rim and their contact with soil, as [`Loads`].
#[derive(Clone, Debug)]
pub struct RimOnSoil {
    /// The soil, with its committed changes.
    pub soil: Soil,
    contact: SoilContact,
    /// Memory of the contact.
    held: ContactState,
    /// Height of the hub over the undisturbed ground at load zero and at full load, m.
    pub height: [f64; 2],
    /// Force of the soil at the last evaluation.
    pub force: SoilForce,
    skin: Skin,
    at_rest: Vec<f64>,
}

impl RimOnSoil {
    /// `cells` along and across the outer face of each rim element.
    pub fn new(soil: Soil, mesh: &FlexMesh, rim: &[usize], cells: [usize; 2]) -> RimOnSoil {
        let faces: Vec<(usize, f64)> = rim.iter().map(|e| (*e, 0.5)).collect();
        let skin = Skin::new(mesh, &faces, cells);
        let contact = SoilContact::deforming(skin.form.clone(), 0.0);
        let (force, at_rest) = (SoilForce::default(), vec![0.0; mesh.coordinates()]);
        RimOnSoil { soil, contact, held: ContactState::default(), height: [0.0; 2], force, skin, at_rest }
    }

    /// Coordinates of the mesh, height of the hub ⇒ force of the soil. Pure except for the scratch.
    pub fn evaluate(&mut self, mesh: &FlexMesh, q: &[f64], height: f64) {
        let corners = self.skin.place(mesh, q, &self.at_rest, &Vec3::zeros());
        self.contact.deform(corners);
        let X_WS = Pose { p: Vec3::new(0.0, 0.0, height), ..Pose::identity() };
        let motion = SurfaceMotion::at_rest(X_WS);
        let weights = TangentWeights { q: 1.0, v: 0.0 };
        let tangent = Some((weights, &mut Mat6::zeros()));
        self.force = self.contact.evaluate((&self.soil, &self.held), &motion, 0.0, tangent);
    }

    /// Commits the last evaluation to the soil.
    pub fn commit(&mut self, t: f64) {
        self.soil.advance(t, std::iter::once((&mut self.contact, &mut self.held)));
    }
}

impl Loads for RimOnSoil {
    fn add(&mut self, load: f64, mesh: &FlexMesh, q: &[f64], force: &mut [f64], tangent: Option<&mut [f64]>) {
        let height = self.height[0] + load * (self.height[1] - self.height[0]);
        self.evaluate(mesh, q, height);
        self.skin.add_pushes(mesh, self.contact.pushes(), force, tangent);
    }
}
