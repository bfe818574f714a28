//! Mechanisms: rigid bodies in a tree of joints with loop constraints, force elements and drives; flexible bodies of plates and cables.
//!
//! ```
//! use touchdown_math::Vec3;
//! use touchdown_multibody::description::{Body, Joint, JointKind, Mechanism};
//! use touchdown_multibody::rigid::{Cache, Model, kinematics};
//!
//! let mut mechanism = Mechanism::default();
//! mechanism.bodies.push(Body::new("bob", 2.0, Vec3::new(0.0, 0.0, -0.5), Vec3::zeros()));
//! mechanism.joints.push(Joint::new("hinge", JointKind::Revolute { axis: Vec3::y() }, None, 0, Vec3::zeros()));
//! let model = Model::build(&mechanism).expect("a pendulum");
//! let mut cache = Cache::new(&model);
//! kinematics::update_positions(&model, &[0.3], &mut cache);
//! kinematics::update_velocities(&model, &[3.0], &mut cache);
//! let (kinetic, ..) = kinematics::energy_and_momentum(&cache);
//! // The bob moves at 1.5 m/s.
//! assert!((kinetic - 0.5 * 2.0 * 1.5 * 1.5).abs() < 1e-12);
//! ```

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod carried;
pub mod description;
pub mod flex;
pub mod rigid;
