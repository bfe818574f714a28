"""Stepping, commanding, observing and going back from Python gives what the engine gives."""

import pickle
import threading

import numpy as np
import pytest

import touchdown


def test_a_scenario_is_opened_by_name_file_and_text(tmp_path, pendulum):
    text = pendulum.resolved
    file = tmp_path / "mine.toml"
    file.write_text(text)
    by_file, by_text = touchdown.load(file), touchdown.load(text)
    for sim in (pendulum, by_file, by_text):
        sim.advance_to(1.0)
    assert pendulum.save() == by_file.save() == by_text.save()


def test_knobs_are_keywords_and_keys_with_dots_go_into_set():
    sim = touchdown.load("single-wheel", slip=0.35, set={"terrain.spacing": "20 mm"})
    assert float(sim.knobs["slip"][0]) == 0.35
    assert "spacing" in sim.resolved


def test_splits_of_an_advance_change_no_bit(wheel):
    other = wheel.fork()
    wheel.advance_to(0.5)
    for k in range(1, 26):
        other.advance_to(0.02 * k)
    stepped = other.fork()
    stepped.reset()
    for _ in range(500):
        stepped.step()
    assert wheel.save() == other.save() == stepped.save()
    assert wheel.time == pytest.approx(0.5, abs=1e-9) and wheel.steps == 500


def test_a_command_holds_until_the_next(wheel):
    assert dict(wheel.inputs) == {"motor": 0.0}
    wheel.inputs["motor"] = 0.4
    wheel.advance(1.0)
    assert wheel.inputs["motor"] == 0.4
    assert wheel["joint.axle.rate_rad_per_s"] == pytest.approx(0.4, abs=0.05)
    assert wheel.inputs.about("motor").unit == "rad/s"


def test_observing_reads_columns_and_changes_nothing(wheel):
    wheel.advance(0.3)
    before = wheel.save()
    names = ["soil.wheel.sinkage_m", "body.frame.z_m"]
    seen = wheel.observe(names)
    assert seen.dtype == np.float64 and seen.shape == (2,)
    assert seen[0] == wheel["soil.wheel.sinkage_m"] > 0
    out = np.empty(2)
    assert wheel.observe([wheel.column(name) for name in names], out=out) is out
    assert (out == seen).all() and wheel.save() == before
    assert wheel.about(names[0])["unit"] == "m"


def test_going_back_repeats_every_bit(wheel):
    wheel.inputs["motor"] = 0.3
    wheel.advance(0.5)
    saved = wheel.save()
    wheel.advance(0.5)
    end = wheel.save()
    wheel.restore(saved)
    wheel.advance(0.5)
    assert wheel.save() == end
    wheel.restore(pickle.loads(pickle.dumps(saved)))
    wheel.advance(0.5)
    assert wheel.save().blake3() == end.blake3()


def test_a_fork_goes_on_by_itself(wheel):
    wheel.advance(0.2)
    other = wheel.fork()
    other.inputs["motor"] = 1.0
    other.advance(0.2)
    assert wheel.time == pytest.approx(0.2) and wheel.inputs["motor"] == 0.0


def test_reset_goes_back_to_the_start(wheel):
    start = wheel.save()
    wheel.advance(0.2)
    wheel.reset()
    assert wheel.save() == start


def test_threads_step_simulations_of_their_own_at_the_same_time(wheel):
    sims = [wheel.fork() for _ in range(4)]
    threads = [threading.Thread(target=sim.advance_to, args=(0.5,)) for sim in sims]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(sim.save() == sims[0].save() for sim in sims)


def test_the_build_says_what_it_is():
    assert touchdown.__version__ == touchdown.build["version"]
    assert touchdown.__version__.build == touchdown.build and {"commit", "target", "features", "compiler"} <= touchdown.build.keys()
    assert touchdown.build["target"] and "commit" in touchdown.build
    assert "single-wheel" in touchdown.scenarios() and "lunar-nominal" in touchdown.soils()
