//! Derivatives of a face's wrench for implicit steps: sums of outer products of six-vectors, one pair per corner.

use super::cut::Cut;
use super::force::{Element, ElementForce, Hold, moments_of, smooth_speed};
use super::params::{Friction, PairLaw};
use super::triangle::mass;
use nalgebra::{Matrix3x6, Vector6};
use touchdown_math::{Mat3, Mat6, Vec3, cross_matrix};

/// How the reference body's normal turns under a corner: dn = Σ κ_k e_k (e_k·dx). Zero on a plane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bending {
    /// Curvatures κ of the distance's level surface, 1/m.
    pub curvature: [f64; 2],
    /// Their unit directions e.
    pub direction: [Vec3; 2],
}

/// Angular velocities of the two sides, rad/s: corners swing with the body's, the surface under them with the reference's.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spins {
    /// Of the body that carries the area.
    pub body: Vec3,
    /// Of the reference body.
    pub reference: Vec3,
}

/// Derivatives of the wrench on the body about its origin, world axes; rows and columns 0–2 angular, 3–5 linear.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairTangent {
    /// With respect to a small rotation of the body and a displacement of its origin, world velocities and the reference body held.
    pub K: Mat6,
    /// With respect to the body's angular velocity and the velocity of its origin.
    pub D: Mat6,
}

impl PairTangent {
    /// Nothing touches.
    pub fn zero() -> PairTangent {
        PairTangent { K: Mat6::zeros(), D: Mat6::zeros() }
    }
}

pub(super) type V6 = Vector6<f64>;
type M36 = Matrix3x6<f64>;

/// A covector of the body's motion: `m` at the point `x`, so that its product with (turn, displacement) is m·(displacement + turn × x).
#[inline]
pub(super) fn at(x: &Vec3, m: &Vec3) -> V6 {
    let t = x.cross(m);
    V6::new(t.x, t.y, t.z, m.x, m.y, m.z)
}

/// A pure torque.
#[inline]
fn torque(t: &Vec3) -> V6 {
    V6::new(t.x, t.y, t.z, 0.0, 0.0, 0.0)
}

/// Motion of a point of the body at `x`: displacement + turn × x.
#[inline]
fn moving(x: &Vec3) -> M36 {
    let mut J = M36::zeros();
    J.fixed_view_mut::<3, 3>(0, 0).copy_from(&-cross_matrix(x));
    J.fixed_view_mut::<3, 3>(0, 3).copy_from(&Mat3::identity());
    J
}

/// Change of the relative velocity of a point at `x` with the pose, world velocities held: the body's swings along with the arm, the reference
/// body's is another where the point has gone.
#[inline]
fn swinging(x: &Vec3, spins: &Spins) -> M36 {
    let mut J = -cross_matrix(&spins.reference) * moving(x);
    let arm = J.fixed_view::<3, 3>(0, 0) - cross_matrix(&spins.body) * cross_matrix(x);
    J.fixed_view_mut::<3, 3>(0, 0).copy_from(&arm);
    J
}

/// Changes of the corners' normal forces with pose and velocity.
struct Rows {
    pose: [V6; 3],
    velocity: [V6; 3],
}

/// Adds what a face contributes. Exact for the normal force with a ramp of damping (without one, the share of a border face that touches is
/// taken as constant); in friction the turning of the normal and the change of the anchored area are left out, in an area measured on a curved
/// reference body the change of its curvature.
pub fn add_tangent(
    law: &PairLaw,
    element: &Element,
    force: &ElementForce,
    hold: Option<&Hold>,
    bending: &[Bending; 3],
    spins: &Spins,
    out: &mut PairTangent,
) {
    add_tangent_within(law, element, None, force, hold, bending, spins, out);
}

/// The same for a face of which only a part touches; the force of the edge that cuts it is taken as constant, and its place too.
#[allow(clippy::too_many_arguments)] // those of `add_tangent`, and the cut
pub(super) fn add_tangent_within(
    law: &PairLaw,
    element: &Element,
    cut: Option<&Cut>,
    force: &ElementForce,
    hold: Option<&Hold>,
    bending: &[Bending; 3],
    spins: &Spins,
    out: &mut PairTangent,
) {
    let g: [V6; 3] = std::array::from_fn(|i| at(&element.x[i], &element.n[i]));
    let part = Part { depth: moments_of(&element.s, cut).depth, cut };
    let rows = normal_rows(law, element, &part, force, bending, spins, &g);
    for i in 0..3 {
        add_product(&mut out.K, &g[i], &rows.pose[i]);
        if force.damping[i] > 0.0 {
            add_product(&mut out.D, &g[i], &rows.velocity[i]);
        }
        // The force turns with the normal, and swings with its arm.
        let size =
            if element.area > 0.0 { force.normal[i] } else { law.stiffness * element.area * part.depth[i] };
        for k in 0..2 {
            if bending[i].curvature[k] != 0.0 {
                let e = at(&element.x[i], &bending[i].direction[k]);
                add_product(&mut out.K, &(e * (size * bending[i].curvature[k])), &e);
            }
        }
        add_arm(&mut out.K, &element.x[i], &(element.n[i] * size));
    }
    if let Some(gradient) = &element.area_gradient {
        add_area(law, element, &part, force, gradient, &g, &mut out.K);
    }
    if force.friction.force != Vec3::zeros() || force.friction.spring > 0.0 || law.friction != Friction::None
    {
        add_friction(law, element, force, hold, spins, &rows, out);
    }
}

/// What of a face touches.
struct Part<'a> {
    /// ⟨s₊ N_i⟩, m.
    depth: [f64; 3],
    cut: Option<&'a Cut>,
}

impl Part<'_> {
    fn mass(&self, s: &[f64; 3]) -> [[f64; 3]; 3] {
        self.cut.map_or_else(|| mass(s), |cut| cut.mass(s))
    }
}

fn normal_rows(
    law: &PairLaw,
    element: &Element,
    part: &Part,
    force: &ElementForce,
    bending: &[Bending; 3],
    spins: &Spins,
    g: &[V6; 3],
) -> Rows {
    let (N, depth) = (part.mass(&element.s), &part.depth);
    let ramp = (law.damping > 0.0 && law.damping_depth > 0.0).then(|| {
        let beyond = part.mass(&element.s.map(|s| s - law.damping_depth));
        let scale = law.damping * element.area / law.damping_depth;
        (scale, beyond)
    });
    let area = element
        .area_gradient
        .map(|gradient| (0..3).fold(V6::zeros(), |sum, i| sum + at(&element.x[i], &gradient[i])));
    let mut rows = Rows { pose: [V6::zeros(); 3], velocity: [V6::zeros(); 3] };
    for i in 0..3 {
        if force.clamped[i] && element.area > 0.0 {
            continue;
        }
        let mut row = V6::zeros();
        for j in 0..3 {
            let damper = ramp.map_or(0.0, |(scale, beyond)| scale * (N[i][j] - beyond[i][j]));
            row -= g[j] * (law.stiffness * element.area * N[i][j] + damper * element.s_rate[i]);
        }
        if let Some(area) = area {
            let damping = if force.damping[i] > 0.0 { force.damping[i] / element.area } else { 0.0 };
            let per_area = law.stiffness * depth[i] + damping * element.s_rate[i];
            row += area * per_area;
        }
        if force.damping[i] > 0.0 {
            let rate = rate_by_pose(&element.x[i], &element.n[i], &element.v[i], &bending[i], spins);
            row += rate * force.damping[i];
            rows.velocity[i] = g[i] * -force.damping[i];
        }
        rows.pose[i] = row;
    }
    rows
}

/// Change of a corner's ṡ = −n·v with the pose, world velocities held.
#[inline]
pub(super) fn rate_by_pose(x: &Vec3, n: &Vec3, v: &Vec3, bending: &Bending, spins: &Spins) -> V6 {
    let mut rate = at(x, &n.cross(&spins.reference)) - torque(&x.cross(&n.cross(&spins.body)));
    for k in 0..2 {
        let e = bending.direction[k];
        rate -= at(x, &e) * (bending.curvature[k] * e.dot(v));
    }
    rate
}

/// The part of the force that comes from the change of the area, −½c⟨s²⟩·∂A/∂x.
fn add_area(
    law: &PairLaw,
    element: &Element,
    part: &Part,
    force: &ElementForce,
    gradient: &[Vec3; 3],
    g: &[V6; 3],
    K: &mut Mat6,
) {
    let depth = &part.depth;
    let slope = (0..3).fold(V6::zeros(), |sum, j| sum + g[j] * (law.stiffness * depth[j]));
    let tension = -0.5 * law.stiffness * force.square;
    let n = (element.n[0] + element.n[1] + element.n[2]).try_normalize(0.0).unwrap_or_default();
    let flat = Mat3::identity() - n * n.transpose();
    // On a plane A = ½ axis·(edges' product) with axis = −n: its second derivative turns vectors by a right angle.
    let turn = flat * cross_matrix(&n) * flat * (0.5 * tension);
    for i in 0..3 {
        add_product(K, &at(&element.x[i], &gradient[i]), &slope);
        add_arm(K, &element.x[i], &(gradient[i] * tension));
        for (j, sign) in [((i + 1) % 3, 1.0), ((i + 2) % 3, -1.0)] {
            *K += moving(&element.x[i]).transpose() * (turn * sign) * moving(&element.x[j]);
        }
    }
}

fn add_friction(
    law: &PairLaw,
    element: &Element,
    force: &ElementForce,
    hold: Option<&Hold>,
    spins: &Spins,
    rows: &Rows,
    out: &mut PairTangent,
) {
    let N = force.normal_force;
    if N <= 0.0 {
        return;
    }
    let friction = &force.friction;
    let flat = Mat3::identity() - force.n * force.n.transpose();
    let centre = (element.x[0] + element.x[1] + element.x[2]) / 3.0;
    let v_p = (0..3).fold(Vec3::zeros(), |sum, i| sum + element.v[i] * (force.normal[i] / N));
    // The centre of pressure, and with it the velocity there, goes where the normal force grows.
    let mut v_by_pose = swinging(&force.p, spins);
    let mut v_by_velocity = moving(&force.p);
    let (mut N_by_pose, mut N_by_velocity) = (V6::zeros(), V6::zeros());
    for i in 0..3 {
        let shift = (element.v[i] - v_p) / N;
        v_by_pose += shift * rows.pose[i].transpose();
        v_by_velocity += shift * rows.velocity[i].transpose();
        N_by_pose += rows.pose[i];
        N_by_velocity += rows.velocity[i];
    }
    let (by_stretch, by_v, by_N) = friction_slopes(law, force, hold, &flat);
    let F_by_pose = by_stretch * moving(&centre) + by_v * v_by_pose + by_N * N_by_pose.transpose();
    let F_by_velocity = by_v * v_by_velocity + by_N * N_by_velocity.transpose();
    add_at(&mut out.K, &force.p, &F_by_pose);
    add_at(&mut out.D, &force.p, &F_by_velocity);
    for i in 0..3 {
        let lever = torque(&((element.x[i] - force.p).cross(&friction.force) / N));
        add_product(&mut out.K, &lever, &rows.pose[i]);
        if force.damping[i] > 0.0 {
            add_product(&mut out.D, &lever, &rows.velocity[i]);
        }
    }
    add_arm(&mut out.K, &force.p, &friction.force);
}

/// Derivatives of the friction force by stretch, velocity and normal force.
fn friction_slopes(
    law: &PairLaw,
    force: &ElementForce,
    hold: Option<&Hold>,
    flat: &Mat3,
) -> (Mat3, Mat3, Vec3) {
    let friction = &force.friction;
    match law.friction {
        Friction::None => (Mat3::zeros(), Mat3::zeros(), Vec3::zeros()),
        Friction::StickSlip { .. } => {
            let (spring, damper) = (flat * -friction.spring, flat * (-law.shear_damping * force.area));
            let spring = if hold.is_some() { spring } else { Mat3::zeros() };
            if !friction.at_limit {
                return (spring, damper, Vec3::zeros());
            }
            let size = friction.trial.norm();
            let along = friction.trial / size;
            let across = (Mat3::identity() - along * along.transpose()) * (friction.force.norm() / size);
            (across * spring, across * damper, friction.force / force.normal_force)
        }
        Friction::Regularised { coefficient, speed } => {
            let (floor, slope) = smooth_speed(friction.speed, speed);
            let unit = friction.v_t.try_normalize(0.0).unwrap_or_default();
            let grip = -coefficient * force.normal_force / floor;
            let by_v = flat * grip - friction.v_t * unit.transpose() * (grip * slope / floor);
            (Mat3::zeros(), by_v, friction.force / force.normal_force)
        }
    }
}

/// Adds the outer product of a wrench and a covector.
#[inline]
pub(super) fn add_product(K: &mut Mat6, wrench: &V6, row: &V6) {
    for j in 0..6 {
        for i in 0..6 {
            K[(i, j)] += wrench[i] * row[j];
        }
    }
}

/// Adds the wrench of forces at `x`, one in each column.
#[inline]
fn add_at(K: &mut Mat6, x: &Vec3, F: &M36) {
    for j in 0..6 {
        let f: Vec3 = F.column(j).into();
        let t = x.cross(&f);
        for i in 0..3 {
            K[(i, j)] += t[i];
            K[(i + 3, j)] += f[i];
        }
    }
}

/// Adds the torque that a force gains because its arm turns with the body: (turn × x) × f.
#[inline]
pub(super) fn add_arm(K: &mut Mat6, x: &Vec3, f: &Vec3) {
    let block = K.fixed_view::<3, 3>(0, 0) + cross_matrix(f) * cross_matrix(x);
    K.fixed_view_mut::<3, 3>(0, 0).copy_from(&block);
}
