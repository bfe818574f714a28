//! A route: straight legs between points of the plane, by their arc length. Pure.

use touchdown_math::Elementary;

/// A place in the horizontal plane, m.
pub(super) type Place = [f64; 2];

/// Straight legs between points.
#[derive(Clone, Debug)]
pub(super) struct Route {
    points: Vec<Place>,
    /// Arc length from the first point to each, m.
    at: Vec<f64>,
}

pub(super) fn difference(a: Place, b: Place) -> Place {
    [a[0] - b[0], a[1] - b[1]]
}

pub(super) fn dot(a: Place, b: Place) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

pub(super) fn length(a: Place) -> f64 {
    dot(a, a).sqrt()
}

/// A vector of the plane, turned to the left.
pub(super) fn turned(a: Place, angle: f64) -> Place {
    let (s, c) = (angle.sine(), angle.cosine());
    [c * a[0] - s * a[1], s * a[0] + c * a[1]]
}

impl Route {
    /// At least two points, no two of them that follow each other in the same place.
    pub fn new(points: &[Place]) -> Route {
        let mut at = Vec::with_capacity(points.len());
        let mut sum = 0.0;
        for (k, point) in points.iter().enumerate() {
            sum += k.checked_sub(1).map_or(0.0, |before| length(difference(*point, points[before])));
            at.push(sum);
        }
        Route { points: points.to_vec(), at }
    }

    /// From the first point to the last, m.
    pub fn length(&self) -> f64 {
        self.at[self.at.len() - 1]
    }

    /// Its points.
    pub fn points(&self) -> &[Place] {
        &self.points
    }

    /// Arc length to a point.
    pub fn at(&self, k: usize) -> f64 {
        self.at[k]
    }

    /// The leg on which an arc length lies: index of its end.
    pub fn leg(&self, s: f64) -> usize {
        let end = self.at.iter().position(|at| *at > s);
        end.unwrap_or(self.at.len() - 1).max(1)
    }

    /// Direction of a leg, of unit length, and its begin.
    fn line(&self, leg: usize) -> (Place, Place) {
        let (from, to) = (self.points[leg - 1], self.points[leg]);
        let along = difference(to, from);
        let inverse = 1.0 / length(along);
        (from, [along[0] * inverse, along[1] * inverse])
    }

    /// The place at an arc length; before the first and beyond the last point the legs continue straight.
    pub fn place(&self, s: f64) -> Place {
        let leg = self.leg(s);
        let (from, along) = self.line(leg);
        let on = s - self.at[leg - 1];
        [from[0] + on * along[0], from[1] + on * along[1]]
    }

    /// The nearest place between two arc lengths: its arc length, and the distance from it, positive to the left of the route.
    pub fn nearest(&self, p: Place, (first, last): (f64, f64)) -> (f64, f64) {
        let mut best = (first, f64::INFINITY, 0.0);
        for leg in self.leg(first)..=self.leg(last) {
            let (from, along) = self.line(leg);
            let away = difference(p, from);
            let (low, high) = (self.at[leg - 1].max(first), self.at[leg].min(last));
            let s = (self.at[leg - 1] + dot(away, along)).clamp(low, high.max(low));
            let off = difference(p, self.place(s));
            if length(off) < best.1 {
                let left = along[0] * off[1] - along[1] * off[0];
                best = (s, length(off), left);
            }
        }
        (best.0, best.1.copysign(best.2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corner() -> Route {
        Route::new(&[[0.0, 0.0], [4.0, 0.0], [4.0, 3.0]])
    }

    /// Arc lengths run along the legs, and beyond the ends these go on straight.
    #[test]
    fn places_lie_on_the_legs() {
        let route = corner();
        assert_eq!(route.length(), 7.0);
        for (s, place) in
            [(0.0, [0.0, 0.0]), (4.0, [4.0, 0.0]), (5.5, [4.0, 1.5]), (9.0, [4.0, 5.0]), (-1.0, [-1.0, 0.0])]
        {
            assert_eq!(route.place(s), place, "{s}");
        }
    }

    /// The nearest place of a route is no farther than any other, and the sign of its distance says on which side of the route one is.
    #[test]
    fn no_place_is_nearer_than_the_nearest() {
        let route = corner();
        for p in [[1.0, 0.5], [5.0, -1.0], [3.0, 2.0], [6.0, 1.0], [-2.0, 0.3]] {
            let (s, off) = route.nearest(p, (0.0, 7.0));
            assert!((length(difference(p, route.place(s))) - off.abs()).abs() < 1e-15);
            for k in 0..=700 {
                let other = length(difference(p, route.place(0.01 * f64::from(k))));
                assert!(other > off.abs() - 1e-12, "{p:?} at {k}");
            }
        }
        assert!(
            route.nearest([1.0, 0.5], (0.0, 7.0)).1 > 0.0 && route.nearest([5.0, 1.0], (0.0, 7.0)).1 < 0.0
        );
    }

    /// A search between two arc lengths stays there: where a route crosses itself, it does not jump to another leg.
    #[test]
    fn a_search_stays_where_it_is_asked() {
        let route = Route::new(&[[0.0, 0.0], [4.0, 0.0], [4.0, 2.0], [2.0, 2.0], [2.0, -2.0]]);
        let crossing = [2.0, 0.0];
        assert_eq!(route.nearest(crossing, (1.0, 3.0)).0, 2.0);
        assert_eq!(route.nearest(crossing, (8.0, 12.0)).0, 10.0);
        assert_eq!(route.nearest([0.0, 0.0], (1.0, 3.0)).0, 1.0);
    }
}
