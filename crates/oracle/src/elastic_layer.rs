//! Rigid bodies with an elastic layer of stiffness k per area, and friction that sticks and slips.
//!
//! The elastic foundation (Johnson, Contact Mechanics, section 4.3): a layer of depth b, bonded to a rigid core and confined sideways, answers a penetration s
//! with the pressure k s, k = K/b, K = E (1 − ν)/((1 + ν)(1 − 2ν)). Energy ½ k ∫ s² dA and force by its derivative, over the area
//! of the curved body or of the plane below it.

use crate::numerics::quadrature::Gauss;
use std::f64::consts::PI;

fn integrate(f: impl Fn(f64) -> f64, length: f64) -> f64 {
    Gauss::new().integrate_from_end(length, |t| [f(t)])[0]
}

/// Stiffness per area of a layer, N/m³.
pub fn layer_stiffness(modulus: f64, poisson: f64, depth: f64) -> f64 {
    modulus * (1.0 - poisson) / ((1.0 + poisson) * (1.0 - 2.0 * poisson)) / depth
}

/// Whose area carries the pressure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Area {
    /// That of the curved body; the plane gives penetration and normal.
    Body,
    /// That of the plane.
    Plane,
}

/// Force on a sphere pressed a depth d into a plane, N: s = d − R(1 − cos t) over rings of the sphere, or the volume below the plane times k.
pub fn sphere_on_plane(k: f64, radius: f64, d: f64, area: Area) -> f64 {
    match area {
        Area::Body => PI * k * radius * d * d,
        Area::Plane => PI * k * d * d * (radius - d / 3.0),
    }
}

/// Force on a cylinder of a length, pressed a depth d into a plane, N.
pub fn cylinder_on_plane(k: f64, radius: f64, length: f64, d: f64, area: Area) -> f64 {
    let c = 1.0 - d / radius;
    let t = c.acos();
    let scale = k * length * radius * radius;
    match area {
        Area::Body => 2.0 * scale * (t.sin() - c * t),
        Area::Plane => scale * (t - c * t.sin()),
    }
}

/// Force on a cylinder pressed a depth d into the wall of a bore of parallel axis, over the cylinder's own area, N. The axes are e = B − R + d apart; the point
/// of the cylinder at the angle t from the bottom is ρ = √(R² + e² + 2 e R cos t) from the bore's axis and ρ − B deep.
pub fn cylinder_in_bore(k: f64, radius: f64, bore: f64, length: f64, d: f64) -> f64 {
    let e = bore - radius + d;
    let rho = |t: f64| (radius * radius + e * e + 2.0 * e * radius * t.cos()).sqrt();
    let cos_end = (bore * bore - radius * radius - e * e) / (2.0 * e * radius);
    let end = cos_end.clamp(-1.0, 1.0).acos();
    let pressed = |t: f64| (rho(t) - bore) * (e + radius * t.cos()) / rho(t);
    2.0 * k * length * radius * integrate(pressed, end)
}

/// Force along the axis on a truncated cone pushed straight into a cone of the same half angle α, N: everywhere push·sin α deep.
pub fn peg_in_cone(k: f64, tip_radius: f64, length: f64, half_angle: f64, push: f64) -> f64 {
    let (sin, cos) = half_angle.sin_cos();
    let end = tip_radius + length * half_angle.tan();
    let area = PI * (tip_radius + end) * length / cos;
    k * area * push * sin * sin
}

/// Deepest penetration of a sphere that meets a plane with a speed, without damping, m: ½ m v² = ∫ π k R d² dd.
pub fn impact_depth(k: f64, radius: f64, mass: f64, speed: f64) -> f64 {
    (1.5 * mass * speed * speed / (PI * k * radius)).cbrt()
}

/// Period of a block on a spring whose far end moves steadily, s. It sticks while the pull rises from its lowest value by 2D, D = (μ_stick − μ_slip) N; it
/// slips as an oscillator of ω = √(k/m) about the pull μ_slip N, that starts at D with the speed of the far end.
pub fn stick_slip_period(
    stiffness: f64,
    mass: f64,
    normal_force: f64,
    stick: f64,
    slip: f64,
    speed: f64,
) -> f64 {
    let drop = (stick - slip) * normal_force;
    let omega = (stiffness / mass).sqrt();
    let climb = stiffness * speed;
    2.0 * drop / climb + (PI + 2.0 * (climb / (omega * drop)).atan()) / omega
}

/// Penetration of a wire bent to a circle that is pressed along its axis into a cone, m: wire radius R = `wire`, circle where it touches ρ = `circle`, slope of
/// the cone α = `slope`, layer `k` (N/m³), axial force `force`, without friction. Pressure acts on the cone along normals of the wire: with D = R − s and
/// half-width w = √(R² − D²), F/sin α = k·2πρ·∫(R − r)(D/r)dx, r² = D² + x², which is k·2πρ·2D(R asinh(w/D) − w).
pub fn ring_in_cone(k: f64, wire: f64, circle: f64, slope: f64, force: f64) -> f64 {
    let wanted = force / (slope.sin() * k * std::f64::consts::TAU * circle);
    let pressed = |s: f64| {
        let (d, w) = (wire - s, (s * (2.0 * wire - s)).sqrt());
        2.0 * d * (wire * (w / d).asinh() - w)
    };
    // The force rises up to a third of the wire's radius, more than any layer is compressed.
    let (mut low, mut high) = (0.0, wire / 3.0);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        *if pressed(middle) < wanted { &mut low } else { &mut high } = middle;
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The integral of the pressure over the touching width, by the midpoint rule, gives the force back; at small forces it is that of a parabola.
    #[test]
    fn ring_in_cone_gives_its_force_back() {
        let (k, wire, circle, slope) = (3e10, 1.5e-3, 0.01306, 0.7_f64);
        for force in [0.1, 100.0, 300.0] {
            let s = ring_in_cone(k, wire, circle, slope, force);
            let (d, half) = (wire - s, (s * (2.0 * wire - s)).sqrt());
            let sum: f64 = (0..10_000)
                .map(|i| half * ((f64::from(i) + 0.5) / 5_000.0 - 1.0))
                .map(|x| (wire - d.hypot(x)) * d / d.hypot(x) * half / 5_000.0)
                .sum();
            let back = k * std::f64::consts::TAU * circle * sum * slope.sin();
            assert!((back - force).abs() < 1e-6 * force, "{back} {force}");
        }
        let s = ring_in_cone(k, wire, circle, slope, 1e-3);
        let parabola = 4.0 / 3.0 * s * (2.0 * wire * s).sqrt();
        assert!((k * std::f64::consts::TAU * circle * parabola * slope.sin() / 1e-3 - 1.0).abs() < 1e-3);
    }

    fn close(a: f64, b: f64, relative: f64) {
        assert!((a / b - 1.0).abs() < relative, "{a} {b}");
    }

    /// E = 2 MPa, ν = 0.3, b = 5 mm, R = 50 mm, d = 1 mm, L = 0.1 m.
    #[test]
    fn forces_are_derivatives_of_energies() {
        let k = layer_stiffness(2e6, 0.3, 5e-3);
        close(k, 5.384_615e8, 1e-6);
        let (r, d, l) = (0.05, 1e-3, 0.1);
        // Energy over the sphere's own rings and over the plane's.
        let end = (1.0f64 - d / r).acos();
        let depth = |t: f64| d - r * (1.0 - t.cos());
        let ring = |t: f64| depth(t) * 2.0 * PI * r * r * t.sin();
        close(sphere_on_plane(k, r, d, Area::Body), k * integrate(ring, end), 1e-10);
        let flat = |t: f64| ring(t) * t.cos();
        close(sphere_on_plane(k, r, d, Area::Plane), k * integrate(flat, end), 1e-10);
        let strip = |t: f64| depth(t) * 2.0 * r * l;
        close(cylinder_on_plane(k, r, l, d, Area::Body), k * integrate(strip, end), 1e-10);
        let strip = |t: f64| depth(t) * 2.0 * r * l * t.cos();
        close(cylinder_on_plane(k, r, l, d, Area::Plane), k * integrate(strip, end), 1e-10);
        // A bore of a kilometre is a plane.
        close(cylinder_in_bore(k, r, 1e3, l, d), cylinder_on_plane(k, r, l, d, Area::Body), 1e-3);
    }

    /// By stepping the block through slip, m = 1 kg, N = 9.81 N, μ 0.5/0.3, k = 100 N/m, V = 0.05 m/s.
    #[test]
    fn the_period_is_that_of_a_block_that_is_stepped() {
        let (k, m, n, stick, slip, speed) = (100.0, 1.0, 9.81, 0.5, 0.3, 0.05);
        let h = 1e-6;
        let (mut pull, mut v, mut t) = (stick * n, 0.0, 0.0);
        loop {
            let a = (pull - slip * n) / m;
            let v_mid = v + 0.5 * h * a;
            pull += h * k * (speed - v_mid);
            v += h * (pull - slip * n) / m * 0.5 + 0.5 * h * a;
            t += h;
            if v <= 0.0 {
                break;
            }
        }
        t += (stick * n - pull) / (k * speed);
        close(stick_slip_period(k, m, n, stick, slip, speed), t, 1e-5);
    }
}
