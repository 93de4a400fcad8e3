#!/usr/bin/env python3
"""Runs the program with random options, valid and invalid, on tiny inputs.

    scripts/fuzz_options.py build/dev/cli/srgw --runs 10000 --seed 7

Commands, options and their types come from `srgw COMMAND --help-all`. A run is a finding when its
exit code is not 0, 2, 3, 4 or 5, when it takes long, when --json prints something that is no JSON
or has NaN or infinity in it, when a usage error (2) names no option, or when a file stays that was
not asked for. Each finding is printed as a command; the exit code is 1 when there are any.
"""

import argparse
import concurrent.futures
import dataclasses
import json
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import cli_docs

SLOW = 20  # seconds; every run has a time limit of 3
INPUTS = [
    "generate planted -n 30 -b 3 --degree 6 -o graph.txt --labels labels.tsv",
    "generate planted -n 12 -b 2 --degree 4 --seed 1 -o other.txt",
    "generate planted --graphs 8 -n 10 -b 2 --degree 4 -o graphs.npz",
    "learn graphs.npz -m 3 -o model.npz --for-completion 0.2 --checkpoint checkpoint.npz "
    "--checkpoint-every 0",
    "partition graph.txt -k 3 --save result.npz",
    "embed model.npz graphs.npz -o rows.npy",
]
OUTPUTS = {"--output", "--plan", "--save", "--picture", "--report", "--embedding",
           "--probabilities", "--completed-features", "--checkpoint", "--assignment", "--means",
           "--coarse-features", "--sample"}  # fmt: skip
ENDINGS = [".txt", ".tsv", ".csv", ".npy", ".npz", ".svg", ".html", ".json", ".graphml", ".gml",
           ".mtx", ".net", ".txt.gz", ""]  # fmt: skip
# What fits the word that help shows for a positional, or an option's value, besides numbers.
FILES = {"GRAPH": "graph.txt", "SOURCE": "graph.txt", "TARGET": "other.txt", "IN": "graph.txt",
         "DATASET": "graphs.npz", "DATASET2": "graphs.npz", "MODEL": "model.npz",
         "RESULT": "result.npz", "TRUTH": "labels.tsv", "LABELS": "labels.tsv",
         "--truth": "labels.tsv", "--labels": "labels.tsv", "--graph": "graph.txt",
         "--features": "features.csv", "--resume": "checkpoint.npz", "--embeddings": "rows.npy",
         "--node-file": "labels.tsv", "--mask": "other.txt", "--previous": "labels.tsv",
         "--fixed": "some.tsv", "--forbidden": "pairs.txt", "--anchors": "anchors.txt",
         "--target-features": "other.csv"}  # fmt: skip
# Labels and features that are usual, odd or wrong.
LABEL_FILES = {
    "some.tsv": "0\t7\n5\t7\n29\t3\n",
    "names.tsv": "0\ta\n5\tb\n29\tc d\n",
    "empty.tsv": "",
    "unknown.tsv": "ghost\t1\nghoul\t2\n",
    "huge.tsv": "0\t9223372036854775807\n1\t9007199254740992\n",
    "beyond.tsv": "0\t9223372036854775808\n1\t1e400\n",
    "negative.tsv": "0\t-1\n1\t-9223372036854775808\n",
    "twice.tsv": "0\t1\n0\t2\n",
    "everything.txt": "".join(f"0 {i}\n" for i in range(12)),  # no target node is left
}
NAMES = {
    "--structure": "auto adjacency modularity stability:1 heat:2 laplacian shortest-path:3 heat:-1",
    "--weights": "auto uniform degree power:0.5 power:x",
    "--target-weights": "uniform degree",
    "--target": "auto identity scaled-identity:2 learned other.txt scaled-identity:x",
    "--method": "srgw gwl specgwl",
    "--start": "auto product random kmeans spectral fluid split-merge multilevel labels:labels.tsv",
    "--coordinates": "weights sqrt,value log-size metric nothing",
    "--from": "edges graphml gml matrix-market packed nothing",
    "--to": "edges graphml gml tud folder packed nothing",
    "--weight-attribute": "weight absent",
    "--alpha": "0 0.5 1 balanced -1 2 nan 1e-300 x",
    "--layer-weights": "1 1,1 0.5,2 0,0 -1,1 1,x 1e300,1e-300 1,1,1 ,",
    "--blocks": "auto 1 2 3 40 0 -1 1.5 x",
    "--share": "1 0.5 1e-9 0 2 nan x",
    "--relation-weight": "0 1 1e300 -1 x",
    "--max-memory": "1M 200M 100G 1 0 x",
    "--compare": "labels.tsv a=labels.tsv absent.tsv",
}
WHOLE = "0 1 2 3 5 8 -1 1.5 100000000000000000000 x".split()
REAL = "0 0.5 1 0.01 1e-300 1e300 -1 nan inf 1e400 x 2".split()


@dataclasses.dataclass
class Command:
    words: list[str]
    positionals: list[str]
    options: list[cli_docs.Option]


def commands_of(program: pathlib.Path) -> list[Command]:
    def help_of(*words: str) -> str:
        command = [program, *words, "--help-all"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    names = re.findall(r"^  ([a-z]+) ", help_of().split("Commands:")[1], re.MULTILINE)
    found = []
    for words in [[name] for name in names] + [["estimate", "solve"], ["estimate", "partition"]]:
        text = help_of(*words)
        positionals = text.partition("Arguments:")[2].partition("\n\n")[0]
        found.append(
            Command(
                words,
                re.findall(r"^  ([A-Z]\w*)", positionals, re.MULTILINE),
                [
                    option
                    for option in cli_docs.parse_options(text)
                    if option.name not in {"--help", "--help-all", "--config", "--time-limit"}
                ],
            )
        )
    assert len(found) > 10
    return found


class Draw:
    """One random command line. `outputs` are the files that it may write."""

    def __init__(self, command: Command, draw: random.Random) -> None:
        self.random, self.outputs = draw, set()
        self.words = list(command.words)
        for name in command.positionals:
            self.words.append(self.positional(command, name))
        if command.words == ["partition"] and draw.random() < 0.2:  # layers
            self.words += draw.choices(["graph.txt", "layer.txt", "other.txt", "absent.txt"], k=2)
        wanted = draw.randrange(7)
        options = draw.sample(command.options, min(wanted, len(command.options)))
        needed = {"--output", "--size", "--clusters", "--nodes"}
        options += [o for o in command.options if o.name in needed and draw.random() < 0.9]
        for option in {o.name: o for o in options}.values():
            self.words.append(option.name)
            if option.name == "--relation":
                self.words += [self.file("graph.txt"), self.file("other.txt")]
            elif option.type:
                self.words.append(self.value(command, option))
        if draw.random() < 0.5 and "--json" not in self.words:
            self.words.append("--json")
        self.words += (
            ["--time-limit", "3"] if command.words not in (["completions"], ["estimate"]) else []
        )

    def output(self) -> str:
        name = "out" + self.random.choice(ENDINGS)
        if self.random.random() < 0.05:
            return self.random.choice(["-", "absent/out.tsv", "/dev/null", ""])
        self.outputs.add(name)
        return name

    def positional(self, command: Command, name: str) -> str:
        if name == "OUT":
            return self.output()
        if name == "SHELL":
            return self.random.choice(["bash", "zsh", "fish"])
        if name == "MODEL" and command.words == ["generate"]:
            models = ["planted", "sbm", "lfr", "degree-corrected", "abcd", "challenge", "nothing"]
            return self.random.choice(models)
        if self.random.random() < 0.9 and name in FILES:
            return FILES[name]
        return self.random.choice(["absent.txt", "", "model.npz", "labels.tsv", "graphs.npz", "-"])

    def file(self, usual: str) -> str:
        chance = self.random.random()
        if chance < 0.8:
            return usual
        return "absent.csv" if chance < 0.85 else self.random.choice(sorted(LABEL_FILES))

    def value(self, command: Command, option: cli_docs.Option) -> str:
        name, kind = option.name, option.type
        if name in OUTPUTS or (name == "--labels" and command.words == ["generate"]):
            return self.output()
        if "|" in kind and not kind.endswith("FILE"):
            return self.random.choice([*kind.split("|"), "nothing"])
        if name in NAMES:
            return self.random.choice(NAMES[name].split())
        if kind[0] in "NQ":
            return self.random.choice([*WHOLE, "1", "2", "3", "4"])
        if kind in {"X", "S", "RATE"}:
            return self.random.choice([*REAL, "0.1", "0.2", "0.5"])
        return self.file(FILES.get(name, "features.csv"))


def strict_json(text: str) -> object:
    def refuse(word: str) -> None:
        raise ValueError(word)

    return json.loads(text, parse_constant=refuse)


def problem_of(program: pathlib.Path, draw: Draw, inputs: pathlib.Path) -> str:
    """The fault of a run; empty if there is none."""
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        shutil.copytree(inputs, place, dirs_exist_ok=True)
        before = {path.name for path in place.iterdir()}
        try:
            answer = subprocess.run(
                [program, *draw.words], cwd=place, check=False, capture_output=True, timeout=SLOW,
                stdin=subprocess.DEVNULL,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return f"runs for more than {SLOW} s"
        code = answer.returncode
        errors = answer.stderr.decode(errors="replace").strip()
        if code not in {0, 2, 3, 4, 5}:
            return f"exit code {code}: {errors}"
        told = draw.words[0] == "check" and answer.stdout  # its problems are its result
        if code != 0 and not errors and not told:
            return f"exit code {code} without a message"
        if code == 2 and not re.search(r"--?\w|\b[A-Z]{2}|is no command", errors):
            return f"the message names no option: {errors}"
        if "--json" in draw.words and draw.words[0] != "completions":
            try:
                strict_json(answer.stdout.decode())
            except ValueError as error:
                return f"{error}: no JSON: {answer.stdout[:200]!r} {errors}"
        left = {path.name for path in place.iterdir()} - before
        if left - draw.outputs:
            return f"leaves {left - draw.outputs}"
        return ""


def make_inputs(program: pathlib.Path, place: pathlib.Path) -> None:
    for line in INPUTS:
        subprocess.run([program, *line.split()], cwd=place, check=True, capture_output=True)
    rows = "".join(f"{i},{i % 3},{i % 5}\n" for i in range(30))
    (place / "features.csv").write_text(rows)
    (place / "other.csv").write_text("".join(f"{i},{i % 3},{i % 5}\n" for i in range(12)))
    (place / "layer.txt").write_text("".join(f"{i} {(7 * i + 1) % 30} 2.5\n" for i in range(30)))
    (place / "pairs.txt").write_text("0 1\n5 3\n29 11\n")
    (place / "anchors.txt").write_text("1 0\n7 5\n")
    for name, text in LABEL_FILES.items():
        (place / name).write_text(text)


def fuzz(program: pathlib.Path, runs: int, seed: int, workers: int) -> list[str]:
    """The findings: what is wrong, and the command."""
    findings = []
    known = commands_of(program)
    with (
        tempfile.TemporaryDirectory() as folder,
        concurrent.futures.ThreadPoolExecutor(workers) as pool,
    ):
        inputs = pathlib.Path(folder)
        make_inputs(program, inputs)

        def one(number: int) -> None:
            source = random.Random(f"{seed}/{number}")
            draw = Draw(source.choice(known), source)
            found = problem_of(program, draw, inputs)
            if found:
                findings.append(f"{found}\n  srgw {shlex.join(draw.words)}")

        list(pool.map(one, range(runs)))
    return findings


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    findings = fuzz(args.program.resolve(), args.runs, args.seed, args.workers)
    print("\n".join(findings))
    print(f"{args.runs} runs with seed {args.seed}: {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
