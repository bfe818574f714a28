//! stub
use super::columns::Columns;
use touchdown_geometry::TriangleMesh;
use touchdown_math::Pose;
#[derive(Clone, Debug)]
pub(super) struct MeshUnderside;
impl MeshUnderside {
    pub fn new(_m: &TriangleMesh) -> Self {
        MeshUnderside
    }
    pub fn lowest(&self, _: &Pose) -> f64 {
        0.0
    }
    pub fn fill(&mut self, _: &Pose, _: f64, _: f64, b: bool, o: &mut Columns) {
        o.reset((0, -1), (0, -1), b)
    }
}
