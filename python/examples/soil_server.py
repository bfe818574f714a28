"""Our soil beside another process: a plain loop over a socket, as a node of ROS 2, a plugin of Gazebo or a co-simulation would have it. Nothing of ROS is needed.

    python python/examples/soil_server.py            # starts the soil in a process of its own, lets a wheel roll on it, compares with the soil in this process

The other simulator sends, once per step, the length of the step and for each body a pose and a velocity, as 64-bit floats; it gets back torque and force on each. That is all:

    step:   dt | x y z, quaternion w x y z, angular velocity, velocity | … for each body       answer:  torque, force | … for each body
    dt = 0 asks for forces without a step, as often as an integrator likes.

In a ROS 2 node the loop is the body of a timer: poses come from `/tf` or the simulator's own topic, the answer goes out as `geometry_msgs/WrenchStamped`. In Gazebo it stands in `PreUpdate`: `WorldPose`,
`WorldLinearVelocity` and `WorldAngularVelocity` of each wheel's link go in, `Link::AddWorldWrench` takes the answer.
"""

import multiprocessing
import socket
from typing import Any

import numpy as np
from numpy.typing import NDArray

import touchdown

KEYS: dict[str, Any] = {"soil": "lunar-nominal", "spacing": "20 mm", "damping": "3e4 Pa s/m"}
PER_BODY = 13
"""Numbers of a pose and a velocity."""

Array = NDArray[np.float64]


def ground() -> touchdown.soil.Ground:
    """The soil with its bodies, in an order that both sides know."""
    made = touchdown.soil.Ground(**KEYS)
    made.wheel("wheel", radius=0.15, width=0.1)
    return made


def answer(soil: touchdown.soil.Ground, request: Array) -> Array:
    """Wrenches of a request; the soil takes the step if there is one."""
    motions = request[1:].reshape(-1, PER_BODY)
    forces = soil.evaluate(motions[:, :7], motions[:, 7:])
    if request[0] > 0:
        soil.advance(request[0])
    return np.asarray(forces, dtype=float)


def receive(line: socket.socket, numbers: int) -> Array | None:
    """So many numbers; None when the other side has closed."""
    data = b""
    while len(data) < 8 * numbers:
        piece = line.recv(8 * numbers - len(data))
        if not piece:
            return None
        data += piece
    return np.frombuffer(data).copy()


def serve(door: socket.socket) -> None:
    """The soil's side: one connection, until it closes. A request that makes no sense is answered by what is not a number, and changes nothing."""
    soil = ground()
    bodies = len(soil.contacts)
    with door, door.accept()[0] as line:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        while (request := receive(line, 1 + PER_BODY * bodies)) is not None:
            try:
                wrenches = answer(soil, request)
            except (touchdown.Error, ValueError) as error:
                print(f"refused: {error}")
                wrenches = np.full((bodies, 6), np.nan)
            line.sendall(wrenches.tobytes())


def ask(line: socket.socket, dt: float, motions: Array) -> Array:
    """The simulator's side: wrenches on its bodies."""
    line.sendall(np.concatenate([[dt], motions.ravel()]).tobytes())
    found = receive(line, 6 * len(motions))
    assert found is not None, "the soil has gone"
    return found.reshape(-1, 6)


def roll(evaluate: Any, steps: int = 300) -> Array:
    """A simulator of one wheel that rolls with slip and is let down into the sand: forces of each step."""
    h, mass, z, fall, rate, speed = 1e-3, 20.0, 0.16, 0.0, 0.4, 0.05
    forces = np.zeros((steps, 6))
    for k in range(steps):
        half = 0.5 * rate * h * k
        motion = np.array([[speed * h * k, 0, z, np.cos(half), 0, np.sin(half), 0, 0, rate, 0, speed, 0, fall]])
        forces[k] = evaluate(h, motion)[0]
        # A damper in place of an implicit step: see docs/your-simulator.md.
        fall += h * (forces[k, 5] / mass - 1.62 - 40.0 * fall)
        z += h * fall
    return forces


def main() -> float:
    """Rolls on the soil of another process and on one of this process; the largest difference."""
    door = socket.create_server(("127.0.0.1", 0))
    port = door.getsockname()[1]
    process = multiprocessing.get_context("fork").Process(target=serve, args=(door,))
    process.start()
    door.close()
    with socket.create_connection(("127.0.0.1", port)) as line:
        remote = roll(lambda h, motions: ask(line, h, motions))
        refused = ask(line, 1e-3, np.full((1, PER_BODY), np.nan))
    process.join()
    assert np.isnan(refused).all(), "what makes no sense is not answered with a force"
    here = ground()
    local = roll(lambda h, motions: answer(here, np.concatenate([[h], motions.ravel()])))
    print(f"{len(remote)} steps over a socket: load at the end {remote[-1, 5]:.2f} N, pull {remote[-1, 3]:.2f} N; difference to the same process {np.abs(remote - local).max():g}")
    return float(np.abs(remote - local).max())


if __name__ == "__main__":
    raise SystemExit(main() != 0.0)
