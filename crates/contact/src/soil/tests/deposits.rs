//! Where displaced soil goes.

use super::*;

/// Drives a body along x over 0.1 m at one height after pressing it in; options as given.
fn drive(surface: &SoilSurface, options: SoilOptions, v: f64, spin: f64, y: f64) -> Bench {
    let mut bench = Bench::new(0.01, sand(), options, std::slice::from_ref(surface));
    let top = if matches!(surface.shape, SoilShape::Wheel { .. }) { RADIUS } else { 0.01 };
    let h = 0.01;
    for k in 0..100 {
        let t = f64::from(k) * h;
        let depth = 0.03 * (5.0 * t).min(1.0);
        bench.step(h, &[rolling(0.0, Vec3::new(0.0013 + v * t, y, top - depth), v, spin)]);
    }
    bench
}

/// Volume of the deposits ahead of and behind a place, m³.
fn ahead_and_behind(bench: &Bench, x: f64) -> (f64, f64) {
    let deposits = bench.heights(40).filter(|(_, _, h)| *h > 0.0);
    deposits.fold((0.0, 0.0), |(a, b), (at, _, h)| if at > x { (a + h * 1e-4, b) } else { (a, b + h * 1e-4) })
}

/// Rolling straight leaves the same berm on both sides, to rounding: the wheel on a node or midway between two. Erosion, which takes one node
/// after the other, leaves the sides different by less than the height at which nodes begin to slide.
#[test]
fn straight_rolling_is_symmetric() {
    for y in [0.0, 0.005] {
        for erosion in [false, true] {
            let bench = drive(&smooth_wheel(), SoilOptions { erosion, ..full() }, 0.1, 1.2, y);
            let mirrored = |x: f64, at: f64| bench.soil.surface(x, 2.0 * y - at).unwrap();
            let apart = bench.heights(30).map(|(x, at, h)| (h - mirrored(x, at)).abs()).fold(0.0, f64::max);
            let tallest = bench.heights(30).map(|(_, _, h)| h).fold(0.0, f64::max);
            println!("y = {y}, erosion {erosion}: sides {apart:.1e} m apart, berm {:.1} mm", 1e3 * tallest);
            assert!(tallest > 0.005);
            assert!(apart < if erosion { 0.01 * 24.8f64.to_radians().tan() } else { 1e-12 });
        }
    }
}

/// A locked wheel and a plate push soil ahead of them; a wheel that spins on the spot throws it behind; a wheel pressed straight in puts
/// as much ahead as behind.
#[test]
fn soil_goes_where_the_surface_moves() {
    let still = SoilOptions { erosion: false, ..full() };
    let (ahead, behind) = ahead_and_behind(&drive(&smooth_wheel(), still, 0.1, 0.0, 0.0), 0.1);
    println!("locked wheel: {:.1} cm³ ahead of its hub, {:.1} cm³ behind", 1e6 * ahead, 1e6 * behind);
    assert!(ahead > 2.0 * behind);
    let (ahead, behind) = ahead_and_behind(&drive(&plate(0.1, 0.1), still, 0.1, 0.0, 0.0), 0.1);
    println!("plate: {:.1} cm³ ahead, {:.1} cm³ behind", 1e6 * ahead, 1e6 * behind);
    assert!(ahead > 2.0 * behind);
    let (ahead, behind) = ahead_and_behind(&drive(&carrying_wheel(), still, 0.0, 3.0, 0.0), 0.0013);
    println!("spinning wheel: {:.1} cm³ ahead, {:.1} cm³ behind", 1e6 * ahead, 1e6 * behind);
    assert!(behind > 2.0 * ahead);
    let mut bench = Bench::new(0.01, sand(), still, &[smooth_wheel()]);
    for k in 0..20 {
        let z = RADIUS - 0.0015 * f64::from(k);
        bench.step(0.01, &[sliding(Vec3::new(0.005, 0.0, z), Vec3::new(0.0, 0.0, -0.15))]);
    }
    let (ahead, behind) = ahead_and_behind(&bench, 0.005);
    assert!((ahead / behind - 1.0).abs() < 1e-9);
}
