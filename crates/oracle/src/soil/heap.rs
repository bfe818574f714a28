//! The ideal heap: a cone as steep as the friction angle. Reference for the `sand-pile` rig.
//!
//! V = π R² H/3 with H = R tan φ, so R³ = 3V/(π tan φ).

/// A right circular cone on flat ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    /// Radius of its base, m.
    pub radius_m: f64,
    /// Height of its tip, m.
    pub height_m: f64,
}

/// The cone of `volume` (m³) whose sides rise at `friction_angle` (rad, 0 < φ < π/2).
pub fn cone(volume: f64, friction_angle: f64) -> Cone {
    let slope = friction_angle.tan();
    let radius_m = (3.0 * volume / (std::f64::consts::PI * slope)).cbrt();
    Cone { radius_m, height_m: radius_m * slope }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cone has its volume and its slope.
    #[test]
    fn cone_has_its_volume_and_slope() {
        for (volume, angle) in [(1e-3, 0.43), (0.02, 0.61), (3.0, 1.2f64)] {
            let Cone { radius_m, height_m } = cone(volume, angle);
            let enclosed = std::f64::consts::PI / 3.0 * radius_m * radius_m * height_m;
            assert!((enclosed / volume - 1.0).abs() < 1e-14);
            assert!((height_m.atan2(radius_m) - angle).abs() < 1e-14);
        }
    }
}
