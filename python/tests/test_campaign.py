"""Campaigns from Python: DataFrames, the tools that read results, mistakes, Ctrl-C, and Dask with a killed worker."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

import touchdown

STUDY = {
    "scenario": "pendulum",
    "cases": 40,
    "seed": 7,
    "sampling": "sobol",
    "vary": {"duration_s": {"uniform": [0.5, 2.0]}, "body.bob.mass": {"values": [1.0, 2.0], "unit": "kg"}},
    "requirement": {"right": {"quantity": "x_end_m", "at_least": 0.0, "probability": 0.5, "confidence": 0.9}},
}


def test_cases_are_rows_and_requirements_have_verdicts():
    """After a time between half a second and two a pendulum that fell from the right is on the right or left as its law says."""
    frame = touchdown.campaign(**STUDY)
    assert list(frame["index"]) == list(range(40)) and set(frame["status"]) == {"ok"}
    assert frame["input.duration_s"].between(0.5, 2.0).all() and set(frame["input.body.bob.mass"]) == {1.0, 2.0}
    right = frame.attrs["assessment"]["requirements"][0]
    assert right["kept"] == (frame["quantity.x_end_m"] >= 0).sum() and right["verdict"] in ("PASS", "FAIL", "INCONCLUSIVE")
    assert frame.attrs["units"]["input.duration_s"] == "s" and frame.attrs["units"]["quantity.x_end_m"] == "m"
    # The mass of a pendulum does not matter; the law of one case is that of a run.
    alone = touchdown.load("pendulum", duration_s=float(frame["input.duration_s"][3])).run()
    assert alone.quantities["x_end_m"] == pytest.approx(frame["quantity.x_end_m"][3], abs=1e-12)


def test_a_folder_goes_on_and_threads_change_nothing(tmp_path):
    seen = []
    first = touchdown.campaign(**STUDY, out=tmp_path / "a", threads=1, progress=lambda done, of: seen.append((done, of)))
    assert seen[-1] == (40, 40) and (tmp_path / "a/report.html").exists()
    touchdown.campaign(**STUDY, out=tmp_path / "b", threads=3)
    assert (tmp_path / "a/cases.parquet").read_bytes() == (tmp_path / "b/cases.parquet").read_bytes()
    again = touchdown.campaign(out=tmp_path / "a")
    assert again.equals(first) and touchdown.assess(tmp_path / "a") == again.attrs["assessment"]


def test_the_command_goes_on_where_python_stopped(tmp_path):
    program = Path(os.environ.get("TOUCHDOWN", "target/release/touchdown"))
    if not program.exists():
        pytest.skip("the command is not built")
    frame = touchdown.campaign(**STUDY, out=tmp_path / "c")
    told = subprocess.run([program, "campaign", "assess", tmp_path / "c", "--json"], capture_output=True, text=True)
    assert json.loads(told.stdout) == frame.attrs["assessment"], told.stderr


def test_duckdb_polars_and_pandas_read_the_same(tmp_path):
    """`cases.parquet` is read as it is: the same numbers, the same missing values, words as words."""
    duckdb, polars = pytest.importorskip("duckdb"), pytest.importorskip("polars")
    # Cut before the first contact: a docking without most of its answers, so that there are missing values.
    study = {"scenario": "docking", "set": ["duration_s=0.01"], "vary": {"offset_x_m": {"linear": [-0.04, 0.04], "points": 5}}}
    frame = touchdown.campaign(**study, out=tmp_path)
    path = tmp_path / "cases.parquet"
    rows = duckdb.sql(f"select * from '{path}' order by index").fetchall()
    other = polars.read_parquet(path)
    assert other.columns == list(frame.columns) and other["status"].dtype == polars.String
    assert [tuple(None if v != v else v for v in row) for row in frame.itertuples(index=False)] == rows == other.rows()
    assert any(None in row for row in rows)
    count = duckdb.sql(f"select count(*) from '{path}' where \"input.offset_x_m\" > 0 and status = 'ok'").fetchall()
    assert count == [(2,)]


def test_tables_of_pandas_and_polars_are_cases(tmp_path):
    """Rows of a DataFrame are cases, as pandas (Snappy) and polars (ZSTD) write it: whole numbers, words and categories of them."""
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    words = ["-90 deg", "30 deg", "30 deg"]
    table = pandas.DataFrame({"duration_s": [1, 2, 3], "joint.hinge.position": pandas.Categorical(words)})
    table.to_parquet(tmp_path / "pandas.parquet")
    polars.from_pandas(table).write_parquet(tmp_path / "polars.parquet")
    table.to_csv(tmp_path / "pandas.csv", index=False)
    frames = [touchdown.campaign(scenario="pendulum", table={"file": tmp_path / name}) for name in ("pandas.parquet", "polars.parquet", "pandas.csv")]
    assert list(frames[0]["input.duration_s"]) == [1.0, 2.0, 3.0] and list(frames[0]["input.joint.hinge.position"]) == words
    assert frames[0].equals(frames[1]) and frames[0].equals(frames[2])
    table["duration_s"] = [1.0, None, 3.0]
    table.to_parquet(tmp_path / "missing.parquet")
    with pytest.raises(touchdown.ScenarioError, match="no value for duration_s in row 2"):
        touchdown.campaign(scenario="pendulum", table={"file": tmp_path / "missing.parquet"})


def test_whole_runs_are_kept(tmp_path):
    touchdown.campaign(scenario="pendulum", vary={"duration_s": [0.1, 0.2, 0.3]}, keep={"every": 2}, out=tmp_path)
    kept = sorted(run.name for run in (tmp_path / "runs").iterdir())
    assert kept == ["case-000000", "case-000002"]
    summary = json.loads((tmp_path / "runs/case-000002/summary.json").read_text())
    assert summary["finished"] and summary["sim_time_s"] == pytest.approx(0.3)


def test_mistakes_are_reported_all_at_once(tmp_path):
    bad = {**STUDY, "sampling": "sobel", "requirement": {"right": {"quantity": "x_end_m"}}}
    with pytest.raises(touchdown.ScenarioError, match="(?s)did you mean sobol.*at_most|at_most.*did you mean sobol"):
        touchdown.campaign(**bad, out=tmp_path / "x")
    assert not (tmp_path / "x").exists()
    with pytest.raises(touchdown.ScenarioError, match="no quantity x_and_m"):
        touchdown.campaign(**{**STUDY, "requirement": {"right": {"quantity": "x_and_m", "at_most": 1}}})
    with pytest.raises(TypeError, match="not both"):
        touchdown.campaign("study.toml", scenario="pendulum")
    with pytest.raises(TypeError, match="seed of a study"):
        touchdown.campaign(scenario="pendulum", seed=object())
    with pytest.raises(ValueError, match="folder that all workers see"):
        touchdown.campaign(**STUDY, client=object())
    touchdown.campaign(**STUDY, out=tmp_path / "y")
    with pytest.raises(touchdown.CampaignError, match="another plan"):
        touchdown.campaign(**{**STUDY, "seed": 8}, out=tmp_path / "y")


LONG = {
    "scenario": "pendulum",
    "cases": 48,
    "seed": 1,
    "set": ['integrator={name="realtime", step="1 ms"}'],
    "vary": {"duration_s": {"uniform": [50.0, 150.0]}},
}


def test_ctrl_c_leaves_the_finished_cases(tmp_path):
    """An interrupt ends the call with KeyboardInterrupt; the next call goes on and ends with the bytes of one that was never interrupted."""
    program = f"import touchdown\ntouchdown.campaign(**{LONG!r}, out='cut', threads=1)"
    child = subprocess.Popen([sys.executable, "-c", program], cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    while not list(tmp_path.glob("cut/cases/shard=0000/journal-*.bin")):
        assert child.poll() is None, child.communicate()[1]
        time.sleep(0.01)
    child.send_signal(signal.SIGINT)
    assert "KeyboardInterrupt" in child.communicate(timeout=60)[1]
    assert not (tmp_path / "cut/cases.parquet").exists()
    touchdown.campaign(out=tmp_path / "cut")
    touchdown.campaign(**LONG, out=tmp_path / "whole")
    assert (tmp_path / "cut/cases.parquet").read_bytes() == (tmp_path / "whole/cases.parquet").read_bytes()


def test_dask_with_a_killed_worker_ends_with_the_same_bytes(tmp_path):
    """Shards of a worker that is killed run again on another one and go on; the result is that of this machine alone."""
    pytest.importorskip("distributed")
    program = f"""
    import os, signal, threading, time
    from pathlib import Path
    from distributed import Client, LocalCluster
    import touchdown

    def kill(client):
        while not list(Path("dask").glob("cases/shard=*/journal-*.bin")):
            time.sleep(0.01)
        victim = min(client.run(os.getpid).values())
        os.kill(victim, signal.SIGKILL)
        Path("killed").write_text(str(victim))

    if __name__ == "__main__":
        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
            before = set(client.run(os.getpid).values())
            threading.Thread(target=kill, args=(client,)).start()
            touchdown.campaign(**{LONG!r}, out="dask", client=client, shards=8)
            after = set(client.run(os.getpid).values())
            victim = int(Path("killed").read_text())
            assert victim in before and victim not in after, (before, after, victim)
    """
    (tmp_path / "run.py").write_text(textwrap.dedent(program))
    subprocess.run([sys.executable, "run.py"], cwd=tmp_path, check=True, timeout=300)
    touchdown.campaign(**LONG, out=tmp_path / "whole")
    assert (tmp_path / "dask/cases.parquet").read_bytes() == (tmp_path / "whole/cases.parquet").read_bytes()


def test_shipped_results_name_the_program_that_made_them():
    """A result without its program cannot be repeated: each was made by a commit without changes, which the page about them names."""
    studies = Path(__file__).parents[2] / "studies/campaigns"
    rows = [row for row in (studies / "README.md").read_text().split("## Results")[1].splitlines() if row.startswith("|")]
    results = list((studies / "results").iterdir())
    assert len(results) >= 3
    for result in results:
        build = json.loads((result / "plan.json").read_text())["build"]
        (row,) = [row for row in rows if f"`{result.name}`" in row.split("|")[1]]
        assert not build["dirty"] and build["commit"][:10] in row.split("|")[3], result.name
