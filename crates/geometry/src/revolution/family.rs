//! Variable sections, such as a crown that opens. Members of a family share their strokes; between two
//! members every point moves linearly.

use super::distance::Foot;
use super::path::{Path, Stroke};
use super::section::{Section, SectionError, Side};
use super::segment::{Point, norm, sub};

/// Sections over one parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Family {
    members: Vec<(f64, Path)>,
    side: Side,
}

/// A section of a family with the speed at which it moves.
#[derive(Clone, Debug, PartialEq)]
pub struct MovingSection {
    /// The section.
    pub section: Section,
    /// Per segment, changes with the parameter.
    rates: Vec<Rate>,
}

/// Change of a segment with the parameter.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Rate {
    start: Point,
    end: Point,
    centre: Point,
    radius: f64,
}

/// Step of the difference quotients over the distance of neighbouring members: points move linearly, so that
/// only the curvature of arcs contributes.
const STEP: f64 = 1e-5;

impl Family {
    /// Checks members (parameter, path), in rising order of the parameter. Every member must be a valid
    /// section, and so must the midpoints between members.
    pub fn new(members: Vec<(f64, Path)>, side: Side) -> Result<Family, SectionError> {
        if members.len() < 2 {
            return Err(SectionError::Order { member: members.len() });
        }
        for (k, pair) in members.windows(2).enumerate() {
            if !(pair[0].0 < pair[1].0 && pair[1].0.is_finite() && pair[0].0.is_finite()) {
                return Err(SectionError::Order { member: k + 1 });
            }
            if !same_strokes(&members[0].1, &pair[1].1) {
                return Err(SectionError::Mismatch { member: k + 1 });
            }
        }
        let family = Family { members, side };
        for (k, (parameter, path)) in family.members.iter().enumerate() {
            Section::new(path, side)?;
            if let Some((next, _)) = family.members.get(k + 1) {
                Section::new(&family.path(0.5 * (parameter + next)), side)?;
            }
        }
        Ok(family)
    }

    /// Smallest and largest parameter.
    pub fn range(&self) -> [f64; 2] {
        [self.members[0].0, self.members[self.members.len() - 1].0]
    }

    /// Travel of the fastest of its points for a unit of the parameter, m.
    pub fn speed_max(&self) -> f64 {
        let mut most = 0.0f64;
        for pair in self.members.windows(2) {
            let step = pair[1].0 - pair[0].0;
            for (p, q) in pair[0].1.points().iter().zip(pair[1].1.points()) {
                most = most.max(norm(sub(q, *p)) / step);
            }
        }
        most
    }

    /// The section at a parameter, with its motion; beyond the ends of the family it is constant.
    pub fn at(&self, parameter: f64) -> MovingSection {
        let [low, high] = self.range();
        let inside = parameter.clamp(low, high);
        let section = Section::unchecked(&self.path(inside), self.side);
        let mut rates = vec![Rate::default(); section.segments.len()];
        if inside == parameter {
            let k = self.interval(parameter);
            let step = STEP * (self.members[k + 1].0 - self.members[k].0);
            let ahead = Section::unchecked(&self.mix(k, parameter + step), self.side);
            let behind = Section::unchecked(&self.mix(k, parameter - step), self.side);
            // An arc that becomes straight, or passes a right angle, changes the number of segments: its
            // motion is zero at this instant.
            if ahead.segments.len() == rates.len() && behind.segments.len() == rates.len() {
                for (i, rate) in rates.iter_mut().enumerate() {
                    *rate = Rate::between(&behind, &ahead, i, 0.5 / step);
                }
            }
        }
        MovingSection { section, rates }
    }

    fn interval(&self, parameter: f64) -> usize {
        let after = self.members.partition_point(|(p, _)| *p <= parameter);
        after.clamp(1, self.members.len() - 1) - 1
    }

    fn path(&self, parameter: f64) -> Path {
        self.mix(self.interval(parameter), parameter)
    }

    /// Between the members k and k + 1, or extrapolated beyond them.
    fn mix(&self, k: usize, parameter: f64) -> Path {
        let ((p, first), (q, second)) = (&self.members[k], &self.members[k + 1]);
        let t = (parameter - p) / (q - p);
        let mixed: Vec<Point> = first
            .points()
            .iter()
            .zip(second.points())
            .map(|(a, b)| [(1.0 - t) * a[0] + t * b[0], (1.0 - t) * a[1] + t * b[1]])
            .collect();
        first.with_points(&mixed)
    }
}

impl Rate {
    fn between(behind: &Section, ahead: &Section, i: usize, scale: f64) -> Rate {
        let (p, q) = (&behind.segments[i], &ahead.segments[i]);
        let change = |a: Point, b: Point| [(b[0] - a[0]) * scale, (b[1] - a[1]) * scale];
        let mut rate = Rate { start: change(p.start, q.start), end: change(p.end, q.end), ..Rate::default() };
        if let (Some(a), Some(b)) = (&p.arc, &q.arc) {
            rate.centre = change(a.centre, b.centre);
            rate.radius = (b.radius - a.radius) * scale;
        }
        rate
    }
}

impl MovingSection {
    /// A constant section.
    pub fn at_rest(section: Section) -> MovingSection {
        let rates = vec![Rate::default(); section.segments.len()];
        MovingSection { section, rates }
    }

    /// Outward motion of the surface at a foot, m per unit of the parameter: minus the change of the
    /// distance.
    pub fn normal_rate(&self, foot: &Foot) -> f64 {
        let (segment, rate) = (&self.section.segments[foot.segment], &self.rates[foot.segment]);
        let n = foot.normal;
        match &segment.arc {
            Some(arc) if foot.point != segment.start && foot.point != segment.end => {
                let spoke = sub(foot.point, arc.centre);
                let out = (n[0] * spoke[0] + n[1] * spoke[1]) / arc.radius;
                n[0] * rate.centre[0] + n[1] * rate.centre[1] + rate.radius * out
            }
            _ => {
                let share = norm(sub(foot.point, segment.start)) / norm(sub(segment.end, segment.start));
                let at = |c: usize| (1.0 - share) * rate.start[c] + share * rate.end[c];
                n[0] * at(0) + n[1] * at(1)
            }
        }
    }
}

fn same_strokes(a: &Path, b: &Path) -> bool {
    let same = |(p, q): (&Stroke, &Stroke)| match (p, q) {
        (Stroke::Line { .. }, Stroke::Line { .. }) | (Stroke::Arc { .. }, Stroke::Arc { .. }) => true,
        (Stroke::Spline { through: p }, Stroke::Spline { through: q }) => p.len() == q.len(),
        _ => false,
    };
    a.strokes.len() == b.strokes.len() && a.strokes.iter().zip(&b.strokes).all(same)
}
