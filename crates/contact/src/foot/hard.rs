//! Hard grounds by name: linear springs and dampers along the normal and along the ground.
//!
//! L. Ding et al. (2013), Table 4, after F. M. Silva: values of a machine's foot on each of them. They
//! combine ground and foot; the foot is rigid.

use crate::law::hunt_crossley::HuntCrossley;

/// A hard ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HardGround {
    /// Name in scenario files.
    pub name: &'static str,
    /// Stiffness along the normal, N/m, and damping, N s/m.
    pub normal: [f64; 2],
    /// The same along the ground.
    pub tangential: [f64; 2],
}

impl HardGround {
    /// All of them, the hardest first.
    pub const ALL: [HardGround; 6] = [
        HardGround { name: "concrete", normal: [3.4e9, 1.8e5], tangential: [2.6e9, 1.5e5] },
        HardGround { name: "wood", normal: [1.5e9, 1.2e5], tangential: [1.1e9, 1.0e5] },
        HardGround { name: "gravel", normal: [2.3e7, 1.4e4], tangential: [1.7e7, 1.2e4] },
        HardGround { name: "sand", normal: [9.1e6, 9.0e3], tangential: [6.9e6, 7.9e3] },
        HardGround { name: "compact-clay", normal: [1.7e6, 3.9e3], tangential: [1.3e6, 3.4e3] },
        HardGround { name: "loose-clay", normal: [3.4e5, 1.8e3], tangential: [2.6e5, 1.5e3] },
    ];

    /// The one of a name.
    pub fn from_name(name: &str) -> Option<HardGround> {
        HardGround::ALL.into_iter().find(|ground| ground.name == name)
    }

    /// Its law along the normal (Eq. 8): linear.
    pub fn spring(&self) -> HuntCrossley {
        let [k, b] = self.normal;
        HuntCrossley { k, n: 1.0, b, p: 0.0, q: 1.0 }
    }

    /// Time in which its spring along the ground relaxes, s.
    pub fn relaxation(&self) -> f64 {
        let [k, b] = self.tangential;
        b / k
    }
}
