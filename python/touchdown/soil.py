"""Our soil inside your simulator: a ground that your bodies touch.

    ground = touchdown.soil.Ground("lunar-nominal", spacing="10 mm")
    wheel = ground.wheel("front", radius=0.15, width=0.1)
    ...                                              # in your loop, once per step:
    force = wheel.evaluate(pose, velocity)           # pure; apply force.wrench to your body
    ground.advance(dt)                               # the step was accepted: ruts, humps and memory follow

A pose is seven numbers (place x y z in m, then the quaternion w x y z), a velocity six (angular in rad/s, then that of the origin in m/s), a wrench six (torque
about the origin in N m, then force in N), all in world axes with z up. A wheel turns about its y axis.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _touchdown
from ._touchdown import GroundState, SoilForce
from .simulation import Value

__all__ = ["Contact", "Ground", "GroundState", "Grousers", "SoilForce"]


@dataclass(frozen=True, slots=True)
class Grousers:
    """Bars across the rim of a wheel."""

    count: int
    """How many around the rim."""
    height: float
    """Height above the rim, m."""
    thickness: float = 0.003
    """Thickness along the rim, m."""


class Contact:
    """A body on a ground."""

    __slots__ = ("ground", "name", "index")

    def __init__(self, ground: Ground, name: str, index: int) -> None:
        self.ground = ground
        self.name = name
        self.index = index

    def evaluate(self, pose: ArrayLike, velocity: ArrayLike) -> SoilForce:
        """Force of the soil with this motion. Pure: only which motion the next `ground.advance` accepts depends on it, the last one evaluated."""
        return self.ground._engine.evaluate(self.index, pose, velocity)

    def evaluate_with_slopes(self, pose: ArrayLike, velocity: ArrayLike) -> tuple[SoilForce, NDArray[np.float64], NDArray[np.float64]]:
        """The force, and the 6 × 6 derivatives of its wrench by pose (a small turn, then a displacement) and by velocity, for implicit steps."""
        return self.ground._engine.evaluate_with_slopes(self.index, pose, velocity)

    def __repr__(self) -> str:
        return f"<touchdown.soil.Contact {self.name!r}>"


class Ground:
    """A patch of soil with the bodies that touch it. It belongs to one thread at a time; `fork` gives each its own.

    `soil` is a name of `touchdown.soils()`; other keywords are the keys of `[terrain]` in scenario files: `spacing="10 mm"`, `friction_law="janosi"`,
    `bekker_width="footprint"`, `shape="sloped", slope="10 deg"`, `shape="map"`, `cohesion`, `deposition=False`, …
    """

    def __init__(self, soil: str, spacing: Value = "10 mm", **terrain: Value) -> None:
        self._take(_touchdown.Ground({"soil": soil, "spacing": spacing, **terrain}))

    def _take(self, engine: _touchdown.Ground) -> None:
        self._engine = engine
        self.contacts: dict[str, Contact] = {name: Contact(self, name, k) for k, name in enumerate(engine.bodies)}
        """The bodies, by name, in the order of the rows of `evaluate`."""

    @classmethod
    def of_scenario(cls, source: str | os.PathLike[str], set: dict[str, Value] | None = None, **knobs: Value) -> Ground:
        """The ground of a scenario (name, file or text) with the rigid bodies that touch it there: the same wheels on the same soil."""
        ground = cls.__new__(cls)
        ground._take(_touchdown.Ground.of_scenario(os.fspath(source), {**(set or {}), **knobs}))
        return ground

    def _add(self, name: str, index: int) -> Contact:
        self.contacts[name] = contact = Contact(self, name, index)
        return contact

    def wheel(
        self, name: str, *, radius: float, width: float, grousers: Grousers | tuple[int, float, float] | None = None, carried_layer: float | None = None
    ) -> Contact:
        """A wheel about its y axis, m. The rim drags along a layer of soil as thick as its grousers are high, unless `carried_layer` says otherwise."""
        bars = Grousers(*grousers) if isinstance(grousers, tuple) else grousers
        layer = carried_layer if carried_layer is not None else (bars.height if bars is not None else 0.0)
        return self._add(name, self._engine.wheel(name, radius, width, (bars.count, bars.height, bars.thickness) if bars is not None else None, layer))

    def mesh(self, name: str, vertices: ArrayLike, triangles: ArrayLike, *, carried_layer: float = 0.0, bedded: bool = False) -> Contact:
        """A closed mesh in its own frame, m, corners counter-clockwise seen from outside. `bedded`: soil never slides under it, as under a buried rock."""
        corners = np.asarray(vertices, dtype=float)
        faces = np.asarray(triangles)
        if corners.ndim != 2 or corners.shape[1] != 3 or faces.ndim != 2 or faces.shape[1] != 3:
            raise ValueError(f"vertices must be n × 3 numbers and triangles m × 3 indices, found {corners.shape} and {faces.shape}")
        if faces.size and (faces.min() < 0 or not np.issubdtype(faces.dtype, np.integer)):
            raise ValueError("triangles must be whole numbers from 0")
        return self._add(name, self._engine.mesh(name, corners.tolist(), faces.tolist(), carried_layer, bedded))

    def foot(self, name: str, *, radius: float | None = None, size: Sequence[float] | None = None, ball: bool = False, height: float = 0.02) -> Contact:
        """A foot with z up, its origin in its middle: a disc of a radius and height, a plate of a size (x, y) and height, or a ball of a radius, m."""
        if (radius is None) == (size is None):
            raise ValueError("a foot has a radius (disc or ball) or a size (plate): give one of them")
        if size is not None:
            if len(size) != 2:
                raise ValueError(f"the size of a plate has two numbers (x, y), found {len(size)}")
            shape, sizes = "plate", [float(size[0]), float(size[1]), height]
        else:
            assert radius is not None
            shape, sizes = ("ball" if ball else "disc"), [radius, radius, height]
        return self._add(name, self._engine.foot(name, shape, sizes))

    def evaluate(self, poses: ArrayLike, velocities: ArrayLike) -> NDArray[np.float64]:
        """Wrenches on all bodies at once: n × 7 poses and n × 6 velocities give n × 6 numbers."""
        return self._engine.evaluate_all(poses, velocities)

    def evaluate_with_slopes(
        self, poses: ArrayLike, velocities: ArrayLike
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Wrenches on all bodies (n × 6) with their derivatives by pose and by velocity (n × 6 × 6 each)."""
        return self._engine.evaluate_all_with_slopes(poses, velocities)

    def advance(self, dt: float) -> None:
        """Accepts a step of `dt` seconds that ends at the motions evaluated last: memory, deposition, erosion. Every body must have been evaluated."""
        self._engine.advance(dt)

    @property
    def time(self) -> float:
        """Time since the ground was made, s."""
        return self._engine.time

    @property
    def spacing(self) -> float:
        """Distance of the nodes, m."""
        return self._engine.spacing

    def height(self, x: float, y: float) -> float:
        """Height of the surface at the node nearest to a place, m; not a number where there is no ground."""
        return self._engine.height(x, y)

    def heights(self, x: float, y: float, nx: int, ny: int) -> NDArray[np.float64]:
        """Heights of ny × nx nodes, m, from the node nearest to (x, y): `heights[j, i]` lies i nodes along x and j along y."""
        return self._engine.heights(x, y, nx, ny)

    @property
    def touched(self) -> tuple[float, float, float, float] | None:
        """Box x_min, x_max, y_min, y_max around the ground that was touched, m; None while it is untouched."""
        box = self._engine.touched
        return None if box is None else (box[0], box[1], box[2], box[3])

    @property
    def volume_moved(self) -> float:
        """Soil displaced, carried and slid so far, m³."""
        return self._engine.volume[0]

    @property
    def volume_error(self) -> float:
        """Soil lost or gained over the soil moved: zero but for rounding."""
        return self._engine.volume[1]

    def save(self) -> GroundState:
        """The present state: a value to go back to, to compare, to pickle."""
        return self._engine.save()

    def restore(self, state: GroundState) -> None:
        """Goes back to a state of this ground with these bodies, to the last bit. One that does not fit is refused."""
        self._engine.restore(state)

    def fork(self) -> Ground:
        """A second ground that goes on by itself; what neither changes is shared."""
        ground = Ground.__new__(Ground)
        ground._take(self._engine.fork())
        return ground

    def __repr__(self) -> str:
        return f"<touchdown.soil.Ground: t = {self.time:g} s, spacing {self.spacing:g} m, bodies {list(self.contacts)}>"
