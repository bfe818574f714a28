"""A rover in MuJoCo on our soil goes as the same rover does in our engine: two programs that share the soil and nothing else."""

import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("mujoco")
sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))

import mujoco  # noqa: E402
import mujoco_rover  # noqa: E402

import touchdown  # noqa: E402
import touchdown.mujoco  # noqa: E402


def test_slip_and_loads_are_those_of_our_engine():
    # The short form of the example, on a coarser grid: the same bounds on the same quantities.
    slip, load = mujoco_rover.compare(1e-3, 5.0, slope=8.0, last=2.0, spacing="20 mm")
    assert slip < 0.02 and load < 0.05


def test_a_block_on_soil_sinks_to_where_bekkers_law_carries_it():
    # (k_c/b + k_phi) A z = m g: 20 kg on a plate of 0.1 m by 0.1 m on lunar soil under 1.62 m/s².
    model = mujoco.MjModel.from_xml_string(
        '<mujoco><option timestep="0.001" gravity="0 0 -1.62" integrator="implicitfast"/><worldbody><body name="foot" pos="0 0 0.01"><freejoint/>'
        '<inertial pos="0 0 0" mass="20" diaginertia="0.1 0.1 0.1"/></body></worldbody></mujoco>'
    )
    data = mujoco.MjData(model)
    ground = touchdown.soil.Ground("lunar-nominal", spacing="5 mm", damping="3e4 Pa s/m")
    ground.foot("foot", size=(0.1, 0.1), height=0.02)
    soil = touchdown.mujoco.Soil(model, ground, {"foot": "foot"})
    deepest = 0.0
    for _ in range(2000):
        soil.step(data)
        deepest = max(deepest, 0.01 - data.xpos[1, 2])
    sinkage = 20 * 1.62 / (0.01 * (1400 / 0.1 + 820_000))
    # Damped hard: it comes to rest without overshooting by more than rounding and first-order time stepping allow.
    assert deepest == pytest.approx(sinkage, rel=0.05)
    assert soil.wrenches[0, 5] == pytest.approx(20 * 1.62, rel=1e-6) and abs(data.qvel).max() < 1e-6


def test_models_that_do_not_fit_are_refused():
    xml = '<mujoco><option integrator="{}"/><worldbody><body name="a"><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body></worldbody></mujoco>'
    ground = touchdown.soil.Ground("lunar-nominal")
    ground.wheel("wheel", radius=0.1, width=0.1)
    with pytest.raises(ValueError, match="implicitfast"):
        touchdown.mujoco.Soil(mujoco.MjModel.from_xml_string(xml.format("RK4")), ground, {"wheel": "a"})
    with pytest.raises(ValueError, match="a body of the model for each contact"):
        touchdown.mujoco.Soil(mujoco.MjModel.from_xml_string(xml.format("Euler")), ground, {})
    with pytest.raises(KeyError):
        touchdown.mujoco.Soil(mujoco.MjModel.from_xml_string(xml.format("Euler")), ground, {"wheel": "b"})
    assert np.isfinite(ground.height(0, 0))
