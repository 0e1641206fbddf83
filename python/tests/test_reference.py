"""The Python reference of the guide is made from the docstrings."""

import re
import subprocess
import sys
from pathlib import Path

import pellucid

PYTHON = Path(__file__).resolve().parents[1]


def test_every_public_name_is_in_the_reference(tmp_path):
    page = tmp_path / "reference.md"
    subprocess.run([sys.executable, PYTHON / "tools/reference.py", page], check=True)
    text = page.read_text(encoding="utf-8")
    for name in pellucid.__all__:
        value = getattr(pellucid, name)
        if callable(value):
            assert f"### `pellucid.{name}" in text, name
    for method in ("KnowledgeBase.retrieve(", "Context.implications(", "Agent.learn(", "RuleClassifier.fit("):
        assert f"#### `{method}" in text, method
    # Nothing of the notation of docstrings is left.
    assert not re.search(r":\w+:`|(?<!`)``(?!`)|^-{3,}$", text, re.MULTILINE)
    # Every parameter that is listed has a description.
    assert not re.search(r"^- `[^`]*` \([^)]*\)$", text, re.MULTILINE)
