//! Docking: sensors, sequence and limits from their keys; the client placed relative to the chaser.

use super::Builder;
use crate::read::Text;
use crate::table::{BoomDriveKeys, CameraKeys, DistanceKeys, DockingKeys, TriggerWord};
use touchdown_math::{Pose, Vec3, rotation};
use touchdown_multibody::description::JointKind;
use touchdown_sim::description::{Allowables, Docking, DockingContacts, MOST_BRACKETS};
use touchdown_spacecraft::camera::StereoCamera;
use touchdown_spacecraft::capture::Shoulder;
use touchdown_spacecraft::random::Noise;
use touchdown_spacecraft::range::LaserDistance;
use touchdown_spacecraft::sequence::{
    AbortCriteria, BoomSettings, DockingGeometry, EventSettings, Sequence, Trigger,
};
use touchdown_spacecraft::switch::ContactSwitch;

/// Channels of the seed.
const CAMERA: u32 = 20;
const DISTANCE: u32 = 30;

impl Builder<'_> {
    /// The docking of the scenario. Needs contacts, booms and attitude control.
    pub fn collect_docking(&mut self) {
        if let Some(keys) = self.root.docking.as_ref().and_then(|docking| docking.keys.as_ref()) {
            let docking = self.docking(keys);
            self.satellites.dockings.extend(docking);
        }
    }

    fn docking(&mut self, keys: &DockingKeys) -> Option<Docking> {
        let chaser = self.carrier(0, &keys.chaser);
        let client = self.carrier(0, &keys.client);
        let contacts = self.docking_contacts(keys);
        let boom = self.booms.iter().position(|b| b.name == *keys.boom);
        if boom.is_none() {
            self.issues
                .at(keys.boom.loc, &keys.boom.path, "names no boom")
                .found(&keys.boom)
                .hint("give it a [boom.NAME]");
        }
        let (chaser, client, contacts, boom) = (chaser?, client?, contacts?, boom?);
        match self.satellites.controls.iter_mut().find(|control| control.body == chaser) {
            Some(control) => control.guidance = Some("docking.sequence".into()),
            None => {
                let what = "needs attitude control, [aocs] with its body";
                self.issues.at(keys.chaser.loc, &keys.chaser.path, what);
            }
        }
        self.place_client(keys, chaser, client, &contacts);
        let form = self.captured_form(keys, &contacts)?;
        let sequence = self.sequence(keys, boom, &form)?;
        if let Err(problem) = sequence.check() {
            self.issues.at(keys.here.loc, &keys.here.path, "cannot work").found(problem.to_string());
            return None;
        }
        let crown = contacts.crown;
        let seed = self.seed();
        let limits = &keys.allowables;
        let docking = Docking {
            name: String::new(),
            chaser,
            client,
            boom,
            contacts,
            crown_speed: keys.crown_speed,
            shoulder: form.shoulder,
            crown_end: self.polygonal[crown].opening.as_ref()?.family.range()[1],
            camera: camera(&keys.camera, form.rim_radius, seed),
            distance: distance(&keys.distance, seed),
            switch: ContactSwitch::at(keys.switch_force),
            sequence,
            allowables: Allowables {
                pressure: limits.pressure,
                lateral_force: limits.lateral_force,
                torque: limits.torque,
                penetration: limits.penetration,
                margin: limits.margin,
            },
            average_over: keys.average_over,
        };
        self.check_client_reach(keys, &docking);
        Some(docking)
    }

    /// Dimensions of nozzle and tool for camera and sequence: those of the hardware itself, unless their keys
    /// give others.
    fn captured_form(&mut self, keys: &DockingKeys, contacts: &DockingContacts) -> Option<CapturedForm> {
        let root = self.root;
        let capture = self.captures.iter().find(|capture| capture.contacts[0] == contacts.tool);
        let tool =
            capture.and_then(|capture| root.capture_tool.iter().find(|tool| tool.name == capture.name));
        let tool = tool.and_then(|tool| tool.keys.as_ref());
        let nozzle = tool.and_then(|tool| root.nozzle.iter().find(|nozzle| nozzle.name == *tool.nozzle));
        let nozzle = nozzle.and_then(|nozzle| nozzle.keys.as_ref());
        let g = &keys.geometry;
        let rim_radius = keys.camera.rim_radius.or(nozzle.map(|nozzle| nozzle.exit_radius));
        let exit_a = g.exit.or(nozzle.map(|nozzle| nozzle.bell_length));
        let nose_q = g.nose.or(tool.map(|tool| tool.bolt.nose));
        let missing = [
            (rim_radius, (keys.camera.here.loc, &keys.camera.here.path), "needs rim_radius"),
            (exit_a, (g.here.loc, &g.here.path), "needs exit"),
            (nose_q, (g.here.loc, &g.here.path), "needs nose"),
        ];
        for (_, (loc, path), what) in missing.iter().filter(|(found, ..)| found.is_none()) {
            let hint = "only a [capture_tool.NAME] and its nozzle say it by themselves";
            self.issues.at(*loc, path, *what).hint(hint);
        }
        let shoulder = self.shoulders.iter().find(|s| capture.is_some_and(|c| c.name == s.capture));
        Some(CapturedForm {
            rim_radius: rim_radius?,
            exit_a: exit_a?,
            nose_q: nose_q?,
            shoulder: shoulder.map(|shoulder| shoulder.form),
            early_per_lean: shoulder.map_or(0.0, |shoulder| shoulder.early_per_lean),
        })
    }

    fn docking_contacts(&mut self, keys: &DockingKeys) -> Option<DockingContacts> {
        // Contacts of a capture tool or of brackets with a mistake are missing for that reason.
        let explained = self.capture_has_mistakes();
        let mut find = |name: &Text| {
            let found = self.polygonal.iter().position(|c| c.name == **name);
            if found.is_none() && !explained {
                self.issues
                    .at(name.loc, &name.path, "names no polygonal contact")
                    .found(name)
                    .hint("give it a [polygonal.NAME]");
            }
            found
        };
        let (tool, crown, bolt) = (find(&keys.tool), find(&keys.crown), find(&keys.bolt));
        let brackets: Vec<_> = keys.brackets.iter().map(&mut find).collect();
        if brackets.len() > MOST_BRACKETS {
            let key = DockingKeys::brackets;
            self.issues
                .at(keys.here.loc_of(key), keys.here.path_of(key), "are too many")
                .found(brackets.len())
                .allowed(format!("up to {MOST_BRACKETS}"));
        }
        let contacts = DockingContacts {
            tool: tool?,
            crown: crown?,
            bolt: bolt?,
            brackets: brackets.into_iter().collect::<Option<Vec<_>>>()?,
        };
        if self.polygonal[contacts.crown].opening.is_none() {
            self.issues
                .at(keys.crown.loc, &keys.crown.path, "names a contact whose reference does not open")
                .hint("a [capture_tool.NAME] makes such a contact");
            return None;
        }
        Some(contacts)
    }

    /// Places the client as given by throat, offset and tilt: its z opposite to the chaser's, its y along the
    /// chaser's.
    fn place_client(
        &mut self,
        keys: &DockingKeys,
        chaser: usize,
        client: usize,
        contacts: &DockingContacts,
    ) -> Option<()> {
        let joint_of = |b: &Self, body: usize| b.mechanism.joints.iter().position(|j| j.child == body);
        let (from, to) = (joint_of(self, chaser)?, joint_of(self, client)?);
        for (joint, name) in [(from, &keys.chaser), (to, &keys.client)] {
            let j = &self.mechanism.joints[joint];
            if j.kind != JointKind::Free || j.parent.is_some() {
                self.issues
                    .at(name.loc, &name.path, "must fly freely in the world")
                    .hint("give it a joint of type free, with the world as parent");
                return None;
            }
        }
        let q = &self.mechanism.joints[from].position;
        let X_WA = Pose { R: rotation::from_quaternion(&q[3..7]), p: Vec3::new(q[0], q[1], q[2]) };
        let rates = &self.mechanism.joints[from].rate;
        let (v_A, w_A) =
            (Vec3::new(rates[0], rates[1], rates[2]), X_WA.R * Vec3::new(rates[3], rates[4], rates[5]));
        let p_AN = keys.throat + Vec3::new(keys.offset_x, keys.offset_y, 0.0);
        let turn = rotation::exp(&Vec3::new(keys.tilt_x, keys.tilt_y, 0.0)).to_rotation_matrix().into_inner();
        let R_AC = turn * rotation::about_axis(&Vec3::y(), std::f64::consts::PI);
        let p_CN = self.polygonal[contacts.tool].sides[1].X_BS.p;
        let X_WC = X_WA.compose(&Pose { R: R_AC, p: p_AN - R_AC * p_CN });
        // The pair moves as one body with the chaser, apart from the given relative motion.
        let v = v_A + w_A.cross(&(X_WC.p - X_WA.p)) + X_WA.R * keys.relative_velocity;
        let w = X_WC.R.transpose() * w_A + Vec3::x() * keys.client_rate;
        let quaternion = X_WC.quaternion();
        let joint = &mut self.mechanism.joints[to];
        joint.position =
            vec![X_WC.p.x, X_WC.p.y, X_WC.p.z, quaternion.w, quaternion.i, quaternion.j, quaternion.k];
        joint.rate = vec![v.x, v.y, v.z, w.x, w.y, w.z];
        Some(())
    }

    fn sequence(&mut self, keys: &DockingKeys, boom: usize, form: &CapturedForm) -> Option<Sequence> {
        let (g, b, e, a) = (&keys.geometry, &keys.drive, &keys.events, &keys.abort);
        let trigger = match (keys.trigger, &keys.times) {
            (TriggerWord::Clock, Some(times)) => Trigger::Clock {
                inserted: times.inserted,
                locked: times.locked,
                brackets: times.brackets,
                seated: times.seated,
                docked: times.docked,
            },
            (TriggerWord::Clock, None) if keys.here.has(DockingKeys::times) => return None,
            (TriggerWord::Clock, None) => {
                let key = DockingKeys::trigger;
                self.issues
                    .at(keys.here.loc_of(key), keys.here.path_of(key), "needs times")
                    .hint("[docking.times]");
                return None;
            }
            (TriggerWord::Sensors, _) => Trigger::Sensors,
        };
        let law = &self.booms[boom].law;
        let spring_travel = match law.safety_spring {
            Some(spring) => spring.travel,
            None => {
                let what = "has no safety spring, which the docking tensions";
                self.issues.at(keys.boom.loc, &keys.boom.path, what).hint("give it safety_spring");
                return None;
            }
        };
        let (length_limits, root) = (law.limits, self.booms[boom].root.X_BF.p.z);
        Some(Sequence {
            trigger,
            geometry: DockingGeometry {
                boom_root_z: root,
                nose_q: form.nose_q,
                exit_a: form.exit_a,
                shoulder_a: g.shoulder,
                gap: g.gap,
                early_per_lean: form.early_per_lean,
            },
            boom: BoomSettings {
                length_start: b.length_start,
                length_inserted: b.length_inserted,
                length_docked: b.length_docked,
                length_limits,
                insertion_speed: b.insertion_speed,
                retraction_speed: b.retraction_speed,
                approach_speed: b.approach_speed,
                approach_distance: b.approach_distance,
                ramp: b.ramp,
                retraction_ramp: b.retraction_ramp,
                insertion_force: b.insertion_force,
                force: b.force,
                spring_travel,
            },
            events: EventSettings {
                centring_fixes: e.centring_fixes as u32,
                lateral_tolerance: e.lateral_tolerance,
                throat_passed: e.throat_passed,
                locking_force: e.locking_force,
                locked_for: e.locked_for,
                retraction_after: e.retraction_after,
                seated_for: e.seated_for,
                docked_for: e.docked_for,
                retreat_speed: e.retreat_speed,
                contact_force: e.contact_force,
            },
            abort: AbortCriteria {
                insertion_timeout: a.insertion_timeout,
                insertion_force: a.insertion_force,
                insertion_force_for: a.insertion_force_for,
                lateral_error: a.lateral_error,
                locking_timeout: a.locking_timeout,
                boom_lateral_force: a.boom_lateral_force,
                client_rate: a.client_rate,
                client_rate_for: a.client_rate_for,
                retraction_timeout: a.retraction_timeout,
                seating_timeout: a.seating_timeout,
                tension_timeout: a.tension_timeout,
                stowing_timeout: a.stowing_timeout,
            },
            period: 1.0 / keys.rate,
        })
    }

    /// A client beyond the boom's reach, or a sequence whose lengths exceed those of the boom, is a mistake.
    fn check_client_reach(&mut self, keys: &DockingKeys, docking: &Docking) {
        let (b, g) = (&docking.sequence.boom, &docking.sequence.geometry);
        let [short, long] = b.length_limits;
        let needed = keys.throat.z - g.boom_root_z - g.shoulder_a - g.gap;
        if needed > long || needed < short {
            let key = DockingKeys::throat;
            self.issues
                .at(keys.here.loc_of(key), keys.here.path_of(key), "is beyond the boom's reach")
                .found(format!("a boom of {needed:.3} m would be needed"))
                .allowed(format!("{short} to {long} m"))
                .hint("bring the client nearer, or give the boom other length_limits");
        }
        let here = &keys.drive.here;
        for (key, length) in [
            (BoomDriveKeys::length_start, b.length_start),
            (BoomDriveKeys::length_inserted, b.length_inserted),
            (BoomDriveKeys::length_docked, b.length_docked),
        ] {
            if !(short..=long).contains(&length) {
                self.issues
                    .at(here.loc_of(key), here.path_of(key), "is beyond the boom's reach")
                    .found(format!("{length} m"))
                    .allowed(format!("{short} to {long} m"));
            }
        }
    }
}

/// Dimensions of nozzle and tool for camera and sequence, m.
struct CapturedForm {
    rim_radius: f64,
    exit_a: f64,
    nose_q: f64,
    /// The shoulder, and how much earlier it touches for each unit of the sine of the tool's lean.
    shoulder: Option<Shoulder>,
    early_per_lean: f64,
}

fn camera(keys: &CameraKeys, rim_radius: f64, seed: u64) -> StereoCamera {
    let p = keys.position;
    StereoCamera {
        positions: [Vec3::new(p[0], p[1], p[2]), Vec3::new(p[3], p[4], p[5])],
        focal_px: keys.focal,
        image_px: keys.image,
        noise_px: keys.noise,
        rim_points: keys.rim_points as usize,
        rim_radius,
        rate_hz: keys.rate,
        delay_s: keys.delay,
        noise: Noise::new(seed, CAMERA),
    }
}

fn distance(keys: &DistanceKeys, seed: u64) -> LaserDistance {
    LaserDistance {
        q: keys.place,
        radius: keys.radius,
        azimuths: keys.azimuth.clone(),
        range: keys.range,
        noise_m: keys.noise,
        rate_hz: keys.rate,
        noise: Noise::new(seed, DISTANCE),
    }
}
