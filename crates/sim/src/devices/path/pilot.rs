//! Guidance of a vehicle: pure pursuit of a route (Coulter, CMU-RI-TR-92-01, 1992), turns on the spot, or
//! sideways motion with a fixed heading. Pure.

use super::route::{Place, Route, difference, length, turned};
use super::steering::Twist;
use crate::description::PathMode;
use serde::{Deserialize, Serialize};
use std::f64::consts::{PI, TAU};
use touchdown_math::Elementary;

/// Heading errors at which a turn on the spot ends, and above which driving is interrupted by one, rad: one
/// degree, and the largest error that pure pursuit corrects in a curve of its smallest radius.
const STRAIGHT: f64 = PI / 180.0;
const ASKEW: f64 = PI / 6.0;
/// Rate of a turn for each radian of error, 1/s: it slows down over the last degrees.
const TURN_GAIN: f64 = 1.0;
/// The same for the heading that is kept while driving sideways.
const HEADING_GAIN: f64 = 0.5;

/// The law with its numbers.
#[derive(Clone, Debug)]
pub(super) struct Pilot {
    pub route: Route,
    pub mode: PathMode,
    /// Speed over the ground, m/s, and how fast it may change, m/s².
    pub speed: f64,
    pub acceleration: f64,
    /// Distance along the route to the point that it steers towards, m.
    pub look_ahead: f64,
    /// Distance at which a point counts as reached, m.
    pub arrival: f64,
    /// Largest rate of turns, rad/s, and smallest radius of curves, m.
    pub turn_rate: f64,
    pub radius: f64,
    /// x of the axle about which it turns: that of the wheels that are not steered, m.
    pub pivot: f64,
}

/// Progress along the route; part of the state.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Progress {
    /// Arc length of the nearest place, m.
    pub along: f64,
    /// Index of the point to which it drives.
    pub goal: u32,
    /// It is turning on the spot.
    turning: bool,
    /// Heading that it keeps while driving sideways, rad.
    heading: Option<f64>,
    pub arrived: bool,
}

/// Its errors and target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sight {
    pub wanted: Twist,
    /// Distance from the route, positive to its left, m.
    pub cross_track: f64,
    /// Along the route to its end, m.
    pub left: f64,
}

/// An angle between −π and π.
fn wrapped(angle: f64) -> f64 {
    angle - TAU * (angle / TAU).round()
}

impl Pilot {
    /// Target motion for a position and heading.
    pub fn look(&self, progress: &mut Progress, origin: Place, yaw: f64) -> Sight {
        let ahead = turned([self.pivot, 0.0], yaw);
        let p = [origin[0] + ahead[0], origin[1] + ahead[1]];
        let (cross_track, left) = self.advance(progress, p);
        let wanted = match (progress.arrived, self.mode) {
            (true, _) => [0.0; 3],
            (false, PathMode::Ackermann) => {
                let target = self.route.place(progress.along + self.look_ahead);
                self.pursue(target, p, yaw, self.slowed(left))
            }
            (false, PathMode::PointTurn) => self.turn_or_drive(progress, p, yaw),
            (false, PathMode::Crab) => self.slide(progress, p, yaw, left),
        };
        Sight { wanted, cross_track, left }
    }

    /// Advances along the route: distance from it, and remaining length.
    fn advance(&self, progress: &mut Progress, p: Place) -> (f64, f64) {
        let (length_of_all, points) = (self.route.length(), self.route.points());
        let ahead = match self.mode {
            // Leg by leg: beyond its end the next one begins with a turn.
            PathMode::PointTurn => self.route.at((progress.goal as usize).min(points.len() - 1)),
            _ => (progress.along + 2.0 * self.look_ahead).min(length_of_all),
        };
        let (along, cross_track) = self.route.nearest(p, (progress.along, ahead.max(progress.along)));
        progress.along = along;
        if self.mode == PathMode::PointTurn {
            self.next_goal(progress, p);
        } else {
            progress.goal = self.route.leg(along) as u32;
            progress.arrived |= length_of_all - along <= self.arrival;
        }
        (cross_track, length_of_all - progress.along)
    }

    /// Selects the next point when one is reached or passed.
    fn next_goal(&self, progress: &mut Progress, p: Place) {
        let points = self.route.points();
        while let Some(goal) = points.get(progress.goal as usize) {
            let at = self.route.at(progress.goal as usize);
            let past = progress.goal > 0 && progress.along >= at;
            if length(difference(*goal, p)) > self.arrival && !past {
                return;
            }
            (progress.along, progress.goal, progress.turning) = (at, progress.goal + 1, true);
        }
        progress.arrived = true;
    }

    /// Speed that allows it to stop at the end of the route or of a leg.
    fn slowed(&self, left: f64) -> f64 {
        self.speed.min((2.0 * self.acceleration * left.max(0.0)).sqrt())
    }

    /// On the circle through a point that is tangent to the heading: its curvature is 2 y/d².
    fn pursue(&self, target: Place, p: Place, yaw: f64, speed: f64) -> Twist {
        let [x, y] = turned(difference(target, p), -yaw);
        let sharpest = 1.0 / self.radius;
        let curvature = if x > 0.0 {
            (2.0 * y / (x * x + y * y)).clamp(-sharpest, sharpest)
        } else {
            sharpest.copysign(y)
        };
        let turn = curvature * speed;
        [speed, -turn * self.pivot, turn]
    }

    fn turn_or_drive(&self, progress: &mut Progress, p: Place, yaw: f64) -> Twist {
        let k = progress.goal as usize;
        let goal = self.route.points()[k];
        let to = difference(goal, p);
        let error = wrapped(to[1].arctangent2(to[0]) - yaw);
        progress.turning = error.abs() > if progress.turning { STRAIGHT } else { ASKEW };
        if progress.turning {
            return [0.0, 0.0, (TURN_GAIN * error).clamp(-self.turn_rate, self.turn_rate)];
        }
        let ahead = progress.along + self.look_ahead;
        let target = if k == 0 || ahead > self.route.at(k) { goal } else { self.route.place(ahead) };
        self.pursue(target, p, yaw, self.slowed(length(to)))
    }

    fn slide(&self, progress: &mut Progress, p: Place, yaw: f64, left: f64) -> Twist {
        let kept = *progress.heading.get_or_insert(yaw);
        let to = turned(difference(self.route.place(progress.along + self.look_ahead), p), -yaw);
        let factor = self.slowed(left) / length(to).max(f64::MIN_POSITIVE);
        let turn = (HEADING_GAIN * wrapped(kept - yaw)).clamp(-self.turn_rate, self.turn_rate);
        [factor * to[0], factor * to[1], turn]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devices::path::steering::velocity;

    fn pilot(mode: PathMode, points: &[Place]) -> Pilot {
        Pilot {
            route: Route::new(points),
            mode,
            speed: 0.1,
            acceleration: 0.05,
            look_ahead: 0.8,
            arrival: 0.05,
            turn_rate: 0.1,
            radius: 1.0,
            pivot: 0.0,
        }
    }

    /// Drives a vehicle that does exactly what is commanded, with Euler steps that are small against all times of the law: places and headings.
    fn drive(
        pilot: &Pilot,
        mut p: Place,
        mut yaw: f64,
        seconds: f64,
    ) -> (Vec<(Place, f64, Sight)>, Progress) {
        let (dt, mut progress, mut seen) = (0.02, Progress::default(), Vec::new());
        for _ in 0..(seconds / dt) as usize {
            let sight = pilot.look(&mut progress, p, yaw);
            seen.push((p, yaw, sight));
            let step = turned([sight.wanted[0] * dt, sight.wanted[1] * dt], yaw);
            p = [p[0] + step[0], p[1] + step[1]];
            yaw += sight.wanted[2] * dt;
        }
        (seen, progress)
    }

    /// On a circle of radius R through its place, tangent to its heading, the curvature is 1/R, wherever on it the target lies.
    #[test]
    fn a_point_on_a_circle_is_pursued_on_that_circle() {
        let pilot = pilot(PathMode::Ackermann, &[[0.0, 0.0], [1.0, 0.0]]);
        for (radius, angle, yaw) in [(2.0, 0.4f64, 0.3), (5.0, -0.2, -2.0), (1.5, 1.2, 3.0)] {
            let on = [radius * angle.abs().sin(), (radius * (1.0 - angle.cos())).copysign(angle)];
            let turn = pilot.pursue(turned(on, yaw), [0.0; 2], yaw, 1.0)[2];
            assert!((turn - 1.0f64.copysign(angle) / radius).abs() < 1e-12, "{turn}");
        }
    }

    /// From a small distance d beside a straight line, pure pursuit obeys y″ + (2/L) y′ + (2/L²) y = 0 along it: critically near damped, with an overshoot of
    /// e^−π = 4.3 % of d at πL along the line (undershoot to the other side), whatever the speed.
    #[test]
    fn a_distance_decays_as_the_linear_law_says() {
        let (d, l) = (0.01, 0.8);
        let (seen, _) = drive(&pilot(PathMode::Ackermann, &[[0.0, 0.0], [20.0, 0.0]]), [0.0, d], 0.0, 100.0);
        for (p, _, _) in seen.iter().filter(|(p, ..)| p[0] < 6.0) {
            let x = p[0] / l;
            let expected = d * (-x).exp() * (x.cos() + x.sin());
            // Euler steps of 2 mm over L: a relative error of h/L = 0.25 % of d; terms of the order d³/L² are 1.6e-4 of d.
            assert!((p[1] - expected).abs() < 5e-3 * d, "x = {x} L: {} against {expected}", p[1]);
        }
    }

    /// It comes to the end of a bent route, stays near it, and stops there. In the corner it cuts by less than the distance of looking ahead.
    #[test]
    fn a_bent_route_is_driven_to_its_end() {
        for mode in [PathMode::Ackermann, PathMode::PointTurn, PathMode::Crab] {
            let law = pilot(mode, &[[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [1.0, 5.0]]);
            let (seen, progress) = drive(&law, [0.0, 0.0], 0.2, 260.0);
            let (end, yaw, last) = seen[seen.len() - 1];
            assert!(progress.arrived && last.wanted == [0.0; 3], "{mode:?}: {progress:?}");
            assert!(length(difference(end, [1.0, 5.0])) < 0.06, "{mode:?}: {end:?}");
            let off = seen.iter().map(|s| s.2.cross_track.abs()).fold(0.0, f64::max);
            let most = if mode == PathMode::PointTurn { 0.06 } else { 0.5 * law.look_ahead };
            assert!(off < most, "{mode:?}: {off}");
            if mode == PathMode::Crab {
                assert!((yaw - 0.2).abs() < 1e-9, "{yaw}");
            }
        }
    }

    /// While it turns on the spot it stays, and it turns before it drives where the next point lies behind.
    #[test]
    fn turns_on_the_spot_stay_on_the_spot() {
        let law = pilot(PathMode::PointTurn, &[[0.0, 0.0], [-3.0, 0.0]]);
        let (seen, progress) = drive(&law, [0.0, 0.0], 0.0, 120.0);
        assert!(progress.arrived);
        let turning = seen.iter().take_while(|s| s.2.wanted[0] == 0.0);
        let last = turning.clone().last().expect("it turns first");
        assert!(turning.count() as f64 * 0.02 > (PI - STRAIGHT) / law.turn_rate);
        assert!(length(last.0) < 1e-12 && (last.1.abs() - PI).abs() < 2.0 * STRAIGHT);
    }

    /// The speed follows the law of stopping: at the distance s before the end it is at most √(2 a s), and never more than asked for.
    #[test]
    fn it_slows_down_before_the_end() {
        let law = pilot(PathMode::Ackermann, &[[0.0, 0.0], [2.0, 0.0]]);
        let (seen, _) = drive(&law, [0.0, 0.0], 0.0, 40.0);
        for (_, _, sight) in seen {
            assert!(
                sight.wanted[0] <= law.speed
                    && sight.wanted[0] <= (2.0 * law.acceleration * sight.left).sqrt() + 1e-15
            );
        }
    }

    /// A vehicle with wheels that are not steered turns about their axle: no wheel on it moves sideways.
    #[test]
    fn fixed_wheels_do_not_slide() {
        let mut law = pilot(PathMode::Ackermann, &[[0.0, 0.0], [4.0, 0.0], [4.0, 4.0]]);
        law.pivot = -0.6;
        let (seen, progress) = drive(&law, [0.6, 0.0], 0.0, 130.0);
        assert!(progress.arrived);
        for (_, _, sight) in seen {
            assert!(velocity(sight.wanted, [-0.6, 0.5])[1].abs() < 1e-15);
        }
    }

    /// A route that comes back to its first point does not end before it begins.
    #[test]
    fn a_round_is_driven_all_round() {
        let law = pilot(PathMode::Ackermann, &[[0.0, 0.0], [3.0, 0.0], [3.0, 3.0], [0.0, 3.0], [0.0, 0.0]]);
        let (seen, progress) = drive(&law, [0.0, 0.0], 0.0, 140.0);
        assert!(progress.arrived);
        assert!(seen.iter().any(|(p, ..)| length(difference(*p, [3.0, 3.0])) < 0.5));
    }
}
