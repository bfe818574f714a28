//! Parameters of the brush tyre.

/// Brush tyre parameters, SI.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BrushParameters {
    /// Undeformed radius R, m.
    pub radius: f64,
    /// Width, m (drawing only).
    pub width: f64,
    /// Radial stiffness k, N/m.
    pub radial_stiffness: f64,
    /// Radial damping c, N s/m.
    pub radial_damping: f64,
    /// Longitudinal slip stiffness C_κ, N per unit slip.
    pub longitudinal_slip_stiffness: f64,
    /// Lateral slip stiffness C_α, N per rad.
    pub lateral_slip_stiffness: f64,
    /// Friction at full slide, μ_min.
    pub friction_min: f64,
    /// Friction at no slip, μ_max.
    pub friction_max: f64,
    /// Rolling resistance coefficient f.
    pub rolling_resistance: f64,
    /// Relaxation length σ, m.
    pub relaxation_length: f64,
}
