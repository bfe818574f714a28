"""FMUs (FMI 3.0 and 2.0) in fmpy: valid, the same numbers as our own run, rolled back bit for bit, two at once."""

import math
import os
import subprocess
from pathlib import Path

import pytest

import touchdown

fmpy = pytest.importorskip("fmpy")
BUILT = Path(os.environ.get("TOUCHDOWN_BUILT", "target/release"))
OUTPUTS = ["soil.wheel.sinkage_m", "soil.wheel.force_z_n"]


def export(out, scenario, fmi, *options):
    """An FMU that the command makes."""
    program = Path(os.environ.get("TOUCHDOWN", BUILT / "touchdown"))
    if not program.exists() or not (BUILT / "libtouchdown_c.so").exists():
        pytest.skip("cargo build --release -p touchdown-capi -p touchdown-cli --lib --bins was not run")
    command = [program, "export", "fmu", scenario, "--fmi", fmi, "--library", BUILT / "libtouchdown_c.so", "--out", out, *options]
    subprocess.run([str(word) for word in command], check=True, capture_output=True)
    return str(out)


@pytest.fixture(scope="module")
def wheel_fmu(tmp_path_factory):
    out = tmp_path_factory.mktemp("fmu") / "wheel.fmu"
    return export(out, "single-wheel", "3", "--outputs", ",".join(OUTPUTS), "--parameters", "slip,soil")


@pytest.fixture(scope="module")
def wheel_fmu2(tmp_path_factory):
    out = tmp_path_factory.mktemp("fmu") / "wheel.fmu"
    return export(out, "single-wheel", "2", "--outputs", ",".join(OUTPUTS), "--parameters", "slip,soil")


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


def test_terminals_group_what_belongs_together_by_the_standards_schema(wheel_fmu):
    from zipfile import ZipFile

    from lxml import etree

    with ZipFile(wheel_fmu) as archive:
        text = archive.read("terminalsAndIcons/terminalsAndIcons.xml")
    schema = Path(fmpy.__file__).parent / "schema" / "fmi3" / "fmi3TerminalsAndIcons.xsd"
    root = etree.fromstring(text)
    etree.XMLSchema(etree.parse(str(schema))).assertValid(root)
    terminals = {t.get("name"): [m.get("variableName") for m in t] for t in root.iter("Terminal")}
    assert terminals == {"soil.wheel": OUTPUTS}


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


def senseless(fmu, two, references, outputs):
    """Calls that no importing tool may make of an FMU behind its initialisation."""
    get, put = (fmu.getReal, fmu.setReal) if two else (fmu.getFloat64, fmu.setFloat64)
    others = ["Integer", "Boolean"] if two else ["Float32", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64", "Boolean"]
    slip, soil = references["slip"], references["soil"]
    for unknown in (max(references.values()) + 1, 999, 2**20, 2**31, 2**32 - 1):
        yield f"get {unknown}", lambda r=unknown: get([r])
        yield f"get {unknown} among others", lambda r=unknown: get([outputs[0], r])
        yield f"set {unknown}", lambda r=unknown: put([r], [1.0])
        yield f"get text {unknown}", lambda r=unknown: fmu.getString([r])
        yield f"set text {unknown}", lambda r=unknown: fmu.setString([r], ["1"])
    for value in (1.0, math.nan, math.inf, -math.inf):
        for output in outputs:
            yield f"set an output to {value}", lambda r=output, v=value: put([r], [v])
        yield f"set a parameter to {value} too late", lambda v=value: put([slip], [v])
        yield f"set a text to {value}", lambda v=value: put([soil], [v])
    for text in ("", "steep", "0.3", "lete-sand", "x" * 10_000):
        for reference in (slip, soil, *outputs):
            yield f"set {reference} to a text", lambda r=reference, t=text: fmu.setString([r], [t])
    for reference in (slip, *outputs):
        yield f"get {reference} as a text", lambda r=reference: fmu.getString([r])
    yield "get a text as a number", lambda: get([soil])
    for kind in others:
        for reference in (slip, soil, outputs[0], 999):
            yield f"get {reference} as {kind}", lambda k=kind, r=reference: getattr(fmu, f"get{k}")([r])
    for begin in (0.1, 0.0, 5.0):
        for h in (-1.0, -1e-6, 0.0, math.nan, math.inf, -math.inf):
            yield f"a step of {h} from {begin}", lambda b=begin, h=h: fmu.doStep(currentCommunicationPoint=b, communicationStepSize=h)
    for begin in (math.nan, math.inf, -math.inf, -1.0, 0.05, 0.11, 0.2, 19.0, 50.0, 1e9):
        yield f"a step from {begin}", lambda b=begin: fmu.doStep(currentCommunicationPoint=b, communicationStepSize=0.05)
    yield "initialisation once more", (fmu.enterInitializationMode if two else lambda: fmu.enterInitializationMode(startTime=0.0))


@pytest.mark.parametrize("fmi", ["3", "2"])
def test_more_than_a_hundred_senseless_calls_are_errors_and_nothing_is_lost(request, fmi):
    from fmpy.fmi1 import FMICallException

    path = request.getfixturevalue("wheel_fmu" if fmi == "3" else "wheel_fmu2")
    folder = fmpy.extract(path)
    description = fmpy.read_model_description(folder)
    references = {v.name: v.valueReference for v in description.modelVariables}
    outputs = [references[name] for name in OUTPUTS]
    fmu = fmpy.instantiate_fmu(folder, description, "CoSimulation")
    if fmi == "2":
        fmu.setupExperiment(startTime=0.0)
    fmu.enterInitializationMode()
    fmu.exitInitializationMode()
    advance(fmu, 0.0, 0.1)
    get, save = (fmu.getReal, fmu.getFMUstate) if fmi == "2" else (fmu.getFloat64, fmu.getFMUState)
    keep = fmu.serializeFMUstate if fmi == "2" else fmu.serializeFMUState
    before, wrong, count = (list(get(outputs)), bytes(keep(save()))), [], 0
    for what, call in senseless(fmu, fmi == "2", references, outputs):
        count += 1
        try:
            call()
            wrong.append(f"{what}: accepted")
        except FMICallException:
            pass
        if (list(get(outputs)), bytes(keep(save()))) != before:
            wrong.append(f"{what}: changed the state")
            break
    assert not wrong, f"{len(wrong)} of {count}:\n" + "\n".join(wrong)
    assert count >= 100
    advance(fmu, 0.1, 0.2)
    fmu.freeInstance()


PENDULUM = """
title = "pendulum that a torque drives"
duration = "2 s"
gravity_m_per_s2 = [0, -9.81, 0]
integrator = { name = "realtime", step = "1 ms" }
[body.bob]
mass = "1 kg"
centre_of_mass = ["0 m", "-1 m", "0 m"]
point_mass = true
[joint.hinge]
type = "revolute"
child = "bob"
axis = [0, 0, 1]
[drive.motor]
joints = "hinge"
torque = "0 N m"
input = true
"""


def steered(path, motors, outputs, guidance, end, h):
    """What fmpy reads of an FMU whose inputs are set from its outputs before every step."""
    folder = fmpy.extract(path)
    description = fmpy.read_model_description(folder)
    references = {v.name: v.valueReference for v in description.modelVariables}
    fmu = fmpy.instantiate_fmu(folder, description, "CoSimulation")
    two = description.fmiVersion == "2.0"
    get, put = (fmu.getReal, fmu.setReal) if two else (fmu.getFloat64, fmu.setFloat64)
    if two:
        fmu.setupExperiment(startTime=0.0)
        fmu.enterInitializationMode()
    else:
        fmu.enterInitializationMode(startTime=0.0)
    fmu.exitInitializationMode()
    read = [references[name] for name in outputs]
    for k in range(round(end / h)):
        put([references[name] for name in motors], guidance(k * h, get(read)))
        fmu.doStep(currentCommunicationPoint=k * h, communicationStepSize=h)
    seen = get(read)
    fmu.freeInstance()
    return seen


def same_as_ours(tmp_path, fmi, scenario, sets, motors, outputs, guidance, end, h):
    options = ["--inputs", ",".join(motors), "--outputs", ",".join(outputs)]
    for key, value in sets.items():
        options += ["--set", f"{key}={str(value).lower()}"]
    path = export(tmp_path / "steered.fmu", scenario, fmi, *options)
    from fmpy.validation import validate_fmu

    assert validate_fmu(path) == []
    theirs = steered(path, motors, outputs, guidance, end, h)
    sim = touchdown.load(scenario, set=sets)
    for k in range(round(end / h)):
        for name, value in zip(motors, guidance(k * h, list(sim.observe(outputs)))):
            sim.inputs[name] = value
        sim.advance_to(k * h + h)
    assert list(theirs) == list(sim.observe(outputs))
    return theirs


@pytest.mark.parametrize("fmi", ["3", "2"])
def test_a_pendulum_driven_by_a_sine_is_that_of_our_own_run(tmp_path, fmi):
    file = tmp_path / "pendulum.toml"
    file.write_text(PENDULUM)
    drive = lambda t, seen: [2.0 * math.sin(3.0 * t)]
    angle = "joint.hinge.position_rad"
    theirs = same_as_ours(tmp_path, fmi, str(file), {}, ["motor"], [angle], drive, 1.0, 0.01)
    assert abs(theirs[0]) > 0.01


@pytest.mark.parametrize("fmi", ["3", "2"])
def test_a_rover_on_soil_is_driven_from_outside(tmp_path, fmi):
    sides = [f"{place}_{side}" for place in ("front", "middle", "rear") for side in ("left", "right")]
    motors = [f"rover/drive_{side}" for side in sides]
    outputs = ["body.rover/chassis.vx_m_per_s", "body.rover/chassis.z_m"]
    hold = lambda t, seen: [0.2 + 0.5 * (0.03 - seen[0])] * 6
    same_as_ours(tmp_path, fmi, "rover-drawbar-pull", {"machine.rover.inputs": True}, motors, outputs, hold, 0.1, 0.02)


def test_fmi_2_goes_back_bit_for_bit_and_reads_texts(wheel_fmu2):
    from fmpy.fmi1 import FMICallException
    from fmpy.validation import validate_fmu

    assert validate_fmu(wheel_fmu2) == []
    folder = fmpy.extract(wheel_fmu2)
    description = fmpy.read_model_description(folder)
    references = {v.name: v.valueReference for v in description.modelVariables}
    fmu = fmpy.instantiate_fmu(folder, description, "CoSimulation")
    fmu.setReal([references["slip"]], [0.3])
    fmu.setupExperiment(startTime=0.0)
    fmu.enterInitializationMode()
    fmu.exitInitializationMode()
    assert [bytes(text).decode() for text in fmu.getString([references["soil"]])] == [touchdown.load("single-wheel").knobs["soil"][0]]
    outputs = [references[name] for name in OUTPUTS]
    advance(fmu, 0.0, 0.2)
    state = fmu.getFMUstate()
    kept = fmu.serializeFMUstate(state)
    advance(fmu, 0.2, 0.4)
    end = fmu.getReal(outputs)
    fmu.setFMUstate(fmu.deSerializeFMUstate(kept, state) or state)
    advance(fmu, 0.2, 0.4)
    assert fmu.getReal(outputs) == end
    sim = touchdown.load("single-wheel", slip=0.3)
    for k in range(8):
        sim.advance_to(min(k * 0.05 + 0.05, sim.duration))
    assert list(sim.observe(OUTPUTS)) == end
    for wrong in (lambda: fmu.getReal([999]), lambda: fmu.setReal([references["slip"]], [0.1]), lambda: fmu.getInteger([1]), lambda: fmu.doStep(currentCommunicationPoint=0.4, communicationStepSize=-1.0)):
        with pytest.raises(FMICallException):
            wrong()
    assert fmu.getReal(outputs) == end
    fmu.freeInstance()


@pytest.mark.parametrize("fmi", ["3", "2"])
def test_guidance_outside_brings_the_capture_tool_to_the_nozzle(tmp_path, fmi):
    """The boom's rate follows from where the tool is; half of the way to a point 10 mm ahead in each second."""
    goal = touchdown.load("docking-lock")["body.tool.z_m"] + 0.01
    approach = lambda t, seen: [0.5 * (goal - seen[0])]
    outputs = ["body.tool.z_m", "polygonal.nozzle_tool.normal_force_n"]
    theirs = same_as_ours(tmp_path, fmi, "docking-lock", {"boom.cdm.input": True}, ["cdm"], outputs, approach, 0.5, 0.05)
    assert goal - 0.01 < theirs[0] < goal
