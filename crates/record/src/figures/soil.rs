//! The soil's surface at the end of a run: from above, coloured by its change of height, and along a line.

use super::axis::{Axis, extent};
use super::chart::{self, Chart, Curve, Heading};
use super::drawing::{Anchor, Colour, Drawing, Frame, Image, Pen, Shape, Text, label};
use super::{Undrawn, font};
use touchdown_sim::sink::SoilNode;

/// Smaller changes are not shown, m: they only decide where the picture ends.
const SEEN: f64 = 5e-4;
/// Margin of ground around the changes, m.
const MARGIN: f64 = 0.1;
/// Most pixels of a map along either side.
const MOST_PIXELS: usize = 1_200;
const MILLIMETRES: f64 = 1e3;

/// Nodes on a regular grid, within the touched area.
pub(super) struct Grid {
    spacing: f64,
    /// Indices of the first node along x and y, and the numbers of nodes.
    first: [i64; 2],
    count: [usize; 2],
    /// Height at the end and before, row by row along x; not a number where unknown.
    heights: Vec<[f64; 2]>,
}

impl Grid {
    /// Sorts nodes into their grid; `None` if there are no nodes or they form no grid.
    pub fn new(nodes: &[SoilNode]) -> Option<Grid> {
        /// A larger grid was not written by a run.
        const MOST_PLACES: usize = 1 << 26;
        let spacing = spacing(nodes)?;
        let index = |place: f64| (place / spacing).round() as i64;
        let (x, y) = (extent(nodes.iter().map(|n| n.x))?, extent(nodes.iter().map(|n| n.y))?);
        let first = [index(x.0), index(y.0)];
        let count = [index(x.1) - first[0] + 1, index(y.1) - first[1] + 1];
        let count = [usize::try_from(count[0]).ok()?, usize::try_from(count[1]).ok()?];
        let places = count[0].checked_mul(count[1]).filter(|places| *places <= MOST_PLACES)?;
        let mut heights = vec![[f64::NAN; 2]; places];
        for node in nodes.iter().filter(|n| n.x.is_finite() && n.y.is_finite()) {
            let (i, j) = (index(node.x) - first[0], index(node.y) - first[1]);
            heights[j as usize * count[0] + i as usize] = [node.height, node.undisturbed];
        }
        Some(Grid { spacing, first, count, heights })
    }

    fn at(&self, i: usize, j: usize) -> [f64; 2] {
        self.heights[j * self.count[0] + i]
    }

    fn change(&self, i: usize, j: usize) -> f64 {
        let [height, undisturbed] = self.at(i, j);
        height - undisturbed
    }

    /// First and last index along each side of the changes, with a margin; the whole grid if nothing changed.
    fn window(&self) -> [[usize; 2]; 2] {
        let margin = (MARGIN / self.spacing).round() as usize;
        let mut seen: Option<[[usize; 2]; 2]> = None;
        for j in 0..self.count[1] {
            for i in (0..self.count[0]).filter(|i| self.change(*i, j).abs() > SEEN) {
                let [x, y] = seen.unwrap_or([[i, i], [j, j]]);
                seen = Some([[x[0].min(i), x[1].max(i)], [y[0].min(j), y[1].max(j)]]);
            }
        }
        let all = [0, 1].map(|side| [0, self.count[side] - 1]);
        let grown = |side: usize, [low, high]: [usize; 2]| {
            [low.saturating_sub(margin), (high + margin).min(self.count[side] - 1)]
        };
        seen.map_or(all, |[x, y]| [grown(0, x), grown(1, y)])
    }

    /// Coordinate of a node along a side, m.
    fn place(&self, side: usize, index: usize) -> f64 {
        (self.first[side] + index as i64) as f64 * self.spacing
    }
}

/// The distance between neighbours: the smallest between different places along x or y, corrected for
/// round-off over the whole length.
fn spacing(nodes: &[SoilNode]) -> Option<f64> {
    let along = |read: fn(&SoilNode) -> f64| {
        let mut places: Vec<f64> = nodes.iter().map(read).filter(|p| p.is_finite()).collect();
        places.sort_unstable_by(f64::total_cmp);
        let gaps = places.windows(2).map(|pair| pair[1] - pair[0]).filter(|gap| *gap > 1e-6);
        let smallest = gaps.fold(f64::INFINITY, f64::min);
        let length = places.last().zip(places.first()).map_or(0.0, |(last, first)| last - first);
        (smallest, length)
    };
    let (x, y) = (along(|n| n.x), along(|n| n.y));
    let (smallest, length) = if x.0 <= y.0 { x } else { y };
    smallest.is_finite().then(|| length / (length / smallest).round())
}

/// The surface along x or y: before and at the end.
pub(super) fn section(
    heading: Heading,
    nodes: &[SoilNode],
    along_x: bool,
    at: f64,
) -> Result<Drawing, Undrawn> {
    let grid = Grid::new(nodes).ok_or(Undrawn::NoSoil)?;
    let (along, across) = if along_x { (0, 1) } else { (1, 0) };
    let row = at / grid.spacing - grid.first[across] as f64;
    // On the line itself, or between the two rows of nodes beside it.
    let (below, part) = (row.floor(), row - row.floor());
    if !(row >= -0.5 && row <= grid.count[across] as f64 - 0.5) {
        return Err(Undrawn::OutsideSoil);
    }
    let rows = [below.max(0.0) as usize, ((below + 1.0).max(0.0) as usize).min(grid.count[across] - 1)];
    let [low, high] = grid.window()[along];
    let height = |index: usize, which: usize| {
        let read = |row: usize| if along_x { grid.at(index, row) } else { grid.at(row, index) };
        let [a, b] = rows.map(|row| read(row)[which]);
        // A line on nodes needs no neighbour row, which may be missing.
        if part < 1e-9 {
            a
        } else if part > 1.0 - 1e-9 {
            b
        } else {
            a + part * (b - a)
        }
    };
    let curve = |text: &str, which: usize| Curve {
        label: text.into(),
        points: (low..=high).map(|i| [grid.place(along, i), height(i, which) * MILLIMETRES]).collect(),
        measured: false,
    };
    let curves = vec![curve("at the end", 0), curve("undisturbed", 1)];
    let all = || curves.iter().flat_map(|c| &c.points);
    let heights = extent(all().map(|p| p[1])).ok_or(Undrawn::OutsideSoil)?;
    let places = extent(all().map(|p| p[0])).ok_or(Undrawn::OutsideSoil)?;
    let name = if along_x { "x" } else { "y" };
    let chart = Chart {
        heading,
        x: Axis::tight(places, name, "m"),
        y: Axis::roomy(heights, "height", "mm"),
        curves,
        sets: Vec::new(),
        bands: Vec::new(),
    };
    Ok(chart.draw())
}

/// The surface from above.
pub(super) fn map(heading: Heading, nodes: &[SoilNode]) -> Result<Drawing, Undrawn> {
    const LEFT: f64 = 70.0;
    const BAR_ROOM: f64 = 110.0;
    const TALLEST: f64 = 480.0;
    let grid = Grid::new(nodes).ok_or(Undrawn::NoSoil)?;
    let window = grid.window();
    let range = range(&grid, window).ok_or(Undrawn::NoSoil)?;
    let limit = range.1.max(-range.0);
    let size = window.map(|[low, high]| (high - low + 1) as f64 * grid.spacing);
    // Both axes have the same scale, so that a round rut stays round.
    let scale = ((chart::WIDTH - LEFT - BAR_ROOM) / size[0]).min(TALLEST / size[1]);
    let mut drawing =
        Drawing { width: chart::WIDTH, height: 0.0, title: heading.title.into(), shapes: Vec::new() };
    let top = heading.draw(&mut drawing) + 6.0;
    let frame = [LEFT, top, size[0] * scale, size[1] * scale];
    let edges = |side: usize| {
        let [low, high] = window[side];
        (grid.place(side, low) - 0.5 * grid.spacing, grid.place(side, high) + 0.5 * grid.spacing)
    };
    let (x, y) = (Axis::tight(edges(0), "x", "m"), Axis::tight(edges(1), "y", "m"));
    chart::axes(&mut drawing, frame, &x, &y);
    drawing.shapes.push(Shape::Image(frame, image(&grid, window, limit)));
    drawing.shapes.push(Shape::Outline(frame, Pen::thin(Colour::Muted)));
    let bar_height = frame[3].max(160.0);
    let axis = Axis::tight((range.0 * MILLIMETRES, range.1 * MILLIMETRES), "change of height", "mm");
    let shade = |change: f64| colour(change / MILLIMETRES / limit);
    bar(&mut drawing, [LEFT + frame[2] + 22.0, top, 16.0, bar_height], &axis, shade);
    drawing.height = top + bar_height + 48.0;
    Ok(drawing)
}

/// The changes within the window, from the lowest to the highest, m; zero is among them.
fn range(grid: &Grid, [x, y]: [[usize; 2]; 2]) -> Option<(f64, f64)> {
    let changes = (y[0]..=y[1]).flat_map(|j| (x[0]..=x[1]).map(move |i| grid.change(i, j)));
    let (low, high) = extent(changes)?;
    // A range that is not empty is needed for the colours even where nothing changed.
    Some(if high - low < SEEN { (-SEEN, SEEN) } else { (low.min(0.0), high.max(0.0)) })
}

/// One pixel per node, or the largest change of a block of nodes where there are too many; y upwards.
fn image(grid: &Grid, [x, y]: [[usize; 2]; 2], limit: f64) -> Image {
    let block = (x[1] - x[0]).max(y[1] - y[0]) / MOST_PIXELS + 1;
    let (columns, rows) = ((x[1] - x[0]) / block + 1, (y[1] - y[0]) / block + 1);
    let mut pixels = Vec::with_capacity(columns * rows);
    for row in (0..rows).rev() {
        for column in 0..columns {
            let (i0, j0) = (x[0] + column * block, y[0] + row * block);
            let inside = (j0..=(j0 + block - 1).min(y[1]))
                .flat_map(|j| (i0..=(i0 + block - 1).min(x[1])).map(move |i| (i, j)));
            let changes = inside.map(|(i, j)| grid.change(i, j)).filter(|change| change.is_finite());
            let most = changes.max_by(|a, b| a.abs().total_cmp(&b.abs()));
            // Untouched ground has not changed.
            let [r, g, b] = colour(most.unwrap_or(0.0) / limit);
            pixels.push([r, g, b, 255]);
        }
    }
    Image { columns, rows, pixels }
}

/// Blue where soil was removed, red where it was deposited, white between: distinguishable with any kind of
/// colour vision (ColorBrewer RdBu).
fn colour(part: f64) -> [u8; 3] {
    const STOPS: [[f64; 3]; 7] = [
        [33.0, 102.0, 172.0],
        [103.0, 169.0, 207.0],
        [209.0, 229.0, 240.0],
        [247.0, 247.0, 247.0],
        [253.0, 219.0, 199.0],
        [239.0, 138.0, 98.0],
        [178.0, 24.0, 43.0],
    ];
    let at = (part.clamp(-1.0, 1.0) + 1.0) * 3.0;
    let below = (at.floor() as usize).min(STOPS.len() - 2);
    let rest = at - below as f64;
    std::array::from_fn(|k| (STOPS[below][k] + rest * (STOPS[below + 1][k] - STOPS[below][k])).round() as u8)
}

/// The legend of the colours: a bar from the lowest to the highest number of the axis.
pub(super) fn bar(drawing: &mut Drawing, frame: Frame, axis: &Axis, colour: impl Fn(f64) -> [u8; 3]) {
    const STEPS: usize = 128;
    let [left, top, width, height] = frame;
    let value = |k: usize| axis.to - (axis.to - axis.from) * (k as f64 + 0.5) / STEPS as f64;
    let pixels = (0..STEPS).map(|k| colour(value(k))).map(|[r, g, b]| [r, g, b, 255]).collect();
    drawing.shapes.push(Shape::Image(frame, Image { columns: 1, rows: STEPS, pixels }));
    drawing.shapes.push(Shape::Outline(frame, Pen::thin(Colour::Muted)));
    let right = left + width;
    for (value, text) in &axis.ticks {
        let at = top + height * (1.0 - (value - axis.from) / (axis.to - axis.from));
        drawing.line(&[[right, at], [right + 4.0, at]], Pen::thin(Colour::Muted));
        let tick = Text { colour: Colour::Muted, ..label(text, [right + 8.0, at + 4.0], chart::SMALL) };
        drawing.text(tick, 60.0);
    }
    let widest = axis.ticks.iter().map(|tick| font::width(&tick.1, chart::SMALL)).fold(0.0, f64::max);
    let middle = label(&axis.title, [right + (26.0 + widest).max(56.0), top + 0.5 * height], chart::SMALL);
    drawing.text(Text { anchor: Anchor::Middle, upwards: true, ..middle }, height);
}
