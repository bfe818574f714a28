"""Runs with a controller, their tables, and the run folder."""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import numpy as np
import pytest

import touchdown


def test_a_run_without_controller_is_that_of_the_command(tmp_path, pendulum):
    run = pendulum.run()
    assert run.finished and run.time[0] == 0 and run.time[-1] == 5
    run.save(tmp_path / "mine")
    program = Path(os.environ.get("TOUCHDOWN", "target/release/touchdown"))
    if not program.exists():
        pytest.skip("the command is not built")
    command = [str(program), "run", "pendulum", "--set", "duration_s=5", "--out", str(tmp_path / "theirs"), "--quiet", "--no-report"]
    subprocess.run(command, check=True, capture_output=True)
    for name in ("series.parquet", "frames.mcap"):
        assert (tmp_path / "mine" / name).read_bytes() == (tmp_path / "theirs" / name).read_bytes()
    mine, theirs = (json.loads((tmp_path / f / "summary.json").read_text()) for f in ("mine", "theirs"))
    assert mine["quantities"] == theirs["quantities"] and mine["ledger"] == theirs["ledger"]
    assert "Where is the bob after the given time?" in (tmp_path / "mine" / "report.html").read_text()
    run.save(tmp_path / "bare", report=False)
    assert not (tmp_path / "bare" / "report.html").exists()


def test_a_controller_holds_the_speed_over_the_ground(wheel):
    """Integral control of the ground speed: the wheel ends at 0.05 m/s although it slips."""
    rate = 0.0

    def hold(sim):
        nonlocal rate
        rate += 0.02 * 10 * (0.05 - sim["body.frame.vx_m_per_s"])
        return {"motor": rate}

    run = wheel.run(hold, dt=0.02)
    assert run["body.frame.vx_m_per_s"][-1] == pytest.approx(0.05, abs=5e-3)


def test_a_controller_that_does_nothing_changes_no_bit(wheel):
    other = wheel.fork()
    calls = []
    wheel.run(lambda sim: calls.append(sim.time), dt=0.1)
    other.run()
    assert wheel.save() == other.save() and len(calls) == 40
    assert calls == pytest.approx(np.arange(40) * 0.1, abs=1e-9)


def test_rows_with_a_controller_are_those_without(wheel):
    other = wheel.fork()
    a, b = wheel.run(lambda sim: None, dt=0.1), other.run()
    assert (a.values == b.values).all()


def test_what_a_controller_raises_arrives(wheel):
    def broken(sim):
        raise RuntimeError("no plan")

    with pytest.raises(RuntimeError, match="no plan"):
        wheel.run(broken)
    assert wheel.time == 0


def test_tables_hold_the_rows(pendulum):
    run = pendulum.run(frames=False)
    column = "joint.hinge.position_rad"
    pyarrow = pytest.importorskip("pyarrow")
    table = run.to_arrow()
    assert table.column_names == run.columns and isinstance(table, pyarrow.Table)
    assert (table[column].to_numpy() == run[column]).all()
    assert table.schema.field(column).metadata[b"unit"] == b"rad"
    frame = pytest.importorskip("pandas") and run.to_pandas()
    assert (frame[column].to_numpy() == run[column]).all()
    pytest.importorskip("polars")
    assert (run.to_polars()[column].to_numpy() == run[column]).all()


def test_plots_take_patterns(pendulum):
    pytest.importorskip("matplotlib").use("Agg")
    run = pendulum.run(frames=False)
    axes = run.plot("joint.*.position_rad")
    assert len(axes.lines) >= 1 and "rad" in axes.get_ylabel()


def test_a_run_can_end_early_and_go_on(pendulum):
    first = pendulum.run(until=2.0)
    second = pendulum.run()
    assert first.time[-1] <= 2.0 < second.time[-1] == 5


def test_a_notebook_shows_the_answer_first_and_the_checks(pendulum):
    shown = pendulum.run()._repr_html_()
    assert "Where is the bob after the given time?" in shown and "x_end_m" in shown and "checks hold" in shown
    assert len(shown) < 2_000_000


def test_ctrl_c_ends_a_run(tmp_path):
    """A signal during a run raises KeyboardInterrupt; without it the run would take hours."""
    script = tmp_path / "long.py"
    script.write_text(
        "import touchdown\n"
        "sim = touchdown.load('pendulum', duration_s=1e6)\n"
        "try:\n    print('ready', flush=True)\n    sim.run(frames=False)\nexcept KeyboardInterrupt:\n    print('stopped', flush=True)\n"
    )
    process = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    # Paces the signal, so that it mostly comes during the run; the result does not depend on it.
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    assert process.stdout.readline() == "stopped\n"
    process.wait()


def test_a_run_in_a_notebook_brings_its_replay_in_two_megabytes():
    """The frame holds a whole page that plays without a network, and saved notebooks stay small."""
    sim = touchdown.load("rover-drawbar-pull", duration_s=2, set={"terrain.spacing": "20 mm"})
    run = sim.run(progress=False)
    shown = run._repr_html_()
    assert len(shown.encode()) <= 2_100_000 and "<iframe srcdoc='" in shown and "sandbox='allow-scripts'" in shown
    replay = run.replay()
    assert replay is not None and len(replay.encode()) <= 2_000_000 and 'id="replay-frames"' in replay
    assert "default-src 'none'" in replay
    smaller = run.replay(1_200_000)
    assert smaller is not None and len(smaller.encode()) <= 1_200_000
    assert run.replay(1000) is None
    assert touchdown.load("pendulum", duration_s=1).run(frames=False).replay() is None


def test_a_view_shows_runs_while_they_go_on(pendulum):
    """The page has what each run has recorded so far, and goes on with the next run; nobody without its address reads it."""
    if not touchdown._touchdown.has_pages:
        pytest.skip("built without pages")
    view = pendulum.view(browser=False)

    def extent():
        with urllib.request.urlopen(view.url + "api/extent") as answer:
            return json.load(answer)

    assert extent()["rows"] == 0
    seen = []
    first = pendulum.run(lambda sim: seen.append(extent()["frames"]), dt=0.5, until=2.0, progress=False)
    assert seen == sorted(seen) and 0 < seen[-1] <= extent()["frames"]
    second = pendulum.run(progress=False)
    assert extent()["rows"] == len(first) + len(second) and extent()["live"]
    with pytest.raises(urllib.error.HTTPError):
        urllib.request.urlopen(view.url.rsplit("/", 2)[0] + "/guess/api/extent")
    view.close()
    with pytest.raises(urllib.error.URLError):
        extent()
