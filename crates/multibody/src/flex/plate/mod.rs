//! The fully parameterised plate of the absolute nodal coordinate formulation: four nodes, 48 coordinates.
//!
//! # Model
//! A body point (x, y, z) of an element of size a × b × t is at r = Σ sᵢ(x, y, z)·eᵢ with 16 nodal vectors eᵢ: position and three
//! gradients r_x, r_y, r_z at four corners. Any values of these vectors may be the stress-free form: with J₀
//! = ∂X/∂x from the reference vectors, F = (∂r/∂x)·J₀⁻¹, E = ½(FᵀF − 1), and the energy is ½∫E:C:E dV₀. Mass
//! ρ∫sᵢsⱼ dV₀ is constant; there are no centrifugal or Coriolis forces.
//!
//! # Evaluation
//! E is linear in the products eᵢ·eₖ, so the energy is a quadratic form ½ΔᵀKΔ of the change Δ of these products, with K constant
//! ([`gram`]): quadrature is done once, so that its order has no cost. Elements of the same form share one K.
//! Differences of positions make 15 vectors out of 16 (120 products), and keep digits far from the origin.
//! [`points`] evaluates by quadrature at every call: it is the reference for tests, and is used for viscous
//! fluids and meshes of many different elements.
//!
//! # Valid when
//! Bending of a 90° arc or of a plate with one element locks (too stiff by 4/3 at n = 1; error 1/(4n²) for n elements along a
//! cantilever). Thickness locking for ν > 0: see [`Locking`].
//!
//! # References
//! Mikkola & Shabana (2003) for the element; Samarini et al., Eqs. (3)–(5), with the errors of the printed
//! functions corrected.

pub mod assumed;
pub mod gram;
mod look;
pub mod points;
mod products;
mod recover;
mod shape;

pub use look::Strained;
pub use recover::{Recovered, recover};
pub use shape::{Shape, VECTORS, shape};

use super::FlexError;
use super::material::{Damping, Locking, Material, Moduli};
use super::quadrature::Order;
use gram::Gram;
use touchdown_math::{Mat3, Vec3};

/// Nodal vectors of a plate by components: `e[c][i]` is component c of vector i (r, r_x, r_y, r_z of nodes 1 to 4).
pub type Nodal = [[f64; VECTORS]; 3];
/// Derivatives of the 48 forces: `[i][j]` are 3 × 3 blocks ∂fᵢ/∂eⱼ in row order.
pub type Blocks = [[[f64; 9]; VECTORS]; VECTORS];

/// Energy and power of an element.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energies {
    /// Stored in the strain, J.
    pub elastic: f64,
    /// Turned into heat by viscous stress, W; never negative.
    pub dissipated: f64,
}

/// Derivatives wanted from an evaluation: `position`·∂f/∂e + `velocity`·∂f/∂ė.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// Weight of ∂f/∂e.
    pub position: f64,
    /// Weight of ∂f/∂ė.
    pub velocity: f64,
}

/// How forces are evaluated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Evaluation {
    /// Constant matrices: the same cost at every order of quadrature.
    #[default]
    Gram,
    /// Quadrature at every call: less memory where all elements differ.
    Points,
}

/// A quadrature point: weight (volume, m³), gradients of the shape functions in the axes of the plate, and which moduli act.
#[derive(Clone, Debug, PartialEq)]
pub struct QuadraturePoint {
    /// Share of the stress-free volume, m³.
    pub weight: f64,
    /// ∂sᵢ/∂X along the plate's axes 1, 2 (in the plane) and 3 (normal).
    pub slope: [[f64; VECTORS]; 3],
    /// Whether the moduli of the mid-surface act here.
    pub is_middle: bool,
}

/// All constants of a plate's form and material; elements of the same form may share them. The debug output
/// leaves out data derived from form and material, because the matrices would fill pages.
#[derive(Clone)]
pub struct PlateTables {
    /// a, b, t, m.
    pub sizes: [f64; 3],
    /// Stress-free nodal vectors.
    pub reference: Nodal,
    /// The material.
    pub material: Material,
    /// Quadrature of the elastic forces.
    pub order: Order,
    /// Stress-free volume, m³.
    pub volume: f64,
    /// Compact mass matrix, kg and powers of metres: it acts equally on each component.
    pub mass: [[f64; VECTORS]; VECTORS],
    /// Points of the quadrature.
    pub points: Vec<QuadraturePoint>,
    /// Points of the stress of a viscous fluid, which is not polynomial: no number of points is exact. Empty
    /// with other laws.
    pub fluid_points: Vec<QuadraturePoint>,
    /// Points at which elements are checked.
    probes: Vec<QuadraturePoint>,
    moduli: Moduli,
    middle: Moduli,
    gram: Option<Gram>,
}

impl std::fmt::Debug for PlateTables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PlateTables")
            .field("sizes", &self.sizes)
            .field("reference", &self.reference)
            .field("material", &self.material)
            .field("order", &self.order)
            .finish_non_exhaustive()
    }
}

/// Where volume is measured when elements are checked: corners of both faces and the middle.
const PROBES: [[f64; 3]; 9] = [
    [0.0, 0.0, -0.5],
    [1.0, 0.0, -0.5],
    [1.0, 1.0, -0.5],
    [0.0, 1.0, -0.5],
    [0.5, 0.5, 0.0],
    [0.0, 0.0, 0.5],
    [1.0, 0.0, 0.5],
    [1.0, 1.0, 0.5],
    [0.0, 1.0, 0.5],
];

/// Quadrature of the mass: exact for flat plates, and to round-off for arcs.
const MASS_ORDER: Order = Order { plane: 8, thickness: 4 };

/// ∂r/∂x at a point of given nodal vectors.
pub fn jacobian(e: &Nodal, slope: &[[f64; VECTORS]; 3]) -> Mat3 {
    Mat3::from_fn(|c, d| (0..VECTORS).map(|i| e[c][i] * slope[d][i]).sum())
}

impl PlateTables {
    /// Tables of an element; `element` is its number for messages.
    pub fn new(
        element: usize,
        sizes: [f64; 3],
        reference: &Nodal,
        material: &Material,
        order: Order,
        evaluation: Evaluation,
    ) -> Result<Self, FlexError> {
        material.check()?;
        for (what, found) in ["length", "width", "thickness"].into_iter().zip(sizes) {
            if !(found > 0.0 && found.is_finite()) {
                return Err(FlexError::NoExtent { element, what, found });
            }
        }
        for at in PROBES {
            volume_ratio(element, sizes, reference, at)?;
        }
        let (moduli, middle) = material.moduli();
        let mut tables = PlateTables {
            sizes,
            reference: *reference,
            material: *material,
            order,
            volume: 0.0,
            mass: [[0.0; VECTORS]; VECTORS],
            points: Vec::new(),
            fluid_points: Vec::new(),
            probes: Vec::new(),
            moduli,
            middle: middle.unwrap_or_default(),
            gram: None,
        };
        let box_volume: f64 = sizes.iter().product();
        for (at, share) in MASS_ORDER.points() {
            let s = shape(sizes, at);
            let ratio = volume_ratio(element, sizes, reference, at)?;
            let volume = share * box_volume * ratio;
            tables.volume += volume;
            for i in 0..VECTORS {
                for j in 0..VECTORS {
                    tables.mass[i][j] += material.density * volume * s.value[i] * s.value[j];
                }
            }
        }
        let sample = |order: Order, is_middle: bool| -> Vec<QuadraturePoint> {
            order
                .points()
                .iter()
                .map(|(at, share)| tables.point(*at, share * box_volume, is_middle))
                .collect()
        };
        let mut points = sample(order, false);
        if middle.is_some() {
            points.extend(sample(Order { plane: order.plane, thickness: 1 }, true));
        }
        let fluid_points =
            if tables.is_fluid() { sample(order.at_most(Order::REDUCED), false) } else { Vec::new() };
        let probes = PROBES.iter().map(|at| tables.point(*at, 0.0, false)).collect();
        (tables.points, tables.fluid_points, tables.probes) = (points, fluid_points, probes);
        if evaluation == Evaluation::Gram || material.locking == Locking::Assumed {
            tables.gram = Some(Gram::new(&tables));
        }
        Ok(tables)
    }

    /// Whether two tables differ at most in their stress-free vectors.
    pub(crate) fn is_for(&self, other: &PlateTables) -> bool {
        self.sizes == other.sizes
            && self.material == other.material
            && self.order == other.order
            && self.gram.is_some() == other.gram.is_some()
    }

    /// Whether the viscous stress is that of a fluid.
    fn is_fluid(&self) -> bool {
        matches!(self.material.damping, Damping::NavierStokes { .. })
    }

    /// The moduli that act at a point.
    pub(crate) fn moduli(&self, point: &QuadraturePoint) -> &Moduli {
        if point.is_middle { &self.middle } else { &self.moduli }
    }

    /// Sum of the moduli through the thickness and on the mid-surface, which acts on a uniform strain.
    pub(crate) fn moduli_together(&self) -> Moduli {
        let mut d = self.moduli;
        for a in 0..6 {
            for b in 0..6 {
                d[a][b] += self.middle[a][b];
            }
        }
        d
    }

    fn point(&self, at: [f64; 3], volume: f64, is_middle: bool) -> QuadraturePoint {
        let s = shape(self.sizes, at);
        let J0 = jacobian(&self.reference, &s.slope);
        let axes = plate_axes(&J0);
        // Volume was found positive before, so the inverse exists.
        let to_plate = J0.try_inverse().unwrap_or_else(Mat3::identity) * axes;
        let slope = std::array::from_fn(|b| {
            std::array::from_fn(|i| (0..3).map(|d| s.slope[d][i] * to_plate[(d, b)]).sum())
        });
        QuadraturePoint { weight: volume * J0.determinant(), slope, is_middle }
    }

    /// Elastic and viscous forces on the nodal vectors (added to `force` with their sign: they act against the deformation), and
    /// the weighted derivatives of these forces (added to `tangent`, which gets ∂f with that sign too).
    pub fn evaluate(
        &self,
        e: &Nodal,
        rate: &Nodal,
        force: &mut Nodal,
        tangent: Option<(Weights, &mut Blocks)>,
    ) -> Energies {
        let fluid = self.is_fluid();
        match (&self.gram, tangent) {
            (Some(gram), None) => {
                let mut energies = gram.force(self.material.damping_time(), e, rate, force);
                if fluid {
                    energies.dissipated += points::add_fluid(self, e, rate, force, None);
                }
                energies
            }
            (Some(gram), Some((weights, tangent))) => {
                let mut energies =
                    gram.tangent(self.material.damping_time(), e, rate, force, weights, tangent);
                if fluid {
                    energies.dissipated += points::add_fluid(self, e, rate, force, Some((weights, tangent)));
                }
                energies
            }
            (None, tangent) => points::evaluate(self, e, rate, force, tangent),
        }
    }

    /// Generalised forces of a pressure p (Pa, along the inner normal) on a face (ζ = ±½) that follows the deformation.
    pub fn add_pressure(&self, e: &Nodal, zeta: f64, pressure: f64, force: &mut Nodal) {
        let plane = Order { plane: self.order.plane, thickness: 1 };
        for ([xi, eta, _], share) in plane.points() {
            let s = shape(self.sizes, [xi, eta, zeta]);
            let J = jacobian(e, &s.slope);
            let area = J.column(0).cross(&J.column(1)) * (share * self.sizes[0] * self.sizes[1]);
            let push = area * (-zeta.signum() * pressure);
            for c in 0..3 {
                for i in 0..VECTORS {
                    force[c][i] += s.value[i] * push[c];
                }
            }
        }
    }
}

/// Axes of a plate in its stress-free form: along ∂X/∂x, in the plane, and normal.
pub(crate) fn plate_axes(J0: &Mat3) -> Mat3 {
    let first = J0.column(0).normalize();
    let normal = J0.column(0).cross(&J0.column(1)).normalize();
    let second: Vec3 = normal.cross(&first);
    Mat3::from_columns(&[first, second, normal])
}

/// Volume of the stress-free form over that of the straight element; an error if not positive.
fn volume_ratio(element: usize, sizes: [f64; 3], reference: &Nodal, at: [f64; 3]) -> Result<f64, FlexError> {
    let ratio = jacobian(reference, &shape(sizes, at).slope).determinant();
    if ratio > 0.0 { Ok(ratio) } else { Err(FlexError::Inverted { element, at, ratio }) }
}
