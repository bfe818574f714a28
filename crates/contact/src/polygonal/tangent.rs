//! Derivatives of a face's wrench for implicit steps: sums of outer products of six-vectors, one pair per corner.

use super::cut::Cut;
use super::force::{Element, ElementForce, FrictionForce, Hold, moments_of, smooth_speed, unit};
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

/// Angular velocities of the two sides, rad/s: corners move with that of the body, the surface under them
/// with that of the reference body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spins {
    /// Of the body that carries the area.
    pub body: Vec3,
    /// Of the reference body.
    pub reference: Vec3,
}

/// Derivatives of the wrench on the body about its origin, world axes; rows and columns 0–2 angular, 3–5 linear.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PolygonalTangent {
    /// With respect to a small rotation of the body and a displacement of its origin, world velocities and the reference body held.
    pub K: Mat6,
    /// With respect to the body's angular velocity and the velocity of its origin.
    pub D: Mat6,
}

impl PolygonalTangent {
    /// Nothing touches.
    pub fn zero() -> PolygonalTangent {
        PolygonalTangent { K: Mat6::zeros(), D: Mat6::zeros() }
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
    out: &mut PolygonalTangent,
) {
    add_tangent_within(law, (element, None), force, hold, bending, spins, out);
}

/// The same for a face that touches only in part; force and position of the edge that cuts it are constant.
pub(super) fn add_tangent_within(
    law: &PairLaw,
    (element, cut): (&Element, Option<&Cut>),
    force: &ElementForce,
    hold: Option<&Hold>,
    bending: &[Bending; 3],
    spins: &Spins,
    out: &mut PolygonalTangent,
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

/// The touching part of a face.
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

/// A face with friction.
pub(super) struct Rubbing<'a> {
    /// Corners and their velocities.
    pub x: [Vec3; 3],
    pub v: [Vec3; 3],
    /// Velocity at the centre of pressure.
    pub v_p: Vec3,
    pub N: f64,
    pub n: Vec3,
    /// Centre of pressure.
    pub p: Vec3,
    pub area: f64,
    pub friction: &'a FrictionForce,
    pub is_held: bool,
}

fn add_friction(
    law: &PairLaw,
    element: &Element,
    force: &ElementForce,
    hold: Option<&Hold>,
    spins: &Spins,
    rows: &Rows,
    out: &mut PolygonalTangent,
) {
    let N = force.normal_force;
    if N <= 0.0 {
        return;
    }
    let v_p = (0..3).fold(Vec3::zeros(), |sum, i| sum + element.v[i] * (force.normal[i] / N));
    let rubbing = Rubbing {
        x: element.x,
        v: element.v,
        v_p,
        N,
        n: force.n,
        p: force.p,
        area: force.area,
        friction: &force.friction,
        is_held: hold.is_some(),
    };
    add_rubbing(law, &rubbing, spins, rows, out);
}

/// Largest part of a face's spring that its slopes may leave out.
const SLOW: f64 = 1e-6;

/// Slopes of a face's friction as a wrench.
pub(super) struct Rub {
    /// Along two directions in the contact plane: wrench of a unit of force, change of the force's size with the pose, and damping, N s/m.
    pub along: [(V6, V6, f64); 2],
    /// Wrench gained with a unit of normal force at each corner.
    pub gain: [V6; 3],
}

impl Rub {
    #[inline]
    pub fn of(law: &PairLaw, face: &Rubbing, spins: &Spins) -> Rub {
        let (N, p, force) = (face.N, &face.p, &face.friction.force);
        let centre = (face.x[0] + face.x[1] + face.x[2]) * (1.0 / 3.0);
        let per_N = 1.0 / N;
        // The centre of pressure, and with it the velocity there, goes where the normal force grows.
        let shift: [Vec3; 3] = std::array::from_fn(|i| (face.v[i] - face.v_p) * per_N);
        let slopes = Grips::of(law, face);
        // At rest or nearly so, what moves with velocities is below a millionth of the spring: d_T v against c_T s, with the depth s = N/(c A).
        let slow = SLOW * law.shear_stiffness / law.shear_damping;
        let is_slow = |v: &Vec3, limit: f64| face.is_held && v.norm_squared() < limit * limit;
        let depth = N / (law.stiffness * face.area);
        let is_spread = !shift.iter().all(|v| is_slow(v, slow * depth * per_N));
        let swings = !(is_slow(&spins.reference, slow) && is_slow(&spins.body, slow));
        let gain = std::array::from_fn(|i| {
            // The limit grows with the normal force, and the force acts at the centre of the normal force.
            let per = force * per_N;
            if slopes.by_N { at(&face.x[i], &per) } else { torque(&(face.x[i] - p).cross(&per)) }
        });
        let mut rub = Rub { along: [(V6::zeros(), V6::zeros(), 0.0); 2], gain };
        for (out, (e, spring, damper)) in rub.along.iter_mut().zip(slopes.along) {
            if spring == 0.0 && damper == 0.0 {
                continue;
            }
            let g = at(p, &e);
            let mut by_pose = at(&centre, &e) * spring;
            if damper != 0.0 && swings {
                // Velocities swing: the body's with the arm, the reference body's is another where the point has gone.
                let arm = e.cross(&(spins.reference - spins.body)).cross(p);
                let moment = e.cross(&spins.reference);
                by_pose += V6::new(arm.x, arm.y, arm.z, -moment.x, -moment.y, -moment.z) * damper;
            }
            if damper != 0.0 && is_spread {
                for (gain, shift) in rub.gain.iter_mut().zip(&shift) {
                    *gain += g * (damper * e.dot(shift));
                }
            }
            *out = (g, by_pose, damper);
        }
        rub
    }
}

/// Adds what friction contributes: its slopes act along two directions in the contact plane, hence a product of six-vectors for each.
fn add_rubbing(law: &PairLaw, face: &Rubbing, spins: &Spins, rows: &Rows, out: &mut PolygonalTangent) {
    let rub = Rub::of(law, face, spins);
    for (g, by_pose, damper) in &rub.along {
        add_product(&mut out.K, g, by_pose);
        add_product(&mut out.D, &(g * *damper), g);
    }
    let force = &face.friction.force;
    for i in 0..3 {
        add_product(&mut out.K, &rub.gain[i], &rows.pose[i]);
        add_product(&mut out.D, &rub.gain[i], &rows.velocity[i]);
    }
    add_arm(&mut out.K, &face.p, force);
}

/// Slopes of a face's friction.
struct Grips {
    /// Directions in the contact plane, with the slopes by stretch and by velocity along them.
    along: [(Vec3, f64, f64); 2],
    /// Whether the force is proportional to the normal force.
    by_N: bool,
}

impl Grips {
    #[inline]
    fn of(law: &PairLaw, face: &Rubbing) -> Grips {
        let (n, friction) = (&face.n, face.friction);
        match law.friction {
            Friction::None => Grips { along: [(Vec3::zeros(), 0.0, 0.0); 2], by_N: false },
            Friction::StickSlip { .. } => {
                let spring = if face.is_held { -friction.spring } else { 0.0 };
                let damper = -law.shear_damping * face.area;
                if !friction.at_limit {
                    let e = tangent_to(n);
                    return Grips {
                        along: [(e, spring, damper), (n.cross(&e), spring, damper)],
                        by_N: false,
                    };
                }
                // At the limit only the direction changes.
                let size = friction.trial.norm();
                let (e, share) = (friction.trial / size, friction.force.norm() / size);
                let across = (n.cross(&e), spring * share, damper * share);
                Grips { along: [(e, 0.0, 0.0), across], by_N: true }
            }
            Friction::Regularised { coefficient, speed } => {
                let (floor, slope) = smooth_speed(friction.speed, speed);
                let e = friction.v_t.try_normalize(0.0).unwrap_or_else(|| tangent_to(n));
                let grip = -coefficient * face.N / floor;
                let along = grip * (1.0 - friction.speed * slope / floor);
                Grips { along: [(e, 0.0, along), (n.cross(&e), 0.0, grip)], by_N: true }
            }
        }
    }
}

/// A unit vector across `n`.
#[inline(always)]
fn tangent_to(n: &Vec3) -> Vec3 {
    let axis = if n.x.abs() < 0.6 { Vec3::x() } else { Vec3::y() };
    unit(&n.cross(&axis)).unwrap_or_default()
}

/// Adds the outer product of a wrench and a covector.
#[inline(always)]
fn add_product(K: &mut Mat6, wrench: &V6, row: &V6) {
    for j in 0..6 {
        for i in 0..6 {
            K[(i, j)] += wrench[i] * row[j];
        }
    }
}

/// Adds the torque that a force gains because its arm turns with the body: (turn × x) × f.
#[inline]
fn add_arm(K: &mut Mat6, x: &Vec3, f: &Vec3) {
    // f × (x × ·) = x (f·) − (f·x)
    let dot = f.dot(x);
    for j in 0..3 {
        for i in 0..3 {
            K[(i, j)] += x[i] * f[j];
        }
        K[(j, j)] -= dot;
    }
}
