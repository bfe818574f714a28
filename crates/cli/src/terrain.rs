//! `touchdown terrain`: reads a map file as a scenario does, prints its content and the conversions, and draws it; or makes a site ([`site`]).

mod site;

use crate::args::{SiteKind, TerrainArgs};
use crate::failure::Failure;
use crate::output::{print, print_json, table};
use std::path::{Path, PathBuf};
use touchdown_geometry::map::{self, Anchor, Crop, MapError, MapOptions};
use touchdown_record::figures::{is_relief, relief_png};
use touchdown_record::{check_file, write_file};
use touchdown_scenario::{FileProblem, LARGEST_MAP, read_file};

/// Makes a site, or reads, prints and draws a map.
pub fn terrain(args: &TerrainArgs) -> Result<(), Failure> {
    // The arguments hold one of the two, and a site its file.
    match (&args.file, args.make, &args.out) {
        (Some(file), ..) => draw(file, args),
        (None, Some(SiteKind::CraterField), Some(out)) => site::make(args, out),
        (None, ..) => Err(Failure::other("terrain needs a map, or --make with --out")),
    }
}

fn draw(file: &Path, args: &TerrainArgs) -> Result<(), Failure> {
    let name = file.display().to_string();
    let bytes = read(file)?;
    let out = args.out.clone().unwrap_or_else(|| beside(file));
    check_out(file, &out)?;
    let map = map::read(&bytes, &name, &options(args)).map_err(|error| refused(&name, &error))?;
    drop(bytes);
    if !args.json {
        let mut rows = table(&["map", name.as_str()]);
        for (label, text) in map.audit.lines() {
            rows.add_row([label, text.as_str()]);
        }
        print(&format!("{rows}\n"))?;
    }
    let title = file.file_name().map_or(name.clone(), |name| name.to_string_lossy().into());
    let picture =
        relief_png(&map.raster, &title).ok_or(Failure::other("the picture could not be encoded"))?;
    write_file(&out, &picture, is_relief)?;
    if args.json {
        let lines = map.audit.lines().into_iter().map(|(label, text)| (label.to_string(), text.into()));
        let lines = serde_json::Value::Object(lines.collect());
        return print_json(&serde_json::json!({ "map": name, "found": lines, "picture": out }));
    }
    print(&format!("\nshaded relief: {}\n", out.display()))
}

/// The picture must not take the place of the map, nor of anything else that was not drawn here.
fn check_out(file: &Path, out: &Path) -> Result<(), Failure> {
    let same = |path: &Path| std::fs::canonicalize(path).ok();
    if same(out).is_some_and(|out| Some(out) == same(file)) {
        let what = format!("{} is the map itself; the picture would take its place", out.display());
        return Err(Failure::BadInput { what, hint: Some("choose another name with --out".into()) });
    }
    Ok(check_file(out, is_relief)?)
}

fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    read_file(file, LARGEST_MAP).map_err(|problem| {
        let too_large = matches!(problem, FileProblem::TooLarge { .. });
        let hint = too_large.then(|| "cut a part out: gdal_translate -projwin".to_string());
        Failure::BadInput { what: format!("{} {problem}", file.display()), hint }
    })
}

fn options(args: &TerrainArgs) -> MapOptions {
    let in_coordinates =
        args.crop.map(|[west, east, south, north]| Crop::Coordinates { x: [west, east], y: [south, north] });
    let in_nodes = args
        .crop_nodes
        .map(|[west, east, north, south]| Crop::Nodes { columns: [west, east], rows: [north, south] });
    MapOptions {
        crop: in_coordinates.or(in_nodes),
        anchor: match (args.origin, args.zero) {
            (Some(at), _) => Anchor::SouthWest(at),
            (None, Some([x, y, _])) => Anchor::Zero([x, y]),
            (None, None) => Anchor::AsFile,
        },
        zero_height: args.zero.map_or(0.0, |[_, _, z]| z),
        spacing: args.spacing,
        scale: args.scale,
        offset: args.offset,
        no_data: args.no_data,
        fill: args.fill.unwrap_or_default(),
        south_first: args.south_first,
    }
}

fn refused(name: &str, error: &MapError) -> Failure {
    Failure::BadInput { what: format!("{name}: {error}"), hint: error.hint().map(str::to_string) }
}

/// The picture's name in the working folder.
fn beside(file: &Path) -> PathBuf {
    let stem = file.file_stem().map_or("map".into(), |stem| stem.to_string_lossy());
    PathBuf::from(format!("{stem}-relief.png"))
}
