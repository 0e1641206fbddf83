"""Opens pages in Chromium: the same predictions as the command, every control, no error, no request, no
violation of accessibility.

usage: reports.py PELLUCID AXE [FOLDER for screenshots]
"""

import base64
import csv
import io
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import explorations
import lattices
import pages
import tables
from devtools import Browser
from layout import check_layout

PREDICT = """(() => {
  const { rows, bags } = pellucid.parse(TEXT);
  const groups = new Map();
  rows.forEach((row, at) => {
    const name = pellucid.content.task.bag ? bags[at] : String(at);
    groups.set(name, [...(groups.get(name) || []), row]);
  });
  const examples = pellucid.content.task.bag ? [...groups.values()] : rows;
  return examples.map((example) => {
    const { scores, probabilities, predicted } = pellucid.predict(example, SIZE);
    return { scores, probabilities, predicted };
  });
})()"""

MODULE = """import("data:text/javascript;base64," + MODULE).then((module) => ROWS.map((example) => ({
  predicted: module.predict(example), probabilities: module.probabilities(example),
  scores: module.scores(example),
})))"""

USE_EVERYTHING = """(() => {
  const done = [];
  for (const details of document.querySelectorAll("details")) details.open = true;
  for (const input of document.querySelectorAll("input[type=range]")) {
    for (const value of [input.min, input.max, input.value]) {
      input.value = value;
      input.dispatchEvent(new Event("input", { bubbles: true }));
    }
    done.push("range");
  }
  for (const input of document.querySelectorAll("input:not([type=range]):not([type=checkbox])")) {
    const typed = { number: ["", "1", "-1e9"], date: ["", "2020-05-01"] };
    for (const value of typed[input.type] || ["", "1", "-1e9", "red"]) {
      input.value = value;
      input.dispatchEvent(new Event("input", { bubbles: true }));
    }
    done.push("input");
  }
  for (const box of document.querySelectorAll("input[type=checkbox]")) { box.click(); done.push("checkbox"); }
  for (const select of document.querySelectorAll("select")) {
    for (const option of select.options) {
      select.value = option.value;
      select.dispatchEvent(new Event("input", { bubbles: true }));
      select.dispatchEvent(new Event("change", { bubbles: true }));
    }
    done.push("select");
  }
  for (const button of document.querySelectorAll("button:not([data-file])")) {
    if (button.textContent !== "Print") button.click();
    done.push("button");
  }
  const area = document.querySelector("textarea");
  if (area) { area.value = TEXT; document.getElementById("predict-pasted").click(); done.push("pasted"); }
  return done;
})()"""

# What a page of some kind must show.
SHOWN = {
    "two-classes": """(() => {
      const input = document.querySelector("#model input[type=range]");
      const shown = (size) => {
        if (size !== undefined) input.value = size;
        if (size !== undefined) input.dispatchEvent(new Event("input", { bubbles: true }));
        return [document.querySelectorAll("#answer .lead")[1], document.querySelector("#quality .figures"),
          document.querySelector("#quality .plot polyline.curve")].map((node) => node.outerHTML);
      };
      const [own, other] = [shown(), shown(0)];
      const differs = own.every((text, at) => text !== other[at]) && document.querySelector("#quality .note");
      const again = shown(pellucid.content.model.rules.selected);
      return Boolean(differs) && again.every((text, at) => text === own[at]);
    })()""",
    "scorecard": """(() => {
      const { sizes, selected } = pellucid.content.model.rules;
      const { card } = sizes[selected];
      const lines = [...document.querySelectorAll("#model table.card tbody tr")];
      const points = lines.map((line) => Number(line.querySelector("td").textContent));
      const isFirst = document.querySelector("#model table").classList.contains("card");
      const total = document.querySelector("#try strong").parentElement.textContent;
      const hasTotal = /^\\d+ points?: risk (under )?\\d+/.test(total);
      const parts = [...document.querySelectorAll("#try caption")].at(-1).parentElement;
      const sum = [...parts.querySelectorAll("tbody tr")]
        .reduce((all, line) => all + Number(line.querySelector("td").textContent), 0);
      const risks = document.querySelectorAll("#model .risks tbody tr").length;
      return isFirst && hasTotal && points.every(Number.isInteger) && risks === card.risks.length
        && sum === Number.parseInt(total, 10)
        && points.length === card.groups.flat().length;
    })()""",
    "costs": """(() => {
      const { costs, cheapest, cost_warning } = pellucid.content.evaluation;
      const line = [...document.querySelectorAll("#quality .figures tbody tr")].at(-1).textContent;
      const inputs = [...document.querySelectorAll(".costs input")];
      const [missed, alarm] = inputs.map((input) => Number(input.value));
      return line.startsWith("cost per example") && line.includes(`always '${cheapest}'`)
        && missed === costs[1] && alarm === costs[0] && cost_warning === null
        && document.querySelector("#quality .warning") === null;
    })()""",
    "unstable": """(() => {
      const text = (place) => document.querySelector(place)?.textContent ?? "";
      const limits = [...document.querySelectorAll("#limits li")].map((line) => line.textContent);
      const costs = "On held-out data the model costs no less than always answering";
      return text("#quality .warning") === `${costs} '${pellucid.content.evaluation.cheapest}'.`
        && text("#model .unstable").startsWith("Not stable: on average a rule was found in only")
        && limits.some((line) => line.startsWith("Not stable"));
    })()""",
    "network": """document.querySelectorAll("#try .reasons li").length > 0""",
    # What rules cover in test folds stands beside what they cover in the training data.
    "three-classes": """(() => {
      const { held_out_coverage, model } = pellucid.content;
      const cells = [...document.querySelectorAll("#model .rules td.held")];
      const { sizes, selected, pool } = model.rules;
      const folds = sizes[selected].rules.map(([place]) => pool[place].folds.join(" of "));
      return held_out_coverage.length === cells.length && cells.length === folds.length
        && cells.every((cell, at) => cell.textContent.endsWith(`found in ${folds[at]} folds`));
    })()""",
    # The smallest changes that raise the prediction by an amount do so.
    "number": """new Promise((done) => {
      const rows = () => [...document.querySelectorAll("#try table.changes tbody tr")];
      const numbers = () => rows().map((row) => Number(row.querySelector("td span").title));
      const before = Number(document.querySelector("#try .result span[title]").title);
      const set = (node, value, event) => { node.value = value; node.dispatchEvent(new Event(event)); };
      const [kind, amount] = document.querySelectorAll("#try .wanted :is(select, input)");
      set(amount, "5", "input");
      const higher = numbers();
      set(kind, "least", "change");
      set(amount, String(before + 5), "input");
      const past = numbers();
      set(kind, "most", "change");
      set(amount, "0", "input");
      const none = rows().length;
      done(higher.length > 0 && higher.every((number) => number - before >= 5)
        && past.join() === higher.join() && none === 0);
    })""",
    # Rows of a bag can be added and removed, and a pasted bag can be edited.
    "bags": """new Promise((done) => {
      const press = (text) => [...document.querySelectorAll("#try button")]
        .find((button) => button.textContent.startsWith(text)).click();
      const rows = () => document.querySelectorAll("#try .editable tbody tr").length;
      const shares = () => document.querySelector("#try .shares")?.textContent;
      const fields = () => [...document.querySelectorAll("#try .editable input")];
      const counts = [rows()];
      press("Add a row");
      counts.push(rows());
      press("Remove");
      counts.push(rows());
      const first = shares();
      for (const [at, value] of [[0, "0.9"], [1, "0.9"]]) {
        if (fields()[at]) fields()[at].value = value;
        fields()[at]?.dispatchEvent(new Event("input"));
      }
      const { rows: pasted, bags } = pellucid.parse("bag,x,y,kind\\nb1,0.9,1,a\\nb1,0.8,2,b\\nb1,0.75,0,a");
      const area = document.querySelector("#try textarea");
      area.value = "bag,x,y,kind\\nb1,0.9,1,a\\nb1,0.8,2,b\\nb1,0.75,0,a";
      document.getElementById("predict-pasted").click();
      press("Edit b1");
      const { probabilities } = pellucid.predict(pasted);
      const titles = [...document.querySelectorAll("#try .shares td span[title]")].map((one) => one.title);
      const shown = titles.map(Number);
      done(counts.join() === "1,2,1" && Boolean(first) && bags.length === 3 && rows() === 3
        && shown.length === 2 && shown.every((share) => probabilities.includes(share)));
    })""",
}


# For each individual of a page: its label, the answer, and whether a listed change leads to another answer.
INDIVIDUALS = """(() => {
  const input = document.querySelector("#try input[type=search]");
  const answer = () => document.querySelector("#try .result").textContent;
  const { names, labels } = pellucid.content.individuals;
  return names.map((name, at) => {
    input.value = name;
    input.dispatchEvent(new Event("input"));
    const before = answer();
    const changes = [...document.querySelectorAll("#try .panel > div:first-child > div:last-child li")];
    for (const change of changes[0].textContent.split("; and ")) {
      const boxes = [...document.querySelectorAll("#try input[type=checkbox]")];
      const box = boxes.find((one) => change.startsWith(one.parentElement.textContent.trim()));
      box.checked = !box.checked;
      box.dispatchEvent(new Event("change"));
    }
    return [name, labels[at], before, answer() !== before];
  });
})()"""


class Case:
    """A model with its report and other rows to predict."""

    def __init__(self, command, folder, name, learner, train, test, *flags):
        self.command, self.name, self.test_text = command, name, test
        self.train, self.test = folder / f"{name}.csv", folder / f"{name}-test.csv"
        self.model, self.report = folder / f"{name}.json", folder / f"{name}.html"
        self.train.write_text(train, encoding="utf-8")
        self.test.write_text(test, encoding="utf-8")
        files = ["--out", self.model, "--report", self.report]
        self.run("learn", learner, self.train, *files, "--quiet", *flags)

    def run(self, *arguments):
        done = subprocess.run([self.command, *map(str, arguments)], capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{arguments}: {done.stderr}")
        return done.stdout

    def sizes(self):
        """Returns the sizes to compare: places on the path with the flag that selects each."""
        path = json.loads(self.model.read_text(encoding="utf-8"))["model"].get("path")
        if not path:
            return [(0, [])]
        lengths = [len(size["votes"]) for size in path["stops"]]
        places = {0, len(lengths) // 2, len(lengths) - 1}
        single = [place for place in sorted(places) if lengths.count(lengths[place]) == 1]
        others = [(place, ["--rules", lengths[place]]) for place in single]
        return [(path["told"], []), *others]

    def predicted(self, flags):
        """Returns what the command predicts."""
        lines = self.run("predict", self.model, self.test, "--json", "--quiet", *flags).splitlines()
        # The last line is the summary.
        return [json.loads(line) for line in lines[:-1]]


def compare(case, page):
    """Compares the predictions of a page with those of the command, bit for bit."""
    classes = page.evaluate("pellucid.content.task.classes")
    is_number = page.evaluate("Boolean(pellucid.content.task.number)")
    compared = 0
    for place, flags in case.sizes():
        call = PREDICT.replace("TEXT", json.dumps(case.test_text)).replace("SIZE", str(place))
        ours, theirs = page.evaluate(call), case.predicted(flags)
        assert len(ours) == len(theirs) > 20, (case.name, len(ours), len(theirs))
        for row, (one, other) in enumerate(zip(ours, theirs)):
            where = (case.name, place, row, one, other)
            if is_number:
                assert one["predicted"] == other["predicted"], where
            else:
                assert classes[one["predicted"]] == other["predicted"], where
                shares = [other["probability"][name] for name in classes] if "probability" in other else None
                assert one["probabilities"] == shares, where
                assert one["scores"] == [other["votes"][name] for name in classes], where
            compared += 1
    return compared


def compare_module(browser, case):
    """Compares the predictions of the JavaScript module of a model with those of the command, bit for bit."""
    module = case.run("show", case.model, "--format", "javascript")
    page = browser.page(case.report)
    page.call("Page.navigate", url="about:blank")
    delimiter = ";" if ";" in case.test_text.split("\n", 1)[0] else ","
    rows = list(csv.DictReader(io.StringIO(case.test_text), delimiter=delimiter))
    call = MODULE.replace("MODULE", json.dumps(base64.b64encode(module.encode()).decode()))
    ours = page.evaluate(call.replace("ROWS", json.dumps(grouped(case, rows))))
    page.close()
    for row, (one, other) in enumerate(zip(ours, case.predicted([]), strict=True)):
        where = (case.name, row, one, other)
        assert one["predicted"] == other["predicted"], where
        if "probability" in other:
            assert one["probabilities"] == other["probability"], where
        if "votes" in other:
            assert one["scores"] == other["votes"], where


def grouped(case, rows):
    """Returns the rows of each bag; of a model without bags, the rows."""
    bag = json.loads(case.model.read_text(encoding="utf-8"))["schema"].get("bag")
    if not bag:
        return rows
    groups = {}
    for row in rows:
        groups.setdefault(row[bag], []).append(row)
    return list(groups.values())


def check(browser, case, axe, pictures):
    """Checks a report: its predictions, its controls, and its layout in both themes and at three widths."""
    page = browser.page(case.report)
    compared = compare(case, page)
    saved = page.evaluate("unpacked(pellucid.content.downloads[0].packed)")
    assert saved == case.model.read_text(encoding="utf-8"), f"{case.name}: another model in the page"
    assert page.evaluate(SHOWN.get(case.name, "true")), f"{case.name} does not show what it should"
    used = page.evaluate(USE_EVERYTHING.replace("TEXT", json.dumps(case.test_text)))
    assert "pasted" in used and "button" in used, used
    assert page.evaluate("document.querySelectorAll('script').length") == 2
    assert page.evaluate("document.querySelectorAll('main img:not(.drawing), main b').length") == 0
    assert page.complaints() == [], page.complaints()
    page.close()
    compare_module(browser, case)
    check_layout(browser, case.report, axe, pictures)
    print(f"{case.name}: {compared} predictions are equal; {len(used)} controls used")


def check_individuals(browser, report):
    """Checks that the page of a class expression that is right has the right answer for every individual."""
    page = browser.page(report)
    found = page.evaluate(INDIVIDUALS)
    assert len(found) == 24, found
    for name, label, answer, is_other in found:
        assert answer == {"+": "positive", "-": "negative"}[label] and is_other, (name, label, answer)
    assert page.complaints() == [], page.complaints()
    page.close()


def cases(command, folder):
    """Yields a case for each kind of model."""
    def case(name, learner, kind, *flags, names=tables.PLAIN):
        train = tables.labeled(1, 240, kind, names)
        test = tables.labeled(2, 300, kind, names, strange=True)
        return Case(command, folder, name, learner, train, test, "--target", names["target"], *flags)

    yield case("two-classes", "rules", "two")
    yield case("three-classes", "rules", "three")
    yield case("number", "rules", "number")
    yield case("scorecard", "rules", "two", "--mode", "scorecard")
    yield case("costs", "rules", "two", "--decide", "cost:yes=5")
    yield case("list", "rules", "two", "--mode", "list")
    yield case("uncalibrated", "rules", "two", "--mode", "pareto", "--generations", "5", "--no-inner-folds")
    yield case("published", "rules", "two", "--mode", "g3p-mi", "--generations", "5")
    yield case("classifiers", "xcs", "two", "--iterations", "5000")
    yield case("three-classifiers", "xcs", "three", "--iterations", "5000")
    train, test = tables.german(1, 300), tables.german(2, 100, strange=True)
    flags = ["--target", "target", "--missing", "999", "--merge-spellings", "color"]
    yield Case(command, folder, "reading", "rules", train, test, *flags)
    yield Case(command, folder, "reading-network", "network", train, test, *flags)
    yield case("network", "network", "two", "--islands", "2")
    paper = ["--mode", "paper", "--generations", "20", "--no-inner-folds"]
    yield case("network-paper", "network", "two", *paper)
    yield case("hostile-names", "rules", "two", names=tables.HOSTILE)
    train, test = tables.noise(1, 120), tables.noise(2, 60)
    flags = ["--target", "target", "--decide", "cost:yes=2", "--rules", "8"]
    yield Case(command, folder, "unstable", "rules", train, test, *flags)
    flags = ["--target", "class", "--bag", "bag"]
    train, test = tables.bags(1, 100), tables.bags(2, 80, strange=True)
    yield Case(command, folder, "bags", "rules", train, test, *flags)


def main():
    command = str(Path(sys.argv[1]).resolve())
    axe = None if sys.argv[2] == "-" else Path(sys.argv[2]).read_text(encoding="utf-8")
    pictures = Path(sys.argv[3]) if len(sys.argv) > 3 else None
    if pictures:
        pictures.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, Browser() as browser:
        start = time.monotonic()
        for case in cases(command, Path(folder)):
            check(browser, case, axe, pictures)
        for page in pages.written(command, Path(folder)):
            check_layout(browser, page, axe, pictures)
            if page.stem == "family-whole":
                check_individuals(browser, page)
            print(f"{page.stem}: laid out and accessible")
        lattices.check_all(browser, command, Path(folder), axe, pictures)
        explorations.check_all(browser, command, Path(folder), axe, pictures)
    print(f"{time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
