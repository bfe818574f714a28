//! Collision shapes: the shapes of `[collision.NAME]`, as in a URDF, become contacts with the ground by the
//! law of `[touch]`.

use super::Builder;
use super::contact::place_in_body;
use super::foot::HARD;
use super::names::glob;
use super::polygonal_form::refined;
use super::soil::soil_parameters;
use super::tree::turned;
use crate::read::{Named, Text};
use crate::table::{CollisionKeys, SoilKeys, TouchKeys};
use touchdown_contact::intrusion::IntrusionSoil;
use touchdown_contact::polygonal::mesh::{MeshPair, Reference};
use touchdown_contact::polygonal::{Friction, Layer, PairLaw};
use touchdown_geometry::{Shape, TriangleMesh, convex_hull};
use touchdown_math::{Pose, Vec3};
use touchdown_multibody::description::JointKind;
use touchdown_sim::description::{Ground, IntruderBody, PolygonalContact, PolygonalPair, PolygonalSide};

/// Triangles around a full circle of a cylinder or sphere, and resolution of hulls on rigid ground: corners
/// in at most 162 directions.
const ON_RIGID: (u32, u32) = (16, 2);
/// The same in soil, where each face has its own state: 42 directions.
const IN_SOIL: (u32, u32) = (8, 1);
/// Speed below which a sliding face sticks again, m/s, and penetration over which damping increases, m.
const RELEASE_SPEED: f64 = 1e-3;
const DAMPING_DEPTH: f64 = 1e-3;
/// Approach in one step at most, m.
const THRESHOLD: f64 = 0.01;
/// Damping time while soil holds, s.
const RELAXATION: f64 = 1e-3;

/// Stiffness, damping and friction where there is no `[touch]`: the defaults of its keys.
const TOUCH: (f64, f64, f64) = (1e7, 1e5, 0.6);

/// The ground that the shapes touch.
enum Meets {
    Rigid(PairLaw, Reference),
    Soil(IntrusionSoil, Option<f64>),
}

/// A shape in its body, ready for contact.
struct Placed {
    name: String,
    body: usize,
    X_BS: Pose,
    mesh: TriangleMesh,
}

impl<'a> Builder<'a> {
    /// Contacts of the collision shapes with the ground, where there is one.
    pub fn collect_collisions(&mut self) {
        let given = self.root.touch.as_ref().and_then(|part| part.keys.as_ref());
        let meets = self.meets(given);
        let fineness = if matches!(meets, Some(Meets::Soil(..))) { IN_SOIL } else { ON_RIGID };
        let mut shapes = Vec::new();
        for s in 0..self.scopes.len() {
            for named in self.scopes[s].parts.collision {
                shapes.extend(self.collision_shape(s, named, fineness));
            }
        }
        let own = self.bodies_in_contact();
        shapes.retain(|on| self.touches(on.body, given) && !own.contains(&on.body));
        let Some(meets) = meets else { return };
        for on in shapes {
            match &meets {
                Meets::Rigid(law, reference) => self.touch_rigid(on, law, reference),
                Meets::Soil(soil, width) => {
                    let width = width.unwrap_or_else(|| smaller_side(&on.mesh));
                    let soil = IntrusionSoil { width, ..*soil };
                    let (name, body, X_BS, mesh) = (on.name, on.body, on.X_BS, on.mesh);
                    self.intruders.push(IntruderBody { name, body, X_BS, mesh, soil });
                }
            }
        }
    }

    fn collision_shape(
        &mut self,
        scope: usize,
        named: &Named<CollisionKeys>,
        (segments, halvings): (u32, u32),
    ) -> Option<Placed> {
        let name = format!("{}{}", self.scopes[scope].prefix, named.name);
        self.remember("collision", &name, named);
        let keys = named.keys.as_ref()?;
        let body = self.moving_body(scope, &keys.body);
        let at = self.body_point(scope, &place_in_body!(keys, CollisionKeys));
        let mesh = match self.form(&keys.form)? {
            Shape::Mesh(mesh) => convex_hull(&mesh.vertices, halvings),
            shape => Some(shape.triangulate(segments)),
        };
        let (Some(body), Some(at)) = (body, at) else { return None };
        let Some(mesh) = mesh else {
            self.warnings.push(format!("{}: its mesh is flat and touches nothing", named.path));
            return None;
        };
        Some(Placed { name, body, X_BS: Pose { R: turned(&keys.turn), p: at.X_BF.p }, mesh })
    }

    /// Whether a body's shapes are included, and it moves.
    fn touches(&self, body: usize, touch: Option<&TouchKeys>) -> bool {
        let name = &self.mechanism.bodies[body].name;
        touch.is_none_or(|keys| keys.bodies.iter().any(|pattern| glob(pattern, name))) && !self.is_fixed(body)
    }

    /// Whether only fixed joints lie between a body and the world.
    fn is_fixed(&self, body: usize) -> bool {
        let mut at = Some(body);
        while let Some(b) = at {
            let Some(joint) = self.mechanism.joints.iter().find(|j| j.child == b) else { return false };
            if joint.kind != JointKind::Fixed {
                return false;
            }
            at = joint.parent;
        }
        true
    }

    /// Bodies with contact tables of their own.
    fn bodies_in_contact(&self) -> Vec<usize> {
        let feet = self.feet.iter().map(|foot| foot.body);
        let tyres = self.tyres.iter().map(|tyre| tyre.body);
        let soil = self.soil_bodies.iter().map(|on| on.body);
        let through = self.intruders.iter().map(|on| on.body);
        let smooth = self.contacts.iter().flat_map(|c| c.one.iter().chain([&c.two])).map(|side| side.body);
        let layers = self.polygonal.iter().flat_map(|c| &c.sides).filter_map(|side| side.body);
        let flexible = self.flexible.iter().filter_map(|f| f.carrier.as_ref()).map(|on| on.body);
        feet.chain(tyres).chain(soil).chain(through).chain(smooth).chain(layers).chain(flexible).collect()
    }

    /// The law of the ground; none without ground.
    fn meets(&mut self, given: Option<&TouchKeys>) -> Option<Meets> {
        let named = given.and_then(|keys| keys.soil.as_ref()).or_else(|| self.soil_of_feet());
        let rigid = matches!(self.ground, Some(Ground::Plane { .. } | Ground::Surface(_)));
        let width = given.and_then(|keys| keys.width);
        if let Some(soil) = named {
            // Unknown names were reported when the library was opened.
            let keys = self.root.soil.iter().find(|s| s.name == **soil)?.keys.as_ref()?;
            return self.ground.is_some().then(|| Meets::Soil(through(keys), width));
        }
        if !rigid {
            let terrain = self.terrain_keys()?;
            let soil = self.soil(terrain.soil.as_ref()?)?;
            return Some(Meets::Soil(through(&soil), width));
        }
        let (stiffness, damping, friction) = given.map_or(TOUCH, |k| (k.stiffness, k.damping, k.friction));
        let layer = Layer { damping, ..Layer::given(stiffness) };
        let rubs = Friction::StickSlip { stick: friction, slip: friction, release_speed: RELEASE_SPEED };
        let law = PairLaw::in_series(&layer, &Layer::RIGID, DAMPING_DEPTH, rubs);
        let reference = Reference::Ground(std::sync::Arc::new(self.ground_surface()?));
        match law {
            Ok(law) => Some(Meets::Rigid(law, reference)),
            Err(problems) => {
                let at = given?.here.clone();
                self.law_problems(&at, &problems);
                None
            }
        }
    }

    /// The soil of the feet: bodies above them touch the same.
    fn soil_of_feet(&self) -> Option<&'a Text> {
        let root = self.root;
        let law = root.foot.iter().find_map(|foot| Some(&foot.keys.as_ref()?.law))?;
        let law = root.foot_law.iter().find(|named| named.name == **law)?.keys.as_ref()?;
        (*law.soil != *HARD).then_some(&law.soil)
    }

    fn touch_rigid(&mut self, on: Placed, law: &PairLaw, reference: &Reference) {
        let here = &self.root.here.clone();
        let fine = refined(on.mesh.clone(), self.edge_on_ground(&on.mesh));
        let Some(solid) = self.solid(here, &fine) else { return };
        let pair = MeshPair::new(solid, reference.clone(), *law);
        let group = Some(self.mechanism.bodies[on.body].name.clone());
        let sides = [
            PolygonalSide { body: Some(on.body), X_BS: on.X_BS, mesh: on.mesh },
            PolygonalSide { body: None, X_BS: Pose::identity(), mesh: TriangleMesh::default() },
        ];
        self.polygonal.push(PolygonalContact {
            name: on.name,
            sides,
            pair: PolygonalPair::Mesh(Box::new(pair)),
            tells_reference: false,
            threshold: THRESHOLD,
            opening: None,
            on: true,
            group,
        });
    }
}

fn through(keys: &SoilKeys) -> IntrusionSoil {
    let soil = soil_parameters(keys, None);
    IntrusionSoil {
        law: soil.law,
        exponent: soil.exponent,
        width: 0.0,
        friction_angle: soil.friction_angle,
        elastic_stiffness: soil.elastic_stiffness,
        relaxation: RELAXATION,
    }
}

/// The middle edge of a mesh's box: the smaller side of its largest face.
fn smaller_side(mesh: &TriangleMesh) -> f64 {
    let (mut low, mut high) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
    for v in &mesh.vertices {
        (low, high) = (low.inf(v), high.sup(v));
    }
    let mut edges: [f64; 3] = (high - low).into();
    edges.sort_by(f64::total_cmp);
    edges[1]
}
