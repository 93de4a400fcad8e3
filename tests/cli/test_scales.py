"""For every command: weights times a power of two give the same labels, plans and shares, and
values times its square, to the last bit; or a refusal in words. A new command without an entry
fails."""

import dataclasses
import json
import math
import pathlib
import re
import subprocess

import numpy as np
import pytest
from program import BAD_INPUT, FINE, PROGRAM, run

EXPONENTS = [-900, -300, -40, 40, 300, 900]


@dataclasses.dataclass
class Verb:
    """A command on weighted graphs. Its JSON has `squared` keys, which follow the square of the
    scale, and `same` keys; `near` ones are those of eigenvalues. Numbers of OUT, where it writes,
    follow its power `degree`."""

    words: str
    same: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    squared: tuple[str, ...] = ()
    degree: int = 0
    suffix: str = ".npy"


VERBS = {
    "solve": Verb("solve graph.txt target.txt --starts 3 --start random --plan OUT",
                  squared=("value", "gap")),
    "solve share": Verb("solve graph.txt target.txt --share 0.7 --plan OUT",
                        squared=("value", "gap")),
    "solve pairs": Verb("solve graph.txt target.txt --forbidden pairs.txt --anchors anchors.txt"
                        " --relation graph.txt target.txt --relation-weight 0.5 --plan OUT",
                        squared=("value", "gap")),
    "partition layers": Verb("partition graph.txt layer.txt --layer-weights 1,0.5 -o OUT",
                             same=("clusters", "modularity"), suffix=".tsv"),
    "partition update": Verb("partition graph.txt --previous labels.tsv --max-size 5 -o OUT",
                             same=("clusters", "modularity"), suffix=".tsv"),
    "partition": Verb("partition graph.txt -k 3 -o OUT", same=("clusters", "modularity"),
                      suffix=".tsv"),
    "coarsen": Verb("coarsen graph.txt -m 4 --assignment OUT", near=("spectral_error",),
                    squared=("value",), suffix=".tsv"),
    "graphon": Verb("graphon graphs -k 4 --values OUT", same=("widths", "steps"),
                    squared=("value",), degree=1),
    "barycenter": Verb("barycenter graphs -m 4 --turns 5 -o OUT", squared=("value",), degree=1),
    "learn": Verb("learn graphs -m 4 --epochs 5 -o OUT", squared=("loss",), suffix=".npz"),
    "embed": Verb("embed model.npz graphs -o OUT", squared=("mean_value",)),
    "cluster": Verb("cluster graphs -k 2 --atoms 2 --epochs 5 -o OUT", same=("inertia",),
                    suffix=".tsv"),
    "complete": Verb("complete model.npz graph.txt --nodes 14 --method alternate -o OUT.txt"
                     " --probabilities OUT",
                     same=("edges_added",), squared=("value",), degree=-1),
    "distances": Verb("distances graphs -o OUT", squared=("mean_value",), degree=2),
}  # fmt: skip
# Neither solved nor learned from: the numbers are read, drawn, counted or made. The weights of
# block models are counts, which have no scale.
OTHERS = {
    "blockmodel", "draw", "score", "info", "check", "convert", "generate", "estimate",
    "completions",
}  # fmt: skip


def test_every_command_has_an_entry() -> None:
    listed = {
        line.split()[0]
        for line in run("--help").stdout.partition("Commands:")[2].splitlines()
        if line.startswith("  ") and not line.startswith("   ")
    }
    assert listed, "no commands in the help text"
    tested = {verb.words.split()[0] for verb in VERBS.values()}
    assert listed - {"help", "manual"} == tested | OTHERS


def write_graph(path: pathlib.Path, nodes: int, factor: float, seed: int) -> None:
    """A ring with chords, whose weights are 1 to 2 times the factor."""
    random = np.random.default_rng(seed)
    lines = []
    for i in range(nodes):
        for step in (1, 2 + seed % 3):
            weight = float(1 + random.integers(0, 16) / 16) * factor
            lines.append(f"{i} {(i + step) % nodes} {weight!r}")
    path.write_text("\n".join(lines) + "\n")


def make_place(folder: pathlib.Path, exponent: int) -> pathlib.Path:
    factor = math.ldexp(1.0, exponent)
    write_graph(folder / "graph.txt", 12, factor, 1)
    write_graph(folder / "target.txt", 9, factor, 2)
    write_graph(folder / "layer.txt", 12, factor, 3)
    (folder / "pairs.txt").write_text("1 2\n4 0\n")
    (folder / "anchors.txt").write_text("0 0\n7 3\n")
    (folder / "labels.tsv").write_text("".join(f"{i}\t{i // 4}\n" for i in range(12)))
    (folder / "graphs").mkdir()
    for g in range(8):
        write_graph(folder / "graphs" / f"g{g}.txt", 9 + g % 4, factor, g)
    words = "learn graphs -m 4 --features none --epochs 5 -o model.npz"
    subprocess.run([PROGRAM, *words.split()], cwd=folder, check=False, capture_output=True)
    return folder


def result_of(name: str, folder: pathlib.Path) -> tuple[dict, np.ndarray | bytes] | None:
    """JSON and the file; nothing: refused in words."""
    verb = VERBS[name]
    out = folder / f"{name.replace(' ', '-')}-out{verb.suffix}"
    words = verb.words.replace("OUT.txt", str(folder / "out.txt")).replace("OUT", str(out)).split()
    if not (folder / "model.npz").exists() and "model.npz" in words:
        return None
    answer = subprocess.run(
        [PROGRAM, *words, "--json"], cwd=folder, check=False, capture_output=True, text=True
    )
    if answer.returncode == BAD_INPUT:
        assert re.search("power of two|squares overflow", answer.stderr), answer.stderr
        return None
    assert answer.returncode == FINE, answer.stderr
    assert "NaN" not in answer.stdout and "Infinity" not in answer.stdout
    if verb.suffix == ".npz":
        with np.load(out) as model:
            return json.loads(answer.stdout), model["atom0_structure"]
    return json.loads(answer.stdout), np.load(out) if verb.suffix == ".npy" else out.read_bytes()


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    return make_place(tmp_path_factory.mktemp("usual"), 0)


@pytest.mark.parametrize("exponent", EXPONENTS)
def test_results_follow_the_scale_or_are_refused(
    exponent: int, usual: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    folder = make_place(tmp_path, exponent)
    refused = []
    for name, verb in VERBS.items():
        expected, found = result_of(name, usual), result_of(name, folder)
        assert expected is not None, name
        if found is None:
            refused.append(name)
            continue
        for key in verb.same:
            assert found[0][key] == expected[0][key], (name, key)
        for key in verb.near:
            assert found[0][key] == pytest.approx(expected[0][key], rel=1e-12), (name, key)
        for key in verb.squared:
            assert found[0][key] == math.ldexp(expected[0][key], 2 * exponent), (name, key)
        if isinstance(expected[1], bytes):
            assert found[1] == expected[1], name
        elif verb.degree >= 0:
            degree = 1 if verb.suffix == ".npz" else verb.degree
            assert np.array_equal(found[1], np.ldexp(expected[1], degree * exponent)), name
        else:
            assert np.isfinite(found[1]).all(), name
    assert not refused if abs(exponent) <= 300 else "partition" not in refused


@pytest.mark.parametrize("options", ["--weights degree", "--epsilon 0.1", "--start spectral"])
@pytest.mark.parametrize("weight", ["1e-300", "1e300", "5e-324"])
def test_a_path_of_any_weight_has_parts(options: str, weight: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "path.txt"
    path.write_text("".join(f"{i} {i + 1} {weight}\n" for i in range(4)))
    answer = subprocess.run(
        [PROGRAM, "partition", path, "-k", "2", *options.split(), "--json"],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert answer.returncode in (FINE, BAD_INPUT), answer.stderr
    assert "NaN" not in answer.stdout and "nan" not in answer.stderr
