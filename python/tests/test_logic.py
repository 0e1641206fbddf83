"""Ontologies: reading, evaluation and learning."""

import json
import pickle
from pathlib import Path

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


def test_models_are_those_of_the_command(family, uncle, examples, command, tmp_path):
    out = tmp_path / "uncle.json"
    problem = ("--problem", examples / "uncle.json")
    command("learn", "logic", examples / "family.ttl", *problem, "--out", out, "--quiet")
    model = family.learn(uncle["positive"], uncle["negative"], name="uncle")
    assert model.to_json() == out.read_text()
    best = "Male and hasSibling some Parent"
    assert best in model.show()
    assert sorted(model.members()) == sorted(family.retrieve(best))
    explanation = model.explain_individual(model.members()[0])
    assert explanation.text and explanation.data
    for form in model.forms:
        assert model.export(form)
    assert pickle.loads(pickle.dumps(model)).to_json() == model.to_json()


def test_individuals_are_predicted_and_explained(family, uncle, tmp_path):
    model = family.learn(uncle["positive"], uncle["negative"])
    model.save(tmp_path / "uncle.json")
    loaded = pellucid.load(tmp_path / "uncle.json")
    for predicted in (model.predict(family), model.predict(), loaded.predict(family)):
        found = [name for name, one in zip(family.individuals, predicted) if one == "positive"]
        assert len(predicted) == len(family) and found == model.members()
    place = family.individuals.index(model.members()[0])
    explained = model.explain(family, place)
    assert explained.text == model.explain(family, model.members()[0]).text
    assert explained.text == loaded.explain(family, place).text
    assert model.explain(family).data
    for wrong in (model, loaded):
        with pytest.raises(TypeError, match="found a list; .*KnowledgeBase"):
            wrong.predict([[1, 2]])
        with pytest.raises(ValueError, match="no probabilities"):
            wrong.predict_proba(family)


def test_a_graph_and_its_file_give_the_same_answers(family, examples):
    graph = rdflib.Graph().parse(examples / "family.ttl")
    other = KnowledgeBase(graph)
    assert len(other) == len(family) and sorted(other.individuals) == sorted(family.individuals)
    expressions = ["Male", "hasChild some Female", "not Parent", "hasChild min 2"]
    assert other.evaluate(expressions).tolist() == family.evaluate(expressions).tolist()


def test_evaluation(family, uncle):
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
    with pytest.raises(ValueError, match="'methode'; did you mean 'method"):
        family.learn(uncle["positive"], uncle["negative"], methode="instant")


def test_representations(family):
    assert "Male" in family.show() and "<pre" in family._repr_html_()
    with pytest.raises(TypeError, match="rdflib"):
        KnowledgeBase(7)
    with pytest.raises(OSError, match="missing.owl"):
        KnowledgeBase("missing.owl")
    with pytest.raises(OSError, match="missing.json"):
        pellucid.load("missing.json")


def test_a_class_and_positive_individuals_alone(family):
    assert "hasChild some" in family.learn(class_name="Parent").show()
    uncles = family.learn(["david", "erik", "leo", "ivan"])
    assert "Male and hasSibling some Parent" in uncles.show()
    with pytest.raises(TypeError, match="either positive individuals or class_name"):
        family.learn()
    with pytest.raises(ValueError, match="'Parents' is not a class of 'family'"):
        family.learn(class_name="Parents")


def test_labels_replace_codes():
    path = Path(__file__).parents[2] / "tests" / "data" / "ontologies" / "anatomy.obo"
    heart = KnowledgeBase(path)
    expression = "'has phenotype' some 'abnormal heart morphology'"
    assert heart.retrieve(expression) == heart.retrieve("RO_0002200 some HP_0001627")
    assert "septal" not in KnowledgeBase(path, label_language="none").show()
