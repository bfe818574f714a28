//! The memory between evaluations: the candidates of the last accepted step, and how a commit changes them.
//! The deflections of stick–slip friction are contact states and travel with the integrator.

use super::detect::{Found, farthest, search};
use super::force::twist_at;
use super::kinematics::Kinematics;
use super::rings::Standing;
use super::track::{Facing, Lost, track};
use super::{MOST, PairScratch, STATES, SurfaceMotion, SurfacePair};
use serde::{Deserialize, Serialize};
use touchdown_math::Vec3;

/// Candidates are dropped at this multiple of the threshold, so that one at the threshold does not alternate.
const LET_GO: f64 = 1.5;

/// Two points that face each other at the last accepted step, each in the frame of its side. Plain data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// Index of a mesh corner, face or edge; for other forms zero for the closest point, or a point of a ring.
    pub feature: u32,
    /// Places on side 1 and side 2, m.
    pub places: [[f64; 3]; 2],
    /// Their rates by the port-based equations, m/s.
    pub rates: [[f64; 3]; 2],
    /// Distance, m; negative when touching.
    pub gap: f64,
    /// Geometric mean of the principal relative curvatures when they last were apart, 1/m: that of Hertz's law.
    pub curvature: f64,
}

/// The candidates of a pair, each in a slot that it keeps as long as it exists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SmoothState {
    /// The slots.
    pub slots: [Option<Candidate>; MOST],
    /// Candidates that lost relative convexity, ran into another or were not found again from their last place, so far.
    pub lost: u64,
    /// Touching places that found no free slot at a commit, so far.
    pub crowded: u64,
}

impl Candidate {
    /// Where the points are expected after some time.
    #[inline]
    pub(super) fn predicted(&self, since: f64) -> [Vec3; 2] {
        [0, 1].map(|i| Vec3::from(self.places[i]) + Vec3::from(self.rates[i]) * since)
    }
}

impl SurfacePair {
    /// A candidate tracked to a pose; from its last place if the prediction does not converge.
    #[inline]
    pub(super) fn follow(
        &self,
        sides: &[SurfaceMotion; 2],
        candidate: &Candidate,
        since: f64,
        patches: &mut [Option<touchdown_geometry::surface::Patch>; 2],
    ) -> Result<Facing, Lost> {
        let poses = [&sides[0].X_WS, &sides[1].X_WS];
        if let Some(station) = self.ring_of(candidate.feature) {
            return self.follow_ring(poses, station, patches);
        }
        let two = self.two.at(candidate.feature);
        track(&self.one, &two, poses, candidate.predicted(since), patches)
            .or_else(|_| track(&self.one, &two, poses, candidate.predicted(0.0), patches))
    }

    /// Accepts a step that ended `since` seconds after the last commit: tracks the candidates to it, searches
    /// for new ones and drops distant ones. Deflections of reassigned slots are set to zero in `z`.
    pub fn commit(
        &self,
        sides: &[SurfaceMotion; 2],
        since: f64,
        state: &mut SmoothState,
        z: &mut [f64],
        scratch: &mut PairScratch,
    ) {
        let (mut known, mut count) = ([(0, Vec3::zeros()); MOST], 0);
        let mut leaving = [None; MOST];
        for slot in 0..MOST {
            let Some(candidate) = state.slots[slot] else { continue };
            match self.follow(sides, &candidate, since, &mut scratch.patches[slot]) {
                Ok(facing) => {
                    let place = facing.places[0];
                    let twice =
                        known[..count].iter().any(|(f, p)| self.same_place(*f, p, candidate.feature, &place));
                    if twice || facing.gap > LET_GO * self.options.threshold {
                        state.lost += u64::from(twice);
                        self.free(state, slot, z);
                    } else if !self.two.holds(candidate.feature, &facing, &sides[1].X_WS) {
                        leaving[slot] = Some(place);
                    } else {
                        known[count] = (candidate.feature, place);
                        count += 1;
                        state.slots[slot] =
                            Some(self.candidate(sides, candidate.feature, &facing, Some(&candidate)));
                    }
                }
                Err(why) => {
                    state.lost += u64::from(why == Lost::Convexity);
                    self.free(state, slot, z);
                }
            }
        }
        let (mut found, mut lows) = (std::mem::take(&mut scratch.found), std::mem::take(&mut scratch.lows));
        let known = &known[..count];
        search(self, sides, known, &mut scratch.search, (&mut found, &mut lows));
        found.retain(|f| !known.iter().any(|(k, p)| self.same_place(*k, p, f.feature, &f.facing.places[0])));
        for (slot, place) in
            leaving.iter().enumerate().filter_map(|(slot, place)| Some((slot, place.as_ref()?)))
        {
            self.hand_on(sides, state, z, (slot, place), &mut found);
        }
        if !self.rings.is_empty() {
            self.share(sides, state, z, &mut found);
        }
        self.admit(sides, state, z, &mut found);
        (scratch.found, scratch.lows) = (found, lows);
    }

    /// A candidate that slid off a face or edge continues as the nearest place found, in the same slot; its
    /// bristle stays.
    fn hand_on(
        &self,
        sides: &[SurfaceMotion; 2],
        state: &mut SmoothState,
        z: &mut [f64],
        (slot, place): (usize, &Vec3),
        found: &mut Vec<Found>,
    ) {
        let away = |f: &Found| (f.facing.places[0] - place).norm();
        let next = (0..found.len()).min_by(|&a, &b| away(&found[a]).total_cmp(&away(&found[b])));
        match next.filter(|&k| away(&found[k]) < self.options.threshold) {
            Some(k) => {
                let next = found.remove(k);
                let own = self.candidate(sides, next.feature, &next.facing, state.slots[slot].as_ref());
                state.slots[slot] = Some(own);
            }
            None => self.free(state, slot, z),
        }
    }

    /// Assigns slots to the places found: touching ones first, the deepest and then those farthest from the
    /// ones that have a slot.
    fn admit(
        &self,
        sides: &[SurfaceMotion; 2],
        state: &mut SmoothState,
        z: &mut [f64],
        found: &mut Vec<Found>,
    ) {
        found.sort_unstable_by(|a, b| a.facing.gap.total_cmp(&b.facing.gap).then(a.feature.cmp(&b.feature)));
        loop {
            let spread = |k: usize| {
                let place = found[k].facing.places[0];
                let near = state.slots.iter().flatten().map(|c| (Vec3::from(c.places[0]) - place).norm());
                near.fold(f64::INFINITY, f64::min)
            };
            let Some(next) = farthest(found.len(), |k| found[k].facing.gap, spread) else { return };
            let new = found.remove(next);
            let free = (0..self.options.most).find(|&k| state.slots[k].is_none());
            // A candidate that is apart is replaced by a closer one; one that touches stays.
            let slot = free.or_else(|| {
                let gap = |k: usize| state.slots[k].map_or(f64::NEG_INFINITY, |c| c.gap);
                let widest = (0..self.options.most).max_by(|&a, &b| gap(a).total_cmp(&gap(b)))?;
                (gap(widest) > 0.0 && gap(widest) > new.facing.gap).then_some(widest)
            });
            match slot {
                Some(slot) => {
                    self.free(state, slot, z);
                    state.slots[slot] = Some(self.candidate(sides, new.feature, &new.facing, None));
                }
                None => state.crowded += u64::from(new.facing.gap < 0.0),
            }
        }
    }

    /// Drops candidates that another one replaces: points of rings beside closest points, and vice versa.
    fn share(
        &self,
        sides: &[SurfaceMotion; 2],
        state: &mut SmoothState,
        z: &mut [f64],
        found: &mut Vec<Found>,
    ) {
        let held = state.slots.iter().flatten().map(|c| Standing {
            feature: c.feature,
            places: c.places.map(Vec3::from),
            gap: c.gap,
        });
        let new =
            found.iter().map(|f| Standing { feature: f.feature, places: f.facing.places, gap: f.facing.gap });
        let all: Vec<Standing> = held.chain(new).collect();
        let away: Vec<bool> = all.iter().map(|own| self.gives_way(sides, own, &all)).collect();
        let mut k = 0;
        for slot in 0..MOST {
            if state.slots[slot].is_some() {
                if away[k] {
                    self.free(state, slot, z);
                }
                k += 1;
            }
        }
        let mut kept = away[k..].iter().map(|away| !away);
        found.retain(|_| kept.next().unwrap_or(true));
    }

    fn free(&self, state: &mut SmoothState, slot: usize, z: &mut [f64]) {
        state.slots[slot] = None;
        if let Some(z) = z.get_mut(slot * STATES..(slot + 1) * STATES) {
            z.fill(0.0);
        }
    }

    fn candidate(
        &self,
        sides: &[SurfaceMotion; 2],
        feature: u32,
        f: &Facing,
        old: Option<&Candidate>,
    ) -> Candidate {
        let [one, two] = [0, 1].map(|i| twist_at(&sides[i], &f.p_W));
        let rates = Kinematics::new(f).rates(f, &one, &two);
        let own = |i: usize| sides[i].X_WS.R.tr_mul(&rates.w[i]).into();
        let held = old.filter(|_| f.gap <= 0.0).map(|c| c.curvature);
        let own_curvature = || match self.ring_of(feature).and_then(|(ring, _)| self.rings.get(ring)) {
            Some(ring) => ring.curvature,
            None => f.relative_curvature().map_or(0.0, |S| S.determinant().sqrt()),
        };
        let curvature = held.unwrap_or_else(own_curvature);
        Candidate {
            feature,
            places: f.places.map(Into::into),
            rates: [own(0), own(1)],
            gap: f.gap,
            curvature,
        }
    }
}
