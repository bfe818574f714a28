//! The table, part four: tyres, named points and what bodies look like.

use super::typed::{axis, body_name, list, number, text, vector};
use super::{FRACTION, FormKeys, Range, TurnKeys, section};
use crate::read::{BodyName, Text};
use crate::unit::{CORNERING, DAMPING, FORCE, LENGTH, NUMBER, SPEED, STIFFNESS};
use touchdown_math::Vec3;

/// Sizes of a wheel, m; coefficients of a tyre, SI; friction; speed of regularisation, m/s: the ranges of `contact::tyre`.
const WHEEL: Range = Range { min: 0.0, max: 10.0, open: true };
const COEFFICIENT: Range = Range { min: 0.0, max: 1e12, open: true };
const RADIAL_DAMPING: Range = Range { min: 0.0, max: 1e12, open: false };
const FRICTION: Range = Range { min: 0.0, max: 10.0, open: false };
const LOW_SPEED: Range = Range { min: 0.0, max: 1.0, open: true };

section! {
    pub(crate) struct TyreLawKeys "tyre_law":
        "a brush tyre: radial spring and damper, friction between two coefficients, rolling resistance";
    required radius: f64 = number(&[&LENGTH], WHEEL), "undeformed radius";
    required width: f64 = number(&[&LENGTH], WHEEL), "width, for drawing";
    required radial_stiffness: f64 = number(&[&STIFFNESS], COEFFICIENT), "radial stiffness";
    required radial_damping: f64 = number(&[&DAMPING], RADIAL_DAMPING), "radial damping";
    required longitudinal_slip_stiffness: f64 = number(&[&FORCE], COEFFICIENT), "force per unit slip";
    required lateral_slip_stiffness: f64 = number(&[&CORNERING], COEFFICIENT), "force per slip angle";
    required friction_min: f64 = number(&[&NUMBER], FRICTION), "friction at full slide";
    required friction_max: f64 = number(&[&NUMBER], FRICTION), "friction without slip";
    default("0") rolling_resistance: f64 = number(&[&NUMBER], FRACTION), "resistance over load";
    default("1") rolling_share: f64 = number(&[&NUMBER], FRACTION),
        "share of the deformation by which the rolling radius falls: 1 rolls on the loaded radius, 0 on the free one";
    default("\"50 mm\"") relaxation_length: f64 = number(&[&LENGTH], WHEEL),
        "distance rolled while the slip force builds up";
    default("\"6000 N s/m\"") standstill_damping: f64 = number(&[&DAMPING], COEFFICIENT),
        "damping of the tread's deflection; keeps a parked wheel from ringing, unseen in steady rolling";
    default("\"5 mm/s\"") low_speed: f64 = number(&[&SPEED], LOW_SPEED),
        "speed below which slip and the sign of rolling resistance are regularised";
}

section! {
    pub(crate) struct TyreKeys "tyre": "a tyre on a wheel; the summary's wheel quantities are named after it";
    required body: BodyName = body_name(), "the wheel";
    required law: Text = text(), "name of a [tyre_law.NAME]";
    default("[\"0 m\", \"0 m\", \"0 m\"]") centre: Vec3 = vector(&[&LENGTH]),
        "wheel centre in the body's frame";
    default("[0, 1, 0]") axis: Vec3 = axis(), "spin axis; turning positively about it rolls forward";
}

section! {
    pub(crate) struct PointKeys "point":
        "a named point whose motion is recorded; elsewhere BODY:POINT means it";
    default("\"world\"") body: BodyName = body_name(), "the body it is fixed to";
    derived("the body's origin") position: Vec3 = vector(&[&LENGTH]), "in the body's frame";
    optional at: Vec3 = vector(&[&LENGTH]), "in the machine's frame, all joints at zero";
}

section! {
    pub(crate) struct VisualKeys "visual": "something to draw: one of box, cylinder (about z), sphere, mesh";
    default("\"world\"") body: BodyName = body_name(), "the body it is fixed to";
    derived("the body's origin") position: Vec3 = vector(&[&LENGTH]), "in the body's frame";
    optional at: Vec3 = vector(&[&LENGTH]), "in the machine's frame, all joints at zero";
    group turn: TurnKeys;
    group form: FormKeys;
    default("[0.7, 0.7, 0.7]") colour: Vec<f64> = list(&[&NUMBER], FRACTION, &[3, 4]),
        "red, green, blue and, if not 1, opacity";
}
