//! Answers of a docking in words: the five questions of Krenn & Hirzinger, section II.A, with numbers, and
//! the sequence of events.

use super::super::actuators::{Actuators, ActuatorsState};
use super::books::SightBooks;
use super::sequence::SequencerState;
use crate::description::Docking;
use crate::sink::{Cell, Table, TableColumn};
use touchdown_spacecraft::sequence::{DockingPhase, Trigger};

/// A docking at its end.
pub(super) struct Ended<'a> {
    pub docking: &'a Docking,
    pub state: &'a SequencerState,
    pub sight: Option<SightBooks>,
    /// Wheels and thrusters of the chaser.
    pub actuators: Option<(&'a Actuators, &'a ActuatorsState)>,
    pub t: f64,
}

/// Tables of a docking for summary and report.
pub(super) fn tables(docking: &Ended) -> Vec<Table> {
    vec![questions(docking), events(docking)]
}

fn column(name: &str, unit: &str) -> TableColumn {
    TableColumn { name: name.into(), unit: unit.into() }
}

fn events(docking: &Ended) -> Table {
    let rows = docking.state.sequence.transitions.iter().map(|step| {
        vec![
            Cell::Number(step.time),
            Cell::Text(step.from.name().into()),
            Cell::Text(step.to.name().into()),
            Cell::Text(step.reason.to_string()),
        ]
    });
    Table {
        title: "Sequence of events".into(),
        about: "Each change of phase, with its cause.".into(),
        columns: vec![column("time", "s"), column("from", "1"), column("to", "1"), column("because", "1")],
        rows: rows.collect(),
    }
}

/// Answer of a run to a question.
#[derive(Clone, Copy, PartialEq)]
enum Answer {
    Yes,
    No,
    /// The run did not reach the subject of the question.
    NotExercised,
}

impl Answer {
    fn when(yes: bool) -> Answer {
        if yes { Answer::Yes } else { Answer::No }
    }

    fn words(self) -> &'static str {
        match self {
            Answer::Yes => "yes",
            Answer::No => "no",
            Answer::NotExercised => "not exercised",
        }
    }
}

/// An answer with its evidence.
type Found = (Answer, String);

fn questions(docking: &Ended) -> Table {
    let rows = [
        ("Is the strategy feasible with this equipment, from this start?", feasible(docking)),
        ("Are actuators and tools adequate?", actuators(docking)),
        ("Are the sensors sufficient for the control?", sensors(docking)),
        ("Is there danger of damage when they touch?", damage(docking)),
        ("Does the client move gently when it is grasped?", client(docking)),
    ];
    let rows = rows.into_iter().map(|(question, (answer, reasons))| {
        vec![Cell::Text(question.into()), Cell::Text(answer.words().into()), Cell::Text(reasons)]
    });
    Table {
        title: "The five questions".into(),
        about: "Krenn & Hirzinger, section II.A: what a docking simulation is asked, answered by what this run exercised."
            .into(),
        columns: vec![column("question", "1"), column("answer", "1"), column("because", "1")],
        rows: rows.collect(),
    }
}

fn feasible(docking: &Ended) -> Found {
    let sequence = &docking.state.sequence;
    let answer = match sequence.phase {
        DockingPhase::Docked => Answer::Yes,
        _ if sequence.aborted.is_some() => Answer::No,
        _ => Answer::NotExercised,
    };
    (answer, sequence.verdict())
}

/// Margin to a limit, in words.
fn margin(name: &str, used: f64, limit: f64, unit: &str) -> (f64, String) {
    let left = 1.0 - used / limit;
    (left, format!("{name} {used:.3} of {limit} {unit} ({:.0} % left)", 100.0 * left))
}

/// The smallest of some margins, and all of them in words.
fn least(margins: &[(f64, String)]) -> (f64, String) {
    let smallest = margins.iter().fold(f64::INFINITY, |m, (left, _)| m.min(*left));
    let texts: Vec<&str> = margins.iter().map(|(_, text)| text.as_str()).collect();
    (smallest, texts.join("; "))
}

/// Where it ended without being docked, in words.
fn until(docking: &Ended) -> String {
    let transitions = &docking.state.sequence.transitions;
    let given_up = transitions.iter().find(|step| step.to == DockingPhase::Abort);
    match given_up {
        Some(step) => format!("it was aborted in phase {}", step.from.name()),
        None => format!("the run ends in phase {}", docking.state.sequence.phase.name()),
    }
}

fn actuators(docking: &Ended) -> Found {
    let (d, books) = (&docking.docking, &docking.state.books);
    let mut margins = vec![
        margin("boom drive", books.drive_force_max, d.sequence.boom.force, "N"),
        margin("force across the boom", books.boom_lateral_max, d.sequence.abort.boom_lateral_force, "N"),
    ];
    let mut spent = String::new();
    if let Some((actuators, state)) = docking.actuators {
        if let Some(wheels) = &actuators.hardware.wheels {
            let limits = &wheels.set.limits;
            margins.push(margin("wheel torque", state.torque_max, limits.torque, "N m"));
            margins.push(margin("wheel momentum", state.momentum_max, limits.momentum, "N m s"));
        }
        let limited = state.limited_ticks;
        spent = format!(
            "; {:.4} kg of propellant; {limited} control ticks at a limit",
            actuators.propellant(state, docking.t)
        );
    }
    let (smallest, mut reasons) = least(&margins);
    if smallest < d.allowables.margin {
        reasons += &format!("; a margin is below the {:.0} % asked for", 100.0 * d.allowables.margin);
    }
    let answer = match docking.state.sequence.phase {
        _ if smallest < 0.0 => Answer::No,
        DockingPhase::Docked => Answer::Yes,
        _ => {
            reasons = format!("the boom was never tensioned, {}: {reasons}", until(docking));
            Answer::NotExercised
        }
    };
    (answer, reasons + &spent)
}

fn sensors(docking: &Ended) -> Found {
    let (d, state) = (&docking.docking, &docking.state);
    let (sequence, books) = (&state.sequence, &state.books);
    if let Trigger::Clock { .. } = d.sequence.trigger {
        return (Answer::NotExercised, "the sequence went by the clock".into());
    }
    let sight = docking.sight.unwrap_or_default();
    let camera = match (sight.fixes, sight.error.root()) {
        (0, _) => "the camera never found the rim".to_string(),
        (n, error) => format!(
            "{n} poses from the camera, the rim's centre {:.2} mm off (root mean square) against {:.1} mm of tolerance, mean normalised innovation {:.1} (expected: 5)",
            1e3 * error,
            1e3 * d.sequence.events.lateral_tolerance,
            sight.innovation.value(),
        ),
    };
    let wrong = match books.before_mark {
        Some(before) if books.false_insert() => {
            Some(format!("locking began with the shoulder {:.1} mm before its mark", 1e3 * before))
        }
        _ if books.false_rate_abort => {
            Some("the docking was aborted for a rate of the client that it did not have".into())
        }
        _ if sight.fixes == 0 => Some("nothing was seen".into()),
        _ => None,
    };
    match (wrong, sequence.phase) {
        (Some(wrong), _) => (Answer::No, format!("{wrong}; {camera}")),
        (None, DockingPhase::Docked) => {
            (Answer::Yes, format!("{camera}; {} events seen by sensors", sequence.transitions.len()))
        }
        (None, _) => (Answer::NotExercised, format!("only so far: {}; {camera}", until(docking))),
    }
}

fn damage(docking: &Ended) -> Found {
    let (limits, books) = (&docking.docking.allowables, &docking.state.books);
    if !books.has_touched() {
        return (Answer::NotExercised, "tool and nozzle never touched".into());
    }
    let deepest = books.penetration_max.iter().copied().fold(0.0, f64::max);
    let (smallest, mut reasons) = least(&[
        margin("pressure of the nozzle's layer", 1e-6 * books.pressure_max, 1e-6 * limits.pressure, "MPa"),
        margin("force across the nozzle", books.lateral_max, limits.lateral_force, "N"),
        margin("torque on the nozzle", books.nozzle_torque_max, limits.torque, "N m"),
        margin("penetration", 1e3 * deepest, 1e3 * limits.penetration, "mm"),
    ]);
    if smallest < 0.0 {
        reasons = format!("an allowable was passed: {reasons}");
    } else if smallest < limits.margin {
        reasons += &format!("; a margin is below the {:.0} % asked for", 100.0 * limits.margin);
    }
    (Answer::when(smallest < 0.0), reasons)
}

fn client(docking: &Ended) -> Found {
    let (limit, books) = (docking.docking.sequence.abort.client_rate, &docking.state.books);
    let allowed = limit.to_degrees();
    if !books.is_grasped() {
        let most = books.client_rate_max.to_degrees();
        return (Answer::NotExercised, format!("it was never locked; it turned with up to {most:.3} deg/s"));
    }
    let (most, moved) = (books.grasped_rate_max.to_degrees(), 1e3 * books.client_shift_max);
    let found = format!(
        "once locked it turns with up to {most:.3} deg/s (limit {allowed:.2} deg/s); its throat moves by up to {moved:.1} mm across the docking axis"
    );
    (Answer::when(books.grasped_rate_max < limit), found)
}
