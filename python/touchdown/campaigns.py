"""Campaigns: thousands of cases as a DataFrame, on the cores of this machine or on a Dask cluster."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _touchdown
from .simulation import load

if TYPE_CHECKING:
    import pandas

RESULT = "cases.parquet"
"""The finished result in the folder of a campaign."""

RETRIES = 3
"""How often Dask tries a shard again whose worker said that another process still works on it, or that the folder was out of reach."""


def campaign(
    study: str | os.PathLike[str] | None = None,
    *,
    out: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    client: Any = None,
    shards: int | None = None,
    until_decided: bool = False,
    accept_changes: bool = False,
    progress: Callable[[int, int], None] | None = None,
    **keys: Any,
) -> pandas.DataFrame:
    """Runs the cases of a study and returns them as a DataFrame of pandas, one row for each.

    The study is a file, or its keys: `campaign(scenario="pendulum", cases=100, vary={"duration_s": {"uniform": [1, 2]}})`. The columns are those of
    `cases.parquet`; `frame.attrs["units"]` has their units, `frame.attrs["assessment"]` the verdicts.

    out: folder of the campaign, which stays: the same call goes on, and without study and keys its plan is carried out. None: a temporary one.
    threads: cases at the same time; None: all cores, with `client` one in each shard.
    client: a `dask.distributed.Client`. The cases go to its workers in `shards` parts (None: four for each of their threads); all of them must see `out`.
    until_decided: stop as soon as all requirements are decided.
    accept_changes: go on although the program or an input has changed since the plan was made.
    progress: called with cases (with a client: shards) that are done and how many there are.
    """
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError("touchdown.campaign returns a DataFrame of pandas: pip install 'touchdown-sim[pandas]'") from error
    if client is not None and out is None:
        raise ValueError("with a client the campaign needs a folder that all workers see: out=")
    with tempfile.TemporaryDirectory(prefix="touchdown-campaign-") as temporary:
        folder = os.path.abspath(out if out is not None else os.path.join(temporary, "campaign"))
        if study is not None or keys:
            _plan(study, keys, folder)
        options = (until_decided, accept_changes)
        if client is None:
            _touchdown.campaign_run(folder, threads or os.cpu_count() or 1, (0, 1), *options, progress)
        else:
            _on_dask(client, folder, shards, (threads or 1, *options), progress)
        _keep(folder)
        if out is not None:
            _touchdown.campaign_report(folder)
        path = os.path.join(folder, RESULT)
        frame = pd.read_parquet(path)
        frame.attrs.update(units=_units(path), assessment=assess(folder), folder=folder if out is not None else None)
        return frame


def assess(folder: str | os.PathLike[str]) -> dict[str, Any]:
    """What the cases of a campaign say about its requirements, as `touchdown campaign assess --json` prints it; also while it runs."""
    found: dict[str, Any] = json.loads(_touchdown.campaign_assess(os.fspath(folder)))
    return found


def _plan(study: str | os.PathLike[str] | None, keys: Mapping[str, Any], folder: str) -> None:
    if study is not None and keys:
        raise TypeError(f"give a study file or its keys, not both: found {study!r} and {', '.join(keys)}")
    if study is None:
        _touchdown.campaign_plan("study", _toml(keys), os.getcwd(), folder)
    else:
        path = Path(study)
        _touchdown.campaign_plan(str(path), path.read_text(), str(path.parent), folder)


def _on_dask(
    client: Any, folder: str, shards: int | None, options: tuple[int, bool, bool], progress: Callable[[int, int], None] | None
) -> None:
    """Shards as tasks: one whose worker is lost runs again on another and goes on after the last case that is on disk."""
    cases = _touchdown.campaign_cases(folder)
    parts = min(cases, shards or 4 * max(1, sum(client.nthreads().values())))
    jobs = [client.submit(_shard, folder, i, parts, *options, pure=False, retries=RETRIES) for i in range(parts)]
    try:
        for done, job in enumerate(jobs, 1):
            job.result()
            if progress is not None:
                progress(done, parts)
    except BaseException:
        client.cancel(jobs)
        raise
    # A shard that ended last may have seen another one still at work.
    _touchdown.campaign_run(folder, 1, (0, parts), *options[1:], None)


def _shard(folder: str, i: int, parts: int, threads: int, until_decided: bool, accept_changes: bool) -> bool:
    return _touchdown.campaign_run(folder, threads, (i, parts), until_decided, accept_changes, None)


def _keep(folder: str) -> None:
    """Runs the cases whose whole folder is kept again, now that they are known."""
    for index, scenario, settings in _touchdown.campaign_kept(folder):
        run = Path(folder) / "runs" / f"case-{index:06}"
        if not (run / "summary.json").exists():
            run.parent.mkdir(exist_ok=True)
            load(scenario, set=dict(setting.split("=", 1) for setting in settings)).run().save(run, overwrite=True)


def _units(path: str) -> dict[str, str]:
    import pyarrow.parquet as pq

    fields = pq.read_schema(path)
    return {field.name: field.metadata[b"unit"].decode() for field in fields if field.metadata and b"unit" in field.metadata}


def _toml(keys: Mapping[str, Any]) -> str:
    """Keys of a study as its file."""
    tables = [(key, entry) for key, value in keys.items() if _is_tables(value) for entry in value]
    plain = "".join(f"{_name(key)} = {_value(value, key)}\n" for key, value in keys.items() if not _is_tables(value))
    entries = ("".join(f"{_name(k)} = {_value(v, k)}\n" for k, v in entry.items()) for _, entry in tables)
    return plain + "".join(f"[[{_name(key)}]]\n{text}" for (key, _), text in zip(tables, entries, strict=True))


def _is_tables(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and bool(value) and all(isinstance(entry, Mapping) for entry in value)


def _name(key: str) -> str:
    return json.dumps(key, ensure_ascii=False)


def _value(value: Any, key: str) -> str:
    if hasattr(value, "tolist"):  # NumPy's numbers and arrays, columns of pandas and polars
        value = value.tolist()
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, (bool, str)):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_name(k)} = {_value(v, k)}" for k, v in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(v, key) for v in value) + "]"
    raise TypeError(f"{key} of a study must be numbers, texts, flags, lists or tables of these, found {type(value).__name__}")
