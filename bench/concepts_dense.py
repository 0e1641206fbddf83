#!/usr/bin/env python3
"""Compare the time to count the concepts of dense contexts with a minimum support with other programs.

    cargo build --release && python3 bench/concepts_dense.py [--context FILE:SUPPORT] [--peer NAME=COMMAND]

The contexts are generated with fixed seeds; further .dat files may be given. pyfim and rustyfim are
installed into bench/.venv-concepts on first use. A peer that is not a package is given as a command in
which {file} and {support} are replaced, such as --peer 'LCM=./lcm C_ {file} {support}'. Times are CPU
seconds (user and system) of whole processes that use one thread and do not write the concepts, the lowest
of the rounds, in which the programs take turns. rustyfim and pyfim return the concepts to Python; their time
is that of the call. A program is stopped after --limit CPU seconds, and its ratio is a lower bound.
"""

import pathlib
import random
import resource
import subprocess
import sys

from setting import BENCH, ROOT, Environment, arguments_of, machine, need, spent

PYTHON = Environment(".venv-concepts")
FOLDER = ROOT / "target" / "bench-contexts"
PACKAGES = {"fim": ["pyfim==6.28"], "rustyfim": ["rustyfim==0.2.2"]}
CALLS = {
    "pyfim": "import fim; call = lambda: len(fim.fpgrowth(rows, target='c', supp=-support, zmin=0))",
    "rustyfim": "import rustyfim; call = lambda: len(rustyfim.dci(min_support=support / len(rows), "
                "transactions=rows, n_features=1 + max(map(max, rows))))",
}
TIMED = """
import sys, time
rows = [sorted(map(int, line.split())) for line in open(sys.argv[1])]
support = int(sys.argv[2])
{}
start = time.thread_time()
count = call()
print(count, time.thread_time() - start)
"""


def pairs(seed, rows, columns, least, most):
    """Rows with one of two items for each column; the first has a share between least and most."""
    draw = random.Random(seed)
    shares = [least + (most - least) * draw.random() for _ in range(columns)]
    return [[2 * c + (draw.random() > shares[c]) for c in range(columns)] for _ in range(rows)]


def prototypes(seed, rows, columns, count, noise):
    """Rows that are copies of a few prototypes of three values for each column, with noise."""
    draw = random.Random(seed)
    value = lambda: min(int(draw.expovariate(1.2)), 2)
    kinds = [[value() for _ in range(columns)] for _ in range(count)]
    return [[3 * c + (kind[c] if draw.random() > noise else value()) for c in range(columns)]
            for kind in (draw.choice(kinds) for _ in range(rows))]


def weighted(seed, rows, items, taken):
    """Rows of some of the items; the first half of the items is six times as likely."""
    draw = random.Random(seed)
    order = lambda i: -(draw.random() ** (1 / (6 if i < items // 2 else 1)))
    return [sorted(sorted(range(items), key=order)[:taken]) for _ in range(rows)]


def uniform(seed, rows, items, density):
    draw = random.Random(seed)
    return [[i for i in range(items) if draw.random() < density] for _ in range(rows)]


GENERATED = {
    "pairs 3000x74": (pairs(1, 3000, 37, 0.5, 0.99), [1200, 900]),
    "skewed pairs 3000x74": (pairs(2, 3000, 37, 0.7, 0.995), [1800, 1500]),
    "pairs 20000x60": (pairs(3, 20000, 30, 0.6, 0.98), [6000]),
    "prototypes 4000x120": (prototypes(1, 4000, 40, 30, 0.1), [1200, 800]),
    "noisy 4000x120": (prototypes(2, 4000, 40, 30, 0.25), [800]),
    "weighted 3000x75": (weighted(1, 3000, 75, 37), [900]),
    "uniform 2000x50": (uniform(1, 2000, 50, 0.5), [100]),
    "uniform 2000x40": (uniform(2, 2000, 40, 0.7), [400]),
}


class Failed(Exception):
    """A program exited with an error."""


def cpu_of(command, limit):
    """Return the CPU seconds of a process and its output, or None if it was stopped."""
    start = spent()
    bound = lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
    ended = subprocess.run(command, capture_output=True, text=True, preexec_fn=bound)
    if ended.returncode < 0:
        return None
    if ended.returncode > 0:
        messages = [line for line in ended.stderr.splitlines() if "Error" in line or "Exception" in line]
        raise Failed(messages[-1] if messages else f"exit code {ended.returncode}")
    return spent() - start, ended.stdout


def measure(path, support, arguments):
    best, counts, troubles = {}, {}, {}
    commands = {f"ours{name}": [program, "concepts", path, "--count", "--quiet", "--threads", "1",
                                "--min-support", str(support)]
                for name, program in arguments.ours.items()}
    for name, command in arguments.peers.items():
        commands[name] = [word.format(file=path, support=support) for word in command.split()]
    for name, call in CALLS.items():
        if PYTHON.has("fim" if name == "pyfim" else name):
            commands[name] = [PYTHON.python, "-c", TIMED.format(call), path, str(support)]
    for _ in range(arguments.rounds):
        for name, command in commands.items():
            if best.get(name, 0) is None or name in troubles:
                continue
            try:
                result = cpu_of(command, arguments.limit)
            except Failed as error:
                troubles[name] = str(error)
                continue
            if result is None:
                best[name] = None
                continue
            seconds, output = result
            if name in CALLS or name.startswith("ours"):
                words = output.replace(",", "").split()
                counts[name] = int(words[0]) if words else None
                seconds = float(words[1]) if name in CALLS and words else seconds
            best[name] = min(seconds, best.get(name, seconds))
    return best, counts, troubles


def main():
    parser = arguments_of(__doc__)
    parser.add_argument("--before", type=pathlib.Path, help="an earlier build to compare with")
    parser.add_argument("--context", action="append", default=[], metavar="FILE:SUPPORT")
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=COMMAND")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--limit", type=int, default=30)
    parser.add_argument("--out", type=pathlib.Path, default=BENCH / "results" / "concepts_dense.txt")
    arguments = parser.parse_args()
    need(arguments.pellucid, "cargo build --release")
    arguments.ours = {"": arguments.pellucid}
    if arguments.before:
        arguments.ours[" before"] = arguments.before
    arguments.peers = dict(peer.split("=", 1) for peer in arguments.peer)
    if not arguments.quick:
        PYTHON.make()
        for module, packages in PACKAGES.items():
            if not PYTHON.has(module):
                PYTHON.install(packages)
    FOLDER.mkdir(parents=True, exist_ok=True)
    contexts = []
    generated = {"uniform 60x12": (uniform(1, 60, 12, 0.5), [5])} if arguments.quick else GENERATED
    for name, (rows, supports) in generated.items():
        path = FOLDER / f"{name.replace(' ', '-')}.dat"
        path.write_text("".join(" ".join(map(str, row)) + "\n" for row in rows))
        contexts += [(name, path, support) for support in supports]
    for context in arguments.context:
        path, support = context.rsplit(":", 1)
        contexts.append((pathlib.Path(path).stem, pathlib.Path(path), int(support)))
    about = "\n".join(f"{key}: {value}" for key, value in machine().items())
    lines = [about, "", "CPU seconds, one thread; in brackets the ratio to ours", ""]
    for name, path, support in contexts:
        best, counts, troubles = measure(path, support, arguments)
        ours = best["ours"]
        shown = [f"{name}, at least {support} objects: {counts['ours']:,} concepts"]
        for who, seconds in best.items():
            value = f"> {arguments.limit:g} (> {arguments.limit / ours:.0f} x)" if seconds is None \
                else f"{seconds:.3f} ({seconds / ours:.1f} x)"
            known = counts.get(who, counts["ours"])
            wrong = "" if known is None or counts["ours"] - known in (0, 1, 2) else f" counted {known:,}"
            shown.append(f"    {who:14}{value}{wrong}")
        shown += [f"    {who:14}did not run: {trouble}" for who, trouble in troubles.items()]
        lines += shown
        print("\n".join(shown), flush=True)
    if not arguments.quick:
        arguments.out.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    sys.exit(main())
