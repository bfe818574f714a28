//! The polygonal contact model, and hard contact for other simulators: a [`Contact`] of two bodies that the other simulator moves.
//!
//! ```
//! use touchdown::geometry::Shape;
//! use touchdown::math::{Pose, Vec3};
//! use touchdown::polygonal::{Contact, Friction, Layer, PairLaw, SurfaceMotion};
//!
//! let law = PairLaw::in_series(&Layer::given(1e9), &Layer::RIGID, 0.0, Friction::None).expect("numbers within their ranges");
//! let ball = Shape::Sphere { radius: 0.1 }.triangulate(64);
//! let block = Shape::Box { size: Vec3::new(1.0, 1.0, 0.2) }.triangulate(3);
//! let mut contact = Contact::between(&ball, &block, law)?;
//! let motion = |z| SurfaceMotion::at_rest(Pose::translation(Vec3::z() * z));
//! let (force, slopes) = contact.evaluate_with_slopes(&motion(0.199), &motion(0.0))?;
//! assert!(force.wrench_C.f.z > 0.0 && slopes.K[(5, 5)] < 0.0);
//! let heat = contact.advance()?;
//! assert_eq!(heat, 0.0);
//! # Ok::<(), touchdown::Error>(())
//! ```

use std::sync::Arc;
use touchdown_contact::polygonal::mesh::{MeshPair, MeshScratch, Reference};
pub use touchdown_contact::polygonal::*;
use touchdown_geometry::{MeshError, MeshProblem, SolidMesh, TriangleMesh};
use touchdown_scenario::Scenario;
use touchdown_sim::description::{PolygonalContact, PolygonalPair};

/// Why a call of a [`Contact`] was refused; nothing has changed then.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ContactError {
    /// An invalid mesh.
    #[error("the mesh of the {side}: {problem}")]
    Mesh {
        /// Whose.
        side: &'static str,
        /// What is wrong.
        problem: MeshError,
    },
    /// A mesh whose faces cannot touch.
    #[error("the mesh of the {side}: {problem}")]
    Surface {
        /// Whose.
        side: &'static str,
        /// What is wrong.
        problem: MeshProblem,
    },
    /// Numbers of a law out of their ranges.
    #[error("the law of the contact: {}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Law(Vec<ParameterError>),
    /// An invalid motion.
    #[error("the motion of the {side} must be made of finite numbers")]
    NotFinite {
        /// Whose.
        side: &'static str,
    },
    /// An advance without an accepted motion.
    #[error(
        "the contact was not evaluated since the last advance: evaluate it at the accepted motion, then advance"
    )]
    NotEvaluated,
    /// A contact that another simulator cannot drive.
    #[error("scenario \"{scenario}\" has no polygonal contact \"{name}\" between bodies of fixed form; there are: {}", known.join(", "))]
    Unknown {
        /// Its name.
        scenario: String,
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// A state of another contact.
    #[error("the state belongs to another contact: it names face {face}, and there are {count}")]
    State {
        /// A face it names.
        face: u32,
        /// How many there are.
        count: usize,
    },
}

/// Two bodies of fixed form that may touch, moved by another simulator. A clone continues independently.
#[derive(Clone, Debug)]
pub struct Contact {
    pair: PolygonalPair,
    state: PolygonalState,
    scratch: MeshScratch,
    slopes: Box<Slopes>,
    /// The motion that the next advance accepts.
    last: Option<(SurfaceMotion, SurfaceMotion)>,
}

impl Contact {
    /// A mesh that carries area against a reference mesh, which should be closed.
    pub fn between(
        body: &TriangleMesh,
        reference: &TriangleMesh,
        law: PairLaw,
    ) -> Result<Contact, ContactError> {
        let problems = law.check();
        if !problems.is_empty() {
            return Err(ContactError::Law(problems));
        }
        let (body, reference) = (solid("body", body)?, solid("reference", reference)?);
        Ok(Contact::of(PolygonalPair::Mesh(Box::new(MeshPair::new(body, Reference::Mesh(reference), law)))))
    }

    /// A contact of a scenario by its name: forms and law, faces in the frame of its first side, the reference in that of its second.
    pub fn of_scenario(scenario: &Scenario, name: &str) -> Result<Contact, ContactError> {
        let fixed = |c: &&PolygonalContact| c.opening.is_none();
        let contacts = || scenario.description.polygonal.iter().filter(fixed);
        let found = contacts().find(|c| c.name == name).map(|c| Contact::of(c.pair.clone()));
        found.ok_or_else(|| ContactError::Unknown {
            scenario: scenario.name.clone(),
            name: name.into(),
            known: contacts().map(|c| c.name.clone()).collect(),
        })
    }

    fn of(pair: PolygonalPair) -> Contact {
        let (state, scratch) = (PolygonalState::default(), MeshScratch::default());
        Contact { pair, state, scratch, slopes: Box::default(), last: None }
    }

    /// Force on the body at these motions; the reference gets the opposite wrench about the same point. Changes nothing that a later call can see, but for
    /// which motion the next [`Contact::advance`] accepts.
    pub fn evaluate(
        &mut self,
        body: &SurfaceMotion,
        reference: &SurfaceMotion,
    ) -> Result<PolygonalForce, ContactError> {
        self.take(body, reference)?;
        Ok(match &self.pair {
            PolygonalPair::Revolution(pair) => pair.evaluate(&self.state, body, reference),
            PolygonalPair::Mesh(pair) => pair.evaluate(&self.state, body, reference, &mut self.scratch),
        })
    }

    /// The same with the derivatives of the wrench by the body's motion, the reference held.
    pub fn evaluate_with_slopes(
        &mut self,
        body: &SurfaceMotion,
        reference: &SurfaceMotion,
    ) -> Result<(PolygonalForce, PolygonalTangent), ContactError> {
        self.take(body, reference)?;
        Ok(match &self.pair {
            PolygonalPair::Revolution(pair) => {
                pair.evaluate_with_slopes(&self.state, body, reference, &mut self.slopes)
            }
            PolygonalPair::Mesh(pair) => {
                pair.evaluate_with_tangent(&self.state, body, reference, &mut self.scratch)
            }
        })
    }

    fn take(&mut self, body: &SurfaceMotion, reference: &SurfaceMotion) -> Result<(), ContactError> {
        for (side, motion) in [("body", body), ("reference", reference)] {
            let parts = [
                motion.X_WS.p.as_slice(),
                motion.X_WS.R.as_slice(),
                motion.v_WS.as_slice(),
                motion.w_WS.as_slice(),
            ];
            if parts.iter().any(|part| part.iter().any(|x| !x.is_finite())) {
                return Err(ContactError::NotFinite { side });
            }
        }
        self.last = Some((*body, *reference));
        Ok(())
    }

    /// Accepts the motion that was evaluated last: anchors follow, faces stick or let go. Returns the heat of letting go at once, J.
    pub fn advance(&mut self) -> Result<f64, ContactError> {
        let (body, reference) = self.last.take().ok_or(ContactError::NotEvaluated)?;
        let done = match &self.pair {
            PolygonalPair::Revolution(pair) => pair.commit(&mut self.state, &body, &reference),
            PolygonalPair::Mesh(pair) => pair.commit(&mut self.state, &body, &reference, &mut self.scratch),
        };
        Ok(done.heat)
    }

    /// What touching faces remember.
    pub fn save(&self) -> PolygonalState {
        self.state.clone()
    }

    /// Goes back to what they remembered.
    pub fn restore(&mut self, state: PolygonalState) -> Result<(), ContactError> {
        let count = match &self.pair {
            PolygonalPair::Revolution(pair) => pair.faces.faces().len(),
            PolygonalPair::Mesh(pair) => pair.mesh.faces().len(),
        };
        if let Some(found) = state.faces.iter().find(|found| found.face as usize >= count) {
            return Err(ContactError::State { face: found.face, count });
        }
        (self.state, self.last) = (state, None);
        Ok(())
    }
}

fn solid(side: &'static str, mesh: &TriangleMesh) -> Result<Arc<SolidMesh>, ContactError> {
    mesh.check().map_err(|problem| ContactError::Mesh { side, problem })?;
    SolidMesh::new(mesh).map(Arc::new).map_err(|problem| ContactError::Surface { side, problem })
}
