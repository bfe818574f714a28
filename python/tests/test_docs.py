"""What the pages show in Python works: blocks marked `python run` are executed, page by page, in an empty folder."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [page for page in sorted(DOCS.rglob("*.md")) if "```python run" in page.read_text()]


def test_there_are_pages():
    assert {"python.md", "bring-your-controller.md"} <= {page.name for page in PAGES}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_examples_of_a_page_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "page"}
    for block in re.finditer(r"^```python run\n(.*?)^```", page.read_text(), re.S | re.M):
        line = page.read_text()[: block.start()].count("\n") + 1
        exec(compile("\n" * line + block[1], str(page), "exec"), names)
