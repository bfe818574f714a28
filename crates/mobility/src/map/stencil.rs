//! Weights that give the slope over the wheelbase from the nodes around a cell.
//!
//! The slope that a rover feels is the mean of the gradient of the ground over its footprint, a square with the wheelbase L as its side. The
//! ground between the nodes is that of the C² patches (`touchdown_geometry::surface`), a tensor product of lines. The mean of ∂z/∂x over the
//! square is therefore a difference of the ends along x, (z(L/2) − z(−L/2))/L, of the mean along y, (1/L)∫z dy: two sets of weights, which
//! hold for every cell. Planes and quadratics come out exactly; what is shorter than the wheelbase is smoothed as the rover smooths it.

use touchdown_geometry::Raster;
use touchdown_geometry::surface::{HeightForm, HeightSurface, Smoothness};

/// Places and weights of Gauss's quadrature of three points on [−1, 1]: exact to degree 5, that of the patches.
const GAUSS: [(f64, f64); 3] =
    [(-0.774_596_669_241_483_4, 5.0 / 9.0), (0.0, 8.0 / 9.0), (0.774_596_669_241_483_4, 5.0 / 9.0)];

/// Weights for the nodes from −`reach` to `reach` about a cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Stencil {
    /// Nodes to each side.
    pub reach: usize,
    /// Difference of the ends, 1/m.
    pub difference: Vec<f64>,
    /// Mean.
    pub mean: Vec<f64>,
}

impl Stencil {
    /// Weights for a footprint of this side on a map of this spacing, m; both > 0.
    pub fn new(wheelbase: f64, spacing: f64) -> Stencil {
        let half = 0.5 * wheelbase / spacing;
        let reach = half.ceil() as usize + 1;
        let nodes = 2 * reach + 1;
        let lines: Vec<HeightSurface> = (0..nodes).map(|node| impulse(node, nodes)).collect();
        // Along the line of nodes, in cells from the middle.
        let at = |line: &HeightSurface, x: f64| line.jet(x + reach as f64, 1.5).map_or(0.0, |jet| jet.z);
        let ends = lines.iter().map(|line| (at(line, half) - at(line, -half)) / wheelbase);
        let mean = lines.iter().map(|line| integral(|x| at(line, x), half) / (2.0 * half));
        Stencil { reach, difference: ends.collect(), mean: mean.collect() }
    }
}

/// The C² patches over a line of nodes of which one has the height 1.
fn impulse(node: usize, nodes: usize) -> HeightSurface {
    const ROWS: usize = 4;
    let heights = (0..ROWS * nodes).map(|k| if k % nodes == node { 1.0 } else { 0.0 }).collect();
    let raster = Raster::new([0.0; 2], 1.0, nodes, ROWS, heights).expect("finite heights on a grid");
    HeightSurface::new(HeightForm::Map { raster, smoothness: Smoothness::C2 })
}

/// The integral from −`half` to `half`, cell by cell.
fn integral(f: impl Fn(f64) -> f64, half: f64) -> f64 {
    let last = half.ceil() as i64;
    let mut sum = 0.0;
    for cell in -last..last {
        let (from, to) = ((cell as f64).max(-half), (cell as f64 + 1.0).min(half));
        let (middle, width) = (0.5 * (from + to), 0.5 * (to - from));
        sum += GAUSS.iter().map(|(x, weight)| weight * width * f(middle + width * x)).sum::<f64>();
    }
    sum
}
