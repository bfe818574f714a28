//! `terminalsAndIcons.xml` of FMI 3.0: variables that belong together, so that a tool connects a wheel or a machine with one line.

use crate::plan::{Plan, Role};
use crate::xml::escaped;
use std::collections::BTreeMap;

/// Where the file lies in the archive.
pub const TERMINALS: &str = "terminalsAndIcons/terminalsAndIcons.xml";

/// The terminal of a variable and its name there: columns `KIND.NAME.QUANTITY` of one thing are a terminal `KIND.NAME`, inputs
/// `MACHINE/NAME` of one machine a terminal `input.MACHINE`. Parameters belong to none.
fn place(name: &str, role: Role) -> Option<(String, &str)> {
    match role {
        Role::Input => name.split_once('/').map(|(machine, input)| (format!("input.{machine}"), input)),
        Role::Output => {
            let (thing, quantity) = name.rsplit_once('.')?;
            thing.contains('.').then(|| (thing.to_string(), quantity))
        }
        Role::Parameter => None,
    }
}

/// The file; none where no two variables belong together.
pub fn terminals(plan: &Plan) -> Option<String> {
    let mut members: BTreeMap<String, Vec<(&str, &str)>> = BTreeMap::new();
    for variable in &plan.variables {
        if let Some((terminal, member)) = place(&variable.name, variable.role) {
            members.entry(terminal).or_default().push((&variable.name, member));
        }
    }
    members.retain(|_, variables| variables.len() > 1);
    if members.is_empty() {
        return None;
    }
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiTerminalsAndIcons fmiVersion=\"3.0\">\n  <Terminals>\n",
    );
    for (terminal, variables) in &members {
        out += &format!("    <Terminal name=\"{}\" matchingRule=\"bus\">\n", escaped(terminal));
        for (variable, member) in variables {
            out += &format!(
                "      <TerminalMemberVariable variableName=\"{}\" memberName=\"{}\" variableKind=\"signal\"/>\n",
                escaped(variable),
                escaped(member)
            );
        }
        out += "    </Terminal>\n";
    }
    Some(out + "  </Terminals>\n</fmiTerminalsAndIcons>\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Drives of a machine and columns of a wheel become terminals; single variables, parameters and quantities of the world do not.
    #[test]
    fn variables_of_one_thing_are_a_terminal() {
        let at = |name, role| place(name, role).map(|(terminal, member)| format!("{terminal} {member}"));
        assert_eq!(at("rover/drive_left", Role::Input).as_deref(), Some("input.rover drive_left"));
        assert_eq!(
            at("soil.rover/wheel.force_x_n", Role::Output).as_deref(),
            Some("soil.rover/wheel force_x_n")
        );
        assert_eq!(at("energy.kinetic_j", Role::Output), None);
        assert_eq!(at("push", Role::Input), None);
        assert_eq!(at("rover.mass_kg", Role::Parameter), None);
    }
}
