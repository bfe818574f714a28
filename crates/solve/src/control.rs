//! Control of the step length, common to all integrators.

/// Control of the step length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Control {
    /// Always this length, s; without error test and without repetition.
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
