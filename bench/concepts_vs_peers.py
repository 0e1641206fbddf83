#!/usr/bin/env python3
"""Compare the time to count the concepts of contexts with all other programs.

    cargo build --release && python3 bench/concepts_vs_peers.py --data FOLDER [--sources FOLDER]

Every context of the folder and its subfolders is counted: .dat and .cxt files, tables (.csv and .data, each
value becomes an attribute) and graphs with one line FROM TO per pair (files without an ending), each
optionally with .gz. A context is counted without a minimum support if Pellucid needs less than --longest CPU
seconds, and with the minimum supports that leave at least a thousand concepts.

All programs read the same .dat file (odis the same context as .cxt), use one thread, write no concepts, and
take turns. Times of programs are CPU seconds (user and system) of whole processes, the median of the rounds.
Times of Python packages are those of the call alone, without Python's start, imports and reading, and they
are compared with the search of Pellucid alone ('search', from its summary); the lowest of the rounds.
A program is stopped after --limit CPU seconds. --slow adds the peers that list some thousand
concepts per second, where there are at most 20,000 concepts. rustyfim runs only on contexts with
up to 8 attributes, because its published versions fail on others.

Programs differ in whether they count the concept without objects and the concept with all objects, so a
count may be one or two below that of Pellucid. Any other difference is an error and is shown.

Python peers are installed into bench/.venv-concepts and the others into bench/.peers on first use; --sources
names a folder with clones of the repositories that `peers/fca.py` lists. Peers that cannot be installed or
run are named in the result, which is written to bench/results as text and JSON.
"""

import gzip
import json
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

from peers.fca import MODULES, MOST_ATTRIBUTES, SLOW, WITHOUT_SUPPORT, Peers, count_of
from setting import BENCH, ROOT, Environment, arguments_of, keep, machine, need

FOLDER = ROOT / "target" / "bench-contexts"
GENERATED = {
    "chung-lu955": ["--objects", "955", "--density", "0.02", "--graph", "chung-lu"],
    "random1000x100": ["--objects", "1000", "--attributes", "100", "--density", "0.2"],
}
QUICK = {"random60x12": ["--objects", "60", "--attributes", "12", "--density", "0.4"]}
# Minimum supports as shares of the objects.
SHARES = [0.0001, 0.001, 0.01, 0.05, 0.2]
FEWEST = 1000
FEW_FOR_SLOW = 20_000
# A program that needs more memory has failed; the limit protects the machine.
MEMORY = 12 << 30


class Failed(Exception):
    """A program exited with an error."""


def spent(command, limit):
    """Return the CPU seconds of a process and what it printed, or None if it was stopped."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        bounds = lambda: (resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1)),
                          resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)))
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=errors,
                                   env=dict(os.environ, RAYON_NUM_THREADS="1", OMP_NUM_THREADS="1",
                                            OPENBLAS_NUM_THREADS="1"), preexec_fn=bounds)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = used.ru_utime + used.ru_stime
        if process.returncode < 0 and seconds >= limit - 1:
            return None
        out.seek(0)
        errors.seek(0)
        text, messages = out.read().decode(errors="replace"), errors.read().decode(errors="replace")
        # FCbO and LCM exit with 1 after they have printed the number.
        if process.returncode < 0 or (process.returncode > 0 and not text + messages):
            raise Failed(f"exit code {process.returncode}")
        if "Traceback" in messages:
            raise Failed(messages.strip().splitlines()[-1])
        return seconds, text, messages


# Contexts


def flags_of(path):
    """Return the flags with which a file is read as a context."""
    name = path.name.removesuffix(".gz")
    if name.endswith((".dat", ".cxt")):
        return []
    if name.endswith((".csv", ".data")):
        return ["--scale", "nominal", *(["--no-header"] if name.startswith("nursery") else [])]
    return ["--from", "pairs", "--symmetric"]


def sources_of(folder):
    """Return the files of contexts in a folder, by name."""
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != "README.md"]
    names = {}
    for path in paths:
        name = path.name.removesuffix(".gz")
        stem = name.rsplit(".", 1)[0]
        # Mushroom exists in two forms.
        names[stem if stem not in names else name] = path
    return names


def written(pellucid, name, source):
    """Write a context as .dat, without attributes of no object, and return the path."""
    path = FOLDER / f"{name}.dat"
    if source.name.endswith(".dat.gz"):
        with gzip.open(source, "rb") as whole, open(path, "wb") as plain:
            shutil.copyfileobj(whole, plain)
        return path
    table = path.with_suffix(".cxt")
    write(pellucid, source, table, *flags_of(source))
    lines = [line for line in table.read_text().splitlines() if set(line) <= {"X", "."}]
    rows = [[place for place, mark in enumerate(line) if mark == "X"] for line in lines if line]
    used = {place: number for number, place in enumerate(sorted(set().union(*rows)))}
    path.write_text("".join(" ".join(str(used[place]) for place in row) + "\n" for row in rows))
    return path


def write(pellucid, source, path, *flags):
    command = [pellucid, "concepts", source, *flags, "--write", path, "--count", "--max", "1", "--quiet"]
    subprocess.run(command, check=True, capture_output=True)


def make_contexts(arguments):
    """Write all contexts, and return their paths."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    made = {}
    for name, flags in (QUICK if arguments.quick else GENERATED).items():
        made[name] = FOLDER / f"{name}.dat"
        subprocess.run([arguments.pellucid, "generate", "context", *flags, "--out", made[name]], check=True,
                       capture_output=True)
    for name, source in (sources_of(arguments.data) if arguments.data else {}).items():
        made[name] = written(arguments.pellucid, name, source)
    return {name: path for name, path in made.items() if not arguments.only or name in arguments.only}


def describe(path):
    """Return the number of objects, the number of attributes of any object, and the density."""
    rows = [set(line.split()) for line in path.read_text().splitlines()]
    attributes = len(set().union(*rows))
    return {"objects": len(rows), "attributes": attributes,
            "density": sum(map(len, rows)) / max(1, len(rows) * attributes)}


def ours(pellucid, path, support):
    return [pellucid, "concepts", path, "--count", "--json", "--quiet", "--threads", "1", "--min-support",
            str(support)]


def supports_of(arguments, path, objects):
    """Return the minimum supports to measure, each with the number of concepts."""
    found, without = [], spent(ours(arguments.pellucid, path, 0), arguments.longest)
    if without:
        found.append((0, json.loads(without[1])["concepts"]))
    supports = sorted({int(objects * share) for share in SHARES} - {0, 1})
    if not without:
        supports = sorted({*supports, *range(2, min(objects, 20))})
    for support in supports:
        if objects < FEWEST and without:
            break
        result = spent(ours(arguments.pellucid, path, support), arguments.longest)
        if result and (concepts := json.loads(result[1])["concepts"]) >= FEWEST:
            found.append((support, concepts))
            if objects < FEWEST:
                break
    return found


# Runs


def rounds_for(seconds, arguments):
    """Return how often a program runs: short runs vary more."""
    return max(1, min(arguments.rounds, int(arguments.limit / max(seconds, 1e-3) / 4)))


def first_run(peers, name, path, support, arguments):
    """Return the count of a peer and how often it will run, or why it does not."""
    try:
        first = spent(peers.command(name, path, support, counts=True), arguments.limit)
        if first is None:
            return {"over": arguments.limit}
        return {"count": count_of(name, *first[1:]), "rounds": rounds_for(first[0], arguments), "times": []}
    except (Failed, OSError, ValueError, TypeError, IndexError) as error:
        return {"trouble": str(error) or type(error).__name__}


def measure(arguments, peers, path, about):
    """Return the times of all programs on one context."""
    support, concepts = about["support"], about["concepts"]
    left_out = [*(WITHOUT_SUPPORT if support else []),
                *(SLOW if concepts > FEW_FOR_SLOW or not arguments.slow else [])]
    names = [name for name in peers.available() if name not in left_out
             and about["attributes"] <= MOST_ATTRIBUTES.get(name, about["attributes"])]
    taken = {"ours": {"times": [], "searches": []}}
    taken |= {name: first_run(peers, name, path, support, arguments) for name in names}
    for turn in range(arguments.rounds):
        kept = taken["ours"]
        seconds, text, _ = spent(ours(arguments.pellucid, path, support), arguments.limit)
        found = json.loads(text)
        kept["times"].append(seconds)
        kept["searches"].append(found["seconds"])
        kept["count"] = found["concepts"]
        for name in names:
            kept = taken[name]
            if turn < kept.get("rounds", 0):
                result = spent(peers.command(name, path, support), arguments.limit)
                if result is None:
                    kept["over"] = arguments.limit
                else:
                    kept["times"].append(float(result[1].split()[-1]) if name in MODULES else result[0])
    for name, kept in taken.items():
        if kept.get("times") and "over" not in kept:
            kept["seconds"] = min(kept["times"]) if name in MODULES else statistics.median(kept["times"])
    taken["ours"]["search"] = min(taken["ours"]["searches"])
    return taken


# Results


def ratio_of(name, taken):
    """Return how many times as long a peer takes as Pellucid."""
    own = taken["ours"]["search" if name in MODULES else "seconds"]
    return taken[name].get("seconds", taken[name].get("over")) / own


def best_of(taken):
    """Return the peer that is fastest compared with Pellucid, and the ratio, if any ended."""
    ratios = {name: ratio_of(name, taken) for name, kept in taken.items()
              if name != "ours" and "seconds" in kept}
    name = min(ratios, key=ratios.get, default=None)
    return (name, ratios[name]) if name else None


def line_of(name, about, taken):
    """Return the line of a context in the table."""
    own, best = taken["ours"], best_of(taken)
    shown = (f"{name:22}{about['support']:>8,}{about['concepts']:>12,}{own['seconds']:>10.4f}"
             f"{own['search']:>10.4f}")
    if best:
        return f"{shown}{taken[best[0]]['seconds']:>10.4f}{best[1]:>8.1f} x  {best[0]}"
    over = min((kept["over"] for kept in taken.values() if "over" in kept), default=0)
    least = f"> {over / own['seconds']:.0f}"
    return f"{shown}{f'> {over:g}':>10}{least:>8} x  (none ended)"


def section(name, about, taken):
    """Return the times of all programs on a context."""
    shape = f"{about['objects']:,} x {about['attributes']:,}, {about['density']:.1%} crosses"
    own = taken["ours"]
    lines = ["", f"{name}, {shape}, minimum support {about['support']:,}: {about['concepts']:,} concepts",
             f"    {'ours':16}{own['seconds']:.4f} (of {len(own['times'])}), search {own['search']:.4f}"]
    for who, kept in taken.items():
        shown = f"    {who:16}"
        if who == "ours":
            continue
        if "trouble" in kept:
            lines.append(f"{shown}did not run: {kept['trouble']}")
        elif "over" in kept:
            lines.append(f"{shown}> {kept['over']:g} (> {ratio_of(who, taken):.0f} x)")
        else:
            below = about["concepts"] - kept["count"]
            count = "" if below == 0 else f"  n - {below}" if below in (1, 2) \
                else f"  WRONG: counted {kept['count']:,}"
            lines.append(f"{shown}{kept['seconds']:.4f} ({ratio_of(who, taken):.1f} x, of "
                         f"{len(kept['times'])}){count}")
    return lines


def summary(results):
    """Return how many contexts meet the goals."""
    ratios = {f"{name} at {about['support']:,}" if about["support"] else name: best[1]
              for name, about, taken in results if (best := best_of(taken))}
    twice = sum(ratio >= 2 for ratio in ratios.values()) + len(results) - len(ratios)
    behind = [f"{name} ({ratio:.2f} x)" for name, ratio in ratios.items() if ratio < 1]
    less = [f"{name} ({ratio:.2f} x)" for name, ratio in ratios.items() if 1 <= ratio < 2]
    return ["", f"at least as fast as the best peer: {len(results) - len(behind)} of {len(results)}",
            f"at least twice as fast: {twice} of {len(results)} ({twice / max(1, len(results)):.0%})",
            *(["behind: " + ", ".join(behind)] if behind else []),
            *(["less than twice: " + ", ".join(less)] if less else [])]


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


def parsed():
    parser = arguments_of(__doc__)
    parser.add_argument("--data", type=pathlib.Path, help="folder with contexts [default: generated ones]")
    parser.add_argument("--sources", type=pathlib.Path, help="folder with clones of repositories")
    parser.add_argument("--only", type=lambda names: names.split(","), help="names of contexts to measure")
    parser.add_argument("--slow", action="store_true", help="also run odis, caspailleur, fcapy and concepts")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--longest", type=int, default=3,
                        help="CPU seconds of Pellucid for a context without minimum support")
    parser.add_argument("--limit", type=int, default=20, help="CPU seconds after which a program is stopped")
    arguments = parser.parse_args()
    need(arguments.pellucid, "cargo build --release")
    if arguments.data and not arguments.data.is_dir():
        sys.exit(f"--data: cannot find folder {arguments.data}")
    if arguments.quick:
        arguments.data, arguments.rounds = ROOT / "tests" / "data" / "contexts", 1
    return arguments


def main():
    arguments = parsed()
    peers = Peers(BENCH / ".peers", Environment(".venv-concepts"), arguments.sources)
    peers.install(arguments.quick, [] if arguments.slow else SLOW)
    contexts = make_contexts(arguments)
    record = {"machine": machine(), "limit": arguments.limit, "contexts": []}
    results = []
    for name, path in contexts.items():
        shape = describe(path)
        for support, concepts in supports_of(arguments, path, shape["objects"]):
            if arguments.slow and concepts <= FEW_FOR_SLOW:
                write(arguments.pellucid, path, path.with_suffix(".cxt"))
            about = {**shape, "support": support, "concepts": concepts}
            taken = measure(arguments, peers, path, about)
            if taken["ours"]["count"] != concepts:
                sys.exit(f"{name}: counted {concepts}, and then {taken['ours']['count']}")
            results.append((name, about, taken))
            print(line_of(name, about, taken), file=sys.stderr, flush=True)
            record["contexts"].append({"name": name, **about, "programs": taken})
    record["machine"]["load at the end"] = os.getloadavg()[0]
    lines = [f"{key}: {value}" for key, value in record["machine"].items()]
    titles = (f"{'context':22}{'support':>8}{'concepts':>12}{'ours':>10}{'search':>10}{'peer':>10}"
              f"{'ratio':>10}")
    lines += ["", "CPU seconds to count the concepts on one thread: our process, our search alone, and the",
              "best peer: a process, or the call of a Python package, which is compared with the search", "",
              titles]
    lines += [line_of(*result) for result in results] + summary(results)
    if "mushroom" in contexts:
        for form in ("binary", "text"):
            command = [arguments.pellucid, "concepts", contexts["mushroom"], "--format", form, "--quiet",
                       "--out", os.devnull, "--threads", "1"]
            if (peak := peak_memory(command)) is not None:
                lines += ["", f"peak memory, mushroom, {form} written: {peak:.1f} MB"]
    lines += ["", "All programs"] + [line for result in results for line in section(*result)]
    lines += ["", *(f"{name}: {trouble}" for name, trouble in peers.troubles.items())]
    keep("concepts_vs_peers", "\n".join(line.rstrip() for line in lines) + "\n", record, arguments.quick)


if __name__ == "__main__":
    main()
