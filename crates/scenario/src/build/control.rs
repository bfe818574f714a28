//! Attitude control: sensors and modes.

use super::Builder;
use crate::read::Record;
use touchdown_math::Vec3;
use touchdown_sim::description::{AttitudeControl, ControlMode};
use touchdown_spacecraft::attitude::{AttitudeSensors, Gyro, StarTracker};
use touchdown_spacecraft::control::{Actuators, AocsMode};
use touchdown_spacecraft::random::Noise;

/// Channels of the seed.
const GYRO: u32 = 1;
const STAR_TRACKER: u32 = 2;

impl Builder<'_> {
    /// Attitude control of the scenario: the one without a name, and any number of others.
    pub fn collect_control(&mut self) {
        let root = self.scopes[0].record;
        if let Some(r) = root.table("aocs") {
            self.origins.insert(".aocs".into(), super::Origin { loc: r.loc, path: r.path.clone() });
            let seed = r.count("seed").unwrap_or_else(|| self.seed());
            let control = self.control("", r, seed);
            self.satellites.controls.extend(control);
        }
        for named in root.map("attitude_control") {
            let (name, r) = (&named.name, &named.record);
            self.remember("attitude_control", name, r);
            let control = self.control(name, r, self.seed_of(r, &format!("aocs.{name}")));
            self.satellites.controls.extend(control);
        }
    }

    fn control(&mut self, name: &str, r: &Record, seed: u64) -> Option<AttitudeControl> {
        let body = self.carrier(0, r)?;
        if self.satellites.controls.iter().any(|control| control.body == body) {
            self.issues.at(r.loc_of("body"), r.path_of("body"), "has attitude control already");
        }
        let (gyro, tracker) = (r.table("gyro")?, r.table("star_tracker")?);
        let sensors = AttitudeSensors {
            gyro: Gyro {
                rate_hz: gyro.number("rate")?,
                angle_walk: gyro.number("angle_walk")?,
                bias: gyro.number("bias")?,
                bias_walk: 0.0,
            },
            tracker: StarTracker { rate_hz: tracker.number("rate")?, noise: [tracker.number("noise")?; 3] },
            gyro_noise: Noise::new(seed, GYRO),
            tracker_noise: Noise::new(seed, STAR_TRACKER),
        };
        let hold = mode(r.table("hold")?)?;
        let other = |key: &str| r.table(key).map_or(Some(hold), mode);
        let control = AttitudeControl {
            name: name.into(),
            body,
            rate: r.number("control_rate")?,
            sensors,
            modes: [hold, other("approach")?, other("mated")?],
            mode: match r.text("mode")? {
                "approach" => AocsMode::Approach,
                "contact" => AocsMode::Contact,
                "mated" => AocsMode::Mated,
                _ => AocsMode::Hold,
            },
            turn: r.vec3("turn").unwrap_or_else(Vec3::zeros),
            turn_at: r.number("turn_at")?,
            desaturate_above: r.number("desaturate_above")?,
            seed,
            guidance: None,
        };
        self.check_actuators(r, &control);
        Some(control)
    }

    /// A mode that uses what the satellite does not have is a mistake.
    fn check_actuators(&mut self, r: &Record, control: &AttitudeControl) {
        let on = |body: usize| body == control.body;
        let wheels = self.satellites.wheels.iter().any(|w| on(w.body) && w.limits.torque > 0.0);
        let thrusters = self.satellites.thrusters.iter().any(|t| on(t.body));
        for (key, mode) in ["hold", "approach", "mated"].into_iter().zip(&control.modes) {
            let Some(table) = r.table(key) else { continue };
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
                    self.issues.at(table.loc_of("actuators"), table.path_of("actuators"), text).hint(hint);
                }
            }
        }
    }
}

fn mode(r: &Record) -> Option<ControlMode> {
    let position = r.number("position_bandwidth");
    Some(ControlMode {
        actuators: match r.text("actuators")? {
            "wheels" => Actuators::Wheels,
            "wheels and thrusters" => Actuators::WheelsAndThrusters,
            "thrusters" => Actuators::Thrusters,
            _ => Actuators::None,
        },
        bandwidth: r.number("bandwidth")?,
        damping: r.number("damping")?,
        inertia: r.vec3("inertia"),
        position: match position {
            Some(bandwidth) => {
                Some((bandwidth, r.number("position_deadband")?, r.number("velocity_deadband")?))
            }
            None => None,
        },
    })
}
