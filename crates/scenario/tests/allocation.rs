//! No allocation in the steady step loop: a counting allocator compares short and long runs of the same loop.
//!
//! The test binary has its own global allocator, which counts the requests of each thread separately.

mod common;

use common::{built_in, inline, world};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Counts requests for memory and hands them on to the system.
struct Counting;

thread_local! {
    // One counter a thread: the test runner's own thread asks for memory, too, whenever it likes. Needs no memory itself.
    static REQUESTS: Cell<u64> = const { Cell::new(0) };
}

fn count() {
    REQUESTS.with(|n| n.set(n.get() + 1));
}

// SAFETY: every call is passed to the system allocator with its own arguments; the counter neither allocates nor unwinds.
#[expect(unsafe_code, reason = "a global allocator is an unsafe trait")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: `ptr` came from `alloc` or `realloc` above, which are the system's.
        unsafe { System.dealloc(ptr, layout) }
    }

    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        count();
        // SAFETY: `ptr` came from `alloc` or `realloc` above, which are the system's.
        unsafe { System.realloc(ptr, layout, new_size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Requests for memory while a fresh world takes so many steps.
fn requests(name: &str, sets: &[&str], steps: u64) -> u64 {
    requests_of(name, world(&built_in(name, sets)), steps)
}

fn requests_of(name: &str, mut world: touchdown_sim::Simulation, steps: u64) -> u64 {
    let before = REQUESTS.get();
    let result = world.advance_steps(steps);
    let after = REQUESTS.get();
    assert!(result.is_ok(), "{name}: {result:?}");
    after - before
}

/// A thousand steps more ask for no more memory: all of it is asked for before the first step. (Runs are so long that no time comes at which a twin looks at the steps.)
#[test]
fn steps_do_not_allocate() {
    let cases: [(&str, &[&str]); 12] = [
        ("rover-straight-brush", &["duration_s=100000"]),
        ("rover-drop-brush", &["integrator={name=\"explicit\"}", "duration_s=100000"]),
        ("rover-drop-brush", &["integrator={name=\"implicit\", step=\"1 ms\"}", "duration_s=100000"]),
        ("pendulum-chain", &["integrator={name=\"implicit\", step=\"1 ms\"}", "duration_s=100000"]),
        ("pendulum", &["duration_s=100000"]),
        ("four-bar", &["duration_s=100000"]),
        ("four-bar", &["integrator={name=\"implicit\", step=\"1 ms\"}", "duration_s=100000"]),
        ("four-bar", &["integrator={name=\"realtime\", step=\"1 ms\"}", "duration_s=100000"]),
        ("bricard", &["integrator={name=\"implicit\", step=\"2 ms\"}", "duration_s=100000"]),
        ("rover-straight-ancf", &["duration_s=100000"]),
        ("ancf-pendulum", &["integrator={name=\"realtime\", step=\"0.1 ms\"}", "duration_s=100000"]),
        ("flyball-governor", &["integrator={name=\"implicit\", step=\"1 ms\"}", "duration_s=100000"]),
    ];
    let mut wrong = Vec::new();
    for (name, sets) in cases {
        let (short, long) = (requests(name, sets, 100), requests(name, sets, 1100));
        println!("| {name} {sets:?} | {short} and {long} requests | equal |");
        if short != long {
            wrong.push(format!("{name} {sets:?}: {short} requests for 100 steps, {long} for 1100"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Devices that tick, sample columns and command inputs ask for no memory, either.
#[test]
fn devices_do_not_allocate() {
    let text = "title = \"t\"\nduration_s = 1000\nintegrator = { name = \"realtime\", step = \"10 ms\" }\n\
         [body.disc]\nmass_kg = 2\ninertia_kg_m2 = [0.1, 0.1, 0.1]\n\
         [joint.disc]\ntype = \"revolute\"\nchild = \"disc\"\naxis = [0, 0, 1]\n\
         [drive.motor]\njoints = [\"disc\"]\ntorque_n_m = 0\ninput = true\n\
         [sensor.speed]\ncolumn = \"joint.disc.rate_rad_per_s\"\nrate_hz = 20\nnoise = 0.02\n\
         [sensor.energy]\ncolumn = \"energy.kinetic_j\"\nrate_hz = 5\n\
         [controller.speed]\nreads = \"sensor.speed.value_rad_per_s\"\nset_point = 2\nrate_hz = 20\nproportional = 0.3\n\
         commands = \"motor\"\n";
    let count = |steps| requests_of("devices", world(&inline(text, &[])), steps);
    assert_eq!(count(100), count(1100));
    let docking = |steps| requests("docking", &[], steps);
    assert_eq!(docking(100), docking(1100));
}

/// Looking asks for no memory after the first look, whatever the columns need: motion, forces of single bodies, all forces.
#[test]
fn observing_does_not_allocate() {
    let mut sim = world(&built_in("single-wheel", &["duration_s=100"]));
    let column = |sim: &touchdown_sim::Simulation, name: &str| {
        sim.column(name).unwrap_or_else(|error| panic!("{error}"))
    };
    let soil = sim.columns().iter().position(|c| c.name.starts_with("soil.")).expect("a wheel in soil");
    let energy = column(&sim, "energy.residual_j");
    for columns in [vec![0, 1, 2], vec![1, soil, soil + 1], vec![soil, energy]] {
        let mut out = vec![0.0; columns.len()];
        let mut look = |sim: &mut touchdown_sim::Simulation| {
            let before = REQUESTS.get();
            sim.observe(&columns, &mut out).unwrap_or_else(|error| panic!("{error}"));
            REQUESTS.get() - before
        };
        look(&mut sim);
        sim.advance_steps(20).unwrap_or_else(|error| panic!("{error}"));
        look(&mut sim);
        assert_eq!((0..10).map(|_| look(&mut sim)).sum::<u64>(), 0, "{columns:?}");
    }
}
