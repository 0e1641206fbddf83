"""Makes the pictures of the documentation: docs/pictures/report.png.

usage: pictures.py PELLUCID
"""

import base64
import subprocess
import sys
import tempfile
from pathlib import Path

from devtools import Browser

ROOT = Path(__file__).resolve().parents[2]
LARGEST = 200_000


def main():
    command = str(Path(sys.argv[1]).resolve())
    picture = ROOT / "docs/pictures/report.png"
    picture.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, Browser() as browser:
        report = Path(folder) / "report.html"
        flags = ["--target", "default", "--id", "loan", "--merge-spellings", "employment"]
        subprocess.run(
            [command, "learn", "rules", ROOT / "examples/credit.csv", *flags, "--quiet", "--report", report,
             "--out", Path(folder) / "model.json"],
            check=True, stdout=subprocess.DEVNULL, cwd=folder,
        )
        page = browser.page(report, width=1000)
        assert not page.complaints(), page.complaints()
        clip = {"x": 0, "y": 0, "width": 1000, "height": 760, "scale": 1}
        data = page.call("Page.captureScreenshot", clip=clip)["data"]
        picture.write_bytes(base64.b64decode(data))
    size = picture.stat().st_size
    assert size < LARGEST, f"{picture} has {size} bytes; expected fewer than {LARGEST}"
    print(f"{picture}: {size} bytes")


if __name__ == "__main__":
    main()
