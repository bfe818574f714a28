//! STL: loose triangles, binary (80 bytes of header, a count, 50 bytes for each) or ASCII (`vertex x y z`, three for a facet).
//!
//! Many binary files also begin with `solid`; the length decides. Normals of the file are ignored: they
//! follow from the order of corners.

use super::{MeshFileError, too_many};
use crate::TriangleMesh;
use touchdown_math::Vec3;

const HEADER: usize = 84;
const FACET: usize = 50;

pub(super) fn read(bytes: &[u8], most: usize) -> Result<TriangleMesh, MeshFileError> {
    let count = bytes.get(HEADER - 4..HEADER).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]) as usize);
    let is_text = bytes.trim_ascii_start().starts_with(b"solid");
    match count {
        // A count is at most 2³² − 1: the product fits.
        Some(count) if !is_text || bytes.len() as u64 == (HEADER as u64 + count as u64 * FACET as u64) => {
            binary(bytes, count, most)
        }
        _ if is_text => ascii(bytes, most),
        _ => Err(MeshFileError::Short { part: "the header of an STL", found: bytes.len(), needed: HEADER }),
    }
}

fn binary(bytes: &[u8], count: usize, most: usize) -> Result<TriangleMesh, MeshFileError> {
    if count > most {
        return Err(too_many(count, most));
    }
    let needed = HEADER + count * FACET;
    if bytes.len() < needed {
        return Err(MeshFileError::Short { part: "the triangles of an STL", found: bytes.len(), needed });
    }
    let mut vertices = Vec::with_capacity(3 * count);
    for facet in bytes[HEADER..needed].chunks_exact(FACET) {
        let number = |at: usize| {
            f64::from(f32::from_le_bytes([facet[at], facet[at + 1], facet[at + 2], facet[at + 3]]))
        };
        vertices.extend([12, 24, 36].map(|at| Vec3::new(number(at), number(at + 4), number(at + 8))));
    }
    Ok(loose(vertices))
}

fn ascii(bytes: &[u8], most: usize) -> Result<TriangleMesh, MeshFileError> {
    let text = String::from_utf8_lossy(bytes);
    let mut vertices = Vec::new();
    for (k, line) in text.lines().enumerate() {
        let wrong = |why: String| MeshFileError::Line { line: k + 1, why };
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("vertex") => {
                let mut place = [0.0; 3];
                for c in &mut place {
                    let word = words.next().ok_or_else(|| wrong("a vertex needs three numbers".into()))?;
                    *c = word.parse().map_err(|_| wrong(format!("\"{word}\" is no number")))?;
                }
                if vertices.len() == 3 * most {
                    return Err(too_many(most + 1, most));
                }
                vertices.push(Vec3::from(place));
            }
            Some("endfacet") if vertices.len() % 3 != 0 => {
                return Err(wrong(format!("facet {} has not three vertices", vertices.len() / 3)));
            }
            _ => {}
        }
    }
    if vertices.len() % 3 != 0 {
        return Err(MeshFileError::Line {
            line: text.lines().count(),
            why: format!("the file ends inside facet {}", vertices.len() / 3),
        });
    }
    Ok(loose(vertices))
}

/// Every three corners are a triangle.
fn loose(vertices: Vec<Vec3>) -> TriangleMesh {
    let triangles = (0..vertices.len() as u32 / 3).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    TriangleMesh { vertices, triangles }
}
