//! Forms, laws and settings of smooth contact, checked once when a pair is built; all in SI.

use crate::parameter::{Interval, ParameterError, Row, check_rows};
use touchdown_geometry::TriangleMesh;
use touchdown_geometry::surface::{BodySurface, HeightForm, HeightSurface};

/// The form of a side, in its own frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// Ground z = f(x, y), its material below.
    Height(HeightSurface),
    /// A smooth body.
    Body(BodySurface),
    /// A triangle mesh, convex or not, that touches with its corners, edges and faces, rounded. Second side only.
    Mesh {
        /// The mesh, in the body's frame.
        mesh: TriangleMesh,
        /// How thick the rounding about corners, edges and faces is, m.
        radius: f64,
    },
}

/// Force along the normal, at the penetration s > 0 with the rate ṡ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NormalLaw {
    /// max(0, k s + d ṡ).
    Linear {
        /// k, N/m.
        stiffness: f64,
        /// d, N s/m.
        damping: f64,
    },
    /// max(0, k sⁿ (1 + d ṡ)): damping grows with the force, without a jump at touch.
    HuntCrossley {
        /// k, N/mⁿ.
        stiffness: f64,
        /// n; 1.5 for spheres.
        exponent: f64,
        /// d, s/m.
        damping: f64,
    },
    /// Hunt–Crossley with Hertz's n = 3/2 and k = 4/3 E* √R, R the effective radius of the relative curvature.
    Hertz {
        /// E* with 1/E* = (1 − ν₁²)/E₁ + (1 − ν₂²)/E₂, Pa.
        modulus: f64,
        /// d, s/m.
        damping: f64,
    },
}

/// Force across the normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FrictionLaw {
    /// None.
    Frictionless,
    /// −μ F_N v_T/√(v_T² + v_ε²): creeps at rest.
    Regularised {
        /// μ.
        coefficient: f64,
        /// v_ε, m/s.
        speed: f64,
    },
    /// A spring and damper that slides at the friction limit: holds at rest without creep.
    StickSlip {
        /// μ at rest.
        stick: f64,
        /// μ at speed.
        slip: f64,
        /// Speed over which μ falls from one to the other, m/s.
        speed: f64,
        /// Tangential stiffness, N/m.
        stiffness: f64,
        /// Tangential damping, N s/m.
        damping: f64,
    },
}

/// The laws between two sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceLaw {
    /// Along the normal.
    pub normal: NormalLaw,
    /// Across it.
    pub friction: FrictionLaw,
}

/// Settings of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairOptions {
    /// Distance below which a place is tracked as a candidate, m: more than the approach of the sides in a
    /// step.
    pub threshold: f64,
    /// Candidates followed at once, 1 to [`super::MOST`].
    pub most: usize,
}

impl Default for PairOptions {
    fn default() -> Self {
        PairOptions { threshold: 0.1, most: 4 }
    }
}

/// Largest stiffness, damping or modulus in its SI unit: diamond's modulus is 1e12 Pa; beyond 1e15 products lose all digits.
const COEFFICIENT_MAX: f64 = 1e15;
/// Largest coefficient of friction: racing rubber reaches 2.
const FRICTION_MAX: f64 = 10.0;
/// Largest size, m.
const SIZE_MAX: f64 = 1e6;
/// Largest speed of a regularisation, m/s: above it friction would never be developed.
const SPEED_MAX: f64 = 100.0;

impl SurfaceLaw {
    /// The law of a piece of surface, where stiffness and damping are given per area, in m².
    #[inline]
    pub fn on_area(&self, area: f64) -> SurfaceLaw {
        let normal = match self.normal {
            NormalLaw::Linear { stiffness, damping } => {
                NormalLaw::Linear { stiffness: stiffness * area, damping: damping * area }
            }
            NormalLaw::HuntCrossley { stiffness, exponent, damping } => {
                NormalLaw::HuntCrossley { stiffness: stiffness * area, exponent, damping }
            }
            NormalLaw::Hertz { modulus, damping } => NormalLaw::Hertz { modulus: modulus * area, damping },
        };
        let friction = match self.friction {
            FrictionLaw::StickSlip { stick, slip, speed, stiffness, damping } => {
                let (stiffness, damping) = (stiffness * area, damping * area);
                FrictionLaw::StickSlip { stick, slip, speed, stiffness, damping }
            }
            other => other,
        };
        SurfaceLaw { normal, friction }
    }

    /// All problems of the law, in the order of its fields.
    pub fn check(&self) -> Vec<ParameterError> {
        let positive = Interval::above_zero(COEFFICIENT_MAX);
        let damped = Interval::from_zero(COEFFICIENT_MAX);
        let friction = Interval::from_zero(FRICTION_MAX);
        let speeds = Interval::above_zero(SPEED_MAX);
        let mut rows: Vec<Row> = Vec::new();
        match self.normal {
            NormalLaw::Linear { stiffness, damping } => {
                rows.extend([
                    ("stiffness", "N/m", stiffness, positive),
                    ("damping", "N s/m", damping, damped),
                ]);
            }
            NormalLaw::HuntCrossley { stiffness, exponent, damping } => rows.extend([
                ("stiffness", "N/m^n", stiffness, positive),
                ("exponent", "(no unit)", exponent, Interval { min: 1.0, min_included: true, max: 4.0 }),
                ("damping", "s/m", damping, damped),
            ]),
            NormalLaw::Hertz { modulus, damping } => {
                rows.extend([("modulus", "Pa", modulus, positive), ("damping", "s/m", damping, damped)]);
            }
        }
        let mut order = None;
        match self.friction {
            FrictionLaw::Frictionless => {}
            FrictionLaw::Regularised { coefficient, speed } => rows.extend([
                ("friction", "(no unit)", coefficient, friction),
                ("friction_speed", "m/s", speed, speeds),
            ]),
            FrictionLaw::StickSlip { stick, slip, speed, stiffness, damping } => {
                rows.extend([
                    ("friction_max", "(no unit)", stick, friction),
                    ("friction_min", "(no unit)", slip, friction),
                    ("friction_speed", "m/s", speed, speeds),
                    ("tangential_stiffness", "N/m", stiffness, positive),
                    ("tangential_damping", "N s/m", damping, positive),
                ]);
                if slip > stick {
                    order = Some(ParameterError::FrictionOrder { friction_min: slip, friction_max: stick });
                }
            }
        }
        let mut problems = check_rows(rows);
        problems.extend(order);
        problems
    }

    /// Contact states of one candidate: three if friction has a deflection, otherwise none.
    pub fn states(&self) -> usize {
        if matches!(self.friction, FrictionLaw::StickSlip { .. }) { super::STATES } else { 0 }
    }
}

impl Form {
    /// All problems of the form.
    pub fn check(&self) -> Vec<ParameterError> {
        let size = Interval::above_zero(SIZE_MAX);
        match self {
            Form::Height(height) => match height.form() {
                HeightForm::Ellipsoid { semi_axes: [a, b, c], .. } => check_rows([
                    ("semi_axis_x", "m", *a, size),
                    ("semi_axis_y", "m", *b, size),
                    ("semi_axis_z", "m", *c, size),
                ]),
                HeightForm::Cylinder { radius, .. } => check_rows([("radius", "m", *radius, size)]),
                _ => Vec::new(),
            },
            Form::Body(BodySurface::Sphere { radius }) => check_rows([("radius", "m", *radius, size)]),
            Form::Body(BodySurface::Ellipsoid { semi_axes: [a, b, c] }) => check_rows([
                ("semi_axis_x", "m", *a, size),
                ("semi_axis_y", "m", *b, size),
                ("semi_axis_z", "m", *c, size),
            ]),
            Form::Body(BodySurface::Cylinder { radius, half_length }) => {
                check_rows([("radius", "m", *radius, size), ("half_length", "m", *half_length, size)])
            }
            Form::Body(BodySurface::Torus { radius, tube }) => check_rows([
                ("radius", "m", *radius, size),
                ("tube", "m", *tube, Interval::above_zero(radius.max(f64::MIN_POSITIVE))),
            ]),
            Form::Mesh { radius, .. } => check_rows([("corner_radius", "m", *radius, size)]),
        }
    }
}

impl PairOptions {
    /// All problems of the settings.
    pub fn check(&self) -> Vec<ParameterError> {
        let most = Interval { min: 1.0, min_included: true, max: super::MOST as f64 };
        check_rows([
            ("threshold", "m", self.threshold, Interval::above_zero(SIZE_MAX)),
            ("most", "contacts", self.most as f64, most),
        ])
    }
}
