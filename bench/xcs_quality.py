#!/usr/bin/env python3
"""Compare the accuracy of classifier systems with peers: ten folds, three seeds, all defaults.

    cargo build --release --package pellucid-cli
    python3 bench/xcs_quality.py --data FOLDER [--sets NAME,…] [--seeds N]

FOLDER contains the files as published (see peers/tidy.py); wine, breast cancer and digits come with
scikit-learn. Pellucid runs `pellucid cv xcs`, which fits everything in the training fold.
scikit-ExSTraCS gets the same CPU time per fold, which determines its number of iterations. A decision
tree and the most common class are listed too. Folds are stratified and assigned by each program. The
recordings of a person stay together (parkinsons).

The result is written to bench/results/ as text and JSON.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

from setting import BENCH, PEERS, arguments_of, keep, machine, need, spent

# The goals for the accuracy.
FLOORS = {"wine": 0.94, "cancer": 0.94, "wisconsin": 0.94, "digits": 0.80}
# The peers need scikit-learn before 1.6.
PACKAGES = ["scikit-learn<1.6", "pandas", "scikit-ExSTraCS"]


def ours(command, file, seed, flags):
    grouped = ["--groups", "group"] if "group" in file.read_text().split("\n", 1)[0].split(",") else []
    start = spent()
    words = [command, "cv", "xcs", file, "--target", "class", *grouped, "--folds", "10", "--seed", str(seed),
             "--json", "--quiet", *flags]
    output = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    return json.loads(output.splitlines()[-1]), spent() - start


def theirs(*words):
    done = subprocess.run([PEERS.python, BENCH / "peers" / "classifiers.py", *map(str, words)],
                          capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 else None


def mean(numbers):
    numbers = [number for number in numbers if number is not None]
    return sum(numbers) / len(numbers) if numbers else None


def shown(number):
    return "     -" if number is None else f"{number:6.3f}"


def main():
    parser = arguments_of(__doc__)
    parser.add_argument("--data", type=pathlib.Path, help="folder with the published files")
    parser.add_argument("--sets", help="tables, separated by commas")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--alone", action="store_true", help="run no peers")
    parser.add_argument("--flags", default="", help="further flags for Pellucid, as one argument")
    args = parser.parse_args()
    need(args.pellucid, "cargo build --release --package pellucid-cli")
    PEERS.make()
    if not PEERS.has("sklearn, skExSTraCS") and not PEERS.install(PACKAGES):
        sys.exit("the peers could not be installed")
    names = args.sets.split(",") if args.sets else []
    seeds = range(1, args.seeds + 1)
    lines = [f"{'set':<14} {'ours':>6} {'bal.':>6} {'rules':>6} {'s/fold':>7}  {'ExSTraCS':>8} "
             f"{'iter.':>6} {'s/fold':>7}  "
             f"{'tree':>6} {'largest':>7}"]
    print(lines[0], flush=True)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        written = subprocess.run([PEERS.python, BENCH / "peers" / "tidy.py", args.data or folder, folder,
                                  *names],
                                 check=True, capture_output=True, text=True).stdout
        for name, path in (line.split(" ", 1) for line in written.splitlines()):
            file = pathlib.Path(path)
            own = [ours(args.pellucid, file, seed, args.flags.split()) for seed in seeds]
            each = mean([cpu / 10 for _, cpu in own])
            accuracy = mean([summary["accuracy"]["mean"] for summary, _ in own])
            balanced = mean([summary["balanced_accuracy"]["mean"] for summary, _ in own])
            size = mean([summary.get("rules", {}).get("mean") for summary, _ in own])
            peer = tree = largest = None
            if not args.alone:
                who = "scikit-ExSTraCS,tree,majority"
                summary = theirs("folds", who, file, 1000, f"{each}s", ",".join(map(str, seeds))) or {}
                peer = summary.get("scikit-ExSTraCS", [])
                tree, largest = (mean([run["accuracy"] for run in summary.get(name, [])])
                                 for name in ["tree", "majority"])
            peer = [summary for summary in peer or [] if summary]
            peer_accuracy = mean([summary["accuracy"] for summary in peer])
            line = (f"{name:<14} {shown(accuracy)} {shown(balanced)} {shown(size)} {each:7.2f}  "
                    f"{shown(peer_accuracy):>8} "
                    f"{mean([summary['iterations'] for summary in peer]) or 0:6.0f} "
                    f"{mean([summary['seconds'] / 10 for summary in peer]) or 0:7.2f}  "
                    f"{shown(tree)} {shown(largest):>7}")
            floor = FLOORS.get(name)
            if floor is not None:
                line += f"  aimed at {floor:.2f}{'' if accuracy >= floor else ': MISSED'}"
            elif peer_accuracy is not None and accuracy < peer_accuracy:
                line += "  below ExSTraCS"
            print(line, flush=True)
            lines.append(line)
            rows.append({"set": name, "accuracy": accuracy, "balanced_accuracy": balanced, "rules": size,
                         "seconds_a_fold": each,
                         "runs": [summary["accuracy"] for summary, _ in own], "scikit-ExSTraCS": peer,
                         "tree": tree, "largest": largest})
    setting = machine()
    head = (f"{setting['processor']}, {setting['cores']} cores, load {setting['load']:.1f}; ten folds, "
            f"{args.seeds} seeds, all defaults")
    keep("xcs_quality", "\n".join([head, "", *lines]) + "\n", {"machine": setting, "sets": rows}, args.quick)


if __name__ == "__main__":
    main()
