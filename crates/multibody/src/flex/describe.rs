//! Description of a mesh: the content of a mesh file. Files are not read here.
//!
//! ```toml
//! [[material]]
//! young_modulus_pa = 280e3
//! poisson_ratio = 0.0
//! density_kgpm3 = 1500.0
//!
//! nodes_m = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
//!
//! [[plate]]
//! nodes = [0, 1, 2, 3]        # counter-clockwise, seen from outside
//! thickness_m = 0.01
//!
//! [[tie]]                     # nodes that follow a reference node
//! to = 4
//! nodes = [0, 1]
//!
//! [[fix]]
//! node = 4
//! hold = "all"                # or "position"
//! ```
//! A plate without `gradients` is flat or ruled: its edges are straight, its normals those of the corners. With `gradients`, each node has the three
//! vectors ∂X/∂x, ∂X/∂y, ∂X/∂z for x from 0 to `size_m[0]`, y from 0 to `size_m[1]`, z through the thickness: curved forms.

use super::FlexError;
use super::cable::Section;
use super::material::{Damping, Locking, Material};
use super::mesh::{CableElement, Fix, FlexMesh, MeshBuilder, PlateElement};
use serde::{Deserialize, Serialize};
use touchdown_math::{Elementary, Mat3, Vec3};

/// A mesh as described.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeshDescription {
    /// Materials, numbered from zero.
    pub material: Vec<MaterialDescription>,
    /// Positions of the nodes in the stress-free form, m, numbered from zero.
    pub nodes_m: Vec<[f64; 3]>,
    /// Plates.
    #[serde(default)]
    pub plate: Vec<PlateDescription>,
    /// Cables; their elements are numbered behind the plates.
    #[serde(default)]
    pub cable: Vec<CableDescription>,
    /// Hubs.
    #[serde(default)]
    pub tie: Vec<TieDescription>,
    /// Supports.
    #[serde(default)]
    pub fix: Vec<FixDescription>,
}

/// A material as described.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MaterialDescription {
    /// E, Pa.
    pub young_modulus_pa: f64,
    /// ν.
    #[serde(default)]
    pub poisson_ratio: f64,
    /// ρ, kg/m³.
    pub density_kgpm3: f64,
    /// `none`, `split`, `plane-stress` or `assumed`.
    #[serde(default)]
    pub locking: LockingWord,
    /// γ of Kelvin–Voigt damping, s.
    #[serde(default)]
    pub damping_time_s: f64,
    /// λ of Navier–Stokes damping, Pa·s.
    #[serde(default)]
    pub bulk_viscosity_pas: f64,
    /// μ of Navier–Stokes damping, Pa·s.
    #[serde(default)]
    pub shear_viscosity_pas: f64,
}

/// Remedies by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LockingWord {
    /// [`Locking::None`].
    #[default]
    None,
    /// [`Locking::Split`].
    Split,
    /// [`Locking::PlaneStress`].
    PlaneStress,
    /// [`Locking::Assumed`].
    Assumed,
}

/// A plate as described.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlateDescription {
    /// Corners, counter-clockwise seen from the outer side.
    pub nodes: [usize; 4],
    /// Thickness, m.
    pub thickness_m: f64,
    /// Which material.
    #[serde(default)]
    pub material: usize,
    /// Extent of x and y, m; needed with `gradients`.
    #[serde(default)]
    pub size_m: Option<[f64; 2]>,
    /// At each node the vectors ∂X/∂x, ∂X/∂y, ∂X/∂z.
    #[serde(default)]
    pub gradients: Option<[[[f64; 3]; 3]; 4]>,
}

/// A cable as described: straight between its nodes, round.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CableDescription {
    /// Its ends.
    pub nodes: [usize; 2],
    /// Diameter, m.
    pub diameter_m: f64,
    /// Which material.
    #[serde(default)]
    pub material: usize,
}

/// Nodes that follow a reference node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TieDescription {
    /// The reference node.
    pub to: usize,
    /// Those that follow.
    pub nodes: Vec<usize>,
}

/// A support.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FixDescription {
    /// The node.
    pub node: usize,
    /// `all` or `position`.
    pub hold: Hold,
}

/// The components that a support holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Hold {
    /// Position and gradients.
    All,
    /// Position.
    Position,
}

impl MaterialDescription {
    /// The material, checked.
    pub fn material(&self) -> Result<Material, FlexError> {
        let is_fluid = self.bulk_viscosity_pas != 0.0 || self.shear_viscosity_pas != 0.0;
        if is_fluid && self.damping_time_s != 0.0 {
            return Err(super::material::out_of_range(
                "damping_time_s",
                "zero beside viscosities: one law at a time",
                self.damping_time_s,
            ));
        }
        let damping = if is_fluid {
            Damping::NavierStokes { bulk: self.bulk_viscosity_pas, shear: self.shear_viscosity_pas }
        } else if self.damping_time_s == 0.0 {
            Damping::None
        } else {
            Damping::KelvinVoigt { time: self.damping_time_s }
        };
        let locking = match self.locking {
            LockingWord::None => Locking::None,
            LockingWord::Split => Locking::Split,
            LockingWord::PlaneStress => Locking::PlaneStress,
            LockingWord::Assumed => Locking::Assumed,
        };
        let bare = Material::elastic(self.young_modulus_pa, self.poisson_ratio, self.density_kgpm3);
        let material = Material { locking, damping, ..bare };
        material.check()?;
        Ok(material)
    }
}

impl MeshDescription {
    /// A builder with the whole description, which can be extended.
    pub fn builder(&self) -> Result<MeshBuilder, FlexError> {
        let mut builder = MeshBuilder::new();
        for material in &self.material {
            builder.material(material.material()?);
        }
        for position in &self.nodes_m {
            builder.node(Vec3::from_row_slice(position));
        }
        let count = self.nodes_m.len();
        let known = |element: usize, node: usize| {
            let error = FlexError::Unknown { element, what: "node", found: node, count };
            if node < count { Ok(node) } else { Err(error) }
        };
        for (number, plate) in self.plate.iter().enumerate() {
            for node in plate.nodes {
                known(number, node)?;
            }
            let plate = self.plate(number, plate)?;
            builder.plate(plate);
        }
        for (number, cable) in self.cable.iter().enumerate() {
            for node in cable.nodes {
                known(self.plate.len() + number, node)?;
            }
            builder.cable(CableElement {
                nodes: cable.nodes,
                section: Section::round(cable.diameter_m),
                material: cable.material,
            });
        }
        for tie in &self.tie {
            if tie.nodes.is_empty() {
                return Err(FlexError::HubWithoutNodes { node: tie.to });
            }
            for node in &tie.nodes {
                builder.tie(known(tie.to, *node)?, tie.to);
            }
        }
        for fix in &self.fix {
            let hold = match fix.hold {
                Hold::All => Fix::All,
                Hold::Position => Fix::Position,
            };
            builder.fix(known(fix.node, fix.node)?, hold);
        }
        Ok(builder)
    }

    /// Turns the mesh about the y axis: a quarter of a turn brings what points down (−z) to +x.
    pub fn turn(&mut self, angle: f64) {
        // An unturned mesh keeps its bits.
        if angle == 0.0 {
            return;
        }
        let (s, c) = angle.sine_cosine();
        let turn = |v: &mut [f64; 3]| *v = [c * v[0] - s * v[2], v[1], c * v[2] + s * v[0]];
        self.nodes_m.iter_mut().for_each(turn);
        self.plate.iter_mut().flat_map(|p| &mut p.gradients).flatten().flatten().for_each(turn);
    }

    /// The mesh.
    pub fn build(&self) -> Result<FlexMesh, FlexError> {
        self.builder()?.build()
    }

    fn plate(&self, number: usize, plate: &PlateDescription) -> Result<PlateElement, FlexError> {
        let corner = |k: usize| Vec3::from_row_slice(&self.nodes_m[plate.nodes[k]]);
        if let Some(gradients) = &plate.gradients {
            let Some([a, b]) = plate.size_m else {
                return Err(FlexError::NoExtent {
                    element: number,
                    what: "size_m (needed beside gradients)",
                    found: 0.0,
                });
            };
            let matrix =
                |g: &[[f64; 3]; 3]| Mat3::from_columns(&g.map(|column| Vec3::from_row_slice(&column)));
            return Ok(PlateElement {
                nodes: plate.nodes,
                sizes: [a, b, plate.thickness_m],
                gradients: std::array::from_fn(|k| matrix(&gradients[k])),
                material: plate.material,
            });
        }
        // Straight edges: 0–1 and 3–2 along x, 0–3 and 1–2 along y.
        let edges =
            [corner(1) - corner(0), corner(2) - corner(3), corner(3) - corner(0), corner(2) - corner(1)];
        let [a, b] = plate.size_m.unwrap_or([
            0.5 * (edges[0].norm() + edges[1].norm()),
            0.5 * (edges[2].norm() + edges[3].norm()),
        ]);
        for (what, found) in [("length", a), ("width", b)] {
            if !(found > 0.0 && found.is_finite()) {
                return Err(FlexError::NoExtent { element: number, what, found });
            }
        }
        let gradients = [(0, 2), (0, 3), (1, 3), (1, 2)].map(|(x, y)| {
            let normal = edges[x].cross(&edges[y]).try_normalize(0.0).unwrap_or_else(Vec3::zeros);
            Mat3::from_columns(&[edges[x] / a, edges[y] / b, normal])
        });
        Ok(PlateElement {
            nodes: plate.nodes,
            sizes: [a, b, plate.thickness_m],
            gradients,
            material: plate.material,
        })
    }
}
