//! The walk, row by row: motion of a leg on its footholds and between them, with rolling round feet ⇒ tables
//! of angles.

use super::course::{Course, Foothold, OffGround};
use super::leg::{Bend, Leg};
use super::plan::{FootPhase, Plan, swing};
use touchdown_math::{Mat3, Pose, Vec3};

/// Iterations of the rolling of round feet with their shanks: each removes nine tenths of the error.
const ROUNDS: usize = 4;

/// Times and angles of the three joints of a leg.
pub type Tables = [Vec<(f64, f64)>; 3];

/// Rows of a walk.
pub(super) struct Walk<'a> {
    pub plan: &'a Plan,
    pub course: &'a Course<'a>,
    /// Time between rows, s.
    pub step: f64,
    /// Pose of the body at each row.
    pub poses: Vec<Pose>,
}

/// State of a leg at each row, and its footholds from its first cycle on.
struct Steps<'a> {
    leg: &'a Leg,
    phases: Vec<FootPhase>,
    holds: Vec<Foothold>,
    /// Rise of the ground between each foothold and the next, m.
    humps: Vec<f64>,
    /// Distance that the foot has rolled from its foothold, at each row while it stands.
    rolled: Vec<Vec3>,
    /// The same at the beginning and end of each stance.
    ends: Vec<[Vec3; 2]>,
}

impl Walk<'_> {
    /// Angles of a leg. A round foot that stands rolls on the ground as its shank turns, without slip: its centre moves, and with it the plan, until both fit.
    pub fn leg(&self, i: usize, leg: &Leg, above: f64) -> Result<Tables, OffGround> {
        let (plan, offset) = (self.plan, if i.is_multiple_of(2) { 0.0 } else { 0.5 });
        let time = |k: usize| k as f64 * self.step;
        let phases: Vec<FootPhase> = (0..self.poses.len()).map(|k| plan.phase(time(k), offset)).collect();
        let cycles = phases.first().map_or(0, |p| p.cycle)..=phases.last().map_or(0, |p| p.cycle) + 1;
        let hold = |cycle| self.course.foothold(i, plan.foothold(cycle, offset), above);
        let holds: Vec<Foothold> = cycles.map(hold).collect::<Result<_, _>>()?;
        let hump = |w: &[Foothold]| self.course.hump(&w[0], &w[1], above);
        let humps = holds.windows(2).map(hump).collect::<Result<_, _>>()?;
        let (rolled, ends) = (vec![Vec3::zeros(); phases.len()], vec![[Vec3::zeros(); 2]; holds.len()]);
        let mut steps = Steps { leg, phases, holds, humps, rolled, ends };
        let mut bends = self.bends(&steps);
        for _ in 0..if above > 0.0 { ROUNDS } else { 0 } {
            self.roll(&mut steps, &bends, above);
            bends = self.bends(&steps);
        }
        let mut tables: Tables = std::array::from_fn(|_| Vec::with_capacity(bends.len()));
        for (k, bend) in bends.iter().enumerate() {
            tables.iter_mut().zip(leg.angles(bend)).for_each(|(table, angle)| table.push((time(k), angle)));
        }
        Ok(tables)
    }

    fn bends(&self, steps: &Steps) -> Vec<Bend> {
        let bend = |(k, phase): (usize, &FootPhase)| {
            let n = steps.slot(phase);
            let p = match phase.swing {
                None => steps.holds[n].p + steps.rolled[k],
                Some(s) => {
                    let (along, up) = swing(s);
                    let (from, to) =
                        (steps.holds[n].p + steps.ends[n][1], steps.holds[n + 1].p + steps.ends[n + 1][0]);
                    from.lerp(&to, along) + Vec3::z() * ((self.plan.lift + steps.humps[n]) * up)
                }
            };
            steps.leg.bend(&self.poses[k].inverse().point(&p))
        };
        steps.phases.iter().enumerate().map(bend).collect()
    }

    /// Rolls the foot in every stance, half of it before the middle and half after.
    fn roll(&self, steps: &mut Steps, bends: &[Bend], radius: f64) {
        let stands = |phases: &[FootPhase], k: usize| phases.get(k).is_some_and(|p| p.swing.is_none());
        let mut begin = 0;
        while begin < bends.len() {
            if !stands(&steps.phases, begin) {
                begin += 1;
                continue;
            }
            let mut end = begin;
            steps.rolled[begin] = Vec3::zeros();
            while stands(&steps.phases, end + 1) {
                end += 1;
                let [before, now] = [end - 1, end].map(|k| &self.poses[k].R);
                let shank = now * steps.leg.shank_turn(&bends[end - 1], &bends[end]);
                let normal = steps.holds[steps.slot(&steps.phases[end])].normal;
                let turn = shank + small_turn(&(now * before.transpose()));
                steps.rolled[end] = steps.rolled[end - 1] + turn.cross(&(normal * radius));
            }
            let middle = steps.rolled[begin + (end - begin) / 2];
            steps.rolled[begin..=end].iter_mut().for_each(|r| *r -= middle);
            for n in steps.slot(&steps.phases[begin])..=steps.slot(&steps.phases[end]) {
                steps.ends[n] = [steps.rolled[begin], steps.rolled[end]];
            }
            begin = end + 1;
        }
    }
}

impl Steps<'_> {
    /// Index of a phase's foothold in the list.
    fn slot(&self, phase: &FootPhase) -> usize {
        (phase.cycle - self.phases[0].cycle) as usize
    }
}

/// The vector of a small rotation.
fn small_turn(R: &Mat3) -> Vec3 {
    0.5 * Vec3::new(R[(2, 1)] - R[(1, 2)], R[(0, 2)] - R[(2, 0)], R[(1, 0)] - R[(0, 1)])
}
