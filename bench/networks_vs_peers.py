#!/usr/bin/env python3
"""Compare the speed and the ranking quality of networks with peers.

    cargo build --release --package pellucid-cli
    python3 bench/networks_vs_peers.py [FOLDER]

Speed: numpy, DEAP and PyGAD. CPU time of a generation of 50 networks with 19 inputs and 4 radial nodes on
66,277 rows, with lift at 20 % and one thread. DEAP and PyGAD include their own operators; numpy and
Pellucid only evaluate the fitness. networks_gpu.sh compares with JAX and PyTorch on a GPU.

Ranking: boosting, an MLP and logistic regression. FOLDER contains the tables (see SETS), which are not
part of the repository. 30 % of the rows, stratified, are held out; five seeds. The peers get text
columns as the same smoothed out-of-fold log odds that Pellucid computes, because boosting with its own
encoding would lose several tenths of lift. All learners use their defaults. Pellucid also runs without
evolution, and in the mode of the paper. CPU time is that of training; for Pellucid it includes reading
the file and writing the model, without inner folds.

ONNX: the scores of onnxruntime for exported models are compared with `predict`, row by row, including
text and missing values.

The peers are installed into bench/.venv on first use. The result is written to bench/results/ as text
and JSON.
"""

import csv
import gzip
import json
import math
import pathlib
import random
import resource
import subprocess
import sys
import tempfile

from setting import BENCH, PEERS, ROOT, arguments_of, keep, machine, need

PACKAGES = ["numpy", "scikit-learn", "lightgbm", "deap", "pygad", "onnxruntime"]
SPEED = {"numpy": "numpy", "deap": "deap, numpy", "pygad": "pygad, numpy"}
RANK = {"hist-gradient-boosting": "sklearn", "lightgbm": "lightgbm", "mlp": "sklearn", "logistic": "sklearn"}
# File, delimiter, has a header, target, positive class, ignored columns, numeric columns that are categories.
SETS = {
    "contest": ("ucsd2009_task1.csv.gz", ",", True, "target", "1", ["cvfold"], ["state1", "domain1", "zip1"]),
    "bank": ("bank-additional-full.csv.gz", ";", True, "y", "yes", ["duration"], []),
    "caravan": ("caravan_ticdata2000.txt.gz", "\t", False, "x86", "1", [], []),
    "adult": ("adult-train.csv.gz", ",", False, "x15", ">50K", [], []),
}
# Variants of Pellucid and their flags.
OURS = {"pellucid": [], "pellucid, gradient alone": ["--generations", "0"],
        "pellucid, mode paper": ["--mode", "paper"]}
SEEDS = 5
AIM = 4


def peer(*words):
    """Return the output of a peer, or its error."""
    done = subprocess.run([PEERS.python, BENCH / "peers" / "networks.py", *map(str, words)],
                          capture_output=True, text=True)
    if done.returncode != 0:
        return {"failed": done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "no reason given"}
    return json.loads(done.stdout.splitlines()[-1])


def speed(command, peers, population, rows, generations):
    output = subprocess.run([f"{command}-bench", "networks", "--populations", str(population), "--rows",
                             str(rows), "--threads", "1",
                           "--device", "cpu", "--json", "--quiet"], check=True, capture_output=True,
                            text=True).stdout
    row = json.loads(output.splitlines()[-1])["rows"][0]
    own = row["processor_seconds"] or row["seconds"]
    lines = [f"{'pellucid':<24} {1000 * own:>10.2f} ms a generation"]
    rows_out = [{"who": "pellucid", "seconds": own}]
    for name in peers:
        found = peer("speed", name, population, rows, 19, 4, generations)
        if "failed" in found:
            lines.append(f"{name:<24} failed: {found['failed']}")
            continue
        ratio = found["seconds"] / own
        lines.append(f"{name:<24} {1000 * found['seconds']:>10.2f} ms a generation  ours is {ratio:.1f} "
                     "times as fast")
        rows_out.append({"who": name, **found, "ratio": ratio})
    return lines, rows_out


def table(folder, name):
    file, delimiter, has_header, target, positive, left_out, words = SETS[name]
    path = next(iter(sorted(pathlib.Path(folder).rglob(file))), None)
    if path is None:
        return None
    with gzip.open(path, "rt", newline="") as text:
        rows = [[cell.strip() for cell in row] for row in csv.reader(text, delimiter=delimiter) if row]
    head = rows.pop(0) if has_header else [f"x{place + 1}" for place in range(len(rows[0]))]
    kept = [place for place, column in enumerate(head) if column not in left_out]
    rows = [[row[place] for place in kept] for row in rows]
    return [head[place] for place in kept], rows, target, positive, words


def split(labels, seed):
    """Return stratified training and test rows."""
    stream = random.Random(seed)
    train, test = [], []
    for wanted in sorted(set(labels)):
        own = [row for row, label in enumerate(labels) if label == wanted]
        stream.shuffle(own)
        cut = round(0.3 * len(own))
        test += own[:cut]
        train += own[cut:]
    return sorted(train), sorted(test)


def log_odds(values, labels, rows, rare=20, smoothing=10.0):
    """Return the smoothed log odds of each category, relative to all rows."""
    count, yes = {}, {}
    for row in rows:
        count[values[row]] = count.get(values[row], 0) + 1
        yes[values[row]] = yes.get(values[row], 0) + labels[row]
    share = sum(labels[row] for row in rows) / len(rows)
    prior = math.log(share / (1 - share))
    def of(word):
        likely = (yes[word] + smoothing * share) / (count[word] + smoothing)
        return math.log(likely / (1 - likely)) - prior
    return {word: of(word) for word in count if count[word] >= rare}


def numbers(head, rows, labels, train, test, target, words, seed):
    """Return the columns for the peers: numbers, and text as log odds, out of fold for training rows."""
    stream = random.Random(seed + 1000)
    fold = {row: stream.randrange(5) for row in train}
    columns = []
    for place, column in enumerate(head):
        if column == target:
            continue
        values = [row[place] for row in rows]
        def number(text):
            try:
                return float(text)
            except ValueError:
                return float("nan")
        found = [number(text) for text in values]
        if column not in words and sum(math.isnan(one) for one in found) < len(found) / 2:
            columns.append(found)
            continue
        encoded = [0.0] * len(rows)
        whole = log_odds(values, labels, train)
        for row in test:
            encoded[row] = whole.get(values[row], 0.0)
        for one in range(5):
            known = log_odds(values, labels, [row for row in train if fold[row] != one])
            for row in train:
                if fold[row] == one:
                    encoded[row] = known.get(values[row], 0.0)
        columns.append(encoded)
    return columns


def lift(scores, labels):
    """Return the lift at 20 %. Rows tied at the cutoff count partially."""
    top = int(0.2 * len(scores) + 1e-9)
    order = sorted(range(len(scores)), key=lambda row: -scores[row])
    edge = scores[order[top - 1]]
    above = [row for row in order if scores[row] > edge]
    tied = [row for row in order if scores[row] == edge]
    among_tied = sum(labels[row] for row in tied) * (top - len(above)) / len(tied)
    found = sum(labels[row] for row in above) + among_tied
    return found / top / (sum(labels) / len(labels))


def write_csv(path, head, rows, chosen):
    with open(path, "w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(head)
        writer.writerows(rows[row] for row in chosen)


def ours(command, device, folder, head, rows, train, test, target, positive, words, seed, *flags):
    """Return the scores of the test rows and the CPU time of training."""
    for name, chosen in [("train", train), ("test", test)]:
        write_csv(folder / f"{name}.csv", head, rows, chosen)
    nominal = ["--nominal", ",".join(words)] if words else []
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([command, "learn", "network", folder / "train.csv", "--target", target, "--positive-class",
                    positive, *nominal,
                    "--seed", str(seed), "--threads", "1", "--device", device, "--no-inner-folds", "--quiet",
                    "--force", "--out",
                    folder / "model.json", *flags], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    output = subprocess.run([command, "predict", folder / "model.json", folder / "test.csv", "--json",
                             "--quiet"], check=True,
                          capture_output=True, text=True).stdout
    votes = [json.loads(line) for line in output.splitlines()]
    scores = [row["votes"][positive] for row in votes if "votes" in row]
    return scores, (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)


def quality(command, device, folder, names, seeds, peers, flags):
    lines, out = [], []
    for name in names:
        found = table(folder, name)
        if found is None:
            lines.append(f"{name}: {SETS[name][0]} is not in {folder}")
            continue
        head, rows, target, positive, words = found
        labels = [row[head.index(target)] == positive for row in rows]
        labels = [int(label) for label in labels]
        of = {}
        for seed in range(1, seeds + 1):
            train, test = split(labels, seed)
            actual = [labels[row] for row in test]
            with tempfile.TemporaryDirectory() as temporary:
                place = pathlib.Path(temporary)
                for who, own in OURS.items():
                    scores, seconds = ours(command, device, place, head, rows, train, test, target, positive,
                                           words, seed, *own, *flags)
                    of.setdefault(who, []).append((lift(scores, actual), seconds))
                if peers:
                    columns = numbers(head, rows, labels, train, test, target, words, seed)
                    for part, chosen in [("train", train), ("test", test)]:
                        data = {"x": [[column[row] for column in columns] for row in chosen],
                                "y": [labels[row] for row in chosen]}
                        (place / f"{part}.json").write_text(json.dumps(data))
                        script = ("import json, numpy; d = "
                                  f"json.load(open({str(place / (part + '.json'))!r})); "
                                  f"x = numpy.array(d['x'], float); x = numpy.where(numpy.isnan(x), 0.0, x); "
                                  f"numpy.savez({str(place / part)!r}, x=x, y=numpy.array(d['y']))")
                        subprocess.run([PEERS.python, "-c", script], check=True)
                for who in peers:
                    output = peer("rank", who, place / "train.npz", place / "test.npz", seed)
                    if "failed" in output:
                        lines.append(f"{name:<8} {who} failed: {output['failed']}")
                        continue
                    of.setdefault(who, []).append((lift(output["scores"], actual), output["seconds"]))
        for who, all in of.items():
            lifts = [one for one, _ in all]
            mean = sum(lifts) / len(lifts)
            seconds = sum(second for _, second in all) / len(all)
            shown = " ".join(f"{one:.2f}" for one in lifts)
            lines.append(f"{name:<8} {who:<24} lift {mean:.3f}  ({shown})  {seconds:.2f} s CPU time")
            out.append({"set": name, "who": who, "lift": mean, "lifts": lifts, "seconds": seconds})
        lines.append("")
    return lines, out


def small_table(path, rows=400):
    """Write a table with numbers, text, booleans and missing values."""
    stream = random.Random(5)
    with open(path, "w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["amount", "town", "member", "answers"])
        for _ in range(rows):
            amount = stream.uniform(-3, 3)
            town = stream.choice(["north", "south", "east", "a \"quoted\", one"])
            member = stream.random() < 0.4
            likely = 1 / (1 + math.exp(-(2 - 2 * amount * amount + (town == "north") + member)))
            row = [f"{amount:.3f}", town, str(member).lower(), "yes" if stream.random() < likely else "no"]
            for place in range(3):
                if stream.random() < 0.05:
                    row[place] = ""
            writer.writerow(row)


def onnx_agrees(command, flags):
    """Return the largest difference between onnxruntime and `predict` over activation functions."""
    worst = 0.0
    with tempfile.TemporaryDirectory() as temporary:
        place = pathlib.Path(temporary)
        small_table(place / "table.csv")
        with open(place / "table.csv", newline="") as text:
            rows = list(csv.DictReader(text))
        columns = {name: [row[name] or None for row in rows] for name in ["amount", "town", "member"]}
        (place / "rows.json").write_text(json.dumps(columns))
        for kind in [["--activation", "rbf"], ["--activation", "tanh"],
                     ["--activation", "relu", "--second-layer", "3"],
                     ["--activation", "rbf", "--second-layer", "3", "--second-activation", "rbf"]]:
            (place / "model.json").unlink(missing_ok=True)
            subprocess.run([command, "learn", "network", place / "table.csv", "--target", "answers",
                            "--no-inner-folds", "--quiet", "--nodes", "4",
                            "--out", place / "model.json", *kind, *flags], check=True, capture_output=True)
            output = subprocess.run([command, "predict", place / "model.json", place / "table.csv", "--json",
                                     "--quiet"], check=True,
                                  capture_output=True, text=True).stdout
            lines = [json.loads(line) for line in output.splitlines()]
            scores = [line["votes"]["yes"] for line in lines if "votes" in line]
            likely = [line["probability"]["yes"] for line in lines if "probability" in line]
            file = subprocess.run([command, "show", place / "model.json", "--format", "onnx"], check=True,
                                  capture_output=True).stdout
            (place / "model.onnx").write_bytes(file)
            found = peer("onnx", place / "model.onnx", place / "rows.json")
            if "failed" in found:
                sys.exit(f"onnxruntime cannot run the model: {found['failed']}")
            assert len(scores) == len(rows) == len(found["score"])
            worst = max(worst, *(abs(a - b) / (1 + abs(a)) for a, b in zip(scores, found["score"])),
                        *(abs(a - b) for a, b in zip(likely, found["probability"])))
    if not worst < 1e-4:
        sys.exit(f"onnxruntime and predict differ by {worst}")
    return worst


def main():
    parser = arguments_of(__doc__)
    parser.add_argument("folder", nargs="?", type=pathlib.Path,
                        default=ROOT.parent / "shared" / "data" / "tabular", help="folder with the tables")
    parser.add_argument("--sets", default=",".join(SETS), help="tables, separated by commas")
    parser.add_argument("--seeds", type=int, default=SEEDS, help="number of splits of each table")
    parser.add_argument("--flags", default="", help="flags for training, such as '--islands 10'")
    parser.add_argument("--device", default="cpu", help="device for training; it does not change the model")
    args = parser.parse_args()
    need(args.pellucid, "cargo build --release --package pellucid-cli")
    if not args.quick:
        PEERS.make()
        modules = "numpy, sklearn, lightgbm, deap, pygad, onnxruntime"
        if not PEERS.has(modules) and not PEERS.install(PACKAGES):
            print("not all peers could be installed", file=sys.stderr)
    fast = [name for name, modules in SPEED.items() if PEERS.has(modules)]
    ranking = [name for name, modules in RANK.items() if PEERS.has(modules)]
    absent = sorted((set(SPEED) - set(fast)) | (set(RANK) - set(ranking)))
    flags = args.flags.split()
    lines, speeds = speed(args.pellucid, fast, *((10, 2_000, 2) if args.quick else (50, 66_277, 10)))
    if PEERS.has("onnxruntime"):
        quick = ["--rounds", "3", "--generations", "2"] if args.quick else []
        lines.append(f"\nonnxruntime says what predict says, to {onnx_agrees(args.pellucid, quick):.1e}")
    else:
        absent.append("onnxruntime")
    ranks = []
    if not args.quick:
        more, ranks = quality(args.pellucid, args.device, args.folder, args.sets.split(","), args.seeds,
                              ranking, flags)
        lines += ["", *more]
    if absent:
        lines.append(f"not installed: {', '.join(absent)}")
    lines.append(f"aimed at: {AIM} times numpy, DEAP and PyGAD on one thread")
    setting = machine()
    text = "\n".join([f"{setting['processor']}, {setting['cores']} cores, load {setting['load']:.1f}", "",
                      *lines]) + "\n"
    keep("networks_vs_peers", text, {"machine": setting, "speed": speeds, "ranking": ranks, "absent": absent},
         args.quick)


if __name__ == "__main__":
    main()
