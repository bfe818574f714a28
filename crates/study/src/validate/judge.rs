//! A claim and the numbers of its runs ⇒ rows with a verdict.

use super::claim::Reading;
use super::claim::{Claim, Expected, Part, Reduce, Term};
use super::library::Placed;
use super::read::{Measured, larger};
use super::report::{Row, Verdict};
use super::text::{number, to_tolerance, with_unit};
use touchdown_math::Elementary;

/// Finds what was read from the run with these settings.
pub(crate) type LookUp<'a> = dyn Fn(&[String], &Reading) -> Result<Measured, String> + 'a;

/// Least and largest value that pass, and how they are reported.
struct Bound {
    least: f64,
    most: f64,
    target: String,
    tolerance: String,
    /// Distance from a target that passes; it says how many digits are worth showing.
    far: Option<f64>,
}

/// The rows of a claim.
pub(crate) fn judge(topic: &str, placed: &Placed, look_up: &LookUp) -> Vec<Row> {
    let claim = &placed.claim;
    if claim.rows.is_empty() {
        return vec![row(topic, placed, None, look_up)];
    }
    claim.rows.iter().map(|part| row(topic, placed, Some(part), look_up)).collect()
}

fn row(topic: &str, placed: &Placed, part: Option<&Part>, look_up: &LookUp) -> Row {
    let claim = &placed.claim;
    let set: Vec<String> = claim.set.iter().chain(part.into_iter().flat_map(|p| &p.set)).cloned().collect();
    let what = part.map_or(claim.what.clone(), |part| format!("{}: {}", claim.what, part.label));
    let measured = measure(claim, part, &set, look_up);
    let found = measured.as_ref().ok().map(|(m, _)| m.value).filter(|value| value.is_finite());
    let unit = measured.as_ref().map_or(String::new(), |(m, _)| m.unit.clone());
    let bound = bound(claim, part, &set, &unit, look_up);
    let inside = match (&bound, found) {
        (Ok(bound), Some(x)) => bound.least <= x && x <= bound.most,
        _ => false,
    };
    let trouble = measured.as_ref().err().or(bound.as_ref().err()).cloned();
    let (verdict, note) = match (claim.expected, inside, trouble) {
        (_, _, Some(reason)) => (Verdict::Fail, reason),
        (Expected::Agrees, true, _) => (Verdict::Pass, String::new()),
        (Expected::Agrees, false, _) => (Verdict::Fail, String::new()),
        (Expected::Differs, false, _) if found.is_some() => (Verdict::Differs, claim.because.clone()),
        (Expected::Differs, true, _) => {
            (Verdict::Fail, "listed as a known difference, but it agrees now".into())
        }
        (Expected::Differs, false, _) => (Verdict::Fail, "no value".into()),
    };
    let limits = bound.as_ref().ok();
    Row {
        topic: topic.into(),
        line: placed.line,
        scenario: claim.scenario.clone(),
        set,
        what,
        source: claim.source.clone(),
        kind: claim.kind,
        target: limits.map_or(String::new(), |b| b.target.clone()),
        tolerance: limits.map_or(String::new(), |b| b.tolerance.clone()),
        why: claim.why.clone(),
        least: limits.map(|b| b.least).filter(|x| x.is_finite()),
        most: limits.map(|b| b.most).filter(|x| x.is_finite()),
        measured: found,
        shown: found.map_or("no value".into(), |x| match limits.and_then(|b| b.far) {
            Some(far) => to_tolerance(x, far, &unit),
            None => with_unit(x, &unit),
        }),
        unit,
        detail: measured.map_or(Vec::new(), |(_, detail)| detail),
        verdict,
        note,
    }
}

/// The measured value of a row, and those behind it.
fn measure(
    claim: &Claim,
    part: Option<&Part>,
    set: &[String],
    look_up: &LookUp,
) -> Result<(Measured, Vec<(String, f64)>), String> {
    let value = part.and_then(|part| part.value.as_ref()).unwrap_or(&claim.value);
    let one = |set: &[String]| -> Result<Measured, String> {
        let mut found = evaluate(value, set, look_up)?;
        if let Some(minus) = part.and_then(|part| part.minus.as_ref()).or(claim.minus.as_ref()) {
            found.value -= evaluate(minus, set, look_up)?.value;
        }
        if let Some(over) = &claim.over {
            let below = evaluate(over, set, look_up)?;
            found.value /= below.value;
            // Given numbers have no unit of their own: they are meant in that of the value.
            let cancels = below.unit == found.unit || below.unit.is_empty();
            let simple = below.unit.chars().all(char::is_alphanumeric);
            found.unit = match (cancels, simple) {
                (true, _) => "1".into(),
                (false, true) => format!("{}/{}", found.unit, below.unit),
                (false, false) => format!("{}/({})", found.unit, below.unit),
            };
        }
        Ok(found)
    };
    let Some(reduce) = claim.take else { return one(set).map(|found| (found, Vec::new())) };
    let mut detail = Vec::new();
    let mut unit = String::new();
    for step in &claim.sweep {
        let set: Vec<String> = set.iter().chain([step]).cloned().collect();
        let found = one(&set)?;
        unit = found.unit;
        detail.push((step.clone(), found.value));
    }
    let values: Vec<f64> = detail.iter().map(|(_, value)| *value).collect();
    let pure = matches!(reduce, Reduce::Order | Reduce::LastShare | Reduce::RelativeSpread);
    let unit = if pure { "1".into() } else { unit };
    Ok((Measured { value: reduced(reduce, &values), unit }, detail))
}

fn evaluate(term: &Term, set: &[String], look_up: &LookUp) -> Result<Measured, String> {
    match term {
        Term::Number(value) => Ok(Measured { value: *value, unit: String::new() }),
        Term::Reading(reading) => look_up(set, reading),
        Term::Sum(terms) => {
            let mut sum = Measured { value: 0.0, unit: String::new() };
            for term in terms {
                let found = evaluate(term, set, look_up)?;
                sum.value += found.value;
                sum.unit = found.unit;
            }
            Ok(sum)
        }
    }
}

/// Several values become one.
fn reduced(reduce: Reduce, values: &[f64]) -> f64 {
    let largest = |list: &mut dyn Iterator<Item = f64>| list.fold(f64::NEG_INFINITY, larger);
    let max = largest(&mut values.iter().copied());
    let min = -largest(&mut values.iter().map(|x| -x));
    let mut steps = values.windows(2).map(|pair| pair[1] - pair[0]);
    let (first, last) =
        (values.first().copied().unwrap_or(f64::NAN), values.last().copied().unwrap_or(f64::NAN));
    match reduce {
        Reduce::Max => max,
        Reduce::Min => min,
        Reduce::LargestStep => largest(&mut steps),
        Reduce::LeastStep => -largest(&mut steps.map(|step| -step)),
        Reduce::RelativeSpread => (max - min) / (values.iter().sum::<f64>() / values.len() as f64).abs(),
        Reduce::LastShare => steps.next_back().unwrap_or(f64::NAN) / (last - first),
        Reduce::Order => order(values),
    }
}

/// Slope of the straight line fitted to log₂ of the errors over log₂ of a step that is halved each time.
fn order(errors: &[f64]) -> f64 {
    let n = errors.len() as f64;
    let points: Vec<(f64, f64)> =
        errors.iter().enumerate().map(|(k, e)| (-(k as f64), e.abs().binary_log())).collect();
    let mean = |f: fn(&(f64, f64)) -> f64| points.iter().map(f).sum::<f64>() / n;
    let (mx, my) = (mean(|p| p.0), mean(|p| p.1));
    let covariance: f64 = points.iter().map(|p| (p.0 - mx) * (p.1 - my)).sum();
    covariance / points.iter().map(|p| (p.0 - mx) * (p.0 - mx)).sum::<f64>()
}

fn bound(
    claim: &Claim,
    part: Option<&Part>,
    set: &[String],
    unit: &str,
    look_up: &LookUp,
) -> Result<Bound, String> {
    let target = part.and_then(|part| part.target.as_ref()).or(claim.target.as_ref());
    let least = part.and_then(|part| part.at_least).or(claim.at_least);
    let most = part.and_then(|part| part.at_most).or(claim.at_most);
    if let Some(target) = target {
        let wanted = evaluate(target, set, look_up)?.value;
        let (far, tolerance) = match (claim.within, claim.within_relative) {
            (Some(within), _) => (within, format!("± {}", with_unit(within, unit))),
            (None, relative) => {
                let part = relative.unwrap_or(0.0);
                let shown = if part < 1e-4 {
                    format!("± {} of it", number(part))
                } else {
                    format!("± {} %", number(100.0 * part))
                };
                (part * wanted.abs(), shown)
            }
        };
        if !wanted.is_finite() {
            return Err("the target has no value".into());
        }
        let target = to_tolerance(wanted, far, unit);
        return Ok(Bound { least: wanted - far, most: wanted + far, target, tolerance, far: Some(far) });
    }
    let target = match (least, most) {
        (Some(least), Some(most)) => format!("{} to {}", number(least), with_unit(most, unit)),
        (Some(least), None) => format!("≥ {}", with_unit(least, unit)),
        (None, Some(most)) => format!("≤ {}", with_unit(most, unit)),
        (None, None) => return Err("no bound".into()),
    };
    let (least, most) = (least.unwrap_or(f64::NEG_INFINITY), most.unwrap_or(f64::INFINITY));
    Ok(Bound { least, most, target, tolerance: String::new(), far: None })
}
