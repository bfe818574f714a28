//! One scenario with many settings: parts that do not depend on them are read and made once.

use crate::error::ScenarioErrors;
use crate::memo::Memo;
use crate::scenario::{Opened, Scenario, open};
use crate::size::MemoryLimit;
use std::sync::Arc;
use touchdown_sim::WorldError;
use touchdown_sim::description::WorldDescription;

/// A scenario that is read many times with different settings; threads can share it.
///
/// Files are read once: later changes of a file have no effect.
#[derive(Clone, Debug)]
pub struct Prepared {
    opened: Opened,
    memo: Arc<Memo>,
}

impl Prepared {
    /// Finds a built-in scenario by name, or a file.
    pub fn new(name_or_path: &str) -> Result<Prepared, ScenarioErrors> {
        Ok(Prepared { opened: open(name_or_path)?, memo: Arc::default() })
    }

    /// The world for some settings, equal to that of [`load`](crate::load).
    pub fn variant(&self, sets: &[String]) -> Result<Variant, ScenarioErrors> {
        Ok(Variant(self.opened.read(sets, Some(&self.memo))?.0))
    }
}

/// A scenario as far as a run requires it; explanations and the resolved text are not made.
#[derive(Clone, Debug)]
pub struct Variant(Scenario);

impl Variant {
    /// Everything the simulator needs.
    pub fn description(&self) -> &WorldDescription {
        &self.0.description
    }

    /// See [`Scenario::explain`].
    pub fn explain(&self, errors: &[WorldError]) -> ScenarioErrors {
        self.0.explain(errors)
    }

    /// See [`Scenario::check_size`].
    pub fn check_size(&self, limit: &MemoryLimit) -> Result<(), ScenarioErrors> {
        self.0.check_size(limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load;

    /// A world from the cache equals one that is read again; three times, so that later ones use the cache.
    #[test]
    fn a_prepared_scenario_makes_the_worlds_of_a_fresh_one() {
        for name in
            ["pendulum", "docking", "single-wheel", "rover-drawbar-pull", "hexapod-map", "rover-on-map"]
        {
            let prepared = Prepared::new(name).unwrap();
            for duration in ["0.5", "0.7", "0.5"] {
                let sets = [format!("duration_s={duration}")];
                let (kept, fresh) = (prepared.variant(&sets), load(name, &sets));
                match (kept, fresh) {
                    (Ok(kept), Ok(fresh)) => {
                        assert!(
                            format!("{:?}", kept.description()) == format!("{:?}", fresh.description),
                            "{name}"
                        );
                    }
                    (kept, fresh) => {
                        assert_eq!(kept.unwrap_err().to_string(), fresh.unwrap_err().to_string())
                    }
                }
            }
            let wrong = ["no_such_knob=1".to_string()];
            assert_eq!(
                prepared.variant(&wrong).unwrap_err().to_string(),
                load(name, &wrong).unwrap_err().to_string()
            );
        }
    }
}
