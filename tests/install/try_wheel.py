"""What a stranger does first, in an environment with the wheel and NumPy alone."""

import importlib.metadata
import importlib.util
import pathlib
import subprocess
import sys

import numpy as np
import srgw

for absent in ("scipy", "networkx", "sklearn"):
    assert importlib.util.find_spec(absent) is None, absent

graph, blocks = srgw.generate.planted(2000, 5, mean_degree=16)
model = srgw.SRGWPartition(5).fit(graph)
assert srgw.metrics.adjusted_mutual_information(blocks, model.labels_) > 0.9

C = np.kron(np.eye(3), np.ones((4, 4)))
for start in (None, "kmeans", "spectral", "fluid", "random"):
    T = srgw.semirelaxed_gromov_wasserstein(C, np.eye(3), G0=start)
    assert np.allclose(T.sum(axis=1), 1 / 12)

files = {str(f) for f in importlib.metadata.files("srgw") or []}
assert any(f.endswith("THIRD_PARTY.md") for f in files), "no notices"
assert any(f.endswith("libhwy-dev.txt") for f in files), "no notices"
folder = pathlib.Path(srgw.__file__).parent
assert (folder / "py.typed").exists() and (folder / "_srgw.pyi").exists()
program = pathlib.Path(sys.executable).with_name("srgw")
answer = subprocess.run([program, "--version"], check=True, capture_output=True, text=True)
assert srgw.__version__ in answer.stdout
assert srgw.__version__ == importlib.metadata.version("srgw")

# Without MPI several processes would write the same files.
several = subprocess.run(
    [program, "info", "graph.txt"],
    check=False, capture_output=True, text=True, env={"OMPI_COMM_WORLD_SIZE": "2"},
)  # fmt: skip
assert several.returncode == 2 and "2 processes were started" in several.stderr

print("wheel: works")
