#!/usr/bin/env python3
"""The capture envelope of a docking: many runs over lateral offset and tilt, in parallel, and a picture of how each ended.

    cargo build --release -p touchdown-cli
    python3 scripts/docking_map.py                       # 20 x 20 runs of `docking` into runs/docking-map
    python3 scripts/docking_map.py --points 5 --set camera_noise_px=1.0 --out runs/docking-map-noisy

Every run is `touchdown run SCENARIO --set offset_x_m=.. --set tilt_x_deg=..` on one thread, as many at a time as there are cores. What is left of each
is a row of map.csv; its folder is deleted unless --keep is given. Rows that are already there, of the same knobs, are not run again (delete the folder after a
change of the program). At the end map.svg shows the envelope.
Exits with 1 if a run is undecided or failed. Needs Python 3.9 or later, nothing else.
"""
import argparse
import concurrent.futures
import csv
import json
import os
import pathlib
import shutil
import subprocess
import sys

FIELDS = ["x", "y", "outcome", "reason", "docked", "time_s", "contact_force_max_n", "client_rate_max_deg_per_s", "propellant_kg", "wall_s"]
# Kinds of abort in the order of `AbortReason::code`, from 1, and words of the sentences that tell them.
REASONS = {"insertion timeout": "not inserted", "insertion force": "tool pushed", "lateral error": "off the docking axis",
           "locking timeout": "not locked", "boom lateral force": "across the boom", "client rate": "client turns",
           "retraction timeout": "no bracket", "seating timeout": "not seated", "tension timeout": "safety spring"}
GOOD, BAD = "#2a7f62", "#b3261e"
ABORTS = ["#e9c46a", "#f4a261", "#e76f51", "#c9ada7", "#9a8c98", "#bc6c25", "#ddb892", "#a3b18a", "#7b9acc", "#999999"]


def arguments():
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default="target/release/touchdown", help="the touchdown command")
    parser.add_argument("--scenario", default="docking", help="scenario, by name or file")
    parser.add_argument("--x", default="offset_x_m", help="knob along x")
    parser.add_argument("--y", default="tilt_x_deg", help="knob along y")
    parser.add_argument("--x-range", nargs=2, type=float, default=[0.0, 0.076], metavar=("FROM", "TO"))
    parser.add_argument("--y-range", nargs=2, type=float, default=[0.0, 5.7], metavar=("FROM", "TO"))
    parser.add_argument("--points", type=int, default=20, help="of each knob; the runs are its square")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="other knobs, for all runs")
    parser.add_argument("--out", default="runs/docking-map", type=pathlib.Path, help="folder for table and picture")
    parser.add_argument("--jobs", type=int, default=cores, help="runs at the same time; default one for each core")
    parser.add_argument("--keep", action="store_true", help="keep the run folders")
    return parser.parse_args()


def spread(ends, points):
    return [round(ends[0] + (ends[1] - ends[0]) * k / max(points - 1, 1), 9) for k in range(points)]


def run(args, x, y):
    """One run; returns its row."""
    folder = args.out / "runs" / f"{x:g}_{y:g}"
    command = [args.program, "run", args.scenario, "--out", str(folder), "--force", "--quiet", "--no-report", "--threads", "1"]
    for pair in [f"{args.x}={x}", f"{args.y}={y}", *args.set]:
        command += ["--set", pair]
    done = subprocess.run(command, capture_output=True, text=True)
    row = {"x": x, "y": y}
    try:
        summary = json.loads((folder / "summary.json").read_text())
        row.update(read(summary))
    except (OSError, ValueError, KeyError) as error:
        first = (done.stderr.strip() or str(error)).splitlines()[0]
        row.update(outcome="refused" if done.returncode == 2 else "failed", reason=first)
    if not args.keep:
        shutil.rmtree(folder, ignore_errors=True)
    return row


def read(summary):
    """How a run ended, from its summary."""
    value = {name: entry["value"] for name, entry in summary["quantities"].items()}
    told = [w if isinstance(w, str) else json.dumps(w) for w in summary.get("warnings", [])]
    aborted = next((w for w in told if "docking aborted" in w), "")
    code = value.get("abort_code") or 0
    if not summary.get("finished", False):
        outcome, reason = "failed", str(summary.get("stopped_because", ""))
    elif value.get("docked") == 1:
        outcome, reason = "docked", ""
    elif code:
        outcome, reason = "aborted", list(REASONS)[int(code) - 1]
    elif aborted:
        outcome, reason = "aborted", aborted.split(": ", 1)[-1]
    else:
        outcome, reason = "undecided", ""
    names = ["docked", "contact_force_max_n", "client_rate_max_deg_per_s", "propellant_kg"]
    return {"outcome": outcome, "reason": reason, "time_s": summary.get("sim_time_s"), "wall_s": summary.get("wall_time_s"),
            **{name: value.get(name) for name in names}}


def kind(row):
    """What a run is drawn as: docked, a kind of abort, or trouble."""
    if row["outcome"] != "aborted":
        return row["outcome"]
    return next((name for name, words in REASONS.items() if name in row["reason"] or words in row["reason"]), "other")


def draw(rows, args, xs, ys):
    """The envelope as SVG: a cell for each run, a key below."""
    cell, left, top = max(8, 520 // args.points), 70, 50
    width, height = cell * args.points, cell * args.points
    colour = {"docked": GOOD, "failed": BAD, "undecided": BAD, "refused": BAD}
    colour.update(zip([*REASONS, "other"], ABORTS))
    counts = {}
    for row in rows:
        counts[kind(row)] = counts.get(kind(row), 0) + 1
    shapes = []
    for row in rows:
        i, j = xs.index(float(row["x"])), ys.index(float(row["y"]))
        place = f'x="{left + i * cell}" y="{top + height - (j + 1) * cell}" width="{cell - 1}" height="{cell - 1}"'
        title = f'{args.x} = {row["x"]}, {args.y} = {row["y"]}: {row["outcome"]} {row["reason"]}'
        shapes.append(f'<rect {place} fill="{colour[kind(row)]}"><title>{escape(title)}</title></rect>')
    def text(x, y, words, anchor="middle", size=12, turn=""):
        return f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-size="{size}"{turn}>{escape(words)}</text>'
    step = max(1, (args.points - 1) // 4)
    for k in range(0, args.points, step):
        shapes.append(text(left + (k + 0.5) * cell, top + height + 16, f"{xs[k]:.3g}"))
        shapes.append(text(left - 6, top + height - (k + 0.5) * cell + 4, f"{ys[k]:.3g}", "end"))
    shapes.append(text(left + width / 2, top + height + 36, args.x))
    middle = top + height / 2
    shapes.append(text(18, middle, args.y, turn=f' transform="rotate(-90 18 {middle})"'))
    shapes.append(text(left, 28, f"How {len(rows)} runs of {pathlib.Path(args.scenario).stem} ended", "start", 16))
    line = top + height + 62
    for name, count in sorted(counts.items(), key=lambda item: -item[1]):
        shapes.append(f'<rect x="{left}" y="{line - 11}" width="12" height="12" fill="{colour[name]}"/>')
        label = name if name in ("docked", "failed", "undecided", "refused") else f"aborted: {name}"
        shapes.append(text(left + 18, line, f"{label} ({count})", "start"))
        line += 18
    total = left + width + 30
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total} {line}" width="{total}" height="{line}" font-family="sans-serif" fill="#222">'
    return head + f'<rect width="{total}" height="{line}" fill="#fff"/>' + "\n".join(shapes) + "</svg>\n"


def escape(words):
    return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def main():
    args = arguments()
    if shutil.which(args.program) is None:
        sys.exit(f"no program {args.program}: build it with `cargo build --release -p touchdown-cli`, or give --program")
    args.out.mkdir(parents=True, exist_ok=True)
    table = args.out / "map.csv"
    xs, ys = spread(args.x_range, args.points), spread(args.y_range, args.points)
    rows = {}
    # Rows of other knobs are of no use.
    settings, told = args.out / "settings.json", json.dumps([args.scenario, args.x, args.y, sorted(args.set)])
    if table.exists() and settings.exists() and settings.read_text() == told:
        with table.open(newline="") as file:
            rows = {(float(r["x"]), float(r["y"])): r for r in csv.DictReader(file)}
    settings.write_text(told)
    wanted = [(x, y) for x in xs for y in ys]
    rows = {place: row for place, row in rows.items() if place in set(wanted) and row["outcome"] not in ("failed", "refused")}
    missing = [place for place in wanted if place not in rows]
    with table.open("w", newline="") as file, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        writer = csv.DictWriter(file, FIELDS)
        writer.writeheader()
        writer.writerows(rows.values())
        jobs = {pool.submit(run, args, *place): place for place in missing}
        for count, job in enumerate(concurrent.futures.as_completed(jobs), 1):
            rows[jobs[job]] = row = {**dict.fromkeys(FIELDS, ""), **job.result()}
            writer.writerow(row)
            file.flush()
            if sys.stderr.isatty():
                print(f"\r{count}/{len(missing)} runs", end="\n" if count == len(missing) else "", file=sys.stderr)
    done = [rows[place] for place in wanted]
    (args.out / "map.svg").write_text(draw(done, args, xs, ys))
    counts = {}
    for row in done:
        counts[kind(row)] = counts.get(kind(row), 0) + 1
    for name, count in sorted(counts.items(), key=lambda item: -item[1]):
        print(f"{count:5d}  {name}")
    print(f"{table}, {args.out / 'map.svg'}")
    trouble = [r for r in done if r["outcome"] in ("failed", "refused", "undecided")]
    for row in trouble[:10]:
        print(f"{args.x} = {row['x']}, {args.y} = {row['y']}: {row['outcome']} {row['reason']}", file=sys.stderr)
    sys.exit(1 if trouble else 0)


if __name__ == "__main__":
    main()
