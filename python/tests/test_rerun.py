"""A run in Rerun: its own reader finds every body, force, square of soil and column. Where rerun-sdk is installed; CI does without it."""

import subprocess
import sys

import numpy as np
import pytest

rerun = pytest.importorskip("rerun")

import touchdown  # noqa: E402
import touchdown.rerun  # noqa: E402
from conftest import wheel_world  # noqa: E402


@pytest.fixture(scope="module")
def run():
    sim = wheel_world(1.0).simulate()
    sim.inputs["motor"] = 0.4
    return sim.run(progress=False)


def entities(path):
    """Paths that a file has, and the chunks of each, as its own program prints them."""
    printed = subprocess.run([sys.executable, "-m", "rerun", "rrd", "print", str(path)], check=True, capture_output=True, text=True).stdout
    return printed


def test_scene_forces_soil_and_columns_are_there(run, tmp_path):
    touchdown.rerun.convert(run, tmp_path / "wheel.rrd")
    printed = entities(tmp_path / "wheel.rrd")
    for path in ("/world/bodies/wheel", "/world/forces", "/world/ground", "/world/soil/", "/columns/soil/wheel/sinkage_m"):
        assert path in printed, path


def test_a_folder_is_taken_as_well_and_what_is_none_is_named(run, tmp_path):
    run.save(tmp_path / "run")
    touchdown.rerun.convert(tmp_path / "run", tmp_path / "wheel.rrd")
    assert (tmp_path / "wheel.rrd").stat().st_size > 10_000
    with pytest.raises(touchdown.RecordError):
        touchdown.rerun.convert(tmp_path, tmp_path / "none.rrd")


def test_the_ground_leaves_room_for_squares_of_soil():
    """A relief of 4 by 4 cells of 0.32 m with a square of 32 by 32 nodes of 10 mm on it loses one cell, however coarse it is."""
    heights = np.zeros((5, 5), dtype=np.float32)
    covered = touchdown.rerun._covered((-0.64, -0.64, 0.32, heights), {(0, -32, 32, 32)}, 0.01)
    assert np.argwhere(covered).tolist() == [[1, 2]]
    fine = touchdown.rerun._covered((-0.64, -0.64, 0.16, np.zeros((9, 9), dtype=np.float32)), {(0, -32, 32, 32)}, 0.01)
    assert fine.sum() == 4
