//! URDF machines: an import that becomes the same nodes a machine file gives, with an audit of what was kept and what was dropped.
//!
//! What would be lost (collision shapes, transmissions, sensors, motor limits, unknown tags …) is a mistake unless the
//! machine lists it in `allow`. Mimic joints become gear constraints.

mod convert;
mod scan;

use crate::error::Issues;
use crate::include::Reading;
use crate::node::{Data, Node};
use crate::source::Loc;
use convert::Importer;
use scan::Tag;
use std::collections::BTreeMap;

/// What a URDF import kept and lost.
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
    /// Tags that were left out because `allow` names them, with their number.
    pub dropped: Vec<(String, usize)>,
    /// Meshes: file, scale, and size in metres after scaling (zero if it could not be read).
    pub meshes: Vec<(String, [f64; 3], f64)>,
}

/// Tags whose meaning is taken over, with the tag they stand in.
const KEPT: &[(&str, &[&str])] = &[
    ("robot", &[""]),
    ("link", &["robot"]),
    ("joint", &["robot"]),
    ("material", &["robot", "visual"]),
    ("inertial", &["link"]),
    ("visual", &["link"]),
    ("origin", &["inertial", "visual", "joint"]),
    ("mass", &["inertial"]),
    ("inertia", &["inertial"]),
    ("geometry", &["visual"]),
    ("box", &["geometry"]),
    ("cylinder", &["geometry"]),
    ("sphere", &["geometry"]),
    ("mesh", &["geometry"]),
    ("color", &["material"]),
    ("parent", &["joint"]),
    ("child", &["joint"]),
    ("axis", &["joint"]),
    ("limit", &["joint"]),
    ("dynamics", &["joint"]),
    ("mimic", &["joint"]),
];

/// Imports a URDF text; `named` is the `urdf = "…"` value that asked for it.
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
    let mut lost = find_lost(&tags, source);
    let robot = match urdf_rs::read_from_string(text) {
        Ok(robot) => robot,
        Err(error) => {
            let what = format!("this is not a URDF: {error}");
            reading.issues.at(blame(&error.to_string(), &tags, source), "", what);
            return None;
        }
    };
    let mut importer =
        Importer { robot: &robot, tags: &tags, source, lost: &mut lost, library: reading.library };
    let (node, mut audit) = importer.convert();
    audit.file = file;
    audit.dropped = report_lost(lost, &allowed, reading.issues);
    reading.library.audits.push(audit);
    Some(node)
}

/// What would be lost: kind of thing, with the places.
type Lost = BTreeMap<String, Vec<Loc>>;

fn find_lost(tags: &[Tag], source: u32) -> Lost {
    let mut lost = Lost::new();
    for tag in tags {
        let inside = tag.inside.last().map_or("", String::as_str);
        let kept = KEPT.iter().any(|(name, parents)| *name == tag.name && parents.contains(&inside));
        // Only the outermost lost tag counts: what stands inside <gazebo> goes with it.
        let within_lost = (0..tag.inside.len()).any(|i| {
            let outer = if i == 0 { "" } else { tag.inside[i - 1].as_str() };
            !KEPT.iter().any(|(name, parents)| *name == tag.inside[i] && parents.contains(&outer))
        });
        if !kept && !within_lost {
            lost.entry(tag.name.clone()).or_default().push(Loc::new(source, tag.span.clone()));
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

fn report_lost(lost: Lost, allowed: &[String], issues: &mut Issues) -> Vec<(String, usize)> {
    let mut dropped = Vec::new();
    for (kind, places) in lost {
        if allowed.contains(&kind) {
            dropped.push((kind, places.len()));
            continue;
        }
        let times = if places.len() == 1 { "once".into() } else { format!("{} times", places.len()) };
        issues
            .at(places[0], "", format!("{kind} would be lost ({times} in this file)"))
            .hint(format!("if that is intended: allow = [\"{kind}\"] in the machine's table"));
    }
    dropped
}

/// The library does not say where it failed: the first link or joint whose name its message mentions, else the file's start.
fn blame(message: &str, tags: &[Tag], source: u32) -> Loc {
    let named =
        tags.iter().find(|t| t.label.as_ref().is_some_and(|l| l.len() > 2 && message.contains(l.as_str())));
    let kind = tags.iter().find(|t| message.contains(&format!("`{}`", t.name)));
    named.or(kind).or(tags.first()).map_or(Loc::new(source, 0..0), |t| Loc::new(source, t.span.clone()))
}
