#!/usr/bin/env python3
"""Compare the time to count all concepts of a context with other programs.

    cargo build --release && python3 bench/concepts_vs_peers.py --data FOLDER

All programs read the same .dat file (odis reads the same context as .cxt) and only count. Times are of
whole processes, including reading the file: wall time and CPU time (user plus system time). The lowest
of several runs is reported. Runs of Pellucid and of the peers alternate, so that a busy machine slows
all of them. For Python peers the time of the call is reported too, without starting Python, imports,
reading and conversion. A peer beyond the time limit is stopped, and its ratio is a lower bound. Programs
use one thread unless a row says otherwise.

Programs differ in whether they count the concept without objects and the concept with all objects, so a
count may be one or two below that of Pellucid. The difference is shown.

FOLDER, or its subfolders, may contain mushroom.dat, T10I4D100K.dat, tic-tac-toe.csv and lynx (a graph
with one line FROM TO per pair), each optionally with .gz. Missing files are skipped. Two further
contexts are generated. Python peers are installed into bench/.venv-concepts and Rust peers into
bench/.peers on first use. Peers that cannot be installed or run are named in the result, which is
written to bench/results/ as text and JSON.
"""

import gzip
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from setting import BENCH, ROOT, Environment, arguments_of, keep, machine, need

PYTHON = Environment(".venv-concepts")
BUILT = BENCH / ".peers"
CONTEXTS = ROOT / "target" / "bench-contexts"
# caspailleur uses scikit-mine, which does not support scikit-learn 1.6 and later.
PACKAGES = {"fim": ["pyfim==6.28"], "concepts": ["concepts==0.9.2"], "fcapy": ["fcapy==0.1.4.5"],
            "caspailleur, skmine": ["caspailleur==0.2.2", "scikit-mine", "scikit-learn<1.6"]}
# The file, the flags to read it as a context, the known number of concepts, and the minimum support.
FILES = {
    "mushroom": ("mushroom.dat", [], 238_710, 0),
    "tic-tac-toe": ("tic-tac-toe.csv", ["--scale", "nominal"], 59_505, 0),
    "lynx": ("lynx", ["--from", "pairs", "--symmetric"], 324_036, 0),
    "T10I4D100K": ("T10I4D100K.dat", [], None, 10),
}
# Contexts of the repository, for quick runs.
QUICK = {
    "tools": ("tools.cxt", [], 20, 0),
    "baskets": ("baskets.dat", [], 16, 0),
    "buttons": ("buttons.csv", ["--scale", "nominal"], 38, 0),
    "editor": ("editor.pairs", ["--symmetric"], 20, 0),
}
GENERATED = {
    "chung-lu955": ["--objects", "955", "--density", "0.02", "--graph", "chung-lu"],
    "random1000x100": ["--objects", "1000", "--attributes", "100", "--density", "0.2"],
}
DATA_HELP = (f"folder with {', '.join(file for file, *_ in FILES.values())}, also in subfolders or with .gz; "
             "without it only generated contexts are used")
ORDER = ["mushroom", "tic-tac-toe", "chung-lu955", "random1000x100", "lynx", "T10I4D100K"]
OURS = {"ours": 1, "ours, 2 threads": 2}
PYTHON_PEERS = ["pyfim-fpgrowth", "pyfim-eclat", "caspailleur", "fcapy", "concepts"]
RUST_PEERS = ["fcars", "odis"]
PEERS = ["fcars", "fcars, 2 threads", "odis", *PYTHON_PEERS]
WITH_SUPPORT = ["pyfim-fpgrowth", "pyfim-eclat"]
# The goals for Pellucid on one thread, in seconds.
AIMS = {"mushroom": 0.060, "chung-lu955": 0.060, "random1000x100": 0.300, "T10I4D100K": 0.600}


def install(quick):
    """Install the peers, except in quick runs. Return a message for each peer that is not available."""
    troubles = []
    if not quick:
        PYTHON.make()
    for modules, packages in PACKAGES.items():
        if not PYTHON.has(modules) and (quick or not PYTHON.install(packages)):
            troubles.append(f"{', '.join(packages)}: not installed, skipped")
    environment = dict(os.environ, CARGO_TARGET_DIR=str(BUILT / "target"))
    builds = {
        BUILT / "bin" / "fcars": ["cargo", "install", "--quiet", "fcars", "--version", "0.2.2", "--root",
                                  BUILT],
        BUILT / "target" / "release" / "odis-count":
            ["cargo", "build", "--quiet", "--release", "--manifest-path",
             BENCH / "peers" / "odis" / "Cargo.toml"],
    }
    for program, command in builds.items():
        if not program.exists() and (quick or subprocess.run(command, env=environment).returncode != 0):
            troubles.append(f"{program.name}: not built, skipped")
    return troubles


# Contexts


def found(folder, name):
    """Return the file with that name, optionally with .gz, in the folder or its subfolders."""
    for there in sorted(path for ending in ("", ".gz") for path in folder.rglob(name + ending)):
        if there.is_file():
            return there


def make_contexts(pellucid, files, generated, folder):
    """Write the contexts as plain .dat files. Return their paths, and a message for each missing file."""
    CONTEXTS.mkdir(parents=True, exist_ok=True)
    made, troubles = {}, []
    for name, flags in generated.items():
        made[name] = CONTEXTS / f"{name}.dat"
        subprocess.run([pellucid, "generate", "context", *flags, "--out", made[name]], check=True,
                       capture_output=True)
    for name, (file, flags, _, _) in files.items():
        source = found(folder, file) if folder else None
        if not source:
            troubles.append(f"{name}: cannot find {file}" if folder else f"{name}: skipped, needs --data")
            continue
        made[name] = CONTEXTS / f"{name}.dat"
        if flags or source.suffix == ".cxt":
            command = [pellucid, "concepts", source, *flags, "--write", made[name], "--count", "--quiet"]
            subprocess.run(command, check=True, capture_output=True)
        else:
            opener = gzip.open if source.suffix == ".gz" else open
            with opener(source, "rb") as whole, open(made[name], "wb") as plain:
                shutil.copyfileobj(whole, plain)
    for path in made.values():
        command = [pellucid, "concepts", path, "--write", path.with_suffix(".cxt"), "--max", "1", "--count",
                   "--quiet"]
        subprocess.run(command, check=True, capture_output=True)
    return {name: made[name] for name in dict.fromkeys([*ORDER, *made]) if name in made}, troubles


def describe(path):
    """Return the number of objects, the number of attributes of any object, and the density."""
    rows = [set(line.split()) for line in path.read_text().splitlines()]
    attributes = len(set().union(*rows))
    return {"objects": len(rows), "attributes": attributes,
            "density": sum(map(len, rows)) / (len(rows) * attributes)}


# Runs


class Failed(Exception):
    """A program exited with an error."""


def timed(command, limit, environment=None):
    """Return the wall, user and system seconds of a process and its output, or None if it was stopped."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=errors,
                                   close_fds=False, env=environment)
        stopped = threading.Event()

        def stop():
            stopped.set()
            os.kill(process.pid, signal.SIGKILL)

        timer = threading.Timer(limit, stop)
        timer.start()
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        if stopped.is_set():
            return None
        out.seek(0)
        errors.seek(0)
        if process.returncode != 0:
            messages = errors.read().decode(errors="replace").strip().splitlines()
            raise Failed(messages[-1] if messages else f"exit code {process.returncode}")
        return {"wall": wall, "user": used.ru_utime, "system": used.ru_stime}, out.read().decode()


def command_of(who, pellucid, path, support):
    """Return the command, its environment, and a function that reads the count from its output."""
    if who in OURS:
        flags = ["--count", "--threads", str(OURS[who]), "--device", "cpu", "--quiet"]
        return [pellucid, "concepts", path, *flags,
                *(["--min-support", str(support)] if support else [])], None, plain
    if who.startswith("fcars"):
        environment = dict(os.environ, RAYON_NUM_THREADS="2" if "2" in who else "1")
        return [BUILT / "bin" / "fcars", "-n", "--dat", path], environment, plain
    if who == "odis":
        return [BUILT / "target" / "release" / "odis-count", path.with_suffix(".cxt")], None, plain
    environment = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")
    return [PYTHON.python, BENCH / "peers" / "count.py", who, path, str(support)], environment, read_json


def plain(text):
    return {"count": int(text.replace(",", "").split()[0])}


def read_json(text):
    return json.loads(text.splitlines()[-1])


def measure(arguments, path, support):
    """Return the lowest times of all programs on one context."""
    peers = [peer for peer in arguments.peers if peer in WITH_SUPPORT or not support]
    best, over = {}, set()

    def run(who):
        command, environment, read = command_of(who, arguments.pellucid, path, support)
        kept = best.setdefault(who, {"runs": 0, "spent": 0.0})
        try:
            result = timed(command, arguments.limit, environment)
        except (Failed, OSError) as error:
            kept["trouble"] = str(error)
            return
        if result is None:
            over.add(who)
            if not kept["runs"]:
                kept["over"] = arguments.limit
            return
        times, text = result
        times.update(read(text))
        count = times.pop("count")
        if kept.setdefault("count", count) != count:
            kept["trouble"] = f"counted {kept['count']} and then {count}"
        times["processor"] = times["user"] + times["system"]
        if times["processor"] < kept.get("processor", float("inf")):
            kept.update(user=times["user"], system=times["system"])
        for name in ("wall", "processor", "call"):
            if name in times:
                kept[name] = min(times[name], kept.get(name, times[name]))
        kept["runs"] += 1
        kept["spent"] += times["wall"]

    for turn in range(arguments.rounds):
        for _ in range(5):
            for who in OURS:
                run(who)
        for who in peers:
            kept = best.get(who, {})
            # Slow peers get fewer turns.
            if who not in over and "trouble" not in kept and kept.get("spent", 0.0) < arguments.limit / 2:
                run(who)
    return best


def peak_memory(command):
    """Return the peak memory in megabytes, by GNU time.

    The figure of the kernel for a child process would include Python before it executed the program.
    """
    tool = shutil.which("time")
    if not tool:
        return None
    result = subprocess.run([tool, "-f", "%M", *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                            text=True)
    return int(result.stderr.split()[-1]) / 1000 if result.returncode == 0 else None


# Results


def table(name, about, best):
    ours = best["ours"]
    lines = ["",
             f"{name}: {about['objects']:,} objects, {about['attributes']:,} attributes, "
             f"{about['density']:.1%} crosses, "
             f"{about['concepts']:,} concepts"
             + (f" with at least {about['support']} objects" if about["support"] else "")
             + f"; load {about['load']:.1f}", "",
             f"{'':20}{'wall s':>10}{'cpu s':>10}{'call s':>10}{'runs':>6}{'wall / ours':>13}"
             f"{'cpu / ours':>13}{'call / ours':>13}"
             "  count"]
    for who, kept in best.items():
        if "trouble" in kept:
            lines.append(f"{who:20}did not run: {kept['trouble']}")
        elif "over" in kept:
            ratio = kept["over"] / ours["wall"]
            lines.append(f"{who:20}{'> ' + format(kept['over'], 'g'):>10}"
                         f"{'':26}{'> ' + format(ratio, ',.0f') + ' x':>13}")
        else:
            ratios = [times(kept.get("wall"), ours["wall"]), times(kept.get("processor"), ours["processor"]),
                      times(kept.get("call"), ours["wall"])]
            call = f"{kept['call']:.4f}" if "call" in kept else ""
            below = about["concepts"] - kept["count"]
            count = f"{kept['count']:,}" + ("" if below == 0 else f" (n - {below})" if below in (1, 2)
                                            else " WRONG")
            lines.append(f"{who:20}{kept['wall']:>10.4f}{kept['processor']:>10.4f}{call:>10}{kept['runs']:>6}"
                         + "".join(f"{shown:>13}" for shown in ratios) + f"  {count}")
    return lines


def times(theirs, ours):
    return "" if theirs is None or not ours else f"{theirs / ours:,.1f} x"


def aims(record):
    """Return the goals, the measurements, and whether the goals are met."""
    rows = []

    def row(aim, value, holds, shown):
        rows.append({"aim": aim, "measured": value, "holds": holds, "shown": shown})

    contexts = record["contexts"]
    if "mushroom" in contexts:
        best = contexts["mushroom"]["times"]
        for who, least in [*((who, 20) for who in RUST_PEERS), *((who, 100) for who in PYTHON_PEERS)]:
            kept = best.get(who, {"trouble": "not selected"})
            if "trouble" in kept:
                row(f"mushroom, {who}: {least} x", None, None, f"not measured: {kept['trouble']}")
                continue
            lower = "over" in kept
            value = (kept["over"] if lower else kept["wall"]) / best["ours"]["wall"]
            has_call = "call" in kept and not lower
            call = f", the call alone {kept['call'] / best['ours']['wall']:,.1f} x" if has_call else ""
            cpu = "" if lower else f", cpu {kept['processor'] / best['ours']['processor']:,.1f} x"
            row(f"mushroom, {who}: {least} x", value, value >= least,
                f"{'> ' if lower else ''}{value:,.1f} x{cpu}{call}")
    for name, most in AIMS.items():
        if name in contexts:
            ours = contexts[name]["times"]["ours"]
            wall, cpu = ours["wall"], ours["processor"]
            row(f"{name}, one thread: {most * 1e3:.0f} ms", wall, wall <= most,
                f"{wall * 1e3:.1f} ms, cpu {cpu * 1e3:.1f} ms")
    for name, about in contexts.items():
        one, two = (about["times"][who]["wall"] for who in OURS)
        if one > 0.1:
            row(f"{name}, two threads: 1.8 x one", one / two, one / two >= 1.8, f"{one / two:.2f} x")
    for what, peak in record["peak_megabytes"].items():
        if peak is not None:
            row(f"{what}: under 20 MB", peak, peak < 20, f"{peak:.1f} MB")
    verdict = {True: "holds", False: "missed", None: ""}
    lines = ["", f"{'aim':46}{'measured':>56}", ""]
    return rows, lines + [f"{row['aim']:46}{row['shown']:>56}  {verdict[row['holds']]}" for row in rows]


def main():
    parser = arguments_of(__doc__)
    parser.add_argument("--data", type=pathlib.Path, help=DATA_HELP)
    parser.add_argument("--contexts", type=lambda names: names.split(","), default=ORDER,
                        help=f"contexts to measure, out of {','.join(ORDER)}")
    parser.add_argument("--ours-only", action="store_const", dest="peers", const=[], default=PEERS,
                        help="no peers")
    parser.add_argument("--limit", type=float, default=60, help="seconds after which a peer is stopped")
    parser.add_argument("--rounds", type=int, default=5,
                        help="number of rounds; Pellucid runs five times per round")
    arguments = parser.parse_args()
    need(arguments.pellucid, "cargo build --release")
    if arguments.data and not arguments.data.is_dir():
        sys.exit(f"--data: cannot find folder {arguments.data}")
    files, generated = FILES, GENERATED
    if arguments.quick:
        flags = ["--objects", "60", "--attributes", "12", "--density", "0.4"]
        files, generated = QUICK, {"random60x12": flags}
        arguments.data, arguments.contexts = ROOT / "tests" / "data" / "contexts", [*QUICK, *generated]
        arguments.rounds, arguments.limit = 1, 20
    troubles = install(arguments.quick) if arguments.peers else []
    contexts, missing = make_contexts(arguments.pellucid, files, generated, arguments.data)
    troubles += missing

    record = {"machine": machine(), "limit": arguments.limit, "contexts": {}, "peak_megabytes": {}}
    lines = [f"{key}: {value}" for key, value in record["machine"].items()]
    lines += ["",
              "whole processes that count concepts; the least of the runs; a peer is stopped after "
              f"{arguments.limit:g} s",
              "'cpu' is user and system time together, of all threads",
              "'call' is without Python's start, imports and reading; it is compared with our whole process"]
    for name in (name for name in contexts if name in arguments.contexts):
        print(name, file=sys.stderr)
        _, _, known, support = files.get(name, ("", [], None, 0))
        about = {**describe(contexts[name]), "support": support, "load": os.getloadavg()[0]}
        best = measure(arguments, contexts[name], support)
        for who in OURS:
            if "trouble" in best[who] or "over" in best[who]:
                sys.exit(f"{name}, {who}: {best[who].get('trouble', 'over the limit')}")
        about["concepts"] = best["ours"]["count"]
        if known not in (None, about["concepts"]) or best["ours, 2 threads"]["count"] != about["concepts"]:
            two = best["ours, 2 threads"]["count"]
            sys.exit(f"{name}: counted {about['concepts']}, and {two} with two threads; expected {known}")
        for kept in best.values():
            kept.pop("spent")
        section = table(name, about, best)
        print("\n".join(section), flush=True)
        lines += section
        record["contexts"][name] = {**about, "times": best}
    if "mushroom" in record["contexts"]:
        for form in ("binary", "text"):
            for threads in ("1", "2"):
                command = [arguments.pellucid, "concepts", contexts["mushroom"], "--format", form, "--out",
                           os.devnull,
                           "--threads", threads, "--device", "cpu", "--quiet"]
                plural = "thread" if threads == "1" else "threads"
                what = f"mushroom, {form} written, {threads} {plural}"
                record["peak_megabytes"][what] = peak_memory(command)
    record["machine"]["load at the end"] = os.getloadavg()[0]
    record["aims"], section = aims(record)
    lines += section
    lines += ["", f"load at the end: {record['machine']['load at the end']}", *troubles]
    text = "\n".join(line.rstrip() for line in lines) + "\n"
    if arguments.peers:
        keep("concepts_vs_peers", text, record, arguments.quick)
    else:
        print(text)


if __name__ == "__main__":
    main()
