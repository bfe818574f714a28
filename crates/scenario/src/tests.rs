//! What the built-in scenarios become: masses, places and loops as their sources give them; knobs; URDF.

mod ground;
mod soil;

use crate::build::joint_pose;
use crate::{EntryKind, Scenario, catalogue, load, load_str};
use touchdown_math::{Pose, Vec3};
use touchdown_multibody::description::{
    Command, ConstraintKind, DriveKind, ElementKind, Gravity, JointKind, Mechanism,
};
use touchdown_multibody::rigid::constrained::DynamicsError;
use touchdown_sim::WorldError;
use touchdown_sim::description::{Integrator, StepControl};
use touchdown_sim::sink::Column;

fn loaded(name: &str, sets: &[&str]) -> Scenario {
    let sets: Vec<String> = sets.iter().map(|s| s.to_string()).collect();
    load(name, &sets).unwrap_or_else(|e| panic!("{e}"))
}

/// Poses of all bodies at the initial coordinates advanced by `h` seconds at the initial rates.
fn poses(mechanism: &Mechanism, h: f64) -> Vec<Pose> {
    let mut poses: Vec<Option<Pose>> = vec![None; mechanism.bodies.len()];
    while poses.iter().any(Option::is_none) {
        for joint in &mechanism.joints {
            let Some(X_WP) = joint.parent.map_or(Some(Pose::identity()), |p| poses[p]) else { continue };
            let mut q = joint.position.clone();
            if q.len() == joint.rate.len() {
                q.iter_mut().zip(&joint.rate).for_each(|(q, v)| *q += h * v);
            }
            let X = X_WP
                .compose(&joint.X_PF)
                .compose(&joint_pose(&joint.kind, &q))
                .compose(&joint.X_BM.inverse());
            poses[joint.child] = Some(X);
        }
    }
    poses.into_iter().flatten().collect()
}

/// Largest violation of the loops after `h` seconds at the initial rates.
fn loop_residual(mechanism: &Mechanism, h: f64) -> f64 {
    let poses = poses(mechanism, h);
    let pose = |body: Option<usize>| body.map_or(Pose::identity(), |i| poses[i]);
    let residual = |kind: &ConstraintKind| match kind {
        ConstraintKind::Coincident { a, b } => {
            (pose(a.body).point(&a.X_BF.p) - pose(b.body).point(&b.X_BF.p)).norm()
        }
        ConstraintKind::Parallel { a, b } => (pose(a.0).R * a.1).cross(&(pose(b.0).R * b.1)).norm(),
        _ => 0.0,
    };
    mechanism.constraints.iter().map(|c| residual(&c.kind)).fold(0.0, f64::max)
}

/// Every built-in mechanism starts with its loops closed and with rates that keep them closed: after 10 µs at constant
/// rates only the second order, h² times accelerations of at most some tens of m/s², has opened.
#[test]
fn loops_start_closed() {
    for entry in catalogue().iter().filter(|e| e.kind == EntryKind::Scenario) {
        let mechanism = loaded(&entry.name, &[]).description.mechanism;
        assert!(
            loop_residual(&mechanism, 0.0) < 1e-14,
            "{}: {:e}",
            entry.name,
            loop_residual(&mechanism, 0.0)
        );
        assert!(
            loop_residual(&mechanism, 1e-5) < 1e-8,
            "{}: {:e}",
            entry.name,
            loop_residual(&mechanism, 1e-5)
        );
    }
}

/// The rover is the published one: 22 bodies of 320 kg, 27 degrees of freedom, wheels where the layout has them, and
/// a drop of 10 mm puts the wheels 10 mm above the ground.
#[test]
fn the_rover_is_the_published_one() {
    let world = loaded("rover-drop-brush", &[]).description;
    let m = &world.mechanism;
    assert_eq!((m.bodies.len(), m.joints.len(), world.tyres.len()), (22, 22, 6));
    assert_eq!(m.joints.iter().map(|j| j.kind.rates()).sum::<usize>(), 27);
    assert!((m.bodies.iter().map(|b| b.mass).sum::<f64>() - 320.0).abs() < 1e-9);
    assert_eq!(m.gravity, Gravity::Uniform(Vec3::new(0.0, 0.0, -3.711)));
    assert_eq!(m.drives.iter().filter(|d| matches!(d.kind, DriveKind::Lock)).count(), 12);
    assert!(matches!(world.integrator, Integrator::Explicit { .. }));
    let poses = poses(m, 0.0);
    for tyre in &world.tyres {
        let centre = poses[tyre.body].point(&tyre.centre);
        assert!((centre.z - (0.1425 + 0.010)).abs() < 1e-12, "{}: {}", tyre.name, centre.z);
        assert!((tyre.law.lateral_slip_stiffness - 850.0 * 180.0 / std::f64::consts::PI).abs() < 1e-9);
    }
    let front_left = &world.tyres[0];
    assert_eq!(front_left.name, "front_left");
    assert!((poses[front_left.body].p.xy() - Vec3::new(0.732, 0.73, 0.0).xy()).norm() < 1e-12);
    // Whole rover: mass centre at x = +0.0004 m, 0.555 m above the ground (layout file), both printed to half a unit.
    let total: Vec3 = m.bodies.iter().zip(&poses).map(|(b, X)| X.point(&b.com) * b.mass).sum();
    let com = total / 320.0 - Vec3::new(0.0, 0.0, 0.010);
    assert!((com.x - 0.0004).abs() < 5e-5 && com.y.abs() < 1e-12 && (com.z - 0.555).abs() < 5e-4, "{com}");
}

/// In a point turn every wheel's plane is tangent to its circle about the chassis origin, and its rim runs at yaw rate
/// times distance in the direction of the motion.
#[test]
fn the_point_turn_is_tangent() {
    let world = loaded("rover-point-turn", &[]).description;
    let (m, poses) = (&world.mechanism, poses(&world.mechanism, 0.0));
    let drive = |name: String| m.drives.iter().find(|d| d.name == name).unwrap();
    for tyre in &world.tyres {
        let p = poses[tyre.body].p;
        let steer = match &drive(format!("rover/steering_{}", tyre.name)).kind {
            DriveKind::Follow(touchdown_multibody::description::Command::Position { target, .. }) => {
                target.value(50.0)
            }
            other => panic!("{other:?}"),
        };
        let DriveKind::RimSpeed { speed, .. } = &drive(format!("rover/drive_{}", tyre.name)).kind else {
            panic!()
        };
        let velocity = Vec3::new(steer.cos(), steer.sin(), 0.0) * speed.value(50.0);
        let wanted = Vec3::z().cross(&p) * 1f64.to_radians();
        assert!(
            (velocity - Vec3::new(wanted.x, wanted.y, 0.0)).norm() < 1e-9,
            "{}: {velocity} {wanted}",
            tyre.name
        );
        assert!(steer.abs() < 1.7453, "steering range");
    }
}

/// The load of the pressing test acts at the chassis's centre of mass and changes from 180 N up to 400 N down.
#[test]
fn the_press_acts_at_the_centre_of_mass() {
    let world = loaded("rover-load-brush", &[]).description;
    let load = world.mechanism.elements.iter().find(|e| e.name == "press").unwrap();
    let ElementKind::Load { at, force, follows_body, .. } = &load.kind else { panic!("{load:?}") };
    let chassis = world.mechanism.bodies.iter().position(|b| b.name == "rover/chassis");
    assert_eq!((at.body, at.X_BF.p, *follows_body), (chassis, Vec3::new(0.0, 0.0, 0.2585), false));
    assert_eq!((force[2].value(0.0), force[2].value(400.0)), (180.0, -400.0));
}

/// The tilt study asks for 40 degrees with braked wheels.
#[test]
fn the_tilt_study_brakes_the_wheels() {
    let world = loaded("rover-tilt", &[]).description;
    assert_eq!(world.mechanism.drives.iter().filter(|d| matches!(d.kind, DriveKind::Lock)).count(), 18);
    let tilt = world.study.as_ref().and_then(|study| study.procedure::<touchdown_studies::Tilt>());
    let tilt = tilt.expect("a tilt study");
    assert!((tilt.required - 40f64.to_radians()).abs() < 1e-15);
}

/// Knobs turn values, with units taken from the knob's name or from the text, and show what they became.
#[test]
fn knobs_turn() {
    let s = loaded(
        "pendulum-chain",
        &["links=3", "duration_s=0.5", "chain.rods.length=20 cm", "integrator.step=1 ms"],
    );
    let m = &s.description.mechanism;
    assert_eq!((m.bodies.len(), s.description.duration), (3, 0.5));
    assert_eq!(m.bodies[0].com, Vec3::new(0.1, 0.0, 0.0));
    assert!(
        matches!(s.description.integrator, Integrator::Explicit { step: StepControl::Fixed(h) } if h == 1e-3)
    );
    let links = s.parameters.iter().find(|p| p.name == "links").unwrap();
    assert_eq!((links.default.as_str(), links.value.as_str(), links.unit.as_str()), ("50", "3", ""));
    let duration = s.parameters.iter().find(|p| p.name == "duration_s").unwrap();
    assert_eq!(
        (duration.default.as_str(), duration.value.as_str(), duration.unit.as_str()),
        ("2.0", "0.5", "s")
    );
    let s = loaded("rover-drop-brush", &["drop_height_m=0.02", "gravity_m_per_s2=[0, 0, -1.6]"]);
    assert_eq!(s.description.mechanism.gravity, Gravity::Uniform(Vec3::new(0.0, 0.0, -1.6)));
    let z = poses(&s.description.mechanism, 0.0)[s.description.tyres[0].body].p.z;
    assert!((z - 0.1625).abs() < 1e-12, "{z}");
    let s = loaded("rover-straight-brush", &["duration_s=5"]);
    assert!(
        s.warnings.iter().any(|w| w.contains("speed_cruise_m_per_s")) && s.description.quantities.is_empty()
    );
}

/// A chain of the largest allowed length is read in a second or so: reading is linear in the number of links.
#[test]
fn long_chains_are_read() {
    let s = loaded("pendulum-chain", &["links=20000"]);
    assert_eq!(s.description.mechanism.joints.len(), 20_000);
    assert!(matches!(s.description.mechanism.joints[19_999].kind, JointKind::Revolute { .. }));
}

/// The files on disk are the built-in ones, found with their machine files from the scenario's folder.
#[test]
fn files_on_disk_read_like_built_in_ones() {
    let file = format!("{}/../../scenarios/rover/rover-drop-brush.toml", env!("CARGO_MANIFEST_DIR"));
    let (disk, built_in) = (loaded(&file, &[]), loaded("rover-drop-brush", &[]));
    assert_eq!(format!("{:?}", disk.description), format!("{:?}", built_in.description));
    assert_eq!(disk.name, "rover-drop-brush");
}

/// A machine file named by a setting is read in place of the scenario's own; one that does not exist is a mistake there.
#[test]
fn machine_files_can_be_set() {
    let same = loaded("rover-drop-brush", &["machine.rover.use=machines/exomars-samarini.toml"]);
    assert_eq!(same.description.mechanism.bodies.len(), 22);
    let error = load("rover-drop-brush", &["machine.rover.use=machines/none.toml".to_string()]).unwrap_err();
    assert!(error.diagnostics.iter().any(|d| d.file.starts_with("--set machine.rover.use")), "{error}");
}

/// Loops that no motion can close are refused by the world and placed at the constraint's line.
#[test]
fn unreachable_positions_are_placed() {
    let far = "constraint.wrist.between=[{ body = \"rod\", position_m = [9, 0, 0] }, { body = \"world\", position_m = [0, 0, 5] }]";
    let s = loaded("slider-crank", &[far]);
    let errors = s.explain(&touchdown_sim::Simulation::build(&s.description).err().unwrap());
    let text = catalogue().iter().find(|e| e.name == "slider-crank").unwrap().text;
    let wrist = text.lines().position(|l| l == "[constraint.wrist]");
    assert_eq!(Some(errors.diagnostics[0].line), wrist.map(|l| l + 1), "{errors}");
}

/// Guesses are listed with their reasons, inputs with their hashes.
#[test]
fn guesses_and_inputs_are_listed() {
    let s = loaded("rover-drop-brush", &[]);
    assert!(
        s.assumed.iter().any(|a| a.path == "machine.rover.body.pivot_rear" && a.reason.contains("along y"))
    );
    // The scenario, its machine, and the meshes of deck, hull and mast that it is drawn with.
    assert_eq!(s.inputs.len(), 5);
    assert!(s.inputs.iter().all(|(_, hash)| hash.len() == 64));
}

/// Mistakes that only the simulator can see are placed where the thing was written.
#[test]
fn later_mistakes_are_placed() {
    let s = loaded("bricard", &[]);
    let open = DynamicsError::Open { constraint: "p5/axes".into(), residual: 0.1 };
    let error = s.explain(&[WorldError::Assembly(open)]);
    let line = catalogue()
        .iter()
        .find(|e| e.name == "bricard")
        .unwrap()
        .text
        .lines()
        .position(|l| l == "[constraint.p5]");
    assert_eq!(Some(error.diagnostics[0].line), line.map(|l| l + 1));
    let metres = |name: &str| Column { name: name.into(), unit: "m", frame: "world", about: String::new() };
    let columns = ["time_s", "point.p3.x_m", "point.p3.y_m", "constraint.p5.residual"].map(metres);
    let error = s.check_columns(&columns).unwrap_err();
    assert!(error.to_string().contains("did you mean \"point.p3."), "{error}");
}

const ROBOT: &str = r#"<?xml version="1.0"?>
<robot name="gripper">
  <material name="red"><color rgba="1 0 0 1"/></material>
  <link name="palm">
    <inertial><origin xyz="0 0 0.1" rpy="0 0 1.5707963267948966"/><mass value="2"/>
      <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.25"/></inertial>
    <visual><geometry><box size="0.1 0.2 0.3"/></geometry><material name="red"/></visual>
    <collision><origin xyz="0 0 0.1"/><geometry><box size="0.1 0.2 0.3"/></geometry></collision>
    <collision><geometry><mesh filename="package://gripper/nowhere.stl"/></geometry></collision>
  </link>
  <gazebo reference="palm"><mu1>0.2</mu1></gazebo>
  <transmission name="t"><type>simple</type><joint name="left"><hardwareInterface>effort</hardwareInterface></joint>
    <actuator name="m"><mechanicalReduction>50</mechanicalReduction></actuator></transmission>
  <link name="left"><inertial><mass value="0.5"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial></link>
  <link name="right"><inertial><mass value="0.5"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial></link>
  <joint name="left" type="revolute"><origin xyz="0 0.1 0.2" rpy="0 1.5707963267948966 0"/><parent link="palm"/><child link="left"/>
    <axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="5" velocity="2"/><dynamics damping="0.1" friction="0.2"/></joint>
  <joint name="right" type="prismatic"><parent link="palm"/><child link="right"/><axis xyz="0 2 0"/>
    <limit lower="0" upper="0.1" effort="0" velocity="0.2"/><mimic joint="left" multiplier="0.05" offset="0.01"/></joint>
  <link name="pad"/>
  <joint name="pad" type="fixed"><parent link="palm"/><child link="pad"/><mimic joint="left"/></joint>
</robot>
"#;

/// A URDF robot keeps its masses, its inertias turned into link axes, its frames, stops, friction and mimic joints, and its
/// resolved form reads back to the same machine.
#[test]
fn urdf_machines_are_imported() {
    let folder = std::env::temp_dir().join(format!("touchdown-urdf-import-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("gripper.urdf"), ROBOT).unwrap();
    let text = "title = \"t\"\nduration = \"1 s\"\n[machine.g]\nurdf = \"gripper.urdf\"\n[drive.d]\njoints = \"g/left\"\nposition = \"0 rad\"\nstiffness = \"10 N m/rad\"\n[drive.c]\njoints = \"g/right\"\nspeed = \"0 m/s\"\ngain = \"10 N s/m\"\ninput = true\n[ground]\nheight = \"-1 m\"\n";
    let s = load_str("g.toml", text, &folder, &[]).unwrap_or_else(|e| panic!("{e}"));
    let again = load_str("again.toml", &s.resolved_toml, &folder, &[]).unwrap_or_else(|e| panic!("{e}"));
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(format!("{:?}", s.description), format!("{:?}", again.description));
    let audit = &s.audits[0];
    assert_eq!((audit.total_mass_kg, audit.bodies, audit.joints), (3.0, 4, 3));
    // A fixed joint cannot follow another.
    assert_eq!(audit.dropped, [("gazebo".to_string(), 1), ("mimic".to_string(), 1)]);
    assert_eq!(s.description.mechanism.constraints.len(), 1);
    assert!(audit.oddities.len() == 1 && audit.oddities[0].contains("nowhere.stl"), "{:?}", audit.oddities);
    // A quarter turn about z exchanges Ixx and Iyy.
    let palm = audit.inertias[0].1;
    assert!(
        (palm[0] - 0.2).abs() < 1e-15 && (palm[1] - 0.1).abs() < 1e-15 && palm[3].abs() < 1e-15,
        "{palm:?}"
    );
    let m = &s.description.mechanism;
    let poses = poses(m, 0.0);
    let left = &poses[m.bodies.iter().position(|b| b.name == "g/left").unwrap()];
    assert!(
        (left.R * Vec3::z() - Vec3::x()).norm() < 1e-15 && (left.p - Vec3::new(0.0, 0.1, 0.2)).norm() < 1e-15
    );
    let ConstraintKind::Gear { ratio, offset, .. } = m.constraints[0].kind else { panic!() };
    assert_eq!((ratio, offset), (0.05, 0.01));
    assert!(m.joints.iter().any(|j| j.kind == JointKind::Prismatic { axis: Vec3::y() }));
    assert_eq!(m.elements.len(), 3);
    // Effort limits the drive that gives no limit itself; a speed limits what may be commanded.
    let follows = |k: usize| match &m.drives[k].kind {
        DriveKind::Follow(Command::Position { limit, .. } | Command::Speed { limit, .. }) => *limit,
        _ => panic!(),
    };
    assert_eq!(follows(m.drives.iter().position(|d| d.name == "d").unwrap()), 5.0);
    assert_eq!(follows(m.drives.iter().position(|d| d.name == "c").unwrap()), f64::INFINITY);
    assert_eq!((s.description.inputs[0].lower, s.description.inputs[0].upper), (-0.2, 0.2));
    let touching = &s.description.polygonal;
    assert_eq!((touching.len(), touching[0].name.as_str()), (1, "g/palm_0"));
    assert_eq!(
        (touching[0].sides[0].X_BS.p, touching[0].sides[0].mesh.triangles.len()),
        (Vec3::new(0.0, 0.0, 0.1), 12)
    );
    assert_eq!(s.description.visuals[0].colour, [1.0, 0.0, 0.0, 1.0]);
}
