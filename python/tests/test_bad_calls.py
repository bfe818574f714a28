"""Calls that make no sense get a clear error of the right class, and nothing is lost: the simulation goes on with the same bits."""

import math

import numpy as np

import touchdown
from conftest import wheel_world

NAN, INF = math.nan, math.inf
NAMES = ["", "sinkage", "soil.wheel", "Soil.wheel.sinkage_m", "ä", "motor ", "\0", "a" * 10_000, "motor\n", "*"]


def calls(sim: touchdown.Simulation):
    """Every bad call: what is done, and the exceptions that are right for it."""
    Known, Advance, Scenario, State = touchdown.UnknownName, touchdown.AdvanceFailed, touchdown.ScenarioError, touchdown.StateError
    for name in NAMES:
        yield f"sim[{name[:20]!r}]", lambda name=name: sim[name], Known
        yield f"inputs[{name[:20]!r}]", lambda name=name: sim.inputs[name], Known
        yield f"inputs[{name[:20]!r}] = 1", lambda name=name: sim.command(name, 1.0), Known
        yield f"inputs.about({name[:20]!r})", lambda name=name: sim.inputs.about(name), Known
        yield f"about({name[:20]!r})", lambda name=name: sim.about(name), Known
        yield f"column({name[:20]!r})", lambda name=name: sim.column(name), Known
        yield f"observe([{name[:20]!r}])", lambda name=name: sim.observe([name]), Known
        yield f"observe two, one {name[:20]!r}", lambda name=name: sim.observe(["body.frame.z_m", name]), Known
    for thing in (None, 3, 2.5, b"motor", ["motor"], object()):
        yield f"sim[{thing!r}]", lambda thing=thing: sim[thing], TypeError
        yield f"command({thing!r})", lambda thing=thing: sim.command(thing, 1.0), TypeError
        yield f"restore({thing!r})", lambda thing=thing: sim.restore(thing), TypeError
    for value in (NAN,):
        yield f"motor = {value}", lambda value=value: sim.command("motor", value), touchdown.CommandError
    for value in ("fast", None, [1.0], np.zeros(2), 1j):
        yield f"motor = {value!r}", lambda value=value: sim.command("motor", value), TypeError
    for t in (NAN, INF, -INF, -1.0, 1e9):
        yield f"advance_to({t})", lambda t=t: sim.advance_to(t), Advance
        yield f"run(until={t})", lambda t=t: sim.run(until=t), Advance
    for dt in (NAN, -INF, -1e-9):
        yield f"advance({dt})", lambda dt=dt: sim.advance(dt), ValueError
    for dt in (INF, 1e9):
        yield f"advance({dt})", lambda dt=dt: sim.advance(dt), Advance
    for dt in (NAN, 0.0, -0.1, INF):
        yield f"run(dt={dt})", lambda dt=dt: sim.run(lambda s: None, dt=dt), ValueError
    for what in ("soon", None, [1]):
        yield f"advance({what!r})", lambda what=what: sim.advance(what), TypeError
        yield f"advance_to({what!r})", lambda what=what: sim.advance_to(what), TypeError
    for columns in ("body.frame.z_m", [1.5], [None], [-1]):
        yield f"observe({columns!r})", lambda columns=columns: sim.observe(columns), ValueError
    yield "observe(3)", lambda: sim.observe(3), TypeError
    for k in (10_000, 2**40):
        yield f"observe([{k}])", lambda k=k: sim.observe([k]), Known
    names = ["body.frame.z_m", "soil.wheel.sinkage_m"]
    frozen = np.zeros(2)
    frozen.flags.writeable = False
    for out, right in ((np.zeros(1), ValueError), (np.zeros(3), ValueError), (np.zeros((2, 1)), TypeError), (np.zeros(2, dtype=np.float32), TypeError),
                       (np.zeros(4)[::2], ValueError), (frozen, ValueError), ([0.0, 0.0], TypeError)):
        yield f"observe(out={type(out)})", lambda out=out: sim.observe(names, out=out), right
    for source in ("", "no-such-scenario", "/", "missing.toml", "missing.urdf", "title = 3\n", "[[[\n", "title = 'a'\nduration_s = -1\n", "\0\n", "a\nb"):
        yield f"load({source!r})", lambda source=source: touchdown.load(source), Scenario
    for knobs in ({"slip": "steep"}, {"slip": NAN}, {"slip": INF}, {"slip": True}, {"slip": [0.1]}, {"no_such_knob": 1}, {"radius_m": -1}, {"radius_m": 0}, {"soil": "butter"},
                  {"step_s": 0}, {"spacing_m": -0.1}, {"slip": None}, {"slip": object()}, {"slip": {}}, {"": 1}, {"duration_s": NAN}):
        yield f"load(single-wheel, {knobs})", lambda knobs=knobs: touchdown.load("single-wheel", set=knobs), Scenario
    for thing in (None, 3, ["pendulum"]):
        yield f"load({thing!r})", lambda thing=thing: touchdown.load(thing), TypeError
    for threads in (0, -1, 1.5, "two"):
        yield f"load(threads={threads!r})", lambda threads=threads: touchdown.load("pendulum", threads=threads), ValueError
    good = sim.save().to_bytes()
    for bytes_ in (b"", b"x", good[:-1], good[: len(good) // 2], b"\xff" * 64):
        yield f"State.from_bytes({len(bytes_)} bytes)", lambda bytes_=bytes_: touchdown.State.from_bytes(bytes_), State
    other = touchdown.load("pendulum").save()
    yield "a state of another model", lambda: sim.restore(other), State
    for seed in (-1, 2**64):
        yield f"reset({seed})", lambda seed=seed: sim.reset(seed), OverflowError
    yield "reset('three')", lambda: sim.reset("three"), TypeError
    for answer in (3, "motor", [("motor", 1)], {"motor": "fast"}, {1: 1.0}):
        yield f"controller returns {answer!r}", lambda answer=answer: sim.run(lambda s: answer), (ValueError, TypeError)
    yield "controller commands what is not there", lambda: sim.run(lambda s: {"no": 1.0}), Known
    yield "controller commands no number", lambda: sim.run(lambda s: {"motor": NAN}), touchdown.CommandError
    yield "controller is no function", lambda: sim.run(3), TypeError
    yield "an input is removed", lambda: sim.inputs.__delitem__("motor"), TypeError
    world = touchdown.World
    for value in (NAN, INF, -INF):
        yield f"gravity({value})", lambda value=value: world().gravity(value), ValueError
        yield f"duration({value})", lambda value=value: world().duration(value), ValueError
        yield f"realtime({value})", lambda value=value: world().realtime(value), ValueError
        yield f"plane({value})", lambda value=value: world().plane(value), ValueError
        yield f"body(mass={value})", lambda value=value: world().body("b", value), ValueError
        yield f"soil(spacing={value})", lambda value=value: world().soil("lunar-nominal", value), ValueError
    yield "realtime(0)", lambda: world().realtime(0), ValueError
    for name in ("", "butter", "Lunar-Nominal"):
        yield f"soil({name!r})", lambda name=name: world().soil(name, 0.01), Known
        yield f"wheel on {name!r}", lambda name=name: world().wheel("w", name, 0.1, 0.1), Known
        yield f"joint of {name!r}", lambda name=name: world().joint("j", "revolute", None, name), Known
        yield f"joint kind {name!r}", lambda name=name: world().body("b", 1).joint("j", name, None, "b"), Known
        yield f"drive of {name!r}", lambda name=name: world().drive("d", name), Known
        yield f"solid {name!r}", lambda name=name: world().body("b", 1, solid=name), Known
    for axis in ((1, 2), (), (1, 2, 3, 4)):
        yield f"axis {axis}", lambda axis=axis: world().body("b", 1).joint("j", "revolute", None, "b", axis=axis), ValueError
    yield "duration(-1)", lambda: world().duration(-1), ValueError
    yield "negative mass", lambda: world().body("b", -1).joint("j", "free", None, "b").simulate(), Scenario
    yield "body without joint", lambda: world().body("b", 1).simulate(), Scenario
    yield "two of a name", lambda: wheel_world().body("wheel", 1).simulate(), Scenario
    yield "axis of no length", lambda: world().body("b", 1).joint("j", "revolute", None, "b", axis=(0, 0, 0)).simulate(), Scenario


def test_two_hundred_bad_calls_are_refused_with_words_and_change_nothing():
    sim = wheel_world().simulate()
    sim.inputs["motor"] = 0.3
    sim.advance(0.1)
    before, wrong, count = sim.save(), [], 0
    for what, call, right in calls(sim):
        count += 1
        try:
            call()
            wrong.append(f"{what}: accepted")
        except Exception as error:
            if not isinstance(error, right) or not str(error).strip():
                wrong.append(f"{what}: {type(error).__name__}: {error}")
        if sim.save() != before:
            wrong.append(f"{what}: changed the state")
            sim.restore(before)
    assert not wrong, f"{len(wrong)} of {count}:\n" + "\n".join(wrong)
    assert count >= 200


def test_a_simulation_that_a_controller_steps_in_a_second_thread_is_its_own():
    """While a run holds the engine, other threads are refused; while a controller is called, it is free."""
    sim = wheel_world().simulate()
    seen = []
    sim.run(lambda s: seen.append(s["body.frame.z_m"]), dt=0.1, until=0.3)
    assert len(seen) == 3
