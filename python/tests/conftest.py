"""Worlds that the tests share."""

import pytest

import touchdown



def wheel_world(duration: float = 4.0) -> touchdown.World:
    """A wheel in lunar soil that a motor turns."""
    world = touchdown.World().gravity(1.62).duration(duration).realtime(1e-3).soil("lunar-nominal", 0.02)
    world.body("carriage", 0.0).body("frame", 20.0).body("wheel", 2.0, solid="cylinder", radius=0.15, length=0.1)
    world.joint("rail", "prismatic", None, "carriage", at=(0, 0, 0.15), axis=(1, 0, 0))
    world.joint("lift", "prismatic", "carriage", "frame", axis=(0, 0, 1))
    world.joint("axle", "revolute", "frame", "wheel", axis=(0, 1, 0))
    return world.wheel("wheel", "wheel", 0.15, 0.1).drive("motor", "axle", gain=50, limit=20)


@pytest.fixture
def wheel() -> touchdown.Simulation:
    return wheel_world().simulate()


@pytest.fixture
def pendulum() -> touchdown.Simulation:
    return touchdown.load("pendulum", duration_s=5)
