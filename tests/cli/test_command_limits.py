"""Every command ends soon after its time limit or a signal, says so, and writes nothing by halves.

The inputs would take each command 20 s or more. SRGW_TEST_FULL=1 adds large inputs;
SRGW_LIMIT_MARGIN=1 allows one second instead of three, for a machine that does nothing else.
"""

import dataclasses
import io
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import threading
import time

import numpy as np
import pytest
from program import CLUBS, FINE, INTERRUPTED, KARATE, PROGRAM, RESOURCE, run, shared
from ranks import start_ranks

LIMIT = 0.3
MARGIN = float(os.environ.get("SRGW_LIMIT_MARGIN", "3"))
FULL = "SRGW_TEST_FULL" in os.environ
# These print a text and read nothing.
INSTANT = {"completions"}
# A stopped `learn --for-completion` leaves the atoms, and says what they cannot do.
HALF = "has the atoms, but cannot complete graphs"


@dataclasses.dataclass
class Case:
    """A command that takes long. Words in braces are inputs, OUT is where it writes."""

    words: str
    best: bool | None = False  # a stop gives the best result so far; None: or an error
    feed: bool = False  # edges come on standard input, without end


CASES = {
    "solve": Case("solve {graph} {other} --start random --starts 1000 --plan OUT.npy", best=True),
    "solve gw": Case("solve {graph} {other} --divergence gw --plan OUT.npy", best=True),
    "partition": Case("partition {graph} -k 40 --starts 1000 --structure adjacency "
                      "--start kmeans -o OUT.tsv", best=True),
    "partition search": Case("partition {large} -k 40 --start split-merge -o OUT.tsv", best=None),
    "partition kernel": Case("partition {graph} -k 6 --structure heat --select modularity "
                             "-o OUT.tsv", best=None),
    "solve kernel": Case("solve {graph} identity:6 --structure heat:30 --plan OUT.npy", best=None),
    "partition layers": Case("partition {large} {layer} -o OUT.tsv", best=None),
    "partition update": Case("partition {middle} -k 500 --previous {scattered} --max-size 50 "
                             "-o OUT.tsv", best=None),
    "partition sizes": Case("partition {large} --max-size 20 --min-size 5 -o OUT.tsv", best=None),
    "solve share": Case("solve {graph} {other} --share 0.5 --start random --starts 1000 "
                        "--plan OUT.npy", best=None),
    "solve pairs": Case("solve {graph} {other} --forbidden {pairs} --anchors {anchors} "
                        "--relation {graph} {other} --start random --starts 1000 --plan OUT.npy",
                        best=None),
    "coarsen": Case("coarsen {large} -m 900 --eigenvalues 60 -o OUT.txt", best=True),
    "blockmodel": Case("blockmodel {large} -k 150 --starts 400 -o OUT.tsv", best=True),
    "graphon": Case("graphon {many} -k 40 -o OUT.npz", best=True),
    "barycenter": Case("barycenter {many} -m 30 --turn-tolerance 0 --turns 1000000 -o OUT.npy",
                       best=True),
    "learn": Case("learn {many} -m 10 --learner adam --epochs 1000000 --early-stopping 1000000 "
                  "-o OUT.npz", best=True),
    "learn gwf": Case("learn {many} -m 10 --model gwf --atoms 8 --epochs 1000000 -o OUT.npz",
                      best=True),
    "learn gdl": Case("learn {many} -m 10 --model gdl --atoms 8 --epochs 1000000 "
                      "--early-stopping 1000000 -o OUT.npz", best=True),
    "embed": Case("embed {model} {many} --search method --random-starts 1000 -o OUT.npy",
                  best=None),
    "cluster": Case("cluster {many} -k 2 --atoms 200 -o OUT.tsv", best=None),
    "cluster gw-kmeans": Case("cluster {many} -k 2 --method gw-kmeans -o OUT.tsv", best=True),
    "complete": Case("complete {model} {graph} --nodes 3050 --method alternate "
                     "--iterations 1000000 -o OUT.txt", best=True),
    "distances": Case("distances {many} --random-starts 100 -o OUT.npy", best=None),
    "draw": Case("draw " + "{result} " * 200 + "-o OUT.svg"),
    "score": Case(f"score {CLUBS} {CLUBS} --graph -", feed=True),
    "info": Case("info -", feed=True),
    "check": Case("check -", feed=True),
    "convert": Case("convert - OUT.graphml", feed=True),
    "generate": Case("generate planted -n 10000000 -b 10 -o OUT.txt"),
    "estimate": Case("estimate partition - -k 4", feed=True),
}  # fmt: skip
FULL_CASES = {
    "partition starts": Case("partition {pages} -k 60 --starts 50", best=True),
    "partition kmeans": Case("partition {pages} -k 60 --structure adjacency --start kmeans "
                             "--starts 30", best=True),
    "learn for completion": Case("learn {imdb} -m 10 --for-completion 0.2 -o OUT.npz", best=None),
    "learn gwf of IMDB": Case("learn {imdb} --model gwf -o OUT.npz", best=True),
    "cluster IMDB": Case("cluster {imdb} -k 2 --method gw-kmeans -o OUT.tsv", best=True),
    "paths": Case("partition {long} -k 5 --structure shortest-path -o OUT.tsv", best=None),
    "solve planted": Case("solve {five} {six} --plan OUT.npy", best=True),
    "star": Case("partition {star} -k 10 -o OUT.tsv", best=None),
    "million": Case("partition {million} -k 60 -o OUT.tsv", best=None),
}  # fmt: skip


@pytest.fixture(scope="session")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, pathlib.Path]:
    place = tmp_path_factory.mktemp("limits")
    found = {}

    def generate(key: str, name: str, *words: object) -> None:
        found[key] = place / name
        run("generate", "planted", *words, "-o", found[key])

    generate("graph", "graph.txt", "-n", 3000, "-b", 6)
    generate("other", "other.txt", "-n", 2500, "-b", 5, "--seed", 1)
    generate("large", "large.txt", "-n", 200_000, "-b", 40)
    generate("layer", "layer.txt", "-n", 200_000, "-b", 30, "--seed", 1)
    generate("middle", "middle.txt", "-n", 20_000, "-b", 40)
    found["scattered"], found["pairs"], found["anchors"] = (
        place / name for name in ("scattered.tsv", "pairs.txt", "anchors.txt")
    )
    found["scattered"].write_text("".join(f"{i}\t{i * 7919 % 400}\n" for i in range(20_000)))
    found["pairs"].write_text("".join(f"{i} {i // 2}\n" for i in range(0, 3000, 3)))
    found["anchors"].write_text("".join(f"{i} {i // 3}\n" for i in range(1, 3000, 300)))
    generate("many", "many.npz", "--graphs", 2000, "-n", 40, "-b", 2, 3, "--degree", 8)
    generate("few", "few.npz", "--graphs", 20, "-n", 10, "-b", 2, "--degree", 4)
    found["model"], found["result"] = place / "model.npz", place / "result.npz"
    run("learn", found["few"], "-m", 20, "--features", "none", "-o", found["model"])
    run("partition", found["graph"], "-k", 6, "--save", found["result"])
    if not FULL:
        return found
    generate("long", "long.txt", "-n", 15_000, "-b", 6)
    generate("five", "five.txt", "-n", 5000, "-b", 6)
    generate("six", "six.txt", "-n", 5000, "-b", 6, "--seed", 1)
    generate("million", "million.txt", "-n", 1_000_000, "-b", 60)
    found["star"] = place / "star.txt"
    found["star"].write_text("".join(f"0 {i}\n" for i in range(1, 100_000)))
    found["pages"] = shared("large/facebook-pages/edges.tsv")
    found["imdb"] = shared("tud/IMDB-BINARY")
    return found


def feed(process: subprocess.Popen[str]) -> None:
    """Writes edges until nobody reads."""
    text = "".join(f"{i} {i * 7 % 5000}\n" for i in range(5000))
    try:
        while process.poll() is None:
            process.stdin.write(text)
            time.sleep(0.005)
    except OSError:
        pass


def stop(case: Case, inputs: dict[str, pathlib.Path], place: pathlib.Path, how: str) -> None:
    """Runs a case and stops it; checks time, exit code, messages and files."""
    words = case.words.replace("OUT", str(place / "out")).format(**inputs).split() + ["--json"]
    if how == "limit":
        words += ["--time-limit", str(LIMIT)]
    begin = time.monotonic()
    # Long answers would fill a pipe, and the program would wait for its reader.
    with tempfile.TemporaryFile("w+") as stdout, tempfile.TemporaryFile("w+") as stderr:
        process = subprocess.Popen(
            [str(PROGRAM), *words],
            stdin=subprocess.PIPE if case.feed else subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            text=True,
        )
        feeder = threading.Thread(target=feed, args=(process,))
        if case.feed:
            feeder.start()
        if how != "limit":
            time.sleep(LIMIT)
            process.send_signal(getattr(signal, how))
        try:
            process.wait(timeout=LIMIT + MARGIN)
        except subprocess.TimeoutExpired:
            pytest.fail(f"still runs {time.monotonic() - begin - LIMIT:.1f} s after {how}")
        finally:
            process.kill()
            if case.feed:
                feeder.join()
        stdout.seek(0)
        stderr.seek(0)
        out, errors = stdout.read(), stderr.read()
    check_answer(case, process.returncode, json.loads(out), errors, how)
    finished = process.returncode != RESOURCE or HALF in errors
    check_files(place, expected=finished and "error" not in json.loads(out))


def check_answer(case: Case, code: int, answer: dict, errors: str, how: str) -> None:
    code_without = RESOURCE if how == "limit" else INTERRUPTED
    if "error" in answer:
        early = re.search("while (reading|checking the graphs)", errors)  # a busy machine
        assert not case.best or early, errors
        assert code == code_without and answer["error"]["exit_code"] == code, errors
        assert answer["error"]["kind"] == "stopped"
        words = {"limit": "the time limit of 0.3 s", "SIGINT": "interrupted", "SIGTERM": "SIGTERM"}
        assert words[how] in errors and answer["error"]["message"] in errors
        return
    assert case.best is not False, "there cannot be a result yet"
    if HALF in errors:
        assert code == code_without, errors
        return
    assert answer["status"] == ("time_limit" if how == "limit" else "interrupted")
    assert code == (FINE if how == "limit" else INTERRUPTED), errors
    assert ("time_limit" in errors) if how == "limit" else ("the best so far" in errors)


def check_files(place: pathlib.Path, *, expected: bool) -> None:
    """Files that exist are complete; without a result there are none."""
    files = list(place.iterdir())
    if not expected:
        assert not files
    for file in files:
        assert file.name.startswith("out.") and file.suffix in {".npy", ".npz", ".tsv", ".txt"}
        if file.suffix in {".npy", ".npz"}:
            np.load(io.BytesIO(file.read_bytes()), allow_pickle=False)
        else:
            assert file.read_bytes().endswith(b"\n")


def test_every_command_has_a_case() -> None:
    text = run("--help").stdout
    listed = re.findall(r"^  ([a-z]+) ", text.split("Commands:")[1], re.MULTILINE)
    assert len(listed) > 10
    assert set(listed) - INSTANT == {case.words.split()[0] for case in CASES.values()}
    for command in set(listed) - INSTANT - {"estimate"}:
        assert "--time-limit" in run(command, "--help-all").stdout, command


@pytest.mark.parametrize("how", ["limit", "SIGINT", "SIGTERM"])
@pytest.mark.parametrize("name", CASES)
def test_limits_and_signals(
    name: str, how: str, inputs: dict[str, pathlib.Path], tmp_path: pathlib.Path
) -> None:
    stop(CASES[name], inputs, tmp_path, how)


@pytest.mark.skipif(not FULL, reason="takes long: SRGW_TEST_FULL=1")
@pytest.mark.parametrize("how", ["limit", "SIGINT"])
@pytest.mark.parametrize("name", FULL_CASES)
def test_limits_of_large_inputs(
    name: str, how: str, inputs: dict[str, pathlib.Path], tmp_path: pathlib.Path
) -> None:
    stop(FULL_CASES[name], inputs, tmp_path, how)


def test_learning_that_ends_before_its_first_epoch_says_so(
    inputs: dict[str, pathlib.Path], tmp_path: pathlib.Path
) -> None:
    model = tmp_path / "model.npz"
    words = ["learn", inputs["many"], "-m", 60, "--batch", 1, "-o", model, "--time-limit", LIMIT]
    process = subprocess.run(
        [str(PROGRAM), *map(str, words), "--json"],
        check=False, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    answer = json.loads(process.stdout)
    if process.returncode == RESOURCE:  # a busy machine
        assert "reading" in process.stderr or "checking the graphs" in process.stderr
        return
    assert process.returncode == FINE and answer["status"] == "time_limit"
    assert answer["passes"] == answer["epochs"] == 0
    assert answer["graphs_of_pass"] < answer["graphs"]
    assert "no epoch was complete" in process.stderr
    np.load(model)


def test_the_second_signal_ends_at_once(
    inputs: dict[str, pathlib.Path], tmp_path: pathlib.Path
) -> None:
    words = CASES["solve"].words.replace("OUT", str(tmp_path / "out")).format(**inputs).split()
    with subprocess.Popen([str(PROGRAM), *words], stderr=subprocess.PIPE) as process:
        time.sleep(LIMIT)
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=LIMIT + MARGIN)
    assert process.returncode == INTERRUPTED


def test_pictures_that_come_too_late_are_left_out(
    inputs: dict[str, pathlib.Path], tmp_path: pathlib.Path
) -> None:
    labels, picture = tmp_path / "labels.tsv", tmp_path / "picture.svg"
    words = ["partition", inputs["graph"], "-k", 6, "-o", labels, "--picture", picture]
    process = subprocess.run(
        [str(PROGRAM), *map(str, words), "--time-limit", "0.2"],
        check=False, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert picture.exists() == (process.returncode == FINE)
    if process.returncode != FINE:
        assert (
            process.returncode == RESOURCE
            and str(picture) in process.stderr
            or ("no result" in process.stderr)
        )


def test_karate_needs_no_limit(tmp_path: pathlib.Path) -> None:
    out = tmp_path / "labels.tsv"
    run("partition", KARATE, "-k", 2, "-o", out, "--time-limit", 100)
    assert out.exists()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_ranks_save_the_best_so_far(
    how: signal.Signals, inputs: dict[str, pathlib.Path], tmp_path: pathlib.Path
) -> None:
    model = tmp_path / "model.npz"
    words = ["learn", inputs["few"], "-m", 4, "--learner", "adam", "--epochs", 10**9]
    words += ["--early-stopping", 10**9, "--progress", "always", "-o", model]
    with start_ranks(2, *words) as process:
        assert process.stderr.readline().startswith("[")  # it is at work
        process.send_signal(how)
        out, errors = process.communicate(timeout=60)
    assert "interrupted" in out and "this is the best so far" in errors
    np.load(model)
