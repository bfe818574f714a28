//! From refined settings to a stamp: limits, uncertainties, and a verdict in words.

use super::Refined;
use super::fit::{Fit, SAFETY, Trend, fit};
use super::ladder::What;
use crate::words::{plus_minus, quantity, short, with_prefix};
use touchdown_math::Elementary;
use touchdown_record::{InputFile, Refinement, Stamp};
use touchdown_scenario::Scenario;

/// Errors below this part of the value are not worth a word.
const NEGLIGIBLE: f64 = 1e-9;

/// What is judged.
pub(super) struct Subject {
    pub quantity: String,
    pub unit: String,
    /// Value at the scenario's own settings.
    pub own: f64,
    /// Least size that the tolerance refers to.
    pub scale: f64,
    pub tolerance: f64,
}

/// One setting, judged.
struct Part<'a> {
    refined: &'a Refined,
    fit: Fit,
    /// Distance of the scenario's own value from the limit and what is uncertain about that; infinite if nothing is known.
    error: f64,
}

/// The stamp of a study.
pub(super) fn stamp(
    scenario: &Scenario,
    version: &str,
    subject: &Subject,
    refined: &[Refined],
    together: Option<&Refined>,
) -> Stamp {
    let parts: Vec<Part> = refined.iter().map(|r| part(r, subject.own)).collect();
    let known = || parts.iter().filter(|p| p.error.is_finite());
    // Corrections add up, uncertainties of their own origin add like squares.
    let mut estimate = subject.own + known().map(|p| p.fit.limit - subject.own).sum::<f64>();
    let mut uncertainty = known().map(|p| p.fit.uncertainty.whole_power(2)).sum::<f64>().sqrt();
    let mut remark = String::new();
    let mut refinements: Vec<Refinement> = parts.iter().map(|p| refinement(p, subject)).collect();
    if let Some(together) = together {
        let (entry, finest) = all_at_once(together, subject);
        refinements.push(entry);
        let outside = finest.filter(|f| (f - estimate).abs() > uncertainty);
        if let Some(finest) = outside {
            // The parts do not simply add: the interval is made to hold both.
            let (low, high) = ((estimate - uncertainty).min(finest), (estimate + uncertainty).max(finest));
            (estimate, uncertainty) = (0.5 * (low + high), 0.5 * (high - low));
            remark = " Refining all at once leaves the interval of the single refinements, which was widened to hold it.".into();
        }
    }
    let size = subject.scale.max(subject.own.abs());
    let allowed = subject.tolerance * size;
    let total = (subject.own - estimate).abs() + uncertainty;
    let trusted = total <= allowed && parts.iter().all(|p| p.error.is_finite());
    let verdict = Verdict { subject, parts: &parts, estimate, uncertainty, size, trusted };
    Stamp {
        scenario: scenario.name.clone(),
        resolved_blake3: InputFile::of("resolved.toml", scenario.resolved_toml.as_bytes()).blake3,
        version: version.into(),
        quantity: subject.quantity.clone(),
        unit: subject.unit.clone(),
        value: subject.own,
        estimate,
        uncertainty,
        refinements,
        verdict: verdict.text() + &remark,
        trusted,
    }
}

fn part(refined: &Refined, own: f64) -> Part<'_> {
    let fit = match refined.ladder.what {
        What::Domain => grown(refined),
        _ => {
            let pairs: Vec<(f64, f64)> = refined.tried.iter().map(|(factor, _, f)| (*factor, *f)).collect();
            fit(&pairs, 1.0, refined.ladder.orders)
        }
    };
    let error = (own - fit.limit).abs() + fit.uncertainty;
    Part { refined, fit, error: if error.is_nan() { f64::INFINITY } else { error } }
}

/// A domain has no order: its largest counts, and what the last growth changed is uncertain.
fn grown(refined: &Refined) -> Fit {
    let values: Vec<f64> = refined.tried.iter().map(|t| t.2).collect();
    let (limit, uncertainty) = match values[..] {
        [.., before, last] => (last, SAFETY * (last - before).abs()),
        _ => (values.first().copied().unwrap_or(f64::NAN), f64::INFINITY),
    };
    Fit { trend: Trend::TooFew, limit, uncertainty }
}

fn refinement(part: &Part, subject: &Subject) -> Refinement {
    let refined = part.refined;
    let order = match part.fit.trend {
        Trend::Order { order, .. } => Some(order),
        _ => None,
    };
    Refinement {
        what: refined.ladder.what.name().into(),
        key: refined.ladder.path(),
        settings: refined.tried.iter().map(|t| t.1).collect(),
        values: refined.tried.iter().map(|t| t.2).collect(),
        order,
        // A stamp holds numbers only; what is not known is as large as the value itself.
        error: if part.error.is_finite() { part.error } else { subject.own.abs().max(subject.scale) },
        finding: finding(part, subject),
    }
}

fn finding(part: &Part, subject: &Subject) -> String {
    let (fit, refined) = (&part.fit, part.refined);
    let unit = &subject.unit;
    let limit = || plus_minus(fit.limit, fit.uncertainty, unit);
    let text = match (refined.ladder.what, fit.trend) {
        _ if !part.error.is_finite() => "not known: too few settings gave a value".to_string(),
        (What::Domain, _) => {
            let largest = refined.tried.last().map_or(1.0, |t| t.0);
            let change = quantity((fit.limit - subject.own).abs(), unit);
            format!("{largest} times as large changes the answer by {change}")
        }
        (_, Trend::Order { order, held: false }) => format!("order {order:.2}, limit {}", limit()),
        (_, Trend::Order { order, held: true }) => {
            format!("order held at {order:.2}, beyond which it is not plausible; limit {}", limit())
        }
        (_, Trend::Noise) => format!("scatters more than it trends: {}", limit()),
        (_, Trend::Flat) => "no change but for rounding".into(),
        (_, Trend::TooFew) => format!("too few settings for an order: {}", limit()),
    };
    match refined.missing.first() {
        Some(why) => format!("{text}; left out {}: {why}", refined.missing.len()),
        None => text,
    }
}

/// The entry for all settings at once, and the finest value.
fn all_at_once(together: &Refined, subject: &Subject) -> (Refinement, Option<f64>) {
    let finest = together.tried.last().filter(|t| t.0 != 1.0).map(|t| t.2);
    let change = (subject.own - finest.unwrap_or(subject.own)).abs();
    let finding = match (finest, together.missing.first()) {
        (Some(_), None) => {
            format!("all refined at once changes the answer by {}", quantity(change, &subject.unit))
        }
        (_, Some(why)) => format!("could not be refined at once: {why}"),
        (None, None) => "nothing to refine at once".into(),
    };
    let entry = Refinement {
        what: What::Together.name().into(),
        key: String::new(),
        settings: together.tried.iter().map(|t| t.1).collect(),
        values: together.tried.iter().map(|t| t.2).collect(),
        order: None,
        error: change,
        finding,
    };
    (entry, finest)
}

struct Verdict<'a> {
    subject: &'a Subject,
    parts: &'a [Part<'a>],
    estimate: f64,
    uncertainty: f64,
    size: f64,
    trusted: bool,
}

impl Verdict<'_> {
    fn text(&self) -> String {
        let Subject { quantity: name, unit, tolerance, .. } = self.subject;
        let answer = plus_minus(self.estimate, self.uncertainty, unit);
        let percent = format!("±{} %", short(tolerance * 100.0));
        let mut text = format!("{name} = {answer} in the limit");
        let worst = self.parts.iter().max_by(|a, b| a.error.total_cmp(&b.error));
        let negligible = |part: &&Part| part.error <= NEGLIGIBLE * self.size;
        if worst.as_ref().is_some_and(negligible) {
            text += "; nothing that was refined changes it. ";
        } else if let Some(worst) = worst {
            let order = match worst.fit.trend {
                Trend::Order { order, .. } => format!(" (order {order:.1})"),
                Trend::Noise => " (scatter, no order)".into(),
                _ => String::new(),
            };
            text += &format!("; the {} dominates{order}. ", worst.refined.ladder.what.name());
        }
        let own = quantity(self.subject.own, unit);
        if self.trusted {
            return text
                + &format!("The scenario's settings, which give {own}, are fine enough for {percent}.");
        }
        text += &format!("Not to be trusted to {percent}: the scenario's settings give {own}.");
        let allowed = tolerance * self.size;
        let mut flagged = self.parts.iter().filter(|p| p.error > allowed).peekable();
        if flagged.peek().is_none() {
            return text + " No setting alone is too coarse, but together they are.";
        }
        flagged.fold(text, |text, part| text + " " + &self.flag(part))
    }

    /// What is wrong with one setting.
    fn flag(&self, part: &Part) -> String {
        let refined = part.refined;
        let own = refined.tried.iter().find(|t| t.0 == 1.0).map_or(f64::NAN, |t| t.1);
        let unit = refined.ladder.keys.first().map_or("", |(key, _)| key.unit);
        let key = refined.ladder.keys.first().map_or("", |(key, _)| key.path.as_str());
        let what = refined.ladder.what;
        if !part.error.is_finite() {
            return format!("What the {} does is not known: too few settings gave a value.", what.name());
        }
        let percent = |x: f64| format!("{} %", short(100.0 * x / self.size));
        let change = percent((self.subject.own - part.fit.limit).abs());
        let doubt = percent(part.fit.uncertainty);
        let setting = with_prefix(own, unit);
        match what {
            What::Domain => {
                let largest = refined.tried.last().map_or(1.0, |t| t.0);
                format!(
                    "The domain is too small: {key} of {setting} and {} times that differ by {change}.",
                    short(largest)
                )
            }
            What::Step => format!(
                "The step of {setting} ({key}) is too coarse: the limit is {change} away, give or take {doubt}."
            ),
            What::Grid | What::Mesh | What::Rim | What::Spokes | What::Together => {
                format!(
                    "The {} of {setting} ({key}) is too coarse: the limit is {change} away, give or take {doubt}.",
                    what.name()
                )
            }
        }
    }
}
