"""Write real tables in one form: CSV with a header, the class in the last column `class`.

    python tidy.py FOLDER OUT [NAME …]

Rows that belong together have the same value in the column `group`. FOLDER contains the files as published;
missing files are skipped. Wine, breast cancer (Wisconsin diagnostic) and digits come with scikit-learn.
Nothing is fitted, scaled or imputed: each learner does that within its folds.
"""

import csv
import gzip
import pathlib
import sys


def opened(folder, name):
    for path in [folder / name, folder / (name + ".gz")]:
        if path.exists():
            return gzip.open(path, "rt") if path.suffix == ".gz" else open(path)
    return None


def rows_of(folder, name, separator=","):
    file = opened(folder, name)
    if file is None:
        return None
    with file:
        lines = [line.split(separator) for line in file if line.strip()]
    return [[cell.strip().strip("'\"") for cell in cells] for cells in lines]


def with_labels(folder, parts):
    """Return space-separated rows whose labels are in a separate file."""
    found = []
    for data, labels in parts:
        rows, classes = rows_of(folder, data, None), rows_of(folder, labels, None)
        if rows is None or classes is None:
            return None
        found += [row + [label[0]] for row, label in zip(rows, classes)]
    return found


ADULT = ["age", "workclass", "fnlwgt", "education", "education-num", "marital", "occupation",
         "relationship", "race", "sex", "gain", "loss", "hours", "country"]
PIMA = ["pregnancies", "glucose", "pressure", "skin", "insulin", "bmi", "pedigree", "age"]


def numbered(count):
    return [f"x{number}" for number in range(1, count + 1)]


def sklearn_set(load):
    data = load()
    names = [str(name).replace(" ", "_") for name in data.feature_names]
    rows = zip(data.data.tolist(), data.target)
    return names + ["class"], [[*row, data.target_names[code]] for row, code in rows]


def tables(folder):
    """Return, by name, a function that returns the header and rows, or None if a file is missing."""
    import sklearn.datasets as sets

    def plain(file, target=-1, header=False, drop=(), named=None, separator=","):
        def read():
            rows = rows_of(folder, file, separator)
            if rows is None:
                return None
            head = rows.pop(0) if header else None
            width = len(rows[0])
            label = target % width
            kept = [place for place in range(width) if place != label and place not in drop]
            names = [head[place] for place in kept] if head else named or [f"x{place + 1}" for place in kept]
            missing = {"?", "nan", "NaN"}
            cells = [["" if row[place] in missing else row[place] for place in kept] for row in rows]
            return names + ["class"], [values + [row[label]] for values, row in zip(cells, rows)]
        return read

    def parkinsons():
        rows = rows_of(folder, "parkinsons.data")
        if rows is None:
            return None
        head, rows = rows[0], rows[1:]
        label = head.index("status")
        kept = [place for place in range(1, len(head)) if place != label]
        # phon_R01_S01_1: the recording of a person. The person is the group.
        return [head[place] for place in kept] + ["group", "class"], [
            [row[place] for place in kept] + [row[0].rsplit("_", 1)[0], row[label]] for row in rows]

    def arcene():
        rows = with_labels(folder, [("arcene_train.data", "arcene_train.labels"),
                                    ("arcene_valid.data", "arcene_valid.labels")])
        return rows and (numbered(len(rows[0]) - 1) + ["class"], rows)

    def madelon():
        rows = rows_of(folder, "madelon_train.csv")
        more = with_labels(folder, [("madelon_valid.data", "madelon_valid.labels")])
        return rows and more and (rows[0][:-1] + ["class"], rows[1:] + more)

    return {
        "wine": lambda: sklearn_set(sets.load_wine),
        "cancer": lambda: sklearn_set(sets.load_breast_cancer),
        "wisconsin": plain("breast-cancer-wisconsin.data", drop=(0,)),
        "ionosphere": plain("ionosphere.csv"),
        "parkinsons": parkinsons,
        "pima": plain("pima-indians-diabetes.csv", named=PIMA),
        "hepatitis": plain("hepatitis.data", target=0, header=True),
        "breast-cancer": plain("breast-cancer.csv"),
        "adult": plain("adult-train.csv", named=ADULT),
        "bank": plain("bank-additional-full.csv", header=True, separator=";"),
        "digits": lambda: sklearn_set(sets.load_digits),
        "leukemia": plain("leukemia_golub.csv", header=True),
        "prostate": plain("prostate_singh.csv", header=True),
        "arcene": arcene,
        "madelon": madelon,
    }


def write(folder, out, names=None):
    """Write the tables whose files exist and return their paths by name."""
    written = {}
    for name, read in tables(folder).items():
        if names and name not in names:
            continue
        table = read()
        if table:
            written[name] = out / f"{name}.csv"
            with open(written[name], "w", newline="") as file:
                rows = csv.writer(file)
                rows.writerow(table[0])
                rows.writerows(table[1])
    return written


if __name__ == "__main__":
    folder, out = map(pathlib.Path, sys.argv[1:3])
    out.mkdir(parents=True, exist_ok=True)
    for name, path in write(folder, out, sys.argv[3:]).items():
        print(name, path)
