//! Parameters of the brush tyre, checked once when the model is built; all in SI. Everything after this file may rely on
//! their ranges.

use crate::parameter::{Interval, ParameterError, check_rows};

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
    /// Share s of the deformation by which the rolling radius falls: 1 rolls on the loaded radius, 0 on the free one (a rim that keeps its
    /// length).
    pub rolling_share: f64,
    /// Relaxation length σ, m.
    pub relaxation_length: f64,
    /// Damping of the tangential deflection of the tread, N s/m. It acts only on the deflection's rate, so
    /// that it has no effect in steady rolling; at standstill it damps the tread springs C/σ.
    pub standstill_damping: f64,
    /// Speed below which the slip that enters μ and the sign of rolling resistance are regularised, m/s.
    pub low_speed: f64,
}

/// Largest size of a wheel that the ranges allow, m: mining trucks stay below 5 m.
const SIZE_MAX: f64 = 10.0;
/// Largest stiffness or damping (N/m, N, N s/m): a steel wheel is near 1e9; beyond 1e12 products lose all digits.
const COEFFICIENT_MAX: f64 = 1e12;
/// Largest coefficient of friction: racing rubber reaches 2.
const FRICTION_MAX: f64 = 10.0;
/// Largest regularisation speed, m/s: beyond walking pace it would no longer be low.
const LOW_SPEED_MAX: f64 = 1.0;

impl BrushParameters {
    /// Samarini et al., Table 2, with the readings of the theory page.
    ///
    /// Assumed, because the paper does not give them: radius and width (the wheel of the same rover's flexible tyre), σ (a
    /// third of the radius, the usual order), `standstill_damping` (6000 N s/m: critical for the 53 kg that one of six
    /// wheels of a 320 kg rover carries on its longitudinal tread spring C_κ/σ = 165 kN/m, 0.42 of critical on the lateral
    /// one) and `low_speed` (a quarter of the rover's 70 m/h, so that cruising is exact).
    pub const SAMARINI: BrushParameters = BrushParameters {
        radius: 0.1425,
        width: 0.12,
        radial_stiffness: 8250.0,
        radial_damping: 8140.0,
        longitudinal_slip_stiffness: 8250.0,
        lateral_slip_stiffness: 850.0 * 180.0 / std::f64::consts::PI,
        friction_min: 0.597,
        friction_max: 0.757,
        rolling_resistance: 0.015,
        rolling_share: 1.0,
        relaxation_length: 0.05,
        standstill_damping: 6000.0,
        low_speed: 0.005,
    };

    /// Checks every parameter and returns all problems, in the order of the fields; empty when all is well.
    pub fn check(&self) -> Vec<ParameterError> {
        let positive = Interval::above_zero(COEFFICIENT_MAX);
        let size = Interval::above_zero(SIZE_MAX);
        let friction = Interval::from_zero(FRICTION_MAX);
        let rows = [
            ("radius", "m", self.radius, size),
            ("width", "m", self.width, size),
            ("radial_stiffness", "N/m", self.radial_stiffness, positive),
            ("radial_damping", "N s/m", self.radial_damping, Interval::from_zero(COEFFICIENT_MAX)),
            ("longitudinal_slip_stiffness", "N per unit slip", self.longitudinal_slip_stiffness, positive),
            ("lateral_slip_stiffness", "N/rad", self.lateral_slip_stiffness, positive),
            ("friction_min", "(no unit)", self.friction_min, friction),
            ("friction_max", "(no unit)", self.friction_max, friction),
            ("rolling_resistance", "(no unit)", self.rolling_resistance, Interval::from_zero(1.0)),
            ("rolling_share", "(no unit)", self.rolling_share, Interval::from_zero(1.0)),
            ("relaxation_length", "m", self.relaxation_length, size),
            ("standstill_damping", "N s/m", self.standstill_damping, positive),
            ("low_speed", "m/s", self.low_speed, Interval::above_zero(LOW_SPEED_MAX)),
        ];
        let mut problems = check_rows(rows);
        if self.friction_min > self.friction_max {
            problems.push(ParameterError::FrictionOrder {
                friction_min: self.friction_min,
                friction_max: self.friction_max,
            });
        }
        problems
    }
}
