//! Columns: the underside of a body over the nodes of the grid, the only input of the soil from its form.
//!
//! Between the forms (`wheel`, `mesh`), which fill a window of columns at a pose, and the force, which compares them with the soil.

/// The lowest point of a body over one node, and how much of the node's cell the body covers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Column {
    /// Height of the body's underside over the node, m; infinite where the body covers nothing of the cell. Over a cell whose node
    /// lies just outside the body: that of the nearest covered place of the cell.
    pub level: f64,
    /// Slopes of the underside there: d level/dx, d level/dy.
    pub slope: [f64; 2],
    /// Fraction of the cell (a square of one spacing about the node) that the body covers, 0 to 1.
    pub cover: f64,
}

impl Column {
    /// No body here.
    pub const NONE: Column = Column { level: f64::INFINITY, slope: [0.0; 2], cover: 0.0 };
}

/// No facet above a node.
pub(super) const NO_FACET: u32 = u32::MAX;

/// A window of columns: nodes (i0 + i, j0 + j), row by row with i (along x) running fastest.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    /// First node along x; it lies at `i0 · spacing`.
    pub i0: i64,
    /// First node along y.
    pub j0: i64,
    /// Nodes along x.
    pub nx: usize,
    /// Nodes along y.
    pub ny: usize,
    /// nx·ny columns.
    pub at: Vec<Column>,
    /// If requested: the box [x_min, x_max, y_min, y_max] (m, world) of what the body covers of each cell; as
    /// long as `at`, or empty.
    pub boxes: Vec<[f64; 4]>,
    /// Whether the facet of a mesh that gave each column is recorded.
    pub with_facets: bool,
    /// Those facets; as long as `at`, or empty.
    pub facets: Vec<u32>,
}

impl Columns {
    /// Makes room for a window; every column empty. Allocates only when the window outgrows all before it.
    pub fn reset(&mut self, (i0, i1): (i64, i64), (j0, j1): (i64, i64), with_boxes: bool) {
        (self.i0, self.j0) = (i0, j0);
        self.nx = usize::try_from(i1 - i0 + 1).unwrap_or(0);
        self.ny = usize::try_from(j1 - j0 + 1).unwrap_or(0);
        self.at.clear();
        self.at.resize(self.nx * self.ny, Column::NONE);
        self.facets.clear();
        if self.with_facets {
            self.facets.resize(self.nx * self.ny, NO_FACET);
        }
        self.boxes.clear();
        if with_boxes {
            self.boxes.resize(
                self.nx * self.ny,
                [f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY, f64::NEG_INFINITY],
            );
        }
    }
}
