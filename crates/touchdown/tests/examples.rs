//! The examples run, and have the lengths that the documentation states.

#[path = "../examples/rover.rs"]
mod rover;
#[path = "../examples/wheel.rs"]
mod wheel;

fn lines(text: &str) -> usize {
    text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("//!")).count()
}

#[test]
fn a_wheel_with_a_controller_takes_25_lines() {
    assert!(lines(include_str!("../examples/wheel.rs")) <= 25);
    wheel::main().expect("the controller holds the speed");
}

#[test]
fn a_rover_from_a_urdf_takes_15_lines() {
    assert!(lines(include_str!("../examples/rover.rs")) <= 15);
    rover::main().expect("it drives");
}
