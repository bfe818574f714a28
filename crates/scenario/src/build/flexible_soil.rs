//! Flexible wheels in soil: the outer face of the deformed rim is in contact.

use super::Builder;
use super::flexible_form::Made;
use super::study::presses_wheel;
use crate::table::FlexibleFormKeys;
use std::f64::consts::TAU;
use touchdown_contact::soil::{SoilShape, SoilSurface};
use touchdown_math::{Mat3, Pose};
use touchdown_sim::description::{FlexSkin, SoilBody};

/// Cells across the face of a rim element, which is nearly straight in this direction.
const ACROSS: usize = 4;
/// Cells along a face at most.
const ALONG_MAX: f64 = 1000.0;

impl Builder<'_> {
    /// Adds the contact of a flexible wheel with the terrain, in place of a rigid wheel on the same body;
    /// `false` without soil or in studies without time.
    pub(super) fn put_into_soil(
        &mut self,
        name: &str,
        form: &FlexibleFormKeys,
        made: &Made,
        on: Option<&(usize, Pose)>,
    ) -> Option<bool> {
        let Some(spacing) = self.terrain_keys().map(|terrain| terrain.spacing) else { return Some(false) };
        if presses_wheel(self.root) {
            return Some(false);
        }
        let (Some(wheel), Some((body, X_BM))) = (&made.wheel, on) else {
            if form.contact.is_some() {
                let what = "can touch soil only as a wheel on a body";
                self.issues
                    .at(form.here.loc, &form.here.path, what)
                    .hint("on [ground] any flexible body touches");
                return None;
            }
            return Some(false);
        };
        let rigid = self.soil_bodies.iter().position(|b| b.body == *body && b.skin.is_none());
        let rigid = rigid.map(|at| self.soil_bodies.remove(at));
        // Grousers are a law of rigid wheels. Silently omitting them would turn a comparison of the two
        // wheels into one of grousers.
        if let Some(SoilShape::Wheel { grousers: Some(grousers), .. }) =
            rigid.as_ref().map(|b| &b.surface.shape)
        {
            self.issues
                .at(
                    form.here.loc,
                    &form.here.path,
                    "stands in the place of a wheel with grousers, which flexible wheels cannot have",
                )
                .found(format!("{} grousers", grousers.count))
                .allowed("0")
                .hint("grousers = 0, or rigid = true to keep the rigid wheel");
            return None;
        }
        // Triangles not larger than the soil's cells.
        let around = 4.0 * form.elements_per_quadrant.max(1) as f64;
        let along = (TAU * wheel.radius / (around * spacing)).ceil().clamp(1.0, ALONG_MAX) as usize;
        let surface = SoilSurface {
            shape: SoilShape::Wheel { radius: wheel.radius, width: wheel.width, grousers: None },
            carried_layer: rigid.as_ref().map_or(0.0, |b| b.surface.carried_layer),
            bedded: false,
        };
        self.soil_bodies.push(SoilBody {
            name: rigid.map_or_else(|| name.to_string(), |b| b.name),
            body: *body,
            X_BS: X_BM.compose(&Pose { R: Mat3::identity(), p: wheel.centre }),
            surface,
            skin: Some(FlexSkin {
                flexible: self.flexible.len(),
                faces: made.faces.clone(),
                cells: [along, ACROSS],
            }),
        });
        Some(true)
    }
}
