//! Columns of a docking.

use super::super::Shown;
use super::sequence::{DockingSequence, SequencerState};
use crate::engine::system::System;
use touchdown_multibody::rigid::kinematics;
use touchdown_spacecraft::sequence::{self, DockingPhase};

/// Unit and frame of plain numbers and of lengths.
const NUMBER: (&str, &str) = ("1", "-");
const LENGTH: (&str, &str) = ("m", "-");

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum DockingValue {
    Phase,
    EnteredAt(DockingPhase),
    Docked,
    Aborted,
    AbortCode,
    Undecided,
    FalseInsert,
    BeforeMark,
    FalseRateAbort,
    LateralSeated(usize),
    MomentRatioSeated,
    Force(usize),
    Torque(usize),
    CrownPull,
    CrownTravel,
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
    let mut shown = Shown::new(base);
    put_events(&mut shown);
    put_forces(&mut shown);
    put_extremes(&mut shown);
    shown
}

fn put_events(shown: &mut Shown<DockingValue>) {
    use DockingValue::*;
    let about = "0 centre, 1 extend, 2 insert, 3 lock, 4 retract, 5 seat, 6 tension, 7 docked; -1 abort, -2 retreat, -3 retreated";
    shown.put(Phase, "phase", NUMBER, about);
    for (phase, name, about) in [
        (sequence::DockingPhase::Lock, "inserted_s", "when the tool was in"),
        (sequence::DockingPhase::Retract, "locked_s", "when the crown was locked"),
        (sequence::DockingPhase::Seat, "brackets_s", "when the first bracket was touched"),
        (sequence::DockingPhase::Tension, "seated_s", "when all brackets were touched"),
        (sequence::DockingPhase::Docked, "docked_s", "when the safety spring was at its stop"),
        (sequence::DockingPhase::Abort, "aborted_s", "when it was aborted"),
        (sequence::DockingPhase::Retreated, "retreated_s", "when the satellites parted"),
    ] {
        shown.put(EnteredAt(phase), name, ("s", "-"), &format!("{about}; not a number before"));
    }
    shown.put(Docked, "docked", NUMBER, "1 once docked");
    shown.put(Aborted, "aborted", NUMBER, "1 after an abort");
    shown.put(AbortCode, "abort_code", NUMBER, "reason of the abort, as a number; 0: none");
    shown.put(Undecided, "undecided", NUMBER, "1 while neither docked nor aborted");
    let about = "how far the shoulder was in truth before its mark when the crown began to lock: what the tool could go on along its axis until its shoulder touches, less the gap; not a number before";
    shown.put(BeforeMark, "before_mark_m", LENGTH, about);
    let about = "1 if that was more than 2 mm: the tool was taken to be inserted and was not";
    shown.put(FalseInsert, "false_insert", NUMBER, about);
    let about = "1 if the docking was aborted for the client's rate and turned more slowly in truth";
    shown.put(FalseRateAbort, "false_rate_abort", NUMBER, about);
}

fn put_forces(shown: &mut Shown<DockingValue>) {
    use DockingValue::*;
    let about = "force of the nozzle on the tool, its three contacts together; z along the tool, pull out of the chaser is positive";
    shown.put_axes(Force, ("force", "n"), ("N", "crown"), about);
    let about = "torque of the same about the tool's origin";
    shown.put_axes(Torque, ("torque", "n_m"), ("N m", "crown"), about);
    let about = "force of the nozzle on the crown along the tool";
    shown.put(CrownPull, "crown_force_n", ("N", "crown"), about);
    shown.put(CrownTravel, "crown_travel_m", LENGTH, "travel of the crown's drive; 0: stowed");
    shown.put(Lateral, "lateral_m", LENGTH, "distance of the throat from the docking axis");
    shown.put_axes(Throat, ("throat", "m"), ("m", "chaser"), "place of the throat");
    let about = "mean of the crown's force after locking; not a number before";
    shown.put(LockingForce, "locking_force_n", ("N", "crown"), about);
    let about = "mean of the pull at the end less that of the retraction; not a number before both";
    shown.put(FinalTension, "final_tension_n", ("N", "crown"), about);
    for (k, axis) in ["x", "y"].iter().enumerate() {
        let about = "force of the nozzle across the tool: mean after the ring lay on all brackets; not a number before";
        shown.put(LateralSeated(k), &format!("lateral_force_seated_{axis}_n"), ("N", "crown"), about);
    }
    let about = "bending moment of the boom at its root over that at its tip, mean as of the force; positive: an S, negative: an arc; not a number before";
    shown.put(MomentRatioSeated, "boom_moment_ratio_seated", NUMBER, about);
}

fn put_extremes(shown: &mut Shown<DockingValue>) {
    use DockingValue::*;
    for (value, name, unit, about) in [
        (ForceMax, "force_max_n", "N", "largest force of the nozzle on the tool so far"),
        (TorqueMax, "torque_max_n_m", "N m", "largest torque of the same so far"),
        (NozzleLateralMax, "nozzle_lateral_max_n", "N", "largest force across the nozzle's axis so far"),
        (NozzleTorqueMax, "nozzle_torque_max_n_m", "N m", "largest torque about the throat so far"),
        (
            PressureMax,
            "pressure_max_pa",
            "Pa",
            "largest pressure of the nozzle's elastic layer so far; not a stress in its material",
        ),
    ] {
        shown.put(value, name, (unit, "-"), about);
    }
    for (k, name) in ["tool", "crown", "bolt", "bracket"].iter().enumerate() {
        let name = format!("penetration_max_{name}_m");
        shown.put(Penetration(k), &name, LENGTH, "deepest penetration so far");
    }
    for (value, name, unit, about) in [
        (ClientRate, "client_rate_deg_per_s", "deg/s", "angular rate of the client"),
        (ClientRateMax, "client_rate_max_deg_per_s", "deg/s", "the largest so far"),
        (DriveForceMax, "drive_force_max_n", "N", "largest force of the boom's drive so far"),
        (BoomLateralMax, "boom_lateral_max_n", "N", "largest force across the boom so far"),
    ] {
        shown.put(value, name, (unit, "-"), about);
    }
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
        DockingValue::Docked => flag(sequence.phase == DockingPhase::Docked),
        DockingValue::Aborted => flag(sequence.aborted.is_some()),
        DockingValue::AbortCode => sequence.aborted.map_or(0.0, |why| f64::from(why.code())),
        DockingValue::Undecided => flag(sequence.phase != DockingPhase::Docked && sequence.aborted.is_none()),
        DockingValue::FalseInsert => flag(books.false_insert()),
        DockingValue::BeforeMark => books.before_mark.unwrap_or(f64::NAN),
        DockingValue::FalseRateAbort => flag(books.false_rate_abort),
        DockingValue::LateralSeated(k) => books.lateral_seated(k),
        DockingValue::MomentRatioSeated => books.moment_ratio_seated(),
        DockingValue::Force(k) => system.nozzle_on_tool(d).f[k],
        DockingValue::Torque(k) => system.nozzle_on_tool(d).t[k],
        DockingValue::CrownPull => system.crown_pull(d),
        DockingValue::CrownTravel => system.acts.polygonal.list[d.contacts.crown].opened.0,
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
