"""Block models of four kinds: are the blocks and their number found?

Baselines with the number of blocks given: k-means on leading eigenvectors (by absolute value) of
the adjacency, and communities of `SRGWPartition`, which looks for assortative blocks only.
"""

import time
import warnings

import numpy as np
import scipy.sparse.linalg
import srgw
from common import Table
from sklearn.cluster import KMeans

DEGREE = 20.0
# Relative probabilities between blocks.
KINDS = {
    "assortative": np.full((4, 4), 1.0) + 9 * np.eye(4),
    "bipartite": np.array([[1.0, 10.0], [10.0, 1.0]]),
    "core-periphery": np.array([[16.0, 4.0], [4.0, 1.0]]),
    "mixed": np.array(
        [
            [10.0, 1.0, 1.0, 1.0],
            [1.0, 1.0, 10.0, 1.0],
            [1.0, 10.0, 1.0, 1.0],
            [1.0, 1.0, 1.0, 4.0],
        ]
    ),
}


def draw(kind: str, nodes: int, seed: int) -> tuple[srgw.Graph, np.ndarray]:
    shape = KINDS[kind]
    sizes = np.full(len(shape), nodes // len(shape))
    share = sizes / sizes.sum()
    p = shape * DEGREE / (share @ shape @ share) / nodes
    return srgw.generate.stochastic_block_model(sizes.tolist(), p.tolist(), random_state=seed)


def spectral(graph: srgw.Graph, blocks: int) -> np.ndarray:
    A = graph.to_scipy().astype(float)
    values, vectors = scipy.sparse.linalg.eigsh(A, k=blocks, which="LM")
    return KMeans(blocks, n_init=10, random_state=0).fit_predict(vectors * np.abs(values))


def run(sizes: list[int], draws: int, large_draws: int) -> list[str]:
    table = Table(
        ["kind", "nodes", "draws", "k right", "AMI", "AMI ≥ 0.98", "seconds",
         "AMI spectral, k given", "seconds", "AMI partition, k given", "seconds"]
    )  # fmt: skip
    score = srgw.metrics.adjusted_mutual_information
    for kind in KINDS:
        for nodes in sizes:
            times, scores, right = np.zeros(3), [], 0
            many = draws if nodes <= 2000 else large_draws
            for seed in range(many):
                graph, truth = draw(kind, nodes, seed)
                k = len(KINDS[kind])
                begin = time.perf_counter()
                model = srgw.BlockModel(random_state=seed).fit(graph)
                first = time.perf_counter()
                theirs = spectral(graph, k)
                second = time.perf_counter()
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    labels = srgw.SRGWPartition(k, random_state=seed).fit_predict(graph)
                times += [first - begin, second - first, time.perf_counter() - second]
                right += model.n_blocks_ == k
                scores.append([score(truth, found) for found in (model.labels_, theirs, labels)])
            mean = np.mean(scores, axis=0)
            good = np.mean(np.array(scores)[:, 0] >= 0.98)
            times /= many
            table.add(
                kind, nodes, many, f"{right}/{many}", f"{mean[0]:.4f}", f"{good:.0%}",
                f"{times[0]:.2f}", f"{mean[1]:.4f}", f"{times[1]:.2f}", f"{mean[2]:.4f}",
                f"{times[2]:.2f}",
            )  # fmt: skip
    return table.lines()
