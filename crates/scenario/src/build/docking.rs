//! Docking: sensors, sequence and limits from their keys; the client placed before the chaser.

use super::Builder;
use crate::read::Record;
use touchdown_math::{Pose, Vec3, rotation};
use touchdown_multibody::description::JointKind;
use touchdown_sim::description::{Allowables, Docking, DockingContacts, MOST_BRACKETS};
use touchdown_spacecraft::camera::StereoCamera;
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
        if let Some(r) = self.scopes[0].record.table("docking") {
            let docking = self.docking(r);
            self.satellites.dockings.extend(docking);
        }
    }

    fn docking(&mut self, r: &Record) -> Option<Docking> {
        let chaser = self.satellite(r, "chaser");
        let client = self.satellite(r, "client");
        let contacts = self.docking_contacts(r);
        let boom_name = r.text("boom")?;
        let boom = self.booms.iter().position(|b| b.name == boom_name);
        if boom.is_none() {
            let hint = "give it a [boom.NAME]";
            self.issues.at(r.loc_of("boom"), r.path_of("boom"), "names no boom").found(boom_name).hint(hint);
        }
        let (chaser, client, contacts, boom) = (chaser?, client?, contacts?, boom?);
        match self.satellites.controls.iter_mut().find(|control| control.body == chaser) {
            Some(control) => control.guidance = Some("docking.sequence".into()),
            None => {
                let what = "needs attitude control, [aocs] with its body";
                self.issues.at(r.loc_of("chaser"), r.path_of("chaser"), what);
            }
        }
        self.place_client(r, chaser, client, &contacts);
        let sequence = self.sequence(r, boom)?;
        if let Err(problem) = sequence.check() {
            self.issues.at(r.loc, &r.path, "cannot work").found(problem.to_string());
            return None;
        }
        let crown = contacts.crown;
        let seed = self.seed();
        let limits = r.table("allowables")?;
        let docking = Docking {
            name: String::new(),
            chaser,
            client,
            boom,
            contacts,
            crown_speed: r.number("crown_speed")?,
            crown_end: self.polygonal[crown].opening.as_ref()?.family.range()[1],
            camera: camera(r.table("camera")?, seed)?,
            distance: distance(r.table("distance")?, seed)?,
            switch: ContactSwitch::at(r.number("switch_force")?),
            sequence,
            allowables: Allowables {
                pressure: limits.number("pressure")?,
                lateral_force: limits.number("lateral_force")?,
                torque: limits.number("torque")?,
                penetration: limits.number("penetration")?,
                margin: limits.number("margin")?,
            },
            average_over: r.number("average_over")?,
        };
        self.check_client_reach(r, &docking);
        Some(docking)
    }

    fn satellite(&mut self, r: &Record, key: &str) -> Option<usize> {
        let body = self.body(0, r.text(key)?, r.loc_of(key), &r.path_of(key))?;
        if body.is_none() {
            self.issues.at(r.loc_of(key), r.path_of(key), "must be a body, not the world");
        }
        body
    }

    fn docking_contacts(&mut self, r: &Record) -> Option<DockingContacts> {
        let mut find = |name: &str, key: &str| {
            let found = self.polygonal.iter().position(|c| c.name == name);
            if found.is_none() {
                self.issues
                    .at(r.loc_of(key), r.path_of(key), "names no polygonal contact")
                    .found(name)
                    .hint("give it a [polygonal.NAME]");
            }
            found
        };
        let (tool, crown, bolt) =
            (find(r.text("tool")?, "tool"), find(r.text("crown")?, "crown"), find(r.text("bolt")?, "bolt"));
        let brackets: Vec<_> = r.texts("brackets").iter().map(|(name, _)| find(name, "brackets")).collect();
        if brackets.len() > MOST_BRACKETS {
            self.issues
                .at(r.loc_of("brackets"), r.path_of("brackets"), "are too many")
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
                .at(r.loc_of("crown"), r.path_of("crown"), "names a contact whose reference does not open")
                .hint("a [capture_tool.NAME] makes such a contact");
            return None;
        }
        Some(contacts)
    }

    /// Puts the client where throat, offset and tilt say: its z against the chaser's, its y along the chaser's.
    fn place_client(
        &mut self,
        r: &Record,
        chaser: usize,
        client: usize,
        contacts: &DockingContacts,
    ) -> Option<()> {
        let joint_of = |b: &Self, body: usize| b.mechanism.joints.iter().position(|j| j.child == body);
        let (from, to) = (joint_of(self, chaser)?, joint_of(self, client)?);
        for (joint, key) in [(from, "chaser"), (to, "client")] {
            let j = &self.mechanism.joints[joint];
            if j.kind != JointKind::Free || j.parent.is_some() {
                self.issues
                    .at(r.loc_of(key), r.path_of(key), "must fly freely in the world")
                    .hint("give it a joint of type free, with the world as parent");
                return None;
            }
        }
        let q = &self.mechanism.joints[from].position;
        let X_WA = Pose { R: rotation::from_quaternion(&q[3..7]), p: Vec3::new(q[0], q[1], q[2]) };
        let rates = &self.mechanism.joints[from].rate;
        let (v_A, w_A) =
            (Vec3::new(rates[0], rates[1], rates[2]), X_WA.R * Vec3::new(rates[3], rates[4], rates[5]));
        let p_AN = r.vec3("throat")? + Vec3::new(r.number("offset_x")?, r.number("offset_y")?, 0.0);
        let turn = rotation::exp(&Vec3::new(r.number("tilt_x")?, r.number("tilt_y")?, 0.0))
            .to_rotation_matrix()
            .into_inner();
        let R_AC = turn * rotation::about_axis(&Vec3::y(), std::f64::consts::PI);
        let p_CN = self.polygonal[contacts.tool].sides[1].X_BS.p;
        let X_WC = X_WA.compose(&Pose { R: R_AC, p: p_AN - R_AC * p_CN });
        // The pair moves as one with the chaser, but for what is given.
        let v = v_A + w_A.cross(&(X_WC.p - X_WA.p)) + X_WA.R * r.vec3("relative_velocity")?;
        let w = X_WC.R.transpose() * w_A + Vec3::x() * r.number("client_rate")?;
        let quaternion = X_WC.quaternion();
        let joint = &mut self.mechanism.joints[to];
        joint.position =
            vec![X_WC.p.x, X_WC.p.y, X_WC.p.z, quaternion.w, quaternion.i, quaternion.j, quaternion.k];
        joint.rate = vec![v.x, v.y, v.z, w.x, w.y, w.z];
        Some(())
    }

    fn sequence(&mut self, r: &Record, boom: usize) -> Option<Sequence> {
        let (g, b, e, a) = (r.table("geometry")?, r.table("drive")?, r.table("events")?, r.table("abort")?);
        let trigger = match (r.text("trigger"), r.table("times")) {
            (Some("clock"), Some(times)) => Trigger::Clock {
                inserted: times.number("inserted")?,
                locked: times.number("locked")?,
                brackets: times.number("brackets")?,
                seated: times.number("seated")?,
                docked: times.number("docked")?,
            },
            (Some("clock"), None) => {
                self.issues
                    .at(r.loc_of("trigger"), r.path_of("trigger"), "needs times")
                    .hint("[docking.times]");
                return None;
            }
            _ => Trigger::Sensors,
        };
        let law = &self.booms[boom].law;
        let spring_travel = match law.safety_spring {
            Some(spring) => spring.travel,
            None => {
                let what = "has no safety spring, which the docking tensions";
                self.issues.at(r.loc_of("boom"), r.path_of("boom"), what).hint("give it safety_spring");
                return None;
            }
        };
        let (length_limits, root) = (law.limits, self.booms[boom].root.X_BF.p.z);
        Some(Sequence {
            trigger,
            geometry: DockingGeometry {
                boom_root_z: root,
                nose_q: g.number("nose")?,
                exit_a: g.number("exit")?,
                shoulder_a: g.number("shoulder")?,
                gap: g.number("gap")?,
            },
            boom: BoomSettings {
                length_start: b.number("length_start")?,
                length_inserted: b.number("length_inserted")?,
                length_docked: b.number("length_docked")?,
                length_limits,
                insertion_speed: b.number("insertion_speed")?,
                retraction_speed: b.number("retraction_speed")?,
                approach_speed: b.number("approach_speed")?,
                approach_distance: b.number("approach_distance")?,
                ramp: b.number("ramp")?,
                retraction_ramp: b.number("retraction_ramp")?,
                insertion_force: b.number("insertion_force")?,
                force: b.number("force")?,
                spring_travel,
            },
            events: EventSettings {
                centring_fixes: e.count("centring_fixes")? as u32,
                lateral_tolerance: e.number("lateral_tolerance")?,
                throat_passed: e.number("throat_passed")?,
                locking_force: e.number("locking_force")?,
                locked_for: e.number("locked_for")?,
                retraction_after: e.number("retraction_after")?,
                seated_for: e.number("seated_for")?,
                docked_for: e.number("docked_for")?,
                retreat_speed: e.number("retreat_speed")?,
                contact_force: e.number("contact_force")?,
            },
            abort: AbortCriteria {
                insertion_timeout: a.number("insertion_timeout")?,
                insertion_force: a.number("insertion_force")?,
                insertion_force_for: a.number("insertion_force_for")?,
                lateral_error: a.number("lateral_error")?,
                locking_timeout: a.number("locking_timeout")?,
                boom_lateral_force: a.number("boom_lateral_force")?,
                client_rate: a.number("client_rate")?,
                retraction_timeout: a.number("retraction_timeout")?,
                seating_timeout: a.number("seating_timeout")?,
                tension_timeout: a.number("tension_timeout")?,
                stowing_timeout: a.number("stowing_timeout")?,
            },
            period: 1.0 / r.number("rate")?,
        })
    }

    /// A client beyond the boom's reach, or a sequence whose lengths do not fit the boom, is a mistake.
    fn check_client_reach(&mut self, r: &Record, docking: &Docking) {
        let (b, g) = (&docking.sequence.boom, &docking.sequence.geometry);
        let [short, long] = b.length_limits;
        let needed = r.vec3("throat").unwrap_or_else(Vec3::zeros).z - g.boom_root_z - g.shoulder_a - g.gap;
        if needed > long || needed < short {
            self.issues
                .at(r.loc_of("throat"), r.path_of("throat"), "is beyond the boom's reach")
                .found(format!("a boom of {needed:.3} m would be needed"))
                .allowed(format!("{short} to {long} m"))
                .hint("bring the client nearer, or give the boom other length_limits");
        }
        let Some(drive) = r.table("drive") else { return };
        for (key, length) in [
            ("length_start", b.length_start),
            ("length_inserted", b.length_inserted),
            ("length_docked", b.length_docked),
        ] {
            if !(short..=long).contains(&length) {
                self.issues
                    .at(drive.loc_of(key), drive.path_of(key), "is beyond the boom's reach")
                    .found(format!("{length} m"))
                    .allowed(format!("{short} to {long} m"));
            }
        }
    }
}

fn camera(r: &Record, seed: u64) -> Option<StereoCamera> {
    let p = r.numbers("position")?;
    let at = |k: usize| Vec3::new(p[k].0, p[k + 1].0, p[k + 2].0);
    let image = r.numbers("image")?;
    Some(StereoCamera {
        positions: [at(0), at(3)],
        focal_px: r.number("focal")?,
        image_px: [image[0].0, image[1].0],
        noise_px: r.number("noise")?,
        rim_points: r.count("rim_points")? as usize,
        rim_radius: r.number("rim_radius")?,
        rate_hz: r.number("rate")?,
        delay_s: r.number("delay")?,
        noise: Noise::new(seed, CAMERA),
    })
}

fn distance(r: &Record, seed: u64) -> Option<LaserDistance> {
    Some(LaserDistance {
        q: r.number("place")?,
        radius: r.number("radius")?,
        azimuths: r.numbers("azimuth")?.iter().map(|a| a.0).collect(),
        range: r.number("range")?,
        noise_m: r.number("noise")?,
        rate_hz: r.number("rate")?,
        noise: Noise::new(seed, DISTANCE),
    })
}
