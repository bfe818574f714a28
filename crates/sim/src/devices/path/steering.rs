//! From the motion of a vehicle in the plane to angles of its steered wheels and speeds of their rims. Pure.
//!
//! A rigid body that moves with the velocity (vx, vy) of its origin and turns with w carries a wheel at (x, y) with the velocity (vx − w y, vy + w x): the wheel is
//! steered along it, and its rim runs at that speed. Forwards and backwards are the same line, so that a
//! wheel uses the nearer angle.

use super::route::{Place, dot, length};
use std::f64::consts::PI;
use touchdown_math::Elementary;

/// Motion in the plane: forwards and to the left, m/s; turn to the left, rad/s.
pub(super) type Twist = [f64; 3];

/// Slower than this a wheel keeps its angle, m/s.
const STILL: f64 = 1e-9;

/// Velocity of a place that moves with the vehicle, m/s.
pub(super) fn velocity([vx, vy, w]: Twist, at: Place) -> Place {
    [vx - w * at[1], vy + w * at[0]]
}

/// The angle within the limits along the velocity of a wheel's position, the nearest to the present one; the
/// present one if the wheel stands. If neither direction of the line is within the limits, the nearest limit.
pub(super) fn angle(twist: Twist, at: Place, (now, limits): (f64, [f64; 2])) -> f64 {
    let v = velocity(twist, at);
    if length(v) < STILL {
        return now;
    }
    let along = v[1].arctangent2(v[0]);
    let within = |a: &f64| limits[0] <= *a && *a <= limits[1];
    let candidates = [along - PI, along, along + PI];
    let nearest = |to: f64| move |a: &f64, b: &f64| (a - to).abs().total_cmp(&(b - to).abs());
    let best = candidates.into_iter().filter(within).min_by(nearest(now));
    best.unwrap_or_else(|| {
        let clamped = candidates.map(|a| (a.clamp(limits[0], limits[1]), a));
        let off = |(to, a): &(f64, f64)| (to - a).abs();
        clamped.into_iter().min_by(|a, b| off(a).total_cmp(&off(b))).map_or(now, |(to, _)| to)
    })
}

/// Speed of the rim of a wheel steered to an angle: the component of its velocity along it, m/s.
pub(super) fn rim_speed(twist: Twist, at: Place, angle: f64) -> f64 {
    dot(velocity(twist, at), [angle.cosine(), angle.sine()])
}

#[cfg(test)]
mod tests {
    use super::*;

    const FREE: [f64; 2] = [-1.75, 1.75];

    /// Where all wheels are steered to a turn, none of them slides: their velocities lie along their rims, and all axles meet in the centre of the turn.
    #[test]
    fn axles_meet_in_the_centre_of_the_turn() {
        let (radius, w) = (2.0, 0.05);
        let twist = [radius * w, 0.0, w];
        for at in [[0.73, 0.73], [0.73, -0.73], [-0.7, 0.7], [-0.7, -0.7], [0.0, 0.7]] {
            let steered = angle(twist, at, (0.0, FREE));
            let v = velocity(twist, at);
            let rim = rim_speed(twist, at, steered);
            assert!((rim.abs() - length(v)).abs() < 1e-15, "{at:?}");
            // The axle, turned by 90°, through the wheel passes (0, R).
            let axle = [-steered.sin(), steered.cos()];
            let to = [-at[0], radius - at[1]];
            assert!((axle[0] * to[1] - axle[1] * to[0]).abs() < 1e-14, "{at:?}");
        }
    }

    /// A turn on the spot: the angles and speeds of the published manoeuvre, atan(x/|y|) and the yaw rate times the distance, backwards on the left.
    #[test]
    fn a_turn_on_the_spot_is_the_published_one() {
        for (at, sign) in [([0.732, -0.73], 1.0), ([0.732, 0.73], -1.0)] {
            let w = 0.017453292520;
            let steered = angle([0.0, 0.0, w], at, (0.0, FREE));
            assert!((steered - sign * (0.732f64 / 0.73).atan()).abs() < 1e-12);
            assert!((rim_speed([0.0, 0.0, w], at, steered) - sign * w * 1.033791081).abs() < 1e-11);
        }
    }

    /// A wheel that stands keeps its angle; one that cannot reach a direction stops at its limit; of two possible angles it takes the nearer one.
    #[test]
    fn limits_and_present_angles_count() {
        assert_eq!(angle([0.0; 3], [1.0, 1.0], (0.4, FREE)), 0.4);
        assert_eq!(angle([0.0, 1.0, 0.0], [0.0, 0.0], (0.0, [-0.5, 0.6])), 0.6);
        assert_eq!(angle([1.0, 0.0, 0.0], [0.0, 0.0], (0.0, [0.0, 0.0])), 0.0);
        let sideways = |now: f64| angle([0.0, 1.0, 0.0], [0.0, 0.0], (now, FREE));
        assert!((sideways(0.1) - PI / 2.0).abs() < 1e-15 && (sideways(-0.1) + PI / 2.0).abs() < 1e-15);
    }
}
