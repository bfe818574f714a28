/* A simulator of one's own with soil from touchdown: a wheel on a vertical slide, pushed forward, that a motor turns at a given rate.
   The pattern of a physics plug-in (Gazebo, ROS 2, a game engine): once per step read the pose, evaluate, apply the wrench, advance the ground. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "touchdown.h"

static void check(int status, const char *what) {
    char words[1000];
    if (status == TD_OK) return;
    td_last_error(words, sizeof words, NULL);
    fprintf(stderr, "%s: %d: %s\n", what, status, words);
    exit(1);
}

static int refused;
static void refuse(int status, int expected, const char *what) {
    char words[1000];
    if (status != expected) {
        fprintf(stderr, "%s: status %d instead of %d\n", what, status, expected);
        exit(1);
    }
    td_last_error(words, sizeof words, NULL);
    if (words[0] == 0) exit(1);
    refused++;
}

/* What the other simulator knows of its wheel. */
typedef struct { double x, z, angle, vx, vz; } wheel_motion;

static const double mass = 20, gravity = 1.62, spin = 0.5, h = 1e-3;

static void pose_of(const wheel_motion *w, double pose[7], double velocity[6]) {
    double X[7] = {w->x, 0, w->z, cos(w->angle / 2), 0, sin(w->angle / 2), 0};
    double V[6] = {0, spin, 0, w->vx, 0, w->vz};
    memcpy(pose, X, sizeof X);
    memcpy(velocity, V, sizeof V);
}

/* One step, linearly implicit in the two velocities: soil is stiff. Rows and columns 3 and 5 are x and z. */
static void step(td_ground ground, size_t body, wheel_motion *w, double wrench[6]) {
    double pose[7], velocity[6], slopes[72];
    pose_of(w, pose, velocity);
    check(td_soil_evaluate(ground, body, pose, velocity, wrench, slopes), "evaluate");
    check(td_soil_advance(ground, h), "advance");
    const int axes[2] = {3, 5};
    double A[2][2], f[2] = {wrench[3], wrench[5] - mass * gravity};
    const double v[2] = {w->vx, w->vz};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            double K = slopes[6 * axes[i] + axes[j]], D = slopes[36 + 6 * axes[i] + axes[j]];
            A[i][j] = (i == j ? mass : 0) - h * D - h * h * K;
            f[i] += h * K * v[j];
        }
    double det = A[0][0] * A[1][1] - A[0][1] * A[1][0];
    w->vx += h * (A[1][1] * f[0] - A[0][1] * f[1]) / det;
    w->vz += h * (A[0][0] * f[1] - A[1][0] * f[0]) / det;
    w->x += h * w->vx;
    w->z += h * w->vz;
    w->angle += h * spin;
}

static void wrong_calls(td_ground ground, size_t body) {
    const char *bad[] = {"soil=butter"}, *spacing[] = {"soil=lunar-nominal", "spacing=-1 m"}, *nulls[] = {NULL};
    double pose[7] = {0, 0, 1, 1, 0, 0, 0}, velocity[6] = {0}, wrench[6] = {7}, out[4];
    td_ground none = 5;
    td_ground_state state, lost = 5;
    size_t index;
    refuse(td_soil_ground(bad, 1, &none), TD_SCENARIO, "soil");
    refuse(td_soil_ground(spacing, 2, &none), TD_SCENARIO, "spacing");
    refuse(td_soil_ground(nulls, 1, &none), TD_NULL, "key");
    refuse(td_soil_ground(NULL, 2, &none), TD_NULL, "keys");
    refuse(td_soil_ground(NULL, 0, NULL), TD_NULL, "ground");
    refuse(td_soil_ground(NULL, 0, &none), TD_SCENARIO, "no soil");
    refuse(td_soil_ground_of("pendulum", NULL, 0, &none), TD_SCENARIO, "no terrain");
    refuse(td_soil_ground_of("\xff", NULL, 0, &none), TD_TEXT, "text");
    const td_ground handles[] = {0, 1, ground + 1, ground ^ (1ULL << 40), UINT64_MAX};
    for (size_t k = 0; k < sizeof handles / sizeof *handles; k++) {
        refuse(td_soil_evaluate(handles[k], 0, pose, velocity, wrench, NULL), TD_HANDLE, "evaluate");
        refuse(td_soil_advance(handles[k], h), TD_HANDLE, "advance");
        refuse(td_soil_heights(handles[k], 0, 0, 2, 2, out), TD_HANDLE, "heights");
        refuse(td_soil_save(handles[k], &lost), TD_HANDLE, "save");
        refuse(td_soil_fork(handles[k], &none), TD_HANDLE, "fork");
        refuse(td_soil_free(handles[k]), TD_HANDLE, "free");
        refuse(td_soil_restore(ground, handles[k] ^ 3), TD_HANDLE, "restore");
        refuse(td_soil_time(handles[k], out), TD_HANDLE, "time");
    }
    refuse(td_soil_evaluate(ground, 9, pose, velocity, wrench, NULL), TD_UNKNOWN, "body");
    refuse(td_soil_evaluate(ground, body, NULL, velocity, wrench, NULL), TD_NULL, "pose");
    refuse(td_soil_evaluate(ground, body, pose, NULL, wrench, NULL), TD_NULL, "velocity");
    refuse(td_soil_evaluate(ground, body, pose, velocity, NULL, NULL), TD_NULL, "wrench");
    for (int k = 0; k < 7; k++) {
        double kept = pose[k];
        pose[k] = NAN;
        refuse(td_soil_evaluate(ground, body, pose, velocity, wrench, NULL), TD_COMMAND, "pose");
        pose[k] = kept;
    }
    for (int k = 0; k < 6; k++) {
        velocity[k] = INFINITY;
        refuse(td_soil_evaluate(ground, body, pose, velocity, wrench, NULL), TD_COMMAND, "velocity");
        velocity[k] = 0;
    }
    refuse(td_soil_advance(ground, h), TD_FAILED, "advance without an evaluation");
    check(td_soil_evaluate(ground, body, pose, velocity, wrench, NULL), "evaluate");
    const double steps[] = {0, -1, NAN, INFINITY};
    for (int k = 0; k < 4; k++) refuse(td_soil_advance(ground, steps[k]), TD_FAILED, "advance");
    refuse(td_soil_wheel(ground, "late", 0.1, 0.1, 0, 0, 0, &index), TD_SCENARIO, "a body that comes late");
    refuse(td_soil_body(ground, "nobody", &index), TD_UNKNOWN, "name");
    refuse(td_soil_heights(ground, 0, 0, SIZE_MAX, 2, out), TD_SCENARIO, "heights");
    refuse(td_soil_heights(ground, 0, 0, 2, 2, NULL), TD_NULL, "heights");
    refuse(td_soil_state_from_bytes((const uint8_t *)"nonsense", 8, &lost), TD_STATE, "bytes");
    check(td_soil_save(ground, &state), "save");
    check(td_soil_state_free(state), "free");
    refuse(td_soil_restore(ground, state), TD_HANDLE, "a freed state");
    refuse(td_soil_state_free(state), TD_HANDLE, "twice");
}

int main(void) {
    const char *keys[] = {"soil=lunar-nominal", "spacing=20 mm", "damping=3e4 Pa s/m"};
    td_ground ground;
    td_ground_state state, copy;
    size_t body, count, size;
    double wrench[6], again[6], heights[20], time;
    check(td_soil_ground(keys, 3, &ground), "ground");
    check(td_soil_wheel(ground, "wheel", 0.15, 0.1, 0, 0, 0, &body), "wheel");
    check(td_soil_body_count(ground, &count), "count");
    if (count != 1) return 1;

    wheel_motion wheel = {0, 0.151, 0, 0, 0};
    for (int k = 0; k < 1500; k++) step(ground, body, &wheel, wrench);
    /* The soil carries the wheel, the wheel pulls itself forward, and a rut is left behind. */
    if (fabs(wrench[5] - mass * gravity) > 0.1 * mass * gravity || wheel.x < 0.02) {
        fprintf(stderr, "load %g N, x %g m\n", wrench[5], wheel.x);
        return 1;
    }
    check(td_soil_heights(ground, 0, 0, 20, 1, heights), "heights");
    if (!(heights[0] < -1e-3)) return 1;

    /* Back through bytes: every bit again. */
    check(td_soil_save(ground, &state), "save");
    wheel_motion kept = wheel;
    for (int k = 0; k < 100; k++) step(ground, body, &wheel, wrench);
    check(td_soil_state_bytes(state, NULL, 0, &size) == TD_TOO_SMALL ? TD_OK : TD_PANIC, "size");
    uint8_t *bytes = malloc(size);
    check(td_soil_state_bytes(state, bytes, size, NULL), "bytes");
    check(td_soil_state_from_bytes(bytes, size, &copy), "from bytes");
    free(bytes);
    check(td_soil_restore(ground, copy), "restore");
    wheel = kept;
    for (int k = 0; k < 100; k++) step(ground, body, &wheel, again);
    if (memcmp(wrench, again, sizeof wrench) != 0) {
        fprintf(stderr, "rolled back, but not the same bits\n");
        return 1;
    }
    wrong_calls(ground, body);
    check(td_soil_time(ground, &time), "time");
    check(td_soil_state_free(copy), "free");
    check(td_soil_state_free(state), "free");
    check(td_soil_free(ground), "free");
    refuse(td_soil_free(ground), TD_HANDLE, "freed twice");
    printf("t = %.3f s: x %.4f m, load %.2f N; %d wrong calls refused\n", time, wheel.x, again[5], refused);
    return 0;
}
