"""The simplest peer: evaluates expressions one individual at a time, in pure Python.

    naive.py FILE      the same input and output as expressions.py, which runs Ontolearn

It shares no code with the crates and needs no packages, so the quick form of ../logic_vs_peers.py compares
with it. It reads RDF/XML in the form of tests/data/ontologies/kin.owl: named classes that are subclasses, or
equivalent to an intersection or to one restriction `some`; inverse and symmetric properties; numeric values.
"""

import json
import pathlib
import sys
import time
import xml.etree.ElementTree as xml

RDF, RDFS, OWL = ("{http://www.w3.org/1999/02/22-rdf-syntax-ns#}", "{http://www.w3.org/2000/01/rdf-schema#}",
                  "{http://www.w3.org/2002/07/owl#}")


class World:
    """Individuals, their classes, their relations and their values."""

    def __init__(self, path):
        self.root = xml.parse(path).getroot()
        self.base = self.root.get("{http://www.w3.org/XML/1998/namespace}base", "")
        self.members, self.edges, self.values, self.individuals = {}, {}, {}, set()
        for element in self.root:
            self.individual(element)
        self.conclude()

    def iri(self, element, attribute="about"):
        name = element.get(RDF + attribute, "")
        return self.base + name if name.startswith("#") else name

    def individual(self, element):
        if element.tag.startswith((OWL, RDF)) and element.tag != OWL + "NamedIndividual":
            return
        subject = self.iri(element)
        self.individuals.add(subject)
        if element.tag != OWL + "NamedIndividual":
            self.members.setdefault(element.tag[1:].replace("}", ""), set()).add(subject)
        for assertion in element:
            name = assertion.tag[1:].replace("}", "")
            if assertion.get(RDF + "resource"):
                target = self.iri(assertion, "resource")
                self.individuals.add(target)
                self.edges.setdefault(name, set()).add((subject, target))
            else:
                self.values.setdefault(name, {}).setdefault(subject, []).append(assertion.text)

    def conclude(self):
        """Apply the axioms of properties and classes until nothing is new."""
        before = None
        while before != (before := self.size()):
            for element in self.root.findall(OWL + "ObjectProperty"):
                pairs = self.edges.setdefault(self.iri(element), set())
                kinds = [self.iri(kind, "resource") for kind in element.findall(RDF + "type")]
                if any(kind.endswith("#SymmetricProperty") for kind in kinds):
                    pairs |= {(b, a) for a, b in pairs}
                for inverse in element.findall(OWL + "inverseOf"):
                    other = self.edges.setdefault(self.iri(inverse, "resource"), set())
                    pairs |= {(b, a) for a, b in other}
                    other |= {(b, a) for a, b in pairs}
            for element in self.root.findall(OWL + "Class"):
                here = self.members.setdefault(self.iri(element), set())
                for above in element.findall(RDFS + "subClassOf"):
                    self.members.setdefault(self.iri(above, "resource"), set()).update(here)
                for definition in element.findall(f"{OWL}equivalentClass/*"):
                    here |= self.covered(self.definition(definition))
                    for part in definition.findall(f"{OWL}intersectionOf/*"):
                        self.members.setdefault(self.iri(part), set()).update(here)

    def size(self):
        return [sum(map(len, sets.values())) for sets in (self.members, self.edges)]

    def definition(self, element):
        if element.tag == OWL + "Restriction":
            return ["some", self.iri(element.find(OWL + "onProperty"), "resource"),
                    ["class", self.iri(element.find(OWL + "someValuesFrom"), "resource")]]
        return ["and", *(["class", self.iri(part)] for part in element.findall(f"{OWL}intersectionOf/*"))]

    def reached(self, role, one):
        if isinstance(role, list):
            return {a for a, b in self.edges.get(role[1], ()) if b == one}
        return {b for a, b in self.edges.get(role, ()) if a == one}

    def covered(self, parts):
        kind, *rest = parts
        if kind == "class":
            return set(self.members.get(rest[0], ()))
        if kind == "thing":
            return set(self.individuals)
        if kind == "not":
            return self.individuals - self.covered(rest[0])
        if kind in ("and", "or"):
            sets = [self.covered(part) for part in rest]
            return set.intersection(*sets) if kind == "and" else set.union(*sets)
        if kind == "value":
            values = self.values.get(rest[0], {})
            return {one for one in self.individuals
                    if any(float(value) >= rest[2] for value in values.get(one, ()))}
        number, role, filler = (rest[0], rest[1], rest[2]) if len(rest) == 3 else (None, rest[0], rest[1])
        filler = self.covered(filler)
        applies = {
            "some": lambda reached: bool(reached & filler),
            "only": lambda reached: reached <= filler,
            "min": lambda reached: len(reached & filler) >= number,
            "max": lambda reached: len(reached & filler) <= number,
            "exactly": lambda reached: len(reached & filler) == number,
        }[kind]
        return {one for one in self.individuals if applies(self.reached(role, one))}


def timed(call):
    start = time.process_time(), time.perf_counter()
    found = call()
    return found, {"cpu": time.process_time() - start[0], "wall": time.perf_counter() - start[1]}


def main():
    asked = json.loads(pathlib.Path(sys.argv[1]).read_text())
    world, load = timed(lambda: World(asked["ontology"]))
    print(json.dumps({"load": load, "list": timed(lambda: len(world.individuals))[1],
                      "individuals": len(world.individuals)}))
    for wanted in asked["expressions"]:
        found, spent = timed(lambda: world.covered(wanted))
        print(json.dumps({"first": spent, "individuals": sorted(found)}))
    for _ in asked["problems"]:
        print(json.dumps({"trouble": "it does not learn"}))


if __name__ == "__main__":
    main()
