//! Statistics: pure functions of numbers, each checked against closed forms and by coverage.

pub mod binomial;
pub mod quantile;
pub mod sensitivity;
