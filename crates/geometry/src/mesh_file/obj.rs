//! Wavefront OBJ: `v x y z` and `f a b c …`, where a corner may be `a/texture/normal` and counts from 1, or from the end if negative.
//! A polygon becomes a fan about its first corner, which is correct for convex ones. All objects and groups
//! become one mesh.

use super::{MeshFileError, too_many};
use crate::TriangleMesh;
use touchdown_math::Vec3;

pub(super) fn read(bytes: &[u8], most: usize) -> Result<TriangleMesh, MeshFileError> {
    let text = String::from_utf8_lossy(bytes);
    if text.contains('\0') {
        return Err(MeshFileError::NotThisKind { expected: "OBJ" });
    }
    let mut mesh = TriangleMesh::default();
    let mut polygon = Vec::new();
    for (k, line) in text.lines().enumerate() {
        let wrong = |why: String| MeshFileError::Line { line: k + 1, why };
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("v") => {
                let mut place = [0.0; 3];
                for c in &mut place {
                    let word = words.next().ok_or_else(|| wrong("a corner needs three numbers".into()))?;
                    *c = word.parse().map_err(|_| wrong(format!("\"{word}\" is no number")))?;
                }
                if mesh.vertices.len() >= u32::MAX as usize {
                    return Err(wrong("more corners than can be counted".into()));
                }
                mesh.vertices.push(Vec3::from(place));
            }
            Some("f") => {
                polygon.clear();
                for word in words.take_while(|word| !word.starts_with('#')) {
                    polygon.push(corner(word, &mesh).map_err(|error| {
                        error.unwrap_or_else(|| wrong(format!("\"{word}\" names no corner")))
                    })?);
                }
                if polygon.len() < 3 {
                    return Err(wrong(format!("a face of {} corners", polygon.len())));
                }
                if mesh.triangles.len() + polygon.len() - 2 > most {
                    return Err(too_many(mesh.triangles.len() + polygon.len() - 2, most));
                }
                mesh.triangles.extend(polygon[1..].windows(2).map(|pair| [polygon[0], pair[0], pair[1]]));
            }
            _ => {}
        }
    }
    Ok(mesh)
}

/// The index of a corner `a`, `a/b`, `a//c` or `a/b/c`.
fn corner(word: &str, mesh: &TriangleMesh) -> Result<u32, Option<MeshFileError>> {
    let name: i64 = word.split('/').next().and_then(|a| a.parse().ok()).ok_or(None)?;
    let corners = mesh.vertices.len();
    let index = if name < 0 { corners as i64 + name } else { name - 1 };
    // In all known files corners precede their references; a reference to a later corner is an error.
    if (0..corners as i64).contains(&index) && name != 0 {
        Ok(index as u32)
    } else {
        Err(Some(MeshFileError::NoSuchCorner { face: mesh.triangles.len(), corner: name, corners }))
    }
}
