//! Soil for other simulators: a ground, bodies on it, wrenches, heights, states.

use crate::border::{
    Fault, TD_COMMAND, TD_FAILED, TD_SCENARIO, TD_STATE, TD_UNKNOWN, array, array_mut, copy_out, guarded,
    place, text,
};
use crate::handles::{GROUND_STATES, GROUNDS, td_ground, td_ground_state, with_ground};
use std::ffi::c_char;
use std::sync::Mutex;
use touchdown::geometry::TriangleMesh;
use touchdown::math::{Mat6, Vec3};
use touchdown::soil::{Ground, GroundError, GroundState, Grousers, SoilShape, SoilSurface};

fn of_ground(error: touchdown::Error) -> Fault {
    let status = match &error {
        touchdown::Error::Ground(GroundError::State(_)) => TD_STATE,
        touchdown::Error::Ground(GroundError::NoSuchBody { .. }) => TD_UNKNOWN,
        touchdown::Error::Ground(GroundError::NotFinite { .. } | GroundError::NotARotation { .. }) => {
            TD_COMMAND
        }
        touchdown::Error::Ground(
            GroundError::Step(_) | GroundError::NotEvaluated(_) | GroundError::NoGround { .. },
        ) => TD_FAILED,
        _ => TD_SCENARIO,
    };
    Fault(status, error.to_string())
}

/// Soil for a simulator of yours, by `count` texts `KEY=VALUE` with the keys of [terrain]: "soil=lunar-nominal", "spacing=10 mm".
#[unsafe(no_mangle)]
pub unsafe extern "C" fn td_soil_ground(
    keys: *const *const c_char,
    count: usize,
    ground: *mut td_ground,
) -> i32 {
    guarded(|| {
        // SAFETY: the caller's promises, as for all functions of this file.
        let (keys, out) = unsafe { (array(keys, count, "keys")?, place(ground, "ground")?) };
        *out = 0;
        // SAFETY: each element is a text or null.
        let keys = keys.iter().map(|key| unsafe { text(*key, "a key") }.map(String::from));
        let keys = keys.collect::<Result<Vec<_>, _>>()?;
        *out = GROUNDS.put(Mutex::new(Ground::with_keys(&keys).map_err(of_ground)?));
        Ok(())
    })
}

/// The soil of a scenario (name, path, or text with a newline in it) with the bodies that touch it there. `settings` as for td_load.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn td_soil_ground_of(
    source: *const c_char,
    settings: *const *const c_char,
    count: usize,
    ground: *mut td_ground,
) -> i32 {
    guarded(|| {
        // SAFETY: the caller's promises.
        let (source, settings, out) = unsafe {
            (text(source, "source")?, array(settings, count, "settings")?, place(ground, "ground")?)
        };
        *out = 0;
        // SAFETY: each element is a text or null.
        let sets = settings.iter().map(|s| unsafe { text(*s, "a setting") }.map(String::from));
        let sets = sets.collect::<Result<Vec<_>, _>>()?;
        let from = if source.contains('\n') { touchdown::scenario_text } else { touchdown::scenario };
        let scenario = from(source).sets(&sets).load().map_err(of_ground)?;
        *out = GROUNDS.put(Mutex::new(Ground::of_scenario(&scenario).map_err(of_ground)?));
        Ok(())
    })
}

/// Gives a ground back.
#[unsafe(no_mangle)]
pub extern "C" fn td_soil_free(ground: td_ground) -> i32 {
    guarded(|| GROUNDS.free(ground))
}

/// A second ground that goes on by itself; to be freed, too.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn td_soil_fork(ground: td_ground, fork: *mut td_ground) -> i32 {
    guarded(|| {
        // SAFETY: the caller's promises.
        let out = unsafe { place(fork, "fork") }?;
        *out = 0;
        *out = GROUNDS.put(Mutex::new(with_ground(ground, |ground| Ok(ground.clone()))?));
        Ok(())
    })
}

fn add(ground: td_ground, name: &str, surface: SoilSurface) -> Result<usize, Fault> {
    with_ground(ground, |ground| ground.add(name, surface).map_err(of_ground))
}

/// Puts a wheel about its y axis on the ground, before the first advance; `bars` around the rim, 0 for a smooth one. Lengths in m.
#[allow(clippy::too_many_arguments)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn td_soil_wheel(
    ground: td_ground,
    name: *const c_char,
    radius: f64,
    width: f64,
    bars: u32,
    bar_height: f64,
    bar_thickness: f64,
    body: *mut usize,
) -> i32 {
    guarded(|| {
        // SAFETY: the caller's promises.
        let (name, out) = unsafe { (text(name, "name")?, place(body, "body")?) };
        let grousers =
            (bars > 0).then_some(Grousers { count: bars, height: bar_height, thickness: bar_thickness });
        let carried_layer = grousers.map_or(0.0, |bars| bars.height);
        let shape = SoilShape::Wheel { radius, width, grousers };
        *out = add(ground, name, SoilSurface { shape, carried_layer, bedded: false })?;
        Ok(())
    })
}

/// Puts a closed mesh on the ground, before the first advance: `vertices` × 3 coordinates, m, and `triangles` × 3 corners, counter-clockwise seen from outside.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn td_soil_mesh(
    ground: td_ground,
    name: *const c_char,
    vertices: *const f64,
    vertex_count: usize,
    triangles: *const u32,
    triangle_count: usize,
    body: *mut usize,
) -> i32 {
    guarded(|| {
        let sizes = vertex_count.checked_mul(3).zip(triangle_count.checked_mul(3));
        let (corners, indices) =
            sizes.ok_or_else(|| Fault(TD_SCENARIO, "a mesh larger than memory".into()))?;
        // SAFETY: the caller's promises.
        let (name, out, corners, indices) = unsafe {
            (
                text(name, "name")?,
                place(body, "body")?,
                array(vertices, corners, "vertices")?,
                array(triangles, indices, "triangles")?,
            )
        };
        let vertices = corners.chunks_exact(3).map(Vec3::from_column_slice).collect();
        let triangles = indices.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect();
        let shape = SoilShape::Mesh(TriangleMesh { vertices, triangles });
        *out = add(ground, name, SoilSurface { shape, carried_layer: 0.0, bedded: false })?;
        Ok(())
    })
}

/// How many bodies there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn td_soil_body_count(ground: td_ground, count: *mut usize) -> i32 {
    guarded(|| {
        // SAFETY: the caller's promises.
        let out = unsafe { place(count, "count") }?;
        *out = with_ground(ground, |ground| Ok(ground.bodies().count()))?;
        Ok(())
    })
}

/// Index of a body.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn td_soil_body(ground: td_ground, name: *const c_char, body: *mut usize) -> i32 {
    guarded(|| {
        // SAFETY: the caller's promises.
        let (name, out) = unsafe { (text(name, "name")?, place(body, "body")?) };
        *out = with_ground(ground, |ground| {
            let found = ground.bodies().position(|other| other == name);
            let known = || ground.bodies().collect::<Vec<_>>().join(", ");
            found.ok_or_else(|| {
                Fault(TD_UNKNOWN, format!("no body is called \"{name}\"; there are: {}", known()))
            })
        })?;
        Ok(())
    })
}

/// Wrench of the soil on a body (torque about its origin, then force; world axes) with `pose` (x y z, then quaternion w x y z) and `velocity` (angular, then linear). Pure.
/// `slopes` may be null, else gets 72 numbers: its 6 × 6 derivatives, row by row, by pose (small turn, then displacement), then by velocity.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn td_soil_evaluate(
    ground: td_ground,
    body: usize,
    pose: *const f64,
    velocity: *const f64,
    wrench: *mut f64,
    slopes: *mut f64,
) -> i32 {
    guarded(|| {
        // SAFETY: the caller's promises: 7, 6, 6 and 72 numbers.
        let (pose, velocity, wrench, wanted) = unsafe {
            let slopes = if slopes.is_null() { None } else { Some(array_mut(slopes, 72, "slopes")?) };
            (
                array(pose, 7, "pose")?,
                array(velocity, 6, "velocity")?,
                array_mut(wrench, 6, "wrench")?,
                slopes,
            )
        };
        let (mut X, mut V) = ([0.0; 7], [0.0; 6]);
        X.copy_from_slice(pose);
        V.copy_from_slice(velocity);
        let motion = touchdown::motion_from(&X, &V).map_err(|error| Fault(TD_COMMAND, error.to_string()))?;
        let W = with_ground(ground, |ground| match wanted {
            None => Ok(ground.evaluate(body, &motion).map_err(of_ground)?.wrench_C),
            Some(out) => {
                let (force, found) = ground.evaluate_with_slopes(body, &motion).map_err(of_ground)?;
                let row_by_row = |m: &Mat6, out: &mut [f64]| out.copy_from_slice(m.transpose().as_slice());
                row_by_row(&found.K, &mut out[..36]);
                row_by_row(&found.D, &mut out[36..]);
                Ok(force.wrench_C)
            }
        })?;
        wrench[..3].copy_from_slice(W.t.as_slice());
        wrench[3..].copy_from_slice(W.f.as_slice());
        Ok(())
    })
}

/// Accepts a step of `dt`, s, that ends at the motions that were evaluated last: the soil remembers, displaced soil is put down, slopes slide.
#[unsafe(no_mangle)]
pub extern "C" fn td_soil_advance(ground: td_ground, dt: f64) -> i32 {
    guarded(|| with_ground(ground, |ground| ground.advance(dt).map_err(of_ground)))
}

/// Time since the ground was made, s.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn td_soil_time(ground: td_ground, time: *mut f64) -> i32 {
    guarded(|| {
        // SAFETY: the caller's promises.
        let out = unsafe { place(time, "time") }?;
        *out = with_ground(ground, |ground| Ok(ground.time()))?;
        Ok(())
    })
}

/// Distance of the grid's nodes, m.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn td_soil_spacing(ground: td_ground, spacing: *mut f64) -> i32 {
    guarded(|| {
        // SAFETY: the caller's promises.
        let out = unsafe { place(spacing, "spacing") }?;
        *out = with_ground(ground, |ground| Ok(ground.soil().spacing()))?;
        Ok(())
    })
}

/// Heights of nx × ny nodes, m, row by row with x running fastest, from the node nearest to (x, y); not a number where there is no ground.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn td_soil_heights(
    ground: td_ground,
    x: f64,
    y: f64,
    nx: usize,
    ny: usize,
    heights: *mut f64,
) -> i32 {
    guarded(|| {
        let count =
            nx.checked_mul(ny).ok_or_else(|| Fault(TD_SCENARIO, "more heights than memory holds".into()))?;
        let found = with_ground(ground, |ground| ground.heights([x, y], [nx, ny]).map_err(of_ground))?;
        // SAFETY: the caller's promises.
        unsafe { array_mut(heights, count, "heights") }?.copy_from_slice(&found);
        Ok(())
    })
}

/// Saves the ground's state; to be freed by `td_soil_state_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn td_soil_save(ground: td_ground, state: *mut td_ground_state) -> i32 {
    guarded(|| {
        // SAFETY: the caller's promises.
        let out = unsafe { place(state, "state") }?;
        *out = 0;
        *out = GROUND_STATES.put(with_ground(ground, |ground| Ok(ground.save()))?);
        Ok(())
    })
}

/// Goes back to a state of this ground with these bodies, to the last bit. The state stays good.
#[unsafe(no_mangle)]
pub extern "C" fn td_soil_restore(ground: td_ground, state: td_ground_state) -> i32 {
    guarded(|| {
        let state = GROUND_STATES.get(state)?;
        with_ground(ground, |ground| ground.restore((*state).clone()).map_err(of_ground))
    })
}

/// Gives a ground's state back.
#[unsafe(no_mangle)]
pub extern "C" fn td_soil_state_free(state: td_ground_state) -> i32 {
    guarded(|| GROUND_STATES.free(state))
}

/// A ground's state as bytes, for files and other processes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn td_soil_state_bytes(
    state: td_ground_state,
    buffer: *mut u8,
    size: usize,
    needed: *mut usize,
) -> i32 {
    guarded(|| {
        let bytes = GROUND_STATES.get(state)?.to_bytes();
        // SAFETY: the caller's promises.
        unsafe { copy_out(&bytes, buffer, size, needed) }
    })
}

/// A ground's state from its bytes; to be freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn td_soil_state_from_bytes(
    bytes: *const u8,
    count: usize,
    state: *mut td_ground_state,
) -> i32 {
    guarded(|| {
        // SAFETY: the caller's promises.
        let (bytes, out) = unsafe { (array(bytes, count, "bytes")?, place(state, "state")?) };
        *out = 0;
        *out = GROUND_STATES.put(GroundState::from_bytes(bytes).map_err(of_ground)?);
        Ok(())
    })
}
