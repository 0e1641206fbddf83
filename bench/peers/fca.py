"""The programs for formal concepts that `concepts_vs_peers.py` compares: how to get, start and read them.

FCbO and PCbO (Krajca, Outrata, Vychodil), LCM 5.3 (Uno) and In-Close4 (Andrews) are the fastest programs
known for all or for frequent concepts. None is a package to install, so their sources are taken from other
projects that carry them. All are compiled with -O3.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile

HERE = pathlib.Path(__file__).resolve().parent
# A clone for each repository; a folder with these names may be given instead.
REPOSITORIES = {
    "jsm4cpp": ("https://github.com/DmitryOlshansky/jsm4cpp", "64bfbc2ea1727e751ce2ab0977ac96965e1153b3"),
    "lamp": ("https://github.com/a-terada/lamp", "4bda274138d12c7ea39b2a848672a10247f32f0a"),
}
IN_CLOSE = "pynclose==0.0.6"
# C sources and their libraries.
C_PROGRAMS = {
    "FCbO": ("jsm4cpp", "foreign/fcbo-ins/fcbo.c", []),
    "PCbO": ("jsm4cpp", "foreign/pcbo-amai/pcbo.c", ["-lpthread"]),
    "LCM": ("lamp", "lcm53/lcm.c", ["-lm"]),
}
PACKAGES = {"fim": ["pyfim==6.28"], "rustyfim": ["rustyfim==0.2.2"], "concepts": ["concepts==0.9.2"],
            "fcapy": ["fcapy==0.1.4.5"],
            # It uses scikit-mine, which does not support scikit-learn 1.6 and later.
            "caspailleur, skmine": ["caspailleur==0.2.2", "scikit-mine", "scikit-learn<1.6"]}
MODULES = {"pyfim-fpgrowth": "fim", "pyfim-eclat": "fim", "rustyfim": "rustyfim", "concepts": "concepts",
           "fcapy": "fcapy", "caspailleur": "caspailleur, skmine"}
RUST = ["fcars", "odis"]
PEERS = ["In-Close4", *C_PROGRAMS, *RUST, *MODULES]
# These take seconds for some ten thousand concepts.
SLOW = ["concepts", "fcapy", "caspailleur", "odis"]
# Every published version of rustyfim (0.2.0 to 0.2.2) has item sets for the items 0 to 7 only, whatever
# `n_features` is, and fails with "assertion failed: item < 8" if another item is frequent.
MOST_ATTRIBUTES = {"rustyfim": 8}
# These have no minimum support.
WITHOUT_SUPPORT = [*RUST, "concepts", "fcapy"]


def compile_in_close(sources, program):
    """Compile In-Close4 with a main program that only counts.

    Its minimum support is mended: below the first level, the published source calls the function that
    ignores it.
    """
    folder = sources / "pynclose"
    if not folder.exists():
        fetch = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:",
                 "--dest", sources, IN_CLOSE]
        subprocess.run(fetch, check=True)
        with tarfile.open(next(sources.glob("pynclose*.tar.gz"))) as archive:
            archive.extractall(sources, filter="data")
        next(path for path in sources.glob("pynclose-*") if path.is_dir()).rename(folder)
    folder = folder / "inclose_package"
    text = (folder / "In-Close4.cpp").read_text(errors="replace")
    head, mining = text.split("void InCloseMin(const int c, const int y, VECTOR_TYPE *Bparent)\n/*", 1)
    mining = mining.replace("InClose(Cnums[i]", "InCloseMin(Cnums[i]", 1)
    text = head + "void InCloseMin(const int c, const int y, VECTOR_TYPE *Bparent)\n/*" + mining
    text = text.replace("void datFileInput() {", "void publishedDatFileInput() {")
    text = text.replace("\tcalcAandBsizes();\n", '\tprintf("%d\\n", highc); fflush(stdout); exit(0);\n', 1)
    whole = folder / "counting.cpp"
    whole.write_text(text + "\n" + (HERE / "in_close4.cpp").read_text())
    subprocess.run(["g++", "-O3", "-w", "-fopenmp", "-mcmodel=medium", "-o", program, whole,
                    folder / "hr_time.cpp", folder / "crossplatform.cpp"], check=True)


def clone(sources, name):
    """Return the folder of a repository, cloned if it is not there."""
    address, commit = REPOSITORIES[name]
    if not (sources / name).exists():
        subprocess.run(["git", "clone", "--quiet", address, sources / name], check=True, timeout=300)
        subprocess.run(["git", "-C", sources / name, "checkout", "--quiet", commit], check=True)
    return sources / name


class Peers:
    """The programs that could be installed, in a folder and a Python environment."""

    def __init__(self, built, python, sources):
        self.built, self.python = built, python
        self.sources = sources or built / "sources"
        self.troubles = {}

    def install(self, only_look, left_out):
        """Install what is missing; `only_look` installs nothing."""
        (self.built / "bin").mkdir(parents=True, exist_ok=True)
        self.sources.mkdir(parents=True, exist_ok=True)
        if not only_look:
            self.python.make()
        for name in PEERS:
            if name in left_out:
                self.troubles[name] = "left out"
                continue
            try:
                is_there = self.is_installed(name)
                if not is_there and not only_look:
                    self.get(name)
                    is_there = self.is_installed(name)
                if not is_there:
                    self.troubles[name] = "not installed"
            except (OSError, subprocess.SubprocessError, StopIteration, ValueError) as error:
                self.troubles[name] = f"not installed: {error}"

    def program(self, name):
        return self.built / "bin" / name

    def is_installed(self, name):
        if name in MODULES:
            return self.python.has(MODULES[name])
        return self.program(name).exists()

    def get(self, name):
        if name in MODULES:
            self.python.install(PACKAGES[MODULES[name]])
        elif name == "In-Close4":
            compile_in_close(self.sources, self.program(name))
        elif name in C_PROGRAMS:
            repository, path, libraries = C_PROGRAMS[name]
            source = clone(self.sources, repository) / path
            subprocess.run(["gcc", "-O3", "-fomit-frame-pointer", "-w", "-o", self.program(name), source.name,
                            *libraries], cwd=source.parent, check=True)
        else:
            self.get_rust(name)

    def get_rust(self, name):
        environment = dict(os.environ, CARGO_TARGET_DIR=str(self.built / "target"))
        if name == "fcars":
            command = ["cargo", "install", "--quiet", "fcars", "--version", "0.2.2", "--root", self.built]
            subprocess.run(command, env=environment, check=True)
        else:
            manifest = HERE / "odis" / "Cargo.toml"
            command = ["cargo", "build", "--quiet", "--release", "--manifest-path", manifest]
            subprocess.run(command, env=environment, check=True)
            shutil.copy(self.built / "target" / "release" / "odis-count", self.program(name))

    def available(self):
        return [name for name in PEERS if name not in self.troubles]

    def command(self, name, path, support, counts=False):
        """Return the command that finds the concepts of a file, on one thread.

        FCbO and PCbO print the number only if they also write the concepts, which takes time: the measured
        command does not, and prints nothing. With `counts` it prints the number.
        """
        level = {"FCbO": "-V2", "PCbO": "-V3"}.get(name, "") if counts else "-V0"
        if name in MODULES:
            return [self.python.python, HERE / "count.py", name, path, str(support)]
        file = {"odis": path.with_suffix(".cxt")}.get(name, path)
        flags = {"In-Close4": [file, str(support)], "LCM": ["C", file, str(max(1, support))],
                 "FCbO": [f"-S{support}", level, file, os.devnull],
                 "PCbO": ["-P1", f"-S{support}", level, file, os.devnull],
                 "fcars": ["-n", "--dat", file], "odis": [file]}
        return [self.program(name), *flags[name]]


def count_of(name, out, errors):
    """Return the number of concepts that a program printed."""
    text = out + errors
    if name == "LCM":
        # The third number stands alone in its line.
        return int(re.search(r"^(\d+)$", text, re.MULTILINE)[1])
    if name == "FCbO":
        return int(re.search(r"total: +(\d+)", text)[1])
    if name == "PCbO":
        return int(re.search(r"total +(\d+) concepts", text)[1])
    # rustyfim prints before its result.
    return int(out.strip().splitlines()[-1].split()[0])
