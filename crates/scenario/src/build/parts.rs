//! What the scenario and each of its machines can both hold.

use crate::read::{Here, Named, Part, Text};
use crate::source::Loc;
use crate::table::{
    ActuatorKeys, BodyKeys, BushingKeys, ChainKeys, CollisionKeys, ConstraintKeys, DriveKeys,
    FlexibleFormKeys, FlexibleKeys, JointKeys, LoadKeys, MachineKeys, PointKeys, ReactionWheelKeys,
    ReactionWheelLawKeys, ScenarioKeys, SoilContactKeys, SpringKeys, ThrusterKeys, ThrusterLawKeys, TyreKeys,
    TyreLawKeys, VisualKeys, WheelKeys, WingKeys,
};

macro_rules! parts {
    ($($field:ident: $keys:ident),* $(,)?) => {
        /// Tables of the scenario or of a machine.
        #[derive(Clone, Copy)]
        pub(crate) struct Parts<'a> {
            pub locks: &'a [Text],
            pub inputs: bool,
            $(pub $field: &'a [Named<$keys>]),*
        }

        impl<'a> From<&'a ScenarioKeys> for Parts<'a> {
            fn from(keys: &'a ScenarioKeys) -> Self {
                let (locks, inputs) = (keys.locks.as_deref().unwrap_or_default(), keys.inputs == Some(true));
                Parts { locks, inputs, $($field: &keys.$field),* }
            }
        }

        impl<'a> From<&'a MachineKeys> for Parts<'a> {
            fn from(keys: &'a MachineKeys) -> Self {
                let (locks, inputs) = (keys.locks.as_deref().unwrap_or_default(), keys.inputs == Some(true));
                Parts { locks, inputs, $($field: &keys.$field),* }
            }
        }
    };
}

parts! {
    body: BodyKeys,
    joint: JointKeys,
    chain: ChainKeys,
    constraint: ConstraintKeys,
    spring: SpringKeys,
    bushing: BushingKeys,
    actuator: ActuatorKeys,
    load: LoadKeys,
    drive: DriveKeys,
    tyre_law: TyreLawKeys,
    tyre: TyreKeys,
    flexible_form: FlexibleFormKeys,
    flexible: FlexibleKeys,
    wheel: WheelKeys,
    soil_contact: SoilContactKeys,
    wing: WingKeys,
    reaction_wheel_law: ReactionWheelLawKeys,
    reaction_wheel: ReactionWheelKeys,
    thruster_law: ThrusterLawKeys,
    thruster: ThrusterKeys,
    point: PointKeys,
    collision: CollisionKeys,
    visual: VisualKeys,
}

/// Something with its location in a file.
pub(crate) trait Placed {
    fn loc(&self) -> Loc;
    fn path(&self) -> &str;
}

impl<T> Placed for Named<T> {
    fn loc(&self) -> Loc {
        self.loc
    }

    fn path(&self) -> &str {
        &self.path
    }
}

impl<T> Placed for Part<T> {
    fn loc(&self) -> Loc {
        self.loc
    }

    fn path(&self) -> &str {
        &self.path
    }
}

impl<S> Placed for Here<S> {
    fn loc(&self) -> Loc {
        self.loc
    }

    fn path(&self) -> &str {
        &self.path
    }
}
