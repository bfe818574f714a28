//! `modelDescription.xml` of FMI 3.0 and 2.0.

use crate::plan::{Fmi, Plan, Role, Start, Variable};
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
pub fn description(plan: &Plan, fmi: Fmi) -> String {
    let (version, token) = match fmi {
        Fmi::Three => ("3.0", "instantiationToken"),
        Fmi::Two => ("2.0", "guid"),
    };
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    out += &format!(
        "<fmiModelDescription fmiVersion=\"{version}\" modelName=\"{}\" {token}=\"{}\" description=\"{}\" generationTool=\"touchdown {}\" variableNamingConvention=\"flat\">\n",
        escaped(&plan.name),
        escaped(&plan.token),
        escaped(&plan.title),
        touchdown_session::identity::VERSION
    );
    let state = match fmi {
        Fmi::Three => "canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\"",
        Fmi::Two => "canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\"",
    };
    out += &format!(
        "  <CoSimulation modelIdentifier=\"{}\" canHandleVariableCommunicationStepSize=\"true\" {state}/>\n",
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
    out += match fmi {
        Fmi::Three => {
            "    <Float64 name=\"time\" valueReference=\"0\" causality=\"independent\" variability=\"continuous\" unit=\"s\"/>\n"
        }
        Fmi::Two => {
            "    <ScalarVariable name=\"time\" valueReference=\"0\" causality=\"independent\" variability=\"continuous\"><Real/></ScalarVariable>\n"
        }
    };
    if fmi == Fmi::Three && !units.contains("s") {
        out = out.replace(" variability=\"continuous\" unit=\"s\"/>", " variability=\"continuous\"/>");
    }
    plan.variables.iter().for_each(|variable| out += &entry(variable, fmi));
    out += "  </ModelVariables>\n  <ModelStructure>\n";
    out += &structure(plan, fmi);
    out + "  </ModelStructure>\n</fmiModelDescription>\n"
}

fn entry(variable: &Variable, fmi: Fmi) -> String {
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
    match (&variable.start, fmi) {
        (Some(Start::Text(text)), Fmi::Three) => {
            format!("    <String {common}><Start value=\"{}\"/></String>\n", escaped(text))
        }
        (Some(Start::Text(text)), Fmi::Two) => {
            format!("    <ScalarVariable {common}><String start=\"{}\"/></ScalarVariable>\n", escaped(text))
        }
        (start, fmi) => {
            let start = match start {
                Some(Start::Number(value)) => format!(" start=\"{value:?}\""),
                _ => String::new(),
            };
            match fmi {
                Fmi::Three => format!("    <Float64 {common}{unit}{start}/>\n"),
                Fmi::Two => format!("    <ScalarVariable {common}><Real{unit}{start}/></ScalarVariable>\n"),
            }
        }
    }
}

/// Outputs, also as unknowns of the initialisation. FMI 2.0 counts variables from 1, the time first.
fn structure(plan: &Plan, fmi: Fmi) -> String {
    let outputs: Vec<u32> =
        plan.variables.iter().filter(|v| v.role == Role::Output).map(|v| v.reference).collect();
    let lines = |line: &dyn Fn(u32) -> String| outputs.iter().map(|r| line(*r)).collect::<String>();
    match (fmi, outputs.is_empty()) {
        (_, true) => String::new(),
        (Fmi::Three, _) => {
            lines(&|r| format!("    <Output valueReference=\"{r}\"/>\n"))
                + &lines(&|r| format!("    <InitialUnknown valueReference=\"{r}\"/>\n"))
        }
        (Fmi::Two, _) => {
            let unknowns = lines(&|r| format!("      <Unknown index=\"{}\"/>\n", r + 1));
            format!(
                "    <Outputs>\n{unknowns}    </Outputs>\n    <InitialUnknowns>\n{unknowns}    </InitialUnknowns>\n"
            )
        }
    }
}
