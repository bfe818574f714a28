//! Nodes that carry ⇒ wrench, power and tangent (Krenn & Hirzinger, Eqs. 3–5).
//!
//! Nodes are taken two at a time, one in each lane; the lanes are added at the end, in this order, whatever the machine.

use super::SoilForce;
use super::contact::{Form, SoilContact};
use super::deform::NodePush;
use super::detect::Touch;
use super::direction::Resistance;
use super::law::Strength;
use super::params::{FrictionLaw, StressLaw};
use super::state::Soil;
use super::tangent::{Sum, TangentWeights};
use super::tile::Held;
use touchdown_math::{Elementary, Mat3, Mat6, Vec3, Wrench};
use wide::f64x2;

/// A vector in each lane.
pub(super) type V = [f64x2; 3];

#[inline(always)]
pub(super) fn cross(a: &V, b: &V) -> V {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[inline(always)]
fn dot(a: &V, b: &V) -> f64x2 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
pub(super) fn splat(v: &Vec3) -> V {
    [f64x2::splat(v.x), f64x2::splat(v.y), f64x2::splat(v.z)]
}

#[inline(always)]
fn total(v: f64x2) -> f64 {
    let [a, b] = v.to_array();
    a + b
}

/// A number of both nodes.
#[inline(always)]
fn both(pair: &[&Touch; 2], number: impl Fn(&Touch) -> f64) -> f64x2 {
    f64x2::new([number(pair[0]), number(pair[1])])
}

/// Shear on the body per unit of strength, and how it changes with the sliding velocity: −`drag`·(δv − ahead·v (v·δv)).
pub(super) struct Shear {
    direction: V,
    drag: f64x2,
    ahead: f64x2,
}

/// What all nodes of a contact share.
struct Common<'a> {
    /// Velocities of the touches beside those of the frame; empty for bodies that do not deform.
    drift: &'a [Vec3],
    C: V,
    v: V,
    w: V,
    laws: Laws,
    weights: Option<TangentWeights>,
}

/// Two nodes, one in each lane.
#[derive(Clone, Copy, Default)]
struct Pair {
    /// From the origin, m. Written by `move_with`.
    r: V,
    /// Normal (not normalised), and its square.
    m: V,
    square: f64x2,
    /// Speed along m, and velocity along the surface, m/s.
    rise: f64x2,
    v_t: V,
    /// Forces on the body, N. Written by `press`.
    f: V,
    /// Their part from pressure per slope of the normal, N.
    normal: f64x2,
    area: f64x2,
    p: f64x2,
    /// Derivatives of the forces by the nodes' own motion (columns); only with weights.
    B: [V; 3],
}

/// Slopes up to this (45°) are taken as they are.
const STEEP: f64 = 1.0;

/// Pairs that go through the stages together. In each stage they do not depend on each other, so that the quotients and roots of one do not
/// hold up the next.
const BLOCK: usize = 4;

/// Sums over the nodes.
#[derive(Default)]
struct Totals {
    f: V,
    t: V,
    load: f64x2,
    place: V,
    area: f64x2,
    pressure: f64x2,
    tangent: Sum,
}

impl SoilContact {
    /// The second half of `evaluate`: touches ⇒ wrench, power, tangent; each touch gets its normal and area.
    pub fn sum(&mut self, soil: &Soil, tangent: Option<(TangentWeights, &mut Mat6)>, force: &mut SoilForce) {
        let mut touches = std::mem::take(&mut self.touches);
        let is_mesh = matches!(self.form, Form::Mesh(_));
        for touch in &mut touches {
            let steep = self.slope(touch.cell as usize, touch.x, touch.y);
            let slope = if is_mesh { self.up_to_its_depth(touch, steep) } else { steep };
            touch.m = [-slope[0], -slope[1]];
            self.columns.at[touch.cell as usize].slope = slope;
        }
        for touch in &mut touches {
            touch.area = self.area(touch, [-touch.m[0], -touch.m[1]]);
        }
        self.touches = touches;
        self.locate();
        let touches = std::mem::take(&mut self.touches);
        let mut deforming = self.deforming.take();
        let mut pushes = deforming.as_mut().map(|d| std::mem::take(&mut d.pushes)).unwrap_or_default();
        let motion = self.motion;
        let common = Common {
            drift: deforming.as_ref().map_or(&[], |d| &d.drift),
            C: splat(&motion.X_WS.p),
            v: splat(&motion.v_WS),
            w: splat(&motion.w_WS),
            laws: Laws {
                friction: soil.ground.options.friction,
                stress: soil.ground.options.stress,
                since: self.since,
            },
            weights: tangent.as_ref().map(|(w, _)| *w),
        };
        let (mut totals, mut block) = (Totals::default(), [Pair::default(); BLOCK]);
        let mut nodes = touches.chunks_exact(2 * BLOCK);
        for (k, nodes) in nodes.by_ref().enumerate() {
            common.add(self, nodes, 2 * BLOCK * k, &mut block, &mut totals);
            keep(&block, pushes.get_mut(2 * BLOCK * k..2 * BLOCK * (k + 1)), common.weights.is_some());
        }
        let rest = nodes.remainder();
        common.add(self, rest, touches.len() - rest.len(), &mut block, &mut totals);
        keep(&block, pushes.get_mut(touches.len() - rest.len()..), common.weights.is_some());
        if let Some(deforming) = deforming.as_deref_mut() {
            deforming.pushes = pushes;
        }
        self.touches = touches;
        self.deforming = deforming;
        let [f, t, place] =
            [totals.f, totals.t, totals.place].map(|v| Vec3::new(total(v[0]), total(v[1]), total(v[2])));
        let mut wrench = Wrench { t, f };
        let mut tangent = tangent;
        if let Some((_, K)) = &mut tangent {
            totals.tangent.finish(K);
        }
        if soil.ground.options.stress == StressLaw::Directional {
            self.add_sides(soil, &mut wrench, tangent);
        }
        let Wrench { t, f } = wrench;
        let [a, b] = totals.pressure.to_array();
        force.pressure_max = a.max(b);
        force.area = total(totals.area);
        force.nodes = self.touches.len() as u32;
        force.wrench_C = Wrench { t, f };
        force.dissipated_power = -(f.dot(&motion.v_WS) + t.dot(&motion.w_WS)) - self.power_of_drift();
        let load = total(totals.load);
        if load > 0.0 {
            force.p_WQ = motion.X_WS.p + place / load;
        }
    }

    /// A face of a mesh cannot be higher than it stands in the soil: steep ones push by their depth.
    fn up_to_its_depth(&self, touch: &Touch, steep: [f64; 2]) -> [f64; 2] {
        let most = ((touch.top - touch.level) / self.spacing).max(STEEP);
        let length = steep[0].hypotenuse(steep[1]);
        if length > most { steep.map(|s| s * (most / length)) } else { steep }
    }

    /// Velocity of the body's surface over the node of a touch, m/s.
    pub(super) fn velocity(&self, index: usize) -> Vec3 {
        let touch = &self.touches[index];
        let C = self.motion.X_WS.p;
        let r = Vec3::new(touch.x - C.x, touch.y - C.y, touch.level - C.z);
        self.motion.v_WS + self.motion.w_WS.cross(&r) + self.drift(index)
    }
}

impl Common<'_> {
    /// Adds a block of nodes, of which the first is number `first`.
    #[inline(always)]
    fn add(
        &self,
        contact: &SoilContact,
        nodes: &[Touch],
        first: usize,
        block: &mut [Pair; BLOCK],
        totals: &mut Totals,
    ) {
        let Some(last) = nodes.last() else { return };
        // An odd one out stands beside a node without area.
        let nothing = Touch { area: 0.0, ..*last };
        let pair = |k: usize| [&nodes[2 * k], nodes.get(2 * k + 1).unwrap_or(&nothing)];
        let block = &mut block[..nodes.len().div_ceil(2)];
        for (k, out) in block.iter_mut().enumerate() {
            self.move_with(pair(k), first + 2 * k, out);
        }
        for (k, out) in block.iter_mut().enumerate() {
            let number = first + 2 * k;
            self.press(contact, pair(k), [number, number + 1], out);
        }
        for pair in block {
            totals.add(pair, self.weights.is_some());
        }
    }

    /// Motion of the surface.
    #[inline(always)]
    fn move_with(&self, nodes: [&Touch; 2], number: usize, out: &mut Pair) {
        let r = [
            both(&nodes, |t| t.x) - self.C[0],
            both(&nodes, |t| t.y) - self.C[1],
            both(&nodes, |t| t.level) - self.C[2],
        ];
        let m = [both(&nodes, |t| t.m[0]), both(&nodes, |t| t.m[1]), f64x2::ONE];
        let spin = cross(&self.w, &r);
        let mut v = [self.v[0] + spin[0], self.v[1] + spin[1], self.v[2] + spin[2]];
        if !self.drift.is_empty() {
            let of = |k: usize| self.drift.get(k).copied().unwrap_or_default();
            let (a, b) = (of(number), of(number + 1));
            (0..3).for_each(|c| v[c] += f64x2::new([a[c], b[c]]));
        }
        let (square, rise) = (dot(&m, &m), dot(&m, &v));
        let along = rise / square;
        let v_t = [v[0] - m[0] * along, v[1] - m[1] * along, v[2] - along];
        (out.r, out.m, out.square, out.rise, out.v_t) = (r, m, square, rise, v_t);
    }

    /// Pressure, friction and their derivatives.
    #[inline(always)]
    fn press(&self, contact: &SoilContact, nodes: [&Touch; 2], numbers: [usize; 2], out: &mut Pair) {
        let Pair { m, square, rise, v_t, .. } = *out;
        let soils = nodes.map(|t| contact.strength(t.soil));
        let of = |number: fn(&Strength) -> f64| f64x2::new([number(soils[0]), number(soils[1])]);
        let (one, area) = (f64x2::ONE, both(&nodes, |t| t.area));
        // Soil damping acts against penetration and never pulls.
        let damping = of(|s| s.damping);
        let held = numbers.map(|k| contact.held.get(k).copied().unwrap_or(Held::NEW));
        let factor = contact.peak.map_or(one, |peak| {
            f64x2::new(std::array::from_fn(|k| peak.factor(nodes[k], soils[k].exponent)))
        });
        let rates = (of(|s| s.shear_rate), factor);
        let (shear, now) = self.laws.advance(held, (&m, square), (&v_t, rise), rates);
        let is_directional = self.laws.stress == StressLaw::Directional;
        let bearing = if self.laws.stress == StressLaw::Bekker { one } else { now.bearing };
        let plate = both(&nodes, |t| t.pressure.p);
        let p = (plate * bearing - damping * rise).fast_max(f64x2::ZERO);
        // On the true area, so that the vertical part of the pressure is p·ds².
        let true_area = area * square.sqrt();
        let mut friction = of(|s| s.friction);
        // Soil that a body leaves may hold it by its cohesion, not by its friction: on steep places friction must not outweigh pressure.
        let draws = -shear.direction[2] * friction * square.sqrt();
        let pulls = draws.simd_gt(one) & rise.simd_gt(f64x2::ZERO);
        if pulls.any() {
            // A hair less than the pressure, against rounding.
            friction = pulls.select(friction * f64x2::splat(1.0 - 1e-12) / draws, friction);
        }
        let mut tau = friction * p + of(|s| s.cohesion);
        if is_directional {
            // Soil that moves with the face drags less than its friction could.
            let most = now.drag * plate;
            let is_dragged = tau.simd_gt(most);
            (tau, friction) = (is_dragged.select(most, tau), is_dragged.select(f64x2::ZERO, friction));
        }
        let (normal, tangential) = (area * p, tau * true_area);
        let f: V = std::array::from_fn(|k| m[k] * normal + shear.direction[k] * tangential);
        (out.f, out.normal, out.area, out.p) = (f, normal, area, p);
        let Some(w) = self.weights else { return };
        // dp = slope·m·δu − damping·m·δv; the force grows by g per unit of pressure, and friction follows the sliding velocity.
        let g_t = friction * true_area;
        let slope = f64x2::splat(w.q) * bearing * both(&nodes, |t| t.pressure.slope);
        // Where damping has taken all of the pressure, a little more or less of it changes nothing.
        let by_motion = p.simd_gt(f64x2::ZERO).select(slope - f64x2::splat(w.v) * damping, f64x2::ZERO);
        let drag = f64x2::splat(w.v) * tangential * shear.drag;
        let left: V = std::array::from_fn(|k| {
            (m[k] * area + shear.direction[k] * g_t) * by_motion + m[k] * (drag / square)
        });
        let ahead = drag * shear.ahead;
        for j in 0..3 {
            let ahead = v_t[j] * ahead;
            out.B[j] = std::array::from_fn(|i| left[i] * m[j] + v_t[i] * ahead);
            out.B[j][j] -= drag;
        }
    }
}

impl Totals {
    /// A function of its own: the compiler then leaves the sums where they are.
    #[inline(never)]
    fn add(&mut self, pair: &Pair, with_tangent: bool) {
        let Pair { r, f, normal, area, p, B, .. } = pair;
        let t = cross(r, f);
        for k in 0..3 {
            self.f[k] += f[k];
            self.t[k] += t[k];
            self.place[k] += r[k] * *normal;
        }
        self.load += *normal;
        self.area += *area;
        self.pressure = self.pressure.fast_max(*p);
        if with_tangent {
            self.tangent.add(r, B);
        }
    }
}

/// Forces of the nodes of a block, one by one, for a body that deforms.
#[inline]
fn keep(block: &[Pair; BLOCK], pushes: Option<&mut [NodePush]>, with_tangent: bool) {
    for (k, push) in pushes.into_iter().flatten().enumerate() {
        let (pair, lane) = (&block[k / 2], k % 2);
        let of = |v: &V| Vec3::from_fn(|c, _| v[c].to_array()[lane]);
        push.force = of(&pair.f);
        if with_tangent {
            push.slope = Mat3::from_columns(&[of(&pair.B[0]), of(&pair.B[1]), of(&pair.B[2])]);
        }
    }
}

/// Eq. 5, regularised at small speed.
#[inline(always)]
fn coulomb(v_t: &V, speed: f64) -> Shear {
    let square = dot(v_t, v_t) + f64x2::splat(speed * speed);
    let drag = f64x2::ONE / square.sqrt();
    Shear { direction: [-v_t[0] * drag, -v_t[1] * drag, -v_t[2] * drag], drag, ahead: drag * drag }
}

/// Distance over which a node takes on the direction of a motion, m: far below the shear lengths of soils (millimetres), so that a body at
/// rest is held by an anchor that gives way by less than a millimetre.
const ANCHOR: f64 = 2e-4;
/// Slower than this nothing slides, m/s.
const STILL: f64 = 1e-12;
/// A face that moves away from the soil (n·v < 0) meets nothing; the law fades out over this much of n·v.
const LEAVING: f64 = 0.05;

/// How forces follow from motion, and the time since the last commit, s.
#[derive(Clone, Copy)]
pub(super) struct Laws {
    pub friction: FrictionLaw,
    pub stress: StressLaw,
    pub since: f64,
}

/// [`Held`] of two nodes.
#[derive(Clone, Copy)]
pub(super) struct HeldPair {
    anchor: [f64x2; 2],
    share: f64x2,
    bearing: f64x2,
    drag: f64x2,
}

impl HeldPair {
    fn new([a, b]: [Held; 2]) -> HeldPair {
        HeldPair {
            anchor: std::array::from_fn(|k| f64x2::new([a.anchor[k], b.anchor[k]])),
            share: f64x2::new([a.share, b.share]),
            bearing: f64x2::new([a.bearing, b.bearing]),
            drag: f64x2::new([a.drag, b.drag]),
        }
    }

    /// Of the first.
    pub fn one(&self) -> Held {
        let first = |v: f64x2| v.to_array()[0];
        Held {
            anchor: self.anchor.map(first),
            share: first(self.share),
            bearing: first(self.bearing),
            drag: first(self.drag),
        }
    }
}

impl Laws {
    /// Shear of nodes with normals m (not normalised, and their squares) under surfaces that slide with v_t and rise along m, and what the nodes
    /// then hold: backwards in time over one step, so that nothing moves at rest. With 1/K and the factor that the pressure tends to by `peak`.
    #[inline(always)]
    pub fn advance(
        &self,
        held: [Held; 2],
        (m, square): (&V, f64x2),
        (v_t, rise): (&V, f64x2),
        (shear_rate, factor): (f64x2, f64x2),
    ) -> (Shear, HeldPair) {
        let mut now = HeldPair::new(held);
        let shear = match self.friction {
            FrictionLaw::Coulomb { speed } => coulomb(v_t, speed),
            FrictionLaw::Janosi | FrictionLaw::JanosiRim => self.anchored(&mut now, m, v_t, Some(shear_rate)),
            FrictionLaw::Anchored => self.anchored(&mut now, m, v_t, None),
        };
        match self.stress {
            StressLaw::Bekker => {}
            StressLaw::Directional => self.face(&mut now, (m, square), (v_t, rise)),
            StressLaw::WongReece => {
                let speed = (dot(v_t, v_t) + rise * rise / square).sqrt();
                now.bearing += (factor - now.bearing) * self.follows(speed);
            }
        }
        (shear, now)
    }

    /// Against the sliding, of which a node takes on the direction over a short distance; the share of the strength is all, or what Janosi and
    /// Hanamoto let be mobilised: dS = (1 − S) dj/K with the shear displacement j, so that S = 1 − e^(−j/K).
    #[inline(always)]
    fn anchored(&self, now: &mut HeldPair, m: &V, v_t: &V, shear_rate: Option<f64x2>) -> Shear {
        let one = f64x2::ONE;
        let slid = dot(v_t, v_t).sqrt() * f64x2::splat(self.since);
        let rate = f64x2::splat(self.since / ANCHOR);
        let scale = one / (one + slid * f64x2::splat(1.0 / ANCHOR));
        let [x, y] = [0, 1].map(|k| (now.anchor[k] + v_t[k] * rate) * scale);
        // In the plane of the underside, as it is now.
        let z = -(m[0] * x + m[1] * y);
        let over = one / (x * x + y * y + z * z).sqrt().fast_max(one);
        now.anchor = [x * over, y * over];
        now.share = match shear_rate {
            Some(shear_rate) => (now.share + slid * shear_rate) / (one + slid * shear_rate),
            None => one,
        };
        let against = -now.share * over;
        let direction = [x * against, y * against, z * against];
        let drag = now.share * rate * scale;
        // Along the motion the direction saturates, and the share grows: −∂f/∂v = drag·(1 − v̂v̂ᵀ·(…)), exact where the anchor lies along the motion.
        let square = dot(v_t, v_t).fast_max(f64x2::splat(STILL * STILL));
        let grows = shear_rate.map_or(f64x2::ZERO, |rate| rate * (one - now.share) / (one + slid * rate));
        let saturates = now.share * scale * f64x2::splat(1.0 / ANCHOR) - grows;
        let along = -dot(&direction, v_t) / now.share.fast_max(f64x2::splat(f64::MIN_POSITIVE));
        let ahead = along * saturates * f64x2::splat(self.since) / (square * square.sqrt());
        Shear { direction, drag, ahead: ahead / drag.fast_max(f64x2::splat(f64::MIN_POSITIVE)) }
    }

    /// Part of a change that a node takes on at this speed, backwards in time.
    #[inline(always)]
    fn follows(&self, speed: f64x2) -> f64x2 {
        let moved = speed * f64x2::splat(self.since / ANCHOR);
        moved / (f64x2::ONE + moved)
    }

    /// Pressure and drag by direction, which follow the motion over a short distance.
    #[inline(always)]
    fn face(&self, now: &mut HeldPair, (m, square): (&V, f64x2), (v_t, rise): (&V, f64x2)) {
        let (zero, one) = (f64x2::ZERO, f64x2::ONE);
        let outward = -one / square.sqrt();
        let along = rise / square;
        let v: V = std::array::from_fn(|k| v_t[k] + m[k] * along);
        let found = Resistance::of(&[m[0] * outward, m[1] * outward, outward], &v);
        let presses = (one + found.facing * f64x2::splat(1.0 / LEAVING)).fast_max(zero).fast_min(one);
        let follows = self.follows(found.speed);
        now.bearing += (found.bearing * presses - now.bearing) * follows;
        now.drag += (found.drag - now.drag) * follows;
    }
}
