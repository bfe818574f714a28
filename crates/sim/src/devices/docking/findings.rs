//! What a docking answers in words: the five questions of Krenn & Hirzinger, section II.A, with numbers, and the sequence of events.

use super::super::actuators::{Actuators, ActuatorsState};
use super::books::SightBooks;
use super::sequence::SequencerState;
use crate::description::Docking;
use crate::sink::{Cell, Table, TableColumn};
use touchdown_spacecraft::sequence::DockingPhase;

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
        about: "When the docking went on, and why.".into(),
        columns: vec![column("time", "s"), column("from", "1"), column("to", "1"), column("because", "1")],
        rows: rows.collect(),
    }
}

fn questions(docking: &Ended) -> Table {
    let rows = [
        ("Is the strategy feasible with this equipment?", feasible(docking)),
        ("Are actuators and tools adequate?", actuators(docking)),
        ("Are the sensors sufficient for the control?", sensors(docking)),
        ("Is there danger of damage when they touch?", damage(docking)),
        ("How does the client move when it is grasped?", client(docking)),
    ];
    let rows = rows.into_iter().map(|(question, (answer, reasons))| {
        vec![Cell::Text(question.into()), Cell::Text(answer.into()), Cell::Text(reasons)]
    });
    Table {
        title: "The five questions".into(),
        about: "Krenn & Hirzinger, section II.A: what a docking simulation is asked, answered for this run."
            .into(),
        columns: vec![column("question", "1"), column("answer", "1"), column("because", "1")],
        rows: rows.collect(),
    }
}

type Answer = (&'static str, String);

fn feasible(docking: &Ended) -> Answer {
    let sequence = &docking.state.sequence;
    let answer = match sequence.phase {
        DockingPhase::Docked => "yes",
        DockingPhase::Retreated => "not from this start: it gets away safely",
        _ => "no: undecided at the end",
    };
    (answer, sequence.verdict())
}

/// What is left of a limit, in words.
fn margin(name: &str, used: f64, limit: f64, unit: &str) -> (f64, String) {
    let left = 1.0 - used / limit;
    (left, format!("{name} {used:.3} of {limit} {unit} ({:.0} % left)", 100.0 * left))
}

fn verdict(margins: &[(f64, String)], least: f64, [good, tight, bad]: [&'static str; 3]) -> Answer {
    let smallest = margins.iter().fold(f64::INFINITY, |m, (left, _)| m.min(*left));
    let answer = if smallest < 0.0 {
        bad
    } else if smallest < least {
        tight
    } else {
        good
    };
    let texts: Vec<&str> = margins.iter().map(|(_, text)| text.as_str()).collect();
    (answer, texts.join("; "))
}

fn actuators(docking: &Ended) -> Answer {
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
    let words = ["yes", "barely: a margin is below what is asked for", "no: a limit was reached"];
    let (answer, reasons) = verdict(&margins, d.allowables.margin, words);
    (answer, reasons + &spent)
}

fn sensors(docking: &Ended) -> Answer {
    let (d, state) = (&docking.docking, &docking.state);
    let events = state.sequence.transitions.len();
    let sight = docking.sight.unwrap_or_default();
    let camera = match (sight.fixes, sight.error.root()) {
        (0, _) => "the camera never found the rim".to_string(),
        (n, error) => format!(
            "{n} poses from the camera, the rim's centre {:.2} mm off (root mean square) against {:.1} mm of tolerance",
            1e3 * error,
            1e3 * d.sequence.events.lateral_tolerance
        ),
    };
    let answer = match (state.sequence.phase, sight.fixes) {
        (_, 0) => "no",
        (DockingPhase::Docked | DockingPhase::Retreated, _) => "yes",
        _ => "no: the sequence did not come to its end",
    };
    (answer, format!("{camera}; {events} events seen by sensors"))
}

fn damage(docking: &Ended) -> Answer {
    let (limits, books) = (&docking.docking.allowables, &docking.state.books);
    let deepest = books.penetration_max.iter().copied().fold(0.0, f64::max);
    let margins = [
        margin("pressure on the nozzle", 1e-6 * books.pressure_max, 1e-6 * limits.pressure, "MPa"),
        margin("force across the nozzle", books.lateral_max, limits.lateral_force, "N"),
        margin("torque on the nozzle", books.nozzle_torque_max, limits.torque, "N m"),
        margin("penetration", 1e3 * deepest, 1e3 * limits.penetration, "mm"),
    ];
    verdict(
        &margins,
        limits.margin,
        ["no", "little: a margin is below what is asked for", "yes: an allowable was passed"],
    )
}

fn client(docking: &Ended) -> Answer {
    let (limit, books) = (docking.docking.sequence.abort.client_rate, &docking.state.books);
    let (most, allowed) = (books.client_rate_max.to_degrees(), limit.to_degrees());
    let answer = if books.client_rate_max < limit { "gently" } else { "too fast" };
    let moved = 1e3 * books.client_shift_max;
    (
        answer,
        format!(
            "it turns with up to {most:.3} deg/s (limit {allowed:.2} deg/s); its throat moves by up to {moved:.1} mm across the docking axis after locking"
        ),
    )
}
