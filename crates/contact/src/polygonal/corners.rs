//! The corners of a leaf in motion, one list for each number, so that loops over them are vectorised.

use super::detect::Leaf;
use super::faces::LEAF_CORNERS;
use super::pair_in_motion::PairInMotion;
use touchdown_math::Vec3;

/// One number for each corner.
pub(super) type List = [f64; LEAF_CORNERS];
const ROOM: List = [0.0; LEAF_CORNERS];

/// Corners of a leaf; axes of the reference body.
pub(super) struct Corners {
    /// Places from the body's origin, m.
    pub x: [List; 3],
    /// Unit normals of the reference body.
    pub n: [List; 3],
    /// Velocities against the reference body, m/s.
    pub v: [List; 3],
    /// Rates of penetration, m/s.
    pub s_rate: List,
    /// Speeds at which the surface of a changing reference body approaches them, m/s.
    pub surface: Option<Box<List>>,
    /// Normal forces of all faces, N.
    pub normal: List,
    /// Unit vectors away from the axis, x and y.
    pub outward: [List; 2],
    /// Curvatures of the distance's level surface: along the section, and around the axis, 1/m.
    pub bend: List,
    pub around: List,
    /// Axial and radial part of the normals.
    n_axial: List,
    n_radial: List,
}

impl Corners {
    pub fn new() -> Corners {
        Corners {
            x: [ROOM; 3],
            n: [ROOM; 3],
            v: [ROOM; 3],
            s_rate: ROOM,
            surface: None,
            normal: ROOM,
            outward: [ROOM; 2],
            bend: ROOM,
            around: ROOM,
            n_axial: ROOM,
            n_radial: ROOM,
        }
    }

    /// All corners of a leaf.
    #[inline]
    pub fn fill(&mut self, leaf: &Leaf, origin: &Vec3, motion: &PairInMotion) {
        let count = leaf.corners().min(LEAF_CORNERS);
        let Corners { x, n, v, s_rate, surface, normal, outward, bend, around, n_axial, n_radial } = self;
        leaf.normals([&mut n_axial[..count], &mut n_radial[..count], &mut bend[..count]]);
        normal[..count].fill(0.0);
        let at = leaf.at;
        for k in 0..count {
            let radius = at.radius[k];
            let inverse = if radius > 0.0 { 1.0 / radius } else { 0.0 };
            // On the axis, along x.
            outward[0][k] = if radius > 0.0 { at.p_R[0][k] * inverse } else { 1.0 };
            outward[1][k] = at.p_R[1][k] * inverse;
            around[k] = n_radial[k] * inverse;
            n[0][k] = outward[0][k] * n_radial[k];
            n[1][k] = outward[1][k] * n_radial[k];
            n[2][k] = n_axial[k];
        }
        let (v0, w) = motion.rigid();
        for k in 0..count {
            let p = [at.p_R[0][k] - origin.x, at.p_R[1][k] - origin.y, at.p_R[2][k] - origin.z];
            (x[0][k], x[1][k], x[2][k]) = (p[0], p[1], p[2]);
            v[0][k] = v0.x + (w.y * p[2] - w.z * p[1]);
            v[1][k] = v0.y + (w.z * p[0] - w.x * p[2]);
            v[2][k] = v0.z + (w.x * p[1] - w.y * p[0]);
        }
        if let Some(own) = motion.own_velocities(leaf) {
            for (k, own) in own.enumerate() {
                (0..3).for_each(|axis| v[axis][k] += own[axis]);
            }
        }
        for k in 0..count {
            s_rate[k] = -(n[0][k] * v[0][k] + n[1][k] * v[1][k] + n[2][k] * v[2][k]);
        }
        if let Some(speeds) = motion.surface_speeds(leaf) {
            let surface = surface.get_or_insert_with(|| Box::new(ROOM));
            for (k, speed) in speeds.enumerate() {
                surface[k] = speed;
                s_rate[k] += speed;
            }
        }
    }
}

/// One of the vectors.
#[inline]
pub(super) fn vector(list: &[List; 3], k: usize) -> Vec3 {
    Vec3::new(list[0][k], list[1][k], list[2][k])
}
