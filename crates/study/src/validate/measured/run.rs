//! Data sets ⇒ runs of the plan, and back.

use super::super::claim::Reading;
use super::super::read::Measured;
use super::reference::wong_reece;
use super::set::{PartFile, Set, Tested};
use super::{Compared, Part, Row, Rule, Wheel, errors};

/// Settings of the rules of version 0.1.0.
const FORMER: [&str; 2] = ["stress_law=bekker", "friction_law=coulomb"];
/// Slips that the rig takes where it has no knob for the speed of the rim.
const REACH: std::ops::RangeInclusive<f64> = -0.99..=0.95;
/// What is read from each run, in the order of [`Wheel`]'s fields.
const QUANTITIES: [&str; 4] = ["drawbar_pull_n", "side_force_n", "torque_n_m", "sinkage_m"];

/// Gives what was read from the run with these settings, or why there is none.
pub(crate) type LookUp<'a> = dyn Fn(&str, &[String], &Reading) -> Result<Measured, String> + 'a;

/// The rules that a set is compared by.
fn rules(set: &Set) -> Vec<Rule> {
    let lengths = set.shear_lengths_m.iter().map(|length| Rule::ShearLength(*length));
    [Rule::Default].into_iter().chain(lengths).chain([Rule::Former, Rule::WongReece, Rule::Zero]).collect()
}

/// Settings of a row under a rule: nothing for rules that need no run, an error where the rig lacks a knob for it.
fn settings(set: &Set, part: &PartFile, row: &Tested, rule: Rule) -> Result<Option<Vec<String>>, String> {
    let has = |knob: &str| set.knobs.iter().any(|known| known == knob);
    let needs = |knob: &str, setting: String| {
        if has(knob) { Ok(setting) } else { Err(format!("{} has no knob {knob}", set.scenario)) }
    };
    let own: Vec<String> = match rule {
        Rule::Default => Vec::new(),
        Rule::ShearLength(length) => {
            vec![needs("shear_length_m", format!("shear_length_m={length}"))?, "friction_law=janosi".into()]
        }
        Rule::Former => {
            let known = |setting: &&str| setting.split_once('=').is_some_and(|(knob, _)| has(knob));
            FORMER.into_iter().filter(known).map(String::from).collect()
        }
        Rule::WongReece | Rule::Zero => return Ok(None),
    };
    let mut all: Vec<String> = set.set.iter().chain(&part.set).cloned().collect();
    all.push(format!("load_n={}", row.load_n));
    let (angle, rim) = (row.slip_angle_deg, row.rim_speed_m_per_s);
    if angle != 0.0 {
        all.push(needs("slip_angle_deg", format!("slip_angle_deg={angle}"))?);
    }
    all.push(if rim.is_nan() {
        format!("slip={}", row.slip)
    } else {
        needs("rim_speed_m_per_s", format!("rim_speed_m_per_s={rim}")).or_else(|missing| {
            // The rig's own slip, 1 − v/(rim speed), reaches part of them.
            let slip = 1.0 - set.number("speed_m_per_s")? / rim;
            if REACH.contains(&slip) { Ok(format!("slip={slip}")) } else { Err(missing) }
        })?
    });
    all.extend(own);
    Ok(Some(all))
}

/// What is read from each run.
fn readings() -> [Reading; 4] {
    QUANTITIES.map(|name| Reading { value: Some(name.into()), ..Reading::default() })
}

/// The runs of a set, each with what is read from it.
pub(crate) fn planned(set: &Set) -> Vec<(Vec<String>, [Reading; 4])> {
    let mut runs = Vec::new();
    for part in &set.part {
        for row in &part.rows {
            let of_row = rules(set).into_iter().filter_map(|rule| settings(set, part, row, rule).ok()?);
            runs.extend(of_row.map(|settings| (settings, readings())));
        }
    }
    runs
}

/// What the rules say of a set.
pub(crate) fn compare(set: &Set, look_up: &LookUp) -> Compared {
    let rules = rules(set);
    let predict = |part: &PartFile, row: &Tested, rule: Rule| -> Result<Wheel, String> {
        if let Some(settings) = settings(set, part, row, rule)? {
            let read = |reading: &Reading| look_up(&set.scenario, &settings, reading).map(|m| m.value);
            let [pull, side, torque, sinkage] = readings();
            return Ok(Wheel {
                pull_n: read(&pull)?,
                // A rig without slip angles does not report it.
                side_n: read(&side).unwrap_or(f64::NAN),
                torque_n_m: read(&torque)?,
                sinkage_m: read(&sinkage)?,
            });
        }
        match rule {
            Rule::WongReece => wong_reece(set, part, row),
            _ => Ok(Wheel { pull_n: 0.0, side_n: 0.0, torque_n_m: 0.0, sinkage_m: f64::NAN }),
        }
    };
    let compared = |part: &PartFile, row: &Tested| {
        let found: Vec<Result<Wheel, String>> = rules.iter().map(|rule| predict(part, row, *rule)).collect();
        Row {
            slip: row.slip,
            slip_angle_deg: row.slip_angle_deg,
            load_n: row.load_n,
            measured: row.measured,
            deviation: row.deviation,
            predicted: found.iter().map(|f| f.clone().unwrap_or(Wheel::UNKNOWN)).collect(),
            missing: found.into_iter().map(|f| f.err().unwrap_or_default()).collect(),
        }
    };
    let part = |part: &PartFile| Part {
        name: part.name.clone(),
        rows: part.rows.iter().map(|row| compared(part, row)).collect(),
    };
    let parts: Vec<Part> = set.part.iter().map(part).collect();
    let groups = parts.iter().flat_map(|part| errors::groups(part, &rules)).collect();
    Compared {
        name: set.name.clone(),
        title: set.title.clone(),
        source: set.source.clone(),
        licence: set.licence.clone(),
        inputs: set.inputs.clone(),
        rules,
        parts,
        groups,
    }
}
