//! Spatial vectors about a common point, in common axes: motions, wrenches, and the inertia that maps one to the other.
//!
//! Two wrenches about the same point add; equal and opposite forces between two bodies are exactly opposite wrenches.

use crate::{Mat3, Mat6, Vec3};
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// Spatial motion (a velocity, an acceleration or a joint axis): angular part, and the linear part of the body-fixed point
/// that coincides with the reference point.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Motion {
    /// Angular part, rad/s.
    pub w: Vec3,
    /// Linear part at the reference point, m/s.
    pub v: Vec3,
}

/// Spatial force: torque about the reference point, and force.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Wrench {
    /// Torque about the reference point, N m.
    pub t: Vec3,
    /// Force, N.
    pub f: Vec3,
}

macro_rules! vector_space {
    ($T:ident, $a:ident, $b:ident) => {
        impl $T {
            /// The zero vector.
            #[inline]
            pub fn zero() -> Self {
                $T { $a: Vec3::zeros(), $b: Vec3::zeros() }
            }
            /// From angular and linear part.
            #[inline]
            pub fn new($a: Vec3, $b: Vec3) -> Self {
                $T { $a, $b }
            }
        }
        impl Add for $T {
            type Output = $T;
            #[inline]
            fn add(self, o: $T) -> $T {
                $T { $a: self.$a + o.$a, $b: self.$b + o.$b }
            }
        }
        impl Sub for $T {
            type Output = $T;
            #[inline]
            fn sub(self, o: $T) -> $T {
                $T { $a: self.$a - o.$a, $b: self.$b - o.$b }
            }
        }
        impl Neg for $T {
            type Output = $T;
            #[inline]
            fn neg(self) -> $T {
                $T { $a: -self.$a, $b: -self.$b }
            }
        }
        impl Mul<f64> for $T {
            type Output = $T;
            #[inline]
            fn mul(self, s: f64) -> $T {
                $T { $a: self.$a * s, $b: self.$b * s }
            }
        }
        impl AddAssign for $T {
            #[inline]
            fn add_assign(&mut self, o: $T) {
                self.$a += o.$a;
                self.$b += o.$b;
            }
        }
        impl SubAssign for $T {
            #[inline]
            fn sub_assign(&mut self, o: $T) {
                self.$a -= o.$a;
                self.$b -= o.$b;
            }
        }
    };
}
vector_space!(Motion, w, v);
vector_space!(Wrench, t, f);

impl Motion {
    /// Spatial cross product `self × m` of motions.
    #[inline]
    pub fn cross(&self, m: &Motion) -> Motion {
        Motion { w: self.w.cross(&m.w), v: self.w.cross(&m.v) + self.v.cross(&m.w) }
    }

    /// Spatial cross product `self ×* f` of a motion and a wrench.
    #[inline]
    pub fn cross_wrench(&self, f: &Wrench) -> Wrench {
        Wrench { t: self.w.cross(&f.t) + self.v.cross(&f.f), f: self.w.cross(&f.f) }
    }

    /// Power of the wrench `f` on this motion.
    #[inline]
    pub fn dot(&self, f: &Wrench) -> f64 {
        self.w.dot(&f.t) + self.v.dot(&f.f)
    }

    /// The same motion with the reference point moved by `r`.
    #[inline]
    pub fn shifted(&self, r: &Vec3) -> Motion {
        Motion { w: self.w, v: self.v + self.w.cross(r) }
    }
}

impl Wrench {
    /// A force `f` acting at `r` from the reference point.
    #[inline]
    pub fn force_at(f: Vec3, r: &Vec3) -> Wrench {
        Wrench { t: r.cross(&f), f }
    }

    /// The same wrench with the reference point moved by `r`.
    #[inline]
    pub fn shifted(&self, r: &Vec3) -> Wrench {
        Wrench { t: self.t - r.cross(&self.f), f: self.f }
    }
}

/// Inertia of a rigid body about the reference point.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Inertia {
    /// Mass, kg.
    pub m: f64,
    /// First moment: mass times position of the centre of mass from the reference point, kg m.
    pub h: Vec3,
    /// Second moment about the reference point, kg m².
    pub I: Mat3,
}

impl Inertia {
    /// From mass, centre of mass `c` and inertia about the centre of mass.
    pub fn new(m: f64, c: &Vec3, I_com: &Mat3) -> Self {
        let C = cross_matrix(c);
        Inertia { m, h: m * c, I: I_com - C * C * m }
    }

    /// No mass at all.
    pub fn zero() -> Self {
        Inertia { m: 0.0, h: Vec3::zeros(), I: Mat3::zeros() }
    }

    /// The wrench `I * a`.
    #[inline]
    pub fn apply(&self, a: &Motion) -> Wrench {
        Wrench { t: self.I * a.w + self.h.cross(&a.v), f: a.v * self.m - self.h.cross(&a.w) }
    }

    /// The same body seen from axes turned by `R` with the body frame's origin at `r` from the new reference point.
    #[inline]
    pub fn moved(&self, R: &Mat3, r: &Vec3) -> Inertia {
        let h = R * self.h;
        // Parallel axes: I' = R I Rᵀ + 2(r·h)1 − r hᵀ − h rᵀ + m(r·r 1 − r rᵀ), by its six numbers.
        let k = h + r * (0.5 * self.m);
        let d = 2.0 * r.dot(&k);
        let A = R * self.I;
        let entry = |i: usize, j: usize| {
            A[(i, 0)] * R[(j, 0)] + A[(i, 1)] * R[(j, 1)] + A[(i, 2)] * R[(j, 2)] - r[i] * k[j] - k[i] * r[j]
        };
        let (xy, xz, yz) = (entry(0, 1), entry(0, 2), entry(1, 2));
        let I = Mat3::new(entry(0, 0) + d, xy, xz, xy, entry(1, 1) + d, yz, xz, yz, entry(2, 2) + d);
        Inertia { m: self.m, h: h + r * self.m, I }
    }

    /// The 6 × 6 matrix, angular part first.
    pub fn matrix(&self) -> Mat6 {
        let H = cross_matrix(&self.h);
        let mut M = Mat6::zeros();
        M.fixed_view_mut::<3, 3>(0, 0).copy_from(&self.I);
        M.fixed_view_mut::<3, 3>(0, 3).copy_from(&H);
        M.fixed_view_mut::<3, 3>(3, 0).copy_from(&H.transpose());
        M.fixed_view_mut::<3, 3>(3, 3).copy_from(&Mat3::from_diagonal_element(self.m));
        M
    }
}

impl AddAssign for Inertia {
    #[inline]
    fn add_assign(&mut self, o: Inertia) {
        self.m += o.m;
        self.h += o.h;
        self.I += o.I;
    }
}

/// The matrix of `a ×`.
#[inline]
pub fn cross_matrix(a: &Vec3) -> Mat3 {
    Mat3::new(0.0, -a.z, a.y, a.z, 0.0, -a.x, -a.y, a.x, 0.0)
}
