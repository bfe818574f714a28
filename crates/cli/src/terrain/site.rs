//! `touchdown terrain --make`: a site from a seed as three files: heights, classes of soil, and the soil of each class.

use crate::args::TerrainArgs;
use crate::failure::Failure;
use crate::output::{print, print_json};
use std::io::Cursor;
use std::path::{Path, PathBuf};
use touchdown_geometry::map::{Cog, CogLayout, GeoTags, Halving, Stored, is_cog};
use touchdown_geometry::site::CraterField;
use touchdown_record::{check_file, write_file};

/// First line of a legend.
const LEGEND: &str = "# Soils of the classes of a site, made by touchdown terrain --make.";
/// Soils of the library for the classes of a site, in their order.
const CLASSES: [(&str, &str); 3] =
    [("plain", "mer-b-sandy-loam"), ("dunes", "dlr-simulant-a"), ("rocky ground", "mer-b-slope")];
/// No class.
const NO_CLASS: f64 = 0.0;

/// Makes and writes the site.
pub fn make(args: &TerrainArgs, out: &Path) -> Result<(), Failure> {
    let spacing = args.spacing.unwrap_or(1.0);
    let field = CraterField::new(args.seed, args.size, spacing).map_err(|error| Failure::BadInput {
        what: format!("the site: {error}"),
        hint: Some("--size and --spacing are in metres".into()),
    })?;
    let [classes, legend] = ["classes.tif", "soils.toml"].map(|ending| beside(out, ending));
    check_file(out, is_cog)?;
    check_file(&classes, is_cog)?;
    check_file(&legend, is_legend)?;
    let site = field.make();
    let title = format!("crater field, seed {}, made by touchdown", args.seed);
    let place = GeoTags::local([0.0, site.nodes as f64 * spacing], spacing, &title);
    let layout = |stored, no_data, halving, band: &str| CogLayout {
        columns: site.nodes,
        rows: site.nodes,
        stored,
        no_data: Some(no_data),
        halving,
        bands: vec![band.into()],
        place: place.clone(),
    };
    let heights = layout(Stored::Float, -32768.0, Halving::Mean, "height, m");
    write_file(out, &picture(heights, |node| site.heights[node] as f32)?, is_cog)?;
    let kinds = layout(Stored::Class, NO_CLASS, Halving::First, "class of soil");
    write_file(&classes, &picture(kinds, |node| f32::from(site.classes[node] as u8))?, is_cog)?;
    write_file(&legend, legend_text().as_bytes(), is_legend)?;
    if args.json {
        return print_json(&serde_json::json!({
            "heights": out, "classes": classes, "legend": legend, "nodes": [site.nodes, site.nodes],
            "spacing_m": spacing, "seed": args.seed, "craters": site.craters, "rocks": site.rocks,
        }));
    }
    print(&format!(
        "a site of {n} × {n} nodes, {spacing} m apart, with {} craters and {} rocks\nheights: {}\nclasses of soil: {}\ntheir soils: {}\n",
        site.craters,
        site.rocks,
        out.display(),
        classes.display(),
        legend.display(),
        n = site.nodes,
    ))
}

/// A file of one band.
fn picture(layout: CogLayout, value: impl Fn(usize) -> f32) -> Result<Vec<u8>, Failure> {
    let (columns, rows) = (layout.columns, layout.rows);
    let failed = |error: std::io::Error| Failure::other(format!("the map could not be written: {error}"));
    let mut cog = Cog::new(layout, || Ok(Cursor::new(Vec::new()))).map_err(failed)?;
    let mut line = Vec::with_capacity(columns);
    for row in 0..rows {
        line.clear();
        line.extend((row * columns..(row + 1) * columns).map(&value));
        cog.row(&line).map_err(failed)?;
    }
    let mut bytes = Vec::new();
    cog.finish(&mut bytes).map_err(failed)?;
    Ok(bytes)
}

fn legend_text() -> String {
    let mut text = format!("{LEGEND}\n");
    for (number, (name, soil)) in CLASSES.iter().enumerate() {
        text += &format!("\n[class.{}]\nname = \"{name}\"\nsoil = \"{soil}\"\n", number + 1);
    }
    text
}

fn is_legend(bytes: &[u8]) -> bool {
    bytes.starts_with(LEGEND.as_bytes())
}

/// A file beside the heights: `site.tif` ⇒ `site-classes.tif`.
fn beside(out: &Path, ending: &str) -> PathBuf {
    let stem = out.file_stem().map_or("site".into(), |stem| stem.to_string_lossy());
    out.with_file_name(format!("{stem}-{ending}"))
}
