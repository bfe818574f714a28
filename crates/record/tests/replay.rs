//! Frames read back and replayed: from a whole folder, from parts, from damaged files, while they are recorded, inside a report.

mod common;

use common::*;
use decode::{Page, Shown};
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::time::Duration;
use touchdown_geometry::Shape;
use touchdown_record::replay::{FolderSource, Source, embedded, live};
use touchdown_record::{Options, Recorder, read_frames};
use touchdown_sim::show::GroundView;
use touchdown_sim::sink::{Frame, Sink, SoilPatch};

#[path = "common/decode.rs"]
mod decode;

const ROWS: u64 = 1500;
const FRAMES: usize = (ROWS / FRAME_EVERY) as usize;

/// A whole run of 300 frames.
fn whole() -> tempfile::TempDir {
    recorded(ROWS)
}

fn recorded(rows: u64) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a temporary folder");
    straight(dir.path(), rows, 400, &Options::default());
    dir
}

/// Rows of a run whose frames fill several chunks of a file.
const LONG: u64 = 15_000;

fn open(dir: &Path) -> FolderSource {
    FolderSource::open(dir).expect("something of a run")
}

fn frames_of(dir: &Path) -> (Vec<Frame>, touchdown_record::FramesRead) {
    let mut frames = Vec::new();
    let read = read_frames(dir, |frame| frames.push(frame.clone()));
    (frames, read)
}

/// Whether a frame is the one recorded with row `i`, but for rounding: times to 1 ns, heights to 0.05 mm, displacements to 5 µm. Patches may be those of that time
/// which changed before: a page that missed something gets all of them.
fn assert_like(found: &Frame, i: u64) {
    let given = frame(i);
    assert!((found.time - given.time).abs() < 1e-9);
    assert_eq!((&found.poses, &found.contacts), (&given.poses, &given.contacts));
    assert_eq!(found.pressures, given.pressures);
    assert_eq!(found.deformations.len(), given.deformations.len());
    for (found, given) in found.deformations.iter().zip(&given.deformations) {
        assert_eq!(found.len(), given.len());
        assert!(found.iter().flatten().zip(given.iter().flatten()).all(|(a, b)| (a - b).abs() < 0.51e-5));
    }
    for patch in &found.soil {
        let same = |p: &SoilPatch| (p.x0 - patch.x0).abs() < 1e-9 && p.y0 == patch.y0;
        // Every patch changes within three frames.
        let mut before = (0..3).filter_map(|k| i.checked_sub(k * FRAME_EVERY));
        let given = before.find_map(|i| frame(i).soil.into_iter().find(same)).expect("one that was recorded");
        assert_eq!((patch.nx, patch.ny, &patch.undisturbed), (given.nx, given.ny, &given.undisturbed));
        let mut pairs = patch.heights.iter().zip(&given.heights);
        assert!(pairs.all(|(a, b)| (a - b).abs() < 0.51e-4), "{:?} {:?}", patch.heights, given.heights);
    }
}

#[test]
fn frames_come_back_with_their_scene() {
    // All frames, and the forms, contacts and ground that were given.
    let dir = whole();
    let (frames, read) = frames_of(dir.path());
    assert_eq!((frames.len(), read.frames, read.notes), (FRAMES, FRAMES, vec![]));
    for (k, found) in frames.iter().enumerate() {
        assert_like(found, k as u64 * FRAME_EVERY);
        assert!(found.soil.len() <= frame(k as u64 * FRAME_EVERY).soil.len());
    }
    let (found, given) = (read.scene, scene());
    assert_eq!((&found.bodies, &found.contacts), (&given.bodies, &given.contacts));
    assert_eq!((found.duration, found.frames_every), (given.duration, given.frames_every));
    assert_eq!((found.visuals.len(), found.contact_forms.len()), (4, 2));
    assert_eq!(found.deforming, [1]);
    for (a, b) in found.visuals.iter().zip(&given.visuals) {
        assert_eq!((&a.name, a.body, &a.shape), (&b.name, b.body, &b.shape));
        assert!((a.X_BG.p - b.X_BG.p).norm() == 0.0 && (a.X_BG.R - b.X_BG.R).norm() < 1e-15);
    }
    assert_eq!(found.contact_forms[0].shape, Shape::Cylinder { radius: 0.25, length: 0.1 });
    let Some(GroundView::Soil { spacing, relief }) = found.ground else { panic!("soil") };
    assert_eq!((spacing, relief.nx, relief.heights[1], relief.heights[2].is_nan()), (0.01, 2, 0.25, true));
}

#[test]
fn the_soil_of_a_folder_is_that_of_the_run_at_every_frame() {
    // Differences and keyframes add up: the page's soil is what the frames so far have left, to 0.05 mm.
    let dir = whole();
    let source = open(dir.path());
    let shown = Page::default().play(&all_frames(&source), &scene());
    assert_eq!(shown.len(), FRAMES);
    let mut soil = std::collections::BTreeMap::new();
    for (k, shown) in shown.iter().enumerate() {
        for patch in frame(k as u64 * FRAME_EVERY).soil {
            soil.insert((patch.x0 / 0.01).round() as i32, patch.heights);
        }
        assert_eq!(shown.soil.len(), soil.len());
        for (i, heights) in &soil {
            let found = &shown.soil[&(*i, -16)];
            assert!(found.iter().zip(heights).all(|(a, b)| (a - b).abs() < 0.51e-4), "frame {k}");
        }
    }
}

/// All frames of a source, asked for piece by piece as the page does.
fn all_frames(source: &dyn Source) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let number = decode::count(&bytes);
        let piece = source.frames(number);
        if piece.is_empty() {
            assert_eq!(number, source.extent().frames);
            return bytes;
        }
        bytes.extend(piece);
    }
}

/// A column's values in these rows, as many as there are.
fn column(source: &dyn Source, name: &str, rows: Range<usize>) -> Vec<f64> {
    let mut all = Vec::new();
    source
        .column(name, rows, &mut |values| {
            all.extend_from_slice(values);
            ControlFlow::Continue(())
        })
        .expect("descriptors and memory");
    all
}

#[test]
fn a_column_is_read_on_in_the_parts_where_the_file_is_damaged() {
    // A run that was cut off has parts only; a merged file that cannot be read beside them changes nothing. Whoever breaks off gets no more.
    let dir = tempfile::tempdir().expect("a temporary folder");
    let quick = Options { seal_every: Duration::from_millis(2), ..Options::default() };
    let mut recorder = create(dir.path(), &quick);
    record(&mut recorder, 0, 1000, 100).expect("room on disk");
    drop(recorder);
    let times = |rows: Range<usize>| column(&open(dir.path()), "time_s", rows);
    let given: Vec<f64> = (0..1000).map(|i| row(i)[0]).collect();
    assert_eq!(times(0..1000), given);
    assert_eq!(times(333..777), given[333..777]);
    std::fs::write(dir.path().join("series.parquet"), b"PAR1 and nothing else").expect("written");
    assert_eq!(times(333..777), given[333..777]);
    let mut pieces = 0;
    let read = open(dir.path()).column("time_s", 0..1000, &mut |_| {
        pieces += 1;
        ControlFlow::Break(())
    });
    assert!(read.is_ok() && pieces == 1);
}

#[test]
fn a_page_sees_what_was_recorded() {
    // Poses and forces in 32 bits, pressures to a 65535th of the largest; series by name from any row on; none for unknown names.
    let dir = whole();
    let source = open(dir.path());
    let extent = source.extent();
    assert_eq!((extent.frames, extent.rows as u64, extent.live), (FRAMES, ROWS, false));
    for (k, shown) in Page::default().play(&all_frames(&source), &scene()).iter().enumerate() {
        let given = frame(k as u64 * FRAME_EVERY);
        assert_shows(shown, &given);
    }
    let found = column(&source, "body.chassis.z_m", 1490..1498);
    assert_eq!(found, (1490..1498).map(|i| row(i)[1]).collect::<Vec<_>>());
    assert_eq!(column(&source, "time_s", 1490..usize::MAX).len(), 10);
    assert!(
        column(&source, "nothing", 0..9).is_empty() && column(&source, "time_s", 9999..10_000).is_empty()
    );
    let scene: serde_json::Value = serde_json::from_str(&source.scene()).expect("JSON");
    assert_eq!((&scene["scenario"], &scene["bodies"][1]), (&"made-up".into(), &"wheel".into()));
    assert_eq!((&scene["contacts"][1]["body"], &scene["contacts"][1]["soil"]), (&1.into(), &true.into()));
    assert!(scene["forms"][4]["deforms"].is_null() && scene["forms"][5]["deforms"] == 0);
    assert_eq!((&scene["forms"][4]["contact"], &scene["ground"]["kind"]), (&true.into(), &"soil".into()));
    assert!(scene["ground"]["relief"]["heights"][2].is_null());
    assert_eq!(scene["notes"], serde_json::json!([]));
}

fn assert_shows(shown: &Shown, given: &Frame) {
    assert!((shown.time - given.time).abs() < 1e-9);
    for (found, given) in shown.poses.iter().zip(&given.poses) {
        let given: Vec<f64> = given.p_WB.iter().chain(&given.q_WB).copied().collect();
        assert!(found.iter().zip(&given).all(|(a, b)| *a == *b as f32));
    }
    for (found, given) in shown.contacts.iter().zip(&given.contacts) {
        let given: Vec<f64> = given.p_WC.iter().chain(given.f_W.iter()).copied().collect();
        assert!(found.iter().zip(&given).all(|(a, b)| *a == *b as f32));
    }
    assert_eq!(shown.pressures.len(), given.pressures.len());
    for (found, given) in shown.pressures.iter().zip(&given.pressures) {
        assert_eq!(found.len(), given.len());
        for ((i, j, pressure), node) in found.iter().zip(given) {
            assert_eq!((*i, *j), (node.i, node.j));
            assert!((pressure / node.pressure - 1.0).abs() < 1.0 / 65535.0);
        }
    }
    for (found, given) in shown.deformations.iter().zip(&given.deformations) {
        let largest = given.iter().flatten().fold(0.0, |most: f32, d| most.max(d.abs()));
        // Half a step of the file's unit and half a step of the page's.
        let rounding = 0.51e-5 + 0.51 * largest / 32767.0;
        assert_eq!(found.len(), given.len());
        let mut pairs = found.iter().flatten().zip(given.iter().flatten());
        assert!(pairs.all(|(a, b)| (a - b).abs() < rounding), "{found:?} {given:?}");
    }
    assert_eq!(shown.deformations.len(), given.deformations.len());
}

#[test]
fn a_run_in_progress_shows_what_its_folder_will() {
    // Asked while it runs, the source has all frames handed over so far; at the end it says so, and shows what the folder shows.
    let dir = tempfile::tempdir().expect("a temporary folder");
    let (mut sink, source) = live(create(dir.path(), &Options::default()), &info(), &columns(), &scene());
    record(&mut sink, 0, 700, u64::MAX).expect("room on disk");
    assert_eq!((source.extent().frames as u64, source.extent().live), (frames_in(700), true));
    // Rows come at the latest with the next frame or the 64th row.
    assert!(source.extent().rows >= 636);
    record(&mut sink, 700, ROWS, u64::MAX).expect("room on disk");
    let recorder = sink.finish();
    assert_eq!((source.extent().rows as u64, source.extent().live), (ROWS, false));
    recorder.finish(&outcome(ROWS, true), 0.0).expect("merged");
    let folder = open(dir.path());
    let play = |source: &dyn Source| Page::default().play(&all_frames(source), &scene());
    for (a, b) in play(&*source).iter().zip(&play(&folder)) {
        assert!((a.time - b.time).abs() < 1e-9);
        assert_eq!(
            (&a.poses, &a.contacts, &a.soil, &a.pressures),
            (&b.poses, &b.contacts, &b.soil, &b.pressures)
        );
    }
    for name in ["time_s", "ledger.energy_j"] {
        let rows = 700..ROWS as usize;
        assert_eq!(column(&*source, name, rows.clone()), column(&folder, name, rows));
    }
    assert_eq!(source.scene(), folder.scene());
}

#[test]
fn parts_of_a_run_that_was_cut_off_are_shown() {
    // No merged file: the sealed parts are read, and the notes say that the run has not ended. A part that is missing is named.
    let dir = tempfile::tempdir().expect("a temporary folder");
    let quick = Options { seal_every: Duration::from_millis(2), ..Options::default() };
    let mut recorder = create(dir.path(), &quick);
    record(&mut recorder, 0, 1000, 100).expect("room on disk");
    drop(recorder);
    let (frames, read) = frames_of(dir.path());
    assert_eq!(frames.len() as u64, frames_in(1000));
    (0..).zip(&frames).for_each(|(k, found)| assert_like(found, k * FRAME_EVERY));
    assert!(read.notes.iter().any(|note| note.contains("has not ended")), "{:?}", read.notes);
    assert_eq!(read.scene.contacts, scene().contacts);
    let mut parts: Vec<_> = std::fs::read_dir(dir.path().join("parts")).expect("parts").flatten().collect();
    parts.retain(|part| part.file_name().to_string_lossy().starts_with("frames-"));
    parts.sort_by_key(|part| part.file_name());
    std::fs::remove_file(parts[1].path()).expect("removed");
    let (fewer, read) = frames_of(dir.path());
    assert!(fewer.len() < frames.len() && fewer.len() > 1);
    assert!(read.notes.iter().any(|note| note.contains("are missing")), "{:?}", read.notes);
}

#[test]
fn a_torn_file_shows_what_is_before_the_tear() {
    // Cut anywhere: never a panic, a note unless all frames are there, and the frames are the first ones. The more bytes, the more frames.
    let dir = recorded(LONG);
    let path = dir.path().join("frames.mcap");
    let bytes = std::fs::read(&path).expect("frames");
    let mut counts = Vec::new();
    for k in 0..40 {
        std::fs::write(&path, &bytes[..bytes.len() * k / 40]).expect("written");
        let (frames, read) = frames_of(dir.path());
        assert!(!read.notes.is_empty() || frames.len() as u64 == frames_in(LONG), "{k}");
        (0..).zip(&frames).for_each(|(n, found)| assert_like(found, n * FRAME_EVERY));
        counts.push(frames.len());
    }
    assert!(counts.is_sorted() && counts[0] == 0, "{counts:?}");
    counts.dedup();
    assert!(counts.len() > 3, "several chunks: {counts:?}");
}

#[test]
fn damage_costs_no_more_than_it_hit() {
    // Bytes overwritten anywhere: never a panic, and each frame that comes is one that was recorded, its soil too; a lost chunk is named, and
    // after it come frames again.
    let dir = recorded(LONG);
    let path = dir.path().join("frames.mcap");
    let bytes = std::fs::read(&path).expect("frames");
    let mut passed_over = 0;
    for k in 0..60 {
        let mut broken = bytes.clone();
        let at = 40 + (bytes.len() - 40) * k / 60;
        broken[at..].iter_mut().take(1 + k % 9).for_each(|byte| *byte ^= 0x5a);
        std::fs::write(&path, &broken).expect("written");
        let (frames, read) = frames_of(dir.path());
        let complete = frames.len() as u64 == frames_in(LONG);
        assert!(complete || !read.notes.is_empty(), "{k}: {} frames", frames.len());
        for found in &frames {
            assert_like(found, (found.time / STEP).round() as u64);
        }
        let last = frames.last().map_or(0.0, |frame| frame.time);
        passed_over += usize::from(!complete && last > (LONG - FRAME_EVERY - 1) as f64 * STEP);
    }
    assert!(passed_over > 10, "{passed_over}");
    std::fs::write(&path, b"no frames at all").expect("written");
    std::fs::write(dir.path().join("series.parquet"), b"no rows either").expect("written");
    std::fs::write(dir.path().join("manifest.json"), b"{").expect("written");
    let source = open(dir.path());
    let scene: serde_json::Value = serde_json::from_str(&source.scene()).expect("JSON");
    assert!(scene["notes"].as_array().is_some_and(|notes| notes.len() >= 3), "{scene}");
    assert_eq!((source.extent().frames, source.frames(0).len()), (0, 0));
    assert!(FolderSource::open(&dir.path().join("nowhere")).is_err());
}

#[test]
fn a_report_holds_as_much_as_fits() {
    // Thinned out to a budget: first and last frame stay, and the soil at the end is that of the whole run.
    use std::io::Read;
    let dir = whole();
    let full = Page::default().play(&all_frames(&open(dir.path())), &scene());
    let mut counts = Vec::new();
    for budget in [1 << 20, 12_000, 4_000] {
        let (text, packed) = embedded(dir.path(), budget);
        assert!(packed.len().div_ceil(3) * 4 <= budget, "{} bytes for {budget}", packed.len());
        let mut bytes = Vec::new();
        flate2::read::GzDecoder::new(&packed[..]).read_to_end(&mut bytes).expect("gzip");
        let shown = Page::default().play(&bytes, &scene());
        let ([first, .., last], Some(end)) = (&shown[..], full.last()) else { panic!("frames") };
        assert_eq!((first.time, last.time, &last.soil), (0.0, end.time, &end.soil));
        let described: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let every = described["frames_every_s"].as_f64().expect("a number");
        assert!((every * (shown.len() - 1) as f64 - end.time).abs() < 1e-9);
        counts.push(shown.len());
    }
    assert!(counts[0] == FRAMES && counts[1] < counts[0] && counts[2] < counts[1], "{counts:?}");
}

#[test]
#[ignore = "a measurement of a folder named by TOUCHDOWN_FOLDER: run with --ignored --nocapture"]
fn cost_of_opening() {
    let Some(dir) = std::env::var_os("TOUCHDOWN_FOLDER") else { return };
    let dir = Path::new(&dir);
    let start = std::time::Instant::now();
    let source = open(dir);
    let opened = start.elapsed();
    let frames = all_frames(&source);
    println!(
        "opened in {opened:.2?}: {} frames, {} bytes, scene {} bytes",
        source.extent().frames,
        frames.len(),
        source.scene().len()
    );
    let start = std::time::Instant::now();
    let read = read_frames(dir, |_| ());
    println!("frames alone in {:.2?}, notes {:?}", start.elapsed(), read.notes);
    let start = std::time::Instant::now();
    let (scene, packed) = embedded(dir, 5 << 20);
    println!("embedded in {:.2?}: {} bytes gzipped, scene {}", start.elapsed(), packed.len(), scene.len());
    let again = tempfile::tempdir().expect("a temporary folder");
    let mut recorder =
        Recorder::create(again.path(), &info(), &columns(), &read.scene, &Options::default()).expect("fresh");
    let mut handing = Duration::ZERO;
    read_frames(dir, |frame| {
        let start = std::time::Instant::now();
        recorder.frame(frame).expect("room on disk");
        handing += start.elapsed();
    });
    recorder.flush().expect("sealed");
    let start = std::time::Instant::now();
    recorder.finish(&outcome(1, true), 0.0).expect("merged");
    println!("handed over in {handing:.2?}, merged in {:.2?}", start.elapsed());
}
