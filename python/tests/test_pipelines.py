"""One hundred random pipelines: they run, or fail with a sentence."""

import warnings

import numpy as np
import pandas
import pytest
import scipy.sparse
from sklearn.feature_selection import SelectKBest
from sklearn.impute import SimpleImputer
from sklearn.model_selection import GridSearchCV, GroupKFold, RandomizedSearchCV, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder, QuantileTransformer, StandardScaler

from pellucid import NetworkClassifier, RuleClassifier, RuleRegressor, XCSClassifier

CHOICES = {
    RuleClassifier: [
        {"max_rules": 2},
        {"mode": "list"},
        {"mode": "g3p-mi", "generations": 2, "population": 20},
    ],
    RuleRegressor: [{"max_rules": 2}, {"loss": "absolute", "max_rules": 2, "max_conditions": 1}],
    XCSClassifier: [{"iterations": 300, "population": 50}, {"iterations": 300, "max_rules": 3}],
    NetworkClassifier: [{"nodes": 2, "rounds": 1, "islands": 1, "generations": 0}],
}


def table(draw, form):
    """A table with missing values, as an array, a data frame or a sparse matrix."""
    X = draw.normal(size=(90, 5)).round(1)
    if form == "sparse":
        return scipy.sparse.csr_array(np.where(np.abs(X) < 0.8, 0.0, X))
    X[draw.random(X.shape) < 0.05] = np.nan
    return pandas.DataFrame(X, columns=list("abcde")) if form == "frame" else X


def steps(draw, form):
    """Transformers that support the form of the data."""
    scaler = StandardScaler(with_mean=form != "sparse")
    plain = [scaler] if form == "sparse" else [SimpleImputer(), scaler, QuantileTransformer(n_quantiles=20)]
    chosen = [one for one in plain if draw.random() < 0.5]
    if form != "sparse" and any(isinstance(one, SimpleImputer) for one in chosen):
        last = [SelectKBest(k=3), KBinsDiscretizer(3), OneHotEncoder(handle_unknown="ignore"), None]
        chosen += [one for one in [last[draw.integers(4)]] if one is not None]
    return chosen


@pytest.mark.parametrize("seed", range(100))
def test_a_random_pipeline(seed):
    draw = np.random.default_rng(seed)
    form = ["array", "frame", "sparse"][draw.integers(3)]
    kind = list(CHOICES)[draw.integers(4)]
    chosen = CHOICES[kind][draw.integers(len(CHOICES[kind]))]
    X, inner = table(draw, form), [0, 2][draw.integers(2)]
    values = X.toarray() if form == "sparse" else np.nan_to_num(np.asarray(X))
    number = values[:, 0] + values[:, 1] + draw.normal(size=90) / 3
    y = number if kind is RuleRegressor else np.array(["no", "yes"])[(number > 0).astype(int)]
    model = make_pipeline(*steps(draw, form), kind(inner_folds=inner, random_state=seed, **chosen))
    name = model.steps[-1][0]
    given = {}
    if kind is not NetworkClassifier and draw.random() < 0.3:
        given[f"{name}__sample_weight"] = draw.random(90) + 0.5
    if draw.random() < 0.3:
        given[f"{name}__groups"] = np.arange(90) // 3
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X, y, **given)
        assert len(model.predict(X)) == 90 and -5 < model.score(X, y) <= 1
        search = draw.integers(4)
        if search == 0:
            space = {f"{name}__random_state": [1, 2]}
            found = GridSearchCV(model, space, cv=2, error_score="raise").fit(X, y)
            assert len(found.predict(X)) == 90
        elif search == 1:
            space = {f"{name}__inner_folds": [0, 2]}
            RandomizedSearchCV(model, space, n_iter=1, cv=2, random_state=0, error_score="raise").fit(X, y)
        elif search == 2:
            assert len(cross_val_predict(model, X, y, cv=GroupKFold(3), groups=np.arange(90) // 3)) == 90
