//! Reports of damaged folders.

use super::*;

#[test]
fn each_lost_or_damaged_file_is_named_and_the_rest_is_shown() {
    for name in ["manifest.json", "summary.json", "series.parquet", "resolved.toml"] {
        for damage in [None, Some(&b"\x00garbage"[..]), Some(&b""[..])] {
            let dir = tempfile::tempdir().expect("a folder");
            run(dir.path());
            let path = dir.path().join(name);
            match damage {
                None => fs::remove_file(&path).expect("removed"),
                Some(bytes) => fs::write(&path, bytes).expect("damaged"),
            }
            let (page, missing) = render(dir.path());
            assert!(missing.iter().any(|line| line.starts_with(name)), "{name}: {missing:?}");
            let seen = markup(&page);
            assert!(seen.contains("not complete") && seen.contains(name));
            assert_eq!(seen.contains("✓ finished"), name != "summary.json");
            assert_eq!(seen.contains("How high?"), name != "manifest.json");
        }
    }
}

#[test]
fn files_cut_short_anywhere_never_panic() {
    // The first n bytes of each file, for n over its whole length, and single bytes turned over.
    let whole = tempfile::tempdir().expect("a folder");
    run(whole.path());
    let dir = tempfile::tempdir().expect("a folder");
    run(dir.path());
    for name in ["manifest.json", "summary.json", "series.parquet"] {
        let good = bytes(whole.path(), name);
        let path = dir.path().join(name);
        for n in (0..40).map(|k| good.len() * k / 40) {
            fs::write(&path, &good[..n]).expect("cut");
            render(dir.path());
            let mut turned = good.clone();
            turned[n] ^= 0xff;
            fs::write(&path, &turned).expect("turned");
            render(dir.path());
        }
        fs::write(&path, &good).expect("restored");
    }
}

#[test]
fn a_manifest_of_wrong_types_is_read_in_pieces() {
    let dir = tempfile::tempdir().expect("a folder");
    run(dir.path());
    let path = dir.path().join("manifest.json");
    let mut manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(&path).expect("read")).expect("JSON");
    manifest["seed"] = "many".into();
    manifest["columns"] = 3.into();
    fs::write(&path, manifest.to_string()).expect("written");
    let (page, missing) = render(dir.path());
    assert!(missing[0].contains("incomplete"), "{missing:?}");
    assert!(markup(&page).contains("How high?"));
    for nonsense in [
        "[]",
        "3",
        "null",
        "{\"quantities\": 7, \"ledger\": [1], \"validity\": {\"a\": 3}, \"warnings\": {}}",
    ] {
        fs::write(dir.path().join("summary.json"), nonsense).expect("written");
        fs::write(&path, nonsense).expect("written");
        render(dir.path());
    }
}

#[test]
fn a_killed_run_is_reported_from_its_parts() {
    let dir = tempfile::tempdir().expect("a folder");
    let info = RunInfo { report: spec(), ..info() };
    let mut recorder =
        Recorder::create(dir.path(), &info, &columns(), &scene(), &Options::default()).expect("created");
    record(&mut recorder, 0, 250, 100).expect("room on disk");
    drop(recorder);
    let (page, missing) = render(dir.path());
    assert!(missing.iter().any(|line| line.starts_with("summary.json")), "{missing:?}");
    assert!(markup(&page).contains("✗ no end recorded"));
    let values = data(&page, "figures")["figures"][0]["x"]["values"].as_array().expect("values").len();
    assert_eq!(values, 250);
}

#[test]
fn a_folder_without_a_run_is_refused() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::write(dir.path().join("notes.txt"), "mine").expect("written");
    for place in [dir.path().to_path_buf(), dir.path().join("nowhere"), dir.path().join("notes.txt")] {
        assert!(matches!(report::render(&place), Err(RecordError::NoRun { .. })), "{}", place.display());
    }
}

#[test]
fn figures_of_a_damaged_run_are_named() {
    // Nothing to draw from is no failure: what is missing is reported.
    let dir = tempfile::tempdir().expect("a folder");
    run(dir.path());
    fs::write(dir.path().join("series.parquet"), "torn").expect("written");
    fs::write(dir.path().join("soil.parquet"), "torn").expect("written");
    let written = report::write_figures(dir.path()).expect("as far as possible");
    assert!(written.files.is_empty());
    let notes = written.notes.join("\n");
    for said in ["series.parquet is damaged", "soil.parquet cannot be read", "is not drawn"] {
        assert!(notes.contains(said), "{notes}");
    }
}
