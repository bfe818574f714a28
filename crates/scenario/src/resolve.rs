//! The resolved scenario: every value written out in SI; values that were filled in are marked as defaults.
//!
//! Reading it gives the same description; `check --resolved` prints it and every run stores it.

use crate::read::{AttachSpec, Record, Value, format_number};
use crate::table::{
    BodyKeys, ConvergeKeys, Field, FigureKeys, FigureWord, IntegratorKeys, JointKeys, JointWord, Keys,
    MachineKeys, Need, ParameterKeys, PlaceKeys, PointKeys, RigKeys, Section, SoilKeys, StudyKeys,
    TerrainKeys, VisualKeys,
};
use crate::unit::Dim;
use std::fmt::Write;
use touchdown_math::{Signal, Vec3};

/// Writes a scenario out.
pub(crate) fn write(record: &Record, name: &str) -> String {
    let mut out = format!("# {name}, resolved: SI units, every omitted value filled in\n");
    table(&mut out, record, "");
    out
}

fn table(out: &mut String, record: &Record, path: &str) {
    for (key, text) in [("assumed", &record.assumed), ("about", &record.about)] {
        if let Some(text) = text {
            line(out, key, &quoted(text), true);
        }
    }
    let is_table = |f: &&Field| matches!(record.value(f), Some(Value::Table(_) | Value::Map(_)));
    for field in record.section.fields().filter(|f| !is_table(f)) {
        scalar(out, record, field);
    }
    for field in record.section.fields().filter(is_table) {
        let below = if path.is_empty() { field.key.to_string() } else { format!("{path}.{}", field.key) };
        match record.value(field) {
            Some(Value::Table(inner)) => section(out, inner, &below),
            Some(Value::Map(list)) => {
                for named in list {
                    section(out, &named.record, &format!("{below}.{}", quoted_name(&named.name)));
                }
            }
            _ => {}
        }
    }
}

fn section(out: &mut String, record: &Record, path: &str) {
    let _ = writeln!(out, "\n[{path}]");
    table(out, record, path);
}

fn scalar(out: &mut String, record: &Record, field: &Field) {
    // A knob's default is the value at its path, which this file always contains.
    let knob_default =
        record.section.name == ParameterKeys::SECTION.name && field.key == ParameterKeys::default.name();
    if knob_default {
        return;
    }
    let Some(item) = record.item(field) else {
        if let Need::Derived(how) = field.need
            && !settled(record, field)
        {
            let _ = writeln!(out, "# {}: {how}", field.key);
        }
        return;
    };
    if is_replaced(record.section, field) {
        if let Some(Value::Text(file)) = &item.value {
            let _ = writeln!(out, "# {} {file:?}", field.key);
        }
        return;
    }
    let Some(value) = &item.value else { return };
    let (suffix, text) = written(value);
    let key = if suffix.is_empty() { field.key.to_string() } else { format!("{}_{suffix}", field.key) };
    line(out, &key, &text, item.given);
}

/// Whether a key of a machine or soil is replaced by the contents of the file that it names.
fn is_replaced(section: &Section, field: &Field) -> bool {
    let of_machine = [MachineKeys::uses.name(), MachineKeys::urdf.name(), MachineKeys::allow.name()];
    section.name == MachineKeys::SECTION.name && of_machine.contains(&field.key)
        || section.name == SoilKeys::SECTION.name && field.key == SoilKeys::uses.name()
}

/// Whether a missing value needs no explanation, because another key gives it or it does not apply to the
/// integrator.
fn settled(record: &Record, field: &Field) -> bool {
    let of = |section: &Section| record.section.name == section.name;
    let is = |keys: &[&str]| keys.contains(&field.key);
    if of(BodyKeys::SECTION) {
        is(&[BodyKeys::centre_of_mass.name()]) && record.has(BodyKeys::centre_of_mass_at)
    } else if of(JointKeys::SECTION) {
        is(&[JointKeys::at.name()]) && record.has(JointKeys::parent_frame)
            || is(&[JointKeys::position.name(), JointKeys::rate.name()])
                && matches!(
                    record.get(JointKeys::kind),
                    Some(JointWord::Free | JointWord::Spherical | JointWord::Fixed)
                )
    } else if of(PointKeys::SECTION) {
        is(&[PointKeys::position.name()]) && record.has(PointKeys::at)
    } else if of(VisualKeys::SECTION) {
        is(&[VisualKeys::position.name()]) && record.has(VisualKeys::at)
    } else if of(PlaceKeys::SECTION) {
        is(&[PlaceKeys::z.name()]) && record.has(PlaceKeys::clearance)
    } else if of(FigureKeys::SECTION) {
        is(&[FigureKeys::along.name(), FigureKeys::at.name()])
            || record.get(FigureKeys::kind) != Some(FigureWord::Lines)
    } else {
        let whole = [
            IntegratorKeys::SECTION,
            TerrainKeys::SECTION,
            RigKeys::SECTION,
            StudyKeys::SECTION,
            ConvergeKeys::SECTION,
        ];
        whole.into_iter().any(of)
    }
}

fn line(out: &mut String, key: &str, text: &str, given: bool) {
    let _ = writeln!(out, "{key} = {text}{}", if given { "" } else { "  # default" });
}

/// Unit ending of the key, and the value as TOML.
pub(crate) fn written(value: &Value) -> (&'static str, String) {
    match value {
        Value::Text(text) => ("", quoted(text)),
        Value::Texts(texts) => ("", list(texts.iter().map(|t| quoted(&t.0)))),
        Value::Flag(flag) => ("", flag.to_string()),
        Value::Count(count) => ("", count.to_string()),
        Value::Number(x, dim) => (dim.suffix, format_number(*x)),
        Value::Numbers(numbers) => numbers_text(numbers),
        Value::Places(places, dim) => {
            let place = |p: &[f64; 2]| list(p.iter().map(|x| format_number(*x)));
            (dim.suffix, list(places.iter().map(place)))
        }
        Value::Axis(axis) => ("", vector(axis)),
        Value::Signal(signal, dim) => (dim.suffix, signal_text(signal)),
        Value::Attach(spec) => ("", attach_text(spec)),
        Value::Pair(pair) => ("", list(pair.iter().map(attach_text))),
        Value::Table(_) | Value::Map(_) => ("", String::new()),
    }
}

fn numbers_text(numbers: &[(f64, &'static Dim)]) -> (&'static str, String) {
    let first = numbers.first().map_or("", |n| n.1.suffix);
    if numbers.iter().all(|n| n.1.suffix == first) {
        return (first, list(numbers.iter().map(|n| format_number(n.0))));
    }
    ("", list(numbers.iter().map(|(x, dim)| quoted(&format!("{} {}", format_number(*x), dim.unit)))))
}

fn signal_text(signal: &Signal) -> String {
    let n = |x: &f64| format_number(*x);
    let rows = |rows: &[(f64, f64)]| list(rows.iter().map(|(t, y)| format!("[{}, {}]", n(t), n(y))));
    match signal {
        Signal::Constant(c) => n(c),
        Signal::Linear(r) => format!("{{ table = {} }}", rows(r)),
        Signal::Smooth(r) => format!("{{ smooth = {} }}", rows(r)),
        Signal::Travel(r) => format!("{{ travel = {} }}", rows(r)),
        Signal::Sine { offset, amplitude, frequency_hz, phase_rad } => format!(
            "{{ sine = {{ amplitude = {}, frequency_hz = {}, phase_rad = {}, offset = {} }} }}",
            n(amplitude),
            n(frequency_hz),
            n(phase_rad),
            n(offset)
        ),
        Signal::Line { start, rate } => {
            format!("{{ line = {{ start = {}, rate = {} }} }}", n(start), n(rate))
        }
    }
}

fn attach_text(spec: &AttachSpec) -> String {
    if let Some(point) = &spec.point {
        return quoted(&format!("{}:{point}", spec.body));
    }
    let body = quoted(&spec.body);
    match (spec.position, spec.at) {
        (Some(p), _) => format!("{{ body = {body}, position_m = {} }}", vector(&p)),
        (None, Some(p)) => format!("{{ body = {body}, at_m = {} }}", vector(&p)),
        (None, None) => body,
    }
}

fn vector(v: &Vec3) -> String {
    list(v.iter().map(|x| format_number(*x)))
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

/// A TOML basic string.
fn quoted(text: &str) -> String {
    toml_edit::Value::from(text).to_string()
}

fn quoted_name(name: &str) -> String {
    toml_edit::Key::new(name).to_string()
}
