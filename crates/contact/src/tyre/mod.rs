//! Brush tyre on rigid ground.

mod params;

pub use params::BrushParameters;
