"""Training and evaluation on several machines with Ray (``pip install 'pellucid[ray]'``).

- ``Engine``: evaluate many expressions on rows that are distributed over actors.
- ``learn``: train rules and networks on rows that are distributed over actors.
- ``KnowledgeBase``: evaluate class expressions on an ontology, with the examples split among actors.
- ``count_concepts``: count the concepts of a context, with the search split into tasks.
- ``cross_validate``, ``predict``: run folds, seeds and parts of a table as separate tasks.

Actors return integer counts that are added up, or parts that are put in order. The result is therefore the
same as that of a single process, byte for byte, for any number of workers. If an actor dies, Ray restarts it,
the actor reads its rows again, and the call is repeated.

Examples
--------
>>> import ray
>>> from pellucid.ray import Engine, learn
>>> parts = ["part-0.parquet", "part-1.parquet"]
>>> engine = Engine(parts, target="ill")  # doctest: +SKIP
>>> engine.evaluate(["age > 40 and smoker = yes"])  # doctest: +SKIP
>>> model = learn("rules", parts, target="ill", mode="g3p-mi")  # doctest: +SKIP
"""

from ._concepts import count_concepts
from ._engine import Engine
from ._learn import learn
from ._logic import KnowledgeBase
from ._tasks import cross_validate, predict

__all__ = ["Engine", "KnowledgeBase", "count_concepts", "cross_validate", "learn", "predict"]
