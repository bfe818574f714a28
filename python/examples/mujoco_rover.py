"""A rover in MuJoCo on touchdown's soil, beside the same rover in touchdown's own engine: slip, wheel loads, ruts, cost.

    pip install mujoco
    python python/examples/mujoco_rover.py            # 12 s at 1 ms and at 0.5 ms; the last 10 s count

MuJoCo moves the bodies: masses, joints, drives. touchdown gives the wrenches of the sand on its six wheels, and keeps the ruts. The machine is read from the file that touchdown reads.
"""

import sys
import time
import tomllib
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

import touchdown
import touchdown.mujoco

MACHINE = Path(__file__).parents[2] / "scenarios/machines/exomars-2009.toml"
GAIN, LIMIT, SPEED, RAMP = 2000.0, 25.0, 0.15556, 2.0
"""The drives of the scenario: N m s/rad, N m, rad/s at the wheel, s."""
MOVED = 5e-3
"""Time between moves of displaced soil, s: the same at every step, so that a shorter step refines the motion alone."""


def scenario(step: float, duration: float, slope: float, spacing: str = "10 mm") -> dict[str, Any]:
    """Knobs of `rover-drawbar-pull` for a rover that climbs on lunar soil: its spring is too long to pull."""
    return {
        "duration_s": duration,
        "step_s": step,
        "slope_deg": slope,
        "soil": "lunar-nominal",
        "set": {"spring.drawbar.rest_length": "60 m", "terrain.spacing": spacing, "terrain.move_every": round(MOVED / step)},
    }


def mjcf(step: float, slope: float) -> str:
    """The machine file as a MuJoCo model, deployment and steering locked."""
    machine = tomllib.loads(MACHINE.read_text())
    joints = {joint["child"]: (name, joint) for name, joint in machine["joint"].items()}

    def body(name: str, parent_at: NDArray[np.float64]) -> str:
        joint_name, joint = joints[name]
        at = np.array(joint["at_m"])
        about = machine["body"][name]
        com, inertia = np.array(about["centre_of_mass_at_m"]) - at, about["inertia_kg_m2"]
        moves = not joint_name.startswith(("deployment", "steering"))
        kind = {"free": "<freejoint/>", "revolute": f'<joint name="{joint_name}" axis="{row(joint.get("axis", []))}"/>'}[joint["type"]] if moves else ""
        inside = "".join(body(child, at) for child, (_, other) in joints.items() if other.get("parent") == name)
        place = at - parent_at + (np.array([0, 0, 0.374]) if joint["type"] == "free" else 0)
        return (
            f'<body name="{name}" pos="{row(place)}">{kind}<inertial pos="{row(com)}" mass="{about["mass_kg"]}" '
            f'diaginertia="{row(inertia)}"/>{inside}</body>'
        )

    tilt = np.radians(slope)
    gravity = 3.711 * np.array([-np.sin(tilt), 0, -np.cos(tilt)])
    drives = "".join(
        f'<velocity joint="{name}" kv="{GAIN}" forcerange="{-LIMIT} {LIMIT}"/>' for name in machine["joint"] if name.startswith("drive_")
    )
    return (
        f'<mujoco><option timestep="{step}" gravity="{row(gravity)}" integrator="implicitfast"><flag contact="disable"/></option>'
        f'<compiler balanceinertia="false" boundmass="0"/><worldbody>{body("chassis", np.zeros(3))}</worldbody><actuator>{drives}</actuator></mujoco>'
    )


def row(numbers: Any) -> str:
    return " ".join(f"{x:.12g}" for x in numbers)


def ramp(t: float) -> float:
    """Speed of the drives, risen smoothly as the scenario's does."""
    s = min(t / RAMP, 1.0)
    return SPEED * s**3 * (10 - 15 * s + 6 * s**2)


WHEELS = ["front_left", "front_right", "middle_left", "middle_right", "rear_left", "rear_right"]


def in_mujoco(step: float, duration: float, slope: float, last: float, spacing: str = "10 mm") -> dict[str, Any]:
    """Runs the coupled rover. Returns mean slip and loads of the wheels over the last seconds, rut depth, and processor time per step."""
    model = mujoco.MjModel.from_xml_string(mjcf(step, slope))
    data = mujoco.MjData(model)
    ground = touchdown.soil.Ground.of_scenario("rover-drawbar-pull", **scenario(step, duration, slope, spacing))
    soil = touchdown.mujoco.Soil(model, ground, {name: f"wheel_{name}" for name in ground.contacts})
    wheels = list(ground.contacts)
    slips, loads = [], []
    start = time.process_time()
    steps = round(duration / step)
    for k in range(steps):
        data.ctrl[:] = ramp(data.time)
        soil.step(data)
        if data.time > duration - last:
            axle = np.array([quaternion_y(pose[3:]) for pose in soil.poses])
            forward = np.cross(axle, [0, 0, 1])
            forward /= np.linalg.norm(forward, axis=1)[:, None]
            rim = 0.125 * np.einsum("ni,ni->n", soil.velocities[:, :3], axle)
            slips.append(1 - np.einsum("ni,ni->n", soil.velocities[:, 3:], forward) / rim)
            loads.append(soil.wrenches[:, 5])
    coupled = (time.process_time() - start) / steps
    start = time.process_time()
    for _ in range(1000):
        mujoco.mj_step(model, data)
    alone = (time.process_time() - start) / 1000
    order = [wheels.index(name) for name in WHEELS]
    return {"slip": float(np.mean(slips)), "loads": np.mean(loads, axis=0)[order], "coupled_s": coupled, "mujoco_s": alone,
            "rut_m": rut(ground.height), "moved_m3": ground.volume_moved}


def quaternion_y(q: NDArray[np.float64]) -> NDArray[np.float64]:
    """The y axis of a frame with this quaternion."""
    w, x, y, z = q
    return np.array([2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)])


def rut(height: Any) -> float:
    """Depth of the left rut under the place from which the front wheel set off, m."""
    return -float(min(height(0.78, y) for y in np.linspace(0.68, 0.78, 11)))


def in_touchdown(step: float, duration: float, slope: float, last: float, spacing: str = "10 mm") -> dict[str, Any]:
    """The same with our own engine."""
    sim = touchdown.load("rover-drawbar-pull", **scenario(step, duration, slope, spacing))
    start = time.process_time()
    run = sim.run(frames=False, progress=False)
    cost = (time.process_time() - start) / sim.steps
    late = run.time > duration - last
    slips = [run[f"soil.{name}.slip_drive"][late].mean() for name in WHEELS]
    loads = np.array([run[f"soil.{name}.force_z_n"][late].mean() for name in WHEELS])
    return {"slip": float(np.mean(slips)), "loads": loads, "step_s": cost}


def compare(step: float, duration: float, slope: float, last: float, spacing: str = "10 mm") -> tuple[float, float]:
    """Prints both; returns the difference of mean slip and the largest relative difference of a wheel's load."""
    ours, theirs = in_touchdown(step, duration, slope, last, spacing), in_mujoco(step, duration, slope, last, spacing)
    slip, load = abs(ours["slip"] - theirs["slip"]), float(np.max(np.abs(theirs["loads"] / ours["loads"] - 1)))
    print(f"step {step * 1e3:g} ms, slope {slope:g} deg, last {last:g} s: mean slip {ours['slip']:.4f} in touchdown, {theirs['slip']:.4f} in MuJoCo on our soil")
    for k, name in enumerate(WHEELS):
        print(f"  load {name:12s} {ours['loads'][k]:7.2f} N, {theirs['loads'][k]:7.2f} N")
    print(f"  slip differs by {slip:.4f}, loads by at most {100 * load:.2f} %; rut {theirs['rut_m'] * 1e3:.1f} mm deep, {theirs['moved_m3'] * 1e3:.1f} l moved")
    print(f"  processor time of a step: touchdown {ours['step_s'] * 1e6:.0f} us, MuJoCo with our soil {theirs['coupled_s'] * 1e6:.0f} us, MuJoCo alone {theirs['mujoco_s'] * 1e6:.0f} us")
    return slip, load


if __name__ == "__main__":
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 12.0
    for h in (1e-3, 0.5e-3):
        compare(h, seconds, slope=15.0, last=min(10.0, seconds - RAMP))
