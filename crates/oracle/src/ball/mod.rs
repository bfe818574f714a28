//! A ball on a smooth surface z = f(x, y): visco-elastic normal force, friction, free flight in between.
//!
//! Solid sphere of mass m and radius r, I = 0.4 m r². At the closest point P of the surface with unit normal n, the gap is
//! d = n·(c − P) − r, the penetration s = −d, ṡ = −n·ċ. While s > 0 the surface pushes at P with
//!
//! ```text
//! F_N = max(0, k s + d ṡ) along n,   −μ F_N v_T/√(v_T² + v_ε²)  or  −c v_T,   v_T = tangential part of ċ + ω × (P − c).
//! ```
//!
//! The inertia is isotropic, so ω in world axes obeys I ω̇ = (P − c) × F, and nine numbers are the state. The motion is smooth between
//! touching, the end of the push (k s + d ṡ = 0) and leaving; each of these times is found by repeating the step that passed it, and the branch
//! of the law is held fixed in between. Impulses act at the centre and at once.

mod closest;
mod problems;
#[cfg(test)]
mod tests;

pub use problems::{bowl, waves};

use crate::numerics::extrapolation::{Extrapolation, TIGHT, ascending};
use closest::{Closest, cross, dot};

/// Longest stretch between two looks at the signs, s: far shorter than a bounce, so that none is missed.
const LOOK_EVERY: f64 = 2e-4;
/// Time by which an event is missed at most, s.
const EVENT_TIME: f64 = 1e-14;

/// A surface with its derivatives at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// Height, m.
    pub z: f64,
    /// ∂z/∂x, ∂z/∂y.
    pub gradient: [f64; 2],
    /// ∂²z/∂x², ∂²z/∂x∂y, ∂²z/∂y², 1/m.
    pub hessian: [f64; 3],
}

impl Surface {
    /// The bowl z = a (x² + y²).
    pub fn bowl(a: f64, x: f64, y: f64) -> Surface {
        let gradient = [2.0 * a * x, 2.0 * a * y];
        Surface { z: a * (x * x + y * y), gradient, hessian: [2.0 * a, 0.0, 2.0 * a] }
    }
}

/// Tangential force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Friction {
    /// −μ F_N v_T/√(v_T² + v_ε²).
    Regularised {
        /// μ.
        coefficient: f64,
        /// v_ε, m/s.
        transition: f64,
    },
    /// −c v_T while the ball is in the surface.
    Viscous {
        /// c, N s/m.
        damping: f64,
    },
}

/// The point of the ball at which the force acts and slip is measured; they differ by the penetration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lever {
    /// Where the closest point of the surface lies in it.
    SurfacePoint,
    /// Its own lowest point, c − r n.
    BallPoint,
}

/// The ball, its start and its law.
#[derive(Clone, Debug)]
pub struct Ball {
    /// kg.
    pub mass_kg: f64,
    /// m.
    pub radius_m: f64,
    /// k, N/m.
    pub stiffness_n_per_m: f64,
    /// d, N s/m.
    pub damping_n_s_per_m: f64,
    /// Tangential force.
    pub friction: Friction,
    /// Where the force acts.
    pub lever: Lever,
    /// Along −z, m/s².
    pub gravity_m_per_s2: f64,
    /// Centre at the start, m.
    pub start_m: [f64; 3],
    /// Velocity at the start, m/s.
    pub velocity_m_per_s: [f64; 3],
    /// Angular velocity at the start, rad/s.
    pub spin_rad_per_s: [f64; 3],
    /// Times (s, rising) and impulses (N s) at the centre.
    pub impulses: Vec<(f64, [f64; 3])>,
}

/// The ball at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// Centre, m.
    pub position_m: [f64; 3],
    /// m/s.
    pub velocity_m_per_s: [f64; 3],
    /// rad/s, world axes.
    pub spin_rad_per_s: [f64; 3],
    /// Closest point of the surface, m.
    pub contact_m: [f64; 3],
    /// Distance from it less the radius, m; negative inside.
    pub gap_m: f64,
    /// Times it has touched so far.
    pub touches: u32,
    /// Deepest penetration at a look so far, m.
    pub penetration_max_m: f64,
}

/// Which branch of the law holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Branch {
    /// Apart.
    Flies,
    /// The surface pushes.
    Pushed,
    /// Still in the surface, but the damper would pull.
    Leaves,
}

type State = [f64; 9];

impl Ball {
    /// The ball at each of `times` (any order), on a surface.
    pub fn at(&self, times: &[f64], surface: impl Fn(f64, f64) -> Surface) -> Vec<Sample> {
        let mut run = Run::new(self, &surface);
        let mut samples = vec![Sample::default(); times.len()];
        let mut pending = self.impulses.iter().peekable();
        for index in ascending(times) {
            while let Some((t, p)) = pending.next_if(|(t, _)| *t <= times[index]) {
                run.advance_to(*t);
                run.push(p);
            }
            run.advance_to(times[index]);
            samples[index] = run.sample();
        }
        samples
    }

    /// dy/dt with a branch held fixed.
    fn rates(&self, at: &Closest, y: &State, branch: Branch) -> State {
        let force = match branch {
            Branch::Pushed => self.force(at, y),
            // The viscous law acts as long as the ball is in the surface.
            Branch::Leaves if matches!(self.friction, Friction::Viscous { .. }) => {
                self.tangential(at, y, 0.0)
            }
            _ => [0.0; 3],
        };
        let inertia = 0.4 * self.mass_kg * self.radius_m * self.radius_m;
        let turn = cross(&self.arm(at, y), &force);
        let a = force.map(|f| f / self.mass_kg);
        let alpha = turn.map(|t| t / inertia);
        [y[3], y[4], y[5], a[0], a[1], a[2] - self.gravity_m_per_s2, alpha[0], alpha[1], alpha[2]]
    }

    /// k s + d ṡ, not cut off at zero.
    fn push(&self, at: &Closest, y: &State) -> f64 {
        let rate = -dot(&at.normal, &[y[3], y[4], y[5]]);
        self.stiffness_n_per_m * -at.gap(y, self.radius_m) + self.damping_n_s_per_m * rate
    }

    /// From the centre to where the force acts.
    fn arm(&self, at: &Closest, y: &State) -> [f64; 3] {
        match self.lever {
            Lever::SurfacePoint => [0, 1, 2].map(|k| at.point[k] - y[k]),
            Lever::BallPoint => at.normal.map(|n| -self.radius_m * n),
        }
    }

    fn force(&self, at: &Closest, y: &State) -> [f64; 3] {
        let push = self.push(at, y);
        let along = self.tangential(at, y, push);
        [0, 1, 2].map(|k| push * at.normal[k] + along[k])
    }

    fn tangential(&self, at: &Closest, y: &State, push: f64) -> [f64; 3] {
        let turning = cross(&[y[6], y[7], y[8]], &self.arm(at, y));
        let v = [0, 1, 2].map(|k| y[3 + k] + turning[k]);
        let away = dot(&v, &at.normal);
        let slip = [0, 1, 2].map(|k| v[k] - away * at.normal[k]);
        let factor = match self.friction {
            Friction::Viscous { damping } => damping,
            Friction::Regularised { coefficient, transition } => {
                coefficient * push / (dot(&slip, &slip) + transition * transition).sqrt()
            }
        };
        slip.map(|s| -factor * s)
    }
}

/// A ball on its way.
struct Run<'a, F> {
    ball: &'a Ball,
    surface: &'a F,
    t: f64,
    y: State,
    branch: Branch,
    touches: u32,
    deepest: f64,
}

impl<'a, F: Fn(f64, f64) -> Surface> Run<'a, F> {
    fn new(ball: &'a Ball, surface: &'a F) -> Self {
        let (p, v, w) = (ball.start_m, ball.velocity_m_per_s, ball.spin_rad_per_s);
        let y = [p[0], p[1], p[2], v[0], v[1], v[2], w[0], w[1], w[2]];
        let mut run = Run { ball, surface, t: 0.0, y, branch: Branch::Flies, touches: 0, deepest: 0.0 };
        let at = run.closest(&y);
        if at.gap(&y, ball.radius_m) < 0.0 {
            run.touches = 1;
            run.branch = run.inside(&at, &y);
        }
        run
    }

    fn closest(&self, y: &State) -> Closest {
        Closest::find(self.surface, &[y[0], y[1], y[2]])
    }

    fn inside(&self, at: &Closest, y: &State) -> Branch {
        if self.ball.push(at, y) > 0.0 { Branch::Pushed } else { Branch::Leaves }
    }

    /// An impulse at the centre: the velocity jumps, and with it perhaps the branch.
    fn push(&mut self, impulse: &[f64; 3]) {
        (0..3).for_each(|k| self.y[3 + k] += impulse[k] / self.ball.mass_kg);
        let at = self.closest(&self.y);
        if at.gap(&self.y, self.ball.radius_m) < 0.0 {
            self.branch = self.inside(&at, &self.y);
        }
    }

    fn advance_to(&mut self, t_end: f64) {
        while self.t < t_end {
            let h = LOOK_EVERY.min(t_end - self.t);
            let y = self.flow(h);
            let Some(_) = self.left(&y) else {
                self.accept(if h < LOOK_EVERY { t_end } else { self.t + h }, y);
                continue;
            };
            let (h, y) = self.locate(h);
            self.accept((self.t + h).min(t_end), y);
            // What was passed decides what holds now; on the threshold itself it may be several at once.
            if let Some(next) = self.left(&y) {
                self.touches += u32::from(self.branch == Branch::Flies && next != Branch::Flies);
                self.branch = next;
            }
        }
    }

    fn accept(&mut self, t: f64, y: State) {
        (self.t, self.y) = (t, y);
        self.deepest = self.deepest.max(-self.closest(&y).gap(&y, self.ball.radius_m));
    }

    /// The state a time later, on the present branch.
    fn flow(&self, h: f64) -> State {
        let rhs = |_: f64, y: &[f64], f: &mut [f64]| {
            let mut state = [0.0; 9];
            state.copy_from_slice(y);
            f.copy_from_slice(&self.ball.rates(&self.closest(&state), &state, self.branch));
        };
        let mut y = [0.0; 9];
        y.copy_from_slice(Extrapolation::new(self.y.to_vec(), h, TIGHT, rhs).advance_to(h));
        y
    }

    /// The branch that a state belongs to, if it is another one than the present.
    fn left(&self, y: &State) -> Option<Branch> {
        let at = self.closest(y);
        let gap = at.gap(y, self.ball.radius_m);
        match self.branch {
            Branch::Flies if gap < 0.0 => Some(self.inside(&at, y)),
            Branch::Flies => None,
            _ if gap > 0.0 => Some(Branch::Flies),
            Branch::Pushed if self.ball.push(&at, y) < 0.0 => Some(Branch::Leaves),
            Branch::Leaves if self.ball.push(&at, y) > 0.0 => Some(Branch::Pushed),
            _ => None,
        }
    }

    /// The shortest time, within its tolerance, after which the present branch has been left: halving.
    fn locate(&self, h: f64) -> (f64, State) {
        let (mut before, mut after) = (0.0, h);
        let mut y = self.flow(h);
        while after - before > EVENT_TIME {
            let middle = 0.5 * (before + after);
            if middle <= before || middle >= after {
                break;
            }
            let at = self.flow(middle);
            if self.left(&at).is_some() {
                (after, y) = (middle, at);
            } else {
                before = middle;
            }
        }
        (after, y)
    }

    fn sample(&self) -> Sample {
        let (y, at) = (&self.y, self.closest(&self.y));
        Sample {
            position_m: [y[0], y[1], y[2]],
            velocity_m_per_s: [y[3], y[4], y[5]],
            spin_rad_per_s: [y[6], y[7], y[8]],
            contact_m: at.point,
            gap_m: at.gap(y, self.ball.radius_m),
            touches: self.touches,
            penetration_max_m: self.deepest,
        }
    }
}
