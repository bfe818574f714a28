//! Parameters of soil for bodies that move through it, checked once; all in SI.

use crate::law::sinkage::PressureLaw;
use crate::parameter::{Interval, ParameterError, Row, check_rows};
use touchdown_math::Elementary;

/// Soil around a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IntrusionSoil {
    /// Pressure against sinkage.
    pub law: PressureLaw,
    /// Exponent of sinkage n.
    pub exponent: f64,
    /// Width b of the body for the pressure law, m.
    pub width: f64,
    /// Angle of friction between soil and the body's surface, rad.
    pub friction_angle: f64,
    /// Stiffness k of unloading, Pa/m.
    pub elastic_stiffness: f64,
    /// Time of damping τ while elastic, s.
    pub relaxation: f64,
}

impl IntrusionSoil {
    /// Modulus K of the pressure of plates, Pa/mⁿ.
    pub fn modulus(&self) -> f64 {
        self.law.modulus(self.exponent, self.width)
    }

    /// Checks everything; returns all problems at once.
    pub fn check(&self) -> Vec<ParameterError> {
        let rows: Vec<Row> = vec![
            ("law.modulus", "Pa/m^n", self.modulus(), Interval::above_zero(1e15)),
            ("exponent", "1", self.exponent, Interval::above_zero(5.0)),
            ("width", "m", self.width, Interval::above_zero(10.0)),
            ("friction_angle", "rad", self.friction_angle, Interval::from_zero(1.4)),
            ("elastic_stiffness", "Pa/m", self.elastic_stiffness, Interval::above_zero(1e15)),
            ("relaxation", "s", self.relaxation, Interval::from_zero(1.0)),
        ];
        check_rows(rows)
    }

    /// Pressure of a level plate at a depth, Pa.
    pub(super) fn pressure(&self, depth: f64) -> f64 {
        self.modulus() * depth.power(self.exponent)
    }
}
