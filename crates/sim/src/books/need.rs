//! Memory need of a world, estimated from its description before anything is built.
//!
//! Only data that grow faster than the description count: matrices over all rates, and the soil under a body.
//! The estimate is an upper bound within a factor of about two.

use crate::description::{Ground, Integrator, Start, Study, WorldDescription};
use touchdown_contact::soil::SoilShape;
use touchdown_math::Elementary;
use touchdown_multibody::description::DriveKind;

/// Bytes of a number.
const NUMBER: u64 = 8;
/// A body with its joint, links, columns and drawing, bytes; measured with a chain of 100 000 links.
const BODY: u64 = 6_000;
/// A node of the soil's grid under a body: its columns in two contacts, and the node itself, bytes.
const NODE: u64 = 256;
/// A coordinate of a flexible body: elements, contact, drawing, bytes.
const COORDINATE: u64 = 2_000;
/// Entries of the factors of a plane mesh over n·log2 n (George 1973, nested dissection).
const FILL: u64 = 40;

/// Memory by use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryNeed {
    /// Use and number of bytes; the largest first.
    pub parts: Vec<(&'static str, u64)>,
    /// Degrees of freedom of the tree.
    pub rates: u64,
    /// Constraint rows.
    pub rows: u64,
}

impl MemoryNeed {
    /// Bytes in all.
    pub fn bytes(&self) -> u64 {
        self.parts.iter().fold(0, |sum, part| sum.saturating_add(part.1))
    }
}

/// The memory that [`Simulation::build`](crate::Simulation::build) and a run will take.
pub fn memory_need(description: &WorldDescription) -> MemoryNeed {
    let mechanism = &description.mechanism;
    let rates: u64 = mechanism.joints.iter().map(|joint| joint.kind.rates() as u64).sum();
    let locks = mechanism.drives.iter().filter(|drive| matches!(drive.kind, DriveKind::Lock)).count();
    let rates = rates.saturating_sub(locks as u64);
    let rows: u64 = mechanism.constraints.iter().map(|constraint| constraint.kind.rows() as u64).sum();
    let squares = |n: u64| n.saturating_mul(n).saturating_mul(NUMBER);
    let blocks =
        squares(rates).saturating_add(2 * NUMBER * rates.saturating_mul(rows)).saturating_add(squares(rows));
    let steps_implicitly =
        matches!(description.integrator, Integrator::Implicit { .. } | Integrator::Realtime { .. });
    let newton = steps_implicitly
        || description.start != Start::AsGiven
        || matches!(description.study, Some(Study::Static));
    let flexible = |n: u64| {
        let depth = u64::from(64 - (n + 1).leading_zeros());
        n.saturating_mul(FILL * depth * NUMBER).saturating_add(n.saturating_mul(COORDINATE))
    };
    let soft: u64 = description.flexible.iter().map(|f| flexible(f.mesh.coordinates() as u64)).sum();
    let soil = soil_nodes(description)
        .iter()
        .fold(0, |sum: u64, part| sum.saturating_add(part.2.saturating_mul(NODE)));
    let mut parts = vec![
        ("bodies and joints", BODY.saturating_mul(mechanism.bodies.len() as u64)),
        ("mass matrix and Jacobian of the constraints", if rows > 0 { blocks } else { 0 }),
        // The matrix itself, its factors with the tree's sparsity, and the dense ones in case a pivot fails.
        (
            "Newton matrix and its factors",
            if newton { blocks.saturating_mul(2).saturating_add(squares(rates + rows)) } else { 0 },
        ),
        ("mass matrix for impulses", if description.impulses.is_empty() { 0 } else { squares(rates) }),
        ("flexible bodies", soft),
        ("soil under bodies", soil),
    ];
    parts.sort_by_key(|part| std::cmp::Reverse(part.1));
    MemoryNeed { parts, rates, rows }
}

/// The nodes of the soil's grid that each body or heap can cover: kind, name, nodes.
pub fn soil_nodes(description: &WorldDescription) -> Vec<(&'static str, &str, u64)> {
    let Some(Ground::Soil(ground)) = &description.ground else { return Vec::new() };
    let nodes = |size: f64| (size / ground.spacing).ceil().max(0.0) + 2.0;
    let bodies = description.soil_bodies.iter().map(|body| {
        let covered = match &body.surface.shape {
            SoilShape::Wheel { radius, width, .. } => nodes(2.0 * radius) * nodes(*width),
            SoilShape::Mesh(mesh) => {
                // In its least favourable attitude.
                let first = mesh.vertices.first().copied().unwrap_or_default();
                let (low, high) =
                    mesh.vertices.iter().fold((first, first), |(low, high), v| (low.inf(v), high.sup(v)));
                let mut sizes: [f64; 3] = (high - low).into();
                sizes.sort_by(f64::total_cmp);
                nodes(sizes[1]) * nodes(sizes[2])
            }
        };
        ("wheel or surface", body.name.as_str(), covered as u64)
    });
    let heaps = ground.heaps.iter().map(|heap| ("heap", "", nodes(2.0 * heap.radius).whole_power(2) as u64));
    bodies.chain(heaps).collect()
}
