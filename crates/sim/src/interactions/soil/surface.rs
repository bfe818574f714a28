//! The soil's surface for the sink: patches that changed for a frame, all nodes at the end.

use super::{LaidSoil, SoilParts};
use crate::sink::{PressureNode, Sink, SinkError, SoilNode, SoilPatch};
use touchdown_contact::soil::{NodePressure, SurfaceNode, SurfaceTile};

impl LaidSoil {
    /// The tiles that changed since the last frame ⇒ patches.
    pub fn draw(&mut self, patches: &mut Vec<SoilPatch>) {
        let nodes = SurfaceTile::NODES;
        let spacing = self.soil.spacing();
        let mut count = 0;
        for tile in self.soil.changed_tiles() {
            if patches.len() == count {
                patches.push(SoilPatch::default());
            }
            let patch = &mut patches[count];
            [patch.x0, patch.y0] = tile.origin();
            (patch.spacing, patch.nx, patch.ny) = (spacing, nodes, nodes);
            patch.heights.clear();
            patch.heights.extend(tile.heights().map(|h| h as f32));
            patch.undisturbed.clear();
            patch.undisturbed.extend(tile.undisturbed().map(|h| h as f32));
            count += 1;
        }
        patches.truncate(count);
        self.soil.mark_drawn();
    }

    /// All nodes of the tiles that were touched ⇒ sink.
    pub fn hand_surface(&self, sink: &mut dyn Sink) -> Result<(), SinkError> {
        let node = |n: SurfaceNode| SoilNode { x: n.x, y: n.y, height: n.height, undisturbed: n.undisturbed };
        let nodes: Vec<SoilNode> = self.soil.surface_nodes().map(node).collect();
        sink.surface(&nodes)
    }
}

impl SoilParts {
    /// The loaded nodes of each body at the last evaluation.
    pub fn press(&self, pressures: &mut [Vec<PressureNode>]) {
        for (body, nodes) in self.bodies.iter().zip(pressures) {
            nodes.clear();
            // The grid's indices fit: a node 2³¹ cells away is farther than heights can be computed.
            let node =
                |n: NodePressure| PressureNode { i: n.i as i32, j: n.j as i32, pressure: n.pressure as f32 };
            nodes.extend(body.pressures().map(node));
        }
    }
}
