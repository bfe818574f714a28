//! The same bits on every machine: results do not change with the functions that the system chooses for a processor, and those of
//! ten short runs are written down (`hashes.txt`) for every machine to meet.
//!
//! `make bits` runs all scenarios to their end. `make bits-accept` writes the hashes again; a line in the changelog says why.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use touchdown_scenario::{EntryKind, catalogue, load};

/// Takes variants with fused multiply-add and wide vectors away from glibc, as an older processor would.
const PLAIN: (&str, &str) =
    ("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-FMA,-AVX2,-FMA4,-AVX2_Usable,-FMA_Usable,-AVX512F");
/// Simulated time of a scenario in CI, s; of those with flexible bodies, which take a thousand times as long.
const SECONDS: f64 = 2.0;
const SECONDS_FLEXIBLE: f64 = 0.02;
/// Those that take longest for a second of theirs: enough to touch everything that acts.
const SLOW: &[(&str, f64)] = &[
    ("rover-crevasse", 0.3),
    ("rover-obstacle", 0.3),
    ("rover-rocks-and-sand", 0.3),
    ("rover-waypoints", 0.3),
];
/// Runs whose hashes are kept: each integrator, each contact model, maps, flexible bodies, devices, studies.
const KEPT: [(&str, f64); 10] = [
    ("pendulum-chain", 1.0),
    ("bricard", 1.0),
    ("spinning-top", 2.0),
    ("single-wheel", 0.5),
    ("rover-drop-brush", 0.3),
    ("hexapod-walk", 0.5),
    ("docking", 1.0),
    ("ball-on-map", 0.5),
    ("stick-slip-block", 0.5),
    ("rover-drop-ancf", 0.01),
];

/// Runs a scenario, cut to `seconds` if it is longer. The scenario's own duration is none of the command's arguments.
fn run(name: &str, seconds: Option<f64>, plain: bool, out: &Path) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_touchdown"));
    command.args(["run", name, "--quiet", "--no-report", "--threads", "1", "--out"]).arg(out);
    if let Some(seconds) = seconds {
        command.args(["--set", &format!("duration_s={seconds}")]);
    }
    if plain {
        command.env(PLAIN.0, PLAIN.1);
    }
    let output = command.stdin(Stdio::null()).output().expect("the command starts");
    // A run that fails numerically (3) has results, too, which must fail alike.
    let code = output.status.code();
    assert!(matches!(code, Some(0 | 3)), "{name}: {}", String::from_utf8_lossy(&output.stderr));
}

/// What to cut a scenario to; nothing where it is shorter, or is no run in time.
fn cut(name: &str, topic_is_flexible: bool) -> Option<f64> {
    let most = SLOW.iter().find(|s| s.0 == name).map_or(SECONDS, |s| s.1);
    let most = if topic_is_flexible { SECONDS_FLEXIBLE } else { most };
    let duration = load(name, &[]).expect("a built-in scenario").description.duration;
    (duration > most).then_some(most)
}

/// Raw numbers of the series, column by column with their names, and the hash of the last state.
fn hash(folder: &Path) -> String {
    let series = touchdown_record::read_series(folder).expect("a series");
    let mut hasher = blake3::Hasher::new();
    for column in &series.columns {
        hasher.update(column.name.as_bytes());
        column.values.iter().for_each(|x| {
            hasher.update(&x.to_bits().to_le_bytes());
        });
    }
    hasher.finalize().to_hex().to_string()
}

/// Files whose bytes are the results; not every study writes each.
fn results(folder: &Path) -> Vec<(&'static str, Option<blake3::Hash>)> {
    let names = ["series.parquet", "frames.mcap", "soil.parquet"];
    names.map(|name| (name, fs::read(folder.join(name)).ok().map(|bytes| blake3::hash(&bytes)))).to_vec()
}

/// Does the jobs on all cores; says what they found.
fn on_all_cores<T: Sync>(jobs: &[T], work: impl Fn(&T) -> Option<String> + Sync) -> Vec<String> {
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    found.lock().expect("no worker panics").extend(work(job));
                }
            });
        }
    });
    found.into_inner().expect("no worker panics")
}

/// With and without fused multiply-add in the system's functions, every scenario gives the same bytes. `BITS_FULL` runs them to
/// their ends.
#[test]
fn results_do_not_depend_on_the_processor() {
    let full = std::env::var_os("BITS_FULL").is_some();
    let scenarios: Vec<_> = catalogue().iter().filter(|e| e.kind == EntryKind::Scenario).collect();
    let differ = on_all_cores(&scenarios, |entry| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let seconds = if full { None } else { cut(&entry.name, entry.topic == "flexible") };
        let outs = [false, true].map(|plain| {
            let out = folder.path().join(if plain { "plain" } else { "own" });
            run(&entry.name, seconds, plain, &out);
            results(&out)
        });
        (outs[0] != outs[1]).then(|| format!("{}: {:?} and {:?}", entry.name, outs[0], outs[1]))
    });
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}

/// Ten short runs give the numbers that are written down, on every machine.
#[test]
fn numbers_are_those_of_every_machine() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bits/hashes.txt");
    let accept = std::env::var_os("BITS_ACCEPT").is_some();
    let mut lines = on_all_cores(&KEPT, |(name, seconds)| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let out = folder.path().join("run");
        run(name, Some(*seconds), false, &out);
        Some(format!("{name} {seconds} {}", hash(&out)))
    });
    lines.sort();
    let text = lines.join("\n") + "\n";
    if accept {
        fs::write(&path, &text).expect("the list can be written");
    }
    let kept = fs::read_to_string(&path).expect("the list of hashes");
    assert_eq!(
        text, kept,
        "numbers changed: if they should, run `make bits-accept` and say why in CHANGELOG.md"
    );
}
