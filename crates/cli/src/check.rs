//! `touchdown check`: reads and validates a scenario as `run` does, and explains the result.

use crate::args::CheckArgs;
use crate::failure::Failure;
use crate::located;
use crate::output::{count, print, print_json, with_unit};
use std::fmt::Write;
use touchdown_scenario::{Audit, MapFile, Scenario, load};
use touchdown_sim::Simulation;
use touchdown_sim::description::{Integrator, StepControl};

/// Values that were filled in end with this in the resolved scenario.
const FILLED_IN: &str = "# default";

/// Checks a scenario; prints what it became.
pub fn check(args: &CheckArgs) -> Result<(), Failure> {
    let scenario = load(&args.scenario, &args.sets)?;
    let world = located::build_world(&scenario, args.memory_limit)?;
    if args.json {
        return print_json(&listing(&scenario, &world));
    }
    print(&if args.resolved { scenario.resolved_toml.clone() } else { explain(&scenario, &world) })
}

fn explain(scenario: &Scenario, world: &Simulation) -> String {
    let description = &scenario.description;
    let mechanism = &description.mechanism;
    let (freedoms, rows) = world.degrees_of_freedom();
    let mut text = format!("{}: {}\n", scenario.name, scenario.title);
    let mut line = |label: &str, content: String| {
        let _ = writeln!(text, "{label:<12}{content}");
    };
    line(
        "mechanism",
        format!(
            "{}, {}, {}, {}",
            count_of(mechanism.bodies.len(), "body", "bodies"),
            count_of(freedoms, "degree of freedom", "degrees of freedom"),
            count(rows, "constraint row"),
            match description.soil_bodies.len() {
                0 => count(description.tyres.len(), "tyre"),
                n => count_of(n, "body in soil", "bodies in soil"),
            },
        ),
    );
    line("mass", with_unit(world.total_mass(), "kg"));
    line("duration", with_unit(description.duration, "s"));
    line("integrator", integrator(&description.integrator));
    line(
        "records",
        format!(
            "{} every {}, frames every {}",
            count(world.columns().len(), "column"),
            with_unit(description.record.series_every, "s"),
            with_unit(description.record.frames_every, "s"),
        ),
    );
    line("answers", count_of(description.quantities.len(), "quantity", "quantities"));
    line("figures", figures(scenario, world));
    line("assumed", format!("{} with assumed values", count(scenario.assumed.len(), "table")));
    let filled = scenario.resolved_toml.lines().filter(|line| line.ends_with(FILLED_IN)).count();
    line("filled in", format!("{}; --resolved shows each", count(filled, "omitted value")));
    line("files", scenario.inputs.iter().map(|input| input.0.as_str()).collect::<Vec<_>>().join(", "));
    for audit in &scenario.audits {
        text += &import(audit);
    }
    for MapFile { file, audit } in &scenario.maps {
        let _ = writeln!(text, "map {file}:");
        for (label, content) in audit.lines() {
            let _ = writeln!(text, "  {label:<15}{content}");
        }
    }
    for warning in &scenario.warnings {
        let _ = writeln!(text, "warning: {warning}");
    }
    text + "no mistakes found\n"
}

/// What was found, for programs.
fn listing(scenario: &Scenario, world: &Simulation) -> serde_json::Value {
    let description = &scenario.description;
    let (freedoms, rows) = world.degrees_of_freedom();
    let assumed = scenario.assumed.iter().map(|a| serde_json::json!({ "path": a.path, "reason": a.reason }));
    serde_json::json!({
        "name": scenario.name,
        "title": scenario.title,
        "bodies": description.mechanism.bodies.len(),
        "degrees_of_freedom": freedoms,
        "constraint_rows": rows,
        "mass_kg": world.total_mass(),
        "duration_s": description.duration,
        "columns": world.columns().len(),
        "quantities": description.quantities.iter().map(|q| q.name.as_str()).collect::<Vec<_>>(),
        "assumed": assumed.collect::<Vec<_>>(),
        "files": scenario.inputs.iter().map(|input| input.0.as_str()).collect::<Vec<_>>(),
        "warnings": scenario.warnings,
    })
}

/// How many figures there will be, and which had to be left out.
fn figures(scenario: &Scenario, world: &Simulation) -> String {
    let figures = scenario.figures(world.columns());
    let drawn = figures.drawn.len().to_string();
    match figures.left_out.as_slice() {
        [] => drawn,
        left_out => format!("{drawn}; left out, because no column is found: {}", left_out.join(", ")),
    }
}

/// What an import kept and lost.
fn import(audit: &Audit) -> String {
    let mut text = format!(
        "imported {}: {}, {}, {}\n",
        audit.file,
        count_of(audit.bodies, "body", "bodies"),
        count(audit.joints, "joint"),
        with_unit(audit.total_mass_kg, "kg"),
    );
    for (body, i) in &audit.inertias {
        let list: Vec<String> = i.iter().map(|x| crate::output::number(*x)).collect();
        let _ = writeln!(text, "  inertia of {body} (xx, yy, zz, xy, xz, yz): {} kg m^2", list.join(", "));
    }
    for (mesh, scale, size) in &audit.meshes {
        let _ = writeln!(text, "  mesh {mesh}: scale {scale:?}, {} across", with_unit(*size, "m"));
    }
    for oddity in &audit.oddities {
        let _ = writeln!(text, "  {oddity}");
    }
    for (tag, n) in &audit.dropped {
        let _ = writeln!(text, "  left out: {}", count(*n, &format!("<{tag}> tag")));
    }
    text
}

fn integrator(integrator: &Integrator) -> String {
    let control = |step: &StepControl| match step {
        StepControl::Fixed(h) => format!("steps of {}", with_unit(*h, "s")),
        StepControl::Adaptive { relative, absolute, longest } => {
            format!(
                "adaptive, tolerance {relative:e} relative, {absolute:e} absolute, steps up to {longest} s"
            )
        }
    };
    match integrator {
        Integrator::Explicit { step } => format!("explicit, {}", control(step)),
        Integrator::Implicit { step, spectral_radius } => {
            format!("implicit, {}, spectral radius {spectral_radius}", control(step))
        }
        Integrator::Realtime { step } => format!("realtime, steps of {}", with_unit(*step, "s")),
    }
}

fn count_of(n: usize, one: &str, many: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {many}") }
}
