//! Uphill by the signs of the gradient: deterministic, few settings, good for the few numbers of a Gaussian process.

/// Steps of the logarithms: first, least, largest.
const STEPS: [f64; 3] = [0.1, 1e-4, 1.0];
/// How a step grows while its sign lasts, and shrinks when it turns.
const GROW: f64 = 1.2;
const SHRINK: f64 = 0.5;
/// Rounds at most.
const ROUNDS: usize = 80;

/// Height and gradient at a point.
pub(crate) type Slope = (f64, Vec<f64>);

/// Climbs from a point; returns the highest point met. Resilient propagation without backtracking (Blum & Riedmiller, Optimization of Gaussian process
/// hyperparameters using Rprop, ESANN 2013).
pub(crate) fn climb(from: &[f64], objective: &mut dyn FnMut(&[f64]) -> Option<Slope>) -> Vec<f64> {
    let (mut x, mut steps, mut last) = (from.to_vec(), vec![STEPS[0]; from.len()], vec![0.0; from.len()]);
    let mut best = (f64::NEG_INFINITY, x.clone());
    for _ in 0..ROUNDS {
        let Some((height, gradient)) = objective(&x) else {
            // Nothing can be computed here: back to the best point with shorter steps.
            x.clone_from(&best.1);
            steps.iter_mut().for_each(|s| *s = (*s * SHRINK).max(STEPS[1]));
            last.fill(0.0);
            continue;
        };
        if height > best.0 {
            best = (height, x.clone());
        }
        for k in 0..x.len() {
            let turn = last[k] * gradient[k];
            if turn > 0.0 {
                steps[k] = (steps[k] * GROW).min(STEPS[2]);
            } else if turn < 0.0 {
                steps[k] = (steps[k] * SHRINK).max(STEPS[1]);
            }
            last[k] = if turn < 0.0 { 0.0 } else { gradient[k] };
            if last[k] != 0.0 {
                x[k] += steps[k] * last[k].signum();
            }
        }
        if steps.iter().all(|s| *s <= 2.0 * STEPS[1]) {
            break;
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// −(x − 2)² − 10 (y + 1)² is highest at (2, −1); steps shrink to a thousandth well within the rounds.
    #[test]
    fn the_top_of_a_hill_is_found() {
        let mut hill = |x: &[f64]| {
            let height = -(x[0] - 2.0).powi(2) - 10.0 * (x[1] + 1.0).powi(2);
            Some((height, vec![-2.0 * (x[0] - 2.0), -20.0 * (x[1] + 1.0)]))
        };
        let top = climb(&[0.0, 0.0], &mut hill);
        assert!((top[0] - 2.0).abs() < 1e-3 && (top[1] + 1.0).abs() < 1e-3, "{top:?}");
    }
}
