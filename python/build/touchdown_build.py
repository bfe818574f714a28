"""How pip builds the package: maturin, with the scripts of the pages built first.

A source distribution carries them. In a clone they are built where npm is; without it the package is built without charts and replay, and says so when one is asked for.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import maturin
from maturin import get_requires_for_build_editable, get_requires_for_build_sdist, get_requires_for_build_wheel, prepare_metadata_for_build_wheel

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

ROOT = Path(__file__).resolve().parents[2]
PAGES = ["report.css", "report.js", "view.css", "view.html", "view.js"]

prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def have_pages():
    """Whether the scripts of the pages are there, built now if need be."""
    viewer = ROOT / "viewer"
    if all((viewer / "dist" / name).is_file() for name in PAGES):
        return True
    npm = shutil.which("npm")
    if npm is None:
        return False
    try:
        subprocess.run([npm, "ci", "--no-audit", "--no-fund", "--silent"], cwd=viewer, check=True)
        subprocess.run([npm, "run", "build", "--silent"], cwd=viewer, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"touchdown: npm could not build the pages: {error}", file=sys.stderr)
        return False
    return True


def settings(given):
    """Settings for maturin: without pages, without the feature that carries them."""
    given = dict(given or {})
    if have_pages():
        return given
    print("touchdown: no Node.js with npm: the package is built without charts and replay", file=sys.stderr)
    key = "maturin.build-args" if "maturin.build-args" in given else "build-args"
    old = given.get(key, [])
    given[key] = [*([old] if isinstance(old, str) else old), "--no-default-features"]
    return given


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """A wheel."""
    return maturin.build_wheel(wheel_directory, settings(config_settings), metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """A wheel that points here."""
    return maturin.build_editable(wheel_directory, settings(config_settings), metadata_directory)


def build_sdist(sdist_directory, config_settings=None):
    """A source distribution, which always carries the pages."""
    if not have_pages():
        raise SystemExit("a source distribution carries the built pages: install Node.js 20.19 or newer with npm, then `make viewer`")
    return maturin.build_sdist(sdist_directory, config_settings)
