//! Rings: the rims of a cylinder and the circle in the middle of a torus's tube. Where such a body lies flat,
//! or two cylinders side by side, the whole ring or line is closest instead of a single point; a few points
//! of the rings then carry the load. Poses ⇒ facing points; no memory.
//!
//! A ring touches with four points, each a ball as thick as the ring: one where the ring is lowest, the
//! others a quarter of a turn apart. Over a plane their depths are s + ρ cos ψ, s − ρ cos ψ, s ± ρ sin ψ with
//! ψ = 0 by choice; as long as all four touch, the sum of their energies k/2 Σ sᵢ² = 2k (s² + ρ²/2) does not
//! depend on the position of the first one. They may then be points fixed to the body, and force and moment
//! stay continuous through ρ = 0, where no point is lowest. If only one touches, it is the closest
//! point itself: rolling cylinders and coins on edge are free of corners.

use super::detect::Found;
use super::sides::Second;
use super::track::{Facing, Lost, matrix, tangential, track_ball};
use super::{SurfaceMotion, SurfacePair};
use nalgebra::Matrix2;
use touchdown_geometry::surface::{BodySurface, EDGE, HeightForm, Patch, Surface};
use touchdown_math::{Elementary, Pose, Vec3};

/// Points of a ring.
pub(super) const STATIONS: u32 = 4;
/// Newton steps to the lowest point of a ring over ground that is not plane.
const STEPS: usize = 20;
/// Largest turn of a step, rad.
const MOST_TURN: f64 = 0.3;
/// A turn below this has converged, rad.
const ARRIVED: f64 = 1e-11;
/// Cosine between the axes of two cylinders below which they touch in a point, not along a line.
const ALONG: f64 = 0.5;
/// Two cylinders are side by side if their common length is this many times their overlap across it.
const BESIDE: f64 = 2.0;

/// A ring about the z axis of a side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ring {
    /// The side that has it.
    side: usize,
    /// Of the circle in the middle of it, m.
    radius: f64,
    /// Of the material about that circle, m.
    tube: f64,
    /// Its place along the axis, m.
    height: f64,
    /// Mean curvature for Hertz's law, 1/m: an edge carries like a ball as large as its cylinder.
    pub curvature: f64,
}

/// The rings of a pair. For two cylinders those of the second come first; a cylinder needs none against a
/// ball, because the closest point of a ball is unique.
pub(super) fn rings(one: &Surface, two: &Second) -> Vec<Ring> {
    let mut all = Vec::new();
    let mut add = |side: usize, body: &BodySurface| match body {
        BodySurface::Torus { radius, tube } => {
            let curvature = 1.0 / (radius * tube).sqrt();
            all.push(Ring { side, radius: *radius, tube: *tube, height: 0.0, curvature });
        }
        BodySurface::Cylinder { radius, half_length } => {
            let tube = EDGE * radius.min(*half_length);
            for end in [-1.0, 1.0] {
                let height = end * (half_length - tube);
                all.push(Ring { side, radius: radius - tube, tube, height, curvature: 1.0 / radius });
            }
        }
        _ => {}
    };
    let Second::Surface(Surface::Body(second)) = two else { return all };
    add(1, second);
    if let Surface::Body(first) = one {
        let ball = matches!(second, BodySurface::Sphere { .. });
        if !(ball && matches!(first, BodySurface::Cylinder { .. })) {
            add(0, first);
        }
    }
    all
}

/// Public data of a candidate: its feature, its places on both sides, its gap.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standing {
    pub feature: u32,
    pub places: [Vec3; 2],
    pub gap: f64,
}

impl Ring {
    fn is_torus(&self) -> bool {
        self.tube > 2.0 * EDGE * self.radius
    }
}

/// Relative position of two cylinders.
enum Lie {
    /// Side by side: from here to there on the axis of the second one, m.
    Beside([f64; 2]),
    Otherwise,
}

impl SurfacePair {
    /// The number under which a candidate at a point of a ring is kept.
    pub(super) fn station(ring: usize, station: u32) -> u32 {
        1 + STATIONS * ring as u32 + station
    }

    /// The ring and point behind a number, where it is one.
    #[inline]
    pub(super) fn ring_of(&self, feature: u32) -> Option<(usize, u32)> {
        if self.rings.is_empty() || feature == 0 {
            return None;
        }
        let (ring, station) = ((feature - 1) / STATIONS, (feature - 1) % STATIONS);
        Some((ring as usize, station))
    }

    /// Whether other candidates replace this one. Closest points are replaced by the ends of a line along
    /// which cylinders touch, and by the ring of a torus over a plane, which contains the closest point;
    /// elsewhere points of a torus's ring are replaced by a closest point within an eighth of a turn.
    pub(super) fn gives_way(&self, sides: &[SurfaceMotion; 2], own: &Standing, all: &[Standing]) -> bool {
        let plane = matches!(&self.one, Surface::Height(h) if matches!(h.form(), HeightForm::Plane { .. }));
        let Some((ring, _)) = self.ring_of(own.feature) else {
            let touches = |c: &Standing| self.ring_of(c.feature).is_some() && c.gap < 0.0;
            let beside = || matches!(self.lie([&sides[0].X_WS, &sides[1].X_WS]), Lie::Beside(_));
            return plane || (all.iter().any(touches) && beside());
        };
        let Some(ring) = self.rings.get(ring).filter(|ring| ring.is_torus() && !plane) else { return false };
        let towards = |c: &Standing| {
            let p = c.places[ring.side];
            Vec3::new(p.x, p.y, 0.0).normalize()
        };
        let closest = |c: &&Standing| self.ring_of(c.feature).is_none();
        all.iter().filter(closest).any(|c| towards(c).dot(&towards(own)) > std::f64::consts::FRAC_1_SQRT_2)
    }

    /// Adds the points of rings that are near and have no slot yet.
    pub(super) fn search_rings(
        &self,
        poses: [&Pose; 2],
        known: &[(u32, Vec3)],
        patches: &mut [Option<Patch>; 2],
        found: &mut Vec<Found>,
    ) {
        for (ring, station) in (0..self.rings.len()).flat_map(|r| (0..STATIONS).map(move |s| (r, s))) {
            let feature = Self::station(ring, station);
            if known.iter().any(|(k, _)| *k == feature) {
                continue;
            }
            if let Ok(facing) = self.follow_ring(poses, (ring, station), patches)
                && facing.gap < self.options.threshold
            {
                found.push(Found { feature, facing });
            }
        }
    }

    fn lie(&self, [X1, X2]: [&Pose; 2]) -> Lie {
        let (
            Surface::Body(BodySurface::Cylinder { radius: r1, half_length: a1 }),
            Second::Surface(Surface::Body(BodySurface::Cylinder { radius: r2, half_length: a2 })),
        ) = (&self.one, &self.two)
        else {
            return Lie::Otherwise;
        };
        let X_21 = X2.inverse().compose(X1);
        let axis: Vec3 = X_21.R.column(2).into();
        if axis.z.abs() < ALONG {
            return Lie::Otherwise;
        }
        let ends = [-*a1, *a1].map(|z| X_21.p.z + axis.z * z);
        let (low, high) = (ends[0].min(ends[1]).max(-a2), ends[0].max(ends[1]).min(*a2));
        // Distance between the axes in the middle of their common length.
        let z = (0.5 * (low + high) - X_21.p.z) / axis.z;
        let across = X_21.p + axis * z;
        let overlap = (r1 + r2 - across.x.hypotenuse(across.y)).max(0.0);
        if high - low > BESIDE * overlap && high > low { Lie::Beside([low, high]) } else { Lie::Otherwise }
    }

    /// The point of a ring that faces the other side, independent of its previous position.
    pub(super) fn follow_ring(
        &self,
        poses: [&Pose; 2],
        (ring, station): (usize, u32),
        patches: &mut [Option<Patch>; 2],
    ) -> Result<Facing, Lost> {
        let Some(mut shape) = self.rings.get(ring).copied() else { return Err(Lost::Elsewhere) };
        let mut round = false;
        if let Lie::Beside(span) = self.lie(poses) {
            if shape.side == 0 {
                return Err(Lost::Elsewhere);
            }
            (shape.height, round) = (span[ring % 2], true);
        }
        let other = if shape.side == 1 { Some(&self.one) } else { self.two.surface() };
        let Some(other) = other else { return Err(Lost::Elsewhere) };
        // Relative to the side without the ring.
        let poses = if shape.side == 1 { poses } else { [poses[1], poses[0]] };
        let over = Over { other, ring: shape, poses, round };
        let facing = over.facing(station, &mut patches[0])?;
        Ok(if shape.side == 1 { facing } else { facing.turned_about() })
    }
}

/// A ring over the other side.
struct Over<'a> {
    other: &'a Surface,
    ring: Ring,
    /// Of the other side, of the ring's.
    poses: [&'a Pose; 2],
    /// Whether only the round side of the other, a cylinder, counts.
    round: bool,
}

impl Over<'_> {
    fn facing(&self, station: u32, patch: &mut Option<Patch>) -> Result<Facing, Lost> {
        let mut lowest = self.downward()?;
        let flat = matches!(self.other, Surface::Height(h) if matches!(h.form(), HeightForm::Plane { .. }));
        if !flat {
            lowest = self.settle(lowest, patch)?;
        }
        // If all four touch, they are fixed to the body, so that friction keeps its places; a single one
        // moves around the ring as it turns.
        let all_touch = self.track([-lowest[0], -lowest[1]], patch)?.gap < 0.0;
        let [c, s] = if all_touch { [1.0, 0.0] } else { lowest };
        let towards = [[c, s], [-s, c], [-c, -s], [s, -c]][(station % STATIONS) as usize];
        let mut facing = self.track(towards, patch)?;
        if station == 0 && !all_touch {
            self.bend(&mut facing, lowest);
        }
        Ok(facing)
    }

    fn centre(&self, [c, s]: [f64; 2]) -> Vec3 {
        Vec3::new(self.ring.radius * c, self.ring.radius * s, self.ring.height)
    }

    fn track(&self, towards: [f64; 2], patch: &mut Option<Patch>) -> Result<Facing, Lost> {
        let centre = self.centre(towards);
        if self.round
            && let Surface::Body(BodySurface::Cylinder { .. }) = self.other
        {
            return Ok(super::track::beside_cylinder(self.other, (&centre, self.ring.tube), self.poses));
        }
        let [X1, X2] = self.poses;
        let above = X1.R.tr_mul(&(X2.point(&centre) - X1.p));
        let start = match self.other {
            Surface::Height(_) => above,
            Surface::Body(body) => body.onto(&above),
        };
        track_ball(self.other, (&centre, self.ring.tube), self.poses, &start, patch)
    }

    /// Where the ring is lowest over the tangent plane of the other side near its middle; along x where it lies level.
    fn downward(&self) -> Result<[f64; 2], Lost> {
        let [X1, X2] = self.poses;
        let middle = X1.R.tr_mul(&(X2.point(&Vec3::new(0.0, 0.0, self.ring.height)) - X1.p));
        let normal = match self.other {
            Surface::Height(height) => height
                .jet(middle.x, middle.y)
                .map_err(|why| Lost::Ground(why, [middle.x, middle.y]))?
                .normal(),
            Surface::Body(body) => match body.nearest(&middle).filter(|_| !self.round) {
                Some(at) => at.normal(),
                None => body.point(&body.onto(&middle)).normal(),
            },
        };
        let down = -X2.R.tr_mul(&(X1.R * normal));
        let length = down.x.hypotenuse(down.y);
        Ok(if length > LEVEL { [down.x / length, down.y / length] } else { [1.0, 0.0] })
    }

    /// Turns to the lowest point of the ring over curved ground, by Newton's method on the distance.
    fn settle(&self, mut towards: [f64; 2], patch: &mut Option<Patch>) -> Result<[f64; 2], Lost> {
        for _ in 0..STEPS {
            let facing = self.track(towards, patch)?;
            let (around, outward) = self.axes(towards);
            let n: Vec3 = facing.frame_W.column(2).into();
            let radius = self.ring.radius;
            let slope = radius * n.dot(&around);
            let q = tangential(&facing.frame_W, &around);
            let spread = Matrix2::identity() + facing.K[0] * (facing.gap + self.ring.tube);
            let bend = spread.try_inverse().map_or(0.0, |inverse| q.dot(&(facing.K[0] * inverse * q)));
            let curve = radius * radius * bend - radius * n.dot(&outward);
            if slope.abs() < ARRIVED * radius {
                break;
            }
            let turn = if curve > 0.0 {
                (-slope / curve).clamp(-MOST_TURN, MOST_TURN)
            } else {
                MOST_TURN.copysign(-slope)
            };
            let (s, c) = turn.sine_cosine();
            towards = [c * towards[0] - s * towards[1], s * towards[0] + c * towards[1]];
            if turn.abs() < ARRIVED {
                break;
            }
        }
        Ok(towards)
    }

    /// Directions around and outward at a point of the ring, world axes.
    fn axes(&self, [c, s]: [f64; 2]) -> (Vec3, Vec3) {
        (self.poses[1].R * Vec3::new(-s, c, 0.0), self.poses[1].R * Vec3::new(c, s, 0.0))
    }

    /// Gives a facing point the curvature of the ring along itself in place of the ball's.
    fn bend(&self, facing: &mut Facing, towards: [f64; 2]) {
        let (around, outward) = self.axes(towards);
        let n: Vec3 = facing.frame_W.column(2).into();
        let out = -n.dot(&outward);
        let along = out / (self.ring.radius + self.ring.tube * out);
        let q = tangential(&facing.frame_W, &around);
        let relative = along + q.dot(&(facing.K[0] * q));
        if relative * self.ring.radius > LEVEL {
            facing.K[1] += q * q.transpose() * (along - 1.0 / self.ring.tube);
        }
    }
}

/// Sine of the tilt below which a ring is level: round-off of the poses.
const LEVEL: f64 = 1e-12;

impl Facing {
    /// The same points with the sides exchanged.
    fn turned_about(&self) -> Facing {
        let [t1, t2, n]: [Vec3; 3] = [0, 1, 2].map(|k| self.frame_W.column(k).into());
        let swap = |K: &Matrix2<f64>| matrix([K[(1, 1)], K[(1, 0)], K[(0, 0)]]);
        Facing {
            places: [self.places[1], self.places[0]],
            p_W: self.p_W + n * self.gap,
            frame_W: touchdown_math::Mat3::from_columns(&[t2, t1, -n]),
            gap: self.gap,
            K: [swap(&self.K[1]), swap(&self.K[0])],
        }
    }
}
