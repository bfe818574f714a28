//! Parts of a cell.
/// Fraction of a unit square about the origin where n·x ≤ d.
pub(super) fn half_plane_fraction(d: f64, nx: f64, ny: f64) -> f64 {
    let (a, b) = (nx.abs().max(ny.abs()), nx.abs().min(ny.abs()));
    let f = |d: f64| -> f64 {
        // area for d <= 0
        let e = d + 0.5 * (a + b);
        if e <= 0.0 {
            0.0
        } else if e <= b {
            e * e / (2.0 * a * b)
        } else {
            (e - 0.5 * b) / a
        }
    };
    if d <= 0.0 { f(d) } else { 1.0 - f(-d) }
}
