#!/usr/bin/env python3
"""How much AMI and ARI depend on the clusters of nodes without edges, on Wikipedia.

Usage: bench/partition/isolated.py
699 of 1,998 nodes have no edges, which say nothing about their classes. Prints a Markdown table of
the agreement with the classes when these nodes are one cluster, clusters of their own, or spread
over the other clusters at random. The other nodes have their true classes, which gives upper
bounds, or the labels of `srgw partition -k 15`.
"""

import pathlib
import sys
import tempfile

import graphs
import numpy as np
import own
import scores
import tables

SEEDS = 20  # of the random spread


def rows(graph: graphs.Graph, labels: graphs.Labels) -> list[list[str]]:
    """A row for each way to label nodes without edges: AMI and ARI."""
    assert graph.truth is not None
    truth, connected = graph.truth, graph.connected
    classes = int(truth.max()) + 1
    alone = graph.nodes + np.arange(graph.nodes)
    spreads = [np.random.default_rng(s).integers(0, classes, graph.nodes) for s in range(SEEDS)]
    treatments = {
        "one more cluster": [np.full(graph.nodes, classes)],
        "the best of the other clusters": [np.full(graph.nodes, k) for k in range(classes)],
        "spread over the other clusters at random, mean": spreads,
        "a cluster each": [alone],
    }
    found = []
    for name, others in treatments.items():
        scored = [scores.agreement(truth, np.where(connected, labels, one)) for one in others]
        judge = np.max if "best" in name else np.mean
        found.append([name, *(f"{judge(column):.1f}" for column in zip(*scored, strict=True))])
    without = scores.agreement(truth[connected], labels[connected])
    return [*found, ["left out", *(f"{x:.1f}" for x in without)]]


def main() -> None:
    graph = graphs.union(graphs.partition_dataset("wikipedia"))
    assert graph.truth is not None and graph.classes is not None
    with tempfile.TemporaryDirectory() as folder:
        place = graphs.write(graph, pathlib.Path(folder))
        _, labels = own.partition(place, graph.classes, [], 0, 600)
    pairs = zip(rows(graph, graph.truth), rows(graph, labels), strict=True)
    header = ["nodes without edges are", "AMI, others true", "ARI", "AMI, others by srgw", "ARI"]
    table = tables.table(header, [[*bound, *ours[1:]] for bound, ours in pairs])
    sys.stdout.write("\n".join(table) + "\n")


if __name__ == "__main__":
    main()
