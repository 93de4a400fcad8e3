#!/usr/bin/env python3
# ruff: noqa: E501 (a command is a line)
"""Hashes of what about a hundred commands and Python calls give, to compare two builds byte by byte.

A change that only moves code may not change any of them:

    scripts/fingerprints.py build/release/cli/srgw -o before.json
    ...
    scripts/fingerprints.py build/release/cli/srgw --compare before.json

--site FOLDER adds the Python calls, with the package installed in FOLDER; --ranks N adds runs under mpirun.
Results on other numbers of threads and ranks are compared with those of one at once.
"""

import argparse
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# Keys of the JSON output that differ from run to run.
TIMES = re.compile(r"seconds|time|memory|_ms$|version|manifest|command|host|traffic|file")

INPUTS = [
    "generate planted --nodes 600 --blocks 6 --degree 12 --seed 3 -o planted.txt --labels planted.tsv",
    "generate lfr --nodes 500 --degree 12 --inside 0.7 --seed 4 -o lfr.txt --labels lfr.tsv",
    "generate planted --graphs 40 --nodes 18 --blocks 2 3 --degree 6 --seed 5 --to tud -o graphs",
    "generate planted --nodes 60 --blocks 3 --degree 10 --seed 6 -o small.txt --labels small.tsv",
    "generate planted --nodes 24 --blocks 3 --degree 6 --seed 7 -o tiny.txt --labels tiny.tsv",
    "generate planted --nodes 600 --blocks 6 --degree 8 --seed 8 -o layer.txt",
    "generate planted --nodes 60 --blocks 3 --degree 8 --seed 9 -o relation.txt",
    "generate planted --nodes 24 --blocks 3 --degree 5 --seed 10 -o tiny_relation.txt",
]

THREADS = (
    "solve partition learn embed cluster distances barycenter complete coarsen blockmodel graphon"
).split()

COMMANDS = """
partition planted.txt -k 6 -o OUT.tsv
partition planted.txt -k auto -o OUT.tsv
partition planted.txt -k 6 --seed 1 -o OUT.npy
partition planted.txt -k 6 --seed 2 --save OUT.npz
partition lfr.txt -k auto --truth lfr.tsv -o OUT.csv
partition lfr.txt -k 20 --plan OUT.csv
partition planted.txt -k 6 --structure adjacency --start spectral -o OUT.tsv
partition planted.txt -k 6 --structure adjacency --start kmeans --starts 4 -o OUT.tsv
partition planted.txt -k 6 --structure modularity --start split-merge -o OUT.tsv
partition planted.txt -k 6 --structure modularity --start random --starts 3 -o OUT.tsv
partition planted.txt -k 6 --structure modularity --start fluid -o OUT.tsv
partition planted.txt -k 6 --structure modularity --start random-labels --target scaled-identity:0.8 -o OUT.tsv
partition small.txt -k 3 --structure stability:2 -o OUT.tsv
partition small.txt -k 3 --structure heat:5 -o OUT.tsv
partition small.txt -k 3 --structure heat:5 --method specgwl -o OUT.tsv
partition small.txt -k 3 --method gwl -o OUT.tsv
partition small.txt -k 3 --structure shortest-path -o OUT.tsv
partition small.txt -k 3 --structure laplacian -o OUT.tsv
partition small.txt -k 3 --structure normalized-adjacency -o OUT.tsv
partition small.txt -k 3 --structure adjacency --weights degree --start spectral -o OUT.tsv
partition small.txt -k 3 --structure adjacency --weights power:0.5 --start spectral -o OUT.tsv
partition small.txt -k 3 --structure adjacency --start spectral --target learned -o OUT.tsv
partition small.txt -k 3 --structure adjacency --start spectral --epsilon 0.01 --plan OUT.csv
partition small.txt -k 3 --structure adjacency --start spectral --epsilon 0.05 --entropic-mode entropic --plan OUT.csv
partition small.txt -k 3 --structure adjacency --start spectral --sparsity 0.01 -o OUT.tsv
partition small.txt -k 3 --structure adjacency --start spectral --loss kl --target learned -o OUT.tsv
partition small.txt -k 3 --structure heat --select modularity -o OUT.tsv
partition small.txt -k 3 --features small.csv --alpha 0.6 -o OUT.tsv
partition small.txt -k 3 --picture OUT.svg
partition planted.txt -k 6 --report OUT.html
partition planted.txt layer.txt -o OUT.tsv
partition planted.txt layer.txt -k 6 --layer-weights 1,0.5 --seed 2 -o OUT.tsv
partition lfr.txt --previous lfr.tsv --keep 0.2 -o OUT.tsv
partition lfr.txt --fixed some.tsv -o OUT.tsv
partition lfr.txt -k 12 --previous lfr.tsv --min-size 10 --max-size 80 -o OUT.tsv
solve small.txt tiny.txt --plan OUT.csv
solve small.txt tiny.txt --start spectral --plan OUT.csv
solve small.txt tiny.txt --start random --starts 5 --seed 2 --plan OUT.csv
solve small.txt tiny.txt --start kmeans --plan OUT.csv
solve small.txt tiny.txt --start spectral --structure shortest-path --plan OUT.csv
solve small.txt tiny.txt --start random --structure heat:3 --plan OUT.csv
solve small.txt tiny.txt --divergence gw --plan OUT.csv
solve small.txt tiny.txt --divergence gw --epsilon 0.05 --plan OUT.csv
solve small.txt tiny.txt --start random --epsilon 0.05 --plan OUT.csv
solve small.txt tiny.txt --start random --loss kl --plan OUT.csv
solve small.txt tiny.txt --start random --sparsity 0.05 --save OUT.npz
solve small.txt tiny.txt --start random --features small.csv --target-features tiny.csv --plan OUT.csv
solve small.txt tiny.txt --divergence fgw --features small.csv --target-features tiny.csv --plan OUT.csv
solve planted.txt tiny.txt --start spectral --plan OUT.csv
solve small.txt tiny.txt --forbidden forbidden.txt --anchors anchors.txt --plan OUT.csv
solve small.txt tiny.txt --forbidden forbidden.txt --epsilon 0.05 --plan OUT.csv
solve small.txt tiny.txt --share 0.7 --start random --starts 2 --plan OUT.csv
solve small.txt tiny.txt --relation relation.txt tiny_relation.txt --relation-weight 0.5 --plan OUT.csv
solve small.txt tiny.txt --alpha balanced --features small.csv --target-features tiny.csv --plan OUT.csv
learn graphs -m 6 -o OUT.npz --epochs 5
learn graphs -m 6 -o OUT.npz --epochs 5 --structure shortest-path --seed 3
learn graphs -m 6 -o OUT.npz --epochs 5 --learner adam --batch 8
learn graphs -m 6 -o OUT.npz --epochs 5 --sparsity 0.01 --atoms 2
learn graphs -m 6 -o OUT.npz --epochs 5 --epsilon 0.05 --learner adam
learn graphs --model gdl -m 6 --atoms 3 --epochs 3 -o OUT.npz
learn graphs --model gwf -m 6 --atoms 2 --epochs 2 -o OUT.npz
learn graphs -m 6 -o OUT.npz --epochs 5 --for-completion 0.2 --features none
embed model.npz graphs -o OUT.csv
embed model.npz graphs -o OUT.csv --coordinates sqrt,value,form,spectrum,quantiles,log-size --random-starts 2
embed model.npz graphs -o OUT.npy --search method
embed gdl.npz graphs -o OUT.csv
embed gwf.npz graphs -o OUT.csv
cluster graphs -k 2 -o OUT.csv
cluster graphs -k 3 -o OUT.csv --scale blocks --coordinates weights,value --seed 2
cluster graphs -k 2 -o OUT.csv --method gw-kmeans -m 5
cluster graphs -k 2 -o OUT.csv --model gdl -m 6 --atoms 3 --epochs 2
distances graphs -o OUT.csv
distances graphs -o OUT.csv --structure shortest-path --random-starts 2
coarsen small.txt -m 12 --assignment OUT.tsv
coarsen planted.txt --ratio 0.1 --assignment OUT.tsv
blockmodel small.txt -o OUT.tsv
blockmodel planted.txt -k 5 --degree-corrected -o OUT.tsv
graphon graphs -k 4 -o OUT.npz
graphon graphs --seed 3 --values OUT.npy
barycenter graphs -m 5 -o OUT.npz --start random
barycenter graphs -m 5 -o OUT.npz --divergence gw --turns 5
complete complete.npz tiny.txt --nodes 26 -o OUT.txt --probabilities OUT.csv
complete complete.npz tiny.txt --nodes 26 -o OUT.txt --method alternate
complete complete.npz tiny.txt --nodes 26 -o OUT.txt --method adam --iterations 20
coarsen planted.txt -m 40 -o OUT.txt --assignment OUT.tsv --means OUT.npz
coarsen small.txt --ratio 0.3 -o OUT.txt --assignment OUT.tsv --structure laplacian --weights degree
coarsen small.txt -m 12 -o OUT.txt --features small.csv --coarse-features OUT.csv
blockmodel planted.txt -o OUT.tsv --probabilities OUT.npy
blockmodel planted.txt -k 6 -o OUT.tsv --degree-corrected --seed 2
blockmodel small.txt -o OUT.tsv --held-out 0.1 --sample OUT.txt
score planted.tsv planted.tsv
info planted.txt
info graphs
check lfr.txt
convert planted.txt OUT.graphml
convert planted.txt OUT.gml
convert planted.txt OUT.mtx
convert planted.txt OUT.metis
convert planted.txt OUT.npz
convert planted.txt OUT.csv
draw saved.npz -o OUT.svg
estimate partition planted.txt -k 6
generate lfr --nodes 300 --degree 10 --inside 0.8 --seed 9 -o OUT.txt
""".strip().splitlines()

# Models that later commands read, made by the program itself.
MODELS = [
    "learn graphs -m 6 -o model.npz --epochs 5 --seed 1",
    "learn graphs --model gdl -m 6 --atoms 3 --epochs 2 -o gdl.npz",
    "learn graphs --model gwf -m 6 --atoms 2 --epochs 2 -o gwf.npz",
    "learn graphs -m 6 -o complete.npz --epochs 5 --for-completion 0.2 --features none",
    "partition small.txt -k 3 --save saved.npz",
]

RANKS = """
partition planted.txt -k 6 --start split-merge -o OUT.tsv
partition planted.txt -k 6 --start random --structure adjacency -o OUT.tsv
partition lfr.txt -k 20 --start split-merge -o OUT.tsv
learn graphs -m 6 -o OUT.npz --epochs 5
embed model.npz graphs -o OUT.csv
cluster graphs -k 2 -o OUT.csv
""".strip().splitlines()

PYTHON = """
srgw.SRGWPartition(6).fit(A).labels_
srgw.SRGWPartition().fit(A).labels_
srgw.SRGWPartition(6, random_state=3).fit(A).plan_
srgw.semirelaxed_gromov_wasserstein(D, E, p)
srgw.semirelaxed_gromov_wasserstein2(D, E, p)
srgw.semirelaxed_fused_gromov_wasserstein(M, D, E, p, alpha=0.4)
srgw.entropic_semirelaxed_gromov_wasserstein(D, E, p, epsilon=0.05)
srgw.gromov_wasserstein(D, E, p, q)
srgw.gromov_wasserstein2(D, E, p, q)
srgw.fused_gromov_wasserstein(M, D, E, p, q, alpha=0.3)
srgw.entropic_gromov_wasserstein(D, E, p, q, epsilon=0.05)
srgw.BAPG_gromov_wasserstein(D, E, p, q, epsilon=0.1)
srgw.gromov_barycenters(5, [D, E], max_iter=5, random_state=1)
srgw.semirelaxed_gromov_barycenters(5, [D, E], max_iter=5, random_state=1)
srgw.gromov_wasserstein_dictionary_learning([D, E, D], 2, 4, epochs=2, random_state=1)
srgw.SRGWDictionary(5, random_state=0).fit(graphs).transform(graphs)
srgw.GDL(2, 5, max_epochs=2, random_state=0).fit_transform(graphs)
srgw.GWF(2, 5, max_epochs=2, random_state=0).fit_transform(graphs)
srgw.GWKMeans(2, 5, random_state=0).fit_predict(graphs)
srgw.GraphClusterer(2, random_state=0).fit_predict(graphs)
srgw.pairwise(list(graphs)[:6])
srgw.partial_gromov_wasserstein(D, E, p, q, m=0.6)
srgw.partial_fused_gromov_wasserstein(M, D, E, p, q, m=0.6, alpha=0.3)
srgw.entropic_partial_gromov_wasserstein(D, E, p, q, reg=0.1, m=0.6)
srgw.entropic_partial_fused_gromov_wasserstein(M, D, E, p, q, reg=0.1, m=0.6)
srgw.semirelaxed_gromov_wasserstein(D, E, p, forbidden=[(0, 0), (1, 2)], anchors={3: 1})
srgw.semirelaxed_gromov_wasserstein(D, E, p, share=0.7)
srgw.semirelaxed_fused_gromov_wasserstein(M, D, E, p, alpha='balanced')
srgw.SRGWPartition(layer_weights=[1, 0.5]).fit([A, srgw.read('layer.txt')]).labels_
srgw.GraphCoarsener(40, random_state=0).fit(A).labels_
srgw.BlockModel(random_state=0).fit(A).probabilities_
""".strip().splitlines()

PREPARE = """
import sys, numpy as np
sys.path.insert(0, {site!r})
import srgw
graphs = srgw.read_dataset('graphs')
A = srgw.read('planted.txt')
rng = np.random.default_rng(0)
D = rng.integers(0, 2, (20, 20)); D = np.triu(D, 1); D = (D + D.T).astype(float)
E = rng.integers(0, 2, (7, 7)); E = np.triu(E, 1); E = (E + E.T).astype(float)
p, q = np.full(20, 1 / 20), np.full(7, 1 / 7)
M = rng.random((20, 7))
"""

SHOW = """
def flat(x):
    if isinstance(x, (tuple, list)): return b'|'.join(flat(y) for y in x)
    if isinstance(x, dict): return b'|'.join(k.encode() + flat(v) for k, v in sorted(x.items()))
    return np.ascontiguousarray(x).tobytes() if not isinstance(x, str) else x.encode()
"""


def hashed(data):
    return hashlib.sha256(data).hexdigest()[:16]


def without_times(value):
    if isinstance(value, dict):
        return {k: without_times(v) for k, v in value.items() if not TIMES.search(k)}
    return [without_times(v) for v in value] if isinstance(value, list) else value


def content(path):
    """Content of a file, without dates of archives and facts about the run in a page."""
    data = path.read_bytes()
    if path.suffix == ".npz":
        import zipfile

        with zipfile.ZipFile(path) as archive:
            return b"".join(
                name.encode() + archive.read(name)
                for name in sorted(archive.namelist())
                if b"seconds" not in archive.read(name)  # the manifest of a saved result
            )
    if path.suffix == ".html":
        data = re.sub(rb"\d+(\.\d+)? m?s\b", b"", data)
        data = re.sub(rb"<h2[^>]*>(Reproduc|How this).*", b"", data, flags=re.S)
    return data


def run_command(program, line, extra=(), launcher=()):
    """A hash of the output, the exit code and all files that were written."""
    words = line.split()
    with tempfile.TemporaryDirectory(dir=".") as folder:
        words = [re.sub(r"^OUT", f"{folder}/out", word) for word in words]
        if words[0] not in ("generate", "draw", "convert"):
            words.append("--json")
        done = subprocess.run(
            [*launcher, program, *words, *extra], capture_output=True, text=True, timeout=600
        )
        text = done.stdout.replace(folder, "")
        try:
            text = json.dumps(without_times(json.loads(text)), sort_keys=True)
        except json.JSONDecodeError:
            pass
        parts = [str(done.returncode).encode(), text.encode()]
        if done.returncode not in (0, 4):
            parts.append(done.stderr.encode())
        for path in sorted(pathlib.Path(folder).rglob("*")):
            if path.is_file():
                parts.append(content(path).replace(folder.encode(), b""))
    return hashed(b"\0".join(parts)), done


def write_inputs():
    """Features, pairs and labels that the commands read."""
    for name, count in [("small", 60), ("tiny", 24)]:
        rows = [f"{(i * 37) % 11 / 11},{(i * 17) % 7 / 7}" for i in range(count)]
        pathlib.Path(f"{name}.csv").write_text("\n".join(rows) + "\n")
    pathlib.Path("forbidden.txt").write_text("0 0\n0 1\n5 2\n17 3\n")
    pathlib.Path("anchors.txt").write_text("3 1\n40 7\n")


def write_known_labels():
    """The labels of every tenth node, for runs that keep them."""
    lines = pathlib.Path("lfr.tsv").read_text().splitlines()
    pathlib.Path("some.tsv").write_text("\n".join(lines[::10]) + "\n")


def python_prints(site):
    prints = {}
    for call in PYTHON:
        code = PREPARE.format(site=site) + SHOW + f"\nsys.stdout.buffer.write(flat({call}))"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True)
        tail = done.stderr.decode().strip().splitlines()[-1:] if done.returncode else []
        prints[call] = hashed(done.stdout + " ".join(tail).encode())
        if tail:
            print("python:", call, *tail, file=sys.stderr)
    return prints


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("program")
    parser.add_argument("-o", "--output", help="write the hashes to this file")
    parser.add_argument(
        "--compare", help="hashes of another build; differences are listed, exit code 1"
    )
    parser.add_argument("--site", help="folder that holds the Python package")
    parser.add_argument(
        "--ranks", type=int, default=0, help="also run under mpirun with up to N ranks"
    )
    parser.add_argument("--only", default="", help="only commands that contain this text")
    args = parser.parse_args()
    program = str(pathlib.Path(args.program).resolve())
    former = json.loads(pathlib.Path(args.compare).read_text()) if args.compare else {}
    output = args.output and pathlib.Path(args.output).resolve()
    site = args.site and str(pathlib.Path(args.site).resolve())
    prints, failed = {}, 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        write_inputs()
        for line in INPUTS + MODELS:
            done = subprocess.run([program, *line.split()], capture_output=True, text=True)
            if done.returncode != 0:
                print("input:", line, done.stderr, file=sys.stderr)
        write_known_labels()
        for line in COMMANDS:
            if args.only not in line:
                continue
            prints[line], done = run_command(
                program, line, ["-j", "1"] if line.split()[0] in THREADS else []
            )
            if done.returncode not in (0, 4):
                print(f"{line}: exit {done.returncode}: {done.stderr.strip()}", file=sys.stderr)
            # Saved results and pages hold the command line, which names the threads.
            if line.split()[0] in THREADS and "--save" not in line and "--report" not in line:
                for threads in ("2", "8"):
                    if run_command(program, line, ["-j", threads])[0] != prints[line]:
                        print(f"{line}: differs on {threads} threads")
                        failed = 1
        if args.ranks:
            for line in RANKS:
                launcher = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-np"]
                for ranks in range(1, args.ranks + 1):
                    name = f"{ranks} ranks: {line}"
                    prints[name], _ = run_command(
                        program, line, ["-j", "1"], [*launcher, str(ranks)]
                    )
        if site:
            prints.update(python_prints(site))
        os.chdir("/")
    if output:
        output.write_text(json.dumps(prints, indent=1) + "\n")
    for name in prints:
        if former and former.get(name) != prints[name]:
            print(f"differs: {name}" if name in former else f"new: {name}")
            failed = 1
    print(f"{len(prints)} hashes")
    return failed


if __name__ == "__main__":
    sys.exit(main())
