//! Errors of the rules by group: a wheel at a slip angle. Pure.

use super::{Part, Row, Rule, Wheel};
use serde::Serialize;

/// Rows with less slip than this, in the authors' definition, are reported without a bound. Nominally −0.2: rows are set to it within 0.003.
pub(super) const LEAST_SLIP: f64 = -0.205;
/// Larger slip angles are reported without a bound, degrees.
pub(super) const LARGEST_ANGLE: f64 = 60.0;

/// A wheel at a slip angle.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Group {
    /// Its wheel and slip angle.
    pub name: String,
    /// Slip angle, degrees.
    pub slip_angle_deg: f64,
    /// Whether it stands for rows that skid or are locked, or move sideways: no bound.
    pub without_bound: bool,
    /// How many rows.
    pub rows: usize,
    /// By rule.
    pub errors: Vec<Errors>,
}

/// Errors of a rule in a group; not a number where nothing was measured or predicted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Errors {
    /// Rows that the rule says something of.
    pub rows: usize,
    /// RMS error of the pull over the load.
    pub pull_rms: f64,
    /// Largest error of the pull over the load.
    pub pull_worst: f64,
    /// RMS error of the side force over the load.
    pub side_rms: f64,
    /// RMS error of the torque over its largest measured value.
    pub torque_rms: f64,
    /// Median of sinkage over measured.
    pub sinkage_median: f64,
    /// Largest distance of that ratio from one.
    pub sinkage_worst: f64,
}

/// The groups of a wheel: by slip angle, driven rows first, then those without a bound.
pub(super) fn groups(part: &Part, rules: &[Rule]) -> Vec<Group> {
    let mut angles: Vec<f64> = part.rows.iter().map(|row| row.slip_angle_deg).collect();
    angles.sort_by(f64::total_cmp);
    angles.dedup();
    let mut out = Vec::new();
    for angle in angles {
        let of_angle = || part.rows.iter().filter(move |row| row.slip_angle_deg == angle);
        let driven: Vec<&Row> = of_angle().filter(|row| row.slip >= LEAST_SLIP).collect();
        let skidding: Vec<&Row> = of_angle().filter(|row| row.slip < LEAST_SLIP).collect();
        let name = format!("{}, {angle}°", part.name);
        out.push(group(name.clone(), angle, angle > LARGEST_ANGLE, &driven, rules));
        if !skidding.is_empty() {
            out.push(group(format!("{name}, skidding or locked"), angle, true, &skidding, rules));
        }
    }
    out
}

fn group(name: String, angle: f64, without_bound: bool, rows: &[&Row], rules: &[Rule]) -> Group {
    let errors = (0..rules.len()).map(|k| errors(rows, k)).collect();
    Group { name, slip_angle_deg: angle, without_bound, rows: rows.len(), errors }
}

fn errors(rows: &[&Row], rule: usize) -> Errors {
    let largest_torque = rows.iter().map(|row| row.measured.torque_n_m.abs()).fold(0.0, f64::max);
    let over = |of: fn(&Wheel) -> f64, scale: &dyn Fn(&Row) -> f64| -> Vec<f64> {
        let error = |row: &&Row| (of(&row.predicted[rule]) - of(&row.measured)) / scale(row);
        rows.iter().map(error).filter(|e| e.is_finite()).collect()
    };
    let pull = over(|w| w.pull_n, &|row| row.load_n);
    let side = over(|w| w.side_n, &|row| row.load_n);
    let torque = over(|w| w.torque_n_m, &|_| largest_torque);
    let ratios: Vec<f64> = rows
        .iter()
        .map(|row| row.predicted[rule].sinkage_m / row.measured.sinkage_m)
        .filter(|ratio| ratio.is_finite())
        .collect();
    Errors {
        rows: pull.len(),
        pull_rms: rms(&pull),
        pull_worst: largest(&pull),
        side_rms: rms(&side),
        torque_rms: rms(&torque),
        sinkage_median: median(&ratios),
        sinkage_worst: largest(&ratios.iter().map(|ratio| ratio - 1.0).collect::<Vec<_>>()),
    }
}

fn rms(errors: &[f64]) -> f64 {
    (errors.iter().map(|e| e * e).sum::<f64>() / errors.len() as f64).sqrt()
}

fn largest(errors: &[f64]) -> f64 {
    errors.iter().map(|e| e.abs()).fold(f64::NAN, f64::max)
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => sorted[n / 2],
        n => 0.5 * (sorted[n / 2 - 1] + sorted[n / 2]),
    }
}
