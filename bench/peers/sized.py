"""What learners said of rows they had not seen, judged size by size and told as tables. Used by ../rules_by_size.py."""

SIZES = [1, 2, 3, 5, 10, 20, 50]
SIZED = ["ours", "decision tree", "FIGS", "RuleFit", "BoostedRules", "RIPPER"]
# Of one size each; the last two are read by nobody.
WHOLE = ["EBM", "random forest", "boosting"]
LEARNERS = [*SIZED, *WHOLE]
CHOSEN = "chosen"


def area(chances, actual):
    """The share of pairs, one of each class, that are in order; ties count a half. Nothing where a class is absent."""
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


def judged(records, actual, splits):
    """By size: accuracy and Brier score over all rows, the mean AUC of the folds, the mean size and seconds of a fold."""
    found = {}
    for record in records:
        size = CHOSEN if record["size"] is None else record["size"]
        test = [actual[place] for place in splits[record["fold"]][1]]
        said, chances = record["said"], record["chances"]
        assert len(test) == len(said) == len(chances)
        found.setdefault(size, []).append({
            "rows": len(test), "right": sum(one == other for one, other in zip(said, test)),
            "squares": sum((chance - one) ** 2 for chance, one in zip(chances, test)), "auc": area(chances, test),
            **{name: record[name] for name in ("rules", "conditions", "seconds")}})
    return {
        size: {"accuracy": sum(fold["right"] for fold in folds) / sum(fold["rows"] for fold in folds),
               "brier": sum(fold["squares"] for fold in folds) / sum(fold["rows"] for fold in folds),
               **{name: mean([fold[name] for fold in folds]) for name in ("auc", "rules", "conditions", "seconds")}}
        for size, folds in found.items()}


def nearest(learner, rules):
    """The figures of the largest of some models that has at most so many rules, or of the smallest."""
    sizes = [size for size in learner if size != CHOSEN]
    return learner[max((size for size in sizes if size <= rules), default=min(sizes))]


def shown(number, digits=3):
    return "-" if number is None else f"{number:.{digits}f}"


def table(heads, rows):
    """Lines of a table, the first column to the left and the others to the right."""
    widths = [max(len(row[place]) for row in [heads, *rows]) for place in range(len(heads))]

    def line(row):
        cells = zip(row[1:], widths[1:])
        return "  ".join([f"{row[0]:<{widths[0]}}", *(f"{cell:>{width}}" for cell, width in cells)])

    return [line(row) for row in [heads, *rows]]


def by_size(found, figure, digits=3):
    """One figure of a table, a line for each learner and a column for each size."""
    rows = []
    for learner in LEARNERS:
        if learner in found:
            cells = [found[learner].get(size) for size in [*SIZES, CHOSEN]]
            rows.append([learner, *(shown(cell[figure], digits) if cell else "" for cell in cells)])
    return table([figure, *map(str, SIZES), CHOSEN], rows)


def beside_the_best(sets):
    """What ours chose beside learners that nobody reads."""
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
    return table(["", "rules", "conditions", "Brier", "forest", "boosting", "<= forest + .01", "accuracy", "forest", "boosting",
                  "AUC", "tree", "forest", "boosting"], rows)


def above_the_tree(sets):
    """By how much the AUC of ours is above a tree's, size by size."""
    rows = []
    for name, about in sets.items():
        own, tree = (about["learners"].get(learner) for learner in SIZED[:2])
        if own and tree:
            rows.append([name, *(f"{own[size]['auc'] - tree[size]['auc']:+.3f}" for size in SIZES)])
    return table(["", *map(str, SIZES)], rows)


def ratios(sets):
    """Processor time of each learner over ours."""
    others = [learner for learner in LEARNERS[1:] if any(learner in about["learners"] for about in sets.values())]
    rows = []
    for name, about in sets.items():
        found = about["learners"]
        own = found.get("ours", {}).get(CHOSEN)
        if own:
            cells = [found[other].get(20, found[other].get(CHOSEN)) if other in found else None for other in others]
            times = (f"{cell['seconds'] / own['seconds']:.3f} x" if cell else "-" for cell in cells)
            rows.append([name, f"{own['seconds']:.2f} s", *times])
    return table(["", "ours", *others], rows)


def lines_of(record):
    sets = record["sets"]
    lines = [f"{key}: {value}" for key, value in record["machine"].items()]
    lines += ["versions: " + ", ".join(f"{name} {version}" for name, version in record["versions"].items()), "",
              "Same folds for all, one thread each. Columns: the number of rules asked for; 'chosen' is the size that ours chose",
              "itself, and the one size of learners that have one. Seconds are of the processor, for one fold."]
    for name, about in sets.items():
        lines += ["", f"{name}: {about['rows']} rows, {about['columns']} columns, {about['positive']} of the positive class; "
                  f"{about['folds']} folds"]
        for figure, digits in (("accuracy", 3), ("auc", 3), ("brier", 3), ("rules", 1), ("conditions", 1), ("seconds", 3)):
            lines += ["", *by_size(about["learners"], figure, digits)]
    parts = {
        "What ours chose beside a forest of 500 trees and boosting; the tree has at most as many leaves and one more": beside_the_best,
        "AUC of ours less that of a decision tree of one leaf more, size by size; asked: never below": above_the_tree,
        "Processor time of each over ours: a model of 20 rules, or the one size there is": ratios,
    }
    for title, part in parts.items():
        lines += ["", "", title, "", *part(sets)]
    return [*lines, *(["", *record["troubles"]] if record["troubles"] else [])]
