//! A fuzz corpus grown from the good files: each mutation must end in errors with a line, quickly and without a panic.

use rustix::time::{ClockId, clock_gettime};
use std::panic::catch_unwind;
use std::path::Path;
use touchdown_scenario::{EntryKind, ScenarioErrors, catalogue, load, load_str};

/// One broken case must be explained within this much processor time, s. The clock would count the work of others, too.
const PATIENCE: f64 = 5.0;

/// Processor time of this thread so far, s.
fn processor_seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

/// A deterministic sequence of numbers (Knuth's MMIX generator), so that a failing case can be found again.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % sides.max(1) as u64) as usize
    }
}

/// A way to break a line of a file; `None` where it does not apply.
type Breaker = fn(&str) -> Option<String>;

/// Lines `key = value` outside lists that run over several lines.
fn assignment(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(" = ")?;
    let plain = key.chars().all(|c| c.is_alphanumeric() || c == '_');
    let closed = value.matches(['[', '{']).count() == value.matches([']', '}']).count();
    // Texts for people may say anything, so breaking them breaks nothing.
    let free = [
        "title",
        "about",
        "question",
        "reproduces",
        "assumed",
        "source",
        "column",
        "crossing",
        "x",
        "x_label",
        "y",
        "y_label",
        "labels",
        "take",
        "text",
        "text_no",
    ];
    (plain && closed && !free.contains(&key)).then_some((key, value))
}

const BREAKERS: &[(&str, Breaker)] = &[
    // A knob may have any name.
    ("misspelt key", |l| {
        assignment(l).filter(|(_, v)| !v.starts_with("{ path")).map(|(k, v)| format!("{k}x = {v}"))
    }),
    ("wrong type: table", |l| assignment(l).map(|(k, _)| format!("{k} = {{ nonsense = 1 }}"))),
    ("wrong type: flag", |l| {
        assignment(l).filter(|(_, v)| !v.starts_with("true")).map(|(k, _)| format!("{k} = false"))
    }),
    ("wrong type: date", |l| assignment(l).map(|(k, _)| format!("{k} = 1979-05-27"))),
    ("nan", |l| assignment(l).map(|(k, _)| format!("{k} = nan"))),
    ("infinite", |l| assignment(l).map(|(k, _)| format!("{k} = [inf, -inf, nan]"))),
    ("huge", |l| assignment(l).filter(|(k, _)| *k != "seed").map(|(k, _)| format!("{k} = 1e300"))),
    ("huge list", |l| assignment(l).map(|(k, _)| format!("{k} = [{}]", vec!["9e99"; 5000].join(",")))),
    ("nested", |l| assignment(l).map(|(k, _)| format!("{k} = {}{}", "[".repeat(60), "]".repeat(60)))),
    ("wrong unit", |l| {
        assignment(l).filter(|(_, v)| v.contains("\"")).map(|(k, _)| format!("{k} = \"3 W\""))
    }),
    ("no unit", |l| assignment(l).map(|(k, _)| format!("{k}_furlongs = 3"))),
    ("unclosed text", |l| assignment(l).map(|(k, _)| format!("{k} = \"oh"))),
    ("twice", |l| assignment(l).map(|(k, v)| format!("{k} = {v}\n{k} = {v}"))),
    ("unclosed table", |l| l.starts_with('[').then(|| l.trim_end_matches(']').to_string())),
    ("unknown section", |l| l.starts_with('[').then(|| l.replacen('[', "[wheelbarrow.", 1))),
    ("zero mass", |l| (l.starts_with("mass") && !l.contains("0.3 kg")).then(|| "mass_kg = -0.5".into())),
    ("control characters", |l| assignment(l).map(|(k, _)| format!("{k} = \"\u{1}\u{0}\""))),
    ("unknown parent", |l| l.starts_with("parent = ").then(|| "parent = \"nobody\"".into())),
    ("own child", |l| l.starts_with("child = ").then(|| "child = \"world\"".into())),
    ("zero axis", |l| l.starts_with("axis = ").then(|| "axis = [0, 0, 0]".into())),
];

/// Loads a text and checks that it fails well.
fn must_fail(name: &str, what: &str, text: &str) -> ScenarioErrors {
    let start = processor_seconds();
    let result = catch_unwind(|| load_str(&format!("{name}.toml"), text, Path::new("."), &[]));
    let result = result.unwrap_or_else(|_| panic!("{name}, {what}: panicked on\n{text}"));
    let took = processor_seconds() - start;
    assert!(took < PATIENCE, "{name}, {what}: took {took} s");
    let errors = match result {
        Ok(_) => panic!("{name}, {what}: was accepted\n{text}"),
        Err(errors) => errors,
    };
    let lines = text.lines().count().max(1) + 1;
    assert!(!errors.diagnostics.is_empty(), "{name}, {what}: no message");
    for d in &errors.diagnostics {
        assert!(
            d.line >= 1 && (d.line <= lines || d.source > 0),
            "{name}, {what}: line {} of {lines}",
            d.line
        );
        assert!(errors.to_string().len() < 100_000 && !d.what.is_empty());
        assert!(d.span.start <= d.span.end && d.span.end <= errors.sources.0[d.source].text.len());
    }
    errors
}

/// Every way of breaking a line, at lines chosen by dice in every built-in file, is refused with a line number.
#[test]
fn broken_lines_are_refused() {
    let mut dice = Dice(1);
    let mut cases = 0;
    for entry in catalogue().iter().filter(|e| e.kind == EntryKind::Scenario) {
        let lines: Vec<&str> = entry.text.lines().collect();
        for (what, breaker) in BREAKERS {
            let fit: Vec<usize> = (0..lines.len()).filter(|i| breaker(lines[*i]).is_some()).collect();
            for _ in 0..2.min(fit.len()) {
                let at = fit[dice.roll(fit.len())];
                let mut broken: Vec<String> = lines.iter().map(|l| l.to_string()).collect();
                broken[at] = breaker(lines[at]).unwrap();
                let what =
                    format!("{what} at line {}: {}", at + 1, broken[at].chars().take(80).collect::<String>());
                must_fail(&entry.name, &what, &broken.join("\n"));
                cases += 1;
            }
        }
    }
    assert!(cases >= 400, "only {cases} cases");
}

/// A machine file broken in the same ways is refused through the scenario that uses it.
#[test]
fn broken_machine_files_are_refused() {
    let machine = catalogue().iter().find(|e| e.kind == EntryKind::Machine).unwrap();
    let body: String =
        machine.text.replace("\n[", "\n[machine.rover.").replace("title = ", "# ").replace("source = ", "# ");
    let head = "title = \"t\"\nduration = \"1 s\"\ngravity = \"mars\"\n[ground]\n";
    let whole = format!("{head}{}", body);
    assert!(load_str("whole.toml", &whole, Path::new("."), &[]).is_ok());
    let lines: Vec<&str> = whole.lines().collect();
    let mut dice = Dice(2);
    for (what, breaker) in BREAKERS {
        let fit: Vec<usize> = (0..lines.len()).filter(|i| breaker(lines[*i]).is_some()).collect();
        for _ in 0..4.min(fit.len()) {
            let at = fit[dice.roll(fit.len())];
            let mut broken: Vec<String> = lines.iter().map(|l| l.to_string()).collect();
            broken[at] = breaker(lines[at]).unwrap();
            must_fail("machine", &format!("{what}: {}", lines[at]), &broken.join("\n"));
        }
    }
}

/// Required lines cannot be left out.
#[test]
fn missing_keys_are_refused() {
    let needed = [
        "title = ",
        "duration = ",
        "mass",
        "type = ",
        "child = ",
        "axis = ",
        "links = 50",
        "length = ",
        "column = ",
    ];
    for entry in catalogue().iter().filter(|e| e.kind == EntryKind::Scenario) {
        for key in needed {
            let lines: Vec<&str> = entry.text.lines().collect();
            // Parameters are named after keys, but not needed.
            // Latches and magnets have an axis without being asked.
            let header = |at: usize| lines[..at].iter().rev().find(|l| l.starts_with('['));
            let has_own = |h: &&str| h.starts_with("[latch.") || h.starts_with("[magnet_pair.");
            let is_needed = |at: &usize| {
                let has_default = key == "axis = " && header(*at).is_some_and(has_own);
                lines[*at].starts_with(key) && !lines[*at].contains("{ path = ") && !has_default
            };
            let Some(at) = (0..lines.len()).find(is_needed) else { continue };
            let without: Vec<&str> =
                lines.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, l)| *l).collect();
            must_fail(&entry.name, &format!("without {}", lines[at]), &without.join("\n"));
        }
    }
}

/// A file cut off anywhere is either refused with a line or, between tables, a smaller file that is judged on its merits.
#[test]
fn truncated_files_never_panic() {
    let (mut dice, mut refused) = (Dice(3), 0);
    for entry in catalogue().iter().filter(|e| e.kind == EntryKind::Scenario) {
        for _ in 0..8 {
            let mut cut = dice.roll(entry.text.len());
            while !entry.text.is_char_boundary(cut) {
                cut -= 1;
            }
            let text = &entry.text[..cut];
            let outcome = catch_unwind(|| load_str("cut.toml", text, Path::new("."), &[]));
            match outcome.expect("no panic") {
                Ok(_) => {}
                Err(errors) => {
                    refused += 1;
                    assert!(errors.diagnostics.iter().all(|d| d.line >= 1));
                }
            }
        }
    }
    assert!(refused >= 60, "only {refused} refused");
}

/// Structures that would cost without bound are refused or bounded: deep tables, many mistakes, a file that uses itself.
#[test]
fn cost_is_bounded() {
    let many: String = (0..50_000).map(|i| format!("key{i} = {i}\n")).collect();
    let errors = must_fail("many", "fifty thousand unknown keys", &many);
    assert!(errors.diagnostics.len() <= 100 && errors.left_out > 40_000);
    let deep = format!("a{} = 1", ".a".repeat(5_000));
    must_fail("deep", "five thousand levels", &deep);
    let folder = std::env::temp_dir().join(format!("touchdown-scenario-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("self.toml"), "use = \"self.toml\"\n").unwrap();
    let text = "title = \"t\"\nduration = \"1 s\"\n[machine.m]\nuse = \"self.toml\"\n";
    let errors = load_str("s.toml", text, &folder, &[]).unwrap_err();
    assert!(errors.to_string().contains("deeper"), "{errors}");
    std::fs::write(folder.join("bytes.toml"), [0xff, 0xfe, b'\n', 0x00]).unwrap();
    assert!(load(folder.join("bytes.toml").to_str().unwrap(), &[]).is_err());
    assert!(load(folder.to_str().unwrap(), &[]).is_err());
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Joints that close a circle are named as one.
#[test]
fn cycles_are_refused() {
    let base = catalogue().iter().find(|e| e.name == "double-pendulum").unwrap().text;
    let text = base.replace(
        "[joint.inner]\ntype = \"revolute\"\n",
        "[joint.inner]\ntype = \"revolute\"\nparent = \"outer\"\n",
    );
    assert!(must_fail("cycle", "inner on outer", &text).to_string().contains("cycle"));
}

/// Whatever mutation of a good file is still accepted, its resolved form reads back to the same description.
#[test]
fn accepted_mutations_resolve_to_the_same() {
    let values = [
        "0",
        "\"1 m\"",
        "[0, 0, 1]",
        "true",
        "\"world\"",
        "\"free\"",
        "\"fixed\"",
        "\"89 deg\"",
        "\"3 s\"",
        "7",
    ];
    let (mut dice, mut accepted) = (Dice(4), 0);
    for entry in catalogue().iter().filter(|e| e.kind == EntryKind::Scenario) {
        let lines: Vec<&str> = entry.text.lines().collect();
        for _ in 0..30 {
            let mut changed: Vec<String> = lines.iter().map(|l| l.to_string()).collect();
            let at = dice.roll(lines.len());
            match (lines[at].split_once(" = "), dice.roll(2)) {
                (Some((key, _)), 0) => changed[at] = format!("{key} = {}", values[dice.roll(values.len())]),
                _ => drop(changed.remove(at)),
            }
            let Ok(first) = load_str("m.toml", &changed.join("\n"), Path::new("."), &[]) else { continue };
            let again = load_str("r.toml", &first.resolved_toml, Path::new("."), &[])
                .unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(
                format!("{:?}", first.description),
                format!("{:?}", again.description),
                "{}",
                changed.join("\n")
            );
            accepted += 1;
        }
    }
    assert!(accepted > 100, "only {accepted} accepted");
}
