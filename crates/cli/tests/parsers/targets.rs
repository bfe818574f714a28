//! What is fed: one target for each parser, with good inputs to start from.

use crate::suspended;
use std::path::{Path, PathBuf};
use touchdown_geometry::map::{self, MapOptions};
use touchdown_geometry::{MeshAudit, MeshFormat, MeshOptions, SolidMesh, read_mesh};
use touchdown_identify::Table;
use touchdown_multibody::flex::describe::{LockingWord, MaterialDescription};
use touchdown_multibody::flex::import::{ShellFormat, ShellOptions, read_shell};
use touchdown_scenario::{EntryKind, MemoryLimit, catalogue, load, load_str};
use touchdown_sim::Simulation;
use touchdown_study::{identify, validate};

/// A parser.
pub struct Target {
    pub name: &'static str,
    /// Parts of a thousand of all cases.
    pub share: u64,
    /// Whether lines and values are broken, too.
    pub text: bool,
    /// Good inputs; `Path` is the folder of a short run.
    pub seeds: fn(&Path) -> Vec<Vec<u8>>,
    /// Reads an input; `Path` is a folder of its own.
    pub read: fn(&[u8], &Path),
}

pub const TARGETS: &[Target] = &[
    Target { name: "scenario", share: 120, text: true, seeds: scenarios, read: read_scenario },
    Target { name: "machine", share: 90, text: true, seeds: machines, read: read_machine },
    Target { name: "urdf", share: 80, text: true, seeds: urdf, read: read_urdf },
    Target { name: "setting", share: 70, text: true, seeds: settings, read: read_setting },
    Target { name: "stl", share: 90, text: true, seeds: stl, read: read_stl },
    Target { name: "obj", share: 70, text: true, seeds: obj, read: read_obj },
    Target { name: "gltf", share: 80, text: true, seeds: gltf, read: read_gltf },
    Target { name: "shell", share: 60, text: true, seeds: shells, read: read_shells },
    Target { name: "map", share: 130, text: true, seeds: maps, read: read_map },
    Target { name: "csv", share: 80, text: true, seeds: tables, read: read_csv },
    Target { name: "study", share: 40, text: true, seeds: studies, read: read_study },
    Target { name: "state", share: 20, text: false, seeds: states, read: read_state },
    Target {
        name: "manifest",
        share: 10,
        text: true,
        seeds: |run| recorded(run, "manifest.json"),
        read: read_manifest,
    },
    Target { name: "claims", share: 20, text: true, seeds: claims, read: read_claims },
    Target {
        name: "series",
        share: 10,
        text: false,
        seeds: |run| recorded(run, "series.parquet"),
        read: read_series,
    },
    Target {
        name: "frames",
        share: 10,
        text: false,
        seeds: |run| recorded(run, "frames.mcap"),
        read: read_frames,
    },
    Target {
        name: "checkpoint",
        share: 10,
        text: false,
        seeds: suspended::checkpoints,
        read: suspended::read_checkpoint,
    },
    Target {
        name: "series_part",
        share: 5,
        text: false,
        seeds: suspended::series_parts,
        read: suspended::read_series_part,
    },
    Target {
        name: "frame_part",
        share: 5,
        text: false,
        seeds: suspended::frame_parts,
        read: suspended::read_frame_part,
    },
];

/// A world of more than this is refused, bytes: the children of the harness have little more.
const MEMORY: u64 = 1 << 30;

fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn written(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, bytes).expect("room on disk");
    path
}

/// Built-in files of a kind up to a length, so that a case costs milliseconds.
fn built_in(kind: EntryKind, longest: usize) -> Vec<Vec<u8>> {
    let entries = catalogue().iter().filter(|e| e.kind == kind && e.text.len() <= longest);
    entries.map(|e| e.text.as_bytes().to_vec()).collect()
}

/// A strip of shells as finite-element programs write it.
fn shells(_: &Path) -> Vec<Vec<u8>> {
    let inp = "*NODE, NSET=ALL\n1, 0, 0, 0\n2, 1, 0, 0\n3, 2, 0, 0\n11, 0, 1, 0\n12, 1, 1, 0\n13, 2, 1, 0\n*ELEMENT, TYPE=S4R, ELSET=PLATES\n1, 1, 2, 12, 11\n2, 2, 3, 13, 12\n*NSET, NSET=HUB, GENERATE\n1, 11, 10\n\
        *SHELL SECTION, ELSET=PLATES, MATERIAL=STEEL\n0.01, 5\n*MATERIAL, NAME=STEEL\n*DENSITY\n7800.,\n*ELASTIC\n200e9, 0.3\n";
    let old = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n1 7 \"hub\"\n$EndPhysicalNames\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n$Elements\n2\n1 1 2 7 1 1 4\n2 3 2 8 1 1 2 3 4\n$EndElements\n";
    let new = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 1 1 0\n3 0 0 0 0 1 0 1 7 0\n5 0 0 0 2 1 0 0 1 3\n$EndEntities\n$Nodes\n1 4 1 4\n2 5 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n$EndNodes\n\
        $Elements\n2 2 1 2\n1 3 1 1\n1 1 4\n2 5 3 1\n2 1 2 3 4\n$EndElements\n";
    let vtk = "# vtk DataFile Version 5.1\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n0 0 0 1 0 0 1 1 0 0 1 0\nCELLS 2 4\nOFFSETS vtktypeint64\n0 4\nCONNECTIVITY vtktypeint64\n0 1 2 3\nCELL_TYPES 1\n9\n\
        CELL_DATA 1\nSCALARS thickness double 1\nLOOKUP_TABLE default\n0.01\nPOINT_DATA 4\nFIELD FieldData 1\nhub 1 4 int\n1 0 0 1\n";
    [inp, old, new, vtk].map(|text| text.as_bytes().to_vec()).to_vec()
}

fn read_shells(bytes: &[u8], _: &Path) {
    let text = text_of(bytes);
    let material = MaterialDescription {
        young_modulus_pa: 1e9,
        poisson_ratio: 0.3,
        density_kgpm3: 1e3,
        locking: LockingWord::Assumed,
        damping_time_s: 0.0,
        bulk_viscosity_pas: 0.0,
        shear_viscosity_pas: 0.0,
    };
    for format in [ShellFormat::Abaqus, ShellFormat::Gmsh, ShellFormat::Vtk] {
        let hub = (format == ShellFormat::Gmsh).then(|| "hub".to_string());
        let options =
            ShellOptions { hub, thickness: Some(0.01), material: Some(material), ..Default::default() };
        if let Ok(read) = read_shell(format, &text, &options) {
            assert!(!read.mesh.plate.is_empty());
            // A mesh that is none is said so, too.
            let _ = read.mesh.build();
        }
    }
}

fn scenarios(_: &Path) -> Vec<Vec<u8>> {
    built_in(EntryKind::Scenario, 6_000)
}

fn judge(result: Result<touchdown_scenario::Scenario, touchdown_scenario::ScenarioErrors>) {
    match result.and_then(|s| s.check_size(&MemoryLimit::given(MEMORY)).map(|()| s)) {
        Ok(scenario) => assert!(!scenario.resolved_toml.is_empty()),
        Err(errors) => {
            assert!(!errors.diagnostics.is_empty() && errors.to_string().len() < 200_000);
            for d in &errors.diagnostics {
                assert!(d.line >= 1 && d.span.end <= errors.sources.0[d.source].text.len(), "{d:?}");
            }
        }
    }
}

fn read_scenario(bytes: &[u8], folder: &Path) {
    judge(load_str("case.toml", &text_of(bytes), folder, &[]));
}

fn machines(_: &Path) -> Vec<Vec<u8>> {
    built_in(EntryKind::Machine, 100_000)
}

fn read_machine(bytes: &[u8], folder: &Path) {
    written(folder, "m.toml", bytes);
    let around =
        "title = \"t\"\nduration = \"1 s\"\ngravity = \"mars\"\n[ground]\n[machine.m]\nuse = \"m.toml\"\n";
    judge(load_str("case.toml", around, folder, &[]));
}

fn urdf(_: &Path) -> Vec<Vec<u8>> {
    let small = r#"<robot name="r"><link name="a"><inertial><origin xyz="0 0 0.1"/><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="b"><inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial><visual><geometry><box size="1 2 3"/></geometry></visual></link>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><origin xyz="0 0 1" rpy="0 1 0"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="5" velocity="2"/><dynamics damping="0.1" friction="0.2"/></joint></robot>"#;
    let legged = include_bytes!("../../../../scenarios/machines/hexapod.urdf");
    vec![small.as_bytes().to_vec(), small.replace("><", ">\n<").into_bytes(), legged.to_vec()]
}

fn read_urdf(bytes: &[u8], folder: &Path) {
    written(folder, "m.urdf", bytes);
    let around = "title = \"t\"\nduration = \"1 s\"\ngravity = \"mars\"\n[machine.m]\nurdf = \"m.urdf\"\n";
    judge(load_str("case.toml", around, folder, &[]));
}

fn settings(_: &Path) -> Vec<Vec<u8>> {
    let lines = [
        "links=3",
        "chain.rods.links=4",
        "duration_s=2",
        "integrator=implicit",
        "integrator.step=\"1 ms\"",
        "chain=3",
        "chain.rods=3",
        "record.series_every=\"2 ms\"",
        "gravity_m_per_s2=[0,0,-1]",
        "quantity.x_end_m.take=max",
        "figure.tip.y=[\"time_s\"]",
        "seed=5",
        "chain.rods.along=[1,1,0]",
        "machine.m.use=\"m.toml\"",
    ];
    lines.iter().map(|line| line.as_bytes().to_vec()).collect()
}

fn read_setting(bytes: &[u8], _: &Path) {
    let sets: Vec<String> = text_of(bytes).lines().map(str::to_string).collect();
    judge(load("pendulum-chain", &sets));
}

fn judge_mesh(bytes: &[u8], format: MeshFormat) {
    if let Ok(mesh) = read_mesh(bytes, format, &MeshOptions::default()) {
        let audit = MeshAudit::new(&mesh);
        assert!(audit.problems.iter().map(|p| p.to_string().len()).sum::<usize>() < 10_000_000);
        let _ = SolidMesh::new(&mesh);
    }
}

fn corners() -> [[f32; 3]; 4] {
    [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
}

const FACES: [[usize; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

fn stl(_: &Path) -> Vec<Vec<u8>> {
    let mut ascii = String::from("solid t\n");
    let mut binary = vec![0u8; 80];
    binary.extend((FACES.len() as u32).to_le_bytes());
    for face in FACES {
        ascii += "facet normal 0 0 1\nouter loop\n";
        binary.extend([0u8; 12]);
        for corner in face.map(|k| corners()[k]) {
            ascii += &format!("vertex {} {} {}\n", corner[0], corner[1], corner[2]);
            binary.extend(corner.iter().flat_map(|x| x.to_le_bytes()));
        }
        ascii += "endloop\nendfacet\n";
        binary.extend([0u8; 2]);
    }
    vec![(ascii + "endsolid t\n").into_bytes(), binary]
}

fn read_stl(bytes: &[u8], _: &Path) {
    judge_mesh(bytes, MeshFormat::Stl);
}

fn obj(_: &Path) -> Vec<Vec<u8>> {
    let corners: String = corners().iter().map(|c| format!("v {} {} {}\n", c[0], c[1], c[2])).collect();
    let faces: String = FACES.iter().map(|f| format!("f {} {} {}\n", f[0] + 1, f[1] + 1, f[2] + 1)).collect();
    let dressed = "o a\nvn 0 0 1\nvt 0 0\nusemtl m\ns off\nf 1//1 2//1 -1//1\nf 1/1/1 2/1/1 3/1/1 4/1/1\n";
    vec![format!("{corners}{faces}").into_bytes(), format!("{corners}{dressed}").into_bytes()]
}

fn read_obj(bytes: &[u8], _: &Path) {
    judge_mesh(bytes, MeshFormat::Obj);
}

fn gltf(_: &Path) -> Vec<Vec<u8>> {
    let mut data: Vec<u8> = corners().iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
    data.extend(FACES.iter().flatten().flat_map(|k| (*k as u16).to_le_bytes()));
    let json = |buffer: &str| {
        format!(
            r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0,"scale":[1,1,2],"children":[1]}},{{"mesh":0,"translation":[1,0,0]}}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],"buffers":[{buffer}],
"bufferViews":[{{"buffer":0,"byteOffset":0,"byteLength":48}},{{"buffer":0,"byteOffset":48,"byteLength":24}}],
"accessors":[{{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"}},{{"bufferView":1,"componentType":5123,"count":12,"type":"SCALAR"}}]}}"#
        )
    };
    let inline = json(&format!(
        r#"{{"byteLength":72,"uri":"data:application/octet-stream;base64,{}"}}"#,
        base64(&data)
    ));
    let mut text = json(r#"{"byteLength":72}"#).into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut binary = b"glTF".to_vec();
    binary.extend(2u32.to_le_bytes());
    binary.extend(((12 + 8 + text.len() + 8 + data.len()) as u32).to_le_bytes());
    binary.extend((text.len() as u32).to_le_bytes());
    binary.extend(b"JSON");
    binary.extend(&text);
    binary.extend((data.len() as u32).to_le_bytes());
    binary.extend(b"BIN\0");
    binary.extend(&data);
    vec![inline.into_bytes(), binary]
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let letters = bytes.chunks(3).flat_map(|three| {
        let number = three.iter().fold(0usize, |n, b| n << 8 | usize::from(*b)) << (8 * (3 - three.len()));
        [18, 12, 6, 0].map(|shift| char::from(LETTERS[number >> shift & 63]))
    });
    letters.collect()
}

fn read_gltf(bytes: &[u8], _: &Path) {
    judge_mesh(bytes, MeshFormat::Gltf);
}

fn maps(_: &Path) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../geometry/tests/maps");
    let mut names: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("maps").map(|entry| entry.expect("an entry").path()).collect();
    names.sort();
    let mut seeds: Vec<Vec<u8>> = names.iter().map(|name| std::fs::read(name).expect("a map")).collect();
    seeds.retain(|seed| seed.len() < 20_000);
    let points: String = (0..30).map(|k| format!("{} {} {}\n", k % 6, k / 6, f64::from(k).sin())).collect();
    seeds.push(points.clone().into_bytes());
    seeds.push(format!("x,y,z\n{}", points.replace(' ', ",")).into_bytes());
    let grid =
        "ncols 3\nnrows 2\nxllcorner 10\nyllcorner 20\ncellsize 2\nNODATA_value -9999\n1 2 3\n4 -9999 6.5\n";
    seeds.push(grid.as_bytes().to_vec());
    seeds
}

fn read_map(bytes: &[u8], _: &Path) {
    let options = MapOptions { spacing: Some(1.0), scale: Some(0.01), ..MapOptions::default() };
    for (name, options) in [("case.asc", MapOptions::default()), ("case.csv", options)] {
        match map::read(bytes, name, &options) {
            Ok(map) => assert!(map.audit.lines().iter().all(|(_, text)| text.len() < 100_000)),
            Err(error) => assert!(error.to_string().len() < 100_000),
        }
    }
}

fn tables(_: &Path) -> Vec<Vec<u8>> {
    let texts = [
        "test,force_measured_N,sinkage_mm\n1,111.42,4.86\n2,178.82,10.55\n3,252.01,16.60\n",
        "t [s];F [kN];d [mm]\n0;1,5;2\n0,1;1,6;2,5\n",
        "# a remark\ntime_s\tforce_n\n0\t1\n1e-3\t2\n2e-3\tnan\n",
        "\u{feff}\"time, s\",\"x \"\"y\"\"\"\r\n0,1\r\n1,\r\n",
    ];
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

fn read_csv(bytes: &[u8], _: &Path) {
    match Table::from_csv(&text_of(bytes)) {
        Ok(table) => {
            for column in &table.columns {
                let _ = table.check_finite(&column.name);
                let _ = table.check_time(&column.name);
                let _ = table.si_any(&column.name, None);
                let _ = table.averaged_by(&column.name);
            }
        }
        Err(error) => assert!(error.to_string().len() < 100_000),
    }
}

fn studies(_: &Path) -> Vec<Vec<u8>> {
    let spring = "title = \"Spring\"\ndata = \"means.csv\"\naverage_by = \"test\"\n[columns]\nforce = \"force_measured_N\"\ndeformation = { column = \"d\", unit = \"mm\" }\n[model]\nkind = \"press\"\n[fixed]\nn = 1\n[free]\nk = { start = 1e4, min = 0, max = 1e6 }\n[fit]\nstarts = 3\nconfidence = 0.9\nhold_out = 4\n";
    let staged = "[[stage]]\ndata = \"a.csv\"\ncolumns = { time = \"t_s\", force = \"F_N\" }\nmodel = { kind = \"drop\", plastic = true }\nfixed = { mass = 1 }\nfree = { k = { start = 1 } }\n[[stage]]\ndata = \"b.csv\"\ncolumns = {}\nmodel = { kind = \"scenario\", scenario = \"pendulum\", set = [] }\nfree = {}\n";
    vec![spring.as_bytes().to_vec(), staged.as_bytes().to_vec()]
}

fn read_study(bytes: &[u8], folder: &Path) {
    let _ = identify::read(&written(folder, "study.toml", bytes)).map_err(|error| error.to_string());
}

/// A few claims about scenarios that are read in no time: each is loaded with its claim.
fn claims(_: &Path) -> Vec<Vec<u8>> {
    let all = include_str!("../../../../validation/mechanisms.toml");
    let few: Vec<&str> = all.split("[[claim]]").take(5).collect();
    vec![few.join("[[claim]]").into_bytes()]
}

fn read_claims(bytes: &[u8], _: &Path) {
    let _ = validate::parse("case.toml", &text_of(bytes)).map_err(|error| error.to_string());
}

/// A file of a short run.
fn recorded(run: &Path, name: &str) -> Vec<Vec<u8>> {
    vec![std::fs::read(run.join(name)).expect("a recorded file")]
}

fn read_series(bytes: &[u8], folder: &Path) {
    let _ = touchdown_record::read_series(&written(folder, "series.parquet", bytes));
}

fn read_frames(bytes: &[u8], folder: &Path) {
    written(folder, "frames.mcap", bytes);
    let mut frames = 0;
    touchdown_record::read_frames(folder, |_| frames += 1);
}

/// Worlds whose states are broken: a mechanism, and tyres with their memory.
const STATES: [&str; 2] = ["pendulum", "rover-drop-brush"];

fn simulation(name: &str) -> Simulation {
    let scenario = load(name, &[]).expect("a built-in scenario");
    Simulation::build(&scenario.description).expect("a built-in world")
}

/// States as checkpoints hold them, a few steps after the start.
fn states(_: &Path) -> Vec<Vec<u8>> {
    let after = |name| {
        let mut world = simulation(name);
        world.advance_steps(20).expect("a few steps");
        world.checkpoint()
    };
    STATES.map(after).to_vec()
}

/// A broken state is refused, or is a state: the simulation continues from it or says why not.
fn read_state(bytes: &[u8], _: &Path) {
    for name in STATES {
        let mut world = simulation(name);
        match world.resume(bytes) {
            Ok(()) => drop(world.advance_steps(2).map_err(|error| error.to_string())),
            Err(error) => assert!(error.to_string().len() < 10_000),
        }
    }
}

/// A finished folder whose manifest is broken is verified: damaged, or the same.
fn read_manifest(bytes: &[u8], folder: &Path) {
    let Some(run) = std::env::var_os(crate::RECORDED).map(PathBuf::from) else { return };
    let copy = folder.join("run");
    std::fs::create_dir_all(&copy).expect("room on disk");
    for entry in std::fs::read_dir(&run).expect("the recorded run") {
        let path = entry.expect("an entry").path();
        let to = copy.join(path.file_name().expect("a name"));
        if path.is_file() && !to.exists() {
            std::fs::copy(&path, to).expect("room on disk");
        }
    }
    written(&copy, "manifest.json", bytes);
    let _ = touchdown_record::verify(&copy).map_err(|error| error.to_string());
}
