//! `touchdown.World`: worlds put together in a program, as the facade does it.

use crate::errors;
use crate::simulation::{PySimulation, unknown};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use touchdown::mechanism::{Command, JointKind};
use touchdown::{BodyId, JointId, Solid, World};
use touchdown_math::{Signal, Vec3};

/// A world being put together.
#[pyclass(name = "World", module = "touchdown")]
#[derive(Default)]
pub struct PyWorld(World);

fn vector([x, y, z]: [f64; 3]) -> Vec3 {
    Vec3::new(x, y, z)
}

fn finite(what: &str, values: &[f64]) -> PyResult<()> {
    match values.iter().find(|v| !v.is_finite()) {
        Some(value) => Err(PyValueError::new_err(format!("{what} must be finite, found {value}"))),
        None => Ok(()),
    }
}

impl PyWorld {
    fn body_id(&self, name: &str) -> PyResult<BodyId> {
        self.0.find_body(name).map_err(errors::of_world)
    }

    fn joint_id(&self, name: &str) -> PyResult<JointId> {
        self.0.find_joint(name).map_err(errors::of_world)
    }
}

#[pymethods]
impl PyWorld {
    #[new]
    fn new() -> PyWorld {
        PyWorld(World::new())
    }

    /// A world with the bodies and joints of a URDF file.
    #[staticmethod]
    fn from_urdf(name: &str, path: &str) -> PyResult<PyWorld> {
        World::from_urdf(name, path).map(PyWorld).map_err(errors::of_world)
    }

    /// Gravity along −z, m/s².
    fn gravity(&mut self, g: f64) -> PyResult<()> {
        finite("gravity", &[g])?;
        self.0.gravity(g);
        Ok(())
    }

    /// Simulated time, s.
    fn duration(&mut self, seconds: f64) -> PyResult<()> {
        finite("duration", &[seconds])?;
        self.0.duration(seconds);
        Ok(())
    }

    /// Fixed steps, s.
    fn realtime(&mut self, step: f64) -> PyResult<()> {
        finite("step", &[step])?;
        if step <= 0.0 {
            return Err(PyValueError::new_err(format!("step must be above 0, found {step}")));
        }
        self.0.realtime(step);
        Ok(())
    }

    /// A body; see the stub for its keywords.
    #[pyo3(signature = (name, mass, solid, radius, length, size, axis))]
    #[allow(clippy::too_many_arguments)]
    fn body(
        &mut self,
        name: &str,
        mass: f64,
        solid: &str,
        radius: f64,
        length: f64,
        size: [f64; 3],
        axis: [f64; 3],
    ) -> PyResult<()> {
        finite("mass and size of a body", &[mass, radius, length, size[0], size[1], size[2]])?;
        let solid = match solid {
            "point" => Solid::Point,
            "sphere" => Solid::Sphere { radius },
            "cylinder" => Solid::Cylinder { radius, length, axis: vector(axis) },
            "box" => Solid::Box { size: vector(size) },
            other => {
                let known = ["point", "sphere", "cylinder", "box"].map(String::from);
                return Err(unknown("solid", other, &known));
            }
        };
        self.0.body(name, mass, solid);
        Ok(())
    }

    /// A joint that carries `child`.
    fn joint(
        &mut self,
        name: &str,
        kind: &str,
        parent: Option<&str>,
        child: &str,
        at: [f64; 3],
        axis: [f64; 3],
    ) -> PyResult<()> {
        finite("place and axis of a joint", &[at, axis].concat())?;
        let axis = vector(axis);
        let kind = match kind {
            "revolute" => JointKind::Revolute { axis },
            "prismatic" => JointKind::Prismatic { axis },
            "free" => JointKind::Free,
            other => {
                let known = ["revolute", "prismatic", "free"].map(String::from);
                return Err(unknown("kind of joint", other, &known));
            }
        };
        let parent = parent.map(|name| self.body_id(name)).transpose()?;
        let child = self.body_id(child)?;
        self.0.joint(name, kind, parent, child, vector(at));
        Ok(())
    }

    /// A motor that can be commanded under its name: `speed`, `position` or `force`.
    #[pyo3(signature = (name, joint, follows, value, gain, damping, limit))]
    #[allow(clippy::too_many_arguments)]
    fn drive(
        &mut self,
        name: &str,
        joint: &str,
        follows: &str,
        value: f64,
        gain: f64,
        damping: f64,
        limit: f64,
    ) -> PyResult<()> {
        finite("command, gain and damping of a drive", &[value, gain, damping])?;
        let joint = self.joint_id(joint)?;
        let target = Signal::Constant(value);
        let command = match follows {
            "speed" => Command::Speed { target, gain, limit },
            "position" => Command::Position { target, stiffness: gain, damping, limit },
            "force" => Command::Force(target),
            other => {
                let known = ["speed", "position", "force"].map(String::from);
                return Err(unknown("command of a drive", other, &known));
            }
        };
        self.0.drive(name, joint, command);
        Ok(())
    }

    /// Level soil of the library.
    fn soil(&mut self, name: &str, spacing: f64) -> PyResult<()> {
        finite("spacing", &[spacing])?;
        self.0.soil(name, spacing).map_err(errors::of_world)?;
        Ok(())
    }

    /// A rigid level plane.
    fn plane(&mut self, height: f64) -> PyResult<()> {
        finite("height", &[height])?;
        self.0.plane(height);
        Ok(())
    }

    /// A smooth wheel in soil.
    fn wheel(&mut self, name: &str, body: &str, radius: f64, width: f64) -> PyResult<()> {
        finite("radius and width of a wheel", &[radius, width])?;
        let body = self.body_id(body)?;
        self.0.wheel(name, body, radius, width);
        Ok(())
    }

    /// Names of the bodies.
    #[getter]
    fn bodies(&self) -> Vec<String> {
        self.0.description().mechanism.bodies.iter().map(|body| body.name.clone()).collect()
    }

    /// Names of the joints.
    #[getter]
    fn joints(&self) -> Vec<String> {
        self.0.description().mechanism.joints.iter().map(|joint| joint.name.clone()).collect()
    }

    /// Checks and builds it.
    fn simulate(&self, py: Python<'_>) -> PyResult<PySimulation> {
        let world = self.0.clone();
        let sim = py.detach(move || world.simulate()).map_err(errors::of_world)?;
        Ok(PySimulation::new(sim, None, "world"))
    }
}
