//! Campaigns by the command: the same bytes for any threads, shards and interruptions; mistakes of every kind; exit codes.

mod common;

use common::{CARRIAGE, bytes, good, json, map, start, temporary, touchdown};
use std::path::Path;
use std::time::Duration;

const STUDY: &str = r#"
scenario = "pendulum"
cases = 60
seed = 7
sampling = "sobol"
look_every = 10

[vary]
duration_s = { uniform = [0.5, 3.0] }

[requirement.keeps_energy]
quantity = "energy_drift_relative"
at_most = 1e-3
probability = 0.9
confidence = 0.9
"#;

fn plan(dir: &Path, out: &str, text: &str) {
    std::fs::write(dir.join("study.toml"), text).expect("written");
    good(dir, &["campaign", "plan", "study.toml", "--out", out]);
}

fn result(dir: &Path, out: &str) -> Vec<u8> {
    bytes(&dir.join(out), "cases.parquet")
}

#[test]
fn the_same_bytes_for_any_threads_shards_order_and_kills() {
    let folder = temporary();
    let dir = folder.path();
    plan(dir, "one", STUDY);
    good(dir, &["campaign", "run", "one", "--threads", "1", "--quiet"]);
    plan(dir, "two", STUDY);
    good(dir, &["campaign", "run", "two", "--threads", "3", "--quiet"]);
    assert!(result(dir, "one") == result(dir, "two"), "threads");
    plan(dir, "cut", STUDY);
    for i in [2, 0, 3, 1] {
        good(dir, &["campaign", "run", "cut", "--threads", "1", "--quiet", "--shard", &format!("{i}/4")]);
    }
    assert!(result(dir, "one") == result(dir, "cut"), "shards in another order");
    plan(dir, "killed", STUDY);
    for wait in [5, 20, 35, 50] {
        let mut child = start(dir, &["campaign", "run", "killed", "--threads", "2", "--quiet"]);
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().expect("killed");
        child.wait().expect("ended");
    }
    good(dir, &["campaign", "run", "killed", "--threads", "2", "--quiet"]);
    assert!(result(dir, "one") == result(dir, "killed"), "kills");
    assert_eq!(json(&dir.join("one"), "result.json")["cases"], 60);
    // Again is no work, and the page is there.
    good(dir, &["campaign", "run", "one", "--quiet"]);
    let page = String::from_utf8(bytes(&dir.join("one"), "report.html")).expect("text");
    assert!(page.contains("keeps_energy") && page.contains("PASS"));
}

/// Cut before its first contact, a docking lacks most of its quantities; what a case does not have is empty in the result, and its rows keep their hash.
#[test]
fn cases_without_an_answer_can_be_read_again() {
    let folder = temporary();
    let dir = folder.path();
    let text = "scenario = \"docking\"\ncases = 4\nset = [\"duration_s=0.01\"]\n[vary]\noffset_x_m = { uniform = [-0.04, 0.04] }\n";
    plan(dir, "short", text);
    good(dir, &["campaign", "run", "short", "--quiet"]);
    assert_eq!(json(&dir.join("short"), "result.json")["cases"], 4);
}

#[test]
fn verdicts_are_exit_codes() {
    let folder = temporary();
    let dir = folder.path();
    plan(dir, "pass", STUDY);
    good(dir, &["campaign", "run", "pass", "--quiet"]);
    assert_eq!(touchdown(dir, &["campaign", "assess", "pass"]).code, 0);
    plan(dir, "fail", &STUDY.replace("at_most = 1e-3", "at_least = 1.0"));
    touchdown(dir, &["campaign", "run", "fail", "--quiet"]);
    assert_eq!(touchdown(dir, &["campaign", "assess", "fail"]).code, 1);
    plan(dir, "open", &STUDY.replace("cases = 60", "cases = 5"));
    good(dir, &["campaign", "run", "open", "--quiet"]);
    let ended = touchdown(dir, &["campaign", "assess", "open"]);
    assert_eq!(ended.code, 4);
    assert!(ended.stdout.contains("more cases needed"), "{}", ended.stdout);
    // Stopping early: the same index with any number of threads, on a look.
    for (out, threads) in [("early-1", "1"), ("early-3", "3")] {
        plan(dir, out, &STUDY.replace("cases = 60", "cases = 120"));
        good(dir, &["campaign", "run", out, "--threads", threads, "--quiet", "--until-decided"]);
    }
    assert!(result(dir, "early-1") == result(dir, "early-3"));
    let cases = json(&dir.join("early-1"), "result.json")["cases"].as_u64().expect("a count");
    // With successes alone the mixture shows 0.9 as soon as (n + 1)·0.9ⁿ ≤ 0.1: at 62 cases, seen at the look after it.
    assert_eq!(cases, 70);
}

#[test]
fn mistakes_are_reported_all_at_once_with_their_lines() {
    let folder = temporary();
    let dir = folder.path();
    let refused = |text: &str, words: &[&str]| {
        std::fs::write(dir.join("bad.toml"), text).expect("written");
        let ended = touchdown(dir, &["campaign", "plan", "bad.toml", "--out", "bad"]);
        assert_eq!(ended.code, 2, "{text}\n{}", ended.stderr);
        words
            .iter()
            .for_each(|word| assert!(ended.stderr.contains(word), "no {word:?} in:\n{}", ended.stderr));
        assert!(!dir.join("bad").exists(), "something was written");
    };
    refused(&STUDY.replace("duration_s =", "duration_x ="), &["vary.duration_x", "bad.toml:9"]);
    refused(&STUDY.replace("[0.5, 3.0]", "[-1.0, 3.0]"), &["vary.duration_s", "-1"]);
    refused(
        &STUDY.replace("energy_drift_relative", "energy_drift"),
        &["no quantity energy_drift", "energy_drift_relative"],
    );
    refused(
        &STUDY.replace("sobol", "sobel").replace("uniform", "uniforme").replace("confidence = 0.9", ""),
        &["sampling", "did you mean sobol?", "vary.duration_s", "needs a probability and a confidence"],
    );
    // Mistakes of the file itself, of its knobs, their ranges and its quantities, in one go.
    let text = STUDY
        .replace("sobol", "sobel")
        .replace("[0.5, 3.0] }", "[-1.0, 3.0] }\n\"body.bob.mas\" = [1, 2]")
        .replace("energy_drift_relative", "energy_drift");
    refused(
        &text,
        &["did you mean sobol?", "vary.duration_s", "vary.body.bob.mas", "no quantity energy_drift"],
    );
}

#[test]
fn a_changed_plan_and_a_shard_of_another_are_refused_and_nothing_is_lost() {
    let folder = temporary();
    let dir = folder.path();
    plan(dir, "a", STUDY);
    good(dir, &["campaign", "run", "a", "--quiet"]);
    plan(dir, "b", &STUDY.replace("seed = 7", "seed = 8"));
    std::fs::create_dir_all(dir.join("b/cases/shard=0000")).expect("made");
    std::fs::copy(
        dir.join("a/cases/shard=0000/part-0.parquet"),
        dir.join("b/cases/shard=0000/part-0.parquet"),
    )
    .expect("copied");
    let ended = touchdown(dir, &["campaign", "run", "b", "--quiet"]);
    assert_eq!(ended.code, 2);
    assert!(ended.stderr.contains("belongs to another plan"), "{}", ended.stderr);
    let text = String::from_utf8(bytes(&dir.join("a"), "plan.json"))
        .expect("text")
        .replace("\"seed\": 7", "\"seed\": 9");
    std::fs::write(dir.join("a/plan.json"), text).expect("written");
    let before = result(dir, "a");
    let ended = touchdown(dir, &["campaign", "run", "a", "--quiet"]);
    assert_eq!(ended.code, 2);
    assert!(ended.stderr.contains("changed after it was written"), "{}", ended.stderr);
    assert!(before == result(dir, "a"));
    // A result that was changed is noticed, and can be put together again from the parts.
    plan(dir, "c", STUDY);
    good(dir, &["campaign", "run", "c", "--quiet"]);
    let whole = result(dir, "c");
    let mut other = whole.clone();
    other[whole.len() / 2] ^= 1;
    std::fs::write(dir.join("c/cases.parquet"), other).expect("written");
    let ended = touchdown(dir, &["campaign", "assess", "c"]);
    assert!(ended.code == 2 && ended.stderr.contains("not what was written"), "{}", ended.stderr);
    std::fs::remove_file(dir.join("c/cases.parquet")).expect("removed");
    good(dir, &["campaign", "run", "c", "--quiet"]);
    assert!(whole == result(dir, "c"));
    // Another plan does not replace one that is there.
    std::fs::write(dir.join("study.toml"), STUDY.replace("cases = 60", "cases = 61")).expect("written");
    assert_eq!(touchdown(dir, &["campaign", "plan", "study.toml", "--out", "b"]).code, 2);
}

/// A file that only some cases read, through a word that varies, belongs to the plan: changed, it is refused.
#[test]
fn files_behind_words_are_part_of_the_plan() {
    let folder = temporary();
    let dir = folder.path();
    std::fs::write(dir.join("map.asc"), map(None)).expect("written");
    std::fs::write(dir.join("other.asc"), map(None)).expect("written");
    std::fs::write(dir.join("carriage.toml"), CARRIAGE).expect("written");
    let text = "scenario = \"carriage.toml\"\n[vary]\n\"terrain.file\" = [\"map.asc\", \"other.asc\"]\n";
    plan(dir, "c", text);
    let inputs = json(&dir.join("c"), "plan.json")["inputs"].to_string();
    assert!(inputs.contains("map.asc") && inputs.contains("other.asc"), "{inputs}");
    std::fs::write(dir.join("other.asc"), map(None).replacen("1 1", "1 2", 1)).expect("written");
    let ended = touchdown(dir, &["campaign", "run", "c", "--quiet"]);
    assert!(ended.code == 2 && ended.stderr.contains("other.asc has other content"), "{}", ended.stderr);
}

#[test]
fn a_sweep_is_a_table_and_a_plot() {
    let folder = temporary();
    let dir = folder.path();
    let args = ["sweep", "pendulum", "--vary", "duration_s=0.5..2:4", "--out", "s", "--quantity", "x_end_m"];
    let printed = good(dir, &args);
    assert!(printed.contains("x_end_m") && printed.contains("1.5"), "{printed}");
    assert!(dir.join("s/cases.parquet").exists());
    // The page begins with the answer, at both ends of the range: after half a second and after two the bob is right and left of the hinge.
    let page = String::from_utf8(bytes(&dir.join("s"), "report.html")).expect("text");
    assert!(
        page.contains("<code>x_end_m</code> ranges from \u{2212}") && page.contains("4 cases."),
        "{page}"
    );
    // Of another quantity, if one is asked for; of none that does not exist, and then nothing is run.
    let asked = |quantity: &'static str, out: &'static str| {
        ["sweep", "pendulum", "--vary", "duration_s=0.5,1", "--out", out, "--quantity", quantity]
    };
    good(dir, &asked("z_end_m", "z"));
    let page = String::from_utf8(bytes(&dir.join("z"), "report.html")).expect("text");
    assert!(page.contains("<code>z_end_m</code> ranges from"), "{page}");
    let ended = touchdown(dir, &asked("z_end", "none"));
    assert!(ended.code == 2 && ended.stderr.contains("did you mean z_end_m?"), "{}", ended.stderr);
    assert!(!dir.join("none").exists());
    let ended = touchdown(dir, &["sweep", "pendulum", "--vary", "duration_s=1..2", "--out", "t"]);
    assert_eq!(ended.code, 2);
    assert!(ended.stderr.contains("log:from..to:points"), "{}", ended.stderr);
}

#[test]
fn runs_are_compared() {
    let folder = temporary();
    let dir = folder.path();
    for (out, time) in [("a", "1"), ("b", "2")] {
        let set = format!("duration_s={time}");
        good(dir, &["run", "pendulum", "--set", &set, "--out", out, "--quiet", "--no-report"]);
    }
    let printed = good(dir, &["compare", "a", "b", "--out", "c.html"]);
    assert!(printed.contains("duration") && printed.contains("x_end_m"), "{printed}");
    assert!(good(dir, &["compare", "a", "a", "--out", "c.html"]).contains("the inputs are the same"));
}

/// Every study that ships can be planned with the scenarios as they are now: its knobs exist, and the ends of its ranges are allowed.
#[test]
fn shipped_studies_can_be_planned() {
    let folder = temporary();
    let studies = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../studies/campaigns");
    let mut names: Vec<String> = studies
        .read_dir()
        .expect("studies")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".toml"))
        .collect();
    names.sort();
    assert!(names.len() >= 5, "{names:?}");
    for name in names {
        let study = studies.join(&name).display().to_string();
        let printed = good(folder.path(), &["campaign", "plan", &study, "--out", &name.replace(".toml", "")]);
        assert!(printed.contains("run it: touchdown campaign run"), "{printed}");
    }
}

/// Figures of the ledger are among the quantities, too: each name is one column, as every reader of Parquet needs it.
#[test]
fn each_name_is_one_column() {
    let folder = temporary();
    let dir = folder.path();
    plan(dir, "c", STUDY);
    let quantities = json(&dir.join("c"), "plan.json")["quantities"].clone();
    let list = quantities.as_array().expect("a list").iter().map(|q| q["name"].to_string());
    let mut names: Vec<String> = list.collect();
    let all = names.len();
    names.sort();
    names.dedup();
    assert!(names.len() == all && names.contains(&"\"energy_drift_relative\"".into()), "{quantities}");
}
