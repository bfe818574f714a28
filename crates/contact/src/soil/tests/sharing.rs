//! Copies of the soil share the data that none of them writes, are independent of each other, and continue
//! with the same bits.

use super::*;
use proptest::prelude::*;

const H: f64 = 0.01;

fn bench(options: SoilOptions) -> Bench {
    Bench::new(0.01, sand(), options, &[carrying_wheel(), plate(0.08, 0.05)])
}

/// A wheel that drives ahead at a speed and bobs, and a plate that dives beside it.
fn motions(k: i32, speed: f64) -> [SurfaceMotion; 2] {
    let t = f64::from(k) * H;
    let p = Vec3::new(speed * t, 0.003, RADIUS - 0.03 - 0.01 * (5.0 * t).sin());
    let v = Vec3::new(0.05, 0.0, -0.2 * (10.0 * t).cos());
    [
        rolling(0.3 * t, p, speed, 1.5 * speed / RADIUS),
        sliding(Vec3::new(0.05 * t, 0.15, -0.02 * (10.0 * t).sin()), v),
    ]
}

fn drive(bench: &mut Bench, steps: std::ops::Range<i32>, speed: f64) {
    steps.for_each(|k| {
        bench.step(H, &motions(k, speed));
    });
}

/// Two copies that continue differently do not affect each other.
#[test]
fn copies_do_not_see_each_other() {
    let (mut first, mut alone, mut other) = (bench(full()), bench(full()), bench(full()));
    drive(&mut first, 0..60, 0.3);
    let mut second = first.clone();
    for k in 60..120 {
        // In turns, so that each writes tiles that the other still shares.
        drive(&mut first, k..k + 1, 0.3);
        drive(&mut second, k..k + 1, 0.1);
    }
    drive(&mut alone, 0..120, 0.3);
    drive(&mut other, 0..60, 0.3);
    drive(&mut other, 60..120, 0.1);
    assert!(first.soil == alone.soil && first.state() == alone.state());
    assert!(second.soil == other.soil && second.state() == other.state());
    assert!(first.soil != second.soil);
}

/// A copy takes no tile with it; later it has copied those that it wrote, and no others.
#[test]
fn a_copy_costs_what_is_written_later() {
    let mut bench = bench(full());
    drive(&mut bench, 0..400, 0.3);
    let before = bench.soil.clone();
    let tiles = before.tile_count();
    assert_eq!(before.tiles_shared_with(&bench.soil), tiles);
    drive(&mut bench, 400..440, 0.3);
    let same = |slot: &usize| before.tiles[*slot].nodes() == bench.soil.tiles[*slot].nodes();
    let unwritten = (0..tiles).filter(same).count();
    println!("{tiles} tiles, {} of them written after the copy was made", tiles - unwritten);
    assert!(unwritten >= 4 && unwritten < tiles);
    assert_eq!(before.tiles_shared_with(&bench.soil), unwritten);
    // What the copy held is free again: writing on copies nothing.
    let place = |soil: &Soil| soil.tiles.iter().map(|t| std::ptr::from_ref(t.nodes())).collect::<Vec<_>>();
    let (places, tiles) = (place(&bench.soil), bench.soil.tile_count());
    drop(before);
    drive(&mut bench, 440..460, 0.3);
    assert_eq!(place(&bench.soil)[..tiles], places);
}

/// Cost of copying and storing the soil of a long drive: a measurement, printed, not a claim.
#[test]
#[ignore = "prints times, which depend on the machine"]
fn costs_of_copies() {
    let mut bench = bench(full());
    drive(&mut bench, 0..1200, 0.5);
    let soil = &bench.soil;
    let bytes = postcard::to_stdvec(&soil.save()).expect("plain data");
    println!("{} tiles, {} bytes", soil.tile_count(), bytes.len());
    let time = |what: &str, work: &dyn Fn()| {
        let times = (0..25).map(|_| {
            let start = std::time::Instant::now();
            work();
            start.elapsed().as_secs_f64() * 1e6
        });
        println!("{what}: {:.1} us", times.fold(f64::INFINITY, f64::min));
    };
    time("clone", &|| drop(soil.clone()));
    time("save", &|| drop(soil.save()));
    time("save as bytes", &|| drop(postcard::to_stdvec(&soil.save())));
    time("read", &|| drop(postcard::from_bytes::<SoilState>(&bytes)));
}

/// Drawing copies no tile and changes nothing: soils that were drawn at different times, or never, stay
/// equal.
#[test]
fn drawing_leaves_the_soil_alone() {
    let (mut drawn, mut other) = (bench(full()), bench(full()));
    for k in 0..100 {
        drive(&mut drawn, k..k + 1, 0.3);
        drive(&mut other, k..k + 1, 0.3);
        if k % 7 == 3 {
            let before = drawn.soil.clone();
            drawn.soil.mark_drawn();
            assert_eq!(drawn.soil.tiles_shared_with(&before), before.tile_count());
            assert_eq!(drawn.soil.changed_tiles().count(), 0);
        }
    }
    assert!(drawn.soil == other.soil && drawn.state() == other.state());
    assert!(drawn.soil.marks() != other.soil.marks());
}

/// What may happen to a run between two steps.
#[derive(Clone, Copy, Debug)]
enum Break {
    None,
    Rewound,
    Restarted,
    Stored,
    Copied,
    Forked,
    Drawn,
    Tried,
}

fn breaks() -> impl Strategy<Value = Break> {
    use Break::*;
    prop::sample::select(vec![None, Rewound, Restarted, Stored, Copied, Forked, Drawn, Tried])
}

impl Bench {
    /// All of it in new hands that know nothing of the past but its state.
    fn restarted(&self, fresh: Bench, (soil, bodies): (SoilState, Vec<ContactState>)) -> Bench {
        let mut resumed = Bench { t: self.t, ..fresh };
        resumed.restore((soil, bodies));
        resumed
    }

    fn after(mut self, what: Break, fresh: Bench, k: i32) -> Bench {
        match what {
            Break::None => {}
            Break::Rewound => {
                let (state, t) = (self.state(), self.t);
                drive(&mut self, k..k + 5, 0.2);
                self.restore(state);
                self.t = t;
            }
            Break::Restarted => return self.restarted(fresh, self.state()),
            Break::Stored => {
                let bytes = postcard::to_stdvec(&self.state()).expect("plain data");
                let state = postcard::from_bytes(&bytes).expect("as it was written");
                return self.restarted(fresh, state);
            }
            Break::Copied => return self.clone(),
            Break::Forked => drive(&mut self.clone(), k..k + 5, -0.2),
            Break::Drawn => self.soil.mark_drawn(),
            Break::Tried => {
                self.look(&motions(k + 40, 0.3)[0]);
            }
        }
        self
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// A run that is saved, resumed, copied, drawn or tried out continues with the same bits as one without
    /// interruption.
    #[test]
    fn breaks_change_no_bit(
        breaks in prop::collection::vec(breaks(), 40),
        options in super::books::options(),
        width in prop::sample::select(vec![
            BekkerWidth::Given(0.1), BekkerWidth::Footprint, BekkerWidth::Perimeter,
        ]),
        speed in 0.0..0.6f64,
    ) {
        let options = SoilOptions { width, ..options };
        let (mut straight, mut broken) = (bench(options), bench(options));
        for (k, what) in (0..).zip(breaks) {
            let force = straight.step(H, &motions(k, speed));
            prop_assert_eq!(broken.step(H, &motions(k, speed)), force, "step {}", k);
            prop_assert!(broken.soil == straight.soil, "step {}", k);
            prop_assert!(broken.state() == straight.state(), "step {}", k);
            broken = broken.after(what, bench(options), k);
        }
    }
}
