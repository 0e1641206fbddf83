"""Pages of comparisons, of new data and of tables, with strange names, many classes and many columns."""

import json
import random
import subprocess

import tables


def written(command, folder):
    """Yields pages that the command writes."""
    def run(*arguments):
        done = subprocess.run([command, *map(str, arguments)], capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{arguments}: {done.stderr}")

    def file(name, text):
        path = folder / name
        path.write_text(text, encoding="utf-8")
        return path

    for kind, names in [("plain", tables.PLAIN), ("hostile", tables.HOSTILE)]:
        train = file(f"{kind}-a.csv", tables.labeled(5, 240, "two", names))
        test = file(f"{kind}-b.csv", tables.labeled(6, 200, "two", names, strange=True))
        models = [folder / f"{kind}-{learner}.json" for learner in ("rules", "network")]
        for learner, model in zip(("rules", "network"), models):
            run("learn", learner, train, "--target", names["target"], "--out", model, "--quiet")
        whats = ("compare", "monitor", "describe", "by", "network")
        pages = [folder / f"{what}-{kind}.html" for what in whats]
        run("compare", *models, test, "--out", pages[0], "--quiet")
        run("monitor", models[0], test, "--out", pages[1], "--quiet")
        run("describe", test, "--target", names["target"], "--html", pages[2], "--quiet")
        run("report", models[0], test, "--by", names["color"], "--out", pages[3], "--quiet")
        run("report", models[1], test, "--out", pages[4], "--quiet")
        yield from pages

    yield from expressions(run, file, folder)

    page = folder / "numbers.html"
    train = file("numbers.csv", tables.labeled(7, 240, "number"))
    run("learn", "rules", train, "--target", "target", "--out", folder / "numbers.json", "--quiet")
    run("monitor", folder / "numbers.json", train, "--out", page, "--quiet")
    yield page

    many = file("many-classes.csv", many_classes(300))
    page = folder / "many-classes.html"
    flags = ["--target", "class", "--iterations", 3000, "--no-inner-folds", "--quiet"]
    run("learn", "xcs", many, *flags, "--out", folder / "many.json", "--report", page)
    yield page

    wide = file("many-columns.csv", many_columns(2000))
    page = folder / "many-columns.html"
    flags = ["--target", "class", "--quiet", "--report", page]
    run("learn", "rules", wide, *flags, "--out", folder / "wide.json")
    yield page
    page = folder / "describe-many-columns.html"
    run("describe", wide, "--target", "class", "--html", page, "--quiet")
    yield page


def expressions(run, file, folder):
    """Yields the report of a class expression with its ontology, and without it."""
    lines = ["@prefix : <http://example.org/family#> ."]
    for number in range(24):
        kind = ":Man" if number % 2 else ":Woman"
        child = " ; :hasChild :person1" if number % 3 == 0 else ""
        lines.append(f":person{number} a {kind}{child} .")
    ontology = file("family.ttl", "\n".join(lines) + "\n")
    fathers = [number for number in range(24) if number % 2 and number % 3 == 0]
    others = [number for number in range(24) if number not in fathers]
    examples = []
    for name, numbers in [("positive", fathers), ("negative", others)]:
        path = file(f"{name}.txt", "".join(f"person{number}\n" for number in numbers))
        examples += [f"--{name}", path]
    model, pages = folder / "family.json", [folder / f"family-{kind}.html" for kind in ("whole", "model")]
    run("learn", "logic", ontology, *examples, "--out", model, "--quiet", "--report", pages[0])
    run("report", model, "--out", pages[1], "--quiet")
    for page, count in zip(pages, (len(fathers), None)):
        text = page.read_text(encoding="utf-8").split('id="content">')[1].split("</script>")[0]
        content = json.loads(text)
        tree, best = content["tree"], content["model"]["expressions"][0]
        assert best[4]["proven"], best
        assert "has a child" in tree["english"] and len(tree["parts"]) >= 2, tree
        counts = tree.get("instances", {"positive": None, "negative": 0})
        assert (counts["positive"], counts["negative"]) == (count, 0), tree
        yield page


def many_classes(classes):
    """Returns a table with very many classes."""
    lines = ["x,y,class"]
    for row in range(10 * classes):
        lines.append(f"{row % classes},{row % 7},class {row % classes}")
    return "\n".join(lines) + "\n"


def many_columns(columns):
    """Returns a table with very many columns."""
    stream = random.Random(8)
    lines = [",".join([*(f"column {number}" for number in range(columns)), "class"])]
    for _ in range(60):
        row = [stream.randint(0, 99) for _ in range(columns)]
        lines.append(",".join([*map(str, row), "yes" if row[3] > 50 else "no"]))
    return "\n".join(lines) + "\n"
