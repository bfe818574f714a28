//! A wheel in lunar soil whose speed over the ground a controller of our own holds.
use touchdown::prelude::*;

pub(crate) fn main() -> Result<(), Error> {
    let mut world = World::new();
    world.gravity(1.62).duration(10.0).realtime(1e-3).soil("lunar-nominal", 0.01)?;
    let carriage = world.body("carriage", 0.0, Solid::Point);
    let frame = world.body("frame", 20.0, Solid::Point);
    let wheel = world.body("wheel", 2.0, Solid::Cylinder { radius: 0.15, length: 0.1, axis: Vec3::y() });
    world.joint("rail", JointKind::Prismatic { axis: Vec3::x() }, None, carriage, Vec3::z() * 0.15);
    world.joint("lift", JointKind::Prismatic { axis: Vec3::z() }, Some(carriage), frame, Vec3::zeros());
    let axle =
        world.joint("axle", JointKind::Revolute { axis: Vec3::y() }, Some(frame), wheel, Vec3::zeros());
    world.wheel("wheel", wheel, 0.15, 0.1).speed_drive("motor", axle, 0.0, 50.0, 20.0);
    let mut sim = world.simulate()?;
    let (speed, motor) = (sim.column("body.frame.vx_m_per_s")?, sim.input("motor")?);
    let (mut seen, mut rate) = ([0.0], 0.0);
    while sim.state().t < 9.99 {
        sim.observe(&[speed], &mut seen)?;
        rate += 0.02 * 10.0 * (0.05 - seen[0]);
        sim.command_at(motor, rate)?;
        sim.advance_to(sim.state().t + 0.02)?;
    }
    println!("{:.4} m/s with the motor at {rate:.3} rad/s", seen[0]);
    assert!((seen[0] - 0.05).abs() < 1e-3);
    Ok(())
}
