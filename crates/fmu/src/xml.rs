//! `modelDescription.xml` of FMI 3.0.

use crate::plan::{Plan, Role, Start, Variable};
use std::collections::BTreeSet;

/// A text inside an attribute.
fn escaped(text: &str) -> String {
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
pub fn description(plan: &Plan) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    out += &format!(
        "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"{}\" instantiationToken=\"{}\" description=\"{}\" generationTool=\"touchdown {}\" variableNamingConvention=\"flat\">\n",
        escaped(&plan.name),
        escaped(&plan.token),
        escaped(&plan.title),
        touchdown_session::identity::VERSION
    );
    out += &format!(
        "  <CoSimulation modelIdentifier=\"{}\" canHandleVariableCommunicationStepSize=\"true\" canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\"/>\n",
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
    let seconds = if units.contains("s") { " unit=\"s\"" } else { "" };
    out += &format!(
        "    <Float64 name=\"time\" valueReference=\"0\" causality=\"independent\" variability=\"continuous\"{seconds}/>\n"
    );
    plan.variables.iter().for_each(|variable| out += &entry(variable));
    out += "  </ModelVariables>\n  <ModelStructure>\n";
    out += &structure(plan);
    out + "  </ModelStructure>\n</fmiModelDescription>\n"
}

fn entry(variable: &Variable) -> String {
    let (causality, variability) = match variable.role {
        Role::Input => ("input", "continuous"),
        Role::Output => ("output", "continuous"),
        Role::Parameter => ("parameter", "fixed"),
    };
    let common = format!(
        "name=\"{}\" valueReference=\"{}\" causality=\"{causality}\" variability=\"{variability}\" description=\"{}\"",
        escaped(&variable.name),
        variable.reference,
        escaped(&variable.about)
    );
    let unit =
        if has_unit(variable) { format!(" unit=\"{}\"", escaped(&variable.unit)) } else { String::new() };
    match &variable.start {
        Some(Start::Text(text)) => {
            format!("    <String {common}><Start value=\"{}\"/></String>\n", escaped(text))
        }
        Some(Start::Number(value)) => format!("    <Float64 {common}{unit} start=\"{value:?}\"/>\n"),
        None => format!("    <Float64 {common}{unit}/>\n"),
    }
}

/// Outputs, also as unknowns of the initialisation.
fn structure(plan: &Plan) -> String {
    let lines = |tag: &str| {
        let outputs = plan.variables.iter().filter(|v| v.role == Role::Output);
        outputs.map(|v| format!("    <{tag} valueReference=\"{}\"/>\n", v.reference)).collect::<String>()
    };
    lines("Output") + &lines("InitialUnknown")
}
