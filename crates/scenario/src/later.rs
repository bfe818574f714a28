//! Mistakes that appear only when the world is built; each is located where its cause was written.
//!
//! Last stage: positions in which the loops cannot be closed, missing equilibria, columns that are not
//! written.

use crate::build::Origin;
use crate::error::{Issues, ScenarioErrors, nearest};
use crate::report::Figures;
use crate::scenario::Scenario;
use crate::source::Loc;
use touchdown_multibody::rigid::BuildError;
use touchdown_multibody::rigid::constrained::DynamicsError;
use touchdown_sim::sink::{Column, find_column};
use touchdown_sim::{DeviceError, EquilibriumError, StepFailure, WorldError};

impl Scenario {
    /// Converts errors of `Simulation::build` into messages with places.
    pub fn explain(&self, errors: &[WorldError]) -> ScenarioErrors {
        let mut issues = Issues::default();
        for error in errors {
            let (kind, name, hint) = culprit(error);
            let origin = self.origin(kind, name);
            let said = error.to_string();
            // The place is printed before the message, which therefore need not repeat it.
            let own = said.strip_prefix(&origin.path).map(|rest| rest.trim_start_matches([':', ' ']));
            let issue = issues.at(origin.loc, &origin.path, own.unwrap_or(&said));
            if !hint.is_empty() {
                issue.hint(hint);
            }
        }
        issues.into_errors(self.sources.clone())
    }

    /// Checks that quantities and figures name columns of the simulator, in compatible units.
    pub fn check_columns(&self, columns: &[Column]) -> Result<(), ScenarioErrors> {
        let mut issues = Issues::default();
        for quantity in &self.description.quantities {
            let crossing = quantity.crossing.as_ref().map(|c| ("crossing", &c.0));
            let named = std::iter::once(("column", &quantity.column)).chain(crossing);
            for (key, name) in named.filter(|(_, name)| find_column(columns, name).is_none()) {
                let origin = self.origin("quantity", &quantity.name);
                let path = format!("{}.{key}", origin.path);
                no_column(&mut issues, &Origin { path, ..origin }, name, columns);
            }
        }
        self.draw(columns, &mut issues);
        self.check_answer_units(columns, &mut issues);
        if issues.is_empty() { Ok(()) } else { Err(issues.into_errors(self.sources.clone())) }
    }

    /// The figures of a run with these columns, without those with mistakes, which
    /// [`Scenario::check_columns`] reports.
    pub fn figures(&self, columns: &[Column]) -> Figures {
        self.draw(columns, &mut Issues::default())
    }

    /// Location of something in the files; links of a chain have the location of the chain.
    pub(crate) fn origin(&self, kind: &str, name: &str) -> Origin {
        let found = self.origins.get(&format!("{kind}.{name}"));
        let chain = || self.origins.get(&format!("chain.{}", name.rsplit_once('/')?.0));
        let unknown = || Origin { loc: Loc::default(), path: format!("{kind}.{name}") };
        found.or_else(chain).cloned().unwrap_or_else(unknown)
    }
}

/// A name that is not a column, with the most similar column.
pub(crate) fn no_column(issues: &mut Issues, origin: &Origin, name: &str, columns: &[Column]) {
    let issue = issues
        .at(origin.loc, &origin.path, "names a column that does not exist")
        .found(format!("\"{name}\""));
    match nearest(name, columns.iter().map(|column| column.name.as_str())) {
        Some(near) => issue.hint(format!("did you mean \"{near}\"?")),
        None => issue
            .hint("columns look like joint.NAME.position_rad, tyre.NAME.normal_force_n, soil.NAME.sinkage_m"),
    };
}

/// Kind and name of the faulty part, and a hint.
fn culprit(error: &WorldError) -> (&'static str, &str, &'static str) {
    match error {
        WorldError::Build(error) => match error {
            BuildError::Inboard { body, .. } | BuildError::Cycle { body } => ("body", body, ""),
            BuildError::Initial { joint, .. } => ("joint", joint, ""),
            BuildError::Axis { joint, .. } => ("joint", joint, ""),
            BuildError::Reference { owner, .. } => ("", owner, ""),
        },
        WorldError::Assembly(error) | WorldError::Equilibrium(EquilibriumError::Dynamics(error)) => {
            dynamics(error)
        }
        WorldError::Equilibrium(EquilibriumError::NotFound { joint, .. }) => {
            ("joint", joint, "start = \"as-given\" begins from the positions as they are")
        }
        WorldError::Tyre { tyre, .. } => ("tyre", tyre, ""),
        WorldError::Contact { contact, .. } => ("contact", contact, ""),
        WorldError::NoSurface { contact } => ("contact", contact, "add [ground], or name another body"),
        WorldError::Foot { foot, .. } => ("foot", foot, ""),
        WorldError::NoFootGround { foot } => ("foot", foot, "add [ground]"),
        WorldError::NoGround { tyre } => ("tyre", tyre, "add [ground]"),
        WorldError::OffGround(StepFailure::OffMap { body, .. } | StepFailure::Hole { body, .. }) => {
            ("tyre", body, "check place.x and place.y of the machine, and size and centre of the ground")
        }
        WorldError::OffGround(_) => ("", "ground", ""),
        WorldError::NoTyre { drive } => ("drive", drive, "add [tyre.NAME] on the wheel"),
        WorldError::Device(error) => {
            let (kind, name) = device(error.device());
            let hint = match error {
                DeviceError::Actuators { .. } => "see [reaction_wheel.NAME] and [thruster.NAME] of its body",
                DeviceError::NoInput { .. } => {
                    "say input = true beside the command, or inputs = true in the machine"
                }
                _ => "",
            };
            (kind, name, hint)
        }
        WorldError::Part { kind, name, .. } => (kind, name, ""),
        WorldError::Flexible { name, .. } => ("flexible", name, ""),
        WorldError::NoColumn { quantity, .. } => ("quantity", quantity, ""),
        WorldError::Gradability { .. } => {
            ("study", "gradability", "a machine with a free joint and [wheel.NAME] on driven bodies")
        }
    }
}

/// Location of a device, from its name on the bus.
fn device(name: &str) -> (&'static str, &str) {
    let (kind, rest) = name.split_once('.').unwrap_or((name, ""));
    // The devices of one satellite have a common location.
    let owner = rest.rsplit_once('.').map_or("", |(owner, _)| owner);
    match kind {
        "sensor" => ("sensor", rest),
        "controller" => ("controller", rest),
        "path" => ("path", rest),
        "sequence" => ("sequence", rest),
        "aocs" if !owner.is_empty() => ("attitude_control", owner),
        "aocs" => ("", "aocs"),
        _ => ("", "docking"),
    }
}

fn dynamics(error: &DynamicsError) -> (&'static str, &str, &'static str) {
    match error {
        DynamicsError::Massless { joint } => ("joint", joint, "give what it carries mass or inertia"),
        DynamicsError::Open { constraint, .. } => (
            "constraint",
            constraint,
            "no motion of the joints reaches these positions: check lengths, places and initial positions",
        ),
        DynamicsError::NotFinite { joint, .. } => ("joint", joint, ""),
    }
}
