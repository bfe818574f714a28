//! Deforming geometry as messages, and back.

use super::own::{Deformation, Deformations};
use super::{Scene, write};

/// Unit of displacements, m: a hundredth of a millimetre is less than a pixel.
pub(crate) const UNIT: f64 = 1e-5;

/// Displacements of the deforming geometry.
pub(crate) fn deformations(scene: &Scene, time: u64, forms: &[Vec<[f32; 3]>]) -> Deformations {
    let form = |(k, corners): (usize, &Vec<[f32; 3]>)| Deformation {
        form: scene
            .deforming
            .get(k)
            .and_then(|n| scene.contact_forms.get(*n))
            .map(|f| f.name.clone())
            .unwrap_or_default(),
        displacements: corners.iter().flatten().map(|d| (f64::from(*d) / UNIT).round() as i32).collect(),
    };
    Deformations {
        timestamp: Some(write::timestamp(time)),
        unit: UNIT,
        forms: forms.iter().enumerate().map(form).collect(),
    }
}

/// Displacements of one form in a message.
pub(crate) fn corners_of(unit: f64, message: &Deformation, out: &mut Vec<[f32; 3]>) {
    out.clear();
    out.extend(
        message.displacements.as_chunks::<3>().0.iter().map(|d| d.map(|n| (unit * f64::from(n)) as f32)),
    );
}
