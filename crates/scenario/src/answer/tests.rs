//! Answers from values alone: verdicts, words, units, and what is missing.

use crate::load_str;
use crate::scenario::Scenario;
use std::path::Path;
use touchdown_sim::sink::{Check, NamedValue, Outcome, Verdict};

/// A pendulum with a rule.
fn scenario(report: &str) -> Scenario {
    load(report).expect("a sound scenario")
}

fn load(report: &str) -> Result<Scenario, crate::ScenarioErrors> {
    let text = format!(
        "title = \"p\"\nduration = \"1 s\"\n[parameters]\nwanted_deg = {{ path = \"joint.hinge.position\" }}\n[body.bob]\nmass = \"1 kg\"\npoint_mass = true\n\
         centre_of_mass = [\"0 m\", \"-1 m\", \"0 m\"]\n[joint.hinge]\ntype = \"revolute\"\nchild = \"bob\"\naxis = [0, 0, 1]\nposition = \"30 deg\"\n\
         [quantity.angle_rad]\ncolumn = \"joint.hinge.position_rad\"\nabout = \"angle at the end\"\n[report]\nanswer = \"angle_rad\"\n{report}\n"
    );
    load_str("p.toml", &text, Path::new("."), &[])
}

fn outcome(angle: f64) -> Outcome {
    Outcome {
        finished: true,
        stopped_because: None,
        sim_time: 1.0,
        steps: 1,
        state_blake3: None,
        answer: None,
        quantities: vec![NamedValue {
            name: "angle_rad".into(),
            value: angle,
            unit: "rad".into(),
            about: "angle at the end".into(),
        }],
        words: Vec::new(),
        tables: vec![],
        ledger: vec![],
        validity: vec![],
        warnings: vec!["quantity \"angle_rad\" has no value: it never rose".into()],
    }
}

#[test]
fn a_condition_decides_and_words_carry_values_in_their_units() {
    // 0.1 rad is 5.73 degrees: below 10 degrees, not above; a knob's value and a percentage of it count, too.
    let yes = scenario("yes_if = [\"angle_rad < 10 deg\"]\ntext = \"it leans {angle_rad:deg:3}\"");
    let answer = yes.answer(&outcome(0.1));
    assert_eq!((answer.verdict, answer.text.as_str()), (Verdict::Yes, "Yes: it leans 5.73°."));
    let answer = yes.answer(&outcome(0.2));
    let said = "No: it leans 11.5°; angle_rad is 11.46°, must be below 10°.";
    assert_eq!((answer.verdict, answer.text.as_str()), (Verdict::No, said));
    let near = scenario("yes_if = [\"angle_rad = wanted_deg ± 10 %\"]");
    assert_eq!(near.answer(&outcome(0.55)).verdict, Verdict::Yes);
    assert_eq!(near.answer(&outcome(0.60)).verdict, Verdict::No);
}

#[test]
fn a_number_is_said_with_its_meaning_and_failed_checks_with_the_answer() {
    let plain = scenario("");
    let mut ended = outcome(0.25);
    assert_eq!(plain.answer(&ended).text, "0.25 rad: angle at the end.");
    let check = |name: &str, value: f64| Check {
        name: name.into(),
        value,
        limit: 0.01,
        at_most: true,
        unit: "1".into(),
        about: String::new(),
    };
    ended.validity = vec![check("fine", 0.001), check("coarse", 0.5)];
    let said = "0.25 rad: angle at the end. But 1 of 2 validity checks fails: coarse is 0.5 (allowed: at most 0.01).";
    assert_eq!(plain.answer(&ended).text, said);
}

#[test]
fn a_no_in_words_does_not_repeat_a_flag() {
    // "not docked" needs no "docked is 0"; any other value is stated all the same, and so are a flag without words and a limit with a unit.
    let flag = scenario("yes_if = [\"angle_rad <= 0\"]\ntext_no = \"it leans\"");
    assert_eq!(flag.answer(&outcome(1.0)).text, "No: it leans.");
    assert_eq!(flag.answer(&outcome(0.2)).text, "No: it leans; angle_rad is 0.2 rad, must be at most 0.");
    let without_words = scenario("yes_if = [\"angle_rad <= 0\"]");
    assert_eq!(without_words.answer(&outcome(1.0)).text, "No: angle_rad is 1 rad, must be at most 0.");
    let limit = scenario("yes_if = [\"angle_rad < 10 deg\"]\ntext_no = \"it leans\"");
    assert_eq!(limit.answer(&outcome(0.2)).text, "No: it leans; angle_rad is 11.46°, must be below 10°.");
}

#[test]
fn what_is_missing_leaves_the_answer_open() {
    // No value, a run that stopped, and a reference that no longer holds: undecided, with the reason.
    let rule = scenario("yes_if = [\"angle_rad < 10 deg\"]\nreference_knobs = [\"duration_s\"]");
    let answer = rule.answer(&outcome(f64::NAN));
    assert_eq!(answer.verdict, Verdict::Undecided);
    assert!(answer.text.contains("because it never rose"), "{}", answer.text);
    let stopped =
        Outcome { finished: false, stopped_because: Some("t = 1 s: too fast".into()), ..outcome(0.1) };
    let answer = rule.answer(&stopped);
    assert_eq!(answer.verdict, Verdict::Undecided);
    assert!(answer.text.contains("too fast"), "{}", answer.text);
}

#[test]
fn rules_that_cannot_be_read_are_mistakes_with_their_place() {
    // A misspelt quantity, no comparison, = without a tolerance, an unclosed brace, an unknown unit.
    for (rule, said) in [
        ("yes_if = [\"angel_rad < 1\"]", "did you mean \"angle_rad\""),
        ("yes_if = [\"angle_rad\"]", "has no comparison"),
        ("yes_if = [\"angle_rad = 1 rad\"]", "needs ± and a tolerance"),
        ("text = \"it leans {angle_rad\"", "has a { without its }"),
        ("text = \"it leans {angle_rad:furlongs}\"", "unknown unit"),
        ("text = \"it leans {angel_rad}\"", "did you mean \"angle_rad\""),
        ("reference_knobs = [\"wanted\"]", "names a knob that does not exist"),
    ] {
        let errors = load(rule).expect_err(rule).to_string();
        assert!(errors.contains(said), "{rule}: {errors}");
    }
}
