"""For every command: text and JSON agree, threads and ranks do not show, and typed defaults change
nothing. A new command without an entry fails."""

import dataclasses
import json
import pathlib
import re
import subprocess
import sys

import pytest
from program import PROGRAM, ROOT, run
from ranks import run_ranks

sys.path.insert(0, str(ROOT / "scripts"))
import cli_docs  # noqa: E402

# Keys of JSON that differ from run to run, or between ranks and one process.
VOLATILE = re.compile(r"seconds|^ranks$")


@dataclasses.dataclass
class Verb:
    """A command. OUT is where it writes; `keys` are the lines of its text, by the key of JSON that
    has the same number or word first."""

    words: str
    keys: dict[str, str] = dataclasses.field(default_factory=dict)
    ranks: str = ""  # what it runs with on one and several ranks; empty: it runs on one only
    other: str = ""  # options of other models, which are refused
    needs_threads: bool = False  # what it says depends on threads


SOLUTION = {"value": "value", "gap": "gap", "status": "status", "seconds": "seconds"}
VERBS = {
    "solve": Verb("solve small.txt tiny.txt --start random --starts 3 --plan OUT.csv",
                  {k: v for k, v in SOLUTION.items() if k != "seconds"}),
    "solve pairs": Verb("solve small.txt tiny.txt --forbidden forbidden.txt --anchors anchors.txt"
                        " --relation layer.txt tiny.txt --relation-weight 0.5 --plan OUT.csv",
                        {"value": "value", "gap": "gap", "status": "status"}),
    "solve share": Verb("solve small.txt tiny.txt --share 0.7 --plan OUT.csv",
                        {"value": "value", "gap": "gap", "status": "status"}),
    "partition": Verb("partition small.txt -k 3 --truth small.tsv -o OUT.tsv",
                      {"clusters": "clusters", "modularity": "modularity", "value": "value",
                       "gap": "gap", "status": "status", "ami": "ami", "ari": "ari", "ri": "ri",
                       "nmi": "nmi"},
                      ranks="--start split-merge"),
    "partition layers": Verb("partition small.txt layer.txt --layer-weights 1,0.5 --truth small.tsv"
                             " -o OUT.tsv",
                             {"clusters": "clusters", "modularity": "modularity", "ami": "ami"}),
    "partition update": Verb("partition small.txt --previous small.tsv --fixed some.tsv"
                             " --max-size 25 --min-size 2 -o OUT.tsv",
                             {"clusters": "clusters", "modularity": "modularity"}),
    "coarsen": Verb("coarsen small.txt --ratio 0.3 -o OUT.txt --assignment OUT.tsv"
                    " --means OUT.npz",
                    {"coarse nodes": "coarse_nodes", "coarse edges": "coarse_edges",
                     "value": "value"}),
    "blockmodel": Verb("blockmodel small.txt --held-out 0.1 --truth small.tsv -o OUT.tsv"
                       " --probabilities OUT.npy --sample OUT.txt",
                       {"blocks": "blocks", "length": "description_length",
                        "held out": "held_out_pairs", "ami": "ami", "ari": "ari", "ri": "ri",
                        "nmi": "nmi"}),
    "graphon": Verb("graphon graphs --steps 4 -o OUT.npz",
                    {"graphs": "graphs", "steps": "steps", "density": "density",
                     "value": "value"}),
    "barycenter": Verb("barycenter graphs -m 4 --turns 5 -o OUT.npy",
                       {"value": "value", "status": "status"}),
    "learn": Verb("learn graphs -m 4 --epochs 5 -o OUT.npz", {"loss": "loss", "status": "status"},
                  ranks="-v"),
    "learn gdl": Verb("learn graphs -m 4 --model gdl --epochs 6 --early-stopping 2 -o OUT.npz",
                      {"loss": "loss", "status": "status"},
                      other="--max-iterations --absolute-tolerance --stopping --ties "
                            "--polish-sweeps --max-rounds --round-tolerance --warm --epsilon "
                            "--relative --anneal-from --anneal-iterations --test-interval "
                            "--value-tolerance"),
    "embed": Verb("embed model.npz graphs -o OUT.npy", {"mean value": "mean_value"}, ranks="-v"),
    "cluster": Verb("cluster graphs -k 2 --atoms 2 --epochs 5 --truth auto -o OUT.tsv",
                    {"graphs": "graphs", "inertia": "inertia", "ari": "ari", "ri": "ri",
                     "ami": "ami", "largest_cluster": "largest_cluster"}, ranks="-v"),
    "complete": Verb("complete model.npz tiny.txt --nodes 26 --method alternate -o OUT.txt",
                     {"value": "value"}),
    "distances": Verb("distances graphs -o OUT.npy", {"mean value": "mean_value"}),
    "draw": Verb("draw result.npz -o OUT.svg"),
    "score": Verb("score small.tsv small.tsv --graph small.txt",
                  {"ami": "ami", "ari": "ari", "ri": "ri", "nmi": "nmi",
                   "modularity": "modularity"}),
    "info": Verb("info small.txt", {"nodes": "nodes", "edges": "edges"}),
    "check": Verb("check small.txt"),
    "convert": Verb("convert small.txt OUT.graphml"),
    "generate": Verb("generate planted -n 40 -b 2 --degree 6 -o OUT.txt",
                     other="--p-in --p-out --exponent --size-exponent --smallest-degree "
                     "--smallest-block --noise "
                           "--overlap --size-variation"),
    "estimate": Verb("estimate partition small.txt -k 3", needs_threads=True),
}  # fmt: skip
INSTANT = {"completions"}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    folder = tmp_path_factory.mktemp("honesty")
    for line in (
        "generate planted --nodes 60 --blocks 3 --degree 10 -o small.txt --labels small.tsv",
        "generate planted --nodes 24 --blocks 3 --degree 6 --seed 7 -o tiny.txt",
        "generate planted --graphs 20 --nodes 18 --blocks 2 3 --degree 6 --to tud -o graphs",
        "learn graphs -m 4 --features none --epochs 5 -o model.npz",
        "partition small.txt -k 3 --save result.npz",
    ):
        subprocess.run([PROGRAM, *line.split()], cwd=folder, check=True, capture_output=True)
    # A layer on these nodes, and some pairs of nodes.
    nodes = [line.split()[0] for line in (folder / "small.tsv").read_text().splitlines()]
    ring = zip(nodes, nodes[1:] + nodes[:1], strict=True)
    (folder / "layer.txt").write_text("".join(f"{a} {b}\n" for a, b in ring))
    (folder / "some.tsv").write_text(f"{nodes[0]}\t0\n{nodes[1]}\t0\n")
    (folder / "forbidden.txt").write_text(f"{nodes[2]} 3\n{nodes[5]} 7\n")
    (folder / "anchors.txt").write_text(f"{nodes[0]} 0\n{nodes[9]} 11\n")
    return folder


def words_of(verb: Verb, place: pathlib.Path, out: pathlib.Path) -> list[str]:
    """The command with files by their paths."""
    words = verb.words.replace("OUT", str(out / "out")).split()
    return [str(place / word) if (place / word).exists() else word for word in words]


def result_of(words: list[str], out: pathlib.Path, runner: object = run) -> tuple[dict, bytes]:
    """JSON without what differs from run to run, and the bytes of the file."""
    answer = json.loads(runner(*words, "--json").stdout)
    answer = {key: value for key, value in answer.items() if not VOLATILE.search(key)}
    files = sorted(out.iterdir())
    data = b"".join(file.read_bytes() for file in files)
    for file in files:
        file.unlink()
    return answer, data


def test_every_command_has_an_entry() -> None:
    text = run("--help").stdout.split("Commands:")[1]
    assert set(re.findall(r"^  ([a-z]+) ", text, re.MULTILINE)) - INSTANT == {
        verb.words.split()[0] for verb in VERBS.values()
    }


def same(shown: str, value: object) -> bool:
    """Whether text shows a value: a word, or a number to as many digits as are shown."""
    word = shown.split()[0].rstrip(",;")
    if isinstance(value, bool):
        return word == ("yes" if value else "no")
    if isinstance(value, str):
        return word == value
    number = re.fullmatch(r"-?\d+(?:\.(\d*))?(?:e([+-]\d+))?", word)
    if number is None:
        return False
    unit = 10.0 ** (int(number[2] or 0) - len(number[1] or ""))
    return abs(float(word) - value) <= 0.5001 * unit + 1e-9 * abs(value)


@pytest.mark.parametrize("name", VERBS)
def test_text_and_json_agree(name: str, place: pathlib.Path, tmp_path: pathlib.Path) -> None:
    verb = VERBS[name]
    words = words_of(verb, place, tmp_path)
    lines = run(*words).stdout.splitlines()
    answer = json.loads(run(*words, "--json").stdout)
    text = {}
    for line in lines:
        if found := re.match(r"(\w+(?: \w+)*)\s{2,}(.*)", line):
            text.setdefault(found[1], found[2])
    for shown, key in verb.keys.items():
        assert same(text[shown], answer[key]), (shown, text[shown], answer[key])
    # A line whose name is a key of JSON must agree with it, listed or not.
    for shown, value in text.items():
        key = shown.replace(" ", "_")
        if isinstance(answer.get(key), (int, float, str)) and not VOLATILE.search(key):
            assert same(value, answer[key]), (shown, value, answer[key])


@pytest.mark.parametrize("name", VERBS)
def test_threads_and_ranks_do_not_show(
    name: str, place: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    verb = VERBS[name]
    words = words_of(verb, place, tmp_path)
    first = result_of([*words, "-j", "1"], tmp_path)
    for threads in ("2", "8") if not verb.needs_threads else ():
        assert result_of([*words, "-j", threads], tmp_path) == first
    if not verb.ranks:
        return
    words += verb.ranks.split()
    first = result_of(words, tmp_path)
    for count in (2, 3):
        answer, data = result_of(words, tmp_path, lambda *w, n=count: run_ranks(n, *w))
        assert data == first[1]
        for key, value in answer.items():
            assert first[0].get(key) == value, key


def defaults_of(name: str) -> list[str]:
    """Options of the default method with the defaults that help shows."""
    options = cli_docs.options(str(PROGRAM), *name.split())
    known = [o for o in options if o.default is not None and "Only with --method" not in o.text]
    return [word for option in known for word in (option.name, option.default)]


@pytest.mark.parametrize("name", VERBS)
def test_typed_defaults_change_nothing(
    name: str, place: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    words = words_of(VERBS[name], place, tmp_path)
    given = set(words) | set(VERBS[name].other.split())
    short = {"-k": "--clusters", "-m": "--size", "-o": "--output", "-n": "--nodes",
             "-b": "--blocks"}  # fmt: skip
    given |= {short[word] for word in words if word in short}
    command = words[0]
    defaults = defaults_of("estimate partition" if command == "estimate" else command)
    pairs = zip(defaults[::2], defaults[1::2], strict=True)
    typed = [word for option, value in pairs if option not in given for word in (option, value)]
    assert result_of(words + typed, tmp_path) == result_of(words, tmp_path)


VERTEX_TRANSITIVE = {
    "cycle": [(i, (i + 1) % 8) for i in range(8)],
    "cube": [(i, i ^ bit) for i in range(8) for bit in (1, 2, 4) if i < i ^ bit],
    "Petersen": [(i, (i + 1) % 5) for i in range(5)]
    + [(i, i + 5) for i in range(5)]
    + [(5 + i, 5 + (i + 2) % 5) for i in range(5)],
}


@pytest.mark.parametrize("start", ["auto", "product", "random", "random-product", "random-labels"])
@pytest.mark.parametrize("graph", VERTEX_TRANSITIVE)
def test_no_symmetric_start_ends_on_one_node(
    graph: str, start: str, tmp_path: pathlib.Path
) -> None:
    file = tmp_path / "graph.txt"
    file.write_text("".join(f"{a} {b}\n" for a, b in VERTEX_TRANSITIVE[graph]))
    for seed in range(5):
        words = ["solve", file, file, "--start", start, "--seed", seed, "--json"]
        answer = json.loads(run(*words).stdout)
        assert sum(weight > 0 for weight in answer["target_weights"]) > 1


@pytest.mark.parametrize("start", ["split-merge", "multilevel", "kmeans", "fluid"])
@pytest.mark.parametrize("graph", VERTEX_TRANSITIVE)
def test_mirror_descent_does_not_call_one_node_converged(
    graph: str, start: str, tmp_path: pathlib.Path
) -> None:
    file = tmp_path / "graph.txt"
    file.write_text("".join(f"{a} {b}\n" for a, b in VERTEX_TRANSITIVE[graph]))
    for epsilon in (0.01, 1):
        words = ["solve", file, "identity:3", "--start", start, "--epsilon", epsilon, "--json"]
        answer = json.loads(run(*words).stdout)
        collapsed = sum(weight > 1e-9 for weight in answer["target_weights"]) == 1
        assert not (collapsed and answer["gap"] > 0 and answer["status"] == "converged")
