"""Results of a run: columns as arrays, tables, plots, the run folder."""

from __future__ import annotations

import fnmatch
import html
import json
import os
import tempfile
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _touchdown

if TYPE_CHECKING:
    import matplotlib.axes
    import pandas
    import polars
    import pyarrow


REPLAY_BYTES = 2_000_000
"""Size of a replay in a notebook at most: the notebook keeps it when it is saved."""


WITHOUT_PAGES = "No replay: this package was built without its pages, because there was no Node.js. Install Node.js 20.19 or newer with npm and install the package again."
"""What stands in place of a replay then."""


class Run:
    """A run kept in memory. `run["column"]` is an array over `run.time`."""

    def __init__(self, data: _touchdown.RunData) -> None:
        self._data = data
        table = data.column_table()
        self.columns: list[str] = [row[0] for row in table]
        """Names of the columns; the first is the time."""
        self._about = {name: {"unit": unit, "frame": frame, "about": about} for name, unit, frame, about in table}
        self._index = {name: k for k, name in enumerate(self.columns)}
        self._values = data.values()
        self._outcome: dict[str, Any] = json.loads(data.outcome_json())
        self._shown: str | None = None

    @property
    def name(self) -> str:
        """Name of the scenario."""
        return self._data.name

    @property
    def values(self) -> NDArray[np.float64]:
        """All rows: rows × columns, not copied."""
        return self._values

    @property
    def time(self) -> NDArray[np.float64]:
        """Times of the rows, s."""
        return self._values[:, 0]

    @property
    def finished(self) -> bool:
        """Whether the run reached its end; if not, `stopped_because` says why."""
        return bool(self._outcome["finished"])

    @property
    def stopped_because(self) -> str | None:
        """Why the numbers failed, with time, body and joint; what was recorded before stays."""
        why: str | None = self._outcome["stopped_because"]
        return why

    @property
    def outcome(self) -> dict[str, Any]:
        """Quantities, energy ledger, checks and warnings, with the keys of `summary.json`."""
        return self._outcome

    @property
    def quantities(self) -> dict[str, float]:
        """Answers by name, in the units of their names. Those that are words, such as `branch`, are in `outcome`."""
        numbers = (entry for entry in self._outcome["quantities"] if not isinstance(entry["value"], str))
        return {entry["name"]: entry["value"] for entry in numbers}

    @property
    def wall_time(self) -> float:
        """Time that the run took, s."""
        return self._data.wall_time

    def about(self, column: str) -> dict[str, str]:
        """Unit, frame and meaning of a column."""
        return dict(self._about[self._known(column)])

    def _known(self, column: str) -> str:
        if column not in self._index:
            near = max(self.columns, key=lambda name: len(os.path.commonprefix([name, column])))
            raise _touchdown.UnknownName(f'no column is called "{column}"; the nearest is "{near}"')
        return column

    def __getitem__(self, column: str) -> NDArray[np.float64]:
        return self._values[:, self._index[self._known(column)]]

    def __contains__(self, column: object) -> bool:
        return column in self._index

    def __len__(self) -> int:
        return len(self._values)

    def matching(self, pattern: str) -> list[str]:
        """Columns that a pattern with `*` and `?` names; an error where there is none."""
        found = fnmatch.filter(self.columns, pattern)
        return found or [self._known(pattern)]

    def to_arrow(self) -> pyarrow.Table:
        """As a table of pyarrow; unit, frame and meaning are in the metadata of its fields."""
        import pyarrow as pa

        fields = [pa.field(name, pa.float64(), nullable=False, metadata=self._about[name]) for name in self.columns]
        arrays = [pa.array(self._values[:, k]) for k in range(len(self.columns))]
        return pa.Table.from_arrays(arrays, schema=pa.schema(fields, metadata={"scenario": self.name}))

    def to_pandas(self) -> pandas.DataFrame:
        """As a data frame of pandas."""
        import pandas as pd

        return pd.DataFrame(self._values, columns=self.columns)

    def to_polars(self) -> polars.DataFrame:
        """As a data frame of polars."""
        import polars as pl

        return pl.DataFrame({name: self._values[:, k] for k, name in enumerate(self.columns)})

    def plot(self, columns: str | Sequence[str], *, x: str | None = None, ax: matplotlib.axes.Axes | None = None) -> matplotlib.axes.Axes:
        """Draws columns (names or patterns such as `soil.*.sinkage_m`) over time, or over the column `x`, with matplotlib."""
        patterns = [columns] if isinstance(columns, str) else list(columns)
        names = [name for pattern in patterns for name in self.matching(pattern)]
        along = self._known(x) if x is not None else self.columns[0]
        import matplotlib.pyplot as plt

        axes = ax if ax is not None else plt.subplots()[1]
        for name in names:
            axes.plot(self[along], self[name], label=name)
        units = {self._about[name]["unit"] for name in names}
        axes.set_xlabel(f"{along} [{self._about[along]['unit']}]")
        axes.set_ylabel(f"[{units.pop()}]" if len(units) == 1 else "")
        axes.legend()
        return axes

    def save(self, folder: str | os.PathLike[str], *, overwrite: bool = False, report: bool = True) -> None:
        """Writes the run folder that `touchdown run` writes: series, frames, manifest, summary and, unless `report` is False or the package has no pages, report.html.

        `touchdown view` and `report` open it.
        """
        self._data.write(os.fspath(folder), overwrite)
        if report and _touchdown.has_pages:
            _touchdown.write_report(os.fspath(folder))

    def __repr__(self) -> str:
        end = "finished" if self.finished else f"stopped: {self.stopped_because}"
        return f"<touchdown.Run {self.name!r}: {len(self)} rows × {len(self.columns)} columns, {end}>"

    def replay(self, budget: int = REPLAY_BYTES) -> str | None:
        """A page of at most `budget` bytes that replays the run in 3-D and loads nothing from anywhere; None without frames.

        A package that was built without its pages raises RecordError.
        """
        if not _touchdown.has_pages:
            raise _touchdown.RecordError(WITHOUT_PAGES)
        if self._data.frame_count == 0:
            return None
        with tempfile.TemporaryDirectory() as folder:
            self.save(os.path.join(folder, "run"), report=False)
            return _touchdown.replay_page(os.path.join(folder, "run"), budget)

    def _repr_html_(self) -> str:
        if self._shown is None:
            self._shown = page(self)
        return self._shown


def frame(run: Run) -> str:
    """The replay as a frame of a notebook, with the quotes that the attribute needs within the budget."""
    if not _touchdown.has_pages:
        return f"<p>{WITHOUT_PAGES}</p>" if run._data.frame_count else ""
    budget = REPLAY_BYTES
    for _ in range(3):
        replay = run.replay(budget)
        if replay is None:
            return ""
        inside = replay.replace("&", "&amp;").replace("'", "&#39;")
        if len(inside.encode()) <= REPLAY_BYTES:
            return f"<iframe srcdoc='{inside}' sandbox='allow-scripts' title='replay' style='width:100%;height:520px;border:0'></iframe>"
        budget -= len(inside.encode()) - REPLAY_BYTES
    return ""


def page(run: Run) -> str:
    """What a notebook shows: the answer, quantities, checks, replay."""
    question, answer = run._data.question
    rows = "".join(
        f"<tr><td>{html.escape(q['name'])}</td><td style='text-align:right'><b>{_number(q['value'])}</b></td>"
        f"<td>{html.escape(q['unit'])}</td><td style='text-align:left'>{html.escape(q['about'])}</td></tr>"
        for q in sorted(run.outcome["quantities"], key=lambda q: q["name"] != answer)
    )
    left = [c for c in run.outcome["validity"] if not c["holds"]]
    checks = f"all {len(run.outcome['validity'])} checks hold" if not left else "".join(
        f"<li>{html.escape(c['name'])}: {_number(c['value'])} against {_number(c['limit'])} {html.escape(c['unit'])}: {html.escape(c['about'])}</li>"
        for c in left
    )
    end = "" if run.finished else f"<p><b>stopped: {html.escape(str(run.stopped_because))}</b></p>"
    return f"<div><h4>{html.escape(run._data.title)}</h4><p><i>{html.escape(question)}</i></p>{end}<table>{rows}</table><p>{checks}</p>{frame(run)}</div>"


def _number(value: float | str | None) -> str:
    if isinstance(value, str):
        return html.escape(value)
    return "–" if value is None else f"{value:.6g}"
