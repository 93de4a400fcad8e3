"""
Large graphs and MPI
====================

Partition a large graph with the program, watch memory and time, and spread it over MPI processes.
"""

# %%
# The program
# -----------
# The Python package contains the program ``srgw``. This helper prints a command and its output.

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import matplotlib.pyplot as plt
import srgw

folder = tempfile.mkdtemp()
program = (
    os.environ.get("SRGW_PROGRAM")
    or shutil.which("srgw")
    or str(pathlib.Path(sys.executable).with_name("srgw"))
)
environment = {
    **os.environ,
    "PATH": f"{pathlib.Path(program).parent}{os.pathsep}{os.environ['PATH']}",
}


def shell(command: str) -> str:
    """Runs a command and prints it as in a terminal."""
    run = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    print(f"$ {command}\n{run.stdout}")
    return run.stdout


shell("srgw generate planted -n 20000 -b 20 --degree 20 --seed 1 -o graph.txt --labels blocks.tsv")
shell("srgw info graph.txt")

# %%
# Before you run
# --------------
# ``estimate`` gives memory and time without running; ``--max-memory`` turns the estimate into a
# limit.

shell("srgw estimate partition graph.txt -k 20")

# %%
# Run
# ---
# ``--time-limit`` returns the best result so far. The labels are bit for bit the same for every
# number of threads.

shell("srgw partition graph.txt -k 20 --truth blocks.tsv -o labels.tsv --time-limit 60")

# %%
# In Python, a graph file is read by :func:`srgw.read` in parallel, and stays sparse.

graph = srgw.read(f"{folder}/graph.txt")
print(
    graph.n_nodes,
    "nodes,",
    graph.n_edges,
    "edges;",
    graph.to_scipy().data.nbytes // 2**20,
    "MB of values in SciPy",
)

# %%
# Growth
# ------
# A projection onto a diagonal target costs O(edges) per iteration.

import time

edges, seconds = [], []
for n in (2000, 6000, 18000):
    sample, _ = srgw.generate.planted(n, 20, mean_degree=20, random_state=0)
    began = time.perf_counter()
    srgw.SRGWPartition(20, effort="quick").fit(sample)
    edges.append(sample.n_edges)
    seconds.append(time.perf_counter() - began)
fig, ax = plt.subplots(figsize=(5, 3), layout="constrained")
ax.loglog(edges, seconds, "o-")
ax.set(xlabel="edges", ylabel="seconds")
plt.show()

# %%
# Several processes
# -----------------
# If the graph does not fit on one machine, start the program with ``mpirun``: each rank keeps some
# rows of the graph. See :doc:`/ranks` for the cost of communication. Ranks use the search
# ``--start split-merge``; the same search in one process gives the same labels.

if shutil.which("mpirun"):
    shell("srgw generate planted -n 5000 -b 5 --degree 12 --seed 1 -o small.txt")
    mpirun = "mpirun --allow-run-as-root --oversubscribe -np 2"
    shell(f"{mpirun} srgw partition small.txt -k 5 -o two.tsv")
    shell("srgw partition small.txt -k 5 --start split-merge -o one.tsv")
    shell("cmp one.tsv two.tsv && echo same labels")
