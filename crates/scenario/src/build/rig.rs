//! Rigs: bodies, motions and load of a test stand, from the few numbers of `[rig]`.
//!
//! carriage (along x, its motion given) → stop (lifted between passes) → slide (along z, loaded) → wheel (about y, its motion given).

use super::Builder;
use super::parts::Placed;
use super::schedule::{RADII_BEFORE, Schedule, Sizes, schedule, shortest_travel, smooth, way};
use super::tree::Frames;
use crate::read::{Record, Value};
use crate::table::{
    GravityKey, Key, Keys, RigKeys, RigWord, ScenarioKeys, TerrainKeys, TerrainShapeWord, Words, WorldWord,
};
use crate::unit::{LENGTH, MASS, TIME};
use touchdown_contact::soil::{Grousers, SoilShape, SoilSurface};
use touchdown_geometry::Shape;
use touchdown_math::{Mat3, Pose, Signal, Vec3};
use touchdown_multibody::description::{
    Attachment, Body, BodyRef, Constraint, ConstraintKind, ElementKind, ForceElement, Joint, JointAxis,
    JointKind,
};
use touchdown_sim::description::{SoilBody, Visual};

/// Height of grousers, m; mass of every part, kg; time of spinning, s; loads of a plate: if nothing is given.
const GROUSER_HEIGHT: f64 = 0.01;
const MASS_OF_PART: f64 = 10.0;
const SPIN_TIME: f64 = 2.0;
const POINTS: u64 = 20;
/// Thickness of grousers along the rim, m.
const GROUSER_THICKNESS: f64 = 0.003;
/// Thickness of a plate, m: only its underside counts.
const PLATE_THICKNESS: f64 = 0.02;
/// The slide hangs this many radii below the stop, deeper than a wheel that still rolls; lifted by this many, it is clear.
const RADII_HUNG: f64 = 2.0;
const RADII_LIFTED: f64 = 2.5;
/// The load bends the stop by this much, m; its damping is critical.
const STOP_GIVES: f64 = 0.01;
const RIG_COLOUR: [f32; 4] = [0.55, 0.58, 0.62, 1.0];

type AnyKey = Key<RigKeys, ()>;

/// Keys that a kind needs, and those it may have.
fn keys_of(kind: RigWord) -> (Vec<AnyKey>, Vec<AnyKey>) {
    let load = RigKeys::load.any();
    let wheel = [RigKeys::radius.any(), RigKeys::width.any()];
    let rim = [RigKeys::grousers.any(), RigKeys::grouser_height.any(), RigKeys::carried_layer.any()];
    let (speed, mass, travel) = (RigKeys::speed.any(), RigKeys::mass.any(), RigKeys::travel.any());
    match kind {
        RigWord::SingleWheel => (
            [&wheel[..], &[load, RigKeys::slip.any(), speed]].concat(),
            [&rim[..], &[travel, RigKeys::run_in.any(), RigKeys::passes.any(), mass]].concat(),
        ),
        RigWord::Spin => (
            [&wheel[..], &[load, RigKeys::wheel_speed.any()]].concat(),
            [&rim[..], &[RigKeys::spin_time.any(), mass]].concat(),
        ),
        RigWord::Footprint => {
            ([&wheel[..], &[speed, RigKeys::sink_rate.any()]].concat(), [&rim[..], &[travel, mass]].concat())
        }
        RigWord::Plate => (
            vec![load, RigKeys::width.any(), RigKeys::length.any()],
            vec![RigKeys::shift.any(), RigKeys::points.any(), mass],
        ),
    }
}

/// Puts in what follows from the kind and from others: sizes, masses, and how long the run takes.
pub(crate) fn fill_rig(record: &mut Record) {
    let terrain = record.table(ScenarioKeys::terrain);
    let spacing = terrain.and_then(|t| t.get(TerrainKeys::spacing)).unwrap_or(1.0);
    let Some(rig) = record.table_mut(ScenarioKeys::rig) else { return };
    let kind = rig.get(RigKeys::kind).unwrap_or(RigWord::Plate);
    let radius = rig.get(RigKeys::radius).unwrap_or(1.0);
    let run_in = (RADII_BEFORE * radius * 1e9).round() / 1e9;
    let travel = if kind == RigWord::Footprint {
        8.0 * radius
    } else {
        rig.get(RigKeys::run_in).unwrap_or(run_in) + 2.0 * radius
    };
    let grousers = rig.get(RigKeys::grousers).unwrap_or(0);
    let height = rig.get(RigKeys::grouser_height).unwrap_or(GROUSER_HEIGHT);
    let carried = if grousers > 0 { height } else { 0.0 };
    let values = [
        (RigKeys::grousers.any(), Value::Count(0)),
        (RigKeys::grouser_height.any(), Value::Number(GROUSER_HEIGHT, &LENGTH)),
        (RigKeys::carried_layer.any(), Value::Number(carried, &LENGTH)),
        (RigKeys::travel.any(), Value::Number((travel * 1e9).round() / 1e9, &LENGTH)),
        (RigKeys::run_in.any(), Value::Number(run_in, &LENGTH)),
        (RigKeys::spin_time.any(), Value::Number(SPIN_TIME, &TIME)),
        (RigKeys::passes.any(), Value::Count(1)),
        (RigKeys::shift.any(), Value::Number(0.0, &LENGTH)),
        (RigKeys::points.any(), Value::Count(POINTS)),
        (RigKeys::mass.any(), Value::Number(MASS_OF_PART, &MASS)),
    ];
    let (_, optional) = keys_of(kind);
    for (key, value) in values {
        if optional.iter().any(|own| own.name() == key.name()) {
            rig.fill(key, value);
        }
    }
    let timetable = RigKeys::read(rig).and_then(|keys| schedule(&keys, spacing, &sizes(&keys)));
    if let Some(timetable) = timetable {
        record.fill(ScenarioKeys::duration, Value::Number(timetable.duration, &TIME));
    }
}

fn sizes(rig: &RigKeys) -> Sizes {
    let radius = rig.radius.unwrap_or(1.0);
    Sizes { radius, lift: RADII_LIFTED * radius + grouser_height(rig) }
}

/// Height of the grousers above the rim, zero if there are none.
fn grouser_height(rig: &RigKeys) -> f64 {
    let any = rig.grousers.is_some_and(|n| n > 0);
    if any { rig.grouser_height.unwrap_or(0.0) } else { 0.0 }
}

impl<'a> Builder<'a> {
    /// The keys of `[rig]`.
    pub(super) fn rig_keys(&self) -> Option<&'a RigKeys> {
        self.root.rig.as_ref()?.keys.as_ref()
    }

    /// Bodies, joints, motions and load of the rig.
    pub fn collect_rig(&mut self) {
        let Some(rig) = self.rig_keys() else { return };
        self.check_rig(rig);
        self.check_around_rig(rig);
        match rig.kind {
            RigWord::Plate => self.plate(rig),
            RigWord::SingleWheel | RigWord::Spin | RigWord::Footprint => self.wheel_rig(rig),
        };
    }

    fn check_rig(&mut self, rig: &RigKeys) {
        let (kind, here) = (rig.kind.word(), &rig.here);
        let (needed, optional) = keys_of(rig.kind);
        for key in needed.iter().filter(|key| !here.has(**key)) {
            self.issues.at(here.loc, &here.path, format!("needs {}, because it is {kind}", key.name()));
        }
        for (name, loc, path) in here.given() {
            let mut own = needed.iter().chain(&optional).map(|key| key.name());
            if name != RigKeys::kind.name() && !own.any(|key| key == name) {
                self.issues.at(loc, path, format!("means nothing in a rig of kind {kind}"));
            }
        }
        if let (Some(travel), Some(radius), Some(run_in), Some(speed)) =
            (rig.travel, rig.radius, rig.run_in, rig.speed)
            && rig.kind == RigWord::SingleWheel
            && travel < shortest_travel(radius, run_in, speed) * (1.0 - 1e-9)
        {
            let least = shortest_travel(radius, run_in, speed);
            let start = if here.has(RigKeys::run_in) { "run_in" } else { "four radii" };
            self.issues
                .at(
                    here.loc_of(RigKeys::travel),
                    here.path_of(RigKeys::travel),
                    "is too short for a steady stretch",
                )
                .found(format!("{travel} m"))
                .hint(format!("at least {least} m: {start} to start, one radius to average over"));
        }
    }

    /// A rig stands in flat soil, and brings its own load.
    fn check_around_rig(&mut self, rig: &RigKeys) {
        let root = self.root;
        if root.terrain.is_none() {
            self.issues.at(rig.here.loc, &rig.here.path, "needs soil to stand in").hint("add [terrain]");
        }
        if let Some(terrain) = self.terrain_keys().filter(|t| t.shape != TerrainShapeWord::Flat) {
            let key = TerrainKeys::shape;
            let (loc, path) = (terrain.here.loc_of(key), terrain.here.path_of(key));
            self.issues.at(loc, path, "must be flat under a rig");
        }
        let weightless = matches!(root.gravity, Some(GravityKey::World(WorldWord::None)));
        if root.here.has(ScenarioKeys::gravity) && !weightless {
            self.issues
                .at(
                    root.here.loc_of(ScenarioKeys::gravity),
                    "gravity",
                    "must be none: a rig brings its own load",
                )
                .hint("set rig.load");
        }
    }

    /// The timetable of the rig; nothing without one.
    pub(super) fn timetable(&self) -> Option<Schedule> {
        let rig = self.rig_keys()?;
        schedule(rig, self.terrain_keys()?.spacing, &sizes(rig))
    }

    fn wheel_rig(&mut self, rig: &RigKeys) -> Option<()> {
        let plan = self.timetable()?;
        let (radius, width, mass) = (rig.radius?, rig.width?, rig.mass?);
        let hub = Vec3::new(0.0, 0.0, self.level() + radius + grouser_height(rig));
        let block = Mat3::identity() * (mass * radius * radius / 6.0);
        let along = |axis: Vec3| JointKind::Prismatic { axis };
        // Along -x, so that the force that holds the carriage back, its multiplier, is the drawbar pull.
        let carriage = self.part(&rig.here, "carriage", (mass, block), (None, along(-Vec3::x())), &hub)?;
        self.prescribe(&rig.here, "carriage", carriage.1, way(&plan.travel, -1.0));
        let mut above = carriage.0;
        if !plan.lift.is_empty() {
            let stop = self.part(&rig.here, "stop", (mass, block), (Some(above), along(Vec3::z())), &hub)?;
            self.prescribe(&rig.here, "stop", stop.1, smooth(&plan.lift, 1.0));
            above = stop.0;
        }
        let slide = self.part(&rig.here, "slide", (mass, block), (Some(above), along(Vec3::z())), &hub)?;
        if plan.sink.is_empty() {
            self.press(rig, slide, &plan, radius);
        } else {
            self.prescribe(&rig.here, "slide", slide.1, way(&plan.sink, -1.0));
        }
        let (spin, across) =
            (0.5 * mass * radius * radius, mass * (3.0 * radius * radius + width * width) / 12.0);
        let disc = Mat3::from_diagonal(&Vec3::new(across, spin, across));
        let about = JointKind::Revolute { axis: Vec3::y() };
        let wheel = self.part(&rig.here, "wheel", (mass, disc), (Some(slide.0), about), &hub)?;
        self.prescribe(&rig.here, "wheel", wheel.1, way(&plan.spin, 1.0));
        let count = u32::try_from(rig.grousers?).ok()?;
        let height = grouser_height(rig);
        let grousers = (height > 0.0).then_some(Grousers { count, height, thickness: GROUSER_THICKNESS });
        let surface = SoilSurface {
            shape: SoilShape::Wheel { radius, width, grousers },
            carried_layer: rig.carried_layer?,
            bedded: false,
        };
        self.soil_bodies.push(SoilBody {
            name: "wheel".into(),
            body: wheel.0,
            X_BS: Pose::identity(),
            surface,
            skin: None,
        });
        let shape = Shape::Box { size: Vec3::new(0.3 * radius, width, radius) };
        let X_BG = Pose::translation(Vec3::new(0.0, 0.0, 1.8 * radius));
        self.visuals.push(Visual {
            name: "slide".into(),
            body: Some(slide.0),
            X_BG,
            shape,
            colour: RIG_COLOUR,
        });
        Some(())
    }

    /// The load on the slide, and the stop that lifts it between passes.
    fn press(&mut self, rig: &RigKeys, slide: (usize, usize), plan: &Schedule, radius: f64) {
        self.remember("load", "load", &rig.here);
        let rest = const { Signal::Constant(0.0) };
        let kind = ElementKind::Load {
            at: Attachment::point(Some(slide.0), Vec3::zeros()),
            force: [rest.clone(), rest.clone(), smooth(&plan.load, -1.0)],
            torque: [rest.clone(), rest.clone(), rest],
            follows_body: false,
        };
        self.mechanism.elements.push(ForceElement { name: "load".into(), kind });
        if plan.lift.is_empty() {
            return;
        }
        let (load, mass) = (rig.load.unwrap_or(1.0), rig.mass.unwrap_or(1.0));
        let stiffness = load / STOP_GIVES;
        let kind = ElementKind::JointLimit {
            axis: JointAxis { joint: slide.1, axis: 0 },
            lower: -RADII_HUNG * radius,
            upper: RADII_HUNG * radius,
            stiffness,
            damping: 2.0 * (stiffness * 2.0 * mass).sqrt(),
        };
        self.mechanism.elements.push(ForceElement { name: "slide/limits".into(), kind });
    }

    /// A plate of a bevameter, with its edges midway between nodes before it is shifted.
    fn plate(&mut self, rig: &RigKeys) -> Option<()> {
        let (length, width, mass) = (rig.length?, rig.width?, rig.mass?);
        let spacing = self.terrain_keys()?.spacing;
        let shift = rig.shift?;
        let at = |size: f64| midway(size, spacing) + shift;
        let size = Vec3::new(length, width, PLATE_THICKNESS);
        let place = Vec3::new(at(length), at(width), self.level() + 0.5 * PLATE_THICKNESS);
        let q = size.component_mul(&size);
        let inertia = Mat3::from_diagonal(&Vec3::new(q.y + q.z, q.x + q.z, q.x + q.y)) * (mass / 12.0);
        let kind = JointKind::Prismatic { axis: Vec3::z() };
        let (body, _) = self.part(&rig.here, "plate", (mass, inertia), (None, kind), &place)?;
        let shape = SoilShape::Mesh(Shape::Box { size }.triangulate(4));
        let surface = SoilSurface { shape, carried_layer: 0.0, bedded: false };
        self.soil_bodies.push(SoilBody {
            name: "plate".into(),
            body,
            X_BS: Pose::identity(),
            surface,
            skin: None,
        });
        Some(())
    }

    /// Height of the undisturbed soil under the rig.
    fn level(&self) -> f64 {
        self.terrain_keys().map_or(0.0, |terrain| terrain.height)
    }

    /// A body of the rig with the joint that carries it; returns both indices.
    pub(super) fn part(
        &mut self,
        rig: &impl Placed,
        name: &str,
        (mass, inertia): (f64, Mat3),
        (parent, kind): (BodyRef, JointKind),
        at: &Vec3,
    ) -> Option<(usize, usize)> {
        if self.bodies.contains_key(name) || self.joints.contains_key(name) {
            self.issues.at(rig.loc(), rig.path(), format!("has a part called {name}, as the scenario has"));
            return None;
        }
        self.remember("body", name, rig);
        self.remember("joint", name, rig);
        let body = self.add_body(0, Body { name: name.into(), mass, com: Vec3::zeros(), inertia });
        let joint = Joint::new(name, kind, parent, body, Vec3::zeros());
        Some((body, self.add_joint(0, joint, Frames::At(*at), rig)))
    }

    pub(super) fn prescribe(&mut self, rig: &impl Placed, name: &str, joint: usize, motion: Signal) {
        self.remember("constraint", name, rig);
        let kind = ConstraintKind::Prescribed { axis: JointAxis { joint, axis: 0 }, motion };
        self.mechanism.constraints.push(Constraint { name: name.into(), kind });
    }
}

/// Centre of a plate, along one side, that puts its edges midway between nodes: on a node for an odd number of cells, else between.
fn midway(size: f64, spacing: f64) -> f64 {
    let cells = (size / spacing).round();
    if cells % 2.0 == 0.0 { 0.5 * spacing } else { 0.0 }
}
