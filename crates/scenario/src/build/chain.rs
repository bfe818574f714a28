//! Chains: one table that represents many equal rods in series, joined by hinges.

use super::Builder;
use crate::table::ChainKeys;
use touchdown_machines::Chain;
use touchdown_multibody::description::BodyRef;

/// Most bodies of a scenario: two of the longest chains. Without a limit a few lines could request any
/// number.
const MOST_BODIES: u64 = 200_000;

impl Builder<'_> {
    /// Bodies `NAME/1` …, joints of the same names, and the point `NAME/tip`.
    pub fn collect_chains(&mut self) {
        for s in 0..self.scopes.len() {
            let (parts, prefix) = (self.scopes[s].parts, self.scopes[s].prefix.clone());
            for named in parts.chain {
                let name = format!("{prefix}{}", named.name);
                self.remember("chain", &name, named);
                let Some(keys) = &named.keys else { continue };
                if let Some(parent) = self.body(s, &keys.parent) {
                    self.chain(s, &name, keys, parent);
                }
            }
        }
    }

    fn chain(&mut self, scope: usize, name: &str, keys: &ChainKeys, parent: BodyRef) {
        let here = &keys.here;
        let chain = Chain {
            links: keys.links,
            length: keys.length,
            mass: keys.mass,
            at: keys.at,
            along: keys.along,
            hinge: keys.hinge,
            damping: keys.damping,
        };
        if chain.check().is_err() {
            let (loc, path) = (here.loc_of(ChainKeys::hinge), here.path_of(ChainKeys::hinge));
            self.issues.at(loc, path, "must not lie along the rods");
        }
        // A machine and a chain of the same name could both have a body NAME/1.
        if self.bodies.contains_key(&format!("{name}/1"))
            || self.point_names.contains_key(&format!("{name}/tip"))
        {
            let what = "has the name of a machine whose bodies are called like its links";
            self.issues.at(here.loc, &here.path, what).hint("give the chain another name");
            return;
        }
        let bodies = self.mechanism.bodies.len() as u64 + chain.links;
        if bodies > MOST_BODIES {
            let (loc, path) = (here.loc_of(ChainKeys::links), here.path_of(ChainKeys::links));
            self.issues
                .at(loc, path, "makes too many bodies in all")
                .found(bodies)
                .allowed(format!("at most {MOST_BODIES}"));
            return;
        }
        self.add_kit(scope, chain.kit(name), parent, here);
    }
}
