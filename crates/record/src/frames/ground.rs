//! The ground and the pressures as messages, and back.

use super::own::{BodyPressures, Ground, Pressures, Relief};
use super::proto::Vector3;
use super::scene::vector;
use super::{Scene, write};
use touchdown_math::Vec3;
use touchdown_sim::show::{GroundView, ReliefSample};
use touchdown_sim::sink::PressureNode;

/// The ground as a message.
pub(crate) fn ground(view: &GroundView) -> Ground {
    match view {
        GroundView::Plane { point, normal } => {
            Ground { point: Some(vector(point)), normal: Some(vector(normal)), ..Default::default() }
        }
        GroundView::Relief { relief } => {
            Ground { relief: Some(relief_message(relief)), ..Default::default() }
        }
        GroundView::Soil { spacing, relief } => {
            Ground { soil_spacing: *spacing, relief: Some(relief_message(relief)), ..Default::default() }
        }
    }
}

fn relief_message(sample: &ReliefSample) -> Relief {
    Relief {
        x0: sample.x0,
        y0: sample.y0,
        spacing: sample.spacing,
        // A sample has some hundred nodes a side.
        nx: sample.nx as u32,
        ny: sample.ny as u32,
        heights: sample.heights.clone(),
    }
}

/// The ground of a message; `None` if it is invalid.
pub(crate) fn ground_of(message: Ground) -> Option<GroundView> {
    let Some(relief) = message.relief else {
        return Some(GroundView::Plane { point: vec3(message.point)?, normal: vec3(message.normal)? });
    };
    let Relief { x0, y0, spacing, nx, ny, heights } = relief;
    let (nx, ny) = (nx as usize, ny as usize);
    if nx.checked_mul(ny) != Some(heights.len()) {
        return None;
    }
    let relief = ReliefSample { x0, y0, spacing, nx, ny, heights };
    // Rigid ground has no nodes that deform.
    Some(match message.soil_spacing {
        0.0 => GroundView::Relief { relief },
        spacing => GroundView::Soil { spacing, relief },
    })
}

pub(crate) fn vec3(v: Option<Vector3>) -> Option<Vec3> {
    v.map(|v| Vec3::new(v.x, v.y, v.z))
}

/// Pressures of the bodies in soil, which are the last of the contacts.
pub(crate) fn pressures(scene: &Scene, time: u64, bodies: &[Vec<PressureNode>]) -> Pressures {
    let first = scene.contacts.len().saturating_sub(bodies.len());
    let body = |(k, nodes): (usize, &Vec<PressureNode>)| BodyPressures {
        contact: scene.contacts.get(first + k).map(|c| c.name.clone()).unwrap_or_default(),
        i: differences(nodes.iter().map(|n| n.i)),
        j: differences(nodes.iter().map(|n| n.j)),
        pressure: nodes.iter().map(|n| n.pressure).collect(),
    };
    let bodies = bodies.iter().enumerate().map(body).collect();
    Pressures { timestamp: Some(write::timestamp(time)), bodies }
}

/// Nodes of a message; incomplete ones are left out.
pub(crate) fn nodes_of(message: &BodyPressures, out: &mut Vec<PressureNode>) {
    let sum = |at: &mut i32, by: &i32| {
        *at = at.wrapping_add(*by);
        Some(*at)
    };
    let places = message.i.iter().scan(0, sum).zip(message.j.iter().scan(0, sum));
    out.clear();
    out.extend(places.zip(&message.pressure).map(|((i, j), &pressure)| PressureNode { i, j, pressure }));
}

fn differences(values: impl Iterator<Item = i32>) -> Vec<i32> {
    let by = |last: &mut i32, value: i32| Some(value.wrapping_sub(std::mem::replace(last, value)));
    values.scan(0, by).collect()
}
