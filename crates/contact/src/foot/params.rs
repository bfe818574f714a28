//! Parameters of a foot and of the ground under it, checked once; all in SI.

use super::shape::FootShape;
use crate::law::hunt_crossley::HuntCrossley;
use crate::law::shear::Mobilisation;
use crate::law::sinkage::PressureLaw;
use crate::parameter::{Interval, ParameterError, Row, check_rows};

/// Largest foot, m.
pub(super) const SIZE_MAX: f64 = 10.0;
/// Largest coefficient of a power law: its unit depends on its exponent; beyond 1e15 products lose all digits.
const COEFFICIENT_MAX: f64 = 1e15;
/// Largest exponent: soils stay below 2, springs below 3.
const EXPONENT_MAX: f64 = 5.0;
/// Largest time of relaxation, s: longer ones would show in a step.
const RELAXATION_MAX: f64 = 1.0;

/// How the stress under a foot is integrated; names in scenario files in brackets. Equations of Ding et al.
/// (2013), corrected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FootModel {
    /// Wong and Reece's stress integrated exactly (`exact`). Any shape.
    Exact,
    /// Stress linear over the angle, Eqs. 22, 25, 32 (`linearised`). Any shape: it is `29a` for a cylinder, `33` for a ball, and exact for flat feet.
    Linearised,
    /// Cylinder, r b σ_m·2(1 − cos θ₁)/θ₁ (`29a`).
    Eq29a,
    /// Cylinder, r b θ₁ σ_m (`29b`).
    Eq29b,
    /// Cylinder, b √(2 r δ) σ_m (`29c`).
    Eq29c,
    /// Ball, ½ π R² σ_m (1 − sin θ₁ cos θ₁/θ₁) (`33`).
    Eq33,
    /// Ball, π R δ σ_m (`34`).
    Eq34,
}

impl FootModel {
    /// All of them.
    pub const ALL: [FootModel; 7] = [
        FootModel::Exact,
        FootModel::Linearised,
        FootModel::Eq29a,
        FootModel::Eq29b,
        FootModel::Eq29c,
        FootModel::Eq33,
        FootModel::Eq34,
    ];

    /// Name in scenario files.
    pub const fn name(self) -> &'static str {
        match self {
            FootModel::Exact => "exact",
            FootModel::Linearised => "linearised",
            FootModel::Eq29a => "29a",
            FootModel::Eq29b => "29b",
            FootModel::Eq29c => "29c",
            FootModel::Eq33 => "33",
            FootModel::Eq34 => "34",
        }
    }

    /// The model of a name.
    pub fn from_name(name: &str) -> Option<FootModel> {
        FootModel::ALL.into_iter().find(|m| m.name() == name)
    }

    /// Whether it applies to the shape.
    pub const fn fits(self, shape: &FootShape) -> bool {
        match self {
            FootModel::Exact | FootModel::Linearised => true,
            FootModel::Eq29a | FootModel::Eq29b | FootModel::Eq29c => {
                matches!(shape, FootShape::Cylindrical { .. })
            }
            FootModel::Eq33 | FootModel::Eq34 => matches!(shape, FootShape::Spherical { .. }),
        }
    }
}

/// Where a round foot presses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stress {
    /// Equally on both sides.
    Symmetric,
    /// Only on the side that squeezes the soil: half of the force and half of the area (Ding et al., section 3.2). Flat feet have no sides; theirs
    /// halve as well.
    OneSided,
}

/// Soil under a foot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FootSoil {
    /// Pressure against sinkage.
    pub law: PressureLaw,
    /// Exponent of sinkage n.
    pub exponent: f64,
    /// Cohesion c, Pa.
    pub cohesion: f64,
    /// Angle of internal friction φ, rad.
    pub friction_angle: f64,
    /// Shear length K, m.
    pub shear_length: f64,
    /// How its stress is integrated.
    pub model: FootModel,
    /// Where it presses.
    pub stress: Stress,
    /// Damping b δᵖ δ̇^q while the foot sinks (Eq. 53); its k and n are not used.
    pub damping: HuntCrossley,
    /// Share of the sinkage that springs back when the load is taken away, in (0, 0.2].
    pub recovery: f64,
    /// Time constant of the spring-back, s: it damps the remaining rebound.
    pub relaxation: f64,
}

/// The ground under a foot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FootGround {
    /// Hard ground: the foot deforms.
    Hard {
        /// Coefficient of friction μ.
        friction: f64,
        /// Length K over which the friction builds up, m (Ding et al., Table 11); not used by `Stick`.
        shear_length: f64,
    },
    /// Soil: it deforms and keeps the footprint.
    Soil(FootSoil),
}

/// A foot and its ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FootParameters {
    /// Form.
    pub shape: FootShape,
    /// Law of a foot that deforms (Eq. 9), without mass. A foot with mass is a separate body on a spring,
    /// with a hard sole.
    pub spring: Option<HuntCrossley>,
    /// Ground.
    pub ground: FootGround,
    /// How the tangential force builds up.
    pub curve: Mobilisation,
    /// Stiffness of unloading along the ground, N/m.
    pub tangential_stiffness: f64,
    /// Time in which the tangential deflection follows a falling grip, s.
    pub tangential_relaxation: f64,
}

fn spring_rows(law: &HuntCrossley) -> Vec<Row> {
    vec![
        ("spring.k", "N/m^n", law.k, Interval::above_zero(COEFFICIENT_MAX)),
        ("spring.n", "1", law.n, Interval::above_zero(EXPONENT_MAX)),
        ("spring.b", "N m^-p (s/m)^q", law.b, Interval::from_zero(COEFFICIENT_MAX)),
        ("spring.p", "1", law.p, Interval::from_zero(EXPONENT_MAX)),
        ("spring.q", "1", law.q, Interval::above_zero(EXPONENT_MAX)),
    ]
}

impl FootSoil {
    fn rows(&self, shape: &FootShape) -> Vec<Row> {
        let (first, second) = match self.law {
            PressureLaw::Bekker { cohesive, frictional } | PressureLaw::Reece { cohesive, frictional } => {
                (cohesive, frictional)
            }
        };
        let modulus = self.law.modulus(self.exponent, shape.pressure_width());
        vec![
            ("law.cohesive", "N/m^(n+1) or Pa", first, Interval::from_zero(COEFFICIENT_MAX)),
            ("law.frictional", "N/m^(n+2) or Pa/m", second, Interval::from_zero(COEFFICIENT_MAX)),
            ("law.modulus", "Pa/m^n", modulus, Interval::above_zero(COEFFICIENT_MAX)),
            ("exponent", "1", self.exponent, Interval::above_zero(EXPONENT_MAX)),
            ("cohesion", "Pa", self.cohesion, Interval::from_zero(1e9)),
            ("friction_angle", "rad", self.friction_angle, Interval::from_zero(1.4)),
            ("shear_length", "m", self.shear_length, Interval::above_zero(SIZE_MAX)),
            ("damping.b", "N m^-p (s/m)^q", self.damping.b, Interval::from_zero(COEFFICIENT_MAX)),
            ("damping.p", "1", self.damping.p, Interval::from_zero(EXPONENT_MAX)),
            ("damping.q", "1", self.damping.q, Interval::above_zero(EXPONENT_MAX)),
            ("recovery", "1", self.recovery, Interval::above_zero(0.2)),
            ("relaxation", "s", self.relaxation, Interval::above_zero(RELAXATION_MAX)),
        ]
    }
}

impl FootParameters {
    /// Checks everything; all problems come back at once.
    pub fn check(&self) -> Vec<ParameterError> {
        let mut rows = self.shape.rows();
        rows.push((
            "tangential_stiffness",
            "N/m",
            self.tangential_stiffness,
            Interval::above_zero(COEFFICIENT_MAX),
        ));
        rows.push((
            "tangential_relaxation",
            "s",
            self.tangential_relaxation,
            Interval::above_zero(RELAXATION_MAX),
        ));
        if let Some(spring) = &self.spring {
            rows.extend(spring_rows(spring));
        }
        let mut extra = Vec::new();
        match &self.ground {
            FootGround::Hard { friction, shear_length } => {
                rows.push(("friction", "1", *friction, Interval::from_zero(10.0)));
                rows.push(("shear_length", "m", *shear_length, Interval::above_zero(SIZE_MAX)));
                if self.spring.is_none() {
                    extra.push(ParameterError::HardOnHard);
                }
            }
            FootGround::Soil(soil) => {
                rows.extend(soil.rows(&self.shape));
                if !soil.model.fits(&self.shape) {
                    extra.push(ParameterError::ModelOfFoot {
                        model: soil.model.name(),
                        shape: self.shape.name(),
                    });
                }
            }
        }
        let mut problems = check_rows(rows);
        problems.extend(extra);
        problems
    }
}
