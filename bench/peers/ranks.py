"""Summarize the records of many_tables.py: scores by table, means, ranks and sizes, as text."""

import statistics

from peers.many_tables import LEARNERS, OURS
from peers.sized import shown, table
from peers.whole_learners import BLACK_BOXES

SCORES = ["accuracy", "auc", "brier"]
FIGURES = [*SCORES, "rules", "conditions", "seconds"]
NEAR = 0.010
# A learner with results for fewer of the tables does not enter the main comparison.
MOST_TABLES = 0.8


def means_of(cache):
    """Return the means over the folds, by table and learner, where all folds have a result."""
    found = {}
    for name, data in cache.tables.items():
        found[name] = {}
        for learner in LEARNERS:
            folds = [cache.records.get((name, learner, fold), {}) for fold in range(len(data.splits))]
            if all("accuracy" in fold for fold in folds):
                found[name][learner] = {
                    figure: statistics.mean(fold[figure] for fold in folds)
                    if folds[0][figure] is not None else None for figure in FIGURES}
    return found


def add_stored(found, stored):
    """Add stored means of the same tables where there are no new ones."""
    for name, own in found.items():
        for learner, figures in stored.get(name, {}).get("learners", {}).items():
            own.setdefault(learner, figures)


def is_better(score, one, other):
    return one < other if score == "brier" else one > other


def ranks(numbers, score):
    """Return the rank of each number, from 1 for the best. Equal numbers share the mean of their ranks."""
    # Means of the same numbers can differ in the last digits.
    numbers = [round(number, 10) for number in numbers]
    return [1 + sum(is_better(score, other, one) for other in numbers) + (numbers.count(one) - 1) / 2
            for one in numbers]


def critical_difference(learners, tables):
    """Return the difference of mean ranks that is significant by Nemenyi's test at 5 %."""
    from scipy.stats import studentized_range

    quantile = studentized_range.ppf(0.95, learners, float("inf")) / 2 ** 0.5
    return quantile * (learners * (learners + 1) / (6 * tables)) ** 0.5


def is_near(score, own, found):
    """Return whether a score is at most NEAR worse than the best score of a black box."""
    others = [found[learner][score] for learner in BLACK_BOXES]
    return own - min(others) <= NEAR + 1e-12 if score == "brier" else max(others) - own <= NEAR + 1e-12


def median_of(own, figure):
    numbers = [one[figure] for one in own if one[figure] is not None]
    return statistics.median(numbers) if numbers else None


def compare(found, learners):
    """Return the lines of a comparison of learners that all have results for all tables in `found`."""
    mean_ranks = {}
    for score in SCORES:
        by_table = [ranks([one[learner][score] for learner in learners], score) for one in found.values()]
        mean_ranks[score] = [statistics.mean(column) for column in zip(*by_table)]
    has_boxes = all(box in learners for box in BLACK_BOXES)
    rows = []
    for place, learner in enumerate(learners):
        own = [one[learner] for one in found.values()]
        seconds = [one["seconds"] for one in own]
        near = [sum(is_near(score, one[learner][score], one) for one in found.values()) if has_boxes else "-"
                for score in SCORES]
        rows.append([
            learner, *(shown(statistics.mean(one[score] for one in own), 4) for score in SCORES),
            *(shown(mean_ranks[score][place], 2) for score in SCORES), *map(str, near),
            *(shown(median_of(own, figure), 1) for figure in ("rules", "conditions")),
            shown(statistics.mean(seconds), 2), shown(statistics.median(seconds), 2)])
    heads = ["", "accuracy", "AUC", "Brier", "rank", "AUC rank", "Brier rank", "near", "AUC near",
             "Brier near", "rules", "conditions", "seconds", "median s"]
    lines = table(heads, rows)
    if len(learners) > 1:
        difference = critical_difference(len(learners), len(found))
        lines += [f"Critical difference of the ranks (Nemenyi, 5 %): {difference:.2f}"]
    return lines


def comparisons(title, found):
    """Return the comparison of the learners with results for most tables, and one with each other learner."""
    if not found:
        return []
    present = [learner for learner in LEARNERS if any(learner in one for one in found.values())]
    main = [learner for learner in present
            if learner == OURS or sum(learner in one for one in found.values()) >= MOST_TABLES * len(found)]
    lines = []
    for more in [[], *([learner] for learner in present if learner not in main)]:
        learners = [learner for learner in present if learner in [*main, *more]]
        common = {name: one for name, one in found.items() if all(learner in one for learner in learners)}
        if not common:
            continue
        part = f"{title}, with {more[0]}" if more else title
        lines += ["", "", f"{part}: {len(common)} of {len(found)} tables", "", *compare(common, learners)]
        left_out = [name for name in found if name not in common]
        if left_out:
            lines += [f"Without results of all of these learners: {', '.join(left_out)}"]
    return lines


def by_table(found, tables, score):
    learners = [learner for learner in LEARNERS if any(learner in one for one in found.values())]
    rows = [[name, *(str(number) for number in tables[name].about().values()),
             *(shown(one.get(learner, {}).get(score)) for learner in learners)]
            for name, one in found.items()]
    return table([score, "rows", "columns", "classes", *learners], rows)


def lines_of(record, found, tables):
    """Return the lines of the report."""
    lines = [*(f"{setting}: {', '.join(learners)}" for setting, learners in record["settings"].items()), "",
             "Five stratified folds with seed 7, the same for all learners, and one thread. Scores are means",
             "over the folds. AUC with more than two classes is the mean of each class against the rest. The",
             "Brier score is half the sum over the classes. 'near' counts the tables with a score at most",
             f"{NEAR:.3f} worse than that of the best black box ({', '.join(BLACK_BOXES)}). Rules and",
             "conditions are medians over the tables. Seconds are the CPU time of one fold, as mean and",
             "median over the tables."]
    for score in SCORES:
        lines += ["", "", *by_table(found, tables, score)]
    groups = {"Two classes": [name for name in found if len(tables[name].classes) == 2],
              "More classes": [name for name in found if len(tables[name].classes) > 2],
              "All tables": list(found)}
    for title, names in groups.items():
        if title != "All tables" or 0 < len(groups["More classes"]) < len(names):
            lines += comparisons(title, {name: found[name] for name in names})
    return [*lines, *(["", *record["troubles"]] if record["troubles"] else [])]
