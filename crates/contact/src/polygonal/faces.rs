//! The faces of the body that carries the area, in its own frame, ordered into leaves under a tree of
//! spheres, so that distant faces are skipped and corners of a leaf are mapped once. Bodies of revolution
//! that touch along narrow rings have a tree of bands instead: rings of faces that are nearly coaxial with
//! the reference body are then skipped by their place in the radial–axial plane alone.

use super::tree::Source;
use touchdown_geometry::TriangleMesh;
use touchdown_geometry::revolution::{Point, RevolvedMesh};
use touchdown_math::{Pose, Vec3};

/// A face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Face {
    /// Its corners in the leaf.
    pub(super) corners: [u8; 3],
    /// Index into the table of laws.
    pub(super) law: u16,
    /// Its index in the mesh that it came from.
    pub original: u32,
    /// Area that it carries, m²: of the true surface where that is known.
    pub area: f64,
    /// Centre, m.
    pub centre: Vec3,
    /// Outward unit normal; zero without area.
    pub normal: Vec3,
}

/// A sphere and a box around faces; a leaf holds faces and corners, an inner node is followed by its two children.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub centre: Vec3,
    pub radius: f64,
    /// Along the axes of the body.
    pub slab: Slab,
    /// The next node if this one is skipped.
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
    /// A circle in the reference body's radial–axial plane around the rings: centre and radius.
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

    /// A circle in the reference body's radial–axial plane around the box: centre and radius. A box that is
    /// long only around the axis is small on the map.
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

/// Two corners of a leaf with a common edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub ends: [u8; 2],
    /// ∫N_iN_j over the faces on both sides, m².
    pub weight: f64,
}

/// Data of a leaf that lies completely inside.
pub(super) struct Whole<'a> {
    pub squares: &'a [f64],
    pub shares: &'a [f64],
    pub edges: &'a [Edge],
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

/// Faces of a body, ordered for detection.
#[derive(Clone)]
pub struct Faces {
    pub(super) faces: Vec<Face>,
    pub(super) nodes: Vec<Node>,
    /// Coordinates of the corners, m: all x, all y, all z.
    pub(super) corners: [Vec<f64>; 3],
    /// ∫N_i² over the faces of the leaf, and ∫N_i, m², of each corner.
    pub(super) squares: Vec<f64>,
    pub(super) shares: Vec<f64>,
    pub(super) edges: Vec<Edge>,
    /// Velocities of the corners in the body's frame, m/s; empty for a rigid body.
    pub(super) rates: Vec<Vec3>,
    /// Index in the mesh of each corner.
    pub(super) sources: Vec<u32>,
}

impl std::fmt::Debug for Faces {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let digests = (
            touchdown_geometry::digest(self.corners.iter().flatten()),
            touchdown_geometry::digest(self.rates.iter().flatten()),
        );
        write!(f, "Faces({} faces, digests {digests:x?})", self.faces.len())
    }
}

/// Why a mesh cannot carry contact.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum FacesError {
    /// The mesh itself is broken.
    #[error(transparent)]
    Mesh(#[from] touchdown_geometry::MeshError),
    /// A list has another length than there are faces.
    #[error("{what}: found {found} for {faces} faces")]
    Count {
        /// Which list.
        what: &'static str,
        /// Its length.
        found: usize,
        /// Number of faces.
        faces: usize,
    },
}

/// Faces in a leaf at most: corners are shared by six faces on a fine mesh, so that few are mapped twice, and spheres stay small.
pub(super) const LEAF: usize = 64;
/// Corners in a leaf at most.
pub(super) const LEAF_CORNERS: usize = 64;

impl Faces {
    fn empty() -> Faces {
        Faces {
            faces: Vec::new(),
            nodes: Vec::new(),
            corners: Default::default(),
            squares: Vec::new(),
            shares: Vec::new(),
            edges: Vec::new(),
            rates: Vec::new(),
            sources: Vec::new(),
        }
    }

    /// Faces of a mesh. `areas`: the area that each represents (default: its own); `laws`: an index into the
    /// pair's table of laws for each (default: 0).
    pub fn new(
        mesh: &TriangleMesh,
        areas: Option<&[f64]>,
        laws: Option<&[u16]>,
    ) -> Result<Faces, FacesError> {
        mesh.check()?;
        let faces = mesh.triangles.len();
        for (what, found) in [("areas", areas.map(<[f64]>::len)), ("laws", laws.map(<[u16]>::len))] {
            if let Some(found) = found.filter(|found| *found != faces) {
                return Err(FacesError::Count { what, found, faces });
            }
        }
        Ok(Faces::split(mesh, areas, laws, None))
    }

    /// The same for a body that touches along a line: leaves are as long as the body along that line and thin along `across` (0: x, 1: y, 2: z), so that few of them
    /// touch.
    pub fn sliced(mesh: &TriangleMesh, across: usize) -> Result<Faces, FacesError> {
        mesh.check()?;
        Ok(Faces::split(mesh, None, None, Some(across.min(2))))
    }

    fn split(
        mesh: &TriangleMesh,
        areas: Option<&[f64]>,
        laws: Option<&[u16]>,
        across: Option<usize>,
    ) -> Faces {
        let faces = mesh.triangles.len();
        let mut order: Vec<u32> = (0..faces as u32).collect();
        let centres: Vec<Vec3> = (0..faces).map(|t| mesh.corners(t).iter().sum::<Vec3>() / 3.0).collect();
        let mut all = Faces::empty();
        if faces > 0 {
            all.add_node(&Source { mesh, centres: &centres, areas, laws, across }, &mut order);
        }
        all.fit();
        all.weigh();
        all
    }

    /// Faces of a body of revolution with the areas of the true surface.
    pub fn revolved(mesh: &RevolvedMesh) -> Result<Faces, FacesError> {
        Faces::new(&mesh.mesh, Some(&mesh.areas), None)
    }

    /// The same for a body that touches along narrow rings: one leaf for each strip between two rings, up to
    /// its capacity, under a tree of bands. Suitable for few corners around and many rings.
    pub fn banded(mesh: &RevolvedMesh) -> Result<Faces, FacesError> {
        mesh.mesh.check()?;
        let (found, faces) = (mesh.areas.len(), mesh.mesh.triangles.len());
        if found != faces || mesh.strips.iter().sum::<u32>() as usize != faces {
            return Err(FacesError::Count { what: "areas and strips", found, faces });
        }
        let centres: Vec<Vec3> =
            (0..faces).map(|t| mesh.mesh.corners(t).iter().sum::<Vec3>() / 3.0).collect();
        let mut ends = vec![0];
        for count in &mesh.strips {
            ends.push(ends[ends.len() - 1] + count);
        }
        let mut all = Faces::empty();
        if faces > 0 {
            all.add_bands(mesh, &centres, &ends);
        }
        all.fit();
        all.weigh();
        Ok(all)
    }

    /// Moves the corners of a body that changes its form: the same triangles with other corners and areas, and the velocities of the corners in the body's
    /// frame, m/s. For families of sections.
    pub fn update(&mut self, mesh: &RevolvedMesh, rates: &[Vec3]) -> Result<(), FacesError> {
        mesh.mesh.check()?;
        let (found, faces) = (mesh.mesh.triangles.len(), self.faces.len());
        if found != faces || mesh.areas.len() != faces {
            return Err(FacesError::Count { what: "triangles", found, faces });
        }
        let highest = self.sources.iter().copied().max().map_or(0, |k| k as usize + 1);
        if mesh.mesh.vertices.len() < highest || rates.len() < highest {
            return Err(FacesError::Count {
                what: "corners",
                found: rates.len().min(mesh.mesh.vertices.len()),
                faces,
            });
        }
        for (axis, list) in self.corners.iter_mut().enumerate() {
            for (corner, source) in list.iter_mut().zip(&self.sources) {
                *corner = mesh.mesh.vertices[*source as usize][axis];
            }
        }
        // Bands belong to the previous form; spheres are fitted again.
        self.nodes.iter_mut().for_each(|node| node.band = None);
        self.rates = self.sources.iter().map(|source| rates[*source as usize]).collect();
        for face in &mut self.faces {
            let t = face.original as usize;
            face.area = mesh.areas[t];
            face.centre = mesh.mesh.corners(t).iter().sum::<Vec3>() / 3.0;
            face.normal = mesh.mesh.normal(t).unwrap_or_default();
        }
        self.fit();
        self.weigh();
        Ok(())
    }

    /// The integrals over a leaf.
    #[inline]
    pub(super) fn whole(&self, leaf: &Node) -> Whole<'_> {
        let corners = leaf.corners[0] as usize..leaf.corners[1] as usize;
        Whole {
            squares: &self.squares[corners.clone()],
            shares: &self.shares[corners],
            edges: &self.edges[leaf.edges[0] as usize..leaf.edges[1] as usize],
        }
    }

    /// The faces, in the order of [`super::FaceState::face`].
    pub fn faces(&self) -> &[Face] {
        &self.faces
    }
}
