"""Many processes give what one gives, whoever dies on the way."""

import os
import signal
import tempfile

import numpy as np
import pandas
import pytest

ray = pytest.importorskip("ray")

from sklearn.datasets import load_breast_cancer  # noqa: E402

import pellucid  # noqa: E402
from pellucid import RuleClassifier  # noqa: E402
from pellucid.ray import Engine, cross_validate  # noqa: E402


@pytest.fixture(scope="module", autouse=True)
def cluster():
    from ray.cluster_utils import Cluster

    # Ray writes a token and its sessions below the home folder.
    with tempfile.TemporaryDirectory() as home:
        before = os.environ.get("HOME")
        os.environ.update(HOME=home, RAY_USAGE_STATS_ENABLED="0")
        nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 2, "include_dashboard": False})
        nodes.add_node(num_cpus=2)
        ray.init(address=nodes.address, log_to_driver=False)
        yield
        ray.shutdown()
        nodes.shutdown()
        if before is not None:
            os.environ["HOME"] = before


@pytest.fixture(scope="module")
def table():
    draw = np.random.default_rng(2)
    return pandas.DataFrame(
        {
            "a": draw.integers(0, 100, 4000),
            "b": draw.normal(size=4000),
            "c": draw.choice(["red", "green", "blue"], 4000),
            "y": draw.choice(["9", "10", "11"], 4000),
        }
    )


@pytest.fixture(scope="module")
def asked():
    draw = np.random.default_rng(4)
    return [f"a > {draw.integers(100)} and b < {draw.normal():.3f} or c = red" for _ in range(200)]


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_counts_do_not_depend_on_the_number_of_workers(table, asked, workers, tmp_path):
    whole = pellucid.Engine(table.drop(columns="y"), table["y"])
    files = []
    for number, part in enumerate(np.array_split(np.arange(len(table)), 4)):
        files.append(tmp_path / f"part-{number}.parquet")
        table.iloc[part].to_parquet(files[-1], index=False)
    engine = Engine(files, target="y", workers=workers)
    assert engine.classes == whole.classes
    assert np.array_equal(engine.evaluate(asked), whole.evaluate(asked))
    engine.close()


def test_a_part_may_lack_a_class(table, asked):
    by_class = [table[table["y"] == name] for name in ("10", "9", "11")]
    engine = Engine(by_class, target="y")
    whole = pellucid.Engine(table.drop(columns="y"), table["y"])
    assert np.array_equal(engine.evaluate(asked), whole.evaluate(asked))
    with pytest.raises(ValueError, match="expression 0"):
        engine.evaluate(["zz > 1"])
    engine.close()


def test_a_worker_that_is_killed_comes_back(table, asked):
    parts = [table.iloc[:1500], table.iloc[1500:]]
    engine = Engine(parts, target="y")
    before = engine.evaluate(asked)
    first, second = engine.processes()
    os.kill(first, signal.SIGKILL)
    assert np.array_equal(engine.evaluate(asked), before)
    assert first not in engine.processes() and second in engine.processes()
    engine.close()


def test_cross_validation_is_that_of_one_process():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    X = X.iloc[:, 20:26]
    model = RuleClassifier(most_rules=4, inner_folds=0)
    found = cross_validate(model, X, y, folds=3, seeds=(0, 1))
    assert [(one["seed"], one["fold"]) for one in found] == [(s, f) for s in (0, 1) for f in range(3)]
    from sklearn.model_selection import StratifiedKFold

    train, _ = next(iter(StratifiedKFold(3, shuffle=True, random_state=0).split(X, y)))
    alone = RuleClassifier(most_rules=4, inner_folds=0, random_state=0).fit(X.iloc[train], y.iloc[train])
    assert found[0]["model"] == alone.to_json()
    assert np.mean([one["accuracy"] for one in found]) > 0.88
