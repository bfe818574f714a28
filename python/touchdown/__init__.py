"""Contact dynamics for space robots: wheels in soil, docking probes, walking feet, flexible tyres.

    import touchdown

    sim = touchdown.load("single-wheel", slip=0.2)
    sim.advance(2.0)
    print(sim["soil.wheel.sinkage_m"])

`touchdown.soil` and `touchdown.polygonal` are the contact models for simulators of yours. `load` opens a scenario by name, file or text; `World` puts one together. A simulation is stepped, commanded, observed, saved, put back and forked.
"""

from __future__ import annotations

import json as _json
from typing import Any as _Any

from ._touchdown import (
    AdvanceFailed,
    BusyError,
    CampaignError,
    CommandError,
    ContactError,
    Error,
    RecordError,
    ScenarioError,
    State,
    StateError,
    UnknownName,
    View,
    __version__ as _version,
    build_json as _build_json,
    scenarios,
    soils,
)
from . import polygonal, soil
from .campaigns import assess, campaign
from .results import Run
from .simulation import Input, Inputs, Simulation, load
from .world import World

build: dict[str, _Any] = _json.loads(_build_json())
"""Version, commit, target, compiler and flags of the engine, as `touchdown --version --json` prints them."""


class Version(str):
    """A version: text as any other, which also carries the build identity."""

    @property
    def build(self) -> dict[str, _Any]:
        """Commit, target, features, compiler and flags: `touchdown.build`."""
        return build


__version__ = Version(_version)
"""The version; `__version__.build` says from what and how the engine was built."""

__all__ = [
    "AdvanceFailed",
    "BusyError",
    "CampaignError",
    "CommandError",
    "ContactError",
    "Error",
    "Input",
    "Inputs",
    "RecordError",
    "Run",
    "ScenarioError",
    "Simulation",
    "State",
    "StateError",
    "UnknownName",
    "Version",
    "View",
    "World",
    "__version__",
    "assess",
    "build",
    "campaign",
    "load",
    "polygonal",
    "scenarios",
    "soil",
    "soils",
]
