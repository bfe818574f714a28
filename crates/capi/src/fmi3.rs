//! FMI 3.0, co-simulation: the functions that importing tools call. Instances and states are handles in the guise of pointers.
#![allow(non_snake_case, missing_docs, clippy::too_many_arguments)]

use crate::border::{array, array_mut, place, text};
use crate::fmi::{
    DISCARD, ERROR, FMU_STATES, Logged, Said, put_instance, put_state, with_instance, with_state,
};
use std::ffi::{c_char, c_void};
use touchdown_fmu::{InstanceError, Saved};

type Instance = *mut c_void;
type FmuState = *mut c_void;
pub type LogMessage = Option<unsafe extern "C" fn(*mut c_void, i32, *const c_char, *const c_char)>;

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
    with_instance(instance, |fmu| Ok(fmu.enter_initialization(start, stop_defined.then_some(stop))?))
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
    with_instance(instance, |fmu| {
        // SAFETY: arrays of the caller, as the standard says.
        let (references, values) =
            unsafe { (array(references, count, "references")?, array_mut(values, value_count, "values")?) };
        same(count, value_count)?;
        for (reference, value) in references.iter().zip(values) {
            *value = fmu.number(*reference)?;
        }
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetFloat64(
    instance: Instance,
    references: *const u32,
    count: usize,
    values: *const f64,
    value_count: usize,
) -> i32 {
    with_instance(instance, |fmu| {
        // SAFETY: arrays of the caller.
        let (references, values) =
            unsafe { (array(references, count, "references")?, array(values, value_count, "values")?) };
        same(count, value_count)?;
        for (reference, value) in references.iter().zip(values) {
            fmu.set_number(*reference, *value)?;
        }
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetString(
    instance: Instance,
    references: *const u32,
    count: usize,
    values: *const *const c_char,
    value_count: usize,
) -> i32 {
    with_instance(instance, |fmu| {
        // SAFETY: arrays of the caller.
        let (references, values) =
            unsafe { (array(references, count, "references")?, array(values, value_count, "values")?) };
        same(count, value_count)?;
        for (reference, value) in references.iter().zip(values) {
            // SAFETY: each is a text of the caller.
            fmu.set_text(*reference, unsafe { text(*value, "a value") }?)?;
        }
        Ok(())
    })
}

fn same(references: usize, values: usize) -> Result<(), Said> {
    match references == values {
        true => Ok(()),
        false => Err(Said(
            ERROR,
            format!("{references} references, but {values} values: every variable is a scalar"),
        )),
    }
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
        let made = fmu.step(now, h);
        *last = fmu.time();
        made.map_err(|error| match error {
            // The numbers failed on the way: a shorter step from a saved state may succeed.
            InstanceError::Advance(touchdown_sim::AdvanceError::Step { .. }) => {
                Said(DISCARD, error.to_string())
            }
            error => error.into(),
        })
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetFMUState(instance: Instance, state: *mut FmuState) -> i32 {
    with_instance(instance, |fmu| {
        // SAFETY: a place of the caller.
        let out = unsafe { place(state, "state") }?;
        *out = put_state(fmu.save()?);
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3SetFMUState(instance: Instance, state: FmuState) -> i32 {
    with_instance(instance, |fmu| with_state(state, |saved| Ok(fmu.restore(saved)?)))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3FreeFMUState(instance: Instance, state: *mut FmuState) -> i32 {
    with_instance(instance, |_| {
        // SAFETY: a place of the caller.
        let held = unsafe { place(state, "state") }?;
        if !held.is_null() {
            FMU_STATES.free(*held as u64)?;
            *held = std::ptr::null_mut();
        }
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SerializedFMUStateSize(
    instance: Instance,
    state: FmuState,
    size: *mut usize,
) -> i32 {
    with_instance(instance, |_| {
        // SAFETY: a place of the caller.
        let out = unsafe { place(size, "size") }?;
        with_state(state, |saved| {
            *out = saved.to_bytes().len();
            Ok(())
        })
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SerializeFMUState(
    instance: Instance,
    state: FmuState,
    bytes: *mut u8,
    size: usize,
) -> i32 {
    with_instance(instance, |_| {
        with_state(state, |saved| {
            // SAFETY: as many bytes as the caller says.
            Ok(unsafe { crate::border::copy_out(&saved.to_bytes(), bytes, size, std::ptr::null_mut()) }?)
        })
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3DeserializeFMUState(
    instance: Instance,
    bytes: *const u8,
    size: usize,
    state: *mut FmuState,
) -> i32 {
    with_instance(instance, |_| {
        // SAFETY: bytes and place of the caller.
        let (bytes, out) = unsafe { (array(bytes, size, "bytes")?, place(state, "state")?) };
        *out = put_state(Saved::from_bytes(bytes)?);
        Ok(())
    })
}

/// Functions of what this FMU does not offer: they say so.
macro_rules! not_offered {
    ($($name:ident)*) => {
        $(#[unsafe(no_mangle)]
        pub extern "C" fn $name(instance: Instance) -> i32 {
            let said = concat!(stringify!($name), " is not offered by this FMU: co-simulation with numbers and texts");
            with_instance(instance, |_| Err(Said(ERROR, said.into())))
        })*
    };
}

not_offered! {
    fmi3EnterEventMode fmi3EnterConfigurationMode fmi3ExitConfigurationMode fmi3GetString
    fmi3GetFloat32 fmi3GetInt8 fmi3GetUInt8 fmi3GetInt16 fmi3GetUInt16 fmi3GetInt32 fmi3GetUInt32 fmi3GetInt64 fmi3GetUInt64 fmi3GetBoolean fmi3GetBinary fmi3GetClock
    fmi3SetFloat32 fmi3SetInt8 fmi3SetUInt8 fmi3SetInt16 fmi3SetUInt16 fmi3SetInt32 fmi3SetUInt32 fmi3SetInt64 fmi3SetUInt64 fmi3SetBoolean fmi3SetBinary fmi3SetClock
    fmi3GetNumberOfVariableDependencies fmi3GetVariableDependencies fmi3GetDirectionalDerivative fmi3GetAdjointDerivative
    fmi3GetIntervalDecimal fmi3GetIntervalFraction fmi3GetShiftDecimal fmi3GetShiftFraction fmi3SetIntervalDecimal fmi3SetIntervalFraction fmi3SetShiftDecimal fmi3SetShiftFraction
    fmi3EvaluateDiscreteStates fmi3UpdateDiscreteStates fmi3GetOutputDerivatives fmi3ActivateModelPartition
    fmi3EnterContinuousTimeMode fmi3CompletedIntegratorStep fmi3SetTime fmi3SetContinuousStates fmi3GetContinuousStateDerivatives fmi3GetEventIndicators
    fmi3GetContinuousStates fmi3GetNominalsOfContinuousStates fmi3GetNumberOfEventIndicators fmi3GetNumberOfContinuousStates
}
