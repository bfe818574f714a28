//! Ground, tyres, named points, and where a machine stands.

use super::Builder;
use super::tree::{joint_pose, turned};
use crate::read::Record;
use touchdown_contact::tyre::{BrushParameters, Footing, WheelMotion};
use touchdown_geometry::surface::HeightSurface;
use touchdown_math::{Pose, Vec3};
use touchdown_multibody::description::Attachment;
use touchdown_sim::description::{FlexWheel, Ground, Point, Tyre};

/// Steps to a clearance over curved ground: each ends with the square of the error.
const LIFTS: usize = 30;

/// Pose of a machine in the world as its `place` says; the clearance is added later.
pub(crate) fn placed(machine: &Record) -> Pose {
    let Some(place) = machine.table("place") else { return Pose::identity() };
    let part = |key: &str| place.number(key).unwrap_or(0.0);
    Pose { R: turned(place), p: Vec3::new(part("x"), part("y"), part("z")) }
}

impl Builder<'_> {
    /// Named points of every scope.
    pub fn collect_points(&mut self) {
        for s in 0..self.scopes.len() {
            let (record, prefix) = (self.scopes[s].record, self.scopes[s].prefix.clone());
            for named in record.map("point") {
                let name = format!("{prefix}{}", named.name);
                self.remember("point", &name, &named.record);
                if self.point_names.contains_key(&name) {
                    self.issues.at(named.loc, &named.record.path, "has the name of another point");
                }
                if let Some(at) = self.body_point(s, &named.record) {
                    self.add_point(Point { name, at });
                }
            }
        }
    }

    /// Adds a named point; of two with one name the first is found.
    pub fn add_point(&mut self, point: Point) {
        self.point_names.entry(point.name.clone()).or_insert(self.points.len());
        self.points.push(point);
    }

    /// Body and place from the keys body, position, at.
    pub fn body_point(&mut self, scope: usize, record: &Record) -> Option<Attachment> {
        let body = self.body(scope, record.text("body")?, record.loc_of("body"), &record.path_of("body"))?;
        if record.has("position") && record.has("at") {
            let what = "says the same as position";
            self.issues
                .at(record.loc_of("at"), record.path_of("at"), what)
                .hint("keep one of position and at");
        }
        let p = match (record.vec3("position"), record.vec3("at")) {
            (Some(position), _) => position,
            (None, Some(at)) => self.in_body(scope, body, &at),
            (None, None) => Vec3::zeros(),
        };
        Some(Attachment::point(body, p))
    }

    /// Tyres of every scope; they are called by their own names while only one machine has tyres.
    pub fn collect_tyres(&mut self) {
        self.check_tyre_laws();
        let with_tyres = self.scopes.iter().filter(|s| !s.record.map("tyre").is_empty()).count();
        for s in 0..self.scopes.len() {
            let record = self.scopes[s].record;
            for named in record.map("tyre") {
                let prefix = if with_tyres > 1 { self.scopes[s].prefix.as_str() } else { "" };
                let name = format!("{prefix}{}", named.name);
                self.remember("tyre", &name, &named.record);
                if let Some(tyre) = self.tyre(s, name, &named.record) {
                    self.tyres.push(tyre);
                }
            }
        }
    }

    fn tyre(&mut self, scope: usize, name: String, record: &Record) -> Option<Tyre> {
        let law = self.tyre_law(scope, record);
        let body = self.body(scope, record.text("body")?, record.loc_of("body"), &record.path_of("body"))?;
        let Some(body) = body else {
            self.issues.at(record.loc_of("body"), record.path_of("body"), "cannot be the world");
            return None;
        };
        if let Some(other) = self.tyres.iter().find(|t| t.body == body) {
            let what = format!("already has the tyre {}", other.name);
            self.issues.at(record.loc_of("body"), record.path_of("body"), what);
        }
        Some(Tyre { name, body, centre: record.vec3("centre")?, axis: record.vec3("axis")?, law: law? })
    }

    fn tyre_law(&mut self, scope: usize, record: &Record) -> Option<BrushParameters> {
        let wanted = record.text("law")?;
        let laws = || [scope, 0].into_iter().flat_map(|s| self.scopes[s].record.map("tyre_law"));
        let Some(law) = laws().find(|l| l.name == wanted) else {
            let near = crate::error::nearest(wanted, laws().map(|l| l.name.as_str())).map(str::to_string);
            let (loc, path) = (record.loc_of("law"), record.path_of("law"));
            let issue = self
                .issues
                .at(loc, path, "names a tyre_law that does not exist")
                .found(format!("\"{wanted}\""));
            issue.hint(near.map_or("add [tyre_law.NAME]".into(), |n| format!("did you mean \"{n}\"?")));
            return None;
        };
        let r = &law.record;
        Some(BrushParameters {
            radius: r.number("radius")?,
            width: r.number("width")?,
            radial_stiffness: r.number("radial_stiffness")?,
            radial_damping: r.number("radial_damping")?,
            longitudinal_slip_stiffness: r.number("longitudinal_slip_stiffness")?,
            lateral_slip_stiffness: r.number("lateral_slip_stiffness")?,
            friction_min: r.number("friction_min")?,
            friction_max: r.number("friction_max")?,
            rolling_resistance: r.number("rolling_resistance")?,
            relaxation_length: r.number("relaxation_length")?,
            standstill_damping: r.number("standstill_damping")?,
            low_speed: r.number("low_speed")?,
        })
    }

    fn check_tyre_laws(&mut self) {
        for s in 0..self.scopes.len() {
            for law in self.scopes[s].record.map("tyre_law") {
                let r = &law.record;
                let (Some(min), Some(max)) = (r.number("friction_min"), r.number("friction_max")) else {
                    continue;
                };
                if min > max {
                    self.issues
                        .at(
                            r.loc_of("friction_min"),
                            r.path_of("friction_min"),
                            "must not exceed friction_max",
                        )
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

    /// Lifts machines that give a clearance until their lowest tyre or wheel has it, measured along the ground's normal.
    pub fn place_on_ground(&mut self) {
        let Some(ground) = self.ground.clone() else {
            let record = self.scopes[0].record;
            if !record.has("terrain") && !record.has("ground") {
                self.refuse_clearance("needs a ground to be measured from", "add [ground]");
            }
            return;
        };
        for s in 1..self.scopes.len() {
            let Some(clearance) = self.scopes[s].record.table("place").and_then(|p| p.number("clearance"))
            else {
                continue;
            };
            let lowest = match &ground {
                Ground::Plane { point, normal } => Some((self.lowest_tyre(s, point, normal), normal.z)),
                Ground::Surface(surface) => self.lowest_on_surface(s, surface, clearance),
                Ground::Soil(soil) => self.lowest_soil_body(s, &soil.relief),
            };
            let Some((gap, up)) = lowest else {
                self.refuse_clearance("cannot be measured: the machine stands off the map", "check x and y");
                return;
            };
            if gap.is_finite() {
                // z of the machine that brings the lowest tyre to the wanted height along the normal.
                self.scopes[s].X_WM.p.z += (clearance - gap) / up;
            } else if self.issues.is_empty() {
                return self.refuse_clearance("needs tyres or wheels to be measured from", "give z instead");
            }
        }
        // Coordinates and zero poses follow the machines; points and tyres are fixed to bodies and stay.
        let before = std::mem::take(self.issues);
        self.place_tree();
        *self.issues = before;
    }

    fn refuse_clearance(&mut self, what: &str, hint: &str) {
        for s in 1..self.scopes.len() {
            if let Some(place) = self.scopes[s].record.table("place").filter(|p| p.has("clearance")) {
                self.issues.at(place.loc_of("clearance"), place.path_of("clearance"), what).hint(hint);
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
            // A disc reaches down by its radius times the sine of the angle between its axis and the normal.
            height - t.law.radius * (1.0 - axis.dot(normal).powi(2)).max(0.0).sqrt()
        })
        .chain(self.flexible_wheels(scope).map(|(body, wheel, X_BM)| {
            let X_WM = poses[body].compose(X_BM);
            let height = normal.dot(&(X_WM.point(&wheel.centre) - point));
            let axis = X_WM.R * wheel.axis;
            height - wheel.radius * (1.0 - axis.dot(normal).powi(2)).max(0.0).sqrt()
        }))
        .fold(f64::INFINITY, f64::min)
    }

    /// Flexible wheels of a machine: body, form, and its frame in the body.
    fn flexible_wheels(&self, scope: usize) -> impl Iterator<Item = (usize, &FlexWheel, &Pose)> {
        let on_body = self.flexible.iter().filter_map(|f| {
            let on = f.carrier.as_ref()?;
            Some((on.body, f.wheel.as_ref()?, &on.X_BM))
        });
        on_body.filter(move |(body, ..)| self.scope_of_body[*body] == scope)
    }

    /// The same on a surface, as a gap over a level plane: `clearance` less the lift that brings the lowest tyre to it. `None` off the map.
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
            // From where the wheel's centre is on the ground, and then by what the gap to the tangent plane lacks.
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
