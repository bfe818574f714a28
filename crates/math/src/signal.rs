//! Signals: given functions of time with their first two derivatives (prescribed motions, drive targets, load ramps).

use crate::Elementary;

/// What is wrong with a signal's numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum SignalError {
    /// A table needs at least one row.
    Empty,
    /// Times must rise: the row with this index does not.
    Unsorted(usize),
    /// A value is not finite.
    NotFinite,
}

/// A scalar function of time.
#[derive(Clone, Debug, PartialEq)]
pub enum Signal {
    /// The same value at all times.
    Constant(f64),
    /// Straight lines between `(time, value)` rows, constant before the first and after the last. Its slope jumps at the rows.
    Linear(Vec<(f64, f64)>),
    /// As `Linear`, but each piece is the quintic with zero slope and curvature at both ends: twice differentiable everywhere.
    Smooth(Vec<(f64, f64)>),
    /// `offset + amplitude * sin(2 pi frequency t + phase)`.
    Sine {
        /// Mean value.
        offset: f64,
        /// Amplitude.
        amplitude: f64,
        /// Frequency, Hz.
        frequency_hz: f64,
        /// Phase, rad.
        phase_rad: f64,
    },
    /// The distance travelled at speeds that blend from row to row like [`Signal::Smooth`], starting from zero: given `(time, speed)` rows,
    /// their exact integral. Before the first row the first speed holds, after the last the last.
    Travel(Vec<(f64, f64)>),
    /// `start + rate * t`.
    Line {
        /// Value at t = 0.
        start: f64,
        /// Slope, per second.
        rate: f64,
    },
}

impl Signal {
    /// Checks the numbers once, when the model is built.
    pub fn check(&self) -> Result<(), SignalError> {
        let finite = |x: f64| if x.is_finite() { Ok(()) } else { Err(SignalError::NotFinite) };
        match self {
            Signal::Constant(c) => finite(*c),
            Signal::Linear(rows) | Signal::Smooth(rows) | Signal::Travel(rows) => {
                if rows.is_empty() {
                    return Err(SignalError::Empty);
                }
                for (i, (t, y)) in rows.iter().enumerate() {
                    finite(*t)?;
                    finite(*y)?;
                    if i > 0 && rows[i - 1].0 >= *t {
                        return Err(SignalError::Unsorted(i));
                    }
                }
                Ok(())
            }
            Signal::Sine { offset, amplitude, frequency_hz, phase_rad } => {
                [*offset, *amplitude, *frequency_hz, *phase_rad].into_iter().try_for_each(finite)
            }
            Signal::Line { start, rate } => [*start, *rate].into_iter().try_for_each(finite),
        }
    }

    /// Value at `t`.
    pub fn value(&self, t: f64) -> f64 {
        self.jet(t)[0]
    }

    /// Value, first and second derivative at `t`.
    pub fn jet(&self, t: f64) -> [f64; 3] {
        match self {
            Signal::Constant(c) => [*c, 0.0, 0.0],
            Signal::Linear(rows) => match piece(rows, t) {
                Piece::Hold(y) => [y, 0.0, 0.0],
                Piece::Between { s, dt, y0, dy } => [y0 + dy * s, dy / dt, 0.0],
            },
            Signal::Smooth(rows) => match piece(rows, t) {
                Piece::Hold(y) => [y, 0.0, 0.0],
                Piece::Between { s, dt, y0, dy } => {
                    let p = s * s * s * (10.0 + s * (-15.0 + 6.0 * s));
                    let dp = 30.0 * s * s * (1.0 - s) * (1.0 - s);
                    let ddp = 60.0 * s * (1.0 - s) * (1.0 - 2.0 * s);
                    [y0 + dy * p, dy * dp / dt, dy * ddp / (dt * dt)]
                }
            },
            Signal::Travel(rows) => travel(rows, t),
            Signal::Sine { offset, amplitude, frequency_hz, phase_rad } => {
                let w = std::f64::consts::TAU * frequency_hz;
                let (s, c) = (w * t + phase_rad).sine_cosine();
                [offset + amplitude * s, amplitude * w * c, -amplitude * w * w * s]
            }
            Signal::Line { start, rate } => [start + rate * t, *rate, 0.0],
        }
    }

    /// Times at which the signal or one of its first two derivatives may jump; an integrator should step onto them.
    pub fn corners(&self) -> &[(f64, f64)] {
        match self {
            Signal::Linear(rows) | Signal::Smooth(rows) | Signal::Travel(rows) => rows,
            _ => &[],
        }
    }
}

enum Piece {
    Hold(f64),
    Between { s: f64, dt: f64, y0: f64, dy: f64 },
}

fn piece(rows: &[(f64, f64)], t: f64) -> Piece {
    let next = rows.partition_point(|row| row.0 <= t);
    if next == 0 {
        return Piece::Hold(rows[0].1);
    }
    if next == rows.len() {
        return Piece::Hold(rows[next - 1].1);
    }
    let ((t0, y0), (t1, y1)) = (rows[next - 1], rows[next]);
    let dt = t1 - t0;
    Piece::Between { s: (t - t0) / dt, dt, y0, dy: y1 - y0 }
}

/// Travel, speed and acceleration; the travel is zero at the first row.
fn travel(rows: &[(f64, f64)], t: f64) -> [f64; 3] {
    let (first, last) = (rows[0], rows[rows.len() - 1]);
    if t <= first.0 {
        return [first.1 * (t - first.0), first.1, 0.0];
    }
    let mut travel = 0.0;
    for pair in rows.windows(2) {
        let ((t0, v0), (t1, v1)) = (pair[0], pair[1]);
        let dt = t1 - t0;
        if t < t1 {
            let s = (t - t0) / dt;
            let p = s * s * s * (10.0 + s * (-15.0 + 6.0 * s));
            let integral = s * s * s * s * (2.5 + s * (-3.0 + s));
            let dp = 30.0 * s * s * (1.0 - s) * (1.0 - s);
            let dv = v1 - v0;
            return [travel + dt * (v0 * s + dv * integral), v0 + dv * p, dv * dp / dt];
        }
        // The blend is antisymmetric about its middle, so its mean is that of its ends.
        travel += 0.5 * dt * (v0 + v1);
    }
    [travel + last.1 * (t - last.0), last.1, 0.0]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The derivatives of a signal are those of its value (central differences, error h²).
    #[test]
    fn derivatives_match_differences() {
        let signals = [
            Signal::Linear(vec![(0.0, 1.0), (2.0, 5.0), (3.0, -1.0)]),
            Signal::Smooth(vec![(0.0, 1.0), (2.0, 5.0), (3.0, -1.0)]),
            Signal::Sine { offset: 1.0, amplitude: 2.0, frequency_hz: 0.7, phase_rad: 0.3 },
            Signal::Line { start: 1.0, rate: -2.0 },
            Signal::Travel(vec![(0.0, 0.0), (2.0, 5.0), (2.5, 5.0), (3.0, -1.0)]),
        ];
        let h = 1e-4;
        for signal in signals {
            for t in [0.31, 1.2, 2.4, 2.9] {
                let [_, d, dd] = signal.jet(t);
                let (m, c, p) = (signal.value(t - h), signal.value(t), signal.value(t + h));
                assert!((d - (p - m) / (2.0 * h)).abs() < 1e-5 * (1.0 + d.abs()));
                assert!((dd - (p - 2.0 * c + m) / (h * h)).abs() < 1e-4 * (1.0 + dd.abs()));
            }
        }
    }

    /// Travel is the integral of its speeds: trapezoids between the rows, straight outside, and smooth across them.
    #[test]
    fn travel_is_the_integral_of_its_speeds() {
        let s = Signal::Travel(vec![(1.0, 0.0), (2.0, 4.0), (5.0, 4.0), (6.0, -2.0)]);
        assert_eq!((s.value(0.0), s.value(1.0), s.value(2.0), s.value(5.0)), (0.0, 0.0, 2.0, 14.0));
        assert_eq!((s.value(6.0), s.value(8.0)), (15.0, 11.0));
        for row in s.corners() {
            let (before, after) = (s.jet(row.0 - 1e-9), s.jet(row.0 + 1e-9));
            assert!((0..3).all(|k| (before[k] - after[k]).abs() < 1e-6), "{before:?} {after:?}");
        }
    }

    /// Outside its rows a table holds its end values.
    #[test]
    fn tables_hold_their_ends() {
        let s = Signal::Smooth(vec![(1.0, 2.0), (2.0, 4.0)]);
        assert_eq!(s.jet(0.0), [2.0, 0.0, 0.0]);
        assert_eq!(s.jet(9.0), [4.0, 0.0, 0.0]);
        assert_eq!(Signal::Linear(vec![]).check(), Err(SignalError::Empty));
        assert_eq!(Signal::Linear(vec![(0.0, 0.0), (0.0, 1.0)]).check(), Err(SignalError::Unsorted(1)));
    }
}
