"""FMUs (FMI 3.0) in fmpy: valid, the same numbers as our own run, rolled back bit for bit, two at once."""

import os
import subprocess
from pathlib import Path

import pytest

import touchdown

fmpy = pytest.importorskip("fmpy")
BUILT = Path(os.environ.get("TOUCHDOWN_BUILT", "target/release"))
OUTPUTS = ["soil.wheel.sinkage_m", "soil.wheel.force_z_n"]


@pytest.fixture(scope="module")
def wheel_fmu(tmp_path_factory):
    export, library = BUILT / "examples/export", BUILT / "libtouchdown_c.so"
    if not export.exists() or not library.exists():
        pytest.skip("cargo build --release -p touchdown-capi -p touchdown-fmu --lib --example export was not run")
    out = tmp_path_factory.mktemp("fmu") / "wheel.fmu"
    subprocess.run([export, "single-wheel", library, out, ",".join(OUTPUTS), "slip,soil"], check=True)
    return str(out)


def started(path, slip):
    """An instance behind its initialisation, its variables, and the folder it lies in."""
    folder = fmpy.extract(path)
    description = fmpy.read_model_description(folder)
    references = {v.name: v.valueReference for v in description.modelVariables}
    fmu = fmpy.instantiate_fmu(folder, description, "CoSimulation")
    fmu.setFloat64([references["slip"]], [slip])
    fmu.enterInitializationMode(startTime=0.0)
    fmu.exitInitializationMode()
    return fmu, [references[name] for name in OUTPUTS], references


def advance(fmu, begin, end, h=0.05):
    for k in range(round((end - begin) / h)):
        fmu.doStep(currentCommunicationPoint=begin + k * h, communicationStepSize=h)


def test_an_fmu_is_valid_and_gives_our_own_numbers(wheel_fmu):
    from fmpy.validation import validate_fmu

    assert validate_fmu(wheel_fmu) == []
    theirs = fmpy.simulate_fmu(wheel_fmu, stop_time=0.5, output_interval=0.05, start_values={"slip": 0.3}, output=OUTPUTS)
    sim = touchdown.load("single-wheel", slip=0.3)
    for row in theirs:
        sim.advance_to(min(float(row["time"]), sim.duration))
        assert [row[name] for name in OUTPUTS] == list(sim.observe(OUTPUTS))


def test_going_back_repeats_every_bit_also_through_bytes(wheel_fmu):
    fmu, outputs, _ = started(wheel_fmu, 0.3)
    advance(fmu, 0.0, 0.2)
    state = fmu.getFMUState()
    kept = fmu.serializeFMUState(state)
    advance(fmu, 0.2, 0.4)
    end = fmu.getFloat64(outputs)
    fmu.setFMUState(state)
    advance(fmu, 0.2, 0.4)
    assert fmu.getFloat64(outputs) == end
    fmu.freeFMUState(state)
    again = fmu.deserializeFMUState(kept)
    fmu.setFMUState(again)
    advance(fmu, 0.2, 0.4)
    assert fmu.getFloat64(outputs) == end
    fmu.freeInstance()


def test_two_instances_know_nothing_of_each_other(wheel_fmu):
    a, outputs, _ = started(wheel_fmu, 0.1)
    b, _, _ = started(wheel_fmu, 0.5)
    advance(a, 0.0, 0.2)
    advance(b, 0.0, 0.2)
    for fmu, slip in ((a, 0.1), (b, 0.5)):
        sim = touchdown.load("single-wheel", slip=slip)
        sim.advance_to(0.2)
        assert fmu.getFloat64(outputs) == list(sim.observe(OUTPUTS))
        fmu.freeInstance()


def test_wrong_calls_are_errors_and_nothing_is_lost(wheel_fmu):
    from fmpy.fmi1 import FMICallException

    fmu, outputs, references = started(wheel_fmu, 0.3)
    advance(fmu, 0.0, 0.1)
    before = fmu.getFloat64(outputs)
    wrong = [
        lambda: fmu.getFloat64([999]),
        lambda: fmu.getFloat64([references["soil"]]),
        lambda: fmu.setFloat64([999], [1.0]),
        lambda: fmu.setFloat64(outputs[:1], [1.0]),
        lambda: fmu.setFloat64([references["slip"]], [0.1]),
        lambda: fmu.setString([references["soil"]], ["lete-sand"]),
        lambda: fmu.setString([references["slip"]], ["steep"]),
        lambda: fmu.enterInitializationMode(startTime=0.0),
        lambda: fmu.doStep(currentCommunicationPoint=0.0, communicationStepSize=-1.0),
        lambda: fmu.doStep(currentCommunicationPoint=float("nan"), communicationStepSize=0.1),
        lambda: fmu.doStep(currentCommunicationPoint=0.1, communicationStepSize=1e9),
        lambda: fmu.setFMUState(None),
        lambda: fmu.deserializeFMUState(b"nonsense"),
        lambda: fmu.getInt32([1]),
        lambda: fmu.enterEventMode(),
    ]
    for call in wrong:
        with pytest.raises(FMICallException):
            call()
    assert fmu.getFloat64(outputs) == before
    fmu.freeInstance()
