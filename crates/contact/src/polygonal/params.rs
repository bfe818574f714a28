//! Parameters of the elastic layers and of their friction, checked once; all per area and in SI. Everything after this file may
//! rely on their ranges.

use crate::parameter::{Interval, ParameterError, check_rows};

/// Largest stiffness or damping per area that the ranges allow (N/m³, N s/m³): diamond, a micrometre thick, has 1e18.
const COEFFICIENT_MAX: f64 = 1e18;
/// Largest Young's modulus, Pa: ten times diamond.
const MODULUS_MAX: f64 = 1e13;
/// Largest Poisson's ratio: towards 1/2 the confined layer becomes incompressible and its modulus infinite (3.8 E at 0.45).
const POISSON_MAX: f64 = 0.45;
/// Largest length (depth of a layer, of a ramp), m.
const LENGTH_MAX: f64 = 10.0;
/// Largest coefficient of friction: racing rubber reaches 2.
const FRICTION_MAX: f64 = 10.0;
/// Largest speed of a regularisation, m/s.
const SPEED_MAX: f64 = 1.0;
/// Compression of a layer over its depth up to which a linear layer is taken to hold. Confined rubber is about a tenth stiffer there.
pub const COMPRESSION_MAX: f64 = 0.25;

/// An elastic layer on a rigid body, per area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layer {
    /// Normal stiffness c, N/m³; infinite for a rigid body.
    pub stiffness: f64,
    /// Normal damping d, N s/m³.
    pub damping: f64,
    /// Tangential stiffness c_T, N/m³; infinite for a rigid body.
    pub shear_stiffness: f64,
    /// Tangential damping d_T of a sticking contact, N s/m³.
    pub shear_damping: f64,
    /// Depth b, m; infinite if unknown, and then the range of the model is unlimited.
    pub depth: f64,
}

impl Layer {
    /// No layer: only the layer of the other side deforms.
    pub const RIGID: Layer = Layer {
        stiffness: f64::INFINITY,
        damping: 0.0,
        shear_stiffness: f64::INFINITY,
        shear_damping: 0.0,
        depth: f64::INFINITY,
    };

    /// Layer of an elastic material, bonded to a rigid core and confined sideways (Johnson, section 4.3): c = K/b with
    /// K = E(1−ν)/((1+ν)(1−2ν)), and c_T = G/b with G = E/(2(1+ν)). Damping is not a property of E and ν: zero.
    pub fn from_material(modulus: f64, poisson: f64, depth: f64) -> Result<Layer, Vec<ParameterError>> {
        let problems = check_rows([
            ("modulus", "Pa", modulus, Interval::above_zero(MODULUS_MAX)),
            ("poisson", "(no unit)", poisson, Interval::from_zero(POISSON_MAX)),
            ("depth", "m", depth, Interval::above_zero(LENGTH_MAX)),
        ]);
        if !problems.is_empty() {
            return Err(problems);
        }
        let confined = modulus * (1.0 - poisson) / ((1.0 + poisson) * (1.0 - 2.0 * poisson));
        let shear = 0.5 * modulus / (1.0 + poisson);
        Ok(Layer { stiffness: confined / depth, shear_stiffness: shear / depth, depth, ..Layer::given(0.0) })
    }

    /// Layer of a given normal stiffness, N/m³, of unknown depth. Its tangential stiffness is that of ν = 0, half the normal one.
    pub fn given(stiffness: f64) -> Layer {
        Layer {
            stiffness,
            damping: 0.0,
            shear_stiffness: 0.5 * stiffness,
            shear_damping: 0.0,
            depth: f64::INFINITY,
        }
    }

    /// Checks every number; all problems come back.
    pub fn check(&self) -> Vec<ParameterError> {
        // Infinity is valid here: a rigid side, an unknown depth.
        let finite = |x: f64| if x == f64::INFINITY { COEFFICIENT_MAX } else { x };
        let depth = if self.depth == f64::INFINITY { LENGTH_MAX } else { self.depth };
        check_rows([
            ("stiffness", "N/m³", finite(self.stiffness), Interval::above_zero(COEFFICIENT_MAX)),
            ("damping", "N s/m³", self.damping, Interval::from_zero(COEFFICIENT_MAX)),
            ("shear_stiffness", "N/m³", finite(self.shear_stiffness), Interval::above_zero(COEFFICIENT_MAX)),
            ("shear_damping", "N s/m³", self.shear_damping, Interval::from_zero(COEFFICIENT_MAX)),
            ("depth", "m", depth, Interval::above_zero(LENGTH_MAX)),
        ])
    }
}

/// Friction of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Friction {
    /// None.
    None,
    /// Krenn Eq. (2) as a return mapping: every face is attached to an anchor in the reference body until its
    /// force reaches `stick` times its normal force, then slides with `slip` times it. It sticks again when
    /// its speed has been above
    /// `release_speed` and falls below it.
    StickSlip {
        /// μ_stick.
        stick: f64,
        /// μ_slip, not above μ_stick.
        slip: f64,
        /// v_T0, m/s.
        release_speed: f64,
    },
    /// Coulomb's law made smooth below a speed; creeps under load, keeps no memory.
    Regularised {
        /// μ.
        coefficient: f64,
        /// Speed v₀ below which it is smooth, m/s.
        speed: f64,
    },
}

/// Damping when the surfaces separate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Separation {
    /// The normal force never pulls.
    #[default]
    Clamped,
    /// Eq. (1) to the letter: damping may pull.
    Literal,
}

/// The law between a face and the reference body: two layers in series, the damping ramp and friction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairLaw {
    /// Normal stiffness c, N/m³.
    pub stiffness: f64,
    /// Normal damping d, N s/m³.
    pub damping: f64,
    /// Penetration s_d0 over which damping rises, m; 0 for none.
    pub damping_depth: f64,
    /// Damping when the surfaces separate.
    pub separation: Separation,
    /// Tangential stiffness c_T, N/m³.
    pub shear_stiffness: f64,
    /// Tangential damping d_T, N s/m³.
    pub shear_damping: f64,
    /// Friction.
    pub friction: Friction,
    /// Penetration up to which both layers stay within [`COMPRESSION_MAX`] of their depths, m; infinite if no depth is known.
    pub penetration_limit: f64,
}

impl PairLaw {
    /// Two layers in series: 1/c = 1/c₁ + 1/c₂. Each takes its elastic share of the penetration; the dampers
    /// act on the rates of these shares, d = (d₁c₂² + d₂c₁²)/(c₁ + c₂)².
    pub fn in_series(
        face: &Layer,
        reference: &Layer,
        damping_depth: f64,
        friction: Friction,
    ) -> Result<PairLaw, Vec<ParameterError>> {
        let mut problems = face.check();
        problems.extend(reference.check());
        let normal = Series::of(face.stiffness, reference.stiffness);
        let shear = Series::of(face.shear_stiffness, reference.shear_stiffness);
        let limit = |share: f64, depth: f64| {
            if share > 0.0 { COMPRESSION_MAX * depth / share } else { f64::INFINITY }
        };
        let law = PairLaw {
            stiffness: normal.stiffness,
            damping: normal.damping(face.damping, reference.damping),
            damping_depth,
            separation: Separation::default(),
            shear_stiffness: shear.stiffness,
            shear_damping: shear.damping(face.shear_damping, reference.shear_damping),
            friction,
            penetration_limit: limit(normal.share, face.depth)
                .min(limit(1.0 - normal.share, reference.depth)),
        };
        problems.extend(law.check());
        if problems.is_empty() { Ok(law) } else { Err(problems) }
    }

    /// Checks every number; all problems come back.
    pub fn check(&self) -> Vec<ParameterError> {
        let coefficient = Interval::above_zero(COEFFICIENT_MAX);
        let mut problems = check_rows([
            ("stiffness", "N/m³", self.stiffness, coefficient),
            ("damping", "N s/m³", self.damping, Interval::from_zero(COEFFICIENT_MAX)),
            ("damping_depth", "m", self.damping_depth, Interval::from_zero(LENGTH_MAX)),
            ("shear_stiffness", "N/m³", self.shear_stiffness, coefficient),
            ("shear_damping", "N s/m³", self.shear_damping, Interval::from_zero(COEFFICIENT_MAX)),
        ]);
        let coefficient = Interval::from_zero(FRICTION_MAX);
        match self.friction {
            Friction::None => {}
            Friction::StickSlip { stick, slip, release_speed } => {
                problems.extend(check_rows([
                    ("stick", "(no unit)", stick, coefficient),
                    ("slip", "(no unit)", slip, coefficient),
                    ("release_speed", "m/s", release_speed, Interval::above_zero(SPEED_MAX)),
                ]));
                if slip > stick {
                    problems.push(ParameterError::FrictionOrder { friction_min: slip, friction_max: stick });
                }
            }
            Friction::Regularised { coefficient: friction, speed } => problems.extend(check_rows([
                ("coefficient", "(no unit)", friction, coefficient),
                ("speed", "m/s", speed, Interval::above_zero(SPEED_MAX)),
            ])),
        }
        problems
    }
}

/// Two springs in series, either of which may be rigid (both: as stiff as the ranges allow).
struct Series {
    stiffness: f64,
    /// Share of the first in the whole displacement.
    share: f64,
}

impl Series {
    fn of(first: f64, second: f64) -> Series {
        match (first.is_finite(), second.is_finite()) {
            (true, true) => {
                Series { stiffness: first * second / (first + second), share: second / (first + second) }
            }
            (true, false) => Series { stiffness: first, share: 1.0 },
            (false, true) => Series { stiffness: second, share: 0.0 },
            (false, false) => Series { stiffness: f64::INFINITY, share: 0.5 },
        }
    }

    fn damping(&self, first: f64, second: f64) -> f64 {
        first * self.share * self.share + second * (1.0 - self.share) * (1.0 - self.share)
    }
}
