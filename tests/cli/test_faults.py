"""Faults of the system while a command runs: what it answers, and what it leaves behind."""

import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import time

import pytest
from program import FINE, KARATE, PROGRAM, ROOT, run

sys.path.insert(0, str(ROOT / "scripts"))
import cli_docs  # noqa: E402

SHIM = PROGRAM.parent.parent / "tests" / "libsrgw_faults.so"
FULL = bool(os.environ.get("SRGW_TEST_FULL"))
KINDS = ("open", "write", "link", "rename", "map", "thread")
EXIT_CODES = {3, 5}  # of the system's faults
# nlohmann's destructors allocate, and end the program where they cannot.
EXIT_CODES_WITHOUT_MEMORY = {*EXIT_CODES, -signal.SIGABRT}


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A graph, a dataset, a model and a saved result."""
    folder = tmp_path_factory.mktemp("inputs")
    run("generate", "sbm", "-n", 30, "-b", "2,3", "--graphs", 8, "-o", folder / "data.npz")
    run("learn", folder / "data.npz", "-m", 3, "--epochs", 2, "-o", folder / "model.npz")
    model = ["--features", "none", "--epochs", 2]
    run("learn", folder / "data.npz", "-m", 3, *model, "-o", folder / "plain.npz")
    run("partition", KARATE, "-k", 2, "--save", folder / "result.npz")
    (folder / "layer.txt").write_text("".join(f"{i + 1} {(i + 1) % 34 + 1}\n" for i in range(34)))
    (folder / "labels.tsv").write_text("".join(f"{i + 1}\t{i % 3}\n" for i in range(34)))
    (folder / "x.csv").write_text("".join(f"{i},{i % 5}\n" for i in range(34)))
    (folder / "pairs.txt").write_text("1 1\n5 2\n")
    return folder


# Each command that writes files, with the files that it writes.
COMMANDS: dict[str, tuple[list[str], list[str]]] = {
    "convert": (["convert", "{karate}", "{out}/a.graphml"], ["a.graphml"]),
    "convert_gz": (["convert", "{karate}", "{out}/a.txt.gz"], ["a.txt.gz"]),
    "convert_dataset": (["convert", "{in}/data.npz", "{out}/a.npz"], ["a.npz"]),
    "generate": (
        [
            "generate",
            "planted",
            "-n",
            "200",
            "-b",
            "4",
            "-o",
            "{out}/a.txt",
            "--labels",
            "{out}/b.tsv",
        ],
        ["a.txt", "b.tsv"],
    ),
    "partition": (
        ["partition", "{karate}", "-k", "2", "-o", "{out}/a.tsv", "--save", "{out}/b.npz"]
        + ["--plan", "{out}/c.npy", "--picture", "{out}/d.svg", "--report", "{out}/e.html"],
        ["a.tsv", "b.npz", "c.npy", "d.svg", "e.html"],
    ),
    "solve": (
        ["solve", "{karate}", "identity:3", "--save", "{out}/a.npz", "--plan", "{out}/b.csv"],
        ["a.npz", "b.csv"],
    ),
    "solve_pairs": (
        ["solve", "{karate}", "identity:3", "--forbidden", "{in}/pairs.txt"]
        + ["--relation", "{in}/layer.txt", "identity:3", "--share", "0.9", "--plan", "{out}/a.npy"],
        ["a.npy"],
    ),
    "partition_layers": (
        [
            "partition",
            "{karate}",
            "{in}/layer.txt",
            "-o",
            "{out}/a.tsv",
            "--report",
            "{out}/b.html",
        ],
        ["a.tsv", "b.html"],
    ),
    "partition_update": (
        ["partition", "{karate}", "--previous", "{in}/labels.tsv", "--max-size", "9"]
        + ["-o", "{out}/a.tsv", "--save", "{out}/b.npz"],
        ["a.tsv", "b.npz"],
    ),
    "coarsen": (
        ["coarsen", "{karate}", "-m", "9", "-o", "{out}/a.txt", "--assignment", "{out}/b.tsv"]
        + ["--means", "{out}/c.npz", "--picture", "{out}/d.svg"]
        + ["--features", "{in}/x.csv", "--coarse-features", "{out}/e.csv"],
        ["a.txt", "b.tsv", "c.npz", "d.svg", "e.csv"],
    ),
    "blockmodel": (
        ["blockmodel", "{karate}", "-o", "{out}/a.tsv", "--probabilities", "{out}/b.npy"]
        + ["--sample", "{out}/c.txt", "--picture", "{out}/d.svg"],
        ["a.tsv", "b.npy", "c.txt", "d.svg"],
    ),
    "graphon": (
        ["graphon", "{in}/data.npz", "-k", "3", "-o", "{out}/a.npz", "--values", "{out}/b.npy"]
        + ["--labels", "{out}/c.npy", "--sample", "{out}/d.txt", "--picture", "{out}/e.svg"],
        ["a.npz", "b.npy", "c.npy", "d.txt", "e.svg"],
    ),
    "barycenter": (["barycenter", "{in}/data.npz", "-m", "3", "-o", "{out}/a.npz"], ["a.npz"]),
    "learn": (
        ["learn", "{in}/data.npz", "-m", "3", "--epochs", "2", "-o", "{out}/a.npz"]
        + ["--embedding", "{out}/b.csv"],
        ["a.npz", "b.csv"],
    ),
    "embed": (["embed", "{in}/model.npz", "{in}/data.npz", "-o", "{out}/a.npy"], ["a.npy"]),
    "cluster": (["cluster", "{in}/data.npz", "-k", "2", "-m", "3", "-o", "{out}/a.tsv"], ["a.tsv"]),
    "complete": (
        [
            "complete",
            "{in}/plain.npz",
            "{karate}",
            "--nodes",
            "35",
            "--method",
            "alternate",
            "-o",
            "{out}/a.txt",
        ]
        + ["--probabilities", "{out}/b.npy"],
        ["a.txt", "b.npy"],
    ),
    "distances": (["distances", "{in}/data.npz", "-o", "{out}/a.npy"], ["a.npy"]),
    "draw": (["draw", "{in}/result.npz", "-o", "{out}/a.svg"], ["a.svg"]),
}


def test_every_command_that_writes_files_has_an_entry() -> None:
    for command in cli_docs.commands(str(PROGRAM)):
        text = run(command, "--help-all").stdout
        if "--output" in text or re.search("^  OUT ", text, re.MULTILINE):
            assert command in {arguments[0] for arguments, _ in COMMANDS.values()}, command


class Scene:
    """A command in a folder where old files stand under the names that it writes."""

    def __init__(self, name: str, inputs: pathlib.Path, folder: pathlib.Path) -> None:
        arguments, self.files = COMMANDS[name]
        self.folder = folder
        self.command = [str(PROGRAM), *(self._fill(a, inputs) for a in arguments), "-j", "2"]
        self.reset()
        self.counts = folder.parent / "counts"
        answer = self.run({"SRGW_FAULT_COUNTS": str(self.counts)})
        assert answer.returncode == FINE, answer.stderr
        self.new = {file: (folder / file).read_bytes() for file in self.files}
        pairs = (line.split() for line in self.counts.read_text().splitlines())
        self.calls = {kind: int(count) for kind, count in pairs}

    def _fill(self, argument: str, inputs: pathlib.Path) -> str:
        return argument.format(**{"karate": KARATE, "in": inputs, "out": self.folder})

    def reset(self) -> None:
        for file in self.folder.iterdir():
            file.unlink()
        for file in self.files:
            (self.folder / file).write_text("old")

    def run(self, setting: dict[str, str]) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "LD_PRELOAD": str(SHIM), **setting}
        return subprocess.run(
            self.command, check=False, capture_output=True, text=True, env=environment, timeout=120
        )

    def states(self) -> list[str]:
        """Whether each file is old or new; times and paths in them may differ."""
        found = []
        for file in self.files:
            content = (self.folder / file).read_bytes()
            found.append("old" if content == b"old" else "new")
            if found[-1] == "new":  # a part of a file would be shorter
                assert abs(len(content) - len(self.new[file])) <= 64, file
        return found

    def check(self, fault: str) -> None:
        self.reset()
        answer = self.run({"SRGW_FAULT": fault})
        said = (fault, self.command, answer.returncode, answer.stderr)
        assert {file.name for file in self.folder.iterdir()} == set(self.files), said
        if answer.returncode == FINE:  # there is another way, such as a file with a name
            assert set(self.states()) == {"new"}, said
        else:
            known = EXIT_CODES_WITHOUT_MEMORY if fault.startswith("memory") else EXIT_CODES
            assert answer.returncode in known, said
            assert "srgw: " in answer.stderr or answer.returncode < 0, said
            self.states()


@pytest.fixture()
def out(tmp_path: pathlib.Path) -> pathlib.Path:
    folder = tmp_path / "out"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("name", COMMANDS)
def test_every_fault_is_told_and_leaves_old_or_new_files(
    name: str, inputs: pathlib.Path, out: pathlib.Path
) -> None:
    scene = Scene(name, inputs, out)
    assert scene.calls["open"] > 0
    assert scene.calls["write"] > 0
    for kind in KINDS:
        for call in range(1, scene.calls[kind] + 1):
            scene.check(f"{kind}:{call}")


@pytest.mark.parametrize("name", COMMANDS)
def test_want_of_memory_is_told_and_leaves_old_or_new_files(
    name: str, inputs: pathlib.Path, out: pathlib.Path
) -> None:
    scene = Scene(name, inputs, out)
    calls = scene.calls["memory"]
    tried = 400 if FULL else 8
    for call in sorted(random.Random(name).sample(range(1, calls + 1), min(calls, tried))):
        scene.check(f"memory:{call}")


def test_standard_output_that_is_full_or_closed_is_an_error(tmp_path: pathlib.Path) -> None:
    for arguments in (["info", KARATE], ["convert", KARATE, "-", "--to", "gml"], ["--help"]):
        command = " ".join([str(PROGRAM), *map(str, arguments)])
        for target in (">/dev/full", ">&-"):
            answer = subprocess.run(
                f"{command} {target}", shell=True, check=False, capture_output=True, text=True
            )
            assert answer.returncode == 3, (command, target, answer.stderr)
            assert "written" in answer.stderr
    labels = tmp_path / "a.tsv"
    command = f"{PROGRAM} partition {KARATE} -k 2 -o {labels} >&- 2>&- <&-"
    assert subprocess.run(command, shell=True, check=False).returncode == 3
    assert len(labels.read_text().splitlines()) == 34


def kill_after(command: list[str], seconds: float) -> None:
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_killed_command_leaves_old_or_new_files(
    name: str, inputs: pathlib.Path, out: pathlib.Path
) -> None:
    begin = time.monotonic()
    scene = Scene(name, inputs, out)
    longest = time.monotonic() - begin
    source = random.Random(name)
    for _ in range(80 if FULL else 3):
        scene.reset()
        kill_after(scene.command, source.uniform(0, longest))
        scene.states()


def test_a_killed_run_goes_on_from_its_checkpoint_to_the_same_bytes(
    inputs: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    checkpoint, model = tmp_path / "checkpoint.npz", tmp_path / "model.npz"
    command = [str(PROGRAM), "learn", str(inputs / "data.npz"), "-m", "4", "--epochs", "200"]
    command += ["--checkpoint-every", "0", "--checkpoint", str(checkpoint), "-o"]
    begin = time.monotonic()
    run(*command[1:], tmp_path / "whole.npz")
    longest = time.monotonic() - begin
    whole = (tmp_path / "whole.npz").read_bytes()
    source = random.Random(1)
    resumed = 0
    for _ in range(1000 if FULL else 4):
        checkpoint.unlink(missing_ok=True)
        kill_after([*command, str(model)], source.uniform(0.1 * longest, longest))
        if not checkpoint.exists():
            continue
        resumed += 1
        run(*command[1:], model, "--resume", checkpoint)
        assert model.read_bytes() == whole
    assert resumed > 0
