//! `route.geojson`: the line, and its profile point by point.

use super::Route;
use crate::ResponseTable;
use serde_json::{Value, json};

/// The route as GeoJSON. Coordinates are those of the map, which its property `coordinate_system` names: GeoJSON has no place for systems
/// of other bodies (RFC 7946 knows WGS 84 alone).
pub fn geojson(route: &Route, table: &ResponseTable, system: Option<&str>) -> Value {
    let list = |value: &dyn Fn(&super::RoutePoint) -> f64| -> Vec<f64> {
        route.points.iter().map(|point| rounded(value(point))).collect()
    };
    let soils: Vec<&str> = route.points.iter().map(|p| table.soils()[usize::from(p.soil)].as_str()).collect();
    let coordinates: Vec<[f64; 3]> =
        route.points.iter().map(|p| [p.place[0], p.place[1], rounded(p.height_m)]).collect();
    json!({
        "type": "FeatureCollection",
        "features": [{
            "type": "Feature",
            "geometry": { "type": "LineString", "coordinates": coordinates },
            "properties": {
                "coordinate_system": system.unwrap_or("that of the map, which names none"),
                "aim": route.aim,
                "length_m": rounded(route.length_m),
                "energy_j": rounded(route.energy_j),
                "energy_interval_j": route.energy_interval_j.map(rounded),
                "slip_mean": rounded(route.slip_mean),
                "risk": rounded(route.risk),
                "turns_of_45_deg": route.turns,
                "map_was_cut": route.is_cut,
                "profile": {
                    "distance_m": list(&|p| p.distance_m),
                    "energy_j": list(&|p| p.energy_j),
                    "heading_deg": list(&|p| p.heading_deg),
                    "slope_deg": list(&|p| p.slope_deg),
                    "soil": soils,
                    "slip": list(&|p| p.response.slip),
                    "slip_half_width": list(&|p| p.response.slip_half_width),
                    "drift_deg": list(&|p| p.response.drift_deg),
                    "energy_j_per_m": list(&|p| p.response.energy_j_per_m),
                    "p_stuck": list(&|p| p.response.p_stuck),
                    "p_tip": list(&|p| p.response.p_tip),
                    "validity": list(&|p| p.response.valid),
                },
            },
        }],
    })
}

/// Six digits: more than the table has.
fn rounded(x: f64) -> f64 {
    format!("{x:.6e}").parse().unwrap_or(x)
}
