//! The Python code of the export.

pub(super) const USE: &str = "
score(row) returns the log odds of the second class, predict(row) returns the
class, and predict_all(rows) returns a list of classes. A row is a dictionary
from column names to values; None and NaN are missing values.
";

pub(super) const PREPARED: &str = r#"

def prepared(row):
    """Return the inputs of the networks; most lie between -1 and 1, and a missing number is 0."""
    inputs = []
    for encode, middle, half_range in INPUTS:
        value = encode(row)
        value = 0.0 if value != value else (value - middle) / half_range
        inputs.append(min(max(value, -CLIP), CLIP))
    return inputs


def node(kind, weights, centres, last, values):
    """Return the output of a node."""
    if kind == "rbf":
        differences = [weight * value - centre for weight, value, centre in zip(weights, values, centres)]
        return math.exp(min(max(-last * sum(one * one for one in differences), SMALLEST), LARGEST))
    total = sum(weight * value for weight, value in zip(weights, values)) + last
    if kind == "tanh":
        return math.tanh(total)
    if kind == "sigmoid":
        return 1.0 / (1.0 + math.exp(-total)) if total >= 0.0 else math.exp(total) / (1.0 + math.exp(total))
    return max(total, 0.0)

"#;

pub(super) const SCORE: &str = r#"

def score(row):
    """Return the mean score of the networks."""
    inputs, total = prepared(row), 0.0
    for layers, outputs, slope, offset in NETWORKS:
        values = inputs
        for kind, nodes in layers:
            values = [node(kind, *genes, values) for genes in nodes]
        total += slope * on_scale(sum(weight * value for weight, value in zip(outputs, values))) + offset
    return total / len(NETWORKS)


def predict(row):
    """Return the predicted class."""
    return CLASSES[1] if SLOPE * score(row) + OFFSET > 0.0 else CLASSES[0]

"#;

pub(super) const PREDICT_ALL: &str = r#"

def predict_all(rows):
    """Return the prediction for each row."""
    return [predict(row) for row in rows]
"#;

pub(super) const LINEAR: &str = r#"

def on_scale(output):
    """Return the output of a network unchanged."""
    return output
"#;

pub(super) const LOGARITHMIC: &str = r#"

def on_scale(output):
    """Return the signed logarithm of the output of a network."""
    return math.copysign(math.log1p(abs(output)), output)
"#;

pub(super) const PROBABILITIES: &str = r#"

def probabilities(row):
    """Return the probability of each class."""
    exponent = SLOPE * score(row) + OFFSET
    if exponent >= 0.0:
        probability = 1.0 / (1.0 + math.exp(-exponent))
    else:
        probability = math.exp(exponent) / (1.0 + math.exp(exponent))
    return {CLASSES[0]: 1.0 - probability, CLASSES[1]: probability}
"#;

pub(super) const ENCODE: &str = r#"

def yes_or_no(row, column):
    """Return 1 for true, 0 for false, and NaN if the value is missing."""
    if truth(row, column):
        return 1.0
    return float("nan") if text(row, column) is None else 0.0


def word(row, column, odds, missing):
    """Return the log odds of a category, or 0 for an unknown category."""
    value = text(row, column)
    return missing if value is None else odds.get(value, 0.0)


def step(row, column, cuts, odds, missing):
    """Return the log odds of the bin that contains a number."""
    value = number(row, column)
    return missing if value != value else odds[sum(cut < value for cut in cuts)]
"#;

pub(super) const USE_CLASSES: &str = "
scores(row) returns the score of each class, predict(row) returns the class, and
predict_all(rows) returns a list of classes. A row is a dictionary from column
names to values; None and NaN are missing values.
";

pub(super) const USE_NUMBER: &str = "
predict(row) returns the number, and predict_all(rows) returns a list of
numbers. A row is a dictionary from column names to values; None and NaN are
missing values.
";

pub(super) const SCORES: &str = r#"

def totals(row):
    """Return the scores in the order of CLASSES, the mean over the networks."""
    inputs, sums = prepared(row), [0.0] * len(CLASSES)
    for layers, outputs, offsets in NETWORKS:
        values = inputs
        for kind, nodes in layers:
            values = [node(kind, *genes, values) for genes in nodes]
        for place, (weights, offset) in enumerate(zip(outputs, offsets)):
            sums[place] += sum(weight * value for weight, value in zip(weights, values)) + offset
    return [one / len(NETWORKS) for one in sums]


def exponents(row):
    """Return the numbers by which classes are compared, in the order of CLASSES."""
    return [SLOPE * score + offset for score, offset in zip(totals(row), OFFSETS)]


def scores(row):
    """Return the score of each class."""
    return dict(zip(CLASSES, totals(row)))


def predict(row):
    """Return the predicted class."""
    found = exponents(row)
    return CLASSES[found.index(max(found))]
"#;

pub(super) const PROBABILITIES_OF_CLASSES: &str = r#"

def probabilities(row):
    """Return the probability of each class."""
    found = exponents(row)
    largest = max(found)
    powers = [math.exp(one - largest) for one in found]
    return {name: power / sum(powers) for name, power in zip(CLASSES, powers)}
"#;

pub(super) const NUMBER: &str = r#"

def predict(row):
    """Return the predicted number, the mean over the networks."""
    inputs, total = prepared(row), 0.0
    for layers, outputs, slope, offset in NETWORKS:
        values = inputs
        for kind, nodes in layers:
            values = [node(kind, *genes, values) for genes in nodes]
        total += slope * sum(weight * value for weight, value in zip(outputs, values)) + offset
    return total / len(NETWORKS)
"#;
