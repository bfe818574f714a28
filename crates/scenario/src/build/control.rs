//! Attitude control: sensors and modes.

use super::Builder;
use crate::table::{ActuatorsWord, AocsKeys, ControlModeKeys, ControlModeWord};
use touchdown_sim::description::{AttitudeControl, ControlMode};
use touchdown_spacecraft::attitude::{AttitudeSensors, Gyro, StarTracker};
use touchdown_spacecraft::control::{Actuators, AocsMode};
use touchdown_spacecraft::random::Noise;

/// Channels of the seed.
const GYRO: u32 = 1;
const STAR_TRACKER: u32 = 2;

impl Builder<'_> {
    /// Attitude control of the scenario: one without a name, and any number of others.
    pub fn collect_control(&mut self) {
        if let Some(part) = &self.root.aocs {
            self.origins.insert(".aocs".into(), super::Origin { loc: part.loc, path: part.path.clone() });
            let keys = part.keys.as_ref();
            let control = keys.and_then(|keys| self.control("", keys, keys.seed.unwrap_or(self.seed())));
            self.satellites.controls.extend(control);
        }
        for named in &self.root.attitude_control {
            self.remember("attitude_control", &named.name, named);
            let Some(keys) = &named.keys else { continue };
            let seed = self.seed_of(keys.seed, &format!("aocs.{}", named.name));
            let control = self.control(&named.name, keys, seed);
            self.satellites.controls.extend(control);
        }
    }

    fn control(&mut self, name: &str, keys: &AocsKeys, seed: u64) -> Option<AttitudeControl> {
        let body = self.carrier(0, &keys.body)?;
        if self.satellites.controls.iter().any(|control| control.body == body) {
            self.issues.at(keys.body.loc, &keys.body.path, "has attitude control already");
        }
        let (gyro, tracker) = (&keys.gyro, &keys.star_tracker);
        let sensors = AttitudeSensors {
            gyro: Gyro { rate_hz: gyro.rate, angle_walk: gyro.angle_walk, bias: gyro.bias, bias_walk: 0.0 },
            tracker: StarTracker { rate_hz: tracker.rate, noise: [tracker.noise; 3] },
            gyro_noise: Noise::new(seed, GYRO),
            tracker_noise: Noise::new(seed, STAR_TRACKER),
        };
        let other =
            |keys_of_mode: &Option<ControlModeKeys>| mode(keys_of_mode.as_ref().unwrap_or(&keys.hold));
        let control = AttitudeControl {
            name: name.into(),
            guidance: None,
            body,
            rate: keys.control_rate,
            sensors,
            modes: [mode(&keys.hold), other(&keys.approach), other(&keys.mated)],
            mode: match keys.mode {
                ControlModeWord::Hold => AocsMode::Hold,
                ControlModeWord::Approach => AocsMode::Approach,
                ControlModeWord::Contact => AocsMode::Contact,
                ControlModeWord::Mated => AocsMode::Mated,
            },
            turn: keys.turn,
            turn_at: keys.turn_at,
            desaturate_above: keys.desaturate_above,
            seed,
        };
        self.check_actuators(keys, &control);
        Some(control)
    }

    /// A mode that uses equipment the satellite does not have is a mistake.
    fn check_actuators(&mut self, keys: &AocsKeys, control: &AttitudeControl) {
        let on = |body: usize| body == control.body;
        let wheels = self.satellites.wheels.iter().any(|w| on(w.body) && w.limits.torque > 0.0);
        let thrusters = self.satellites.thrusters.iter().any(|t| on(t.body));
        let written = [Some(&keys.hold), keys.approach.as_ref(), keys.mated.as_ref()];
        for (table, mode) in written.into_iter().zip(&control.modes) {
            let Some(table) = table else { continue };
            let (needs_wheels, needs_thrusters) = match mode.actuators {
                Actuators::None => (false, false),
                Actuators::Wheels => (true, false),
                Actuators::WheelsAndThrusters => (true, true),
                Actuators::Thrusters => (false, true),
            };
            for (needed, there, what, hint) in [
                (needs_wheels, wheels, "wheels", "add [reaction_wheel.NAME] with a torque_max"),
                (needs_thrusters, thrusters, "thrusters", "add [thruster.NAME]"),
            ] {
                if needed && !there {
                    let text = format!("uses {what}, but the body has none");
                    let key = ControlModeKeys::actuators;
                    self.issues.at(table.here.loc_of(key), table.here.path_of(key), text).hint(hint);
                }
            }
        }
    }
}

fn mode(keys: &ControlModeKeys) -> ControlMode {
    ControlMode {
        actuators: match keys.actuators {
            ActuatorsWord::None => Actuators::None,
            ActuatorsWord::Wheels => Actuators::Wheels,
            ActuatorsWord::WheelsAndThrusters => Actuators::WheelsAndThrusters,
            ActuatorsWord::Thrusters => Actuators::Thrusters,
        },
        bandwidth: keys.bandwidth,
        damping: keys.damping,
        inertia: keys.inertia,
        position: keys
            .position_bandwidth
            .map(|bandwidth| (bandwidth, keys.position_deadband, keys.velocity_deadband)),
    }
}
