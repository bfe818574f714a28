//! The beam under axial force: stiffness of one plane between clamped root and tip, exact in the force, with its derivatives.
//!
//! With μ = N L²/4EI and y = √μ coth √μ (√−μ cot √−μ in compression) the stability functions are S − C = 2y and S + C = 2μ/(y − 1), and the tip's force and
//! moment are EI/L³ [2(S+C) + 4μ, −(S+C)L; −(S+C)L, S L²] (v, β). Lambert's continued fraction y = 1 + μ/(3 +
//! μ/(5 + μ/(7 + …))) is valid for tension and compression, converges for every force and has no
//! cancellation, so that no series for small forces is needed.

/// Depth of the continued fraction: exact to round-off up to |μ| = 60, far beyond any boom's load (tested against hyperbolic and circular functions).
const DEPTH: usize = 24;

/// μ at which a beam between clamped ends buckles.
pub const BUCKLED: f64 = -std::f64::consts::PI * std::f64::consts::PI;

/// A number with its first two derivatives by μ.
pub type Jet = [f64; 3];

/// Coefficients of one plane, in EI/L³: force per v, minus force per β L, moment per β L², each with derivatives by μ.
#[derive(Clone, Copy, Debug)]
pub struct Coefficients {
    /// 12 without axial force.
    pub force: Jet,
    /// 6.
    pub cross: Jet,
    /// 4.
    pub moment: Jet,
}

/// 3 + μ/(5 + μ/(7 + …)) with derivatives.
fn fraction(mu: f64) -> Jet {
    let mut t = [(2 * DEPTH + 3) as f64, 0.0, 0.0];
    for n in (1..=DEPTH).rev() {
        let r = ratio(mu, &t);
        t = [(2 * n + 1) as f64 + r[0], r[1], r[2]];
    }
    t
}

/// μ/t.
fn ratio(mu: f64, t: &Jet) -> Jet {
    let i = 1.0 / t[0];
    let slope = -t[1] * i * i;
    let bend = (2.0 * t[1] * t[1] * i - t[2]) * i * i;
    [mu * i, i + mu * slope, 2.0 * slope + mu * bend]
}

/// The coefficients at μ = N L²/4EI.
pub fn coefficients(mu: f64) -> Coefficients {
    let t = fraction(mu);
    let r = ratio(mu, &t);
    Coefficients {
        force: [4.0 * (t[0] + mu), 4.0 * (t[1] + 1.0), 4.0 * t[2]],
        cross: [2.0 * t[0], 2.0 * t[1], 2.0 * t[2]],
        moment: [t[0] + 1.0 + r[0], t[1] + r[1], t[2] + r[2]],
    }
}

impl Coefficients {
    /// Quadratic form a v² − 2b v(βL) + c (βL)² of the k-th derivatives.
    pub fn form(&self, k: usize, v: f64, turn: f64) -> f64 {
        self.force[k] * v * v - 2.0 * self.cross[k] * v * turn + self.moment[k] * turn * turn
    }

    /// Half its gradient by v and by βL.
    pub fn gradient(&self, k: usize, v: f64, turn: f64) -> [f64; 2] {
        [self.force[k] * v - self.cross[k] * turn, self.moment[k] * turn - self.cross[k] * v]
    }
}

/// Deflection at the share `s` of the length without axial force: the cubic through both clamped ends.
pub fn deflection(s: f64, v: f64, turn: f64) -> f64 {
    s * s * ((3.0 - 2.0 * s) * v - (1.0 - s) * turn)
}
