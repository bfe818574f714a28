//! `modelDescription.xml` of FMI 3.0 and 2.0.

use crate::plan::{Fmi, Plan, Role, Start, Variable};
use std::collections::BTreeSet;

/// A text inside an attribute.
pub fn escaped(text: &str) -> String {
    let one = |c: char| match c {
        '&' => "&amp;".into(),
        '<' => "&lt;".into(),
        '>' => "&gt;".into(),
        '"' => "&quot;".into(),
        c if c.is_control() => " ".into(),
        c => c.to_string(),
    };
    text.chars().map(one).collect()
}

fn has_unit(variable: &Variable) -> bool {
    !variable.unit.is_empty() && variable.unit != "1"
}

/// The description.
pub fn description(plan: &Plan, fmi: Fmi) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let (version, token, state) = match fmi {
        Fmi::Three => ("3.0", "instantiationToken", "canGetAndSetFMUState=\"true\" canSerializeFMUState"),
        Fmi::Two => ("2.0", "guid", "canGetAndSetFMUstate=\"true\" canSerializeFMUstate"),
    };
    out += &format!(
        "<fmiModelDescription fmiVersion=\"{version}\" modelName=\"{}\" {token}=\"{}\" description=\"{}\" generationTool=\"touchdown {}\" variableNamingConvention=\"flat\">\n",
        escaped(&plan.name),
        escaped(&plan.token),
        escaped(&plan.title),
        touchdown_session::identity::VERSION
    );
    out += &format!(
        "  <CoSimulation modelIdentifier=\"{}\" canHandleVariableCommunicationStepSize=\"true\" {state}=\"true\"/>\n",
        plan.identifier()
    );
    let units: BTreeSet<&str> =
        plan.variables.iter().filter(|v| has_unit(v)).map(|v| v.unit.as_str()).collect();
    if !units.is_empty() {
        out += "  <UnitDefinitions>\n";
        units.iter().for_each(|unit| out += &format!("    <Unit name=\"{}\"/>\n", escaped(unit)));
        out += "  </UnitDefinitions>\n";
    }
    out += &format!("  <DefaultExperiment startTime=\"0\" stopTime=\"{}\"/>\n  <ModelVariables>\n", plan.end);
    let unit = if units.contains("s") { "s" } else { "" }.into();
    let (name, about) = ("time".into(), String::new());
    let time = Variable { reference: 0, name, unit, about, role: Role::Output, start: None };
    out += &entry(&time, ("independent", "continuous"), fmi);
    for variable in &plan.variables {
        let kind = match variable.role {
            Role::Input => ("input", "continuous"),
            Role::Output => ("output", "continuous"),
            Role::Parameter => ("parameter", "fixed"),
        };
        out += &entry(variable, kind, fmi);
    }
    out += "  </ModelVariables>\n  <ModelStructure>\n";
    out += &structure(plan, fmi);
    out + "  </ModelStructure>\n</fmiModelDescription>\n"
}

fn entry(variable: &Variable, (causality, variability): (&str, &str), fmi: Fmi) -> String {
    let common = format!(
        "name=\"{}\" valueReference=\"{}\" causality=\"{causality}\" variability=\"{variability}\" description=\"{}\"",
        escaped(&variable.name),
        variable.reference,
        escaped(&variable.about)
    );
    let unit =
        if has_unit(variable) { format!(" unit=\"{}\"", escaped(&variable.unit)) } else { String::new() };
    let line = match (&variable.start, fmi) {
        (Some(Start::Text(text)), Fmi::Three) => {
            format!("<String {common}><Start value=\"{}\"/></String>", escaped(text))
        }
        (Some(Start::Number(value)), Fmi::Three) => format!("<Float64 {common}{unit} start=\"{value:?}\"/>"),
        (None, Fmi::Three) => format!("<Float64 {common}{unit}/>"),
        (start, Fmi::Two) => {
            let typed = match start {
                Some(Start::Text(text)) => format!("<String start=\"{}\"/>", escaped(text)),
                Some(Start::Number(value)) => format!("<Real{unit} start=\"{value:?}\"/>"),
                None => format!("<Real{unit}/>"),
            };
            format!("<ScalarVariable {common}>{typed}</ScalarVariable>")
        }
    };
    format!("    {line}\n")
}

/// Outputs, also as unknowns of the initialisation.
fn structure(plan: &Plan, fmi: Fmi) -> String {
    let lines = |tag: &str| {
        let line = |v: &Variable| match fmi {
            Fmi::Three => format!("    <{tag} valueReference=\"{}\"/>\n", v.reference),
            // Counted from 1 over all variables, of which the time is the first.
            Fmi::Two => format!("      <Unknown index=\"{}\"/>\n", v.reference + 1),
        };
        plan.variables.iter().filter(|v| v.role == Role::Output).map(line).collect::<String>()
    };
    match fmi {
        Fmi::Three => lines("Output") + &lines("InitialUnknown"),
        Fmi::Two => {
            let list = |tag: &str| match lines("Unknown") {
                unknowns if unknowns.is_empty() => String::new(),
                unknowns => format!("    <{tag}>\n{unknowns}    </{tag}>\n"),
            };
            list("Outputs") + &list("InitialUnknowns")
        }
    }
}
