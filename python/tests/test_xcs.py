"""XCS agents in environments with the interface of Gymnasium."""

import threading

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
    """The 6-bit multiplexer. The correct class earns 1,000."""

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
    """A corridor with five positions and food at the right end."""

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


def test_paths_of_several_steps_are_learned():
    agent = Agent(Corridor(), population=200, random_state=3)
    agent.learn(600)
    assert np.mean([agent.play().steps for _ in range(50)]) < 3.5


def test_the_same_seed_gives_the_same_agent():
    first, second, other = (Agent(Multiplexer(), population=200, random_state=seed) for seed in (5, 5, 6))
    for agent in (first, second, other):
        agent.learn(200)
    assert first.digest == second.digest != other.digest


def test_exceptions_of_the_environment_are_raised():
    class Broken(Multiplexer):
        def step(self, action):
            raise RuntimeError("the wheel came off")

    with pytest.raises(RuntimeError, match="wheel"):
        Agent(Broken(), random_state=0).explore()
    with pytest.raises(ValueError, match="unknown constant 'populashun'"):
        Agent(Multiplexer(), random_state=0, populashun=3)
    odd = Multiplexer()
    odd.observation_space = Box()
    with pytest.raises(ValueError, match="cuts"):
        Agent(odd, random_state=0)
    cut = Agent(odd, random_state=0, cuts=[[0.5]] * 6)
    assert cut.explore().steps == 1
    assert "population" in Agent.constants()


class Rewarding(Multiplexer):
    """A multiplexer with invalid rewards in some steps."""

    def __init__(self, wrong):
        self.wrong, self.steps = wrong, 0

    def step(self, action):
        self.steps += 1
        bits, reward, *rest = super().step(action)
        return bits, self.wrong if 300 <= self.steps < 310 else reward, *rest


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), -float("inf"), 1e38, -1e38, 1e300])
def test_an_invalid_reward_is_an_error(wrong):
    agent = Agent(Rewarding(wrong), population=400, random_state=1)
    agent.learn(149)
    agent.explore()
    before = agent.digest
    for _ in range(10):
        with pytest.raises(ValueError, match="reward: found.*largest_reward"):
            agent.play()
        assert agent.digest == before
    agent.learn(3800)
    assert sum(agent.play().reward > 0 for _ in range(200)) > 180


def test_large_rewards_are_accepted_if_declared():
    class Rich(Multiplexer):
        def step(self, action):
            bits, reward, *rest = super().step(action)
            return bits, reward * 1e6, *rest

    agent = Agent(Rich(), population=400, random_state=1, largest_reward=1e9)
    agent.learn(4000)
    assert sum(agent.play().reward > 0 for _ in range(200)) > 180
    with pytest.raises(ValueError, match="reward: found 1000000000.0; expected -1000000 to"):
        Agent(Rich(), population=400, random_state=1).learn(20)


def test_a_step_that_raises_does_not_change_the_agent():
    class Failing(Multiplexer):
        fails = False

        def step(self, action):
            if self.fails:
                raise OSError("the wheel came off")
            return super().step(action)

    world = Failing()
    agent = Agent(world, population=400, random_state=1)
    agent.learn(300)
    before, world.fails = agent.digest, True
    for _ in range(5):
        with pytest.raises(OSError, match="wheel"):
            agent.play()
    assert agent.digest == before


@pytest.mark.parametrize(
    "chosen, message",
    [
        ({"population": 0}, "population: found 0"),
        ({"population": -3}, "population: .*-3"),
        ({"population": 2.5}, "population: .*2.5"),
        ({"population": 10**7}, "population: found 10000000"),
        ({"learning_rate": -0.1}, "learning_rate: found -0.1; expected 0.0001 to 1"),
        ({"learning_rate": float("nan")}, "learning_rate: .*NaN"),
        ({"mutation": 2.0}, "mutation: found 2"),
        ({"discount": float("inf")}, "discount: .*inf"),
        ({"dont_care": float("nan")}, "dont_care: found NaN"),
        ({"dont_care": -1.0}, "dont_care: found -1"),
        ({"largest_reward": 0.0}, "reward: found 0"),
        ({"largest_reward": float("nan")}, "reward: .*NaN"),
        ({"crossover": "sideways"}, "crossover: .*sideways"),
    ],
)
def test_constants_out_of_range_are_errors(chosen, message):
    with pytest.raises(ValueError, match=message):
        Agent(Multiplexer(), random_state=0, **chosen)


def test_empty_environments_are_errors():
    class Still(Multiplexer):
        action_space = Discrete(0)

    with pytest.raises(ValueError, match="actions: found 0"):
        Agent(Still(), random_state=0)


def test_several_threads_can_use_an_agent():
    alone = Agent(Multiplexer(), population=200, random_state=5)
    alone.learn(200)
    agent, raised = Agent(Multiplexer(), population=200, random_state=5), []

    def work():
        try:
            agent.learn(100)
        except BaseException as error:
            raised.append(error)

    for _ in range(2):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert not raised and agent.digest == alone.digest


def test_an_agent_runs_one_episode_at_a_time():
    class Nested(Multiplexer):
        def step(self, action):
            agent.play()

    agent = Agent(Nested(), random_state=0)
    with pytest.raises(RuntimeError, match="one episode at a time"):
        agent.play()


class ManyActions:
    """A thousand actions, one of which is correct."""

    observation_space, action_space = MultiBinary(6), Discrete(1000)

    def reset(self, seed=None):
        if seed is not None:
            self.draw = np.random.default_rng(seed)
        self.bits = self.draw.integers(0, 2, 6)
        return self.bits, {}

    def step(self, action):
        return self.bits, 1000.0 * (action == 7), True, False, {}


def test_a_thousand_actions_are_learned():
    """Every step covers hundreds of actions, so covering must not scan the whole population."""
    agent = Agent(ManyActions(), population=4000, random_state=2)
    agent.learn(300)
    assert agent.rules >= 1000
    with pytest.raises(ValueError, match="population: found 400.*least_actions"):
        Agent(ManyActions(), population=400, random_state=2)
