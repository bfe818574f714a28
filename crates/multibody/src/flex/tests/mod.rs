//! Tests of the flexible bodies, by what they check.

mod plate;
