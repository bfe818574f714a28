//! A rover from a URDF file, driven over soil.
use touchdown::prelude::*;

pub(crate) fn main() -> Result<(), Error> {
    let mut world = World::from_urdf("rover", concat!(env!("CARGO_MANIFEST_DIR"), "/examples/rover.urdf"))?;
    world.gravity(3.71).duration(4.0).realtime(1e-3).soil("mer-b-sandy-loam", 0.01)?;
    for corner in ["front_left", "front_right", "rear_left", "rear_right"] {
        let [wheel, axle] = ["", "axle_"].map(|part| format!("rover/{part}{corner}"));
        let (wheel, axle) = (world.find_body(&wheel)?, world.find_joint(&axle)?);
        world.wheel(corner, wheel, 0.1, 0.08).speed_drive(corner, axle, 0.5, 20.0, 10.0);
    }
    let mut sim = world.simulate()?;
    sim.advance_to(4.0)?;
    println!("{:.3} m in 4 s", sim.observe_one("body.rover/chassis.x_m")?);
    Ok(())
}
