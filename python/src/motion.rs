//! Poses and velocities of another simulator: seven numbers (place, then quaternion w x y z) and six (angular velocity, then velocity of the origin).

use numpy::{AllowTypeChange, PyArray1, PyArrayLike1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use touchdown::math::{Mat6, SurfaceMotion, Wrench};

/// A row of numbers: an array, or a list.
pub type Row<'py> = PyArrayLike1<'py, f64, AllowTypeChange>;

/// The motion of a surface's frame.
pub fn motion(pose: &[f64], velocity: &[f64]) -> PyResult<SurfaceMotion> {
    let (Ok(of_pose), Ok(of_velocity)) = (pose.try_into(), velocity.try_into()) else {
        return Err(PyValueError::new_err(format!(
            "a pose has 7 numbers (x y z, then the quaternion w x y z) and a velocity 6 (angular, then linear), found {} and {}",
            pose.len(),
            velocity.len()
        )));
    };
    touchdown::motion_from(of_pose, of_velocity).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The same from arrays.
pub fn of_rows(pose: &Row<'_>, velocity: &Row<'_>) -> PyResult<SurfaceMotion> {
    let contiguous = |_| PyValueError::new_err("pose and velocity must be contiguous");
    motion(pose.as_slice().map_err(contiguous)?, velocity.as_slice().map_err(contiguous)?)
}

/// Torque, then force.
pub fn six(wrench: &Wrench) -> [f64; 6] {
    [wrench.t.x, wrench.t.y, wrench.t.z, wrench.f.x, wrench.f.y, wrench.f.z]
}

/// Rows of a matrix.
pub fn rows(matrix: &Mat6) -> [f64; 36] {
    std::array::from_fn(|k| matrix[(k / 6, k % 6)])
}

/// A matrix of 6 × 6 as an array.
pub fn matrix<'py>(py: Python<'py>, of: &Mat6) -> PyResult<Bound<'py, numpy::PyArray2<f64>>> {
    use numpy::PyArrayMethods;
    PyArray1::from_slice(py, &rows(of)).reshape([6, 6])
}
