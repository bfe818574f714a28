//! From a parsed URDF to the nodes of a machine: links become bodies, joints joints, mimics gears, visuals visuals.

use super::scan::Tag;
use super::{Audit, Lost};
use crate::include::Library;
use crate::mesh;
use crate::node::{Data, Entry, Node};
use crate::source::Loc;
use touchdown_geometry::MeshFormat;
use touchdown_math::{Mat3, Vec3, rotation};
use urdf_rs::{Geometry, Joint, JointType, Link, Robot, Visual};

/// Stops have no stiffness in URDF; these are stiff beside any machine that it describes: N m/rad, N/m.
const STOP_STIFFNESS: [f64; 2] = [1e4, 1e6];
/// Damping of the stops, N m s/rad, N s/m.
const STOP_DAMPING: [f64; 2] = [1e2, 1e4];

/// The import at work.
pub(crate) struct Importer<'a> {
    pub robot: &'a Robot,
    pub tags: &'a [Tag],
    pub source: u32,
    pub lost: &'a mut Lost,
    pub library: &'a mut Library,
}

impl Importer<'_> {
    /// The machine's node and the audit.
    pub fn convert(&mut self) -> (Node, Audit) {
        let robot = self.robot;
        let whole = self.place("robot", &robot.name);
        let (mut bodies, mut joints, mut gears, mut visuals) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut audit = Audit { bodies: robot.links.len(), joints: robot.joints.len(), ..Audit::default() };
        for link in &robot.links {
            let loc = self.place("link", &link.name);
            audit.total_mass_kg += link.inertial.mass.value;
            if link.name != "world" {
                let (body, inertia) = body(link, loc);
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
        }
        for joint in &robot.joints {
            let loc = self.place("joint", &joint.name);
            joints.push(entry(&joint.name, loc, self.joint(joint, loc)));
            if let Some(mimic) = &joint.mimic {
                gears.push(entry(&joint.name, loc, self.gear(joint, mimic, loc)));
            }
        }
        let parts = [("body", bodies), ("joint", joints), ("constraint", gears), ("visual", visuals)];
        let parts = parts.into_iter().filter(|(_, list)| !list.is_empty());
        let table = parts.map(|(key, list)| entry(key, whole, Node::new(whole, Data::Table(list)))).collect();
        (Node::new(whole, Data::Table(table)), audit)
    }

    /// Place of a named element.
    fn place(&self, tag: &str, label: &str) -> Loc {
        let found = self.tags.iter().find(|t| t.name == tag && t.label.as_deref() == Some(label));
        found.map_or(Loc::new(self.source, 0..0), |t| Loc::new(self.source, t.span.clone()))
    }

    fn lose(&mut self, what: &str, loc: Loc) {
        self.lost.entry(what.into()).or_default().push(loc);
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
            keys.extend(self.stops(joint, slides, loc));
            keys.extend(friction(joint, slides, loc));
        } else if joint.dynamics.as_ref().is_some_and(|d| d.damping != 0.0 || d.friction != 0.0) {
            self.lose("dynamics", loc);
        }
        Node::new(loc, Data::Table(keys))
    }

    /// Limits of travel are kept; limits of effort and speed belong to a motor, which a URDF does not describe.
    fn stops(&mut self, joint: &Joint, slides: usize, loc: Loc) -> Option<Entry> {
        let limit = &joint.limit;
        let motor = |x: f64| x != 0.0 && x.is_finite();
        if motor(limit.effort) || motor(limit.velocity) {
            self.lose("effort", loc);
        }
        let bounded = limit.lower < limit.upper && limit.lower.is_finite() && limit.upper.is_finite();
        if joint.joint_type == JointType::Continuous || !bounded {
            return None;
        }
        let unit = ["rad", "m"][slides];
        let reason = "URDF gives no stiffness of the stops";
        let keys = vec![
            entry(&format!("lower_{unit}"), loc, number(limit.lower, loc)),
            entry(&format!("upper_{unit}"), loc, number(limit.upper, loc)),
            entry(
                ["stiffness_n_m_per_rad", "stiffness_n_per_m"][slides],
                loc,
                number(STOP_STIFFNESS[slides], loc),
            ),
            entry(
                ["damping_n_m_s_per_rad", "damping_n_s_per_m"][slides],
                loc,
                number(STOP_DAMPING[slides], loc),
            ),
            entry("assumed", loc, text(reason, loc)),
        ];
        Some(entry("limits", loc, Node::new(loc, Data::Table(keys))))
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
            Geometry::Capsule { .. } => return None,
            Geometry::Mesh { filename, scale } => {
                let scale = scale.map_or([1.0; 3], |s| s.0);
                let file = strip_package(filename);
                let bytes = self.library.open(self.source, file);
                let read =
                    bytes.map_err(|e| e.message).and_then(|(b, _)| mesh::read(&b, file, &Vec3::from(scale)));
                audit.meshes.push((
                    file.into(),
                    scale,
                    read.as_ref().map_or(0.0, |m| mesh::extent(&m.vertices)),
                ));
                // A file of a kind that can be read is kept, so that its mistake is shown where it is used.
                if read.is_err() && MeshFormat::of_name(file).is_none() {
                    self.lose("mesh", loc);
                    return None;
                }
                keys.push(entry("mesh", loc, text(file, loc)));
                keys.push(entry("scale", loc, list(&scale, loc)));
            }
        }
        if let Some(rgba) = self.colour(visual) {
            keys.push(entry("colour", loc, list(&rgba, loc)));
        }
        Some(Node::new(loc, Data::Table(keys)))
    }

    fn colour(&self, visual: &Visual) -> Option<[f64; 4]> {
        let material = visual.material.as_ref()?;
        let shared = || self.robot.materials.iter().find(|m| m.name == material.name);
        let colour = material.color.as_ref().or_else(|| shared()?.color.as_ref())?;
        Some(colour.rgba.0)
    }
}

/// `package://NAME/meshes/a.stl` is looked for beside the URDF.
fn strip_package(file: &str) -> &str {
    match file.strip_prefix("package://") {
        Some(rest) => rest.split_once('/').map_or(rest, |(_, inside)| inside),
        None => file.strip_prefix("file://").unwrap_or(file),
    }
}

/// A link's body, and its inertia about the centre of mass turned into the link's axes.
fn body(link: &Link, loc: Loc) -> (Node, [f64; 6]) {
    let given = &link.inertial;
    let i = &given.inertia;
    let I = Mat3::new(i.ixx, i.ixy, i.ixz, i.ixy, i.iyy, i.iyz, i.ixz, i.iyz, i.izz);
    let rpy = given.origin.rpy.0;
    let R = rotation::about_axis(&Vec3::z(), rpy[2])
        * rotation::about_axis(&Vec3::y(), rpy[1])
        * rotation::about_axis(&Vec3::x(), rpy[0]);
    let I = R * I * R.transpose();
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

/// The joint that carries the root link: free, unless the scenario says otherwise.
fn base(child: &str, loc: Loc) -> Node {
    let keys = vec![entry("type", loc, text("free", loc)), entry("child", loc, text(child, loc))];
    Node::new(loc, Data::Table(keys))
}

fn friction(joint: &Joint, slides: usize, loc: Loc) -> Option<Entry> {
    let dynamics = joint.dynamics.as_ref().filter(|d| d.damping != 0.0 || d.friction != 0.0)?;
    let keys = vec![
        entry(["coulomb_n_m", "coulomb_n"][slides], loc, number(dynamics.friction, loc)),
        entry(["viscous_n_m_s_per_rad", "viscous_n_s_per_m"][slides], loc, number(dynamics.damping, loc)),
    ];
    Some(entry("friction", loc, Node::new(loc, Data::Table(keys))))
}

fn frame(pose: &urdf_rs::Pose, loc: Loc) -> Node {
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
