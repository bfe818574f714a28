//! How the length of a step is chosen, the same words for every integrator.

/// How the length of a step is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Control {
    /// Always this length, s; no error test, no second try.
    Fixed(f64),
    /// By the estimated local error.
    Adaptive {
        /// Tolerance relative to the size of a component.
        relative: f64,
        /// Absolute tolerance, multiplied by the component's scale.
        absolute: f64,
        /// Longest step, s; may be infinite.
        longest: f64,
    },
}
