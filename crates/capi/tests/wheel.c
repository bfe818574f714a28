/* A wheel at given slip in soil, stepped from C: commands, columns, going back, and what happens to calls that make no sense. */
#include "touchdown.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(int status, const char *what) {
    char words[4096];
    if (status == TD_OK) return;
    td_last_error(words, sizeof words, NULL);
    fprintf(stderr, "%s: status %d: %s\n", what, status, words);
    exit(1);
}

/* A wrong call gives this status and words; nothing else happens. */
static int refused = 0;
static void refuse(int status, int expected, const char *what) {
    char words[4096] = "";
    td_last_error(words, sizeof words, NULL);
    if (status != expected || words[0] == 0) {
        fprintf(stderr, "%s: status %d instead of %d: %s\n", what, status, expected, words);
        exit(1);
    }
    refused++;
}

static void wrong_calls(td_simulation sim) {
    td_simulation none, freed;
    td_state state, freed_state;
    size_t index, count;
    double value = 0.5;
    char small[2];
    const char *bad_settings[] = {"slip=steep"}, *null_setting[] = {NULL}, *not_utf8[] = {"\xff\xfe"};
    size_t columns[] = {0, 1000000};
    double values[2] = {7, 7};
    check(td_fork(sim, &freed), "fork");
    check(td_free(freed), "free");
    check(td_save(sim, &state), "save");
    check(td_save(sim, &freed_state), "save");
    check(td_state_free(freed_state), "free state");
    check(td_column_count(sim, &count), "columns");

    td_simulation bad[] = {0, 1, freed, (td_simulation)-1, sim + 100, sim ^ ((td_simulation)7 << 32)};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        refuse(td_free(bad[k]), TD_HANDLE, "free");
        refuse(td_reset(bad[k]), TD_HANDLE, "reset");
        refuse(td_step(bad[k]), TD_HANDLE, "step");
        refuse(td_advance(bad[k], 0.1), TD_HANDLE, "advance");
        refuse(td_advance_to(bad[k], 0.1), TD_HANDLE, "advance_to");
        refuse(td_time(bad[k], &value), TD_HANDLE, "time");
        refuse(td_duration(bad[k], &value), TD_HANDLE, "duration");
        refuse(td_fork(bad[k], &none), TD_HANDLE, "fork");
        refuse(td_save(bad[k], &freed_state), TD_HANDLE, "save");
        refuse(td_restore(bad[k], state), TD_HANDLE, "restore");
        refuse(td_command(bad[k], 0, 1), TD_HANDLE, "command");
        refuse(td_input(bad[k], "x", &index), TD_HANDLE, "input");
        refuse(td_input_count(bad[k], &index), TD_HANDLE, "input_count");
        refuse(td_column(bad[k], "time_s", &index), TD_HANDLE, "column");
        refuse(td_observe(bad[k], columns, 1, values), TD_HANDLE, "observe");
    }
    td_state bad_states[] = {0, 1, freed_state, (td_state)-1};
    for (size_t k = 0; k < sizeof bad_states / sizeof bad_states[0]; k++) {
        refuse(td_restore(sim, bad_states[k]), TD_HANDLE, "restore");
        refuse(td_state_free(bad_states[k]), TD_HANDLE, "state_free");
        refuse(td_state_bytes(bad_states[k], NULL, 0, &index), TD_HANDLE, "state_bytes");
    }
    double no_times[] = {NAN, INFINITY, -INFINITY, -1.0, 1e9};
    for (size_t k = 0; k < sizeof no_times / sizeof no_times[0]; k++) {
        refuse(td_advance_to(sim, no_times[k]), TD_FAILED, "a time that is none");
        refuse(td_advance(sim, no_times[k]), TD_FAILED, "a step that is none");
    }
    size_t no_indices[] = {count, count + 1, (size_t)-1, (size_t)1 << 40};
    for (size_t k = 0; k < sizeof no_indices / sizeof no_indices[0]; k++) {
        refuse(td_column_name(sim, no_indices[k], small, sizeof small, NULL), TD_UNKNOWN, "column name");
        refuse(td_column_unit(sim, no_indices[k], small, sizeof small, NULL), TD_UNKNOWN, "column unit");
        refuse(td_input_name(sim, no_indices[k], small, sizeof small, NULL), TD_UNKNOWN, "input name");
        refuse(td_input_unit(sim, no_indices[k], small, sizeof small, NULL), TD_UNKNOWN, "input unit");
        refuse(td_input_limits(sim, no_indices[k], &value, &value), TD_UNKNOWN, "limits");
        refuse(td_input_value(sim, no_indices[k], &value), TD_UNKNOWN, "input value");
        refuse(td_command(sim, no_indices[k], 1), TD_UNKNOWN, "command");
    }
    const char *no_names[] = {"", "sinkage", "soil.wheel", "Soil.wheel.sinkage_m", "\xc3\xa4"};
    for (size_t k = 0; k < sizeof no_names / sizeof no_names[0]; k++) {
        refuse(td_column(sim, no_names[k], &index), TD_UNKNOWN, "column");
        refuse(td_input(sim, no_names[k], &index), TD_UNKNOWN, "input");
    }
    refuse(td_column(sim, "\xff", &index), TD_TEXT, "column");
    refuse(td_input(sim, "\xff", &index), TD_TEXT, "input");
    refuse(td_load("\xff", NULL, 0, &none), TD_TEXT, "load");
    refuse(td_load("single-wheel", not_utf8, 1, &none), TD_TEXT, "load");
    const char *no_scenarios[] = {"", "no-such", "/", "single-wheel.toml", "title = 3\n", "[[[\n", "title = \"a\"\nduration_s = -1\n"};
    for (size_t k = 0; k < sizeof no_scenarios / sizeof no_scenarios[0]; k++)
        refuse(td_load(no_scenarios[k], NULL, 0, &none), TD_SCENARIO, no_scenarios[k]);
    refuse(td_load("single-wheel", bad_settings, 1, &none), TD_SCENARIO, "knob");
    refuse(td_load("single-wheel", null_setting, 1, &none), TD_NULL, "null setting");
    refuse(td_load("single-wheel", NULL, 1, &none), TD_NULL, "settings");
    refuse(td_load(NULL, NULL, 0, &none), TD_NULL, "source");
    refuse(td_load("single-wheel", NULL, 0, NULL), TD_NULL, "simulation");
    refuse(td_time(sim, NULL), TD_NULL, "time");
    refuse(td_duration(sim, NULL), TD_NULL, "duration");
    refuse(td_fork(sim, NULL), TD_NULL, "fork");
    refuse(td_save(sim, NULL), TD_NULL, "save");
    refuse(td_column(sim, NULL, &index), TD_NULL, "name");
    refuse(td_column(sim, "time_s", NULL), TD_NULL, "index");
    refuse(td_input(sim, NULL, &index), TD_NULL, "name");
    refuse(td_column_count(sim, NULL), TD_NULL, "count");
    refuse(td_input_count(sim, NULL), TD_NULL, "count");
    refuse(td_observe(sim, NULL, 2, values), TD_NULL, "columns");
    refuse(td_observe(sim, columns, 1, NULL), TD_NULL, "values");
    refuse(td_observe(sim, columns, 2, values), TD_UNKNOWN, "columns");
    refuse(td_column_name(sim, 0, small, 1, &index), TD_TOO_SMALL, "buffer");
    refuse(td_column_name(sim, 0, NULL, 0, &index), TD_TOO_SMALL, "buffer");
    refuse(td_state_from_bytes((const uint8_t *)"nonsense", 8, &none), TD_STATE, "bytes");
    refuse(td_state_from_bytes(NULL, 8, &none), TD_NULL, "bytes");
    refuse(td_state_from_bytes(NULL, 0, &none), TD_STATE, "no bytes");
    if (values[0] != 7 || values[1] != 7) exit(1);
    check(td_state_free(state), "free state");
}

int main(void) {
    const char *settings[] = {"slip=0.2", "terrain.spacing=20 mm"};
    td_simulation sim, other;
    td_state state, copy;
    size_t columns[2], size;
    double before[2], after[2], again[2], time;
    check(td_load("single-wheel", settings, 2, &sim), "load");
    check(td_column(sim, "soil.wheel.sinkage_m", &columns[0]), "column");
    check(td_column(sim, "soil.wheel.force_z_n", &columns[1]), "column");
    check(td_advance_to(sim, 0.2), "advance");
    check(td_save(sim, &state), "save");
    check(td_observe(sim, columns, 2, before), "observe");
    check(td_advance(sim, 0.2), "advance");
    check(td_observe(sim, columns, 2, after), "observe");

    /* Back through bytes: every bit again. */
    check(td_state_bytes(state, NULL, 0, &size) == TD_TOO_SMALL ? TD_OK : TD_PANIC, "size");
    uint8_t *bytes = malloc(size);
    check(td_state_bytes(state, bytes, size, NULL), "bytes");
    check(td_state_from_bytes(bytes, size, &copy), "from bytes");
    free(bytes);
    check(td_fork(sim, &other), "fork");
    check(td_restore(other, copy), "restore");
    check(td_advance(other, 0.2), "advance");
    check(td_observe(other, columns, 2, again), "observe");
    if (memcmp(after, again, sizeof after) != 0) {
        fprintf(stderr, "rolled back, but not the same bits\n");
        return 1;
    }
    wrong_calls(sim);
    check(td_time(sim, &time), "time");
    check(td_observe(sim, columns, 2, again), "observe");
    if (memcmp(after, again, sizeof after) != 0) return 1;
    check(td_state_free(copy), "free");
    check(td_state_free(state), "free");
    check(td_free(other), "free");
    check(td_free(sim), "free");
    printf("t = %.3f s: sinkage %.6f m, load %.3f N; %d wrong calls refused\n", time, after[0], after[1], refused);
    return 0;
}
