//! Laser distance sensors around a tool: the distance along a ray to a body of revolution, with noise, range and rate.

use crate::clock::Clock;
use crate::random::Noise;
use serde::{Deserialize, Serialize};
use touchdown_geometry::revolution::Section;
use touchdown_math::{Elementary, Pose, Vec3};

/// Distance (m) from `origin` along the unit vector `direction` to the surface of a section, both in the section's frame (axis z); `None` if there is none
/// within `limit`, or if the ray starts inside the material.
///
/// The ray advances by the distance to the nearest surface, so that it never passes through it, and ends with
/// a tangent step. The result is accurate to a micrometre if the ray meets the surface at more than a degree.
pub fn along_ray(section: &Section, origin: &Vec3, direction: &Vec3, limit: f64) -> Option<f64> {
    /// Nearer than this, the surface is taken as flat, m.
    const NEAR: f64 = 1e-5;
    /// Number of steps after which a ray that follows a surface has missed it.
    const STEPS: usize = 400;
    let (mut s, mut segment) = (0.0, 0);
    for _ in 0..STEPS {
        let p = origin + direction * s;
        let radius = p.x.hypotenuse(p.y);
        let foot = section.foot_from([p.z, radius], segment);
        segment = foot.segment;
        if foot.distance < -NEAR && foot.free_end.is_none() {
            return None;
        }
        if foot.distance < NEAR && foot.free_end.is_none() {
            let out = if radius > 0.0 { (p.x * direction.x + p.y * direction.y) / radius } else { 0.0 };
            let closing = -(foot.normal[0] * direction.z + foot.normal[1] * out);
            if closing > 0.0 {
                return Some((s + foot.distance / closing).max(0.0)).filter(|s| *s <= limit);
            }
        }
        // Past a grazed surface, or along a free end, the ray must still advance.
        s += foot.distance.abs().max(NEAR);
        if s > limit {
            return None;
        }
    }
    None
}

/// Sensors of one kind around the axis of a tool, looking outwards.
#[derive(Clone, Debug, PartialEq)]
pub struct LaserDistance {
    /// Place along the tool's axis, m.
    pub q: f64,
    /// Distance of the sensors from the axis, m: where their reading is zero.
    pub radius: f64,
    /// Directions around the axis, rad.
    pub azimuths: Vec<f64>,
    /// Largest measured distance, m.
    pub range: f64,
    /// Standard deviation, m.
    pub noise_m: f64,
    /// Samples per second.
    pub rate_hz: f64,
    /// Its noise; index: sample, component: sensor.
    pub noise: Noise,
}

/// The latest readings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DistanceState {
    clock: Clock,
    /// One for each sensor, m; `None`: nothing within range.
    pub readings: Vec<Option<f64>>,
}

impl DistanceState {
    /// Time of the next sample, s.
    pub fn next_time(&self) -> f64 {
        self.clock.next_time()
    }
}

impl LaserDistance {
    /// Sensors before their first reading.
    pub fn start(&self) -> DistanceState {
        DistanceState { clock: Clock::new(self.rate_hz), readings: vec![None; self.azimuths.len()] }
    }

    /// True distance of a sensor, m, with the tool's frame at `X_NT` in the frame of the section. The tool's axis is its z.
    pub fn distance(&self, sensor: usize, section: &Section, X_NT: &Pose) -> Option<f64> {
        let (s, c) = self.azimuths[sensor].sine_cosine();
        let origin = X_NT.point(&Vec3::new(self.radius * c, self.radius * s, self.q));
        along_ray(section, &origin, &(X_NT.R * Vec3::new(c, s, 0.0)), self.range)
    }

    /// Reads all sensors if they are due at `t`; `true` if they were.
    pub fn tick(&self, state: &mut DistanceState, t: f64, section: &Section, X_NT: &Pose) -> bool {
        let Some(index) = state.clock.due(t) else { return false };
        for sensor in 0..self.azimuths.len() {
            let noise = self.noise_m * self.noise.normal(index, sensor as u16);
            state.readings[sensor] = self.distance(sensor, section, X_NT).map(|d| (d + noise).max(0.0));
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchdown_geometry::revolution::{Path, Side};
    use touchdown_math::rotation;

    fn cone() -> Section {
        Section::through(&[[0.0, 0.05], [0.2, 0.15]], Side::Cavity).unwrap()
    }

    /// In a cone the distance outwards across the axis is its radius there, for a tool off the axis that of the circle.
    #[test]
    fn distance_in_a_cone() {
        let cone = cone();
        let along = along_ray(&cone, &Vec3::new(0.0, 0.0, 0.1), &Vec3::x(), 1.0).unwrap();
        assert!((along - 0.1).abs() < 1e-8, "{along}");
        // From (0.03, 0.04) along x: √(0.1² − 0.04²) − 0.03.
        let off = along_ray(&cone, &Vec3::new(0.03, 0.04, 0.1), &Vec3::x(), 1.0).unwrap();
        assert!((off - ((0.01f64 - 0.0016).sqrt() - 0.03)).abs() < 1e-8, "{off}");
        assert_eq!(along_ray(&cone, &Vec3::new(0.0, 0.0, 0.1), &Vec3::x(), 0.09), None);
        assert_eq!(
            along_ray(&cone, &Vec3::new(0.0, 0.0, 0.3), &Vec3::x(), 1.0),
            None,
            "in front of the exit"
        );
        assert_eq!(along_ray(&cone, &Vec3::new(0.12, 0.0, 0.1), &Vec3::x(), 1.0), None, "in the wall");
    }

    /// A skew ray in a sphere's bore: the chord of the sphere.
    #[test]
    fn distance_in_a_sphere() {
        let r = 0.08;
        let path = Path::from([-r, 0.0]).arc([0.0, r], [r, 0.0]);
        let sphere = Section::new(&path, Side::Cavity).unwrap();
        let origin = Vec3::new(0.01, -0.02, 0.03);
        for direction in [Vec3::new(1.0, 2.0, 0.5), Vec3::new(-0.3, 0.1, -1.0), Vec3::new(0.0, 0.0, 1.0)] {
            let d = direction.normalize();
            let half = origin.dot(&d);
            let chord = -half + (half * half + r * r - origin.norm_squared()).sqrt();
            let found = along_ray(&sphere, &origin, &d, 1.0).unwrap();
            assert!((found - chord).abs() < 1e-8, "{found} {chord}");
        }
    }

    /// Readings come at their rate, with noise of the stated size around the distance from the sensor, in the axes of a turned tool.
    #[test]
    fn readings_scatter_about_the_distance() {
        let sensors = LaserDistance {
            q: 0.088,
            radius: 0.005,
            azimuths: vec![0.0, 2.0, 4.0],
            range: 0.15,
            noise_m: 1e-4,
            rate_hz: 50.0,
            noise: Noise::new(3, 30),
        };
        // The tool looks into the cone: its z against the cone's.
        let R = rotation::about_axis(&Vec3::x(), std::f64::consts::PI);
        let X_NT = Pose { R, p: Vec3::new(0.0, 0.0, 0.188) };
        let (cone, mut state) = (cone(), sensors.start());
        let (mut square, mut samples) = (0.0, 0.0);
        for k in 0..2000 {
            if sensors.tick(&mut state, 0.01 * k as f64, &cone, &X_NT) {
                for reading in &state.readings {
                    square += (reading.unwrap() - 0.095) * (reading.unwrap() - 0.095);
                    samples += 1.0;
                }
            }
        }
        assert_eq!(samples, 3000.0);
        // A mean square of n samples scatters by √(2/n).
        assert!((square / samples / 1e-8 - 1.0).abs() < 4.0 * (2.0 / samples).sqrt(), "{}", square / samples);
    }
}
