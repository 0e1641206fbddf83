"""Evaluates printed formulas and exported code on rows. Nothing here comes from the library."""

import csv
import io
import json
import math
import re
import sqlite3
import subprocess
import sys

FUNCTIONS = {"exp": math.exp, "ln": math.log, "tanh": math.tanh, "max": max, "abs": abs}


def clipped(value, clip):
    return value if clip is None else min(max(value, -clip), clip)


SCALED = r"^  (x\d+) = \(?(\w+)( [+-] [\d.]+)?\)? / ([\d.]+), or 0 if \w+ is missing$"


def scaled(cell, moved, half_range, clip):
    """The input for a cell of a column of numbers."""
    if cell == "":
        return 0.0
    return clipped((float(cell) + float((moved or "0").replace(" ", ""))) / float(half_range), clip)


def is_case(condition, cell):
    """Whether a cell of the file is in a case of a table."""
    if condition == "missing":
        return cell == ""
    if cell == "":
        return False
    if condition.startswith("'"):
        return condition == f"'{cell}'"
    if condition in ("yes", "no"):
        return condition == {"true": "yes", "false": "no"}[cell]
    if condition in ("any other value", "any number"):
        return True
    below = re.search(r"up to (\S+)$", condition)
    above = re.search(r"above (\S+?),?( |$)", condition)
    value = float(cell)
    return not (below and value > float(below[1])) and not (above and value <= float(above[1]))


def sentences(text):
    """Returns the lines, with the continuation of a formula on its line."""
    lines = []
    for line in text.splitlines():
        if line.startswith("      ") and lines and not lines[-1].endswith(":") and " = " in lines[-1]:
            lines[-1] += " " + line.strip()
        else:
            lines.append(line)
    return lines


def by_text(text, row):
    """Returns the names and values of a formula for a row."""
    limit = re.search(r"A value below -(\S+) counts", text)
    clip = float(limit[1]) if limit else None
    values, table, found = {}, None, None
    for line in sentences(text):
        case = re.match(r"^      (.*\S)\s+(-?[\d.]+)$", line)
        if table and case:
            name, column = table
            if name not in values and is_case(case[1], row[column]):
                values[name] = float(case[2])
            continue
        table = None
        if found := re.match(SCALED, line):
            values[found[1]] = scaled(row[found[2]], found[3], found[4], clip)
        elif found := re.match(r"^  (x\d+), by (.*):$", line):
            table = (found[1], found[2])
        elif found := re.match(r"^  ([\w. ']+) = (.*)$", line):
            right = found[2].replace("·", "*").replace("²", "**2")
            right = re.sub(r"\b([a-z]\w*)\.(\d+)\b", r"\1_\2", right)
            name = re.sub(r"\W+", "_", found[1]).strip("_")
            values[name] = eval(right, dict(FUNCTIONS), values)
    return values


def by_latex(text, row):
    """Returns the values of LaTeX equations for a row; names are those of the equations."""
    limit = re.search(r"An input below -(\S+) counts", text.replace("\n% ", " "))
    clip = float(limit[1]) if limit else None
    body = text.split("\\begin{align*}\n")[1].split("\n\\end{align*}")[0]
    body = body.replace(" \\\\\n    &\\qquad ", " ")
    cases = {}

    def keep(found):
        cases[f"CASES{len(cases)}"] = found[1]
        return f"CASES{len(cases) - 1}"

    body = re.sub(r"\\begin\{cases\}\n(.*?)\\end\{cases\}", keep, body, flags=re.S)
    values = {}
    for line in body.split(" \\\\\n"):
        if not line.strip() or line.startswith("&") or "\\approx" in line:
            continue
        name, right = [part.strip() for part in line.split("&=")]
        name = plain(name)
        if right in cases:
            for case in cases[right].split(" \\\\\n"):
                value, condition = re.match(r"\s*(\S+) & \\text\{if (.*)\}\s*$", case).groups()
                column, _, rest = condition.partition(" ")
                rest = re.sub(r"^(is|has) ", "", rest)
                if name not in values and is_case(rest, row[column]):
                    values[name] = float(value)
            continue
        if found := re.match(r"\\frac\{\\text\{(\w+)\}( [+-] [\d.]+)?\}\{([\d.]+)\} \\quad", right):
            values[name] = scaled(row[found[1]], found[2], found[3], clip)
            continue
        values[name] = eval(plain(right), dict(FUNCTIONS), values)
    return values


def plain(latex):
    """Returns an equation as Python."""
    terms = lambda own: "(" + "+".join(f"e_{k}" for k in range(1, int(own[1]) + 1)) + ")"
    latex = re.sub(r"\\textstyle\\sum_\{k=1\}\^\{(\d+)\} e_\{k\}", terms, latex)
    latex = re.sub(r"\\frac\{1\}\{(1 \+ .*)\}$", r"1 / (\1)", latex)
    latex = re.sub(r"P\(\\text\{(.*?)\}\)", lambda own: "P_" + re.sub(r"\W+", "_", own[1]), latex)
    latex = latex.replace("\\bigl(", "(").replace("\\bigr)", ")").replace("\\;", "").replace("\\,", "*")
    latex = re.sub(r"_\{(\d+)\}", r"_\1", latex)
    latex = re.sub(r"\^\{\((\d+)\)\}", r"_n\1", latex)
    latex = latex.replace("^2", "**2")
    return re.sub(r"\\(tanh|exp|max)", r"\1", latex)


NODE = """
import { readFileSync } from "node:fs";
const { code, rows } = JSON.parse(readFileSync(0, "utf8"));
const module = await import("data:text/javascript;base64," + Buffer.from(code).toString("base64"));
const bits = (number) => new BigUint64Array(new Float64Array([number]).buffer)[0].toString();
const own = (row) => [module.predict(row), Object.values(module.probabilities(row) ?? {}).map(bits)];
console.log(JSON.stringify(rows.map((row) => (([predicted, shares]) =>
  [typeof predicted === "number" ? bits(predicted) : predicted, shares])(own(row)))));
"""


def by_javascript(code, rows):
    given = json.dumps({"code": code, "rows": rows})
    command = ["node", "--input-type=module", "--eval", NODE]
    return json.loads(subprocess.run(command, input=given, capture_output=True, text=True, check=True).stdout)


def by_query(query, rows):
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE data (age TEXT, town TEXT, member TEXT)")
    database.executemany("INSERT INTO data VALUES (:age, :town, :member)", rows)
    found = database.execute(query)
    names = [head[0] for head in found.description]
    return [dict(zip(names, row)) for row in found]


case = json.load(sys.stdin)
rows = list(csv.DictReader(io.StringIO(case["text"])))
module = {"__name__": "model"}
exec(case["python"], module)
answer = {
    "formula": [by_text(case["formula"], row) for row in rows],
    "latex": [by_latex(case["latex"], row) for row in rows],
    "predicted": module["predict_all"](rows),
    "probabilities": [module["probabilities"](row) for row in rows] if "probabilities" in module else None,
    "sql": by_query(case["sql"], rows),
    "javascript": by_javascript(case["javascript"], rows),
}
json.dump(answer, sys.stdout)
