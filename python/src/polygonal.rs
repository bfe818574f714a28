//! `touchdown.polygonal`: a hard contact of two bodies that another simulator moves.

use crate::errors;
use crate::knobs::settings;
use crate::motion::{Row, matrix, of_rows, six};
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Mutex, MutexGuard};
use touchdown::geometry::TriangleMesh;
use touchdown::math::Vec3;
use touchdown::polygonal::{Contact, Friction, Layer, PairLaw, PolygonalForce, PolygonalState};

/// What a contact does to the body that carries the area.
#[pyclass(name = "HardForce", module = "touchdown", frozen)]
pub struct PyHardForce(PolygonalForce);

#[pymethods]
impl PyHardForce {
    /// Torque, then force, on the body about its origin, world axes.
    #[getter]
    fn wrench<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &six(&self.0.wrench_C))
    }

    /// Sum of the normal forces, N.
    #[getter]
    fn normal_force(&self) -> f64 {
        self.0.normal_force
    }

    /// Contact area, m².
    #[getter]
    fn area(&self) -> f64 {
        self.0.area
    }

    /// Largest penetration, m.
    #[getter]
    fn penetration_max(&self) -> f64 {
        self.0.penetration_max
    }

    /// Largest pressure, Pa.
    #[getter]
    fn pressure_max(&self) -> f64 {
        self.0.pressure_max
    }

    /// Centre of pressure, m.
    #[getter]
    fn centre<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.0.p_WQ.as_slice())
    }

    /// Stored energy, J.
    #[getter]
    fn elastic_energy(&self) -> f64 {
        self.0.elastic_energy
    }
}

/// What touching faces remember.
#[pyclass(name = "HardState", module = "touchdown", frozen)]
pub struct PyHardState(PolygonalState);

#[pymethods]
impl PyHardState {
    fn __eq__(&self, other: &PyHardState) -> bool {
        self.0 == other.0
    }
}

/// A contact.
#[pyclass(name = "HardContact", module = "touchdown", frozen)]
pub struct PyHardContact(Mutex<Contact>);

/// Vertices and triangles.
type Mesh = (Vec<[f64; 3]>, Vec<[u32; 3]>);

impl PyHardContact {
    fn lock(&self) -> PyResult<MutexGuard<'_, Contact>> {
        let busy = |_| {
            errors::BusyError::new_err(
                "this contact is being used by another thread; give each thread its own (contact.fork())",
            )
        };
        self.0.try_lock().map_err(busy)
    }
}

#[pymethods]
impl PyHardContact {
    /// Two meshes with one law.
    #[new]
    fn new(
        body: Mesh,
        reference: Mesh,
        normal: [f64; 3],
        shear: [f64; 2],
        friction: Option<[f64; 3]>,
    ) -> PyResult<PyHardContact> {
        let mesh = |(vertices, triangles): Mesh| TriangleMesh {
            vertices: vertices.into_iter().map(Vec3::from).collect(),
            triangles,
        };
        let [stiffness, damping, damping_depth] = normal;
        let [shear_stiffness, shear_damping] = shear;
        let layer = Layer { stiffness, damping, shear_stiffness, shear_damping, depth: f64::INFINITY };
        let friction = friction.map_or(Friction::None, |[stick, slip, release_speed]| Friction::StickSlip {
            stick,
            slip,
            release_speed,
        });
        let law = PairLaw::in_series(&layer, &Layer::RIGID, damping_depth, friction).map_err(|problems| {
            PyValueError::new_err(problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
        })?;
        let contact = Contact::between(&mesh(body), &mesh(reference), law).map_err(errors::of_contact)?;
        Ok(PyHardContact(Mutex::new(contact)))
    }

    /// That of a scenario, by its name.
    #[staticmethod]
    fn of_scenario(source: &str, name: &str, knobs: &Bound<'_, PyDict>) -> PyResult<PyHardContact> {
        let from = if source.contains('\n') { touchdown::scenario_text } else { touchdown::scenario };
        let scenario = from(source).sets(&settings(Some(knobs))?).load().map_err(errors::of_world)?;
        Ok(PyHardContact(Mutex::new(Contact::of_scenario(&scenario, name).map_err(errors::of_contact)?)))
    }

    /// Force on the body.
    fn evaluate(
        &self,
        pose: Row<'_>,
        velocity: Row<'_>,
        other_pose: Row<'_>,
        other_velocity: Row<'_>,
    ) -> PyResult<PyHardForce> {
        let (body, reference) = (of_rows(&pose, &velocity)?, of_rows(&other_pose, &other_velocity)?);
        self.lock()?.evaluate(&body, &reference).map(PyHardForce).map_err(errors::of_contact)
    }

    /// Force on the body with the derivatives of its wrench by pose and by velocity.
    #[allow(clippy::type_complexity)]
    fn evaluate_with_slopes<'py>(
        &self,
        py: Python<'py>,
        body: (Row<'py>, Row<'py>),
        reference: (Row<'py>, Row<'py>),
    ) -> PyResult<(PyHardForce, Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<f64>>)> {
        let (body, reference) = (of_rows(&body.0, &body.1)?, of_rows(&reference.0, &reference.1)?);
        let (force, slopes) =
            self.lock()?.evaluate_with_slopes(&body, &reference).map_err(errors::of_contact)?;
        Ok((PyHardForce(force), matrix(py, &slopes.K)?, matrix(py, &slopes.D)?))
    }

    /// Accepts the motion that was evaluated last; heat of letting go, J.
    fn advance(&self) -> PyResult<f64> {
        self.lock()?.advance().map_err(errors::of_contact)
    }

    /// What touching faces remember.
    fn save(&self) -> PyResult<PyHardState> {
        Ok(PyHardState(self.lock()?.save()))
    }

    /// Goes back to it.
    fn restore(&self, state: &PyHardState) -> PyResult<()> {
        self.lock()?.restore(state.0.clone()).map_err(errors::of_contact)
    }

    /// A second contact that goes on by itself.
    fn fork(&self) -> PyResult<PyHardContact> {
        Ok(PyHardContact(Mutex::new(self.lock()?.clone())))
    }
}
