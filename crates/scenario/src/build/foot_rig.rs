//! The test stand for feet: the keys of `[foot_rig]` ⇒ [`FootStand`].

use super::Builder;
use super::run::upright_gravity;
use crate::read::{Record, Value};
use crate::table::{FootRigKeys, FootRigWord, GravityKey, Keys, ScenarioKeys, Words, WorldWord};
use crate::unit::{LENGTH, MASS, SPEED, TIME};
use touchdown_machines::FootStand;
use touchdown_machines::foot_stand::FootTest;
use touchdown_multibody::description::Gravity;

/// Mass if the load is not a weight, kg: negligible for loads of a hundred newtons that are applied within a
/// second.
const LITTLE: f64 = 0.1;
/// Times over which loads of press and drag are applied, s; speed (m/s) and distance (m) of a drag.
const PRESS_TIME: f64 = 2.0;
const DRAG_LOAD_TIME: f64 = 1.0;
const SPEED_OF_DRAG: f64 = 0.02;
const TRAVEL: f64 = 0.1;

/// Fills in values that follow from the kind.
pub(crate) fn fill_foot_rig(record: &mut Record) {
    let gravity = straight_down(record.get(ScenarioKeys::gravity).as_ref());
    let Some(rig) = record.table_mut(ScenarioKeys::foot_rig) else { return };
    let kind = rig.get(FootRigKeys::kind).unwrap_or(FootRigWord::Press);
    let load = rig.get(FootRigKeys::load).unwrap_or(0.0);
    let mass = match (kind, gravity) {
        (FootRigWord::Drop, Some(gravity)) => load / gravity,
        _ => LITTLE,
    };
    rig.fill(FootRigKeys::mass, Value::Number(mass, &MASS));
    match kind {
        FootRigWord::Drop => rig.fill(FootRigKeys::drop_height, Value::Number(0.0, &LENGTH)),
        FootRigWord::Drag => {
            rig.fill(FootRigKeys::load_time, Value::Number(DRAG_LOAD_TIME, &TIME));
            rig.fill(FootRigKeys::speed, Value::Number(SPEED_OF_DRAG, &SPEED));
            rig.fill(FootRigKeys::travel, Value::Number(TRAVEL, &LENGTH));
        }
        FootRigWord::Press => rig.fill(FootRigKeys::load_time, Value::Number(PRESS_TIME, &TIME)),
    }
    let test = FootRigKeys::read(rig).and_then(|keys| test_of(&keys));
    let duration = test.map_or(1.0, |test| test.duration());
    record.fill(ScenarioKeys::duration, Value::Number((duration * 1e6).round() / 1e6, &TIME));
}

/// Gravity if it points straight down and is not zero, m/s².
fn straight_down(gravity: Option<&GravityKey>) -> Option<f64> {
    match upright_gravity(gravity) {
        Gravity::Uniform(g) if g.x == 0.0 && g.y == 0.0 && g.z < 0.0 => Some(-g.z),
        _ => None,
    }
}

fn test_of(keys: &FootRigKeys) -> Option<FootTest> {
    Some(match keys.kind {
        FootRigWord::Press => FootTest::Press { load_time: keys.load_time? },
        FootRigWord::Drop => FootTest::Drop { height: keys.drop_height? },
        FootRigWord::Drag => {
            FootTest::Drag { load_time: keys.load_time?, speed: keys.speed?, travel: keys.travel? }
        }
    })
}

impl Builder<'_> {
    /// Bodies, load, motion and foot of the stand.
    pub fn collect_foot_rig(&mut self) {
        let Some(keys) = self.root.foot_rig.as_ref().and_then(|rig| rig.keys.as_ref()) else { return };
        let of_drag = [FootRigKeys::speed, FootRigKeys::travel];
        let drop_height = [FootRigKeys::drop_height];
        let refused = match keys.kind {
            FootRigWord::Drop => [&of_drag[..], &[FootRigKeys::load_time]].concat(),
            FootRigWord::Drag => drop_height.to_vec(),
            FootRigWord::Press => [&of_drag[..], &drop_height].concat(),
        };
        for key in refused.into_iter().filter(|key| keys.here.has(*key)) {
            let what = format!("means nothing in a stand of kind {}", keys.kind.word());
            self.issues.at(keys.here.loc_of(key), keys.here.path_of(key), what);
        }
        self.foot_stand(keys);
    }

    fn foot_stand(&mut self, keys: &FootRigKeys) -> Option<()> {
        let law = self.foot_law(&keys.law)?;
        let drops = keys.kind == FootRigWord::Drop;
        let gravity = straight_down(self.root.gravity.as_ref());
        let weightless = matches!(self.root.gravity, None | Some(GravityKey::World(WorldWord::None)));
        if (drops && gravity.is_none()) || (!drops && !weightless) {
            let what = if drops {
                "must point straight down: a dropped foot has weight"
            } else {
                "must be none: the stand brings the load"
            };
            self.issues.at(self.root.here.loc_of(ScenarioKeys::gravity), "gravity", what);
        }
        let gravity = gravity.unwrap_or(0.0);
        let stand = FootStand { test: test_of(keys)?, load: keys.load, mass: keys.mass?, gravity };
        self.add_stand(stand.kit(law), &keys.here);
        Some(())
    }
}
