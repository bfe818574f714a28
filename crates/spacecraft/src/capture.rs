//! The capture tool: a bolt that passes the throat, a shoulder that meets the bell, and a crown that spreads behind the throat and is drawn back.
//!
//! In the frame of the tool: origin in the centre of the ring on which the shoulder meets the bell, z = q
//! forward, into the nozzle. The crown is a wire bent to a circle. It has one drive travel x ≥ 0: it is drawn
//! back by x, and spreads in proportion over the first part of that travel.

use crate::nozzle::Nozzle;
use touchdown_geometry::revolution::{Family, Path, Section, SectionError, Side};
use touchdown_math::{Elementary, Pose, Vec3, rotation};

/// The bolt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bolt {
    /// Radius, m.
    pub radius: f64,
    /// Radius at the end of the lead-in, m.
    pub lead_in_radius: f64,
    /// Where the lead-in begins, q, m.
    pub lead_in_from: f64,
    /// End of the bolt, q, m.
    pub nose: f64,
    /// Radius of its rounded edge, m.
    pub nose_radius: f64,
}

/// The shoulder with the tool's body behind it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shoulder {
    /// Radius of its rounding, m.
    pub arc_radius: f64,
    /// Distance of the rounding's centre from the axis, m.
    pub arc_centre_radius: f64,
    /// Its q, m.
    pub arc_centre: f64,
    /// Radius of the body behind, m.
    pub body_radius: f64,
    /// Rear end of the body, m.
    pub body_length: f64,
}

/// The crown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crown {
    /// Radius of the wire, m.
    pub wire_radius: f64,
    /// Radius of the wire's circle when stowed, m.
    pub stowed_radius: f64,
    /// The same when open, m.
    pub open_radius: f64,
    /// q of the circle when stowed, m.
    pub extended: f64,
    /// Travel of the drive over which it spreads, m.
    pub spread_travel: f64,
    /// Longest travel of the drive, m.
    pub travel: f64,
}

/// A capture tool.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaptureTool {
    /// Bolt.
    pub bolt: Bolt,
    /// Shoulder.
    pub shoulder: Shoulder,
    /// Crown.
    pub crown: Crown,
}

/// Errors of a tool, or of its fit in a nozzle.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CaptureError {
    /// Not a length.
    #[error("{0} must be positive")]
    NotPositive(&'static str),
    /// A part is wider than its passage.
    #[error("the {what} ({radius} m) is wider than the {hole} ({limit} m)")]
    TooWide {
        /// What.
        what: &'static str,
        /// Its radius, m.
        radius: f64,
        /// The passage or seat.
        hole: &'static str,
        /// Radius of that, m.
        limit: f64,
    },
    /// A crown that holds nothing.
    #[error("the open crown ({0} m) is not wider than the throat ({1} m): it cannot hold")]
    HoldsNothing(f64, f64),
    /// Parts in the wrong order.
    #[error("{0}")]
    Order(&'static str),
    /// The crown's section is invalid.
    #[error("the crown is no body of revolution: {0}")]
    Section(#[from] SectionError),
}

impl CaptureTool {
    /// Checks that it is valid and can capture this nozzle.
    pub fn check(&self, nozzle: &Nozzle) -> Result<(), CaptureError> {
        let CaptureTool { bolt, shoulder, crown } = self;
        let lengths = [
            ("bolt radius", bolt.radius),
            ("radius of the lead-in", bolt.lead_in_radius),
            ("place of the lead-in", bolt.lead_in_from),
            ("radius of the nose", bolt.nose_radius),
            ("radius of the shoulder's rounding", shoulder.arc_radius),
            ("distance of the rounding's centre from the axis", shoulder.arc_centre_radius),
            ("radius of the tool's body", shoulder.body_radius),
            ("length of the tool's body", shoulder.body_length),
            ("radius of the crown's wire", crown.wire_radius),
            ("radius of the stowed crown", crown.stowed_radius),
            ("radius of the open crown", crown.open_radius),
            ("travel over which the crown spreads", crown.spread_travel),
        ];
        if let Some((name, _)) = lengths.iter().find(|(_, x)| !(x.is_finite() && *x > 0.0)) {
            return Err(CaptureError::NotPositive(name));
        }
        let ordered = [
            (bolt.lead_in_radius <= bolt.radius, "the lead-in must not be wider than the bolt"),
            (
                bolt.nose_radius <= bolt.lead_in_radius,
                "the bolt's nose cannot be rounder than its lead-in is wide",
            ),
            (bolt.nose - bolt.nose_radius > bolt.lead_in_from, "the bolt must end beyond its lead-in"),
            (
                crown.stowed_radius > crown.wire_radius,
                "the stowed crown's circle must be wider than its wire",
            ),
            (
                crown.open_radius > crown.stowed_radius,
                "the crown cannot open: it is not wider than when stowed",
            ),
            (
                crown.travel > crown.spread_travel,
                "the crown's drive must reach beyond the travel over which it spreads",
            ),
            (crown.extended - crown.travel > 0.0, "the crown is drawn back behind the shoulder"),
            (crown.extended <= bolt.nose, "the crown sits beyond the bolt's end"),
            (
                shoulder.body_radius < shoulder.arc_centre_radius + shoulder.arc_radius,
                "the shoulder must be wider than the body behind it",
            ),
            (
                shoulder.body_radius > shoulder.arc_centre_radius,
                "the body must reach the shoulder's rounding",
            ),
            (shoulder.arc_centre_radius > bolt.radius, "the shoulder must be wider than the bolt"),
        ];
        if let Some((_, why)) = ordered.iter().find(|(good, _)| !good) {
            return Err(CaptureError::Order(why));
        }
        let throat = nozzle.throat_radius;
        let open = crown.open_radius + crown.wire_radius;
        let widths = [
            ("bolt", bolt.radius, "throat", throat),
            ("stowed crown", crown.stowed_radius + crown.wire_radius, "throat", throat),
            ("open crown", open, "chamber", nozzle.chamber_radius),
            (
                "tool's shoulder",
                shoulder.arc_centre_radius + shoulder.arc_radius,
                "nozzle's exit",
                nozzle.exit_radius,
            ),
        ];
        for (what, radius, hole, limit) in widths {
            if radius >= limit {
                return Err(CaptureError::TooWide { what, radius, hole, limit });
            }
        }
        if open <= throat {
            return Err(CaptureError::HoldsNothing(open, throat));
        }
        self.crown.family().map(|_| ())
    }
}

impl Bolt {
    /// Its section, from the shoulder's plane to its nose.
    pub fn path(&self) -> Path {
        let (r, q) = (self.nose_radius, self.nose);
        let flat = self.lead_in_radius - r;
        let diagonal = std::f64::consts::FRAC_1_SQRT_2 * r;
        let mut path = Path::from([0.0, self.radius])
            .line([self.lead_in_from, self.radius])
            .line([q - r, self.lead_in_radius])
            .arc([q - r + diagonal, flat + diagonal], [q, flat]);
        if flat > 0.0 {
            path = path.line([q, 0.0]);
        }
        path
    }
}

impl Shoulder {
    /// Its section, from the end of the body to its front face.
    pub fn path(&self, bolt: &Bolt) -> Path {
        let (r, c, q) = (self.arc_radius, self.arc_centre_radius, self.arc_centre);
        let above = self.body_radius - c;
        let start = [q - (r * r - above * above).sqrt(), self.body_radius];
        let diagonal = std::f64::consts::FRAC_1_SQRT_2 * r;
        Path::from([q - self.body_length, self.body_radius])
            .line(start)
            .arc([q + diagonal, c + diagonal], [q + r, c])
            .line([q + r, bolt.radius])
    }

    /// How far the tool can go on along its own axis until its shoulder's rounding touches the wall of a nozzle, m, at most `limit`; negative where it penetrates. `X_NT`: the
    /// shoulder in the nozzle. The rounding is a ball that runs around the axis: it may go on by its distance from the wall, again and again.
    pub fn free_travel(&self, cavity: &Section, X_NT: &Pose, limit: f64) -> f64 {
        /// Balls around the axis: between two the ring is 1 − cos 2.5° of its radius lower, 0.03 mm.
        const AROUND: u32 = 72;
        /// A ball this near touches, m.
        const TOUCHES: f64 = 1e-7;
        const STEPS: usize = 200;
        let forward = X_NT.R * Vec3::z();
        let free = |k: u32| {
            let (s, c) = (std::f64::consts::TAU * f64::from(k) / f64::from(AROUND)).sine_cosine();
            let ring = self.arc_centre_radius;
            let start = X_NT.point(&Vec3::new(ring * c, ring * s, self.arc_centre));
            let mut travel = 0.0;
            for _ in 0..STEPS {
                let p = start + forward * travel;
                let clearance = cavity.distance([p.z, p.x.hypotenuse(p.y)]) - self.arc_radius;
                travel += clearance;
                if clearance < TOUCHES || travel > limit {
                    break;
                }
            }
            travel
        };
        (0..AROUND).map(free).fold(limit, f64::min)
    }

    /// Where its shoulder touches a nozzle whose throat it goes through the middle of, leaning by an angle (rad): place of its origin on its own axis from the throat, m.
    pub fn seat(&self, cavity: &Section, lean: f64, from: f64) -> f64 {
        let into = rotation::exp(&Vec3::new(0.0, std::f64::consts::PI - lean, 0.0));
        let R = into.to_rotation_matrix().into_inner();
        let X_NT = Pose { R, p: R * Vec3::z() * -from };
        from - self.free_travel(cavity, &X_NT, from)
    }
}

impl Crown {
    /// Its sections over the travel of its drive, m: stowed, spread, drawn back.
    pub fn family(&self) -> Result<Family, CaptureError> {
        let member = |x: f64| {
            let (r, q) = (self.circle_radius(x), self.extended - x);
            let t = self.wire_radius;
            (x, Path::from([q - t, r]).arc([q, r + t], [q + t, r]).arc([q, r - t], [q - t, r]))
        };
        Ok(Family::new([0.0, self.spread_travel, self.travel].map(member).to_vec(), Side::Solid)?)
    }

    /// Radius of the wire's circle after a travel of the drive, m.
    pub fn circle_radius(&self, x: f64) -> f64 {
        let share = (x / self.spread_travel).clamp(0.0, 1.0);
        self.stowed_radius + share * (self.open_radius - self.stowed_radius)
    }
}

/// Penetration of a ring contact, m: a wire or shoulder of radius R in the section presses with the axial force F on a cone of slope α along a circle of
/// radius ρ; layer stiffness c. From F/sin α = c 2πρ (4/3) s √(2Rs).
pub fn ring_penetration(force: f64, slope: f64, circle: f64, radius: f64, layer: f64) -> f64 {
    let per_area = layer * std::f64::consts::TAU * circle * (4.0 / 3.0) * (2.0 * radius).sqrt();
    (force / (slope.sine() * per_area)).power(2.0 / 3.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nozzle::tests::s400;
    use touchdown_geometry::revolution::Section;

    fn tool() -> CaptureTool {
        CaptureTool {
            bolt: Bolt {
                radius: 0.0076,
                lead_in_radius: 0.0070,
                lead_in_from: 0.072,
                nose: 0.090,
                nose_radius: 0.004,
            },
            shoulder: Shoulder {
                arc_radius: 0.010,
                arc_centre_radius: 0.031009,
                arc_centre: -0.004378,
                body_radius: 0.0405,
                body_length: 0.30,
            },
            crown: Crown {
                wire_radius: 0.0015,
                stowed_radius: 0.0055,
                open_radius: 0.0120,
                extended: 0.08165,
                spread_travel: 0.010,
                travel: 0.018,
            },
        }
    }

    /// The shoulder meets the bell on its ring at q = 0, r = 40 mm, tangentially; the open crown meets the cone at r = 13.06 mm.
    #[test]
    fn parts_meet_where_the_drawing_says() {
        let (tool, nozzle) = (tool(), s400());
        tool.check(&nozzle).unwrap();
        let shoulder = Section::new(&tool.shoulder.path(&tool.bolt), Side::Solid).unwrap();
        assert!(shoulder.foot([0.0, 0.040]).distance.abs() < 1e-6);
        let cavity = Section::new(&nozzle.path(), Side::Cavity).unwrap();
        // The tool looks against the nozzle's axis: a = seat − q. Seated, the shoulder's rounding is one radius from the wall.
        let seat = 0.05965;
        let centre = [seat - tool.shoulder.arc_centre, tool.shoulder.arc_centre_radius];
        assert!(
            (cavity.distance(centre) - tool.shoulder.arc_radius).abs() < 2e-5,
            "{}",
            cavity.distance(centre)
        );
        let circle = tool.crown.circle_radius(tool.crown.travel);
        let a = -0.00923;
        assert!((cavity.distance([a, circle]) - tool.crown.wire_radius).abs() < 2e-5);
    }

    /// A tool that leans by θ in the throat touches with one side of its shoulder first. To first order the ball of the rounding, d = 64 mm before the throat and r = 31 mm beside
    /// the axis, moves outwards by d θ and inwards by r θ; along a wall of slope β that is made up for by going back by θ (d cot β + r): 2.8 mm at 1°. The wall gets flatter
    /// outwards: second order, a tenth of it at 2°.
    #[test]
    fn a_leaning_shoulder_touches_earlier() {
        let (tool, nozzle) = (tool(), s400());
        let cavity = Section::new(&nozzle.path(), Side::Cavity).unwrap();
        let seat = |degrees: f64| tool.shoulder.seat(&cavity, degrees.to_radians(), nozzle.bell_length);
        assert!((seat(0.0) - 0.05965).abs() < 2e-5, "{}", seat(0.0));
        let s = &tool.shoulder;
        let (d, r) = (0.05965 - s.arc_centre, s.arc_centre_radius);
        // Where the shoulder meets the bell, on a ring of 40 mm, the wall's normal is that of the rounding.
        let out = (0.040 - r) / s.arc_radius;
        let slope = out.acos();
        let first = |degrees: f64| degrees.to_radians() * (d / slope.tan() + r);
        for degrees in [0.1, 0.5, 1.0, 2.0] {
            let found = seat(degrees) - seat(0.0);
            let second = 0.05 * degrees * first(degrees);
            assert!((found - first(degrees)).abs() < second + 2e-5, "{degrees}: {found} {}", first(degrees));
        }
        // On the mark of an upright tool, 2 mm before its seat, one that leans by 2° would be 4 mm beyond where it touches: no leaning tool is ever there.
        let at_mark = seat(0.0) + 0.002 - seat(2.0);
        assert!(at_mark < -3.5e-3, "{at_mark}");
    }

    /// Spread and retraction run together, then retraction alone; the wire keeps its thickness.
    #[test]
    fn crown_spreads_while_it_is_drawn_back() {
        let crown = tool().crown;
        let family = crown.family().unwrap();
        for (x, r) in [(0.0, 0.0055), (0.005, 0.00875), (0.010, 0.012), (0.015, 0.012)] {
            let section = family.at(x).section;
            let centre = [crown.extended - x, r];
            for k in 0..8 {
                let (s, c) = (0.785 * f64::from(k)).sin_cos();
                let p = [centre[0] + crown.wire_radius * c, centre[1] + crown.wire_radius * s];
                assert!(section.distance(p).abs() < 1e-12, "{x} {k} {}", section.distance(p));
            }
        }
    }

    /// Invalid tools are refused with the reason.
    #[test]
    fn impossible_tools_are_refused() {
        let text = |change: &dyn Fn(&mut CaptureTool)| {
            let mut changed = tool();
            change(&mut changed);
            changed.check(&s400()).unwrap_err().to_string()
        };
        assert!(text(&|t| t.bolt.radius = 0.009).contains("wider than the throat"));
        assert!(text(&|t| t.crown.open_radius = 0.0065).contains("cannot hold"));
        assert!(text(&|t| t.crown.open_radius = 0.005).contains("cannot open"));
        assert!(text(&|t| t.crown.open_radius = 0.024).contains("wider than the chamber"));
        assert!(text(&|t| t.crown.wire_radius = -0.001).contains("must be positive"));
        assert!(text(&|t| t.shoulder.arc_centre_radius = 0.12).contains("body must reach"));
    }
}
