"""Our side: problems through the program srgw_probe (tests/tools/solve_problem.cpp)."""

import pathlib
import subprocess
import tempfile
from collections.abc import Sequence
from typing import Any

import bundle
import scipy.sparse
from place import program
from problem import Answer, Array, Problem


def solve(
    problems: Sequence[Problem], method: dict[str, Any], repeats: int = 1, plans: bool = False
) -> list[Answer]:
    """On one thread, with one workspace for all; `method` has fields of ConditionalGradient, or,
    with the name "mirror-descent", of MirrorDescent."""
    document = {
        "method": method,
        "threads": 1,
        "repeats": repeats,
        "plans": plans,
        "problems": [_document(problem) for problem in problems],
    }
    return [_answer(solution) for solution in _ask(document)]


def transport(costs: Sequence[tuple[Array, Array, Array]], repeats: int = 1) -> list[Answer]:
    """Exact transports (cost, row masses, column masses), on one thread."""
    document = {
        "repeats": repeats,
        "transports": [{"cost": cost, "row_masses": a, "column_masses": b} for cost, a, b in costs],
    }
    return [
        Answer(answer["cost"], answer["steps"], answer["plan"], answer["seconds"], answer)
        for answer in _ask(document)
    ]


def _ask(document: dict[str, Any]) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        questions = pathlib.Path(folder) / "problems.bundle"
        answers = pathlib.Path(folder) / "solutions.bundle"
        bundle.write(questions, document)
        subprocess.run([program("tests/srgw_probe"), questions, answers], check=True)
        return bundle.read(answers)["solutions"]


def _document(problem: Problem) -> dict[str, Any]:
    document = {
        "source": _source(problem),
        "weights": problem.weights,
        "target": problem.target,
        "start": _start(problem),
    }
    if problem.target_weights is not None:
        document["target_weights"] = problem.target_weights
    if problem.entropy > 0:
        document["entropy"] = problem.entropy
    if problem.loss != "square":
        document["loss"] = problem.loss
    if problem.cost is not None:
        document |= {"cost": problem.cost, "alpha": problem.alpha}
    return document


def _source(problem: Problem) -> Any:
    matrix = problem.source
    if not scipy.sparse.issparse(matrix):
        return matrix
    matrix.sort_indices()
    document = {"offsets": matrix.indptr, "columns": matrix.indices}
    return document if (matrix.data == 1).all() else document | {"values": matrix.data}


def _start(problem: Problem) -> Any:
    if problem.start is None:
        return "product"
    return {"labels" if problem.start.ndim == 1 else "plan": problem.start}


def _answer(solution: dict[str, Any]) -> Answer:
    return Answer(
        value=solution["value"] - solution["value_entropy"],  # as POT tells it
        iterations=solution["iterations"],
        plan=solution.get("plan"),
        seconds=solution["seconds"],
        report=solution,
    )
