"""The command line, folders and talk of the programs here and in bench/clustering."""

import argparse
import json
import pathlib
import sys
import tempfile
from collections.abc import Sequence
from types import TracebackType
from typing import Any

import tables
from common import PACKAGES, ROOT, machine
from record import Store

INTRODUCTION = """\
# {title}

Written by `make bench-partition`; not by hand. {machine}
"""


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def parser(text: str | None, full: bool = False) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(text or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="tiny sizes; keeps nothing")
    parser.add_argument("--anew", action="store_true", help="forget results of earlier runs")
    parser.add_argument("--store", type=pathlib.Path, help="folder of results and graphs")
    parser.add_argument("--output", type=pathlib.Path, help="folder of the documents")
    if full:
        parser.add_argument("--full", action="store_true", help="a fuller grid: hours")
    return parser


def arguments(text: str | None, full: bool = False) -> argparse.Namespace:
    return parser(text, full).parse_args()


class Workshop:
    """Where results and graphs are kept. With --quick that is a folder that goes away, and
    documents are written only where --output says."""

    def __init__(self, arguments: argparse.Namespace, name: str, part: str = "") -> None:
        self._temporary = tempfile.TemporaryDirectory()
        lasting = None if arguments.quick else ROOT / "build" / name
        store = arguments.store or lasting
        store = store / part if store else None
        self.quick = bool(arguments.quick)
        self.output = arguments.output or (None if self.quick else ROOT / "docs" / "results")
        self.graphs = (store or pathlib.Path(self._temporary.name)) / "graphs"
        self.store = Store(store / "cells.jsonl" if store else None, arguments.anew)

    def __enter__(self) -> "Workshop":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._temporary.cleanup()

    def page(self, name: str, title: str, body: Sequence[str], summary: Any) -> str:
        """Publishes a document with machine, versions and the cells that failed."""
        troubles = tables.failures(self.store.entries())
        lines = [INTRODUCTION.format(title=title, machine=machine(*PACKAGES)).rstrip(), *body]
        lines += ["## Failed cells", "", *troubles, ""] if troubles else []
        text = "\n".join(lines).rstrip() + "\n"
        self.publish(name, text, summary)
        return text

    def publish(self, name: str, text: str, summary: Any) -> None:
        if self.output is None:
            return
        self.output.mkdir(parents=True, exist_ok=True)
        (self.output / f"{name}.md").write_text(text)
        (self.output / f"{name}.json").write_text(json.dumps(summary, indent=1) + "\n")
