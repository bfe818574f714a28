//! A stereo pair of pinhole cameras that observes the rim of a nozzle, and the pose computed from its pixels.
//!
//! Model: each camera looks along +z of the satellite, u along x and v along y, u = f X/Z + u₀. Points around
//! the rim are measured with normal noise if they lie inside the image. There is no occlusion: boom and tool
//! are transparent.
//!
//! Estimate: a circle has five components, its centre and the two of its axis; roll about the axis is not
//! observable. A pixel measures only its distance across the image of the circle; its position along the
//! image contains no information. Gauss–Newton over all these distances, weighted by the noise, gives the
//! pose, and the inverse of its normal matrix the covariance. That covariance is right as long as the pixels
//! are linear in the pose over its width: a short arc of the rim, which hardly distinguishes a tilted circle
//! from a shifted one, gives no pose ([`CameraFailure::Unsure`]).

mod ambiguity;

use crate::clock::Clock;
use crate::random::Noise;
use nalgebra::{SMatrix, SVector};
use serde::{Deserialize, Serialize};
use thiserror::Error;
use touchdown_math::{Elementary, Mat3, Vec3};

/// Two cameras and the rim that they observe.
#[derive(Clone, Debug, PartialEq)]
pub struct StereoCamera {
    /// Places of the two, in the satellite's axes, m.
    pub positions: [Vec3; 2],
    /// Focal length, pixels.
    pub focal_px: f64,
    /// Width and height of the image, pixels; the optical axis is in its middle.
    pub image_px: [f64; 2],
    /// Standard deviation of each coordinate of a point, pixels.
    pub noise_px: f64,
    /// Points around the rim for each camera.
    pub rim_points: usize,
    /// Radius of the rim, m.
    pub rim_radius: f64,
    /// Pictures per second.
    pub rate_hz: f64,
    /// Time from a picture to its pose, s.
    pub delay_s: f64,
    /// Its noise; index: picture.
    pub noise: Noise,
}

/// A circle in space: centre and unit axis, in the satellite's axes. The axis of a nozzle's rim points out of the nozzle, towards the cameras.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rim {
    /// Centre, m.
    pub centre: Vec3,
    /// Unit axis.
    pub axis: Vec3,
}

impl Rim {
    /// The point `along` (m) on the axis from the centre: the throat is minus the bell's length away.
    pub fn point_on_axis(&self, along: f64) -> Vec3 {
        self.centre + self.axis * along
    }
}

/// The rim found in a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RimSeen {
    /// When the picture was taken, s.
    pub time: f64,
    /// The rim.
    pub rim: Rim,
}

/// Two unit vectors across a unit axis, chosen without jumps as long as the axis is not along x.
fn tangents(axis: &Vec3) -> (Vec3, Vec3) {
    let first = (Vec3::x() - axis * axis.x).normalize();
    (first, axis.cross(&first))
}

/// A pose with its covariance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CameraFix {
    /// When the picture was taken, s.
    pub time: f64,
    /// Centre of the rim, m.
    pub centre: [f64; 3],
    /// Unit axis of the rim.
    pub axis: [f64; 3],
    /// Covariance of the centre (m) and of the axis along its two tangents (rad).
    pub covariance: [[f64; 5]; 5],
    /// Points used, of both cameras.
    pub points: usize,
    /// Root mean square of the residual distances, pixels.
    pub residual_px: f64,
}

/// Reasons for a missing pose.
#[derive(Clone, Copy, Debug, PartialEq, Error, Serialize, Deserialize)]
pub enum CameraFailure {
    /// The rim is out of the image of a camera.
    #[error(
        "too few points of the rim are in the image: {first} and {second} of {wanted} each (at least {LEAST} are needed in both)"
    )]
    TooFewPoints {
        /// Seen by the first camera.
        first: usize,
        /// Seen by the second camera.
        second: usize,
        /// Required.
        wanted: usize,
    },
    /// The visible arc is too short.
    #[error(
        "the arc of the rim in the images is too short: its axis would be known to {:.1} deg (at least {:.1} deg are needed)",
        axis.to_degrees(),
        AXIS_SURE.to_degrees()
    )]
    Unsure {
        /// Largest standard deviation of the axis over all directions, rad.
        axis: f64,
    },
    /// A circle with quite another axis fits as well.
    #[error("a circle whose axis is turned by {:.1} deg fits the points as well", turned.to_degrees())]
    Ambiguous {
        /// Angle between both axes, rad.
        turned: f64,
    },
    /// No circle fits the points.
    #[error("no circle fits the points: {residual_px} px are left")]
    NoFit {
        /// Residual root mean square, pixels.
        residual_px: f64,
    },
}

/// Standard deviation of the axis beyond which a pose is rejected, rad.
pub const AXIS_SURE: f64 = 0.03;
/// Limit of the residual sum of squares of a fit, in standard deviations beyond its mean, above which it is
/// not a circle of this size.
const SQUARES_SURE: f64 = 6.0;
/// Least number of points for each camera.
pub const LEAST: usize = 5;
/// Largest number of points of all cameras.
const MOST: usize = 128;

impl CameraFix {
    /// Without its covariance.
    pub fn seen(&self) -> RimSeen {
        RimSeen { time: self.time, rim: Rim { centre: self.centre.into(), axis: self.axis.into() } }
    }

    /// Centre and the axis' x and y, with their covariance: what navigation filters.
    pub fn observation(&self) -> (SVector<f64, 5>, SMatrix<f64, 5, 5>) {
        let (c, axis) = (self.centre, Vec3::from(self.axis));
        let (t1, t2) = tangents(&axis);
        let mut J = SMatrix::<f64, 5, 5>::identity();
        for i in 0..2 {
            (J[(3 + i, 3)], J[(3 + i, 4)]) = (t1[i], t2[i]);
        }
        let P = SMatrix::<f64, 5, 5>::from_fn(|i, j| self.covariance[i][j]);
        (SVector::from([c[0], c[1], c[2], axis.x, axis.y]), J * P * J.transpose())
    }

    /// The point `along` (m) on the axis from the centre, and its covariance.
    pub fn point_on_axis(&self, along: f64) -> (Vec3, Mat3) {
        let rim = self.seen().rim;
        let axis = rim.axis;
        let (t1, t2) = tangents(&axis);
        let mut J = SMatrix::<f64, 3, 5>::zeros();
        J.fixed_view_mut::<3, 3>(0, 0).copy_from(&Mat3::identity());
        J.set_column(3, &(t1 * along));
        J.set_column(4, &(t2 * along));
        let P = SMatrix::<f64, 5, 5>::from_fn(|i, j| self.covariance[i][j]);
        (rim.point_on_axis(along), J * P * J.transpose())
    }

    /// Normalised error squared against the truth: χ² of five degrees of freedom if the covariance is right.
    pub fn normalised_error(&self, truth: &Rim) -> Option<f64> {
        let (t1, t2) = tangents(&Vec3::from(self.axis));
        let d = truth.centre - Vec3::from(self.centre);
        let e = SVector::<f64, 5>::new(d.x, d.y, d.z, truth.axis.dot(&t1), truth.axis.dot(&t2));
        let P = SMatrix::<f64, 5, 5>::from_fn(|i, j| self.covariance[i][j]);
        P.cholesky().map(|c| e.dot(&c.solve(&e)))
    }
}

/// Points of one picture, both cameras.
struct Seen {
    pixels: [[[f64; 2]; MOST]; 2],
    count: [usize; 2],
}

/// Sums of a Gauss–Newton step.
struct Normal {
    N: SMatrix<f64, 5, 5>,
    b: SVector<f64, 5>,
    squares: f64,
}

impl StereoCamera {
    /// Image of a point in a camera, pixels from the optical axis; `None` behind it.
    fn project(&self, camera: usize, p: &Vec3) -> Option<[f64; 2]> {
        let d = p - self.positions[camera];
        (d.z > 1e-6).then(|| [self.focal_px * d.x / d.z, self.focal_px * d.y / d.z])
    }

    fn is_inside(&self, pixel: [f64; 2]) -> bool {
        (0..2).all(|k| pixel[k].abs() <= 0.5 * self.image_px[k])
    }

    fn look(&self, index: u64, rim: &Rim) -> Seen {
        let (t1, t2) = tangents(&rim.axis);
        let n = self.rim_points.min(MOST);
        let mut seen = Seen { pixels: [[[0.0; 2]; MOST]; 2], count: [0; 2] };
        for camera in 0..2 {
            for k in 0..n {
                let (s, c) = (std::f64::consts::TAU * k as f64 / n as f64).sine_cosine();
                let p = rim.centre + (t1 * c + t2 * s) * self.rim_radius;
                // Visibility of a point does not depend on its noise: selecting points whose noise points
                // inwards would bias the pose.
                let Some(pixel) = self.project(camera, &p).filter(|pixel| self.is_inside(*pixel)) else {
                    continue;
                };
                let [a, b] = self.noise.normals(index, 2 * (camera * n + k) as u16);
                seen.pixels[camera][seen.count[camera]] =
                    [pixel[0] + a * self.noise_px, pixel[1] + b * self.noise_px];
                seen.count[camera] += 1;
            }
        }
        seen
    }

    /// The pose from the picture with this index, of a rim that is really at `rim`. The search begins at the
    /// last rim, or, if that does not converge, at the centre of the pixels, which is far off if only an arc
    /// is visible.
    pub fn measure(
        &self,
        index: u64,
        time: f64,
        rim: &Rim,
        last: Option<&Rim>,
    ) -> Result<CameraFix, CameraFailure> {
        let seen = self.look(index, rim);
        if seen.count.iter().any(|n| *n < LEAST) {
            let [first, second] = seen.count;
            return Err(CameraFailure::TooFewPoints { first, second, wanted: self.rim_points });
        }
        if let Some(Ok(fix)) = last.map(|last| self.estimate(time, &seen, last)) {
            return Ok(fix);
        }
        self.estimate(time, &seen, &Rim { centre: self.triangulate(&seen), axis: -Vec3::z() })
    }

    fn estimate(&self, time: f64, seen: &Seen, first: &Rim) -> Result<CameraFix, CameraFailure> {
        let points = seen.count[0] + seen.count[1];
        let mut guess = *first;
        let mut rms = f64::INFINITY;
        for _ in 0..20 {
            let normal = self.normal(seen, &guess);
            rms = (normal.squares / points as f64).sqrt();
            let Some(factors) = normal.N.cholesky() else { break };
            let step = factors.solve(&normal.b);
            guess.centre += step.fixed_rows::<3>(0).into_owned();
            let (t1, t2) = tangents(&guess.axis);
            guess.axis = (guess.axis + t1 * step[3] + t2 * step[4]).normalize();
            if step.amax() < 1e-10 {
                // The residual sum of squares is χ² with as many degrees of freedom as there are points minus
                // components. A larger value means another circle that nearly fits the arc; a ten-thousandth
                // of a pixel is rounding.
                let freedom = points as f64 - 5.0;
                let most = freedom + SQUARES_SURE * (2.0 * freedom).sqrt();
                if normal.squares > most * self.noise_px.max(1e-4).whole_power(2) {
                    break;
                }
                let variance = self.noise_px * self.noise_px;
                let P = factors.inverse() * variance;
                let (xx, yy, xy) = (P[(3, 3)], P[(4, 4)], P[(3, 4)]);
                let axis = (0.5 * (xx + yy) + (0.5 * (xx - yy)).hypotenuse(xy)).sqrt();
                if axis > AXIS_SURE {
                    return Err(CameraFailure::Unsure { axis });
                }
                let inverse = factors.inverse();
                if self.is_ambiguous(seen, first, &guess, (&inverse, normal.squares)) {
                    let turned = guess.axis.dot(&first.axis).clamp(-1.0, 1.0).arccosine();
                    return Err(CameraFailure::Ambiguous { turned });
                }
                return Ok(CameraFix {
                    time,
                    centre: guess.centre.into(),
                    axis: guess.axis.into(),
                    covariance: std::array::from_fn(|i| std::array::from_fn(|j| P[(i, j)])),
                    points,
                    residual_px: rms,
                });
            }
        }
        Err(CameraFailure::NoFit { residual_px: rms })
    }

    /// The point nearest to the two rays through the centres of the pixels: an initial value of the centre.
    fn triangulate(&self, seen: &Seen) -> Vec3 {
        let (mut A, mut b) = (Mat3::zeros(), Vec3::zeros());
        for camera in 0..2 {
            let pixels = &seen.pixels[camera][..seen.count[camera]];
            let sum = pixels.iter().fold([0.0; 2], |s, p| [s[0] + p[0], s[1] + p[1]]);
            let n = pixels.len() as f64;
            let ray = Vec3::new(sum[0] / n, sum[1] / n, self.focal_px).normalize();
            let across = Mat3::identity() - ray * ray.transpose();
            A += across;
            b += across * self.positions[camera];
        }
        A.try_inverse().map_or(self.positions[0] + Vec3::z(), |inverse| inverse * b)
    }

    /// Distances of all pixels from the image of a circle, with their derivatives over its five components.
    fn normal(&self, seen: &Seen, rim: &Rim) -> Normal {
        let mut sums = Normal { N: SMatrix::zeros(), b: SVector::zeros(), squares: 0.0 };
        for camera in 0..2 {
            for pixel in &seen.pixels[camera][..seen.count[camera]] {
                let Some((distance, row)) = self.distance(camera, *pixel, rim) else { continue };
                sums.N += row * row.transpose();
                sums.b += row * distance;
                sums.squares += distance * distance;
            }
        }
        sums
    }

    /// Distance (pixels) of a pixel from the image of the circle, and its derivatives by centre and axis.
    fn distance(&self, camera: usize, pixel: [f64; 2], rim: &Rim) -> Option<(f64, SVector<f64, 5>)> {
        let (t1, t2) = tangents(&rim.axis);
        let eye = self.positions[camera];
        // The intersection of the pixel's ray with the plane of the circle gives a nearby point; one step
        // moves it to the foot.
        let ray = Vec3::new(pixel[0], pixel[1], self.focal_px);
        let range = (rim.centre - eye).dot(&rim.axis) / ray.dot(&rim.axis);
        let hit = eye + ray * range - rim.centre;
        let mut angle = hit.dot(&t2).arctangent2(hit.dot(&t1));
        let mut last = None;
        for _ in 0..2 {
            let (s, c) = angle.sine_cosine();
            let p = rim.centre + (t1 * c + t2 * s) * self.rim_radius;
            let along = (t2 * c - t1 * s) * self.rim_radius;
            let d = p - eye;
            if d.z <= 1e-6 {
                return None;
            }
            let gradient = |k: usize| {
                let mut g = Vec3::zeros();
                g[k] = self.focal_px / d.z;
                g.z = -self.focal_px * d[k] / (d.z * d.z);
                g
            };
            let (gu, gv) = (gradient(0), gradient(1));
            let tangent = [gu.dot(&along), gv.dot(&along)];
            let off = [pixel[0] - self.focal_px * d.x / d.z, pixel[1] - self.focal_px * d.y / d.z];
            let square = tangent[0] * tangent[0] + tangent[1] * tangent[1];
            angle += (off[0] * tangent[0] + off[1] * tangent[1]) / square;
            let length = square.sqrt();
            let normal = [-tangent[1] / length, tangent[0] / length];
            let g = gu * normal[0] + gv * normal[1];
            // A tilt of the axis along t1 or t2 moves the point against the axis.
            let tilt = -self.rim_radius * g.dot(&rim.axis);
            let row = SVector::<f64, 5>::new(g.x, g.y, g.z, tilt * c, tilt * s);
            last = Some((off[0] * normal[0] + off[1] * normal[1], row));
        }
        last
    }

    /// A camera before its first picture.
    pub fn start(&self) -> CameraState {
        CameraState {
            clock: Clock::new(self.rate_hz),
            pending: Vec::with_capacity(16),
            last: None,
            latest: None,
        }
    }

    /// Takes a picture if one is due at `t`, and outputs poses whose delay is over. `true` if a new one
    /// arrived.
    pub fn tick(&self, state: &mut CameraState, t: f64, rim: &Rim) -> bool {
        if let Some(index) = state.clock.due(t) {
            let last = state.last.map(|fix| fix.seen().rim);
            let result = self.measure(index, t, rim, last.as_ref());
            state.last = result.ok().or(state.last);
            state.pending.push(Sighting { time: t, result });
        }
        let ready = |s: &Sighting| s.time + self.delay_s <= t + 1e-9;
        let count = state.pending.iter().take_while(|s| ready(s)).count();
        if count == 0 {
            return false;
        }
        state.latest = state.pending.drain(..count).next_back();
        true
    }
}

/// Result of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sighting {
    /// When it was taken, s.
    pub time: f64,
    /// The pose, or the reason that there is none.
    pub result: Result<CameraFix, CameraFailure>,
}

/// Pictures in transmission.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CameraState {
    clock: Clock,
    pending: Vec<Sighting>,
    /// The latest pose that was found, arrived or not.
    last: Option<CameraFix>,
    /// The latest one that arrived.
    pub latest: Option<Sighting>,
}

impl CameraState {
    /// The latest pose, if the latest picture gave one.
    pub fn fix(&self) -> Option<&CameraFix> {
        self.latest.as_ref().and_then(|s| s.result.as_ref().ok())
    }

    /// Time of the next picture, s.
    pub fn next_time(&self) -> f64 {
        self.clock.next_time()
    }
}

#[cfg(test)]
#[path = "camera_tests.rs"]
mod tests;
