//! URDF machines: an import that yields the same nodes as a machine file, with an audit of what was kept and
//! what was dropped.
//!
//! Collision shapes touch the ground, limits of effort and speed become those of the joints' motors, mimic
//! joints become gear constraints. Everything without an equivalent (sensors, materials of other simulators,
//! unknown tags …) is omitted and reported in one list; `allow` names tags that need not be reported.

mod convert;
mod inertia;
mod scan;

use crate::include::Reading;
use crate::node::{Data, Node};
use crate::source::Loc;
use convert::Importer;
use scan::Tag;
use std::collections::BTreeMap;

/// What a URDF import kept and dropped.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Audit {
    /// The file.
    pub file: String,
    /// Sum of all link masses, kg.
    pub total_mass_kg: f64,
    /// Number of links.
    pub bodies: usize,
    /// Number of joints.
    pub joints: usize,
    /// Inertia of each link about its centre of mass in the link's axes: Ixx, Iyy, Izz, Ixy, Ixz, Iyz, kg m².
    pub inertias: Vec<(String, [f64; 6])>,
    /// Omitted tags, with their number, without those that `allow` names.
    pub dropped: Vec<(String, usize)>,
    /// Irregularities and how they were interpreted.
    pub oddities: Vec<String>,
    /// Meshes: file, scale, and size in metres after scaling (zero if it could not be read).
    pub meshes: Vec<(String, [f64; 3], f64)>,
}

/// Tags that are imported, with the tag that contains them.
const KEPT: &[(&str, &[&str])] = &[
    ("robot", &[""]),
    ("link", &["robot"]),
    ("material", &["robot", "visual"]),
    ("inertial", &["link"]),
    ("visual", &["link"]),
    ("collision", &["link"]),
    ("origin", &["inertial", "visual", "collision", "joint"]),
    ("mass", &["inertial"]),
    ("inertia", &["inertial"]),
    ("geometry", &["visual", "collision"]),
    ("box", &["geometry"]),
    ("cylinder", &["geometry"]),
    ("sphere", &["geometry"]),
    ("capsule", &["geometry"]),
    ("mesh", &["geometry"]),
    ("color", &["material"]),
    ("parent", &["joint"]),
    ("child", &["joint"]),
    ("axis", &["joint"]),
    ("limit", &["joint"]),
    ("dynamics", &["joint"]),
    ("mimic", &["joint"]),
    // A gear between motor and joint is not imported: limits and friction of a joint already apply at its
    // output.
    ("transmission", &["robot"]),
    ("type", &["transmission"]),
    ("joint", &["robot", "transmission"]),
    ("actuator", &["transmission"]),
    ("hardwareInterface", &["joint", "actuator"]),
    ("mechanicalReduction", &["actuator"]),
];

/// Imports a URDF text; `named` is the `urdf = "…"` value that names it.
pub(crate) fn import(
    text: &str,
    source: u32,
    allow: Option<&Node>,
    named: &Node,
    reading: &mut Reading,
) -> Option<Node> {
    let file = match &named.data {
        Data::Text(file) => file.clone(),
        _ => return None,
    };
    let tags = match scan::scan(text) {
        Ok(tags) => tags,
        Err((span, what)) => {
            reading.issues.at(Loc::new(source, span), "", format!("this is not XML: {what}"));
            return None;
        }
    };
    let allowed = allowed_words(allow);
    let mut lost = find_lost(&tags);
    let robot = match urdf_rs::read_from_string(text) {
        Ok(robot) => robot,
        Err(error) => {
            let what = format!("this is not a URDF: {error}");
            reading.issues.at(blame(&error.to_string(), &tags, source), "", what);
            return None;
        }
    };
    let mut importer = Importer {
        robot: &robot,
        tags: &tags,
        source,
        lost: &mut lost,
        oddities: Vec::new(),
        unread: BTreeMap::new(),
        library: reading.library,
    };
    let (node, mut audit) = importer.convert();
    audit.file = file;
    audit.dropped = lost.into_iter().filter(|(kind, _)| !allowed.contains(kind)).collect();
    reading.library.audits.push(audit);
    Some(node)
}

/// Omitted content: kind, and number of occurrences.
type Lost = BTreeMap<String, usize>;

fn find_lost(tags: &[Tag]) -> Lost {
    let mut lost = Lost::new();
    for tag in tags {
        let inside = tag.inside.last().map_or("", String::as_str);
        let kept = KEPT.iter().any(|(name, parents)| *name == tag.name && parents.contains(&inside));
        // Only the outermost omitted tag counts: the content of <gazebo> is omitted with it.
        let within_lost = (0..tag.inside.len()).any(|i| {
            let outer = if i == 0 { "" } else { tag.inside[i - 1].as_str() };
            !KEPT.iter().any(|(name, parents)| *name == tag.inside[i] && parents.contains(&outer))
        });
        if !kept && !within_lost {
            *lost.entry(tag.name.clone()).or_default() += 1;
        }
    }
    lost
}

fn allowed_words(allow: Option<&Node>) -> Vec<String> {
    match allow.map(|n| &n.data) {
        Some(Data::Text(word)) => vec![word.clone()],
        Some(Data::Array(list)) => list
            .iter()
            .filter_map(|n| match &n.data {
                Data::Text(word) => Some(word.clone()),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// The library does not report the location: the first link or joint named in its message, otherwise the
/// file's start.
fn blame(message: &str, tags: &[Tag], source: u32) -> Loc {
    let named =
        tags.iter().find(|t| t.label.as_ref().is_some_and(|l| l.len() > 2 && message.contains(l.as_str())));
    let kind = tags.iter().find(|t| message.contains(&format!("`{}`", t.name)));
    named.or(kind).or(tags.first()).map_or(Loc::new(source, 0..0), |t| Loc::new(source, t.span.clone()))
}
