//! `[vary]`: knobs and dotted paths, each with a list, a range or a distribution.

use super::items::{Keys, Spans, shown};
use super::mistakes::Mistakes;
use crate::marginal::{Marginal, Setting, Vary};
use toml_edit::{Item, TableLike, Value};
use touchdown_math::Elementary;

/// Keys of which a knob has exactly one.
const FORMS: [&str; 9] =
    ["values", "linear", "log", "uniform", "log_uniform", "normal", "log_normal", "triangular", "fixed"];
/// Points of a range at most.
const MOST_POINTS: u64 = 100_000;

/// Reads the table; a table without any of the forms is part of a dotted path.
pub(super) fn read(item: &Item, vary: &mut Vec<Vary>, spans: &mut Spans, mistakes: &mut Mistakes) {
    match item.as_table_like() {
        Some(table) => tables(table, "", vary, spans, mistakes),
        None => {
            mistakes.at(item.span(), "vary", "must be a table of knobs").found = Some(shown(item));
        }
    }
}

fn tables(
    table: &dyn TableLike,
    above: &str,
    vary: &mut Vec<Vary>,
    spans: &mut Spans,
    mistakes: &mut Mistakes,
) {
    for (key, item) in table.iter() {
        let name = if above.is_empty() { key.to_string() } else { format!("{above}.{key}") };
        let span = table.key(key).and_then(|k| k.span()).or(item.span());
        let Some(below) = item.as_table_like() else {
            let list = item.as_array().map(|list| values(list.iter(), &name, span.clone(), mistakes));
            match list.flatten() {
                Some(list) => add(plain(&name, Marginal::Values(list)), span, vary, spans, mistakes),
                None if item.as_array().is_some() => {}
                None => {
                    let mistake = mistakes.at(
                        item.span().or(span),
                        &format!("vary.{name}"),
                        "must be a table or a list",
                    );
                    mistake.found = Some(shown(item));
                    mistake.hint =
                        Some(format!("{name} = {{ uniform = [0.0, 1.0] }}, or {name} = [1, 2, 3]"));
                }
            }
            continue;
        };
        if FORMS.iter().any(|form| below.contains_key(form)) || below.iter().all(|(_, i)| !i.is_table_like())
        {
            if let Some(one) = knob(below, &name, span.clone(), mistakes) {
                add(one, span, vary, spans, mistakes);
            }
        } else {
            tables(below, &name, vary, spans, mistakes);
        }
    }
}

fn plain(name: &str, how: Marginal) -> Vary {
    Vary { name: name.into(), unit: String::new(), how, within: None }
}

fn add(
    one: Vary,
    span: Option<std::ops::Range<usize>>,
    vary: &mut Vec<Vary>,
    spans: &mut Spans,
    mistakes: &mut Mistakes,
) {
    let path = format!("vary.{}", one.name);
    if vary.iter().any(|v| v.name == one.name) {
        mistakes.at(span, &path, "appears twice");
        return;
    }
    spans.insert(path, span.unwrap_or(0..0));
    vary.push(one);
}

fn knob(
    table: &dyn TableLike,
    name: &str,
    span: Option<std::ops::Range<usize>>,
    mistakes: &mut Mistakes,
) -> Option<Vary> {
    let path = format!("vary.{name}");
    let present: Vec<&str> = FORMS.into_iter().filter(|form| table.contains_key(form)).collect();
    if present.len() != 1 {
        let mistake = mistakes.at(span, &path, "must have one distribution or list of values");
        mistake.found = Some(if present.is_empty() { "none".into() } else { present.join(", ") });
        mistake.allowed = Some(FORMS[..8].join(", "));
        return None;
    }
    let mut keys = Keys::new(table, &path, mistakes);
    let unit = keys.text("unit").unwrap_or_default();
    let within = keys.numbers::<2>("within");
    let how = match present[0] {
        "values" => {
            let item = keys.take("values")?;
            let list = item.as_array().and_then(|list| values(list.iter(), name, item.span(), keys.mistakes));
            list.map(Marginal::Values)
        }
        form @ ("linear" | "log") => {
            let ends = keys.numbers::<2>(form);
            let points = keys.count("points", 2..=MOST_POINTS);
            if keys.is_missing("points") {
                keys.mistakes.at(span.clone(), &format!("{path}.points"), "is missing").hint =
                    Some("how many values from the first to the last".into());
            }
            ends.zip(points).map(|(ends, points)| Marginal::Values(range(ends, points, form == "log")))
        }
        "uniform" => keys.numbers("uniform").map(Marginal::Uniform),
        "log_uniform" => keys.numbers("log_uniform").map(Marginal::LogUniform),
        "normal" => keys.numbers("normal").map(Marginal::Normal),
        "log_normal" => keys.numbers("log_normal").map(Marginal::LogNormal),
        "triangular" => keys.numbers("triangular").map(Marginal::Triangular),
        _ => {
            keys.mistakes.at(span.clone(), &path, "does not vary").hint =
                Some("settings of all cases go into set = [\"KEY=VALUE\"]".into());
            None
        }
    };
    keys.finish();
    let vary = Vary { name: name.into(), unit, how: how?, within };
    match sense(&vary) {
        None => Some(vary),
        Some(why) => {
            mistakes.at(span, &path, why);
            None
        }
    }
}

/// What is wrong with the numbers of a knob.
pub(super) fn sense(vary: &Vary) -> Option<String> {
    let falling = |a: f64, b: f64| (a >= b).then(|| format!("must rise, found {a} to {b}"));
    let wrong = match vary.how {
        Marginal::Values(ref list) if list.is_empty() => Some("must have at least one value".into()),
        // A logarithmic range of the study or of `sweep`.
        Marginal::Values(ref list) => list
            .iter()
            .any(|v| v.number().is_some_and(|x| !x.is_finite()))
            .then(|| "must start above zero to be logarithmic".into()),
        Marginal::Uniform([a, b]) => falling(a, b),
        Marginal::LogUniform([a, b]) => {
            (a <= 0.0).then(|| format!("must start above zero, found {a}")).or_else(|| falling(a, b))
        }
        Marginal::Normal([_, s]) => {
            (s <= 0.0).then(|| format!("needs a standard deviation above zero, found {s}"))
        }
        Marginal::LogNormal([m, s]) => (m <= 0.0 || s <= 0.0)
            .then(|| format!("needs a median and a spread above zero, found {m} and {s}")),
        Marginal::Triangular([a, c, b]) => falling(a, b).or_else(|| {
            (c < a || c > b).then(|| format!("must have its peak between {a} and {b}, found {c}"))
        }),
    };
    let cut = vary.within.and_then(|[low, high]| {
        if vary.values().is_some() {
            return Some("a list cannot be cut by within; leave values out instead".into());
        }
        falling(low, high).or_else(|| {
            (vary.cdf(high) - vary.cdf(low) < 1e-6)
                .then(|| "within leaves nothing of the distribution".into())
        })
    });
    wrong.or(cut)
}

/// Numbers from the first to the last of a range.
pub(crate) fn range([from, to]: [f64; 2], points: u64, log: bool) -> Vec<Setting> {
    let at = |k: u64| {
        if k == 0 {
            return from;
        }
        if k + 1 == points {
            return to;
        }
        let t = k as f64 / (points - 1) as f64;
        let x = if log {
            (from.natural_log() + t * (to.natural_log() - from.natural_log())).exponential()
        } else {
            from + t * (to - from)
        };
        // Twelve digits: 0.1 + 0.2 is 0.3 to everybody.
        format!("{x:.11e}").parse().unwrap_or(x)
    };
    let bad = log && (from <= 0.0 || to <= 0.0);
    (0..points).map(|k| Setting::Number(if bad { f64::NAN } else { at(k) })).collect()
}

fn values<'v>(
    list: impl Iterator<Item = &'v Value>,
    name: &str,
    span: Option<std::ops::Range<usize>>,
    mistakes: &mut Mistakes,
) -> Option<Vec<Setting>> {
    let one = |value: &Value| match value {
        Value::Integer(n) => Some(Setting::Number(*n.value() as f64)),
        Value::Float(x) if x.value().is_finite() => Some(Setting::Number(*x.value())),
        Value::String(text) => Some(Setting::Text(text.value().clone())),
        Value::Boolean(flag) => Some(Setting::Text(flag.value().to_string())),
        _ => None,
    };
    let found: Option<Vec<Setting>> = list.map(one).collect();
    let mixed = found.as_ref().is_some_and(|all| {
        all.iter().any(|v| v.number().is_some()) && all.iter().any(|v| v.number().is_none())
    });
    if found.is_none() || mixed || found.as_ref().is_some_and(Vec::is_empty) {
        mistakes.at(span, &format!("vary.{name}"), "must be a list of numbers, or of texts and flags");
        return None;
    }
    found
}
