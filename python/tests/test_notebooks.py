"""The example notebooks run from top to bottom, each in an empty folder."""

import os
from pathlib import Path

import pytest

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "python/examples/notebooks").glob("*.ipynb"))


def test_there_are_five():
    assert len(NOTEBOOKS) == 5


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path, tmp_path, monkeypatch):
    program = Path(os.environ.get("TOUCHDOWN", "target/release/touchdown")).resolve()
    if path.stem == "identify-then-predict" and not program.exists():
        pytest.skip("the command is not built")
    monkeypatch.setenv("TOUCHDOWN", str(program))
    monkeypatch.setenv("TOUCHDOWN_STUDIES", str(ROOT / "studies"))
    notebook = nbformat.read(path, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "notebooks are kept without outputs"
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", ()) if "data" in output]
    assert shown, "it shows something"
