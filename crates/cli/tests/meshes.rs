//! Broken meshes through the command: an error or a warning that names the face.

mod common;

use common::*;
use std::path::Path;

const SCENARIO: &str = r#"title = "A part on the ground"
duration = "1 ms"
gravity_m_per_s2 = [0, 0, -9.81]
[ground]
[body.part]
mass = "1 kg"
uniform = { box_m = [0.1, 0.1, 0.1] }
[joint.flight]
type = "free"
child = "part"
placed = { position_m = [0, 0, 1] }
[polygonal.part]
body = "part"
mesh = "FILE"
stiffness_n_per_m3 = 1e8
"#;

/// A tetrahedron that looks outwards.
const CORNERS: [[f64; 3]; 4] = [[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1]];
const FACES: [[usize; 3]; 4] = [[1, 3, 2], [1, 2, 4], [2, 3, 4], [1, 4, 3]];

fn obj(corners: &[[f64; 3]], faces: &[[usize; 3]]) -> Vec<u8> {
    let corners = corners.iter().map(|[x, y, z]| format!("v {x} {y} {z}\n"));
    let faces = faces.iter().map(|[a, b, c]| format!("f {a} {b} {c}\n"));
    corners.chain(faces).collect::<String>().into_bytes()
}

fn write(dir: &Path, name: &str, bytes: &[u8], more: &str) {
    std::fs::write(dir.join(name), bytes).expect("room on disk");
    let text = SCENARIO.replace("FILE", name) + more;
    std::fs::write(dir.join("part.toml"), text).expect("room on disk");
}

/// What `check` says about a mesh: whether it refuses it, and its words.
fn checked(name: &str, bytes: &[u8], more: &str) -> (bool, String) {
    let dir = temporary();
    write(dir.path(), name, bytes, more);
    let ended = touchdown(dir.path(), &["check", "part.toml"]);
    assert!(ended.code == 0 || ended.code == 2, "{} {}", ended.stdout, ended.stderr);
    (ended.code == 2, ended.stdout + &ended.stderr)
}

#[test]
fn a_sound_mesh_is_good() {
    let (refused, said) = checked("part.obj", &obj(&CORNERS, &FACES), "");
    assert!(!refused && !said.contains("warning"), "{said}");
}

/// Each broken mesh: is it refused, and what names the place.
#[test]
fn broken_meshes_are_named() {
    let turned_over = FACES.map(|[a, b, c]| [a, c, b]);
    let one_turned = [FACES[0], FACES[1], [2, 4, 3], FACES[3]];
    let mut not_finite = CORNERS;
    not_finite[2][1] = f64::NAN;
    let flat = [FACES.as_slice(), &[[1, 2, 2]]].concat();
    let large = CORNERS.map(|corner| corner.map(|x| 1e5 * x));
    for (what, corners, faces, refused, words) in [
        ("open", CORNERS, FACES[..3].to_vec(), false, ["open", "face"]),
        ("inside out", CORNERS, turned_over.to_vec(), true, ["inside out", "face"]),
        ("one face turned over", CORNERS, one_turned.to_vec(), true, ["face 2", "cannot carry contact"]),
        ("not finite", not_finite, FACES.to_vec(), true, ["face 0", "finite"]),
        ("without area", CORNERS, flat, false, ["face 4", "area"]),
        ("millimetres", large, FACES.to_vec(), false, ["warning", "across"]),
    ] {
        let (was_refused, said) = checked("part.obj", &obj(&corners, &faces), "");
        assert_eq!(was_refused, refused, "{what}: {said}");
        for word in words {
            assert!(said.contains(word), "{what}: no \"{word}\" in\n{said}");
        }
        assert!(refused || said.contains("warning: "), "{what}: {said}");
    }
}

/// Ten million triangles are refused before they are read, with the first that is too many.
#[test]
fn ten_million_triangles_are_too_many() {
    let mut bytes = vec![0u8; 84];
    bytes[80..].copy_from_slice(&10_000_000u32.to_le_bytes());
    let (refused, said) = checked("part.stl", &bytes, "");
    assert!(refused && said.contains("10000000 triangles") && said.contains("face 2000000"), "{said}");
}

/// `up` turns a file: with y up, what was along y is along z.
#[test]
fn up_is_a_choice() {
    let (refused, said) = checked("part.obj", &obj(&CORNERS, &FACES), "up = \"y\"\n");
    assert!(!refused, "{said}");
    let (refused, said) = checked("part.obj", &obj(&CORNERS, &FACES), "up = \"w\"\n");
    assert!(refused && said.contains("up"), "{said}");
}

/// A warning is reported by the run, stands in its summary and in its report.
#[test]
fn warnings_reach_the_results() {
    let dir = temporary();
    write(dir.path(), "part.obj", &obj(&CORNERS, &FACES[..3]), "");
    let said = good(dir.path(), &["run", "part.toml", "--out", "out"]);
    assert!(said.contains("open"), "{said}");
    let out = dir.path().join("out");
    let warnings = json(&out, "summary.json")["warnings"].to_string();
    assert!(warnings.contains("open") && warnings.contains("part.obj"), "{warnings}");
    let page = String::from_utf8(bytes(&out, "report.html")).expect("UTF-8");
    assert!(page.contains("part.obj"), "the report names the file");
}
