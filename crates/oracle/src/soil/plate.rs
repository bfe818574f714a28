//! A flat plate pressed into soil: z = (p/K)^(1/n), with both readings of the width b in Bekker's K = k_c/b + k_φ.
//! Reference for the `plate-sinkage` rig.
//!
//! Sources: M. G. Bekker, *Introduction to Terrain-Vehicle Systems*, University of Michigan Press 1969 (b is the short side);
//! Project Chrono, `SCMTerrain` (1/b = P/(2A), which is half the side for a square and the short side for a long strip);
//! A. R. Reece, "Principles of soil–vehicle mechanics", Proc. IMechE 180 (1965).

/// Bekker's modulus of sinkage K = k_c/b + k_φ, Pa/mⁿ: `kc` in N/m^(n+1), `kphi` in N/m^(n+2), `b` in m.
pub fn bekker_modulus(kc: f64, kphi: f64, b: f64) -> f64 {
    kc / b + kphi
}

/// Reece's modulus of sinkage: p = (k₁ + k₂ b)(z/b)ⁿ, so K = (k₁ + k₂ b)/bⁿ, Pa/mⁿ; `k1` in Pa, `k2` in Pa/m, `b` in m.
pub fn reece_modulus(k1: f64, k2: f64, n: f64, b: f64) -> f64 {
    (k1 + k2 * b) / b.powf(n)
}

/// Bekker width of a rectangle, m: its short side.
pub fn width_short_side(length: f64, width: f64) -> f64 {
    length.min(width)
}

/// Bekker width of any outline with the given area (m²) and perimeter (m), m: 1/b = P/(2A).
pub fn width_from_perimeter(area: f64, perimeter: f64) -> f64 {
    2.0 * area / perimeter
}

/// Sinkage of a flat plate under `load` (N) on `area` (m²) with the Bekker width `b` (m), m.
pub fn bekker_plate_sinkage(kc: f64, kphi: f64, n: f64, load: f64, area: f64, b: f64) -> f64 {
    (load / area / bekker_modulus(kc, kphi, b)).powf(1.0 / n)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plates under 100 N sink as computed independently, six digits, for both readings of the width. Soils: Krenn & Hirzinger, Fig. 17;
    /// *Lunar Sourcebook*, nominal; dry sand of the Land Locomotion Laboratory.
    #[test]
    fn plates_sink_as_tabulated() {
        let (fig_17, lunar, sand) =
            ((2370.0, 60_300.0, 0.63), (1400.0, 820e3, 1.0), (990.0, 1_528_430.0, 1.1));
        let rows = [
            (0.1, 0.1, fig_17, 34.1107, 22.9912),
            (0.1, 0.1, lunar, 11.9904, 11.7925),
            (0.1, 0.1, sand, 10.2748, 10.2150),
            (0.05, 0.2, fig_17, 22.9912, 19.4807),
            (0.05, 0.2, lunar, 11.7925, 11.6959),
            (0.05, 0.2, sand, 10.2150, 10.1854),
        ];
        for (a, b, (kc, kphi, n), short_mm, perimeter_mm) in rows {
            let area = a * b;
            let sinkage = |width| 1e3 * bekker_plate_sinkage(kc, kphi, n, 100.0, area, width);
            let short = sinkage(width_short_side(a, b));
            let perimeter = sinkage(width_from_perimeter(area, 2.0 * (a + b)));
            assert!((short - short_mm).abs() <= 0.51e-4, "{short} {short_mm}");
            assert!((perimeter - perimeter_mm).abs() <= 0.51e-4, "{perimeter} {perimeter_mm}");
        }
    }

    /// At z = b Reece's pressure is k₁ + k₂ b whatever the exponent; with n = 1 it is Bekker's with k_c = k₁, k_φ = k₂.
    #[test]
    fn moduli_agree_where_they_must() {
        let (k1, k2, b) = (2e4, 3e5, 0.16);
        for n in [0.63, 1.0, 1.387] {
            assert!((reece_modulus(k1, k2, n, b) * b.powf(n) - (k1 + k2 * b)).abs() < 1e-10);
        }
        assert!((reece_modulus(k1, k2, 1.0, b) / bekker_modulus(k1, k2, b) - 1.0).abs() < 1e-15);
    }
}
