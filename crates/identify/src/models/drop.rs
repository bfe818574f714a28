//! Loading with impact: the trajectory of a body on a foot (Eqs. 47, 53, 54), integrated to many digits.
//!
//! Trajectories are compared, not forces computed from measured velocities (Eq. 60): a velocity differentiated from positions at 50 Hz is 1 % off, and
//! so are parameters found from it.

use std::convert::Infallible;
use touchdown_contact::law::hunt_crossley::HuntCrossley;
use touchdown_solve::explicit::{Control, Explicit, Ode};

/// A body on a foot on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drop {
    /// Mass M, kg.
    pub mass: f64,
    /// What presses it down, W, N.
    pub load: f64,
    /// Speed at touch, m/s.
    pub speed: f64,
    /// Law of what deforms.
    pub law: HuntCrossley,
    /// Whether the ground keeps its deformation and holds the load as soon as the body stops (Eq. 54).
    pub plastic: bool,
}

/// A moment of the trajectory.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moment {
    /// Deformation δ, m; negative in the air.
    pub deformation: f64,
    /// δ̇, m/s.
    pub rate: f64,
    /// Force of the ground, N.
    pub force: f64,
}

/// Relative tolerance of the integration: four digits beyond what a fit of exact data is to reach.
const TOLERANCE: f64 = 1e-12;
/// Scales of deformation and rate for the absolute tolerance: millimetres, centimetres per second.
const SCALES: [f64; 2] = [1e-3, 1e-2];
/// Most steps of a trajectory: a fit may ask for parameters under which it would be endless.
const MOST_STEPS: usize = 200_000;

impl Ode for Drop {
    type Error = Infallible;

    fn dim(&self) -> usize {
        2
    }

    fn rhs(&mut self, _: f64, y: &[f64], dy: &mut [f64]) -> Result<(), Infallible> {
        dy[0] = y[1];
        dy[1] = (self.load - self.law.push(y[0], y[1]).force) / self.mass;
        Ok(())
    }

    fn project(&mut self, _: f64, _: &mut [f64]) -> Result<(), Infallible> {
        Ok(())
    }

    fn scales(&self) -> &[f64] {
        &SCALES
    }

    fn event_count(&self) -> usize {
        2
    }

    // The damping has a kink where the rate turns, the force where contact is lost.
    fn events(&mut self, _: f64, y: &[f64], out: &mut [f64]) -> Result<(), Infallible> {
        out.copy_from_slice(y);
        Ok(())
    }
}

impl Drop {
    /// The trajectory at growing times since touch (s, from zero on); nothing where it cannot be integrated.
    pub fn trajectory(&self, times: &[f64]) -> Option<Vec<Moment>> {
        let mut ode = *self;
        let control = Control::Adaptive { relative: TOLERANCE, absolute: TOLERANCE, longest: f64::INFINITY };
        let mut solver = Explicit::new(2, 2, control);
        let (mut t, mut y) = (0.0, [0.0, self.speed]);
        let end = *times.last()?;
        let mut out = Vec::with_capacity(times.len());
        let moment =
            |y: &[f64]| Moment { deformation: y[0], rate: y[1], force: self.law.push(y[0], y[1]).force };
        let mut next = 0;
        while next < times.len() && times[next] <= 0.0 {
            out.push(moment(&y));
            next += 1;
        }
        if next == times.len() {
            return Some(out);
        }
        let mut memory = solver.start(&mut ode, t, &y, end).ok()?;
        for _ in 0..MOST_STEPS {
            let report = solver.step(&mut ode, &mut memory, &mut t, &mut y, end).ok()?;
            let mut at = [0.0; 2];
            while next < times.len() && times[next] <= report.t_new {
                solver.interpolate(&mut ode, times[next].max(report.t_old), &mut at).ok()?;
                out.push(moment(&at));
                next += 1;
            }
            if next == times.len() {
                return Some(out);
            }
            if self.plastic && report.event.is_some() && y[1] <= 0.0 && y[0] > 0.0 {
                out.resize(times.len(), Moment { deformation: y[0], rate: 0.0, force: self.load });
                return Some(out);
            }
        }
        None
    }
}
