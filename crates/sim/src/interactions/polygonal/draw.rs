//! Forms of the sides of polygonal contacts, for drawing; an opening reference changes its form.

use crate::description::{PolygonalContact, WorldDescription};
use crate::engine::system::System;
use crate::interactions::{Drawing, contact_visual};
use std::sync::Arc;
use touchdown_geometry::{Shape, TriangleMesh};

/// Segments around a body of revolution.
const SEGMENTS: u32 = 64;

/// Adds the forms of all contacts.
pub(super) fn add(description: &WorldDescription, out: &mut Vec<Drawing>) {
    for (i, contact) in description.polygonal.iter().enumerate() {
        out.extend(spreading(i, contact));
        for (k, side) in contact.sides.iter().enumerate() {
            let is_drawn = k == 1 && contact.opening.is_some();
            if side.body.is_some() && !side.mesh.triangles.is_empty() && !is_drawn {
                out.push(Drawing::fixed(form(contact, k, &side.mesh)));
            }
        }
    }
}

fn form(contact: &PolygonalContact, k: usize, mesh: &TriangleMesh) -> crate::description::Visual {
    let (side, other) = (&contact.sides[k], (k == 1) != contact.tells_reference);
    let name = format!("{}{}", contact.name, if other { "/other" } else { "" });
    contact_visual(name, side.body, side.X_BS, Shape::Mesh(mesh.clone()))
}

/// The reference side of contact `i`, if its section changes: the same rings on every section.
fn spreading(i: usize, contact: &PolygonalContact) -> Option<Drawing> {
    let opening = contact.opening.as_ref()?;
    let section = opening.family.at(opening.parameter.value(0.0)).section;
    let rings = section.rings(&section.resolution(SEGMENTS));
    let mesh = section.revolve(&rings, SEGMENTS).mesh;
    let visual = form(contact, 1, &mesh);
    let displace = move |system: &System, out: &mut Vec<[f32; 3]>| {
        out.clear();
        out.resize(mesh.vertices.len(), [0.0; 3]);
        // `None` if the section has changed its kind.
        let now = system.polygonal_section(i).map(|s| s.revolve(&rings, SEGMENTS).mesh.vertices);
        let Some(now) = now.filter(|now| now.len() == out.len()) else { return };
        for (out, (now, start)) in out.iter_mut().zip(now.iter().zip(&mesh.vertices)) {
            let d = now - start;
            *out = [d.x as f32, d.y as f32, d.z as f32];
        }
    };
    Some(Drawing { visual, displace: Some(Arc::new(displace)) })
}
