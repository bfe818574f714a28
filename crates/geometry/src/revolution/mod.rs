//! Bodies of revolution by their longitudinal sections r(a): the surfaces of docking hardware.
//!
//! A [`Path`] of lines, arcs and splines becomes a [`Section`]: a chain of lines and arcs in the plane of axial place a and radius ρ, checked
//! once, with material on one side ([`Side`]). The axis is the z axis of the body's frame, a = z. From a section come
//!
//! - the signed distance of any point with foot, normal and curvature ([`Section::foot`]), exact and not only for graphs ρ(a);
//! - triangles ([`Section::mesh`]), dense where the section bends, with the true area that each represents;
//! - sections that change ([`Family`]), with the speed at which the surface moves.
//!
//! A section ends on the axis, at its own start, or *free*: beyond a free end there is no material, and the material behind the surface ends at the
//! line across it. At a convex corner of a section the nearest point jumps for any penetration; round corners
//! by more than the penetration ([`Section::reach`]).

mod distance;
mod family;
mod many;
mod path;
mod sample;
mod section;
mod segment;
#[cfg(test)]
mod tests;

pub use distance::{Foot, Near};
pub use family::{Family, MovingSection};
pub use path::{Path, Stroke};
pub use sample::{Resolution, RevolvedMesh, Ring};
pub use section::{FreeEnd, Section, SectionError, Side};
pub use segment::{Arc, Point, Segment};
