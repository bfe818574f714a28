//! Numbers: SI in keys that name the unit, texts with a unit elsewhere; a wrong dimension, infinity or an
//! implausible size is a mistake.

use super::{Spot, Value};
use crate::error::{Issues, nearest};
use crate::node::{Data, Node};
use crate::table::Range;
use crate::unit::{self, Dim, UnitError, parse_quantity};
use touchdown_math::Vec3;

/// Directions shorter than this count as zero vectors.
const SHORTEST_AXIS: f64 = 1e-9;

/// Limits above this only catch typing errors; they are not printed.
const NO_BOUND: f64 = 1e9;

type Dims = [&'static Dim];

/// The permitted dimensions as text: the units.
pub(crate) fn dims_in_words(dims: &Dims) -> String {
    dims.iter().map(|d| d.examples).collect::<Vec<_>>().join(", ")
}

/// Permitted lengths of a list: "3", "3 or 6", "1 to 24".
pub(crate) fn lengths_in_words(lengths: &[usize]) -> String {
    match lengths {
        [first, .., last] if lengths.len() > 3 && last - first + 1 == lengths.len() => {
            format!("{first} to {last}")
        }
        _ => lengths.iter().map(|n| n.to_string()).collect::<Vec<_>>().join(" or "),
    }
}

/// Length of the example list: the longest permitted that is still readable.
fn example_length(lengths: &[usize]) -> usize {
    lengths.iter().copied().filter(|n| *n <= 6).max().unwrap_or(1)
}

/// A number in the shortest form that is read as the same bits.
pub(crate) fn format_number(x: f64) -> String {
    format!("{x:?}")
}

/// Reads one quantity: its SI value and dimension.
pub(crate) fn read_number(
    node: &Node,
    dims: &'static Dims,
    range: Range,
    spot: Spot,
    issues: &mut Issues,
) -> Option<(f64, &'static Dim)> {
    let (value, dim) = match (&node.data, spot.dim) {
        (Data::Integer(_) | Data::Float(_), Some(dim)) => (node.number()?, dim),
        (Data::Integer(_) | Data::Float(_), None) => {
            (node.number()?, plain_number(node, dims, spot, issues)?)
        }
        (Data::Text(_), Some(dim)) => {
            issues
                .at(node.loc, spot.path, format!("must be a plain number in {}", dim.unit))
                .found(node.show())
                .hint(format!("{} takes a text with a unit", spot.field.key));
            return None;
        }
        (Data::Text(text), None) => read_text_quantity(text, node, dims, spot, issues)?,
        _ => {
            let allowed = dims_in_words(dims);
            issues.at(node.loc, spot.path, "must be a number").found(node.show()).allowed(allowed);
            return None;
        }
    };
    check_range(value, dim, range, node, spot, issues).then_some((value, dim))
}

/// A number without a unit: valid if a pure number is expected, otherwise a mistake.
fn plain_number(node: &Node, dims: &'static Dims, spot: Spot, issues: &mut Issues) -> Option<&'static Dim> {
    if let Some(dim) = dims.iter().find(|d| d.suffix.is_empty()) {
        return Some(dim);
    }
    let first = dims.first()?;
    let (key, shown) = (spot.field.key, node.show());
    issues
        .at(node.loc, spot.path, "needs a unit")
        .found(&shown)
        .allowed(dims_in_words(dims))
        .hint(format!("write {key} = \"{shown} {}\" or {key}_{} = {shown}", first.unit, first.suffix));
    None
}

fn read_text_quantity(
    text: &str,
    node: &Node,
    dims: &'static Dims,
    spot: Spot,
    issues: &mut Issues,
) -> Option<(f64, &'static Dim)> {
    let allowed = dims_in_words(dims);
    let example = dims.first().map_or("", |d| d.unit);
    match parse_quantity(text) {
        Ok((value, exponents)) => match dims.iter().find(|d| d.exponents == exponents) {
            Some(dim) => Some((value, dim)),
            None => {
                let names: Vec<String> = dims.iter().map(|d| d.with_article()).collect();
                issues
                    .at(node.loc, spot.path, format!("must be {}", names.join(" or ")))
                    .found(format!("{}, {}", node.show(), unit::describe(exponents)))
                    .allowed(allowed);
                None
            }
        },
        Err(UnitError::NoNumber) => {
            issues
                .at(node.loc, spot.path, "must be a number with a unit")
                .found(node.show())
                .allowed(allowed)
                .hint(format!("such as {} = \"1.5 {example}\"", spot.field.key));
            None
        }
        Err(UnitError::UnknownUnit(name)) => {
            let what = format!("has an unknown unit, {name}");
            let issue = issues.at(node.loc, spot.path, what).found(node.show()).allowed(allowed);
            if let Some(near) = nearest(&name, unit::unit_names()) {
                issue.hint(format!("did you mean {near}?"));
            }
            None
        }
        Err(UnitError::Malformed) => {
            issues
                .at(node.loc, spot.path, "has a unit that cannot be read")
                .found(node.show())
                .allowed(allowed)
                .hint("units look like N m/rad, m/s^2, kg m^2");
            None
        }
    }
}

/// A bound with its unit: "0 m", "90 deg".
fn bound_in_words(bound: f64, dim: &Dim) -> String {
    // Angles are printed in degrees.
    let angle = *dim == unit::ANGLE && bound != 0.0 && bound.abs() < 10.0;
    let bound = if angle { (bound.to_degrees() * 1e6).round() / 1e6 } else { bound };
    let unit = match dim.unit {
        "" => String::new(),
        _ if angle => " deg".into(),
        name => format!(" {name}"),
    };
    if bound.abs() < 1e15 && (bound == 0.0 || bound.abs() > 1e-4) {
        format!("{bound}{unit}")
    } else {
        format!("{bound:e}{unit}")
    }
}

/// Bounds that are narrower than the general limits: "> 0", ">= 0, <= 90 deg".
pub(crate) fn range_in_words(range: Range, dim: &Dim) -> Option<String> {
    let shown = |bound: f64| bound.abs() < NO_BOUND;
    let zero_or = |bound: f64| if bound == 0.0 { "0".into() } else { bound_in_words(bound, dim) };
    let least =
        shown(range.min).then(|| format!("{} {}", if range.open { ">" } else { ">=" }, zero_or(range.min)));
    let most = shown(range.max).then(|| format!("<= {}", zero_or(range.max)));
    let bounds: Vec<String> = least.into_iter().chain(most).collect();
    (!bounds.is_empty()).then(|| bounds.join(", "))
}

fn check_range(value: f64, dim: &Dim, range: Range, node: &Node, spot: Spot, issues: &mut Issues) -> bool {
    if !value.is_finite() {
        issues.at(node.loc, spot.path, "must be a finite number").found(node.show());
        return false;
    }
    let high_enough = if range.open { value > range.min } else { value >= range.min };
    if high_enough && value <= range.max {
        return true;
    }
    let (sign, bound) = match (high_enough, range.open) {
        (false, true) => (">", range.min),
        (false, false) => (">=", range.min),
        (true, _) => ("<=", range.max),
    };
    let bound = bound_in_words(bound, dim);
    let issue = issues.at(node.loc, spot.path, format!("must be {sign} {bound}")).found(node.show());
    if value.abs() > crate::table::HUGE {
        issue.hint("a number of this size is a slip; check its exponent");
    }
    false
}

/// Most positions in a list.
const MOST_PLACES: usize = 10_000;

/// Reads a list of positions, two quantities each.
pub(crate) fn read_places(
    node: &Node,
    dims: &'static Dims,
    spot: Spot,
    issues: &mut Issues,
) -> Option<Value> {
    let list = match &node.data {
        Data::Array(list) if !list.is_empty() && list.len() <= MOST_PLACES => list.as_slice(),
        _ => &[],
    };
    let pairs: Option<Vec<&[Node]>> = list
        .iter()
        .map(|place| match &place.data {
            Data::Array(pair) if pair.len() == 2 => Some(pair.as_slice()),
            _ => None,
        })
        .collect();
    let Some(pairs) = pairs.filter(|pairs| !pairs.is_empty()) else {
        let suffix = dims.first().map_or("", |d| d.suffix);
        issues
            .at(
                node.loc,
                spot.path,
                format!("must be a list of 1 to {MOST_PLACES} places of two numbers each"),
            )
            .found(node.show())
            .hint(format!("such as {}_{suffix} = [[0.0, 0.0], [2.0, 1.0]]", spot.field.key));
        return None;
    };
    let mut places = Vec::with_capacity(pairs.len());
    for pair in pairs {
        let read = |n: &Node, issues: &mut Issues| read_number(n, dims, crate::table::ANY, spot, issues);
        let (x, y) = (read(&pair[0], issues)?, read(&pair[1], issues)?);
        places.push([x.0, y.0]);
    }
    Some(Value::Places(places, dims.first()?))
}

/// Reads a list of quantities; `limits` are the dimensions, range and permitted lengths.
pub(crate) fn read_numbers(
    node: &Node,
    limits: (&'static Dims, Range, &'static [usize]),
    spot: Spot,
    issues: &mut Issues,
) -> Option<Value> {
    let (dims, range, lengths) = limits;
    let single = std::slice::from_ref(node);
    let list = match &node.data {
        Data::Array(list) => list.as_slice(),
        Data::Table(_) => &[],
        _ if lengths.contains(&1) => single,
        _ => &[],
    };
    if !lengths.contains(&list.len()) {
        let example = dims.first().map_or("", |d| d.suffix);
        let key = if example.is_empty() {
            spot.field.key.to_string()
        } else {
            format!("{}_{example}", spot.field.key)
        };
        issues
            .at(node.loc, spot.path, format!("must be a list of {} numbers", lengths_in_words(lengths)))
            .found(node.show())
            .hint(format!("such as {key} = [{}]", vec!["0.0"; example_length(lengths)].join(", ")));
        return None;
    }
    if spot.dim.is_none()
        && dims.iter().all(|d| !d.suffix.is_empty())
        && list.iter().all(|n| n.number().is_some())
    {
        plain_list(node, list, dims, spot, issues);
        return None;
    }
    let numbers: Vec<_> = list.iter().map(|n| read_number(n, dims, range, spot, issues)).collect();
    numbers.into_iter().collect::<Option<Vec<_>>>().map(Value::Numbers)
}

/// A list of numbers without units gives a single message.
fn plain_list(node: &Node, list: &[Node], dims: &'static Dims, spot: Spot, issues: &mut Issues) {
    let shown: Vec<String> = list.iter().map(Node::show).collect();
    let shown = if list.len() == 1 { shown.join("") } else { format!("[{}]", shown.join(", ")) };
    let suffix = dims.first().map_or("", |d| d.suffix);
    issues
        .at(node.loc, spot.path, "needs a unit")
        .found(&shown)
        .allowed(dims_in_words(dims))
        .hint(format!("write {}_{suffix} = {shown}", spot.field.key));
}

/// Reads a whole number.
pub(crate) fn read_count(node: &Node, min: u64, max: u64, spot: Spot, issues: &mut Issues) -> Option<Value> {
    let count = match node.data {
        Data::Integer(i) => u64::try_from(i).ok(),
        // Scripts may print 50 as 50.0.
        Data::Float(x) if x.fract() == 0.0 && (0.0..1e15).contains(&x) => Some(x as u64),
        _ => None,
    };
    match count {
        Some(count) if (min..=max).contains(&count) => Some(Value::Count(count)),
        _ => {
            issues
                .at(node.loc, spot.path, format!("must be a whole number from {min} to {max}"))
                .found(node.show());
            None
        }
    }
}

/// Reads a direction and normalises it.
pub(crate) fn read_axis(node: &Node, spot: Spot, issues: &mut Issues) -> Option<Value> {
    let numbers: Option<Vec<f64>> = match &node.data {
        Data::Array(list) if list.len() == 3 => list.iter().map(Node::number).collect(),
        _ => None,
    };
    let Some(parts) = numbers else {
        issues
            .at(node.loc, spot.path, "must be a direction of three plain numbers")
            .found(node.show())
            .hint(format!("such as {} = [0, 0, 1]", spot.field.key));
        return None;
    };
    let axis = Vec3::new(parts[0], parts[1], parts[2]);
    let length = axis.norm();
    if !length.is_finite() || length < SHORTEST_AXIS {
        issues
            .at(node.loc, spot.path, "must be a direction, not a zero or infinite vector")
            .found(format!("[{}, {}, {}]", parts[0], parts[1], parts[2]));
        return None;
    }
    // A vector of unit length keeps the digits that the user wrote.
    let exact = (length - 1.0).abs() < 4.0 * f64::EPSILON;
    Some(Value::Axis(if exact { axis } else { axis / length }))
}
