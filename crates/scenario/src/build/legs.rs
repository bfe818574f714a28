//! Controllers of legged machines: the keys of `[legs.NAME]` ⇒ legs of any form, drives of their joints, the
//! initial posture.

use super::Builder;
use crate::read::{BodyName, Named, Quantity};
use crate::table::{LegGaitWord, LegsKeys, Words};
use std::f64::consts::TAU;
use touchdown_machines::legs::LegChain;
use touchdown_math::{Elementary, Pose, Signal, Vec3, rotation};
use touchdown_multibody::description::{Command, Drive, DriveKind, JointAxis, JointKind};
use touchdown_sim::description::{
    ControlledJoint, ControlledLeg, InputTarget, LegController, LegGait, Walker,
};

/// Names of the commands.
const COMPONENTS: [&str; 4] = ["forward", "sideways", "turn", "height"];

impl Builder<'_> {
    /// Controllers of legs, their drives and walkers.
    pub fn collect_legs(&mut self) {
        for named in &self.root.legs {
            self.remember("legs", &named.name, named);
            let Some(keys) = &named.keys else { continue };
            // A foot or body with its own mistake is missing here, too.
            if self.issues.is_empty() && self.legs(named, keys).is_none() && self.issues.is_empty() {
                self.issues.at(named.loc, &named.path, "cannot be made");
            }
        }
    }

    fn legs(&mut self, named: &Named<LegsKeys>, keys: &LegsKeys) -> Option<()> {
        let body = self.moving_body(0, &keys.body)?;
        let chains = self.leg_chains(body, keys)?;
        let stances = self.stances(keys, &chains)?;
        let begin = keys.begin_height.unwrap_or(keys.height);
        let mut rests = Vec::new();
        for (chain, stance) in chains.iter().zip(&stances) {
            rests.push(self.posture(keys, chain, (stance, keys.height))?);
            let q = self.posture(keys, chain, (stance, begin))?;
            for (joint, q) in chain.joints.iter().zip(q) {
                self.mechanism.joints[*joint].position = vec![q];
            }
        }
        let (period, step_height) = self.steps(keys)?;
        let start = self.upright(body, &stances, begin);
        let feet: Vec<usize> = chains.iter().map(|chain| chain.foot).collect();
        self.place_walker(&keys.body, (body, &start), &feet)?;
        let mut legs = Vec::new();
        for ((chain, stance), rest) in chains.iter().zip(stances).zip(rests) {
            let mut joints = Vec::new();
            for (joint, rest) in chain.joints.iter().zip(rest) {
                joints.push(self.leg_joint(keys, *joint, rest)?);
            }
            let hip = chain.hip();
            legs.push(ControlledLeg { foot: chain.foot, joints, stance, hip: [hip.x, hip.y] });
        }
        if keys.input {
            for (part, component) in COMPONENTS.iter().enumerate() {
                let target = InputTarget::Legs(self.devices.legs.len(), part);
                self.add_input(format!("{}.{component}", named.name), target);
            }
        }
        self.devices.legs.push(LegController {
            name: named.name.clone(),
            body,
            legs,
            gait: match keys.gait {
                LegGaitWord::Stand => LegGait::Stand,
                LegGaitWord::Trot => LegGait::Trot,
                LegGaitWord::Crawl => LegGait::Crawl,
                LegGaitWord::Ripple => LegGait::Ripple,
            },
            period,
            duty: keys.duty,
            step_height,
            height: keys.height,
            rise: keys.rise,
            velocity: [keys.forward, keys.sideways, keys.turn],
            start: keys.start,
            acceleration: keys.acceleration,
            friction: keys.friction,
            body_frequency: TAU * keys.body_frequency,
            foot_frequency: TAU * keys.foot_frequency,
            rate: keys.rate,
        });
        Some(())
    }

    /// Time of a cycle and height of a step. Who stands makes none.
    fn steps(&mut self, keys: &LegsKeys) -> Option<(f64, f64)> {
        let (here, gait) = (&keys.here, keys.gait.word());
        if keys.gait == LegGaitWord::Stand {
            for key in [LegsKeys::period.any(), LegsKeys::step_height.any(), LegsKeys::duty.any()] {
                if here.has(key) {
                    let path = here.path_of(key);
                    self.warnings.push(format!("{path}: means nothing with gait = \"{gait}\": feet stay"));
                }
            }
            return Some((1.0, 0.0));
        }
        for key in [LegsKeys::period.any(), LegsKeys::step_height.any()] {
            if !here.has(key) {
                let what = format!("needs {}, because its gait is {gait}", key.name());
                self.issues.at(here.loc, &here.path, what).hint("gait = \"stand\" needs neither");
            }
        }
        Some((keys.period?, keys.step_height?))
    }

    fn leg_chains(&mut self, body: usize, keys: &LegsKeys) -> Option<Vec<LegChain>> {
        let mut chains = Vec::new();
        for name in &keys.feet {
            let foot = self.feet.iter().position(|foot| foot.name == **name);
            let found = foot.and_then(|k| LegChain::find(&self.mechanism, body, (k, &self.feet[k])));
            let Some(chain) = found else {
                self.issues
                    .at(name.loc, &name.path, "is not a foot at the end of a leg of that body")
                    .found(format!("\"{name}\""))
                    .hint("a [foot.NAME]; between its body and the body lie two or more joints that turn or slide");
                return None;
            };
            chains.push(chain);
        }
        Some(chains)
    }

    /// Positions of the feet in the body's frame: as given, or below their positions with all joints at zero.
    fn stances(&mut self, keys: &LegsKeys, chains: &[LegChain]) -> Option<Vec<[f64; 2]>> {
        let Some(given) = &keys.stance else {
            let below = |chain: &LegChain| {
                let tip = chain.tip(&vec![0.0; chain.joints.len()]);
                [tip.x, tip.y]
            };
            return Some(chains.iter().map(below).collect());
        };
        if given.len() != chains.len() {
            let (loc, path) = (keys.here.loc_of(LegsKeys::stance), keys.here.path_of(LegsKeys::stance));
            let what = format!("must have {} places, one for each foot", chains.len());
            self.issues.at(loc, path, what).found(given.len());
            return None;
        }
        Some(given.clone())
    }

    /// Positions of a leg's joints with its foot on level ground.
    fn posture(
        &mut self,
        keys: &LegsKeys,
        chain: &LegChain,
        (stance, height): (&[f64; 2], f64),
    ) -> Option<Vec<f64>> {
        let above = self.feet[chain.foot].law.shape.round().unwrap_or(0.0);
        let to = Vec3::new(stance[0], stance[1], above - height);
        let present = |joint: &usize| self.mechanism.joints[*joint].position.first().copied().unwrap_or(0.0);
        match chain.reach(&to, &chain.joints.iter().map(present).collect::<Vec<_>>()) {
            Ok(q) => Some(q),
            Err(off) => {
                let foot = &self.feet[chain.foot].name;
                let what = format!("cannot stand: foot {foot} ends {off:.3} m from its place");
                let found = format!(
                    "height {height} m, foot at x = {} m, y = {} m of the body",
                    stance[0], stance[1]
                );
                self.issues
                    .at(keys.here.loc, &keys.here.path, what)
                    .found(found)
                    .hint("another height or stance, or position in the joints of the leg as a first guess");
                None
            }
        }
    }

    /// The body, level above the ground under its feet, with its present heading.
    fn upright(&self, body: usize, stances: &[[f64; 2]], height: f64) -> Pose {
        let given = self.initial_poses()[body];
        let R = rotation::about_axis(&Vec3::z(), given.R[(1, 0)].arctangent2(given.R[(0, 0)]));
        let under = |[x, y]: &[f64; 2]| {
            let p = given.p + R * Vec3::new(*x, *y, 0.0);
            self.ground.as_ref().and_then(|ground| ground.height(p.x, p.y)).map_or(0.0, |(z, _)| z)
        };
        let mean = stances.iter().map(under).sum::<f64>() / stances.len().max(1) as f64;
        Pose { R, p: Vec3::new(given.p.x, given.p.y, mean + height) }
    }

    /// A drive that applies the commanded torque or force.
    fn leg_joint(&mut self, keys: &LegsKeys, joint: usize, rest: f64) -> Option<ControlledJoint> {
        let name = self.mechanism.joints[joint].name.clone();
        if self.mechanism.drives.iter().any(|drive| drive.axis.joint == joint) {
            self.issues
                .at(
                    keys.here.loc,
                    &keys.here.path,
                    format!("moves joint {name}, which a drive or lock holds"),
                )
                .hint("leave out that drive, or the leg");
            return None;
        }
        let turns = matches!(self.mechanism.joints[joint].kind, JointKind::Revolute { .. });
        let own = self.motor_limit(joint, turns).map(|limit: &Quantity| limit.value);
        let limit = keys.limit.or(own).unwrap_or(f64::MAX);
        let target = InputTarget::Drive(self.mechanism.drives.len());
        self.add_limited(name.clone(), target, [-limit, limit]);
        self.remember("drive", &name, &keys.here);
        let kind = DriveKind::Follow(Command::Force(Signal::Constant(0.0)));
        let axis = JointAxis { joint, axis: 0 };
        self.mechanism.drives.push(Drive { name: name.clone(), axis, kind, active_from: 0.0 });
        Some(ControlledJoint { joint, input: name, limit, rest })
    }

    /// A body on its free joint, with its feet level with it, and its columns.
    pub(super) fn place_walker(
        &mut self,
        name: &BodyName,
        (body, X_WB): (usize, &Pose),
        feet: &[usize],
    ) -> Option<()> {
        // The body can be fixed to the one on the free joint.
        let (mut at, mut X_W) = (body, *X_WB);
        let free = loop {
            let joint = self.mechanism.joints.iter().position(|j| j.child == at)?;
            let on = &self.mechanism.joints[joint];
            match (on.kind, on.parent) {
                (JointKind::Fixed, Some(parent)) => {
                    X_W = X_W.compose(&on.X_BM).compose(&on.X_PF.inverse());
                    at = parent;
                }
                (JointKind::Free, _) => break &mut self.mechanism.joints[joint],
                _ => {
                    self.issues.at(name.loc, &name.path, "must hang on a free joint");
                    return None;
                }
            }
        };
        let X_FM = free.X_PF.inverse().compose(&X_W).compose(&free.X_BM);
        let q = X_FM.quaternion();
        free.position = vec![X_FM.p.x, X_FM.p.y, X_FM.p.z, q.w, q.i, q.j, q.k];
        let poses = self.initial_poses();
        for foot in feet {
            let on = &mut self.feet[*foot];
            on.X_BF = Pose { R: poses[on.body].R.transpose() * poses[body].R, p: on.X_BF.p };
        }
        self.walkers.push(Walker { name: name.replace('/', "_"), body, start: X_WB.p });
        Some(())
    }
}
