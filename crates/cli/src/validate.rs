//! `touchdown validate`: claims ⇒ runs ⇒ a table on the terminal, the page, and an exit code: 1 if a claim does not hold.

use crate::args::ValidateArgs;
use crate::failure::Failure;
use crate::output::{count, plain, print, table};
use crate::progress::clock;
use comfy_table::CellAlignment;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::path::{Path, PathBuf};
use std::time::Instant;
use touchdown_record::page::is_ours;
use touchdown_record::{Stamp, check_file, write_file};
use touchdown_scenario::{LARGEST_FILE, read_text};
use touchdown_study::validate::{
    Plan, Progress, Report, Row, Topic, ValidateError, Verdict, built_in, page, parse, pedigree, select,
};

/// Where `touchdown converge` leaves its stamps.
const STAMPS: &str = "runs/convergence";

/// Marks the rows for scripts.
const MARK: &str = "validation";

impl From<ValidateError> for Failure {
    fn from(error: ValidateError) -> Self {
        Failure::BadInput { what: error.to_string(), hint: error.hint().map(str::to_string) }
    }
}

/// Runs the claims that are asked for.
pub fn validate(args: &ValidateArgs) -> Result<(), Failure> {
    let topics = chosen(args.name.as_deref())?;
    let out = args.out.clone().unwrap_or_else(|| default_page(args.name.as_deref()));
    // Better to know now than after ten minutes.
    check_file(&out, is_ours)?;
    // `--json FILE` is the former spelling of `--rows FILE`.
    let rows = args.rows.as_ref().or(args.json.as_ref().and_then(Option::as_ref));
    let as_json = args.json == Some(None);
    rows.map_or(Ok(()), |file| check_file(file, is_rows))?;
    let threads =
        args.threads.map_or_else(|| std::thread::available_parallelism().map_or(1, |n| n.get()), usize::from);
    let started = Instant::now();
    let report = carry_out(Plan::new(topics.clone(), args.name.as_deref()), threads, args.quiet || as_json);
    if let Some(file) = rows {
        write_file(file, rows_json(&report)?.as_bytes(), is_rows)?;
    }
    let page = page::render(&report, &pedigree(&topics), &stamps(Path::new(STAMPS)))?;
    write_file(&out, page.as_bytes(), is_ours)?;
    if as_json {
        print(&rows_json(&report)?)?;
    } else {
        print(&in_words(&report, &topics, args.quiet))?;
        print(&closing(&report, &out, started.elapsed().as_secs_f64()))?;
    }
    match report.count(Verdict::Fail) {
        0 => Ok(()),
        n => Err(Failure::other(format!(
            "{} not hold",
            if n == 1 { "1 claim does".into() } else { format!("{n} claims do") }
        ))),
    }
}

/// The rows for scripts, with a mark by which the file is known again.
fn rows_json(report: &Report) -> Result<String, Failure> {
    let other = |error: serde_json::Error| Failure::other(error.to_string());
    let mut value = serde_json::to_value(report).map_err(other)?;
    value["touchdown"] = MARK.into();
    Ok(serde_json::to_string_pretty(&value).map_err(other)? + "\n")
}

fn is_rows(content: &[u8]) -> bool {
    serde_json::from_slice::<serde_json::Value>(content).is_ok_and(|value| value["touchdown"] == MARK)
}

/// The claims of a file of the user's, or those of the built-in ones that the name chooses.
fn chosen(name: Option<&str>) -> Result<Vec<Topic>, Failure> {
    let Some(file) = name.filter(|name| name.ends_with(".toml")) else {
        return Ok(select(built_in()?, name)?);
    };
    let text = read_text(Path::new(file), LARGEST_FILE)
        .map_err(|problem| Failure::BadInput { what: format!("{file} {problem}"), hint: None })?;
    Ok(vec![parse(file, &text)?])
}

fn default_page(name: Option<&str>) -> PathBuf {
    let stem = name.and_then(|name| Path::new(name).file_stem());
    stem.map_or("validation.html".into(), |stem| format!("validation-{}.html", stem.to_string_lossy()).into())
}

fn carry_out(plan: Plan, threads: usize, quiet: bool) -> Report {
    let bar = ProgressBar::with_draw_target(Some(plan.runs() as u64), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos} of {len} runs, {elapsed} {msg}") {
        bar.set_style(style);
    }
    let show = |progress: Progress| {
        if !quiet {
            bar.set_position(progress.done as u64);
            bar.set_message(plain(&progress.scenario).into_owned());
        }
    };
    let report = plan.carry_out(threads, &show);
    bar.finish_and_clear();
    report
}

/// Stamps of convergence studies that can be read; others are skipped.
fn stamps(folder: &Path) -> Vec<Stamp> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == "json"));
    files.sort();
    files.iter().filter_map(|file| serde_json::from_slice(&std::fs::read(file).ok()?).ok()).collect()
}

/// The table, topic by topic; quiet, only what does not hold.
fn in_words(report: &Report, topics: &[Topic], quiet: bool) -> String {
    let mut text = String::new();
    for topic in topics {
        let rows: Vec<&Row> = report
            .rows
            .iter()
            .filter(|row| row.topic == topic.name && (!quiet || row.verdict == Verdict::Fail))
            .collect();
        if rows.is_empty() {
            continue;
        }
        let mut lines = table(&["scenario", "claim", "source", "target", "measured", "verdict"]);
        for row in rows {
            lines.add_row([
                &row.scenario,
                &what(row),
                &row.source,
                &target(row),
                &row.shown,
                row.verdict.name(),
            ]);
        }
        if let Some(column) = lines.column_mut(4) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        text += &format!("{}\n{lines}\n\n", topic.title);
    }
    text
}

/// The claim, and what is wrong with it.
fn what(row: &Row) -> String {
    if row.note.is_empty() { row.what.clone() } else { format!("{} ({})", row.what, row.note) }
}

fn target(row: &Row) -> String {
    format!("{} {}", row.target, row.tolerance).trim_end().to_string()
}

fn closing(report: &Report, out: &Path, seconds: f64) -> String {
    let [pass, fail, differs] = [Verdict::Pass, Verdict::Fail, Verdict::Differs].map(|v| report.count(v));
    format!(
        "{} hold, {fail} fail, {} ({} in {})\npage: {}\n",
        count(pass, "claim"),
        count(differs, "known difference"),
        count(report.runs.len(), "run"),
        clock(seconds),
        out.display()
    )
}
