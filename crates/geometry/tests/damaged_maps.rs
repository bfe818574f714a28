//! Damaged map files: cut off anywhere, or with bytes changed at random, they give a map or a reason, in bounded memory, and never a panic.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use touchdown_geometry::map::{self, MapOptions};

/// Remembers the largest piece of memory that was asked for.
struct Watched;

static LARGEST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator as it came; the counter neither allocates nor unwinds.
#[expect(unsafe_code, reason = "a global allocator is an unsafe trait")]
unsafe impl GlobalAlloc for Watched {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LARGEST.fetch_max(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: `place` came from `alloc` above, which is the system's.
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Watched = Watched;

/// Memory asked for at once, over the length of the file: LZW makes at most 1400 bytes of one, and each may become a height of 8.
const MOST_PER_BYTE: usize = 1400 * 8;

/// Files of every format, with what the user says about them.
fn samples() -> Vec<(&'static str, Vec<u8>)> {
    let names = [
        "mars_f32_tiled_deflate.tif",
        "moon_i16_lzw_scaled.tif",
        "bigtiff_f64.tif",
        "big_endian_f32_strips.tif",
        "south_up.tif",
        "earth_u8.tif",
        "sparse.tif",
        "gigantic.tif",
        "f4.npy",
        "fortran_i2.npy",
        "counts_u16.png",
    ];
    let mut samples: Vec<_> = names
        .iter()
        .map(|name| {
            (*name, std::fs::read(format!("{}/tests/maps/{name}", env!("CARGO_MANIFEST_DIR"))).expect(name))
        })
        .collect();
    let points = (0..30).map(|k| format!("{} {} {}\n", k % 6, k / 6, (k as f64).sin())).collect::<String>();
    samples.push(("points.xyz", points.into_bytes()));
    samples.push((
        "grid.asc",
        b"ncols 3\nnrows 2\nxllcorner 10\nyllcorner 20\ncellsize 2\n1 2 3\n4 -9999 6.5\n".to_vec(),
    ));
    samples
}

fn options_of(name: &str) -> MapOptions {
    let has_place = !(name.ends_with("npy") || name.ends_with("png"));
    MapOptions {
        spacing: (!has_place).then_some(1.0),
        scale: name.ends_with("png").then_some(0.01),
        ..MapOptions::default()
    }
}

/// A file that was cut off anywhere is refused, or, where only its remarks are missing, read; it never panics.
#[test]
fn truncated_files_are_refused() {
    for (name, whole) in samples() {
        let options = options_of(name);
        let read = (0..whole.len()).filter(|end| map::read(&whole[..*end], name, &options).is_ok()).count();
        // Text may end after any height; of packed formats only the bytes after the last tile may be missing.
        let may_be_read = if name.ends_with("xyz") { whole.len() } else { 64 };
        assert!(read <= may_be_read, "{name}: {read} of {} beginnings were read", whole.len());
    }
}

/// Bytes changed at random give a map or a reason, in bounded memory; never a panic.
#[test]
fn damaged_files_do_not_panic() {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = |below: usize| {
        // Marsaglia's xorshift: any sequence will do, the same each time.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    for (name, whole) in samples() {
        let options = options_of(name);
        for round in 0..2000 {
            let mut damaged = whole.clone();
            // Half of the changes go where sizes and offsets lie: the beginning and the end.
            for _ in 0..=random(3) {
                let span = if round % 2 == 0 { whole.len() } else { whole.len().min(400) };
                let at = if round % 4 == 1 { whole.len() - 1 - random(span) } else { random(span) };
                damaged[at] =
                    if round % 3 == 0 { [0, 1, 0x7f, 0x80, 0xff][random(5)] } else { random(256) as u8 };
            }
            let _ = map::read(&damaged, name, &options);
        }
        let largest = LARGEST.swap(0, Ordering::Relaxed);
        assert!(largest <= whole.len() * MOST_PER_BYTE, "{name}: {largest} bytes at once");
    }
}
