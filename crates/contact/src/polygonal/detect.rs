//! The radial–axial map: which faces of a body touch a body of revolution, and how deep their corners are. Everything in the frame R of the
//! reference body, whose axis is z; no forces.

use super::cut::Cut;
use super::faces::{Faces, LEAF_CORNERS, Node};
use super::tangent::Bending;
use touchdown_geometry::revolution::{Foot, FreeEnd, Near, Point, Section};
use touchdown_math::{Pose, Vec3};

/// A corner on the map.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    /// Place, m.
    pub p_R: Vec3,
    /// Its foot on the section.
    pub foot: Foot,
    /// Unit normal of the reference body.
    pub n: Vec3,
    /// Direction around the axis.
    around: Vec3,
    /// Distance from the axis, m.
    radius: f64,
}

/// Work counters of detection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Spheres of the tree that were tested.
    pub spheres: u32,
    /// Candidate corners mapped to the radial–axial plane.
    pub corners: u32,
}

impl Corner {
    #[inline]
    fn of(leaf: &Leaf, p_R: &Vec3) -> Corner {
        let (radius, outward) = radial(p_R);
        let foot = foot(leaf.section, leaf.near, leaf.end, [p_R.z, radius]);
        let n = outward * foot.normal[1] + Vec3::z() * foot.normal[0];
        Corner { p_R: *p_R, foot, n, around: Vec3::new(-outward.y, outward.x, 0.0), radius }
    }

    /// The foot in space, m.
    pub fn foot_R(&self) -> Vec3 {
        self.p_R - self.n * self.foot.distance
    }

    /// How the normal turns: in the plane of the axis by the section's curvature, around the axis because the
    /// normal turns with the point.
    pub fn bending(&self) -> Bending {
        let around = if self.radius > 0.0 { self.foot.normal[1] / self.radius } else { 0.0 };
        Bending { curvature: [self.foot.bend, around], direction: [self.n.cross(&self.around), self.around] }
    }
}

/// Distance from the axis and the unit vector away from it; on the axis, along x.
#[inline]
fn radial(p_R: &Vec3) -> (f64, Vec3) {
    let radius = (p_R.x * p_R.x + p_R.y * p_R.y).sqrt();
    if radius > 0.0 { (radius, Vec3::new(p_R.x / radius, p_R.y / radius, 0.0)) } else { (0.0, Vec3::x()) }
}

#[inline]
fn map(p_R: &Vec3) -> Point {
    [p_R.z, (p_R.x * p_R.x + p_R.y * p_R.y).sqrt()]
}

/// Corners of a leaf on the map, one list for each number.
pub(super) struct Mapped {
    /// Places, m: all x, all y, all z.
    pub p_R: [[f64; LEAF_CORNERS]; 3],
    /// Distances from the axis, m.
    pub radius: [f64; LEAF_CORNERS],
    /// Signed distances from the section, m.
    distance: [f64; LEAF_CORNERS],
    /// If feet were searched one by one: normals (axial and radial part) and the bends of the section there.
    normal: [[f64; LEAF_CORNERS]; 2],
    bend: [f64; LEAF_CORNERS],
}

impl Mapped {
    fn new() -> Mapped {
        const ROOM: [f64; LEAF_CORNERS] = [0.0; LEAF_CORNERS];
        Mapped { p_R: [ROOM; 3], radius: ROOM, distance: ROOM, normal: [ROOM; 2], bend: ROOM }
    }

    #[inline]
    fn place(&self, k: usize) -> Vec3 {
        Vec3::new(self.p_R[0][k], self.p_R[1][k], self.p_R[2][k])
    }

    #[inline]
    fn point(&self, k: usize) -> Point {
        [self.p_R[2][k], self.radius[k]]
    }
}

/// A leaf with at least one corner inside the material.
pub(super) struct Leaf<'a> {
    pub node: &'a Node,
    pub at: &'a Mapped,
    near: &'a Near,
    section: &'a Section,
    depth_max: f64,
    /// The free end of the section that corners of the leaf lie beyond, if any do.
    end: Option<usize>,
    /// Whether all feet lie inside one segment.
    plain: bool,
}

/// How much of a face lies before the free end of its leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Before {
    Whole,
    Part,
    Nothing,
}

impl Leaf<'_> {
    /// Penetrations of a face's corners, m, if it touches and no corner is too deep.
    #[inline]
    pub fn depths(&self, corners: &[u8; 3]) -> Option<[f64; 3]> {
        let s = corners.map(|k| -self.at.distance[usize::from(k)]);
        let touches = s[0].max(s[1]).max(s[2]);
        (touches > 0.0 && touches <= self.depth_max).then_some(s)
    }

    /// A corner on the map.
    #[inline]
    pub fn corner(&self, k: usize) -> Corner {
        Corner::of(self, &self.at.place(k))
    }

    /// How much of a face lies before the free end.
    #[inline]
    pub fn before_end(&self, corners: &[u8; 3]) -> Before {
        let Some(end) = self.free_end() else { return Before::Whole };
        let b = corners.map(|k| before(&end, self.at.point(usize::from(k))));
        match b.iter().filter(|b| **b > 0.0).count() {
            3 => Before::Whole,
            0 => Before::Nothing,
            _ => Before::Part,
        }
    }

    /// Where the free end cuts a face.
    pub fn cut(&self, corners: &[u8; 3]) -> Option<Cut> {
        let end = self.free_end()?;
        let places = corners.map(|k| self.at.place(usize::from(k)));
        let gradient = places.map(|p| -(radial(&p).1 * end.tangent[1] + Vec3::z() * end.tangent[0]));
        Some(Cut { b: places.map(|p| before(&end, map(&p))), gradient })
    }

    #[inline]
    fn free_end(&self) -> Option<FreeEnd> {
        self.section.free_ends()[self.end?]
    }

    /// Normals of all corners (axial and radial part) and the bends of the section there.
    #[inline]
    pub fn normals(&self, out: [&mut [f64]; 3]) {
        let count = out[0].len();
        let (a, r) = (&self.at.p_R[2][..count], &self.at.radius[..count]);
        if self.plain {
            return self.section.normals_inside(self.near, a, r, out);
        }
        for (out, known) in out.into_iter().zip([&self.at.normal[0], &self.at.normal[1], &self.at.bend]) {
            out.copy_from_slice(&known[..count]);
        }
    }

    /// Penetrations of all corners, m, if all are inside, none too deep, and none beyond a free end; least and largest of them.
    #[inline]
    pub fn all_inside(&self, out: &mut [f64]) -> Option<[f64; 2]> {
        let (mut least, mut most) = (f64::INFINITY, 0.0);
        for (distance, out) in self.at.distance.iter().zip(out) {
            let s = -distance;
            *out = s;
            least = if s < least { s } else { least };
            most = if s > most { s } else { most };
        }
        (least > 0.0 && most <= self.depth_max && self.end.is_none()).then_some([least, most])
    }

    /// The foot of a corner.
    #[inline]
    pub fn foot(&self, k: usize) -> Foot {
        foot(self.section, self.near, self.end, self.at.point(k))
    }

    /// Number of its corners.
    #[inline]
    pub fn corners(&self) -> usize {
        (self.node.corners[1] - self.node.corners[0]) as usize
    }
}

/// The foot of a point; beyond the given free end, that on the continued surface.
#[inline]
fn foot(section: &Section, near: &Near, end: Option<usize>, p: Point) -> Foot {
    let foot = section.foot_among(near, p);
    if foot.free_end.is_some() && foot.free_end == end {
        section.foot_extended(foot.segment, p)
    } else {
        foot
    }
}

/// How far a point lies before a free end, m.
#[inline]
fn before(end: &FreeEnd, p: Point) -> f64 {
    (end.point[0] - p[0]) * end.tangent[0] + (end.point[1] - p[1]) * end.tangent[1]
}

/// Calls `touch` for every leaf with a corner inside the material, in ascending order.
#[inline]
pub(super) fn for_each_leaf(
    faces: &Faces,
    section: &Section,
    X_RB: &Pose,
    depth_max: f64,
    mut touch: impl FnMut(&Leaf),
) -> Effort {
    let mut effort = Effort::default();
    let mut at = Mapped::new();
    let (mut k, mut last) = (0, 0);
    while let Some(node) = faces.nodes.get(k) {
        effort.spheres += 1;
        let (centre, radius) = node.place(X_RB);
        let foot = section.foot_from(centre, last);
        last = foot.segment;
        if foot.clearance > radius || foot.distance < -(radius + depth_max) {
            k = node.skip as usize;
            continue;
        }
        k += 1;
        if node.faces[0] == node.faces[1] {
            continue;
        }
        let near = section.near_foot(centre, radius, &foot);
        effort.corners += node.corners[1] - node.corners[0];
        let map = map_leaf(faces, section, X_RB, node, &near, &mut at);
        if map.touches {
            let (end, plain) = (map.end, map.plain);
            touch(&Leaf { node, at: &at, near: &near, section, depth_max, end, plain });
        }
    }
    effort
}

/// Calls `touch(face, corner indices, corners)` for every touching face, in ascending order.
pub(super) fn for_each_touching(
    faces: &Faces,
    section: &Section,
    X_RB: &Pose,
    depth_max: f64,
    mut touch: impl FnMut(u32, [usize; 3], &[Corner; 3], Option<&Cut>),
) -> Effort {
    // A corner is needed by up to six faces: keep those of the leaf.
    let mut known = [None; LEAF_CORNERS];
    for_each_leaf(faces, section, X_RB, depth_max, |leaf| {
        known[..(leaf.node.corners[1] - leaf.node.corners[0]) as usize].fill(None);
        let first = leaf.node.corners[0] as usize;
        for f in leaf.node.faces[0]..leaf.node.faces[1] {
            let local = &faces.faces[f as usize].corners;
            let before = leaf.before_end(local);
            if before != Before::Nothing && leaf.depths(local).is_some() {
                let cut = if before == Before::Part { leaf.cut(local) } else { None };
                let local = local.map(usize::from);
                touch(
                    f,
                    local.map(|k| k + first),
                    &local.map(|k| *known[k].get_or_insert_with(|| leaf.corner(k))),
                    cut.as_ref(),
                );
            }
        }
    })
}

/// Result of mapping a leaf.
struct Map {
    touches: bool,
    plain: bool,
    /// The first free end that a corner lies beyond.
    end: Option<usize>,
}

/// Places and distances of a leaf's corners. Distances beyond a free end are from the continued surface:
/// faces are cut at the end later.
#[inline]
fn map_leaf(faces: &Faces, section: &Section, X_RB: &Pose, node: &Node, near: &Near, at: &mut Mapped) -> Map {
    let range = node.corners[0] as usize..node.corners[1] as usize;
    let count = range.len().min(LEAF_CORNERS);
    let [x, y, z] = [0, 1, 2].map(|axis| &faces.corners[axis][range.clone()]);
    for (row, out) in at.p_R.iter_mut().enumerate() {
        let (R, p) = (X_RB.R.row(row), X_RB.p[row]);
        let (a, b, c) = (R[0], R[1], R[2]);
        for (((x, y), z), out) in x.iter().zip(y).zip(z).zip(&mut out[..count]) {
            *out = a * x + b * y + c * z + p;
        }
    }
    let (x, y, z) = (&at.p_R[0][..count], &at.p_R[1][..count], &at.p_R[2][..count]);
    for ((x, y), radius) in x.iter().zip(y).zip(&mut at.radius[..count]) {
        *radius = (x * x + y * y).sqrt();
    }
    let (radius, distance) = (&at.radius[..count], &mut at.distance[..count]);
    let plain = section.distances_inside(near, z, radius, distance);
    let mut end = None;
    if !plain {
        let mut last = 0;
        for k in 0..count {
            let p = [z[k], radius[k]];
            let mut foot = section.foot_beside(near, p, &mut last);
            if foot.free_end.is_some() {
                end = end.or(foot.free_end);
                if end == foot.free_end {
                    foot = section.foot_extended(foot.segment, p);
                }
            }
            distance[k] = foot.distance;
            (at.normal[0][k], at.normal[1][k], at.bend[k]) = (foot.normal[0], foot.normal[1], foot.bend);
        }
    }
    let touches = distance.iter().fold(false, |touches, distance| touches | (*distance < 0.0));
    Map { touches, plain, end }
}
