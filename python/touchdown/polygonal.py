"""Our hard contact inside your simulator: two bodies with elastic layers, face by face.

    contact = touchdown.polygonal.Contact((vertices, triangles), (vertices, triangles), stiffness=1e9)
    force = contact.evaluate(pose, velocity, other_pose, other_velocity)     # pure; the other body gets the opposite wrench
    contact.advance()                                                        # the step was accepted: what sticks remembers where

Poses, velocities and wrenches are those of `touchdown.soil`.
"""

from __future__ import annotations

import os
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _touchdown
from ._touchdown import HardForce, HardState
from .simulation import Value

__all__ = ["Contact", "Friction", "HardForce", "HardState"]

AT_REST = np.array([0.0, 0, 0, 1, 0, 0, 0]), np.zeros(6)
"""Pose and velocity of what stands still at the origin."""


class Friction(NamedTuple):
    """Stick–slip friction: every face is held by an anchor until its force reaches its limit."""

    stick: float
    """Coefficient up to which it sticks."""
    slip: float
    """Coefficient while it slides, not above `stick`."""
    release_speed: float = 1e-3
    """Speed below which it may stick again, m/s."""


class Contact:
    """Two meshes that may touch, each `(vertices, triangles)` in its own frame. The first carries the area; the other, which should be closed, measures depth and normals.

    Stiffness, damping (N s/m³) and those of shear are per area of the layer, in N/m³; shear has half the normal stiffness unless it is given. Faces of the first body should be
    small against the contact.
    """

    def __init__(
        self,
        body: tuple[ArrayLike, ArrayLike],
        reference: tuple[ArrayLike, ArrayLike],
        *,
        stiffness: float,
        damping: float = 0.0,
        damping_depth: float = 0.0,
        shear_stiffness: float | None = None,
        shear_damping: float = 0.0,
        friction: Friction | tuple[float, float, float] | None = None,
    ) -> None:
        shear = shear_stiffness if shear_stiffness is not None else 0.5 * stiffness
        law = ([stiffness, damping, damping_depth], [shear, shear_damping], list(friction) if friction is not None else None)
        self._engine = _touchdown.HardContact(_mesh(body), _mesh(reference), *law)

    @classmethod
    def of_scenario(cls, source: str | os.PathLike[str], name: str, set: dict[str, Value] | None = None, **knobs: Value) -> Contact:
        """A polygonal contact of a scenario by its name: forms and law, each side in its own frame."""
        contact = cls.__new__(cls)
        contact._engine = _touchdown.HardContact.of_scenario(os.fspath(source), name, {**(set or {}), **knobs})
        return contact

    def evaluate(self, pose: ArrayLike, velocity: ArrayLike, other_pose: ArrayLike = AT_REST[0], other_velocity: ArrayLike = AT_REST[1]) -> HardForce:
        """Force on the first body; the other gets the opposite wrench about the same point."""
        return self._engine.evaluate(pose, velocity, other_pose, other_velocity)

    def evaluate_with_slopes(
        self, pose: ArrayLike, velocity: ArrayLike, other_pose: ArrayLike = AT_REST[0], other_velocity: ArrayLike = AT_REST[1]
    ) -> tuple[HardForce, NDArray[np.float64], NDArray[np.float64]]:
        """The force, and the 6 × 6 derivatives of its wrench by the first body's pose and velocity, the other held."""
        return self._engine.evaluate_with_slopes((pose, velocity), (other_pose, other_velocity))

    def advance(self) -> float:
        """Accepts the motion evaluated last. Returns the heat of letting go at once, J."""
        return self._engine.advance()

    def save(self) -> HardState:
        """What touching faces remember."""
        return self._engine.save()

    def restore(self, state: HardState) -> None:
        """Goes back to it."""
        self._engine.restore(state)

    def fork(self) -> Contact:
        """A second contact that goes on by itself."""
        contact = Contact.__new__(Contact)
        contact._engine = self._engine.fork()
        return contact


def _mesh(mesh: tuple[ArrayLike, ArrayLike]) -> tuple[list[list[float]], list[list[int]]]:
    vertices, triangles = np.asarray(mesh[0], dtype=float), np.asarray(mesh[1])
    if vertices.ndim != 2 or vertices.shape[1] != 3 or triangles.ndim != 2 or triangles.shape[1] != 3:
        raise ValueError(f"a mesh has n × 3 coordinates and m × 3 indices, found {vertices.shape} and {triangles.shape}")
    if triangles.size and (triangles.min() < 0 or not np.issubdtype(triangles.dtype, np.integer)):
        raise ValueError("triangles must be whole numbers from 0")
    return vertices.tolist(), triangles.tolist()
