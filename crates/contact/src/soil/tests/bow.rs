//! The heap that a body pushes along is in the law of directions already: it must not count as ground.

use super::*;

/// Distance over which a body ploughs, m, and its depth.
const TRAVEL: f64 = 0.12;
const PLOUGHED: f64 = 0.03;

fn directional(deposition: bool) -> SoilOptions {
    let (stress, friction) = (StressLaw::Directional, FrictionLaw::Anchored);
    SoilOptions { stress, friction, deposition, erosion: deposition, ..bare() }
}

/// A wheel ploughs along its axle at one depth; mean vertical force over the last third.
fn plough(deposition: bool) -> (Bench, f64) {
    let mut bench = Bench::new(0.01, sand(), directional(deposition), &[smooth_wheel(), plate(0.03, 0.03)]);
    let (h, steps) = (0.01, (TRAVEL / SPEED / 0.01) as u32);
    let mut load = 0.0;
    for k in 0..steps {
        let y = f64::from(k) * h * SPEED;
        let p = Vec3::new(0.0013, y, RADIUS - PLOUGHED * (0.1 * f64::from(k)).min(1.0));
        let force = bench.step(h, &[sliding(p, Vec3::new(0.0, SPEED, 0.0)), aloft()]);
        if 3 * k >= 2 * steps {
            load += 3.0 * force.wrench_C.f.z / f64::from(steps);
        }
    }
    (bench, load)
}

fn aloft() -> SurfaceMotion {
    sliding(Vec3::new(1.0, 1.0, 1.0), Vec3::zeros())
}

/// The same depth below the undisturbed surface bears the same load with the heap as without, but for nodes
/// of the ends that soil fills again. Counted as ground, the heap made it half as much again and more.
#[test]
fn a_heap_ahead_lifts_nothing() {
    let ((bench, with), (_, without)) = (plough(true), plough(false));
    let tallest = bench.heights(40).map(|(_, _, h)| h).fold(0.0, f64::max);
    println!("{with:.2} N with a heap of {:.1} mm, {without:.2} N without", 1e3 * tallest);
    assert!(tallest > 0.3 * PLOUGHED);
    assert!((with / without - 1.0).abs() < 0.01);
}

/// A heap that its body has left behind is ground: the next body stands on it.
#[test]
fn heaps_at_rest_are_ground() {
    let (mut bench, _) = plough(true);
    assert!(!bench.soil.heaped.is_empty());
    // With the wheel in the air, and a move of the soil later.
    bench.step(0.01, &[aloft(), aloft()]);
    assert!(bench.soil.heaped.is_empty());
    let heaped: f64 = bench.soil.tiles.iter().flat_map(|tile| tile.nodes().heaped.iter()).sum();
    assert!(heaped == 0.0);
    let highest = bench.heights(40).fold((0.0, 0.0, 0.0), |a, b| if b.2 > a.2 { b } else { a });
    let (x, y, h) = highest;
    let onto = sliding(Vec3::new(x, y, h + 0.01 - 0.002), Vec3::new(0.0, 0.0, -0.01));
    let force = bench.bodies[1].evaluate((&bench.soil, &bench.held[1]), &onto, 0.01, None);
    assert!(force.wrench_C.f.z > 0.0 && h > 0.3 * PLOUGHED);
}

/// A saved run continues with the same bits, including what moves with a body.
#[test]
fn restarts_know_what_moves() {
    let (mut straight, _) = plough(true);
    let mut resumed = Bench::new(0.01, sand(), directional(true), &[smooth_wheel(), plate(0.03, 0.03)]);
    let bytes = postcard::to_stdvec(&straight.soil.save()).expect("plain data");
    let saved = postcard::from_bytes(&bytes).expect("as it was written");
    resumed.restore((saved, straight.held.clone()));
    resumed.t = straight.t;
    for k in 0..30 {
        let y = TRAVEL + f64::from(k) * 0.01 * SPEED;
        let motion = [sliding(Vec3::new(0.0013, y, RADIUS - PLOUGHED), Vec3::new(0.0, SPEED, 0.0)), aloft()];
        assert_eq!(straight.step(0.01, &motion), resumed.step(0.01, &motion), "step {k}");
    }
    assert!(straight.state() == resumed.state());
}
