//! Curved ground: where a wheel stands on a smooth surface z = f(x, y), and how the tangent plane there turns as the wheel moves.
//!
//! The wheel's plane cuts the surface in a curve; the contact point Q is its point nearest to the centre C.
//! There C − Q is perpendicular to the curve. The direction of the curve is e_x = a × n / cos γ of the
//! tangent plane, so that Q = C − ℓu is the end of the loaded spoke in that plane. All formulas of a fixed
//! plane apply unchanged: the plane through Q with the normal n there is the instantaneous `GroundPlane`. Its
//! rotation does not change δ, because ℓ is a minimum (a point of the surface slides along e_x, perpendicular
//! to u): δ̇ = −n·v_Q/cos γ stays exact, and so does the balance of energy.
//!
//! **Search.** A pure function of the wheel's pose: the curve is sampled at 11 spokes across the lower half
//! of the wheel, and each local minimum of the length is refined by Newton's method between its neighbours,
//! to round-off. The shortest spoke wins; where two are equally short, Q jumps and δ does not. A wheel that
//! touches at a second place is carried only at the first ([`Footing::second`]).
//!
//! **Turning of the plane.** With the curvature operator K (dn = K dQ) in the axes of the footprint and dQ = α e_x + β e_y, to first order in a
//! rotation θ of the wheel and a displacement c of its centre: β cos γ = a·c + ℓ e_x·θ and
//! α (cos γ + ℓ K₁₁) = cos γ e_x·c − ℓ sin γ u·θ − ℓ K₁₂ β. The plane turns about Q by φ = n × dn. This changes the wrench as turning the wheel by −φ
//! about Q and then the whole world by φ.

use super::{BrushTyre, GroundPlane, STATES, TyreForce, TyreTangent, WheelMotion};
use touchdown_geometry::Missing;
use touchdown_geometry::surface::{HeightJet, HeightSurface, Patch};
use touchdown_math::{Mat6, Vec3};

type Vec6 = nalgebra::Vector6<f64>;

/// Spokes on either side of the one below the centre. Bumps shorter than a fifth of the radius may be missed.
const SPOKES: usize = 5;
/// Newton steps at most; four are usual.
const STEPS: usize = 24;
/// Upward part of the wheel's plane below which the wheel lies on its side, as in `detect`.
const UPRIGHT: f64 = 0.1;
/// Least of 1 + ℓ K₁₁/cos γ in a tangent: it vanishes where the hollow is as narrow as the wheel, and the contact point jumps.
const LEAST_CONVEXITY: f64 = 0.05;

/// Contact place of a wheel on curved ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Footing {
    /// The tangent plane at the contact point, which is the plane's point.
    pub plane: GroundPlane,
    /// Height and derivatives of the ground there.
    pub jet: HeightJet,
    /// Deformation at the second deepest place, m; zero where there is none. The model does not carry it.
    pub second: f64,
}

/// Missing ground under a wheel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoGround {
    /// Place without ground, x and y, m.
    pub at: [f64; 2],
    /// Why there is none.
    pub why: Missing,
}

impl Footing {
    /// Finds the contact point of a wheel on a surface. The patch is kept from call to call and does not change the result.
    #[inline]
    pub fn find(
        surface: &HeightSurface,
        patch: &mut Option<Patch>,
        radius: f64,
        motion: &WheelMotion,
    ) -> Result<Footing, NoGround> {
        let centre = motion.p_WC;
        let forward = motion.axis_W.cross(&Vec3::z());
        let upright = forward.norm();
        let mut curve = Curve {
            surface,
            patch,
            centre,
            forward: forward / upright,
            up: forward.cross(&motion.axis_W) / upright,
        };
        if upright < UPRIGHT {
            // A wheel on its side: the plane below the centre, which gives no force unless the ground is
            // equally steep.
            let jet = curve.jet(centre.x, centre.y)?;
            return Ok(Footing::at(centre.x, centre.y, jet));
        }
        curve.nearest(radius)
    }

    fn at(x: f64, y: f64, jet: HeightJet) -> Footing {
        Footing {
            plane: GroundPlane { point: Vec3::new(x, y, jet.z), normal: jet.normal() },
            jet,
            second: 0.0,
        }
    }

    /// Far below a wheel: no contact.
    pub fn none(motion: &WheelMotion, radius: f64) -> Footing {
        let point = motion.p_WC - Vec3::z() * (2.0 * radius);
        Footing { plane: GroundPlane { point, normal: Vec3::z() }, jet: HeightJet::default(), second: 0.0 }
    }

    /// Curvature of the curve under the wheel, 1/m: positive on a crest, negative in a hollow. A hollow narrower than the wheel, below
    /// −1/R, cannot be touched at its bottom.
    pub fn curvature(&self, motion: &WheelMotion) -> f64 {
        let forward = motion.axis_W.cross(&self.plane.normal);
        let cos_camber = forward.norm().max(UPRIGHT);
        let e_x = forward / cos_camber;
        self.bend(&e_x, &e_x) / cos_camber
    }

    /// a·K b for tangents a and b: how the normal changes along b, seen along a, 1/m.
    fn bend(&self, a: &Vec3, b: &Vec3) -> f64 {
        let [xx, xy, yy] = self.jet.hessian;
        -(a.x * (xx * b.x + xy * b.y) + a.y * (xy * b.x + yy * b.y)) * self.plane.normal.z
    }
}

/// The curve in which the wheel's plane cuts the ground: points centre + s·forward + w(s)·up.
struct Curve<'a> {
    surface: &'a HeightSurface,
    patch: &'a mut Option<Patch>,
    centre: Vec3,
    /// Horizontal unit vector in the wheel's plane.
    forward: Vec3,
    /// Unit vector up in the wheel's plane.
    up: Vec3,
}

/// A point near the curve with its derivatives.
#[derive(Clone, Copy)]
struct Node {
    s: f64,
    /// w after one correction onto the curve.
    w: f64,
    /// That correction.
    correction: f64,
    slope: f64,
    bend: f64,
    x: f64,
    y: f64,
    jet: HeightJet,
}

impl Node {
    /// Half the rate of the squared length s² + w² along the curve.
    fn rate(&self) -> f64 {
        self.s + self.w * self.slope
    }

    fn squared(&self) -> f64 {
        self.s * self.s + self.w * self.w
    }
}

impl Curve<'_> {
    #[inline]
    fn jet(&mut self, x: f64, y: f64) -> Result<HeightJet, NoGround> {
        self.surface.jet_with(self.patch, x, y).map_err(|why| NoGround { at: [x, y], why })
    }

    /// The curve at s, from a guess of w.
    #[inline]
    fn node(&mut self, s: f64, guess: f64) -> Result<Node, NoGround> {
        let (c, f, u) = (self.centre, self.forward, self.up);
        let (x, y) = (c.x + s * f.x + guess * u.x, c.y + s * f.y + guess * u.y);
        let jet = self.jet(x, y)?;
        let ([zx, zy], [zxx, zxy, zyy]) = (jet.gradient, jet.hessian);
        // How fast a point of the wheel's plane rises over the ground, moved up in that plane. Ground steeper than the plane itself has no
        // curve; the floor keeps the numbers finite there.
        let lift = (u.z - zx * u.x - zy * u.y).max(1e-3);
        let correction = (jet.z - c.z - guess * u.z) / lift;
        let slope = (zx * f.x + zy * f.y) / lift;
        let (dx, dy) = (f.x + slope * u.x, f.y + slope * u.y);
        let bend = (dx * (zxx * dx + zxy * dy) + dy * (zxy * dx + zyy * dy)) / lift;
        // The slope on the curve itself, to first order in the correction.
        let across = (dx * (zxx * u.x + zxy * u.y) + dy * (zxy * u.x + zyy * u.y)) / lift;
        let slope = slope + across * correction;
        Ok(Node { s, w: guess + correction, correction, slope, bend, x, y, jet })
    }

    /// The nearest point to the centre.
    #[inline]
    fn nearest(&mut self, radius: f64) -> Result<Footing, NoGround> {
        let mut middle = self.node(0.0, -radius)?;
        for _ in 0..STEPS {
            if middle.correction.abs() < 1e-3 * radius {
                break;
            }
            middle = self.node(0.0, middle.w)?;
        }
        // No nearer point is farther to the side than the one below; beyond the radius none touches.
        let reach = middle.w.abs().min(radius);
        let step = reach / SPOKES as f64;
        let mut nodes = [middle; 2 * SPOKES + 1];
        for side in [-1.0, 1.0] {
            let mut last = middle;
            for k in 1..=SPOKES {
                let s = side * step * k as f64;
                last = self.node(s, last.w + last.slope * (s - last.s))?;
                nodes[if side < 0.0 { SPOKES - k } else { SPOKES + k }] = last;
            }
        }
        let mut best: Option<(f64, Footing)> = None;
        let mut second = f64::INFINITY;
        // The length is least where its rate turns from falling to rising; at the ends where it would
        // continue to fall.
        for k in 0..=nodes.len() {
            let before = k.checked_sub(1).map(|k| nodes[k]);
            let (length, footing) = match (before, nodes.get(k)) {
                (Some(a), Some(b)) if a.rate() <= 0.0 && b.rate() > 0.0 => self.refine(&a, b, radius)?,
                (None, Some(end)) if end.rate() > 0.0 => self.held_off(end),
                (Some(end), None) if end.rate() <= 0.0 => self.held_off(&end),
                _ => continue,
            };
            match &best {
                Some((shortest, _)) if *shortest <= length => second = second.min(length),
                _ => {
                    second = best.map_or(second, |(old, _)| old.min(second));
                    best = Some((length, footing));
                }
            }
        }
        // There is always an end or a turn, except for non-finite numbers.
        let (_, mut footing) =
            best.unwrap_or_else(|| (middle.w.abs(), Footing::at(middle.x, middle.y, middle.jet)));
        footing.second = (radius - second).max(0.0);
        Ok(footing)
    }

    /// The minimum between two neighbours: Newton's method on the rate of the length, with bisection where it
    /// leaves the interval.
    #[inline]
    fn refine(&mut self, a: &Node, b: &Node, radius: f64) -> Result<(f64, Footing), NoGround> {
        let (mut low, mut high) = (a.s, b.s);
        // To begin with, the line through both rates, from the nearer neighbour.
        let from = if -a.rate() < b.rate() { a } else { b };
        let mut next = a.s - a.rate() * (b.s - a.s) / (b.rate() - a.rate());
        let mut node = *from;
        for _ in 0..STEPS {
            let step = next - node.s;
            // Errors are squared from step to step: the next point has none but rounding.
            let last = step.abs() <= 1e-8 * radius && node.correction.abs() <= 1e-8 * radius;
            node = self.node(next, node.w + step * (node.slope + 0.5 * step * node.bend))?;
            if last {
                break;
            }
            // Off the curve the sign of the rate cannot be trusted.
            if node.correction.abs() > 1e-7 * radius {
            } else if node.rate() > 0.0 {
                high = node.s;
            } else {
                low = node.s;
            }
            let convexity = 1.0 + node.slope * node.slope + node.w * node.bend;
            next = node.s - node.rate() / convexity;
            if !(convexity > 0.0 && next >= low && next <= high) {
                next = 0.5 * (low + high);
            }
        }
        Ok((node.squared().sqrt(), Footing::at(node.x, node.y, node.jet)))
    }

    /// At an end of the search the curve still comes nearer. No spoke there is as short as the radius, and
    /// the plane perpendicular to the last one keeps the wheel apart.
    fn held_off(&self, end: &Node) -> (f64, Footing) {
        let length = end.squared().sqrt();
        let mut footing = Footing::at(end.x, end.y, end.jet);
        if length > 0.0 {
            footing.plane.normal = -(self.forward * end.s + self.up * end.w) / length;
        }
        (length, footing)
    }
}

impl BrushTyre {
    /// As [`BrushTyre::calc_force_implicit`] on curved ground: the tangent includes the turning of the plane as the wheel moves.
    pub fn calc_force_on(
        &self,
        motion: &WheelMotion,
        footing: &Footing,
        base: &[f64; STATES],
        h: f64,
    ) -> (TyreForce, TyreTangent, [f64; STATES]) {
        let (force, mut tangent, used) = self.calc_force_implicit(motion, &footing.plane, base, h);
        if force.deformation > 0.0 && footing.jet.hessian != [0.0; 3] {
            turn_plane(motion, footing, &force, &mut tangent);
        }
        (force, tangent, used)
    }
}

/// Adds the effect of the rotation of the plane to the derivative of the wrench.
fn turn_plane(motion: &WheelMotion, footing: &Footing, force: &TyreForce, tangent: &mut TyreTangent) {
    let (n, a) = (footing.plane.normal, motion.axis_W);
    let forward = a.cross(&n);
    let cos_camber = forward.norm();
    if cos_camber < UPRIGHT {
        return;
    }
    let (e_x, sin_camber) = (forward / cos_camber, n.dot(&a));
    let (e_y, u) = (n.cross(&e_x), e_x.cross(&a));
    let arm = (motion.p_WC - footing.plane.point).dot(&n) / cos_camber;
    let [k_xx, k_xy, k_yy] = [footing.bend(&e_x, &e_x), footing.bend(&e_x, &e_y), footing.bend(&e_y, &e_y)];
    let convexity = (cos_camber + arm * k_xx).max(LEAST_CONVEXITY * cos_camber);
    let row = |angular: Vec3, linear: Vec3| {
        Vec6::new(angular.x, angular.y, angular.z, linear.x, linear.y, linear.z)
    };
    let beta = row(e_x * arm, a) / cos_camber;
    let alpha = (row(u * (-arm * sin_camber), e_x * cos_camber) - beta * (arm * k_xy)) / convexity;
    // φ = (K₁₁α + K₁₂β) e_y − (K₁₂α + K₂₂β) e_x.
    let about = [(e_y, alpha * k_xx + beta * k_xy), (e_x, -(alpha * k_xy + beta * k_yy))];
    let spoke = motion.p_WC - footing.plane.point;
    let mut added = Mat6::zeros();
    for (axis, by) in about {
        let turned = row(axis.cross(&force.wrench_C.t), axis.cross(&force.wrench_C.f));
        let moved = tangent.K * row(axis, axis.cross(&spoke));
        let sped = tangent.D * row(axis.cross(&motion.w_WB), axis.cross(&motion.v_WC));
        added += (turned - moved - sped) * by.transpose();
    }
    tangent.K += added;
}
