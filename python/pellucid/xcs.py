"""Classifier systems for reinforcement learning, with Gymnasium environments.

Examples
--------
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
    """The result of an episode.

    Attributes
    ----------
    steps : int
        Number of steps.
    reward : float
        Sum of the rewards.
    """

    steps: int
    reward: float


class Agent:
    """An XCS agent: a population of rules that learns which action to take.

    The agent observes zeros and ones. ``MultiBinary`` observations are used as they are, and ``Discrete`` and
    ``MultiDiscrete`` observations are one-hot encoded. ``Box`` observations need ``cuts``, and other
    observations need ``encode``.

    Parameters
    ----------
    environment : gymnasium.Env
        The environment. It needs ``reset()``, ``step(action)``, ``observation_space`` and ``action_space``.
    encode : callable, default=None
        Function that converts an observation to a sequence of zeros and ones.
    cuts : sequence of sequences of float, default=None
        The cut points of each number in a ``Box`` observation. Each cut point becomes a one if the number is
        greater and a zero otherwise.
    largest_reward : float, default=None
        The largest reward of the environment. If given, rewards are scaled so that it is worth 1,000.
    dont_care : float, default=0.33
        Probability that a new rule ignores a bit of the observation.
    random_state : int or random state, default=None
        The seed of the agent and of the environment.
    **constants
        Constants of the population. See :meth:`constants`.
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
        """Return the constants of a population and their published values."""
        return _native.Agent.published()

    def explore(self) -> Trial:
        """Run one episode with random actions and learn from it."""
        return Trial(*self._native.explore(self._world))

    def play(self) -> Trial:
        """Run one episode with the actions that the agent considers best."""
        return Trial(*self._native.exploit(self._world))

    def learn(self, episodes: int, progress: Callable[[int, Trial], object] | None = None) -> list[Trial]:
        """Alternate between exploring and playing, as in the original publication.

        Parameters
        ----------
        episodes : int
            Number of pairs of an explored and a played episode.
        progress : callable, default=None
            Function that is called with the episode number and the result of each played episode.

        Returns
        -------
        list of Trial
            The results of the played episodes.
        """
        played = []
        for episode in range(episodes):
            self.explore()
            played.append(self.play())
            if progress is not None:
                progress(episode + 1, played[-1])
        return played

    @property
    def rules(self) -> int:
        """The number of distinct rules in the population."""
        return self._native.rules

    @property
    def digest(self) -> int:
        """A digest of the agent's state. Agents with the same state have the same digest."""
        return self._native.digest


class _World:
    """Adapter between a Gymnasium environment and the native agent."""

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
            # Only the first reset seeds the environment.
            seen, self._seed = self._environment.reset(seed=self._seed), None
        has_info = isinstance(seen, tuple) and len(seen) == 2 and isinstance(seen[1], dict)
        observation = seen[0] if has_info else seen
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
    """Return a function that converts observations of a space to zeros and ones."""
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
        return lambda seen: [
            int(number > cut) for number, some in zip(np.asarray(seen).ravel(), edges) for cut in some
        ]
    needed = "cuts (a list of cut points for each number) or encode" if kind == "Box" else "encode"
    raise ValueError(f"observations of space {kind} need {needed} to be converted to zeros and ones")
