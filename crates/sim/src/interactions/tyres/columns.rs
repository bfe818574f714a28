//! Columns of tyres.

use super::TyreOnLink;
use super::checks::TyreBook;
use crate::books::channels::Columns;
use crate::engine::system::System;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum TyreValue {
    Of(usize, OfTyre),
    All(OfAll),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum OfTyre {
    Normal,
    Deformation,
    Longitudinal,
    Lateral,
    SlipLongitudinal,
    SlipAngle,
    RimSpeed,
    FrictionUsed,
    Gap,
    LiftOffs,
    AirTime,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum OfAll {
    Touching,
    LiftOffs,
    AirTimeMax,
}

/// Adds the columns of all tyres.
pub(super) fn add(tyres: &[TyreOnLink], out: &mut Columns<TyreValue>) {
    use OfTyre::*;
    for (i, tyre) in tyres.iter().enumerate() {
        let values = [
            (Normal, "normal_force_n", "N", "force of the ground along its normal"),
            (Deformation, "deformation_m", "m", "radial deformation"),
            (Longitudinal, "longitudinal_force_n", "N", "force on the wheel forward in the ground plane"),
            (Lateral, "lateral_force_n", "N", "force on the wheel to the left in the ground plane"),
            (
                SlipLongitudinal,
                "slip_longitudinal",
                "1",
                "(ωR_e − v_x)/max(|ωR_e|, |v_x|), R_e = R − rolling_share·δ",
            ),
            (SlipAngle, "slip_angle_rad", "rad", "atan(v_y/|v_x|)"),
            (RimSpeed, "rim_speed_m_per_s", "m/s", "ωR_e, spin rate times rolling radius"),
            (FrictionUsed, "friction_used", "1", "tangential force over what friction can hold"),
            (Gap, "gap_m", "m", "distance of the round wheel from the ground; negative while it touches"),
            (LiftOffs, "lift_offs", "1", "how often it left the ground since its first touch"),
            (AirTime, "air_time_s", "s", "time in the air since its first touch"),
        ];
        let base = format!("tyre.{}", tyre.name);
        out.put_rows(&base, "ground", &values, |value| TyreValue::Of(i, value));
    }
    if tyres.is_empty() {
        return;
    }
    let about = "time in the air of the wheel that was there longest";
    let together = [
        (OfAll::Touching, "touching", "1", "wheels on the ground"),
        (OfAll::LiftOffs, "lift_offs", "1", "how often wheels left the ground"),
        (OfAll::AirTimeMax, "air_time_max_s", "s", about),
    ];
    out.put_rows("tyres", "ground", &together, TyreValue::All);
}

/// A number of a tyre, or of all of them. Needs an evaluation.
pub(super) fn value(system: &System, books: &[TyreBook], value: TyreValue) -> f64 {
    let (i, value) = match value {
        TyreValue::Of(i, value) => (i, value),
        TyreValue::All(value) => return of_all(system, books, value),
    };
    let on = &system.acts.tyres[i];
    let f = &on.force;
    match value {
        OfTyre::Normal => f.normal_force,
        OfTyre::Deformation => f.deformation,
        OfTyre::Longitudinal => f.longitudinal_force,
        OfTyre::Lateral => f.lateral_force,
        OfTyre::SlipLongitudinal => f.slip_longitudinal,
        OfTyre::SlipAngle => f.slip_angle(),
        OfTyre::FrictionUsed => f.friction_used,
        OfTyre::Gap => system.wheel_gap(i),
        OfTyre::LiftOffs => f64::from(books[i].air.count),
        OfTyre::AirTime => books[i].air.time,
        OfTyre::RimSpeed => {
            let motion = system.wheel_motion(i);
            motion.w_WB.dot(&motion.axis_W) * on.rolling_radius()
        }
    }
}

fn of_all(system: &System, books: &[TyreBook], value: OfAll) -> f64 {
    match value {
        OfAll::Touching => system.acts.tyres.iter().filter(|on| on.force.deformation > 0.0).count() as f64,
        OfAll::LiftOffs => books.iter().map(|book| f64::from(book.air.count)).sum(),
        OfAll::AirTimeMax => books.iter().map(|book| book.air.time).fold(0.0, f64::max),
    }
}
