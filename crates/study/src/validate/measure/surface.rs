//! Smooth contact against geometry that needs no search.

use super::column;
use crate::Case;
use crate::validate::read::larger;
use touchdown_contact::surface::{BodySurface, Form};
use touchdown_math::Elementary;

/// Largest error of facing points, at rows in which the first contact follows any: the body's point lies on its surface, and from it the ground's
/// point lies by the gap along the body's own normal. The form of the body and the columns of the run alone say so, in m.
pub(super) fn facing(case: &Case) -> Result<f64, String> {
    let description = &case.scenario.description;
    let contact = description.contacts.first().ok_or("there is no smooth contact")?;
    let axes = match &contact.two.form {
        Form::Body(BodySurface::Sphere { radius }) => [*radius; 3],
        Form::Body(BodySurface::Ellipsoid { semi_axes }) => *semi_axes,
        _ => return Err("only spheres and ellipsoids have a normal without a search".into()),
    };
    let body = &description.mechanism.bodies[contact.two.body].name;
    let of = |what: &str, names: &[&str]| -> Result<Vec<Vec<f64>>, String> {
        names.iter().map(|name| column(case, &format!("{what}.{name}"))).collect()
    };
    let pose = of(&format!("body.{body}"), &["x_m", "y_m", "z_m", "qw", "qx", "qy", "qz"])?;
    let names = ["u_m", "v_m", "w_m", "gap_m", "body_x_m", "body_y_m", "body_z_m"];
    let places = of(&format!("surface.{}", contact.name), &names)?;
    let (mut worst, mut rows) = (0.0, 0);
    for row in (0..pose[0].len()).filter(|row| places[3][*row].is_finite()) {
        let p = [4, 5, 6].map(|k| places[k][row]);
        let on = (0..3).map(|k| (p[k] / axes[k]).whole_power(2)).sum::<f64>().sqrt() - 1.0;
        let n = [0, 1, 2].map(|k| p[k] / (axes[k] * axes[k]));
        let size = n.iter().map(|x| x * x).sum::<f64>().sqrt();
        let q = [3, 4, 5, 6].map(|k| pose[k][row]);
        let (p_W, n_W) = (turned(&q, &p), turned(&q, &n.map(|x| x / size)));
        let gap = places[3][row];
        let off = |k: usize| pose[k][row] + p_W[k] - places[k][row] + gap * n_W[k];
        let apart = (0..3).map(|k| off(k).whole_power(2)).sum::<f64>().sqrt();
        worst = larger(worst, larger(apart, on.abs() * axes[0]));
        rows += 1;
    }
    if rows == 0 { Err("it follows no point at any row".into()) } else { Ok(worst) }
}

/// A vector turned by a unit quaternion {w, x, y, z}.
fn turned([w, x, y, z]: &[f64; 4], v: &[f64; 3]) -> [f64; 3] {
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let axis = [*x, *y, *z];
    let t = cross(axis, *v).map(|c| 2.0 * c);
    let u = cross(axis, t);
    [0, 1, 2].map(|k| v[k] + w * t[k] + u[k])
}
