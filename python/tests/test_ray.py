"""Several processes give the same results as one, even if actors die."""

import gc
import os
import signal
import tempfile

import numpy as np
import pandas
import psutil
import pytest

ray = pytest.importorskip("ray")

from sklearn.datasets import load_breast_cancer  # noqa: E402

import pellucid  # noqa: E402
from pellucid import RuleClassifier  # noqa: E402
from pellucid.concepts import Context  # noqa: E402
from pellucid.ray import Engine, KnowledgeBase, count_concepts, cross_validate, learn, predict  # noqa: E402


@pytest.fixture(scope="module", autouse=True)
def cluster():
    from ray.cluster_utils import Cluster

    # Ray writes a token and its sessions to the home folder.
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
def expressions():
    draw = np.random.default_rng(4)
    return [f"a > {draw.integers(100)} and b < {draw.normal():.3f} or c = red" for _ in range(200)]


def counted_alone(table, expressions):
    return pellucid.Engine(table.drop(columns="y"), table["y"]).evaluate(expressions)


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_counts_do_not_depend_on_the_number_of_workers(table, expressions, workers, tmp_path):
    whole = pellucid.Engine(table.drop(columns="y"), table["y"])
    files = []
    for number, part in enumerate(np.array_split(np.arange(len(table)), 4)):
        files.append(tmp_path / f"part-{number}.parquet")
        table.iloc[part].to_parquet(files[-1], index=False)
    engine = Engine(files, target="y", workers=workers)
    assert engine.classes == whole.classes
    assert np.array_equal(engine.evaluate(expressions), whole.evaluate(expressions))
    engine.close()


def test_a_part_may_lack_a_class(table, expressions):
    by_class = [table[table["y"] == name] for name in ("10", "9", "11")]
    engine = Engine(by_class, target="y")
    whole = pellucid.Engine(table.drop(columns="y"), table["y"])
    assert np.array_equal(engine.evaluate(expressions), whole.evaluate(expressions))
    with pytest.raises(ValueError, match="expression 0"):
        engine.evaluate(["zz > 1"])
    engine.close()


def test_a_killed_worker_restarts(table, expressions):
    parts = [table.iloc[:1500], table.iloc[1500:]]
    engine = Engine(parts, target="y")
    before = engine.evaluate(expressions)
    first, second = engine.processes()
    os.kill(first, signal.SIGKILL)
    assert np.array_equal(engine.evaluate(expressions), before)
    assert first not in engine.processes() and second in engine.processes()
    engine.close()


def test_a_killed_worker_with_rows_in_the_object_store_restarts(table, expressions, capfd):
    """Constructor arguments, which Ray may discard, are not needed for a restart."""
    engine = Engine([table.iloc[:1500].copy(), table.iloc[1500:].copy()], target="y")
    before = engine.evaluate(expressions)
    gc.collect()
    for process in engine.processes():
        os.kill(process, signal.SIGKILL)
    assert np.array_equal(engine.evaluate(expressions), before)
    engine.close()
    assert "constructor arguments" not in capfd.readouterr().err


def test_more_parts_than_the_cluster_has_cores(ill, alone, expressions, table):
    """With four cores and nine parts, actors get several parts."""
    parts = [ill.iloc[part] for part in np.array_split(np.arange(len(ill)), 9)]
    assert learn("rules", parts, target="ill", **BRED).to_json() == alone.to_json()
    with pytest.warns(UserWarning, match="workers: 8 actors .* do not fit the cluster; 4 actors share"):
        assert learn("rules", parts, target="ill", workers=8, **BRED).to_json() == alone.to_json()
    parts = [table.iloc[part] for part in np.array_split(np.arange(len(table)), 7)]
    engine = Engine(parts, target="y", num_cpus=2)
    assert len(engine.processes()) == 2
    assert np.array_equal(engine.evaluate(expressions), counted_alone(table, expressions))
    engine.close()


def test_actors_that_fit_no_machine_are_an_error(table):
    with pytest.raises(ValueError, match="no machine of the cluster has 3 CPUs"):
        Engine([table], target="y", num_cpus=3)
    with pytest.raises(ValueError, match="1 GPUs"):
        learn("rules", [table], target="y", num_gpus=1, mode="g3p-mi")
    with pytest.raises(ValueError, match="workers: found 0"):
        Engine([table], target="y", workers=0)


def test_actors_that_wait_for_resources_give_a_warning(table, expressions, monkeypatch):
    first, warnings = Engine([table.iloc[:10]] * 4, target="y"), []

    def make_room(message):
        warnings.append(message)
        first.close()

    monkeypatch.setattr("pellucid.ray._rows._PATIENCE", 0)
    monkeypatch.setattr("pellucid.ray._rows.warn_user", make_room)
    second = Engine([table], target="y")
    assert len(warnings) == 1
    assert "waiting for 1 of 1 actors to start: each needs 1 CPUs" in warnings[0]
    assert np.array_equal(second.evaluate(expressions), counted_alone(table, expressions))
    second.close()


@pytest.mark.parametrize("workers", [1, 3])
def test_empty_parts_are_ignored(table, ill, alone, expressions, workers, tmp_path):
    parts = [table.iloc[:0], table.iloc[:1500], table.iloc[:0], table.iloc[1500:]]
    engine = Engine(parts, target="y", workers=workers)
    assert np.array_equal(engine.evaluate(expressions), counted_alone(table, expressions))
    engine.close()
    ill.iloc[:0].to_parquet(tmp_path / "empty.parquet", index=False)
    parts = [ill.iloc[:2000], tmp_path / "empty.parquet", ill.iloc[2000:]]
    assert learn("rules", parts, target="ill", workers=workers, **BRED).to_json() == alone.to_json()
    with pytest.raises(ValueError, match="every part is empty"):
        Engine([table.iloc[:0], table.iloc[:0]], target="y", workers=workers)
    with pytest.raises(ValueError, match="every part is empty"):
        learn("rules", [ill.iloc[:0]], target="ill", **BRED)


@pytest.mark.parametrize("workers", [1, 2])
def test_columns_of_different_types_are_an_error(workers):
    numbers = pandas.DataFrame({"a": [1.0, 2.0, 3.0], "y": ["p", "q", "p"]})
    dates = numbers.assign(a=pandas.to_datetime(["2024-01-01", "2024-01-02", "2024-01-03"]))
    words = numbers.assign(a=["u", "v", "w"])
    for other in (dates, words):
        with pytest.raises(Exception, match="column 'a' contains .* in one part and .* in another"):
            Engine([numbers, other], target="y", workers=workers)
        with pytest.raises(Exception, match="column 'a' (contains|has different types)"):
            learn("rules", [numbers, other], target="y", workers=workers, **BRED)
    blank = numbers.assign(a=[None] * 3)
    engine = Engine([numbers, blank], target="y", workers=workers)
    assert engine.evaluate(["a > 1.5"]).tolist() == [[1, 1]]
    engine.close()
    with pytest.raises(Exception, match="columns"):
        Engine([numbers, numbers.rename(columns={"a": "b"})], target="y", workers=workers)


def test_a_seed_is_a_random_state_here_too(ill, alone):
    chosen = {name: value for name, value in BRED.items() if name != "random_state"}
    assert learn("rules", [ill], target="ill", seed=3, **chosen).to_json() == alone.to_json()
    with pytest.raises(ValueError, match="'populaton'; did you mean 'population'"):
        learn("rules", [ill], target="ill", populaton=3)


def test_cross_validation_is_that_of_one_process():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    X = X.iloc[:, 20:26]
    model = RuleClassifier(max_rules=4, inner_folds=0)
    found = cross_validate(model, X, y, folds=3, seeds=(0, 1))
    assert [(one["seed"], one["fold"]) for one in found] == [(s, f) for s in (0, 1) for f in range(3)]
    from sklearn.model_selection import StratifiedKFold

    train, _ = next(iter(StratifiedKFold(3, shuffle=True, random_state=0).split(X, y)))
    alone = RuleClassifier(max_rules=4, inner_folds=0, random_state=0).fit(X.iloc[train], y.iloc[train])
    assert found[0]["model"] == alone.to_json()
    assert np.mean([one["accuracy"] for one in found]) > 0.88


@pytest.fixture(scope="module")
def ill(table):
    """A table whose class depends on its columns."""
    rule = (table["a"] > 60) & (table["c"] != "blue")
    flipped = np.random.default_rng(9).random(len(table)) < 0.1
    return table.drop(columns="y").round({"b": 1}).assign(ill=np.where(rule ^ flipped, "yes", "no"))


BRED = {"mode": "g3p-mi", "generations": 10, "population": 100, "random_state": 3}


@pytest.fixture(scope="module")
def alone(ill):
    return pellucid.learn("rules", ill, target="ill", inner_folds=0, **BRED)


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_learning_does_not_depend_on_the_number_of_workers(ill, alone, workers, tmp_path):
    files = []
    for number, part in enumerate(np.array_split(np.arange(len(ill)), 4)):
        files.append(tmp_path / f"part-{number}.parquet")
        ill.iloc[part].to_parquet(files[-1], index=False)
    model = learn("rules", files, target="ill", workers=workers, **BRED)
    assert model.to_json() == alone.to_json()
    assert model.run["train"] == alone.run["train"]
    parts = predict(model, files)
    assert np.concatenate(parts).tolist() == alone.predict(ill).tolist()


GROWN = {"max_rules": 4, "random_state": 3}


@pytest.fixture(scope="module")
def grown_alone(ill):
    return pellucid.learn("rules", ill, target="ill", inner_folds=0, always_vote=True, **GROWN)


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_the_default_mode_does_not_depend_on_the_number_of_workers(ill, grown_alone, workers):
    parts = [ill.iloc[part] for part in np.array_split(np.arange(len(ill)), 4)]
    model = learn("rules", parts, target="ill", workers=workers, **GROWN)
    assert model.to_json() == grown_alone.to_json()


def test_learning_from_a_ray_dataset(ill, alone):
    rows = ray.data.from_pandas([ill.iloc[:900], ill.iloc[900:]])
    assert learn("rules", rows, target="ill", **BRED).to_json() == alone.to_json()


NETWORK = {"mode": "paper", "generations": 20, "population": 20, "random_state": 3}


@pytest.fixture(scope="module")
def network_alone(ill):
    return pellucid.learn("network", ill, target="ill", inner_folds=0, **NETWORK)


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_networks_do_not_depend_on_the_number_of_workers(ill, network_alone, workers):
    parts = [ill.iloc[part] for part in np.array_split(np.arange(len(ill)), 4)]
    model = learn("network", parts, target="ill", workers=workers, **NETWORK)
    assert model.to_json() == network_alone.to_json()
    assert model.run["train"] == network_alone.run["train"]


@pytest.mark.parametrize(
    "learner, chosen, expected",
    [("rules", BRED, "alone"), ("rules", GROWN, "grown_alone"), ("network", NETWORK, "network_alone")],
)
def test_a_worker_killed_while_learning_changes_nothing(ill, learner, chosen, expected, request):
    killed = []

    def progress(event):
        """Kill an actor during the run."""
        if event["event"] == "step" and not killed:
            for process in psutil.process_iter(["cmdline"]):
                if "ray::_Part" in " ".join(process.info["cmdline"] or []):
                    os.kill(process.pid, signal.SIGKILL)
                    killed.append(process.pid)
                    break

    model = learn(learner, [ill.iloc[:2500], ill.iloc[2500:]], target="ill", progress=progress, **chosen)
    assert len(killed) == 1
    assert model.to_json() == request.getfixturevalue(expected).to_json()


def test_unsupported_learners_are_errors(ill):
    with pytest.raises(ValueError, match="xcs"):
        learn("xcs", [ill], target="ill")
    with pytest.raises(ValueError, match="mode paper"):
        learn("network", [ill], target="ill")
    with pytest.raises(ValueError, match="inner_folds"):
        learn("rules", [ill], target="ill", inner_folds=5, **BRED)
    with pytest.raises(ValueError, match="mode list"):
        learn("rules", [ill], target="ill", mode="list")


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_individuals_are_split(examples, workers):
    whole = pellucid.logic.KnowledgeBase(examples / "family.ttl")
    expressions = ["Male", "hasChild some Male", "Female and hasChild min 2", "hasSibling only Female"]
    individuals = whole.individuals
    base = KnowledgeBase(examples / "family.ttl", workers=workers)
    assert np.array_equal(base.evaluate(expressions), whole.evaluate(expressions))
    problem = (expressions, individuals[::3], individuals[1::3])
    expected = whole.evaluate(*problem)
    assert np.array_equal(base.evaluate(*problem), expected)
    os.kill(base.processes()[0], signal.SIGKILL)
    assert np.array_equal(base.evaluate(*problem), expected)
    with pytest.raises(Exception, match="Mail"):
        base.evaluate(["Mail"])
    base.close()


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_concepts_are_searched_in_shares(workers):
    draw = np.random.default_rng(1)
    context = Context.from_crosses(draw.random((300, 40)) < 0.2)
    assert count_concepts(context, workers=workers) == (context.count(), context.digest())
    least = {"min_support": 0.02}
    expected = context.count(**least), context.digest(**least)
    assert count_concepts(context, workers=workers, **least) == expected
