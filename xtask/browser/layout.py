"""The layout and the accessibility of a page, in both themes and at three widths."""

# Opens everything that can be opened, so that its content is checked, too.
OPEN = "for (const details of document.querySelectorAll('details')) details.open = true"
VIOLATIONS = """axe.run(document).then((found) => {
  const nodes = (one) => one.nodes.slice(0, 3).map((node) => node.html);
  const shown = found.violations.map((one) => [one.id, one.help, nodes(one)]);
  return { passed: found.passes.length, violations: shown };
})"""

# What may scroll must be reachable by keyboard, whether or not the fonts of this machine make it scroll.
UNREACHABLE = """[...document.querySelectorAll("main *")].filter((node) => {
  const { overflowX, overflowY } = getComputedStyle(node);
  const scrolls = [overflowX, overflowY].some((flow) => flow === "auto" || flow === "scroll");
  return scrolls && node.tabIndex !== 0;
}).map((node) => node.outerHTML.slice(0, 200))"""


def check_layout(browser, path, axe, pictures, prepare="true"):
    """Checks that a page, after a script, fits every width and, with axe, breaks no rule of accessibility."""
    for width, dark in [(1200, False), (800, True), (390, False)]:
        page = browser.page(path, width, dark)
        page.evaluate(prepare)
        over = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        assert over <= 0, f"{path.stem} is {over} pixels too wide at {width}"
        assert page.evaluate("document.querySelectorAll('main img:not(.drawing), main b').length") == 0
        assert page.complaints() == [], page.complaints()
        if pictures:
            page.screenshot(pictures / f"{path.stem}-{width}{'-dark' if dark else ''}.png")
        page.evaluate(OPEN)
        unreachable = page.evaluate(UNREACHABLE)
        assert unreachable == [], f"{path.stem}: scrolls without a tabindex: {unreachable[:3]}"
        if axe:
            page.call("Runtime.evaluate", expression=axe)
            found = page.evaluate(VIOLATIONS)
            assert found["passed"] > 10, f"{path.stem}: only {found['passed']} rules were checked"
            assert found["violations"] == [], (path.stem, width, dark, found["violations"])
        page.close()
