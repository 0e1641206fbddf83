"""Summarize held-out predictions by size, as tables. Used by ../rules_by_size.py."""

SIZES = [1, 2, 3, 5, 10, 20, 50]
SIZED = ["ours", "decision tree", "FIGS", "RuleFit", "BoostedRules", "RIPPER"]
# Learners with one size; the last two are not readable.
WHOLE = ["EBM", "random forest", "boosting"]
LEARNERS = [*SIZED, *WHOLE]
CHOSEN = "chosen"


def area(chances, actual):
    """Return the area under the ROC curve, or None if a class is missing."""
    ordered = sorted(zip(chances, actual))
    positive = sum(actual)
    negative = len(actual) - positive
    if not positive or not negative:
        return None
    ranks, start = 0.0, 0
    while start < len(ordered):
        end = start
        while end < len(ordered) and ordered[end][0] == ordered[start][0]:
            end += 1
        ranks += sum(one for _, one in ordered[start:end]) * (start + 1 + end) / 2
        start = end
    return (ranks - positive * (positive + 1) / 2) / (positive * negative)


def mean(numbers):
    numbers = [number for number in numbers if number is not None]
    return sum(numbers) / len(numbers) if numbers else None


def summarize(records, actual, splits):
    """Return figures by size: accuracy and Brier score over all rows, means of the folds for the others."""
    found = {}
    for record in records:
        size = CHOSEN if record["size"] is None else record["size"]
        test = [actual[place] for place in splits[record["fold"]][1]]
        predicted, chances = record["said"], record["chances"]
        assert len(test) == len(predicted) == len(chances)
        found.setdefault(size, []).append({
            "rows": len(test), "right": sum(one == other for one, other in zip(predicted, test)),
            "squares": sum((chance - one) ** 2 for chance, one in zip(chances, test)),
            "auc": area(chances, test),
            **{name: record[name] for name in ("rules", "conditions", "seconds")}})
    means = ("auc", "rules", "conditions", "seconds")
    return {
        size: {"accuracy": sum(fold["right"] for fold in folds) / sum(fold["rows"] for fold in folds),
               "brier": sum(fold["squares"] for fold in folds) / sum(fold["rows"] for fold in folds),
               **{name: mean([fold[name] for fold in folds]) for name in means}}
        for size, folds in found.items()}


def nearest(learner, rules):
    """Return the figures of the largest model with at most this many rules, or of the smallest model."""
    sizes = [size for size in learner if size != CHOSEN]
    return learner[max((size for size in sizes if size <= rules), default=min(sizes))]


def shown(number, digits=3):
    return "-" if number is None else f"{number:.{digits}f}"


def table(heads, rows):
    """Return the lines of a table, with the first column left-aligned and the others right-aligned."""
    widths = [max(len(row[place]) for row in [heads, *rows]) for place in range(len(heads))]

    def line(row):
        cells = zip(row[1:], widths[1:])
        return "  ".join([f"{row[0]:<{widths[0]}}", *(f"{cell:>{width}}" for cell, width in cells)])

    return [line(row) for row in [heads, *rows]]


def by_size(found, figure, digits=3):
    """Return a table of one figure, with a line for each learner and a column for each size."""
    rows = []
    for learner in LEARNERS:
        if learner in found:
            cells = [found[learner].get(size) for size in [*SIZES, CHOSEN]]
            rows.append([learner, *(shown(cell[figure], digits) if cell else "" for cell in cells)])
    return table([figure, *map(str, SIZES), CHOSEN], rows)


def beside_the_best(sets):
    """Compare the size that Pellucid selected with learners that are not readable."""
    rows = []
    for name, about in sets.items():
        found = about["learners"]
        own = found.get("ours", {}).get(CHOSEN)
        if not own:
            continue
        forest, boosting = (found.get(other, {}).get(CHOSEN, {}) for other in WHOLE[-2:])
        tree = nearest(found["decision tree"], own["rules"]) if "decision tree" in found else {}
        above = own["brier"] - forest["brier"] if forest else None
        verdict = "" if above is None else "yes" if above <= 0.01 else f"no, {above:+.3f}"
        rows.append([name, shown(own["rules"], 1), shown(own["conditions"], 1),
                     *(shown(one.get("brier")) for one in (own, forest, boosting)), verdict,
                     *(shown(one.get("accuracy")) for one in (own, forest, boosting)),
                     *(shown(one.get("auc")) for one in (own, tree, forest, boosting))])
    return table(["", "rules", "conditions", "Brier", "forest", "boosting", "<= forest + .01",
                  "accuracy", "forest", "boosting", "AUC", "tree", "forest", "boosting"], rows)


def above_the_tree(sets):
    """Return the difference of AUC between Pellucid and a tree, by size."""
    rows = []
    for name, about in sets.items():
        own, tree = (about["learners"].get(learner) for learner in SIZED[:2])
        if own and tree:
            rows.append([name, *(f"{own[size]['auc'] - tree[size]['auc']:+.3f}" for size in SIZES)])
    return table(["", *map(str, SIZES)], rows)


def ratios(sets):
    """Return the ratio of the CPU time of each learner to that of Pellucid."""
    others = [learner for learner in LEARNERS[1:]
              if any(learner in about["learners"] for about in sets.values())]
    rows = []
    for name, about in sets.items():
        found = about["learners"]
        own = found.get("ours", {}).get(CHOSEN)
        if own:
            cells = [found[other].get(20, found[other].get(CHOSEN)) if other in found else None
                     for other in others]
            times = (f"{cell['seconds'] / own['seconds']:.3f} x" if cell else "-" for cell in cells)
            rows.append([name, f"{own['seconds']:.2f} s", *times])
    return table(["", "ours", *others], rows)


def lines_of(record):
    sets = record["sets"]
    lines = [f"{key}: {value}" for key, value in record["machine"].items()]
    versions = ", ".join(f"{name} {version}" for name, version in record["versions"].items())
    lines += [f"versions: {versions}", "",
              "All learners use the same folds and one thread. Columns: the maximum number of rules;",
              "'chosen' is the size that ours selects, or the only size of a learner. Seconds are CPU time",
              "for one fold."]
    digits_of = {"accuracy": 3, "auc": 3, "brier": 3, "rules": 1, "conditions": 1, "seconds": 3}
    for name, about in sets.items():
        lines += ["", f"{name}: {about['rows']} rows, {about['columns']} columns, "
                  f"{about['positive']} of the positive class; {about['folds']} folds"]
        for figure, digits in digits_of.items():
            lines += ["", *by_size(about["learners"], figure, digits)]
    parts = {
        "Selected size of ours, a forest of 500 trees, boosting, and a tree with at most one leaf more than "
        "ours has rules": beside_the_best,
        "AUC of ours minus that of a decision tree with one leaf more, by size": above_the_tree,
        "CPU time of each learner divided by ours: a model of 20 rules, or the only size": ratios,
    }
    for title, part in parts.items():
        lines += ["", "", title, "", *part(sets)]
    return [*lines, *(["", *record["troubles"]] if record["troubles"] else [])]
