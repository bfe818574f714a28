//! Forces of a leaf at once: what corners share is computed once, and their normal forces are summed before they become a wrench. The same law as
//! [`super::calc_element`] face by face, for evaluations that need no more than the sum.

use super::PairForce;
use super::detect::{Before, Leaf};
use super::faces::{Face, LEAF_CORNERS};
use super::force::{FrictionForce, Hold, Press, calc_friction, damping_weights, normal_law};
use super::params::{Friction, PairLaw};
use super::triangle::Moments;
use touchdown_geometry::revolution::Foot;
use touchdown_math::{Vec3, Wrench};

/// A corner of the leaf.
#[derive(Clone, Copy)]
struct Corner {
    /// From the body's origin, m.
    x: Vec3,
    n: Vec3,
    v: Vec3,
    s_rate: f64,
    /// Normal force of all faces so far, N.
    normal: f64,
    known: bool,
}

/// Room for a leaf, and the sums of all.
pub(super) struct Sum {
    corners: [Corner; LEAF_CORNERS],
    pub force: PairForce,
    /// The body's origin, m.
    origin: Vec3,
}

/// How a corner moves: its velocity against the reference body, and how fast the reference body's surface comes towards it, m/s.
pub(super) trait Kinematics {
    fn velocity(&self, corner: usize, x: &Vec3) -> Vec3;
    fn surface_speed(&self, foot: &Foot) -> f64;
    fn hold(&mut self, face: u32) -> Option<Hold>;
    /// Called with the friction and touching area of every face that a law with friction holds.
    /// Adds a face of which only a part lies before the end of the reference body.
    fn add_part(&mut self, leaf: &Leaf, face: u32, out: &mut PairForce);
    fn remember(&mut self, law: &PairLaw, face: u32, friction: &FrictionForce, area: f64);
}

impl Sum {
    /// `origin`: the body's origin, m.
    pub fn new(origin: Vec3) -> Sum {
        let zero = Vec3::zeros();
        let corner = Corner { x: zero, n: zero, v: zero, s_rate: 0.0, normal: 0.0, known: false };
        Sum { corners: [corner; LEAF_CORNERS], force: PairForce::new(), origin }
    }

    /// Adds the faces of a leaf.
    pub fn add_leaf(&mut self, leaf: &Leaf, faces: &[Face], laws: &[PairLaw], motion: &mut impl Kinematics) {
        let count = (leaf.node.corners[1] - leaf.node.corners[0]) as usize;
        for corner in &mut self.corners[..count] {
            (corner.normal, corner.known) = (0.0, false);
        }
        for f in leaf.node.faces[0]..leaf.node.faces[1] {
            let face = &faces[f as usize];
            if face.area > 0.0
                && let Some(s) = leaf.depths(&face.corners)
            {
                match leaf.before_end(&face.corners) {
                    Before::Whole => {}
                    Before::Part => {
                        motion.add_part(leaf, f, &mut self.force);
                        continue;
                    }
                    Before::Nothing => continue,
                }
                for k in face.corners {
                    if !self.corners[usize::from(k)].known {
                        self.find(leaf, usize::from(k), motion);
                    }
                }
                let law = &laws[usize::from(face.law).min(laws.len() - 1)];
                self.add_face(law, f, face, &s, motion);
            }
        }
        for corner in &self.corners[..count] {
            if corner.normal != 0.0 {
                self.force.wrench_C += Wrench::force_at(corner.n * corner.normal, &corner.x);
                self.force.normal_force += corner.normal;
                self.force.p_WQ += corner.x * corner.normal;
            }
        }
    }

    #[inline]
    fn find(&mut self, leaf: &Leaf, k: usize, motion: &impl Kinematics) {
        let (p_R, n, foot) = leaf.place_and_normal(k);
        let x = p_R - self.origin;
        let v = motion.velocity(leaf.node.corners[0] as usize + k, &x);
        let s_rate = motion.surface_speed(&foot) - n.dot(&v);
        self.corners[k] = Corner { x, n, v, s_rate, normal: 0.0, known: true };
    }

    #[inline]
    fn add_face(&mut self, law: &PairLaw, f: u32, face: &Face, s: &[f64; 3], motion: &mut impl Kinematics) {
        let at = face.corners.map(usize::from);
        let moments = Moments::of(s);
        let scale = law.stiffness * face.area;
        let mut normal = moments.depth.map(|depth| scale * depth);
        if law.damping > 0.0 {
            let damping = damping_weights(law, face.area, (s, None), &moments);
            for i in 0..3 {
                let heat;
                (normal[i], heat, _) =
                    normal_law(law.separation, normal[i], damping[i], self.corners[at[i]].s_rate);
                self.force.dissipated_power += heat;
            }
        }
        let area = face.area * moments.area();
        let deepest = s[0].max(s[1]).max(s[2]);
        let out = &mut self.force;
        out.area += area;
        out.polygons += 1;
        out.penetration_max = out.penetration_max.max(deepest);
        out.pressure_max = out.pressure_max.max(law.stiffness * deepest);
        out.elastic_energy += 0.5 * scale * moments.square(s);
        out.in_range &= deepest <= law.penetration_limit;
        for i in 0..3 {
            self.corners[at[i]].normal += normal[i];
        }
        if law.friction != Friction::None {
            self.add_friction(law, f, area, &at, &normal, motion);
        }
    }

    #[inline]
    fn add_friction(
        &mut self,
        law: &PairLaw,
        face: u32,
        area: f64,
        at: &[usize; 3],
        normal: &[f64; 3],
        motion: &mut impl Kinematics,
    ) {
        let hold = motion.hold(face);
        let N = normal[0] + normal[1] + normal[2];
        if N <= 0.0 {
            return motion.remember(law, face, &FrictionForce::default(), area);
        }
        let [a, b, c] = at.map(|k| &self.corners[k]);
        let mean = |p: &Vec3, q: &Vec3, r: &Vec3| p * normal[0] + q * normal[1] + r * normal[2];
        let Some(n) = mean(&a.n, &b.n, &c.n).try_normalize(0.0) else { return };
        let v = mean(&a.v, &b.v, &c.v) / N;
        let p = mean(&a.x, &b.x, &c.x) / N;
        let (friction, heat) = calc_friction(law, &Press { N, area, n, v }, hold.as_ref());
        let out = &mut self.force;
        out.wrench_C += Wrench::force_at(friction.force, &p);
        out.sliding_speed_max = out.sliding_speed_max.max(friction.speed);
        out.sliding += u32::from(friction.at_limit);
        out.elastic_energy += friction.stored();
        out.dissipated_power += heat;
        motion.remember(law, face, &friction, area);
    }
}
