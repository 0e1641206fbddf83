#!/usr/bin/env python3
"""Compare the evaluation and learning of class expressions with Ontolearn.

    cargo build --release --package pellucid-cli
    cargo build --release --package pellucid-logic --example retrieve
    python3 bench/logic_vs_peers.py --data FOLDER

FOLDER, or its subfolders, contain family-benchmark_rich_background.owl, carcinogenesis.owl.gz, and next
to them lp_dl_learner.json, pos.txt and neg.txt. Missing files are skipped. Ontolearn sees only declared
individuals, so it reads a copy with declarations. It infers nothing from domains and ranges, so Pellucid
does not do so here either.

There are three comparisons:

- Retrieval: which individuals an expression covers. All results must agree. CPU times are compared: the
  first call of Ontolearn with empty caches and the lowest of later, cached calls, with the lowest of
  Pellucid without a cache.
- Agreement: some hundred random expressions. --fixture FILE writes them with the counts of Ontolearn.
- Learning: training F1 and time, within a time limit that Ontolearn may exceed.

Ontolearn is installed into bench/.venv-logic on first use, without the dependencies of its neural
learners. The result is written to bench/results/ as text and JSON. Quick runs use peers/naive.py and the
family in tests/data.
"""

import gzip
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

from setting import BENCH, ROOT, Environment, arguments_of, keep, machine, need

PYTHON = Environment(".venv-logic")
# Resolving all dependencies would take very long and install torch.
ALONE = ["ontolearn==0.11.0", "owlapy==1.6.6"]
NEEDED = ["owlready2==0.51", "rdflib", "sortedcontainers", "numpy", "pandas", "pyparsing", "deap", "tqdm",
          "requests",
          "parsimonious", "jpype1", "scikit-learn", "sparqlwrapper", "matplotlib", "transformers"]
FILES = {"family": "family-benchmark_rich_background.owl", "carcinogenesis": "carcinogenesis.owl.gz"}
FAMILY, CARCINOGENESIS = "http://www.benchmark.org/family#", "http://dl-learner.org/carcinogenesis#"
KIN = "http://pellucid.example/kin#"
# The prefixes of the names.
BASES = {"family": FAMILY, "kin": KIN}
# The file of problems, and the problems to learn.
PROBLEMS = {"family": ("lp_dl_learner.json", ["Aunt", "Cousin", "Uncle"]),
            "kin": ("kin.json", ["uncle", "cousin"])}
# The goal for the ratio between the first call of Ontolearn and Pellucid.
AIM = ("carcinogenesis", "hasAtom only 'Carbon-22'", 10_000)


def molecule(name):
    return ["class", CARCINOGENESIS + name]


def family_retrievals(base):
    female, parent = ["class", base + "Female"], ["class", base + "Parent"]
    return [
        ["and", female, parent],
        ["not", parent],
        ["some", base + "hasSibling", parent],
        ["only", base + "hasSibling", parent],
        ["max", 2, base + "hasSibling", parent],
    ]


RETRIEVALS = {
    "family": family_retrievals(FAMILY),
    "kin": [*family_retrievals(KIN), ["value", KIN + "height", ">=", 1.75]],
    "carcinogenesis": [
        ["not", molecule("Carbon-22")],
        ["some", CARCINOGENESIS + "hasAtom", molecule("Carbon-22")],
        ["only", CARCINOGENESIS + "hasAtom", molecule("Carbon-22")],
        ["max", 2, CARCINOGENESIS + "hasAtom", molecule("Carbon-22")],
        ["value", CARCINOGENESIS + "charge", ">=", 0.1],
    ],
}


# Expressions


def written(parts):
    """Return an expression in Manchester syntax, with short names."""
    kind, *rest = parts
    if kind == "class":
        return short(rest[0])
    if kind == "thing":
        return "owl:Thing"
    if kind == "not":
        return f"not {bracketed(rest[0])}"
    if kind in ("and", "or"):
        return f" {kind} ".join(bracketed(part) for part in rest)
    if kind in ("some", "only"):
        return f"{role(rest[0])} {kind} {bracketed(rest[1])}"
    if kind == "value":
        return f"{short(rest[0])} some xsd:double[{rest[1]} {rest[2]}]"
    return f"{role(rest[1])} {kind} {rest[0]} {bracketed(rest[2])}"


def bracketed(parts):
    return written(parts) if parts[0] in ("class", "thing") else f"({written(parts)})"


def role(parts):
    return short(parts) if isinstance(parts, str) else f"inverse {short(parts[1])}"


def short(iri):
    name = re.split("[#/]", iri)[-1]
    return name if re.fullmatch(r"[A-Za-z_]\w*", name) else f"'{name}'"


def drawn(number, seed, base, classes, roles):
    """Return distinct random expressions of all kinds, with up to three nested restrictions."""
    random_ = random.Random(seed)

    def expression(depth):
        kinds = ["class", "class", "not", "and", "or", "some", "only", "min", "max", "exactly"]
        kind = random_.choice(kinds if depth else ["class", "class", "class", "thing"])
        if kind == "class":
            return ["class", base + random_.choice(classes)]
        if kind == "thing":
            return ["thing"]
        if kind == "not":
            return ["not", expression(depth - 1)]
        if kind in ("and", "or"):
            return [kind, *(expression(depth - 1) for _ in range(random_.choice([2, 2, 3])))]
        along = base + random_.choice(roles)
        along = ["inverse", along] if random_.random() < 0.3 else along
        if kind in ("some", "only"):
            return [kind, along, expression(depth - 1)]
        return [kind, random_.choice([0, 1, 2, 3, 5] if kind != "min" else [1, 2, 3, 5]), along,
                expression(depth - 1)]

    found = {}
    while len(found) < number:
        parts = expression(random_.choice([1, 2, 3]))
        found.setdefault(written(parts), parts)
    return list(found.values())


def as_ontolearn_reads(parts):
    """Return an expression with the meaning of this one in Ontolearn, where 'exactly 0' requires a filler."""
    if not isinstance(parts, list):
        return parts
    kind, *rest = parts
    if kind == "exactly" and rest[0] == 0:
        return ["and", ["some", rest[1], ["thing"]], ["max", 0, rest[1], as_ontolearn_reads(rest[2])]]
    return [kind, *map(as_ontolearn_reads, rest)]


# Programs


def install():
    """Install Ontolearn. Return error messages."""
    PYTHON.make()
    if not PYTHON.has("ontolearn, owlapy, deap, matplotlib, transformers"):
        for flags, packages in ((["--no-deps"], ALONE), ([], NEEDED)):
            if not PYTHON.install(packages, *flags):
                return [f"{', '.join(packages)}: not installed"]
    return []


class Peer:
    """The peer: Ontolearn, or a simple evaluator in quick runs."""

    def __init__(self, quick):
        self.name = "the naive peer" if quick else "Ontolearn"
        script = BENCH / "peers" / ("naive.py" if quick else "expressions.py")
        self.command = [sys.executable if quick else PYTHON.python, script]


def found(folder, name):
    """Return the file with that name in the folder or its subfolders."""
    return next((path for path in sorted(folder.rglob(name)) if path.is_file()), None)


def ours(retrieve, ontology, expressions, rounds, names=False):
    """Return the answers of Pellucid: first about the ontology, then for each expression."""
    command = [retrieve, ontology, "--bias", "--rounds", str(rounds), *(["--names"] if names else [])]
    text = "".join(f"{written(parts)}\n" for parts in expressions)
    result = subprocess.run(command, input=text, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{ontology}: {result.stderr.strip()}")
    return [json.loads(line) for line in result.stdout.splitlines()]


def theirs(peer, folder, ontology, rounds=0, expressions=(), problems=(), limit=None):
    """Return the answers of the peer, or those so far if it was stopped."""
    request = folder / "request.json"
    request.write_text(json.dumps({"ontology": str(ontology), "rounds": rounds,
                                   "expressions": list(expressions),
                                   "problems": list(problems)}))
    command = [*peer.command, request]
    environment = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(command, stdout=out, stderr=errors, env=environment)
        try:
            process.wait(limit)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        out.seek(0)
        errors.seek(0)
        answers = [json.loads(line) for line in out if line.startswith("{")]
        if not answers:
            sys.exit(f"{peer.name}: {errors.read().strip()[-500:]}")
        return answers


def declared(retrieve, source, folder):
    """Write a copy of the ontology in which every individual is declared."""
    _, thing = ours(retrieve, source, [["thing"]], 1, names=True)
    with (gzip.open if source.suffix == ".gz" else open)(source, "rb") as file:
        text = file.read().decode()
    spaces = ('xmlns:owl="http://www.w3.org/2002/07/owl#" '
              'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"')
    lines = "".join(f'<owl:NamedIndividual {spaces} rdf:about="{iri}"/>\n' for iri in thing["individuals"])
    before, end, after = text.rpartition("</rdf:RDF>")
    copy = folder / source.name.removesuffix(".gz")
    copy.write_text(before + lines + end + after)
    return copy


def scores(covered, positive, negative):
    """Return F1 and accuracy, given the covered positives and negatives."""
    true, false = covered
    return {"f1": 2 * true / (positive + true + false),
            "accuracy": (true + negative - false) / (positive + negative)}


# Comparisons


def retrievals(arguments, name, source, copy, folder):
    """Compare retrievals of the same expressions."""
    mine = ours(arguments.retrieve, source, RETRIEVALS[name], arguments.rounds, names=True)
    peer = theirs(arguments.peer, folder, copy, arguments.peer_rounds, RETRIEVALS[name])
    about = {"individuals": mine[0]["individuals"], "load": mine[0]["load_cpu_nanoseconds"] / 1e9,
             "peer_load": peer[0]["load"]["cpu"], "peer_list": peer[0]["list"]["cpu"], "rows": []}
    if peer[0]["individuals"] != about["individuals"]:
        sys.exit(f"{name}: pellucid has {about['individuals']} individuals, {arguments.peer.name} has "
                 f"{peer[0]['individuals']}")
    for parts, one, other in zip(RETRIEVALS[name], mine[1:], peer[1:]):
        row = {"expression": written(parts), "count": one["count"], "cpu": one["cpu_nanoseconds"] / 1e9,
               "wall": one["nanoseconds"] / 1e9}
        if "trouble" in other:
            row["trouble"] = other["trouble"]
        else:
            if sorted(one["individuals"]) != other["individuals"]:
                sys.exit(f"{name}, {row['expression']}: pellucid finds {one['count']}, "
                         f"{arguments.peer.name} finds "
                         f"{len(other['individuals'])}")
            row.update(first=other["first"]["cpu"], again=other.get("again", other["first"])["cpu"])
        about["rows"].append(row)
    lines = ["",
             f"{name}: {about['individuals']:,} individuals; load, cpu s: ours {about['load']:.3f}, "
             f"{arguments.peer.name} "
             f"{about['peer_load']:.2f} and {about['peer_list']:.2f} to list individuals", "",
             f"{'retrieval':36}{'found':>8}{'ours, us':>10}{'first, ms':>11}{'again, ms':>11}"
             f"{'first / ours':>14}{'again / ours':>14}"]
    for row in about["rows"]:
        if "trouble" in row:
            lines.append(f"{row['expression']:36}{row['count']:>8,}{row['cpu'] * 1e6:>10.2f}  "
                         f"{arguments.peer.name}: {row['trouble']}")
            continue
        lines.append(f"{row['expression']:36}{row['count']:>8,}{row['cpu'] * 1e6:>10.2f}"
                     f"{row['first'] * 1e3:>11.2f}"
                     f"{row['again'] * 1e3:>11.2f}{row['first'] / row['cpu']:>12,.0f} "
                     f"x{row['again'] / row['cpu']:>12,.0f} x")
    return about, lines


def agreement(arguments, name, source, copy, folder):
    """Compare the answers to random expressions."""
    listed = ours(arguments.retrieve, source, [["thing"]], 1)
    text = copy.read_text()
    classes = sorted(set(re.findall(r'owl:Class rdf:about="[^"]*#(\w+)"', text)))
    roles = sorted(set(re.findall(r'owl:ObjectProperty rdf:about="[^"]*#(\w+)"', text)))
    expressions = drawn(arguments.expressions, arguments.seed, BASES[name], classes, roles)
    mine = ours(arguments.retrieve, source, expressions, 1, names=True)[1:]
    peer = theirs(arguments.peer, folder, copy, 0, expressions)[1:]
    # The same expressions with the meaning of 'exactly 0' in Ontolearn.
    read = ours(arguments.retrieve, source, [as_ontolearn_reads(parts) for parts in expressions], 1,
                names=True)[1:]
    differ, other_reading, troubles, kept = [], 0, [], []
    for parts, one, again, other in zip(expressions, mine, read, peer):
        if "trouble" in other:
            troubles.append(f"{written(parts)}: {other['trouble']}")
        elif sorted(one["individuals"]) != other["individuals"]:
            if sorted(again["individuals"]) == other["individuals"]:
                other_reading += 1
                continue
            differ.append(f"{written(parts)}: pellucid finds {one['count']}, {arguments.peer.name} "
                          f"{len(other['individuals'])}")
        else:
            kept.append((one["count"], written(parts)))
    record = {"expressions": len(expressions), "seed": arguments.seed, "agree": len(kept),
              "exactly_0": other_reading, "differ": differ, "troubles": troubles}
    lines = ["",
             f"agreement on {len(expressions)} expressions with seed {arguments.seed} over {name}, "
             "individual by individual: "
             f"{len(kept)} agree,",
             f"{other_reading} agree once 'r exactly 0 C' is read as Ontolearn does, 'r max 0 C and r some "
             f"owl:Thing' (its own 'max 0' asks for no filler), {len(differ)} differ, {len(troubles)} "
             f"{arguments.peer.name} could not answer",
             *differ, *troubles]
    if arguments.fixture:
        about = ("The family of tests/data/ontologies/kin.owl",
                 "bench/peers/naive.py") if arguments.quick else (
            "Family benchmark with rich background", "Ontolearn 0.11.0 (owlapy 1.6.6)")
        fixture = [f"# {about[0]}, {listed[0]['individuals']} individuals: the counts of {about[1]}",
                   f"# for random expressions with seed {arguments.seed}; made by bench/logic_vs_peers.py "
                   "--fixture.",
                   *(f"{count}\t{text}" for count, text in kept)]
        arguments.fixture.write_text("\n".join(fixture) + "\n")
    return record, lines


def learnable(name, source):
    """Return the positive and negative individuals of each problem of an ontology."""
    if name in PROBLEMS:
        file, chosen = PROBLEMS[name]
        if not (source.parent / file).exists():
            return {}
        problems = json.loads((source.parent / file).read_text())["problems"]
        return {each: (problems[each]["positive_examples"], problems[each]["negative_examples"])
                for each in chosen}
    sides = [source.parent / "pos.txt", source.parent / "neg.txt"]
    if not all(side.exists() for side in sides):
        return {}
    return {"Carcinogenesis": tuple(side.read_text().split() for side in sides)}


def our_learner(arguments, source, positive, negative, folder):
    """Return the result of `pellucid learn logic`."""
    help_ = subprocess.run([arguments.pellucid, "learn", "logic", "--help"], capture_output=True)
    if help_.returncode != 0:
        return {"trouble": "this command has no 'learn logic'"}
    for side, names in (("positive", positive), ("negative", negative)):
        (folder / side).write_text("".join(f"{name}\n" for name in names))
    command = [arguments.pellucid, "learn", "logic", source, "--positive", folder / "positive", "--negative",
               folder / "negative",
               "--time-limit", f"{arguments.limit:g}", "--threads", "1", "--device", "cpu", "--json",
               "--quiet",
               "--force", "--out", folder / "model.json"]
    start, before = time.perf_counter(), os.times()
    result = subprocess.run(command, capture_output=True, text=True)
    wall, after = time.perf_counter() - start, os.times()
    if result.returncode not in (0, 1) or not result.stdout.strip():
        return {"trouble": (result.stderr.strip().splitlines() or ["no error message"])[-1]}
    summary = json.loads(result.stdout.splitlines()[-1])
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return {"f1": summary["train"].get("f1"), "accuracy": summary["train"].get("accuracy"),
            "tested": summary.get("evaluated"), "cpu": cpu, "wall": wall, "seconds": summary["seconds"]}


def learning(arguments, name, source, copy, folder):
    """Compare learners on the same problems."""
    record, lines = {}, []
    for problem, (positive, negative) in learnable(name, source).items():
        baseline = scores((len(positive), len(negative)), len(positive), len(negative))
        rows = {"all positive": baseline}
        for learner in () if arguments.quick else ("CELOE", "EvoLearner"):
            task = {"learner": learner, "limit": arguments.limit, "positive": positive, "negative": negative}
            most = arguments.limit * 8
            answer = theirs(arguments.peer, folder, copy, problems=[task], limit=most)[1:]
            stopped = {"trouble": f"stopped after {most:g} s; its time limit was {arguments.limit:g} s"}
            row = answer[0] if answer else stopped
            if "covered" in row:
                row.update(scores(row["covered"], len(positive), len(negative)))
            rows[f"Ontolearn {learner}"] = row
        rows["ours"] = our_learner(arguments, source, positive, negative, folder)
        if arguments.quick and rows["ours"].get("f1") != 1.0:
            sys.exit(f"{problem}: expected F1 = 1, found {rows['ours']}")
        record[problem] = rows
        lines += ["",
                  f"{problem}: {len(positive)} positive, {len(negative)} negative; on the examples "
                  "learned from", "",
                  f"{'learner':24}{'F1':>8}{'accuracy':>10}{'tested':>12}{'cpu s':>9}{'wall s':>9}  found"]
        for who, row in rows.items():
            if "trouble" in row:
                lines.append(f"{who:24}{row['trouble']}")
                continue
            tested = f"{row['tested']:,}" if row.get("tested") else ""
            times = "".join(f"{row[kind]:>9.2f}" if kind in row else f"{'':9}" for kind in ("cpu", "wall"))
            lines.append(f"{who:24}{row['f1']:>8.3f}{row['accuracy']:>10.3f}{tested:>12}{times}  "
                         f"{row.get('expression', '')[:70]}")
        print("\n".join(lines[-(3 + len(rows)):]), file=sys.stderr)
    return record, lines


def main():
    parser = arguments_of(__doc__)
    parser.add_argument("--data", type=pathlib.Path, help="folder with the ontologies, also in subfolders")
    parser.add_argument("--expressions", type=int, default=400, help="number of random expressions")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random expressions")
    parser.add_argument("--fixture", type=pathlib.Path, help="file for the expressions and the peer's counts")
    parser.add_argument("--limit", type=float, default=20, help="time limit of a learner in seconds")
    parser.add_argument("--rounds", type=int, default=2000, help="evaluations of each expression by Pellucid")
    parser.add_argument("--peer-rounds", type=int, default=3, help="cached evaluations by Ontolearn")
    parser.add_argument("--no-learning", action="store_true", help="compare only retrieval and agreement")
    parser.add_argument("--retrieve", type=pathlib.Path,
                        help="path of the example 'retrieve' [default: in examples next to the command]")
    arguments = parser.parse_args()
    need(arguments.pellucid, "cargo build --release --package pellucid-cli")
    arguments.retrieve = arguments.retrieve or arguments.pellucid.parent / "examples" / "retrieve"
    need(arguments.retrieve, "cargo build --release --package pellucid-logic --example retrieve")
    arguments.peer = Peer(arguments.quick)
    files, troubles = FILES, []
    if arguments.quick:
        files, arguments.rounds = {"kin": "kin.owl"}, 1
        arguments.data = ROOT / "tests" / "data" / "ontologies"
    else:
        if not arguments.data or not arguments.data.is_dir():
            sys.exit(f"--data: cannot find folder {arguments.data}" if arguments.data
                     else "--data is required")
        troubles = install()
        if troubles:
            sys.exit("\n".join(troubles))

    record = {"machine": machine(), "limit": arguments.limit, "retrievals": {}, "learning": {}}
    lines = [f"{key}: {value}" for key, value in record["machine"].items()]
    ontolearn = "Ontolearn 0.11.0 with owlapy 1.6.6, its structural reasoner"
    peer = "peers/naive.py" if arguments.quick else ontolearn
    lines += ["", f"compared with {peer}; CPU time, one thread each",
              "'first' is a call with its caches emptied, 'again' one it has cached; ours remembers nothing",
              "domains and ranges draw no conclusions on either side"]
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        copies = {}
        for name, file in files.items():
            source = found(arguments.data, file)
            if not source:
                troubles.append(f"{name}: cannot find {file}")
                continue
            copies[name] = (source, declared(arguments.retrieve, source, folder))
        for name, (source, copy) in copies.items():
            print(name, file=sys.stderr)
            record["retrievals"][name], section = retrievals(arguments, name, source, copy, folder)
            print("\n".join(section), file=sys.stderr)
            lines += section
        set_, expression, least = AIM
        rows = record["retrievals"].get(set_, {"rows": []})["rows"]
        for row in (row for row in rows if row["expression"] == expression and "first" in row):
            ratio = row["first"] / row["cpu"]
            verdict = "holds" if ratio >= least else "missed"
            lines += ["", f"aim: {expression}, {least:,} x: {ratio:,.0f} x, {verdict}"]
        for name in (name for name in copies if name in BASES):
            record["agreement"], section = agreement(arguments, name, *copies[name], folder)
            print("\n".join(section), file=sys.stderr)
            lines += section
            if arguments.quick and record["agreement"]["agree"] != arguments.expressions:
                sys.exit("not all expressions agree with the peer of quick runs")
        if not arguments.no_learning:
            for name, (source, copy) in copies.items():
                learned, section = learning(arguments, name, source, copy, folder)
                record["learning"].update(learned)
                lines += section
    record["machine"]["load at the end"] = os.getloadavg()[0]
    lines += ["", f"load at the end: {record['machine']['load at the end']}", *troubles]
    keep("logic_vs_peers", "\n".join(line.rstrip() for line in lines) + "\n", record, arguments.quick)


if __name__ == "__main__":
    main()
