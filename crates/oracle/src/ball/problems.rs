//! The two problems that are compared: a ball bouncing in a bowl, and one rolling on waves.

use super::{Ball, Friction, Lever, Surface};

/// The bowl z = 0.2 (x² + y²).
pub fn bowl(x: f64, y: f64) -> Surface {
    Surface::bowl(0.2, x, y)
}

/// The waves z = 0.15 sin(1.3 x) cos(0.9 y).
pub fn waves(x: f64, y: f64) -> Surface {
    let (a, p, q) = (0.15, 1.3, 0.9);
    let ((s, c), (t, d)) = ((p * x).sin_cos(), (q * y).sin_cos());
    Surface {
        z: a * s * d,
        gradient: [a * p * c * d, -a * q * s * t],
        hessian: [-a * p * p * s * d, -a * p * q * c * t, -a * q * q * s * d],
    }
}

impl Ball {
    /// Dropped into the bowl with spin, pushed at 2.2 s.
    pub fn in_bowl() -> Ball {
        Ball {
            mass_kg: 1.0,
            radius_m: 0.25,
            stiffness_n_per_m: 1e4,
            damping_n_s_per_m: 30.0,
            friction: Friction::Regularised { coefficient: 0.3, transition: 0.01 },
            lever: Lever::SurfacePoint,
            gravity_m_per_s2: crate::GRAVITY,
            start_m: [1.0, 0.0, 1.5],
            velocity_m_per_s: [0.0; 3],
            spin_rad_per_s: [0.0, 8.0, 4.0],
            impulses: vec![(2.2, [0.0, 3.0, 0.0])],
        }
    }

    /// A hard ball rolling through the waves at 3 m/s.
    pub fn on_waves() -> Ball {
        Ball {
            radius_m: 0.2,
            stiffness_n_per_m: 1e7,
            damping_n_s_per_m: 3e3,
            friction: Friction::Regularised { coefficient: 0.5, transition: 0.01 },
            start_m: [1.2083, -3.4907, 0.049999],
            velocity_m_per_s: [2.6, 1.5, 0.0],
            spin_rad_per_s: [-7.5, 13.0, 0.0],
            impulses: vec![],
            ..Ball::in_bowl()
        }
    }
}
