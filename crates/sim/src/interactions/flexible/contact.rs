//! Points of a mesh on rigid ground: candidates (element by element), the force of the ground on each, forces and derivatives on the nodes.

use crate::description::FlexContactDescription;
use crate::engine::method::StepFailure;
use crate::engine::system::{ContactStates, System};
use crate::interactions::ground::RigidGround;
use touchdown_contact::flexible::{Gap, PointMotion, STATES, SurfaceLaw, calc_force};
use touchdown_geometry::Missing;
use touchdown_geometry::surface::Patch;
use touchdown_math::{Mat3, Vec3};
use touchdown_multibody::flex::mesh::FlexMesh;
use touchdown_multibody::flex::mesh::{LOCAL, LocalBlocks, LocalVectors, Point};
use touchdown_multibody::rigid::tangent::Weights;

/// Contact points of a mesh.
#[derive(Clone, Debug)]
pub(crate) struct FlexContact {
    /// Per area.
    law: SurfaceLaw,
    faces: Vec<Face>,
    points: usize,
    /// Index of its first contact state.
    first_state: usize,
    /// Sum over all points at the last evaluation. Written by `update`.
    pub sum: Sum,
    /// A place without ground under a point at the last evaluation, if any.
    pub lost: Option<([f64; 2], Missing)>,
    /// Cache for speed.
    patch: Option<Patch>,
}

/// The points of one element.
#[derive(Clone, Debug)]
struct Face {
    element: usize,
    points: Vec<Point>,
    /// Area that each of them represents in the stress-free form, m².
    areas: Vec<f64>,
    /// Smallest and largest weight of each of the element's vectors over the points.
    range: [[f64; 2]; LOCAL],
    /// Which of its vectors are positions: their weights add up to one.
    is_position: [bool; LOCAL],
}

/// Sum of the forces of the ground on all points of a mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sum {
    /// Force, N.
    pub force: Vec3,
    /// Its moment about the origin, N m.
    pub moment: Vec3,
    /// Sum of the points' normal forces, N, and of these times their places, N m.
    pub normal: f64,
    pub place: Vec3,
    /// Points that press.
    pub points: usize,
    /// Largest penetration, m.
    pub penetration: f64,
    pub energy: f64,
    pub dissipated: f64,
}

impl FlexContact {
    pub fn new(description: &FlexContactDescription, mesh: &FlexMesh, first_state: usize) -> FlexContact {
        let face = |(element, zeta): &(usize, f64)| {
            let surface = mesh.surface(*element, description.points, *zeta);
            let points: Vec<Point> = surface.iter().map(|s| s.point).collect();
            let areas = surface.iter().map(|s| s.area).collect();
            let range = std::array::from_fn(|k| {
                let weights = points.iter().map(|p| p.weight[k]);
                [weights.clone().fold(f64::INFINITY, f64::min), weights.fold(f64::NEG_INFINITY, f64::max)]
            });
            let vectors = &mesh.elements()[*element].vectors;
            let starts = |vector: u32| mesh.nodes().iter().any(|n| n.first_vector == vector as usize);
            let is_position = std::array::from_fn(|k| vectors.get(k).is_some_and(|v| starts(*v)));
            Face { element: *element, points, areas, range, is_position }
        };
        let faces: Vec<Face> = description.faces.iter().map(face).collect();
        let points = faces.iter().map(|f| f.points.len()).sum();
        FlexContact {
            law: description.law,
            faces,
            points,
            first_state,
            sum: Sum::default(),
            lost: None,
            patch: None,
        }
    }

    /// Contact states of all points.
    pub fn states(&self) -> usize {
        self.points * self.law.states()
    }

    /// Forces of the ground on the mesh; with weights also minus their weighted derivatives.
    pub fn update(
        &mut self,
        ground: &RigidGround,
        (mesh, e, e_rate): (&FlexMesh, &[f64], &[f64]),
        (z, z_used, z_rate): (ContactStates, &mut [f64], &mut [f64]),
        force: &mut [f64],
        mut slope: Option<(Weights, &mut [f64])>,
    ) {
        (self.sum, self.lost) = (Sum::default(), None);
        let mut state = self.first_state;
        let per_point = self.law.states();
        for face in &self.faces {
            let local = mesh.gather(face.element, e);
            let states = state..state + per_point * face.points.len();
            state = states.end;
            let (base, h) = match z {
                ContactStates::Given(z) => (&z[states.clone()], 0.0),
                ContactStates::Implicit { base, h } => (&base[states.clone()], h),
            };
            let bent = base.iter().any(|z| *z != 0.0);
            z_used[states.clone()].fill(0.0);
            z_rate[states.clone()].fill(0.0);
            if !bent && !face.may_touch(ground, &local) {
                continue;
            }
            let rates = mesh.gather_rates(face.element, e_rate);
            let over = Over::new(ground, &local);
            let weights = slope.as_ref().map(|(w, _)| (w.q, w.v));
            let mut pushed: LocalVectors = [[0.0; 3]; LOCAL];
            let mut blocks = weights.map(|_| [[[0.0; 9]; LOCAL]; LOCAL]);
            let mut touched = false;
            for (i, point) in face.points.iter().enumerate() {
                let slot = states.start + per_point * i..states.start + per_point * (i + 1);
                let bristle = match &base[per_point * i..per_point * (i + 1)] {
                    [x, y, z] => Vec3::new(*x, *y, *z),
                    _ => Vec3::zeros(),
                };
                if bristle == Vec3::zeros() && over.is_clear(point) {
                    continue;
                }
                let p_W = point.at(&local);
                let gap = match ground {
                    RigidGround::Plane(plane) => Gap::over_plane(&p_W, &plane.point, &plane.normal),
                    RigidGround::Surface(surface) => match surface.jet_with(&mut self.patch, p_W.x, p_W.y) {
                        Ok(jet) => Gap::over_surface(&p_W, &jet),
                        Err(why) => {
                            self.lost = Some(([p_W.x, p_W.y], why));
                            continue;
                        }
                    },
                };
                if gap.value >= 0.0 && bristle == Vec3::zeros() {
                    continue;
                }
                let motion = PointMotion { p_W, v_W: point.at(&rates) };
                let law = self.law.on_area(face.areas[i]);
                let (on, turned) = calc_force(&law, &gap, &motion, (&bristle, h), weights);
                if per_point == STATES {
                    z_used[slot.clone()].copy_from_slice(on.state.as_slice());
                    z_rate[slot].copy_from_slice(on.state_rate.as_slice());
                }
                touched = true;
                point.push(&on.force, &mut pushed);
                self.sum.add(&on, &p_W, -gap.value);
                if let Some(blocks) = &mut blocks {
                    subtract_outer(&point.weight, &turned, blocks);
                }
            }
            if touched {
                mesh.scatter(face.element, &pushed, force);
                if let (Some((_, values)), Some(blocks)) = (&mut slope, &blocks) {
                    mesh.scatter_blocks(face.element, blocks, values);
                }
            }
        }
    }
}

/// Heights of an element's vectors over a plane, to skip points in the air without computing their positions.
struct Over {
    heights: Option<([f64; LOCAL], f64)>,
}

impl Over {
    fn new(ground: &RigidGround, local: &LocalVectors) -> Over {
        let RigidGround::Plane(plane) = ground else { return Over { heights: None } };
        let up = plane.normal;
        let heights = std::array::from_fn(|k| up.x * local[k][0] + up.y * local[k][1] + up.z * local[k][2]);
        // Less round-off, so that nearly touching points are evaluated.
        Over { heights: Some((heights, up.dot(&plane.point) + NEARLY)) }
    }

    /// Whether a point is certainly above the ground.
    fn is_clear(&self, point: &Point) -> bool {
        let Some((heights, level)) = &self.heights else { return false };
        point.weight.iter().zip(heights).map(|(w, h)| w * h).sum::<f64>() > *level
    }
}

/// Height below which a point is evaluated, m.
const NEARLY: f64 = 1e-9;

/// Subtracts wᵢ·wⱼ·m from every block.
pub(super) fn subtract_outer(weight: &[f64; LOCAL], m: &Mat3, blocks: &mut LocalBlocks) {
    let m: [f64; 9] = std::array::from_fn(|k| m[(k / 3, k % 3)]);
    for (row, wi) in blocks.iter_mut().zip(weight) {
        for (block, wj) in row.iter_mut().zip(weight) {
            let w = wi * wj;
            block.iter_mut().zip(&m).for_each(|(b, m)| *b -= w * m);
        }
    }
}

impl Face {
    /// Whether a point may lie below the ground: from the extremes of the weights of each vector.
    fn may_touch(&self, ground: &RigidGround, local: &LocalVectors) -> bool {
        match ground {
            RigidGround::Plane(plane) => {
                let up = plane.normal;
                let [low, _] = self.extent(local, &up);
                low < up.dot(&plane.point)
            }
            RigidGround::Surface(surface) => {
                let [low, _] = self.extent(local, &Vec3::z());
                let along = |axis: Vec3| self.extent(local, &axis);
                low < surface.top() && low < surface.highest(along(Vec3::x()), along(Vec3::y()))
            }
        }
    }

    /// Bounds of the points' positions along a direction. Positions are relative to the first of them:
    /// because weights add up to one, the bounds then stay tight far from the origin.
    fn extent(&self, local: &LocalVectors, direction: &Vec3) -> [f64; 2] {
        let along =
            |k: usize| direction.x * local[k][0] + direction.y * local[k][1] + direction.z * local[k][2];
        let base = self.is_position.iter().position(|p| *p).map_or(0.0, along);
        let (mut low, mut high) = (base, base);
        for k in 0..LOCAL {
            let x = along(k) - if self.is_position[k] { base } else { 0.0 };
            let (a, b) = (self.range[k][0] * x, self.range[k][1] * x);
            low += a.min(b);
            high += a.max(b);
        }
        [low, high]
    }
}

impl Sum {
    fn add(&mut self, on: &touchdown_contact::flexible::PointForce, p_W: &Vec3, penetration: f64) {
        self.force += on.force;
        self.moment += p_W.cross(&on.force);
        self.normal += on.normal_force;
        self.place += p_W * on.normal_force;
        self.points += usize::from(on.normal_force > 0.0);
        self.penetration = self.penetration.max(penetration);
        self.energy += on.energy;
        self.dissipated += on.dissipated_power;
    }

    /// Centre of the normal forces, m; `None` without contact.
    pub fn centre(&self) -> Option<Vec3> {
        (self.normal > 0.0).then(|| self.place / self.normal)
    }
}

impl System {
    /// An error if a point had no ground below it, or an element turned inside out, at the last evaluation.
    pub(crate) fn check_flexible(&mut self) -> Result<(), StepFailure> {
        for part in &mut self.acts.flexible {
            if let Some((at, why)) = part.contact.as_ref().and_then(|c| c.lost) {
                return Err(StepFailure::no_ground(why, &part.name, at));
            }
            match part.mesh.look(&part.e) {
                Ok(strained) => part.strained = strained,
                Err(problem) => {
                    let (name, problem) = (part.name.clone(), problem.to_string());
                    return Err(StepFailure::Deformed { name, problem });
                }
            }
        }
        Ok(())
    }
}
