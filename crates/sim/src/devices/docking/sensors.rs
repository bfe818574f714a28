//! Sensors of a docking: camera with its filter, distances, switches, forces of the drives; on the bus at the
//! sequence's rate.

use super::super::bus::Port;
use super::super::wiring::Wiring;
use super::super::{Bus, Effect, Now, Tick, base};
use super::books::SightBooks;
use super::sight::Sight;
use crate::description::Docking;
use serde::{Deserialize, Serialize};
use touchdown_math::Elementary;
use touchdown_math::Vec3;
use touchdown_multibody::rigid::kinematics;
use touchdown_spacecraft::camera::{CameraState, Rim, RimSeen};
use touchdown_spacecraft::clock::Clock;
use touchdown_spacecraft::random::Noise;
use touchdown_spacecraft::range::DistanceState;
use touchdown_spacecraft::switch::SwitchState;

/// Measurements at the drives.
const DRIVES: [&str; 4] = ["crown_force_n", "boom_force_n", "boom_lateral_force_n", "spring_travel_m"];
/// The rim in the chaser from all pictures so far, with the time of the latest; empty if that is old.
const RIM: [&str; 7] =
    ["picture_time_s", "rim_x_m", "rim_y_m", "rim_z_m", "rim_axis_x", "rim_axis_y", "rim_axis_z"];
/// The present rim, from the filter, and its velocity, chaser's axes; empty if the last picture is old.
const PLACE: [&str; 3] = ["place_x_m", "place_y_m", "place_z_m"];
const VELOCITY: [&str; 3] = ["velocity_x_m_per_s", "velocity_y_m_per_s", "velocity_z_m_per_s"];
/// Held distance along the docking axis; lower bound of the client's rate; separation speed.
const MOTION: [&str; 3] = ["hold_distance_m", "client_rate_rad_per_s", "separation_speed_m_per_s"];
/// Standard deviations along the docking axis, of the rim's place and of its velocity; nothing if the last picture is old.
const SURENESS: [&str; 2] = ["place_sigma_m", "separation_sigma_m_per_s"];
const TOUCH: [&str; 2] = ["nose", "shoulder"];

/// The signals of the sensors.
#[derive(Clone, Debug)]
pub(super) struct SensedPorts {
    pub drives: [Port; 4],
    rim: [Port; 7],
    pub place: [Port; 3],
    pub velocity: [Port; 3],
    pub motion: [Port; 3],
    pub sureness: [Port; 2],
    pub touch: [Port; 2],
    pub brackets: Vec<Port>,
    pub distances: Vec<Port>,
}

impl SensedPorts {
    /// With a function that names a signal.
    fn with(docking: &Docking, port: &mut impl FnMut(&str) -> Port) -> SensedPorts {
        SensedPorts {
            drives: DRIVES.map(&mut *port),
            rim: RIM.map(&mut *port),
            place: PLACE.map(&mut *port),
            velocity: VELOCITY.map(&mut *port),
            motion: MOTION.map(&mut *port),
            sureness: SURENESS.map(&mut *port),
            touch: TOUCH.map(&mut *port),
            brackets: numbered(docking.contacts.brackets.len(), "bracket", "", port),
            distances: numbered(docking.distance.azimuths.len(), "distance", "_m", port),
        }
    }

    /// Read by the sequence.
    pub fn read(docking: &Docking, device: &str, wiring: &mut Wiring) -> SensedPorts {
        SensedPorts::with(docking, &mut |suffix| wiring.read(&format!("{device}.{suffix}")))
    }

    /// The rim from all pictures so far.
    pub fn rim(&self, bus: &Bus) -> Option<RimSeen> {
        let [time, x, y, z, ax, ay, az] = bus.all(&self.rim)?;
        Some(RimSeen { time, rim: Rim { centre: Vec3::new(x, y, z), axis: Vec3::new(ax, ay, az) } })
    }
}

fn numbered(count: usize, stem: &str, end: &str, port: &mut impl FnMut(&str) -> Port) -> Vec<Port> {
    (0..count).map(|k| port(&format!("{stem}_{}{end}", k + 1))).collect()
}

/// Sensors of a docking.
#[derive(Clone, Debug)]
pub(crate) struct DockingSensors {
    /// The docking's name on the bus.
    pub base: String,
    docking: Docking,
    out: SensedPorts,
}

/// Their memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SensorsState {
    clock: Clock,
    camera: CameraState,
    distance: DistanceState,
    /// Nose, shoulder, brackets.
    switches: Vec<SwitchState>,
    sight: Sight,
    pub books: SightBooks,
}

impl DockingSensors {
    /// From a description.
    pub fn new(docking: &Docking, wiring: &mut Wiring) -> (DockingSensors, SensorsState) {
        let out = SensedPorts::with(docking, &mut |suffix| wiring.write(suffix));
        let state = SensorsState {
            clock: Clock::new(1.0 / docking.sequence.period),
            camera: docking.camera.start(),
            distance: docking.distance.start(),
            switches: vec![SwitchState::default(); TOUCH.len() + docking.contacts.brackets.len()],
            sight: Sight::default(),
            books: SightBooks::default(),
        };
        (DockingSensors { base: base("docking", &docking.name), docking: docking.clone(), out }, state)
    }

    /// Camera and filter.
    fn look(&self, state: &mut SensorsState, now: &Now) {
        let (d, system) = (&self.docking, now.system);
        let X_WA = kinematics::body_pose(&system.model, &system.cache, d.chaser);
        let X_AN = X_WA.inverse().compose(&system.nozzle_frame(d));
        let exit = Vec3::z() * d.sequence.geometry.exit_a;
        let rim = Rim { centre: X_AN.point(&exit), axis: X_AN.R * Vec3::z() };
        if d.camera.tick(&mut state.camera, now.t, &rim)
            && let Some(fix) = state.camera.fix()
        {
            let innovation = state.sight.see(fix);
            state.books.book(fix, &rim, innovation);
        }
    }

    /// Distance sensors and switches.
    fn feel(&self, state: &mut SensorsState, now: &Now, bus: &mut Bus) {
        let (d, system) = (&self.docking, now.system);
        let X_NT = system.nozzle_frame(d).inverse().compose(&system.crown_frame(d));
        if let Some(section) = system.polygonal_section(d.contacts.tool) {
            d.distance.tick(&mut state.distance, now.t, section, &X_NT);
        }
        for (port, reading) in self.out.distances.iter().zip(&state.distance.readings) {
            bus.set(*port, *reading);
        }
        let push = |contact: usize| system.acts.polygonal.list[contact].force.normal_force;
        let touched = [push(d.contacts.bolt), push(d.contacts.tool)];
        let forces = touched.into_iter().chain(d.contacts.brackets.iter().map(|c| push(*c)));
        let ports = self.out.touch.iter().chain(&self.out.brackets);
        for ((switch, force), port) in state.switches.iter_mut().zip(forces).zip(ports) {
            bus.set_flag(*port, d.switch.tick(switch, force));
        }
    }
}

impl Tick for DockingSensors {
    type State = SensorsState;

    fn reseed(&mut self, seed: u64) {
        let seed = Noise::seed_of(seed, &self.base);
        (self.docking.camera.noise.seed, self.docking.distance.noise.seed) = (seed, seed);
    }

    fn next_time(&self, state: &SensorsState) -> f64 {
        state.clock.next_time()
    }

    fn tick(&self, state: &mut SensorsState, now: &Now, bus: &mut Bus) -> Option<Effect> {
        state.clock.due(now.t)?;
        self.look(state, now);
        self.feel(state, now, bus);
        let (out, t) = (&self.out, now.t);
        let boom = &now.system.acts.booms[self.docking.boom].force;
        let across = boom.wrench.f.x.hypotenuse(boom.wrench.f.y);
        let drives = [now.system.crown_pull(&self.docking), boom.tension, across, boom.travel];
        bus.set_all(&out.drives, Some(drives));
        let least = self.docking.sequence.events.contact_force;
        let on_brackets = state.switches[TOUCH.len()..].iter().any(|switch| switch.closed);
        state.sight.feel(boom.tension, across, on_brackets || drives[0].abs() > least);
        let rim = state.sight.rim(t).map(|seen| {
            let (c, a) = (seen.rim.centre, seen.rim.axis);
            [seen.time, c.x, c.y, c.z, a.x, a.y, a.z]
        });
        bus.set_all(&out.rim, rim);
        let estimate = state.sight.now(t);
        bus.set_all(&out.place, estimate.map(|e| e.centre.into()));
        bus.set_all(&out.velocity, estimate.map(|e| e.velocity.into()));
        bus.set_all(&out.sureness, estimate.map(|e| e.along_sigma));
        let [distance, rate, separation] = out.motion;
        bus.set(distance, state.sight.distance);
        bus.set(rate, state.sight.rate(t));
        bus.set(separation, state.sight.velocity(t).map_or(0.0, |v| v.z));
        Some(Effect::default())
    }

    fn sizes(state: &SensorsState) -> [usize; 2] {
        [state.switches.len(), state.distance.readings.len()]
    }
}
