//! The underside of a wheel: a cylinder in any attitude over the nodes of the grid.
//!
//! Soil between closely spaced grousers moves with them as a block, which bears and shears at their tips. The
//! limit is the spacing at which the next bar enters the soil before the rim reaches it (Skonieczny, Moreland
//! and Wettergreen, IROS 2012): √((r + h)² − r²). With wider spacing part of the rim bears, and the cylinder
//! lies between rim and tips.

use super::cell::half_plane_fraction;
use super::columns::{Column, Columns};
use super::params::Grousers;
use touchdown_math::{Elementary, Pose, Vec3};

/// A wheel about the y axis of its frame.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Wheel {
    /// Radius of the cylinder that bears, m.
    pub radius: f64,
    /// Radius of the rim itself, and of the tips of its grousers, m.
    pub rim: f64,
    tips: f64,
    pub width: f64,
    /// Scratch: heights over a row of nodes.
    depths: Vec<f64>,
}

/// The rim carries where the cosine of its angle from bottom dead centre is at least this.
const STEEPEST: f64 = 0.05;
/// An axis that leans or turns less than this over the window moves an edge by less than round-off of a cover.
const STRAIGHT: f64 = 1e-12;
/// Half the diagonal of a cell: farther from an edge a cell is whole or empty.
const HALF_DIAGONAL: f64 = std::f64::consts::FRAC_1_SQRT_2;

impl Wheel {
    pub fn new(rim: f64, width: f64, grousers: Option<Grousers>) -> Wheel {
        let filled = |g: Grousers| {
            let apart = std::f64::consts::TAU * rim / f64::from(g.count.max(1));
            let ahead = (g.height * (2.0 * rim + g.height)).sqrt();
            g.height * (ahead / apart).min(1.0)
        };
        let grousers = grousers.filter(|g| g.count > 0);
        let (bars, height) = grousers.map_or((0.0, 0.0), |g| (filled(g), g.height));
        Wheel { radius: rim + bars, rim, tips: rim + height, width, depths: Vec::new() }
    }

    /// Largest distance of any of its points from its centre, m.
    pub fn reach(&self) -> f64 {
        self.radius.hypotenuse(0.5 * self.width)
    }

    /// Height of the lowest point of the wheel, m: of its rim, or of its grousers (one tip is always near it).
    pub fn lowest(&self, X_WS: &Pose) -> f64 {
        let a_z = X_WS.R[(2, 1)];
        X_WS.p.z - self.tips * (1.0 - a_z * a_z).max(0.0).sqrt() - 0.5 * self.width * a_z.abs()
    }

    /// Fills the window of all nodes over which the wheel may lie below `ceiling`, and a ring around it: levels and covers. Slopes
    /// are left to [`Wheel::slope`], because few nodes need them.
    pub fn fill(&mut self, X_WS: &Pose, spacing: f64, ceiling: f64, with_boxes: bool, out: &mut Columns) {
        let tip = self.radius;
        let axis: Vec3 = X_WS.R.column(1).into();
        let flat = (axis.x * axis.x + axis.y * axis.y).sqrt();
        let C = X_WS.p;
        let drop = C.z - ceiling;
        if flat < 0.1 || drop >= tip + self.width || !drop.is_finite() {
            out.reset((0, -1), (0, -1), with_boxes);
            return;
        }
        // Heading: horizontal, across the axis. Half a chord at the ceiling, half a width and the effect of
        // camber.
        let heading = [axis.y / flat, -axis.x / flat];
        let lean = axis.z.abs();
        let deepest = (drop - 0.5 * self.width * lean).max(0.0);
        let along = (tip * tip - deepest * deepest).max(0.0).sqrt();
        let across = 0.5 * self.width * flat + tip * lean;
        let side = [axis.x / flat, axis.y / flat];
        let range = |k: usize, c: f64| {
            // Beyond the sides, a cell is touched whose node is up to half a diagonal away.
            let reach = along * heading[k].abs() + across * side[k].abs() + HALF_DIAGONAL * spacing;
            (((c - reach) / spacing).ceil() as i64 - 1, ((c + reach) / spacing).floor() as i64 + 1)
        };
        out.reset(range(0, C.x), range(1, C.y), with_boxes);
        self.fill_window(&C, &axis, spacing, out);
    }

    fn fill_window(&mut self, C: &Vec3, axis: &Vec3, spacing: f64, out: &mut Columns) {
        let half = 0.5 * self.width;
        let (edge, steepest) = (HALF_DIAGONAL * 1.5 * spacing, STEEPEST * self.radius);
        let (i0, j0, nx) = (out.i0, out.j0, out.nx);
        let simple = out.boxes.is_empty();
        // Upright, along the grid: a row lies at one place along the axis.
        let plain = simple && axis.z.abs() < STRAIGHT && axis.x.abs() < STRAIGHT;
        let mut depths = std::mem::take(&mut self.depths);
        depths.resize(nx, 0.0);
        for j in 0..out.ny {
            let dy = (j0 + j as i64) as f64 * spacing - C.y;
            let first = i0 as f64 * spacing - C.x;
            let row = &mut out.at[j * nx..(j + 1) * nx];
            // Straight rows lie under the same arc.
            if !plain || j == 0 {
                self.row_depths([first, dy], spacing, axis, &mut depths);
            }
            if plain && self.fill_plain_row(C.z, axis.y * dy, spacing, &depths, row) {
                continue;
            }
            // In any attitude, most rows lie between the sides from end to end.
            if simple {
                let (least, most) = self.distances([first, dy], (nx - 1) as f64 * spacing, axis);
                if least - half > edge {
                    continue;
                }
                if most - half < -edge {
                    for (i, (column, t)) in row.iter_mut().zip(&depths).enumerate() {
                        let s = axis.x * (first + i as f64 * spacing) + axis.y * dy + axis.z * t;
                        if s * axis.z - t >= steepest {
                            *column = Column { level: C.z + t, slope: [0.0; 2], cover: 1.0 };
                        }
                    }
                    continue;
                }
            }
            for i in 0..nx {
                let t = depths[i];
                if t.is_nan() {
                    continue;
                }
                let dx = (i0 + i as i64) as f64 * spacing - C.x;
                let s = axis.x * dx + axis.y * dy + axis.z * t;
                let past = s.abs() - half;
                if past > edge || s * axis.z - t < steepest {
                    continue;
                }
                let mut column = Column { level: C.z + t, slope: [0.0; 2], cover: 1.0 };
                if past > -edge {
                    let slope = Wheel::rim_slope([dx, dy, t], axis);
                    column.cover = self.cover(s, slope, axis, spacing);
                    if column.cover <= 0.0 {
                        continue;
                    }
                }
                let k = j * nx + i;
                out.at[k] = column;
                if let Some(covered) = out.boxes.get_mut(k) {
                    *covered = covered_box([dx + C.x, dy + C.y], spacing, column.cover, s, axis);
                }
            }
        }
        self.depths = depths;
    }

    /// Least and greatest distance from the middle of the wheel, along its axis, of what lies over a row of nodes.
    fn distances(&self, first: [f64; 2], length: f64, axis: &Vec3) -> (f64, f64) {
        let from = axis.x * first[0] + axis.y * first[1];
        let to = from + axis.x * length;
        let most = from.abs().max(to.abs());
        let least = if from * to > 0.0 { from.abs().min(to.abs()) } else { 0.0 };
        // Height over or below the centre of any place of the rim so far along the axis, times the lean.
        let lean = axis.z.abs();
        let shift = lean * (self.radius + lean * most) / (1.0 - lean * lean);
        (least - shift, most + shift)
    }

    /// A row at one place s along the axis: all its cells are covered alike.
    fn fill_plain_row(&self, z: f64, s: f64, spacing: f64, depths: &[f64], row: &mut [Column]) -> bool {
        let cover = (0.5 + (0.5 * self.width - s.abs()) / spacing).clamp(0.0, 1.0);
        let narrow = 0.5 * self.width + s.abs() < 0.5 * spacing;
        if narrow {
            return false;
        }
        if cover > 0.0 {
            let steepest = STEEPEST * self.radius;
            for (column, t) in row.iter_mut().zip(depths) {
                if -t >= steepest {
                    *column = Column { level: z + t, slope: [0.0; 2], cover };
                }
            }
        }
        true
    }

    /// Heights of the rim over a row of nodes, relative to the centre; not a number beside the rim. Branch-free, so that the
    /// compiler can do several nodes at once.
    fn row_depths(&self, first: [f64; 2], spacing: f64, axis: &Vec3, depths: &mut [f64]) {
        let (r2, quadratic) = (self.radius * self.radius, 1.0 - axis.z * axis.z);
        let inverse = 1.0 / quadratic;
        let dy = first[1];
        for (i, depth) in depths.iter_mut().enumerate() {
            let dx = first[0] + i as f64 * spacing;
            // Lower root of |C + d + t z − axial part| = r.
            let along = axis.x * dx + axis.y * dy;
            let b = -axis.z * along;
            let c = dx * dx + dy * dy - along * along - r2;
            *depth = -(b + (b * b - quadratic * c).sqrt()) * inverse;
        }
    }

    /// Slopes of the rim at a place relative to the centre.
    #[inline(always)]
    fn rim_slope([dx, dy, t]: [f64; 3], axis: &Vec3) -> [f64; 2] {
        let s = axis.x * dx + axis.y * dy + axis.z * t;
        let inverse = 1.0 / (s * axis.z - t);
        [(dx - s * axis.x) * inverse, (dy - s * axis.y) * inverse]
    }

    /// Slopes of the underside over a node at (x, y) with the column's level.
    #[inline(always)]
    pub fn slope(&self, X_WS: &Pose, x: f64, y: f64, level: f64) -> [f64; 2] {
        let C = X_WS.p;
        Wheel::rim_slope([x - C.x, y - C.y, level - C.z], &X_WS.R.column(1).into())
    }

    /// Part of a cell between the wheel's sides; s is its node's place along the axis.
    #[inline]
    fn cover(&self, s: f64, slope: [f64; 2], axis: &Vec3, spacing: f64) -> f64 {
        // How s grows over the ground plane, per cell.
        let g = [(axis.x + axis.z * slope[0]) * spacing, (axis.y + axis.z * slope[1]) * spacing];
        let (near, far) = (0.5 * self.width - s.abs(), 0.5 * self.width + s.abs());
        let cover = half_plane_fraction(near, g[0], g[1]);
        // Only a wheel narrower than a cell has both sides in it.
        if far < 0.5 * (g[0].abs() + g[1].abs()) {
            return (cover + half_plane_fraction(far, g[0], g[1]) - 1.0).max(0.0);
        }
        cover
    }
}

/// Box of what the wheel covers of a cell, from the covered part and the side at which it ends (axis-aligned wheels: exact).
fn covered_box(node: [f64; 2], spacing: f64, cover: f64, s: f64, axis: &Vec3) -> [f64; 4] {
    let h = 0.5 * spacing;
    let mut covered = [node[0] - h, node[0] + h, node[1] - h, node[1] + h];
    let cut = (1.0 - cover) * spacing;
    let k = if axis.x.abs() > axis.y.abs() { 0 } else { 1 };
    // The uncovered part lies outwards along the axis.
    if (s * axis[k]) > 0.0 {
        covered[2 * k + 1] -= cut
    } else {
        covered[2 * k] += cut
    }
    covered
}
