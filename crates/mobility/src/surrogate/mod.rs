//! From cases to any place: what a rover does, with an interval that holds 90 % of new runs.
//!
//! A rover moves or is stuck: two regimes with a jump between them. P(stuck) is a classifier; slip has a Gaussian process in each regime and is the mixture of both, so
//! that its interval is narrow where the regime is sure and holds both where it is not. Drift, energy and sinkage are those of a rover that moves. Intervals
//! are calibrated by cases that were left out, an eighth of them at a time (module `left_out`).

mod classifier;
mod kernel;
mod left_out;
mod linear;
mod mixture;
mod process;
mod search;
#[cfg(test)]
pub(crate) mod tests;

use classifier::Classifier;
use kernel::Parity;
pub(crate) use mixture::Mixture;
use process::{Data, Form, Process};
use serde::{Deserialize, Serialize};
use touchdown_math::Elementary;

/// Share of central intervals before calibration.
const NOMINAL: f64 = 0.9;
/// Energy at which its scale turns from linear to logarithmic, J/m.
const ENERGY_SCALE: f64 = 50.0;
/// Share of the signal's variance that the cases leave open from which a surrogate extrapolates.
const OPEN: f64 = 0.5;

/// A case: where it was made, and what came out.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Coordinates of a a slope, a heading and a soil.
    pub place: Vec<f64>,
    /// 1 − distance along the heading / distance rolled.
    pub slip: f64,
    /// Positive down the slope; not a number on the spot.
    pub drift_deg: f64,
    /// Braking counts as negative; not a number on the spot.
    pub energy_j_per_m: f64,
    /// Mean of the wheels.
    pub sinkage_m: f64,
    /// Mean slip of 0.8 over half a wheelbase.
    pub stuck: bool,
    /// It fell over.
    pub tipped: bool,
    /// Within the range of all models.
    pub valid: bool,
}

/// A value with the interval that holds 90 % of new runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// Mean.
    pub value: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// What a surrogate says of a place.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Prediction {
    /// Slip, of a rover that moves or is stuck.
    pub slip: Estimate,
    /// Drift of one that moves.
    pub drift_deg: Estimate,
    /// Energy of one that moves.
    pub energy_j_per_m: Estimate,
    /// Sinkage of one that moves.
    pub sinkage_m: Estimate,
    /// Probability of getting stuck.
    pub p_stuck: f64,
    /// Probability of tipping over.
    pub p_tip: f64,
    /// Probability of staying within the range of the models.
    pub valid: f64,
    /// Whether it lies beyond what the cases say.
    pub extrapolates: bool,
}

/// A response of one regime with its scale.
#[derive(Clone, Debug)]
struct Curve {
    process: Process,
    level: f64,
    scale: Scale,
}

/// The scale in which a response is fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scale {
    Linear,
    /// asinh(E/E₀): logarithmic above E₀ and below −E₀, linear between them; energies of braking are negative.
    Energy,
}

impl Scale {
    fn to(self, x: f64) -> f64 {
        match self {
            Scale::Linear => x,
            Scale::Energy => (x / ENERGY_SCALE).inverse_hyperbolic_sine(),
        }
    }

    fn from(self, y: f64) -> f64 {
        match self {
            Scale::Linear => y,
            Scale::Energy => ENERGY_SCALE * y.hyperbolic_sine(),
        }
    }
}

impl Curve {
    /// Fits a response to the cases that have it; `from`: the same of more cases.
    fn fit<'c>(
        cases: impl Iterator<Item = &'c Case>,
        response: Response,
        form: Form,
        from: Option<&Curve>,
    ) -> Option<Curve> {
        let (read, scale) = (response.read(), response.scale());
        let mut data = Data::default();
        for case in cases.filter(|case| read(case).is_finite()) {
            data.places.push(case.place.clone());
            data.values.push(scale.to(read(case)));
        }
        let process = Process::fit(&data, form, from.map(|curve| &curve.process.choice))?;
        Some(Curve { process, level: NOMINAL, scale })
    }

    fn at(&self, x: &[f64]) -> Estimate {
        let [value, low, high] = self.on_scale(x).map(|y| self.scale.from(y));
        Estimate { value, low, high }
    }

    /// Middle and ends of the interval, on the scale of the fit.
    fn on_scale(&self, x: &[f64]) -> [f64; 3] {
        let belief = self.process.at(x);
        let [low, high] = Mixture::one(belief).interval(self.level);
        [belief.mean, low, high]
    }
}

/// What has one process, for rovers that move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Response {
    Drift,
    Energy,
    Sinkage,
}

impl Response {
    const ALL: [Response; 3] = [Response::Drift, Response::Energy, Response::Sinkage];

    fn read(self) -> fn(&Case) -> f64 {
        match self {
            Response::Drift => |case| case.drift_deg,
            Response::Energy => |case| case.energy_j_per_m,
            Response::Sinkage => |case| case.sinkage_m,
        }
    }

    fn scale(self) -> Scale {
        if self == Response::Energy { Scale::Energy } else { Scale::Linear }
    }
}

/// How good a surrogate is by cases that were left out, an eighth of them at a time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CrossValidation {
    /// Cases.
    pub cases: usize,
    /// Root mean square error of the slip.
    pub slip: f64,
    /// Of the drift, degrees; none where no rover left its spot.
    pub drift_deg: Option<f64>,
    /// Of the energy, J/m.
    pub energy_j_per_m: Option<f64>,
    /// Of the sinkage, m.
    pub sinkage_m: Option<f64>,
    /// Share of cases whose more probable regime is theirs.
    pub stuck_right: f64,
}

/// A surrogate of all responses.
#[derive(Clone, Debug)]
pub struct Surrogate {
    stuck: Classifier,
    tipped: Classifier,
    valid: Classifier,
    /// Slip of what moves, and of what is stuck; of all where one of the two has no cases.
    slip: [Process; 2],
    slip_level: f64,
    /// In the order of [`Response::ALL`]; none where no case has it.
    curves: [Option<Curve>; 3],
}

/// The slip at a place.
#[derive(Clone, Debug)]
pub(crate) struct Slip {
    pub p_stuck: f64,
    pub distribution: Mixture,
    pub extrapolates: bool,
}

/// Means at a place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Means {
    /// Drift, degrees, and energy, J/m, of a rover that moves; none where no case had a track.
    pub track: Option<[f64; 2]>,
    pub p_tip: f64,
    pub valid: f64,
}

/// Cases that a regime is fitted to at least; with fewer it takes all of them.
const LEAST_OF_A_REGIME: usize = 5;

/// What of the places is known before any case.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// The second coordinate changes its sign in a mirror.
    pub mirrored: bool,
    /// The coordinate with which noise grows.
    pub rough: Option<usize>,
}

impl Frame {
    fn form(self, parity: Parity) -> Form {
        Form { parity: if self.mirrored { parity } else { Parity::None }, rough: self.rough }
    }
}

impl Surrogate {
    /// Fits all responses and calibrates their intervals by the first `spread` cases, which are spread as new runs will be; `None` without cases.
    pub fn fit(cases: &[Case], spread: usize, frame: Frame) -> Option<(Surrogate, CrossValidation)> {
        let mut surrogate = Self::draft(cases, frame, None)?;
        let validation = left_out::calibrate(&mut surrogate, cases, spread, frame);
        Some((surrogate, validation))
    }

    /// Fits all responses; intervals are those of the processes, as they are. `from`: a surrogate of more cases, near which the numbers are looked for.
    pub fn draft(cases: &[Case], frame: Frame, from: Option<&Surrogate>) -> Option<Surrogate> {
        let even = frame.form(Parity::Even);
        let places: Vec<Vec<f64>> = cases.iter().map(|case| case.place.clone()).collect();
        let still = Form { rough: None, ..even };
        let classifier =
            |read: fn(&Case) -> bool, from: fn(&Surrogate) -> &Classifier, near: Option<&Surrogate>| {
                let yes = cases.iter().map(read).collect::<Vec<bool>>();
                Classifier::fit(&places, &yes, still, near.and_then(|near| from(near).process()))
            };
        let enough = |stuck: bool| cases.iter().filter(|c| c.stuck == stuck).count() >= LEAST_OF_A_REGIME;
        let regime = |stuck: bool| {
            let of = || cases.iter().filter(|c| !enough(stuck) || c.stuck == stuck);
            let data = Data {
                places: of().map(|c| c.place.clone()).collect(),
                values: of().map(|c| c.slip).collect(),
            };
            Process::fit(&data, even, from.map(|from| &from.slip[usize::from(stuck)].choice))
        };
        let moving = || cases.iter().filter(|c| !enough(false) || !c.stuck);
        let curve = |k: usize| {
            let response = Response::ALL[k];
            let form = frame.form(if response == Response::Drift { Parity::Odd } else { Parity::Even });
            Curve::fit(moving(), response, form, from.and_then(|from| from.curves[k].as_ref()))
        };
        Some(Surrogate {
            stuck: classifier(|c| c.stuck, |s| &s.stuck, from),
            tipped: classifier(|c| c.tipped, |s| &s.tipped, from),
            valid: classifier(|c| c.valid, |s| &s.valid, from),
            slip: [regime(false)?, regime(true)?],
            slip_level: NOMINAL,
            curves: std::array::from_fn(curve),
        })
    }

    /// What it says of a place.
    pub fn at(&self, x: &[f64]) -> Prediction {
        let none = Estimate { value: f64::NAN, low: f64::NAN, high: f64::NAN };
        let of = |curve: &Option<Curve>| curve.as_ref().map_or(none, |curve| curve.at(x));
        let slip = self.slip_at(x);
        let [low, high] = slip.distribution.interval(self.slip_level);
        Prediction {
            slip: Estimate { value: slip.distribution.mean(), low, high },
            drift_deg: of(&self.curves[Response::Drift as usize]),
            energy_j_per_m: of(&self.curves[Response::Energy as usize]),
            sinkage_m: of(&self.curves[Response::Sinkage as usize]),
            p_stuck: slip.p_stuck,
            p_tip: self.tipped.at(x),
            valid: self.valid.at(x),
            extrapolates: slip.extrapolates,
        }
    }

    /// The slip at a place, and what it depends on.
    pub(crate) fn slip_at(&self, x: &[f64]) -> Slip {
        let (p_stuck, parts) = (self.stuck.at(x), [self.slip[0].at(x), self.slip[1].at(x)]);
        let likely = &parts[usize::from(p_stuck > 0.5)];
        Slip { p_stuck, distribution: Mixture::two(parts, p_stuck), extrapolates: likely.unknown > OPEN }
    }

    /// The energy per metre at a place, on the scale of its fit: middle and ends of the 90 % interval; none where no rover moved.
    pub(crate) fn energy_at(&self, x: &[f64]) -> Option<[f64; 3]> {
        self.curves[Response::Energy as usize].as_ref().map(|curve| curve.on_scale(x))
    }

    /// An energy per metre from the scale of its fit, J/m.
    pub(crate) fn energy_of(y: f64) -> f64 {
        Scale::Energy.from(y)
    }

    /// Share of central intervals of the slip that hold 90 % of new runs.
    pub(crate) fn slip_level(&self) -> f64 {
        self.slip_level
    }

    /// What a table needs beside the slip.
    pub(crate) fn means(&self, x: &[f64]) -> Means {
        let of = |curve: &Curve| curve.scale.from(curve.process.mean(x));
        let [drift, energy, _] = &self.curves;
        let track = drift.as_ref().zip(energy.as_ref());
        Means {
            track: track.map(|(drift, energy)| [of(drift), of(energy)]),
            p_tip: self.tipped.at(x),
            valid: self.valid.at(x),
        }
    }

    /// Distance of two places in lengths over which the regime changes, or the slip where all cases have one regime.
    pub(crate) fn distance(&self, x: &[f64], y: &[f64]) -> f64 {
        self.stuck.process().unwrap_or(&self.slip[0]).distance2(x, y).sqrt()
    }
}
