//! A flat rectangular plate, divided into equal elements.

use super::FlexError;
use super::material::out_of_range;
use super::mesh::{MeshBuilder, PlateElement};
use serde::{Deserialize, Serialize};
use touchdown_math::{Mat3, Vec3};

/// A sheet from (0, 0, 0) to (length, width, 0); lengths in m.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SheetForm {
    /// Along x.
    pub length: f64,
    /// Along y.
    pub width: f64,
    /// Along z, half above and half below.
    pub thickness: f64,
    /// Elements along x and y.
    pub elements: [usize; 2],
}

/// A sheet in a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    elements: [usize; 2],
    nodes: Vec<usize>,
    plates: Vec<usize>,
}

impl Sheet {
    /// Node number i along x and j along y, from zero.
    pub fn node(&self, i: usize, j: usize) -> usize {
        self.nodes[i * (self.elements[1] + 1) + j]
    }

    /// Element number i along x and j along y.
    pub fn plate(&self, i: usize, j: usize) -> usize {
        self.plates[i * self.elements[1] + j]
    }
}

impl SheetForm {
    /// Adds the sheet to a mesh.
    pub fn add_to(&self, builder: &mut MeshBuilder, material: usize) -> Result<Sheet, FlexError> {
        let [nx, ny] = self.elements;
        if nx == 0 || ny == 0 {
            return Err(out_of_range("elements", "positive", 0.0));
        }
        let (dx, dy) = (self.length / nx as f64, self.width / ny as f64);
        let mut sheet = Sheet { elements: self.elements, nodes: Vec::new(), plates: Vec::new() };
        for i in 0..=nx {
            for j in 0..=ny {
                sheet.nodes.push(builder.node(Vec3::new(i as f64 * dx, j as f64 * dy, 0.0)));
            }
        }
        for i in 0..nx {
            for j in 0..ny {
                let nodes =
                    [sheet.node(i, j), sheet.node(i + 1, j), sheet.node(i + 1, j + 1), sheet.node(i, j + 1)];
                let plate = PlateElement {
                    nodes,
                    sizes: [dx, dy, self.thickness],
                    gradients: [Mat3::identity(); 4],
                    material,
                };
                sheet.plates.push(builder.plate(plate));
            }
        }
        Ok(sheet)
    }
}
