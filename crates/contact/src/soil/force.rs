//! From columns to a wrench: detect ⇒ pressure of each node ⇒ weights at the contact's ends ⇒ force, power and tangent.
//!
//! Evaluation is pure: it reads the soil and writes only the scratch of its own contact.

use super::columns::Columns;
use super::law::{self, Pressure, Strength};
use super::mesh::{MeshScratch, MeshUnderside};
use super::outline;
use super::params::{BekkerWidth, FrictionLaw, SoilShape, SoilSurface};
use super::state::{Memory, NOWHERE, NodeAt, SIDE, Soil, UNDER, WAKE, locate};
use super::wheel::Wheel;
use super::{SoilForce, SurfaceMotion};
use touchdown_math::{Mat6, Pose, Vec3, Wrench};

/// The form of a body's underside.
#[derive(Clone, Debug)]
enum Form {
    Wheel(Wheel),
    Mesh(Box<(MeshUnderside, MeshScratch)>),
}

/// A node that carries at the last evaluation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    /// Its tile (`NOWHERE` if untouched so far) and index.
    pub at: NodeAt,
    /// Its column.
    pub cell: u32,
    pub soil: u8,
    pub flags: u8,
    /// Level of the body.
    pub level: f64,
    /// Surface, or where the contact began.
    pub top: f64,
    /// Fraction of the cell under the body.
    pub cover: f64,
    pub pressure: Pressure,
    /// Area that counts, horizontal projection, m².
    pub area: f64,
    /// Normal (−s_x, −s_y, 1) of the underside, not normalised, out of the soil.
    pub m: Vec3,
    /// Velocity of the body's surface, m/s.
    pub v: Vec3,
    /// Mobilised share of the strength before this step, then after it.
    pub shear: [f64; 2],
}

/// One body on the soil: its form, and the scratch and results of its last evaluation. What a restart needs of it is in
/// [`super::ContactState`].
#[derive(Clone, Debug)]
pub struct SoilContact {
    form: Form,
    pub(super) carried_layer: f64,
    /// Largest distance of the form from the origin of its frame, m.
    reach: f64,
    columns: Columns,
    /// For each column: what its node keeps of its pressure if it carries, otherwise one of the codes below.
    status: Vec<f64>,
    /// For each column that does not carry: its height over the ground, m.
    gap: Vec<f64>,
    slots: Vec<u32>,
    strengths: Vec<Strength>,
    hull: Vec<[f64; 2]>,
    pub(super) touches: Vec<Touch>,
    /// Nodes on which the body presses.
    pub(super) under: Vec<NodeAt>,
    /// Nodes that it has just released.
    pub(super) wake: Vec<NodeAt>,
    /// Nodes over which it stands without pressing.
    pub(super) roof: Vec<NodeAt>,
    /// Soil lifted and not yet put down, units.
    pub(super) carried: i64,
    /// Distance of the nodes and motion at the last evaluation.
    spacing: f64,
    motion: SurfaceMotion,
    /// Scratch of `displace`.
    pub(super) displacing: super::displace::Scratch,
}

/// The body was above the node and left it a moment ago.
const LEFT: f64 = -1.0;
/// The body is above the node and has not reached it.
const FREE: f64 = -2.0;
/// No body above the node.
const OUTSIDE: f64 = -3.0;

/// Weights of the tangent: `q` of the derivative by the pose, `v` of that by the velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TangentWeights {
    /// Of ∂/∂pose.
    pub q: f64,
    /// Of ∂/∂velocity.
    pub v: f64,
}

impl SoilContact {
    /// A body's surface.
    pub fn new(surface: &SoilSurface) -> SoilContact {
        let (form, reach) = match &surface.shape {
            SoilShape::Wheel { radius, width, grousers } => {
                let tip = radius + grousers.map_or(0.0, |g| g.height);
                (Form::Wheel(Wheel::new(*radius, *width, *grousers)), tip.hypot(0.5 * width))
            }
            SoilShape::Mesh(mesh) => {
                let reach = mesh.vertices.iter().map(|v| v.norm()).fold(0.0, f64::max);
                (Form::Mesh(Box::new((MeshUnderside::new(mesh), MeshScratch::default()))), reach)
            }
        };
        SoilContact {
            form,
            carried_layer: surface.carried_layer,
            reach,
            columns: Columns::default(),
            status: Vec::new(),
            gap: Vec::new(),
            slots: Vec::new(),
            strengths: Vec::new(),
            hull: Vec::new(),
            touches: Vec::new(),
            under: Vec::new(),
            wake: Vec::new(),
            roof: Vec::new(),
            carried: 0,
            spacing: 0.0,
            motion: SurfaceMotion { X_WS: Pose::identity(), v_WC: Vec3::zeros(), w_WB: Vec3::zeros() },
            displacing: Default::default(),
        }
    }

    /// Height of the lowest point of the form, m (of a wheel: of its rim).
    pub fn lowest(&self, X_WS: &Pose) -> f64 {
        match &self.form {
            Form::Wheel(wheel) => wheel.lowest(X_WS),
            Form::Mesh(mesh) => mesh.0.lowest(X_WS),
        }
    }

    /// Force of the soil on the body, `since` seconds after the last commit. With weights also minus nothing: the weighted
    /// derivative q·∂W/∂pose + v·∂W/∂velocity of the wrench about the frame's origin, added to `tangent`.
    pub fn evaluate(
        &mut self,
        soil: &Soil,
        motion: &SurfaceMotion,
        since: f64,
        tangent: Option<(TangentWeights, &mut Mat6)>,
    ) -> SoilForce {
        let C = motion.X_WS.p;
        let mut force = SoilForce { p_WQ: C, ..Default::default() };
        let Some(ground) = soil.relief.height(C.x, C.y) else {
            // Nothing of an earlier evaluation may be committed.
            self.touches.clear();
            self.status.clear();
            self.update_strengths(soil, None);
            force.missing = Some([C.x, C.y]);
            return force;
        };
        let low = self.lowest(&motion.X_WS);
        force.sinkage = ground - low;
        let ceiling = soil.highest_near(C.x, C.y, self.reach + soil.spacing);
        let with_boxes = !matches!(soil.options.width, BekkerWidth::Given(_));
        match &mut self.form {
            Form::Wheel(w) => w.fill(&motion.X_WS, soil.spacing, ceiling, with_boxes, &mut self.columns),
            Form::Mesh(form) => {
                let (mesh, scratch) = form.as_mut();
                mesh.fill(&motion.X_WS, soil.spacing, ceiling, with_boxes, scratch, &mut self.columns);
            }
        }
        (self.spacing, self.motion) = (soil.spacing, *motion);
        self.update_strengths(soil, None);
        self.detect(soil, &mut force);
        if with_boxes && !self.touches.is_empty() {
            self.update_width(soil);
            self.detect(soil, &mut force);
        }
        self.weigh(soil);
        self.sum(soil, motion, since, tangent, &mut force);
        force
    }

    /// Strength of every soil under the present width of the contact.
    fn update_strengths(&mut self, soil: &Soil, width: Option<f64>) {
        let b = match (soil.options.width, width) {
            (_, Some(b)) => b,
            (BekkerWidth::Given(b), None) => b,
            // Any width finds the same nodes in contact: only virgin or loaded ones carry, whatever the modulus.
            (_, None) => 0.1,
        };
        self.strengths.clear();
        self.strengths.extend(soil.soils.iter().map(|s| Strength::new(s, b)));
    }

    /// The width of the contact from its outline.
    fn update_width(&mut self, soil: &Soil) {
        self.hull.clear();
        for touch in &self.touches {
            outline::add_corners(&mut self.hull, self.columns.boxes[touch.cell as usize]);
        }
        if let Some(patch) = outline::patch(&mut self.hull) {
            let b = outline::bekker_width(soil.options.width, &patch);
            self.update_strengths(soil, Some(b));
        }
    }

    /// columns, soil ⇒ touches, status, gap.
    fn detect(&mut self, soil: &Soil, force: &mut SoilForce) {
        let (nx, ny) = (self.columns.nx, self.columns.ny);
        self.touches.clear();
        self.status.clear();
        self.status.resize(nx * ny, OUTSIDE);
        self.gap.clear();
        self.gap.resize(nx * ny, 0.0);
        if nx * ny == 0 {
            return;
        }
        let (i0, j0) = (self.columns.i0, self.columns.j0);
        let side = SIDE as i64;
        let (t0, t1) = (i0.div_euclid(side), (i0 + nx as i64 - 1).div_euclid(side));
        let mut tj_of_slots = i64::MIN;
        for j in 0..ny {
            let gj = j0 + j as i64;
            let tj = gj.div_euclid(side);
            if tj != tj_of_slots {
                tj_of_slots = tj;
                self.slots.clear();
                self.slots.extend((t0..=t1).map(|ti| soil.slot((ti as i32, tj as i32)).unwrap_or(NOWHERE)));
            }
            let row = (gj.rem_euclid(side) as usize) * SIDE;
            let mut i = 0;
            while i < nx {
                let gi = i0 + i as i64;
                let in_tile = gi.rem_euclid(side) as usize;
                let run = (nx - i).min(SIDE - in_tile);
                let slot = self.slots[(gi.div_euclid(side) - t0) as usize];
                if slot == NOWHERE {
                    self.detect_untouched(soil, (i, j), run, force);
                } else {
                    self.detect_run(soil, (i, j), run, slot, row + in_tile, force);
                }
                i += run;
            }
        }
    }

    /// A run of nodes inside one tile.
    fn detect_run(
        &mut self,
        soil: &Soil,
        (i, j): (usize, usize),
        run: usize,
        slot: u32,
        first: usize,
        force: &mut SoilForce,
    ) {
        let tile = &soil.tiles[slot as usize];
        let cell = j * self.columns.nx + i;
        for k in 0..run {
            let column = &self.columns.at[cell + k];
            if column.cover <= 0.0 {
                continue;
            }
            let node = first + k;
            let (top, flags) = (tile.level[node], tile.flags[node]);
            if column.level >= top {
                self.status[cell + k] = if flags & WAKE != 0 { LEFT } else { FREE };
                self.gap[cell + k] = column.level - top;
                continue;
            }
            if top.is_nan() {
                force.missing = Some([
                    (self.columns.i0 + (i + k) as i64) as f64 * soil.spacing,
                    (self.columns.j0 + j as i64) as f64 * soil.spacing,
                ]);
                continue;
            }
            let memory = &tile.memory[node];
            let index = tile.soil[node];
            let strength = &self.strengths[usize::from(index)];
            let pressure = law::pressure(strength, column.level, top, flags, memory);
            if pressure.p <= 0.0 {
                self.status[cell + k] = LEFT;
                continue;
            }
            self.status[cell + k] = pressure.kept;
            let shear = if flags & UNDER != 0 { memory.shear } else { [0.0; 2] };
            self.touches.push(Touch {
                at: NodeAt { slot, node: node as u16 },
                cell: (cell + k) as u32,
                soil: index,
                flags,
                level: column.level,
                top,
                cover: column.cover,
                pressure,
                area: 0.0,
                m: Vec3::new(-column.slope[0], -column.slope[1], 1.0),
                v: Vec3::zeros(),
                shear,
            });
        }
    }

    /// A run of nodes in a tile that does not exist yet: virgin ground.
    #[cold]
    fn detect_untouched(&mut self, soil: &Soil, (i, j): (usize, usize), run: usize, force: &mut SoilForce) {
        let cell = j * self.columns.nx + i;
        for k in 0..run {
            let column = self.columns.at[cell + k];
            if column.cover <= 0.0 {
                continue;
            }
            let (gi, gj) = (self.columns.i0 + (i + k) as i64, self.columns.j0 + j as i64);
            let (x, y) = (gi as f64 * soil.spacing, gj as f64 * soil.spacing);
            let Some(top) = soil.relief.height(x, y) else {
                force.missing = Some([x, y]);
                continue;
            };
            self.gap[cell + k] = column.level - top;
            self.status[cell + k] = FREE;
            if column.level >= top {
                continue;
            }
            let index = soil.soil_at(x, y);
            let strength = &self.strengths[usize::from(index)];
            let pressure = law::pressure(strength, column.level, top, 0, &Memory::default());
            self.status[cell + k] = pressure.kept;
            self.touches.push(Touch {
                at: NodeAt { slot: NOWHERE, node: locate(gi, gj).1 as u16 },
                cell: (cell + k) as u32,
                soil: index,
                flags: 0,
                level: column.level,
                top,
                cover: column.cover,
                pressure,
                area: 0.0,
                m: Vec3::new(-column.slope[0], -column.slope[1], 1.0),
                v: Vec3::zeros(),
                shear: [0.0; 2],
            });
        }
    }

    /// Indices in the grid of the column of a touch.
    pub(super) fn indices(&self, touch: &Touch) -> (i64, i64) {
        let (cell, nx) = (touch.cell as usize, self.columns.nx);
        (self.columns.i0 + (cell % nx) as i64, self.columns.j0 + (cell / nx) as i64)
    }

    /// Height of the underside over a node at the last evaluation, m; infinite where there is none.
    pub(super) fn underside(&self, i: i64, j: i64) -> f64 {
        let (i, j) = (i - self.columns.i0, j - self.columns.j0);
        let inside = i >= 0 && j >= 0 && (i as usize) < self.columns.nx && (j as usize) < self.columns.ny;
        if inside { self.columns.at[j as usize * self.columns.nx + i as usize].level } else { f64::INFINITY }
    }

    /// Distance of the nodes at the last evaluation, m.
    pub(super) fn spacing_of_columns(&self) -> f64 {
        self.spacing
    }

    /// Strength of a soil at the last evaluation.
    pub(super) fn strength(&self, soil: u8) -> Strength {
        self.strengths[usize::from(soil)]
    }

    /// Grid indices of the nodes over which the body stands without pressing or coming closer.
    pub(super) fn for_each_roofed(&self, mut f: impl FnMut(i64, i64)) {
        let (nx, C) = (self.columns.nx, self.motion.X_WS.p);
        for (cell, status) in self.status.iter().enumerate() {
            if *status == FREE || *status == LEFT {
                let (i, j) = (self.columns.i0 + (cell % nx) as i64, self.columns.j0 + (cell / nx) as i64);
                let column = &self.columns.at[cell];
                let r = Vec3::new(
                    i as f64 * self.spacing - C.x,
                    j as f64 * self.spacing - C.y,
                    column.level - C.z,
                );
                let v = self.motion.v_WC + self.motion.w_WB.cross(&r);
                if v.z - column.slope[0] * v.x - column.slope[1] * v.y >= 0.0 {
                    f(i, j);
                }
            }
        }
    }

    /// status ⇒ the area that each node stands for. Inside the contact it is the cell; at the end of the contact, the part of the way
    /// to the next node over which the contact reaches.
    fn weigh(&mut self, soil: &Soil) {
        let (nx, ny) = (self.columns.nx, self.columns.ny);
        let cell_area = soil.spacing * soil.spacing;
        for touch in &mut self.touches {
            let cell = touch.cell as usize;
            let (i, j) = (cell % nx, cell / nx);
            let end = Ends {
                status: &self.status,
                gap: &self.gap,
                columns: &self.columns,
                kept: touch.pressure.kept,
                depth: touch.top - touch.level,
                taper: 1.0 / (1.0 + soil.soils[usize::from(touch.soil)].exponent),
            };
            let x = if i > 0 { end.part(cell, cell - 1, 0, 1.0) } else { 0.5 }
                + if i + 1 < nx { end.part(cell, cell + 1, 0, -1.0) } else { 0.5 };
            let y = if j > 0 { end.part(cell, cell - nx, 1, 1.0) } else { 0.5 }
                + if j + 1 < ny { end.part(cell, cell + nx, 1, -1.0) } else { 0.5 };
            touch.area = cell_area * touch.cover * x.min(y);
        }
    }

    /// touches ⇒ wrench, power, tangent.
    fn sum(
        &mut self,
        soil: &Soil,
        motion: &SurfaceMotion,
        since: f64,
        mut tangent: Option<(TangentWeights, &mut Mat6)>,
        force: &mut SoilForce,
    ) {
        let C = motion.X_WS.p;
        let (nx, i0, j0) = (self.columns.nx, self.columns.i0, self.columns.j0);
        let coulomb = match soil.options.friction {
            FrictionLaw::Coulomb { speed } => Some(speed * speed),
            FrictionLaw::Janosi => None,
        };
        let (mut f, mut t, mut load, mut place) = (Vec3::zeros(), Vec3::zeros(), 0.0, Vec3::zeros());
        let mut iso = Isotropic::default();
        for touch in &mut self.touches {
            let strength = &self.strengths[usize::from(touch.soil)];
            let cell = touch.cell as usize;
            let x = (i0 + (cell % nx) as i64) as f64 * soil.spacing;
            let y = (j0 + (cell / nx) as i64) as f64 * soil.spacing;
            let r = Vec3::new(x - C.x, y - C.y, touch.level - C.z);
            let v = motion.v_WC + motion.w_WB.cross(&r);
            touch.v = v;
            let m = touch.m;
            let inverse = 1.0 / m.norm_squared();
            let stretch = m.norm();
            let rise = m.dot(&v);
            // Soil damping acts against penetration and never pulls.
            let p = (touch.pressure.p - strength.damping * rise).max(0.0);
            let damping = if p > 0.0 { strength.damping } else { 0.0 };
            let v_t = v - m * (rise * inverse);
            // Strength on the true area; direction d of the shear on the body, and its derivative −e(1 − …) by the sliding velocity.
            let s = strength.friction * p + strength.cohesion;
            let (d, e, along) = match coulomb {
                Some(eps) => {
                    let inv = 1.0 / (v_t.norm_squared() + eps).sqrt();
                    (-v_t * inv, inv, inv * inv * inv)
                }
                None => mobilise(touch, &v_t, since * strength.shear_rate),
            };
            let A = touch.area * stretch;
            let node_f = m * (touch.area * p) + d * (s * A);
            f += node_f;
            t += r.cross(&node_f);
            let weight = touch.area * p;
            load += weight;
            place += r * weight;
            force.pressure_max = force.pressure_max.max(p);
            force.area += touch.area;
            if let Some((w, K)) = &mut tangent {
                // dp = slope·m·δu − damping·m·δv; the force grows by g per unit of pressure.
                let g = m * touch.area + d * (strength.friction * A);
                let by_motion = w.q * touch.pressure.slope - w.v * damping;
                let friction = w.v * s * A * e;
                let left = g * by_motion + m * (friction * inverse);
                add_outer(K, &r, &left, &m, 1.0);
                iso.add(&r, friction);
                if along > 0.0 {
                    let weight = w.v * s * A * along;
                    add_outer(K, &r, &v_t, &v_t, weight);
                }
            }
        }
        if let Some((_, K)) = tangent {
            iso.subtract_from(K);
        }
        force.nodes = self.touches.len() as u32;
        force.wrench_C = Wrench { t, f };
        force.dissipated_power = -(f.dot(&motion.v_WC) + t.dot(&motion.w_WB));
        if load > 0.0 {
            force.p_WQ = C + place / load;
        }
    }
}

/// What the end of a contact looks like from one of its nodes.
struct Ends<'a> {
    status: &'a [f64],
    gap: &'a [f64],
    columns: &'a Columns,
    kept: f64,
    depth: f64,
    taper: f64,
}

impl Ends<'_> {
    /// Part of the way from the node at `cell` to its neighbour (along axis k, the node lying at `side` of it) that belongs to it.
    #[inline]
    fn part(&self, cell: usize, neighbour: usize, k: usize, side: f64) -> f64 {
        let status = self.status[neighbour];
        if status >= self.kept || status == OUTSIDE {
            return 0.5;
        }
        if status == FREE {
            // The pressure grows from nothing like a power of the depth.
            return self.depth / (self.depth + self.gap[neighbour]) * self.taper;
        }
        // The neighbour was released: the contact ends where the underside is lowest.
        let (a, b) = (self.columns.at[neighbour].slope[k] * side, self.columns.at[cell].slope[k] * side);
        let reach = if b <= 0.0 {
            0.0
        } else if a >= 0.0 {
            1.0
        } else {
            b / (b - a)
        };
        if status <= 0.0 {
            return reach;
        }
        let share = status / self.kept;
        0.5 * share + (1.0 - share) * reach
    }
}

/// Janosi and Hanamoto with direction: de/dj = v̂ − e over one step backwards in time, so that |e| = 1 − e^(−j/K) in steady shear
/// and nothing moves at rest. Returns direction, its slope by the sliding velocity, and no part along it; the touch keeps the new share.
#[inline]
fn mobilise(touch: &mut Touch, v_t: &Vec3, rate: f64) -> (Vec3, f64, f64) {
    let speed = v_t.norm();
    let scale = 1.0 / (1.0 + speed * rate);
    let (ex, ey) = ((touch.shear[0] + v_t.x * rate) * scale, (touch.shear[1] + v_t.y * rate) * scale);
    touch.shear = [ex, ey];
    // In the plane of the underside.
    let ez = -(touch.m.x * ex + touch.m.y * ey);
    (-Vec3::new(ex, ey, ez), rate * scale, 0.0)
}

/// K += weight·[r×a; a]·[r×b; b]ᵀ.
#[inline(always)]
fn add_outer(K: &mut Mat6, r: &Vec3, a: &Vec3, b: &Vec3, weight: f64) {
    let (ra, rb) = (r.cross(a), r.cross(b));
    let left = [ra.x, ra.y, ra.z, a.x, a.y, a.z];
    let right = [rb.x, rb.y, rb.z, b.x, b.y, b.z];
    for (j, right) in right.iter().enumerate() {
        let factor = right * weight;
        for (i, left) in left.iter().enumerate() {
            K[(i, j)] += left * factor;
        }
    }
}

/// Σ γ and its moments: the isotropic part of the friction's damping.
#[derive(Default)]
struct Isotropic {
    sum: f64,
    first: [f64; 3],
    /// xx, yy, zz, xy, xz, yz.
    second: [f64; 6],
}

impl Isotropic {
    #[inline(always)]
    fn add(&mut self, r: &Vec3, weight: f64) {
        self.sum += weight;
        let w = [r.x * weight, r.y * weight, r.z * weight];
        for k in 0..3 {
            self.first[k] += w[k];
        }
        let products = [w[0] * r.x, w[1] * r.y, w[2] * r.z, w[0] * r.y, w[0] * r.z, w[1] * r.z];
        for (sum, product) in self.second.iter_mut().zip(products) {
            *sum += product;
        }
    }

    /// K −= Σ γ [r×; 1]·[r×; 1]ᵀ, that is f = −γ·(v + w × r) at every node.
    fn subtract_from(&self, K: &mut Mat6) {
        let [xx, yy, zz, xy, xz, yz] = self.second;
        let torque = [[yy + zz, -xy, -xz], [-xy, xx + zz, -yz], [-xz, -yz, xx + yy]];
        let s = self.first;
        let cross = [[0.0, -s[2], s[1]], [s[2], 0.0, -s[0]], [-s[1], s[0], 0.0]];
        for i in 0..3 {
            K[(i + 3, i + 3)] -= self.sum;
            for j in 0..3 {
                K[(i, j)] -= torque[i][j];
                // Torque by velocity: r×; force by rotation: its transpose.
                K[(i, j + 3)] -= cross[i][j];
                K[(j + 3, i)] -= cross[i][j];
            }
        }
    }
}
