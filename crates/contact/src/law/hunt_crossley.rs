//! Hunt and Crossley's law with all five parameters, F = k δⁿ + b δᵖ δ̇^q, and the special cases of practice.
//!
//! L. Ding et al., Int. J. Robotics Research 32 (2013) 13: Eq. 8, Table 5, Eq. 53; along the ground Eqs. 11 and 55. The common form with three parameters
//! in the shape k δⁿ(1 + d δ̇) is [`super::normal::hunt_crossley`]; it is [`HuntCrossley::simplified`] with b = k d.

use super::normal::NormalForce;
use super::sinkage::power;
use touchdown_math::Elementary;

/// k δⁿ + b δᵖ |δ̇|^q sgn δ̇, SI. Units of b: N m^−p (s/m)^q.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HuntCrossley {
    /// Stiffness k, N/mⁿ.
    pub k: f64,
    /// Exponent of the deformation n > 0.
    pub n: f64,
    /// Damping b, N m^−p (s/m)^q.
    pub b: f64,
    /// Exponent of the deformation in the damping p ≥ 0.
    pub p: f64,
    /// Exponent of the rate q > 0.
    pub q: f64,
}

/// Below this rate |δ̇|^q with q < 1 goes over into a line, m/s: its slope would be infinite at rest. With q ≥ 1 nothing is changed.
pub const LOW_RATE: f64 = 1e-6;

impl HuntCrossley {
    /// Table 5, simplified Hunt–Crossley: p = n, q = 1.
    pub const fn simplified(k: f64, n: f64, b: f64) -> HuntCrossley {
        HuntCrossley { k, n, b, p: n, q: 1.0 }
    }

    /// Table 5, linear spring and damper: n = 1, p = 0, q = 1.
    pub const fn linear(k: f64, b: f64) -> HuntCrossley {
        HuntCrossley { k, n: 1.0, b, p: 0.0, q: 1.0 }
    }

    /// Table 5, "Hertz's model": b = 0, any exponent (Hertz's own is 3/2).
    pub const fn hertz(k: f64, n: f64) -> HuntCrossley {
        HuntCrossley { k, n, b: 0.0, p: 0.0, q: 1.0 }
    }

    /// Table 5, spring.
    pub const fn spring(k: f64) -> HuntCrossley {
        HuntCrossley::hertz(k, 1.0)
    }

    /// Pushes, never pulls: `max(0, k δⁿ + b δᵖ δ̇^q)` at δ > 0 (Eqs. 8, 9, 53), nothing apart.
    ///
    /// Energy k δⁿ⁺¹/(n + 1), heat b δᵖ |δ̇|^(q+1); where the clamp acts, the energy released by the
    /// decreasing δ, −k δⁿ δ̇, is heat.
    #[inline]
    pub fn push(&self, deformation: f64, rate: f64) -> NormalForce {
        if deformation <= 0.0 {
            return NormalForce::default();
        }
        let spring = power(deformation, self.n);
        let energy = self.k * spring.integral;
        let (damper, by_deformation, by_rate) = self.damper(deformation, rate);
        let elastic = self.k * spring.value;
        let force = elastic + damper;
        if force > 0.0 {
            NormalForce {
                force,
                stiffness: self.k * spring.slope + by_deformation,
                damping: by_rate,
                energy,
                dissipated_power: damper * rate,
            }
        } else {
            NormalForce { energy, dissipated_power: -elastic * rate, ..NormalForce::default() }
        }
    }

    /// Along the ground, both ways (Eqs. 11 and 55, first branch, as the force that resists): sgn(j) k |j|ⁿ + sgn(j̇) b |j|ᵖ |j̇|^q, with its slopes over
    /// j and j̇.
    #[inline]
    pub fn resist(&self, j: f64, rate: f64) -> (f64, f64, f64) {
        let spring = power(j.abs(), self.n);
        let (damper, by_j, by_rate) = self.damper(j.abs(), rate);
        (
            (self.k * spring.value).copysign(j) + damper,
            self.k * spring.slope + by_j.copysign(by_j * j),
            by_rate,
        )
    }

    /// Eq. 11 and 55: [`HuntCrossley::resist`] up to the grip μF, the grip beyond, with the slopes over j and j̇ (zero beyond).
    #[inline]
    pub fn resist_up_to(&self, grip: f64, j: f64, rate: f64) -> (f64, f64, f64) {
        let (force, by_j, by_rate) = self.resist(j, rate);
        if force.abs() <= grip { (force, by_j, by_rate) } else { (grip.copysign(force), 0.0, 0.0) }
    }

    /// Damping force with its slopes over deformation and rate.
    #[inline]
    pub(crate) fn damper(&self, deformation: f64, rate: f64) -> (f64, f64, f64) {
        if self.b == 0.0 {
            return (0.0, 0.0, 0.0);
        }
        let depth = if self.p == 0.0 { 1.0 } else { deformation.power(self.p) };
        let (speed, slope) = signed_power(rate, self.q);
        let force = self.b * depth * speed;
        let by_deformation = if deformation > 0.0 { self.p * force / deformation } else { 0.0 };
        (force, by_deformation, self.b * depth * slope)
    }
}

/// sgn(x)|x|^q and its slope. For q < 1 it is x (x² + ε²)^((q−1)/2) with ε = [`LOW_RATE`].
#[inline]
pub fn signed_power(x: f64, q: f64) -> (f64, f64) {
    if q == 1.0 {
        return (x, 1.0);
    }
    if q > 1.0 {
        let steep = x.abs().power(q - 1.0);
        return (x * steep, q * steep);
    }
    let square = x * x + LOW_RATE * LOW_RATE;
    let steep = square.power(0.5 * (q - 1.0));
    (x * steep, steep * (1.0 + (q - 1.0) * x * x / square))
}

#[cfg(test)]
mod tests {
    use super::super::normal;
    use super::*;

    const CASES: [(f64, f64); 6] =
        [(0.01, 0.2), (0.01, -0.05), (0.02, -0.3), (0.003, -2.5), (1e-4, -40.0), (0.0, -1.0)];

    fn laws() -> [HuntCrossley; 6] {
        [
            HuntCrossley { k: 1e4, n: 1.3, b: 500.0, p: 0.3, q: 1.1 },
            // Ding et al., section 5.2 and 5.3: a foot on marble, a foot in sand (units of b corrected: N m^−p (s/m)^q).
            HuntCrossley { k: 11_945.0, n: 1.0, b: 398.21, p: 0.25, q: 0.76 },
            HuntCrossley { k: 1.26e4, n: 1.132, b: 205.07, p: 0.096, q: 0.075 },
            HuntCrossley::simplified(1e6, 1.5, 8e5),
            HuntCrossley::linear(2e4, 30.0),
            HuntCrossley::hertz(1e6, 1.5),
        ]
    }

    /// Power is stored or dissipated, nothing pulls, slopes are derivatives (central differences; error ~ h² f‴ and round-off, 1e-6 of the slope).
    #[test]
    fn five_parameters_balance_and_know_their_slopes() {
        for law in laws() {
            for (s, rate) in CASES {
                let f = law.push(s, rate);
                assert!(f.force >= 0.0 && f.dissipated_power >= 0.0, "{law:?} {f:?}");
                let elastic = law.k * power(s, law.n).value;
                let balance = f.force * rate - elastic * rate - f.dissipated_power;
                assert!(balance.abs() <= 1e-12 * (f.dissipated_power + elastic), "{balance}");
                let h = 1e-5 * s;
                if s > 0.0 {
                    let slope = (law.push(s + h, rate).force - law.push(s - h, rate).force) / (2.0 * h);
                    assert!((slope - f.stiffness).abs() < 1e-6 * (1.0 + slope.abs()), "{slope} {f:?}");
                    let stored = (law.push(s + h, rate).energy - law.push(s - h, rate).energy) / (2.0 * h);
                    assert!((stored - elastic).abs() < 1e-6 * elastic);
                }
                let h = 1e-5 * rate.abs();
                let slope = (law.push(s, rate + h).force - law.push(s, rate - h).force) / (2.0 * h);
                assert!((slope - f.damping).abs() < 1e-6 * (1.0 + slope.abs()), "{slope} {f:?}");
            }
        }
    }

    /// Table 5: with its parameters set the general law is each of the special ones.
    #[test]
    fn special_cases_are_those_of_table_5() {
        let (s, rate) = (0.004, 0.3);
        let same = |a: NormalForce, b: NormalForce| (a.force - b.force).abs() < 1e-12 * b.force;
        let (k, d) = (1e6, 0.8);
        assert!(same(
            HuntCrossley::simplified(k, 1.5, k * d).push(s, rate),
            normal::hunt_crossley(k, 1.5, d, s, rate)
        ));
        assert!(same(HuntCrossley::linear(k, 30.0).push(s, rate), normal::linear(k, 30.0, s, rate)));
        assert!(same(HuntCrossley::hertz(k, 1.5).push(s, rate), normal::hunt_crossley(k, 1.5, 0.0, s, rate)));
        assert_eq!(HuntCrossley::spring(k).push(s, rate).force, k * s);
    }

    /// Along the ground the law is odd, resists, ends at the grip and has the slopes it says (Eqs. 11 and 55).
    #[test]
    fn along_the_ground_it_is_odd_and_ends_at_the_grip() {
        let law = HuntCrossley { k: 9e3, n: 1.2, b: 40.0, p: 0.5, q: 1.1 };
        for (j, rate) in [(0.004, 0.02), (0.004, -0.02), (-0.004, 0.02), (-0.003, -0.01)] {
            let (f, by_j, by_rate) = law.resist(j, rate);
            let mirrored = law.resist(-j, -rate);
            assert_eq!((f, by_j, by_rate), (-mirrored.0, mirrored.1, mirrored.2));
            let h = 1e-8;
            let slope = (law.resist(j + h, rate).0 - law.resist(j - h, rate).0) / (2.0 * h);
            assert!((slope - by_j).abs() < 1e-6 * slope.abs(), "{slope} {by_j}");
            let slope = (law.resist(j, rate + h).0 - law.resist(j, rate - h).0) / (2.0 * h);
            assert!((slope - by_rate).abs() < 1e-6 * slope.abs(), "{slope} {by_rate}");
            assert_eq!(law.resist_up_to(1.0, j, rate), (1f64.copysign(f), 0.0, 0.0));
            assert_eq!(law.resist_up_to(100.0, j, rate).0, f);
        }
    }
}
