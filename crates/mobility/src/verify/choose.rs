//! Which parts of a route are checked.

use crate::route::{Route, RoutePoint, risk};
use serde::{Deserialize, Serialize};
use touchdown_campaign::random_bits;

/// Of ten stretches so many are the riskiest, and so many the most uncertain; the others are drawn.
const BY_RISK: usize = 4;
const BY_UNCERTAINTY: usize = 2;
/// Of how many.
const OF: usize = 10;
/// The stream of random numbers that stretches are drawn from.
const STREAM: u64 = 0x7374_7265_7463_6801;

/// Why a stretch is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Why {
    /// Among the riskiest.
    Risk,
    /// Among those with the widest intervals of slip.
    Uncertainty,
    /// Drawn.
    Random,
}

/// A part of a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Number of its first point.
    pub first: usize,
    /// Number of its last point.
    pub last: usize,
    /// Why it is checked.
    pub why: Why,
}

/// Chooses stretches of a route, each at least `length` of track, m, that do not overlap; in the order of the route. Fewer if the route is short.
pub fn choose(route: &Route, length: f64, count: usize, seed: u64) -> Vec<Stretch> {
    let mut left = cut(&route.points, length);
    let mean = |[first, last]: [usize; 2], of: &dyn Fn(&RoutePoint) -> f64| {
        let points = &route.points[first..last];
        points.iter().map(of).sum::<f64>() / points.len() as f64
    };
    let mut chosen = Vec::new();
    let shares = [(Why::Risk, BY_RISK), (Why::Uncertainty, BY_UNCERTAINTY)];
    for (why, share) in shares {
        let of = |point: &RoutePoint| match why {
            Why::Risk => risk(&point.response),
            _ => point.response.slip_half_width,
        };
        left.sort_by(|a, b| mean(*b, &of).total_cmp(&mean(*a, &of)).then(a.cmp(b)));
        let take = (count * share).div_ceil(OF).min(left.len()).min(count - chosen.len());
        chosen.extend(left.drain(..take).map(|[first, last]| Stretch { first, last, why }));
    }
    left.sort();
    for draw in 0.. {
        if chosen.len() == count || left.is_empty() {
            break;
        }
        let place = (random_bits(seed, STREAM, draw) % left.len() as u64) as usize;
        let [first, last] = left.remove(place);
        chosen.push(Stretch { first, last, why: Why::Random });
    }
    chosen.sort_by_key(|stretch| stretch.first);
    chosen
}

/// The route in stretches, one after the other.
fn cut(points: &[RoutePoint], length: f64) -> Vec<[usize; 2]> {
    let mut stretches = Vec::new();
    let mut first = 0;
    for (last, point) in points.iter().enumerate() {
        if point.distance_m - points[first].distance_m >= length {
            stretches.push([first, last]);
            first = last;
        }
    }
    // A route that is shorter is one stretch.
    if stretches.is_empty() && points.len() > 1 {
        stretches.push([0, points.len() - 1]);
    }
    stretches
}
