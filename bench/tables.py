#!/usr/bin/env python3
"""Write real classification tables from clones of public repositories in one form.

    python3 bench/tables.py OUT --arff-datasets CLONE --imodels-data CLONE --rulekit CLONE

The clones are those of renatopp/arff-datasets, csinva/imodels-data and adaa-polsl/RuleKit on GitHub. A
bare clone is enough: files are read from the commit HEAD. Nothing is downloaded, and tables of clones
that are not given are skipped.

OUT/binary contains the tables with two classes, OUT/multi those with more. A table is a CSV file with a
header and the class in the last column. Missing values are empty. Commas and quotes in names and values
become `_`, so that no field needs quotes. Rows without a class, rows of classes with fewer than five
rows, columns that identify rows, columns without any value and columns that reveal the class are
dropped. Column names that are numbers get the prefix `x`. Nothing else is changed. OUT/INDEX.txt lists
the tables with their rows, columns, classes and origin.
"""

import argparse
import collections
import csv
import pathlib
import re
import subprocess
import sys

FEWEST = 5
ARFF = "renatopp/arff-datasets"
IMODELS = "csinva/imodels-data"
RULEKIT = "adaa-polsl/RuleKit"


class Table:
    """The files of a table, its target (the last column if not given) and the columns to drop."""

    def __init__(self, origin, *files, target=None, drop=()):
        self.origin, self.files, self.target, self.drop = origin, files, target, drop


def uci(name, **options):
    return Table(ARFF, f"classification/{name}.arff", **options)


def statlib(name, **options):
    return Table(ARFF, f"statlib/nominal/{name}.arff", **options)


def agridata(name):
    return Table(ARFF, f"agridata/{name}.arff")


def cleaned(name):
    return Table(IMODELS, f"data_cleaned/{name}.csv")


def rulekit(name, **options):
    return Table(RULEKIT, f"data/contrast-sets/classification/{name}.arff", **options)


def spect(name):
    files = (f"classification/{name}.{part}.arff" for part in ("train", "test"))
    return Table(ARFF, *files, target="OVERALL_DIAGNOSIS")


# A data set is listed once, although several of the repositories contain it. Data sets that share rows
# with a listed one (heart-statlog, column3C, hypothyroid, cars) and generated ones (waveform,
# prnn_synth, synthetic control, deals) are left out.
TABLES = {
    "backache": statlib("backache", drop=["id"]),
    "biomed": statlib("biomed", drop=["Observation_number",
                                      "Hospital_identification_number_for_blood_sample"]),
    "bone-marrow": Table(RULEKIT, "data/bone-marrow-uci.arff", drop=["survival_time"]),
    "boxing1": statlib("analcatdata_boxing1"),
    "boxing2": statlib("analcatdata_boxing2"),
    "breast-cancer": uci("breast.cancer"),
    "breast-w": uci("breast.w"),
    "bupa": rulekit("bupa-liver-disorders"),
    "colic": uci("colic"),
    "column": uci("column2C"),
    "compas": cleaned("compas_two_year_clean"),
    "crabs": statlib("prnn_crabs", target="sp", drop=["index"]),
    "credit-a": uci("credit.a"),
    "credit-g": uci("credit.g"),
    "csi-pecarn": cleaned("csi_pecarn_pred"),
    "cylinder-bands": rulekit("cylinder-bands"),
    "diabetes": uci("diabetes"),
    "enhancer": cleaned("enhancer"),
    "fico": cleaned("fico"),
    "haberman": uci("haberman"),
    "heart-c": uci("heart.c"),
    "heart-h": uci("heart.h"),
    "hepatitis": uci("hepatitis"),
    "iai-pecarn": cleaned("iai_pecarn_pred"),
    "ionosphere": uci("ionosphere"),
    "kr-vs-kp": uci("kr.vs.kp"),
    "lawsuit": statlib("analcatdata_lawsuit"),
    "mammographic": rulekit("mammographic-masses"),
    "mushroom": uci("mushroom"),
    "schizo": statlib("schizo", drop=["ID"]),
    "seismic-bumps": rulekit("seismic-bumps"),
    "sick": uci("sick"),
    "sonar": uci("sonar"),
    "spambase": uci("spambase"),
    "spect": spect("spect"),
    "spectf": spect("spectf"),
    "tic-tac-toe": uci("tic-tac-toe"),
    "titanic": rulekit("titanic"),
    "vote": uci("vote"),
    "anneal": uci("anneal"),
    "arrhythmia": uci("arrhythmia"),
    "authorship": statlib("analcatdata_authorship"),
    "auto-mpg": rulekit("auto-mpg"),
    "autos": uci("autos"),
    "balance-scale": uci("balance.scale"),
    "car": uci("car"),
    "cmc": uci("cmc"),
    "collins": statlib("collins", drop=["Text", "Genre", "Counter", "Corpus"]),
    "dermatology": uci("dermatology"),
    "ecoli": uci("ecoli"),
    "eucalyptus": agridata("eucalyptus"),
    "flag": rulekit("flag"),
    "glass": uci("glass"),
    "grub-damage": agridata("grub.damage"),
    "hall-of-fame": statlib("analcatdata_halloffame", drop=["Player"]),
    "iris": uci("iris"),
    "irish": statlib("irish"),
    "letter": uci("letter"),
    "marketing": statlib("analcatdata_marketing"),
    "nursery": uci("nursery"),
    "optdigits": uci("optdigits"),
    "page-blocks": uci("page.blocks"),
    "pendigits": uci("pendigits"),
    "primary-tumor": uci("primary.tumor"),
    "reviewer": statlib("analcatdata_reviewer", drop=["Film"]),
    "segment": uci("segment"),
    "soybean": uci("soybean"),
    "splice": rulekit("splice"),
    "tae": uci("tae"),
    "vehicle": uci("vehicle"),
    "vowel": uci("vowel", drop=["Train or Test"]),
    "wine": uci("wine", target="class"),
    "yeast": rulekit("yeast"),
}
ATTRIBUTE = re.compile(r"""@attribute\s+('(?:[^'\\]|\\.)*'|"[^"]*"|[^\s{]+)""", re.IGNORECASE)


def stored(clone, path):
    """Return the text of a file in the commit HEAD of a clone."""
    done = subprocess.run(["git", "-C", clone, "show", f"HEAD:{path}"], capture_output=True)
    if done.returncode:
        sys.exit(f"{clone}: cannot read {path}: {done.stderr.decode().strip()}")
    return done.stdout.decode("utf-8", errors="replace")


def read_arff(text):
    """Return the header and rows of an ARFF file (dense, without commas inside of quotes in both kinds)."""
    head, rows, is_data = [], [], False
    for line in map(str.strip, text.splitlines()):
        if not line or line.startswith("%"):
            continue
        if is_data:
            quote = "'" if "'" in line else '"'
            rows.append(next(csv.reader([line], quotechar=quote, escapechar="\\", skipinitialspace=True)))
        elif line.lower().startswith("@data"):
            is_data = True
        elif found := ATTRIBUTE.match(line):
            head.append(found[1].strip("'\""))
    return head, rows


def read(clone, path):
    text = stored(clone, path)
    if path.endswith(".arff"):
        return read_arff(text)
    head, *rows = csv.reader(text.splitlines())
    return head, rows


def plain(cell):
    """Return a cell or name without characters that need quotes in CSV."""
    return re.sub(r"[,\"'\r\n]", "_", cell.strip())


def named(name):
    """Return a column name that is not a number, because a header of numbers looks like a row."""
    return f"x{name}" if name.isdigit() else name


def tidy(table, clone):
    """Return the header and rows of a table, with the class in the last column."""
    head, rows = [], []
    for path in table.files:
        head, more = read(clone, path)
        rows += more
    assert all(len(row) == len(head) for row in rows), f"{table.files}: rows of different lengths"
    label = head.index(table.target) if table.target else len(head) - 1
    rows = [["" if cell.strip() == "?" else plain(cell) for cell in row] for row in rows]
    sizes = collections.Counter(row[label] for row in rows)
    rows = [row for row in rows if row[label] and sizes[row[label]] >= FEWEST]
    missing = set(table.drop) - set(head)
    assert not missing, f"{table.files}: no columns {missing}"
    kept = [place for place, name in enumerate(head)
            if place != label and name not in table.drop and any(row[place] for row in rows)]
    names = [named(plain(head[place])) for place in [*kept, label]]
    assert len(set(names)) == len(names), f"{table.files}: column names are not unique"
    return names, [[row[place] for place in [*kept, label]] for row in rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=pathlib.Path, help="folder for the tables")
    for origin in (ARFF, IMODELS, RULEKIT):
        name = origin.split("/")[1].lower()
        parser.add_argument(f"--{name}", dest=origin, metavar="CLONE", help=f"path of a clone of {origin}")
    arguments = parser.parse_args()
    clones = {origin: clone for origin, clone in vars(arguments).items() if origin != "out" and clone}
    index = [("name", "rows", "columns", "classes", "origin")]
    for name, table in TABLES.items():
        if table.origin not in clones:
            print(f"{name}: skipped, because no clone of {table.origin} is given", file=sys.stderr)
            continue
        head, rows = tidy(table, clones[table.origin])
        classes = len({row[-1] for row in rows})
        path = arguments.out / ("binary" if classes == 2 else "multi") / f"{name}.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(",".join(row) + "\n" for row in [head, *rows]))
        index.append((name, len(rows), len(head) - 1, classes, f"{table.origin}: {' + '.join(table.files)}"))
    lines = [f"{name:<16}{rows:>7}{columns:>9}{classes:>9}  {origin}" for name, rows, columns, classes, origin
             in index]
    arguments.out.mkdir(parents=True, exist_ok=True)
    (arguments.out / "INDEX.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
