//! Tests of soil contact, by the kind of claim. This file has the shared parts: a soil, bodies, and a bench
//! that moves them as prescribed.

mod bodies;
mod books;
mod bow;
mod checks;
mod deforming;
mod deposits;
mod friction;
mod heap;
mod laws;
mod lifting;
mod memory;
mod places;
mod saving;
mod sharing;
mod surface;
mod tangents;
mod wheels;

use super::*;
use touchdown_geometry::{Relief, Shape};
use touchdown_math::{Mat3, Mat6, Pose};

/// The wheel of most tests: radius and width, m.
const RADIUS: f64 = 0.125;
const WIDTH: f64 = 0.1;
/// Its sinkage: what 128 N press it to when all shear is mobilised, m.
const SINKAGE: f64 = 0.05387;
/// Its speed, m/s.
const SPEED: f64 = 0.02;

/// The soil of Krenn & Hirzinger, Fig. 17, with another strength and slope of unloading.
fn ground(friction_angle_deg: f64, cohesion: f64, elastic_stiffness: f64) -> SoilParameters {
    SoilParameters {
        law: PressureLaw::Bekker { cohesive: 2370.0, frictional: 60_300.0 },
        exponent: 0.63,
        cohesion,
        friction_angle: friction_angle_deg.to_radians(),
        elastic_stiffness,
        damping: 0.0,
        shear_length: 0.025,
        compaction: 0.0,
    }
}

/// The soil of Fig. 17 as simulated by default.
fn sand() -> SoilParameters {
    ground(24.8, 188.0, 1e9)
}

/// Forces alone: nothing is put down, nothing slides.
fn bare() -> SoilOptions {
    SoilOptions {
        width: BekkerWidth::Given(0.1),
        friction: FrictionLaw::Coulomb { speed: 1e-6 },
        interface_angle: None,
        stress: StressLaw::Bekker,
        deposition: false,
        erosion: false,
        spread_exponent: 2.0,
        move_every: 1,
        sweeps: 3,
    }
}

/// The whole model.
fn full() -> SoilOptions {
    SoilOptions { friction: FrictionLaw::Coulomb { speed: 0.01 }, deposition: true, erosion: true, ..bare() }
}

fn flat() -> Relief {
    Relief::Plane { height: 0.0, gradient: [0.0; 2] }
}

fn smooth_wheel() -> SoilSurface {
    SoilSurface {
        shape: SoilShape::Wheel { radius: RADIUS, width: WIDTH, grousers: None },
        carried_layer: 0.0,
        bedded: false,
    }
}

/// A wheel that drags a layer of 5 mm along.
fn carrying_wheel() -> SoilSurface {
    SoilSurface { carried_layer: 0.005, ..smooth_wheel() }
}

/// A box of 20 mm height; its frame in its middle.
fn plate(x: f64, y: f64) -> SoilSurface {
    let shape = SoilShape::Mesh(Shape::Box { size: Vec3::new(x, y, 0.02) }.triangulate(3));
    SoilSurface { shape, carried_layer: 0.0, bedded: false }
}

/// Motion without turning, of an upright frame at p.
fn sliding(p: Vec3, v: Vec3) -> SurfaceMotion {
    SurfaceMotion { X_WS: Pose { R: Mat3::identity(), p }, v_WS: v, w_WS: Vec3::zeros() }
}

/// Rotation about the vertical.
fn turned(yaw: f64) -> Mat3 {
    let (s, c) = yaw.sin_cos();
    Mat3::new(c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0)
}

/// A wheel heading along x turned by `yaw`, at p with the speed forward and the spin.
fn rolling(yaw: f64, p: Vec3, v: f64, spin: f64) -> SurfaceMotion {
    let R = turned(yaw);
    SurfaceMotion { X_WS: Pose { R, p }, v_WS: R * Vec3::x() * v, w_WS: R * Vec3::y() * spin }
}

/// Soil and bodies that move as prescribed.
#[derive(Clone)]
struct Bench {
    soil: Soil,
    bodies: Vec<SoilContact>,
    held: Vec<ContactState>,
    t: f64,
}

impl Bench {
    fn new(spacing: f64, soil: SoilParameters, options: SoilOptions, bodies: &[SoilSurface]) -> Bench {
        let soil = Soil::new(flat(), spacing, vec![soil], vec![], options);
        Bench::on(soil, bodies.iter().map(SoilContact::new).collect())
    }

    /// Bodies that have touched nothing, at time 0.
    fn on(soil: Soil, bodies: Vec<SoilContact>) -> Bench {
        Bench { soil, held: vec![ContactState::default(); bodies.len()], bodies, t: 0.0 }
    }

    /// Forces on the first body, nothing committed.
    fn look(&mut self, motion: &SurfaceMotion) -> SoilForce {
        self.evaluate(motion, 0.0, None)
    }

    /// The same some time after the last commit, with a tangent if asked.
    fn evaluate(
        &mut self,
        motion: &SurfaceMotion,
        since: f64,
        tangent: Option<(TangentWeights, &mut Mat6)>,
    ) -> SoilForce {
        self.bodies[0].evaluate((&self.soil, &self.held[0]), motion, since, tangent)
    }

    /// Moves all bodies and commits; the force on the first.
    fn step(&mut self, h: f64, motions: &[SurfaceMotion]) -> SoilForce {
        let mut first = SoilForce::default();
        for (i, (body, motion)) in self.bodies.iter_mut().zip(motions).enumerate().rev() {
            let force = body.evaluate((&self.soil, &self.held[i]), motion, h, None);
            if i == 0 {
                first = force;
            }
        }
        self.t += h;
        self.soil.advance(self.t, self.bodies.iter_mut().zip(&mut self.held));
        first
    }

    /// All that a later step depends on.
    fn state(&self) -> (SoilState, Vec<ContactState>) {
        (self.soil.save(), self.held.clone())
    }

    /// Goes back to that.
    fn restore(&mut self, (soil, held): (SoilState, Vec<ContactState>)) {
        assert!(self.soil.restore(soil));
        assert!(held.iter().all(|held| held.fits(&self.soil)));
        self.held = held;
    }

    /// Heights of a square of nodes around the origin, m.
    fn heights(&self, half: i32) -> impl Iterator<Item = (f64, f64, f64)> + '_ {
        let ds = self.soil.spacing();
        let at = move |i: i32, j: i32| (f64::from(i) * ds, f64::from(j) * ds);
        let nodes = (-half..=half).flat_map(move |j| (-half..=half).map(move |i| at(i, j)));
        nodes.map(|(x, y)| (x, y, self.soil.surface(x, y).unwrap_or(f64::NAN)))
    }
}
