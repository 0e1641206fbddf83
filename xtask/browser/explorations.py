"""Pages of explorations in Chromium: the questions, sessions and results of the command, and wrong inputs."""

import json
import random
import subprocess

from layout import check_layout
from tables import HOSTILE

# Uses the controls of the page as a reader does, and returns what the page asks next.
ACT = """(async ({ kind, name, attributes }) => {
  const { dialog } = pellucid;
  const press = (id) => document.getElementById(id).click();
  if (kind === "expert") {
    const field = document.getElementById("expert");
    field.value = name;
    field.dispatchEvent(new Event("change"));
  } else if (kind === "no") {
    press("answer-no");
    if (document.activeElement.id !== "object-name") throw new Error("the form has no focus");
    document.getElementById("object-name").value = name;
    for (const box of document.querySelectorAll(".boxes input:not(:disabled)")) {
      if (attributes.includes(dialog.exploration.start.attributes[box.value])) box.click();
    }
    document.querySelector(".dialog form button[type=submit]").click();
  } else if (kind === "undo") press("undo");
  else if (kind) press(`answer-${kind}`);
  while (document.querySelector("[aria-busy]")) await new Promise((done) => setTimeout(done, 5));
  const { exploration } = dialog;
  const names = (set) => exploration.attributeNames(set);
  const { question } = exploration;
  return {
    question: question && [names(question.premise), names(question.conclusion)],
    text: document.querySelector(".dialog .result").textContent,
    alert: [...document.querySelectorAll("[role=alert]")].map((one) => one.textContent).join(""),
    answers: exploration.answers.length, finished: exploration.isFinished(),
  };
})(STEP)"""

# Saves a file with its button and returns the text.
SAVE = """(async () => {
  const { createObjectURL } = URL;
  let saved = null;
  URL.createObjectURL = (blob) => { saved = blob; return createObjectURL(blob); };
  [...document.querySelectorAll("button[data-file]")].find((one) => one.textContent === LABEL).click();
  while (!saved) await new Promise((done) => setTimeout(done, 5));
  URL.createObjectURL = createObjectURL;
  return saved.text();
})()"""

# Chooses a file to open and returns what the page says.
OPEN = """(async () => {
  const input = document.getElementById("open");
  const files = new DataTransfer();
  files.items.add(new File([TEXT], "chosen.json"));
  input.files = files.files;
  input.dispatchEvent(new Event("change"));
  const status = document.querySelector("#save [role=status]");
  status.replaceChildren();
  while (!status.textContent) await new Promise((done) => setTimeout(done, 5));
  while (document.querySelector("[aria-busy]")) await new Promise((done) => setTimeout(done, 5));
  return status.textContent;
})()"""

WARNS = """(() => {
  const leaving = new Event("beforeunload", { cancelable: true });
  window.dispatchEvent(leaving);
  return leaving.defaultPrevented;
})()"""


class Domain:
    """All objects of a domain. The context of the exploration has the first few of them."""

    def __init__(self, folder, name, attributes, objects, known):
        self.attributes, self.objects = attributes, objects
        self.path = folder / f"{name}.csv"
        self.session = folder / f"{name}.csv.session.json"
        cell = lambda text: '"' + text.replace('"', '""') + '"'
        lines = ["," + ",".join(map(cell, attributes))]
        for object, has in objects[:known]:
            lines.append(cell(object) + "," + ",".join("1" if one in has else "0" for one in attributes))
        self.path.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def answer(self, question):
        """Returns the true answer to a question."""
        premise, conclusion = map(set, question)
        for name, has in self.objects:
            if premise <= has and not conclusion <= has:
                attributes = [one for one in self.attributes if one in has]
                return {"kind": "no", "name": name, "attributes": attributes}
        return {"kind": "yes"}


class Driver:
    """Answers the questions of a page, and keeps the lines that say the same to the command."""

    def __init__(self, tab):
        self.tab, self.lines, self.asked = tab, [], []
        self.state = self.act({})

    def act(self, step):
        quoted = lambda text: json.dumps(text, ensure_ascii=False)
        if step:
            kind, name = step["kind"], step.get("name", "")
            names = ", ".join(map(quoted, step.get("attributes", [])))
            line = {"no": f"no {quoted(name)}: {names}", "expert": f"expert {name}"}.get(kind, kind)
            self.lines.append(line)
        self.state = self.tab.evaluate(ACT.replace("STEP", json.dumps(step)))
        assert self.state["alert"] == "", (step, self.state)
        if self.state["question"]:
            self.asked.append(f"question {self.state['answers'] + 1}: {self.state['text']}")
        return self.state

    def answer(self, domain, stream, doubt, most=1000):
        """Answers as the domain is, with doubts; the next expert has fewer of them."""
        for _ in range(most):
            if self.state["finished"]:
                return
            if not self.state["question"]:
                doubt = 0 if doubt < 0.1 else doubt / 2
                self.act({"kind": "expert", "name": f"expert {len(self.lines)}"})
            elif stream.random() < doubt:
                self.act({"kind": "unknown"})
            else:
                self.act(domain.answer(self.state["question"]))
            if stream.random() < doubt / 3 and self.state["answers"]:
                self.act({"kind": "undo"})

    def save(self, label):
        return self.tab.evaluate(SAVE.replace("LABEL", json.dumps(label)))


def explore(command, domain, lines, *flags):
    """Answers the questions of the command. Returns the result."""
    arguments = [command, "explore", str(domain.path), *map(str, flags)]
    text = "".join(line + "\n" for line in lines)
    return subprocess.run(arguments, input=text, capture_output=True, text=True, encoding="utf-8")


def questions(done):
    """Returns the questions of the command."""
    return [line for line in done.stderr.splitlines() if line.startswith("question ")]


def write_page(command, domain, page, *flags):
    done = explore(command, domain, [], "--html", page, *flags)
    assert done.returncode == 0 and "open it in a browser" in done.stderr, done.stderr


def check(browser, command, domain, seed, is_plain):
    """Compares the page and the command: the questions, the sessions in both directions, and the results."""
    stream = random.Random(seed)
    page = domain.path.with_suffix(".html")
    write_page(command, domain, page, "--expert", "ann")
    tab = browser.page(page)
    driver = Driver(tab)
    assert not tab.evaluate(WARNS)
    driver.answer(domain, stream, 0.3, most=12)
    assert tab.evaluate(WARNS)
    saved = driver.save("Session (JSON)")
    assert not tab.evaluate(WARNS)
    # The command asks the same and saves the same.
    done = explore(command, domain, [*driver.lines, "quit"], "--expert", "ann", "--quiet")
    if is_plain:
        asked = [line.replace("Does every", "does every") for line in driver.asked]
        assert questions(done) == asked, (questions(done), asked)
    assert domain.session.read_text(encoding="utf-8") == saved
    # A page continues the session of the command.
    write_page(command, domain, page)
    later = browser.page(page)
    end = Driver(later)
    assert end.state["answers"] == driver.state["answers"]
    assert end.state["question"] == driver.state["question"]
    end.answer(domain, stream, 0.3)
    assert end.state["finished"] and end.state["text"].startswith("Finished: "), end.state
    # The command continues the session of a page to the same end.
    domain.session.write_text(saved, encoding="utf-8")
    extended = {kind: domain.path.with_name(f"extended.{kind}") for kind in ("cxt", "csv")}
    done = explore(command, domain, end.lines, "--write", extended["cxt"], "--quiet")
    assert done.returncode == 0, done.stderr
    assert done.stdout == end.save("Implications (text)"), done.stdout
    assert domain.session.read_text(encoding="utf-8") == end.save("Session (JSON)")
    if is_plain:
        assert questions(done) == [line.replace("Does", "does", 1) for line in end.asked], done.stderr
    assert extended["cxt"].read_text(encoding="utf-8") == end.save("Context (.cxt)")
    explore(command, domain, [], "--write", extended["csv"])
    assert extended["csv"].read_text(encoding="utf-8") == end.save("Context (CSV)")
    # The first page opens the finished session, and returns to its own.
    said = tab.evaluate(OPEN.replace("TEXT", json.dumps(domain.session.read_text(encoding="utf-8"))))
    assert "Continuing chosen.json after" in said, said
    assert tab.evaluate("pellucid.dialog.exploration.isFinished()")
    tab.evaluate("document.querySelector('#save [role=status] button').click()")
    assert driver.save("Session (JSON)") == saved
    for one in (tab, later):
        assert one.evaluate("document.querySelectorAll('script').length") == 2
        assert one.complaints() == [], one.complaints()
        one.close()
    domain.session.unlink()
    print(f"{domain.path.stem}: {end.state['answers']} questions are equal")
    return page


def check_mistakes(browser, command, domain):
    """Checks that wrong counterexamples and files are refused with a sentence."""
    page = domain.path.with_suffix(".html")
    write_page(command, domain, page)
    tab = browser.page(page)

    def refused(step, expected):
        state = tab.evaluate(ACT.replace("STEP", json.dumps(step)))
        assert expected in state["alert"], (step, state)
        return state

    first = tab.evaluate(ACT.replace("STEP", "{}"))
    known, (premise, conclusion) = domain.objects[0][0], first["question"]
    no = lambda name, attributes: {"kind": "no", "name": name, "attributes": attributes}
    refused(no(" ", []), "A counterexample needs a name.")
    refused(no(known, []), f"There is already an object named '{known}'; use another name.")
    state = refused(no("hen", conclusion), "'hen' has all attributes of the conclusion; a counterexample")
    assert state["answers"] == 0 and state["question"] == [premise, conclusion]
    assert tab.evaluate("document.getElementById('object-error').textContent") != ""
    tab.evaluate("document.querySelector('.dialog form').dispatchEvent("
                 "new KeyboardEvent('keydown', { key: 'Escape' }))")
    focused = "document.querySelector('.dialog form').hidden && document.activeElement.id"
    assert tab.evaluate(focused) == "answer-no"
    # All objects with fur fly, so one that does not fly is refused, and the missing attribute is offered.
    for step in (no("stone", []), {"kind": "yes"}):
        tab.evaluate(ACT.replace("STEP", json.dumps(step)))
    expected = "'hen' contradicts an accepted implication: objects with fur also have flies; add"
    refused(no("hen", ["fur"]), expected)
    tab.evaluate("[...document.querySelectorAll('#object-error button')][0].click()")
    tab.evaluate("document.querySelector('.dialog form button[type=submit]').click()")
    assert tab.evaluate("pellucid.dialog.exploration.answers.length") == 3
    session = json.loads(tab.evaluate("sessionText(pellucid.dialog.exploration)"))
    changed = lambda **parts: json.dumps({**session, **parts})
    taken = [session["answers"][2], session["answers"][2]]
    for text, expected in [
        ("no JSON", "chosen.json: found no session of an exploration: the file is not JSON."),
        ("[]", "found no session of an exploration: the file has no JSON object"),
        (changed(format="x"), "found no session of an exploration: the format is x"),
        (changed(version=2), "found version 2; expected at most 1"),
        (changed(objects=3), "expected 'objects' with a list"),
        (changed(attributes=["a", "a"]), "two attributes have the same name"),
        (changed(objects=[{"name": "x", "attributes": ["zz"]}]), "found the attribute 'zz'; expected one of"),
        (changed(objects=[]), "the session is of another context"),
        (changed(answers=taken), "answer 2: there is already an object named 'hen'"),
    ]:
        said = tab.evaluate(OPEN.replace("TEXT", json.dumps(text)))
        assert expected in said, (expected, said)
    assert tab.evaluate("pellucid.dialog.exploration.answers.length") == 3
    assert tab.complaints() == [], tab.complaints()
    tab.close()
    print(f"{page.stem}: mistakes are explained")


# A form with a sentence about a mistake, so that their layout is checked, too.
MISTAKE = """(() => {
  document.getElementById("answer-no").click();
  document.querySelector(".dialog form button[type=submit]").click();
})()"""


def check_all(browser, command, folder, axe, pictures):
    """Checks explorations of small, hostile and larger domains."""
    def domain(name, seed, attributes, objects, known, density=0.55):
        stream = random.Random(seed)
        rows = [{one for one in attributes if stream.random() < density} for _ in range(objects)]
        return Domain(folder, name, attributes, [(f"object {at}", row) for at, row in enumerate(rows)], known)

    animals = {"salmon": "swims, lays eggs", "bee": "flies, lays eggs", "bat": "flies", "otter": "swims"}
    animals = [(name, set(has.split(", "))) for name, has in animals.items()]
    small = Domain(folder, "exploration-animals", ["swims", "flies", "lays eggs"], animals, 2)
    check(browser, command, small, 1, True)
    animals = [("salmon", {"swims", "flies", "eggs", "fur"}), ("bat", {"flies", "fur"})]
    mistakes = Domain(folder, "exploration-mistakes", ["swims", "flies", "eggs", "fur"], animals, 2)
    check_mistakes(browser, command, mistakes)
    check_layout(browser, small.path.with_suffix(".html"), axe, pictures)
    letters = [f"attribute {letter}" for letter in "abcdefghi"]
    for seed in range(3):
        middle = domain(f"exploration-{seed}", seed, letters, 12, seed)
        page = check(browser, command, middle, seed, True)
    check_layout(browser, page, axe, pictures)
    strange = domain("exploration-hostile", 5, list(HOSTILE.values()), 10, 3)
    page = check(browser, command, strange, 5, False)
    write_page(command, strange, page)
    check_layout(browser, page, axe, pictures, MISTAKE)
    # The search of a page for the next question pauses, so that the page answers meanwhile.
    many = [f"a{at}" for at in range(14)]
    rows = [(f"without {one}", set(many) - {one}) for one in many]
    large = Domain(folder, "exploration-large", many, rows, len(rows))
    write_page(command, large, large.path.with_suffix(".html"))
    tab = browser.page(large.path.with_suffix(".html"))
    assert Driver(tab).state["text"].startswith("Finished: 0 implications, 14 objects")
    tab.close()
