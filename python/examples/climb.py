"""A rover learns to climb a sandy slope with less slip: a policy of eight numbers, found by the cross-entropy method, beside wheels that all turn at one speed.

    python python/examples/climb.py                  # trains for some minutes, prints the learning curve, draws climb.svg, compares on five unseen soils
    python python/examples/climb.py --no-training    # compares the policy that is written down below

The wheels of an axle get the common speed, which is regulated so that the rover keeps its ground speed, times a share of the axle that follows its slip. A rover on one rocker suspension drives all its
wheels over the ground equally fast, but loads them differently, so that one speed for all of them is not the best.
"""

import json
import sys
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

import touchdown.gym

Array = NDArray[np.float64]

WHEELS = ["front_left", "front_right", "middle_left", "middle_right", "rear_left", "rear_right"]
SLIPS = [f"soil.{wheel}.slip_drive" for wheel in WHEELS]
SPEED, PLACE = "body.rover/chassis.vx_m_per_s", "body.rover/chassis.x_m"
RADIUS, TARGET = 0.125, 0.0165
"""Of the wheels, m; the ground speed to keep, m/s."""
FASTEST = 0.4
"""Largest rim speed, rad/s; an action of 1."""
DT, SECONDS, RISE, COUNTED = 0.1, 9.0, 1.0, 6.0
"""Time between commands; of an episode; until the wheels are at speed; at the end that counts, s."""

POLICY = [-0.0397, 0.0239, -0.0916, 0.1984, -0.1377, 0.3483, -0.2945, 0.6194]
"""What a training found: shares of the front and the middle axle, then for each axle how its share follows its slip and that of all wheels."""


def environments(count: int, seed: int, worlds: int) -> Any:
    """Rovers on a slope of 12 degrees of soils that differ in friction, cohesion and stiffness; `seed` draws the soils."""
    return touchdown.gym.make_vec(
        "rover-drawbar-pull",
        count,
        threads=2,
        observe=[*SLIPS, SPEED, PLACE],
        act={f"rover/drive_{wheel}": (0.0, FASTEST) for wheel in WHEELS},
        reward=lambda now, before, action: 0.0,
        dt=DT,
        seconds=SECONDS,
        settle=0.5,
        randomise={"friction_angle_deg": (30.0, 38.0), "cohesion_pa": (100.0, 400.0), "terrain.frictional_modulus": (5e5, 1.2e6)},
        worlds=worlds,
        worlds_seed=seed,
        soil="lunar-nominal",
        slope_deg=12.0,
        step_s=2e-3,
        duration_s=SECONDS + 1.0,
        set={"machine.rover.inputs": True, "terrain.spacing": "20 mm", "spring.drawbar.rest_length": "60 m"},
    )


def shares(policies: Array, slips: Array) -> Array:
    """Speeds of the six wheels over the common speed, for each rover: policies n × 8, slips n × 6."""
    axles = slips.reshape(-1, 3, 2).mean(axis=2)
    base = np.column_stack([policies[:, :2], -policies[:, :2].sum(axis=1)])
    # Above itself and above all: two gains for each axle.
    over = np.clip(axles - axles.mean(axis=1, keepdims=True), -0.5, 0.5)
    gains = policies[:, 2:].reshape(-1, 3, 2)
    share = base + gains[:, :, 0] * over + gains[:, :, 1] * np.clip(axles, -0.5, 0.5)
    return np.repeat(1.0 + np.clip(share, -0.4, 0.4), 2, axis=1)


def drive(vec: Any, world: int, policies: Array, constant: Array | None = None) -> tuple[Array, Array, Array]:
    """One episode in a world: mean slip and ground speed of each rover, and its mean rim speed. With `constant` all wheels turn at that speed, rad/s."""
    seen, _ = vec.reset(options={"world": world})
    common = np.full(len(policies), TARGET / RADIUS)
    slips, rims, start = [], [], seen[:, -1]
    steps, counted = round(SECONDS / DT), round(COUNTED / DT)
    for k in range(steps):
        rise = min(1.0, (k + 1) * DT / RISE)
        if constant is None:
            wanted = common[:, None] * shares(policies, seen[:, :6])
            # Integral control of the ground speed, once it is asked for in full.
            common += (0.8 * DT / RADIUS) * (TARGET - seen[:, 6]) if rise == 1.0 else 0.0
        else:
            wanted = np.repeat(constant[:, None], 6, axis=1)
        seen, _, ended, _, _ = vec.step(2.0 * rise * wanted / FASTEST - 1.0)
        assert not ended.any(), "a step failed"
        if k == steps - counted - 1:
            start = seen[:, -1]
        elif k >= steps - counted:
            slips.append(seen[:, :6].mean(axis=1))
            rims.append(wanted.mean(axis=1))
    return np.mean(slips, axis=0), (seen[:, -1] - start) / COUNTED, np.mean(rims, axis=0)


def score(slip: Array, speed: Array) -> Array:
    """Slip, and more for a ground speed that is not kept within 1 %."""
    return slip + np.maximum(0.0, np.abs(speed / TARGET - 1.0) - 0.01)


def train(generations: int = 14, population: int = 24, soils: int = 4, seed: int = 1) -> tuple[list[float], list[tuple[float, float]]]:
    """The cross-entropy method: draw policies, keep the best quarter, draw around these. Each generation drives on two of the soils. Returns the policy and for each generation the
    mean slip of the best quarter and of the policy in its middle (the last of the population)."""
    rng = np.random.default_rng(seed)
    vec = environments(population, seed=seed, worlds=soils)
    middle, spread = np.zeros(8), np.array([0.1, 0.1, *[0.4] * 6])
    curve = []
    for generation in range(generations):
        policies = middle + spread * rng.standard_normal((population, 8))
        policies[-1] = middle
        worlds = [(2 * generation) % soils, (2 * generation + 1) % soils]
        scores = np.mean([score(*drive(vec, world, policies)[:2]) for world in worlds], axis=0)
        best = np.argsort(scores)[: population // 4]
        curve.append((float(scores[best].mean()), float(scores[-1])))
        print(f"generation {generation + 1:2d}: best quarter {curve[-1][0]:.4f}, middle {curve[-1][1]:.4f}", flush=True)
        middle = 0.3 * middle + 0.7 * policies[best].mean(axis=0)
        spread = 0.3 * spread + 0.7 * policies[best].std(axis=0) + 0.005
    vec.close()
    return [float(round(x, 4)) for x in middle], curve


def compare(policy: list[float], soils: int = 5, seed: int = 1000) -> list[dict[str, float]]:
    """On soils that no training saw: the policy, and wheels at one constant speed that gives the same mean ground speed."""
    vec, rows = environments(1, seed=seed, worlds=soils), []
    learned = np.array([policy])
    for world in range(soils):
        slip, speed, rim = (float(x[0]) for x in drive(vec, world, learned))
        constant = rim
        for _ in range(6):
            plain_slip, plain_speed, _ = (float(x[0]) for x in drive(vec, world, learned, np.array([constant])))
            if abs(plain_speed / speed - 1.0) < 0.002:
                break
            # Slip changes slowly with the speed: speeds are nearly in proportion.
            constant *= speed / plain_speed
        rows.append({"slip": slip, "speed": speed, "constant_slip": plain_slip, "constant_speed": plain_speed, "rim": constant})
        print(f"unseen soil {world + 1}: slip {slip:.4f} at {1e3 * speed:.3f} mm/s; constant rim speed {plain_slip:.4f} at {1e3 * plain_speed:.3f} mm/s: {100 * (slip / plain_slip - 1):+.1f} %")
    vec.close()
    return rows


def draw(curve: list[tuple[float, float]], path: str) -> None:
    """The learning curve, with matplotlib where it is there."""
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        return
    figure, axes = plt.subplots(figsize=(6, 3.5))
    axes.plot(range(1, len(curve) + 1), [c[0] for c in curve], label="best quarter")
    axes.plot(range(1, len(curve) + 1), [c[1] for c in curve], label="middle")
    axes.set_xlabel("generation")
    axes.set_ylabel("mean slip and speed error")
    axes.legend()
    figure.tight_layout()
    figure.savefig(path)


if __name__ == "__main__":
    policy = POLICY
    if "--no-training" not in sys.argv:
        begun = time.perf_counter()
        policy, curve = train()
        print(f"trained for {time.perf_counter() - begun:.0f} s: {json.dumps(policy)}")
        draw(curve, "climb.svg")
    compare(policy)
