//! The section of an apogee engine: chamber, convergent cone, throat arc, bell.
//!
//! In the frame of the nozzle: origin in the centre of the throat, z along the axis towards the exit; (a, ρ)
//! = (z, distance from the axis). All lines join smoothly except the chamber's wall and the cone. The
//! bell is a parabola (quadratic Bézier) with given slopes at both ends, drawn with arcs.

use touchdown_geometry::revolution::{Path, Point};
use touchdown_math::Elementary;

/// Numbers of a nozzle, SI; angles in rad.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nozzle {
    /// Radius of the throat, m.
    pub throat_radius: f64,
    /// Radius of the exit, m.
    pub exit_radius: f64,
    /// Radius of the throat's rounding in the section, m.
    pub throat_arc_radius: f64,
    /// Slope of the convergent cone.
    pub convergence: f64,
    /// Slope of the bell where it begins.
    pub divergence_start: f64,
    /// Slope of the bell at the exit.
    pub divergence_end: f64,
    /// From throat to exit, m.
    pub bell_length: f64,
    /// Radius of the chamber, m.
    pub chamber_radius: f64,
    /// Length of the chamber behind the throat, m.
    pub chamber_length: f64,
}

/// Errors of a nozzle.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NozzleError {
    /// Not a length.
    #[error("{0} must be positive")]
    NotPositive(&'static str),
    /// Radii in the wrong order.
    #[error("the {0} ({1} m) must be wider than the throat with its rounding ({2} m)")]
    Narrow(&'static str, f64, f64),
    /// An angle beyond its range.
    #[error("the {0} must lie between 0 and 80 degrees")]
    Angle(&'static str),
    /// The bell would have to bend both ways.
    #[error(
        "no bell leaves at {0:.1} degrees and ends at {1:.1} degrees over this length and radius: the straight line between its ends rises at {2:.1} degrees, which must lie between"
    )]
    Bell(f64, f64, f64),
    /// The cone does not fit.
    #[error("the chamber must reach behind its cone, which ends {0:.4} m behind the throat")]
    Chamber(f64),
}

/// Arcs that draw the bell, in pairs.
const PAIRS: usize = 12;

/// The bell as a parabola.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bell {
    /// Control points (a, ρ), m.
    pub points: [Point; 3],
}

impl Bell {
    /// Point and direction at t from 0 to 1.
    fn at(&self, t: f64) -> (Point, Point) {
        let [p, q, r] = self.points;
        let s = 1.0 - t;
        let value = |c: usize| s * s * p[c] + 2.0 * s * t * q[c] + t * t * r[c];
        let slope = |c: usize| s * (q[c] - p[c]) + t * (r[c] - q[c]);
        let size = slope(0).hypotenuse(slope(1));
        ([value(0), value(1)], [slope(0) / size, slope(1) / size])
    }

    /// Radius at `a`, m.
    pub fn radius(&self, a: f64) -> f64 {
        let [p, q, r] = self.points;
        // a(t) is a parabola that rises.
        let (c, b, d) = (p[0] - a, 2.0 * (q[0] - p[0]), p[0] - 2.0 * q[0] + r[0]);
        let t = -2.0 * c / (b + (b * b - 4.0 * d * c).max(0.0).sqrt());
        self.at(t.clamp(0.0, 1.0)).0[1]
    }
}

impl Nozzle {
    /// Where the cone leaves the throat's arc, and where it meets the chamber.
    pub fn cone(&self) -> [Point; 2] {
        let (s, c) = self.convergence.sine_cosine();
        let low = [-self.throat_arc_radius * s, self.throat_radius + self.throat_arc_radius * (1.0 - c)];
        [low, [low[0] - (self.chamber_radius - low[1]) * c / s, self.chamber_radius]]
    }

    /// The parabola of the bell.
    pub fn bell(&self) -> Bell {
        let (s, c) = self.divergence_start.sine_cosine();
        let start = [self.throat_arc_radius * s, self.throat_radius + self.throat_arc_radius * (1.0 - c)];
        let end = [self.bell_length, self.exit_radius];
        let (from, to) = (self.divergence_start.tangent(), self.divergence_end.tangent());
        let a = (end[1] - start[1] + from * start[0] - to * end[0]) / (from - to);
        Bell { points: [start, [a, start[1] + from * (a - start[0])], end] }
    }

    /// Checks the parameters.
    pub fn check(&self) -> Result<(), NozzleError> {
        let lengths = [
            ("throat radius", self.throat_radius),
            ("exit radius", self.exit_radius),
            ("radius of the throat's rounding", self.throat_arc_radius),
            ("length of the bell", self.bell_length),
            ("chamber radius", self.chamber_radius),
            ("length of the chamber", self.chamber_length),
        ];
        if let Some((name, _)) = lengths.iter().find(|(_, x)| !(x.is_finite() && *x > 0.0)) {
            return Err(NozzleError::NotPositive(name));
        }
        let steepest = 80f64.to_radians();
        let angles = [
            ("convergence", self.convergence),
            ("slope where the bell begins", self.divergence_start),
            ("slope where the bell ends", self.divergence_end),
        ];
        if let Some((name, _)) = angles.iter().find(|(_, x)| !(*x > 0.0 && *x < steepest)) {
            return Err(NozzleError::Angle(name));
        }
        let [low, high] = self.cone();
        if self.chamber_radius <= low[1] {
            return Err(NozzleError::Narrow("chamber", self.chamber_radius, low[1]));
        }
        let [start, middle, end] = self.bell().points;
        if end[1] <= start[1] {
            return Err(NozzleError::Narrow("exit", end[1], start[1]));
        }
        // A parabola turns one way only: its control point lies between its ends.
        let rise = ((end[1] - start[1]) / (end[0] - start[0])).arctangent();
        if end[0] <= start[0] || !(middle[0] > start[0] && middle[0] < end[0] && middle[0].is_finite()) {
            let degrees = |x: f64| x.to_degrees();
            let (from, to) = (degrees(self.divergence_start), degrees(self.divergence_end));
            return Err(NozzleError::Bell(from, to, degrees(rise)));
        }
        if -self.chamber_length >= high[0] {
            return Err(NozzleError::Chamber(-high[0]));
        }
        Ok(())
    }

    /// The whole section, chamber to exit.
    pub fn path(&self) -> Path {
        let [_, high] = self.cone();
        let path = Path::from([-self.chamber_length, self.chamber_radius]).line(high);
        self.add_bell(self.add_throat(path))
    }

    /// Cone and throat: the seat of a crown.
    pub fn grip(&self) -> Path {
        self.add_throat(Path::from(self.cone()[1]))
    }

    fn add_throat(&self, path: Path) -> Path {
        path.line(self.cone()[0]).arc([0.0, self.throat_radius], self.bell().points[0])
    }

    fn add_bell(&self, mut path: Path) -> Path {
        let bell = self.bell();
        let (mut p, mut u) = bell.at(0.0);
        for k in 1..=PAIRS {
            let (q, w) = bell.at(k as f64 / PAIRS as f64);
            for (via, to) in biarc(p, u, q, w) {
                path = path.arc(via, to);
            }
            (p, u) = (q, w);
        }
        path
    }
}

/// Two arcs from p to q with unit tangents u and w at the ends, each by a point on it and its end; they join without a corner.
fn biarc(p: Point, u: Point, q: Point, w: Point) -> [(Point, Point); 2] {
    let v = [q[0] - p[0], q[1] - p[1]];
    let dot = |a: Point, b: Point| a[0] * b[0] + a[1] * b[1];
    let (vv, vt) = (dot(v, v), dot(v, [u[0] + w[0], u[1] + w[1]]));
    let bend = 2.0 * (1.0 - dot(u, w));
    let d = vv / (vt + (vt * vt + bend * vv).sqrt());
    let near = [p[0] + d * u[0], p[1] + d * u[1]];
    let far = [q[0] - d * w[0], q[1] - d * w[1]];
    let joint = [0.5 * (near[0] + far[0]), 0.5 * (near[1] + far[1])];
    [(on_arc(p, near, joint), joint), (on_arc(joint, far, q), q)]
}

/// The middle of the arc from p to q whose tangents at both ends meet in `apex`.
fn on_arc(p: Point, apex: Point, q: Point) -> Point {
    let middle = [0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1])];
    let (half, tangent) =
        ((q[0] - p[0]).hypotenuse(q[1] - p[1]) * 0.5, (apex[0] - p[0]).hypotenuse(apex[1] - p[1]));
    // Half the turn φ: cos φ = half/tangent; sagitta = half·tan(φ/2).
    let height = (apex[0] - middle[0]).hypotenuse(apex[1] - middle[1]);
    let sagitta = half * height / (half + tangent);
    let share = if height > 0.0 { sagitta / height } else { 0.0 };
    [middle[0] + share * (apex[0] - middle[0]), middle[1] + share * (apex[1] - middle[1])]
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use touchdown_geometry::revolution::{Section, Side};

    /// Class S400: throat 16.4 mm, exit 244 mm.
    pub(crate) fn s400() -> Nozzle {
        Nozzle {
            throat_radius: 0.0082,
            exit_radius: 0.122,
            throat_arc_radius: 0.008,
            convergence: 45f64.to_radians(),
            divergence_start: 32f64.to_radians(),
            divergence_end: 8f64.to_radians(),
            bell_length: 0.350,
            chamber_radius: 0.025,
            chamber_length: 0.090,
        }
    }

    /// Lines join without a corner but at the chamber; the bell is its parabola, with the given slopes.
    #[test]
    fn section_is_smooth_and_follows_the_parabola() {
        let nozzle = s400();
        nozzle.check().unwrap();
        let [start, middle, end] = nozzle.bell().points;
        // The slopes at both ends of a parabola are those to its control point.
        assert!(
            ((middle[1] - start[1]) / (middle[0] - start[0]) - 32f64.to_radians().tangent()).abs() < 1e-12
        );
        assert!(((end[1] - middle[1]) / (end[0] - middle[0]) - 8f64.to_radians().tangent()).abs() < 1e-12);
        let section = Section::new(&nozzle.path(), Side::Cavity).unwrap();
        for (k, pair) in section.segments().windows(2).enumerate().skip(1) {
            let (u, w) = (pair[0].tangent_at(1.0), pair[1].tangent_at(0.0));
            assert!((u[0] * w[1] - u[1] * w[0]).abs() < 1e-9, "segment {k}");
        }
        for k in 0..=400 {
            let a = start[0] + (end[0] - start[0]) * k as f64 / 400.0;
            let off = section.foot([a, nozzle.bell().radius(a)]).distance;
            assert!(off.abs() < 2e-6, "{a} {off:e}");
        }
    }

    /// Impossible numbers are refused with the reason.
    #[test]
    fn impossible_nozzles_are_refused() {
        let text = |n: Nozzle| n.check().unwrap_err().to_string();
        assert!(text(Nozzle { throat_radius: -0.01, ..s400() }).contains("throat radius must be positive"));
        assert!(text(Nozzle { exit_radius: 0.009, ..s400() }).contains("exit"));
        assert!(text(Nozzle { chamber_radius: 0.0101, ..s400() }).contains("chamber"));
        assert!(text(Nozzle { bell_length: 2.0, ..s400() }).contains("no bell"));
        assert!(text(Nozzle { divergence_end: 0.7, ..s400() }).contains("no bell"));
        assert!(text(Nozzle { chamber_length: 0.01, ..s400() }).contains("behind its cone"));
        assert!(text(Nozzle { convergence: 1.5, ..s400() }).contains("80 degrees"));
    }
}
