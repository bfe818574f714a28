//! Derivatives of a leaf at once. Faces add to one row of each of their corners; the outer products of six-vectors, the dear part, are then made once a corner.

use super::corners::{Corners, List, vector};
use super::faces::{LEAF_CORNERS, Whole};
use super::params::PairLaw;
use super::tangent::{PairTangent, Rows, Spins, V6};
use super::triangle::mass;
use touchdown_math::{Mat6, Vec3};

type Six = [f64; 6];
const ROOM: [Six; LEAF_CORNERS] = [[0.0; 6]; LEAF_CORNERS];

/// Derivatives in the making.
pub(super) struct Slopes {
    /// Wrench of a unit of normal force at each corner.
    g: [Six; LEAF_CORNERS],
    /// Change of each corner's normal force with the pose.
    row: [Six; LEAF_CORNERS],
    /// Change of each corner's rate of penetration with the pose, velocities held.
    rate: [Six; LEAF_CORNERS],
    /// Damping of each corner, N s/m.
    damping: List,
    /// Directions in which normals turn, as six-vectors.
    turn: [Six; LEAF_CORNERS],
    scaled: [Six; LEAF_CORNERS],
    is_damped: bool,
    K: [Six; 6],
    D: [Six; 6],
    /// What faces add by themselves.
    pub alone: PairTangent,
    pub spins: Spins,
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

impl Slopes {
    pub fn new(spins: Spins) -> Slopes {
        Slopes {
            g: ROOM,
            row: ROOM,
            rate: ROOM,
            damping: [0.0; LEAF_CORNERS],
            turn: ROOM,
            scaled: ROOM,
            is_damped: false,
            K: [[0.0; 6]; 6],
            D: [[0.0; 6]; 6],
            alone: PairTangent::zero(),
            spins,
        }
    }

    /// Begins with a leaf.
    #[inline]
    pub fn begin(&mut self, corners: &Corners, count: usize, is_damped: bool) {
        self.is_damped = is_damped;
        self.row[..count].fill([0.0; 6]);
        self.damping[..count].fill(0.0);
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

    /// Adds a face; returns its own rows where `rows` wants them.
    #[inline]
    pub fn add_face(&mut self, face: &NormalLaw, corners: &Corners, rows: bool) -> Option<Rows> {
        let (law, at, s) = (face.law, &face.at, &face.s);
        let stiffness = law.stiffness * face.area;
        let has_ramp = law.damping > 0.0 && law.damping_depth > 0.0;
        let ramp = if has_ramp { law.damping * face.area / law.damping_depth } else { 0.0 };
        let (least, most) = (s[0].min(s[1]).min(s[2]), s[0].max(s[1]).max(s[2]));
        let rate = at.map(|k| corners.s_rate[k]);
        let g = at.map(|k| self.g[k]);
        let mut own = [[0.0; 6]; 3];
        if least > 0.0 && (!has_ramp || least >= law.damping_depth || most <= law.damping_depth) {
            // ⟨N_iN_j⟩ = (1 + δ_ij)/12.
            let ramp = if most <= law.damping_depth { ramp } else { 0.0 };
            let mut sum = g[0];
            add(&mut sum, 1.0, &g[1]);
            add(&mut sum, 1.0, &g[2]);
            for i in 0..3 {
                let scale = if face.clamped[i] { 0.0 } else { (stiffness + ramp * rate[i]) / -12.0 };
                own[i] = std::array::from_fn(|c| scale * (sum[c] + g[i][c]));
            }
        } else {
            let inside = mass(s);
            let beyond = if has_ramp { mass(&s.map(|s| s - law.damping_depth)) } else { [[0.0; 3]; 3] };
            for i in (0..3).filter(|i| !face.clamped[*i]) {
                for j in 0..3 {
                    let damper = ramp * (inside[i][j] - beyond[i][j]) * rate[i];
                    add(&mut own[i], -(stiffness * inside[i][j] + damper), &g[j]);
                }
            }
        }
        for i in 0..3 {
            add(&mut self.row[at[i]], 1.0, &own[i]);
            self.damping[at[i]] += face.damping[i];
        }
        rows.then(|| {
            for i in 0..3 {
                add(&mut own[i], face.damping[i], &self.rate[at[i]]);
            }
            let velocity = |i: usize| V6::from(g[i]) * -face.damping[i];
            Rows { pose: own.map(V6::from), velocity: [velocity(0), velocity(1), velocity(2)] }
        })
    }

    /// Sets all rows of a leaf that is inside as a whole: `stiffness` (per area, one for each corner) times the integrals of its faces, and the damping.
    #[inline]
    pub fn set_whole(&mut self, leaf: &Whole, stiffness: &List, damping: &List, count: usize) {
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
    pub fn end(&mut self, corners: &Corners, count: usize) {
        let g = &self.g[..count];
        let scaled = &mut self.scaled[..count];
        if self.is_damped {
            for k in 0..count {
                add(&mut self.row[k], self.damping[k], &self.rate[k]);
                scaled[k] = g[k].map(|g| -self.damping[k] * g);
            }
            add_products(&mut self.D, scaled, g);
        }
        add_products(&mut self.K, g, &self.row[..count]);
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
        // They swing with their arms: f × (x × ·) = x (f·) − (f·x).
        let mut arms = [[0.0; 3]; 3];
        for k in 0..count {
            let (x, f) = (vector(&corners.x, k), vector(&corners.n, k) * corners.normal[k]);
            for i in 0..3 {
                for j in 0..3 {
                    arms[i][j] += x[i] * f[j];
                }
            }
        }
        let trace = arms[0][0] + arms[1][1] + arms[2][2];
        for i in 0..3 {
            for j in 0..3 {
                self.K[i][j] += arms[i][j];
            }
            self.K[i][i] -= trace;
        }
    }

    /// All derivatives.
    pub fn tangent(&self) -> PairTangent {
        let matrix = |rows: &[Six; 6]| Mat6::from_fn(|i, j| rows[i][j]);
        PairTangent { K: self.alone.K + matrix(&self.K), D: self.alone.D + matrix(&self.D) }
    }
}
