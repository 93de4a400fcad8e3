"""Coarsening: how well distances between the graphs of a dataset survive, and one large graph.

Each graph is coarsened to 0.3 n nodes. Distances are Gromov-Wasserstein with the adjacency and
uniform weights; a coarse graph has block means and the masses of its blocks. Baselines: kernel
k-means as in Chen et al. (ICML 2023), and communities of greedy modularity with as many blocks.
"""

import pathlib
import subprocess
import time
from typing import Any

import networkx as nx
import numpy as np
import srgw
from common import Table, data_folder, measure

RATIO = 0.3


def block_means(C: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean entries between blocks, and the masses of the blocks."""
    T = np.eye(labels.max() + 1)[labels] / len(labels)
    q = T.sum(axis=0)
    return T.T @ C @ T / np.outer(q, q), q


def own_labels(graph: srgw.Graph, blocks: int) -> np.ndarray:
    return srgw.GraphCoarsener(blocks, n_eigenvalues=0, n_jobs=1).fit(graph).labels_


def kernel_kmeans(graph: srgw.Graph, blocks: int, tries: int = 5) -> np.ndarray:
    """Kernel k-means of the rows of A, shifted to be positive definite: it minimises the change of
    the trace that bounds the Gromov-Wasserstein distance (Chen et al. 2023, theorem 4.2)."""
    A = graph.to_numpy()
    n = len(A)
    K = A - min(0.0, np.linalg.eigvalsh(A)[0]) * np.eye(n)
    best, least = np.zeros(n, int), np.inf
    random = np.random.default_rng(0)
    for _ in range(tries):
        labels = random.permutation(np.arange(n) % blocks)
        for _ in range(100):
            Z = np.eye(blocks)[labels]
            size = np.maximum(Z.sum(axis=0), 1e-300)
            inner = K @ Z / size
            own = np.einsum("ik,ik->k", Z, inner) / size
            found = (own - 2 * inner).argmin(axis=1)
            if (found == labels).all():
                break
            labels = found
        _, labels = np.unique(labels, return_inverse=True)
        Z = np.eye(labels.max() + 1)[labels]
        loss = np.trace(K) - np.trace((Z.T @ K @ Z) / Z.sum(axis=0)[:, None])
        if loss < least:
            best, least = labels, loss
    return best


def modularity(graph: srgw.Graph, blocks: int) -> np.ndarray:
    G = graph.to_networkx()
    labels = np.zeros(graph.n_nodes, int)
    parts = nx.connected_components(G)
    least = sum(1 for _ in parts)
    wanted = max(blocks, least)
    found = nx.community.greedy_modularity_communities(G, cutoff=wanted, best_n=wanted)
    for k, nodes in enumerate(found):
        labels[[int(i) for i in nodes]] = k
    return labels


def distance_matrix(structures: list[np.ndarray], weights: list[np.ndarray]) -> np.ndarray:
    """Roots of the GW values, the best of the product and the reverse order of solving."""
    many = len(structures)
    D = np.zeros((many, many))
    for a in range(many):
        for b in range(a):
            value = min(
                srgw.gromov_wasserstein2(
                    structures[x], structures[y], weights[x], weights[y], max_iter=500
                )
                for x, y in ((a, b), (b, a))
            )
            D[a, b] = D[b, a] = np.sqrt(max(value, 0))
    return D


METHODS = {
    "srgw coarsen": own_labels,
    "kernel k-means (Chen et al. 2023)": kernel_kmeans,
    "greedy modularity (NetworkX)": modularity,
}


def datasets(many: int, names: list[str]) -> list[str]:
    table = Table(["dataset", "graphs", "method", "error of distances", "value", "seconds"])
    for name in names:
        dataset = srgw.read_dataset(data_folder() / "tud" / name)
        step = max(1, len(dataset.graphs) // many)
        graphs = [g for g in dataset.graphs[::step] if 5 <= g.n_nodes <= 150][:many]
        full = [g.to_numpy() for g in graphs]
        uniform = [np.full(len(C), 1 / len(C)) for C in full]
        reference = distance_matrix(full, uniform)
        above = np.triu_indices(len(graphs), 1)
        for method, find in METHODS.items():
            seconds, labels = 0.0, []
            for graph in graphs:
                begin = time.perf_counter()
                labels.append(find(graph, int(np.ceil(RATIO * graph.n_nodes))))
                seconds += time.perf_counter() - begin
            coarse = [block_means(C, own) for C, own in zip(full, labels, strict=True)]
            value = np.mean(
                [
                    ((C - B[own][:, own]) ** 2).mean()
                    for C, own, (B, _) in zip(full, labels, coarse, strict=True)
                ]
            )
            D = distance_matrix([B for B, _ in coarse], [q for _, q in coarse])
            error = np.linalg.norm((D - reference)[above]) / np.linalg.norm(reference[above])
            table.add(name, len(graphs), method, f"{error:.4f}", f"{value:.5f}", f"{seconds:.3f}")
    return table.lines()


def large(program: pathlib.Path, folder: pathlib.Path, nodes: int, coarse: int) -> list[str]:
    file = folder / f"planted-{nodes}.npz"
    if not file.exists():
        words = [
            "generate",
            "planted",
            "-n",
            nodes,
            "-b",
            coarse // 100,
            "--degree",
            20,
            "-o",
            file,
        ]
        subprocess.run([program, *map(str, words)], check=True)
    used: dict[str, Any] = measure([program, "coarsen", file, "-m", coarse, "--eigenvalues", 0])
    table = Table(["nodes", "coarse nodes", "seconds", "seconds of it reading", "memory", "value"])
    table.add(
        nodes,
        used["coarse_nodes"],
        f"{used['wall']:.1f}",
        f"{used['read_seconds']:.1f}",
        f"{used['bytes'] / 2**30:.2f} GiB",
        f"{used['value']:.3g}",
    )
    return table.lines()
