"""How pip builds the package: with pages where they are or npm can build them, without them otherwise, and never a source distribution without them."""

import importlib.util
import sys
import types
from pathlib import Path

import pytest

BACKEND = Path(__file__).parents[1] / "build/touchdown_build.py"


@pytest.fixture
def backend(tmp_path, monkeypatch):
    """The backend in an empty clone, with a maturin that says how it was called."""
    calls = []
    fake = types.ModuleType("maturin")
    for name in ("get_requires_for_build_editable", "get_requires_for_build_sdist", "get_requires_for_build_wheel", "prepare_metadata_for_build_wheel"):
        setattr(fake, name, lambda *args: [])
    for name in ("build_wheel", "build_editable", "build_sdist"):
        setattr(fake, name, lambda *args, name=name: calls.append((name, *args)))
    monkeypatch.setitem(sys.modules, "maturin", fake)
    spec = importlib.util.spec_from_file_location("touchdown_build", BACKEND)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    (tmp_path / "viewer").mkdir()
    monkeypatch.setattr(module, "ROOT", tmp_path)
    module.calls = calls
    return module


def put_pages(backend):
    dist = backend.ROOT / "viewer/dist"
    dist.mkdir(parents=True, exist_ok=True)
    for name in backend.PAGES:
        (dist / name).write_text("")


def test_pages_that_are_there_are_taken_without_npm(backend, monkeypatch):
    put_pages(backend)
    monkeypatch.setattr(backend.shutil, "which", lambda _: pytest.fail("nobody needs npm"))
    backend.build_wheel("out", {"build-args": "--locked"})
    backend.build_sdist("out")
    assert backend.calls == [("build_wheel", "out", {"build-args": "--locked"}, None), ("build_sdist", "out", None)]


def test_npm_builds_them_in_a_clone(backend, monkeypatch):
    monkeypatch.setattr(backend.shutil, "which", lambda _: "npm")
    made = []

    def run(command, cwd, check):
        assert cwd == backend.ROOT / "viewer" and check
        made.append(command[1])
        put_pages(backend)

    monkeypatch.setattr(backend.subprocess, "run", run)
    backend.build_editable("out")
    assert made == ["ci", "run"] and backend.calls == [("build_editable", "out", {}, None)]


def test_without_npm_the_package_is_built_without_them_and_says_so(backend, monkeypatch, capsys):
    monkeypatch.setattr(backend.shutil, "which", lambda _: None)
    backend.build_wheel("out", {"build-args": "--locked"})
    assert backend.calls == [("build_wheel", "out", {"build-args": ["--locked", "--no-default-features"]}, None)]
    assert "without charts and replay" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="carries the built pages"):
        backend.build_sdist("out")
