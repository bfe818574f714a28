//! `touchdown.soil`: a ground that bodies of another simulator touch.

use crate::errors;
use crate::knobs::settings;
use crate::motion::{Row, matrix, motion, of_rows, rows, six};
use numpy::{AllowTypeChange, PyArray1, PyArray2, PyArray3, PyArrayLike2, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::sync::{Mutex, MutexGuard};
use touchdown::geometry::{Shape, TriangleMesh};
use touchdown::math::{SurfaceMotion, Vec3};
use touchdown::soil::{Ground, GroundState, Grousers, SoilForce, SoilShape, SoilSurface};

/// Corners around a round foot: its area is within 0.03 % of the circle's.
const AROUND: u32 = 144;

/// What the soil does to a body.
#[pyclass(name = "SoilForce", module = "touchdown", frozen)]
pub struct PySoilForce(SoilForce);

#[pymethods]
impl PySoilForce {
    /// Torque, then force, on the body about its origin, world axes.
    #[getter]
    fn wrench<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &six(&self.0.wrench_C))
    }

    /// Force, N.
    #[getter]
    fn force<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.0.wrench_C.f.as_slice())
    }

    /// Torque about the origin, N m.
    #[getter]
    fn torque<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.0.wrench_C.t.as_slice())
    }

    /// Where the resultant acts, m.
    #[getter]
    fn centre<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.0.p_WQ.as_slice())
    }

    /// Depth of the deepest point below the undisturbed ground, m.
    #[getter]
    fn sinkage(&self) -> f64 {
        self.0.sinkage
    }

    /// Horizontal projection of the contact, m².
    #[getter]
    fn area(&self) -> f64 {
        self.0.area
    }

    /// Largest pressure, Pa.
    #[getter]
    fn pressure_max(&self) -> f64 {
        self.0.pressure_max
    }

    /// Power that the body puts into the soil, W.
    #[getter]
    fn dissipated_power(&self) -> f64 {
        self.0.dissipated_power
    }

    /// Nodes of the grid that carry.
    #[getter]
    fn nodes(&self) -> u32 {
        self.0.nodes
    }

    fn __repr__(&self) -> String {
        let f = &self.0.wrench_C.f;
        format!(
            "<touchdown.SoilForce [{:.6}, {:.6}, {:.6}] N, sinkage {:.6} m>",
            f.x, f.y, f.z, self.0.sinkage
        )
    }
}

/// A ground's state.
#[pyclass(name = "GroundState", module = "touchdown", frozen)]
pub struct PyGroundState(GroundState);

#[pymethods]
impl PyGroundState {
    /// From the bytes of `to_bytes`.
    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<PyGroundState> {
        GroundState::from_bytes(bytes).map(PyGroundState).map_err(errors::of_ground)
    }

    /// Time of the ground, s.
    #[getter]
    fn time(&self) -> f64 {
        self.0.time()
    }

    /// As bytes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.to_bytes())
    }

    fn __eq__(&self, other: &PyGroundState) -> bool {
        self.0 == other.0
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        Ok((py.get_type::<PyGroundState>().getattr("from_bytes")?, (self.to_bytes(py),)))
    }
}

/// A ground.
#[pyclass(name = "Ground", module = "touchdown", frozen)]
pub struct PyGround(Mutex<Ground>);

impl PyGround {
    fn of(ground: Result<Ground, touchdown::Error>) -> PyResult<PyGround> {
        ground.map(|ground| PyGround(Mutex::new(ground))).map_err(errors::of_ground)
    }

    fn lock(&self) -> PyResult<MutexGuard<'_, Ground>> {
        let busy = |_| {
            errors::BusyError::new_err(
                "this ground is being used by another thread; give each thread its own (ground.fork())",
            )
        };
        self.0.try_lock().map_err(busy)
    }

    fn add(&self, name: &str, shape: SoilShape, (carried_layer, bedded): (f64, bool)) -> PyResult<usize> {
        self.lock()?.add(name, SoilSurface { shape, carried_layer, bedded }).map_err(errors::of_ground)
    }
}

/// All motions of a call.
type Motions = Vec<SurfaceMotion>;
/// A table of numbers: an array, or a list of lists.
type Table<'py> = PyArrayLike2<'py, f64, AllowTypeChange>;

fn motions(poses: &Table<'_>, velocities: &Table<'_>, count: usize) -> PyResult<Motions> {
    let (poses, velocities) = (poses.as_array(), velocities.as_array());
    if poses.shape() != [count, 7] || velocities.shape() != [count, 6] {
        return Err(PyValueError::new_err(format!(
            "this ground has {count} bodies: poses must be {count} × 7 and velocities {count} × 6, found {:?} and {:?}",
            poses.shape(),
            velocities.shape()
        )));
    }
    let pairs = poses.outer_iter().zip(velocities.outer_iter());
    pairs.map(|(pose, velocity)| motion(&pose.to_vec(), &velocity.to_vec())).collect()
}

#[pymethods]
impl PyGround {
    /// By the keys of `[terrain]`.
    #[new]
    #[pyo3(signature = (keys))]
    fn new(keys: &Bound<'_, PyDict>) -> PyResult<PyGround> {
        PyGround::of(Ground::with_keys(&settings(Some(keys))?))
    }

    /// That of a scenario, with its bodies.
    #[staticmethod]
    fn of_scenario(source: &str, knobs: &Bound<'_, PyDict>) -> PyResult<PyGround> {
        let from = if source.contains('\n') { touchdown::scenario_text } else { touchdown::scenario };
        let scenario = from(source).sets(&settings(Some(knobs))?).load().map_err(errors::of_ground)?;
        PyGround::of(Ground::of_scenario(&scenario))
    }

    /// A wheel about its y axis.
    fn wheel(
        &self,
        name: &str,
        radius: f64,
        width: f64,
        bars: Option<(u32, f64, f64)>,
        carried: f64,
    ) -> PyResult<usize> {
        let grousers = bars.map(|(count, height, thickness)| Grousers { count, height, thickness });
        self.add(name, SoilShape::Wheel { radius, width, grousers }, (carried, false))
    }

    /// A mesh.
    fn mesh(
        &self,
        name: &str,
        vertices: Vec<[f64; 3]>,
        triangles: Vec<[u32; 3]>,
        carried: f64,
        bedded: bool,
    ) -> PyResult<usize> {
        let vertices = vertices.into_iter().map(Vec3::from).collect();
        self.add(name, SoilShape::Mesh(TriangleMesh { vertices, triangles }), (carried, bedded))
    }

    /// A foot: a disc, a plate or a ball.
    fn foot(&self, name: &str, shape: &str, size: [f64; 3]) -> PyResult<usize> {
        let [a, b, c] = size;
        if !(a > 0.0 && b > 0.0 && c > 0.0 && a + b + c < f64::INFINITY) {
            return Err(PyValueError::new_err(format!(
                "the sizes of a foot must be above 0 and finite, found {size:?}"
            )));
        }
        let shape = match shape {
            "disc" => Shape::Cylinder { radius: a, length: c },
            "ball" => Shape::Sphere { radius: a },
            _ => Shape::Box { size: Vec3::new(a, b, c) },
        };
        self.add(name, SoilShape::Mesh(shape.triangulate(AROUND)), (0.0, false))
    }

    /// Names of the bodies.
    #[getter]
    fn bodies(&self) -> PyResult<Vec<String>> {
        Ok(self.lock()?.bodies().map(String::from).collect())
    }

    /// Time, s.
    #[getter]
    fn time(&self) -> PyResult<f64> {
        Ok(self.lock()?.time())
    }

    /// Distance of the nodes, m.
    #[getter]
    fn spacing(&self) -> PyResult<f64> {
        Ok(self.lock()?.soil().spacing())
    }

    /// Soil moved so far, m³, and the error of its account relative to it.
    #[getter]
    fn volume(&self) -> PyResult<(f64, f64)> {
        let ground = self.lock()?;
        Ok((ground.soil().volume_moved(), ground.soil().volume_error_relative()))
    }

    /// Force on a body.
    fn evaluate(&self, body: usize, pose: Row<'_>, velocity: Row<'_>) -> PyResult<PySoilForce> {
        let motion = of_rows(&pose, &velocity)?;
        self.lock()?.evaluate(body, &motion).map(PySoilForce).map_err(errors::of_ground)
    }

    /// Force on a body, with the derivatives of its wrench by pose and by velocity.
    #[allow(clippy::type_complexity)]
    fn evaluate_with_slopes<'py>(
        &self,
        py: Python<'py>,
        body: usize,
        pose: Row<'py>,
        velocity: Row<'py>,
    ) -> PyResult<(PySoilForce, Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<f64>>)> {
        let motion = of_rows(&pose, &velocity)?;
        let (force, slopes) = self.lock()?.evaluate_with_slopes(body, &motion).map_err(errors::of_ground)?;
        Ok((PySoilForce(force), matrix(py, &slopes.K)?, matrix(py, &slopes.D)?))
    }

    /// Wrenches on all bodies.
    fn evaluate_all<'py>(
        &self,
        py: Python<'py>,
        poses: Table<'py>,
        velocities: Table<'py>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let mut ground = self.lock()?;
        let count = ground.bodies().count();
        let motions = motions(&poses, &velocities, count)?;
        let ground: &mut Ground = &mut ground;
        let wrenches = py.detach(|| -> Result<Vec<f64>, touchdown::Error> {
            let mut out = Vec::with_capacity(6 * count);
            for (body, motion) in motions.iter().enumerate() {
                out.extend(six(&ground.evaluate(body, motion)?.wrench_C));
            }
            Ok(out)
        });
        PyArray1::from_vec(py, wrenches.map_err(errors::of_ground)?).reshape([count, 6])
    }

    /// Wrenches on all bodies with their derivatives by pose and by velocity.
    #[allow(clippy::type_complexity)]
    fn evaluate_all_with_slopes<'py>(
        &self,
        py: Python<'py>,
        poses: Table<'py>,
        velocities: Table<'py>,
    ) -> PyResult<(Bound<'py, PyArray2<f64>>, Bound<'py, PyArray3<f64>>, Bound<'py, PyArray3<f64>>)> {
        let mut ground = self.lock()?;
        let count = ground.bodies().count();
        let motions = motions(&poses, &velocities, count)?;
        let ground: &mut Ground = &mut ground;
        let made = py.detach(|| -> Result<[Vec<f64>; 3], touchdown::Error> {
            let mut out = [
                Vec::with_capacity(6 * count),
                Vec::with_capacity(36 * count),
                Vec::with_capacity(36 * count),
            ];
            for (body, motion) in motions.iter().enumerate() {
                let (force, slopes) = ground.evaluate_with_slopes(body, motion)?;
                out[0].extend(six(&force.wrench_C));
                out[1].extend(rows(&slopes.K));
                out[2].extend(rows(&slopes.D));
            }
            Ok(out)
        });
        let [W, K, D] = made.map_err(errors::of_ground)?.map(|numbers| PyArray1::from_vec(py, numbers));
        Ok((W.reshape([count, 6])?, K.reshape([count, 6, 6])?, D.reshape([count, 6, 6])?))
    }

    /// Accepts a step.
    fn advance(&self, py: Python<'_>, dt: f64) -> PyResult<()> {
        let mut guard = self.lock()?;
        let ground: &mut Ground = &mut guard;
        py.detach(|| ground.advance(dt)).map_err(errors::of_ground)
    }

    /// Height at the nearest node, m.
    fn height(&self, x: f64, y: f64) -> PyResult<f64> {
        Ok(self.lock()?.height(x, y).unwrap_or(f64::NAN))
    }

    /// Heights of ny × nx nodes, m.
    fn heights<'py>(
        &self,
        py: Python<'py>,
        x: f64,
        y: f64,
        nx: usize,
        ny: usize,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let heights = self.lock()?.heights([x, y], [nx, ny]).map_err(errors::of_ground)?;
        PyArray1::from_vec(py, heights).reshape([ny, nx])
    }

    /// Box around the touched ground, m.
    #[getter]
    fn touched(&self) -> PyResult<Option<[f64; 4]>> {
        Ok(self.lock()?.touched())
    }

    /// The present state.
    fn save(&self) -> PyResult<PyGroundState> {
        Ok(PyGroundState(self.lock()?.save()))
    }

    /// Goes back to a state.
    fn restore(&self, state: &PyGroundState) -> PyResult<()> {
        self.lock()?.restore(state.0.clone()).map_err(errors::of_ground)
    }

    /// A second ground that goes on by itself.
    fn fork(&self) -> PyResult<PyGround> {
        Ok(PyGround(Mutex::new(self.lock()?.clone())))
    }
}
