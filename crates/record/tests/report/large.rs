//! Long runs: the page does not grow with their rows, and loses no peak.

use crate::*;
use touchdown_sim::sink::Sink;

/// A hundred thousand rows here; a million are no larger on the page, since the same number of points is drawn.
const MANY: u64 = 100_000;
/// Row with a peak that lasts for this row alone, and its value, m.
const PEAK: (u64, f64) = (61_803, 7.5);
/// Bytes of a page at most.
const LARGEST: usize = 20_000_000;

#[test]
fn the_page_of_many_rows_is_small_and_has_every_peak() {
    let dir = tempfile::tempdir().expect("a folder");
    let info = RunInfo { report: spec(), ..info() };
    let mut recorder = Recorder::create(dir.path(), &info, &columns(), &scene(), &Options::default())
        .expect("a fresh folder");
    for i in 0..MANY {
        let mut row = row(i);
        if i == PEAK.0 {
            row[1] = PEAK.1;
        }
        recorder.series(&row).expect("room on disk");
        if i % FRAME_EVERY == 0 {
            recorder.frame(&frame(i)).expect("room on disk");
        }
    }
    recorder.finish(&outcome(MANY, true), 0.5).expect("merged");
    let (page, notes) = render(dir.path());
    assert!(page.len() < LARGEST, "{} bytes", page.len());
    assert_eq!(notes, Vec::<String>::new());
    let figures = data(&page, "figures");
    let figure = &figures["figures"][0];
    let numbers = |values: &serde_json::Value| -> Vec<f64> {
        values.as_array().expect("values").iter().map(|x| x.as_f64().expect("a number")).collect()
    };
    let (times, heights) = (numbers(&figure["x"]["values"]), numbers(&figure["y"]["lines"][0]["values"]));
    assert!(times.len() < 2100 && times.len() == heights.len(), "{} points", times.len());
    let at = heights.iter().position(|z| *z == 1000.0 * PEAK.1).expect("the peak");
    assert!((times[at] - PEAK.0 as f64 * STEP).abs() < 1e-6 * times[at]);
    let last = (MANY - 1) as f64 * STEP;
    assert!(times[0] == 0.0 && (times[times.len() - 1] - last).abs() < 1e-6 * last);
}
