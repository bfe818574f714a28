//! Errors of a description, found when it is compiled.

use crate::devices::DeviceError;
use crate::engine::equilibrium::EquilibriumError;
use crate::engine::method::StepFailure;
use touchdown_contact::tyre::ParameterError;
use touchdown_multibody::rigid::BuildError;
use touchdown_multibody::rigid::constrained::DynamicsError;

/// Errors of a description that its file alone does not show.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum WorldError {
    /// The mechanism is invalid.
    #[error("{0}")]
    Build(#[from] BuildError),
    /// The loops do not close from the given initial positions, or something massless moves.
    #[error("{0}")]
    Assembly(#[from] DynamicsError),
    /// No static equilibrium.
    #[error("{0}")]
    Equilibrium(#[from] EquilibriumError),
    /// A tyre's parameters are out of range.
    #[error("tyre \"{tyre}\": {problem}")]
    Tyre {
        /// Its name.
        tyre: String,
        /// What is wrong.
        problem: ParameterError,
    },
    /// A smooth contact's form or law is out of range.
    #[error("contact \"{contact}\": {problem}")]
    Contact {
        /// Its name.
        contact: String,
        /// What is wrong.
        problem: ParameterError,
    },
    /// Smooth contact needs smooth ground.
    #[error("contact \"{contact}\" has no rigid ground to touch: add a [ground], or name another body")]
    NoSurface {
        /// Its name.
        contact: String,
    },
    /// A foot's parameters are out of range.
    #[error("foot \"{foot}\": {problem}")]
    Foot {
        /// Its name.
        foot: String,
        /// What is wrong.
        problem: ParameterError,
    },
    /// Feet need a surface to stand on.
    #[error(
        "foot \"{foot}\" has no ground to stand on: add a [ground], which is the surface of its soil, too"
    )]
    NoFootGround {
        /// Its name.
        foot: String,
    },
    /// Tyres need rigid ground.
    #[error("tyre \"{tyre}\" has no rigid ground to roll on: add a [ground]")]
    NoGround {
        /// Its name.
        tyre: String,
    },
    /// A wheel is at a place without ground.
    #[error("at the start {0}")]
    OffGround(StepFailure),
    /// A rim-speed drive needs a tyre.
    #[error("drive \"{drive}\" follows a rim speed, but its joint's outboard body carries no tyre")]
    NoTyre {
        /// Its name.
        drive: String,
    },
    /// Devices cannot be fitted.
    #[error("{0}")]
    Device(#[from] DeviceError),
    /// A flexible body cannot be used.
    #[error("flexible body \"{name}\": {problem}")]
    Flexible {
        /// Its name.
        name: String,
        /// What is wrong.
        problem: String,
    },
    /// A part of an interaction is invalid.
    #[error("{kind} \"{name}\": {problem}")]
    Part {
        /// Its kind, by the name of its section.
        kind: &'static str,
        /// Its name.
        name: String,
        /// What is wrong.
        problem: String,
    },
    /// A gradability study cannot be run.
    #[error("a gradability study {problem}")]
    Gradability {
        /// What it lacks.
        problem: &'static str,
    },
    /// A quantity names a column that does not exist.
    #[error("quantity \"{quantity}\" names the column \"{column}\", which this scenario does not record")]
    NoColumn {
        /// Its name.
        quantity: String,
        /// What it names.
        column: String,
    },
}
