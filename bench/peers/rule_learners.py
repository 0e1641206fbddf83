"""Learners of readable models from PyPI, and two others, on one table, for each fold and size.

    python rule_learners.py LEARNER FILE.csv FOLDS.json SIZE,… [MOST_SECONDS]

Called by ../rules_by_size.py. FILE is a table as written by tidy.py, FOLDS the rows of each training and test
fold. Prints a JSON line for each fold and size: the prediction for each test row, the number of rules and
conditions, and the CPU time of training. Everything is fitted on the training fold. For learners that do not
support them, categories become columns of 0 and 1, and missing values the median. The program stops when
training takes more than MOST_SECONDS of CPU time in total.
"""

import json
import resource
import sys
import time
import warnings

SEED = 0


def frame(file):
    """Return the columns, and whether each row is of the positive class, the last one in order."""
    import pandas

    table = pandas.read_csv(file, keep_default_na=False, na_values=[""])
    labels = table.pop("class").astype(str)
    return table.drop(columns="group", errors="ignore"), (labels == max(labels)).to_numpy().astype(int)


def numeric(columns):
    import pandas

    return [name for name in columns if pandas.api.types.is_numeric_dtype(columns[name])]


def as_numbers(train, test):
    """Return both folds as arrays of numbers without missing values."""
    from sklearn.compose import make_column_transformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    numbers = numeric(train)
    words = [name for name in train if name not in numbers]
    one_hot = make_pipeline(SimpleImputer(strategy="constant", fill_value="?"),
                            OneHotEncoder(handle_unknown="ignore", sparse_output=False))
    gaps = SimpleImputer(strategy="median", keep_empty_features=True)
    prepare = make_column_transformer((gaps, numbers), (one_hot, words)).fit(train)
    return prepare.transform(train), prepare.transform(test)


def as_words(train, test):
    """Return both folds with text as text; missing numbers become the median, missing text '?'."""
    middle = train[numeric(train)].median()
    return [part.fillna(middle).fillna("?") for part in (train, test)]


def as_categories(train, test):
    """Return both folds with text as categories of pandas and missing values as they are."""
    import pandas

    parts = [train.copy(), test.copy()]
    for name in set(train) - set(numeric(train)):
        known = pandas.CategoricalDtype(sorted(train[name].dropna().unique()))
        for part in parts:
            part[name] = part[name].astype(known)
    return parts


def leaves_and_steps(tree):
    """Return the number of leaves of a scikit-learn tree, and the sum of their depths."""
    depth, leaves, steps = {0: 0}, 0, 0
    for node, (left, right) in enumerate(zip(tree.children_left, tree.children_right)):
        if left == right:
            leaves, steps = leaves + 1, steps + depth[node]
        else:
            depth[left] = depth[right] = depth[node] + 1
    return leaves, steps


def steps_of_figs(node, depth=0):
    if node.left is None and node.right is None:
        return depth
    return sum(steps_of_figs(child, depth + 1) for child in (node.left, node.right) if child is not None)


def timed(model, *known):
    begin = time.process_time()
    model.fit(*known)
    return time.process_time() - begin


# Each learner yields, for every size: the size, the probabilities of the positive class, the predicted
# classes, and the numbers of rules, conditions and seconds.


def decision_tree(train, y, test, sizes):
    """A starting score and N rules have N + 1 numbers, so the tree has N + 1 leaves."""
    from sklearn.tree import DecisionTreeClassifier

    train, test = as_numbers(train, test)
    for size in sizes:
        model = DecisionTreeClassifier(max_leaf_nodes=size + 1, random_state=SEED)
        spent = timed(model, train, y)
        leaves, steps = leaves_and_steps(model.tree_)
        yield size, model.predict_proba(test)[:, 1], model.predict(test), leaves - 1, steps, spent


def figs(train, y, test, sizes):
    """The rules are the splits of all trees."""
    from imodels import FIGSClassifier

    train, test = as_numbers(train, test)
    for size in sizes:
        model = FIGSClassifier(max_rules=size, random_state=SEED)
        spent = timed(model, train, y)
        steps = sum(steps_of_figs(tree) for tree in model.trees_)
        chances = model.predict_proba(test)[:, 1]
        yield size, chances, model.predict(test), int(model.complexity_), steps, spent


def rulefit(train, y, test, sizes):
    """The rules are those with a weight, and the columns with a weight."""
    from imodels import RuleFitClassifier

    train, test = as_numbers(train, test)
    for size in sizes:
        model = RuleFitClassifier(max_rules=size, random_state=SEED)
        spent = timed(model, train, y)
        lines = sum(weight != 0 for weight in model.coef[:train.shape[1]])
        kept = [rule for rule in model.rules_ if rule.args[0] != 0]
        steps = sum(len(rule.rule.split(" and ")) for rule in kept) + lines
        chances = model.predict_proba(test)[:, 1]
        yield size, chances, model.predict(test), len(kept) + int(lines), int(steps), spent


def boosted_rules(train, y, test, sizes):
    """Each rule has one condition. One run gives all sizes, so all have the same time."""
    from imodels import BoostedRulesClassifier

    train, test = as_numbers(train, test)
    model = BoostedRulesClassifier(n_estimators=max(sizes), random_state=SEED)
    spent = timed(model, train, y)
    staged = list(zip(model.staged_predict_proba(test), model.staged_predict(test)))
    for size in sizes:
        rules = min(size, len(staged))
        chances, predicted = staged[rules - 1]
        yield size, chances[:, 1], predicted, rules, rules, spent


def ripper(train, y, test, sizes):
    """The rules are for the rarer class, as in the paper; the other class is the default."""
    import numpy
    import wittgenstein

    train, test = as_words(train, test)
    is_other = y.mean() > 0.5
    rare = 1 - y if is_other else y
    for size in sizes:
        model = wittgenstein.RIPPER(max_rules=size, random_state=SEED)
        begin = time.process_time()
        model.fit(train, rare, pos_class=1)
        spent = time.process_time() - begin
        rules = model.ruleset_.rules
        # Without a rule it has no probabilities.
        chances = model.predict_proba(test)[:, 1] if rules else numpy.full(len(test), rare.mean())
        predicted = numpy.array(model.predict(test)).astype(int)
        chances, predicted = (1 - chances, 1 - predicted) if is_other else (chances, predicted)
        yield size, chances, predicted, len(rules), sum(len(rule.conds) for rule in rules), spent


def ebm(train, y, test, sizes):
    """One model, with a curve or a map for each term. The rules are the terms, the conditions their steps."""
    from interpret.glassbox import ExplainableBoostingClassifier

    model = ExplainableBoostingClassifier(n_jobs=1, random_state=SEED)
    spent = timed(model, train, y)
    steps = sum(scores.size for scores in model.term_scores_)
    chances = model.predict_proba(test)[:, 1]
    yield None, chances, model.predict(test), len(model.term_scores_), steps, spent


def forest(train, y, test, sizes):
    from sklearn.ensemble import RandomForestClassifier

    train, test = as_numbers(train, test)
    model = RandomForestClassifier(500, n_jobs=1, random_state=SEED)
    spent = timed(model, train, y)
    leaves = [leaves_and_steps(tree.tree_) for tree in model.estimators_]
    yield None, model.predict_proba(test)[:, 1], model.predict(test), *map(sum, zip(*leaves)), spent


def boosting(train, y, test, sizes):
    from sklearn.ensemble import HistGradientBoostingClassifier

    train, test = as_categories(train, test)
    model = HistGradientBoostingClassifier(categorical_features="from_dtype", random_state=SEED)
    spent = timed(model, train, y)
    leaves = sum(predictor.get_n_leaf_nodes() for stage in model._predictors for predictor in stage)
    yield None, model.predict_proba(test)[:, 1], model.predict(test), leaves, None, spent


LEARNERS = {
    "decision tree": decision_tree, "FIGS": figs, "RuleFit": rulefit, "BoostedRules": boosted_rules,
    "RIPPER": ripper, "EBM": ebm, "random forest": forest, "boosting": boosting,
}


def main():
    learner, file, folds, sizes = sys.argv[1:5]
    if len(sys.argv) > 5:
        most = int(sys.argv[5])
        resource.setrlimit(resource.RLIMIT_CPU, (most, most + 5))
    warnings.simplefilter("ignore")
    columns, y = frame(file)
    sizes = [int(size) for size in sizes.split(",")]
    for number, (train, test) in enumerate(json.load(open(folds))):
        models = LEARNERS[learner](columns.iloc[train], y[train], columns.iloc[test], sizes)
        for size, chances, predicted, rules, steps, spent in models:
            print(json.dumps({
                "fold": number, "size": size, "chances": [round(float(chance), 5) for chance in chances],
                "said": [int(one) for one in predicted], "rules": rules, "conditions": steps,
                "seconds": spent}), flush=True)


if __name__ == "__main__":
    main()
