//! Deformable foot on deformable ground: the system of two masses, and the single law that is equivalent at
//! rest (Ding et al., Eqs. 5–7, 45–52, corrected).

use crate::law::hunt_crossley::HuntCrossley;
use crate::law::normal::NormalForce;
use touchdown_math::Elementary;

/// Eq. 7, corrected: two linear springs in series, N/m.
pub fn series_stiffness(foot: f64, terrain: f64) -> f64 {
    foot * terrain / (foot + terrain)
}

/// The single law equivalent to foot and ground at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Equivalent {
    /// Deformation of the foot, m (Eq. 49).
    pub foot: f64,
    /// Deformation of the ground, m (Eq. 49).
    pub terrain: f64,
    /// k_N, N/mⁿ (Eq. 51).
    pub stiffness: f64,
}

/// Eqs. 48–51 under the load W (N) and the weight m_F g (N) of the foot, for an exponent n_N of the single law of Eq. 45.
///
/// With n_N = 1 and a foot without weight k_N is Eq. 52 without the W in its numerator: a secant, which depends on the load unless both springs are linear.
pub fn equivalent(
    load: f64,
    foot_weight: f64,
    exponent: f64,
    foot: &HuntCrossley,
    terrain: &HuntCrossley,
) -> Equivalent {
    let d_F = (load / foot.k).power(1.0 / foot.n);
    let d_T = ((load + foot_weight) / terrain.k).power(1.0 / terrain.n);
    Equivalent { foot: d_F, terrain: d_T, stiffness: load / (d_F + d_T).power(exponent) }
}

/// The system of two masses (Eqs. 46, 47): a body M under the load W on the foot's law, and the foot m_F between it and the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoMasses {
    /// M, kg.
    pub body: f64,
    /// m_F, kg.
    pub foot: f64,
    /// W, N: load on the body, including its weight.
    pub load: f64,
    /// m_F g, N.
    pub foot_weight: f64,
    /// Law of the foot.
    pub foot_law: HuntCrossley,
    /// Law of the ground.
    pub terrain_law: HuntCrossley,
}

/// Deformations and forces of the two masses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoMassForces {
    /// Foot, on the body.
    pub foot: NormalForce,
    /// Ground, on the foot.
    pub terrain: NormalForce,
    /// Accelerations downwards of body and foot, m/s².
    pub accelerations: [f64; 2],
}

impl TwoMasses {
    /// At the travel of body and foot down from touch (m) and their rates (m/s). The foot moves only with the
    /// deformation of the ground, and the force between foot and body presses the foot down (Eq. 5 and the
    /// second of Eq. 47, both corrected).
    pub fn calc(&self, travel: [f64; 2], rates: [f64; 2]) -> TwoMassForces {
        let foot = self.foot_law.push(travel[0] - travel[1], rates[0] - rates[1]);
        let terrain = self.terrain_law.push(travel[1], rates[1]);
        let body = (self.load - foot.force) / self.body;
        let under = (self.foot_weight + foot.force - terrain.force) / self.foot;
        TwoMassForces { foot, terrain, accelerations: [body, under] }
    }
}
