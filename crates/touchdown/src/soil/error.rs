//! Errors of a ground for another simulator.

use touchdown_contact::ParameterError;
use touchdown_geometry::{MeshError, Missing};

/// Why a call of a [`Ground`](super::Ground) was refused; nothing has changed then.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GroundError {
    /// Numbers of a soil or body out of their ranges.
    #[error("{what}: {}", .problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Parameters {
        /// Which soil, options or body.
        what: String,
        /// All problems.
        problems: Vec<ParameterError>,
    },
    /// An invalid mesh.
    #[error("body \"{name}\": {problem}")]
    Mesh {
        /// Name of the body.
        name: String,
        /// What is wrong.
        problem: MeshError,
    },
    /// A form far larger than the cells of the grid.
    #[error(
        "body \"{name}\": {found:.0} nodes of soil would lie under it, allowed: at most {most:.0}; make it smaller, or the spacing larger"
    )]
    TooFine {
        /// Name of the body.
        name: String,
        /// Nodes of the square around it.
        found: f64,
        /// Allowed.
        most: f64,
    },
    /// A name that is taken.
    #[error("there is already a body \"{0}\" on this ground: names are unique")]
    TwiceNamed(String),
    /// A body that is not there.
    #[error("there is no body number {found} on this ground: it has {count}")]
    NoSuchBody {
        /// The number.
        found: usize,
        /// How many there are.
        count: usize,
    },
    /// Bodies in time already.
    #[error(
        "a body can be added only before the first advance: at t = {t} s the others have left their marks"
    )]
    TooLate {
        /// Time of the ground, s.
        t: f64,
    },
    /// An invalid motion.
    #[error("body \"{name}\": {what} must be finite, found {found}")]
    NotFinite {
        /// Name of the body.
        name: String,
        /// Which part of the motion.
        what: &'static str,
        /// The value.
        found: f64,
    },
    /// Axes that are not at right angles.
    #[error(
        "body \"{name}\": the rotation must be a rotation (rows of length 1 at right angles, right-handed), off by {off:.1e}"
    )]
    NotARotation {
        /// Name of the body.
        name: String,
        /// Largest entry of RᵀR − 1, or the determinant less 1.
        off: f64,
    },
    /// Beyond the map.
    #[error("body \"{name}\": there is no ground at x = {x} m, y = {y} m: {}", match .why { Missing::OffMap => "it lies beyond the edge of the map", Missing::Hole => "the map has no data there" })]
    NoGround {
        /// Name of the body.
        name: String,
        /// Place, m.
        x: f64,
        /// Place, m.
        y: f64,
        /// Why.
        why: Missing,
    },
    /// A step of no length.
    #[error("a step must last a finite time above 0 s, found {0}")]
    Step(f64),
    /// An advance with bodies whose accepted motion is not known.
    #[error(
        "body \"{0}\" was not evaluated since the last advance: evaluate every body at the accepted motion, then advance"
    )]
    NotEvaluated(String),
    /// A state of another ground, or damaged bytes.
    #[error("the state does not fit: {0}")]
    State(&'static str),
    /// More nodes than a program may ask for at once.
    #[error("{found} heights at once are too many: at most {most}")]
    TooMany {
        /// Asked for.
        found: usize,
        /// Allowed.
        most: usize,
    },
    /// A scenario without soil.
    #[error("scenario \"{0}\" has no [terrain]: there is no soil to take")]
    NoSoil(String),
}
