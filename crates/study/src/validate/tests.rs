//! The rows parse, can fail, cover all scenarios, and come out the same on any number of threads.

use super::claim::ClaimKind;
use super::*;
use std::collections::BTreeSet;
use touchdown_scenario::{EntryKind, catalogue};

fn topics() -> Vec<Topic> {
    built_in().unwrap_or_else(|e| panic!("{e}"))
}

fn carry_out(text: &str) -> Report {
    let topic = parse("test.toml", text).unwrap_or_else(|e| panic!("{e}"));
    Plan::new(vec![topic], None).carry_out(1, &|_| {})
}

/// A claim about the pendulum, with what is measured and the bound given.
fn pendulum(lines: &str) -> String {
    format!(
        "title = \"t\"\n[[claim]]\nscenario = \"pendulum\"\nset = [\"duration_s=1\"]\nwhat = \"w\"\nsource = \"s\"\nkind = \"exact form\"\nwhy = \"y\"\n{lines}\n"
    )
}

/// Every scenario that exists has a claim, and each has a row that compares it with something other than its own ledger.
#[test]
fn all_scenarios_have_claims() {
    let topics = topics();
    let claimed: BTreeSet<&str> = topics.iter().flat_map(Topic::scenarios).collect();
    let compared: BTreeSet<&str> = topics
        .iter()
        .flat_map(|topic| &topic.claims)
        .filter(|placed| placed.claim.kind != ClaimKind::Conservation)
        .map(|placed| placed.claim.scenario.as_str())
        .collect();
    for entry in catalogue().iter().filter(|e| e.kind == EntryKind::Scenario) {
        assert!(claimed.contains(entry.name.as_str()), "no claim about {}", entry.name);
        assert!(compared.contains(entry.name.as_str()), "{} is compared with nothing", entry.name);
    }
}

/// The mechanisms meet their references, orders and balances; this is the fast part of the validation.
#[test]
fn mechanisms_hold() {
    let chosen = select(topics(), Some("mechanisms")).unwrap_or_else(|e| panic!("{e}"));
    let report = Plan::new(chosen, Some("mechanisms")).carry_out(2, &|_| {});
    let failed: Vec<_> = report
        .rows
        .iter()
        .filter(|r| r.verdict != Verdict::Pass)
        .map(|r| (&r.what, r.measured, &r.note))
        .collect();
    assert!(failed.is_empty(), "{failed:?}");
    assert!(report.rows.len() > 30 && report.holds());
}

/// A wrong target fails: by a measure, a quantity, a column, a sweep; and so does a run that gives no number.
#[test]
fn wrong_targets_fail() {
    for (right, wrong) in [
        (
            "value = { measure = \"distance from the reference\" }\nat_most = 1e-6",
            "value = { measure = \"distance from the reference\" }\nat_most = 1e-30",
        ),
        (
            "value = \"total_mass_kg\"\ntarget = 1.0\nwithin = 1e-9",
            "value = \"total_mass_kg\"\ntarget = 1.1\nwithin = 1e-9",
        ),
        (
            "value = { column = \"time_s\", take = \"mean\" }\ntarget = 0.5\nwithin_relative = 0.01",
            "value = { column = \"time_s\", take = \"max\" }\ntarget = 0.5\nwithin_relative = 0.01",
        ),
        (
            "value = { column = \"time_s\" }\nsweep = [\"duration_s=1\", \"duration_s=2\", \"duration_s=4\"]\ntake = \"least step\"\nat_least = 0.9",
            "value = { column = \"time_s\" }\nsweep = [\"duration_s=4\", \"duration_s=2\", \"duration_s=1\"]\ntake = \"least step\"\nat_least = 0.9",
        ),
        (
            "value = \"total_mass_kg\"\nat_least = 0",
            "value = \"total_mass_kg\"\nminus = \"total_mass_kg\"\nover = 0.0\nat_least = 0",
        ),
    ] {
        let verdict = |lines: &str| carry_out(&pendulum(lines)).rows[0].verdict;
        assert_eq!(verdict(right), Verdict::Pass, "{right}");
        assert_eq!(verdict(wrong), Verdict::Fail, "{wrong}");
    }
}

/// A case: scenario, its settings, what breaks it, and what is measured against which bound.
struct Case {
    scenario: &'static str,
    set: &'static str,
    broken: &'static str,
    lines: &'static str,
}

const fn case(scenario: &'static str, set: &'static str, broken: &'static str, lines: &'static str) -> Case {
    Case { scenario, set, broken, lines }
}

const STOOD: &str = "'start=equilibrium', 'drop_height_m=-0.024', 'duration_s=0.01'";
const TOWED: &str = "'stress_law=bekker', 'friction_law=coulomb', 'friction_angle_deg=0', 'cohesion_pa=0', 'slip=0', 'deposition=off', 'erosion=off'";
const DRIVEN: &str = "'stress_law=bekker', 'friction_law=coulomb', 'slip=0.5', 'friction_speed_m_per_s=1e-5', 'deposition=off', 'erosion=off'";
const SHORT: &str = "'stress_law=bekker', 'friction_law=coulomb', 'travel_m=0.75'";

const CASES: [Case; 18] = [
    case(
        "rover-drop-brush",
        STOOD,
        "gravity=earth",
        "value = { column = 'tyre.front_left.normal_force_n' }\ntarget = { measure = 'static load of a front wheel' }\nwithin_relative = 1e-4",
    ),
    case(
        "rover-drop-brush",
        STOOD,
        "gravity=earth",
        "value = { column = 'tyre.middle_left.normal_force_n' }\ntarget = { measure = 'static load of a middle wheel' }\nwithin_relative = 1e-4",
    ),
    case(
        "rover-drop-brush",
        STOOD,
        "gravity=earth",
        "value = { column = 'tyre.rear_left.normal_force_n' }\ntarget = { measure = 'static load of a rear wheel' }\nwithin_relative = 1e-4",
    ),
    case(
        "rover-drop-brush",
        "",
        "radial_damping_n_s_per_m=300",
        "value = { measure = 'largest rebound of a tyre' }\nat_most = 1e-11",
    ),
    case(
        "rover-load-brush",
        "'duration_s=5'",
        "machine.rover.tyre_law.brush.radial_stiffness=8000 N/m",
        "value = { measure = \"distance from the tyre's line\" }\nat_most = 1e-3",
    ),
    case(
        "rover-traction-brush",
        "'duration_s=8'",
        "machine.rover.tyre_law.brush.rolling_resistance=0.03",
        "value = { measure = \"distance from the wheel's balance\" }\nat_most = 1e-3",
    ),
    case(
        "rover-traction-brush",
        "'duration_s=6', 'moment_n_m=0'",
        "moment_n_m=3.5",
        "value = { measure = 'largest drift of the chassis' }\nat_most = 0.002",
    ),
    case(
        "plate-sinkage",
        "",
        "terrain.elastic_stiffness=1e6 Pa/m",
        "value = 'sinkage_unloaded_m'\ntarget = { measure = \"Bekker's sinkage of the plate\" }\nwithin_relative = 1e-3",
    ),
    case(
        "single-wheel",
        TOWED,
        "deposition=on",
        "value = 'sinkage_m'\ntarget = { measure = 'exact sinkage of the wheel' }\nwithin_relative = 0.03",
    ),
    case(
        "single-wheel",
        DRIVEN,
        "friction_speed_m_per_s=0.1",
        "value = 'drawbar_pull_n'\ntarget = { measure = 'exact pull of the wheel' }\nwithin = 4",
    ),
    case(
        "single-wheel",
        DRIVEN,
        "friction_speed_m_per_s=0.1",
        "value = 'torque_n_m'\ntarget = { measure = 'exact torque of the wheel' }\nwithin = 0.6",
    ),
    case(
        "single-wheel",
        SHORT,
        "record.series_every=2 s",
        "value = { measure = \"energy left over the motor's work\" }\nat_most = 0.001",
    ),
    case(
        "single-wheel",
        SHORT,
        "friction_angle_deg=2",
        "value = { column = 'constraint.carriage.force_0', take = 'largest' }\nover = { measure = 'friction limit of the pull' }\nat_most = 1",
    ),
    case(
        "sand-pile",
        "",
        "terrain.erosion=off",
        "value = 'heap_radius_m'\ntarget = { measure = 'radius of the ideal cone' }\nwithin = 0.01",
    ),
    case(
        "wheel-footprint",
        "",
        "deposition=off",
        "value = { measure = 'height of the humps' }\nat_least = 0.001",
    ),
    case(
        "wheel-footprint",
        "",
        "sink_rate_m_per_s=0.001",
        "value = { measure = 'depth of the rut' }\ntarget = 0.048\nwithin = 0.001",
    ),
    case(
        "wheel-footprint",
        "",
        "erosion=off",
        "value = { measure = 'steepest slope beside the wheel' }\nat_most = 1.001",
    ),
    case(
        "wheel-footprint",
        "",
        "deposition=off",
        "value = { measure = 'volume of the humps over that of the rut, less one' }\ntarget = 0\nwithin = 0.001",
    ),
];

/// Every measure notices what it is there for: with the physics right the bound holds, with them broken on purpose it does not.
#[test]
fn measures_notice_broken_physics() {
    let mut wrong = Vec::new();
    for case in &CASES {
        let head = "what = 'w'\nsource = 's'\nkind = 'exact form'\nwhy = 'y'";
        let claim = |set: &str| {
            format!("[[claim]]\nscenario = '{}'\nset = [{set}]\n{head}\n{}\n", case.scenario, case.lines)
        };
        let broken = format!("{}{}'{}'", case.set, if case.set.is_empty() { "" } else { ", " }, case.broken);
        let report = carry_out(&format!("title = 't'\n{}{}", claim(case.set), claim(&broken)));
        let verdicts: Vec<Verdict> = report.rows.iter().map(|row| row.verdict).collect();
        if verdicts != [Verdict::Pass, Verdict::Fail] {
            let shown: Vec<_> = report.rows.iter().map(|row| (&row.target, &row.shown, &row.note)).collect();
            wrong.push(format!("{} {}: {shown:?}", case.scenario, case.broken));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The order of a method is found from errors that fall by 2ᵖ: a second-order method is not of first order.
#[test]
fn orders_are_measured() {
    let text = "value = { measure = \"distance from the reference at the end\" }\ntake = \"order\"\nsweep = [\"integrator={name=\\\"implicit\\\", step=\\\"20 ms\\\"}\", \"integrator={name=\\\"implicit\\\", step=\\\"10 ms\\\"}\", \"integrator={name=\\\"implicit\\\", step=\\\"5 ms\\\"}\"]\n";
    let report = carry_out(&pendulum(&format!("{text}at_least = 1.8\nat_most = 2.2")));
    assert_eq!(report.rows[0].verdict, Verdict::Pass, "{:?}", report.rows[0]);
    assert_eq!(report.rows[0].detail.len(), 3);
    let report = carry_out(&pendulum(&format!("{text}at_least = 0.8\nat_most = 1.3")));
    assert_eq!(report.rows[0].verdict, Verdict::Fail);
}

/// A known difference is no failure as long as it differs; when it begins to agree the row fails and says why.
#[test]
fn known_differences_fail_when_they_agree() {
    let differs = "value = \"total_mass_kg\"\nexpected = \"differs\"\nbecause = \"b\"\nwithin = 0.1\n";
    let report = carry_out(&pendulum(&format!("{differs}target = 7.0")));
    assert_eq!((report.rows[0].verdict, report.holds()), (Verdict::Differs, true));
    assert_eq!(report.rows[0].note, "b");
    let report = carry_out(&pendulum(&format!("{differs}target = 1.0")));
    assert_eq!((report.rows[0].verdict, report.holds()), (Verdict::Fail, false));
    assert!(report.rows[0].note.contains("agrees now"));
}

/// Mistakes in files are reported with file, line and what is meant.
#[test]
fn mistakes_are_reported() {
    let error = |text: &str| parse("test.toml", text).err().map(|e| e.to_string()).unwrap_or_default();
    for (lines, words) in [
        ("value = \"x\"", "test.toml:2: there is no bound"),
        ("value = \"x\"\ntarget = 1", "a target needs one of within"),
        ("value = \"x\"\nat_most = 1\nwithin = 2", "these need a target"),
        ("value = \"x\"\nat_moist = 1", "test.toml:10: unknown field `at_moist`"),
        ("value = { column = \"a\", measure = \"b\" }\nat_most = 1", "distance from the reference"),
        ("value = { take = \"end\" }\nat_most = 1", "exactly one of value, column and measure"),
        ("value = true\nat_most = 1", "the name of a quantity, a number"),
        (
            "value = \"x\"\nat_most = 1\nsweep = [\"duration_s=1\", \"duration_s=2\"]",
            "sweep and take belong together",
        ),
        ("value = \"x\"\nat_most = 1\nexpected = \"differs\"", "belong together"),
        (
            "value = \"x\"\nat_most = 1\nsweep = [\"duratoin_s=1\", \"duration_s=2\"]\ntake = \"max\"",
            "duratoin_s",
        ),
    ] {
        let message = error(&pendulum(lines));
        assert!(message.contains(words), "{message}");
    }
    let message = error(&pendulum("value = \"x\"\nat_most = 1").replace("\"pendulum\"", "\"pendulun\""));
    assert!(
        message.contains("test.toml:2: there is no scenario \"pendulun\"; did you mean \"pendulum\"?"),
        "{message}"
    );
    // Which quantities there are is known at the end of the run: such a row fails, and says what was meant.
    let report = carry_out(&pendulum("value = \"total_mass_kgs\"\nat_most = 1"));
    assert_eq!(report.rows[0].verdict, Verdict::Fail);
    assert!(report.rows[0].note.contains("did you mean \"total_mass_kg\"?"), "{}", report.rows[0].note);
}

/// Names choose a topic or a scenario; for others the nearest name is suggested.
#[test]
fn names_choose() {
    let rows =
        |name: &str| select(topics(), Some(name)).map(|t| t.iter().map(|t| t.claims.len()).sum::<usize>());
    assert!(rows("mechanisms").is_ok_and(|n| n > 20));
    assert!(rows("pendulum").is_ok_and(|n| (2..10).contains(&n)));
    let wrong = rows("singel-wheel").err();
    assert_eq!(wrong.as_ref().and_then(|e| e.hint()), Some("did you mean single-wheel?"));
    assert!(
        rows("xyzzy")
            .err()
            .is_some_and(|e| e.hint().is_some_and(|h| h.contains("mechanisms, polygonal, rover, soil")))
    );
}

/// One thread or two, the same report; a run is made once however many rows ask for it.
#[test]
fn reports_do_not_depend_on_threads() {
    let plan = || Plan::new(select(topics(), Some("slider-crank")).unwrap_or_default(), None);
    assert_eq!(plan().runs(), 1);
    let [one, two] = [1, 2].map(|threads| plan().carry_out(threads, &|_| {}));
    assert_eq!(one, two);
    assert!(one.rows.len() > 2);
}

/// Nothing that a file or a stamp says can break out of the page.
#[test]
fn hostile_texts_are_escaped() {
    let nasty = "<script>alert(1)</script>";
    let text = pendulum("value = \"total_mass_kg\"\nat_most = 2")
        .replace("\"w\"", &format!("\"{nasty}\""))
        .replace("\"s\"", "\"<img src=x onerror=alert(1)>\"");
    let topic = parse("test.toml", &text).unwrap_or_else(|e| panic!("{e}"));
    let pedigree = pedigree(std::slice::from_ref(&topic));
    let stamp = touchdown_record::Stamp {
        scenario: "pendulum".into(),
        resolved_blake3: pedigree[0].resolved_blake3.clone(),
        version: nasty.into(),
        quantity: nasty.into(),
        unit: "<b>".into(),
        value: 1.0,
        estimate: 1.0,
        uncertainty: 0.1,
        refinements: Vec::new(),
        verdict: nasty.into(),
        trusted: true,
    };
    let report = Plan::new(vec![topic], Some(nasty)).carry_out(1, &|_| {});
    let html = page::render(&report, &pedigree, &[stamp]).unwrap_or_else(|e| panic!("{e}"));
    assert!(!html.contains("<script") && !html.contains("<img") && !html.contains("<b>"));
    assert!(html.contains("&lt;script&gt;alert(1)"));
    assert!(html.contains("1 ± 0.1"), "the stamp of the shipped inputs is shown");
}
