"""Makes the pictures of the documentation: docs/pictures/report.png.

usage: pictures.py PELLUCID
"""

import base64
import shutil
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
        # The report shows the command, so it must not have paths of this machine.
        shutil.copy(ROOT / "examples/clinic.xlsx", folder)
        flags = ["--target", "readmitted", "--missing", "999", "--merge-spellings", "lives alone"]
        subprocess.run(
            [command, "learn", "rules", "clinic.xlsx", *flags, "--quiet", "--report", "report.html"],
            check=True, stdout=subprocess.DEVNULL, cwd=folder,
        )
        page = browser.page(Path(folder) / "report.html", width=1000)
        assert not page.complaints(), page.complaints()
        page.call("Emulation.setScrollbarsHidden", hidden=True)
        heading = "[...document.querySelectorAll('h2')].find(e => e.textContent === 'The model')"
        top = page.evaluate(f"{heading}.getBoundingClientRect().top + scrollY")
        clip = {"x": 0, "y": max(0, top - 20), "width": 1000, "height": 1000, "scale": 1}
        data = page.call("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)["data"]
        picture.write_bytes(base64.b64decode(data))
    size = picture.stat().st_size
    assert size < LARGEST, f"{picture} has {size} bytes; expected fewer than {LARGEST}"
    print(f"{picture}: {size} bytes")


if __name__ == "__main__":
    main()
