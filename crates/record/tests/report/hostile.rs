//! No name becomes markup.

use super::*;

/// Ends a script, opens an element that runs a script, closes an attribute; each alone would do harm.
const HOSTILE: &str = "</script><img src=x onerror=alert(1)>\"'`--><!--";

#[test]
fn no_name_breaks_out_of_the_page() {
    // Every text that a scenario, a file name or a stamp can bring is hostile; the page holds it as text and nothing else.
    let dir = tempfile::tempdir().expect("a folder");
    let nasty = || HOSTILE.to_string();
    let mut columns = columns();
    columns[1].name = format!("body.{HOSTILE}.z_m");
    columns[1].about = nasty();
    let mut scene = scene();
    scene.bodies[0] = nasty();
    scene.contacts[0].name = nasty();
    let figure = Figure {
        name: nasty(),
        title: nasty(),
        source: nasty(),
        kind: FigureKind::Lines {
            x: "time_s".into(),
            x_label: nasty(),
            x_unit: nasty(),
            x_scale: f64::MAX,
            y_label: nasty(),
            y_unit: nasty(),
            y_scale: 1.0,
            traces: vec![
                Trace { column: columns[1].name.clone(), label: nasty(), measured: true },
                Trace { column: nasty(), label: nasty(), measured: false },
            ],
            points: vec![Points {
                label: nasty(),
                source: nasty(),
                x: vec![f64::MAX, 1.0, f64::NAN],
                y: vec![f64::MAX, 2.0],
                x_error: vec![f64::INFINITY],
                y_error: vec![1.0, f64::MAX],
            }],
        },
    };
    let info = RunInfo {
        scenario: nasty(),
        title: nasty(),
        version: nasty(),
        build: touchdown_record::Build { commit: nasty(), compiler: nasty(), ..Default::default() },
        resolved_toml: nasty(),
        inputs: vec![InputFile { name: nasty(), blake3: nasty(), ..InputFile::default() }],
        seed: 1,
        threads: 1,
        command: nasty(),
        began: nasty(),
        knobs: vec![KnobEntry {
            name: nasty(),
            path: nasty(),
            value: nasty(),
            default: String::new(),
            unit: nasty(),
            about: nasty(),
        }],
        settings: vec![format!("{HOSTILE}={HOSTILE}")],
        warnings: vec![nasty()],
        assumed: vec![Assumed { key: nasty(), value: nasty(), reason: nasty() }],
        maps: vec![touchdown_record::MapEntry { file: nasty(), lines: vec![(nasty(), nasty())] }],
        report: ReportSpec {
            question: nasty(),
            reproduces: nasty(),
            answer: nasty(),
            figures: vec![figure],
            phases: vec![PhaseSpan { label: nasty(), from: 0.0, to: 1.0 }],
        },
    };
    let value = NamedValue { name: nasty(), value: f64::NAN, unit: nasty(), about: nasty() };
    let check = Check {
        name: nasty(),
        value: f64::INFINITY,
        limit: f64::NAN,
        at_most: true,
        unit: nasty(),
        about: nasty(),
    };
    let table = Table {
        title: nasty(),
        about: nasty(),
        columns: vec![TableColumn { name: nasty(), unit: nasty() }],
        rows: vec![vec![Cell::Text(nasty())]],
    };
    let outcome = Outcome {
        stopped_because: Some(nasty()),
        finished: false,
        words: Vec::new(),
        tables: vec![table],
        quantities: vec![value.clone()],
        ledger: vec![value],
        validity: vec![check],
        warnings: vec![nasty()],
        ..outcome(ROWS, false)
    };
    record_run(dir.path(), &info, &columns, &scene, &outcome);
    let refinement = Refinement {
        what: nasty(),
        key: nasty(),
        settings: vec![1.0],
        values: vec![1.0],
        order: None,
        error: 0.0,
        finding: nasty(),
    };
    let stamp = Stamp {
        scenario: nasty(),
        resolved_blake3: blake3_of(&nasty()),
        version: nasty(),
        quantity: nasty(),
        unit: nasty(),
        value: 1.0,
        estimate: 1.0,
        uncertainty: 0.1,
        refinements: vec![refinement],
        verdict: nasty(),
        trusted: true,
    };
    fs::write(dir.path().join("convergence.json"), serde_json::to_vec(&stamp).expect("JSON"))
        .expect("written");
    let (page, _) = render(dir.path());
    let seen = markup(&page);
    assert!(seen.contains("id=\"convergence\"") && seen.contains("&lt;img src=x onerror="));
    // Elements opened by the page itself: an image is not among them, and every script is one of its own.
    assert!(!seen.contains("<img") && !page.contains("<img src=x"));
    let own = page.matches("<script").count() - page.matches("\"<script").count();
    assert_eq!(page.matches("</script>").count(), own, "a script was opened or closed by a name");
    data(&page, "figures");
}
