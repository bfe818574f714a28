//! A bevameter's round plates of several sizes: force over sinkage by Bekker's law.

use touchdown_contact::law::sinkage::power;

/// Force at each sinkage (m) of round plates of these diameters b (m): π b²/4 (k_c/b + k_φ) zⁿ. k_c below zero is what a pressure that rises with the plate's size asks for.
pub fn plate(sinkage: &[f64], diameter: &[f64], [kc, kphi, n]: [f64; 3]) -> Vec<f64> {
    let force =
        |(z, b): (&f64, &f64)| std::f64::consts::FRAC_PI_4 * b * b * (kc / b + kphi) * power(*z, n).value;
    sinkage.iter().zip(diameter).map(force).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FitOptions, Parameter, Problem, Series, fit};

    /// From exact forces of plates of three sizes the moduli come back, k_c below zero included.
    #[test]
    fn moduli_come_back() {
        let truth = [-4e5, 1.5e7, 1.45];
        let (mut z, mut b) = (Vec::new(), Vec::new());
        for diameter in [0.06, 0.08, 0.1] {
            for depth in [0.005, 0.01, 0.02] {
                z.push(depth);
                b.push(diameter);
            }
        }
        let model = |x: &[f64]| Some(vec![plate(&z, &b, [x[0], x[1], x[2]])]);
        let parameters = vec![
            Parameter::new("kc", -1e5, -1e7, 1e7),
            Parameter::new("kphi", 1e7, 0.0, 1e9),
            Parameter::new("n", 1.2, 0.1, 3.0),
        ];
        let series = vec![Series::new("force", plate(&z, &b, truth))];
        let found =
            fit(&Problem { parameters, series, model: &model }, &FitOptions::default()).expect("a fit");
        for (value, truth) in found.values().iter().zip(truth) {
            assert!((value / truth - 1.0).abs() < 1e-6, "{:?}", found.values());
        }
    }
}
