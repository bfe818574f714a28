//! Inputs that can be commanded while a simulation runs.

use touchdown_multibody::description::{Command, ConstraintKind, DriveKind, ElementKind, Mechanism};

/// A value that can be commanded while the simulation runs. Until the first command it follows its signal, or keeps its value, as described.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// Unique name, such as `rover/drive_front_left`.
    pub name: String,
    /// What it sets.
    pub target: InputTarget,
    /// Unit as printed.
    pub unit: &'static str,
    /// Smallest value allowed.
    pub lower: f64,
    /// Largest value allowed.
    pub upper: f64,
}

/// A command given at a time and held until the next one of the same input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScheduledCommand {
    /// When, s.
    pub time: f64,
    /// Index among the inputs.
    pub input: usize,
    /// The value, in the input's unit.
    pub value: f64,
}

/// Target of an input. Indices are those of the description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputTarget {
    /// Command of a drive: a force or torque, a rate, a position, the speed of a rim.
    Drive(usize),
    /// Command of a linear actuator, by the index of its force element.
    Actuator(usize),
    /// A component of a load, by the index of its force element: 0 to 2 force, 3 to 5 torque.
    Load(usize, usize),
    /// A number of a force element.
    Element(usize, ElementNumber),
    /// Rate of a prescribed motion, by the index of its constraint. The motion continues from its present
    /// value.
    Motion(usize),
    /// Rate of a boom's length.
    Boom(usize),
    /// Rate at which the reference of a polygonal contact opens.
    Opening(usize),
    /// Whether a polygonal contact acts, 1, or does nothing, 0.
    Contact(usize),
    /// Torque of a reaction wheel's motor on its rotor, in addition to the demand of attitude control.
    WheelMotor(usize),
    /// Thrust of a thruster, in addition to the demand of attitude control.
    Thruster(usize),
    /// A component that replaces that of a driver's motion: 0 forwards, 1 sideways, 2 turn.
    Path(usize, usize),
    /// Command of a controller of legs: velocity forwards 0, sideways 1, rate of turn 2, height 3.
    Legs(usize, usize),
    /// Strength of a pair of magnets, as a share of the described strength.
    Magnet(usize),
    /// Whether a latch is armed, 1, or released, 0.
    Latch(usize),
    /// Whether the pawl of a ratchet is in its teeth, 1, or lifted, 0.
    Ratchet(usize),
}

/// A number of a force element that an input may set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementNumber {
    /// Stiffness of a spring.
    Stiffness,
    /// Damping of a spring.
    Damping,
    /// Preload of a spring in line.
    Preload,
    /// Dry friction of a joint.
    Coulomb,
    /// Viscous friction of a joint.
    Viscous,
}

impl InputTarget {
    /// Whether it commands a rate: the value itself continues from its present value.
    pub fn is_rate(&self) -> bool {
        matches!(self, InputTarget::Motion(_) | InputTarget::Boom(_) | InputTarget::Opening(_))
    }

    /// Whether it changes the energy stored in springs and fields.
    pub fn is_storing(&self) -> bool {
        matches!(self, InputTarget::Element(..) | InputTarget::Magnet(_) | InputTarget::Contact(_))
    }

    /// Inputs for all drives, actuators and prescribed motions of a mechanism, with their names.
    pub fn commands_of(mechanism: &Mechanism) -> Vec<(String, InputTarget)> {
        let drives = mechanism.drives.iter().enumerate();
        let drives = drives.filter(|(_, drive)| !matches!(drive.kind, DriveKind::Lock));
        let drives = drives.map(|(k, drive)| (drive.name.clone(), InputTarget::Drive(k)));
        let elements = mechanism.elements.iter().enumerate();
        let elements = elements.filter(|(_, element)| matches!(element.kind, ElementKind::Actuator { .. }));
        let elements = elements.map(|(k, element)| (element.name.clone(), InputTarget::Actuator(k)));
        let motions = mechanism.constraints.iter().enumerate();
        let motions = motions.filter(|(_, c)| matches!(c.kind, ConstraintKind::Prescribed { .. }));
        let motions = motions.map(|(k, c)| (c.name.clone(), InputTarget::Motion(k)));
        drives.chain(elements).chain(motions).collect()
    }

    /// Unit of an input on a mechanism, from the quantity that it commands.
    pub fn unit(&self, mechanism: &Mechanism) -> &'static str {
        let command = |command: &Command, turns: bool| match (command, turns) {
            (Command::Force(_), true) => "N m",
            (Command::Force(_), false) => "N",
            (Command::Speed { .. }, true) => "rad/s",
            (Command::Speed { .. }, false) => "m/s",
            (Command::Position { .. }, true) => "rad",
            (Command::Position { .. }, false) => "m",
        };
        let turns = |axis: &touchdown_multibody::description::JointAxis| {
            mechanism.joints.get(axis.joint).is_some_and(|joint| joint.kind.turns(axis.axis))
        };
        match *self {
            InputTarget::Drive(k) => mechanism.drives.get(k).map_or("1", |drive| match &drive.kind {
                DriveKind::Follow(follows) => command(follows, turns(&drive.axis)),
                DriveKind::RimSpeed { .. } => "m/s",
                DriveKind::Lock => "1",
            }),
            InputTarget::Actuator(k) => match mechanism.elements.get(k).map(|e| &e.kind) {
                Some(ElementKind::Actuator { command: follows, .. }) => command(follows, false),
                _ => "1",
            },
            InputTarget::Load(_, component) => {
                if component < 3 {
                    "N"
                } else {
                    "N m"
                }
            }
            InputTarget::Element(k, number) => {
                let along = |axis| if turns(axis) { 1 } else { 0 };
                let angular = match mechanism.elements.get(k).map(|e| &e.kind) {
                    Some(
                        ElementKind::JointSpring { axis, .. }
                        | ElementKind::JointLimit { axis, .. }
                        | ElementKind::JointFriction { axis, .. },
                    ) => along(axis),
                    _ => 0,
                };
                match number {
                    ElementNumber::Stiffness => ["N/m", "N m/rad"][angular],
                    ElementNumber::Damping | ElementNumber::Viscous => ["N s/m", "N m s/rad"][angular],
                    ElementNumber::Preload | ElementNumber::Coulomb => ["N", "N m"][angular],
                }
            }
            InputTarget::Motion(k) => match mechanism.constraints.get(k).map(|c| &c.kind) {
                Some(ConstraintKind::Prescribed { axis, .. }) if turns(axis) => "rad/s",
                _ => "m/s",
            },
            InputTarget::Boom(_) | InputTarget::Opening(_) => "m/s",
            InputTarget::WheelMotor(_) => "N m",
            InputTarget::Thruster(_) => "N",
            InputTarget::Path(_, 2) => "rad/s",
            InputTarget::Path(..) => "m/s",
            InputTarget::Legs(_, 2) => "rad/s",
            InputTarget::Legs(_, 3) => "m",
            InputTarget::Legs(..) => "m/s",
            InputTarget::Magnet(_)
            | InputTarget::Latch(_)
            | InputTarget::Ratchet(_)
            | InputTarget::Contact(_) => "1",
        }
    }
}
