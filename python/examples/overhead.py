"""What Python costs: a step from Python beside the same step made by one call, a controller at 50 Hz beside an undisturbed run, 32 rovers of a vector of environments on two threads beside one
(where gymnasium is installed), and soil for another simulator from Python beside the same in Rust (`cargo run --release -p touchdown --example ground_cost`, where cargo is there).

All of it is processor time, so that other work of the machine does not count. For two threads it is that of the calling thread and, of each step, of the busier one of the two: what the step takes
where both have a core.

    python python/examples/overhead.py
"""

import math
import shutil
import subprocess
import threading
import time
from collections.abc import Callable

import numpy as np

import touchdown


def cost(work: Callable[[], object]) -> float:
    """Processor time, s."""
    start = time.process_time()
    work()
    return time.process_time() - start


def per_step(repeats: int = 7, steps: int = 20_000) -> tuple[float, float]:
    """Seconds per step of a small mechanism: from Python, and by one call; the least of several turns, taken alternately."""
    start = touchdown.load(PENDULUM)
    one_call, from_python = [], []
    for _ in range(repeats):
        a, b = start.fork(), start.fork()
        one_call.append(cost(lambda: a.advance_to(steps * 1e-3)))

        def loop() -> None:
            step = b.step
            for _ in range(steps):
                step()

        from_python.append(cost(loop))
        assert a.save() == b.save()
    return min(from_python) / steps, min(one_call) / steps


def controller(repeats: int = 7) -> tuple[float, float]:
    """Processor time of 2.5 seconds of the rover in soft soil: with a controller at 50 Hz that reads and commands, and without; the least of several turns, taken alternately. The drives have risen to
    their speed before, and the controller commands what they do anyway: both make the same motion."""
    start = touchdown.load("rover-drawbar-pull", duration_s=5, set={"machine.rover.inputs": True})
    start.advance_to(2.5)
    motors = [name for name in start.inputs if "drive" in name]
    speed = start.inputs[motors[0]]
    columns = [start.column(name) for name in start.columns if name.startswith("soil.") and name.endswith("sinkage_m")]
    steered, left_alone = [], []
    for _ in range(repeats):
        a, b = start.fork(), start.fork()
        left_alone.append(cost(lambda: a.run(frames=False, progress=False)))

        def drive(sim: touchdown.Simulation) -> dict[str, float]:
            sim.observe(columns)
            return {motor: speed for motor in motors}

        steered.append(cost(lambda: b.run(drive, dt=0.02, frames=False, progress=False)))
        assert abs(a["body.rover/chassis.x_m"] - b["body.rover/chassis.x_m"]) < 1e-9
    return min(steered), min(left_alone)


def vector(steps: int = 10, repeats: int = 3) -> tuple[float, float] | None:
    """Seconds of a step of 32 rovers on one thread and on two that have a core each, the least of several turns; None without gymnasium."""
    try:
        import touchdown.gym
    except ImportError:
        return None

    me = threading.get_ident()

    def spent() -> dict[int, float]:
        """Processor time of each thread of Python."""
        idents = [thread.ident for thread in threading.enumerate() if thread.ident is not None]
        return {ident: time.clock_gettime(time.pthread_getcpuclockid(ident)) for ident in idents}

    def turns(threads: int) -> float:
        vec = touchdown.gym.make_vec(
            "rover-drawbar-pull", 32, threads=threads, observe=["soil.front_left.slip_drive"], act={"rover/drive_front_left": (0.0, 0.3)}, reward=lambda now, before, action: 0.0,
            dt=0.1, seconds=9.0, set={"machine.rover.inputs": True, "terrain.spacing": "20 mm"},
        )
        vec.reset(seed=0)
        least = math.inf
        for _ in range(repeats):
            taken = 0.0
            for _ in range(steps):
                begun = spent()
                vec.step(np.zeros((32, 1)))
                own, *others = [now - begun.get(thread, 0.0) for thread, now in sorted(spent().items(), key=lambda item: item[0] != me)]
                taken += own + max(others)
            least = min(least, taken / steps)
        vec.close()
        return least

    return turns(1), turns(2)


def soil(turns: int = 15, steps: int = 1000) -> float:
    """Seconds of a step of a slipping wheel on a ground: evaluate, advance; the least mean of several turns, as the example in Rust takes it."""
    t = 1e-3 * np.arange(steps)
    poses = np.zeros((steps, 7))
    poses[:, 0], poses[:, 2], poses[:, 3], poses[:, 5] = 0.06 * t, 0.14 - 0.01 * t, np.cos(0.25 * t), np.sin(0.25 * t)
    velocity = np.array([0, 0.5, 0, 0.06, 0, -0.01])
    least = math.inf
    for _ in range(turns):
        ground = touchdown.soil.Ground("lunar-nominal", spacing="10 mm")
        wheel = ground.wheel("wheel", radius=0.15, width=0.1)

        def drive(ground: touchdown.soil.Ground = ground, wheel: touchdown.soil.Contact = wheel) -> None:
            for pose in poses:
                wheel.evaluate(pose, velocity)
                ground.advance(1e-3)

        least = min(least, cost(drive) / steps)
    return least


def soil_in_rust() -> float | None:
    """The same in Rust, s."""
    if shutil.which("cargo") is None:
        return None
    command = ["cargo", "run", "--release", "--quiet", "-p", "touchdown", "--example", "ground_cost"]
    return 1e-6 * float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


PENDULUM = """
title = "pendulum with fixed steps"
duration = "1000 s"
gravity_m_per_s2 = [0, -9.81, 0]
integrator = { name = "realtime", step = "1 ms" }
[body.bob]
mass = "1 kg"
centre_of_mass = ["0 m", "-1 m", "0 m"]
point_mass = true
[joint.hinge]
type = "revolute"
child = "bob"
axis = [0, 0, 1]
position = "-90 deg"
"""

if __name__ == "__main__":
    python, rust = per_step()
    print(f"a step from Python {python * 1e6:.2f} us, within one call {rust * 1e6:.2f} us: {1e6 * (python - rust):.2f} us more")
    steered, alone = controller()
    print(f"rover for 2.5 s: {steered:.2f} s with a controller at 50 Hz, {alone:.2f} s without: {100 * (steered / alone - 1):+.1f} %")
    if (both := vector()) is not None:
        print(f"a step of 0.1 s of 32 rovers: {both[0] * 1e3:.0f} ms on one thread, {both[1] * 1e3:.0f} ms on two: {both[0] / both[1]:.2f} times as fast")
    ground, rust_ground = soil(), soil_in_rust()
    beside = f", {rust_ground * 1e6:.1f} us in Rust: {ground / rust_ground:.2f} times" if rust_ground is not None else ""
    print(f"a step of a wheel on soil for another simulator: {ground * 1e6:.1f} us from Python{beside}")
