//! Meshes from files: bytes of STL, OBJ or glTF ⇒ [`TriangleMesh`] in metres, with shared corners welded.
//!
//! A reader does not trust counts in a file: they are compared with its length and with
//! [`MeshOptions::most_triangles`] before memory is allocated, so that a damaged file only causes an error.
//! Problems of the mesh itself (open, inverted, …) are reported by [`crate::MeshAudit`]; corners that are not
//! finite are accepted, so that the audit can name them.

mod base64;
mod gltf;
mod obj;
mod stl;
#[cfg(test)]
mod tests;

use crate::{TriangleMesh, weld};
use touchdown_math::Vec3;

/// Default limit of triangles. Two million take 50 MB here and about half a gigabyte when prepared for
/// contact.
pub const MOST_TRIANGLES: usize = 2_000_000;

/// Kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeshFormat {
    /// STL, binary or ASCII.
    Stl,
    /// Wavefront OBJ: corners and faces; materials, normals and texture coordinates are ignored.
    Obj,
    /// glTF 2.0, binary (`.glb`) or with data inside (`.gltf`): triangles of the default scene. Metres, y up.
    Gltf,
}

impl MeshFormat {
    /// By the ending of a file's name; `None` for others.
    pub fn of_name(name: &str) -> Option<MeshFormat> {
        let (_, ending) = name.rsplit_once('.')?;
        match ending.to_ascii_lowercase().as_str() {
            "stl" => Some(MeshFormat::Stl),
            "obj" => Some(MeshFormat::Obj),
            "glb" | "gltf" => Some(MeshFormat::Gltf),
            _ => None,
        }
    }
}

/// The axis that points up in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum UpAxis {
    /// z up: unchanged.
    #[default]
    Z,
    /// y up, as glTF prescribes: (x, y, z) becomes (x, −z, y).
    Y,
    /// x up: (x, y, z) becomes (−z, y, x).
    X,
}

/// Conversion of a file to a mesh in metres, z up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshOptions {
    /// Metres per unit of the file, along the axes of the file; 0.001 for millimetres. A mirroring scale turns the faces over, so that they
    /// stay counter-clockwise from outside.
    pub scale: Vec3,
    /// The axis that points up in the file; `None` is y for glTF, as its standard says, and z for others, as parts are mostly drawn.
    pub up: Option<UpAxis>,
    /// More triangles than this are an error.
    pub most_triangles: usize,
}

impl Default for MeshOptions {
    fn default() -> Self {
        MeshOptions { scale: Vec3::repeat(1.0), up: None, most_triangles: MOST_TRIANGLES }
    }
}

/// Errors of a mesh file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MeshFileError {
    /// It ends too early.
    #[error("it ends inside {part}: {found} bytes where {needed} are needed")]
    Short {
        /// The truncated item.
        part: &'static str,
        /// Bytes there are.
        found: usize,
        /// Bytes there should be.
        needed: usize,
    },
    /// More triangles than allowed; found before they are read.
    #[error("it has {found} triangles; from face {allowed} on they are too many (at most {allowed})")]
    TooMany {
        /// Triangles of the file, or their number until reading stopped.
        found: usize,
        /// Most that are allowed.
        allowed: usize,
    },
    /// A line of a text file cannot be understood.
    #[error("line {line}: {why}")]
    Line {
        /// From 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// A face refers to a missing corner.
    #[error("face {face} names corner {corner}, but the file has {corners}")]
    NoSuchCorner {
        /// Index of the face, from 0.
        face: usize,
        /// The corner as the file names it.
        corner: i64,
        /// Number of corners.
        corners: usize,
    },
    /// An invalid or unsupported part of a glTF file.
    #[error("glTF: {0}")]
    Gltf(String),
    /// Neither the format of its name nor another known format.
    #[error("not a file of the kind {expected}")]
    NotThisKind {
        /// The kind that was expected.
        expected: &'static str,
    },
    /// It holds no triangle.
    #[error("it holds no triangle")]
    Empty,
}

/// Reads a mesh: its triangles in metres, corners at equal places made one.
pub fn read_mesh(
    bytes: &[u8],
    format: MeshFormat,
    options: &MeshOptions,
) -> Result<TriangleMesh, MeshFileError> {
    let most = options.most_triangles.min(u32::MAX as usize / 3);
    let mut mesh = match format {
        MeshFormat::Stl => stl::read(bytes, most),
        MeshFormat::Obj => obj::read(bytes, most),
        MeshFormat::Gltf => gltf::read(bytes, most),
    }?;
    if mesh.triangles.is_empty() {
        return Err(MeshFileError::Empty);
    }
    let up = options.up.unwrap_or(if format == MeshFormat::Gltf { UpAxis::Y } else { UpAxis::Z });
    for p in &mut mesh.vertices {
        let q = p.component_mul(&options.scale);
        *p = match up {
            UpAxis::Z => q,
            UpAxis::Y => Vec3::new(q.x, -q.z, q.y),
            UpAxis::X => Vec3::new(-q.z, q.y, q.x),
        };
    }
    if options.scale.iter().filter(|s| s.is_sign_negative()).count() % 2 == 1 {
        mesh.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    }
    Ok(weld(&mesh))
}

/// The error for one triangle more than allowed.
fn too_many(found: usize, allowed: usize) -> MeshFileError {
    MeshFileError::TooMany { found, allowed }
}
