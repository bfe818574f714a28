//! Feet on a grid of soil: each becomes a body that presses into it and keeps its footprints.

use thiserror::Error;
use touchdown_contact::foot::FootGround;
use touchdown_contact::soil::{SoilShape, SoilSurface};
use touchdown_sim::description::{FootContact, SoilBody};

/// Triangles around a full circle of a foot on a grid: chords within 0.4 % of the radius, a tenth of a cell.
const SEGMENTS: u32 = 36;

/// Why a foot cannot press a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum GridError {
    /// It stands on hard ground, or gives way itself.
    #[error("cannot press a grid: it needs soil and a hard foot")]
    NotHardInSoil,
}

/// The body in soil that stands for a foot, called like it.
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
