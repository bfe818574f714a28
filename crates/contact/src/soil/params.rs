//! Numbers of a soil and of the model, with their ranges.

pub use crate::law::sinkage::PressureLaw;

/// A soil (Krenn & Hirzinger, Table 1, and further parameters of the model).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoilParameters {
    /// Pressure against sinkage.
    pub law: PressureLaw,
    /// Exponent of sinkage n.
    pub exponent: f64,
    /// Cohesion c, Pa.
    pub cohesion: f64,
    /// Angle of internal friction φ, rad.
    pub friction_angle: f64,
    /// Slope of unloading and reloading, Pa/m.
    pub elastic_stiffness: f64,
    /// Pressure per speed of penetration, Pa s/m.
    pub damping: f64,
    /// Shear displacement K at which 63 % of the strength is mobilised, m (law `janosi`).
    pub shear_length: f64,
    /// Part of the volume displaced by sinkage that stays in the ground, which becomes denser; the rest is
    /// deposited beside the footprint.
    pub compaction: f64,
}

/// The width b in the pressure law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BekkerWidth {
    /// A given number, m.
    Given(f64),
    /// Short side of the contact patch.
    Footprint,
    /// 1/b = P/(2A) with perimeter P and area A of the contact patch.
    Perimeter,
}

/// Tangential law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FrictionLaw {
    /// Krenn & Hirzinger, Eq. 5, regularised: v/√(v² + v_ε²).
    Coulomb {
        /// v_ε, m/s.
        speed: f64,
    },
    /// Janosi & Hanamoto: the strength is mobilised by 1 − e^(−j/K) with the shear displacement j of each node.
    Janosi,
    /// The same with the shear displacement carried along by the surface of the body, as on the rim of a wheel.
    JanosiRim,
    /// The full strength acts against the motion once a node has been anchored, after a fraction of a
    /// millimetre.
    Anchored,
}

/// Normal stress on a body that moves in soil.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StressLaw {
    /// Bekker's pressure, for any direction of motion.
    Bekker,
    /// Bekker's pressure times a factor of the directions of the face and of its motion (Agarwal et al. 2023).
    Directional,
    /// Bekker's pressure with its maximum ahead of a wheel's lowest point (Wong & Reece 1967); under other bodies Bekker's.
    WongReece,
}

/// How the soil is modelled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoilOptions {
    /// Width in the pressure law.
    pub width: BekkerWidth,
    /// Tangential law.
    pub friction: FrictionLaw,
    /// Normal stress.
    pub stress: StressLaw,
    /// Angle of friction between soil and bodies, rad; by default that of the soil, with the directional
    /// stress two thirds of it on smooth rims and meshes.
    pub interface_angle: Option<f64>,
    /// Whether displaced soil is deposited beside the footprint (Eqs. 6–10); otherwise all of it counts as
    /// compacted.
    pub deposition: bool,
    /// Whether slopes steeper than the friction angle slide (Eqs. 11–12).
    pub erosion: bool,
    /// Exponent m of Eq. 10.
    pub spread_exponent: f64,
    /// Number of accepted steps between moves of displaced soil.
    pub move_every: u32,
    /// Sweeps of erosion each time.
    pub sweeps: u32,
}

impl SoilOptions {
    /// Whether nodes store the motion of the body on them.
    pub(super) fn remembers_motion(&self) -> bool {
        !matches!(self.friction, FrictionLaw::Coulomb { .. }) || self.stress != StressLaw::Bekker
    }
}

/// The defaults of scenario files.
impl Default for SoilOptions {
    fn default() -> Self {
        SoilOptions {
            width: BekkerWidth::Given(0.1),
            friction: FrictionLaw::Anchored,
            stress: StressLaw::Directional,
            interface_angle: None,
            deposition: true,
            erosion: true,
            spread_exponent: 2.0,
            move_every: 20,
            sweeps: 2,
        }
    }
}

/// Bars across the rim of a wheel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grousers {
    /// How many around the rim.
    pub count: u32,
    /// Height above the rim, m.
    pub height: f64,
    /// Thickness along the rim, m.
    pub thickness: f64,
}

/// The form with which a body touches soil, in its own frame.
#[derive(Clone, Debug, PartialEq)]
pub enum SoilShape {
    /// A wheel: a cylinder about its axis.
    Wheel {
        /// Radius of the rim, m.
        radius: f64,
        /// Width, m.
        width: f64,
        /// Bars across the rim.
        grousers: Option<Grousers>,
    },
    /// Any triangle mesh, counter-clockwise seen from outside.
    Mesh(touchdown_geometry::TriangleMesh),
}

/// A form with the thickness of soil that its surface drags along.
#[derive(Clone, Debug, PartialEq)]
pub struct SoilSurface {
    /// Its form.
    pub shape: SoilShape,
    /// Thickness of the layer that a sliding surface carries away (`shear_layer`), m: the height of its grousers, zero if smooth.
    pub carried_layer: f64,
    /// Whether it lies in a bed of its own form, like a buried rock: soil does not slide under it, even where
    /// it comes closer. Under a rolling wheel, soil slides in from ahead.
    pub bedded: bool,
}
