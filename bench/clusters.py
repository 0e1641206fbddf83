#!/usr/bin/env python3
"""Measure the quality and the speed of clusters of dependency graphs.

    cargo build --release && python3 bench/clusters.py --data FOLDER [--trees FOLDER]

FOLDER, or its subfolders, may contain dependency graphs (see GRAPHS), each optionally with .gz. For each
graph: the quality (TurboMQ) by default, the time of the whole process on one thread and on all, and whether
the partitions are the same bytes. TARGETS are qualities that a plain hill climb with three starts reaches.

TREES is a folder with folders of Python or C source code. The folder of a module, one level below the top, is
what its authors regard as its unit. The adjusted Rand index says how well clusters agree with that, for all
modules that are in a cluster in every setting: by default, and with omnipresent modules set aside.
"""

import csv
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import time
from collections import Counter

from setting import ROOT, arguments_of, keep, machine, need

TARGETS = {"mtunis": 2.22, "ispell": 2.32, "rcs": 2.23, "bison": 2.60, "grappa": 12.70, "incl": 13.60}
GRAPHS = [*TARGETS, "dot", "compiler", "boxer", "bunch", "cia", "bash", "exim", "lynx", "ncurses", "php",
          "bunchall", "swing", "krb5", "res_cobol", "apache_lucene_core", "linux", "apache_ant"]
SETTINGS = {"all modules": [], "aside from 4": ["--omnipresent=4"], "aside from 3": ["--omnipresent"],
            "aside from 2": ["--omnipresent=2"]}


def clustered(program, graph, *flags):
    """Return the summary, the partition as CSV and the seconds of the whole process."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "partition.csv"
        command = [program, "cluster", graph, "--quiet", "--json", "--format", "csv", "--out", out, *flags]
        start = time.perf_counter()
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        seconds = time.perf_counter() - start
        return json.loads(done.stdout.splitlines()[-1]), out.read_text(), seconds


def found(folder, name):
    """Return the file of a graph, or None."""
    places = [folder, *(place for place in folder.iterdir() if place.is_dir())]
    files = (place / file for place in places for file in (name, f"{name}.gz"))
    return next((file for file in files if file.is_file()), None)


def rand_index(one, other):
    """Return the adjusted Rand index of two partitions of the same modules."""
    def pairs(counts):
        return sum(math.comb(count, 2) for count in counts)
    both = pairs(Counter((one[module], other[module]) for module in one).values())
    first, second = pairs(Counter(one.values()).values()), pairs(Counter(other.values()).values())
    expected = first * second / max(math.comb(len(one), 2), 1)
    most = (first + second) / 2
    return 1.0 if most == expected else (both - expected) / (most - expected)


def unit(module):
    """Return the folder or package of a module, one level below the top."""
    parts = module.replace("/", ".").split(".")
    return ".".join(parts[:2]) if len(parts) > 2 else parts[0]


def agreement(program, tree):
    """Return the agreement of clusters with folders for each setting."""
    partitions, qualities = {}, {}
    for name, flags in SETTINGS.items():
        summary, text, _ = clustered(program, tree, *flags)
        rows = list(csv.reader(text.splitlines()))[1:]
        partitions[name] = {module: cluster for module, cluster in rows
                            if cluster not in ("omnipresent", "unconnected")}
        qualities[name] = summary["mq"]
    common = set.intersection(*(set(partition) for partition in partitions.values()))
    units = {module: unit(module) for module in common}
    shares = {name: rand_index({module: partition[module] for module in common}, units)
              for name, partition in partitions.items()}
    return {"tree": tree.name, "modules": len(common), "units": len(set(units.values())), "agreement": shares,
            "quality": qualities}


def main():
    parser = arguments_of(__doc__)
    parser.add_argument("--data", type=pathlib.Path, help="folder with dependency graphs")
    parser.add_argument("--trees", type=pathlib.Path, help="folder with folders of source code")
    arguments = parser.parse_args()
    need(arguments.pellucid, "cargo build --release")
    program, quick = arguments.pellucid, arguments.quick
    if quick:
        graphs = {"editor": ROOT / "tests" / "data" / "contexts" / "editor.pairs"}
    elif arguments.data:
        graphs = {name: file for name in GRAPHS if (file := found(arguments.data, name))}
    else:
        sys.exit("--data: expected a folder with dependency graphs")
    described = machine()
    rows = []
    for name, file in graphs.items():
        flags = ["--from", "pairs"]
        summary, text, seconds = clustered(program, file, *flags)
        _, alone, alone_seconds = clustered(program, file, *flags, "--threads", "1")
        if alone != text:
            sys.exit(f"{name}: the partition depends on the number of threads")
        rows.append({"graph": name, "modules": summary["modules"], "edges": summary["edges"],
                     "clusters": summary["clusters"], "mq": summary["mq"], "target": TARGETS.get(name),
                     "seconds": seconds, "seconds_one_thread": alone_seconds})
    trees = sorted(tree for tree in arguments.trees.iterdir() if tree.is_dir()) if arguments.trees else []
    agreements = [agreement(program, tree) for tree in trees]
    build = ", development build" if "debug" in program.parts else ""
    lines = [f"Clusters of dependency graphs, {described['processor']}, {described['cores']} cores, load "
             f"{described['load']:.1f}{build}.",
             "Default settings; seconds of whole processes on all cores and on one.", "",
             f"{'graph':20}{'modules':>8}{'edges':>8}{'clusters':>9}{'quality':>10}{'target':>8}"
             f"{'all':>8}{'one':>8}"]
    for row in rows:
        target = f"{row['target']:.2f}" if row["target"] else ""
        lines.append(f"{row['graph']:20}{row['modules']:8}{row['edges']:8}{row['clusters']:9}"
                     f"{row['mq']:10.4f}{target:>8}{row['seconds']:8.2f}{row['seconds_one_thread']:8.2f}")
    if agreements:
        lines += ["",
                  "Agreement of clusters with folders (adjusted Rand index), by the multiple of the average",
                  "number of neighbors from which modules are set aside; the same modules in each row.", "",
                  f"{'tree':20}{'modules':>8}{'folders':>8}" + "".join(f"{name:>14}" for name in SETTINGS)]
        for one in agreements:
            lines.append(f"{one['tree']:20}{one['modules']:8}{one['units']:8}"
                         + "".join(f"{one['agreement'][name]:14.3f}" for name in SETTINGS))
        means = (sum(one["agreement"][name] for one in agreements) / len(agreements) for name in SETTINGS)
        lines.append(f"{'mean':20}{'':16}" + "".join(f"{mean:14.3f}" for mean in means))
    record = {"machine": described, "graphs": rows, "trees": agreements}
    keep("clusters", "\n".join(lines) + "\n", record, quick)
    missed = [row["graph"] for row in rows if row["target"] and row["mq"] < row["target"]]
    if missed:
        sys.exit(f"below the target: {', '.join(missed)}")


if __name__ == "__main__":
    main()
