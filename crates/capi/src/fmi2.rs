//! FMI 2.0, co-simulation: the functions that importing tools call, over the same instances as FMI 3.0.
#![allow(non_snake_case, missing_docs, clippy::too_many_arguments)]

use crate::border::place;
use crate::fmi::{self, ERROR, Logged, Logger, Said, not_offered, put_instance, states, with_instance};
use std::ffi::{CStr, c_char, c_void};

type Component = *mut c_void;

/// `fmi2CoSimulation` of `fmi2Type`.
const CO_SIMULATION: i32 = 1;
/// `fmi2LastSuccessfulTime` and `fmi2Terminated` of `fmi2StatusKind`.
const LAST_SUCCESSFUL_TIME: i32 = 2;
const TERMINATED: i32 = 3;

/// `fmi2CallbackFunctions`.
#[repr(C)]
pub struct Callbacks {
    logger: Logger,
    allocate: *const c_void,
    free: *const c_void,
    step_finished: *const c_void,
    environment: *mut c_void,
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetTypesPlatform() -> *const c_char {
    c"default".as_ptr()
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetVersion() -> *const c_char {
    c"2.0".as_ptr()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2Instantiate(
    name: *const c_char,
    kind: i32,
    token: *const c_char,
    resources: *const c_char,
    callbacks: *const Callbacks,
    _visible: i32,
    _logging: i32,
) -> Component {
    // SAFETY: null or the functions of the caller.
    let Some(given) = (unsafe { callbacks.as_ref() }) else { return std::ptr::null_mut() };
    if kind != CO_SIMULATION || name.is_null() {
        return std::ptr::null_mut();
    }
    // SAFETY: a text of the caller, not null.
    let name = unsafe { CStr::from_ptr(name) }.to_owned();
    let log = Logged::Two(given.environment as usize, given.logger, name);
    // SAFETY: texts of the caller, as the standard says.
    unsafe { put_instance(token, resources, log) }
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2FreeInstance(component: Component) {
    fmi::free_instance(component);
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2SetDebugLogging(
    component: Component,
    _on: i32,
    _n: usize,
    _categories: *const c_void,
) -> i32 {
    with_instance(component, |_| Ok(()))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2SetupExperiment(
    component: Component,
    _tolerance_defined: i32,
    _tolerance: f64,
    start: f64,
    stop_defined: i32,
    stop: f64,
) -> i32 {
    with_instance(component, |fmu| Ok(fmu.set_experiment(start, (stop_defined != 0).then_some(stop))?))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2EnterInitializationMode(component: Component) -> i32 {
    with_instance(component, |fmu| Ok(fmu.enter_initialization()?))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2ExitInitializationMode(component: Component) -> i32 {
    with_instance(component, |fmu| Ok(fmu.exit_initialization()?))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2Terminate(component: Component) -> i32 {
    with_instance(component, |_| Ok(()))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2Reset(component: Component) -> i32 {
    with_instance(component, |fmu| {
        fmu.reset();
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetReal(
    component: Component,
    references: *const u32,
    count: usize,
    values: *mut f64,
) -> i32 {
    // SAFETY: arrays of the caller, as the standard says; so in the next three.
    unsafe { fmi::numbers(component, references, count, values) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetReal(
    component: Component,
    references: *const u32,
    count: usize,
    values: *const f64,
) -> i32 {
    // SAFETY: as above.
    unsafe { fmi::set_numbers(component, references, count, values) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetString(
    component: Component,
    references: *const u32,
    count: usize,
    values: *mut *const c_char,
) -> i32 {
    // SAFETY: as above.
    unsafe { fmi::texts(component, references, count, values) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetString(
    component: Component,
    references: *const u32,
    count: usize,
    values: *const *const c_char,
) -> i32 {
    // SAFETY: as above.
    unsafe { fmi::set_texts(component, references, count, values) }
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2DoStep(component: Component, now: f64, h: f64, _no_going_back: i32) -> i32 {
    with_instance(component, |fmu| fmi::step(fmu, now, h))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2CancelStep(component: Component) -> i32 {
    with_instance(component, |_| Err(Said::error("fmi2CancelStep: steps are never pending")))
}

/// How far a discarded step got.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetRealStatus(component: Component, kind: i32, value: *mut f64) -> i32 {
    with_instance(component, |fmu| match kind {
        LAST_SUCCESSFUL_TIME => {
            // SAFETY: a place of the caller.
            *unsafe { place(value, "value") }? = fmu.time();
            Ok(())
        }
        _ => Err(Said(fmi::DISCARD, format!("fmi2GetRealStatus: no status {kind}"))),
    })
}

/// An FMU of ours never asks for the end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetBooleanStatus(component: Component, kind: i32, value: *mut i32) -> i32 {
    with_instance(component, |_| match kind {
        TERMINATED => {
            // SAFETY: a place of the caller.
            *unsafe { place(value, "value") }? = 0;
            Ok(())
        }
        _ => Err(Said(fmi::DISCARD, format!("fmi2GetBooleanStatus: no status {kind}"))),
    })
}

/// Numbers of no derivatives are none; others are refused.
fn none_or_refused(component: Component, count: usize, name: &str) -> i32 {
    with_instance(component, |_| match count {
        0 => Ok(()),
        _ => Err(Said(ERROR, format!("{name}: this FMU offers no derivatives of inputs and outputs"))),
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2SetRealInputDerivatives(component: Component, _of: *const u32, count: usize) -> i32 {
    none_or_refused(component, count, "fmi2SetRealInputDerivatives")
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetRealOutputDerivatives(component: Component, _of: *const u32, count: usize) -> i32 {
    none_or_refused(component, count, "fmi2GetRealOutputDerivatives")
}

states! {
    fmi2GetFMUstate fmi2SetFMUstate fmi2FreeFMUstate
    fmi2SerializedFMUstateSize fmi2SerializeFMUstate fmi2DeSerializeFMUstate
}

not_offered! {
    fmi2GetInteger fmi2GetBoolean fmi2SetInteger fmi2SetBoolean fmi2GetDirectionalDerivative
    fmi2GetStatus fmi2GetIntegerStatus fmi2GetStringStatus
}
