//! Smooth contact against closed forms, differences and balances.

mod energy;
mod flats;
mod kinematics;
mod rings;
mod search;
mod tangents;

use super::*;
use touchdown_geometry::Raster;
use touchdown_geometry::surface::{BodySurface, HeightForm, HeightSurface, Smoothness};
use touchdown_math::{Pose, rotation};

/// Numbers in [−1, 1] from a seed, the same everywhere.
pub(super) struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn vector(&mut self, scale: f64) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next()) * scale
    }

    pub fn pose(&mut self, turn: f64, shift: f64) -> Pose {
        Pose::new(&rotation::exp(&self.vector(turn)), self.vector(shift))
    }
}

pub(super) fn bowl() -> HeightSurface {
    HeightSurface::new(HeightForm::Paraboloid { height: 0.0, coefficients: [0.2, 0.2] })
}

pub(super) fn saddle() -> HeightSurface {
    HeightSurface::new(HeightForm::Paraboloid { height: 0.1, coefficients: [0.3, -0.4] })
}

/// Gentle hills as a map with its south-western node at (−4, −4).
pub(super) fn hills(smoothness: Smoothness) -> HeightSurface {
    let nodes = 81;
    let spacing = 0.1;
    let z = |k: usize| {
        let (x, y) = (-4.0 + spacing * (k % nodes) as f64, -4.0 + spacing * (k / nodes) as f64);
        0.2 * (1.3 * x).sin() * (0.9 * y).cos()
    };
    let raster = Raster::new([-4.0, -4.0], spacing, nodes, nodes, (0..nodes * nodes).map(z).collect());
    HeightSurface::new(HeightForm::Map { raster: raster.expect("a valid map"), smoothness })
}

pub(super) fn ball(radius: f64) -> Form {
    Form::Body(BodySurface::Sphere { radius })
}

pub(super) fn ellipsoid() -> Form {
    Form::Body(BodySurface::Ellipsoid { semi_axes: [0.3, 0.2, 0.15] })
}

pub(super) fn linear_law(friction: FrictionLaw) -> SurfaceLaw {
    SurfaceLaw { normal: NormalLaw::Linear { stiffness: 2e4, damping: 40.0 }, friction }
}

pub(super) const REGULARISED: FrictionLaw = FrictionLaw::Regularised { coefficient: 0.4, speed: 0.01 };
pub(super) const STICK_SLIP: FrictionLaw =
    FrictionLaw::StickSlip { stick: 0.6, slip: 0.4, speed: 0.1, stiffness: 1e4, damping: 50.0 };

pub(super) fn pair(one: Form, two: Form, law: SurfaceLaw) -> SurfacePair {
    SurfacePair::new(one, two, law, PairOptions { threshold: 0.3, most: 4 }).expect("a valid pair")
}

pub(super) fn moving(X_WS: Pose, v_WS: Vec3, w_WS: Vec3) -> SurfaceMotion {
    SurfaceMotion { X_WS, v_WS, w_WS }
}

/// The side some time later at constant velocities: exactly a rotation about its origin, which moves straight on.
pub(super) fn later(side: &SurfaceMotion, t: f64) -> SurfaceMotion {
    let turn = rotation::exp(&(side.w_WS * t)).to_rotation_matrix().into_inner();
    let X_WS = Pose { R: turn * side.X_WS.R, p: side.X_WS.p + side.v_WS * t };
    SurfaceMotion { X_WS, ..*side }
}

/// All problems come back at once, and ground belongs first.
#[test]
fn parameters_report_all_problems() {
    let law = SurfaceLaw {
        normal: NormalLaw::Linear { stiffness: -1.0, damping: f64::NAN },
        friction: FrictionLaw::Regularised { coefficient: 0.3, speed: 0.0 },
    };
    let problems =
        SurfacePair::new(ball(0.0), Form::Height(bowl()), law, PairOptions { threshold: 0.1, most: 9 });
    let text: Vec<String> = problems.expect_err("all is wrong").iter().map(|p| p.to_string()).collect();
    assert_eq!(text.len(), 6, "{text:?}");
    assert_eq!(text[0], "radius must lie in (0, 1000000] m, found 0");
    assert!(text[5].starts_with("the first side of a pair must be ground"));
}
