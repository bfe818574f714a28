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
    slip, load = mujoco_rover.compare(1e-3, 5.0, slope=15.0, last=2.0, spacing="20 mm")
    assert slip < 0.02 and load < 0.05


def table_of_the_page():
    """Rows of the comparison in docs/your-simulator.md: name to the four numbers beside it."""
    page = (Path(__file__).parents[2] / "docs/your-simulator.md").read_text()
    rows = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith(("| mean slip", "| load of"))]
    return {row[0].split(",")[0]: [float(cell) for cell in row[1:]] for row in rows}


def test_the_page_has_the_numbers_of_the_example():
    """The whole comparison, at both steps: slip and loads come nearer at half the step. Numbers of the page to their last digit or two, which builds of MuJoCo may change."""
    page = table_of_the_page()
    names = {"load of a front wheel": 0, "load of a middle wheel": 2, "load of a rear wheel": 4}
    apart, slips = [], []
    for k, step in enumerate((1e-3, 0.5e-3)):
        ours, theirs = (run(step, 12.0, 15.0, 10.0) for run in (mujoco_rover.in_touchdown, mujoco_rover.in_mujoco))
        assert [ours["slip"], theirs["slip"]] == pytest.approx(page["mean slip of the wheels"][2 * k : 2 * k + 2], abs=3e-4)
        for name, wheel in names.items():
            assert [ours["loads"][wheel], theirs["loads"][wheel]] == pytest.approx(page[name][2 * k : 2 * k + 2], abs=0.03), name
        apart.append(np.abs(theirs["loads"] / ours["loads"] - 1).max())
        slips.append(abs(theirs["slip"] - ours["slip"]))
        assert slips[-1] < 0.02 and apart[-1] < 0.05
    assert apart[1] < apart[0] and slips[1] < slips[0]


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
    # The weight comes on over 2 s, slowly against the period of 0.3 s on virgin soil: the sinkage of the static load within 6/(20 rad/s · 2 s)² = 0.4 %.
    for k in range(2500):
        s = min(k / 2000, 1.0)
        model.opt.gravity[2] = -1.62 * s**3 * (10 - 15 * s + 6 * s**2)
        soil.step(data)
    sinkage = 20 * 1.62 / (0.01 * (1400 / 0.1 + 820_000))
    assert 0.01 - data.xpos[1, 2] == pytest.approx(sinkage, rel=0.01)
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
