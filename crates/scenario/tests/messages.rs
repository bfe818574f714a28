//! The words of mistakes: a small corpus of broken files, each with the messages that a user gets. Read before accepting.

use std::path::Path;
use touchdown_scenario::load;

fn messages(file: &str, sets: &[&str]) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken");
    let text = std::fs::read_to_string(folder.join(file)).unwrap();
    let sets: Vec<String> = sets.iter().map(|s| s.to_string()).collect();
    touchdown_scenario::load_str(file, &text, &folder, &sets).unwrap_err().to_string()
}

/// Every broken file of the corpus says all that is wrong with it, each with its line, what was found and how to mend it.
#[test]
fn broken_files_are_explained() {
    let files = [
        "misspelt",
        "units",
        "tree",
        "inertia",
        "weightless",
        "references",
        "signals",
        "numbers",
        "syntax",
        "types",
        "machine",
        "robot",
        "soil",
        "soil_missing",
        "rig",
        "studies",
        "figures",
    ];
    for file in files {
        insta::assert_snapshot!(file, messages(&format!("{file}.toml"), &[]));
    }
}

/// A bad `--set` is explained like a bad file, with the argument as its place.
#[test]
fn bad_settings_are_explained() {
    let sets = |list: &[&str]| list.iter().map(|s| s.to_string()).collect::<Vec<_>>();
    let all = sets(&[
        "links=-3",
        "link=3",
        "chain.rods.length=3",
        "chain.rod.length_m=3",
        "chain.rods.legnth_m=3",
        "duration_s=fast",
        "gravity=marss",
        "nonsense",
        "title.sub=1",
    ]);
    insta::assert_snapshot!("settings", load("pendulum-chain", &all).unwrap_err().to_string());
    insta::assert_snapshot!("no_such_scenario", load("pendulun", &[]).unwrap_err().to_string());
}
