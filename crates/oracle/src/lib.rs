//! touchdown-oracle
