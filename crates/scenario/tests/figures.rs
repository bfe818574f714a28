//! Figures of scenario files: what the file leaves out is made from the columns, and what does not fit them is reported with its place.

use std::path::Path;
use touchdown_scenario::{Figures, Scenario, load, load_str};
use touchdown_sim::Simulation;
use touchdown_sim::figure::{FigureKind, Trace};
use touchdown_sim::sink::Column;

/// Two rods on one hinge each, and a spring; the figures follow.
const MACHINE: &str = r#"title = "Rods"
duration = "10 s"
gravity = "earth"
[body.left_rod]
mass = "1 kg"
point_mass = true
centre_of_mass = ["0 m", "-1 m", "0 m"]
[joint.left]
type = "revolute"
child = "left_rod"
axis = [0, 0, 1]
[body.right_rod]
mass = "1 kg"
point_mass = true
centre_of_mass = ["0 m", "-1 m", "0 m"]
[joint.right]
type = "revolute"
child = "right_rod"
axis = [0, 0, 1]
[spring.band]
between = ["left_rod", "right_rod"]
stiffness = "1 N/m"
"#;

fn scenario(more: &str) -> Scenario {
    load_str("rods.toml", &format!("{MACHINE}{more}"), Path::new("."), &[]).unwrap_or_else(|e| panic!("{e}"))
}

fn columns(scenario: &Scenario) -> Vec<Column> {
    Simulation::build(&scenario.description).expect("two rods stand").columns().to_vec()
}

fn figures(more: &str) -> Figures {
    let scenario = scenario(more);
    let columns = columns(&scenario);
    scenario.check_columns(&columns).unwrap_or_else(|e| panic!("{e}"));
    scenario.figures(&columns)
}

/// Lines as drawn: column across, its label, unit and factor; label, unit and factor of the vertical axis; the lines.
struct Lines<'a> {
    x: (&'a str, &'a str, &'a str, f64),
    y: (&'a str, &'a str, f64),
    traces: &'a [Trace],
}

fn lines(kind: &FigureKind) -> Lines<'_> {
    let FigureKind::Lines { x, x_label, x_unit, x_scale, y_label, y_unit, y_scale, traces, .. } = kind else {
        panic!("{kind:?}")
    };
    Lines { x: (x, x_label, x_unit, *x_scale), y: (y_label, y_unit, *y_scale), traces }
}

/// A figure that names nothing but its columns gets title, labels, axes and units of its own.
#[test]
fn what_is_left_out_is_made_from_the_columns() {
    let figures = figures(
        "[figure.angles]\ny = \"joint.*.position_rad\"\n[figure.force]\ny = \"spring.band.force_n\"\n",
    );
    assert_eq!(figures.drawn[0].title, "Position against time");
    let angles = lines(&figures.drawn[0].kind);
    let named: Vec<_> = angles.traces.iter().map(|t| (t.column.as_str(), t.label.as_str())).collect();
    assert_eq!(named, [("joint.left.position_rad", "left"), ("joint.right.position_rad", "right")]);
    assert_eq!(angles.x, ("time_s", "time", "s", 1.0));
    assert_eq!(angles.y, ("position", "rad", 1.0));
    let force = lines(&figures.drawn[1].kind);
    assert_eq!((force.traces[0].label.as_str(), force.y.0), ("band force", "force"));
}

/// The factor of an axis turns the column's unit into the one asked for.
#[test]
fn units_are_converted() {
    let figures = figures(
        "[figure.a]\nx_unit = \"ms\"\ny = \"joint.left.position_rad\"\ny_unit = \"deg\"\n\
         [figure.b]\nx = \"joint.left.rate_rad_per_s\"\nx_unit = \"rpm\"\ny = \"spring.band.force_n\"\ny_unit = \"mN\"\n",
    );
    let (a, b) = (lines(&figures.drawn[0].kind), lines(&figures.drawn[1].kind));
    assert_eq!((a.x.3, a.x.2), (1000.0, "ms"));
    assert!((a.y.2 * std::f64::consts::PI - 180.0).abs() < 1e-12 && a.y.1 == "°");
    // 2π rad/s are one turn in a second, sixty in a minute.
    assert!((b.x.3 * 2.0 * std::f64::consts::PI - 60.0).abs() < 1e-12);
    assert_eq!((b.y.2, b.y.1), (1000.0, "mN"));
}

/// A pattern may find nothing, because a knob took its columns away; a name may not, and its neighbour is reported.
#[test]
fn mistakes_against_the_columns_are_reported_at_once() {
    let text = "[figure.gone]\ny = \"soil.*.sinkage_m\"\n\
                [figure.wrong]\nx = \"tim_s\"\ny = [\"joint.left.position_rad\", \"joint.left.psition_rad\"]\n\
                [figure.unit]\ny = \"joint.left.position_rad\"\ny_unit = \"mm\"\n\
                [figure.mixed]\ny = [\"joint.left.position_rad\", \"spring.band.force_n\"]\n\
                [figure.labels]\ny = \"joint.*.position_rad\"\nlabels = [\"one\"]\n\
                [quantity.q]\ncolumn = \"joint.left.positon_rad\"\n";
    let scenario = scenario(text);
    let mut sound = scenario.description.clone();
    sound.quantities.clear();
    let columns = Simulation::build(&sound).expect("two rods stand").columns().to_vec();
    let errors = scenario.check_columns(&columns).unwrap_err();
    insta::assert_snapshot!(errors.to_string());
    let figures = scenario.figures(&columns);
    assert_eq!((figures.drawn.len(), figures.left_out), (0, vec!["gone".to_string()]));
}

/// A shortened run keeps the phases that it reaches, and its resolved form says the same.
#[test]
fn phases_end_with_the_run() {
    let text = "[phase.swing-up]\nfrom = \"1 s\"\nto = \"4 s\"\n[phase.rest]\nfrom = \"4 s\"\nabout = \"comes to rest\"\n[phase.late]\nfrom = \"8 s\"\n";
    let whole = scenario(text).report.phases;
    let found: Vec<_> = whole.iter().map(|p| (p.label.as_str(), p.from, p.to)).collect();
    assert_eq!(found, [("swing up", 1.0, 4.0), ("comes to rest", 4.0, 10.0), ("late", 8.0, 10.0)]);
    let short = load_str("s.toml", &format!("{MACHINE}{text}"), Path::new("."), &["duration=5 s".into()]);
    let short = short.unwrap_or_else(|e| panic!("{e}"));
    let found: Vec<_> = short.report.phases.iter().map(|p| (p.from, p.to)).collect();
    assert_eq!(found, [(1.0, 4.0), (4.0, 5.0)]);
    let again =
        load_str("r.toml", &short.resolved_toml, Path::new("."), &[]).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(short.report, again.report);
}

/// The phases of a test stand follow from its timetable, whatever its knobs.
#[test]
fn rigs_have_phases_of_their_own() {
    let phases = |sets: &[&str]| {
        let sets: Vec<String> = sets.iter().map(|s| s.to_string()).collect();
        load("single-wheel", &sets).unwrap_or_else(|e| panic!("{e}")).report.phases
    };
    let (one, three) = (phases(&[]), phases(&["passes=3"]));
    assert_eq!((one.len(), three.len()), (2, 4));
    assert!(three.windows(2).all(|pair| pair[0].to <= pair[1].from), "{three:?}");
    assert_eq!(one[1], three[1]);
}

/// Both rovers have the wheels that the figures ask for.
#[test]
fn the_other_rover_has_the_same_figures() {
    for rover in ["exomars-2009", "exomars-samarini"] {
        let scenario =
            load("rover-drawbar-pull", &[format!("rover={rover}")]).unwrap_or_else(|e| panic!("{e}"));
        let world = Simulation::build(&scenario.description).expect("a rover stands");
        scenario.check_columns(world.columns()).unwrap_or_else(|e| panic!("{e}"));
        let figures = scenario.figures(world.columns());
        let sinkage = figures.drawn.iter().find(|f| f.name == "sinkage").expect("the paper's Fig. 18");
        let lines = lines(&sinkage.kind);
        assert_eq!((lines.traces.len(), lines.y.1), (6, "mm"), "{rover}");
        assert!(figures.left_out.is_empty());
    }
}
