//! The soil as the run left it: `soil.parquet` ⇒ shaded strips of surface, true to scale.
//!
//! Level ground is one polygon with a gradient; only cells that were changed are drawn on it, strip by strip along x, cells of about
//! the same colour as one polygon. Their order hides what is hidden, for an eye that stands at smaller x and y than all of them.

use super::camera::Camera;
use super::light::{self, Colour, SUN, Shadows};
use super::svg::Svg;
use std::ops::Range;
use std::path::Path;
use touchdown_math::Vec3;
use touchdown_record::read_series;

const SOIL: Colour = [0.890, 0.700, 0.500];
/// Changes of height too small to be seen, m.
const VISIBLE: f64 = 2e-4;
/// Colours that differ by less look the same.
const SAME: f64 = 0.008;

/// No heap that wheels push up is higher than this, m.
pub const HEAP: f64 = 0.08;

/// Heights on a grid; level beyond it.
pub struct Ground {
    spacing: f64,
    /// Grid indices of the first node.
    first: (i64, i64),
    nx: usize,
    ny: usize,
    heights: Vec<f64>,
    /// Sun on each node, 0 or 1.
    sun: Vec<f64>,
    level: f64,
}

impl Ground {
    pub fn read(dir: &Path) -> Result<Ground, String> {
        let file = dir.join("soil.parquet");
        let nodes = read_series(&file).map_err(|e| e.to_string())?;
        let column = |name: &str| {
            let values = nodes.column(name).filter(|values| !values.is_empty());
            values.ok_or_else(|| format!("{} has no {name}", file.display()))
        };
        let (x, y, height) = (column("x_m")?, column("y_m")?, column("height_m")?);
        let steps = x.windows(2).map(|w| (w[1] - w[0]).abs());
        let spacing = steps.filter(|step| *step > 1e-6).fold(f64::INFINITY, f64::min);
        if !spacing.is_finite() {
            return Err(format!("{} has a single node", file.display()));
        }
        let index = |at: f64| (at / spacing).round() as i64;
        let range = |at: &[f64]| {
            let (least, most) =
                at.iter().fold((i64::MAX, i64::MIN), |(l, m), at| (l.min(index(*at)), m.max(index(*at))));
            (least, (most - least + 1) as usize)
        };
        let ((i0, nx), (j0, ny)) = (range(x), range(y));
        let level = column("undisturbed_m")?[0];
        let mut heights = vec![level; nx * ny];
        for ((x, y), height) in x.iter().zip(y).zip(height) {
            heights[(index(*y) - j0) as usize * nx + (index(*x) - i0) as usize] = *height;
        }
        Ok(Ground { spacing, first: (i0, j0), nx, ny, sun: vec![1.0; nx * ny], heights, level })
    }

    /// The nearest column and row of nodes.
    pub fn column(&self, x: f64) -> usize {
        ((x / self.spacing).round() as i64 - self.first.0).clamp(0, self.nx as i64 - 1) as usize
    }

    pub fn row(&self, y: f64) -> usize {
        ((y / self.spacing).round() as i64 - self.first.1).clamp(0, self.ny as i64 - 1) as usize
    }

    pub fn columns(&self) -> usize {
        self.nx - 1
    }

    pub fn rows(&self) -> usize {
        self.ny - 1
    }

    fn node(&self, i: usize, j: usize) -> Vec3 {
        let at = |first: i64, k: usize| (first + k as i64) as f64 * self.spacing;
        Vec3::new(at(self.first.0, i), at(self.first.1, j), self.heights[j * self.nx + i])
    }

    /// A wheel and the soil beside it share the cells that its sides cut: their mean height is that of neither. The soil beside
    /// reaches up to the wheel. Returns the greatest height that is not drawn, m.
    pub fn join_sides(&mut self, columns: Range<usize>, near: usize, far: usize) -> f64 {
        let mut left_out = self.level;
        for i in columns {
            for (side, beside) in [(near, near.saturating_sub(1)), (far, (far + 1).min(self.ny - 1))] {
                left_out = left_out.max(self.heights[side * self.nx + i]);
                self.heights[side * self.nx + i] = self.heights[beside * self.nx + i];
            }
        }
        left_out
    }

    /// Finds the nodes that the sun does not reach, behind something or behind the ground itself.
    pub fn darken(&mut self, shadows: &Shadows) {
        for j in 0..self.ny {
            for i in 0..self.nx {
                let p = self.node(i, j);
                let dark = shadows.cover(&p) || self.hides_sun(&p);
                self.sun[j * self.nx + i] = if dark { 0.0 } else { 1.0 };
            }
        }
    }

    fn hides_sun(&self, p: &Vec3) -> bool {
        let step = SUN * (self.spacing / SUN.x.hypot(SUN.y));
        let reach = (HEAP / step.z) as u32;
        (1..reach).any(|k| {
            let q = p + step * f64::from(k);
            let inside = |at: f64, first: i64, n: usize| {
                let k = (at / self.spacing).round() as i64 - first;
                (0..n as i64).contains(&k)
            };
            inside(q.x, self.first.0, self.nx)
                && inside(q.y, self.first.1, self.ny)
                && self.heights[self.row(q.y) * self.nx + self.column(q.x)] > q.z + 1e-3
        })
    }

    /// Level ground and the shadow on it. `frame`: left, top, right, bottom.
    pub fn draw_level(&self, svg: &mut Svg, camera: &Camera, shadows: &Shadows, frame: [f64; 4]) {
        let [left, top, right, bottom] = frame;
        let gradient = |svg: &mut Svg, name: &str, sun: f64| {
            let lit = light::lit(SOIL, &Vec3::z(), sun, 1.0);
            let stops = (0..=8).map(|k| f64::from(k) / 8.0).map(|part| {
                let below = top + part * (bottom - top) - camera.horizon();
                (part, light::hex(light::hazy(lit, below)))
            });
            svg.gradient(name, (top, bottom), &stops.collect::<Vec<_>>())
        };
        let bright = gradient(svg, "bright", 1.0);
        svg.form(&[vec![(left, top), (right, top), (right, bottom), (left, bottom)]], &bright);
        let dark = gradient(svg, "dark", 0.0);
        let outlines: Vec<_> = shadows.on_level(self.level).map(|o| camera.on_page(&o)).collect();
        svg.form(&outlines, &dark);
    }

    /// Draws the cells of some rows and columns, far ones first.
    pub fn draw(&self, svg: &mut Svg, camera: &Camera, columns: Range<usize>, rows: Range<usize>) {
        for j in rows.rev() {
            let mut strip: Option<Strip> = None;
            for i in columns.clone().rev() {
                let cell = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)];
                let colour = self.colour(&cell, camera);
                if let (Some(open), Some(colour)) = (&mut strip, colour)
                    && open.takes(colour)
                {
                    open.add(self.node(i, j), self.node(i, j + 1));
                    continue;
                }
                strip.take().into_iter().for_each(|done| done.draw(svg, camera));
                strip = colour.map(|colour| {
                    let mut fresh = Strip { colour, near: Vec::new(), far: Vec::new() };
                    fresh.add(self.node(i + 1, j), self.node(i + 1, j + 1));
                    fresh.add(self.node(i, j), self.node(i, j + 1));
                    fresh
                });
            }
            strip.into_iter().for_each(|done| done.draw(svg, camera));
        }
    }

    /// Normal over a cell and its neighbours, so that the grid does not show.
    fn normal(&self, (i, j): (usize, usize)) -> Vec3 {
        let (i0, j0) = (i.saturating_sub(1), j.saturating_sub(1));
        let (i1, j1) = ((i + 2).min(self.nx - 1), (j + 2).min(self.ny - 1));
        let across = |a: (usize, usize), b: (usize, usize)| self.node(b.0, b.1) - self.node(a.0, a.1);
        across((i0, j0), (i1, j1)).cross(&across((i1, j0), (i0, j1))).normalize()
    }

    /// Part of the sky over a cell: hollows are darker, crests brighter than level ground.
    fn sky(&self, (i, j): (usize, usize)) -> f64 {
        /// Nodes on each side, and what a height below their mean takes from the sky, 1/m.
        const REACH: usize = 8;
        const DARKER: f64 = 14.0;
        let columns = i.saturating_sub(REACH)..(i + REACH + 1).min(self.nx);
        let rows = j.saturating_sub(REACH)..(j + REACH + 1).min(self.ny);
        let count = (columns.len() * rows.len()) as f64;
        let sum: f64 = rows.map(|j| self.heights[j * self.nx..][columns.clone()].iter().sum::<f64>()).sum();
        1.0 - DARKER * (sum / count - self.heights[j * self.nx + i])
    }

    /// The colour of a cell; none where the ground is as it was or looks away.
    fn colour(&self, cell: &[(usize, usize); 4], camera: &Camera) -> Option<Colour> {
        let [a, b, c, d] = cell.map(|(i, j)| self.node(i, j));
        if [a, b, c, d].iter().all(|p| (p.z - self.level).abs() < VISIBLE) {
            return None;
        }
        if (c - a).cross(&(d - b)).dot(&(camera.eye - a)) <= 0.0 {
            return None;
        }
        let normal = self.normal(cell[0]);
        let sun = cell.iter().map(|(i, j)| self.sun[j * self.nx + i]).sum::<f64>() / 4.0;
        let below = camera.project(&a).1 - camera.horizon();
        Some(light::hazy(light::lit(SOIL, &normal, sun, self.sky(cell[0])), below))
    }
}

/// Neighbouring cells of about one colour, and their edges at smaller and larger y.
struct Strip {
    colour: Colour,
    near: Vec<Vec3>,
    far: Vec<Vec3>,
}

impl Strip {
    fn takes(&self, colour: Colour) -> bool {
        self.colour.iter().zip(colour).all(|(a, b)| (a - b).abs() < SAME)
    }

    fn add(&mut self, near: Vec3, far: Vec3) {
        self.near.push(near);
        self.far.push(far);
    }

    fn draw(self, svg: &mut Svg, camera: &Camera) {
        let mut outline = straightened(&camera.on_page(&self.near));
        outline.extend(straightened(&camera.on_page(&self.far)).iter().rev());
        svg.polygon(&outline, &light::hex(self.colour));
    }
}

/// A line without the points that lie between their neighbours as far as the eye can tell.
fn straightened(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    const VISIBLE: f64 = 0.15;
    let mut kept: Vec<(f64, f64)> = Vec::new();
    for (i, p) in points.iter().enumerate() {
        if let (Some(last), Some(next)) = (kept.last(), points.get(i + 1)) {
            let (dx, dy) = (next.0 - last.0, next.1 - last.1);
            let aside = (dx * (p.1 - last.1) - dy * (p.0 - last.0)) / dx.hypot(dy).max(1e-9);
            if aside.abs() < VISIBLE {
                continue;
            }
        }
        kept.push(*p);
    }
    kept
}
