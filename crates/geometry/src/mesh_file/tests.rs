//! Writers of the three formats, round trips through them, and files that are broken in every way.

use super::*;
use crate::{MeshAudit, MeshProblemKind, Shape, icosphere};
use proptest::prelude::*;

fn binary_stl(mesh: &TriangleMesh) -> Vec<u8> {
    let mut bytes = b"solid by an exporter that does not know better".to_vec();
    bytes.resize(80, b' ');
    bytes.extend((mesh.triangles.len() as u32).to_le_bytes());
    for i in 0..mesh.triangles.len() {
        bytes.extend([0; 12]);
        for c in mesh.corners(i).iter().flat_map(|p| [p.x, p.y, p.z]) {
            bytes.extend((c as f32).to_le_bytes());
        }
        bytes.extend([0; 2]);
    }
    bytes
}

fn ascii_stl(mesh: &TriangleMesh) -> String {
    let facet = |i: usize| {
        let corners = mesh.corners(i).map(|p| format!("   vertex {} {} {}\n", p.x, p.y, p.z)).concat();
        format!(" facet normal 0 0 0\n  outer loop\n{corners}  endloop\n endfacet\n")
    };
    format!("solid t\n{}endsolid t\n", (0..mesh.triangles.len()).map(facet).collect::<String>())
}

fn obj(mesh: &TriangleMesh) -> String {
    let corner = |p: &Vec3| format!("v {} {} {}\n", p.x, p.y, p.z);
    let face = |t: &[u32; 3]| format!("f {}/1/2 {}//3 {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
    let corners: String = mesh.vertices.iter().map(corner).collect();
    format!("# a comment\no thing\n{corners}{}", mesh.triangles.iter().map(face).collect::<String>())
}

/// Indices of 16 bits, then positions.
fn gltf_data(mesh: &TriangleMesh) -> Vec<u8> {
    let indices = mesh.triangles.iter().flatten().flat_map(|&i| (i as u16).to_le_bytes());
    let places = mesh.vertices.iter().flat_map(|p| [p.x, p.y, p.z]).flat_map(|c| (c as f32).to_le_bytes());
    indices.chain(places).collect()
}

fn gltf_json(mesh: &TriangleMesh, node: &str, uri: &str) -> String {
    let (indices, corners) = (3 * mesh.triangles.len(), mesh.vertices.len());
    let split = 2 * indices;
    let length = split + 12 * corners;
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0{node}}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":1}},"indices":0}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5123,"count":{indices},"type":"SCALAR"}},
        {{"bufferView":1,"componentType":5126,"count":{corners},"type":"VEC3"}}],
        "bufferViews":[{{"buffer":0,"byteLength":{split}}},{{"buffer":0,"byteOffset":{split},"byteLength":{}}}],
        "buffers":[{{"byteLength":{length}{uri}}}]}}"#,
        12 * corners,
    )
}

fn glb(mesh: &TriangleMesh, node: &str) -> Vec<u8> {
    let (json, data) = (gltf_json(mesh, node, ""), gltf_data(mesh));
    let mut bytes = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
    for (kind, chunk) in [(b"JSON", json.as_bytes()), (b"BIN\0", &data)] {
        bytes.extend((chunk.len() as u32).to_le_bytes());
        bytes.extend(kind);
        bytes.extend(chunk);
    }
    bytes
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let three = |chunk: &[u8]| {
        let bits = (0..3).fold(0u32, |bits, k| bits << 8 | u32::from(*chunk.get(k).unwrap_or(&0)));
        (0..4)
            .map(
                |k| if k > chunk.len() { '=' } else { LETTERS[(bits >> (18 - 6 * k) & 63) as usize] as char },
            )
            .collect::<String>()
    };
    bytes.chunks(3).map(three).collect()
}

fn z_up() -> MeshOptions {
    MeshOptions { up: Some(UpAxis::Z), ..MeshOptions::default() }
}

/// A box of whole numbers, exact in 32 bits.
fn cuboid() -> TriangleMesh {
    Shape::Box { size: Vec3::new(2.0, 4.0, 6.0) }.triangulate(3)
}

/// Every format gives back the box that was written: volume, area, closed, eight corners; loose triangles are welded.
#[test]
fn formats_give_back_what_was_written() {
    let mesh = cuboid();
    let uri = format!(r#","uri":"data:application/octet-stream;base64,{}""#, base64(&gltf_data(&mesh)));
    let files = [
        (MeshFormat::Stl, binary_stl(&mesh)),
        (MeshFormat::Stl, ascii_stl(&mesh).into_bytes()),
        (MeshFormat::Obj, obj(&mesh).into_bytes()),
        (MeshFormat::Gltf, glb(&mesh, "")),
        (MeshFormat::Gltf, gltf_json(&mesh, "", &uri).into_bytes()),
    ];
    for (format, bytes) in files {
        let found = read_mesh(&bytes, format, &z_up()).unwrap_or_else(|e| panic!("{format:?}: {e}"));
        assert_eq!((found.vertices.len(), found.triangles.len()), (8, 12), "{format:?}");
        assert!(found.is_closed());
        assert_eq!((found.volume(), found.area()), (mesh.volume(), mesh.area()));
    }
}

/// Scale, axes and nodes turn the box as they say, and it never turns inside out.
#[test]
fn options_and_nodes_place_the_mesh() {
    let mesh = cuboid();
    let extent = |m: &TriangleMesh| MeshAudit::new(m).extent();
    let read =
        |options: &MeshOptions, node: &str| read_mesh(&glb(&mesh, node), MeshFormat::Gltf, options).unwrap();
    let millimetres = MeshOptions { scale: Vec3::new(1e-3, 1e-3, -1e-3), ..z_up() };
    let small = read(&millimetres, "");
    assert!((small.volume() / (mesh.volume() * 1e-9) - 1.0).abs() < 1e-14);
    // glTF says y up unless the user knows better.
    assert_eq!(extent(&read(&MeshOptions::default(), "")), Vec3::new(2.0, 6.0, 4.0));
    let x_up = MeshOptions { up: Some(UpAxis::X), ..MeshOptions::default() };
    assert_eq!(extent(&read(&x_up, "")), Vec3::new(6.0, 4.0, 2.0));
    // A quarter turn about z, then mirrored twice as large along x, then moved.
    let node =
        r#","translation":[5,0,0],"rotation":[0,0,0.7071067811865476,0.7071067811865476],"scale":[-2,1,1]"#;
    let placed = read(&z_up(), node);
    assert!((extent(&placed) - Vec3::new(4.0, 4.0, 6.0)).norm() < 1e-14);
    assert!(
        (placed.volume() - 96.0).abs() < 1e-12
            && (placed.centroid() - Vec3::new(5.0, 0.0, 0.0)).norm() < 1e-14
    );
    let matrix = r#","matrix":[0,2,0,0,-1,0,0,0,0,0,1,0,7,0,0,1]"#;
    let placed = read(&z_up(), matrix);
    assert_eq!(extent(&placed), Vec3::new(4.0, 4.0, 6.0));
    assert!((placed.volume() - 96.0).abs() < 1e-12);
}

/// Polygons are cut into fans; corners may count from the end; a name of a corner that is not there says which face.
#[test]
fn obj_faces_are_understood_or_refused() {
    let square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf -4 -3 -2 -1 # all\n";
    let mesh = read_mesh(square.as_bytes(), MeshFormat::Obj, &z_up()).unwrap();
    assert_eq!((mesh.triangles.len(), mesh.area()), (2, 1.0));
    let wrong = |text: &str| read_mesh(text.as_bytes(), MeshFormat::Obj, &z_up()).unwrap_err().to_string();
    assert_eq!(wrong("v 0 0 0\nv 1 0 0\nf 1 2 7\n"), "face 0 names corner 7, but the file has 2");
    assert_eq!(wrong("v 0 0\n"), "line 1: a corner needs three numbers");
    assert_eq!(wrong("v 0 0 0\nf 1 1\n"), "line 2: a face of 2 corners");
    assert_eq!(wrong("v 0 0 0\n"), "it holds no triangle");
}

/// Ten million triangles are refused before room is made for them, and so is a count that the file cannot hold.
#[test]
fn limits_come_before_memory() {
    let mut claims = binary_stl(&cuboid());
    claims[..5].copy_from_slice(b"hello");
    claims[80..84].copy_from_slice(&10_000_000u32.to_le_bytes());
    let error = read_mesh(&claims, MeshFormat::Stl, &z_up()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "it has 10000000 triangles; from face 2000000 on they are too many (at most 2000000)"
    );
    let more = MeshOptions { most_triangles: 20_000_000, ..z_up() };
    let error = read_mesh(&claims, MeshFormat::Stl, &more).unwrap_err();
    assert!(matches!(error, MeshFileError::Short { needed: 500_000_084, .. }), "{error}");
    let few = MeshOptions { most_triangles: 11, ..z_up() };
    let mesh = cuboid();
    for (format, bytes) in [
        (MeshFormat::Stl, ascii_stl(&mesh).into_bytes()),
        (MeshFormat::Obj, obj(&mesh).into_bytes()),
        (MeshFormat::Gltf, glb(&mesh, "")),
    ] {
        assert_eq!(read_mesh(&bytes, format, &few), Err(MeshFileError::TooMany { found: 12, allowed: 11 }));
    }
}

/// A glTF that contains itself ends in an error: a node in itself, and forty nodes that each name the next twice.
#[test]
fn gltf_cannot_unfold_for_ever() {
    let json = |nodes: &str| format!(r#"{{"asset":{{}},"scenes":[{{"nodes":[0]}}],"nodes":[{nodes}]}}"#);
    let doubled: Vec<String> = (1..=40).map(|k| format!(r#"{{"children":[{k},{k}]}}"#)).collect();
    for nodes in [r#"{"children":[0]}"#.to_string(), doubled.join(",") + ",{}"] {
        let error = read_mesh(json(&nodes).as_bytes(), MeshFormat::Gltf, &z_up()).unwrap_err();
        assert!(error.to_string().contains("lies in itself"), "{error}");
    }
}

/// A corner that is not a number passes the readers, so that the audit can name its face.
#[test]
fn corners_that_are_no_numbers_are_named() {
    let text = ascii_stl(&cuboid()).replacen("vertex -1", "vertex nan", 1);
    let mesh = read_mesh(text.as_bytes(), MeshFormat::Stl, &z_up()).unwrap();
    let audit = MeshAudit::new(&mesh);
    let problem = audit.errors().next().unwrap();
    assert_eq!((problem.kind, problem.face), (MeshProblemKind::NotFinite, Some(0)));
}

/// A damaged file of any format: cut at `cut`, some bytes changed.
fn damaged() -> impl Strategy<Value = (MeshFormat, Vec<u8>)> {
    let mesh = icosphere(1);
    let files = [
        (MeshFormat::Stl, binary_stl(&mesh)),
        (MeshFormat::Stl, ascii_stl(&mesh).into_bytes()),
        (MeshFormat::Obj, obj(&mesh).into_bytes()),
        (MeshFormat::Gltf, glb(&mesh, r#","scale":[1,1,2]"#)),
    ];
    let flips = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..8);
    (0..files.len(), any::<prop::sample::Index>(), any::<bool>(), flips).prop_map(
        move |(k, cut, is_cut, flips)| {
            let (format, mut bytes) = files[k].clone();
            if is_cut {
                bytes.truncate(cut.index(bytes.len()));
            }
            let length = bytes.len();
            for (at, value) in flips.iter().filter(|_| length > 0) {
                bytes[at.index(length)] = *value;
            }
            (format, bytes)
        },
    )
}

proptest! {
    /// No damage makes a reader or the audit panic, and what is read is never larger than the file can hold.
    #[test]
    fn damaged_files_never_panic((format, bytes) in damaged()) {
        if let Ok(mesh) = read_mesh(&bytes, format, &MeshOptions::default()) {
            // An ASCII face takes more than six bytes in every format; a glTF can name its data again.
            prop_assert!(format == MeshFormat::Gltf || mesh.triangles.len() <= bytes.len() / 6);
            let audit = MeshAudit::new(&mesh);
            let _ = audit.problems.iter().map(ToString::to_string).collect::<String>();
            let _ = crate::SolidMesh::new(&mesh);
        }
    }
}
