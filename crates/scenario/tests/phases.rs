//! Timing the phases of a step on soil: they make up the whole, and watching changes nothing.

mod common;

use common::{built_in, world};
use std::sync::atomic::{AtomicU64, Ordering};

/// Steps in all: soil is moved in every twentieth.
const STEPS: u64 = 2_000;

/// A clock that advances by one at every reading.
fn clock() -> f64 {
    static LOOKS: AtomicU64 = AtomicU64::new(0);
    LOOKS.fetch_add(1, Ordering::Relaxed) as f64
}

#[test]
fn watching_a_step_does_not_change_it() {
    let scenario = built_in("single-wheel", &[]);
    let (mut plain, mut watched) = (world(&scenario), world(&scenario));
    assert_eq!(plain.advance_steps(STEPS), Ok(STEPS));
    let before = clock();
    let phases = watched.time_soil_phases(STEPS, clock).expect("steps are made");
    let looks = clock() - before;
    assert!(plain.checkpoint() == watched.checkpoint(), "states differ");
    // Two looks frame the whole; each phase adds one, and each begin one that belongs to the rest.
    let sum: f64 = phases.iter().map(|phase| phase.time * STEPS as f64).sum();
    assert!((sum - (looks - 2.0)).abs() < 1e-6 * sum, "{sum} of {looks}");
    let of = |name: &str| phases.iter().find(|p| p.name == name).map_or(f64::NAN, |p| p.time);
    assert_eq!((of("detection and pressure"), of("forces and tangents"), of("commit")), (1.0, 1.0, 1.0));
    assert_eq!((of("moving displaced soil"), of("erosion")), (0.05, 0.05));
}
