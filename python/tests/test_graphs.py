"""Dependency graphs and their clusters."""

import json

import pytest

from pellucid.graphs import Graph

TRIANGLES = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "e"), ("e", "f"), ("f", "d")]


def test_clusters_of_a_graph(tmp_path):
    graph = Graph.from_edges(TRIANGLES)
    assert graph.modules == ("a", "b", "c", "d", "e", "f") and len(graph.edges) == 7
    found = graph.cluster(random_state=0)
    assert [cluster.modules for cluster in found] == [("a", "b", "c"), ("d", "e", "f")]
    assert found.quality == pytest.approx(12 / 7) and len(found) == 2 and "2 clusters" in repr(found)
    assert graph.cluster(random_state=0, n_jobs=1).clusters == found.clusters
    assert found.svg().startswith("<svg") and "subgraph" in found.to_dot()
    assert json.loads(found.to_text("json"))["mq"] == found.quality
    path = tmp_path / "given.bunch"
    path.write_text(found.to_text("bunch"))
    for given in (path, {cluster.name: cluster.modules for cluster in found}):
        assert graph.score(given).quality == found.quality
    with pytest.raises(ValueError, match="in no cluster"):
        graph.score({"x": ["a"]})
    with pytest.raises(ValueError, match="expected one of text, csv, bunch, json"):
        found.to_text("xml")


def test_weights_and_omnipresent_modules():
    weighted = Graph.from_edges([(one, other, 2) for one, other in TRIANGLES])
    assert weighted.cluster().quality == pytest.approx(12 / 7)
    log = Graph.from_edges(TRIANGLES + [(module, "log") for module in "abcdef"])
    found = log.cluster(omnipresent=1.4)
    assert found.omnipresent == ("log",) and found.quality == pytest.approx(12 / 7)
    with pytest.raises(ValueError, match="omnipresent: found 0"):
        log.cluster(omnipresent=0)
    with pytest.raises(ValueError, match="expected all or none"):
        Graph.from_edges([("a", "b"), ("b", "c", 1)])
    with pytest.raises(ValueError, match="expected a positive number"):
        Graph.from_edges([("a", "b", -1)])


def test_imports_of_a_folder(tmp_path, examples):
    package = tmp_path / "package"
    package.mkdir()
    (package / "__init__.py").write_text("from .one import f\n")
    (package / "one.py").write_text("import os\nfrom package import two\n")
    (package / "two.py").write_text("")
    graph = Graph.read(tmp_path)
    assert graph.edges == [("package", "package.one", 1.0), ("package.one", "package.two", 1.0)]
    assert any("outside" in note for note in graph.notes)
    assert "os" in Graph.read(tmp_path, external=True).modules
    assert Graph.read(examples / "modules.pairs").cluster().quality > 1
