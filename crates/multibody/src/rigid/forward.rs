//! Forces ⇒ accelerations of a tree in O(n): the articulated-body recursion, about each link's own origin, in world axes.

use super::{Cache, Model, Primitive, WORLD, inverse};
use touchdown_math::{Mat3, Motion, Vec3, Wrench, cross_matrix};

/// `a = M⁻¹(tau − bias + Sᵀ·W)` for the generalised forces `cache.tau` and the wrenches `cache.W`. `None` where the mass matrix
/// is singular (something massless can move freely): the index of the rate.
pub fn calc(model: &Model, v: &[f64], cache: &mut Cache, a: &mut [f64]) -> Result<(), usize> {
    outward_bias(model, v, cache);
    for i in (0..model.links.len()).rev() {
        reduce(model, i, cache)?;
    }
    outward_accelerations(model, cache, a);
    Ok(())
}

/// Velocities, bias accelerations, inertias and bias wrenches about each link's origin.
fn outward_bias(model: &Model, v: &[f64], cache: &mut Cache) {
    for (i, link) in model.links.iter().enumerate() {
        let r = cache.p_WL[i] - cache.c;
        let V = cache.V[i].shifted(&r);
        let mut joint = Motion::zero();
        for k in link.v..link.v + link.primitive.rates() {
            joint += cache.S[k].shifted(&r) * v[k];
        }
        // The parent's velocity is V less the joint's own, and a motion crossed with itself vanishes.
        cache.art_c[i] = V.cross(&joint);
        cache.art_V[i] = V;
        let R = &cache.R_WL[i];
        let h = R * link.inertia.h;
        cache.art_I[i] = R * link.inertia.I * R.transpose();
        cache.art_H[i] = cross_matrix(&h);
        cache.art_M[i] = Mat3::from_diagonal_element(link.inertia.m);
        let momentum =
            Wrench::new(cache.art_I[i] * V.w + h.cross(&V.v), V.v * link.inertia.m - h.cross(&V.w));
        cache.art_p[i] = V.cross_wrench(&momentum) - cache.W[i].shifted(&r);
    }
}

/// The axis of a one-axis joint, (s, 0) or (0, s).
struct Axis {
    s: Vec3,
    turns: bool,
}

fn axis(link: &super::Link, R_WL: &Mat3) -> Option<Axis> {
    match link.primitive {
        Primitive::Revolute(s) => Some(Axis { s: R_WL * s, turns: true }),
        Primitive::Prismatic(s) => Some(Axis { s: R_WL * s, turns: false }),
        _ => None,
    }
}

/// Eliminates the joint of link `i` from its articulated inertia and adds the rest to the parent.
fn reduce(model: &Model, i: usize, cache: &mut Cache) -> Result<(), usize> {
    let link = &model.links[i];
    if link.parent == WORLD {
        return check_regular(model, i, cache);
    }
    let (I, H, M) = (cache.art_I[i], cache.art_H[i], cache.art_M[i]);
    let (p, c) = (cache.art_p[i], cache.art_c[i]);
    let (Ia, Ha, Ma, u_wrench);
    match (axis(link, &cache.R_WL[i]), link.primitive) {
        (Some(Axis { s, turns }), _) => {
            let (U, D) = axis_products(&I, &H, &M, &s, turns);
            if D <= 0.0 || D.is_nan() {
                return Err(link.v);
            }
            let u = cache.tau[link.v] - if turns { s.dot(&p.t) } else { s.dot(&p.f) };
            let (Ut, Uf) = (U.t / D, U.f / D);
            Ia = I - U.t * Ut.transpose();
            Ha = H - U.t * Uf.transpose();
            Ma = M - U.f * Uf.transpose();
            u_wrench = Wrench::new(Ut * u, Uf * u);
        }
        (None, Primitive::Ball) => {
            let D = I.try_inverse().ok_or(link.v)?;
            let u = world_force(cache, i, link.v) - p.t;
            let gain = H.transpose() * D;
            Ia = Mat3::zeros();
            Ha = Mat3::zeros();
            Ma = M - gain * H;
            u_wrench = Wrench::new(u, gain * u);
        }
        (None, _) => {
            let D = M.try_inverse().ok_or(link.v)?;
            let u = translation_force(cache, link.v) - p.f;
            let gain = H * D;
            Ia = I - gain * H.transpose();
            Ha = Mat3::zeros();
            Ma = Mat3::zeros();
            u_wrench = Wrench::new(gain * u, u);
        }
    }
    let bias = Wrench::new(Ia * c.w + Ha * c.v, Ha.transpose() * c.w + Ma * c.v);
    let total = p + bias + u_wrench;
    // Move everything from this link's origin to the parent's.
    let r = cache.p_WL[i] - cache.p_WL[link.parent];
    let rx = cross_matrix(&r);
    let Hp = Ha + rx * Ma;
    let parent = link.parent;
    cache.art_I[parent] += Ia - Ha * rx + rx * Hp.transpose();
    cache.art_H[parent] += Hp;
    cache.art_M[parent] += Ma;
    cache.art_p[parent] += total.shifted(&-r);
    Ok(())
}

/// A root's joint must have mass to move, too.
fn check_regular(model: &Model, i: usize, cache: &Cache) -> Result<(), usize> {
    let link = &model.links[i];
    let regular = match (axis(link, &cache.R_WL[i]), link.primitive) {
        (Some(Axis { s, turns }), _) => {
            axis_products(&cache.art_I[i], &cache.art_H[i], &cache.art_M[i], &s, turns).1 > 0.0
        }
        (None, Primitive::Ball) => cache.art_I[i].determinant() > 0.0,
        (None, _) => cache.art_M[i].determinant() > 0.0,
    };
    if regular { Ok(()) } else { Err(link.v) }
}

/// `U = IA·S` and `D = Sᵀ·U`.
#[inline]
fn axis_products(I: &Mat3, H: &Mat3, M: &Mat3, s: &Vec3, turns: bool) -> (Wrench, f64) {
    if turns {
        let U = Wrench::new(I * s, H.transpose() * s);
        (U, s.dot(&U.t))
    } else {
        let U = Wrench::new(H * s, M * s);
        (U, s.dot(&U.f))
    }
}

/// Generalised torque of a ball joint in world axes.
fn world_force(cache: &Cache, i: usize, v: usize) -> Vec3 {
    cache.R_WL[i] * Vec3::new(cache.tau[v], cache.tau[v + 1], cache.tau[v + 2])
}

/// Generalised force of a translation joint in world axes.
fn translation_force(cache: &Cache, v: usize) -> Vec3 {
    cache.S[v].v * cache.tau[v] + cache.S[v + 1].v * cache.tau[v + 1] + cache.S[v + 2].v * cache.tau[v + 2]
}

/// Accelerations from the root outwards.
fn outward_accelerations(model: &Model, cache: &mut Cache, a: &mut [f64]) {
    let A_world = inverse::base_acceleration(model);
    for (i, link) in model.links.iter().enumerate() {
        let inboard = if link.parent == WORLD {
            A_world
        } else {
            cache.art_A[link.parent].shifted(&(cache.p_WL[i] - cache.p_WL[link.parent]))
        };
        let mut A = inboard + cache.art_c[i];
        let (I, H, M, p) = (&cache.art_I[i], &cache.art_H[i], &cache.art_M[i], cache.art_p[i]);
        match (axis(link, &cache.R_WL[i]), link.primitive) {
            (Some(Axis { s, turns }), _) => {
                let (U, D) = axis_products(I, H, M, &s, turns);
                let u = cache.tau[link.v] - if turns { s.dot(&p.t) } else { s.dot(&p.f) };
                let rate = (u - A.dot(&U)) / D;
                a[link.v] = rate;
                if turns { A.w += s * rate } else { A.v += s * rate }
            }
            (None, Primitive::Ball) => {
                let u = world_force(cache, i, link.v) - p.t - H * A.v;
                let total = I.try_inverse().unwrap_or_else(Mat3::zeros) * u;
                let own = cache.R_WL[i].transpose() * (total - A.w);
                a[link.v..link.v + 3].copy_from_slice(own.as_slice());
                A.w = total;
            }
            (None, _) => {
                let u = translation_force(cache, link.v) - p.f - H.transpose() * A.w;
                let total = M.try_inverse().unwrap_or_else(Mat3::zeros) * u;
                let own = total - A.v;
                for k in 0..3 {
                    a[link.v + k] = cache.S[link.v + k].v.dot(&own);
                }
                A.v = total;
            }
        }
        cache.art_A[i] = A;
    }
}
