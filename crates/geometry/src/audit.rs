//! Audit of a mesh: counts, sizes, and every kind of problem with its face and position.
//!
//! Made once, when a mesh is read. Errors make it unfit for contact; warnings are for the user.

use crate::{TriangleMesh, weld_labels};
use std::fmt;
use touchdown_math::Elementary;
use touchdown_math::Vec3;

/// Number of problems of one kind that are listed with their position; the rest are only counted.
const LISTED: usize = 5;
/// Extents outside of this are probably in other units than metres, m.
const BELIEVABLE_EXTENT: [f64; 2] = [1e-3, 1e3];
/// A triangle whose area is below this part of its longest edge squared has no usable normal.
const SLIVER: f64 = 1e-10;
/// Number of inverted components that are tested for being cavities.
const MOST_CAVITIES: usize = 16;

/// A kind of problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MeshProblemKind {
    /// There is no triangle.
    Empty,
    /// The face refers to a missing corner.
    NoSuchCorner,
    /// The face has a corner that is infinite or not a number.
    NotFinite,
    /// The face encloses volume from the wrong side: corners of its component are clockwise seen from outside.
    InsideOut,
    /// The face runs along an edge in the same direction as its neighbour: one of the two is turned over.
    TurnedOver,
    /// The face has an edge without a neighbour: the surface has a hole.
    Open,
    /// The face has an edge that more than two faces share.
    ManyAtEdge,
    /// The face has no area.
    NoArea,
    /// The face is duplicated.
    Duplicate,
    /// Less than a millimetre across: probably metres instead of millimetres, or a scale applied twice.
    TooSmall,
    /// More than a kilometre across: probably millimetres taken for metres.
    TooLarge,
}

impl MeshProblemKind {
    /// Whether a mesh with it cannot be used for contact: it has no inside, or invalid numbers.
    pub fn is_error(self) -> bool {
        use MeshProblemKind::*;
        matches!(self, Empty | NoSuchCorner | NotFinite | InsideOut | TurnedOver)
    }

    fn words(self) -> &'static str {
        use MeshProblemKind::*;
        match self {
            Empty => "there is no face",
            NoSuchCorner => "names a corner that is not there",
            NotFinite => "has a corner that is not a finite number",
            InsideOut => "is inside out (clockwise seen from outside), like all of its component",
            TurnedOver => {
                "runs along an edge in the same direction as its neighbour: one of them is turned over"
            }
            Open => "has an edge without neighbour: the surface is open there",
            ManyAtEdge => "shares an edge with more than one other face",
            NoArea => "has no area",
            Duplicate => "is there twice",
            TooSmall => {
                "the mesh is less than 1 mm across; is the scale right? 1 for metres, 0.001 for millimetres"
            }
            TooLarge => {
                "the mesh is more than 1 km across; if the file is in millimetres, the scale is 0.001"
            }
        }
    }
}

/// A problem and where it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshProblem {
    /// Its kind.
    pub kind: MeshProblemKind,
    /// Index of the face, where it has one.
    pub face: Option<usize>,
    /// The corners at the ends of the edge, where it is one of an edge.
    pub edge: Option<[u32; 2]>,
    /// A place on it, m: the face's centre or the edge's middle.
    pub place: Vec3,
}

impl fmt::Display for MeshProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.face, self.edge) {
            (Some(face), Some([a, b])) => write!(f, "face {face}, edge {a}–{b}: {}", self.kind.words())?,
            (Some(face), None) => write!(f, "face {face} {}", self.kind.words())?,
            _ => return f.write_str(self.kind.words()),
        }
        write!(f, " (near {:.4}, {:.4}, {:.4} m)", self.place.x, self.place.y, self.place.z)
    }
}

/// Sizes and problems of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshAudit {
    /// Number of triangles.
    pub triangles: usize,
    /// Number of corners.
    pub vertices: usize,
    /// Box around all finite corners, m: lowest and highest coordinates; zero without corners.
    pub bounds: [Vec3; 2],
    /// Surface area, m².
    pub area: f64,
    /// Enclosed volume, m³; meaningless for an open mesh.
    pub volume: f64,
    /// Whether every edge has exactly two faces.
    pub is_closed: bool,
    /// Whether neighbouring faces agree on the outside, and face outwards.
    pub is_oriented: bool,
    /// Parts that share no corner.
    pub components: usize,
    /// Problems with their places, worst kind first, at most five of each.
    pub problems: Vec<MeshProblem>,
    /// How many there are of each kind.
    pub counts: Vec<(MeshProblemKind, usize)>,
}

impl MeshAudit {
    /// Audits a mesh. Corners at equal positions count as one. O(n log n); never fails, for any content of
    /// the mesh.
    pub fn new(mesh: &TriangleMesh) -> MeshAudit {
        let label = weld_labels(&mesh.vertices);
        let mut book = Book::default();
        let sound = sound_faces(mesh, &mut book);
        let bounds = bounds(&mesh.vertices);
        let extent = (bounds[1] - bounds[0]).max();
        let middle = 0.5 * (bounds[0] + bounds[1]);
        let whole = |kind| MeshProblem { kind, face: None, edge: None, place: middle };
        if mesh.triangles.is_empty() {
            book.add(whole(MeshProblemKind::Empty));
        } else if extent < BELIEVABLE_EXTENT[0] {
            book.add(whole(MeshProblemKind::TooSmall));
        } else if extent > BELIEVABLE_EXTENT[1] {
            book.add(whole(MeshProblemKind::TooLarge));
        }
        let labels = |face: usize| mesh.triangles[face].map(|i| label[i as usize]);
        duplicates(mesh, &sound, labels, &mut book);
        edges(mesh, &sound, labels, &mut book);
        let components = components(mesh, &sound, labels);
        let volumes = components.volumes(mesh, &sound, &middle);
        if !book.has(&[MeshProblemKind::Open, MeshProblemKind::TurnedOver]) {
            let turned = components.first.iter().zip(&volumes).filter(|(_, v)| **v < 0.0);
            for (k, (&first, _)) in turned.enumerate() {
                // A cavity is an intentionally inverted component: it lies inside another. The test visits
                // every face, so if there are very many, the rest are assumed to be like the first.
                let is_asked = k < MOST_CAVITIES;
                if is_asked && components.is_cavity(mesh, &sound, &volumes, first) {
                    continue;
                }
                if is_asked || book.has(&[MeshProblemKind::InsideOut]) {
                    book.add(of_face(mesh, MeshProblemKind::InsideOut, first));
                }
            }
        }
        let has = |kinds: &[MeshProblemKind]| book.has(kinds);
        use MeshProblemKind::*;
        MeshAudit {
            triangles: mesh.triangles.len(),
            vertices: mesh.vertices.len(),
            bounds,
            area: sound.iter().map(|&i| 0.5 * mesh.double_area(i).norm()).sum(),
            volume: volumes.iter().sum(),
            is_closed: !has(&[Empty, Open, ManyAtEdge, NoSuchCorner, NotFinite]),
            is_oriented: !has(&[TurnedOver, InsideOut]),
            components: components.first.len(),
            counts: book.counts(),
            problems: book.listed(),
        }
    }

    /// Problems that make it unfit for contact.
    pub fn errors(&self) -> impl Iterator<Item = &MeshProblem> {
        self.problems.iter().filter(|p| p.kind.is_error())
    }

    /// Warnings for the user.
    pub fn warnings(&self) -> impl Iterator<Item = &MeshProblem> {
        self.problems.iter().filter(|p| !p.kind.is_error())
    }

    /// Edges of the box around it, m.
    pub fn extent(&self) -> Vec3 {
        self.bounds[1] - self.bounds[0]
    }
}

/// Problems found so far.
#[derive(Default)]
struct Book {
    found: std::collections::BTreeMap<MeshProblemKind, (usize, Vec<MeshProblem>)>,
}

impl Book {
    fn add(&mut self, problem: MeshProblem) {
        let (count, listed) = self.found.entry(problem.kind).or_default();
        *count += 1;
        if listed.len() < LISTED {
            listed.push(problem);
        }
    }

    fn has(&self, kinds: &[MeshProblemKind]) -> bool {
        kinds.iter().any(|kind| self.found.contains_key(kind))
    }

    fn counts(&self) -> Vec<(MeshProblemKind, usize)> {
        self.found.iter().map(|(kind, (count, _))| (*kind, *count)).collect()
    }

    fn listed(self) -> Vec<MeshProblem> {
        self.found.into_values().flat_map(|(_, listed)| listed).collect()
    }
}

/// Faces with existing, finite corners; the others are recorded, and so are slivers.
fn sound_faces(mesh: &TriangleMesh, book: &mut Book) -> Vec<usize> {
    let is_sound = |&i: &usize| {
        let corners = mesh.triangles[i];
        if corners.iter().any(|&c| c as usize >= mesh.vertices.len()) {
            let place = Vec3::zeros();
            book.add(MeshProblem { kind: MeshProblemKind::NoSuchCorner, face: Some(i), edge: None, place });
            return false;
        }
        let [a, b, c] = mesh.corners(i);
        if ![a, b, c].iter().all(|p| p.iter().all(|x| x.is_finite())) {
            book.add(of_face(mesh, MeshProblemKind::NotFinite, i));
            return false;
        }
        let longest = (b - a).norm_squared().max((c - b).norm_squared()).max((a - c).norm_squared());
        if mesh.double_area(i).norm() <= SLIVER * longest {
            book.add(of_face(mesh, MeshProblemKind::NoArea, i));
        }
        true
    };
    (0..mesh.triangles.len()).filter(is_sound).collect()
}

fn of_face(mesh: &TriangleMesh, kind: MeshProblemKind, face: usize) -> MeshProblem {
    let place = mesh.corners(face).iter().sum::<Vec3>() / 3.0;
    MeshProblem { kind, face: Some(face), edge: None, place }
}

/// Faces with the same three corners, in any orientation.
fn duplicates(mesh: &TriangleMesh, sound: &[usize], labels: impl Fn(usize) -> [u32; 3], book: &mut Book) {
    let sorted = |i: usize| {
        let mut key = labels(i);
        key.sort_unstable();
        key
    };
    let mut faces: Vec<([u32; 3], usize)> = sound.iter().map(|&i| (sorted(i), i)).collect();
    faces.sort_unstable();
    for pair in faces.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
        book.add(of_face(mesh, MeshProblemKind::Duplicate, pair[1].1));
    }
}

/// Edges without neighbour, with several, and with one that runs the same way.
fn edges(mesh: &TriangleMesh, sound: &[usize], labels: impl Fn(usize) -> [u32; 3], book: &mut Book) {
    let mut edges: Vec<([u32; 2], bool, usize)> = Vec::with_capacity(3 * sound.len());
    for &i in sound {
        let corners = labels(i);
        for k in 0..3 {
            let (a, b) = (corners[k], corners[(k + 1) % 3]);
            if a != b {
                edges.push(([a.min(b), a.max(b)], a < b, i));
            }
        }
    }
    edges.sort_unstable();
    for shared in edges.chunk_by(|a, b| a.0 == b.0) {
        let kind = match shared {
            [_] => MeshProblemKind::Open,
            [one, other] if one.1 == other.1 => MeshProblemKind::TurnedOver,
            [_, _] => continue,
            _ => MeshProblemKind::ManyAtEdge,
        };
        let (edge, _, face) = shared[shared.len() - 1];
        let place = 0.5 * (mesh.vertices[edge[0] as usize] + mesh.vertices[edge[1] as usize]);
        book.add(MeshProblem { kind, face: Some(face), edge: Some(edge), place });
    }
}

/// Parts that share no corner.
struct Components {
    /// The first face of each.
    first: Vec<usize>,
    /// The part of each sound face.
    of: Vec<usize>,
}

fn components(mesh: &TriangleMesh, sound: &[usize], labels: impl Fn(usize) -> [u32; 3]) -> Components {
    let mut parent: Vec<u32> = (0..mesh.vertices.len() as u32).collect();
    fn root(parent: &mut [u32], mut i: u32) -> u32 {
        while parent[i as usize] != i {
            // Halving the path keeps all later ones short.
            parent[i as usize] = parent[parent[i as usize] as usize];
            i = parent[i as usize];
        }
        i
    }
    for &face in sound {
        let [a, b, c] = labels(face);
        for other in [b, c] {
            let (x, y) = (root(&mut parent, a), root(&mut parent, other));
            parent[x.max(y) as usize] = x.min(y);
        }
    }
    let mut number = vec![usize::MAX; mesh.vertices.len()];
    let (mut first, mut of) = (Vec::new(), Vec::with_capacity(sound.len()));
    for &face in sound {
        let slot = &mut number[root(&mut parent, labels(face)[0]) as usize];
        if *slot == usize::MAX {
            *slot = first.len();
            first.push(face);
        }
        of.push(*slot);
    }
    Components { first, of }
}

impl Components {
    /// Enclosed volume of each, m³, about a point in the middle of all, where rounding is least.
    fn volumes(&self, mesh: &TriangleMesh, sound: &[usize], middle: &Vec3) -> Vec<f64> {
        let mut volumes = vec![0.0; self.first.len()];
        for (&face, &part) in sound.iter().zip(&self.of) {
            let [a, b, c] = mesh.corners(face).map(|p| p - middle);
            volumes[part] += a.dot(&b.cross(&c)) / 6.0;
        }
        volumes
    }

    /// Whether a face lies inside the parts of positive volume: their solid angle seen from it is 4π.
    fn is_cavity(&self, mesh: &TriangleMesh, sound: &[usize], volumes: &[f64], face: usize) -> bool {
        let eye = mesh.corners(face).iter().sum::<Vec3>() / 3.0;
        let angle: f64 = sound
            .iter()
            .zip(&self.of)
            .filter(|(_, part)| volumes[**part] > 0.0)
            .map(|(&i, _)| solid_angle(&mesh.corners(i).map(|p| p - eye)))
            .sum();
        angle > 2.0 * std::f64::consts::PI
    }
}

/// Solid angle of a triangle seen from the origin, positive from inside (van Oosterom & Strackee, IEEE Trans. Biomed. Eng. 30, 1983).
fn solid_angle([a, b, c]: &[Vec3; 3]) -> f64 {
    let (x, y, z) = (a.norm(), b.norm(), c.norm());
    2.0 * a.dot(&b.cross(c)).arctangent2(x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y)
}

fn bounds(vertices: &[Vec3]) -> [Vec3; 2] {
    let finite = || vertices.iter().filter(|p| p.iter().all(|x| x.is_finite()));
    let Some(&first) = finite().next() else { return [Vec3::zeros(); 2] };
    finite().fold([first; 2], |[low, high], p| [low.inf(p), high.sup(p)])
}
