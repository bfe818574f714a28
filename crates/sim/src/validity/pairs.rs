//! Whether smooth contacts stayed where their model can be trusted.

use super::at_most;
use crate::sink::Check;
use crate::world::World;
use touchdown_contact::surface::NormalLaw;

/// Penetration over the smallest radius of a smooth body: beyond half of it the overlap of rigid forms no longer says where bodies touch; as for tyres.
const SURFACE_PENETRATION: f64 = 0.5;
/// The same with Hertz's law, whose theory is local up to a tenth (Johnson, Contact Mechanics, 4.1).
const HERTZ_PENETRATION: f64 = 0.1;
/// Approach in one step over the distance at which candidates are followed.
const SURFACE_APPROACH: f64 = 1.0;

/// Energy that jumped, over the energy exchanged: as much as the answers may then be off.
const SURFACE_JUMPS: f64 = 0.01;

/// The checks of all smooth contacts.
pub(super) fn checks(world: &World) -> Vec<Check> {
    let (state, exchanged) = (&world.state, world.state.ledger.exchanged());
    let all = || world.system.pairs.iter().zip(&state.extremes.pairs);
    let crowded = world.system.pairs.iter().zip(&state.held.pairs.held);
    let touched = || all().filter(|(_, e)| e.touches > 0);
    let checks = [
        at_most(
            "surface_penetration_over_radius",
            SURFACE_PENETRATION,
            "1",
            "deepest penetration over the smallest radius of the body: forms are rigid, and beyond half their overlap no longer says where they touch",
        )
        .worst(touched().map(|(p, e)| (p.name.as_str(), e.penetration.max(0.0) / p.radius))),
        at_most(
            "hertz_penetration_over_radius",
            HERTZ_PENETRATION,
            "1",
            "the same with Hertz's law: its theory is local, and good up to a tenth",
        )
        .worst(
            touched()
                .filter(|(p, _)| matches!(p.law, NormalLaw::Hertz { .. }))
                .map(|(p, e)| (p.name.as_str(), e.penetration.max(0.0) / p.radius)),
        ),
        at_most(
            "surface_approach_over_threshold",
            SURFACE_APPROACH,
            "1",
            "longest approach in a step over the distance at which candidates are followed: beyond it a touch can begin unseen",
        )
        .worst(all().map(|(p, e)| (p.name.as_str(), e.way / p.threshold))),
        at_most(
            "surface_jumps_relative",
            SURFACE_JUMPS,
            "1",
            "energy that came and went where touching candidates lost relative convexity and were looked for anew, over the energy exchanged; booked as lost",
        )
        .worst(all().map(|(p, e)| (p.name.as_str(), if e.jumps > 0.0 { e.jumps / exchanged } else { 0.0 }))),
        at_most(
            "surface_candidates_crowded",
            0.0,
            "1",
            "touching places that found no free slot and gave no force; raise most",
        )
        .worst(crowded.map(|(p, held)| (p.name.as_str(), held.crowded as f64))),
    ];
    checks.into_iter().flatten().collect()
}
