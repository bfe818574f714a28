//! `touchdown validate`: the page, the rows for scripts, and exit codes that tell whether the claims hold.

mod common;

use common::*;

/// A file with one claim about the pendulum, whose mass is 1 kg.
fn claim(target: &str) -> String {
    format!(
        "title = \"mine\"\n[[claim]]\nscenario = \"pendulum\"\nset = [\"duration_s=0.1\"]\nwhat = \"<script>alert(1)</script>\"\n\
         source = \"s\"\nkind = \"exact form\"\nvalue = \"total_mass_kg\"\ntarget = {target}\nwithin = 0.001\nwhy = \"y\"\n"
    )
}

#[test]
fn claims_that_hold_leave_a_page_and_rows() {
    // One scenario, all of whose claims hold: exit code 0, a page that says so, and the same rows as JSON.
    let dir = temporary();
    let printed = good(dir.path(), &["validate", "slider-crank", "--json", "rows.json"]);
    assert!(printed.contains("claims hold, 0 fail"), "{printed}");
    let page = String::from_utf8(bytes(dir.path(), "validation-slider-crank.html")).expect("UTF-8");
    assert!(
        page.contains("claims hold, none fails") && !page.contains("src=") && !page.contains("://"),
        "needs no network"
    );
    let rows = json(dir.path(), "rows.json");
    let rows = rows["rows"].as_array().expect("rows");
    assert!(rows.len() > 2 && rows.iter().all(|row| row["verdict"] == "pass" && row["measured"].is_number()));
}

#[test]
fn claims_that_fail_end_with_one() {
    // The right target passes; a deliberately wrong one fails, is reported, and still leaves its page, with hostile text made harmless.
    let dir = temporary();
    std::fs::write(dir.path().join("right.toml"), claim("1.0")).expect("written");
    std::fs::write(dir.path().join("wrong.toml"), claim("1.1")).expect("written");
    good(dir.path(), &["validate", "right.toml"]);
    let ended = touchdown(dir.path(), &["validate", "wrong.toml", "--out", "page.html"]);
    assert_eq!(ended.code, 1, "{}", ended.stderr);
    assert!(
        ended.stderr.contains("1 claim does not hold") && ended.stdout.contains("fail"),
        "{}",
        ended.stdout
    );
    let page = String::from_utf8(bytes(dir.path(), "page.html")).expect("UTF-8");
    assert!(page.contains("What does not hold") && !page.contains("<script"));
}

#[test]
fn mistakes_end_with_two_and_teach() {
    // Nothing of that name, a file with a mistake: exit code 2 with what was meant; a place that cannot be written: 1, before anything runs.
    let dir = temporary();
    std::fs::write(dir.path().join("bad.toml"), claim("1.0").replace("pendulum", "pendulun"))
        .expect("written");
    for (args, code, words) in [
        (vec!["validate", "singel-wheel"], 2, "did you mean single-wheel?"),
        (
            vec!["validate", "bad.toml"],
            2,
            "bad.toml:2: there is no scenario \"pendulun\"; did you mean \"pendulum\"?",
        ),
        (vec!["validate", "nowhere.toml"], 2, "nowhere.toml cannot be read"),
        (vec!["validate", "pendulum", "--out", "no/such/folder.html"], 1, "no/such/folder.html"),
    ] {
        let ended = touchdown(dir.path(), &args);
        assert_eq!(ended.code, code, "{args:?}: {}", ended.stderr);
        assert!(ended.stderr.contains(words), "{args:?}: {}", ended.stderr);
    }
}
