//! Booms in the loop: the motion of both ends ⇒ wrenches on their bodies, powers of the ledger; and what a boom looks like while it bends.
//!
//! A boom has no state. Its length is a function of time, or what [`BoomOnLinks::set_length`] said before the evaluation.

use crate::description::{Boom, WorldDescription};
use crate::sides::{Moving, Side, both_sides};
use crate::system::System;
use touchdown_geometry::TriangleMesh;
use touchdown_math::{Mat3, Mat6, Signal, Vec3, Wrench, cross_matrix};
use touchdown_multibody::rigid::Model;
use touchdown_multibody::rigid::elements::Powers;
use touchdown_multibody::rigid::tangent::Weights;
use touchdown_spacecraft::boom::column::deflection;
use touchdown_spacecraft::boom::{BoomForce, BoomParameters, EndMotion};

/// A boom on its links.
#[derive(Clone, Debug)]
pub(crate) struct BoomOnLinks {
    pub name: String,
    pub law: BoomParameters,
    /// Tip and root.
    sides: [Side; 2],
    length: Signal,
    /// Length and rate that a controller commands, m and m/s.
    commanded: Option<(f64, f64)>,
    /// Length and rate of the last evaluation. Written by `update_booms`.
    pub driven: (f64, f64),
    /// What the last evaluation gave, and where the tip was. Written by `update_booms`.
    pub force: BoomForce,
    pub motion: EndMotion,
}

impl BoomOnLinks {
    /// All of a description.
    pub fn all(description: &WorldDescription, model: &Model) -> Vec<BoomOnLinks> {
        description.booms.iter().map(|boom| BoomOnLinks::new(boom, model)).collect()
    }

    fn new(boom: &Boom, model: &Model) -> BoomOnLinks {
        let side =
            |at: &touchdown_multibody::description::Attachment| Side::new(model, at.body, &at.X_BF, 0.0);
        let length = boom.length.value(0.0);
        let straight =
            EndMotion { d: Vec3::z() * length, R: Mat3::identity(), d_dot: Vec3::zeros(), w: Vec3::zeros() };
        BoomOnLinks {
            name: boom.name.clone(),
            law: boom.law,
            sides: [side(&boom.tip), side(&boom.root)],
            length: boom.length.clone(),
            commanded: None,
            driven: (length, 0.0),
            force: boom.law.evaluate(&straight, (length, 0.0)),
            motion: straight,
        }
    }

    /// The length (m) and its rate (m/s) at the evaluations to come, in place of the function of time: once before each of them.
    pub fn set_length(&mut self, value: f64, rate: f64) {
        self.commanded = Some((value, rate));
    }

    /// Follows another function of time.
    pub fn follow(&mut self, length: Signal) {
        self.length = length;
    }

    /// Bodies of tip and root.
    pub fn bodies(&self) -> [Option<usize>; 2] {
        [0, 1].map(|k| self.sides[k].body)
    }

    fn length_at(&self, t: f64) -> (f64, f64) {
        self.commanded.unwrap_or_else(|| {
            let [value, rate, _] = self.length.jet(t);
            (value, rate)
        })
    }
}

/// Motion of the tip in the root's axes.
fn end_motion(tip: &Moving, root: &Moving) -> EndMotion {
    let Rt = root.X_WS.R.transpose();
    let r = tip.X_WS.p - root.X_WS.p;
    EndMotion {
        d: Rt * r,
        R: Rt * tip.X_WS.R,
        d_dot: Rt * (tip.v - root.v - root.w.cross(&r)),
        w: Rt * (tip.w - root.w),
    }
}

impl System {
    /// Booms ⇒ wrenches on their bodies. Needs kinematics.
    pub(crate) fn update_booms(&mut self, t: f64, weights: Option<Weights>) -> Powers {
        let mut powers = Powers::default();
        for i in 0..self.booms.len() {
            let [tip, root] = [0, 1].map(|k| self.moving(&self.booms[i].sides[k]));
            let boom = &mut self.booms[i];
            boom.driven = boom.length_at(t);
            boom.motion = end_motion(&tip, &root);
            let R = root.X_WS.R;
            let turned = |W: &Wrench| Wrench::new(R * W.t, R * W.f);
            let slope = match weights {
                None => {
                    boom.force = boom.law.evaluate(&boom.motion, boom.driven);
                    None
                }
                Some(w) => {
                    let (force, tangent) = boom.law.evaluate_with_tangent(&boom.motion, boom.driven);
                    boom.force = force;
                    let (mut K, D) = (to_world(&R, &tangent.K), to_world(&R, &tangent.D));
                    // The root turns on: at constant velocities in the world, a tip that is displaced moves against it.
                    let mut on = Mat6::zeros();
                    on.fixed_view_mut::<3, 3>(3, 3).copy_from(&-cross_matrix(&root.w));
                    K += D * on;
                    let W = turned(&force.wrench);
                    Some((both_sides((&K, &D), (w.q, w.v), &W, &tip, &root), w.q))
                }
            };
            powers.elastic += boom.force.elastic_energy;
            powers.dissipated += boom.force.dissipated_power;
            powers.drives += boom.force.drive_power;
            let (W, sides) = (turned(&boom.force.wrench), boom.sides.clone());
            self.push_sides(&sides, &tip.X_WS.p, &W, slope.as_ref().map(|(A, wq)| (A, *wq)));
        }
        powers
    }
}

/// Derivatives in a frame's axes ⇒ in those of the world.
fn to_world(R: &Mat3, M: &Mat6) -> Mat6 {
    let mut turn = Mat6::zeros();
    turn.fixed_view_mut::<3, 3>(0, 0).copy_from(R);
    turn.fixed_view_mut::<3, 3>(3, 3).copy_from(R);
    turn * M * turn.transpose()
}

/// Rings along a drawn boom, and corners around it.
const RINGS: usize = 33;
const AROUND: usize = 16;

/// A boom's tube in its root frame.
pub(crate) fn tube(radius: f64, length: f64) -> TriangleMesh {
    let mut mesh = TriangleMesh::default();
    for i in 0..RINGS {
        let z = length * i as f64 / (RINGS - 1) as f64;
        for k in 0..AROUND {
            let (s, c) = (std::f64::consts::TAU * k as f64 / AROUND as f64).sin_cos();
            mesh.vertices.push(Vec3::new(radius * c, radius * s, z));
        }
    }
    let at = |i: usize, k: usize| (i * AROUND + k % AROUND) as u32;
    for i in 0..RINGS - 1 {
        for k in 0..AROUND {
            mesh.triangles.push([at(i, k), at(i, k + 1), at(i + 1, k + 1)]);
            mesh.triangles.push([at(i, k), at(i + 1, k + 1), at(i + 1, k)]);
        }
    }
    mesh
}

impl BoomOnLinks {
    /// Displacements of the corners of [`tube`] in the root frame. Needs an evaluation.
    pub fn displace(&self, tube: &TriangleMesh, out: &mut Vec<[f32; 3]>) {
        out.clear();
        let (d, theta) = (self.motion.d, self.force.theta);
        let line = |s: f64| {
            let x = deflection(s, d.x, theta.y * d.z);
            let y = deflection(s, d.y, -theta.x * d.z);
            Vec3::new(x, y, s * d.z)
        };
        out.extend(tube.vertices.iter().enumerate().map(|(n, p)| {
            let s = (n / AROUND) as f64 / (RINGS - 1) as f64;
            let e = line(s) + Vec3::new(p.x, p.y, 0.0) - p;
            [e.x as f32, e.y as f32, e.z as f32]
        }));
    }
}
