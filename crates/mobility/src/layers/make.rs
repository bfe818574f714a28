//! Writes the layers, strip by strip.

use super::{HEADINGS, Layer, heading_deg};
use crate::ResponseTable;
use crate::map::{Cell, GroundAccount, GroundRows, MapStageError, Strip};
use rayon::prelude::*;
use std::fs::File;
use std::io::{Read, Seek};
use touchdown_geometry::map::{Cog, CogLayout, Halving, Stored};
use touchdown_record::Place;

/// Rows of a strip: enough work for the threads, and little memory for wide maps.
const STRIP: usize = 32;
/// The stored number that stands for no data.
const NO_DATA: f64 = -32768.0;

/// Squares along the longer side of a small map at most.
const SMALL: usize = 1024;

/// What to write.
#[derive(Clone, Copy)]
pub struct LayersJob<'a> {
    /// What the rover does where.
    pub table: &'a ResponseTable,
    /// Which layers.
    pub layers: &'a [Layer],
    /// How many threads.
    pub threads: usize,
}

/// What was written.
#[derive(Clone, Debug, PartialEq)]
pub struct LayersAccount {
    /// What was found in the ground.
    pub ground: GroundAccount,
    /// Cells steeper than any slope that runs were made for.
    pub steeper: u64,
    /// The map in few pixels, for pictures.
    pub small: Small,
}

/// Means of the heights over squares of cells, on which the overviews of the layers lie, too.
#[derive(Clone, Debug, PartialEq)]
pub struct Small {
    /// Cells along the side of a square: a power of two.
    pub factor: usize,
    /// Side of a square, m.
    pub spacing: f64,
    /// The north-western node of the map in the file's coordinates.
    pub first: [f64; 2],
    /// From node to node of the map in the file's coordinates.
    pub step: [f64; 2],
    /// Squares from west to east.
    pub columns: usize,
    /// Squares from north to south.
    pub rows: usize,
    /// Heights, m, from the north; not a number where there are none.
    pub heights: Vec<f32>,
}

/// Writes layers over a ground into a folder. `show` is called with the rows that are done.
pub fn write_layers<R, C>(
    mut ground: GroundRows<R, C>,
    job: &LayersJob,
    out: &Place,
    show: &mut (dyn FnMut(usize, usize) + Send),
) -> Result<LayersAccount, MapStageError>
where
    R: Read + Seek + Send,
    C: Read + Seek + Send,
{
    let pool = rayon::ThreadPoolBuilder::new().num_threads(job.threads).build();
    let pool = pool.map_err(|_| MapStageError::Threads(job.threads))?;
    let (columns, rows) = (ground.map().columns(), ground.map().rows());
    let mut small = Summing::new(columns, rows);
    let (first, step, spacing) = (ground.map().place(0, 0), ground.map().step().0, ground.map().spacing());
    let mut writers = writers(&ground, job, out)?;
    let mut steeper = 0;
    pool.install(|| -> Result<(), MapStageError> {
        let mut ready: Option<Vec<Vec<f32>>> = None;
        let mut done = 0;
        loop {
            let compressed = ready.take();
            let (made, written) = rayon::join(
                || make(&mut ground, job, &mut small),
                || write(&mut writers, compressed.unwrap_or_default(), columns),
            );
            written?;
            let Some((values, strip_steeper, strip_rows)) = made? else { break };
            steeper += strip_steeper;
            ready = Some(values);
            done += strip_rows;
            show(done, rows);
        }
        Ok(())
    })?;
    for (layer, cog) in writers {
        out.write_with(&layer.file(), |mut file| {
            cog.finish(&mut file).map_err(|error| MapStageError::write(layer.file(), &error))
        })?;
    }
    Ok(LayersAccount { ground: ground.finish()?, steeper, small: small.means(first, step, spacing) })
}

type Writer = (Layer, Cog<File>);

fn writers<R, C>(
    ground: &GroundRows<R, C>,
    job: &LayersJob,
    out: &Place,
) -> Result<Vec<Writer>, MapStageError>
where
    R: Read + Seek,
    C: Read + Seek,
{
    let bands = |layer: Layer| -> Vec<String> {
        (0..HEADINGS)
            .map(|heading| {
                format!("{}, heading {}° clockwise from north", layer.about(), heading_deg(heading))
            })
            .collect()
    };
    let mut writers = Vec::new();
    for layer in job.layers {
        let layout = CogLayout {
            columns: ground.map().columns(),
            rows: ground.map().rows(),
            stored: Stored::Scaled { scale: layer.scale(job.table) },
            no_data: Some(NO_DATA),
            halving: Halving::Mean,
            bands: bands(*layer),
            place: ground.geo_tags(),
        };
        let mut level = 0;
        let scratch = || {
            level += 1;
            out.scratch(&format!("{}.{level}", layer.name())).map_err(std::io::Error::other)
        };
        let cog = Cog::new(layout, scratch).map_err(|error| MapStageError::write(layer.file(), &error))?;
        writers.push((*layer, cog));
    }
    Ok(writers)
}

/// The values of each layer in the next strip, pixel by pixel; how many cells are steeper than the runs; how many rows these are.
type Made = (Vec<Vec<f32>>, u64, usize);

fn make<R, C>(
    ground: &mut GroundRows<R, C>,
    job: &LayersJob,
    small: &mut Summing,
) -> Result<Option<Made>, MapStageError>
where
    R: Read + Seek,
    C: Read + Seek,
{
    let Some(strip) = ground.next_strip(STRIP)? else { return Ok(None) };
    small.add(&strip);
    let width = strip.columns * HEADINGS;
    let rows = strip.cells.len() / strip.columns;
    let lines: Vec<(Vec<Vec<f32>>, u64)> =
        strip.cells.par_chunks(strip.columns).map(|cells| line(cells, job)).collect();
    let mut values: Vec<Vec<f32>> = job.layers.iter().map(|_| Vec::with_capacity(rows * width)).collect();
    let mut steeper = 0;
    for (line, count) in lines {
        values.iter_mut().zip(line).for_each(|(all, line)| all.extend(line));
        steeper += count;
    }
    Ok(Some((values, steeper, rows)))
}

/// The values of each layer in a row.
fn line(cells: &[Cell], job: &LayersJob) -> (Vec<Vec<f32>>, u64) {
    let mut values = vec![Vec::with_capacity(cells.len() * HEADINGS); job.layers.len()];
    let mut steeper = 0;
    for cell in cells {
        if !cell.is_known() || cell.is_step {
            for (layer, values) in job.layers.iter().zip(&mut values) {
                let value = if cell.is_known() { layer.on_step() } else { f32::NAN };
                values.extend([value; HEADINGS]);
            }
            continue;
        }
        let slope = f64::from(cell.slope_deg);
        let covered = job.table.covers(slope);
        steeper += u64::from(!covered);
        for heading in 0..HEADINGS {
            let response = job.table.at(
                usize::from(cell.soil),
                slope,
                heading_deg(heading) - f64::from(cell.uphill_deg),
            );
            for (layer, values) in job.layers.iter().zip(&mut values) {
                values.push(layer.value(&response, covered) as f32);
            }
        }
    }
    (values, steeper)
}

fn write(writers: &mut [Writer], values: Vec<Vec<f32>>, columns: usize) -> Result<(), MapStageError> {
    writers.par_iter_mut().zip(values).try_for_each(|((layer, cog), values)| {
        let mut rows = values.chunks_exact(columns * HEADINGS);
        rows.try_for_each(|row| cog.row(row)).map_err(|error| MapStageError::write(layer.file(), &error))
    })
}

/// Sums of the heights over squares of cells.
struct Summing {
    factor: usize,
    columns: usize,
    sums: Vec<(f64, u32)>,
}

impl Summing {
    fn new(columns: usize, rows: usize) -> Summing {
        let factor = columns.max(rows).div_ceil(SMALL).next_power_of_two();
        let size = [columns, rows].map(|n| n.div_ceil(factor));
        Summing { factor, columns: size[0], sums: vec![(0.0, 0); size[0] * size[1]] }
    }

    fn add(&mut self, strip: &Strip) {
        for (k, height) in strip.heights.iter().enumerate().filter(|(_, height)| !height.is_nan()) {
            let (column, row) = (k % strip.columns, strip.first + k / strip.columns);
            let sum = &mut self.sums[row / self.factor * self.columns + column / self.factor];
            *sum = (sum.0 + height, sum.1 + 1);
        }
    }

    fn means(self, first: [f64; 2], step: [f64; 2], spacing: f64) -> Small {
        let heights: Vec<f32> =
            self.sums.iter().map(|(sum, count)| (sum / f64::from(*count)) as f32).collect();
        let spacing = spacing * self.factor as f64;
        let (columns, rows) = (self.columns, heights.len() / self.columns);
        Small { factor: self.factor, spacing, first, step, columns, rows, heights }
    }
}
