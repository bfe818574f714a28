// Contact dynamics for space robots: the C interface of touchdown. Written by cbindgen from crates/capi; a test compares it.
//
// Handles: simulations, grounds and states are numbers; a freed or made-up one is an error, never undefined behaviour. 0 is never a handle.
// Errors: every function returns a status, TD_OK is 0; td_last_error gives the words of this thread's last error. A refused call changes nothing; a step that fails leaves the last accepted state.
// Texts: UTF-8, ended by a zero. Those that come back are copied into the caller's buffer: `needed` (may be null) becomes the size with the final zero;
//   a buffer that is too small gets nothing and TD_TOO_SMALL.
// Ownership: what td_load, td_fork, td_save and td_state_from_bytes give is freed by td_free or td_state_free; grounds and their states by td_soil_free and td_soil_state_free. Nothing else is to be freed.
// Threads: any thread may call any function; of two calls at once on one simulation the second gets TD_BUSY. Give each thread a fork.

#ifndef TOUCHDOWN_H
#define TOUCHDOWN_H

#include <stddef.h>
#include <stdint.h>

// All went well.
#define TD_OK 0

// A pointer was null where something is needed.
#define TD_NULL 1

// A handle that was freed, or never given.
#define TD_HANDLE 2

// A text that is not UTF-8.
#define TD_TEXT 3

// A scenario, knob or file with mistakes.
#define TD_SCENARIO 4

// A column or input that does not exist.
#define TD_UNKNOWN 5

// A command outside the limits of its input, or not a number.
#define TD_COMMAND 6

// Time did not advance: past the end, backwards, or a step that failed.
#define TD_FAILED 7

// A state of another model or version, or damaged bytes.
#define TD_STATE 8

// A buffer that is too small.
#define TD_TOO_SMALL 9

// The simulation is being used by another thread.
#define TD_BUSY 10

// A fault of the library.
#define TD_PANIC 11

// A simulation. 0 is none.
typedef uint64_t td_simulation;

// A ground with soil for a simulator of yours. 0 is none.
typedef uint64_t td_ground;

// A ground's state that was saved. 0 is none.
typedef uint64_t td_ground_state;

// A state that was saved. 0 is none.
typedef uint64_t td_state;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Words of the last error of this thread; empty if there was none.
int32_t td_last_error(char *buffer, size_t size, size_t *needed);

// Version, commit, target and flags of the library, as JSON.
int32_t td_version(char *buffer, size_t size, size_t *needed);

// Opens a scenario: a built-in name, a path, or a text with a newline in it. `settings` are `count` texts `KEY=VALUE`, as `--set` takes them.
int32_t td_load(const char *source,
                const char *const *settings,
                size_t count,
                td_simulation *simulation);

// Gives a simulation back. Its handle is no good from then on.
int32_t td_free(td_simulation simulation);

// A second simulation that goes on from the present state by itself; to be freed, too.
int32_t td_fork(td_simulation simulation, td_simulation *fork);

// Back to the start, with noise and bias of the sensors as described.
int32_t td_reset(td_simulation simulation);

// Back to the start; noise and bias of the sensors follow from the seed.
int32_t td_reset_with_seed(td_simulation simulation, uint64_t seed);

// Simulated time, s.
int32_t td_time(td_simulation simulation, double *time);

// The end of the scenario, s.
int32_t td_duration(td_simulation simulation, double *duration);

// One accepted step of the engine.
int32_t td_step(td_simulation simulation);

// Steps until `time`, s, and not beyond.
int32_t td_advance_to(td_simulation simulation, double time);

// Advances by `dt`, s.
int32_t td_advance(td_simulation simulation, double dt);

// How many inputs there are.
int32_t td_input_count(td_simulation simulation, size_t *count);

// Index of an input.
int32_t td_input(td_simulation simulation, const char *name, size_t *index);

// Name of an input.
int32_t td_input_name(td_simulation simulation,
                      size_t index,
                      char *buffer,
                      size_t size,
                      size_t *needed);

// Unit of an input.
int32_t td_input_unit(td_simulation simulation,
                      size_t index,
                      char *buffer,
                      size_t size,
                      size_t *needed);

// Smallest and largest value of an input.
int32_t td_input_limits(td_simulation simulation, size_t index, double *lower, double *upper);

// Commands an input; it holds from the next step on, until the next command.
int32_t td_command(td_simulation simulation, size_t index, double value);

// Value of an input now.
int32_t td_input_value(td_simulation simulation, size_t index, double *value);

// How many columns there are.
int32_t td_column_count(td_simulation simulation, size_t *count);

// Index of a column.
int32_t td_column(td_simulation simulation, const char *name, size_t *index);

// Name of a column.
int32_t td_column_name(td_simulation simulation,
                       size_t index,
                       char *buffer,
                       size_t size,
                       size_t *needed);

// Unit of a column; `1` where there is none.
int32_t td_column_unit(td_simulation simulation,
                       size_t index,
                       char *buffer,
                       size_t size,
                       size_t *needed);

// Values of `count` columns at the present state. Changes nothing.
int32_t td_observe(td_simulation simulation, const size_t *columns, size_t count, double *values);

// Soil for a simulator of yours, by `count` texts `KEY=VALUE` with the keys of `[terrain]`: "soil=lunar-nominal", "spacing=10 mm".
int32_t td_soil_ground(const char *const *keys,
                       size_t count,
                       td_ground *ground);

// The soil of a scenario (name, path, or text with a newline in it) with the bodies that touch it there. `settings` as for td_load.
int32_t td_soil_ground_of(const char *source,
                          const char *const *settings,
                          size_t count,
                          td_ground *ground);

// Gives a ground back.
int32_t td_soil_free(td_ground ground);

// A second ground that goes on by itself; to be freed, too.
int32_t td_soil_fork(td_ground ground, td_ground *fork);

// Puts a wheel about its y axis on the ground, before the first advance; `bars` around the rim, 0 for a smooth one. Lengths in m.
int32_t td_soil_wheel(td_ground ground,
                      const char *name,
                      double radius,
                      double width,
                      uint32_t bars,
                      double bar_height,
                      double bar_thickness,
                      size_t *body);

// Puts a closed mesh on the ground, before the first advance: `vertices` × 3 coordinates, m, and `triangles` × 3 corners, counter-clockwise seen from outside.
int32_t td_soil_mesh(td_ground ground,
                     const char *name,
                     const double *vertices,
                     size_t vertex_count,
                     const uint32_t *triangles,
                     size_t triangle_count,
                     size_t *body);

// How many bodies there are.
int32_t td_soil_body_count(td_ground ground, size_t *count);

// Index of a body.
int32_t td_soil_body(td_ground ground, const char *name, size_t *body);

// Wrench of the soil on a body (torque about its origin, then force; world axes) with `pose` (x y z, then quaternion w x y z) and `velocity` (angular, then linear). Pure.
// `slopes` may be null, else gets 72 numbers: its 6 × 6 derivatives, row by row, by pose (small turn, then displacement), then by velocity.
int32_t td_soil_evaluate(td_ground ground,
                         size_t body,
                         const double *pose,
                         const double *velocity,
                         double *wrench,
                         double *slopes);

// Accepts a step of `dt`, s, that ends at the motions that were evaluated last: the soil remembers, displaced soil is put down, slopes slide.
int32_t td_soil_advance(td_ground ground,
                        double dt);

// Time since the ground was made, s.
int32_t td_soil_time(td_ground ground, double *time);

// Distance of the grid's nodes, m.
int32_t td_soil_spacing(td_ground ground, double *spacing);

// Heights of nx × ny nodes, m, row by row with x running fastest, from the node nearest to (x, y); not a number where there is no ground.
int32_t td_soil_heights(td_ground ground,
                        double x,
                        double y,
                        size_t nx,
                        size_t ny,
                        double *heights);

// Saves the ground's state; to be freed by `td_soil_state_free`.
int32_t td_soil_save(td_ground ground, td_ground_state *state);

// Goes back to a state of this ground with these bodies, to the last bit. The state stays good.
int32_t td_soil_restore(td_ground ground, td_ground_state state);

// Gives a ground's state back.
int32_t td_soil_state_free(td_ground_state state);

// A ground's state as bytes, for files and other processes.
int32_t td_soil_state_bytes(td_ground_state state, uint8_t *buffer, size_t size, size_t *needed);

// A ground's state from its bytes; to be freed.
int32_t td_soil_state_from_bytes(const uint8_t *bytes, size_t count, td_ground_state *state);

// Saves the present state; to be freed by `td_state_free`.
int32_t td_save(td_simulation simulation, td_state *state);

// Goes back to a state of the same model, to the last bit. The state stays good.
int32_t td_restore(td_simulation simulation, td_state state);

// Gives a state back.
int32_t td_state_free(td_state state);

// A state as bytes, for files and other processes.
int32_t td_state_bytes(td_state state, uint8_t *buffer, size_t size, size_t *needed);

// A state from its bytes; to be freed.
int32_t td_state_from_bytes(const uint8_t *bytes, size_t count, td_state *state);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* TOUCHDOWN_H */
