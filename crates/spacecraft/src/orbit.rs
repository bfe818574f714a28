//! Relative gravity near a circular orbit, gravity gradient and solar pressure.
//!
//! The origin of the world moves along a circular reference orbit; its axes do **not** turn. At t = 0 x is radial (outward), y along the track,
//! z the orbit normal; later r̂(t) = (cos nt, sin nt, 0). The gravity on a body at ρ is the difference
//! between its place and the origin.

use serde::{Deserialize, Serialize};
use touchdown_math::{Elementary, Mat3, Vec3};

/// Law of relative gravity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum RelativeGravity {
    /// No difference: free space.
    #[default]
    Free,
    /// To first order in ρ/r₀: n²(3(ρ·r̂)r̂ − ρ). Neglects about 1.5 ρ/r₀ of it: 4e-8 per metre in geostationary orbit.
    ClohessyWiltshire,
    /// −μ(r/|r|³ − r₀/|r₀|³) without approximation.
    TwoBody,
}

/// A circular reference orbit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Orbit {
    /// Mean motion n, rad/s.
    pub rate: f64,
    /// Radius r₀, m; only [`RelativeGravity::TwoBody`] reads it.
    pub radius: f64,
    /// The law.
    pub model: RelativeGravity,
    /// Whether the gravity-gradient torque acts.
    pub gravity_gradient: bool,
}

/// Gravitational parameter of the Earth, m³/s² (EGM96; recalled).
pub const EARTH_MU: f64 = 3.986_004_418e14;

impl Orbit {
    /// The orbit of a given rate (rad/s) around a body of the gravitational parameter `mu` (m³/s²).
    pub fn around(mu: f64, rate: f64, model: RelativeGravity) -> Orbit {
        Orbit { rate, radius: (mu / (rate * rate)).cube_root(), model, gravity_gradient: true }
    }

    /// Free space: no differences, no torque.
    pub fn free() -> Orbit {
        Orbit { rate: 0.0, radius: f64::INFINITY, model: RelativeGravity::Free, gravity_gradient: false }
    }

    /// Radial direction at `t`, in W.
    #[inline]
    pub fn radial(&self, t: f64) -> Vec3 {
        let (s, c) = (self.rate * t).sine_cosine();
        Vec3::new(c, s, 0.0)
    }

    /// Acceleration of a free body at `rho` (m, in W) against the origin, m/s².
    pub fn acceleration(&self, rho: &Vec3, t: f64) -> Vec3 {
        let n2 = self.rate * self.rate;
        match self.model {
            RelativeGravity::Free => Vec3::zeros(),
            RelativeGravity::ClohessyWiltshire => {
                let r = self.radial(t);
                (r * (3.0 * rho.dot(&r)) - rho) * n2
            }
            RelativeGravity::TwoBody => {
                let r = self.radial(t);
                // |r|²/r₀² = 1 + q, and (1 + q)^(−3/2) − 1 without cancellation (Battin, after Encke).
                let (q, root) = self.stretch(rho, &r);
                let cube = root * root * root;
                let f = -q * (3.0 + q * (3.0 + q)) / (cube * (1.0 + cube));
                -(rho + (r * self.radius + rho) * f) * n2
            }
        }
    }

    /// Derivative of the acceleration over `rho`, 1/s²: symmetric, without a trace.
    pub fn gradient(&self, rho: &Vec3, t: f64) -> Mat3 {
        let n2 = self.rate * self.rate;
        let tidal = |r: &Vec3| r * r.transpose() * 3.0 - Mat3::identity();
        match self.model {
            RelativeGravity::Free => Mat3::zeros(),
            RelativeGravity::ClohessyWiltshire => tidal(&self.radial(t)) * n2,
            RelativeGravity::TwoBody => {
                let r = self.radial(t);
                let (_, root) = self.stretch(rho, &r);
                tidal(&((r + rho / self.radius) / root)) * (n2 / (root * root * root))
            }
        }
    }

    /// Potential per mass, J/kg: the acceleration is its negative gradient. It changes in time; see [`Orbit::potential_rate`].
    pub fn potential(&self, rho: &Vec3, t: f64) -> f64 {
        let n2 = self.rate * self.rate;
        match self.model {
            RelativeGravity::Free => 0.0,
            RelativeGravity::ClohessyWiltshire => {
                let radial = rho.dot(&self.radial(t));
                -0.5 * n2 * (3.0 * radial * radial - rho.norm_squared())
            }
            RelativeGravity::TwoBody => {
                let (q, root) = self.stretch(rho, &self.radial(t));
                // 1/√(1 + q) − 1 + q/2 = (√ − 1)²(√ + 2)/(2√), √ − 1 = q/(1 + √).
                let excess = self.radius * q / (1.0 + root);
                -0.5 * n2 * (excess * excess * (root + 2.0) / root - rho.norm_squared())
            }
        }
    }

    /// Rate of the potential at a fixed place, W/kg: d(½v² + potential)/dt of a free body is this.
    pub fn potential_rate(&self, rho: &Vec3, t: f64) -> f64 {
        self.acceleration(rho, t).dot(&self.spin().cross(rho))
    }

    /// Gravity-gradient torque 3n² r̂ × (I r̂), N m, on a body of the inertia `inertia_W` (kg m², about its centre of mass, in the axes of W).
    pub fn gravity_gradient_torque(&self, inertia_W: &Mat3, t: f64) -> Vec3 {
        if !self.gravity_gradient {
            return Vec3::zeros();
        }
        let r = self.radial(t);
        r.cross(&(inertia_W * r)) * (3.0 * self.rate * self.rate)
    }

    /// Axes of the turning frame H (radial, along-track, normal) at `t`, as columns in W.
    pub fn R_WH(&self, t: f64) -> Mat3 {
        let r = self.radial(t);
        Mat3::new(r.x, -r.y, 0.0, r.y, r.x, 0.0, 0.0, 0.0, 1.0)
    }

    /// Position and velocity in the turning frame: radial, along-track, normal.
    pub fn to_turning(&self, rho_W: &Vec3, v_W: &Vec3, t: f64) -> (Vec3, Vec3) {
        let R_HW = self.R_WH(t).transpose();
        (R_HW * rho_W, R_HW * (v_W - self.spin().cross(rho_W)))
    }

    /// Position and velocity in W from those in the turning frame.
    pub fn from_turning(&self, rho_H: &Vec3, v_H: &Vec3, t: f64) -> (Vec3, Vec3) {
        let R_WH = self.R_WH(t);
        let rho_W = R_WH * rho_H;
        (rho_W, R_WH * v_H + self.spin().cross(&rho_W))
    }

    /// Angular velocity of the turning frame, in W (and in H).
    pub fn spin(&self) -> Vec3 {
        Vec3::new(0.0, 0.0, self.rate)
    }

    /// q = (|r|² − r₀²)/r₀² and √(1 + q) = |r|/r₀.
    fn stretch(&self, rho: &Vec3, r: &Vec3) -> (f64, f64) {
        let q = (2.0 * rho.dot(r) + rho.norm_squared() / self.radius) / self.radius;
        (q, (1.0 + q).sqrt())
    }
}

/// Pressure of sunlight on flat areas, lit from either side.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolarPressure {
    /// Radiation pressure on a black area, Pa; [`SolarPressure::AT_EARTH`] at one astronomical unit.
    pub pressure: f64,
    /// Unit vector to the Sun, in W.
    pub sun_W: [f64; 3],
}

/// Reflection of light on a surface; the rest is absorbed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Reflection {
    /// Share reflected as by a mirror.
    pub specular: f64,
    /// Share reflected into all directions (Lambert).
    pub diffuse: f64,
}

impl SolarPressure {
    /// 1361 W/m² over the speed of light, Pa (recalled).
    pub const AT_EARTH: f64 = 1361.0 / 299_792_458.0;

    /// Force, N, on a plane of `area` (m²) with the unit normal `normal_W` on either side:
    /// −P A cos θ ((1 − ρ_s) ŝ + 2 (ρ_s cos θ + ρ_d/3) n̂) (Wertz, *Spacecraft Attitude Determination and Control*, 17.2; recalled).
    pub fn force(&self, area: f64, normal_W: &Vec3, reflection: &Reflection) -> Vec3 {
        let sun = Vec3::from(self.sun_W);
        let facing = sun.dot(normal_W);
        let (cos, normal) = if facing < 0.0 { (-facing, -normal_W) } else { (facing, *normal_W) };
        let along_normal = 2.0 * (reflection.specular * cos + reflection.diffuse / 3.0);
        -(sun * (1.0 - reflection.specular) + normal * along_normal) * (self.pressure * area * cos)
    }
}

#[cfg(test)]
#[path = "orbit_tests.rs"]
mod tests;
