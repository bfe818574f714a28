//! Flexible bodies in the loop: meshes, free or carried by a body, with their contact points on rigid ground.
//!
//! `mod` (data of a part) ⇒ `in_loop` (interface to the loop) ⇒ `evaluate` (coordinates ⇒ nodal vectors ⇒
//! forces, wrench on the carrier, powers) ⇒ `newton` (sparse blocks of the Newton matrix); `contact` (points
//! on the ground); `books` (energy, momentum, reported numbers).
//!
//! A part's coordinates follow those of the joints: s of [`Carried`], or all free coordinates of a free mesh;
//! in Cholesky coordinates Lᵀ·s, in which the mass is the identity.

mod books;
mod checks;
mod columns;
mod contact;
mod draw;
mod evaluate;
mod in_loop;
mod newton;
mod skin;
mod soil;
#[cfg(test)]
mod tests;
mod wheel;

pub use checks::{FlexBook, energy_of_rows, modes_checks};
pub(crate) use contact::{FlexContact, Sum};
pub use draw::Drawn;
pub(crate) use skin::Skin;
pub use soil::RimOnSoil;

use crate::description::{FlexCarrier, FlexSkin, FlexWheel, Flexible, NodalCoordinates, WorldDescription};
use touchdown_math::{Pose, Vec3};
use touchdown_multibody::carried::{Carried, CarriedError, Tie};
use touchdown_multibody::description::{Gravity, Mechanism};
use touchdown_multibody::flex::mesh::{FlexMesh, Point};
use touchdown_multibody::flex::plate::{Energies, Strained};
use touchdown_multibody::rigid::{Model, WORLD};
use touchdown_solve::linear::sparse::{SparseCholesky, SparsePattern};

/// Components of the four vectors of a carrier.
const FRAME: usize = 12;

/// Flexible bodies.
pub(crate) struct FlexibleBodies;

/// A flexible body ready to be evaluated, and the scratch of one evaluation.
#[derive(Clone, Debug)]
pub(crate) struct FlexPart {
    pub name: String,
    pub mesh: FlexMesh,
    /// Its carrier.
    pub carrier: Option<Carrier>,
    /// Index of the first of its coordinates and rates after the rigid ones.
    pub first: usize,
    /// Its coordinates: for each the free coordinate of the mesh.
    own: Vec<u32>,
    /// Entries of its block of the Newton matrix, and their indices among those of the mesh.
    pattern: SparsePattern,
    entries: Vec<u32>,
    /// Constant mass on the pattern.
    mass: Vec<f64>,
    /// The same without the zeros between components: places, values, factors.
    sparse_mass: (SparsePattern, Vec<f64>),
    factors: SparseCholesky,
    /// Force of unit gravity on each coordinate, and the axis along which it acts.
    weight: Vec<(f64, u8)>,
    cholesky: bool,
    pub contact: Option<FlexContact>,
    /// Its independent part of the world: that of its carrier, or its own.
    pub own_part: usize,
    /// Its faces that touch soil, and its index among the bodies in soil.
    pub skin: Option<(usize, Skin)>,
    /// Free radius, axis and centre in the carrier's frame, for a wheel.
    pub wheel: Option<FlexWheel>,
    /// Points whose motion is recorded.
    pub points: Vec<Point>,
    /// Share of each free coordinate in the centre of mass, and its axis.
    centre: Vec<(f64, u8)>,
    // --- written by `update_flexible` ---
    /// Plain coordinates s and their rates.
    s: Vec<f64>,
    s_rate: Vec<f64>,
    /// Free coordinates of the mesh and their rates.
    pub e: Vec<f64>,
    pub e_rate: Vec<f64>,
    /// Forces on them; on `own` ones with weight.
    force: Vec<f64>,
    /// Minus the weighted derivatives of the forces, on the mesh's pattern.
    slope: Vec<f64>,
    pub energies: Energies,
    // --- written by `check_flexible`, at accepted steps ---
    /// Its deviation from the stress-free form.
    pub strained: Strained,
    // --- written by `update_momenta` ---
    momenta: Vec<f64>,
    // --- scratch of `fill_ports`: rows and columns of the carrier's vectors, one for each coordinate ---
    rows: Vec<[f64; FRAME]>,
    columns: Vec<[f64; FRAME]>,
}

/// The body that carries a mesh.
#[derive(Clone, Debug)]
pub(crate) struct Carrier {
    pub body: usize,
    link: usize,
    X_LB: Pose,
    /// The mesh's frame in the body.
    pub X_BM: Pose,
    carried: Carried,
}

/// The mass of each flexible body that belongs to its carrier; adds it to the mechanism.
pub(crate) fn carry(
    description: &WorldDescription,
    mechanism: &mut Mechanism,
) -> Result<Vec<Option<Carried>>, (usize, String)> {
    let mut all = Vec::new();
    for (i, flexible) in description.flexible.iter().enumerate() {
        let Some(on) = &flexible.carrier else {
            all.push(None);
            continue;
        };
        if !flexible.mesh.prescribed().is_empty() {
            return Err((i, "a mesh that a body carries cannot be held in the world as well".into()));
        }
        if !matches!(mechanism.gravity, Gravity::Uniform(_)) {
            return Err((i, "flexible bodies need uniform gravity".into()));
        }
        let carried = carried(flexible, on).map_err(|e| (i, e.to_string()))?;
        let body = &mut mechanism.bodies[on.body];
        let mut sum = touchdown_math::Inertia::new(body.mass, &body.com, &body.inertia);
        sum += carried.inertia;
        body.mass = sum.m;
        body.com = if sum.m > 0.0 { sum.h / sum.m } else { Vec3::zeros() };
        let C = touchdown_math::cross_matrix(&body.com);
        body.inertia = sum.I + C * C * sum.m;
        all.push(Some(carried));
    }
    Ok(all)
}

fn carried(flexible: &Flexible, on: &FlexCarrier) -> Result<Carried, CarriedError> {
    let X_BM = &on.X_BM;
    let mesh = &flexible.mesh;
    let vectors = mesh.coordinates() / 3;
    let mut is_position = vec![false; vectors];
    for node in mesh.nodes() {
        is_position[node.first_vector] = true;
    }
    let mut ties = Vec::new();
    for &n in &on.nodes {
        let node = &mesh.nodes()[n];
        for v in 0..if on.gradients { node.vectors } else { 1 } {
            let X = mesh.vector(mesh.reference(), node.first_vector + v);
            let (a, x) = if v == 0 { (1.0, X_BM.point(&X)) } else { (0.0, X_BM.R * X) };
            ties.push(Tie { vector: node.first_vector + v, a, x });
        }
    }
    // One number for each pair of vectors: the entry of their first components.
    let pattern = mesh.pattern();
    let compact = SparsePattern::new(
        vectors,
        (0..vectors).flat_map(|j| {
            pattern.rows(3 * j).iter().filter(|i| **i % 3 == 0).map(move |i| (*i as usize / 3, j))
        }),
    );
    let mut mass = vec![0.0; compact.entries()];
    for j in 0..vectors {
        for (i, at) in compact.rows(j).iter().zip(compact.first(j)..) {
            mass[at] = pattern.find(3 * *i as usize, 3 * j).map_or(0.0, |k| mesh.mass()[k]);
        }
    }
    Carried::new(&compact, &mass, &is_position, &ties)
}

impl FlexPart {
    /// All parts of a description on a compiled model; `ground_states` is the index of the first state of
    /// contact points.
    pub fn all(
        description: &WorldDescription,
        model: &Model,
        carried: Vec<Option<Carried>>,
        first_state: usize,
    ) -> Vec<FlexPart> {
        let (mut parts, mut first, mut state) = (Vec::new(), 0, first_state);
        for (flexible, carried) in description.flexible.iter().zip(carried) {
            let carrier = flexible.carrier.as_ref().zip(carried).map(|(on, carried)| {
                let at = &model.bodies[on.body];
                Carrier { body: on.body, link: at.link, X_LB: at.X_LB, X_BM: on.X_BM, carried }
            });
            let mut part = FlexPart::new(flexible, carrier, first, state);
            part.skin = skin(description, parts.len(), &part.mesh);
            first += part.own.len();
            state += part.contact.as_ref().map_or(0, |c| c.states());
            parts.push(part);
        }
        parts
    }

    fn new(flexible: &Flexible, carrier: Option<Carrier>, first: usize, first_state: usize) -> FlexPart {
        let mut mesh = flexible.mesh.clone();
        place_prescribed(&mut mesh, &flexible.X_WM);
        let n = mesh.coordinates();
        let own: Vec<u32> = match &carrier {
            None => (0..n as u32).collect(),
            Some(on) => {
                on.carried.free.iter().flat_map(|k| (0..3).map(move |c| (3 * k + c) as u32)).collect()
            }
        };
        let mut place = vec![usize::MAX; n];
        own.iter().enumerate().for_each(|(at, k)| place[*k as usize] = at);
        let whole = mesh.pattern();
        let inside = |j: usize| whole.rows(j).iter().map(|i| place[*i as usize]).filter(|i| *i != usize::MAX);
        let pairs = || own.iter().enumerate().flat_map(|(j, k)| inside(*k as usize).map(move |i| (i, j)));
        let pattern = SparsePattern::new(own.len(), pairs());
        let find = |i: usize, j: usize| whole.find(own[i] as usize, own[j] as usize);
        let mut entries = vec![0; pattern.entries()];
        for j in 0..own.len() {
            for (i, at) in pattern.rows(j).iter().zip(pattern.first(j)..) {
                entries[at] = find(*i as usize, j).map_or(u32::MAX, |k| k as u32);
            }
        }
        let mass: Vec<f64> = entries.iter().map(|k| mesh.mass()[*k as usize]).collect();
        let (sparse_mass, factors) = mass_factors(&pattern, &mass);
        let mut pulls = vec![(0.0, 0); n];
        for axis in 0..3u8 {
            let mut pull = vec![0.0; n];
            mesh.add_gravity(&Vec3::from_fn(|c, _| if c == axis as usize { 1.0 } else { 0.0 }), &mut pull);
            pulls.iter_mut().zip(&pull).filter(|(_, p)| **p != 0.0).for_each(|(to, p)| *to = (*p, axis));
        }
        let weight = own.iter().map(|k| pulls[*k as usize]).collect();
        let contact = flexible.contact.as_ref().map(|c| FlexContact::new(c, &mesh, first_state));
        FlexPart {
            name: flexible.name.clone(),
            carrier,
            first,
            pattern,
            entries,
            mass,
            sparse_mass,
            factors,
            weight,
            cholesky: flexible.coordinates == NodalCoordinates::Cholesky,
            contact,
            own_part: 0,
            skin: None,
            wheel: flexible.wheel,
            points: flexible.points.iter().map(|(_, element, at)| mesh.point(*element, *at)).collect(),
            centre: pulls.iter().map(|(m, axis)| (m / mesh.total_mass(), *axis)).collect(),
            s: vec![0.0; own.len()],
            s_rate: vec![0.0; own.len()],
            e: mesh.reference().to_vec(),
            e_rate: vec![0.0; n],
            force: vec![0.0; n],
            slope: vec![0.0; mesh.pattern().entries()],
            energies: Energies::default(),
            strained: Strained::default(),
            momenta: vec![0.0; own.len()],
            rows: vec![[0.0; FRAME]; own.len()],
            columns: vec![[0.0; FRAME]; own.len()],
            own,
            mesh,
        }
    }

    /// Range of its coordinates after the rigid ones.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.own.len()
    }

    /// Coordinates and rates at the start: stress-free (or in another form) at a pose, moving as a rigid body about the mesh's origin.
    pub fn initial(
        &mut self,
        (X_WM, shape): (&Pose, Option<&[f64]>),
        (velocity, spin): (&Vec3, &Vec3),
        carrier: &[[Vec3; 4]; 2],
        (q, v): (&mut [f64], &mut [f64]),
    ) {
        for part in 0..self.mesh.parts().len() {
            self.mesh.place(part, X_WM, &mut self.e);
            shape.into_iter().for_each(|shape| self.mesh.place_form(part, X_WM, shape, &mut self.e));
            self.mesh.set_rigid_rate(part, &self.e, &X_WM.p, velocity, spin, &mut self.e_rate);
        }
        for (at, k) in self.own.iter().enumerate() {
            (q[at], v[at]) = (self.e[*k as usize], self.e_rate[*k as usize]);
        }
        if let Some(on) = &self.carrier {
            for (e, link, out) in [(&self.e, &carrier[0], &mut *q), (&self.e_rate, &carrier[1], &mut *v)] {
                on.carried.free_coordinates(link, e, out);
            }
        }
        if self.cholesky {
            self.factors.multiply_upper(q);
            self.factors.multiply_upper(v);
        }
    }

    /// Mass of the mesh less the part added to its carrier, kg.
    pub fn mass_beside_carrier(&self) -> f64 {
        self.mesh.total_mass() - self.carrier.as_ref().map_or(0.0, |on| on.carried.inertia.m)
    }

    /// Centre of mass at the last evaluation, m; without the contribution of prescribed coordinates.
    pub fn centre(&self) -> Vec3 {
        let mut sum = Vec3::zeros();
        for ((share, axis), e) in self.centre.iter().zip(&self.e) {
            sum[*axis as usize] += share * e;
        }
        sum
    }

    /// Velocity of the centre of mass at the last evaluation, m/s.
    pub fn centre_velocity(&self) -> Vec3 {
        let mut sum = Vec3::zeros();
        for ((share, axis), rate) in self.centre.iter().zip(&self.e_rate) {
            sum[*axis as usize] += share * rate;
        }
        sum
    }

    /// Sum of the ground's forces on its points at the last evaluation.
    pub fn ground_force(&self) -> Sum {
        self.contact.as_ref().map_or_else(Sum::default, |c| c.sum)
    }
}

impl Carrier {
    /// Whether it can move.
    pub fn moves(&self) -> bool {
        self.link != WORLD
    }
}

/// The faces with which flexible body `i` touches soil.
fn skin(description: &WorldDescription, i: usize, mesh: &FlexMesh) -> Option<(usize, Skin)> {
    let of = |body: &crate::description::SoilBody| body.skin.as_ref().is_some_and(|s| s.flexible == i);
    let at = description.soil_bodies.iter().position(of)?;
    let described = description.soil_bodies[at].skin.as_ref()?;
    Some((at, Skin::new(mesh, &described.faces, described.cells)))
}

/// The faces of a flexible body that touch soil, at rest.
pub(crate) fn skin_of(description: &WorldDescription, skin: &FlexSkin) -> Skin {
    Skin::new(&description.flexible[skin.flexible].mesh, &skin.faces, skin.cells)
}

/// Factors of the mass on the pattern of its non-zero entries.
fn mass_factors(pattern: &SparsePattern, mass: &[f64]) -> ((SparsePattern, Vec<f64>), SparseCholesky) {
    let all = || {
        (0..pattern.size()).flat_map(|j| {
            pattern.rows(j).iter().zip(pattern.first(j)..).map(move |(i, k)| (*i as usize, j, k))
        })
    };
    let own =
        SparsePattern::new(pattern.size(), all().filter(|(_, _, k)| mass[*k] != 0.0).map(|(i, j, _)| (i, j)));
    let mut values = vec![0.0; own.entries()];
    for (i, j, k) in all() {
        own.find(i, j).into_iter().for_each(|at| values[at] = mass[k]);
    }
    let mut factors = SparseCholesky::new(&own);
    // Elements have positive volume and density (checked when they are built), so their mass is definite.
    let _ = factors.factor(&values);
    ((own, values), factors)
}

/// Prescribed coordinates for the pose of the mesh in the world.
fn place_prescribed(mesh: &mut FlexMesh, X_WM: &Pose) {
    use touchdown_multibody::flex::mesh::Slot;
    let mut placed = mesh.prescribed().to_vec();
    for node in mesh.nodes().iter().filter(|n| n.tied_to.is_none()) {
        for v in 0..node.vectors {
            let k = node.first_vector + v;
            let X = mesh.vector(mesh.reference(), k);
            let x = if v == 0 { X_WM.point(&X) } else { X_WM.R * X };
            for c in 0..3 {
                if let Slot::Prescribed(at) = mesh.slot_of(k, c) {
                    placed[at] = x[c];
                }
            }
        }
    }
    mesh.prescribed_mut().copy_from_slice(&placed);
}

/// Position and axes of a frame as four vectors.
pub(crate) fn frame_vectors(X: &Pose) -> [Vec3; 4] {
    [X.p, X.R.column(0).into(), X.R.column(1).into(), X.R.column(2).into()]
}
