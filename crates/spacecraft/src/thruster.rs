//! On/off thrusters: a demanded wrench becomes pulses, pulses become thrust, impulse and propellant, all in closed form.
//!
//! A valve that opens for the time d at s = 0 makes the thrust F (ramp(s) − ramp(s − d)) with ramp(s) = s/rise between 0 and 1: it rises
//! and falls linearly, and its impulse is exactly F d. Once per control period the demand is allocated
//! ([`crate::allocation`]); pulses shorter than the least on-time are not fired, and their impulse
//! is added to the next demand.

use crate::allocation::{Allocation, MOST};
use crate::random::Noise;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use touchdown_math::{Vec3, Wrench, rotation};

/// Standard acceleration of gravity in the definition of the specific impulse, m/s².
pub const STANDARD_GRAVITY: f64 = 9.80665;

/// Common parameters of a set of thrusters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ThrusterProperties {
    /// Thrust, N.
    pub thrust: f64,
    /// Specific impulse, s.
    pub specific_impulse: f64,
    /// Shortest time for which a valve opens, s.
    pub minimum_on_time: f64,
    /// Time in which the thrust rises and falls, s.
    pub rise_time: f64,
    /// Standard deviation of the direction about each of two axes across it, rad.
    pub misalignment: f64,
    /// Control period, s: how often [`ThrusterSet::command`] is called.
    pub period: f64,
}

/// Thrusters of one satellite.
#[derive(Clone, Debug, PartialEq)]
pub struct ThrusterSet {
    /// Their common properties.
    pub properties: ThrusterProperties,
    /// Actual wrench of each at full thrust, about the reference point, in the satellite's axes.
    full: Vec<Wrench>,
    /// Columns without misalignment, torque over [`ThrusterSet::lever`], for a unit force.
    columns: Vec<[f64; 6]>,
    allocation: Allocation,
    lever: f64,
}

/// Active pulses and consumption: everything that influences later thrust.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ThrusterState {
    /// Start of the pulses of this period, s.
    pub start: f64,
    /// Their on-times, s.
    pub on: Vec<f64>,
    /// The same for the period before, which may still be fading.
    pub start_before: f64,
    /// On-times of the period before, s.
    pub on_before: Vec<f64>,
    /// Demanded impulse not fired, in the scaled coordinates of the demand.
    carry: [f64; 6],
    /// Total on-time of all pulses before those, s.
    pub spent: f64,
    /// Pulses fired so far.
    pub pulses: u64,
}

/// Result of a demand.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ThrustersGiven {
    /// Mean wrench over the period that the pulses would give without misalignment.
    pub mean: Wrench,
    /// Whether the demand exceeded the thrusters and was scaled down.
    pub limited: bool,
}

/// Errors of a set of thrusters.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum ThrusterError {
    /// Too many, or positions and directions that do not pair up.
    #[error(
        "a set has 1 to {MOST} thrusters with a position and a direction each, found {positions} positions and {directions} directions"
    )]
    Count {
        /// Positions found.
        positions: usize,
        /// Directions found.
        directions: usize,
    },
    /// A direction without length.
    #[error("direction of thruster {index} has no length")]
    Direction {
        /// Its index.
        index: usize,
    },
    /// Times that do not fit together.
    #[error(
        "thrust and specific impulse must be positive, and the rise ({rise} s) and the least on-time ({least} s) must fit into the control period ({period} s)"
    )]
    Times {
        /// Rise time, s.
        rise: f64,
        /// Least on-time, s.
        least: f64,
        /// Control period, s.
        period: f64,
    },
}

/// s/rise between 0 and 1.
fn ramp(s: f64, rise: f64) -> f64 {
    if s <= 0.0 {
        0.0
    } else if s >= rise {
        1.0
    } else {
        s / rise
    }
}

/// Integral of [`ramp`] from 0 to s.
fn ramp_integral(s: f64, rise: f64) -> f64 {
    if s <= 0.0 {
        0.0
    } else if s >= rise {
        s - 0.5 * rise
    } else {
        0.5 * s * s / rise
    }
}

impl ThrusterSet {
    /// Thrusters at `positions` (m, from the reference point, usually the centre of mass) that push the satellite along `directions`. Misalignments are drawn from
    /// `noise`, component 0 and 1 of index i for thruster i.
    pub fn new(
        positions: &[Vec3],
        directions: &[Vec3],
        properties: ThrusterProperties,
        noise: Noise,
    ) -> Result<ThrusterSet, ThrusterError> {
        let p = &properties;
        if positions.len() != directions.len() || positions.is_empty() || positions.len() > MOST {
            return Err(ThrusterError::Count { positions: positions.len(), directions: directions.len() });
        }
        if let Some(index) = directions.iter().position(|d| !(d.norm() > 0.0 && d.norm().is_finite())) {
            return Err(ThrusterError::Direction { index });
        }
        let fits = |time: f64| time >= 0.0 && time <= p.period;
        if !(p.thrust > 0.0 && p.specific_impulse > 0.0 && fits(p.rise_time) && fits(p.minimum_on_time)) {
            let ThrusterProperties { rise_time: rise, minimum_on_time: least, period, .. } = *p;
            return Err(ThrusterError::Times { rise, least, period });
        }
        let squares: f64 = positions.iter().map(|r| r.norm_squared()).sum();
        let lever = (squares / positions.len() as f64).sqrt().max(1e-3);
        let (mut full, mut columns) = (Vec::new(), Vec::new());
        for (i, (r, d)) in positions.iter().zip(directions).enumerate() {
            let d = d.normalize();
            let t = r.cross(&d) / lever;
            columns.push([t.x, t.y, t.z, d.x, d.y, d.z]);
            let first = rotation::perpendicular(&d);
            let [a, b] = noise.normals::<2>(i as u64, 0).map(|x| x * p.misalignment);
            let force = rotation::exp(&(first * a + d.cross(&first) * b)) * d * p.thrust;
            full.push(Wrench::new(r.cross(&force), force));
        }
        let allocation = Allocation::new(&columns);
        Ok(ThrusterSet { properties, full, columns, allocation, lever })
    }

    /// Number of thrusters.
    pub fn len(&self) -> usize {
        self.full.len()
    }

    /// Whether there are none (never, once checked).
    pub fn is_empty(&self) -> bool {
        self.full.is_empty()
    }

    /// All valves closed, nothing spent.
    pub fn start(&self) -> ThrusterState {
        let none = vec![0.0; self.len()];
        ThrusterState {
            start: 0.0,
            on: none.clone(),
            start_before: 0.0,
            on_before: none,
            carry: [0.0; 6],
            spent: 0.0,
            pulses: 0,
        }
    }

    /// Allocates a wrench demanded as the mean over the period that begins at `t`, and opens the valves. A
    /// demand that exceeds the thrusters keeps its direction.
    pub fn command(&self, state: &mut ThrusterState, t: f64, demand: &Wrench) -> ThrustersGiven {
        let p = &self.properties;
        state.spent += state.on_before.iter().sum::<f64>();
        std::mem::swap(&mut state.on, &mut state.on_before);
        (state.start_before, state.start) = (state.start, t);

        let scale = p.period / p.thrust;
        let (torque, force) = (demand.t * (scale / self.lever), demand.f * scale);
        let c = &state.carry;
        let w = [
            torque.x + c[0],
            torque.y + c[1],
            torque.z + c[2],
            force.x + c[3],
            force.y + c[4],
            force.z + c[5],
        ];
        let on = &mut state.on[..];
        self.allocation.solve(&w, on);
        let longest = on.iter().fold(0f64, |m, x| m.max(*x));
        let limited = longest > p.period;
        if limited {
            on.iter_mut().for_each(|x| *x *= p.period / longest);
        }
        state.carry = [0.0; 6];
        let mut sum = [0.0; 6];
        for (x, column) in on.iter_mut().zip(&self.columns) {
            // A period later the same valve may have accumulated enough.
            let fires = *x >= p.minimum_on_time && *x > 0.0;
            let into = if fires { &mut sum } else { &mut state.carry };
            for k in 0..6 {
                into[k] += column[k] * *x;
            }
            if fires {
                state.pulses += 1;
            } else {
                *x = 0.0;
            }
        }
        let mean = |k: usize| Vec3::new(sum[k], sum[k + 1], sum[k + 2]) / scale;
        ThrustersGiven { mean: Wrench::new(mean(0) * self.lever, mean(3)), limited }
    }

    /// Closes the valves at the end of their pulses and clears the carried demand: for phases without
    /// thrusters. Active pulses end normally.
    pub fn stop(&self, state: &mut ThrusterState, t: f64) {
        state.carry = [0.0; 6];
        if t >= state.start + self.properties.period {
            self.command(state, t, &Wrench::zero());
        }
    }

    /// Thrust of one thruster at `t`, N.
    pub fn thrust(&self, state: &ThrusterState, index: usize, t: f64) -> f64 {
        let ThrusterProperties { thrust, rise_time, .. } = self.properties;
        let pulse = |start: f64, on: f64| ramp(t - start, rise_time) - ramp(t - start - on, rise_time);
        thrust * (pulse(state.start, state.on[index]) + pulse(state.start_before, state.on_before[index]))
    }

    /// Mean thrust over the control period of its pulses, N, sizes added.
    pub fn mean_thrust(&self, state: &ThrusterState) -> f64 {
        self.properties.thrust * state.on.iter().sum::<f64>() / self.properties.period
    }

    /// Wrench of all thrusters on the satellite at `t`, about the reference point, in its axes.
    pub fn wrench(&self, state: &ThrusterState, t: f64) -> Wrench {
        let mut sum = Wrench::zero();
        // Most of the time no thruster is active.
        if t >= state.start + self.properties.period + self.properties.rise_time {
            return sum;
        }
        for i in 0..self.len() {
            let share = self.thrust(state, i, t) / self.properties.thrust;
            if share != 0.0 {
                sum += self.full[i] * share;
            }
        }
        sum
    }

    /// Whether the sum of the thrust at the ends of steps of length h is the impulse of every pulse, whenever it begins: a pulse is a rectangle averaged over the rise time, and
    /// averages over whole steps sum exactly. With steps of 20 ms, pulses of 25 ms that rise within 10 ms lose a fifth.
    pub fn is_summed_by(&self, h: f64) -> bool {
        let steps = self.properties.rise_time / h;
        steps >= 0.5 && (steps - steps.round()).abs() < 1e-6
    }

    /// The next time after `t` at which the thrust of any thruster has a kink.
    pub fn next_corner(&self, state: &ThrusterState, t: f64) -> Option<f64> {
        let rise = self.properties.rise_time;
        let mut next = f64::INFINITY;
        for (start, on) in [(state.start, &state.on), (state.start_before, &state.on_before)] {
            for on in on.iter().filter(|on| **on > 0.0) {
                for corner in [start, start + rise, start + on, start + on + rise] {
                    if corner > t && corner < next {
                        next = corner;
                    }
                }
            }
        }
        next.is_finite().then_some(next)
    }

    /// Sum of the impulses of all thrusters until `t`, N s, of pulses commanded by then.
    pub fn impulse(&self, state: &ThrusterState, t: f64) -> f64 {
        let ThrusterProperties { thrust, rise_time, .. } = self.properties;
        let mut seconds = state.spent;
        for (start, on) in [(state.start, &state.on), (state.start_before, &state.on_before)] {
            for on in on {
                seconds += ramp_integral(t - start, rise_time) - ramp_integral(t - start - on, rise_time);
            }
        }
        thrust * seconds
    }

    /// Propellant used until `t`, kg: impulse over specific impulse.
    pub fn propellant(&self, state: &ThrusterState, t: f64) -> f64 {
        self.impulse(state, t) / (self.properties.specific_impulse * STANDARD_GRAVITY)
    }

    /// Largest factor by which a wrench can be delivered as a mean over a period: the reserve. Zero if the
    /// set cannot deliver it at all.
    pub fn authority(&self, wrench: &Wrench) -> f64 {
        let p = &self.properties;
        let (t, f) = (wrench.t / (p.thrust * self.lever), wrench.f / p.thrust);
        let w = [t.x, t.y, t.z, f.x, f.y, f.z];
        let mut shares = [0.0; MOST];
        let missed = self.allocation.solve(&w, &mut shares[..self.len()]);
        let size = w.iter().map(|x| x * x).sum::<f64>().sqrt();
        let longest = shares.iter().fold(0f64, |m, x| m.max(*x));
        if missed > 1e-9 * size || longest == 0.0 { 0.0 } else { 1.0 / longest }
    }
}

#[cfg(test)]
#[path = "thruster_tests.rs"]
mod tests;
