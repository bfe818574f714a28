//! Cost of branching and observing: a drawbar pull of 60 s, or as many as the first argument says, then forks, saves and observations at 50 Hz of its end state.
use std::time::Instant;
use touchdown::prelude::*;

/// Median of some repetitions, ms.
fn median(repeats: usize, mut work: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..repeats)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() -> Result<(), Error> {
    let end: f64 = std::env::args().nth(1).and_then(|seconds| seconds.parse().ok()).unwrap_or(60.0);
    let mut sim = scenario("rover-drawbar-pull").set("duration_s", end + 4.0).simulate()?;
    sim.advance_to(end)?;
    let bytes = sim.checkpoint();
    println!("state of {:.2} MB", bytes.len() as f64 / 1e6);
    println!("fork {:.3} ms", median(99, || drop(sim.fork())));
    println!("state as a value {:.3} ms", median(99, || drop(sim.save())));
    println!("state as bytes {:.3} ms", median(99, || drop(sim.checkpoint())));
    let step = median(9, || drop(sim.fork().advance_steps(400))) / 400.0;
    println!("a step {step:.4} ms");
    let mut out = [0.0; 10];
    let places: Vec<usize> = (1..11).collect();
    let is_force = |column: &&str| column.starts_with("soil.");
    let names: Vec<String> = sim.columns().iter().map(|column| column.name.clone()).collect();
    let forces = names.iter().map(String::as_str).filter(is_force).take(10);
    let forces = forces.map(|name| sim.column(name)).collect::<Result<Vec<usize>, _>>()?;
    for (what, columns) in [("places and velocities", places), ("forces of the soil", forces)] {
        let look = median(999, || sim.observe(&columns, &mut out).unwrap_or_default());
        let share = 100.0 * look / (20.0 * step);
        println!("ten columns of {what}: {look:.4} ms, at 50 Hz {share:.2} % of the steps between");
    }
    Ok(())
}
