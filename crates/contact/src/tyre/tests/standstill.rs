//! Standstill: a parked mass holds on any slope that friction can hold, for an hour, without creep or ringing; beyond, it slides.

use super::*;
use touchdown_math::Mat3;

const MASS: f64 = 320.0 / 6.0;
const GRAVITY: f64 = 3.711;

/// A mass on a locked wheel on a slope, stepped by backward Euler with Newton's method on its velocity.
struct Parked {
    tyre: BrushTyre,
    ground: GroundPlane,
    motion: WheelMotion,
    e: [f64; 2],
}

impl Parked {
    /// Placed at rest in its static radial deformation, tread relaxed, axis turned from the level line by the heading.
    fn new(slope_deg: f64, heading_deg: f64) -> Self {
        let (s, c) = slope_deg.to_radians().sin_cos();
        let normal = Vec3::new(s, 0.0, c);
        let (sh, ch) = heading_deg.to_radians().sin_cos();
        let axis_W = Vec3::y() * ch + normal.cross(&Vec3::y()) * sh;
        let arm = BrushParameters::SAMARINI.radius
            - MASS * GRAVITY * c / BrushParameters::SAMARINI.radial_stiffness;
        let motion = WheelMotion { p_WC: normal * arm, axis_W, v_WC: Vec3::zeros(), w_WB: Vec3::zeros() };
        Parked { tyre: tyre(), ground: GroundPlane { point: Vec3::zeros(), normal }, motion, e: [0.0; 2] }
    }

    /// Loads the tread as in equilibrium: a release from a relaxed tread would overshoot the static force.
    fn settled(mut self) -> Self {
        let p = BrushParameters::SAMARINI;
        let forward = self.motion.axis_W.cross(&self.ground.normal);
        let uphill = Vec3::z() * (MASS * GRAVITY);
        self.e[0] = uphill.dot(&forward) / p.longitudinal_slip_stiffness;
        self.e[1] = uphill.dot(&self.motion.axis_W) / p.lateral_slip_stiffness;
        self
    }

    /// One step; returns the force at its end.
    fn step(&mut self, h: f64) -> TyreForce {
        let (p, v) = (self.motion.p_WC, self.motion.v_WC);
        let weight = Vec3::new(0.0, 0.0, -MASS * GRAVITY);
        for _ in 0..30 {
            self.motion.p_WC = p + self.motion.v_WC * h;
            let (f, tangent, e) = self.tyre.calc_force_implicit(&self.motion, &self.ground, &self.e, h);
            let residual = (self.motion.v_WC - v) * MASS - (f.wrench_C.f + weight) * h;
            // Force balance to 1e-10 N over the step.
            if residual.norm() < 1e-10 * h {
                self.e = e;
                return f;
            }
            let K: Mat3 = tangent.K.fixed_view::<3, 3>(3, 3).into();
            let D: Mat3 = tangent.D.fixed_view::<3, 3>(3, 3).into();
            let J = Mat3::from_diagonal_element(MASS) - D * h - K * (h * h);
            self.motion.v_WC -= J.try_inverse().expect("a mass on a passive tyre is regular") * residual;
        }
        panic!("no convergence at {:?}", self.motion);
    }

    fn run(&mut self, h: f64, duration: f64) -> TyreForce {
        let count = (duration / h).round() as usize;
        (0..count).map(|_| self.step(h)).last().expect("at least one step")
    }
}

/// Parked for an hour on 30° in any heading, a mass does not creep, whether it was set down gently or released at once.
/// Nor on 36°, where only μ_max can hold it (tan 36° = 0.727, μ_min = 0.597), if set down gently.
#[test]
fn no_creep_in_an_hour() {
    let cases = [
        (Parked::new(30.0, 0.0), 1e-3),
        (Parked::new(30.0, 90.0), 2e-3),
        (Parked::new(30.0, 37.0), 5e-3),
        (Parked::new(36.0, 90.0).settled(), 5e-3),
        (Parked::new(36.0, 0.0).settled(), 5e-3),
    ];
    for (mut parked, h) in cases {
        parked.run(h, 30.0);
        let settled = parked.motion.p_WC;
        let f = parked.run(h, 3600.0);
        let creep = (parked.motion.p_WC - settled).norm();
        // Positions of 0.15 m resolve 3e-17 m; 3.6 million additions of nothing stay far below a nanometre.
        assert!(creep < 1e-9, "{creep} m at {:?}", parked.motion);
        let expected = MASS * GRAVITY * parked.ground.normal.x;
        assert!((f.longitudinal_force.hypot(f.lateral_force) - expected).abs() < 1e-6);
    }
}

/// On a slope beyond μ_max (tan 40° = 0.84) the mass slides at the friction of full slip: a = g(sin − μ_min cos).
#[test]
fn beyond_friction_it_slides() {
    for heading in [0.0, 90.0, 45.0] {
        let mut parked = Parked::new(40.0, heading);
        parked.run(1e-3, 5.0);
        let v = parked.motion.v_WC.norm();
        let f = parked.run(1e-3, 1.0);
        let acceleration = parked.motion.v_WC.norm() - v;
        let (s, c) = 40f64.to_radians().sin_cos();
        // Along the rolling direction the longitudinal law stays A/(4C) = 0.3 % below the grip at κ = 1.
        let expected = GRAVITY * (s - 0.597 * c);
        assert!(
            (acceleration - expected).abs() < 0.006 * GRAVITY * c,
            "{heading}: {acceleration} {expected}"
        );
        assert!(f.friction_used > 0.99 && f.friction_used <= 1.0 + 1e-14);
    }
}

/// The tread's springs do not ring: after a push the mass overshoots little and is at rest within a second.
#[test]
fn a_push_dies_out() {
    for heading in [0.0, 90.0] {
        let mut parked = Parked::new(0.0, heading);
        parked.motion.v_WC = Vec3::new(0.01, 0.0, 0.0);
        let (mut most, mut least) = (0.0f64, 0.0f64);
        for _ in 0..5000 {
            parked.step(2e-4);
            most = most.max(parked.motion.p_WC.x);
            least = least.min(parked.motion.p_WC.x);
        }
        // Damping ratios 1.0 and 0.42: overshoot of the return below e^(−π 0.42/√(1 − 0.42²)) = 23 % of the first swing.
        assert!(-least < 0.25 * most, "{heading}: {most} {least}");
        assert!(parked.motion.v_WC.norm() < 1e-7, "{heading}");
    }
}

/// Nothing blows up at or near zero speed: the force is finite and continuous through rest, for the continuous form too.
#[test]
fn continuous_through_rest() {
    let tyre = tyre();
    let state = [0.004, -0.001];
    let at = |v: f64| tyre.calc_force(&rolling(v, -0.3 * v, 2.0 * v), &level(), &state).wrench_C;
    let rest = at(0.0);
    for exponent in 3..300 {
        for sign in [1.0, -1.0] {
            let v = sign * 10f64.powi(-exponent);
            let change = (at(v).f - rest.f).norm();
            // The tread's damper and the vanishing slip in μ: 6000 N s/m times slip speeds below 2 v.
            assert!(change <= 6000.0 * 2.0 * v.abs() + 1e-12, "{v}: {change}");
        }
    }
}
