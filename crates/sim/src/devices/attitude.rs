//! Gyro, star tracker and the filter that combines them: attitude and rate of a body, on the bus.

use super::bus::Port;
use super::wiring::Wiring;
use super::{Bus, Effect, Now, Seen, Shown, Tick};
use crate::description::AttitudeControl;
use crate::engine::system::System;
use crate::sink::Column;
use touchdown_math::{Quat, Vec3};
use touchdown_multibody::rigid::kinematics;
use touchdown_spacecraft::attitude::{AttitudeEstimate, AttitudeSensors, AttitudeState, rotation_vector};
use touchdown_spacecraft::random::Noise;

/// Signals of the estimate.
const QUATERNION: [&str; 4] = ["estimate_qw", "estimate_qx", "estimate_qy", "estimate_qz"];
const RATE: [&str; 3] =
    ["estimate_rate_x_rad_per_s", "estimate_rate_y_rad_per_s", "estimate_rate_z_rad_per_s"];

/// Estimated attitude (world) and rate (body axes).
#[derive(Clone, Copy, Debug)]
pub(super) struct EstimatePorts {
    pub quaternion: [Port; 4],
    pub rate: [Port; 3],
}

impl EstimatePorts {
    /// Read from a device.
    pub fn read(wiring: &mut Wiring, device: &str) -> EstimatePorts {
        let quaternion = wiring.read_all(device, QUATERNION);
        EstimatePorts { quaternion, rate: wiring.read_all(device, RATE) }
    }
}

#[derive(Clone, Copy, Debug)]
enum Value {
    EstimateError(usize),
    RateError(usize),
}

/// Attitude sensors of a body.
#[derive(Clone, Debug)]
pub(crate) struct Attitude {
    /// The satellite's name on the bus.
    base: String,
    body: usize,
    sensors: AttitudeSensors,
    out: EstimatePorts,
    shown: Shown<Value>,
}

impl Attitude {
    /// The sensors of a control, with the body at its start.
    pub fn new(
        control: &AttitudeControl,
        base: &str,
        start: &Quat,
        wiring: &mut Wiring,
    ) -> (Attitude, AttitudeState) {
        let quaternion = wiring.write_all(QUATERNION);
        let out = EstimatePorts { quaternion, rate: wiring.write_all(RATE) };
        let state = control.sensors.start(start);
        wiring.preset(&out.quaternion, state.estimate.q_WB);
        wiring.preset(&out.rate, state.estimate.rate_B);
        let mut shown = Shown::new(base);
        let about = "rotation vector from the true attitude to the one that the filter believes";
        shown.put_axes(Value::EstimateError, ("estimate_error", "rad"), ("rad", "body"), about);
        let about = "angular velocity that the filter believes less the true one";
        shown.put_axes(Value::RateError, ("rate_error", "rad_per_s"), ("rad/s", "body"), about);
        let (base, sensors) = (base.into(), control.sensors.clone());
        (Attitude { base, body: control.body, sensors, out, shown }, state)
    }
}

impl Tick for Attitude {
    type State = AttitudeState;

    fn reseed(&mut self, seed: u64) {
        let seed = Noise::seed_of(seed, &self.base);
        (self.sensors.gyro_noise.seed, self.sensors.tracker_noise.seed) = (seed, seed);
    }

    fn next_time(&self, state: &AttitudeState) -> f64 {
        state.next_time()
    }

    fn tick(&self, state: &mut AttitudeState, now: &Now, bus: &mut Bus) -> Option<Effect> {
        let ticked = self.sensors.tick(state, now.t, &now.system.attitude_of(self.body));
        let AttitudeEstimate { q_WB, rate_B, .. } = &state.estimate;
        bus.set_all(&self.out.quaternion, Some(*q_WB));
        bus.set_all(&self.out.rate, Some(*rate_B));
        ticked.then(Effect::default)
    }

    fn columns(&self) -> Vec<Column> {
        self.shown.columns()
    }

    fn value(&self, state: &AttitudeState, column: usize, seen: &Seen) -> f64 {
        let attitude = seen.system.attitude_of(self.body);
        match self.shown.value(column) {
            Value::EstimateError(k) => rotation_vector(&(attitude.inverse() * state.estimate.attitude()))[k],
            Value::RateError(k) => {
                let link = seen.system.model.bodies[self.body].link;
                let true_rate: Vec3 = attitude.inverse() * seen.system.cache.V[link].w;
                state.estimate.rate_B[k] - true_rate[k]
            }
        }
    }
}

impl System {
    /// Attitude of a body in the world. Needs kinematics.
    pub(super) fn attitude_of(&self, body: usize) -> Quat {
        kinematics::body_pose(&self.model, &self.cache, body).quaternion()
    }
}
