//! touchdown-record
