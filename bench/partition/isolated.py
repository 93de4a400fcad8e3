#!/usr/bin/env python3
"""How much AMI and ARI depend on the clusters of nodes without edges, on Wikipedia.

Usage: bench/partition/isolated.py
699 of 1,998 nodes have no edges, so no method can tell their classes. Prints a Markdown table of
the agreement with the classes when these nodes are one cluster, clusters of their own, or spread
over the other clusters at random. All other nodes have their true class, which gives upper bounds.
"""

import sys

import graphs
import numpy as np
import scores
import tables

SEEDS = 20  # of the random spread


def rows(graph: graphs.Graph) -> list[list[str]]:
    assert graph.truth is not None
    truth, connected = graph.truth, graph.connected
    classes = int(truth.max()) + 1
    alone = classes + np.arange(graph.nodes)
    spreads = [np.random.default_rng(s).integers(0, classes, graph.nodes) for s in range(SEEDS)]
    treatments = {
        "one more cluster": [np.full(graph.nodes, classes)],
        "the best of the other clusters": [np.full(graph.nodes, k) for k in range(classes)],
        "spread over the other clusters at random, mean": spreads,
        "a cluster each": [alone],
    }
    found = []
    for name, others in treatments.items():
        scored = [scores.agreement(truth, np.where(connected, truth, one)) for one in others]
        judge = np.max if "best" in name else np.mean
        found.append([name, *(f"{judge(column):.1f}" for column in zip(*scored, strict=True))])
    without = scores.agreement(truth[connected], truth[connected])
    return [*found, ["left out", *(f"{x:.1f}" for x in without)]]


def main() -> None:
    graph = graphs.union(graphs.partition_dataset("wikipedia"))
    table = tables.table(["nodes without edges are", "AMI", "ARI"], rows(graph))
    sys.stdout.write("\n".join(table) + "\n")


if __name__ == "__main__":
    main()
