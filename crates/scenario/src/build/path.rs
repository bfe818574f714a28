//! Drivers of vehicles: the keys of `[path.NAME]` ⇒ route, wheels with the drives for rolling and steering,
//! inputs.

use super::Builder;
use crate::error::nearest;
use crate::points;
use crate::table::{PathKeys, PathModeWord};
use touchdown_contact::soil::SoilShape;
use touchdown_math::{Pose, Vec3};
use touchdown_multibody::description::{Command, DriveKind, ElementKind, JointKind};
use touchdown_sim::description::{InputTarget, PathFollower, PathMode, PathWheel, WheelDrive, WheelSteering};

/// Largest angles of a wheel whose joint has no stops, rad: slightly more than 90 degrees, so that it can
/// turn in either direction.
const MOST_STEERING: f64 = 100.0 * std::f64::consts::PI / 180.0;
/// Cosine above which two axes count as parallel, and an axis as upright: 26 degrees.
const ALONG: f64 = 0.9;
/// Points closer than this count as one, m.
const SAME: f64 = 1e-6;
/// Time to reach the speed, s, if no acceleration is given.
const RISE: f64 = 2.0;
/// Names of the components of the motion.
const COMPONENTS: [&str; 3] = ["forward", "sideways", "turn"];

/// A wheel in its body.
#[derive(Clone, Copy)]
struct RollingBody {
    body: usize,
    centre: Vec3,
    axis: Vec3,
    radius: f64,
}

impl Builder<'_> {
    /// Drivers of the scenario.
    pub fn collect_paths(&mut self) {
        for named in &self.root.path {
            self.remember("path", &named.name, named);
            let Some(keys) = &named.keys else { continue };
            let points = self.route(keys);
            let Some(body) = self.driven_vehicle(keys) else { continue };
            let wheels = self.path_wheels(keys, body);
            if let (Some(points), Some(wheels)) = (points, wheels) {
                self.path(&named.name, keys, (body, wheels, points));
            }
        }
    }

    fn path(
        &mut self,
        name: &str,
        keys: &PathKeys,
        (body, wheels, points): (usize, Vec<PathWheel>, Vec<[f64; 2]>),
    ) {
        let mode = match keys.mode {
            PathModeWord::Ackermann => PathMode::Ackermann,
            PathModeWord::PointTurn => PathMode::PointTurn,
            PathModeWord::Crab => PathMode::Crab,
        };
        let mut path = PathFollower {
            name: name.into(),
            body,
            wheels,
            points,
            mode,
            speed: keys.speed,
            acceleration: keys.acceleration.unwrap_or(keys.speed / RISE),
            look_ahead: 0.0,
            arrival: keys.arrival,
            turn_rate: keys.turn_rate,
            radius: 0.0,
            steering_rate: keys.steering_rate,
            rate: keys.rate,
        };
        path.look_ahead = keys.look_ahead.unwrap_or(path.reach());
        path.radius = keys.radius.unwrap_or(path.reach());
        if keys.input {
            for (part, component) in COMPONENTS.iter().enumerate() {
                let target = InputTarget::Path(self.devices.paths.len(), part);
                self.add_input(format!("{name}.{component}"), target);
            }
        }
        self.devices.paths.push(path);
    }

    /// Its points, from the file or the list.
    fn route(&mut self, keys: &PathKeys) -> Option<Vec<[f64; 2]>> {
        let here = &keys.here;
        let listed = match (&keys.points, &keys.file) {
            (Some(points), None) => points.clone(),
            (None, Some(file)) => {
                let read = match self.library.open(file.loc.source, file) {
                    Err(error) => Err((error.message, None)),
                    Ok((bytes, _)) => points::read(&String::from_utf8_lossy(&bytes))
                        .map_err(|wrong| (format!("{}: {}", wrong.what, wrong.found), Some(wrong.allowed))),
                };
                match read {
                    Ok(sets) => {
                        let rows = sets.iter().flat_map(|set| set.x.iter().zip(&set.y));
                        rows.map(|(x, y)| [*x, *y]).collect()
                    }
                    Err((what, allowed)) => {
                        let issue = self.issues.at(file.loc, &file.path, what).found(format!("\"{file}\""));
                        issue.hint(allowed.unwrap_or("it is looked for beside the scenario"));
                        return None;
                    }
                }
            }
            (points, _) => {
                if !here.any_wrong([PathKeys::points.name(), PathKeys::file.name()].into_iter()) {
                    let what = if points.is_some() { "has two routes" } else { "has no route" };
                    self.issues.at(here.loc, &here.path, what).hint("say one of points and file");
                }
                return None;
            }
        };
        let same = |pair: &&[[f64; 2]]| {
            (pair[1][0] - pair[0][0]).abs() < SAME && (pair[1][1] - pair[0][1]).abs() < SAME
        };
        if let Some(pair) = listed.windows(2).find(same) {
            self.issues
                .at(here.loc, &here.path, "has the same waypoint twice in a row")
                .found(format!("x = {} m, y = {} m", pair[0][0], pair[0][1]));
            return None;
        }
        if listed.len() < 2 {
            self.issues.at(here.loc, &here.path, "needs two waypoints or more").found(listed.len());
            return None;
        }
        Some(listed)
    }

    /// The body on the free joint of a machine, or a body of its own with wheels.
    fn driven_vehicle(&mut self, keys: &PathKeys) -> Option<usize> {
        let name = &keys.vehicle;
        let scope =
            self.scopes.iter().skip(1).position(|scope| *scope.prefix.trim_end_matches('/') == **name);
        let floats = |body: usize, builder: &Self| {
            let mut joints = builder.mechanism.joints.iter();
            joints.any(|j| j.child == body && j.kind == JointKind::Free && j.parent.is_none())
        };
        let found = match scope {
            Some(scope) => {
                let mine = |body: &usize| self.scope_of_body[*body] == scope + 1 && floats(*body, self);
                (0..self.mechanism.bodies.len()).find(mine)
            }
            None => self.bodies.get(&**name).copied().filter(|body| floats(*body, self)),
        };
        if found.is_none() && self.issues.is_empty() {
            let machines = self.scopes.iter().skip(1).map(|scope| scope.prefix.trim_end_matches('/'));
            let near =
                nearest(name, machines.chain(self.bodies.keys().map(String::as_str))).map(str::to_string);
            let issue = self.issues.at(name.loc, &name.path, "names no vehicle").found(format!("\"{name}\""));
            match near.filter(|near| *near != **name) {
                Some(near) => issue.hint(format!("did you mean \"{near}\"?")),
                None => issue.hint("a machine with a free joint, or a body on one, that carries wheels"),
            };
        }
        found
    }

    /// All wheels, whatever they run on.
    fn rolling_bodies(&self) -> Vec<RollingBody> {
        let in_soil = self.soil_bodies.iter().filter_map(|s| match s.surface.shape {
            SoilShape::Wheel { radius, .. } => {
                Some(RollingBody { body: s.body, centre: s.X_BS.p, axis: s.X_BS.R.column(1).into(), radius })
            }
            SoilShape::Mesh(_) => None,
        });
        let tyres = self.tyres.iter().map(|t| RollingBody {
            body: t.body,
            centre: t.centre,
            axis: t.axis,
            radius: t.law.radius,
        });
        let flexible = self.flexible.iter().filter_map(|f| {
            let (wheel, on) = (f.wheel.as_ref()?, f.carrier.as_ref()?);
            let (centre, axis) = (on.X_BM.point(&wheel.centre), on.X_BM.R * wheel.axis);
            Some(RollingBody { body: on.body, centre, axis, radius: wheel.radius })
        });
        let mut wheels: Vec<RollingBody> = Vec::new();
        for wheel in in_soil.chain(tyres).chain(flexible) {
            if wheels.iter().all(|known| known.body != wheel.body) {
                wheels.push(wheel);
            }
        }
        wheels
    }

    /// The wheels of a vehicle, with the drive and the steering joint of each.
    fn path_wheels(&mut self, keys: &PathKeys, vehicle: usize) -> Option<Vec<PathWheel>> {
        let mut rolling = self.rolling_bodies();
        rolling.retain(|wheel| self.outermost(wheel.body) == vehicle);
        let wheels: Vec<PathWheel> = rolling.iter().map(|wheel| self.path_wheel(vehicle, wheel)).collect();
        let turned = wheels.iter().filter(|wheel| wheel.drive.is_some()).count();
        let steered = wheels.iter().filter(|wheel| wheel.steering.is_some()).count();
        let (what, hint) = if turned == 0 {
            (
                "drives a vehicle of which no drive turns a wheel",
                "[machine.NAME.drive.NAME] with speed or rim_speed",
            )
        } else if keys.mode == PathModeWord::Crab && steered < wheels.len() {
            (
                "drives sideways with wheels that are not steered",
                "[machine.NAME.drive.NAME] with position on every steering joint",
            )
        } else {
            return Some(wheels);
        };
        if self.issues.is_empty() {
            self.issues
                .at(keys.here.loc, &keys.here.path, what)
                .found(format!("{} wheels, {turned} of them turned, {steered} steered", wheels.len()))
                .hint(hint);
        }
        None
    }

    fn path_wheel(&mut self, vehicle: usize, wheel: &RollingBody) -> PathWheel {
        let scope = self.scope_of_body[vehicle];
        let X_VM = self.zero_pose(scope, Some(vehicle)).inverse();
        let in_vehicle = |b: &Self, body: usize| -> Pose { X_VM.compose(&b.zero_pose(scope, Some(body))) };
        let X_VB = in_vehicle(self, wheel.body);
        let (centre, axle) = (X_VB.point(&wheel.centre), X_VB.R * wheel.axis);
        let mut made = PathWheel { place: [centre.x, centre.y], drive: None, steering: None };
        let mut body = wheel.body;
        while body != vehicle {
            let Some(j) = self.mechanism.joints.iter().position(|joint| joint.child == body) else { break };
            let joint = &self.mechanism.joints[j];
            let (X_VJ, parent) = (in_vehicle(self, body).compose(&joint.X_BM), joint.parent);
            if let JointKind::Revolute { axis } = joint.kind {
                let axis = X_VJ.R * axis;
                if axis.dot(&axle).abs() > ALONG && made.drive.is_none() {
                    made.drive = self.wheel_drive(j, (&axis, wheel.radius));
                } else if axis.z.abs() > ALONG
                    && made.steering.is_none()
                    && let Some(steering) = self.wheel_steering(j, axis.z.signum())
                {
                    made.steering = Some(steering);
                    made.place = [X_VJ.p.x, X_VJ.p.y];
                }
            }
            let Some(parent) = parent else { break };
            body = parent;
        }
        made
    }

    /// The drive of a wheel; a positive rotation about the left rolls it forward.
    fn wheel_drive(&mut self, joint: usize, (axis, radius): (&Vec3, f64)) -> Option<WheelDrive> {
        let (k, per_speed) = self.mechanism.drives.iter().enumerate().find_map(|(k, drive)| {
            let per_speed = match &drive.kind {
                DriveKind::Follow(Command::Speed { .. }) => axis.y.signum() / radius,
                DriveKind::RimSpeed { .. } => axis.y.signum(),
                _ => return None,
            };
            (drive.axis.joint == joint).then_some((k, per_speed))
        })?;
        Some(WheelDrive { input: self.drive_input(k), per_speed })
    }

    fn wheel_steering(&mut self, joint: usize, sign: f64) -> Option<WheelSteering> {
        let follows = |kind: &DriveKind| matches!(kind, DriveKind::Follow(Command::Position { .. }));
        let mut drives = self.mechanism.drives.iter();
        let k = drives.position(|drive| drive.axis.joint == joint && follows(&drive.kind))?;
        let stops = self.mechanism.elements.iter().find_map(|element| match element.kind {
            ElementKind::JointLimit { axis, lower, upper, .. } if axis.joint == joint => Some([lower, upper]),
            _ => None,
        });
        let [lower, upper] = stops.unwrap_or([-MOST_STEERING, MOST_STEERING]);
        let limits = if sign > 0.0 { [lower, upper] } else { [-upper, -lower] };
        Some(WheelSteering { input: self.drive_input(k), joint, sign, limits })
    }

    /// The input for a drive, added if missing.
    fn drive_input(&mut self, k: usize) -> String {
        self.add_input(self.mechanism.drives[k].name.clone(), InputTarget::Drive(k));
        let input = self.inputs.iter().find(|input| input.target == InputTarget::Drive(k));
        input.map_or_else(String::new, |input| input.name.clone())
    }
}
