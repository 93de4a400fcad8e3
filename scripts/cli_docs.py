#!/usr/bin/env python3
"""Writes the help texts of the program into docs/cli.md, between two marks.

Usage: scripts/cli_docs.py PROGRAM DOCUMENT
"""

import pathlib
import re
import subprocess
import sys

BEGIN = "<!-- help: begin -->"
END = "<!-- help: end -->"


def help_text(program: str, *command: str) -> str:
    answer = subprocess.run(
        [program, *command, "--help"], check=True, capture_output=True, text=True
    )
    # What it calls itself is the path that it was started by.
    text = answer.stdout.replace(program, "srgw")
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def commands(program: str) -> list[str]:
    listed = help_text(program).partition("Subcommands:")[2]
    return re.findall(r"^  ([a-z]+) ", listed, flags=re.MULTILINE)


def texts(program: str) -> str:
    blocks = [f"```\n{help_text(program)}\n```"]
    for command in commands(program):
        blocks.append(f"### {command}\n\n```\n{help_text(program, command)}\n```")
    return "\n\n".join(blocks)


def with_texts(document: str, text: str) -> str:
    before, mark, rest = document.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (mark and end):
        raise SystemExit(f"expected the marks {BEGIN} and {END}")
    return f"{before}{BEGIN}\n\n{text}\n\n{END}{after}"


if __name__ == "__main__":
    path = pathlib.Path(sys.argv[2])
    path.write_text(with_texts(path.read_text(), texts(sys.argv[1])))
