//! A leg with three joints: where its foot is ⇒ angles.

use std::f64::consts::TAU;
use touchdown_math::Vec3;

/// The three joints of a leg and its lengths: points in the leg's vertical plane, distance from the first joint's axis and height over the body's origin.
pub(super) struct Leg {
    pub foot: usize,
    pub joints: [usize; 3],
    /// +1 or −1: which way the joints count.
    pub signs: [f64; 3],
    /// First joint's axis in the body's frame, in plan, and direction of the leg at zero, rad.
    pub hip: [f64; 2],
    pub heading: f64,
    /// Second joint, third joint and foot at zero.
    pub points: [[f64; 2]; 3],
    /// Height of the first joint in the body's frame, m.
    pub height: f64,
}

/// Where the parts of a leg point, rad.
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
    v[1].atan2(v[0])
}

impl Leg {
    /// What brings the foot to a place in the body's frame, knee up; the nearest where it is out of reach.
    pub fn bend(&self, p: &Vec3) -> Bend {
        let (dx, dy) = (p.x - self.hip[0], p.y - self.hip[1]);
        let [knee, ankle, tip] = self.points;
        let (l1, l2) = {
            let (thigh, shank) = (sub(ankle, knee), sub(tip, ankle));
            (thigh[0].hypot(thigh[1]), shank[0].hypot(shank[1]))
        };
        let to = sub([dx.hypot(dy), p.z], knee);
        let wanted = to[0].hypot(to[1]);
        let d = wanted.max((l1 - l2).abs() * (1.0 + 1e-9)).min((l1 + l2) * (1.0 - 1e-9));
        let inner = ((l1 * l1 + d * d - l2 * l2) / (2.0 * l1 * d)).clamp(-1.0, 1.0).acos();
        let thigh = angle(to) + inner;
        let end = [d * to[0] / wanted, d * to[1] / wanted];
        let shank = angle(sub(end, [l1 * thigh.cos(), l1 * thigh.sin()]));
        Bend { turn: wrap(dy.atan2(dx) - self.heading), thigh, shank }
    }

    /// Angles of the joints.
    pub fn angles(&self, bend: &Bend) -> [f64; 3] {
        let [knee, ankle, tip] = self.points;
        let a = wrap(bend.thigh - angle(sub(ankle, knee)));
        let b = wrap(bend.shank - angle(sub(tip, ankle)));
        // Turning positively about y of a leg along x takes it down.
        [self.signs[0] * bend.turn, -self.signs[1] * a, -self.signs[2] * wrap(b - a)]
    }

    /// Small rotation of the shank from one bend to the next, in the body's frame.
    pub fn shank_turn(&self, from: &Bend, to: &Bend) -> Vec3 {
        let (s, c) = (self.heading + 0.5 * (from.turn + to.turn)).sin_cos();
        let across = Vec3::new(-s, c, 0.0);
        Vec3::z() * wrap(to.turn - from.turn) - across * wrap(to.shank - from.shank)
    }
}
