//! Tables of a sequence: its state chart with the times of each transition, and the phases in their order.

use super::{KEPT, Phases, PhasesState};
use crate::description::Ending;
use crate::sink::{Cell, STATE_CHART, Table, TableColumn};

fn text(text: impl Into<String>) -> Cell {
    Cell::Text(text.into())
}

/// Times for readers: to a hundredth of a second.
fn times(list: &[f64]) -> String {
    list.iter().map(|t| format!("{t:.2} s")).collect::<Vec<_>>().join(", ")
}

/// Log and state chart.
pub(super) fn tables(sequence: &Phases, state: &PhasesState) -> Vec<Table> {
    let column = |name: &str| TableColumn { name: name.into(), unit: "1".into() };
    let log = Table {
        title: format!("Sequence {}", sequence.name),
        about: match state.count as usize {
            count if count > KEPT => format!("the first {KEPT} of {count} beginnings of phases"),
            _ => "when each phase began, and why".into(),
        },
        columns: vec![
            TableColumn { name: "time".into(), unit: "s".into() },
            column("phase"),
            column("because"),
            column("what is done"),
        ],
        rows: state
            .log
            .iter()
            .map(|(t, phase, by)| {
                let why =
                    by.map_or("it is the first", |(from, way)| sequence.phases[from].ways[way].text.as_str());
                let phase = &sequence.phases[*phase];
                vec![Cell::Number(*t), text(&phase.name), text(why), text(&phase.about)]
            })
            .collect(),
    };
    let mut rows = Vec::new();
    for (k, phase) in sequence.phases.iter().enumerate() {
        let begun: Vec<f64> = state.log.iter().filter(|(_, at, _)| *at == k).map(|(t, ..)| *t).collect();
        let ending = match phase.ending {
            None => "",
            Some(Ending::Done) => "done",
            Some(Ending::Aborted) => "aborted",
        };
        rows.push(vec![text(&phase.name), text(ending), text(""), text(times(&begun))]);
        for (w, way) in phase.ways.iter().enumerate() {
            let taken = state.log.iter().filter(|(_, _, by)| *by == Some((k, w)));
            let taken: Vec<f64> = taken.map(|(t, ..)| *t).collect();
            rows.push(vec![
                text(&phase.name),
                text(&sequence.phases[way.to].name),
                text(&way.text),
                text(times(&taken)),
            ]);
        }
    }
    let chart = Table {
        title: format!("State chart of {}", sequence.name),
        about: "every phase with the times at which it began, and every way with those at which it was taken"
            .into(),
        columns: STATE_CHART.iter().map(|name| column(name)).collect(),
        rows,
    };
    vec![log, chart]
}

/// A warning for a sequence that did not end, or was aborted.
pub(super) fn warning(sequence: &Phases, state: &PhasesState) -> Option<String> {
    let (phase, since) = state.phase?;
    let at = &sequence.phases[phase];
    let ends = sequence.phases.iter().any(|phase| phase.ending.is_some());
    let name = &sequence.name;
    match at.ending {
        Some(Ending::Done) => None,
        Some(Ending::Aborted) => {
            Some(format!("the sequence {name} was aborted at {since:.2} s: {}", at.name))
        }
        None if ends => {
            Some(format!("the sequence {name} had not come to its end: {} since {since:.2} s", at.name))
        }
        None => None,
    }
}
