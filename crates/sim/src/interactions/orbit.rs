//! Effects of the orbit on bodies: differential gravity, gravity-gradient torque, sunlight on wings.

use super::{How, Interaction, Making};
use crate::description::{Satellites, WingBody};
use crate::engine::simulation::WorldError;
use crate::engine::system::{Instant, System};
use touchdown_math::{Vec3, Wrench};
use touchdown_multibody::rigid::elements::Powers;
use touchdown_multibody::rigid::{Cache, Model, WORLD, kinematics};
use touchdown_spacecraft::orbit::{Orbit, Reflection, SolarPressure};

/// Orbit and sunlight.
#[derive(Clone, Debug)]
pub(crate) struct Environment {
    orbit: Option<Orbit>,
    sun: Option<SolarPressure>,
    wings: Vec<WingBody>,
}

impl Environment {
    /// From a description; `None` without orbit and sunlight.
    pub fn new(satellites: &Satellites) -> Option<Environment> {
        let (orbit, sun, wings) = (satellites.orbit, satellites.sun, satellites.wings.clone());
        (orbit.is_some() || sun.is_some()).then_some(Environment { orbit, sun, wings })
    }

    /// Adds the wrenches on all bodies. Their derivatives are left out: n² times a mass is some 1e-9 of any
    /// stiffness here. Rotors are also left out, because their mass belongs to their carrier.
    fn push(&self, model: &Model, cache: &mut Cache, t: f64) -> Powers {
        let mut loads = 0.0;
        if let Some(orbit) = &self.orbit {
            for (i, body) in model.bodies.iter().enumerate() {
                if body.link == WORLD || body.mass == 0.0 {
                    continue;
                }
                let X_WB = kinematics::body_pose(model, cache, i);
                let p_W = X_WB.point(&body.com);
                let torque = if orbit.gravity_gradient {
                    orbit.gravity_gradient_torque(&(X_WB.R * body.inertia * X_WB.R.transpose()), t)
                } else {
                    Vec3::zeros()
                };
                loads += add_load(model, cache, (i, p_W), orbit.acceleration(&p_W, t) * body.mass, torque);
            }
        }
        if let Some(sun) = &self.sun {
            for wing in &self.wings {
                let X_WB = kinematics::body_pose(model, cache, wing.body);
                let f = sun.force(wing.area, &(X_WB.R * Vec3::z()), &Reflection::default());
                let place = (wing.body, X_WB.point(&wing.centre));
                loads += add_load(model, cache, place, f, Vec3::zeros());
            }
        }
        Powers { loads, ..Powers::default() }
    }
}

/// Adds a force at a point of a body and a torque; returns their power.
pub(crate) fn add_load(
    model: &Model,
    cache: &mut Cache,
    (body, p_W): (usize, Vec3),
    f: Vec3,
    torque: Vec3,
) -> f64 {
    let link = model.bodies[body].link;
    cache.W_body[body] += Wrench::force_at(f, &(p_W - cache.c)) + Wrench::new(torque, Vec3::zeros());
    if link == WORLD {
        return 0.0;
    }
    let V = &cache.V[link];
    let loads = f.dot(&kinematics::point_velocity(cache, V, &p_W)) + torque.dot(&V.w);
    cache.parts.book(cache.parts.of_link(link), Powers { loads, ..Powers::default() });
    loads
}

/// Orbit and sunlight act on all bodies; they have no parts, columns or memory.
impl Interaction for Environment {
    const NAME: &'static str = "orbits";
    type Parts = Option<Environment>;
    type Memory = ();
    type Book = ();
    type Drawn = ();
    type Value = ();

    fn build(making: &mut Making) -> Result<Option<Environment>, Vec<WorldError>> {
        Ok(Environment::new(&making.description.satellites))
    }

    fn count(system: &System) -> usize {
        usize::from(system.acts.orbit.is_some())
    }

    fn evaluate(system: &mut System, at: &Instant, _how: How) -> Powers {
        match &system.acts.orbit {
            Some(environment) => environment.push(&system.model, &mut system.cache, at.t),
            None => Powers::default(),
        }
    }
}
