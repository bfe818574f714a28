//! Answers of the built-in scenarios: every one has words, and each condition for yes decides on its own.

use touchdown_scenario::{Condition, EntryKind, Limit, Relation, Scenario, catalogue, load};
use touchdown_sim::sink::{NamedValue, Outcome, Verdict};

fn built_in() -> impl Iterator<Item = Scenario> {
    let scenarios = catalogue().iter().filter(|entry| entry.kind == EntryKind::Scenario);
    scenarios.map(|entry| load(&entry.name, &[]).unwrap_or_else(|e| panic!("{}:\n{e}", entry.name)))
}

fn ended(values: &[(String, f64)]) -> Outcome {
    let value = |(name, value): &(String, f64)| NamedValue {
        name: name.clone(),
        value: *value,
        unit: "1".into(),
        about: String::new(),
    };
    Outcome {
        finished: true,
        stopped_because: None,
        sim_time: 1.0,
        steps: 1,
        state_blake3: None,
        answer: None,
        quantities: values.iter().map(value).collect(),
        words: Vec::new(),
        tables: vec![],
        ledger: vec![],
        validity: vec![],
        warnings: vec![],
    }
}

/// What a quantity that a condition compares with is given here, SI.
const OTHER: f64 = 100.0;

fn limit(condition: &Condition) -> f64 {
    match &condition.limit {
        Limit::Value(value, _) => *value,
        Limit::Named(factor, _) => factor * OTHER,
    }
}

/// Values that satisfy a condition, and others that do not.
fn both_sides(condition: &Condition) -> [f64; 2] {
    let limit = limit(condition);
    // Neither 0 nor 1, which the words of a no say without their quantity.
    let much = 2.0 + limit.abs();
    match condition.relation {
        Relation::Below | Relation::AtMost => [limit - much, limit + much],
        Relation::Above | Relation::AtLeast => [limit + much, limit - much],
        Relation::Near(_) => [limit, limit + much],
    }
}

#[test]
fn every_scenario_answers_in_words() {
    for scenario in built_in() {
        assert!(scenario.question.is_some(), "{} asks nothing", scenario.name);
        assert!(!scenario.report.answer.text.is_empty(), "{} has no words", scenario.name);
    }
}

#[test]
fn each_condition_alone_turns_yes_into_no() {
    // With all conditions satisfied the answer is yes; with one of them broken, no, and that one is named.
    let mut decided = 0;
    for scenario in built_in().filter(|scenario| !scenario.report.answer.yes_if.is_empty()) {
        let conditions = &scenario.report.answer.yes_if;
        let others = conditions.iter().filter_map(|c| match &c.limit {
            Limit::Named(_, name) => Some((name.clone(), OTHER)),
            Limit::Value(..) => None,
        });
        let others: Vec<(String, f64)> = others.collect();
        let values = |broken: Option<usize>| -> Vec<(String, f64)> {
            let own = conditions
                .iter()
                .enumerate()
                .map(|(i, c)| (c.quantity.clone(), both_sides(c)[usize::from(broken == Some(i))]));
            own.chain(others.clone()).collect()
        };
        let answer = scenario.answer(&ended(&values(None)));
        assert_eq!(answer.verdict, Verdict::Yes, "{}: {}", scenario.name, answer.text);
        for (i, condition) in conditions.iter().enumerate() {
            let answer = scenario.answer(&ended(&values(Some(i))));
            assert_eq!(answer.verdict, Verdict::No, "{}: {}", scenario.name, answer.text);
            assert!(answer.text.contains(&condition.quantity), "{}", answer.text);
        }
        decided += 1;
    }
    assert!(decided >= 14, "only {decided} scenarios ask yes or no");
}
