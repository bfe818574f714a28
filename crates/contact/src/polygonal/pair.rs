//! A body against a body of revolution: detection, law and memory combined. `evaluate` is pure; only `commit`
//! changes the memory.

use super::corners::Corners;
use super::cut::Cut;
use super::detect::{Corner, Effort, for_each_leaf, for_each_touching};
use super::faces::Faces;
use super::force::{Element, ElementForce, Hold, calc_element_within};
use super::pair_in_motion::PairInMotion;
use super::params::{Friction, PairLaw};
use super::slopes::Slopes;
use super::state::{FaceState, Grip, PolygonalState};
use super::sum::Sum;
use super::tangent::{Bending, PolygonalTangent, Spins, add_tangent_within};
use super::{ParameterError, PolygonalForce, SurfaceMotion};
use touchdown_geometry::revolution::{MovingSection, Section};
use touchdown_math::{Mat3, Mat6, Pose, Vec3, Wrench};

/// Whose area the pressure acts on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AreaOf {
    /// The faces' own: pressure c·s along the reference body's normals over the body's surface.
    #[default]
    Body,
    /// The reference body's under the faces: energy ½c∫s² over its surface. A flat reference body pushes like
    /// a liquid, with c times the volume; upright edges and sides of the body carry nothing.
    Reference,
}

/// A body's faces against a reference body of revolution.
#[derive(Clone, Debug)]
pub struct RevolutionPair {
    /// Faces of the body.
    pub faces: Faces,
    /// Section of the reference body.
    pub reference: MovingSection,
    /// Speed of the section's parameter, 1/s; zero for a body that does not change.
    pub reference_rate: f64,
    /// Whose area counts.
    pub area_of: AreaOf,
    /// Faces with a corner deeper than this are ignored, m: parts behind a wall do not touch it.
    pub depth_max: f64,
    laws: Vec<PairLaw>,
}

/// A touching face, for pictures and reports; frame of the reference body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TouchingFace {
    /// Index into [`Faces::faces`].
    pub face: u32,
    /// Corners, m.
    pub corners_R: [Vec3; 3],
    /// Penetrations of the corners, m.
    pub penetration: [f64; 3],
    /// Its force; axes of the reference body, positions from the body's origin.
    pub force: ElementForce,
}

/// An accepted step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Commit {
    /// The force at its end, with the previous memory.
    pub force: PolygonalForce,
    /// Heat released at once, J: faces that broke away, separated, or gained area; less the energy that
    /// springs of sliding faces still store of the work booked as heat.
    pub heat: f64,
}

/// Both bodies relative to the reference body.
pub(super) struct Scene {
    pub X_RB: Pose,
    /// Velocity of the body's origin and its angular velocity against the reference body.
    pub v: Vec3,
    pub w: Vec3,
    pub spins: Spins,
    R_WR: Mat3,
}

impl Scene {
    pub fn of(body: &SurfaceMotion, reference: &SurfaceMotion) -> Scene {
        let R_WR = reference.X_WS.R;
        let to_R = R_WR.transpose();
        let offset = body.X_WS.p - reference.X_WS.p;
        let v_W = body.v_WS - reference.v_WS - reference.w_WS.cross(&offset);
        Scene {
            X_RB: Pose { R: to_R * body.X_WS.R, p: to_R * offset },
            v: to_R * v_W,
            w: to_R * (body.w_WS - reference.w_WS),
            spins: Spins { body: to_R * body.w_WS, reference: to_R * reference.w_WS },
            R_WR,
        }
    }
}

impl RevolutionPair {
    /// A pair with one law for all faces.
    pub fn new(
        faces: Faces,
        reference: Section,
        law: PairLaw,
    ) -> Result<RevolutionPair, Vec<ParameterError>> {
        RevolutionPair::with_laws(faces, reference, vec![law])
    }

    /// A pair with a table of laws that faces name; a face that names one beyond the table gets the last.
    pub fn with_laws(
        faces: Faces,
        reference: Section,
        laws: Vec<PairLaw>,
    ) -> Result<RevolutionPair, Vec<ParameterError>> {
        let problems: Vec<ParameterError> = laws.iter().flat_map(PairLaw::check).collect();
        if !problems.is_empty() || laws.is_empty() {
            return Err(problems);
        }
        let reference = MovingSection::at_rest(reference);
        let (area_of, depth_max) = (AreaOf::default(), f64::INFINITY);
        Ok(RevolutionPair { faces, reference, reference_rate: 0.0, area_of, depth_max, laws })
    }

    /// The laws.
    pub fn laws(&self) -> &[PairLaw] {
        &self.laws
    }

    /// The force at a motion. Pure, and without allocation.
    pub fn evaluate(
        &self,
        state: &PolygonalState,
        body: &SurfaceMotion,
        reference: &SurfaceMotion,
    ) -> PolygonalForce {
        let scene = Scene::of(body, reference);
        if self.area_of == AreaOf::Body {
            let force = self.sum(&scene, &mut PairInMotion::new(self, &scene, state), None);
            return to_world(force, &scene, body);
        }
        let mut force = PolygonalForce::new();
        self.run(state, &scene, |_, law, element, one, _, _, _| force.add(law, element, one));
        to_world(force, &scene, body)
    }

    /// The force with its derivatives.
    pub fn evaluate_with_tangent(
        &self,
        state: &PolygonalState,
        body: &SurfaceMotion,
        reference: &SurfaceMotion,
    ) -> (PolygonalForce, PolygonalTangent) {
        self.evaluate_with_slopes(state, body, reference, &mut Slopes::default())
    }

    /// The same with existing working memory.
    pub fn evaluate_with_slopes(
        &self,
        state: &PolygonalState,
        body: &SurfaceMotion,
        reference: &SurfaceMotion,
        slopes: &mut Slopes,
    ) -> (PolygonalForce, PolygonalTangent) {
        let scene = Scene::of(body, reference);
        if self.area_of == AreaOf::Body {
            slopes.start(scene.spins);
            let force = self.sum(&scene, &mut PairInMotion::new(self, &scene, state), Some(&mut *slopes));
            let tangent = slopes.tangent();
            return (to_world(force, &scene, body), tangent_to_world(&tangent, &scene));
        }
        let (mut force, mut tangent) = (PolygonalForce::new(), PolygonalTangent::zero());
        self.run(state, &scene, |_, law, element, one, hold, corners, cut| {
            force.add(law, element, one);
            let bending = corners.map(|c| c.bending());
            add_tangent_within(law, (element, cut), one, hold, &bending, &scene.spins, &mut tangent);
        });
        (to_world(force, &scene, body), tangent_to_world(&tangent, &scene))
    }

    /// Accepts a step that ends at this motion: anchors follow, faces stick or let go.
    pub fn commit(
        &self,
        state: &mut PolygonalState,
        body: &SurfaceMotion,
        reference: &SurfaceMotion,
    ) -> Commit {
        let mut next = PolygonalState::default();
        let done = self.try_commit(state, body, reference, &mut next);
        *state = next;
        done
    }

    /// A trial of [`RevolutionPair::commit`]: the resulting memory replaces `next`. Pure; allocates only when
    /// more faces touch than ever before.
    pub fn try_commit(
        &self,
        state: &PolygonalState,
        body: &SurfaceMotion,
        reference: &SurfaceMotion,
        next: &mut PolygonalState,
    ) -> Commit {
        let scene = Scene::of(body, reference);
        next.faces.clear();
        let stored: f64 = state.faces.iter().map(|face| face.stored).sum();
        let mut motion = PairInMotion::new(self, &scene, state);
        (motion.next, motion.heat) = (Some(&mut next.faces), stored);
        let force = match self.area_of {
            AreaOf::Body => self.sum(&scene, &mut motion, None),
            AreaOf::Reference => {
                let mut force = PolygonalForce::new();
                self.run(state, &scene, |face, law, element, one, _, _, _| {
                    force.add(law, element, one);
                    // A face that looks away from the reference body cannot stick to it.
                    if element.area > 0.0 {
                        motion.hold(face);
                        motion.remember(law, face, &one.friction, one.area);
                    }
                });
                force
            }
        };
        let heat = motion.heat;
        Commit { force: to_world(force, &scene, body), heat }
    }

    /// Calls `look` for every touching face.
    pub fn for_each_touching(
        &self,
        state: &PolygonalState,
        body: &SurfaceMotion,
        reference: &SurfaceMotion,
        mut look: impl FnMut(&TouchingFace),
    ) -> Effort {
        let scene = Scene::of(body, reference);
        self.run(state, &scene, |face, _, element, force, _, corners, _| {
            let corners_R = corners.map(|c| c.p_R);
            look(&TouchingFace { face, corners_R, penetration: element.s, force: *force });
        })
    }

    #[inline]
    pub(super) fn law(&self, face: u32) -> &PairLaw {
        &self.laws[usize::from(self.faces.faces[face as usize].law).min(self.laws.len() - 1)]
    }

    /// The sum over all leaves, axes of the reference body, with derivatives where they are wanted.
    fn sum(
        &self,
        scene: &Scene,
        motion: &mut PairInMotion,
        mut slopes: Option<&mut Slopes>,
    ) -> PolygonalForce {
        let mut force = PolygonalForce::new();
        // Allocated when a leaf touches: most pairs are apart most of the time.
        let mut corners = None;
        let is_damped = self.laws.iter().any(|law| law.damping > 0.0);
        for_each_leaf(&self.faces, &self.reference.section, &scene.X_RB, self.depth_max, |leaf| {
            let corners = corners.get_or_insert_with(Corners::new);
            let slopes = slopes.as_deref_mut();
            let mut sum = Sum { corners, force: &mut force, slopes, origin: scene.X_RB.p, is_damped };
            sum.add_leaf(leaf, &self.faces, &self.laws, motion);
        });
        force
    }

    /// detect ⇒ element ⇒ force, for every touching face in ascending order.
    #[inline]
    fn run(
        &self,
        state: &PolygonalState,
        scene: &Scene,
        mut each: impl FnMut(u32, &PairLaw, &Element, &ElementForce, Option<&Hold>, &[Corner; 3], Option<&Cut>),
    ) -> Effort {
        let mut memory = state.faces.as_slice();
        for_each_touching(
            &self.faces,
            &self.reference.section,
            &scene.X_RB,
            self.depth_max,
            |face, at, corners, cut| {
                let law =
                    &self.laws[usize::from(self.faces.faces[face as usize].law).min(self.laws.len() - 1)];
                let element = self.element(scene, face, at, corners);
                let hold = match law.friction {
                    Friction::StickSlip { .. } => self.hold(scene, face, &mut memory),
                    _ => None,
                };
                if let Some(force) = calc_element_within(law, &element, cut, hold.as_ref()) {
                    each(face, law, &element, &force, hold.as_ref(), corners, cut);
                }
            },
        )
    }

    /// A face in the axes of the reference body, from the body's origin.
    #[inline]
    pub(super) fn element(&self, scene: &Scene, face: u32, at: [usize; 3], corners: &[Corner; 3]) -> Element {
        let x = corners.map(|c| c.p_R - scene.X_RB.p);
        let n = corners.map(|c| c.n);
        let mut v = x.map(|x| scene.v + scene.w.cross(&x));
        if !self.faces.rates.is_empty() {
            for i in 0..3 {
                v[i] += scene.X_RB.R * self.faces.rates[at[i]];
            }
        }
        let mut s_rate = std::array::from_fn(|i| -n[i].dot(&v[i]));
        if self.reference_rate != 0.0 {
            for i in 0..3 {
                s_rate[i] += self.reference_rate * self.reference.normal_rate(&corners[i].foot);
            }
        }
        let s = corners.map(|c| -c.foot.distance);
        let (area, area_gradient) = match self.area_of {
            AreaOf::Body => (self.faces.faces[face as usize].area, None),
            AreaOf::Reference => {
                let feet = corners.map(|c| FootAt {
                    y: c.foot_R(),
                    n: c.n,
                    distance: c.foot.distance,
                    bending: c.bending(),
                });
                let (area, gradient) = reference_area(&feet);
                (area, Some(gradient))
            }
        };
        Element { x, s, n, s_rate, v, area, area_gradient }
    }

    /// Memory of a face; `memory` is the part not yet read.
    #[inline]
    pub(super) fn hold(&self, scene: &Scene, face: u32, memory: &mut &[FaceState]) -> Option<Hold> {
        while memory.first().is_some_and(|first| first.face < face) {
            *memory = &memory[1..];
        }
        let known = memory.first().filter(|first| first.face == face)?;
        let centre = scene.X_RB.point(&self.faces.faces[face as usize].centre);
        let stretch = centre - Vec3::from(known.anchor_R);
        Some(Hold { stretch, area: known.area, slides: known.grip != Grip::Stick })
    }
}

impl PolygonalState {
    /// Memory of a face.
    pub fn face(&self, face: u32) -> Option<&FaceState> {
        find(&self.faces, face)
    }
}

pub(super) fn find(faces: &[FaceState], face: u32) -> Option<&FaceState> {
    faces.binary_search_by_key(&face, |f| f.face).ok().map(|k| &faces[k])
}

/// Below this share of the product of its edges a triangle of feet defines no plane: it belongs to an upright
/// side of the body.
const UPRIGHT: f64 = 1e-9;

/// The foot of a corner on the reference body.
pub(super) struct FootAt {
    /// Place, m.
    pub y: Vec3,
    /// Unit normal.
    pub n: Vec3,
    /// Signed distance φ of the corner, m: negative inside.
    pub distance: f64,
    /// How the normal turns with the corner.
    pub bending: Bending,
}

/// Area of the reference body under a face, m², negative where the face looks away, and its change with each corner's place: that of the triangle of
/// feet, through dy = (1 − n nᵀ − φ·Hess φ) dx.
pub(super) fn reference_area(feet: &[FootAt; 3]) -> (f64, [Vec3; 3]) {
    let y = [feet[0].y, feet[1].y, feet[2].y];
    let (u, w) = (y[1] - y[0], y[2] - y[0]);
    let m = u.cross(&w);
    let normal = feet[0].n + feet[1].n + feet[2].n;
    let facing = -m.dot(&normal);
    let size = m.norm();
    let sign = if facing < 0.0 { -1.0 } else { 1.0 };
    let axis = if size > UPRIGHT * (u.norm_squared() + w.norm_squared()) {
        m * (sign / size)
    } else {
        -normal.try_normalize(0.0).unwrap_or_default()
    };
    let gradient = std::array::from_fn(|i| {
        let edge = y[(i + 1) % 3] - y[(i + 2) % 3];
        let g = edge.cross(&axis) * 0.5;
        let bending = &feet[i].bending;
        let mut out = g - feet[i].n * feet[i].n.dot(&g);
        for k in 0..2 {
            let e = bending.direction[k];
            out -= e * (feet[i].distance * bending.curvature[k] * e.dot(&g));
        }
        out
    });
    (0.5 * sign * size, gradient)
}

/// A force in world axes.
pub(super) fn to_world(mut force: PolygonalForce, scene: &Scene, body: &SurfaceMotion) -> PolygonalForce {
    force.wrench_C = Wrench { t: scene.R_WR * force.wrench_C.t, f: scene.R_WR * force.wrench_C.f };
    force.p_WQ = scene.R_WR * force.p_WQ;
    force.finish(&body.X_WS.p);
    force
}

/// Derivatives in world axes.
pub(super) fn tangent_to_world(tangent: &PolygonalTangent, scene: &Scene) -> PolygonalTangent {
    PolygonalTangent { K: turn(&scene.R_WR, &tangent.K), D: turn(&scene.R_WR, &tangent.D) }
}

/// A matrix of spatial vectors in turned axes.
fn turn(R: &Mat3, K: &Mat6) -> Mat6 {
    let mut out = Mat6::zeros();
    for (i, j) in [(0, 0), (0, 3), (3, 0), (3, 3)] {
        let block = R * K.fixed_view::<3, 3>(i, j) * R.transpose();
        out.fixed_view_mut::<3, 3>(i, j).copy_from(&block);
    }
    out
}
