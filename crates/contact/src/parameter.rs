//! Types of the parameter checks of all models.

use thiserror::Error;

/// An invalid parameter.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ParameterError {
    /// Not a number, or infinite.
    #[error("{field} must be a finite number, found {found}")]
    NotFinite {
        /// Name of the field.
        field: &'static str,
        /// Its value.
        found: f64,
    },
    /// Outside its range.
    #[error("{field} must lie in {allowed} {unit}, found {found}")]
    OutOfRange {
        /// Name of the field.
        field: &'static str,
        /// Its unit.
        unit: &'static str,
        /// Its range in interval notation.
        allowed: Interval,
        /// Its value.
        found: f64,
    },
    /// Friction at full slide exceeds friction at no slip.
    #[error("friction_min must not exceed friction_max, found {friction_min} > {friction_max}")]
    FrictionOrder {
        /// Friction at full slide.
        friction_min: f64,
        /// Friction at no slip.
        friction_max: f64,
    },
    /// Two forms of smooth contact that cannot be distinguished in this order.
    #[error("the first side of a pair must be ground or a smooth body, and ground must be the first side")]
    Order,
    /// Neither foot nor ground deforms.
    #[error("a hard foot on hard ground has no force: give the foot a spring or the ground a soil")]
    HardOnHard,
    /// A form of the stress integral for another shape of foot.
    #[error("the model {model} is not made for a {shape} foot: use exact or linearised")]
    ModelOfFoot {
        /// Name of the model.
        model: &'static str,
        /// Name of the shape.
        shape: &'static str,
    },
}

/// A range of allowed values; the upper end belongs to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub min: f64,
    /// Whether the lower end itself is allowed.
    pub min_included: bool,
    /// Upper end, included.
    pub max: f64,
}

impl std::fmt::Display for Interval {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}, {}]", if self.min_included { '[' } else { '(' }, self.min, self.max)
    }
}

impl Interval {
    /// Above zero up to `max`.
    pub(crate) const fn above_zero(max: f64) -> Self {
        Interval { min: 0.0, min_included: false, max }
    }

    /// Zero to `max`.
    pub(crate) const fn from_zero(max: f64) -> Self {
        Interval { min: 0.0, min_included: true, max }
    }

    pub(crate) fn contains(&self, x: f64) -> bool {
        x <= self.max && (x > self.min || (self.min_included && x == self.min))
    }
}

/// A parameter: name, unit, value and range.
pub(crate) type Row = (&'static str, &'static str, f64, Interval);

/// Checks parameters; all problems come back, in the order of the rows.
pub(crate) fn check_rows(rows: impl IntoIterator<Item = Row>) -> Vec<ParameterError> {
    rows.into_iter()
        .filter_map(|(field, unit, found, allowed)| {
            if !found.is_finite() {
                Some(ParameterError::NotFinite { field, found })
            } else if !allowed.contains(found) {
                Some(ParameterError::OutOfRange { field, unit, allowed, found })
            } else {
                None
            }
        })
        .collect()
}
