//! An extendable boom: a slender beam–column of driven length, clamped to a body at its root and to another
//! at its tip.
//!
//! # Model
//! The root frame A lies where the boom leaves its body, z along the boom; the tip frame B coincides with it moved by the length L along z when nothing
//! loads the boom. Offset d of B in A and rotation vector θ of B against A determine its shape: in each plane
//! a beam with end deflection v and end slope β ([`mod@column`]), twisted by θ_z, and along its axis a column
//! in series with a preloaded safety spring ([`axial`]). Bending and axial force are coupled: tension
//! stiffens the beam, and a bent beam is shorter.
//!
//! # Equations
//! Among all shapes and forces N compatible with the ends, the boom has the one with stationary energy,
//!
//! `U(d, θ, L) = stat_N [ ½ Σ uᵀ K(N) u + N (d_z − L) − C(N) ] + ½ GJ θ_z²/L`, u = (v, β)
//!
//! with the exact stiffness K(N) of a beam under axial force (its geometric stiffness to all orders) and the
//! complementary energy C of the axial law. In words: elongation = axial law of N − shortening by bending.
//! This is one monotone scalar equation. Wrenches are the gradient of U, the Newton matrix its second
//! derivative, the force of the length drive ∂U/∂L.
//!
//! Damping is proportional to the stiffness without axial force, τ(L) K(0), with τ = 2ζ/ω(L): the mode whose frequency is given at one length has the
//! ratio ζ, and keeps it at other lengths if ω ∝ 1/√L, as for two bodies that swing against each other about
//! a short boom. Modes at other frequencies are damped in proportion to them. The safety spring and the
//! column have separate dampers on the rate d_z' − L'.
//!
//! # State
//! None. The boom has no mass: add half of its mass to each of the bodies at its ends.
//!
//! # Valid when
//! Slopes and v/L stay below [`SLOPE_LIMIT`]; compression stays below the load at which a boom with a free
//! end would buckle, π²EI/4L². The axial force is limited to 90 % of the buckling load between clamped ends,
//! so that nothing becomes singular.
//!
//! # References
//! S. P. Timoshenko, J. M. Gere, Theory of Elastic Stability, 2nd ed., 1961, chapter 1 (beam–columns), 2.1 (buckling).

pub mod axial;
pub mod column;
mod force;
mod rotation;
#[cfg(test)]
mod tests;

pub use axial::SafetySpring;
pub use force::{BoomForce, BoomTangent, EndMotion};
use touchdown_math::Elementary;

/// Slope and deflection per length up to which the law of small slopes is taken to hold; the error of a slope is a third of its square.
pub const SLOPE_LIMIT: f64 = 0.1;

/// Parameters of a boom, SI.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoomParameters {
    /// Bending stiffness EI, N m².
    pub bending_stiffness: f64,
    /// Torsion stiffness GJ, N m².
    pub torsion_stiffness: f64,
    /// Axial stiffness EA, N.
    pub axial_stiffness: f64,
    /// Damping of the column along its axis, N s/m.
    pub axial_damping: f64,
    /// Damping ratio ζ of the mode at `damping_frequency`.
    pub damping_ratio: f64,
    /// Frequency of that mode, Hz, at the length `damping_length`.
    pub damping_frequency: f64,
    /// Length to which that frequency belongs, m.
    pub damping_length: f64,
    /// The spring in series, if any.
    pub safety_spring: Option<SafetySpring>,
    /// Shortest and longest length, m.
    pub limits: [f64; 2],
}

/// Errors of a boom.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BoomError {
    /// A value outside its range.
    #[error("{name} is {value}, but must be {allowed}")]
    Range {
        /// What it is.
        name: &'static str,
        /// Its value, SI.
        value: f64,
        /// Values that are possible.
        allowed: &'static str,
    },
    /// Lengths in the wrong order.
    #[error("the length may not run from {0} m to {1} m: both must be positive, the first the shorter")]
    Limits(f64, f64),
}

impl BoomParameters {
    /// Checks the parameters.
    pub fn check(&self) -> Result<(), BoomError> {
        let positive = |name, value: f64| {
            let good = value.is_finite() && value > 0.0;
            if good { Ok(()) } else { Err(BoomError::Range { name, value, allowed: "positive" }) }
        };
        let not_negative = |name, value: f64| {
            let good = value.is_finite() && value >= 0.0;
            if good { Ok(()) } else { Err(BoomError::Range { name, value, allowed: "zero or positive" }) }
        };
        positive("bending stiffness", self.bending_stiffness)?;
        positive("torsion stiffness", self.torsion_stiffness)?;
        positive("axial stiffness", self.axial_stiffness)?;
        not_negative("axial damping", self.axial_damping)?;
        not_negative("damping ratio", self.damping_ratio)?;
        positive("damping frequency", self.damping_frequency)?;
        positive("damping length", self.damping_length)?;
        if let Some(spring) = &self.safety_spring {
            not_negative("preload of the safety spring", spring.preload)?;
            positive("stiffness of the safety spring", spring.stiffness)?;
            positive("travel of the safety spring", spring.travel)?;
            not_negative("damping of the safety spring", spring.damping)?;
            positive("corner of the safety spring", spring.corner)?;
            if 2.0 * spring.corner > spring.stiffness * spring.travel {
                let allowed = "at most half of stiffness times travel";
                return Err(BoomError::Range {
                    name: "corner of the safety spring",
                    value: spring.corner,
                    allowed,
                });
            }
        }
        let [short, long] = self.limits;
        if short > 0.0 && long > short && long.is_finite() {
            Ok(())
        } else {
            Err(BoomError::Limits(short, long))
        }
    }

    /// Load that buckles a boom of this length with a free end, π²EI/4L², N.
    pub fn buckling_load(&self, length: f64) -> f64 {
        (std::f64::consts::PI / (2.0 * length)).whole_power(2) * self.bending_stiffness
    }

    /// τ(L) = 2ζ/ω(L), s.
    pub fn damping_time(&self, length: f64) -> f64 {
        let omega = std::f64::consts::TAU * self.damping_frequency * (self.damping_length / length).sqrt();
        2.0 * self.damping_ratio / omega
    }
}
