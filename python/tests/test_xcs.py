"""An agent that learns by acting, in environments that look like Gymnasium's."""

import numpy as np
import pytest

from pellucid.xcs import Agent


class MultiBinary:
    def __init__(self, n):
        self.n = n


class Discrete:
    def __init__(self, n, start=0):
        self.n, self.start = n, start


class Box:
    shape = (2,)


class Multiplexer:
    """Two bits of address choose one of four others; to name it right earns 1,000."""

    observation_space, action_space = MultiBinary(6), Discrete(2)

    def reset(self, seed=None):
        if seed is not None:
            self.draw = np.random.default_rng(seed)
        self.bits = self.draw.integers(0, 2, 6)
        return self.bits, {}

    def step(self, action):
        right = self.bits[2 + 2 * self.bits[0] + self.bits[1]]
        return self.bits, 1000.0 * (action == right), True, False, {}


class Corridor:
    """Five places in a row; food is at the right end."""

    observation_space, action_space = Discrete(5), Discrete(2, start=1)

    def reset(self, seed=None):
        if seed is not None:
            self.draw = np.random.default_rng(seed)
        self.place = int(self.draw.integers(0, 4))
        return self.place, {}

    def step(self, action):
        self.place = min(max(self.place + (1 if action == 2 else -1), 0), 4)
        return self.place, 1000.0 * (self.place == 4), self.place == 4, False, {}


def test_the_multiplexer_is_learned():
    agent = Agent(Multiplexer(), population=400, random_state=1)
    agent.learn(4000)
    right = sum(agent.play().reward > 0 for _ in range(200))
    assert right > 180 and agent.rules > 10


def test_ways_of_several_steps_are_learned():
    agent = Agent(Corridor(), population=200, random_state=3)
    agent.learn(600)
    assert np.mean([agent.play().steps for _ in range(50)]) < 3.5


def test_one_seed_gives_one_agent():
    first, second, other = (Agent(Multiplexer(), population=200, random_state=seed) for seed in (5, 5, 6))
    for agent in (first, second, other):
        agent.learn(200)
    assert first.digest == second.digest != other.digest


def test_what_python_raises_comes_out():
    class Broken(Multiplexer):
        def step(self, action):
            raise RuntimeError("the wheel came off")

    with pytest.raises(RuntimeError, match="wheel"):
        Agent(Broken(), random_state=0).explore()
    with pytest.raises(ValueError, match="there is no 'populashun'"):
        Agent(Multiplexer(), random_state=0, populashun=3)
    odd = Multiplexer()
    odd.observation_space = Box()
    with pytest.raises(ValueError, match="cuts"):
        Agent(odd, random_state=0)
    cut = Agent(odd, random_state=0, cuts=[[0.5]] * 6)
    assert cut.explore().steps == 1
    assert "population" in Agent.constants()
