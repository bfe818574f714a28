//! Legs of any form: revolute or prismatic joints between a body and a foot; position of the foot ⇒ positions
//! of the joints, by damped least squares (C. W. Wampler, IEEE Trans. Syst. Man Cybern. 16, 1986).

use touchdown_math::{Mat3, Pose, Vec3, rotation};
use touchdown_multibody::description::{ElementKind, JointKind, Mechanism};
use touchdown_sim::description::FootContact;

/// Largest number of iterations of a search, and tolerance of the foot's position, m.
const ROUNDS: usize = 200;
const THERE: f64 = 1e-9;
/// Damping at the start of a search, over the square of the leg's length, and its bounds.
const DAMPING: f64 = 1e-2;
const DAMPINGS: [f64; 2] = [1e-12, 1e6];
/// Bends of the second last and last joint with which searches begin, rad: a straight leg has no preferred
/// bend.
const BENDS: [f64; 2] = [0.7, -0.7];

/// A link of the chain: its joint's frame in its parent, and its own in that of the joint.
#[derive(Clone, Debug)]
struct Link {
    X_PF: Pose,
    X_MB: Pose,
    /// Axis, and whether it slides; none is fixed.
    moves: Option<(Vec3, bool)>,
}

/// A leg from a body to a foot.
#[derive(Clone, Debug)]
pub struct LegChain {
    /// Index of the foot.
    pub foot: usize,
    /// Joints that move, from the body on.
    pub joints: Vec<usize>,
    links: Vec<Link>,
    /// Travel of each joint, by its stops.
    limits: Vec<[f64; 2]>,
    p_BF: Vec3,
}

impl LegChain {
    /// The leg of a body that ends in a foot; `None` if there is another kind of joint between them, or fewer
    /// than two movable ones.
    pub fn find(mechanism: &Mechanism, body: usize, (foot, on): (usize, &FootContact)) -> Option<LegChain> {
        let (mut at, mut links, mut joints) = (on.body, Vec::new(), Vec::new());
        while at != body {
            let k = mechanism.joints.iter().position(|j| j.child == at)?;
            let joint = &mechanism.joints[k];
            let moves = match joint.kind {
                JointKind::Fixed => None,
                JointKind::Revolute { axis } => Some((axis, false)),
                JointKind::Prismatic { axis } => Some((axis, true)),
                _ => return None,
            };
            if moves.is_some() {
                joints.push(k);
            }
            links.push(Link { X_PF: joint.X_PF, X_MB: joint.X_BM.inverse(), moves });
            at = joint.parent?;
        }
        links.reverse();
        joints.reverse();
        let stops = |joint: &usize| {
            let of = mechanism.elements.iter().find_map(|element| match element.kind {
                ElementKind::JointLimit { axis, lower, upper, .. } if axis.joint == *joint => {
                    Some([lower, upper])
                }
                _ => None,
            });
            of.unwrap_or([f64::NEG_INFINITY, f64::INFINITY])
        };
        let limits = joints.iter().map(stops).collect();
        (joints.len() >= 2).then_some(LegChain { foot, joints, links, limits, p_BF: on.X_BF.p })
    }

    /// Place of the foot in the body's frame, and of each joint its axis there: a point, a direction, whether it slides.
    fn forward(&self, q: &[f64]) -> (Vec3, Vec<(Vec3, Vec3, bool)>) {
        let (mut X, mut axes, mut q) = (Pose::identity(), Vec::with_capacity(q.len()), q.iter());
        for link in &self.links {
            X = X.compose(&link.X_PF);
            if let (Some((axis, slides)), Some(q)) = (link.moves, link.moves.and_then(|_| q.next())) {
                axes.push((X.p, X.R * axis, slides));
                X = X.compose(&match slides {
                    true => Pose::translation(axis * *q),
                    false => Pose { R: rotation::about_axis(&axis, *q), p: Vec3::zeros() },
                });
            }
            X = X.compose(&link.X_MB);
        }
        (X.point(&self.p_BF), axes)
    }

    /// Place of the foot in the body's frame.
    pub fn tip(&self, q: &[f64]) -> Vec3 {
        self.forward(q).0
    }

    /// Place of the first joint in the body's frame, all joints at zero.
    pub fn hip(&self) -> Vec3 {
        self.forward(&vec![0.0; self.joints.len()]).1.first().map_or_else(Vec3::zeros, |axis| axis.0)
    }

    /// Positions of the joints, within their stops, that bring the foot to a place in the body's frame: those
    /// nearest to the present ones in the sense of the search, otherwise from legs bent either way. The error
    /// is the remaining distance of the foot, m.
    pub fn reach(&self, to: &Vec3, present: &[f64]) -> Result<Vec<f64>, f64> {
        let mut least = f64::INFINITY;
        let bent = BENDS.map(|bend| {
            let n = self.joints.len();
            let mut q = vec![0.0; n];
            (q[n - 2], q[n - 1]) = (bend, -2.0 * bend);
            q
        });
        let middle =
            self.limits.iter().map(|[l, u]| if l.is_finite() && u.is_finite() { 0.5 * (l + u) } else { 0.0 });
        let starts = [present.to_vec(), bent[0].clone(), bent[1].clone(), middle.collect()];
        for start in starts {
            let (q, off) = self.search(to, start);
            if off < THERE {
                return Ok(q);
            }
            least = least.min(off);
        }
        Err(least)
    }

    fn search(&self, to: &Vec3, mut q: Vec<f64>) -> (Vec<f64>, f64) {
        let within =
            |q: &mut [f64]| q.iter_mut().zip(&self.limits).for_each(|(q, [l, u])| *q = q.clamp(*l, *u));
        within(&mut q);
        let (mut tip, mut axes) = self.forward(&q);
        let size = to.norm_squared().max(THERE);
        let mut damping = DAMPING;
        for _ in 0..ROUNDS {
            let e = to - tip;
            if e.norm() < THERE {
                break;
            }
            let column = |(p, a, slides): &(Vec3, Vec3, bool)| if *slides { *a } else { a.cross(&(tip - p)) };
            let columns: Vec<Vec3> = axes.iter().map(column).collect();
            let gram: Mat3 =
                columns.iter().map(|c| c * c.transpose()).sum::<Mat3>() + Mat3::identity() * (damping * size);
            let Some(y) = gram.try_inverse().map(|inverse| inverse * e) else { break };
            let mut next: Vec<f64> = q.iter().zip(&columns).map(|(q, c)| q + c.dot(&y)).collect();
            within(&mut next);
            let (moved, turned) = self.forward(&next);
            if (to - moved).norm() < e.norm() {
                (q, tip, axes) = (next, moved, turned);
                damping = (0.1 * damping).max(DAMPINGS[0]);
            } else {
                damping = (4.0 * damping).min(DAMPINGS[1]);
            }
        }
        (q, (to - tip).norm())
    }
}
