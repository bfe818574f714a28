//! Bad scenarios: exit code 2 and a message that names the line, for mistakes of the file and of the world it describes.

mod common;

use common::*;

/// A pendulum; the tests break it.
const GOOD: &str = r#"title = "Pendulum"
duration = "1 s"
[body.bob]
mass = "1 kg"
point_mass = true
centre_of_mass = ["0 m", "-1 m", "0 m"]
[joint.hinge]
type = "revolute"
child = "bob"
axis = [0, 0, 1]
[quantity.angle_end_rad]
column = "joint.hinge.position_rad"
"#;

/// Runs a broken file; it must end with 2 and name each of the lines.
fn refused(text: &str, lines: &[usize]) -> String {
    let dir = temporary();
    std::fs::write(dir.path().join("broken.toml"), text).expect("room on disk");
    for command in ["run", "check"] {
        let ended = touchdown(dir.path(), &[command, "broken.toml"]);
        assert_eq!(ended.code, 2, "{command}: {}\n{}", ended.stdout, ended.stderr);
        for line in lines {
            assert!(
                ended.stderr.contains(&format!("broken.toml:{line}: ")),
                "line {line} in:\n{}",
                ended.stderr
            );
        }
        assert!(!dir.path().join("runs").exists(), "nothing may be left behind");
        if command == "check" {
            return ended.stderr;
        }
    }
    String::new()
}

#[test]
fn the_unbroken_file_is_good() {
    // The tests below fail for what they break and for nothing else.
    let dir = temporary();
    std::fs::write(dir.path().join("good.toml"), GOOD).expect("room on disk");
    good(dir.path(), &["run", "good.toml"]);
}

#[test]
fn all_mistakes_are_reported_at_once() {
    // A wrong unit, a misspelt key and a missing body: three lines, one go, the source under each.
    let text = GOOD.replace("1 kg", "1 m").replace("point_mass", "pointmass").replace("\"bob\"", "\"rob\"");
    let said = refused(&text, &[4, 5, 9]);
    assert!(said.contains("mass = \"1 m\"") && said.contains("^^^"), "{said}");
}

#[test]
fn a_wrong_column_is_reported_with_its_neighbour() {
    // Only the simulator knows the columns; the message still names the line and the nearest name.
    let said = refused(&GOOD.replace("position_rad", "postion_rad"), &[11]);
    assert!(said.contains("did you mean \"joint.hinge.position_rad\""), "{said}");
}

#[test]
fn wrong_figures_are_reported_with_wrong_quantities() {
    // A figure's column, its unit and a quantity's column: all in one go, each with its line.
    let text = GOOD.replace("position_rad", "postion_rad")
        + "[figure.angle]\nx = \"tyme_s\"\ny = \"joint.hinge.position_rad\"\ny_unit = \"N\"\n";
    let said = refused(&text, &[11, 14, 16]);
    assert!(said.contains("did you mean \"time_s\""), "{said}");
}

#[test]
fn a_loop_that_cannot_close_is_reported_with_its_line() {
    // The bob hangs 1 m from its hinge: no motion brings it to a point 5 m away.
    let text = format!(
        "{GOOD}[constraint.far]\ntype = \"coincident\"\nbetween = [{{ body = \"bob\", position_m = [0, -1, 0] }}, {{ body = \"ground\", position_m = [5, 0, 0] }}]\n"
    );
    let said = refused(&text, &[13]);
    assert!(said.contains("cannot be closed"), "{said}");
}

#[test]
fn files_that_are_none_are_distinguished() {
    // A misspelt name finds its neighbour, a folder and bytes that are no text are refused, a broken --set names itself.
    let dir = temporary();
    let said = touchdown(dir.path(), &["run", "pendulun"]);
    assert!(said.code == 2 && said.stderr.contains("did you mean pendulum?"), "{}", said.stderr);
    std::fs::create_dir(dir.path().join("folder.toml")).expect("room on disk");
    std::fs::write(dir.path().join("binary.toml"), [0xff, 0xfe, 0x00, 0x80]).expect("room on disk");
    std::fs::write(dir.path().join("empty.toml"), "").expect("room on disk");
    for name in ["folder.toml", "binary.toml", "empty.toml", "nowhere.toml"] {
        let said = touchdown(dir.path(), &["check", name]);
        assert!(said.code == 2 && said.stderr.contains(&format!("{name}:1: ")), "{name}: {}", said.stderr);
    }
    let said = touchdown(dir.path(), &["run", "pendulum", "--set", "duration_s=soon"]);
    assert!(said.code == 2 && said.stderr.contains("--set duration_s=soon: "), "{}", said.stderr);
}
