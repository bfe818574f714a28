//! Saved soil as bytes: read back to the bit; damaged bytes are refused, and nothing changes.

use super::super::tile::NodeAt;
use super::super::volume::Accounts;
use super::*;
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

/// A saved state as its bytes are laid out.
#[derive(Clone, Serialize, Deserialize)]
struct Layout {
    tiles: Vec<((i32, i32), f64, Vec<u8>)>,
    active: Vec<NodeAt>,
    accounts: Accounts,
    times: [f64; 2],
    steps: u32,
}

/// A wheel that has driven, its soil still sliding.
fn driven() -> Bench {
    let mut bench = Bench::new(0.01, sand(), full(), &[carrying_wheel()]);
    for k in 0..40 {
        let p = Vec3::new(0.004 * f64::from(k), 0.01, RADIUS - 0.03);
        bench.step(0.01, &[rolling(0.2, p, 0.4, 0.5 / RADIUS)]);
    }
    assert!(bench.soil.active_nodes() > 0);
    bench
}

fn stored(bench: &Bench) -> Vec<u8> {
    postcard::to_stdvec(&bench.soil.save()).expect("plain data")
}

fn layout(bench: &Bench) -> Layout {
    postcard::from_bytes(&stored(bench)).expect("the layout of a saved soil")
}

/// Whether bytes are taken for a state of the soil; if not, it must be as before.
fn is_taken(bytes: &[u8], bench: &mut Bench) -> bool {
    let before = bench.soil.clone();
    let taken = postcard::from_bytes(bytes).is_ok_and(|state| bench.soil.restore(state));
    assert!(taken || (bench.soil == before && bench.soil.marks() == before.marks()));
    taken
}

/// Bytes give back all of it, on a hill with a hole as well as on a plane; tiles that nothing has touched take no room.
#[test]
fn bytes_hold_the_soil() {
    let mut heights = vec![0.0; 121];
    heights[60] = f64::NAN;
    let map = touchdown_geometry::Raster::new([-0.5, -0.5], 0.1, 11, 11, heights).expect("a map");
    let mut bench = driven();
    let soil = Soil::new(Relief::Raster(map), 0.01, vec![sand()], vec![], full());
    bench = Bench { t: bench.t, ..Bench::on(soil, vec![SoilContact::new(&carrying_wheel())]) };
    for k in 0..20 {
        let p = Vec3::new(-0.25 + 0.004 * f64::from(k), -0.25, RADIUS - 0.03);
        bench.step(0.01, &[rolling(0.2, p, 0.4, 0.5 / RADIUS)]);
    }
    // Only looked up, never written.
    bench.soil.node(8 * 32, 8 * 32);
    for bench in [driven(), bench] {
        let state: SoilState = postcard::from_bytes(&stored(&bench)).expect("as it was written");
        assert!(state == bench.soil.save());
        let ground = Soil { tiles: vec![], ..bench.soil.clone() };
        let mut again = Soil::new(ground.relief().clone(), 0.01, vec![sand()], vec![], full());
        assert!(again.restore(state));
        assert!(again == bench.soil);
        let levels = |soil: &Soil| -> Vec<u64> {
            soil.tiles.iter().flat_map(|t| t.nodes().level.map(f64::to_bits)).collect()
        };
        assert!(levels(&again) == levels(&bench.soil));
        for (tile, (_, _, bytes)) in bench.soil.tiles.iter().zip(layout(&bench).tiles) {
            let touched = tile.nodes().moved != [0; 1024] || tile.nodes().flags != [0; 1024];
            assert_eq!(bytes.is_empty(), !touched);
        }
    }
}

/// States that name what is not there, hold a place twice, or have tiles of another size are refused, and nothing changes.
#[test]
fn states_of_another_shape_are_refused() {
    let mut bench = driven();
    let whole = layout(&bench);
    let mut refuses = |what: &str, damage: &dyn Fn(&mut Layout)| {
        let mut damaged = whole.clone();
        damage(&mut damaged);
        let bytes = postcard::to_stdvec(&damaged).expect("plain data");
        assert!(!is_taken(&bytes, &mut bench), "{what}");
    };
    refuses("a byte less", &|l| _ = l.tiles[0].2.pop());
    refuses("a byte more", &|l| l.tiles[0].2.push(0));
    refuses("a short tile", &|l| l.tiles[0].2.truncate(100));
    refuses("a flag that nobody sets", &|l| l.tiles[0].2[7] |= 128);
    refuses("a place twice", &|l| l.tiles[1].0 = l.tiles[0].0);
    refuses("the end of the numbers", &|l| l.tiles[1].0 = (i32::MAX, 0));
    refuses("a tile that is not there", &|l| l.active[0].slot = 1000);
    refuses("a node that is not there", &|l| l.active[0].node = 1024);
    let bytes = postcard::to_stdvec(&whole).expect("plain data");
    assert!(is_taken(&bytes, &mut bench));
    // As many tiles as a number can say, and no bytes for them.
    let mut endless = vec![0xff; 9];
    endless.push(1);
    assert!(!is_taken(&endless, &mut bench));
}

/// A body's state that names nodes which the soil does not have does not fit it.
#[test]
fn contacts_of_another_soil_are_refused() {
    let bench = driven();
    let state = &bench.held[0];
    let virgin = Soil::new(flat(), 0.01, vec![sand()], vec![], full());
    assert!(!state.fits(&virgin));
    assert!(state.fits(&bench.soil));
}

/// Marks of another soil are refused.
#[test]
fn marks_of_another_soil_are_refused() {
    let mut bench = driven();
    let marks = bench.soil.marks();
    assert!(bench.soil.restore_marks(&marks));
    let mut virgin = Soil::new(flat(), 0.01, vec![sand()], vec![], full());
    assert!(!virgin.restore_marks(&marks));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Bytes that were cut off are refused; others that were damaged may be taken for another soil, but never break anything.
    #[test]
    fn damaged_bytes_break_nothing(cut in 0.0..1.0f64, places in prop::collection::vec((0.0..1.0f64, any::<u8>()), 1..4)) {
        let mut bench = driven();
        let mut bytes = stored(&bench);
        let cut = (cut * bytes.len() as f64) as usize;
        prop_assert!(!is_taken(&bytes[..cut], &mut bench));
        for (place, byte) in places {
            let at = (place * bytes.len() as f64) as usize;
            bytes[at] = byte;
        }
        is_taken(&bytes, &mut bench);
    }
}
