//! Meshes named by scenarios and URDF files: the reader is chosen by the file's ending, and implausible sizes
//! are refused.

use touchdown_geometry::{MeshAudit, MeshFormat, MeshOptions, MeshProblemKind, TriangleMesh};
use touchdown_math::Vec3;

/// Largest plausible extent of a part, m; a larger file was probably in millimetres.
pub(crate) const LARGEST_EXTENT: f64 = 100.0;

/// Reads the bytes of the file `name` and scales them to metres.
pub(crate) fn read(bytes: &[u8], name: &str, scale: &Vec3) -> Result<TriangleMesh, String> {
    let format = MeshFormat::of_name(name)
        .ok_or("not a mesh that can be read; its name must end in .stl, .obj, .glb or .gltf")?;
    let options = MeshOptions { scale: *scale, ..MeshOptions::default() };
    let mesh = touchdown_geometry::read_mesh(bytes, format, &options).map_err(|e| e.to_string())?;
    if mesh.check().is_err() {
        let audit = MeshAudit::new(&mesh);
        let problem = audit.errors().find(|p| p.kind == MeshProblemKind::NotFinite);
        return Err(problem.map_or("a corner is not a finite number".into(), ToString::to_string));
    }
    let extent = extent(&mesh.vertices);
    if extent > LARGEST_EXTENT {
        return Err(format!("it is {extent:.0} m across; if the file is in millimetres, scale is 0.001"));
    }
    Ok(mesh)
}

/// Largest edge of the bounding box.
pub(crate) fn extent(vertices: &[Vec3]) -> f64 {
    let (mut low, mut high) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
    for v in vertices {
        low = low.inf(v);
        high = high.sup(v);
    }
    if vertices.is_empty() { 0.0 } else { (high - low).max() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "solid t\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 10 0 0\nvertex 0 10 0\nendloop\nendfacet\nendsolid t\n";

    /// A mesh in millimetres becomes metres by its scale. One that is implausibly large, contains invalid
    /// numbers or has an unknown ending is refused.
    #[test]
    fn meshes_are_scaled_and_bounded() {
        let mesh = read(ONE.as_bytes(), "a.STL", &Vec3::repeat(0.001)).unwrap();
        assert_eq!(mesh.triangles.len(), 1);
        assert!((extent(&mesh.vertices) - 0.01).abs() < 1e-9);
        let refused = |text: &str, name: &str, scale: f64| {
            read(text.as_bytes(), name, &Vec3::repeat(scale)).unwrap_err()
        };
        assert!(refused(ONE, "a.stl", 20.0).contains("millimetres"));
        assert!(refused(&ONE.replacen("10", "nan", 1), "a.stl", 1.0).starts_with("face 0 has a corner"));
        assert!(refused(ONE, "a.dae", 1.0).contains(".glb"));
        assert!(refused("", "a.stl", 1.0).contains("header"));
        let square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
        assert_eq!(read(square.as_bytes(), "b.obj", &Vec3::repeat(2.0)).unwrap().area(), 4.0);
    }
}
