//! One strip of two shells in three formats, and files that are refused where they go wrong.

use super::*;

/// Two squares of 1 along x, 0.01 thick, the first edge the hub.
const INP: &str = "*Heading\n a strip\n** a remark\n*Part, name=STRIP\n*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 2, 0, 0\n11, 0, 1, 0\n12, 1, 1, 0\n13, 2, 1, 0\n99, 5, 5, 5\n\
*Element, type=S4R, elset=PLATES\n1, 1, 2,\n 12, 11\n2, 2, 3, 13, 12\n*Nset, nset=Hub, generate\n1, 11, 10\n\
*Shell Section, elset=PLATES, material=STEEL\n0.01, 5\n*Material, name=Steel\n*Density\n7800.,\n*Elastic\n200e9, 0.3\n*End Part\n*Step\n*Static\n1., 1.\n*End Step\n";

const MSH_2: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n1 7 \"hub\"\n2 8 \"all plates\"\n$EndPhysicalNames\n$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 2 0 0\n11 0 1 0\n12 1 1 0\n13 2 1 0\n$EndNodes\n\
$Elements\n3\n1 1 2 7 1 1 11\n2 3 2 8 1 1 2 12 11\n3 3 2 8 1 2 3 13 12\n$EndElements\n";

const MSH_4: &str = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n1 7 \"hub\"\n$EndPhysicalNames\n$Entities\n0 1 1 0\n3 0 0 0 0 1 0 1 7 0\n5 0 0 0 2 1 0 0 1 3\n$EndEntities\n\
$Nodes\n2 6 1 13\n1 3 0 2\n1\n11\n0 0 0\n0 1 0\n2 5 0 4\n2\n3\n12\n13\n1 0 0\n2 0 0\n1 1 0\n2 1 0\n$EndNodes\n$Elements\n2 3 1 3\n1 3 1 1\n1 1 11\n2 5 3 2\n2 1 2 12 11\n3 2 3 13 12\n$EndElements\n\
$NodeData\n1\n\"anything\"\n$EndNodeData\n";

const VTK: &str = "# vtk DataFile Version 3.0\na strip\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 6 double\n0 0 0 1 0 0 2 0 0\n0 1 0 1 1 0 2 1 0\nCELLS 2 10\n4 0 1 4 3\n4 1 2 5 4\nCELL_TYPES 2\n9 9\n\
CELL_DATA 2\nSCALARS thickness double 1\nLOOKUP_TABLE default\n0.01 0.01\nPOINT_DATA 6\nFIELD FieldData 1\nhub 1 6 int\n1 0 0 1 0 0\n";

fn steel() -> MaterialDescription {
    MaterialDescription {
        young_modulus_pa: 200e9,
        poisson_ratio: 0.3,
        density_kgpm3: 7800.0,
        locking: super::super::describe::LockingWord::Assumed,
        damping_time_s: 0.0,
        bulk_viscosity_pas: 0.0,
        shear_viscosity_pas: 0.0,
    }
}

fn options() -> ShellOptions {
    ShellOptions {
        hub: Some("hub".into()),
        thickness: Some(0.01),
        material: Some(steel()),
        ..ShellOptions::default()
    }
}

/// All formats say the same; nodes that no shell touches are left out, and what means nothing here is named.
#[test]
fn the_same_strip_in_every_format() {
    let read = |format, text| read_shell(format, text, &options()).unwrap_or_else(|e| panic!("{e}"));
    let vtk = read(ShellFormat::Vtk, VTK);
    for (format, text) in [(ShellFormat::Gmsh, MSH_2), (ShellFormat::Gmsh, MSH_4), (ShellFormat::Abaqus, INP)]
    {
        assert_eq!(read(format, text).mesh, vtk.mesh, "{format:?}");
    }
    assert_eq!(vtk.mesh.nodes_m.len(), 7);
    assert_eq!(vtk.mesh.tie[0], TieDescription { to: 6, nodes: vec![0, 3] });
    let mesh = vtk.mesh.build().unwrap_or_else(|e| panic!("{e}"));
    // Two squares of 7800 kg/m³, 10 mm thick.
    assert!((mesh.total_mass() - 156.0).abs() < 1e-9, "{}", mesh.total_mass());
    assert_eq!(read(ShellFormat::Gmsh, MSH_4).passed_over, ["$NodeData"]);
    assert_eq!(read(ShellFormat::Abaqus, INP).passed_over, ["*END STEP", "*STATIC", "*STEP"]);
}

/// The material and thickness of the file itself, in millimetres, tonnes and megapascals.
#[test]
fn a_file_brings_its_own_material() {
    let millimetres = INP.replace("200e9", "200e3").replace("7800.", "7.8e-9").replace("0.01, 5", "10., 5");
    let metres =
        ["1, 0, 0, 0\n", "2, 1, 0, 0\n", "3, 2, 0, 0\n", "11, 0, 1, 0\n", "12, 1, 1, 0\n", "13, 2, 1, 0\n"];
    let thousands = [
        "1, 0, 0, 0\n",
        "2, 1000, 0, 0\n",
        "3, 2000, 0, 0\n",
        "11, 0, 1000, 0\n",
        "12, 1000, 1000, 0\n",
        "13, 2000, 1000, 0\n",
    ];
    let text = metres.iter().zip(thousands).fold(millimetres, |text, (a, b)| text.replace(a, b));
    let usual = MaterialUse { locking: steel().locking, damping_time_s: 0.0 };
    let own = ShellOptions { hub: Some("STRIP-1.Hub".into()), usual, ..ShellOptions::default() };
    let read = |text: &str, units| {
        read_shell(ShellFormat::Abaqus, text, &ShellOptions { units, ..own.clone() })
            .unwrap_or_else(|e| panic!("{e}"))
    };
    let [small, large] = [read(&text, Units::Millimetre).mesh, read(INP, Units::Metre).mesh];
    assert!((small.material[0].young_modulus_pa / 200e9 - 1.0).abs() < 1e-12);
    assert!((small.material[0].density_kgpm3 / 7800.0 - 1.0).abs() < 1e-12);
    let apart = |a: &[f64; 3], b: &[f64; 3]| (0..3).map(|k| (a[k] - b[k]).abs()).fold(0.0, f64::max);
    assert!(small.nodes_m.iter().zip(&large.nodes_m).all(|(a, b)| apart(a, b) < 1e-12));
    assert!((small.plate[0].thickness_m - 0.01).abs() < 1e-15);
}

/// Plates of a wheel look away from its axis, whichever way round a file has them.
#[test]
fn plates_of_a_wheel_are_turned_outwards() {
    // A plate 1 above the y axis; counter-clockwise seen from above, then from below.
    let at = |ring: &str| {
        format!(
            "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\nPOINTS 4 float\n-1 0 1 1 0 1 1 1 1 -1 1 1\nPOLYGONS 1 5\n{ring}\n"
        )
    };
    let options = ShellOptions { hub: None, outwards: true, ..options() };
    let [up, down] = ["4 0 1 2 3", "4 3 2 1 0"].map(|ring| {
        let mesh = read_shell(ShellFormat::Vtk, &at(ring), &options).unwrap_or_else(|e| panic!("{e}")).mesh;
        let corner = |k: usize| Vec3::from_row_slice(&mesh.nodes_m[mesh.plate[0].nodes[k]]);
        (corner(2) - corner(0)).cross(&(corner(3) - corner(1))).z
    });
    assert!(up > 0.0 && down > 0.0);
}

/// Files that are refused, with the line in which they go wrong.
#[test]
fn what_cannot_be_read_is_refused_in_its_line() {
    let cases = [
        (
            ShellFormat::Abaqus,
            INP.replace("S4R", "S3"),
            "line 13: elements of type S3 are not read: mesh it with quadrangles alone",
        ),
        (ShellFormat::Abaqus, INP.replace("type=S4R", "type=C3D8"), "line 13: elements of type C3D8"),
        (
            ShellFormat::Abaqus,
            INP.replace("2, 2, 3, 13, 12", "2, 2, 3, 13"),
            "line 16: an element and its four nodes",
        ),
        (
            ShellFormat::Abaqus,
            INP.replace("2, 2, 3, 13, 12", "2, 2, 3, 77, 12"),
            "line 16: the element names node 77",
        ),
        (ShellFormat::Abaqus, INP.replace("99, 5", "1, 5"), "line 12: node 1 stands twice"),
        (ShellFormat::Abaqus, INP.replace("nset=Hub", "nset=Rim"), "no set of nodes \"hub\"; there are: RIM"),
        (ShellFormat::Abaqus, INP.replace("*Part", "*Include"), "line 4: other files are not read"),
        (
            ShellFormat::Gmsh,
            MSH_2.replace("2 3 2 8", "2 2 2 8"),
            "line 21: elements of type 2 are not read; triangles",
        ),
        (ShellFormat::Gmsh, MSH_2.replace("2.2 0", "2.2 1"), "line 2: a binary file is not read"),
        (
            ShellFormat::Gmsh,
            MSH_2.replace("\n6\n", "\n99999999\n"),
            "line 10: the number of nodes is 99999999",
        ),
        (ShellFormat::Gmsh, MSH_4.replace("$EndNodes", ""), "$EndNodes should stand here"),
        (ShellFormat::Gmsh, "4.1 0 8".into(), "line 1: a section should begin here"),
        (ShellFormat::Vtk, VTK.replace("9 9", "9 5"), "line 10: a cell with 4 corners is not read"),
        (ShellFormat::Vtk, VTK.replace("ASCII", "BINARY"), "line 3: ASCII should stand here"),
        (
            ShellFormat::Vtk,
            VTK.replace("0 1 0 1 1 0", "0 1 0 1 x 0"),
            "line 7: a coordinate should stand here, found \"x\"",
        ),
        (
            ShellFormat::Vtk,
            VTK.split("CELL_DATA").next().unwrap_or("").replace("9 9", ""),
            "the file ends where a type of cell",
        ),
        (ShellFormat::Vtk, "# vtk DataFile Version 3.0\nt\nASCII\n".into(), "no four-node shells"),
    ];
    for (format, text, wanted) in cases {
        let error = read_shell(format, &text, &options()).expect_err(wanted).to_string();
        assert!(error.contains(wanted), "{error:?} is not {wanted:?}");
    }
    let bare = ShellOptions { thickness: None, ..options() };
    let error = read_shell(ShellFormat::Gmsh, MSH_2, &bare).expect_err("no thickness").to_string();
    assert!(error.contains("line 21: the element has no thickness"), "{error}");
}
