//! Scratch of one evaluation. May be thrown away at any time; each block names the function that writes it.

use super::Model;
use super::limited::Branch;
use super::parts::Parts;
use touchdown_math::{Inertia, Mat3, Mat6, Motion, Vec3, Wrench};

/// Working memory for one model. All spatial vectors are in world axes about `c` unless a line says otherwise.
#[derive(Clone, Debug)]
pub struct Cache {
    // --- kinematics::update_positions ---
    /// Coordinates to which the following belong, nq; not numbers before the first.
    pub(super) q: Vec<f64>,
    /// The reference point c, in the world, m.
    pub c: Vec3,
    /// Rotation of each link frame, nl.
    pub R_WL: Vec<Mat3>,
    /// Origin of each link, m, nl.
    pub p_WL: Vec<Vec3>,
    /// Axis of each rate, nv.
    pub S: Vec<Motion>,
    /// Inertia of each link, nl.
    pub I: Vec<Inertia>,
    // --- kinematics::update_velocities ---
    /// Velocity of each link, nl.
    pub V: Vec<Motion>,
    /// Acceleration of each link at zero joint accelerations, without gravity, nl.
    pub A_bias: Vec<Motion>,
    // --- elements (cleared by `clear_forces`) ---
    /// External wrench on each body, nb.
    pub W_body: Vec<Wrench>,
    /// External wrench on each link: sum over its bodies, nl (`gather_wrenches`).
    pub W: Vec<Wrench>,
    /// Generalised forces of drives and joint elements, nv.
    pub tau: Vec<f64>,
    /// Minus the weighted derivative of the wrench on each link by its own motion, nl (`add_block`).
    pub E: Vec<Mat6>,
    /// Weighted derivatives between two moving links: (link of the wrench, link of the motion, block).
    pub E_pair: Vec<(usize, usize, Mat6)>,
    /// Minus the weighted derivative of `tau` by its own coordinate and rate, nv.
    pub e: Vec<f64>,
    /// Energy stored and powers of each independent part; none if the mechanism is one part.
    pub parts: Parts,
    // --- limited, stops ---
    /// The branch each limited force is held on, drives first, then elements, nd + ne.
    pub(super) branches: Vec<Branch>,
    /// Whether steps book the heat of stops (`stops::heat_of_step`), so that evaluations do not. Set once, by who integrates.
    pub steps_book_stops: bool,
    // --- inverse::calc, tangent::calc ---
    /// Acceleration of each link, gravity included as an upward acceleration of the world, nl.
    pub A: Vec<Motion>,
    /// Wrench each link needs; summed outboard it becomes the wrench through its joint, nl.
    pub f: Vec<Wrench>,
    /// Composite inertia, nl.
    pub IC: Vec<Inertia>,
    /// Composite of twice the Coriolis operator, upper left block, nl.
    pub B: Vec<Mat3>,
    /// Composite momentum (the lower left block of twice the Coriolis operator is −2F×), nl.
    pub F: Vec<Vec3>,
    /// Composite of `E`, nl.
    pub EC: Vec<Mat6>,
    /// Composite external wrench, nl.
    pub WC: Vec<Wrench>,
    /// Right factors of the tangent, nv: x (angular part suffices), y.
    pub x: Vec<Vec3>,
    /// See `x`.
    pub y: Vec<Motion>,
    // --- forward::calc: articulated inertia [I H; Hᵀ M] and bias about each link's own origin, nl ---
    pub(super) art_I: Vec<Mat3>,
    pub(super) art_H: Vec<Mat3>,
    pub(super) art_M: Vec<Mat3>,
    pub(super) art_p: Vec<Wrench>,
    pub(super) art_V: Vec<Motion>,
    pub(super) art_c: Vec<Motion>,
    pub(super) art_A: Vec<Motion>,
}

impl Cache {
    /// Memory for a model; nothing allocates after this.
    pub fn new(model: &Model) -> Self {
        let (nl, nv, nb) = (model.links.len(), model.nv, model.bodies.len());
        Cache {
            q: vec![f64::NAN; model.nq],
            c: Vec3::zeros(),
            R_WL: vec![Mat3::identity(); nl],
            p_WL: vec![Vec3::zeros(); nl],
            S: vec![Motion::zero(); nv],
            I: vec![Inertia::zero(); nl],
            V: vec![Motion::zero(); nl],
            A_bias: vec![Motion::zero(); nl],
            W_body: vec![Wrench::zero(); nb],
            W: vec![Wrench::zero(); nl],
            tau: vec![0.0; nv],
            E: vec![Mat6::zeros(); nl],
            E_pair: Vec::with_capacity(2 * (model.elements.len() + model.constraints.len())),
            e: vec![0.0; nv],
            parts: Parts::default(),
            branches: vec![Branch::Own; model.drives.len() + model.elements.len()],
            steps_book_stops: false,
            A: vec![Motion::zero(); nl],
            f: vec![Wrench::zero(); nl],
            IC: vec![Inertia::zero(); nl],
            B: vec![Mat3::zeros(); nl],
            F: vec![Vec3::zeros(); nl],
            EC: vec![Mat6::zeros(); nl],
            WC: vec![Wrench::zero(); nl],
            x: vec![Vec3::zeros(); nv],
            y: vec![Motion::zero(); nv],
            art_I: vec![Mat3::zeros(); nl],
            art_H: vec![Mat3::zeros(); nl],
            art_M: vec![Mat3::zeros(); nl],
            art_p: vec![Wrench::zero(); nl],
            art_V: vec![Motion::zero(); nl],
            art_c: vec![Motion::zero(); nl],
            art_A: vec![Motion::zero(); nl],
        }
    }

    /// Clears all forces, before elements and contacts add theirs; tangents only if requested.
    pub fn clear_forces(&mut self, tangents: bool) {
        self.W_body.fill(Wrench::zero());
        self.tau.fill(0.0);
        self.parts.clear();
        if tangents {
            self.E.fill(Mat6::zeros());
            self.E_pair.clear();
            self.e.fill(0.0);
        }
    }

    /// Sums the wrenches on the bodies into wrenches on the links.
    pub fn gather_wrenches(&mut self, model: &Model) {
        self.W.fill(Wrench::zero());
        for (body, wrench) in model.bodies.iter().zip(&self.W_body) {
            if body.link != super::WORLD {
                self.W[body.link] += *wrench;
            }
        }
    }
}
