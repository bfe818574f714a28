#!/usr/bin/env python3
"""Draws the pictures of the documentation that show single runs and pages. Usage: gallery.py PROGRAM IMAGES

Scenarios of the examples are taken from the pages themselves. `make picture` calls it; it needs Chromium, as the tests of the pages do.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM, IMAGES = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
BLOCK = re.compile(r"^```\w+ (?:file|scenario)=(\S+)\n(.*?)^```", re.DOTALL | re.MULTILINE)

# Picture: run, figure.
FIGURES = {
    "wheel-rut": ("single-wheel", "soil-map"),
    "swing": ("swing", "angle"),
    "rover-heading": ("rover-point-turn", "heading"),
    "disc-speed": ("disc", "speed"),
    "ledger-residual": ("rover-drop-brush", "energy"),
    "four-bar-angles": ("four-bar", "angles"),
    "ball-on-map-path": ("ball-on-map", "way"),
    "bumper": ("bumper", "cart"),
    "identify-fit": ("identify-spring", "force-fit"),
    "probe-force": ("probe", "force"),
    "ratchet-slide": ("ratchet", "place"),
}

# Picture: page, what of it, time of the replay, size of the window.
SHOTS = {
    "rover-on-map": ("rover-on-map/report.html", "canvas", "400", "1000|800"),
    "rover-on-slope": ("slope/report.html", "canvas", "4", "1000|800"),
    "hexapod": ("hexapod-walk/report.html", "canvas", "10", "1000|800"),
    "quadruped": ("quadruped-trot/report.html", "canvas", "8", "1000|800"),
    "docking-lock": ("docking-lock/report.html", "canvas", "60", "1000|800"),
    "satellite": ("satellite-attitude/report.html", "canvas", "100", "1000|800"),
    "airless-wheel": ("tyre-stiffness/report.html", "canvas", "1", "1000|800"),
    "peg-in-cone": ("peg-in-cone/report.html", "canvas", "0", "1000|800"),
    "rock-drop": ("rock-drop/report.html", "canvas", "0.5", "1000|800"),
    "four-bar": ("four-bar/report.html", "canvas", "1", "1000|800"),
    "curved-wheel": ("my-wheel/report.html", "canvas", "1", "1000|800"),
    "sweep": ("sweep/report.html", "", "", "1000|720"),
    "convergence": ("grid/report.html", "", "", "1000|720"),
    "compare": ("compare.html", "", "", "900|700"),
    "integrators": ("integrators.html", "figure:has-text('joint.hinge.position_rad')", "", "1000|800"),
    "validation": ("validation.html", "", "", "1000|900"),
    "validity": ("single-wheel/report.html", "#validity", "", "1000|900"),
    "sensitivity": ("single-wheel/report.html", "#sensitivity", "", "1000|1400"),
}

BUILT_IN = [
    "single-wheel", "rover-point-turn", "rover-drop-brush", "four-bar", "ball-on-map", "rover-on-map", "hexapod-walk", "quadruped-trot", "docking-lock", "satellite-attitude",
    "tyre-stiffness", "peg-in-cone", "rock-drop",
]  # fmt: skip


def touchdown(folder: Path, *args: str) -> None:
    subprocess.run([PROGRAM, *args], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def run(folder: Path, scenario: str, name: str, *args: str) -> None:
    touchdown(folder, "run", scenario, "--out", name, "--quiet", *args)
    touchdown(folder, "report", name, "--figures")


def main() -> None:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for page in ["scenarios", "devices", "theory/bumper", "theory/intrusion", "theory/ratchets", "tutorial-flexible-wheel", "identify", "maps", "recipes"]:
            for name, text in BLOCK.findall((ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")):
                (folder / name).write_text(text, encoding="utf-8")
        with (folder / "swing.toml").open("a") as file:
            file.write('[figure.angle]\ntitle = "Angle of the swing"\ny = "joint.hinge.position_rad"\ny_unit = "deg"\ndata = "swing-measured.csv"\n')
        for scenario in BUILT_IN:
            run(folder, scenario, scenario)
        touchdown(folder, "sensitivity", "single-wheel", "--quiet", "--out", "sensitivity")
        touchdown(folder, "report", "single-wheel", "--figures")
        for name in ["swing", "disc", "bumper", "probe", "slope", "ratchet", "my-wheel"]:
            run(folder, f"{name}.toml", name)
        run(folder, "swing.toml", "realtime", "--set", "integrator.name=realtime", "--set", "integrator.step=5 ms")
        touchdown(folder, "new", "wheel", "wheel.toml")
        for name, grousers in [("bars", "12"), ("smooth", "0")]:
            run(folder, "wheel.toml", name, "--set", f"grousers={grousers}")
        touchdown(folder, "compare", "bars", "smooth")
        touchdown(folder, "compare", "swing", "realtime", "--out", "integrators.html")
        touchdown(folder, "sweep", "single-wheel", "--vary", "slip=0.05..0.6:8", "--out", "sweep", "--quiet")
        touchdown(folder, "sweep", "single-wheel", "--vary", "spacing_m=0.02,0.0143,0.01,0.0071", "--out", "grid", "--quiet")
        touchdown(folder, "validate", "pendulum", "--quiet", "--out", "validation.html")
        touchdown(folder, "identify", "spring.toml", "--quiet", "--out", "identify-spring")
        mobility = ["--soil", "mer-b-sandy-loam", "--cases", "60", "--quiet", "--out", "mobility"]
        touchdown(folder, "terrain", "--make", "crater-field", "--size", "200", "--out", "site.tif")
        touchdown(folder, "mobility", "site.tif", *mobility)
        page = (folder / "mobility" / "report.html").read_text(encoding="utf-8")
        (IMAGES / "slope-slip.svg").write_text(re.search(r"<figcaption>Slip on [^<]*</figcaption>(<svg .*?</svg>)\s*</figure>", page, re.DOTALL)[1], encoding="utf-8")
        touchdown(folder, "terrain", "mound.csv", "--out", str(IMAGES / "mound.png"))
        for picture, (of, figure) in FIGURES.items():
            shutil.copyfile(folder / of / "figures" / f"{figure}.svg", IMAGES / f"{picture}.svg")
        shots = [f"{name}|{folder / page}|{part}|{time}|{size}" for name, (page, part, time, size) in SHOTS.items()]
        subprocess.run(["node", "tests/browser/gallery.mjs", IMAGES, *shots], cwd=ROOT / "viewer", check=True)


if __name__ == "__main__":
    main()
