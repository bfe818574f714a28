//! Smooth contact in the loop: a ball in a bowl against a reference of its own integrator, maps against formulas, books, restarts.

mod common;

use common::{Checks, Run, run};
use touchdown_oracle::ball::{Ball, Friction, Lever, Sample, Surface};

/// The ball of `ball-in-bowl`.
fn ball() -> Ball {
    Ball {
        mass_kg: 1.0,
        radius_m: 0.25,
        stiffness_n_per_m: 1e4,
        damping_n_s_per_m: 30.0,
        friction: Friction::Regularised { coefficient: 0.3, transition: 0.01 },
        lever: Lever::SurfacePoint,
        gravity_m_per_s2: 9.81,
        start_m: [1.0, 0.0, 1.5],
        velocity_m_per_s: [0.0; 3],
        spin_rad_per_s: [0.0, 8.0, 4.0],
        impulses: vec![(2.2, [0.0, 3.0, 0.0])],
    }
}

fn bowl(x: f64, y: f64) -> Surface {
    Surface::bowl(0.2, x, y)
}

fn centre(run: &Run, t: f64) -> [f64; 3] {
    ["x", "y", "z"].map(|axis| run.at(&format!("body.ball.{axis}_m"), t))
}

fn distance(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt()
}

/// The formula, the C¹ and the C² map give the same motion over 25 s, that of the reference, and their books close.
#[test]
fn a_ball_in_a_bowl_follows_the_reference_by_formula_and_by_map() {
    let mut checks = Checks::default();
    let times: Vec<f64> = (0..=2500).map(|k| 0.01 * f64::from(k)).collect();
    let reference: Vec<Sample> = ball().at(&times, bowl);
    let runs = ["analytic", "c1", "c2"]
        .map(|surface| (surface, run("ball-in-bowl", &[&format!("surface={surface}")])));
    for (surface, run) in &runs {
        println!("{surface}: steps {} evaluations {}", run.outcome.steps, run.quantity("evaluations"));
        for until in [1.0, 2.2, 5.0, 10.0, 25.0] {
            let far = times.iter().zip(&reference).filter(|(t, _)| **t <= until);
            let off = far.map(|(t, s)| distance(&centre(run, *t), &s.position_m)).fold(0.0, f64::max);
            checks.below(&format!("{surface}, distance from the reference up to {until} s, m"), off, 1e-6);
        }
        let energy = run.quantity("energy_residual_relative");
        checks.below(&format!("{surface}, energy residual"), energy, 1e-8);
        let last = reference[2500];
        let touches = run.quantity("contacts") - f64::from(last.touches);
        checks.below(&format!("{surface}, touches of {} wrong by", last.touches), touches.abs(), 0.5);
        let depth = (run.quantity("penetration_max_m") / last.penetration_max_m - 1.0).abs();
        checks.below(&format!("{surface}, deepest penetration"), depth, 2e-5);
        let gap =
            times.iter().zip(&reference).map(|(t, s)| (run.at("surface.ball.gap_m", *t) - s.gap_m).abs());
        checks.below(&format!("{surface}, gap, m"), gap.fold(0.0, f64::max), 1e-6);
        let u = times
            .iter()
            .zip(&reference)
            .map(|(t, s)| (run.at("surface.ball.u_m", *t) - s.contact_m[0]).abs());
        checks.below(&format!("{surface}, contact coordinate u, m"), u.fold(0.0, f64::max), 1e-6);
    }
    let (_, formula) = &runs[0];
    for (surface, run) in &runs[1..] {
        let off = times.iter().map(|t| distance(&centre(run, *t), &centre(formula, *t))).fold(0.0, f64::max);
        checks.below(&format!("{surface} from the formula, m"), off, 1e-6);
    }
    checks.finish();
}

/// dev
#[test]
fn look() {
    for name in ["ball-on-waves", "ball-on-map", "ellipsoid-on-map"] {
        let start = std::time::Instant::now();
        let run = run(name, &[]);
        println!(
            "{name} {:.2} s wall, {} steps, {} evaluations",
            start.elapsed().as_secs_f64(),
            run.outcome.steps,
            run.quantity("evaluations")
        );
        for q in &run.outcome.quantities {
            println!("  {} = {} {}", q.name, q.value, q.unit);
        }
        for t in &run.outcome.tables {
            t.rows.iter().for_each(|r| println!("  {r:?}"));
        }
        run.outcome.warnings.iter().for_each(|w| println!("  {w}"));
    }
}
