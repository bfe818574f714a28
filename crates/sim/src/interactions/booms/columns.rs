//! Columns of booms.

use super::BoomOnLinks;
use crate::books::channels::{AXES, Columns};

/// A number of a boom.
pub(crate) type BoomValue = (usize, OfBoom);

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum OfBoom {
    Length,
    Rate,
    Tension,
    Lateral(usize),
    TipMoment(usize),
    RootMoment(usize),
    Torsion,
    Deflection(usize),
    Angle(usize),
    Travel,
    Shortening,
    DriveForce,
    DrivePower,
    Buckling,
    Stored,
}

/// Adds the columns of all booms.
pub(super) fn add(booms: &[BoomOnLinks], out: &mut Columns<BoomValue>) {
    use OfBoom::*;
    for (i, boom) in booms.iter().enumerate() {
        let base = format!("boom.{}", boom.name);
        let mut put = |value: OfBoom, suffix: &str, unit: &'static str, about: &str| {
            out.put((i, value), &format!("{base}.{suffix}"), unit, "boom root", about);
        };
        put(Length, "length_m", "m", "driven length");
        put(Rate, "length_rate_m_per_s", "m/s", "rate of the driven length");
        put(Tension, "tension_n", "N", "axial force on the tip, damping included; pull is positive");
        for k in 0..2 {
            let suffix = format!("lateral_force_{}_n", AXES[k]);
            put(Lateral(k), &suffix, "N", "lateral force of the tip's body on the boom");
        }
        for k in 0..2 {
            let suffix = format!("tip_moment_{}_n_m", AXES[k]);
            put(TipMoment(k), &suffix, "N m", "bending moment of the tip's body on the boom");
        }
        for k in 0..2 {
            let suffix = format!("root_moment_{}_n_m", AXES[k]);
            put(RootMoment(k), &suffix, "N m", "bending moment of the root's body on the boom");
        }
        put(Torsion, "torsion_n_m", "N m", "torque of the tip's body on the boom along its axis");
        for k in 0..3 {
            let suffix = format!("deflection_{}_m", AXES[k]);
            let about = if k < 2 {
                "lateral place of the tip"
            } else {
                "place of the tip along the axis less the length"
            };
            put(Deflection(k), &suffix, "m", about);
        }
        for k in 0..3 {
            let suffix = format!("tip_angle_{}_rad", AXES[k]);
            put(Angle(k), &suffix, "rad", "rotation vector of the tip against the root");
        }
        put(Travel, "spring_travel_m", "m", "travel of the safety spring");
        put(Shortening, "shortening_m", "m", "by how much bending shortens the boom");
        put(DriveForce, "drive_force_n", "N", "force of the length drive, positive when it pushes out");
        put(DrivePower, "drive_power_w", "W", "power of the length drive");
        put(Buckling, "buckling_share", "1", "compression over the buckling load with a free end");
        put(Stored, "stored_j", "J", "elastic energy");
    }
}

/// A number of a boom. Needs an evaluation.
pub(super) fn value(booms: &[BoomOnLinks], (i, value): BoomValue) -> f64 {
    let boom = &booms[i];
    let (f, d) = (&boom.force, &boom.motion.d);
    match value {
        OfBoom::Length => boom.driven.0,
        OfBoom::Rate => boom.driven.1,
        OfBoom::Tension => -f.wrench.f.z,
        OfBoom::Lateral(k) => -f.wrench.f[k],
        OfBoom::TipMoment(k) => -f.wrench.t[k],
        OfBoom::RootMoment(k) => -f.root_torque[k],
        OfBoom::Torsion => -f.wrench.t.z,
        OfBoom::Deflection(k) => d[k] - if k == 2 { boom.driven.0 } else { 0.0 },
        OfBoom::Angle(k) => f.theta[k],
        OfBoom::Travel => f.travel,
        OfBoom::Shortening => f.shortening,
        OfBoom::DriveForce => f.drive_force,
        OfBoom::DrivePower => f.drive_power,
        OfBoom::Buckling => f.buckling_share,
        OfBoom::Stored => f.elastic_energy,
    }
}
