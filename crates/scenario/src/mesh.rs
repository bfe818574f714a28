//! STL meshes for display, read with bounds on size so that a bad file costs an error and not the memory.

use touchdown_geometry::TriangleMesh;
use touchdown_math::Vec3;

/// Most triangles of a mesh.
const MOST_TRIANGLES: usize = 2_000_000;
/// Bytes of a binary STL before its triangles, and of each triangle.
const HEADER: usize = 84;
const TRIANGLE: usize = 50;
/// Largest believable extent of a drawn part, m; beyond it the file was probably in millimetres.
pub(crate) const LARGEST_EXTENT: f64 = 100.0;

/// Reads a binary or ASCII STL and scales it to metres.
pub(crate) fn read_stl(bytes: &[u8], scale: &Vec3) -> Result<TriangleMesh, String> {
    if !bytes.starts_with(b"solid") {
        check_binary(bytes)?;
    }
    let mut cursor = std::io::Cursor::new(bytes);
    let mesh = stl_io::read_stl(&mut cursor).map_err(|e| format!("not an STL file: {e}"))?;
    if mesh.faces.len() > MOST_TRIANGLES {
        return Err(format!("{} triangles, more than {MOST_TRIANGLES}", mesh.faces.len()));
    }
    let vertex = |v: &stl_io::Vertex| Vec3::new(v[0] as f64, v[1] as f64, v[2] as f64).component_mul(scale);
    let vertices: Vec<Vec3> = mesh.vertices.iter().map(vertex).collect();
    if vertices.iter().any(|v| !v.iter().all(|x| x.is_finite())) {
        return Err("a corner is not a finite number".into());
    }
    let extent = extent(&vertices);
    if extent > LARGEST_EXTENT {
        return Err(format!("it is {extent:.0} m across; if the file is in millimetres, scale is 0.001"));
    }
    let triangles = mesh.faces.iter().map(|f| f.vertices.map(|i| i as u32)).collect();
    Ok(TriangleMesh { vertices, triangles })
}

/// The header's count must agree with the file's length: a reader that believes it may ask for gigabytes.
fn check_binary(bytes: &[u8]) -> Result<(), String> {
    let Some(count) = bytes.get(HEADER - 4..HEADER) else { return Err("shorter than an STL header".into()) };
    let count = u32::from_le_bytes([count[0], count[1], count[2], count[3]]) as usize;
    if count > MOST_TRIANGLES || bytes.len() < HEADER + count * TRIANGLE {
        return Err(format!("says {count} triangles, but is {} bytes long", bytes.len()));
    }
    Ok(())
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

    /// A mesh in millimetres becomes metres by its scale, and one that would be absurdly large is refused.
    #[test]
    fn meshes_are_scaled_and_bounded() {
        let mesh = read_stl(ONE.as_bytes(), &Vec3::repeat(0.001)).unwrap();
        assert_eq!(mesh.triangles.len(), 1);
        assert!((extent(&mesh.vertices) - 0.01).abs() < 1e-9);
        assert!(read_stl(ONE.as_bytes(), &Vec3::repeat(20.0)).unwrap_err().contains("millimetres"));
        let mut lying = vec![0u8; 84];
        lying[80..84].copy_from_slice(&u32::MAX.to_le_bytes());
        assert!(read_stl(&lying, &Vec3::repeat(1.0)).is_err());
    }
}
