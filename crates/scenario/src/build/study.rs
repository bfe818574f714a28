//! Studies: analyses in addition to, or instead of, one run in time.

use super::Builder;
use super::ground::one_or_two;
use crate::error::nearest;
use crate::read::{Record, Value};
use crate::table::{
    FollowWord, Key, LockingWord, ModeWord, RigWord, ScenarioKeys, StudyKeys, StudyWord, Words,
};
use crate::unit::{ANGLE, LENGTH, NUMBER, TIME};
use touchdown_sim::description::{Gradability, Ground, Study, Traverse, Vehicle};
use touchdown_studies::{Bevameter, Spacings, Tilt};

type AnyKey = Key<StudyKeys, ()>;

/// Keys of each kind of study.
fn keys_of(kind: StudyWord) -> Vec<AnyKey> {
    match kind {
        StudyWord::Tilt => vec![
            StudyKeys::directions.any(),
            StudyKeys::largest.any(),
            StudyKeys::resolution.any(),
            StudyKeys::required.any(),
        ],
        StudyWord::Gradability => vec![
            StudyKeys::slopes.any(),
            StudyKeys::vehicle.any(),
            StudyKeys::distance.any(),
            StudyKeys::slip_limit.any(),
            StudyKeys::time_limit.any(),
            StudyKeys::turn_time.any(),
        ],
        StudyWord::Traverse => vec![
            StudyKeys::slope.any(),
            StudyKeys::heading.any(),
            StudyKeys::stuck_over.any(),
            StudyKeys::vehicle.any(),
            StudyKeys::distance.any(),
            StudyKeys::slip_limit.any(),
            StudyKeys::time_limit.any(),
            StudyKeys::turn_time.any(),
        ],
        StudyWord::Spacings => vec![
            StudyKeys::body.any(),
            StudyKeys::spacings.any(),
            StudyKeys::size.any(),
            StudyKeys::centre.any(),
        ],
        StudyWord::WheelPress => vec![
            StudyKeys::wheel.any(),
            StudyKeys::deflection_max.any(),
            StudyKeys::rows.any(),
            StudyKeys::follow.any(),
            StudyKeys::spring.any(),
            StudyKeys::beside.any(),
        ],
        StudyWord::FreeRolling => vec![
            StudyKeys::wheel.any(),
            StudyKeys::run_in.any(),
            StudyKeys::turns.any(),
            StudyKeys::from.any(),
        ],
        StudyWord::Modes => vec![StudyKeys::flexible.any(), StudyKeys::count.any()],
        StudyWord::StaticLoad => {
            vec![StudyKeys::flexible.any(), StudyKeys::force.any(), StudyKeys::rows.any()]
        }
        StudyWord::ShellCourse => {
            vec![StudyKeys::shell.any(), StudyKeys::elements.any(), StudyKeys::locking.any()]
        }
    }
}

/// Whether the scenario presses a wheel without time.
pub(super) fn presses_wheel(root: &ScenarioKeys) -> bool {
    let study = root.study.as_ref().and_then(|study| study.keys.as_ref());
    study.is_some_and(|keys| keys.kind == StudyWord::WheelPress)
}

/// Whether the study needs nothing of the scenario: it has a form of its own.
pub(super) fn brings_its_own(root: &ScenarioKeys) -> bool {
    let study = root.study.as_ref().and_then(|study| study.keys.as_ref());
    study.is_some_and(|keys| keys.kind == StudyWord::ShellCourse)
}

/// Default travel of a pressed wheel, m, and number of steps.
const DEFLECTION: f64 = 0.03;
const PRESS_ROWS: u64 = 60;
/// Default numbers of natural modes, and of loads after the first.
const MODES: u64 = 6;
const LOAD_ROWS: u64 = 10;
/// Default number of elements along a side of a shell, for which published elements are compared.
const SHELL_ELEMENTS: u64 = 16;
/// Default extent of the maps of a spacings study, m.
const MAP_SIZE: f64 = 20.0;

/// Defaults of a study, by its kind: of the tilt as required by Samarini et al.; a slope counts as climbed
/// when a metre is gained with slip below 0.8.
pub(crate) fn fill_study(study: &mut Record, duration: f64) {
    let degrees = |x: f64| Value::Number(x.to_radians(), &ANGLE);
    let Some(kind) = study.get(StudyKeys::kind) else { return };
    let values = match kind {
        StudyWord::Tilt => vec![
            (StudyKeys::directions.any(), Value::Count(36)),
            (StudyKeys::largest.any(), degrees(60.0)),
            (StudyKeys::resolution.any(), degrees(0.1)),
        ],
        StudyWord::Gradability | StudyWord::Traverse => vec![
            (StudyKeys::distance.any(), Value::Number(1.0, &LENGTH)),
            (StudyKeys::slip_limit.any(), Value::Number(0.8, &NUMBER)),
            (StudyKeys::time_limit.any(), Value::Number(duration, &TIME)),
            (StudyKeys::turn_time.any(), Value::Number(5.0, &TIME)),
        ],
        StudyWord::Spacings => vec![
            (StudyKeys::size.any(), Value::Numbers(vec![(MAP_SIZE, &LENGTH)])),
            (StudyKeys::centre.any(), Value::Numbers(vec![(0.0, &LENGTH); 2])),
        ],
        StudyWord::WheelPress => vec![
            (StudyKeys::deflection_max.any(), Value::Number(DEFLECTION, &LENGTH)),
            (StudyKeys::rows.any(), Value::Count(PRESS_ROWS)),
            (StudyKeys::follow.any(), Value::Text(FollowWord::Stable.word().into())),
        ],
        StudyWord::FreeRolling => vec![
            (StudyKeys::run_in.any(), degrees(180.0)),
            (StudyKeys::turns.any(), Value::Count(1)),
            (StudyKeys::from.any(), Value::Number(1.0, &TIME)),
        ],
        StudyWord::Modes => vec![(StudyKeys::count.any(), Value::Count(MODES))],
        StudyWord::StaticLoad => vec![(StudyKeys::rows.any(), Value::Count(LOAD_ROWS))],
        StudyWord::ShellCourse => vec![
            (StudyKeys::elements.any(), Value::Count(SHELL_ELEMENTS)),
            (StudyKeys::locking.any(), Value::Text(LockingWord::Assumed.word().into())),
        ],
    };
    values.into_iter().for_each(|(key, value)| study.fill(key, value));
}

impl Builder<'_> {
    /// The study of `[study]`, or that of a bevameter's rig.
    pub fn study(&mut self, vehicles: &[Vehicle]) -> Option<Study> {
        let root = self.root;
        if root.mode == Some(ModeWord::Static) {
            if let Some(study) = &root.study {
                self.issues.at(study.loc, &study.path, "means nothing where mode is static");
            }
            return Some(Study::Static);
        }
        let Some(study) = &root.study else { return self.bevameter() };
        let keys = study.keys.as_ref()?;
        self.remember("study", keys.kind.word(), study);
        self.check_study_keys(keys);
        match keys.kind {
            StudyWord::Tilt => self.tilt(keys),
            StudyWord::Gradability => self.gradability(keys, vehicles),
            StudyWord::Traverse => self.traverse(keys, vehicles),
            StudyWord::Spacings => self.spacings(keys),
            StudyWord::WheelPress => self.wheel_press(keys),
            StudyWord::FreeRolling => self.free_rolling(keys),
            StudyWord::Modes => self.modes(keys),
            StudyWord::StaticLoad => self.static_load(keys),
            StudyWord::ShellCourse => self.shell_course(keys),
        }
    }

    /// Keys of other kinds of studies are mistakes.
    fn check_study_keys(&mut self, keys: &StudyKeys) {
        let own: Vec<&str> = keys_of(keys.kind).into_iter().map(AnyKey::name).collect();
        for (name, loc, path) in keys.here.given() {
            if name != StudyKeys::kind.name() && !own.contains(&name) {
                let what = format!("means nothing in a study of kind {}", keys.kind.word());
                self.issues.at(loc, path, what).allowed(own.join(", "));
            }
        }
    }

    fn bevameter(&self) -> Option<Study> {
        let rig = self.rig_keys().filter(|rig| rig.kind == RigWord::Plate)?;
        let body = self.soil_bodies.iter().position(|b| b.name == "plate")?;
        Some(Study::by(Bevameter { body, load: rig.load?, points: rig.points? as usize }))
    }

    fn tilt(&mut self, keys: &StudyKeys) -> Option<Study> {
        if self.tyres.is_empty() {
            let what = "needs tyres: it asks which wheel lifts or slips first";
            self.issues.at(keys.here.loc, &keys.here.path, what);
        }
        let required = self.needs(keys, StudyKeys::required, keys.required);
        let (largest, required) = (keys.largest?, required?);
        if required > largest {
            let key = StudyKeys::required;
            self.issues
                .at(keys.here.loc_of(key), keys.here.path_of(key), "must not exceed largest")
                .found(format!("{required} rad against {largest} rad"));
        }
        let (directions, resolution) = (keys.directions? as usize, keys.resolution?);
        Some(Study::by(Tilt { directions, largest, resolution, required }))
    }

    fn gradability(&mut self, keys: &StudyKeys, vehicles: &[Vehicle]) -> Option<Study> {
        let slopes = self.needs(keys, StudyKeys::slopes, keys.slopes.clone());
        let vehicle = self.climber(keys, vehicles);
        Some(Study::Gradability(Gradability {
            vehicle: vehicle?,
            slopes: slopes?,
            distance: keys.distance?,
            slip_limit: keys.slip_limit?,
            time_limit: keys.time_limit?,
            turn_time: keys.turn_time?,
            traverse: None,
        }))
    }

    fn traverse(&mut self, keys: &StudyKeys, vehicles: &[Vehicle]) -> Option<Study> {
        let slope = self.needs(keys, StudyKeys::slope, keys.slope);
        let heading = self.needs(keys, StudyKeys::heading, keys.heading);
        let stuck_over = self.needs(keys, StudyKeys::stuck_over, keys.stuck_over);
        let vehicle = self.climber(keys, vehicles);
        Some(Study::Gradability(Gradability {
            vehicle: vehicle?,
            slopes: vec![slope?],
            distance: keys.distance?,
            slip_limit: keys.slip_limit?,
            time_limit: keys.time_limit?,
            turn_time: keys.turn_time?,
            traverse: Some(Traverse { heading: heading?, stuck_over: stuck_over? }),
        }))
    }

    fn spacings(&mut self, keys: &StudyKeys) -> Option<Study> {
        let spacings = self.needs(keys, StudyKeys::spacings, keys.spacings.clone());
        if !matches!(&self.ground, Some(Ground::Surface(s)) if s.map().is_none()) {
            self.issues
                .at(
                    keys.here.loc,
                    &keys.here.path,
                    "needs ground by formula: maps of it are compared with it",
                )
                .hint("[ground] with shape = \"paraboloid\" or \"expression\", surface = \"analytic\"");
        }
        let body = match &keys.body {
            Some(name) => self.body(0, name)?,
            None if self.mechanism.bodies.len() == 1 => Some(0),
            None => None,
        };
        let Some(body) = body else {
            let what = "needs body: the one whose path is compared";
            self.issues.at(keys.here.loc, &keys.here.path, what);
            return None;
        };
        let spacings = spacings?;
        if !spacings.is_sorted_by(|a, b| a > b) {
            let key = StudyKeys::spacings;
            let (loc, path) = (keys.here.loc_of(key), keys.here.path_of(key));
            self.issues.at(loc, path, "must fall from one to the next");
        }
        let size = one_or_two(keys.size.as_deref()?)?;
        Some(Study::by(Spacings { body, spacings, size, centre: keys.centre? }))
    }

    /// A value that the kind of study requires.
    pub(super) fn needs<T>(
        &mut self,
        keys: &StudyKeys,
        key: Key<StudyKeys, T>,
        value: Option<T>,
    ) -> Option<T> {
        if !keys.here.has(key) {
            let what = format!("needs {}, because its kind is {}", key.name(), keys.kind.word());
            self.issues.at(keys.here.loc, &keys.here.path, what);
        }
        value
    }

    /// The climbing vehicle: the named one, or the only one.
    fn climber(&mut self, keys: &StudyKeys, vehicles: &[Vehicle]) -> Option<usize> {
        let Some(name) = &keys.vehicle else {
            if vehicles.len() == 1 {
                return Some(0);
            }
            // If no wheels could be read, their mistakes are reported first.
            if self.issues.is_empty() {
                let names: Vec<&str> = vehicles.iter().map(|v| v.name.as_str()).collect();
                self.issues
                    .at(keys.here.loc, &keys.here.path, "needs one machine on soil wheels")
                    .found(if names.is_empty() { "none".into() } else { names.join(", ") })
                    .hint("vehicle = \"NAME\" chooses; a machine has a free joint and [wheel.NAME]");
            }
            return None;
        };
        let found = vehicles.iter().position(|v| v.name == **name);
        if found.is_none() {
            let near = nearest(name, vehicles.iter().map(|v| v.name.as_str()));
            let issue = self
                .issues
                .at(name.loc, &name.path, "names a vehicle that does not exist")
                .found(format!("\"{name}\""));
            issue.hint(near.map_or("a machine with a free joint and [wheel.NAME]".into(), |n| {
                format!("did you mean \"{n}\"?")
            }));
        }
        found
    }
}
