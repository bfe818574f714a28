//! From a parsed URDF to the nodes of a machine: links become bodies, joints joints, mimics gears, visuals
//! visuals.

use super::scan::Tag;
use super::{Audit, Lost, inertia};
use crate::include::Library;
use crate::mesh;
use crate::node::{Data, Entry, Node};
use crate::source::Loc;
use std::collections::BTreeMap;
use touchdown_math::{Mat3, Vec3, rotation};
use urdf_rs::{Collision, Geometry, Joint, JointType, Link, Pose, Robot, Visual};

/// URDF has no stiffness of stops; these are stiff relative to any machine that it describes: N m/rad, N/m.
const STOP_STIFFNESS: [f64; 2] = [1e4, 1e6];
/// Damping of the stops, N m s/rad, N s/m.
const STOP_DAMPING: [f64; 2] = [1e2, 1e4];

/// Folders above the URDF in which its package is searched for.
const MOST_FOLDERS: usize = 6;

/// State of the import.
pub(crate) struct Importer<'a> {
    pub robot: &'a Robot,
    pub tags: &'a [Tag],
    pub source: u32,
    pub lost: &'a mut Lost,
    /// Irregularities and how they were interpreted.
    pub oddities: Vec<String>,
    /// Unreadable meshes, by reason.
    pub unread: BTreeMap<String, Vec<String>>,
    pub library: &'a mut Library,
}

impl Importer<'_> {
    /// The machine's node and the audit.
    pub fn convert(&mut self) -> (Node, Audit) {
        let robot = self.robot;
        let whole = self.place("robot", &robot.name);
        let (mut bodies, mut joints, mut gears) = (Vec::new(), Vec::new(), Vec::new());
        let (mut visuals, mut collisions) = (Vec::new(), Vec::new());
        let mut audit = Audit { bodies: robot.links.len(), joints: robot.joints.len(), ..Audit::default() };
        for link in &robot.links {
            let loc = self.place("link", &link.name);
            audit.total_mass_kg += link.inertial.mass.value;
            if link.name != "world" {
                let (body, inertia) = self.body(link, loc);
                audit.inertias.push((link.name.clone(), inertia));
                bodies.push(entry(&link.name, loc, body));
                if !robot.joints.iter().any(|j| j.child.link == link.name) {
                    joints.push(entry("base", loc, base(&link.name, loc)));
                }
            }
            for (i, visual) in link.visual.iter().enumerate() {
                if let Some(node) = self.visual(link, visual, loc, &mut audit) {
                    visuals.push(entry(&format!("{}_{i}", link.name), loc, node));
                }
            }
            for (i, collision) in link.collision.iter().enumerate().filter(|_| link.name != "world") {
                for (k, node) in self.collision(link, collision, loc, &mut audit).into_iter().enumerate() {
                    let part = ["", "_a", "_b"][k];
                    collisions.push(entry(&format!("{}_{i}{part}", link.name), loc, node));
                }
            }
        }
        for joint in &robot.joints {
            let loc = self.place("joint", &joint.name);
            joints.push(entry(&joint.name, loc, self.joint(joint, loc)));
            if let Some(mimic) = &joint.mimic {
                let other = robot.joints.iter().find(|j| j.name == mimic.joint);
                if moves_along_one(joint) && other.is_none_or(moves_along_one) {
                    gears.push(entry(&joint.name, loc, self.gear(joint, mimic, loc)));
                } else {
                    self.lose("mimic");
                }
            }
        }
        audit.oddities = std::mem::take(&mut self.oddities);
        audit.oddities.extend(
            self.unread.iter().map(|(why, names)| format!("meshes left out ({}): {why}", names.join(", "))),
        );
        let parts = [
            ("body", bodies),
            ("joint", joints),
            ("constraint", gears),
            ("collision", collisions),
            ("visual", visuals),
        ];
        let parts = parts.into_iter().filter(|(_, list)| !list.is_empty());
        let table = parts.map(|(key, list)| entry(key, whole, Node::new(whole, Data::Table(list)))).collect();
        (Node::new(whole, Data::Table(table)), audit)
    }

    /// Place of a named element.
    fn place(&self, tag: &str, label: &str) -> Loc {
        let found = self.tags.iter().find(|t| t.name == tag && t.label.as_deref() == Some(label));
        found.map_or(Loc::new(self.source, 0..0), |t| Loc::new(self.source, t.span.clone()))
    }

    fn lose(&mut self, what: &str) {
        *self.lost.entry(what.into()).or_default() += 1;
    }

    fn joint(&mut self, joint: &Joint, loc: Loc) -> Node {
        let kind = match joint.joint_type {
            JointType::Revolute | JointType::Continuous => "revolute",
            JointType::Prismatic => "prismatic",
            JointType::Fixed => "fixed",
            JointType::Floating => "free",
            JointType::Planar => "planar",
            JointType::Spherical => "spherical",
        };
        let mut keys = vec![
            entry("type", loc, text(kind, loc)),
            entry("parent", loc, text(&joint.parent.link, loc)),
            entry("child", loc, text(&joint.child.link, loc)),
            entry("parent_frame", loc, frame(&joint.origin, loc)),
        ];
        if matches!(kind, "revolute" | "prismatic" | "planar") {
            keys.push(entry("axis", loc, list(&joint.axis.xyz.0, loc)));
        }
        if matches!(kind, "revolute" | "prismatic") {
            let slides = usize::from(kind == "prismatic");
            keys.extend(stops(joint, slides, loc));
            keys.extend(begin(joint, slides, loc));
            keys.extend(motor(joint, slides, loc));
            keys.extend(friction(joint, slides, loc));
        } else if joint.dynamics.as_ref().is_some_and(|d| d.damping != 0.0 || d.friction != 0.0) {
            self.lose("dynamics");
        }
        Node::new(loc, Data::Table(keys))
    }

    /// A mimic joint follows another: `q = multiplier · q_other + offset`.
    fn gear(&self, joint: &Joint, mimic: &urdf_rs::Mimic, loc: Loc) -> Node {
        let slides = |j: &Joint| j.joint_type == JointType::Prismatic;
        let driver = self.robot.joints.iter().find(|j| j.name == mimic.joint);
        let ratio = match (slides(joint), driver.is_some_and(slides)) {
            (true, false) => "ratio_m_per_rad",
            (false, true) => "ratio_rad_per_m",
            _ => "ratio",
        };
        let offset = if slides(joint) { "offset_m" } else { "offset_rad" };
        let keys = vec![
            entry("type", loc, text("gear", loc)),
            entry("driven", loc, text(&joint.name, loc)),
            entry("driver", loc, text(&mimic.joint, loc)),
            entry(ratio, loc, number(mimic.multiplier.unwrap_or(1.0), loc)),
            entry(offset, loc, number(mimic.offset.unwrap_or(0.0), loc)),
        ];
        Node::new(loc, Data::Table(keys))
    }

    fn visual(&mut self, link: &Link, visual: &Visual, loc: Loc, audit: &mut Audit) -> Option<Node> {
        let mut keys = frame(&visual.origin, loc).entries().to_vec();
        keys.push(entry("body", loc, text(&link.name, loc)));
        match &visual.geometry {
            Geometry::Box { size } => keys.push(entry("box_m", loc, list(&size.0, loc))),
            Geometry::Cylinder { radius, length } => {
                keys.push(entry("cylinder_m", loc, list(&[*radius, *length], loc)))
            }
            Geometry::Sphere { radius } => keys.push(entry("sphere_m", loc, number(*radius, loc))),
            Geometry::Capsule { .. } => {
                self.lose("capsule");
                return None;
            }
            Geometry::Mesh { filename, scale } => {
                keys.extend(self.mesh((filename, scale.map_or([1.0; 3], |s| s.0)), loc, audit)?);
            }
        }
        if let Some(rgba) = self.colour(visual) {
            keys.push(entry("colour", loc, list(&rgba, loc)));
        }
        Some(Node::new(loc, Data::Table(keys)))
    }

    /// The shapes of a collision: one, or those that together form a capsule.
    fn collision(&mut self, link: &Link, collision: &Collision, loc: Loc, audit: &mut Audit) -> Vec<Node> {
        let placed = |pose: &Pose, form: Vec<Entry>| {
            let mut keys = frame(pose, loc).entries().to_vec();
            keys.push(entry("body", loc, text(&link.name, loc)));
            keys.extend(form);
            Node::new(loc, Data::Table(keys))
        };
        let one = |key: &str, node: Node| vec![entry(key, loc, node)];
        let at = &collision.origin;
        match &collision.geometry {
            Geometry::Box { size } => vec![placed(at, one("box_m", list(&size.0, loc)))],
            Geometry::Cylinder { radius, length } => {
                vec![placed(at, one("cylinder_m", list(&[*radius, *length], loc)))]
            }
            Geometry::Sphere { radius } => vec![placed(at, one("sphere_m", number(*radius, loc)))],
            Geometry::Capsule { radius, length } => {
                let axis = turned(at) * Vec3::z() * (0.5 * length);
                let ball = |side: f64| {
                    let xyz = [0, 1, 2].map(|i| at.xyz.0[i] + side * axis[i]);
                    let pose = Pose { xyz: urdf_rs::Vec3(xyz), ..at.clone() };
                    placed(&pose, one("sphere_m", number(*radius, loc)))
                };
                let rod = placed(at, one("cylinder_m", list(&[*radius, *length], loc)));
                vec![rod, ball(-1.0), ball(1.0)]
            }
            Geometry::Mesh { filename, scale } => {
                let form = self.mesh((filename, scale.map_or([1.0; 3], |s| s.0)), loc, audit);
                form.map(|form| placed(at, form)).into_iter().collect()
            }
        }
    }

    /// The keys of a mesh file; `None`, and a line in the list, if it cannot be read.
    fn mesh(&mut self, (named, scale): (&str, [f64; 3]), loc: Loc, audit: &mut Audit) -> Option<Vec<Entry>> {
        let (file, bytes) = self.find_mesh(named);
        let read = bytes.and_then(|bytes| mesh::read(&bytes, &file, &Vec3::from(scale)));
        let size = read.as_ref().map_or(0.0, |m| mesh::extent(&m.vertices));
        if audit.meshes.iter().all(|known| known.0 != file || known.1 != scale) {
            audit.meshes.push((file.clone(), scale, size));
            if let Err(why) = &read {
                self.unread.entry(why.clone()).or_default().push(last_part(named).into());
            }
        }
        read.ok()?;
        Some(vec![entry("mesh", loc, text(&file, loc)), entry("scale", loc, list(&scale, loc))])
    }

    /// Searches for a mesh beside the URDF, in its own package, and in folders further up that contain that
    /// package.
    fn find_mesh(&mut self, named: &str) -> (String, Result<Vec<u8>, String>) {
        let (package, inside) = match named.strip_prefix("package://") {
            Some(rest) => rest.trim_start_matches('/').split_once('/').unwrap_or(("", rest)),
            None => ("", named.strip_prefix("file://").unwrap_or(named)),
        };
        let mut tried = vec![inside.to_string()];
        if !package.is_empty() {
            for up in 0..=MOST_FOLDERS {
                let above = "../".repeat(up);
                tried.extend([format!("{above}{package}/{inside}"), format!("{above}{inside}")]);
            }
        }
        let mut found = Err("there is no such file".to_string());
        for file in tried {
            match self.library.open(self.source, &file) {
                Ok((bytes, _)) => return (file, Ok(bytes)),
                Err(error) => found = Err(error.message),
            }
        }
        (inside.to_string(), found)
    }

    /// A link's body, with its inertia about the centre of mass rotated into the link's axes.
    fn body(&mut self, link: &Link, loc: Loc) -> (Node, [f64; 6]) {
        let given = &link.inertial;
        let i = &given.inertia;
        let R = turned(&given.origin);
        let own = Mat3::new(i.ixx, i.ixy, i.ixz, i.ixy, i.iyy, i.iyz, i.ixz, i.iyz, i.izz);
        let (own, odd) = inertia::possible(own, given.mass.value);
        self.oddities.extend(odd.map(|what| format!("link {}: {what}", link.name)));
        let I = R * own * R.transpose();
        let six = [I[(0, 0)], I[(1, 1)], I[(2, 2)], I[(0, 1)], I[(0, 2)], I[(1, 2)]];
        let mut keys = vec![
            entry("mass_kg", loc, number(given.mass.value, loc)),
            entry("centre_of_mass_m", loc, list(&given.origin.xyz.0, loc)),
        ];
        if six.iter().any(|x| *x != 0.0) {
            keys.push(entry("inertia_kg_m2", loc, list(&six, loc)));
        } else if given.mass.value != 0.0 {
            keys.push(entry("point_mass", loc, Node::new(loc, Data::Flag(true))));
        }
        (Node::new(loc, Data::Table(keys)), six)
    }

    fn colour(&self, visual: &Visual) -> Option<[f64; 4]> {
        let material = visual.material.as_ref()?;
        let shared = || self.robot.materials.iter().find(|m| m.name == material.name);
        let colour = material.color.as_ref().or_else(|| shared()?.color.as_ref())?;
        Some(colour.rgba.0)
    }
}

/// The name of a file without its folders.
fn last_part(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}

/// Rotation of a pose.
fn turned(pose: &Pose) -> Mat3 {
    let rpy = pose.rpy.0;
    rotation::about_axis(&Vec3::z(), rpy[2])
        * rotation::about_axis(&Vec3::y(), rpy[1])
        * rotation::about_axis(&Vec3::x(), rpy[0])
}

/// Whether a joint has exactly one coordinate, as a mimic joint and its master must.
fn moves_along_one(joint: &Joint) -> bool {
    matches!(joint.joint_type, JointType::Revolute | JointType::Continuous | JointType::Prismatic)
}

/// The joint that carries the root link: free, unless the scenario specifies another.
fn base(child: &str, loc: Loc) -> Node {
    let keys = vec![entry("type", loc, text("free", loc)), entry("child", loc, text(child, loc))];
    Node::new(loc, Data::Table(keys))
}

/// Ends of a joint's travel, if it is limited.
fn travel(joint: &Joint) -> Option<[f64; 2]> {
    let [lower, upper] = [joint.limit.lower, joint.limit.upper];
    let bounded = lower < upper && lower.is_finite() && upper.is_finite();
    (joint.joint_type != JointType::Continuous && bounded).then_some([lower, upper])
}

/// Where a joint begins that has no zero within its stops: on the nearer one. Beyond it the spring of the stop would throw the joint back.
fn begin(joint: &Joint, slides: usize, loc: Loc) -> Option<Entry> {
    let [lower, upper] = travel(joint)?;
    let nearest = 0.0_f64.clamp(lower, upper);
    (nearest != 0.0).then(|| entry(["position_rad", "position_m"][slides], loc, number(nearest, loc)))
}

/// Stops of a joint whose travel is limited.
fn stops(joint: &Joint, slides: usize, loc: Loc) -> Option<Entry> {
    let [lower, upper] = travel(joint)?;
    let unit = ["rad", "m"][slides];
    let reason = "URDF gives no stiffness of the stops";
    let keys = vec![
        entry(&format!("lower_{unit}"), loc, number(lower, loc)),
        entry(&format!("upper_{unit}"), loc, number(upper, loc)),
        entry(
            ["stiffness_n_m_per_rad", "stiffness_n_per_m"][slides],
            loc,
            number(STOP_STIFFNESS[slides], loc),
        ),
        entry(["damping_n_m_s_per_rad", "damping_n_s_per_m"][slides], loc, number(STOP_DAMPING[slides], loc)),
        entry("assumed", loc, text(reason, loc)),
    ];
    Some(entry("limits", loc, Node::new(loc, Data::Table(keys))))
}

/// Limits of effort and speed; zero means none.
fn motor(joint: &Joint, slides: usize, loc: Loc) -> Option<Entry> {
    let limit = &joint.limit;
    let given = |x: f64| x > 0.0 && x.is_finite();
    let pairs = [
        (["limit_n_m", "limit_n"][slides], limit.effort),
        (["speed_rad_per_s", "speed_m_per_s"][slides], limit.velocity),
    ];
    let keys: Vec<Entry> = pairs
        .into_iter()
        .filter(|(_, x)| given(*x))
        .map(|(key, x)| entry(key, loc, number(x, loc)))
        .collect();
    (!keys.is_empty()).then(|| entry("motor", loc, Node::new(loc, Data::Table(keys))))
}

fn friction(joint: &Joint, slides: usize, loc: Loc) -> Option<Entry> {
    let dynamics = joint.dynamics.as_ref().filter(|d| d.damping != 0.0 || d.friction != 0.0)?;
    let keys = vec![
        entry(["coulomb_n_m", "coulomb_n"][slides], loc, number(dynamics.friction, loc)),
        entry(["viscous_n_m_s_per_rad", "viscous_n_s_per_m"][slides], loc, number(dynamics.damping, loc)),
    ];
    Some(entry("friction", loc, Node::new(loc, Data::Table(keys))))
}

fn frame(pose: &Pose, loc: Loc) -> Node {
    let [roll, pitch, yaw] = pose.rpy.0;
    let mut keys = vec![entry("position_m", loc, list(&pose.xyz.0, loc))];
    let angles = [("roll_rad", roll), ("pitch_rad", pitch), ("yaw_rad", yaw)];
    keys.extend(angles.map(|(key, angle)| entry(key, loc, number(angle, loc))));
    Node::new(loc, Data::Table(keys))
}

fn entry(key: &str, loc: Loc, node: Node) -> Entry {
    Entry { key: key.into(), key_loc: loc, node }
}

fn text(text: &str, loc: Loc) -> Node {
    Node::new(loc, Data::Text(text.into()))
}

fn number(x: f64, loc: Loc) -> Node {
    Node::new(loc, Data::Float(x))
}

fn list(xs: &[f64], loc: Loc) -> Node {
    Node::new(loc, Data::Array(xs.iter().map(|x| number(*x, loc)).collect()))
}
