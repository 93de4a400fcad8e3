"""How good labels are: against the classes of the nodes, and in modularity."""

import json
import pathlib
import subprocess
import tempfile

import numpy as np
from common import program
from graphs import Edges, Graph, Labels, without_loops

MANY = 200_000  # nodes from which scikit-learn's AMI takes minutes


def modularity(
    edges: Edges, labels: Labels, directed: bool = False, resolution: float = 1.0
) -> float:
    """A self-loop adds 1 to the edges and 2 to the degree."""
    if len(edges) == 0:
        return 0.0
    sources, targets = labels[edges[:, 0]], labels[edges[:, 1]]
    clusters = int(labels.max()) + 1
    out = np.bincount(sources, minlength=clusters) / len(edges)
    into = np.bincount(targets, minlength=clusters) / len(edges)
    inside = float(np.mean(sources == targets))
    expected = out @ into if directed else np.sum(((out + into) / 2) ** 2)
    return inside - resolution * float(expected)


def compact(labels: Labels) -> Labels:
    return np.unique(labels, return_inverse=True)[1].astype(np.int64)


def grouped(graph: Graph, labels: Labels) -> Labels:
    """All nodes without an edge to another node as one cluster."""
    return compact(np.where(graph.connected, labels, labels.max() + 1))


def agreement(truth: Labels, labels: Labels) -> tuple[float, float]:
    """AMI (arithmetic) and ARI in percent."""
    if len(truth) > MANY:
        return agreement_of_many(truth, labels)
    from sklearn.metrics import adjusted_mutual_info_score, adjusted_rand_score

    return (
        100 * float(adjusted_mutual_info_score(truth, labels)),
        100 * float(adjusted_rand_score(truth, labels)),
    )


def agreement_of_many(truth: Labels, labels: Labels) -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as folder:
        files = [pathlib.Path(folder) / name for name in ("truth.npy", "labels.npy")]
        for file, column in zip(files, (truth, labels), strict=True):
            np.save(file, column)
        command = [str(program("cli/srgw")), "score", *map(str, files), "--json"]
        answer = subprocess.run(command, check=True, capture_output=True, text=True)
    found = json.loads(answer.stdout)
    return 100 * found["ami"], 100 * found["ari"]


def score(graph: Graph, labels: Labels) -> dict[str, float | int]:
    """`clusters` and `ami_connected` are about nodes with an edge to another one; `ami_grouped`
    has the others as one cluster, whatever the contestant did with them."""
    labels, connected = compact(labels), graph.connected
    found: dict[str, float | int] = {
        "modularity": modularity(graph.edges, labels, graph.directed),
        "clusters": len(np.unique(labels[connected])),
        "edges": len(graph.edges),
    }
    if graph.truth is None:
        return found
    found["classes"] = len(np.unique(graph.truth))
    found["ami"], found["ari"] = agreement(graph.truth, labels)
    if connected.all():
        return found | {"ami_grouped": found["ami"], "ami_connected": found["ami"]}
    found["ami_grouped"], _ = agreement(graph.truth, grouped(graph, labels))
    found["ami_connected"], _ = agreement(graph.truth[connected], labels[connected])
    return found


def objective(graph: Graph, labels: Labels, resolution: float) -> float:
    """The quality that our search maximises: modularity at its resolution, without self-loops."""
    return modularity(without_loops(graph.edges), compact(labels), resolution=resolution)
