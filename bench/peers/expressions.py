"""Run Ontolearn on expressions and learning problems given as JSON. Called by ../logic_vs_peers.py.

    expressions.py FILE      {"ontology": …, "rounds": N, "expressions": […], "problems": […]}

An expression is a list: ["class", IRI], ["thing"], ["not", e], ["and", e, …], ["or", e, …],
["some" or "only", role, e], ["min", "max" or "exactly", n, role, e], ["value", property, ">=", number]. A
role is an IRI or ["inverse", IRI]. Prints one JSON line for each.
"""

import importlib
import json
import logging
import pathlib
import sys
import time
import types
import warnings

warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)

import ontolearn  # noqa: E402

# The package of learners imports all of them, also neural ones that need torch; we import them one by one.
learners = types.ModuleType("ontolearn.learners")
learners.__path__ = [str(pathlib.Path(ontolearn.__file__).parent / "learners")]
sys.modules["ontolearn.learners"] = learners

from ontolearn.knowledge_base import KnowledgeBase  # noqa: E402
from ontolearn.learning_problem import PosNegLPStandard  # noqa: E402
from ontolearn.metrics import F1  # noqa: E402
from owlapy import class_expression as owl  # noqa: E402
from owlapy.iri import IRI  # noqa: E402
from owlapy.owl_individual import OWLNamedIndividual  # noqa: E402
from owlapy.owl_property import OWLDataProperty, OWLObjectInverseOf, OWLObjectProperty  # noqa: E402
from owlapy.providers import owl_datatype_min_inclusive_restriction  # noqa: E402
from owlapy.render import DLSyntaxObjectRenderer  # noqa: E402

QUANTIFIED = {"some": owl.OWLObjectSomeValuesFrom, "only": owl.OWLObjectAllValuesFrom}
COUNTED = {"min": owl.OWLObjectMinCardinality, "max": owl.OWLObjectMaxCardinality,
           "exactly": owl.OWLObjectExactCardinality}


def expression(parts):
    kind, *rest = parts
    if kind == "class":
        return owl.OWLClass(IRI.create(rest[0]))
    if kind == "thing":
        return owl.OWLThing
    if kind == "not":
        return owl.OWLObjectComplementOf(expression(rest[0]))
    if kind == "and":
        return owl.OWLObjectIntersectionOf([expression(part) for part in rest])
    if kind == "or":
        return owl.OWLObjectUnionOf([expression(part) for part in rest])
    if kind in QUANTIFIED:
        return QUANTIFIED[kind](property=role(rest[0]), filler=expression(rest[1]))
    if kind in COUNTED:
        return COUNTED[kind](cardinality=rest[0], property=role(rest[1]), filler=expression(rest[2]))
    if kind == "value":
        number = owl_datatype_min_inclusive_restriction(float(rest[2]))
        return owl.OWLDataSomeValuesFrom(property=OWLDataProperty(IRI.create(rest[0])), filler=number)
    raise ValueError(f"not an expression: {parts}")


def role(parts):
    if isinstance(parts, str):
        return OWLObjectProperty(IRI.create(parts))
    return OWLObjectInverseOf(OWLObjectProperty(IRI.create(parts[1])))


def spent(start):
    return {"cpu": time.process_time() - start[0], "wall": time.perf_counter() - start[1]}


def now():
    return time.process_time(), time.perf_counter()


def write(answer):
    print(json.dumps(answer), flush=True)


def retrieve(reasoner, asked, rounds):
    """Return the time of the first call, with nothing cached, and the shortest time of the others."""
    wanted = expression(asked)
    reasoner.reset()
    start = now()
    found = set(reasoner.instances(wanted))
    answer = {"first": spent(start), "individuals": sorted(individual.str for individual in found)}
    again = []
    for _ in range(rounds):
        start = now()
        set(reasoner.instances(wanted))
        again.append(spent(start))
    if again:
        answer["again"] = {kind: min(times[kind] for times in again) for kind in ("cpu", "wall")}
    return answer


def learn(kb, problem):
    """Return what a learner finds within its limit, and its counts on the training examples."""
    name = problem["learner"]
    module = importlib.import_module(f"ontolearn.learners.{name.lower()}")
    named = {side: {OWLNamedIndividual(IRI.create(iri)) for iri in problem[side]}
             for side in ("positive", "negative")}
    model = getattr(module, name)(knowledge_base=kb, max_runtime=problem["limit"], quality_func=F1())
    start = now()
    model.fit(PosNegLPStandard(pos=named["positive"], neg=named["negative"]))
    times = spent(start)
    concept = model.best_hypotheses(n=1)
    covered = set(kb.individuals(concept))
    counts = [len(named[side] & covered) for side in ("positive", "negative")]
    tested = (getattr(model, "number_of_tested_concepts", None)
              or getattr(model, "_number_of_tested_concepts", None))
    text = DLSyntaxObjectRenderer().render(concept)
    return {**times, "covered": counts, "tested": tested, "expression": text}


def main():
    asked = json.loads(pathlib.Path(sys.argv[1]).read_text())
    start = now()
    kb = KnowledgeBase(path=asked["ontology"])
    load = spent(start)
    start = now()
    individuals = len(list(kb.individuals()))
    write({"load": load, "list": spent(start), "individuals": individuals})
    # The first call imports and sets up modules, which must not count.
    for wanted in asked.get("expressions", [])[:1]:
        set(kb.reasoner.instances(expression(wanted)))
    for wanted in asked.get("expressions", []):
        try:
            write(retrieve(kb.reasoner, wanted, asked["rounds"]))
        except Exception as error:  # A peer that fails is named in the result.
            write({"trouble": f"{type(error).__name__}: {error}"})
    for problem in asked.get("problems", []):
        try:
            write(learn(kb, problem))
        except Exception as error:
            write({"trouble": f"{type(error).__name__}: {error}"})


if __name__ == "__main__":
    main()
