//! What the report of a run shows, from the scenario's words into the manifest's.

use touchdown_record::{CaptureSections, CrownSection, Figure, FigureKind, Phase, Points, ReportSpec, Trace};
use touchdown_scenario::{Drawn, Lines, Scenario};
use touchdown_sim::Simulation;

/// What the report of a scenario shows; its figures need the columns that the world writes.
pub fn shown(scenario: &Scenario, world: &Simulation) -> ReportSpec {
    let figures = scenario.figures(world.columns()).drawn;
    let phases = scenario.report.phases.iter();
    ReportSpec {
        question: scenario.question.clone().unwrap_or_default(),
        reproduces: scenario.reproduces.clone().unwrap_or_default(),
        answer: scenario.report.answer.quantity.clone().unwrap_or_default(),
        figures: figures
            .into_iter()
            .map(|f| Figure { name: f.name, title: f.title, source: f.source, kind: kind(f.drawn) })
            .collect(),
        phases: phases.map(|p| Phase { label: p.label.clone(), from: p.from, to: p.to }).collect(),
    }
}

fn kind(drawn: Drawn<Lines>) -> FigureKind {
    match drawn {
        Drawn::SoilMap => FigureKind::SoilMap,
        Drawn::SoilSection { along_x, at } => FigureKind::SoilSection { along_x, at },
        Drawn::CaptureSections(s) => FigureKind::CaptureSections(Box::new(CaptureSections {
            capture: s.capture,
            times: s.times,
            nozzle: s.nozzle,
            shoulder: s.shoulder,
            bolt: s.bolt,
            crown: CrownSection {
                wire_radius: s.crown.wire_radius,
                stowed_radius: s.crown.stowed_radius,
                open_radius: s.crown.open_radius,
                extended: s.crown.extended,
                spread_travel: s.crown.spread_travel,
            },
        })),
        Drawn::Lines(lines) => FigureKind::Lines {
            x: lines.x,
            x_label: lines.x_axis.label,
            x_unit: lines.x_axis.unit,
            x_scale: lines.x_axis.scale,
            y_label: lines.y_axis.label,
            y_unit: lines.y_axis.unit,
            y_scale: lines.y_axis.scale,
            traces: lines.traces.into_iter().map(trace).collect(),
            points: lines.points.into_iter().map(points).collect(),
        },
    }
}

fn trace(trace: touchdown_scenario::Trace) -> Trace {
    Trace { column: trace.column, label: trace.label, measured: false }
}

fn points(points: touchdown_scenario::Points) -> Points {
    let touchdown_scenario::Points { label, source, x, y, x_error, y_error } = points;
    Points { label, source, x, y, x_error, y_error }
}
