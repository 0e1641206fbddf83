"""The Python code of the stories in docs/stories runs, one page after the other, beside the examples."""

import re
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs/stories").glob("*.md"))
# What must be true at the end of a story. Stories show results and do not check them.
CHECKS = {
    "credit": "assert 0 < refused == (model.predict(X) == 'yes').sum()",
}


def blocks(page: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE)


def test_every_story_is_told_in_python() -> None:
    assert len(PAGES) == 5
    assert all(blocks(page) for page in PAGES)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_story(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": page.stem}
    for block in blocks(page):
        exec(compile(block, str(page), "exec"), names)
    exec(CHECKS.get(page.stem, ""), names)
