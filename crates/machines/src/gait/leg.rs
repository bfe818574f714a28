//! A leg with three joints: position of its foot ⇒ angles.

use std::f64::consts::TAU;
use touchdown_math::{Elementary, Pose, Vec3};
use touchdown_multibody::description::{JointKind, Mechanism};
use touchdown_sim::description::FootContact;

/// Least length of a thigh or shank, m.
const SHORTEST: f64 = 1e-4;

/// The three joints of a leg and its lengths: points in the leg's vertical plane, distance from the first joint's axis and height over the body's origin.
#[derive(Clone, Debug, PartialEq)]
pub struct Leg {
    /// The foot, by its index.
    pub foot: usize,
    /// The joints, from the body on.
    pub joints: [usize; 3],
    /// +1 or −1: direction of positive joint angles.
    pub signs: [f64; 3],
    /// First joint's axis in the body's frame, in plan, and direction of the leg at zero, rad.
    pub hip: [f64; 2],
    /// See `hip`.
    pub heading: f64,
    /// Second joint, third joint and foot at zero.
    pub points: [[f64; 2]; 3],
    /// Height of the first joint in the body's frame, m.
    pub height: f64,
}

/// Directions of the parts of a leg, rad.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bend {
    /// Of the leg's plane about z of the body, from where it is at zero.
    turn: f64,
    /// Thigh and shank in that plane, upwards from the level.
    thigh: f64,
    shank: f64,
}

fn wrap(a: f64) -> f64 {
    a - TAU * (a / TAU).round()
}

fn sub(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

fn angle(v: [f64; 2]) -> f64 {
    v[1].arctangent2(v[0])
}

impl Leg {
    /// Joints and lengths of the leg of a body that ends in a foot; `in_body` gives the poses of bodies in that body's frame with
    /// all joints at zero. `None` if they are not a joint about z, two across it, and the foot's body.
    pub fn find(
        mechanism: &Mechanism,
        in_body: impl Fn(usize) -> Pose,
        body: usize,
        (foot, on): (usize, &FootContact),
    ) -> Option<Leg> {
        let above = |b: usize| mechanism.joints.iter().position(|j| j.child == b);
        // The foot's body may be fixed to the last link of the leg.
        let mut tip_body = on.body;
        let mut joints = Vec::new();
        while tip_body != body {
            let joint = above(tip_body)?;
            match mechanism.joints[joint].kind {
                JointKind::Fixed => {}
                JointKind::Revolute { .. } => joints.push(joint),
                _ => return None,
            }
            tip_body = mechanism.joints[joint].parent?;
        }
        joints.reverse();
        let joints: [usize; 3] = joints.try_into().ok()?;
        let place = |j: usize| {
            let joint = &mechanism.joints[j];
            let X = in_body(joint.child).compose(&joint.X_BM);
            let JointKind::Revolute { axis } = joint.kind else { return (X.p, Vec3::zeros()) };
            (X.p, X.R * axis)
        };
        let (hip, up) = place(joints[0]);
        let tip = in_body(on.body).compose(&on.X_BF).p;
        let out = (tip - hip).xy();
        let heading = out.y.arctangent2(out.x);
        let radial = Vec3::new(heading.cosine(), heading.sine(), 0.0);
        let across = Vec3::z().cross(&radial);
        let in_plane = |p: Vec3| [(p - hip).dot(&radial), p.z];
        let ((knee, axis_1), (ankle, axis_2)) = (place(joints[1]), place(joints[2]));
        let signs = [up.z, axis_1.dot(&across), axis_2.dot(&across)];
        if signs.iter().any(|s| (s.abs() - 1.0).abs() > 1e-6) {
            return None;
        }
        let signs = signs.map(f64::signum);
        let points = [in_plane(knee), in_plane(ankle), in_plane(tip)];
        // Without a thigh or a shank the foot cannot be positioned.
        let apart = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypotenuse(a[1] - b[1]) > SHORTEST;
        if !apart(points[0], points[1]) || !apart(points[1], points[2]) {
            return None;
        }
        Some(Leg { foot, joints, signs, hip: [hip.x, hip.y], heading, points, height: hip.z })
    }

    /// Directions that bring the foot to a place in the body's frame, knee up; the nearest possible if it is
    /// out of reach.
    pub(super) fn bend(&self, p: &Vec3) -> Bend {
        let (dx, dy) = (p.x - self.hip[0], p.y - self.hip[1]);
        let [knee, ankle, tip] = self.points;
        let (l1, l2) = {
            let (thigh, shank) = (sub(ankle, knee), sub(tip, ankle));
            (thigh[0].hypotenuse(thigh[1]), shank[0].hypotenuse(shank[1]))
        };
        let to = sub([dx.hypotenuse(dy), p.z], knee);
        let wanted = to[0].hypotenuse(to[1]);
        let d = wanted.max((l1 - l2).abs() * (1.0 + 1e-9)).min((l1 + l2) * (1.0 - 1e-9));
        let inner = ((l1 * l1 + d * d - l2 * l2) / (2.0 * l1 * d)).clamp(-1.0, 1.0).arccosine();
        let thigh = angle(to) + inner;
        let end = [d * to[0] / wanted, d * to[1] / wanted];
        let shank = angle(sub(end, [l1 * thigh.cosine(), l1 * thigh.sine()]));
        Bend { turn: wrap(dy.arctangent2(dx) - self.heading), thigh, shank }
    }

    /// Angles of the joints.
    pub(super) fn angles(&self, bend: &Bend) -> [f64; 3] {
        let [knee, ankle, tip] = self.points;
        let a = wrap(bend.thigh - angle(sub(ankle, knee)));
        let b = wrap(bend.shank - angle(sub(tip, ankle)));
        // Turning positively about y of a leg along x takes it down.
        [self.signs[0] * bend.turn, -self.signs[1] * a, -self.signs[2] * wrap(b - a)]
    }

    /// Small rotation of the shank from one bend to the next, in the body's frame.
    pub(super) fn shank_turn(&self, from: &Bend, to: &Bend) -> Vec3 {
        let (s, c) = (self.heading + 0.5 * (from.turn + to.turn)).sine_cosine();
        let across = Vec3::new(-s, c, 0.0);
        Vec3::z() * wrap(to.turn - from.turn) - across * wrap(to.shank - from.shank)
    }
}
