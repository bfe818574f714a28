"""Runs for Rerun (`pip install '.[rerun]'`): bodies, forces, the ground with its ruts, and every column as a curve.

    import touchdown.rerun

    touchdown.rerun.convert("runs/rover", "rover.rrd")      # rerun rover.rrd shows it
    touchdown.rerun.log(run)                                # into the recording that the program has set up with rerun.init

From a shell: `python -m touchdown.rerun runs/rover rover.rrd`. `frames.mcap` opens in Rerun as well, but without the forms, the forces and the soil, which are Foxglove's messages.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from typing import Any

import numpy as np
import rerun
from numpy.typing import NDArray

from . import _touchdown
from .results import Run

__all__ = ["convert", "log"]

TIMELINE = "sim_time"
"""The timeline: simulated time."""

SAND, GROUND, FORCE = (194, 158, 107, 255), (150, 135, 115, 255), (255, 128, 0, 255)
METRES_PER_NEWTON = 2e-3
"""Length of a force's arrow, as in `frames.mcap`."""

Grid = tuple[float, float, float, NDArray[np.float32]]
"""First node x, y, spacing, m; heights, rows along y, not a number where there is no ground."""


def convert(run: Run | str | os.PathLike[str], out: str | os.PathLike[str]) -> None:
    """Writes a run (a `Run`, or a run folder) as a file that Rerun opens."""
    recording = rerun.RecordingStream("touchdown")
    recording.save(os.fspath(out))
    log(run, recording)
    recording.flush()


def log(run: Run | str | os.PathLike[str], recording: rerun.RecordingStream | None = None) -> None:
    """Logs a run (a `Run`, or a run folder) into a recording, by default the program's own."""
    if isinstance(run, Run):
        with tempfile.TemporaryDirectory() as folder:
            run.save(os.path.join(folder, "run"), report=False)
            return log(os.path.join(folder, "run"), recording)
    to = recording if recording is not None else rerun.get_global_data_recording()
    if to is None:
        raise ValueError("there is no recording: give one, or call rerun.init first")
    shown = _touchdown.read_folder(os.fspath(run))
    if len(shown["times"]) == 0:
        raise _touchdown.RecordError("; ".join(shown["notes"]) or f"{run} holds no frames")
    to.log("/", rerun.ViewCoordinates.RIGHT_HAND_Z_UP, static=True)
    _forms(to, shown)
    _poses(to, shown)
    _forces(to, shown)
    _ground(to, shown)
    _columns(to, os.path.join(os.fspath(run), "series.parquet"))


def _entity(*parts: str) -> str:
    """Path of an entity; a name that has slashes is one part."""
    return "/".join(["world", *(rerun.escape_entity_path_part(part) for part in parts)])


def _forms(to: rerun.RecordingStream, shown: dict[str, Any]) -> None:
    """Forms, once: each below its body, whose pose moves it."""
    bodies = shown["bodies"]
    for form in shown["forms"]:
        place = ["bodies", bodies[form["body"]]] if form["body"] is not None and form["body"] < len(bodies) else ["fixed"]
        path = _entity(*place, form["name"])
        w, x, y, z = form["quaternion"]
        to.log(path, rerun.Transform3D(translation=form["place"], quaternion=rerun.Quaternion(xyzw=[x, y, z, w])), static=True)
        to.log(path, _shape(form, [round(255 * c) for c in form["colour"]]), static=True)


def _shape(form: dict[str, Any], colour: list[int]) -> rerun.AsComponents:
    solid = rerun.components.FillMode.Solid
    if "box" in form:
        return rerun.Boxes3D(half_sizes=[[0.5 * s for s in form["box"]]], colors=[colour], fill_mode=solid)
    if "sphere" in form:
        return rerun.Ellipsoids3D(half_sizes=[[form["sphere"]] * 3], colors=[colour], fill_mode=solid)
    if "cylinder" in form:
        radius, length = form["cylinder"]
        return rerun.Cylinders3D(lengths=[length], radii=[radius], colors=[colour], fill_mode=solid)
    corners, triangles = form["mesh"]
    return rerun.Mesh3D(vertex_positions=corners, triangle_indices=triangles, albedo_factor=colour)


def _poses(to: rerun.RecordingStream, shown: dict[str, Any]) -> None:
    time = rerun.TimeColumn(TIMELINE, duration=shown["times"])
    for k, body in enumerate(shown["bodies"]):
        pose = shown["poses"][:, k]
        turned = np.roll(pose[:, 3:], -1, axis=1)  # w x y z ⇒ x y z w
        to.send_columns(_entity("bodies", body), indexes=[time], columns=rerun.Transform3D.columns(translation=pose[:, :3], quaternion=turned))


def _forces(to: rerun.RecordingStream, shown: dict[str, Any]) -> None:
    """An arrow for each contact, of no length where it is apart."""
    forces = shown["forces"]
    for k, t in enumerate(shown["times"]):
        to.set_time(TIMELINE, duration=t)
        names = shown["contacts"]
        if names:
            arrows = np.nan_to_num(METRES_PER_NEWTON * forces[k, :, 3:])
            to.log(_entity("forces"), rerun.Arrows3D(origins=np.nan_to_num(forces[k, :, :3]), vectors=arrows, colors=[FORCE]))


def _ground(to: rerun.RecordingStream, shown: dict[str, Any]) -> None:
    """The undisturbed ground, but where squares of soil lie, and these whenever they change."""
    ground = shown["ground"] or {}
    relief: Grid | None = ground.get("relief")
    if "plane" in ground:
        to.log(_entity("ground"), _plane(*ground["plane"]), static=True)
    squares: set[tuple[int, int, int, int]] = set()
    soil, next_one = shown["soil"], 0
    for frame, t in enumerate(shown["times"]):
        to.set_time(TIMELINE, duration=t)
        known = len(squares)
        while next_one < len(soil) and soil[next_one][0] == frame:
            _, x0, y0, spacing, heights = soil[next_one]
            i, j = round(x0 / spacing), round(y0 / spacing)
            to.log(_entity("soil", f"{i} {j}"), _mesh((x0, y0, spacing, heights), SAND))
            squares.add((i, j, heights.shape[1] - 1, heights.shape[0] - 1))
            next_one += 1
        if relief is not None and (frame == 0 or len(squares) > known):
            covered = _covered(relief, squares, soil[0][3] if soil else 1.0)
            to.log(_entity("ground"), _mesh(relief, GROUND, covered))


def _covered(relief: Grid, squares: set[tuple[int, int, int, int]], spacing: float) -> NDArray[np.bool_]:
    """Cells of the relief whose middle lies in a square of soil."""
    x0, y0, coarse, heights = relief
    ny, nx = heights.shape
    x, y = x0 + coarse * (np.arange(nx - 1) + 0.5), y0 + coarse * (np.arange(ny - 1) + 0.5)
    covered = np.zeros((ny - 1, nx - 1), dtype=bool)
    for i, j, across, along in squares:
        inside_x = (x > spacing * i) & (x < spacing * (i + across))
        inside_y = (y > spacing * j) & (y < spacing * (j + along))
        covered[np.ix_(inside_y, inside_x)] = True
    return covered


def _mesh(grid: Grid, colour: tuple[int, int, int, int], left_out: NDArray[np.bool_] | None = None) -> rerun.Mesh3D:
    """Triangles over a grid; cells with a node that is not a number are left out, too."""
    x0, y0, spacing, heights = grid
    ny, nx = heights.shape
    y, x = np.mgrid[0:ny, 0:nx]
    corners = np.stack([x0 + spacing * x, y0 + spacing * y, np.nan_to_num(heights)], axis=-1).reshape(-1, 3)
    there = np.isfinite(heights)
    whole = there[:-1, :-1] & there[:-1, 1:] & there[1:, :-1] & there[1:, 1:]
    if left_out is not None:
        whole &= ~left_out
    first = (nx * y[:-1, :-1] + x[:-1, :-1])[whole]
    # Counter-clockwise seen from above.
    triangles = np.concatenate([np.stack([first, first + 1, first + nx + 1], axis=1), np.stack([first, first + nx + 1, first + nx], axis=1)])
    slopes = np.gradient(np.nan_to_num(heights), spacing)
    normals = np.stack([-slopes[1], -slopes[0], np.ones_like(heights)], axis=-1).reshape(-1, 3)
    return rerun.Mesh3D(vertex_positions=corners, triangle_indices=triangles, vertex_normals=normals, albedo_factor=colour)


def _plane(point: tuple[float, float, float], normal: tuple[float, float, float]) -> rerun.Mesh3D:
    """A square of 10 m of a plane."""
    n = np.array(normal)
    a = np.cross(n, [1.0, 0.0, 0.0] if abs(n[0]) < 0.9 else [0.0, 1.0, 0.0])
    a *= 5.0 / np.linalg.norm(a)
    b = np.cross(n, a)
    corners = np.array(point) + np.array([-a - b, a - b, a + b, b - a])
    return rerun.Mesh3D(vertex_positions=corners, triangle_indices=[[0, 1, 2], [0, 2, 3]], vertex_normals=[normal] * 4, albedo_factor=GROUND)


def _columns(to: rerun.RecordingStream, series: str) -> None:
    """Every column below `columns`, its name as its path."""
    import pyarrow.parquet as parquet

    if not os.path.exists(series):
        return
    table = parquet.read_table(series)
    time = rerun.TimeColumn(TIMELINE, duration=table.column(0).to_numpy())
    for name in table.column_names[1:]:
        path = "/".join(["columns", *(rerun.escape_entity_path_part(part) for part in name.split("."))])
        to.send_columns(path, indexes=[time], columns=rerun.Scalars.columns(scalars=table[name].to_numpy()))


def main() -> None:
    """`python -m touchdown.rerun FOLDER FILE.rrd`"""
    arguments = argparse.ArgumentParser(prog="python -m touchdown.rerun", description="Writes a run folder as a file that Rerun opens.")
    arguments.add_argument("folder", help="the run folder")
    arguments.add_argument("file", help="the file to write, such as rover.rrd")
    given = arguments.parse_args()
    convert(given.folder, given.file)


if __name__ == "__main__":
    main()
