"""The engine on many machines, through Ray: an extra (``pip install 'pellucid[ray]'``).

- ``Engine``: very many expressions against rows that lie with several actors.
- ``learn``: rules and networks, from counts over rows that lie with several actors.
- ``KnowledgeBase``: expressions against individuals of an ontology, some with each actor.
- ``count_concepts``: the concepts of a context, a share of the search with each actor.
- ``cross_validate``, ``predict``: folds, seeds and parts of a table as tasks of their own.

Whatever comes back is whole numbers that are added, or pieces that are put in order, so the result is that of one process, byte for byte, for any
number of workers. An actor that dies is started again by Ray, reads its rows again, and is asked again.

>>> import ray
>>> from pellucid.ray import Engine, learn
>>> engine = Engine(["part-0.parquet", "part-1.parquet"], target="ill")  # doctest: +SKIP
>>> engine.evaluate(["age > 40 and smoker = yes"])  # doctest: +SKIP
>>> model = learn("rules", ["part-0.parquet", "part-1.parquet"], target="ill", mode="g3p-mi")  # doctest: +SKIP
"""

from ._concepts import count_concepts
from ._engine import Engine
from ._learn import learn
from ._logic import KnowledgeBase
from ._tasks import cross_validate, predict

__all__ = ["Engine", "KnowledgeBase", "count_concepts", "cross_validate", "learn", "predict"]
