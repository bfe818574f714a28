//! `touchdown bench patch`: contact on an elevation map. What a patch costs, what finding and following a contact costs, and that the size of the map
//! does not count.

use super::findings::Findings;
use super::{ROUNDS, clock};
use crate::failure::Failure;
use crate::output::table;
use std::hint::black_box;
use touchdown_contact::surface::{
    Form, FrictionLaw, NormalLaw, PairOptions, PairScratch, SurfaceLaw, SurfaceMotion, SurfacePair,
};
use touchdown_geometry::Raster;
use touchdown_geometry::surface::{BodySurface, HeightForm, HeightSurface, Patch, Smoothness};
use touchdown_math::{Elementary, Pose, Vec3};

/// Nodes along a side of the maps, and their distance, m.
const SIDES: [usize; 2] = [1000, 4000];
const SPACING: f64 = 0.1;
/// The ball, m: its foot covers some cells; and its speed, m/s.
const RADIUS: f64 = 0.25;
const SPEED: f64 = 1.0;
/// Time between evaluations, s, and how many make a step, as in a method of fourth order.
const STEP: f64 = 1e-3;
const EVALUATIONS: usize = 4;
/// Calls in a round.
const CALLS: usize = 20_000;
/// What is asked for, s.
const BUILD_TARGET: f64 = 0.1e-6;
const CONTACT_TARGET: f64 = 1e-6;
/// The most that the larger map may cost, relative.
const SIZE_RATIO: f64 = 1.25;

/// Times of one round on one map, s a call.
struct Times {
    build: [f64; 2],
    jet: [f64; 2],
    evaluate: f64,
    commit: f64,
}

/// Measures and writes the tables.
pub fn report(found: &mut Findings) -> Result<(), Failure> {
    let mut all: Vec<[f64; 6]> = Vec::new();
    let mut rows = table(&["us a call", "1000 x 1000 nodes", "4000 x 4000 nodes", "target", ""]);
    let grounds = SIDES.iter().map(|side| ground(*side)).collect::<Result<Vec<_>, _>>()?;
    let mut samples = vec![vec![Vec::new(); 6]; SIDES.len()];
    for _ in 0..ROUNDS {
        for (ground, list) in grounds.iter().zip(&mut samples) {
            let Times { build, jet, evaluate, commit } = round(ground)?;
            for (sample, list) in [build[0], build[1], jet[0], jet[1], evaluate, commit].into_iter().zip(list)
            {
                list.push(sample);
            }
        }
    }
    for list in &samples {
        all.push([0, 1, 2, 3, 4, 5].map(|k| clock::median(&list[k])));
    }
    let contact = |times: &[f64; 6]| times[4] + times[5] / EVALUATIONS as f64;
    let mut add = |name: &str, of: &dyn Fn(&[f64; 6]) -> f64, target: Option<f64>| {
        let verdict =
            target.map_or("", |target| if all.iter().all(|t| of(t) <= target) { "met" } else { "missed" });
        let micro = |t: &[f64; 6]| format!("{:.3}", 1e6 * of(t));
        let target = target.map_or(String::new(), |t| format!("{:.1}", 1e6 * t));
        rows.add_row([name.into(), micro(&all[0]), micro(&all[1]), target, verdict.into()]);
    };
    add("build a patch, C1", &|t| t[0], Some(BUILD_TARGET));
    add("build a patch, C2", &|t| t[1], Some(BUILD_TARGET));
    add("height, slopes, curvatures on it, C1", &|t| t[2], None);
    add("height, slopes, curvatures on it, C2", &|t| t[3], None);
    add("an evaluation: tracking and force", &|t| t[4], None);
    add("an accepted step: tracking and search", &|t| t[5], None);
    add("search and tracking an evaluation", &contact, Some(CONTACT_TARGET));
    let ratio = contact(&all[1]) / contact(&all[0]);
    let about = format!(
        "a ball of {RADIUS} m at {SPEED} m/s over hills, nodes every {SPACING} m, patches of class C2 kept within their cell; {EVALUATIONS} evaluations of {} ms to a step",
        1e3 * STEP
    );
    let verdict = if ratio <= SIZE_RATIO { "met" } else { "missed" };
    found
        .add(rows, &[about, format!("larger over smaller map: {ratio:.3} (target {SIZE_RATIO}: {verdict})")]);
    Ok(())
}

fn round(ground: &HeightSurface) -> Result<Times, Failure> {
    let map = ground.map().ok_or_else(|| Failure::other("the ground is no map".to_string()))?;
    let time = |calls: usize, work: &mut dyn FnMut()| {
        let start = clock::cpu_time();
        work();
        (clock::cpu_time() - start) / calls as f64
    };
    let (mut build, mut jet) = ([0.0; 2], [0.0; 2]);
    for (k, smoothness) in [Smoothness::C1, Smoothness::C2].into_iter().enumerate() {
        // Cell after cell along the rows, as a body goes.
        build[k] = time(CALLS, &mut || {
            for call in 0..CALLS {
                let (column, row) = (100 + call % 800, 500 + call / 800);
                black_box(Patch::build(map, black_box(column), row, smoothness));
            }
        });
        let patch = Patch::build(map, 500, 500, smoothness);
        let patch = patch.ok_or_else(|| Failure::other("no patch in the middle of the map".to_string()))?;
        jet[k] = time(CALLS, &mut || {
            for call in 0..CALLS {
                black_box(black_box(&patch).jet(black_box(call as f64 / CALLS as f64), 0.4, SPACING));
            }
        });
    }
    let law = SurfaceLaw {
        normal: NormalLaw::Linear { stiffness: 1e4, damping: 30.0 },
        friction: FrictionLaw::Regularised { coefficient: 0.4, speed: 0.01 },
    };
    let ball = Form::Body(BodySurface::Sphere { radius: RADIUS });
    let options = PairOptions { threshold: 0.02, most: 4 };
    let pair = SurfacePair::new(Form::Height(ground.clone()), ball, law, options);
    let pair = pair.map_err(|_| Failure::other("the pair of the benchmark is not valid".to_string()))?;
    // Along x in the middle of the map, a millimetre deep.
    let y = 0.5 * SPACING * map.rows() as f64;
    let sides = |t: f64| {
        let x = 10.0 + SPEED * t;
        let z = ground.jet(x, y).map_or(0.0, |jet| jet.z + (RADIUS - 1e-3) * jet.normal().z);
        let X_WS = Pose::translation(Vec3::new(x, y, z));
        [
            SurfaceMotion::at_rest(Pose::identity()),
            SurfaceMotion { X_WS, v_WS: Vec3::new(SPEED, 0.0, 0.0), w_WS: Vec3::zeros() },
        ]
    };
    let path: Vec<[SurfaceMotion; 2]> = (0..CALLS).map(|k| sides(STEP * k as f64)).collect();
    let mut scratch = PairScratch::default();
    let mut state = pair.start(&path[0], &mut scratch);
    let commit = time(CALLS - 1, &mut || {
        for sides in &path[1..] {
            pair.commit(sides, STEP, &mut state, &mut [], &mut scratch);
        }
    });
    // Evaluations between commits, which are taken off.
    let mut state = pair.start(&path[0], &mut scratch);
    let both = time(CALLS - 1, &mut || {
        for (k, sides) in path[1..].iter().enumerate() {
            let since = STEP * (k % EVALUATIONS + 1) as f64;
            black_box(pair.evaluate(sides, &state, since, &[], 0.0, None, &mut scratch));
            if k % EVALUATIONS == EVALUATIONS - 1 {
                pair.commit(sides, since, &mut state, &mut [], &mut scratch);
            }
        }
    });
    if state.slots.iter().flatten().next().is_none() {
        return Err(Failure::other("the ball of the benchmark lost the ground".to_string()));
    }
    Ok(Times { build, jet, evaluate: both - commit / EVALUATIONS as f64, commit })
}

/// Hills with several wavelengths.
fn ground(side: usize) -> Result<HeightSurface, Failure> {
    let height = |k: usize| {
        let (x, y) = (SPACING * (k % side) as f64, SPACING * (k / side) as f64);
        0.3 * (0.5 * x).sine() * (0.4 * y).cosine() + 0.05 * (1.7 * x + 0.6 * y).sine()
    };
    let made = Raster::new([0.0, 0.0], SPACING, side, side, (0..side * side).map(height).collect());
    let raster = made.map_err(|error| Failure::other(format!("a map cannot be made: {error}")))?;
    Ok(HeightSurface::new(HeightForm::Map { raster, smoothness: Smoothness::C2 }))
}
