"""A running world: command, step, observe, save, restore, fork, reset, run."""

from __future__ import annotations

import json
import os
import sys
import webbrowser
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _touchdown
from ._touchdown import State, View
from .results import WITHOUT_PAGES, Run

Value = float | int | bool | str | Sequence[Any]
"""What a knob may be set to: as the right-hand side of `--set KEY=VALUE` on the command line."""

Controller = Callable[["Simulation"], Mapping[str, float] | None]
"""Called with the simulation; commands it, or returns a mapping of inputs to values."""


class Input(NamedTuple):
    """What can be commanded."""

    name: str
    unit: str
    lower: float
    """Smallest value allowed."""
    upper: float
    """Largest value allowed."""


class Inputs(MutableMapping[str, float]):
    """Inputs of a simulation by name: `sim.inputs["motor"] = 0.3` holds from the next step on, until the next command."""

    def __init__(self, engine: _touchdown.Simulation) -> None:
        self._engine = engine

    def __getitem__(self, name: str) -> float:
        return self._engine.input_value(name)

    def __setitem__(self, name: str, value: float) -> None:
        self._engine.command(name, value)

    def __delitem__(self, name: str) -> None:
        raise TypeError("an input cannot be removed; sim.reset() goes back to the scenario's own commands")

    def __iter__(self) -> Iterator[str]:
        return (row[0] for row in self._engine.input_table())

    def __len__(self) -> int:
        return len(self._engine.input_table())

    def about(self, name: str) -> Input:
        """Unit and limits of an input."""
        self._engine.input(name)
        return next(Input(*row) for row in self._engine.input_table() if row[0] == name)

    def __repr__(self) -> str:
        return f"<touchdown.Inputs {dict(self)}>"


class Simulation:
    """A model with its state. Made by `touchdown.load` or `World.simulate`.

    A simulation belongs to one thread at a time; a second one gets `BusyError`. `fork` gives each its own.
    """

    __slots__ = ("_engine", "inputs", "step", "advance", "advance_to")

    inputs: Inputs
    """What can be commanded, by name."""

    def __init__(self, engine: _touchdown.Simulation) -> None:
        self._engine = engine
        self.inputs = Inputs(engine)
        # Bound here, so that a step costs one call and not two.
        self.step: Callable[[], None] = engine.step
        """One accepted step of the engine."""
        self.advance: Callable[[float], None] = engine.advance
        """Advances by so many seconds. Python's lock is released meanwhile; Ctrl-C ends it after the present step."""
        self.advance_to: Callable[[float], None] = engine.advance_to
        """Steps until a time in seconds, and not beyond."""

    @property
    def time(self) -> float:
        """Simulated time, s."""
        return self._engine.time

    @property
    def steps(self) -> int:
        """Accepted steps so far."""
        return self._engine.steps

    @property
    def duration(self) -> float:
        """The end of the scenario, s."""
        return self._engine.duration

    @property
    def is_over(self) -> bool:
        """Whether the end of the scenario, or of its study, is reached."""
        return self._engine.is_over

    @property
    def name(self) -> str:
        """Name of the scenario."""
        return self._engine.name

    @property
    def columns(self) -> list[str]:
        """Names of all that can be observed."""
        return self._engine.columns

    @property
    def knobs(self) -> dict[str, tuple[str, str, str]]:
        """Knobs of the scenario: name to value, unit and meaning."""
        return {name: (value, unit, about) for name, unit, value, about in self._engine.knob_table()}

    @property
    def resolved(self) -> str:
        """The scenario with every default written out; empty for a world that a program put together."""
        return self._engine.resolved

    def about(self, column: str) -> dict[str, str]:
        """Unit, frame and meaning of a column."""
        unit, frame, about = self._engine.about(column)
        return {"unit": unit, "frame": frame, "about": about}

    def __getitem__(self, column: str) -> float:
        return self._engine[column]

    def __contains__(self, column: object) -> bool:
        return isinstance(column, str) and column in self._engine

    def observe(
        self, columns: Sequence[str] | Sequence[int] | NDArray[np.integer[Any]], out: NDArray[np.float64] | None = None
    ) -> NDArray[np.float64]:
        """Values of columns now, in their order; written into `out` (contiguous, float64) where that is given. Changes nothing.

        In a loop, indices of `sim.column(name)` save looking names up.
        """
        return self._engine.observe(columns, out)

    def column(self, name: str) -> int:
        """Index of a column."""
        return self._engine.column(name)

    def command(self, name: str, value: float) -> None:
        """Commands an input, as `sim.inputs[name] = value` does."""
        self._engine.command(name, value)

    def save(self) -> State:
        """The present state: a value to go back to, to compare, to pickle."""
        return self._engine.save()

    def restore(self, state: State) -> None:
        """Goes back to a state of the same model, to the last bit. One that does not fit is refused, and nothing changes."""
        self._engine.restore(state)

    def fork(self) -> Simulation:
        """A second simulation that goes on from here by itself. Untouched ground, maps and meshes are shared."""
        return Simulation(self._engine.fork())

    def reset(self, seed: int | None = None) -> None:
        """Back to the start; with a seed (a whole number from 0), noise and bias of the sensors follow from it. The world itself stays."""
        self._engine.reset(seed)

    @property
    def outcome(self) -> dict[str, Any]:
        """What has been answered so far: quantities, energy ledger, checks, warnings."""
        found: dict[str, Any] = json.loads(self._engine.outcome_json())
        return found

    def run(
        self,
        controller: Controller | None = None,
        dt: float = 0.02,
        *,
        until: float | None = None,
        frames: bool = True,
        progress: bool | None = None,
    ) -> Run:
        """Runs from the present state to the end of the scenario, or to `until` (s), and keeps what it records.

        `controller(sim)` is called at multiples of `dt` (s); it reads what it likes, sets `sim.inputs` or returns a mapping of inputs to values.
        Without `frames` the run keeps no poses and soil for 3-D, and takes less memory. `progress` shows a bar, by default in a terminal and in a notebook.
        Python's lock is released while the engine runs; Ctrl-C ends the run and leaves the simulation where it is.
        """
        show = progress if progress is not None else sys.stderr.isatty() or "ipykernel" in sys.modules
        bar = _bar(self.name) if show else None
        started_from = None if controller is None else (lambda _: controller(self))
        try:
            return Run(self._engine.run_recorded(started_from, dt, until, frames, bar))
        finally:
            if bar is not None:
                sys.stderr.write("\n")

    def view(self, *, port: int | None = None, browser: bool = True) -> View:
        """Opens a page in the browser that shows, in 3-D and as curves, the runs of this simulation from now on, while they go on.

        It is served on 127.0.0.1 only, on any free port where none is given, to whoever knows its `url`. It ends with `close()` or when it is forgotten, so keep it:
        `view = sim.view(); sim.run()`. Notebooks on another machine show a run when it has ended, by itself.
        """
        if not _touchdown.has_pages:
            raise _touchdown.RecordError(WITHOUT_PAGES)
        view = self._engine.view(port)
        if browser:
            webbrowser.open(view.url)
        return view

    def __repr__(self) -> str:
        return repr(self._engine)


def _bar(name: str) -> Callable[[float, float], None]:
    """A line that shows how far a run is."""

    def show(time: float, end: float) -> None:
        share = time / end if end > 0 else 1.0
        sys.stderr.write(f"\r{name} [{'#' * int(30 * share):<30}] {time:.2f} of {end:.2f} s")
        sys.stderr.flush()

    return show


def load(source: str | os.PathLike[str], set: Mapping[str, Value] | None = None, *, threads: int = 1, **knobs: Value) -> Simulation:
    """Opens a scenario: a built-in one by name, a TOML or URDF file by its path, or a text (with a newline in it).

    Knobs are keywords; keys with dots go into `set`: `load("single-wheel", slip=0.2, set={"terrain.spacing": "5 mm"})`. All mistakes of a
    scenario are reported at once, by `ScenarioError`, in the words of the command line.
    """
    turned = {**(set or {}), **knobs}
    if not isinstance(threads, int) or threads < 1:
        raise ValueError(f"threads must be a whole number, at least 1, found {threads!r}")
    return Simulation(_touchdown.load(os.fspath(source), turned, threads))
