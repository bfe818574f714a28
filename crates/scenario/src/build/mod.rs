//! From records to a [`WorldDescription`]: names are looked up, frames computed, and the whole is checked for
//! consistency.
//!
//! Fourth stage. Order: bodies and joints of every scope, the tree and its zero pose, the machines' places,
//! then all that refers to them. After a mistake each step continues with the rest, so that one run reports
//! every mistake.

mod answer;
mod body;
mod boom;
mod bumper;
mod capture;
mod chain;
mod check;
mod collision;
mod command;
mod constraint;
mod contact;
mod control;
mod device;
mod docking;
mod drive;
mod element;
mod feet_grid;
mod flexible;
mod flexible_file;
mod flexible_form;
mod flexible_soil;
mod foot;
mod foot_rig;
mod free_rolling;
mod gait;
mod ground;
mod impulse;
mod inputs;
mod intruder;
mod kit;
mod latch;
mod lean;
mod legs;
mod map;
mod names;
mod parts;
mod path;
mod plate_study;
mod plates;
mod polygonal;
mod polygonal_form;
mod press;
mod report;
mod rig;
mod rocks;
mod run;
mod satellite;
mod sequence;
mod sequence_text;
mod smooth;
mod soil;
mod study;
mod surface_law;
mod tree;
mod visual;
mod wheel;
mod wheel_press;

use crate::error::Issues;
use crate::include::Library;
use crate::read::{BodyName, Part};
use crate::report::Report;
use crate::source::Loc;
use crate::table::{PlaceKeys, ScenarioKeys};
use parts::{Parts, Placed};
use std::collections::BTreeMap;
use std::sync::Arc;
use touchdown_geometry::{SolidMesh, TriangleMesh};
use touchdown_machines::rocks::PlacedRock;
use touchdown_math::{Pose, Vec3};
use touchdown_multibody::description::{BodyRef, Mechanism};
use touchdown_sim::description::{
    Boom, Bumper, Capture, Flexible, FootContact, Ground, Impulse, Input, IntruderBody, Latch, MagnetPair,
    PlainDevices, Point, PolygonalContact, Ratchet, Satellites, ScheduledCommand, SmoothContact, SoilBody,
    Tyre, Visual, Walker, WorldDescription,
};
use tree::PlannedJoint;

pub(crate) use foot::HARD;
pub(crate) use names::glob;
pub(crate) use run::fill_derived;
pub(crate) use soil::soil_parameters;
#[cfg(test)]
pub(crate) use tree::joint_pose;

/// A location in the files for something that the simulator identifies by name.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    pub loc: Loc,
    pub path: String,
}

/// The scenario itself (empty prefix) or one of its machines.
pub(crate) struct Scope<'a> {
    pub prefix: String,
    pub parts: Parts<'a>,
    pub place: Option<&'a Part<PlaceKeys>>,
    /// The machine's frame in the world.
    pub X_WM: Pose,
    /// Bodies named in tables with mistakes.
    pub broken: Vec<&'a BodyName>,
}

/// Everything built so far.
pub(crate) struct Builder<'a> {
    pub issues: &'a mut Issues,
    pub library: &'a mut Library,
    pub root: &'a ScenarioKeys,
    pub scopes: Vec<Scope<'a>>,
    pub mechanism: Mechanism,
    /// Bodies by name.
    pub bodies: BTreeMap<String, usize>,
    /// Scope of each body.
    pub scope_of_body: Vec<usize>,
    /// Pose of each body in the frame of its own machine, with all joints at zero.
    pub X_MB_zero: Vec<Pose>,
    /// Joints by name; `None` where a mistake kept one out of the mechanism.
    pub joints: BTreeMap<String, Option<usize>>,
    pub planned: Vec<PlannedJoint<'a>>,
    pub impulses: Vec<Impulse>,
    pub points: Vec<Point>,
    pub inputs: Vec<Input>,
    pub schedule: Vec<ScheduledCommand>,
    /// Points by name.
    pub point_names: BTreeMap<String, usize>,
    pub tyres: Vec<Tyre>,
    pub soil_bodies: Vec<SoilBody>,
    pub contacts: Vec<SmoothContact>,
    pub polygonal: Vec<PolygonalContact>,
    pub rocks: Vec<PlacedRock>,
    /// Meshes already prepared for contact: equal wheels share theirs.
    pub solids: Vec<(TriangleMesh, Arc<SolidMesh>)>,
    pub flexible: Vec<Flexible>,
    pub booms: Vec<Boom>,
    pub bumpers: Vec<Bumper>,
    pub magnets: Vec<MagnetPair>,
    pub latches: Vec<Latch>,
    pub ratchets: Vec<Ratchet>,
    pub captures: Vec<Capture>,
    /// The shoulders of the capture tools.
    pub shoulders: Vec<capture::CaptureShoulder>,
    /// Parts of the capture tools for figures; without times.
    pub drawings: Vec<touchdown_sim::figure::CaptureSections>,
    pub feet: Vec<FootContact>,
    pub intruders: Vec<IntruderBody>,
    pub walkers: Vec<Walker>,
    pub satellites: Satellites,
    pub devices: PlainDevices,
    pub ground: Option<Ground>,
    pub visuals: Vec<Visual>,
    pub origins: BTreeMap<String, Origin>,
    pub warnings: Vec<String>,
}

/// Result of building.
pub(crate) struct Built {
    pub description: WorldDescription,
    pub report: Report,
    pub origins: BTreeMap<String, Origin>,
    pub warnings: Vec<String>,
}

/// Builds the description; mistakes are added to `issues`, and the result is valid only without mistakes.
pub(crate) fn build(keys: &ScenarioKeys, library: &mut Library, issues: &mut Issues) -> Built {
    let mut b = Builder::new(keys, library, issues);
    b.collect_bodies();
    b.collect_joints();
    b.collect_chains();
    b.collect_wings();
    b.collect_reaction_wheels();
    b.collect_thrusters();
    b.collect_orbit();
    b.collect_control();
    b.collect_rig();
    b.collect_foot_rig();
    b.collect_rocks();
    b.check_broken();
    b.check_tree();
    b.place_tree();
    b.collect_tyres();
    b.collect_soil_bodies();
    b.collect_flexible();
    b.collect_ground();
    b.place_on_ground();
    b.collect_points();
    b.collect_contacts();
    b.collect_feet();
    b.collect_intruders();
    b.collect_polygonal();
    b.collect_capture();
    b.touch_rocks();
    b.collect_collisions();
    b.finish_bodies();
    b.collect_constraints();
    b.collect_elements();
    b.collect_booms();
    b.collect_bumpers();
    b.collect_latches();
    b.collect_ratchets();
    b.collect_magnets();
    b.collect_docking();
    b.collect_impulses();
    b.collect_drives();
    b.collect_gait();
    b.collect_legs();
    b.collect_paths();
    b.collect_inputs();
    b.collect_schedule();
    b.collect_devices();
    b.feet_into_soil();
    b.collect_visuals();
    b.check_spacing();
    b.check_mobility();
    b.finish()
}

impl<'a> Builder<'a> {
    fn new(root: &'a ScenarioKeys, library: &'a mut Library, issues: &'a mut Issues) -> Self {
        let (parts, X_WM) = (Parts::from(root), Pose::identity());
        let broken = root.bodies_of_broken();
        let mut scopes = vec![Scope { prefix: String::new(), parts, place: None, X_WM, broken }];
        for machine in &root.machine {
            let Some(keys) = &machine.keys else { continue };
            let broken = keys.bodies_of_broken();
            let (prefix, place) = (format!("{}/", machine.name), keys.place.as_ref());
            let X_WM = contact::placed(place);
            scopes.push(Scope { prefix, parts: Parts::from(keys), place, X_WM, broken });
        }
        Builder {
            issues,
            library,
            root,
            scopes,
            mechanism: Mechanism::default(),
            bodies: BTreeMap::new(),
            scope_of_body: Vec::new(),
            X_MB_zero: Vec::new(),
            joints: BTreeMap::new(),
            planned: Vec::new(),
            impulses: Vec::new(),
            points: Vec::new(),
            inputs: Vec::new(),
            schedule: Vec::new(),
            point_names: BTreeMap::new(),
            tyres: Vec::new(),
            soil_bodies: Vec::new(),
            contacts: Vec::new(),
            polygonal: Vec::new(),
            rocks: Vec::new(),
            solids: Vec::new(),
            flexible: Vec::new(),
            booms: Vec::new(),
            bumpers: Vec::new(),
            magnets: Vec::new(),
            latches: Vec::new(),
            ratchets: Vec::new(),
            captures: Vec::new(),
            shoulders: Vec::new(),
            drawings: Vec::new(),
            feet: Vec::new(),
            intruders: Vec::new(),
            walkers: Vec::new(),
            satellites: Satellites::default(),
            devices: PlainDevices::default(),
            ground: None,
            visuals: Vec::new(),
            origins: BTreeMap::new(),
            warnings: Vec::new(),
        }
    }

    /// Stores where something with a name in the results was written.
    pub fn remember(&mut self, kind: &str, name: &str, at: &impl Placed) {
        self.origins.insert(format!("{kind}.{name}"), Origin { loc: at.loc(), path: at.path().into() });
    }

    /// Pose of a body, or of the world, in the frame of a machine with all joints at zero. Inside one machine
    /// it is not computed through the world, so that a machine far from the origin keeps its precision.
    pub fn zero_pose(&self, scope: usize, body: BodyRef) -> Pose {
        let X_WM = self.scopes[scope].X_WM;
        match body {
            None => X_WM.inverse(),
            Some(i) if self.scope_of_body[i] == scope => self.X_MB_zero[i],
            Some(i) => {
                X_WM.inverse().compose(&self.scopes[self.scope_of_body[i]].X_WM).compose(&self.X_MB_zero[i])
            }
        }
    }

    /// A point given in a machine's frame with all joints at zero, in a body's frame.
    pub fn in_body(&self, scope: usize, body: BodyRef, at: &Vec3) -> Vec3 {
        self.zero_pose(scope, body).inverse().point(at)
    }

    /// A direction given in a machine's frame with all joints at zero, in a body's frame.
    pub fn axis_in_body(&self, scope: usize, body: BodyRef, axis: &Vec3) -> Vec3 {
        self.zero_pose(scope, body).R.transpose() * axis
    }
}
