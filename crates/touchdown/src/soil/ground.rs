//! Ground with soil that bodies of another simulator touch: evaluate (pure), advance, heights.

use super::GroundError;
use crate::Error;
use touchdown_contact::soil::{
    ContactState, Soil, SoilContact, SoilForce, SoilShape, SoilSurface, TangentWeights,
};
use touchdown_geometry::Missing;
use touchdown_math::{Elementary, Mat3, Mat6, SurfaceMotion, Vec3};
use touchdown_scenario::Scenario;
use touchdown_sim::description::{Ground as AnyGround, SoilGround};

/// How far RᵀR may be from 1: quaternions in single precision are within 1e-6.
const ROTATION: f64 = 1e-5;
/// Most nodes under a body, as in a scenario.
const MOST_NODES: f64 = 1e6;
/// Most heights at once: a square of 400 m on a grid of 20 mm.
const MOST_HEIGHTS: usize = 400_000_000;

/// A scenario for the keys of `[terrain]`: they are read where something touches the soil.
const ALONE: &str = r#"
title = "ground"
duration = "1 s"
[terrain]
[body.probe]
mass = "1 kg"
inertia = ["1 kg m2", "1 kg m2", "1 kg m2"]
[joint.probe]
type = "free"
child = "probe"
[soil_contact.probe]
body = "probe"
box = ["1 m", "1 m", "1 m"]
"#;

/// Derivatives of a wrench about the origin of the surface's frame, world axes; rows and columns 0–2 angular, 3–5 linear.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoilSlopes {
    /// By a small rotation of the body and a displacement of its origin.
    pub K: Mat6,
    /// By its angular velocity and the velocity of its origin.
    pub D: Mat6,
}

/// A patch of soil with the bodies that touch it. A clone continues independently; what neither writes is shared.
#[derive(Clone, Debug)]
pub struct Ground {
    pub(super) soil: Soil,
    pub(super) bodies: Vec<Body>,
    /// Time since the ground was made, s.
    pub(super) t: f64,
    /// Length of the last step, s: how long before an evaluation the last one was accepted.
    pub(super) last_step: f64,
    model: [u8; 32],
}

/// A body on the ground.
#[derive(Clone, Debug)]
pub(super) struct Body {
    name: String,
    contact: SoilContact,
    pub held: ContactState,
    /// Whether its contact knows the motion that the next advance accepts.
    pub is_evaluated: bool,
}

impl Ground {
    /// Soil as a world describes it, with nothing on it.
    pub fn new(description: &SoilGround) -> Result<Ground, Error> {
        for (k, soil) in description.soils.iter().enumerate() {
            refuse(format!("soil {k}"), soil.check())?;
        }
        refuse("options of the soil".into(), description.options.check())?;
        let soil = description.lay();
        let about = (description.spacing, &description.soils, &description.regions, &description.options);
        let model = blake3::hash(format!("{about:?}").as_bytes()).into();
        Ok(Ground { soil, bodies: Vec::new(), t: 0.0, last_step: 0.0, model })
    }

    /// Level soil of the library at z = 0, on a grid of this spacing, m.
    pub fn level(soil: &str, spacing: f64) -> Result<Ground, Error> {
        Ground::with_keys(&[format!("soil={soil}"), format!("spacing_m={spacing:?}")])
    }

    /// Soil by the keys of `[terrain]`, each `KEY=VALUE` as `--set` takes it.
    pub fn with_keys(keys: &[String]) -> Result<Ground, Error> {
        let keys: Vec<String> = keys.iter().map(|key| format!("terrain.{key}")).collect();
        Ground::bare(&crate::scenario_text(ALONE).sets(&keys).load()?)
    }

    /// The soil of a scenario, with nothing on it.
    fn bare(scenario: &Scenario) -> Result<Ground, Error> {
        match &scenario.description.ground {
            Some(AnyGround::Soil(soil)) => Ground::new(soil),
            _ => Err(GroundError::NoSoil(scenario.name.clone()).into()),
        }
    }

    /// The soil of a scenario, with the rigid bodies that touch it there, by their names.
    pub fn of_scenario(scenario: &Scenario) -> Result<Ground, Error> {
        let mut ground = Ground::bare(scenario)?;
        for body in scenario.description.soil_bodies.iter().filter(|body| body.skin.is_none()) {
            ground.add(&body.name, body.surface.clone())?;
        }
        Ok(ground)
    }

    /// Puts a body on the ground; its number.
    pub fn add(&mut self, name: &str, surface: SoilSurface) -> Result<usize, Error> {
        if self.t > 0.0 {
            return Err(GroundError::TooLate { t: self.t }.into());
        }
        if self.bodies.iter().any(|body| body.name == name) {
            return Err(GroundError::TwiceNamed(name.into()).into());
        }
        if let SoilShape::Mesh(mesh) = &surface.shape {
            mesh.check().map_err(|problem| GroundError::Mesh { name: name.into(), problem })?;
        }
        refuse(format!("body \"{name}\""), surface.check(self.soil.spacing()))?;
        let found = (2.0 * reach(&surface.shape) / self.soil.spacing() + 1.0).whole_power(2);
        if found > MOST_NODES {
            return Err(GroundError::TooFine { name: name.into(), found, most: MOST_NODES }.into());
        }
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.model).update(name.as_bytes());
        digest(&surface, &mut hasher);
        self.model = hasher.finalize().into();
        let contact = SoilContact::new(&surface);
        self.bodies.push(Body {
            name: name.into(),
            contact,
            held: ContactState::default(),
            is_evaluated: false,
        });
        Ok(self.bodies.len() - 1)
    }

    /// Names of the bodies, in the order of their numbers.
    pub fn bodies(&self) -> impl Iterator<Item = &str> {
        self.bodies.iter().map(|body| body.name.as_str())
    }

    /// Time since the ground was made, s.
    pub fn time(&self) -> f64 {
        self.t
    }

    /// The soil, for looking at.
    pub fn soil(&self) -> &Soil {
        &self.soil
    }

    /// Force of the soil on a body with this motion of its surface's frame. Changes nothing that a later call can see, but for which
    /// motion the next [`Ground::advance`] accepts: the one that was evaluated last.
    pub fn evaluate(&mut self, body: usize, motion: &SurfaceMotion) -> Result<SoilForce, Error> {
        let force = self.find(body, motion)?;
        Ok(self.sum(body, force, None))
    }

    /// The same with the derivatives of the wrench.
    pub fn evaluate_with_slopes(
        &mut self,
        body: usize,
        motion: &SurfaceMotion,
    ) -> Result<(SoilForce, SoilSlopes), Error> {
        let found = self.find(body, motion)?;
        let mut slopes = SoilSlopes { K: Mat6::zeros(), D: Mat6::zeros() };
        self.sum(body, found, Some((TangentWeights { q: 1.0, v: 0.0 }, &mut slopes.K)));
        let force = self.sum(body, found, Some((TangentWeights { q: 0.0, v: 1.0 }, &mut slopes.D)));
        Ok((force, slopes))
    }

    fn find(&mut self, body: usize, motion: &SurfaceMotion) -> Result<SoilForce, GroundError> {
        let count = self.bodies.len();
        let body = self.bodies.get_mut(body).ok_or(GroundError::NoSuchBody { found: body, count })?;
        check_motion(&body.name, motion)?;
        body.is_evaluated = false;
        let force = body.contact.find((&self.soil, &body.held), motion, self.last_step);
        if let Some([x, y]) = force.missing {
            let why = self.soil.relief().why_missing(x, y).unwrap_or(Missing::OffMap);
            return Err(GroundError::NoGround { name: body.name.clone(), x, y, why });
        }
        body.is_evaluated = true;
        Ok(force)
    }

    fn sum(
        &mut self,
        body: usize,
        mut force: SoilForce,
        slopes: Option<(TangentWeights, &mut Mat6)>,
    ) -> SoilForce {
        self.bodies[body].contact.sum(&self.soil, slopes, &mut force);
        force
    }

    /// Accepts a step of this length, s: nodes remember what the motions that were evaluated last did to them, displaced soil is deposited, and slopes slide.
    pub fn advance(&mut self, dt: f64) -> Result<(), Error> {
        if !(dt > 0.0 && dt.is_finite()) {
            return Err(GroundError::Step(dt).into());
        }
        if let Some(body) = self.bodies.iter().find(|body| !body.is_evaluated) {
            return Err(GroundError::NotEvaluated(body.name.clone()).into());
        }
        (self.t, self.last_step) = (self.t + dt, dt);
        self.soil.advance(self.t, self.bodies.iter_mut().map(|body| (&mut body.contact, &mut body.held)));
        self.bodies.iter_mut().for_each(|body| body.is_evaluated = false);
        Ok(())
    }

    /// Height of the surface at the node nearest to a place, m; `None` where there is no ground.
    pub fn height(&self, x: f64, y: f64) -> Option<f64> {
        self.soil.surface(x, y)
    }

    /// Heights of nx × ny nodes, m, row by row with x running fastest, from the node nearest to `from`; not a number where there is no ground.
    pub fn heights(&self, from: [f64; 2], [nx, ny]: [usize; 2]) -> Result<Vec<f64>, Error> {
        let found = nx.saturating_mul(ny);
        if found > MOST_HEIGHTS {
            return Err(GroundError::TooMany { found, most: MOST_HEIGHTS }.into());
        }
        let ds = self.soil.spacing();
        let [x0, y0] = from.map(|c| (c / ds).round());
        let nodes = (0..ny).flat_map(|j| (0..nx).map(move |i| ((x0 + i as f64) * ds, (y0 + j as f64) * ds)));
        Ok(nodes.map(|(x, y)| self.soil.surface(x, y).unwrap_or(f64::NAN)).collect())
    }

    /// The smallest box [x_min, x_max, y_min, y_max] around the ground that was touched, tile by tile, m; `None` while it is untouched.
    pub fn touched(&self) -> Option<[f64; 4]> {
        self.soil.surface_nodes().fold(None, |found, node| {
            let [x0, x1, y0, y1] = found.unwrap_or([node.x, node.x, node.y, node.y]);
            Some([x0.min(node.x), x1.max(node.x), y0.min(node.y), y1.max(node.y)])
        })
    }

    pub(super) fn model(&self) -> &[u8; 32] {
        &self.model
    }
}

fn refuse(what: String, problems: Vec<touchdown_contact::ParameterError>) -> Result<(), GroundError> {
    if problems.is_empty() { Ok(()) } else { Err(GroundError::Parameters { what, problems }) }
}

/// Distance of the farthest place of a form from its frame's origin, m.
fn reach(shape: &SoilShape) -> f64 {
    match shape {
        SoilShape::Wheel { radius, width, grousers } => {
            Vec3::new(radius + grousers.map_or(0.0, |bars| bars.height), 0.5 * width, 0.0).norm()
        }
        SoilShape::Mesh(mesh) => mesh.vertices.iter().map(|v| v.norm()).fold(0.0, f64::max),
    }
}

/// All numbers of a surface into a hash.
fn digest(surface: &SoilSurface, hasher: &mut blake3::Hasher) {
    hasher.update(format!("{:?}{}", surface.carried_layer, surface.bedded).as_bytes());
    match &surface.shape {
        SoilShape::Mesh(mesh) => {
            let numbers = mesh.vertices.iter().flatten().map(|x| x.to_bits());
            let indices = mesh.triangles.iter().flatten().map(|k| u64::from(*k));
            numbers.chain(indices).for_each(|number| {
                hasher.update(&number.to_le_bytes());
            });
        }
        wheel => {
            hasher.update(format!("{wheel:?}").as_bytes());
        }
    }
}

fn check_motion(name: &str, motion: &SurfaceMotion) -> Result<(), GroundError> {
    let parts = [
        ("the place", motion.X_WS.p.as_slice()),
        ("the rotation", motion.X_WS.R.as_slice()),
        ("the velocity", motion.v_WS.as_slice()),
        ("the angular velocity", motion.w_WS.as_slice()),
    ];
    for (what, numbers) in parts {
        if let Some(&found) = numbers.iter().find(|x| !x.is_finite()) {
            return Err(GroundError::NotFinite { name: name.into(), what, found });
        }
    }
    let R = &motion.X_WS.R;
    let off = (R.transpose() * R - Mat3::identity()).amax().max((R.determinant() - 1.0).abs());
    if off > ROTATION { Err(GroundError::NotARotation { name: name.into(), off }) } else { Ok(()) }
}
