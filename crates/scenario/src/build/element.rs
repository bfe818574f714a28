//! Force elements: springs, bushings, actuators, loads, and what sits inside joints.

use super::Builder;
use crate::read::Record;
use std::collections::BTreeSet;
use touchdown_math::Signal;
use touchdown_multibody::description::{Acts, Command, ElementKind, ForceElement};

/// Speed at which dry friction has nearly its full value, if none is given, m/s or rad/s.
const TRANSITION: f64 = 1e-3;

type Make = for<'b, 'c, 'd> fn(&'b mut Builder<'c>, usize, &'d Record) -> Option<ElementKind>;

impl Builder<'_> {
    /// Elements of every scope.
    pub fn collect_elements(&mut self) {
        let kinds: [(&str, Make); 4] = [
            ("spring", |b, s, r| b.spring(s, r)),
            ("bushing", |b, s, r| b.bushing(s, r)),
            ("actuator", |b, s, r| b.actuator(s, r)),
            ("load", |b, s, r| b.load(s, r)),
        ];
        let mut names = BTreeSet::new();
        for s in 0..self.scopes.len() {
            let (record, prefix) = (self.scopes[s].record, self.scopes[s].prefix.clone());
            for (key, make) in kinds {
                for named in record.map(key) {
                    let name = format!("{prefix}{}", named.name);
                    self.remember(key, &name, &named.record);
                    if !names.insert(name.clone()) {
                        self.issues
                            .at(named.loc, &named.record.path, "has the name of another force element")
                            .hint("give each spring, bushing, actuator and load its own name");
                    }
                    if let Some(kind) = make(self, s, &named.record) {
                        if named.record.flag("input") {
                            self.element_inputs(&name, &kind);
                        }
                        self.mechanism.elements.push(ForceElement { name, kind });
                    }
                }
            }
            for named in record.map("joint") {
                self.joint_elements(&format!("{prefix}{}", named.name), &named.record);
            }
        }
    }

    fn spring(&mut self, scope: usize, record: &Record) -> Option<ElementKind> {
        let [a, b] = self.ends(scope, record)?;
        let acts = match record.text("acts")? {
            "pulls-only" => Acts::PullsOnly,
            "pushes-only" => Acts::PushesOnly,
            _ => Acts::BothWays,
        };
        Some(ElementKind::Spring {
            a,
            b,
            stiffness: record.number("stiffness")?,
            damping: record.number("damping")?,
            rest_length: record.number("rest_length")?,
            preload: record.number("preload")?,
            acts,
            slack_until: record.number("slack_until")?,
        })
    }

    fn bushing(&mut self, scope: usize, record: &Record) -> Option<ElementKind> {
        let [a, b] = self.ends(scope, record)?.map(|end| self.aligned(scope, end));
        let six = |turning: &str, straight: &str| {
            let (r, x) = (record.vec3(turning)?, record.vec3(straight)?);
            Some([r.x, r.y, r.z, x.x, x.y, x.z])
        };
        let stiffness = six("turning_stiffness", "stiffness")?;
        Some(ElementKind::Bushing { a, b, stiffness, damping: six("turning_damping", "damping")? })
    }

    fn actuator(&mut self, scope: usize, record: &Record) -> Option<ElementKind> {
        let ends = self.ends(scope, record);
        let chosen = self.one_of(record, &["force", "speed", "length"])?;
        let command = self.command(record, chosen, None, 1.0)?;
        let [a, b] = ends?;
        Some(ElementKind::Actuator { a, b, command })
    }

    /// The one key of several that is given; a mistake if none or more are.
    pub fn one_of(&mut self, record: &Record, keys: &[&'static str]) -> Option<&'static str> {
        let given: Vec<&'static str> = keys.iter().copied().filter(|k| record.has(k)).collect();
        if let [one] = given[..] {
            return Some(one);
        }
        let found = if given.is_empty() { "none".into() } else { given.join(" and ") };
        self.issues
            .at(record.loc, &record.path, "must follow one thing")
            .found(found)
            .allowed(keys.join(", "));
        None
    }

    /// The command for a chosen key; `angular` is that of the joint (`None`: an actuator, which slides).
    pub fn command(
        &mut self,
        record: &Record,
        key: &str,
        angular: Option<bool>,
        factor: f64,
    ) -> Option<Command> {
        let turns = angular.unwrap_or(false);
        let (_, dim) = record.signal(key)?;
        let signal = self.target(record, key, factor)?;
        let suits = self.check_suits(record, key, dim, turns);
        let limit = self.suited(record, "limit", turns).unwrap_or(f64::INFINITY);
        let command = match key {
            "speed" => {
                let gain = self.needed(record, "gain", key, turns)?;
                Command::Speed { target: signal, gain, limit }
            }
            "position" | "length" => {
                let stiffness = self.needed(record, "stiffness", key, turns)?;
                let damping = self.suited(record, "damping", turns).unwrap_or(0.0);
                Command::Position { target: signal, stiffness, damping, limit }
            }
            _ => Command::Force(signal),
        };
        suits.then_some(command)
    }

    /// The target of a drive or actuator times a factor; a constant one comes on over `ramp_time`.
    pub fn target(&mut self, record: &Record, key: &str, factor: f64) -> Option<Signal> {
        let signal = scaled(record.signal(key)?.0, factor);
        let (Some(rise), Some(from)) = (record.number("ramp_time"), record.number("active_from")) else {
            return Some(signal);
        };
        match signal {
            signal if rise == 0.0 => Some(signal),
            Signal::Constant(target) => Some(Signal::Smooth(vec![(from, 0.0), (from + rise, target)])),
            signal => {
                self.issues
                    .at(record.loc_of("ramp_time"), record.path_of("ramp_time"), "needs a constant target")
                    .hint(format!("{key} already says how it comes on"));
                Some(signal)
            }
        }
    }

    /// A number that following `because` cannot do without.
    pub fn needed(&mut self, record: &Record, key: &str, because: &str, angular: bool) -> Option<f64> {
        if !record.has(key) {
            self.issues.at(record.loc, &record.path, format!("needs {key}, because it follows {because}"));
            return None;
        }
        self.suited(record, key, angular)
    }

    fn load(&mut self, scope: usize, record: &Record) -> Option<ElementKind> {
        let spec = record.attach("on")?;
        let at = self.attachment(scope, spec, &record.path_of("on"))?;
        if at.body.is_none() {
            self.issues.at(
                record.loc_of("on"),
                record.path_of("on"),
                "acts on the world, which does not move",
            );
            return None;
        }
        if !record.has("force") && !record.has("torque") {
            self.issues
                .at(record.loc, &record.path, "needs a force or a torque")
                .hint("force = { z = \"-10 N\" }");
            return None;
        }
        let parts = |key: &str| -> Option<[Signal; 3]> {
            let Some(table) = record.table(key) else { return Some([const { Signal::Constant(0.0) }; 3]) };
            let part = |axis: &str| table.signal(axis).map(|s| s.0.clone());
            Some([part("x")?, part("y")?, part("z")?])
        };
        Some(ElementKind::Load {
            at,
            force: parts("force")?,
            torque: parts("torque")?,
            follows_body: record.flag("follows_body"),
        })
    }

    /// Spring, stops and friction inside a joint.
    fn joint_elements(&mut self, name: &str, record: &Record) {
        let Some(Some(joint)) = self.joints.get(name).copied() else { return };
        for key in ["spring", "limits", "friction"] {
            let Some(table) = record.table(key) else { continue };
            let index = table.count("coordinate").map(|c| c as usize);
            let Some(c) = self.checked_coordinate(joint, index, table.loc, &table.path) else { continue };
            let axis = c.axis;
            let mut get = |k: &str| self.suited(table, k, c.angular);
            let kind = match key {
                "spring" => get("stiffness").map(|stiffness| {
                    let (damping, rest) = (get("damping").unwrap_or(0.0), get("rest").unwrap_or(0.0));
                    ElementKind::JointSpring { axis, stiffness, damping, rest }
                }),
                "limits" => match [get("lower"), get("upper"), get("stiffness")] {
                    [Some(lower), Some(upper), Some(stiffness)] => {
                        let damping = get("damping").unwrap_or(0.0);
                        Some(ElementKind::JointLimit { axis, lower, upper, stiffness, damping })
                    }
                    _ => None,
                },
                _ => {
                    let (coulomb, viscous) = (get("coulomb").unwrap_or(0.0), get("viscous").unwrap_or(0.0));
                    let transition = get("transition").unwrap_or(TRANSITION);
                    Some(ElementKind::JointFriction { axis, coulomb, viscous, transition })
                }
            };
            if let Some(ElementKind::JointLimit { lower, upper, .. }) = kind
                && lower >= upper
            {
                self.issues
                    .at(table.loc_of("lower"), table.path_of("lower"), "must be below upper")
                    .found(format!("{lower} and {upper}"));
            }
            if let Some(kind) = kind {
                let name = format!("{name}/{key}");
                if table.flag("input") {
                    self.element_inputs(&name, &kind);
                }
                self.mechanism.elements.push(ForceElement { name, kind });
            }
        }
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
