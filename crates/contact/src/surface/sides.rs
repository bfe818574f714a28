//! The two sides as the model uses them: a surface, or a mesh with corners as balls and faces and edges with
//! the same rounding.

use super::corners::Corners;
use super::flats::Flat;
use super::params::Form;
use super::track::Facing;
use touchdown_geometry::surface::{BodySurface, HeightForm, Surface};
use touchdown_math::{Pose, Vec3};

/// Side 2 as built.
#[derive(Clone, Debug)]
pub(super) enum Second {
    Surface(Surface),
    Corners(Corners),
}

/// The part of side 2 that a candidate touches.
#[derive(Clone, Copy, Debug)]
pub(super) enum Two<'a> {
    /// A ball in the frame of the side.
    Ball { centre: Vec3, radius: f64 },
    /// A face or edge of a mesh, and its thickness.
    Flat(Flat<'a>, f64),
    /// A surface.
    Surface(&'a Surface),
}

impl Second {
    /// From its form, beside side 1.
    pub fn new(form: Form, one: &Surface) -> Second {
        match form {
            Form::Height(height) => Second::Surface(Surface::Height(height)),
            Form::Body(body) => Second::Surface(Surface::Body(body)),
            Form::Mesh { mesh, radius } => {
                Second::Corners(Corners::new(&mesh, radius, |reach| least(one, reach)))
            }
        }
    }

    /// The part of this feature that a candidate touches.
    #[inline]
    pub fn at(&self, feature: u32) -> Two<'_> {
        match self {
            Second::Surface(Surface::Body(BodySurface::Sphere { radius })) => {
                Two::Ball { centre: Vec3::zeros(), radius: *radius }
            }
            Second::Surface(surface) => Two::Surface(surface),
            Second::Corners(corners) => match corners.flat(feature) {
                Some(flat) => Two::Flat(flat, corners.radius()),
                None => corners.ball(feature),
            },
        }
    }

    /// Whether a candidate still belongs to its feature: a place on a face or edge may have slid beyond its border.
    pub fn holds(&self, feature: u32, facing: &Facing, X_W2: &Pose) -> bool {
        let Second::Corners(corners) = self else { return true };
        let Some(flat) = corners.flat(feature) else { return true };
        let n: Vec3 = X_W2.R.tr_mul(&facing.frame_W.column(2));
        flat.holds(&(facing.places[1] + n * corners.radius()), &n)
    }

    /// Its surface; corners have none.
    pub fn surface(&self) -> Option<&Surface> {
        match self {
            Second::Surface(surface) => Some(surface),
            Second::Corners(_) => None,
        }
    }

    /// Radius of the sphere about the origin that holds the side, m; infinite for ground.
    pub fn reach(&self) -> f64 {
        match self {
            Second::Surface(Surface::Body(body)) => body.reach(),
            Second::Surface(Surface::Height(_)) => f64::INFINITY,
            Second::Corners(corners) => corners.reach(),
        }
    }
}

/// Share of a body below which its corners resolve side 1 as well as its faces and edges.
const FINE: f64 = 1.0 / 16.0;

/// Least length of a face or edge that can touch between its corners: none on a plane.
fn least(one: &Surface, reach: f64) -> f64 {
    let Surface::Height(ground) = one else { return FINE * reach };
    match ground.form() {
        HeightForm::Plane { .. } => f64::INFINITY,
        HeightForm::Map { raster, .. } => 0.5 * raster.spacing(),
        _ => FINE * reach,
    }
}
