//! A parametric airless wheel: rim of curved plates, straight or curved spokes, and a hub that is one reference node.
//!
//! The wheel turns about y; at orientation zero a spoke points down (−z). The rim's mid-surface is at R −
//! t/2, spokes reach up to it (the overlap counts twice), tangents of rim elements have the length
//! 4·tan(Δ/4)/Δ with which a cubic approximates a circle best, and thickness vectors are interpolated
//! linearly: with elements of 90° the rim is thinner between its nodes.

use super::FlexError;
use super::material::{Material, out_of_range};
use super::mesh::{FlexMesh, MeshBuilder, PlateElement};
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;
use touchdown_math::{Elementary, Mat3, Vec3};

/// Largest sweep of a spoke, rad.
const SWEEP_MAX: f64 = std::f64::consts::PI;

/// Form of a wheel; lengths in m.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WheelForm {
    /// Outer radius R.
    pub radius: f64,
    /// Width of rim and spokes.
    pub width: f64,
    /// Radius at which the spokes begin.
    pub hub_radius: f64,
    /// Thickness of the rim.
    pub rim_thickness: f64,
    /// Thickness of the spokes.
    pub spoke_thickness: f64,
    /// Rim elements of a quarter turn.
    pub elements_per_quadrant: usize,
    /// Elements along each spoke; as many as in a quarter of the rim if not given.
    pub elements_per_spoke: Option<usize>,
    /// Elements across the width.
    pub elements_across: usize,
    /// Number of spokes; it divides 4·`elements_per_quadrant`.
    pub spokes: usize,
    /// Angle about the hub from the inner to the outer end of a spoke, rad: an arc on which the angle grows with the radius. Zero: straight.
    pub spoke_sweep: f64,
    /// Turn of the wheel in its stress-free form, rad: at zero a spoke points down.
    pub orientation: f64,
}

/// The wheel of a six-wheeled rover of 320 kg: with [`default_material`] its mass is 4.442 kg, and it carries 198 N at about 24 mm.
impl Default for WheelForm {
    fn default() -> Self {
        WheelForm {
            radius: 0.1425,
            width: 0.12,
            hub_radius: 0.06,
            rim_thickness: 0.02632,
            spoke_thickness: 0.02632,
            elements_per_quadrant: 1,
            elements_per_spoke: None,
            elements_across: 1,
            spokes: 4,
            spoke_sweep: 0.0,
            orientation: 0.0,
        }
    }
}

/// E = 280 kPa (assumed: the printed 28 kPa carries a tenth of the load), ν = 0, ρ = 1500 kg/m³ (Samarini et al., section 7.3).
pub fn default_material() -> Material {
    Material::elastic(280e3, 0.0, 1500.0)
}

/// A wheel in a mesh: numbers of its nodes and elements.
#[derive(Clone, Debug, PartialEq)]
pub struct Wheel {
    /// The reference node at its centre, to which the inner nodes of the spokes are tied.
    pub hub: usize,
    /// Elements of the rim, from the downward spoke (at orientation zero) towards +x; ζ = ½ is the outer face.
    pub rim: Vec<usize>,
    /// Elements of the spokes.
    pub spokes: Vec<usize>,
}

impl WheelForm {
    /// Checks sizes and counts.
    pub fn check(&self) -> Result<(), FlexError> {
        let positive = |what: &str, found: f64| {
            let good = found > 0.0 && found.is_finite();
            if good { Ok(()) } else { Err(out_of_range(what, "positive", found)) }
        };
        positive("radius", self.radius)?;
        positive("width", self.width)?;
        positive("hub_radius", self.hub_radius)?;
        positive("rim_thickness", self.rim_thickness)?;
        positive("spoke_thickness", self.spoke_thickness)?;
        if self.hub_radius >= self.middle() {
            return Err(out_of_range("hub_radius", "less than radius - rim_thickness/2", self.hub_radius));
        }
        if self.spoke_sweep.is_nan() || self.spoke_sweep.abs() > SWEEP_MAX {
            return Err(out_of_range("spoke_sweep", "at most half a turn", self.spoke_sweep));
        }
        positive("elements_per_quadrant", self.elements_per_quadrant as f64)?;
        positive("elements_per_spoke", self.along() as f64)?;
        positive("elements_across", self.elements_across as f64)?;
        if self.spokes == 0 || !(4 * self.elements_per_quadrant).is_multiple_of(self.spokes) {
            return Err(out_of_range("spokes", "a divisor of 4*elements_per_quadrant", self.spokes as f64));
        }
        Ok(())
    }

    /// Elements along each spoke.
    fn along(&self) -> usize {
        self.elements_per_spoke.unwrap_or(self.elements_per_quadrant)
    }

    /// Radius of the rim's mid-surface, m.
    pub fn middle(&self) -> f64 {
        self.radius - 0.5 * self.rim_thickness
    }

    /// Length of a spoke's middle line, m, by Simpson's rule: its speed is smooth, which leaves less than 1e-6 of it.
    pub fn spoke_length(&self) -> f64 {
        const INTERVALS: usize = 16;
        let speed = |k: usize| self.spoke_along(k as f64 / INTERVALS as f64, &Vec3::x(), &Vec3::z()).norm();
        let weight = |k: usize| if k == 0 || k == INTERVALS { 1.0 } else { 2.0 + 2.0 * (k % 2) as f64 };
        (0..=INTERVALS).map(|k| weight(k) * speed(k)).sum::<f64>() / (3 * INTERVALS) as f64
    }

    /// Derivative of a spoke's middle line by its share from hub to rim, between the directions outward and forward there.
    fn spoke_along(&self, share: f64, outward: &Vec3, forward: &Vec3) -> Vec3 {
        let height = self.middle() - self.hub_radius;
        outward * height + forward * ((self.hub_radius + share * height) * self.spoke_sweep)
    }

    /// A mesh of this wheel alone, centre at the origin.
    pub fn mesh(&self, material: &Material) -> Result<(FlexMesh, Wheel), FlexError> {
        let mut builder = MeshBuilder::new();
        let material = builder.material(*material);
        let wheel = self.add_to(&mut builder, material, &Vec3::zeros())?;
        Ok((builder.build()?, wheel))
    }

    /// Adds the wheel to a mesh.
    pub fn add_to(
        &self,
        builder: &mut MeshBuilder,
        material: usize,
        centre: &Vec3,
    ) -> Result<Wheel, FlexError> {
        self.check()?;
        let (around, across, along) = (4 * self.elements_per_quadrant, self.elements_across, self.along());
        let step = TAU / around as f64;
        // Outward and forward directions at an angle from the first spoke.
        let outward = |k: usize| direction(self.orientation + k as f64 * step);
        let forward = |k: usize| direction(self.orientation + k as f64 * step + TAU / 4.0);
        let side = |m: usize| Vec3::new(0.0, self.width * (0.5 - m as f64 / across as f64), 0.0);
        let hub = builder.node(*centre);
        let mut ring = Vec::with_capacity(around * (across + 1));
        for k in 0..around {
            for m in 0..=across {
                ring.push(builder.node(centre + outward(k) * self.middle() + side(m)));
            }
        }
        let at = |k: usize, m: usize| ring[(k % around) * (across + 1) + m];
        let mut wheel = Wheel { hub, rim: Vec::new(), spokes: Vec::new() };
        let axial = -Vec3::y();
        let breadth = self.width / across as f64;
        let tangent = 4.0 * (step / 4.0).tangent() / step;
        for k in 0..around {
            let frame = |k: usize| Mat3::from_columns(&[forward(k) * tangent, axial, outward(k)]);
            for m in 0..across {
                wheel.rim.push(builder.plate(PlateElement {
                    nodes: [at(k, m), at(k + 1, m), at(k + 1, m + 1), at(k, m + 1)],
                    sizes: [self.middle() * step, breadth, self.rim_thickness],
                    gradients: [frame(k), frame(k + 1), frame(k + 1), frame(k)],
                    material,
                }));
            }
        }
        let length = (self.middle() - self.hub_radius) / along as f64;
        let whole = self.spoke_length();
        let size = if self.spoke_sweep == 0.0 { length } else { whole / along as f64 };
        for spoke in 0..self.spokes {
            let k = spoke * around / self.spokes;
            // Outward direction and frame of the n-th node from the hub.
            let turned = |n: usize| {
                let back = self.spoke_sweep * (1.0 - n as f64 / along as f64);
                let angle = self.orientation + k as f64 * step - back;
                let (outward, forward) = (direction(angle), direction(angle + TAU / 4.0));
                if self.spoke_sweep == 0.0 {
                    return (outward, Mat3::from_columns(&[outward, axial, -forward]));
                }
                let along = self.spoke_along(n as f64 / along as f64, &outward, &forward) / whole;
                (outward, Mat3::from_columns(&[along, axial, along.cross(&axial).normalize()]))
            };
            let mut inner: Vec<usize> = Vec::new();
            for n in 0..along {
                let nodes: Vec<usize> = (0..=across)
                    .map(|m| {
                        let place = turned(n).0 * (self.hub_radius + n as f64 * length);
                        builder.node(centre + place + side(m))
                    })
                    .collect();
                if n == 0 {
                    nodes.iter().for_each(|node| builder.tie(*node, hub));
                } else {
                    let frames = [turned(n - 1).1, turned(n).1];
                    self.add_spoke(builder, &mut wheel, (&inner, &nodes), (size, breadth), frames, material);
                }
                inner = nodes;
            }
            let outer: Vec<usize> = (0..=across).map(|m| at(k, m)).collect();
            let frames = [turned(along - 1).1, turned(along).1];
            self.add_spoke(builder, &mut wheel, (&inner, &outer), (size, breadth), frames, material);
        }
        Ok(wheel)
    }

    fn add_spoke(
        &self,
        builder: &mut MeshBuilder,
        wheel: &mut Wheel,
        (inner, outer): (&[usize], &[usize]),
        (length, breadth): (f64, f64),
        [near, far]: [Mat3; 2],
        material: usize,
    ) {
        for m in 0..self.elements_across {
            wheel.spokes.push(builder.plate(PlateElement {
                nodes: [inner[m], outer[m], outer[m + 1], inner[m + 1]],
                sizes: [length, breadth, self.spoke_thickness],
                gradients: [near, far, far, near],
                material,
            }));
        }
    }
}

/// Direction in the plane of the wheel: zero is down, a quarter turn is forward (+x).
fn direction(angle: f64) -> Vec3 {
    Vec3::new(angle.sine(), 0.0, -angle.cosine())
}
