//! The boom along its axis: elongation as a function of the axial force, column and safety spring in series.
//!
//! It is a function of the force, because both parts carry the same force. The safety spring does not move
//! below its preload, then yields with its stiffness, and reaches its stop after its travel. Corners are
//! rounded in compliance over ± `corner` newtons by a cubic, which leaves travel and forces outside
//! unchanged.

/// A preloaded spring that lets a pull lengthen the boom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SafetySpring {
    /// Tension at which it begins to move, N.
    pub preload: f64,
    /// Stiffness, N/m.
    pub stiffness: f64,
    /// Travel to its stop, m.
    pub travel: f64,
    /// Damping while it moves, N s/m.
    pub damping: f64,
    /// Half-width of its rounded corners, N.
    pub corner: f64,
}

/// Elongation at a force.
#[derive(Clone, Copy, Debug, Default)]
pub struct Elongation {
    /// Travel of the safety spring, m.
    pub travel: f64,
    /// Its compliance, m/N, and the derivative of that by the force.
    pub compliance: [f64; 2],
    /// Complementary energy, J.
    pub complementary: f64,
}

/// Smooth step from 0 at x = −1 to 1 at x = 1: its slope, itself, its integral and the integral of that, all zero far below.
fn step(x: f64) -> [f64; 4] {
    if x <= -1.0 {
        return [0.0; 4];
    }
    if x >= 1.0 {
        let y = x - 1.0;
        return [0.0, 1.0, 1.0 + y, 0.6 + y + 0.5 * y * y];
    }
    // s(u) = 3u² − 2u³ with u = (x + 1)/2.
    let u = 0.5 * (x + 1.0);
    let (u2, u3) = (u * u, u * u * u);
    [3.0 * u * (1.0 - u), 3.0 * u2 - 2.0 * u3, 2.0 * (u3 - 0.5 * u2 * u2), u2 * u2 - 0.4 * u2 * u3]
}

impl SafetySpring {
    /// Travel, compliance and energy at the tension `n`.
    pub fn elongation(&self, n: f64) -> Elongation {
        let (w, c) = (self.corner, 1.0 / self.stiffness);
        let from = step((n - self.preload) / w);
        let to = step((n - self.preload) / w - self.stiffness * self.travel / w);
        let part = |k: usize| c * (from[k] - to[k]);
        Elongation { travel: part(2) * w, compliance: [part(1), part(0) / w], complementary: part(3) * w * w }
    }

    /// The tension at an elongation of spring and column of stiffness `column` without rounding: an initial
    /// value.
    pub fn tension_at(&self, elongation: f64, column: f64) -> f64 {
        let begins = self.preload / column;
        let both = 1.0 / (1.0 / column + 1.0 / self.stiffness);
        let ends = begins + self.stiffness * self.travel / both;
        if elongation <= begins {
            elongation * column
        } else if elongation <= ends {
            self.preload + (elongation - begins) * both
        } else {
            self.preload + self.stiffness * self.travel + (elongation - ends) * column
        }
    }
}
