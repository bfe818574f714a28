//! Ground, tyres, named points, and the placement of machines.

use super::Builder;
use super::tree::{joint_pose, turned};
use crate::error::nearest;
use crate::read::{Here, Part, Text};
use crate::table::{Key, PlaceKeys, PointKeys, TyreKeys, TyreLawKeys};
use touchdown_contact::tyre::{BrushParameters, Footing, WheelMotion};
use touchdown_geometry::surface::HeightSurface;
use touchdown_math::{Elementary, Pose, Vec3};
use touchdown_multibody::description::Attachment;
use touchdown_sim::description::{FlexWheel, Ground, Point, Tyre};

/// Most iterations of the clearance over curved ground, which converge quadratically.
const LIFTS: usize = 30;

/// Pose of a machine in the world according to its `place`; the clearance is added later.
pub(crate) fn placed(place: Option<&Part<PlaceKeys>>) -> Pose {
    match place.and_then(|part| part.keys.as_ref()) {
        Some(keys) => Pose { R: turned(&keys.turn), p: Vec3::new(keys.x, keys.y, keys.z.unwrap_or(0.0)) },
        None => Pose::identity(),
    }
}

/// A position in a body: in the body's frame, or in the machine's.
pub(crate) struct PlaceInBody<'k, S> {
    pub body: &'k Text,
    pub position: Option<Vec3>,
    pub at: Option<Vec3>,
    pub here: &'k Here<S>,
    pub key_of_at: Key<S, Vec3>,
}

/// The keys body, position and at of a section.
macro_rules! place_in_body {
    ($keys:expr, $section:ident) => {
        $crate::build::contact::PlaceInBody {
            body: &$keys.body,
            position: $keys.position,
            at: $keys.at,
            here: &$keys.here,
            key_of_at: $section::at,
        }
    };
}
pub(crate) use place_in_body;

impl<'a> Builder<'a> {
    /// Named points of every scope.
    pub fn collect_points(&mut self) {
        for s in 0..self.scopes.len() {
            let (parts, prefix) = (self.scopes[s].parts, self.scopes[s].prefix.clone());
            for named in parts.point {
                let name = format!("{prefix}{}", named.name);
                self.remember("point", &name, named);
                if self.point_names.contains_key(&name) {
                    self.issues.at(named.loc, &named.path, "has the name of another point");
                }
                let Some(keys) = &named.keys else { continue };
                if let Some(at) = self.body_point(s, &place_in_body!(keys, PointKeys)) {
                    self.add_point(Point { name, at });
                }
            }
        }
    }

    /// Adds a named point; of two with the same name the first is used.
    pub fn add_point(&mut self, point: Point) {
        self.point_names.entry(point.name.clone()).or_insert(self.points.len());
        self.points.push(point);
    }

    /// Body and position from the keys body, position, at.
    pub fn body_point<S>(&mut self, scope: usize, place: &PlaceInBody<S>) -> Option<Attachment> {
        let body = self.body(scope, place.body)?;
        if place.position.is_some() && place.at.is_some() {
            let (loc, path) = (place.here.loc_of(place.key_of_at), place.here.path_of(place.key_of_at));
            self.issues.at(loc, path, "says the same as position").hint("keep one of position and at");
        }
        let p = match (place.position, place.at) {
            (Some(position), _) => position,
            (None, Some(at)) => self.in_body(scope, body, &at),
            (None, None) => Vec3::zeros(),
        };
        Some(Attachment::point(body, p))
    }

    /// Tyres of every scope. Their names have no prefix if only one machine has tyres.
    pub fn collect_tyres(&mut self) {
        self.check_tyre_laws();
        let with_tyres = self.scopes.iter().filter(|s| !s.parts.tyre.is_empty()).count();
        for s in 0..self.scopes.len() {
            for named in self.scopes[s].parts.tyre {
                let prefix = if with_tyres > 1 { self.scopes[s].prefix.as_str() } else { "" };
                let name = format!("{prefix}{}", named.name);
                self.remember("tyre", &name, named);
                let tyre = named.keys.as_ref().and_then(|keys| self.tyre(s, name, keys));
                self.tyres.extend(tyre);
            }
        }
    }

    fn tyre(&mut self, scope: usize, name: String, keys: &TyreKeys) -> Option<Tyre> {
        let law = self.tyre_law(scope, &keys.law);
        let body = self.moving_body(scope, &keys.body)?;
        if let Some(other) = self.tyres.iter().find(|t| t.body == body) {
            let what = format!("already has the tyre {}", other.name);
            self.issues.at(keys.body.loc, &keys.body.path, what);
        }
        Some(Tyre { name, body, centre: keys.centre, axis: keys.axis, law: law? })
    }

    fn tyre_law(&mut self, scope: usize, wanted: &Text) -> Option<BrushParameters> {
        let laws = || [scope, 0].into_iter().flat_map(|s| self.scopes[s].parts.tyre_law);
        let Some(law) = laws().find(|l| l.name == **wanted) else {
            let near = nearest(wanted, laws().map(|l| l.name.as_str())).map(str::to_string);
            let issue = self
                .issues
                .at(wanted.loc, &wanted.path, "names a tyre_law that does not exist")
                .found(format!("\"{wanted}\""));
            issue.hint(near.map_or("add [tyre_law.NAME]".into(), |n| format!("did you mean \"{n}\"?")));
            return None;
        };
        let keys = law.keys.as_ref()?;
        Some(BrushParameters {
            radius: keys.radius,
            width: keys.width,
            radial_stiffness: keys.radial_stiffness,
            radial_damping: keys.radial_damping,
            longitudinal_slip_stiffness: keys.longitudinal_slip_stiffness,
            lateral_slip_stiffness: keys.lateral_slip_stiffness,
            friction_min: keys.friction_min,
            friction_max: keys.friction_max,
            rolling_resistance: keys.rolling_resistance,
            rolling_share: keys.rolling_share,
            relaxation_length: keys.relaxation_length,
            standstill_damping: keys.standstill_damping,
            low_speed: keys.low_speed,
        })
    }

    fn check_tyre_laws(&mut self) {
        for s in 0..self.scopes.len() {
            for keys in self.scopes[s].parts.tyre_law.iter().filter_map(|law| law.keys.as_ref()) {
                let (min, max) = (keys.friction_min, keys.friction_max);
                if min > max {
                    let key = TyreLawKeys::friction_min;
                    self.issues
                        .at(keys.here.loc_of(key), keys.here.path_of(key), "must not exceed friction_max")
                        .found(format!("{min} and {max}"));
                }
            }
        }
    }

    /// The soil, or rigid ground.
    pub fn collect_ground(&mut self) {
        let soil = self.terrain();
        self.ground = soil.map(|s| Ground::Soil(Box::new(s))).or_else(|| self.rigid_ground());
    }

    /// Aligns machines that give a clearance with the ground below them, then lifts them until their lowest
    /// tyre or wheel has that clearance, measured along the ground's normal.
    pub fn place_on_ground(&mut self) {
        let Some(ground) = self.ground.clone() else {
            if self.root.terrain.is_none() && self.root.ground.is_none() {
                self.refuse_clearance("needs a ground to be measured from", "add [ground]");
            }
            return;
        };
        for s in 1..self.scopes.len() {
            let Some((keys, clearance)) = self.place_of(s).and_then(|keys| Some((keys, keys.clearance?)))
            else {
                continue;
            };
            self.lean_on_ground(s, keys, &ground);
            let lowest = match &ground {
                Ground::Plane { point, normal } => Some((self.lowest_tyre(s, point, normal), normal.z)),
                Ground::Surface(surface) => self.lowest_on_surface(s, surface, clearance),
                Ground::Soil(soil) => self.lowest_soil_body(s, &soil.relief),
            };
            let Some((gap, up)) = lowest else {
                self.refuse_clearance("cannot be measured: the machine is outside the map", "check x and y");
                return;
            };
            if gap.is_finite() {
                // z of the machine at which the lowest tyre has the requested height along the normal.
                self.scopes[s].X_WM.p.z += (clearance - gap) / up;
            } else if self.issues.is_empty() {
                return self.refuse_clearance("needs tyres or wheels to be measured from", "give z instead");
            }
        }
        self.place_tree_quietly();
    }

    /// Updates coordinates and zero poses of moved machines; points and tyres are fixed to bodies and do not
    /// change. Mistakes were reported before.
    pub(super) fn place_tree_quietly(&mut self) {
        let before = std::mem::take(self.issues);
        self.place_tree();
        *self.issues = before;
    }

    fn place_of(&self, scope: usize) -> Option<&'a PlaceKeys> {
        self.scopes[scope].place?.keys.as_ref()
    }

    /// Clearances by which machines are placed, m.
    pub(super) fn clearances(&self) -> impl Iterator<Item = f64> {
        (1..self.scopes.len()).filter_map(|scope| self.place_of(scope)?.clearance)
    }

    fn refuse_clearance(&mut self, what: &str, hint: &str) {
        for s in 1..self.scopes.len() {
            if let Some(place) = self.place_of(s).filter(|keys| keys.clearance.is_some()) {
                let key = PlaceKeys::clearance;
                self.issues.at(place.here.loc_of(key), place.here.path_of(key), what).hint(hint);
            }
        }
    }

    /// Gap between the ground and the lowest tyre of a machine in its initial position.
    fn lowest_tyre(&self, scope: usize, point: &Vec3, normal: &Vec3) -> f64 {
        let poses = self.initial_poses();
        let mine = self.tyres.iter().filter(|t| self.scope_of_body[t.body] == scope);
        mine.map(|t| {
            let X_WB = &poses[t.body];
            let axis = X_WB.R * t.axis;
            let height = normal.dot(&(X_WB.point(&t.centre) - point));
            // A disc extends below its centre by its radius times the sine of the angle between its axis and
            // the normal.
            height - t.law.radius * (1.0 - axis.dot(normal).whole_power(2)).max(0.0).sqrt()
        })
        .chain(self.flexible_wheels(scope).map(|(body, wheel, X_BM)| {
            let X_WM = poses[body].compose(X_BM);
            let height = normal.dot(&(X_WM.point(&wheel.centre) - point));
            let axis = X_WM.R * wheel.axis;
            height - wheel.radius * (1.0 - axis.dot(normal).whole_power(2)).max(0.0).sqrt()
        }))
        .fold(f64::INFINITY, f64::min)
    }

    /// Flexible wheels of a machine: body, form, and its frame in the body.
    pub(super) fn flexible_wheels(&self, scope: usize) -> impl Iterator<Item = (usize, &FlexWheel, &Pose)> {
        let on_body = self.flexible.iter().filter_map(|f| {
            let on = f.carrier.as_ref()?;
            Some((on.body, f.wheel.as_ref()?, &on.X_BM))
        });
        on_body.filter(move |(body, ..)| self.scope_of_body[*body] == scope)
    }

    /// The same on a surface, as a gap over a level plane: `clearance` minus the lift that brings the lowest
    /// tyre to it. `None` off the map.
    fn lowest_on_surface(&self, scope: usize, surface: &HeightSurface, clearance: f64) -> Option<(f64, f64)> {
        let poses = self.initial_poses();
        let mut most = f64::NEG_INFINITY;
        let tyres = self.tyres.iter().filter(|t| self.scope_of_body[t.body] == scope).map(|tyre| {
            let X_WB = &poses[tyre.body];
            (tyre.law.radius, X_WB.point(&tyre.centre), X_WB.R * tyre.axis)
        });
        let flexible = self.flexible_wheels(scope).map(|(body, wheel, X_BM)| {
            let X_WM = poses[body].compose(X_BM);
            (wheel.radius, X_WM.point(&wheel.centre), X_WM.R * wheel.axis)
        });
        for (radius, centre, axis_W) in tyres.chain(flexible) {
            // Starts with the wheel's centre on the ground, then corrects by the error of the gap to the
            // tangent plane.
            let mut lift = surface.jet(centre.x, centre.y).ok()?.z + radius - centre.z;
            for _ in 0..LIFTS {
                let p_WC = centre + Vec3::z() * lift;
                let motion = WheelMotion { p_WC, axis_W, v_WC: Vec3::zeros(), w_WB: Vec3::zeros() };
                let plane = Footing::find(surface, &mut None, radius, &motion).ok()?.plane;
                let cos_camber = axis_W.cross(&plane.normal).norm();
                let gap = (p_WC - plane.point).dot(&plane.normal) - radius * cos_camber;
                let step = (clearance - gap) / plane.normal.z;
                lift += step;
                if step.abs() < 1e-12 {
                    break;
                }
            }
            most = most.max(lift);
        }
        Some((clearance - most, 1.0))
    }

    /// Poses of all bodies at the initial coordinates, before loops are closed.
    pub fn initial_poses(&self) -> Vec<Pose> {
        let mut poses = vec![Pose::identity(); self.mechanism.bodies.len()];
        for i in self.outward_order() {
            let joint = &self.mechanism.joints[self.planned[i].joint];
            let X_WP = joint.parent.map_or_else(Pose::identity, |p| poses[p]);
            let X_WM = X_WP.compose(&joint.X_PF).compose(&joint_pose(&joint.kind, &joint.position));
            poses[joint.child] = X_WM.compose(&joint.X_BM.inverse());
        }
        poses
    }
}
