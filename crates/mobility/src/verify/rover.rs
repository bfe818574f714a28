//! Measures of a rover, from its machine: wheelbase, track and rim.

use crate::map::MapStageError;
use touchdown_contact::soil::SoilShape;
use touchdown_math::Elementary;
use touchdown_scenario::{Scenario, load_str};
use touchdown_sim::Simulation;

/// What a map needs to know of a rover.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Footprint {
    /// From the foremost to the rearmost wheel, m.
    pub wheelbase_m: f64,
    /// From the left to the right wheels, m.
    pub track_m: f64,
    /// Radius of the rims, m.
    pub rim_m: f64,
    /// Distance of the farthest wheel from the middle, m.
    pub turn_radius_m: f64,
}

impl Footprint {
    /// Of a machine by its name or file.
    pub fn of(rover: &str) -> Result<Footprint, MapStageError> {
        let text = format!(
            "title = \"A rover at rest\"\nduration = \"1 s\"\ngravity = \"mars\"\nintegrator = {{ name = \"realtime\", step = \"1 ms\" }}\n[terrain]\nsoil = \"lunar-nominal\"\n[machine.rover]\nuse = {rover:?}\n"
        );
        let why = |why: String| MapStageError::Run { name: format!("of {rover}"), why };
        let scenario =
            load_str("rover.toml", &text, ".".as_ref(), &[]).map_err(|error| why(error.to_string()))?;
        let mut world = Simulation::build(&scenario.description)
            .map_err(|errors| why(scenario.explain(&errors).to_string()))?;
        let mut places = Vec::new();
        let mut rim_m: f64 = 0.0;
        for wheel in wheels(&scenario) {
            let body = &scenario.description.mechanism.bodies[wheel.body].name;
            let mut at = [0.0; 2];
            for (k, axis) in ["x", "y"].into_iter().enumerate() {
                at[k] = world
                    .observe_one(&format!("body.{body}.{axis}_m"))
                    .map_err(|error| why(error.to_string()))?;
            }
            places.push(at);
            rim_m = rim_m.max(wheel.radius);
        }
        if places.len() < 3 {
            return Err(why(format!("it has {} wheels on soil, allowed: three or more", places.len())));
        }
        let ends = |k: usize| {
            let of = |fold: fn(f64, f64) -> f64, start| places.iter().map(|at| at[k]).fold(start, fold);
            [of(f64::min, f64::INFINITY), of(f64::max, f64::NEG_INFINITY)]
        };
        let ([rear, front], [right, left]) = (ends(0), ends(1));
        let middle = [0.5 * (rear + front), 0.5 * (right + left)];
        let from_middle = places.iter().map(|at| (at[0] - middle[0]).hypotenuse(at[1] - middle[1]));
        Ok(Footprint {
            wheelbase_m: front - rear,
            track_m: left - right,
            rim_m,
            turn_radius_m: from_middle.fold(0.0, f64::max),
        })
    }
}

/// A wheel on soil.
pub(super) struct Wheel {
    /// Its body.
    pub body: usize,
    /// Radius of its rim, m.
    pub radius: f64,
}

/// The wheels of the first vehicle.
pub(super) fn wheels(scenario: &Scenario) -> Vec<Wheel> {
    let world = &scenario.description;
    let wheels = world.vehicles.first().map_or(&[][..], |vehicle| &vehicle.wheels);
    wheels
        .iter()
        .filter_map(|wheel| {
            let on_soil = world.soil_bodies.get(*wheel)?;
            match &on_soil.surface.shape {
                SoilShape::Wheel { radius, .. } => Some(Wheel { body: on_soil.body, radius: *radius }),
                SoilShape::Mesh(_) => None,
            }
        })
        .collect()
}
