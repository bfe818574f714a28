//! Columns of smooth contacts. If several places touch at once, coordinates and slip are those of the
//! smallest gap; forces are sums.

use super::pair::PairOnLinks;
use crate::books::channels::{Columns, Snapshot};
use crate::engine::system::System;

/// A number of a pair.
pub(crate) type PairValue = (usize, OfPair);

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum OfPair {
    Gap,
    GapRate,
    Place(usize),
    PlaceRate(usize),
    OnBody(usize),
    Normal,
    Friction,
    Force(usize),
    Slip,
    Penetration,
    PenetrationMax,
    Contacts,
    Touches,
    Lost,
}

/// Description of the missing value of the columns of the nearest candidate.
const WITHOUT_CANDIDATE: &str = "not a number while the surfaces are too far apart to follow";

/// Adds the columns of all pairs.
pub(super) fn add(pairs: &[PairOnLinks], out: &mut Columns<PairValue>) {
    use OfPair::{
        Contacts, Force, Friction, Gap, GapRate, Lost, Normal, OnBody, Penetration, PenetrationMax, Place,
        PlaceRate, Slip, Touches,
    };
    for (i, pair) in pairs.iter().enumerate() {
        let base = format!("surface.{}", pair.name);
        let values: [(OfPair, &str, &'static str, &'static str, &str); 15] = [
            (Gap, "gap_m", "m", "-", "smallest distance of the two surfaces; negative when touching"),
            (GapRate, "gap_rate_m_per_s", "m/s", "-", "its rate"),
            (Place(0), "u_m", "m", "ground", "closest point of the first side: x in its frame"),
            (Place(1), "v_m", "m", "ground", "closest point of the first side: y in its frame"),
            (Place(2), "w_m", "m", "ground", "closest point of the first side: z in its frame"),
            (PlaceRate(0), "u_rate_m_per_s", "m/s", "ground", "rate of u by the contact kinematics"),
            (PlaceRate(1), "v_rate_m_per_s", "m/s", "ground", "rate of v by the contact kinematics"),
            (Normal, "normal_force_n", "N", "-", "forces along the normals, added up"),
            (Friction, "friction_force_n", "N", "-", "size of all forces across the normals together"),
            (
                Slip,
                "slip_speed_m_per_s",
                "m/s",
                "-",
                "speed of the second side across the normal, at the point",
            ),
            (Penetration, "penetration_m", "m", "-", "deepest penetration; 0 when apart"),
            (PenetrationMax, "penetration_max_m", "m", "-", "deepest penetration so far"),
            (Contacts, "contacts", "1", "-", "places that touch now"),
            (Touches, "touches", "1", "-", "separate times of touching so far"),
            (
                Lost,
                "lost",
                "1",
                "-",
                "candidates so far that lost relative convexity and were searched again",
            ),
        ];
        for (value, suffix, unit, frame, about) in values {
            let near = matches!(value, Gap | GapRate | Place(_) | PlaceRate(_) | Slip);
            let about = if near { format!("{about}; {WITHOUT_CANDIDATE}") } else { about.to_string() };
            out.put((i, value), &format!("{base}.{suffix}"), unit, frame, &about);
        }
        let about = format!("closest point of the second side in its own frame; {WITHOUT_CANDIDATE}");
        let about = ("m", "body", about.as_str());
        out.put_axes((&format!("{base}.body"), "m"), about, |k| (i, OnBody(k)));
        let about = ("N", "world", "force on the second side");
        out.put_axes((&format!("{base}.force"), "n"), about, |k| (i, Force(k)));
    }
}

/// A number of a smooth contact; not a number without a candidate. Needs an evaluation.
pub(super) fn value(system: &System, s: &Snapshot, (i, value): PairValue) -> f64 {
    let books = &s.books.smooth[i];
    let p = &system.acts.smooth[i];
    let near = p.nearest();
    match value {
        OfPair::Gap => near.map_or(f64::NAN, |c| c.gap),
        OfPair::GapRate => near.map_or(f64::NAN, |c| c.gap_rate),
        OfPair::Place(k) => near.map_or(f64::NAN, |c| c.places[0][k]),
        OfPair::PlaceRate(k) => near.map_or(f64::NAN, |c| c.rates[0][k]),
        OfPair::OnBody(k) => near.map_or(f64::NAN, |c| c.places[1][k]),
        OfPair::Slip => near.map_or(f64::NAN, |c| c.twist_G.v.xy().norm()),
        OfPair::Normal => p.candidates().map(|c| c.normal_force).sum(),
        OfPair::Friction => p.candidates().map(|c| c.friction_W).sum::<touchdown_math::Vec3>().norm(),
        OfPair::Force(k) => p.force.wrenches[1].f[k],
        OfPair::Penetration => near.map_or(0.0, |c| (-c.gap).max(0.0)),
        OfPair::PenetrationMax => books.penetration.max(near.map_or(0.0, |c| -c.gap)).max(0.0),
        OfPair::Contacts => p.touching() as f64,
        OfPair::Lost => s.held.acts.smooth.held[i].lost as f64,
        OfPair::Touches => books.touches_with(p.touching() > 0) as f64,
    }
}
