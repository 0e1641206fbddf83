"""Lattice explorers in Chromium: the concepts that the command prints, every control, and saved files."""

import json
import random
import subprocess
from xml.etree import ElementTree

from layout import check_layout
from tables import HOSTILE

CONCEPTS = """(() => {
  const { lattice } = pellucid;
  const concepts = [];
  for (let one = 0; one < lattice.count; one += STEP) {
    concepts.push([one, intentOf(lattice, one), extentOf(lattice, one), lattice.supports[one],
      [...linked(lattice.upper, one)], [...linked(lattice.lower, one)]]);
  }
  return concepts;
})()"""

# Every concept lights for its attributes and objects, and for no others.
LIGHTS = """(() => {
  const { lattice } = pellucid;
  const wrong = [];
  for (let one = 0; one < lattice.count; one += STEP) {
    const [intent, extent] = [new Set(intentOf(lattice, one)), new Set(extentOf(lattice, one))];
    for (let at = 0; at < lattice.attributes.count; at += 1) {
      if (conceptsWithAttribute(lattice, at).has(one) !== intent.has(at)) wrong.push(["attribute", one, at]);
    }
    for (let at = 0; at < lattice.objects.count; at += 1) {
      if (conceptsWithObject(lattice, at).has(one) !== extent.has(at)) wrong.push(["object", one, at]);
    }
  }
  return wrong.slice(0, 5);
})()"""

# The lines that are drawn are the covering relation of the concepts that are drawn.
COVERS = """(() => {
  const { lattice, explorer } = pellucid;
  const wrong = [];
  const measures = ["support", "delta", ...(lattice.stability ? ["stability"] : [])];
  for (const measure of measures) {
    explorer.setMeasure(measure);
    for (let level = 0; level < explorer.levels.length; level += Math.ceil(explorer.levels.length / 6)) {
      explorer.setLevel(level);
      const { nodes, edges } = explorer.drawing.layout;
      if (nodes.length > 300) continue;
      const above = new Map(nodes.map((node) => [node.concept, reached(lattice.upper, node.concept)]));
      const drawn = new Set(edges.map((edge) => `${edge.from} ${edge.to}`));
      for (const [low, all] of above) for (const high of above.keys()) {
        const isAbove = high !== low && all.has(high);
        const between = isAbove && [...above.keys()].some((other) =>
          other !== high && other !== low && all.has(other) && above.get(other).has(high));
        if ((isAbove && !between) !== drawn.has(`${high} ${low}`)) wrong.push([measure, level, high, low]);
      }
    }
  }
  explorer.setMeasure("support");
  return wrong.slice(0, 5);
})()"""

USE = """(async () => {
  const { explorer, lattice } = pellucid;
  const done = [];
  const tick = (node, kind) => node.dispatchEvent(new Event(kind, { bubbles: true }));
  const range = document.querySelector("input[type=range]");
  for (const value of [range.min, range.max, range.value]) { range.value = value; tick(range, "input"); }
  const select = document.querySelector("select");
  for (const option of select.options) {
    select.value = option.value; tick(select, "change"); done.push("measure");
  }
  const search = document.querySelector("input[type=search]");
  for (const text of ["", "1", "no such name"]) {
    search.value = text; tick(search, "input"); done.push("search");
  }
  search.value = ""; tick(search, "input");
  const circle = document.querySelector("svg.stage .c");
  circle.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  done.push(explorer.selected === Number(circle.dataset.c) ? "selected" : "not selected");
  if (document.querySelectorAll("svg.stage .c.on").length > 0) done.push("lit");
  const shown = explorer.drawing.circles.size;
  const buttons = [...document.querySelectorAll(".concept button")];
  const more = buttons.find((one) => /^Show the .*below$/.test(one.textContent));
  if (more) { more.click(); if (explorer.drawing.circles.size >= shown) done.push("expanded"); }
  for (const name of [...document.querySelectorAll("button.name")].slice(0, 5)) {
    name.dispatchEvent(new Event("pointerenter")); name.dispatchEvent(new Event("pointerleave"));
    name.click(); done.push("name");
  }
  document.querySelectorAll(".zoom button").forEach((button) => { button.click(); done.push("zoom"); });
  const wheel = { deltaY: -200, clientX: 200, clientY: 300, cancelable: true };
  explorer.drawing.svg.dispatchEvent(new WheelEvent("wheel", wheel));
  explorer.drawing.fit();
  const { layout } = explorer.drawing;
  const png = await pngFile(layout);
  return { done, svg: svgFile(layout), tikz: tikzFile(layout), png: png.size, nodes: layout.nodes.length,
    edges: layout.edges.length, labeled: layout.labeled };
})()"""


def check(browser, command, page, context, flags, axe, pictures, step=1):
    """Checks an explorer."""
    arguments = [command, "lattice", str(context), *flags, "--quiet"]
    files = ["--html", str(page), "--json", "-", "--extents"]
    done = subprocess.run([*arguments, *files], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    expected = json.loads(done.stdout)["concepts"]
    tab = browser.page(page)
    assert tab.evaluate("pellucid.lattice.count") == len(expected) > 0
    for one, intent, extent, support, upper, lower in tab.evaluate(CONCEPTS.replace("STEP", str(step))):
        known = expected[one]
        assert intent == known["intent"] and support == known["support"], (page.stem, one)
        assert extent == known["extent"] and len(extent) == support, (page.stem, one)
        assert upper == known["upper"] and lower == known["lower"], (page.stem, one)
    assert tab.evaluate(LIGHTS.replace("STEP", str(max(step, len(expected) // 50)))) == []
    assert tab.evaluate(COVERS) == []
    used = tab.evaluate(USE)
    for what in ("measure", "search", "selected", "lit", "name", "zoom"):
        assert what in used["done"], used["done"]
    drawn = ElementTree.fromstring(used["svg"])
    circles = drawn.findall("{http://www.w3.org/2000/svg}circle")
    assert len(circles) == used["nodes"] and used["png"] > 500
    assert used["tikz"].count("\\node[concept") == used["nodes"]
    assert used["tikz"].count("\\draw") == used["edges"]
    assert tab.evaluate("document.querySelectorAll('script').length") == 2
    assert tab.complaints() == [], tab.complaints()
    tab.close()
    check_layout(browser, page, axe, pictures)
    size = f"{used['nodes']} drawn; {page.stat().st_size} bytes"
    print(f"{page.stem}: {len(expected)} concepts are equal; {size}")


def check_all(browser, command, folder, axe, pictures):
    """Checks explorers of small, hostile, partial and large lattices."""
    def context(name, objects, attributes, density, seed, names=None):
        stream = random.Random(seed)
        heads = names or [f"http://example.org/attribute/{at}" for at in range(attributes)]
        lines = ["," + ",".join('"' + head.replace('"', '""') + '"' for head in heads)]
        for at in range(objects):
            cells = ["1" if stream.random() < density else "" for _ in heads]
            lines.append(f"object {at}," + ",".join(cells))
        path = folder / f"{name}.csv"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path

    small = context("lattice-small", 12, 6, 0.5, 1)
    check(browser, command, folder / "lattice-small.html", small, [], axe, pictures)
    strange = context("lattice-hostile", 20, 8, 0.5, 2, list(HOSTILE.values()))
    check(browser, command, folder / "lattice-hostile.html", strange, [], axe, pictures)
    middle = context("lattice-middle", 60, 14, 0.4, 3)
    check(browser, command, folder / "lattice-iceberg.html", middle, ["--min-support", "4"], axe, pictures)
    large = context("lattice-large", 120, 40, 0.35, 4)
    check(browser, command, folder / "lattice-large.html", large, [], axe, pictures, step=97)
