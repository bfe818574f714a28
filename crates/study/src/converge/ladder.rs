//! Which settings a scenario has, and the levels at which each is tried.

use touchdown_contact::soil::SoilShape;
use touchdown_math::Elementary;
use touchdown_scenario::{Scenario, Setting};
use touchdown_sim::description::{Integrator, StepControl};
use touchdown_studies::Tilt;

/// Ratio of neighbouring steps.
const STEP_RATIO: f64 = 2.0;
/// Ratio of neighbouring tolerances of an adaptive integrator: a step changes by its eighth root only.
const TOLERANCE_RATIO: f64 = 10.0;
/// Factors by which a domain grows.
const GROWTH: [f64; 3] = [1.0, 1.5, 2.0];
/// Sizes of a wheel's elements: counts double, so that they stay whole and spokes stay at nodes of the rim.
const HALVED: [f64; 3] = [1.0, 0.5, 0.25];
/// Least order that is plausible.
const LEAST_ORDER: f64 = 0.5;

/// What is refined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Time step, or tolerance.
    Step,
    /// Spacing of the soil's grid.
    Grid,
    /// Resolution of meshes.
    Mesh,
    /// Elements around the rim of a flexible wheel.
    Rim,
    /// Elements along its spokes.
    Spokes,
    /// Sizes that should not matter.
    Domain,
    /// All at once.
    Together,
}

impl What {
    /// Its name in a stamp.
    pub fn name(self) -> &'static str {
        match self {
            What::Step => "step",
            What::Grid => "grid",
            What::Mesh => "mesh",
            What::Rim => "mesh of the rim",
            What::Spokes => "mesh of the spokes",
            What::Domain => "domain",
            What::Together => "together",
        }
    }
}

/// A setting, with the keys that are turned together.
#[derive(Clone, Debug)]
pub struct Ladder {
    /// What it is.
    pub what: What,
    /// Keys with the power of the factor that each takes; the first is the one that is shown.
    pub keys: Vec<(Setting, f64)>,
    /// Factors on the first key, coarse to fine (or small to large for a domain); 1 is among them.
    pub factors: Vec<f64>,
    /// Plausible orders.
    pub orders: (f64, f64),
}

impl Ladder {
    /// The settings `PATH=VALUE` of a factor; those that keep their value are among them.
    pub fn sets(&self, factor: f64) -> Vec<String> {
        self.keys.iter().map(|(key, power)| key.set(key.value * factor.power(*power))).collect()
    }

    /// Those of them that turn: what is set when other ladders turn as well.
    pub fn turned(&self, factor: f64) -> Vec<String> {
        let sets = self.sets(factor).into_iter().zip(&self.keys);
        sets.filter(|(_, (_, power))| *power != 0.0).map(|(set, _)| set).collect()
    }

    /// The shown value at a factor.
    pub fn value(&self, factor: f64) -> f64 {
        self.keys.first().map_or(f64::NAN, |(key, power)| key.rounded(key.value * factor.power(*power)))
    }

    /// Paths of the keys that are shown: those that turn.
    pub fn path(&self) -> String {
        let turned = self.keys.iter().filter(|(_, power)| *power != 0.0);
        let all: Vec<&str> = turned.map(|(key, _)| key.path.as_str()).collect();
        all.join(", ")
    }

    /// Factor of the n-th refinement beyond the scenario's own setting; the finest there is beyond that.
    pub fn beyond(&self, n: usize) -> f64 {
        let own = self.factors.iter().position(|f| *f == 1.0).unwrap_or(0);
        self.factors.get(own + n).or(self.factors.last()).copied().unwrap_or(1.0)
    }

    /// Estimated cost of a run at a factor, over that at the scenario's own.
    pub fn cost(&self, factor: f64) -> f64 {
        match self.what {
            What::Grid | What::Mesh | What::Rim | What::Spokes => factor.whole_power(-2),
            What::Step if self.keys.iter().any(|(k, _)| k.path.ends_with("tolerance")) => 1.0,
            What::Step => 1.0 / factor,
            What::Domain | What::Together => factor,
        }
    }
}

/// The ladders of a scenario with `levels` settings each.
pub fn ladders(scenario: &Scenario, levels: usize) -> Vec<Ladder> {
    let c = &scenario.converge;
    let grid_ratio = c.grid_ratio.unwrap_or(std::f64::consts::SQRT_2);
    let mut out = Vec::new();
    if !c.step.is_empty() {
        let adaptive = c.step[0].path.ends_with("tolerance");
        let ratio = if adaptive { TOLERANCE_RATIO } else { c.step_ratio.unwrap_or(STEP_RATIO) };
        let most = highest_order(scenario);
        // Both tolerances of an adaptive step go together, and neither below what a double can do.
        let keys: Vec<(Setting, f64)> = c.step.iter().map(|key| (key.clone(), 1.0)).collect();
        let finest = keys.iter().map(|(key, _)| SMALLEST / key.value).fold(0.0, f64::max);
        let mut factors = factors(ratio, levels);
        factors.retain(|f| !adaptive || *f >= finest.min(1.0));
        out.push(Ladder { what: What::Step, keys, factors, orders: (LEAST_ORDER.min(0.25 * most), most) });
    }
    if !c.grid.is_empty() {
        // Erosion spreads by a cell a sweep, like diffusion: a finer grid needs its soil moved more often, by the square.
        let power = |key: &Setting| if key.path == "terrain.move_every" { 2.0 } else { 1.0 };
        let keys = c.grid.iter().map(|key| (key.clone(), power(key))).collect();
        let cells = wheel_width(scenario).map(|width| width / c.grid[0].value);
        out.push(Ladder {
            what: What::Grid,
            keys,
            factors: grid_factors(grid_ratio, levels, cells),
            orders: (LEAST_ORDER, 2.0),
        });
    }
    if !c.mesh.is_empty() {
        let keys = c.mesh.iter().map(|key| (key.clone(), if key.whole { -1.0 } else { 1.0 })).collect();
        out.push(Ladder {
            what: What::Mesh,
            keys,
            factors: factors(grid_ratio, levels),
            orders: (LEAST_ORDER, 3.0),
        });
    }
    if let Some([rim, spokes]) = &c.wheel {
        // The other keeps its number: spokes would follow the rim.
        let apart = [(What::Rim, rim, spokes), (What::Spokes, spokes, rim)];
        out.extend(apart.map(|(what, turned, held)| Ladder {
            what,
            keys: vec![(turned.clone(), -1.0), (held.clone(), 0.0)],
            factors: HALVED.to_vec(),
            orders: (LEAST_ORDER, 4.0),
        }));
    }
    if !c.domain.is_empty() {
        let keys = c.domain.iter().map(|key| (key.clone(), 1.0)).collect();
        out.push(Ladder { what: What::Domain, keys, factors: GROWTH.to_vec(), orders: (LEAST_ORDER, 2.0) });
    }
    out
}

/// Smallest tolerance that a double allows.
const SMALLEST: f64 = 1e-15;

/// ratio^k, falling, with as many coarser as finer settings; an even number has one more finer.
fn factors(ratio: f64, levels: usize) -> Vec<f64> {
    let coarser = (levels.max(3) - 1) / 2;
    (0..levels.max(3)).map(|k| ratio.whole_power(coarser as i32 - k as i32)).collect()
}

/// As [`factors`], with twice as many coarser settings: they cost next to nothing, and show the trend that a fine grid's scatter hides. Where
/// all wheels have a width of this many `cells`, every setting differs from it by an even number: the edges of the wheels then lie alike
/// between the nodes, which otherwise is what most of the scatter comes from.
fn grid_factors(ratio: f64, levels: usize, cells: Option<f64>) -> Vec<f64> {
    let levels = levels.max(3);
    let (coarser, finer) = (levels - 1, levels / 2);
    let Some(own) = cells else {
        return (0..=coarser + finer).map(|k| ratio.whole_power(coarser as i32 - k as i32)).collect();
    };
    // Halves go up, to the finer one, whatever rounding did to them.
    let alike = |ideal: f64| own + 2.0 * ((ideal - own) / 2.0 + 0.5 + 1e-9).floor();
    let mut found = vec![own];
    for k in 1..=coarser {
        let least = found[0] - 2.0;
        let next = alike(own * ratio.whole_power(-(k as i32))).min(least);
        if next < 1.0 {
            break;
        }
        found.insert(0, next);
    }
    // A grid that leaves no room for coarser ones is cheap enough for more finer ones.
    let finer = finer.max(levels.saturating_sub(found.len()));
    let mut last = own;
    for k in 1..=finer {
        last = alike(own * ratio.whole_power(k as i32)).max(last + 2.0);
        found.push(last);
    }
    found.into_iter().map(|cells| own / cells).collect()
}

/// The width of all wheels in soil, if they have one in common and nothing else touches it.
fn wheel_width(scenario: &Scenario) -> Option<f64> {
    let mut widths = scenario.description.soil_bodies.iter().map(|body| match body.surface.shape {
        SoilShape::Wheel { width, .. } => width,
        SoilShape::Mesh(_) => f64::NAN,
    });
    let first = widths.next()?;
    widths
        .all(|width| (width - first).abs() <= 1e-9 * first)
        .then_some(first)
        .filter(|width| width.is_finite())
}

/// One more than the order of the method: more is not to be believed.
fn highest_order(scenario: &Scenario) -> f64 {
    if scenario.description.study.as_ref().is_some_and(|study| study.procedure::<Tilt>().is_some()) {
        return 2.0;
    }
    match scenario.description.integrator {
        Integrator::Realtime { .. } => 2.0,
        Integrator::Implicit { step: StepControl::Fixed(_), .. } => 3.0,
        Integrator::Explicit { step: StepControl::Fixed(_) } => 9.0,
        // The error follows the tolerance about linearly.
        _ => 2.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_lie_around_the_scenarios_own() {
        // Three: one coarser, one finer; four: one coarser, two finer; the ratio is constant and 1 is exactly among them.
        assert_eq!(factors(2.0, 3), [2.0, 1.0, 0.5]);
        assert_eq!(factors(2.0, 4), [2.0, 1.0, 0.5, 0.25]);
        assert_eq!(factors(2.0, 5), [4.0, 2.0, 1.0, 0.5, 0.25]);
        assert!(factors(std::f64::consts::SQRT_2, 5).contains(&1.0));
    }

    #[test]
    fn the_edges_of_a_wheel_lie_alike_at_all_spacings() {
        // Ten cells across: eight, six, four and two, and fourteen and twenty. Two cells across leave no room for coarser ones.
        let cells = |own: f64| -> Vec<f64> {
            let all = grid_factors(std::f64::consts::SQRT_2, 5, Some(own));
            all.iter().map(|f| (own / f * 1e9).round() / 1e9).collect()
        };
        assert_eq!(cells(10.0), [2.0, 4.0, 6.0, 8.0, 10.0, 14.0, 20.0]);
        assert_eq!(cells(2.0), [2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(cells(7.5), [1.5, 3.5, 5.5, 7.5, 11.5, 15.5]);
        assert_eq!(grid_factors(2.0, 3, None), [4.0, 2.0, 1.0, 0.5]);
    }

    #[test]
    fn a_wheel_in_soil_has_step_grid_and_domain() {
        // The spacing shrinks, the soil moves more often by its square, and both lengths of the rig grow together.
        let scenario = touchdown_scenario::load("single-wheel", &[]).expect("built in");
        let all = ladders(&scenario, 5);
        assert_eq!(all.iter().map(|l| l.what).collect::<Vec<_>>(), [What::Step, What::Grid, What::Domain]);
        assert_eq!(all[1].sets(0.5), ["terrain.spacing=0.005 m", "terrain.move_every=5"]);
        assert_eq!(all[2].sets(2.0), ["rig.run_in=1.2 m", "rig.travel=1.8 m"]);
        assert_eq!(all[0].sets(2.0), ["integrator.step=0.002 s"]);
    }

    #[test]
    fn a_pressed_wheel_has_its_mesh_and_no_step() {
        // Rim and spokes apart: while one is refined the other keeps its number. No integrator moves the wheel.
        let scenario = touchdown_scenario::load("tyre-stiffness", &[]).expect("built in");
        let all = ladders(&scenario, 5);
        assert_eq!(all.iter().map(|l| l.what).collect::<Vec<_>>(), [What::Rim, What::Spokes]);
        let form = "flexible_form.airless.elements_per_";
        assert_eq!(all[0].sets(0.25), [format!("{form}quadrant=4"), format!("{form}spoke=1")]);
        assert_eq!(all[1].sets(0.5), [format!("{form}spoke=2"), format!("{form}quadrant=1")]);
        assert_eq!(all[1].path(), format!("{form}spoke"));
        let together: Vec<String> = all.iter().flat_map(|ladder| ladder.turned(0.5)).collect();
        assert_eq!(together, [format!("{form}quadrant=2"), format!("{form}spoke=2")]);
    }

    #[test]
    fn tolerances_go_together_and_not_below_a_double() {
        // 1e-10 and 1e-12: a thousand times finer is the end for the absolute one.
        let scenario = touchdown_scenario::load("pendulum", &[]).expect("built in");
        let all = ladders(&scenario, 11);
        assert_eq!(all.len(), 1);
        let finest = *all[0].factors.last().expect("levels");
        let absolute = all[0].keys[1].0.value * finest;
        assert!((0.9e-15..1e-14).contains(&absolute), "{absolute}");
    }
}
