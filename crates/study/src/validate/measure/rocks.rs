//! Wheels on rocks against geometry: where a rigid wheel can stand, and what it does to rocks in soil.

use super::column;
use crate::Case;
use touchdown_math::Elementary;
use touchdown_sim::description::PolygonalContact;

/// Parts into which the edges of a rock's triangles are cut to find its highest points: a wheel touches an edge between its ends.
const PARTS: u32 = 8;

/// A wheel about y of a single-wheel scenario.
struct Wheel {
    radius: f64,
    /// Half the width of its flat rim.
    half: f64,
}

/// Largest height by which the wheel's centre is below the least height at which a rigid wheel touches neither ground nor rocks, over the
/// deepest penetration that the contacts book: one over the cosine of the slope on which it stands, unless it has got inside a rock.
pub(super) fn below_envelope(case: &Case) -> Result<f64, String> {
    let depth = above_envelope(case)?.into_iter().fold(0.0, |most, above| f64::max(most, -above));
    let booked = ["rocks.wheel.penetration_max_m", "polygonal.floor.penetration_max_m"]
        .into_iter()
        .map(|name| Ok(column(case, name)?.into_iter().fold(0.0, f64::max)))
        .collect::<Result<Vec<f64>, String>>()?;
    Ok(depth / booked.into_iter().fold(f64::MIN_POSITIVE, f64::max))
}

/// Mean height by which it is above that, m: how far it hops.
pub(super) fn hop(case: &Case) -> Result<f64, String> {
    let above = above_envelope(case)?;
    Ok(above.iter().map(|a| a.max(0.0)).sum::<f64>() / above.len() as f64)
}

fn above_envelope(case: &Case) -> Result<Vec<f64>, String> {
    let contacts = &case.scenario.description.polygonal;
    let wheel = wheel(contacts).ok_or("no wheel on the ground")?;
    let points = tops(contacts, &wheel);
    if points.is_empty() {
        return Err("no rocks in the path of the wheel".into());
    }
    let (x, z) = (column(case, "body.wheel.x_m")?, column(case, "body.wheel.z_m")?);
    let stands = |x: f64| {
        points.iter().fold(wheel.radius, |most, [px, pz]| {
            let square = wheel.radius.whole_power(2) - (px - x).whole_power(2);
            if square > 0.0 { most.max(pz + square.sqrt()) } else { most }
        })
    };
    Ok(x.iter().zip(&z).map(|(x, z)| z - stands(*x)).collect())
}

fn wheel(contacts: &[PolygonalContact]) -> Option<Wheel> {
    let side = &contacts.iter().find(|c| c.group.is_none())?.sides[0];
    let corners: Vec<_> = side.mesh.vertices.iter().map(|p| side.X_BS.point(p)).collect();
    let radius = corners.iter().map(|p| p.x.hypotenuse(p.z)).fold(0.0, f64::max);
    let rim = corners.iter().filter(|p| p.x.hypotenuse(p.z) > radius * (1.0 - 1e-9));
    Some(Wheel { radius, half: rim.map(|p| p.y.abs()).fold(0.0, f64::max) })
}

/// Points x, z of the edges of rocks fixed in the world, under the flat part of the rim.
fn tops(contacts: &[PolygonalContact], wheel: &Wheel) -> Vec<[f64; 2]> {
    let mut points = Vec::new();
    for rock in contacts.iter().filter(|c| c.group.is_some()).map(|c| &c.sides[1]) {
        for triangle in 0..rock.mesh.triangles.len() {
            let corners = rock.mesh.corners(triangle).map(|p| rock.X_BS.point(&p));
            for (a, b) in [(0, 1), (1, 2), (2, 0)].map(|(a, b)| (corners[a], corners[b])) {
                let along = (0..PARTS).map(|k| a.lerp(&b, f64::from(k) / f64::from(PARTS)));
                points.extend(along.filter(|p| p.y.abs() <= wheel.half && p.z > 0.0).map(|p| [p.x, p.z]));
            }
        }
    }
    points
}

/// Deepest push of a rock below its place at the start, m.
pub(super) fn pushed_down(case: &Case) -> Result<f64, String> {
    over_rocks(case, |_, _, z| z[0] - z.iter().copied().fold(f64::INFINITY, f64::min))
}

/// Furthest that a rock is moved along the ground, m.
pub(super) fn moved(case: &Case) -> Result<f64, String> {
    over_rocks(case, |x, y, _| (x[x.len() - 1] - x[0]).hypotenuse(y[y.len() - 1] - y[0]))
}

/// Highest rise of a rock above its place at the start, m.
pub(super) fn lifted(case: &Case) -> Result<f64, String> {
    over_rocks(case, |_, _, z| z.iter().copied().fold(f64::NEG_INFINITY, f64::max) - z[0])
}

fn over_rocks(case: &Case, of: impl Fn(&[f64], &[f64], &[f64]) -> f64) -> Result<f64, String> {
    let rocks = (1..).map_while(|k| {
        let place = ["x", "y", "z"].map(|axis| case.column(&format!("body.rock_{k}.{axis}_m")));
        let [Some(x), Some(y), Some(z)] = place else { return None };
        Some(of(&x, &y, &z))
    });
    rocks.reduce(f64::max).ok_or_else(|| format!("{} has no rocks that move", case.scenario.name))
}
