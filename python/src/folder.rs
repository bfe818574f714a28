//! What a run folder shows, as arrays: forms, poses, forces, soil. For converters to other viewers.

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::path::PathBuf;
use touchdown_geometry::Shape;
use touchdown_math::Vec3;
use touchdown_record::{FramesRead, read_frames};
use touchdown_sim::description::Visual;
use touchdown_sim::show::{GroundView, ReliefSample};
use touchdown_sim::sink::{Frame, SoilPatch};

/// Frames of a folder, flattened.
#[derive(Default)]
struct Frames {
    times: Vec<f64>,
    poses: Vec<f64>,
    contacts: Vec<f64>,
    soil: Vec<(usize, SoilPatch)>,
}

impl Frames {
    fn take(&mut self, frame: &Frame) {
        for patch in &frame.soil {
            self.soil.push((self.times.len(), patch.clone()));
        }
        self.times.push(frame.time);
        for pose in &frame.poses {
            self.poses.extend(pose.p_WB.iter().chain(&pose.q_WB));
        }
        for contact in &frame.contacts {
            self.contacts.extend(contact.p_WC.iter().chain(contact.f_W.iter()));
        }
    }
}

/// Everything that the frames of a run folder show: see `touchdown.rerun`.
#[pyfunction]
pub fn read_folder<'py>(py: Python<'py>, folder: PathBuf) -> PyResult<Bound<'py, PyDict>> {
    let mut frames = Frames::default();
    let read = py.detach(|| read_frames(&folder, |frame| frames.take(frame)));
    let out = PyDict::new(py);
    let FramesRead { scene, notes, .. } = read;
    out.set_item("notes", notes)?;
    out.set_item("bodies", &scene.bodies)?;
    out.set_item("contacts", scene.contacts.iter().map(|contact| contact.name.as_str()).collect::<Vec<_>>())?;
    let forms: Vec<_> = scene.visuals.iter().map(|form| visual(py, form)).collect::<PyResult<_>>()?;
    out.set_item("forms", forms)?;
    out.set_item("ground", scene.ground.as_ref().map(|view| ground(py, view)).transpose()?)?;
    let count = frames.times.len();
    let [bodies, contacts] = [scene.bodies.len(), scene.contacts.len()];
    out.set_item("poses", PyArray1::from_vec(py, frames.poses).reshape([count, bodies, 7])?)?;
    out.set_item("forces", PyArray1::from_vec(py, frames.contacts).reshape([count, contacts, 6])?)?;
    out.set_item("times", PyArray1::from_vec(py, frames.times))?;
    let soil = PyList::empty(py);
    for (frame, patch) in &frames.soil {
        let heights = PyArray1::from_slice(py, &patch.heights).reshape([patch.ny, patch.nx])?;
        soil.append((*frame, patch.x0, patch.y0, patch.spacing, heights))?;
    }
    out.set_item("soil", soil)?;
    Ok(out)
}

fn visual<'py>(py: Python<'py>, form: &Visual) -> PyResult<Bound<'py, PyDict>> {
    let out = PyDict::new(py);
    out.set_item("name", &form.name)?;
    out.set_item("body", form.body)?;
    out.set_item("place", <[f64; 3]>::from(form.X_BG.p))?;
    let q = form.X_BG.quaternion();
    out.set_item("quaternion", [q.w, q.i, q.j, q.k])?;
    out.set_item("colour", form.colour)?;
    match &form.shape {
        Shape::Box { size } => out.set_item("box", <[f64; 3]>::from(*size))?,
        Shape::Sphere { radius } => out.set_item("sphere", *radius)?,
        Shape::Cylinder { radius, length } => out.set_item("cylinder", (*radius, *length))?,
        Shape::Mesh(mesh) => {
            out.set_item("mesh", (corners(py, &mesh.vertices)?, triangles(py, &mesh.triangles)?))?
        }
    }
    Ok(out)
}

fn corners<'py>(py: Python<'py>, corners: &[Vec3]) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let numbers: Vec<f64> = corners.iter().flat_map(|corner| <[f64; 3]>::from(*corner)).collect();
    PyArray1::from_vec(py, numbers).reshape([corners.len(), 3])
}

fn triangles<'py>(py: Python<'py>, triangles: &[[u32; 3]]) -> PyResult<Bound<'py, PyArray2<u32>>> {
    PyArray1::from_vec(py, triangles.as_flattened().to_vec()).reshape([triangles.len(), 3])
}

/// The undisturbed ground: a plane by point and normal, or heights over x0, y0, spacing.
fn ground<'py>(py: Python<'py>, view: &GroundView) -> PyResult<Bound<'py, PyDict>> {
    let out = PyDict::new(py);
    match view {
        GroundView::Plane { point, normal } => {
            out.set_item("plane", (<[f64; 3]>::from(*point), <[f64; 3]>::from(*normal)))?;
        }
        GroundView::Relief { relief } | GroundView::Soil { relief, .. } => {
            let ReliefSample { x0, y0, spacing, nx, ny, heights } = relief;
            let heights = PyArray1::from_slice(py, heights).reshape([*ny, *nx])?;
            out.set_item("relief", (*x0, *y0, *spacing, heights))?;
        }
    }
    Ok(out)
}
