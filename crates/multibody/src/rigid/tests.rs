//! The recursions against each other and against differences, on random trees with every kind of joint and element.

use super::tangent::Weights;
use super::*;
use crate::description::*;
use touchdown_math::{Mat3, Pose, Signal, Vec3, Wrench, rotation};

/// A small deterministic generator (Knuth's MMIX multiplier), uniform in −1 … 1.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
    fn vec(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }
    fn unit(&mut self) -> Vec3 {
        self.vec().normalize()
    }
    fn pose(&mut self) -> Pose {
        Pose::new(&rotation::exp(&self.vec()), self.vec())
    }
    fn slice(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.next()).collect()
    }
}

fn kinds(r: &mut Random) -> [JointKind; 9] {
    let normal = r.unit();
    [
        JointKind::Free,
        JointKind::Revolute { axis: r.unit() },
        JointKind::Prismatic { axis: r.unit() },
        JointKind::Cylindrical { axis: r.unit() },
        JointKind::Fixed,
        JointKind::Universal { axis_1: r.unit(), axis_2: r.unit() },
        JointKind::Spherical,
        JointKind::Planar { normal },
        JointKind::Revolute { axis: r.unit() },
    ]
}

/// A branched tree with one joint of each kind, springs and bushings between branches, loops, and drives.
fn random_mechanism(seed: u64) -> Mechanism {
    let mut r = Random(seed);
    let mut m = Mechanism { gravity: Gravity::Uniform(Vec3::new(0.3, -1.0, -9.0)), ..Default::default() };
    let parents = [None, Some(0), Some(0), Some(1), Some(3), Some(4), Some(2), Some(6), Some(5)];
    for (i, kind) in kinds(&mut r).into_iter().enumerate() {
        let A = Mat3::from_fn(|_, _| r.next());
        let inertia = A * A.transpose() + Mat3::identity() * 0.2;
        m.bodies.push(Body { name: format!("b{i}"), mass: 1.5 + r.next(), com: r.vec(), inertia });
        let mut joint = Joint::new(&format!("j{i}"), kind, parents[i], i, Vec3::zeros());
        (joint.X_PF, joint.X_BM) = (r.pose(), r.pose());
        m.joints.push(joint);
    }
    let at = |body, r: &mut Random| Attachment { body, X_BF: r.pose() };
    let spring = ElementKind::Spring {
        a: at(Some(3), &mut r),
        b: at(Some(7), &mut r),
        stiffness: 40.0,
        damping: 0.0,
        rest_length: 0.4,
        preload: 1.0,
        acts: Acts::BothWays,
        slack_until: 0.0,
    };
    let bushing = ElementKind::Bushing {
        a: at(Some(8), &mut r),
        b: at(Some(6), &mut r),
        stiffness: [0.0, 0.0, 0.0, 7.0, 8.0, 9.0],
        damping: [0.0; 6],
    };
    let load = ElementKind::Load {
        at: at(Some(5), &mut r),
        force: [Signal::Constant(3.0), Signal::Constant(-2.0), Signal::Constant(1.0)],
        torque: [Signal::Constant(0.0), Signal::Constant(0.5), Signal::Constant(0.0)],
        follows_body: false,
    };
    let joint_spring = ElementKind::JointSpring {
        axis: JointAxis { joint: 1, axis: 0 },
        stiffness: 5.0,
        damping: 0.7,
        rest: 0.1,
    };
    for (i, kind) in [spring, bushing, load, joint_spring].into_iter().enumerate() {
        m.elements.push(ForceElement { name: format!("e{i}"), kind });
    }
    let loops = [
        ConstraintKind::Coincident { a: at(Some(2), &mut r), b: at(Some(8), &mut r) },
        ConstraintKind::Parallel { a: (Some(1), r.unit()), b: (Some(7), r.unit()) },
        ConstraintKind::Perpendicular { a: (None, r.unit()), b: (Some(5), r.unit()) },
        ConstraintKind::Distance { a: at(None, &mut r), b: at(Some(3), &mut r), length: 0.5 },
        ConstraintKind::Gear {
            driven: JointAxis { joint: 1, axis: 0 },
            driver: JointAxis { joint: 8, axis: 0 },
            ratio: 2.0,
            offset: 0.1,
        },
        ConstraintKind::Prescribed {
            axis: JointAxis { joint: 3, axis: 1 },
            motion: Signal::Line { start: 0.0, rate: 0.3 },
        },
    ];
    for (i, kind) in loops.into_iter().enumerate() {
        m.constraints.push(Constraint { name: format!("c{i}"), kind });
    }
    m
}

struct Bench {
    model: Model,
    cache: Cache,
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
}

fn bench(seed: u64) -> Bench {
    let model = Model::build(&random_mechanism(seed)).unwrap();
    let mut r = Random(seed + 77);
    let mut q = vec![0.0; model.nq];
    let dq = r.slice(model.nv);
    model.add_step(&model.q_initial, &dq, &mut q);
    let (v, a) = (r.slice(model.nv), r.slice(model.nv));
    let cache = Cache::new(&model);
    Bench { model, cache, q, v, a }
}

impl Bench {
    fn update(&mut self, q: &[f64], v: &[f64], weights: Option<Weights>) -> elements::Powers {
        kinematics::update_positions(&self.model, q, &mut self.cache);
        kinematics::update_velocities(&self.model, v, &mut self.cache);
        self.cache.clear_forces(true);
        let at = elements::At { t: 0.0, q, v, rolling_radius: &[], correction: &[] };
        let powers = elements::update(&self.model, &at, weights, &mut self.cache);
        self.cache.gather_wrenches(&self.model);
        powers
    }

    fn residual(&mut self, q: &[f64], v: &[f64], a: &[f64]) -> Vec<f64> {
        self.update(q, v, None);
        let mut out = vec![0.0; self.model.nv];
        inverse::calc(&self.model, a, &mut self.cache, &mut out);
        out.iter().zip(&self.cache.tau).map(|(r, t)| r - t).collect()
    }
}

fn worst(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

/// Accelerations from articulated bodies put into Newton–Euler give back the applied forces.
#[test]
fn forward_inverts_inverse() {
    for seed in 0..20 {
        let mut b = bench(seed);
        let (q, v) = (b.q.clone(), b.v.clone());
        b.update(&q, &v, None);
        let mut a = vec![0.0; b.model.nv];
        forward::calc(&b.model, &v, &mut b.cache, &mut a).unwrap();
        let scale = a.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
        let r = b.residual(&q, &v, &a);
        // Round-off grows with the condition of the random tree's inertia, here below 1e4.
        assert!(worst(&r, &vec![0.0; r.len()]) < 1e-11 * scale, "seed {seed}");
    }
}

/// The composite-body mass matrix is the linear part of Newton–Euler, and its factors solve with it.
#[test]
fn mass_matrix_is_the_linear_part() {
    let mut b = bench(3);
    let n = b.model.nv;
    let (q, v) = (b.q.clone(), b.v.clone());
    let base = b.residual(&q, &v, &vec![0.0; n]);
    let mut M = vec![0.0; n * n];
    mass::calc(&b.model, &mut b.cache, &mut M);
    for k in 0..n {
        let mut unit = vec![0.0; n];
        unit[k] = 1.0;
        let column: Vec<f64> = b.residual(&q, &v, &unit).iter().zip(&base).map(|(x, y)| x - y).collect();
        let expected: Vec<f64> = (0..n).map(|i| M[i * n + k]).collect();
        assert!(worst(&column, &expected) < 1e-11);
    }
    let mut factors = M.clone();
    mass::factor(&b.model, &mut factors).unwrap();
    let mut x = b.a.clone();
    mass::solve(&b.model, &factors, &mut x);
    let back: Vec<f64> = (0..n).map(|i| (0..n).map(|j| M[i * n + j] * x[j]).sum()).collect();
    assert!(worst(&back, &b.a) < 1e-11);
}

/// Two free trees that are tied: what is added has the momentum asked for, is a rigid motion of the whole, and a world that is leant on is seen. Without the tie each
/// tree has its own momentum, and what is added to one leaves the other alone.
#[test]
fn momentum_is_added_as_a_rigid_motion() {
    let mut r = Random(11);
    let mut m = Mechanism::default();
    let (free, hinge) = (JointKind::Free, JointKind::Revolute { axis: r.unit() });
    for (i, (kind, parent)) in [(free, None), (hinge, Some(0)), (free, None)].into_iter().enumerate() {
        let A = Mat3::from_fn(|_, _| r.next());
        let inertia = A * A.transpose() + Mat3::identity() * 0.2;
        m.bodies.push(Body { name: format!("b{i}"), mass: 1.5 + r.next(), com: r.vec(), inertia });
        let mut joint = Joint::new(&format!("j{i}"), kind, parent, i, Vec3::zeros());
        (joint.X_PF, joint.X_BM) = (r.pose(), r.pose());
        m.joints.push(joint);
    }
    m.gravity = Gravity::Uniform(Vec3::zeros());
    let model = Model::build(&m).unwrap();
    assert!(model.is_afloat());
    let (mut q, mut cache) = (vec![0.0; model.nq], Cache::new(&model));
    model.add_step(&model.q_initial, &r.slice(model.nv), &mut q);
    kinematics::update_positions(&model, &q, &mut cache);
    let (wanted, mut v) = (Wrench::new(r.vec(), r.vec()), vec![0.0; model.nv]);
    let [raft] = &afloat::rafts(&model, &[[Some(1), Some(2)]])[..] else { panic!("they float together") };
    raft.add_momentum(&model, &cache, &wanted, &mut v);
    kinematics::update_velocities(&model, &v, &mut cache);
    let has = raft.momentum(&cache);
    assert!((has.f - wanted.f).norm() + (has.t - wanted.t).norm() < 1e-13);
    let carriers = model.joints.iter().map(|j| cache.V[j.link]);
    for V in carriers {
        assert!((V.w - cache.V[model.joints[0].link].w).norm() < 1e-14);
        assert!((V.v - cache.V[model.joints[0].link].v).norm() < 1e-14);
    }
    let [first, second] = &afloat::rafts(&model, &[])[..] else { panic!("two float apart") };
    let (before, unmoved) = (first.momentum(&cache), v.clone());
    second.add_momentum(&model, &cache, &wanted, &mut v);
    kinematics::update_velocities(&model, &v, &mut cache);
    assert_eq!(first.momentum(&cache), before);
    assert!((second.momentum(&cache).f - (has.f - before.f) - wanted.f).norm() < 1e-13);
    assert_eq!(v[..7], unmoved[..7], "six rates of the first free joint and its hinge");
    // On the hinge, then on the first free joint.
    let mut leans = |joint| {
        let axis = JointAxis { joint, axis: 0 };
        let kind = ElementKind::JointSpring { axis, stiffness: 1.0, damping: 0.0, rest: 0.0 };
        m.elements = vec![ForceElement { name: "s".into(), kind }];
        !Model::build(&m).unwrap().is_afloat()
    };
    assert!(!leans(1) && leans(0));
}

/// The Newton matrix is the derivative of the residual, forces of springs, bushings, loads and gravity included
/// (central differences, error h² and round-off/h: 1e-7 of the largest entry).
#[test]
fn tangent_matches_differences() {
    for seed in [1, 5, 9] {
        let mut b = bench(seed);
        let n = b.model.nv;
        let (q, v, a) = (b.q.clone(), b.v.clone(), b.a.clone());
        let h = 1e-6;
        for weights in [
            Weights { a: 0.0, v: 0.0, q: 1.0 },
            Weights { a: 0.0, v: 1.0, q: 0.0 },
            Weights { a: 1.0, v: 0.0, q: 0.0 },
        ] {
            b.update(&q, &v, Some(weights));
            let mut T = vec![0.0; n * n];
            tangent::calc(&b.model, &a, weights, &mut b.cache, &mut T);
            let scale = T.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
            for k in 0..n {
                let moved = |sign: f64, b: &mut Bench| {
                    let mut step = vec![0.0; n];
                    step[k] = sign * h;
                    let (mut q1, mut v1, mut a1) = (q.clone(), v.clone(), a.clone());
                    if weights.q != 0.0 {
                        b.model.add_step(&q, &step, &mut q1);
                    } else if weights.v != 0.0 {
                        v1[k] += step[k];
                    } else {
                        a1[k] += step[k];
                    }
                    b.residual(&q1, &v1, &a1)
                };
                let (plus, minus) = (moved(1.0, &mut b), moved(-1.0, &mut b));
                for i in 0..n {
                    let difference = (plus[i] - minus[i]) / (2.0 * h);
                    let error = (difference - T[i * n + k]).abs();
                    assert!(
                        error < 1e-7 * scale,
                        "seed {seed}, {weights:?}, row {i}, column {k}: {difference} {}",
                        T[i * n + k]
                    );
                }
            }
        }
    }
}

/// The linearly implicit matrix is the force part of the full one: equal to it at rest without gravity and accelerations.
#[test]
fn linearly_implicit_matrix_agrees_at_rest() {
    let mut mechanism = random_mechanism(4);
    mechanism.gravity = Gravity::default();
    mechanism.elements.truncate(1);
    let model = Model::build(&mechanism).unwrap();
    let n = model.nv;
    let mut b = Bench {
        cache: Cache::new(&model),
        q: model.q_initial.clone(),
        v: vec![0.0; n],
        a: vec![0.0; n],
        model,
    };
    let (q, v) = (b.q.clone(), b.v.clone());
    // Without the change of the wrench's direction in joint space (−S_j × S_i·W) the two differ by exactly that term.
    let weights = Weights { a: 1.0, v: 0.02, q: 0.0 };
    b.update(&q, &v, Some(weights));
    let (mut full, mut fast) = (vec![0.0; n * n], vec![0.0; n * n]);
    tangent::calc(&b.model, &b.a, weights, &mut b.cache, &mut full);
    tangent::calc_linearly_implicit(&b.model, 1.0, &mut b.cache, &mut fast);
    assert!(worst(&full, &fast) < 1e-12);
}

/// Constraint Jacobian and bias are the first and second time derivatives of the residual (central differences).
#[test]
fn constraint_rows_match_differences() {
    let mut b = bench(2);
    let (n, nc) = (b.model.nv, b.model.nc);
    let (q, v) = (b.q.clone(), b.v.clone());
    let h = 1e-5;
    let at_time = |s: f64, b: &mut Bench| {
        // Constant rates: the coordinates move along v, quaternions along their body axes.
        let step: Vec<f64> = v.iter().map(|x| x * s).collect();
        let mut q1 = q.clone();
        b.model.add_step(&q, &step, &mut q1);
        b.update(&q1, &v, None);
        let mut C = vec![0.0; nc];
        constraint::calc_residual(&b.model, &b.cache, &q1, s, &mut C);
        C
    };
    let (minus, zero, plus) = (at_time(-h, &mut b), at_time(0.0, &mut b), at_time(h, &mut b));
    let mut G = vec![0.0; nc * n];
    constraint::calc_jacobian(&b.model, &b.cache, &mut G);
    let (mut Ct, mut gamma) = (vec![0.0; nc], vec![0.0; nc]);
    b.update(&q, &v, None);
    constraint::calc_jacobian(&b.model, &b.cache, &mut G);
    constraint::calc_time_derivative(&b.model, 0.0, &mut Ct);
    constraint::calc_bias(&b.model, &b.cache, 0.0, &mut gamma);
    for i in 0..nc {
        let rate: f64 = Ct[i] + (0..n).map(|k| G[i * n + k] * v[k]).sum::<f64>();
        assert!((rate - (plus[i] - minus[i]) / (2.0 * h)).abs() < 1e-7, "row {i}");
        let second = (plus[i] - 2.0 * zero[i] + minus[i]) / (h * h);
        assert!((gamma[i] - second).abs() < 1e-3, "row {i}: {} {second}", gamma[i]);
    }
}

/// Multipliers booked as wrenches on bodies do the same work as Gᵀλ in joint space.
#[test]
fn multipliers_as_wrenches_equal_transposed_jacobian() {
    let mut b = bench(8);
    let (n, nc) = (b.model.nv, b.model.nc);
    let (q, v) = (b.q.clone(), b.v.clone());
    b.update(&q, &v, None);
    let mut G = vec![0.0; nc * n];
    constraint::calc_jacobian(&b.model, &b.cache, &mut G);
    let lambda = Random(5).slice(nc);
    b.cache.clear_forces(true);
    constraint::add_forces(&b.model, &lambda, 0.0, &mut b.cache);
    b.cache.gather_wrenches(&b.model);
    let mut out = vec![0.0; n];
    // Difference of the inverse dynamics with and without the wrenches, plus the joint part.
    inverse::calc(&b.model, &vec![0.0; n], &mut b.cache, &mut out);
    let with: Vec<f64> = out.iter().zip(&b.cache.tau).map(|(r, t)| t - r).collect();
    b.cache.clear_forces(true);
    b.cache.gather_wrenches(&b.model);
    inverse::calc(&b.model, &vec![0.0; n], &mut b.cache, &mut out);
    for k in 0..n {
        let expected: f64 = (0..nc).map(|i| G[i * n + k] * lambda[i]).sum();
        assert!((with[k] + out[k] - expected).abs() < 1e-11);
    }
}

/// Forces between bodies leave the momentum alone: with no gravity, load or drive the wrenches on all bodies sum to zero.
#[test]
fn internal_wrenches_cancel() {
    let mut mechanism = random_mechanism(6);
    mechanism.elements.remove(2);
    let model = Model::build(&mechanism).unwrap();
    let mut r = Random(11);
    let (q, v) = (model.q_initial.clone(), r.slice(model.nv));
    let mut b = Bench { cache: Cache::new(&model), q: q.clone(), v: v.clone(), a: vec![], model };
    b.update(&q, &v, None);
    let mut total = Wrench::zero();
    b.cache.W_body.iter().for_each(|w| total += *w);
    assert!(total.f.norm() < 1e-13 && total.t.norm() < 1e-12);
}

/// What joints carry balances: a body's reaction is that of its children plus its own weight and inertia; at the root of a resting
/// tree it is the weight.
#[test]
fn reactions_of_a_hanging_tree_are_its_weight() {
    let mut m = Mechanism { gravity: Gravity::Uniform(Vec3::new(0.0, 0.0, -10.0)), ..Default::default() };
    for (i, parent) in [(0, None), (1, Some(0)), (2, Some(1))] {
        m.bodies.push(Body::new(
            &format!("b{i}"),
            1.0 + i as f64,
            Vec3::new(0.1, 0.0, 0.0),
            Vec3::repeat(0.1),
        ));
        m.joints.push(Joint::new(&format!("j{i}"), JointKind::Fixed, parent, i, Vec3::new(1.0, 0.0, 0.0)));
    }
    m.joints[1].kind = JointKind::Revolute { axis: Vec3::x() };
    (m.joints[1].position, m.joints[1].rate) = (vec![0.0], vec![0.0]);
    let model = Model::build(&m).unwrap();
    let mut cache = Cache::new(&model);
    kinematics::update_positions(&model, &model.q_initial, &mut cache);
    kinematics::update_velocities(&model, &model.v_initial, &mut cache);
    cache.clear_forces(true);
    let mut out = vec![Wrench::zero(); 3];
    reaction::calc(&model, &[0.0], &mut cache, &mut out);
    assert!(
        (out[0].f.z - 60.0).abs() < 1e-12
            && (out[1].f.z - 50.0).abs() < 1e-12
            && (out[2].f.z - 30.0).abs() < 1e-12
    );
    // Moment at the root's frame: weights 10, 20, 30 N at 0.1, 1.1, 2.1 m.
    assert!((out[0].t.y + (10.0 * 0.1 + 20.0 * 1.1 + 30.0 * 2.1)).abs() < 1e-12);
}

/// Trees that are none get an error that names the body.
#[test]
fn broken_trees_are_refused() {
    let mut m = random_mechanism(1);
    m.joints[1].parent = Some(3);
    let errors = Model::build(&m).unwrap_err();
    assert!(errors.iter().any(|e| matches!(e, BuildError::Cycle { .. })), "{errors:?}");
    let mut m = random_mechanism(1);
    m.joints[1].child = 2;
    assert!(matches!(Model::build(&m).unwrap_err()[0], BuildError::Inboard { .. }));
}
