#!/usr/bin/env python3
"""Draws the pictures of docs/gallery.md anew and writes the page around them.

Usage: scripts/gallery.py PROGRAM DATA
DATA is the folder of the public datasets; pictures of those that are absent stay as they are.
"""

import json
import pathlib
import random
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
GALLERY = ROOT / "docs" / "gallery"

# Title, file, words about it, commands; {out} is the picture, {work} a folder for all else.
ATOM_SIZES = (5, 10, 15, 20, 25, 30)
PICTURES = [
    (
        "Partition of a small graph",
        "karate",
        "Zachary's karate club in four clusters, and its adjacency matrix ordered by cluster.",
        ["partition {examples}/karate.txt -k 4 --picture {out}"],
    ),
    (
        "GW beside semi-relaxed GW",
        "matching",
        "The karate club matched with a path of three nodes. GW has to use every target node "
        "with its given weight; the semi-relaxed divergence chooses the weights and has a lower "
        "value.",
        [
            "solve {examples}/karate.txt {work}/path.txt --start random --starts 20 "
            "--save {work}/srgw.npz",
            "solve {examples}/karate.txt {work}/path.txt --divergence gw --save {work}/gw.npz",
            "draw {work}/srgw.npz {work}/gw.npz -o {out}",
        ],
    ),
    (
        "Partition of a large graph",
        "large",
        "A planted graph of 20,000 nodes: clusters as discs, "
        "and the density of the ordered adjacency matrix.",
        [
            "generate planted --nodes 20000 --blocks 15 --degree 25 --seed 1 -o {work}/large.txt",
            "partition {work}/large.txt -k 15 --picture {out}",
        ],
    ),
    (
        "Communities of many sizes",
        "communities",
        "An LFR graph of 500 nodes, with sizes and degrees from power laws. "
        "The number of clusters is not given.",
        [
            "generate lfr --nodes 500 --degree 8 --inside 0.8 --largest-degree 40 --seed 1 "
            "-o {work}/lfr.txt",
            "partition {work}/lfr.txt -k auto --picture {out}",
        ],
    ),
    (
        "Levels of clusters",
        "levels",
        "Cliques of six nodes in six groups of four: the partition, and below it the levels of "
        "clusters, the coarsest on top.",
        ["partition {work}/cliques.txt --levels --picture {out}"],
    ),
    (
        "Coarse nodes",
        "coarse",
        "The club in ten coarse nodes: nodes with the same neighbours, which need no edges between "
        "them.",
        ["coarsen {examples}/karate.txt -m 10 --picture {out}"],
    ),
    (
        "Blocks of any kind",
        "blocks",
        "A core and a periphery: the share of the pairs of nodes with an edge, and its error.",
        ["blockmodel {work}/core.txt --picture {out}"],
    ),
    (
        "Graphon of several graphs",
        "graphon",
        "Five graphs of 80 to 160 nodes at random places x, with edges by (x² + y²)/2.",
        ["graphon {work}/graphs -k 6 --picture {out}"],
    ),
    (
        "An atom and the graphs that use it",
        "atom",
        "An atom learned from IMDB-BINARY. Each row shows a graph, the graph coloured by its "
        "plan, the part of the atom that it uses, and the whole atom.",
        ["learn {data}/tud/IMDB-BINARY -m 10 --epochs 5 -o {work}/imdb.npz --picture {out}"],
    ),
    (
        "Graphs as points",
        "embedding",
        "The target weights of the same dataset, projected on their first two "
        "principal components.",
        ["embed {work}/imdb.npz {data}/tud/IMDB-BINARY -o {work}/imdb.npy --picture {out}"],
    ),
    (
        "How much of an atom graphs use",
        "sizes",
        "Number of atom nodes with positive weight for the molecules of MUTAG, for atoms of "
        "growing size. `srgw draw` draws the chart from a JSON file.",
        [
            *(
                f"learn {{data}}/tud/MUTAG -m {m} --features none -o {{work}}/mutag{m}.npz "
                f"--embedding {{work}}/used{m}.npy"
                for m in ATOM_SIZES
            ),
            "draw {work}/sizes.json -o {out}",
        ],
    ),
    (
        "The rest of a half-seen graph",
        "completion",
        "A collaboration graph of actors (IMDB-BINARY) with three hidden nodes, completed by a "
        "model that was learned from the other graphs.",
        [
            "learn {data}/tud/IMDB-BINARY -m 10 --epochs 5 --for-completion 0.1 "
            "-o {work}/complete.npz",
            "complete {work}/complete.npz {work}/seen.txt --nodes 20 -o {work}/whole.txt "
            "--picture {out}",
        ],
    ),
]


def sizes_chart(work: pathlib.Path, data: pathlib.Path) -> None:
    """Least, median and most nodes that graphs use, over the size of the atom."""
    series: dict[str, list[float]] = {"least": [], "median": [], "most": []}
    for m in ATOM_SIZES:
        used = sorted((row > 0).sum() for row in np.load(work / f"used{m}.npy"))
        for name, place in (("least", 0), ("median", len(used) // 2), ("most", -1)):
            series[name].append(float(used[place]))
    chart = {
        "chart": "curves",
        "title": "MUTAG: nodes of the atom that graphs use",
        "x_label": "nodes of the atom",
        "y_label": "nodes that have weight",
        "series": [
            {"name": name, "x": list(ATOM_SIZES), "y": values} for name, values in series.items()
        ],
    }
    (work / "sizes.json").write_text(json.dumps(chart))


def half_seen_graph(work: pathlib.Path, data: pathlib.Path) -> None:
    """The first 17 of the 20 nodes of the first graph."""
    lines = (data / "tud" / "IMDB-BINARY" / "IMDB-BINARY_A.txt").read_text().splitlines()
    pairs = [tuple(map(int, line.split(","))) for line in lines]
    kept = [f"{i} {j}\n" for i, j in pairs if i < j <= 17]
    (work / "seen.txt").write_text("".join(kept))


def nested_cliques(work: pathlib.Path, data: pathlib.Path) -> None:
    """24 cliques; three edges to the next one of the group, and one between groups in a ring."""
    edges = []
    for clique in range(24):
        nodes = range(6 * clique, 6 * clique + 6)
        edges += [(a, b) for a in nodes for b in nodes if a < b]
        first = clique // 4 * 4
        edges += [(6 * clique + i, 6 * (first + (clique + i + 1) % 4) + i) for i in range(3)]
    edges += [(24 * group, 24 * ((group + 1) % 6) + 7) for group in range(6)]
    (work / "cliques.txt").write_text("".join(f"{a} {b}\n" for a, b in edges))


def core_and_periphery(work: pathlib.Path, data: pathlib.Path) -> None:
    """25 nodes of a core and 65 around it."""
    draw = random.Random(5)
    edges = [
        (i, j)
        for i in range(90)
        for j in range(i)
        if draw.random() < (0.03, 0.2, 0.6)[(i < 25) + (j < 25)]
    ]
    (work / "core.txt").write_text("".join(f"{a} {b}\n" for a, b in edges))


def graphs_of_places(work: pathlib.Path, data: pathlib.Path) -> None:
    """Graphs whose nodes have random places."""
    draw = random.Random(5)
    folder = work / "graphs"
    folder.mkdir()
    for number, nodes in enumerate((80, 120, 160, 100, 140)):
        x = [draw.random() for _ in range(nodes)]
        edges = [
            (i, j)
            for i in range(nodes)
            for j in range(i)
            if draw.random() < (x[i] ** 2 + x[j] ** 2) / 2
        ]
        (folder / f"{number}.txt").write_text("".join(f"{a} {b}\n" for a, b in edges))


PREPARED = {
    "blocks": core_and_periphery,
    "graphon": graphs_of_places,
    "levels": nested_cliques,
    "sizes": sizes_chart,
    "completion": half_seen_graph,
}  # before the last command


def main() -> int:
    program, data = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    GALLERY.mkdir(exist_ok=True)
    page = [
        "# Gallery",
        "",
        "`make gallery` draws these pictures; the commands are below each of them.",
        "",
    ]
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        (work / "path.txt").write_text("a b\nb c\n")
        places = {
            "work": work,
            "data": data,
            "examples": ROOT / "examples" / "data",
        }
        for title, name, words, commands in PICTURES:
            picture = GALLERY / f"{name}.svg"
            needs_data = any("{data}" in line for line in commands)
            if data.exists() or not needs_data:
                for number, command in enumerate(commands, 1):
                    if number == len(commands) and name in PREPARED:
                        PREPARED[name](work, data)
                    arguments = [word.format(out=picture, **places) for word in command.split()]
                    subprocess.run(
                        [program, *arguments, "--quiet"], check=True, stdout=subprocess.DEVNULL
                    )
            if not picture.exists():
                continue
            here = {"out": f"{name}.svg", "work": ".", "data": "data", "examples": "."}
            shown = [command.format(**here) for command in commands]
            page += [f"## {title}", "", words, "", f"![{title}](gallery/{name}.svg)", "", "```"]
            page += ["srgw " + command.replace("./", "") for command in shown] + ["```", ""]
    (ROOT / "docs" / "gallery.md").write_text("\n".join(page))
    return 0


if __name__ == "__main__":
    sys.exit(main())
