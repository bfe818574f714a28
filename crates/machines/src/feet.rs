//! Feet as bodies in soil: on a grid that stores their footprints, or moving through soil.

use thiserror::Error;
use touchdown_contact::foot::{FootGround, FootSoil};
use touchdown_contact::intrusion::IntrusionSoil;
use touchdown_contact::soil::{SoilShape, SoilSurface};
use touchdown_sim::description::{FootContact, IntruderBody, SoilBody};

/// Triangles around a full circle of a foot on a grid: chords within 0.4 % of the radius, a tenth of a cell.
const SEGMENTS: u32 = 36;

/// The same for feet that move through soil: each triangle is evaluated separately; chords within 2 % of the
/// radius.
const SEGMENTS_THROUGH: u32 = 16;
/// Stiffness of unloading, Pa/m, and time of damping, s: soils of the library have this stiffness, and a foot
/// of several kilograms on a sole of square decimetres has a damping ratio of one half.
const ELASTIC: f64 = 1e9;
const RELAXATION: f64 = 1e-3;

/// Reasons that a foot cannot be a body in soil.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum GridError {
    /// It is on hard ground, or deforms itself.
    #[error("cannot press a grid or move through soil: it needs soil and a hard foot")]
    NotHardInSoil,
}

/// The body in soil that replaces a foot, with the same name.
pub fn in_soil(foot: &FootContact) -> Result<SoilBody, GridError> {
    if matches!(foot.law.ground, FootGround::Hard { .. }) || foot.law.spring.is_some() {
        return Err(GridError::NotHardInSoil);
    }
    let (X_FG, shape) = foot.law.shape.form();
    let shape = SoilShape::Mesh(shape.triangulate(SEGMENTS));
    Ok(SoilBody {
        name: foot.name.clone(),
        body: foot.body,
        X_BS: foot.X_BF.compose(&X_FG),
        surface: SoilSurface { shape, carried_layer: 0.0, bedded: false },
        skin: None,
    })
}

/// The body of surface elements that replaces a foot, with the same name. A foot is rough: the friction is
/// that of soil on soil.
pub fn through_soil(foot: &FootContact) -> Result<IntruderBody, GridError> {
    let FootGround::Soil(FootSoil { law, exponent, friction_angle, .. }) = foot.law.ground else {
        return Err(GridError::NotHardInSoil);
    };
    if foot.law.spring.is_some() {
        return Err(GridError::NotHardInSoil);
    }
    let (X_FG, shape) = foot.law.shape.form();
    let width = foot.law.shape.pressure_width();
    Ok(IntruderBody {
        name: foot.name.clone(),
        body: foot.body,
        X_BS: foot.X_BF.compose(&X_FG),
        mesh: shape.triangulate(SEGMENTS_THROUGH),
        soil: IntrusionSoil {
            law,
            exponent,
            width,
            friction_angle,
            elastic_stiffness: ELASTIC,
            relaxation: RELAXATION,
        },
    })
}
