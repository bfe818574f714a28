//! Commands of drives and actuators: the signal that they follow, and with which gains.

use super::Builder;
use crate::read::{Quantity, Timed};
use crate::source::Loc;
use touchdown_math::Signal;
use touchdown_multibody::description::Command;

/// What a drive or actuator can follow.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Follows {
    Force,
    Speed,
    Position,
    RimSpeed,
}

/// What it follows, according to its key.
pub(crate) struct Followed {
    pub by: Follows,
    pub key: &'static str,
    pub target: Timed,
}

/// How closely a drive or actuator follows.
pub(crate) struct Motor<'k> {
    pub loc: Loc,
    pub path: &'k str,
    /// None of its numbers was written wrongly.
    pub sound: bool,
    pub gain: Option<&'k Quantity>,
    pub stiffness: Option<&'k Quantity>,
    pub damping: Option<&'k Quantity>,
    pub limit: Option<&'k Quantity>,
    pub ramp: Option<Ramp>,
}

/// Duration and start of the ramp to a constant target.
pub(crate) struct Ramp {
    pub rise: f64,
    pub from: f64,
    pub loc: Loc,
    pub path: String,
}

impl Builder<'_> {
    /// The command of a motor on a joint, or of an actuator, which translates.
    pub(super) fn command(
        &mut self,
        motor: &Motor,
        followed: &Followed,
        angular: bool,
        factor: f64,
    ) -> Option<Command> {
        let target = self.target(motor, followed, factor);
        let at = (followed.target.loc, followed.target.path.as_str());
        let suits = self.check_suits(followed.target.dim, at, angular);
        let limit = self.suited(motor.limit, angular).unwrap_or(f64::INFINITY);
        let command = match followed.by {
            Follows::Speed | Follows::RimSpeed => {
                let gain = self.needed(motor, ("gain", motor.gain), followed, angular)?;
                Command::Speed { target, gain, limit }
            }
            Follows::Position => {
                let stiffness = self.needed(motor, ("stiffness", motor.stiffness), followed, angular)?;
                let damping = self.suited(motor.damping, angular).unwrap_or(0.0);
                Command::Position { target, stiffness, damping, limit }
            }
            Follows::Force => Command::Force(target),
        };
        suits.then_some(command)
    }

    /// The target times a factor; a constant one is reached over its ramp.
    pub fn target(&mut self, motor: &Motor, followed: &Followed, factor: f64) -> Signal {
        let signal = scaled(&followed.target.signal, factor);
        let Some(ramp) = motor.ramp.as_ref().filter(|ramp| ramp.rise != 0.0) else { return signal };
        match signal {
            Signal::Constant(target) => {
                Signal::Smooth(vec![(ramp.from, 0.0), (ramp.from + ramp.rise, target)])
            }
            signal => {
                self.issues
                    .at(ramp.loc, &ramp.path, "needs a constant target")
                    .hint(format!("{} already says how it comes on", followed.key));
                signal
            }
        }
    }

    /// A number that the kind of command requires.
    pub fn needed(
        &mut self,
        motor: &Motor,
        (key, value): (&str, Option<&Quantity>),
        followed: &Followed,
        angular: bool,
    ) -> Option<f64> {
        if value.is_none() && motor.sound {
            let what = format!("needs {key}, because it follows {}", followed.key);
            self.issues.at(motor.loc, motor.path, what);
        }
        self.suited(value, angular)
    }
}

/// A signal times a factor.
fn scaled(signal: &Signal, factor: f64) -> Signal {
    let rows = |rows: &[(f64, f64)]| rows.iter().map(|(t, y)| (*t, y * factor)).collect();
    match signal {
        Signal::Constant(c) => Signal::Constant(c * factor),
        Signal::Linear(r) => Signal::Linear(rows(r)),
        Signal::Smooth(r) => Signal::Smooth(rows(r)),
        Signal::Travel(r) => Signal::Travel(rows(r)),
        Signal::Sine { offset, amplitude, frequency_hz, phase_rad } => Signal::Sine {
            offset: offset * factor,
            amplitude: amplitude * factor,
            frequency_hz: *frequency_hz,
            phase_rad: *phase_rad,
        },
        Signal::Line { start, rate } => Signal::Line { start: start * factor, rate: rate * factor },
    }
}
