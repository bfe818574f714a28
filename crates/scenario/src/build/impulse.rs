//! Pushes that act at once.

use super::Builder;
use crate::read::Record;
use touchdown_sim::description::Impulse;

impl Builder<'_> {
    /// Impulses of every scope.
    pub fn collect_impulses(&mut self) {
        for s in 0..self.scopes.len() {
            let (record, prefix) = (self.scopes[s].record, self.scopes[s].prefix.clone());
            for named in record.map("impulse") {
                let name = format!("{prefix}{}", named.name);
                self.remember("impulse", &name, &named.record);
                if let Some(impulse) = self.impulse(s, name, &named.record) {
                    self.impulses.push(impulse);
                }
            }
        }
    }

    fn impulse(&mut self, scope: usize, name: String, record: &Record) -> Option<Impulse> {
        let at = self.attachment(scope, record.attach("on")?, &record.path_of("on"))?;
        let Some(body) = at.body else {
            let what = "acts on the world, which does not move";
            self.issues.at(record.loc_of("on"), record.path_of("on"), what);
            return None;
        };
        let (time, impulse) = (record.number("time")?, record.vec3("impulse")?);
        Some(Impulse { name, body, p_BP: at.X_BF.p, time, impulse })
    }
}
