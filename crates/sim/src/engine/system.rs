//! Model ⇒ forces ⇒ accelerations: one evaluation of the whole system for the integrators.
//!
//! Evaluation is pure: nothing here changes the state. The order is that of the flow: kinematics ⇒
//! interactions ⇒ elements and drives ⇒ dynamics. Contacts come before drives because rim-speed drives need
//! the present rolling radius.

use crate::description::{Integrator, WorldDescription};
use crate::devices::Devices;
use crate::engine::history::History;
use crate::engine::inputs::Commanded;
use crate::engine::momentum::Floating;
use crate::engine::simulation::WorldError;
use crate::interactions::ground::RigidGround;
use crate::interactions::{How, InteractionKind, Interactions, Making};
use std::sync::Arc;
use touchdown_math::Vec3;
use touchdown_multibody::carried::Carried;
use touchdown_multibody::description::DriveKind;
use touchdown_multibody::rigid::constrained::{Constrained, DynamicsError};
use touchdown_multibody::rigid::elements::{self, At, Powers};
use touchdown_multibody::rigid::tangent::Weights;
use touchdown_multibody::rigid::{Cache, Model, constraint, forward, kinematics};

/// Contact states of an evaluation.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ContactStates<'a> {
    /// Given values.
    Given(&'a [f64]),
    /// Solutions of `z = base + h·dz/dt`.
    Implicit { base: &'a [f64], h: f64 },
}

/// Input of one evaluation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instant<'a> {
    pub t: f64,
    pub q: &'a [f64],
    pub v: &'a [f64],
    pub z: ContactStates<'a>,
    pub held: &'a History,
}

/// The mechanism with all interactions, and the scratch of one evaluation.
#[derive(Clone, Debug)]
pub struct System {
    /// The mechanism: constant, and shared with every fork and observer. Numbers changed by commands or a
    /// turning gravity are written to a copy.
    pub(crate) model: Arc<Model>,
    /// Rigid ground.
    pub(crate) ground: Option<RigidGround>,
    /// Interactions: contacts, booms, devices.
    pub(crate) acts: Interactions,
    pub(crate) cache: Cache,
    pub(crate) constrained: Constrained,
    /// For each drive: the wheel that it turns.
    pub(crate) drive_wheel: Vec<Option<(InteractionKind, usize)>>,
    /// For each drive: rolling radius of that wheel, m. Written by `update_interactions`.
    pub(crate) rolling_radius: Vec<f64>,
    /// For each drive: the correction of its target rate, rad/s, and the state that holds it. Written by
    /// `update_corrections`.
    pub(crate) correction: Vec<f64>,
    pub(crate) correction_state: Vec<Option<usize>>,
    /// Contact states that the last evaluation used. Written by `update_interactions`.
    pub(crate) z_used: Vec<f64>,
    /// Their rates. Written by `update_interactions`.
    pub(crate) z_rate: Vec<f64>,
    /// Powers at the last accepted point of an implicit method. Written by `Mechanical::contact_states`.
    pub(crate) accepted_powers: Powers,
    /// The same for each independent part; none if the mechanism is one part. Written by `accept_parts`.
    pub(crate) accepted_parts: Vec<Powers>,
    /// Heat of stops in the last step, J, each with its independent part. Written by `Mechanical::book_stops`.
    pub(crate) stop_heat: Vec<(usize, f64)>,
    /// Length of the last step, if it was one of backward Euler, s. Written with it.
    pub(crate) euler_step: Option<f64>,
    /// Whether the last evaluation was that of `Mechanical::linearised`, so that the accepted state is very near it.
    pub(crate) linearised: bool,
    /// Momentum of a step for each free-floating part. Written by `Mechanical::remember_invariants` and
    /// `linearised`.
    pub(crate) floating: Vec<Floating>,
    /// Commands in effect, the seed of the devices' noise, and the devices as described. Written by
    /// `take_inputs`.
    pub(crate) inputs: Vec<Option<Commanded>>,
    pub(crate) seed: Option<u64>,
    pub(crate) fitted: Arc<Devices>,
    /// Scales of the explicit integrator's state.
    pub(crate) scales: Vec<f64>,
    pub(crate) a: Vec<f64>,
    pub(crate) lambda: Vec<f64>,
    pub(crate) q_stage: Vec<f64>,
    pub(crate) v_stage: Vec<f64>,
}

impl System {
    /// Attaches all interactions to the links of a compiled model.
    pub(crate) fn new(
        description: &WorldDescription,
        model: Model,
        carried: Vec<Option<Carried>>,
    ) -> Result<System, Vec<WorldError>> {
        let mut making = Making { description, model: &model, states: 0, carried };
        let acts = Interactions::build(&mut making)?;
        let mut nz = making.states;
        let correction_state = crate::engine::ground_speed::states(&model, &mut nz);
        let drives = model.drives.len();
        let mut system = System {
            cache: Cache::new(&model),
            constrained: Constrained::new(&model),
            rolling_radius: vec![f64::NAN; drives],
            correction: vec![0.0; drives],
            correction_state,
            drive_wheel: Vec::new(),
            z_used: vec![0.0; nz],
            z_rate: vec![0.0; nz],
            accepted_powers: Powers::default(),
            accepted_parts: Vec::new(),
            stop_heat: Vec::with_capacity(model.elements.len()),
            euler_step: None,
            linearised: false,
            floating: Vec::new(),
            inputs: vec![None; description.inputs.len()],
            seed: None,
            fitted: Arc::default(),
            scales: Vec::new(),
            a: Vec::new(),
            lambda: vec![0.0; model.nc],
            q_stage: Vec::new(),
            v_stage: Vec::new(),
            ground: RigidGround::new(description),
            acts,
            model: Arc::new(model),
        };
        let wheel = |d: &touchdown_multibody::description::Drive| {
            system.wheel_on(system.model.joints[d.axis.joint].child)
        };
        system.drive_wheel = system.model.drives.iter().map(wheel).collect();
        system.find_parts();
        system.cache.steps_book_stops = !matches!(description.integrator, Integrator::Explicit { .. });
        let (nq, nv) = (system.nq(), system.nv());
        system.scales = vec![1.0; nq + nv + nz + WORKS];
        // The quadratures of the parts follow; they do not influence the step length.
        system.scales.resize(system.dim(), f64::INFINITY);
        (system.q_stage, system.v_stage, system.a) = (vec![0.0; nq], vec![0.0; nv], vec![0.0; nv]);
        let turns = matches!(description.study, Some(crate::description::Study::Gradability(_)));
        system.floating = system.floating(turns);
        Ok(system)
    }

    /// Number of contact states.
    pub(crate) fn nz(&self) -> usize {
        self.z_used.len()
    }

    /// The first rim-speed drive on a joint without a rolling wheel.
    pub(crate) fn drive_without_wheel(&self) -> Option<&str> {
        let mut drives = self.model.drives.iter().zip(&self.drive_wheel);
        drives
            .find(|(d, wheel)| matches!(d.kind, DriveKind::RimSpeed { .. }) && wheel.is_none())
            .map(|(d, _)| d.name.as_str())
    }

    /// Rates of the joints by which drives turn wheels.
    pub(crate) fn braked_rates(&self) -> impl Iterator<Item = usize> + '_ {
        let drives = self.model.drives.iter().zip(&self.drive_wheel).filter(|(_, wheel)| wheel.is_some());
        drives.filter_map(|(drive, _)| {
            let slot = &self.model.joints[drive.axis.joint];
            (!slot.locked).then_some(slot.v + drive.axis.axis)
        })
    }

    /// Rates along x and y and about z of free joints.
    pub(crate) fn moored_rates(&self) -> impl Iterator<Item = usize> + '_ {
        let free = self.model.joints.iter().filter(|slot| !slot.locked && slot.rates == 6);
        free.flat_map(|slot| [slot.v, slot.v + 1, slot.v + 5])
    }

    /// kinematics: q, v ⇒ poses, velocities, inertias.
    pub(crate) fn update_kinematics(&mut self, q: &[f64], v: &[f64]) {
        kinematics::update_positions(&self.model, &q[..self.model.nq], &mut self.cache);
        kinematics::update_velocities(&self.model, &v[..self.model.nv], &mut self.cache);
    }

    /// Interactions, elements, drives: ⇒ wrenches, generalised forces, powers; with weights also their
    /// tangents. Needs kinematics.
    pub(crate) fn update_forces(&mut self, at: &Instant, weights: Option<Weights>) -> Powers {
        self.update_forces_with(at, How::Evaluated(weights))
    }

    /// The same with a choice of mode.
    pub(crate) fn update_forces_with(&mut self, at: &Instant, how: How) -> Powers {
        let weights = how.weights();
        self.cache.clear_forces(weights.is_some());
        let turning = self.update_gravity(at);
        let mut powers = self.update_interactions(at, how);
        self.update_corrections(at);
        let (q, v) = (&at.q[..self.model.nq], &at.v[..self.model.nv]);
        let elements_at =
            At { t: at.t, q, v, rolling_radius: &self.rolling_radius, correction: &self.correction };
        let elements = elements::update(&self.model, &elements_at, weights, &mut self.cache);
        self.cache.gather_wrenches(&self.model);
        powers += Powers { loads: elements.loads + turning, ..elements };
        powers
    }

    /// Velocity of a point that moves with a body, m/s. Needs kinematics.
    pub(crate) fn point_velocity_of(&self, body: usize, p_W: &Vec3) -> Vec3 {
        let V = kinematics::body_velocity(&self.model, &self.cache, Some(body));
        kinematics::point_velocity(&self.cache, &V, p_W)
    }

    /// Power of a drive, W. Needs forces.
    pub(crate) fn drive_power(&self, i: usize, t: f64, q: &[f64], v: &[f64]) -> f64 {
        let axis = self.model.drives[i].axis;
        let slot = &self.model.joints[axis.joint];
        let rate = if slot.locked { 0.0 } else { v[slot.v + axis.axis] };
        elements::drive_force(&self.model, i, &self.at(t, q, v)).value * rate
    }

    /// Forces ⇒ `a` and `lambda`. Needs kinematics and forces; with constraints also valid factors.
    pub(crate) fn update_accelerations(&mut self, t: f64, v: &[f64]) -> Result<(), DynamicsError> {
        let nv = self.model.nv;
        let a = &mut self.a[..nv];
        if self.model.is_constrained() {
            self.constrained.accelerations(&self.model, t, &mut self.cache, a, &mut self.lambda);
        } else {
            let result = forward::calc(&self.model, &v[..nv], &mut self.cache, a);
            result.map_err(|k| DynamicsError::Massless { joint: self.model.rate_name(k).into() })?;
        }
        self.update_own_accelerations();
        self.check_finite()
    }

    /// The error for a rate whose motion is not finite.
    pub(crate) fn not_finite(&self, rate: usize) -> DynamicsError {
        match self.own_name(rate) {
            Some(name) => DynamicsError::NotFinite { joint: name.into(), body: name.into() },
            None => {
                let (joint, body) = (self.model.rate_name(rate).into(), self.model.rate_body(rate).into());
                DynamicsError::NotFinite { joint, body }
            }
        }
    }

    fn check_finite(&self) -> Result<(), DynamicsError> {
        match self.a.iter().position(|a| !a.is_finite()) {
            None => Ok(()),
            Some(k) => Err(self.not_finite(k)),
        }
    }

    /// Everything at one accepted state: kinematics, forces, accelerations, multipliers. Returns the powers, those of prescribed
    /// motions among the drives'.
    pub(crate) fn evaluate(
        &mut self,
        t: f64,
        q: &[f64],
        v: &[f64],
        z: &[f64],
        held: &History,
    ) -> Result<Powers, DynamicsError> {
        self.update_kinematics(q, v);
        if self.model.is_constrained() {
            self.constrained.factor(&self.model, &mut self.cache)?;
        }
        let mut powers = self.update_forces(&Instant { t, q, v, z: ContactStates::Given(z), held }, None);
        self.update_accelerations(t, v)?;
        powers.drives += constraint::book_prescribed_power(&self.model, &mut self.cache, &self.lambda, t);
        self.accept_parts();
        Ok(powers)
    }

    /// Stores the powers booked with each independent part in the last evaluation: its state was accepted.
    pub(crate) fn accept_parts(&mut self) {
        self.accepted_parts.copy_from_slice(self.cache.parts.powers());
    }

    /// The evaluation point of the drives, for recording.
    pub(crate) fn at<'a>(&'a self, t: f64, q: &'a [f64], v: &'a [f64]) -> At<'a> {
        let (q, v) = (&q[..self.model.nq], &v[..self.model.nv]);
        At { t, q, v, rolling_radius: &self.rolling_radius, correction: &self.correction }
    }

    /// Input of `multibody::rigid::limited`.
    pub(crate) fn limited_forces<'a>(
        &'a mut self,
        t: f64,
        q: &'a [f64],
        v: &'a [f64],
    ) -> (&'a Model, At<'a>, &'a mut Cache) {
        let (q, v) = (&q[..self.model.nq], &v[..self.model.nv]);
        let at = At { t, q, v, rolling_radius: &self.rolling_radius, correction: &self.correction };
        (&self.model, at, &mut self.cache)
    }
}

/// Quadrature states after q, v, z in the explicit integrator's vector: dissipated energy, work of drives,
/// work of loads; first for the whole, then for each independent part.
pub(crate) const WORKS: usize = 3;
