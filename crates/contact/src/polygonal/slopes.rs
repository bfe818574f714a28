//! Derivatives of a leaf at once. Faces add to one row of each of their corners; the outer products of
//! six-vectors, the costly part, are then computed once per corner.
//!
//! A face pushes with N_i = −Σ_j W_ij g_j + d_i ṙ_i at its corners (changes with the pose), and its wrench gains y_i with each: g_i, the unit normal force, and what
//! friction adds. Without friction y is g at all faces of a corner, and K = Σ g_i ⊗ N_i; with it K = −Σ_j (Σ_i W_ij y_i) ⊗ g_j + Σ_i (d_i y_i) ⊗ ṙ_i.

use super::corners::{Corners, List, vector};
use super::faces::{LEAF, LEAF_CORNERS, Whole};
use super::params::PairLaw;
use super::tangent::{PolygonalTangent, Rub, Rubbing, Spins, V6};
use super::triangle::mass;
use touchdown_math::{Mat6, Vec3};

pub(super) type Six = [f64; 6];
const ROOM: [Six; LEAF_CORNERS] = [[0.0; 6]; LEAF_CORNERS];

/// Working memory of the derivatives. Nothing in it survives an evaluation; it is kept only because it is
/// large.
#[derive(Clone, Debug)]
pub struct Slopes {
    /// Wrench of a unit of normal force at each corner.
    g: [Six; LEAF_CORNERS],
    /// Change of each corner's normal force with the pose; in a leaf with friction, change of the wrench with
    /// each corner's travel along its normal.
    row: [Six; LEAF_CORNERS],
    /// In a leaf with friction: change of the wrench with each corner's rate of penetration.
    pushed: [Six; LEAF_CORNERS],
    /// Change of each corner's rate of penetration with the pose, velocities held.
    rate: [Six; LEAF_CORNERS],
    /// Damping of each corner, N s/m.
    damping: List,
    /// Directions in which normals turn, as six-vectors.
    turn: [Six; LEAF_CORNERS],
    scaled: [Six; LEAF_CORNERS],
    is_damped: bool,
    rubs: bool,
    /// Friction of faces along directions in their planes.
    springs: Products,
    dampers: Products,
    /// Sum of outer products of arms and forces that turn with them.
    arms: [[f64; 3]; 3],
    K: [Six; 6],
    D: [Six; 6],
    /// Sum of the faces that are evaluated individually.
    pub(super) alone: PolygonalTangent,
    spins: Spins,
}

/// Pending outer products.
#[derive(Clone, Debug)]
struct Products {
    left: [Six; LEAF],
    right: [Six; LEAF],
    count: usize,
}

impl Products {
    const NONE: Products = Products { left: [[0.0; 6]; LEAF], right: [[0.0; 6]; LEAF], count: 0 };

    /// Adds one; computes all in `out` when the buffer is full.
    #[inline]
    fn push(&mut self, left: Six, right: Six, out: &mut [Six; 6]) {
        if self.count == LEAF {
            self.make(out);
        }
        (self.left[self.count], self.right[self.count]) = (left, right);
        self.count += 1;
    }

    fn make(&mut self, out: &mut [Six; 6]) {
        add_products(out, &self.left[..self.count], &self.right[..self.count]);
        self.count = 0;
    }
}

/// Weights W of a face.
enum Weights {
    /// a_i (1 + δ_ij).
    Whole([f64; 3]),
    Part([[f64; 3]; 3]),
}

/// The normal law of a face, as its derivatives need it.
pub(super) struct NormalLaw<'a> {
    pub law: &'a PairLaw,
    /// Corners in the leaf.
    pub at: [usize; 3],
    pub s: [f64; 3],
    pub area: f64,
    /// Damping at the corners, N s/m; zero where the clamp acts.
    pub damping: [f64; 3],
    pub clamped: [bool; 3],
}

/// A covector of the body's motion, as [`super::tangent::at`].
#[inline]
fn six(x: &Vec3, m: &Vec3) -> Six {
    let t = x.cross(m);
    [t.x, t.y, t.z, m.x, m.y, m.z]
}

#[inline]
fn add(to: &mut Six, scale: f64, from: &Six) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += scale * from;
    }
}

/// Adds the sum of outer products of the vectors of two lists. Three rows at a time: their sums stay in registers.
#[inline]
fn add_products(out: &mut [Six; 6], a: &[Six], b: &[Six]) {
    for half in [0, 3] {
        let mut sum = [[0.0; 6]; 3];
        for (a, b) in a.iter().zip(b) {
            for (row, sum) in sum.iter_mut().enumerate() {
                add(sum, a[half + row], b);
            }
        }
        for (row, sum) in sum.iter().enumerate() {
            add(&mut out[half + row], 1.0, sum);
        }
    }
}

impl Default for Slopes {
    fn default() -> Slopes {
        Slopes {
            g: ROOM,
            row: ROOM,
            pushed: ROOM,
            rate: ROOM,
            damping: [0.0; LEAF_CORNERS],
            turn: ROOM,
            scaled: ROOM,
            is_damped: false,
            rubs: false,
            springs: Products::NONE,
            dampers: Products::NONE,
            arms: [[0.0; 3]; 3],
            K: [[0.0; 6]; 6],
            D: [[0.0; 6]; 6],
            alone: PolygonalTangent::zero(),
            spins: Spins::default(),
        }
    }
}

impl Slopes {
    /// Begins an evaluation.
    pub(super) fn start(&mut self, spins: Spins) {
        (self.K, self.D, self.arms) = ([[0.0; 6]; 6], [[0.0; 6]; 6], [[0.0; 3]; 3]);
        (self.springs.count, self.dampers.count) = (0, 0);
        (self.alone, self.spins) = (PolygonalTangent::zero(), spins);
    }

    /// Begins a leaf; `rubs`: whether any of its faces has friction.
    #[inline]
    pub(super) fn begin(&mut self, corners: &Corners, count: usize, is_damped: bool, rubs: bool) {
        (self.is_damped, self.rubs) = (is_damped, rubs);
        self.row[..count].fill([0.0; 6]);
        self.damping[..count].fill(0.0);
        if rubs && is_damped {
            self.pushed[..count].fill([0.0; 6]);
        }
        for k in 0..count {
            self.g[k] = six(&vector(&corners.x, k), &vector(&corners.n, k));
        }
        if !is_damped {
            return;
        }
        let (spin, own) = (self.spins.reference, self.spins.body);
        for k in 0..count {
            let (x, n, v) = (vector(&corners.x, k), vector(&corners.n, k), vector(&corners.v, k));
            let around = Vec3::new(-corners.outward[1][k], corners.outward[0][k], 0.0);
            let along = n.cross(&around);
            // ṡ = −n·v: the normal turns, and velocities swing with their arms.
            let m = n.cross(&spin)
                - along * (corners.bend[k] * along.dot(&v))
                - around * (corners.around[k] * around.dot(&v));
            let arm = x.cross(&n.cross(&own));
            let mut rate = six(&x, &m);
            (rate[0], rate[1], rate[2]) = (rate[0] - arm.x, rate[1] - arm.y, rate[2] - arm.z);
            self.rate[k] = rate;
        }
    }

    /// Adds a face; `gain` is what friction adds to its wrench with a unit of normal force at each corner.
    #[inline]
    pub(super) fn add_face(&mut self, face: &NormalLaw, corners: &Corners, gain: &[Six; 3]) {
        let (at, weights) = (&face.at, face.weights(corners));
        let g = at.map(|k| self.g[k]);
        if !self.rubs {
            for i in 0..3 {
                self.row[at[i]] = add_row(&self.row[at[i]], &weights, &g, i);
                self.damping[at[i]] += face.damping[i];
            }
            return;
        }
        let y: [Six; 3] = std::array::from_fn(|i| std::array::from_fn(|c| g[i][c] + gain[i][c]));
        match weights {
            Weights::Whole(a) => {
                let own: [Six; 3] = std::array::from_fn(|i| y[i].map(|y| a[i] * y));
                let sum: Six = std::array::from_fn(|c| own[0][c] + own[1][c] + own[2][c]);
                for i in 0..3 {
                    self.row[at[i]] = std::array::from_fn(|c| self.row[at[i]][c] - (sum[c] + own[i][c]));
                }
            }
            Weights::Part(W) => {
                for j in 0..3 {
                    (0..3).for_each(|i| add(&mut self.row[at[j]], -W[i][j], &y[i]));
                }
            }
        }
        if self.is_damped {
            (0..3).for_each(|i| add(&mut self.pushed[at[i]], face.damping[i], &y[i]));
        }
    }

    /// Adds the friction of a single face; returns its wrench per unit of normal force at each corner.
    #[inline]
    pub(super) fn rub(&mut self, law: &PairLaw, face: &Rubbing) -> [Six; 3] {
        let rub = Rub::of(law, face, &self.spins);
        for (g, by_pose, damper) in rub.along {
            self.springs.push(g.into(), by_pose.into(), &mut self.K);
            self.dampers.push((g * damper).into(), g.into(), &mut self.D);
        }
        add_arms(&mut self.arms, &face.p, &face.friction.force);
        rub.gain.map(V6::into)
    }

    /// Sets all rows of a leaf that lies completely inside: `stiffness` (per area, one for each corner) times
    /// the integrals of its faces, and the damping.
    #[inline]
    pub(super) fn set_whole(&mut self, leaf: &Whole, stiffness: &List, damping: &List, count: usize) {
        let (g, row) = (&self.g, &mut self.row);
        for k in 0..count {
            row[k] = g[k].map(|g| leaf.squares[k] * g);
        }
        for edge in leaf.edges {
            let [i, j] = edge.ends.map(|k| usize::from(k) % LEAF_CORNERS);
            add(&mut row[i], edge.weight, &g[j]);
            add(&mut row[j], edge.weight, &g[i]);
        }
        for k in 0..count {
            row[k] = row[k].map(|row| -stiffness[k] * row);
        }
        self.damping = *damping;
    }

    /// Ends a leaf: the outer products.
    #[inline]
    pub(super) fn end(&mut self, corners: &Corners, count: usize) {
        if self.rubs {
            self.end_rubbing(count);
        } else {
            self.end_smooth(count);
        }
        let scaled = &mut self.scaled[..count];
        // Forces turn with their normals: in the plane of the axis, and around it.
        let turn = &mut self.turn[..count];
        for (bend, is_around) in [(&corners.around, true), (&corners.bend, false)] {
            if !is_around && bend[..count].iter().all(|bend| *bend == 0.0) {
                continue;
            }
            for k in 0..count {
                let around = Vec3::new(-corners.outward[1][k], corners.outward[0][k], 0.0);
                let e = if is_around { around } else { vector(&corners.n, k).cross(&around) };
                turn[k] = six(&vector(&corners.x, k), &e);
                scaled[k] = turn[k].map(|e| corners.normal[k] * bend[k] * e);
            }
            add_products(&mut self.K, scaled, turn);
        }
        for k in 0..count {
            let f = vector(&corners.n, k) * corners.normal[k];
            add_arms(&mut self.arms, &vector(&corners.x, k), &f);
        }
    }

    fn end_smooth(&mut self, count: usize) {
        let (g, scaled) = (&self.g[..count], &mut self.scaled[..count]);
        if self.is_damped {
            for k in 0..count {
                add(&mut self.row[k], self.damping[k], &self.rate[k]);
                scaled[k] = g[k].map(|g| -self.damping[k] * g);
            }
            add_products(&mut self.D, scaled, g);
        }
        add_products(&mut self.K, g, &self.row[..count]);
    }

    fn end_rubbing(&mut self, count: usize) {
        let g = &self.g[..count];
        add_products(&mut self.K, &self.row[..count], g);
        if self.is_damped {
            let pushed = &mut self.pushed[..count];
            add_products(&mut self.K, pushed, &self.rate[..count]);
            pushed.iter_mut().for_each(|pushed| *pushed = pushed.map(|x| -x));
            add_products(&mut self.D, pushed, g);
        }
    }

    /// All derivatives.
    pub(super) fn tangent(&mut self) -> PolygonalTangent {
        self.springs.make(&mut self.K);
        self.dampers.make(&mut self.D);
        let matrix = |rows: &[Six; 6]| Mat6::from_fn(|i, j| rows[i][j]);
        let mut out =
            PolygonalTangent { K: self.alone.K + matrix(&self.K), D: self.alone.D + matrix(&self.D) };
        let arms = &self.arms;
        for i in 0..3 {
            (0..3).for_each(|j| out.K[(i, j)] += arms[i][j]);
            out.K[(i, i)] -= arms[0][0] + arms[1][1] + arms[2][2];
        }
        out
    }
}

/// Forces swing with their arms: f × (x × ·) = x (f·) − (f·x), of which this adds the first part; the second is its trace.
#[inline]
fn add_arms(arms: &mut [[f64; 3]; 3], x: &Vec3, f: &Vec3) {
    for i in 0..3 {
        (0..3).for_each(|j| arms[i][j] += x[i] * f[j]);
    }
}

/// A corner's row with what a face adds to it.
#[inline]
fn add_row(row: &Six, weights: &Weights, g: &[Six; 3], i: usize) -> Six {
    match weights {
        Weights::Whole(a) => std::array::from_fn(|c| row[c] - a[i] * (g[0][c] + g[1][c] + g[2][c] + g[i][c])),
        Weights::Part(W) => {
            std::array::from_fn(|c| row[c] - (W[i][0] * g[0][c] + W[i][1] * g[1][c] + W[i][2] * g[2][c]))
        }
    }
}

impl NormalLaw<'_> {
    /// W: how the normal force at corner i falls with the travel of corner j along its normal.
    #[inline]
    fn weights(&self, corners: &Corners) -> Weights {
        let (law, s) = (self.law, &self.s);
        let stiffness = law.stiffness * self.area;
        let has_ramp = law.damping > 0.0 && law.damping_depth > 0.0;
        let ramp = if has_ramp { law.damping * self.area / law.damping_depth } else { 0.0 };
        let (least, most) = (s[0].min(s[1]).min(s[2]), s[0].max(s[1]).max(s[2]));
        let rate = self.at.map(|k| corners.s_rate[k]);
        let free = |i: usize, weight: f64| if self.clamped[i] { 0.0 } else { weight };
        if least > 0.0 && (!has_ramp || least >= law.damping_depth || most <= law.damping_depth) {
            // ⟨N_iN_j⟩ = (1 + δ_ij)/12.
            let ramp = if most <= law.damping_depth { ramp } else { 0.0 };
            return Weights::Whole(std::array::from_fn(|i| free(i, (stiffness + ramp * rate[i]) / 12.0)));
        }
        let inside = mass(s);
        let beyond = if has_ramp { mass(&s.map(|s| s - law.damping_depth)) } else { [[0.0; 3]; 3] };
        Weights::Part(std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                let damper = ramp * (inside[i][j] - beyond[i][j]) * rate[i];
                free(i, stiffness * inside[i][j] + damper)
            })
        }))
    }
}
