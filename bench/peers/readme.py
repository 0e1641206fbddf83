"""Write the means of many_tables.py to the README, as one table. Used by ../rules_by_size.py."""

import statistics

from peers.many_tables import CARD, LEARNERS, OURS
from peers.ranks import SCORES, median_of

START, END = "<!-- quality -->\n", "<!-- end of quality -->\n"
NAMES = {OURS: "**Pellucid, rules**", CARD: "Pellucid, scorecard", "decision tree": "decision tree, tuned",
         "FIGS 12": "FIGS, 12 splits", "FIGS 50": "FIGS, 50 splits", "logistic": "logistic regression",
         "forest": "random forest, 300 trees", "boosting": "HistGradientBoosting"}


def cells_of(found, learner):
    """Return accuracy, AUC and Brier score as means over tables, and the median numbers of rules and seconds;
    empty cells if results are missing for a table."""
    own = [one[learner] for one in found.values() if learner in one]
    if not own or len(own) < len(found):
        return [""] * 5
    scores = [f"{statistics.mean(one[score] for one in own):.3f}".lstrip("0") for score in SCORES]
    rules = median_of(own, "rules")
    seconds = statistics.median(one["seconds"] for one in own)
    return ["" if rules is None else f"{rules:.0f}", *scores, f"{seconds:.2f}"]


def lines_of(found, tables):
    """Return the lines of the README."""
    two, more = ({name: one for name, one in found.items() if (len(tables[name].classes) > 2) == is_more}
                 for is_more in (False, True))
    counts = f"{len(found)} tables, {len(two)} with two classes and {len(more)} with more"
    lines = [f"Held-out means over {counts}, in five folds with default",
             "settings, and the median rules and CPU seconds per fit ([all",
             "figures](bench/results/rules_many_tables.txt)):", "",
             "| | rules | accuracy | AUC | Brier | s | rules | accuracy | AUC | Brier | s |",
             "|---|---|---|---|---|---|---|---|---|---|---|",
             "| | two classes | | | | | more classes | | | | |"]
    for learner in LEARNERS:
        cells = [*cells_of(two, learner), *cells_of(more, learner)]
        if any(cells):
            lines.append(f"| {NAMES.get(learner, learner)} | {' | '.join(cells)} |")
    return lines


def write(path, found, tables):
    """Replace the lines between two comments."""
    before, rest = path.read_text().split(START)
    _, after = rest.split(END)
    path.write_text(before + START + "\n".join(lines_of(found, tables)) + "\n" + END + after)
