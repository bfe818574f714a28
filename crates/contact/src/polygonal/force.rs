//! The force on one face: Eq. (1) over its touching part and Eq. (2) against its anchor. Pure: a function of
//! three corners, without bodies.
//!
//! The stored energy of a face is U = ½ c A ⟨s₊²⟩ with s linear between the corners' penetrations s_i. Its gradient is a
//! force at each corner, c A ⟨s₊N_i⟩ along that corner's own normal: consistent to round-off for any surface
//! between the corners.

use super::cut::Cut;
use super::params::{Friction, PairLaw, Separation};
use super::triangle::Moments;
use touchdown_math::Vec3;

/// A face of the body that carries the area, relative to the reference body. World axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Element {
    /// Corners, from the point that torques are about, m.
    pub x: [Vec3; 3],
    /// Penetration of the corners, m, negative outside.
    pub s: [f64; 3],
    /// Unit normals of the reference body at the corners' feet, out of it: ds_i = −n_i·dx_i.
    pub n: [Vec3; 3],
    /// Rates of `s`, m/s.
    pub s_rate: [f64; 3],
    /// Velocities of the corners relative to the reference body's surface, m/s.
    pub v: [Vec3; 3],
    /// Area, m².
    pub area: f64,
    /// Change of `area` with each corner's place, m, where the area depends on it.
    pub area_gradient: Option<[Vec3; 3]>,
}

/// Memory of a face relative to its reference body, at the present pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hold {
    /// The face's centre from its anchor, m, world axes.
    pub stretch: Vec3,
    /// Area that hangs on the anchor, m².
    pub area: f64,
    /// Whether the face slides: the lower coefficient limits it.
    pub slides: bool,
}

/// Tangential force of a face.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrictionForce {
    /// Force on the body at the face's centre of pressure, N.
    pub force: Vec3,
    /// Force in the anchor's spring after the return mapping, N.
    pub elastic: Vec3,
    /// Stiffness of that spring, N/m.
    pub spring: f64,
    /// Whether the limit μ·N acts.
    pub at_limit: bool,
    /// Sliding speed, m/s.
    pub speed: f64,
    /// Sliding velocity, m/s.
    pub v_t: Vec3,
    /// The force before the limit, N.
    pub trial: Vec3,
}

/// Result for one face.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ElementForce {
    /// Forces on the body at the corners, N; friction is shared among them by their normal forces.
    pub f: [Vec3; 3],
    /// Sizes of the corners' normal forces, N.
    pub normal: [f64; 3],
    /// Their sum, N.
    pub normal_force: f64,
    /// Unit normal of the resultant of the normal forces; zero when there is none.
    pub n: Vec3,
    /// Centre of pressure, from the point that torques are about, m.
    pub p: Vec3,
    /// Touching area, m².
    pub area: f64,
    /// Deepest penetration of the part that touches, m.
    pub deepest: f64,
    /// ⟨s₊²⟩, m².
    pub square: f64,
    /// Damping at the corners, N s/m; zero where the clamp acts.
    pub damping: [f64; 3],
    /// Where the clamp acts.
    pub clamped: [bool; 3],
    /// Friction.
    pub friction: FrictionForce,
    /// Stored energy, J: normal and tangential.
    pub elastic_energy: f64,
    /// Power turned into heat, W; with [`Separation::Clamped`] never negative.
    pub dissipated_power: f64,
}

/// The force on a face, or `None` when no part of it touches.
#[inline]
pub fn calc_element(law: &PairLaw, element: &Element, hold: Option<&Hold>) -> Option<ElementForce> {
    calc_element_within(law, element, None, hold)
}

/// The force on a face that may touch only in part.
#[inline]
pub(super) fn calc_element_within(
    law: &PairLaw,
    element: &Element,
    cut: Option<&Cut>,
    hold: Option<&Hold>,
) -> Option<ElementForce> {
    if element.s.iter().all(|s| *s <= 0.0) {
        return None;
    }
    let moments = moments_of(&element.s, cut);
    if moments.area() <= 0.0 {
        return None;
    }
    if element.area <= 0.0 {
        return element.area_gradient.map(|gradient| looks_away(law, element, &moments, &gradient));
    }
    let mut out = ElementForce { square: moments.square(&element.s), ..ElementForce::default() };
    out.area = element.area * moments.area();
    out.deepest = cut.map_or_else(|| largest(&element.s), |cut| cut.deepest(&element.s));
    out.elastic_energy = 0.5 * law.stiffness * element.area * out.square;
    let damping = damping_weights(law, element.area, (&element.s, cut), &moments);
    let mut resultant = Vec3::zeros();
    for i in 0..3 {
        let spring = law.stiffness * element.area * moments.depth[i];
        let damper = damping[i];
        let (force, heat, clamped) = normal_law(law.separation, spring, damper, element.s_rate[i]);
        out.damping[i] = if clamped { 0.0 } else { damper };
        out.clamped[i] = clamped;
        out.dissipated_power += heat;
        out.normal[i] = force;
        out.normal_force += force;
        out.p += element.x[i] * force;
        out.f[i] = element.n[i] * force;
        resultant += out.f[i];
    }
    if let Some(gradient) = &element.area_gradient {
        for i in 0..3 {
            out.f[i] -= gradient[i] * (0.5 * law.stiffness * out.square);
        }
    }
    if let Some(cut) = cut {
        let edge = cut.edge(&element.s);
        for i in 0..3 {
            out.f[i] -= cut.gradient[i] * (0.5 * law.stiffness * element.area * edge[i]);
        }
    }
    if out.normal_force > 0.0 {
        out.p /= out.normal_force;
        out.n = resultant.try_normalize(0.0).unwrap_or_default();
        add_friction(law, element, hold, &mut out);
    } else {
        out.p = (element.x[0] + element.x[1] + element.x[2]) / 3.0;
    }
    Some(out)
}

#[inline]
fn largest(s: &[f64; 3]) -> f64 {
    s[0].max(s[1]).max(s[2])
}

/// Moments of a face or of its part.
#[inline]
pub(super) fn moments_of(s: &[f64; 3], cut: Option<&Cut>) -> Moments {
    match cut {
        None => Moments::of(s),
        Some(cut) => cut.moments(s),
    }
}

/// A face that looks away from the reference body, if the area of the reference body counts: it subtracts the
/// energy that the faces in front of it count twice, and has neither damping nor friction.
#[cold]
fn looks_away(law: &PairLaw, element: &Element, moments: &Moments, gradient: &[Vec3; 3]) -> ElementForce {
    let square = moments.square(&element.s);
    let (area, deepest) = (element.area * moments.area(), largest(&element.s));
    let mut out = ElementForce { square, area, deepest, ..ElementForce::default() };
    out.elastic_energy = 0.5 * law.stiffness * element.area * square;
    out.clamped = [true; 3];
    for i in 0..3 {
        let spring = law.stiffness * element.area * moments.depth[i];
        out.f[i] = element.n[i] * spring - gradient[i] * (0.5 * law.stiffness * square);
    }
    out
}

/// Damping at the corners, N s/m: d A ⟨ramp(s) N_i⟩, with the ramp min(s, s_d0)/s_d0 of Eq. (1).
#[inline]
pub(super) fn damping_weights(
    law: &PairLaw,
    area: f64,
    (s, cut): (&[f64; 3], Option<&Cut>),
    moments: &Moments,
) -> [f64; 3] {
    let scale = law.damping * area;
    if scale == 0.0 {
        return [0.0; 3];
    }
    if law.damping_depth == 0.0 {
        return moments.share.map(|share| scale * share);
    }
    if largest(s) <= law.damping_depth {
        return moments.depth.map(|depth| scale / law.damping_depth * depth);
    }
    // min(s, s_d0)₊ = s₊ − (s − s_d0)₊, each of them linear.
    let beyond = moments_of(&s.map(|s| s - law.damping_depth), cut);
    std::array::from_fn(|i| scale * (moments.depth[i] - beyond.depth[i]).max(0.0) / law.damping_depth)
}

/// Spring and damper at a corner: force, heat, and whether the clamp acts.
#[inline]
pub(super) fn normal_law(separation: Separation, spring: f64, damper: f64, rate: f64) -> (f64, f64, bool) {
    let force = spring + damper * rate;
    match separation {
        // The energy released by the decreasing penetration without a force is heat.
        Separation::Clamped if force <= 0.0 => (0.0, (-spring * rate).max(0.0), true),
        _ => (force, damper * rate * rate, false),
    }
}

/// Friction against the face's own normal force, at its centre of pressure.
#[inline]
fn add_friction(law: &PairLaw, element: &Element, hold: Option<&Hold>, out: &mut ElementForce) {
    if law.friction == Friction::None {
        return;
    }
    let N = out.normal_force;
    let mut v = Vec3::zeros();
    for i in 0..3 {
        v += element.v[i] * (out.normal[i] / N);
    }
    let (friction, heat) = calc_friction(law, &Press { N, area: out.area, n: out.n, v }, hold);
    out.dissipated_power += heat;
    out.elastic_energy += friction.stored();
    for i in 0..3 {
        out.f[i] += friction.force * (out.normal[i] / N);
    }
    out.friction = friction;
}

/// Input of friction: normal force, touching area, unit normal and velocity at the centre of pressure.
pub(super) struct Press {
    pub N: f64,
    pub area: f64,
    pub n: Vec3,
    pub v: Vec3,
}

impl FrictionForce {
    /// Tangential energy, J.
    #[inline]
    pub(super) fn stored(&self) -> f64 {
        if self.spring > 0.0 { 0.5 * self.elastic.norm_squared() / self.spring } else { 0.0 }
    }
}

/// Friction of a face and the power that it turns into heat, W.
#[inline]
pub(super) fn calc_friction(law: &PairLaw, press: &Press, hold: Option<&Hold>) -> (FrictionForce, f64) {
    let (N, n) = (press.N, &press.n);
    let v_t = press.v - n * n.dot(&press.v);
    let speed = v_t.norm();
    match law.friction {
        Friction::None => (FrictionForce { speed, v_t, ..FrictionForce::default() }, 0.0),
        Friction::StickSlip { stick, slip, .. } => {
            let (stretch, spring, limit) = match hold {
                Some(hold) => {
                    let e = hold.stretch - n * n.dot(&hold.stretch);
                    let spring = law.shear_stiffness * hold.area.min(press.area);
                    (e, spring, N * if hold.slides { slip } else { stick })
                }
                None => (Vec3::zeros(), 0.0, N * stick),
            };
            let pull = -stretch * spring;
            let damper = law.shear_damping * press.area;
            let trial = pull - v_t * damper;
            let size = trial.norm();
            if size <= limit {
                let force =
                    FrictionForce { force: trial, elastic: pull, spring, at_limit: false, speed, v_t, trial };
                (force, damper * speed * speed)
            } else {
                let force = trial * (limit / size);
                let heat = -force.dot(&v_t);
                // The force in the spring follows its stretch; the rest of the force is that of the damper.
                let held = pull.norm();
                let elastic = if held < limit { force * (held / limit) } else { force };
                (FrictionForce { force, elastic, spring, at_limit: true, speed, v_t, trial }, heat)
            }
        }
        Friction::Regularised { coefficient, speed: low } => {
            let (floor, _) = smooth_speed(speed, low);
            let force = v_t * (-coefficient * N / floor);
            let heat = -force.dot(&v_t);
            (FrictionForce { force, speed, v_t, trial: force, ..FrictionForce::default() }, heat)
        }
    }
}

/// A vector of length one; one division instead of three.
#[inline]
pub(super) fn unit(v: &Vec3) -> Option<Vec3> {
    let size = v.norm();
    (size > 0.0).then(|| v * (1.0 / size))
}

/// Speed kept off zero and its slope: v from v₀ on, v²/v₀ (1 − v/(3v₀)) + v₀/3 below. Twice continuously differentiable.
#[inline]
pub(super) fn smooth_speed(v: f64, low: f64) -> (f64, f64) {
    if v >= low {
        (v, 1.0)
    } else {
        let x = v / low;
        (low * (x * x * (1.0 - x / 3.0) + 1.0 / 3.0), x * (2.0 - x))
    }
}
