//! Columns of a docking.

use super::super::Shown;
use super::sequence::{DockingSequence, SequencerState};
use crate::system::System;
use touchdown_multibody::rigid::kinematics;
use touchdown_spacecraft::sequence::{self, Phase};

const AXES: [&str; 3] = ["x", "y", "z"];

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum DockingValue {
    Phase,
    EnteredAt(Phase),
    Docked,
    Aborted,
    AbortCode,
    Force(usize),
    Torque(usize),
    CrownPull,
    CrownWay,
    Lateral,
    Throat(usize),
    LockingForce,
    FinalTension,
    ForceMax,
    TorqueMax,
    NozzleLateralMax,
    NozzleTorqueMax,
    PressureMax,
    Penetration(usize),
    ClientRate,
    ClientRateMax,
    DriveForceMax,
    BoomLateralMax,
}

/// The columns of a docking.
pub(super) fn shown(base: &str) -> Shown<DockingValue> {
    use DockingValue::*;
    let mut shown = Shown::new(base);
    let mut put = |value, name: &str, unit, frame, about: &str| {
        shown.put(value, name, (unit, frame), about);
    };
    let about = "0 centre, 1 extend, 2 insert, 3 lock, 4 retract, 5 seat, 6 tension, 7 docked; -1 abort, -2 retreat, -3 retreated";
    put(Phase, "phase", "1", "-", about);
    for (phase, name, about) in [
        (sequence::Phase::Lock, "inserted_s", "when the tool was in"),
        (sequence::Phase::Retract, "locked_s", "when the crown was locked"),
        (sequence::Phase::Seat, "brackets_s", "when the first bracket was touched"),
        (sequence::Phase::Tension, "seated_s", "when all brackets were touched"),
        (sequence::Phase::Docked, "docked_s", "when the safety spring was at its stop"),
        (sequence::Phase::Abort, "aborted_s", "when it was given up"),
        (sequence::Phase::Retreated, "retreated_s", "when the satellites parted"),
    ] {
        put(EnteredAt(phase), name, "s", "-", &format!("{about}; not a number before"));
    }
    put(Docked, "docked", "1", "-", "1 once docked");
    put(Aborted, "aborted", "1", "-", "1 once given up");
    put(AbortCode, "abort_code", "1", "-", "why it was given up, as a number; 0: it was not");
    for (k, axis) in AXES.iter().enumerate() {
        let about = "force of the nozzle on the tool, its three contacts together; z along the tool, pull out of the chaser is positive";
        put(Force(k), &format!("force_{axis}_n"), "N", "crown", about);
    }
    for (k, axis) in AXES.iter().enumerate() {
        put(
            Torque(k),
            &format!("torque_{axis}_n_m"),
            "N m",
            "crown",
            "torque of the same about the tool's origin",
        );
    }
    put(CrownPull, "crown_force_n", "N", "crown", "force of the nozzle on the crown along the tool");
    put(CrownWay, "crown_way_m", "m", "-", "way of the crown's drive; 0: stowed");
    put(Lateral, "lateral_m", "m", "-", "distance of the throat from the docking axis");
    for (k, axis) in AXES.iter().enumerate() {
        put(Throat(k), &format!("throat_{axis}_m"), "m", "chaser", "place of the throat");
    }
    put(
        LockingForce,
        "locking_force_n",
        "N",
        "crown",
        "mean of the crown's force after locking; not a number before",
    );
    put(
        FinalTension,
        "final_tension_n",
        "N",
        "crown",
        "mean of the pull at the end less that of the retraction; not a number before both",
    );
    put(ForceMax, "force_max_n", "N", "-", "largest force of the nozzle on the tool so far");
    put(TorqueMax, "torque_max_n_m", "N m", "-", "largest torque of the same so far");
    put(NozzleLateralMax, "nozzle_lateral_max_n", "N", "-", "largest force across the nozzle's axis so far");
    put(NozzleTorqueMax, "nozzle_torque_max_n_m", "N m", "-", "largest torque about the throat so far");
    put(PressureMax, "pressure_max_pa", "Pa", "-", "largest pressure on the nozzle so far");
    for (k, name) in ["tool", "crown", "bolt", "bracket"].iter().enumerate() {
        put(Penetration(k), &format!("penetration_max_{name}_m"), "m", "-", "deepest penetration so far");
    }
    put(ClientRate, "client_rate_deg_per_s", "deg/s", "-", "angular rate of the client");
    put(ClientRateMax, "client_rate_max_deg_per_s", "deg/s", "-", "the largest so far");
    put(DriveForceMax, "drive_force_max_n", "N", "-", "largest force of the boom's drive so far");
    put(BoomLateralMax, "boom_lateral_max_n", "N", "-", "largest force across the boom so far");
    shown
}

/// The number in one of them.
pub(super) fn value(
    docking: &DockingSequence,
    state: &SequencerState,
    value: DockingValue,
    system: &System,
) -> f64 {
    let d = &docking.docking;
    let (sequence, books) = (&state.sequence, &state.books);
    let throat = || {
        let X_WA = kinematics::body_pose(&system.model, &system.cache, d.chaser);
        X_WA.inverse().point(&system.nozzle_frame(d).p)
    };
    let flag = |on: bool| f64::from(u8::from(on));
    match value {
        DockingValue::Phase => f64::from(sequence.phase.code()),
        DockingValue::EnteredAt(phase) => sequence.time_of(phase).unwrap_or(f64::NAN),
        DockingValue::Docked => flag(sequence.phase == Phase::Docked),
        DockingValue::Aborted => flag(sequence.aborted.is_some()),
        DockingValue::AbortCode => sequence.aborted.map_or(0.0, |why| f64::from(why.code())),
        DockingValue::Force(k) => system.nozzle_on_tool(d).f[k],
        DockingValue::Torque(k) => system.nozzle_on_tool(d).t[k],
        DockingValue::CrownPull => system.crown_pull(d),
        DockingValue::CrownWay => system.polygonal[d.contacts.crown].opened.0,
        DockingValue::Lateral => throat().xy().norm(),
        DockingValue::Throat(k) => throat()[k],
        DockingValue::LockingForce => books.locking_force.value(),
        DockingValue::FinalTension => books.final_tension(),
        DockingValue::ForceMax => books.force_max,
        DockingValue::TorqueMax => books.torque_max,
        DockingValue::NozzleLateralMax => books.lateral_max,
        DockingValue::NozzleTorqueMax => books.nozzle_torque_max,
        DockingValue::PressureMax => books.pressure_max,
        DockingValue::Penetration(k) => books.penetration_max[k],
        DockingValue::ClientRate => {
            let V = kinematics::body_velocity(&system.model, &system.cache, Some(d.client));
            V.w.norm().to_degrees()
        }
        DockingValue::ClientRateMax => books.client_rate_max.to_degrees(),
        DockingValue::DriveForceMax => books.drive_force_max,
        DockingValue::BoomLateralMax => books.boom_lateral_max,
    }
}
