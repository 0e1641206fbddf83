"""Generated tables for the tests of reports."""

import csv
import io
import random

HOSTILE = {
    "size": "<script>alert(1)</script>",
    "color": 'quo"te, \'s and \\',
    "weight": "\u202eright to left \u05d0\u05d1",
    "age": "long " + "x" * 500,
    "since": "sin=ce",
    "no": "<img src=x onerror=alert(1)>",
    "yes": "</script><!--",
    "target": "<b>target</b>",
}
PLAIN = {name: name for name in HOSTILE}


def cell(stream, value, missing):
    """Returns a value, or sometimes nothing."""
    return "" if stream.random() < missing else value


def features(stream, missing=0.08, strange=False):
    """Returns the values of a row and its hidden score."""
    size, age = round(stream.gauss(5, 2), 2), stream.randint(18, 90)
    weight = round(stream.uniform(40, 120), 1)
    color = stream.choice(["red", "dark blue", "it's", "green", "a, b", "grey"])
    since = f"{stream.randint(2015, 2025)}-{stream.randint(1, 12):02}-{stream.randint(1, 28):02}"
    score = (since > "2021-03-05") + (size > 5.2) * 1.5 + (age > 60) * 1.2 + (weight > 90) * 0.8
    score -= color in ("red", "green")
    if strange and stream.random() < 0.1:
        color = "never seen"
    row = [cell(stream, value, missing) for value in (size, color, weight, age, since)]
    return row, score + stream.gauss(0, 0.8)


def labeled(seed, rows, kind, names=PLAIN, strange=False):
    """Returns a table as CSV text: two classes, three classes, or a number."""
    stream = random.Random(seed)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([names[name] for name in ("size", "color", "weight", "age", "since", "target")])
    for _ in range(rows):
        row, score = features(stream, strange=strange)
        if kind == "two":
            label = names["yes" if score > 1.7 else "no"]
        elif kind == "three":
            label = "low" if score < 0.8 else "middle" if score < 2.3 else "high"
        else:
            label = round(10 * score + 100, 1)
        writer.writerow([*row, label])
    return out.getvalue()


def german(seed, rows, strange=False):
    """Returns a table with decimal commas, a unit, German dates, 999 for missing, and several spellings."""
    stream = random.Random(seed)
    lines = ["size;color;weight;age;since;target"]
    for _ in range(rows):
        (size, color, weight, age, since), score = features(stream, missing=0, strange=strange)
        year, month, day = since.split("-")
        color = stream.choice([color, color.upper(), color.replace(" ", "  ")])
        weight = stream.choice([f"{weight} kg", f"{weight}kg"]).replace(".", ",")
        age = 999 if stream.random() < 0.1 else age
        row = [str(size).replace(".", ","), color, weight, str(age), f"{day}.{month}.{year}"]
        lines.append(";".join([*row, "yes" if score > 1.7 else "no"]))
    return "\n".join(lines) + "\n"


def noise(seed, rows, columns=40):
    """Returns a table as CSV text whose classes have nothing to do with its columns."""
    stream = random.Random(seed)
    lines = [",".join([*(f"x{number}" for number in range(columns)), "target"])]
    for _ in range(rows):
        values = [str(stream.randint(0, 999)) for _ in range(columns)]
        lines.append(",".join([*values, "yes" if stream.random() < 0.3 else "no"]))
    return "\n".join(lines) + "\n"


def bags(seed, number, strange=False):
    """Returns bags of rows as CSV text."""
    stream = random.Random(seed)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["bag", "x", "y", "kind", "class"])
    for bag in range(number):
        rows = [(round(stream.uniform(0, 1), 3), round(stream.gauss(0, 1), 3),
                 stream.choice("abc")) for _ in range(stream.randint(1, 8))]
        label = sum(x > 0.7 and kind != "c" for x, _, kind in rows) >= 1 and len(rows) > 2
        for x, y, kind in rows:
            kind = "zzz" if strange and stream.random() < 0.1 else kind
            writer.writerow([f"bag{bag}", cell(stream, x, 0.05), y, kind, "pos" if label else "neg"])
    return out.getvalue()
