"""Other models of about the same quality."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._model import Model


@dataclass(frozen=True)
class Alternative:
    """A model that does without the leading columns of the models before it.

    Attributes
    ----------
    without : list of str
        The columns that the model leaves out.
    model : Model
        The model.
    figures : list of dict
        The main figures of the first model (``a``) and of this one (``b``) on the same held-out examples,
        each with ``value``, ``low`` and ``high``; ``difference`` is b minus a, and ``p`` is the p-value of
        the paired test. Empty without inner cross-validation.
    """

    without: list[str]
    model: Model = field(repr=False)
    figures: list[dict[str, Any]] = field(repr=False)
