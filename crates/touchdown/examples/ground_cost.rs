//! Cost of a step on a ground for another simulator, in Rust: a slipping wheel, evaluated and accepted, as `python/examples/overhead.py` does it from Python.
//!
//! `cargo run --release -p touchdown --example ground_cost`: microseconds of processor time of a step, the least mean of several turns.

use rustix::time::{ClockId, clock_gettime};
use touchdown::math::{Pose, Quat, Vec3};
use touchdown::soil::{Ground, SoilShape, SoilSurface, SurfaceMotion};

const STEPS: usize = 1000;

fn main() -> Result<(), touchdown::Error> {
    let mut least = f64::INFINITY;
    for _ in 0..15 {
        let mut ground = Ground::level("lunar-nominal", 0.01)?;
        let shape = SoilShape::Wheel { radius: 0.15, width: 0.1, grousers: None };
        let wheel = ground.add("wheel", SoilSurface { shape, carried_layer: 0.0, bedded: false })?;
        let start = processor_time();
        for k in 0..STEPS {
            let t = k as f64 * 1e-3;
            let turn = Quat::from_axis_angle(&Vec3::y_axis(), 0.5 * t);
            let mut motion =
                SurfaceMotion::at_rest(Pose::new(&turn, Vec3::new(0.06 * t, 0.0, 0.14 - 0.01 * t)));
            (motion.v_WS, motion.w_WS) = (Vec3::new(0.06, 0.0, -0.01), Vec3::y() * 0.5);
            ground.evaluate(wheel, &motion)?;
            ground.advance(1e-3)?;
        }
        least = least.min((processor_time() - start) / STEPS as f64);
    }
    println!("{:.2}", 1e6 * least);
    Ok(())
}

/// Of this program so far, s.
fn processor_time() -> f64 {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    now.tv_sec as f64 + 1e-9 * now.tv_nsec as f64
}
