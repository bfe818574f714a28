//! Bounds around faces, by which what is far is passed over: spheres and boxes, and circles in the radial–axial plane around rings.

use touchdown_geometry::revolution::Point;
use touchdown_math::{Pose, Vec3};

/// A sphere and a box around faces; a leaf holds faces and corners, an inner node is followed by its two children.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub centre: Vec3,
    pub radius: f64,
    /// Along the axes of the body.
    pub slab: Slab,
    /// The node to go on with when this one is passed over.
    pub skip: u32,
    /// Faces; empty for inner nodes.
    pub faces: [u32; 2],
    /// Corners; empty for inner nodes.
    pub corners: [u32; 2],
    /// Pairs of corners with a common edge.
    pub edges: [u32; 2],
    /// Area, m².
    pub area: f64,
    /// Faces with area.
    pub count: u32,
    /// The law of all its faces; `None` if they have several.
    pub law: Option<u16>,
    /// Where its faces are in the radial–axial plane of their own body, if they are rings of one of revolution about z.
    pub band: Option<Band>,
}

/// A circle in the radial–axial plane around rings of faces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Band {
    pub a: f64,
    pub radius: f64,
    pub size: f64,
}

impl Band {
    /// A circle in the reference body's radial–axial plane around where the rings are there: centre and radius.
    #[inline]
    fn place(&self, X_RB: &Pose) -> (Point, f64) {
        let axis = X_RB.R.column(2);
        let middle = X_RB.p + axis * self.a;
        // Rings that lean or lie beside the axis are spread out on the map.
        let size = |x: f64, y: f64| (x * x + y * y).sqrt();
        let (lean, widest) = (size(axis.x, axis.y), self.radius + self.size);
        let aside = size(middle.x, middle.y) + self.size * lean + widest * (1.0 - axis.z.abs());
        ([middle.z, self.radius], self.size + size(widest * lean, aside))
    }
}

/// A box around faces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slab {
    pub centre: Vec3,
    half: Vec3,
}

impl Slab {
    pub fn around(points: impl Iterator<Item = Vec3>) -> Slab {
        let (mut low, mut high) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
        for p in points {
            (low, high) = (low.inf(&p), high.sup(&p));
        }
        Slab { centre: (low + high) * 0.5, half: (high - low) * 0.5 }
    }

    pub fn ends(&self) -> [Vec3; 2] {
        [self.centre - self.half, self.centre + self.half]
    }

    /// A circle in the reference body's radial–axial plane around where the box is there: centre and radius. A box that is long only around the axis is small
    /// on the map.
    #[inline]
    fn place(&self, X_RB: &Pose) -> (Point, f64) {
        let p = X_RB.point(&self.centre);
        let radius = (p.x * p.x + p.y * p.y).sqrt();
        let outward = if radius > 0.0 { [p.x / radius, p.y / radius] } else { [1.0, 0.0] };
        let (mut axial, mut radial, mut around) = (0.0, 0.0, 0.0);
        for k in 0..3 {
            let (e, half) = (X_RB.R.column(k), self.half[k]);
            axial += e.z.abs() * half;
            radial += (e.x * outward[0] + e.y * outward[1]).abs() * half;
            around += (e.y * outward[0] - e.x * outward[1]).abs() * half;
        }
        // Points are no nearer to the axis than along the middle's radius, and no farther than the outermost edge.
        let (low, far) = ((radius - radial).max(0.0), radius + radial);
        let high = (far * far + around * around).sqrt();
        let thickness = 0.5 * (high - low);
        ([p.z, low + thickness], (axial * axial + thickness * thickness).sqrt())
    }
}

impl Node {
    /// A circle in the reference body's radial–axial plane around its faces: centre and radius.
    #[inline]
    pub fn place(&self, X_RB: &Pose) -> (Point, f64) {
        if let Some(placed) = self.band.as_ref().map(|band| band.place(X_RB)).filter(|p| p.1 < self.radius) {
            return placed;
        }
        let p = X_RB.point(&self.centre);
        let (sphere, slab) = (([p.z, (p.x * p.x + p.y * p.y).sqrt()], self.radius), self.slab.place(X_RB));
        if slab.1 < sphere.1 { slab } else { sphere }
    }

    pub fn empty() -> Node {
        Node {
            centre: Vec3::zeros(),
            radius: 0.0,
            slab: Slab { centre: Vec3::zeros(), half: Vec3::zeros() },
            skip: 0,
            faces: [0; 2],
            corners: [0; 2],
            edges: [0; 2],
            area: 0.0,
            count: 0,
            law: None,
            band: None,
        }
    }
}

/// The smallest sphere around two.
pub(super) fn around(a: &Node, b: &Node) -> (Vec3, f64) {
    let way = b.centre - a.centre;
    let distance = way.norm();
    if distance + b.radius <= a.radius {
        return (a.centre, a.radius);
    }
    if distance + a.radius <= b.radius {
        return (b.centre, b.radius);
    }
    let radius = 0.5 * (distance + a.radius + b.radius);
    (a.centre + way * ((radius - a.radius) / distance), radius)
}
