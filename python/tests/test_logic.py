"""Ontologies: read, asked, learned from."""

import json
import pickle

import pytest
import rdflib

import pellucid
from pellucid.logic import KnowledgeBase


@pytest.fixture(scope="module")
def family(examples):
    return KnowledgeBase(examples / "family.ttl")


@pytest.fixture(scope="module")
def uncle(examples):
    problem = json.loads((examples / "uncle.json").read_text())
    problem = next(iter(problem["problems"].values())) if "problems" in problem else problem
    return {name: problem[f"{name}_examples"] for name in ("positive", "negative")}


def test_learned_as_the_command_does(family, uncle, examples, command, tmp_path):
    out = tmp_path / "uncle.json"
    command("learn", "logic", examples / "family.ttl", "--problem", examples / "uncle.json", "--out", out, "--quiet")
    model = family.learn(uncle["positive"], uncle["negative"], name="uncle")
    assert model.to_json() == out.read_text()
    best = "Male and hasSibling some Parent"
    assert best in model.show()
    assert sorted(model.members()) == sorted(family.retrieve(best))
    assert "holds" in model.explain_individual(model.members()[0]).text or model.explain_individual(model.members()[0]).data
    for form in model.forms:
        assert model.export(form)
    assert pickle.loads(pickle.dumps(model)).to_json() == model.to_json()


def test_a_graph_and_its_file_say_the_same(family, examples):
    graph = rdflib.Graph().parse(examples / "family.ttl")
    other = KnowledgeBase(graph)
    assert len(other) == len(family) and sorted(other.individuals) == sorted(family.individuals)
    expressions = ["Male", "hasChild some Female", "not Parent", "hasChild min 2"]
    assert other.evaluate(expressions).tolist() == family.evaluate(expressions).tolist()


def test_asked(family, uncle):
    counts = family.evaluate(["Male", "owl:Thing"], uncle["positive"], uncle["negative"])
    assert counts[1].tolist() == [len(uncle["positive"]), len(uncle["negative"])]
    assert counts[0][0] == len(uncle["positive"])
    assert family.evaluate(["owl:Thing"]).tolist() == [[len(family)]]
    with pytest.raises(ValueError, match="Mael"):
        family.retrieve("Mael")
    with pytest.raises(ValueError, match="expression 1"):
        family.evaluate(["Male", "hasChild some"])
    with pytest.raises(ValueError, match="nobody"):
        family.learn(["nobody"], uncle["negative"])
    with pytest.raises(ValueError, match="methode"):
        family.learn(uncle["positive"], uncle["negative"], methode="instant")


def test_shown(family):
    assert "Male" in family.show() and "<pre" in family._repr_html_()
    with pytest.raises(TypeError, match="rdflib"):
        KnowledgeBase(7)
    with pytest.raises(OSError, match="missing.owl"):
        KnowledgeBase("missing.owl")
    with pytest.raises(OSError, match="missing.json"):
        pellucid.load("missing.json")
