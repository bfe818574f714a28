//! FMI 3.0, co-simulation: the functions that importing tools call. Instances and states are handles cast to pointers.
#![allow(non_snake_case, missing_docs, clippy::too_many_arguments)]

use crate::border::place;
use crate::fmi::{self, LogMessage, Logged, Said, not_offered, put_instance, states, with_instance};
use std::ffi::{c_char, c_void};

type Instance = *mut c_void;

#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetVersion() -> *const c_char {
    c"3.0".as_ptr()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3InstantiateCoSimulation(
    _name: *const c_char,
    token: *const c_char,
    resources: *const c_char,
    _visible: bool,
    _logging: bool,
    _event_mode: bool,
    _early_return: bool,
    _intermediate: *const u32,
    _intermediate_count: usize,
    environment: *mut c_void,
    log: LogMessage,
    _update: *const c_void,
) -> Instance {
    // SAFETY: texts of the caller, as the standard says.
    unsafe { put_instance(token, resources, Logged::Three(environment as usize, log)) }
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3InstantiateModelExchange() -> Instance {
    std::ptr::null_mut()
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3InstantiateScheduledExecution() -> Instance {
    std::ptr::null_mut()
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3FreeInstance(instance: Instance) {
    crate::fmi::free_instance(instance);
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3SetDebugLogging(
    instance: Instance,
    _on: bool,
    _n: usize,
    _categories: *const c_void,
) -> i32 {
    with_instance(instance, |_| Ok(()))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3EnterInitializationMode(
    instance: Instance,
    _tolerance_defined: bool,
    _tolerance: f64,
    start: f64,
    stop_defined: bool,
    stop: f64,
) -> i32 {
    with_instance(instance, |fmu| Ok(fmu.set_experiment(start, stop_defined.then_some(stop))?))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3ExitInitializationMode(instance: Instance) -> i32 {
    with_instance(instance, |fmu| Ok(fmu.exit_initialization()?))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3EnterStepMode(instance: Instance) -> i32 {
    with_instance(instance, |_| Ok(()))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3Terminate(instance: Instance) -> i32 {
    with_instance(instance, |_| Ok(()))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3Reset(instance: Instance) -> i32 {
    with_instance(instance, |fmu| {
        fmu.reset();
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetFloat64(
    instance: Instance,
    references: *const u32,
    count: usize,
    values: *mut f64,
    value_count: usize,
) -> i32 {
    match same(instance, count, value_count) {
        // SAFETY: arrays of the caller, as the standard says.
        fmi::OK => unsafe { fmi::numbers(instance, references, count, values) },
        status => status,
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetFloat64(
    instance: Instance,
    references: *const u32,
    count: usize,
    values: *const f64,
    value_count: usize,
) -> i32 {
    match same(instance, count, value_count) {
        // SAFETY: arrays of the caller, as the standard says.
        fmi::OK => unsafe { fmi::set_numbers(instance, references, count, values) },
        status => status,
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetString(
    instance: Instance,
    references: *const u32,
    count: usize,
    values: *mut *const c_char,
    value_count: usize,
) -> i32 {
    match same(instance, count, value_count) {
        // SAFETY: arrays of the caller, as the standard says.
        fmi::OK => unsafe { fmi::texts(instance, references, count, values) },
        status => status,
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetString(
    instance: Instance,
    references: *const u32,
    count: usize,
    values: *const *const c_char,
    value_count: usize,
) -> i32 {
    match same(instance, count, value_count) {
        // SAFETY: arrays of the caller, as the standard says.
        fmi::OK => unsafe { fmi::set_texts(instance, references, count, values) },
        status => status,
    }
}

fn same(instance: Instance, references: usize, values: usize) -> i32 {
    with_instance(instance, |_| match references == values {
        true => Ok(()),
        false => Err(Said::error(format!(
            "{references} references, but {values} values: every variable is a scalar"
        ))),
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3DoStep(
    instance: Instance,
    now: f64,
    h: f64,
    _no_going_back: bool,
    event: *mut bool,
    terminate: *mut bool,
    early: *mut bool,
    last: *mut f64,
) -> i32 {
    with_instance(instance, |fmu| {
        // SAFETY: places of the caller.
        let (event, terminate, early, last) = unsafe {
            (
                place(event, "event")?,
                place(terminate, "terminate")?,
                place(early, "early")?,
                place(last, "last")?,
            )
        };
        (*event, *terminate, *early) = (false, false, false);
        let made = fmi::step(fmu, now, h);
        *last = fmu.time();
        made
    })
}

states! {
    fmi3GetFMUState fmi3SetFMUState fmi3FreeFMUState
    fmi3SerializedFMUStateSize fmi3SerializeFMUState fmi3DeserializeFMUState
}

not_offered! {
    fmi3EnterEventMode fmi3EnterConfigurationMode fmi3ExitConfigurationMode
    fmi3GetFloat32 fmi3GetInt8 fmi3GetUInt8 fmi3GetInt16 fmi3GetUInt16 fmi3GetInt32 fmi3GetUInt32 fmi3GetInt64 fmi3GetUInt64 fmi3GetBoolean fmi3GetBinary fmi3GetClock
    fmi3SetFloat32 fmi3SetInt8 fmi3SetUInt8 fmi3SetInt16 fmi3SetUInt16 fmi3SetInt32 fmi3SetUInt32 fmi3SetInt64 fmi3SetUInt64 fmi3SetBoolean fmi3SetBinary fmi3SetClock
    fmi3GetNumberOfVariableDependencies fmi3GetVariableDependencies fmi3GetDirectionalDerivative fmi3GetAdjointDerivative
    fmi3GetIntervalDecimal fmi3GetIntervalFraction fmi3GetShiftDecimal fmi3GetShiftFraction fmi3SetIntervalDecimal fmi3SetIntervalFraction fmi3SetShiftDecimal fmi3SetShiftFraction
    fmi3EvaluateDiscreteStates fmi3UpdateDiscreteStates fmi3GetOutputDerivatives fmi3ActivateModelPartition
    fmi3EnterContinuousTimeMode fmi3CompletedIntegratorStep fmi3SetTime fmi3SetContinuousStates fmi3GetContinuousStateDerivatives fmi3GetEventIndicators
    fmi3GetContinuousStates fmi3GetNominalsOfContinuousStates fmi3GetNumberOfEventIndicators fmi3GetNumberOfContinuousStates
}
