//! Measures: numbers that need more than a quantity or a column of a run. Comparisons with `touchdown-oracle` are here; what it gives
//! alone (a closed form for the run's inputs) serves as a row's target.

mod docking;
mod feet;
mod flexible;
mod mechanisms;
mod polygonal;
mod rocks;
mod rover;
mod soil;
mod surface;

use crate::Case;
use serde::Deserialize;
pub(crate) use soil::soil as soil_at_width;

/// A measure by its name in the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(crate) enum Measure {
    /// Largest distance from the oracle's solution at its listed times that the run reaches, m or rad.
    #[serde(rename = "distance from the reference")]
    Distance,
    /// The same at the run's end alone.
    #[serde(rename = "distance from the reference at the end")]
    DistanceAtEnd,
    /// Largest error of facing points of a smooth contact against the form of its body, m.
    #[serde(rename = "error of facing points")]
    Facing,
    /// Force of the elastic layer on a pressed body, N.
    #[serde(rename = "closed form of the pressed body")]
    Pressed,
    /// Moment of the contact about the reference's axis z, N m.
    #[serde(rename = "moment about the nozzle's axis")]
    AxisMoment,
    /// Mean time between rises of the pull through its mean, after the first, s.
    #[serde(rename = "period of stick and slip")]
    Period,
    /// The same in closed form, s.
    #[serde(rename = "closed form of the period")]
    PeriodClosed,
    /// Deepest penetration of a bouncing sphere, m.
    #[serde(rename = "closed form of the impact's depth")]
    ImpactDepth,
    /// How far a rigid wheel gets into rocks and ground, over the penetration that its contacts book.
    #[serde(rename = "depth of the wheel over its penetration")]
    BelowEnvelope,
    /// How far it is above them on average, m.
    #[serde(rename = "mean height of the wheel above rocks and ground")]
    Hop,
    /// Deepest push of a rock into the soil, m.
    #[serde(rename = "deepest push of a rock")]
    RockPushed,
    /// Longest travel of a rock along the ground, m.
    #[serde(rename = "furthest travel of a rock")]
    RockMoved,
    /// Highest rise of a rock, m.
    #[serde(rename = "highest rise of a rock")]
    RockLifted,
    /// Load that statics give each front wheel, N.
    #[serde(rename = "static load of a front wheel")]
    StaticFront,
    /// The same for a middle wheel.
    #[serde(rename = "static load of a middle wheel")]
    StaticMiddle,
    /// The same for a rear wheel.
    #[serde(rename = "static load of a rear wheel")]
    StaticRear,
    /// How far a tyre ever springs back, m.
    #[serde(rename = "largest rebound of a tyre")]
    Rebound,
    /// Largest distance of a tyre's force from k δ + c δ̇, N.
    #[serde(rename = "distance from the tyre's line")]
    TyreLine,
    /// Largest relative distance of a wheel's traction from the balance of its moments.
    #[serde(rename = "distance from the wheel's balance")]
    WheelBalance,
    /// Largest gap of a flexible wheel's moments, over its drive's.
    #[serde(rename = "gap in the moments of a flexible wheel")]
    FlexibleBalance,
    /// Travel over angle of flexible wheels while cruising, m.
    #[serde(rename = "rolling radius over whole quarter turns")]
    RollingRadius,
    /// Work of the traction of flexible wheels over the drives' less what else takes of it.
    #[serde(rename = "work of traction over what the drives leave to it")]
    TractionByPower,
    /// Change of a flexible wheel's deformation by a quarter turn, over that by an eighth.
    #[serde(rename = "deformation after a quarter turn against an eighth")]
    QuarterTurn,
    /// Largest horizontal distance of the chassis from its start, m.
    #[serde(rename = "largest drift of the chassis")]
    Drift,
    /// Sinkage of a plate after Bekker, m.
    #[serde(rename = "Bekker's sinkage of the plate")]
    PlateSinkage,
    /// Sinkage of a rigid wheel by the exact integral over its rim, m.
    #[serde(rename = "exact sinkage of the wheel")]
    WheelSinkage,
    /// Pull by the same, N.
    #[serde(rename = "exact pull of the wheel")]
    WheelPull,
    /// Torque by the same, N m.
    #[serde(rename = "exact torque of the wheel")]
    WheelTorque,
    /// Pull of all wheels of a rover, each with its share of the weight in virgin soil with all shear mobilised, N.
    #[serde(rename = "exact pull of the wheels in virgin soil")]
    VirginPull,
    /// Pull that friction allows at most, weight times tan φ and cohesion aside, N.
    #[serde(rename = "friction limit of the pull")]
    FrictionLimit,
    /// Radius of the cone of the heap's volume at the angle of friction, m.
    #[serde(rename = "radius of the ideal cone")]
    ConeRadius,
    /// Force of soil on a round foot at a depth of its radius, N.
    #[serde(rename = "force of the foot at its radius")]
    FootForce,
    /// Depth of a foot under its load at rest, m.
    #[serde(rename = "depth of the pressed foot")]
    FootDepth,
    /// Depth at which a dropped foot stops, m.
    #[serde(rename = "depth of the dropped foot")]
    DropDepth,
    /// Largest force of a dropped foot with a spring and no damping, N.
    #[serde(rename = "peak of the dropped foot with a spring")]
    DropPeak,
    /// Largest force along the ground of a dragged foot, N.
    #[serde(rename = "closed form of the dragged foot")]
    DragForce,
    /// Largest distance of the line j/2K from 1 - exp(-j/K).
    #[serde(rename = "distance of the line from the exponential")]
    LineDistance,
    /// The same of tanh(j/1.5K).
    #[serde(rename = "distance of the tanh from the exponential")]
    TanhDistance,
    /// Energy that a single-wheel rig leaves unaccounted, summed from the series, over its motor's work.
    #[serde(rename = "energy left over the motor's work")]
    RigEnergy,
    /// Deflection of a boom's tip under push and pull, m.
    #[serde(rename = "deflection of the beam-column")]
    BoomDeflection,
    /// Slope there, rad.
    #[serde(rename = "slope of the beam-column")]
    BoomSlope,
    /// By how much it is shorter, m.
    #[serde(rename = "shortening of the beam-column")]
    BoomShortening,
    /// Deflection of a guided tip, m.
    #[serde(rename = "deflection of the S")]
    SDeflection,
    /// Bending moment at its tip, N m.
    #[serde(rename = "tip moment of the S")]
    STipMoment,
    /// Bending moment at its root, N m.
    #[serde(rename = "root moment of the S")]
    SRootMoment,
    /// Frequency of a ringing boom by theory, Hz.
    #[serde(rename = "first frequency of the beam-column")]
    BoomFrequency,
    /// Its damping ratio by theory.
    #[serde(rename = "damping ratio of the beam-column")]
    BoomRatio,
    /// Frequency of the ringing boom in the run, Hz.
    #[serde(rename = "frequency of ringing")]
    RungFrequency,
    /// Its damping ratio in the run.
    #[serde(rename = "damping ratio of ringing")]
    RungRatio,
    /// Penetration of a crown's wire under the force that it has at the end, m.
    #[serde(rename = "closed form of the crown's penetration")]
    CrownDepth,
    /// Greatest height of the soil above its undisturbed surface, m.
    #[serde(rename = "height of the humps")]
    Humps,
    /// Greatest depth below it, m.
    #[serde(rename = "depth of the rut")]
    Rut,
    /// Steepest step between neighbours away from the wheel, over what the angle of friction allows.
    #[serde(rename = "steepest slope beside the wheel")]
    Steepest,
    /// Soil above the undisturbed surface less soil missing below it, over the latter.
    #[serde(rename = "volume of the humps over that of the rut, less one")]
    VolumeBalance,
}

impl Measure {
    /// Unit as printed.
    pub fn unit(self) -> &'static str {
        use Measure::*;
        match self {
            Distance | DistanceAtEnd => "m, rad",
            Facing | ImpactDepth | Hop | RockPushed | RockMoved | RockLifted | Rebound | Drift
            | PlateSinkage | WheelSinkage | ConeRadius | Humps | Rut | BoomDeflection | BoomShortening
            | RollingRadius | SDeflection | FootDepth | DropDepth | CrownDepth => "m",
            BoomSlope => "rad",
            BoomFrequency | RungFrequency => "Hz",
            Pressed | StaticFront | StaticMiddle | StaticRear | TyreLine | WheelPull | VirginPull
            | FrictionLimit | FootForce | DropPeak | DragForce => "N",
            WheelTorque | AxisMoment | STipMoment | SRootMoment => "N m",
            Period | PeriodClosed => "s",
            BelowEnvelope | WheelBalance | FlexibleBalance | QuarterTurn | TractionByPower | RigEnergy
            | Steepest | VolumeBalance | BoomRatio | RungRatio | LineDistance | TanhDistance => "1",
        }
    }

    /// Works it out, or says what the run lacks for it.
    pub fn of(self, case: &Case) -> Result<f64, String> {
        use Measure::*;
        match self {
            Distance => mechanisms::distance(case, false),
            DistanceAtEnd => mechanisms::distance(case, true),
            Facing => surface::facing(case),
            Pressed => polygonal::pressed(case),
            AxisMoment => polygonal::axis_moment(case),
            Period => polygonal::period(case),
            PeriodClosed => polygonal::period_closed(case),
            ImpactDepth => polygonal::impact_depth(case),
            BelowEnvelope => rocks::below_envelope(case),
            Hop => rocks::hop(case),
            RockPushed => rocks::pushed_down(case),
            RockMoved => rocks::moved(case),
            RockLifted => rocks::lifted(case),
            StaticFront => rover::static_load((0, 0)),
            StaticMiddle => rover::static_load((0, 1)),
            StaticRear => rover::static_load((2, 0)),
            Rebound => rover::rebound(case),
            TyreLine => rover::tyre_line(case),
            WheelBalance => rover::wheel_balance(case),
            FlexibleBalance => flexible::balance(case),
            QuarterTurn => flexible::quarter_turn(case),
            RollingRadius => flexible::rolling_radius(case),
            TractionByPower => flexible::traction_by_power(case),
            Drift => rover::drift(case),
            PlateSinkage => soil::plate_sinkage(case),
            WheelSinkage => soil::wheel(case).map(|standing| standing.sinkage_m),
            WheelPull => soil::wheel(case).map(|standing| standing.forces.pull_n),
            WheelTorque => soil::wheel(case).map(|standing| standing.forces.torque_n_m),
            VirginPull => soil::virgin_pull(case),
            FrictionLimit => soil::friction_limit(case),
            ConeRadius => soil::cone_radius(case),
            FootForce => feet::force_at_radius(case),
            FootDepth => feet::press_depth(case),
            DropDepth => feet::drop_depth(case),
            DropPeak => feet::drop_peak(case),
            DragForce => feet::drag_force(case),
            LineDistance => Ok(feet::line_distance()),
            TanhDistance => Ok(feet::tanh_distance()),
            RigEnergy => soil::rig_energy(case),
            BoomDeflection => docking::bent(case).map(|b| b[0]),
            BoomSlope => docking::bent(case).map(|b| b[1]),
            BoomShortening => docking::shortening(case),
            SDeflection => docking::s_shape(case).map(|s| s[0]),
            STipMoment => docking::s_shape(case).map(|s| s[1]),
            SRootMoment => docking::s_shape(case).map(|s| s[2]),
            BoomFrequency => docking::ringing(case).map(|r| r[0]),
            BoomRatio => docking::ringing(case).map(|r| r[1]),
            RungFrequency => docking::rung(case).map(|r| r[0]),
            RungRatio => docking::rung(case).map(|r| r[1]),
            CrownDepth => docking::crown_depth(case),
            Humps => soil::highest(case),
            Rut => soil::deepest(case),
            Steepest => soil::steepest(case),
            VolumeBalance => soil::volume_balance(case),
        }
    }
}

/// A column, or that the run has none of that name.
fn column(case: &Case, name: &str) -> Result<Vec<f64>, String> {
    case.column(name).ok_or_else(|| format!("{} has no column {name:?}", case.scenario.name))
}

/// The value of a knob in SI.
fn knob(case: &Case, name: &str) -> Result<f64, String> {
    let found = case.scenario.parameters.iter().find(|knob| knob.name == name);
    let value = found.and_then(|knob| knob.value.parse().ok());
    value.ok_or_else(|| format!("{} has no number {name:?} among its knobs", case.scenario.name))
}

/// Central differences; the ends are left out.
fn rates(times: &[f64], values: &[f64]) -> Vec<f64> {
    let at = |i: usize| (values[i + 1] - values[i - 1]) / (times[i + 1] - times[i - 1]);
    (1..times.len().saturating_sub(1)).map(at).collect()
}
