//! Errors of flexible bodies; messages name the element.

/// A flexible body that cannot be built, or a solution that was not found.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FlexError {
    /// A number of the description is out of range.
    #[error("{what} must be {allowed}, found {found}")]
    OutOfRange {
        /// Which number.
        what: String,
        /// Its range, in words.
        allowed: &'static str,
        /// What was given.
        found: f64,
    },
    /// A plate or cable without extent.
    #[error("element {element}: its {what} is {found} m; it must be positive")]
    NoExtent {
        /// The element's number in the order of the mesh.
        element: usize,
        /// length, width or thickness.
        what: &'static str,
        /// What was given, m.
        found: f64,
    },
    /// The volume of an element is negative somewhere: its nodes have the wrong orientation, or it was turned
    /// inside out.
    #[error("element {element} is inverted: at ({:.2}, {:.2}, {:.2}) its volume ratio is {ratio:.3e}", at[0], at[1], at[2])]
    Inverted {
        /// The element's number.
        element: usize,
        /// Where, in the element's own coordinates ξ, η from 0 to 1 and ζ from −½ to ½.
        at: [f64; 3],
        /// Volume there over the expected volume.
        ratio: f64,
    },
    /// A hub to which nothing is tied.
    #[error("reference node {node} has no nodes tied to it and no element: it would have no mass")]
    HubWithoutNodes {
        /// The reference node.
        node: usize,
    },
    /// A node that no element touches and that is tied to nothing.
    #[error("node {node} belongs to no element and is tied to nothing")]
    LooseNode {
        /// The node.
        node: usize,
    },
    /// A tie to a node that is itself tied.
    #[error("node {node} is tied to node {to}, which is tied to another; tie both to the last one")]
    TieToTied {
        /// The tied node.
        node: usize,
        /// The node that it is tied to.
        to: usize,
    },
    /// A number of a node or material that does not exist.
    #[error("element {element} names {what} {found}, but there are only {count}")]
    Unknown {
        /// The element (or tie) in question.
        element: usize,
        /// node or material.
        what: &'static str,
        /// What was named.
        found: usize,
        /// How many exist.
        count: usize,
    },
    /// A mesh without elements.
    #[error("the mesh has no elements")]
    Empty,
    /// The stiffness is singular: a part of the mesh can move without resistance.
    #[error("the mesh is not supported: nothing holds node {node} (near element {element})")]
    Unsupported {
        /// A node that can move.
        node: usize,
        /// An element at it.
        element: usize,
    },
    /// Newton's method did not find equilibrium.
    #[error("no equilibrium found at {:.1} % of the load: residual {residual:.3e} N, largest at element {element}", 100.0 * load)]
    Diverged {
        /// Share of the load that was reached.
        load: f64,
        /// Largest force that is not balanced, N.
        residual: f64,
        /// Element with the largest unbalanced force.
        element: usize,
    },
}
