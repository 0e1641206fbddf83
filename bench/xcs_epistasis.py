#!/usr/bin/env python3
"""Check whether classifier systems recover the columns of epistatic and heterogeneous genotypes.

    cargo build --release --package pellucid-cli
    python3 bench/xcs_epistasis.py [--seeds 3]

`pellucid generate genotypes` makes tables like those of GAMETES: two columns of a model together determine
the probability of the class, and each alone says nothing. With two models, each row follows one of them. A
column counts as recovered if it is among the first 2 (or 4) columns by importance. Accuracy is on 2,000 other
rows. scikit-ExSTraCS gets the same CPU time, with attribute tracking and feedback; its columns are ranked by
tracking and by how often rules specify them.

Where rows follow one of several models, the groups of the training rows are compared with the models by the
adjusted Rand index (0: as by chance). "Best" is the index of the most probable model of each row given its
class, which no assignment can surpass on average. Rows that are in no group are left out; the share of the
others is listed. The groups of scikit-ExSTraCS are clusters of its tracking scores, as many as there are
models.

The result is written to bench/results/ as text and JSON.
"""

import collections
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

from setting import BENCH, PEERS, arguments_of, keep, machine, need, spent

# The peers need scikit-learn before 1.6.
PACKAGES = ["scikit-learn<1.6", "pandas", "scikit-ExSTraCS"]
# Models, columns, heritability, frequency of the minor allele, rows.
PROBLEMS = {"epistasis": (1, 20, 0.4, 0.4, 1600), "weak": (1, 20, 0.1, 0.4, 1600),
            "rare allele": (1, 20, 0.2, 0.2, 1600), "100 columns": (1, 100, 0.4, 0.4, 1600),
            "heterogeneous": (2, 20, 0.4, 0.4, 1600), "three models": (3, 20, 0.4, 0.4, 3200)}


def generate(command, file, problem, rows, seed):
    models, columns, heritability, minor, _ = problem
    flags = {"rows": rows, "models": models, "attributes": columns, "heritability": heritability,
             "minor-allele": minor, "seed": seed, "out": file, "truth": file.with_suffix(".truth.csv")}
    words = [str(word) for name, value in flags.items() for word in (f"--{name}", value)]
    subprocess.run([command, "generate", "genotypes", *words], check=True, capture_output=True)


def split(whole, train, test, rows):
    lines = whole.read_text().splitlines(keepends=True)
    train.write_text("".join(lines[:rows + 1]))
    test.write_text("".join(lines[:1] + lines[rows + 1:]))


def rand_index(one, other):
    """Return the adjusted Rand index of two groupings."""
    def pairs(counts):
        return sum(count * (count - 1) / 2 for count in counts.values())

    both, whole = pairs(collections.Counter(zip(one, other))), len(one) * (len(one) - 1) / 2
    alone = [pairs(collections.Counter(grouping)) for grouping in (one, other)]
    expected, most = alone[0] * alone[1] / max(whole, 1), sum(alone) / 2
    return (both - expected) / (most - expected) if most > expected else 0.0


def agreement(groups, truth):
    """Return how well groups agree with the models of the rows in a group, and the best that is possible."""
    known = [(group, row["model"], row["likeliest"]) for group, row in zip(groups, truth) if group != ""]
    if not known:
        return {"assigned": 0.0, "found": 0.0, "best": 0.0}
    group, model, likeliest = zip(*known)
    return {"assigned": len(known) / len(truth), "found": rand_index(group, model),
            "best": rand_index(likeliest, model)}


def ours(command, train, test, folder, seed, iterations):
    model = folder / "model.json"
    model.unlink(missing_ok=True)
    begin = spent()
    subprocess.run([command, "learn", "xcs", train, "--target", "class", "--seed", str(seed),
                    "--quiet", "--out", model, *iterations], check=True,
                   capture_output=True)
    seconds = spent() - begin
    text = subprocess.run([command, "predict", model, test, "--quiet"], check=True, capture_output=True,
                          text=True).stdout
    rows = list(csv.DictReader(text.splitlines()))
    text = subprocess.run([command, "predict", model, train, "--quiet"], check=True, capture_output=True,
                          text=True).stdout
    assigned = [row.get("group", "") for row in csv.DictReader(text.splitlines())]
    body = json.loads(model.read_text())["model"]
    right = sum(row["predicted"] == row["actual"] for row in rows)
    return {"ranked": [one["column"] for one in body["importance"]], "groups": len(body.get("groups", [])),
            "rules": len(body["rules"]), "assigned": assigned, "accuracy": right / len(rows),
            "seconds": seconds}


def recovered(ranked, models):
    true = {f"M{model}P{place}" for model in range(1, models + 1) for place in (1, 2)}
    return len(true & set(ranked[:2 * models]))


def measured(args, name, problem, seed, has_peer):
    """Return what a table gave: the number of recovered columns and the accuracy, ours and of the peer."""
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        whole, train, test = (folder / f"{part}.csv" for part in ("whole", "train", "test"))
        generate(args.pellucid, whole, problem, problem[4] + (200 if args.quick else 2000), seed)
        split(whole, train, test, problem[4])
        few = ["--iterations", "2000"] if args.quick else []
        own = ours(args.pellucid, train, test, folder, seed, few)
        truth = list(csv.DictReader(whole.with_suffix(".truth.csv").open()))[:problem[4]]
        row = {"problem": name, "seed": seed, "own": own, "recovered": recovered(own["ranked"], problem[0]),
               "agreement": agreement(own.pop("assigned"), truth)}
        if has_peer:
            words = [BENCH / "peers" / "epistasis.py", train, test, str(own["seconds"]), str(seed),
                     str(problem[0])]
            done = subprocess.run([PEERS.python, *words], check=True, capture_output=True, text=True)
            peer = json.loads(done.stdout.splitlines()[-1])
            found = [recovered(peer[key], problem[0]) for key in ("tracked", "specified")]
            groups = peer.pop("groups")
            row["ExSTraCS"] = {**peer, "recovered": found, "agreement": agreement(groups, truth)}
    return row


def line(row, models):
    own, peer = row["own"], row.get("ExSTraCS")
    text = (f"{row['problem']:<14} {row['seed']:>4} {2 * models:>4}  {row['recovered']:>4} "
            f"{own['accuracy']:>8.3f} {own['rules']:>5} {own['groups']:>6} {own['seconds']:>6.2f}")
    if models > 1:
        own = row["agreement"]
        text += f"  {own['found']:>6.3f} {own['best']:>6.3f} {own['assigned']:>8.2f}"
    else:
        text += " " * 24
    if peer:
        tracked, specified = peer["recovered"]
        text += f"  {tracked:>9} {specified:>9} {peer['accuracy']:>8.3f} {peer['seconds']:>6.2f}"
        if models > 1:
            text += f"  {peer['agreement']['found']:>6.3f} {peer['agreement']['best']:>6.3f}"
    return text


def main():
    parser = arguments_of(__doc__)
    parser.add_argument("--seeds", type=int, default=3)
    args = parser.parse_args()
    need(args.pellucid, "cargo build --release --package pellucid-cli")
    if not args.quick:
        PEERS.make()
        if not PEERS.has("skExSTraCS") and not PEERS.install(PACKAGES):
            print("the peer could not be installed", file=sys.stderr)
    has_peer = not args.quick and PEERS.has("skExSTraCS")
    problems = {"epistasis": (1, 6, 0.4, 0.4, 200)} if args.quick else PROBLEMS
    lines = [
        f"{'problem':<14} {'seed':>4} {'true':>4}  {'ours':>4} {'accuracy':>8} {'rules':>5} {'groups':>6} "
        f"{'CPU s':>6}  {'Rand':>6} {'best':>6} {'assigned':>8}  "
        f"{'tracked':>9} {'specified':>9} {'accuracy':>8} {'CPU s':>6}  {'Rand':>6} {'best':>6} (ExSTraCS)"
    ]
    print(lines[0], flush=True)
    rows = []
    for name, problem in problems.items():
        for seed in range(1, 2 if args.quick else args.seeds + 1):
            row = measured(args, name, problem, seed, has_peer)
            lines.append(line(row, problem[0]))
            print(lines[-1], flush=True)
            rows.append(row)
    setting = machine()
    head = f"{setting['processor']}, {setting['cores']} cores, load {setting['load']:.1f}; all defaults"
    text = "\n".join([head, "", *lines]) + "\n"
    keep("xcs_epistasis", text, {"machine": setting, "rows": rows}, args.quick)


if __name__ == "__main__":
    main()
