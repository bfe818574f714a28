//! Allocation to actuators that can only push: the least Σx with B x = w and x ≥ 0, in fixed arrays.
//!
//! Non-negative least squares by active sets (Lawson & Hanson, *Solving Least Squares Problems*, chapter 23)
//! of B x = w with one more row ε Σx = 0. The small row selects the solution with the least sum; a final
//! least-squares solve over the active shares removes its influence.

/// Most actuators of a set.
pub const MOST: usize = 24;
/// Rows: torque, force, sum.
const ROWS: usize = 7;
/// Weight of the row of the sum. Its square distinguishes solutions and must be well above rounding.
const SUM_WEIGHT: f64 = 1e-4;

type Column = [f64; ROWS];

/// Columns of the actuators' wrenches, scaled to order one.
#[derive(Clone, Debug, PartialEq)]
pub struct Allocation {
    columns: Vec<Column>,
}

/// Solves A s = w in the least-squares sense over the listed columns by modified Gram–Schmidt; `None` if they depend on each other.
fn least_squares(columns: &[Column], used: &[usize], rows: usize, w: &Column) -> Option<[f64; ROWS]> {
    let n = used.len();
    let mut q = [[0.0; ROWS]; ROWS];
    let mut r = [[0.0; ROWS]; ROWS];
    let (mut rest, mut y) = (*w, [0.0; ROWS]);
    let dot = |a: &Column, b: &Column| (0..rows).map(|k| a[k] * b[k]).sum::<f64>();
    for j in 0..n {
        q[j] = columns[used[j]];
        let size = dot(&q[j], &q[j]).sqrt();
        // Twice is enough (Kahan).
        for _ in 0..2 {
            for i in 0..j {
                let part = dot(&q[i], &q[j]);
                r[i][j] += part;
                for k in 0..rows {
                    q[j][k] -= part * q[i][k];
                }
            }
        }
        let left = dot(&q[j], &q[j]).sqrt();
        if left <= 1e-9 * size {
            return None;
        }
        r[j][j] = left;
        for k in 0..rows {
            q[j][k] /= left;
        }
        y[j] = dot(&q[j], &rest);
        for k in 0..rows {
            rest[k] -= y[j] * q[j][k];
        }
    }
    let mut s = [0.0; ROWS];
    for j in (0..n).rev() {
        s[j] = (y[j] - (j + 1..n).map(|k| r[j][k] * s[k]).sum::<f64>()) / r[j][j];
    }
    Some(s)
}

/// The active shares, at most as many as there are rows.
struct Active {
    list: [usize; ROWS],
    count: usize,
}

impl Active {
    fn used(&self) -> &[usize] {
        &self.list[..self.count]
    }

    fn add(&mut self, j: usize) {
        self.list[self.count] = j;
        self.count += 1;
    }

    fn keep(&mut self, x: &[f64]) {
        let mut kept = 0;
        for k in 0..self.count {
            if x[self.list[k]] > 0.0 {
                self.list[kept] = self.list[k];
                kept += 1;
            }
        }
        self.count = kept;
    }
}

impl Allocation {
    /// Prepares columns (three torques, three forces per unit of a share).
    pub fn new(columns: &[[f64; 6]]) -> Allocation {
        let with_sum = |c: &[f64; 6]| [c[0], c[1], c[2], c[3], c[4], c[5], SUM_WEIGHT];
        Allocation { columns: columns.iter().take(MOST).map(with_sum).collect() }
    }

    /// Shares `x` ≥ 0 for the demand `w`; returns the norm of the unmet demand.
    pub fn solve(&self, w: &[f64; 6], x: &mut [f64]) -> f64 {
        let w = [w[0], w[1], w[2], w[3], w[4], w[5], 0.0];
        let size = w.iter().fold(0f64, |m, v| m.max(v.abs()));
        x.fill(0.0);
        if size == 0.0 {
            return 0.0;
        }
        let mut active = Active { list: [0; ROWS], count: 0 };
        // Every pass activates one share; cycles are impossible in exact arithmetic, so the bound is only for
        // rounding.
        for _ in 0..3 * self.columns.len() {
            let Some(j) = self.best(&w, x, &active, 1e-13 * size) else { break };
            active.add(j);
            if !self.settle(&w, x, &mut active) {
                break;
            }
        }
        self.polish(&w, x, &active);
        let rest = self.rest(&w, x);
        rest[..6].iter().map(|v| v * v).sum::<f64>().sqrt()
    }

    fn rest(&self, w: &Column, x: &[f64]) -> Column {
        let mut rest = *w;
        for (column, x) in self.columns.iter().zip(x) {
            for k in 0..ROWS {
                rest[k] -= column[k] * x;
            }
        }
        rest
    }

    /// The inactive share with the largest gain.
    fn best(&self, w: &Column, x: &[f64], active: &Active, least: f64) -> Option<usize> {
        if active.count == ROWS {
            return None;
        }
        let rest = self.rest(w, x);
        let mut best = (least, None);
        for (j, column) in self.columns.iter().enumerate() {
            let gain: f64 = (0..ROWS).map(|k| column[k] * rest[k]).sum();
            if gain > best.0 && !active.used().contains(&j) {
                best = (gain, Some(j));
            }
        }
        best.1
    }

    /// Solves over the active shares, dropping those that would become negative. `false` if there is no
    /// further gain.
    fn settle(&self, w: &Column, x: &mut [f64], active: &mut Active) -> bool {
        while active.count > 0 {
            let Some(s) = least_squares(&self.columns, active.used(), ROWS, w) else {
                active.count -= 1;
                return false;
            };
            let mut part: f64 = 1.0;
            for (k, &j) in active.used().iter().enumerate() {
                if s[k] <= 0.0 {
                    part = part.min(x[j] / (x[j] - s[k]));
                }
            }
            let entering = active.list[active.count - 1];
            for (k, &j) in active.used().iter().enumerate() {
                let next = x[j] + part * (s[k] - x[j]);
                x[j] =
                    if s[k] <= 0.0 && next <= 1e-15 * s[k].abs().max(1e-300) { 0.0 } else { next.max(0.0) };
            }
            if part >= 1.0 {
                return true;
            }
            if x[entering] == 0.0 {
                // The new share was dropped at once: rounding, not gain.
                active.keep(x);
                return false;
            }
            active.keep(x);
        }
        true
    }

    /// The same shares without the row of the sum, if they stay non-negative.
    fn polish(&self, w: &Column, x: &mut [f64], active: &Active) {
        if active.count > 6 {
            return;
        }
        if let Some(s) = least_squares(&self.columns, active.used(), 6, w)
            && s[..active.count].iter().all(|v| *v >= 0.0)
        {
            for (k, &j) in active.used().iter().enumerate() {
                x[j] = s[k];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Noise;

    /// Opposed pairs on a line and a free one: the nearer of two equal directions is taken, never both directions at once.
    #[test]
    fn least_sum_is_chosen() {
        let columns = [
            [0.0, 0.0, 0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 0.0, -1.0, 0.0, 0.0],
            [0.0, 0.0, 0.0, 2.0, 0.0, 0.0],
            [0.0, 0.0, 0.0, 1.0, 1.0, 0.0],
            [0.0, 0.0, 0.0, 0.0, -1.0, 0.0],
        ];
        let allocation = Allocation::new(&columns);
        let mut x = [0.0; 5];
        assert!(allocation.solve(&[0.0, 0.0, 0.0, 3.0, 0.0, 0.0], &mut x) < 1e-14);
        assert!((x[2] - 1.5).abs() < 1e-12 && x[0] == 0.0 && x[1] == 0.0 && x[3] == 0.0, "{x:?}");
        // A demand that cannot be met is reported.
        assert!((allocation.solve(&[0.0, 0.0, 0.0, 0.0, 0.0, 2.0], &mut x) - 2.0).abs() < 1e-14);
    }

    /// Over random sets the answer meets the demand wherever it can and satisfies the conditions of Karush, Kuhn and Tucker: no idle column could reduce the miss.
    #[test]
    fn random_demands_satisfy_the_optimality_conditions() {
        for case in 0..500u64 {
            let noise = Noise::new(case, 0);
            let n = 6 + (case % 13) as usize;
            let columns: Vec<[f64; 6]> = (0..n).map(|j| noise.normals(j as u64, 0)).collect();
            let w: [f64; 6] = noise.normals(99, 0);
            let mut x = vec![0.0; n];
            let allocation = Allocation::new(&columns);
            let miss = allocation.solve(&w, &mut x);
            assert!(x.iter().all(|v| *v >= 0.0));
            let rest: Vec<f64> =
                (0..6).map(|k| w[k] - (0..n).map(|j| columns[j][k] * x[j]).sum::<f64>()).collect();
            let total: f64 = x.iter().sum();
            for j in 0..n {
                let gain: f64 = (0..6).map(|k| columns[j][k] * rest[k]).sum();
                // The row of the sum may leave ε²Σx of a gain untaken.
                assert!(gain < 1e-8 * (1.0 + total) + 1e-9, "case {case}: {gain}");
                assert!(x[j] == 0.0 || gain.abs() < 1e-8 * (1.0 + total) + 1e-9, "case {case}: {gain}");
            }
            assert!(miss >= 0.0);
        }
    }
}
