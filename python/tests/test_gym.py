"""Environments: what Gymnasium's own checker demands, repeatable episodes, threads that change nothing, worlds that differ by their knobs."""

import warnings

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

import touchdown  # noqa: E402
import touchdown.gym  # noqa: E402

SCENARIO = """
title = "a wheel that a motor drives over sand"
duration = "60 s"
gravity = "moon"
integrator = { name = "realtime", step = "2 ms" }
[parameters]
friction_angle_deg = { path = "terrain.friction_angle" }
[terrain]
soil = "lunar-nominal"
spacing = "20 mm"
friction_angle = "37 deg"
[body.carriage]
mass = "0.1 kg"
inertia = ["0.001 kg m2", "0.001 kg m2", "0.001 kg m2"]
[body.frame]
mass = "20 kg"
inertia = ["0.1 kg m2", "0.1 kg m2", "0.1 kg m2"]
[body.rim]
mass = "2 kg"
inertia = ["0.02 kg m2", "0.02 kg m2", "0.02 kg m2"]
[joint.rail]
type = "prismatic"
child = "carriage"
axis = [1, 0, 0]
at = ["0 m", "0 m", "0.15 m"]
[joint.lift]
type = "prismatic"
parent = "carriage"
child = "frame"
axis = [0, 0, 1]
at = ["0 m", "0 m", "0.15 m"]
[joint.axle]
type = "revolute"
parent = "frame"
child = "rim"
axis = [0, 1, 0]
at = ["0 m", "0 m", "0.15 m"]
[wheel.wheel]
body = "rim"
radius = "0.15 m"
width = "0.1 m"
[drive.motor]
joints = "axle"
speed = "0.3 rad/s"
gain = "50 N m s/rad"
limit = "20 N m"
input = true
"""

SLIP, SPEED, PLACE = "soil.wheel.slip_drive", "joint.rail.rate_m_per_s", "joint.rail.position_m"


def forward(now, before, action):
    return now[PLACE] - before[PLACE]


COMMON = dict(observe=[SLIP, SPEED, PLACE], act={"motor": (0.0, 0.6)}, reward=forward, dt=0.1, seconds=0.5, settle=0.2)


def test_gymnasiums_checker_is_content():
    env = touchdown.gym.make(SCENARIO, **COMMON, randomise={"friction_angle_deg": (20.0, 37.0)}, worlds=3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # It advises bounds for observations; columns have none.
        warnings.filterwarnings("ignore", message=".*Box observation space (minimum|maximum) value is -?infinity.*")
        warnings.filterwarnings("ignore", message=".*(not normalized|render|spec).*")
        check_env(env, skip_render_check=True)


def test_episodes_repeat_and_end_in_time():
    env = touchdown.gym.make(SCENARIO, **COMMON, scale={SPEED: 10.0})

    def episode(seed):
        first, info = env.reset(seed=seed)
        env.action_space.seed(seed)
        rows, over = [first], False
        while not over:
            observation, reward, terminated, truncated, _ = env.step(env.action_space.sample())
            rows.append([*observation, reward])
            over = terminated or truncated
        assert info == {"world": 0, "knobs": {}} and not terminated
        return rows

    first, again = episode(3), episode(3)
    assert len(first) == 1 + 5 and all(np.array_equal(a, b) for a, b in zip(first, again))
    assert not np.array_equal(first[-1], episode(4)[-1])


def test_a_vector_on_threads_does_what_single_environments_do():
    randomise = {"friction_angle_deg": (20.0, 37.0)}
    keywords = dict(COMMON, randomise=randomise, worlds=2)
    single = [touchdown.gym.make(SCENARIO, **keywords) for _ in range(3)]
    vec = touchdown.gym.make_vec(SCENARIO, 3, threads=2, **keywords)
    observations, info = vec.reset(seed=7)
    expected = np.stack([env.reset(seed=7 + k)[0] for k, env in enumerate(single)])
    assert np.array_equal(observations, expected) and vec.observation_space.contains(observations)
    over = np.zeros(3, dtype=bool)
    rng = np.random.default_rng(0)
    for _ in range(8):
        actions = rng.uniform(-1, 1, (3, 1))
        observations, rewards, terminated, truncated, info = vec.step(actions)
        for k, env in enumerate(single):
            if over[k]:
                observation, reward, ended, cut = env.reset()[0], 0.0, False, False
            else:
                observation, reward, ended, cut, _ = env.step(actions[k])
            assert np.array_equal(observation, observations[k]) and reward == rewards[k]
            assert (ended, cut) == (terminated[k], truncated[k])
            over[k] = ended or cut
    vec.close()


def test_worlds_differ_by_their_knobs_and_repeat_by_their_seed():
    keywords = dict(COMMON, randomise={"friction_angle_deg": (15.0, 37.0)}, worlds=2)
    env, twin = (touchdown.gym.make(SCENARIO, **keywords, worlds_seed=5) for _ in range(2))
    other = touchdown.gym.make(SCENARIO, **keywords, worlds_seed=6)
    angles = [env.reset(options={"world": k})[1]["knobs"]["friction_angle_deg"] for k in range(2)]
    assert angles[0] != angles[1] and all(15 < a < 37 for a in angles)
    assert angles == [twin.reset(options={"world": k})[1]["knobs"]["friction_angle_deg"] for k in range(2)]
    assert angles[0] != other.reset(options={"world": 0})[1]["knobs"]["friction_angle_deg"]
    ends = []
    for k in range(2):
        env.reset(options={"world": k})
        for _ in range(5):
            observation, *_ = env.step(np.array([1.0]))
        ends.append(observation[2])
    assert ends[0] != ends[1], "sand of another friction carries the wheel another distance"


@pytest.mark.parametrize(
    "wrong",
    [
        dict(observe=[]),
        dict(act={}),
        dict(act={"motor": (0.5, 0.5)}),
        dict(dt=0.0),
        dict(dt=1.0),
        dict(seconds=1e3),
        dict(scale={"nothing": 1.0}),
        dict(worlds=0),
        dict(observe=["no.column"]),
        dict(act={"no_input": (0, 1)}),
    ],
)
def test_mistakes_are_named(wrong):
    with pytest.raises((ValueError, touchdown.UnknownName)):
        touchdown.gym.make(SCENARIO, **{**COMMON, **wrong})


def test_a_step_before_a_reset_and_actions_that_are_none_are_refused():
    env = touchdown.gym.make(SCENARIO, **COMMON)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.zeros(1))
    env.reset(seed=0)
    for action in (np.zeros(2), np.array([np.nan]), np.zeros((1, 1))):
        with pytest.raises(ValueError, match="finite numbers"):
            env.step(action)
