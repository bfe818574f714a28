//! Forces of a leaf at once: what corners share is computed once, and their normal forces are summed before they become a wrench. The same law as
//! [`super::calc_element`] face by face, for evaluations that need no more than the sum.

use super::PairForce;
use super::detect::{Before, Leaf};
use super::faces::{Face, LEAF_CORNERS};
use super::force::{FrictionForce, Hold, Press, calc_friction, damping_weights, normal_law};
use super::params::{Friction, PairLaw};
use super::tangent::{Bending, PairTangent, Spins, V6, add_arm, add_product, at, rate_by_pose};
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

/// What a corner adds to the derivatives.
#[derive(Clone, Copy)]
struct Slope {
    /// The wrench of a unit of normal force.
    g: V6,
    bending: Bending,
    /// Stiffness and damping of the corner alone, N/m and N s/m.
    stiffness: f64,
    damping: f64,
    /// Normal force of the faces that are summed here, N.
    normal: f64,
}

/// Derivatives in the making. A whole face has ⟨N_iN_j⟩ = (1 + δ_ij)/12: one outer product of its own and a twelfth at each corner, which corners share.
pub(super) struct Slopes {
    corners: [Slope; LEAF_CORNERS],
    pub tangent: PairTangent,
    spins: Spins,
}

impl Slopes {
    pub fn new(spins: Spins) -> Slopes {
        let zero =
            Slope { g: V6::zeros(), bending: Bending::default(), stiffness: 0.0, damping: 0.0, normal: 0.0 };
        Slopes { corners: [zero; LEAF_CORNERS], tangent: PairTangent::zero(), spins }
    }

    /// A new corner, its bending and the wrench of its normal force.
    #[inline]
    fn find(&mut self, k: usize, bending: Bending, g: V6) {
        self.corners[k] = Slope { g, bending, stiffness: 0.0, damping: 0.0, normal: 0.0 };
    }

    /// Adds a face that is all inside and beyond the ramp of damping.
    #[inline]
    fn add_whole(&mut self, at: &[usize; 3], stiffness: f64, damping: &[f64; 3], normal: &[f64; 3]) {
        let twelfth = stiffness / 12.0;
        let mut sum = V6::zeros();
        for i in 0..3 {
            let corner = &mut self.corners[at[i]];
            corner.stiffness += twelfth;
            corner.damping += damping[i];
            corner.normal += normal[i];
            sum += corner.g;
        }
        add_product(&mut self.tangent.K, &(sum * -twelfth), &sum);
    }

    /// Adds what corner k gathered.
    #[inline]
    fn close(&mut self, k: usize, corner: &Corner) {
        let slope = &self.corners[k];
        let K = &mut self.tangent.K;
        add_product(K, &(slope.g * -slope.stiffness), &slope.g);
        for i in 0..2 {
            if slope.bending.curvature[i] != 0.0 {
                let e = at(&corner.x, &slope.bending.direction[i]);
                add_product(K, &(e * (slope.normal * slope.bending.curvature[i])), &e);
            }
        }
        add_arm(K, &corner.x, &(corner.n * slope.normal));
        if slope.damping > 0.0 {
            let rate = rate_by_pose(&corner.x, &corner.n, &corner.v, &slope.bending, &self.spins);
            add_product(K, &(slope.g * slope.damping), &rate);
            add_product(&mut self.tangent.D, &(slope.g * -slope.damping), &slope.g);
        }
    }
}

/// Room for a leaf, and the sums of all.
pub(super) struct Sum {
    corners: [Corner; LEAF_CORNERS],
    pub force: PairForce,
    /// Derivatives, where they are wanted.
    pub slopes: Option<Slopes>,
    /// The body's origin, m.
    origin: Vec3,
}

/// How a corner moves: its velocity against the reference body, and how fast the reference body's surface comes towards it, m/s.
pub(super) trait Kinematics {
    fn velocity(&self, corner: usize, x: &Vec3) -> Vec3;
    fn surface_speed(&self, foot: &Foot) -> f64;
    fn hold(&mut self, face: u32) -> Option<Hold>;
    /// Called with the friction and touching area of every face that a law with friction holds.
    /// Adds a face by itself: its force, its derivatives, or both.
    fn add_alone(
        &mut self,
        leaf: &Leaf,
        face: u32,
        out: Option<&mut PairForce>,
        tangent: Option<&mut PairTangent>,
    );
    fn remember(&mut self, law: &PairLaw, face: u32, friction: &FrictionForce, area: f64);
}

impl Sum {
    /// `origin`: the body's origin, m.
    pub fn new(origin: Vec3, slopes: Option<Slopes>) -> Sum {
        let zero = Vec3::zeros();
        let corner = Corner { x: zero, n: zero, v: zero, s_rate: 0.0, normal: 0.0, known: false };
        Sum { corners: [corner; LEAF_CORNERS], force: PairForce::new(), slopes, origin }
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
                        let tangent = self.slopes.as_mut().map(|slopes| &mut slopes.tangent);
                        motion.add_alone(leaf, f, Some(&mut self.force), tangent);
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
                let simple = self.add_face(law, f, face, &s, motion);
                if !simple && let Some(slopes) = &mut self.slopes {
                    motion.add_alone(leaf, f, None, Some(&mut slopes.tangent));
                }
            }
        }
        for (k, corner) in self.corners[..count].iter().enumerate() {
            if let Some(slopes) = &mut self.slopes
                && corner.known
            {
                slopes.close(k, corner);
            }
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
        if let Some(slopes) = &mut self.slopes {
            slopes.find(k, leaf.corner(k).bending(), at(&x, &n));
        }
    }

    /// Adds a face; returns whether its derivatives are in `slopes` too.
    #[inline]
    fn add_face(
        &mut self,
        law: &PairLaw,
        f: u32,
        face: &Face,
        s: &[f64; 3],
        motion: &mut impl Kinematics,
    ) -> bool {
        let at = face.corners.map(usize::from);
        let moments = Moments::of(s);
        let scale = law.stiffness * face.area;
        let mut normal = moments.depth.map(|depth| scale * depth);
        let mut damping = [0.0; 3];
        let least = s[0].min(s[1]).min(s[2]);
        let mut simple = least > 0.0 && law.friction == Friction::None;
        if law.damping > 0.0 {
            simple &= least >= law.damping_depth;
            damping = damping_weights(law, face.area, (s, None), &moments);
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
        if simple && let Some(slopes) = &mut self.slopes {
            slopes.add_whole(&at, scale, &damping, &normal);
        }
        simple
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
