"""Environments for learning, in the form of Gymnasium: `make` gives one, `make_vec` many that run on threads.

    env = touchdown.gym.make(
        "rover-drawbar-pull",
        observe=["vehicle.rover.slip_drive", "body.rover/chassis.x_m"],
        act={"rover/drive_front_left": (0.0, 0.2)},
        reward=lambda now, before, action: now["body.rover/chassis.x_m"] - before["body.rover/chassis.x_m"],
        dt=0.1, seconds=5.0, randomise={"friction_angle_deg": (20.0, 35.0)},
        set={"machine.rover.inputs": True},
    )

Observations are columns and actions inputs of the scenario. Worlds are built and settled once and kept as states; an episode begins with one of them put back, which takes well under a
millisecond. With `randomise`, a number of worlds is drawn from ranges of knobs, and an episode begins in any of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ._touchdown import AdvanceFailed, State
from .simulation import Simulation, Value, load

__all__ = ["Env", "Reward", "VecEnv", "make", "make_vec"]

Array = NDArray[np.float64]

Reward = Callable[[Mapping[str, float], Mapping[str, float], Array], float]
"""Of the columns now and before, and the action in the units of the inputs."""

Range = tuple[float, float] | Sequence[Value]
"""A range (two numbers) from which a knob is drawn evenly, or a list of values (of any other number, or of texts)."""


class Worlds:
    """Worlds with their starts: built once, shared by all environments, which fork them."""

    def __init__(
        self, source: str, knobs: Mapping[str, Value], randomise: Mapping[str, Range], count: int, seed: int, settle: float
    ) -> None:
        if count < 1:
            raise ValueError(f"worlds must be at least 1, found {count}")
        self._source, self._knobs, self._randomise, self._settle = source, dict(knobs), dict(randomise), settle
        self._seeds = np.random.SeedSequence(seed).spawn(count if randomise else 1)
        self._made: dict[int, tuple[Simulation, dict[str, Value]]] = {}

    def __len__(self) -> int:
        return len(self._seeds)

    def world(self, index: int) -> tuple[Simulation, dict[str, Value]]:
        """A world at its start, and the knobs that were drawn for it."""
        if index not in self._made:
            rng = np.random.default_rng(self._seeds[index])
            drawn = {knob: draw(rng, span) for knob, span in sorted(self._randomise.items())}
            sim = load(self._source, set={**self._knobs, **drawn})
            if self._settle > 0:
                sim.advance(self._settle)
            self._made[index] = (sim, drawn)
        return self._made[index]


def draw(rng: np.random.Generator, span: Range) -> Value:
    """A value of a knob."""
    if len(span) == 2 and all(isinstance(x, (int, float)) and not isinstance(x, bool) for x in span):
        return float(rng.uniform(float(span[0]), float(span[1])))  # type: ignore[arg-type]
    return span[int(rng.integers(len(span)))]


class Env(gymnasium.Env[Array, Array]):
    """One environment. Actions lie between −1 and 1 and are scaled to the ranges of `act`."""

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(
        self,
        worlds: Worlds,
        observe: Sequence[str],
        act: Mapping[str, tuple[float, float]],
        reward: Reward,
        dt: float,
        seconds: float,
        done: Callable[[Mapping[str, float]], bool] | None,
        scale: Mapping[str, float],
    ) -> None:
        first, _ = worlds.world(0)
        left = first.duration - first.time
        if not 0 < dt <= seconds:
            raise ValueError(f"dt must be above 0 s and at most the length of an episode ({seconds} s), found {dt}")
        if seconds > left + 1e-9:
            raise ValueError(f"an episode of {seconds} s does not fit: the scenario has {left:g} s left after its start")
        if not observe or not act:
            raise ValueError("observe and act must name at least one column and one input")
        for name, (low, high) in act.items():
            about = first.inputs.about(name)
            if not about.lower <= low < high <= about.upper:
                raise ValueError(f"the range of {name} must rise within {about.lower:g} … {about.upper:g} {about.unit}, found {low:g} … {high:g}")
        self._worlds, self._reward, self._done, self._dt, self._seconds = worlds, reward, done, dt, seconds
        self._names, self._inputs = list(observe), list(act)
        self._columns = np.array([first.column(name) for name in self._names])
        unknown = set(scale) - set(self._names)
        if unknown:
            raise ValueError(f"scale names columns that are not observed: {sorted(unknown)}")
        self._scale = np.array([scale.get(name, 1.0) for name in self._names])
        spans = np.array([act[name] for name in self._inputs], dtype=float)
        self._middle, self._half = spans.mean(axis=1), 0.5 * (spans[:, 1] - spans[:, 0])
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (len(self._names),), np.float64)
        self.action_space = gymnasium.spaces.Box(-1.0, 1.0, (len(self._inputs),), np.float64)
        self._sims: dict[int, tuple[Simulation, State, list[int]]] = {}
        self._sim: Simulation | None = None
        self._raw = np.zeros(len(self._names))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Begins an episode in one of the worlds (`options={"world": k}` chooses it); its knobs are in the info."""
        super().reset(seed=seed)
        chosen = (options or {}).get("world")
        index = int(chosen) if chosen is not None else int(self.np_random.integers(len(self._worlds)))
        if not 0 <= index < len(self._worlds):
            raise ValueError(f"there is no world {index}: there are {len(self._worlds)}")
        source, drawn = self._worlds.world(index)
        if index not in self._sims:
            fork = source.fork()
            self._sims[index] = (fork, fork.save(), [fork._engine.input(name) for name in self._inputs])
        self._sim, start, self._indices = self._sims[index]
        self._sim.restore(start)
        self._begun = self._sim.time
        self._raw = self._sim.observe(self._columns)
        return self._raw * self._scale, {"world": index, "knobs": dict(drawn)}

    def step(self, action: Array) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Commands the inputs and advances by `dt`. A step that the engine cannot make ends the episode; `info["failed"]` says why."""
        values = self._command(action)
        return self._conclude(values, self._advance())

    def _command(self, action: Array) -> Array:
        if self._sim is None:
            raise gymnasium.error.ResetNeeded("call reset() before step()")
        action = np.asarray(action, dtype=float)
        if action.shape != self._half.shape or not np.isfinite(action).all():
            raise ValueError(f"an action has {len(self._half)} finite numbers, found {action!r}")
        values: Array = self._middle + self._half * np.clip(action, -1.0, 1.0)
        self._sim._engine.command_all(self._indices, values.tolist())
        return values

    def _advance(self) -> str | None:
        """The engine's part, without Python's lock. Returns why it failed, if it did."""
        assert self._sim is not None
        try:
            self._sim.advance(self._dt)
        except AdvanceFailed as error:
            return str(error)
        return None

    def _conclude(self, values: Array, failed: str | None) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        assert self._sim is not None
        before = dict(zip(self._names, self._raw.tolist()))
        if failed is not None:
            return self._raw * self._scale, 0.0, True, False, {"failed": failed}
        self._raw = self._sim.observe(self._columns)
        now = dict(zip(self._names, self._raw.tolist()))
        terminated = bool(self._done(now)) if self._done is not None else False
        truncated = self._sim.time - self._begun >= self._seconds - 1e-9
        return self._raw * self._scale, float(self._reward(now, before, values)), terminated, truncated, {}


class VecEnv(VectorEnv[Array, Array, NDArray[Any]]):
    """Many environments of the same worlds, stepped on threads. One that has ended starts again with its next step, as Gymnasium's own do."""

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(self, envs: Sequence[Env], threads: int) -> None:
        if threads < 1:
            raise ValueError(f"threads must be at least 1, found {threads}")
        self.envs = list(envs)
        self.num_envs = len(self.envs)
        self.single_observation_space = self.envs[0].observation_space
        self.single_action_space = self.envs[0].action_space
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._over = np.zeros(self.num_envs, dtype=bool)
        self._pool = ThreadPoolExecutor(threads)

    def reset(self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Begins all episodes; seeds count up from `seed`."""
        seeds = [None if seed is None else seed + k for k in range(self.num_envs)] if seed is None or isinstance(seed, int) else list(seed)
        if len(seeds) != self.num_envs:
            raise ValueError(f"there are {self.num_envs} environments, found {len(seeds)} seeds")
        begun = [env.reset(seed=s, options=options) for env, s in zip(self.envs, seeds)]
        self._over[:] = False
        info: dict[str, Any] = {}
        for k, (_, about) in enumerate(begun):
            info = self._add_info(info, about, k)
        return np.stack([observation for observation, _ in begun]), info

    def step(self, actions: Array) -> tuple[Array, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """One step of each; the engine's part of all of them at the same time."""
        actions = np.asarray(actions, dtype=float)
        if len(actions) != self.num_envs:
            raise ValueError(f"there are {self.num_envs} environments, found {len(actions)} actions")
        going = [k for k in range(self.num_envs) if not self._over[k]]
        values = {k: self.envs[k]._command(actions[k]) for k in going}
        failed = dict(zip(going, self._pool.map(lambda k: self.envs[k]._advance(), going)))
        observations, rewards = np.zeros(self.observation_space.shape or ()), np.zeros(self.num_envs)
        terminated, truncated = np.zeros(self.num_envs, dtype=bool), np.zeros(self.num_envs, dtype=bool)
        infos: dict[str, Any] = {}
        for k, env in enumerate(self.envs):
            if self._over[k]:
                observations[k], info = env.reset()
            else:
                observations[k], rewards[k], terminated[k], truncated[k], info = env._conclude(values[k], failed[k])
            infos = self._add_info(infos, info, k)
        self._over = terminated | truncated
        return observations, rewards, terminated, truncated, infos

    def close_extras(self, **kwargs: Any) -> None:
        """Ends the threads."""
        self._pool.shutdown()


def make(
    source: str,
    *,
    observe: Sequence[str],
    act: Mapping[str, tuple[float, float]],
    reward: Reward,
    dt: float = 0.1,
    seconds: float,
    done: Callable[[Mapping[str, float]], bool] | None = None,
    scale: Mapping[str, float] | None = None,
    randomise: Mapping[str, Range] | None = None,
    worlds: int = 16,
    worlds_seed: int = 0,
    settle: float = 0.0,
    set: Mapping[str, Value] | None = None,
    **knobs: Value,
) -> Env:
    """An environment on a scenario (name, file or text).

    `observe` names columns, multiplied by `scale` where that names them; `act` gives inputs with the range of their commands; `reward(now, before, action)` gets the observed
    columns in their own units. A step lasts `dt`, an episode `seconds`, or until `done(now)`. `settle` seconds pass before the start. `randomise` names knobs with ranges:
    `worlds` worlds are drawn from them by `worlds_seed`, so that others (unseen ones) come from another seed.
    """
    made = Worlds(source, {**(set or {}), **knobs}, randomise or {}, worlds, worlds_seed, settle)
    return Env(made, observe, act, reward, dt, seconds, done, scale or {})


def make_vec(source: str, count: int, *, threads: int = 2, **keywords: Any) -> VecEnv:
    """`count` environments on `threads` threads, with the keywords of `make`. They share their worlds."""
    if count < 1:
        raise ValueError(f"there must be at least 1 environment, found {count}")
    first = make(source, **keywords)
    about = {name: keywords.get(name) for name in ("observe", "act", "reward", "done")}
    rest = [
        Env(first._worlds, about["observe"] or [], about["act"] or {}, keywords["reward"], first._dt, first._seconds, about["done"], keywords.get("scale") or {})
        for _ in range(count - 1)
    ]
    return VecEnv([first, *rest], threads)
