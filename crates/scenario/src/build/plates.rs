//! Pressure–sinkage laws from plates of several widths, interpolated to the width of a body; and Bekker's
//! modulus for a negative k_c.
//!
//! Plates of one width are averaged, and widths interpolated, in ln p at every depth: ln k and n are then
//! linear in the width. This preserves p = k zⁿ, matches each plate at its own width, and never yields a
//! negative pressure. Outside the range of tested widths there is no result.

use crate::table::{PlateKeys, SoilKeys};
use touchdown_math::Elementary;

/// p = k zⁿ, k in N/m^(n+2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sinkage {
    pub modulus: f64,
    pub exponent: f64,
}

/// Why a soil has no law for a width.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct OutsideWidths {
    /// Smallest and largest width, m.
    pub from: f64,
    pub to: f64,
}

/// Widths are written in millimetres: they are equal within round-off.
const SAME_WIDTH: f64 = 1e-9;

/// Plates of a soil.
fn plates(soil: &SoilKeys) -> Vec<&PlateKeys> {
    soil.plate.iter().filter_map(|named| named.keys.as_ref()).collect()
}

/// The law at a width `b` if plates or a negative k_c make it depend on the width; `None` for all other
/// soils.
pub(crate) fn at_width(soil: &SoilKeys, b: f64) -> Option<Result<Sinkage, OutsideWidths>> {
    let list: Vec<(f64, f64, f64)> =
        plates(soil).iter().map(|p| (p.width, p.modulus.natural_log(), p.exponent)).collect();
    if !list.is_empty() {
        return Some(interpolated(&list, b));
    }
    if soil.cohesive_modulus >= 0.0 {
        return None;
    }
    let [from, to] = soil.widths.unwrap_or([0.0; 2]);
    let modulus = soil.cohesive_modulus / b + soil.frictional_modulus;
    let inside = (from - SAME_WIDTH..=to + SAME_WIDTH).contains(&b) && modulus > 0.0;
    let law = Sinkage { modulus, exponent: soil.exponent };
    Some(if inside { Ok(law) } else { Err(OutsideWidths { from, to }) })
}

/// From (width, ln k, n) of plates.
fn interpolated(plates: &[(f64, f64, f64)], b: f64) -> Result<Sinkage, OutsideWidths> {
    let mut widths: Vec<f64> = plates.iter().map(|p| p.0).collect();
    widths.sort_by(f64::total_cmp);
    widths.dedup_by(|a, b| (*a - *b).abs() < SAME_WIDTH);
    let (from, to) = (widths[0], widths[widths.len() - 1]);
    if !(from - SAME_WIDTH..=to + SAME_WIDTH).contains(&b) {
        return Err(OutsideWidths { from, to });
    }
    let mean = |width: f64| {
        let same: Vec<_> = plates.iter().filter(|p| (p.0 - width).abs() < SAME_WIDTH).collect();
        let n = same.len() as f64;
        (same.iter().map(|p| p.1).sum::<f64>() / n, same.iter().map(|p| p.2).sum::<f64>() / n)
    };
    let above = widths.partition_point(|w| *w < b - SAME_WIDTH).min(widths.len() - 1);
    let below = above.saturating_sub(1);
    let (low, high) = (widths[below], widths[above]);
    let share = if high > low { ((b - low) / (high - low)).clamp(0.0, 1.0) } else { 0.0 };
    let ((k0, n0), (k1, n1)) = (mean(low), mean(high));
    let log_modulus = k0 + share * (k1 - k0);
    Ok(Sinkage { modulus: log_modulus.exponential(), exponent: n0 + share * (n1 - n0) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a / b - 1.0).abs() < 1e-12
    }

    /// At the width of a plate its law is exact; midway between two, pressures are the geometric mean at
    /// every depth; outside there is no result.
    #[test]
    fn plates_are_met_and_interpolated() {
        let plates = [(0.06, 1e6f64.ln(), 1.5), (0.1, 4e6f64.ln(), 1.3)];
        let at = |b: f64| interpolated(&plates, b).expect("inside");
        assert!(close(at(0.06).modulus, 1e6) && close(at(0.06).exponent, 1.5));
        assert!(close(at(0.1).modulus, 4e6) && close(at(0.1).exponent, 1.3));
        let pressure = |law: Sinkage, z: f64| law.modulus * z.powf(law.exponent);
        for z in [1e-3, 1e-2, 0.1] {
            let mean = (pressure(at(0.06), z) * pressure(at(0.1), z)).sqrt();
            assert!(close(pressure(at(0.08), z), mean));
        }
        assert_eq!(interpolated(&plates, 0.05), Err(OutsideWidths { from: 0.06, to: 0.1 }));
    }

    /// Plates of one width count as their mean in ln p, and a single plate applies only to its own width.
    #[test]
    fn repeated_plates_are_averaged() {
        let twice = [(0.06, 1e6f64.ln(), 1.4), (0.06, 4e6f64.ln(), 1.6)];
        let law = interpolated(&twice, 0.06).expect("its own width");
        assert!(close(law.modulus, 2e6) && close(law.exponent, 1.5));
    }
}
