//! Slow pressing: force over deformation (Eqs. 58 and 59).

use touchdown_contact::law::sinkage::power;

/// Force at each deformation (m): k δⁿ and the weight of the foot (N) that the sensor above it does not feel at zero (Eq. 65).
pub fn press(deformation: &[f64], k: f64, n: f64, weight: f64) -> Vec<f64> {
    deformation.iter().map(|d| k * power(*d, n).value + weight).collect()
}
