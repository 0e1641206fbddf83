"""Classifier systems that learn by acting, in environments as Gymnasium has them.

>>> from pellucid.xcs import Agent
>>> agent = Agent(environment, population=800, random_state=1)  # doctest: +SKIP
>>> agent.learn(episodes=5000)  # doctest: +SKIP
>>> steps, reward = agent.play()  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from . import _native
from ._params import seed


class Trial(NamedTuple):
    """How an episode went."""

    steps: int
    reward: float


class Agent:
    """A population of rules that learns what to do (XCS).

    ``environment`` has ``reset()``, ``step(action)``, ``observation_space`` and ``action_space`` as in Gymnasium. The agent sees
    zeros and ones: of ``MultiBinary`` as they are, of ``Discrete`` and ``MultiDiscrete`` a one for each value, of ``Box`` a one for each of
    ``cuts`` (a list of cut points for each number) that is exceeded. ``encode`` makes zeros and ones of any other observation.
    ``rewards`` are divided by the environment's largest, if that is given, and are worth up to 1,000 to the rules.

    Other keywords are the constants of the population: see ``Agent.constants()``.
    """

    def __init__(
        self,
        environment: Any,
        *,
        encode: Callable[[Any], Sequence[int]] | None = None,
        cuts: Sequence[Sequence[float]] | None = None,
        largest_reward: float | None = None,
        dont_care: float = 0.33,
        random_state: Any = None,
        **constants: Any,
    ) -> None:
        self._world = _World(environment, encode, cuts, random_state)
        if largest_reward is not None:
            constants.setdefault("reward", float(largest_reward))
        self._native = _native.Agent(
            self._world, constants, dont_care, 0 if random_state is None else seed(random_state)
        )

    @staticmethod
    def constants() -> dict[str, Any]:
        """The constants of a population and their published values."""
        return _native.Agent.published()

    def explore(self) -> Trial:
        """One episode with random actions, from which it learns."""
        return Trial(*self._native.explore(self._world))

    def play(self) -> Trial:
        """One episode with the best actions it knows."""
        return Trial(*self._native.exploit(self._world))

    def learn(self, episodes: int, progress: Callable[[int, Trial], object] | None = None) -> list[Trial]:
        """Explores and plays in turn, as published; gives how the played episodes went."""
        played = []
        for episode in range(episodes):
            self.explore()
            played.append(self.play())
            if progress is not None:
                progress(episode + 1, played[-1])
        return played

    @property
    def rules(self) -> int:
        """How many different rules it has."""
        return self._native.rules

    @property
    def digest(self) -> int:
        """A digest of all it knows."""
        return self._native.digest


class _World:
    """An environment as the native agent asks for it."""

    def __init__(self, environment: Any, encode: Any, cuts: Any, random_state: Any) -> None:
        self._environment = environment
        self._encode = encode or _encoder(environment.observation_space, cuts)
        self._seed = None if random_state is None else seed(random_state)
        self._seen = self._reset()
        self.columns = len(self._seen)
        self.actions = int(environment.action_space.n)
        self._first_action = int(getattr(environment.action_space, "start", 0))

    def _reset(self) -> list[int]:
        if self._seed is None:
            seen = self._environment.reset()
        else:
            # An environment is seeded once.
            seen, self._seed = self._environment.reset(seed=self._seed), None
        observation = seen[0] if isinstance(seen, tuple) and len(seen) == 2 and isinstance(seen[1], dict) else seen
        return [int(code) for code in self._encode(observation)]

    def begin(self) -> None:
        self._seen = self._reset()

    def see(self) -> list[int]:
        return self._seen

    def act(self, action: int) -> tuple[float, bool]:
        observation, reward, ended, cut, _ = self._environment.step(action + self._first_action)
        self._seen = [int(code) for code in self._encode(observation)]
        return float(reward), bool(ended or cut)


def _encoder(space: Any, cuts: Any) -> Callable[[Any], list[int]]:
    """How the observations of a space become zeros and ones."""
    kind = type(space).__name__
    if kind == "MultiBinary":
        return lambda seen: [int(value) for value in np.asarray(seen).ravel()]
    if kind == "Discrete":
        first = int(getattr(space, "start", 0))
        return lambda seen: [int(seen - first == value) for value in range(int(space.n))]
    if kind == "MultiDiscrete":
        sizes = [int(size) for size in np.asarray(space.nvec).ravel()]
        return lambda seen: [
            int(one == value) for one, size in zip(np.asarray(seen).ravel(), sizes) for value in range(size)
        ]
    if kind == "Box" and cuts is not None:
        edges = [sorted(float(cut) for cut in some) for some in cuts]
        return lambda seen: [int(one > cut) for one, some in zip(np.asarray(seen).ravel(), edges) for cut in some]
    told = "cuts, a list of cut points for each number, or encode" if kind == "Box" else "encode"
    raise ValueError(f"observations are of space {kind}; {told} says how they become zeros and ones")
