//! Forces of a leaf at once: shared quantities of corners are computed once, and their normal forces are
//! summed before they are converted to a wrench. The same law as [`super::calc_element`] face by face, for
//! evaluations that need only the sum.

use super::PolygonalForce;
use super::corners::{Corners, vector};
use super::detect::{Before, Leaf};
use super::faces::{Faces, LEAF_CORNERS};
use super::force::{FrictionForce, Press, calc_friction, damping_weights, normal_law, unit};
use super::pair_in_motion::PairInMotion;
use super::params::{Friction, PairLaw, Separation};
use super::slopes::{NormalLaw, Six, Slopes};
use super::tangent::Rubbing;
use super::triangle::Moments;
use touchdown_math::{Vec3, Wrench};

/// Working memory of a leaf, and the sums of all leaves.
pub(super) struct Sum<'a> {
    pub corners: &'a mut Corners,
    pub force: &'a mut PolygonalForce,
    /// Derivatives, if requested.
    pub slopes: Option<&'a mut Slopes>,
    /// The body's origin, m.
    pub origin: Vec3,
    /// Whether any law damps.
    pub is_damped: bool,
}

/// Sums of scalars over the faces of a leaf.
struct Scalars {
    area: f64,
    polygons: u32,
    deepest: f64,
    pressure: f64,
    energy: f64,
    heat: f64,
    in_range: bool,
}

/// Normal forces of a face.
struct Pressed {
    normal: [f64; 3],
    damping: [f64; 3],
    clamped: [bool; 3],
    area: f64,
}

impl Sum<'_> {
    /// Adds the faces of a leaf.
    pub fn add_leaf(&mut self, leaf: &Leaf, faces: &Faces, laws: &[PairLaw], motion: &mut PairInMotion) {
        let count = leaf.corners().min(LEAF_CORNERS);
        self.corners.fill(leaf, &self.origin, motion);
        if let Some(slopes) = &mut self.slopes {
            let is_smooth = |law: u16| law_at(laws, law).friction == Friction::None;
            slopes.begin(self.corners, count, self.is_damped, !leaf.node.law.is_some_and(is_smooth));
        }
        if self.add_whole(leaf, faces, laws) {
            return self.add_wrenches(count);
        }
        let mut sums = Scalars {
            area: 0.0,
            polygons: 0,
            deepest: 0.0,
            pressure: 0.0,
            energy: 0.0,
            heat: 0.0,
            in_range: true,
        };
        for f in leaf.node.faces[0]..leaf.node.faces[1] {
            let face = &faces.faces[f as usize];
            let Some(s) = leaf.depths(&face.corners).filter(|_| face.area > 0.0) else { continue };
            match leaf.before_end(&face.corners) {
                Before::Whole => {}
                Before::Part => {
                    let tangent = self.slopes.as_mut().map(|slopes| &mut slopes.alone);
                    motion.add_alone(leaf, f, self.force, tangent);
                    continue;
                }
                Before::Nothing => continue,
            }
            let law = law_at(laws, face.law);
            let at = face.corners.map(usize::from);
            let pressed = self.press(law, face.area, &at, &s, &mut sums);
            let rubs = law.friction != Friction::None;
            let gain = if rubs { self.add_friction(law, f, &at, &pressed, motion) } else { NO_GAIN };
            if let Some(slopes) = &mut self.slopes {
                let (damping, clamped) = (pressed.damping, pressed.clamped);
                let normal = NormalLaw { law, at, s, area: face.area, damping, clamped };
                slopes.add_face(&normal, self.corners, &gain);
            }
        }
        self.add_scalars(&sums);
        self.add_wrenches(count);
    }

    /// Adds a leaf that lies completely inside, without friction, all beyond the ramp of damping or all on
    /// it, and nowhere clamped: pressure is then linear between all corners, and the integrals over its faces
    /// are known. Returns whether it was one.
    #[inline]
    fn add_whole(&mut self, leaf: &Leaf, faces: &Faces, laws: &[PairLaw]) -> bool {
        let Some(law) = leaf.node.law else { return false };
        let law = law_at(laws, law);
        let count = leaf.corners().min(LEAF_CORNERS);
        let mut s = [0.0; LEAF_CORNERS];
        if law.friction != Friction::None {
            return false;
        }
        let Some([least, most]) = leaf.all_inside(&mut s[..count]) else { return false };
        let is_damped = law.damping > 0.0;
        let on_ramp = is_damped && most <= law.damping_depth;
        if is_damped && !on_ramp && least < law.damping_depth {
            return false;
        }
        let rates = &self.corners.s_rate;
        if is_damped {
            let slowest = rates[..count]
                .iter()
                .fold(0.0, |slowest, rate| if *rate < slowest { *rate } else { slowest });
            let room = law.stiffness * if on_ramp { law.damping_depth } else { least };
            if law.separation == Separation::Clamped && law.damping * -slowest >= room {
                return false;
            }
        }
        let whole = faces.whole(leaf.node);
        let mut depth = [0.0; LEAF_CORNERS];
        for k in 0..count {
            depth[k] = whole.squares[k] * s[k];
        }
        for edge in whole.edges {
            let [i, j] = edge.ends.map(|k| usize::from(k) % LEAF_CORNERS);
            depth[i] += edge.weight * s[j];
            depth[j] += edge.weight * s[i];
        }
        let (mut damping, mut stiffness) = ([0.0; LEAF_CORNERS], [law.stiffness; LEAF_CORNERS]);
        let ramp = if on_ramp { law.damping / law.damping_depth } else { 0.0 };
        if on_ramp {
            for k in 0..count {
                damping[k] = ramp * depth[k];
                stiffness[k] += ramp * rates[k];
            }
        } else if is_damped {
            for k in 0..count {
                damping[k] = law.damping * whole.shares[k];
            }
        }
        let (mut energy, mut heat) = (0.0, 0.0);
        for k in 0..count {
            let damper = damping[k] * rates[k];
            self.corners.normal[k] = law.stiffness * depth[k] + damper;
            energy += s[k] * depth[k];
            heat += damper * rates[k];
        }
        if let Some(slopes) = &mut self.slopes {
            slopes.set_whole(&whole, &stiffness, &damping, count);
        }
        self.add_scalars(&Scalars {
            area: leaf.node.area,
            polygons: leaf.node.count,
            deepest: most,
            pressure: law.stiffness * most,
            energy: 0.5 * law.stiffness * energy,
            heat,
            in_range: most <= law.penetration_limit,
        });
        true
    }

    /// The normal forces of a face.
    #[inline]
    fn press(
        &mut self,
        law: &PairLaw,
        face_area: f64,
        at: &[usize; 3],
        s: &[f64; 3],
        sums: &mut Scalars,
    ) -> Pressed {
        let moments = Moments::of(s);
        let scale = law.stiffness * face_area;
        let mut normal = moments.depth.map(|depth| scale * depth);
        let (mut damping, mut clamped) = ([0.0; 3], [false; 3]);
        if law.damping > 0.0 {
            damping = damping_weights(law, face_area, (s, None), &moments);
            for i in 0..3 {
                let heat;
                (normal[i], heat, clamped[i]) =
                    normal_law(law.separation, normal[i], damping[i], self.corners.s_rate[at[i]]);
                sums.heat += heat;
                if clamped[i] {
                    damping[i] = 0.0;
                }
            }
        }
        let area = face_area * moments.area();
        let deepest = s[0].max(s[1]).max(s[2]);
        sums.area += area;
        sums.polygons += 1;
        sums.deepest = sums.deepest.max(deepest);
        sums.pressure = sums.pressure.max(law.stiffness * deepest);
        sums.energy += 0.5 * scale * moments.square(s);
        sums.in_range &= deepest <= law.penetration_limit;
        for i in 0..3 {
            self.corners.normal[at[i]] += normal[i];
        }
        Pressed { normal, damping, clamped, area }
    }

    fn add_scalars(&mut self, sums: &Scalars) {
        let out = &mut *self.force;
        out.area += sums.area;
        out.polygons += sums.polygons;
        out.penetration_max = out.penetration_max.max(sums.deepest);
        out.pressure_max = out.pressure_max.max(sums.pressure);
        out.elastic_energy += sums.energy;
        out.dissipated_power += sums.heat;
        out.in_range &= sums.in_range;
    }

    /// Normal forces of the corners as one wrench, and their derivatives.
    #[inline]
    fn add_wrenches(&mut self, count: usize) {
        let corners = &*self.corners;
        if let Some(slopes) = &mut self.slopes {
            slopes.end(corners, count);
        }
        let (mut wrench, mut normal, mut moment) = (Wrench::zero(), 0.0, Vec3::zeros());
        for k in 0..count {
            let (size, x) = (corners.normal[k], vector(&corners.x, k));
            wrench += Wrench::force_at(vector(&corners.n, k) * size, &x);
            normal += size;
            moment += x * size;
        }
        if let Some(surface) = &corners.surface {
            let powers = surface.iter().zip(&corners.normal).take(count).map(|(speed, size)| speed * size);
            self.force.surface_power += powers.sum::<f64>();
        }
        self.force.wrench_C += wrench;
        self.force.normal_force += normal;
        self.force.p_WQ += moment;
    }

    /// Adds the friction of a face; returns what its wrench gains with a unit of normal force at each corner, where derivatives are wanted.
    #[inline]
    fn add_friction(
        &mut self,
        law: &PairLaw,
        face: u32,
        at: &[usize; 3],
        pressed: &Pressed,
        motion: &mut PairInMotion,
    ) -> [Six; 3] {
        let hold = motion.hold(face);
        let (normal, area) = (&pressed.normal, pressed.area);
        let N = normal[0] + normal[1] + normal[2];
        if N <= 0.0 {
            motion.remember(law, face, &FrictionForce::default(), area);
            return NO_GAIN;
        }
        let mean = |p: &[Vec3; 3]| p[0] * normal[0] + p[1] * normal[1] + p[2] * normal[2];
        let corners = &*self.corners;
        let (x, v) = (at.map(|k| vector(&corners.x, k)), at.map(|k| vector(&corners.v, k)));
        let Some(n) = unit(&mean(&at.map(|k| vector(&corners.n, k)))) else { return NO_GAIN };
        let per_N = 1.0 / N;
        let (v_p, p) = (mean(&v) * per_N, mean(&x) * per_N);
        let (friction, heat) = calc_friction(law, &Press { N, area, n, v: v_p }, hold.as_ref());
        let out = &mut *self.force;
        out.wrench_C += Wrench::force_at(friction.force, &p);
        out.sliding_speed_max = out.sliding_speed_max.max(friction.speed);
        out.sliding += u32::from(friction.at_limit);
        out.elastic_energy += friction.stored();
        out.dissipated_power += heat;
        motion.remember(law, face, &friction, area);
        let is_held = hold.is_some();
        let rubbing = Rubbing { x, v, v_p, N, n, p, area, friction: &friction, is_held };
        self.slopes.as_mut().map_or(NO_GAIN, |slopes| slopes.rub(law, &rubbing))
    }
}

/// Of a face without friction.
const NO_GAIN: [Six; 3] = [[0.0; 6]; 3];

/// A law of the table; the last for those beyond it.
#[inline]
fn law_at(laws: &[PairLaw], law: u16) -> &PairLaw {
    &laws[usize::from(law).min(laws.len() - 1)]
}
