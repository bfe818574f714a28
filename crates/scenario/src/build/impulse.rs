//! Impulses: loads that act instantaneously.

use super::Builder;
use crate::table::ImpulseKeys;
use touchdown_sim::description::Impulse;

impl Builder<'_> {
    /// Impulses of the scenario.
    pub fn collect_impulses(&mut self) {
        for named in &self.root.impulse {
            self.remember("impulse", &named.name, named);
            let impulse = named.keys.as_ref().and_then(|keys| self.impulse(named.name.clone(), keys));
            self.impulses.extend(impulse);
        }
    }

    fn impulse(&mut self, name: String, keys: &ImpulseKeys) -> Option<Impulse> {
        let path = keys.here.path_of(ImpulseKeys::on);
        let at = self.attachment(0, &keys.on, &path)?;
        let Some(body) = at.body else {
            let what = "acts on the world, which does not move";
            self.issues.at(keys.here.loc_of(ImpulseKeys::on), path, what);
            return None;
        };
        Some(Impulse { name, body, p_BP: at.X_BF.p, time: keys.time, impulse: keys.impulse })
    }
}
