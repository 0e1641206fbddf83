"""Generations of networks in other libraries, and other learners that rank. Prints one JSON object.

    python networks.py speed NAME POPULATION ROWS INPUTS NODES GENERATIONS
    python networks.py speed_on_gpu NAME POPULATION ROWS INPUTS NODES SECONDS
    python networks.py rank NAME TRAIN.npz TEST.npz SEED
    python networks.py onnx MODEL.onnx ROWS.json

Called by ../networks_vs_peers.py. Times are CPU time of one thread, and wall time on a GPU.
"""

import json
import os
import sys
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy

TOP = 0.2


def rows_and_labels(rows, inputs):
    stream = numpy.random.default_rng(1)
    x = stream.uniform(-1.5, 1.5, (rows, inputs)).astype(numpy.float32)
    return x, numpy.arange(rows) < numpy.ceil(0.0221 * rows)


class Gemm:
    """A good implementation in numpy: squared distances as matrix products, the threshold by partition."""

    def __init__(self, rows, inputs, nodes):
        self.x, self.positive = rows_and_labels(rows, inputs)
        self.both = numpy.concatenate([self.x * self.x, self.x], axis=1)
        self.inputs, self.nodes, self.top = inputs, nodes, int(TOP * rows)
        self.genes = nodes * (2 * inputs + 2)

    def lifts(self, population):
        inputs, nodes, count = self.inputs, self.nodes, len(population)
        links = nodes * inputs
        weights = population[:, :links].reshape(-1, inputs)
        centers = population[:, links:2 * links].reshape(-1, inputs)
        widths = population[:, 2 * links:2 * links + nodes]
        outputs = population[:, 2 * links + nodes:]
        left = numpy.concatenate([weights * weights, -2 * weights * centers], axis=1)
        distance = self.both @ left.T + (centers * centers).sum(1)
        exponents = numpy.clip(-distance * widths.reshape(-1), -87, 88)
        answers = numpy.exp(exponents).reshape(-1, count, nodes)
        scores = (answers * outputs).sum(2).T
        threshold = numpy.partition(scores, len(self.x) - self.top, axis=1)[:, len(self.x) - self.top]
        found = (scores[:, self.positive] >= threshold[:, None]).sum(1)
        return found / self.top / self.positive.mean()


def speed(name, *sizes):
    population, rows, inputs, nodes, generations = map(int, sizes)
    work = Gemm(rows, inputs, nodes)
    stream = numpy.random.default_rng(2)
    first = stream.standard_normal((population, work.genes)).astype(numpy.float32) * 0.5
    if name == "numpy":
        def run():
            for _ in range(generations):
                work.lifts(first)
    elif name == "deap":
        from deap import algorithms, base, creator, tools
        creator.create("Best", base.Fitness, weights=(1.0,))
        creator.create("Network", list, fitness=creator.Best)
        box = base.Toolbox()
        box.register("mate", tools.cxUniform, indpb=0.5)
        box.register("mutate", tools.mutGaussian, mu=0, sigma=0.3, indpb=0.1)
        box.register("select", tools.selTournament, tournsize=3)
        box.register("evaluate", lambda one: (0.0,))

        def evaluate_all(_, networks):
            return [(lift,) for lift in work.lifts(numpy.array(list(networks), numpy.float32))]

        # DEAP evaluates one network at a time; its map may evaluate a batch.
        box.register("map", evaluate_all)

        def run():
            people = [creator.Network(genes.tolist()) for genes in first]
            algorithms.eaSimple(people, box, 1.0, 1.0, generations - 1, verbose=False)
    elif name == "pygad":
        import pygad

        def run():
            def fitness(_, genes, __):
                return list(work.lifts(numpy.asarray(genes, numpy.float32)))

            search = pygad.GA(num_generations=generations, num_parents_mating=population // 2,
                              initial_population=first, fitness_func=fitness,
                              fitness_batch_size=population, keep_elitism=0, keep_parents=0,
                              suppress_warnings=True)
            search.run()
    else:
        raise SystemExit(f"unknown peer: {name}")
    best = float("inf")
    for _ in range(3):
        begin = time.process_time()
        run()
        best = min(best, time.process_time() - begin)
    return {"seconds": best / generations}


def speed_on_gpu(name, population, rows, inputs, nodes, seconds):
    """Time whole generations on a GPU, by wall time and including the transfer of results.

    JAX is compiled, PyTorch runs a captured graph. NAME is jax-top_k, jax-sort, torch-topk, torch-kthvalue or
    torch-compiled (torch-topk with everything between matrix product and threshold compiled). Unlike ours,
    the genes are already on the GPU. Networks whose answers would fill the memory are evaluated in turns.
    """
    population, rows, inputs, nodes = map(int, (population, rows, inputs, nodes))
    seconds = float(seconds)
    x, positive = rows_and_labels(rows, inputs)
    top, links = int(TOP * rows), nodes * inputs
    genes = numpy.random.default_rng(2).standard_normal((population, nodes * (2 * inputs + 2)))
    genes = genes.astype(numpy.float32) * 0.5
    at_once = min(population, max(1, 2_000_000_000 // (rows * nodes)))
    turns = [genes[first:first + at_once] for first in range(0, population, at_once)]
    both = numpy.concatenate([x * x, x], 1)
    library, way = name.split("-")
    if library == "jax":
        import jax
        import jax.numpy as np
        both, ours = jax.device_put(both), jax.device_put(positive)

        @jax.jit
        def lifts(genes):
            weights = genes[:, :links].reshape(-1, inputs)
            centers = genes[:, links:2 * links].reshape(-1, inputs)
            left = np.concatenate([weights * weights, -2 * weights * centers], 1)
            distance = np.matmul(left, both.T, precision="highest") + (centers * centers).sum(1)[:, None]
            widths = genes[:, 2 * links:2 * links + nodes].reshape(-1, 1)
            answers = np.exp(np.clip(-distance * widths, -87, 88)).reshape(-1, nodes, rows)
            scores = (answers * genes[:, 2 * links + nodes:, None]).sum(1)
            if way == "sort":
                threshold = np.sort(scores, 1)[:, rows - top:rows - top + 1]
            else:
                threshold = jax.lax.top_k(scores, top)[0][:, -1:]
            return ((scores >= threshold) & ours).sum(1)
        given = [jax.device_put(turn) for turn in turns]

        def run():
            found = [lifts(turn) for turn in given]
            return [numpy.asarray(one) for one in found]
    else:
        import torch
        both, ours = torch.tensor(both).cuda(), torch.tensor(positive).cuda()
        given = [torch.tensor(turn).cuda() for turn in turns]

        def rated(distance, far, widths, outputs):
            answers = torch.exp((-(distance + far) * widths).clamp(-87, 88)).reshape(-1, nodes, rows)
            return (answers * outputs[:, :, None]).sum(1)
        if way == "compiled":
            rated = torch.compile(rated)

        def lifts(given):
            weights = given[:, :links].reshape(-1, inputs)
            centers = given[:, links:2 * links].reshape(-1, inputs)
            left = torch.cat([weights * weights, -2 * weights * centers], 1)
            far = (centers * centers).sum(1)[:, None]
            widths = given[:, 2 * links:2 * links + nodes].reshape(-1, 1)
            scores = rated(left @ both.T, far, widths, given[:, 2 * links + nodes:])
            if way == "kthvalue":
                threshold = scores.kthvalue(rows - top + 1, dim=1, keepdim=True).values
            else:
                threshold = scores.topk(top, dim=1).values[:, -1:]
            return ((scores >= threshold) & ours).sum(1)
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                lifts(given[0])
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            out = torch.cat([lifts(turn) for turn in given])

        def run():
            graph.replay()
            return [out.cpu().numpy()]
    for _ in range(3):
        run()
    times, end = [], time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 3:
        begin = time.perf_counter()
        run()
        times.append(time.perf_counter() - begin)
    times.sort()
    return {"seconds": times[0], "median": times[len(times) // 2]}


def rank(name, train, test, seed):
    """Return the scores of another learner and the CPU time of training."""
    seed = int(seed)
    train, test = numpy.load(train), numpy.load(test)
    if name == "hist-gradient-boosting":
        from sklearn.ensemble import HistGradientBoostingClassifier
        learner = HistGradientBoostingClassifier(random_state=seed)
    elif name == "lightgbm":
        import lightgbm
        learner = lightgbm.LGBMClassifier(n_jobs=1, verbose=-1, random_state=seed)
    elif name == "mlp":
        from sklearn.neural_network import MLPClassifier
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler
        learner = make_pipeline(StandardScaler(), MLPClassifier((64, 32), max_iter=15, random_state=seed))
    else:
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler
        learner = make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000))
    import warnings
    warnings.filterwarnings("ignore")
    begin = time.process_time()
    learner.fit(train["x"], train["y"])
    seconds = time.process_time() - begin
    return {"scores": learner.predict_proba(test["x"])[:, 1].tolist(), "seconds": seconds}


def onnx(file, rows):
    """Return the outputs of an ONNX file for rows: columns by name, each a list of numbers or texts."""
    import onnxruntime
    session = onnxruntime.InferenceSession(file, providers=["CPUExecutionProvider"])
    columns = json.load(open(rows))
    feed = {}
    for wanted in session.get_inputs():
        values = columns[wanted.name]
        if wanted.type == "tensor(string)":
            texts = [["" if value is None else str(value)] for value in values]
            feed[wanted.name] = numpy.array(texts, dtype=object)
        else:
            truths = {None: float("nan"), "true": 1.0, "false": 0.0}
            numbers = [truths[value] if value in truths else float(value) for value in values]
            feed[wanted.name] = numpy.array(numbers, dtype=numpy.float64).reshape(-1, 1)
    names = [output.name for output in session.get_outputs()]
    return {name: values.reshape(-1).tolist() for name, values in zip(names, session.run(names, feed))}


if __name__ == "__main__":
    what, *words = sys.argv[1:]
    commands = {"speed": speed, "speed_on_gpu": speed_on_gpu, "rank": rank, "onnx": onnx}
    print(json.dumps(commands[what](*words)))
