//! The resolved scenario: every value written out in SI, those that were filled in marked as defaults.
//!
//! Reading it back gives the same description; `check --resolved` prints it and every run keeps it.

use crate::read::{AttachSpec, Record, Value, format_number};
use crate::table::{Field, Need};
use crate::unit::Dim;
use std::fmt::Write;
use touchdown_math::{Signal, Vec3};

/// Keys of a machine or soil that its inlined contents replace.
const REPLACED: [&str; 3] = ["use", "urdf", "allow"];

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
    let is_table = |f: &&Field| matches!(record.value(f.key), Some(Value::Table(_) | Value::Map(_)));
    for field in record.section.fields().filter(|f| !is_table(f)) {
        scalar(out, record, field);
    }
    for field in record.section.fields().filter(is_table) {
        let below = if path.is_empty() { field.key.to_string() } else { format!("{path}.{}", field.key) };
        match record.value(field.key) {
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
    // A knob's default is what stands at its path, which this file always says.
    let knob_default = record.section.name == "parameters" && field.key == "default";
    if knob_default {
        return;
    }
    let Some(item) = record.items.get(field.key) else {
        if let Need::Derived(how) = field.need
            && !settled(record, field.key)
        {
            let _ = writeln!(out, "# {}: {how}", field.key);
        }
        return;
    };
    if ["machine", "soil"].contains(&record.section.name) && REPLACED.contains(&field.key) {
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

/// Whether a missing value needs no explanation, because another key says it or the integrator has no use for it.
fn settled(record: &Record, key: &str) -> bool {
    match (record.section.name, key) {
        ("integrator", _) => true,
        ("body", "centre_of_mass") => record.has("centre_of_mass_at"),
        ("joint", "at") => record.has("parent_frame"),
        ("joint", "position" | "rate") => matches!(record.text("type"), Some("free" | "spherical" | "fixed")),
        ("point" | "visual", "position") => record.has("at"),
        ("place", "z") => record.has("clearance"),
        ("terrain" | "rig" | "study" | "converge", _) => true,
        ("figure", "along" | "at") => true,
        ("figure", _) => record.text("kind") != Some("lines"),
        _ => false,
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
