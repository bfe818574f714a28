//! Studies: what a world is asked beside running in time.

pub(crate) mod bevameter;
pub(crate) mod gradability;
pub(crate) mod modes;
pub(crate) mod spacings;
pub(crate) mod static_load;
pub(crate) mod tilt;
pub(crate) mod wheel_press;
