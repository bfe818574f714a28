//! Which cases keep their whole run folder: failures, the worst of each requirement, every n-th.

use crate::assess::Classifier;
use crate::case::Status;
use crate::error::CampaignError;
use crate::store::Store;
use std::collections::BTreeSet;

/// Cases of a requirement: its name, then index and value of each.
pub type Cases = (String, Vec<(u64, f64)>);

/// The worst cases of each requirement, the worst first.
pub fn worst(store: &Store, most: usize) -> Result<Vec<Cases>, CampaignError> {
    let plan = &store.planned.plan;
    let mut lists: Vec<Vec<(f64, u64, f64)>> = vec![Vec::new(); plan.requirements.len()];
    let places: Vec<Option<usize>> =
        plan.requirements.iter().map(|r| plan.quantities.iter().position(|q| q.name == r.quantity)).collect();
    store.prefix(&mut |row| {
        for ((list, r), place) in lists.iter_mut().zip(&plan.requirements).zip(&places) {
            let x = place.map_or(f64::NAN, |k| row.quantities[k]);
            let margin = r.bound.margin(x);
            if row.status == Status::Ok && !margin.is_nan() {
                list.push((margin, row.index, x));
                // Bounded memory: a few times what is asked for, then cut.
                if list.len() > 4 * most + 64 {
                    cut(list, most);
                }
            }
        }
    })?;
    lists.iter_mut().for_each(|list| cut(list, most));
    let names = plan.requirements.iter().map(|r| r.name.clone());
    Ok(names.zip(lists.into_iter().map(|l| l.into_iter().map(|(_, i, x)| (i, x)).collect())).collect())
}

fn cut(list: &mut Vec<(f64, u64, f64)>, most: usize) {
    list.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    list.truncate(most);
}

/// Cases whose run folder is kept, in order.
pub fn kept(store: &Store) -> Result<Vec<u64>, CampaignError> {
    let keep = &store.planned.plan.keep;
    let mut chosen = BTreeSet::new();
    if keep.worst > 0 {
        chosen.extend(
            worst(store, keep.worst as usize)?
                .into_iter()
                .flat_map(|(_, list)| list.into_iter().map(|(i, _)| i)),
        );
    }
    let classifier = Classifier::new(&store.planned.plan);
    let mut failures = 0;
    store.prefix(&mut |row| {
        let broken = row.status != Status::Ok || classifier.breaks(&row);
        if broken && row.status != Status::Refused && failures < keep.failures {
            failures += 1;
            chosen.insert(row.index);
        }
        if keep.every > 0 && row.index % keep.every == 0 && row.status != Status::Refused {
            chosen.insert(row.index);
        }
    })?;
    Ok(chosen.into_iter().collect())
}
