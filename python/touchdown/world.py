"""Worlds put together in a program."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence

from . import _touchdown
from .simulation import Simulation

Vector = Sequence[float]


class World:
    """A world being put together: bodies, joints, motors, ground. Methods give the world back, so that calls can be chained.

        world = touchdown.World().gravity(1.62).duration(10).realtime(1e-3).soil("lunar-nominal", 0.01)
        world.body("wheel", 20, solid="cylinder", radius=0.15, length=0.1)
        world.joint("lift", "prismatic", None, "wheel", at=(0, 0, 0.15), axis=(0, 0, 1))
        sim = world.wheel("wheel", "wheel", 0.15, 0.1).simulate()
    """

    def __init__(self, _world: _touchdown.World | None = None) -> None:
        self._world = _world if _world is not None else _touchdown.World()

    @classmethod
    def from_urdf(cls, name: str, path: str | os.PathLike[str]) -> World:
        """A world with the bodies and joints of a URDF file, named `NAME/…`."""
        return cls(_touchdown.World.from_urdf(name, os.fspath(path)))

    def gravity(self, g: float) -> World:
        """Gravity along −z, m/s²."""
        self._world.gravity(g)
        return self

    def duration(self, seconds: float) -> World:
        """Simulated time, s."""
        self._world.duration(seconds)
        return self

    def realtime(self, step: float) -> World:
        """Steps of a fixed length, s, linearly implicit: for soil, stiff contacts and control in the loop."""
        self._world.realtime(step)
        return self

    def body(
        self,
        name: str,
        mass: float,
        *,
        solid: str = "point",
        radius: float = 0.0,
        length: float = 0.0,
        size: Vector = (0.0, 0.0, 0.0),
        axis: Vector = (0.0, 1.0, 0.0),
    ) -> World:
        """A body of a mass in kg: a `point`, `sphere` (radius), `cylinder` (radius, length, axis) or `box` (size), in m."""
        self._world.body(name, mass, solid, radius, length, _three("size", size), _three("axis", axis))
        return self

    def joint(
        self, name: str, kind: str, parent: str | None, child: str, *, at: Vector = (0.0, 0.0, 0.0), axis: Vector = (0.0, 0.0, 1.0)
    ) -> World:
        """A joint (`revolute`, `prismatic`, `free`) that carries `child`, at a place of its parent (None: the world), m."""
        self._world.joint(name, kind, parent, child, _three("at", at), _three("axis", axis))
        return self

    def drive(
        self, name: str, joint: str, follows: str = "speed", value: float = 0.0, *, gain: float = 0.0, damping: float = 0.0, limit: float = math.inf
    ) -> World:
        """A motor on a joint that holds a `speed` (rad/s or m/s), a `position` (rad or m) or a `force` (N m or N).

        `sim.inputs[name]` commands it. `gain` acts on the error, `damping` on the rate of a position drive, `limit` is the largest torque or force.
        """
        self._world.drive(name, joint, follows, value, gain, damping, limit)
        return self

    def soil(self, name: str, spacing: float) -> World:
        """Level soil of the library (`touchdown.soils()`) at z = 0, on a grid of this spacing, m."""
        self._world.soil(name, spacing)
        return self

    def plane(self, height: float = 0.0) -> World:
        """A rigid level plane at a height, m."""
        self._world.plane(height)
        return self

    def wheel(self, name: str, body: str, radius: float, width: float) -> World:
        """A smooth wheel in soil about the y axis of a body, m."""
        self._world.wheel(name, body, radius, width)
        return self

    @property
    def bodies(self) -> list[str]:
        """Names of the bodies."""
        return self._world.bodies

    @property
    def joints(self) -> list[str]:
        """Names of the joints."""
        return self._world.joints

    def simulate(self) -> Simulation:
        """Checks and builds it; mistakes are reported all at once, by `ScenarioError`."""
        return Simulation(self._world.simulate())


def _three(what: str, vector: Vector) -> list[float]:
    numbers = [float(v) for v in vector]
    if len(numbers) != 3:
        raise ValueError(f"{what} must have three numbers, found {len(numbers)}")
    return numbers
