//! Nodes that carry ⇒ wrench, power and tangent (Krenn & Hirzinger, Eqs. 3–5).
//!
//! Nodes are taken two at a time, one in each lane; the lanes are added at the end, in this order, on every
//! machine.

use super::SoilForce;
use super::contact::{Form, SoilContact};
use super::deform::NodePush;
use super::detect::Touch;
use super::lanes::{V, both, cross, dot, splat, total};
use super::law::Strength;
use super::params::StressLaw;
use super::shear::{Faced, HeldPair, Laws, Shear};
use super::state::Soil;
use super::tangent::{Sum, TangentWeights};
use super::tile::Held;
use touchdown_math::{Elementary, Mat3, Mat6, Vec3, Wrench};
use wide::f64x2;

/// Data shared by all nodes of a contact.
pub(super) struct Common<'a> {
    /// Velocities of the touches relative to the frame; empty for rigid bodies.
    pub drift: &'a [Vec3],
    /// Origin and motion of the frame.
    pub C: V,
    /// See `C`.
    pub v: V,
    /// See `C`.
    pub w: V,
    /// How forces follow from motion.
    pub laws: Laws,
    /// Of the tangent, if there is one.
    pub weights: Option<TangentWeights>,
}

/// Two nodes, one in each lane.
#[derive(Clone, Copy, Default)]
pub(super) struct Pair {
    /// From the origin, m. Written by `move_with`.
    r: V,
    /// Normal (not normalised), and its square.
    m: V,
    square: f64x2,
    /// Velocity, speed along m, and velocity along the surface, m/s.
    v: V,
    rise: f64x2,
    v_t: V,
    /// Forces on the body, N. Written by `press`.
    f: V,
    /// Their part from pressure per slope of the normal, N.
    normal: f64x2,
    area: f64x2,
    p: f64x2,
    /// Result of the law of directions.
    faced: Faced,
    /// Derivatives of the forces by the nodes' own motion (columns); only with weights.
    B: [V; 3],
}

/// Slopes up to this (45°) are not limited.
const STEEP: f64 = 1.0;

/// Pairs that pass the stages together. In each stage they are independent, so that the quotients and roots
/// of one do not delay the next.
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
        let mut faced = std::mem::take(&mut self.faced);
        faced.clear();
        let mut nodes = touches.chunks_exact(2 * BLOCK);
        for (k, nodes) in nodes.by_ref().enumerate() {
            common.add(self, nodes, 2 * BLOCK * k, &mut block, &mut totals);
            faced.extend(block.iter().map(|pair| pair.faced));
            keep(&block, pushes.get_mut(2 * BLOCK * k..2 * BLOCK * (k + 1)), common.weights.is_some());
        }
        let rest = nodes.remainder();
        common.add(self, rest, touches.len() - rest.len(), &mut block, &mut totals);
        faced.extend(block[..rest.len().div_ceil(2)].iter().map(|pair| pair.faced));
        keep(&block, pushes.get_mut(touches.len() - rest.len()..), common.weights.is_some());
        if let Some(deforming) = deforming.as_deref_mut() {
            deforming.pushes = pushes;
        }
        (self.touches, self.faced) = (touches, faced);
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

    /// The loaded height of a mesh face cannot exceed its depth in the soil: the slope of steep faces is
    /// limited.
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
        // An odd last node is paired with a node without area.
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
    pub fn move_with(&self, nodes: [&Touch; 2], number: usize, out: &mut Pair) {
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
        (out.r, out.m, out.square, out.v, out.rise, out.v_t) = (r, m, square, v, rise, v_t);
    }

    /// Shear of two nodes and their new memory, from their previous memory.
    #[inline(always)]
    pub fn advance(
        &self,
        contact: &SoilContact,
        nodes: [&Touch; 2],
        held: [Held; 2],
        (pair, faced): (&Pair, Option<Faced>),
    ) -> (Shear, HeldPair, Faced) {
        let soils = nodes.map(|t| contact.strength(t.soil));
        let factor = contact.peak.map_or(f64x2::ONE, |peak| {
            f64x2::new(std::array::from_fn(|k| peak.factor(nodes[k], soils[k].exponent)))
        });
        let rates = (f64x2::new(soils.map(|s| s.shear_rate)), factor);
        self.laws.advance(held, (&pair.m, pair.square), (&pair.v, &pair.v_t, pair.rise), rates, faced)
    }

    /// Pressure, friction and their derivatives.
    #[inline(always)]
    fn press(&self, contact: &SoilContact, nodes: [&Touch; 2], numbers: [usize; 2], out: &mut Pair) {
        let held = numbers.map(|k| contact.held.get(k).copied().unwrap_or(Held::NEW));
        let (shear, now, faced) = self.advance(contact, nodes, held, (out, None));
        out.faced = faced;
        let Pair { m, square, rise, v_t, .. } = *out;
        let soils = nodes.map(|t| contact.strength(t.soil));
        let of = |number: fn(&Strength) -> f64| f64x2::new([number(soils[0]), number(soils[1])]);
        let (one, area) = (f64x2::ONE, both(&nodes, |t| t.area));
        // Soil damping acts against penetration and never pulls.
        let damping = of(|s| s.damping);
        let is_directional = self.laws.stress == StressLaw::Directional;
        let bearing = if self.laws.stress == StressLaw::Bekker { one } else { now.bearing };
        let plate = both(&nodes, |t| t.pressure.p);
        let p = (plate * bearing - damping * rise).fast_max(f64x2::ZERO);
        // On the true area, so that the vertical part of the pressure is p·ds².
        let true_area = area * square.sqrt();
        let mut friction = of(|s| s.friction);
        // Soil may hold a separating body by cohesion but not by friction: on steep faces friction must not
        // exceed pressure.
        let draws = -shear.direction[2] * friction * square.sqrt();
        let pulls = draws.simd_gt(one) & rise.simd_gt(f64x2::ZERO);
        if pulls.any() {
            // Slightly less than the pressure, against rounding.
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
        // Where damping has cancelled all of the pressure, small changes of it have no effect.
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
    /// A separate function, so that the compiler keeps the sums in place.
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
