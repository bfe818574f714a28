//! stub
use super::params::BekkerWidth;
pub(super) struct Patch {
    pub area: f64,
    pub perimeter: f64,
    pub short_side: f64,
}
pub(super) fn patch(_: &mut Vec<[f64; 2]>) -> Option<Patch> {
    None
}
pub(super) fn bekker_width(_: BekkerWidth, p: &Patch) -> f64 {
    p.short_side
}
