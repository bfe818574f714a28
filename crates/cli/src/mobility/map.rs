//! `touchdown mobility MAP`: survey of the map ⇒ responses of the rover on the slopes and soils that it has ⇒ layers, route, full runs and page.

use super::args::{Least, MapArgs, MobilityArgs};
use super::{in_words, responses};
use crate::campaign::args::threads;
use crate::failure::Failure;
use crate::identity;
use crate::output::{print, print_json};
use crate::signals::Signals;
use serde_json::{Value, json};
use std::path::Path;
use touchdown_geometry::map::MapOptions;
use touchdown_mobility::layers::Layer;
use touchdown_mobility::map::{GroundAccount, Legend, MapStageError};
use touchdown_mobility::page::data_points;
use touchdown_mobility::response::{Saved, WHEEL_SPEED};
use touchdown_mobility::route::{Aim, Route};
use touchdown_mobility::stage::{RouteAsked, SoilFrom, StageJob, StageStep, run_stage, survey};
use touchdown_mobility::verify::{CheckedStretch, Footprint};
use touchdown_mobility::{bind, file_hash};
use touchdown_record::Place;
use touchdown_scenario::{LARGEST_FILE, read_text};

/// Name of the summary.
const SUMMARY: &str = "summary.json";

impl From<MapStageError> for Failure {
    fn from(error: MapStageError) -> Self {
        match error {
            MapStageError::Record(error) => error.into(),
            other => Failure::BadInput { what: other.to_string(), hint: other.hint().map(Into::into) },
        }
    }
}

/// Makes the map, or goes on with it.
pub fn map(mut args: MobilityArgs, dem: &Path, out: &Path) -> Result<(), Failure> {
    check(&args.map)?;
    if let Some(legend) = &args.map.legend {
        args.responses.soils = read_legend(legend)?.soils();
    } else if args.responses.soils.len() > 1 {
        return Err(Failure::BadInput {
            what: "several soils, and no classes that say where each lies".into(),
            hint: Some("--classes FILE --legend FILE, or one --soil".into()),
        });
    }
    let options = options(&args.map);
    let footprint = Footprint::of(&args.responses.rover)?;
    let ground = survey(dem, &options, &footprint, args.map.step_max)?;
    let files = hashes(&args.map, dem)?;
    let place = bind(out, &asked(&args, &files))?;
    let known = (ground.cells - ground.unknown).max(1) as f64;
    let area = |_: &str, slope: f64| ground.slopes.get(slope as usize).copied().unwrap_or(0) as f64 / known;
    let Some(saved) = responses(&args.responses, out, &area)? else { return Ok(()) };
    let made = stage(&args, (dem, &options), (footprint, &files), &saved, &place)?;
    place.write(SUMMARY, format!("{:#}\n", made.summary).as_bytes())?;
    show(&args, out, &ground, &made)
}

fn check(args: &MapArgs) -> Result<(), Failure> {
    let refuse = |what: String| Err(Failure::BadInput { what, hint: None });
    if !(args.p_stuck_max > 0.0 && args.p_stuck_max <= 1.0) {
        return refuse(format!(
            "--p-stuck-max must lie above 0 and at most at 1, found {}",
            args.p_stuck_max
        ));
    }
    if !(args.step_max.is_finite() && args.step_max > 0.0) {
        return refuse(format!("--step-max must be above 0, found {}", args.step_max));
    }
    Ok(())
}

fn read_legend(file: &Path) -> Result<Legend, Failure> {
    let name = file.display().to_string();
    let text = read_text(file, LARGEST_FILE)
        .map_err(|problem| Failure::BadInput { what: format!("{name} {problem}"), hint: None })?;
    Ok(Legend::parse(&text, &name)?)
}

fn options(args: &MapArgs) -> MapOptions {
    MapOptions {
        spacing: args.spacing,
        scale: args.scale,
        offset: args.offset,
        no_data: args.no_data,
        ..MapOptions::default()
    }
}

/// Role, name and hash of each file.
fn hashes(args: &MapArgs, dem: &Path) -> Result<Vec<(String, String)>, Failure> {
    let files =
        [("map", Some(dem)), ("classes", args.classes.as_deref()), ("legend", args.legend.as_deref())];
    let mut found = Vec::new();
    for (role, file) in files {
        let Some(file) = file else { continue };
        let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
        found.push((format!("{role} {name}"), format!("BLAKE3 {}", file_hash(file)?)));
    }
    Ok(found)
}

/// What the folder holds a map of; layers and routes may be asked for one after the other.
fn asked(args: &MobilityArgs, files: &[(String, String)]) -> Value {
    let map = &args.map;
    json!({
        "files": files,
        "rover": args.responses.rover,
        "spacing_m": map.spacing, "scale": map.scale, "offset_m": map.offset, "no_data": map.no_data,
        "step_max_m": map.step_max,
    })
}

fn layers(args: &MapArgs) -> Vec<Layer> {
    let asked = |layer: &Layer| args.layers.is_empty() || args.layers.contains(layer);
    Layer::ALL.into_iter().filter(asked).collect()
}

/// What was made.
struct Made {
    summary: Value,
    route: Option<Route>,
    checks: Vec<CheckedStretch>,
}

fn stage(
    args: &MobilityArgs,
    (dem, options): (&Path, &MapOptions),
    (footprint, files): (Footprint, &[(String, String)]),
    saved: &Saved,
    place: &Place,
) -> Result<Made, Failure> {
    let (map, runs) = (&args.map, &args.responses);
    let soil = match (&map.classes, &map.legend) {
        (Some(file), Some(legend)) => SoilFrom::Classes { file, legend },
        _ => SoilFrom::Same(runs.soils.first().map_or("", String::as_str)),
    };
    let wrong = |what: String| Failure::BadInput { what, hint: None };
    let signals = Signals::take_over()?;
    let speed_m_per_s = WHEEL_SPEED * footprint.rim_m;
    let mut provenance = files.to_vec();
    provenance
        .push(("program".into(), format!("touchdown {}, {}", identity::VERSION, identity::build().source)));
    let job = StageJob {
        dem,
        options,
        soil,
        table: &saved.table,
        rover: &runs.rover,
        gravity: &runs.gravity,
        speed_m_per_s,
        footprint,
        step_max: map.step_max,
        layers: &layers(map),
        route: map.from.zip(map.to).map(|(from, to)| RouteAsked {
            ends: [from, to],
            aim: match map.least {
                Least::Energy => Aim::Energy,
                Least::Risk => Aim::Risk,
            },
            p_stuck_max: map.p_stuck_max,
            checks: map.checks.into(),
        }),
        seed: runs.seed,
        threads: threads(runs.threads),
        version: identity::VERSION,
        data: &data_points(place).map_err(wrong)?,
        surrogate: &saved.soils.iter().map(in_words).collect::<Vec<_>>(),
        assumed: &assumed(args, speed_m_per_s),
        provenance: &provenance,
        stop: &|| signals.came().is_some(),
    };
    let silent = runs.quiet || runs.json;
    let made = run_stage(&job, place, &mut |step| {
        if !silent {
            tell(step)
        }
    })?;
    let made = made.ok_or_else(|| Failure::Stopped {
        signal: signals.came().unwrap_or_default(),
        what: "interrupted during the full runs; those that ended are on disk".into(),
        hint: "the same command continues".into(),
    })?;
    signals.hand_back();
    let mut summary = made.summary;
    summary["version"] = identity::VERSION.into();
    summary["asked"] = asked(args, files);
    summary["responses"] = json!({ "asked": saved.asked, "soils": saved.soils });
    Ok(Made { summary, route: made.route, checks: made.checks })
}

/// What the runs assume.
fn assumed(args: &MobilityArgs, speed_m_per_s: f64) -> Vec<(String, String)> {
    let runs = &args.responses;
    let list = [
        ("speed of the rims", format!("{speed_m_per_s:.3} m/s in all runs (scenario rover-slope)")),
        (
            "roughness",
            format!("{} m root mean square of what is smaller than the rover (--roughness)", runs.roughness),
        ),
        (
            "scatter of the soils",
            format!("{} times the spread of the soil library (--soil-spread)", runs.soil_spread),
        ),
    ];
    list.into_iter().map(|(what, why)| (what.into(), why)).collect()
}

/// One line where a part begins; to the terminal of a person.
fn tell(step: StageStep) {
    match step {
        StageStep::Layers(0, rows) => eprintln!("layers over {rows} rows"),
        StageStep::Layers(..) => {}
        StageStep::Route => eprintln!("route"),
        StageStep::Checks(count) => eprintln!("{count} full runs on the relief"),
    }
}

fn show(args: &MobilityArgs, out: &Path, ground: &GroundAccount, made: &Made) -> Result<(), Failure> {
    if args.responses.json {
        return print_json(&made.summary);
    }
    let mut text = String::new();
    if !args.responses.quiet {
        text += &format!("{} of {} cells are known ground\n", ground.cells - ground.unknown, ground.cells);
        ground.cautions.iter().for_each(|caution| text += &format!("caution: {caution}\n"));
        if let Some(route) = &made.route {
            let [low, high] = route.energy_interval_j.map(|j| j / 1000.0);
            text += &format!(
                "route: {:.0} m, {:.1} kJ (90 %: {low:.1} to {high:.1}), mean slip {:.1} %, P(stuck or tipped) {:.2}\n",
                route.length_m,
                route.energy_j / 1000.0,
                100.0 * route.slip_mean,
                route.risk
            );
        }
        if !made.checks.is_empty() {
            let agree = |yes: fn(&CheckedStretch) -> bool| made.checks.iter().filter(|c| yes(c)).count();
            text += &format!(
                "full runs on {} stretches: slip within the map's interval on {}, energy on {}\n",
                made.checks.len(),
                agree(CheckedStretch::slip_agrees),
                agree(CheckedStretch::energy_agrees)
            );
        }
    }
    print(&format!("{text}report: {}\n", out.join("report.html").display()))
}
