//! What the scenarios in soil become: the library, the rovers on their wheels, the rigs, and their knobs.

use super::{loaded, poses};
use crate::{Scenario, load_str, soils};
use std::path::Path;
use touchdown_contact::soil::{BekkerWidth, FrictionLaw, PressureLaw, SoilShape};
use touchdown_geometry::Relief;
use touchdown_math::{Signal, Vec3};
use touchdown_multibody::description::{ConstraintKind, ElementKind, Gravity};
use touchdown_sim::description::{Ground, SoilGround, Study, Take};
use touchdown_studies::Bevameter;

fn ground(s: &Scenario) -> &SoilGround {
    match &s.description.ground {
        Some(Ground::Soil(soil)) => soil,
        other => panic!("{other:?}"),
    }
}

/// Motion of a prescribed joint.
fn motion(s: &Scenario, name: &str) -> Signal {
    let found = s.description.mechanism.constraints.iter().find(|c| c.name == name).unwrap();
    match &found.kind {
        ConstraintKind::Prescribed { motion, .. } => motion.clone(),
        other => panic!("{other:?}"),
    }
}

/// The library holds the published numbers, each soil with its source and its assumed values.
#[test]
fn the_library_holds_the_published_soils() {
    assert_eq!(soils().len(), 24);
    for soil in soils() {
        assert!(
            !soil.title.is_empty() && !soil.source.is_empty() && !soil.assumed.is_empty(),
            "{}",
            soil.name
        );
        let kebab = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        assert!(soil.name.chars().all(kebab), "{}", soil.name);
    }
    let soil = |name: &str| soils().iter().find(|s| s.name == name).unwrap().parameters;
    let a = soil("dlr-simulant-a");
    assert_eq!(a.law, PressureLaw::Bekker { cohesive: 2370.0, frictional: 60300.0 });
    assert_eq!((a.exponent, a.cohesion, a.shear_length, a.damping), (0.63, 188.0, 0.025, 0.0));
    assert!((a.friction_angle.to_degrees() - 24.8).abs() < 1e-12);
    assert_eq!(soil("snow-sweden").law, PressureLaw::Bekker { cohesive: 10550.0, frictional: 66080.0 });
    assert_eq!(soil("lunar-nominal").shear_length, 0.018);
    assert_eq!(soil("mms").law, PressureLaw::Reece { cohesive: 254e3, frictional: 0.0 });
}

/// Lighter soil bears less by its frictional part alone. A wheel of the same mass then sinks into dry sand as deep as on Earth, because load and modulus shrink alike.
#[test]
fn the_frictional_modulus_scales_with_the_weight_of_the_soil() {
    let law = |sets: &[&str]| ground(&loaded("single-wheel", sets)).soils[0].law;
    let light = law(&["soil=dlr-simulant-a", "soil_weight=0.25"]);
    assert_eq!(light, PressureLaw::Bekker { cohesive: 2370.0, frictional: 0.25 * 60300.0 });
    let light = law(&["soil=mms", "soil_weight=0.25"]);
    assert_eq!(light, PressureLaw::Reece { cohesive: 254e3, frictional: 0.0 });
    let plates = |weight: &str| law(&["soil=cmu-sand", "bekker_width_m=0.06", weight]).modulus(1.5, 0.06);
    assert!((plates("soil_weight=0.25") / plates("soil_weight=1") - 0.25).abs() < 1e-15);
}

/// Both rovers stand on six wheels that just touch the soil, are called alike, and weigh what they should.
#[test]
fn both_rovers_stand_on_the_soil() {
    for (rover, mass, radius) in [("exomars-2009", 207.0, 0.125), ("exomars-samarini", 320.0, 0.1425)] {
        let s = loaded("rover-drawbar-pull", &[&format!("rover={rover}")]);
        let world = &s.description;
        let m = &world.mechanism;
        assert_eq!((m.bodies.len(), world.tyres.len(), world.soil_bodies.len()), (22, 0, 6));
        assert!((m.bodies.iter().map(|b| b.mass).sum::<f64>() - mass).abs() < 1e-9);
        let poses = poses(m, 0.0);
        for wheel in &world.soil_bodies {
            let SoilShape::Wheel { radius: r, grousers: None, .. } = wheel.surface.shape else { panic!() };
            let centre = poses[wheel.body].point(&wheel.X_BS.p);
            assert!(r == radius && (centre.z - radius).abs() < 1e-12, "{} {}", wheel.name, centre.z);
        }
        assert_eq!(world.soil_bodies[0].name, "front_left");
        let vehicle = &world.vehicles[0];
        assert_eq!((vehicle.name.as_str(), m.bodies[vehicle.body].name.as_str()), ("rover", "rover/chassis"));
        assert_eq!(vehicle.wheels, [0, 1, 2, 3, 4, 5]);
        // Slack over ten seconds at 70 m/h.
        let spring = m.elements.iter().find(|e| e.name == "drawbar").unwrap();
        let ElementKind::Spring { a, b, rest_length, .. } = &spring.kind else { panic!() };
        let hook = poses[a.body.unwrap()].point(&a.X_BF.p);
        let slack = rest_length - (hook - b.X_BF.p).norm();
        assert!((slack - 10.0 * 70.0 / 3600.0).abs() < 1e-3, "{slack}");
    }
}

/// On a plane the same machine rolls on its tyres, and its wheels are left out.
#[test]
fn tyres_and_wheels_exclude_each_other() {
    let world = loaded("rover-drop-brush", &[]).description;
    assert_eq!((world.tyres.len(), world.soil_bodies.len(), world.vehicles.len()), (6, 0, 0));
}

/// A slope of 10 degrees ahead turns gravity backwards by that angle and keeps its size.
#[test]
fn slopes_turn_gravity() {
    let s = loaded("rover-drawbar-pull", &["slope_deg=10"]);
    let Gravity::Uniform(g) = s.description.mechanism.gravity else { panic!() };
    let (sin, cos) = 10f64.to_radians().sin_cos();
    assert!((g - Vec3::new(-sin, 0.0, -cos) * 3.711).norm() < 1e-12, "{g}");
    let s = loaded("rover-drawbar-pull", &["slope_deg=10", "gravity_tilt.uphill=90 deg"]);
    let Gravity::Uniform(g) = s.description.mechanism.gravity else { panic!() };
    assert!((g - Vec3::new(0.0, -sin, -cos) * 3.711).norm() < 1e-12, "{g}");
}

/// Knobs of the soil: words, switches, angles in degrees, and the soil's own values where nothing replaces them.
#[test]
fn soil_knobs_turn() {
    let own = loaded("single-wheel", &[]);
    assert_eq!(
        ground(&own).soils[0],
        soils().iter().find(|s| s.name == "dlr-simulant-a").unwrap().parameters
    );
    assert_eq!(ground(&own).options.friction, FrictionLaw::Anchored);
    // Half of 0.05 m/s.
    let by_speed = loaded("single-wheel", &["friction_law=coulomb"]);
    assert_eq!(ground(&by_speed).options.friction, FrictionLaw::Coulomb { speed: 0.025 });
    let s = loaded(
        "single-wheel",
        &[
            "soil=lete-sand",
            "friction_angle_deg=30",
            "cohesion_pa=0",
            "friction_law=janosi",
            "deposition=off",
            "erosion=false",
            "spacing_m=0.005",
            "bekker_width=perimeter",
            "step_s=0.0005",
        ],
    );
    let soil = ground(&s);
    assert_eq!(soil.soils[0].law, PressureLaw::Bekker { cohesive: 102e3, frictional: 5301e3 });
    assert!(
        (soil.soils[0].friction_angle - 30f64.to_radians()).abs() < 1e-15 && soil.soils[0].cohesion == 0.0
    );
    assert_eq!((soil.options.friction, soil.options.width), (FrictionLaw::Janosi, BekkerWidth::Perimeter));
    assert_eq!((soil.options.deposition, soil.options.erosion, soil.spacing), (false, false, 0.005));
    let knob = |name: &str| s.parameters.iter().find(|p| p.name == name).unwrap();
    assert_eq!(knob("soil").default, "dlr-simulant-a");
    let angle = knob("friction_angle_deg");
    assert_eq!(
        (angle.default.as_str(), angle.value.as_str(), angle.unit.as_str()),
        ("the soil's own", "30.0", "deg")
    );
    assert_eq!(
        (knob("friction_speed_m_per_s").default.as_str(), knob("duration_s").default.as_str()),
        ("0.025", "19.75")
    );
    let s = loaded("single-wheel", &["bekker_width_m=0.2", "terrain.soil.shear_length=3 mm"]);
    assert_eq!(
        (ground(&s).options.width, ground(&s).soils[0].shear_length),
        (BekkerWidth::Given(0.2), 0.003)
    );
    assert_eq!(ground(&s).soils[0].cohesion, 188.0);
}

/// Slopes may be a list or one number, in degrees.
#[test]
fn slopes_may_be_a_list() {
    for (set, wanted) in [("slope_deg=[5, 10]", vec![5.0, 10.0]), ("slope_deg=12", vec![12.0])] {
        let s = loaded("rover-gradability", &[set, "time_limit_s=60"]);
        let Some(Study::Gradability(study)) = &s.description.study else { panic!() };
        let degrees: Vec<f64> = study.slopes.iter().map(|s| s.to_degrees()).collect();
        assert!(
            degrees.iter().zip(&wanted).all(|(a, b)| (a - b).abs() < 1e-12) && degrees.len() == wanted.len()
        );
        assert_eq!((study.vehicle, study.distance, study.slip_limit, study.time_limit), (0, 1.0, 0.8, 60.0));
    }
}

/// At constant travel the rim is faster than the carriage by the slip, and the window holds whole cells of the grid.
#[test]
fn the_wheel_turns_at_its_slip() {
    for slip in ["-0.5", "0", "0.3", "0.95"] {
        let s = loaded("single-wheel", &[&format!("slip={slip}"), "radius_m=0.2", "spacing_m=0.007"]);
        let window = s.description.quantities.iter().find(|q| q.name == "drawbar_pull_n").unwrap();
        let (x, spin) = (motion(&s, "carriage"), motion(&s, "wheel"));
        for t in [window.from, window.to] {
            // The carriage's coordinate runs along -x.
            let (speed, rim) = (-x.jet(t)[1], 0.2 * spin.jet(t)[1]);
            assert!(
                (speed - 0.05).abs() < 1e-12
                    && (1.0 - speed / rim - slip.parse::<f64>().unwrap()).abs() < 1e-9
            );
        }
        let length = x.value(window.from) - x.value(window.to);
        assert!((length / 0.007 - (length / 0.007).round()).abs() < 1e-9 && length >= 0.2, "{length}");
        assert!((x.value(window.from) + 0.8).abs() < 1e-9, "four radii before the window");
        assert!((window.to - s.description.duration).abs() < 1e-9);
    }
}

/// Every pass runs over the same stretch at the same speed; in between the wheel is lifted clear and brought back to the start.
#[test]
fn passes_run_in_the_same_rut() {
    let s = loaded("single-wheel", &["passes=3"]);
    let windows: Vec<(f64, f64)> = (1..=3)
        .map(|i| {
            s.description.quantities.iter().find(|q| q.name == format!("drawbar_pull_pass_{i}_n")).unwrap()
        })
        .map(|q| (q.from, q.to))
        .collect();
    let (x, stop) = (motion(&s, "carriage"), motion(&s, "stop"));
    for (from, to) in &windows {
        assert!((x.value(*from) - x.value(windows[0].0)).abs() < 1e-12);
        assert!((x.value(*to) - x.value(windows[0].1)).abs() < 1e-12);
        assert!(stop.value(*from) == 0.0 && stop.value(*to) == 0.0);
    }
    // The slide hangs two radii below the stop: lifted by more, the wheel is off the ground whenever the carriage goes back.
    let times = (0..60_000).map(|i| i as f64 * 1e-3).take_while(|t| *t < windows[2].0);
    assert!(times.filter(|t| x.jet(*t)[1] > 0.0).all(|t| stop.value(t) > 2.0 * 0.15 + 0.05));
    let last = s.description.quantities.iter().find(|q| q.name == "sinkage_m").unwrap();
    assert_eq!((last.from, last.to, last.take), (windows[2].0, windows[2].1, Take::Mean));
}

/// The plate's edges fall midway between nodes whatever the spacing, and a shift moves them by just that.
#[test]
fn plates_lie_between_the_nodes() {
    for (spacing, shift) in [(0.01, 0.0), (0.005, 0.0), (0.02, 0.0), (0.01, 0.003)] {
        let sets = [format!("spacing_m={spacing}"), format!("shift_m={shift}"), "width_m=0.1".into()];
        let s = loaded("plate-sinkage", &sets.iter().map(String::as_str).collect::<Vec<_>>());
        let plate = &s.description.soil_bodies[0];
        let SoilShape::Mesh(mesh) = &plate.surface.shape else { panic!() };
        let at = poses(&s.description.mechanism, 0.0)[plate.body].p;
        for corner in mesh.vertices.iter().map(|v| at + v - Vec3::new(shift, shift, 0.0)) {
            for edge in [corner.x, corner.y] {
                let half = edge / spacing + 0.5;
                assert!((half - half.round()).abs() < 1e-9, "{edge} at {spacing}");
            }
            assert!(corner.z > -1e-15);
        }
        let study = s.description.study.as_ref().and_then(|study| study.procedure::<Bevameter>());
        assert!(study.is_some_and(|b| b.load == 100.0 && b.body == 0));
    }
}

/// Grousers reach below the rim, so that the wheel starts higher; with Bekker's pressure the carried layer is their height.
#[test]
fn grousers_lift_the_start() {
    for (sets, height) in [(vec![], 0.0), (vec!["grousers=8", "grouser_height_m=0.02"], 0.02)] {
        let s = loaded("single-wheel", &sets);
        let wheel = &s.description.soil_bodies[0];
        let hub = poses(&s.description.mechanism, 0.0)[wheel.body].p;
        assert!((hub.z - 0.15 - height).abs() < 1e-15);
        assert_eq!(wheel.surface.carried_layer, 0.0);
        let s = loaded("single-wheel", &[sets, vec!["stress_law=bekker"]].concat());
        assert_eq!(s.description.soil_bodies[0].surface.carried_layer, height);
    }
}

const ROLLER: &str = r#"
title = "A roller on a slope"
duration = "1 s"
gravity = "earth"
seed = 7
[machine.m]
place = { x = "1 m", clearance = "5 mm" }
[machine.m.body.drum]
mass_kg = 1
uniform = { sphere = "0.1 m" }
[machine.m.joint.base]
type = "free"
child = "drum"
[machine.m.wheel.drum]
body = "drum"
radius = "0.2 m"
width = "0.1 m"
"#;

fn roller(terrain: &str, folder: &Path) -> Scenario {
    let text = format!("{ROLLER}[terrain]\n{terrain}");
    let s = load_str("roller.toml", &text, folder, &[]).unwrap_or_else(|e| panic!("{e}"));
    let again = load_str("again.toml", &s.resolved_toml, folder, &[])
        .unwrap_or_else(|e| panic!("{e}\n{}", s.resolved_toml));
    assert_eq!(format!("{:?}", s.description), format!("{:?}", again.description));
    s
}

/// The clearance is kept on a slope along its normal, on hills and on a map over the place of the wheel.
#[test]
fn machines_stand_on_any_terrain() {
    let folder = std::env::temp_dir().join(format!("touchdown-terrain-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(
        folder.join("ramp.asc"),
        "ncols 3\nnrows 2\nxllcenter 0\nyllcenter -1\ncellsize 2\nNODATA_value -9\n0 1 2\n0 1 2\n",
    )
    .unwrap();
    let sloped = roller("shape = \"sloped\"\nslope = \"20 deg\"\nsoil = \"lete-sand\"\n", &folder);
    let hills = roller(
        "shape = \"procedural\"\nwavelength = \"3 m\"\namplitude = \"0.2 m\"\nsoil = \"lete-sand\"\n",
        &folder,
    );
    let map =
        roller("shape = \"map\"\nfile = \"ramp.asc\"\nheight = \"3 m\"\nsoil = \"lete-sand\"\n", &folder);
    std::fs::remove_dir_all(&folder).unwrap();
    for s in [&sloped, &hills, &map] {
        let centre = poses(&s.description.mechanism, 0.0)[0].p;
        let relief = &ground(s).relief;
        let normal = relief.normal(centre.x, centre.y).unwrap();
        let height = relief.height(centre.x, centre.y).unwrap();
        // The lowest point of the rim, across the wheel's axis y, and half its width where the ground leans to the side.
        let reach = 0.2 * (1.0 - normal.y * normal.y).sqrt() + 0.05 * normal.y.abs();
        assert!((normal.z * (centre.z - height) - reach - 0.005).abs() < 1e-12, "{centre}");
    }
    // Half way up the first metre of the ramp, lifted by three metres.
    assert!((ground(&map).relief.height(1.0, 0.0).unwrap() - 3.5).abs() < 1e-12);
    assert!(matches!(ground(&hills).relief, Relief::Procedural(_)));
}

/// Map files of any format become ground with the keys of a map: crop, origin or zero, scale, fill; the account travels with the scenario.
#[test]
fn maps_of_any_format_become_ground() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../geometry/tests/maps");
    // Column 5 and row 7 from the north, 60 m of the formula in make.py away from any edge; heights in counts of 10 mm.
    let height = 12.0 * (0.31 * 5.0_f64).sin() + 7.0 * (0.23 * 7.0_f64).cos() + 0.05 * 35.0;
    let tiff = roller(
        "shape = \"map\"\nfile = \"moon_i16_lzw_scaled.tif\"\ncrop = [-2990, -2900, 1910, 1990]\nzero = [-2972.5, 1962.5, -7]\nfill_m = 2\nsoil = \"lete-sand\"\n",
        &folder,
    );
    let found = ground(&tiff).relief.height(0.0, 0.0).unwrap();
    assert!((found - 7.0 - height).abs() < 0.005 + 1e-12, "{found}");
    assert_eq!(tiff.maps.len(), 1);
    assert_eq!(
        (tiff.maps[0].file.as_str(), tiff.maps[0].audit.zero),
        ("moon_i16_lzw_scaled.tif", [-2972.5, 1962.5, -7.0])
    );
    let picture = roller(
        "shape = \"map\"\nfile = \"counts_u16.png\"\nmap_spacing = \"2 m\"\nmap_scale = 0.01\nmap_offset_m = -200\nheight = \"1 m\"\ncrop_nodes = [5, 20, 2, 7]\norigin_m = [-4, -2]\nsoil = \"lete-sand\"\n",
        &folder,
    );
    let found = ground(&picture).relief.height(-4.0, -2.0).unwrap();
    assert!((found - 1.0 - height).abs() < 0.005 + 1e-12, "{found}");
}

/// Mistakes around maps are reported with their place and a hint.
#[test]
fn mistakes_of_maps_are_reported() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../geometry/tests/maps");
    for (keys, parts) in [
        (
            "shape = \"map\"\nfile = \"rotated.tif\"",
            ["terrain.file cannot be read", "turned or sheared", "gdalwarp"],
        ),
        (
            "shape = \"map\"\nfile = \"f4.npy\"",
            ["terrain.file cannot be read", "no spacing is given", "map_spacing"],
        ),
        (
            "shape = \"map\"\nfile = \"f4.npy\"\nmap_spacing_m = 1\nzero = [0, 0]\norigin_m = [0, 0]",
            ["terrain.zero", "says the same as origin", "keep one"],
        ),
        (
            "shape = \"map\"\nfile = \"f4.npy\"\ncrop_nodes = [0, 1.5, 0, 3]",
            ["terrain.crop_nodes", "whole numbers", "1.5"],
        ),
        ("crop = [0, 1, 0, 1]", ["terrain.crop", "means nothing in flat terrain", "shape = \"map\""]),
    ] {
        let text = format!("{ROLLER}[terrain]\nsoil = \"lete-sand\"\n{keys}\n");
        let mistakes = load_str("roller.toml", &text, &folder, &[]).expect_err(keys).to_string();
        for part in parts {
            assert!(mistakes.contains(part), "{part}: {mistakes}");
        }
    }
}

/// Regions take other soils, from the library, from the file or written in place; later ones win by their order.
#[test]
fn regions_have_their_own_soils() {
    let s = roller(
        r#"
soil = "dlr-simulant-a"
[soil.crust]
use = "mer-b-slope"
cohesion = "2 kPa"
[terrain.region.b]
from_m = [0, 0]
to_m = [1, 1]
soil = "crust"
[terrain.region.a]
from_m = [0.5, 0.5]
to_m = [2, 2]
soil = { use = "lete-sand", exponent = 1 }
[terrain.heap.pile]
radius = "0.1 m"
height = "0.2 m"
"#,
        Path::new("."),
    );
    let g = ground(&s);
    assert_eq!((g.soils.len(), g.regions[0].soil, g.regions[1].soil), (3, 1, 2));
    assert_eq!((g.soils[1].cohesion, g.soils[1].exponent, g.soils[2].exponent), (2000.0, 0.8, 1.0));
    assert_eq!((g.regions[1].from, g.regions[1].to, g.heaps[0].height), ([0.5, 0.5], [2.0, 2.0], 0.2));
    assert!(s.assumed.iter().any(|a| a.path == "soil.dlr-simulant-a"));
}

/// Heaps alone are enough to simulate; terrain that nothing touches is not.
#[test]
fn heaps_need_no_bodies() {
    let s = loaded("sand-pile", &["radius_m=0.3"]);
    assert_eq!((ground(&s).heaps[0].radius, s.description.mechanism.bodies.len()), (0.3, 0));
    let bare = "title = \"t\"\nduration = \"1 s\"\n[terrain]\nsoil = \"lete-sand\"\n";
    let error = load_str("bare.toml", bare, Path::new("."), &[]).unwrap_err();
    assert!(error.to_string().contains("nothing that touches it"), "{error}");
}

/// A soil or machine that does not exist gets the nearest name as a hint, also when it comes from a knob.
#[test]
fn unknown_names_get_hints() {
    let error = |name: &str, set: &str| crate::load(name, &[set.to_string()]).unwrap_err().to_string();
    assert!(error("single-wheel", "soil=lete-send").contains("did you mean \"lete-sand\"?"));
    assert!(error("rover-gradability", "rover=exomars-2008").contains("did you mean \"exomars-2009\"?"));
    assert!(error("single-wheel", "spacing_m=0.12").contains("is larger than wheel"));
    assert!(error("single-wheel", "cohesion_pa=-1").contains("must be >= 0 Pa"));
}

/// A motion given by its speeds is read with their units, and written out so that it reads back.
#[test]
fn motions_may_be_given_by_speeds() {
    let text = r#"
title = "t"
duration = "1 s"
[body.slide]
mass_kg = 1
point_mass = true
[joint.slide]
type = "prismatic"
axis = [1, 0, 0]
child = "slide"
[constraint.slide]
type = "prescribed"
joint = "slide"
motion = { travel = [["0 s", "0 m/s"], ["500 ms", "72 m/h"]] }
"#;
    let s = load_str("slide.toml", text, Path::new("."), &[]).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(motion(&s, "slide"), Signal::Travel(vec![(0.0, 0.0), (0.5, 0.02)]));
    let again =
        load_str("again.toml", &s.resolved_toml, Path::new("."), &[]).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(motion(&again, "slide"), motion(&s, "slide"));
    let wrong = text.replace("72 m/h", "72 m");
    let error = load_str("wrong.toml", &wrong, Path::new("."), &[]).unwrap_err().to_string();
    assert!(error.contains("needs a rate"), "{error}");
}
