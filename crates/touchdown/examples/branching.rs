//! What branching and looking cost: a drawbar pull of 60 s, then forks, saves and observations at 50 Hz of its end state.
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
    let mut sim = scenario("rover-drawbar-pull").set("duration_s", 64).simulate()?;
    sim.advance_to(60.0)?;
    let bytes = sim.checkpoint();
    println!("state of {:.2} MB", bytes.len() as f64 / 1e6);
    println!("fork {:.3} ms", median(99, || drop(sim.fork())));
    println!("state as a value {:.3} ms", median(99, || drop(sim.save())));
    println!("state as bytes {:.3} ms", median(99, || drop(sim.checkpoint())));
    let saved = sim.save();
    let columns: Vec<usize> = (1..11).collect();
    let mut out = [0.0; 10];
    let mut cost = |looks: bool| -> Result<f64, Error> {
        sim.restore(saved.clone())?;
        let start = Instant::now();
        for k in 1..=200 {
            sim.advance_to(60.0 + 0.02 * f64::from(k))?;
            if looks {
                sim.observe(&columns, &mut out)?;
            }
        }
        Ok(start.elapsed().as_secs_f64())
    };
    let mut ratios: Vec<f64> = Vec::new();
    for _ in 0..9 {
        let (plain, looking) = (cost(false)?, cost(true)?);
        ratios.push(looking / plain);
    }
    ratios.sort_by(f64::total_cmp);
    println!("ten columns at 50 Hz: {:.2} % (median of nine)", (ratios[4] - 1.0) * 100.0);
    Ok(())
}
