//! Simulations: load, inputs and columns, command, advance, observe, free.

use crate::border::{
    Fault, TD_COMMAND, TD_FAILED, TD_SCENARIO, TD_UNKNOWN, array, array_mut, guarded, place, text, text_out,
};
use crate::handles::{SIMULATIONS, td_simulation, with_simulation};
use std::ffi::c_char;
use std::sync::Mutex;
use touchdown_sim::description::Input;
use touchdown_sim::sink::Column;
use touchdown_sim::{AdvanceError, InputError, ObserveError, Simulation};

fn of_input(error: InputError) -> Fault {
    let status = if matches!(error, InputError::Unknown { .. }) { TD_UNKNOWN } else { TD_COMMAND };
    Fault(status, error.to_string())
}

fn of_advance(error: AdvanceError) -> Fault {
    Fault(TD_FAILED, error.to_string())
}

fn of_observe(error: ObserveError) -> Fault {
    let status = if matches!(error, ObserveError::Unknown { .. }) { TD_UNKNOWN } else { TD_FAILED };
    Fault(status, error.to_string())
}

fn of_index(what: &str, index: usize, count: usize) -> Fault {
    Fault(TD_UNKNOWN, format!("there is no {what} number {index}: there are {count}"))
}

/// Reads something of an input.
fn with_input<R>(
    simulation: td_simulation,
    index: usize,
    read: impl FnOnce(&Input) -> Result<R, Fault>,
) -> Result<R, Fault> {
    with_simulation(simulation, |sim| {
        let count = sim.inputs().len();
        read(sim.inputs().get(index).ok_or_else(|| of_index("input", index, count))?)
    })
}

/// Reads something of a column.
fn with_column<R>(
    simulation: td_simulation,
    index: usize,
    read: impl FnOnce(&Column) -> Result<R, Fault>,
) -> Result<R, Fault> {
    with_simulation(simulation, |sim| {
        let count = sim.columns().len();
        read(sim.columns().get(index).ok_or_else(|| of_index("column", index, count))?)
    })
}

/// Opens a scenario: a built-in name, a path, or a text with a newline in it. `settings` are `count` texts `KEY=VALUE`, as `--set` takes them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn td_load(
    source: *const c_char,
    settings: *const *const c_char,
    count: usize,
    simulation: *mut td_simulation,
) -> i32 {
    guarded(|| {
        // SAFETY: the caller's promises, as for all functions of this file.
        let (source, settings, out) = unsafe {
            (text(source, "source")?, array(settings, count, "settings")?, place(simulation, "simulation")?)
        };
        *out = 0;
        // SAFETY: each element is a text or null.
        let sets = settings.iter().map(|s| unsafe { text(*s, "a setting") }.map(String::from));
        let sets = sets.collect::<Result<Vec<_>, _>>()?;
        *out = SIMULATIONS.put(Mutex::new(load(source, &sets)?));
        Ok(())
    })
}

fn load(source: &str, sets: &[String]) -> Result<Simulation, Fault> {
    let from = if source.contains('\n') { touchdown::scenario_text } else { touchdown::scenario };
    let wrong = |words: String| Fault(TD_SCENARIO, words);
    let scenario = from(source).sets(sets).load().map_err(|e| wrong(e.to_string()))?;
    touchdown_session::build_world(&scenario, None, 1).map_err(|e| wrong(e.to_string()))
}

/// Gives a simulation back. Its handle is no good from then on.
#[unsafe(no_mangle)]
pub extern "C" fn td_free(simulation: td_simulation) -> i32 {
    guarded(|| SIMULATIONS.free(simulation))
}

/// A second simulation that goes on from the present state by itself; to be freed, too.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn td_fork(simulation: td_simulation, fork: *mut td_simulation) -> i32 {
    guarded(|| {
        // SAFETY: the caller's promises.
        let out = unsafe { place(fork, "fork") }?;
        *out = 0;
        let fork = with_simulation(simulation, |sim| Ok(sim.fork()))?;
        *out = SIMULATIONS.put(Mutex::new(fork));
        Ok(())
    })
}

/// Back to the start, with noise and bias of the sensors as described.
#[unsafe(no_mangle)]
pub extern "C" fn td_reset(simulation: td_simulation) -> i32 {
    guarded(|| {
        with_simulation(simulation, |sim| {
            sim.reset(None);
            Ok(())
        })
    })
}

/// Back to the start; noise and bias of the sensors follow from the seed.
#[unsafe(no_mangle)]
pub extern "C" fn td_reset_with_seed(simulation: td_simulation, seed: u64) -> i32 {
    guarded(|| {
        with_simulation(simulation, |sim| {
            sim.reset(seed);
            Ok(())
        })
    })
}

/// Simulated time, s.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn td_time(simulation: td_simulation, time: *mut f64) -> i32 {
    // SAFETY: the caller's promises.
    guarded(|| with_simulation(simulation, |sim| unsafe { place(time, "time") }.map(|out| *out = sim.time())))
}

/// The end of the scenario, s.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn td_duration(simulation: td_simulation, duration: *mut f64) -> i32 {
    guarded(|| {
        with_simulation(simulation, |sim| {
            // SAFETY: the caller's promises.
            unsafe { place(duration, "duration") }.map(|out| *out = sim.description().duration)
        })
    })
}

/// One accepted step of the engine.
#[unsafe(no_mangle)]
pub extern "C" fn td_step(simulation: td_simulation) -> i32 {
    guarded(|| with_simulation(simulation, |sim| sim.step().map_err(of_advance)))
}

/// Steps until `time`, s, and not beyond.
#[unsafe(no_mangle)]
pub extern "C" fn td_advance_to(simulation: td_simulation, time: f64) -> i32 {
    guarded(|| with_simulation(simulation, |sim| sim.advance_to(time).map_err(of_advance)))
}

/// Advances by `dt`, s.
#[unsafe(no_mangle)]
pub extern "C" fn td_advance(simulation: td_simulation, dt: f64) -> i32 {
    guarded(|| with_simulation(simulation, |sim| sim.advance_to(sim.time() + dt).map_err(of_advance)))
}

/// How many inputs there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn td_input_count(simulation: td_simulation, count: *mut usize) -> i32 {
    guarded(|| {
        // SAFETY: the caller's promises.
        let out = unsafe { place(count, "count") }?;
        *out = with_simulation(simulation, |sim| Ok(sim.inputs().len()))?;
        Ok(())
    })
}

/// Index of an input.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn td_input(simulation: td_simulation, name: *const c_char, index: *mut usize) -> i32 {
    guarded(|| {
        // SAFETY: the caller's promises.
        let (name, out) = unsafe { (text(name, "name")?, place(index, "index")?) };
        *out = with_simulation(simulation, |sim| sim.input(name).map_err(of_input))?;
        Ok(())
    })
}

/// Name of an input.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn td_input_name(
    simulation: td_simulation,
    index: usize,
    buffer: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> i32 {
    guarded(|| {
        with_input(simulation, index, |input| {
            // SAFETY: the caller's promises.
            unsafe { text_out(&input.name, buffer, size, needed) }
        })
    })
}

/// Unit of an input.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn td_input_unit(
    simulation: td_simulation,
    index: usize,
    buffer: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> i32 {
    guarded(|| {
        with_input(simulation, index, |input| {
            // SAFETY: the caller's promises.
            unsafe { text_out(input.unit, buffer, size, needed) }
        })
    })
}

/// Smallest and largest value of an input.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn td_input_limits(
    simulation: td_simulation,
    index: usize,
    lower: *mut f64,
    upper: *mut f64,
) -> i32 {
    guarded(|| {
        // SAFETY: the caller's promises.
        let (lower, upper) = unsafe { (place(lower, "lower")?, place(upper, "upper")?) };
        with_input(simulation, index, |input| {
            (*lower, *upper) = (input.lower, input.upper);
            Ok(())
        })
    })
}

/// Commands an input; it holds from the next step on, until the next command.
#[unsafe(no_mangle)]
pub extern "C" fn td_command(simulation: td_simulation, index: usize, value: f64) -> i32 {
    guarded(|| with_simulation(simulation, |sim| sim.command_at(index, value).map_err(of_input)))
}

/// Value of an input now.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn td_input_value(simulation: td_simulation, index: usize, value: *mut f64) -> i32 {
    guarded(|| {
        // SAFETY: the caller's promises.
        let out = unsafe { place(value, "value") }?;
        with_input(simulation, index, |_| Ok(()))?;
        *out = with_simulation(simulation, |sim| Ok(sim.input_value(index)))?;
        Ok(())
    })
}

/// How many columns there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn td_column_count(simulation: td_simulation, count: *mut usize) -> i32 {
    guarded(|| {
        // SAFETY: the caller's promises.
        let out = unsafe { place(count, "count") }?;
        *out = with_simulation(simulation, |sim| Ok(sim.columns().len()))?;
        Ok(())
    })
}

/// Index of a column.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn td_column(simulation: td_simulation, name: *const c_char, index: *mut usize) -> i32 {
    guarded(|| {
        // SAFETY: the caller's promises.
        let (name, out) = unsafe { (text(name, "name")?, place(index, "index")?) };
        *out = with_simulation(simulation, |sim| sim.column(name).map_err(of_observe))?;
        Ok(())
    })
}

/// Name of a column.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn td_column_name(
    simulation: td_simulation,
    index: usize,
    buffer: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> i32 {
    guarded(|| {
        with_column(simulation, index, |column| {
            // SAFETY: the caller's promises.
            unsafe { text_out(&column.name, buffer, size, needed) }
        })
    })
}

/// Unit of a column; `1` where there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn td_column_unit(
    simulation: td_simulation,
    index: usize,
    buffer: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> i32 {
    guarded(|| {
        with_column(simulation, index, |column| {
            // SAFETY: the caller's promises.
            unsafe { text_out(column.unit, buffer, size, needed) }
        })
    })
}

/// Values of `count` columns at the present state. Changes nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn td_observe(
    simulation: td_simulation,
    columns: *const usize,
    count: usize,
    values: *mut f64,
) -> i32 {
    guarded(|| {
        // SAFETY: the caller's promises.
        let (columns, values) =
            unsafe { (array(columns, count, "columns")?, array_mut(values, count, "values")?) };
        with_simulation(simulation, |sim| sim.observe(columns, values).map_err(of_observe))
    })
}
