//! One body on the soil: its form, the scratch and results of its last evaluation, and the data of a restart.
//!
//! An evaluation is pure: form ⇒ columns ⇒ `detect` ⇒ `ends` ⇒ `force`. It reads the soil and writes only this scratch.

use super::columns::{Column, Columns};
use super::deform::Deforming;
use super::deposit;
use super::detect::Touch;
use super::follow::Followed;
use super::law::Strength;
use super::mesh::{MeshScratch, MeshUnderside};
use super::outline;
use super::params::{BekkerWidth, SoilParameters, SoilShape, SoilSurface, StressLaw};
use super::peak::Peak;
use super::shear::Faced;
use super::state::Soil;
use super::tangent::TangentWeights;
use super::tile::{Held, NOWHERE, NodeAt};
use super::wheel::Wheel;
use super::{SoilForce, SurfaceMotion};
use serde::{Deserialize, Serialize};
use touchdown_math::{Mat3, Mat6, Pose, Vec3, rotation};

/// The form of a body's underside.
#[derive(Clone, Debug)]
pub(super) enum Form {
    Wheel(Wheel),
    Mesh(Box<(MeshUnderside, MeshScratch)>),
}

/// One body on the soil: its form and the scratch of evaluations. Its memory is a [`ContactState`], given to
/// each call.
#[derive(Clone, Debug)]
pub struct SoilContact {
    pub(super) form: Form,
    /// Data of a deformable form.
    pub(super) deforming: Option<Box<Deforming>>,
    /// Thickness of the layer that a sliding surface carries away, m.
    pub(super) carried_layer: f64,
    /// Whether soil never slides under it.
    pub(super) bedded: bool,
    /// Whether pressure depended on the motion at the last evaluation.
    has_factor: bool,
    /// Greatest pressure of a wheel at the last evaluation, where the law has one. Written by `find`.
    pub(super) peak: Option<Peak>,
    /// Scratch of `carry_along`: the touch of each column, and shares.
    pub(super) carrying: (Vec<u32>, Vec<f64>),
    /// The underside at the last evaluation. Written by `evaluate`.
    pub(super) columns: Columns,
    /// For each column: the share of its pressure that the node keeps if it carries, otherwise a code of
    /// `detect`. Written by `detect`.
    pub(super) status: Vec<f64>,
    /// For each column that does not carry: its height over the ground, m. Written by `detect`.
    pub(super) gap: Vec<f64>,
    /// Slot of a tile under the body, from which others are looked up. Written by `detect`.
    pub(super) near: u32,
    /// Slots of the tiles along a row of the window. Scratch of `detect`.
    pub(super) slots: Vec<u32>,
    /// Strength of every soil under the present width. Written by `evaluate`.
    pub(super) strengths: Vec<Strength>,
    /// Width to which the strengths belong, m.
    pub(super) width: f64,
    hull: Vec<[f64; 2]>,
    /// Nodes that carry. Written by `detect`, `ends` and `force`.
    pub(super) touches: Vec<Touch>,
    /// Motion of the body on them at the last commit, if a law needs it; otherwise empty. Written by
    /// `detect`.
    pub(super) held: Vec<Held>,
    /// Results of the law of directions for them, two at a time. Written by `sum`.
    pub(super) faced: Vec<Faced>,
    /// Distance of the nodes and motion at the last evaluation.
    pub(super) spacing: f64,
    pub(super) motion: SurfaceMotion,
    /// Normal of the undisturbed ground under the frame's origin then.
    pub(super) normal: Vec3,
    /// Time from the last commit to that evaluation, s.
    pub(super) since: f64,
    /// Motion since then. Written by `follow`.
    pub(super) followed: Option<Followed>,
    pub(super) displacing: deposit::Scratch,
}

/// Memory of one body's contact of accepted steps: everything that a restart needs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ContactState {
    /// Nodes on which the body presses.
    pub(super) under: Vec<NodeAt>,
    /// Nodes that it has just released.
    pub(super) wake: Vec<NodeAt>,
    /// Nodes below the body on which it does not press.
    pub(super) roof: Vec<NodeAt>,
    /// Soil lifted and not yet deposited, units.
    pub(super) carried: i64,
    /// Highest ground of its last contact, m.
    pub(super) highest: Option<f64>,
    /// Width of its last contact, m.
    pub(super) width: Option<f64>,
}

/// A node that carries, at (i·spacing, j·spacing).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodePressure {
    /// Index along x.
    pub i: i64,
    /// Index along y.
    pub j: i64,
    /// Pressure with soil damping, Pa.
    pub pressure: f64,
}

/// Initial width if the width follows from the outline, m: on virgin soil any width finds the same nodes,
/// because the modulus scales all pressures equally. Where soil is unloaded the modulus matters, so that a
/// body that has pressed before starts with its last width.
const FIRST_LOOK: f64 = 0.1;

/// Angle of friction between soil and smooth metal, over that of the soil.
const SMOOTH: f64 = 2.0 / 3.0;

impl ContactState {
    /// Whether the nodes that it names exist in a soil.
    pub fn fits(&self, soil: &Soil) -> bool {
        [&self.under, &self.wake, &self.roof].iter().all(|nodes| soil.holds(nodes))
    }
}

impl SoilContact {
    /// A body's surface.
    pub fn new(surface: &SoilSurface) -> SoilContact {
        let form = match &surface.shape {
            SoilShape::Wheel { radius, width, grousers } => {
                Form::Wheel(Wheel::new(*radius, *width, *grousers))
            }
            SoilShape::Mesh(mesh) => Form::Mesh(Box::new((MeshUnderside::new(mesh), MeshScratch::default()))),
        };
        let at_rest = SurfaceMotion::at_rest(Pose::identity());
        SoilContact {
            form,
            deforming: None,
            carried_layer: surface.carried_layer,
            bedded: surface.bedded,
            has_factor: false,
            peak: None,
            carrying: (Vec::new(), Vec::new()),
            columns: Columns::default(),
            status: Vec::new(),
            gap: Vec::new(),
            near: NOWHERE,
            slots: Vec::new(),
            strengths: Vec::new(),
            width: f64::NAN,
            hull: Vec::new(),
            touches: Vec::new(),
            held: Vec::new(),
            faced: Vec::new(),
            spacing: 0.0,
            motion: at_rest,
            normal: Vec3::z(),
            since: 0.0,
            followed: None,
            displacing: deposit::Scratch::default(),
        }
    }

    fn has_grousers(&self) -> bool {
        matches!(&self.form, Form::Wheel(wheel) if wheel.radius > wheel.rim)
    }

    /// Height of the lowest point of the form, m.
    pub fn lowest(&self, X_WS: &Pose) -> f64 {
        match &self.form {
            Form::Wheel(wheel) => wheel.lowest(X_WS),
            Form::Mesh(form) => form.0.lowest(X_WS),
        }
    }

    /// How far the form reaches against a direction from its frame's origin, m.
    fn reach_below(&self, X_WS: &Pose, up: &Vec3) -> f64 {
        // In axes with z along that direction, it is the lowest point.
        let x = rotation::perpendicular(up);
        let R = Mat3::from_columns(&[x, up.cross(&x), *up]).transpose();
        -self.lowest(&Pose { R: R * X_WS.R, p: Vec3::zeros() })
    }

    /// How deep the lowest point lies below ground with this normal and height under the origin, m.
    fn sinkage_over(&self, (normal, height): (&Vec3, f64), X_WS: &Pose) -> f64 {
        self.reach_below(X_WS, normal) - height
    }

    /// The sinkage that an evaluation at this pose gives, without one: it follows from form and undisturbed ground. Zero where there is none.
    pub fn sinkage(&self, soil: &Soil, X_WS: &Pose) -> f64 {
        let over = soil.ground.relief.over(&X_WS.p);
        over.map_or(0.0, |(normal, height)| self.sinkage_over((&normal, height), X_WS))
    }

    /// A box [x_min, x_max, y_min, y_max] that holds the form, m.
    fn bounds(&self, X_WS: &Pose) -> [f64; 4] {
        let C = X_WS.p;
        match &self.form {
            Form::Wheel(wheel) => {
                let reach = wheel.reach();
                [C.x - reach, C.x + reach, C.y - reach, C.y + reach]
            }
            Form::Mesh(form) => form.0.bounds(X_WS).unwrap_or([C.x, C.x, C.y, C.y]),
        }
    }

    /// Force of the soil on the body, `since` seconds after the last commit. `tangent` gets the weighted derivative
    /// q·∂W/∂pose + v·∂W/∂velocity of the wrench about the frame's origin, without the change of the contact's ends and of the slopes.
    pub fn evaluate(
        &mut self,
        (soil, held): (&Soil, &ContactState),
        motion: &SurfaceMotion,
        since: f64,
        tangent: Option<(TangentWeights, &mut Mat6)>,
    ) -> SoilForce {
        let mut force = self.find((soil, held), motion, since);
        self.sum(soil, tangent, &mut force);
        force
    }

    /// The first half of `evaluate`: the nodes that carry and their pressures. `sum` must follow.
    pub fn find(
        &mut self,
        (soil, held): (&Soil, &ContactState),
        motion: &SurfaceMotion,
        since: f64,
    ) -> SoilForce {
        let C = motion.X_WS.p;
        let mut force = SoilForce { p_WQ: C, ..Default::default() };
        (self.spacing, self.motion, self.since, self.followed) = (soil.ground.spacing, *motion, since, None);
        // Nothing of an earlier evaluation may be committed, even if this one ends early.
        self.touches.clear();
        self.status.clear();
        self.take_form();
        self.has_factor = soil.ground.options.stress != StressLaw::Bekker;
        self.peak = match &self.form {
            Form::Wheel(wheel) if soil.ground.options.stress == StressLaw::WongReece => {
                Peak::of(wheel, motion)
            }
            _ => None,
        };
        let first_look = match soil.ground.options.width {
            BekkerWidth::Given(b) => b,
            BekkerWidth::Footprint | BekkerWidth::Perimeter => held.width.unwrap_or(FIRST_LOOK),
        };
        self.update_strengths(soil, first_look);
        let Some((normal, height)) = soil.ground.relief.over(&C) else {
            force.missing = Some([C.x, C.y]);
            return force;
        };
        self.normal = normal;
        force.sinkage = self.sinkage_over((&normal, height), &motion.X_WS);
        let ceiling = soil.highest_within(self.bounds(&motion.X_WS), self.near);
        let measured = !matches!(soil.ground.options.width, BekkerWidth::Given(_));
        match &mut self.form {
            Form::Wheel(w) => w.fill(&motion.X_WS, soil.ground.spacing, ceiling, measured, &mut self.columns),
            Form::Mesh(form) => {
                let (mesh, scratch) = form.as_mut();
                mesh.fill(&motion.X_WS, soil.ground.spacing, ceiling, measured, scratch, &mut self.columns);
            }
        }
        self.detect(soil, &mut force);
        if measured && let Some(b) = self.measured_width(soil.ground.options.width) {
            self.update_strengths(soil, b);
            self.detect(soil, &mut force);
        }
        force
    }

    /// Strength of every soil under a contact of width b.
    fn update_strengths(&mut self, soil: &Soil, b: f64) {
        if b != self.width {
            self.width = b;
            self.strengths.clear();
            let options = &soil.ground.options;
            let smooth = options.stress == StressLaw::Directional && !self.has_grousers();
            let angle =
                |s: &SoilParameters| options.interface_angle.or(smooth.then_some(SMOOTH * s.friction_angle));
            self.strengths.extend(soil.ground.soils.iter().map(|s| Strength::new(s, b, angle(s))));
        }
    }

    /// The width of the contact from its outline.
    fn measured_width(&mut self, rule: BekkerWidth) -> Option<f64> {
        self.hull.clear();
        for touch in &self.touches {
            outline::add_corners(&mut self.hull, self.columns.boxes[touch.cell as usize]);
        }
        outline::patch(&mut self.hull).map(|patch| outline::bekker_width(rule, &patch))
    }

    /// Slopes of the underside over the node of a column.
    #[inline(always)]
    pub(super) fn slope(&self, cell: usize, x: f64, y: f64) -> [f64; 2] {
        let column = &self.columns.at[cell];
        match &self.form {
            Form::Wheel(wheel) => wheel.slope(&self.motion.X_WS, x, y, column.level),
            Form::Mesh(_) => self.smooth_slope(cell, x, y).unwrap_or(column.slope),
        }
    }

    /// Indices in the grid of the node of a column.
    #[inline]
    pub(super) fn indices(&self, cell: usize) -> (i64, i64) {
        let nx = self.columns.nx;
        (self.columns.i0 + (cell % nx) as i64, self.columns.j0 + (cell / nx) as i64)
    }

    /// Place of the node of a column, m.
    #[inline]
    pub(super) fn place(&self, cell: usize) -> (f64, f64) {
        let (i, j) = self.indices(cell);
        (i as f64 * self.spacing, j as f64 * self.spacing)
    }

    /// The column over a node at the last evaluation.
    pub(super) fn column(&self, i: i64, j: i64) -> Column {
        let (i, j) = (i - self.columns.i0, j - self.columns.j0);
        let inside = i >= 0 && j >= 0 && (i as usize) < self.columns.nx && (j as usize) < self.columns.ny;
        if inside { self.columns.at[j as usize * self.columns.nx + i as usize] } else { Column::NONE }
    }

    /// The nodes that carry, with the pressure that acts at the last evaluation.
    pub fn pressures(&self) -> impl Iterator<Item = NodePressure> + '_ {
        self.touches.iter().enumerate().map(|(index, touch)| {
            let (i, j) = self.indices(touch.cell as usize);
            let rise = Vec3::new(touch.m[0], touch.m[1], 1.0).dot(&self.velocity(index));
            let bearing =
                if self.has_factor { self.held.get(index).map_or(1.0, |held| held.bearing) } else { 1.0 };
            let damped = touch.pressure.p * bearing - self.strength(touch.soil).damping * rise;
            NodePressure { i, j, pressure: damped.max(0.0) }
        })
    }

    /// Strength of a soil at the last evaluation.
    #[inline(always)]
    pub(super) fn strength(&self, soil: u8) -> &Strength {
        &self.strengths[usize::from(soil)]
    }
}
