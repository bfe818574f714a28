//! Model ⇒ forces ⇒ accelerations: one evaluation of everything that moves, as the integrators ask for it.
//!
//! Evaluation is pure: nothing here changes the state. The order is that of the flow: kinematics ⇒ contacts ⇒ elements and drives ⇒
//! dynamics. Tyres come before drives because rim-speed drives need the present rolling radius.

use crate::boom::BoomOnLinks;
use crate::capture::CaptureOnLinks;
use crate::description::{FlexWheel, WorldDescription};
use crate::devices::Devices;
use crate::environment::Environment;
use crate::feet::FootOnLink;
use crate::flexible::FlexPart;
use crate::history::History;
use crate::inputs::Commanded;
use crate::momentum::Floating;
use crate::pairs::PairOnLinks;
use crate::polygonal::PolygonalOnLinks;
use crate::rigid_ground::{RigidGround, Standing};
use crate::soil::SoilParts;
use crate::soil_on_link::SoilOnLink;
use crate::world::WorldError;
use std::sync::Arc;
use touchdown_contact::foot;
use touchdown_contact::polygonal::Slopes;
use touchdown_contact::soil::SoilForce;
use touchdown_contact::tyre::{BrushTyre, GroundPlane, STATES, TyreForce, WheelMotion};
use touchdown_math::Vec3;
use touchdown_multibody::carried::Carried;
use touchdown_multibody::description::DriveKind;
use touchdown_multibody::rigid::constrained::{Constrained, DynamicsError};
use touchdown_multibody::rigid::elements::{self, At, Powers};
use touchdown_multibody::rigid::tangent::Weights;
use touchdown_multibody::rigid::{Cache, Model, forward, kinematics, push};

/// A tyre on its link.
#[derive(Clone, Debug)]
pub(crate) struct TyreOnLink {
    pub name: String,
    pub tyre: BrushTyre,
    pub body: usize,
    link: usize,
    p_LC: Vec3,
    axis_L: Vec3,
}

/// Contact states of an evaluation.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ContactStates<'a> {
    /// As they are.
    Given(&'a [f64]),
    /// Solutions of `z = base + h·dz/dt`.
    Implicit { base: &'a [f64], h: f64 },
}

/// How contacts with soil are evaluated.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Contacts {
    /// From the pose, with tangents where there are weights.
    Evaluated(Option<Weights>),
    /// To first order from the last evaluation, which was the linearised one of the same step.
    Followed,
}

/// What one evaluation needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instant<'a> {
    pub t: f64,
    pub q: &'a [f64],
    pub v: &'a [f64],
    pub z: ContactStates<'a>,
    pub held: &'a History,
}

/// The mechanism with its contacts, and the scratch of one evaluation.
#[derive(Clone, Debug)]
pub struct System {
    pub(crate) model: Model,
    pub(crate) ground: Option<RigidGround>,
    pub(crate) tyres: Vec<TyreOnLink>,
    /// Where each wheel stands. Written by `update_standing`.
    pub(crate) standings: Vec<Standing>,
    /// Contacts with soil; out of their place only while they are evaluated.
    pub(crate) soil: Option<Box<SoilParts>>,
    pub(crate) soil_bodies: Vec<SoilOnLink>,
    /// Smooth contacts.
    pub(crate) pairs: Vec<PairOnLinks>,
    /// Polygonal contacts.
    pub(crate) polygonal: Vec<PolygonalOnLinks>,
    /// Working memory of polygonal contacts.
    pub(crate) slopes: Box<Slopes>,
    /// Booms between bodies.
    pub(crate) booms: Vec<BoomOnLinks>,
    /// Capture tools.
    pub(crate) captures: Vec<CaptureOnLinks>,
    /// Flexible bodies.
    pub(crate) flexible: Vec<FlexPart>,
    /// Feet.
    pub(crate) feet: Vec<FootOnLink>,
    /// Orbit and sunlight.
    pub(crate) environment: Option<Environment>,
    /// Sensors, controllers, actuators and all else that ticks.
    pub(crate) devices: Arc<Devices>,
    pub(crate) cache: Cache,
    pub(crate) constrained: Constrained,
    /// For each drive: the tyre that it turns.
    pub(crate) drive_tyre: Vec<Option<usize>>,
    /// For each drive: the flexible wheel that it turns.
    pub(crate) drive_flexible: Vec<Option<usize>>,
    /// For each drive: rolling radius of that tyre, m. Written by `update_contacts`.
    pub(crate) rolling_radius: Vec<f64>,
    /// For each drive: what it adds to its target rate, rad/s, and the state that holds it. Written by `update_corrections`.
    pub(crate) correction: Vec<f64>,
    pub(crate) correction_state: Vec<Option<usize>>,
    /// Forces of the tyres at the last evaluation. Written by `update_contacts`.
    pub(crate) tyre_forces: Vec<TyreForce>,
    /// Forces of the soil at the last evaluation.
    pub(crate) soil_forces: Vec<SoilForce>,
    /// Contact states that the last evaluation used. Written by `update_contacts`.
    pub(crate) z_used: Vec<f64>,
    /// Their rates. Written by `update_contacts`.
    pub(crate) z_rate: Vec<f64>,
    /// Powers at the last accepted point of an implicit method. Written by `Mechanical::contact_states`.
    pub(crate) accepted_powers: Powers,
    /// Whether the last evaluation was that of `Mechanical::linearised`, so that the accepted state is very near it.
    pub(crate) linearised: bool,
    /// Momentum of a step, where nothing holds the system. Written by `Mechanical::remember_invariants` and `linearised`.
    pub(crate) floating: Option<Floating>,
    /// Commands that it follows. Written by `take_inputs`.
    pub(crate) inputs: Vec<Option<Commanded>>,
    /// Scales of the explicit integrator's state.
    pub(crate) scales: Vec<f64>,
    pub(crate) a: Vec<f64>,
    pub(crate) lambda: Vec<f64>,
    pub(crate) q_stage: Vec<f64>,
    pub(crate) v_stage: Vec<f64>,
}

impl System {
    /// Puts the contacts on the links of a compiled model.
    pub(crate) fn new(
        description: &WorldDescription,
        model: Model,
        tyres: Vec<BrushTyre>,
        pairs: Vec<PairOnLinks>,
        carried: Vec<Option<Carried>>,
    ) -> Result<System, Vec<WorldError>> {
        let tyres: Vec<TyreOnLink> = description
            .tyres
            .iter()
            .zip(tyres)
            .map(|(d, tyre)| {
                let at = &model.bodies[d.body];
                let (p_LC, axis_L) = (at.X_LB.point(&d.centre), at.X_LB.R * d.axis);
                TyreOnLink { name: d.name.clone(), tyre, body: d.body, link: at.link, p_LC, axis_L }
            })
            .collect();
        let drive_tyre: Vec<Option<usize>> = model
            .drives
            .iter()
            .map(|d| tyres.iter().position(|t| t.body == model.joints[d.axis.joint].child))
            .collect();
        let is_on = |f: &crate::description::Flexible, body: usize| {
            f.wheel.is_some() && f.carrier.as_ref().is_some_and(|on| on.body == body)
        };
        let drive_flexible: Vec<Option<usize>> = model
            .drives
            .iter()
            .map(|d| {
                let body = model.joints[d.axis.joint].child;
                description.flexible.iter().position(|f| is_on(f, body))
            })
            .collect();
        let soil_bodies = SoilOnLink::all(description, &model);
        let nz = tyres.len() * STATES + pairs.iter().map(PairOnLinks::states).sum::<usize>();
        let flexible = FlexPart::all(description, &model, carried, nz);
        let nz = nz + flexible.iter().filter_map(|p| Some(p.contact.as_ref()?.states())).sum::<usize>();
        let feet = FootOnLink::all(description, &model, nz)?;
        let mut nz = nz + feet.len() * foot::STATES;
        let correction_state = crate::ground_speed::states(&model, &mut nz);
        let behind = flexible.last().map_or(0, |part| part.range().end);
        let (nq, nv) = (model.nq + behind, model.nv + behind);
        let mut system = System {
            cache: Cache::new(&model),
            constrained: Constrained::new(&model),
            rolling_radius: vec![f64::NAN; drive_tyre.len()],
            correction: vec![0.0; drive_tyre.len()],
            correction_state,
            drive_tyre,
            drive_flexible,
            tyre_forces: vec![apart(); tyres.len()],
            standings: vec![Standing::new(); tyres.len()],
            soil_forces: vec![SoilForce::default(); soil_bodies.len()],
            soil_bodies,
            soil: SoilParts::new(description, &flexible).map(Box::new),
            pairs,
            polygonal: PolygonalOnLinks::all(description, &model),
            slopes: Box::default(),
            booms: BoomOnLinks::all(description, &model),
            captures: CaptureOnLinks::all(description),
            flexible,
            feet,
            environment: Environment::new(&description.satellites),
            devices: Arc::default(),
            z_used: vec![0.0; nz],
            z_rate: vec![0.0; nz],
            accepted_powers: Powers::default(),
            linearised: false,
            floating: None,
            inputs: vec![None; description.inputs.len()],
            scales: vec![1.0; nq + nv + nz + WORKS],
            a: vec![0.0; nv],
            lambda: vec![0.0; model.nc],
            q_stage: vec![0.0; nq],
            v_stage: vec![0.0; nv],
            model,
            ground: RigidGround::new(description),
            tyres,
        };
        let turns = matches!(description.study, Some(crate::description::Study::Gradability(_)));
        system.floating = system.floats(turns).then(Floating::default);
        Ok(system)
    }

    /// Threads that may evaluate contacts side by side.
    pub(crate) fn use_threads(&mut self, threads: usize) {
        if let Some(parts) = &mut self.soil {
            parts.threads = threads;
        }
    }

    /// Number of contact states.
    pub(crate) fn nz(&self) -> usize {
        self.z_used.len()
    }

    /// The first drive that follows a rim speed on a joint without tyre.
    pub(crate) fn drive_without_tyre(&self) -> Option<&str> {
        let mut drives = self.model.drives.iter().zip(self.drive_tyre.iter().zip(&self.drive_flexible));
        drives
            .find(|(d, (t, f))| matches!(d.kind, DriveKind::RimSpeed { .. }) && t.is_none() && f.is_none())
            .map(|(d, _)| d.name.as_str())
    }

    /// Rates of the joints by which drives turn wheels with tyres.
    pub(crate) fn braked_rates(&self) -> impl Iterator<Item = usize> + '_ {
        let wheels = self.drive_tyre.iter().zip(&self.drive_flexible);
        let drives = self.model.drives.iter().zip(wheels).filter(|(_, (t, f))| t.is_some() || f.is_some());
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

    /// contacts, elements, drives: ⇒ wrenches, generalised forces, powers; with weights also their tangents. Needs kinematics.
    pub(crate) fn update_forces(&mut self, at: &Instant, weights: Option<Weights>) -> Powers {
        self.update_forces_with(at, weights, Contacts::Evaluated(weights))
    }

    /// The same with a choice for the contacts with soil.
    pub(crate) fn update_forces_with(
        &mut self,
        at: &Instant,
        weights: Option<Weights>,
        soil: Contacts,
    ) -> Powers {
        self.cache.clear_forces(weights.is_some());
        self.follow_devices(at);
        let turning = self.update_gravity(at);
        let mut powers = self.update_contacts(at, weights);
        self.place_flexible(at);
        powers.dissipated += self.update_soil(at, soil).dissipated;
        let pairs = self.update_pairs(at, weights);
        powers.elastic += pairs.elastic;
        powers.dissipated += pairs.dissipated;
        let polygonal = self.update_polygonal(at, weights);
        powers.elastic += polygonal.elastic;
        powers.dissipated += polygonal.dissipated;
        powers.drives += polygonal.drives;
        powers.loads += self.update_environment(at.t).loads;
        let devices = self.update_devices(at);
        powers.drives += devices.drives;
        powers.loads += devices.loads;
        let booms = self.update_booms(at.t, weights);
        powers.elastic += booms.elastic;
        powers.dissipated += booms.dissipated;
        powers.drives += booms.drives;
        let feet = self.update_feet(at, weights);
        powers.elastic += feet.elastic;
        powers.dissipated += feet.dissipated;
        if !self.flexible.is_empty() {
            let flexible = self.update_flexible(at, weights);
            powers.elastic += flexible.elastic;
            powers.dissipated += flexible.dissipated;
            for k in 0..self.drive_flexible.len() {
                let Some(i) = self.drive_flexible[k] else { continue };
                let deformation = self.flexible_wheel(i).map_or(0.0, |s| s.deformation);
                let rolls = |w: FlexWheel| w.radius - w.rolling_share * deformation;
                self.rolling_radius[k] = self.flexible[i].wheel.map_or(f64::NAN, rolls);
            }
        }
        self.update_corrections(at);
        let (q, v) = (&at.q[..self.model.nq], &at.v[..self.model.nv]);
        let elements_at =
            At { t: at.t, q, v, rolling_radius: &self.rolling_radius, correction: &self.correction };
        let elements = elements::update(&self.model, &elements_at, weights, &mut self.cache);
        self.cache.gather_wrenches(&self.model);
        powers.elastic += elements.elastic;
        powers.dissipated += elements.dissipated;
        powers.drives += elements.drives;
        powers.loads += elements.loads + turning;
        powers
    }

    fn update_contacts(&mut self, at: &Instant, weights: Option<Weights>) -> Powers {
        let mut powers = Powers::default();
        for i in 0..self.tyres.len() {
            if !self.update_standing(i) {
                return powers;
            }
            let motion = self.wheel_motion(i);
            let (on, footing) = (&self.tyres[i], self.standings[i].footing);
            let slot = STATES * i..STATES * (i + 1);
            let (base, h) = match at.z {
                ContactStates::Given(z) => ([z[slot.start], z[slot.start + 1]], 0.0),
                ContactStates::Implicit { base, h } => ([base[slot.start], base[slot.start + 1]], h),
            };
            let place = (on.body, motion.p_WC);
            let (force, used) = match weights {
                None => {
                    let (force, used) = on.tyre.calc_force_at(&motion, &footing.plane, &base, h);
                    push::add_contact(&self.model, &mut self.cache, place, &force.wrench_C, None);
                    (force, used)
                }
                Some(w) => {
                    let (force, tangent, used) = on.tyre.calc_force_on(&motion, &footing, &base, h);
                    let slope = tangent.K * w.q + tangent.D * w.v;
                    push::add_contact(
                        &self.model,
                        &mut self.cache,
                        place,
                        &force.wrench_C,
                        Some((&slope, w.q)),
                    );
                    (force, used)
                }
            };
            self.z_used[slot.clone()].copy_from_slice(&used);
            self.z_rate[slot].copy_from_slice(&force.state_rate);
            powers.elastic += force.elastic_energy;
            powers.dissipated += force.dissipated_power;
            self.tyre_forces[i] = force;
        }
        for (radius, tyre) in self.rolling_radius.iter_mut().zip(&self.drive_tyre) {
            if let Some(i) = *tyre {
                *radius = self.tyres[i].tyre.params().radius - self.tyre_forces[i].deformation;
            }
        }
        powers
    }

    /// The plane that a tyre stands on, as of the last evaluation.
    pub(crate) fn ground_under(&self, tyre: usize) -> &GroundPlane {
        &self.standings[tyre].footing.plane
    }

    /// Motion of a wheel as its tyre sees it. Needs kinematics.
    pub(crate) fn wheel_motion(&self, i: usize) -> WheelMotion {
        let on = &self.tyres[i];
        self.motion_on_link(on.link, &on.p_LC, &on.axis_L)
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
        self.flexible_accelerations();
        self.check_finite()
    }

    /// The error for a rate whose motion is not finite.
    pub(crate) fn not_finite(&self, rate: usize) -> DynamicsError {
        match self.flexible_name(rate) {
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
        powers.drives +=
            touchdown_multibody::rigid::constraint::prescribed_power(&self.model, &self.lambda, t);
        Ok(powers)
    }

    /// The evaluation point of the drives, for recording.
    pub(crate) fn at<'a>(&'a self, t: f64, q: &'a [f64], v: &'a [f64]) -> At<'a> {
        let (q, v) = (&q[..self.model.nq], &v[..self.model.nv]);
        At { t, q, v, rolling_radius: &self.rolling_radius, correction: &self.correction }
    }
}

/// Quadrature states behind q, v, z in the explicit integrator's vector: dissipated energy, work of drives, work of loads.
pub(crate) const WORKS: usize = 3;

fn apart() -> TyreForce {
    let motion =
        WheelMotion { p_WC: Vec3::z() * 2.0, axis_W: Vec3::y(), v_WC: Vec3::zeros(), w_WB: Vec3::zeros() };
    let ground = GroundPlane { point: Vec3::zeros(), normal: Vec3::z() };
    let params = touchdown_contact::tyre::BrushParameters {
        radius: 1.0,
        ..touchdown_contact::tyre::BrushParameters::SAMARINI
    };
    match BrushTyre::new(params) {
        Ok(tyre) => tyre.calc_force(&motion, &ground, &[0.0; STATES]),
        Err(_) => unreachable!("the published parameters are within their ranges"),
    }
}
