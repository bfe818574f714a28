//! Tests of feet, by the kind of claim; here the feet, soils and motions that they share.

mod energy;
mod equations;
mod footprints;
mod tangents;

use super::*;
use crate::law::hunt_crossley::HuntCrossley;
use crate::law::shear::Mobilisation;
use crate::law::sinkage::PressureLaw;
use touchdown_math::Pose;

/// Dry sand of Ding et al., Table 6, the soil of Fig. 11; the shear length is the usual one for dry sand.
fn sand(model: FootModel) -> FootSoil {
    FootSoil {
        law: PressureLaw::Bekker { cohesive: 990.0, frictional: 1_528_430.0 },
        exponent: 1.1,
        cohesion: 1040.0,
        friction_angle: 28f64.to_radians(),
        shear_length: 0.025,
        model,
        stress: Stress::Symmetric,
        damping: HuntCrossley { k: 0.0, n: 1.0, b: 0.0, p: 0.0, q: 1.0 },
        recovery: 1e-3,
        relaxation: 2e-3,
    }
}

const CYLINDER: FootShape = FootShape::Cylindrical { radius: 0.05, width: 0.08 };
const BALL: FootShape = FootShape::Spherical { radius: 0.05 };
const DISC: FootShape = FootShape::FlatCircular { radius: 0.05 };
const PLATE: FootShape = FootShape::FlatRectangular { width: 0.08, length: 0.1 };

fn on_soil(shape: FootShape, soil: FootSoil, spring: Option<HuntCrossley>) -> Foot {
    Foot::new(FootParameters {
        shape,
        spring,
        ground: FootGround::Soil(soil),
        curve: Mobilisation::Janosi,
        tangential_stiffness: 2e4,
        tangential_relaxation: 1e-4,
    })
    .expect("valid parameters")
}

/// The foot of section 5.2 on marble: spring with the damping of group 2, friction of Table 11.
fn on_marble(shape: FootShape) -> Foot {
    Foot::new(FootParameters {
        shape,
        spring: Some(HuntCrossley { k: 11_945.0, n: 1.0, b: 398.21, p: 0.25, q: 0.76 }),
        ground: FootGround::Hard { friction: 0.407, shear_length: 11.388e-3 },
        curve: Mobilisation::Janosi,
        tangential_stiffness: 5e4,
        tangential_relaxation: 1e-4,
    })
    .expect("valid parameters")
}

fn level() -> GroundPlane {
    GroundPlane { point: Vec3::zeros(), normal: Vec3::z() }
}

/// A foot whose lowest point is at the depth, moving with (v_x, v_y, −rate).
fn at_depth(foot: &Foot, depth: f64, v: [f64; 2], rate: f64) -> SurfaceMotion {
    let height = foot.params().shape.round().unwrap_or(0.0);
    SurfaceMotion {
        X_WS: Pose::translation(Vec3::new(0.0, 0.0, height - depth)),
        v_WS: Vec3::new(v[0], v[1], -rate),
        w_WS: Vec3::zeros(),
    }
}

/// Falls with the mass and the load downwards, in steps of backward Euler; returns (depth, rate, force) after each.
fn drop_foot(foot: &Foot, mass: f64, load: f64, speed: f64, h: f64, steps: usize) -> Vec<[f64; 3]> {
    let (mut depth, mut rate, mut z) = (0.0, speed, [0.0; STATES]);
    let mut out = Vec::new();
    for _ in 0..steps {
        // Newton on the rate at the end; its bounds keep jumps of the law in check.
        let mut v: f64 = rate;
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        let mut solved = None;
        for _ in 0..200 {
            let motion = at_depth(foot, depth + h * v, [0.0, 0.0], v);
            let (force, tangent, next) = foot.calc_force_implicit(&motion, &level(), &z, h);
            let miss = mass * (v - rate) + h * (force.normal_force - load);
            solved = Some((force, next));
            if miss > 0.0 {
                high = v
            } else {
                low = v
            }
            let slope = mass - h * (tangent.D[(5, 5)] + h * tangent.K[(5, 5)]);
            let next_v = v - miss / slope;
            let inside = next_v > low && next_v < high;
            let next_v = if inside || !(low + high).is_finite() { next_v } else { 0.5 * (low + high) };
            if (next_v - v).abs() < 1e-14 {
                break;
            }
            v = next_v;
        }
        let (force, next) = solved.expect("at least one evaluation");
        (depth, rate, z) = (depth + h * v, v, next);
        out.push([depth, rate, force.normal_force]);
    }
    out
}
