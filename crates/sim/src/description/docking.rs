//! Description of a docking: satellites, hardware, sensors, sequence and limits.

use touchdown_spacecraft::camera::StereoCamera;
use touchdown_spacecraft::capture::Shoulder;
use touchdown_spacecraft::range::LaserDistance;
use touchdown_spacecraft::sequence::Sequence;
use touchdown_spacecraft::switch::ContactSwitch;

/// Most brackets.
pub const MOST_BRACKETS: usize = 8;

/// A docking: a boom brings a tool into the nozzle of a client, a crown locks it, the boom pulls the client onto brackets.
#[derive(Clone, Debug)]
pub struct Docking {
    /// Unique name; columns and signals are named after it: `docking.NAME.phase`. Empty: `docking.phase`.
    pub name: String,
    /// The satellite with the boom, and the other: indices in the mechanism's bodies.
    pub chaser: usize,
    /// See `chaser`.
    pub client: usize,
    /// Index in the world's booms; the docking drives its length.
    pub boom: usize,
    /// Contacts of the nozzle with tool, crown and bolt, and of the client's ring with the brackets: indices in the polygonal contacts. The nozzle is the
    /// reference of those with tool and bolt; the crown that of its own, and the docking drives its opening.
    pub contacts: DockingContacts,
    /// The tool's shoulder, in the frame of its contact; `None` if its form is not known.
    pub shoulder: Option<Shoulder>,
    /// Speed of the crown's drive on its way from stowed (0), m/s.
    pub crown_speed: f64,
    /// Longest travel of the crown's drive, m.
    pub crown_end: f64,
    /// Stereo camera on the chaser.
    pub camera: StereoCamera,
    /// Distance sensors on the tool.
    pub distance: LaserDistance,
    /// Switches at nose, shoulder and brackets.
    pub switch: ContactSwitch,
    /// The state machine.
    pub sequence: Sequence,
    /// Allowed loads.
    pub allowables: Allowables,
    /// Time over which the locking force and the final tension are averaged, s.
    pub average_over: f64,
}

/// Contacts of a docking: indices in the polygonal contacts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DockingContacts {
    /// Nozzle and tool body with its shoulder.
    pub tool: usize,
    /// Nozzle and crown.
    pub crown: usize,
    /// Nozzle and central bolt.
    pub bolt: usize,
    /// Ring and brackets.
    pub brackets: Vec<usize>,
}

/// Loads above which damage is possible.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Allowables {
    /// Pressure on the nozzle, Pa.
    pub pressure: f64,
    /// Force across the nozzle's axis, N.
    pub lateral_force: f64,
    /// Torque on the nozzle about its throat, N m.
    pub torque: f64,
    /// Penetration, m.
    pub penetration: f64,
    /// Required margin of actuators.
    pub margin: f64,
}
