"""Formal concepts, compared with their definition."""

import itertools
import json

import numpy as np
import pandas
import pytest
import scipy.sparse

from pellucid.concepts import Context


def by_definition(crosses):
    """Return all concepts of a context, by brute force."""
    objects, attributes = crosses.shape
    found = set()
    for size in range(objects + 1):
        for chosen in itertools.combinations(range(objects), size):
            intent = frozenset(a for a in range(attributes) if all(crosses[o, a] for o in chosen))
            extent = frozenset(o for o in range(objects) if all(crosses[o, a] for a in intent))
            found.add((intent, extent))
    return found


@pytest.mark.parametrize("seed", range(6))
def test_all_concepts(seed):
    draw = np.random.default_rng(seed)
    crosses = draw.random((7, 6)) < 0.5
    context = Context.from_crosses(crosses, [f"o{n}" for n in range(7)], [f"a{n}" for n in range(6)])
    wanted = {
        (frozenset(f"a{a}" for a in intent), frozenset(f"o{o}" for o in extent))
        for intent, extent in by_definition(crosses)
    }
    listed = list(context.concepts())
    assert {(frozenset(one.intent), frozenset(one.extent)) for one in listed} == wanted
    assert len(listed) == context.count() == len(wanted)
    lattice = context.lattice()
    assert {(frozenset(one.intent), frozenset(one.extent)) for one in lattice} == wanted
    for concept in range(len(lattice)):
        for below in lattice.lower(concept):
            assert set(lattice[below].extent) < set(lattice[concept].extent)
            assert concept in lattice.upper(below)
    # Every row satisfies the implications of the base.
    for premise, conclusion, support in context.implications():
        rows = [set(context._native.row(row)) for row in range(7)]
        having = [row for row in rows if set(premise) <= row]
        assert len(having) == support and all(set(conclusion) <= row for row in having)


def test_few_concepts_are_counted_and_many_are_estimated():
    context = Context.from_crosses(np.random.default_rng(1).random((20, 8)) < 0.5)
    count = context.count()
    assert context.estimate()[:4] == (count, count, count, True)
    larger = Context.from_crosses(np.random.default_rng(2).random((400, 60)) < 0.4)
    found = larger.estimate(seed=3)
    assert not found.exact and found.low < found.concepts < found.high and found.seconds > 0
    assert larger.estimate(seed=3, n_jobs=1)[:4] == found[:4]


def test_the_iterator_is_lazy():
    context = Context.from_crosses(np.random.default_rng(0).random((3000, 90)) < 0.5)
    # There are too many concepts for memory, but the first ones come at once.
    some = list(itertools.islice(context.concepts(), 5))
    assert len({one.intent for one in some}) == 5
    assert len(list(context.concepts(max=100))) == 100
    assert all(len(one.extent) >= 900 for one in context.concepts(min_support=0.3))


def test_frames_and_sparse_matrices():
    crosses = np.array([[1, 0, 1], [1, 1, 0]])
    plain = Context.from_crosses(crosses, ["p", "q"], ["a", "b", "c"])
    frame = pandas.DataFrame(crosses.astype(bool), index=["p", "q"], columns=["a", "b", "c"])
    sparse = Context.from_crosses(scipy.sparse.csr_array(crosses), ["p", "q"], ["a", "b", "c"])
    for other in (Context.from_frame(frame), sparse):
        assert sorted(other.concepts()) == sorted(plain.concepts())
    columns = {"colour": ["red", "red", "blue"], "size": [1.0, 2.0, 3.0]}
    toys = pandas.DataFrame(columns, index=["x", "y", "z"])
    scaled = Context.from_frame(toys)
    assert scaled.objects == ["x", "y", "z"] and len(scaled.attributes) == 5
    assert len(Context.from_frame(toys, scale="interordinal").attributes) > 5
    with pytest.raises(ValueError, match="scale"):
        Context.from_frame(toys, scale="odd")
    with pytest.raises(ValueError, match="2 x 3 crosses"):
        Context.from_crosses(crosses, ["p"], ["a", "b", "c"])


def test_counts_are_those_of_the_command(examples, command):
    context = Context.read(examples / "modules.pairs", symmetric=True)
    lines = command("concepts", examples / "modules.pairs", "--symmetric", "--count", "--json").splitlines()
    output = json.loads(lines[-1])
    assert (context.count(), context.digest()) == (output["concepts"], output["digest"])
    assert context.count() == 154
    assert len(context.lattice()) == 154


def test_lattices_are_drawn_and_exported(examples, tmp_path):
    animals = Context.read(examples / "animals.csv")
    lattice = animals.lattice()
    page = lattice._repr_html_()
    assert page.lstrip().startswith("<svg") and "<script" not in page
    explorer = animals.report(path=tmp_path / "animals.html")
    assert (tmp_path / "animals.html").read_text(encoding="utf-8") == explorer.html
    assert "Content-Security-Policy" in explorer.html and "<iframe" in explorer._repr_html_()
    assert len(lattice.report().html) == len(explorer.html)


def test_pages_explore_a_domain(examples, tmp_path):
    animals = Context.read(examples / "animals.csv")
    page = animals.explore(tmp_path / "questions.html", expert="ann")
    assert (tmp_path / "questions.html").read_text(encoding="utf-8") == page.html
    assert "Content-Security-Policy" in page.html and "<title>animals: exploration" in page.html
    session = tmp_path / "session.json"
    saved = {"format": "pellucid exploration", "version": 1, "expert": "ann", "name": "x"}
    saved = {**saved, "attributes": ["a"], "objects": [], "answers": []}
    session.write_text(json.dumps(saved), encoding="utf-8")
    with pytest.raises(ValueError, match="the session is of another context"):
        animals.explore(session=session)
    session.write_text("{}", encoding="utf-8")
    with pytest.raises(ValueError, match="no session of an exploration"):
        animals.explore(session=session)


def test_lattices_are_exported(examples):
    animals = Context.read(examples / "animals.csv")
    lattice = animals.lattice()
    assert "graph" in lattice.to_dot() and json.loads(lattice.to_json())
    assert "&times;" in animals._repr_html_() and "salmon" in animals._repr_html_()
    assert lattice.meet(0, 1) == 1 and lattice.join(0, 1) == 0
    with pytest.raises(IndexError):
        lattice[len(lattice)]
    assert len(animals.transposed().objects) == len(animals.attributes)
    assert len(animals.reduced().lattice()) == len(lattice)
    assert any(rule.confidence >= 0.6 for rule in animals.association_rules(min_confidence=0.6, exact=True))
    assert all("->" in str(one) for one in animals.implications())


def test_modules_in_clusters(examples):
    graph = Context.read(examples / "modules.pairs", symmetric=True)
    found = graph.clusters()
    assert sorted(name for cluster in found.clusters for name in cluster) == sorted(graph.objects)
    rows = ((one, graph._native.row(index)) for index, one in enumerate(graph.objects))
    crosses = {(one, other) for one, row in rows for other in row if one != other}
    worth = 0.0
    for cluster in found.clusters:
        inside = sum(one in cluster and other in cluster for one, other in crosses)
        leaving = sum(one in cluster and other not in cluster for one, other in crosses)
        worth += inside / (inside + leaving) if inside else 0.0
    assert found.quality == pytest.approx(worth)
    assert found == graph.clusters(random_state=0) and graph.clusters(beginnings=9).quality >= found.quality
    with pytest.raises(ValueError, match="the same objects and attributes"):
        Context.from_crosses([[1, 0]], ["a"], ["b", "c"]).clusters()
